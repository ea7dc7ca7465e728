/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-picture.h"

#include "c2g-pixels.h"

#include <glib/gi18n.h>

#ifdef HAVE_GDK_PIXBUF
# include <gdk-pixbuf/gdk-pixbuf.h>

# include <math.h>
# include <string.h>

/* Converts picture files to tensors and back. */

static void
set_no_memory (GError **error,
               int      width,
               int      height)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
               _("There is no memory for a picture of %d × %d pixels"), width, height);
}

static GdkPixbuf *
load_pixbuf (const char    *name,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (name);
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  GdkPixbuf *upright;

  if (stream != NULL)
    pixbuf = gdk_pixbuf_new_from_stream (G_INPUT_STREAM (stream), cancellable, error);
  if (pixbuf == NULL)
    return NULL;
  /* Cameras store pictures rotated, with the orientation in the metadata. */
  upright = gdk_pixbuf_apply_embedded_orientation (pixbuf);
  if (upright == NULL)
    set_no_memory (error, gdk_pixbuf_get_width (pixbuf), gdk_pixbuf_get_height (pixbuf));
  return upright;
}

/* Scales down the selected part by averaging all source pixels; C2gPixelScaler only uses the four
 * nearest ones. */
static GdkPixbuf *
smooth (GdkPixbuf            *pixbuf,
        const C2gPictureFit  *fit,
        GError              **error)
{
  g_autoptr (GdkPixbuf) part =
    gdk_pixbuf_new_subpixbuf (pixbuf, fit->x, fit->y, fit->width, fit->height);
  GdkPixbuf *scaled =
    gdk_pixbuf_scale_simple (part, fit->new_width, fit->new_height, GDK_INTERP_BILINEAR);

  if (scaled == NULL)
    set_no_memory (error, fit->new_width, fit->new_height);
  return scaled;
}

/* Pixels without alpha are opaque. */
static void
describe_pixels (GdkPixbuf *pixbuf,
                 C2gPixels *pixels)
{
  const gsize step = gdk_pixbuf_get_n_channels (pixbuf);

  *pixels = (C2gPixels) {
    .width = gdk_pixbuf_get_width (pixbuf),
    .height = gdk_pixbuf_get_height (pixbuf),
    .colors = { { 1 }, { 0, 1 }, { 0, 0, 1 }, { 0, 0, 0, 0, 255 }, { 0.299, 0.587, 0.114 } },
  };
  for (gsize i = 0; i < step; i++)
    pixels->components[i] = (C2gComponent) { .step = step, .offset = i };
  if (gdk_pixbuf_get_has_alpha (pixbuf))
    memcpy (pixels->colors[C2G_PIXELS_A], (float[]) { 0, 0, 0, 1, 0 }, 5 * sizeof (float));
}

/* Fills a tensor with the part of the picture that FIT selects. */
static C2gTensor *
make_tensor (const C2gPictureForm  *form,
             const C2gPictureFit   *fit,
             GdkPixbuf             *pixbuf,
             GError               **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gPixelScaler) scaler = NULL;
  const guint8 *plane = gdk_pixbuf_read_pixels (pixbuf);
  const int stride = gdk_pixbuf_get_rowstride (pixbuf);
  gint64 dims[C2G_PICTURE_N_DIMS];
  gpointer data = NULL;
  C2gPixels pixels;

  c2g_picture_form_get_dims (form, dims);
  tensor = c2g_tensor_new_sized (dims, G_N_ELEMENTS (dims), NULL, error);
  if (tensor != NULL)
    data = c2g_tensor_mutable_data (tensor, form->data_type, error);
  if (data == NULL)
    return NULL;
  describe_pixels (pixbuf, &pixels);
  scaler = c2g_pixel_scaler_new (&pixels, form, fit);
  c2g_pixel_scaler_run (scaler, &plane, &stride, data);
  return g_steal_pointer (&tensor);
}

static C2gTensor *
read_picture (const C2gPictureForm  *form,
              const char            *file,
              GCancellable          *cancellable,
              GError               **error)
{
  g_autoptr (GdkPixbuf) pixbuf = load_pixbuf (file, cancellable, error);
  g_autoptr (GdkPixbuf) scaled = NULL;
  C2gPictureForm own = *form;
  C2gPictureFit fit;

  if (pixbuf == NULL)
    return NULL;
  if (own.width == 0)
    {
      own.width = gdk_pixbuf_get_width (pixbuf);
      own.height = gdk_pixbuf_get_height (pixbuf);
    }
  c2g_picture_form_fit (&own, gdk_pixbuf_get_width (pixbuf), gdk_pixbuf_get_height (pixbuf), &fit);
  if (!form->is_smooth || form->width == 0)
    return make_tensor (&own, &fit, pixbuf, error);

  scaled = smooth (pixbuf, &fit, error);
  if (scaled == NULL)
    return NULL;
  fit.x = fit.y = 0;
  fit.width = fit.new_width;
  fit.height = fit.new_height;
  return make_tensor (&own, &fit, scaled, error);
}

C2gTensor *
c2g_picture_read (const C2gPictureForm  *form,
                  const char            *file,
                  GCancellable          *cancellable,
                  GError               **error)
{
  C2gTensor *tensor = read_picture (form, file, cancellable, error);
  g_autofree char *name = g_filename_display_name (file);

  if (tensor == NULL)
    g_prefix_error (error, "%s: ", name);
  return tensor;
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

static GdkPixbuf *
make_pixbuf (const C2gPictureForm  *form,
             const Picture         *picture,
             GError               **error)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, picture->n_channels == 4, 8,
                                                 picture->width, picture->height);
  gsize pixel_size = picture->n_channels == 4 ? 4 : 3;
  gsize row_size;
  guint8 *pixels;

  if (pixbuf == NULL)
    {
      set_no_memory (error, picture->width, picture->height);
      return NULL;
    }
  row_size = gdk_pixbuf_get_rowstride (pixbuf);
  pixels = gdk_pixbuf_get_pixels (pixbuf);
  for (gint64 i = 0; i < picture->width * picture->height; i++)
    if (!write_pixel (form, picture, i,
                      pixels + i / picture->width * row_size + i % picture->width * pixel_size,
                      error))
      return NULL;
  return g_steal_pointer (&pixbuf);
}

static gboolean
save_pixbuf (GdkPixbuf     *pixbuf,
             const char    *name,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (name);
  g_autofree char *buffer = NULL;
  gsize size;

  return gdk_pixbuf_save_to_buffer (pixbuf, &buffer, &size, "png", error, NULL) &&
         g_file_replace_contents (file, buffer, size, NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                  cancellable, error);
}

gboolean
c2g_picture_write (const C2gPictureForm  *form,
                   C2gTensor             *tensor,
                   const char            *file,
                   GCancellable          *cancellable,
                   GError               **error)
{
  Picture picture = { tensor };
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  g_autofree char *name = g_filename_display_name (file);
  g_autofree char *text = NULL;

  if (!find_sizes (form, &picture))
    {
      text = c2g_tensor_to_string (tensor, 0);
      g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
                   _("%s: Expected one picture of 1, 3 or 4 channels in the order %s, got %s"),
                   name, form->is_nhwc ? "NHWC" : "NCHW", text);
      return FALSE;
    }
  pixbuf = make_pixbuf (form, &picture, error);
  if (pixbuf != NULL && save_pixbuf (pixbuf, file, cancellable, error))
    return TRUE;
  g_prefix_error (error, "%s: ", name);
  return FALSE;
}

#else

static void
set_no_pictures (GError     **error,
                 const char  *file)
{
  g_autofree char *name = g_filename_display_name (file);

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
               _("%s: This c2g was built without GdkPixbuf, and knows no pictures"), name);
}

C2gTensor *
c2g_picture_read (const C2gPictureForm  *form,
                  const char            *file,
                  GCancellable          *cancellable,
                  GError               **error)
{
  set_no_pictures (error, file);
  return NULL;
}

gboolean
c2g_picture_write (const C2gPictureForm  *form,
                   C2gTensor             *tensor,
                   const char            *file,
                   GCancellable          *cancellable,
                   GError               **error)
{
  set_no_pictures (error, file);
  return FALSE;
}

#endif
