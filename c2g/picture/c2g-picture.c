/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-picture-private.h"

#include "c2g-pixels-private.h"

#ifndef C2G_COMPILATION
# include <glib/gi18n-lib.h>
#endif
#include <math.h>
#include <string.h>

/* Converts pictures in memory to tensors and back. */

/* The part of the old pixels that becomes one new pixel: [first, last], and how much of the first
 * and of the last one counts. */
typedef struct
{
  int   first;
  int   last;
  float first_weight;
  float last_weight;
} Window;

static void
window_init (Window *self,
             int     start,
             int     length,
             int     new_length,
             int     position)
{
  const double begin = (double) position * length / new_length;
  const double end = (double) (position + 1) * length / new_length;

  self->first = begin;
  self->last = CLAMP ((int) ceil (end) - 1, self->first, length - 1);
  self->first_weight = MIN (self->first + 1, end) - begin;
  self->last_weight = end - MAX (self->last, begin);
  self->first += start;
  self->last += start;
}

static float
get_weight (const Window *window,
            int           position)
{
  if (position == window->first)
    return window->first_weight;
  return position == window->last ? window->last_weight : 1;
}

/* Averages the old pixels in a window of columns and a window of rows. */
static void
average_pixel (const C2gRaster *raster,
               const Window    *x,
               const Window    *y,
               guint8          *to)
{
  float sums[C2G_PICTURE_MAX_CHANNELS] = { 0 };
  float total = 0;

  for (int row = y->first; row <= y->last; row++)
    for (int column = x->first; column <= x->last; column++)
      {
        const guint8 *pixel =
          raster->pixels + (gsize) row * raster->row_stride + (gsize) column * raster->n_channels;
        const float weight = get_weight (x, column) * get_weight (y, row);

        for (int c = 0; c < raster->n_channels; c++)
          sums[c] += pixel[c] * weight;
        total += weight;
      }
  for (int c = 0; c < raster->n_channels; c++)
    to[c] = CLAMP (rintf (sums[c] / total), 0, 255);
}

/* Scales down the selected part by averaging all of its pixels, because C2gPixelScaler uses only the
 * four nearest ones. The result is the whole of the new picture. Returns its pixels. */
static guint8 *
smooth (const C2gRaster *raster,
        C2gPictureFit   *fit,
        C2gRaster       *scaled,
        GError         **error)
{
  const int width = MIN (fit->width, fit->new_width);
  const int height = MIN (fit->height, fit->new_height);
  const gsize row_stride = (gsize) width * raster->n_channels;
  g_autofree Window *windows = g_new (Window, width);
  guint8 *pixels = g_try_malloc_n (height, row_stride);

  if (pixels == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                   _("There is no memory for a picture of %d × %d pixels"), width, height);
      return NULL;
    }
  for (int x = 0; x < width; x++)
    window_init (&windows[x], fit->x, fit->width, width, x);
  for (int y = 0; y < height; y++)
    {
      Window rows;

      window_init (&rows, fit->y, fit->height, height, y);
      for (int x = 0; x < width; x++)
        average_pixel (raster, &windows[x], &rows, pixels + y * row_stride + x * raster->n_channels);
    }

  *scaled = (C2gRaster) { pixels, width, height, row_stride, raster->n_channels };
  fit->x = fit->y = 0;
  fit->width = width;
  fit->height = height;
  return pixels;
}

/* Pixels without alpha are opaque. */
static void
describe_pixels (const C2gRaster *raster,
                 C2gPixels       *pixels)
{
  static const float rgb[C2G_PIXELS_N_COLORS][C2G_PIXELS_MAX_COMPONENTS + 1] = {
    { 1 }, { 0, 1 }, { 0, 0, 1 }, { 0, 0, 0, 0, 255 }, { 0.299, 0.587, 0.114 }
  };
  static const float gray[C2G_PIXELS_N_COLORS][C2G_PIXELS_MAX_COMPONENTS + 1] = {
    { 1 }, { 1 }, { 1 }, { 0, 0, 0, 0, 255 }, { 1 }
  };
  const int n = raster->n_channels;

  *pixels = (C2gPixels) { .width = raster->width, .height = raster->height };
  memcpy (pixels->colors, n < 3 ? gray : rgb, sizeof rgb);
  for (int i = 0; i < n; i++)
    pixels->components[i] = (C2gComponent) { .step = n, .offset = i };
  if (n % 2 == 0)
    {
      pixels->colors[C2G_PIXELS_A][C2G_PIXELS_MAX_COMPONENTS] = 0;
      pixels->colors[C2G_PIXELS_A][n - 1] = 1;
    }
}

/* Fills a tensor with the part of the picture that FIT selects. */
static C2gTensor *
make_tensor (const C2gPictureForm  *form,
             const C2gPictureFit   *fit,
             const C2gRaster       *raster,
             GError               **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gPixelScaler) scaler = NULL;
  gint64 dims[C2G_PICTURE_N_DIMS];
  gpointer data = NULL;
  C2gPixels pixels;

  c2g_picture_form_get_dims (form, dims);
  tensor = c2g_tensor_new_sized (dims, G_N_ELEMENTS (dims), NULL, error);
  if (tensor != NULL)
    data = c2g_tensor_mutable_data (tensor, form->data_type, error);
  if (data == NULL)
    return NULL;
  describe_pixels (raster, &pixels);
  scaler = c2g_pixel_scaler_new (&pixels, form, fit);
  c2g_pixel_scaler_run (scaler, &raster->pixels, &raster->row_stride, data);
  return g_steal_pointer (&tensor);
}

C2gTensor *
c2g_picture_from_raster (const C2gPictureForm  *form,
                         const C2gRaster       *raster,
                         GError               **error)
{
  C2gPictureForm own = *form;
  g_autofree guint8 *pixels = NULL;
  C2gPictureFit fit;
  C2gRaster scaled;

  if (own.width == 0)
    {
      own.width = raster->width;
      own.height = raster->height;
    }
  c2g_picture_form_fit (&own, raster->width, raster->height, &fit);
  if (!own.is_smooth)
    return make_tensor (&own, &fit, raster, error);
  pixels = smooth (raster, &fit, &scaled, error);
  return pixels != NULL ? make_tensor (&own, &fit, &scaled, error) : NULL;
}

/* A tensor that is converted to a picture. */
typedef struct
{
  C2gTensor *tensor;
  gint64     width;
  gint64     height;
  gint64     n_channels;
} Picture;

static gboolean
find_sizes (const C2gPictureForm *form,
            Picture              *picture)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (picture->tensor, &n_dims);

  /* A batch must have one picture; without channels it is grey. */
  if (n_dims == 4 && dims[0] == 1)
    dims++, n_dims--;
  if (n_dims < 2 || n_dims > 3)
    return FALSE;
  picture->n_channels = n_dims == 2 ? 1 : dims[form->is_nhwc ? 2 : 0];
  if (n_dims == 3 && !form->is_nhwc)
    dims++;
  picture->height = dims[0];
  picture->width = dims[1];
  return (picture->n_channels == 1 || picture->n_channels == 3 || picture->n_channels == 4) &&
         picture->width > 0 && picture->width <= G_MAXINT16 && picture->height > 0 &&
         picture->height <= G_MAXINT16;
}

static gboolean
write_pixel (const C2gPictureForm  *form,
             const Picture         *picture,
             gint64                 pixel,
             guint8                *to,
             GError               **error)
{
  gboolean is_bgr = form->channels[0] == 'B';
  gint64 n_pixels = picture->width * picture->height;

  for (gint64 c = 0; c < picture->n_channels; c++)
    {
      gint64 index = form->is_nhwc ? pixel * picture->n_channels + c : c * n_pixels + pixel;
      gsize parameter = MIN ((gsize) c, form->n_channels - 1);
      GError *local_error = NULL;
      double value = c2g_tensor_get_value (picture->tensor, index, &local_error);

      if (local_error != NULL)
        {
          g_propagate_error (error, local_error);
          return FALSE;
        }
      if (c2g_tensor_get_data_type (picture->tensor) != C2G_DATA_TYPE_UINT8)
        value = value / form->scale[parameter] + form->mean[parameter];
      /* NaN becomes black. */
      to[is_bgr && c < 3 ? 2 - c : c] = value > 0 ? rint (MIN (value, 255)) : 0;
    }
  if (picture->n_channels == 1)
    to[0] = to[1] = to[2] = to[is_bgr ? 2 : 0];
  return TRUE;
}

gboolean
c2g_picture_to_raster (const C2gPictureForm  *form,
                       C2gTensor             *tensor,
                       C2gRaster             *raster,
                       GError               **error)
{
  Picture picture = { tensor };
  g_autofree guint8 *pixels = NULL;
  g_autofree char *text = NULL;
  gsize pixel_size;

  if (!find_sizes (form, &picture))
    {
      text = c2g_tensor_to_string (tensor, 0);
      g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
                   _("Expected one picture of 1, 3 or 4 channels in the order %s, got %s"),
                   form->is_nhwc ? "NHWC" : "NCHW", text);
      return FALSE;
    }
  pixel_size = picture.n_channels == 4 ? 4 : 3;
  pixels = g_try_malloc_n (picture.width * picture.height, pixel_size);
  if (pixels == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                   _("There is no memory for a picture of %d × %d pixels"), (int) picture.width,
                   (int) picture.height);
      return FALSE;
    }
  for (gint64 i = 0; i < picture.width * picture.height; i++)
    if (!write_pixel (form, &picture, i, pixels + i * pixel_size, error))
      return FALSE;
  *raster = (C2gRaster) { g_steal_pointer (&pixels), picture.width, picture.height,
                          picture.width * pixel_size, pixel_size };
  return TRUE;
}
