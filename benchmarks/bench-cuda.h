/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <cuda_runtime_api.h>
#include <glib.h>

/* Shared code of the programs that measure on a GPU.
 *
 * On the fake runtime of the tests they do everything once with small sizes, only to show that they
 * work. */

/* Ends the program if there is no device. */
void     bench_cuda_begin   (const char *program,
                             const char *version);
void     bench_cuda_end     (void);

gboolean bench_cuda_is_fake (void);

/* The number, or the small one on the fake runtime. */
gsize    bench_cuda_size    (gsize       n,
                             gsize       n_small);

/* Adds a row with the median time of one repetition. Each sample repeats it many times before the
 * device is waited for. n_bytes is what it moves, for rows that show a rate. */
void     bench_cuda_row     (const char *name,
                             double      n_bytes,
                             void      (*run) (gpointer state),
                             gpointer    state);

/* Ends the program with a message unless the call was a success. */
void     bench_cuda_check   (cudaError_t result);
