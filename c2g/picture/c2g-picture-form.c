/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-picture-private.h"

#include <c2g/core/types/c2g-names-private.h>

#ifndef C2G_COMPILATION
# include <glib/gi18n-lib.h>
#endif
#include <math.h>
#include <string.h>

/* Parses the options for converting pictures to tensors, and computes scaling and cropping. */

/* Presets for known models. */
static const struct
{
  const char         *name;
  C2gPictureArguments arguments;
} presets[] = {
  /* Used to train most nets for ImageNet. */
  { "imagenet",
    { .size = (char *) "224x224",
      .mean = (char *) "123.675,116.28,103.53",
      .scale = (char *) "1/58.395,1/57.12,1/57.375",
      .is_crop = TRUE,
      .is_smooth = TRUE } },
  /* Used by the nets of Caffe's model zoo. */
  { "caffe",
    { .size = (char *) "227x227",
      .mean = (char *) "104,117,123",
      .channels = (char *) "BGR",
      .is_crop = TRUE } },
  /* Used by the nets of Caffe2's model zoo. */
  { "caffe2",
    { .size = (char *) "227x227",
      .mean = (char *) "128",
      .channels = (char *) "BGR",
      .is_crop = TRUE } },
  { "cifar10",
    { .size = (char *) "32x32",
      .mean = (char *) "113.865,122.95,125.307",
      .scale = (char *) "1/66.7048,1/62.0887,1/62.9932",
      .channels = (char *) "BGR" } },
  { "mnist",
    { .size = (char *) "28x28", .scale = (char *) "1/256", .channels = (char *) "GRAY" } },
  { "digits",
    { .size = (char *) "8x8", .scale = (char *) "1/255", .channels = (char *) "GRAY" } },
  /* Nets whose outputs are pictures too, by BRGNCHWCToPackedInt8BGRAStylizerDeprocess. */
  { "stylizer",
    { .channels = (char *) "BGRA", .order = (char *) "NHWC", .is_bytes = TRUE } },
};

void
c2g_picture_arguments_clear (C2gPictureArguments *arguments)
{
  g_free (arguments->preset);
  g_free (arguments->size);
  g_free (arguments->mean);
  g_free (arguments->scale);
  g_free (arguments->channels);
  g_free (arguments->order);
}

static const char *const layouts[] = { "RGB", "BGR", "GRAY", "RGBA", "BGRA" };

static void
set_bad_value (GError     **error,
               const char  *option,
               const char  *text,
               const char  *expected)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, _("%s: Expected %s, got “%s”"),
               option, expected, text);
}

static void
add_text (char       **text,
          const char  *other)
{
  if (*text == NULL)
    *text = g_strdup (other);
}

void
c2g_picture_arguments_add (C2gPictureArguments       *self,
                           const C2gPictureArguments *other)
{
  add_text (&self->preset, other->preset);
  add_text (&self->size, other->size);
  add_text (&self->mean, other->mean);
  add_text (&self->scale, other->scale);
  add_text (&self->channels, other->channels);
  add_text (&self->order, other->order);
  if (!self->is_crop && !self->is_letterbox)
    {
      self->is_crop = other->is_crop;
      self->is_letterbox = other->is_letterbox;
    }
  if (!self->is_smooth && !self->is_nearest)
    {
      self->is_smooth = other->is_smooth;
      self->is_nearest = other->is_nearest;
    }
  self->is_bytes |= other->is_bytes;
}

gboolean
c2g_picture_arguments_add_preset (C2gPictureArguments  *self,
                                  GError              **error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  const char *names[G_N_ELEMENTS (presets) + 1] = { NULL };

  if (self->preset == NULL)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (presets); i++)
    {
      g_string_append_printf (list, "%s%s", i == 0 ? "" : _(", "), presets[i].name);
      names[i] = presets[i].name;
      if (!g_str_equal (self->preset, presets[i].name))
        continue;
      c2g_picture_arguments_add (self, &presets[i].arguments);
      return TRUE;
    }

  set_bad_value (error, "preset", self->preset, list->str);
  c2g_names_suggest (names, self->preset, error);
  return FALSE;
}

static gboolean
parse_length (const char **text,
              char         end,
              int         *length)
{
  char *rest;
  guint64 value = g_ascii_strtoull (*text, &rest, 10);

  if (!g_ascii_isdigit (**text) || *rest != end || value < 1 || value > G_MAXINT16)
    return FALSE;
  *length = value;
  *text = rest + 1;
  return TRUE;
}

static gboolean
parse_size (C2gPictureForm  *form,
            const char      *text,
            GError         **error)
{
  const char *rest = text;

  if (text == NULL ||
      (parse_length (&rest, 'x', &form->width) && parse_length (&rest, '\0', &form->height)))
    return TRUE;
  set_bad_value (error, "size", text, _("WIDTHxHEIGHT, each of 1 to 32767"));
  return FALSE;
}

static gboolean
parse_layout (C2gPictureForm  *form,
              const char      *text,
              GError         **error)
{
  form->channels = layouts[0];
  for (gsize i = 0; text != NULL && i < G_N_ELEMENTS (layouts); i++)
    if (g_ascii_strcasecmp (text, layouts[i]) == 0)
      form->channels = layouts[i];
  form->n_channels = g_str_equal (form->channels, "GRAY") ? 1 : strlen (form->channels);
  if (text == NULL || g_ascii_strcasecmp (text, form->channels) == 0)
    return TRUE;
  set_bad_value (error, "channels", text, "RGB, BGR, GRAY, RGBA, BGRA");
  return FALSE;
}

static gboolean
parse_order (C2gPictureForm  *form,
             const char      *text,
             GError         **error)
{
  form->is_nhwc = text != NULL && g_ascii_strcasecmp (text, "NHWC") == 0;
  if (text == NULL || form->is_nhwc || g_ascii_strcasecmp (text, "NCHW") == 0)
    return TRUE;
  set_bad_value (error, "order", text, "NCHW, NHWC");
  return FALSE;
}

/* Parses numbers such as "0.5" and "1/255". */
static gboolean
parse_number (const char *text,
              double     *number)
{
  char *rest;

  *number = g_ascii_strtod (text, &rest);
  if (rest != text && *rest == '/')
    {
      text = rest + 1;
      *number /= g_ascii_strtod (text, &rest);
    }
  return rest != text && *rest == '\0' && isfinite (*number);
}

/* Parses one number for all channels, or one for each, separated by commas. */
static gboolean
parse_numbers (const C2gPictureForm  *form,
               const char            *option,
               const char            *text,
               double                 fallback,
               double                *numbers,
               GError               **error)
{
  g_auto (GStrv) words = text != NULL ? g_strsplit (text, ",", -1) : g_new0 (char *, 1);
  gsize n_words = g_strv_length (words);
  g_autofree char *expected = NULL;
  gboolean is_good = text == NULL || n_words == 1 || n_words == form->n_channels;

  for (gsize i = 0; is_good && i < form->n_channels; i++)
    {
      numbers[i] = fallback;
      if (text != NULL)
        is_good = parse_number (words[n_words == 1 ? 0 : i], &numbers[i]);
    }
  if (is_good)
    return TRUE;

  expected = g_strdup_printf (_("one number, or %zu with commas between them"), form->n_channels);
  set_bad_value (error, option, text, expected);
  return FALSE;
}

/* Refuses 0, because converting a tensor to a picture divides by the scale. */
static gboolean
check_scale (const C2gPictureForm  *form,
             const char            *text,
             GError               **error)
{
  for (gsize i = 0; i < form->n_channels; i++)
    if (form->scale[i] == 0)
      {
        set_bad_value (error, "scale", text, _("a number other than 0"));
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_choices (const C2gPictureArguments  *arguments,
               GError                    **error)
{
  const gboolean is_fit_twice = arguments->is_crop && arguments->is_letterbox;

  if (!is_fit_twice && !(arguments->is_smooth && arguments->is_nearest))
    return TRUE;
  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, _("%s and %s exclude each other"),
               is_fit_twice ? "crop" : "smooth", is_fit_twice ? "letterbox" : "nearest");
  return FALSE;
}

gboolean
c2g_picture_form_parse (C2gPictureForm             *form,
                        const C2gPictureArguments  *arguments,
                        GError                    **error)
{
  g_auto (C2gPictureArguments) all = { NULL };

  memset (form, 0, sizeof *form);
  if (!check_choices (arguments, error))
    return FALSE;
  c2g_picture_arguments_add (&all, arguments);
  if (!c2g_picture_arguments_add_preset (&all, error))
    return FALSE;
  form->is_crop = all.is_crop;
  form->is_letterbox = all.is_letterbox;
  form->is_smooth = all.is_smooth;
  form->is_nearest = all.is_nearest;
  form->data_type = all.is_bytes ? C2G_DATA_TYPE_UINT8 : C2G_DATA_TYPE_FLOAT;
  return parse_size (form, all.size, error) && parse_layout (form, all.channels, error) &&
         parse_order (form, all.order, error) &&
         parse_numbers (form, "mean", all.mean, 0, form->mean, error) &&
         parse_numbers (form, "scale", all.scale, 1, form->scale, error) &&
         check_scale (form, all.scale, error);
}

void
c2g_picture_form_get_dims (const C2gPictureForm *form,
                           gint64               *dims)
{
  const gint64 nchw[] = { 1, form->n_channels, form->height, form->width };
  const gint64 nhwc[] = { 1, form->height, form->width, form->n_channels };

  memcpy (dims, form->is_nhwc ? nhwc : nchw, sizeof nchw);
}

/* Returns the largest part of SIZE with the aspect ratio A : B. */
static int
keep_ratio (int size,
            int other,
            int a,
            int b)
{
  return CLAMP (rint ((double) other * a / b), 1, size);
}

void
c2g_picture_form_fit (const C2gPictureForm *form,
                      int                   width,
                      int                   height,
                      C2gPictureFit        *fit)
{
  *fit = (C2gPictureFit) { 0, 0, width, height, 0, 0, form->width, form->height };
  if (form->is_crop)
    {
      fit->width = keep_ratio (width, height, form->width, form->height);
      fit->height = keep_ratio (height, width, form->height, form->width);
      fit->x = (width - fit->width) / 2;
      fit->y = (height - fit->height) / 2;
    }
  else if (form->is_letterbox)
    {
      fit->new_width = keep_ratio (form->width, form->height, width, height);
      fit->new_height = keep_ratio (form->height, form->width, height, width);
      /* Make the borders equal on both sides, so that the centers of picture and tensor are the
       * same. */
      fit->new_width -= fit->new_width > 1 ? (form->width - fit->new_width) % 2 : 0;
      fit->new_height -= fit->new_height > 1 ? (form->height - fit->new_height) % 2 : 0;
      fit->new_x = (form->width - fit->new_width) / 2;
      fit->new_y = (form->height - fit->new_height) / 2;
    }
}
