/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "../fake-cudart/fake-cudart.h"

#include <glib.h>

/* The common part of the fake libcublas.so and libcudnn.so. They compute on the fake runtime: each
 * call becomes a kernel on the stream, which runs as late as other work and whose accesses are
 * checked.
 *
 * Tests open the library by its name and look these functions up in it. */

/* The n-th call of a function from now on returns the status, once. */
void         fake_library_fail          (const char   *function,
                                         unsigned int  n,
                                         int           status);
unsigned int fake_library_get_n_calls   (const char   *function);
/* The next call of the function calls this, once, before it returns. */
void         fake_library_set_hook      (const char   *function,
                                         void        (*hook) (void));
/* Forgets failures and call counts. */
void         fake_library_clear         (void);
/* Number of handles that exist. */
unsigned int fake_library_get_n_handles (void);
/* The type in which cuBLAS computed the last product. */
int          fake_cublas_get_compute_type (void);
/* The type of the elements of the last product. */
int          fake_cublas_get_item_type    (void);

/* Functions for the libraries */

/* Counts a call and returns its status: 0 unless a test asked for a failure. */
int          fake_library_call          (const char   *function);

/* A handle of a library. It is for the device that was current when it was made. */
typedef struct
{
  guint64      magic;
  int          device;
  /* An event on the device: it goes if the device is reset. */
  cudaEvent_t  event;
  cudaStream_t stream;
  gpointer     workspace;
  gsize        n_workspace_bytes;
} FakeHandle;

FakeHandle  *fake_handle_new            (void);
void         fake_handle_free           (FakeHandle   *self);
/* Returns TRUE if it is a handle of the current device, made since the last reset of that. */
gboolean     fake_handle_check          (FakeHandle   *self);

/* Puts a kernel with one argument of n_bytes on the stream. */
cudaError_t  fake_library_launch        (const char     *name,
                                         FakeCudaInvoke  invoke,
                                         FakeCudaNote    note,
                                         gpointer        arg,
                                         gsize           n_bytes,
                                         cudaStream_t    stream);

/* These convert 16-bit numbers with n_mantissa bits of mantissa: 10 for float16, 7 for bfloat16. */
float        fake_float_of_half         (guint16       half,
                                         guint         n_mantissa);
/* Rounds to nearest, ties to even. */
guint16      fake_half_of_float         (float         value,
                                         guint         n_mantissa);
