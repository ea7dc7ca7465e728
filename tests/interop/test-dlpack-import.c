/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "dlpack-utils.h"

/* Tensors that come in by DLPack, from producers of every kind. */

static void
test_import (void)
{
  for (C2gDlpackFlags flags = 0; flags <= C2G_DLPACK_VERSIONED; flags++)
    {
      Producer producer;
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor = NULL;
      g_autoptr (C2gTensor) sharer = NULL;

      init_producer (&producer);
      producer.legacy.tensor.byte_offset = 8;
      tensor = import_producer (&producer, flags, &error);
      g_assert_no_error (error);
      g_assert_true (floats_of (tensor) == (const float *) producer.memory + 2);
      g_assert_cmpint (c2g_tensor_get_dim (tensor, 1, NULL), ==, 3);
      g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 24);

      /* Written through, and held by every sharer. */
      g_assert_true (c2g_tensor_set_value (tensor, 0, 42, &error));
      g_assert_cmpfloat (((float *) producer.memory)[2], ==, 42);
      sharer = c2g_tensor_slice (tensor, 0, 1, &error);
      g_clear_object (&tensor);
      g_assert_cmpint (producer.n_deleted, ==, 0);
      g_clear_object (&sharer);
      g_assert_cmpint (producer.n_deleted, ==, 1);
    }
}

static void
test_import_read_only (void)
{
  Producer producer;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gTensor) tensor = NULL;

  init_producer (&producer);
  producer.versioned.flags = C2G_DL_FLAG_READ_ONLY | C2G_DL_FLAG_IS_COPIED | 1 << 30;
  tensor = import_producer (&producer, C2G_DLPACK_VERSIONED, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_storage_is_read_only (c2g_tensor_get_storage (tensor)));

  /* The producer may still write to it. */
  g_assert_false (c2g_tensor_is_sealed (tensor));
  bytes = c2g_tensor_ref_bytes (tensor, &error);
  ((float *) producer.memory)[1] = 11;
  g_assert_cmpfloat (((const float *) g_bytes_get_data (bytes, NULL))[1], ==, 1);
  g_assert_cmpfloat (floats_of (tensor)[1], ==, 11);

  g_assert_true (c2g_tensor_set_value (tensor, 0, 42, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (((float *) producer.memory)[0], ==, 0);
  g_assert_cmpfloat (floats_of (tensor)[5], ==, 5);
  g_assert_cmpint (producer.n_deleted, ==, 1);
}

static void
test_import_copy (void)
{
  Producer producer;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;

  init_producer (&producer);
  tensor = import_producer (&producer, C2G_DLPACK_COPY, &error);
  g_assert_no_error (error);
  g_assert_cmpint (producer.n_deleted, ==, 1);
  g_assert_cmpfloat (floats_of (tensor)[5], ==, 5);
}

/* Shapes of at most three dimensions over 64 floats, and where the elements are. */
static void
test_import_strides (void)
{
  static const struct
  {
    int      n_dims;
    gint64   shape[3];
    gint64   strides[3];
    int      first;
    gboolean shares;
    float    expected[8];
  } cases[] = {
    { 2, { 2, 3 }, { 3, 1 }, 0, TRUE, { 0, 1, 2, 3, 4, 5 } },
    { 2, { 2, 3 }, { 1, 2 }, 0, FALSE, { 0, 2, 4, 1, 3, 5 } },
    { 1, { 4 }, { 2 }, 0, FALSE, { 0, 2, 4, 6 } },
    { 1, { 4 }, { -1 }, 9, FALSE, { 9, 8, 7, 6 } },
    { 1, { 3 }, { 0 }, 5, FALSE, { 5, 5, 5 } },
    { 2, { 2, 2 }, { 8, -3 }, 4, FALSE, { 4, 1, 12, 9 } },
    { 3, { 2, 2, 2 }, { 16, 8, 1 }, 0, FALSE, { 0, 1, 8, 9, 16, 17, 24, 25 } },
    /* The place of what is alone does not matter. */
    { 3, { 1, 3, 1 }, { 77, 1, -5 }, 0, TRUE, { 0, 1, 2 } },
    { 1, { 1 }, { G_MAXINT64 }, 7, TRUE, { 7 } },
    { 0, { 0 }, { 0 }, 3, TRUE, { 3 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Producer producer;
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor = NULL;
      g_autoptr (C2gTensor) shared = NULL;

      init_producer (&producer);
      producer.legacy.tensor.n_dims = cases[i].n_dims;
      producer.legacy.tensor.byte_offset = cases[i].first * sizeof (float);
      memcpy (producer.shape, cases[i].shape, sizeof cases[i].shape);
      memcpy (producer.strides, cases[i].strides, sizeof cases[i].strides);

      tensor = import_producer (&producer, 0, &error);
      g_assert_no_error (error);
      g_assert_cmpint (producer.n_deleted, ==, cases[i].shares ? 0 : 1);
      g_assert_cmpmem (floats_of (tensor), c2g_tensor_get_n_bytes (tensor), cases[i].expected,
                       c2g_tensor_get_n_bytes (tensor));

      shared = import_producer (&producer, C2G_DLPACK_NO_COPY, &error);
      if (cases[i].shares)
        g_assert_no_error (error);
      else
        g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
    }
}

static void
test_import_gaps_of_sizes (void)
{
  static const struct
  {
    C2gDataType data_type;
    C2gDlType   type;
  } cases[] = {
    { C2G_DATA_TYPE_UINT8, { C2G_DL_UINT, 8, 1 } },
    { C2G_DATA_TYPE_INT16, { C2G_DL_INT, 16, 1 } },
    { C2G_DATA_TYPE_INT32, { C2G_DL_INT, 32, 1 } },
    { C2G_DATA_TYPE_INT64, { C2G_DL_INT, 64, 1 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Producer producer;
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor = NULL;

      init_producer (&producer);
      memset (producer.memory, 0, sizeof producer.memory);
      producer.legacy.tensor.type = cases[i].type;
      producer.strides[0] = 7;
      producer.strides[1] = 2;
      producer.memory[(7 + 4) * (cases[i].type.bits / 8)] = 42;
      tensor = import_producer (&producer, 0, &error);
      g_assert_no_error (error);
      g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, cases[i].data_type);
      g_assert_cmpint (c2g_tensor_get_int64 (tensor, 5, NULL), ==, 42);
      g_assert_cmpint (c2g_tensor_get_int64 (tensor, 4, NULL), ==, 0);
    }
}

static void
test_import_without (void)
{
  Producer producer;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;

  /* Strides that are not said, a deleter that is not there. */
  init_producer (&producer);
  producer.legacy.tensor.strides = NULL;
  producer.legacy.deleter = NULL;
  tensor = import_producer (&producer, C2G_DLPACK_NO_COPY, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (floats_of (tensor)[5], ==, 5);
  g_clear_object (&tensor);

  /* Elements that there are none of: no data is needed, and nothing is kept. */
  init_producer (&producer);
  producer.shape[0] = 0;
  producer.strides[0] = G_MININT64;
  producer.legacy.tensor.data = NULL;
  tensor = import_producer (&producer, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 1, NULL), ==, 3);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_FLOAT);
  g_assert_cmpint (producer.n_deleted, ==, 1);
}

static void
test_import_unaligned (void)
{
  Producer producer;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  float number;

  init_producer (&producer);
  producer.legacy.tensor.byte_offset = 1;
  memcpy (&number, producer.memory + 1, sizeof number);
  tensor = import_producer (&producer, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (floats_of (tensor), sizeof number, &number, sizeof number);
  g_assert_cmpint (producer.n_deleted, ==, 1);

  g_assert_null (import_producer (&producer, C2G_DLPACK_NO_COPY, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_cmpint (producer.n_deleted, ==, 2);
}

/* Fields of a structure; the other ones are as init_producer() makes them. */
static const struct
{
  const char *name;
  C2gDlType   type;
  gint32      device_type;
  gint32      device_id;
  gint32      n_dims;
  gint64      shape[3];
  gint64      strides[3];
  guint64     byte_offset;
  gboolean    no_data;
  gboolean    no_shape;
  C2gError    code;
  const char *message;
} hostile[] = {
  { "negative-dim", .n_dims = 2, .shape = { 2, -1 }, .code = C2G_ERROR_SHAPE, .message = "-1" },
  { "negative-rank", .n_dims = -1, .code = C2G_ERROR_SHAPE, .message = "-1" },
  { "rank", .n_dims = G_MAXINT32, .code = C2G_ERROR_SHAPE, .message = "2147483647" },
  { "count", .n_dims = 2, .shape = { G_MAXINT64, 3 }, .code = C2G_ERROR_RANGE },
  { "bytes", .n_dims = 1, .shape = { G_MAXINT64 }, .code = C2G_ERROR_RANGE },
  { "behind-memory", .n_dims = 1, .shape = { G_MAXINT64 / 4 }, .strides = { 1 },
    .byte_offset = G_GUINT64_CONSTANT (1) << 63, .code = C2G_ERROR_RANGE },
  { "offset", .byte_offset = G_MAXUINT64, .code = C2G_ERROR_RANGE },
  { "stride", .n_dims = 2, .shape = { 2, 3 }, .strides = { G_MAXINT64, 1 },
    .code = C2G_ERROR_RANGE },
  { "stride-before", .n_dims = 2, .shape = { 3, 3 }, .strides = { G_MININT64, 1 },
    .code = C2G_ERROR_RANGE },
  { "stride-bytes", .n_dims = 1, .shape = { 2 }, .strides = { G_MAXINT64 / 2 },
    .code = C2G_ERROR_RANGE },
  { "stride-below-zero", .n_dims = 1, .shape = { 2 }, .strides = { G_MININT64 / 4 },
    .code = C2G_ERROR_RANGE },
  { "stride-sum", .n_dims = 2, .shape = { 2, 2 }, .strides = { G_MAXINT64, G_MAXINT64 },
    .code = C2G_ERROR_RANGE },
  { "no-data", .no_data = TRUE, .code = C2G_ERROR_INVALID_ARGUMENT, .message = "24 bytes" },
  { "no-shape", .no_shape = TRUE, .code = C2G_ERROR_SHAPE },
  { "lanes", .type = { C2G_DL_FLOAT, 32, 4 }, .code = C2G_ERROR_TYPE, .message = "“float32” with 4" },
  { "no-lanes", .type = { C2G_DL_FLOAT, 32, 0 }, .code = C2G_ERROR_TYPE, .message = "with 0" },
  { "int4", .type = { C2G_DL_INT, 4, 1 }, .code = C2G_ERROR_TYPE, .message = "“int4”" },
  { "uint128", .type = { C2G_DL_UINT, 128, 1 }, .code = C2G_ERROR_TYPE, .message = "“uint128”" },
  { "bool1", .type = { C2G_DL_BOOL, 1, 1 }, .code = C2G_ERROR_TYPE, .message = "“bool1”" },
  { "complex64", .type = { C2G_DL_COMPLEX, 64, 1 }, .code = C2G_ERROR_TYPE,
    .message = "“complex64”" },
  { "opaque", .type = { C2G_DL_OPAQUE_HANDLE, 64, 1 }, .code = C2G_ERROR_TYPE,
    .message = "“opaque handle”" },
  { "float8", .type = { 10, 8, 1 }, .code = C2G_ERROR_TYPE, .message = "“float8_e4m3fn”" },
  { "float4", .type = { 17, 4, 1 }, .code = C2G_ERROR_TYPE, .message = "“float4_e2m1fn”" },
  { "unknown-type", .type = { 255, 8, 1 }, .code = C2G_ERROR_TYPE, .message = "“255:8”" },
  { "no-bits", .type = { C2G_DL_FLOAT, 0, 1 }, .code = C2G_ERROR_TYPE, .message = "“float0”" },
  { "rocm", .device_type = 10, .code = C2G_ERROR_DEVICE, .message = "10 (ROCm)" },
  { "managed", .device_type = 13, .code = C2G_ERROR_DEVICE, .message = "13 (CUDA managed)" },
  { "no-device", .device_type = 5, .code = C2G_ERROR_DEVICE, .message = "5 (unknown)" },
  { "negative-device", .device_type = -7, .code = C2G_ERROR_DEVICE, .message = "-7 (unknown)" },
  { "large-device", .device_type = G_MAXINT32, .code = C2G_ERROR_DEVICE },
  { "device-index", .device_type = C2G_DL_DEVICE_CUDA, .device_id = -1, .code = C2G_ERROR_RANGE },
};

static void
make_hostile (Producer *producer,
              gsize     i)
{
  C2gDlTensor *tensor = &producer->legacy.tensor;

  init_producer (producer);
  if (hostile[i].type.bits != 0 || hostile[i].type.lanes != 0)
    tensor->type = hostile[i].type;
  if (hostile[i].device_type != 0)
    tensor->device = (C2gDlDevice) { hostile[i].device_type, hostile[i].device_id };
  if (hostile[i].n_dims != 0)
    {
      tensor->n_dims = hostile[i].n_dims;
      memcpy (producer->shape, hostile[i].shape, sizeof hostile[i].shape);
      memcpy (producer->strides, hostile[i].strides, sizeof hostile[i].strides);
    }
  tensor->byte_offset = hostile[i].byte_offset;
  if (hostile[i].no_data)
    tensor->data = NULL;
  if (hostile[i].no_shape)
    tensor->shape = NULL;
}

static void
test_import_hostile (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);

  for (C2gDlpackFlags flags = 0; flags <= C2G_DLPACK_VERSIONED; flags++)
    {
      Producer producer;
      g_autoptr (GError) error = NULL;

      make_hostile (&producer, i);
      g_assert_null (import_producer (&producer, flags, &error));
      g_assert_error (error, C2G_ERROR, (int) hostile[i].code);
      if (hostile[i].message != NULL && strstr (error->message, hostile[i].message) == NULL)
        g_error ("“%s” does not say “%s”", error->message, hostile[i].message);
      g_assert_cmpint (producer.n_deleted, ==, 1);
    }
}

static void
test_import_versions (void)
{
  static const struct
  {
    C2gDlVersion version;
    gboolean     works;
  } cases[] = {
    { { 1, 0 }, TRUE },
    { { 1, 99 }, TRUE },
    { { 0, 8 }, FALSE },
    { { 2, 0 }, FALSE },
    { { G_MAXUINT32, G_MAXUINT32 }, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Producer producer;
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor = NULL;
      guint64 managed;

      init_producer (&producer);
      managed = get_managed (&producer, C2G_DLPACK_VERSIONED);
      producer.versioned.version = cases[i].version;
      /* In a structure of another version only the fields up to the deleter may be read. */
      if (!cases[i].works)
        memset (&producer.versioned.flags, 0xff,
                sizeof producer.versioned - G_STRUCT_OFFSET (C2gDlManagedVersioned, flags));

      tensor = c2g_tensor_new_from_dlpack (managed, C2G_DLPACK_VERSIONED, NULL, &error);
      g_assert_true ((tensor != NULL) == cases[i].works);
      if (!cases[i].works)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_clear_object (&tensor);
      g_assert_cmpint (producer.n_deleted, ==, 1);
    }
}

/* More elements than there is memory, all of them in one place. */
static void
test_import_no_memory (void)
{
  Producer producer;
  g_autoptr (GError) error = NULL;

  init_producer (&producer);
  producer.shape[0] = G_GINT64_CONSTANT (1) << 30;
  producer.shape[1] = G_GINT64_CONSTANT (1) << 30;
  producer.strides[0] = producer.strides[1] = 0;
  g_assert_null (import_producer (&producer, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpint (producer.n_deleted, ==, 1);
}

static void
test_import_flags (void)
{
  Producer producer;
  g_autoptr (GError) error = NULL;

  init_producer (&producer);
  g_assert_null (import_producer (&producer, C2G_DLPACK_COPY | C2G_DLPACK_NO_COPY, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_cmpint (producer.n_deleted, ==, 1);
}

static gpointer
drop_tensors (gpointer data)
{
  C2gTensor **tensors = data;

  for (int i = 0; i < 1000; i++)
    g_object_unref (tensors[i]);

  return NULL;
}

/* The last reference goes in whatever thread, and the deleter is called there, once. */
static void
test_threads (void)
{
  static C2gTensor *tensors[8][1000];
  GThread *threads[8];
  Producer producer;
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor;

  init_producer (&producer);
  tensor = import_producer (&producer, 0, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 1000; j++)
      {
        tensors[i][j] = c2g_tensor_slice (tensor, 0, 1, &error);
        g_assert_no_error (error);
      }
  g_object_unref (tensor);
  g_assert_cmpint (producer.n_deleted, ==, 0);

  for (int i = 0; i < 8; i++)
    threads[i] = g_thread_new ("drop", drop_tensors, tensors[i]);
  for (int i = 0; i < 8; i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (producer.n_deleted, ==, 1);
}

/* A capsule of Python's, as far as a destructor sees it. */
typedef struct
{
  const char *name;
  gpointer    pointer;
} Capsule;

static int
capsule_is_valid (gpointer    capsule,
                  const char *name)
{
  return g_strcmp0 (((Capsule *) capsule)->name, name) == 0;
}

static gpointer
capsule_get_pointer (gpointer    capsule,
                     const char *name)
{
  g_assert_true (capsule_is_valid (capsule, name));
  return ((Capsule *) capsule)->pointer;
}

static void
test_capsules (void)
{
  static const struct
  {
    const char    *name;
    C2gDlpackFlags flags;
    int            n_deleted;
  } cases[] = {
    { "dltensor", 0, 1 },
    { "dltensor_versioned", C2G_DLPACK_VERSIONED, 1 },
    { "used_dltensor", 0, 0 },
    { "used_dltensor_versioned", C2G_DLPACK_VERSIONED, 0 },
  };
  guint64 address = c2g_dlpack_get_capsule_destructor (address_of (capsule_is_valid),
                                                       address_of (capsule_get_pointer));
  void (*destroy) (gpointer) = (void (*) (gpointer)) pointer_to (address);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Producer producer;
      Capsule capsule = { cases[i].name, NULL };

      init_producer (&producer);
      capsule.pointer = pointer_to (get_managed (&producer, cases[i].flags));
      destroy (&capsule);
      g_assert_cmpint (producer.n_deleted, ==, cases[i].n_deleted);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/dlpack/capsules", test_capsules);
  c2g_test_add_func ("/dlpack/import/shares", test_import);
  c2g_test_add_func ("/dlpack/import/read-only", test_import_read_only);
  c2g_test_add_func ("/dlpack/import/copy", test_import_copy);
  c2g_test_add_func ("/dlpack/import/strides", test_import_strides);
  c2g_test_add_func ("/dlpack/import/gaps-of-sizes", test_import_gaps_of_sizes);
  c2g_test_add_func ("/dlpack/import/without", test_import_without);
  c2g_test_add_func ("/dlpack/import/unaligned", test_import_unaligned);
  c2g_test_add_func ("/dlpack/import/versions", test_import_versions);
  c2g_test_add_func ("/dlpack/import/no-memory", test_import_no_memory);
  c2g_test_add_func ("/dlpack/import/flags", test_import_flags);
  c2g_test_add_func ("/dlpack/import/threads", test_threads);
  for (gsize i = 0; i < G_N_ELEMENTS (hostile); i++)
    {
      g_autofree char *path = g_strdup_printf ("/dlpack/import/hostile/%s", hostile[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_import_hostile);
    }

  return c2g_test_run ();
}
