/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* memmem() needs this. */
#define _GNU_SOURCE

#include "config.h"

#include "tests/cuda/cuda-utils.h"
#include "tests/io/save-utils.h"

/* Cases from Caffe2's blob_gpu_test about messages, and files with tensors of devices. */

#define N_ROWS 1000

/* The nine types of Caffe2's test, and the ones of c2g. */
static const C2gDataType types[] = {
  C2G_DATA_TYPE_BOOL, C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_INT8, C2G_DATA_TYPE_INT16, C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_UINT16,
  C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_BFLOAT16, C2G_DATA_TYPE_UINT32,
  C2G_DATA_TYPE_UINT64
};

static C2gTensor *
get_tensor (C2gWorkspace *workspace,
            const char   *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);

  g_assert_nonnull (blob);
  return c2g_blob_get_tensor (blob, NULL);
}

static void
put_far (C2gWorkspace *workspace,
         const char   *name,
         C2gTensor    *near,
         C2gDevice    *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);
  g_autoptr (C2gTensor) far = c2g_tensor_to_device (near, device, &error);

  g_assert_no_error (error);
  c2g_blob_set_object (blob, G_OBJECT (far));
}

/* Asserts that the tensor is on the device and has the type, dimensions and elements of another. */
static void
assert_same_on (C2gTensor *tensor,
                C2gDevice *device,
                C2gTensor *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = c2g_tensor_dup_bytes (tensor, &error);
  g_autoptr (GBytes) expected_bytes = NULL;

  g_assert_no_error (error);
  expected_bytes = c2g_tensor_dup_bytes (expected, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (tensor) == device);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, c2g_tensor_get_data_type (expected));
  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, c2g_tensor_get_n_dims (expected));
  for (guint i = 0; i < c2g_tensor_get_n_dims (tensor); i++)
    g_assert_cmpint (c2g_tensor_get_dim (tensor, i, NULL), ==,
                     c2g_tensor_get_dim (expected, i, NULL));
  g_assert_true (g_bytes_equal (bytes, expected_bytes));
}

static GBytes *
serialize (C2gWorkspace *workspace,
           const char   *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, &error);
  GBytes *bytes = c2g_blob_serialize (blob, "test", &error);

  g_assert_no_error (error);
  return bytes;
}

static const guint8 *
find (GBytes       *bytes,
      const guint8 *part,
      gsize         n_part)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);

  return memmem (data, n_bytes, part, n_part);
}

/* Asserts that the message has the field device_detail (8) with the type CUDA and this index; or no
 * such field for the CPU. */
static void
assert_device_detail (GBytes *bytes,
                      int     index)
{
  const guint8 detail[] = { 0x42, 4, 0x08, 1, 0x10, (guint8) MAX (index, 0) };

  if (index >= 0)
    g_assert_nonnull (find (bytes, detail, sizeof detail));
  else
    g_assert_null (find (bytes, detail, 5));
}

static void
deserialize (C2gBlob   *blob,
             GBytes    *bytes,
             C2gDevice *device)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr (GError) error = NULL;

  c2g_blob_deserialize_from_stream (blob, stream, device, NULL, &error);
  g_assert_no_error (error);
}

/* TensorSerialization_<type>. Caffe2's test does not check the loaded tensor. */
static void
test_type (gconstpointer data)
{
  C2gDataType type = *(const C2gDataType *) data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  C2gTensor *near = save_add_numbers (workspace, "near", type, C2G_TEST_DIMS (2, 3));
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GBytes) near_bytes = NULL;
  g_autoptr (GBytes) bytes = NULL;
  C2gTensor *tensor;

  put_far (workspace, "far", near, first_device ());
  near_bytes = serialize (workspace, "near");
  bytes = serialize (workspace, "far");
  assert_device_detail (near_bytes, -1);
  assert_device_detail (bytes, 0);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, g_bytes_get_size (near_bytes) + 6);

  deserialize (blob, bytes, NULL);
  g_assert_true (c2g_blob_is_tensor (blob, first_device ()));
  tensor = c2g_blob_get_tensor (blob, NULL);
  assert_same_on (tensor, first_device (), near);

  /* Loading again uses the same object, as on the CPU. */
  deserialize (blob, bytes, NULL);
  g_assert_true (c2g_blob_get_tensor (blob, NULL) == tensor);
  deserialize (blob, bytes, c2g_device_cpu ());
  assert_same_on (c2g_blob_get_tensor (blob, NULL), c2g_device_cpu (), near);
  deserialize (blob, near_bytes, first_device ());
  assert_same_on (c2g_blob_get_tensor (blob, NULL), first_device (), near);
}

static void
run_type (gconstpointer data)
{
  test_type (data);
  assert_no_faults ();
}

/* TensorSerializationMultiDevices: loads a tensor onto its own device, or onto another one if asked
 * to. */
static void
test_multi_devices (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  C2gTensor *near = save_add_numbers (workspace, "near", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 3));

  for (int i = 0; i < c2g_device_count (C2G_DEVICE_TYPE_CUDA); i++)
    {
      C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, i, NULL);
      g_autoptr (C2gBlob) blob = c2g_blob_new ();
      g_autoptr (GBytes) bytes = NULL;
      struct cudaPointerAttributes attributes = { 0 };

      put_far (workspace, "far", near, device);
      bytes = serialize (workspace, "far");
      assert_device_detail (bytes, i);

      deserialize (blob, bytes, NULL);
      assert_same_on (c2g_blob_get_tensor (blob, NULL), device, near);
      cudaPointerGetAttributes (&attributes, (gconstpointer) (gsize) c2g_tensor_get_address (
                                                 c2g_blob_get_tensor (blob, NULL)));
      g_assert_cmpint (attributes.device, ==, i);

      deserialize (blob, bytes, first_device ());
      assert_same_on (c2g_blob_get_tensor (blob, NULL), first_device (), near);
    }
}

/* A device that is missing, and a device type that c2g does not have. */
static void
test_absent (void)
{
  static const struct
  {
    guint8      type;
    guint8      index;
    const char *text;
  } cases[] = {
    { C2G_DEVICE_TYPE_CUDA, 127, "cuda:127" },
    { 6, 0, "of type 6" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint8 message[] = {
        0x08, 1, 0x10, 1, 0x1a, 4, 0, 0, 0, 0, 0x42, 4, 0x08, cases[i].type, 0x10, cases[i].index
      };
      g_autoptr (GBytes) bytes = g_bytes_new (message, sizeof message);
      g_autoptr (C2gBlob) blob = c2g_blob_new ();
      g_autoptr (GError) error = NULL;

      g_assert_false (c2g_blob_deserialize (blob, bytes, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, cases[i].text));
      g_assert_true (c2g_blob_is_empty (blob));
      g_clear_error (&error);
      g_assert_false (c2g_blob_deserialize_chunks (
        blob, &bytes, 1, c2g_device_new (C2G_DEVICE_TYPE_CUDA, 99, NULL), &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, "cuda:99"));
      deserialize (blob, bytes, c2g_device_cpu ());
    }
}

/* String tensors can only be on the CPU. */
static void
test_strings (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  C2gTensor *near = save_add_numbers (workspace, "near", C2G_DATA_TYPE_STRING, C2G_TEST_DIMS (3));
  g_autoptr (GBytes) bytes = serialize (workspace, "near");
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_tensor_to_device (near, first_device (), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  deserialize (blob, bytes, first_device ());
  g_assert_true (c2g_blob_is_tensor (blob, c2g_device_cpu ()));
  g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (blob, NULL)), ==, 3);
}

/* Files: tensors of all types, spread over the devices, each with several elements. */
static C2gWorkspace *
new_workspace (C2gWorkspace *near)
{
  C2gWorkspace *far = c2g_workspace_new ();
  int n_devices = c2g_device_count (C2G_DEVICE_TYPE_CUDA);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      const char *name = c2g_data_type_get_name (types[i]);
      C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, i % n_devices, NULL);

      put_far (far, name, save_add_numbers (near, name, types[i], C2G_TEST_DIMS (N_ROWS, 7)),
               device);
    }

  put_far (far, "empty", save_add_numbers (near, "empty", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (0, 3)),
           first_device ());
  return far;
}

typedef enum
{
  TO_CPU,
  TO_OWN,
  TO_LAST,
} Where;

static void
check_loaded (GFile        *file,
              Where         where,
              gboolean      memory_map,
              C2gWorkspace *near,
              C2gWorkspace *far)
{
  int n_devices = c2g_device_count (C2G_DEVICE_TYPE_CUDA);
  C2gDevice *last = c2g_device_new (C2G_DEVICE_TYPE_CUDA, n_devices - 1, NULL);
  g_autoptr (C2gWorkspace) loaded = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  c2g_load_options_set_keep_device (options, where == TO_OWN);
  c2g_load_options_set_device (options, where == TO_LAST ? last : NULL);
  c2g_load_options_set_memory_map (options, memory_map);
  names = c2g_workspace_load_checkpoint (loaded, file, options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), >, 0);

  for (guint i = 0; names[i] != NULL; i++)
    {
      C2gTensor *expected = get_tensor (near, names[i]);
      C2gDevice *device = where == TO_CPU   ? c2g_device_cpu ()
                          : where == TO_OWN ? c2g_tensor_get_device (get_tensor (far, names[i]))
                                            : last;

      assert_same_on (get_tensor (loaded, names[i]), device, expected);
    }
}

static void
check_file (C2gWorkspace *near,
            C2gWorkspace *far,
            const char   *file_name,
            const char   *db_type,
            gint64        chunk_size,
            gboolean      has_device)
{
  static const char *const plain[] = { "float", "double", "int32", "int8", "uint8", "float16", NULL };
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, file_name);
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();

  g_test_message ("%s in chunks of %" G_GINT64_FORMAT, file_name, chunk_size);
  c2g_save_options_set_db_type (options, db_type);
  c2g_save_options_set_chunk_size (options, chunk_size);
  if (!has_device)
    {
      c2g_save_options_set_names (options, plain);
      c2g_save_options_set_keep_device (options, FALSE);
    }
  save_to (far, file, options);

  for (int memory_map = 0; memory_map < 2; memory_map++)
    {
      check_loaded (file, TO_CPU, memory_map, near, far);
      if (has_device)
        check_loaded (file, TO_OWN, memory_map, near, far);
      check_loaded (file, TO_LAST, memory_map, near, far);
    }

  save_remove (folder);
}

static void
test_files (void)
{
  static const struct
  {
    const char *name;
    const char *db_type;
    gint64      chunk_size;
    gboolean    has_device;
  } cases[] = {
    { "x.minidb", "minidb", 100, TRUE },
    { "x.minidb", "minidb", C2G_NO_CHUNKING, TRUE },
    { "x.lmdb", "lmdb", 1000, TRUE },
    { "x.safetensors", NULL, 1000, FALSE },
    { "x.npz", NULL, 1000, FALSE },
  };
  g_autoptr (C2gWorkspace) near = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) far = new_workspace (near);
  g_auto (GStrv) known = c2g_db_list_types ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    if (cases[i].db_type == NULL || g_strv_contains ((const char *const *) known, cases[i].db_type))
      check_file (near, far, cases[i].name, cases[i].db_type, cases[i].chunk_size,
                  cases[i].has_device);
}

static void
add_value (C2gWorkspace *workspace,
           const char   *name,
           GValue       *value)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_local_blob (workspace, name, NULL);

  c2g_blob_set_value (blob, value);
  g_value_unset (value);
}

static void
add_object (C2gWorkspace *workspace,
            const char   *name,
            gpointer      object)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_local_blob (workspace, name, NULL);

  c2g_blob_set_object (blob, object);
}

/* Makes one object of each type that can only be on the CPU, as loading makes it. */
static C2gWorkspace *
new_near_things (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_autoptr (C2gQTensor) q_tensor = c2g_q_tensor_new (C2G_TEST_DIMS (2, 5), 3, TRUE, NULL);
  g_autoptr (C2gTensor) bytes = c2g_tensor_new_sized (C2G_TEST_DIMS (2, 3), NULL, NULL);
  g_autoptr (C2gInt8Tensor) int8_tensor = NULL;
  GValue value = G_VALUE_INIT;

  g_value_set_int64 (g_value_init (&value, G_TYPE_INT64), 42);
  add_value (workspace, "counter", &value);
  g_value_set_int64 (g_value_init (&value, G_TYPE_INT64), G_MININT64);
  add_value (workspace, "least", &value);
  save_add_text (workspace, "text", "some");
  save_add_numbers (workspace, "strings", C2G_DATA_TYPE_STRING, C2G_TEST_DIMS (3));
  c2g_q_tensor_set_scale (q_tensor, 0.25);
  c2g_q_tensor_set_bit (q_tensor, 1, 4, TRUE, NULL);
  add_object (workspace, "q_tensor", q_tensor);
  memcpy (c2g_tensor_mutable_data (bytes, C2G_DATA_TYPE_UINT8, NULL), "\1\2\3\4\5\6", 6);
  int8_tensor = c2g_int8_tensor_new (bytes, 0.5f, 3);
  add_object (workspace, "int8_tensor", int8_tensor);

  return workspace;
}

static void
check_near_messages (C2gWorkspace *workspace)
{
  g_autoptr (C2gWorkspace) loaded = c2g_workspace_new ();
  g_auto (GStrv) names = c2g_workspace_list_local_blobs (workspace);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GBytes) bytes = serialize (workspace, names[i]);
      g_autoptr (C2gBlob) blob = c2g_workspace_create_local_blob (loaded, names[i], NULL);

      deserialize (blob, bytes, first_device ());
      save_assert_same_blob (workspace, names[i], loaded, names[i]);
    }
}

static void
check_near_file (C2gWorkspace *workspace,
                 const char   *db_type,
                 gboolean      memory_map)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x");
  g_autoptr (C2gSaveOptions) save_options = c2g_save_options_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_autoptr (C2gWorkspace) loaded = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  c2g_save_options_set_db_type (save_options, db_type);
  save_to (workspace, file, save_options);
  c2g_load_options_set_device (options, first_device ());
  g_assert_true (c2g_load_options_get_device (options) == first_device ());
  c2g_load_options_set_memory_map (options, memory_map);
  names = c2g_workspace_load_checkpoint (loaded, file, options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 6);
  for (guint i = 0; names[i] != NULL; i++)
    save_assert_same_blob (workspace, names[i], loaded, names[i]);
  save_remove (folder);
}

/* Objects that can only be on the CPU are loaded there, complete. */
static void
test_near_things (void)
{
  g_autoptr (C2gWorkspace) workspace = new_near_things ();
  g_auto (GStrv) known = c2g_db_list_types ();

  check_near_messages (workspace);
  for (int memory_map = 0; memory_map < 2; memory_map++)
    {
      check_near_file (workspace, "minidb", memory_map);
      if (g_strv_contains ((const char *const *) known, "lmdb"))
        check_near_file (workspace, "lmdb", memory_map);
    }
}

static void
assert_peak (const char *name,
             gint64      chunk_size,
             gsize       max_save_bytes,
             gsize       max_load_bytes)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, name);
  g_autoptr (C2gWorkspace) far = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (C2gLoadOptions) load_options = c2g_load_options_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  {
    g_autoptr (C2gWorkspace) near = c2g_workspace_new ();
    C2gTensor *tensor = save_add (near, "x", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (8 << 20));

    memset ((gpointer) (gsize) c2g_tensor_get_address (tensor), 0, 32 << 20);
    put_far (far, "x", tensor, first_device ());
  }
  c2g_save_options_set_chunk_size (options, chunk_size);
  c2g_memory_reporter_reset_peak (reporter);
  save_to (far, file, options);
  g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, c2g_device_cpu ()), <=,
                    max_save_bytes);

  c2g_workspace_remove_blob (far, "x");
  c2g_memory_reporter_reset_peak (reporter);
  c2g_load_options_set_device (load_options, first_device ());
  names = c2g_workspace_load_checkpoint (far, file, load_options, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (get_tensor (far, "x")) == first_device ());
  g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, c2g_device_cpu ()), <=,
                    max_load_bytes);
  save_remove (folder);
}

/* Saving or loading a tensor of 32 MiB needs host memory only for a chunk, or a part of it. */
static void
test_peak_memory (void)
{
  assert_peak ("x.minidb", 1 << 18, 2 << 20, 1 << 20);
  assert_peak ("x.safetensors", 1 << 18, 4 << 20, 4 << 20);
}

static float
first_of (gconstpointer items)
{
  return *(const float *) items;
}

static float
read_message (C2gWorkspace  *workspace,
              C2gTensor     *tensor,
              GError       **error)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, "x", error);
  g_autoptr (GBytes) message = c2g_blob_serialize (blob, "x", error);
  g_autoptr (C2gBlob) copy = c2g_blob_new ();

  c2g_blob_deserialize (copy, message, error);
  return c2g_tensor_get_value (c2g_blob_get_tensor (copy, NULL), 0, error);
}

static float
read_file (C2gWorkspace  *workspace,
           C2gTensor     *tensor,
           GError       **error)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.safetensors");
  g_autoptr (C2gWorkspace) loaded = c2g_workspace_new ();
  g_auto (GStrv) names = NULL;

  save_to (workspace, file, NULL);
  names = c2g_workspace_load_checkpoint (loaded, file, NULL, NULL, error);
  save_remove (folder);
  return c2g_tensor_get_value (get_tensor (loaded, "x"), 0, error);
}

static float
read_value (C2gWorkspace  *workspace,
            C2gTensor     *tensor,
            GError       **error)
{
  return c2g_tensor_get_value (tensor, 0, error);
}

static float
read_map (C2gWorkspace  *workspace,
          C2gTensor     *tensor,
          GError       **error)
{
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ, error);
  gsize n_bytes;

  return first_of (c2g_mapping_get_data (mapping, &n_bytes));
}

static float
read_bytes (C2gWorkspace  *workspace,
            C2gTensor     *tensor,
            GError       **error)
{
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, error);

  return first_of (g_bytes_get_data (bytes, NULL));
}

static float
read_lent (C2gWorkspace  *workspace,
           C2gTensor     *tensor,
           GError       **error)
{
  c2g_tensor_lend_to_stream (tensor, 0, error);
  return first_of (c2g_tensor_data (tensor, C2G_DATA_TYPE_FLOAT, error));
}

/* Host memory that a device still writes to is waited for by each reader. */
static void
test_pinned (void)
{
  static float (*const readers[]) (C2gWorkspace *, C2gTensor *, GError **) = {
    read_message, read_file, read_value, read_map, read_bytes, read_lent
  };
  const gint64 n = 4;
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) far = c2g_tensor_new_sized (&n, 1, first_device (), &error);

  c2g_tensor_allocate (far, C2G_DATA_TYPE_FLOAT, &error);
  for (gsize i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      g_autoptr (C2gStorage) storage = c2g_allocator_allocate (allocator, 16, NULL, &error);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "x", &error);
      g_autoptr (C2gTensor) near =
        c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, &n, 1, storage, 0, &error);

      c2g_blob_set_object (blob, G_OBJECT (near));
      memset (c2g_tensor_mutable_data (near, C2G_DATA_TYPE_FLOAT, &error), 0, 16);
      c2g_context_fill (context, far, 3, &error);
      c2g_context_finish (context, &error);
      on_fake (fake_cuda_set_latency, 50);
      c2g_tensor_copy_from (near, far, context, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (readers[i] (workspace, near, &error), ==, 3);
      g_assert_no_error (error);
      on_fake (fake_cuda_set_latency, 0);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cuda/save/tensor-serialization/%s",
                                               c2g_data_type_get_name (types[i]));

      g_test_add_data_func (path, &types[i], run_type);
    }
  add_clean_func ("/cuda/save/tensor-serialization-multi-devices", test_multi_devices);
  add_clean_func ("/cuda/save/absent-device", test_absent);
  add_clean_func ("/cuda/save/strings", test_strings);
  add_clean_func ("/cuda/save/files", test_files);
  add_clean_func ("/cuda/save/near-things", test_near_things);
  add_clean_func ("/cuda/save/peak-memory", test_peak_memory);
  add_clean_func ("/cuda/save/pinned", test_pinned);

  return run_on_device ();
}
