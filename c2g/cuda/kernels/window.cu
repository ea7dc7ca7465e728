/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-reduce.cuh"

#include <float.h>

/* Windows over images: pooling, im2col for convolutions, and col2im for transposed convolutions. */

using namespace c2g_cuda;

/* Kernel size from which a warp computes one output, if the channels come first. */
#define MIN_WARP_WINDOW 64

namespace c2g_cuda
{

typedef C2gComputeWindow Window;

/* The dimensions of the outputs, as divisors of an output's number. */
struct Outputs
{
  Divider size[3];
  Divider channels;
};

/* The range of places of one dimension that a window covers, without padding. */
struct Reach
{
  int64_t begin;
  int64_t end;
};

__device__ static inline Reach
find_reach (const Window &window,
            int           dim,
            int64_t       out)
{
  const int64_t begin = out * window.stride[dim] - window.head[dim];
  const int64_t first = larger<int64_t> (begin, 0);
  const int64_t last = smaller<int64_t> (begin + window.kernel[dim], window.in[dim]);

  return Reach{ first, larger (last, first) };
}

__device__ static inline int64_t
count_reach (const Reach *reach)
{
  return (reach[0].end - reach[0].begin) * (reach[1].end - reach[1].begin) *
         (reach[2].end - reach[2].begin);
}

/* The first element of the output's image and channel, the step between neighbouring places, and
 * the ranges that the window covers. */
struct Source
{
  size_t place;
  size_t step;
  Reach  reach[3];
};

__device__ static inline Source
find_source (const Window  &window,
             const Outputs &outputs,
             size_t         number)
{
  const size_t n_in = (size_t) window.in[0] * window.in[1] * window.in[2];
  size_t channel = 0, out[3], image;
  Source source;

  if (window.channels_last)
    {
      channel = number;
      number = outputs.channels.cut (&channel);
    }
  for (int dim = 2; dim >= 0; dim--)
    {
      out[dim] = number;
      number = outputs.size[dim].cut (&out[dim]);
      source.reach[dim] = find_reach (window, dim, (int64_t) out[dim]);
    }
  /* With the channels first, number now counts images and channels together. */
  image = number;
  source.place = window.channels_last ? image * n_in * window.n_channels + channel : image * n_in;
  source.step = window.channels_last ? window.n_channels : 1;
  return source;
}

template <bool is_average, class T>
__device__ static inline T
finish (const Window &window,
        const Reach  *reach,
        float         result)
{
  if constexpr (is_average)
    {
      const int64_t n = window.counts_pads ? window.kernel[0] * window.kernel[1] * window.kernel[2]
                                           : count_reach (reach);

      result *= n > 0 ? 1 / (float) n : 0;
    }
  else if (count_reach (reach) == 0)
    result = -FLT_MAX;
  return narrow<T> (result);
}

template <bool is_average, class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
pool (const T *__restrict__ x,
      T                    *y,
      Window                window,
      Outputs               outputs,
      size_t                n)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      const Source source = find_source (window, outputs, i);
      float result = is_average ? 0 : -INFINITY;

      for (int64_t d = source.reach[0].begin; d < source.reach[0].end; d++)
        for (int64_t h = source.reach[1].begin; h < source.reach[1].end; h++)
          {
            const T *line =
              x + source.place + (d * window.in[1] + h) * window.in[2] * source.step;

            for (int64_t w = source.reach[2].begin; w < source.reach[2].end; w++)
              {
                const float item = widen (line[w * source.step]);

                result = is_average ? result + item : Largest::take (result, item);
              }
          }
      y[i] = finish<is_average, T> (window, source.reach, result);
    }
}

/* One warp for each output; its lanes share the places of the window. */
template <bool is_average, class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
pool_large (const T *__restrict__ x,
            T                    *y,
            Window                window,
            Outputs               outputs,
            size_t                n)
{
  const int64_t lane = threadIdx.x % C2G_WARP_SIZE;

  for (size_t i = thread_number () / C2G_WARP_SIZE; i < n; i += count_threads () / C2G_WARP_SIZE)
    {
      const Source source = find_source (window, outputs, i);
      const int64_t n_seen = count_reach (source.reach);
      const int64_t n_columns = source.reach[2].end - source.reach[2].begin;
      const int64_t n_rows = source.reach[1].end - source.reach[1].begin;
      float result = is_average ? 0 : -INFINITY;

      for (int64_t k = lane; k < n_seen; k += C2G_WARP_SIZE)
        {
          const int64_t w = source.reach[2].begin + k % n_columns;
          const int64_t h = source.reach[1].begin + k / n_columns % n_rows;
          const int64_t d = source.reach[0].begin + k / n_columns / n_rows;
          const float item =
            widen (x[source.place + ((d * window.in[1] + h) * window.in[2] + w) * source.step]);

          result = is_average ? result + item : Largest::take (result, item);
        }
      result = is_average ? reduce_warp<Sum> (result) : reduce_warp<Largest> (result);
      if (lane == 0)
        y[i] = finish<is_average, T> (window, source.reach, result);
    }
}

static Outputs
make_outputs (const Window &window,
              size_t        n)
{
  Outputs outputs;

  for (int dim = 0; dim < 3; dim++)
    outputs.size[dim] = Divider (window.out[dim], n);
  outputs.channels = Divider (window.n_channels, n);
  return outputs;
}

static size_t
count_outputs (const Window &window)
{
  return (size_t) window.n_images * window.n_channels * window.out[0] * window.out[1] *
         window.out[2];
}

template <bool is_average, class T>
static cudaError_t
launch_pool (const Window &window,
             const void   *x,
             void         *y,
             cudaStream_t  stream)
{
  const size_t n = count_outputs (window);
  const Outputs outputs = make_outputs (window, n);

  if (!window.channels_last &&
      window.kernel[0] * window.kernel[1] * window.kernel[2] >= MIN_WARP_WINDOW)
    return Launch<pool_large<is_average, T>>::run (count_blocks (n * C2G_WARP_SIZE), C2G_BLOCK_SIZE,
                                                   stream, (const T *) x, (T *) y, window, outputs,
                                                   n);
  return Launch<pool<is_average, T>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, (const T *) x,
                                           (T *) y, window, outputs, n);
}

/* im2col */

/* The dimensions of the matrix, as divisors of an element's number. */
struct Matrix
{
  Divider out[3];
  Divider kernel[3];
  Divider channels;
  /* Number of channels of a group. */
  Divider part;
};

struct Kernel
{
  size_t at[3];
};

/* Returns an element of the image, or 0 for padding. */
template <class T>
__device__ static inline T
read_image (const T      *image,
            const Window &window,
            const Kernel &kernel,
            const size_t *out,
            size_t        base,
            size_t        step)
{
  int64_t at[3];

  for (int dim = 0; dim < 3; dim++)
    {
      at[dim] = (int64_t) out[dim] * window.stride[dim] - window.head[dim] +
                (int64_t) kernel.at[dim] * window.dilation[dim];
      if (at[dim] < 0 || at[dim] >= window.in[dim])
        return T ();
    }
  return image[base + ((at[0] * window.in[1] + at[1]) * window.in[2] + at[2]) * step];
}

/* Channels first: for each image, a row for each channel and kernel place, a column for each
 * output. */
template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
fill_rows (const T *__restrict__ image,
           T                    *matrix,
           Window                window,
           Matrix                plan,
           size_t                n)
{
  const size_t n_in = (size_t) window.in[0] * window.in[1] * window.in[2];

  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      size_t number = i, out[3];
      Kernel kernel;

      for (int dim = 2; dim >= 0; dim--)
        {
          out[dim] = number;
          number = plan.out[dim].cut (&out[dim]);
        }
      for (int dim = 2; dim >= 0; dim--)
        {
          kernel.at[dim] = number;
          number = plan.kernel[dim].cut (&kernel.at[dim]);
        }
      matrix[i] = read_image (image, window, kernel, out, number * n_in, 1);
    }
}

/* Channels last: a row for each output, in which each group has kernel places × its channels. */
template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
fill_pixels (const T *__restrict__ image,
             T                    *matrix,
             Window                window,
             Matrix                plan,
             size_t                n)
{
  const size_t n_image =
    (size_t) window.in[0] * window.in[1] * window.in[2] * window.n_channels;

  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      size_t channel = i, number, group, out[3];
      Kernel kernel;

      number = plan.part.cut (&channel);
      for (int dim = 2; dim >= 0; dim--)
        {
          kernel.at[dim] = number;
          number = plan.kernel[dim].cut (&kernel.at[dim]);
        }
      group = number;
      number = plan.channels.cut (&group);
      for (int dim = 2; dim >= 0; dim--)
        {
          out[dim] = number;
          number = plan.out[dim].cut (&out[dim]);
        }
      matrix[i] = read_image (image + number * n_image, window, kernel, out,
                              group * plan.part.divisor + channel, window.n_channels);
    }
}

template <class T>
static cudaError_t
launch_columns (const Window &window,
                int64_t       n_groups,
                const void   *images,
                void         *matrix,
                cudaStream_t  stream)
{
  const size_t n = (size_t) window.n_images * window.n_channels * window.kernel[0] *
                   window.kernel[1] * window.kernel[2] * window.out[0] * window.out[1] *
                   window.out[2];
  Matrix plan;

  if (n == 0)
    return cudaSuccess;
  for (int dim = 0; dim < 3; dim++)
    {
      plan.out[dim] = Divider (window.out[dim], n);
      plan.kernel[dim] = Divider (window.kernel[dim], n);
    }
  plan.channels = Divider (n_groups, n);
  plan.part = Divider (window.n_channels / n_groups, n);
  if (window.channels_last)
    return Launch<fill_pixels<T>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream,
                                        (const T *) images, (T *) matrix, window, plan, n);
  return Launch<fill_rows<T>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, (const T *) images,
                                    (T *) matrix, window, plan, n);
}

/* Strides in the columns: between kernel places, channels and inputs. */
struct Painters
{
  size_t place;
  size_t channel;
  size_t input;
};

/* Returns the input whose kernel place reaches output place out, in one dimension; -1 if there is
 * none. */
__device__ static inline int64_t
find_painter (const Window &window,
              int           dim,
              size_t        out,
              int64_t       kernel)
{
  const int64_t distance = (int64_t) out + window.head[dim] - kernel * window.dilation[dim];

  if (distance < 0 || distance % window.stride[dim] != 0 ||
      distance / window.stride[dim] >= window.in[dim])
    return -1;
  return distance / window.stride[dim];
}

__device__ static inline float
collect_element (const Window   &window,
                 const Painters &painters,
                 const float    *columns,
                 const size_t   *out)
{
  float sum = 0;

  for (int64_t d = 0; d < window.kernel[0]; d++)
    for (int64_t h = 0; h < window.kernel[1]; h++)
      for (int64_t w = 0; w < window.kernel[2]; w++)
        {
          const int64_t in_d = find_painter (window, 0, out[0], d);
          const int64_t in_h = find_painter (window, 1, out[1], h);
          const int64_t in_w = find_painter (window, 2, out[2], w);

          if (in_d >= 0 && in_h >= 0 && in_w >= 0)
            sum += columns[((d * window.kernel[1] + h) * window.kernel[2] + w) * painters.place +
                           ((in_d * window.in[1] + in_h) * window.in[2] + in_w) * painters.input];
        }
  return sum;
}

/* With the channels last, they are the fastest index of the elements; otherwise the slowest. */
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
collect (const float *__restrict__ columns,
         float                    *image,
         Window                    window,
         Matrix                    plan,
         Painters                  painters,
         size_t                    n_pixel,
         size_t                    n)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      size_t number = i, channel = 0, place, out[3];

      if (window.channels_last)
        {
          channel = number;
          number = plan.channels.cut (&channel);
        }
      place = number;
      for (int dim = 2; dim >= 0; dim--)
        {
          out[dim] = number;
          number = plan.out[dim].cut (&out[dim]);
        }
      if (!window.channels_last)
        channel = number;

      image[window.channels_last ? place * n_pixel + channel : i] =
        collect_element (window, painters, columns + channel * painters.channel, out);
    }
}

}

cudaError_t
c2g_cuda_kernel_collect (const C2gComputeRequest *request,
                         void                    *memory,
                         cudaStream_t             stream)
{
  const C2gComputeWindow *window = request->window;
  const size_t n = (size_t) window->n_channels * window->out[0] * window->out[1] * window->out[2];
  const size_t n_kernel = (size_t) window->kernel[0] * window->kernel[1] * window->kernel[2];
  const size_t n_in = (size_t) window->in[0] * window->in[1] * window->in[2];
  const size_t n_channels = window->n_channels;
  const Painters painters = window->channels_last
                              ? Painters{ n_channels, 1, n_kernel * n_channels }
                              : Painters{ n_in, n_kernel * n_in, 1 };
  Matrix plan;

  if (n == 0)
    return cudaSuccess;
  for (int dim = 0; dim < 3; dim++)
    plan.out[dim] = plan.kernel[dim] = Divider (window->out[dim], n);
  plan.channels = plan.part = Divider (n_channels, n);
  return Launch<collect>::run (count_blocks (n), C2G_BLOCK_SIZE, stream,
                               (const float *) request->x, (float *) request->y, *window, plan,
                               painters, request->n, n);
}

cudaError_t
c2g_cuda_kernel_pool (const C2gComputeRequest *request,
                      void                    *memory,
                      cudaStream_t             stream)
{
  const C2gComputeWindow *window = request->window;

  if (count_outputs (*window) == 0)
    return cudaSuccess;

  return with_real_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;

    return request->is_average ? launch_pool<true, T> (*window, request->x, request->y, stream)
                               : launch_pool<false, T> (*window, request->x, request->y, stream);
  });
}

cudaError_t
c2g_cuda_kernel_columns (const C2gComputeRequest *request,
                         void                    *memory,
                         cudaStream_t             stream)
{
  const C2gComputeWindow *window = request->window;

  switch (request->type)
    {
    case C2G_DATA_TYPE_FLOAT:
      return launch_columns<uint32_t> (*window, request->n, request->x, request->y, stream);
    case C2G_DATA_TYPE_FLOAT16:
    case C2G_DATA_TYPE_BFLOAT16:
      return launch_columns<uint16_t> (*window, request->n, request->x, request->y, stream);
    default:
      return cudaErrorNotSupported;
    }
}
