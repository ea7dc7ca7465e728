/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

#define C2G_PICTURE_MAX_CHANNELS 4

/* Options for converting pictures to tensors; NULL and FALSE for those not given. */
typedef struct
{
  char     *preset;
  char     *size;
  char     *mean;
  char     *scale;
  char     *channels;
  char     *order;
  gboolean  is_crop;
  gboolean  is_smooth;
  gboolean  is_bytes;
} C2gPictureArguments;

/* Returns the options of a command followed by those for pictures. */
GOptionEntry *c2g_picture_add_entries (const GOptionEntry  *entries,
                                       C2gPictureArguments *arguments);

void     c2g_picture_arguments_clear      (C2gPictureArguments        *arguments);
/* Takes options from another one, unless they are set already. */
void     c2g_picture_arguments_add        (C2gPictureArguments        *self,
                                           const C2gPictureArguments  *other);
/* Takes options from the preset, if there is one, unless they are set already. */
gboolean c2g_picture_arguments_add_preset (C2gPictureArguments        *self,
                                           GError                    **error);

/* Puts numbers, one for each channel, in the place of a file of Caffe with the mean of images. */
gboolean c2g_picture_arguments_read_mean  (C2gPictureArguments        *self,
                                           GError                    **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gPictureArguments, c2g_picture_arguments_clear)

/* The parsed options. */
typedef struct
{
  /* 0 for the picture's own size. */
  int         width;
  int         height;
  /* TRUE to crop the picture to the aspect ratio of the tensor, FALSE to distort all of it. */
  gboolean    is_crop;
  /* TRUE to scale down with all source pixels, FALSE to use the four nearest ones. */
  gboolean    is_smooth;

  /* Order of the channels, such as "RGB". */
  const char *channels;
  gsize       n_channels;
  /* TRUE for NHWC, FALSE for NCHW. */
  gboolean    is_nhwc;

  /* A pixel p from 0 to 255 becomes (p - mean) × scale for each channel, or stays the byte if
   * is_bytes is set. */
  double      mean[C2G_PICTURE_MAX_CHANNELS];
  double      scale[C2G_PICTURE_MAX_CHANNELS];
  gboolean    is_bytes;
} C2gPictureForm;

gboolean c2g_picture_form_parse (C2gPictureForm             *form,
                                 const C2gPictureArguments  *arguments,
                                 GError                    **error);

/* Reads a picture as a tensor of four dimensions. */
C2gTensor *c2g_picture_read  (const C2gPictureForm  *form,
                              const char            *file,
                              GCancellable          *cancellable,
                              GError               **error);
/* Writes a tensor as a PNG file, with the inverse conversion. */
gboolean   c2g_picture_write (const C2gPictureForm  *form,
                              C2gTensor             *tensor,
                              const char            *file,
                              GCancellable          *cancellable,
                              GError               **error);

G_END_DECLS
