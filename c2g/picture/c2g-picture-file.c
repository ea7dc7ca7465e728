/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-picture-private.h"

#ifndef C2G_COMPILATION
# include <glib/gi18n-lib.h>
#endif

#include <string.h>

#ifdef HAVE_GDK_PIXBUF
# include <c2g/core/types/c2g-library-private.h>

# include <gdk-pixbuf/gdk-pixbuf.h>
#endif

/* Reads and writes picture files by GdkPixbuf. It is opened when the first picture is read, so
 * programs without pictures neither need it nor wait for it. */

#ifdef HAVE_GDK_PIXBUF

# define GDK_PIXBUF_LIBRARY "libgdk_pixbuf-2.0.so.0"

/* The functions that are used. */
# define FUNCTIONS(FUNCTION)                                                                       \
   FUNCTION (new_from_stream)                                                                      \
   FUNCTION (new_from_data)                                                                        \
   FUNCTION (apply_embedded_orientation)                                                           \
   FUNCTION (read_pixels)                                                                          \
   FUNCTION (get_width)                                                                            \
   FUNCTION (get_height)                                                                           \
   FUNCTION (get_rowstride)                                                                        \
   FUNCTION (get_n_channels)                                                                       \
   FUNCTION (save_to_buffer)

# define MEMBER(name) __typeof__ (gdk_pixbuf_##name) *name;
# define ROW(name)    { "gdk_pixbuf_" #name, (gpointer *) &gdk.name },

static struct
{
  FUNCTIONS (MEMBER)
} gdk;

static const C2gLibraryFunction functions[] = { FUNCTIONS (ROW) };

static gpointer
open_gdk (gpointer data)
{
  return c2g_library_open (GDK_PIXBUF_LIBRARY, functions, G_N_ELEMENTS (functions));
}

static gboolean
check_gdk (GError **error)
{
  static GOnce once = G_ONCE_INIT;
  const char *reason = g_once (&once, open_gdk, NULL);

  if (reason == NULL)
    return TRUE;
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
               _("Pictures need GdkPixbuf, which cannot be opened: %s"), reason);
  return FALSE;
}

static GdkPixbuf *
load_pixbuf (GFile         *file,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  GdkPixbuf *upright;

  if (stream != NULL)
    pixbuf = gdk.new_from_stream (G_INPUT_STREAM (stream), cancellable, error);
  if (pixbuf == NULL)
    return NULL;
  /* Cameras store pictures rotated, with the orientation in the metadata. */
  upright = gdk.apply_embedded_orientation (pixbuf);
  if (upright == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                 _("There is no memory for a picture of %d × %d pixels"), gdk.get_width (pixbuf),
                 gdk.get_height (pixbuf));
  return upright;
}

static C2gTensor *
read_picture (const C2gPictureForm  *form,
              GFile                 *file,
              GCancellable          *cancellable,
              GError               **error)
{
  g_autoptr (GdkPixbuf) pixbuf = check_gdk (error) ? load_pixbuf (file, cancellable, error) : NULL;
  C2gRaster raster;

  if (pixbuf == NULL)
    return NULL;
  raster = (C2gRaster) { gdk.read_pixels (pixbuf), gdk.get_width (pixbuf), gdk.get_height (pixbuf),
                         gdk.get_rowstride (pixbuf), gdk.get_n_channels (pixbuf) };
  return c2g_picture_from_raster (form, &raster, error);
}

static gboolean
save_raster (const C2gRaster  *raster,
             GFile            *file,
             GCancellable     *cancellable,
             GError          **error)
{
  g_autoptr (GdkPixbuf) pixbuf =
    gdk.new_from_data (raster->pixels, GDK_COLORSPACE_RGB, raster->n_channels == 4, 8, raster->width,
                       raster->height, raster->row_stride, NULL, NULL);
  g_autofree char *buffer = NULL;
  gsize size;

  return gdk.save_to_buffer (pixbuf, &buffer, &size, "png", error, NULL) &&
         g_file_replace_contents (file, buffer, size, NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                  cancellable, error);
}

static gboolean
write_picture (const C2gPictureForm  *form,
               C2gTensor             *tensor,
               GFile                 *file,
               GCancellable          *cancellable,
               GError               **error)
{
  g_autofree guint8 *pixels = NULL;
  C2gRaster raster;

  if (!check_gdk (error) || !c2g_picture_to_raster (form, tensor, &raster, error))
    return FALSE;
  pixels = (guint8 *) raster.pixels;
  return save_raster (&raster, file, cancellable, error);
}

#else

static gboolean
set_no_pictures (GError **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
               _("This c2g was built without GdkPixbuf, and knows no picture files"));
  return FALSE;
}

static C2gTensor *
read_picture (const C2gPictureForm  *form,
              GFile                 *file,
              GCancellable          *cancellable,
              GError               **error)
{
  set_no_pictures (error);
  return NULL;
}

static gboolean
write_picture (const C2gPictureForm  *form,
               C2gTensor             *tensor,
               GFile                 *file,
               GCancellable          *cancellable,
               GError               **error)
{
  return set_no_pictures (error);
}

#endif

/* Messages of GIO have the name already. */
static void
add_file_name (GFile   *file,
               GError **error)
{
  g_autofree char *name = g_file_get_parse_name (file);

  if (error != NULL && strstr ((*error)->message, name) == NULL)
    g_prefix_error (error, "%s: ", name);
}

C2gTensor *
c2g_picture_read (const C2gPictureForm  *form,
                  GFile                 *file,
                  GCancellable          *cancellable,
                  GError               **error)
{
  C2gTensor *tensor = read_picture (form, file, cancellable, error);

  if (tensor == NULL)
    add_file_name (file, error);
  return tensor;
}

static gboolean
check_ending (const char  *name,
              GError     **error)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (g_str_has_suffix (lower, ".png"))
    return TRUE;
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
               _("Pictures are written as PNG, expected a name that ends with %s"), ".png");
  return FALSE;
}

gboolean
c2g_picture_write (const C2gPictureForm  *form,
                   C2gTensor             *tensor,
                   GFile                 *file,
                   GCancellable          *cancellable,
                   GError               **error)
{
  g_autofree char *name = g_file_get_parse_name (file);

  if (check_ending (name, error) && write_picture (form, tensor, file, cancellable, error))
    return TRUE;
  add_file_name (file, error);
  return FALSE;
}
