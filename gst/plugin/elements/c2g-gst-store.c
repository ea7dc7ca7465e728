/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-store.h"

#include "support/c2g-gst-claim.h"
#include "support/c2g-gst-properties.h"
#include "support/c2g-gst-record.h"

#include <c2g-gst/c2g-gst.h>

#include <glib/gi18n-lib.h>

GST_DEBUG_CATEGORY_STATIC (c2g_store_debug);
#define GST_CAT_DEFAULT c2g_store_debug

/**
 * SECTION:element-c2gstore
 * @title: c2gstore
 *
 * c2gstore writes the tensors of a stream into a file.
 *
 * They go into a database as they come. Other files are written at the end, so the tensors are in memory
 * until then. In both, the file is there when the stream has ended, and what was there before stays
 * when it does not end. A flush starts over, as the stream does. A second stream behind the end, which
 * GStreamer 1.28 lets through, adds its tensors.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! c2ginference model=squeezenet \
 * preset=caffe2 ! c2gstore location=scores.minidb
 * ]|
 */

enum
{
  FORMAT_AUTO,
  FORMAT_MINIDB,
  FORMAT_LMDB,
  FORMAT_NPZ,
  FORMAT_NPY,
  FORMAT_SAFETENSORS,
};

/* The endings of files are the names of their formats. */
static const GEnumValue format_names[] = {
  { FORMAT_AUTO, "Format from the file name's ending", "auto" },
  { FORMAT_MINIDB, "A database of Caffe2's own", "minidb" },
  { FORMAT_LMDB, "An LMDB database", "lmdb" },
  { FORMAT_NPZ, "A file of NumPy's", "npz" },
  { FORMAT_NPY, "A single tensor for NumPy", "npy" },
  { FORMAT_SAFETENSORS, "A file of safetensors", "safetensors" },
  { 0, NULL, NULL },
};

/* Files that are written at the end; databases have no kind here. */
static const C2gModelFileKind kinds[] = {
  [FORMAT_NPZ] = C2G_MODEL_FILE_KIND_NPZ,
  [FORMAT_NPY] = C2G_MODEL_FILE_KIND_NPY,
  [FORMAT_SAFETENSORS] = C2G_MODEL_FILE_KIND_SAFETENSORS,
};

struct _C2gStore
{
  GstBaseSink       parent_instance;

  /* Properties, which change in the states NULL and READY only. */
  char             *location;
  int               format;

  /* Used by the streaming thread. A database has a transaction; tensors for other files are in the workspace. */
  GFile            *file;
  C2gGstClaim      *claim;
  C2gDb            *db;
  C2gDbTransaction *transaction;
  C2gWorkspace     *workspace;
  int               opened_format;
  C2gModelFileKind  kind;
  guint64           n_buffers;
  /* TRUE if the file has all buffers. Another end of the stream writes nothing then. */
  gboolean          is_written;
};

static GstStaticPadTemplate sink_template =
  GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

G_DEFINE_FINAL_TYPE (C2gStore, c2g_store, GST_TYPE_BASE_SINK)
GST_ELEMENT_REGISTER_DEFINE (c2gstore, "c2gstore", GST_RANK_NONE, C2G_TYPE_STORE)

static GType
get_format_type (void)
{
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("C2gStoreFormat", format_names));

  return type;
}

static const C2gGstProperty properties[] = {
  { "location", "The file, or the folder of an LMDB database", G_STRUCT_OFFSET (C2gStore, location), G_TYPE_STRING },
  { "format", "The format of the file", G_STRUCT_OFFSET (C2gStore, format), G_TYPE_ENUM, FORMAT_AUTO, get_format_type },
  { NULL },
};

/* FORMAT_AUTO if the ending is not known. */
static int
find_format (C2gStore *self)
{
  const char *ending = strrchr (self->location, '.');

  for (int i = FORMAT_MINIDB; self->format == FORMAT_AUTO && ending != NULL && i <= FORMAT_SAFETENSORS; i++)
    if (g_ascii_strcasecmp (ending + 1, format_names[i].value_nick) == 0)
      return i;

  return self->format;
}

/* Opens a file that has been claimed. */
static gboolean
open_file (C2gStore  *self,
           int        format,
           GError   **error)
{
  self->n_buffers = 0;
  self->is_written = FALSE;
  self->opened_format = format;
  self->kind = kinds[format];
  if (self->kind != C2G_MODEL_FILE_KIND_UNKNOWN)
    {
      self->workspace = c2g_workspace_new ();
      return TRUE;
    }

  self->db = c2g_db_open (format_names[format].value_nick, self->file, C2G_DB_MODE_NEW, NULL, error);
  if (self->db != NULL)
    self->transaction = c2g_db_new_transaction (self->db, error);

  return self->transaction != NULL;
}

/* Closing without a commit discards the records: the old file stays. */
static void
close_file (C2gStore *self)
{
  g_clear_object (&self->transaction);
  if (self->db != NULL)
    c2g_db_close (self->db, NULL);
  g_clear_object (&self->db);
  g_clear_object (&self->workspace);
}

static gboolean
c2g_store_stop (GstBaseSink *sink)
{
  C2gStore *self = C2G_STORE (sink);

  close_file (self);
  g_clear_object (&self->file);
  g_clear_pointer (&self->claim, c2g_gst_claim_free);

  return TRUE;
}

static gboolean
c2g_store_start (GstBaseSink *sink)
{
  C2gStore *self = C2G_STORE (sink);
  g_autoptr (GError) error = NULL;

  if (self->location == NULL || *self->location == '\0')
    {
      GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, (_("There is no file; the property “location” names it")), (NULL));
      return FALSE;
    }
  if (find_format (self) == FORMAT_AUTO)
    {
      GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
                         (_("The location “%s” does not end with .minidb, .lmdb, .npz, .npy or .safetensors, and no format is set"),
                          self->location),
                         (NULL));
      return FALSE;
    }
  self->file = g_file_new_for_path (self->location);
  self->claim = c2g_gst_claim_new (g_file_peek_path (self->file), &error);
  if (self->claim != NULL && open_file (self, find_format (self), &error))
    return TRUE;

  GST_ELEMENT_ERROR (self, RESOURCE, OPEN_WRITE, ("%s", error->message), (NULL));
  c2g_store_stop (sink);
  return FALSE;
}

/* Records */

typedef struct
{
  C2gStore  *self;
  GError   **error;
} Put;

static gboolean
put_chunk (const char *key,
           GBytes     *value,
           gpointer    data)
{
  const Put *put = data;
  g_autoptr (GBytes) bytes = g_bytes_new (key, strlen (key));

  return c2g_db_transaction_put (put->self->transaction, bytes, value, put->error);
}

/* The chunks of a tensor are records of their own, as in a checkpoint. */
static gboolean
put_blob (C2gStore    *self,
          C2gBlob     *blob,
          const char  *name,
          GError     **error)
{
  g_autoptr (GError) put_error = NULL;
  g_autoptr (GError) local_error = NULL;
  Put put = { self, &put_error };

  if (c2g_blob_serialize_chunks (blob, name, C2G_DEFAULT_CHUNK_SIZE, C2G_SERIALIZE_WITHOUT_DEVICE, put_chunk, &put,
                                 &local_error))
    return TRUE;

  g_propagate_error (error, put_error != NULL ? g_steal_pointer (&put_error) : g_steal_pointer (&local_error));
  return FALSE;
}

/* Puts a tensor into the database, or keeps it for the file. */
static gboolean
store_tensor (C2gStore    *self,
              const char  *name,
              C2gTensor   *tensor,
              GError     **error)
{
  g_autofree char *full_name = g_strdup_printf (C2G_GST_RECORD_FORMAT, self->n_buffers, name);
  g_autoptr (C2gBlob) blob = self->workspace != NULL ? c2g_workspace_create_blob (self->workspace, full_name, error)
                                                     : c2g_blob_new ();

  if (blob == NULL)
    return FALSE;
  c2g_blob_set_object (blob, G_OBJECT (tensor));

  return self->workspace != NULL || put_blob (self, blob, full_name, error);
}

/* A .npy has room for one tensor, so its time is not stored. */
static gboolean
store_time (C2gStore   *self,
            GstBuffer  *buffer,
            GError    **error)
{
  const GstSegment *segment = &GST_BASE_SINK (self)->segment;
  g_autoptr (C2gTensor) tensor = NULL;
  gint64 *times;

  if (!GST_BUFFER_PTS_IS_VALID (buffer) || segment->format != GST_FORMAT_TIME || self->kind == C2G_MODEL_FILE_KIND_NPY)
    return TRUE;
  tensor = c2g_tensor_new_sized ((gint64[]) { 2 }, 1, NULL, error);
  times = tensor != NULL ? c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_INT64, error) : NULL;
  if (times == NULL)
    return FALSE;
  times[0] = gst_segment_to_running_time (segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  times[1] = GST_BUFFER_DURATION (buffer);

  return store_tensor (self, C2G_GST_RECORD_TIME, tensor, error);
}

/* The time of a buffer has a name, and “#%” begins the number of a chunk in a database. */
static gboolean
check_name (const char  *name,
            GError     **error)
{
  if (!g_str_equal (name, C2G_GST_RECORD_TIME) && strstr (name, "#%") == NULL)
    return TRUE;
  g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS, _("No tensor may have the name “%s” in a file of c2gstore"), name);
  return FALSE;
}

static gboolean
store_buffer (C2gStore   *self,
              GstBuffer  *buffer,
              GError    **error)
{
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);

  if (names[0] == NULL)
    return TRUE;
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, *name, error);

      if (tensor == NULL || !check_name (*name, error) || !store_tensor (self, *name, tensor, error))
        return FALSE;
    }
  if (!store_time (self, buffer, error))
    return FALSE;
  self->n_buffers++;
  self->is_written = FALSE;
  GST_LOG_OBJECT (self, "Stored %" GST_PTR_FORMAT, buffer);

  return TRUE;
}

static GstFlowReturn
c2g_store_render (GstBaseSink *sink,
                  GstBuffer   *buffer)
{
  g_autoptr (GError) error = NULL;

  if (C2G_STORE (sink)->file == NULL)
    return GST_FLOW_ERROR;
  if (store_buffer (C2G_STORE (sink), buffer, &error))
    return GST_FLOW_OK;

  /* The end of the stream, which comes after an error too, finds no file. */
  c2g_store_stop (sink);
  GST_ELEMENT_ERROR (sink, RESOURCE, WRITE, ("%s", error->message), (NULL));
  return GST_FLOW_ERROR;
}

static gboolean
finish (C2gStore  *self,
        GError   **error)
{
  g_autoptr (C2gSaveOptions) options = NULL;

  if (self->file == NULL || self->is_written)
    return TRUE;
  GST_INFO_OBJECT (self, "%" G_GUINT64_FORMAT " buffers are in %s", self->n_buffers, self->location);
  if (self->n_buffers == 0)
    GST_ELEMENT_WARNING (self, STREAM, FAILED, (_("The stream has ended without a tensor")), (NULL));
  if (self->transaction != NULL)
    {
      self->is_written = c2g_db_transaction_commit (self->transaction, error);
      return self->is_written;
    }
  options = c2g_save_options_new ();
  c2g_save_options_set_kind (options, self->kind);
  self->is_written = c2g_workspace_save_checkpoint (self->workspace, self->file, options, NULL, error);

  return self->is_written;
}

/* Drops what has been stored, and keeps the claim, for which others may wait. If this fails, there is no file until the
 * element starts again. */
static gboolean
start_over (C2gStore  *self,
            GError   **error)
{
  if (self->file == NULL)
    return TRUE;

  GST_DEBUG_OBJECT (self, "%" G_GUINT64_FORMAT " buffers before a flush are dropped", self->n_buffers);
  close_file (self);
  if (open_file (self, self->opened_format, error))
    return TRUE;

  c2g_store_stop (GST_BASE_SINK (self));
  return FALSE;
}

static gboolean
handle_event (C2gStore  *self,
              GstEvent  *event,
              GError   **error)
{
  switch (GST_EVENT_TYPE (event))
    {
    case GST_EVENT_EOS:
      return finish (self, error);
    case GST_EVENT_FLUSH_STOP:
      return start_over (self, error);
    default:
      return TRUE;
    }
}

static gboolean
c2g_store_event (GstBaseSink *sink,
                 GstEvent    *event)
{
  g_autoptr (GError) error = NULL;

  if (handle_event (C2G_STORE (sink), event, &error))
    return GST_BASE_SINK_CLASS (c2g_store_parent_class)->event (sink, event);

  GST_ELEMENT_ERROR (sink, RESOURCE, WRITE, ("%s", error->message), (NULL));
  gst_event_unref (event);
  return FALSE;
}

static void
c2g_store_finalize (GObject *object)
{
  c2g_gst_properties_clear (object, properties);

  G_OBJECT_CLASS (c2g_store_parent_class)->finalize (object);
}

static void
c2g_store_class_init (C2gStoreClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseSinkClass *sink_class = GST_BASE_SINK_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_store_debug, "c2gstore", 0, "files of tensors");

  object_class->get_property = c2g_gst_properties_get_value;
  object_class->set_property = c2g_gst_properties_set_value;
  object_class->finalize = c2g_store_finalize;
  c2g_gst_properties_install (object_class, properties);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_set_static_metadata (element_class, "Tensor store", "Sink/File",
                                         "Writes the tensors of a stream into a database or a file", "The c2g authors");
  gst_type_mark_as_plugin_api (get_format_type (), 0);

  sink_class->start = c2g_store_start;
  sink_class->stop = c2g_store_stop;
  sink_class->render = c2g_store_render;
  sink_class->event = c2g_store_event;
}

static void
c2g_store_init (C2gStore *self)
{
  c2g_gst_properties_init (self, properties);
  gst_base_sink_set_sync (GST_BASE_SINK (self), FALSE);
}
