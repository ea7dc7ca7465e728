/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-q-tensor-private.h>
#include <c2g/core/tensor/c2g-q-tensor.h>

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-nan-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <string.h>

/**
 * C2gQTensor:
 *
 * A tensor of a few bits an element, as Caffe2's `QTensor`.
 *
 * The bits lie in planes: first the lowest bit of every element, then the next
 * one, and for signed elements the signs last. A plane begins on a byte and the
 * first element is the highest bit of its byte, so that 30 elements of 3 bits take
 * 12 bytes.
 *
 * An element stands for its bits as a number, negative where its sign is set,
 * times the scale, plus the bias. Caffe2 keeps the scale and the bias beside the
 * bits and never applies them; [method@QTensor.get_value] does.
 *
 * ```c
 * g_autoptr (C2gQTensor) tensor = c2g_q_tensor_new (dims, n_dims, 3, FALSE, &error);
 *
 * if (tensor != NULL)
 *   c2g_q_tensor_set_scale (tensor, 0.125);
 * ```
 *
 * ## Threads
 *
 * One writer at a time, and no reader beside it.
 */

/* Limit on the bits of an element: its number, with a sign, must be exact as a double. */
#define MAX_PRECISION 52

struct _C2gQTensor
{
  GObject    parent_instance;

  gint64    *dims;
  gsize      n_dims;
  gint64     n_elements;
  guint      precision;
  gboolean   is_signed;
  double     scale;
  double     bias;

  /* The bit planes, one after the other. They are the elements of a tensor, so that the ledger
   * counts them like all other memory. */
  C2gTensor *planes;
  gsize      plane_bytes;
};

G_DEFINE_FINAL_TYPE (C2gQTensor, c2g_q_tensor, G_TYPE_OBJECT)

static guint
count_planes (C2gQTensor *self)
{
  return self->precision + (self->is_signed ? 1 : 0);
}

static gboolean
check_index (C2gQTensor  *self,
             guint        plane,
             gint64       index,
             GError     **error)
{
  if (plane >= count_planes (self))
    return c2g_fail (error, C2G_ERROR_RANGE, _("Bit %u of elements of %u bits"), plane,
                     count_planes (self));
  if (index < 0 || index >= self->n_elements)
    return c2g_fail (error, C2G_ERROR_RANGE, _("Element %" PRId64 " of %" PRId64), index,
                     self->n_elements);

  return TRUE;
}

static gboolean
bit_at (C2gQTensor   *self,
        const guint8 *planes,
        guint         plane,
        gint64        index)
{
  return (planes[plane * self->plane_bytes + index / 8] >> (7 - index % 8)) & 1;
}

static void
c2g_q_tensor_finalize (GObject *object)
{
  C2gQTensor *self = C2G_Q_TENSOR (object);

  g_free (self->dims);
  g_clear_object (&self->planes);

  G_OBJECT_CLASS (c2g_q_tensor_parent_class)->finalize (object);
}

static void
c2g_q_tensor_class_init (C2gQTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_q_tensor_finalize;
}

static void
c2g_q_tensor_init (C2gQTensor *self)
{
  self->scale = 1;
  self->planes = c2g_tensor_new ();
}

/* Returns zeroed planes for n_elements, or NULL with an error. */
static C2gTensor *
new_planes (gint64   n_elements,
            guint    n_planes,
            GError **error)
{
  gint64 dims[2] = { n_planes, n_elements / 8 + (n_elements % 8 != 0 ? 1 : 0) };
  g_autoptr (C2gTensor) planes = c2g_tensor_new_sized (dims, 2, NULL, error);

  if (planes == NULL || !c2g_tensor_allocate (planes, C2G_DATA_TYPE_UINT8, error))
    return NULL;
  if (c2g_tensor_get_n_bytes (planes) > 0)
    memset (c2g_tensor_mutable_data (planes, C2G_DATA_TYPE_UINT8, NULL), 0,
            c2g_tensor_get_n_bytes (planes));
  return g_steal_pointer (&planes);
}

C2gTensor *
c2g_q_tensor_get_planes (C2gQTensor *self)
{
  return self->planes;
}

/**
 * c2g_q_tensor_new:
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: how many there are
 * @precision: bits of an element without its sign, 1 to 52
 * @is_signed: whether elements have a sign beside their bits
 * @error: return location for an error
 *
 * Makes a tensor of elements that are all zero, with scale 1 and bias 0.
 *
 * Errors: `C2G_ERROR_SHAPE` for negative dimensions, `C2G_ERROR_RANGE` for a size
 * or a precision that is too large, `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: (transfer full): a new tensor
 */
C2gQTensor *
c2g_q_tensor_new (const gint64  *dims,
                  gsize          n_dims,
                  guint          precision,
                  gboolean       is_signed,
                  GError       **error)
{
  g_autoptr (C2gTensor) planes = NULL;
  C2gQTensor *self;
  gint64 n_elements;

  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (precision < 1 || precision > MAX_PRECISION)
    return c2g_fail_null (error, C2G_ERROR_RANGE, _("A precision of %u bits, expected 1 to %d"),
                          precision, MAX_PRECISION);
  if (!c2g_shape_count (dims, n_dims, &n_elements, error))
    return NULL;
  planes = new_planes (n_elements, precision + (is_signed ? 1 : 0), error);
  if (planes == NULL)
    return NULL;

  self = g_object_new (C2G_TYPE_Q_TENSOR, NULL);
  self->dims = g_memdup2 (dims, n_dims * sizeof *dims);
  self->n_dims = n_dims;
  self->n_elements = n_elements;
  self->precision = precision;
  self->is_signed = is_signed;
  self->plane_bytes = c2g_tensor_get_dim (planes, 1, NULL);
  g_set_object (&self->planes, planes);
  return self;
}

/**
 * c2g_q_tensor_get_dims:
 * @self: a quantized tensor
 * @n_dims: (out): how many dimensions there are
 *
 * Gets the dimensions.
 *
 * Returns: (transfer none) (array length=n_dims): the dimensions; none for a scalar
 */
const gint64 *
c2g_q_tensor_get_dims (C2gQTensor *self,
                       gsize      *n_dims)
{
  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), NULL);
  g_return_val_if_fail (n_dims != NULL, NULL);

  *n_dims = self->n_dims;
  return self->dims;
}

/**
 * c2g_q_tensor_get_n_elements:
 * @self: a quantized tensor
 *
 * Gets how many elements there are.
 *
 * Returns: the product of the dimensions
 */
gint64
c2g_q_tensor_get_n_elements (C2gQTensor *self)
{
  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), 0);

  return self->n_elements;
}

/**
 * c2g_q_tensor_get_precision:
 * @self: a quantized tensor
 *
 * Gets how many bits an element has, its sign not counted.
 *
 * Returns: the number of bits
 */
guint
c2g_q_tensor_get_precision (C2gQTensor *self)
{
  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), 0);

  return self->precision;
}

/**
 * c2g_q_tensor_is_signed:
 * @self: a quantized tensor
 *
 * Tells whether elements have a sign, in a plane after those of their bits.
 *
 * Returns: true if they have one
 */
gboolean
c2g_q_tensor_is_signed (C2gQTensor *self)
{
  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), FALSE);

  return self->is_signed;
}

/**
 * c2g_q_tensor_get_n_bytes:
 * @self: a quantized tensor
 *
 * Gets how many bytes the planes take.
 *
 * Returns: the number of bytes
 */
gsize
c2g_q_tensor_get_n_bytes (C2gQTensor *self)
{
  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), 0);

  return c2g_tensor_get_n_bytes (self->planes);
}

/**
 * c2g_q_tensor_get_scale:
 * @self: a quantized tensor
 *
 * Gets what an element's number is multiplied with.
 *
 * Returns: the scale
 */
double
c2g_q_tensor_get_scale (C2gQTensor *self)
{
  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), 0);

  return self->scale;
}

/**
 * c2g_q_tensor_set_scale:
 * @self: a quantized tensor
 * @scale: the scale
 *
 * Sets what an element's number is multiplied with.
 */
void
c2g_q_tensor_set_scale (C2gQTensor *self,
                        double      scale)
{
  g_return_if_fail (C2G_IS_Q_TENSOR (self));

  self->scale = c2g_with_plain_nan (scale);
}

/**
 * c2g_q_tensor_get_bias:
 * @self: a quantized tensor
 *
 * Gets what is added to an element's scaled number.
 *
 * Returns: the bias
 */
double
c2g_q_tensor_get_bias (C2gQTensor *self)
{
  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), 0);

  return self->bias;
}

/**
 * c2g_q_tensor_set_bias:
 * @self: a quantized tensor
 * @bias: the bias
 *
 * Sets what is added to an element's scaled number.
 */
void
c2g_q_tensor_set_bias (C2gQTensor *self,
                       double      bias)
{
  g_return_if_fail (C2G_IS_Q_TENSOR (self));

  self->bias = c2g_with_plain_nan (bias);
}

/**
 * c2g_q_tensor_get_bit:
 * @self: a quantized tensor
 * @plane: which bit, 0 for the lowest; the precision for the sign
 * @index: the element
 * @error: return location for an error
 *
 * Gets one bit of an element.
 *
 * Errors: `C2G_ERROR_RANGE`.
 *
 * Returns: 0 or 1, or -1 with @error set
 */
int
c2g_q_tensor_get_bit (C2gQTensor  *self,
                      guint        plane,
                      gint64       index,
                      GError     **error)
{
  const guint8 *planes;

  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  if (!check_index (self, plane, index, error))
    return -1;

  planes = c2g_tensor_data (self->planes, C2G_DATA_TYPE_UINT8, error);
  return planes == NULL ? -1 : bit_at (self, planes, plane, index);
}

/**
 * c2g_q_tensor_set_bit:
 * @self: a quantized tensor
 * @plane: which bit, 0 for the lowest; the precision for the sign
 * @index: the element
 * @value: the bit
 * @error: return location for an error
 *
 * Sets one bit of an element.
 *
 * Errors: `C2G_ERROR_RANGE`.
 *
 * Returns: true if the bit was set
 */
gboolean
c2g_q_tensor_set_bit (C2gQTensor  *self,
                      guint        plane,
                      gint64       index,
                      gboolean     value,
                      GError     **error)
{
  guint8 *planes;
  guint8 mask;

  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_index (self, plane, index, error))
    return FALSE;
  planes = c2g_tensor_mutable_data (self->planes, C2G_DATA_TYPE_UINT8, error);
  if (planes == NULL)
    return FALSE;

  planes += plane * self->plane_bytes + index / 8;
  mask = 1 << (7 - index % 8);
  *planes = value ? *planes | mask : *planes & ~mask;
  return TRUE;
}

/**
 * c2g_q_tensor_get_value:
 * @self: a quantized tensor
 * @index: the element
 * @error: return location for an error
 *
 * Gets the number that an element stands for.
 *
 * Errors: `C2G_ERROR_RANGE`.
 *
 * Returns: the element's number times the scale, plus the bias; 0 with @error set
 */
double
c2g_q_tensor_get_value (C2gQTensor  *self,
                        gint64       index,
                        GError     **error)
{
  const guint8 *planes;
  gint64 number = 0;

  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  if (!check_index (self, 0, index, error))
    return 0;
  planes = c2g_tensor_data (self->planes, C2G_DATA_TYPE_UINT8, error);
  if (planes == NULL)
    return 0;

  for (guint plane = 0; plane < self->precision; plane++)
    number |= (gint64) bit_at (self, planes, plane, index) << plane;
  if (self->is_signed && bit_at (self, planes, self->precision, index))
    number = -number;
  return number * self->scale + self->bias;
}

/**
 * c2g_q_tensor_dup_bytes:
 * @self: a quantized tensor
 * @error: return location for an error
 *
 * Copies the planes.
 *
 * Errors: `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: (transfer full): the planes, one after the other
 */
GBytes *
c2g_q_tensor_dup_bytes (C2gQTensor  *self,
                        GError     **error)
{
  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_tensor_dup_bytes (self->planes, error);
}

/**
 * c2g_q_tensor_set_bytes:
 * @self: a quantized tensor
 * @bytes: the planes, one after the other
 * @error: return location for an error
 *
 * Sets all bits at once.
 *
 * Errors: `C2G_ERROR_SHAPE` if @bytes has another size than the planes.
 *
 * Returns: true if the bits were set
 */
gboolean
c2g_q_tensor_set_bytes (C2gQTensor  *self,
                        GBytes      *bytes,
                        GError     **error)
{
  g_return_val_if_fail (C2G_IS_Q_TENSOR (self), FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (g_bytes_get_size (bytes) != c2g_q_tensor_get_n_bytes (self))
    return c2g_fail (error, C2G_ERROR_SHAPE, _("Expected %zu bytes, got %zu"),
                     c2g_q_tensor_get_n_bytes (self), g_bytes_get_size (bytes));
  return c2g_tensor_set_bytes (self->planes, bytes, error);
}
