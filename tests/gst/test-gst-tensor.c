/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-utils.h"

#include <string.h>

#define UINT8 C2G_DATA_TYPE_UINT8
#define FLOAT C2G_DATA_TYPE_FLOAT

/* Rule 1 of tensors over buffers: nothing is copied, and the buffer is held. */
static void
test_from_buffer (void)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = new_bytes (24);
  gconstpointer address = address_in (buffer);
  C2gTensor *tensor = c2g_gst_tensor_new_from_buffer (buffer, UINT8, C2G_TEST_DIMS (4, 6), &error);

  g_assert_no_error (error);
  g_assert_true (address_of (tensor) == address);
  g_assert_true (c2g_tensor_is_sealed (tensor));
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 2);
  gst_buffer_unref (buffer);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 23, &error), ==, 23);

  /* A write moves the tensor to a copy and releases the buffer. */
  g_assert_true (c2g_tensor_set_value (tensor, 0, 50, &error));
  g_assert_true (address_of (tensor) != address);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 23, &error), ==, 23);
  g_assert_finalize_object (tensor);
}

static void
test_from_buffer_errors (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) buffer = new_bytes (8);

  g_assert_null (c2g_gst_tensor_new_from_buffer (buffer, FLOAT, C2G_TEST_DIMS (3), &error));
  assert_fails (&error, C2G_ERROR_RANGE);
  g_assert_null (c2g_gst_tensor_new_from_buffer (buffer, FLOAT, C2G_TEST_DIMS (-1), &error));
  assert_fails (&error, C2G_ERROR_SHAPE);
  g_assert_null (c2g_gst_tensor_new_from_buffer (buffer, C2G_DATA_TYPE_STRING, C2G_TEST_DIMS (1),
                                                 &error));
  assert_fails (&error, C2G_ERROR_TYPE);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
}

/* Rule 1: what somebody is writing at the moment is no memory to rely on. */
static void
test_from_buffer_written (void)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = new_bytes (8);
  C2gTensor *tensor;
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  tensor = c2g_gst_tensor_new_from_buffer (buffer, UINT8, C2G_TEST_DIMS (8), &error);
  g_assert_no_error (error);
  map.data[7] = 50;
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 7, &error), ==, 7);
  gst_buffer_unmap (buffer, &map);
  g_assert_finalize_object (tensor);
  gst_buffer_unref (buffer);
}

/* Several memories, and bytes that are not aligned to the elements, are copied. */
static void
test_from_buffer_copies (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) parts = new_bytes (4);
  g_autoptr (GstBuffer) odd = new_bytes (12);
  g_autoptr (GstBuffer) empty = gst_buffer_new ();
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) aligned = NULL;
  g_autoptr (C2gTensor) none = NULL;

  parts = gst_buffer_append (g_steal_pointer (&parts), new_bytes (4));
  g_assert_cmpuint (gst_buffer_n_memory (parts), ==, 2);
  tensor = c2g_gst_tensor_new_from_buffer (parts, UINT8, C2G_TEST_DIMS (8), &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 5, &error), ==, 1);

  gst_buffer_resize (odd, 1, 8);
  aligned = c2g_gst_tensor_new_from_buffer (odd, C2G_DATA_TYPE_INT64, C2G_TEST_DIMS (1), &error);
  g_assert_cmpint (c2g_tensor_get_int64 (aligned, 0, &error) & 0xff, ==, 1);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (odd), ==, 1);

  none = c2g_gst_tensor_new_from_buffer (empty, FLOAT, C2G_TEST_DIMS (0, 3), &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_n_elements (none), ==, 0);
}

/* Memory that a tensor has cannot be written, in a buffer or out of one; a buffer gives writers a copy. */
static void
test_from_memory_written (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstMemory *memory = gst_allocator_alloc (NULL, 8, NULL);
  C2gTensor *tensor = c2g_gst_tensor_new_from_memory (memory, UINT8, C2G_TEST_DIMS (8), &error);
  GstMapInfo map;

  g_assert_no_error (error);
  g_assert_cmpuint (GST_MINI_OBJECT_REFCOUNT_VALUE (memory), ==, 2);
  g_assert_false (gst_memory_map (memory, &map, GST_MAP_WRITE));
  gst_buffer_append_memory (buffer, gst_memory_ref (memory));
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  g_assert_true (map.data != address_of (tensor));
  gst_buffer_unmap (buffer, &map);

  g_assert_finalize_object (tensor);
  g_assert_cmpuint (GST_MINI_OBJECT_REFCOUNT_VALUE (memory), ==, 1);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  gst_memory_unmap (memory, &map);
  gst_memory_unref (memory);
}

static void
free_pool (GstBufferPool *pool)
{
  g_assert_true (gst_buffer_pool_set_active (pool, FALSE));
  gst_object_unref (pool);
}

/* Rule 1: a pool gives memory that a tensor has to nobody else, whether the tensor was made of the
 * buffer or of its memory. */
static void
test_pool (void)
{
  for (int from_memory = 0; from_memory < 2; from_memory++)
    {
      g_autoptr (GError) error = NULL;
      GstBufferPool *pool = new_pool (16, 3);
      GstBuffer *first = acquire (pool, 1);
      C2gTensor *tensor =
        from_memory ? c2g_gst_tensor_new_from_memory (gst_buffer_peek_memory (first, 0), UINT8,
                                                      C2G_TEST_DIMS (16), &error)
                    : c2g_gst_tensor_new_from_buffer (first, UINT8, C2G_TEST_DIMS (16), &error);

      g_assert_no_error (error);
      gst_buffer_unref (first);
      for (int i = 0; i < 4; i++)
        {
          GstBuffer *next = acquire (pool, 2);

          g_assert_true (address_in (next) != address_of (tensor));
          gst_buffer_unref (next);
        }
      g_assert_cmpfloat (c2g_tensor_get_value (tensor, 15, &error), ==, 1);
      g_assert_finalize_object (tensor);

      free_pool (pool);
    }
}

static C2gTensor *
lay_over_buffer (GstBuffer *buffer)
{
  return c2g_gst_tensor_new_from_buffer (buffer, UINT8, C2G_TEST_DIMS (16), NULL);
}

/* Elements of GStreamer keep a buffer from its pool so, and newer versions do with every copy. */
static C2gTensor *
lay_over_copy (GstBuffer *buffer)
{
  g_autoptr (GstBuffer) copy = gst_buffer_copy (buffer);

  gst_buffer_add_parent_buffer_meta (copy, buffer);
  return lay_over_buffer (copy);
}

static C2gTensor *
lay_over_frame (GstBuffer *buffer)
{
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 4, 4);
  return c2g_gst_tensor_new_from_video_frame (buffer, &info, NULL);
}

static C2gTensor *
lay_over_samples (GstBuffer *buffer)
{
  GstAudioInfo info;

  gst_audio_info_set_format (&info, GST_AUDIO_FORMAT_U8, 8000, 2, NULL);
  return c2g_gst_tensor_new_from_audio_buffer (buffer, &info, NULL);
}

static C2gTensor *(*const layers[]) (GstBuffer *) = { lay_over_buffer, lay_over_copy, lay_over_frame,
                                                      lay_over_samples };

/* How many of the first ten buffers of a pool lie under tensors that are all held. */
static guint
hold_ten (GstBufferPool *pool,
          C2gTensor   *(*lay_over) (GstBuffer *))
{
  C2gTensor *tensors[10];
  guint n_held = 0;

  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_autoptr (GstBuffer) buffer = acquire (pool, i);

      tensors[i] = lay_over (buffer);
      n_held += address_of (tensors[i]) == address_in (buffer);
    }
  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_assert_cmpfloat (c2g_tensor_get_value (tensors[i], 15, NULL), ==, i);
      g_assert_finalize_object (tensors[i]);
    }

  return n_held;
}

/* Rule 1: tensors hold as many buffers of a bounded pool as it can spare, and copy the others. What they
 * have let go, they may hold again. */
static void
test_pool_bounded (void)
{
  const struct
  {
    guint max;
    guint n_held;
  } cases[] = { { 1, 0 }, { 2, 0 }, { 3, 1 }, { 5, 2 }, { 9, 2 }, { 0, 10 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (layers); j++)
      {
        GstBufferPool *pool = new_pool (16, cases[i].max);

        for (int round = 0; round < 3; round++)
          g_assert_cmpuint (hold_ten (pool, layers[j]), ==, cases[i].n_held);
        free_pool (pool);
      }
}

/* Rule 2: memory of tensors is sealed before elements have it. */
static void
test_to_buffer (void)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = new_floats (6);
  gconstpointer address = address_of (tensor);
  GstBuffer *buffer = c2g_gst_buffer_new_from_tensor (tensor, &error);
  g_autoptr (C2gTensor) back = NULL;
  GstMapInfo map;

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_is_sealed (tensor));
  g_assert_true (address_in (buffer) == address);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 24);
  g_assert_finalize_object (tensor);

  /* An element that writes gets a copy. */
  back = c2g_gst_tensor_new_from_buffer (buffer, FLOAT, C2G_TEST_DIMS (2, 3), &error);
  g_assert_true (address_of (back) == address);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  g_assert_true (map.data != address);
  memset (map.data, 0, map.size);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  g_assert_cmpfloat (c2g_tensor_get_value (back, 5, &error), ==, 5);
  g_assert_no_error (error);
}

static void
test_to_buffer_slice (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gTensor) slice = NULL;
  g_autoptr (C2gTensor) back = NULL;
  g_autoptr (GstBuffer) buffer = NULL;

  g_assert_true (c2g_tensor_seal (tensor, &error));
  slice = c2g_tensor_slice (tensor, 2, 4, &error);
  buffer = c2g_gst_buffer_new_from_tensor (slice, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 8);
  g_assert_true (address_in (buffer) == address_of (slice));

  back = c2g_gst_tensor_new_from_buffer (buffer, FLOAT, C2G_TEST_DIMS (2), &error);
  g_assert_cmpfloat (c2g_tensor_get_value (back, 1, &error), ==, 3);
  g_assert_true (c2g_tensor_get_storage (back) == c2g_tensor_get_storage (tensor));

  /* The memory ends where the slice ends, though the storage goes on. */
  g_assert_null (c2g_gst_tensor_new_from_buffer (buffer, FLOAT, C2G_TEST_DIMS (3), &error));
  assert_fails (&error, C2G_ERROR_RANGE);
}

/* Others may write to memory that came from outside, so that the buffer gets a copy. */
static void
test_to_buffer_foreign (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (2), NULL, &error);
  g_autoptr (C2gTensor) slice = NULL;
  g_autoptr (C2gTensor) back = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  float memory[] = { 1, 2 };

  g_assert_true (c2g_tensor_share_external (tensor, FLOAT, memory, sizeof memory, NULL, NULL, &error));
  slice = c2g_tensor_slice (tensor, 1, 2, &error);
  g_clear_object (&tensor);
  buffer = c2g_gst_buffer_new_from_tensor (slice, &error);
  g_assert_no_error (error);
  memory[1] = 3;
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 4);
  back = c2g_gst_tensor_new_from_buffer (buffer, FLOAT, C2G_TEST_DIMS (1), &error);
  g_assert_cmpfloat (c2g_tensor_get_value (back, 0, &error), ==, 2);
  g_assert_true (address_in (buffer) == address_of (slice));
}

/* Rule 2: nobody who shares memory finds it read-only all of a sudden. */
static void
test_to_buffer_errors (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (4);
  g_autoptr (C2gTensor) sharer = new_floats (4);
  g_autoptr (C2gTensor) none = c2g_tensor_new ();
  g_autoptr (C2gTensor) texts = c2g_tensor_new_sized (C2G_TEST_DIMS (2), NULL, &error);
  g_autoptr (GstBuffer) empty = NULL;
  g_autoptr (C2gTensor) nothing = new_floats (0);
  C2gMapping *mapping;

  g_assert_null (c2g_gst_buffer_new_from_tensor (none, &error));
  assert_fails (&error, C2G_ERROR_SHAPE);

  g_assert_true (c2g_tensor_allocate (texts, C2G_DATA_TYPE_STRING, &error));
  g_assert_true (c2g_tensor_seal (texts, &error));
  g_assert_null (c2g_gst_buffer_new_from_tensor (texts, &error));
  assert_fails (&error, C2G_ERROR_TYPE);

  g_assert_true (c2g_tensor_share_data (sharer, tensor, &error));
  g_assert_null (c2g_gst_buffer_new_from_tensor (tensor, &error));
  assert_fails (&error, C2G_ERROR_BUSY);
  c2g_tensor_free_memory (sharer);

  mapping = c2g_tensor_map (tensor, C2G_MAP_WRITE, &error);
  g_assert_null (c2g_gst_buffer_new_from_tensor (tensor, &error));
  assert_fails (&error, C2G_ERROR_BUSY);
  g_assert_false (c2g_tensor_is_sealed (tensor));
  c2g_mapping_unref (mapping);

  empty = c2g_gst_buffer_new_from_tensor (nothing, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (gst_buffer_get_size (empty), ==, 0);
}

/* Rule 1: what is written into a buffer is there at the end, without a copy. */
static void
test_write (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  GstBuffer *buffer = new_bytes (24);
  gconstpointer address = address_in (buffer);

  tensor = c2g_gst_tensor_begin_write (buffer, FLOAT, C2G_TEST_DIMS (2, 3), &error);
  g_assert_no_error (error);
  g_assert_true (address_of (tensor) == address);
  g_assert_false (gst_buffer_is_writable (buffer));
  g_assert_true (c2g_tensor_fill (tensor, 1.5, &error));
  g_assert_true (c2g_gst_tensor_end_write (tensor, &error));
  g_assert_no_error (error);

  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
  g_assert_true (address_in (buffer) == address);
  g_assert_cmpfloat (((const float *) address)[5], ==, 1.5);
  g_assert_false (c2g_tensor_set_value (tensor, 0, 1, &error));
  g_assert_cmpfloat (((const float *) address)[0], ==, 1.5);
  gst_buffer_unref (buffer);
}

/* A tensor that is freed ends writing, too. */
static void
test_write_forgotten (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) buffer = new_bytes (4);
  C2gTensor *tensor = c2g_gst_tensor_begin_write (buffer, UINT8, C2G_TEST_DIMS (4), &error);

  g_assert_true (c2g_tensor_set_value (tensor, 0, 9, &error));
  g_assert_finalize_object (tensor);
  g_assert_true (gst_buffer_is_writable (buffer));
  g_assert_cmpint (*(const guint8 *) address_in (buffer), ==, 9);
}

static void
test_write_errors (void)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = new_bytes (16);

  gst_buffer_ref (buffer);
  g_assert_null (c2g_gst_tensor_begin_write (buffer, UINT8, C2G_TEST_DIMS (4), &error));
  assert_fails (&error, C2G_ERROR_READ_ONLY);
  gst_buffer_unref (buffer);
  g_assert_null (c2g_gst_tensor_begin_write (buffer, UINT8, C2G_TEST_DIMS (17), &error));
  assert_fails (&error, C2G_ERROR_RANGE);
  gst_buffer_resize (buffer, 1, 8);
  g_assert_null (c2g_gst_tensor_begin_write (buffer, FLOAT, C2G_TEST_DIMS (1), &error));
  assert_fails (&error, C2G_ERROR_NOT_SUPPORTED);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
  gst_buffer_unref (buffer);
}

/* Rule 1: memory that somebody still has cannot be pushed. */
static void
test_write_held (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) buffer = new_bytes (16);
  g_autoptr (C2gTensor) sharer = c2g_tensor_new ();
  g_autoptr (C2gTensor) tensor = c2g_gst_tensor_begin_write (buffer, UINT8, C2G_TEST_DIMS (16), &error);
  g_autoptr (C2gTensor) again = NULL;
  C2gMapping *mapping;

  g_assert_true (c2g_tensor_resize (sharer, C2G_TEST_DIMS (16), &error));
  g_assert_true (c2g_tensor_share_data (sharer, tensor, &error));
  g_assert_false (c2g_gst_tensor_end_write (tensor, &error));
  assert_fails (&error, C2G_ERROR_BUSY);
  c2g_tensor_free_memory (sharer);
  g_assert_true (gst_buffer_is_writable (buffer));

  again = c2g_gst_tensor_begin_write (buffer, UINT8, C2G_TEST_DIMS (16), &error);
  mapping = c2g_tensor_map (again, C2G_MAP_READ, &error);
  g_assert_false (c2g_gst_tensor_end_write (again, &error));
  assert_fails (&error, C2G_ERROR_BUSY);
  c2g_mapping_unref (mapping);
  g_assert_true (gst_buffer_is_writable (buffer));
}

/* A tensor that grows goes elsewhere. */
static void
test_write_moved (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) buffer = new_bytes (16);
  g_autoptr (C2gTensor) tensor = c2g_gst_tensor_begin_write (buffer, UINT8, C2G_TEST_DIMS (16), &error);

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (64), &error));
  g_assert_nonnull (c2g_tensor_mutable_data (tensor, UINT8, &error));
  g_assert_true (gst_buffer_is_writable (buffer));
  g_assert_false (c2g_gst_tensor_end_write (tensor, &error));
  assert_fails (&error, C2G_ERROR_FAILED);
}

/* Rule 1: another branch of a tee, and the sealed tensor that memory is of, keep what they have. */
static void
test_write_shared (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) sealed = new_floats (4);
  GstBuffer *first = c2g_gst_buffer_new_from_tensor (sealed, &error);
  GstBuffer *second = gst_buffer_copy (first);
  g_autoptr (C2gTensor) tensor = c2g_gst_tensor_begin_write (second, FLOAT, C2G_TEST_DIMS (4), &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 3, &error), ==, 3);
  g_assert_true (c2g_tensor_fill (tensor, 7, &error));
  g_assert_true (c2g_gst_tensor_end_write (tensor, &error));
  g_assert_cmpfloat (((const float *) address_in (first))[3], ==, 3);
  g_assert_cmpfloat (((const float *) address_in (second))[3], ==, 7);
  g_assert_cmpfloat (c2g_tensor_get_value (sealed, 3, &error), ==, 3);
  gst_buffer_unref (first);
  gst_buffer_unref (second);
}

int
main (int   argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/tensor/from-buffer", test_from_buffer);
  add_gst_func ("/gst/tensor/from-buffer-errors", test_from_buffer_errors);
  add_gst_func ("/gst/tensor/from-buffer-written", test_from_buffer_written);
  add_gst_func ("/gst/tensor/from-memory-written", test_from_memory_written);
  add_gst_func ("/gst/tensor/from-buffer-copies", test_from_buffer_copies);
  add_gst_func ("/gst/tensor/pool", test_pool);
  add_gst_func ("/gst/tensor/pool-bounded", test_pool_bounded);
  add_gst_func ("/gst/tensor/to-buffer", test_to_buffer);
  add_gst_func ("/gst/tensor/to-buffer-slice", test_to_buffer_slice);
  add_gst_func ("/gst/tensor/to-buffer-foreign", test_to_buffer_foreign);
  add_gst_func ("/gst/tensor/to-buffer-errors", test_to_buffer_errors);
  add_gst_func ("/gst/tensor/write", test_write);
  add_gst_func ("/gst/tensor/write-forgotten", test_write_forgotten);
  add_gst_func ("/gst/tensor/write-errors", test_write_errors);
  add_gst_func ("/gst/tensor/write-held", test_write_held);
  add_gst_func ("/gst/tensor/write-moved", test_write_moved);
  add_gst_func ("/gst/tensor/write-shared", test_write_shared);

  return run_gst_tests ();
}
