/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/memory/c2g-storage-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

/* Conversion of images for style transfer nets.
 *
 * PackedInt8BGRANHWCToNCHWCStylizerPreprocess: X (N, H, W, 4), uint8 in BGRA order, mean (3); Y
 * (N, 3, H, W), float: x - mean + noise, where the noise repeats after noise_size values.
 * BRGNCHWCToPackedInt8BGRAStylizerDeprocess: X (N, 3, H, W), float, mean (3); Y (N, H, W, 4),
 * uint8: x + mean, clamped to 0 … 255, and alpha 255.
 *
 * Nothing is in place. The rules are Caffe2's. On CUDA kernels/paint.cu converts. */

#define N_BYTES 4
#define N_CHANNELS 3

/* Blob with the noise, as in Caffe2. All nets of a workspace share it, so that the noise does not
 * flicker between frames of a video. */
#define NOISE_BLOB "__CAFFE2_STYLIZER_NOISE__"

typedef struct
{
  C2gBlob *noise;
  gint64   n_noise;
  float    deviation;
} PreprocessState;

/* Protects storing the noise in its blob. Recursive, because handlers of the blob's signals can
 * create such operators. */
static GRecMutex noise_lock;

static C2gTensor *
new_noise (C2gOperator  *op,
           gint64        n,
           float         deviation,
           GError      **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  tensor = c2g_tensor_new_sized (&n, 1, c2g_operator_get_device (op), error);
  if (tensor == NULL || !c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, error) ||
      !c2g_context_fill_normal (c2g_operator_get_context (op), tensor, 0, deviation, error) ||
      !c2g_context_finish (c2g_operator_get_context (op), error))
    return NULL;
  return g_steal_pointer (&tensor);
}

/* Fills the blob with noise, unless it has a tensor already. If several threads create operators,
 * the first one wins. */
static gboolean
make_noise (C2gOperator  *op,
            C2gBlob      *blob,
            gint64        n,
            float         deviation,
            GError      **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  if (c2g_blob_get_tensor (blob, NULL) != NULL)
    return TRUE;
  tensor = new_noise (op, n, deviation, error);
  if (tensor == NULL)
    return FALSE;

  g_rec_mutex_lock (&noise_lock);
  if (c2g_blob_get_tensor (blob, NULL) == NULL)
    c2g_blob_set_object (blob, G_OBJECT (tensor));
  g_rec_mutex_unlock (&noise_lock);
  return TRUE;
}

static gboolean
preprocess_set_up (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  PreprocessState *self = state;
  g_autoptr (C2gWorkspace) workspace = NULL;

  workspace = c2g_operator_ref_workspace (op, error);
  if (workspace == NULL)
    return FALSE;
  self->noise = c2g_workspace_create_blob (workspace, NOISE_BLOB, error);
  return self->noise != NULL && make_noise (op, self->noise, self->n_noise, self->deviation, error);
}

static void
preprocess (const guint8 *x,
            gint64        n,
            const float  *mean,
            const float  *noise,
            gint64        n_noise,
            float        *y)
{
  gint64 at = 0;

  for (gint64 i = 0; i < n; i++)
    for (gsize channel = 0; channel < N_CHANNELS; channel++)
      {
        y[channel * n + i] = (float) x[i * N_BYTES + channel] - mean[channel] + noise[at];
        at = at + 1 < n_noise ? at + 1 : 0;
      }
}

/* Reads the image, with checks of its channels, and the mean. */
static C2gTensor *
read_inputs (C2gOperator  *op,
             C2gDataType   data_type,
             guint         channel_axis,
             gint64        n_channels,
             C2gTensor   **mean,
             GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, data_type, error);

  *mean = x != NULL ? c2g_operator_input (op, 1, C2G_DATA_TYPE_FLOAT, error) : NULL;
  if (*mean == NULL)
    return NULL;
  if (x->n_dims != 4 || x->dims[channel_axis] != n_channels)
    {
      c2g_operator_set_shape_error (op, 0, error, _("4 dimensions and %" PRId64 " channels"),
                                    n_channels);
      return NULL;
    }
  if ((*mean)->n_elements != N_CHANNELS)
    {
      c2g_operator_set_shape_error (op, 1, error, "[%d]", N_CHANNELS);
      return NULL;
    }
  return x;
}

/* Returns the noise. Call this after the output was made, because the output could be the same
 * blob. */
static const float *
read_noise (PreprocessState  *self,
            C2gTensor        *output,
            GError          **error)
{
  C2gTensor *noise = c2g_blob_get_tensor (self->noise, error);
  const float *data;

  if (noise == output)
    return c2g_fail_null (error, C2G_ERROR_BUSY,
                          _("The output cannot be the blob “%s”, which holds the noise"),
                          NOISE_BLOB);
  if (noise != NULL && noise->device != output->device)
    return c2g_fail_null (error, C2G_ERROR_DEVICE, _("The blob “%s” is on %s, expected %s"),
                          NOISE_BLOB, noise->device->name, output->device->name);
  data = noise != NULL ? c2g_tensor_data (noise, C2G_DATA_TYPE_FLOAT, error) : NULL;

  if (data == NULL || noise->n_elements >= self->n_noise)
    return data;
  return c2g_fail_null (error, C2G_ERROR_SHAPE,
                        _("The blob “%s” has %" PRId64 " elements, expected at least %" PRId64),
                        NOISE_BLOB, noise->n_elements, self->n_noise);
}

/* The noise is no input of the operator, so nothing else waits for its uses or records this one. */
static gboolean
preprocess_on_device (C2gOperator      *op,
                      PreprocessState  *self,
                      C2gTensor        *x,
                      gint64            n,
                      C2gTensor        *mean,
                      const float      *noise,
                      C2gTensor        *y,
                      GError          **error)
{
  C2gContext *context = c2g_operator_get_context (op);
  C2gStorage *storage = c2g_blob_get_tensor (self->noise, NULL)->storage;
  gboolean done;

  if (!c2g_storage_wait_for_uses (storage, context, error))
    return FALSE;

  done = C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_PAINT_PLANES, .x = c2g_tensor_address (x),
                      .n_outer = x->dims[0], .n = n, .mean = c2g_tensor_address (mean),
                      .other = noise, .n_other = self->n_noise, .y = c2g_tensor_address (y));
  c2g_storage_record_use (storage, context);

  return done;
}

static gboolean
preprocess_run (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  PreprocessState *self = state;
  C2gTensor *mean, *y;
  C2gTensor *x = read_inputs (op, C2G_DATA_TYPE_UINT8, 3, N_BYTES, &mean, error);
  const float *noise;
  gint64 dims[4] = { 0, N_CHANNELS };
  gint64 n;

  if (x == NULL)
    return FALSE;
  dims[0] = x->dims[0];
  dims[2] = x->dims[1];
  dims[3] = x->dims[2];
  y = c2g_operator_output (op, 0, dims, G_N_ELEMENTS (dims), C2G_DATA_TYPE_FLOAT, error);
  noise = y != NULL ? read_noise (self, y, error) : NULL;
  if (noise == NULL)
    return FALSE;

  n = y->n_elements > 0 ? dims[2] * dims[3] : 0;
  if (c2g_operator_get_compute (op) != NULL)
    return preprocess_on_device (op, self, x, n, mean, noise, y, error);
  for (gint64 i = 0; i < dims[0] && n > 0; i++)
    preprocess ((const guint8 *) c2g_tensor_address (x) + i * N_BYTES * n, n,
                c2g_tensor_address (mean), noise, self->n_noise,
                (float *) c2g_tensor_address (y) + i * N_CHANNELS * n);
  return TRUE;
}

static void
preprocess_clear (gpointer state)
{
  PreprocessState *self = state;

  g_clear_object (&self->noise);
}

static guint8
to_byte (float value)
{
  /* NaN gives 0. */
  if (!(value > 0))
    return 0;
  return value < G_MAXUINT8 ? (guint8) value : G_MAXUINT8;
}

static void
deprocess (const float *x,
           gint64       n,
           const float *mean,
           guint8      *y)
{
  for (gint64 i = 0; i < n; i++, y += N_BYTES)
    {
      for (gsize channel = 0; channel < N_CHANNELS; channel++)
        y[channel] = to_byte (x[channel * n + i] + mean[channel]);
      y[N_CHANNELS] = G_MAXUINT8;
    }
}

static gboolean
deprocess_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  C2gTensor *mean, *y;
  C2gTensor *x = read_inputs (op, C2G_DATA_TYPE_FLOAT, 1, N_CHANNELS, &mean, error);
  gint64 dims[4] = { 0, 0, 0, N_BYTES };
  gint64 n;

  if (x == NULL)
    return FALSE;
  dims[0] = x->dims[0];
  dims[1] = x->dims[2];
  dims[2] = x->dims[3];
  y = c2g_operator_output (op, 0, dims, G_N_ELEMENTS (dims), C2G_DATA_TYPE_UINT8, error);
  if (y == NULL)
    return FALSE;

  n = y->n_elements > 0 ? dims[1] * dims[2] : 0;
  if (c2g_operator_get_compute (op) != NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_PAINT_PIXELS, .x = c2g_tensor_address (x),
                        .n_outer = dims[0], .n = n, .mean = c2g_tensor_address (mean),
                        .y = c2g_tensor_address (y));
  for (gint64 i = 0; i < dims[0] && n > 0; i++)
    deprocess ((const float *) c2g_tensor_address (x) + i * N_CHANNELS * n, n,
               c2g_tensor_address (mean), (guint8 *) c2g_tensor_address (y) + i * N_BYTES * n);
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "PackedInt8BGRANHWCToNCHWCStylizerPreprocess",
    .min_inputs = 2,
    .max_inputs = 2,
    .min_outputs = 1,
    .max_outputs = 1,
    .arguments = C2G_ARGS (
      /* A prime size avoids visible patterns. */
      C2G_ARG_INT (PreprocessState, n_noise, "noise_size", 491, C2G_RANGE (1, G_MAXINT32)),
      C2G_ARG_FLOAT (PreprocessState, deviation, "noise_std", 10, C2G_AT_LEAST (0))),
    .state_size = sizeof (PreprocessState),
    .set_up = preprocess_set_up,
    .run = preprocess_run,
    .infer = preprocess_run,
    .clear = preprocess_clear,
    .is_for_devices = TRUE,
    .summary = "Turns BGRA into planes of blue, green and red, minus the mean and with noise",
  },
  {
    .type = "BRGNCHWCToPackedInt8BGRAStylizerDeprocess",
    .min_inputs = 2,
    .max_inputs = 2,
    .min_outputs = 1,
    .max_outputs = 1,
    .run = deprocess_run,
    .infer = deprocess_run,
    .is_for_devices = TRUE,
    .summary = "Turns planes of blue, green and red, plus their mean, into BGRA",
  },
};

C2G_OPS_FAMILY (stylizer);
