/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor.h>
#include <c2g/net/c2g-kernel-private.h>

G_BEGIN_DECLS

/* What a convolution or a pooling looks at, and how it moves: the arguments that these
 * have in common, in all the spellings that Caffe2 knows. */

#define C2G_WINDOW_MAX_DIMS 3

typedef enum
{
  C2G_WINDOW_DEFAULT = 0,
  /* The argument global_pooling makes the window as large as the image. */
  C2G_WINDOW_GLOBAL = 1 << 0,
  /* The output is what a convolution would have read: there is adj, and no dilation. */
  C2G_WINDOW_TRANSPOSED = 1 << 1,
} C2gWindowFlags;

typedef enum
{
  C2G_LEGACY_PAD_NOT_SET = 0,
  C2G_LEGACY_PAD_VALID = 1,
  C2G_LEGACY_PAD_SAME = 2,
  C2G_LEGACY_PAD_CAFFE_POOLING = 3,
} C2gLegacyPad;

typedef struct
{
  /* How many dimensions the arguments are for. */
  guint          n_dims;
  int            kernel[C2G_WINDOW_MAX_DIMS];
  int            stride[C2G_WINDOW_MAX_DIMS];
  int            dilation[C2G_WINDOW_MAX_DIMS];
  /* Before and after the image. */
  int            head[C2G_WINDOW_MAX_DIMS];
  int            tail[C2G_WINDOW_MAX_DIMS];
  int            adj[C2G_WINDOW_MAX_DIMS];

  C2gWindowFlags flags;
  C2gLegacyPad   legacy_pad;
  gboolean       is_global;
  gboolean       channels_last;
} C2gWindow;

/* The window on images of one shape.  There are always three dimensions: those that the
 * images lack come first and are 1. */
typedef struct
{
  guint    n_dims;
  gboolean channels_last;
  gint64   n_images;
  gint64   n_channels;

  gint64   in[C2G_WINDOW_MAX_DIMS];
  gint64   out[C2G_WINDOW_MAX_DIMS];
  gint64   kernel[C2G_WINDOW_MAX_DIMS];
  gint64   stride[C2G_WINDOW_MAX_DIMS];
  gint64   dilation[C2G_WINDOW_MAX_DIMS];
  gint64   head[C2G_WINDOW_MAX_DIMS];
  gint64   tail[C2G_WINDOW_MAX_DIMS];

  /* Products of in, out and kernel. */
  gint64   n_in;
  gint64   n_out;
  gint64   n_kernel;
} C2gWindowPlace;

/* Reads the arguments, the order among them. */
void     c2g_window_read       (C2gWindow             *self,
                                C2gArguments          *arguments,
                                C2gWindowFlags         flags);
/* Puts the window on an input of the operator: an error names it where it does not fit. */
gboolean c2g_window_place      (const C2gWindow       *self,
                                C2gOperator           *op,
                                guint                  input,
                                C2gTensor             *tensor,
                                C2gWindowPlace        *place,
                                GError               **error);
/* The shape of the output, or of the input, with so many channels; into dims, which has
 * room for C2G_WINDOW_MAX_DIMS + 2, of which it returns how many there are. */
gsize    c2g_window_place_dims (const C2gWindowPlace  *self,
                                const gint64          *size,
                                gint64                 n_channels,
                                gint64                *dims);

/* Whether every output is the one input at its place. */
static inline gboolean
c2g_window_place_is_pointwise (const C2gWindowPlace *self)
{
  gboolean moves = self->n_kernel != 1;

  for (guint i = 0; i < C2G_WINDOW_MAX_DIMS; i++)
    moves |= self->stride[i] != 1 || self->head[i] != 0 || self->tail[i] != 0;
  return !moves;
}

G_END_DECLS
