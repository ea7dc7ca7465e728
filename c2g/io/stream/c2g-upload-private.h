/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/workspace/c2g-blob.h>
#include <c2g/io/stream/c2g-job-private.h>

G_BEGIN_DECLS

/* Streams data to a tensor on a device in blocks: one block is copied while the next one is read.
 * Blocks come from the device's host allocator (pinned memory) and are freed automatically after
 * the copy. */
typedef struct
{
  C2gTensor    *tensor;
  guint8       *address;
  C2gContext   *context;
  C2gAllocator *allocator;
  /* The block that was begun. */
  C2gStorage   *block;
  gsize         n_bytes;
} C2gUpload;

/* Returns TRUE if a device can hold elements of this type. */
gboolean   c2g_upload_can_take   (C2gDataType    data_type);
/* Returns a tensor on the device with uninitialized memory. */
C2gTensor *c2g_upload_new_tensor (C2gDevice     *device,
                                  C2gDataType    data_type,
                                  const gint64  *dims,
                                  gsize          n_dims,
                                  GError       **error);
/* Initializes SELF, also on failure; clear it with c2g_upload_clear(). The tensor must have
 * memory and live longer than SELF. */
gboolean   c2g_upload_init       (C2gUpload     *self,
                                  C2gTensor     *tensor,
                                  GError       **error);
void       c2g_upload_clear      (C2gUpload     *self);
/* Returns memory to read n_bytes bytes into. */
gpointer   c2g_upload_begin      (C2gUpload     *self,
                                  gsize          n_bytes,
                                  GError       **error);
/* Copies the block to an offset in the tensor; the copy may still run after the call. */
gboolean   c2g_upload_send       (C2gUpload     *self,
                                  gsize          offset,
                                  GError       **error);
/* Waits for all copies to the tensor. It may also be on the CPU. */
gboolean   c2g_upload_finish     (C2gTensor     *tensor,
                                  GError       **error);
/* Moves a loaded tensor to the job's device, if that can hold it. Other content does not change. */
gboolean   c2g_upload_blob       (C2gBlob       *blob,
                                  const C2gJob  *job,
                                  GError       **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gUpload, c2g_upload_clear)

G_END_DECLS
