/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "fake-cudart/fake-cudart.h"

#include <glib.h>
#include <string.h>

/* Functions for tests of the fake runtime itself. */

#define assert_cuda(call, error)                                                                   \
  g_assert_cmpstr (cudaGetErrorName (call), ==, cudaGetErrorName (error))
#define assert_ok(call) assert_cuda (call, cudaSuccess)

/* Asserts that the faults since the last call are these, by the beginnings of their texts. */
static inline void
assert_faults_v (const char *const *beginnings)
{
  const char *const *faults = fake_cuda_get_faults ();
  guint n = g_strv_length ((char **) beginnings);

  for (guint i = 0; faults[i] != NULL; i++)
    g_test_message ("%s", faults[i]);
  g_assert_cmpuint (fake_cuda_get_n_faults (), ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_true (g_str_has_prefix (faults[i], beginnings[i]));
  fake_cuda_clear_faults ();
}

#define assert_faults(...) assert_faults_v ((const char *const[]) { __VA_ARGS__, NULL })
#define assert_no_faults() assert_faults_v ((const char *const[]) { NULL })

/* Asserts at the end of a test that there are no leaks and no faults. */
static inline void
assert_clean (void)
{
  g_assert_cmpuint (fake_cuda_check_leaks (), ==, 0);
  assert_no_faults ();
}

static inline cudaStream_t
new_stream (void)
{
  cudaStream_t stream;

  assert_ok (cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking));
  return stream;
}

static inline cudaEvent_t
new_event (void)
{
  cudaEvent_t event;

  assert_ok (cudaEventCreateWithFlags (&event, cudaEventDisableTiming));
  return event;
}

static inline void *
new_memory (gsize n_bytes)
{
  void *pointer;

  assert_ok (cudaMalloc (&pointer, n_bytes));
  return pointer;
}

static inline void *
new_pinned (gsize n_bytes)
{
  void *pointer;

  assert_ok (cudaMallocHost (&pointer, n_bytes));
  return pointer;
}

/* Runs a test from the initial state, so that tests do not depend on each other. */
static inline void
run_fresh (gconstpointer data)
{
  fake_cuda_reset ();
  ((GTestFunc) (gsize) data) ();
  fake_cuda_reset ();
}

static inline void
add_func (const char *path,
          GTestFunc   func)
{
  g_test_add_data_func (path, (gconstpointer) (gsize) func, run_fresh);
}
