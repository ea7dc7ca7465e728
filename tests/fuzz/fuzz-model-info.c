/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/picture/c2g-model-info-private.h>

/* Reads the dimensions and the form of an input, if the file has them. */
static void
read_input (GKeyFile   *info,
            const char *input)
{
  g_auto (C2gPictureArguments) arguments = { NULL };
  g_autoptr (GError) error = NULL;
  g_autofree gint64 *dims = NULL;
  C2gPictureForm form;
  gboolean is_bytes;
  gsize n_dims;

  dims = c2g_model_info_dup_dims (info, input, &n_dims, &is_bytes);
  if (dims != NULL)
    g_assert_cmpuint (n_dims, >, 0);
  if (c2g_model_info_fill (info, input, 3, &arguments, &error))
    c2g_picture_form_parse (&form, &arguments, &error);
  if (error != NULL)
    fuzz_check_error (error);
}

/* Reads the bytes as a .modelinfo file, and as model.ini. */
void
fuzz_one (GBytes *bytes)
{
  g_auto (C2gPictureArguments) arguments = { NULL };
  g_autoptr (GKeyFile) info = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) inputs = NULL;
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);

  text = g_strndup (data != NULL ? data : "", n_bytes);
  info = c2g_model_info_parse (text, &error);
  if (info == NULL)
    fuzz_check_error (error);
  else
    inputs = g_key_file_get_groups (info, NULL);
  for (gsize i = 0; inputs != NULL && inputs[i] != NULL; i++)
    read_input (info, inputs[i]);

  g_clear_error (&error);
  if (!c2g_picture_arguments_parse (&arguments, text, &error))
    fuzz_check_error (error);
}
