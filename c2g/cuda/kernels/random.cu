/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* Random numbers that depend only on the seed and their place (Philox 4x32-10 of Salmon, Moraes,
 * Dror and Shaw, 2011). So the number of threads makes no difference, and drawing a sequence in two
 * parts gives the same numbers.
 *
 * Four words are drawn for a block of four items that are calculated as floats, or of two other
 * items. The two kinds use different counters, so that they never get the same words. */

using namespace c2g_cuda;

/* Limit on the draws for a number that has to be below high. */
#define MAX_DRAWS 64

#define TWO_TO_64 18446744073709551616.0

namespace c2g_cuda
{

struct Words
{
  uint32_t at[4];
};

template <int n_items>
__device__ static inline Words
draw (uint64_t seed,
      uint64_t block,
      uint32_t attempt)
{
  uint32_t key[] = { (uint32_t) seed, (uint32_t) (seed >> 32) };
  Words words = { { (uint32_t) block, (uint32_t) (block >> 32), attempt, n_items - 2 } };

#pragma unroll
  for (int i = 0; i < 10; i++)
    {
      const uint32_t first = __umulhi (0xd2511f53u, words.at[0]);
      const uint32_t second = __umulhi (0xcd9e8d57u, words.at[2]);

      words = Words{ { second ^ words.at[1] ^ key[0], 0xcd9e8d57u * words.at[2],
                       first ^ words.at[3] ^ key[1], 0xd2511f53u * words.at[0] } };
      key[0] += 0x9e3779b9u;
      key[1] += 0xbb67ae85u;
    }
  return words;
}

__device__ static inline uint64_t
join (const Words &words,
      int          item)
{
  return (uint64_t) words.at[2 * item] << 32 | words.at[2 * item + 1];
}

/* Uniform in [0, 1), with 53 bits. */
__device__ static inline double
share (uint64_t bits)
{
  return (double) (bits >> 11) * 0x1p-53;
}

/* Uniform in [low, high). Numbers that rounding makes equal to high are drawn again. */

template <class T>
struct RealUniform
{
  static constexpr int n_items = 4;

  float low;
  float high;

  __device__ void
  make (uint64_t seed,
        uint64_t block,
        T       *items) const
  {
    const Words words = draw<n_items> (seed, block, 0);

    for (int i = 0; i < n_items; i++)
      if (!find (words.at[i], &items[i]))
        items[i] = again (seed, block, i);
  }

  __device__ bool
  find (uint32_t word,
        T       *item) const
  {
    const float part = (float) (word >> 8) * 0x1p-24f;

    /* Unlike low + (high - low) * part this cannot overflow. */
    *item = narrow<T> (fmaf (high, part, low * (1 - part)));
    return widen (*item) < high;
  }

  __device__ T
  again (uint64_t seed,
         uint64_t block,
         int      i) const
  {
    T item;

    for (uint32_t attempt = 1; attempt < MAX_DRAWS; attempt++)
      {
        const Words words = draw<n_items> (seed, block, attempt);

        if (find (i < 2 ? i == 0 ? words.at[0] : words.at[1]
                        : i == 2 ? words.at[2] : words.at[3], &item))
          return item;
      }
    return narrow<T> (low);
  }
};

template <>
struct RealUniform<double>
{
  static constexpr int n_items = 2;

  double low;
  double high;

  __device__ void
  make (uint64_t seed,
        uint64_t block,
        double  *items) const
  {
    for (int i = 0; i < n_items; i++)
      {
        uint32_t attempt = 0;

        do
          {
            const double part = share (join (draw<n_items> (seed, block, attempt), i));

            items[i] = fma (high, part, low * (1 - part));
          }
        while (!(items[i] < high) && ++attempt < MAX_DRAWS);
        if (!(items[i] < high))
          items[i] = low;
      }
  }
};

/* Integers from first to first + n_values - 1, where n_values 0 stands for 2^64. */
template <class T>
struct WholeUniform
{
  static constexpr int n_items = 2;

  uint64_t first;
  uint64_t n_values;

  __device__ void
  make (uint64_t seed,
        uint64_t block,
        T       *items) const
  {
    const Words words = draw<n_items> (seed, block, 0);

    for (int i = 0; i < n_items; i++)
      {
        const uint64_t bits = join (words, i);

        items[i] = (T) (first + (n_values != 0 ? __umul64hi (bits, n_values) : bits));
      }
  }
};

template <class T>
struct RealNormal
{
  static constexpr int n_items = 4;

  float mean;
  float deviation;

  __device__ void
  make (uint64_t seed,
        uint64_t block,
        T       *items) const
  {
    const Words words = draw<n_items> (seed, block, 0);

    for (int i = 0; i < n_items; i += 2)
      {
        /* In (0, 1], so that the logarithm is finite. This is the Box-Muller method. */
        const float part = ((float) words.at[i] + 1) * 0x1p-32f;
        const float radius = deviation * sqrtf (-2 * logf (part));
        const float angle = (float) words.at[i + 1] * 0x1p-31f;

        items[i] = narrow<T> (fmaf (radius, cospif (angle), mean));
        items[i + 1] = narrow<T> (fmaf (radius, sinpif (angle), mean));
      }
  }
};

__device__ static inline void
draw_normals (uint64_t seed,
              uint64_t block,
              double   mean,
              double   deviation,
              double  *drawn)
{
  const Words words = draw<2> (seed, block, 0);
  const double radius = deviation * sqrt (-2 * log (1 - share (join (words, 0))));
  const double angle = 2 * share (join (words, 1));

  drawn[0] = fma (radius, cospi (angle), mean);
  drawn[1] = fma (radius, sinpi (angle), mean);
}

template <>
struct RealNormal<double>
{
  static constexpr int n_items = 2;

  double mean;
  double deviation;

  __device__ void
  make (uint64_t seed,
        uint64_t block,
        double  *items) const
  {
    draw_normals (seed, block, mean, deviation, items);
  }
};

template <class T>
struct WholeNormal
{
  static constexpr int n_items = 2;

  double mean;
  double deviation;
  /* The range of the type. Numbers outside are clamped, then cut to integers. */
  double min;
  double max;

  __device__ void
  make (uint64_t seed,
        uint64_t block,
        T       *items) const
  {
    double drawn[2];

    draw_normals (seed, block, mean, deviation, drawn);
    for (int i = 0; i < n_items; i++)
      set (&items[i], drawn[i] < min ? min : drawn[i] > max ? max : drawn[i]);
  }

  __device__ static void
  set (Bool   *item,
       double  value)
  {
    item->value = value != 0;
  }

  template <class Item>
  __device__ static void
  set (Item  *item,
       double value)
  {
    *item = (Item) value;
  }
};

/* The first item has the number offset in the sequence. */
template <class T, class Source>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
fill_random (T       *data,
             Source   source,
             uint64_t seed,
             uint64_t offset,
             size_t   n,
             bool     is_aligned)
{
  const uint64_t first = offset / Source::n_items;
  const uint64_t n_before = offset % Source::n_items;
  const size_t n_blocks = divide_up (n_before + n, Source::n_items);

  for (size_t i = thread_number (); i < n_blocks; i += count_threads ())
    {
      Vector<T, Source::n_items> items;
      /* Negative in the first block if offset is inside it. */
      const int64_t begin = (int64_t) (i * Source::n_items - n_before);

      source.make (seed, first + i, items.items);
      if (is_aligned && begin + Source::n_items <= (int64_t) n)
        store_vector (data + begin, items);
      else
#pragma unroll
        for (int k = 0; k < Source::n_items; k++)
          if (begin + k >= 0 && begin + k < (int64_t) n)
            data[begin + k] = items.items[k];
    }
}

template <class T, class Source>
static cudaError_t
launch_random (void         *data,
               size_t        n,
               const Source &source,
               uint64_t      seed,
               uint64_t      offset,
               cudaStream_t  stream)
{
  const bool is_aligned = offset % Source::n_items == 0 &&
                          (uintptr_t) data % (Source::n_items * sizeof (T)) == 0;

  return Launch<fill_random<T, Source>>::run (count_blocks (n / Source::n_items + 2),
                                              C2G_BLOCK_SIZE, stream, (T *) data, source, seed,
                                              offset, n, is_aligned);
}

/* Converts an integer from -2^63 to 2^64 to its lower 64 bits in two's complement. */
static uint64_t
bits_of_whole (double whole)
{
  if (whole >= TWO_TO_64)
    return 0;

  return whole >= 0 ? (uint64_t) whole : (uint64_t) (int64_t) whole;
}

template <class T>
static cudaError_t
launch_whole_uniform (void         *data,
                      size_t        n,
                      double        low,
                      double        high,
                      uint64_t      seed,
                      uint64_t      offset,
                      cudaStream_t  stream)
{
  const uint64_t first = bits_of_whole (ceil (low));
  const WholeUniform<T> source = { first, bits_of_whole (ceil (high)) - first };

  return launch_random<T> (data, n, source, seed, offset, stream);
}

/* The integers of the type are those from min to below end. */
template <class T>
static cudaError_t
launch_whole_normal (void         *data,
                     size_t        n,
                     double        mean,
                     double        deviation,
                     double        min,
                     double        end,
                     uint64_t      seed,
                     uint64_t      offset,
                     cudaStream_t  stream)
{
  const WholeNormal<T> source = { mean, deviation, min, nextafter (end, 0.0) };

  return launch_random<T> (data, n, source, seed, offset, stream);
}

}

cudaError_t
c2g_cuda_kernel_random_uniform (C2gDataType   type,
                                gpointer      data,
                                gsize         n,
                                double        low,
                                double        high,
                                guint64       seed,
                                guint64       offset,
                                cudaStream_t  stream)
{
  if (n == 0)
    return cudaSuccess;

  switch (type)
    {
    case C2G_DATA_TYPE_BOOL:
    case C2G_DATA_TYPE_INT8:
    case C2G_DATA_TYPE_UINT8:
      return launch_whole_uniform<uint8_t> (data, n, low, high, seed, offset, stream);
    case C2G_DATA_TYPE_INT16:
    case C2G_DATA_TYPE_UINT16:
      return launch_whole_uniform<uint16_t> (data, n, low, high, seed, offset, stream);
    case C2G_DATA_TYPE_INT32:
    case C2G_DATA_TYPE_UINT32:
      return launch_whole_uniform<uint32_t> (data, n, low, high, seed, offset, stream);
    case C2G_DATA_TYPE_INT64:
    case C2G_DATA_TYPE_UINT64:
      return launch_whole_uniform<uint64_t> (data, n, low, high, seed, offset, stream);
    case C2G_DATA_TYPE_DOUBLE:
      return launch_random<double> (data, n, RealUniform<double>{ low, high }, seed, offset, stream);
    default:
      return with_real_type (type, [=] (auto zero) {
        typedef decltype (zero) T;

        return launch_random<T> (data, n, RealUniform<T>{ (float) low, (float) high }, seed, offset,
                                 stream);
      });
    }
}

cudaError_t
c2g_cuda_kernel_random_normal (C2gDataType   type,
                               gpointer      data,
                               gsize         n,
                               double        mean,
                               double        deviation,
                               guint64       seed,
                               guint64       offset,
                               cudaStream_t  stream)
{
  if (n == 0)
    return cudaSuccess;

#define WHOLE(type, min, end)                                                                      \
  launch_whole_normal<type> (data, n, mean, deviation, min, end, seed, offset, stream)

  switch (type)
    {
    case C2G_DATA_TYPE_BOOL:
      return WHOLE (Bool, 0, 2);
    case C2G_DATA_TYPE_INT8:
      return WHOLE (int8_t, -128, 128);
    case C2G_DATA_TYPE_UINT8:
      return WHOLE (uint8_t, 0, 256);
    case C2G_DATA_TYPE_INT16:
      return WHOLE (int16_t, -32768, 32768);
    case C2G_DATA_TYPE_UINT16:
      return WHOLE (uint16_t, 0, 65536);
    case C2G_DATA_TYPE_INT32:
      return WHOLE (int32_t, INT32_MIN, 2147483648.0);
    case C2G_DATA_TYPE_UINT32:
      return WHOLE (uint32_t, 0, 4294967296.0);
    case C2G_DATA_TYPE_INT64:
      return WHOLE (int64_t, -TWO_TO_64 / 2, TWO_TO_64 / 2);
    case C2G_DATA_TYPE_UINT64:
      return WHOLE (uint64_t, 0, TWO_TO_64);
    case C2G_DATA_TYPE_DOUBLE:
      return launch_random<double> (data, n, RealNormal<double>{ mean, deviation }, seed, offset,
                                    stream);
    default:
      return with_real_type (type, [=] (auto zero) {
        typedef decltype (zero) T;

        return launch_random<T> (data, n, RealNormal<T>{ (float) mean, (float) deviation }, seed,
                                 offset, stream);
      });
    }
#undef WHOLE
}
