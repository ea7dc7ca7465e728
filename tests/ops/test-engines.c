/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-tuning-private.h>
#include <c2g/net/operator/c2g-operator-private.h>
#include <c2g/ops/support/c2g-dnnl-private.h>

#include <glib/gstdio.h>
#include <string.h>

#ifdef HAVE_DNNL
# include <c2g/ops/nn/c2g-conv-plan-private.h>
#endif
#ifdef __linux__
# include <sys/prctl.h>
#endif

/* Tests the parts, the threads and the memory of the engine beside the default one. Python tests compare its results with those of the default engine. */

#define N_THREADS 4
#define N_ROUNDS  40

#define ENGINE "MKLDNN"

typedef struct
{
  const char *path;
  const char *op;
} Case;

static void
add_blob (C2gWorkspace *workspace,
          const char   *name,
          const gint64 *dims,
          gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);
  float *data;

  g_assert_no_error (error);
  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error);
  g_assert_no_error (error);
  data = c2g_tensor_address (tensor);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    data[i] = (float) (i % 17 - 8) / 16;
  c2g_blob_set_object (blob, G_OBJECT (tensor));
}

/* Creates the operator that the text of a net has. */
static C2gOperator *
create_operator (C2gWorkspace *workspace,
                 const char   *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) net = c2g_net_def_new_from_text (text, &error);
  C2gOperator *op;

  g_assert_no_error (error);
  op = c2g_operator_create (c2g_net_def_get_operator (net, 0), workspace, &error);
  g_assert_no_error (error);
  return op;
}

static C2gOperator *
new_operator (C2gWorkspace *workspace,
              const Case   *test)
{
  const gint64 dims[] = { 3, 19, 13, 6 };
  const gint64 filters[] = { 6, 3, 3, 6 };

  add_blob (workspace, "X", dims, 4);
  add_blob (workspace, "weights", filters, 4);
  add_blob (workspace, "bias", filters, 1);
  add_blob (workspace, "sum", dims, 4);
  return create_operator (workspace, test->op);
}

static gboolean
skip_without_engine (void)
{
  g_auto (GStrv) engines = c2g_operator_list_engines ("Conv", C2G_DEVICE_TYPE_CPU);

  if (g_strv_contains ((const char * const *) engines, ENGINE))
    return FALSE;
  g_test_skip ("The engine " ENGINE " is not there");
  return TRUE;
}

#define OP(inputs, type, arguments) \
  "op { input: 'X' " inputs "output: 'Y' type: '" type "' engine: '" ENGINE "' " \
  "arg { name: 'order' s: 'NHWC' } " arguments "}"
#define I(name, value) "arg { name: '" name "' i: " #value " } "

#define CONV OP ("input: 'weights' ", "Conv", I ("kernel", 3) I ("pad", 1))
#define SUM                                                                 \
  OP ("input: 'weights' input: 'bias' input: 'sum' ", "ConvFusion",         \
      I ("kernel", 3) I ("pad", 1) I ("fusion_type", 3))

static const Case cases[] = {
  { "conv", CONV },
  { "sum", SUM },
};

/* The second run needs no memory of the library's allocators. */
static void
test_steady (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = NULL;
  guint64 n_bytes = 0;

  if (skip_without_engine ())
    return;
  op = new_operator (workspace, test);
  g_assert_cmpstr (c2g_operator_get_engine (op), ==, ENGINE);
  for (int i = 0; i < 2; i++)
    {
      n_bytes = c2g_memory_reporter_get_total_bytes (reporter, NULL);
      c2g_operator_run (op, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpuint (c2g_memory_reporter_get_total_bytes (reporter, NULL), ==, n_bytes);
}

/* Engines split sums in different ways, so results may differ in rounding. */
static void
assert_close (C2gTensor *tensor,
              C2gTensor *expected)
{
  const float *a = c2g_tensor_address (tensor);
  const float *b = c2g_tensor_address (expected);

  g_assert_cmpint (tensor->n_elements, ==, expected->n_elements);
  for (gint64 i = 0; i < expected->n_elements; i++)
    g_assert_cmpfloat_with_epsilon (a[i], b[i], 1e-4);
}

typedef struct
{
  const char *path;
  int         kernel;
  int         n_groups;
  const char *arguments;
} Window;

/* Windows of an image that is large enough to be divided among threads. */
static const Window windows[] = {
  { "plain", 3, 1, "" },
  { "padded", 3, 1, I ("pad", 1) },
  { "uneven-pads", 3, 1, I ("pad_t", 2) I ("pad_l", 0) I ("pad_b", 0) I ("pad_r", 1) },
  { "strided", 5, 1, I ("stride", 2) I ("pad", 2) },
  { "dilated", 3, 1, I ("dilation", 3) I ("pad", 3) },
  { "pointwise", 1, 1, "" },
  { "groups", 3, 4, I ("pad", 1) },
  { "depthwise", 3, 16, I ("pad", 1) },
  { "depthwise-strided", 3, 16, I ("stride", 2) I ("pad", 1) },
  { "depthwise-narrow", 3, 16, I ("stride", 3) I ("pad", 1) },
  { "depthwise-dilated", 3, 16, I ("dilation", 2) I ("pad", 2) },
  { "pads-beyond-window", 1, 1, I ("pad", 2) },
};

/* With an engine, the kernel, the number of groups and more arguments. */
#define WINDOW                                                                     \
  "op { input: 'X' input: 'weights' input: 'bias' output: 'Y' type: 'ConvFusion' " \
  "engine: '%s' arg { name: 'kernel' i: %d } arg { name: 'group' i: %d } "         \
  "arg { name: 'order' s: 'NHWC' } arg { name: 'fusion_type' i: 1 } "              \
  "arg { name: 'max' f: 2 } %s}"

/* Returns the output; *implementation is the name of the code that computed it. */
static C2gTensor *
run_window_by (const Window  *window,
               gint64         n_images,
               const char    *engine,
               const char   **implementation)
{
  const gint64 dims[] = { n_images, 21, 23, 16 };
  const gint64 filters[] = { 32, window->kernel, window->kernel, 16 / window->n_groups };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf (WINDOW, engine, window->kernel, window->n_groups,
                                           window->arguments);
  g_autoptr (C2gOperator) op = NULL;
  C2gTensor *y;

  add_blob (workspace, "X", dims, 4);
  add_blob (workspace, "weights", filters, 4);
  add_blob (workspace, "bias", filters, 1);
  op = create_operator (workspace, text);
  g_assert_null (c2g_operator_get_implementation (op));
  c2g_operator_run (op, &error);
  g_assert_no_error (error);
  *implementation = c2g_operator_get_implementation (op);
  y = c2g_workspace_get_tensor (workspace, "Y", &error);
  g_assert_no_error (error);
  return y;
}

static C2gTensor *
run_window (const Window *window,
            gint64        n_images,
            const char   *engine)
{
  const char *implementation;

  return run_window_by (window, n_images, engine, &implementation);
}

/* Images, or rows of one, are parts that threads compute side by side. Where the parts begin changes
 * no sum: results are the same with any number of threads. */
static void
test_parts (gconstpointer data)
{
  static const gint64 n_images[] = { 1, 2, 3, 9 };
  const Window *window = data;
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  const guint n_threads = c2g_settings_get_n_threads (settings);

  if (skip_without_engine ())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (n_images); i++)
    {
      g_autoptr (C2gTensor) expected = run_window (window, n_images[i], "");
      g_autoptr (C2gTensor) first = NULL;

      for (guint n = 1; n <= 5; n += c2g_test_is_quick () ? 2 : 1)
        {
          g_autoptr (C2gTensor) y = NULL;

          c2g_settings_set_n_threads (settings, n);
          y = run_window (window, n_images[i], ENGINE);
          assert_close (y, expected);
          if (first == NULL)
            first = g_object_ref (y);
          g_assert_cmpmem (c2g_tensor_address (y), c2g_tensor_get_n_bytes (y),
                           c2g_tensor_address (first), c2g_tensor_get_n_bytes (first));
        }
    }
  c2g_settings_set_n_threads (settings, n_threads);
}

/* A convolution of NCHW images, and the same by the default engine with NHWC ones. */
#define BOTH_ORDERS                                                                               \
  "op { input: 'X' input: 'weights' input: 'bias' output: 'Y' type: 'Conv' "                      \
  "arg { name: 'kernel' i: %d } arg { name: 'group' i: %d } %s } "                                \
  "op { input: 'X' output: 'turned' type: 'NCHW2NHWC' } "                                         \
  "op { input: 'weights' output: 'turned_weights' type: 'NCHW2NHWC' } "                           \
  "op { input: 'turned' input: 'turned_weights' input: 'bias' output: 'turned_y' type: 'Conv' "   \
  "arg { name: 'kernel' i: %d } arg { name: 'group' i: %d } %s "                                  \
  "arg { name: 'order' s: 'NHWC' } } "                                                            \
  "op { input: 'turned_y' output: 'expected' type: 'NHWC2NCHW' } "

static C2gTensor *
get_tensor (C2gWorkspace *workspace,
            const char   *name)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_workspace_get_tensor (workspace, name, &error);

  g_assert_no_error (error);
  return tensor;
}

/* Runs with filters that change: what the engine keeps of them must not be used again. There are several
 * blocks of channels. */
static C2gTensor *
run_both_orders (const Window *window,
                 gint64        n_images)
{
  const int n_groups = window->n_groups == 16 ? 32 : window->n_groups;
  const gint64 dims[] = { n_images, 32, 21, 23 };
  const gint64 filters[] = { 32, 32 / n_groups, window->kernel, window->kernel };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text =
    g_strdup_printf (BOTH_ORDERS, window->kernel, n_groups, window->arguments, window->kernel, n_groups,
                     window->arguments);
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gNet) net = NULL;
  g_autoptr (C2gTensor) weights = NULL;
  g_autoptr (C2gTensor) expected = NULL;
  C2gTensor *y = NULL;

  g_assert_no_error (error);
  c2g_net_def_set_name (def, "both");
  add_blob (workspace, "X", dims, 4);
  add_blob (workspace, "weights", filters, 4);
  add_blob (workspace, "bias", filters, 1);
  net = c2g_workspace_create_net (workspace, def, TRUE, &error);
  g_assert_no_error (error);
  weights = get_tensor (workspace, "weights");
  for (int i = 0; i < 2; i++)
    {
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
      g_clear_object (&expected);
      g_clear_object (&y);
      expected = get_tensor (workspace, "expected");
      y = get_tensor (workspace, "Y");
      assert_close (y, expected);
      for (gint64 j = 0; j < weights->n_elements; j++)
        ((float *) c2g_tensor_address (weights))[j] += 0.25f;
    }
  return y;
}

/* The default engine turns NCHW images part by part where that is faster. */
static void
test_turned (gconstpointer data)
{
  static const gint64 n_images[] = { 1, 2, 3, 9 };
  const Window *window = data;
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  const guint n_threads = c2g_settings_get_n_threads (settings);

  for (gsize i = 0; i < G_N_ELEMENTS (n_images); i++)
    for (guint n = 1; n <= 5; n += c2g_test_is_quick () ? 2 : 1)
      {
        g_autoptr (C2gTensor) y = NULL;

        c2g_settings_set_n_threads (settings, n);
        y = run_both_orders (window, n_images[i]);
      }
  c2g_settings_set_n_threads (settings, n_threads);
}

/* Images of a batch share the order of their filters, so it pays for smaller images than a single one:
 * either way the first image gives the same. */
static void
test_turned_batch (void)
{
  const gint64 filters[] = { 64, 64, 3, 3 };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = NULL;
  g_autoptr (C2gTensor) x = NULL;
  g_autoptr (C2gTensor) y = NULL;
  g_autoptr (C2gTensor) both = NULL;

  if (skip_without_engine ())
    return;
  add_blob (workspace, "X", C2G_TEST_DIMS (2, 64, 8, 7));
  add_blob (workspace, "weights", filters, 4);
  x = get_tensor (workspace, "X");
  op = create_operator (workspace, "op { input: 'X' input: 'weights' output: 'Y' type: 'Conv' " I ("kernel", 3) I ("pad", 1) "}");

  c2g_operator_run (op, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (c2g_operator_get_implementation (op), !=, "im2col");
  y = get_tensor (workspace, "Y");
  both = c2g_tensor_clone (y, NULL, &error);
  g_assert_no_error (error);

  c2g_tensor_resize (x, C2G_TEST_DIMS (1, 64, 8, 7), &error);
  c2g_operator_run (op, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (c2g_operator_get_implementation (op), ==, "im2col");
  c2g_tensor_resize (both, C2G_TEST_DIMS (1, 64, 8, 7), &error);
  g_assert_no_error (error);
  assert_close (both, y);
}

/* Runs an operator with a small image, maybe after large ones. Returns how many blocks of memory
 * there are then. */
static guint
count_blocks (gboolean begins_large)
{
  const gint64 dims[][4] = { { 3, 16, 21, 23 }, { 1, 16, 3, 3 } };
  const gint64 filters[] = { 32, 16, 3, 3 };
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) x = NULL;
  g_autoptr (C2gOperator) op = NULL;

  add_blob (workspace, "X", dims[0], 4);
  add_blob (workspace, "weights", filters, 4);
  x = get_tensor (workspace, "X");
  op = create_operator (workspace, "op { input: 'X' input: 'weights' output: 'Y' type: 'Conv' " I ("kernel", 3) "}");
  for (gsize i = begins_large ? 0 : 1; i < G_N_ELEMENTS (dims); i++)
    {
      c2g_tensor_resize (x, dims[i], 4, &error);
      g_assert_no_error (error);
      c2g_operator_run (op, &error);
      g_assert_no_error (error);
    }
  return c2g_memory_reporter_get_n_blocks (reporter, NULL);
}

/* The engine frees the memory for one shape when the default way computes another. */
static void
test_given_back (void)
{
  g_assert_cmpuint (count_blocks (TRUE), ==, count_blocks (FALSE));
}

/* Choosing */

#define CONSTANT "arg { name: 'convolution_transform_strategy' s: 'PRECOMPUTE' } "

typedef struct
{
  char  *folder;
  char  *path;
  GFile *file;
} TuningFile;

static void
tuning_file_set_up (TuningFile    *self,
                    gconstpointer  data)
{
  self->folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "tuning", NULL);
  self->file = g_file_new_for_path (self->path);
}

static void
tuning_file_tear_down (TuningFile    *self,
                       gconstpointer  data)
{
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_object_unref (self->file);
  g_free (self->path);
  g_free (self->folder);
}

/* Chooses the way for all that was measured. */
static void
override_choices (TuningFile *self,
                  const char *way)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  c2g_settings_save_tuning (settings, self->file, NULL, &error);
  g_key_file_load_from_file (keys, self->path, G_KEY_FILE_NONE, &error);
  names = g_key_file_get_keys (keys, c2g_tuning_get_processor (), NULL, &error);
  g_assert_no_error (error);
  for (gsize i = 0; names[i] != NULL; i++)
    g_key_file_set_value (keys, c2g_tuning_get_processor (), names[i], way);
  g_key_file_save_to_file (keys, self->path, &error);
  g_assert_no_error (error);
  c2g_settings_load_tuning (settings, self->file, NULL, &error);
  g_assert_no_error (error);
}

/* Each way computes the same, for shapes that it cannot compute, too, and whatever a file says. */
static void
test_ways (TuningFile    *fixture,
           gconstpointer  data)
{
  static const char *const ways[] = { "default", "dnnl", "winograd", "no-such-way" };
  const Window *window = data;
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (C2gTensor) expected = NULL;

  if (skip_without_engine ())
    return;
  expected = run_window (window, 2, "");
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (C2gTensor) measured = NULL;
      g_autoptr (C2gTensor) y = NULL;
      const char *implementation;
      gboolean is_default;

      c2g_settings_set_tune (settings, TRUE);
      g_assert_true (c2g_settings_get_tune (settings));
      measured = run_window (window, 2, ENGINE);
      c2g_settings_set_tune (settings, FALSE);
      assert_close (measured, expected);
      override_choices (fixture, ways[i]);
      y = run_window_by (window, 2, ENGINE, &implementation);
      assert_close (y, expected);
      is_default = g_str_equal (implementation, "im2col") || g_str_equal (implementation, "depthwise");
      if (i == 0)
        g_assert_true (is_default);
      else if (g_str_equal (window->path, "plain"))
        g_assert_false (is_default);
      if (g_str_equal (ways[i], "dnnl"))
        g_assert_null (strstr (implementation, "wino"));
    }
}

#ifdef HAVE_DNNL
/* Runs a convolution of some channels into as many, of an image of 17 × 13 pixels. */
static C2gTensor *
run_square (gint64       n_channels,
            const char  *engine,
            const char  *arguments,
            const char **implementation)
{
  const gint64 filters[] = { n_channels, 3, 3, n_channels };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf (
    "op { input: 'X' input: 'weights' input: 'bias' output: 'Y' type: 'Conv' engine: '%s' "
    "arg { name: 'order' s: 'NHWC' } arg { name: 'kernel' i: 3 } %s}",
    engine, arguments);
  g_autoptr (C2gOperator) op = NULL;

  add_blob (workspace, "X", C2G_TEST_DIMS (1, 17, 13, n_channels));
  add_blob (workspace, "weights", filters, 4);
  add_blob (workspace, "bias", filters, 1);
  op = create_operator (workspace, text);
  c2g_operator_run (op, &error);
  g_assert_no_error (error);
  if (implementation != NULL)
    *implementation = c2g_operator_get_implementation (op);
  return get_tensor (workspace, "Y");
}

/* Winograd's algorithm computes where it can, and its parts begin at tiles, so that threads change
 * nothing. */
static void
test_winograd (TuningFile    *fixture,
               gconstpointer  data)
{
  static const struct
  {
    const char *arguments;
    gint64      n_channels;
    gboolean    is_winograd;
  } squares[] = {
    { CONSTANT I ("pad", 1), 64, TRUE },
    { CONSTANT, 64, TRUE },
    { I ("pad_t", 1) I ("pad_l", 0) I ("pad_b", 0) I ("pad_r", 0), 20, TRUE },
    { CONSTANT I ("pad", 1) I ("stride", 2), 64, FALSE },
  };
  const gboolean is_there =
    (dnnl_get_effective_cpu_isa () & dnnl_cpu_isa_avx512_core) == dnnl_cpu_isa_avx512_core;
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  const guint n_threads = c2g_settings_get_n_threads (settings);

  if (skip_without_engine ())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (squares); i++)
    {
      const gint64 n = squares[i].n_channels;
      g_autoptr (C2gTensor) expected = run_square (n, "", squares[i].arguments, NULL);
      g_autoptr (C2gTensor) first = NULL;

      for (guint threads = 1; threads <= 2; threads++)
        {
          g_autoptr (C2gTensor) measured = NULL;
          g_autoptr (C2gTensor) y = NULL;
          const char *implementation;

          c2g_settings_set_n_threads (settings, threads);
          c2g_settings_set_tune (settings, TRUE);
          measured = run_square (n, ENGINE, squares[i].arguments, NULL);
          c2g_settings_set_tune (settings, FALSE);
          override_choices (fixture, "winograd");
          y = run_square (n, ENGINE, squares[i].arguments, &implementation);
          g_assert_cmpint (strstr (implementation, "wino") != NULL, ==,
                           is_there && squares[i].is_winograd);
          assert_close (y, expected);
          if (first == NULL)
            first = g_object_ref (y);
          g_assert_cmpmem (c2g_tensor_address (y), c2g_tensor_get_n_bytes (y),
                           c2g_tensor_address (first), c2g_tensor_get_n_bytes (first));
        }
    }
  c2g_settings_set_n_threads (settings, n_threads);
}

/* The operator keeps what it made for four shapes: filters that never change are put in order once,
 * so those of the first run count. The fifth shape takes the place of the first. */
static void
test_alternating (void)
{
  const gint64 filters[] = { 6, 3, 3, 6 };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  C2gTensor *expected[5] = { NULL };
  g_autoptr (C2gTensor) weights = NULL;
  g_autoptr (C2gTensor) x = NULL;
  g_autoptr (C2gOperator) op = NULL;

  if (skip_without_engine ())
    return;
  add_blob (workspace, "X", C2G_TEST_DIMS (8, 9, 13, 6));
  add_blob (workspace, "weights", filters, 4);
  x = get_tensor (workspace, "X");
  weights = get_tensor (workspace, "weights");
  op = create_operator (workspace, OP ("input: 'weights' ", "Conv", CONSTANT I ("kernel", 3)));
  for (gsize round = 0; round < 3; round++)
    for (gint64 i = 0; i < 4 + (round == 2); i++)
      {
        g_autoptr (C2gTensor) y = NULL;

        c2g_tensor_resize (x, C2G_TEST_DIMS (i + 1, 9, 13, 6), &error);
        c2g_operator_run (op, &error);
        g_assert_no_error (error);
        y = get_tensor (workspace, "Y");
        if (expected[i] == NULL)
          expected[i] = c2g_tensor_clone (y, NULL, &error);
        g_assert_no_error (error);
        assert_close (y, expected[i]);
        /* The default way keeps no filters. */
        if (round == 0 && i == 3 && !g_str_equal (c2g_operator_get_implementation (op), "im2col"))
          memset (c2g_tensor_address (weights), 0, c2g_tensor_get_n_bytes (weights));
      }
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    g_object_unref (expected[i]);
}

/* oneDNN counts in int: that many images are not the rows of one. No memory is needed to see it. */
static void
test_merged_images (void)
{
  static const struct
  {
    gint64   n_images;
    gboolean is_merged;
  } numbers[] = {
    { (1 << 19) - 1, TRUE },
    { 1 << 19, FALSE },
    { G_GINT64_CONSTANT (1) << 40, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const C2gWindowPlace place = {
        .channels_last = TRUE,
        .n_images = numbers[i].n_images,
        .in = { 1, 64, 64 },
        .out = { 1, 64, 64 },
        .stride = { 1, 1, 1 },
        .n_out = 4096,
        .n_kernel = 1,
      };
      const C2gConv conv = { .place = place, .n_groups = 1 };
      C2gConvShape shape;

      c2g_conv_shape_find (&conv, &shape);
      g_assert_cmpint (shape.n_images, ==, numbers[i].is_merged ? 1 : numbers[i].n_images);
      g_assert_cmpint (shape.in[0], ==, numbers[i].is_merged ? numbers[i].n_images * 4096 : 64);
      g_assert_cmpint (shape.in[1], ==, numbers[i].is_merged ? 1 : 64);
    }
}
#endif

#ifdef __linux__
/* Linux has them since version 6.3, and headers may be older. */
enum
{
  SET_MDWE = 65,
  GET_MDWE = 66,
  REFUSE_EXEC_GAIN = 1,
};

/* oneDNN makes code while it runs. Where that is forbidden, it fails, and the default way computes
 * for each engine. */
static void
test_without_code (void)
{
  g_autoptr (C2gTensor) turned = NULL;
  g_autoptr (C2gTensor) y = NULL;

  if (g_test_subprocess ())
    {
      g_assert_cmpint (prctl (SET_MDWE, (unsigned long) REFUSE_EXEC_GAIN, 0UL, 0UL, 0UL), ==, 0);
      turned = run_both_orders (&windows[1], 3);
      y = run_window (&windows[1], 3, ENGINE);
      return;
    }
  if (prctl (GET_MDWE, 0UL, 0UL, 0UL, 0UL) < 0)
    {
      g_test_skip ("This system cannot forbid to make code");
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}
#endif

#ifdef __linux__
/* Threads have the name of the thread that started them, unless it gives them another. */
static guint
count_unnamed_threads (void)
{
  g_autofree char *own = NULL;
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (tasks);
  g_assert_true (g_file_get_contents ("/proc/self/comm", &own, NULL, NULL));
  while ((name = g_dir_read_name (tasks)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", name, "comm", NULL);
      g_autofree char *comm = NULL;

      n += g_file_get_contents (path, &comm, NULL, NULL) && g_str_equal (comm, own);
    }
  return n;
}

/* A thread of the loops gets its name a moment after it has started: the least of many counts. */
static guint
count_lasting_unnamed_threads (void)
{
  guint least = count_unnamed_threads ();

  for (guint i = 0; i < 50 && least > 1; i++)
    {
      g_usleep (10000);
      least = MIN (least, count_unnamed_threads ());
    }
  return least;
}

static gpointer
end_cb (gpointer data)
{
  return NULL;
}

/* oneDNN's threads would compete with those of c2g's loops: only the latter are there. */
static void
test_one_pool (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  const guint n_threads = c2g_settings_get_n_threads (settings);
  guint n_unnamed;

  if (skip_without_engine ())
    return;
  /* ThreadSanitizer has a thread of its own from the first thread on. */
  g_thread_join (g_thread_new ("end", end_cb, NULL));
  n_unnamed = count_lasting_unnamed_threads ();
  c2g_settings_set_n_threads (settings, 4);
  for (gsize i = 0; i < 2; i++)
    {
      g_autoptr (C2gTensor) y = run_window (&windows[0], 3, i == 0 ? "" : ENGINE);

      g_assert_cmpuint (count_lasting_unnamed_threads (), ==, n_unnamed);
    }
  c2g_settings_set_n_threads (settings, n_threads);
}
#endif

/* Each thread has its own operator, and every run gives the same result. */
static gpointer
run_case_cb (gpointer data)
{
  const Case *test = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperator) op = new_operator (workspace, test);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) first = NULL;

  for (int i = 0; i < N_ROUNDS; i++)
    {
      g_autoptr (C2gTensor) y = NULL;

      c2g_operator_run (op, &error);
      g_assert_no_error (error);
      y = c2g_workspace_get_tensor (workspace, "Y", &error);
      g_assert_no_error (error);
      if (first == NULL)
        first = c2g_tensor_clone (y, NULL, NULL);
      assert_close (y, first);
    }
  return NULL;
}

/* Several operators run at once while their number of threads changes. An engine that is not there
 * is replaced by the default one. */
static void
test_threads (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  const guint n_threads = c2g_settings_get_n_threads (settings);
  GThread *threads[N_THREADS];

  /* Register all classes before the threads begin. */
  run_case_cb ((gpointer) &cases[0]);
  for (int i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("nets", run_case_cb, (gpointer) &cases[i % G_N_ELEMENTS (cases)]);
  for (int i = 0; i < N_ROUNDS; i++)
    {
      c2g_settings_set_n_threads (settings, i % 4 + 1);
      g_usleep (500);
    }
  for (int i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  c2g_settings_set_n_threads (settings, n_threads);
}

/* Names that oneDNN gives its implementations, also for processors that this one may not be. */
static void
test_fast_names (void)
{
  static const char *fast[] = { "jit:avx2", "jit_1x1:avx512_core", "jit_dw:sse41",
                                "brgconv:avx512_core", "brgconv_1x1:avx512_core",
                                "brg_conv_fwd:avx2", "brdgmm_dw:avx512_core" };
  static const char *slow[] = { "gemm:jit", "gemm:blas", "x64:gemm:jit", "ref:any", "" };

  for (gsize i = 0; i < G_N_ELEMENTS (fast); i++)
    g_assert_true (c2g_dnnl_is_fast (fast[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (slow); i++)
    g_assert_false (c2g_dnnl_is_fast (slow[i]));
}

#ifndef HAVE_DNNL
/* There is nothing to measure, which is told once. */
static void
test_tune_without_dnnl (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();

  if (g_test_subprocess ())
    {
      g_log_set_always_fatal (G_LOG_FATAL_MASK);
      c2g_settings_set_tune (settings, TRUE);
      for (gsize i = 0; i < 2; i++)
        g_object_unref (run_window (&windows[0], 2, ""));
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*tune has no effect*oneDNN*");
  g_test_trap_assert_stderr_unmatched ("*tune has no effect*tune has no effect*");
}
#else
/* The tests are right for another processor only if oneDNN obeys the limit on its instructions. */
static void
test_instructions (void)
{
  const char *limit = g_getenv ("DNNL_MAX_CPU_ISA");
  const dnnl_cpu_isa_t most = g_strcmp0 (limit, "SSE41") == 0 ? dnnl_cpu_isa_sse41 : dnnl_cpu_isa_avx2;

  if (limit == NULL)
    g_test_skip ("DNNL_MAX_CPU_ISA is not set");
  else
    g_assert_cmpint (dnnl_get_effective_cpu_isa (), <=, most);
}
#endif

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/engines/%s", cases[i].path);

      g_test_add_data_func (path, &cases[i], test_steady);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      g_autofree char *path = g_strdup_printf ("/engines/parts/%s", windows[i].path);

      g_test_add_data_func (path, &windows[i], test_parts);
      g_free (path);
      path = g_strconcat ("/engines/turned/", windows[i].path, NULL);
      g_test_add_data_func (path, &windows[i], test_turned);
      g_free (path);
      path = g_strconcat ("/engines/ways/", windows[i].path, NULL);
      g_test_add (path, TuningFile, &windows[i], tuning_file_set_up, test_ways,
                  tuning_file_tear_down);
    }
  c2g_test_add_func ("/engines/turned-batch", test_turned_batch);
  c2g_test_add_func ("/engines/given-back", test_given_back);
#ifdef __linux__
  c2g_test_add_func ("/engines/one-pool", test_one_pool);
  g_test_add_func ("/engines/without-code", test_without_code);
#endif
  c2g_test_add_func ("/engines/threads", test_threads);
  c2g_test_add_func ("/engines/fast-names", test_fast_names);
#ifdef HAVE_DNNL
  g_test_add ("/engines/winograd", TuningFile, NULL, tuning_file_set_up, test_winograd,
              tuning_file_tear_down);
  c2g_test_add_func ("/engines/alternating", test_alternating);
  c2g_test_add_func ("/engines/merged-images", test_merged_images);
  g_test_add_func ("/engines/instructions", test_instructions);
#else
  g_test_add_func ("/engines/tune-without-onednn", test_tune_without_dnnl);
#endif

  return c2g_test_run ();
}
