/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-kernel.cuh"

#include <string.h>

/* The element types of tensors. 16-bit types are calculated as floats. Bool is a type of its own
 * only for results. */

namespace c2g_cuda
{

struct Half
{
  uint16_t bits;
};

struct BFloat16
{
  uint16_t bits;
};

struct Bool
{
  uint8_t value;
};

__device__ static inline uint32_t
bits_of_float (float value)
{
#ifdef C2G_KERNEL_EMULATION
  uint32_t bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
#else
  return __float_as_uint (value);
#endif
}

__device__ static inline float
float_of_bits (uint32_t bits)
{
#ifdef C2G_KERNEL_EMULATION
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
#else
  return __uint_as_float (bits);
#endif
}

/* Finite numbers out of range become the largest finite number. */
__device__ static inline Half
half_of_float (float value)
{
  Half result;

  if (fabsf (value) > 65504.0f && fabsf (value) < INFINITY)
    value = copysignf (65504.0f, value);
#ifdef C2G_KERNEL_EMULATION
  result.bits = emulate_half_of_float (value);
#else
  asm ("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(value));
#endif
  return result;
}

__device__ static inline float
float_of_half (Half value)
{
#ifdef C2G_KERNEL_EMULATION
  return emulate_float_of_half (value.bits);
#else
  float result;

  asm ("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(value.bits));
  return result;
#endif
}

/* Rounds to nearest, ties to even. NaN stays NaN. */
__device__ static inline BFloat16
bfloat16_of_float (float value)
{
  const uint32_t bits = bits_of_float (value);
  BFloat16 result;

  result.bits = value != value ? (bits >> 16) | 0x40
                               : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  return result;
}

__device__ static inline float
float_of_bfloat16 (BFloat16 value)
{
  return float_of_bits ((uint32_t) value.bits << 16);
}

/* Wide is the type that calculations use. */
template <class T>
struct Number
{
  typedef T Wide;

  __device__ static T
  widen (T value)
  {
    return value;
  }

  __device__ static T
  narrow (T value)
  {
    return value;
  }
};

template <>
struct Number<Half>
{
  typedef float Wide;

  __device__ static float
  widen (Half value)
  {
    return float_of_half (value);
  }

  __device__ static Half
  narrow (float value)
  {
    return half_of_float (value);
  }
};

template <>
struct Number<BFloat16>
{
  typedef float Wide;

  __device__ static float
  widen (BFloat16 value)
  {
    return float_of_bfloat16 (value);
  }

  __device__ static BFloat16
  narrow (float value)
  {
    return bfloat16_of_float (value);
  }
};

template <class T>
using Wide = typename Number<T>::Wide;

template <class T>
__device__ static inline Wide<T>
widen (T value)
{
  return Number<T>::widen (value);
}

template <class T>
__device__ static inline T
narrow (Wide<T> value)
{
  return Number<T>::narrow (value);
}

template <class T>
struct Limits;

#define C2G_DEFINE_LIMITS(type, smallest_, largest_, beyond_)                                          \
  template <>                                                                                      \
  struct Limits<type>                                                                              \
  {                                                                                                \
    static constexpr type smallest = smallest_;                                                    \
    static constexpr type largest = largest_;                                                      \
    static constexpr float beyond = beyond_;                                                       \
  };

/* A float can hold all of these exactly, except the largest integers. beyond is the largest + 1. */
C2G_DEFINE_LIMITS (int8_t, INT8_MIN, INT8_MAX, 128.0f)
C2G_DEFINE_LIMITS (uint8_t, 0, UINT8_MAX, 256.0f)
C2G_DEFINE_LIMITS (int16_t, INT16_MIN, INT16_MAX, 32768.0f)
C2G_DEFINE_LIMITS (uint16_t, 0, UINT16_MAX, 65536.0f)
C2G_DEFINE_LIMITS (int32_t, INT32_MIN, INT32_MAX, 2147483648.0f)
C2G_DEFINE_LIMITS (uint32_t, 0, UINT32_MAX, 4294967296.0f)
C2G_DEFINE_LIMITS (int64_t, INT64_MIN, INT64_MAX, 9223372036854775808.0f)
C2G_DEFINE_LIMITS (uint64_t, 0, UINT64_MAX, 18446744073709551616.0f)

/* Limits of integers that a type T can hold. */

template <class T>
static inline T
clip_low (int64_t low)
{
  return (T) larger<int64_t> (low, (int64_t) Limits<T>::smallest);
}

template <class T>
static inline T
clip_high (uint64_t high)
{
  return (T) smaller<uint64_t> (high, (uint64_t) Limits<T>::largest);
}

/* Elements that are loaded and stored at once. */
template <class T, int n>
struct alignas (sizeof (T) * n) Vector
{
  T items[n];
};

template <class T, int n>
__device__ static inline Vector<T, n>
load_vector (const T *address)
{
#ifdef C2G_KERNEL_EMULATION
  emulate_check_alignment (address, sizeof (T) * n);
#endif
  return *(const Vector<T, n> *) address;
}

template <class T, int n>
__device__ static inline void
store_vector (T                   *address,
              const Vector<T, n>  &vector)
{
#ifdef C2G_KERNEL_EMULATION
  emulate_check_alignment (address, sizeof (T) * n);
#endif
  *(Vector<T, n> *) address = vector;
}

/* The division of an array into n_vectors vectors from item head on, and single items before and
 * after them. */
struct Span
{
  size_t head;
  size_t n_vectors;
  size_t n;
};

struct Part
{
  const void *address;
  size_t      item_size;
};

/* Returns the first item from which vectors of width items are aligned in all parts; width if there
 * is none. */
static inline size_t
find_head (const Part *parts,
           int         n_parts,
           size_t      width)
{
  for (size_t head = 0; head < width; head++)
    {
      bool is_aligned = true;

      for (int i = 0; i < n_parts; i++)
        is_aligned &= ((uintptr_t) parts[i].address + head * parts[i].item_size) %
                        (width * parts[i].item_size) == 0;
      if (is_aligned)
        return head;
    }
  return width;
}

template <int n_parts>
static inline Span
find_span (const Part (&parts)[n_parts],
           size_t       width,
           size_t       n)
{
  const size_t head = find_head (parts, n_parts, width);
  const bool has_vectors = head < width && n >= head + width;

  return Span{ has_vectors ? head : 0, has_vectors ? (n - head) / width : 0, n };
}

static inline Blocks
count_span_blocks (const Span &span)
{
  return count_blocks (span.n_vectors > 0 ? span.n_vectors : span.n);
}

/* Returns the index of the single item with this number. */
__device__ static inline size_t
find_single (const Span &span,
             size_t      number,
             size_t      width)
{
  return number < span.head ? number : number + span.n_vectors * width;
}

/* These call function with a value of the C++ type, or return cudaErrorNotSupported. */

template <class F>
static cudaError_t
with_real_type (C2gDataType type,
                F           function)
{
  switch (type)
    {
    case C2G_DATA_TYPE_FLOAT:
      return function (float ());
    case C2G_DATA_TYPE_FLOAT16:
      return function (Half ());
    case C2G_DATA_TYPE_BFLOAT16:
      return function (BFloat16 ());
    default:
      return cudaErrorNotSupported;
    }
}

template <class F>
static cudaError_t
with_calculated_type (C2gDataType type,
                      F           function)
{
  switch (type)
    {
    case C2G_DATA_TYPE_DOUBLE:
      return function (double ());
    case C2G_DATA_TYPE_INT32:
      return function (int32_t ());
    case C2G_DATA_TYPE_INT64:
      return function (int64_t ());
    default:
      return with_real_type (type, function);
    }
}

template <class F>
static cudaError_t
with_integer_type (C2gDataType type,
                   F           function)
{
  switch (type)
    {
    case C2G_DATA_TYPE_INT8:
      return function (int8_t ());
    case C2G_DATA_TYPE_UINT8:
      return function (uint8_t ());
    case C2G_DATA_TYPE_INT16:
      return function (int16_t ());
    case C2G_DATA_TYPE_UINT16:
      return function (uint16_t ());
    case C2G_DATA_TYPE_INT32:
      return function (int32_t ());
    case C2G_DATA_TYPE_UINT32:
      return function (uint32_t ());
    case C2G_DATA_TYPE_INT64:
      return function (int64_t ());
    case C2G_DATA_TYPE_UINT64:
      return function (uint64_t ());
    default:
      return cudaErrorNotSupported;
    }
}

}
