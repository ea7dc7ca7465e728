/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/workspace/c2g-blob.h>
#include <c2g/io/message/c2g-file-entry.h>
#include <c2g/io/stream/c2g-source-private.h>

G_BEGIN_DECLS

#define C2G_ENTRY_NO_OFFSET G_MAXUINT64

/* Makes a new blob, in no workspace, from an entry of one kind of file. */
typedef C2gBlob *(*C2gEntryLoadFunc) (C2gFileEntry  *self,
                                      const C2gJob  *job,
                                      GError       **error);

/* Filled in by the reader of a file, without reading the values. */
struct _C2gFileEntry
{
  int               ref_count;

  /* UTF-8 and not empty. */
  char             *name;
  /* Caffe2's name of the type, such as C2G_BLOB_TYPE_TENSOR. */
  char             *blob_type;
  /* For a tensor; C2G_DATA_TYPE_UNDEFINED for other content. */
  C2gDataType       data_type;
  gint64           *dims;
  gsize             n_dims;
  gint64            n_elements;
  /* Range of the elements in the file: all of them, unless the file is a single chunk of a
   * tensor. */
  gint64            begin;
  gint64            end;
  /* Size in memory, and offset in the file; C2G_ENTRY_NO_OFFSET if there is none. */
  guint64           n_bytes;
  guint64           offset;
  /* Number of bytes that loading reports to the job; n_bytes by default. */
  guint64           n_job_bytes;

  /* The device that it was saved from, in Caffe2's numbers, if not the CPU. Loading gives a
   * tensor on the CPU, or on the device of the job. */
  gboolean          has_device;
  int               device_type;
  int               device_index;

  C2gEntryLoadFunc  load;
  /* NULL unless all elements have one value, which the file stores once. Returns a blob with a
   * tensor of one element, or of none if the tensor is empty. */
  C2gEntryLoadFunc  load_constant;
  gpointer          data;
  GDestroyNotify    destroy_data;
};

/* For readers, which fill in the other members. The strings are copied. */
C2gFileEntry *c2g_file_entry_new        (const char          *name,
                                         const char          *blob_type,
                                         guint64              offset);
/* Sets and checks the shape of a tensor, and computes n_elements, n_bytes, begin and end. */
gboolean      c2g_file_entry_set_tensor (C2gFileEntry        *self,
                                         C2gDataType          data_type,
                                         const gint64        *dims,
                                         gsize                n_dims,
                                         GError             **error);
/* Returns the device for Caffe2's numbers, or C2G_ERROR_DEVICE if it is unknown or absent. */
C2gDevice    *c2g_file_entry_find_device (int                device_type,
                                          int                device_index,
                                          GError           **error);
/* Loads the blob; errors name the entry and its offset. Reports all bytes to the job. */
C2gBlob      *c2g_file_entry_load       (C2gFileEntry        *self,
                                         const C2gJob        *job,
                                         GError             **error);
/* The same to test whether it can be loaded: a constant gets one element only. */
C2gBlob      *c2g_file_entry_load_sample (C2gFileEntry       *self,
                                          const C2gJob        *job,
                                          GError             **error);

G_END_DECLS
