/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "def-utils.h"

#include <c2g/def/c2g-operator-def-private.h>

/* An operator with all fields. */
static C2gOperatorDef *
new_full (void)
{
  static const gint64 ints[] = { 1, 2 };
  static const float floats[] = { 0.5f };
  static const char *const strings[] = { "a", "b", NULL };
  C2gOperatorDef *op = c2g_operator_def_new ("Conv");
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 2, NULL);

  c2g_operator_def_set_name (op, "conv1");
  c2g_operator_def_set_engine (op, "CUDNN");
  c2g_operator_def_set_debug_info (op, "here");
  c2g_operator_def_set_device (op, device);
  c2g_operator_def_set_random_seed (op, G_MAXUINT32);
  c2g_operator_def_set_is_gradient_op (op, TRUE);
  c2g_operator_def_add_input (op, "x");
  c2g_operator_def_add_input (op, "w");
  c2g_operator_def_add_output (op, "y");
  c2g_operator_def_add_control_input (op, "after");
  c2g_operator_def_set_int (op, "kernel", 3);
  c2g_operator_def_set_float (op, "eps", 0.25);
  c2g_operator_def_set_boolean (op, "exhaustive", 7);
  c2g_operator_def_set_string (op, "order", "NCHW");
  c2g_operator_def_set_ints (op, "pads", ints, 2);
  c2g_operator_def_set_floats (op, "scales", floats, 1);
  c2g_operator_def_set_strings (op, "names", strings);
  return op;
}

static const char full_text[] = "input: \"x\"\n"
                                "input: \"w\"\n"
                                "output: \"y\"\n"
                                "name: \"conv1\"\n"
                                "type: \"Conv\"\n"
                                "arg {\n  name: \"kernel\"\n  i: 3\n}\n"
                                "arg {\n  name: \"eps\"\n  f: 0.25\n}\n"
                                "arg {\n  name: \"exhaustive\"\n  i: 1\n}\n"
                                "arg {\n  name: \"order\"\n  s: \"NCHW\"\n}\n"
                                "arg {\n  name: \"pads\"\n  ints: 1\n  ints: 2\n}\n"
                                "arg {\n  name: \"scales\"\n  floats: 0.5\n}\n"
                                "arg {\n  name: \"names\"\n  strings: \"a\"\n"
                                "  strings: \"b\"\n}\n"
                                "device_option {\n  device_type: 1\n  device_id: 2\n"
                                "  random_seed: 4294967295\n}\n"
                                "engine: \"CUDNN\"\n"
                                "control_input: \"after\"\n"
                                "is_gradient_op: true\n"
                                "debug_info: \"here\"\n";

static void
test_new (void)
{
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("Relu");
  g_autofree char *text = c2g_operator_def_to_text (op);
  g_autofree C2gArgument **arguments = NULL;
  guint n = 9;

  g_assert_cmpstr (c2g_operator_def_get_op_type (op), ==, "Relu");
  g_assert_null (c2g_operator_def_get_name (op));
  g_assert_null (c2g_operator_def_get_engine (op));
  g_assert_null (c2g_operator_def_get_debug_info (op));
  g_assert_null (c2g_operator_def_get_device (op));
  g_assert_cmpint (c2g_operator_def_get_random_seed (op), ==, -1);
  g_assert_false (c2g_operator_def_get_is_gradient_op (op));
  g_assert_null (c2g_operator_def_get_inputs (op)[0]);
  g_assert_null (c2g_operator_def_get_outputs (op)[0]);
  g_assert_null (c2g_operator_def_get_control_inputs (op)[0]);
  g_assert_cmpuint (c2g_operator_def_get_n_inputs (op), ==, 0);
  arguments = c2g_operator_def_list_arguments (op, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpstr (text, ==, "type: \"Relu\"\n");
}

static void
test_full (void)
{
  g_autoptr (C2gOperatorDef) op = new_full ();
  g_autofree char *text = c2g_operator_def_to_text (op);

  g_assert_cmpstr (text, ==, full_text);
  def_assert_names (c2g_operator_def_get_inputs (op), "x", "w");
  def_assert_names (c2g_operator_def_get_outputs (op), "y");
  def_assert_names (c2g_operator_def_get_control_inputs (op), "after");
  g_assert_cmpuint (c2g_operator_def_get_n_inputs (op), ==, 2);
  g_assert_cmpuint (c2g_operator_def_get_n_outputs (op), ==, 1);
  g_assert_cmpuint (c2g_operator_def_get_n_control_inputs (op), ==, 1);
  g_assert_cmpstr (c2g_device_to_string (c2g_operator_def_get_device (op)), ==, "cuda:2");
}

/* Setting a property notifies once; setting the same value again does not. */
static void
test_properties (void)
{
  static const char *const properties[] = { "op-type", "name", "engine", "debug-info" };
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("");

  for (gsize i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      g_autofree char *signal_name = g_strdup_printf ("notify::%s", properties[i]);
      g_autofree char *value = NULL;
      int count = 0;

      g_signal_connect (op, signal_name, G_CALLBACK (def_count_cb), &count);
      g_object_set (op, properties[i], "a", NULL);
      g_object_set (op, properties[i], "a", NULL);
      g_assert_cmpint (count, ==, 1);
      g_object_get (op, properties[i], &value, NULL);
      g_assert_cmpstr (value, ==, "a");
    }
}

static void
test_lists (void)
{
  static const char *const properties[] = { "inputs", "outputs", "control-inputs" };
  static const char *const values[] = { "a", "b", NULL };
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("Sum");

  for (gsize i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      g_autofree char *signal_name = g_strdup_printf ("notify::%s", properties[i]);
      g_auto (GStrv) back = NULL;
      int count = 0;

      g_signal_connect (op, signal_name, G_CALLBACK (def_count_cb), &count);
      g_object_set (op, properties[i], values, NULL);
      g_object_set (op, properties[i], values, NULL);
      g_assert_cmpint (count, ==, 1);
      g_object_get (op, properties[i], &back, NULL);
      g_assert_cmpstrv (back, values);
      g_object_set (op, properties[i], NULL, NULL);
      g_assert_cmpint (count, ==, 2);
      g_signal_handlers_disconnect_by_data (op, &count);
    }

  /* A list can be set to a part of itself. */
  c2g_operator_def_set_inputs (op, values);
  c2g_operator_def_set_inputs (op, c2g_operator_def_get_inputs (op) + 1);
  def_assert_names (c2g_operator_def_get_inputs (op), "b");
  for (guint i = 0; i < 100; i++)
    c2g_operator_def_add_input (op, c2g_operator_def_get_inputs (op)[0]);
  g_assert_cmpuint (c2g_operator_def_get_n_inputs (op), ==, 101);
  g_assert_cmpuint (g_strv_length ((char **) c2g_operator_def_get_inputs (op)), ==, 101);
}

static void
test_device (void)
{
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("Copy");
  C2gDevice *cuda = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 1, NULL);
  g_autofree char *cpu_text = NULL;
  int count = 0;

  g_signal_connect (op, "notify::device", G_CALLBACK (def_count_cb), &count);
  c2g_operator_def_set_device (op, NULL);
  g_assert_cmpint (count, ==, 0);
  c2g_operator_def_set_device (op, cuda);
  c2g_operator_def_set_device (op, cuda);
  g_assert_cmpint (count, ==, 1);
  g_assert_true (c2g_operator_def_get_device (op) == cuda);

  /* Setting the CPU removes the number of the GPU. */
  c2g_operator_def_set_device (op, c2g_device_cpu ());
  g_assert_true (c2g_operator_def_get_device (op) == c2g_device_cpu ());
  cpu_text = c2g_operator_def_to_text (op);
  g_assert_cmpstr (cpu_text, ==, "type: \"Copy\"\ndevice_option {\n  device_type: 0\n}\n");

  c2g_operator_def_set_random_seed (op, 5);
  c2g_operator_def_set_device (op, NULL);
  g_assert_null (c2g_operator_def_get_device (op));
  g_assert_cmpint (c2g_operator_def_get_random_seed (op), ==, -1);
}

static void
test_random_seed (void)
{
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("UniformFill");
  g_autofree char *text = NULL;
  int count = 0;

  g_signal_connect (op, "notify::random-seed", G_CALLBACK (def_count_cb), &count);
  c2g_operator_def_set_random_seed (op, -1);
  c2g_operator_def_set_random_seed (op, 0);
  c2g_operator_def_set_random_seed (op, 0);
  g_assert_cmpint (count, ==, 1);
  g_assert_cmpint (c2g_operator_def_get_random_seed (op), ==, 0);

  /* A device option without a type means the CPU, as in Caffe2. */
  g_assert_true (c2g_operator_def_get_device (op) == c2g_device_cpu ());
  text = c2g_operator_def_to_text (op);
  g_assert_cmpstr (text, ==,
                   "type: \"UniformFill\"\ndevice_option {\n  random_seed: 0\n}\n");
}

static C2gOperatorDef *
from_text (const char *text)
{
  g_autofree char *net_text = g_strdup_printf ("op { %s }", text);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) net = c2g_net_def_new_from_text (net_text, &error);

  g_assert_no_error (error);
  return g_object_ref (c2g_net_def_get_operator (net, 0));
}

/* Unknown device types and numbers. */
static void
test_unknown_device (void)
{
  static const char *const texts[] = {
    "device_type: 6",
    "device_type: -1",
    "device_type: CUDA cuda_gpu_id: 1000000",
    "device_type: CUDA cuda_gpu_id: -1",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = g_strdup_printf ("device_option { %s extra_info: 'x' }", texts[i]);
      g_autoptr (C2gOperatorDef) op = from_text (text);
      g_autoptr (C2gOperatorDef) copy = c2g_operator_def_copy (op);
      g_autoptr (GError) error = NULL;
      g_autofree char *back = NULL;
      C2gDevice *device;

      g_assert_null (c2g_operator_def_get_device (op));
      g_assert_false (c2g_operator_def_resolve_device (op, &device, &error));
      g_assert_nonnull (error);
      g_assert_true (error->domain == C2G_ERROR);
      g_assert_true (c2g_operator_def_equal (op, copy));

      /* The device can be replaced; unknown fields stay. */
      c2g_operator_def_set_device (copy, c2g_device_cpu ());
      back = c2g_operator_def_to_text (copy);
      g_assert_cmpstr (back, ==, "device_option {\n  device_type: 0\n  extra_info: \"x\"\n}\n");
      g_assert_false (c2g_operator_def_equal (op, copy));
    }
}

static void
test_arguments (void)
{
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("Conv");
  g_autoptr (C2gArgument) kernel = c2g_argument_new_int ("kernel", 3);
  g_autoptr (C2gArgument) other = c2g_argument_new_string ("kernel", "x");
  C2gArgument **arguments;
  gsize n_peeked;
  guint n;

  g_assert_null (c2g_operator_def_get_argument (op, "kernel"));
  g_assert_false (c2g_operator_def_remove_argument (op, "kernel"));

  c2g_operator_def_set_argument (op, kernel);
  c2g_operator_def_set_int (op, "stride", 1);
  g_assert_true (c2g_operator_def_get_argument (op, "kernel") == kernel);
  c2g_operator_def_set_argument (op, kernel);
  c2g_operator_def_set_argument (op, other);
  g_assert_true (c2g_operator_def_find (op, "kernel") == other);

  arguments = c2g_operator_def_list_arguments (op, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (arguments[0] == other);
  g_assert_cmpstr (c2g_argument_get_name (arguments[1]), ==, "stride");
  g_assert_true (c2g_operator_def_peek_arguments (op, &n_peeked)[0] == other);
  g_assert_cmpuint (n_peeked, ==, 2);
  for (guint i = 0; i < n; i++)
    c2g_argument_unref (arguments[i]);
  g_free (arguments);

  /* The name is owned by the argument that is removed. */
  g_assert_true (c2g_operator_def_remove_argument (op, c2g_argument_get_name (other)));
  g_assert_null (c2g_operator_def_get_argument (op, "kernel"));
  g_assert_nonnull (c2g_operator_def_get_argument (op, "stride"));
}

/* A file may have an argument name twice. */
static void
test_duplicates (void)
{
  g_autoptr (C2gOperatorDef) op = from_text ("arg { name: 'a' i: 1 } arg { name: 'b' i: 2 } "
                                             "arg { name: 'a' i: 3 } arg { name: 'a' i: 4 }");
  g_autoptr (C2gOperatorDef) copy = c2g_operator_def_copy (op);
  gsize n;

  g_assert_cmpint (c2g_argument_get_int (c2g_operator_def_get_argument (op, "a"), NULL), ==, 1);
  c2g_operator_def_peek_arguments (op, &n);
  g_assert_cmpuint (n, ==, 4);

  c2g_operator_def_set_int (op, "a", 5);
  c2g_operator_def_peek_arguments (op, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (c2g_argument_get_int (c2g_operator_def_get_argument (op, "a"), NULL), ==, 5);

  g_assert_true (c2g_operator_def_remove_argument (copy, "a"));
  c2g_operator_def_peek_arguments (copy, &n);
  g_assert_cmpuint (n, ==, 1);
}

static void
test_copy (void)
{
  g_autoptr (C2gOperatorDef) op = new_full ();
  g_autoptr (C2gOperatorDef) copy = c2g_operator_def_copy (op);
  g_autofree char *text = c2g_operator_def_to_text (copy);

  g_assert_true (c2g_operator_def_equal (op, copy));
  g_assert_cmpstr (text, ==, full_text);
  g_assert_true (c2g_operator_def_find (op, "kernel") == c2g_operator_def_find (copy, "kernel"));

  c2g_operator_def_set_int (copy, "kernel", 4);
  c2g_operator_def_add_input (copy, "b");
  g_assert_cmpint (c2g_argument_get_int (c2g_operator_def_find (op, "kernel"), NULL), ==, 3);
  g_assert_cmpuint (c2g_operator_def_get_n_inputs (op), ==, 2);
  g_assert_finalize_object (g_steal_pointer (&op));
  g_assert_cmpstr (c2g_operator_def_get_name (copy), ==, "conv1");
}

static void
test_equal (void)
{
  /* Each one differs from those in the other lines; those in one line are equal. */
  static const char *const texts[][2] = {
    { "", "name: '' engine: '' is_gradient_op: false debug_info: '' type: ''" },
    { "type: 'a'", "type: 'a' name: ''" },
    { "name: 'a'", "name: 'a'" },
    { "engine: 'a'", "engine: 'a'" },
    { "debug_info: 'a'", "debug_info: 'a'" },
    { "is_gradient_op: true", "is_gradient_op: true" },
    { "input: 'a'", "input: 'a'" },
    { "input: 'a' input: 'b'", "input: 'a' input: 'b'" },
    { "input: 'b' input: 'a'", "input: 'b' input: 'a'" },
    { "output: 'a'", "output: 'a'" },
    { "control_input: 'a'", "control_input: 'a'" },
    { "arg { name: 'a' }", "arg { name: 'a' }" },
    { "arg { name: 'a' i: 1 }", "arg { name: 'a' i: 1 }" },
    { "device_option { }", "device_option { }" },
    { "device_option { device_type: 1 }", "device_option { device_type: CUDA }" },
    { "device_option { node_name: 'x' }", "device_option { node_name: 'x' }" },
    { "domain: 'x'", "domain: 'x'" },
    { "op_version: 1", "op_version: 1" },
    { "100: 1", "100: 1" },
    { "100: 1 100: 2", "100: 1 100: 2" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (texts); j++)
      {
        g_autoptr (C2gOperatorDef) op = from_text (texts[i][0]);
        g_autoptr (C2gOperatorDef) other = from_text (texts[j][1]);

        g_assert_cmpint (c2g_operator_def_equal (op, other), ==, i == j);
      }
}

/* Names that are not UTF-8 and unknown fields are kept. */
static void
test_strange (void)
{
  g_autoptr (C2gOperatorDef) op = from_text ("input: '\\377' input: '' name: '' op_version: 3 "
                                             "domain: 'c10' 100: 'x' device_option { 7: 1 }");
  g_autoptr (C2gOperatorDef) copy = c2g_operator_def_copy (op);
  g_autofree char *text = c2g_operator_def_to_text (copy);

  def_assert_names (c2g_operator_def_get_inputs (op), "\xef\xbf\xbd", "");
  g_assert_cmpstr (c2g_operator_def_get_name (op), ==, "");
  g_assert_cmpstr (c2g_operator_def_get_op_type (op), ==, "");
  g_assert_cmpstr (text, ==,
                   "input: \"\\357\\277\\275\"\ninput: \"\"\nname: \"\"\n"
                   "device_option {\n  7: 1\n}\ndomain: \"c10\"\nop_version: 3\n"
                   "100: \"x\"\n");
}

/* Writing and reading bytes or text gives an equal definition. */
static void
test_written (void)
{
  static const char *const outputs[] = { "y", "z", NULL };
  static const char *const control_inputs[] = { "first", "second", NULL };
  g_autoptr (C2gOperatorDef) op = new_full ();
  g_autoptr (C2gOperatorDef) from_bytes = NULL;
  g_autoptr (C2gOperatorDef) from_text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) cut = NULL;
  g_autofree char *text = NULL;

  c2g_operator_def_set_outputs (op, outputs);
  c2g_operator_def_set_control_inputs (op, control_inputs);
  bytes = c2g_operator_def_to_bytes (op, &error);
  g_assert_no_error (error);
  from_bytes = c2g_operator_def_new_from_bytes (bytes, &error);
  g_assert_no_error (error);
  text = c2g_operator_def_to_text (op);
  from_text = c2g_operator_def_new_from_text (text, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_operator_def_equal (from_bytes, op));
  g_assert_true (c2g_operator_def_equal (from_text, op));
  def_assert_names (c2g_operator_def_get_outputs (from_bytes), "y", "z");
  def_assert_names (c2g_operator_def_get_control_inputs (from_text), "first", "second");

  cut = g_bytes_new_from_bytes (bytes, 0, g_bytes_get_size (bytes) - 1);
  g_assert_null (c2g_operator_def_new_from_bytes (cut, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_clear_error (&error);
  g_assert_null (c2g_operator_def_new_from_text ("type: 1", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/operator-def/new", test_new);
  c2g_test_add_func ("/operator-def/full", test_full);
  c2g_test_add_func ("/operator-def/properties", test_properties);
  c2g_test_add_func ("/operator-def/lists", test_lists);
  c2g_test_add_func ("/operator-def/device", test_device);
  c2g_test_add_func ("/operator-def/random-seed", test_random_seed);
  c2g_test_add_func ("/operator-def/unknown-device", test_unknown_device);
  c2g_test_add_func ("/operator-def/arguments", test_arguments);
  c2g_test_add_func ("/operator-def/duplicates", test_duplicates);
  c2g_test_add_func ("/operator-def/copy", test_copy);
  c2g_test_add_func ("/operator-def/equal", test_equal);
  c2g_test_add_func ("/operator-def/strange", test_strange);
  c2g_test_add_func ("/operator-def/written", test_written);

  return c2g_test_run ();
}
