/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layers-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Translates layers with windows: Convolution, Deconvolution, Pooling, SPP and LRN. Also MVN and
 * ROIPooling. */

#define N_PLANE_AXES 2

/* Index of the pads among kernel sizes, strides, pads and dilations. */
#define PADS 2

/* Default that means: the text must give the size. */
#define MISSING G_MININT64

/* Caffe2's value of legacy_pad for Caffe's pooling: the output size is rounded up, and windows are
 * clipped. */
#define LEGACY_PAD_CAFFE_POOLING 3

/* Reads the sizes of one kind: one number for all axes, one for each axis, or fields for height and
 * width. */
static gboolean
read_sizes (C2gCaffeLayer  *self,
            const char     *name,
            const char     *short_name,
            gint64          otherwise,
            gsize           n_axes,
            gint64         *sizes,
            GError        **error)
{
  static const char suffixes[N_PLANE_AXES][3] = { "_h", "_w" };
  C2gPrototxt *text = &self->net->text;
  g_autoptr (GArray) list = c2g_prototxt_list_ints (text, self->param, name);

  for (gsize i = 0; i < n_axes; i++)
    {
      sizes[i] = list->len == 0 ? otherwise : g_array_index (list, gint64, list->len == 1 ? 0 : MIN (i, list->len - 1));
      if (n_axes == N_PLANE_AXES)
        {
          g_autofree char *single = g_strconcat (short_name, suffixes[i], NULL);

          sizes[i] = c2g_prototxt_get_int (text, self->param, single, sizes[i]);
        }
      if (sizes[i] < 0 || sizes[i] > G_MAXINT32)
        {
          if (sizes[i] == MISSING)
            g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, _("%s is missing"), name);
          else
            g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, _("%s cannot be %" PRId64), name, sizes[i]);
          return FALSE;
        }
    }
  if (list->len <= 1 || list->len == n_axes)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("%s is given %u times for %zu axes"), name,
                   list->len, n_axes);
}

/* Reads kernel sizes, strides and pads, and dilations if n_kinds includes them. The padding of a
 * preceding layer of version 0 replaces the pads. */
static gboolean
read_windows (C2gCaffeLayer  *self,
              gint64          kernel,
              gsize           n_axes,
              gsize           n_kinds,
              gint64         *sizes,
              GError        **error)
{
  const struct
  {
    const char *name;
    const char *short_name;
    gint64      otherwise;
  } kinds[] = {
    { "kernel_size", "kernel", kernel },
    { "stride", "stride", 1 },
    { "pad", "pad", 0 },
    { "dilation", "dilation", 1 },
  };

  for (gsize i = 0; i < n_kinds; i++)
    if (!read_sizes (self, kinds[i].name, kinds[i].short_name, kinds[i].otherwise, n_axes, sizes + i * n_axes, error))
      return FALSE;
  for (gsize i = 0; self->margin >= 0 && i < n_axes; i++)
    sizes[PADS * n_axes + i] = self->margin;
  return TRUE;
}

/* Sets the arguments; the padding is the same on both sides. */
static void
set_windows (C2gOperatorDef *op,
             gsize           n_axes,
             const gint64   *kernels,
             const gint64   *strides,
             const gint64   *pads)
{
  g_autofree gint64 *both = g_new (gint64, 2 * n_axes);

  for (gsize i = 0; i < 2 * n_axes; i++)
    both[i] = pads[i % n_axes];
  c2g_operator_def_set_ints (op, "kernels", kernels, n_axes);
  c2g_operator_def_set_ints (op, "strides", strides, n_axes);
  c2g_operator_def_set_ints (op, "pads", both, 2 * n_axes);
}

/* Counts the axes behind the channels, of the bottom or, if its shape is unknown, of the weights. */
static gboolean
count_axes (C2gCaffeLayer  *self,
            const char     *weights,
            gsize          *n_axes,
            GError        **error)
{
  gsize n_dims, n_weights;
  gint64 axis;

  if (!c2g_caffe_layer_get_axis (self, "axis", 1, &axis, error))
    return FALSE;
  if (axis != 1)
    return c2g_caffe_layer_refuse (self, _("Only axis 1 may be that of the channels"), error);

  c2g_caffe_net_peek_dims (self->net, weights, &n_weights);
  if (c2g_caffe_layer_peek_dims (self, 0, &n_dims) == NULL)
    n_dims = n_weights;
  if (n_weights == n_dims && n_dims > 2)
    {
      *n_axes = n_dims - 2;
      return TRUE;
    }
  return c2g_fail (error, C2G_ERROR_SHAPE, _("The bottom has %zu axes, and blob 0 has %zu"), n_dims,
                   n_weights);
}

/* Checks the shape of the weights against the text. A deconvolution has the two channel axes
 * swapped. */
static gboolean
check_weights (C2gCaffeLayer  *self,
               const char     *weights,
               const gint64   *kernels,
               gsize           n_axes,
               gint64          group,
               GError        **error)
{
  const gint64 n = c2g_prototxt_get_int (&self->net->text, self->param, "num_output", 0);
  const gboolean is_turned = g_str_equal (self->type->op_type, "ConvTranspose");

  if (group < 1 || n % group != 0)
    return c2g_caffe_layer_refuse (self, _("num_output that the groups do not divide"), error);
  if (!c2g_caffe_layer_check_dim (self, weights, is_turned, "num_output", is_turned ? n / group : n, error))
    return FALSE;
  for (gsize i = 0; i < n_axes; i++)
    if (!c2g_caffe_layer_check_dim (self, weights, 2 + i, "kernel_size", kernels[i], error))
      return FALSE;
  return TRUE;
}

/* Each bottom makes a top, with the same parameters. */
static gboolean
convolve (C2gCaffeLayer  *self,
          const char     *weights,
          gboolean        has_bias,
          C2gOperatorDef *form,
          GError        **error)
{
  const char *bias = has_bias ? c2g_caffe_layer_take (self, 1, 1, error) : NULL;

  if (has_bias && bias == NULL)
    return FALSE;
  for (guint i = 0; i < self->bottoms->len; i++)
    {
      C2gOperatorDef *op = c2g_operator_def_copy (form);

      c2g_operator_def_add_input (op, c2g_caffe_layer_bottom (self, i));
      c2g_operator_def_add_input (op, weights);
      if (has_bias)
        c2g_operator_def_add_input (op, bias);
      c2g_caffe_layer_add_top (self, op, i);
      if (!c2g_caffe_layer_emit (self, op, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
c2g_caffe_translate_convolution (C2gCaffeLayer  *self,
                                 GError        **error)
{
  g_autoptr (C2gOperatorDef) form = c2g_operator_def_new (self->type->op_type);
  const gint64 group = c2g_prototxt_get_int (&self->net->text, self->param, "group", 1);
  const gboolean has_bias = c2g_prototxt_get_bool (&self->net->text, self->param, "bias_term", TRUE);
  const char *weights = c2g_caffe_layer_take (self, 0, -1, error);
  g_autofree gint64 *sizes = NULL;
  gsize n = 0;

  if (weights == NULL || !count_axes (self, weights, &n, error))
    return FALSE;
  sizes = g_new (gint64, 4 * n);
  if (!read_windows (self, MISSING, n, 4, sizes, error) ||
      !check_weights (self, weights, sizes, n, group, error))
    return FALSE;
  set_windows (form, n, sizes, sizes + n, sizes + PADS * n);
  c2g_operator_def_set_ints (form, "dilations", sizes + 3 * n, n);
  c2g_operator_def_set_int (form, "group", group);
  return convolve (self, weights, has_bias, form, error);
}

static const char *const pool_methods[] = { "MAX", "AVE", "STOCHASTIC", NULL };
static const char *const round_modes[] = { "CEIL", "FLOOR", NULL };

static gboolean
read_method (C2gCaffeLayer  *self,
             gint64         *method,
             GError        **error)
{
  *method = c2g_prototxt_get_enum (&self->net->text, self->param, "pool", pool_methods, 0);
  return *method <= 1 || c2g_caffe_layer_refuse (self, _("STOCHASTIC pooling"), error);
}

static C2gOperatorDef *
new_pool (C2gCaffeLayer *self,
          gboolean       is_average,
          const gint64  *kernels,
          const gint64  *strides,
          const gint64  *pads)
{
  const char *op_type = is_average ? "AveragePool" : "MaxPool";
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, op_type, c2g_caffe_layer_bottom (self, 0), NULL);

  set_windows (op, N_PLANE_AXES, kernels, strides, pads);
  return op;
}

/* Caffe rounds the number of windows up. With padding it leaves out windows that begin behind the
 * image, and averages over the part of the window inside the padded image. */
static void
round_up (C2gOperatorDef *op,
          gboolean        is_average,
          const gint64   *pads)
{
  const gboolean has_margin = pads[0] > 0 || pads[1] > 0;

  if (!has_margin)
    c2g_operator_def_set_int (op, "legacy_pad", LEGACY_PAD_CAFFE_POOLING);
  else
    c2g_operator_def_set_int (op, "ceil_mode", 1);
  if (has_margin && is_average)
    c2g_operator_def_set_int (op, "count_include_pad", 1);
}

gboolean
c2g_caffe_translate_pooling (C2gCaffeLayer  *self,
                             GError        **error)
{
  C2gPrototxt *text = &self->net->text;
  const gboolean is_global = c2g_prototxt_get_bool (text, self->param, "global_pooling", FALSE);
  /* The first field is BVLC's, the second one that of forks. */
  const gboolean is_ceil = c2g_prototxt_get_enum (text, self->param, "round_mode", round_modes, 0) == 0 &&
                           c2g_prototxt_get_bool (text, self->param, "ceil_mode", TRUE);
  gint64 sizes[3 * N_PLANE_AXES];
  const gint64 *pads = sizes + PADS * N_PLANE_AXES;
  C2gOperatorDef *op;
  gint64 method;

  if (!read_method (self, &method, error))
    return FALSE;
  if (self->tops->len > 1)
    return c2g_caffe_layer_refuse (self, _("Pooling that tells where the largest elements were"), error);
  if (!read_windows (self, is_global ? 0 : MISSING, N_PLANE_AXES, 3, sizes, error))
    return FALSE;

  op = new_pool (self, method == 1, sizes, sizes + N_PLANE_AXES, pads);
  if (is_global)
    c2g_operator_def_set_int (op, "global_pooling", 1);
  else if (is_ceil)
    round_up (op, method == 1, pads);
  else if (method == 1)
    c2g_operator_def_set_int (op, "count_include_pad", 1);
  return c2g_caffe_layer_emit (self, op, error);
}

/* Level n of the pyramid has 2^n windows along each axis, as small as possible. OUTPUT is a name,
 * or NULL for the top. */
static gboolean
emit_level (C2gCaffeLayer  *self,
            guint           level,
            gboolean        is_average,
            const gint64   *size,
            const char     *output,
            GError        **error)
{
  const gint64 n = G_GINT64_CONSTANT (1) << level;
  gint64 kernels[N_PLANE_AXES], pads[N_PLANE_AXES];
  C2gOperatorDef *op;

  for (guint i = 0; i < N_PLANE_AXES; i++)
    {
      kernels[i] = (size[i] + n - 1) / n;
      pads[i] = (kernels[i] * n - size[i] + 1) / 2;
    }
  op = new_pool (self, is_average, kernels, kernels, pads);
  round_up (op, is_average, pads);
  if (output != NULL)
    c2g_operator_def_add_output (op, output);
  return c2g_caffe_layer_emit (self, op, error);
}

static gboolean
emit_flat_level (C2gCaffeLayer   *self,
                 guint            level,
                 gboolean         is_average,
                 const gint64    *size,
                 C2gOperatorDef  *concat,
                 GError         **error)
{
  const char *pooled = c2g_caffe_layer_new_name (self, self->name, "level");
  const char *flat = c2g_caffe_layer_new_name (self, self->name, "flat");
  C2gOperatorDef *op;

  if (!emit_level (self, level, is_average, size, pooled, error))
    return FALSE;
  op = c2g_caffe_layer_new_op (self, "Flatten", pooled, NULL);
  c2g_operator_def_add_output (op, flat);
  c2g_operator_def_add_input (concat, flat);
  return c2g_caffe_layer_emit (self, op, error);
}

/* Spatial pyramid pooling: y = concat (flatten (level 0), flatten (level 1), …). A single level is
 * not flattened. */
gboolean
c2g_caffe_translate_spp (C2gCaffeLayer  *self,
                         GError        **error)
{
  const gint64 n_levels = c2g_prototxt_get_int (&self->net->text, self->param, "pyramid_height", 0);
  g_autoptr (C2gOperatorDef) concat = c2g_operator_def_new ("Concat");
  gint64 method, size[N_PLANE_AXES];
  gsize n_dims;
  const gint64 *dims;

  if (!read_method (self, &method, error))
    return FALSE;
  dims = c2g_caffe_layer_need_dims (self, 0, &n_dims, error);
  if (dims == NULL)
    return FALSE;
  if (n_dims != 4 || n_levels < 1 || n_levels > 31)
    return c2g_caffe_layer_refuse (self, _("A pyramid without levels, or not of images"), error);
  size[0] = dims[2];
  size[1] = dims[3];
  if (n_levels == 1)
    return emit_level (self, 0, method == 1, size, NULL, error);

  for (guint level = 0; level < n_levels; level++)
    if (!emit_flat_level (self, level, method == 1, size, concat, error))
      return FALSE;
  c2g_operator_def_set_int (concat, "axis", 1);
  c2g_caffe_layer_add_top (self, concat, 0);
  c2g_operator_def_add_output (concat, c2g_caffe_layer_new_name (self, self->name, "sizes"));
  return c2g_caffe_layer_emit (self, g_steal_pointer (&concat), error);
}

gboolean
c2g_caffe_translate_lrn (C2gCaffeLayer  *self,
                         GError        **error)
{
  static const char *const regions[] = { "ACROSS_CHANNELS", "WITHIN_CHANNEL", NULL };
  C2gPrototxt *text = &self->net->text;
  const gint64 region = c2g_prototxt_get_enum (text, self->param, "norm_region", regions, 0);
  const double k = c2g_prototxt_get_double (text, self->param, "k", 1);
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "LRN", c2g_caffe_layer_bottom (self, 0), NULL);

  if (region != 0)
    c2g_operator_def_set_string (op, "norm_region", regions[region]);
  c2g_operator_def_set_int (op, "size", c2g_prototxt_get_int (text, self->param, "local_size", 5));
  c2g_operator_def_set_float (op, "alpha", c2g_prototxt_get_double (text, self->param, "alpha", 1));
  c2g_operator_def_set_float (op, "beta", c2g_prototxt_get_double (text, self->param, "beta", 0.75));
  /* Within a channel, Caffe ignores k. */
  c2g_operator_def_set_float (op, "bias", region == 0 ? k : 1);
  return c2g_caffe_layer_emit (self, op, error);
}

gboolean
c2g_caffe_translate_mvn (C2gCaffeLayer  *self,
                         GError        **error)
{
  C2gPrototxt *text = &self->net->text;
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "MVN", c2g_caffe_layer_bottom (self, 0), NULL);

  c2g_operator_def_set_int (op, "normalize_variance",
                            c2g_prototxt_get_bool (text, self->param, "normalize_variance", TRUE));
  c2g_operator_def_set_int (op, "across_channels",
                            c2g_prototxt_get_bool (text, self->param, "across_channels", FALSE));
  c2g_operator_def_set_float (op, "epsilon", c2g_prototxt_get_double (text, self->param, "eps", 1e-9));
  return c2g_caffe_layer_emit (self, op, error);
}

gboolean
c2g_caffe_translate_roi_pooling (C2gCaffeLayer  *self,
                                 GError        **error)
{
  C2gPrototxt *text = &self->net->text;
  C2gOperatorDef *op =
    c2g_caffe_layer_new_op (self, "RoIPool", c2g_caffe_layer_bottom (self, 0), c2g_caffe_layer_bottom (self, 1), NULL);

  c2g_operator_def_set_int (op, "is_test", 1);
  c2g_operator_def_set_int (op, "pooled_h", c2g_prototxt_get_int (text, self->param, "pooled_h", 0));
  c2g_operator_def_set_int (op, "pooled_w", c2g_prototxt_get_int (text, self->param, "pooled_w", 0));
  c2g_operator_def_set_float (op, "spatial_scale", c2g_prototxt_get_double (text, self->param, "spatial_scale", 1));
  return c2g_caffe_layer_emit (self, op, error);
}
