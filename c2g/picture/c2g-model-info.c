/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-model-info-private.h"

#include <c2g/net/predictor/c2g-model-text-private.h>

#ifndef C2G_COMPILATION
# include <glib/gi18n-lib.h>
#endif
#include <math.h>

/* Reads the .modelinfo files of GStreamer 1.28. */

#define ENDING      ".modelinfo"
#define GROUP       "modelinfo"
#define VERSION     "1."
#define PLACEHOLDER "PLACEHOLDER"

/* Returns a text, unless it is missing or the word PLACEHOLDER, which GStreamer's generator of
 * these files writes. */
static char *
get_text (GKeyFile   *self,
          const char *group,
          const char *key)
{
  g_autofree char *text = c2g_model_text_get_string (self, group, key, NULL);

  return text != NULL && !g_str_has_prefix (text, PLACEHOLDER) ? g_steal_pointer (&text) : NULL;
}

GKeyFile *
c2g_model_info_parse (const char  *text,
                      GError     **error)
{
  g_autoptr (GKeyFile) self = c2g_model_text_parse_keys (text, error);
  g_autofree char *version = NULL;

  if (self == NULL)
    return NULL;
  g_key_file_set_list_separator (self, ',');
  version = get_text (self, GROUP, "version");
  if (version != NULL && g_str_has_prefix (version, VERSION))
    return g_steal_pointer (&self);

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, _("The group [%s] has no version 1"), GROUP);
  return NULL;
}

GKeyFile *
c2g_model_info_load (GFile         *net,
                     char         **name,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (GFile) file = c2g_model_text_find_ending (net, ENDING);
  g_autofree char *text = NULL;
  GKeyFile *self;

  text = file != NULL ? c2g_model_text_load (file, cancellable, error) : NULL;
  if (text == NULL)
    return NULL;
  *name = g_file_get_parse_name (file);
  self = c2g_model_info_parse (text, error);
  if (self == NULL)
    g_prefix_error (error, "%s: ", *name);

  return self;
}

static gboolean
is_input (GKeyFile   *self,
          const char *input)
{
  g_autofree char *direction = get_text (self, input, "dir");

  return g_key_file_has_group (self, input) && g_strcmp0 (direction, "output") != 0;
}

static gboolean
has_bytes (GKeyFile   *self,
           const char *input)
{
  g_autofree char *type = get_text (self, input, "type");

  return g_strcmp0 (type, "uint8") == 0;
}

gint64 *
c2g_model_info_dup_dims (GKeyFile   *self,
                         const char *input,
                         gsize      *n_dims,
                         gboolean   *is_bytes)
{
  g_autofree char *order = get_text (self, input, "dims-order");
  g_autofree char *text = get_text (self, input, "dims");
  g_autofree int *numbers = text != NULL && is_input (self, input)
                              ? g_key_file_get_integer_list (self, input, "dims", n_dims, NULL)
                              : NULL;
  const gboolean is_reversed = g_strcmp0 (order, "col-major") == 0;
  gint64 *dims;

  if (numbers == NULL)
    return NULL;
  dims = g_new (gint64, *n_dims + 1);
  for (gsize i = 0; i < *n_dims; i++)
    dims[i] = numbers[is_reversed ? *n_dims - 1 - i : i];
  *is_bytes = has_bytes (self, input);

  return dims;
}

static void
append_number (GString *text,
               double   number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (text->len > 0)
    g_string_append_c (text, ',');
  g_string_append (text, g_ascii_dtostr (digits, sizeof digits, number));
}

/* Sets mean and scale such that byte 0 becomes the first number of the range and byte 255 the
 * second. */
static gboolean
add_range (const char *range,
           GString    *mean,
           GString    *scale)
{
  char *end;
  const double min = g_ascii_strtod (range, &end);
  const double max = *end == ',' ? g_ascii_strtod (end + 1, &end) : min;
  const double step = (max - min) / 255;

  if (*g_strchug (end) != '\0' || step == 0 || !isfinite (step) || !isfinite (min / step))
    return FALSE;
  append_number (mean, min == 0 ? 0 : -min / step);
  append_number (scale, step);

  return TRUE;
}

/* Adds mean and scale from one range for all channels, or one for each. */
static gboolean
add_ranges (const char *text,
            gsize       n_channels,
            GString    *mean,
            GString    *scale)
{
  g_auto (GStrv) ranges = g_strsplit (text, ";", -1);
  const gsize n = g_strv_length (ranges);

  for (char **range = ranges; *range != NULL; range++)
    if (!add_range (*range, mean, scale))
      return FALSE;

  return n == 1 || n == n_channels;
}

gboolean
c2g_model_info_fill (GKeyFile             *self,
                     const char           *input,
                     gsize                 n_channels,
                     C2gPictureArguments  *arguments,
                     GError              **error)
{
  /* Numbers need no escapes, so a wrong one is a wrong range. */
  g_autofree char *text = g_key_file_get_value (self, input, "ranges", NULL);
  const char *ranges = text != NULL && !g_str_has_prefix (text, PLACEHOLDER) ? text : "0,255";
  g_autoptr (GString) mean = g_string_new (NULL);
  g_autoptr (GString) scale = g_string_new (NULL);
  g_autofree char *expected = NULL;
  g_autofree char *where = NULL;

  if (!is_input (self, input))
    return TRUE;
  if (arguments->channels == NULL)
    arguments->channels = g_strdup ("RGB");
  if (arguments->is_bytes || arguments->mean != NULL || arguments->scale != NULL)
    return TRUE;
  if (add_ranges (ranges, n_channels, mean, scale))
    {
      arguments->mean = g_string_free (g_steal_pointer (&mean), FALSE);
      arguments->scale = g_string_free (g_steal_pointer (&scale), FALSE);
      return TRUE;
    }

  expected = g_strdup_printf (_("two different numbers with a comma between them, or %zu of such pairs with ; between them"), n_channels);
  where = g_strdup_printf ("[%s] ranges", input);
  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, _("%s: Expected %s, got “%s”"), where, expected, ranges);
  return FALSE;
}
