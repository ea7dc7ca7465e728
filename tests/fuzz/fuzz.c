/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* memmem() needs this. */
#define _GNU_SOURCE

#include "config.h"

#include "fuzz.h"

#include "own-type.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A few bytes may request a lot of memory. This is the limit, which a program would set too. */
#define MAX_BYTES (4u << 20)

static C2gAllocator *limited;
/* The input that is being tried. */
static GBytes *input;

/* A fatal message raises this signal, which libFuzzer does not know. */
static G_NORETURN void
trap (int signal_number)
{
  abort ();
}

int
LLVMFuzzerInitialize (int    *argc,
                      char ***argv)
{
  g_autoptr (C2gAllocator) upstream = c2g_allocator_get_default (c2g_device_cpu (), NULL);

  limited = c2g_limiting_allocator_new (upstream, MAX_BYTES);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), limited, NULL));
  fuzz_register_own_types ();
  /* A critical message is a bug in c2g: the content of a file is never a programming mistake. */
  signal (SIGTRAP, trap);
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  return 0;
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         n_bytes)
{
  C2gLimitingAllocator *allocator = C2G_LIMITING_ALLOCATOR (limited);

  /* The input is copied, so that the sanitizer sees a read beyond its end. */
  input = g_bytes_new (data, n_bytes);
  fuzz_one (input);
  g_clear_pointer (&input, g_bytes_unref);
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (allocator), ==, 0);
  return 0;
}

/* Errors */

/* The text of a missing message, unless it comes from the input. */
static gboolean
names_null (const char *message)
{
  static const char null[] = "(null)";
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (input, &n_bytes);

  return strstr (message, null) != NULL &&
         (data == NULL || memmem (data, n_bytes, null, strlen (null)) == NULL);
}

void
fuzz_check_error (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (error->domain == C2G_ERROR || error->domain == G_IO_ERROR || error->domain == G_KEY_FILE_ERROR);
  g_assert_cmpuint (strlen (error->message), >, 0);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_false (names_null (error->message));
}

static gboolean
is_no_memory (const GError *error)
{
  return g_error_matches (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
}

/* Blobs */

C2gBlob *
fuzz_new_blob (void)
{
  C2gBlob *blob = c2g_blob_new ();
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);

  g_assert_true (c2g_tensor_resize (tensor, (gint64[]) { 2, 3 }, 2, NULL));
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT32, NULL));
  for (gint64 i = 0; i < 6; i++)
    g_assert_true (c2g_tensor_set_int64 (tensor, i, 7 * i, NULL));
  return blob;
}

void
fuzz_check_untouched (C2gBlob *blob)
{
  C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);
  gsize n_dims;
  const gint64 *dims;

  g_assert_nonnull (tensor);
  dims = c2g_tensor_get_dims (tensor, &n_dims);
  g_assert_cmpuint (n_dims, ==, 2);
  g_assert_cmpint (dims[0], ==, 2);
  g_assert_cmpint (dims[1], ==, 3);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_INT32);
  for (gint64 i = 0; i < 6; i++)
    g_assert_cmpint (c2g_tensor_get_int64 (tensor, i, NULL), ==, 7 * i);
}

/* Every loaded blob can be written, except that the position of a database reader may be gone. */
static GBytes *
serialize (C2gBlob *blob)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = c2g_blob_serialize (blob, "blob", &error);

  if (bytes == NULL)
    {
      fuzz_check_error (error);
      g_assert_true (is_no_memory (error) || c2g_blob_is_type (blob, C2G_TYPE_DB_READER));
    }
  return bytes;
}

void
fuzz_check_equal (C2gBlob *first,
                  C2gBlob *second)
{
  g_autoptr (GBytes) first_bytes = NULL;
  g_autoptr (GBytes) second_bytes = NULL;

  g_assert_true (c2g_blob_is_empty (first) == c2g_blob_is_empty (second));
  if (c2g_blob_is_empty (first))
    return;

  first_bytes = serialize (first);
  second_bytes = serialize (second);
  if (first_bytes != NULL && second_bytes != NULL)
    g_assert_true (g_bytes_equal (first_bytes, second_bytes));
}

void
fuzz_check_blob (C2gBlob *blob)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gBlob) copy = c2g_blob_new ();

  if (c2g_blob_is_empty (blob))
    return;

  bytes = serialize (blob);
  if (bytes == NULL)
    return;

  if (c2g_blob_deserialize (copy, bytes, &error))
    fuzz_check_equal (blob, copy);
  else
    /* There may not have been enough memory for the copy beside the first blob. */
    g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
}

/* Entries */

void
fuzz_check_entry (C2gFileEntry *entry)
{
  const char *name = c2g_file_entry_get_name (entry);
  const char *type = c2g_file_entry_get_blob_type (entry);
  guint64 n_elements = 1;
  gint64 begin, end;
  gsize n_dims;
  const gint64 *dims = c2g_file_entry_get_dims (entry, &n_dims);

  g_assert_true (*name != '\0' && g_utf8_validate (name, -1, NULL));
  g_assert_true (g_utf8_validate (type, -1, NULL));
  g_assert_cmpuint (c2g_file_entry_get_offset (entry), <=, g_bytes_get_size (input));
  if (!g_str_equal (type, "Tensor"))
    return;

  for (gsize i = 0; i < n_dims; i++)
    {
      g_assert_cmpint (dims[i], >=, 0);
      n_elements *= dims[i];
    }
  /* A net's operator may have an impossible shape; then the entry has no shape. */
  if (n_dims > 0 || c2g_file_entry_get_n_elements (entry) > 0)
    g_assert_cmpuint (n_elements, ==, c2g_file_entry_get_n_elements (entry));

  g_assert_true (c2g_file_entry_get_segment (entry, &begin, &end) ==
                 (end - begin < c2g_file_entry_get_n_elements (entry)));
  g_assert_true (begin >= 0 && begin <= end && end <= c2g_file_entry_get_n_elements (entry));
}

static void
check_tensor_agrees (C2gFileEntry *entry,
                     C2gTensor    *tensor)
{
  C2gDataType data_type = c2g_file_entry_get_data_type (entry);
  gsize n_dims, n_entry_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);
  const gint64 *entry_dims = c2g_file_entry_get_dims (entry, &n_entry_dims);

  g_assert_cmpmem (dims, n_dims * sizeof *dims, entry_dims, n_entry_dims * sizeof *dims);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, c2g_file_entry_get_n_elements (entry));
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, data_type);
  if (data_type != C2G_DATA_TYPE_UNDEFINED)
    g_assert_cmpuint (c2g_tensor_get_n_bytes (tensor), ==, c2g_file_entry_get_n_bytes (entry));
}

void
fuzz_check_agrees (C2gFileEntry *entry,
                   C2gBlob      *blob)
{
  const char *type = c2g_file_entry_get_blob_type (entry);

  g_assert_true (c2g_blob_is_empty (blob) == (*type == '\0'));
  g_assert_true (c2g_blob_is_tensor (blob, NULL) == g_str_equal (type, "Tensor"));
  if (g_str_equal (type, "Tensor"))
    check_tensor_agrees (entry, c2g_blob_get_tensor (blob, NULL));
}

void
fuzz_reader (GBytes       *bytes,
             FuzzReadFunc  read)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "input");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = read (source, &error);

  if (entries == NULL)
    {
      fuzz_check_error (error);
      return;
    }

  g_assert_no_error (error);
  for (guint i = 0; i < entries->len; i++)
    {
      g_autoptr (GError) load_error = NULL;
      g_autoptr (C2gBlob) blob = NULL;

      fuzz_check_entry (entries->pdata[i]);
      blob = c2g_file_entry_load (entries->pdata[i], NULL, &load_error);
      if (blob != NULL)
        {
          g_assert_no_error (load_error);
          fuzz_check_agrees (entries->pdata[i], blob);
          fuzz_check_blob (blob);
        }
      else
        fuzz_check_error (load_error);
    }
}

/* Files */

static GPtrArray *
list_entries (C2gModelFile *model_file)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_entry_unref);
  guint n_entries;
  g_autofree C2gFileEntry **entries = c2g_model_file_list_entries (model_file, &n_entries);

  for (gsize i = 0; i < n_entries; i++)
    {
      g_autoptr (C2gFileEntry) same = NULL;

      fuzz_check_entry (entries[i]);
      same = c2g_model_file_lookup_entry (model_file, c2g_file_entry_get_name (entries[i]));
      /* No two entries have the same name. */
      g_assert_true (same == entries[i]);
      g_ptr_array_add (list, entries[i]);
    }

  return list;
}

static void
check_texts (char **texts)
{
  for (gsize i = 0; texts[i] != NULL; i++)
    g_assert_true (g_utf8_validate (texts[i], -1, NULL));
  g_strfreev (texts);
}

/* Calls the functions that describe a file. */
static void
check_description (C2gModelFile *model_file)
{
  g_auto (GStrv) keys = c2g_model_file_list_metadata (model_file);
  g_auto (GStrv) types = c2g_model_file_list_operator_types (model_file);
  const char *net_name = c2g_model_file_get_net_name (model_file);
  guint n_operators = 0;

  for (gsize i = 0; keys[i] != NULL; i++)
    g_assert_true (g_utf8_validate (c2g_model_file_get_metadata (model_file, keys[i]), -1, NULL));
  for (gsize i = 0; types[i] != NULL; i++)
    n_operators += c2g_model_file_get_n_operators (model_file, types[i]);
  g_assert_cmpuint (n_operators, ==, c2g_model_file_get_n_operators (model_file, NULL));
  g_assert_true (net_name == NULL || g_utf8_validate (net_name, -1, NULL));
  check_texts (c2g_model_file_list_external_inputs (model_file));
  check_texts (c2g_model_file_list_external_outputs (model_file));
}

/* Loading gives all blobs, or none. */
static void
check_as_it_was (C2gWorkspace *workspace,
                 C2gBlob      *blob)
{
  g_auto (GStrv) names = c2g_workspace_list_blobs (workspace);

  g_assert_cmpuint (g_strv_length (names), ==, blob == NULL ? 0 : 1);
  if (blob != NULL)
    fuzz_check_untouched (blob);
}

static void
check_names (char      **names,
             GPtrArray  *entries)
{
  g_assert_cmpuint (g_strv_length (names), ==, entries->len);
  for (guint i = 0; i < entries->len; i++)
    g_assert_cmpstr (names[i], ==, c2g_file_entry_get_name (entries->pdata[i]));
}

/* Loads into a workspace that already has the first of the blobs. */
static C2gWorkspace *
load (C2gModelFile  *model_file,
      GPtrArray     *entries,
      GError       **error)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) content = fuzz_new_blob ();
  g_autoptr (C2gTensor) tensor = g_object_ref (c2g_blob_get_tensor (content, NULL));
  g_autoptr (C2gBlob) blob = NULL;
  g_auto (GStrv) names = NULL;

  if (entries->len > 0)
    {
      blob = c2g_workspace_create_blob (workspace, c2g_file_entry_get_name (entries->pdata[0]),
                                        NULL);
      c2g_blob_move_from (blob, content);
    }

  names = c2g_model_file_load (model_file, workspace, NULL, NULL, error);
  if (names == NULL)
    {
      fuzz_check_error (*error);
      check_as_it_was (workspace, blob);
      return NULL;
    }

  check_names (names, entries);
  if (blob != NULL && c2g_blob_is_tensor (blob, NULL))
    g_assert_true (c2g_blob_get_tensor (blob, NULL) == tensor);
  return g_steal_pointer (&workspace);
}

/* A blob that is loaded by itself equals the one in the workspace. */
static void
check_blob (C2gModelFile *model_file,
            C2gFileEntry *entry,
            C2gBlob      *loaded)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = NULL;

  blob = c2g_model_file_load_blob (model_file, c2g_file_entry_get_name (entry), NULL, &error);
  if (blob == NULL)
    {
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
      return;
    }

  fuzz_check_agrees (entry, blob);
  fuzz_check_blob (blob);
  /* A blob that was only declared keeps its content. */
  if (!c2g_blob_is_empty (blob))
    fuzz_check_equal (blob, loaded);
}

/* Fails as the load of all blobs did. But that one has all blobs in memory at once, and checks the
 * device of a single one. */
static void
check_verify (C2gModelFile *model_file,
              const GError *load_error)
{
  g_autoptr (GError) error = NULL;
  gboolean is_fine = c2g_model_file_verify (model_file, NULL, NULL, &error);

  g_assert_true (is_fine == (error == NULL));
  if (load_error == NULL)
    g_assert_no_error (error);
  else if (!is_no_memory (load_error) &&
           !g_error_matches (load_error, C2G_ERROR, C2G_ERROR_DEVICE))
    {
      g_assert_error (error, load_error->domain, load_error->code);
      g_assert_cmpstr (error->message, ==, load_error->message);
    }
}

void
fuzz_model_file (C2gModelFile *model_file)
{
  g_autoptr (GPtrArray) entries = list_entries (model_file);
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (GError) error = NULL;

  check_description (model_file);
  workspace = load (model_file, entries, &error);
  for (guint i = 0; workspace != NULL && i < entries->len; i++)
    {
      const char *name = c2g_file_entry_get_name (entries->pdata[i]);
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);

      check_blob (model_file, entries->pdata[i], blob);
    }

  g_clear_object (&workspace);
  check_verify (model_file, error);
}

void
fuzz_file (GBytes     *bytes,
           const char *file_name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) model_file = NULL;

  model_file = c2g_model_file_new_from_bytes (bytes, file_name, &error);
  if (model_file != NULL)
    fuzz_model_file (model_file);
  else
    fuzz_check_error (error);
}

/* Databases */

guint64
fuzz_walk (C2gDbCursor  *cursor,
           guint64       max_records,
           GError      **error)
{
  guint64 n = 0;

  while (c2g_db_cursor_is_valid (cursor))
    {
      g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, error);
      g_autoptr (GBytes) value = NULL;

      if (key != NULL)
        value = c2g_db_cursor_dup_value (cursor, error);
      n++;
      g_assert_cmpuint (n, <=, max_records);
      if (value == NULL || !c2g_db_cursor_next (cursor, error))
        {
          fuzz_check_error (*error);
          break;
        }
    }

  return n;
}

void
fuzz_cursor (C2gDbCursor *cursor,
             guint64      max_records)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) second_error = NULL;
  guint64 n;

  g_assert_true (c2g_db_cursor_seek_to_first (cursor, &error));
  g_assert_no_error (error);
  n = fuzz_walk (cursor, max_records, &error);
  g_assert_true (c2g_db_cursor_seek_to_first (cursor, &second_error));
  g_assert_no_error (second_error);
  g_assert_cmpuint (fuzz_walk (cursor, max_records, &second_error), ==, n);
  g_assert_true ((error == NULL) == (second_error == NULL));
}

const char *
fuzz_get_folder (void)
{
  static char *folder;

  if (folder == NULL)
    folder = g_dir_make_tmp ("c2g-fuzz-XXXXXX", NULL);
  g_assert_nonnull (folder);
  return folder;
}
