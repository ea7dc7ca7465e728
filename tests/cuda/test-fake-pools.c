/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-utils.h"

#define N_BYTES       1000
/* The size of a pool's chunk. */
#define N_CHUNK_BYTES (2 << 20)

static guint64
get_attribute (cudaMemPool_t        pool,
               enum cudaMemPoolAttr attribute)
{
  guint64 value = 0;

  assert_ok (cudaMemPoolGetAttribute (pool, attribute, &value));
  return value;
}

static cudaMemPool_t
new_pool (guint64 threshold)
{
  struct cudaMemPoolProps properties = {
    .allocType = cudaMemAllocationTypePinned,
    .location = { cudaMemLocationTypeDevice, 0 },
  };
  cudaMemPool_t pool;

  assert_ok (cudaMemPoolCreate (&pool, &properties));
  assert_ok (cudaMemPoolSetAttribute (pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  return pool;
}

static void
test_create (void)
{
  struct cudaMemPoolProps properties = { 0 };
  cudaMemPool_t pool, other;

  assert_cuda (cudaMemPoolCreate (&pool, NULL), cudaErrorInvalidValue);
  assert_cuda (cudaMemPoolCreate (&pool, &properties), cudaErrorInvalidValue);
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 2;
  assert_cuda (cudaMemPoolCreate (&pool, &properties), cudaErrorInvalidDevice);
  properties.location.id = 1;
  assert_ok (cudaMemPoolCreate (&pool, &properties));

  assert_cuda (cudaDeviceSetMemPool (0, pool), cudaErrorInvalidDevice);
  assert_ok (cudaDeviceSetMemPool (1, pool));
  assert_ok (cudaDeviceGetMemPool (&other, 1));
  g_assert_true (other == pool);
  assert_ok (cudaMemPoolDestroy (pool));
  assert_ok (cudaDeviceGetMemPool (&other, 1));
  g_assert_true (other != pool);
  assert_ok (cudaDeviceGetDefaultMemPool (&pool, 1));
  g_assert_true (other == pool);
  assert_cuda (cudaMemPoolDestroy (pool), cudaErrorInvalidValue);
  assert_clean ();
}

/* When the host waits a pool gives memory above its threshold back to the device. */
static void
test_threshold (void)
{
  static const guint64 thresholds[] = { 0, 1, G_MAXUINT64 };

  for (guint i = 0; i < G_N_ELEMENTS (thresholds); i++)
    {
      cudaMemPool_t pool = new_pool (thresholds[i]);
      cudaStream_t stream = new_stream ();
      size_t n_free, n_total;
      guint64 n_reserved;
      void *memory;

      assert_ok (cudaMallocFromPoolAsync (&memory, N_BYTES, pool, stream));
      g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrUsedMemCurrent), >=, N_BYTES);
      n_reserved = get_attribute (pool, cudaMemPoolAttrReservedMemCurrent);
      g_assert_cmpuint (n_reserved, >=, N_BYTES);
      assert_ok (cudaMemGetInfo (&n_free, &n_total));
      g_assert_cmpuint (n_total - n_free, ==, n_reserved);

      assert_ok (cudaFreeAsync (memory, stream));
      g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrUsedMemCurrent), ==, 0);
      g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrUsedMemHigh), >=, N_BYTES);
      g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrReservedMemCurrent), ==, n_reserved);
      assert_ok (cudaMemPoolTrimTo (pool, 0));
      g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrReservedMemCurrent), ==, n_reserved);

      assert_ok (cudaStreamSynchronize (stream));
      g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrReservedMemCurrent), ==,
                        thresholds[i] < G_MAXUINT64 ? 0 : n_reserved);
      assert_ok (cudaMemPoolTrimTo (pool, 0));
      g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrReservedMemCurrent), ==, 0);
      g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrReservedMemHigh), ==, n_reserved);

      assert_ok (cudaStreamDestroy (stream));
      assert_ok (cudaMemPoolDestroy (pool));
    }
  assert_clean ();
}

static void
test_high (void)
{
  cudaMemPool_t pool = new_pool (G_MAXUINT64);
  guint64 zero = 0, one = 1;
  void *memory;

  assert_ok (cudaMallocFromPoolAsync (&memory, N_BYTES, pool, NULL));
  assert_ok (cudaFreeAsync (memory, NULL));
  g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrUsedMemHigh), >=, N_BYTES);
  assert_cuda (cudaMemPoolSetAttribute (pool, cudaMemPoolAttrUsedMemHigh, &one),
               cudaErrorInvalidValue);
  assert_ok (cudaMemPoolSetAttribute (pool, cudaMemPoolAttrUsedMemHigh, &zero));
  g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrUsedMemHigh), ==, 0);
  assert_cuda (cudaMemPoolSetAttribute (pool, cudaMemPoolAttrUsedMemCurrent, &zero),
               cudaErrorInvalidValue);
  assert_ok (cudaMemPoolDestroy (pool));
  assert_clean ();
}

typedef enum
{
  NOTHING,
  SAME_STREAM,
  WAIT_FOR_EVENT,
  WAIT_ON_HOST,
  RUN,
} Order;

/* Returns TRUE if memory that one stream freed is given to another one. */
static gboolean
is_reused (Order    order,
           gboolean is_following_events,
           gboolean is_opportunistic,
           gboolean is_adding_dependencies)
{
  cudaMemPool_t pool = new_pool (G_MAXUINT64);
  cudaStream_t a = new_stream (), b = new_stream ();
  cudaEvent_t event = new_event ();
  void *first, *second;
  int values[] = { is_following_events, is_opportunistic, is_adding_dependencies };

  for (int i = 0; i < 3; i++)
    assert_ok (cudaMemPoolSetAttribute (pool, cudaMemPoolReuseFollowEventDependencies + i,
                                        &values[i]));
  assert_ok (cudaMallocFromPoolAsync (&first, N_CHUNK_BYTES, pool, a));
  assert_ok (cudaMemsetAsync (first, 1, N_CHUNK_BYTES, a));
  assert_ok (cudaFreeAsync (first, a));
  assert_ok (cudaEventRecord (event, a));
  if (order == WAIT_FOR_EVENT)
    assert_ok (cudaStreamWaitEvent (b, event, 0));
  if (order == WAIT_ON_HOST)
    assert_ok (cudaEventSynchronize (event));
  if (order == RUN)
    fake_cuda_advance (100);

  assert_ok (cudaMallocFromPoolAsync (&second, N_CHUNK_BYTES, pool, order == SAME_STREAM ? a : b));
  assert_ok (cudaMemsetAsync (second, 2, N_CHUNK_BYTES, order == SAME_STREAM ? a : b));
  assert_ok (cudaFreeAsync (second, order == SAME_STREAM ? a : b));
  assert_ok (cudaStreamDestroy (a));
  assert_ok (cudaStreamDestroy (b));
  assert_ok (cudaEventDestroy (event));
  assert_ok (cudaMemPoolDestroy (pool));
  assert_clean ();

  return first == second;
}

static void
test_reuse (void)
{
  static const struct
  {
    Order    order;
    gboolean is_following_events;
    gboolean is_opportunistic;
    gboolean is_adding_dependencies;
    gboolean is_reused;
  } cases[] = {
    { NOTHING, TRUE, TRUE, FALSE, FALSE },
    { NOTHING, TRUE, TRUE, TRUE, TRUE },
    { SAME_STREAM, FALSE, FALSE, FALSE, TRUE },
    { WAIT_FOR_EVENT, TRUE, FALSE, FALSE, TRUE },
    { WAIT_FOR_EVENT, FALSE, TRUE, FALSE, FALSE },
    { WAIT_ON_HOST, FALSE, FALSE, FALSE, TRUE },
    { RUN, TRUE, TRUE, FALSE, TRUE },
    { RUN, TRUE, FALSE, FALSE, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("case %zu", i);
      g_assert_cmpint (is_reused (cases[i].order, cases[i].is_following_events,
                                  cases[i].is_opportunistic, cases[i].is_adding_dependencies),
                       ==, cases[i].is_reused);
    }
}

/* Memory that a pool caches is freed for other allocations when the device has no more. */
static void
test_limit (void)
{
  cudaMemPool_t pool = new_pool (G_MAXUINT64);
  void *memory;

  fake_cuda_set_memory_limit (0, 10000);
  assert_ok (cudaMallocFromPoolAsync (&memory, 8000, pool, NULL));
  assert_ok (cudaFreeAsync (memory, NULL));
  assert_ok (cudaStreamSynchronize (NULL));
  g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrReservedMemCurrent), >=, 8000);
  assert_ok (cudaMalloc (&memory, 9000));
  g_assert_cmpuint (get_attribute (pool, cudaMemPoolAttrReservedMemCurrent), ==, 0);
  assert_ok (cudaFree (memory));

  assert_cuda (cudaMallocFromPoolAsync (&memory, 10001, pool, NULL), cudaErrorMemoryAllocation);
  assert_cuda (cudaMallocFromPoolAsync (&memory, G_MAXSIZE, pool, NULL), cudaErrorMemoryAllocation);
  assert_ok (cudaMallocFromPoolAsync (&memory, 0, pool, NULL));
  assert_cuda (cudaFreeAsync (NULL, NULL), cudaErrorInvalidValue);
  assert_ok (cudaMemPoolDestroy (pool));
  assert_clean ();
}

/* A destroyed pool lives as long as its memory is in use. */
static void
test_destroy (void)
{
  cudaMemPool_t pool = new_pool (0);
  size_t n_free, n_total;
  void *memory;

  assert_ok (cudaMallocFromPoolAsync (&memory, N_BYTES, pool, NULL));
  assert_ok (cudaMemPoolDestroy (pool));
  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, NULL));
  assert_ok (cudaFreeAsync (memory, NULL));
  assert_ok (cudaStreamSynchronize (NULL));
  assert_ok (cudaMemGetInfo (&n_free, &n_total));
  g_assert_cmpuint (n_free, ==, n_total);
  assert_clean ();

  assert_cuda (cudaMemPoolTrimTo (pool, 0), cudaErrorInvalidValue);
  assert_faults ("use after destroy: cudaMemPoolTrimTo is given pool");
}

/* Each function frees what the other one allocated. */
static void
test_other_free (void)
{
  void *memory;

  assert_ok (cudaMallocAsync (&memory, N_BYTES, NULL));
  assert_ok (cudaStreamSynchronize (NULL));
  assert_ok (cudaFree (memory));
  memory = new_memory (N_BYTES);
  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, NULL));
  assert_ok (cudaFreeAsync (memory, NULL));
  assert_clean ();

  /* cudaFree() does not wait for the stream of pool memory, so the host has to wait before. */
  assert_ok (cudaMallocAsync (&memory, N_BYTES, NULL));
  assert_ok (cudaFree (memory));
  assert_faults ("free: cudaFree ends block");
  assert_clean ();
}

static void
test_access (void)
{
  cudaMemPool_t pool = new_pool (0);
  struct cudaMemAccessDesc access = { { cudaMemLocationTypeDevice, 1 },
                                      cudaMemAccessFlagsProtReadWrite };
  enum cudaMemAccessFlags flags;

  assert_ok (cudaMemPoolGetAccess (&flags, pool, &access.location));
  g_assert_cmpint (flags, ==, cudaMemAccessFlagsProtNone);
  assert_ok (cudaMemPoolSetAccess (pool, &access, 1));
  assert_ok (cudaMemPoolGetAccess (&flags, pool, &access.location));
  g_assert_cmpint (flags, ==, cudaMemAccessFlagsProtReadWrite);

  access.location.id = 0;
  access.flags = cudaMemAccessFlagsProtNone;
  assert_cuda (cudaMemPoolSetAccess (pool, &access, 1), cudaErrorInvalidValue);
  access.location.id = 2;
  assert_cuda (cudaMemPoolSetAccess (pool, &access, 1), cudaErrorInvalidDevice);
  assert_ok (cudaMemPoolDestroy (pool));
  assert_clean ();
}

/* Blocks of many sizes are allocated and freed; each keeps what was written into it. */
static void
test_many (void)
{
  enum
  {
    N_BLOCKS = 64,
    N_ROUNDS = 2000,
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  cudaStream_t stream = new_stream ();
  guint8 *blocks[N_BLOCKS] = { NULL };
  size_t sizes[N_BLOCKS];

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      guint k = g_rand_int_range (rand, 0, N_BLOCKS);

      if (blocks[k] != NULL)
        {
          guint8 ends[2];

          assert_ok (cudaMemcpyAsync (&ends[0], blocks[k], 1, cudaMemcpyDeviceToHost, stream));
          assert_ok (cudaMemcpyAsync (&ends[1], blocks[k] + sizes[k] - 1, 1,
                                      cudaMemcpyDeviceToHost, stream));
          g_assert_cmpuint (ends[0], ==, k);
          g_assert_cmpuint (ends[1], ==, k);
          assert_ok (cudaFreeAsync (blocks[k], stream));
        }
      sizes[k] = g_rand_int_range (rand, 1, 100000);
      assert_ok (cudaMallocAsync ((void **) &blocks[k], sizes[k], stream));
      assert_ok (cudaMemsetAsync (blocks[k], k, sizes[k], stream));
    }

  for (guint k = 0; k < N_BLOCKS; k++)
    if (blocks[k] != NULL)
      assert_ok (cudaFreeAsync (blocks[k], stream));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_func ("/fake-pools/create", test_create);
  add_func ("/fake-pools/threshold", test_threshold);
  add_func ("/fake-pools/high", test_high);
  add_func ("/fake-pools/reuse", test_reuse);
  add_func ("/fake-pools/limit", test_limit);
  add_func ("/fake-pools/destroy", test_destroy);
  add_func ("/fake-pools/other-free", test_other_free);
  add_func ("/fake-pools/access", test_access);
  add_func ("/fake-pools/many", test_many);

  return g_test_run ();
}
