/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <stdio.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Helpers for the peak memory of this process, as reported by the kernel. */

/* Reads a line of /proc/self/status, in bytes; 0 if there is no such file. */
static inline guint64
peak_read (const char *field)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL))
    return 0;
  line = strstr (text, field);
  return line != NULL ? g_ascii_strtoull (line + strlen (field), NULL, 10) << 10 : 0;
}

/* Returns TRUE under sanitizers and valgrind, which need memory themselves. */
static inline gboolean
peak_is_watched (void)
{
#ifdef C2G_SANITIZED
  return TRUE;
#else
  const char *preload = g_getenv ("LD_PRELOAD");

  return preload != NULL && strstr (preload, "vgpreload") != NULL;
#endif
}

/* Resets the peak. Returns FALSE if the peak cannot be measured. */
static inline gboolean
peak_reset (void)
{
  FILE *file = peak_is_watched () ? NULL : fopen ("/proc/self/clear_refs", "w");
  gboolean is_reset;

#ifdef __GLIBC__
  malloc_trim (0);
#endif
  if (file == NULL)
    return FALSE;
  is_reset = fputs ("5", file) >= 0;
  return fclose (file) == 0 && is_reset && peak_read ("VmHWM:") > 0;
}
