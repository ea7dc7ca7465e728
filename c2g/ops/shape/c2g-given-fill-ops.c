/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-int8-tensor.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/def/c2g-argument-private.h>
#include <c2g/def/c2g-operator-def-private.h>
#include <c2g/io/load/c2g-fill-values-private.h>
#include <c2g/ops/support/c2g-fill-shape-private.h>

#include <string.h>

/* Fill operators whose values are in their arguments. The shape is the argument shape or comes
 * from input 0 (see c2g-fill-shape-private.h).
 *
 * ConstantFill: value in every element.
 * GivenTensor…Fill: the list values, one per element; the operator names the type.
 * GivenTensorFill is float or dtype. GivenTensorByteStringToUInt8Fill takes the bytes of a
 * string.
 * Int8GivenTensorFill, Int8GivenIntTensorFill: a quantized tensor of uint8 or int32 with the scale
 * Y_scale and the zero point Y_zero_point; the shape is always the argument.
 *
 * All but the Int8 operators may be in place. The rules are Caffe2's. On CUDA kernels/fill.cu
 * repeats a constant; other values are put together on the CPU and copied. The Int8 operators run
 * on the CPU only. */

static const Caffe2__Argument *
find_argument (gconstpointer  definition,
               const char    *name)
{
  C2gArgument *argument = c2g_operator_def_find ((C2gOperatorDef *) definition, name);

  return argument != NULL ? c2g_argument_peek (argument) : NULL;
}

typedef struct
{
  C2gFillShape  shape;
  C2gFillValues values;
} GivenFill;

static gboolean
given_set_up (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  GivenFill *self = state;

  if (!c2g_fill_shape_set_up (op, state, error) ||
      !c2g_fill_values_init (&self->values, c2g_operator_get_op_type (op), find_argument,
                             c2g_operator_peek_def (op), error))
    return FALSE;

  self->shape.is_for_devices = self->values.is_constant;
  return TRUE;
}

/* The device repeats one item, which takes at most 16 bytes. */
static gboolean
repeat_on_device (C2gOperator          *op,
                  const C2gFillValues  *values,
                  C2gTensor            *output,
                  GError              **error)
{
  guint64 item[2];

  return c2g_fill_values_put (values, item, 1, error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_FILL, .y = c2g_tensor_address (output), .item = item,
                      .item_size = output->meta->item_size, .n = output->n_elements);
}

static gboolean
given_fill (C2gOperator   *op,
            C2gFillShape  *shape,
            C2gTensor     *output,
            GError       **error)
{
  GivenFill *self = (GivenFill *) shape;

  if (c2g_operator_get_compute (op) != NULL && self->values.is_constant)
    return repeat_on_device (op, &self->values, output, error);
  return c2g_fill_values_put (&self->values, c2g_tensor_address (output), output->n_elements,
                              error);
}

static gboolean
given_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  GivenFill *self = state;

  return c2g_fill_shape_run (&self->shape, op, self->values.data_type, given_fill, error);
}

/* Int8GivenTensorFill and Int8GivenIntTensorFill */

typedef struct
{
  const Caffe2__Argument *values;
  const gint64           *dims;
  gsize                   n_dims;
  float                   scale;
  int                     zero_point;
} Int8Fill;

static gboolean
int8_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  Int8Fill *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);
  gsize n_ints;

  self->values = find_argument (c2g_operator_peek_def (op), "values");
  if (g_str_equal (c2g_operator_get_op_type (op), "Int8GivenIntTensorFill"))
    c2g_arguments_ints (&arguments, "values", &n_ints);
  else if (self->values != NULL && !self->values->has_s && arguments.error == NULL)
    g_set_error_literal (&arguments.error, C2G_ERROR, C2G_ERROR_TYPE,
                         _("The argument “values” is not a string"));
  return c2g_arguments_finish (&arguments, error);
}

/* Returns the tensor inside the quantized output, which is kept from run to run. */
static C2gTensor *
get_int8_output (C2gOperator  *op,
                 Int8Fill     *self,
                 C2gDataType   data_type,
                 GError      **error)
{
  C2gBlob *blob = c2g_operator_get_output (op, 0);
  GObject *content = c2g_blob_get_object (blob);
  C2gTensor *tensor;

  if (!C2G_IS_INT8_TENSOR (content))
    {
      g_autoptr (C2gTensor) fresh = c2g_tensor_new ();
      g_autoptr (C2gInt8Tensor) quantized = NULL;

      quantized = c2g_int8_tensor_new (fresh, self->scale, self->zero_point);
      c2g_blob_set_object (blob, G_OBJECT (quantized));
      content = c2g_blob_get_object (blob);
    }

  tensor = c2g_int8_tensor_get_tensor (C2G_INT8_TENSOR (content));
  c2g_int8_tensor_set_scale (C2G_INT8_TENSOR (content), self->scale);
  c2g_int8_tensor_set_zero_point (C2G_INT8_TENSOR (content), self->zero_point);
  if (!c2g_tensor_resize (tensor, self->dims, self->n_dims, error))
    return NULL;
  if (c2g_operator_is_inferring (op))
    return c2g_tensor_set_data_type (tensor, data_type, error) ? tensor : NULL;
  return c2g_tensor_allocate (tensor, data_type, error) ? tensor : NULL;
}

static gboolean
check_count (C2gTensor  *tensor,
             gsize       n_values,
             GError    **error)
{
  if ((gsize) tensor->n_elements == n_values)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Expected %zu values of type %s, got %zu"),
                   (gsize) tensor->n_elements, c2g_type_meta_get_name (tensor->meta), n_values);
}

static gboolean
int8_bytes_run (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  Int8Fill *self = state;
  C2gTensor *tensor = get_int8_output (op, self, C2G_DATA_TYPE_UINT8, error);
  gsize n_values = self->values != NULL ? self->values->s.len : 0;

  if (tensor == NULL || !check_count (tensor, n_values, error))
    return FALSE;

  if (n_values > 0)
    memcpy (c2g_tensor_address (tensor), self->values->s.data, n_values);
  return TRUE;
}

static gboolean
int8_ints_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  Int8Fill *self = state;
  C2gTensor *tensor = get_int8_output (op, self, C2G_DATA_TYPE_INT32, error);
  gsize n_values = self->values != NULL ? self->values->n_ints : 0;
  gint32 *items;

  if (tensor == NULL || !check_count (tensor, n_values, error))
    return FALSE;

  items = c2g_tensor_address (tensor);
  for (gsize i = 0; i < n_values; i++)
    {
      gint64 value = self->values->ints[i];

      if (value < G_MININT32 || value > G_MAXINT32)
        return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("%" PRId64 " is no value of type %s"),
                         value, "int32");
      items[i] = (gint32) value;
    }
  return TRUE;
}

#define GIVEN(type, summary, ...)                                                                  \
  {                                                                                                \
    type, NULL, 0, 1, 1, 1, "0>0",                                                                 \
      C2G_ARGS (C2G_ARG_BASE (c2g_fill_shape_arguments), __VA_ARGS__), sizeof (GivenFill),         \
      given_set_up, given_run, NULL, NULL, summary, .infer = given_run, .is_for_devices = TRUE,    \
      .traits = C2G_TRAIT_PURE                                                                     \
  }
#define TYPED(type, summary)                                                                       \
  GIVEN (type, summary, C2G_ARG_READ ("values"), C2G_ARG_IGNORED ("dtype"))
#define INT8_ARGUMENTS                                                                             \
  C2G_ARGS (C2G_ARG_INTS (Int8Fill, dims, n_dims, "shape"),                                        \
            C2G_ARG_FLOAT (Int8Fill, scale, "Y_scale", 1),                                         \
            C2G_ARG_INT (Int8Fill, zero_point, "Y_zero_point", 0), C2G_ARG_READ ("values"),        \
            C2G_ARG_IGNORED ("value"))

static gboolean
int8_bytes_infer (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  return get_int8_output (op, state, C2G_DATA_TYPE_UINT8, error) != NULL;
}

static gboolean
int8_ints_infer (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  return get_int8_output (op, state, C2G_DATA_TYPE_INT32, error) != NULL;
}

static const C2gKernel kernels[] = {
  GIVEN ("ConstantFill", "A tensor of one value", C2G_ARG_READ ("dtype value")),
  GIVEN ("GivenTensorFill", "Given numbers, of type float or of the argument “dtype”",
         C2G_ARG_READ ("dtype values")),
  TYPED ("GivenTensorDoubleFill", "Given numbers of type double"),
  TYPED ("GivenTensorBoolFill", "Given truth values"),
  TYPED ("GivenTensorInt16Fill", "Given integers of 16 bits"),
  TYPED ("GivenTensorIntFill", "Given integers of 32 bits"),
  TYPED ("GivenTensorInt64Fill", "Given integers of 64 bits"),
  TYPED ("GivenTensorStringFill", "Given strings"),
  TYPED ("GivenTensorByteStringToUInt8Fill", "The bytes of a given string"),
  { "Int8GivenTensorFill", NULL, 0, 0, 1, 1, NULL, INT8_ARGUMENTS, sizeof (Int8Fill), int8_set_up,
    int8_bytes_run, NULL, NULL, "The bytes of a given string as quantized numbers",
    .infer = int8_bytes_infer },
  { "Int8GivenIntTensorFill", NULL, 0, 0, 1, 1, NULL, INT8_ARGUMENTS, sizeof (Int8Fill),
    int8_set_up,
    int8_ints_run, NULL, NULL, "Given integers of 32 bits as quantized numbers",
    .infer = int8_ints_infer },
};

C2G_OPS_FAMILY (given_fill);
