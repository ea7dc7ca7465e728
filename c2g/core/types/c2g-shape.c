/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-shape-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Computes with shapes, and checks for overflow: sizes, axes, and their text. All code that
 * computes sizes uses it. */

/* Number of dimensions that texts show: hostile files have more. */
#define N_SHOWN 64

static gboolean
fail_negative (const gint64  *dims,
               gsize          n_dims,
               GError       **error)
{
  g_autofree char *text = c2g_shape_to_string (dims, n_dims);

  return c2g_fail (error, C2G_ERROR_SHAPE, _("Dimensions must not be negative, got %s"), text);
}

static gboolean
fail_overflow (const gint64  *dims,
               gsize          n_dims,
               GError       **error)
{
  g_autofree char *text = c2g_shape_to_string (dims, n_dims);

  return c2g_fail (error, C2G_ERROR_RANGE, _("The shape %s has more than %lld elements"), text,
                   (long long) G_MAXINT64);
}

gboolean
c2g_shape_count_rest (const gint64  *dims,
                      gsize          n_dims,
                      gint64        *n_elements,
                      GError       **error)
{
  gint64 product = 1;
  gboolean overflow = FALSE;
  gboolean is_empty = FALSE;

  for (gsize i = 0; i < n_dims; i++)
    {
      if (G_UNLIKELY (dims[i] < 0))
        return fail_negative (dims, n_dims, error);
      is_empty |= dims[i] == 0;
      overflow |= __builtin_mul_overflow (product, dims[i], &product);
    }

  /* A zero dimension makes the product 0, even if other dimensions overflow. */
  if (G_UNLIKELY (overflow && !is_empty))
    return fail_overflow (dims, n_dims, error);

  *n_elements = is_empty ? 0 : product;
  return TRUE;
}

gboolean
c2g_shape_fail_bytes (gint64    n_elements,
                      gsize     item_size,
                      GError  **error)
{
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("%lld elements of %zu bytes are more than memory can hold"),
                   (long long) n_elements, item_size);
}

int
c2g_shape_axis (int      axis,
                gsize    n_dims,
                GError **error)
{
  const gint64 rank = MIN (n_dims, (gsize) G_MAXINT);
  const gint64 counted = axis < 0 ? axis + rank : axis;

  if (G_LIKELY (counted >= 0 && counted < rank))
    return counted;

  g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
               _("There is no axis %d in %zu dimensions"), axis, n_dims);
  return -1;
}

char *
c2g_shape_to_string (const gint64 *dims,
                     gsize         n_dims)
{
  GString *text = g_string_new ("[");

  for (gsize i = 0; i < MIN (n_dims, N_SHOWN); i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", dims[i]);
  g_string_append (text, n_dims > N_SHOWN ? ", …]" : "]");

  return g_string_free (text, FALSE);
}
