/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-reduce.cuh"

/* Steps of optimizers: they update a parameter and its state with a gradient. */

using namespace c2g_cuda;

/* Number of threads that is enough to keep a device busy. */
#define N_ENOUGH 65536

namespace c2g_cuda
{

struct Update
{
  uint64_t     rule;
  float        numbers[4];
  const float *rate;
  const float *x;
  const float *in[3];
  float       *out[3];
  float       *steps;
  float       *rates;
};

/* One element: its place in the arrays that change (at), and in the gradients (x_at). */
struct Place
{
  const Update &update;
  size_t        at;
  size_t        x_at;

  __device__ float
  number (int i) const
  {
    return update.numbers[i];
  }

  __device__ float
  rate () const
  {
    return update.rate != nullptr ? *update.rate : 1;
  }

  __device__ float
  x () const
  {
    return update.x[x_at];
  }

  __device__ float
  get (int i) const
  {
    return update.in[i][at];
  }

  __device__ void
  set (int   i,
       float value) const
  {
    update.out[i][at] = value;
  }

  __device__ void
  tell (float step) const
  {
    if (update.steps != nullptr)
      update.steps[x_at] = step;
  }
};

__device__ static inline void
step_momentum (const Place &place,
               bool         is_ahead)
{
  const float momentum = place.number (0);
  const float old = place.get (0);
  const float moment = momentum * old + place.rate () * place.x ();
  const float step = is_ahead ? (1 + momentum) * moment - momentum * old : moment;

  if (place.update.out[1] != nullptr)
    place.set (1, place.get (1) - step);
  place.set (0, moment);
  place.tell (step);
}

__device__ static inline void
step_adagrad (const Place &place)
{
  const float weight = place.get (0);
  const float gradient = place.number (2) * weight + place.x ();
  const float moment = place.number (1) * place.get (1) + gradient * gradient;
  const float rate = place.rate () / (sqrtf (moment) + place.number (0));

  place.set (1, moment);
  place.set (0, weight + rate * gradient);
  place.tell (rate * gradient);
  if (place.update.rates != nullptr)
    place.update.rates[place.x_at] = rate;
}

__device__ static inline void
step_adadelta (const Place &place)
{
  const float epsilon = place.number (0), decay = place.number (1);
  const float gradient = place.x (), delta = place.get (2);
  const float moment = decay * place.get (1) + (1 - decay) * gradient * gradient;
  const float step = sqrtf (delta + epsilon) / sqrtf (moment + epsilon) * gradient;

  place.set (1, moment);
  place.set (0, place.get (0) + place.rate () * step);
  place.set (2, decay * delta + (1 - decay) * step * step);
}

__device__ static inline void
step_adam (const Place &place)
{
  const float beta1 = place.number (0), beta2 = place.number (1);
  const float gradient = place.x ();
  const float moment = place.get (1) * beta1 + gradient * (1 - beta1);
  const float square = place.get (2) * beta2 + gradient * gradient * (1 - beta2);
  const float step = place.number (3) * moment / (sqrtf (square) + place.number (2));

  place.set (1, moment);
  place.set (2, square);
  place.set (0, place.get (0) + place.rate () * step);
  place.tell (step);
}

__device__ static inline void
step_rms (const Place &place)
{
  const float gradient = place.x (), old = place.get (0);
  const float square = old + (1 - place.number (0)) * (gradient * gradient - old);
  const float step = place.number (1) * place.get (1) +
                     place.rate () * gradient / sqrtf (place.number (2) + square);

  place.set (0, square);
  place.set (1, step);
  place.tell (step);
}

/* The rule is the same for all threads, so they do not diverge. */
__device__ static inline void
step (const Place &place)
{
  switch (place.update.rule)
    {
    case C2G_COMPUTE_RULE_SCALE:
      place.set (0, place.get (0) * place.rate ());
      break;
    case C2G_COMPUTE_RULE_ADD:
      place.set (0, place.get (0) + place.rate () * place.x ());
      break;
    case C2G_COMPUTE_RULE_ASSIGN:
      place.set (0, place.x ());
      break;
    case C2G_COMPUTE_RULE_MOMENTUM:
    case C2G_COMPUTE_RULE_NESTEROV:
      step_momentum (place, place.update.rule == C2G_COMPUTE_RULE_NESTEROV);
      break;
    case C2G_COMPUTE_RULE_ADAGRAD:
      step_adagrad (place);
      break;
    case C2G_COMPUTE_RULE_ADADELTA:
      step_adadelta (place);
      break;
    case C2G_COMPUTE_RULE_ADAM:
      step_adam (place);
      break;
    default:
      step_rms (place);
      break;
    }
}

__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
update_all (Update update,
            size_t n)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    step (Place{ update, i, i });
}

/* An index may occur more than once, and its steps must be in order. So each row belongs to one
 * share, by the lowest bits of its number. A thread goes through all indices and takes those of its
 * share. */
template <class Index>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
update_rows (Update       update,
             const Index *indices,
             size_t       n_indices,
             size_t       n,
             Divider      row_size,
             size_t       n_shares)
{
  for (size_t i = thread_number (); i < n_shares * n; i += count_threads ())
    {
      size_t column = i;
      const size_t share = row_size.cut (&column);

      for (size_t k = 0; k < n_indices; k++)
        {
          const size_t row = (size_t) indices[k];

          if ((row & (n_shares - 1)) == share)
            step (Place{ update, row * n + column, k * n + column });
        }
    }
}

/* The row-wise rules have one number for each row, in the last of the arrays. Lane 0 alone reads and
 * writes it, so a second step of the same row sees the result of the first. */
__device__ static inline float
step_number (float *number,
             float  decay,
             float  added,
             size_t lane)
{
  float value = 0;

  if (lane == 0)
    {
      value = *number * decay + added;
      *number = value;
    }
  return __shfl_sync (C2G_FULL_WARP, value, 0);
}

/* A warp steps one row: at and x_at of the place are where the row begins. */
__device__ static inline void
step_row_adagrad (const Place &row,
                  float       *moment,
                  size_t       n,
                  size_t       lane)
{
  const float *g = row.update.x + row.x_at;
  float *w = row.update.out[0] + row.at;
  const float weight_decay = row.number (2);
  float sum = 0;

  for (size_t i = lane; i < n; i += C2G_WARP_SIZE)
    sum = SquareSum::take (sum, weight_decay * w[i] + g[i]);

  const float mean = reduce_warp<Sum> (sum) / (float) n;
  const float rate =
    row.rate () / (sqrtf (step_number (moment, 1, mean, lane)) + row.number (0));

  for (size_t i = lane; i < n; i += C2G_WARP_SIZE)
    w[i] += rate * (weight_decay * w[i] + g[i]);
}

__device__ static inline void
step_row_adam (const Place &row,
               float       *square,
               size_t       n,
               size_t       lane)
{
  const float beta1 = row.number (0), beta2 = row.number (1);
  const float *g = row.update.x + row.x_at;
  float sum = 0;

  for (size_t i = lane; i < n; i += C2G_WARP_SIZE)
    sum = SquareSum::take (sum, g[i]);

  const float mean = reduce_warp<Sum> (sum) / (float) n;
  const float divisor =
    sqrtf (step_number (square, beta2, mean * (1 - beta2), lane)) + row.number (2);

  for (size_t i = lane; i < n; i += C2G_WARP_SIZE)
    {
      const Place place{ row.update, row.at + i, row.x_at + i };
      const float moment = place.get (1) * beta1 + g[i] * (1 - beta1);
      const float step = place.number (3) * moment / divisor;

      place.set (1, moment);
      place.set (0, place.get (0) + place.rate () * step);
      place.tell (step);
    }
}

/* Does the same with whole rows: a share belongs to a warp. A kernel for each rule needs fewer
 * registers. */
template <uint64_t rule, class Index>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
update_whole_rows (Update       update,
                   const Index *indices,
                   size_t       n_indices,
                   size_t       n,
                   size_t       n_shares)
{
  const size_t lane = threadIdx.x % C2G_WARP_SIZE;

  for (size_t share = thread_number () / C2G_WARP_SIZE; share < n_shares;
       share += count_threads () / C2G_WARP_SIZE)
    for (size_t k = 0; k < n_indices; k++)
      {
        const size_t row = (size_t) indices[k];
        const Place place{ update, row * n, k * n };

        if ((row & (n_shares - 1)) != share)
          continue;
        if (rule == C2G_COMPUTE_RULE_ROW_ADAGRAD)
          step_row_adagrad (place, update.out[1] + row, n, lane);
        else
          step_row_adam (place, update.out[2] + row, n, lane);
      }
}

/* n is the number of threads for a row. */
static size_t
count_shares (size_t n_indices,
              size_t n)
{
  size_t n_shares = 1;

  while (n_shares < n_indices && n_shares * n < N_ENOUGH)
    n_shares *= 2;
  return n_shares;
}

template <uint64_t rule, class Index>
static cudaError_t
launch_whole_rows (const Update           &update,
                   const C2gComputeUpdate *wanted,
                   cudaStream_t            stream)
{
  const size_t n_shares = count_shares (wanted->n_indices, C2G_WARP_SIZE);

  return Launch<update_whole_rows<rule, Index>>::run (count_blocks (n_shares * C2G_WARP_SIZE),
                                                      C2G_BLOCK_SIZE, stream, update,
                                                      (const Index *) wanted->indices,
                                                      wanted->n_indices, wanted->n, n_shares);
}

template <class Index>
static cudaError_t
launch_rows (const Update           &update,
             const C2gComputeUpdate *wanted,
             cudaStream_t            stream)
{
  const size_t n_shares = count_shares (wanted->n_indices, wanted->n);
  const size_t n = n_shares * wanted->n;

  if (wanted->rule == C2G_COMPUTE_RULE_ROW_ADAGRAD)
    return launch_whole_rows<C2G_COMPUTE_RULE_ROW_ADAGRAD, Index> (update, wanted, stream);
  if (wanted->rule == C2G_COMPUTE_RULE_ROW_ADAM)
    return launch_whole_rows<C2G_COMPUTE_RULE_ROW_ADAM, Index> (update, wanted, stream);
  return Launch<update_rows<Index>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, update,
                                          (const Index *) wanted->indices, wanted->n_indices,
                                          wanted->n, Divider (wanted->n, n), n_shares);
}

}

cudaError_t
c2g_cuda_kernel_update (const C2gComputeRequest *request,
                        void                    *memory,
                        cudaStream_t             stream)
{
  const C2gComputeUpdate *wanted = request->update;
  Update update = {};

  if (wanted->n == 0 || (wanted->indices != NULL && wanted->n_indices == 0))
    return cudaSuccess;

  update.rule = wanted->rule;
  update.rate = wanted->rate;
  update.x = wanted->x;
  update.steps = wanted->steps;
  update.rates = wanted->rates;
  for (int i = 0; i < 4; i++)
    update.numbers[i] = wanted->numbers[i];
  for (int i = 0; i < 3; i++)
    {
      update.in[i] = wanted->in[i];
      update.out[i] = wanted->out[i];
    }

  if (wanted->indices == NULL)
    return Launch<update_all>::run (count_blocks (wanted->n), C2G_BLOCK_SIZE, stream, update,
                                    wanted->n);
  if (wanted->index_type == C2G_DATA_TYPE_INT32)
    return launch_rows<int32_t> (update, wanted, stream);
  return launch_rows<int64_t> (update, wanted, stream);
}
