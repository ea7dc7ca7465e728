/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-names-private.h>

#ifdef C2G_COMPILATION
# include <c2g/core/types/c2g-i18n-private.h>
#else
# include <glib/gi18n-lib.h>
#endif
#include <string.h>

/* Lists of names in errors. The library and the plugin for GStreamer compile this file, too, because no
 * library exports it. */

char *
c2g_names_join (const char *const *names,
                gsize              n_names)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < MIN (n_names, C2G_MAX_NAMES_TOLD); i++)
    g_string_append_printf (text, "%s“%s”", i == 0 ? "" : _(", "), names[i]);
  if (n_names > C2G_MAX_NAMES_TOLD)
    g_string_append_printf (text, _(", … (%u in all)"), (guint) n_names);

  return g_string_free (text, FALSE);
}

gboolean
c2g_names_are_near (const char *a,
                    const char *b)
{
  while (*a != '\0' && g_ascii_tolower (*a) == g_ascii_tolower (*b))
    a++, b++;
  if (*a == '\0' || *b == '\0')
    return strlen (a) + strlen (b) <= 1;
  return g_ascii_strcasecmp (a + 1, b) == 0 || g_ascii_strcasecmp (a, b + 1) == 0 ||
         g_ascii_strcasecmp (a + 1, b + 1) == 0 ||
         (a[0] == b[1] && a[1] == b[0] && g_ascii_strcasecmp (a + 2, b + 2) == 0);
}

void
c2g_names_suggest (const char *const  *names,
                   const char         *name,
                   GError            **error)
{
  g_autofree char *message = NULL;
  const char *near = NULL;

  if (error == NULL)
    return;
  for (; *names != NULL; names++)
    {
      if (g_ascii_strcasecmp (name, *names) == 0)
        {
          near = *names;
          break;
        }
      if (near == NULL && strlen (name) > 3 && c2g_names_are_near (name, *names))
        near = *names;
    }
  if (near == NULL)
    return;
  message = g_steal_pointer (&(*error)->message);
  (*error)->message = g_strdup_printf (_("%s; did you mean “%s”?"), message, near);
}
