/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>
#include <c2g/ops/support/c2g-rows-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>

#include <string.h>

/* IntegralImage: X (N, C, H, W) gives Y (N, C, H + 1, W + 1) with
 *
 * Y[h, w] = Σ X[i, j] over i < h and j < w
 *
 * IntegralImageGradient: inputs X, for its shape, and dY; dX[h, w] = Σ dY[i, j] over i ≤ h and
 * j ≤ w, so the last line and column of dY have no effect.
 *
 * All tensors are float, nothing is in place. The rules are Caffe2's. Both operators run on the
 * CPU only. */

/* Least number of elements per thread. */
#define GRAIN (1 << 15)

typedef struct
{
  const float *x;
  float       *y;
  /* Heights and widths of x and of y. */
  gint64       heights[2];
  gint64       widths[2];
  /* A buffer for each worker: running column sums of one line. */
  float       *lines;
} Images;

typedef struct
{
  C2gScratch scratch;
} IntegralState;

/* Computes Y.  Its first line and first column are 0. */
static void
integrate_cb (gsize    begin,
              gsize    end,
              guint    worker,
              gpointer data)
{
  const Images *self = data;
  const gint64 width = self->widths[1];

  for (gsize image = begin; image < end; image++)
    {
      const float *x = self->x + image * self->heights[0] * self->widths[0];
      float *y = self->y + image * self->heights[1] * width;

      memset (y, 0, width * sizeof (float));
      for (gint64 h = 1; h < self->heights[1]; h++)
        {
          const float *line = x + (h - 1) * self->widths[0];
          float sum = 0;

          y += width;
          y[0] = 0;
          for (gint64 w = 1; w < width; w++)
            {
              sum += line[w - 1];
              y[w] = sum;
            }
          c2g_row_add (y - width, y, width);
        }
    }
}

/* Computes dX: prefix sums of dY without its last line and column. */
static void
integrate_gradient_cb (gsize    begin,
                       gsize    end,
                       guint    worker,
                       gpointer data)
{
  const Images *self = data;
  const gint64 width = self->widths[1];
  float *sums = self->lines + worker * width;

  for (gsize image = begin; image < end; image++)
    {
      const float *x = self->x + image * self->heights[0] * self->widths[0];
      float *y = self->y + image * self->heights[1] * width;

      memset (sums, 0, width * sizeof (float));
      for (gint64 h = 0; h < self->heights[1]; h++, x += self->widths[0], y += width)
        {
          float sum = 0;

          for (gint64 w = 0; w < width; w++)
            {
              sum += x[w];
              sums[w] += sum;
            }
          memcpy (y, sums, width * sizeof (float));
        }
    }
}

static gboolean
check_images (C2gOperator  *op,
              C2gTensor    *x,
              GError      **error)
{
  return x->n_dims == 4 ||
         c2g_operator_set_shape_error (op, 0, error, _("%d dimensions"), 4);
}

static void
prepare (Images    *self,
         C2gTensor *x,
         C2gTensor *y)
{
  self->x = c2g_tensor_address (x);
  self->y = c2g_tensor_address (y);
  self->heights[0] = x->dims[2];
  self->widths[0] = x->dims[3];
  self->heights[1] = y->dims[2];
  self->widths[1] = y->dims[3];
}

static gboolean
integral_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *y;
  gint64 dims[4];
  Images images;

  if (x == NULL || !check_images (op, x, error))
    return FALSE;
  memcpy (dims, x->dims, sizeof dims);
  if (__builtin_add_overflow (dims[2], 1, &dims[2]) ||
      __builtin_add_overflow (dims[3], 1, &dims[3]))
    return c2g_operator_set_shape_error (op, 0, error, _("less than %" PRId64), G_MAXINT64);
  y = c2g_operator_output (op, 0, dims, G_N_ELEMENTS (dims), C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;

  prepare (&images, x, y);
  if (y->n_elements > 0)
    c2g_parallel_for (dims[0] * dims[1], GRAIN / (dims[2] * dims[3]) + 1, integrate_cb, &images);
  return TRUE;
}

/* Only the shape of X is used. */
static gboolean
read_gradient (C2gOperator  *op,
               C2gTensor   **x,
               C2gTensor   **gradient,
               GError      **error)
{
  *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  *gradient = *x != NULL ? c2g_operator_input (op, 1, C2G_DATA_TYPE_FLOAT, error) : NULL;
  if (*gradient == NULL || !check_images (op, *x, error))
    return FALSE;
  if ((*gradient)->n_dims == 4 && (*gradient)->dims[0] == (*x)->dims[0] &&
      (*gradient)->dims[1] == (*x)->dims[1] && (*gradient)->dims[2] - 1 == (*x)->dims[2] &&
      (*gradient)->dims[3] - 1 == (*x)->dims[3])
    return TRUE;
  return c2g_operator_set_shape_error (op, 1, error,
                                       _("that of input %d with one more line and column"), 0);
}

static gboolean
integral_gradient_run (C2gOperator  *op,
                       gpointer      state,
                       GError      **error)
{
  IntegralState *self = state;
  const guint n_workers = c2g_parallel_get_n_workers ();
  C2gTensor *x, *gradient, *y;
  Images images;

  if (!read_gradient (op, &x, &gradient, error))
    return FALSE;
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL || !c2g_scratch_reserve (&self->scratch, n_workers, x->dims[3], error))
    return FALSE;

  prepare (&images, gradient, y);
  images.lines = self->scratch.data;
  if (y->n_elements > 0)
    c2g_parallel_for_workers (y->dims[0] * y->dims[1], GRAIN / (y->dims[2] * y->dims[3]) + 1,
                              n_workers, integrate_gradient_cb, &images);
  return TRUE;
}

C2G_SCRATCH_DEFINE_CLEAR (integral_clear, IntegralState, scratch)

static const C2gKernel kernels[] = {
  {
    .type = "IntegralImage",
    .min_inputs = 1,
    .max_inputs = 1,
    .min_outputs = 1,
    .max_outputs = 1,
    .run = integral_run,
    .infer = integral_run,
    .summary = "The sum of all pixels above and to the left",
    .gradient = { "IntegralImageGradient", "I0,GO0", "GI0" },
  },
  {
    .type = "IntegralImageGradient",
    .min_inputs = 2,
    .max_inputs = 2,
    .min_outputs = 1,
    .max_outputs = 1,
    .state_size = sizeof (IntegralState),
    .run = integral_gradient_run,
    .infer = integral_gradient_run,
    .clear = integral_clear,
    .summary = "The gradient of IntegralImage",
  },
};

C2G_OPS_FAMILY (integral_image);
