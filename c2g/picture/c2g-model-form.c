/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-model-form-private.h"
#include "c2g-model-info-private.h"
#include "c2g-value-info-private.h"

#ifndef C2G_COMPILATION
# include <glib/gi18n-lib.h>
#endif
#include <string.h>

/* Finds out which pictures a model expects: from options, model.ini and files of other programs. */

/* Caffe2's file for its inputs. */
#define VALUE_INFO_NAME "value_info.json"

#define N_DIMS 4

struct _C2gModelForm
{
  GFile               *net;
  /* Options with their preset; options, merged with model.ini; and with its preset, too. */
  C2gPictureArguments  asked;
  C2gPictureArguments  given;
  C2gPictureArguments  known;
  /* The arguments in model.ini. With a preset they only serve to find a conflict. */
  C2gPictureArguments  written;
  /* Shape by input name, from value_info.json and .modelinfo. */
  GHashTable          *shapes;
  /* The .modelinfo and its name; NULL if there is none. */
  GKeyFile            *info;
  char                *info_name;
  /* TRUE if a file says how the model wants pictures. */
  gboolean             is_said;
  /* NULL if no file says another size for the last form than the options. */
  char                *conflict;

  /* The last form: `known` with shapes and guesses added. */
  C2gPictureArguments  last;
  GPtrArray           *guesses;
};

/* The other keys tell how a picture is fitted into the size, which says nothing of the numbers that the model wants. */
static gboolean
tells_pixels (const C2gPictureArguments *arguments)
{
  return arguments->preset != NULL || arguments->size != NULL || arguments->mean != NULL || arguments->scale != NULL ||
         arguments->channels != NULL || arguments->is_bytes;
}

static gboolean
load_form (C2gModelForm  *self,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (GFile) file = c2g_model_text_find (self->net, C2G_PICTURE_FORM_NAME);
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;

  if (file == NULL)
    return TRUE;
  text = c2g_model_text_load (file, cancellable, error);
  if (text == NULL)
    return FALSE;
  if (c2g_picture_arguments_parse (&self->written, text, error))
    return TRUE;
  name = g_file_get_parse_name (file);
  g_prefix_error (error, "%s: ", name);
  return FALSE;
}

static gboolean
load_shapes (C2gModelForm  *self,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (GFile) file = c2g_model_text_find (self->net, VALUE_INFO_NAME);
  g_autofree char *text = NULL;

  if (file == NULL)
    return TRUE;
  text = c2g_model_text_load (file, cancellable, error);
  if (text == NULL)
    return FALSE;
  g_hash_table_unref (self->shapes);
  self->shapes = c2g_value_info_parse (text);
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

  self->info = c2g_model_info_load (self->net, &self->info_name, cancellable, &local_error);
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
      C2gInputShape shape = { NULL };

      shape.is_info = TRUE;
      shape.dims = c2g_model_info_dup_dims (self->info, *input, &shape.n_dims, &shape.is_bytes);
      if (shape.dims != NULL)
        g_hash_table_replace (self->shapes, g_strdup (*input), g_memdup2 (&shape, sizeof shape));
    }
  return TRUE;
}

C2gModelForm *
c2g_model_form_new (GFile                      *net,
                    const C2gPictureArguments  *options,
                    GCancellable               *cancellable,
                    GError                    **error)
{
  g_autoptr (C2gModelForm) self = g_new0 (C2gModelForm, 1);

  self->net = g_object_ref (net);
  self->shapes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, c2g_input_shape_free);
  self->guesses = g_ptr_array_new ();
  c2g_picture_arguments_add (&self->asked, options);
  if (!c2g_picture_arguments_add_preset (&self->asked, error))
    return NULL;
  c2g_picture_arguments_add (&self->known, options);
  /* A preset sets everything that options do not, so a mistake in model.ini is none then. */
  if (!load_form (self, cancellable, options->preset == NULL ? error : NULL) && options->preset == NULL)
    return NULL;
  if (options->preset == NULL)
    {
      c2g_picture_arguments_add (&self->known, &self->written);
      self->is_said = tells_pixels (&self->written);
    }
  c2g_picture_arguments_add (&self->given, &self->known);
  if (c2g_picture_arguments_add_preset (&self->known, error) &&
      load_shapes (self, cancellable, error) && load_info (self, cancellable, error))
    return g_steal_pointer (&self);
  return NULL;
}

void
c2g_model_form_free (C2gModelForm *self)
{
  g_object_unref (self->net);
  c2g_picture_arguments_clear (&self->asked);
  c2g_picture_arguments_clear (&self->written);
  c2g_picture_arguments_clear (&self->given);
  c2g_picture_arguments_clear (&self->known);
  c2g_picture_arguments_clear (&self->last);
  g_hash_table_unref (self->shapes);
  g_clear_pointer (&self->info, g_key_file_unref);
  g_free (self->info_name);
  g_ptr_array_unref (self->guesses);
  g_free (self->conflict);
  g_free (self);
}

const gint64 *
c2g_model_form_get_dims (C2gModelForm *self,
                         const char   *input,
                         gsize        *n_dims)
{
  C2gInputShape *shape = g_hash_table_lookup (self->shapes, input);

  *n_dims = shape != NULL ? shape->n_dims : 0;
  return shape != NULL ? shape->dims : NULL;
}

/* Finds the dimensions of a picture: those in the files, or else those of the tensor from the init
 * net, which may be NULL. */
static gboolean
find_dims (C2gModelForm *self,
           const char   *input,
           C2gTensor    *tensor,
           gint64       *dims,
           gboolean     *is_bytes)
{
  C2gInputShape *shape = g_hash_table_lookup (self->shapes, input);
  const gint64 *found = NULL;
  gsize n_dims = 0;

  if (shape != NULL)
    {
      found = shape->dims;
      n_dims = shape->n_dims;
      *is_bytes = shape->is_bytes;
    }
  else if (tensor != NULL)
    {
      found = c2g_tensor_get_dims (tensor, &n_dims);
      *is_bytes = c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_UINT8;
    }
  if (n_dims == N_DIMS)
    memcpy (dims, found, N_DIMS * sizeof *dims);
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

/* Reads order and size from the dimensions. Returns the number of channels, or 0 if these are not those of a picture. */
static gint64
read_dims (const char          *order,
           const gint64        *dims,
           C2gPictureArguments *shape)
{
  gboolean is_nhwc = order != NULL ? g_ascii_strcasecmp (order, "NHWC") == 0 : !is_channels (dims[1]);
  gint64 n_channels = dims[is_nhwc ? 3 : 1];
  gint64 height = dims[is_nhwc ? 1 : 2];
  gint64 width = dims[is_nhwc ? 2 : 3];

  if (!is_channels (n_channels))
    return 0;
  shape->order = g_strdup (is_nhwc ? "NHWC" : "NCHW");
  if (is_length (width) && is_length (height))
    shape->size = g_strdup_printf ("%dx%d", (int) width, (int) height);
  return n_channels;
}

/* Adds what follows from the dimensions; they do not show if channels are RGB or BGR. */
static void
add_dims (C2gModelForm *self,
          const gint64 *dims,
          gboolean      is_bytes)
{
  g_auto (C2gPictureArguments) shape = { NULL };
  gint64 n_channels = read_dims (self->last.order, dims, &shape);

  if (n_channels == 0)
    return;
  shape.is_bytes = is_bytes;
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

/* Adds what the .modelinfo says. The options are parsed before, so that their errors do not name the file. */
static gboolean
add_info (C2gModelForm  *self,
          const char    *input,
          GError       **error)
{
  C2gPictureForm form;

  if (self->info == NULL)
    return TRUE;
  if (!c2g_picture_form_parse (&form, &self->last, error))
    return FALSE;
  if (c2g_model_info_fill (self->info, input, form.n_channels, &self->last, error))
    return TRUE;
  g_prefix_error (error, "%s: ", self->info_name);
  return FALSE;
}

/* A size that is given counts more than that of a file, but it may be a mistake: most models answer nonsense for
 * pictures of another size, and some fail. DIMS may be NULL. */
static void
find_conflict (C2gModelForm         *self,
               const char           *input,
               const gint64         *dims,
               const C2gPictureForm *form)
{
  g_auto (C2gPictureArguments) shape = { NULL };
  g_autofree char *info = self->info_name != NULL ? g_path_get_basename (self->info_name) : NULL;
  C2gInputShape *listed = g_hash_table_lookup (self->shapes, input);
  /* NULL if the dimensions are those of the net. */
  const char *dims_file = listed == NULL ? NULL : listed->is_info ? info
                                                                  : VALUE_INFO_NAME;
  const struct
  {
    const C2gPictureArguments *arguments;
    const char                *file;
  } sources[] = {
    { &self->written, C2G_PICTURE_FORM_NAME },
    { &shape, dims_file },
  };

  g_clear_pointer (&self->conflict, g_free);
  if (dims != NULL)
    read_dims (self->known.order, dims, &shape);
  for (gsize i = 0; self->asked.size != NULL && self->conflict == NULL && i < G_N_ELEMENTS (sources); i++)
    {
      const char *file = sources[i].file;
      C2gPictureForm written;

      if (!c2g_picture_form_parse (&written, sources[i].arguments, NULL) || written.width == 0 ||
          (written.width == form->width && written.height == form->height))
        continue;
      if (file != NULL)
        self->conflict = g_strdup_printf (_("The size is %dx%d, and %s beside the model says %dx%d"), form->width, form->height,
                                          file, written.width, written.height);
      else
        self->conflict = g_strdup_printf (_("The size is %dx%d, and the net says %dx%d"), form->width, form->height,
                                          written.width, written.height);
    }
}

gboolean
c2g_model_form_find (C2gModelForm    *self,
                     const char      *input,
                     C2gTensor       *tensor,
                     C2gPictureForm  *form,
                     GError         **error)
{
  gint64 dims[N_DIMS];
  gboolean is_bytes = FALSE;
  const gboolean has_dims = find_dims (self, input, tensor, dims, &is_bytes);

  c2g_picture_arguments_clear (&self->last);
  self->last = (C2gPictureArguments) { NULL };
  g_ptr_array_set_size (self->guesses, 0);
  c2g_picture_arguments_add (&self->last, &self->known);
  /* A preset may leave the size open on purpose, so nothing is guessed then. */
  if (self->known.preset == NULL)
    {
      if (has_dims)
        add_dims (self, dims, is_bytes);
      if (!add_info (self, input, error))
        return FALSE;
      guess (self);
    }
  if (!c2g_picture_form_parse (form, &self->last, error))
    return FALSE;
  find_conflict (self, input, has_dims ? dims : NULL, form);
  return TRUE;
}

const C2gPictureArguments *
c2g_model_form_get_arguments (C2gModelForm *self)
{
  return self->known.preset != NULL ? &self->given : &self->last;
}

gboolean
c2g_model_form_is_said (C2gModelForm *self)
{
  return self->is_said || self->guesses->len == 0;
}

char **
c2g_model_form_dup_guesses (C2gModelForm *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < self->guesses->len; i += 2)
    g_ptr_array_add (names, g_strdup (self->guesses->pdata[i]));
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_steal (names, NULL);
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

const char *
c2g_model_form_get_conflict (C2gModelForm *self)
{
  return self->conflict;
}

static GFile *
get_form_file (C2gModelForm *self)
{
  g_autoptr (GFile) folder = g_file_get_parent (self->net);

  return g_file_get_child (folder, C2G_PICTURE_FORM_NAME);
}

gboolean
c2g_model_form_save (C2gModelForm  *self,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (GFile) file = get_form_file (self);
  g_autofree char *text = c2g_picture_arguments_to_text (&self->last);
  g_autofree char *name = NULL;

  if (g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                               cancellable, error))
    return TRUE;
  name = g_file_get_parse_name (file);
  g_prefix_error (error, "%s: ", name);
  return FALSE;
}
