/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-int8-tensor.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-nan-private.h>
#include <c2g/core/types/c2g-property-private.h>

#include <math.h>

/**
 * C2gInt8Tensor:
 *
 * A tensor of small integers that stand for real numbers, as Caffe2's `Int8TensorCPU`.
 *
 * An element stands for its distance from the zero point, times the scale. The integers
 * are in a [class@Tensor]: `C2G_DATA_TYPE_UINT8` as a rule, and `C2G_DATA_TYPE_INT32`
 * where products are summed up, such as in a bias. Only these two can be saved.
 *
 * ```c
 * g_autoptr (C2gInt8Tensor) quantized = c2g_int8_tensor_new (tensor, 0.5, 128);
 * double first = c2g_int8_tensor_get_value (quantized, 0, &error);
 * ```
 *
 * ```python
 * quantized = C2g.Int8Tensor(tensor=tensor, scale=0.5, zero_point=128)
 * quantized.get_value(0)
 * ```
 *
 * ## Threads
 *
 * One writer at a time, and no reader beside it.
 */

struct _C2gInt8Tensor
{
  GObject    parent_instance;

  /* Never NULL once constructed. */
  C2gTensor *tensor;
  float      scale;
  int        zero_point;
};

enum
{
  PROP_0,
  PROP_TENSOR,
  PROP_SCALE,
  PROP_ZERO_POINT,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gInt8Tensor, c2g_int8_tensor, G_TYPE_OBJECT)

/* Moves the label of the old tensor to the new one, because the blob that holds the Int8Tensor
 * stays the same. */
static void
move_label (C2gTensor *from,
            C2gTensor *to)
{
  if (from == to || from->label == NULL)
    return;

  c2g_tensor_set_label (to, from->label);
  c2g_tensor_set_label (from, NULL);
}

/* NULL keeps the present tensor: there always is one. */
static void
set_given_tensor (C2gInt8Tensor *self,
                  C2gTensor     *tensor)
{
  if (tensor != NULL)
    c2g_int8_tensor_set_tensor (self, tensor);
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_TENSOR] = {
    .get = G_CALLBACK (c2g_int8_tensor_get_tensor),
    .set = G_CALLBACK (set_given_tensor),
  },
  [PROP_SCALE] = C2G_PROPERTY (c2g_int8_tensor, scale),
  [PROP_ZERO_POINT] = C2G_PROPERTY (c2g_int8_tensor, zero_point),
};

static void
c2g_int8_tensor_finalize (GObject *object)
{
  C2gInt8Tensor *self = C2G_INT8_TENSOR (object);

  g_object_unref (self->tensor);

  G_OBJECT_CLASS (c2g_int8_tensor_parent_class)->finalize (object);
}

static void
c2g_int8_tensor_class_init (C2gInt8TensorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->finalize = c2g_int8_tensor_finalize;

  /**
   * C2gInt8Tensor:tensor: (getter get_tensor) (setter set_tensor)
   *
   * The integers; a tensor of its own unless another one is set.
   */
  props[PROP_TENSOR] =
    g_param_spec_object ("tensor", NULL, NULL,
                         C2G_TYPE_TENSOR,
                         flags);

  /**
   * C2gInt8Tensor:scale: (getter get_scale) (setter set_scale)
   *
   * The factor of the differences from the zero point: an integer stands for `(integer - zero_point)
   * * scale`.
   */
  /* A scale from a file may be NaN, which GObject takes for a value out of range and refuses unless
   * validation is lax. */
  props[PROP_SCALE] =
    g_param_spec_float ("scale", NULL, NULL,
                        -INFINITY, INFINITY, 1,
                        flags | G_PARAM_LAX_VALIDATION);

  /**
   * C2gInt8Tensor:zero-point: (getter get_zero_point) (setter set_zero_point)
   *
   * The integer that stands for zero.
   */
  props[PROP_ZERO_POINT] =
    g_param_spec_int ("zero-point", NULL, NULL,
                      G_MININT32, G_MAXINT32, 0,
                      flags);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_int8_tensor_init (C2gInt8Tensor *self)
{
  self->tensor = c2g_tensor_new ();
  self->scale = 1;
}

/**
 * c2g_int8_tensor_new:
 * @tensor: (nullable): the integers, or `NULL` for an empty tensor of its own
 * @scale: what their distance from the zero point is multiplied with
 * @zero_point: the integer that stands for zero
 *
 * Makes a quantized tensor.
 *
 * Returns: (transfer full): a new quantized tensor
 */
C2gInt8Tensor *
c2g_int8_tensor_new (C2gTensor *tensor,
                     float      scale,
                     int        zero_point)
{
  g_return_val_if_fail (tensor == NULL || C2G_IS_TENSOR (tensor), NULL);

  return g_object_new (C2G_TYPE_INT8_TENSOR,
                       "tensor", tensor,
                       "scale", scale,
                       "zero-point", zero_point,
                       NULL);
}

/**
 * c2g_int8_tensor_get_tensor: (get-property tensor)
 * @self: a quantized tensor
 *
 * Gets the integers.
 *
 * Returns: (transfer none): the tensor that holds them
 */
C2gTensor *
c2g_int8_tensor_get_tensor (C2gInt8Tensor *self)
{
  g_return_val_if_fail (C2G_IS_INT8_TENSOR (self), NULL);

  return self->tensor;
}

/**
 * c2g_int8_tensor_set_tensor: (set-property tensor)
 * @self: a quantized tensor
 * @tensor: the tensor that holds the integers
 *
 * Sets the integers.
 */
void
c2g_int8_tensor_set_tensor (C2gInt8Tensor *self,
                            C2gTensor     *tensor)
{
  g_return_if_fail (C2G_IS_INT8_TENSOR (self));
  g_return_if_fail (C2G_IS_TENSOR (tensor));

  move_label (self->tensor, tensor);
  if (g_set_object (&self->tensor, tensor))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TENSOR]);
}

/**
 * c2g_int8_tensor_get_scale: (get-property scale)
 * @self: a quantized tensor
 *
 * Gets what an integer's distance from the zero point is multiplied with.
 *
 * Returns: the scale
 */
float
c2g_int8_tensor_get_scale (C2gInt8Tensor *self)
{
  g_return_val_if_fail (C2G_IS_INT8_TENSOR (self), 0);

  return self->scale;
}

/**
 * c2g_int8_tensor_set_scale: (set-property scale)
 * @self: a quantized tensor
 * @scale: the scale
 *
 * Sets what an integer's distance from the zero point is multiplied with.
 */
void
c2g_int8_tensor_set_scale (C2gInt8Tensor *self,
                           float          scale)
{
  g_return_if_fail (C2G_IS_INT8_TENSOR (self));

  if (self->scale == scale)
    return;

  self->scale = (float) c2g_with_plain_nan (scale);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SCALE]);
}

/**
 * c2g_int8_tensor_get_zero_point: (get-property zero-point)
 * @self: a quantized tensor
 *
 * Gets the integer that stands for zero.
 *
 * Returns: the zero point
 */
int
c2g_int8_tensor_get_zero_point (C2gInt8Tensor *self)
{
  g_return_val_if_fail (C2G_IS_INT8_TENSOR (self), 0);

  return self->zero_point;
}

/**
 * c2g_int8_tensor_set_zero_point: (set-property zero-point)
 * @self: a quantized tensor
 * @zero_point: the zero point
 *
 * Sets the integer that stands for zero.
 */
void
c2g_int8_tensor_set_zero_point (C2gInt8Tensor *self,
                                int            zero_point)
{
  g_return_if_fail (C2G_IS_INT8_TENSOR (self));

  if (self->zero_point == zero_point)
    return;

  self->zero_point = zero_point;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ZERO_POINT]);
}

/**
 * c2g_int8_tensor_get_value:
 * @self: a quantized tensor
 * @index: the element
 * @error: return location for an error
 *
 * Gets the number that an element stands for.
 *
 * Sets `C2G_ERROR_RANGE` if there is no such element, and what
 * [method@Tensor.get_int64] sets if the tensor holds no integers.
 *
 * Returns: the element's distance from the zero point, times the scale; 0 with @error set
 */
double
c2g_int8_tensor_get_value (C2gInt8Tensor  *self,
                           gint64          index,
                           GError        **error)
{
  g_autoptr (GError) local_error = NULL;
  gint64 number;

  g_return_val_if_fail (C2G_IS_INT8_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  number = c2g_tensor_get_int64 (self->tensor, index, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return 0;
    }

  return ((double) number - self->zero_point) * self->scale;
}
