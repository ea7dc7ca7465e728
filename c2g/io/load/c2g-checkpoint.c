/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-file-content-private.h>

#include <c2g/io/content/c2g-blob-parts-private.h>
#include <c2g/io/serializer/c2g-serializer-private.h>

#include <c2g/core/types/c2g-i18n-private.h>

#include <string.h>

/* Lists the blobs of a database, or the single blob of a file, from the messages in it. */

/* State of the walk over the records of a database. */
typedef struct
{
  /* Array of C2gBlobParts in order of appearance, and the same by name. */
  GPtrArray  *blobs;
  GHashTable *by_name;

  /* Used for values that the cursor has no scanner for. */
  C2gScanner  own_scanner;
} Walk;

static void
free_parts (gpointer parts)
{
  if (parts != NULL)
    c2g_blob_parts_free (parts);
}

static void
walk_init (Walk *self)
{
  *self = (Walk) { 0 };
  self->blobs = g_ptr_array_new_with_free_func (free_parts);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
}

static void
walk_clear (Walk *self)
{
  g_hash_table_unref (self->by_name);
  g_ptr_array_unref (self->blobs);
  c2g_scanner_clear (&self->own_scanner);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Walk, walk_clear)

static C2gBlobParts *
get_parts (Walk       *self,
           const char *name)
{
  C2gBlobParts *parts = g_hash_table_lookup (self->by_name, name);

  if (parts == NULL)
    {
      parts = c2g_blob_parts_new (name);
      g_ptr_array_add (self->blobs, parts);
      g_hash_table_insert (self->by_name, (char *) c2g_blob_parts_get_name (parts), parts);
    }

  return parts;
}

static C2gScanner *
get_scanner (Walk        *self,
             C2gDbCursor *cursor,
             C2gSource   *source)
{
  C2gScanner *scanner = c2g_db_cursor_peek_scanner (cursor);

  if (scanner != NULL && scanner->source == source)
    return scanner;

  if (self->own_scanner.source != source)
    {
      c2g_scanner_clear (&self->own_scanner);
      c2g_scanner_init (&self->own_scanner, source);
    }
  return &self->own_scanner;
}

static gboolean
add_value (Walk              *self,
           C2gScanner        *scanner,
           const char        *name,
           const C2gDbValue  *value,
           GError           **error)
{
  g_auto (C2gBlobRecord) record = { 0 };

  if (c2g_blob_record_scan (&record, scanner, value->offset, value->n_bytes, error) &&
      c2g_blob_parts_add (get_parts (self, name), value->source, value->offset, &record, error))
    return TRUE;

  g_prefix_error (error, _("Blob “%s” at offset %" PRIu64 ": "), name, value->offset);
  return FALSE;
}

static gboolean
add_record (Walk         *self,
            C2gDbCursor  *cursor,
            GError      **error)
{
  g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, error);
  g_autofree char *name = NULL;
  g_auto (C2gDbValue) value = { 0 };

  if (key == NULL)
    return FALSE;
  name = c2g_serializer_name_of_key (key, error);
  return name != NULL &&
         c2g_db_cursor_locate_value (cursor, &value, error) &&
         add_value (self, get_scanner (self, cursor, value.source), name, &value, error);
}

/* Takes ownership of the parts. */
static C2gFileEntry *
make_entry (C2gBlobParts  *parts,
            GError       **error)
{
  g_autoptr (C2gBlobParts) owned = parts;

  if (c2g_blob_parts_check_complete (owned, error))
    return c2g_blob_parts_to_entry (g_steal_pointer (&owned), error);

  g_prefix_error (error, _("Blob “%s”: "), c2g_blob_parts_get_name (owned));
  return NULL;
}

static GPtrArray *
make_entries (Walk    *self,
              GError **error)
{
  g_autoptr (GPtrArray) entries = NULL;

  g_hash_table_remove_all (self->by_name);
  entries = g_ptr_array_new_full (self->blobs->len, (GDestroyNotify) c2g_file_entry_unref);
  for (guint i = 0; i < self->blobs->len; i++)
    {
      C2gFileEntry *entry = make_entry (g_steal_pointer (&self->blobs->pdata[i]), error);

      if (entry == NULL)
        return NULL;
      g_ptr_array_add (entries, entry);
    }

  return g_steal_pointer (&entries);
}

GPtrArray *
c2g_checkpoint_read_entries (C2gDbCursor   *cursor,
                             GCancellable  *cancellable,
                             GError       **error)
{
  g_auto (Walk) walk = { 0 };

  walk_init (&walk);
  while (c2g_db_cursor_is_valid (cursor))
    if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
        !add_record (&walk, cursor, error) ||
        !c2g_db_cursor_next (cursor, error))
      return NULL;

  return make_entries (&walk, error);
}

GPtrArray *
c2g_single_read_entries (C2gSource   *source,
                         const char  *own_name,
                         GError     **error)
{
  g_auto (C2gScanner) scanner = { 0 };
  g_auto (C2gBlobRecord) record = { 0 };
  g_autoptr (C2gBlobParts) parts = NULL;
  gboolean is_tensor;
  C2gFileEntry *entry;
  GPtrArray *entries;

  c2g_scanner_init (&scanner, source);
  if (!c2g_blob_record_scan (&record, &scanner, 0, c2g_source_get_n_bytes (source), error))
    return NULL;

  parts = c2g_blob_parts_new (record.name == NULL || *record.name == '\0' ? own_name : record.name);
  is_tensor = record.has_tensor;
  if (!c2g_blob_parts_add (parts, source, 0, &record, error))
    {
      g_prefix_error (error, _("Blob “%s”: "), c2g_blob_parts_get_name (parts));
      return NULL;
    }

  /* A single chunk of a tensor can be loaded alone, but not a chunk of other content. */
  entry = is_tensor ? c2g_blob_parts_to_entry (g_steal_pointer (&parts), error)
                    : make_entry (g_steal_pointer (&parts), error);
  if (entry == NULL)
    return NULL;

  entries = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_entry_unref);
  g_ptr_array_add (entries, entry);
  return entries;
}
