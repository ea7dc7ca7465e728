/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor.h>
#include <c2g/io/c2g-scanner-private.h>

G_BEGIN_DECLS

/* A TensorProto as it lies in a source: what it says of itself, checked, and where its
 * values are.  The values have not been read; they go straight into a tensor.  Checked
 * means that they may be there: so many bytes that memory can be asked for.
 */
typedef struct
{
  /* C2G_DATA_TYPE_UNDEFINED where each element is a BlobProto of its own, of a type that
   * the writing program had registered. */
  C2gDataType  data_type;
  gint64      *dims;
  gsize        n_dims;
  gint64       n_elements;
  /* The elements that this message has; all of them unless it is a chunk. */
  gint64       begin;
  gint64       end;

  /* A device that is not the CPU, as numbers of Caffe2. */
  gboolean     has_device;
  int          device_type;
  int          device_index;

  /* In UTF-8, or NULL. */
  char        *name;

  /* What the values take in the source: reading them tells the job of so many. */
  guint64      n_value_bytes;

  /* The field with the values, and its pieces: private to the files of the record. */
  guint        source_field;
  GArray      *spans;
} C2gTensorRecord;

/* Called with the bytes that one element has in the source. */
typedef gboolean (*C2gTensorItemFunc) (gint64    element,
                                       guint64   offset,
                                       gsize     n_bytes,
                                       gpointer  user_data,
                                       GError  **error);

/* Initializes self, also when it fails; clear with c2g_tensor_record_clear(). */
gboolean   c2g_tensor_record_scan       (C2gTensorRecord        *self,
                                         C2gScanner             *scanner,
                                         guint64                 offset,
                                         gsize                   n_bytes,
                                         GError                **error);
void       c2g_tensor_record_clear      (C2gTensorRecord        *self);

/* Refuses a tensor that was saved for another device than the CPU. */
gboolean   c2g_tensor_record_check_cpu  (const C2gTensorRecord  *self,
                                         GError                **error);
/* The device that it was saved from: the CPU unless it says something else, and an error
 * for one that c2g does not know. */
C2gDevice *c2g_tensor_record_find_device (const C2gTensorRecord *self,
                                          GError               **error);
/* A tensor of the whole size where the job wants it, its memory allocated and nothing in it;
 * on the CPU and without memory if the type is undefined. */
C2gTensor *c2g_tensor_record_new_tensor (const C2gTensorRecord  *self,
                                         const C2gJob           *job,
                                         GError                **error);
/* Puts the elements where they belong in such a tensor: on another device than the CPU
 * c2g_upload_finish() waits until they are there.  The message is where it was when it was
 * scanned. */
gboolean   c2g_tensor_record_read       (const C2gTensorRecord  *self,
                                         C2gSource              *source,
                                         C2gTensor              *tensor,
                                         const C2gJob           *job,
                                         GError                **error);
/* The messages of elements of an undefined type, in order, until func returns false. */
gboolean   c2g_tensor_record_foreach    (const C2gTensorRecord  *self,
                                         C2gSource              *source,
                                         C2gTensorItemFunc       func,
                                         gpointer                user_data,
                                         GError                **error);
/* A tensor with the elements in it, and zero elsewhere; an error if the type is
 * undefined, unless there are no elements. */
C2gTensor *c2g_tensor_record_to_tensor  (const C2gTensorRecord  *self,
                                         C2gSource              *source,
                                         const C2gJob           *job,
                                         GError                **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gTensorRecord, c2g_tensor_record_clear)

G_END_DECLS
