/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-map.cuh"

/* Conversions after the rules of the operator Cast. Between integers the lower bits are kept. A
 * real number out of the range of an integer or of float16 becomes the nearest one in range. NaN
 * becomes 0 as an integer, and otherwise keeps its sign and first bits. The results have the same
 * bits as on the CPU.
 *
 * There are fewer kernels than pairs of types: a kernel that only drops bits serves signed and
 * unsigned types, and a conversion that changes no bits is a copy. */

using namespace c2g_cuda;

/* Number of vectors that are loaded before the first one is stored. */
#define N_AHEAD 2

namespace c2g_cuda
{

/* A boolean that is converted. A byte that is neither 0 nor 1 is true as well. */
struct Truth
{
  uint8_t value;
};

template <>
struct Number<Truth>
{
  typedef uint8_t Wide;

  __device__ static uint8_t
  widen (Truth truth)
  {
    return truth.value != 0;
  }
};

template <class T>
constexpr bool is_real = false;
template <>
constexpr bool is_real<float> = true;
template <>
constexpr bool is_real<double> = true;
template <>
constexpr bool is_real<Half> = true;
template <>
constexpr bool is_real<BFloat16> = true;

template <class In, class Out>
constexpr bool is_same = false;
template <class T>
constexpr bool is_same<T, T> = true;

/* The number of bits of the mantissa. */
template <class T>
constexpr int n_mantissa = 0;
template <>
constexpr int n_mantissa<Half> = 10;
template <>
constexpr int n_mantissa<BFloat16> = 7;
template <>
constexpr int n_mantissa<float> = 23;
template <>
constexpr int n_mantissa<double> = 52;

template <class Out, class In>
struct Conversion
{
  __device__ static Out
  apply (In x)
  {
    if constexpr (!is_real<In> || is_real<Out>)
      return (Out) x;
    else
      return x >= (In) Limits<Out>::beyond     ? Limits<Out>::largest
             : x > (In) Limits<Out>::smallest  ? (Out) x
             : x <= (In) Limits<Out>::smallest ? Limits<Out>::smallest
                                               : (Out) 0;
  }
};

template <class In>
struct Conversion<Bool, In>
{
  __device__ static Bool
  apply (In x)
  {
    return Bool{ x != 0 };
  }
};

/* Rounds to odd, on the way to a 16-bit type: if x is between two floats, the one with the odd last
 * bit is taken. Rounding that to nearest gives the same as rounding x once. */

__device__ static inline float
odd_float (float x)
{
  return x;
}

__device__ static inline float
odd_float (double x)
{
  const float nearest = (float) x;
  uint32_t bits = bits_of_float (nearest);

  if (fabs ((double) nearest) > fabs (x))
    bits--;
  if ((double) nearest != x)
    bits |= 1;
  return float_of_bits (bits);
}

/* Rounds integers of more than n_kept bits to odd, without the lowest n_dropped bits. */
template <int n_kept, int n_dropped, class T>
__device__ static inline T
drop_bits (T x)
{
  const T above = x >> n_kept;
  const T unit = (T) 1 << n_dropped;
  const T below = unit - 1;

  return above == 0 || above == (T) -1 || (x & below) == 0 ? x : (x & ~below) | unit;
}

template <class T>
__device__ static inline float
odd_float (T x)
{
  if constexpr (sizeof (T) == 8)
    return odd_float ((double) drop_bits<53, 12> (x));
  else if constexpr (sizeof (T) == 4)
    return (float) drop_bits<24, 8> (x);
  else
    return (float) x;
}

template <class In>
struct Conversion<Half, In>
{
  __device__ static Half
  apply (In x)
  {
    return half_of_float (odd_float (x));
  }
};

template <class In>
struct Conversion<BFloat16, In>
{
  __device__ static BFloat16
  apply (In x)
  {
    return bfloat16_of_float (odd_float (x));
  }
};

/* The instructions of the device forget the sign and the bits of NaN, and those of the CPU keep
 * them. */
template <class Out, class In>
__device__ static inline Out
convert_nan (In x)
{
  constexpr int n_bits = 8 * sizeof (In), n_out = 8 * sizeof (Out);
  constexpr uint64_t infinity = (((uint64_t) 1 << (n_out - 1 - n_mantissa<Out>)) - 1)
                                << n_mantissa<Out>;
  constexpr uint64_t quiet = (uint64_t) 1 << 63;
  uint64_t bits = 0;
  Out y;

  memcpy (&bits, &x, sizeof x);
  bits = bits >> (n_bits - 1) << (n_out - 1) | infinity |
         (bits << (64 - n_mantissa<In>) | quiet) >> (64 - n_mantissa<Out>);
  memcpy (&y, &bits, sizeof y);
  return y;
}

/* A bfloat16 is the upper half of a float: nothing is rounded, and NaN stays as it is. */
template <class Out, class In>
constexpr bool has_nan = is_real<In> && is_real<Out> && !(is_same<In, BFloat16> && is_same<Out, float>);

template <class Out, class In>
__device__ static inline Out
convert_item (In x)
{
  const Wide<In> wide = widen (x);

  if constexpr (has_nan<Out, In>)
    if (wide != wide)
      return convert_nan<Out> (x);
  return Conversion<Out, Wide<In>>::apply (wide);
}

template <class In, class Out, int width>
__device__ static inline void
convert_vector (const Vector<In, width> &x,
                Out                     *to)
{
  Vector<Out, width> y;

  for (int i = 0; i < width; i++)
    y.items[i] = convert_item<Out> (x.items[i]);
  store_vector (to, y);
}

template <class In, class Out, int width>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
convert (const In *__restrict__ x,
         Out *__restrict__      y,
         Span                   span)
{
  const In *from = x + span.head;
  Out *to = y + span.head;
  const size_t step = count_threads ();
  const size_t n_single = span.n - span.n_vectors * width;
  size_t i = thread_number ();

  for (; i + (N_AHEAD - 1) * step < span.n_vectors; i += N_AHEAD * step)
    {
      Vector<In, width> vectors[N_AHEAD];

#pragma unroll
      for (int k = 0; k < N_AHEAD; k++)
        vectors[k] = load_vector<In, width> (from + (i + k * step) * width);
#pragma unroll
      for (int k = 0; k < N_AHEAD; k++)
        convert_vector (vectors[k], to + (i + k * step) * width);
    }
  for (; i < span.n_vectors; i += step)
    convert_vector (load_vector<In, width> (from + i * width), to + i * width);

  for (i = thread_number (); i < n_single; i += step)
    {
      const size_t place = find_single (span, i, width);

      y[place] = convert_item<Out> (x[place]);
    }
}

template <class In, class Out>
static cudaError_t
launch_convert (const void   *x,
                void         *y,
                size_t        n,
                cudaStream_t  stream)
{
  if constexpr (is_same<In, Out>)
    return cudaMemcpyAsync (y, x, n * sizeof (In), cudaMemcpyDeviceToDevice, stream);
  else
    {
      constexpr int width = 16 / larger (sizeof (In), sizeof (Out));
      const Span span = find_span ({ { x, sizeof (In) }, { y, sizeof (Out) } }, width, n);

      return Launch<convert<In, Out, width>>::run (count_span_blocks (span), C2G_BLOCK_SIZE, stream,
                                                   (const In *) x, (Out *) y, span);
    }
}

/* The unsigned type of the same size. */
template <class T>
struct Unsigned
{
  typedef T Type;
};
template <>
struct Unsigned<int8_t>
{
  typedef uint8_t Type;
};
template <>
struct Unsigned<int16_t>
{
  typedef uint16_t Type;
};
template <>
struct Unsigned<int32_t>
{
  typedef uint32_t Type;
};
template <>
struct Unsigned<int64_t>
{
  typedef uint64_t Type;
};

/* Conversion to an integer, of which only the size matters. */
template <class In, class Out>
static cudaError_t
convert_integer (const void   *x,
                 void         *y,
                 size_t        n,
                 cudaStream_t  stream)
{
  if constexpr (sizeof (In) == sizeof (Out) && !is_same<In, Truth>)
    return cudaMemcpyAsync (y, x, n * sizeof (In), cudaMemcpyDeviceToDevice, stream);
  else if constexpr (sizeof (In) > sizeof (Out))
    return launch_convert<typename Unsigned<In>::Type, Out> (x, y, n, stream);
  else
    return launch_convert<In, Out> (x, y, n, stream);
}

template <class In>
static cudaError_t
convert_from_integer (C2gDataType   to,
                      const void   *x,
                      void         *y,
                      size_t        n,
                      cudaStream_t  stream)
{
  switch (to)
    {
    case C2G_DATA_TYPE_INT8:
    case C2G_DATA_TYPE_UINT8:
      return convert_integer<In, uint8_t> (x, y, n, stream);
    case C2G_DATA_TYPE_INT16:
    case C2G_DATA_TYPE_UINT16:
      return convert_integer<In, uint16_t> (x, y, n, stream);
    case C2G_DATA_TYPE_INT32:
    case C2G_DATA_TYPE_UINT32:
      return convert_integer<In, uint32_t> (x, y, n, stream);
    case C2G_DATA_TYPE_INT64:
    case C2G_DATA_TYPE_UINT64:
      return convert_integer<In, uint64_t> (x, y, n, stream);
    case C2G_DATA_TYPE_BOOL:
      return launch_convert<typename Unsigned<In>::Type, Bool> (x, y, n, stream);
    case C2G_DATA_TYPE_FLOAT:
      return launch_convert<In, float> (x, y, n, stream);
    case C2G_DATA_TYPE_DOUBLE:
      return launch_convert<In, double> (x, y, n, stream);
    case C2G_DATA_TYPE_FLOAT16:
      return launch_convert<In, Half> (x, y, n, stream);
    case C2G_DATA_TYPE_BFLOAT16:
      return launch_convert<In, BFloat16> (x, y, n, stream);
    default:
      return cudaErrorNotSupported;
    }
}

template <class In>
static cudaError_t
convert_from_real (C2gDataType   to,
                   const void   *x,
                   void         *y,
                   size_t        n,
                   cudaStream_t  stream)
{
  switch (to)
    {
    case C2G_DATA_TYPE_INT8:
      return launch_convert<In, int8_t> (x, y, n, stream);
    case C2G_DATA_TYPE_UINT8:
      return launch_convert<In, uint8_t> (x, y, n, stream);
    case C2G_DATA_TYPE_INT16:
      return launch_convert<In, int16_t> (x, y, n, stream);
    case C2G_DATA_TYPE_UINT16:
      return launch_convert<In, uint16_t> (x, y, n, stream);
    case C2G_DATA_TYPE_INT32:
      return launch_convert<In, int32_t> (x, y, n, stream);
    case C2G_DATA_TYPE_UINT32:
      return launch_convert<In, uint32_t> (x, y, n, stream);
    case C2G_DATA_TYPE_INT64:
      return launch_convert<In, int64_t> (x, y, n, stream);
    case C2G_DATA_TYPE_UINT64:
      return launch_convert<In, uint64_t> (x, y, n, stream);
    case C2G_DATA_TYPE_BOOL:
      return launch_convert<In, Bool> (x, y, n, stream);
    case C2G_DATA_TYPE_FLOAT:
      return launch_convert<In, float> (x, y, n, stream);
    case C2G_DATA_TYPE_DOUBLE:
      return launch_convert<In, double> (x, y, n, stream);
    case C2G_DATA_TYPE_FLOAT16:
      return launch_convert<In, Half> (x, y, n, stream);
    case C2G_DATA_TYPE_BFLOAT16:
      return launch_convert<In, BFloat16> (x, y, n, stream);
    default:
      return cudaErrorNotSupported;
    }
}

/* Makes an integer out of a range the nearest one in it. */
template <class T>
struct Clamp
{
  T low;
  T high;

  __device__ T
  operator() (T x) const
  {
    return x < low ? low : x > high ? high : x;
  }
};

/* Only the size of the target matters, because the range says which numbers it has. */
template <class In>
static cudaError_t
saturate (const C2gComputeRequest *request,
          size_t                   item_size,
          cudaStream_t             stream)
{
  const Clamp<In> clamp = { clip_low<In> (request->range->min),
                            clip_high<In> (request->range->max) };
  const void *x = request->x;
  void *y = request->y;
  const size_t n = request->n;

  switch (item_size)
    {
    case 1:
      return launch_map<In, uint8_t> (clamp, x, y, n, stream);
    case 2:
      return launch_map<In, uint16_t> (clamp, x, y, n, stream);
    case 4:
      return launch_map<In, uint32_t> (clamp, x, y, n, stream);
    default:
      return launch_map<In, uint64_t> (clamp, x, y, n, stream);
    }
}

}

cudaError_t
c2g_cuda_kernel_saturate (const C2gComputeRequest *request,
                          void                    *memory,
                          cudaStream_t             stream)
{
  return with_integer_type (request->y_type, [=] (auto target) {
    const size_t item_size = sizeof target;

    return with_integer_type (request->type, [=] (auto zero) {
      return saturate<decltype (zero)> (request, item_size, stream);
    });
  });
}

cudaError_t
c2g_cuda_kernel_convert (const C2gComputeRequest *request,
                         void                    *memory,
                         cudaStream_t             stream)
{
  C2gDataType from = request->type, to = request->y_type;
  const void *x = request->x;
  void *y = request->y;
  const size_t n = request->n;

  if (n == 0)
    return cudaSuccess;
  /* A copy keeps all bits of a boolean. */
  if (from == to && from == C2G_DATA_TYPE_BOOL)
    from = to = C2G_DATA_TYPE_UINT8;

  switch (from)
    {
    case C2G_DATA_TYPE_BOOL:
      return convert_from_integer<Truth> (to, x, y, n, stream);
    case C2G_DATA_TYPE_UINT8:
      return convert_from_integer<uint8_t> (to, x, y, n, stream);
    case C2G_DATA_TYPE_INT8:
      return convert_from_integer<int8_t> (to, x, y, n, stream);
    case C2G_DATA_TYPE_UINT16:
      return convert_from_integer<uint16_t> (to, x, y, n, stream);
    case C2G_DATA_TYPE_INT16:
      return convert_from_integer<int16_t> (to, x, y, n, stream);
    case C2G_DATA_TYPE_UINT32:
      return convert_from_integer<uint32_t> (to, x, y, n, stream);
    case C2G_DATA_TYPE_INT32:
      return convert_from_integer<int32_t> (to, x, y, n, stream);
    case C2G_DATA_TYPE_UINT64:
      return convert_from_integer<uint64_t> (to, x, y, n, stream);
    case C2G_DATA_TYPE_INT64:
      return convert_from_integer<int64_t> (to, x, y, n, stream);
    case C2G_DATA_TYPE_FLOAT:
      return convert_from_real<float> (to, x, y, n, stream);
    case C2G_DATA_TYPE_DOUBLE:
      return convert_from_real<double> (to, x, y, n, stream);
    case C2G_DATA_TYPE_FLOAT16:
      return convert_from_real<Half> (to, x, y, n, stream);
    case C2G_DATA_TYPE_BFLOAT16:
      return convert_from_real<BFloat16> (to, x, y, n, stream);
    default:
      return cudaErrorNotSupported;
    }
}
