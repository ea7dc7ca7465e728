/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-elementwise-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>

#include <float.h>
#include <math.h>

/* Losses for probabilities and rankings, of float; nothing is in place.
 *
 * BernoulliJSD: Jensen-Shannon divergence H ((p + q) / 2) - (H (p) + H (q)) / 2, element by
 * element, where H is the entropy of a Bernoulli distribution.
 * MarginRankingCriterion: max (0, margin - label (a - b)), element by element; label is int32,
 * ±1.
 * PairWiseLoss: scores (N), labels (N), optional session lengths; for each session the mean of log
 * (1 + exp (lower - higher)) over pairs with different labels, where higher is the score of the
 * element with the higher label.
 *
 * The rules are Caffe2's. These operators run on the CPU only. */

/* BernoulliJSD */

static double
get_entropy (double p)
{
  if (p < 1e-20 || 1 - p < 1e-20)
    return 0;
  return -p * log (p) - (1 - p) * log (1 - p);
}

static gboolean
bernoulli_jsd_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *t =
    x != NULL ? c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_FLOAT, x->n_elements, error) : NULL;
  const float *ps, *qs;
  C2gTensor *y;

  y = t != NULL ? c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error) : NULL;
  if (y == NULL)
    return FALSE;

  ps = c2g_tensor_address (x);
  qs = c2g_tensor_address (t);
  for (gint64 i = 0; i < y->n_elements; i++)
    ((float *) c2g_tensor_address (y))[i] =
      (float) (get_entropy (((double) ps[i] + qs[i]) / 2) -
               (get_entropy (ps[i]) + get_entropy (qs[i])) / 2);
  return TRUE;
}

/* MarginRankingCriterion */

typedef struct
{
  float margin;
} Margin;

static gboolean
margin_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  Margin *self = state;
  C2gTensor *a = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *b, *labels, *y;

  if (a == NULL)
    return FALSE;
  b = c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_FLOAT, a->n_elements, error);
  labels = b != NULL ? c2g_operator_input_sized (op, 2, C2G_DATA_TYPE_INT32, a->n_elements, error)
                     : NULL;
  y = labels != NULL ? c2g_operator_output_like (op, 0, a, C2G_DATA_TYPE_FLOAT, error) : NULL;
  if (y == NULL)
    return FALSE;

  for (gint64 i = 0; i < y->n_elements; i++)
    {
      float difference =
        ((const float *) c2g_tensor_address (a))[i] - ((const float *) c2g_tensor_address (b))[i];
      float loss =
        self->margin - (float) ((const gint32 *) c2g_tensor_address (labels))[i] * difference;

      ((float *) c2g_tensor_address (y))[i] = loss > 0 ? loss : 0;
    }
  return TRUE;
}

/* PairWiseLoss */

/* log (1 + exp (x)), without overflow. */
static double
get_logistic_loss (double x)
{
  return MAX (x, 0) + log1p (exp (-fabs (x)));
}

static float
get_session_loss (const float *scores,
                  const float *labels,
                  gint64       n)
{
  gint64 n_pairs = 0;
  double sum = 0;

  for (gint64 i = 0; i < n && !c2g_interrupt_is_wanted (); i++)
    for (gint64 k = 0; k < i; k++)
      {
        double difference = (double) scores[k] - scores[i];

        if (fabsf (labels[i] - labels[k]) < FLT_EPSILON)
          continue;
        n_pairs++;
        sum += get_logistic_loss (labels[i] > labels[k] ? difference : -difference);
      }

  return n_pairs > 0 ? (float) (sum / (double) n_pairs) : 0;
}

/* Checks that there are n scores and n labels. */
static gboolean
check_pairs (C2gOperator  *op,
             C2gTensor    *x,
             gint64        n,
             GError      **error)
{
  C2gTensor *labels;

  if (x->n_elements != n)
    return c2g_operator_set_shape_error (op, 0, error, _("%" PRId64 " elements"), n);

  labels = c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_FLOAT, n, error);
  if (labels == NULL)
    return FALSE;
  if (labels->n_dims == 1 || (labels->n_dims == 2 && labels->dims[1] == 1))
    return TRUE;
  return c2g_operator_set_shape_error (op, 1, error, _("a vector"));
}

/* Checks that the session lengths add up to n. */
static gboolean
check_sessions (C2gOperator  *op,
                gint64        n,
                GError      **error)
{
  C2gTensor *lengths = c2g_operator_input (op, 2, C2G_DATA_TYPE_INT32, error);
  const gint32 *items = lengths != NULL ? c2g_tensor_address (lengths) : NULL;
  gint64 sum = 0;

  if (lengths == NULL)
    return FALSE;
  if (lengths->n_dims != 1)
    return c2g_operator_set_shape_error (op, 2, error, _("a vector"));
  if (c2g_operator_is_inferring (op))
    return TRUE;

  for (gint64 i = 0; i < lengths->n_elements && sum <= n; i++)
    if (items[i] < 0)
      sum = n + 1;
    else
      sum += items[i];
  if (sum == n)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_RANGE, _("The lengths in “%s” are not together %" PRId64),
                   c2g_operator_input_name (op, 2), n);
}

static void
run_sessions (C2gOperator *op,
              C2gTensor   *lengths,
              gint64       n,
              float       *losses)
{
  const float *scores =
    c2g_tensor_address (c2g_blob_get_tensor (c2g_operator_get_input (op, 0), NULL));
  const float *labels =
    c2g_tensor_address (c2g_blob_get_tensor (c2g_operator_get_input (op, 1), NULL));

  if (lengths == NULL)
    {
      losses[0] = get_session_loss (scores, labels, n);
      return;
    }

  for (gint64 i = 0; i < lengths->n_elements; i++)
    {
      gint32 length = ((const gint32 *) c2g_tensor_address (lengths))[i];

      losses[i] = get_session_loss (scores, labels, length);
      scores += length;
      labels += length;
    }
}

static gboolean
pair_wise_loss_run (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  gint64 n = x != NULL && x->n_dims > 0 ? x->dims[0] : 0;
  gint64 n_sessions = n > 0;
  C2gTensor *lengths = NULL, *y;

  if (x == NULL || !check_pairs (op, x, n, error))
    return FALSE;
  if (n > 0 && c2g_operator_get_n_inputs (op) > 2)
    {
      if (!check_sessions (op, n, error))
        return FALSE;
      lengths = c2g_blob_get_tensor (c2g_operator_get_input (op, 2), NULL);
      n_sessions = lengths->n_elements;
    }

  y = c2g_operator_output (op, 0, &n_sessions, 1, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  if (n > 0)
    run_sessions (op, lengths, n, c2g_tensor_address (y));
  return TRUE;
}

static const C2gKernel kernels[] = {
  { "BernoulliJSD", NULL, 2, 2, 1, 1, NULL, NULL, 0, NULL, bernoulli_jsd_run, NULL, NULL,
    "The Jensen-Shannon divergence of two probabilities", .infer = bernoulli_jsd_run },
  { "MarginRankingCriterion", NULL, 3, 3, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_FLOAT (Margin, margin, "margin", 1)), sizeof (Margin), NULL, margin_run, NULL,
    NULL, "The margin ranking loss of pairs of scores",
    .infer = margin_run },
  { "PairWiseLoss", NULL, 2, 3, 1, 1, NULL, NULL, 0, NULL, pair_wise_loss_run, NULL, NULL,
    "The logistic loss of pairs in the wrong order", .infer = pair_wise_loss_run },
};

C2G_OPS_FAMILY (ranking);
