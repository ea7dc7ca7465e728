/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/save-utils.h"

#include <c2g/core/tensor/c2g-int8-tensor.h>
#include <c2g/io/content/c2g-blob-io.h>
#include <c2g/io/content/c2g-snapshot-private.h>
#include <c2g/io/serializer/c2g-serializer.h>

/* Blobs are loaded into, resized and freed while threads save their former content. */

#define N_TENSORS  6
#define N_ELEMENTS 150000
#define N_STRINGS  3000

/* The first blob, whose serializer is called in the main context. Until that is iterated, at most
 * the first chunks are written. */

struct _Gate
{
  GObject parent_instance;
};

G_DECLARE_FINAL_TYPE (Gate, gate, TEST, GATE, GObject)
G_DEFINE_FINAL_TYPE (Gate, gate, G_TYPE_OBJECT)

static void
gate_class_init (GateClass *klass)
{
}

static void
gate_init (Gate *self)
{
}

struct _GateSerializer
{
  C2gSerializer parent_instance;
};

G_DECLARE_FINAL_TYPE (GateSerializer, gate_serializer, TEST, GATE_SERIALIZER, C2gSerializer)
G_DEFINE_FINAL_TYPE (GateSerializer, gate_serializer, C2G_TYPE_SERIALIZER)

static GBytes *
gate_serialize (C2gSerializer  *serializer,
                C2gBlob        *blob,
                guint           chunk,
                guint           n_chunks,
                GError        **error)
{
  return g_bytes_new_static ("open", 4);
}

static gboolean
gate_deserialize (C2gSerializer  *serializer,
                  C2gBlob        *blob,
                  GBytes         *content,
                  guint           chunk,
                  guint           n_chunks,
                  GError        **error)
{
  g_autoptr (GObject) gate = g_object_new (gate_get_type (), NULL);

  c2g_blob_set_object (blob, gate);
  return TRUE;
}

static void
gate_serializer_class_init (GateSerializerClass *klass)
{
  C2gSerializerClass *serializer_class = C2G_SERIALIZER_CLASS (klass);

  serializer_class->serialize_content = gate_serialize;
  serializer_class->deserialize_content = gate_deserialize;
}

static void
gate_serializer_init (GateSerializer *self)
{
}

static void
add_gate (C2gWorkspace *workspace)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_local_blob (workspace, "gate", NULL);
  g_autoptr (GObject) gate = g_object_new (gate_get_type (), NULL);

  c2g_blob_set_object (blob, gate);
}

/* A stream that takes the memory from a tensor during a write. */

struct _Thief
{
  GMemoryOutputStream  parent_instance;
  C2gTensor           *tensor;
};

G_DECLARE_FINAL_TYPE (Thief, thief, TEST, THIEF, GMemoryOutputStream)
G_DEFINE_FINAL_TYPE (Thief, thief, G_TYPE_MEMORY_OUTPUT_STREAM)

static gssize
thief_write (GOutputStream  *stream,
             const void     *buffer,
             gsize           n_bytes,
             GCancellable   *cancellable,
             GError        **error)
{
  c2g_tensor_free_memory (TEST_THIEF (stream)->tensor);
  return G_OUTPUT_STREAM_CLASS (thief_parent_class)
      ->write_fn (stream, buffer, n_bytes, cancellable, error);
}

static void
thief_class_init (ThiefClass *klass)
{
  G_OUTPUT_STREAM_CLASS (klass)->write_fn = thief_write;
}

static void
thief_init (Thief *self)
{
}

static void
add_floats (C2gWorkspace *workspace,
            int           index,
            int           seed)
{
  g_autofree char *name = g_strdup_printf ("tensor_%d", index);
  C2gTensor *tensor = save_add (workspace, name, C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (N_ELEMENTS));
  float *data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);

  for (int i = 0; i < N_ELEMENTS; i++)
    data[i] = (float) (i % 1000 + index + seed);
}

static void
set_strings (C2gTensor *tensor,
             int        seed)
{
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;
      g_autoptr (GError) error = NULL;

      g_value_init (&value, G_TYPE_STRING);
      g_value_take_string (&value, g_strdup_printf ("%d: %" G_GINT64_FORMAT, seed, i));
      c2g_tensor_set_element (tensor, i, &value, &error);
      g_assert_no_error (error);
    }
}

static void
add_quantized (C2gWorkspace *workspace,
               int           seed)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_local_blob (workspace, "quantized", NULL);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (N_ELEMENTS), NULL, NULL);
  g_autoptr (C2gInt8Tensor) quantized = c2g_int8_tensor_new (tensor, 0.5, seed);

  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_UINT8, NULL);
  memset (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_UINT8, NULL), seed, N_ELEMENTS);
  c2g_blob_set_object (blob, G_OBJECT (quantized));
}

static C2gWorkspace *
new_workspace (gboolean with_gate,
               int      seed)
{
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_autofree char *text = g_strnfill (N_ELEMENTS, 'a' + seed);

  if (with_gate)
    add_gate (workspace);
  for (int i = 0; i < N_TENSORS; i++)
    add_floats (workspace, i, seed);
  set_strings (save_add (workspace, "strings", C2G_DATA_TYPE_STRING, C2G_TEST_DIMS (N_STRINGS)),
               seed);
  add_quantized (workspace, seed);
  save_add_text (workspace, "text", text);
  return workspace;
}

static C2gTensor *
get_tensor (C2gWorkspace *workspace,
            const char   *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);

  return c2g_blob_get_tensor (blob, NULL);
}

static void
fill (C2gTensor *tensor)
{
  memset (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL), 0xff,
          c2g_tensor_get_n_bytes (tensor));
}

/* Takes the memory from the tensors in all possible ways; a smaller shape keeps the memory. */
static void
change_tensors (C2gWorkspace *workspace)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor;

  tensor = get_tensor (workspace, "tensor_0");
  c2g_tensor_resize (tensor, C2G_TEST_DIMS (2, N_ELEMENTS, 1), &error);
  fill (tensor);
  c2g_tensor_free_memory (get_tensor (workspace, "tensor_1"));
  c2g_tensor_resize (get_tensor (workspace, "tensor_2"), C2G_TEST_DIMS (1, 1, 1, 1, 1, 1, 1, 5),
                     &error);
  tensor = get_tensor (workspace, "tensor_3");
  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT32, &error);
  memset (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_INT32, NULL), 0x77,
          c2g_tensor_get_n_bytes (tensor));
  tensor = get_tensor (workspace, "tensor_4");
  c2g_tensor_extend (tensor, 10, 50, NULL, &error);
  fill (tensor);
  tensor = get_tensor (workspace, "tensor_5");
  c2g_tensor_shrink (tensor, 1, &error);
  c2g_tensor_free_memory (tensor);
  set_strings (get_tensor (workspace, "strings"), 99);
  g_assert_no_error (error);
}

static void
change_others (C2gWorkspace *workspace)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, "quantized", NULL);
  C2gInt8Tensor *quantized = C2G_INT8_TENSOR (c2g_blob_get_object (blob));
  C2gTensor *tensor = c2g_int8_tensor_get_tensor (quantized);

  c2g_tensor_free_memory (tensor);
  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_UINT8, NULL);
  memset (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_UINT8, NULL), 99, N_ELEMENTS);
  c2g_int8_tensor_set_scale (quantized, 99);
  save_add_text (workspace, "text", "another text");
}

typedef struct
{
  GMainLoop *loop;
  GError    *error;
} Call;

static void
saved_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  Call *call = user_data;

  c2g_workspace_save_checkpoint_finish (C2G_WORKSPACE (object), result, &call->error);
  g_main_loop_quit (call->loop);
}

static void
load (C2gWorkspace *workspace,
      GFile        *file)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = c2g_workspace_load_checkpoint (workspace, file, NULL, NULL, &error);

  g_assert_no_error (error);
}

/* The file has the content at the time of the call. */
static void
save_while_changed (const char *folder,
                    const char *name,
                    guint       n_threads,
                    gboolean    with_gate)
{
  g_autoptr (GFile) file = save_file (folder, name);
  g_autoptr (GFile) other_file = save_file (folder, "other.minidb");
  g_autoptr (C2gWorkspace) workspace = new_workspace (with_gate, 1);
  g_autoptr (C2gWorkspace) other = new_workspace (FALSE, 7);
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GBytes) expected = NULL;
  Call call = { loop, NULL };

  c2g_save_options_set_chunk_size (options, 1000);
  c2g_save_options_set_n_threads (options, n_threads);
  if (!g_str_has_suffix (name, ".minidb"))
    c2g_save_options_set_skip_unsupported (options, TRUE);
  save_to (workspace, file, options);
  expected = save_read (file);
  save_to (other, other_file, NULL);

  for (int i = 0; i < 4; i++)
    {
      c2g_workspace_save_checkpoint_async (workspace, file, options, NULL, saved_cb, &call);
      if (i % 2 == 0)
        load (workspace, other_file);
      change_tensors (workspace);
      change_others (workspace);
      load (workspace, other_file);

      g_main_loop_run (loop);
      g_assert_no_error (call.error);
      save_assert_bytes (file, expected);
      load (workspace, file);
      if (!g_str_has_suffix (name, ".minidb"))
        {
          g_clear_object (&workspace);
          workspace = new_workspace (with_gate, 1);
        }
    }
}

static void
test_changed (void)
{
  g_autofree char *folder = save_new_folder ();

  for (guint n_threads = 1; n_threads < 6; n_threads += c2g_test_is_quick () ? 4 : 1)
    {
      save_while_changed (folder, "x.minidb", n_threads, TRUE);
      save_while_changed (folder, "x.minidb", n_threads, FALSE);
    }
  save_remove (folder);
}

/* Formats that are written by one thread. */
static void
test_formats (void)
{
  g_autofree char *folder = save_new_folder ();

  save_while_changed (folder, "x.safetensors", 1, FALSE);
  save_while_changed (folder, "x.npz", 1, FALSE);
  save_remove (folder);
}

/* Writes into the memory itself may or may not be in the file; preventing them is up to the caller. */
static void
test_shared (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");
  g_autoptr (C2gWorkspace) workspace = new_workspace (TRUE, 1);
  g_autoptr (C2gWorkspace) loaded = NULL;
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  C2gTensor *tensor = get_tensor (workspace, "tensor_0");
  C2gStorage *storage = c2g_tensor_get_storage (tensor);
  const float *data;
  Call call = { loop, NULL };

  g_assert_false (c2g_tensor_shares_data (tensor));
  c2g_save_options_set_n_threads (options, 1);
  c2g_workspace_save_checkpoint_async (workspace, file, options, NULL, saved_cb, &call);
  g_assert_true (c2g_tensor_shares_data (tensor));
  fill (tensor);
  g_assert_true (c2g_tensor_get_storage (tensor) == storage);

  g_main_loop_run (loop);
  g_assert_no_error (call.error);
  g_assert_false (c2g_tensor_shares_data (tensor));
  loaded = save_load (file);
  data = c2g_tensor_data (get_tensor (loaded, "tensor_0"), C2G_DATA_TYPE_FLOAT, NULL);
  g_assert_true (data[10] != data[10]);
  save_remove (folder);
}

/* The same for a single blob. */
static void
test_stream (void)
{
  static const char *const names[] = { "tensor_0", "strings" };
  g_autoptr (C2gWorkspace) workspace = new_workspace (FALSE, 1);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, names[i], NULL);
      g_autoptr (Thief) thief = g_object_new (thief_get_type (), "realloc-function", g_realloc,
                                              "destroy-function", g_free, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) expected = c2g_blob_serialize (blob, "x", &error);
      g_autoptr (GBytes) got = NULL;

      thief->tensor = c2g_blob_get_tensor (blob, NULL);
      c2g_blob_serialize_to_stream (blob, "x", C2G_SERIALIZE_NONE, G_OUTPUT_STREAM (thief), NULL,
                                    &error);
      g_assert_no_error (error);
      g_assert_false (c2g_tensor_is_allocated (thief->tensor));

      g_output_stream_close (G_OUTPUT_STREAM (thief), NULL, NULL);
      got = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (thief));
      g_assert_true (g_bytes_equal (got, expected));
    }
}

/* The objects in a tensor live until the save is over. */
static void
test_objects (void)
{
  const gint64 dim = 1;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (C2gBlob) held = NULL;
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, &error);
  GObject *first = g_object_new (G_TYPE_OBJECT, NULL);
  g_auto (GValue) value = G_VALUE_INIT;

  c2g_tensor_resize (tensor, &dim, 1, &error);
  c2g_tensor_allocate_meta (tensor, c2g_type_meta_for_gtype (G_TYPE_OBJECT, NULL), &error);
  g_assert_no_error (error);
  g_value_init (&value, G_TYPE_OBJECT);
  g_value_set_object (&value, first);
  g_assert_true (c2g_tensor_set_element (tensor, 0, &value, &error));

  held = c2g_snapshot_hold (blob, NULL, &error);
  g_assert_no_error (error);
  g_value_set_object (&value, NULL);
  g_assert_true (c2g_tensor_set_element (tensor, 0, &value, &error));
  g_assert_cmpuint (first->ref_count, ==, 2);

  g_clear_object (&held);
  g_assert_finalize_object (first);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (C2gSerializer) serializer = NULL;

  g_test_init (&argc, &argv, NULL);
  serializer = g_object_new (gate_serializer_get_type (), NULL);
  c2g_serializer_register (gate_get_type (), "test::Gate", serializer, NULL);

  c2g_test_add_func ("/save-changed/changed", test_changed);
  c2g_test_add_func ("/save-changed/formats", test_formats);
  c2g_test_add_func ("/save-changed/shared", test_shared);
  c2g_test_add_func ("/save-changed/stream", test_stream);
  c2g_test_add_func ("/save-changed/objects", test_objects);

  return c2g_test_run ();
}
