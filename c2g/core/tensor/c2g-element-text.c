/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-element-private.h>

#include <c2g/core/types/c2g-type-meta-private.h>

#include <math.h>
#include <string.h>

/* Prints a single element of a tensor, for c2g_tensor_to_string() and error messages. */

/* Most bytes that are printed of an element of plain bytes. */
#define MAX_PRINTED_BYTES  16

/* Prints the fewest digits that read back as the same element. */
static char *
real_to_string (C2gTypeMeta   *meta,
                gconstpointer  item,
                double         value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  guint64 copy;

  if (isnan (value))
    return g_strdup ("nan");
  if (isinf (value))
    return g_strdup (value < 0 ? "-inf" : "inf");
  if (fabs (value) < 1e15 && value == trunc (value))
    return g_strdup_printf ("%.0f", value);

  for (int n_digits = 1; n_digits <= 17; n_digits++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%dg", n_digits);
      g_ascii_formatd (text, sizeof text, format, value);
      if (c2g_element_set_double (meta, &copy, g_ascii_strtod (text, NULL), NULL) &&
          memcmp (&copy, item, meta->item_size) == 0)
        break;
    }

  return g_strdup (text);
}

static void
append_character (GString  *text,
                  gunichar  character)
{
  if (character == '"' || character == '\\')
    g_string_append_printf (text, "\\%c", (char) character);
  else if (character == '\n')
    g_string_append (text, "\\n");
  else if (character == '\t')
    g_string_append (text, "\\t");
  else if (character < 0x80 && g_ascii_iscntrl (character))
    g_string_append_printf (text, "\\x%02x", character);
  else
    g_string_append_unichar (text, character);
}

/* Quotes a string. Bytes that are not valid UTF-8 are escaped one by one. */
static char *
quote_string (GBytes *string)
{
  GString *text = g_string_new ("\"");
  gsize n_left = 0;
  const char *bytes = string != NULL ? g_bytes_get_data (string, &n_left) : NULL;

  while (n_left > 0)
    {
      const gunichar character = *bytes != '\0' ? g_utf8_get_char_validated (bytes, n_left) : 0;
      gsize length = 1;

      if (character == (gunichar) -1 || character == (gunichar) -2)
        g_string_append_printf (text, "\\x%02x", (guchar) *bytes);
      else
        {
          append_character (text, character);
          length = g_utf8_next_char (bytes) - bytes;
        }

      bytes += length;
      n_left -= length;
    }

  return g_string_free (g_string_append_c (text, '"'), FALSE);
}

static char *
plain_to_string (C2gTypeMeta   *meta,
                 gconstpointer  item)
{
  const guchar *bytes = item;
  GString *text = g_string_new ("0x");

  for (gsize i = 0; i < MIN (meta->item_size, MAX_PRINTED_BYTES); i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  if (meta->item_size > MAX_PRINTED_BYTES)
    g_string_append (text, "…");

  return g_string_free (text, FALSE);
}

char *
c2g_element_to_string (C2gTypeMeta   *meta,
                       gconstpointer  item)
{
  g_auto (GValue) value = G_VALUE_INIT;

  if (meta->data_type == C2G_DATA_TYPE_STRING)
    return quote_string (*(GBytes *const *) item);
  if (!c2g_element_is_number (meta) && meta->funcs.get == NULL)
    return meta->is_plain ? plain_to_string (meta, item) : g_strdup_printf ("(%s)", meta->name);

  c2g_element_get_value (meta, item, &value);
  if (!c2g_element_is_number (meta))
    return g_strdup_value_contents (&value);

  switch (G_VALUE_TYPE (&value))
    {
    case G_TYPE_BOOLEAN:
      return g_strdup (g_value_get_boolean (&value) ? "true" : "false");
    case G_TYPE_INT:
      return g_strdup_printf ("%d", g_value_get_int (&value));
    case G_TYPE_UINT:
      return g_strdup_printf ("%u", g_value_get_uint (&value));
    case G_TYPE_INT64:
      return g_strdup_printf ("%" G_GINT64_FORMAT, g_value_get_int64 (&value));
    case G_TYPE_UINT64:
      return g_strdup_printf ("%" G_GUINT64_FORMAT, g_value_get_uint64 (&value));
    case G_TYPE_FLOAT:
      return real_to_string (meta, item, g_value_get_float (&value));
    case G_TYPE_DOUBLE:
    default:
      return real_to_string (meta, item, g_value_get_double (&value));
    }
}
