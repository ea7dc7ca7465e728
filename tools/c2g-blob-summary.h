/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* What there is to say of one blob. */
typedef struct
{
  char         *name;
  /* "tensor", "q-tensor", "int8-tensor", "string", "counter", "empty", or the name of a GType. */
  const char   *type;
  /* Of a tensor: "float" and so on; NULL for what has no elements. */
  const char   *data_type;
  gint64       *dims;
  gsize         n_dims;
  gint64        n_elements;
  gsize         n_bytes;

  /* The elements that were in the file, all unless it is a part of a tensor. */
  gboolean      is_part;
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

  /* Of an int8-tensor, whose integers stand for other numbers. */
  gboolean      is_quantized;
  double        scale;
  int           zero_point;

  /* Of strings: their number and the bytes in them. */
  gboolean      has_strings;
  gint64        n_strings;
  guint64       string_bytes;

  /* Of a counter. */
  gboolean      is_counter;
  gint64        count;
} C2gBlobSummary;

/* The segment, begin and end, is that of a file that is a part of a tensor; NULL for
 * whole ones. */
C2gBlobSummary *c2g_blob_summary_new  (C2gBlob         *blob,
                                       const char      *name,
                                       const gint64    *segment,
                                       GError         **error);
void            c2g_blob_summary_free (C2gBlobSummary  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gBlobSummary, c2g_blob_summary_free)

G_END_DECLS
