/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-blob.h>
#include <c2g/io/c2g-job-private.h>

G_BEGIN_DECLS

/* The way of what is read to a tensor on a device, block by block: while one is copied
 * the next can be read.  Blocks are of memory that the device likes to copy from, and go
 * back by themselves.
 */
typedef struct
{
  C2gTensor    *tensor;
  guint8       *address;
  C2gContext   *context;
  C2gAllocator *allocator;
  /* What was begun. */
  C2gStorage   *block;
  gsize         n_bytes;
} C2gUpload;

/* Whether elements of the type can be on a device at all. */
gboolean   c2g_upload_can_take   (C2gDataType    data_type);
/* A tensor of such elements on the device, with memory and without values. */
C2gTensor *c2g_upload_new_tensor (C2gDevice     *device,
                                  C2gDataType    data_type,
                                  const gint64  *dims,
                                  gsize          n_dims,
                                  GError       **error);
/* Initializes self, also when it fails; clear with c2g_upload_clear().  The tensor has
 * memory, and outlives self. */
gboolean   c2g_upload_init       (C2gUpload     *self,
                                  C2gTensor     *tensor,
                                  GError       **error);
void       c2g_upload_clear      (C2gUpload     *self);
/* Memory to read so many bytes into. */
gpointer   c2g_upload_begin      (C2gUpload     *self,
                                  gsize          n_bytes,
                                  GError       **error);
/* Puts what was begun at a byte of the tensor: it may go on after the call. */
gboolean   c2g_upload_send       (C2gUpload     *self,
                                  gsize          offset,
                                  GError       **error);
/* Waits until everything is there that was sent to the tensor, which may also be on the CPU. */
gboolean   c2g_upload_finish     (C2gTensor     *tensor,
                                  GError       **error);
/* Brings a tensor that was loaded to where the job wants it, if it can be there and is not
 * there yet; whatever else the blob holds stays as it is. */
gboolean   c2g_upload_blob       (C2gBlob       *blob,
                                  const C2gJob  *job,
                                  GError       **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gUpload, c2g_upload_clear)

G_END_DECLS
