/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layers-private.h>

#include <c2g/core/types/c2g-i18n-private.h>

/* Translates layers that work on axes: Softmax, Concat, Slice, Split, Permute, Reshape, Flatten,
 * Reduction, Tile, ArgMax and Crop. The first axis, the batch, may have another size in a run than in
 * the text. So shapes give it as 0, with which Reshape copies the size of the input. */

static gboolean
emit_ints (C2gCaffeLayer  *self,
           const char     *op_type,
           const char     *source,
           const char     *argument,
           GArray         *values,
           GError        **error)
{
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, op_type, source, NULL);

  c2g_operator_def_set_ints (op, argument, (const gint64 *) values->data, values->len);
  return c2g_caffe_layer_emit (self, op, error);
}

static gboolean
emit_axis (C2gCaffeLayer  *self,
           const char     *source,
           const char     *output,
           gint64          axis,
           GError        **error)
{
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, self->type->op_type, source, NULL);

  c2g_operator_def_set_int (op, "axis", axis);
  if (output != NULL)
    c2g_operator_def_add_output (op, output);
  return c2g_caffe_layer_emit (self, op, error);
}

/* Swaps the axis with the last one; a second call restores the order. */
static gboolean
swap (C2gCaffeLayer  *self,
      const char     *source,
      const char     *output,
      gint64          axis,
      gsize           n_dims,
      GError        **error)
{
  g_autofree gint64 *axes = g_new (gint64, n_dims);
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "Transpose", source, NULL);

  for (gsize i = 0; i < n_dims; i++)
    axes[i] = i;
  axes[axis] = n_dims - 1;
  axes[n_dims - 1] = axis;
  c2g_operator_def_set_ints (op, "axes", axes, n_dims);
  if (output != NULL)
    c2g_operator_def_add_output (op, output);
  return c2g_caffe_layer_emit (self, op, error);
}

/* c2g's Softmax normalizes over all axes from one on, so Caffe's axis must be the last: otherwise
 * it is swapped with the last one before and after. Axes of size 1 behind it are not ignored,
 * because larger images make them larger. */
gboolean
c2g_caffe_translate_softmax (C2gCaffeLayer  *self,
                             GError        **error)
{
  const char *turned = c2g_caffe_layer_new_name (self, self->name, "turned");
  gsize n_dims;
  gint64 axis;

  if (!c2g_caffe_layer_get_axis (self, "axis", 1, &axis, error) ||
      c2g_caffe_layer_need_dims (self, 0, &n_dims, error) == NULL)
    return FALSE;
  if (axis == (gint64) n_dims - 1)
    return emit_axis (self, c2g_caffe_layer_bottom (self, 0), NULL, axis, error);

  return swap (self, c2g_caffe_layer_bottom (self, 0), turned, axis, n_dims, error) &&
         emit_axis (self, turned, turned, n_dims - 1, error) &&
         swap (self, turned, NULL, axis, n_dims, error);
}

/* Old texts name the axis in a field of its own, such as concat_dim. */
static gboolean
get_old_axis (C2gCaffeLayer  *self,
              const char     *old_name,
              gint64         *axis,
              GError        **error)
{
  const gint64 old = c2g_prototxt_get_int (&self->net->text, self->param, old_name, 1);

  return c2g_caffe_layer_get_axis (self, "axis", old, axis, error);
}

gboolean
c2g_caffe_translate_concat (C2gCaffeLayer  *self,
                            GError        **error)
{
  const char *sizes = c2g_caffe_layer_new_name (self, self->name, "sizes");
  C2gOperatorDef *op;
  gint64 axis;

  if (!get_old_axis (self, "concat_dim", &axis, error))
    return FALSE;
  op = c2g_operator_def_new ("Concat");
  for (guint i = 0; i < self->bottoms->len; i++)
    c2g_operator_def_add_input (op, c2g_caffe_layer_bottom (self, i));
  c2g_operator_def_set_int (op, "axis", axis);
  c2g_caffe_layer_add_top (self, op, 0);
  c2g_operator_def_add_output (op, sizes);
  return c2g_caffe_layer_emit (self, op, error);
}

/* Converts the slice points to sizes; the last part is the rest. */
static gboolean
get_parts (C2gCaffeLayer  *self,
           gint64          axis,
           GArray         *parts,
           GError        **error)
{
  gsize n_dims;
  const gint64 *dims = c2g_caffe_layer_need_dims (self, 0, &n_dims, error);
  gint64 last;

  if (dims == NULL)
    return FALSE;
  if (axis >= (gint64) n_dims || parts->len + 1 != self->tops->len)
    return c2g_caffe_layer_refuse (self, _("Slice points that do not fit the tops"), error);
  last = dims[axis];
  g_array_append_val (parts, last);
  for (guint i = parts->len - 1; i > 0; i--)
    g_array_index (parts, gint64, i) -= g_array_index (parts, gint64, i - 1);
  return TRUE;
}

gboolean
c2g_caffe_translate_slice (C2gCaffeLayer  *self,
                           GError        **error)
{
  g_autoptr (GArray) parts = c2g_prototxt_list_ints (&self->net->text, self->param, "slice_point");
  C2gOperatorDef *op;
  gint64 axis;

  if (!get_old_axis (self, "slice_dim", &axis, error) ||
      (parts->len > 0 && !get_parts (self, axis, parts, error)))
    return FALSE;
  op = c2g_caffe_layer_new_op (self, "Split", c2g_caffe_layer_bottom (self, 0), NULL);
  c2g_operator_def_set_int (op, "axis", axis);
  if (parts->len > 0)
    c2g_operator_def_set_ints (op, "split", (const gint64 *) parts->data, parts->len);
  return c2g_caffe_layer_emit (self, op, error);
}

gboolean
c2g_caffe_translate_split (C2gCaffeLayer  *self,
                           GError        **error)
{
  for (guint i = 0; i < self->tops->len; i++)
    {
      C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "Copy", c2g_caffe_layer_bottom (self, 0), NULL);

      c2g_caffe_layer_add_top (self, op, i);
      if (!c2g_caffe_layer_emit (self, op, error))
        return FALSE;
    }
  return TRUE;
}

/* Axes that the text does not list follow in their order. */
gboolean
c2g_caffe_translate_permute (C2gCaffeLayer  *self,
                             GError        **error)
{
  g_autoptr (GArray) order = c2g_prototxt_list_ints (&self->net->text, self->param, "order");
  const guint n_named = order->len;
  gsize n_dims;

  if (c2g_caffe_layer_need_dims (self, 0, &n_dims, error) == NULL)
    return FALSE;
  for (gint64 axis = 0; axis < (gint64) n_dims; axis++)
    {
      gboolean is_named = FALSE;

      for (guint i = 0; i < n_named; i++)
        is_named |= g_array_index (order, gint64, i) == axis;
      if (!is_named)
        g_array_append_val (order, axis);
    }
  return emit_ints (self, "Transpose", c2g_caffe_layer_bottom (self, 0), "axes", order, error);
}

gboolean
c2g_caffe_translate_tile (C2gCaffeLayer  *self,
                          GError        **error)
{
  C2gOperatorDef *op;
  gint64 axis;

  if (!c2g_caffe_layer_get_axis (self, "axis", 1, &axis, error))
    return FALSE;
  op = c2g_caffe_layer_new_op (self, "Tile", c2g_caffe_layer_bottom (self, 0), NULL);
  c2g_operator_def_set_int (op, "axis", axis);
  c2g_operator_def_set_int (op, "tiles", c2g_prototxt_get_int (&self->net->text, self->param, "tiles", 1));
  return c2g_caffe_layer_emit (self, op, error);
}

static gboolean
emit_shape (C2gCaffeLayer  *self,
            GArray         *shape,
            GError        **error)
{
  return c2g_caffe_layer_emit_reshape (self, c2g_caffe_layer_bottom (self, 0), (const gint64 *) shape->data, shape->len,
                                       NULL, error);
}

/* Completes a shape with the axes before and behind the changed ones. Before them, 0 copies the
 * size of the input. Behind them the axis may have another index, so the sizes are written out.
 * N_AXES is -1 if the changed axes reach to the last one. */
static gboolean
frame_shape (C2gCaffeLayer  *self,
             GArray         *shape,
             gint64          begin,
             gint64          n_axes,
             GError        **error)
{
  const gint64 zero = 0;
  const gint64 *dims;
  gsize n_dims;

  if (n_axes >= 0)
    {
      dims = c2g_caffe_layer_need_dims (self, 0, &n_dims, error);
      if (dims == NULL)
        return FALSE;
      if (begin > (gint64) n_dims || n_axes > (gint64) n_dims - begin)
        return c2g_caffe_layer_refuse (self, _("There are not as many axes"), error);
      g_array_append_vals (shape, dims + begin + n_axes, n_dims - begin - n_axes);
    }
  for (gint64 i = 0; i < begin; i++)
    g_array_prepend_val (shape, zero);
  return TRUE;
}

gboolean
c2g_caffe_translate_flatten (C2gCaffeLayer  *self,
                             GError        **error)
{
  const gint64 end_or_all = c2g_prototxt_get_int (&self->net->text, self->param, "end_axis", -1);
  g_autoptr (GArray) shape = g_array_new (FALSE, FALSE, sizeof (gint64));
  const gint64 rest = -1;
  gint64 axis, end;

  if (!c2g_caffe_layer_get_axis (self, "axis", 1, &axis, error) ||
      (end_or_all != -1 && !c2g_caffe_layer_get_axis (self, "end_axis", -1, &end, error)))
    return FALSE;
  if (end_or_all != -1 && end < axis)
    return c2g_caffe_layer_refuse (self, _("There are not as many axes"), error);
  g_array_append_val (shape, rest);
  return frame_shape (self, shape, axis, end_or_all != -1 ? end + 1 - axis : -1, error) &&
         emit_shape (self, shape, error);
}

gboolean
c2g_caffe_translate_reshape (C2gCaffeLayer  *self,
                             GError        **error)
{
  C2gPrototxt *text = &self->net->text;
  C2gPrototxtField *message = c2g_prototxt_find_message (text, self->param, "shape");
  g_autoptr (GArray) shape = c2g_prototxt_list_ints (text, message, "dim");
  gint64 axis = c2g_prototxt_get_int (text, self->param, "axis", 0);
  const gint64 n_axes = c2g_prototxt_get_int (text, self->param, "num_axes", -1);
  gsize n_dims;

  /* -1 inserts behind the last axis. */
  if (axis < 0)
    {
      if (c2g_caffe_layer_need_dims (self, 0, &n_dims, error) == NULL)
        return FALSE;
      axis += n_dims + 1;
    }
  if (axis < 0 || axis > G_MAXINT16 || n_axes < -1)
    return c2g_caffe_layer_refuse (self, _("There are not as many axes"), error);

  return frame_shape (self, shape, axis, n_axes, error) && emit_shape (self, shape, error);
}

gboolean
c2g_caffe_translate_reduction (C2gCaffeLayer  *self,
                               GError        **error)
{
  static const char *const operations[] = { "", "SUM", "ASUM", "SUMSQ", "MEAN", NULL };
  static const char *const op_types[] = { "", "ReduceSum", "ReduceL1", "ReduceSum", "ReduceMean" };
  C2gPrototxt *text = &self->net->text;
  const gint64 operation = c2g_prototxt_get_enum (text, self->param, "operation", operations, 1);
  const double factor = c2g_prototxt_get_double (text, self->param, "coeff", 1);
  const char *squares = c2g_caffe_layer_new_name (self, self->name, "squares");
  const char *source = c2g_caffe_layer_bottom (self, 0);
  g_autoptr (GArray) axes = g_array_new (FALSE, FALSE, sizeof (gint64));
  C2gOperatorDef *op;
  gsize n_dims;
  gint64 axis;

  if (!c2g_caffe_layer_get_axis (self, "axis", 0, &axis, error) ||
      c2g_caffe_layer_need_dims (self, 0, &n_dims, error) == NULL)
    return FALSE;
  for (; axis < (gint64) n_dims; axis++)
    g_array_append_val (axes, axis);
  /* SUMSQ is the sum of the squares. */
  if (operation == 3)
    {
      op = c2g_caffe_layer_new_op (self, "Sqr", source, NULL);
      c2g_operator_def_add_output (op, squares);
      source = squares;
      if (!c2g_caffe_layer_emit (self, op, error))
        return FALSE;
    }

  op = c2g_caffe_layer_new_op (self, op_types[operation], source, NULL);
  c2g_operator_def_set_ints (op, "axes", (const gint64 *) axes->data, axes->len);
  c2g_operator_def_set_int (op, "keepdims", 0);
  if (!c2g_caffe_layer_emit (self, op, error))
    return FALSE;
  if (factor == 1)
    return TRUE;
  op = c2g_caffe_layer_new_op (self, "Scale", c2g_caffe_layer_top (self, 0), NULL);
  c2g_operator_def_set_float (op, "scale", factor);
  return c2g_caffe_layer_emit (self, op, error);
}

gboolean
c2g_caffe_translate_arg_max (C2gCaffeLayer  *self,
                             GError        **error)
{
  C2gPrototxt *text = &self->net->text;
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "CaffeArgMax", c2g_caffe_layer_bottom (self, 0), NULL);

  if (c2g_prototxt_find (self->param, "axis") != NULL)
    c2g_operator_def_set_int (op, "axis", c2g_prototxt_get_int (text, self->param, "axis", 0));
  c2g_operator_def_set_int (op, "top_k", c2g_prototxt_get_int (text, self->param, "top_k", 1));
  c2g_operator_def_set_int (op, "out_max_val", c2g_prototxt_get_bool (text, self->param, "out_max_val", FALSE));
  return c2g_caffe_layer_emit (self, op, error);
}

gboolean
c2g_caffe_translate_crop (C2gCaffeLayer  *self,
                          GError        **error)
{
  g_autoptr (GArray) offset = c2g_prototxt_list_ints (&self->net->text, self->param, "offset");
  C2gOperatorDef *op;
  gint64 axis;

  if (!c2g_caffe_layer_get_axis (self, "axis", 2, &axis, error))
    return FALSE;
  op = c2g_caffe_layer_new_op (self, "Crop", c2g_caffe_layer_bottom (self, 0), c2g_caffe_layer_bottom (self, 1), NULL);
  c2g_operator_def_set_int (op, "axis", axis);
  if (offset->len > 0)
    c2g_operator_def_set_ints (op, "offset", (const gint64 *) offset->data, offset->len);
  return c2g_caffe_layer_emit (self, op, error);
}
