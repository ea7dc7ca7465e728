/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <cuda_runtime_api.h>
#include <glib.h>

/* What the programs share that measure on a GPU.
 *
 * On the runtime that the tests have for machines without one they do everything once, with
 * next to nothing: to see that they work, and not for the times. */

/* Ends the program where there is no device. */
void     bench_cuda_begin   (const char *program,
                             const char *version);
void     bench_cuda_end     (void);

gboolean bench_cuda_is_fake (void);

/* The number, or the small one on the fake runtime. */
gsize    bench_cuda_size    (gsize       n,
                             gsize       n_small);

/* Adds a row: what it takes, as the median of several samples, to do it once where it is done
 * again and again before the device is waited for.  Bytes are what it moves, for those that
 * want a rate. */
void     bench_cuda_row     (const char *name,
                             double      n_bytes,
                             void      (*run) (gpointer state),
                             gpointer    state);

/* Ends the program with a message unless that was a success. */
void     bench_cuda_check   (cudaError_t result);
