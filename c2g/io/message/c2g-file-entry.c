/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/message/c2g-entry-private.h>

#include <c2g/io/stream/c2g-upload-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/**
 * C2gFileEntry:
 *
 * A blob in a file, under its name, that has not been read.
 *
 * [method@ModelFile.list_entries] gives the entries of a file. They are found without reading
 * the values, so that listing a file of many gigabytes is fast.
 *
 * ```python
 * for entry in model_file.list_entries():
 *     print(entry.get_name(), entry.get_dims(), entry.get_n_bytes())
 * ```
 *
 * ## Threads
 *
 * Entries do not change, and can be used in any thread.
 */

G_DEFINE_BOXED_TYPE (C2gFileEntry, c2g_file_entry, c2g_file_entry_ref, c2g_file_entry_unref)

C2gFileEntry *
c2g_file_entry_new (const char *name,
                    const char *blob_type,
                    guint64     offset)
{
  C2gFileEntry *self = g_new0 (C2gFileEntry, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_strdup (name);
  self->blob_type = g_strdup (blob_type);
  self->offset = offset;
  return self;
}

gboolean
c2g_file_entry_set_tensor (C2gFileEntry  *self,
                           C2gDataType    data_type,
                           const gint64  *dims,
                           gsize          n_dims,
                           GError       **error)
{
  gsize n_bytes;
  gint64 n_elements;

  if (!c2g_shape_count (dims, n_dims, &n_elements, error) ||
      !c2g_shape_bytes (n_elements, c2g_data_type_get_item_size (data_type), &n_bytes, error))
    return FALSE;

  g_free (self->dims);
  self->dims = g_memdup2 (dims, n_dims * sizeof *dims);
  self->n_dims = n_dims;
  self->data_type = data_type;
  self->n_elements = n_elements;
  self->begin = 0;
  self->end = n_elements;
  self->n_bytes = n_bytes;
  self->n_job_bytes = n_bytes;
  return TRUE;
}

/* Returns NULL for an unknown type of device. */
static C2gDevice *
name_device (int device_type,
             int device_index)
{
  if (device_type != C2G_DEVICE_TYPE_CUDA && device_type != C2G_DEVICE_TYPE_CPU)
    return NULL;
  return c2g_device_new ((C2gDeviceType) device_type,
                         device_type == C2G_DEVICE_TYPE_CPU ? 0 : device_index, NULL);
}

C2gDevice *
c2g_file_entry_find_device (int      device_type,
                            int      device_index,
                            GError **error)
{
  C2gDevice *device = name_device (device_type, device_index);

  if (device == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("Saved from device %d of type %d, which c2g does not know"),
                 device_index, device_type);
  /* Report an absent device before anything is read. */
  return device != NULL && c2g_context_can_share (device, error) ? device : NULL;
}

static C2gBlob *
load_by (C2gFileEntry      *self,
         C2gEntryLoadFunc   load,
         const C2gJob      *job,
         GError           **error)
{
  C2gBlob *blob = load (self, job, error);

  if (blob != NULL && !c2g_upload_blob (blob, job, error))
    g_clear_object (&blob);
  if (blob == NULL && self->offset == C2G_ENTRY_NO_OFFSET)
    g_prefix_error (error, _("Blob “%s”: "), self->name);
  else if (blob == NULL)
    g_prefix_error (error, _("Blob “%s” at offset %" PRIu64 ": "), self->name, self->offset);
  return blob;
}

C2gBlob *
c2g_file_entry_load (C2gFileEntry  *self,
                     const C2gJob  *job,
                     GError       **error)
{
  return load_by (self, self->load, job, error);
}

C2gBlob *
c2g_file_entry_load_sample (C2gFileEntry  *self,
                            const C2gJob  *job,
                            GError       **error)
{
  return load_by (self, self->load_constant != NULL ? self->load_constant : self->load, job, error);
}

/**
 * c2g_file_entry_ref:
 * @self: an entry
 *
 * Takes a reference.
 *
 * Returns: (transfer full): the entry
 */
C2gFileEntry *
c2g_file_entry_ref (C2gFileEntry *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * c2g_file_entry_unref:
 * @self: (transfer full): an entry
 *
 * Drops a reference.
 */
void
c2g_file_entry_unref (C2gFileEntry *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->destroy_data != NULL)
    self->destroy_data (self->data);
  g_free (self->name);
  g_free (self->blob_type);
  g_free (self->dims);
  g_free (self);
}

/**
 * c2g_file_entry_get_name:
 * @self: an entry
 *
 * Gets the name of the blob.
 *
 * Returns: (transfer none): the name
 */
const char *
c2g_file_entry_get_name (C2gFileEntry *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/**
 * c2g_file_entry_get_blob_type:
 * @self: an entry
 *
 * Gets what Caffe2 calls the type of the blob.
 *
 * Returns: (transfer none): `Tensor`, `std::string` and so on; empty for a blob that the file
 *   only names
 */
const char *
c2g_file_entry_get_blob_type (C2gFileEntry *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->blob_type;
}

/**
 * c2g_file_entry_get_data_type:
 * @self: an entry
 *
 * Gets the type of the tensor's elements.
 *
 * Returns: the data type, `C2G_DATA_TYPE_UNDEFINED` for a blob that is no tensor, and for
 *   element types that the writing program defined
 */
C2gDataType
c2g_file_entry_get_data_type (C2gFileEntry *self)
{
  g_return_val_if_fail (self != NULL, C2G_DATA_TYPE_UNDEFINED);

  return self->data_type;
}

/**
 * c2g_file_entry_get_dims:
 * @self: an entry
 * @n_dims: (out): return location for the number of dimensions
 *
 * Gets the dimensions of the tensor.
 *
 * Returns: (transfer none) (nullable) (array length=n_dims): the dimensions; none for a
 *   scalar and for a blob that is no tensor
 */
const gint64 *
c2g_file_entry_get_dims (C2gFileEntry *self,
                         gsize        *n_dims)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (n_dims != NULL, NULL);

  *n_dims = self->n_dims;
  return self->dims;
}

/**
 * c2g_file_entry_get_n_elements:
 * @self: an entry
 *
 * Gets how many elements the tensor has.
 *
 * Returns: the number of elements, 0 for a blob that is no tensor
 */
gint64
c2g_file_entry_get_n_elements (C2gFileEntry *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_elements;
}

/**
 * c2g_file_entry_get_n_bytes:
 * @self: an entry
 *
 * Gets how much memory the blob will take.
 *
 * For a tensor of strings this is the size of the pointers, without the strings.
 *
 * Returns: the number of bytes
 */
guint64
c2g_file_entry_get_n_bytes (C2gFileEntry *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_bytes;
}

/**
 * c2g_file_entry_get_n_load_bytes:
 * @self: an entry
 *
 * Gets the number of bytes that loading the blob processes.
 *
 * A [class@Progress] counts these bytes. For a tensor of strings in a NumPy array it is the
 * unpacked size of the strings.
 *
 * Returns: the number of bytes
 */
guint64
c2g_file_entry_get_n_load_bytes (C2gFileEntry *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_job_bytes;
}

/**
 * c2g_file_entry_is_constant:
 * @self: an entry
 *
 * Tells whether all elements of the tensor have one value, which the file stores once.
 *
 * This is so for a `ConstantFill` of a net. In this way a file of a hundred bytes can require
 * gigabytes: [method@FileEntry.load_constant] gets the value without allocating them.
 *
 * Returns: whether the tensor is filled with one value
 */
gboolean
c2g_file_entry_is_constant (C2gFileEntry *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->load_constant != NULL;
}

/**
 * c2g_file_entry_load_constant:
 * @self: an entry
 * @error: return location for an error
 *
 * Loads the value of all elements of the tensor.
 *
 * Errors: `C2G_ERROR_INVALID_ARGUMENT` if [method@FileEntry.is_constant] is not true, and those
 * of [method@ModelFile.load].
 *
 * Returns: (transfer full): a tensor on the CPU with one element, or without any if the tensor
 *   in the file has none
 */
C2gTensor *
c2g_file_entry_load_constant (C2gFileEntry  *self,
                              GError       **error)
{
  g_autoptr (C2gBlob) blob = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (self->load_constant == NULL)
    return c2g_fail_null (error, C2G_ERROR_INVALID_ARGUMENT,
                          _("Blob “%s” is not filled with one value"), self->name);

  blob = c2g_file_entry_load_sample (self, NULL, error);
  return blob != NULL ? g_object_ref (c2g_blob_get_tensor (blob, NULL)) : NULL;
}

/**
 * c2g_file_entry_get_device:
 * @self: an entry
 *
 * Gets the device that the file says the tensor was on when it was saved.
 *
 * The device need not exist. The tensor is loaded to the CPU, unless
 * [property@LoadOptions:keep-device] or [property@LoadOptions:device] is set.
 *
 * Returns: (transfer none) (nullable): the device, the CPU if the file names none; `NULL` for
 *   a device that c2g does not know
 */
C2gDevice *
c2g_file_entry_get_device (C2gFileEntry *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->has_device ? name_device (self->device_type, self->device_index)
                          : c2g_device_cpu ();
}

/**
 * c2g_file_entry_get_offset:
 * @self: an entry
 *
 * Gets where the file has the blob.
 *
 * Returns: the offset of its first byte, or of its first part's, in bytes; 0 if the file is
 *   text
 */
guint64
c2g_file_entry_get_offset (C2gFileEntry *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->offset == C2G_ENTRY_NO_OFFSET ? 0 : self->offset;
}

/**
 * c2g_file_entry_get_segment:
 * @self: an entry
 * @begin: (out) (optional): return location for the first element that is there
 * @end: (out) (optional): return location for the element behind the last
 *
 * Gets which elements of the tensor the file has.
 *
 * These are all elements, unless the file is a single chunk of a tensor. Loading such a file
 * gives the whole tensor, with zeros for the missing elements.
 *
 * Returns: whether elements are missing
 */
gboolean
c2g_file_entry_get_segment (C2gFileEntry *self,
                            gint64       *begin,
                            gint64       *end)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (begin != NULL)
    *begin = self->begin;
  if (end != NULL)
    *end = self->end;
  return self->end - self->begin < self->n_elements;
}
