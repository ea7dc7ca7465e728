/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layers-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Translates layers that have blobs: InnerProduct, Embed, BatchNorm, Scale, Bias, PReLU, Normalize and
 * Parameter. */

/* Adds an operator of a source and another blob, which is broadcast from an axis on; -1 leaves the axis out. */
static gboolean
broadcast (C2gCaffeLayer  *self,
           const char     *op_type,
           const char     *source,
           const char     *other,
           gint64          axis,
           GError        **error)
{
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, op_type, source, other, NULL);

  c2g_operator_def_set_int (op, "broadcast", 1);
  if (axis >= 0)
    c2g_operator_def_set_int (op, "axis", axis);
  return c2g_caffe_layer_emit (self, op, error);
}

static gboolean
check_outputs (C2gCaffeLayer  *self,
               const char     *weights,
               gsize           axis,
               GError        **error)
{
  const gint64 n = c2g_prototxt_get_int (&self->net->text, self->param, "num_output", 0);

  return c2g_caffe_layer_check_dim (self, weights, axis, "num_output", n, error);
}

/* Returns the bias of the layer. A layer without one gets num_output zeros, which must not be more than the
 * weights: a hostile text cannot ask for more memory than the file of weights has. */
static const char *
get_bias (C2gCaffeLayer  *self,
          const char     *weights,
          GError        **error)
{
  C2gPrototxt *text = &self->net->text;
  const gint64 n = c2g_prototxt_get_int (text, self->param, "num_output", 0);
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (self->net->workspace, weights, error);
  const gint64 n_weights = c2g_tensor_get_n_elements (c2g_blob_get_tensor (blob, NULL));
  g_autofree float *zeros = NULL;

  if (c2g_prototxt_get_bool (text, self->param, "bias_term", TRUE))
    return c2g_caffe_layer_take (self, 1, 1, error);
  if (n > 0 && n <= n_weights)
    {
      zeros = g_new0 (float, n);
      return c2g_caffe_layer_add (self, "bias", zeros, n, 1, error);
    }

  return c2g_fail_null (error, C2G_ERROR_SHAPE,
                        _("num_output is %" PRId64 ", and blob 0 has %" PRId64 " elements"), n,
                        n_weights);
}

gboolean
c2g_caffe_translate_inner_product (C2gCaffeLayer  *self,
                                   GError        **error)
{
  const gboolean is_transposed = c2g_prototxt_get_bool (&self->net->text, self->param, "transpose", FALSE);
  const char *weights = c2g_caffe_layer_take (self, 0, 2, error);
  const char *bias =
    weights != NULL && check_outputs (self, weights, is_transposed, error) ? get_bias (self, weights, error) : NULL;
  C2gOperatorDef *op;
  gint64 axis;

  if (bias == NULL || !c2g_caffe_layer_get_axis (self, "axis", 1, &axis, error))
    return FALSE;
  op = c2g_caffe_layer_new_op (self, is_transposed ? "FCTransposed" : "FC", c2g_caffe_layer_bottom (self, 0),
                               weights, bias, NULL);
  c2g_operator_def_set_int (op, "axis", axis);
  return c2g_caffe_layer_emit (self, op, error);
}

/* The blobs of BatchNorm: sums of means and variances, and the factor to divide them by. NVCaffe
 * adds scale and bias; its blobs are the mean and variance themselves, and the factor is not used. */
enum
{
  MEAN,
  VARIANCE,
  FACTOR,
  SCALE,
  BIAS,
  N_BLOBS
};

/* Minimum of epsilon in NVCaffe, from CUDNN_BN_MIN_EPSILON. */
#define NVCAFFE_MIN_EPS 1e-5

/* Order of the blobs in the first versions of NVCaffe, used by DIGITS: scale, bias, mean, variance,
 * factor. */
static const guint old_places[N_BLOBS] = { 2, 3, 4, 0, 1 };

static gboolean
is_single (C2gTensor *tensor)
{
  return c2g_tensor_get_n_elements (tensor) == 1;
}

/* In the old order blob 4 is the factor, a single number, in the new one the bias, which has one for each
 * channel. A norm of a single channel is taken to be in the new order. */
static void
put_old_in_order (C2gTensor **tensors)
{
  C2gTensor *old[N_BLOBS];

  if (tensors[BIAS] == NULL || !is_single (tensors[BIAS]) || is_single (tensors[MEAN]))
    return;
  memcpy (old, tensors, sizeof old);
  for (guint i = 0; i < N_BLOBS; i++)
    tensors[i] = old[old_places[i]];
}

static gboolean
check_norm (C2gTensor **tensors,
            GError    **error)
{
  const gint64 n = c2g_tensor_get_n_elements (tensors[MEAN]);

  for (guint i = 0; i < N_BLOBS && tensors[i] != NULL; i++)
    if (i != FACTOR && c2g_tensor_get_n_elements (tensors[i]) != n)
      return c2g_fail (error, C2G_ERROR_SHAPE,
                       _("Blob %u has %" PRId64 " elements, blob 0 has %" PRId64), i,
                       c2g_tensor_get_n_elements (tensors[i]), n);
  if (is_single (tensors[FACTOR]))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_SHAPE, _("Blob 2 has to be one number"));
}

static gboolean
load_norm (C2gCaffeLayer  *self,
           guint           n_blobs,
           C2gTensor     **tensors,
           GError        **error)
{
  for (guint i = 0; i < n_blobs; i++)
    {
      tensors[i] = c2g_caffe_layer_load (self, i, error);
      if (tensors[i] == NULL)
        return FALSE;
    }
  put_old_in_order (tensors);
  return check_norm (tensors, error);
}

/* Computes 1 / factor. As in Caffe, a factor of 0, from a net that was never trained, gives 0. */
static gboolean
get_factor (C2gTensor **tensors,
            float      *factor,
            GError    **error)
{
  const float *sum = c2g_tensor_data (tensors[FACTOR], C2G_DATA_TYPE_FLOAT, error);

  if (sum == NULL)
    return FALSE;
  *factor = *sum != 0 ? 1 / *sum : 0;
  if (tensors[SCALE] != NULL)
    *factor = 1;
  return TRUE;
}

/* Adds a parameter of n numbers: those of the tensor times the factor, or what it is without a blob. */
static const char *
add_norm (C2gCaffeLayer  *self,
          const char     *what,
          C2gTensor      *tensor,
          float           factor,
          float           otherwise,
          gint64          n,
          GError        **error)
{
  const float *source = tensor != NULL ? c2g_tensor_data (tensor, C2G_DATA_TYPE_FLOAT, error) : NULL;
  g_autofree float *values = g_new (float, n);

  if (tensor != NULL && source == NULL && n > 0)
    return NULL;
  for (gint64 i = 0; i < n; i++)
    values[i] = source != NULL ? source[i] * factor : otherwise;
  return c2g_caffe_layer_add (self, what, values, n, 1, error);
}

static gboolean
emit_norm (C2gCaffeLayer  *self,
           C2gTensor     **tensors,
           GError        **error)
{
  const double eps = c2g_prototxt_get_double (&self->net->text, self->param, "eps", 1e-5);
  const gint64 n = c2g_tensor_get_n_elements (tensors[MEAN]);
  float factor;
  const char *scale = get_factor (tensors, &factor, error) ? add_norm (self, "scale", tensors[SCALE], 1, 1, n, error) : NULL;
  const char *bias = scale != NULL ? add_norm (self, "bias", tensors[BIAS], 1, 0, n, error) : NULL;
  const char *mean = bias != NULL ? add_norm (self, "mean", tensors[MEAN], factor, 0, n, error) : NULL;
  const char *variance = mean != NULL ? add_norm (self, "variance", tensors[VARIANCE], factor, 0, n, error) : NULL;
  C2gOperatorDef *op;

  if (variance == NULL)
    return FALSE;
  op = c2g_caffe_layer_new_op (self, "SpatialBN", c2g_caffe_layer_bottom (self, 0), scale, bias, mean, variance, NULL);
  c2g_operator_def_set_int (op, "is_test", 1);
  c2g_operator_def_set_float (op, "epsilon", tensors[SCALE] != NULL ? MAX (eps, NVCAFFE_MIN_EPS) : eps);
  return c2g_caffe_layer_emit (self, op, error);
}

/* When testing, NVCaffe always uses the stored statistics, even if the text says otherwise. */
gboolean
c2g_caffe_translate_batch_norm (C2gCaffeLayer  *self,
                                GError        **error)
{
  const gboolean is_nvcaffe = c2g_prototxt_get_bool (&self->net->text, self->param, "scale_bias", FALSE) ||
                              c2g_caffe_layer_has_blobs (self, N_BLOBS);
  C2gTensor *tensors[N_BLOBS] = { NULL };
  gboolean is_done;

  if (!is_nvcaffe && !c2g_prototxt_get_bool (&self->net->text, self->param, "use_global_stats", TRUE))
    return c2g_caffe_layer_refuse (self, _("use_global_stats: false, which needs the numbers of a batch"), error);

  is_done = load_norm (self, is_nvcaffe ? N_BLOBS : SCALE, tensors, error) && emit_norm (self, tensors, error);
  for (guint i = 0; i < N_BLOBS; i++)
    g_clear_object (&tensors[i]);
  return is_done;
}

/* Scale and Bias have the other operand as a second bottom or as a blob. num_axes is -1 for all axes from the
 * first on, and 0 for a single number, which needs no axis. */
gboolean
c2g_caffe_translate_scale (C2gCaffeLayer  *self,
                           GError        **error)
{
  const gboolean is_given = self->bottoms->len > 1;
  const gint64 num_axes = c2g_prototxt_get_int (&self->net->text, self->param, "num_axes", 1);
  const int n_axes = is_given ? -1 : CLAMP (num_axes, -1, G_MAXINT16);
  const char *other = is_given ? c2g_caffe_layer_bottom (self, 1) : c2g_caffe_layer_take (self, 0, n_axes, error);
  const char *bias;
  gint64 axis;

  if (other == NULL || !c2g_caffe_layer_get_axis (self, "axis", 1, &axis, error))
    return FALSE;
  if (n_axes == 0)
    axis = -1;
  if (!broadcast (self, self->type->op_type, c2g_caffe_layer_bottom (self, 0), other, axis, error))
    return FALSE;
  if (!c2g_prototxt_get_bool (&self->net->text, self->param, "bias_term", FALSE))
    return TRUE;

  bias = c2g_caffe_layer_take (self, is_given ? 0 : 1, n_axes, error);
  return bias != NULL && broadcast (self, "Add", c2g_caffe_layer_top (self, 0), bias, axis, error);
}

gboolean
c2g_caffe_translate_embed (C2gCaffeLayer  *self,
                           GError        **error)
{
  const char *weights = c2g_caffe_layer_take (self, 0, 2, error);
  const gint64 n_rows = c2g_prototxt_get_int (&self->net->text, self->param, "input_dim", 0);
  const char *indices = c2g_caffe_layer_new_name (self, self->name, "indices");
  const char *bias;

  if (weights == NULL || !check_outputs (self, weights, 1, error) ||
      !c2g_caffe_layer_check_dim (self, weights, 0, "input_dim", n_rows, error))
    return FALSE;
  if (!c2g_caffe_layer_emit_cast (self, c2g_caffe_layer_bottom (self, 0), C2G_DATA_TYPE_INT32, indices, error) ||
      !c2g_caffe_layer_emit (self, c2g_caffe_layer_new_op (self, "Gather", weights, indices, NULL), error))
    return FALSE;
  if (!c2g_prototxt_get_bool (&self->net->text, self->param, "bias_term", TRUE))
    return TRUE;

  bias = c2g_caffe_layer_take (self, 1, 1, error);
  return bias != NULL && broadcast (self, "Add", c2g_caffe_layer_top (self, 0), bias, -1, error);
}

gboolean
c2g_caffe_translate_prelu (C2gCaffeLayer  *self,
                           GError        **error)
{
  const char *slopes = c2g_caffe_layer_take (self, 0, 1, error);

  return slopes != NULL &&
         c2g_caffe_layer_emit (self, c2g_caffe_layer_new_op (self, "PRelu", c2g_caffe_layer_bottom (self, 0), slopes, NULL), error);
}

static gboolean
normalize (C2gCaffeLayer  *self,
           const char     *source,
           GError        **error)
{
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "Normalize", source, NULL);

  c2g_operator_def_set_int (op, "axis", 1);
  c2g_operator_def_set_float (op, "epsilon", c2g_prototxt_get_double (&self->net->text, self->param, "eps", 1e-10));
  return c2g_caffe_layer_emit (self, op, error);
}

/* Normalizes over the whole image: flattens it, normalizes, and restores the shape. 0 in a shape keeps the
 * dimension. */
static gboolean
normalize_all (C2gCaffeLayer  *self,
               GError        **error)
{
  const gint64 flat[] = { 0, -1 };
  gsize n_dims;
  const gint64 *dims = c2g_caffe_layer_need_dims (self, 0, &n_dims, error);
  g_autofree gint64 *shape = dims != NULL ? g_memdup2 (dims, n_dims * sizeof *dims) : NULL;

  if (dims == NULL)
    return FALSE;
  if (n_dims < 2)
    return normalize (self, c2g_caffe_layer_bottom (self, 0), error);
  shape[0] = 0;
  return c2g_caffe_layer_emit_reshape (self, c2g_caffe_layer_bottom (self, 0), flat, G_N_ELEMENTS (flat), NULL, error) &&
         normalize (self, c2g_caffe_layer_top (self, 0), error) &&
         c2g_caffe_layer_emit_reshape (self, c2g_caffe_layer_top (self, 0), shape, n_dims, NULL, error);
}

gboolean
c2g_caffe_translate_normalize (C2gCaffeLayer  *self,
                               GError        **error)
{
  C2gPrototxt *text = &self->net->text;
  const gboolean is_shared = c2g_prototxt_get_bool (text, self->param, "channel_shared", TRUE);
  const char *scale = c2g_caffe_layer_take (self, 0, is_shared ? 0 : 1, error);

  if (scale == NULL)
    return FALSE;
  if (c2g_prototxt_get_bool (text, self->param, "across_spatial", TRUE)
        ? !normalize_all (self, error)
        : !normalize (self, c2g_caffe_layer_bottom (self, 0), error))
    return FALSE;
  return broadcast (self, "Mul", c2g_caffe_layer_top (self, 0), scale, is_shared ? -1 : 1, error);
}

/* The top is the blob itself, a parameter of the net. */
gboolean
c2g_caffe_translate_parameter (C2gCaffeLayer  *self,
                               GError        **error)
{
  C2gPrototxtField *shape = c2g_prototxt_find_message (&self->net->text, self->param, "shape");
  g_autoptr (GArray) dims = c2g_prototxt_list_ints (&self->net->text, shape, "dim");
  const char *name = c2g_caffe_layer_take (self, 0, -1, error);

  if (name == NULL)
    return FALSE;
  for (guint i = 0; i < dims->len; i++)
    if (!c2g_caffe_layer_check_dim (self, name, i, "dim", g_array_index (dims, gint64, i), error))
      return FALSE;
  self->tops->pdata[0] = (char *) name;
  return TRUE;
}
