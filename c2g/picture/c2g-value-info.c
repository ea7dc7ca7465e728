/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-value-info-private.h"

#include "c2g-picture-private.h"

#include <string.h>

/* Reads value_info.json, in which a model of Caffe2 gives the types and shapes of its inputs. */

void
c2g_input_shape_free (gpointer data)
{
  C2gInputShape *self = data;

  g_free (self->dims);
  g_free (self);
}

/* Reads a value of any kind. Returns the shape if it is one: a type and a list of dimensions. Numbers
 * at other places are ignored. */
static C2gInputShape *
read_shape (GScanner *scanner)
{
  g_autoptr (GArray) dims = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 type = C2G_DATA_TYPE_UNDEFINED;
  gint64 sign = 1;
  int depth = 0;
  int deepest = 0;
  GTokenType token;
  C2gInputShape *shape;

  do
    {
      token = g_scanner_get_next_token (scanner);
      if (token == G_TOKEN_EOF || token == G_TOKEN_ERROR)
        return NULL;
      if (token == '[' || token == '{')
        {
          depth++;
          deepest = MAX (deepest, depth);
        }
      else if (token == ']' || token == '}')
        depth--;
      else if (token == G_TOKEN_INT)
        {
          const gint64 number = sign * (gint64) MIN (scanner->value.v_int64, G_MAXINT64);

          if (depth == 1)
            type = number;
          else if (depth == 2)
            g_array_append_val (dims, number);
        }
      sign = token == '-' ? -1 : 1;
    }
  while (depth > 0 || token == '-');
  if (deepest != 2)
    return NULL;

  shape = g_new0 (C2gInputShape, 1);
  shape->is_bytes = type == C2G_DATA_TYPE_UINT8 || type == C2G_DATA_TYPE_BYTE;
  shape->n_dims = dims->len;
  shape->dims = g_memdup2 (dims->data, dims->len * sizeof (gint64));

  return shape;
}

GHashTable *
c2g_value_info_parse (const char *text)
{
  GHashTable *shapes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, c2g_input_shape_free);
  GScanner *scanner = g_scanner_new (NULL);
  GTokenType token;

  scanner->config->store_int64 = TRUE;
  scanner->config->scan_octal = FALSE;
  scanner->config->scan_hex = FALSE;
  g_scanner_input_text (scanner, text, strlen (text));
  for (token = g_scanner_get_next_token (scanner); token == '{' || token == ',';
       token = g_scanner_get_next_token (scanner))
    {
      g_autofree char *input = NULL;
      C2gInputShape *shape;

      if (g_scanner_get_next_token (scanner) != G_TOKEN_STRING)
        break;
      input = g_strdup (scanner->value.v_string);
      if (g_scanner_get_next_token (scanner) != ':')
        break;
      shape = read_shape (scanner);
      if (shape != NULL)
        g_hash_table_replace (shapes, g_steal_pointer (&input), shape);
    }
  g_scanner_destroy (scanner);

  return shapes;
}
