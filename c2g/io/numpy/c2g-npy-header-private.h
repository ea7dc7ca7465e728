/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>

G_BEGIN_DECLS

/* Number of bytes that tell the length of the header, and the maximum length: that of version 1.
 * Only types that c2g does not have need longer headers. */
#define C2G_NPY_PREAMBLE   12
#define C2G_NPY_MAX_HEADER 65600

typedef enum
{
  C2G_NPY_NUMBERS,
  /* Strings of a fixed size, padded with zeros. */
  C2G_NPY_BYTES,
  /* The same in UTF-32. */
  C2G_NPY_TEXT,
} C2gNpyKind;

/* The parsed header. */
typedef struct
{
  C2gNpyKind   kind;
  C2gDataType  data_type;
  /* Size of an element in the file. */
  gsize        item_size;
  gboolean     is_swapped;
  gboolean     is_fortran;

  gint64      *dims;
  gsize        n_dims;
  gint64       n_elements;

  gsize        n_header_bytes;
  /* Size of the values. */
  guint64      n_bytes;
} C2gNpyHeader;

/* Computes the length of the header from the first C2G_NPY_PREAMBLE bytes, or from all bytes of a
 * shorter file. */
gboolean c2g_npy_header_measure (const guint8  *data,
                                 gsize          n_bytes,
                                 gsize         *n_header_bytes,
                                 GError       **error);
/* Parses the whole header. Initializes SELF, also on failure. */
gboolean c2g_npy_header_parse   (C2gNpyHeader  *self,
                                 const guint8  *data,
                                 gsize          n_bytes,
                                 GError       **error);
void     c2g_npy_header_clear   (C2gNpyHeader  *self);

/* Makes the header for a tensor; DESCR is numpy's name of the element type. */
GBytes  *c2g_npy_header_new     (const char    *descr,
                                 const gint64  *dims,
                                 gsize          n_dims);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gNpyHeader, c2g_npy_header_clear)

G_END_DECLS
