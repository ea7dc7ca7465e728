/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layers-private.h>

#include <c2g/core/types/c2g-i18n-private.h>

/* Translates layers that select rows: BatchReindex, which becomes Gather, and Filter, which becomes a
 * BooleanMask for each top. */

gboolean
c2g_caffe_translate_batch_reindex (C2gCaffeLayer  *self,
                                   GError        **error)
{
  const char *rows = c2g_caffe_layer_new_name (self, self->name, "rows");

  return c2g_caffe_layer_emit_cast (self, c2g_caffe_layer_bottom (self, 1), C2G_DATA_TYPE_INT32, rows, error) &&
         c2g_caffe_layer_emit (
           self, c2g_caffe_layer_new_op (self, "Gather", c2g_caffe_layer_bottom (self, 0), rows, NULL), error);
}

/* Converts the selector to a boolean mask. It has one number for each row, but may have more axes. */
static gboolean
emit_mask (C2gCaffeLayer  *self,
           const char     *mask,
           GError        **error)
{
  const gint64 flat = -1;
  const char *selector = c2g_caffe_layer_bottom (self, self->bottoms->len - 1);
  const char *flags = c2g_caffe_layer_new_name (self, self->name, "flags");

  return c2g_caffe_layer_emit_cast (self, selector, C2G_DATA_TYPE_BOOL, flags, error) &&
         c2g_caffe_layer_emit_reshape (self, flags, &flat, 1, mask, error);
}

gboolean
c2g_caffe_translate_filter (C2gCaffeLayer  *self,
                            GError        **error)
{
  const char *mask = c2g_caffe_layer_new_name (self, self->name, "mask");

  if (self->tops->len + 1 != self->bottoms->len)
    return c2g_caffe_layer_refuse (self, _("Tops that are not one less than the bottoms"), error);
  if (!emit_mask (self, mask, error))
    return FALSE;
  for (guint i = 0; i < self->tops->len; i++)
    {
      C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "BooleanMask", c2g_caffe_layer_bottom (self, i), mask, NULL);

      c2g_caffe_layer_add_top (self, op, i);
      if (!c2g_caffe_layer_emit (self, op, error))
        return FALSE;
    }
  return TRUE;
}
