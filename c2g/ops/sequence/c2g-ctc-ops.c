/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/sequence/c2g-ctc-beam-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>

/* CTC decoders: from label probabilities per time step to label sequences. Label 0 is blank.
 * Inputs: X (T, N, labels) of float, and optionally the length of each of the N sequences (int32).
 *
 * CTCGreedyDecoder: takes the likeliest label of each step; merge_repeated joins repetitions;
 * blanks are dropped. Outputs: the lengths (N) and all labels, one sequence after the other.
 *
 * CTCBeamSearchDecoder: prefix beam search (see c2g-ctc-beam.c). Outputs: the lengths of the
 * num_candidates best sequences of each input, their labels, and optionally their probabilities.
 * Missing candidates have length 0.
 *
 * The rules are Caffe2's. Both operators run on the CPU only. */

/* Input X with its sizes: time steps, sequences, labels.  lengths may be NULL. */
typedef struct
{
  const float  *x;
  gint64        n_steps;
  gint64        n;
  gint64        n_labels;
  const gint32 *lengths;
} CtcInputs;

static gboolean
read_lengths (CtcInputs    *self,
              C2gOperator  *op,
              GError      **error)
{
  C2gTensor *lengths;

  self->lengths = NULL;
  if (c2g_operator_get_n_inputs (op) < 2)
    return TRUE;
  lengths = c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_INT32, self->n, error);
  if (lengths == NULL)
    return FALSE;

  self->lengths = c2g_tensor_address (lengths);
  for (gint64 i = 0; i < self->n; i++)
    if (self->lengths[i] < 0 || self->lengths[i] > self->n_steps)
      return c2g_fail (error, C2G_ERROR_RANGE,
                       _("Input %u, “%s”, has the length %d at %" PRId64
                         ", expected one from 0 to %" PRId64),
                       1, c2g_operator_input_name (op, 1),
                       self->lengths[i], i, self->n_steps);
  return TRUE;
}

static gboolean
read_inputs (CtcInputs    *self,
             C2gOperator  *op,
             GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);

  if (x == NULL)
    return FALSE;
  if (x->n_dims != 3 || x->dims[2] < 1 || x->dims[2] > G_MAXINT32)
    return c2g_operator_set_shape_error (op, 0, error, _("three dimensions, the last not 0"));
  self->x = c2g_tensor_address (x);
  self->n_steps = x->dims[0];
  self->n = x->dims[1];
  self->n_labels = x->dims[2];
  return read_lengths (self, op, error);
}

static gint64
length_of (const CtcInputs *self,
           gint64           sequence)
{
  return self->lengths != NULL ? self->lengths[sequence] : self->n_steps;
}

static const float *
step_of (const CtcInputs *self,
         gint64           step,
         gint64           sequence)
{
  return self->x + (step * self->n + sequence) * self->n_labels;
}

/* CTCGreedyDecoder */

typedef struct
{
  gboolean merge_repeated;
} GreedyState;

static gint32
likeliest (const float *x,
           gint64       n)
{
  gint32 best = 0;

  for (gint64 i = 1; i < n; i++)
    if (x[i] > x[best])
      best = (gint32) i;
  return best;
}

static gint32
decode (const CtcInputs *self,
        gint64           sequence,
        gboolean         merge_repeated,
        gint32          *to)
{
  gint32 last = 0, n = 0;

  for (gint64 step = 0; step < length_of (self, sequence); step++)
    {
      const gint32 label = likeliest (step_of (self, step, sequence), self->n_labels);

      if (label != 0 && !(merge_repeated && label == last))
        to[n++] = label;
      last = label;
    }
  return n;
}

static gboolean
greedy_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  GreedyState *self = state;
  CtcInputs x;
  C2gTensor *lengths, *labels;
  gint64 most, n_put = 0;

  if (!read_inputs (&x, op, error))
    return FALSE;
  if (__builtin_mul_overflow (x.n, x.n_steps, &most))
    return c2g_operator_set_shape_error (op, 0, error, _("fewer elements"));
  lengths = c2g_operator_output (op, 0, &x.n, 1, C2G_DATA_TYPE_INT32, error);
  labels = lengths != NULL ? c2g_operator_output (op, 1, &most, 1, C2G_DATA_TYPE_INT32, error)
                           : NULL;
  if (labels == NULL)
    return FALSE;

  for (gint64 i = 0; i < x.n; i++)
    {
      const gint32 n =
        decode (&x, i, self->merge_repeated, (gint32 *) c2g_tensor_address (labels) + n_put);

      ((gint32 *) c2g_tensor_address (lengths))[i] = n;
      n_put += n;
    }
  return c2g_tensor_shrink (labels, n_put, error);
}

/* CTCBeamSearchDecoder */

/* Limit, because the time per step grows with the square of the width. */
#define MAX_BEAM_WIDTH 4096

typedef struct
{
  int         width;
  float       threshold;
  gint64      n_candidates;
  C2gCtcBeam *beam;
} BeamState;

static gboolean
beam_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  BeamState *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  c2g_arguments_check (&arguments, "num_candidates", self->n_candidates,
                       self->n_candidates <= self->width);
  self->beam = c2g_ctc_beam_new (self->width, self->threshold);
  return c2g_arguments_finish (&arguments, error);
}

static void
beam_clear (gpointer state)
{
  g_clear_pointer (&((BeamState *) state)->beam, c2g_ctc_beam_free);
}

/* Outputs.  labels grows with each candidate. */
typedef struct
{
  gint32    *lengths;
  float     *chances;
  C2gTensor *labels;
  gint64     n_labels;
} BeamOutputs;

static gboolean
make_outputs (BeamOutputs      *self,
              C2gOperator      *op,
              const BeamState  *state,
              gint64            n,
              GError          **error)
{
  gint64 n_found;
  C2gTensor *lengths;

  if (__builtin_mul_overflow (n, state->n_candidates, &n_found))
    return c2g_operator_set_shape_error (op, 0, error, _("fewer elements"));
  lengths = c2g_operator_output (op, 0, &n_found, 1, C2G_DATA_TYPE_INT32, error);
  if (lengths == NULL)
    return FALSE;
  self->lengths = c2g_tensor_address (lengths);
  self->chances = NULL;
  if (c2g_operator_get_n_outputs (op) > 2)
    {
      C2gTensor *chances = c2g_operator_output (op, 2, &n_found, 1, C2G_DATA_TYPE_FLOAT, error);

      if (chances == NULL)
        return FALSE;
      self->chances = c2g_tensor_address (chances);
    }

  for (gint64 i = 0; i < n_found; i++)
    {
      self->lengths[i] = 0;
      if (self->chances != NULL)
        self->chances[i] = 0;
    }
  self->n_labels = 0;
  self->labels = c2g_operator_output (op, 1, &self->n_labels, 1, C2G_DATA_TYPE_INT32, error);
  return self->labels != NULL;
}

static gboolean
put_candidate (BeamOutputs       *self,
               const C2gCtcBeam  *beam,
               gint64             candidate,
               gint64             place,
               GError           **error)
{
  const gint64 length = c2g_ctc_beam_get_length (beam, candidate);

  /* c2g_tensor_allocate() matters the first time, when there is no memory to extend. */
  if (length > 0 && (!c2g_tensor_extend (self->labels, length, 100, NULL, error) ||
                     !c2g_tensor_allocate (self->labels, C2G_DATA_TYPE_INT32, error)))
    return FALSE;
  if (length > 0)
    c2g_ctc_beam_get_labels (beam, candidate,
                             (gint32 *) c2g_tensor_address (self->labels) + self->n_labels);
  self->n_labels += length;
  self->lengths[place] = (gint32) length;
  if (self->chances != NULL)
    self->chances[place] = c2g_ctc_beam_get_chance (beam, candidate);
  return TRUE;
}

static gboolean
beam_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  BeamState *self = state;
  CtcInputs x;
  BeamOutputs y;

  if (!read_inputs (&x, op, error) || !make_outputs (&y, op, self, x.n, error))
    return FALSE;

  for (gint64 i = 0; i < x.n; i++)
    {
      const gint64 n_steps = length_of (&x, i);
      gint64 n_found;

      if (!c2g_ctc_beam_start (self->beam, x.n_labels, error))
        return FALSE;
      for (gint64 step = 0; step < n_steps; step++)
        if (c2g_interrupt_is_wanted ())
          return TRUE;
        else if (!c2g_ctc_beam_step (self->beam, step_of (&x, step, i), error))
          return FALSE;

      /* A sequence of no steps has no candidates. */
      n_found = n_steps > 0 ? MIN (self->n_candidates, c2g_ctc_beam_get_n (self->beam)) : 0;
      for (gint64 j = 0; j < n_found; j++)
        if (!put_candidate (&y, self->beam, j, i * self->n_candidates + j, error))
          return FALSE;
    }
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "CTCGreedyDecoder",
    .min_inputs = 1,
    .max_inputs = 2,
    .min_outputs = 2,
    .max_outputs = 2,
    .arguments = C2G_ARGS (C2G_ARG_BOOLEAN (GreedyState, merge_repeated, "merge_repeated", TRUE)),
    .state_size = sizeof (GreedyState),
    .run = greedy_run,
    .summary = "Sequences of the likeliest labels",
  },
  {
    .type = "CTCBeamSearchDecoder",
    .min_inputs = 1,
    .max_inputs = 2,
    .min_outputs = 2,
    .max_outputs = 3,
    .arguments = C2G_ARGS (
      C2G_ARG_INT (BeamState, width, "beam_width", 10, C2G_RANGE (1, MAX_BEAM_WIDTH)),
      C2G_ARG_FLOAT (BeamState, threshold, "prune_threshold", 0.001),
      C2G_ARG_INT (BeamState, n_candidates, "num_candidates", 1, C2G_AT_LEAST (1))),
    .state_size = sizeof (BeamState),
    .set_up = beam_set_up,
    .run = beam_run,
    .clear = beam_clear,
    .summary = "The likeliest sequences of labels",
  },
};

C2G_OPS_FAMILY (ctc);
