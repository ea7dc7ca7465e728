/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-reduce.cuh"

/* Sums, means, extremes and norms over some axes of a tensor.
 *
 * Neighbouring axes that are all reduced, or all kept, are merged. If one reduced axis is left,
 * there is a kernel for a last axis and one for any other axis. Otherwise a general kernel finds
 * each element by its number. If there are few results, several blocks work on each, and a second
 * launch reduces their partial results. */

using namespace c2g_cuda;

/* Longest row that one warp reduces. */
#define MAX_WARP_ROW 1024
/* Number of blocks that keep a device busy. It is a constant, because the result must not depend on
 * the device. */
#define N_BLOCKS_WANTED 1024
#define MIN_SPLIT 4096
#define N_COLUMN_THREADS 8

namespace c2g_cuda
{

/* The last step for a result. */
enum Ending
{
  ENDING_NOTHING,
  ENDING_MEAN,
  ENDING_ROOT,
};

struct Shape
{
  size_t n_outer;
  size_t n_reduced;
  size_t n_inner;
};

struct Finish
{
  int64_t ending;
  int64_t n;
};

__device__ static inline float
root (float x)
{
  return sqrtf (x);
}

__device__ static inline double
root (double x)
{
  return sqrt (x);
}

/* Never called: integers have no norms. It is needed to compile. */
template <class T>
__device__ static inline T
root (T x)
{
  return x;
}

template <class Out>
__device__ static inline void
put (Out          *y,
     size_t        place,
     Wide<Out>     result,
     const Finish &finish)
{
  if (finish.ending == ENDING_MEAN)
    result = (Wide<Out>) (result / (Wide<Out>) finish.n);
  else if (finish.ending == ENDING_ROOT)
    result = root (result);
  y[place] = narrow<Out> (result);
}

/* Finds the elements of a row that this block reduces. y has a partial result for each part. */
__device__ static inline void
find_part (size_t  n,
           size_t *begin,
           size_t *end)
{
  const size_t n_each = divide_up (n, gridDim.y);

  *begin = smaller<size_t> (blockIdx.y * n_each, n);
  *end = smaller<size_t> (*begin + n_each, n);
}

template <class Op, class T, class Out>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
reduce_short_rows (const T *__restrict__ x,
                   Out                  *y,
                   Shape                 shape,
                   Finish                finish)
{
  const size_t lane = threadIdx.x % C2G_WARP_SIZE;
  const size_t n = shape.n_reduced;

  for (size_t row = thread_number () / C2G_WARP_SIZE; row < shape.n_outer;
       row += count_threads () / C2G_WARP_SIZE)
    {
      const Wide<T> result =
        reduce_warp<Op> (reduce_items<Op> (x + row * n, 1, lane, n, C2G_WARP_SIZE));

      if (lane == 0)
        put (y, row, result, finish);
    }
}

template <class Op, class T, class Out>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
reduce_rows (const T *__restrict__ x,
             Out                  *y,
             Shape                 shape,
             Finish                finish)
{
  size_t begin, end;

  find_part (shape.n_reduced, &begin, &end);
  for (size_t row = blockIdx.x; row < shape.n_outer; row += gridDim.x)
    {
      const Wide<T> result =
        reduce_block<Op> (reduce_items<Op> (x + row * shape.n_reduced + begin, 1, threadIdx.x,
                                            end - begin, C2G_BLOCK_SIZE));

      if (threadIdx.x == 0)
        put (y, blockIdx.y * shape.n_outer + row, result, finish);
    }
}

/* The lanes of a warp read neighbouring columns; the warps share the rows. */
template <class Op, class T, class Out>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
reduce_columns (const T *__restrict__ x,
                Out                  *y,
                Shape                 shape,
                Finish                finish)
{
  typedef Wide<T> W;
  C2G_SHARED (W, parts, [N_COLUMN_THREADS][C2G_WARP_SIZE]);
  const size_t lane = threadIdx.x % C2G_WARP_SIZE, number = threadIdx.x / C2G_WARP_SIZE;
  const size_t n_tiles = divide_up (shape.n_inner, C2G_WARP_SIZE);
  size_t begin, end;

  find_part (shape.n_reduced, &begin, &end);
  for (size_t tile = blockIdx.x; tile < n_tiles * shape.n_outer; tile += gridDim.x)
    {
      const size_t outer = tile / n_tiles;
      const size_t column = tile % n_tiles * C2G_WARP_SIZE + lane;
      W result = Op::template start<W> ();

      if (column < shape.n_inner)
        result = reduce_items<Op> (
          x + (outer * shape.n_reduced + begin) * shape.n_inner + column, shape.n_inner, number,
          end - begin, N_COLUMN_THREADS);
      parts[number][lane] = result;
      __syncthreads ();
      if (number == 0 && column < shape.n_inner)
        {
#pragma unroll
          for (int i = 1; i < N_COLUMN_THREADS; i++)
            result = Op::merge (result, parts[i][lane]);
          put (y, (blockIdx.y * shape.n_outer + outer) * shape.n_inner + column, result, finish);
        }
      __syncthreads ();
    }
}

/* Dimensions of the input, from the last to the first, and their strides. */
struct Axes
{
  int64_t n;
  int64_t strides[C2G_CUDA_MAX_DIMS];
  Divider dims[C2G_CUDA_MAX_DIMS];

  __device__ size_t
  find (size_t number) const
  {
    size_t place = 0;

    for (int i = 0; i < n; i++)
      {
        const size_t quotient = dims[i].divide (number);

        place += (number - quotient * dims[i].divisor) * strides[i];
        number = quotient;
      }
    return place;
  }
};

/* One block for each result. */
template <class Op, class T, class Out>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
reduce_any (const T *__restrict__ x,
            Out                  *y,
            Axes                  kept,
            Axes                  reduced,
            size_t                n_results,
            size_t                n_reduced,
            Finish                finish)
{
  typedef Wide<T> W;

  for (size_t i = blockIdx.x; i < n_results; i += gridDim.x)
    {
      const T *from = x + kept.find (i);
      W result = Op::template start<W> ();

      for (size_t k = threadIdx.x; k < n_reduced; k += C2G_BLOCK_SIZE)
        result = Op::take (result, (W) widen (from[reduced.find (k)]));
      result = reduce_block<Op> (result);
      if (threadIdx.x == 0)
        put (y, i, result, finish);
    }
}

/* The axes of a reduction after merging. */
struct Plan
{
  int     n_dims;
  int64_t dims[2 * C2G_CUDA_MAX_DIMS];
  bool    is_reduced[2 * C2G_CUDA_MAX_DIMS];
  size_t  n_results;
  size_t  n_reduced;
  /* TRUE if at most one axis is reduced; shape is valid then. */
  bool    is_simple;
  Shape   shape;
};

static void
find_shape (Plan *self)
{
  int n_reduced = 0;

  self->shape = Shape{ 1, 1, 1 };
  for (int i = 0; i < self->n_dims; i++)
    if (self->is_reduced[i])
      {
        self->shape.n_reduced = self->dims[i];
        n_reduced++;
      }
    else if (n_reduced == 0)
      self->shape.n_outer *= self->dims[i];
    else
      self->shape.n_inner *= self->dims[i];
  self->is_simple = n_reduced <= 1;
}

static bool
make_plan (Plan          *self,
           const int64_t *dims,
           size_t         n_dims,
           uint32_t       axes)
{
  self->n_dims = 0;
  self->n_results = self->n_reduced = 1;
  for (size_t i = 0; i < n_dims; i++)
    {
      const bool is_reduced = (axes >> i & 1) != 0;

      *(is_reduced ? &self->n_reduced : &self->n_results) *= dims[i];
      if (dims[i] == 1)
        continue;
      if (self->n_dims > 0 && self->is_reduced[self->n_dims - 1] == is_reduced)
        {
          self->dims[self->n_dims - 1] *= dims[i];
          continue;
        }
      if (self->n_dims == 2 * C2G_CUDA_MAX_DIMS)
        return false;
      self->dims[self->n_dims] = dims[i];
      self->is_reduced[self->n_dims++] = is_reduced;
    }
  find_shape (self);
  return true;
}

/* Returns the number of blocks that work on each result. */
static unsigned
count_parts (const Plan &plan)
{
  const Shape &shape = plan.shape;
  const bool is_row = shape.n_inner == 1;
  const size_t n_tiles =
    is_row ? shape.n_outer : shape.n_outer * divide_up (shape.n_inner, C2G_WARP_SIZE);
  const size_t least = is_row ? MIN_SPLIT : MIN_SPLIT / C2G_WARP_SIZE;

  if (!plan.is_simple || n_tiles >= N_BLOCKS_WANTED || n_tiles == 0)
    return 1;
  return (unsigned) larger<size_t> (
    smaller (N_BLOCKS_WANTED / n_tiles, shape.n_reduced / least), 1);
}

template <class Op, class T, class Out>
static cudaError_t
launch_shape (const void   *x,
              void         *y,
              const Shape  &shape,
              unsigned      n_parts,
              Finish        finish,
              cudaStream_t  stream)
{
  const size_t n_tiles = shape.n_outer * divide_up (shape.n_inner, C2G_WARP_SIZE);
  const Blocks blocks = { n_tiles, n_parts };

  if (shape.n_inner > 1)
    return Launch<reduce_columns<Op, T, Out>>::run (blocks, C2G_BLOCK_SIZE, stream, (const T *) x, (Out *) y,
                                               shape, finish);
  if (shape.n_reduced <= MAX_WARP_ROW)
    return Launch<reduce_short_rows<Op, T, Out>>::run (count_blocks (shape.n_outer * C2G_WARP_SIZE),
                                                  C2G_BLOCK_SIZE, stream, (const T *) x, (Out *) y, shape,
                                                  finish);
  return Launch<reduce_rows<Op, T, Out>>::run (blocks, C2G_BLOCK_SIZE, stream, (const T *) x, (Out *) y, shape,
                                          finish);
}

static bool
find_axes (const Plan &plan,
           bool        is_reduced,
           Axes       *axes)
{
  int64_t stride = 1;

  axes->n = 0;
  for (int i = plan.n_dims; i-- > 0;)
    {
      if (plan.is_reduced[i] == is_reduced)
        {
          if (axes->n == C2G_CUDA_MAX_DIMS)
            return false;
          axes->strides[axes->n] = stride;
          axes->dims[axes->n++] =
            Divider (plan.dims[i], is_reduced ? plan.n_reduced : plan.n_results);
        }
      stride *= plan.dims[i];
    }
  return true;
}

template <class Op, class T, class Out>
static cudaError_t
launch_any (const void   *x,
            void         *y,
            const Plan   &plan,
            Finish        finish,
            cudaStream_t  stream)
{
  Axes kept = {}, reduced = {};

  if (!find_axes (plan, false, &kept) || !find_axes (plan, true, &reduced))
    return cudaErrorNotSupported;
  return Launch<reduce_any<Op, T, Out>>::run (Blocks{ plan.n_results, 1 }, C2G_BLOCK_SIZE,
                                              stream, (const T *) x, (Out *) y, kept, reduced,
                                              plan.n_results, plan.n_reduced, finish);
}

/* The operation that joins partial results. Absolute values and squares are taken only once. */
template <class Op>
struct Joining
{
  typedef Op Type;
};
template <>
struct Joining<AbsoluteSum>
{
  typedef Sum Type;
};
template <>
struct Joining<SquareSum>
{
  typedef Sum Type;
};

template <class Op, class T>
static cudaError_t
run (const C2gComputeRequest *request,
     const Plan              &plan,
     Ending                   ending,
     void                    *scratch,
     cudaStream_t             stream)
{
  const void *x = request->x;
  void *y = request->y;
  typedef typename Joining<Op>::Type Join;
  const unsigned n_parts = count_parts (plan);
  const Shape empty = { 1, 0, plan.n_results };
  const Finish finish = { ending, (int64_t) plan.n_reduced };
  cudaError_t error;

  if (plan.n_results == 0)
    return cudaSuccess;
  if (plan.n_reduced == 0)
    return launch_shape<Op, T, T> (x, y, empty, 1, finish, stream);
  if (!plan.is_simple)
    return launch_any<Op, T, T> (x, y, plan, finish, stream);
  if (n_parts == 1)
    return launch_shape<Op, T, T> (x, y, plan.shape, 1, finish, stream);

  error = launch_shape<Op, T, Wide<T>> (x, scratch, plan.shape, n_parts,
                                        Finish{ ENDING_NOTHING, 0 }, stream);
  if (error != cudaSuccess)
    return error;
  return launch_shape<Join, Wide<T>, T> (scratch, y, Shape{ 1, n_parts, plan.n_results }, 1,
                                           finish, stream);
}

template <class Op>
static cudaError_t
run_calculated (const C2gComputeRequest *request,
                const Plan              &plan,
                Ending                   ending,
                void                    *scratch,
                cudaStream_t             stream)
{
  return with_calculated_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;

    return run<Op, T> (request, plan, ending, scratch, stream);
  });
}

template <class Op>
static cudaError_t
run_real (const C2gComputeRequest *request,
          const Plan              &plan,
          Ending                   ending,
          void                    *scratch,
          cudaStream_t             stream)
{
  if (request->type == C2G_DATA_TYPE_DOUBLE)
    return run<Op, double> (request, plan, ending, scratch, stream);
  return with_real_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;

    return run<Op, T> (request, plan, ending, scratch, stream);
  });
}

}

gsize
c2g_cuda_kernel_reduce_size (const C2gComputeRequest *request)
{
  Plan plan;
  unsigned n_parts;

  if (!make_plan (&plan, request->dims, request->n_dims, request->axes))
    return 0;
  n_parts = count_parts (plan);
  return n_parts > 1 ? n_parts * plan.n_results * sizeof (double) : 0;
}

cudaError_t
c2g_cuda_kernel_reduce (const C2gComputeRequest *request,
                        void                    *memory,
                        cudaStream_t             stream)
{
  Plan plan;

  if (!make_plan (&plan, request->dims, request->n_dims, request->axes))
    return cudaErrorNotSupported;

  switch (request->reduce)
    {
    case C2G_COMPUTE_REDUCE_SUM:
      return run_calculated<Sum> (request, plan, ENDING_NOTHING, memory, stream);
    case C2G_COMPUTE_REDUCE_MEAN:
      return run_calculated<Sum> (request, plan,
                                  plan.n_reduced > 0 ? ENDING_MEAN : ENDING_NOTHING, memory, stream);
    case C2G_COMPUTE_REDUCE_MAX:
      return run_calculated<Largest> (request, plan, ENDING_NOTHING, memory, stream);
    case C2G_COMPUTE_REDUCE_MIN:
      return run_calculated<Smallest> (request, plan, ENDING_NOTHING, memory, stream);
    case C2G_COMPUTE_REDUCE_L1:
      return run_real<AbsoluteSum> (request, plan, ENDING_NOTHING, memory, stream);
    case C2G_COMPUTE_REDUCE_L2:
      return run_real<SquareSum> (request, plan, ENDING_ROOT, memory, stream);
    case C2G_COMPUTE_REDUCE_SQUARES:
      return run_real<SquareSum> (request, plan, ENDING_NOTHING, memory, stream);
    default:
      return cudaErrorNotSupported;
    }
}
