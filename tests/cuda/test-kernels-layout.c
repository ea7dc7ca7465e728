/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/kernels-utils.h"
#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <math.h>
#include <string.h>

/* Kernels that move elements without changing them */

#define MAX_DIMS 12

static guint8 *
new_bytes (gsize n)
{
  guint8 *bytes = g_malloc (n + 1);

  for (gsize i = 0; i < n; i++)
    bytes[i] = (guint8) kernels_random (0, 256);
  return bytes;
}

static void
upload (KernelsBuffer *buffer,
        gconstpointer  bytes,
        gsize          n_bytes,
        gsize          shift)
{
  kernels_buffer_init (buffer, n_bytes, shift);
  if (n_bytes > 0)
    kernels_assert_success (cudaMemcpy (buffer->data, bytes, n_bytes, cudaMemcpyHostToDevice));
}

/* Returns the offset of the n-th element of an array of these dims. */
static gint64
find_offset (const gint64 *dims,
             const gint64 *strides,
             gsize         n_dims,
             gint64        number)
{
  gint64 offset = 0;

  for (gsize i = n_dims; i-- > 0; number /= dims[i])
    offset += number % dims[i] * strides[i];
  return offset;
}

static gint64
count (const gint64 *dims,
       gsize         n_dims)
{
  gint64 n = 1;

  for (gsize i = 0; i < n_dims; i++)
    n *= dims[i];
  return n;
}

static void
check_transpose (gsize         item_size,
                 const gint64 *dims,
                 const int    *axes,
                 gsize         n_dims,
                 gsize         shift)
{
  gsize n_bytes = count (dims, n_dims) * item_size;
  g_autofree guint8 *bytes = new_bytes (n_bytes);
  g_autofree guint8 *result = g_malloc (n_bytes + 1);
  gint64 steps[MAX_DIMS], sizes[MAX_DIMS], strides[MAX_DIMS], step = 1;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  for (gsize i = n_dims; i-- > 0; step *= dims[i])
    steps[i] = step;
  for (gsize i = 0; i < n_dims; i++)
    {
      sizes[i] = dims[axes[i]];
      strides[i] = steps[axes[i]];
    }
  upload (&source, bytes, n_bytes, shift * item_size);
  kernels_buffer_init (&target, n_bytes, shift * item_size);
  kernels_assert_success (KERNELS_RUN (transpose, NULL, .item_size = item_size, .dims = dims,
                                       .n_dims = n_dims, .order = axes, .x = source.data,
                                       .y = target.data));
  kernels_buffer_read (&target, result);
  for (gint64 i = 0; i < (gint64) (n_bytes / item_size); i++)
    g_assert_cmpmem (result + i * item_size, item_size,
                     bytes + find_offset (sizes, strides, n_dims, i) * item_size, item_size);
}

static void
check_transpose_sizes (const gint64 *dims,
                       const int    *axes,
                       gsize         n_dims)
{
  for (gsize item_size = 1; item_size <= 16; item_size *= 2)
    for (gsize shift = 0; shift < 2; shift++)
      check_transpose (item_size, dims, axes, n_dims, shift);
}

static void
test_transpose (void)
{
  static const struct
  {
    gsize n_dims;
    gint64 dims[MAX_DIMS];
    int axes[MAX_DIMS];
  } cases[] = {
    { 0, { 0 }, { 0 } },
    { 1, { 17 }, { 0 } },
    { 2, { 5, 7 }, { 1, 0 } },
    { 2, { 33, 65 }, { 1, 0 } },
    { 2, { 100, 3 }, { 1, 0 } },
    { 2, { 300, 290 }, { 1, 0 } },
    { 2, { 0, 3 }, { 1, 0 } },
    { 3, { 2, 40, 50 }, { 0, 2, 1 } },
    { 3, { 40, 2, 50 }, { 2, 1, 0 } },
    { 3, { 4, 5, 64 }, { 1, 0, 2 } },
    { 3, { 4, 5, 6 }, { 0, 1, 2 } },
    { 4, { 2, 3, 20, 20 }, { 0, 2, 3, 1 } },
    { 4, { 2, 20, 20, 3 }, { 0, 3, 1, 2 } },
    { 4, { 13, 3, 14, 15 }, { 3, 1, 0, 2 } },
    { 6, { 2, 3, 2, 4, 3, 5 }, { 5, 3, 1, 4, 2, 0 } },
    { 8, { 2, 2, 2, 2, 2, 2, 2, 2 }, { 7, 6, 5, 4, 3, 2, 1, 0 } },
    { 12, { 1, 2, 1, 3, 1, 4, 1, 5, 1, 2, 1, 2 }, { 11, 1, 10, 3, 9, 5, 8, 7, 6, 4, 2, 0 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    check_transpose_sizes (cases[i].dims, cases[i].axes, cases[i].n_dims);
}

/* Too many dimensions, and an unsupported item size. */
static void
test_transpose_unknown (void)
{
  const gint64 many[] = { 2, 2, 2, 2, 2, 2, 2, 2, 2 };
  const int back[] = { 8, 7, 6, 5, 4, 3, 2, 1, 0 };
  char byte = 0;

  g_assert_cmpint (KERNELS_RUN (transpose, NULL, .item_size = 4, .dims = many, .n_dims = 9,
                                .order = back, .x = &byte, .y = &byte),
                   ==, cudaErrorNotSupported);
  g_assert_cmpint (KERNELS_RUN (transpose, NULL, .item_size = 3, .dims = many, .n_dims = 1,
                                .order = back + 8, .x = &byte, .y = &byte),
                   ==, cudaErrorNotSupported);
}

/* Copies a part of an array into a part of another, as Slice, Split and Concat do. */
static void
check_part (gsize item_size,
            gsize width,
            gsize shift)
{
  const gint64 dims[] = { 3, 4, (gint64) width }, x_strides[] = { 200, 40, 1 };
  const gint64 y_strides[] = { 300, 72, 1 };
  gsize n_source = 3 * 200 * item_size, n_target = 3 * 300 * item_size;
  g_autofree guint8 *bytes = new_bytes (n_source);
  g_autofree guint8 *expected = new_bytes (n_target);
  g_autofree guint8 *result = g_malloc (n_target);
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  upload (&source, bytes, n_source, 0);
  upload (&target, expected, n_target, 0);
  for (gint64 i = 0; i < count (dims, 3); i++)
    memcpy (expected + (find_offset (dims, y_strides, 3, i) + shift) * item_size,
            bytes + (find_offset (dims, x_strides, 3, i) + shift) * item_size, item_size);
  kernels_assert_success (KERNELS_RUN (move, NULL, .item_size = item_size, .dims = dims,
                                       .n_dims = 3, .x = (char *) source.data + shift * item_size,
                                       .x_strides = x_strides,
                                       .y = (char *) target.data + shift * item_size,
                                       .y_strides = y_strides));
  kernels_buffer_read (&target, result);
  g_assert_cmpmem (result, n_target, expected, n_target);
}

static void
test_part (void)
{
  for (gsize item_size = 1; item_size <= 16; item_size *= 2)
    for (gsize shift = 0; shift < 5; shift += 2)
      {
        check_part (item_size, 1, shift);
        check_part (item_size, 7, shift);
        check_part (item_size, 32, shift);
      }
}

typedef struct
{
  gint64 n_outer;
  gint64 size;
  gint64 n_indices;
  gboolean has_own;
} Gather;

static gint64
draw_index (gint64   size,
            gboolean wraps)
{
  return (gint64) floor (kernels_random (wraps ? (double) -size : 0, (double) size));
}

static void
check_gather (const Gather *test,
              C2gDataType   type,
              gsize         n_block,
              gboolean      wraps,
              gsize         shift)
{
  gsize n_places = (test->has_own ? test->n_outer : 1) * test->n_indices;
  gsize n_source = test->n_outer * test->size * n_block;
  gsize n_target = test->n_outer * test->n_indices * n_block;
  gsize index_size = type == C2G_DATA_TYPE_INT32 ? 4 : 8;
  g_autofree guint8 *bytes = new_bytes (n_source);
  g_autofree guint8 *result = g_malloc (n_target + 1);
  g_autofree gint64 *indices = g_new (gint64, n_places + 1);
  g_autofree gint32 *narrow = g_new (gint32, n_places + 1);
  guint64 bad = G_MAXUINT64;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };
  g_auto (KernelsBuffer) index_buffer = { NULL };
  g_auto (KernelsBuffer) bad_buffer = { NULL };

  for (gsize i = 0; i < n_places; i++)
    {
      indices[i] = draw_index (test->size, wraps);
      narrow[i] = (gint32) indices[i];
    }
  upload (&source, bytes, n_source, shift);
  upload (&index_buffer, index_size == 4 ? (gpointer) narrow : indices, n_places * index_size, 0);
  upload (&bad_buffer, &bad, sizeof bad, 0);
  kernels_buffer_init (&target, n_target, shift);
  kernels_assert_success (KERNELS_RUN (gather, bad_buffer.data, .x = source.data,
                                       .n_outer = test->n_outer, .n = test->size,
                                       .item_size = n_block, .type = type,
                                       .indices = index_buffer.data, .n_indices = test->n_indices,
                                       .wraps = wraps, .has_own = test->has_own, .y = target.data));
  kernels_buffer_read (&target, result);
  kernels_buffer_read (&bad_buffer, &bad);
  g_assert_cmpuint (bad, ==, G_MAXUINT64);
  for (gint64 outer = 0; outer < test->n_outer; outer++)
    for (gint64 i = 0; i < test->n_indices; i++)
      {
        gint64 index = indices[(test->has_own ? outer * test->n_indices : 0) + i];

        index += index < 0 ? test->size : 0;
        g_assert_cmpmem (result + (outer * test->n_indices + i) * n_block, n_block,
                         bytes + (outer * test->size + index) * n_block, n_block);
      }
}

static void
test_gather (void)
{
  static const Gather tests[] = { { 1, 10, 0, FALSE }, { 1, 1, 1, FALSE }, { 1, 50, 33, FALSE }, { 3, 7, 11, FALSE }, { 3, 7, 11, TRUE } };
  static const gsize blocks[] = { 1, 2, 3, 4, 8, 12, 16, 48, 100, 1000 };

  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (blocks); k++)
      for (gsize shift = 0; shift < 2; shift++)
        {
          check_gather (&tests[i], C2G_DATA_TYPE_INT32, blocks[k], FALSE, shift);
          check_gather (&tests[i], C2G_DATA_TYPE_INT64, blocks[k], TRUE, shift);
        }
}

static void
test_gather_bad (void)
{
  const gint32 indices[] = { 1, 0, 2, -1, 3 };
  const guint32 items[] = { 10, 11, 12 };
  guint32 result[G_N_ELEMENTS (indices)];
  guint64 bad = G_MAXUINT64;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };
  g_auto (KernelsBuffer) index_buffer = { NULL };
  g_auto (KernelsBuffer) bad_buffer = { NULL };

  upload (&source, items, sizeof items, 0);
  upload (&index_buffer, indices, sizeof indices, 0);
  upload (&bad_buffer, &bad, sizeof bad, 0);
  kernels_buffer_init (&target, sizeof result, 0);
  kernels_assert_success (KERNELS_RUN (gather, bad_buffer.data, .x = source.data, .n_outer = 1,
                                       .n = 3, .item_size = 4, .type = C2G_DATA_TYPE_INT32,
                                       .indices = index_buffer.data, .n_indices = 5,
                                       .y = target.data));
  kernels_buffer_read (&target, result);
  kernels_buffer_read (&bad_buffer, &bad);
  g_assert_cmpuint (bad, ==, 3);
  g_assert_cmpuint (result[2], ==, 12);
  g_assert_cmpuint (result[3], ==, 0);
  g_assert_cmpuint (result[4], ==, 0);
}

/* Blocks whose index is out of range stay as they are. */
static void
test_gather_skips (void)
{
  const gint64 indices[] = { 1, -1, 2, G_MININT64, 3 };
  const guint32 items[] = { 10, 11, 12 }, expected[] = { 11, 1, 12, 3, 4 };
  guint32 result[] = { 0, 1, 2, 3, 4 };
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };
  g_auto (KernelsBuffer) index_buffer = { NULL };

  upload (&source, items, sizeof items, 0);
  upload (&index_buffer, indices, sizeof indices, 0);
  upload (&target, result, sizeof result, 0);
  kernels_assert_success (KERNELS_RUN (gather, NULL, .x = source.data, .n_outer = 1, .n = 3,
                                       .item_size = 4, .type = C2G_DATA_TYPE_INT64,
                                       .indices = index_buffer.data, .n_indices = 5,
                                       .y = target.data));
  kernels_buffer_read (&target, result);
  g_assert_cmpmem (result, sizeof result, expected, sizeof expected);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/cuda-kernels/transpose", test_transpose);
  c2g_test_add_func ("/cuda-kernels/transpose/unknown", test_transpose_unknown);
  c2g_test_add_func ("/cuda-kernels/move", test_part);
  c2g_test_add_func ("/cuda-kernels/gather", test_gather);
  c2g_test_add_func ("/cuda-kernels/gather/bad", test_gather_bad);
  c2g_test_add_func ("/cuda-kernels/gather/skips", test_gather_skips);

  return kernels_test_run ();
}
