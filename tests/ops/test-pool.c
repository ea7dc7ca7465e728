/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/ops/count-allocations.h"
#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/net/operator/c2g-operator-private.h>

#include <string.h>

/* Pooling, norms, losses and operators on images: their errors, their memory and their state.
 * Python tests compare the results with NumPy's. */

#define MAX_DIMS 8

/* "f2x3" is an input of floats, "i" and "u" stand for int32 and uint8. All elements are zero. */
static void
add_input (C2gWorkspace *workspace,
           const char   *name,
           const char   *text)
{
  const C2gDataType type = *text == 'i'   ? C2G_DATA_TYPE_INT32
                           : *text == 'u' ? C2G_DATA_TYPE_UINT8
                                          : C2G_DATA_TYPE_FLOAT;
  g_auto (GStrv) sizes = g_strsplit (text + 1, "x", MAX_DIMS);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);
  gint64 dims[MAX_DIMS];
  gsize n_dims = 0;

  g_assert_no_error (error);
  for (; sizes[n_dims] != NULL; n_dims++)
    dims[n_dims] = g_ascii_strtoll (sizes[n_dims], NULL, 10);
  tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);
  g_assert_no_error (error);
  c2g_tensor_allocate (tensor, type, &error);
  g_assert_no_error (error);
  if (c2g_tensor_get_n_elements (tensor) > 0)
    memset (c2g_tensor_address (tensor), 0, c2g_tensor_get_n_bytes (tensor));
  c2g_blob_set_object (blob, G_OBJECT (tensor));
}

/* Inputs are named a, b, c … */
static C2gOperator *
new_operator (C2gWorkspace *workspace,
              const char   *inputs,
              const char   *op_text)
{
  g_auto (GStrv) texts = g_strsplit (inputs, " ", -1);
  g_autofree char *text = g_strdup_printf ("op { %s }", op_text);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) net = c2g_net_def_new_from_text (text, &error);
  C2gOperator *op;

  g_assert_no_error (error);
  for (guint i = 0; texts[i] != NULL; i++)
    {
      const char name[] = { (char) ('a' + i), '\0' };

      add_input (workspace, name, texts[i]);
    }
  op = c2g_operator_create (c2g_net_def_get_operator (net, 0), workspace, &error);
  g_assert_no_error (error);
  return op;
}

typedef struct
{
  const char *path;
  const char *inputs;
  const char *op;
} Steady;

#define I(name, value) "arg { name: '" name "' i: " #value " } "
#define LAST           "arg { name: 'order' s: 'NHWC' } "
#define IN1            "input: 'a' "
#define IN2            IN1 "input: 'b' "
#define IN3            IN2 "input: 'c' "
#define IN5            IN3 "input: 'd' input: 'e' "
#define OUT            "output: 'y' "
#define OUT2           OUT "output: 'z' "
#define TYPE(type)     "type: '" type "' "

static const Steady steadies[] = {
  { "max-pool", "f2x3x9x7", IN1 OUT TYPE ("MaxPool") I ("kernel", 3) I ("stride", 2) },
  { "max-pool-last", "f2x9x7x3", IN1 OUT TYPE ("MaxPool") I ("kernel", 3) LAST },
  { "average-pool", "f40x30x9x7", IN1 OUT TYPE ("AveragePool") I ("kernel", 3) I ("pad", 1) },
  { "average-pool-ceil", "f2x3x9x8",
    IN1 OUT TYPE ("AveragePool") I ("kernel", 3) I ("stride", 2) I ("ceil_mode", 1) },
  { "global-pool", "f2x3x9x7", IN1 OUT TYPE ("AveragePool") I ("global_pooling", 1) },
  { "softmax", "f20x1000", IN1 OUT TYPE ("Softmax") },
  { "softmax-in-place", "f20x1000", IN1 "output: 'a' " TYPE ("Softmax") },
  { "log-softmax", "f20x1000", IN1 OUT TYPE ("LogSoftmax") },
  { "spatial-bn", "f2x3x4x5 f3 f3 f3 f3", IN5 OUT TYPE ("SpatialBN") I ("is_test", 1) },
  { "spatial-bn-train", "f2x3x4x5 f3 f3 f3 f3",
    IN5 OUT "output: 'd' output: 'e' output: 'z' output: 'w' " TYPE ("SpatialBN") },
  { "dropout", "f2x3", IN1 OUT2 TYPE ("Dropout") I ("is_test", 1) },
  { "dropout-train", "f2x300", IN1 OUT2 TYPE ("Dropout") },
  { "lrn", "f2x7x5x3", IN1 OUT TYPE ("LRN") I ("size", 5) },
  { "lrn-last", "f2x7x5x3", IN1 OUT2 TYPE ("LRN") I ("size", 5) LAST },
  { "lrn-within", "f2x7x5x3",
    IN1 OUT TYPE ("LRN") I ("size", 5) "arg { name: 'norm_region' s: 'WITHIN_CHANNEL' } " },
  { "mvn", "f2x3x4x5", IN1 OUT TYPE ("MVN") },
  { "prior-box", "f1x3x4x5 f1x3x40x50",
    IN2 OUT TYPE ("PriorBox") "arg { name: 'min_size' floats: 3 } " },
  { "detection-output", "f2x12 f2x6 f1x2x12",
    IN3 OUT TYPE ("DetectionOutput") I ("num_classes", 2) },
  { "caffe-arg-max", "f20x30", IN1 OUT TYPE ("CaffeArgMax") I ("top_k", 3) },
  { "instance-norm", "f2x3x4x5 f3 f3", IN3 OUT TYPE ("InstanceNorm") },
  { "group-norm", "f2x6x4x5 f6 f6", IN3 OUT TYPE ("GroupNorm") I ("group", 3) },
  { "layer-norm", "f20x60", IN1 OUT2 "output: 'w' " TYPE ("LayerNorm") },
  { "moments", "f2x3x4", IN1 OUT2 TYPE ("Moments") I ("keepdims", 0) },
  { "channel-stats", "f2x3x4", IN1 OUT2 TYPE ("ChannelStats") },
  { "batch-moments", "f2x3x4", IN1 OUT2 TYPE ("BatchMoments") LAST },
  { "softmax-with-loss", "f5x3 i5", IN2 OUT2 TYPE ("SoftmaxWithLoss") },
  { "spatial-softmax-with-loss", "f2x3x4x5 i2x4x5", IN2 OUT2 TYPE ("SpatialSoftmaxWithLoss") },
  { "label-cross-entropy", "f5x3 i5", IN2 OUT TYPE ("LabelCrossEntropy") },
  { "integral-image", "f2x3x4x5", IN1 OUT TYPE ("IntegralImage") },
  { "integral-gradient", "f2x3x4x5 f2x3x5x6", IN2 OUT TYPE ("IntegralImageGradient") },
  { "box-cox", "f2x3 f3 f3", IN3 OUT TYPE ("BatchBoxCox") },
  { "preprocess", "u1x4x5x4 f3",
    IN2 OUT TYPE ("PackedInt8BGRANHWCToNCHWCStylizerPreprocess") },
  { "deprocess", "f1x3x4x5 f3", IN2 OUT TYPE ("BRGNCHWCToPackedInt8BGRAStylizerDeprocess") },
};

/* The second run needs no memory. */
static void
test_steady (gconstpointer data)
{
  const Steady *test = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperator) op = new_operator (workspace, test->inputs, test->op);
  g_autoptr (GError) error = NULL;
  int n_before = 0;

  for (int i = 0; i < 2; i++)
    {
      n_before = n_allocations;
      c2g_operator_run (op, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpint (n_allocations - n_before, ==, 0);
}

/* The blob has other content than when the operator was created. */
static void
test_shrunk (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperator) op = new_operator (
    workspace, "f2x3x4x5 f3 f3 f3 f3", IN5 OUT TYPE ("SpatialBN") I ("is_test", 1));
  g_autoptr (GError) error = NULL;

  c2g_operator_run (op, &error);
  g_assert_no_error (error);
  add_input (workspace, "d", "f2");
  g_assert_false (c2g_operator_run (op, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "“d”"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (steadies); i++)
    {
      g_autofree char *path = g_strdup_printf ("/pool/steady/%s", steadies[i].path);

      g_test_add_data_func (path, &steadies[i], test_steady);
    }
  c2g_test_add_func ("/pool/shrunk", test_shrunk);

  return c2g_test_run ();
}
