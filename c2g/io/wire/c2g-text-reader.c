/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/wire/c2g-text-reader-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Splits protobuf's text format into words, strings and numbers. The parser of messages and that of
 * Caffe's texts use it. */

/* Number of bytes that are checked to tell text from binary. */
#define LOOK_BYTES 4096

gboolean
c2g_text_reader_fail (C2gTextReader  *self,
                      const char  *position,
                      const char  *what,
                      GError     **error)
{
  const char *line = self->begin;
  guint number = 1;

  for (const char *c = self->begin; c < position; c++)
    if (*c == '\n')
      {
        number++;
        line = c + 1;
      }

  return c2g_fail (error, C2G_ERROR_CORRUPT, _("Line %u, column %d: %s"), number,
                   (int) (position - line) + 1, what);
}

gboolean
c2g_text_reader_at_end (C2gTextReader *self)
{
  return self->position == self->end;
}

void
c2g_text_reader_skip_blank (C2gTextReader *self)
{
  while (!c2g_text_reader_at_end (self) && (g_ascii_isspace (*self->position) || *self->position == '#'))
    {
      if (*self->position == '#')
        while (!c2g_text_reader_at_end (self) && *self->position != '\n')
          self->position++;
      else
        self->position++;
    }
}

gboolean
c2g_text_reader_accept (C2gTextReader *self,
                        char        c)
{
  c2g_text_reader_skip_blank (self);
  if (c2g_text_reader_at_end (self) || *self->position != c)
    return FALSE;
  self->position++;
  return TRUE;
}

static gboolean
is_word_char (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || c == '+' || c == '-';
}

/* Skips blanks and then a word; returns the length of the word, or 0 if there is none. */
static gsize
skip_word (C2gTextReader *self)
{
  const char *begin;

  c2g_text_reader_skip_blank (self);
  begin = self->position;
  while (!c2g_text_reader_at_end (self) && is_word_char (*self->position))
    self->position++;
  return self->position - begin;
}

/* As in protobuf, blanks may follow the sign of a number. */
char *
c2g_text_reader_take_word (C2gTextReader *self)
{
  gsize length = skip_word (self);
  const gboolean is_sign = length == 1 && self->position[-1] == '-';

  if (is_sign)
    length = skip_word (self);
  if (length == 0)
    return is_sign ? g_strdup ("-") : NULL;
  return g_strdup_printf ("%s%.*s", is_sign ? "-" : "", (int) length, self->position - length);
}

static gboolean
is_octal (char c)
{
  return c >= '0' && c <= '7';
}

/* Parses an octal or hexadecimal escape. */
static gboolean
take_number_escape (C2gTextReader *self,
                    GByteArray *bytes)
{
  guint value = 0;
  guint n = 0;
  guint8 byte;

  if (is_octal (*self->position))
    while (n < 3 && self->position < self->end && is_octal (*self->position))
      {
        value = 8 * value + g_ascii_digit_value (*self->position++);
        n++;
      }
  else
    {
      self->position++;
      while (n < 2 && self->position < self->end && g_ascii_isxdigit (*self->position))
        {
          value = 16 * value + g_ascii_xdigit_value (*self->position++);
          n++;
        }
    }

  byte = value;
  g_byte_array_append (bytes, &byte, 1);
  return n > 0 && value <= G_MAXUINT8;
}

static gboolean
take_escape (C2gTextReader *self,
             GByteArray *bytes)
{
  static const char letters[] = "abfnrtv\\'\"?";
  static const char meanings[] = "\a\b\f\n\r\t\v\\'\"?";
  const char *letter;

  if (c2g_text_reader_at_end (self))
    return FALSE;
  if (is_octal (*self->position) || *self->position == 'x' || *self->position == 'X')
    return take_number_escape (self, bytes);

  letter = *self->position == '\0' ? NULL : strchr (letters, *self->position);
  if (letter == NULL)
    return FALSE;
  g_byte_array_append (bytes, (const guint8 *) &meanings[letter - letters], 1);
  self->position++;
  return TRUE;
}

/* Parses one quoted string. The next character is the opening quote. */
static gboolean
take_quoted (C2gTextReader  *self,
             GByteArray  *bytes,
             GError     **error)
{
  const char *begin = self->position;
  char quote = *self->position++;

  while (!c2g_text_reader_at_end (self) && *self->position != quote && *self->position != '\n')
    if (*self->position != '\\')
      g_byte_array_append (bytes, (const guint8 *) self->position++, 1);
    else
      {
        self->position++;
        if (!take_escape (self, bytes))
          return c2g_text_reader_fail (self, self->position, _("an unknown escape"), error);
      }

  if (c2g_text_reader_at_end (self) || *self->position != quote)
    return c2g_text_reader_fail (self, begin, _("a string does not end"), error);
  self->position++;
  return TRUE;
}

gboolean
c2g_text_reader_take_string (C2gTextReader  *self,
                             GByteArray     *bytes,
                             GError        **error)
{
  gboolean any = FALSE;

  for (;;)
    {
      c2g_text_reader_skip_blank (self);
      if (c2g_text_reader_at_end (self) || (*self->position != '"' && *self->position != '\''))
        break;
      if (!take_quoted (self, bytes, error))
        return FALSE;
      any = TRUE;
    }

  return any || c2g_text_reader_fail (self, self->position, _("expected a string"), error);
}

gboolean
c2g_text_parse_double (const char *word,
                       double     *value)
{
  g_autofree char *trimmed = g_ascii_strdown (word, -1);
  const char *digits = *trimmed == '-' ? trimmed + 1 : trimmed;
  gsize length = strlen (trimmed);
  char *end;

  /* A C suffix "f" is allowed. Check for a digit before it, because "inf" ends with f too. */
  if (length > 1 && trimmed[length - 1] == 'f' && g_ascii_isdigit (trimmed[length - 2]))
    trimmed[length - 1] = '\0';
  /* As in protobuf, hexadecimal and octal numbers are integers. */
  if (digits[0] == '0' && (digits[1] == 'x' || g_ascii_isdigit (digits[1])))
    return FALSE;

  *value = g_ascii_strtod (trimmed, &end);
  return end != trimmed && *end == '\0';
}

gboolean
c2g_text_parse_integer (const char *word,
                        gint64      minimum,
                        guint64     maximum,
                        guint64    *value)
{
  gboolean negative = *word == '-';
  const char *digits = negative ? word + 1 : word;
  guint64 limit = negative ? (guint64) -(minimum + 1) + 1 : maximum;
  char *end;

  if (!g_ascii_isdigit (*digits) || (negative && minimum == 0))
    return FALSE;

  errno = 0;
  *value = g_ascii_strtoull (digits, &end, 0);
  if (errno != 0 || *end != '\0' || *value > limit)
    return FALSE;
  if (negative)
    *value = -*value;
  return TRUE;
}

gboolean
c2g_text_parse_bool (const char *word,
                     guint64    *value)
{
  *value = g_str_equal (word, "true") || g_str_equal (word, "True") ||
           g_str_equal (word, "t") || g_str_equal (word, "1");
  return *value != 0 || g_str_equal (word, "false") || g_str_equal (word, "False") ||
         g_str_equal (word, "f") || g_str_equal (word, "0");
}

gboolean
c2g_text_is_printable (const guint8 *data,
                       gsize         n_bytes)
{
  for (gsize i = 0; i < MIN (n_bytes, LOOK_BYTES); i++)
    if (data[i] < 0x20 && !g_ascii_isspace (data[i]))
      return FALSE;

  return TRUE;
}

gboolean
c2g_text_is_readable (const guint8 *data,
                      gsize         n_bytes)
{
  const char *text = (const char *) data;
  const char *end;

  if (!c2g_text_is_printable (data, n_bytes))
    return FALSE;
  /* The bytes may be the beginning of a file, and end within a letter. */
  return g_utf8_validate_len (text, n_bytes, &end) ||
         (*end != '\0' && g_utf8_get_char_validated (end, text + n_bytes - end) == (gunichar) -2);
}
