/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-picture-private.h"

#include <c2g/net/predictor/c2g-model-text-private.h>

#ifndef C2G_COMPILATION
# include <glib/gi18n-lib.h>
#endif
#include <string.h>

/* Reads and writes model.ini, in which a model says how it wants pictures. Its keys are the options for pictures. */

#define GROUP "picture"

/* A key of the file, which is an option without dashes, and the member that it sets. */
typedef struct
{
  const char  *key;
  char       **text;
  gboolean    *flag;
} Field;

#define N_FIELDS 11

static void
list_fields (C2gPictureArguments *arguments,
             Field               *fields)
{
  const Field all[N_FIELDS] = {
    { "preset", &arguments->preset, NULL },
    { "size", &arguments->size, NULL },
    { "mean", &arguments->mean, NULL },
    { "scale", &arguments->scale, NULL },
    { "channels", &arguments->channels, NULL },
    { "order", &arguments->order, NULL },
    { "crop", NULL, &arguments->is_crop },
    { "letterbox", NULL, &arguments->is_letterbox },
    { "smooth", NULL, &arguments->is_smooth },
    { "nearest", NULL, &arguments->is_nearest },
    { "bytes", NULL, &arguments->is_bytes },
  };

  memcpy (fields, all, sizeof all);
}

static gboolean
read_key (GKeyFile             *file,
          const char           *key,
          C2gPictureArguments  *arguments,
          GError              **error)
{
  Field fields[N_FIELDS];
  GError *local_error = NULL;

  list_fields (arguments, fields);
  for (gsize i = 0; i < N_FIELDS; i++)
    {
      if (!g_str_equal (key, fields[i].key))
        continue;
      if (fields[i].flag != NULL)
        *fields[i].flag = g_key_file_get_boolean (file, GROUP, key, &local_error);
      else
        {
          /* A key may come twice. */
          g_free (*fields[i].text);
          *fields[i].text = c2g_model_text_get_string (file, GROUP, key, &local_error);
        }
      if (local_error != NULL)
        g_propagate_error (error, local_error);
      return local_error == NULL;
    }

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, _("Unknown key “%s”"), key);
  return FALSE;
}

gboolean
c2g_picture_arguments_parse (C2gPictureArguments  *self,
                             const char           *text,
                             GError              **error)
{
  g_autoptr (GKeyFile) file = c2g_model_text_parse_keys (text, error);
  g_auto (GStrv) keys = NULL;
  C2gPictureForm form;

  if (file != NULL)
    keys = g_key_file_get_keys (file, GROUP, NULL, error);
  if (keys == NULL)
    return FALSE;
  for (char **key = keys; *key != NULL; key++)
    if (!read_key (file, *key, self, error))
      return FALSE;
  return c2g_picture_form_parse (&form, self, error);
}

char *
c2g_picture_arguments_to_text (C2gPictureArguments *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  Field fields[N_FIELDS];

  list_fields (self, fields);
  for (gsize i = 0; i < N_FIELDS; i++)
    if (fields[i].flag != NULL)
      g_key_file_set_boolean (file, GROUP, fields[i].key, *fields[i].flag);
    else if (*fields[i].text != NULL)
      g_key_file_set_string (file, GROUP, fields[i].key, *fields[i].text);
  return g_key_file_to_data (file, NULL, NULL);
}
