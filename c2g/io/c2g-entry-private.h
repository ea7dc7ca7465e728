/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-blob.h>
#include <c2g/io/c2g-file-entry.h>
#include <c2g/io/c2g-source-private.h>

G_BEGIN_DECLS

#define C2G_ENTRY_NO_OFFSET G_MAXUINT64

/* How one kind of file makes a blob of an entry: a new one, of no workspace. */
typedef C2gBlob *(*C2gEntryLoadFunc) (C2gFileEntry  *self,
                                      const C2gJob  *job,
                                      GError       **error);

/* What a reader of a file fills in, all of it without reading the values. */
struct _C2gFileEntry
{
  int               ref_count;

  /* In UTF-8, and not empty. */
  char             *name;
  /* What Caffe2 calls it: C2G_BLOB_TYPE_TENSOR and so on. */
  char             *blob_type;
  /* Of a tensor; undefined for what is none. */
  C2gDataType       data_type;
  gint64           *dims;
  gsize             n_dims;
  gint64            n_elements;
  /* Which elements are there: all, unless the file is a chunk of a tensor. */
  gint64            begin;
  gint64            end;
  /* What the content takes in memory, and where the file has it; C2G_ENTRY_NO_OFFSET if
   * that cannot be said. */
  guint64           n_bytes;
  guint64           offset;
  /* What loading it tells the job of; unless set, n_bytes. */
  guint64           n_job_bytes;

  /* The device that it was saved from, as numbers of Caffe2, if that was not the CPU.
   * Loading gives a tensor on the CPU all the same, or where the job wants it. */
  gboolean          has_device;
  int               device_type;
  int               device_index;

  C2gEntryLoadFunc  load;
  /* NULL unless all elements are one value that the file has once: gives a blob with a tensor of
   * one element, or of none if there are none. */
  C2gEntryLoadFunc  load_constant;
  gpointer          data;
  GDestroyNotify    destroy_data;
};

/* Of a reader, which fills in the rest; takes nothing. */
C2gFileEntry *c2g_file_entry_new        (const char          *name,
                                         const char          *blob_type,
                                         guint64              offset);
/* Gives it the shape of a tensor, checked: n_elements, n_bytes, begin and end follow. */
gboolean      c2g_file_entry_set_tensor (C2gFileEntry        *self,
                                         C2gDataType          data_type,
                                         const gint64        *dims,
                                         gsize                n_dims,
                                         GError             **error);
/* The device that Caffe2's numbers mean; C2G_ERROR_DEVICE for one that c2g does not know, or
 * that is not there. */
C2gDevice    *c2g_file_entry_find_device (int                device_type,
                                          int                device_index,
                                          GError           **error);
/* The blob; errors name the entry and its offset.  Tells the job of every byte. */
C2gBlob      *c2g_file_entry_load       (C2gFileEntry        *self,
                                         const C2gJob        *job,
                                         GError             **error);
/* The same to see whether it can be loaded: a constant has one element instead of all. */
C2gBlob      *c2g_file_entry_load_sample (C2gFileEntry       *self,
                                         const C2gJob        *job,
                                         GError             **error);

G_END_DECLS
