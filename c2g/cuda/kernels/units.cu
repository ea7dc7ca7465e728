/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-map.cuh"

/* One step of recurrent units. The gates of a sequence are input, forget, output and candidate of all
 * LSTM units, or reset, update and output of all GRU units. */

using namespace c2g_cuda;

namespace c2g_cuda
{

struct Units
{
  const float   *gates;
  const int32_t *lengths;
  /* NULL if the step is step_value. */
  const int32_t *step;
  const float   *hidden;
  const float   *cells;
  float         *hidden_after;
  float         *cells_after;
  /* The units of a sequence, as a divisor. */
  Divider        units;
  size_t         n;
  float          forget_bias;
  int32_t        step_value;
  int32_t        drops_states;
};

__device__ static inline bool
has_ended (const Units &units,
           size_t       sequence)
{
  const int32_t step = units.step != nullptr ? *units.step : units.step_value;

  return units.lengths != nullptr && step >= units.lengths[sequence];
}

__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
step_lstm (Units units)
{
  const size_t n = units.units.divisor;

  for (size_t i = thread_number (); i < units.n; i += count_threads ())
    {
      size_t unit = i;
      const size_t sequence = units.units.cut (&unit);
      const float *gates = units.gates + sequence * 4 * n + unit;

      if (has_ended (units, sequence))
        {
          units.hidden_after[i] = units.drops_states ? 0 : units.hidden[i];
          units.cells_after[i] = units.drops_states ? 0 : units.cells[i];
          continue;
        }
      const float cell = sigmoid (gates[n] + units.forget_bias) * units.cells[i] +
                         sigmoid (gates[0]) * tanhf (gates[3 * n]);

      units.cells_after[i] = cell;
      units.hidden_after[i] = sigmoid (gates[2 * n]) * tanhf (cell);
    }
}

__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
step_gru (Units units)
{
  const size_t n = units.units.divisor;

  for (size_t i = thread_number (); i < units.n; i += count_threads ())
    {
      size_t unit = i;
      const size_t sequence = units.units.cut (&unit);
      const float *gates = units.gates + sequence * 3 * n + unit;
      const float stays = sigmoid (gates[n]);

      if (has_ended (units, sequence))
        units.hidden_after[i] = units.drops_states ? 0 : units.hidden[i];
      else
        units.hidden_after[i] = units.hidden[i] * stays + tanhf (gates[2 * n]) * (1 - stays);
    }
}

/* Infinite states times a cont of 0 are 0. */
__device__ static inline float
carry_state (const float *states,
             float        cont,
             size_t       i)
{
  return states != nullptr && cont != 0 ? cont * states[i] : 0;
}

__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
carry_states (Units        units,
              const float *cont)
{
  for (size_t i = thread_number (); i < units.n; i += count_threads ())
    {
      const float factor = cont[units.units.divide (i)];

      units.hidden_after[i] = carry_state (units.hidden, factor, i);
      if (units.cells_after != nullptr)
        units.cells_after[i] = carry_state (units.cells, factor, i);
    }
}

}

cudaError_t
c2g_cuda_kernel_units (const C2gComputeRequest *request,
                       void                    *memory,
                       cudaStream_t             stream)
{
  const C2gComputeUnits *wanted = request->units;
  const size_t n = wanted->n_sequences * wanted->n_units;
  const Blocks blocks = count_blocks (n);
  Units units = {};

  if (n == 0)
    return cudaSuccess;
  units.gates = wanted->gates;
  units.lengths = wanted->lengths;
  units.step = wanted->step;
  units.step_value = wanted->step_value;
  units.hidden = wanted->hidden;
  units.cells = wanted->cells;
  units.hidden_after = wanted->hidden_after;
  units.cells_after = wanted->cells_after;
  units.units = Divider (wanted->n_units, n);
  units.n = n;
  units.forget_bias = wanted->forget_bias;
  units.drops_states = wanted->drops_states;

  switch (wanted->function)
    {
    case C2G_COMPUTE_UNIT_LSTM:
      return Launch<step_lstm>::run (blocks, C2G_BLOCK_SIZE, stream, units);
    case C2G_COMPUTE_UNIT_GRU:
      return Launch<step_gru>::run (blocks, C2G_BLOCK_SIZE, stream, units);
    case C2G_COMPUTE_UNIT_CARRY:
      return Launch<carry_states>::run (blocks, C2G_BLOCK_SIZE, stream, units, wanted->cont);
    default:
      return cudaErrorNotSupported;
    }
}
