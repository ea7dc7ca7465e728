/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/io/stream/c2g-scanner-private.h>

G_BEGIN_DECLS

/* The checked fields of a TensorProto in a source, and the positions of its values. The values
 * are read directly into a tensor later. Checked means that the message has enough bytes for its
 * values, so that allocating memory is safe. */
typedef struct
{
  /* C2G_DATA_TYPE_UNDEFINED if each element is a BlobProto, for types that the writing program
   * had registered. */
  C2gDataType  data_type;
  gint64      *dims;
  gsize        n_dims;
  gint64       n_elements;
  /* Range of elements in this message; all of them unless it is a chunk. */
  gint64       begin;
  gint64       end;

  /* The device in Caffe2's numbers, if it is not the CPU. */
  gboolean     has_device;
  int          device_type;
  int          device_index;

  /* UTF-8, or NULL. */
  char        *name;

  /* Size of the values in the source, which reading reports to the job. */
  guint64      n_value_bytes;

  /* The field with the values, and its spans. Private to c2g-tensor-record.c, -scan.c and
   * -values.c, and to c2g-q-tensor-record.c. */
  guint        source_field;
  GArray      *spans;
} C2gTensorRecord;

/* Called with the position of one element in the source. */
typedef gboolean (*C2gTensorItemFunc) (gint64    element,
                                       guint64   offset,
                                       gsize     n_bytes,
                                       gpointer  user_data,
                                       GError  **error);

/* Initializes SELF, also on failure; clear it with c2g_tensor_record_clear(). */
gboolean   c2g_tensor_record_scan       (C2gTensorRecord        *self,
                                         C2gScanner             *scanner,
                                         guint64                 offset,
                                         gsize                   n_bytes,
                                         GError                **error);
void       c2g_tensor_record_clear      (C2gTensorRecord        *self);

/* Refuses a tensor that was saved from another device than the CPU. */
gboolean   c2g_tensor_record_check_cpu  (const C2gTensorRecord  *self,
                                         GError                **error);
/* Returns the device that it was saved from; the CPU by default, an error for an unknown device. */
C2gDevice *c2g_tensor_record_find_device (const C2gTensorRecord *self,
                                          GError               **error);
/* Returns a tensor of the full shape on the job's device, with uninitialized memory. If the type
 * is undefined, it is on the CPU and has no memory. */
C2gTensor *c2g_tensor_record_new_tensor (const C2gTensorRecord  *self,
                                         const C2gJob           *job,
                                         GError                **error);
/* Reads the elements into their place in such a tensor. For a device, c2g_upload_finish() waits
 * until they have arrived. The source must not have changed since the scan. */
gboolean   c2g_tensor_record_read       (const C2gTensorRecord  *self,
                                         C2gSource              *source,
                                         C2gTensor              *tensor,
                                         const C2gJob           *job,
                                         GError                **error);
/* Reads the range of elements to ITEMS, in memory. */
gboolean   c2g_tensor_record_read_items (const C2gTensorRecord  *self,
                                         C2gSource              *source,
                                         guint8                 *items,
                                         const C2gJob           *job,
                                         GError                **error);
/* Calls FUNC with the messages of elements of an undefined type, in order, until it returns
 * FALSE. */
gboolean   c2g_tensor_record_foreach    (const C2gTensorRecord  *self,
                                         C2gSource              *source,
                                         C2gTensorItemFunc       func,
                                         gpointer                user_data,
                                         GError                **error);
/* Returns a tensor with these elements, and zeros elsewhere. An undefined type is an error,
 * unless there are no elements. */
C2gTensor *c2g_tensor_record_to_tensor  (const C2gTensorRecord  *self,
                                         C2gSource              *source,
                                         const C2gJob           *job,
                                         GError                **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gTensorRecord, c2g_tensor_record_clear)

G_END_DECLS
