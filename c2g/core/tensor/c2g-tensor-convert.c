/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/tensor/c2g-tensor-convert.h>
#include <c2g/core/tensor/c2g-tensor-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/tensor/c2g-element-private.h>
#include <c2g/core/tensor/c2g-far-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/* Converts tensors to another element type. If the device of a tensor has the functions, it
 * converts there. Otherwise the elements are copied to the CPU, converted, and copied back. */

G_DEFINE_FLAGS_TYPE (C2gConvertFlags, c2g_convert_flags,
                     G_DEFINE_ENUM_VALUE (C2G_CONVERT_NONE, "none"),
                     G_DEFINE_ENUM_VALUE (C2G_CONVERT_SATURATE, "saturate"),
                     G_DEFINE_ENUM_VALUE (C2G_CONVERT_WRAP, "wrap"))

static gboolean
check_number_type (C2gTypeMeta  *meta,
                   GError      **error)
{
  if (meta != NULL && c2g_element_is_number (meta))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE, _("Expected elements that are numbers, got “%s”"),
                   meta != NULL ? meta->name : "undefined");
}

gboolean
c2g_tensor_check_numbers (C2gTensor  *self,
                          GError    **error)
{
  return check_number_type (self->meta, error);
}

C2gTensor *
c2g_tensor_ref_on_cpu (C2gTensor  *self,
                       GError    **error)
{
  if (self->device->type != C2G_DEVICE_TYPE_CPU)
    return c2g_tensor_to_device (self, c2g_device_cpu (), error);

  return c2g_storage_finish_uses (self->storage, error) ? g_object_ref (self) : NULL;
}

C2gTensor *
c2g_tensor_hold_on_cpu (C2gTensor  *self,
                        GError    **error)
{
  g_autoptr (C2gTensor) near = c2g_tensor_ref_on_cpu (self, error);

  return near != NULL ? c2g_tensor_new_sharing (near) : NULL;
}

static gboolean
fail_unfit (C2gTensor    *source,
            gsize         position,
            C2gTypeMeta  *meta,
            GError      **error)
{
  g_autoptr (C2gTensor) item = c2g_tensor_dup_range (source, (gint64) position,
                                                     (gint64) position + 1, c2g_device_cpu (), error);
  g_autofree char *number = NULL;

  if (item == NULL)
    return FALSE;

  number = c2g_element_to_string (source->meta, c2g_tensor_address (item));
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("Element %zu is %s, which does not fit into an element of type “%s”"),
                   position, number, meta->name);
}

/* Converts all elements of source on the CPU. The target memory must not overlap them. */
static gboolean
convert_to (C2gTensor        *source,
            C2gTypeMeta      *meta,
            gpointer          target,
            C2gConvertFlags   flags,
            GError          **error)
{
  gsize position = 0;

  return source->n_elements == 0 ||
         c2g_convert_items (meta->data_type, target, source->meta->data_type,
                            c2g_tensor_address (source), (gsize) source->n_elements, flags,
                            &position) ||
         fail_unfit (source, position, meta, error);
}

gboolean
c2g_tensor_is_converted_on (C2gDevice *device)
{
  return c2g_device_backend_has_compute (device, C2G_COMPUTE_KIND_CONVERT) &&
         c2g_device_backend_has_compute (device, C2G_COMPUTE_KIND_SATURATE) &&
         c2g_device_backend_has_compute (device, C2G_COMPUTE_KIND_FIND_OUTSIDE);
}

static gboolean
can_convert_far (C2gTensor *source)
{
  return source->n_elements > 0 && c2g_tensor_is_converted_on (source->device);
}

/* Searches for a number that does not fit. This waits for the device. */
static gboolean
check_fit_far (C2gFar                 *far,
               C2gTypeMeta            *meta,
               const C2gComputeRange  *range,
               GError                **error)
{
  const gsize n = (gsize) far->self->n_elements;
  gsize position;

  if (!C2G_FAR_COMPUTE (far, error, C2G_COMPUTE_KIND_FIND_OUTSIDE, .type = far->self->meta->data_type,
                        .x = c2g_tensor_address (far->self), .n = n, .range = range,
                        .position = &position))
    return FALSE;

  return position == n || fail_unfit (far->self, position, meta, error);
}

/* Queues the conversion of the first tensor into memory at TARGET on the same device. */
static gboolean
convert_far_to (C2gFar           *far,
                C2gTypeMeta      *meta,
                gpointer          target,
                C2gConvertFlags   flags,
                GError          **error)
{
  const C2gDataType from = far->self->meta->data_type, to = meta->data_type;
  const C2gComputeRange *range = c2g_convert_find_range (to, from);
  const gboolean is_checked = (flags & (C2G_CONVERT_SATURATE | C2G_CONVERT_WRAP)) == 0;
  const gsize n = (gsize) far->self->n_elements;
  gconstpointer source = c2g_tensor_address (far->self);

  if (range != NULL && is_checked && !check_fit_far (far, meta, range, error))
    return FALSE;
  if (range != NULL && !is_checked && (flags & C2G_CONVERT_WRAP) == 0 &&
      c2g_convert_is_integer (from) && c2g_convert_is_integer (to))
    return C2G_FAR_COMPUTE (far, error, C2G_COMPUTE_KIND_SATURATE, .type = from, .x = source,
                            .y_type = to, .y = target, .n = n, .range = range);

  return C2G_FAR_COMPUTE (far, error, C2G_COMPUTE_KIND_CONVERT, .type = from, .x = source, .y_type = to,
                          .y = target, .n = n);
}

/* Gives an empty tensor the shape of source and memory for elements of the type. */
static gboolean
allocate_far (C2gTensor    *self,
              C2gTensor    *source,
              C2gTypeMeta  *meta,
              C2gContext   *context,
              GError      **error)
{
  C2gTensorChanges changes = { 0 };
  C2gStorage *storage;
  gsize n_bytes;

  if (!c2g_shape_bytes (source->n_elements, meta->item_size, &n_bytes, error) ||
      !c2g_tensor_new_block (self, meta, n_bytes, context, &storage, error))
    return FALSE;

  c2g_tensor_assign_block (self, storage, 0, n_bytes, &changes);
  c2g_tensor_assign_type (self, meta, &changes);
  c2g_tensor_assign_dims (self, source->dims, source->n_dims, source->n_elements, &changes);
  return TRUE;
}

/* Converts into a new tensor on the same device. */
static C2gTensor *
new_converted_far (C2gTensor        *source,
                   C2gTypeMeta      *meta,
                   C2gConvertFlags   flags,
                   GError          **error)
{
  g_autoptr (C2gTensor) converted = c2g_tensor_new_for_device (source->device);
  C2gFar far;

  if (!c2g_far_begin (&far, source, NULL, error))
    return NULL;

  far.other = g_object_ref (converted);
  if (!c2g_far_end (&far,
                    allocate_far (converted, far.self, meta, far.context, error) &&
                    convert_far_to (&far, meta, c2g_tensor_address (converted), flags, error),
                    error))
    return NULL;

  return g_steal_pointer (&converted);
}

/* Converts a CPU tensor into a new one on the CPU. Keeps its own view of the source, because
 * allocators are foreign code and may change source. */
static C2gTensor *
new_converted_near (C2gTensor        *source,
                    C2gTypeMeta      *meta,
                    C2gConvertFlags   flags,
                    GError          **error)
{
  g_autoptr (C2gTensor) converted = c2g_tensor_new ();
  g_autoptr (C2gTensor) held = c2g_tensor_new_sharing (source);

  if (!c2g_tensor_resize (converted, held->dims, held->n_dims, error) ||
      !c2g_tensor_allocate_meta (converted, meta, error) ||
      !convert_to (held, meta, c2g_tensor_address (converted), flags, error))
    return NULL;

  return g_steal_pointer (&converted);
}

/* Converts on the device if it has the functions, otherwise on the CPU. */
static C2gTensor *
new_converted (C2gTensor        *source,
               C2gTypeMeta      *meta,
               C2gConvertFlags   flags,
               GError          **error)
{
  g_autoptr (C2gTensor) near = NULL;

  if (can_convert_far (source))
    return new_converted_far (source, meta, flags, error);

  near = c2g_tensor_ref_on_cpu (source, error);
  return near != NULL ? new_converted_near (near, meta, flags, error) : NULL;
}

/* SATURATE and WRAP exclude each other: a number that does not fit is either clamped or keeps its
 * lower bits. */
static gboolean
check_flags (C2gConvertFlags   flags,
             GError          **error)
{
  const C2gConvertFlags both = C2G_CONVERT_SATURATE | C2G_CONVERT_WRAP;

  if ((flags & both) != both)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Numbers saturate or wrap, not both"));
}

/**
 * c2g_tensor_convert:
 * @self: a tensor of numbers, with data, on any device
 * @data_type: a numeric element type
 * @flags: the treatment of numbers that do not fit
 * @error: return location for an error
 *
 * Creates a tensor with the same numbers in another element type.
 *
 * It is on the same device, and has memory of its own even if the type is the same. CUDA devices
 * convert themselves; with a flag the call does not wait for them. For other devices the elements
 * are copied to the CPU and back.
 *
 * ```python
 * half = tensor.convert(C2g.DataType.FLOAT16, C2g.ConvertFlags.SATURATE)
 * ```
 *
 * Fails with `C2G_ERROR_RANGE`, which names the first element that does not fit, if no flag is set;
 * `C2G_ERROR_TYPE` if one of the two types is not numeric; `C2G_ERROR_SHAPE` without a shape;
 * `C2G_ERROR_FAILED` without data; and `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_tensor_convert (C2gTensor        *self,
                    C2gDataType       data_type,
                    C2gConvertFlags   flags,
                    GError          **error)
{
  g_autoptr (C2gTensor) converted = NULL;
  C2gTypeMeta *meta;
  C2gDevice *device;

  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  meta = check_flags (flags, error) ? c2g_tensor_meta_for (data_type, error) : NULL;
  if (meta == NULL || !check_number_type (meta, error) || !c2g_tensor_check_data (self, error) ||
      !c2g_tensor_check_numbers (self, error))
    return NULL;

  device = self->device;
  converted = new_converted (self, meta, flags, error);
  if (converted == NULL || converted->device == device)
    return g_steal_pointer (&converted);

  return c2g_tensor_to_device (converted, device, error);
}

static gboolean
overlaps (C2gTensor *self,
          gsize      n_bytes,
          C2gTensor *source)
{
  const guintptr begin = (guintptr) self->storage->address + self->offset;
  const guintptr source_begin = (guintptr) c2g_tensor_address (source);

  return begin < source_begin + c2g_tensor_byte_size (source) && source_begin < begin + n_bytes;
}

/* Returns TRUE if the converted elements can go straight into the memory of self. */
static gboolean
can_convert_in_place (C2gTensor *self,
                      C2gTensor *source)
{
  gsize n_bytes;

  return self->device == source->device &&
         c2g_shape_bytes (source->n_elements, self->meta->item_size, &n_bytes, NULL) &&
         c2g_tensor_can_reuse (self, self->meta, n_bytes) && !overlaps (self, n_bytes, source) &&
         (source->n_elements == self->n_elements || !c2g_tensor_would_free (self, n_bytes));
}

static gpointer
target_of (C2gTensor *self)
{
  /* C adds nothing to NULL, which is the address of no bytes. */
  return (gpointer) ((guintptr) self->storage->address + self->offset);
}

/* Source and target are on the same device. The conversion is queued, not waited for. */
static gboolean
convert_far_in_place (C2gTensor        *self,
                      C2gTensor        *source,
                      C2gConvertFlags   flags,
                      GError          **error)
{
  C2gFar far;

  return c2g_far_begin (&far, source, self, error) &&
         c2g_far_end (&far,
                      convert_far_to (&far, far.other->meta, target_of (far.other), flags, error),
                      error);
}

static gboolean
convert_near_in_place (C2gTensor        *self,
                       C2gTensor        *source,
                       C2gConvertFlags   flags,
                       GError          **error)
{
  return c2g_storage_finish_uses (self->storage, error) &&
         convert_to (source, self->meta, target_of (self), flags, error);
}

static gboolean
convert_in_place (C2gTensor        *self,
                  C2gTensor        *source,
                  C2gConvertFlags   flags,
                  GError          **error)
{
  const gboolean is_far = source->device->type != C2G_DEVICE_TYPE_CPU;
  C2gTensorChanges changes = { 0 };

  if (!(is_far ? convert_far_in_place : convert_near_in_place) (self, source, flags, error))
    return FALSE;

  c2g_tensor_assign_dims (self, source->dims, source->n_dims, source->n_elements, &changes);
  c2g_tensor_emit_changes (self, &changes);

  return TRUE;
}

/* Copies the converted elements to self. On the same device the copy is queued, not waited for. */
static gboolean
move_from (C2gTensor  *self,
           C2gTensor  *converted,
           GError    **error)
{
  g_autoptr (C2gContext) context = NULL;

  if (self->device != converted->device || self->device->type == C2G_DEVICE_TYPE_CPU)
    return c2g_tensor_copy_from (self, converted, NULL, error);

  context = c2g_context_shared (self->device, error);
  return context != NULL && c2g_tensor_copy_from (self, converted, context, error) &&
         c2g_storage_end_use (self->storage, context, error);
}

/**
 * c2g_tensor_convert_from:
 * @self: a tensor of a numeric element type, on any device
 * @source: a tensor of numbers, with data, on any device
 * @flags: the treatment of numbers that do not fit
 * @error: return location for an error
 *
 * Copies shape and numbers of another tensor, converted to the tensor's own element type.
 *
 * Device and type do not change. The block is reused when [method@Tensor.copy_from] would reuse it.
 * The two tensors may overlap or be the same.
 *
 * Fails as [method@Tensor.convert] does; then nothing has changed.
 *
 * Returns: `TRUE` if the numbers were converted
 */
gboolean
c2g_tensor_convert_from (C2gTensor        *self,
                         C2gTensor        *source,
                         C2gConvertFlags   flags,
                         GError          **error)
{
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (C2gTensor) converted = NULL;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (source), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_flags (flags, error) || !c2g_tensor_check_numbers (self, error) || !c2g_tensor_check_data (source, error) ||
      !c2g_tensor_check_numbers (source, error))
    return FALSE;
  if (self->meta == source->meta)
    return c2g_tensor_copy_from (self, source, NULL, error);

  near = can_convert_far (source) ? g_object_ref (source) : c2g_tensor_ref_on_cpu (source, error);
  if (near == NULL)
    return FALSE;
  if (can_convert_in_place (self, near))
    return convert_in_place (self, near, flags, error);

  converted = new_converted (near, self->meta, flags, error);

  return converted != NULL && move_from (self, converted, error);
}
