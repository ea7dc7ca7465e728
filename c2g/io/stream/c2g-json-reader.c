/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-json-reader-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Parses untrusted JSON; used for the header of .safetensors files. */

void
c2g_json_reader_init (C2gJsonReader *self,
                      const char    *text,
                      gsize          n_bytes)
{
  self->begin = text;
  self->position = text;
  self->end = text + n_bytes;
}

gboolean
c2g_json_reader_fail (C2gJsonReader  *self,
                      const char     *what,
                      GError        **error)
{
  return c2g_fail (error, C2G_ERROR_CORRUPT, _("The header is damaged at its byte %zu: %s"),
                   (gsize) (self->position - self->begin), what);
}

static void
skip_blank (C2gJsonReader *self)
{
  while (self->position < self->end &&
         (*self->position == ' ' || *self->position == '\n' || *self->position == '\r' ||
          *self->position == '\t'))
    self->position++;
}

static gboolean
accept (C2gJsonReader *self,
        char           wanted)
{
  skip_blank (self);
  if (self->position == self->end || *self->position != wanted)
    return FALSE;

  self->position++;
  return TRUE;
}

static gboolean
expect (C2gJsonReader  *self,
        char            wanted,
        GError        **error)
{
  g_autofree char *what = NULL;

  if (accept (self, wanted))
    return TRUE;

  what = g_strdup_printf (_("expected “%c”"), wanted);
  return c2g_json_reader_fail (self, what, error);
}

/* Checks if there is another item, and skips the comma before it. Before the first item there is none:
 * then the opening bracket is the last character that was read. */
static gboolean
next_item (C2gJsonReader  *self,
           char            opening,
           char            closing,
           gboolean       *is_end,
           GError        **error)
{
  gboolean is_first = self->position[-1] == opening;

  *is_end = accept (self, closing);
  return *is_end || is_first || expect (self, ',', error);
}

gboolean
c2g_json_reader_begin_object (C2gJsonReader  *self,
                              GError        **error)
{
  return expect (self, '{', error);
}

gboolean
c2g_json_reader_next_member (C2gJsonReader  *self,
                             char          **key,
                             GError        **error)
{
  gboolean is_end;

  *key = NULL;
  if (!next_item (self, '{', '}', &is_end, error))
    return FALSE;
  if (is_end)
    return TRUE;
  if (!c2g_json_reader_read_string (self, key, error))
    return FALSE;
  if (expect (self, ':', error))
    return TRUE;

  g_clear_pointer (key, g_free);
  return FALSE;
}

gboolean
c2g_json_reader_begin_array (C2gJsonReader  *self,
                             GError        **error)
{
  return expect (self, '[', error);
}

gboolean
c2g_json_reader_next_element (C2gJsonReader  *self,
                              gboolean       *is_end,
                              GError        **error)
{
  return next_item (self, '[', ']', is_end, error);
}

/* Reads four hexadecimal digits. */
static gboolean
read_code (C2gJsonReader *self,
           gunichar      *code)
{
  *code = 0;
  if (self->end - self->position < 4)
    return FALSE;

  for (guint i = 0; i < 4; i++)
    {
      if (!g_ascii_isxdigit (self->position[i]))
        return FALSE;
      *code = *code << 4 | g_ascii_xdigit_value (self->position[i]);
    }
  self->position += 4;
  return TRUE;
}

/* Reads a \u escape. Characters above U+FFFF are surrogate pairs of two escapes. */
static gboolean
read_character (C2gJsonReader *self,
                GString       *text)
{
  gunichar code, low;

  if (!read_code (self, &code))
    return FALSE;
  if (code >= 0xd800 && code < 0xdc00 && self->end - self->position >= 2 &&
      memcmp (self->position, "\\u", 2) == 0)
    {
      self->position += 2;
      if (!read_code (self, &low) || low < 0xdc00 || low > 0xdfff)
        return FALSE;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
  if (code == 0 || (code >= 0xd800 && code <= 0xdfff))
    return FALSE;

  g_string_append_unichar (text, code);
  return TRUE;
}

static gboolean
read_escape (C2gJsonReader *self,
             GString       *text)
{
  static const char escaped[] = "\"\\/bfnrt";
  static const char meant[] = "\"\\/\b\f\n\r\t";
  const char *found;
  char c;

  if (self->position == self->end)
    return FALSE;

  c = *self->position++;
  if (c == 'u')
    return read_character (self, text);

  found = c != 0 ? strchr (escaped, c) : NULL;
  if (found == NULL)
    return FALSE;
  g_string_append_c (text, meant[found - escaped]);
  return TRUE;
}

/* Appends the characters up to the next quote, backslash or control character. */
static void
read_run (C2gJsonReader *self,
          GString       *text)
{
  const char *begin = self->position;

  while (self->position < self->end && *self->position != '"' && *self->position != '\\' &&
         (guchar) *self->position >= ' ')
    self->position++;
  g_string_append_len (text, begin, self->position - begin);
}

gboolean
c2g_json_reader_read_string (C2gJsonReader  *self,
                             char          **string,
                             GError        **error)
{
  g_autoptr (GString) text = NULL;

  if (!expect (self, '"', error))
    return FALSE;

  text = g_string_new (NULL);
  for (;;)
    {
      read_run (self, text);
      if (self->position == self->end || (guchar) *self->position < ' ')
        return c2g_json_reader_fail (self, _("a text does not end"), error);
      if (*self->position++ == '"')
        break;
      if (!read_escape (self, text))
        return c2g_json_reader_fail (self, _("no character stands for this"), error);
    }

  *string = g_string_free (g_steal_pointer (&text), FALSE);
  return TRUE;
}

gboolean
c2g_json_reader_read_integer (C2gJsonReader  *self,
                              gint64         *value,
                              GError        **error)
{
  const char *begin;
  gint64 result = 0;

  skip_blank (self);
  begin = self->position;
  while (self->position < self->end && g_ascii_isdigit (*self->position))
    {
      int digit = *self->position - '0';

      if (result > (G_MAXINT64 - digit) / 10)
        return c2g_json_reader_fail (self, _("the number is too large"), error);
      result = result * 10 + digit;
      self->position++;
    }

  /* Refuse 007, 1.5 and 1e3. */
  if (self->position == begin || (*begin == '0' && self->position - begin > 1) ||
      (self->position < self->end && strchr (".eE", *self->position) != NULL))
    return c2g_json_reader_fail (self, _("expected an integer that is not negative"), error);

  *value = result;
  return TRUE;
}

gboolean
c2g_json_reader_finish (C2gJsonReader  *self,
                        GError        **error)
{
  skip_blank (self);
  return self->position == self->end ||
         c2g_json_reader_fail (self, _("something follows the end"), error);
}
