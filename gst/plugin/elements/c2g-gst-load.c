/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-load.h"

#include "support/c2g-gst-append.h"
#include "support/c2g-gst-follow.h"
#include "support/c2g-gst-properties.h"
#include "support/c2g-gst-record.h"

#include <c2g-gst/c2g-gst.h>

#include <glib/gi18n-lib.h>

GST_DEBUG_CATEGORY_STATIC (c2g_load_debug);
#define GST_CAT_DEFAULT c2g_load_debug

/**
 * SECTION:element-c2gload
 * @title: c2gload
 *
 * c2gload makes a stream of the tensors in a file.
 *
 * A file written by c2gstore gives the same buffers again, in order. The tensors of other files,
 * whose names do not begin with a number, become a single buffer. Tensors are read when their
 * buffer is made.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 c2gload location=scores.minidb ! c2gdecode labels=labels.txt ! text/x-raw \
 * ! fdsink
 * ]|
 */

struct _C2gLoad
{
  GstPushSrc     parent_instance;

  /* A property; it can change only in the states NULL and READY. */
  char          *location;

  /* Cancels reading. */
  GCancellable  *cancellable;
  C2gModelFile  *file;
  /* C2gFileEntry objects, sorted by buffer number. NEXT is the first one that was not pushed. */
  GPtrArray     *entries;
  guint          next;
  C2gGstFollow   follow;
};

static GstStaticPadTemplate src_template =
  GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (C2G_GST_CAPS_TENSORS));

G_DEFINE_FINAL_TYPE (C2gLoad, c2g_load, GST_TYPE_PUSH_SRC)
GST_ELEMENT_REGISTER_DEFINE (c2gload, "c2gload", GST_RANK_NONE, C2G_TYPE_LOAD)

static const C2gGstProperty properties[] = {
  { "location", "The file, or the folder of an LMDB database", G_STRUCT_OFFSET (C2gLoad, location), G_TYPE_STRING },
  { NULL },
};

/* Returns the number of digits at the beginning of a name, which are the buffer number; 0 if there
 * is none. */
static gsize
count_digits (const char *name)
{
  const gsize n = strspn (name, "0123456789");

  return n >= 8 && name[n] == '/' ? n : 0;
}

/* Compares buffer numbers as numbers: more digits mean a larger number. */
static int
compare_names (const char *a,
               const char *b)
{
  const gsize n = count_digits (a), m = count_digits (b);

  return n != m ? (n > m) - (n < m) : strncmp (a, b, n);
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  return compare_names (c2g_file_entry_get_name (*(C2gFileEntry **) a), c2g_file_entry_get_name (*(C2gFileEntry **) b));
}

static gboolean
c2g_load_stop (GstBaseSrc *src)
{
  C2gLoad *self = C2G_LOAD (src);

  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_object (&self->file);
  c2g_gst_follow_clear (&self->follow);

  return TRUE;
}

static gboolean
c2g_load_start (GstBaseSrc *src)
{
  C2gLoad *self = C2G_LOAD (src);
  g_autoptr (GFile) file = NULL;
  g_autofree C2gFileEntry **entries = NULL;
  g_autoptr (GError) error = NULL;
  guint n_entries;

  if (self->location == NULL)
    {
      GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
                         (_("There is no file; the property “location” names it")), (NULL));
      return FALSE;
    }
  file = g_file_new_for_path (self->location);
  self->file = c2g_model_file_open (file, NULL, NULL, &error);
  if (self->file == NULL)
    {
      GST_ELEMENT_ERROR (self, RESOURCE, OPEN_READ, ("%s", error->message), (NULL));
      return FALSE;
    }

  entries = c2g_model_file_list_entries (self->file, &n_entries);
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_entry_unref);
  for (guint i = 0; i < n_entries; i++)
    g_ptr_array_add (self->entries, entries[i]);
  g_ptr_array_sort (self->entries, compare_entries);
  GST_INFO_OBJECT (self, "%u tensors are in %s", n_entries, self->location);
  self->next = 0;

  return TRUE;
}

static gboolean
c2g_load_unlock (GstBaseSrc *src)
{
  g_cancellable_cancel (C2G_LOAD (src)->cancellable);

  return TRUE;
}

static gboolean
c2g_load_unlock_stop (GstBaseSrc *src)
{
  g_cancellable_reset (C2G_LOAD (src)->cancellable);

  return TRUE;
}

/* The caps are set for each buffer, not here. */
static gboolean
c2g_load_negotiate (GstBaseSrc *src)
{
  return TRUE;
}

/* Buffers */

static gboolean
is_time (const char *name,
         C2gTensor  *tensor)
{
  return g_strcmp0 (name, C2G_GST_RECORD_TIME) == 0 && c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_INT64 &&
         c2g_tensor_get_n_elements (tensor) == 2;
}

/* Negative numbers mean that there is no time. */
static GstClockTime
read_time (C2gTensor *times,
           gsize      i)
{
  const gint64 *values = c2g_tensor_raw_data (times, NULL);

  return values[i] >= 0 ? (GstClockTime) values[i] : GST_CLOCK_TIME_NONE;
}

static gboolean
add_blob (GstBuffer   *buffer,
          const char  *name,
          C2gBlob     *blob,
          GError     **error)
{
  C2gTensor *tensor = c2g_blob_is_tensor (blob, NULL) ? c2g_blob_get_tensor (blob, error) : NULL;

  if (tensor == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE, _("“%s” is no tensor"), name);
      return FALSE;
    }
  if (!is_time (name, tensor))
    return c2g_gst_append_tensor (buffer, name, tensor, NULL, error);

  GST_BUFFER_PTS (buffer) = read_time (tensor, 0);
  GST_BUFFER_DURATION (buffer) = read_time (tensor, 1);

  return TRUE;
}

/* Loads all entries with the next buffer number. If one fails, loads none. */
static GstBuffer *
load_buffer (C2gLoad  *self,
             GError  **error)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  const char *first = c2g_file_entry_get_name (self->entries->pdata[self->next]);
  guint i;

  for (i = self->next; i < self->entries->len; i++)
    {
      const char *name = c2g_file_entry_get_name (self->entries->pdata[i]);
      const gsize n = count_digits (name);
      g_autoptr (C2gBlob) blob = NULL;

      if (compare_names (first, name) != 0)
        break;
      blob = c2g_model_file_load_blob (self->file, name, self->cancellable, error);
      if (blob == NULL || !add_blob (buffer, n > 0 ? name + n + 1 : name, blob, error))
        return NULL;
    }
  self->next = i;

  return g_steal_pointer (&buffer);
}

/* A flushing pad accepts no caps. So they are forgotten, and the first buffer after the flush sends
 * them again. */
static GstFlowReturn
refuse (C2gLoad *self)
{
  c2g_gst_follow_clear (&self->follow);

  return GST_PAD_IS_FLUSHING (GST_BASE_SRC_PAD (self)) ? GST_FLOW_FLUSHING : GST_FLOW_NOT_NEGOTIATED;
}

/* The caps change when the types or shapes of the tensors do. */
static GstFlowReturn
c2g_load_create (GstPushSrc  *src,
                 GstBuffer  **output)
{
  C2gLoad *self = C2G_LOAD (src);
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GError) error = NULL;

  if (self->next == self->entries->len)
    return GST_FLOW_EOS;
  buffer = load_buffer (self, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return GST_FLOW_FLUSHING;
  if (buffer == NULL)
    {
      GST_ELEMENT_ERROR (self, RESOURCE, READ, ("%s", error->message), (NULL));
      return GST_FLOW_ERROR;
    }
  if (c2g_gst_follow_update (&self->follow, buffer, C2G_GST_RATE_UNKNOWN) &&
      !gst_base_src_set_caps (GST_BASE_SRC (self), self->follow.caps))
    return refuse (self);
  GST_LOG_OBJECT (self, "Loaded %" GST_PTR_FORMAT, buffer);
  *output = g_steal_pointer (&buffer);

  return GST_FLOW_OK;
}

static void
c2g_load_finalize (GObject *object)
{
  g_clear_object (&C2G_LOAD (object)->cancellable);
  c2g_gst_properties_clear (object, properties);

  G_OBJECT_CLASS (c2g_load_parent_class)->finalize (object);
}

static void
c2g_load_class_init (C2gLoadClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseSrcClass *src_class = GST_BASE_SRC_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_load_debug, "c2gload", 0, "tensors of a file");

  object_class->get_property = c2g_gst_properties_get_value;
  object_class->set_property = c2g_gst_properties_set_value;
  object_class->finalize = c2g_load_finalize;
  c2g_gst_properties_install (object_class, properties);

  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Tensor loader", "Source/File",
                                         "Makes a stream of the tensors in a database or a file", "The c2g authors");

  src_class->start = c2g_load_start;
  src_class->stop = c2g_load_stop;
  src_class->unlock = c2g_load_unlock;
  src_class->unlock_stop = c2g_load_unlock_stop;
  src_class->negotiate = c2g_load_negotiate;
  GST_PUSH_SRC_CLASS (klass)->create = c2g_load_create;
}

static void
c2g_load_init (C2gLoad *self)
{
  c2g_gst_properties_init (self, properties);
  self->cancellable = g_cancellable_new ();
  gst_base_src_set_format (GST_BASE_SRC (self), GST_FORMAT_TIME);
}
