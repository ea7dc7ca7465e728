/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-text-utils.h"

#include <c2g/c2g.h>

#include <glib/gi18n.h>

#include <string.h>

/* Prepares text for the terminal: escapes and shortens it, and formats sizes. */

static void
append_escaped (GString  *string,
                gunichar  c)
{
  switch (c)
    {
    case '\\':
      g_string_append (string, "\\\\");
      break;

    case '\n':
      g_string_append (string, "\\n");
      break;

    case '\r':
      g_string_append (string, "\\r");
      break;

    case '\t':
      g_string_append (string, "\\t");
      break;

    default:
      if (g_unichar_isprint (c))
        g_string_append_unichar (string, c);
      else if (c < 0x80)
        g_string_append_printf (string, "\\x%02x", c);
      else
        g_string_append_printf (string, "\\u{%x}", c);
      break;
    }
}

void
c2g_text_append_bytes (GString    *string,
                       const char *data,
                       gsize       n_bytes)
{
  const char *end = data + n_bytes;

  while (data < end)
    {
      gunichar c = g_utf8_get_char_validated (data, end - data);

      if (c == (gunichar) -1 || c == (gunichar) -2)
        g_string_append_printf (string, "\\x%02x", (guint8) *data++);
      else
        {
          append_escaped (string, c);
          data = g_utf8_next_char (data);
        }
    }
}

char *
c2g_text_escape (const char *text)
{
  GString *string = g_string_new (NULL);

  c2g_text_append_bytes (string, text, strlen (text));
  return g_string_free (string, FALSE);
}

static gsize
character_width (gunichar character)
{
  if (character < 0x80)
    return 1;
  if (g_unichar_iswide (character))
    return 2;
  return g_unichar_iszerowidth (character) ? 0 : 1;
}

char *
c2g_text_format_size (guint64 n_bytes)
{
  return g_format_size_full (n_bytes, G_FORMAT_SIZE_IEC_UNITS);
}

gsize
c2g_text_width (const char *text)
{
  gsize width = 0;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    width += character_width (g_utf8_get_char (c));

  return width;
}

char *
c2g_text_shorten (const char *text,
                  gsize       max_width)
{
  const char *end = text;
  gsize width = 0;

  if (c2g_text_width (text) <= max_width)
    return g_strdup (text);
  if (max_width == 0)
    return g_strdup ("");

  for (const char *next; *end != '\0'; end = next)
    {
      next = g_utf8_next_char (end);
      width += character_width (g_utf8_get_char (end));
      if (width > max_width - 1)
        break;
    }
  return g_strdup_printf ("%.*s…", (int) (end - text), text);
}
