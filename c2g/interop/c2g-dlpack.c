/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/interop/c2g-array-struct.h>
#include <c2g/interop/c2g-dlpack-private.h>
#include <c2g/interop/c2g-dlpack.h>

#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* Serves the Python override, which exchanges memory by DLPack: frees exports, gets the numbers
 * of streams, and has the destructor of capsules. */

G_STATIC_ASSERT (sizeof (C2gDlType) == 4);
G_STATIC_ASSERT (sizeof (gpointer) != 8 || sizeof (C2gDlTensor) == 48);
G_STATIC_ASSERT (sizeof (gpointer) != 8 || sizeof (C2gDlManaged) == 64);
G_STATIC_ASSERT (sizeof (gpointer) != 8 || sizeof (C2gDlManagedVersioned) == 80);

G_DEFINE_FLAGS_TYPE (C2gDlpackFlags, c2g_dlpack_flags,
                     G_DEFINE_ENUM_VALUE (C2G_DLPACK_VERSIONED, "versioned"),
                     G_DEFINE_ENUM_VALUE (C2G_DLPACK_COPY, "copy"),
                     G_DEFINE_ENUM_VALUE (C2G_DLPACK_NO_COPY, "no-copy"))

/* Python's C functions, passed in by the Python override; c2g is not linked to Python. */
static int (*capsule_is_valid) (gpointer    capsule,
                                const char *name);
static gpointer (*capsule_get_pointer) (gpointer    capsule,
                                        const char *name);

static gpointer
to_pointer (guint64 address)
{
  return (gpointer) (gsize) address;
}

/**
 * c2g_dlpack_release:
 * @managed: the address of a structure that nobody has taken over
 * @flags: `VERSIONED`, if it is a `DLManagedTensorVersioned`
 *
 * Frees an export of [method@Tensor.to_dlpack] or of another library.
 *
 * Call it only for exports without a consumer: a consumer calls the deleter itself.
 * Any thread may call this.
 */
void
c2g_dlpack_release (guint64        managed,
                    C2gDlpackFlags flags)
{
  g_return_if_fail (managed != 0);

  if ((flags & C2G_DLPACK_VERSIONED) != 0)
    {
      C2gDlManagedVersioned *versioned = to_pointer (managed);

      if (versioned->deleter != NULL)
        versioned->deleter (versioned);
    }
  else
    {
      C2gDlManaged *legacy = to_pointer (managed);

      if (legacy->deleter != NULL)
        legacy->deleter (legacy);
    }
}

/**
 * c2g_dlpack_get_stream:
 * @device: where the memory of the producer is
 * @context: (nullable): the order of work that will use it
 * @error: return location for an error
 *
 * Gets the number of the stream to pass to the producer of memory.
 *
 * It is the argument of `__dlpack__ (stream=…)`. With a context it is the number of the
 * context's stream. Without one it is 1, the legacy default stream of CUDA. On a device
 * without streams it is 0, which stands for `None`.
 *
 * Returns: the number of a stream, or -1 with `C2G_ERROR_DEVICE` if @context works on
 *   another device or the number of its stream is not known
 */
gint64
c2g_dlpack_get_stream (C2gDevice   *device,
                       C2gContext  *context,
                       GError     **error)
{
  g_autoptr (GError) local_error = NULL;
  guint64 stream;

  g_return_val_if_fail (device != NULL, -1);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  if (c2g_device_get_device_type (device) == C2G_DEVICE_TYPE_CPU)
    return C2G_DL_STREAM_NONE;
  if (context == NULL)
    return C2G_DL_STREAM_LEGACY;

  if (!c2g_device_equal (c2g_context_get_device (context), device))
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                   _("Expected a context of %s, where the memory is, got one of %s"),
                   c2g_device_to_string (device),
                   c2g_device_to_string (c2g_context_get_device (context)));
      return -1;
    }

  stream = c2g_device_backend_get_stream (context, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return -1;
    }

  if (stream > G_MAXINT64)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                   _("Expected the handle of a stream up to %" PRId64 ", got %" PRIu64), G_MAXINT64,
                   stream);
      return -1;
    }

  return (gint64) stream;
}

/* A PyCapsule_Destructor. It must not run Python code, since an exception may be pending. */
static void
destroy_capsule (gpointer capsule)
{
  if (capsule_is_valid (capsule, "dltensor_versioned"))
    c2g_dlpack_release ((guint64) (gsize) capsule_get_pointer (capsule, "dltensor_versioned"),
                        C2G_DLPACK_VERSIONED);
  else if (capsule_is_valid (capsule, "dltensor"))
    c2g_dlpack_release ((guint64) (gsize) capsule_get_pointer (capsule, "dltensor"), 0);
  else if (capsule_is_valid (capsule, NULL))
    c2g_array_struct_release ((guint64) (gsize) capsule_get_pointer (capsule, NULL));
}

/**
 * c2g_dlpack_get_capsule_destructor:
 * @is_valid: the address of `PyCapsule_IsValid`
 * @get_pointer: the address of `PyCapsule_GetPointer`
 *
 * Gets the function that Python calls when it frees a capsule.
 *
 * It is for the Python override. The function releases the structure of a capsule that
 * nobody has consumed: DLPack requires a consumer to rename the capsule from “dltensor” or
 * “dltensor_versioned”. A capsule without a name holds what
 * [method@Tensor.to_array_struct] gives. c2g is not linked to Python, so the caller passes
 * Python's functions, which must be the same in every call.
 *
 * Returns: the address of a `PyCapsule_Destructor`
 */
guint64
c2g_dlpack_get_capsule_destructor (guint64 is_valid,
                                   guint64 get_pointer)
{
  g_return_val_if_fail (is_valid != 0, 0);
  g_return_val_if_fail (get_pointer != 0, 0);

  g_atomic_pointer_set ((gpointer *) &capsule_get_pointer, to_pointer (get_pointer));
  g_atomic_pointer_set ((gpointer *) &capsule_is_valid, to_pointer (is_valid));

  return (guint64) (gsize) destroy_capsule;
}
