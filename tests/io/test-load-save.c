/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/load-files.h"

#include <unistd.h>

/* These tests repeat Caffe2's tests that save and load. */

static const char *const kinds[] = { "db.minidb", "db.lmdb", "db.safetensors", "db.npz" };

static C2gWorkspace *
new_workspace (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_autoptr (GByteArray) database = load_new_database ("", 0);
  g_autoptr (GBytes) bytes = g_bytes_new (database->data, database->len);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = io_load_bytes (bytes, workspace, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, LOAD_N_TYPES);
  return workspace;
}

/* Returns FALSE if this build has no library to write the file. */
static gboolean
save (C2gWorkspace   *workspace,
      GFile          *file,
      C2gSaveOptions *options)
{
  g_autoptr (GError) error = NULL;

  if (c2g_workspace_save_checkpoint (workspace, file, options, NULL, &error))
    return TRUE;

  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_test_message ("%s", error->message);
  return FALSE;
}

/* Removes a file, or the folder of a database. */
static void
remove_saved (GFile *file)
{
  static const char *const names[] = { "data.mdb", "lock.mdb" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) child = g_file_get_child (file, names[i]);

      g_file_delete (child, NULL, NULL);
    }
  g_file_delete (file, NULL, NULL);
}

static GFile *
place (LoadFolder *folder,
       const char *name)
{
  return g_file_new_build_filename (folder->path, name, NULL);
}

static void
test_load_save (void)
{
  g_autoptr (C2gWorkspace) source = new_workspace ();
  g_auto (LoadFolder) folder = { 0 };

  load_folder_init (&folder);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GFile) file = place (&folder, kinds[i]);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();

      g_test_message ("%s", kinds[i]);
      if (!save (source, file, NULL))
        continue;
      load_assert_loads (workspace, file, NULL, LOAD_N_TYPES);
      load_assert_blobs (workspace, 0, LOAD_N_TYPES);

      /* Loads again, over the existing blobs, and with mapping. */
      c2g_load_options_set_memory_map (options, TRUE);
      load_assert_loads (workspace, file, options, LOAD_N_TYPES);
      load_assert_blobs (workspace, 0, LOAD_N_TYPES);
      remove_saved (file);
    }
}

static void
test_repeated_args (void)
{
  static const char *const names[] = { "0", "1", "0", NULL };
  g_autoptr (C2gWorkspace) source = new_workspace ();
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_auto (LoadFolder) folder = { 0 };

  load_folder_init (&folder);
  c2g_save_options_set_names (options, names);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GFile) file = place (&folder, kinds[i]);
      g_autoptr (GError) error = NULL;

      g_assert_false (c2g_workspace_save_checkpoint (source, file, options, NULL, &error));
      g_assert_true (error->domain == C2G_ERROR);
      g_assert_false (g_file_query_exists (file, NULL));
    }
}

static void
test_blob_name_overrides (void)
{
  static const char *const names[] = { "0", "1", "2", NULL };
  static const char *const new_names[] = { "x", "y", "z", NULL };
  static const char *const loaded[] = { "blob_x", "blob_y", "blob_z", NULL };
  g_autoptr (C2gWorkspace) source = new_workspace ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) save_options = c2g_save_options_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (LoadFolder) folder = { 0 };
  g_autoptr (GFile) file = NULL;

  load_folder_init (&folder);
  file = place (&folder, "db.minidb");
  c2g_save_options_set_names (save_options, names);
  c2g_save_options_set_new_names (save_options, new_names);
  c2g_save_options_set_strip_prefix (save_options, ".temp");
  g_assert_false (c2g_workspace_save_checkpoint (source, file, save_options, NULL, NULL));
  c2g_save_options_set_strip_prefix (save_options, NULL);
  g_assert_true (save (source, file, save_options));

  load_assert_loads (workspace, file, NULL, 3);
  load_assert_n_blobs (workspace, 3);
  for (guint i = 0; i < 3; i++)
    load_assert_blob (workspace, new_names[i], i);

  c2g_load_options_set_names (options, loaded);
  c2g_load_options_set_source_names (options, new_names);
  load_assert_loads (workspace, file, options, 3);
  load_assert_n_blobs (workspace, 6);
  for (guint i = 0; i < 3; i++)
    load_assert_blob (workspace, loaded[i], i);
  remove_saved (file);
}

static double
big_element (C2gDataType data_type,
             gint64      i)
{
  return data_type == C2G_DATA_TYPE_BOOL ? i % 3 == 0 : (i * 7) % 101;
}

/* Makes a blob of every type with n elements, named by its number. */
static C2gWorkspace *
new_big_workspace (gint64 n)
{
  C2gWorkspace *workspace = c2g_workspace_new ();

  for (guint id = 0; id < LOAD_N_TYPES; id++)
    {
      g_autofree char *name = g_strdup_printf ("%u", id);
      g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
      C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);

      g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (2, n / 2), NULL));
      g_assert_true (c2g_tensor_allocate (tensor, load_data_types[id], NULL));
      for (gint64 i = 0; i < n; i++)
        c2g_tensor_set_value (tensor, i, big_element (load_data_types[id], i), NULL);
    }

  return workspace;
}

static void
assert_big_workspace (C2gWorkspace *workspace,
                      gint64        n)
{
  for (guint id = 0; id < LOAD_N_TYPES; id++)
    {
      g_autofree char *name = g_strdup_printf ("%u", id);
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
      C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);

      g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, load_data_types[id]);
      g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, n);
      for (gint64 i = 0; i < n; i++)
        g_assert_cmpfloat (c2g_tensor_get_value (tensor, i, NULL), ==,
                           big_element (load_data_types[id], i));
    }
}

static guint
count_records (GFile *file)
{
  g_autoptr (C2gDb) db = c2g_db_open ("minidb", file, C2G_DB_MODE_READ, NULL, NULL);
  g_autoptr (C2gDbCursor) cursor = c2g_db_new_cursor (db, NULL);
  guint n = 0;

  for (; c2g_db_cursor_is_valid (cursor); n++)
    g_assert_true (c2g_db_cursor_next (cursor, NULL));
  return n;
}

/* Caffe2's BigTensorSerialization, and its tests of chunk sizes. */
static void
test_chunk_sizes (void)
{
  static const struct
  {
    gint64 n;
    gint64 chunk_size;
    guint  n_chunks;
  } cases[] = {
    { 1234, 32, 39 },
    { 1234, 1234, 1 },
    { 1234, 618, 2 },
    { 1234, 1, 1234 },
    { 1234, C2G_NO_CHUNKING, 1 },
    { 1234, C2G_DEFAULT_CHUNK_SIZE, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gWorkspace) source = new_big_workspace (cases[i].n);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      g_auto (LoadFolder) folder = { 0 };
      g_autoptr (GFile) minidb = NULL;
      g_autoptr (GFile) lmdb = NULL;

      load_folder_init (&folder);
      minidb = place (&folder, "db.minidb");
      lmdb = place (&folder, "db.lmdb");
      c2g_save_options_set_chunk_size (options, cases[i].chunk_size);
      g_assert_true (save (source, minidb, options));
      g_assert_cmpuint (count_records (minidb), ==, LOAD_N_TYPES * cases[i].n_chunks);
      load_assert_loads (workspace, minidb, NULL, LOAD_N_TYPES);
      assert_big_workspace (workspace, cases[i].n);

      /* In LMDB the tenth chunk comes before the second one. */
      c2g_workspace_clear (workspace);
      if (save (source, lmdb, options))
        {
          load_assert_loads (workspace, lmdb, NULL, LOAD_N_TYPES);
          assert_big_workspace (workspace, cases[i].n);
        }
      remove_saved (minidb);
      remove_saved (lmdb);
    }
}

/* A truncated file gives an error and no crash. */
static void
test_truncated_file (void)
{
  g_autoptr (C2gWorkspace) source = new_workspace ();
  g_auto (LoadFolder) folder = { 0 };

  load_folder_init (&folder);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GFile) file = place (&folder, kinds[i]);
      g_autoptr (GFile) child = g_file_get_child (file, "data.mdb");
      gboolean is_folder;
      struct stat status;
      const char *path;

      if (!save (source, file, NULL))
        continue;
      is_folder = g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) ==
                  G_FILE_TYPE_DIRECTORY;
      path = g_file_peek_path (is_folder ? child : file);
      g_assert_cmpint (stat (path, &status), ==, 0);
      for (goffset size = status.st_size; size > 0; size -= MAX (size / 9, 1))
        {
          g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
          g_autoptr (GError) error = NULL;
          g_auto (GStrv) names = NULL;

          g_assert_cmpint (truncate (path, size - 1), ==, 0);
          names = c2g_workspace_load_checkpoint (workspace, file, NULL, NULL, &error);
          /* LMDB may have unused pages at its end, and a minidb may be cut between two records. */
          if (names != NULL)
            continue;
          g_assert_true (error->domain == C2G_ERROR);
          g_assert_true (g_str_has_prefix (error->message, g_file_peek_path (file)));
          load_assert_n_blobs (workspace, 0);
        }
      remove_saved (file);
    }
}

/* A type of this program, in three chunks. */
#define NOTE_TYPE (note_get_type ())
G_DECLARE_FINAL_TYPE (Note, note, NOTE, NOTE, GObject)

struct _Note
{
  GObject  parent_instance;
  GString *text;
};

G_DEFINE_FINAL_TYPE (Note, note, G_TYPE_OBJECT)

static void
note_finalize (GObject *object)
{
  g_string_free (NOTE_NOTE (object)->text, TRUE);
  G_OBJECT_CLASS (note_parent_class)->finalize (object);
}

static void
note_class_init (NoteClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = note_finalize;
}

static void
note_init (Note *self)
{
  self->text = g_string_new (NULL);
}

#define NOTE_TYPE_SERIALIZER (note_serializer_get_type ())
G_DECLARE_FINAL_TYPE (NoteSerializer, note_serializer, NOTE, SERIALIZER, C2gSerializer)

struct _NoteSerializer
{
  C2gSerializer parent_instance;
};

G_DEFINE_FINAL_TYPE (NoteSerializer, note_serializer, C2G_TYPE_SERIALIZER)

static GThread *note_thread;

static guint
note_serializer_get_n_chunks (C2gSerializer *self,
                              C2gBlob       *blob,
                              gint64         chunk_size)
{
  return 3;
}

static GBytes *
note_serializer_serialize_content (C2gSerializer  *self,
                                   C2gBlob        *blob,
                                   guint           chunk,
                                   guint           n_chunks,
                                   GError        **error)
{
  GString *text = NOTE_NOTE (c2g_blob_get_object (blob))->text;

  return g_bytes_new (text->str + chunk, chunk == 2 ? text->len - 2 : 1);
}

static gboolean
note_serializer_deserialize_content (C2gSerializer  *self,
                                     C2gBlob        *blob,
                                     GBytes         *content,
                                     guint           chunk,
                                     guint           n_chunks,
                                     GError        **error)
{
  g_autoptr (Note) note = chunk == 0 ? g_object_new (NOTE_TYPE, NULL)
                                     : g_object_ref (NOTE_NOTE (c2g_blob_get_object (blob)));

  g_assert_cmpuint (n_chunks, ==, 3);
  note_thread = g_thread_self ();
  g_string_append_len (note->text, g_bytes_get_data (content, NULL), g_bytes_get_size (content));
  c2g_blob_set_object (blob, G_OBJECT (note));
  return TRUE;
}

static void
note_serializer_class_init (NoteSerializerClass *klass)
{
  C2gSerializerClass *serializer_class = C2G_SERIALIZER_CLASS (klass);

  serializer_class->get_n_chunks = note_serializer_get_n_chunks;
  serializer_class->serialize_content = note_serializer_serialize_content;
  serializer_class->deserialize_content = note_serializer_deserialize_content;
}

static void
note_serializer_init (NoteSerializer *self)
{
}

static void
assert_note (C2gWorkspace *workspace)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, "note", NULL);

  g_assert_cmpstr (NOTE_NOTE (c2g_blob_get_object (blob))->text->str, ==, "some text");
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  names = c2g_workspace_load_checkpoint_finish (C2G_WORKSPACE (source), result, &error);
  g_assert_no_error (error);
  /* The order is that of the file, whichever thread read the blobs. */
  g_assert_cmpstr (names[0], ==, "note");
  g_assert_cmpstr (names[1], ==, "x");
  g_main_loop_quit (user_data);
}

/* Caffe2's ContentChunks. In the background the serializer is called in the main context. */
static void
test_content_chunks (void)
{
  g_autoptr (NoteSerializer) serializer = g_object_new (NOTE_TYPE_SERIALIZER, NULL);
  g_autoptr (C2gWorkspace) source = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (source, "note", NULL);
  g_autoptr (C2gBlob) other = c2g_workspace_create_blob (source, "x", NULL);
  g_autoptr (Note) note = g_object_new (NOTE_TYPE, NULL);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_auto (LoadFolder) folder = { 0 };
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_serializer_register (NOTE_TYPE, "test::Note", C2G_SERIALIZER (serializer),
                                          &error));
  g_assert_no_error (error);
  g_string_append (note->text, "some text");
  c2g_blob_set_object (blob, G_OBJECT (note));
  g_assert_true (c2g_tensor_resize (c2g_blob_ensure_tensor (other, NULL, NULL),
                                    C2G_TEST_DIMS (2), NULL));
  g_assert_true (c2g_tensor_allocate (c2g_blob_get_tensor (other, NULL), C2G_DATA_TYPE_FLOAT,
                                      NULL));

  load_folder_init (&folder);
  file = place (&folder, "db.minidb");
  g_assert_true (save (source, file, NULL));
  load_assert_loads (workspace, file, NULL, 2);
  assert_note (workspace);

  note_thread = NULL;
  c2g_workspace_clear (workspace);
  c2g_workspace_load_checkpoint_async (workspace, file, NULL, NULL, loaded_cb, loop);
  g_main_loop_run (loop);
  assert_note (workspace);
  g_assert_true (note_thread == g_thread_self ());
  remove_saved (file);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/load-save/load-save", test_load_save);
  c2g_test_add_func ("/load-save/repeated-args", test_repeated_args);
  c2g_test_add_func ("/load-save/blob-name-overrides", test_blob_name_overrides);
  c2g_test_add_func ("/load-save/chunk-sizes", test_chunk_sizes);
  c2g_test_add_func ("/load-save/truncated-file", test_truncated_file);
  c2g_test_add_func ("/load-save/content-chunks", test_content_chunks);

  return c2g_test_run ();
}
