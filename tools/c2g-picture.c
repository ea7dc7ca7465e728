/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-picture.h"

#include <glib/gi18n.h>

#ifdef HAVE_GDK_PIXBUF
# include <gdk-pixbuf/gdk-pixbuf.h>

# include <math.h>
# include <string.h>

/* Returns the offset of a channel in a pixel of GdkPixbuf; 3 is alpha. */
static guint
get_offset (const C2gPictureForm *form,
            gsize                 channel)
{
  return strchr ("RGBA", form->channels[channel]) - "RGBA";
}

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

/* The source pixels, and the size of the result. */
typedef struct
{
  const guint8 *pixels;
  gsize         row_size;
  gsize         pixel_size;
  gboolean      has_alpha;

  int           width;
  int           height;
  int           new_width;
  int           new_height;
} Source;

static void
source_init (Source               *source,
             const C2gPictureForm *form,
             GdkPixbuf            *pixbuf)
{
  source->pixels = gdk_pixbuf_read_pixels (pixbuf);
  source->row_size = gdk_pixbuf_get_rowstride (pixbuf);
  source->pixel_size = gdk_pixbuf_get_n_channels (pixbuf);
  source->has_alpha = gdk_pixbuf_get_has_alpha (pixbuf);
  source->width = gdk_pixbuf_get_width (pixbuf);
  source->height = gdk_pixbuf_get_height (pixbuf);
  source->new_width = form->width > 0 ? form->width : source->width;
  source->new_height = form->height > 0 ? form->height : source->height;
}

/* Crops the middle of the picture to the aspect ratio of the tensor. */
static GdkPixbuf *
crop (GdkPixbuf *pixbuf,
      int        width,
      int        height)
{
  int old_width = gdk_pixbuf_get_width (pixbuf);
  int old_height = gdk_pixbuf_get_height (pixbuf);
  int new_width = CLAMP (rint ((double) old_height * width / height), 1, old_width);
  int new_height = CLAMP (rint ((double) old_width * height / width), 1, old_height);

  return gdk_pixbuf_new_subpixbuf (pixbuf, (old_width - new_width) / 2,
                                   (old_height - new_height) / 2, new_width, new_height);
}

/* Scales with all source pixels. interpolate() uses only the four nearest ones. */
static GdkPixbuf *
smooth (GdkPixbuf  *pixbuf,
        int         width,
        int         height,
        GError    **error)
{
  GdkPixbuf *scaled = gdk_pixbuf_scale_simple (pixbuf, width, height, GDK_INTERP_BILINEAR);

  if (scaled == NULL)
    set_no_memory (error, width, height);
  return scaled;
}

static double
get_pixel (const C2gPictureForm *form,
           const Source         *source,
           int                   x,
           int                   y,
           gsize                 channel)
{
  const guint8 *pixel = source->pixels + y * source->row_size + x * source->pixel_size;
  guint offset;

  if (form->n_channels == 1)
    return 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2];
  offset = get_offset (form, channel);
  return offset == 3 && !source->has_alpha ? 255 : pixel[offset];
}

/* Finds the two source pixels next to a result pixel along one axis. Returns the distance to the
 * first one. */
static double
find_neighbours (int  position,
                 int  new_size,
                 int  size,
                 int *first,
                 int *second)
{
  double place = CLAMP ((position + 0.5) * size / new_size - 0.5, 0, size - 1);

  *first = place;
  *second = MIN (*first + 1, size - 1);
  return place - *first;
}

/* Bilinear interpolation between the four nearest source pixels, as in the training of Caffe's
 * models. */
static double
interpolate (const C2gPictureForm *form,
             const Source         *source,
             int                   x,
             int                   y,
             gsize                 channel)
{
  int x0, x1, y0, y1;
  double dx = find_neighbours (x, source->new_width, source->width, &x0, &x1);
  double dy = find_neighbours (y, source->new_height, source->height, &y0, &y1);
  double above = (1 - dx) * get_pixel (form, source, x0, y0, channel) +
                 dx * get_pixel (form, source, x1, y0, channel);
  double below = (1 - dx) * get_pixel (form, source, x0, y1, channel) +
                 dx * get_pixel (form, source, x1, y1, channel);

  return (1 - dy) * above + dy * below;
}

static void
fill_tensor (const C2gPictureForm *form,
             const Source         *source,
             gpointer              data)
{
  gsize n_pixels = (gsize) source->new_width * source->new_height;
  gsize pixel = 0;

  for (int y = 0; y < source->new_height; y++)
    for (int x = 0; x < source->new_width; x++, pixel++)
      for (gsize c = 0; c < form->n_channels; c++)
        {
          gsize index = form->is_nhwc ? pixel * form->n_channels + c : c * n_pixels + pixel;
          /* Rounds to a whole number, as programs that scale pictures for training do. */
          double value = rint (interpolate (form, source, x, y, c));

          if (form->is_bytes)
            ((guint8 *) data)[index] = value;
          else
            ((float *) data)[index] = (value - form->mean[c]) * form->scale[c];
        }
}

static C2gTensor *
make_tensor (const C2gPictureForm  *form,
             const Source          *source,
             GError               **error)
{
  C2gDataType data_type = form->is_bytes ? C2G_DATA_TYPE_UINT8 : C2G_DATA_TYPE_FLOAT;
  gint64 n_channels = form->n_channels;
  const gint64 nchw[] = { 1, n_channels, source->new_height, source->new_width };
  const gint64 nhwc[] = { 1, source->new_height, source->new_width, n_channels };
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  gpointer data = NULL;

  if (c2g_tensor_resize (tensor, form->is_nhwc ? nhwc : nchw, G_N_ELEMENTS (nchw), error))
    data = c2g_tensor_mutable_data (tensor, data_type, error);
  if (data == NULL)
    return NULL;
  fill_tensor (form, source, data);
  return g_steal_pointer (&tensor);
}

static C2gTensor *
read_picture (const C2gPictureForm  *form,
              const char            *file,
              GCancellable          *cancellable,
              GError               **error)
{
  g_autoptr (GdkPixbuf) loaded = load_pixbuf (file, cancellable, error);
  g_autoptr (GdkPixbuf) cropped = NULL;
  g_autoptr (GdkPixbuf) scaled = NULL;
  GdkPixbuf *pixbuf = loaded;
  Source source;

  if (pixbuf == NULL)
    return NULL;
  if (form->width > 0 && form->is_crop)
    pixbuf = cropped = crop (pixbuf, form->width, form->height);
  if (form->width > 0 && form->is_smooth)
    pixbuf = scaled = smooth (pixbuf, form->width, form->height, error);
  if (pixbuf == NULL)
    return NULL;

  source_init (&source, form, pixbuf);
  return make_tensor (form, &source, error);
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
