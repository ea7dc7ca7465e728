/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

#include <c2g-gst/c2g-gst.h>
#include <sys/mman.h>
#include <unistd.h>

/* Waits until no more bytes are in use. After the first frame, a thread of GStreamer brings a pipeline to its next
 * state. It may drop the last reference after the test has dropped its own, and the last frame goes with the pipeline. */
static inline void
wait_for_ledger (guint64 n_bytes)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  const gint64 end_time = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (c2g_memory_reporter_get_current_bytes (reporter, NULL) != n_bytes && g_get_monotonic_time () < end_time)
    g_usleep (1000);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes);
}

/* c2g_test_run_func() for pipelines. */
static inline void
run_gst_func (gconstpointer data)
{
  GTestFunc func = (GTestFunc) (gsize) data;
  guint64 n_bytes = c2g_test_ledger_bytes ();

  func ();
  wait_for_ledger (n_bytes);
}

static inline void
add_gst_func (const char *path,
              GTestFunc   func)
{
  g_test_add_data_func (path, (gconstpointer) (gsize) func, run_gst_func);
}

/* A tensor of 0, 1, 2 … */
static inline C2gTensor *
new_floats (gint64 n)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (n), NULL, &error);
  float *data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error);

  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    data[i] = i;

  return tensor;
}

/* A buffer of the bytes 0, 1, 2 … */
static inline GstBuffer *
new_bytes (gsize n)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, n, NULL);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < n; i++)
    map.data[i] = i;
  gst_buffer_unmap (buffer, &map);

  return buffer;
}

static inline void
add_tensor (GstBuffer  *buffer,
            const char *name,
            C2gTensor  *tensor)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_gst_buffer_add_tensor (buffer, name, tensor, NULL, &error));
  g_assert_no_error (error);
}

/* Attaches 0, 1, 2 … */
static inline void
add_floats (GstBuffer  *buffer,
            const char *name,
            gint64      n)
{
  g_autoptr (C2gTensor) tensor = new_floats (n);

  add_tensor (buffer, name, tensor);
}

/* Attaches tensor-0 of no elements, tensor-1 of one … */
static inline void
add_many (GstBuffer *buffer,
          guint      n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("tensor-%u", i);

      add_floats (buffer, name, i);
    }
}

static inline void
assert_tensors (GstBuffer  *buffer,
                const char *expected)
{
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);
  g_autofree char *all = g_strjoinv (" ", names);

  g_assert_cmpstr (all, ==, expected);
}

/* A pool that makes at most max buffers, or any number if that is 0. */
static inline GstBufferPool *
new_pool (guint size,
          guint max)
{
  GstBufferPool *pool = gst_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, NULL, size, 1, max);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));

  return pool;
}

/* A buffer of a pool that has one left, with one value in all bytes. */
static inline GstBuffer *
acquire (GstBufferPool *pool,
         guint8         value)
{
  GstBufferPoolAcquireParams params = { .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT };
  GstBuffer *buffer = NULL;

  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, &params), ==, GST_FLOW_OK);
  gst_buffer_memset (buffer, 0, value, -1);

  return buffer;
}

typedef struct
{
  gpointer pages;
  gsize n;
} GuardedPages;

static inline void
unmap_pages (gpointer data)
{
  GuardedPages *self = data;

  munmap (self->pages, self->n);
  g_free (self);
}

/* A buffer of zeros, behind which nobody can read without a crash. If n_bytes is a multiple of the
 * size of a page, nobody can read before it either. */
static inline GstBuffer *
new_guarded (gsize n_bytes)
{
  const gsize page = sysconf (_SC_PAGESIZE);
  const gsize n = (n_bytes + page - 1) / page * page;
  GuardedPages *self = g_new (GuardedPages, 1);
  guint8 *data;

  self->n = n + 2 * page;
  self->pages = mmap (NULL, self->n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_assert_true (self->pages != MAP_FAILED);
  data = (guint8 *) self->pages + page;
  g_assert_true (n == 0 || mprotect (data, n, PROT_READ | PROT_WRITE) == 0);

  return gst_buffer_new_wrapped_full (0, data + n - n_bytes, n_bytes, 0, n_bytes, self, unmap_pages);
}

/* A frame in a guarded buffer, whose meta tells the truth of it, or less or more than that. */
static inline GstBuffer *
new_hostile_frame (const GstVideoInfo *info)
{
  gsize n_bytes = g_test_rand_int_range (0, 4) != 0 ? info->size
                                                    : (gsize) g_test_rand_int_range (1, info->size + 2);
  GstBuffer *buffer = new_guarded (n_bytes);
  const guint more = g_test_rand_int_range (0, 4) == 0 ? 100 : 0;
  gsize offset[GST_VIDEO_MAX_PLANES];
  int stride[GST_VIDEO_MAX_PLANES];

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++)
    {
      offset[i] = info->offset[i];
      stride[i] = info->stride[i];
      if (g_test_rand_int_range (0, 6) == 0)
        offset[i] += g_test_rand_int_range (-100, 100);
      if (g_test_rand_int_range (0, 6) == 0)
        stride[i] += g_test_rand_int_range (-20, 20);
      if (g_test_rand_int_range (0, 40) == 0)
        stride[i] = g_test_rand_int_range (G_MININT, G_MAXINT);
      if (g_test_rand_int_range (0, 40) == 0)
        offset[i] = g_test_rand_int ();
    }
  gst_buffer_add_video_meta_full (buffer, g_test_rand_int_range (0, 2) * GST_VIDEO_FRAME_FLAG_INTERLACED,
                                  GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info) + more,
                                  GST_VIDEO_INFO_HEIGHT (info) + more, GST_VIDEO_INFO_N_PLANES (info), offset,
                                  stride);

  return buffer;
}

static inline gconstpointer
address_of (C2gTensor *tensor)
{
  return (gconstpointer) (gsize) c2g_tensor_get_address (tensor);
}

/* The address of the first byte of a buffer. */
static inline gconstpointer
address_in (GstBuffer *buffer)
{
  gconstpointer address;
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  address = map.data;
  gst_buffer_unmap (buffer, &map);

  return address;
}

/* Runs the tests of a program, at whose end neither c2g nor GStreamer has anything left: the tracer
 * of leaks, which the environment asks for, warns of what it has. */
static inline int
run_gst_tests (void)
{
  int status = c2g_test_run ();

  gst_deinit ();

  return status;
}

static inline void
assert_fails (GError    **error,
              C2gError    code)
{
  g_assert_error (*error, C2G_ERROR, (int) code);
  g_clear_error (error);
}
