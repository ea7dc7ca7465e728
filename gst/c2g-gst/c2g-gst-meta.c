/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-meta.h>

#include <c2g-gst/c2g-gst-private.h>

#include "c2g-names-private.h"

#include <glib/gi18n-lib.h>
#include <gst/video/video.h>

#include <math.h>
#include <string.h>

/* A meta attaches tensors to a buffer, as immutable records. It does not contain C2gTensor objects,
 * because one branch behind a tee could then reshape a tensor of the other. It has no tags, because
 * elements that convert, scale or copy a frame keep such a meta.
 *
 * The records must also hear of the scale when videoscale scales a frame, and only metas with the tag
 * “size” do. So a buffer whose records have geometries has a second meta, the mark, with tags and
 * without content. Elements that crop or pad a frame drop the mark and keep the records. The
 * geometries are not changed then, so their size differs from that of the frame. */

typedef struct
{
  char           *name;
  C2gDataType     data_type;
  gint64         *dims;
  gsize           n_dims;
  /* Sealed. NULL if there are no elements. */
  C2gStorage     *storage;
  gsize           offset;
  C2gGstGeometry *geometry;
} Record;

typedef struct
{
  GstMeta    meta;
  /* Array of reference-counted Records, which copies of the buffer share. */
  GPtrArray *records;
} C2gGstTensorsMeta;

static void
record_clear (gpointer data)
{
  Record *self = data;

  g_free (self->name);
  g_free (self->dims);
  g_clear_pointer (&self->storage, c2g_storage_unref);
  g_clear_pointer (&self->geometry, c2g_gst_geometry_unref);
}

static void
record_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, record_clear);
}

static Record *
record_new (const char     *name,
            C2gTensor      *tensor,
            C2gGstGeometry *geometry)
{
  Record *self = g_atomic_rc_box_new0 (Record);
  const gint64 *dims = c2g_tensor_get_dims (tensor, &self->n_dims);
  C2gStorage *storage = c2g_tensor_get_storage (tensor);

  self->name = g_strdup (name);
  self->data_type = c2g_tensor_get_data_type (tensor);
  self->dims = g_memdup2 (dims, self->n_dims * sizeof *dims);
  if (storage != NULL && c2g_tensor_get_n_elements (tensor) > 0)
    {
      self->storage = c2g_storage_ref (storage);
      self->offset = c2g_tensor_get_address (tensor) - c2g_storage_get_address (storage);
    }
  self->geometry = geometry != NULL ? c2g_gst_geometry_ref (geometry) : NULL;

  return self;
}

static Record *
record_new_scaled (Record *self,
                   double  x,
                   double  y)
{
  Record *copy = g_atomic_rc_box_dup (sizeof *self, self);

  copy->name = g_strdup (self->name);
  copy->dims = g_memdup2 (self->dims, self->n_dims * sizeof *self->dims);
  copy->storage = self->storage != NULL ? c2g_storage_ref (self->storage) : NULL;
  copy->geometry = c2g_gst_geometry_scale (self->geometry, x, y);

  return copy;
}

/* Creates a new tensor over the memory of the record. */
static C2gTensor *
record_mint (const Record  *self,
             GError       **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  if (self->storage != NULL)
    return c2g_tensor_new_from_storage (self->data_type, self->dims, self->n_dims, self->storage,
                                        self->offset, error);

  tensor = c2g_tensor_new_sized (self->dims, self->n_dims, NULL, error);
  if (tensor == NULL || !c2g_tensor_set_data_type (tensor, self->data_type, error))
    return NULL;

  return g_steal_pointer (&tensor);
}

static GType
get_api_type (void)
{
  static gsize type = 0;
  static const char *const tags[] = { NULL };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, gst_meta_api_type_register ("C2gGstTensorsMetaAPI",
                                                          (const char **) tags));

  return type;
}

static gboolean
init_meta (GstMeta   *meta,
           gpointer   params,
           GstBuffer *buffer)
{
  ((C2gGstTensorsMeta *) meta)->records = g_ptr_array_new_with_free_func (record_unref);

  return TRUE;
}

static void
free_meta (GstMeta   *meta,
           GstBuffer *buffer)
{
  g_ptr_array_unref (((C2gGstTensorsMeta *) meta)->records);
}

static gboolean transform_meta (GstBuffer *destination,
                                GstMeta   *meta,
                                GstBuffer *source,
                                GQuark     type,
                                gpointer   data);

static const GstMetaInfo *
get_meta_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter (&info))
    g_once_init_leave (&info, gst_meta_register (get_api_type (), "C2gGstTensorsMeta",
                                                 sizeof (C2gGstTensorsMeta), init_meta, free_meta,
                                                 transform_meta));

  return info;
}

static C2gGstTensorsMeta *
find_meta (GstBuffer *buffer)
{
  return (C2gGstTensorsMeta *) gst_buffer_get_meta (buffer, get_api_type ());
}

static C2gGstTensorsMeta *
ensure_meta (GstBuffer *buffer)
{
  C2gGstTensorsMeta *self = find_meta (buffer);

  return self != NULL ? self
                      : (C2gGstTensorsMeta *) gst_buffer_add_meta (buffer, get_meta_info (), NULL);
}

static Record *
find_record (GstBuffer  *buffer,
             const char *name)
{
  C2gGstTensorsMeta *self = find_meta (buffer);

  for (guint i = 0; self != NULL && i < self->records->len; i++)
    {
      Record *record = g_ptr_array_index (self->records, i);

      if (g_str_equal (record->name, name))
        return record;
    }

  return NULL;
}

static C2gGstTensorsMeta *
copy_records (GstBuffer         *destination,
              C2gGstTensorsMeta *self)
{
  C2gGstTensorsMeta *copy = ensure_meta (destination);
  const gboolean is_new = copy->records->len == 0;

  for (guint i = 0; i < self->records->len; i++)
    {
      Record *record = g_ptr_array_index (self->records, i);

      if (is_new || find_record (destination, record->name) == NULL)
        g_ptr_array_add (copy->records, g_atomic_rc_box_acquire (record));
    }

  return copy;
}

/* Every transformation keeps the records: they belong to the frame from which they were computed. */
static gboolean
transform_meta (GstBuffer *destination,
                GstMeta   *meta,
                GstBuffer *source,
                GQuark     type,
                gpointer   data)
{
  copy_records (destination, (C2gGstTensorsMeta *) meta);

  return TRUE;
}

/* Returns TRUE if the picture fills the scaled frame, to within a pixel. A frame of another display
 * aspect ratio may have borders, which videoscale adds and does not tell. */
static gboolean
fills_frame (const GstVideoInfo *input,
             const GstVideoInfo *output)
{
  const double aspect = (double) input->width * input->par_n / ((double) input->height * input->par_d);
  const double width = aspect * output->height * output->par_d / output->par_n;

  return fabs (width - output->width) <= MAX (1, aspect * output->par_d / output->par_n);
}

/* Copies the records, with geometries in pixels of the scaled frame. The records themselves may have
 * been copied already. Nobody knows where a frame with borders has its picture, so its geometries
 * become those of a frame of 0 × 0 pixels. They stay so, whatever later elements do. */
static void
scale_records (GstBuffer                   *destination,
               GstBuffer                   *source,
               const GstVideoMetaTransform *scale)
{
  const GstVideoInfo *input = scale->in_info, *output = scale->out_info;
  const gboolean is_known = fills_frame (input, output);
  const double x = is_known ? (double) output->width / input->width : 0;
  const double y = is_known ? (double) output->height / input->height : 0;
  C2gGstTensorsMeta *self = find_meta (source);
  C2gGstTensorsMeta *copy;

  if (self == NULL)
    return;
  copy = copy_records (destination, self);
  for (guint i = 0; i < copy->records->len; i++)
    {
      gpointer *place = &g_ptr_array_index (copy->records, i);
      Record *record = *place;

      if (record->geometry == NULL || !g_ptr_array_find (self->records, record, NULL))
        continue;
      *place = record_new_scaled (record, x, y);
      record_unref (record);
    }
}

static gboolean
init_mark (GstMeta   *meta,
           gpointer   params,
           GstBuffer *buffer)
{
  return TRUE;
}

static gboolean transform_mark (GstBuffer *destination,
                                GstMeta   *meta,
                                GstBuffer *source,
                                GQuark     type,
                                gpointer   data);

static const GstMetaInfo *
get_mark_info (void)
{
  static const GstMetaInfo *info = NULL;
  static const char *const tags[] = { GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR, NULL };

  if (g_once_init_enter (&info))
    g_once_init_leave (&info, gst_meta_register (gst_meta_api_type_register ("C2gGstScaleMarkAPI",
                                                                             (const char **) tags),
                                                 "C2gGstScaleMark", sizeof (GstMeta), init_mark, NULL,
                                                 transform_mark));

  return info;
}

static void
ensure_mark (GstBuffer *buffer)
{
  if (gst_buffer_get_meta (buffer, get_mark_info ()->api) == NULL)
    gst_buffer_add_meta (buffer, get_mark_info (), NULL);
}

static gboolean
transform_mark (GstBuffer *destination,
                GstMeta   *meta,
                GstBuffer *source,
                GQuark     type,
                gpointer   data)
{
  if (type == gst_video_meta_transform_scale_get_quark ())
    scale_records (destination, source, data);
  else if (!GST_META_TRANSFORM_IS_COPY (type))
    return FALSE;
  ensure_mark (destination);

  return TRUE;
}

/* Caps have the name, and strings in them are UTF-8. */
static gboolean
check_name (const char  *name,
            GError     **error)
{
  g_autofree char *readable = NULL;

  if (g_utf8_validate (name, -1, NULL))
    return TRUE;
  readable = g_utf8_make_valid (name, -1);
  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, _("The name of a tensor must be UTF-8, got “%s”"), readable);
  return FALSE;
}

static gboolean
check_add (GstBuffer   *buffer,
           const char  *name,
           C2gTensor   *tensor,
           GError     **error)
{
  C2gStorage *storage = c2g_tensor_get_storage (tensor);

  if (!gst_buffer_is_writable (buffer))
    g_set_error (error, C2G_ERROR, C2G_ERROR_READ_ONLY,
                 _("The tensor “%s” cannot be added: others, such as a tensor over it, hold the buffer"),
                 name);
  else if (find_record (buffer, name) != NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS, _("The buffer has a tensor “%s” already"), name);
  else if (storage != NULL && c2g_storage_get_constructed_type (storage, NULL) != NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE, _("The elements of the tensor “%s” are not plain"),
                 name);
  else
    return TRUE;

  return FALSE;
}

/**
 * c2g_gst_buffer_add_tensor:
 * @buffer: a writable buffer
 * @name: the name of the tensor
 * @tensor: a tensor with data
 * @geometry: (nullable): maps its points to the frame in @buffer
 * @error: return location for an error
 *
 * Attaches a tensor to a buffer, without a copy.
 *
 * This seals the tensor like [func@buffer_new_from_tensor], on any device. The buffer keeps its
 * present name, type, shape and memory; later changes of @tensor have no effect. A buffer may have
 * any number of tensors. Elements that copy, convert, scale or crop the frame keep them;
 * `videoscale` makes the geometry one of the scaled frame, if that has no borders.
 *
 * Fails with `C2G_ERROR_READ_ONLY` if the buffer is not writable; with `C2G_ERROR_INVALID_ARGUMENT`
 * if the name is not UTF-8; with `C2G_ERROR_EXISTS` if it has a tensor of that name; with
 * `C2G_ERROR_TYPE` if the elements are not plain or have no type yet; with `C2G_ERROR_BUSY` if others
 * may write to the memory; and with `C2G_ERROR_FAILED` without data.
 *
 * Returns: `TRUE` if the tensor was attached
 */
gboolean
c2g_gst_buffer_add_tensor (GstBuffer       *buffer,
                           const char      *name,
                           C2gTensor       *tensor,
                           C2gGstGeometry  *geometry,
                           GError         **error)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (tensor), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_name (name, error) || !check_add (buffer, name, tensor, error) || !c2g_gst_seal (tensor, error))
    return FALSE;
  /* A tensor without elements may have no type yet. */
  if (c2g_tensor_get_type_meta (tensor) == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE, _("The tensor “%s” has no type"), name);
      return FALSE;
    }

  g_ptr_array_add (ensure_meta (buffer)->records, record_new (name, tensor, geometry));
  if (geometry != NULL)
    ensure_mark (buffer);

  return TRUE;
}

void
c2g_gst_set_no_tensor (const char         *name,
                       const char *const  *names,
                       GError            **error)
{
  g_autofree char *others = c2g_names_join (names, g_strv_length ((char **) names));

  if (*others != '\0')
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("There is no tensor “%s”, but %s"), name, others);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("There is no tensor “%s”, and no other"), name);
}

/**
 * c2g_gst_buffer_get_tensor:
 * @buffer: a buffer
 * @name: the name of a tensor
 * @error: return location for an error
 *
 * Gets a tensor that is attached to a buffer.
 *
 * Each call creates a new tensor, over memory that is sealed and outlives the buffer.
 *
 * Returns: (transfer full): a tensor, or `NULL` with `C2G_ERROR_NOT_FOUND`
 */
C2gTensor *
c2g_gst_buffer_get_tensor (GstBuffer   *buffer,
                           const char  *name,
                           GError     **error)
{
  Record *record;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  record = find_record (buffer, name);
  if (record != NULL)
    return record_mint (record, error);

  /* Programs may ask each frame, and the list takes time. */
  if (error != NULL)
    {
      g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);

      c2g_gst_set_no_tensor (name, (const char *const *) names, error);
    }
  return NULL;
}

/**
 * c2g_gst_buffer_get_geometry:
 * @buffer: a buffer
 * @name: the name of a tensor
 *
 * Gets the map from the points of a tensor to the frame.
 *
 * Behind `videoscale` this is the scaled frame. Behind elements that crop, pad or rotate it is still
 * the frame before them, so compare the sizes. See [struct@Geometry].
 *
 * The geometry is valid as long as the buffer; take a reference to keep it longer.
 *
 * Returns: (transfer none) (nullable): a geometry, or `NULL` if there is no such tensor or it has
 *   none
 */
C2gGstGeometry *
c2g_gst_buffer_get_geometry (GstBuffer  *buffer,
                             const char *name)
{
  Record *record;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  record = find_record (buffer, name);

  return record != NULL ? record->geometry : NULL;
}

/**
 * c2g_gst_buffer_list_tensors:
 * @buffer: a buffer
 *
 * Lists the tensors that are attached to a buffer.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names, in the order in which they were
 *   attached
 */
char **
c2g_gst_buffer_list_tensors (GstBuffer *buffer)
{
  C2gGstTensorsMeta *self;
  GStrvBuilder *names;
  char **list;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  self = find_meta (buffer);
  names = g_strv_builder_new ();
  for (guint i = 0; self != NULL && i < self->records->len; i++)
    g_strv_builder_add (names, ((Record *) g_ptr_array_index (self->records, i))->name);
  list = g_strv_builder_end (names);
  g_strv_builder_unref (names);

  return list;
}
