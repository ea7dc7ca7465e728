/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layers-private.h>

#include <c2g/core/c2g-i18n-private.h>

/* Layers that choose rows. */

/* Returns a bottom, whose floats become numbers of another type. */
static const char *
cast (C2gCaffeLayer  *self,
      guint           bottom,
      C2gDataType     data_type,
      GError        **error)
{
  const char *result = c2g_caffe_layer_new_name (self, self->name, "rows");
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "Cast", c2g_caffe_layer_bottom (self, bottom), NULL);

  c2g_operator_def_set_int (op, "to", data_type);
  c2g_operator_def_add_output (op, result);
  return c2g_caffe_layer_emit (self, op, error) ? result : NULL;
}

gboolean
c2g_caffe_translate_batch_reindex (C2gCaffeLayer  *self,
                                   GError        **error)
{
  const char *rows = cast (self, 1, C2G_DATA_TYPE_INT32, error);

  return rows != NULL &&
         c2g_caffe_layer_emit (
           self, c2g_caffe_layer_new_op (self, "Gather", c2g_caffe_layer_bottom (self, 0), rows, NULL), error);
}

/* The selector has a number for each row, and may have more axes. */
static const char *
emit_mask (C2gCaffeLayer  *self,
           GError        **error)
{
  const gint64 flat = -1;
  const char *flags = cast (self, self->bottoms->len - 1, C2G_DATA_TYPE_BOOL, error);
  const char *mask = c2g_caffe_layer_new_name (self, self->name, "mask");
  C2gOperatorDef *op;

  if (flags == NULL)
    return NULL;
  op = c2g_caffe_layer_new_op (self, "Reshape", flags, NULL);
  c2g_operator_def_set_ints (op, "shape", &flat, 1);
  c2g_operator_def_add_output (op, mask);
  c2g_operator_def_add_output (op, c2g_caffe_layer_new_name (self, self->name, "old_shape"));
  return c2g_caffe_layer_emit (self, op, error) ? mask : NULL;
}

gboolean
c2g_caffe_translate_filter (C2gCaffeLayer  *self,
                            GError        **error)
{
  const char *mask;

  if (self->tops->len + 1 != self->bottoms->len)
    return c2g_caffe_layer_refuse (self, _("Tops that are not one less than the bottoms"), error);
  mask = emit_mask (self, error);
  for (guint i = 0; mask != NULL && i < self->tops->len; i++)
    {
      C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "BooleanMask", c2g_caffe_layer_bottom (self, i), mask, NULL);

      c2g_caffe_layer_add_top (self, op, i);
      if (!c2g_caffe_layer_emit (self, op, error))
        return FALSE;
    }
  return mask != NULL;
}
