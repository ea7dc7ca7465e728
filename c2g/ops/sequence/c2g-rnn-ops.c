/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/ops/sequence/c2g-rnn-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-vector-math-private.h>

#include <string.h>

/* One time step of recurrent units, for N sequences of D units, all float; the gates' matrix
 * products have been computed before.
 *
 * GRUUnit: h (1, N, D), gates (1, N, 3 D) as reset, update u and output o, optional lengths (N),
 * step.  h' = h σ(u) + tanh (o) (1 - σ(u)).
 *
 * LSTMUnit: h, c (1, N, D), gates (1, N, 4 D) as input i, forget f, output o and candidate g,
 * optional lengths, step.  c' = σ(f + forget_bias) c + σ(i) tanh (g); h' = σ(o) tanh (c').
 *
 * After the end of a sequence (step ≥ length) the state is kept, or 0 with drop_states.  lengths
 * and step are int32. Nothing is in place. The rules are Caffe2's. On CUDA kernels/units.cu computes
 * both; the step may be on the CPU then, as in Caffe2, or on the device. */

typedef struct
{
  gboolean drop_states;
  gboolean has_lengths;
  float    forget_bias;
} UnitState;

/* One time step for n sequences. */
typedef struct
{
  gint64        n;
  gint64        n_units;
  gint32        step;
  /* The step if it is on a device, otherwise NULL. */
  const gint32 *far_step;
  /* NULL without sequence_lengths: no sequence ends. */
  const gint32 *lengths;
  const float  *gates;
} Unit;

static gboolean
unit_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  UnitState *self = state;
  const gboolean is_lstm = c2g_operator_get_n_outputs (op) == 2;
  const guint n_inputs = c2g_operator_get_n_inputs (op);
  const guint n_expected = (is_lstm ? 4 : 3) + (self->has_lengths ? 1 : 0);

  if (n_inputs == n_expected)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Expected %u inputs, got %u"), n_expected,
                   n_inputs);
}

static gboolean
read_step (Unit         *unit,
           C2gOperator  *op,
           guint         input,
           gboolean      has_lengths,
           GError      **error)
{
  C2gTensor *tensor;

  unit->lengths = NULL;
  if (has_lengths)
    {
      tensor = c2g_operator_input_sized (op, input++, C2G_DATA_TYPE_INT32, unit->n, error);
      if (tensor == NULL)
        return FALSE;
      unit->lengths = c2g_tensor_address (tensor);
    }

  tensor = c2g_operator_input_near_or_far (op, input, C2G_DATA_TYPE_INT32, error);
  if (tensor == NULL)
    return FALSE;
  if (tensor->n_elements < 1)
    return c2g_operator_set_shape_error (op, input, error, _("a single element"));
  unit->step = 0;
  unit->far_step = NULL;
  if (tensor->device->type != C2G_DEVICE_TYPE_CPU)
    unit->far_step = c2g_tensor_address (tensor);
  else if (!c2g_operator_is_inferring (op))
    unit->step = *(const gint32 *) c2g_tensor_address (tensor);
  return TRUE;
}

/* Reads the old state (1, n, n_units), the gates (1, n, n_gates n_units), the lengths and the
 * step. Returns the old state. */
static C2gTensor *
read_unit (Unit         *unit,
           C2gOperator  *op,
           guint         state_input,
           guint         gates_input,
           gint64        n_gates,
           gboolean      has_lengths,
           GError      **error)
{
  C2gTensor *before = c2g_operator_input (op, state_input, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *gates;

  if (before == NULL)
    return NULL;
  if (before->n_dims != 3 || before->dims[0] != 1)
    {
      c2g_operator_set_shape_error (op, state_input, error, _("three dimensions, the first 1"));
      return NULL;
    }

  unit->n = before->dims[1];
  unit->n_units = before->dims[2];
  gates = c2g_operator_input (op, gates_input, C2G_DATA_TYPE_FLOAT, error);
  if (gates == NULL)
    return NULL;
  if (gates->n_dims != 3 || gates->dims[0] != 1 || gates->dims[1] != unit->n ||
      gates->dims[2] % n_gates != 0 || gates->dims[2] / n_gates != unit->n_units)
    {
      c2g_operator_set_shape_error (op, gates_input, error,
                                    "[1, %" PRId64 ", %" PRId64 " × %" PRId64 "]", unit->n,
                                    n_gates, unit->n_units);
      return NULL;
    }
  unit->gates = c2g_tensor_address (gates);
  return read_step (unit, op, gates_input + 1, has_lengths, error) ? before : NULL;
}

static gboolean
has_ended (const Unit *unit,
           gint64      i)
{
  return unit->lengths != NULL && unit->step >= unit->lengths[i];
}

static gboolean
run_on_device (C2gOperator      *op,
               const UnitState  *self,
               const Unit       *unit,
               C2gComputeUnits   units,
               GError          **error)
{
  units.n_sequences = unit->n;
  units.n_units = unit->n_units;
  units.gates = unit->gates;
  units.forget_bias = self->forget_bias;
  units.lengths = unit->lengths;
  units.step = unit->far_step;
  units.step_value = unit->step;
  units.drops_states = self->drop_states;
  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNITS, .units = &units);
}

/* Computes the state of a sequence that has ended. */
static void
keep_or_drop (const UnitState *self,
              const float     *before,
              float           *after,
              gint64           n)
{
  if (n == 0)
    return;
  if (self->drop_states)
    memset (after, 0, n * sizeof (float));
  else if (after != before)
    memcpy (after, before, n * sizeof (float));
}

C2G_HOT static void
gru_row (const float *update,
         const float *output,
         const float *before,
         float       *after,
         gint64       n)
{
  C2G_INDEPENDENT
  for (gint64 i = 0; i < n; i++)
    {
      const float stays = c2g_vector_sigmoid (update[i]);

      after[i] = before[i] * stays + c2g_vector_tanh (output[i]) * (1 - stays);
    }
}

static gboolean
gru_run (C2gOperator  *op,
         gpointer      state,
         GError      **error)
{
  UnitState *self = state;
  Unit unit;
  C2gTensor *before = read_unit (&unit, op, 0, 1, 3, self->has_lengths, error);
  C2gTensor *after;

  after = before != NULL ? c2g_operator_output_like (op, 0, before, C2G_DATA_TYPE_FLOAT, error)
                         : NULL;
  /* There may be any number of sequences of no units. */
  if (after == NULL || after->n_elements == 0)
    return after != NULL;
  if (c2g_operator_get_compute (op) != NULL)
    return run_on_device (op, self, &unit,
                          (C2gComputeUnits) { .function = C2G_COMPUTE_UNIT_GRU,
                                              .hidden = c2g_tensor_address (before),
                                              .hidden_after = c2g_tensor_address (after) },
                          error);

  for (gint64 i = 0; i < unit.n; i++)
    {
      const gint64 n = unit.n_units;
      const float *from = (const float *) c2g_tensor_address (before) + i * n;
      const float *gates = unit.gates + i * 3 * n;
      float *to = (float *) c2g_tensor_address (after) + i * n;

      if (has_ended (&unit, i))
        keep_or_drop (self, from, to, n);
      else
        gru_row (gates + n, gates + 2 * n, from, to, n);
    }
  return TRUE;
}

C2G_HOT static void
hot_lstm (const float *gates,
          float        forget_bias,
          const float *cells,
          float       *hidden_after,
          float       *cells_after,
          gint64       n)
{
  const float *in = gates, *forget = gates + n, *out = gates + 2 * n, *candidate = gates + 3 * n;

  C2G_INDEPENDENT
  for (gint64 i = 0; i < n; i++)
    {
      const float cell = c2g_vector_sigmoid (forget[i] + forget_bias) * cells[i] +
                         c2g_vector_sigmoid (in[i]) * c2g_vector_tanh (candidate[i]);

      cells_after[i] = cell;
      hidden_after[i] = c2g_vector_sigmoid (out[i]) * c2g_vector_tanh (cell);
    }
}

void
c2g_lstm_row (const float *gates,
              float        forget_bias,
              const float *cells,
              float       *hidden_after,
              float       *cells_after,
              gint64       n)
{
  hot_lstm (gates, forget_bias, cells, hidden_after, cells_after, n);
}

static gboolean
lstm_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  UnitState *self = state;
  Unit unit;
  C2gTensor *cells = read_unit (&unit, op, 1, 2, 4, self->has_lengths, error);
  C2gTensor *hidden, *hidden_after, *cells_after;

  hidden = cells != NULL ? c2g_operator_input_like (op, 0, C2G_DATA_TYPE_FLOAT, cells, error)
                         : NULL;
  if (hidden == NULL)
    return FALSE;
  hidden_after = c2g_operator_output_like (op, 0, cells, C2G_DATA_TYPE_FLOAT, error);
  if (hidden_after == NULL)
    return FALSE;
  cells_after = c2g_operator_output_like (op, 1, cells, C2G_DATA_TYPE_FLOAT, error);
  /* There may be any number of sequences of no units. */
  if (cells_after == NULL || cells_after->n_elements == 0)
    return cells_after != NULL;
  if (c2g_operator_get_compute (op) != NULL)
    return run_on_device (op, self, &unit,
                          (C2gComputeUnits) { .function = C2G_COMPUTE_UNIT_LSTM,
                                              .hidden = c2g_tensor_address (hidden),
                                              .cells = c2g_tensor_address (cells),
                                              .hidden_after = c2g_tensor_address (hidden_after),
                                              .cells_after = c2g_tensor_address (cells_after) },
                          error);

  for (gint64 i = 0; i < unit.n; i++)
    {
      const gint64 n = unit.n_units;
      const float *from = (const float *) c2g_tensor_address (cells) + i * n;
      float *to = (float *) c2g_tensor_address (cells_after) + i * n;
      float *hidden_to = (float *) c2g_tensor_address (hidden_after) + i * n;

      if (has_ended (&unit, i))
        {
          keep_or_drop (self, (const float *) c2g_tensor_address (hidden) + i * n, hidden_to, n);
          keep_or_drop (self, from, to, n);
        }
      else
        c2g_lstm_row (unit.gates + i * 4 * n, self->forget_bias, from, hidden_to, to, n);
    }
  return TRUE;
}

static const C2gKernelArgument arguments[] = {
  C2G_ARG_BOOLEAN (UnitState, drop_states, "drop_states", FALSE),
  C2G_ARG_BOOLEAN (UnitState, has_lengths, "sequence_lengths", TRUE),
  C2G_ARG_FLOAT (UnitState, forget_bias, "forget_bias", 0),
  { 0 },
};

static const C2gKernel kernels[] = {
  {
    .type = "GRUUnit",
    .min_inputs = 3,
    .max_inputs = 4,
    .min_outputs = 1,
    .max_outputs = 1,
    .arguments = arguments,
    .state_size = sizeof (UnitState),
    .set_up = unit_set_up,
    .run = gru_run,
    .infer = gru_run,
    .is_for_devices = TRUE,
    .traits = C2G_TRAIT_PURE,
    .summary = "One step of gated recurrent units",
  },
  {
    .type = "LSTMUnit",
    .min_inputs = 4,
    .max_inputs = 5,
    .min_outputs = 2,
    .max_outputs = 2,
    .arguments = arguments,
    .state_size = sizeof (UnitState),
    .set_up = unit_set_up,
    .run = lstm_run,
    .infer = lstm_run,
    .is_for_devices = TRUE,
    .traits = C2G_TRAIT_PURE,
    .summary = "One step of LSTM units",
  },
};

C2G_OPS_FAMILY (rnn);
