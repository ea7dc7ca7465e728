/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* The description of one blob. */
typedef struct
{
  char         *name;
  /* "tensor" and so on. */
  char         *type;
  /* The element type of a tensor, such as "float"; NULL for other content. */
  const char   *data_type;
  gboolean      has_dims;
  gint64       *dims;
  gsize         n_dims;
  gint64        n_elements;
  guint64       n_bytes;
  guint64       offset;

  /* Where the file says that it was saved from; NULL for the CPU, and what c2g does not know. */
  C2gDevice    *device;

  /* The elements that were in the file, all unless it is a part of a tensor. */
  gboolean      is_part;
  char         *part;
  gint64        begin;
  gint64        end;

  /* Whether there are numbers: minimum, mean and maximum are of those in the file
   * that are no NaN.  Integers have their ends exactly, as signed or as unsigned numbers. */
  gboolean      has_values;
  gboolean      is_integer;
  gboolean      is_unsigned;
  guint64       n_nan;
  double        minimum;
  double        mean;
  double        maximum;
  gint64        integer_minimum;
  gint64        integer_maximum;

  /* The quantization of an int8-tensor, whose integers stand for other numbers. */
  gboolean      is_quantized;
  double        scale;
  int           zero_point;

  /* The number of strings and the bytes in them. */
  gboolean      has_strings;
  gint64        n_strings;
  guint64       string_bytes;

  /* One value fills the tensor, which was not made to find out. */
  gboolean      is_constant;

  /* True for a type that nothing reads. */
  gboolean      is_unsupported;

  /* The value of a counter. */
  gboolean      is_counter;
  gint64        count;
} C2gBlobSummary;

/* Describes a blob by its entry in the file: all but its values. */
C2gBlobSummary *c2g_blob_summary_new  (C2gFileEntry   *entry);
void            c2g_blob_summary_free (C2gBlobSummary *self);

/* Adds what the loaded blob tells. */
gboolean c2g_blob_summary_add_values (C2gBlobSummary  *self,
                                      C2gBlob         *blob,
                                      GError         **error);
/* The same of a tensor with the one value of them all. */
gboolean c2g_blob_summary_add_constant (C2gBlobSummary *self,
                                        C2gTensor      *sample,
                                        GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gBlobSummary, c2g_blob_summary_free)

G_END_DECLS
