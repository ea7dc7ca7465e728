/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layers-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <math.h>

/* Translates layers that compute each element by itself, and layers that are one operator without
 * arguments. A layer may become a chain of operators, which work in place on the top: the first one
 * reads the bottom and writes the top. */

typedef struct
{
  C2gCaffeLayer *layer;
  gboolean       has_begun;
} Chain;

static const char *
chain_source (Chain *self)
{
  return self->has_begun ? c2g_caffe_layer_top (self->layer, 0) : c2g_caffe_layer_bottom (self->layer, 0);
}

static C2gOperatorDef *
chain_op (Chain      *self,
          const char *op_type)
{
  return c2g_caffe_layer_new_op (self->layer, op_type, chain_source (self), NULL);
}

static gboolean
chain_emit (Chain           *self,
            C2gOperatorDef  *op,
            GError         **error)
{
  if (!c2g_caffe_layer_emit (self->layer, op, error))
    return FALSE;
  self->has_begun = TRUE;
  return TRUE;
}

/* Adds an operator with one argument; nothing if the value of the argument changes nothing. */
static gboolean
chain_put (Chain       *self,
           const char  *op_type,
           const char  *argument,
           double       value,
           double       neutral,
           GError     **error)
{
  C2gOperatorDef *op;

  if (value == neutral)
    return TRUE;
  op = chain_op (self, op_type);
  c2g_operator_def_set_float (op, argument, value);
  return chain_emit (self, op, error);
}

static gboolean
chain_add (Chain   *self,
           double   value,
           GError **error)
{
  const float single = value;
  const char *name;
  C2gOperatorDef *op;

  if (value == 0)
    return TRUE;
  name = c2g_caffe_layer_add (self->layer, "shift", &single, 1, 0, error);
  if (name == NULL)
    return FALSE;
  op = c2g_caffe_layer_new_op (self->layer, "Add", chain_source (self), name, NULL);
  c2g_operator_def_set_int (op, "broadcast", 1);
  return chain_emit (self, op, error);
}

/* Computes factor × x + shift. */
static gboolean
chain_line (Chain   *self,
            double   factor,
            double   shift,
            GError **error)
{
  return chain_put (self, "Scale", "scale", factor, 1, error) && chain_add (self, shift, error);
}

/* If the chain has no operator, adds a Copy that makes the top. */
static gboolean
chain_end (Chain   *self,
           GError **error)
{
  const char *top = c2g_caffe_layer_top (self->layer, 0);

  return self->has_begun || g_str_equal (top, c2g_caffe_layer_bottom (self->layer, 0)) ||
         chain_emit (self, chain_op (self, "Copy"), error);
}

static double
get_double (C2gCaffeLayer *self,
            const char    *name,
            double         otherwise)
{
  return c2g_prototxt_get_double (&self->net->text, self->param, name, otherwise);
}

gboolean
c2g_caffe_translate_plain (C2gCaffeLayer  *self,
                           GError        **error)
{
  return c2g_caffe_layer_emit (
    self, c2g_caffe_layer_new_op (self, self->type->op_type, c2g_caffe_layer_bottom (self, 0), NULL), error);
}

gboolean
c2g_caffe_translate_relu (C2gCaffeLayer  *self,
                          GError        **error)
{
  const double slope = get_double (self, "negative_slope", 0);
  Chain chain = { self };

  return slope != 0 ? chain_put (&chain, "LeakyRelu", "alpha", slope, 0, error)
                    : c2g_caffe_translate_plain (self, error);
}

gboolean
c2g_caffe_translate_elu (C2gCaffeLayer  *self,
                         GError        **error)
{
  Chain chain = { self };
  C2gOperatorDef *op = chain_op (&chain, "Elu");

  c2g_operator_def_set_float (op, "alpha", get_double (self, "alpha", 1));
  return chain_emit (&chain, op, error);
}

gboolean
c2g_caffe_translate_clip (C2gCaffeLayer  *self,
                          GError        **error)
{
  Chain chain = { self };
  C2gOperatorDef *op = chain_op (&chain, "Clip");

  c2g_operator_def_set_float (op, "min", get_double (self, "min", 0));
  c2g_operator_def_set_float (op, "max", get_double (self, "max", 0));
  return chain_emit (&chain, op, error);
}

/* y = x × sigmoid (beta × x). */
gboolean
c2g_caffe_translate_swish (C2gCaffeLayer  *self,
                           GError        **error)
{
  const char *gate = c2g_caffe_layer_new_name (self, self->name, "gate");
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "Scale", c2g_caffe_layer_bottom (self, 0), NULL);

  c2g_operator_def_set_float (op, "scale", get_double (self, "beta", 1));
  c2g_operator_def_add_output (op, gate);
  if (!c2g_caffe_layer_emit (self, op, error))
    return FALSE;
  op = c2g_caffe_layer_new_op (self, "Sigmoid", gate, NULL);
  c2g_operator_def_add_output (op, gate);
  return c2g_caffe_layer_emit (self, op, error) &&
         c2g_caffe_layer_emit (self, c2g_caffe_layer_new_op (self, "Mul", c2g_caffe_layer_bottom (self, 0), gate, NULL), error);
}

/* The first product may overwrite a bottom that occurs again as a factor. So copies that bottom
 * first. */
static gboolean
keep_factors (C2gCaffeLayer  *self,
              GError        **error)
{
  const char *top = c2g_caffe_layer_top (self, 0);

  for (guint i = 2; i < self->bottoms->len; i++)
    if (g_str_equal (c2g_caffe_layer_bottom (self, i), top))
      {
        const char *copy = c2g_caffe_layer_new_name (self, self->name, "factor");
        C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "Copy", top, NULL);

        c2g_operator_def_add_output (op, copy);
        if (!c2g_caffe_layer_emit (self, op, error))
          return FALSE;
        self->bottoms->pdata[i] = (char *) copy;
      }

  return TRUE;
}

static gboolean
multiply (C2gCaffeLayer  *self,
          GError        **error)
{
  Chain chain = { self };

  if (!keep_factors (self, error))
    return FALSE;
  for (guint i = 1; i < self->bottoms->len; i++)
    {
      C2gOperatorDef *op = chain_op (&chain, "Mul");

      c2g_operator_def_add_input (op, c2g_caffe_layer_bottom (self, i));
      if (!chain_emit (&chain, op, error))
        return FALSE;
    }
  return chain_end (&chain, error);
}

static gboolean
add_weighted (C2gCaffeLayer  *self,
              GArray         *factors,
              GError        **error)
{
  C2gOperatorDef *op = c2g_operator_def_new ("WeightedSum");

  for (guint i = 0; i < self->bottoms->len; i++)
    {
      g_autofree char *what = g_strdup_printf ("coeff%u", i);
      const char *factor = c2g_caffe_layer_add (self, what, &g_array_index (factors, float, i), 1, 0, error);

      if (factor == NULL)
        {
          g_object_unref (op);
          return FALSE;
        }
      c2g_operator_def_add_input (op, c2g_caffe_layer_bottom (self, i));
      c2g_operator_def_add_input (op, factor);
    }
  return c2g_caffe_layer_emit (self, op, error);
}

static gboolean
are_all_one (GArray *factors)
{
  for (guint i = 0; i < factors->len; i++)
    if (g_array_index (factors, float, i) != 1)
      return FALSE;

  return TRUE;
}

/* Refuses bottoms of different shapes: c2g's operators would broadcast, Caffe's do not. */
static gboolean
check_shapes (C2gCaffeLayer  *self,
              GError        **error)
{
  gsize n_first, n_dims;
  const gint64 *first = c2g_caffe_layer_peek_dims (self, 0, &n_first);

  for (guint i = 1; first != NULL && i < self->bottoms->len; i++)
    {
      const gint64 *dims = c2g_caffe_layer_peek_dims (self, i, &n_dims);

      if (dims != NULL && !c2g_shape_equal (first, n_first, dims, n_dims))
        {
          g_autofree char *shape = c2g_shape_to_string (dims, n_dims);
          g_autofree char *first_shape = c2g_shape_to_string (first, n_first);

          return c2g_fail (error, C2G_ERROR_SHAPE,
                           _("Bottom %u has the shape %s, the first one %s"), i, shape,
                           first_shape);
        }
    }
  return TRUE;
}

gboolean
c2g_caffe_translate_eltwise (C2gCaffeLayer  *self,
                             GError        **error)
{
  enum
  {
    PROD,
    SUM,
    MAX_OF
  };
  static const char *const operations[] = { "PROD", "SUM", "MAX", NULL };
  const gint64 operation = c2g_prototxt_get_enum (&self->net->text, self->param, "operation", operations, SUM);
  g_autoptr (GArray) factors = c2g_prototxt_list_floats (&self->net->text, self->param, "coeff");
  C2gOperatorDef *op;

  if (factors->len > 0 && (operation != SUM || factors->len != self->bottoms->len))
    return c2g_caffe_layer_refuse (self, _("Coefficients that are not one for each bottom of a sum"), error);
  if (!check_shapes (self, error))
    return FALSE;
  if (operation == PROD)
    return multiply (self, error);
  if (!are_all_one (factors))
    return add_weighted (self, factors, error);

  op = c2g_operator_def_new (operation == SUM ? "Sum" : "Max");
  for (guint i = 0; i < self->bottoms->len; i++)
    c2g_operator_def_add_input (op, c2g_caffe_layer_bottom (self, i));
  return c2g_caffe_layer_emit (self, op, error);
}

/* y = (shift + scale × x)^power. */
gboolean
c2g_caffe_translate_power (C2gCaffeLayer  *self,
                           GError        **error)
{
  Chain chain = { self };

  return chain_line (&chain, get_double (self, "scale", 1), get_double (self, "shift", 0), error) &&
         chain_put (&chain, "Pow", "exponent", get_double (self, "power", 1), 1, error) &&
         chain_end (&chain, error);
}

/* Returns the natural logarithm of the base. The base -1 means e. */
static gboolean
read_base (C2gCaffeLayer  *self,
           double         *log_base,
           GError        **error)
{
  const double base = get_double (self, "base", -1);

  *log_base = base == -1 ? 1 : log (base);
  return base == -1 || base > 0 || c2g_caffe_layer_refuse (self, _("A base that is not positive"), error);
}

/* y = base^(shift + scale × x). */
gboolean
c2g_caffe_translate_exp (C2gCaffeLayer  *self,
                         GError        **error)
{
  Chain chain = { self };
  double log_base;

  return read_base (self, &log_base, error) &&
         chain_line (&chain, log_base * get_double (self, "scale", 1),
                     log_base * get_double (self, "shift", 0), error) &&
         chain_emit (&chain, chain_op (&chain, "Exp"), error);
}

/* y = log (shift + scale × x) to the base. */
gboolean
c2g_caffe_translate_log (C2gCaffeLayer  *self,
                         GError        **error)
{
  Chain chain = { self };
  double log_base;

  if (!read_base (self, &log_base, error))
    return FALSE;
  if (log_base == 0)
    return c2g_caffe_layer_refuse (self, _("A logarithm to the base 1"), error);
  return chain_line (&chain, get_double (self, "scale", 1), get_double (self, "shift", 0), error) &&
         chain_emit (&chain, chain_op (&chain, "Log"), error) &&
         chain_put (&chain, "Scale", "scale", 1 / log_base, 1, error);
}

/* y = 1 where x > threshold, else 0. */
gboolean
c2g_caffe_translate_threshold (C2gCaffeLayer  *self,
                               GError        **error)
{
  const float threshold = get_double (self, "threshold", 0);
  const char *name = c2g_caffe_layer_add (self, "threshold", &threshold, 1, 0, error);
  const char *flags = c2g_caffe_layer_new_name (self, self->name, "is_more");
  C2gOperatorDef *op;

  if (name == NULL)
    return FALSE;
  op = c2g_caffe_layer_new_op (self, "GT", c2g_caffe_layer_bottom (self, 0), name, NULL);
  c2g_operator_def_set_int (op, "broadcast", 1);
  c2g_operator_def_add_output (op, flags);
  return c2g_caffe_layer_emit (self, op, error) &&
         c2g_caffe_layer_emit_cast (self, flags, C2G_DATA_TYPE_FLOAT, NULL, error);
}

/* Caffe scales in training, so Dropout does nothing here; a fork can scale when testing instead. */
gboolean
c2g_caffe_translate_dropout (C2gCaffeLayer  *self,
                             GError        **error)
{
  const gboolean is_scaled = c2g_prototxt_get_bool (&self->net->text, self->param, "scale_train", TRUE);
  const double ratio = get_double (self, "dropout_ratio", 0.5);
  Chain chain = { self };

  return chain_put (&chain, "Scale", "scale", is_scaled ? 1 : 1 - ratio, 1, error) &&
         chain_end (&chain, error);
}
