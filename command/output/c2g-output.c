/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-output.h"
#include "c2g-text-utils.h"

#include <glib/gi18n.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Prints to standard output: buffered, in the charset of the locale, and records errors. */

/* The first errno of writing; 0 if there was no error. */
static int write_error;

void
c2g_output_bytes (gconstpointer data,
                  gsize         n_bytes)
{
  if (write_error == 0 && fwrite (data, 1, n_bytes, stdout) < n_bytes)
    write_error = errno;
}

/* Converts to the charset of the locale, or to similar ASCII characters. Returns NULL if the
 * charset is UTF-8. */
static char *
convert (const char *text)
{
  const char *charset;
  char *converted;

  if (g_get_console_charset (&charset))
    return NULL;
  converted = g_convert (text, -1, charset, "UTF-8", NULL, NULL, NULL);
  return converted != NULL ? converted : g_str_to_ascii (text, NULL);
}

/* Replaces GLib's handler, which flushes each time and ignores errors. */
static void
print_text (const char *text)
{
  g_autofree char *converted = convert (text);

  if (converted != NULL)
    text = converted;
  c2g_output_bytes (text, strlen (text));
}

static void
print_error_text (const char *text)
{
  g_autofree char *converted = convert (text);

  fputs (converted != NULL ? converted : text, stderr);
  fflush (stderr);
}

void
c2g_output_begin (void)
{
  g_set_print_handler (print_text);
  g_set_printerr_handler (print_error_text);
}

gboolean
c2g_output_is_broken (void)
{
  return write_error != 0;
}

gboolean
c2g_output_end (void)
{
  if (fflush (stdout) != 0 && write_error == 0)
    write_error = errno;
  if (write_error == 0)
    return TRUE;

  if (write_error != EPIPE)
    {
      g_autofree char *message = g_strdup_printf (_("Standard output: %s"),
                                                  g_strerror (write_error));

      c2g_output_error (message);
    }
  return FALSE;
}

void
c2g_output_error (const char *message)
{
  g_autofree char *line = c2g_text_escape (message);

  fflush (stdout);
  g_printerr ("c2g: %s\n", line);
}
