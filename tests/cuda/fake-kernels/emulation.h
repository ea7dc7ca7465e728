/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* Replacements for what nvcc provides, so that g++ can compile the kernels for the host. The
 * threads of a block are fibers that take turns where the kernel waits. Threads that never wait are
 * plain calls. */

#include <cuda_runtime_api.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <utility>

#define C2G_KERNEL_EMULATION 1

#undef __global__
#undef __device__
#undef __host__
#undef __forceinline__
#undef __launch_bounds__
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)

extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

/* Fresh for each block; its content is undefined. */
void    *emulate_shared         (const void *key,
                                 size_t      n_bytes);
void     emulate_check_alignment (const void *address,
                                  size_t      alignment);

/* A value of each lane of the warp, and the mask of the lanes. */
struct EmulatedWarp
{
  uint64_t values[32];
  uint32_t lanes;
};

const EmulatedWarp *emulate_exchange (uint32_t mask,
                                      uint64_t value);
unsigned            emulate_lane     ();
void                __syncthreads    ();

float    emulate_float_of_half (uint16_t bits);
uint16_t emulate_half_of_float (float    value);

#define C2G_SHARED(type, name, dims)                                                               \
  typedef type name##_array dims;                                                                  \
  static const char name##_key = 0;                                                                \
  name##_array &name = *(name##_array *) emulate_shared (&name##_key, sizeof (name##_array))

/* Starting a kernel */

typedef void (*EmulatedCall) (void **arguments);

void emulate_launch   (dim3          grid,
                       dim3          block,
                       EmulatedCall  call,
                       void        **arguments);
/* Registers the kernel under its mangled name. */
bool emulate_register (const void   *kernel,
                       void        (*invoke) (dim3, dim3, size_t, void **),
                       unsigned      n_arguments,
                       const size_t *argument_sizes);

namespace c2g_cuda
{

template <auto kernel>
struct Launch;

/* A kernel is registered where a launch of it is compiled. The launch itself is done by the
 * runtime, as for kernels compiled by nvcc. */
template <typename... Arguments, void (*kernel) (Arguments...)>
struct Launch<kernel>
{
  static const bool is_registered;

  template <size_t... i>
  static void
  call_with (void **arguments,
             std::index_sequence<i...>)
  {
    kernel (*(Arguments *) arguments[i]...);
  }

  static void
  call (void **arguments)
  {
    call_with (arguments, std::index_sequence_for<Arguments...> ());
  }

  static void
  invoke (dim3    grid,
          dim3    block,
          size_t  n_shared,
          void  **arguments)
  {
    emulate_launch (grid, block, call, arguments);
  }

  static bool
  enter ()
  {
    const size_t sizes[] = { sizeof (Arguments)... };

    return emulate_register ((const void *) kernel, invoke, sizeof...(Arguments), sizes);
  }

  template <class Grid>
  static cudaError_t
  run (Grid         grid,
       dim3         block,
       cudaStream_t stream,
       Arguments... arguments)
  {
    return is_registered ? cudaErrorNotSupported : cudaErrorUnknown;
  }
};

template <typename... Arguments, void (*kernel) (Arguments...)>
const bool Launch<kernel>::is_registered = Launch<kernel>::enter ();

}

/* Functions of warps */

template <class T>
static inline uint64_t
emulate_pack (T value)
{
  uint64_t bits = 0;

  static_assert (sizeof value <= sizeof bits, "a lane gives 8 bytes at most");
  memcpy (&bits, &value, sizeof value);
  return bits;
}

template <class T>
static inline T
emulate_take (const EmulatedWarp *warp,
              unsigned            lane,
              T                   own)
{
  T value;

  if (lane >= 32 || (warp->lanes >> lane & 1) == 0)
    return own;
  memcpy (&value, &warp->values[lane], sizeof value);
  return value;
}

template <class T>
static inline T
__shfl_xor_sync (uint32_t mask,
                 T        value,
                 int      lane_mask)
{
  return emulate_take (emulate_exchange (mask, emulate_pack (value)), emulate_lane () ^ lane_mask,
                       value);
}

template <class T>
static inline T
__shfl_down_sync (uint32_t mask,
                  T        value,
                  unsigned delta)
{
  return emulate_take (emulate_exchange (mask, emulate_pack (value)), emulate_lane () + delta,
                       value);
}

template <class T>
static inline T
__shfl_sync (uint32_t mask,
             T        value,
             int      lane)
{
  return emulate_take (emulate_exchange (mask, emulate_pack (value)), lane & 31, value);
}

static inline uint32_t
__ballot_sync (uint32_t mask,
               int      predicate)
{
  const EmulatedWarp *warp = emulate_exchange (mask, predicate != 0);
  uint32_t result = 0;

  for (int lane = 0; lane < 32; lane++)
    if ((warp->lanes >> lane & 1) != 0 && warp->values[lane] != 0)
      result |= 1u << lane;
  return result;
}

static inline void
__syncwarp (uint32_t mask = 0xffffffffu)
{
  emulate_exchange (mask, 0);
}

/* These need no atomic operations: one kernel runs at a time, and its threads take turns. */

template <class T>
static inline T
atomicAdd (T *address,
           T  value)
{
  const T old = *address;

  *address = old + value;
  return old;
}

template <class T>
static inline T
atomicMin (T *address,
           T  value)
{
  const T old = *address;

  *address = value < old ? value : old;
  return old;
}

template <class T>
static inline T
atomicMax (T *address,
           T  value)
{
  const T old = *address;

  *address = value > old ? value : old;
  return old;
}

static inline uint32_t
__umulhi (uint32_t a,
          uint32_t b)
{
  return (uint32_t) ((uint64_t) a * b >> 32);
}

static inline uint64_t
__umul64hi (uint64_t a,
            uint64_t b)
{
  return (uint64_t) ((unsigned __int128) a * b >> 64);
}

/* Functions that glibc lacks */

static inline double
__dadd_rn (double a,
           double b)
{
  return a + b;
}

static inline double
__dmul_rn (double a,
           double b)
{
  return a * b;
}

static inline double
cospi (double x)
{
  return cos (M_PI * x);
}

static inline double
sinpi (double x)
{
  return sin (M_PI * x);
}

static inline float
cospif (float x)
{
  return (float) cospi (x);
}

static inline float
sinpif (float x)
{
  return (float) sinpi (x);
}

static inline float
rsqrtf (float x)
{
  return 1 / sqrtf (x);
}
