/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/kernels-utils.h"
#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/ops/support/c2g-columns-private.h>

#include <math.h>
#include <string.h>

/* Kernels for LRN, pooling, im2col and matrix products */

static const C2gDataType real_types[] = { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT16,
                                          C2G_DATA_TYPE_BFLOAT16 };

#define ORDER(is_last) ((is_last) ? "NHWC" : "NCHW")

/* Makes two images. */
static C2gTensor *
new_images (C2gDataType type,
            gint64      n_channels,
            gint64      height,
            gint64      width,
            gboolean    is_last)
{
  const gint64 dims[] = { 2, is_last ? height : n_channels, is_last ? width : height,
                          is_last ? n_channels : width };

  return kernels_new_random (type, dims, 4, 2);
}

static C2gComputePictures
describe_pictures (C2gTensor *x,
                   C2gTensor *y,
                   gboolean   is_last)
{
  gsize axis = is_last ? 1 : 2;

  return (C2gComputePictures){
    .n_pictures = is_last ? x->dims[0] : x->dims[0] * x->dims[1],
    .height = x->dims[axis],
    .width = x->dims[axis + 1],
    .n_channels = is_last ? x->dims[3] : 1,
    .target_height = y->dims[axis],
    .target_width = y->dims[axis + 1],
  };
}

static void
check_pad (const char *mode,
           C2gComputePad  kind,
           const int  *pads,
           gboolean    is_last)
{
  g_autofree char *text = g_strdup_printf (
      "type: 'PadImage' arg { name: 'mode' s: '%s' } arg { name: 'value' f: 1.5 } "
      "arg { name: 'order' s: '%s' } arg { name: 'pads' ints: %d ints: %d ints: %d ints: %d }",
      mode, ORDER (is_last), pads[0], pads[1], pads[2], pads[3]);
  g_autoptr (C2gTensor) x = new_images (C2G_DATA_TYPE_FLOAT, 3, 7, 9, is_last);
  g_autoptr (C2gTensor) expected = kernels_run_operator (text, &x, 1);
  const C2gComputePictures pictures = describe_pictures (x, expected, is_last);
  const float value = 1.5f;
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  kernels_buffer_upload (&source, x, 4);
  kernels_buffer_init (&target, c2g_tensor_byte_size (expected), 4);
  kernels_assert_success (KERNELS_RUN (pad, NULL, .item_size = sizeof (float), .x = source.data,
                                       .pictures = &pictures, .top = pads[0], .left = pads[1],
                                       .pad = kind, .item = &value, .y = target.data));
  result = kernels_buffer_fetch (&target, C2G_DATA_TYPE_FLOAT, expected->dims, 4);
  kernels_assert_alike (result, expected, 0);
}

static void
test_pad (void)
{
  static const int pads[][4] = { { 0, 0, 0, 0 }, { 1, 2, 3, 4 }, { 6, 6, 6, 6 }, { -1, 2, -3, -1 } };

  for (int is_last = 0; is_last < 2; is_last++)
    for (gsize i = 0; i < G_N_ELEMENTS (pads); i++)
      {
        check_pad ("constant", C2G_COMPUTE_PAD_CONSTANT, pads[i], is_last);
        check_pad ("reflect", C2G_COMPUTE_PAD_REFLECT, pads[i], is_last);
        check_pad ("edge", C2G_COMPUTE_PAD_EDGE, pads[i], is_last);
      }
}

static void
check_resize (float    height_scale,
              float    width_scale,
              gboolean is_last)
{
  g_autofree char *text = g_strdup_printf (
      "type: 'ResizeNearest' arg { name: 'height_scale' f: %g } arg { name: 'width_scale' f: %g } "
      "arg { name: 'order' s: '%s' }",
      height_scale, width_scale, ORDER (is_last));
  g_autoptr (C2gTensor) x = new_images (C2G_DATA_TYPE_FLOAT, 3, 7, 10, is_last);
  g_autoptr (C2gTensor) expected = kernels_run_operator (text, &x, 1);
  const C2gComputePictures pictures = describe_pictures (x, expected, is_last);
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_init (&target, c2g_tensor_byte_size (expected), 0);
  kernels_assert_success (KERNELS_RUN (resize_nearest, NULL, .item_size = sizeof (float),
                                       .x = source.data, .pictures = &pictures, .a = height_scale,
                                       .b = width_scale, .y = target.data));
  result = kernels_buffer_fetch (&target, C2G_DATA_TYPE_FLOAT, expected->dims, 4);
  kernels_assert_alike (result, expected, 0);
}

static void
check_resize_linear (float height_scale,
                     float width_scale)
{
  g_autofree char *text = g_strdup_printf (
      "type: 'UpsampleBilinear' arg { name: 'height_scale' f: %g } arg { name: 'width_scale' f: %g }",
      height_scale, width_scale);
  g_autoptr (C2gTensor) x = new_images (C2G_DATA_TYPE_FLOAT, 3, 7, 10, FALSE);
  g_autoptr (C2gTensor) expected = kernels_run_operator (text, &x, 1);
  const C2gComputePictures pictures = describe_pictures (x, expected, FALSE);
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_init (&target, c2g_tensor_byte_size (expected), 0);
  kernels_assert_success (KERNELS_RUN (resize_linear, NULL, .x = source.data, .pictures = &pictures,
                                       .y = target.data));
  result = kernels_buffer_fetch (&target, C2G_DATA_TYPE_FLOAT, expected->dims, 4);
  kernels_assert_alike (result, expected, 1e-6);
}

static void
test_resize (void)
{
  check_resize_linear (1, 1);
  check_resize_linear (2, 3);
  check_resize_linear (1.7f, 0.6f);
  check_resize_linear (0.2f, 0.1f);

  for (int is_last = 0; is_last < 2; is_last++)
    {
      check_resize (1, 1, is_last);
      check_resize (2, 3, is_last);
      check_resize (1.7f, 0.6f, is_last);
      check_resize (0.3f, 2.9f, is_last);
    }
}

/* LRN */

static void
check_lrn (C2gDataType type,
           int         size,
           float       beta,
           gboolean    is_last)
{
  g_autofree char *text = g_strdup_printf (
      "type: 'LRN' arg { name: 'size' i: %d } arg { name: 'alpha' f: 0.5 } "
      "arg { name: 'beta' f: %g } arg { name: 'bias' f: 2 } arg { name: 'order' s: '%s' }",
      size, beta, ORDER (is_last));
  g_autoptr (C2gTensor) x = new_images (type, 6, 3, 5, is_last);
  g_autoptr (C2gTensor) expected = kernels_run_operator (text, &x, 1);
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };
  g_auto (KernelsBuffer) scales = { NULL };

  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_init (&target, source.n_bytes, 0);
  kernels_buffer_init (&scales, x->n_elements * sizeof (float), 0);
  kernels_assert_success (KERNELS_RUN (lrn, NULL, .type = type, .x = source.data,
                                       .n_outer = is_last ? 30 : 2, .n = 6,
                                       .n_inner = is_last ? 1 : 15, .size = size, .alpha = 0.5f,
                                       .beta = beta, .base = 2, .y = target.data,
                                       .scales = size % 2 != 0 ? scales.data : NULL));
  result = kernels_buffer_fetch (&target, type, x->dims, 4);
  kernels_assert_alike (result, expected, 1e-5);
}

static void
test_lrn (void)
{
  static const float betas[] = { 0.75f, 0.5f, 0.3f };

  for (gsize k = 0; k < G_N_ELEMENTS (real_types); k++)
    for (gsize i = 0; i < G_N_ELEMENTS (betas); i++)
      for (int size = 1; size < 9; size++)
        {
          check_lrn (real_types[k], size, betas[i], FALSE);
          check_lrn (real_types[k], size, betas[i], TRUE);
        }
}

/* Pooling */

typedef struct
{
  gint64 height;
  gint64 width;
  int kernel;
  int stride;
  int pad;
} Pool;

static C2gComputeWindow
describe_window (const Pool *test,
                 C2gTensor  *y,
                 gint64      n_channels,
                 gboolean    is_last)
{
  gsize axis = is_last ? 1 : 2;

  return (C2gComputeWindow){
    .n_images = 2,
    .n_channels = n_channels,
    .channels_last = is_last,
    .in = { 1, test->height, test->width },
    .out = { 1, y->dims[axis], y->dims[axis + 1] },
    .kernel = { 1, test->kernel, test->kernel },
    .stride = { 1, test->stride, test->stride },
    .dilation = { 1, 1, 1 },
    .head = { 0, test->pad, test->pad },
  };
}

static void
check_pool (const Pool *test,
            C2gDataType type,
            gboolean    is_average,
            gboolean    counts_pads,
            gboolean    is_last)
{
  g_autofree char *text = g_strdup_printf (
      "type: '%s' arg { name: 'kernel' i: %d } arg { name: 'stride' i: %d } "
      "arg { name: 'pad' i: %d } arg { name: 'order' s: '%s' } "
      "arg { name: 'count_include_pad' i: %d }",
      is_average ? "AveragePool" : "MaxPool", test->kernel, test->stride, test->pad,
      ORDER (is_last), counts_pads);
  g_autoptr (C2gTensor) x = new_images (type, 5, test->height, test->width, is_last);
  g_autoptr (C2gTensor) expected = kernels_run_operator (text, &x, 1);
  C2gComputeWindow window = describe_window (test, expected, 5, is_last);
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  window.counts_pads = counts_pads;
  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_init (&target, expected->n_elements * x->meta->item_size, 0);
  kernels_assert_success (KERNELS_RUN (pool, NULL, .is_average = is_average, .type = type,
                                       .window = &window, .x = source.data, .y = target.data));
  result = kernels_buffer_fetch (&target, type, expected->dims, 4);
  kernels_assert_alike (result, expected, 1e-5);
}

static void
test_pool (void)
{
  static const Pool tests[] = { { 7, 9, 1, 1, 0 }, { 7, 9, 3, 1, 1 }, { 7, 9, 3, 2, 0 }, { 8, 8, 2, 2, 0 }, { 5, 6, 5, 1, 2 }, { 11, 12, 9, 2, 4 } };

  for (gsize k = 0; k < G_N_ELEMENTS (real_types); k++)
    for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
      for (int is_last = 0; is_last < 2; is_last++)
        {
          check_pool (&tests[i], real_types[k], FALSE, FALSE, is_last);
          check_pool (&tests[i], real_types[k], TRUE, FALSE, is_last);
          check_pool (&tests[i], real_types[k], TRUE, TRUE, is_last);
        }
}

/* A three-dimensional window that covers the whole image. */
static void
test_pool_global (void)
{
  const gint64 dims[] = { 2, 3, 4, 5, 6 };
  const C2gComputeWindow window = { 2, 3, FALSE, FALSE, { 4, 5, 6 }, { 1, 1, 1 }, { 4, 5, 6 }, { 1, 1, 1 }, { 1, 1, 1 }, { 0, 0, 0 } };
  g_autoptr (C2gTensor) x = kernels_new_random (C2G_DATA_TYPE_FLOAT, dims, 5, 1);
  g_autoptr (C2gTensor) expected = kernels_run_operator (
      "type: 'AveragePool3D' arg { name: 'global_pooling' i: 1 } "
      "arg { name: 'kernels' ints: 4 ints: 5 ints: 6 }",
      &x, 1);
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_init (&target, 6 * sizeof (float), 0);
  kernels_assert_success (KERNELS_RUN (pool, NULL, .is_average = TRUE, .type = C2G_DATA_TYPE_FLOAT,
                                       .window = &window, .x = source.data, .y = target.data));
  result = kernels_buffer_fetch (&target, C2G_DATA_TYPE_FLOAT, expected->dims, expected->n_dims);
  kernels_assert_alike (result, expected, 1e-6);
}

/* im2col */

static C2gWindowPlace
copy_window (const C2gComputeWindow *window)
{
  C2gWindowPlace place = { .n_dims = 3, .n_images = 1, .n_in = 1, .n_out = 1, .n_kernel = 1 };

  place.channels_last = window->channels_last;
  place.n_channels = window->n_channels;
  for (int i = 0; i < 3; i++)
    {
      place.in[i] = window->in[i];
      place.out[i] = window->out[i];
      place.kernel[i] = window->kernel[i];
      place.stride[i] = window->stride[i];
      place.dilation[i] = window->dilation[i];
      place.head[i] = window->head[i];
      place.n_in *= window->in[i];
      place.n_out *= window->out[i];
      place.n_kernel *= window->kernel[i];
    }
  return place;
}

static void
check_columns (const C2gComputeWindow *window,
               gint64               n_groups,
               C2gDataType          type)
{
  const C2gWindowPlace place = copy_window (window);
  const gint64 n_image = place.n_in * place.n_channels;
  const gint64 n_columns = place.n_out * place.n_kernel * place.n_channels;
  const gint64 n_all = window->n_images * n_image, n = window->n_images * n_columns;
  g_autoptr (C2gTensor) images = kernels_new_random (type, &n_all, 1, 1);
  g_autoptr (C2gTensor) floats = kernels_cast (images, C2G_DATA_TYPE_FLOAT);
  g_autoptr (C2gTensor) expected = kernels_new_tensor (C2G_DATA_TYPE_FLOAT, &n, 1);
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  for (gint64 i = 0; i < window->n_images; i++)
    {
      const C2gColumns columns = { &place, (float *) kernels_data (floats) + i * n_image,
                                   place.n_channels, n_groups, 0, place.n_out,
                                   (float *) kernels_data (expected) + i * n_columns };

      c2g_columns_fill_alone (&columns);
    }
  kernels_buffer_upload (&source, images, 0);
  kernels_buffer_init (&target, n * images->meta->item_size, 0);
  kernels_assert_success (KERNELS_RUN (columns, NULL, .type = type, .window = window, .n = n_groups,
                                       .x = source.data, .y = target.data));
  result = kernels_buffer_fetch (&target, type, &n, 1);
  kernels_assert_alike (result, expected, 0);
}

static void
test_columns (void)
{
  C2gComputeWindow windows[] = {
    { 1, 4, FALSE, FALSE, { 1, 6, 7 }, { 1, 6, 7 }, { 1, 3, 3 }, { 1, 1, 1 }, { 1, 1, 1 }, { 0, 1, 1 } },
    { 3, 4, FALSE, FALSE, { 1, 9, 9 }, { 1, 4, 3 }, { 1, 3, 2 }, { 1, 2, 2 }, { 1, 1, 3 }, { 0, 0, 0 } },
    { 1, 2, FALSE, FALSE, { 3, 4, 5 }, { 2, 3, 4 }, { 2, 2, 2 }, { 1, 1, 1 }, { 1, 1, 1 }, { 0, 0, 0 } },
    { 2, 6, FALSE, FALSE, { 1, 1, 8 }, { 1, 1, 4 }, { 1, 1, 4 }, { 1, 1, 2 }, { 1, 1, 1 }, { 0, 0, 1 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (windows); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (real_types); k++)
      {
        windows[i].channels_last = FALSE;
        check_columns (&windows[i], 1, real_types[k]);
        windows[i].channels_last = TRUE;
        check_columns (&windows[i], 1, real_types[k]);
        check_columns (&windows[i], 2, real_types[k]);
      }
}

/* Matrix products */

typedef struct
{
  gsize n_rows;
  gsize n_columns;
  gsize depth;
} Product;

static void
check_gemm (const Product *test,
            gboolean       a_is_transposed,
            gboolean       b_is_transposed,
            float          beta)
{
  /* Two matrices of each operand, and gaps after rows. */
  const gsize a_stride = (a_is_transposed ? test->n_rows : test->depth) + 3;
  const gsize b_stride = (b_is_transposed ? test->depth : test->n_columns) + 1;
  const gsize c_stride = test->n_columns + 2;
  const gint64 n_a = a_stride * (a_is_transposed ? test->depth : test->n_rows);
  const gint64 n_b = b_stride * (b_is_transposed ? test->n_columns : test->depth);
  const gint64 n_c = c_stride * test->n_rows;
  g_autoptr (C2gTensor) a = kernels_new_random (C2G_DATA_TYPE_FLOAT, KERNELS_DIMS (2 * n_a), 1);
  g_autoptr (C2gTensor) b = kernels_new_random (C2G_DATA_TYPE_FLOAT, KERNELS_DIMS (2 * n_b), 1);
  g_autoptr (C2gTensor) c = kernels_new_random (C2G_DATA_TYPE_FLOAT, KERNELS_DIMS (2 * n_c), 1);
  const float *as = kernels_data (a), *bs = kernels_data (b);
  float *cs = kernels_data (c);
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) a_buffer = { NULL };
  g_auto (KernelsBuffer) b_buffer = { NULL };
  g_auto (KernelsBuffer) c_buffer = { NULL };
  C2gComputeGemm gemm;

  if (beta == 0 && n_c > 0)
    cs[0] = test->n_columns > 0 ? NAN : 0;
  kernels_buffer_upload (&a_buffer, a, 0);
  kernels_buffer_upload (&b_buffer, b, 0);
  kernels_buffer_upload (&c_buffer, c, 0);
  gemm = (C2gComputeGemm){
    .a_is_transposed = a_is_transposed,
    .b_is_transposed = b_is_transposed,
    .n_rows = test->n_rows,
    .n_columns = test->n_columns,
    .depth = test->depth,
    .alpha = 0.5f,
    .beta = beta,
    .a = a_buffer.data,
    .a_stride = a_stride,
    .a_matrix = n_a,
    .b = b_buffer.data,
    .b_stride = b_stride,
    .b_matrix = n_b,
    .c = c_buffer.data,
    .c_stride = c_stride,
    .c_matrix = n_c,
    .n_matrices = 2,
  };
  kernels_assert_success (KERNELS_RUN (gemm, NULL, .gemm = &gemm));
  result = kernels_buffer_fetch (&c_buffer, C2G_DATA_TYPE_FLOAT, c->dims, 1);

  for (gsize matrix = 0; matrix < 2; matrix++, as += n_a, bs += n_b, cs += n_c)
    for (gsize i = 0; i < test->n_rows; i++)
      for (gsize k = 0; k < test->n_columns; k++)
        {
          double sum = 0;

          for (gsize d = 0; d < test->depth; d++)
            sum += (double) as[a_is_transposed ? d * a_stride + i : i * a_stride + d] *
                   bs[b_is_transposed ? k * b_stride + d : d * b_stride + k];
          cs[i * c_stride + k] =
              (float) (0.5 * sum + (beta != 0 ? beta * cs[i * c_stride + k] : 0));
        }
  kernels_assert_alike (result, c, 1e-5);
}

static void
test_gemm (void)
{
  static const Product tests[] = { { 0, 3, 4 }, { 3, 4, 0 }, { 1, 1, 1 }, { 5, 7, 3 }, { 64, 64, 16 }, { 65, 70, 33 }, { 20, 130, 40 } };

  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    for (int way = 0; way < 4; way++)
      {
        check_gemm (&tests[i], way & 1, way & 2, 0);
        check_gemm (&tests[i], way & 1, way & 2, 1.5f);
      }
}

/* More columns than a grid has blocks in its second and third dimension, as in a convolution of
 * large images. */
static void
test_gemm_wide (void)
{
  const gsize n_columns = 65535 * 64 + 3;
  g_autofree float *values = g_new (float, n_columns);
  C2gComputeGemm gemm = {
    .n_rows = 1,
    .n_columns = n_columns,
    .alpha = 1,
    .b_stride = n_columns,
    .c_stride = n_columns,
    .c_matrix = n_columns,
    .n_matrices = 1,
  };
  g_auto (KernelsBuffer) buffer = { NULL };

  kernels_buffer_init (&buffer, n_columns * sizeof (float), 0);
  kernels_assert_success (cudaMemset (buffer.data, 0xff, buffer.n_bytes));
  gemm.c = buffer.data;
  kernels_assert_success (KERNELS_RUN (gemm, NULL, .gemm = &gemm));
  kernels_buffer_read (&buffer, values);
  for (gsize i = 0; i < n_columns; i++)
    g_assert_cmpfloat (values[i], ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/cuda-kernels/pad", test_pad);
  c2g_test_add_func ("/cuda-kernels/resize", test_resize);
  c2g_test_add_func ("/cuda-kernels/lrn", test_lrn);
  c2g_test_add_func ("/cuda-kernels/pool", test_pool);
  c2g_test_add_func ("/cuda-kernels/pool/global", test_pool_global);
  c2g_test_add_func ("/cuda-kernels/columns", test_columns);
  c2g_test_add_func ("/cuda-kernels/gemm", test_gemm);
  c2g_test_add_func ("/cuda-kernels/gemm/wide", test_gemm_wide);

  return kernels_test_run ();
}
