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

  /* The fields with values: private to c2g-tensor-record.c. */
  guint        source_field;
  GArray      *spans;
} C2gTensorRecord;

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
/* A tensor of the whole size on the CPU, its memory allocated and nothing in it. */
C2gTensor *c2g_tensor_record_new_tensor (const C2gTensorRecord  *self,
                                         GError                **error);
/* Puts the elements where they belong in such a tensor.  The message is where it was
 * when it was scanned. */
gboolean   c2g_tensor_record_read       (const C2gTensorRecord  *self,
                                         C2gSource              *source,
                                         C2gTensor              *tensor,
                                         const C2gJob           *job,
                                         GError                **error);
/* A tensor with the elements in it, and zero elsewhere. */
C2gTensor *c2g_tensor_record_to_tensor  (const C2gTensorRecord  *self,
                                         C2gSource              *source,
                                         const C2gJob           *job,
                                         GError                **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gTensorRecord, c2g_tensor_record_clear)

G_END_DECLS
