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
  /* Type of the content, such as "tensor". */
  char         *type;
  /* The element type of a tensor, such as "float"; NULL for other content. */
  const char   *data_type;
  gboolean      has_dims;
  gint64       *dims;
  gsize         n_dims;
  gint64        n_elements;
  guint64       n_bytes;
  guint64       offset;

  /* The device that the file names; NULL for the CPU and for unknown devices. */
  C2gDevice    *device;

  /* The range of elements in the file; all elements unless is_part is set. */
  gboolean      is_part;
  char         *part;
  gint64        begin;
  gint64        end;

  /* Set if there are numbers. Minimum, mean and maximum are over the numbers in the file, without
   * NaN. For integers the minimum and maximum are also kept exactly, as signed or unsigned
   * integers. */
  gboolean      has_values;
  gboolean      is_integer;
  gboolean      is_unsigned;
  guint64       n_nan;
  double        minimum;
  double        mean;
  double        maximum;
  gint64        integer_minimum;
  gint64        integer_maximum;

  /* Quantization of an Int8Tensor: value = (integer - zero_point) * scale. */
  gboolean      is_quantized;
  double        scale;
  int           zero_point;

  /* The number of strings and the bytes in them. */
  gboolean      has_strings;
  gint64        n_strings;
  guint64       string_bytes;

  /* Set if one value fills the tensor. The tensor was not created to find out. */
  gboolean      is_constant;

  /* Set for a type that the library cannot read. */
  gboolean      is_unsupported;

  /* The value of a counter. */
  gboolean      is_counter;
  gint64        count;
} C2gBlobSummary;

/* Describes a blob by its entry in the file, without its values. */
C2gBlobSummary *c2g_blob_summary_new  (C2gFileEntry   *entry);
void            c2g_blob_summary_free (C2gBlobSummary *self);

/* Adds the values of the loaded blob. */
gboolean c2g_blob_summary_add_values (C2gBlobSummary  *self,
                                      C2gBlob         *blob,
                                      GError         **error);
/* Adds the values of a constant tensor, from a tensor with its one value. */
gboolean c2g_blob_summary_add_constant (C2gBlobSummary *self,
                                        C2gTensor      *sample,
                                        GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gBlobSummary, c2g_blob_summary_free)

G_END_DECLS
