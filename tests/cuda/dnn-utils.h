/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/cuda/libraries-utils.h"

#include <math.h>

/* Convolutions and poolings with the engine CUDNN, and the same on the CPU. */

#define SONAME "libcudnn.so.9"

static const struct
{
  const char *name;
  gint64      dims[5];
  gsize       n_dims;
} inputs[] = {
  { "X", { 2, 6, 7, 9 }, 4 },
  { "P", { 5, 6, 7, 9 }, 4 },
  { "L", { 2, 7, 9, 6 }, 4 },
  { "V", { 2, 4, 5, 6, 7 }, 5 },
  { "VL", { 2, 5, 6, 7, 4 }, 5 },
  { "R", { 2, 6, 9 }, 3 },
  { "E", { 0, 6, 7, 9 }, 4 },
  { "W", { 4, 6, 3, 3 }, 4 },
  { "W1", { 4, 6, 1, 1 }, 4 },
  { "Wg", { 6, 2, 3, 3 }, 4 },
  { "Wd", { 6, 1, 3, 3 }, 4 },
  { "Wl", { 4, 3, 3, 6 }, 4 },
  { "Wlg", { 6, 3, 3, 2 }, 4 },
  { "Wv", { 3, 4, 3, 3, 3 }, 5 },
  { "Wvl", { 3, 3, 3, 3, 4 }, 5 },
  { "Wr", { 4, 6, 3 }, 3 },
  { "b3", { 3 }, 1 },
  { "b4", { 4 }, 1 },
  { "b6", { 6 }, 1 },
  { "S", { 2, 4, 7, 9 }, 4 },
  { "T", { 2, 4, 5, 7 }, 4 },
};

typedef struct
{
  /* TRUE if cuDNN computes it. */
  gboolean    is_taken;
  const char *inputs;
  const char *text;
  /* The name of the output, for a copy of an input that is changed in place; NULL for another. */
  const char *output;
} Case;

static const Case cases[] = {
  { TRUE, "X W b4", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }" },
  { TRUE, "X W", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'stride' i: 2 }" },
  { TRUE, "X W b4", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'stride' i: 2 }"
                    " arg { name: 'dilation' i: 2 } arg { name: 'pad' i: 2 }" },
  { TRUE, "X W b4", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'pad_t' i: 1 }"
                    " arg { name: 'pad_l' i: 0 } arg { name: 'pad_b' i: 1 }"
                    " arg { name: 'pad_r' i: 0 }" },
  { FALSE, "X W b4", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'pad_t' i: 1 }"
                     " arg { name: 'pad_l' i: 0 } arg { name: 'pad_b' i: 0 }"
                     " arg { name: 'pad_r' i: 2 }" },
  { TRUE, "X W1 b4", "type: 'Conv' arg { name: 'kernel' i: 1 }" },
  { TRUE, "X Wg b6", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 3 }" },
  { TRUE, "P Wg b6", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 3 }" },
  { TRUE, "X Wd", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 6 }" },
  { TRUE, "L Wl b4", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'order' s: 'NHWC' }"
                     " arg { name: 'pad' i: 1 }" },
  { TRUE, "L Wlg b6", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'order' s: 'NHWC' }"
                      " arg { name: 'group' i: 3 } arg { name: 'stride' i: 2 }" },
  { TRUE, "V Wv b3", "type: 'Conv' arg { name: 'kernels' ints: 3 ints: 3 ints: 3 }"
                     " arg { name: 'pads' ints: 1 ints: 0 ints: 1 ints: 1 ints: 0 ints: 1 }" },
  { FALSE, "VL Wvl b3", "type: 'Conv' arg { name: 'kernels' ints: 3 ints: 3 ints: 3 }"
                        " arg { name: 'order' s: 'NHWC' }" },
  { TRUE, "R Wr b4", "type: 'Conv' arg { name: 'kernels' ints: 3 }"
                     " arg { name: 'pads' ints: 1 ints: 1 }" },
  { FALSE, "E W b4", "type: 'Conv' arg { name: 'kernel' i: 3 }" },
  { TRUE, "X W b4", "type: 'ConvFusion' arg { name: 'kernel' i: 3 }"
                    " arg { name: 'fusion_type' i: 1 }" },
  { TRUE, "X W b4 S", "type: 'ConvFusion' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }"
                      " arg { name: 'fusion_type' i: 3 }" },
  { TRUE, "X W S", "type: 'ConvFusion' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }"
                   " arg { name: 'fusion_type' i: 2 }" },
  { TRUE, "X", "type: 'MaxPool' arg { name: 'kernel' i: 3 } arg { name: 'stride' i: 2 }" },
  { FALSE, "X", "type: 'MaxPool' arg { name: 'kernel' i: 2 } arg { name: 'stride' i: 2 }"
                " arg { name: 'legacy_pad' i: 3 }" },
  { TRUE, "L", "type: 'MaxPool' arg { name: 'kernel' i: 3 } arg { name: 'order' s: 'NHWC' }"
               " arg { name: 'pad' i: 1 }" },
  { TRUE, "X", "type: 'AveragePool' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }" },
  { TRUE, "X", "type: 'AveragePool' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }"
               " arg { name: 'count_include_pad' i: 1 }" },
  { TRUE, "X", "type: 'AveragePool' arg { name: 'global_pooling' i: 1 }" },
  { TRUE, "V", "type: 'MaxPool' arg { name: 'kernels' ints: 2 ints: 3 ints: 2 }"
               " arg { name: 'strides' ints: 1 ints: 2 ints: 2 }" },
  { TRUE, "VL", "type: 'AveragePool' arg { name: 'kernels' ints: 2 ints: 3 ints: 2 }"
                " arg { name: 'order' s: 'NHWC' }" },
  { TRUE, "R", "type: 'AveragePool' arg { name: 'kernels' ints: 3 }" },
  { FALSE, "E", "type: 'MaxPool' arg { name: 'kernel' i: 3 }" },
};

static inline void
add_input (C2gWorkspace *workspace,
           const char   *name,
           const gint64 *dims,
           gsize         n_dims)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, NULL);
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  float *values = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  guint32 state = g_str_hash (name);

  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    {
      state = state * 1664525 + 1013904223;
      values[i] = (float) (gint32) state / 4294967296.0f;
    }
  c2g_blob_set_object (blob, G_OBJECT (tensor));
}

static inline C2gWorkspace *
new_workspace (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (inputs); i++)
    add_input (workspace, inputs[i].name, inputs[i].dims, inputs[i].n_dims);

  return workspace;
}

static inline const char *
find_output (const Case *test)
{
  return test->output != NULL ? test->output : "result";
}

#define ON_DEVICE " device_option { device_type: 1 } "

static inline C2gNetDef *
make_net (const Case *test,
          const char *kind,
          const char *engine)
{
  g_auto (GStrv) names = g_strsplit (test->inputs, " ", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  C2gNetDef *def;

  g_string_printf (text, "name: 'test' type: '%s'\n", kind);
  for (gsize i = 0; names[i] != NULL; i++)
    g_string_append_printf (text, "op { type: '%s' input: '%s' output: 'copy_%s'%s}\n",
                            engine != NULL ? "CopyCPUToGPU" : "Copy", names[i], names[i],
                            engine != NULL ? ON_DEVICE : "");
  g_string_append_printf (text, "op { output: '%s' ", find_output (test));
  for (gsize i = 0; names[i] != NULL; i++)
    g_string_append_printf (text, "input: 'copy_%s' ", names[i]);
  if (engine != NULL)
    g_string_append_printf (text, "%s engine: '%s' ", ON_DEVICE, engine);
  g_string_append_printf (text, "%s }\n", test->text);

  def = c2g_net_def_new_from_text (text->str, &error);
  g_assert_no_error (error);
  return def;
}

static inline C2gTensor *
fetch (C2gWorkspace *workspace,
       const char   *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_blob_get_tensor (blob, &error);

  g_assert_no_error (error);
  tensor = c2g_tensor_to_device (tensor, c2g_device_cpu (), &error);
  g_assert_no_error (error);
  return tensor;
}

/* Runs a case; engine is NULL for the CPU, and empty for a device with the default engine. */
static inline C2gTensor *
run_case (const Case *test,
          const char *kind,
          const char *engine)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (C2gNetDef) def = make_net (test, kind, engine);
  g_autoptr (GError) error = NULL;
  C2gNet *net = c2g_workspace_create_net (workspace, def, FALSE, &error);

  g_assert_no_error (error);
  /* The second run uses blobs that have memory already. */
  for (guint i = 0; i < 2; i++)
    {
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
    }
  g_object_unref (net);

  return fetch (workspace, find_output (test));
}

static inline void
assert_close (C2gTensor *result,
              C2gTensor *expected)
{
  gint64 n = c2g_tensor_get_n_elements (expected);

  g_assert_cmpint (c2g_tensor_get_n_elements (result), ==, n);
  for (gint64 i = 0; i < n; i++)
    {
      const double wanted = c2g_tensor_get_value (expected, i, NULL);

      g_assert_cmpfloat (fabs (c2g_tensor_get_value (result, i, NULL) - wanted), <=,
                         1e-4 * (fabs (wanted) + 0.1));
    }
}

static inline void
prefer (const char *engine)
{
  const char * const engines[] = { engine, NULL };

  c2g_operator_set_preferred_engines (NULL, C2G_DEVICE_TYPE_CUDA, engine != NULL ? engines : NULL);
}

static inline guint
count_runs (const C2gLibrary *fake)
{
  return fake->get_n_calls ("cudnnConvolutionForward") +
         fake->get_n_calls ("cudnnConvolutionBiasActivationForward") +
         fake->get_n_calls ("cudnnPoolingForward");
}

static inline void
set_tune (gboolean tune)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();

  c2g_settings_set_tune (settings, tune);
}

typedef enum
{
  FRESH_CONV,
  FRESH_POOL,
  FRESH_FUSION,
  /* A convolution whose algorithm is measured. */
  FRESH_TUNED,
} Fresh;

/* Runs a pooling or a convolution with a new shape each time. */
static inline gboolean
run_fresh (Fresh       kind,
           C2gTensor **expected,
           C2gTensor **result,
           GError    **error)
{
  static const Case fresh[] = {
    [FRESH_CONV] = { TRUE, "F Wf", "type: 'Conv' arg { name: 'kernel' i: 3 }" },
    [FRESH_POOL] = { TRUE, "F", "type: 'MaxPool' arg { name: 'kernel' i: 2 }" },
    [FRESH_FUSION] = { TRUE, "F Wf b3",
                       "type: 'ConvFusion' arg { name: 'kernel' i: 3 } arg { name: 'fusion_type' i: 1 }" },
    [FRESH_TUNED] = { TRUE, "F Wf", "type: 'Conv' arg { name: 'kernel' i: 3 }" },
  };
  static gint64 size = 5;
  const gint64 dims[] = { 1, 2, 4, size++ };
  gboolean done = TRUE;

  *result = NULL;
  for (guint i = 0; done && i < 2; i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gNetDef) def = make_net (&fresh[kind], "simple", i == 0 ? NULL : "CUDNN");

      add_input (workspace, "F", dims, G_N_ELEMENTS (dims));
      add_input (workspace, "Wf", C2G_TEST_DIMS (3, 2, 3, 3));
      add_input (workspace, "b3", C2G_TEST_DIMS (3));
      set_tune (i > 0 && kind == FRESH_TUNED);
      done = c2g_workspace_run_net_once (workspace, def, NULL, error);
      set_tune (FALSE);
      if (done)
        *(i == 0 ? expected : result) = fetch (workspace, "result");
    }

  return done;
}
