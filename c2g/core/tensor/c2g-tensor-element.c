/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <c2g/core/tensor/c2g-element-private.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/* Reads and writes single elements, for tests, examples and bindings. */

static gboolean
check_element (C2gTensor  *self,
               gint64      index,
               GError    **error)
{
  if (!c2g_tensor_check_data (self, error))
    return FALSE;

  if (index < 0 || index >= self->n_elements)
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("Expected an index that is 0 or more and below %" PRId64 ", got %" PRId64),
                 self->n_elements, index);
  else if (self->device->type != C2G_DEVICE_TYPE_CPU)
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("Elements on %s cannot be reached one by one; copy the tensor to the CPU"),
                 c2g_device_to_string (self->device));
  else
    return c2g_storage_finish_uses (self->storage, error);

  return FALSE;
}

static gpointer
item_at (C2gTensor *self,
         gint64     index)
{
  return (char *) c2g_tensor_address (self) + (gsize) index * self->meta->item_size;
}

static gconstpointer
readable_item (C2gTensor  *self,
               gint64      index,
               GError    **error)
{
  return check_element (self, index, error) ? item_at (self, index) : NULL;
}

typedef gboolean (*SetFunc) (C2gTypeMeta   *meta,
                             gpointer       item,
                             gconstpointer  value,
                             GError       **error);

/* Checks that a value can be stored, by storing it in a temporary element. */
static gboolean
try_item (C2gTensor      *self,
          SetFunc         set,
          gconstpointer   value,
          GError        **error)
{
  g_autofree gpointer item = g_malloc (self->meta->item_size);
  gboolean done;

  c2g_type_meta_construct (self->meta, item, 1);
  done = set (self->meta, item, value, error);
  c2g_type_meta_destroy (self->meta, item, 1);

  return done;
}

/* Tries the value first if the tensor must move to a copy: it must not move for a value that does
 * not fit. Checks again after the move, because signal handlers may change the tensor. */
static gboolean
set_item (C2gTensor      *self,
          gint64          index,
          SetFunc         set,
          gconstpointer   value,
          GError        **error)
{
  g_autoptr (C2gStorage) held = NULL;

  if (!check_element (self, index, error))
    return FALSE;

  if (G_UNLIKELY (!c2g_tensor_begin_write (self)) &&
      (!try_item (self, set, value, error) ||
       !c2g_tensor_make_writable (self, error) ||
       !check_element (self, index, error)))
    return FALSE;

  /* Setting or destroying an element may run foreign code: keep the block. */
  if (!self->meta->is_plain)
    held = c2g_storage_ref (self->storage);

  return set (self->meta, item_at (self, index), value, error);
}

static gboolean
set_double (C2gTypeMeta    *meta,
            gpointer        item,
            gconstpointer   value,
            GError        **error)
{
  return c2g_element_set_double (meta, item, *(const double *) value, error);
}

static gboolean
set_int64 (C2gTypeMeta    *meta,
           gpointer        item,
           gconstpointer   value,
           GError        **error)
{
  return c2g_element_set_int64 (meta, item, *(const gint64 *) value, error);
}

static gboolean
set_gvalue (C2gTypeMeta    *meta,
            gpointer        item,
            gconstpointer   value,
            GError        **error)
{
  return c2g_element_set_value (meta, item, value, error);
}

/**
 * c2g_tensor_get_value:
 * @self: a tensor of numbers, with data, on the CPU
 * @index: which element, in row-major order
 * @error: return location for an error
 *
 * Gets an element as a floating-point number.
 *
 * Integers beyond 2^53 are rounded; [method@Tensor.get_int64] is exact. Every NaN is returned
 * as the same NaN, without its payload bits.
 *
 * Fails with `C2G_ERROR_RANGE` if there is no such element, `C2G_ERROR_TYPE` if it
 * is not a number, `C2G_ERROR_SHAPE` without a shape, `C2G_ERROR_FAILED` without data
 * and `C2G_ERROR_DEVICE` on another device.
 *
 * Returns: the number, or 0 with an error
 */
double
c2g_tensor_get_value (C2gTensor  *self,
                      gint64      index,
                      GError    **error)
{
  gconstpointer item;
  double value = 0;

  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  item = readable_item (self, index, error);
  if (item == NULL || !c2g_element_get_double (self->meta, item, &value, error))
    return 0;

  return value;
}

/**
 * c2g_tensor_set_value:
 * @self: a tensor of numbers, with data, on the CPU
 * @index: which element, in row-major order
 * @value: a number
 * @error: return location for an error
 *
 * Sets an element to a floating-point number.
 *
 * Floating-point elements round to the nearest. A value that the type does not have is an
 * error: a fraction for an integer, a number beyond the largest one of the type, and any value
 * but 0 and 1 for a boolean. [method@Tensor.convert] and the operator `Cast` convert such
 * numbers.
 *
 * Fails as [method@Tensor.get_value] does, with `C2G_ERROR_RANGE` if the element
 * cannot hold the number, and with `C2G_ERROR_NO_MEMORY` if read-only memory
 * has to be copied first.
 *
 * Returns: whether the element was set
 */
gboolean
c2g_tensor_set_value (C2gTensor  *self,
                      gint64      index,
                      double      value,
                      GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return set_item (self, index, set_double, &value, error);
}

/**
 * c2g_tensor_get_int64:
 * @self: a tensor of numbers, with data, on the CPU
 * @index: which element, in row-major order
 * @error: return location for an error
 *
 * Gets an element as an integer, exactly.
 *
 * Fractions are dropped. Fails as [method@Tensor.get_value] does, and with
 * `C2G_ERROR_RANGE` if the number is not in the range of 64-bit integers.
 *
 * Returns: the integer, or 0 with an error
 */
gint64
c2g_tensor_get_int64 (C2gTensor  *self,
                      gint64      index,
                      GError    **error)
{
  gconstpointer item;
  gint64 value = 0;

  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  item = readable_item (self, index, error);
  if (item == NULL || !c2g_element_get_int64 (self->meta, item, &value, error))
    return 0;

  return value;
}

/**
 * c2g_tensor_set_int64:
 * @self: a tensor of numbers, with data, on the CPU
 * @index: which element, in row-major order
 * @value: an integer
 * @error: return location for an error
 *
 * Sets an element to an integer; floats round to the nearest.
 *
 * Fails as [method@Tensor.set_value] does.
 *
 * Returns: whether the element was set
 */
gboolean
c2g_tensor_set_int64 (C2gTensor  *self,
                      gint64      index,
                      gint64      value,
                      GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return set_item (self, index, set_int64, &value, error);
}

/**
 * c2g_tensor_get_element:
 * @self: a tensor with data, on the CPU
 * @index: which element, in row-major order
 * @value: (out caller-allocates): the element
 *
 * Gets an element of any type.
 *
 * Numbers are returned as 32-bit or 64-bit numbers of the same kind, strings as strings, or as
 * `GLib.Bytes` if they are not UTF-8, elements of a GType as that type, and other plain
 * elements as `GLib.Bytes` of their size. If there is no such element, or the memory is on
 * another device than the CPU, the value is a `NULL` pointer (`None`, `null`);
 * [method@Tensor.dup_element] returns the error.
 *
 * Some bindings free a returned value too early, or never. They have
 * [method@Tensor.copy_element] and [method@Tensor.dup_element]; the page Languages says which
 * of them to use.
 */
void
c2g_tensor_get_element (C2gTensor *self,
                        gint64     index,
                        GValue    *value)
{
  gconstpointer item;

  g_return_if_fail (C2G_IS_TENSOR (self));
  g_return_if_fail (value != NULL);

  item = readable_item (self, index, NULL);
  if (item != NULL)
    c2g_element_get_value (self->meta, item, value);
  else
    g_value_init (value, G_TYPE_POINTER);
}

/**
 * c2g_tensor_copy_element:
 * @self: a tensor with data, on the CPU
 * @index: which element, in row-major order
 * @value: a value that the caller made, zero-filled or not
 * @error: return location for an error
 *
 * Copies an element of any type into a value that belongs to the caller.
 *
 * It is the result of [method@Tensor.get_element], for bindings. The old content of @value is
 * released. Fails as [method@Tensor.dup_element] does, and leaves @value unchanged then.
 *
 * Returns: whether there is such an element
 */
gboolean
c2g_tensor_copy_element (C2gTensor  *self,
                         gint64      index,
                         GValue     *value,
                         GError    **error)
{
  gconstpointer item;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (value != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  item = readable_item (self, index, error);
  if (item == NULL)
    return FALSE;

  if (G_IS_VALUE (value))
    g_value_unset (value);
  c2g_element_get_value (self->meta, item, value);

  return TRUE;
}

/**
 * c2g_tensor_set_element:
 * @self: a tensor with data, on the CPU
 * @index: which element, in row-major order
 * @value: (nullable): what [method@Tensor.get_element] gives for such an element, or
 *   another number; `NULL` is the same as a `NULL` pointer
 * @error: return location for an error
 *
 * Sets an element of any type.
 *
 * Fails with `C2G_ERROR_RANGE` if there is no such element or it cannot hold the
 * number, `C2G_ERROR_TYPE` if it cannot be made of @value, `C2G_ERROR_FAILED`
 * without data and `C2G_ERROR_DEVICE` on another device.
 *
 * Returns: whether the element was set
 */
gboolean
c2g_tensor_set_element (C2gTensor     *self,
                        gint64         index,
                        const GValue  *value,
                        GError       **error)
{
  GValue none = G_VALUE_INIT;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (value == NULL || G_IS_VALUE (value), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  /* PyGObject makes no value of None. */
  if (value == NULL)
    value = g_value_init (&none, G_TYPE_POINTER);

  return set_item (self, index, set_gvalue, value, error);
}

static void
append_elements (C2gTensor *self,
                 GString   *text,
                 gsize      max_elements)
{
  gsize n_shown = MIN ((gsize) self->n_elements, max_elements);

  for (gsize i = 0; i < n_shown; i++)
    {
      g_autofree char *element = c2g_element_to_string (self->meta, item_at (self, (gint64) i));

      g_string_append (text, i == 0 ? ": " : ", ");
      g_string_append (text, element);
    }

  if (n_shown > 0 && n_shown < (gsize) self->n_elements)
    g_string_append (text, ", …");
}

/**
 * c2g_tensor_to_string:
 * @self: a tensor
 * @max_elements: how many elements to show
 *
 * Describes the tensor for people.
 *
 * The elements are shown if they are on the CPU.
 *
 * Returns: (transfer full): text such as “float [2, 2] on cpu: 1, 2, 3, …”
 */
char *
c2g_tensor_to_string (C2gTensor *self,
                      gsize      max_elements)
{
  g_autofree char *dims = NULL;
  GString *text;

  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);

  dims = c2g_shape_to_string (self->dims, self->n_dims);
  text = g_string_new (NULL);
  g_string_append_printf (text, "%s %s on %s", self->meta != NULL ? self->meta->name : "undefined",
                          self->is_defined ? dims : "without a shape",
                          c2g_device_to_string (self->device));
  if (self->storage == NULL && self->n_elements > 0)
    g_string_append (text, ", not allocated");
  else if (self->device->type == C2G_DEVICE_TYPE_CPU &&
           c2g_storage_finish_uses (self->storage, NULL))
    append_elements (self, text, max_elements);

  return g_string_free (text, FALSE);
}
