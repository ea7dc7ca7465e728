/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/sequence/c2g-rnn-private.h>
#include <c2g/ops/support/c2g-gemm-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>

#include <math.h>
#include <string.h>

/* The recurrent part of Caffe's layers LSTM and RNN: T steps of N sequences of D units, all float.
 *
 * Inputs: gates (T, N, G D), what comes from outside; cont (T, N); weights (G D, D) of the state; and
 * the states before the first step (1, N, D), which are 0 if they are not given. Outputs: the hidden
 * state of each step (T, N, D), and the states after the last one (1, N, D).
 *
 * CaffeLSTM has the states h and c, and four gates: input i, forget f, output o and candidate g. With
 * h' = cont h and c' = cont c of the step before, the gates get weights · h', and
 *
 * c = σ(f) c' + σ(i) tanh (g); h = σ(o) tanh (c).
 *
 * CaffeRNN has the state h = tanh (gate). A cont of 0 begins a sequence. On CUDA a step is a product,
 * and kernels/units.cu before and after it. */

enum
{
  IN_GATES,
  IN_CONT,
  IN_WEIGHTS,
  IN_STATES
};

#define MAX_STATES 2

typedef struct
{
  C2gScratch scratch;
} RecurrentState;

typedef struct
{
  gint64       n_steps;
  gint64       n_sequences;
  gint64       n_units;
  gint64       n_gates;
  const float *gates;
  const float *cont;
  const float *weights;
  /* NULL means zeros. */
  const float *before[MAX_STATES];
  float       *hidden;
  /* NULL if the operator lacks the output. */
  float       *after[MAX_STATES];
} Recurrence;

static gsize
count_state (const Recurrence *self)
{
  return self->n_sequences * self->n_units;
}

/* Multiplies the states by cont, so that a new sequence begins with zeros. */
static void
carry (const Recurrence *self,
       const float      *cont,
       const float      *before,
       float            *kept)
{
  for (gint64 i = 0; i < self->n_sequences; i++)
    for (gint64 k = i * self->n_units; k < (i + 1) * self->n_units; k++)
      kept[k] = before != NULL && cont[i] != 0 ? cont[i] * before[k] : 0;
}

static void
run_row (const Recurrence *self,
         const float      *gates,
         float            *cells,
         float            *hidden)
{
  if (self->n_gates == 4)
    c2g_lstm_row (gates, 0, cells, hidden, cells, self->n_units);
  else
    for (gint64 i = 0; i < self->n_units; i++)
      hidden[i] = tanhf (gates[i]);
}

/* Returns the product of a step: the gates get weights · kept. */
static C2gGemm
make_gemm (const Recurrence *self,
           const float      *kept,
           float            *gates)
{
  C2gGemm gemm = { .trans_b = TRUE,
                   .m = self->n_sequences,
                   .n = self->n_gates * self->n_units,
                   .k = self->n_units,
                   .a = kept,
                   .b = self->weights,
                   .c = gates,
                   .adds = TRUE };

  c2g_gemm_pack (&gemm);
  return gemm;
}

/* Computes one step. GATES, KEPT and CELLS are scratch memory; CELLS keeps its content from step to
 * step. */
static void
run_step (const Recurrence *self,
          gint64            t,
          float            *gates,
          float            *kept,
          float            *cells)
{
  const gint64 n = self->n_gates * self->n_units;
  const float *cont = self->cont + t * self->n_sequences;
  float *hidden = self->hidden + t * count_state (self);
  const C2gGemm gemm = make_gemm (self, kept, gates);

  carry (self, cont, t == 0 ? self->before[0] : hidden - count_state (self), kept);
  carry (self, cont, t == 0 ? self->before[1] : cells, cells);
  memcpy (gates, self->gates + t * self->n_sequences * n, self->n_sequences * n * sizeof (float));
  c2g_gemm_run (&gemm);
  for (gint64 i = 0; i < self->n_sequences; i++)
    run_row (self, gates + i * n, cells + i * self->n_units, hidden + i * self->n_units);
}

static void
keep_state (const Recurrence *self,
            guint             i,
            const float      *source)
{
  if (self->after[i] != NULL && source != NULL)
    memcpy (self->after[i], source, count_state (self) * sizeof (float));
  else if (self->after[i] != NULL)
    memset (self->after[i], 0, count_state (self) * sizeof (float));
}

static void
run_steps (const Recurrence *self,
           float            *scratch)
{
  const gint64 last = self->n_steps - 1;
  float *kept = scratch + self->n_gates * count_state (self);
  float *cells = kept + count_state (self);

  for (gint64 t = 0; t < self->n_steps && !c2g_interrupt_is_wanted (); t++)
    run_step (self, t, scratch, kept, cells);
  keep_state (self, 0, last >= 0 ? self->hidden + last * count_state (self) : self->before[0]);
  keep_state (self, 1, last >= 0 ? cells : self->before[1]);
}

static gboolean
run_step_on_device (C2gOperator       *op,
                    const Recurrence  *self,
                    gint64             t,
                    float             *gates,
                    float             *kept,
                    float             *cells,
                    GError           **error)
{
  const gsize n = count_state (self);
  float *hidden = self->hidden + t * n;
  const gboolean is_lstm = self->n_gates == 4;
  const C2gGemm gemm = make_gemm (self, kept, gates);
  const C2gComputeUnits carried = {
    .function = C2G_COMPUTE_UNIT_CARRY,
    .n_sequences = self->n_sequences,
    .n_units = self->n_units,
    .cont = self->cont + t * self->n_sequences,
    .hidden = t == 0 ? self->before[0] : hidden - n,
    .cells = t == 0 ? self->before[1] : cells,
    .hidden_after = kept,
    .cells_after = is_lstm ? cells : NULL,
  };
  const C2gComputeUnits units = {
    .function = C2G_COMPUTE_UNIT_LSTM,
    .n_sequences = self->n_sequences,
    .n_units = self->n_units,
    .gates = gates,
    .cells = cells,
    .hidden_after = hidden,
    .cells_after = cells,
  };

  if (!C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNITS, .units = &carried) ||
      !c2g_on_device_gemm (op, &gemm, NULL, error))
    return FALSE;
  if (is_lstm)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNITS, .units = &units);
  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_TANH, .type = C2G_DATA_TYPE_FLOAT,
                      .x = gates, .y = hidden, .n = n);
}

static gboolean
keep_state_on_device (C2gOperator       *op,
                      const Recurrence  *self,
                      guint              i,
                      const float       *source,
                      GError           **error)
{
  const gsize n = count_state (self);

  if (self->after[i] == NULL)
    return TRUE;
  if (source == NULL)
    return c2g_on_device_clear (op, self->after[i], n * sizeof (float), error);
  return c2g_on_device_copy (op, c2g_type_meta_for_data_type (C2G_DATA_TYPE_FLOAT, NULL), n, source, self->after[i],
                             error);
}

/* Unlike on the CPU there are gates for all steps, so that they are copied at once. */
static gboolean
run_on_device (C2gOperator       *op,
               const Recurrence  *self,
               GError           **error)
{
  const gsize n = count_state (self), n_gates = self->n_gates * n;
  const gint64 last = self->n_steps - 1;
  float *gates;
  g_autoptr (C2gStorage) scratch =
    c2g_on_device_scratch (op, n, (self->n_steps * self->n_gates + MAX_STATES) * sizeof (float), &gates, error);
  float *kept, *cells;

  if (scratch == NULL)
    return FALSE;
  kept = gates + self->n_steps * n_gates;
  cells = kept + n;
  if (self->n_steps > 0 && !c2g_on_device_copy (op, c2g_type_meta_for_data_type (C2G_DATA_TYPE_FLOAT, NULL),
                                                self->n_steps * n_gates, self->gates, gates, error))
    return FALSE;
  for (gint64 t = 0; t < self->n_steps && !c2g_interrupt_is_wanted (); t++)
    if (!run_step_on_device (op, self, t, gates + t * n_gates, kept, cells, error))
      return FALSE;
  return keep_state_on_device (op, self, 0, last >= 0 ? self->hidden + last * n : self->before[0], error) &&
         keep_state_on_device (op, self, 1, last >= 0 ? cells : self->before[1], error);
}

static gboolean
read_gates (Recurrence   *self,
            C2gOperator  *op,
            GError      **error)
{
  C2gTensor *gates = c2g_operator_input (op, IN_GATES, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *cont = gates != NULL ? c2g_operator_input (op, IN_CONT, C2G_DATA_TYPE_FLOAT, error) : NULL;
  C2gTensor *weights = cont != NULL ? c2g_operator_input (op, IN_WEIGHTS, C2G_DATA_TYPE_FLOAT, error) : NULL;

  if (weights == NULL)
    return FALSE;
  if (gates->n_dims != 3 || gates->dims[2] % self->n_gates != 0)
    return c2g_operator_set_shape_error (op, IN_GATES, error, _("three dimensions, the last one divisible by %" PRId64),
                                         self->n_gates);
  self->n_steps = gates->dims[0];
  self->n_sequences = gates->dims[1];
  self->n_units = gates->dims[2] / self->n_gates;
  if (cont->n_dims != 2 || cont->dims[0] != self->n_steps || cont->dims[1] != self->n_sequences)
    return c2g_operator_set_shape_error (op, IN_CONT, error, "[%" PRId64 ", %" PRId64 "]", self->n_steps,
                                         self->n_sequences);
  if (weights->n_dims != 2 || weights->dims[0] != gates->dims[2] || weights->dims[1] != self->n_units)
    return c2g_operator_set_shape_error (op, IN_WEIGHTS, error, "[%" PRId64 ", %" PRId64 "]", gates->dims[2],
                                         self->n_units);

  self->gates = c2g_tensor_address (gates);
  self->cont = c2g_tensor_address (cont);
  self->weights = c2g_tensor_address (weights);
  return TRUE;
}

static gboolean
read_states (Recurrence   *self,
             C2gOperator  *op,
             GError      **error)
{
  for (guint i = IN_STATES; i < c2g_operator_get_n_inputs (op); i++)
    {
      C2gTensor *tensor = c2g_operator_input (op, i, C2G_DATA_TYPE_FLOAT, error);

      if (tensor == NULL)
        return FALSE;
      if (tensor->n_dims != 3 || tensor->dims[0] != 1 || tensor->dims[1] != self->n_sequences ||
          tensor->dims[2] != self->n_units)
        return c2g_operator_set_shape_error (op, i, error, "[1, %" PRId64 ", %" PRId64 "]", self->n_sequences,
                                             self->n_units);
      self->before[i - IN_STATES] = c2g_tensor_address (tensor);
    }
  return TRUE;
}

static gboolean
make_outputs (Recurrence   *self,
              C2gOperator  *op,
              GError      **error)
{
  for (guint i = 0; i < c2g_operator_get_n_outputs (op); i++)
    {
      const gint64 dims[] = { i == 0 ? self->n_steps : 1, self->n_sequences, self->n_units };
      C2gTensor *tensor = c2g_operator_output (op, i, dims, G_N_ELEMENTS (dims), C2G_DATA_TYPE_FLOAT, error);

      if (tensor == NULL)
        return FALSE;
      *(i == 0 ? &self->hidden : &self->after[i - 1]) = c2g_tensor_address (tensor);
    }
  return TRUE;
}

static gboolean
recurrent_set_up (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  const guint n_states = g_str_equal (c2g_operator_get_op_type (op), "CaffeLSTM") ? 2 : 1;
  const guint n_inputs = c2g_operator_get_n_inputs (op);
  const guint n_outputs = c2g_operator_get_n_outputs (op);

  if ((n_inputs == IN_STATES || n_inputs == IN_STATES + n_states) && (n_outputs == 1 || n_outputs == 1 + n_states))
    return TRUE;
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("All states have to be given, or none"));
}

static gboolean
run (C2gOperator     *op,
     RecurrentState  *state,
     gint64           n_gates,
     GError         **error)
{
  Recurrence self = { .n_gates = n_gates };

  if (!read_gates (&self, op, error) || !read_states (&self, op, error) || !make_outputs (&self, op, error))
    return FALSE;
  if (count_state (&self) == 0)
    return TRUE;
  if (!c2g_gemm_check (&(C2gGemm) { .m = self.n_sequences, .n = n_gates * self.n_units, .k = self.n_units }, error))
    return FALSE;

  if (c2g_operator_get_compute (op) != NULL)
    {
      if (!run_on_device (op, &self, error))
        return FALSE;
    }
  else if (c2g_scratch_reserve (&state->scratch, n_gates + MAX_STATES, count_state (&self), error))
    run_steps (&self, state->scratch.data);
  else
    return FALSE;
  c2g_operator_set_flops (op, 2.0 * (double) self.n_steps * (double) count_state (&self) * (double) (n_gates * self.n_units));
  return TRUE;
}

static gboolean
lstm_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  return run (op, state, 4, error);
}

static gboolean
rnn_run (C2gOperator  *op,
         gpointer      state,
         GError      **error)
{
  return run (op, state, 1, error);
}

C2G_SCRATCH_DEFINE_CLEAR (recurrent_clear, RecurrentState, scratch)

#define RECURRENT(name, states, function, text)                                                    \
  {                                                                                                \
    .type = name, .min_inputs = IN_STATES, .max_inputs = IN_STATES + states, .min_outputs = 1,     \
    .max_outputs = 1 + states, .state_size = sizeof (RecurrentState), .set_up = recurrent_set_up,  \
    .run = function, .infer = function, .clear = recurrent_clear, .is_for_devices = TRUE,          \
    .traits = C2G_TRAIT_PURE,                                                                      \
    .count_flops = c2g_operator_count_flops, .summary = text                                       \
  }

static const C2gKernel kernels[] = {
  RECURRENT ("CaffeLSTM", 2, lstm_run, "LSTM units over sequences, as in Caffe"),
  RECURRENT ("CaffeRNN", 1, rnn_run, "Recurrent units over sequences, as in Caffe"),
};

C2G_OPS_FAMILY (caffe_recurrent);
