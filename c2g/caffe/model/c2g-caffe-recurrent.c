/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layers-private.h>

#include <c2g/core/types/c2g-i18n-private.h>

/* Translates LSTM and RNN. The products with the inputs are computed for all steps at once; the
 * products with the state follow step by step. Bottoms: x, cont (0 where a sequence begins),
 * optionally a static input and, with expose_hidden, the initial states. Blobs: weights and bias for x,
 * weights for the static input if there is one, weights for the state, and in an RNN weights and bias for the
 * output. The steps themselves are the operators CaffeLSTM and CaffeRNN. */

typedef struct
{
  gboolean has_static;
  /* Index of the next blob of the layer. */
  guint    blob;
} Recurrent;

static const char *
take (C2gCaffeLayer  *self,
      Recurrent      *recurrent,
      int             n_dims,
      GError        **error)
{
  return c2g_caffe_layer_take (self, recurrent->blob++, n_dims, error);
}

/* Adds a fully connected layer with the next two blobs, weights and bias, for every step and sequence;
 * returns the name of its output. */
static const char *
transform (C2gCaffeLayer  *self,
           Recurrent      *recurrent,
           const char     *source,
           const char     *what,
           GError        **error)
{
  const char *weights = take (self, recurrent, 2, error);
  const char *bias = weights != NULL ? take (self, recurrent, 1, error) : NULL;
  const char *result;
  C2gOperatorDef *op;

  if (bias == NULL)
    return NULL;
  result = c2g_caffe_layer_new_name (self, self->name, what);
  op = c2g_caffe_layer_new_op (self, "FC", source, weights, bias, NULL);
  c2g_operator_def_set_int (op, "axis", 2);
  c2g_operator_def_add_output (op, result);
  return c2g_caffe_layer_emit (self, op, error) ? result : NULL;
}

/* Adds the product of the static input and the next weights to the gates of every step. */
static gboolean
add_static (C2gCaffeLayer  *self,
            Recurrent      *recurrent,
            const char     *gates,
            GError        **error)
{
  const char *weights = take (self, recurrent, 2, error);
  const char *product;
  C2gOperatorDef *op;

  if (weights == NULL)
    return FALSE;
  product = c2g_caffe_layer_new_name (self, self->name, "static");
  op = c2g_caffe_layer_new_op (self, "MatMul", c2g_caffe_layer_bottom (self, 2), weights, NULL);
  c2g_operator_def_set_int (op, "trans_b", 1);
  c2g_operator_def_add_output (op, product);
  if (!c2g_caffe_layer_emit (self, op, error))
    return FALSE;
  op = c2g_caffe_layer_new_op (self, "Add", gates, product, NULL);
  c2g_operator_def_set_int (op, "broadcast", 1);
  c2g_operator_def_add_output (op, gates);
  return c2g_caffe_layer_emit (self, op, error);
}

/* Adds the operator for the steps. HIDDEN is the name of its first output; it is NULL if the
 * outputs are the tops, as in an LSTM. */
static gboolean
emit_steps (C2gCaffeLayer  *self,
            Recurrent      *recurrent,
            const char     *gates,
            const char     *hidden,
            GError        **error)
{
  const gint64 n = c2g_prototxt_get_int (&self->net->text, self->param, "num_output", 0);
  const char *weights = take (self, recurrent, 2, error);
  C2gOperatorDef *op;

  if (weights == NULL || !c2g_caffe_layer_check_dim (self, weights, 1, "num_output", n, error))
    return FALSE;
  op = c2g_caffe_layer_new_op (self, self->type->op_type, gates, c2g_caffe_layer_bottom (self, 1), weights, NULL);
  for (guint i = 2 + recurrent->has_static; i < self->bottoms->len; i++)
    c2g_operator_def_add_input (op, c2g_caffe_layer_bottom (self, i));
  if (hidden != NULL)
    c2g_operator_def_add_output (op, hidden);
  for (guint i = hidden != NULL; i < self->tops->len; i++)
    c2g_caffe_layer_add_top (self, op, i);
  return c2g_caffe_layer_emit (self, op, error);
}

/* In an RNN the output is tanh (W h + b), with h being the hidden state. */
static gboolean
emit_output (C2gCaffeLayer  *self,
             Recurrent      *recurrent,
             const char     *hidden,
             GError        **error)
{
  const char *sum = transform (self, recurrent, hidden, "output", error);
  C2gOperatorDef *op;

  if (sum == NULL)
    return FALSE;
  op = c2g_caffe_layer_new_op (self, "Tanh", sum, NULL);
  c2g_caffe_layer_add_top (self, op, 0);
  return c2g_caffe_layer_emit (self, op, error);
}

gboolean
c2g_caffe_translate_recurrent (C2gCaffeLayer  *self,
                               GError        **error)
{
  const gboolean is_lstm = g_str_equal (self->type->name, "LSTM");
  const gboolean is_exposed = c2g_prototxt_get_bool (&self->net->text, self->param, "expose_hidden", FALSE);
  const guint n_exposed = is_exposed * (is_lstm ? 2 : 1);
  Recurrent recurrent = { .has_static = self->bottoms->len == 3 + n_exposed };
  const char *hidden = is_lstm ? NULL : c2g_caffe_layer_new_name (self, self->name, "hidden");
  const char *gates;

  if (self->bottoms->len != 2 + recurrent.has_static + n_exposed || self->tops->len != 1 + n_exposed)
    return c2g_caffe_layer_refuse (self, _("The numbers of bottoms and tops are not those of a recurrent layer"), error);

  gates = transform (self, &recurrent, c2g_caffe_layer_bottom (self, 0), "gates", error);
  return gates != NULL && (!recurrent.has_static || add_static (self, &recurrent, gates, error)) &&
         emit_steps (self, &recurrent, gates, hidden, error) &&
         (is_lstm || emit_output (self, &recurrent, hidden, error));
}
