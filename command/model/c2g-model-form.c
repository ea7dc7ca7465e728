/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-model-form.h"
#include "c2g-model-info.h"
#include "output/c2g-text-utils.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>

#include <string.h>

/* Finds out which pictures a model expects: from options, model.ini and files of other programs. */

/* Caffe2's file for its inputs: {"data": [1, [1, 3, 227, 227]]}, a data type and dimensions. */
#define VALUE_INFO_NAME "value_info.json"
#define MAX_DEPTH       16

#define N_DIMS 4

struct _C2gModelForm
{
  /* Borrowed reference. */
  C2gModel            *model;
  /* Options, merged with their preset and with model.ini. */
  C2gPictureArguments  known;
  /* Shape by input name, from value_info.json and .modelinfo. */
  GHashTable          *shapes;
  /* The .modelinfo; NULL if there is none. */
  GKeyFile            *info;

  /* The last form: `known` with shapes and guesses added. */
  C2gPictureArguments  last;
  GPtrArray           *guesses;
};

typedef struct
{
  gint64   *dims;
  gsize     n_dims;
  gboolean  is_bytes;
} Shape;

static void
shape_free (gpointer data)
{
  Shape *self = data;

  g_free (self->dims);
  g_free (self);
}

static gboolean
load_form (C2gModelForm  *self,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (GFile) file = c2g_model_find_file (self->model, C2G_PICTURE_FORM_NAME);
  g_auto (C2gPictureArguments) arguments = { NULL };
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;

  if (file == NULL)
    return TRUE;
  text = c2g_text_load (file, cancellable, error);
  if (text == NULL)
    return FALSE;
  if (c2g_picture_arguments_parse (&arguments, text, error))
    {
      c2g_picture_arguments_add (&self->known, &arguments);
      return TRUE;
    }
  name = g_file_get_parse_name (file);
  g_prefix_error (error, "%s: ", name);
  return FALSE;
}

static Shape *
parse_shape (JsonNode *node)
{
  JsonArray *pair = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  JsonNode *type = pair != NULL && json_array_get_length (pair) == 2
                       ? json_array_get_element (pair, 0)
                       : NULL;
  JsonNode *list = type != NULL ? json_array_get_element (pair, 1) : NULL;
  JsonArray *dims;
  Shape *shape;
  gint64 number;

  if (list == NULL || !JSON_NODE_HOLDS_VALUE (type) || !JSON_NODE_HOLDS_ARRAY (list))
    return NULL;
  dims = json_node_get_array (list);
  number = json_node_get_int (type);
  shape = g_new0 (Shape, 1);
  shape->n_dims = json_array_get_length (dims);
  shape->dims = g_new0 (gint64, shape->n_dims + 1);
  shape->is_bytes = number == C2G_DATA_TYPE_UINT8 || number == C2G_DATA_TYPE_BYTE;
  for (gsize i = 0; i < shape->n_dims; i++)
    {
      JsonNode *dim = json_array_get_element (dims, i);

      shape->dims[i] = JSON_NODE_HOLDS_VALUE (dim) ? json_node_get_int (dim) : 0;
    }
  return shape;
}

/* Limits the nesting, because the parser is recursive and a file from elsewhere may have millions
 * of brackets. */
static gboolean
is_shallow (const char *text)
{
  gsize depth = 0;
  gsize deepest = 0;

  for (; *text != '\0'; text++)
    {
      if (*text == '[' || *text == '{')
        deepest = MAX (deepest, ++depth);
      else if ((*text == ']' || *text == '}') && depth > 0)
        depth--;
    }
  return deepest <= MAX_DEPTH;
}

/* Reads shapes. Content that is not understood is ignored, because the file is written by other
 * programs. */
static gboolean
load_shapes (C2gModelForm  *self,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (GFile) file = c2g_model_find_file (self->model, VALUE_INFO_NAME);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *text = NULL;
  JsonObjectIter iter;
  const char *input;
  JsonNode *root;
  JsonNode *node;

  if (file == NULL)
    return TRUE;
  text = c2g_text_load (file, cancellable, error);
  if (text == NULL)
    return FALSE;
  if (!is_shallow (text) || !json_parser_load_from_data (parser, text, -1, NULL))
    return TRUE;
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return TRUE;

  json_object_iter_init (&iter, json_node_get_object (root));
  while (json_object_iter_next (&iter, &input, &node))
    {
      Shape *shape = parse_shape (node);

      if (shape != NULL)
        g_hash_table_replace (self->shapes, g_strdup (input), shape);
    }
  return TRUE;
}

/* Shapes in a .modelinfo file take precedence over those in value_info.json. */
static gboolean
load_info (C2gModelForm  *self,
           GCancellable  *cancellable,
           GError       **error)
{
  g_auto (GStrv) inputs = NULL;
  GError *local_error = NULL;

  self->info = c2g_model_info_load (self->model, cancellable, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (self->info == NULL)
    return TRUE;

  inputs = g_key_file_get_groups (self->info, NULL);
  for (char **input = inputs; *input != NULL; input++)
    {
      Shape shape = { NULL };

      shape.dims = c2g_model_info_dup_dims (self->info, *input, &shape.n_dims, &shape.is_bytes);
      if (shape.dims != NULL)
        g_hash_table_replace (self->shapes, g_strdup (*input), g_memdup2 (&shape, sizeof shape));
    }
  return TRUE;
}

C2gModelForm *
c2g_model_form_new (C2gModel                   *model,
                    const C2gPictureArguments  *options,
                    GCancellable               *cancellable,
                    GError                    **error)
{
  g_autoptr (C2gModelForm) self = g_new0 (C2gModelForm, 1);

  self->model = model;
  self->shapes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, shape_free);
  self->guesses = g_ptr_array_new ();
  c2g_picture_arguments_add (&self->known, options);
  /* A preset sets everything that options do not, so model.ini is not read. */
  if (c2g_picture_arguments_read_mean (&self->known, error) &&
      (self->known.preset != NULL || load_form (self, cancellable, error)) &&
      c2g_picture_arguments_add_preset (&self->known, error) &&
      load_shapes (self, cancellable, error) && load_info (self, cancellable, error))
    return g_steal_pointer (&self);
  return NULL;
}

void
c2g_model_form_free (C2gModelForm *self)
{
  c2g_picture_arguments_clear (&self->known);
  c2g_picture_arguments_clear (&self->last);
  g_hash_table_unref (self->shapes);
  g_clear_pointer (&self->info, g_key_file_unref);
  g_ptr_array_unref (self->guesses);
  g_free (self);
}

const gint64 *
c2g_model_form_get_dims (C2gModelForm *self,
                         const char   *input,
                         gsize        *n_dims)
{
  Shape *shape = g_hash_table_lookup (self->shapes, input);

  *n_dims = shape != NULL ? shape->n_dims : 0;
  return shape != NULL ? shape->dims : NULL;
}

/* Finds the dimensions of a picture: those in value_info.json, or else those of the tensor from the
 * init net. */
static gboolean
find_dims (C2gModelForm *self,
           C2gPredictor *predictor,
           const char   *input,
           gint64       *dims,
           gboolean     *is_bytes)
{
  Shape *shape = g_hash_table_lookup (self->shapes, input);
  g_autoptr (C2gBlob) blob = NULL;
  C2gTensor *tensor;
  const gint64 *own;
  gsize n_dims;

  if (shape != NULL)
    {
      if (shape->n_dims == N_DIMS)
        memcpy (dims, shape->dims, N_DIMS * sizeof *dims);
      *is_bytes = shape->is_bytes;
      return shape->n_dims == N_DIMS;
    }
  blob = c2g_workspace_get_blob (c2g_predictor_get_workspace (predictor), input, NULL);
  tensor = blob != NULL && c2g_blob_is_tensor (blob, NULL) ? c2g_blob_get_tensor (blob, NULL) : NULL;
  if (tensor == NULL)
    return FALSE;
  own = c2g_tensor_get_dims (tensor, &n_dims);
  if (n_dims == N_DIMS)
    memcpy (dims, own, N_DIMS * sizeof *dims);
  *is_bytes = c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_UINT8;
  return n_dims == N_DIMS;
}

static gboolean
is_channels (gint64 n)
{
  return n == 1 || n == 3 || n == 4;
}

static gboolean
is_length (gint64 n)
{
  return n > 0 && n <= G_MAXINT16;
}

/* NAME and VALUE must be constant strings. */
static void
add_guess (C2gModelForm *self,
           const char   *name,
           const char   *value)
{
  g_ptr_array_add (self->guesses, (gpointer) name);
  g_ptr_array_add (self->guesses, (gpointer) value);
}

/* Adds what follows from the dimensions; they do not show if channels are RGB or BGR. */
static void
add_dims (C2gModelForm *self,
          const gint64 *dims,
          gboolean      is_bytes)
{
  g_auto (C2gPictureArguments) shape = { NULL };
  const char *order = self->last.order;
  gboolean is_nhwc = order != NULL ? g_ascii_strcasecmp (order, "NHWC") == 0 : !is_channels (dims[1]);
  gint64 n_channels = dims[is_nhwc ? 3 : 1];
  gint64 height = dims[is_nhwc ? 1 : 2];
  gint64 width = dims[is_nhwc ? 2 : 3];

  if (!is_channels (n_channels))
    return;
  shape.order = g_strdup (is_nhwc ? "NHWC" : "NCHW");
  shape.is_bytes = is_bytes;
  if (is_length (width) && is_length (height))
    shape.size = g_strdup_printf ("%dx%d", (int) width, (int) height);
  if (n_channels == 1)
    shape.channels = g_strdup ("GRAY");
  else if (n_channels == 4 && self->last.channels == NULL)
    {
      shape.channels = g_strdup ("RGBA");
      add_guess (self, "channels", "RGBA");
    }
  c2g_picture_arguments_add (&self->last, &shape);
}

static void
guess (C2gModelForm *self)
{
  C2gPictureArguments *last = &self->last;

  if (last->size == NULL)
    add_guess (self, "size", _("(that of the picture)"));
  if (last->channels == NULL)
    add_guess (self, "channels", "RGB");
  if (last->mean == NULL && last->scale == NULL && !last->is_bytes)
    {
      add_guess (self, "mean", "0");
      add_guess (self, "scale", "1");
    }
}

gboolean
c2g_model_form_find (C2gModelForm    *self,
                     C2gPredictor    *predictor,
                     const char      *input,
                     C2gPictureForm  *form,
                     GError         **error)
{
  gint64 dims[N_DIMS];
  gboolean is_bytes;

  c2g_picture_arguments_clear (&self->last);
  self->last = (C2gPictureArguments) { NULL };
  g_ptr_array_set_size (self->guesses, 0);
  c2g_picture_arguments_add (&self->last, &self->known);
  /* A preset may leave the size open on purpose, so nothing is guessed then. */
  if (self->known.preset == NULL)
    {
      if (find_dims (self, predictor, input, dims, &is_bytes))
        add_dims (self, dims, is_bytes);
      if (self->info != NULL && !c2g_model_info_fill (self->info, input, &self->last, error))
        return FALSE;
      guess (self);
    }
  return c2g_picture_form_parse (form, &self->last, error);
}

gboolean
c2g_model_form_is_guessed (C2gModelForm *self,
                           const char   *option)
{
  for (guint i = 0; i < self->guesses->len; i += 2)
    if (g_str_equal (self->guesses->pdata[i], option))
      return TRUE;
  return FALSE;
}

/* Joins the guesses to one text. The arguments are the words before the name and between name and
 * value of each. */
static char *
join_guesses (C2gModelForm *self,
              const char   *before,
              const char   *between)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->guesses->len; i += 2)
    g_string_append_printf (text, " %s%s%s%s", before, (char *) self->guesses->pdata[i], between,
                            (char *) self->guesses->pdata[i + 1]);
  return g_string_free (text, FALSE);
}

char *
c2g_model_form_describe_guess (C2gModelForm *self,
                               gboolean      is_command)
{
  g_autofree char *guesses = join_guesses (self, is_command ? "--" : "", is_command ? " " : "=");

  if (*guesses == '\0')
    return NULL;
  if (is_command)
    return g_strdup_printf (_("The model does not say how it wants pictures, and may answer nonsense; "
                              "guessed:%s. Options say it, or a --preset; --save-form keeps it"),
                            guesses);
  return g_strdup_printf (_("The model does not say how it wants pictures, and may answer nonsense; "
                            "guessed:%s. Properties say it, or a preset"),
                          guesses);
}

gboolean
c2g_model_form_save (C2gModelForm  *self,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (GFile) file = c2g_model_get_file (self->model, C2G_PICTURE_FORM_NAME);
  g_autofree char *text = c2g_picture_arguments_to_text (&self->last);
  g_autofree char *name = NULL;

  if (g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                               cancellable, error))
    return TRUE;
  name = g_file_get_parse_name (file);
  g_prefix_error (error, "%s: ", name);
  return FALSE;
}
