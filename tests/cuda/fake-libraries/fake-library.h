/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "../fake-cudart/fake-cudart.h"

#include <glib.h>

/* What the fake libcublas.so and libcudnn.so have in common. They compute on the fake runtime:
 * what they are asked for becomes a kernel on the stream, which runs as late as others and whose
 * accesses are checked.
 *
 * Tests open the library by its name and look these up in it. */

/* The n-th call of a function from now on gives the status, once. */
void         fake_library_fail          (const char   *function,
                                         unsigned int  n,
                                         int           status);
unsigned int fake_library_get_n_calls   (const char   *function);
/* Forgets failures and counts. */
void         fake_library_clear         (void);
/* Of those that are there. */
unsigned int fake_library_get_n_handles (void);

/* For the libraries */

/* What to return of a call, 0 if nothing was said of it. */
int          fake_library_call          (const char   *function);

/* A handle of a library, which is for the device that was current. */
typedef struct
{
  guint64      magic;
  int          device;
  /* Gone when the device is reset. */
  cudaEvent_t  event;
  cudaStream_t stream;
  gpointer     workspace;
  gsize        n_workspace_bytes;
  int          math_mode;
} FakeHandle;

FakeHandle  *fake_handle_new            (void);
void         fake_handle_free           (FakeHandle   *self);
/* Whether it is one, of a device that has not been reset and is current. */
gboolean     fake_handle_check          (FakeHandle   *self);

/* Puts a kernel of one argument, of n_bytes, on the stream. */
cudaError_t  fake_library_launch        (const char     *name,
                                         FakeCudaInvoke  invoke,
                                         FakeCudaNote    note,
                                         gpointer        arg,
                                         gsize           n_bytes,
                                         cudaStream_t    stream);
