/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/core/fake-device.h"
#include "tests/io/save-utils.h"

#include <c2g/core/tensor/c2g-int8-tensor.h>
#include <c2g/io/content/c2g-blob-io.h>

/* Tensors of a device whose memory the CPU cannot access: all copies are counted. */

/* An offset to addresses that are never valid. */
#define FAR ((guintptr) 1 << (8 * sizeof (gpointer) - 2))

static C2gDevice *
get_device (void)
{
  return c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
}

/* The same tensors on the CPU and on the device. */

static const struct
{
  const char *name;
  C2gDataType data_type;
  gint64      n_rows;
} tensors[] = {
  { "float", C2G_DATA_TYPE_FLOAT, 12345 },
  { "bool", C2G_DATA_TYPE_BOOL, 999 },
  { "int8", C2G_DATA_TYPE_INT8, 1000 },
  { "uint16", C2G_DATA_TYPE_UINT16, 1001 },
  { "int32", C2G_DATA_TYPE_INT32, 5000 },
  { "int64", C2G_DATA_TYPE_INT64, 2500 },
  { "uint64", C2G_DATA_TYPE_UINT64, 2501 },
  { "float16", C2G_DATA_TYPE_FLOAT16, 3333 },
  { "double", C2G_DATA_TYPE_DOUBLE, 1 },
  { "empty", C2G_DATA_TYPE_FLOAT, 0 },
};

static C2gWorkspace *
new_near (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (tensors); i++)
    save_add_numbers (workspace, tensors[i].name, tensors[i].data_type,
                      C2G_TEST_DIMS (tensors[i].n_rows, 3));
  return workspace;
}

static C2gWorkspace *
new_far (C2gWorkspace *near,
         gsize        *n_bytes)
{
  C2gWorkspace *workspace = c2g_workspace_new ();

  *n_bytes = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gBlob) near_blob = c2g_workspace_get_blob (near, tensors[i].name, NULL);
      g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, tensors[i].name, NULL);
      g_autoptr (C2gTensor) tensor =
        c2g_tensor_to_device (c2g_blob_get_tensor (near_blob, NULL), get_device (), &error);

      g_assert_no_error (error);
      g_assert_true (c2g_tensor_get_device (tensor) == get_device ());
      c2g_blob_set_object (blob, G_OBJECT (tensor));
      *n_bytes += c2g_tensor_get_n_bytes (tensor);
    }

  return workspace;
}

static C2gSaveOptions *
new_options (gint64   chunk_size,
             guint    n_threads,
             gboolean keep_device)
{
  C2gSaveOptions *options = c2g_save_options_new ();

  c2g_save_options_set_chunk_size (options, chunk_size);
  c2g_save_options_set_n_threads (options, n_threads);
  c2g_save_options_set_keep_device (options, keep_device);
  return options;
}

/* Every element is copied once, a chunk at a time. */
static void
test_chunks (void)
{
  static const struct
  {
    gint64 chunk_size;
    guint  n_threads;
    gsize  n_bytes_largest;
  } cases[] = {
    { C2G_NO_CHUNKING, 1, 3 * 12345 * 4 },
    { 1000, 1, 1000 * 8 },
    { 100, 4, 100 * 8 },
    { 7, 2, 7 * 8 },
  };
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "far.minidb");
  g_autoptr (GFile) near_file = save_file (folder, "near.minidb");
  g_autoptr (C2gWorkspace) near = new_near ();
  gsize n_bytes;
  g_autoptr (C2gWorkspace) far = new_far (near, &n_bytes);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gSaveOptions) options =
        new_options (cases[i].chunk_size, cases[i].n_threads, FALSE);
      g_autoptr (GBytes) expected = NULL;

      save_to (near, near_file, options);
      fake_device_use ();
      save_to (far, file, options);
      g_assert_cmpuint (fake_device.n_bytes_from, ==, n_bytes);
      g_assert_cmpuint (fake_device.n_bytes_to, ==, 0);
      g_assert_cmpuint (fake_device.n_bytes_largest, <=, cases[i].n_bytes_largest);

      expected = save_read (near_file);
      save_assert_bytes (file, expected);
    }

  save_remove (folder);
}

/* Loading to the device also copies every element once. */
static void
test_keep_device (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "far.minidb");
  g_autoptr (C2gWorkspace) near = new_near ();
  gsize n_bytes;
  g_autoptr (C2gWorkspace) far = new_far (near, &n_bytes);
  g_autoptr (C2gWorkspace) loaded = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) options = new_options (1000, 2, TRUE);
  g_autoptr (C2gLoadOptions) load_options = c2g_load_options_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  save_to (far, file, options);
  fake_device_use ();
  c2g_load_options_set_keep_device (load_options, TRUE);
  names = c2g_workspace_load_checkpoint (loaded, file, load_options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_device.n_bytes_to, ==, n_bytes);
  g_assert_cmpuint (fake_device.n_bytes_from, ==, 0);

  for (gsize i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (loaded, tensors[i].name, NULL);

      g_assert_true (c2g_blob_is_tensor (blob, get_device ()));
      save_assert_same_blob (near, tensors[i].name, loaded, tensors[i].name);
    }
  save_remove (folder);
}

/* Tensor formats copy a few megabytes at a time. A stored member of a ZIP archive is read twice,
 * because its checksum comes first. */
static void
test_formats (void)
{
  static const struct
  {
    const char *name;
    gboolean    compress;
    gsize       n_passes;
    gsize       n_bytes_largest;
  } cases[] = {
    { "x.safetensors", FALSE, 1, 4 << 20 },
    { "x.npz", FALSE, 2, 4 << 20 },
    { "x.npz", TRUE, 1, 4 << 20 },
    { "x.npy", FALSE, 1, 4 << 20 },
    { "x.pb", FALSE, 1, G_MAXSIZE },
  };
  static const char *const one[] = { "large", NULL };
  g_autofree char *folder = save_new_folder ();
  g_autoptr (C2gWorkspace) near = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) far = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (far, "large", NULL);
  g_autoptr (C2gTensor) large = NULL;
  C2gTensor *tensor =
    save_add (near, "large", C2G_DATA_TYPE_INT32, C2G_TEST_DIMS (5, 7, c2g_test_is_quick () ? 30011 : 100003));
  int *data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_INT32, NULL);

  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    data[i] = i;
  large = c2g_tensor_to_device (tensor, get_device (), NULL);
  c2g_blob_set_object (blob, G_OBJECT (large));

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GFile) file = save_file (folder, cases[i].name);
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      g_autoptr (GBytes) expected = NULL;

      c2g_save_options_set_names (options, one);
      c2g_save_options_set_compress (options, cases[i].compress);
      c2g_save_options_set_keep_device (options, FALSE);
      save_to (near, file, options);
      expected = save_read (file);

      fake_device_use ();
      save_to (far, file, options);
      save_assert_bytes (file, expected);
      g_assert_cmpuint (fake_device.n_bytes_from, ==, cases[i].n_passes * c2g_tensor_get_n_bytes (tensor));
      g_assert_cmpuint (fake_device.n_bytes_largest, <=, cases[i].n_bytes_largest);
    }

  save_remove (folder);
}

/* A plain type of the program, whose elements are nested messages. */
static void
test_own_type (void)
{
  C2gTypeMeta *meta = c2g_type_meta_register ("test::Pair", 8, NULL);
  g_autoptr (C2gTensor) near_tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (10), NULL, NULL);
  g_autoptr (C2gTensor) far_tensor = NULL;
  g_autoptr (C2gBlob) near = c2g_blob_new ();
  g_autoptr (C2gBlob) far = c2g_blob_new ();
  g_autoptr (GBytes) expected = NULL;
  g_autoptr (GBytes) got = NULL;
  g_autoptr (GError) error = NULL;

  memset (c2g_tensor_raw_mutable_data (near_tensor, meta, NULL), 5, 80);
  far_tensor = c2g_tensor_to_device (near_tensor, get_device (), &error);
  g_assert_no_error (error);
  c2g_blob_set_object (near, G_OBJECT (near_tensor));
  c2g_blob_set_object (far, G_OBJECT (far_tensor));

  expected = c2g_test_serialize (near, "x", C2G_SERIALIZE_WITHOUT_DEVICE, &error);
  g_assert_no_error (error);
  fake_device_use ();
  got = c2g_test_serialize (far, "x", C2G_SERIALIZE_WITHOUT_DEVICE, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (got, expected));
  g_assert_cmpuint (fake_device.n_bytes_from, ==, 80);
}

static void
test_int8_tensor (void)
{
  g_autoptr (C2gTensor) near_tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (10), NULL, NULL);
  g_autoptr (C2gTensor) far_tensor = NULL;
  g_autoptr (C2gInt8Tensor) quantized = c2g_int8_tensor_new (near_tensor, 0.5, 7);
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GBytes) expected = NULL;
  g_autoptr (GBytes) got = NULL;
  g_autoptr (GError) error = NULL;

  memset (c2g_tensor_mutable_data (near_tensor, C2G_DATA_TYPE_UINT8, NULL), 77, 10);
  far_tensor = c2g_tensor_to_device (near_tensor, get_device (), &error);
  g_assert_no_error (error);
  c2g_blob_set_object (blob, G_OBJECT (quantized));
  expected = c2g_test_serialize (blob, "x", C2G_SERIALIZE_WITHOUT_DEVICE, &error);
  g_assert_no_error (error);

  c2g_int8_tensor_set_tensor (quantized, far_tensor);
  fake_device_use ();
  got = c2g_test_serialize (blob, "x", C2G_SERIALIZE_WITHOUT_DEVICE, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (got, expected));
  g_assert_cmpuint (fake_device.n_bytes_from, ==, 10);
}

/* A tensor without memory, and one without a shape. */
static void
test_unwritable (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, get_device (), NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);

  c2g_tensor_resize (tensor, C2G_TEST_DIMS (3), NULL);
  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  c2g_tensor_free_memory (tensor);
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
}

/* The options can name a device for a blob, which need not exist. */
static void
test_said_device (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 99, NULL);
  static const char *const names[] = { "x", "y" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    save_add_numbers (workspace, names[i], C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (3));
  g_assert_null (c2g_save_options_get_device (options, "x"));
  c2g_save_options_set_device (options, "x", device);
  c2g_save_options_set_device (options, "y", device);
  c2g_save_options_set_device (options, "y", NULL);
  g_assert_true (c2g_save_options_get_device (options, "x") == device);

  for (int keep_device = 0; keep_device < 2; keep_device++)
    {
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (C2gModelFile) file = NULL;
      g_autoptr (GError) error = NULL;

      c2g_save_options_set_keep_device (options, keep_device);
      bytes = c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, &error);
      g_assert_no_error (error);
      file = c2g_model_file_new_from_bytes (bytes, "x.minidb", &error);
      g_assert_no_error (error);
      for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        {
          C2gDevice *expected = keep_device && i == 0 ? device : c2g_device_cpu ();
          g_autoptr (C2gFileEntry) entry = c2g_model_file_lookup_entry (file, names[i]);

          g_assert_true (c2g_file_entry_get_device (entry) == expected);
        }
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  fake_device.distance = FAR;
  fake_device_use ();

  c2g_test_add_func ("/save-device/chunks", test_chunks);
  c2g_test_add_func ("/save-device/said", test_said_device);
  c2g_test_add_func ("/save-device/keep-device", test_keep_device);
  c2g_test_add_func ("/save-device/formats", test_formats);
  c2g_test_add_func ("/save-device/own-type", test_own_type);
  c2g_test_add_func ("/save-device/int8-tensor", test_int8_tensor);
  c2g_test_add_func ("/save-device/unwritable", test_unwritable);

  return c2g_test_run ();
}
