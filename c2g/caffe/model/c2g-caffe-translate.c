/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layer-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Translates the text of a net: selects its layers, translates each one, and finds the inputs and
 * outputs. */

/* The state that rules of layers are compared with. The phase is always TEST. */
typedef struct
{
  /* Strings that are borrowed; terminated by NULL. */
  GPtrArray *stages;
  gint64     level;
} C2gCaffeState;

enum
{
  TRAIN,
  TEST
};

static const char *const phases[] = { "TRAIN", "TEST", NULL };

static gboolean
has_stage (const C2gCaffeState *state,
           const char          *stage)
{
  return g_strv_contains ((const char *const *) state->stages->pdata, stage);
}

static gboolean
fits_stages (const C2gCaffeState *state,
             GPtrArray           *stages,
             gboolean             is_wanted)
{
  for (guint i = 0; stages->pdata[i] != NULL; i++)
    if (has_stage (state, stages->pdata[i]) != is_wanted)
      return FALSE;

  return TRUE;
}

static gboolean
fits (C2gPrototxt         *text,
      C2gPrototxtField    *rule,
      const C2gCaffeState *state)
{
  g_autoptr (GPtrArray) stages = c2g_prototxt_list_words (text, rule, "stage");
  g_autoptr (GPtrArray) others = c2g_prototxt_list_words (text, rule, "not_stage");

  return c2g_prototxt_get_enum (text, rule, "phase", phases, TEST) == TEST &&
         c2g_prototxt_get_int (text, rule, "min_level", G_MININT64) <= state->level &&
         c2g_prototxt_get_int (text, rule, "max_level", G_MAXINT64) >= state->level &&
         fits_stages (state, stages, TRUE) && fits_stages (state, others, FALSE);
}

static gboolean
fits_any (C2gPrototxt         *text,
          GPtrArray           *rules,
          const C2gCaffeState *state)
{
  for (guint i = 0; i < rules->len; i++)
    if (fits (text, rules->pdata[i], state))
      return TRUE;

  return FALSE;
}

/* Follows Caffe: a layer with include rules is in the net if one of them matches. Any other layer
 * is in it unless an exclude rule matches. */
static gboolean
is_in_net (C2gPrototxt         *text,
           C2gPrototxtField    *layer,
           const C2gCaffeState *state)
{
  g_autoptr (GPtrArray) includes = c2g_prototxt_list_messages (text, layer, "include");
  g_autoptr (GPtrArray) excludes = c2g_prototxt_list_messages (text, layer, "exclude");

  if (includes->len > 0 && excludes->len > 0)
    c2g_prototxt_fail (text, layer, _("a layer has rules either to include or to exclude it"));
  return includes->len > 0 ? fits_any (text, includes, state) : !fits_any (text, excludes, state);
}

/* As in Caffe, adds the stages in the text to those given by the caller, and ignores the level in
 * the text. */
static void
read_state (C2gCaffeState      *self,
            C2gPrototxt        *text,
            const char *const  *stages,
            int                 level)
{
  C2gPrototxtField *message = c2g_prototxt_find_message (text, text->root, "state");

  self->stages = c2g_prototxt_list_words (text, message, "stage");
  self->level = level;
  for (; stages != NULL && *stages != NULL; stages++)
    g_ptr_array_insert (self->stages, 0, (char *) *stages);
}

/* Returns the layers that are in the net, borrowed. */
static GPtrArray *
choose_layers (C2gCaffeNet          *self,
               const C2gCaffeState  *state,
               GError              **error)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();

  for (C2gPrototxtField *field = self->text.root->fields; field != NULL; field = field->next)
    {
      if (!g_str_equal (field->name, "layer") && !g_str_equal (field->name, "layers"))
        continue;
      if (field->word != NULL)
        c2g_prototxt_fail (&self->text, field, _("expected '{'"));
      else if (is_in_net (&self->text, field, state))
        g_ptr_array_add (chosen, field);
    }
  return c2g_prototxt_check (&self->text, error) ? g_steal_pointer (&chosen) : NULL;
}

/* Names all unknown types in one error, which helps when porting a model. */
static gboolean
check_types (C2gCaffeNet  *self,
             GPtrArray    *fields,
             GError      **error)
{
  g_autoptr (GString) unknown = g_string_new (NULL);
  guint n_unknown = 0;

  for (guint i = 0; i < fields->len; i++)
    {
      C2gCaffeLayer layer;

      if (c2g_caffe_layer_read (&layer, self, fields->pdata[i]) || n_unknown++ == C2G_CAFFE_MAX_NAMED)
        continue;
      if (n_unknown < C2G_CAFFE_MAX_NAMED)
        g_string_append_printf (unknown, _("%sline %u “%s” (%s)"), n_unknown > 1 ? _(", ") : "",
                                layer.field->line, layer.name,
                                c2g_prototxt_get_word (&self->text, layer.field, "type", "?"));
    }
  if (n_unknown == 0)
    return c2g_prototxt_check (&self->text, error);

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("%u layers have types that are not known: %s"),
                   n_unknown, unknown->str);
}

/* Lists the inputs in the order of the text, without those that no layer reads. */
static void
set_external_inputs (C2gCaffeNet *self)
{
  g_autoptr (GHashTable) read = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < c2g_net_def_get_n_operators (self->net); i++)
    {
      const char *const *inputs = c2g_operator_def_get_inputs (c2g_net_def_get_operator (self->net, i));

      for (; *inputs != NULL; inputs++)
        g_hash_table_add (read, (char *) *inputs);
    }
  for (guint i = 0; i < self->input_order->len; i++)
    if (g_hash_table_remove (read, self->input_order->pdata[i]))
      {
        c2g_net_def_add_external_input (self->net, self->input_order->pdata[i]);
        self->n_inputs++;
      }
}

/* As in Caffe, outputs are the blobs that no layer reads. */
static void
set_externals (C2gCaffeNet *self)
{
  set_external_inputs (self);
  for (guint i = 0; i < self->parameters->len; i++)
    c2g_net_def_add_external_input (self->net, self->parameters->pdata[i]);
  for (guint i = 0; i < self->order->len; i++)
    if (g_hash_table_remove (self->unread, self->order->pdata[i]))
      c2g_net_def_add_external_output (self->net, self->order->pdata[i]);
}

/* Reserves the names of all blobs in the text, so that parameters and blobs between operators get
 * other names. */
static void
reserve_names (C2gCaffeNet      *self,
               C2gPrototxtField *message,
               const char       *field)
{
  g_autoptr (GPtrArray) names = c2g_prototxt_list_words (&self->text, message, field);

  for (guint i = 0; names->pdata[i] != NULL; i++)
    g_hash_table_add (self->names, names->pdata[i]);
}

static void
tell_more (C2gCaffeNet *self)
{
  if (self->n_left_out > C2G_CAFFE_MAX_NAMED)
    g_message ("%s: %u more fields are not known, and left out", self->text_name,
               self->n_left_out - C2G_CAFFE_MAX_NAMED);
}

gboolean
c2g_caffe_net_translate (C2gCaffeNet        *self,
                         const char *const  *stages,
                         int                 level,
                         GError            **error)
{
  g_autoptr (GPtrArray) inputs = c2g_prototxt_list_words (&self->text, self->text.root, "input");
  g_autoptr (GPtrArray) layers = NULL;
  C2gCaffeState state;

  read_state (&state, &self->text, stages, level);
  layers = choose_layers (self, &state, error);
  g_ptr_array_unref (state.stages);
  if (layers == NULL || !check_types (self, layers, error) ||
      !c2g_caffe_net_add_inputs (self, inputs, self->text.root, "input_shape", FALSE, error) ||
      !c2g_prototxt_check (&self->text, error))
    return FALSE;

  reserve_names (self, self->text.root, "input");
  for (guint i = 0; i < layers->len; i++)
    reserve_names (self, layers->pdata[i], "top");

  for (guint i = 0; i < layers->len; i++)
    if (g_cancellable_set_error_if_cancelled (self->cancellable, error) ||
        !c2g_caffe_layer_translate (self, layers->pdata[i], error))
      return FALSE;
  if (c2g_net_def_get_n_operators (self->net) > 0)
    {
      set_externals (self);
      tell_more (self);
      return TRUE;
    }

  return c2g_fail (error, C2G_ERROR_CORRUPT, _("The text has no layers that compute anything"));
}

void
c2g_caffe_net_init (C2gCaffeNet  *self,
                    C2gModelFile *weights,
                    GCancellable *cancellable)
{
  const char *name = c2g_model_file_get_net_name (weights);

  self->weights = g_object_ref (weights);
  self->cancellable = cancellable;
  self->net = c2g_net_def_new (c2g_prototxt_get_word (&self->text, self->text.root, "name", name != NULL ? name : ""));
  self->workspace = c2g_workspace_new ();
  self->parameters = g_ptr_array_new ();
  self->order = g_ptr_array_new ();
  self->input_order = g_ptr_array_new ();
  self->inputs = g_hash_table_new (g_str_hash, g_str_equal);
  self->blobs = g_hash_table_new (g_str_hash, g_str_equal);
  self->unread = g_hash_table_new (g_str_hash, g_str_equal);
  self->margins = g_hash_table_new (g_str_hash, g_str_equal);
  self->taken = g_hash_table_new (g_str_hash, g_str_equal);
  self->shared = g_hash_table_new (g_str_hash, g_str_equal);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->strings = g_string_chunk_new (4096);
}

void
c2g_caffe_net_clear (C2gCaffeNet *self)
{
  c2g_prototxt_clear (&self->text);
  g_clear_pointer (&self->text_name, g_free);
  g_clear_object (&self->weights);
  g_clear_object (&self->net);
  g_clear_object (&self->workspace);
  g_clear_pointer (&self->parameters, g_ptr_array_unref);
  g_clear_pointer (&self->order, g_ptr_array_unref);
  g_clear_pointer (&self->input_order, g_ptr_array_unref);
  g_clear_pointer (&self->unread, g_hash_table_unref);
  g_clear_pointer (&self->inputs, g_hash_table_unref);
  g_clear_pointer (&self->blobs, g_hash_table_unref);
  g_clear_pointer (&self->margins, g_hash_table_unref);
  g_clear_pointer (&self->taken, g_hash_table_unref);
  g_clear_pointer (&self->shared, g_hash_table_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->strings, g_string_chunk_free);
}
