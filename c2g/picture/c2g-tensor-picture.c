/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/picture/c2g-tensor-picture.h>

#include <c2g/picture/c2g-picture-options-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/types/c2g-task-private.h>

/* The public functions that make tensors of picture files and of pixels in memory, and write tensors as
 * pictures. c2g-picture-file.c reads and writes the files, c2g-picture.c converts the pixels. */

/* The properties of a GdkPixbuf, whose library need not be there. */
static const char *const pixbuf_properties[] = { "width", "height", "rowstride", "n-channels", "bits-per-sample" };

/**
 * c2g_tensor_new_from_picture:
 * @file: a picture in a format that GdkPixbuf reads, such as PNG or JPEG
 * @options: (nullable): how the model wants it; `NULL` for the pixels as they are
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Reads a picture file as a tensor of four dimensions, as `c2g run` does.
 *
 * The picture is turned as its metadata says. Needs GdkPixbuf at run time; without it, the error is
 * `C2G_ERROR_NOT_SUPPORTED`.
 *
 * ```python
 * picture = C2g.Tensor.new_from_picture('cat.jpg', C2g.PictureOptions(preset='imagenet'))
 * ```
 *
 * Returns: (transfer full): a new tensor
 */
C2gTensor *
c2g_tensor_new_from_picture (GFile              *file,
                             C2gPictureOptions  *options,
                             GCancellable       *cancellable,
                             GError            **error)
{
  C2gPictureForm form;

  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (options == NULL || C2G_IS_PICTURE_OPTIONS (options), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_picture_options_get_form (options, &form, error) ? c2g_picture_read (&form, file, cancellable, error) : NULL;
}

/* Returns a tensor for so many pictures like the first one, without elements. */
static C2gTensor *
new_batch (C2gTensor  *first,
           guint       n_pictures,
           GError    **error)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (first, &n_dims);
  const gint64 batch_dims[C2G_PICTURE_N_DIMS] = { n_pictures, dims[1], dims[2], dims[3] };
  g_autoptr (C2gTensor) batch = c2g_tensor_new_sized (batch_dims, n_dims, NULL, error);

  return batch != NULL && c2g_tensor_allocate (batch, c2g_tensor_get_data_type (first), error) ? g_steal_pointer (&batch) : NULL;
}

/* Copies a picture to its place in the batch. */
static gboolean
put_picture (C2gTensor  *batch,
             guint       i,
             C2gTensor  *picture,
             GFile      *file,
             GError    **error)
{
  g_autoptr (C2gTensor) place = c2g_tensor_slice (batch, i, (gint64) i + 1, error);
  g_autofree char *name = NULL;
  g_autofree char *got = NULL;
  g_autofree char *expected = NULL;

  if (place == NULL)
    return FALSE;
  if (c2g_shape_equal (place->dims, place->n_dims, picture->dims, picture->n_dims))
    return c2g_tensor_copy_from (place, picture, NULL, error);

  name = g_file_get_parse_name (file);
  got = c2g_shape_to_string (picture->dims, picture->n_dims);
  expected = c2g_shape_to_string (place->dims, place->n_dims);
  return c2g_fail (error, C2G_ERROR_SHAPE,
                   _("%s: The shape is %s, and that of the first picture %s; the options size and channels give all one shape"), name,
                   got, expected);
}

static C2gTensor *
read_batch (const C2gPictureForm  *form,
            GFile                **files,
            guint                  n_files,
            GCancellable          *cancellable,
            GError               **error)
{
  g_autoptr (C2gTensor) batch = NULL;

  for (guint i = 0; i < n_files; i++)
    {
      g_autoptr (C2gTensor) picture = c2g_picture_read (form, files[i], cancellable, error);

      if (picture != NULL && batch == NULL)
        batch = new_batch (picture, n_files, error);
      if (picture == NULL || batch == NULL || !put_picture (batch, i, picture, files[i], error))
        return NULL;
    }
  if (batch == NULL)
    return c2g_fail_null (error, C2G_ERROR_INVALID_ARGUMENT, _("Expected at least one picture"));
  return g_steal_pointer (&batch);
}

/**
 * c2g_tensor_new_from_pictures:
 * @files: (array length=n_files): pictures in formats that GdkPixbuf reads, such as PNG or JPEG
 * @n_files: how many there are, at least one
 * @options: (nullable): how the model wants them; `NULL` for the pixels as they are
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Reads picture files as one tensor, a batch, whose first dimension is their number.
 *
 * Each is read as by [ctor@Tensor.new_from_picture]. [method@Predictor.classify_batch] takes the
 * tensor.
 *
 * ```python
 * batch = C2g.Tensor.new_from_pictures(['cat.jpg', 'dog.jpg'], predictor.dup_picture_options())
 * ```
 *
 * Errors: those of [ctor@Tensor.new_from_picture], `C2G_ERROR_SHAPE` if a picture has another size
 * or number of channels than the first one, and `C2G_ERROR_INVALID_ARGUMENT` without files.
 *
 * Returns: (transfer full): a new tensor
 */
C2gTensor *
c2g_tensor_new_from_pictures (GFile             **files,
                              guint               n_files,
                              C2gPictureOptions  *options,
                              GCancellable       *cancellable,
                              GError            **error)
{
  C2gPictureForm form;

  g_return_val_if_fail (files != NULL || n_files == 0, NULL);
  g_return_val_if_fail (options == NULL || C2G_IS_PICTURE_OPTIONS (options), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);
  for (guint i = 0; i < n_files; i++)
    g_return_val_if_fail (G_IS_FILE (files[i]), NULL);

  return c2g_picture_options_get_form (options, &form, error) ? read_batch (&form, files, n_files, cancellable, error) : NULL;
}

typedef struct
{
  /* Ends with NULL. */
  GFile              **files;
  guint                n_files;
  C2gPictureArguments  arguments;
} Load;

static Load *
load_new (GFile             **files,
          guint               n_files,
          C2gPictureOptions  *options)
{
  Load *self = g_new0 (Load, 1);

  self->files = g_new0 (GFile *, (gsize) n_files + 1);
  self->n_files = n_files;
  for (guint i = 0; i < n_files; i++)
    self->files[i] = g_object_ref (files[i]);
  if (options != NULL)
    c2g_picture_arguments_add (&self->arguments, &options->arguments);
  return self;
}

static void
load_free (gpointer data)
{
  Load *self = data;

  c2g_picture_arguments_clear (&self->arguments);
  for (guint i = 0; i < self->n_files; i++)
    g_object_unref (self->files[i]);
  g_free (self->files);
  g_free (self);
}

static gpointer
load (gpointer       data,
      GCancellable  *cancellable,
      GError       **error)
{
  const Load *self = data;
  C2gPictureForm form;

  return c2g_picture_form_parse (&form, &self->arguments, error)
           ? c2g_picture_read (&form, self->files[0], cancellable, error)
           : NULL;
}

static gpointer
load_batch (gpointer       data,
            GCancellable  *cancellable,
            GError       **error)
{
  const Load *self = data;
  C2gPictureForm form;

  return c2g_picture_form_parse (&form, &self->arguments, error)
           ? read_batch (&form, self->files, self->n_files, cancellable, error)
           : NULL;
}

/**
 * c2g_tensor_new_from_picture_async:
 * @file: a picture in a format that GdkPixbuf reads, such as PNG or JPEG
 * @options: (nullable): how the model wants it; `NULL` for the pixels as they are
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the picture is read
 * @user_data: data for @callback
 *
 * Reads a picture file in another thread, and calls back in the caller's main context.
 *
 * It does what [ctor@Tensor.new_from_picture] does. The options may be changed for other pictures at
 * once.
 *
 * ```js
 * const picture = await C2g.Tensor.new_from_picture_async(file, options, null);
 * ```
 */
void
c2g_tensor_new_from_picture_async (GFile               *file,
                                   C2gPictureOptions   *options,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (options == NULL || C2G_IS_PICTURE_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  c2g_task_start (load, load_new (&file, 1, options), load_free, cancellable, callback, user_data);
}

/**
 * c2g_tensor_new_from_picture_finish:
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Takes the result of [func@Tensor.new_from_picture_async].
 *
 * Returns: (transfer full): a new tensor
 */
C2gTensor *
c2g_tensor_new_from_picture_finish (GAsyncResult  *result,
                                    GError       **error)
{
  return c2g_task_finish (load, result, error);
}

/**
 * c2g_tensor_new_from_pictures_async:
 * @files: (array length=n_files): pictures in formats that GdkPixbuf reads, such as PNG or JPEG
 * @n_files: how many there are, at least one
 * @options: (nullable): how the model wants them; `NULL` for the pixels as they are
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the pictures are read
 * @user_data: data for @callback
 *
 * Reads picture files as one tensor in another thread, and calls back in the caller's main context.
 * [ctor@Tensor.new_from_pictures_finish] gives the tensor.
 *
 * It does what [ctor@Tensor.new_from_pictures] does. The options may be changed for other pictures at
 * once.
 *
 * ```js
 * const batch = await C2g.Tensor.new_from_pictures_async(files, options, null);
 * ```
 */
void
c2g_tensor_new_from_pictures_async (GFile               **files,
                                    guint                 n_files,
                                    C2gPictureOptions    *options,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data)
{
  g_return_if_fail (files != NULL || n_files == 0);
  g_return_if_fail (options == NULL || C2G_IS_PICTURE_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  for (guint i = 0; i < n_files; i++)
    g_return_if_fail (G_IS_FILE (files[i]));

  c2g_task_start (load_batch, load_new (files, n_files, options), load_free, cancellable, callback, user_data);
}

/**
 * c2g_tensor_new_from_pictures_finish:
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Takes the result of [func@Tensor.new_from_pictures_async].
 *
 * Returns: (transfer full): a new tensor
 */
C2gTensor *
c2g_tensor_new_from_pictures_finish (GAsyncResult  *result,
                                     GError       **error)
{
  return c2g_task_finish (load_batch, result, error);
}

/* Checks that all pixels of a picture lie in the bytes. The last row may be shorter than the stride. */
static gboolean
check_pixels (GBytes  *pixels,
              guint    width,
              guint    height,
              gsize    row_stride,
              guint    n_channels,
              GError **error)
{
  gsize n_bytes;

  if (n_channels < 1 || n_channels > C2G_PICTURE_MAX_CHANNELS)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Expected pixels of 1 to 4 channels, got %u"), n_channels);
  if (width < 1 || width > G_MAXINT16 || height < 1 || height > G_MAXINT16)
    return c2g_fail (error, C2G_ERROR_SHAPE, _("Expected a picture of 1 to 32767 pixels a side, got %u × %u"), width,
                     height);
  if (row_stride < (gsize) width * n_channels || row_stride > G_MAXINT)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Expected rows of at least %zu bytes, got %zu"),
                     (gsize) width * n_channels, row_stride);
  if (!g_size_checked_mul (&n_bytes, row_stride, height - 1) ||
      !g_size_checked_add (&n_bytes, n_bytes, (gsize) width * n_channels))
    n_bytes = G_MAXSIZE;
  if (g_bytes_get_size (pixels) < n_bytes)
    return c2g_fail (error, C2G_ERROR_RANGE, _("Expected %zu bytes of pixels, got %zu"), n_bytes,
                     g_bytes_get_size (pixels));
  return TRUE;
}

/**
 * c2g_tensor_new_from_pixels:
 * @pixels: rows of pixels, from top to bottom
 * @width: pixels of a row
 * @height: number of rows
 * @row_stride: distance between rows in bytes
 * @n_channels: bytes of a pixel: 1 for gray, 2 for gray and alpha, 3 for RGB, 4 for RGBA
 * @options: (nullable): how the model wants it; `NULL` for the pixels as they are
 * @error: return location for an error
 *
 * Creates a tensor of four dimensions from a picture in memory.
 *
 * The pixels may come from a `GdkTextureDownloader`, a cairo surface or a camera. It needs no other
 * library.
 *
 * Returns: (transfer full): a new tensor
 */
C2gTensor *
c2g_tensor_new_from_pixels (GBytes             *pixels,
                            guint               width,
                            guint               height,
                            gsize               row_stride,
                            guint               n_channels,
                            C2gPictureOptions  *options,
                            GError            **error)
{
  C2gPictureForm form;
  C2gRaster raster;

  g_return_val_if_fail (pixels != NULL, NULL);
  g_return_val_if_fail (options == NULL || C2G_IS_PICTURE_OPTIONS (options), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!c2g_picture_options_get_form (options, &form, error) ||
      !check_pixels (pixels, width, height, row_stride, n_channels, error))
    return NULL;
  raster = (C2gRaster) { g_bytes_get_data (pixels, NULL), width, height, row_stride, n_channels };
  return c2g_picture_from_raster (&form, &raster, error);
}

/**
 * c2g_tensor_new_from_pixbuf:
 * @pixbuf: a `GdkPixbuf`
 * @options: (nullable): how the model wants it; `NULL` for the pixels as they are
 * @error: return location for an error
 *
 * Creates a tensor of four dimensions from a `GdkPixbuf`.
 *
 * Another object is `C2G_ERROR_TYPE`.
 *
 * Returns: (transfer full): a new tensor
 */
C2gTensor *
c2g_tensor_new_from_pixbuf (GObject            *pixbuf,
                            C2gPictureOptions  *options,
                            GError            **error)
{
  g_autoptr (GBytes) pixels = NULL;
  int numbers[G_N_ELEMENTS (pixbuf_properties)];

  g_return_val_if_fail (G_IS_OBJECT (pixbuf), NULL);
  g_return_val_if_fail (options == NULL || C2G_IS_PICTURE_OPTIONS (options), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!g_type_is_a (G_OBJECT_TYPE (pixbuf), g_type_from_name ("GdkPixbuf")))
    return c2g_fail_null (error, C2G_ERROR_TYPE, _("Expected a %s, got a %s"), "GdkPixbuf", G_OBJECT_TYPE_NAME (pixbuf));
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_object_get (pixbuf, pixbuf_properties[i], &numbers[i], NULL);
  if (numbers[4] != 8)
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED, _("Expected %d bits for each color, got %d"), 8, numbers[4]);

  g_object_get (pixbuf, "pixel-bytes", &pixels, NULL);
  return c2g_tensor_new_from_pixels (pixels, numbers[0], numbers[1], numbers[2], numbers[3], options, error);
}

/* Returns the tensor if it is on the CPU, else a copy there. */
static C2gTensor *
bring_near (C2gTensor          *self,
            C2gPictureOptions  *options,
            C2gPictureForm     *form,
            GError            **error)
{
  return c2g_picture_options_get_form (options, form, error) ? c2g_tensor_ref_on_cpu (self, error) : NULL;
}

/**
 * c2g_tensor_dup_pixels:
 * @self: a tensor
 * @options: (nullable): how the picture became a tensor; `NULL` for pixels as they are
 * @width: (out): pixels of a row
 * @height: (out): number of rows
 * @n_channels: (out): bytes of a pixel: 3 for RGB, 4 for RGBA
 * @error: return location for an error
 *
 * Converts a tensor to a picture in memory: the inverse of [ctor@Tensor.new_from_pixels].
 *
 * The tensor has the picture in [property@PictureOptions:order], with 1, 3 or 4 channels, and may
 * begin with a dimension of 1. Rows lie close together, so `gdk_pixbuf_new_from_bytes()` takes
 * @width times @n_channels as row stride. Numbers are rounded and saturate; the size stays.
 *
 * Returns: (transfer full): the pixels
 */
GBytes *
c2g_tensor_dup_pixels (C2gTensor          *self,
                       C2gPictureOptions  *options,
                       guint              *width,
                       guint              *height,
                       guint              *n_channels,
                       GError            **error)
{
  g_autoptr (C2gTensor) near = NULL;
  C2gPictureForm form;
  C2gRaster raster;

  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (options == NULL || C2G_IS_PICTURE_OPTIONS (options), NULL);
  g_return_val_if_fail (width != NULL && height != NULL && n_channels != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  *width = *height = *n_channels = 0;
  near = bring_near (self, options, &form, error);
  if (near == NULL || !c2g_picture_to_raster (&form, near, &raster, error))
    return NULL;
  *width = raster.width;
  *height = raster.height;
  *n_channels = raster.n_channels;
  return g_bytes_new_take ((gpointer) raster.pixels, (gsize) raster.row_stride * raster.height);
}

/**
 * c2g_tensor_save_picture:
 * @self: a tensor
 * @file: the file to write; its name ends with `.png`
 * @options: (nullable): how the picture became a tensor; `NULL` for pixels as they are
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Writes a tensor as a picture in a PNG file: the inverse of [ctor@Tensor.new_from_picture].
 *
 * The tensor is as in [method@Tensor.dup_pixels].
 *
 * Returns: true on success
 */
gboolean
c2g_tensor_save_picture (C2gTensor          *self,
                         GFile              *file,
                         C2gPictureOptions  *options,
                         GCancellable       *cancellable,
                         GError            **error)
{
  g_autoptr (C2gTensor) near = NULL;
  C2gPictureForm form;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (options == NULL || C2G_IS_PICTURE_OPTIONS (options), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  near = bring_near (self, options, &form, error);
  return near != NULL && c2g_picture_write (&form, near, file, cancellable, error);
}
