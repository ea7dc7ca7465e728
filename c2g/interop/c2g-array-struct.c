/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/interop/c2g-array-struct.h>
#include <c2g/interop/c2g-dlpack-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

/* Exports tensors by the C structure of NumPy's array interface. DLPack is newer and knows more,
 * but NumPy asks for this one when it is given any object. */

/* The structure as NumPy's manual describes it (The array interface protocol, C-struct access). */
typedef struct
{
  int       two;
  int       n_dims;
  char      kind;
  int       item_size;
  int       flags;
  gssize   *shape;
  gssize   *strides;
  gpointer  data;
  gpointer  description;
} ArrayStruct;

enum
{
  IS_CONTIGUOUS = 0x1,
  IS_ALIGNED = 0x100,
  IS_IN_NATIVE_ORDER = 0x200,
  IS_WRITABLE = 0x400,
};

/* One allocation with everything that the consumer reads. */
typedef struct
{
  ArrayStruct array;

  /* Keeps the memory alive and at its address. */
  C2gMapping *mapping;
  /* The shape, followed by the strides. */
  gssize      numbers[];
} Export;

/* Returns 0 for a type that the interface has no letter for. */
static char
get_kind (C2gDlTypeCode code)
{
  switch (code)
    {
    case C2G_DL_INT:
      return 'i';
    case C2G_DL_UINT:
      return 'u';
    case C2G_DL_FLOAT:
      return 'f';
    case C2G_DL_BOOL:
      return 'b';
    default:
      return 0;
    }
}

static void
fill (Export     *self,
      C2gTensor  *source,
      char        kind,
      C2gMapping *mapping)
{
  gsize item_size = source->meta->item_size;
  gssize *strides = self->numbers + source->n_dims;
  gssize stride = (gssize) item_size;

  for (gsize i = source->n_dims; i-- > 0;)
    {
      self->numbers[i] = source->dims[i];
      strides[i] = stride;
      /* If the tensor is empty, the product of the other dimensions could overflow. */
      if (source->n_elements > 0)
        stride *= source->dims[i];
    }

  self->mapping = mapping;
  self->array = (ArrayStruct) {
    .two = 2,
    .n_dims = (int) source->n_dims,
    .kind = kind,
    .item_size = (int) item_size,
    .flags = IS_CONTIGUOUS | IS_ALIGNED | IS_IN_NATIVE_ORDER |
             ((c2g_mapping_get_flags (mapping) & C2G_MAP_WRITE) != 0 ? IS_WRITABLE : 0),
    .shape = self->numbers,
    .strides = strides,
    .data = (gpointer) (gsize) c2g_mapping_get_address (mapping),
  };
}

/**
 * c2g_tensor_to_array_struct:
 * @self: a tensor on the CPU with data, of plain numbers
 * @error: return location for an error
 *
 * Exports the elements by the C structure of NumPy's array interface.
 *
 * It is what Python's `__array_struct__` holds, so that `numpy.asarray()` makes an
 * array over the tensor. The consumer gets a live view, as from [method@Tensor.map]:
 * both read and write the same memory, which stays at its address until the structure
 * is released, even if the tensor is freed before. Read-only memory is marked so. If
 * somebody holds immutable bytes of the tensor, the tensor moves to a copy first.
 *
 * The caller owns the structure at the address, and frees it by [func@array_struct_release].
 *
 * Fails with `C2G_ERROR_TYPE` for elements that the interface does not know, such as
 * those of `bfloat16`, `C2G_ERROR_DEVICE` for a tensor on another device,
 * `C2G_ERROR_SHAPE` without a shape, `C2G_ERROR_FAILED` without data, and
 * `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: the address of a `PyArrayInterface`; 0 with an error
 */
guint64
c2g_tensor_to_array_struct (C2gTensor  *self,
                            GError    **error)
{
  C2gMapping *mapping;
  C2gDlType type;
  Export *export;
  char kind;

  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  if (self->device->type != C2G_DEVICE_TYPE_CPU)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                   _("Expected a tensor on the CPU, got one on %s: get a copy by to_device()"),
                   c2g_device_to_string (self->device));
      return 0;
    }

  if (!c2g_dlpack_check_elements (self, error))
    return 0;

  mapping = c2g_dlpack_pin (self, C2G_DLPACK_VERSIONED, C2G_DL_STREAM_NONE, error);
  if (mapping == NULL)
    return 0;

  /* DLPack knows the type, but knows more types than this interface. */
  kind = c2g_dlpack_type_for_data_type (self->meta->data_type, &type) ? get_kind (type.code) : 0;
  export = kind != 0 ? g_try_malloc (sizeof *export + 2 * self->n_dims * sizeof (gssize)) : NULL;
  if (export == NULL)
    {
      if (kind == 0)
        g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                     _("The array interface has no element type for “%s”"), self->meta->name);
      else
        g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                     _("No memory to describe a tensor of %zu dimensions"), self->n_dims);
      c2g_mapping_unref (mapping);
      return 0;
    }

  fill (export, self, kind, mapping);
  return (guint64) (gsize) export;
}

/**
 * c2g_array_struct_release:
 * @array: the address of an export of [method@Tensor.to_array_struct]
 *
 * Frees an export, so that the tensor's memory may move again.
 *
 * Any thread may call this.
 */
void
c2g_array_struct_release (guint64 array)
{
  Export *self = (Export *) (gsize) array;

  g_return_if_fail (array != 0);

  c2g_mapping_unref (self->mapping);
  g_free (self);
}
