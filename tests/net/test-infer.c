/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/net/net-operators.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <string.h>

/* Shape inference without data. tests/ops/ops_testing.py infers every operator type before it runs
 * it, and test-infer-models.c infers every model. */

static C2gTensor *
new_shape (C2gDataType   data_type,
           const gint64 *dims,
           gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);

  g_assert_no_error (error);
  c2g_tensor_set_data_type (tensor, data_type, &error);
  g_assert_no_error (error);
  return tensor;
}

/* Puts tensors without memory into blobs; "x 2,3 float; y 4 int32" are two of them. */
static void
put_shapes (C2gWorkspace *workspace,
            const char   *shapes)
{
  g_auto (GStrv) each = g_strsplit (shapes, ";", -1);

  for (gsize i = 0; each[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) words = g_strsplit (g_strstrip (each[i]), " ", 3);
      g_auto (GStrv) numbers = g_strsplit (words[1], ",", -1);
      gint64 dims[8];
      gsize n_dims = 0;
      g_autoptr (C2gTensor) tensor = NULL;
      g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, words[0], &error);

      g_assert_no_error (error);
      for (; numbers[n_dims] != NULL; n_dims++)
        dims[n_dims] = g_ascii_strtoll (numbers[n_dims], NULL, 10);
      tensor = new_shape (g_str_equal (words[2], "float")   ? C2G_DATA_TYPE_FLOAT
                          : g_str_equal (words[2], "int32") ? C2G_DATA_TYPE_INT32
                                                            : C2G_DATA_TYPE_INT64,
                          dims, n_dims);
      c2g_blob_set_object (blob, G_OBJECT (tensor));
    }
}

static C2gNet *
new_net (C2gWorkspace *workspace,
         const char   *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = net_def_from_text (text);
  C2gNet *net = c2g_workspace_create_net (workspace, def, TRUE, &error);

  g_assert_no_error (error);
  return net;
}

static C2gTensor *
get_tensor (C2gWorkspace *workspace,
            const char   *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, &error);
  C2gTensor *tensor;

  g_assert_no_error (error);
  tensor = c2g_blob_get_tensor (blob, &error);
  g_assert_no_error (error);
  return tensor;
}

#define assert_shape(workspace, name, data_type, ...)                                              \
  G_STMT_START                                                                                     \
    {                                                                                              \
      const gint64 expected[] = { __VA_ARGS__ };                                                   \
      C2gTensor *shaped = get_tensor (workspace, name);                                            \
                                                                                                   \
      g_assert_cmpint (c2g_tensor_get_data_type (shaped), ==, C2G_DATA_TYPE_##data_type);          \
      g_assert_cmpmem (shaped->dims, shaped->n_dims * sizeof (gint64), expected, sizeof expected); \
    }                                                                                              \
  G_STMT_END

static void
fill (C2gWorkspace *workspace,
      const char   *name,
      double        value)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = get_tensor (workspace, name);

  c2g_tensor_allocate (tensor, c2g_tensor_get_data_type (tensor), &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    c2g_tensor_set_value (tensor, i, value, NULL);
}

#define MLP                                                                                        \
  "name: 'mlp' external_input: 'x' external_input: 'w' external_input: 'b' "                       \
  "op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' } "                                \
  "op { type: 'Relu' input: 'y' output: 'y' } "                                                    \
  "op { type: 'TopK' input: 'y' output: 'v' output: 'i' arg { name: 'k' i: 2 } }"

static void
test_net (void)
{
  static const char *const types[] = { "simple", "dag" };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autofree char *text = g_strconcat ("type: '", types[i], "' ", MLP, NULL);
      g_autoptr (C2gNet) net = NULL;
      guint64 n_bytes;

      put_shapes (workspace, "x 5,3 float; w 4,3 float; b 4 float");
      net = new_net (workspace, text);
      n_bytes = c2g_test_ledger_bytes ();
      g_assert_true (c2g_net_infer (net, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes);
      g_assert_null (get_tensor (workspace, "y")->storage);
      assert_shape (workspace, "y", FLOAT, 5, 4);
      assert_shape (workspace, "v", FLOAT, 5, 2);
      assert_shape (workspace, "i", INT64, 5, 2);

      /* An inferred tensor has no data. */
      g_assert_false (c2g_net_run (net, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
      g_assert_nonnull (strstr (error->message, "“x”"));
    }
}

static void
test_run_between (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = NULL;
  guint64 address;

  put_shapes (workspace, "x 5,3 float; w 4,3 float; b 4 float");
  net = new_net (workspace, MLP);
  g_assert_true (c2g_net_infer (net, &error));
  fill (workspace, "x", 1);
  fill (workspace, "w", 2);
  fill (workspace, "b", 3);
  g_assert_true (c2g_net_run (net, NULL, &error));
  g_assert_cmpfloat (c2g_tensor_get_value (get_tensor (workspace, "v"), 9, NULL), ==, 9);

  /* A tensor that already has the inferred shape does not change. */
  address = c2g_tensor_get_address (get_tensor (workspace, "v"));
  g_assert_true (c2g_net_infer (net, &error));
  g_assert_cmpuint (c2g_tensor_get_address (get_tensor (workspace, "v")), ==, address);
  g_assert_cmpfloat (c2g_tensor_get_value (get_tensor (workspace, "v"), 9, NULL), ==, 9);

  put_shapes (workspace, "x 7,3 float");
  g_assert_true (c2g_net_infer (net, &error));
  assert_shape (workspace, "v", FLOAT, 7, 2);
  fill (workspace, "x", 1);
  g_assert_true (c2g_net_run (net, NULL, &error));
  g_assert_no_error (error);
  assert_shape (workspace, "v", FLOAT, 7, 2);
  g_assert_cmpfloat (c2g_tensor_get_value (get_tensor (workspace, "v"), 13, NULL), ==, 9);
}

/* Inference keeps the elements of in-place tensors, such as parameters. */
static void
test_in_place (void)
{
  static const char *const nets[] = {
    "op { type: 'Relu' input: 'x' output: 'x' }",
    "op { type: 'Sum' input: 'x' input: 'g' output: 'x' }",
    "op { type: 'Adagrad' input: 'x' input: 'm' input: 'g' input: 'r' output: 'x' output: 'm' }",
    "op { type: 'Reshape' input: 'x' output: 'x' output: 'o' arg { name: 'shape' ints: -1 } }",
    "op { type: 'Alias' input: 'x' output: 'x' }",
    "op { type: 'ScatterAssign' input: 'x' input: 'i' input: 'g' output: 'x' }",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gNet) net = NULL;

      put_shapes (workspace, "x 2,3 float; m 2,3 float; g 2,3 float; r 1 float; i 2 int32");
      fill (workspace, "x", -4);
      fill (workspace, "m", 5);
      net = new_net (workspace, nets[i]);
      g_assert_true (c2g_net_infer (net, &error));
      g_assert_no_error (error);
      g_assert_cmpint (c2g_tensor_get_n_elements (get_tensor (workspace, "x")), ==, 6);
      g_assert_cmpfloat (c2g_tensor_get_value (get_tensor (workspace, "x"), 5, NULL), ==, -4);
      g_assert_cmpfloat (c2g_tensor_get_value (get_tensor (workspace, "m"), 5, NULL), ==, 5);
    }
}

static const struct
{
  const char *shapes;
  const char *net;
} misfits[] = {
  { "x 5,3 float; w 4,2 float; b 4 float", MLP },
  { "x 5,3 float; w 4,3 float; b 5 float", MLP },
  { "x 5,3 int32; w 4,3 float; b 4 float", MLP },
  { "x 1,3,8,8 float; w 4,2,3,3 float",
    "op { type: 'Conv' input: 'x' input: 'w' output: 'y' arg { name: 'kernel' i: 3 } }" },
  { "x 1,3,2,2 float; w 4,3,3,3 float",
    "op { type: 'Conv' input: 'x' input: 'w' output: 'y' arg { name: 'kernel' i: 3 } }" },
  { "x 2,3 float; y 4,3 float", "op { type: 'Add' input: 'x' input: 'y' output: 'z' }" },
  { "x 2,3 float; y 2,3 int32", "op { type: 'Concat' input: 'x' input: 'y' output: 'z' output: 's' }" },
  { "x 2,3 float",
    "op { type: 'Reshape' input: 'x' output: 'y' output: 's' arg { name: 'shape' ints: 4 } }" },
  { "x 2,3 float; s 4 float; b 4 float; m 4 float; v 4 float",
    "op { type: 'SpatialBN' input: 'x' input: 's' input: 'b' input: 'm' input: 'v' output: 'y' "
    "arg { name: 'is_test' i: 1 } }" },
};

/* Inference fails with the same message as a run. */
static void
test_misfits (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (misfits); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) run_error = NULL;
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_auto (GStrv) names = NULL;
      g_autoptr (C2gNet) net = NULL;

      put_shapes (workspace, misfits[i].shapes);
      names = c2g_workspace_list_blobs (workspace);
      net = new_net (workspace, misfits[i].net);
      g_assert_false (c2g_net_infer (net, &error));

      for (gsize j = 0; names[j] != NULL; j++)
        fill (workspace, names[j], 0);
      g_assert_false (c2g_net_run (net, NULL, &run_error));
      g_assert_error (error, C2G_ERROR, run_error->code);
      g_assert_cmpstr (error->message, ==, run_error->message);
    }
}

static const struct
{
  const char *shapes;
  const char *net;
} hostile[] = {
  { "x 288230376151711744,2 float",
    "op { type: 'Tile' input: 'x' output: 'y' arg { name: 'tiles' i: 8 } }" },
  { "x 288230376151711744,2 float",
    "op { type: 'Tile' input: 'x' output: 'y' arg { name: 'tiles' i: 9223372036854775807 } }" },
  { "x 4294967296,1 float; y 1,4294967296 float",
    "op { type: 'Add' input: 'x' input: 'y' output: 'z' }" },
  { "x 4294967296,1 float; y 1,4294967296 float",
    "op { type: 'BatchMatMul' input: 'x' input: 'y' output: 'z' }" },
  { "x 1 float",
    "op { type: 'ConstantFill' output: 'y' arg { name: 'shape' ints: 4611686018427387904 ints: 4 } }" },
  { "x 1 float", "op { type: 'ConstantFill' output: 'y' arg { name: 'shape' ints: -1 } }" },
  { "x 1,1,8,8 float",
    "op { type: 'ResizeNearest' input: 'x' output: 'y' "
    "arg { name: 'width_scale' f: 2e9 } arg { name: 'height_scale' f: 2e9 } }" },
  { "x 1,1,8,8 float",
    "op { type: 'PadImage' input: 'x' output: 'y' arg { name: 'pad' i: 2147483647 } } "
    "op { type: 'Tile' input: 'y' output: 'z' arg { name: 'tiles' i: 4294967296 } }" },
};

static void
test_hostile (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (hostile); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gNet) net = NULL;

      put_shapes (workspace, hostile[i].shapes);
      net = new_net (workspace, hostile[i].net);
      g_assert_false (c2g_net_infer (net, &error));
      g_assert_true (g_error_matches (error, C2G_ERROR, C2G_ERROR_RANGE) ||
                     g_error_matches (error, C2G_ERROR, C2G_ERROR_SHAPE));
    }
}

/* Shapes that are larger than any memory can be inferred. */
static void
test_large (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = NULL;

  put_shapes (workspace, "x 1099511627776,1024 float; s 1024 float");
  net = new_net (workspace,
                 "external_input: 'x' external_input: 's' "
                 "op { type: 'Relu' input: 'x' output: 'y' } "
                 "op { type: 'GroupNorm' input: 'y' input: 's' input: 's' output: 'z' output: 'm' "
                 "arg { name: 'group' i: 2 } } "
                 "op { type: 'Moments' input: 'z' output: 'm0' output: 'm1' "
                 "arg { name: 'axes' ints: 1 } arg { name: 'keepdims' i: 0 } }");
  g_assert_true (c2g_net_infer (net, &error));
  g_assert_no_error (error);
  assert_shape (workspace, "z", FLOAT, 1099511627776, 1024);
  assert_shape (workspace, "m", FLOAT, 1099511627776, 2);
  assert_shape (workspace, "m1", FLOAT, 1099511627776);
}

static void
test_values (void)
{
  static const char text[] =
    "name: 'net' op { type: 'Reshape' input: 'x' input: 's' output: 'y' output: 'o' }";
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = NULL;

  put_shapes (workspace, "x 2,3 float; s 2 int64");
  net = new_net (workspace, text);
  g_assert_false (c2g_net_infer (net, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "“net”, operator 0: Reshape: "));
  g_assert_nonnull (strstr (error->message, "input 1, “s”"));
  g_clear_error (&error);

  fill (workspace, "s", -1);
  c2g_tensor_set_int64 (get_tensor (workspace, "s"), 0, 3, NULL);
  g_assert_true (c2g_net_infer (net, &error));
  assert_shape (workspace, "y", FLOAT, 3, 2);
  assert_shape (workspace, "o", INT64, 2);
}

/* Inference does not use the contents of intermediate tensors from an earlier run. */
static void
test_old_values (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = NULL;

  put_shapes (workspace, "x 2,3 float; z 3,2 float");
  fill (workspace, "x", 1);
  fill (workspace, "z", 1);
  net = new_net (workspace, "external_input: 'x' external_input: 'z' "
                            "op { type: 'Shape' input: 'z' output: 's' } "
                            "op { type: 'Reshape' input: 'x' input: 's' output: 'y' output: 'o' }");
  g_assert_true (c2g_net_run (net, NULL, &error));
  assert_shape (workspace, "y", FLOAT, 3, 2);

  g_assert_false (c2g_net_infer (net, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);
  g_assert_true (c2g_operator_infer (c2g_net_get_operator (net, 1), &error));
  g_assert_no_error (error);
}

static const struct
{
  const char *net;
  const char *message;
} unknown[] = {
  { "name: 'n' op { type: 'Copy' input: 'i' output: 'c' } "
    "op { type: 'Unique' input: 'c' output: 'u' } op { type: 'Copy' input: 'u' output: 'z' }",
    "“n”, operator 1: Unique: " },
  { "name: 'n' op { type: 'Copy' input: 'i' output: 'c' } "
    "op { type: 'If' name: 'one' input: 'b' output: 'c' "
    "arg { name: 'then_net' n { name: 't' op { type: 'Copy' input: 'i' output: 'c' } } } }",
    "“n”, operator 1: If “one”: " },
  { "name: 'n' op { type: 'Copy' input: 'i' output: 'c' } "
    "op { type: 'NetTestDummy' input: 'c' output: 'd' }",
    "“n”, operator 1: NetTestDummy: The class NetTestDummy " },
};

static void
test_unknown (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (unknown); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gNet) net = NULL;

      put_shapes (workspace, "i 9 int64; b 1 int32");
      net = new_net (workspace, unknown[i].net);
      g_assert_false (c2g_net_infer (net, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_assert_nonnull (strstr (error->message, unknown[i].message));
      assert_shape (workspace, "c", INT64, 9);
    }
}

static void
test_nothing_known (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def =
    net_def_from_text ("name: 'n' op { type: 'Relu' input: 'x' output: 'y' }");
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "x", &error);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();

  g_assert_false (c2g_workspace_infer_net_once (workspace, def, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);

  c2g_blob_set_object (blob, G_OBJECT (tensor));
  g_assert_false (c2g_workspace_infer_net_once (workspace, def, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“x”"));
  g_clear_error (&error);

  c2g_tensor_set_data_type (tensor, C2G_DATA_TYPE_FLOAT, &error);
  g_assert_false (c2g_workspace_infer_net_once (workspace, def, &error));
  g_clear_error (&error);
  c2g_tensor_resize (tensor, NULL, 0, &error);
  g_assert_true (c2g_workspace_infer_net_once (workspace, def, &error));
  g_assert_no_error (error);
}

static void
busy_cb (C2gNet   *net,
         gboolean *is_busy)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_net_infer (net, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  *is_busy = TRUE;
}

static void
test_busy (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = new_net (workspace, "op { type: 'CreateMutex' output: 'm' }");
  gboolean is_busy = FALSE;

  g_signal_connect (net, "before-run", G_CALLBACK (busy_cb), &is_busy);
  g_assert_true (c2g_net_run (net, NULL, &error));
  g_assert_true (is_busy);
  g_assert_true (c2g_net_infer (net, &error));
  g_assert_no_error (error);
}

/* Blobs of other types do not change, and counters do not count during inference. */
static void
test_counters (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net =
    new_net (workspace, "op { type: 'CreateCounter' output: 'c' } "
                        "op { type: 'CountUp' input: 'c' output: 'n' } "
                        "op { type: 'CheckCounterDone' input: 'c' output: 'd' } "
                        "op { type: 'Iter' output: 'i' } "
                        "op { type: 'CreateMutex' output: 'm' } "
                        "op { type: 'AtomicFetchAdd' input: 'm' input: 'i' input: 'i' "
                        "output: 's' output: 'o' }");

  for (int i = 0; i < 3; i++)
    g_assert_true (c2g_net_infer (net, &error));
  assert_shape (workspace, "i", INT64, 1);
  g_assert_cmpint (get_tensor (workspace, "n")->n_dims, ==, 0);
  g_assert_cmpint (c2g_tensor_get_data_type (get_tensor (workspace, "d")), ==, C2G_DATA_TYPE_BOOL);

  g_assert_true (c2g_net_run (net, NULL, &error));
  g_assert_true (c2g_net_infer (net, &error));
  g_assert_true (c2g_net_run (net, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_int64 (get_tensor (workspace, "i"), 0, NULL), ==, 2);
  g_assert_cmpint (c2g_tensor_get_int64 (get_tensor (workspace, "o"), 0, NULL), ==, 2);
}

/* An operator class whose infer() works for one dimension, and fails without an error for
 * others. */

typedef struct
{
  C2gOperator parent_instance;
} InferTestHalf;

typedef struct
{
  C2gOperatorClass parent_class;
} InferTestHalfClass;

GType infer_test_half_get_type (void);

G_DEFINE_TYPE (InferTestHalf, infer_test_half, C2G_TYPE_OPERATOR)

static gboolean
infer_test_half_run (C2gOperator  *op,
                     GError      **error)
{
  return FALSE;
}

static gboolean
infer_test_half_infer (C2gOperator  *op,
                       GError      **error)
{
  C2gTensor *input = c2g_operator_get_input_tensor (op, 0, error);
  C2gTensor *output = input != NULL ? c2g_operator_get_output_tensor (op, 0, error) : NULL;

  return output != NULL && input->n_dims == 1 &&
         c2g_tensor_resize (output, (gint64[]) { input->dims[0] / 2 }, 1, error) &&
         c2g_tensor_set_data_type (output, C2G_DATA_TYPE_FLOAT16, error);
}

static void
infer_test_half_class_init (InferTestHalfClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->run = infer_test_half_run;
  C2G_OPERATOR_CLASS (klass)->infer = infer_test_half_infer;
}

static void
infer_test_half_init (InferTestHalf *self)
{
}

static void
test_class (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_new (1, 1, 1, 1);
  g_autoptr (C2gOperatorSchema) found = NULL;
  g_autoptr (C2gNet) net = NULL;

  c2g_operator_register ("InferTestHalf", C2G_DEVICE_TYPE_CPU, NULL, infer_test_half_get_type (),
                         schema, &error);
  g_assert_no_error (error);
  found = c2g_operator_schema_lookup ("InferTestHalf", &error);
  g_assert_true (c2g_operator_schema_can_infer (found));

  put_shapes (workspace, "x 8 float");
  net = new_net (workspace, "op { type: 'InferTestHalf' input: 'x' output: 'y' } "
                            "op { type: 'HalfToFloat' input: 'y' output: 'z' }");
  g_assert_true (c2g_net_infer (net, &error));
  g_assert_no_error (error);
  assert_shape (workspace, "z", FLOAT, 4);

  put_shapes (workspace, "x 8,1 float");
  g_assert_false (c2g_net_infer (net, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "InferTestHalf"));
}

/* c2g_tensor_set_data_type() */

static void
count_cb (GObject    *object,
          GParamSpec *pspec,
          int        *count)
{
  (*count)++;
}

static void
test_data_type (void)
{
  static const gint64 dims[] = { 2, 3 };
  static const gint64 many[] = { G_MAXINT64 / 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_shape (C2G_DATA_TYPE_FLOAT, dims, 2);
  int n_notes = 0;

  g_signal_connect (tensor, "notify::data-type", G_CALLBACK (count_cb), &n_notes);
  g_assert_false (c2g_tensor_is_allocated (tensor));
  g_assert_cmpuint (c2g_tensor_get_n_bytes (tensor), ==, 24);
  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error);
  c2g_tensor_set_value (tensor, 5, 7, &error);
  g_assert_true (c2g_tensor_set_data_type (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 5, &error), ==, 7);
  g_assert_cmpint (n_notes, ==, 0);

  g_assert_true (c2g_tensor_set_data_type (tensor, C2G_DATA_TYPE_INT64, &error));
  g_assert_false (c2g_tensor_is_allocated (tensor));
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 0);
  g_assert_cmpint (n_notes, ==, 1);
  g_assert_no_error (error);

  g_assert_false (c2g_tensor_set_data_type (tensor, C2G_DATA_TYPE_UNDEFINED, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_true (c2g_tensor_set_data_type (tensor, C2G_DATA_TYPE_UINT8, &error));
  g_assert_true (c2g_tensor_resize (tensor, many, 1, &error));
  g_assert_false (c2g_tensor_set_data_type (tensor, C2G_DATA_TYPE_DOUBLE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_UINT8);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();
  c2g_test_add_func ("/infer/net", test_net);
  c2g_test_add_func ("/infer/run-between", test_run_between);
  c2g_test_add_func ("/infer/in-place", test_in_place);
  c2g_test_add_func ("/infer/misfits", test_misfits);
  c2g_test_add_func ("/infer/hostile", test_hostile);
  c2g_test_add_func ("/infer/large", test_large);
  c2g_test_add_func ("/infer/values", test_values);
  c2g_test_add_func ("/infer/old-values", test_old_values);
  c2g_test_add_func ("/infer/unknown", test_unknown);
  c2g_test_add_func ("/infer/nothing-known", test_nothing_known);
  c2g_test_add_func ("/infer/busy", test_busy);
  c2g_test_add_func ("/infer/counters", test_counters);
  c2g_test_add_func ("/infer/class", test_class);
  c2g_test_add_func ("/infer/data-type", test_data_type);
  return c2g_test_run ();
}
