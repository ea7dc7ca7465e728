/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-compute-private.h>

#include <c2g/cuda/compute/c2g-cuda-launch-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* The functions that wait for the device, because only the kernel knows the result. */

/* The result of a kernel that finds nothing. */
#define NOTHING G_MAXUINT64

/* Runs a kernel that stores a position. */
static gboolean
search (C2gContext               *context,
        C2gCudaKernel            *kernel,
        const char               *name,
        const C2gComputeRequest  *request,
        guint64                  *position,
        GError                  **error)
{
  g_auto (C2gCudaScratch) found = { NULL };
  const guint64 nothing = NOTHING;
  C2gComputeRequest clearing = { .item = &nothing, .item_size = sizeof nothing, .n = 1 };

  if (!c2g_cuda_scratch_take (&found, NULL, context, sizeof *position, error))
    return FALSE;

  clearing.y = found.address;
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_fill, &clearing, NULL) &&
         c2g_cuda_launch (context, kernel, name, request, found.address, error) &&
         c2g_cuda_launch_read (context, found.address, sizeof *position, position, error);
}

#define SEARCH(context, kernel, request, position, error)                                          \
  search (context, kernel, #kernel, request, position, error)

/* The kernel gives the place of the bad index. The index itself is read for the message. */
static gboolean
fail_index (C2gContext               *context,
            const C2gComputeRequest  *request,
            guint64                   place,
            GError                  **error)
{
  gsize item_size = c2g_data_type_get_item_size (request->type);
  union
  {
    gint32 narrow;
    gint64 wide;
  } index;

  if (!c2g_cuda_launch_read (context, (const char *) request->indices + place * item_size,
                             item_size, &index, error))
    return FALSE;

  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("The index at place %" PRIu64 " is %" PRId64 ", expected at least %" PRId64
                     " and less than %zu"),
                   place,
                   request->type == C2G_DATA_TYPE_INT32 ? index.narrow : index.wide,
                   request->wraps ? -(gint64) request->n : 0, request->n);
}

gboolean
c2g_cuda_compute_gather (C2gContext               *context,
                         const C2gComputeRequest  *request,
                         GError                  **error)
{
  guint64 bad;

  /* Nothing is searched for, so nobody waits. */
  if (request->skips)
    return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_gather, request, NULL);

  return SEARCH (context, c2g_cuda_kernel_gather, request, &bad, error) &&
         (bad == NOTHING || fail_index (context, request, bad, error));
}

static gboolean
find (C2gContext               *context,
      const C2gComputeRequest  *request,
      guint64                  *position,
      GError                  **error)
{
  switch (request->kind)
    {
    case C2G_COMPUTE_KIND_FIND_OUTSIDE:
      return SEARCH (context, c2g_cuda_kernel_find_outside, request, position, error);
    case C2G_COMPUTE_KIND_COMPARE:
      return SEARCH (context, c2g_cuda_kernel_find_different, request, position, error);
    default:
      return SEARCH (context, c2g_cuda_kernel_find_far, request, position, error);
    }
}

gboolean
c2g_cuda_compute_find (C2gContext               *context,
                       const C2gComputeRequest  *request,
                       GError                  **error)
{
  guint64 first;

  if (!find (context, request, &first, error))
    return FALSE;

  *request->position = MIN (first, request->n);
  return TRUE;
}

gboolean
c2g_cuda_compute_measure (C2gContext               *context,
                          const C2gComputeRequest  *request,
                          GError                  **error)
{
  g_auto (C2gCudaScratch) scratch = { NULL };

  return c2g_cuda_scratch_take (&scratch, NULL, context, c2g_cuda_kernel_measure_size (), error) &&
         C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_measure, request, scratch.address) &&
         c2g_cuda_launch_read (context, scratch.address, sizeof *request->number, request->number,
                               error);
}
