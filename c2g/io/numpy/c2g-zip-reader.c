/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/numpy/c2g-zip-reader-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/numpy/c2g-zip-private.h>
#include <c2g/io/stream/c2g-name-private.h>
#include <c2g/io/stream/c2g-scanner-private.h>

/* Reads the directory of a ZIP archive.
 *
 * An archive is read from its end: the last record locates the directory, which locates the
 * members. Other libraries trust too much of what a hostile file says, or search the end
 * repeatedly, and none reads directly from a source in several threads. */

/* Maximum compression ratio of deflate. */
#define MAX_RATIO 1032

/* Maximum length of the comment behind the last record. */
#define MAX_COMMENT 65535

/* Content of the last record. */
typedef struct
{
  guint64 n_entries;
  guint64 offset;
  guint64 n_bytes;
  /* Offset of the first of the end records. */
  guint64 end;
} Directory;

/* A member, and the offset of its local header. */
typedef struct
{
  C2gZipMember member;
  guint64      header_offset;
  guint16      n_name_bytes;
} Entry;

static gboolean
fail (guint64      offset,
      const char  *what,
      GError     **error)
{
  return c2g_fail (error, C2G_ERROR_CORRUPT, _("The archive is damaged at offset %" PRIu64 ": %s"),
                   offset, what);
}

C2gZipMember *
c2g_zip_member_copy (const C2gZipMember *self)
{
  C2gZipMember *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  return copy;
}

void
c2g_zip_member_free (C2gZipMember *self)
{
  g_free (self->name);
  g_free (self);
}

/* Returns exactly n_bytes bytes of a record, valid until the next call. */
static const guint8 *
look (C2gScanner  *scanner,
      guint64      offset,
      gsize        n_bytes,
      GError     **error)
{
  gsize n_found;
  const guint8 *data = c2g_scanner_look (scanner, offset, n_bytes, &n_found, error);

  if (data != NULL && n_found < n_bytes)
    {
      fail (offset, _("a record does not end"), error);
      return NULL;
    }

  return data;
}

/* Finds the last record: with its comment it must end at the end of the file. */
static gboolean
find_end (C2gSource   *source,
          guint64     *offset,
          GError     **error)
{
  guint64 n_source = c2g_source_get_n_bytes (source);
  gsize n_tail = MIN (n_source, C2G_ZIP_END_BYTES + MAX_COMMENT);
  g_autoptr (GBytes) tail = NULL;
  const guint8 *data;

  tail = c2g_source_ref_bytes (source, n_source - n_tail, n_tail, NULL, error);
  if (tail == NULL)
    return FALSE;

  data = g_bytes_get_data (tail, NULL);
  for (gsize i = n_tail; i-- > 0;)
    {
      gsize n_left = n_tail - i;

      if (n_left >= C2G_ZIP_END_BYTES && c2g_zip_get32 (data + i) == C2G_ZIP_END_MARK &&
          n_left == C2G_ZIP_END_BYTES + (gsize) c2g_zip_get16 (data + i + 20))
        {
          *offset = n_source - n_left;
          return TRUE;
        }
    }

  return c2g_fail (error, C2G_ERROR_CORRUPT, _("This is no ZIP archive, or its end is missing"));
}

static gboolean
check_disks (guint32   disk,
             guint32   directory_disk,
             gboolean  is_all,
             GError  **error)
{
  if (disk == 0 && directory_disk == 0 && is_all)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("The archive is spread over several files"));
}

/* Reads the ZIP64 end record. A locator before the last record gives its offset. */
static gboolean
read_end64 (C2gScanner  *scanner,
            guint64      locator_offset,
            guint64      offset,
            Directory   *directory,
            GError     **error)
{
  const guint8 *data;

  if (locator_offset < C2G_ZIP_END64_BYTES || offset > locator_offset - C2G_ZIP_END64_BYTES)
    return fail (locator_offset, _("no such place"), error);
  data = look (scanner, offset, C2G_ZIP_END64_BYTES, error);
  if (data == NULL)
    return FALSE;
  if (c2g_zip_get32 (data) != C2G_ZIP_END64_MARK)
    return fail (offset, _("expected the end of a large archive"), error);

  directory->n_entries = c2g_zip_get64 (data + 32);
  directory->n_bytes = c2g_zip_get64 (data + 40);
  directory->offset = c2g_zip_get64 (data + 48);
  directory->end = offset;
  return check_disks (c2g_zip_get32 (data + 16), c2g_zip_get32 (data + 20),
                      c2g_zip_get64 (data + 24) == directory->n_entries, error);
}

static gboolean
read_end (C2gScanner  *scanner,
          guint64      offset,
          Directory   *directory,
          GError     **error)
{
  const guint8 *data;

  if (offset >= C2G_ZIP_LOCATOR_BYTES)
    {
      guint64 locator_offset = offset - C2G_ZIP_LOCATOR_BYTES;

      data = look (scanner, locator_offset, C2G_ZIP_LOCATOR_BYTES, error);
      if (data == NULL)
        return FALSE;
      if (c2g_zip_get32 (data) == C2G_ZIP_LOCATOR_MARK)
        return read_end64 (scanner, locator_offset, c2g_zip_get64 (data + 8), directory, error);
    }

  data = look (scanner, offset, C2G_ZIP_END_BYTES, error);
  if (data == NULL)
    return FALSE;
  directory->n_entries = c2g_zip_get16 (data + 10);
  directory->n_bytes = c2g_zip_get32 (data + 12);
  directory->offset = c2g_zip_get32 (data + 16);
  directory->end = offset;
  return check_disks (c2g_zip_get16 (data + 4), c2g_zip_get16 (data + 6),
                      c2g_zip_get16 (data + 8) == directory->n_entries, error);
}

static gboolean
find_directory (C2gScanner  *scanner,
                Directory   *directory,
                GError     **error)
{
  guint64 offset;

  if (!find_end (scanner->source, &offset, error) || !read_end (scanner, offset, directory, error))
    return FALSE;

  if (directory->offset > directory->end ||
      directory->n_bytes > directory->end - directory->offset ||
      directory->n_entries > directory->n_bytes / C2G_ZIP_CENTRAL_BYTES)
    return fail (directory->end, _("the directory does not fit into the file"), error);
  return TRUE;
}

/* Finds the extra field with that id. */
static const guint8 *
find_extra (const guint8 *data,
            gsize         n_bytes,
            guint16       id,
            gsize        *n_found)
{
  while (n_bytes >= 4)
    {
      gsize n = c2g_zip_get16 (data + 2);

      if (n > n_bytes - 4)
        break;
      if (c2g_zip_get16 (data) == id)
        {
          *n_found = n;
          return data + 4;
        }
      data += 4 + n;
      n_bytes -= 4 + n;
    }

  return NULL;
}

/* Reads 64-bit numbers from the extra field, in this order. It has only those whose 32-bit field
 * is 0xffffffff. */
static gboolean
read_zip64 (const guint8 *extra,
            gsize         n_extra,
            Entry        *entry)
{
  guint64 *const numbers[] = {
    &entry->member.n_bytes,
    &entry->member.n_packed,
    &entry->header_offset,
  };
  gsize n_field = 0;
  const guint8 *field = find_extra (extra, n_extra, C2G_ZIP_EXTRA_ZIP64, &n_field);

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      if (*numbers[i] != G_MAXUINT32 || field == NULL)
        continue;
      if (n_field < 8)
        return FALSE;
      *numbers[i] = c2g_zip_get64 (field);
      field += 8;
      n_field -= 8;
    }

  return TRUE;
}

static gboolean
check_method (guint16   flags,
              guint16   method,
              GError  **error)
{
  if ((flags & (C2G_ZIP_FLAG_ENCRYPTED | C2G_ZIP_FLAG_STRONG | C2G_ZIP_FLAG_HIDDEN_DIRECTORY)) != 0)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, _("It is encrypted"));
  else if (method != C2G_ZIP_STORED && method != C2G_ZIP_DEFLATED)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("It is packed in a way that c2g does not know (%u)"), (guint) method);
  else
    return TRUE;

  return FALSE;
}

/* Checks the sizes: against the file and the maximum compression ratio. */
static gboolean
check_sizes (const Entry      *entry,
             const Directory  *directory,
             GError          **error)
{
  const C2gZipMember *member = &entry->member;

  if (member->n_packed > directory->offset || entry->header_offset > directory->offset)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("It does not fit into the file"));
  else if (member->is_deflated ? member->n_bytes / MAX_RATIO > member->n_packed
                               : member->n_bytes != member->n_packed)
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("%" PRIu64 " bytes cannot be packed in %" PRIu64),
                 member->n_bytes, member->n_packed);
  else
    return TRUE;

  return FALSE;
}

/* Reads the directory record at *OFFSET and moves the offset behind it. */
static gboolean
read_entry (C2gScanner       *scanner,
            const Directory  *directory,
            guint64          *offset,
            Entry            *entry,
            GError          **error)
{
  const guint8 *data = look (scanner, *offset, C2G_ZIP_CENTRAL_BYTES, error);
  guint16 flags, method, n_extra, n_comment;

  if (data == NULL)
    return FALSE;
  if (c2g_zip_get32 (data) != C2G_ZIP_CENTRAL_MARK)
    return fail (*offset, _("expected a member of the directory"), error);

  flags = c2g_zip_get16 (data + 8);
  method = c2g_zip_get16 (data + 10);
  entry->member.is_deflated = method == C2G_ZIP_DEFLATED;
  entry->member.crc = c2g_zip_get32 (data + 16);
  entry->member.n_packed = c2g_zip_get32 (data + 20);
  entry->member.n_bytes = c2g_zip_get32 (data + 24);
  entry->n_name_bytes = c2g_zip_get16 (data + 28);
  n_extra = c2g_zip_get16 (data + 30);
  n_comment = c2g_zip_get16 (data + 32);
  entry->header_offset = c2g_zip_get32 (data + 42);
  *offset += C2G_ZIP_CENTRAL_BYTES;

  data = look (scanner, *offset, entry->n_name_bytes, error);
  if (data == NULL)
    return FALSE;
  entry->member.name = c2g_name_from_bytes (data, entry->n_name_bytes, error);
  if (entry->member.name == NULL)
    return FALSE;
  *offset += entry->n_name_bytes;

  data = look (scanner, *offset, n_extra, error);
  if (data == NULL)
    return FALSE;
  if (!read_zip64 (data, n_extra, entry))
    return fail (*offset, _("large numbers are missing"), error);
  *offset += n_extra + n_comment;

  if (check_method (flags, method, error) && check_sizes (entry, directory, error))
    return TRUE;
  g_prefix_error (error, _("Member “%s”: "), entry->member.name);
  return FALSE;
}

static void
entry_free (Entry *self)
{
  g_free (self->member.name);
  g_free (self);
}

static GPtrArray *
read_directory (C2gScanner       *scanner,
                const Directory  *directory,
                GError          **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) entry_free);
  guint64 offset = directory->offset;

  for (guint64 i = 0; i < directory->n_entries; i++)
    {
      Entry *entry = g_new0 (Entry, 1);

      g_ptr_array_add (entries, entry);
      if (!read_entry (scanner, directory, &offset, entry, error))
        return NULL;
    }

  if (offset != directory->offset + directory->n_bytes)
    {
      fail (offset, _("the directory does not end where it should"), error);
      return NULL;
    }

  return g_steal_pointer (&entries);
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const Entry *first = *(Entry *const *) a;
  const Entry *second = *(Entry *const *) b;

  return (first->header_offset > second->header_offset) -
         (first->header_offset < second->header_offset);
}

/* Finds the data of a member. Only the local header tells its own length; the rest must agree
 * with the directory. */
static gboolean
locate (C2gScanner  *scanner,
        Entry       *entry,
        guint64      limit,
        GError     **error)
{
  C2gZipMember *member = &entry->member;
  const guint8 *data = look (scanner, entry->header_offset, C2G_ZIP_LOCAL_BYTES, error);

  if (data == NULL)
    return FALSE;
  if (c2g_zip_get32 (data) != C2G_ZIP_LOCAL_MARK ||
      c2g_zip_get16 (data + 8) != (member->is_deflated ? C2G_ZIP_DEFLATED : C2G_ZIP_STORED) ||
      c2g_zip_get16 (data + 26) != entry->n_name_bytes)
    return fail (entry->header_offset, _("the member is not what the directory says"), error);

  member->offset = entry->header_offset + C2G_ZIP_LOCAL_BYTES + entry->n_name_bytes +
                   c2g_zip_get16 (data + 28);
  return (member->offset <= limit && member->n_packed <= limit - member->offset) ||
         fail (entry->header_offset, _("members overlap"), error);
}

static gboolean
is_folder (const C2gZipMember *member)
{
  return g_str_has_suffix (member->name, "/");
}

GPtrArray *
c2g_zip_read_members (C2gSource  *source,
                      GError    **error)
{
  g_auto (C2gScanner) scanner = { 0 };
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GPtrArray) members = NULL;
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  Directory directory = { 0 };

  c2g_scanner_init (&scanner, source);
  if (!find_directory (&scanner, &directory, error))
    return NULL;
  entries = read_directory (&scanner, &directory, error);
  if (entries == NULL)
    return NULL;
  g_ptr_array_sort (entries, compare_entries);

  members = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_zip_member_free);
  for (guint i = 0; i < entries->len; i++)
    {
      Entry *entry = entries->pdata[i];
      Entry *next = i + 1 < entries->len ? entries->pdata[i + 1] : NULL;

      if (!locate (&scanner, entry, next != NULL ? next->header_offset : directory.offset, error))
        {
          g_prefix_error (error, _("Member “%s”: "), entry->member.name);
          return NULL;
        }
      if (!g_hash_table_add (names, entry->member.name))
        return c2g_fail_null (error, C2G_ERROR_CORRUPT, _("There are two members “%s”"),
                              entry->member.name);
      if (!is_folder (&entry->member))
        g_ptr_array_add (members, c2g_zip_member_copy (&entry->member));
    }

  return g_steal_pointer (&members);
}
