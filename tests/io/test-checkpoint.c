/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/load-utils.h"

#include <glib/gstdio.h>
#include <unistd.h>

static void
test_checkpoint (void)
{
  g_autoptr (GByteArray) database = io_new_checkpoint ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) model_file = io_open_bytes (database, "x", &error);
  g_auto (GStrv) names = NULL;
  g_autofree char *joined = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (c2g_model_file_get_kind (model_file), ==, C2G_MODEL_FILE_KIND_MINIDB);
  names = c2g_model_file_load (model_file, workspace, NULL, NULL, &error);
  g_assert_no_error (error);

  /* A tensor is listed at the position of its first chunk. */
  joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, "big note one none");
  io_assert_floats (workspace, "big", 10);
  io_assert_floats (workspace, "one", 3);
  io_assert_floats (workspace, "none", 0);
}

typedef struct
{
  const char *key;
  gint64      n;
  gint64      begin;
  gint64      end;
} Record;

static void
test_chunks (void)
{
  static const struct
  {
    const char *name;
    Record      records[4];
    const char *message;
  } cases[] = {
    { "whole", { { "x#%0", 4, 0, 4 } }, NULL },
    { "without a number", { { "x", 4, 0, 4 } }, NULL },
    { "cut at the first mark", { { "x#%0#%1", 4, 0, 4 } }, NULL },
    { "wrong numbers", { { "x#%7", 4, 0, 2 }, { "x#%7", 4, 2, 4 } }, NULL },
    { "empty chunk between",
      { { "x#%0", 4, 0, 2 }, { "x#%1", 4, 2, 2 }, { "x#%2", 4, 2, 4 } },
      NULL },
    { "missing", { { "x#%0", 4, 0, 2 }, { "x#%1", 4, 2, 3 } }, "1 of 4 elements are missing" },
    { "twice", { { "x#%0", 4, 0, 4 }, { "x#%1", 4, 0, 4 } }, "second blob" },
    { "surplus", { { "x#%0", 4, 0, 4 }, { "x#%1", 4, 3, 4 } }, "second blob" },
    { "too many", { { "x#%0", 4, 0, 3 }, { "x#%1", 4, 2, 4 } }, "More chunks" },
    { "overlap", { { "x#%0", 4, 0, 2 }, { "x#%1", 4, 1, 3 } }, "overlap at element 1" },
    { "the same twice", { { "x#%0", 4, 0, 2 }, { "x#%0", 4, 0, 2 } }, "overlap at element 0" },
    { "other dimensions", { { "x#%0", 4, 0, 2 }, { "x#%1", 5, 2, 4 } }, "differ" },
    { "segment too long", { { "x#%0", 4, 0, 5 } }, "Elements 0 to 5" },
    { "no name", { { "#%0", 4, 0, 4 } }, "name is empty" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) database = g_byte_array_new ();
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = NULL;

      g_test_message ("%s", cases[i].name);
      for (const Record *record = cases[i].records; record->key != NULL; record++)
        io_put_record (database, record->key,
                       io_new_chunk ("x", record->n, record->begin, record->end));
      bytes = g_bytes_new (database->data, database->len);

      names = io_load_bytes (bytes, workspace, &error);
      if (cases[i].message == NULL)
        {
          g_assert_no_error (error);
          io_assert_floats (workspace, "x", 4);
        }
      else
        {
          g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
          g_assert_nonnull (strstr (error->message, "test-file: "));
          g_assert_nonnull (strstr (error->message, cases[i].message));
          g_assert_false (c2g_workspace_has_blob (workspace, "x"));
        }
    }
}

static void
test_trailing (void)
{
  for (guint n = 0; n < 12; n++)
    {
      g_autoptr (GByteArray) database = io_new_checkpoint ();
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = NULL;

      g_byte_array_append (database, (const guint8 *) "\1\0\0\0\1\0\0\0\0\0\0\0", n);
      bytes = g_bytes_new (database->data, database->len);
      names = io_load_bytes (bytes, workspace, &error);
      g_assert_cmpint (names != NULL, ==, n <= 3);
      if (n > 3)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

/* When memory runs out at any point, there is an error, and nothing is loaded. */
static void
test_no_memory (void)
{
  g_autoptr (GByteArray) database = io_new_checkpoint ();
  g_autoptr (GBytes) bytes = g_bytes_new (database->data, database->len);
  g_autoptr (C2gAllocator) usual = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  guint n_failures = 0;

  for (guint64 max_bytes = 0; max_bytes < 80; max_bytes += 4)
    {
      g_autoptr (C2gAllocator) limited = c2g_limiting_allocator_new (usual, max_bytes);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = NULL;
      g_auto (GStrv) blobs = NULL;

      g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), limited, NULL));
      names = io_load_bytes (bytes, workspace, &error);
      g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL));
      blobs = c2g_workspace_list_blobs (workspace);

      g_assert_cmpuint (g_strv_length (blobs), ==, names == NULL ? 0 : 4);
      if (names == NULL)
        {
          g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
          n_failures++;
        }
    }

  g_assert_cmpuint (n_failures, ==, (10 + 3) * sizeof (float) / 4);
}

static void
test_damaged_checkpoint (void)
{
  g_autoptr (GByteArray) database = io_new_checkpoint ();
  g_autoptr (GBytes) bytes = g_bytes_new (database->data, database->len);

  io_damage (bytes, io_check_damaged, NULL);
}

/* In a load, a tensor that was saved on another device comes to the CPU. A single message is loaded
 * to its device, as in Caffe2, which must exist. */
static void
test_device (void)
{
  static const char message[] = "\x0a\x01x\x12\x06Tensor\x1a\x10\x08\x01\x10\x01"
                                "\x1a\x04\0\0\0\0\x42\x04\x08\x01\x10\x7f";
  g_autoptr (GBytes) bytes = g_bytes_new_static (message, sizeof message - 1);
  g_autoptr (GByteArray) database = g_byte_array_new ();
  g_autoptr (GBytes) database_bytes = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_auto (GStrv) names = NULL;
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_auto (GStrv) alone = NULL;
  GError *error = NULL;

  g_assert_false (c2g_blob_deserialize (blob, bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);

  alone = io_load_bytes (bytes, workspace, &error);
  g_assert_no_error (error);
  io_assert_floats (workspace, "x", 1);

  io_put_record (database, "x#%0", g_bytes_ref (bytes));
  database_bytes = g_bytes_new (database->data, database->len);
  names = io_load_bytes (database_bytes, workspace, &error);
  g_assert_no_error (error);
  io_assert_floats (workspace, "x", 1);
}

/* Entries are listed without reading values. */
static void
test_entries (void)
{
  g_autoptr (GByteArray) database = io_new_checkpoint ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) file = io_open_bytes (database, "x", &error);
  C2gFileEntry **entries;
  const gint64 *dims;
  guint n_entries;
  gsize n_dims;
  gint64 begin;
  gint64 end;

  g_assert_no_error (error);
  entries = c2g_model_file_list_entries (file, &n_entries);
  g_assert_cmpuint (n_entries, ==, 4);
  g_assert_cmpstr (c2g_file_entry_get_name (entries[0]), ==, "big");
  g_assert_cmpstr (c2g_file_entry_get_blob_type (entries[0]), ==, "Tensor");
  g_assert_cmpint (c2g_file_entry_get_data_type (entries[0]), ==, C2G_DATA_TYPE_FLOAT);
  dims = c2g_file_entry_get_dims (entries[0], &n_dims);
  g_assert_cmpuint (n_dims, ==, 1);
  g_assert_cmpint (dims[0], ==, 10);
  g_assert_cmpint (c2g_file_entry_get_n_elements (entries[0]), ==, 10);
  g_assert_cmpuint (c2g_file_entry_get_n_bytes (entries[0]), ==, 40);
  /* The value of the first record comes after two lengths and the key. */
  g_assert_cmpuint (c2g_file_entry_get_offset (entries[0]), ==, 8 + 6);
  g_assert_false (c2g_file_entry_get_segment (entries[0], &begin, &end));
  g_assert_cmpint (begin, ==, 0);
  g_assert_cmpint (end, ==, 10);

  g_assert_cmpstr (c2g_file_entry_get_blob_type (entries[1]), ==, "std::string");
  g_assert_cmpint (c2g_file_entry_get_data_type (entries[1]), ==, C2G_DATA_TYPE_UNDEFINED);
  g_assert_cmpuint (c2g_file_entry_get_n_bytes (entries[1]), ==, 4);
  g_assert_cmpuint (c2g_file_entry_get_n_bytes (entries[3]), ==, 0);

  for (gsize i = 0; i < n_entries; i++)
    c2g_file_entry_unref (entries[i]);
  g_free (entries);
}

/* Loads only one blob. */
static void
test_load_blob (void)
{
  g_autoptr (GByteArray) database = io_new_checkpoint ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) file = io_open_bytes (database, "x", &error);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (C2gBlob) blob = NULL;

  g_assert_no_error (error);
  blob = c2g_model_file_load_blob (file, "big", NULL, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < 10; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (c2g_blob_get_tensor (blob, NULL), i, NULL), ==, i);

  g_assert_null (c2g_model_file_load_blob (file, "bigger", NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "x: There is no blob “bigger”");
  g_clear_error (&error);

  g_cancellable_cancel (cancellable);
  g_assert_null (c2g_model_file_load_blob (file, "big", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* An error suggests one similar name: the first in the order of the file. */
static void
test_suggestion (void)
{
  g_autoptr (GString) net = g_string_new (NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gModelFile) file = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 9; i > 0; i--)
    g_string_append_printf (net,
                            "op { type: 'ConstantFill' output: 'fc_%u' arg { name: 'shape' ints: 1 } "
                            "  arg { name: 'value' f: 1 } } ",
                            i);
  bytes = g_bytes_new (net->str, net->len);
  file = c2g_model_file_new_from_bytes (bytes, "net.pbtxt", &error);
  g_assert_no_error (error);
  g_assert_null (c2g_model_file_load_blob (file, "fc_x", NULL, &error));
  g_assert_cmpstr (error->message, ==, "net.pbtxt: There is no blob “fc_x”; did you mean “fc_9”?");
}

/* Makes a part of content that is not a tensor, which Caffe2 writes in several records. */
static GBytes *
new_content (const char *name,
             const char *type,
             guint       chunk,
             guint       n_chunks,
             const char *content)
{
  GByteArray *blob = g_byte_array_new ();

  c2g_wire_put_bytes (blob, 1, name, strlen (name));
  if (type != NULL)
    c2g_wire_put_bytes (blob, 2, type, strlen (type));
  c2g_wire_put_bytes (blob, 4, content, strlen (content));
  if (n_chunks != 1)
    {
      c2g_wire_put_tag (blob, 6, 0);
      c2g_wire_put_varint (blob, n_chunks);
      c2g_wire_put_tag (blob, 7, 0);
      c2g_wire_put_varint (blob, chunk);
    }
  return g_byte_array_free_to_bytes (blob);
}

/* Content of a type of the program comes in several records. All of them must be there, each once. */
static void
test_content_chunks (void)
{
  static const struct
  {
    const char *name;
    struct
    {
      const char *type;
      guint       chunk;
      guint       n_chunks;
    } records[4];
    guint       n_records;
    const char *message;
  } cases[] = {
    { "all", { { "T", 2, 3 }, { "T", 0, 3 }, { "T", 1, 3 } }, 3, NULL },
    { "one", { { "T", 0, 1 } }, 1, NULL },
    { "missing", { { "T", 0, 3 }, { "T", 2, 3 } }, 2, "1 of 3 chunks are missing" },
    { "very many missing", { { "T", 0, 2000000000 } }, 1, "1999999999 of 2000000000 chunks" },
    { "twice", { { "T", 0, 2 }, { "T", 0, 2 } }, 2, "Chunk 0 is there twice" },
    { "surplus", { { "T", 0, 2 }, { "T", 1, 2 }, { "T", 1, 2 } }, 3, "second blob" },
    { "two blobs", { { "T", 0, 1 }, { "T", 0, 1 } }, 2, "second blob" },
    { "beyond", { { "T", 2, 2 } }, 1, "Chunk 2 of 2" },
    { "none", { { "T", 0, 0 } }, 1, "Chunk 0 of 0" },
    { "another type", { { "T", 0, 2 }, { "U", 1, 2 } }, 2, "differ" },
    { "another number", { { "T", 0, 2 }, { "T", 1, 3 } }, 2, "differ" },
    { "no type", { { NULL, 0, 1 } }, 1, "no type" },
    { "no tensor", { { "Tensor", 0, 1 } }, 1, "without a tensor" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) database = g_byte_array_new ();
      g_autoptr (C2gModelFile) file = NULL;
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].name);
      for (guint j = 0; j < cases[i].n_records; j++)
        io_put_record (database, "x",
                       new_content ("x", cases[i].records[j].type, cases[i].records[j].chunk,
                                    cases[i].records[j].n_chunks, "abc"));
      file = io_open_bytes (database, "test-file", &error);
      if (cases[i].message == NULL)
        {
          g_autoptr (C2gFileEntry) entry = c2g_model_file_lookup_entry (file, "x");

          g_assert_no_error (error);
          g_assert_cmpstr (c2g_file_entry_get_blob_type (entry), ==, "T");
          g_assert_cmpuint (c2g_file_entry_get_n_bytes (entry), ==, 3 * cases[i].n_records);
          continue;
        }
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_assert_true (g_str_has_prefix (error->message, "test-file: Blob “x”"));
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

/* A tensor and other content cannot be chunks of one blob, and a single chunk of other content
 * cannot be loaded. */
static void
test_mixed (void)
{
  g_autoptr (GByteArray) database = g_byte_array_new ();
  g_autoptr (GBytes) part = new_content ("x", "T", 0, 2, "abc");
  GError *error = NULL;

  io_put_record (database, "x#%0", io_new_chunk ("x", 4, 0, 2));
  io_put_record (database, "x", new_content ("x", "T", 1, 2, "abc"));
  g_assert_null (io_open_bytes (database, "x", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_assert_nonnull (strstr (error->message, "differ in type"));
  g_clear_error (&error);

  g_assert_null (c2g_model_file_new_from_bytes (part, "x.pb", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_assert_cmpstr (error->message, ==, "x.pb: Blob “x”: 1 of 2 chunks are missing");
  g_clear_error (&error);
}

/* An unknown type is an error only for that blob; the other blobs of the file can be loaded. */
static void
test_unknown_type (void)
{
  g_autoptr (GByteArray) database = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) file = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  io_put_record (database, "mutex", new_content ("x", "std::unique_ptr<std::mutex>", 0, 1, ""));
  io_put_record (database, "x#%0", io_new_chunk ("x", 4, 0, 4));
  file = io_open_bytes (database, "test-file", &error);
  g_assert_no_error (error);
  blob = c2g_model_file_load_blob (file, "x", NULL, &error);
  g_assert_no_error (error);

  g_assert_null (c2g_model_file_load (file, workspace, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_true (g_str_has_prefix (error->message, "test-file: Blob “mutex” at offset 13: "));
  g_assert_nonnull (strstr (error->message, "std::unique_ptr<std::mutex>"));
  g_assert_false (c2g_workspace_has_blob (workspace, "x"));
}

/* Caffe2's protodb consists of TensorProtos, which contain their names. */
static void
test_protodb (void)
{
  g_autoptr (GByteArray) database = g_byte_array_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) file = NULL;
  g_auto (GStrv) names = NULL;

  c2g_wire_put_bytes (database, 1, "\x08\x02\x10\x01\x1a\x08\0\0\0\0\0\0\x80\x3f:\1a", 17);
  c2g_wire_put_bytes (database, 1, "\x10\x02\x22\x01\x07:\2bb", 9);
  file = io_open_bytes (database, "x", &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_model_file_get_kind (file), ==, C2G_MODEL_FILE_KIND_PROTODB);
  names = c2g_model_file_load (file, workspace, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 2);
  g_assert_cmpstr (names[1], ==, "bb");
  io_assert_floats (workspace, "a", 2);
}

/* Logs how long it takes to list a checkpoint of many blobs. */
static void
test_many (void)
{
  g_autoptr (GByteArray) database = g_byte_array_new ();
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "many.minidb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) model_file = NULL;
  g_autoptr (C2gFileEntry) last = NULL;
  gint64 start;

  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *name = g_strdup_printf ("gpu_0/conv%u_w", i);
      g_autofree char *key = g_strconcat (name, "#%0", NULL);

      io_put_record (database, key, io_new_chunk (name, 1000, 0, 1000));
    }
  g_file_set_contents (path, (const char *) database->data, database->len, &error);
  g_assert_no_error (error);

  start = g_get_monotonic_time ();
  model_file = c2g_model_file_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_test_message ("10000 blobs of %u bytes in all are listed in %.1f ms", database->len,
                  (g_get_monotonic_time () - start) / 1000.0);
  last = c2g_model_file_lookup_entry (model_file, "gpu_0/conv9999_w");
  g_assert_cmpint (c2g_file_entry_get_n_elements (last), ==, 1000);

  g_file_delete (file, NULL, NULL);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Reads everything, and reports the first problem. */
static void
test_verify (void)
{
  g_autoptr (GByteArray) database = io_new_checkpoint ();
  g_autoptr (C2gProgress) progress = c2g_progress_new ();
  g_autoptr (C2gModelFile) file = io_open_bytes (database, "x", NULL);
  g_autoptr (C2gModelFile) bad_file = NULL;
  GError *error = NULL;

  g_assert_true (c2g_model_file_verify (file, progress, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_progress_get_n_bytes_total (progress), ==, (10 + 3) * 4 + 4);
  g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==, (10 + 3) * 4 + 4);

  io_put_record (database, "odd", new_content ("odd", "T", 0, 1, ""));
  bad_file = io_open_bytes (database, "x", NULL);
  g_assert_false (c2g_model_file_verify (bad_file, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_true (g_str_has_prefix (error->message, "x: Blob “odd” at offset "));
  g_clear_error (&error);
}

/* The file becomes shorter while it is open. */
static void
test_shortened (void)
{
  g_autoptr (GByteArray) database = io_new_checkpoint ();
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.minidb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) model_file = NULL;

  g_assert_true (g_file_set_contents (path, (const char *) database->data, database->len, NULL));
  model_file = c2g_model_file_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (truncate (path, database->len - 8), ==, 0);
  g_assert_null (c2g_model_file_load (model_file, workspace, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_nonnull (strstr (error->message, "Blob “big” at offset 14: Chunk at offset "));
  g_assert_false (c2g_workspace_has_blob (workspace, "note"));

  g_file_delete (file, NULL, NULL);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/checkpoint/load", test_checkpoint);
  c2g_test_add_func ("/checkpoint/entries", test_entries);
  c2g_test_add_func ("/checkpoint/load-blob", test_load_blob);
  c2g_test_add_func ("/checkpoint/suggestion", test_suggestion);
  c2g_test_add_func ("/checkpoint/chunks", test_chunks);
  c2g_test_add_func ("/checkpoint/content-chunks", test_content_chunks);
  c2g_test_add_func ("/checkpoint/mixed", test_mixed);
  c2g_test_add_func ("/checkpoint/unknown-type", test_unknown_type);
  c2g_test_add_func ("/checkpoint/trailing", test_trailing);
  c2g_test_add_func ("/checkpoint/protodb", test_protodb);
  c2g_test_add_func ("/checkpoint/many", test_many);
  c2g_test_add_func ("/checkpoint/verify", test_verify);
  c2g_test_add_func ("/checkpoint/shortened", test_shortened);
  c2g_test_add_func ("/checkpoint/no-memory", test_no_memory);
  c2g_test_add_func ("/checkpoint/damaged", test_damaged_checkpoint);
  c2g_test_add_func ("/checkpoint/device", test_device);

  return c2g_test_run ();
}
