/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Sliding window of a convolution or a pooling: kernel, stride, dilation, padding and order, read
 * from the arguments in every spelling that Caffe2 accepts. */

#define C2G_WINDOW_MAX_DIMS 3

typedef enum
{
  C2G_WINDOW_DEFAULT = 0,
  /* Read ceil_mode, and global_pooling, which makes the kernel as large as the image. */
  C2G_WINDOW_GLOBAL = 1 << 0,
  /* The window of a transposed convolution, which has adj. */
  C2G_WINDOW_TRANSPOSED = 1 << 1,
} C2gWindowFlags;

typedef enum
{
  /* The padding is that of the argument pads. */
  C2G_LEGACY_PAD_NOT_SET = 0,
  /* No padding. */
  C2G_LEGACY_PAD_VALID = 1,
  /* So much padding that there are ceil (in / stride) outputs. */
  C2G_LEGACY_PAD_SAME = 2,
  /* The padding is that of pads, but the number of outputs is rounded up, as in Caffe. */
  C2G_LEGACY_PAD_CAFFE_POOLING = 3,
} C2gLegacyPad;

typedef struct
{
  /* Number of spatial dimensions that the arguments describe. */
  guint          n_dims;
  int            kernel[C2G_WINDOW_MAX_DIMS];
  int            stride[C2G_WINDOW_MAX_DIMS];
  int            dilation[C2G_WINDOW_MAX_DIMS];
  /* Padding before and after the image, in pixels. */
  int            head[C2G_WINDOW_MAX_DIMS];
  int            tail[C2G_WINDOW_MAX_DIMS];
  int            adj[C2G_WINDOW_MAX_DIMS];

  C2gWindowFlags flags;
  C2gLegacyPad   legacy_pad;
  gboolean       is_global;
  /* ceil_mode: a last window that only partly lies in the padded image counts, too. */
  gboolean       rounds_up;
  gboolean       channels_last;
} C2gWindow;

/* The window applied to images of one shape. The arrays always have three spatial dimensions; if
 * the images have fewer, the leading ones are 1. */
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
  /* With ceil_mode the last window may end behind the tail. */
  gint64   tail[C2G_WINDOW_MAX_DIMS];

  /* Products of the elements of in, out and kernel. */
  gint64   n_in;
  gint64   n_out;
  gint64   n_kernel;
} C2gWindowPlace;

/* The rows of a C2gWindow. C2G_WINDOW_GLOBAL has also is_global and rounds_up, and
 * C2G_WINDOW_TRANSPOSED the names of adj. */
extern const C2gKernelArgument c2g_window_arguments[];

/* Reads the arguments that have several spellings, and checks all. */
gboolean c2g_window_set_up     (C2gWindow             *self,
                                C2gOperator           *op,
                                C2gWindowFlags         flags,
                                GError               **error);
/* Applies the window to an input of the operator. Sets a shape error that names the input if the
 * window does not fit. */
gboolean c2g_window_place      (const C2gWindow       *self,
                                C2gOperator           *op,
                                guint                  input,
                                C2gTensor             *tensor,
                                C2gWindowPlace        *place,
                                GError               **error);
/* Writes the shape of images with n_channels channels and the spatial sizes size (out or in of
 * self) to dims, in the order of self.  dims needs room for C2G_WINDOW_MAX_DIMS + 2 items. Returns
 * the number of dimensions. */
gsize    c2g_window_place_dims (const C2gWindowPlace  *self,
                                const gint64          *size,
                                gint64                 n_channels,
                                gint64                *dims);

/* Returns TRUE for a kernel of 1 with stride 1 and without padding: output i depends only on input
 * i. */
static inline gboolean
c2g_window_place_is_pointwise (const C2gWindowPlace *self)
{
  gboolean moves = self->n_kernel != 1;

  for (guint i = 0; i < C2G_WINDOW_MAX_DIMS; i++)
    moves |= self->stride[i] != 1 || self->head[i] != 0 || self->tail[i] != 0;
  return !moves;
}

/* Returns TRUE if no window lies in the padding alone. With a stride of more than the kernel and
 * legacy_pad CAFFE_POOLING, the last one can. */
static inline gboolean
c2g_window_place_sees_pixels (const C2gWindowPlace *self)
{
  gboolean sees = TRUE;

  for (guint i = 0; i < C2G_WINDOW_MAX_DIMS; i++)
    sees &= self->head[i] < self->kernel[i] &&
            (self->out[i] - 1) * self->stride[i] - self->head[i] < self->in[i];
  return sees;
}

G_END_DECLS
