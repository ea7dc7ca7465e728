/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-options-private.h>

gboolean
c2g_set_strv (char             ***field,
              const char *const  *value)
{
  const char *const *old_value = (const char *const *) *field;

  if (old_value == value ||
      (old_value != NULL && value != NULL && g_strv_equal (old_value, value)))
    return FALSE;

  g_strfreev (*field);
  *field = g_strdupv ((char **) value);
  return TRUE;
}

gboolean
c2g_set_string (char       **field,
                const char  *value)
{
  if (g_strcmp0 (*field, value) == 0)
    return FALSE;

  g_free (*field);
  *field = g_strdup (value);
  return TRUE;
}

gboolean
c2g_set_boolean (gboolean *field,
                 gboolean  value)
{
  value = !!value;
  if (*field == value)
    return FALSE;

  *field = value;
  return TRUE;
}
