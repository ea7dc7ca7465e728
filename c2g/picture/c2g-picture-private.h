/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* The command and the plugin for GStreamer compile these files, too. They see what every program
 * sees. */
#include <gio/gio.h>

#ifdef C2G_COMPILATION
# include <c2g/core/tensor/c2g-tensor.h>
# include <c2g/core/types/c2g-error-private.h>
#else
# include <c2g/c2g.h>
#endif

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
  gboolean  is_letterbox;
  gboolean  is_smooth;
  gboolean  is_nearest;
  gboolean  is_bytes;
} C2gPictureArguments;

void     c2g_picture_arguments_clear      (C2gPictureArguments        *arguments);
/* Takes options from another one, unless they are set already. */
void     c2g_picture_arguments_add        (C2gPictureArguments        *self,
                                           const C2gPictureArguments  *other);
/* Takes options from the preset, if there is one, unless they are set already. */
gboolean c2g_picture_arguments_add_preset (C2gPictureArguments        *self,
                                           GError                    **error);

/* The file beside a model that has its options. */
#define C2G_PICTURE_FORM_NAME "model.ini"

/* Reads the options in the text of such a file, and checks them, so that an error is that of the
 * file. SELF has none yet. */
gboolean c2g_picture_arguments_parse      (C2gPictureArguments        *self,
                                           const char                 *text,
                                           GError                    **error);
/* Returns the text of such a file. */
char    *c2g_picture_arguments_to_text    (C2gPictureArguments        *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gPictureArguments, c2g_picture_arguments_clear)

/* The parsed options. */
typedef struct
{
  /* 0 for the picture's own size. */
  int         width;
  int         height;
  /* TRUE to crop the picture to the aspect ratio of the tensor, or to add borders; with neither the
   * picture is distorted. */
  gboolean    is_crop;
  gboolean    is_letterbox;
  /* TRUE to average all source pixels when scaling down, or to use the nearest one; with neither
   * the four nearest ones are interpolated. */
  gboolean    is_smooth;
  gboolean    is_nearest;

  /* Order of the channels, such as "RGB". */
  const char *channels;
  gsize       n_channels;
  /* TRUE for NHWC, FALSE for NCHW. */
  gboolean    is_nhwc;

  /* A pixel p (0 to 255) becomes (p - mean) × scale, for each channel. With uint8 elements it stays
   * as it is. */
  double      mean[C2G_PICTURE_MAX_CHANNELS];
  double      scale[C2G_PICTURE_MAX_CHANNELS];
  C2gDataType data_type;
} C2gPictureForm;

gboolean c2g_picture_form_parse (C2gPictureForm             *form,
                                 const C2gPictureArguments  *arguments,
                                 GError                    **error);

#define C2G_PICTURE_N_DIMS 4

/* Computes the dimensions of a tensor with one picture. */
void c2g_picture_form_get_dims (const C2gPictureForm *form,
                                gint64               *dims);

/* The selected part of a picture, and the part of the tensor that it fills. */
typedef struct
{
  int x;
  int y;
  int width;
  int height;
  int new_x;
  int new_y;
  int new_width;
  int new_height;
} C2gPictureFit;

/* Fits a picture into the form, which must have a size. */
void c2g_picture_form_fit (const C2gPictureForm *form,
                           int                   width,
                           int                   height,
                           C2gPictureFit        *fit);

/* A picture in memory: rows of pixels, each with a byte for gray, two for gray and alpha, three for
 * RGB or four for RGBA. */
typedef struct
{
  const guint8 *pixels;
  int           width;
  int           height;
  int           row_stride;
  int           n_channels;
} C2gRaster;

/* Converts a picture to a tensor of four dimensions. */
C2gTensor *c2g_picture_from_raster (const C2gPictureForm  *form,
                                    const C2gRaster       *raster,
                                    GError               **error);
/* Converts a tensor to a picture of RGB or RGBA; free the pixels by g_free(). */
gboolean   c2g_picture_to_raster   (const C2gPictureForm  *form,
                                    C2gTensor             *tensor,
                                    C2gRaster             *raster,
                                    GError               **error);

/* Reads a picture by GdkPixbuf. */
C2gTensor *c2g_picture_read        (const C2gPictureForm  *form,
                                    GFile                 *file,
                                    GCancellable          *cancellable,
                                    GError               **error);
/* Writes a tensor as a PNG file, with the inverse conversion. */
gboolean   c2g_picture_write       (const C2gPictureForm  *form,
                                    C2gTensor             *tensor,
                                    GFile                 *file,
                                    GCancellable          *cancellable,
                                    GError               **error);

G_END_DECLS
