/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

#define C2G_PICTURE_MAX_CHANNELS 4

/* How pictures become tensors, as the command line says it; NULL and FALSE where it says
 * nothing. */
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

/* A command's options together with those for pictures. */
GOptionEntry *c2g_picture_add_entries (const GOptionEntry  *entries,
                                       C2gPictureArguments *arguments);

void     c2g_picture_arguments_clear      (C2gPictureArguments        *arguments);
/* Takes from another what is not said yet. */
void     c2g_picture_arguments_add        (C2gPictureArguments        *self,
                                           const C2gPictureArguments  *other);
/* Takes from the preset, if there is one, what is not said yet. */
gboolean c2g_picture_arguments_add_preset (C2gPictureArguments        *self,
                                           GError                    **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gPictureArguments, c2g_picture_arguments_clear)

/* The same understood. */
typedef struct
{
  /* 0 for the picture's own. */
  int         width;
  int         height;
  /* Of the picture what has the form of the tensor, in place of all of it, distorted. */
  gboolean    is_crop;
  /* All pixels count when a picture becomes smaller, in place of the four around each. */
  gboolean    is_smooth;

  /* "RGB" and so on. */
  const char *channels;
  gsize       n_channels;
  /* The channels of a pixel together. */
  gboolean    is_nhwc;

  /* What becomes of a pixel p of 0 to 255: (p - mean) × scale, for each channel; or the byte
   * itself. */
  double      mean[C2G_PICTURE_MAX_CHANNELS];
  double      scale[C2G_PICTURE_MAX_CHANNELS];
  gboolean    is_bytes;
} C2gPictureForm;

gboolean c2g_picture_form_parse (C2gPictureForm             *form,
                                 const C2gPictureArguments  *arguments,
                                 GError                    **error);

/* A picture as a tensor of four dimensions. */
C2gTensor *c2g_picture_read  (const C2gPictureForm  *form,
                              const char            *file,
                              GCancellable          *cancellable,
                              GError               **error);
/* A tensor as a PNG file, the way back. */
gboolean   c2g_picture_write (const C2gPictureForm  *form,
                              C2gTensor             *tensor,
                              const char            *file,
                              GCancellable          *cancellable,
                              GError               **error);

G_END_DECLS
