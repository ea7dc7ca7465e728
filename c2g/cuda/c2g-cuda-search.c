/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-compute-private.h>

#include <c2g/cuda/c2g-cuda-kernels-private.h>
#include <c2g/cuda/c2g-cuda-launch-private.h>

#include <c2g/core/types/c2g-i18n-private.h>

/* The functions that wait for the device, because only the kernel knows the result. */

/* The result of a kernel that finds nothing. */
#define NOTHING G_MAXUINT64

/* Returns memory of the device for the position that a kernel finds. */
static C2gStorage *
begin_search (C2gContext  *context,
              GError     **error)
{
  g_autoptr (C2gStorage) found = c2g_cuda_launch_scratch (context, sizeof (guint64), error);
  const guint64 nothing = NOTHING;

  if (found == NULL ||
      !C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_fill, c2g_cuda_launch_address (found),
                        &nothing, sizeof nothing, 1))
    return NULL;

  return g_steal_pointer (&found);
}

static gboolean
end_search (C2gContext  *context,
            C2gStorage  *found,
            guint64     *position,
            GError     **error)
{
  return c2g_cuda_launch_read (context, c2g_cuda_launch_address (found), sizeof *position, position,
                               error);
}

static gboolean
start_gather (C2gContext     *context,
              gconstpointer   x,
              gsize           n_outer,
              gsize           size,
              gsize           n_block_bytes,
              C2gDataType     index_type,
              gconstpointer   indices,
              gsize           n_indices,
              gboolean        wraps,
              gboolean        has_own,
              gpointer        y,
              guint64        *bad,
              GError        **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, index_type, 0, c2g_cuda_kernel_gather, x, n_outer,
                                size, n_block_bytes, index_type, indices, n_indices, wraps, has_own,
                                y, bad);
}

/* The kernel gives the place of the bad index. The index itself is read for the message. */
static gboolean
fail_index (C2gContext     *context,
            C2gDataType     index_type,
            gconstpointer   indices,
            guint64         place,
            gsize           size,
            gboolean        wraps,
            GError        **error)
{
  gsize item_size = c2g_data_type_get_item_size (index_type);
  union
  {
    gint32 narrow;
    gint64 wide;
  } index;

  if (!c2g_cuda_launch_read (context, (const char *) indices + place * item_size, item_size,
                             &index, error))
    return FALSE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
               _("The index at place %" PRIu64 " is %" PRId64 ", expected at least %" PRId64
                 " and less than %zu"),
               place, index_type == C2G_DATA_TYPE_INT32 ? index.narrow : index.wide,
               wraps ? -(gint64) size : 0, size);
  return FALSE;
}

gboolean
c2g_cuda_compute_gather (C2gContext     *context,
                         gconstpointer   x,
                         gsize           n_outer,
                         gsize           size,
                         gsize           n_block_bytes,
                         C2gDataType     index_type,
                         gconstpointer   indices,
                         gsize           n_indices,
                         gboolean        wraps,
                         gboolean        has_own,
                         gpointer        y,
                         GError        **error)
{
  g_autoptr (C2gStorage) found = begin_search (context, error);
  guint64 bad;

  if (found == NULL ||
      !start_gather (context, x, n_outer, size, n_block_bytes, index_type, indices, n_indices,
                     wraps, has_own, y, c2g_cuda_launch_address (found), error) ||
      !end_search (context, found, &bad, error))
    return FALSE;

  return bad == NOTHING || fail_index (context, index_type, indices, bad, size, wraps, error);
}

gboolean
c2g_cuda_compute_find_outside (C2gContext             *context,
                               C2gDataType             type,
                               gconstpointer           x,
                               gsize                   n,
                               const C2gComputeRange  *range,
                               gsize                  *position,
                               GError                **error)
{
  g_autoptr (C2gStorage) found = begin_search (context, error);
  guint64 first;

  if (found == NULL ||
      !C2G_CUDA_LAUNCH_TYPED (context, error, type, 0, c2g_cuda_kernel_find_outside, type, x, n,
                              range, c2g_cuda_launch_address (found)) ||
      !end_search (context, found, &first, error))
    return FALSE;

  *position = MIN (first, n);
  return TRUE;
}

gboolean
c2g_cuda_compute_compare (C2gContext     *context,
                          gconstpointer   x,
                          gconstpointer   y,
                          gsize           n_bytes,
                          gboolean       *are_equal,
                          GError        **error)
{
  g_autoptr (C2gStorage) found = begin_search (context, error);
  guint64 first;

  if (found == NULL ||
      !C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_find_different, x, y, n_bytes,
                        c2g_cuda_launch_address (found)) ||
      !end_search (context, found, &first, error))
    return FALSE;

  *are_equal = first == NOTHING;
  return TRUE;
}

gboolean
c2g_cuda_compute_find_far (C2gContext    *context,
                           const double  *x,
                           const double  *y,
                           gsize          n,
                           double         rtol,
                           double         atol,
                           gboolean       equal_nan,
                           gsize         *position,
                           GError       **error)
{
  g_autoptr (C2gStorage) found = begin_search (context, error);
  guint64 first;

  if (found == NULL ||
      !C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_find_far, x, y, n, rtol, atol, equal_nan,
                        c2g_cuda_launch_address (found)) ||
      !end_search (context, found, &first, error))
    return FALSE;

  *position = MIN (first, n);
  return TRUE;
}

gboolean
c2g_cuda_compute_measure (C2gContext         *context,
                          C2gComputeMeasure   measure,
                          C2gDataType         type,
                          gsize               n,
                          gconstpointer       x,
                          gconstpointer       y,
                          double             *result,
                          GError            **error)
{
  g_autoptr (C2gStorage) scratch =
    c2g_cuda_launch_scratch (context, c2g_cuda_kernel_measure_size (), error);

  return scratch != NULL &&
         C2G_CUDA_LAUNCH_TYPED (context, error, type, 0, c2g_cuda_kernel_measure, measure, type, n,
                                x, y, c2g_cuda_launch_address (scratch)) &&
         c2g_cuda_launch_read (context, c2g_cuda_launch_address (scratch), sizeof *result, result,
                               error);
}
