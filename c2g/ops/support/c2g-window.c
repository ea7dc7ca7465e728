/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-window-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <string.h>

/* Sliding windows of convolution and pooling: reads the arguments, and computes padding and output
 * sizes. */

#define MAX_DIMS C2G_WINDOW_MAX_DIMS

/* The first half of the file reads the arguments. */

/* The names of one property: a list, one value for two dimensions, or one argument per value. */
typedef struct
{
  const char *list;
  const char *one;
  const char *each[4];
  /* Number of values per dimension: 2 for pads (before and after), otherwise 1. */
  gsize       n_per_dim;
  int         minimum;
} Spelling;

static const Spelling kernels = { "kernels", "kernel", { "kernel_h", "kernel_w" }, 1, 1 };
/* The kernel of a global window is replaced by the image's size, so 0 is allowed. */
static const Spelling global_kernels = {
  "kernels", "kernel", { "kernel_h", "kernel_w" }, 1, 0
};
static const Spelling strides = { "strides", "stride", { "stride_h", "stride_w" }, 1, 1 };
static const Spelling dilations = { "dilations", "dilation", { "dilation_h", "dilation_w" }, 1, 1 };
static const Spelling adjs = { "adjs", "adj", { "adj_h", "adj_w" }, 1, 0 };
static const Spelling pads = { "pads", "pad", { "pad_t", "pad_l", "pad_b", "pad_r" }, 2, 0 };

typedef struct
{
  int   values[2 * MAX_DIMS];
  gsize n;
} Values;

static gboolean
has_argument (C2gArguments *arguments,
              const char   *name)
{
  return c2g_operator_has_argument (arguments->op, name);
}

static gboolean
has_each (C2gArguments   *arguments,
          const Spelling *spelling)
{
  gboolean has = TRUE;

  for (gsize i = 0; i < 2 * spelling->n_per_dim; i++)
    has &= has_argument (arguments, spelling->each[i]);
  return has;
}

static void
add_value (C2gArguments   *arguments,
           const Spelling *spelling,
           const char     *name,
           gint64          value,
           Values         *values)
{
  if (arguments->error != NULL)
    return;
  if (values->n == MAX_DIMS * spelling->n_per_dim)
    g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("The argument “%s” is for more than %d dimensions"), name, MAX_DIMS);
  else if (value < spelling->minimum || value > G_MAXINT32)
    g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("The argument “%s” is %" PRId64 ", which is out of range"), name, value);
  else
    values->values[values->n++] = (int) value;
}

/* Reads the values as Caffe2 does if several spellings are present: the single value fills the
 * list up to two dimensions, the values per dimension are appended to it. */
static void
read_values (C2gArguments   *arguments,
             const Spelling *spelling,
             Values         *values)
{
  const gsize n_two = 2 * spelling->n_per_dim;
  gsize n;
  const gint64 *list = c2g_arguments_ints (arguments, spelling->list, &n);

  values->n = 0;
  for (gsize i = 0; i < n; i++)
    add_value (arguments, spelling, spelling->list, list[i], values);

  if (has_argument (arguments, spelling->one))
    {
      const gint64 one = c2g_arguments_int (arguments, spelling->one, 0);

      while (values->n < n_two && arguments->error == NULL)
        add_value (arguments, spelling, spelling->one, one, values);
      values->n = n_two;
    }
  else if (has_each (arguments, spelling))
    {
      for (gsize i = 0; i < n_two; i++)
        add_value (arguments, spelling, spelling->each[i],
                   c2g_arguments_int (arguments, spelling->each[i], 0), values);
    }
}

/* Reads one value for each of n_dims dimensions, or the default. */
static void
read_dims (C2gArguments   *arguments,
           const Spelling *spelling,
           guint           n_dims,
           int             default_value,
           int            *dims)
{
  Values values;

  read_values (arguments, spelling, &values);
  if (arguments->error != NULL)
    return;

  if (values.n != 0 && values.n != n_dims)
    g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The argument “%s” has %zu values, expected %u as the kernel has"),
                 spelling->list, values.n, n_dims);
  for (guint i = 0; i < n_dims; i++)
    dims[i] = values.n == n_dims ? values.values[i] : default_value;
}

static void
read_kernel (C2gWindow    *self,
             C2gArguments *arguments)
{
  Values values;

  read_values (arguments, self->is_global ? &global_kernels : &kernels, &values);
  if (arguments->error == NULL && values.n == 0 && !self->is_global)
    g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("There must be an argument “%s”, “%s” or “%s” and “%s”"), kernels.one,
                 kernels.list, kernels.each[0], kernels.each[1]);

  /* A global window has no kernel; the number of values still tells what the pads are for. */
  self->n_dims = values.n != 0 ? values.n : 2;
  memcpy (self->kernel, values.values, values.n * sizeof (int));
}

static void
read_pads (C2gWindow    *self,
           C2gArguments *arguments)
{
  Values values;

  read_values (arguments, &pads, &values);
  if (arguments->error != NULL)
    return;

  if (values.n > 0 &&
      (self->legacy_pad == C2G_LEGACY_PAD_VALID || self->legacy_pad == C2G_LEGACY_PAD_SAME))
    g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The arguments “%s” and “%s” exclude each other"), "legacy_pad", "pad");
  if (arguments->error != NULL || (values.n == 0 && self->n_dims > 0))
    return;

  if (values.n != 2 * self->n_dims || self->n_dims == 0)
    g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The argument “%s” has %zu values, expected two for each dimension"),
                 pads.list, values.n);
  for (guint i = 0; i < self->n_dims && arguments->error == NULL; i++)
    {
      self->head[i] = values.values[i];
      self->tail[i] = values.values[self->n_dims + i];
    }
}

static void
check_legacy_pad (C2gWindow    *self,
                  C2gArguments *arguments)
{
  if (self->legacy_pad == C2G_LEGACY_PAD_CAFFE_POOLING && self->flags & C2G_WINDOW_TRANSPOSED)
    g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("The argument “%s” is %d, which transposed convolutions do not have"),
                 "legacy_pad", (int) self->legacy_pad);
  else if (self->rounds_up && self->legacy_pad != C2G_LEGACY_PAD_NOT_SET)
    g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The arguments “%s” and “%s” exclude each other"), "legacy_pad", "ceil_mode");
}

static void
check_global (C2gWindow    *self,
              C2gArguments *arguments)
{
  gboolean is_plain = TRUE;

  for (guint i = 0; i < self->n_dims; i++)
    is_plain &= self->head[i] == 0 && self->tail[i] == 0 && self->stride[i] == 1 &&
                self->dilation[i] == 1;
  if (self->is_global && !is_plain && arguments->error == NULL)
    g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("With “global_pooling” there must be no pad, stride or dilation"));
}

static void
check_adj (C2gWindow    *self,
           C2gArguments *arguments)
{
  for (guint i = 0; i < self->n_dims && arguments->error == NULL; i++)
    if (self->adj[i] > self->stride[i])
      g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_RANGE,
                   _("The argument “%s” is %d, more than the stride of %d"), adjs.one,
                   self->adj[i], self->stride[i]);
}

const C2gKernelArgument c2g_window_arguments[] = {
  C2G_ARG_ORDER (C2gWindow, channels_last),
  C2G_ARG_INT (C2gWindow, legacy_pad, "legacy_pad", C2G_LEGACY_PAD_NOT_SET,
               C2G_RANGE (C2G_LEGACY_PAD_NOT_SET, C2G_LEGACY_PAD_CAFFE_POOLING)),
  C2G_ARG_READ ("dilation dilation_h dilation_w dilations kernel kernel_h kernel_w kernels pad "
                "pad_b pad_l pad_r pad_t pads stride stride_h stride_w strides"),
  { 0 },
};

gboolean
c2g_window_set_up (C2gWindow       *self,
                   C2gOperator     *op,
                   C2gWindowFlags   flags,
                   GError         **error)
{
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  self->flags = flags;
  check_legacy_pad (self, &arguments);
  read_kernel (self, &arguments);
  read_dims (&arguments, &strides, self->n_dims, 1, self->stride);
  if (flags & C2G_WINDOW_TRANSPOSED)
    read_dims (&arguments, &adjs, self->n_dims, 0, self->adj);
  read_dims (&arguments, &dilations, self->n_dims, 1, self->dilation);
  read_pads (self, &arguments);

  check_global (self, &arguments);
  check_adj (self, &arguments);
  return c2g_arguments_finish (&arguments, error);
}

/* The second half applies the window to an image. All sizes and arguments fit in 32 bits, so sums
 * and products here fit in 64. */

/* The window along one dimension, before it is stored in the place. */
typedef struct
{
  gint64 in;
  gint64 out;
  gint64 head;
  gint64 tail;
} Span;

static gint64
ceil_div (gint64 a,
          gint64 b)
{
  return a > 0 ? (a + b - 1) / b : a / b;
}

/* legacy_pad SAME: out = ceil (in / stride). The tail gets the odd pixel of the padding. */
static void
span_same (Span   *span,
           gint64  kernel,
           gint64  stride)
{
  const gint64 wanted = (span->in + stride - 1) / stride;
  const gint64 needed = (wanted - 1) * stride + kernel - span->in;

  span->head = needed / 2;
  span->tail = needed - span->head;
  span->out = wanted;
}

/* legacy_pad CAFFE_POOLING: the number of outputs is rounded up. A window that starts in the tail
 * padding is dropped, and the tail is enlarged to what the last window needs. */
static void
span_caffe (Span   *span,
            gint64  kernel,
            gint64  reach,
            gint64  stride)
{
  const gint64 padded = span->in + 2 * span->head;
  const gint64 standard = (padded - reach) / stride + 1;

  span->out = ceil_div (padded - kernel, stride) + 1;
  if (span->head > 0 && (span->out - 1) * stride >= span->in + span->head)
    span->out--;
  span->tail = MAX (span->head + stride * (span->out - standard),
                    (span->out - 1) * stride + reach - span->head - span->in);
}

/* ceil_mode: the number of outputs is rounded up. A window that starts in the tail padding is
 * dropped. The pads stay, so the last window may end behind them. */
static void
span_up (Span   *span,
         gint64  reach,
         gint64  stride)
{
  span->out = ceil_div (span->in + span->head + span->tail - reach, stride) + 1;
  if ((span->out - 1) * stride >= span->in + span->head)
    span->out--;
}

/* reach is the extent of the dilated kernel: dilation (kernel - 1) + 1. */
static void
span_compute (Span         *span,
              C2gLegacyPad  legacy_pad,
              gint64        kernel,
              gint64        stride,
              gint64        reach)
{
  switch (legacy_pad)
    {
    case C2G_LEGACY_PAD_SAME:
      span_same (span, reach, stride);
      break;
    case C2G_LEGACY_PAD_CAFFE_POOLING:
      span_caffe (span, kernel, reach, stride);
      break;
    case C2G_LEGACY_PAD_VALID:
    case C2G_LEGACY_PAD_NOT_SET:
    default:
      {
        const gint64 room = span->in + span->head + span->tail - reach;

        span->out = room >= 0 ? room / stride + 1 : 0;
      }
    }
}

static gboolean
set_window_error (C2gOperator  *op,
                  guint         input,
                  gint64        reach,
                  const Span   *span,
                  GError      **error)
{
  return c2g_operator_set_shape_error (op, input, error,
                                       _("at least the %" PRId64 " of a window, got %" PRId64
                                         " with pads of %" PRId64 " and %" PRId64),
                                       reach, span->in, span->head, span->tail);
}

/* Applies dimension i of the arguments to dimension at of the place. */
static gboolean
place_dim (const C2gWindow  *self,
           C2gOperator      *op,
           guint             input,
           guint             i,
           guint             at,
           C2gWindowPlace   *place,
           GError          **error)
{
  Span span = { place->in[at], 0, self->head[i], self->tail[i] };
  const gint64 kernel = self->kernel[i];
  const gint64 reach = self->dilation[i] * (kernel - 1) + 1;

  if (self->flags & C2G_WINDOW_TRANSPOSED)
    span.out =
      (span.in - 1) * self->stride[i] + reach + self->adj[i] - span.head - span.tail;
  else if (self->rounds_up)
    span_up (&span, reach, self->stride[i]);
  else
    span_compute (&span, self->legacy_pad, kernel, self->stride[i], reach);

  if (span.out < 1)
    return set_window_error (op, input, reach, &span, error);

  place->out[at] = span.out;
  place->kernel[at] = kernel;
  place->stride[at] = self->stride[i];
  place->dilation[at] = self->dilation[i];
  place->head[at] = span.head;
  place->tail[at] = span.tail;
  return TRUE;
}

static void
place_reset (C2gWindowPlace *place)
{
  for (guint i = 0; i < MAX_DIMS; i++)
    {
      place->in[i] = place->out[i] = place->kernel[i] = 1;
      place->stride[i] = place->dilation[i] = 1;
      place->head[i] = place->tail[i] = 0;
    }
}

static gboolean
check_rank (const C2gWindow  *self,
            C2gOperator      *op,
            guint             input,
            C2gTensor        *tensor,
            GError          **error)
{
  const gsize n_wanted = self->n_dims + 2;

  if (self->is_global ? tensor->n_dims >= 3 && tensor->n_dims <= MAX_DIMS + 2
                      : tensor->n_dims == n_wanted)
    return TRUE;
  if (self->is_global)
    return c2g_operator_set_shape_error (op, input, error, _("%d to %d dimensions"), 3,
                                         MAX_DIMS + 2);
  return c2g_operator_set_shape_error (op, input, error, _("%zu dimensions"), n_wanted);
}

static gboolean
place_sizes (C2gWindowPlace  *place,
             C2gOperator     *op,
             guint            input,
             C2gTensor       *tensor,
             GError         **error)
{
  const gint64 *sizes = tensor->dims + (place->channels_last ? 1 : 2);
  gboolean fits = place->n_channels >= 1;

  for (guint i = 0; i < place->n_dims; i++)
    {
      fits &= sizes[i] >= 1 && sizes[i] <= G_MAXINT32;
      place->in[MAX_DIMS - place->n_dims + i] = sizes[i];
    }
  if (fits)
    return TRUE;
  return c2g_operator_set_shape_error (op, input, error,
                                       _("channels and sizes of 1 to %d"), G_MAXINT32);
}

static gboolean
place_products (C2gWindowPlace  *place,
                GError         **error)
{
  return c2g_shape_count (place->in, MAX_DIMS, &place->n_in, error) &&
         c2g_shape_count (place->out, MAX_DIMS, &place->n_out, error) &&
         c2g_shape_count (place->kernel, MAX_DIMS, &place->n_kernel, error);
}

gboolean
c2g_window_place (const C2gWindow  *self,
                  C2gOperator      *op,
                  guint             input,
                  C2gTensor        *tensor,
                  C2gWindowPlace   *place,
                  GError          **error)
{
  place_reset (place);
  if (!check_rank (self, op, input, tensor, error))
    return FALSE;

  place->channels_last = self->channels_last;
  place->n_dims = tensor->n_dims - 2;
  place->n_images = tensor->dims[0];
  place->n_channels = tensor->dims[self->channels_last ? tensor->n_dims - 1 : 1];
  if (!place_sizes (place, op, input, tensor, error))
    return FALSE;

  for (guint i = 0; i < place->n_dims; i++)
    {
      const guint at = MAX_DIMS - place->n_dims + i;

      /* A global window ignores its arguments, which may describe another number of dimensions. */
      if (self->is_global)
        place->kernel[at] = place->in[at];
      else if (!place_dim (self, op, input, i, at, place, error))
        return FALSE;
    }
  return place_products (place, error);
}

gsize
c2g_window_place_dims (const C2gWindowPlace *self,
                       const gint64         *size,
                       gint64                n_channels,
                       gint64               *dims)
{
  gsize n = 0;

  dims[n++] = self->n_images;
  if (!self->channels_last)
    dims[n++] = n_channels;
  for (guint i = MAX_DIMS - self->n_dims; i < MAX_DIMS; i++)
    dims[n++] = size[i];
  if (self->channels_last)
    dims[n++] = n_channels;
  return n;
}
