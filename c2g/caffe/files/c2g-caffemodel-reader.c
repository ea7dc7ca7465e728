/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/files/c2g-caffe-blob-scan-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

/* Reads a .caffemodel: a NetParameter with layers, each with its blobs. A blob gets the name
 * LAYER/INDEX. */

typedef struct
{
  C2gScanner  scanner;
  GPtrArray  *entries;
  GHashTable *names;
  guint64     n_name_bytes;
  /* The net without its blobs; NULL if it is too large to be kept. n_kept also counts the bytes of
   * the layer that is being read. */
  GByteArray *net;
  guint64     n_kept;
  char       *net_name;
} Reader;

/* Limit on the size of all names, as a multiple of the file size. Each blob's name repeats that of
 * its layer, which is in the file only once. Real nets need less than twice the file size. */
#define MAX_NAMES_FACTOR 16

/* State of reading a layer. */
typedef struct
{
  const C2gCaffeLayerVersion *version;
  char                       *name;
  /* The fields with blobs are read at the end, because the layer's name may come after them. */
  GArray                     *blobs;
  /* All other fields, copied. */
  GByteArray                 *rest;
} Layer;

static void
reader_clear (Reader *self)
{
  c2g_scanner_clear (&self->scanner);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->net, g_byte_array_unref);
  g_clear_pointer (&self->net_name, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static void
layer_clear (Layer *self)
{
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->blobs, g_array_unref);
  g_clear_pointer (&self->rest, g_byte_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Layer, layer_clear)

/* Copies a field. Skips the net's fields once the net is too large to be kept. */
static gboolean
keep (Reader             *self,
      GByteArray         *target,
      const C2gWireItem  *item,
      GError            **error)
{
  guint64 n_bytes = item->value_offset + item->n_bytes - item->offset;
  const guint position = target->len;
  const guint8 *data;
  gsize n_there;

  if (self->net == NULL)
    return TRUE;
  if (n_bytes > C2G_CAFFEMODEL_MAX_NET_BYTES - self->n_kept)
    {
      g_clear_pointer (&self->net, g_byte_array_unref);
      return TRUE;
    }
  self->n_kept += n_bytes;

  if (n_bytes <= C2G_SCANNER_WINDOW)
    {
      data = c2g_scanner_look (&self->scanner, item->offset, n_bytes, &n_there, error);
      if (data != NULL)
        g_byte_array_append (target, data, n_bytes);
      return data != NULL;
    }
  g_byte_array_set_size (target, position + n_bytes);
  return c2g_source_read (self->scanner.source, item->offset, target->data + position, n_bytes, NULL,
                          error);
}

static gboolean read_layer (Reader             *self,
                            Layer              *layer,
                            const C2gWireItem  *item,
                            GError            **error);

/* A layer of version 0 is inside a layer of version 1 and has the name and the blobs. */
static gboolean
read_inner (Reader             *self,
            Layer              *layer,
            const C2gWireItem  *item,
            GError            **error)
{
  const C2gCaffeLayerVersion *outer = layer->version;
  g_autoptr (GByteArray) rest = g_steal_pointer (&layer->rest);
  gboolean is_read;

  layer->version = c2g_caffe_layer_version_zero ();
  layer->rest = g_byte_array_new ();
  is_read = read_layer (self, layer, item, error);
  c2g_wire_put_bytes (rest, C2G_CAFFE_V1_LAYER_V0, layer->rest->data, layer->rest->len);
  g_byte_array_unref (layer->rest);
  layer->rest = g_steal_pointer (&rest);
  layer->version = outer;
  return is_read;
}

static gboolean
read_layer_field (Reader             *self,
                  Layer              *layer,
                  const C2gWireItem  *item,
                  GError            **error)
{
  if (item->number == layer->version->blobs)
    {
      g_array_append_val (layer->blobs, *item);
      return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error);
    }
  if (layer->version->layer == C2G_CAFFE_NET_LAYERS_V1 && item->number == C2G_CAFFE_V1_LAYER_V0)
    return read_inner (self, layer, item, error);
  if (item->number == layer->version->name &&
      !c2g_wire_scan_name (&self->scanner, item, &layer->name, error))
    return FALSE;
  return keep (self, layer->rest, item, error);
}

static gboolean
read_layer (Reader             *self,
            Layer              *layer,
            const C2gWireItem  *item,
            GError            **error)
{
  GError *local_error = NULL;
  C2gWireItem field;
  C2gWireScan scan;

  if (!c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error))
    return FALSE;

  c2g_wire_scan_enter (&scan, &self->scanner, item);
  while (c2g_wire_scan_next (&scan, &field, &local_error))
    if (!read_layer_field (self, layer, &field, error))
      return FALSE;

  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return local_error == NULL;
}

static gboolean
check_names (Reader      *self,
             const char  *name,
             GError     **error)
{
  self->n_name_bytes += strlen (name) + 1;
  if (self->n_name_bytes / MAX_NAMES_FACTOR <= c2g_source_get_n_bytes (self->scanner.source))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("The names of the blobs would take far more memory than the file"));
}

static gboolean
add_blob (Reader             *self,
          const char         *layer,
          guint               place,
          const C2gWireItem  *item,
          GError            **error)
{
  g_autofree char *name = g_strdup_printf ("%s/%u", layer != NULL ? layer : "", place);
  C2gFileEntry *entry;

  if (g_hash_table_contains (self->names, name))
    return c2g_fail (error, C2G_ERROR_CORRUPT,
                     _("Two layers with blobs are called “%s”, the second one at offset %" PRIu64),
                     layer != NULL ? layer : "", item->offset);

  entry = check_names (self, name, error) ? c2g_caffe_blob_scan (&self->scanner, item, name, error) : NULL;
  if (entry == NULL)
    return FALSE;
  g_ptr_array_add (self->entries, entry);
  g_hash_table_add (self->names, entry->name);
  return TRUE;
}

static gboolean
add_layer (Reader             *self,
           const C2gWireItem  *item,
           GError            **error)
{
  g_auto (Layer) layer = {
    .version = c2g_caffe_layer_version (item->number),
    .blobs = g_array_new (FALSE, FALSE, sizeof (C2gWireItem)),
    .rest = g_byte_array_new (),
  };

  if (!read_layer (self, &layer, item, error))
    return FALSE;
  for (guint i = 0; i < layer.blobs->len; i++)
    if (!add_blob (self, layer.name, i, &g_array_index (layer.blobs, C2gWireItem, i), error))
      return FALSE;

  if (self->net != NULL)
    c2g_wire_put_bytes (self->net, item->number, layer.rest->data, layer.rest->len);
  return TRUE;
}

/* Reads a field of the net. */
static gboolean
read_field (Reader             *self,
            const C2gWireItem  *item,
            GError            **error)
{
  if (c2g_caffe_layer_version (item->number) != NULL)
    return add_layer (self, item, error);
  if (item->number == C2G_CAFFE_NET_NAME && !c2g_wire_scan_name (&self->scanner, item, &self->net_name, error))
    return FALSE;
  return keep (self, self->net, item, error);
}

static gboolean
read_net (Reader   *self,
          guint64   n_bytes,
          GError  **error)
{
  GError *local_error = NULL;
  C2gWireItem item;
  C2gWireScan scan;

  if (!c2g_wire_scan_init (&scan, &self->scanner, 0, n_bytes, error))
    return FALSE;
  while (c2g_wire_scan_next (&scan, &item, &local_error))
    if (!read_field (self, &item, error))
      return FALSE;

  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return local_error == NULL;
}

GPtrArray *
c2g_caffemodel_read_entries (C2gSource   *source,
                             char       **net_name,
                             GHashTable **metadata,
                             GError     **error)
{
  g_auto (Reader) reader = { .net = g_byte_array_new () };

  c2g_scanner_init (&reader.scanner, source);
  reader.entries = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_entry_unref);
  reader.names = g_hash_table_new (g_str_hash, g_str_equal);
  if (!read_net (&reader, c2g_source_get_n_bytes (source), error))
    return NULL;

  if (net_name != NULL)
    *net_name = g_steal_pointer (&reader.net_name);
  if (metadata != NULL && reader.net != NULL)
    {
      *metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_hash_table_insert (*metadata, g_strdup (C2G_CAFFEMODEL_METADATA),
                           g_base64_encode (reader.net->data, reader.net->len));
    }
  return g_steal_pointer (&reader.entries);
}

/* This works in place, because the new endings have as many characters as the old ones. */
void
c2g_caffemodel_rename (GPtrArray *entries)
{
  for (guint i = 0; i < entries->len; i++)
    {
      C2gFileEntry *entry = entries->pdata[i];
      char *slash = strrchr (entry->name, '/');

      if (g_str_equal (slash, "/0"))
        strcpy (slash, "_w");
      else if (g_str_equal (slash, "/1"))
        strcpy (slash, "_b");
    }
}

GPtrArray *
c2g_caffe_mean_read_entries (C2gSource   *source,
                             const char  *name,
                             GError     **error)
{
  const C2gWireItem whole = {
    .wire_type = PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED,
    .n_bytes = c2g_source_get_n_bytes (source),
  };
  g_auto (C2gScanner) scanner = { 0 };
  C2gFileEntry *entry;
  GPtrArray *entries;

  c2g_scanner_init (&scanner, source);
  entry = c2g_caffe_blob_scan (&scanner, &whole, name, error);
  if (entry == NULL)
    return NULL;
  entries = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_entry_unref);
  g_ptr_array_add (entries, entry);
  return entries;
}
