/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "def-utils.h"

#include <c2g/def/c2g-net-def-private.h>

static C2gNetDef *
load (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  C2gNetDef *net = c2g_net_def_load_file (file, NULL, &error);

  g_assert_no_error (error);
  return net;
}

static C2gNetDef *
from_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gNetDef *net = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return net;
}

static void
test_new (void)
{
  g_autoptr (C2gNetDef) net = c2g_net_def_new ("mlp");
  g_autofree char *text = c2g_net_def_to_text (net);

  g_assert_cmpstr (c2g_net_def_get_name (net), ==, "mlp");
  g_assert_null (c2g_net_def_get_net_type (net));
  g_assert_cmpint (c2g_net_def_get_n_workers (net), ==, 0);
  g_assert_null (c2g_net_def_get_device (net));
  g_assert_null (c2g_net_def_get_external_inputs (net)[0]);
  g_assert_null (c2g_net_def_get_external_outputs (net)[0]);
  g_assert_cmpuint (c2g_net_def_get_n_operators (net), ==, 0);
  g_assert_cmpstr (text, ==, "name: \"mlp\"\n");
}

static void
test_properties (void)
{
  static const char *const values[] = { "a", "b", NULL };
  static const char *const names[] = {
    "name",
    "net-type",
    "n-workers",
    "device",
    "external-inputs",
    "external-outputs",
  };
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 1, NULL);
  g_autoptr (C2gNetDef) net = c2g_net_def_new (NULL);
  int counts[G_N_ELEMENTS (names)] = { 0 };
  g_autofree char *text = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *signal_name = g_strdup_printf ("notify::%s", names[i]);

      g_signal_connect (net, signal_name, G_CALLBACK (def_count_cb), &counts[i]);
    }
  for (guint i = 0; i < 2; i++)
    g_object_set (net, "name", "n", "net-type", "dag", "n-workers", 4, "device", device,
                  "external-inputs", values, "external-outputs", values, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpint (counts[i], ==, 1);

  c2g_net_def_add_external_input (net, "c");
  c2g_net_def_add_external_output (net, "d");
  text = c2g_net_def_to_text (net);
  g_assert_cmpstr (text, ==,
                   "name: \"n\"\ntype: \"dag\"\nnum_workers: 4\n"
                   "device_option {\n  device_type: 1\n  device_id: 1\n}\n"
                   "external_input: \"a\"\nexternal_input: \"b\"\nexternal_input: \"c\"\n"
                   "external_output: \"a\"\nexternal_output: \"b\"\nexternal_output: \"d\"\n");
  c2g_net_def_set_external_outputs (net, values);
  def_assert_names (c2g_net_def_get_external_outputs (net), "a", "b");
  c2g_net_def_set_external_outputs (net, NULL);
  g_assert_null (c2g_net_def_get_external_outputs (net)[0]);
}

static void
test_get_properties (void)
{
  g_autoptr (C2gNetDef) net = from_text ("name: 'n' type: 'dag' num_workers: -3 device_option { } "
                                         "external_input: 'a' external_output: 'b'");
  g_autofree char *name = NULL;
  g_autofree char *net_type = NULL;
  g_auto (GStrv) inputs = NULL;
  g_auto (GStrv) outputs = NULL;
  C2gDevice *device = NULL;
  int n_workers = -1;

  g_object_get (net, "name", &name, "net-type", &net_type, "n-workers", &n_workers, "device",
                &device, "external-inputs", &inputs, "external-outputs", &outputs, NULL);
  g_assert_cmpstr (name, ==, "n");
  g_assert_cmpstr (net_type, ==, "dag");
  g_assert_cmpint (n_workers, ==, 0);
  g_assert_true (device == c2g_device_cpu ());
  def_assert_names (inputs, "a");
  def_assert_names (outputs, "b");
}

typedef struct
{
  guint position;
  guint n_removed;
  guint n_added;
  guint count;
} Change;

static void
changed_cb (GListModel *model,
            guint       position,
            guint       n_removed,
            guint       n_added,
            Change     *change)
{
  *change = (Change) { position, n_removed, n_added, change->count + 1 };
}

static void
test_operators (void)
{
  g_autoptr (C2gNetDef) net = c2g_net_def_new ("n");
  GListModel *model = G_LIST_MODEL (net);
  C2gOperatorDef *ops[3];
  Change change = { 0 };

  g_signal_connect (net, "items-changed", G_CALLBACK (changed_cb), &change);
  g_assert_true (g_list_model_get_item_type (model) == C2G_TYPE_OPERATOR_DEF);
  for (gsize i = 0; i < G_N_ELEMENTS (ops); i++)
    ops[i] = c2g_operator_def_new ("Relu");

  c2g_net_def_add_operator (net, ops[0]);
  c2g_net_def_add_operator (net, ops[2]);
  g_assert_false (c2g_net_def_insert_operator (net, 3, ops[1]));
  g_assert_cmpuint (change.count, ==, 2);
  g_assert_true (c2g_net_def_insert_operator (net, 1, ops[1]));
  g_assert_true (change.position == 1 && change.n_removed == 0 && change.n_added == 1);
  g_assert_cmpuint (change.count, ==, 3);
  g_assert_cmpuint (c2g_net_def_get_n_operators (net), ==, 3);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 3);
  for (gsize i = 0; i < G_N_ELEMENTS (ops); i++)
    {
      g_autoptr (C2gOperatorDef) item = g_list_model_get_item (model, i);

      g_assert_true (c2g_net_def_get_operator (net, i) == ops[i]);
      g_assert_true (item == ops[i]);
    }
  g_assert_null (g_list_model_get_item (model, 3));

  g_assert_null (c2g_net_def_get_operator (net, 3));
  g_assert_null (c2g_net_def_get_operator (net, G_MAXUINT));
  g_assert_false (c2g_net_def_remove_operator (net, 3));
  g_assert_cmpuint (change.count, ==, 3);
  g_assert_true (c2g_net_def_remove_operator (net, 0));
  g_assert_true (change.position == 0 && change.n_removed == 1 && change.n_added == 0);
  g_assert_true (c2g_net_def_get_operator (net, 0) == ops[1]);
  g_assert_finalize_object (ops[0]);
  g_assert_finalize_object (g_steal_pointer (&net));
  g_assert_finalize_object (ops[1]);
  g_assert_finalize_object (ops[2]);
}

static void
test_arguments (void)
{
  g_autoptr (C2gNetDef) net = c2g_net_def_new ("n");
  g_autoptr (C2gArgument) argument = c2g_argument_new_int ("chunks", 3);
  C2gArgument **arguments;
  guint n;

  g_assert_null (c2g_net_def_get_argument (net, "chunks"));
  c2g_net_def_set_argument (net, argument);
  g_assert_true (c2g_net_def_get_argument (net, "chunks") == argument);
  arguments = c2g_net_def_list_arguments (net, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (arguments[0] == argument);
  c2g_argument_unref (arguments[0]);
  g_free (arguments);
  g_assert_true (c2g_net_def_remove_argument (net, "chunks"));
  g_assert_false (c2g_net_def_remove_argument (net, "chunks"));
}

static void
test_copy (void)
{
  g_autoptr (C2gNetDef) net = from_text ("name: 'n' type: 'dag' num_workers: 2 arg { name: 'a' } "
                                         "op { type: 'Relu' } device_option { device_type: CUDA } "
                                         "external_input: 'x' external_output: 'y' 100: 1 "
                                         "partition_info { name: 'p' device_id: 3 }");
  g_autoptr (C2gNetDef) copy = c2g_net_def_copy (net);

  g_assert_true (c2g_net_def_equal (net, copy));
  g_assert_false (c2g_net_def_get_operator (net, 0) == c2g_net_def_get_operator (copy, 0));
  c2g_operator_def_add_input (c2g_net_def_get_operator (copy, 0), "x");
  g_assert_false (c2g_net_def_equal (net, copy));
  g_assert_cmpuint (c2g_operator_def_get_n_inputs (c2g_net_def_get_operator (net, 0)), ==, 0);
}

/* Nets that run here, and the message of Caffe2 for those that do not run there; NULL if they
 * do. */
static void
test_for_caffe2 (void)
{
  static const char *const texts[][2] = {
    { "op { type: 'Relu' input: 'x' output: 'x' }", NULL },
    { "op { type: 'Softmax' input: 'x' output: 'y' }", NULL },
    { "op { type: 'Softmax' input: 'x' output: 'x' }", "operator 0: Softmax: " },
    { "op { type: 'Div' input: 'x' input: 'y' output: 'x' }", NULL },
    { "op { type: 'Relu' input: 'x' output: 'y' } "
      "op { type: 'Div' input: 'x' input: 'y' output: 'y' }",
      "output 0, “y”" },
    { "op { type: 'Concat' input: 'x' output: 'y' output: 'i' }", NULL },
    { "op { type: 'Concat' input: 'x' output: 'y' }", "two outputs" },
    { "op { type: 'LogSoftmax' input: 'x' output: 'y' }", "“LogSoftmax”" },
    { "op { type: 'Flatten' input: 'x' output: 'y' arg { name: 'axis' i: 2 } }", NULL },
    { "op { type: 'Flatten' input: 'x' output: 'y' arg { name: 'axis' i: -1 } }", "got -1" },
    { "op { type: 'Softmax' input: 'x' output: 'y' arg { name: 'axis' i: -1 } }", NULL },
    { "op { type: 'SomebodyElses' input: 'x' output: 'x' }", NULL },
    { "op { }", NULL },
    { "op { type: 'If' input: 'c' arg { name: 'then_net' n { name: 'inner' "
      "  op { type: 'Swish' input: 'x' output: 'x' } } } }",
      "Net “inner”, operator 0: Swish" },
    { "op { type: 'Any' arg { name: 'some' nets { name: 'one' } nets { name: 'two' "
      "  op { type: 'Swish' input: 'x' output: 'x' } } } }",
      "Net “two”" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (C2gNetDef) net = from_text (texts[i][0]);
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (c2g_net_def_check_for_caffe2 (net, &error), ==, texts[i][1] == NULL);
      if (texts[i][1] == NULL)
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_assert_nonnull (strstr (error->message, texts[i][1]));
    }
}

static void
test_equal (void)
{
  /* Texts in one line are equal; texts in different lines are not. */
  static const char *const texts[][2] = {
    { "", "name: '' type: ''" },
    { "name: 'a'", "name: 'a'" },
    { "type: 'a'", "type: 'a'" },
    { "num_workers: 3", "num_workers: 3" },
    { "device_option { }", "device_option { }" },
    { "device_option { device_id: 1 }", "device_option { cuda_gpu_id: 1 }" },
    { "external_input: 'a'", "external_input: 'a'" },
    { "external_input: 'a' external_input: 'b'", "external_input: ['a', 'b']" },
    { "external_output: 'a'", "external_output: 'a'" },
    { "arg { name: 'a' }", "arg { name: 'a' }" },
    { "op { }", "op { }" },
    { "op { } op { }", "op { type: '' } op { name: '' }" },
    { "op { input: 'a' }", "op { input: 'a' }" },
    { "partition_info { name: 'a' }", "partition_info { name: 'a' }" },
    { "partition_info { name: 'a' backend_options { backend_name: 'b' } }",
      "partition_info { name: 'a' backend_options { backend_name: 'b' } }" },
    { "100: 1", "100: 1" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (texts); j++)
      {
        g_autoptr (C2gNetDef) net = from_text (texts[i][0]);
        g_autoptr (C2gNetDef) other = from_text (texts[j][1]);

        g_assert_cmpint (c2g_net_def_equal (net, other), ==, i == j);
      }
}

/* Converts a net to text and back: the net and its bytes stay the same. */
static void
check_net (C2gNetDef *net,
           GBytes    *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = c2g_net_def_to_text (net);
  g_autoptr (C2gNetDef) from_bytes = c2g_net_def_new_from_bytes (bytes, &error);
  g_autoptr (C2gNetDef) back = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gNetDef) copy = c2g_net_def_copy (net);
  g_autoptr (GBytes) again = NULL;

  g_assert_no_error (error);
  g_assert_true (c2g_net_def_equal (net, from_bytes));
  g_assert_true (c2g_net_def_equal (net, back));
  g_assert_true (c2g_net_def_equal (net, copy));
  again = c2g_net_def_to_bytes (copy, &error);
  g_assert_true (g_bytes_equal (again, bytes));
  g_clear_pointer (&again, g_bytes_unref);
  again = c2g_net_def_to_bytes (back, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (again, bytes));
}

static void
check_file (const char *path,
            gsize       n_operators)
{
  g_autoptr (C2gNetDef) net = load (path);
  g_autoptr (GBytes) expected = def_read (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = c2g_net_def_to_bytes (net, &error);

  g_test_message ("%s", path);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_net_def_get_n_operators (net), ==, n_operators);
  g_assert_true (g_bytes_equal (bytes, expected));
  check_net (net, expected);
}

/* Reading and writing a file of Caffe2 gives the same bytes. */
static void
test_files (void)
{
  static const struct
  {
    const char *name;
    gsize       n_operators;
  } files[] = {
    { "net_conv_init_net.pb", 6 },
    { "net_conv_predict_net.pb", 7 },
    { "net_mlp_init_net.pb", 4 },
    { "net_mlp_predict_net.pb", 4 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = def_golden_path (files[i].name);

      check_file (path, files[i].n_operators);
    }
}

static void
test_models (void)
{
  static const struct
  {
    const char *name;
    gsize       n_operators;
  } files[] = {
    { "models/squeezenet11/init_net.pb", 53 },
    { "models/squeezenet11/predict_net.pb", 66 },
    { "models/cifar10_resnet32/init_net.pb", 160 },
    { "models/cifar10_resnet32/predict_net.pb", 113 },
    { "models/style_transfer/predict_net.pb", 22 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = def_shared_path (files[i].name);

      if (path == NULL)
        return;
      /* Weights, millions of numbers of the same kind. */
      if (g_str_has_suffix (path, "init_net.pb") && c2g_test_is_quick ())
        continue;
      check_file (path, files[i].n_operators);
    }
}

/* Reading and writing a text of Caffe2 gives the same text. */
static void
test_text_files (void)
{
  static const char *const names[] = {
    "net_conv_init_net",
    "net_conv_predict_net",
    "net_mlp_init_net",
    "net_mlp_predict_net",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text_name = g_strdup_printf ("%s.pbtxt", names[i]);
      g_autofree char *name = g_strdup_printf ("%s.pb", names[i]);
      g_autofree char *text_path = def_golden_path (text_name);
      g_autofree char *path = def_golden_path (name);
      g_autoptr (C2gNetDef) net = load (text_path);
      g_autoptr (C2gNetDef) binary = load (path);
      g_autoptr (GBytes) expected = def_read (text_path);
      g_autofree char *text = c2g_net_def_to_text (binary);

      g_assert_true (c2g_net_def_equal (net, binary));
      g_assert_cmpmem (text, strlen (text), g_bytes_get_data (expected, NULL),
                       g_bytes_get_size (expected));
    }
}

/* Texts that were written by hand. */
static void
test_hand_written (void)
{
  static const char *const names[] = {
    "models/lenet_lmdb/deploy_models/mnist_init_net.pbtxt",
    "models/lenet_lmdb/deploy_models/mnist_predict_net.pbtxt",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = def_shared_path (names[i]);
      g_autoptr (C2gNetDef) net = NULL;
      g_autoptr (GBytes) bytes = NULL;

      if (path == NULL)
        return;

      net = load (path);
      bytes = c2g_net_def_to_bytes (net, NULL);
      check_net (net, bytes);
    }
}

static void
add_operator (C2gNetDef  *net,
              const char *op_type,
              const char *inputs,
              const char *output)
{
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new (op_type);
  g_auto (GStrv) names = g_strsplit (inputs, " ", -1);

  c2g_operator_def_set_inputs (op, (const char *const *) names);
  c2g_operator_def_add_output (op, output);
  /* Caffe2's Python writes an empty name. */
  c2g_operator_def_set_name (op, "");
  if (g_str_equal (op_type, "Softmax"))
    c2g_operator_def_set_int (op, "axis", 1);
  c2g_net_def_add_operator (net, op);
}

/* Builds the same net as in the file by calls. */
static void
test_build (void)
{
  static const char *const inputs[] = { "data", "fc1_w", "fc1_b", "fc2_w", "fc2_b", NULL };
  g_autofree char *path = def_golden_path ("net_mlp_predict_net.pb");
  g_autoptr (C2gNetDef) net = c2g_net_def_new ("mlp");
  g_autoptr (C2gNetDef) expected = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) expected_bytes = NULL;

  add_operator (net, "FC", "data fc1_w fc1_b", "fc1");
  add_operator (net, "Relu", "fc1", "relu1");
  add_operator (net, "FC", "relu1 fc2_w fc2_b", "fc2");
  add_operator (net, "Softmax", "fc2", "softmax");
  c2g_net_def_set_external_inputs (net, inputs);
  c2g_net_def_add_external_output (net, "softmax");

  expected = load (path);
  g_assert_true (c2g_net_def_equal (net, expected));
  expected_bytes = def_read (path);
  bytes = c2g_net_def_to_bytes (net, NULL);
  g_assert_true (g_bytes_equal (bytes, expected_bytes));
}

/* A net with all fields, also unknown ones. */
static const char strange_text[] =
  "name: \"n\"\n"
  "op {\n"
  "  input: \"x\"\n"
  "  name: \"\"\n"
  "  type: \"T\"\n"
  "  arg {\n"
  "    name: \"a\"\n"
  "    floats: 0.5\n"
  "    t {\n"
  "      dims: 1\n"
  "      float_data: 2.0\n"
  "      77: 0x01020304\n"
  "    }\n"
  "    qtensors {\n"
  "      precision: 1\n"
  "      scale: 0.5\n"
  "      bias: 0.0\n"
  "      is_signed: false\n"
  "    }\n"
  "    78: \"b\"\n"
  "  }\n"
  "  device_option {\n"
  "    numa_node_id: 1\n"
  "    extra_info: \"e\"\n"
  "    79: 5\n"
  "  }\n"
  "  is_gradient_op: false\n"
  "  debug_info: \"d\"\n"
  "  domain: \"caffe2\"\n"
  "  op_version: 7\n"
  "  80: 0x0102030405060708\n"
  "}\n"
  "num_workers: 0\n"
  "arg {\n"
  "  name: \"m\"\n"
  "  n {\n"
  "    op {\n"
  "      81: 1\n"
  "    }\n"
  "  }\n"
  "}\n"
  "external_input: \"x\"\n"
  "partition_info {\n"
  "  name: \"p\"\n"
  "  device_id: 0\n"
  "  device_id: -1\n"
  "  extra_info: \"i\"\n"
  "  backend_options {\n"
  "    backend_name: \"b\"\n"
  "    option {\n"
  "      key: \"k\"\n"
  "      val: \"v\"\n"
  "    }\n"
  "  }\n"
  "}\n"
  "82: \"z\"\n";

/* Unknown fields are kept. */
static void
test_unknown (void)
{
  g_autoptr (C2gNetDef) net = from_text (strange_text);
  g_autofree char *text = c2g_net_def_to_text (net);
  g_autoptr (GBytes) bytes = c2g_net_def_to_bytes (net, NULL);

  g_assert_cmpstr (text, ==, strange_text);
  check_net (net, bytes);

  /* Unknown fields are kept when others change. */
  c2g_net_def_set_name (net, "m");
  c2g_operator_def_set_op_type (c2g_net_def_get_operator (net, 0), "U");
  g_clear_pointer (&text, g_free);
  text = c2g_net_def_to_text (net);
  g_assert_nonnull (strstr (text, "name: \"m\""));
  g_assert_nonnull (strstr (text, "  type: \"U\""));
  g_assert_nonnull (strstr (text, "\n82: \"z\""));
}

static void
check_damaged (GBytes   *damaged,
               gpointer  user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) net = c2g_net_def_new_from_bytes (damaged, &error);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gNetDef) back = NULL;

  if (net == NULL)
    {
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      return;
    }

  /* A definition that can be read can be written, and read again as an equal one. */
  bytes = c2g_net_def_to_bytes (net, &error);
  g_assert_no_error (error);
  back = c2g_net_def_new_from_bytes (bytes, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_net_def_equal (net, back));
}

static void
check_damaged_text (GBytes   *damaged,
                    gpointer  user_data)
{
  gsize n_bytes;
  const char *data = g_bytes_get_data (damaged, &n_bytes);
  g_autofree char *text = g_strndup (n_bytes == 0 ? "" : data, n_bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) net = c2g_net_def_new_from_text (text, &error);
  g_autofree char *back_text = NULL;
  g_autoptr (C2gNetDef) back = NULL;

  if (net == NULL)
    {
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      return;
    }

  back_text = c2g_net_def_to_text (net);
  back = c2g_net_def_new_from_text (back_text, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_net_def_equal (net, back));
}

static void
test_damaged (void)
{
  g_autoptr (C2gNetDef) net = from_text (strange_text);
  g_autoptr (GBytes) bytes = c2g_net_def_to_bytes (net, NULL);
  g_autoptr (GBytes) text = def_bytes_of_text (strange_text);

  io_damage (bytes, check_damaged, NULL);
  io_damage (text, check_damaged_text, NULL);
}

static void
test_damaged_file (void)
{
  g_autofree char *path = def_golden_path ("net_conv_predict_net.pb");
  g_autoptr (GBytes) bytes = def_read (path);

  io_damage (bytes, check_damaged, NULL);
}

/* So many nested nets that recursion would overflow the stack. */
static void
test_too_deep (void)
{
  g_autoptr (GByteArray) array = g_byte_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) text_error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  /* NetDef.op, OperatorDef.arg, Argument.n */
  static const guint8 numbers[] = { 8, 5, 2 };

  for (guint i = 0; i < 3000; i++)
    {
      GByteArray *outer = g_byte_array_new ();

      c2g_wire_put_bytes (outer, numbers[i % 3], array->data, array->len);
      g_byte_array_unref (array);
      array = outer;
      g_string_append (text, "op{arg{n{");
    }

  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&array));
  g_assert_null (c2g_net_def_new_from_bytes (bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_assert_nonnull (strstr (error->message, "too many messages inside each other"));
  g_assert_null (c2g_net_def_new_from_text (text->str, &text_error));
  g_assert_error (text_error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_assert_nonnull (strstr (text_error->message, "too many messages inside each other"));
}

static void
test_save (void)
{
  g_autoptr (GFile) file = def_new_file ("net.pb");
  g_autoptr (C2gNetDef) net = from_text (strange_text);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (C2gNetDef) back = NULL;

      g_assert_true (c2g_net_def_save_file (net, file, i % 2 == 1, NULL, &error));
      g_assert_no_error (error);
      back = c2g_net_def_load_file (file, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (c2g_net_def_equal (net, back));
    }

  def_remove_file (file);
}

static gboolean
save_async (C2gNetDef     *net,
            GFile         *file,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  c2g_net_def_save_file_async (net, file, TRUE, cancellable, c2g_test_keep_result_cb, &result);
  /* The file gets the net as it was at the call. */
  c2g_net_def_set_name (net, "changed");
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return c2g_net_def_save_file_finish (net, result, error);
}

static void
test_save_async (void)
{
  g_autoptr (GFile) file = def_new_file ("net.pb");
  g_autoptr (GFile) missing = g_file_new_for_path ("/nonexistent/folder/net.pb");
  g_autoptr (C2gNetDef) net = from_text (strange_text);
  g_autoptr (C2gNetDef) copy = c2g_net_def_copy (net);
  g_autoptr (C2gNetDef) back = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (save_async (net, file, NULL, &error));
  g_assert_no_error (error);

  g_assert_false (save_async (net, missing, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_false (save_async (net, file, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  back = c2g_net_def_load_file (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_net_def_equal (copy, back));
  def_remove_file (file);
}

static void
test_save_fails (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent/folder/net.pb");
  g_autoptr (GFile) there = def_new_file ("net.pb");
  g_autoptr (C2gNetDef) net = c2g_net_def_new ("n");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (C2gNetDef) back = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_net_def_save_file (net, file, FALSE, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  /* After a cancelled save the file has its old content. */
  g_assert_true (c2g_net_def_save_file (net, there, FALSE, NULL, &error));
  g_cancellable_cancel (cancellable);
  c2g_net_def_set_name (net, "other");
  g_assert_false (c2g_net_def_save_file (net, there, FALSE, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  back = c2g_net_def_load_file (there, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (c2g_net_def_get_name (back), ==, "n");

  g_assert_null (c2g_net_def_load_file (there, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  def_remove_file (there);
}

/* File contents and the errors for them. */
static void
test_load_fails (void)
{
  static const struct
  {
    const char *content;
    const char *message;
  } cases[] = {
    { "\x89PNG\r\n\x1a\n", "net.pb: This is a PNG image, expected a net" },
    { "name: ", "net.pb: Line 1, column 7: expected a string" },
    { "op { type: \"Relu\" }\nnam: 3", "net.pb: Damaged at offset " },
    { "op { type: \"Relu\" }\nname: 3", "net.pb: Line 2, column 7: expected a string" },
    { "op\x01", "net.pb: Damaged at offset " },
  };
  g_autoptr (GFile) file = def_new_file ("net.pb");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_replace_contents (file, cases[i].content, strlen (cases[i].content),
                                              NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, NULL));
      g_assert_null (c2g_net_def_load_file (file, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      if (i != 2)
        g_assert_nonnull (strstr (error->message, cases[i].message));
    }

  def_remove_file (file);
}

static void
test_load_nothing (void)
{
  g_autoptr (GFile) file = def_new_file ("net.pb");
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) net = NULL;

  g_assert_null (c2g_net_def_load_file (file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (c2g_net_def_load_file (folder, NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);

  /* An empty file is a net without operators. */
  g_assert_true (g_file_replace_contents (file, "", 0, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL,
                                          NULL));
  net = c2g_net_def_load_file (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_net_def_get_n_operators (net), ==, 0);
  def_remove_file (file);
}

static void
test_device (void)
{
  g_autoptr (C2gNetDef) net = from_text ("device_option { device_type: 9 }");
  g_autoptr (C2gNetDef) none = c2g_net_def_new (NULL);
  g_autoptr (GError) error = NULL;
  C2gDevice *device;

  g_assert_null (c2g_net_def_get_device (net));
  g_assert_false (c2g_net_def_resolve_device (net, &device, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_true (c2g_net_def_resolve_device (none, &device, NULL));
  g_assert_null (device);

  c2g_net_def_set_n_workers (net, 3);
  c2g_net_def_set_n_workers (net, 0);
  c2g_net_def_set_device (net, NULL);
  g_assert_true (c2g_net_def_equal (net, none));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/net-def/new", test_new);
  c2g_test_add_func ("/net-def/properties", test_properties);
  c2g_test_add_func ("/net-def/get-properties", test_get_properties);
  c2g_test_add_func ("/net-def/operators", test_operators);
  c2g_test_add_func ("/net-def/arguments", test_arguments);
  c2g_test_add_func ("/net-def/copy", test_copy);
  c2g_test_add_func ("/net-def/equal", test_equal);
  c2g_test_add_func ("/net-def/for-caffe2", test_for_caffe2);
  c2g_test_add_func ("/net-def/files", test_files);
  c2g_test_add_func ("/net-def/models", test_models);
  c2g_test_add_func ("/net-def/text-files", test_text_files);
  c2g_test_add_func ("/net-def/hand-written", test_hand_written);
  c2g_test_add_func ("/net-def/build", test_build);
  c2g_test_add_func ("/net-def/unknown", test_unknown);
  c2g_test_add_func ("/net-def/damaged", test_damaged);
  c2g_test_add_func ("/net-def/damaged-file", test_damaged_file);
  c2g_test_add_func ("/net-def/too-deep", test_too_deep);
  c2g_test_add_func ("/net-def/save", test_save);
  c2g_test_add_func ("/net-def/save-async", test_save_async);
  c2g_test_add_func ("/net-def/save-fails", test_save_fails);
  c2g_test_add_func ("/net-def/load-fails", test_load_fails);
  c2g_test_add_func ("/net-def/load-nothing", test_load_nothing);
  c2g_test_add_func ("/net-def/device", test_device);

  return c2g_test_run ();
}
