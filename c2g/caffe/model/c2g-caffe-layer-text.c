/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layer-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/net/operator/c2g-operator-schema-private.h>

/* Reads the parts of a layer that are the same for all types: its type, bottoms, tops, and known
 * fields. */

/* The field in a layer of version 1 that contains a layer of version 0. */
#define V0_LAYER "layer"

/* Fields of version 0, which has one message for all types. */
#define V0_FIELDS                                                                                            \
  "alpha beta bias_term blobs blobs_lr concat_dim dropout_ratio group k kernel_size local_size name num_output " \
  "pad pool stride type weight_decay"

/* The layer type that exists only in version 0. */
static const C2gCaffeLayerType padding = { "padding", NULL, 1, 1, 1, 1, .use = C2G_CAFFE_LAYER_PADS };

static void
layer_clear (C2gCaffeLayer *self)
{
  g_clear_pointer (&self->bottoms, g_ptr_array_unref);
  g_clear_pointer (&self->tops, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gCaffeLayer, layer_clear)

static GPtrArray *
list_names (C2gCaffeLayer *self,
            const char    *field)
{
  return c2g_prototxt_list_words (&self->net->text, self->field, field);
}

/* Returns the layer of version 0 inside this one, or NULL. It has the parameters of all types in
 * one message. Old names of them are replaced in place by those of version 1. */
static C2gPrototxtField *
upgrade (C2gCaffeLayer *self)
{
  static const char *const names[][2] = { { "biasterm", "bias_term" }, { "kernelsize", "kernel_size" } };
  C2gPrototxtField *old = c2g_prototxt_find_message (&self->net->text, self->field, V0_LAYER);

  for (C2gPrototxtField *field = old != NULL ? old->fields : NULL; field != NULL; field = field->next)
    for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
      if (g_str_equal (field->name, names[k][0]))
        field->name = names[k][1];
  return old;
}

gboolean
c2g_caffe_layer_read (C2gCaffeLayer    *self,
                      C2gCaffeNet      *net,
                      C2gPrototxtField *field)
{
  C2gPrototxtField *old;
  C2gPrototxtField *head;
  const char *type;

  *self = (C2gCaffeLayer) { .net = net, .field = field, .margin = -1 };
  old = upgrade (self);
  head = old != NULL ? old : field;
  type = c2g_prototxt_get_word (&net->text, head, "type", "");
  self->name = c2g_prototxt_get_word (&net->text, head, "name", "");
  self->version = g_str_equal (field->name, "layers") ? C2G_CAFFE_V1 : C2G_CAFFE_V2;
  if (old != NULL)
    self->version = C2G_CAFFE_V0;
  self->type = old != NULL && g_str_equal (type, padding.name) ? &padding : c2g_caffe_layer_type_find (type, self->version);
  if (self->type != NULL)
    self->param = old != NULL || self->type->param == NULL
                    ? old
                    : c2g_prototxt_find_message (&net->text, field, self->type->param);
  return self->type != NULL;
}

/* Finds the blobs of the bottoms. Each must be a top of an earlier layer, so a net with a cycle is
 * refused. */
static gboolean
find_bottoms (C2gCaffeLayer  *self,
              GError        **error)
{
  g_autoptr (GPtrArray) names = list_names (self, "bottom");

  for (guint i = 0; names->pdata[i] != NULL; i++)
    {
      char *name = g_hash_table_lookup (self->net->blobs, names->pdata[i]);
      const int margin = GPOINTER_TO_INT (g_hash_table_lookup (self->net->margins, names->pdata[i])) - 1;

      if (name == NULL)
        return c2g_fail (error, C2G_ERROR_NOT_FOUND, _("No layer before it makes the bottom “%s”"),
                         (const char *) names->pdata[i]);
      self->margin = MAX (self->margin, margin);
      g_hash_table_remove (self->net->unread, name);
      g_ptr_array_add (self->bottoms, name);
    }
  return TRUE;
}

/* As in Caffe, a top with the name of the bottom at the same index is computed in place. */
static gboolean
find_tops (C2gCaffeLayer  *self,
           GPtrArray      *names,
           GError        **error)
{
  g_autoptr (GPtrArray) bottoms = list_names (self, "bottom");

  for (guint i = 0; names->pdata[i] != NULL; i++)
    {
      const gboolean is_in_place = i + 1 < bottoms->len && g_str_equal (bottoms->pdata[i], names->pdata[i]);
      const char *name = is_in_place ? c2g_caffe_layer_bottom (self, i)
                                     : c2g_caffe_net_add_blob (self->net, names->pdata[i], error);

      if (name == NULL)
        return FALSE;
      g_ptr_array_add (self->tops, (char *) name);
    }
  return TRUE;
}

/* Records the tops as unread: a blob is an output of the net unless a layer reads it. */
static void
put_tops (C2gCaffeLayer *self,
          GPtrArray     *names)
{
  C2gCaffeNet *net = self->net;

  for (guint i = 0; i < self->tops->len; i++)
    {
      char *name = g_string_chunk_insert_const (net->strings, names->pdata[i]);

      g_hash_table_insert (net->blobs, name, self->tops->pdata[i]);
      g_hash_table_remove (net->margins, name);
      g_hash_table_add (net->unread, self->tops->pdata[i]);
      g_ptr_array_add (net->order, self->tops->pdata[i]);
    }
}

/* Checks the numbers of bottoms and tops, which are the same as in Caffe. */
static gboolean
check_counts (C2gCaffeLayer  *self,
              guint           n_tops,
              GError        **error)
{
  const C2gCaffeLayerType *type = self->type;
  const guint n_bottoms = self->bottoms->len;
  const guint min_tops = type->is_paired ? n_bottoms : type->min_tops;
  const guint max_tops = type->is_paired ? n_bottoms : type->max_tops;
  g_autofree char *bottoms = NULL;
  g_autofree char *tops = NULL;

  if (n_bottoms >= type->min_bottoms && n_bottoms <= type->max_bottoms && n_tops >= min_tops && n_tops <= max_tops)
    return TRUE;
  bottoms = c2g_operator_schema_describe_number (type->min_bottoms, type->max_bottoms);
  tops = c2g_operator_schema_describe_number (min_tops, max_tops);
  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("There are %u bottoms and %u tops, expected %s and %s"), n_bottoms, n_tops,
                   bottoms, tops);
}

/* In version 0, Caffe moves the padding into the following layer. It does so only for some types;
 * others are refused. */
static gboolean
check_margin (C2gCaffeLayer  *self,
              GError        **error)
{
  if (self->margin < 0 ||
      (self->version == C2G_CAFFE_V0 && self->type->takes_margin && self->bottoms->len == 1))
    return TRUE;
  return c2g_caffe_layer_refuse (self, _("A padding layer may only be in front of “conv” and “pool” of version 0"), error);
}

static gboolean
find_blobs (C2gCaffeLayer  *self,
            GPtrArray      *tops,
            GError        **error)
{
  return find_bottoms (self, error) && check_counts (self, tops->len - 1, error) && check_margin (self, error);
}

static gboolean
compute (C2gCaffeLayer  *self,
         GError        **error)
{
  g_autoptr (GPtrArray) tops = list_names (self, "top");

  if (!find_blobs (self, tops, error) || !find_tops (self, tops, error) || !self->type->translate (self, error))
    return FALSE;

  put_tops (self, tops);
  return TRUE;
}

/* Translates a padding layer: its top is the bottom, with padding noted for the layers that read
 * it. */
static gboolean
pad (C2gCaffeLayer  *self,
     GError        **error)
{
  C2gCaffeNet *net = self->net;
  const gint64 margin = c2g_prototxt_get_int (&net->text, self->param, "pad", 0);
  g_autoptr (GPtrArray) tops = list_names (self, "top");
  char *top;

  if (!find_blobs (self, tops, error))
    return FALSE;
  if (margin < 0 || margin > G_MAXINT16)
    return c2g_caffe_layer_refuse (self, _("A margin of a wrong size"), error);
  top = g_string_chunk_insert_const (net->strings, tops->pdata[0]);
  g_hash_table_insert (net->blobs, top, self->bottoms->pdata[0]);
  g_hash_table_insert (net->margins, top, GINT_TO_POINTER ((int) margin + 1));
  return TRUE;
}

/* Translates Silence: its bottoms are no outputs. A bottom may be the top of a skipped layer. */
static gboolean
silence (C2gCaffeLayer *self)
{
  g_autoptr (GPtrArray) names = list_names (self, "bottom");

  for (guint i = 0; names->pdata[i] != NULL; i++)
    {
      const char *name = g_hash_table_lookup (self->net->blobs, names->pdata[i]);

      if (name != NULL)
        g_hash_table_remove (self->net->unread, name);
    }
  return TRUE;
}

static gboolean
add_data (C2gCaffeLayer  *self,
          GError        **error)
{
  g_autoptr (GPtrArray) tops = list_names (self, "top");

  return c2g_caffe_net_add_inputs (self->net, tops, self->param, "shape", TRUE, error);
}

/* Returns the next unknown field for this type of layer, from FIELD on, or NULL. */
static C2gPrototxtField *
find_unknown (C2gCaffeLayer    *self,
              C2gPrototxtField *field)
{
  const char *known = self->version == C2G_CAFFE_V0 ? V0_FIELDS : self->type->fields;

  while (field != NULL &&
         (g_str_has_suffix (field->name, "filler") || c2g_words_contain (known, field->name)))
    field = field->next;
  return field;
}

/* Logs unknown fields of forks and skips them; they may change what a layer computes. */
static void
tell_unknown (C2gCaffeLayer *self)
{
  C2gPrototxtField *field = self->param != NULL ? self->param->fields : NULL;

  if (self->type->use != C2G_CAFFE_LAYER_COMPUTES)
    return;
  for (; (field = find_unknown (self, field)) != NULL; field = field->next)
    if (self->net->n_left_out++ < C2G_CAFFE_MAX_NAMED)
      g_message ("%s:%u: Layer “%s”: the field “%s” is not known, and left out", self->net->text_name,
                 field->line, self->name, field->name);
}

/* Adds the unknown fields to an error: a missing or wrong value may be there under a mistyped name. */
static void
explain_unknown (C2gCaffeLayer  *self,
                 GError        **error)
{
  C2gPrototxtField *field = self->param != NULL ? self->param->fields : NULL;
  g_autoptr (GString) text = NULL;
  guint n_unknown = 0;

  if (error == NULL || *error == NULL || !((*error)->code == C2G_ERROR_INVALID_ARGUMENT || (*error)->code == C2G_ERROR_SHAPE))
    return;
  text = g_string_new ((*error)->message);
  for (; (field = find_unknown (self, field)) != NULL; field = field->next)
    if (n_unknown++ < C2G_CAFFE_MAX_NAMED)
      g_string_append_printf (text, _("; nothing reads its field “%s” in line %u"), field->name, field->line);
  if (n_unknown > C2G_CAFFE_MAX_NAMED)
    g_string_append_printf (text, _("; nor %u more"), n_unknown - C2G_CAFFE_MAX_NAMED);
  g_free ((*error)->message);
  (*error)->message = g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
translate (C2gCaffeLayer  *self,
           GError        **error)
{
  switch (self->type->use)
    {
    case C2G_CAFFE_LAYER_IS_INPUT:
      return add_data (self, error);
    case C2G_CAFFE_LAYER_SILENCES:
      return silence (self);
    case C2G_CAFFE_LAYER_PADS:
      return pad (self, error);
    case C2G_CAFFE_LAYER_COMPUTES:
      return compute (self, error);
    case C2G_CAFFE_LAYER_ENDS:
    default:
      return TRUE;
    }
}

gboolean
c2g_caffe_layer_translate (C2gCaffeNet       *net,
                           C2gPrototxtField  *field,
                           GError           **error)
{
  g_auto (C2gCaffeLayer) self = { NULL };
  gboolean is_done;

  /* check_types() in c2g-caffe-translate.c has made sure that the type is known. */
  c2g_caffe_layer_read (&self, net, field);
  self.bottoms = g_ptr_array_new ();
  self.tops = g_ptr_array_new ();
  is_done = translate (&self, error);
  if (!c2g_prototxt_check (&net->text, error))
    return FALSE;
  if (!is_done)
    {
      explain_unknown (&self, error);
      return c2g_caffe_layer_explain (&self, error);
    }
  tell_unknown (&self);
  return TRUE;
}
