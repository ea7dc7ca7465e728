/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-utils.h"
#include "runtime-utils.h"

/* The rules of the driver's virtual memory management, and what the checker finds. */

#define GRAIN ((gsize) 2 << 20)

#define assert_driver(result, call) g_assert_cmpint (call, ==, result)

static const CUmemAllocationProp properties = {
  .type = CU_MEM_ALLOCATION_TYPE_PINNED,
  .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 },
};

static const CUmemAccessDesc access_of_first = {
  .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 },
  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
};

static CUdeviceptr
reserve (gsize n_bytes)
{
  CUdeviceptr pointer = 0;

  assert_driver (CUDA_SUCCESS, call_driver (cuMemAddressReserve, &pointer, n_bytes, 0, 0, 0));
  g_assert_cmpuint (pointer % GRAIN, ==, 0);
  return pointer;
}

static void
map (CUdeviceptr pointer,
     gsize       n_bytes)
{
  CUmemGenericAllocationHandle handle;

  assert_driver (CUDA_SUCCESS, call_driver (cuMemCreate, &handle, n_bytes, &properties, 0));
  assert_driver (CUDA_SUCCESS, call_driver (cuMemMap, pointer, n_bytes, 0, handle, 0));
  assert_driver (CUDA_SUCCESS, call_driver (cuMemRelease, handle));
}

static CUresult
give_access (CUdeviceptr pointer,
             gsize       n_bytes)
{
  return call_driver (cuMemSetAccess, pointer, n_bytes, &access_of_first, 1);
}

static gsize
get_free (void)
{
  size_t n_free, n_total;

  assert_ok (cudaMemGetInfo (&n_free, &n_total));
  return n_free;
}

/* Work spans mappings; memory goes when it is released and unmapped. */
static void
test_use (void)
{
  CUdeviceptr pointer = reserve (8 * GRAIN);
  gsize n_free = get_free ();
  struct cudaPointerAttributes attributes;

  map (pointer, GRAIN);
  map (pointer + GRAIN, 2 * GRAIN);
  g_assert_cmpuint (get_free (), ==, n_free - 3 * GRAIN);
  assert_driver (CUDA_SUCCESS, give_access (pointer, 3 * GRAIN));
  assert_ok (cudaMemset ((gpointer) (gsize) pointer, 1, 3 * GRAIN));
  assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaPointerGetAttributes (&attributes, (gpointer) (gsize) (pointer + GRAIN)));
  g_assert_cmpint (attributes.type, ==, cudaMemoryTypeDevice);
  assert_ok (cudaPointerGetAttributes (&attributes, (gpointer) (gsize) (pointer + 3 * GRAIN)));
  g_assert_cmpint (attributes.type, ==, cudaMemoryTypeUnregistered);

  assert_driver (CUDA_SUCCESS, call_driver (cuMemUnmap, pointer, GRAIN));
  assert_driver (CUDA_SUCCESS, call_driver (cuMemUnmap, pointer + GRAIN, 2 * GRAIN));
  g_assert_cmpuint (get_free (), ==, n_free);
  assert_driver (CUDA_SUCCESS, call_driver (cuMemAddressFree, pointer, 8 * GRAIN));
  assert_clean ();
}

/* Everything is a multiple of the granularity, and lies in a reservation. */
static void
test_granularity (void)
{
  CUdeviceptr pointer = reserve (8 * GRAIN);
  CUmemGenericAllocationHandle handle;
  size_t granularity;

  assert_driver (CUDA_SUCCESS, call_driver (cuMemGetAllocationGranularity, &granularity, &properties,
                                            CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  g_assert_cmpuint (granularity, ==, GRAIN);
  assert_driver (CUDA_ERROR_INVALID_VALUE, call_driver (cuMemCreate, &handle, GRAIN / 2, &properties, 0));
  assert_driver (CUDA_ERROR_INVALID_VALUE, call_driver (cuMemAddressReserve, &pointer, 100, 0, 0, 0));
  assert_driver (CUDA_SUCCESS, call_driver (cuMemCreate, &handle, GRAIN, &properties, 0));
  assert_driver (CUDA_ERROR_INVALID_VALUE, call_driver (cuMemMap, pointer + 4096, GRAIN, 0, handle, 0));
  assert_driver (CUDA_ERROR_INVALID_VALUE, call_driver (cuMemMap, pointer + 8 * GRAIN, GRAIN, 0, handle, 0));
  assert_driver (CUDA_ERROR_INVALID_VALUE, call_driver (cuMemMap, pointer, GRAIN / 2, 0, handle, 0));
  assert_driver (CUDA_SUCCESS, call_driver (cuMemMap, pointer, GRAIN, 0, handle, 0));
  assert_driver (CUDA_ERROR_INVALID_VALUE, call_driver (cuMemMap, pointer, GRAIN, 0, handle, 0));
  assert_driver (CUDA_ERROR_INVALID_VALUE, give_access (pointer, 2 * GRAIN));

  assert_driver (CUDA_SUCCESS, call_driver (cuMemUnmap, pointer, GRAIN));
  assert_driver (CUDA_SUCCESS, call_driver (cuMemRelease, handle));
  assert_driver (CUDA_SUCCESS, call_driver (cuMemAddressFree, pointer, 8 * GRAIN));
  assert_clean ();

  fake_cuda_set_granularity (0, 2 * GRAIN);
  assert_driver (CUDA_ERROR_INVALID_VALUE, call_driver (cuMemCreate, &handle, GRAIN, &properties, 0));
  fake_cuda_set_granularity (0, 0);
  assert_driver (CUDA_ERROR_NOT_SUPPORTED, call_driver (cuMemCreate, &handle, GRAIN, &properties, 0));
}

static void
test_access (void)
{
  CUdeviceptr pointer = reserve (4 * GRAIN);

  map (pointer, GRAIN);
  assert_cuda (cudaMemset ((gpointer) (gsize) pointer, 1, 100), cudaErrorInvalidValue);
  assert_faults ("access: cudaMemset is given 100 bytes from byte 0");
  assert_driver (CUDA_SUCCESS, give_access (pointer, GRAIN));
  assert_ok (cudaMemset ((gpointer) (gsize) pointer, 1, 100));
  assert_cuda (cudaMemset ((gpointer) (gsize) (pointer + GRAIN - 10), 1, 100), cudaErrorInvalidValue);
  assert_faults ("access: cudaMemset");

  /* A new mapping begins without access. */
  assert_ok (cudaDeviceSynchronize ());
  assert_driver (CUDA_SUCCESS, call_driver (cuMemUnmap, pointer, GRAIN));
  map (pointer, GRAIN);
  assert_cuda (cudaMemset ((gpointer) (gsize) pointer, 1, 100), cudaErrorInvalidValue);
  assert_faults ("access: cudaMemset");
  assert_driver (CUDA_SUCCESS, call_driver (cuMemUnmap, pointer, GRAIN));
  assert_driver (CUDA_SUCCESS, call_driver (cuMemAddressFree, pointer, 4 * GRAIN));
  assert_clean ();
}

static void
test_faults (void)
{
  CUdeviceptr pointer = reserve (4 * GRAIN);
  cudaStream_t stream = new_stream ();

  map (pointer, 2 * GRAIN);
  assert_driver (CUDA_SUCCESS, give_access (pointer, 2 * GRAIN));
  assert_driver (CUDA_ERROR_INVALID_VALUE, call_driver (cuMemUnmap, pointer, GRAIN));
  assert_faults ("unmap: cuMemUnmap is given what is not one mapping");
  assert_driver (CUDA_ERROR_INVALID_VALUE, call_driver (cuMemAddressFree, pointer, 4 * GRAIN));
  assert_faults ("free: cuMemAddressFree ends block");
  assert_cuda (cudaFree ((gpointer) (gsize) pointer), cudaErrorInvalidValue);
  assert_faults ("free: cudaFree is not for block");
  assert_driver (CUDA_ERROR_INVALID_VALUE, call_driver (cuMemRelease, 12345));
  assert_faults ("handle: cuMemRelease is given something that is no memory");

  /* The work is dropped at the end of the test. */
  fake_cuda_set_latency (100);
  assert_ok (cudaMemsetAsync ((gpointer) (gsize) pointer, 1, GRAIN, stream));
  assert_driver (CUDA_SUCCESS, call_driver (cuMemUnmap, pointer, 2 * GRAIN));
  assert_faults ("free: cuMemUnmap ends bytes of block");
}

static void
test_leaks (void)
{
  CUdeviceptr pointer = reserve (4 * GRAIN);
  CUmemGenericAllocationHandle handle;

  assert_driver (CUDA_SUCCESS, call_driver (cuMemCreate, &handle, GRAIN, &properties, 0));
  map (pointer, GRAIN);
  /* It is no context's, so that a reset does not free it. */
  assert_ok (cudaSetDevice (0));
  assert_ok (cudaDeviceReset ());
  g_assert_cmpuint (fake_cuda_check_leaks (), ==, 3);
  g_assert_cmpuint (fake_cuda_get_n_faults (), ==, 3);
  fake_cuda_clear_faults ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_func ("/fake-virtual/use", test_use);
  add_func ("/fake-virtual/granularity", test_granularity);
  add_func ("/fake-virtual/access", test_access);
  add_func ("/fake-virtual/faults", test_faults);
  add_func ("/fake-virtual/leaks", test_leaks);

  return g_test_run ();
}
