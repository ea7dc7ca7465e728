/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-i18n-private.h>

#include <libintl.h>

/* Translates the messages of the library. */

static void
ensure_domain (void)
{
  static gsize bound = 0;

  if (g_once_init_enter (&bound))
    {
      bindtextdomain (GETTEXT_PACKAGE, C2G_LOCALEDIR);
      bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
      g_once_init_leave (&bound, 1);
    }
}

/*
 * c2g_gettext:
 * @message: a message of the library
 *
 * Translates the message, and finds the library's catalogue the first time.
 *
 * Thread-safe.
 */
const char *
c2g_gettext (const char *message)
{
  ensure_domain ();
  return g_dgettext (GETTEXT_PACKAGE, message);
}
