/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-utils.h"

#define N_BYTES 1000

static void
test_sizes (void)
{
  void *memory[3] = { NULL };
  size_t n_free, n_total;

  fake_cuda_set_memory_limit (0, 10000);
  assert_ok (cudaMemGetInfo (&n_free, &n_total));
  g_assert_cmpuint (n_free, ==, 10000);
  g_assert_cmpuint (n_total, ==, 10000);

  assert_ok (cudaMalloc (&memory[0], 6000));
  assert_ok (cudaMalloc (&memory[1], 4000));
  assert_cuda (cudaMalloc (&memory[2], 1), cudaErrorMemoryAllocation);
  assert_cuda (cudaGetLastError (), cudaErrorMemoryAllocation);
  assert_ok (cudaMemGetInfo (&n_free, &n_total));
  g_assert_cmpuint (n_free, ==, 0);

  /* The other device has its own limit. */
  assert_ok (cudaSetDevice (1));
  assert_ok (cudaMalloc (&memory[2], 20000));
  for (guint i = 0; i < 3; i++)
    assert_ok (cudaFree (memory[i]));
  assert_ok (cudaSetDevice (0));
  assert_ok (cudaMemGetInfo (&n_free, &n_total));
  g_assert_cmpuint (n_free, ==, 10000);

  assert_cuda (cudaMalloc (&memory[0], G_MAXSIZE), cudaErrorMemoryAllocation);
  assert_cuda (cudaMalloc (&memory[0], G_MAXSSIZE), cudaErrorMemoryAllocation);
  assert_cuda (cudaMalloc (NULL, 1), cudaErrorInvalidValue);
  assert_ok (cudaMalloc (&memory[0], 0));
  g_assert_null (memory[0]);
  assert_ok (cudaFree (NULL));
  assert_ok (cudaFreeHost (NULL));
  assert_clean ();
}

static void
test_attributes (void)
{
  struct cudaPointerAttributes attributes;
  guint8 *memory, *pinned = new_pinned (N_BYTES), host[8];

  assert_ok (cudaSetDevice (1));
  memory = new_memory (N_BYTES);

  assert_ok (cudaPointerGetAttributes (&attributes, memory + 10));
  g_assert_cmpint (attributes.type, ==, cudaMemoryTypeDevice);
  g_assert_cmpint (attributes.device, ==, 1);
  g_assert_null (attributes.hostPointer);
  g_assert_true (attributes.devicePointer == memory + 10);

  assert_ok (cudaPointerGetAttributes (&attributes, pinned));
  g_assert_cmpint (attributes.type, ==, cudaMemoryTypeHost);
  g_assert_true (attributes.hostPointer == pinned);

  assert_ok (cudaPointerGetAttributes (&attributes, host));
  g_assert_cmpint (attributes.type, ==, cudaMemoryTypeUnregistered);
  g_assert_cmpint (attributes.device, ==, cudaInvalidDeviceId);

  assert_ok (cudaFree (memory));
  assert_ok (cudaFreeHost (pinned));
  assert_clean ();
}

/* Tries every pair of places with every kind of copy. */
static void
test_kinds (void)
{
  enum
  {
    PAGEABLE,
    PINNED,
    DEVICE,
    N_PLACES,
  };
  static guint8 pageable[N_BYTES];
  guint8 *places[N_PLACES] = { pageable, new_pinned (N_BYTES), new_memory (N_BYTES) };

  for (int to = 0; to < N_PLACES; to++)
    for (int from = 0; from < N_PLACES; from++)
      for (int kind = cudaMemcpyHostToHost; kind <= cudaMemcpyDefault; kind++)
        {
          gboolean is_to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
          gboolean is_from_device = kind == cudaMemcpyDeviceToHost ||
                                    kind == cudaMemcpyDeviceToDevice;
          gboolean is_right = kind == cudaMemcpyDefault ||
                              ((is_to_device ? to != PAGEABLE : to != DEVICE) &&
                               (is_from_device ? from != PAGEABLE : from != DEVICE));

          assert_cuda (cudaMemcpy (places[to], places[from], N_BYTES, kind),
                       is_right ? cudaSuccess : cudaErrorInvalidValue);
        }
  assert_cuda (cudaMemcpy (places[DEVICE], pageable, 1, cudaMemcpyDefault + 1),
               cudaErrorInvalidMemcpyDirection);
  assert_ok (cudaMemcpy (NULL, NULL, 0, cudaMemcpyDefault));
  assert_cuda (cudaMemcpy (NULL, pageable, 1, cudaMemcpyDefault), cudaErrorInvalidValue);

  assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaFreeHost (places[PINNED]));
  assert_ok (cudaFree (places[DEVICE]));
  assert_clean ();
}

/* Pageable memory is read before the call returns, pinned memory when the copy runs. */
static void
test_staging (void)
{
  cudaStream_t stream = new_stream ();
  guint8 *memory = new_memory (2), *pinned = new_pinned (1);
  guint8 pageable = 1, result[2];

  *pinned = 1;
  assert_ok (cudaMemcpyAsync (memory, &pageable, 1, cudaMemcpyHostToDevice, stream));
  assert_ok (cudaMemcpyAsync (memory + 1, pinned, 1, cudaMemcpyHostToDevice, stream));
  pageable = *pinned = 2;
  assert_ok (cudaMemcpyAsync (result, memory, 2, cudaMemcpyDeviceToHost, stream));
  g_assert_cmpuint (result[0], ==, 1);
  g_assert_cmpuint (result[1], ==, 2);

  assert_ok (cudaFree (memory));
  assert_ok (cudaFreeHost (pinned));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

static void
test_rows (void)
{
  guint8 *memory = new_memory (4 * 16);
  guint8 host[4 * 8];

  for (guint i = 0; i < sizeof host; i++)
    host[i] = i;
  assert_ok (cudaMemset2DAsync (memory, 16, 0xff, 16, 4, NULL));
  assert_ok (cudaMemcpy2DAsync (memory, 16, host, 8, 5, 4, cudaMemcpyHostToDevice, NULL));
  memset (host, 0, sizeof host);
  assert_ok (cudaMemcpy2D (host, 8, memory, 16, 8, 4, cudaMemcpyDeviceToHost));
  for (guint i = 0; i < sizeof host; i++)
    g_assert_cmpuint (host[i], ==, i % 8 < 5 ? i : 0xff);

  assert_cuda (cudaMemcpy2D (host, 8, memory, 4, 5, 4, cudaMemcpyDeviceToHost),
               cudaErrorInvalidPitchValue);
  assert_ok (cudaFree (memory));
  assert_clean ();
}

static void
test_register (void)
{
  static guint8 host[N_BYTES];
  unsigned int flags;
  void *pointer;

  assert_ok (cudaHostRegister (host, N_BYTES, cudaHostRegisterPortable));
  assert_cuda (cudaHostRegister (host + 10, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
  assert_ok (cudaHostGetFlags (&flags, host));
  g_assert_cmpuint (flags, ==, cudaHostRegisterPortable);
  assert_ok (cudaHostGetDevicePointer (&pointer, host, 0));
  g_assert_true (pointer == host);
  assert_cuda (cudaHostUnregister (host + 10), cudaErrorHostMemoryNotRegistered);
  assert_ok (cudaHostUnregister (host));
  assert_cuda (cudaHostUnregister (host), cudaErrorHostMemoryNotRegistered);
  assert_cuda (cudaHostRegister (host, 0, 0), cudaErrorInvalidValue);
  assert_clean ();
}

static void
test_bounds (void)
{
  guint8 *memory = new_memory (N_BYTES), host[N_BYTES + 1];

  assert_cuda (cudaMemset (memory, 0, N_BYTES + 1), cudaErrorInvalidValue);
  assert_faults ("bounds: cudaMemset is given 1001 bytes from byte 0 of block");
  assert_cuda (cudaMemcpy (host, memory + 1, N_BYTES, cudaMemcpyDeviceToHost),
               cudaErrorInvalidValue);
  assert_faults ("bounds: cudaMemcpy is given 1000 bytes from byte 1 of block");
  assert_ok (cudaFree (memory));
  assert_clean ();
}

static void
test_peers (void)
{
  int can_access;

  assert_ok (cudaDeviceCanAccessPeer (&can_access, 0, 1));
  g_assert_cmpint (can_access, ==, 1);
  assert_ok (cudaDeviceCanAccessPeer (&can_access, 0, 0));
  g_assert_cmpint (can_access, ==, 0);
  assert_cuda (cudaDeviceCanAccessPeer (&can_access, 0, 2), cudaErrorInvalidDevice);

  assert_ok (cudaDeviceEnablePeerAccess (1, 0));
  assert_cuda (cudaDeviceEnablePeerAccess (1, 0), cudaErrorPeerAccessAlreadyEnabled);
  assert_ok (cudaDeviceDisablePeerAccess (1));
  assert_cuda (cudaDeviceDisablePeerAccess (1), cudaErrorPeerAccessNotEnabled);
  assert_cuda (cudaDeviceEnablePeerAccess (0, 0), cudaErrorInvalidDevice);

  fake_cuda_set_peer_access (0, 1, FALSE);
  assert_ok (cudaDeviceCanAccessPeer (&can_access, 0, 1));
  g_assert_cmpint (can_access, ==, 0);
  assert_cuda (cudaDeviceEnablePeerAccess (1, 0), cudaErrorPeerAccessUnsupported);
  assert_clean ();
}

/* A copy onto a part of itself is a fault, and so is one of rows without gaps. */
static void
test_overlap (void)
{
  guint8 *memory = new_memory (N_BYTES);
  const gsize half = N_BYTES / 2;

  assert_ok (cudaMemcpyAsync (memory + half, memory, half, cudaMemcpyDeviceToDevice, NULL));
  assert_ok (cudaMemcpy2DAsync (memory + 4, 8, memory, 8, 4, N_BYTES / 8, cudaMemcpyDeviceToDevice, NULL));
  assert_no_faults ();
  assert_ok (cudaMemcpyAsync (memory + half - 1, memory, half, cudaMemcpyDeviceToDevice, NULL));
  assert_ok (cudaMemcpy2DAsync (memory + 4, 8, memory, 8, 8, N_BYTES / 8 - 1, cudaMemcpyDeviceToDevice, NULL));
  assert_faults ("overlap: cudaMemcpyAsync", "overlap: cudaMemcpy2DAsync");
  assert_ok (cudaFree (memory));
  assert_clean ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_func ("/fake-memory/sizes", test_sizes);
  add_func ("/fake-memory/attributes", test_attributes);
  add_func ("/fake-memory/kinds", test_kinds);
  add_func ("/fake-memory/staging", test_staging);
  add_func ("/fake-memory/rows", test_rows);
  add_func ("/fake-memory/register", test_register);
  add_func ("/fake-memory/bounds", test_bounds);
  add_func ("/fake-memory/peers", test_peers);
  add_func ("/fake-memory/overlap", test_overlap);

  return g_test_run ();
}
