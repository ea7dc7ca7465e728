/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-text-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <math.h>
#include <string.h>

static Caffe2__NetDef *
parse (const char  *text,
       GError     **error)
{
  return (Caffe2__NetDef *) c2g_text_parse (&caffe2__net_def__descriptor, text, strlen (text),
                                            error);
}

static void
test_net (void)
{
  g_autoptr (GError) error = NULL;
  Caffe2__NetDef *net;
  Caffe2__OperatorDef *op;

  net = parse ("# a comment: { [\n"
               "name: \"a\" 'b\\tc' # two pieces\n"
               "op { input: \"x\", input: 'y'; output: \"\\303\\xa9\\\"\" type: \"FC\"\n"
               "  arg < name: \"axis\" i: - # apart\n 0x10 >\n"
               "  arg: { name: \"v\" floats: [ 1, -2.5e3f, inf, - inf, nan, .5 ] ints: []\n"
               "         ints: 010 }\n"
               "  device_option { device_type: CUDA cuda_gpu_id: 3 random_seed: 4294967295 }\n"
               "  is_gradient_op: true }\n"
               "op {}\n"
               "device_option { device_type: 1 }\n"
               "external_input: \"x\"\n",
               &error);
  g_assert_no_error (error);

  g_assert_cmpstr (net->name, ==, "ab\tc");
  g_assert_cmpuint (net->n_op, ==, 2);
  op = net->op[0];
  g_assert_cmpuint (op->n_input, ==, 2);
  g_assert_cmpstr (op->output[0], ==, "é\"");
  g_assert_cmpint (op->arg[0]->i, ==, -16);
  g_assert_cmpuint (op->arg[1]->n_floats, ==, 6);
  g_assert_cmpfloat (op->arg[1]->floats[1], ==, -2500);
  g_assert_true (isinf (op->arg[1]->floats[2]));
  g_assert_true (op->arg[1]->floats[3] < 0);
  g_assert_true (isnan (op->arg[1]->floats[4]));
  g_assert_cmpuint (op->arg[1]->n_ints, ==, 1);
  g_assert_cmpint (op->arg[1]->ints[0], ==, 8);
  g_assert_cmpint (op->device_option->device_type, ==, CAFFE2__DEVICE_TYPE__CUDA);
  g_assert_cmpuint (op->device_option->random_seed, ==, G_MAXUINT32);
  g_assert_true (op->is_gradient_op);
  g_assert_cmpint (net->device_option->device_type, ==, CAFFE2__DEVICE_TYPE__CUDA);
  g_assert_cmpstr (net->external_input[0], ==, "x");
  c2g_wire_free (net);
}

static void
test_errors (void)
{
  static const struct
  {
    const char *text;
    const char *message;
  } cases[] = {
    { "nam: \"x\"", "Line 1, column 1: NetDef has no field “nam”" },
    { "name: \"x\"\n op { typ: 1 }", "Line 2, column 7: OperatorDef has no field “typ”" },
    { "name \"x\"", "Line 1, column 6" },
    { "name: x", "expected a string" },
    { "name: \"x", "a string does not end" },
    { "name: \"x\ny\"", "a string does not end" },
    { "name: \"\\q\"", "an unknown escape" },
    { "name: \"\\777\"", "an unknown escape" },
    { "name: \"\\x\"", "an unknown escape" },
    { "name: \"x\\", "an unknown escape" },
    { "name: \"a\" name: \"b\"", "once only" },
    { "op { ", "a bracket is not closed" },
    { "op < }", "expected the name of a field" },
    { "op: 3", "expected '{'" },
    { "op { arg { floats: [1, 2 } }", "expected ']'" },
    { "op { arg { f: 010 } }", "Line 1, column 15" },
    { "op { arg { f: - - 1 } }", "Line 1, column 15" },
    { "op { arg { f: -", "Line 1, column 15" },
    { "op { arg { floats: 1x } }", "expected a number" },
    { "op { arg { i: 9223372036854775808 } }", "one that fits" },
    { "op { arg { i: 1.5 } }", "one that fits" },
    { "op { arg { i: } }", "expected a value" },
    { "op { is_gradient_op: 2 }", "one that fits" },
    { "device_option { random_seed: -1 }", "one that fits" },
    { "device_option { device_type: GPU }", "one that fits" },
    { "name: [\"x\"]", "expected a string" },
    { "name: \"a\\000b\"", "null byte" },
    { "}", "expected the name of a field" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].text);
      g_assert_null (parse (cases[i].text, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

static void
test_truncated (void)
{
  static const char text[] = "name: \"n\" op { input: 'x' type: \"T\\n\" arg { name: \"v\" "
                             "floats: [1.5, 2] i: -7 } } # end\n";

  for (gsize n = 0; n < sizeof text; n++)
    {
      g_autofree char *part = g_strndup (text, n);
      g_autoptr (GError) error = NULL;
      Caffe2__NetDef *net = parse (part, &error);

      g_assert_true ((net == NULL) == (error != NULL));
      c2g_wire_free (net);
    }
}

static void
test_looks_like (void)
{
  static const struct
  {
    const char *bytes;
    gboolean    is_text;
  } cases[] = {
    { "name: \"x\"", TRUE },
    { "\t# 注意\n\n op {", TRUE },
    { "external_input: ", TRUE },
    { "MIT License", FALSE },
    { "\n\004name\022\001x", FALSE },
    { "{\"name\": 1}", FALSE },
    { "   ", FALSE },
    { "", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (c2g_text_looks_like (&caffe2__net_def__descriptor,
                                          (const guint8 *) cases[i].bytes, strlen (cases[i].bytes)),
                     ==, cases[i].is_text);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/text/net", test_net);
  c2g_test_add_func ("/text/errors", test_errors);
  c2g_test_add_func ("/text/truncated", test_truncated);
  c2g_test_add_func ("/text/looks-like", test_looks_like);

  return c2g_test_run ();
}
