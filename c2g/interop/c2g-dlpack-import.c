/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/interop/c2g-dlpack-private.h>
#include <c2g/interop/c2g-dlpack.h>

#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/memory/c2g-storage-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

/* Makes tensors of DLPack structures: c2g_tensor_new_from_dlpack(). */

/* A structure of another library.  import_clear() calls its deleter exactly once. */
typedef struct
{
  guint64        managed;
  C2gDlpackFlags flags;
} Import;

static void
import_clear (Import *self)
{
  if (self->managed != 0)
    c2g_dlpack_release (self->managed, self->flags);
  self->managed = 0;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Import, import_clear)

static void
release_legacy (gpointer data)
{
  c2g_dlpack_release ((guint64) (gsize) data, 0);
}

static void
release_versioned (gpointer data)
{
  c2g_dlpack_release ((guint64) (gsize) data, C2G_DLPACK_VERSIONED);
}

/* Returns the tensor inside the structure, and its read-only flag. */
static const C2gDlTensor *
find_tensor (const Import  *import,
             gboolean      *read_only,
             GError       **error)
{
  gpointer pointer = (gpointer) (gsize) import->managed;
  C2gDlManagedVersioned *versioned = pointer;

  *read_only = FALSE;
  if ((import->flags & C2G_DLPACK_VERSIONED) == 0)
    return &((C2gDlManaged *) pointer)->tensor;

  if (versioned->version.major != C2G_DL_MAJOR_VERSION)
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("Expected a tensor of DLPack %d, got one of DLPack %u.%u"),
                          C2G_DL_MAJOR_VERSION, versioned->version.major, versioned->version.minor);

  *read_only = (versioned->flags & C2G_DL_FLAG_READ_ONLY) != 0;
  return &versioned->tensor;
}

/* Makes later uses of the memory wait for the work of its producer. */
static gboolean
wait_for_producer (C2gDevice   *device,
                   C2gContext  *context,
                   GError     **error)
{
  g_autoptr (C2gContext) legacy = NULL;
  g_autoptr (GError) local_error = NULL;

  if (c2g_device_get_device_type (device) == C2G_DEVICE_TYPE_CPU)
    return TRUE;

  /* The producer was given the stream of the context and has made it wait, so only the context is checked.
   * Without a context the producer was given the legacy default stream. */
  if (context != NULL)
    return c2g_dlpack_get_stream (device, context, error) != -1;

  legacy = c2g_device_backend_wrap_stream (device, C2G_DL_STREAM_LEGACY, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  return legacy == NULL || c2g_context_finish (legacy, error);
}

static C2gTensor *
new_sharing (Import           *import,
             const C2gDlView  *view,
             gboolean          read_only,
             C2gContext       *context,
             GError          **error)
{
  g_autoptr (C2gStorage) storage = NULL;
  gboolean versioned = (import->flags & C2G_DLPACK_VERSIONED) != 0;

  storage = c2g_storage_new_external (view->device, view->data, view->n_bytes, read_only,
                                      versioned ? release_versioned : release_legacy,
                                      (gpointer) (gsize) import->managed);
  import->managed = 0;
  /* The mark that memory is read-only is for consumers; the producer may go on writing. */
  storage->is_foreign = TRUE;
  storage->may_linger = TRUE;
  storage->is_pinned = view->tensor.device.type == C2G_DL_DEVICE_CUDA_HOST;
  if (context != NULL)
    c2g_storage_record_use (storage, context);

  return c2g_tensor_new_from_storage (view->data_type, view->tensor.shape,
                                      (gsize) view->tensor.n_dims, storage, 0, error);
}

/* Copies the elements. For an empty tensor there are none to copy. */
static C2gTensor *
new_copy (const C2gDlView  *view,
          GError          **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  gpointer data;

  tensor = c2g_tensor_new_sized (view->tensor.shape, (gsize) view->tensor.n_dims, view->device,
                                 error);
  if (tensor == NULL || !c2g_tensor_allocate (tensor, view->data_type, error))
    return NULL;
  if (view->n_elements == 0)
    return g_steal_pointer (&tensor);

  data = c2g_tensor_mutable_data (tensor, view->data_type, error);
  if (data == NULL)
    return NULL;

  c2g_dlpack_view_copy (view, data);
  return g_steal_pointer (&tensor);
}

/* Decides if the tensor can share the memory. Fails if it cannot and a copy is forbidden or
 * impossible. */
static gboolean
decide_sharing (const C2gDlView  *view,
                C2gDlpackFlags    flags,
                gboolean         *share,
                GError          **error)
{
  C2gTypeMeta *meta = c2g_type_meta_builtin (view->data_type);
  gboolean is_aligned = c2g_type_meta_is_aligned (meta, view->data);
  gboolean is_near = c2g_device_get_device_type (view->device) == C2G_DEVICE_TYPE_CPU;

  *share = view->is_contiguous && is_aligned;
  if (*share || (is_near && (flags & C2G_DLPACK_NO_COPY) == 0))
    return TRUE;

  if (!view->is_contiguous)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("The elements of a DLPack tensor on %s do not lie one behind the other, and "
                   "cannot be shared; copy them into a contiguous tensor first"),
                 c2g_device_to_string (view->device));
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("Memory at %p is not aligned to elements of type “%s”, and cannot be shared; "
                   "copy them into a tensor of their own first"),
                 view->data, meta->name);

  return FALSE;
}

static C2gTensor *
import_view (Import           *import,
             const C2gDlView  *view,
             gboolean          read_only,
             C2gContext       *context,
             GError          **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  gboolean share;

  if (view->n_elements == 0)
    return new_copy (view, error);

  if (!decide_sharing (view, import->flags, &share, error) ||
      !wait_for_producer (view->device, context, error))
    return NULL;
  if (!share)
    return new_copy (view, error);

  tensor = new_sharing (import, view, read_only, context, error);
  if (tensor != NULL && (import->flags & C2G_DLPACK_COPY) != 0)
    return c2g_tensor_clone (tensor, context, error);

  return g_steal_pointer (&tensor);
}

/**
 * c2g_tensor_new_from_dlpack:
 * @managed: the address of a structure, which is taken over, also on failure
 * @flags: `VERSIONED`, if it is a `DLManagedTensorVersioned`, and whether to copy
 * @context: (nullable): a context that waits for the producer's work: the producer was
 *   given the stream of [func@dlpack_get_stream]
 * @error: return location for an error
 *
 * Creates a tensor over memory of another library, by DLPack.
 *
 * The deleter of the structure is called exactly once, in any thread: when the last
 * reference to the memory is dropped, or at once if the memory is not needed, also on
 * failure. All work that contexts have queued on the memory is waited for before.
 *
 * Memory that the producer marks as read-only is not written: the tensor moves to a copy
 * before its first write. The producer and its other consumers may write to the memory at any
 * time, so [method@Tensor.seal] and [method@Tensor.ref_bytes] copy it. On the CPU, elements are copied if they are not contiguous in
 * row-major order, or if their address is not aligned.
 *
 * Without a context, memory on a CUDA device is waited for: the producer must have
 * been given the stream 1.
 *
 * Everything in the structure is checked except addresses and the length of the shape,
 * which cannot be checked.
 *
 * Fails with `C2G_ERROR_TYPE` for elements that c2g does not have, `C2G_ERROR_DEVICE`
 * for memory that is neither on the CPU nor on a CUDA device, `C2G_ERROR_SHAPE` and
 * `C2G_ERROR_RANGE` for impossible dimensions, `C2G_ERROR_INVALID_ARGUMENT` without
 * data, `C2G_ERROR_NOT_SUPPORTED` for another version of DLPack, or if a copy is needed
 * but not possible or forbidden, and `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_tensor_new_from_dlpack (guint64          managed,
                            C2gDlpackFlags   flags,
                            C2gContext      *context,
                            GError         **error)
{
  g_auto (Import) import = { managed, flags };
  const C2gDlTensor *tensor;
  C2gDlView view;
  gboolean read_only;

  g_return_val_if_fail (managed != 0, NULL);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if ((flags & C2G_DLPACK_COPY) != 0 && (flags & C2G_DLPACK_NO_COPY) != 0)
    return c2g_fail_null (error, C2G_ERROR_INVALID_ARGUMENT,
                          _("The flags COPY and NO_COPY exclude each other; give one of them"));

  tensor = find_tensor (&import, &read_only, error);
  if (tensor == NULL || !c2g_dlpack_view_init (&view, tensor, error))
    return NULL;

  return import_view (&import, &view, read_only, context, error);
}
