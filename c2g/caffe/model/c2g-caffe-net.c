/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-net.h>

#include <c2g/caffe/model/c2g-caffe-layers-private.h>
#include <c2g/caffe/model/c2g-caffe-rules-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-tensor-private.h>
#include <c2g/io/c2g-content-kind-private.h>
#include <c2g/io/c2g-name-private.h>
#include <c2g/io/c2g-source-private.h>

#include <string.h>

/* Nets of Caffe as nets of c2g's operators. The text says what the layers are; of the other file only
 * the blobs count, which are found by the names of the layers. */

/* The message of a layer of version 0, inside of one of version 1. */
#define V0_LAYER "layer"

/* An error names no more layers than this. */
#define MAX_NAMED 50

/* The number of bytes that tell a text from other files. */
#define MAX_LOOK 256

/* No layer has more bottoms and tops. */
#define MAX_BLOBS 4096

static gboolean add_margin (C2gCaffeLayer  *layer,
                            GError        **error);

/* A layer of version 0 alone. */
static const C2gCaffeLayerType padding = { "padding", NULL, add_margin };

/* Fields that are for training, or choose among programs of Caffe. */
static const char *const without_effect[] = {
  "engine", "force_nd_im2col", "moving_average_fraction", "num_output", "input_dim", "stable_prod_grad",
  "name", "type", "debug_info", "blobs_lr", "weight_decay", "num_axes", "dropout_ratio", "use_global_stats", "save_output_param", "channel_shared", NULL
};

static void
net_clear (C2gCaffeNet *self)
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
  g_clear_pointer (&self->shared, g_hash_table_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->strings, g_string_chunk_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gCaffeNet, net_clear)

static void
layer_clear (C2gCaffeLayer *self)
{
  g_clear_pointer (&self->bottoms, g_ptr_array_unref);
  g_clear_pointer (&self->tops, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gCaffeLayer, layer_clear)

/* Values are judged when they are asked for; the first fault stops here. */
static gboolean
check_text (C2gCaffeNet  *self,
            GError      **error)
{
  if (self->text.error == NULL)
    return TRUE;
  g_clear_error (error);
  g_propagate_error (error, g_steal_pointer (&self->text.error));
  return FALSE;
}

/* A new blob of the text, under its own name. Returns NULL if a layer made one of that name before. */
static char *
add_blob (C2gCaffeNet  *self,
          const char   *name,
          GError      **error)
{
  char *kept = g_string_chunk_insert_const (self->strings, name);

  if (g_hash_table_insert (self->blobs, kept, kept))
    return kept;
  g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS, _("The top “%s” is made twice"), name);
  return NULL;
}

/* An input of the net, with a shape if one is known. */
static gboolean
add_input (C2gCaffeNet  *self,
           const char   *text_name,
           GArray       *dims,
           GError      **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  char *name = add_blob (self, text_name, error);

  if (name == NULL)
    return FALSE;
  g_hash_table_add (self->inputs, name);
  g_ptr_array_add (self->input_order, name);
  if (dims->len == 0)
    return TRUE;

  tensor = c2g_tensor_new_sized ((const gint64 *) dims->data, dims->len, NULL, error);
  if (tensor == NULL || !c2g_tensor_set_data_type (tensor, C2G_DATA_TYPE_FLOAT, error))
    return FALSE;
  blob = c2g_workspace_create_blob (self->workspace, name, error);
  if (blob != NULL)
    c2g_blob_set_object (blob, G_OBJECT (tensor));
  return blob != NULL;
}

/* The shape of input I: a message for each, or four numbers in old texts. */
static GArray *
get_shape (C2gCaffeNet *self,
           GPtrArray   *shapes,
           GArray      *old_dims,
           guint        i)
{
  GArray *dims;

  if (shapes->len > 0)
    return c2g_prototxt_list_ints (&self->text, shapes->pdata[MIN (i, shapes->len - 1)], "dim");

  dims = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (old_dims->len >= 4 * (i + 1))
    g_array_append_vals (dims, &g_array_index (old_dims, gint64, 4 * i), 4);
  return dims;
}

static gboolean
add_inputs (C2gCaffeNet  *self,
            GError      **error)
{
  g_autoptr (GPtrArray) names = c2g_prototxt_list_words (&self->text, self->text.root, "input");
  g_autoptr (GPtrArray) shapes = c2g_prototxt_list_messages (&self->text, self->text.root, "input_shape");
  g_autoptr (GArray) old_dims = c2g_prototxt_list_ints (&self->text, self->text.root, "input_dim");

  for (guint i = 0; names->pdata[i] != NULL; i++)
    {
      g_autoptr (GArray) dims = get_shape (self, shapes, old_dims, i);

      if (!add_input (self, names->pdata[i], dims, error))
        return FALSE;
    }
  return TRUE;
}

/* The tops of a layer with data, with shapes if it is an Input. */
static gboolean
add_data (C2gCaffeLayer  *layer,
          GError        **error)
{
  g_autoptr (GPtrArray) names = c2g_prototxt_list_words (&layer->net->text, layer->field, "top");
  g_autoptr (GPtrArray) shapes = c2g_prototxt_list_messages (&layer->net->text, layer->param, "shape");
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; names->pdata[i] != NULL; i++)
    {
      g_autoptr (GArray) dims = get_shape (layer->net, shapes, none, i);

      if (!add_input (layer->net, names->pdata[i], dims, error))
        return FALSE;
    }
  return TRUE;
}

/* In version 0 all parameters are in one message, some by other names. */
static C2gPrototxtField *
upgrade (C2gCaffeLayer *layer)
{
  static const char *const names[][2] = { { "biasterm", "bias_term" }, { "kernelsize", "kernel_size" } };
  C2gPrototxtField *old = c2g_prototxt_find_message (&layer->net->text, layer->field, V0_LAYER);

  for (C2gPrototxtField *field = old != NULL ? old->fields : NULL; field != NULL; field = field->next)
    for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
      if (g_str_equal (field->name, names[k][0]))
        field->name = names[k][1];
  return old;
}

/* Blobs that layers before this one made; a circle has some that none made. */
static gboolean
find_bottoms (C2gCaffeLayer  *layer,
              GError        **error)
{
  g_autoptr (GPtrArray) names = c2g_prototxt_list_words (&layer->net->text, layer->field, "bottom");

  for (guint i = 0; names->pdata[i] != NULL; i++)
    {
      const char *name = g_hash_table_lookup (layer->net->blobs, names->pdata[i]);
      const gpointer margin = g_hash_table_lookup (layer->net->margins, names->pdata[i]);

      if (name == NULL)
        {
          g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("No layer before it makes the bottom “%s”"),
                       (const char *) names->pdata[i]);
          return FALSE;
        }
      layer->margin = GPOINTER_TO_INT (margin);
      g_hash_table_remove (layer->net->unread, name);
      g_ptr_array_add (layer->bottoms, (char *) name);
    }
  return layer->bottoms->len <= MAX_BLOBS || c2g_caffe_layer_refuse (layer, _("It has too many bottoms"), error);
}

/* A top that is called as the bottom of the same place is written in place, as in Caffe. */
static gboolean
find_tops (C2gCaffeLayer  *layer,
           GPtrArray      *names,
           GError        **error)
{
  g_autoptr (GPtrArray) bottoms = c2g_prototxt_list_words (&layer->net->text, layer->field, "bottom");

  if (names->len > MAX_BLOBS)
    return c2g_caffe_layer_refuse (layer, _("It has too many tops"), error);
  for (guint i = 0; names->pdata[i] != NULL; i++)
    {
      const gboolean is_in_place = i + 1 < bottoms->len && g_str_equal (bottoms->pdata[i], names->pdata[i]);
      char *name = is_in_place ? layer->bottoms->pdata[i] : add_blob (layer->net, names->pdata[i], error);

      if (name == NULL)
        return FALSE;
      g_ptr_array_add (layer->tops, name);
    }
  return TRUE;
}

/* A top is an output until a layer reads it. */
static void
put_tops (C2gCaffeLayer *layer,
          GPtrArray     *names)
{
  C2gCaffeNet *net = layer->net;

  for (guint i = 0; i < layer->tops->len; i++)
    {
      char *top = layer->tops->pdata[i];

      g_hash_table_insert (net->blobs, g_string_chunk_insert_const (net->strings, names->pdata[i]), top);
      g_hash_table_add (net->unread, top);
      g_ptr_array_add (net->order, top);
    }
}

static gboolean
compute (C2gCaffeLayer  *layer,
         GError        **error)
{
  g_autoptr (GPtrArray) tops = c2g_prototxt_list_words (&layer->net->text, layer->field, "top");
  const gboolean is_parameter = layer->type->translate == c2g_caffe_translate_parameter;

  if (!find_bottoms (layer, error))
    return FALSE;
  if (tops->len == 1 || (layer->bottoms->len == 0 && !is_parameter))
    return c2g_caffe_layer_refuse (layer, _("Bottoms or tops are missing"), error);
  if (layer->type == &padding)
    return add_margin (layer, error);
  if (!find_tops (layer, tops, error) || !layer->type->translate (layer, error))
    return FALSE;

  put_tops (layer, tops);
  return TRUE;
}

/* The margin goes to the convolution behind it. */
static gboolean
add_margin (C2gCaffeLayer  *layer,
            GError        **error)
{
  C2gCaffeNet *net = layer->net;
  const char *top = c2g_prototxt_get_word (&net->text, layer->field, "top", "");
  const gint64 margin = c2g_prototxt_get_int (&net->text, layer->param, "pad", 0);

  if (layer->bottoms->len != 1 || margin < 0 || margin > G_MAXINT16)
    return c2g_caffe_layer_refuse (layer, _("A margin without an image, or of a wrong size"), error);
  top = g_string_chunk_insert_const (net->strings, top);
  g_hash_table_insert (net->blobs, (char *) top, layer->bottoms->pdata[0]);
  g_hash_table_insert (net->margins, (char *) top, GINT_TO_POINTER ((int) margin));
  return TRUE;
}

/* What Silence reads is no output. It may name the top of a layer that is left out. */
static gboolean
silence (C2gCaffeLayer *layer)
{
  g_autoptr (GPtrArray) names = c2g_prototxt_list_words (&layer->net->text, layer->field, "bottom");

  for (guint i = 0; names->pdata[i] != NULL; i++)
    {
      const char *name = g_hash_table_lookup (layer->net->blobs, names->pdata[i]);

      if (name != NULL)
        g_hash_table_remove (layer->net->unread, name);
    }
  return TRUE;
}

/* Fills in what the text says of the layer itself. Returns FALSE for a type that is not known. */
static gboolean
read_layer (C2gCaffeNet       *self,
            C2gPrototxtField  *field,
            C2gCaffeLayer     *layer)
{
  C2gPrototxtField *old;
  C2gPrototxtField *head;
  const char *type;
  C2gCaffeVersion version;

  *layer = (C2gCaffeLayer) { .net = self, .field = field };
  old = upgrade (layer);
  head = old != NULL ? old : field;
  type = c2g_prototxt_get_word (&self->text, head, "type", "");
  layer->name = c2g_prototxt_get_word (&self->text, head, "name", "");
  version = g_str_equal (field->name, "layers") ? C2G_CAFFE_V1 : C2G_CAFFE_V2;
  if (old != NULL)
    version = C2G_CAFFE_V0;
  layer->type = old != NULL && g_str_equal (type, padding.name) ? &padding : c2g_caffe_layer_type_find (type, version);
  if (layer->type != NULL)
    layer->param = old != NULL || layer->type->param == NULL
                     ? old
                     : c2g_prototxt_find_message (&self->text, field, layer->type->param);
  return layer->type != NULL;
}

/* The first field, from this one on, that nobody asked for; NULL if there is none. */
static C2gPrototxtField *
find_unknown (C2gPrototxtField *field)
{
  while (field != NULL && (field->is_known || g_str_has_suffix (field->name, "filler") ||
                           g_strv_contains (without_effect, field->name)))
    field = field->next;
  return field;
}

/* Forks have fields that change what a layer does: they are told, and left out. */
static void
tell_unknown (C2gCaffeLayer *layer)
{
  C2gPrototxtField *field = layer->param != NULL ? layer->param->fields : NULL;

  if (layer->type->use != C2G_CAFFE_LAYER_COMPUTES)
    return;
  while ((field = find_unknown (field)) != NULL)
    {
      g_message ("%s:%u: Layer “%s”: the field “%s” is not known, and left out", layer->net->text_name,
                 c2g_prototxt_get_line (&layer->net->text, field), layer->name, field->name);
      field = field->next;
    }
}

/* A value that is missing or wrong may have been written under a wrong name. */
static void
explain_unknown (C2gCaffeLayer  *layer,
                 GError        **error)
{
  C2gPrototxtField *field = layer->param != NULL ? layer->param->fields : NULL;
  g_autoptr (GString) text = NULL;

  if (error == NULL || *error == NULL || !((*error)->code == C2G_ERROR_INVALID_ARGUMENT || (*error)->code == C2G_ERROR_SHAPE))
    return;
  text = g_string_new ((*error)->message);
  while ((field = find_unknown (field)) != NULL)
    {
      g_string_append_printf (text, _("; nothing reads its field “%s” in line %u"), field->name,
                              c2g_prototxt_get_line (&layer->net->text, field));
      field = field->next;
    }
  g_free ((*error)->message);
  (*error)->message = g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
translate_layer (C2gCaffeNet       *self,
                 C2gPrototxtField  *field,
                 GError           **error)
{
  g_auto (C2gCaffeLayer) layer = { NULL };
  gboolean is_done = TRUE;

  read_layer (self, field, &layer);
  layer.bottoms = g_ptr_array_new ();
  layer.tops = g_ptr_array_new ();
  if (layer.type->use == C2G_CAFFE_LAYER_IS_INPUT)
    is_done = add_data (&layer, error);
  else if (layer.type->use == C2G_CAFFE_LAYER_SILENCES)
    is_done = silence (&layer);
  else if (layer.type->use == C2G_CAFFE_LAYER_COMPUTES)
    is_done = compute (&layer, error);

  if (self->text.error != NULL)
    return check_text (self, error);
  if (!is_done)
    {
      explain_unknown (&layer, error);
      return c2g_caffe_layer_explain (&layer, error);
    }
  tell_unknown (&layer);
  return TRUE;
}

/* The layers that are in the net, borrowed. */
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
      else if (c2g_caffe_rules_allow (&self->text, field, state))
        g_ptr_array_add (chosen, field);
    }
  return check_text (self, error) ? g_steal_pointer (&chosen) : NULL;
}

/* The error names all unknown types at once, for those who port a model. */
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

      if (read_layer (self, fields->pdata[i], &layer) || n_unknown++ == MAX_NAMED)
        continue;
      if (n_unknown < MAX_NAMED)
        g_string_append_printf (unknown, _("%sline %u “%s” (%s)"), n_unknown > 1 ? _(", ") : "",
                                c2g_prototxt_get_line (&self->text, layer.field), layer.name,
                                c2g_prototxt_get_word (&self->text, layer.field, "type", "?"));
    }
  if (n_unknown == 0)
    return check_text (self, error);

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, _("%u layers have types that are not known: %s"),
               n_unknown, unknown->str);
  return FALSE;
}

/* Inputs that no layer reads are left out; the others come in the order of the text. */
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
      c2g_net_def_add_external_input (self->net, self->input_order->pdata[i]);
}

/* As in Caffe, outputs are what no layer reads. */
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

/* Parameters, and blobs between operators, get other names than the blobs of the text. */
static void
reserve_names (C2gCaffeNet      *self,
               C2gPrototxtField *message,
               const char       *field)
{
  g_autoptr (GPtrArray) names = c2g_prototxt_list_words (&self->text, message, field);

  for (guint i = 0; names->pdata[i] != NULL; i++)
    g_hash_table_add (self->names, names->pdata[i]);
}

static gboolean
translate (C2gCaffeNet        *self,
           const char *const  *stages,
           int                 level,
           GError            **error)
{
  g_autoptr (GPtrArray) layers = NULL;
  C2gCaffeState state;

  c2g_caffe_state_read (&state, &self->text, stages, level);
  layers = choose_layers (self, &state, error);
  g_ptr_array_unref (state.stages);
  if (layers == NULL || !check_types (self, layers, error) || !add_inputs (self, error) ||
      !check_text (self, error))
    return FALSE;

  reserve_names (self, self->text.root, "input");
  for (guint i = 0; i < layers->len; i++)
    reserve_names (self, layers->pdata[i], "top");

  for (guint i = 0; i < layers->len; i++)
    if (g_cancellable_set_error_if_cancelled (self->cancellable, error) ||
        !translate_layer (self, layers->pdata[i], error))
      return FALSE;
  if (c2g_net_def_get_n_operators (self->net) > 0)
  {
    set_externals (self);
    return TRUE;
  }

  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("The text has no layers that compute anything"));
  return FALSE;
}

static void
init (C2gCaffeNet  *self,
      C2gModelFile *weights,
      GCancellable *cancellable)
{
  self->weights = g_object_ref (weights);
  self->cancellable = cancellable;
  self->net = c2g_net_def_new (c2g_prototxt_get_word (&self->text, self->text.root, "name", ""));
  self->workspace = c2g_workspace_new ();
  self->parameters = g_ptr_array_new ();
  self->order = g_ptr_array_new ();
  self->input_order = g_ptr_array_new ();
  self->inputs = g_hash_table_new (g_str_hash, g_str_equal);
  self->blobs = g_hash_table_new (g_str_hash, g_str_equal);
  self->unread = g_hash_table_new (g_str_hash, g_str_equal);
  self->margins = g_hash_table_new (g_str_hash, g_str_equal);
  self->shared = g_hash_table_new (g_str_hash, g_str_equal);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->strings = g_string_chunk_new (4096);
}

/* The parameters, and inputs with the shapes that the text gives, become blobs of the workspace. */
static gboolean
give_blobs (C2gCaffeNet   *self,
            C2gWorkspace  *workspace,
            GError       **error)
{
  const char *const *names = c2g_net_def_get_external_inputs (self->net);

  for (; *names != NULL; names++)
    {
      g_autoptr (C2gBlob) source = c2g_workspace_get_blob (self->workspace, *names, NULL);
      g_autoptr (C2gBlob) target = NULL;

      if (source == NULL || !c2g_blob_is_tensor (source, NULL))
        continue;
      target = c2g_workspace_create_local_blob (workspace, *names, error);
      if (target == NULL)
        return FALSE;
      c2g_blob_set_object (target, G_OBJECT (c2g_blob_get_tensor (source, NULL)));
    }
  return TRUE;
}

static GBytes *
read_text (GFile         *file,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_file (file, cancellable, error);
  const C2gJob job = { .cancellable = cancellable };

  return source != NULL ? c2g_source_ref_bytes (source, 0, c2g_source_get_n_bytes (source), &job, error) : NULL;
}

static gboolean
has_control_character (C2gSource *source)
{
  char data[MAX_LOOK];
  const gsize n_bytes = MIN (c2g_source_get_n_bytes (source), sizeof data);

  if (!c2g_source_read (source, 0, data, n_bytes, NULL, NULL))
    return FALSE;
  for (gsize i = 0; i < n_bytes; i++)
    if (g_ascii_iscntrl (data[i]) && !g_ascii_isspace (data[i]))
      return TRUE;

  return FALSE;
}

/* A file with blobs, of whatever kind. A text may look like one by its first letters. */
static gboolean
has_blobs (GFile        *file,
           GCancellable *cancellable)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_file (file, cancellable, NULL);
  C2gContentKind kind;

  return source != NULL && c2g_content_kind_guess (source, &kind, NULL) && kind != C2G_CONTENT_UNKNOWN &&
         kind != C2G_CONTENT_NET_TEXT && kind != C2G_CONTENT_FOREIGN && has_control_character (source);
}

/* Which file is which can be told. */
static gboolean
put_in_order (GFile         **text,
              GFile         **weights,
              GCancellable   *cancellable,
              GError        **error)
{
  g_autofree char *name = NULL;

  if (!has_blobs (*text, cancellable))
    return TRUE;
  if (g_file_query_file_type (*weights, 0, cancellable) == G_FILE_TYPE_REGULAR && !has_blobs (*weights, cancellable))
    {
      GFile *file = *text;

      *text = *weights;
      *weights = file;
      return TRUE;
    }

  name = g_file_get_parse_name (*text);
  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("%s is no text of a net; a model of Caffe is one file with blobs and its text, as in net.caffemodel,%s"),
               name, "deploy.prototxt");
  return FALSE;
}

/**
 * c2g_caffe_net_load:
 * @prototxt: the text of a net of Caffe
 * @weights: a `.caffemodel`, or another file with blobs that are called after layers
 * @workspace: where to put the parameters, and inputs that have a shape but no data
 * @stages: (nullable) (array zero-terminated=1): the stages that rules of layers ask about
 * @level: the level that they ask about, 0 as a rule
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Makes a net of c2g's operators from one of Caffe.
 *
 * The layers are those of the phase `TEST`. Layers for training alone are left out, and what layers with
 * data would give are inputs of the net. Layers of all versions of Caffe are read, in one text too. See
 * [the list of layers](caffe-layers.html). If the files are swapped, they are taken as they should be.
 *
 * Fails with `C2G_ERROR_NOT_SUPPORTED` for layers of types that are not known, which are named all at
 * once; `C2G_ERROR_CORRUPT` if the text is wrong; `C2G_ERROR_NOT_FOUND` if a blob is missing;
 * `C2G_ERROR_SHAPE` if it has a shape that the layer cannot have; and with errors of
 * [ctor@ModelFile.open]. Messages name the file, the line and the layer. The workspace does not change then.
 *
 * Returns: (transfer full): the net, whose external inputs are first those that are to be given, then the
 *   parameters
 */
C2gNetDef *
c2g_caffe_net_load (GFile              *prototxt,
                    GFile              *weights,
                    C2gWorkspace       *workspace,
                    const char *const  *stages,
                    int                 level,
                    GCancellable       *cancellable,
                    GError            **error)
{
  g_auto (C2gCaffeNet) net = { 0 };
  g_autoptr (C2gModelFile) file = NULL;
  g_autoptr (GBytes) text = NULL;
  gconstpointer data;
  gsize n_bytes;

  g_return_val_if_fail (G_IS_FILE (prototxt), NULL);
  g_return_val_if_fail (G_IS_FILE (weights), NULL);
  g_return_val_if_fail (C2G_IS_WORKSPACE (workspace), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!put_in_order (&prototxt, &weights, cancellable, error))
    return NULL;
  file = c2g_model_file_open (weights, NULL, cancellable, error);
  text = file != NULL ? read_text (prototxt, cancellable, error) : NULL;
  if (text == NULL)
    return NULL;

  net.text_name = g_file_get_parse_name (prototxt);
  data = g_bytes_get_data (text, &n_bytes);
  if (c2g_prototxt_parse (&net.text, data, n_bytes, cancellable, error))
    {
      init (&net, file, cancellable);
      if (translate (&net, stages, level, error) && give_blobs (&net, workspace, error))
        return g_steal_pointer (&net.net);
    }
  c2g_name_prefix_error (net.text_name, error);
  return NULL;
}
