/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-workspace.h>

#include <c2g/core/memory/c2g-ledger-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-names-private.h>
#include <c2g/core/workspace/c2g-workspace-private.h>

#include <string.h>

/* Lists the blobs of a workspace, also in the error about a name that is not there, and reports their memory. */

/* Names of the local blobs and of the forwards of a workspace, and its parent. */
typedef struct
{
  GPtrArray    *local;
  /* Local blobs that are not listed. They still hide those of the parent. */
  GPtrArray    *hidden;
  GPtrArray    *forwarded;
  C2gWorkspace *parent;
} Names;

static void
names_read (Names        *names,
            C2gWorkspace *workspace,
            gboolean      with_derived)
{
  names->local = g_ptr_array_new_with_free_func (g_free);
  names->hidden = g_ptr_array_new_with_free_func (g_free);
  names->forwarded = g_ptr_array_new_with_free_func (g_free);

  g_mutex_lock (&workspace->lock);

  for (C2gBlob *blob = workspace->first; blob != NULL; blob = blob->next)
    g_ptr_array_add (with_derived || !c2g_blob_is_derived (blob) ? names->local : names->hidden,
                     g_strdup (blob->name));
  for (GList *l = workspace->forwards.order.head; l != NULL; l = l->next)
    g_ptr_array_add (names->forwarded, g_strdup (((C2gForward *) l->data)->name));
  names->parent = workspace->parent != NULL ? g_object_ref (workspace->parent) : NULL;

  g_mutex_unlock (&workspace->lock);
}

/* Adds a name, unless it was seen before. */
static void
add_name (GPtrArray  *list,
          GHashTable *seen,
          const char *name,
          gboolean    is_listed)
{
  char *copy;

  if (g_hash_table_contains (seen, name))
    return;

  copy = g_strdup (name);
  g_hash_table_add (seen, copy);
  if (is_listed)
    g_ptr_array_add (list, g_strdup (copy));
}

/* Adds the names of one workspace, and returns its parent. */
static C2gWorkspace *
add_names (GPtrArray    *list,
           GHashTable   *seen,
           C2gWorkspace *workspace,
           gboolean      with_derived)
{
  Names names;

  names_read (&names, workspace, with_derived);

  for (guint i = 0; i < names.local->len; i++)
    add_name (list, seen, g_ptr_array_index (names.local, i), TRUE);
  for (guint i = 0; i < names.hidden->len; i++)
    add_name (list, seen, g_ptr_array_index (names.hidden, i), FALSE);

  /* A forward whose target is missing still hides the blob of the parent. */
  for (guint i = 0; i < names.forwarded->len; i++)
    {
      const char *name = g_ptr_array_index (names.forwarded, i);

      add_name (list, seen, name, c2g_workspace_has_blob (workspace, name));
    }

  g_ptr_array_unref (names.local);
  g_ptr_array_unref (names.hidden);
  g_ptr_array_unref (names.forwarded);

  return names.parent;
}

static char **
to_strv (GPtrArray *list)
{
  g_ptr_array_add (list, NULL);

  return (char **) g_ptr_array_free (list, FALSE);
}

static char **
list_blobs (C2gWorkspace *self,
            gboolean      with_derived)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (C2gWorkspace) workspace = g_object_ref (self);
  GPtrArray *list = g_ptr_array_new ();

  while (workspace != NULL)
    {
      C2gWorkspace *parent = add_names (list, seen, workspace, with_derived);

      g_object_unref (workspace);
      workspace = parent;
    }

  return to_strv (list);
}

/**
 * c2g_workspace_list_blobs:
 * @self: a workspace
 *
 * Gets the names of all blobs that [method@Workspace.get_blob] finds.
 *
 * The local ones come first, then the forwarded ones, then those of the parent that
 * are not hidden, each in the order of their creation.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names, each once
 */
char **
c2g_workspace_list_blobs (C2gWorkspace *self)
{
  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);

  return list_blobs (self, TRUE);
}

char **
c2g_workspace_list_known_blobs (C2gWorkspace *self)
{
  return list_blobs (self, FALSE);
}

void
c2g_workspace_set_not_found (C2gWorkspace   *self,
                             const char     *name,
                             const C2gMiss  *miss,
                             GError        **error)
{
  g_auto (GStrv) names = NULL;
  g_autofree char *others = NULL;

  /* Callers that only want to know pass no error, and the list takes time. */
  if (error == NULL)
    return;
  if (miss->target != NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                   _("Blob “%s” stands for blob “%s”, which its workspace no longer has"),
                   name, miss->target);
      return;
    }

  names = c2g_workspace_list_known_blobs (self);
  others = c2g_names_join ((const char *const *) names, g_strv_length (names));
  if (*others != '\0')
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                 _("There is no blob “%s” in the workspace, but %s"), name, others);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                 _("There is no blob “%s” in the workspace"), name);
  c2g_names_suggest ((const char *const *) names, name, error);
}

/**
 * c2g_workspace_get_blob:
 * @self: a workspace
 * @name: a name
 * @error: return location for an error
 *
 * Gets the blob of a name: a local one, a forwarded one, or the parent's. The caller owns
 * the reference, because another thread can remove the blob.
 *
 * If there is none, the error is `C2G_ERROR_NOT_FOUND`; for a forwarded name it says
 * what that stands for.
 *
 * Returns: (transfer full): the blob, or `NULL` with @error set
 */
C2gBlob *
c2g_workspace_get_blob (C2gWorkspace  *self,
                        const char    *name,
                        GError       **error)
{
  C2gBlob *blob;
  C2gMiss miss;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  blob = c2g_workspace_find (self, name, &miss);
  if (G_LIKELY (blob != NULL))
    return blob;

  c2g_workspace_set_not_found (self, name, &miss, error);
  c2g_miss_clear (&miss);

  return NULL;
}

/**
 * c2g_workspace_list_local_blobs:
 * @self: a workspace
 *
 * Gets the names of the local blobs, in the order of their creation.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names
 */
char **
c2g_workspace_list_local_blobs (C2gWorkspace *self)
{
  GPtrArray *list;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);

  list = g_ptr_array_new ();

  g_mutex_lock (&self->lock);
  for (C2gBlob *blob = self->first; blob != NULL; blob = blob->next)
    g_ptr_array_add (list, g_strdup (blob->name));
  g_mutex_unlock (&self->lock);

  return to_strv (list);
}

void
c2g_workspace_mark_derived (C2gWorkspace *self,
                            const char   *name)
{
  const guint hash = c2g_blob_table_hash (name);
  C2gBlob *blob;

  g_mutex_lock (&self->lock);
  blob = c2g_blob_table_lookup (&self->blobs, name, hash);
  if (blob != NULL)
    c2g_blob_set_derived (blob, TRUE);
  g_mutex_unlock (&self->lock);
}

GPtrArray *
c2g_workspace_ref_local_blobs (C2gWorkspace   *self,
                               char         ***names)
{
  GPtrArray *blobs = g_ptr_array_new_with_free_func (g_object_unref);
  GPtrArray *list = g_ptr_array_new ();

  g_mutex_lock (&self->lock);
  for (C2gBlob *blob = self->first; blob != NULL; blob = blob->next)
    if (!c2g_blob_is_derived (blob))
      {
        g_ptr_array_add (blobs, g_object_ref (blob));
        g_ptr_array_add (list, g_strdup (blob->name));
      }
  g_mutex_unlock (&self->lock);

  *names = to_strv (list);

  return blobs;
}

/* The memory of one blob. */
typedef struct
{
  char      *name;
  C2gLabel  *label;
  C2gDevice *device;
  gboolean   is_spread;
  gsize      n_bytes;
  gsize      external_bytes;
  /* TRUE if the memory is in rows of its own for parts of the content. */
  gboolean   has_parts;
} Row;

static void
row_free (gpointer data)
{
  Row *self = data;

  g_free (self->name);
  g_clear_pointer (&self->label, c2g_label_unref);
  g_free (self);
}

/* Sorts by size, the largest first, then by name. */
static int
compare_sizes (const Row *a,
               gsize      a_bytes,
               const Row *b,
               gsize      b_bytes)
{
  if (a_bytes != b_bytes)
    return a_bytes > b_bytes ? -1 : 1;

  return strcmp (a->name, b->name);
}

static int
row_compare (gconstpointer a,
             gconstpointer b)
{
  const Row *row_a = *(Row *const *) a;
  const Row *row_b = *(Row *const *) b;

  return compare_sizes (row_a, row_a->n_bytes, row_b, row_b->n_bytes);
}

static int
row_compare_external (gconstpointer a,
                      gconstpointer b)
{
  const Row *row_a = *(Row *const *) a;
  const Row *row_b = *(Row *const *) b;

  return compare_sizes (row_a, row_a->external_bytes, row_b, row_b->external_bytes);
}

typedef void (*CountFunc) (Row                   *self,
                           const C2gLedgerRecord *record);

static void
row_count (Row                   *self,
           const C2gLedgerRecord *record)
{
  self->is_spread = self->is_spread || (self->device != NULL && self->device != record->device);
  self->device = record->device;
  self->n_bytes += record->n_bytes;
}

static void
row_count_external (Row                   *self,
                    const C2gLedgerRecord *record)
{
  self->external_bytes += record->n_bytes;
}

/* Creates a row for each local blob, and a table of the rows by label. */
static GPtrArray *
list_rows (C2gWorkspace *self,
           GHashTable   *by_label)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (row_free);

  g_mutex_lock (&self->lock);
  for (C2gBlob *blob = self->first; blob != NULL; blob = blob->next)
    {
      Row *row = g_new0 (Row, 1);

      row->name = g_strdup (blob->name);
      row->label = c2g_blob_dup_label (blob);
      g_ptr_array_add (rows, row);
      if (row->label != NULL)
        g_hash_table_insert (by_label, row->label, row);
    }
  g_mutex_unlock (&self->lock);

  return rows;
}

static Row *
add_part (GPtrArray  *rows,
          GHashTable *by_label,
          Row        *whole,
          C2gLabel   *label)
{
  Row *row = g_new0 (Row, 1);

  whole->has_parts = TRUE;
  row->label = c2g_label_ref (label);
  row->name = c2g_label_dup_name (label);
  /* The blob was emptied meanwhile, so its labels have no name any more. */
  if (row->name == NULL)
    row->name = g_strdup (whole->name);
  g_ptr_array_add (rows, row);
  g_hash_table_insert (by_label, label, row);

  return row;
}

/* Returns the row of the blob that has the label, or a new row if the label is for a part of the blob's
 * content; NULL for the labels of other blobs. */
static Row *
find_row (GPtrArray  *rows,
          GHashTable *by_label,
          C2gLabel   *label)
{
  Row *row = g_hash_table_lookup (by_label, label);
  Row *whole = row == NULL ? g_hash_table_lookup (by_label, c2g_label_get_root (label)) : NULL;

  return whole != NULL ? add_part (rows, by_label, whole, label) : row;
}

/* Adds the blocks to the rows of their blobs, and returns the sum of their bytes. */
static gsize
count_blocks (const GArray *records,
              GPtrArray    *rows,
              GHashTable   *by_label,
              CountFunc     count)
{
  gsize n_bytes = 0;

  for (guint i = 0; i < records->len; i++)
    {
      const C2gLedgerRecord *record = &g_array_index (records, C2gLedgerRecord, i);
      Row *row = record->label != NULL ? find_row (rows, by_label, record->label) : NULL;

      if (row == NULL)
        continue;

      count (row, record);
      n_bytes += record->n_bytes;
    }

  return n_bytes;
}

static const char *
row_get_place (const Row *self)
{
  if (self->device == NULL)
    return "-";

  return self->is_spread ? _("several") : c2g_device_to_string (self->device);
}

static void
append_row (GString    *report,
            gsize       n_bytes,
            gsize       total,
            const char *place,
            const char *name)
{
  double share = total > 0 ? 100.0 * (double) n_bytes / (double) total : 0.0;

  g_string_append_printf (report, "%14" G_GSIZE_FORMAT " %6.1f%%  %-8s  %s\n",
                          n_bytes, share, place, name);
}

static void
append_external (GString   *report,
                 GPtrArray *rows,
                 gsize      total)
{
  if (total == 0)
    return;

  g_ptr_array_sort (rows, row_compare_external);
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = g_ptr_array_index (rows, i);

      if (row->external_bytes > 0)
        append_row (report, row->external_bytes, total, _("external"), row->name);
    }
  append_row (report, total, total, _("external"), _("total"));
}

/**
 * c2g_workspace_dup_report:
 * @self: a workspace
 *
 * Reports how much memory the local blobs have, the largest first.
 *
 * Each line has the bytes, their share of the total, the device and the name; the last one has
 * the total. The sizes are those of the live blocks that were allocated for the tensors of a
 * blob, as [class@MemoryReporter] counts them, and not the sizes that the tensors need at
 * present. The report does not show the contents: another thread may be changing the tensors,
 * so they are not accessed.
 *
 * A block that several tensors share counts once: under the blob it was allocated for or first
 * put into. The other blobs that share it have 0 bytes, like blobs without memory or without a
 * tensor. Foreign memory, such as NumPy arrays, bytes and mapped files, follows in its own rows
 * with the device “external”, and its own total, if there is any. Each projection of a
 * [class@MixedTensor] has its own row, such as “conv1/float16@cuda:0”. When the blob under which a
 * block counts no longer holds its tensor, the block has no name and is not in the report.
 *
 * Returns: (transfer full): the report, several lines of text
 */
char *
c2g_workspace_dup_report (C2gWorkspace *self)
{
  g_autoptr (GHashTable) by_label = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GArray) blocks = NULL;
  g_autoptr (GArray) external_blocks = NULL;
  GString *report;
  gsize total, external;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);

  by_label = g_hash_table_new (NULL, NULL);
  rows = list_rows (self, by_label);
  blocks = c2g_ledger_snapshot (NULL);
  total = count_blocks (blocks, rows, by_label, row_count);
  external_blocks = c2g_ledger_snapshot_external (NULL);
  external = count_blocks (external_blocks, rows, by_label, row_count_external);
  g_ptr_array_sort (rows, row_compare);

  report = g_string_new (NULL);
  g_string_append_printf (report, "%14s %7s  %-8s  %s\n",
                          _("bytes"), _("share"), _("device"), _("blob"));
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = g_ptr_array_index (rows, i);

      if (!row->has_parts)
        append_row (report, row->n_bytes, total, row_get_place (row), row->name);
    }
  append_row (report, total, total, "", _("total"));
  append_external (report, rows, external);

  return g_string_free (report, FALSE);
}
