/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* Toolkits before 13 define this as a macro, but GLib tests for the attribute of that name. */
#pragma push_macro("__noinline__")
#undef __noinline__
#include <c2g/cuda/compute/c2g-cuda-kernels-private.h>
#pragma pop_macro("__noinline__")

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* The base of all kernels: how they are launched, and how many threads they get.
 *
 * The same sources are compiled for the host too, for tests without a device. That emulation is
 * included before, and launches kernels and shares memory in its own way. So there is no <<<>>> and
 * no __shared__ in the kernels. */

#define C2G_BLOCK_SIZE 256
#define C2G_WARP_SIZE 32
#define C2G_FULL_WARP 0xffffffffu

namespace c2g_cuda
{

template <class T>
__host__ __device__ constexpr T
larger (T a,
        T b)
{
  return a < b ? b : a;
}

template <class T>
__host__ __device__ constexpr T
smaller (T a,
         T b)
{
  return b < a ? b : a;
}

__host__ __device__ constexpr size_t
divide_up (size_t n,
           size_t by)
{
  return n / by + (n % by != 0);
}

/* Returns the number of multiprocessors of the largest device, which is counted once: asking for the
 * current device would take two calls for each launch. */
inline int
count_processors ()
{
  static int n_known;
  int n_most = __atomic_load_n (&n_known, __ATOMIC_RELAXED), n_devices = 0;

  if (n_most > 0)
    return n_most;

  /* Without a device the launch will fail and report it. */
  if (cudaGetDeviceCount (&n_devices) != cudaSuccess)
    return 1;
  for (int device = 0; device < n_devices; device++)
    {
      int n = 0;

      if (cudaDeviceGetAttribute (&n, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
        return 1;
      n_most = larger (n_most, n);
    }
  __atomic_store_n (&n_known, n_most, __ATOMIC_RELAXED);
  return larger (n_most, 1);
}

/* The grid of a kernel with a grid-stride loop: as many blocks as the work wants, but no more than
 * the device runs at once. A partial second wave of blocks would leave most of the device idle. */
struct Blocks
{
  size_t   n_wanted;
  /* The second dimension of the grid, which is not cut. */
  unsigned n_parts;
};

/* Keeps in *n_known how many blocks of the kernel a multiprocessor runs at once. A mixture of devices
 * is rare, and it costs a little time only. */
static inline cudaError_t
size_grid (const Blocks &blocks,
           const void   *kernel,
           unsigned      n_threads,
           int          *n_known,
           dim3         *grid)
{
  int n = __atomic_load_n (n_known, __ATOMIC_RELAXED);

  if (n == 0)
    {
      const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor (&n, kernel, (int) n_threads, 0);

      if (error != cudaSuccess)
        return error;
      n = larger (n, 1);
      __atomic_store_n (n_known, n, __ATOMIC_RELAXED);
    }

  const size_t n_most = larger<size_t> ((size_t) count_processors () * n / blocks.n_parts, 1);

  *grid = dim3 ((unsigned) larger<size_t> (smaller (blocks.n_wanted, n_most), 1), blocks.n_parts);
  return cudaSuccess;
}

}

#ifndef C2G_KERNEL_EMULATION

/* An array in the shared memory of a block: C2G_SHARED (float, tile, [32][33]). */
# define C2G_SHARED(type, name, dims) __shared__ type name dims

namespace c2g_cuda
{

template <auto kernel>
struct Launch;

/* Converts arguments to the types of the kernel, because cudaLaunchKernel() takes their
 * addresses. */
template <typename... Arguments, void (*kernel) (Arguments...)>
struct Launch<kernel>
{
  static cudaError_t
  run (dim3         grid,
       dim3         block,
       cudaStream_t stream,
       Arguments... arguments)
  {
    void *addresses[] = { (void *) &arguments... };

    return cudaLaunchKernel ((const void *) kernel, grid, block, addresses, 0, stream);
  }

  static cudaError_t
  run (Blocks       blocks,
       unsigned     n_threads,
       cudaStream_t stream,
       Arguments... arguments)
  {
    static int n_known;
    dim3 grid;
    const cudaError_t error =
      size_grid (blocks, (const void *) kernel, n_threads, &n_known, &grid);

    return error == cudaSuccess ? run (grid, n_threads, stream, arguments...) : error;
  }
};

}

#endif

namespace c2g_cuda
{

/* Returns the blocks for n threads of a kernel with a grid-stride loop. */
static inline Blocks
count_blocks (size_t n)
{
  return { divide_up (n, C2G_BLOCK_SIZE), 1 };
}

__device__ static inline size_t
thread_number ()
{
  return (size_t) blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ static inline size_t
count_threads ()
{
  return (size_t) gridDim.x * blockDim.x;
}

/* Division by a number that is known before the launch. For numbers up to 2^31 it is a
 * multiplication and a shift (Granlund and Montgomery). */
struct Divider
{
  size_t   divisor;
  uint32_t factor;
  uint32_t shift;
  /* A boolean of 64 bits, to leave no padding: stray bytes in it might look like an address. */
  uint64_t is_small;

  Divider () = default;

  /* Prepares the division of numbers below n. */
  Divider (size_t by,
           size_t n)
  {
    const size_t limit = (size_t) 1 << 31;

    divisor = by;
    is_small = n <= limit && by <= limit;
    factor = 0;
    for (shift = 0; is_small && ((size_t) 1 << shift) < by; shift++)
      ;
    if (is_small)
      factor = (uint32_t) ((((size_t) 1 << 32) * (((size_t) 1 << shift) - by)) / by + 1);
  }

  __device__ size_t
  divide (size_t number) const
  {
    if (!is_small)
      return number / divisor;

    const uint32_t n = (uint32_t) number;

    return (__umulhi (n, factor) + n) >> shift;
  }

  /* Returns the quotient and leaves the remainder in *number. */
  __device__ size_t
  cut (size_t *number) const
  {
    const size_t quotient = divide (*number);

    *number -= quotient * divisor;
    return quotient;
  }
};

}
