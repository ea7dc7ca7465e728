/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/numpy/c2g-npy-header-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/io/numpy/c2g-numpy-private.h>

#include <string.h>

/* Parses and writes the header of .npy files.
 *
 * The format: magic bytes, version, length of the rest, and a Python dictionary:
 *
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
 *
 * It is padded with spaces, so that the values begin at a multiple of 64.
 */

#define MARK        "\x93NUMPY"
#define MARK_BYTES  6
#define ALIGNMENT   64

/* Like numpy, reserves this many digits for the first dimension, so that an array can grow in
 * place. */
#define GROWTH_DIGITS 21

typedef struct
{
  const char *begin;
  const char *position;
  const char *end;
} Parser;

static gboolean
fail (Parser      *self,
      const char  *what,
      GError     **error)
{
  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("The header of the array is damaged at its byte %zu: %s"),
                   (gsize) (self->position - self->begin), what);
}

static gboolean
fail_expected (Parser      *self,
               char         wanted,
               GError     **error)
{
  g_autofree char *what = g_strdup_printf (_("expected “%c”"), wanted);

  return fail (self, what, error);
}

gboolean
c2g_npy_looks_like (const guint8 *data,
                    gsize         n_bytes)
{
  return n_bytes >= MARK_BYTES && memcmp (data, MARK, MARK_BYTES) == 0;
}

gboolean
c2g_npy_header_measure (const guint8  *data,
                        gsize          n_bytes,
                        gsize         *n_header_bytes,
                        GError       **error)
{
  guint64 length;

  if (n_bytes < 10 || !c2g_npy_looks_like (data, n_bytes))
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("This does not begin as an array of NumPy does"));
  if (data[6] < 1 || data[6] > 3 || data[7] != 0)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("An array in version %u.%u of the format; 1.0, 2.0 and 3.0 are known"),
                     (guint) data[6], (guint) data[7]);

  length = data[8] | data[9] << 8;
  if (data[6] > 1 && n_bytes >= C2G_NPY_PREAMBLE)
    length |= (guint64) data[10] << 16 | (guint64) data[11] << 24;
  length += data[6] > 1 ? 12 : 10;

  if (length > C2G_NPY_MAX_HEADER)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("The header of the array has %" PRIu64 " bytes, %d are allowed"), length,
                     C2G_NPY_MAX_HEADER);

  *n_header_bytes = length;
  return TRUE;
}

static void
skip_blank (Parser *self)
{
  while (self->position < self->end && (*self->position == ' ' || *self->position == '\n'))
    self->position++;
}

static gboolean
accept (Parser *self,
        char    wanted)
{
  skip_blank (self);
  if (self->position == self->end || *self->position != wanted)
    return FALSE;

  self->position++;
  return TRUE;
}

static gboolean
accept_word (Parser     *self,
             const char *word)
{
  gsize n = strlen (word);

  skip_blank (self);
  if ((gsize) (self->end - self->position) < n || memcmp (self->position, word, n) != 0)
    return FALSE;

  self->position += n;
  return TRUE;
}

/* Parses a string in single or double quotes. No expected string contains a backslash. */
static gboolean
parse_string (Parser  *self,
              char   **string,
              GError **error)
{
  const char *begin, *end;
  char quote;

  skip_blank (self);
  if (self->position == self->end || (*self->position != '\'' && *self->position != '"'))
    return fail_expected (self, '\'', error);

  quote = *self->position;
  begin = self->position + 1;
  end = memchr (begin, quote, self->end - begin);
  if (end == NULL || memchr (begin, '\\', end - begin) != NULL)
    return fail (self, _("a text does not end"), error);

  self->position = end + 1;
  *string = g_utf8_make_valid (begin, end - begin);
  return TRUE;
}

static gboolean
parse_integer (Parser  *self,
               gint64  *value,
               GError **error)
{
  const char *begin;

  skip_blank (self);
  begin = self->position;
  *value = 0;
  while (self->position < self->end && g_ascii_isdigit (*self->position))
    {
      int digit = *self->position - '0';

      if (*value > (G_MAXINT64 - digit) / 10)
        return fail (self, _("the number is too large"), error);
      *value = *value * 10 + digit;
      self->position++;
    }
  if (self->position == begin)
    return fail (self, _("expected an integer that is not negative"), error);

  /* Python 2 wrote long integers with an L. */
  accept (self, 'L');
  return TRUE;
}

/* Parses a tuple: "()", "(3,)" or "(2, 3)". */
static gboolean
parse_shape (Parser        *self,
             C2gNpyHeader  *header,
             GError       **error)
{
  g_autoptr (GArray) dims = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean has_comma = TRUE;

  if (!accept (self, '('))
    return fail_expected (self, '(', error);

  while (!accept (self, ')'))
    {
      gint64 dim;

      if (!has_comma)
        return fail_expected (self, ',', error);
      if (!parse_integer (self, &dim, error))
        return FALSE;
      g_array_append_val (dims, dim);
      has_comma = accept (self, ',');
    }
  /* In Python "(3)" is a number, not a tuple. */
  if (dims->len == 1 && !has_comma)
    return fail_expected (self, ',', error);

  header->n_dims = dims->len;
  header->dims = (gint64 *) g_array_free (g_steal_pointer (&dims), FALSE);
  return TRUE;
}

static gboolean
parse_number_type (C2gNpyHeader *header,
                   const char   *type)
{
  static const struct
  {
    const char *type;
    C2gDataType data_type;
  } types[] = {
    { "b1", C2G_DATA_TYPE_BOOL },
    { "i1", C2G_DATA_TYPE_INT8 },
    { "i2", C2G_DATA_TYPE_INT16 },
    { "i4", C2G_DATA_TYPE_INT32 },
    { "i8", C2G_DATA_TYPE_INT64 },
    { "u1", C2G_DATA_TYPE_UINT8 },
    { "u2", C2G_DATA_TYPE_UINT16 },
    { "u4", C2G_DATA_TYPE_UINT32 },
    { "u8", C2G_DATA_TYPE_UINT64 },
    { "f2", C2G_DATA_TYPE_FLOAT16 },
    { "f4", C2G_DATA_TYPE_FLOAT },
    { "f8", C2G_DATA_TYPE_DOUBLE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (types[i].type, type))
      {
        header->kind = C2G_NPY_NUMBERS;
        header->data_type = types[i].data_type;
        header->item_size = c2g_data_type_get_item_size (types[i].data_type);
        return TRUE;
      }

  return FALSE;
}

/* Parses "S" and the size in bytes, or "U" and the size in characters. */
static gboolean
parse_string_type (C2gNpyHeader *header,
                   const char   *type)
{
  guint64 size;

  if ((*type != 'S' && *type != 'U') ||
      !g_ascii_string_to_unsigned (type + 1, 10, 0, G_MAXINT / 4, &size, NULL))
    return FALSE;

  header->kind = *type == 'S' ? C2G_NPY_BYTES : C2G_NPY_TEXT;
  header->data_type = C2G_DATA_TYPE_STRING;
  header->item_size = *type == 'S' ? size : 4 * size;
  return TRUE;
}

static gboolean
parse_descr (C2gNpyHeader  *header,
             const char    *descr,
             GError       **error)
{
  const char *type = descr;
  char order = '|';

  if (*type != '\0' && strchr ("<>=|", *type) != NULL)
    order = *type++;
  header->is_swapped = order == (G_BYTE_ORDER == G_LITTLE_ENDIAN ? '>' : '<');

  if (parse_number_type (header, type) || parse_string_type (header, type))
    return TRUE;

  if (*type == 'O')
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                         _("The elements are pickled objects of Python, which are never read"));
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("The elements are of type “%s”, which c2g does not have"), descr);
  return FALSE;
}

static gboolean
parse_type (Parser        *self,
            C2gNpyHeader  *header,
            GError       **error)
{
  g_autofree char *descr = NULL;

  skip_blank (self);
  if (self->position < self->end && (*self->position == '[' || *self->position == '('))
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("The elements are structures, which c2g does not have"));

  return parse_string (self, &descr, error) && parse_descr (header, descr, error);
}

static gboolean
parse_order (Parser        *self,
             C2gNpyHeader  *header,
             GError       **error)
{
  header->is_fortran = accept_word (self, "True");
  return header->is_fortran || accept_word (self, "False") ||
         fail (self, _("expected True or False"), error);
}

/* Parses one member of the dictionary. Each key may appear once. */
static gboolean
parse_member (Parser        *self,
              C2gNpyHeader  *header,
              guint         *seen,
              GError       **error)
{
  static const char *const keys[] = { "descr", "fortran_order", "shape" };
  g_autofree char *key = NULL;
  guint i = 0;

  if (!parse_string (self, &key, error))
    return FALSE;
  while (i < G_N_ELEMENTS (keys) && !g_str_equal (keys[i], key))
    i++;
  if (i == G_N_ELEMENTS (keys) || (*seen & 1u << i) != 0)
    return fail (self, _("a key that is unknown, or comes twice"), error);
  *seen |= 1u << i;

  if (!accept (self, ':'))
    return fail_expected (self, ':', error);
  if (i == 0)
    return parse_type (self, header, error);
  return i == 1 ? parse_order (self, header, error) : parse_shape (self, header, error);
}

static gboolean
parse_dictionary (Parser        *self,
                  C2gNpyHeader  *header,
                  GError       **error)
{
  gboolean has_comma = TRUE;
  guint seen = 0;

  if (!accept (self, '{'))
    return fail_expected (self, '{', error);

  while (!accept (self, '}'))
    {
      if (!has_comma)
        return fail_expected (self, ',', error);
      if (!parse_member (self, header, &seen, error))
        return FALSE;
      has_comma = accept (self, ',');
    }

  skip_blank (self);
  if (self->position < self->end)
    return fail (self, _("something follows the end"), error);
  return seen == 7 || fail (self, _("descr, fortran_order or shape is missing"), error);
}

static gboolean
count (C2gNpyHeader  *self,
       GError       **error)
{
  gsize n_bytes;

  if (!c2g_shape_count (self->dims, self->n_dims, &self->n_elements, error) ||
      !c2g_shape_bytes (self->n_elements, self->item_size, &n_bytes, error))
    return FALSE;

  /* Elements of size 0 would take no space in the file, but memory for pointers: refuse them. */
  if (self->item_size == 0 && self->n_elements > 0)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("%" PRId64 " elements of no bytes"),
                     self->n_elements);

  self->n_bytes = n_bytes;
  return TRUE;
}

gboolean
c2g_npy_header_parse (C2gNpyHeader  *self,
                      const guint8  *data,
                      gsize          n_bytes,
                      GError       **error)
{
  gsize n_preamble;
  Parser parser;

  *self = (C2gNpyHeader) { 0 };
  if (!c2g_npy_header_measure (data, n_bytes, &self->n_header_bytes, error))
    return FALSE;

  g_assert (n_bytes >= self->n_header_bytes);
  n_preamble = data[6] > 1 ? 12 : 10;
  parser.begin = (const char *) data;
  parser.position = parser.begin + n_preamble;
  parser.end = parser.begin + self->n_header_bytes;
  return parse_dictionary (&parser, self, error) && count (self, error);
}

void
c2g_npy_header_clear (C2gNpyHeader *self)
{
  g_clear_pointer (&self->dims, g_free);
}

/* Writes version 1, which numpy writes too; it is large enough for all of its tensors. */
GBytes *
c2g_npy_header_new (const char   *descr,
                    const gint64 *dims,
                    gsize         n_dims)
{
  GString *header = g_string_new (NULL);
  guint16 length;

  g_string_append_len (header, MARK "\1\0\0\0", 10);
  g_string_append_printf (header, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
  for (gsize i = 0; i < n_dims; i++)
    g_string_append_printf (header, "%s%" PRId64, i > 0 ? ", " : "", dims[i]);
  g_string_append (header, n_dims == 1 ? ",), }" : "), }");
  if (n_dims > 0)
    {
      g_autofree char *digits = g_strdup_printf ("%" PRId64, dims[0]);

      g_string_append_printf (header, "%*s", (int) (GROWTH_DIGITS - strlen (digits)), "");
    }

  while ((header->len + 1) % ALIGNMENT != 0)
    g_string_append_c (header, ' ');
  g_string_append_c (header, '\n');

  length = GUINT16_TO_LE (header->len - 10);
  memcpy (header->str + 8, &length, sizeof length);
  return g_string_free_to_bytes (header);
}
