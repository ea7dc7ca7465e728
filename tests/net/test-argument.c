/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "def-utils.h"

#include <c2g/def/c2g-argument-private.h>
#include <c2g/io/wire/c2g-text-private.h>

#include <math.h>

static C2gArgument *
parse (gconstpointer data,
       gsize         n_bytes)
{
  g_autoptr (GError) error = NULL;
  ProtobufCMessage *message;

  message = c2g_wire_parse (&caffe2__argument__descriptor, data, n_bytes, 0, &error);
  g_assert_no_error (error);
  return c2g_argument_new_take ((Caffe2__Argument *) message);
}

static void
test_int (void)
{
  static const gint64 values[] = { 0, 1, -1, G_MAXINT64, G_MININT64 };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (C2gArgument) argument = c2g_argument_new_int ("kernel", values[i]);
      g_autoptr (GError) error = NULL;

      g_assert_cmpstr (c2g_argument_get_name (argument), ==, "kernel");
      g_assert_cmpint (c2g_argument_get_kind (argument), ==, C2G_ARGUMENT_KIND_INT);
      g_assert_cmpuint (c2g_argument_get_n_values (argument), ==, 1);
      g_assert_cmpint (c2g_argument_get_int (argument, &error), ==, values[i]);
      g_assert_no_error (error);
    }
}

static void
test_float (void)
{
  g_autoptr (C2gArgument) argument = c2g_argument_new_float ("eps", 1e-5);
  g_autoptr (C2gArgument) large = c2g_argument_new_float ("large", 1e300);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (c2g_argument_get_kind (argument), ==, C2G_ARGUMENT_KIND_FLOAT);
  g_assert_true (c2g_argument_get_float (argument, &error) == (double) 1e-5f);
  g_assert_true (isinf (c2g_argument_get_float (large, &error)));
  g_assert_no_error (error);
}

static void
test_string (void)
{
  g_autoptr (C2gArgument) argument = c2g_argument_new_string ("order", "NCHW é");
  g_autoptr (C2gArgument) empty = c2g_argument_new_string ("empty", "");
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  C2gArgument *other;
  const char *text;

  g_assert_cmpint (c2g_argument_get_kind (argument), ==, C2G_ARGUMENT_KIND_STRING);
  text = c2g_argument_get_string (argument, &error);
  g_assert_cmpstr (text, ==, "NCHW é");
  g_assert_true (c2g_argument_get_string (argument, &error) == text);
  g_assert_cmpstr (c2g_argument_get_string (empty, &error), ==, "");
  g_assert_cmpint (c2g_argument_get_kind (empty), ==, C2G_ARGUMENT_KIND_STRING);
  g_assert_no_error (error);

  bytes = c2g_argument_dup_bytes (argument, &error);
  g_assert_no_error (error);
  other = c2g_argument_ref (argument);
  g_assert_true (other == argument);
  g_clear_pointer (&argument, c2g_argument_unref);
  g_assert_cmpstr (c2g_argument_get_name (other), ==, "order");
  g_clear_pointer (&other, c2g_argument_unref);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "NCHW é", 7);
}

static void
test_bytes (void)
{
  static const char *const values[] = { "\xff", "a\0b", "\xc3" };
  static const gsize sizes[] = { 1, 3, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (GBytes) value = g_bytes_new (values[i], sizes[i]);
      g_autoptr (C2gArgument) argument = c2g_argument_new_bytes ("s", value);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) back = c2g_argument_dup_bytes (argument, &error);

      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (back, value));
      g_assert_null (c2g_argument_get_string (argument, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
    }
}

static void
test_ints (void)
{
  static const gint64 values[] = { 3, -4, G_MAXINT64 };
  g_autoptr (C2gArgument) argument = c2g_argument_new_ints ("shape", values, 3);
  g_autoptr (GError) error = NULL;
  const gint64 *back;
  gsize n;

  back = c2g_argument_get_ints (argument, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_argument_get_kind (argument), ==, C2G_ARGUMENT_KIND_INTS);
  g_assert_cmpuint (c2g_argument_get_n_values (argument), ==, 3);
  g_assert_cmpmem (back, n * sizeof *back, values, sizeof values);
}

static void
test_floats (void)
{
  static const float values[] = { 0.5f, -0.0f, INFINITY };
  g_autoptr (C2gArgument) argument = c2g_argument_new_floats ("values", values, 3);
  g_autoptr (GError) error = NULL;
  const float *back;
  gsize n;

  back = c2g_argument_get_floats (argument, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_argument_get_kind (argument), ==, C2G_ARGUMENT_KIND_FLOATS);
  g_assert_cmpuint (c2g_argument_get_n_values (argument), ==, 3);
  g_assert_cmpmem (back, n * sizeof *back, values, sizeof values);
}

/* NaNs are replaced by a plain one: some language bindings would take other NaN bits for an
 * object. */
static void
test_nan (void)
{
  static const guint32 bits = 0xfff1e0b0;
  static const float plain = NAN;
  g_autoptr (C2gArgument) argument = NULL;
  g_autoptr (GError) error = NULL;
  const float *back;
  float value;
  gsize n;

  memcpy (&value, &bits, sizeof value);
  argument = c2g_argument_new_floats ("values", &value, 1);
  back = c2g_argument_get_floats (argument, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (back, n * sizeof *back, &plain, sizeof plain);
}

static void
test_strings (void)
{
  static const char *const values[] = { "a", "", "é", NULL };
  g_autoptr (C2gArgument) argument = c2g_argument_new_strings ("names", values);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) back = c2g_argument_dup_strings (argument, &error);
  g_autoptr (GBytes) bytes = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (c2g_argument_get_kind (argument), ==, C2G_ARGUMENT_KIND_STRINGS);
  g_assert_cmpuint (c2g_argument_get_n_values (argument), ==, 3);
  g_assert_cmpstrv (back, values);

  bytes = c2g_argument_dup_bytes_at (argument, 2, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "é", 2);
  g_assert_null (c2g_argument_dup_bytes_at (argument, 3, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
}

/* One of the strings is not UTF-8. */
static void
test_strings_bytes (void)
{
  g_autoptr (C2gArgument) argument = parse ("\x3a\x01z\x3a\x01\xff", 6);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = c2g_argument_dup_bytes_at (argument, 1, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "\xff", 1);
  g_assert_null (c2g_argument_dup_strings (argument, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
}

/* An empty list has no element type, so every list getter accepts it. */
static void
test_empty (void)
{
  static const char *const none[] = { NULL };
  g_autoptr (C2gArgument) ints = c2g_argument_new_ints ("e", NULL, 0);
  g_autoptr (C2gArgument) floats = c2g_argument_new_floats ("e", NULL, 0);
  g_autoptr (C2gArgument) strings = c2g_argument_new_strings ("e", none);
  g_autoptr (C2gArgument) nets = c2g_argument_new_nets ("e", NULL, 0, NULL);
  C2gArgument *arguments[] = { ints, floats, strings, nets };

  for (gsize i = 0; i < G_N_ELEMENTS (arguments); i++)
    {
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) texts = NULL;
      g_autofree C2gNetDef **defs = NULL;
      gsize n = 9;

      g_assert_true (c2g_argument_equal (arguments[i], arguments[0]));
      g_assert_cmpint (c2g_argument_get_kind (arguments[i]), ==, C2G_ARGUMENT_KIND_NONE);
      g_assert_cmpuint (c2g_argument_get_n_values (arguments[i]), ==, 0);
      g_assert_null (c2g_argument_get_ints (arguments[i], &n, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (n, ==, 0);
      g_assert_null (c2g_argument_get_floats (arguments[i], &n, &error));
      g_assert_no_error (error);
      texts = c2g_argument_dup_strings (arguments[i], &error);
      g_assert_cmpuint (g_strv_length (texts), ==, 0);
      defs = c2g_argument_dup_nets (arguments[i], &n, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (n, ==, 0);
      c2g_argument_get_int (arguments[i], &error);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
    }
}

static void
test_net (void)
{
  g_autoptr (C2gNetDef) net = c2g_net_def_new ("body");
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("Relu");
  g_autoptr (C2gArgument) argument = NULL;
  g_autoptr (C2gNetDef) back = NULL;
  g_autoptr (GError) error = NULL;

  c2g_net_def_add_operator (net, op);
  argument = c2g_argument_new_net ("then_net", net, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_argument_get_kind (argument), ==, C2G_ARGUMENT_KIND_NET);

  back = c2g_argument_dup_net (argument, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_net_def_equal (back, net));

  /* The argument is a copy: changing either net does not change it. */
  c2g_net_def_set_name (net, "other");
  c2g_net_def_set_name (back, "another");
  g_clear_object (&back);
  back = c2g_argument_dup_net (argument, &error);
  g_assert_cmpstr (c2g_net_def_get_name (back), ==, "body");
}

static void
test_nets (void)
{
  g_autoptr (C2gNetDef) first = c2g_net_def_new ("first");
  g_autoptr (C2gNetDef) second = c2g_net_def_new ("second");
  C2gNetDef *nets[] = { first, second };
  C2gNetDef *gap[] = { first, NULL };
  g_autoptr (C2gArgument) argument = NULL;
  g_autoptr (GError) error = NULL;
  C2gNetDef **back;
  gsize n;

  g_assert_null (c2g_argument_new_nets ("nets", gap, 2, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (error->message, ==, "Element 1 is no net");
  g_clear_error (&error);

  argument = c2g_argument_new_nets ("nets", nets, 2, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_argument_get_kind (argument), ==, C2G_ARGUMENT_KIND_NETS);
  g_assert_cmpuint (c2g_argument_get_n_values (argument), ==, 2);

  back = c2g_argument_dup_nets (argument, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 2);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_true (c2g_net_def_equal (back[i], nets[i]));
      g_assert_finalize_object (back[i]);
    }
  g_free (back);
}

/* Nests a net in an argument of a net, and so on, up to the limit. Every accepted depth can be
 * written and read, also inside other messages. */
static void
test_deep (void)
{
  g_autoptr (C2gNetDef) net = c2g_net_def_new ("net");
  g_autoptr (GError) error = NULL;
  guint depth;

  for (depth = 0; depth < 100; depth++)
    {
      g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("If");
      g_autoptr (C2gArgument) argument = c2g_argument_new_net ("net", net, &error);
      g_autoptr (C2gMetaNetDef) meta = c2g_meta_net_def_new ();
      g_autoptr (C2gPlanDef) plan = c2g_plan_def_new ("plan");
      g_autoptr (C2gMetaNetDef) back = NULL;
      g_autoptr (GBytes) bytes = NULL;

      if (argument == NULL)
        break;
      c2g_operator_def_set_argument (op, argument);
      g_object_unref (net);
      net = c2g_net_def_new ("net");
      c2g_net_def_add_operator (net, op);

      c2g_plan_def_add_net (plan, net);
      c2g_meta_net_def_set_plan (meta, "plan", plan);
      bytes = c2g_meta_net_def_to_bytes (meta, &error);
      g_assert_no_error (error);
      back = c2g_meta_net_def_new_from_bytes (bytes, &error);
      g_assert_no_error (error);
    }

  g_assert_cmpuint (depth, >, 20);
  g_assert_cmpuint (depth, <, 40);
  g_assert_true (g_error_matches (error, C2G_ERROR, C2G_ERROR_CORRUPT) ||
                 g_error_matches (error, C2G_ERROR, C2G_ERROR_RANGE));
}

static void
call_int (C2gArgument *argument,
          GError     **error)
{
  g_assert_cmpint (c2g_argument_get_int (argument, error), ==, 0);
}

static void
call_float (C2gArgument *argument,
            GError     **error)
{
  g_assert_true (c2g_argument_get_float (argument, error) == 0);
}

static void
call_string (C2gArgument *argument,
             GError     **error)
{
  g_assert_null (c2g_argument_get_string (argument, error));
}

static void
call_bytes (C2gArgument *argument,
            GError     **error)
{
  g_assert_null (c2g_argument_dup_bytes (argument, error));
}

static void
call_ints (C2gArgument *argument,
           GError     **error)
{
  gsize n = 9;

  g_assert_null (c2g_argument_get_ints (argument, &n, error));
  g_assert_cmpuint (n, ==, 0);
}

static void
call_floats (C2gArgument *argument,
             GError     **error)
{
  gsize n = 9;

  g_assert_null (c2g_argument_get_floats (argument, &n, error));
  g_assert_cmpuint (n, ==, 0);
}

static void
call_strings (C2gArgument *argument,
              GError     **error)
{
  g_assert_null (c2g_argument_dup_strings (argument, error));
}

static void
call_net (C2gArgument *argument,
          GError     **error)
{
  g_assert_null (c2g_argument_dup_net (argument, error));
}

static void
call_nets (C2gArgument *argument,
           GError     **error)
{
  gsize n = 9;

  g_assert_null (c2g_argument_dup_nets (argument, &n, error));
  g_assert_cmpuint (n, ==, 0);
}

/* Calls every getter on arguments of every other kind, also of kinds that only files can have. */
static void
test_wrong_kind (void)
{
  static const struct
  {
    C2gArgumentKind kind;
    const char     *text;
    void          (*call) (C2gArgument *argument,
                           GError     **error);
    const char     *what;
  } cases[] = {
    { C2G_ARGUMENT_KIND_INT, "i: 3", call_int, "an integer" },
    { C2G_ARGUMENT_KIND_FLOAT, "f: 3", call_float, "a floating-point number" },
    { C2G_ARGUMENT_KIND_STRING, "s: '3'", call_string, "a string" },
    { C2G_ARGUMENT_KIND_STRING, "s: ''", call_bytes, "a string" },
    { C2G_ARGUMENT_KIND_INTS, "ints: 3", call_ints, "a list of integers" },
    { C2G_ARGUMENT_KIND_FLOATS, "floats: 3", call_floats, "a list of floating-point numbers" },
    { C2G_ARGUMENT_KIND_STRINGS, "strings: '3'", call_strings, "a list of strings" },
    { C2G_ARGUMENT_KIND_NET, "n { }", call_net, "a net" },
    { C2G_ARGUMENT_KIND_NETS, "nets { } nets { }", call_nets, "a list of nets" },
    { C2G_ARGUMENT_KIND_TENSOR, "t { }", NULL, "a tensor" },
    { C2G_ARGUMENT_KIND_TENSORS, "tensors { }", NULL, "a list of tensors" },
    { C2G_ARGUMENT_KIND_Q_TENSORS,
      "qtensors { precision: 1 scale: 1 bias: 0 is_signed: true }", NULL,
      "a list of quantized tensors" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("op { arg { name: 'a' %s } }", cases[i].text);
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gNetDef) net = c2g_net_def_new_from_text (text, &error);
      C2gArgument *argument;

      g_assert_no_error (error);
      argument = c2g_operator_def_get_argument (c2g_net_def_get_operator (net, 0), "a");
      g_assert_cmpint (c2g_argument_get_kind (argument), ==, cases[i].kind);
      g_assert_cmpuint (c2g_argument_get_n_values (argument), ==,
                        cases[i].kind == C2G_ARGUMENT_KIND_NETS ? 2 : 1);

      for (gsize j = 0; j < G_N_ELEMENTS (cases); j++)
        {
          g_autoptr (GError) wrong = NULL;
          g_autofree char *message = g_strdup_printf ("Argument “a” is %s, expected %s",
                                                      cases[i].what, cases[j].what);

          if (cases[j].call == NULL || cases[j].kind == cases[i].kind)
            continue;
          cases[j].call (argument, &wrong);
          g_assert_error (wrong, C2G_ERROR, C2G_ERROR_TYPE);
          g_assert_cmpstr (wrong->message, ==, message);
        }
    }
}

/* A file may have an argument of several kinds; then each getter returns its own kind. */
static void
test_several (void)
{
  g_autoptr (C2gArgument) argument = parse ("\x18\x07\x15\0\0\x80\x3f\x30\x08", 9);
  g_autoptr (GError) error = NULL;
  const gint64 *ints;
  gsize n;

  g_assert_cmpstr (c2g_argument_get_name (argument), ==, "");
  g_assert_cmpint (c2g_argument_get_int (argument, &error), ==, 7);
  g_assert_true (c2g_argument_get_float (argument, &error) == 1);
  ints = c2g_argument_get_ints (argument, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (ints[0], ==, 8);
}

/* A name that is not UTF-8. */
static void
test_name (void)
{
  g_autoptr (C2gArgument) argument = parse ("\x0a\x02\xffz", 4);

  g_assert_cmpstr (c2g_argument_get_name (argument), ==, "\xef\xbf\xbdz");
}

static void
test_equal (void)
{
  static const char *const texts[] = {
    "",
    "name: 'a'",
    "name: 'b'",
    "name: 'a' i: 0",
    "name: 'a' i: 1",
    "name: 'a' f: 0",
    "name: 'a' f: -0",
    "name: 'a' s: ''",
    "name: 'a' s: 'x'",
    "name: 'a' ints: 1",
    "name: 'a' ints: 1 ints: 2",
    "name: 'a' floats: 1",
    "name: 'a' strings: '1'",
    "name: 'a' strings: '1' strings: ''",
    "name: 'a' n { name: 'x' }",
    "name: 'a' n { name: 'y' }",
    "name: 'a' nets { }",
    "name: 'a' t { dims: 1 }",
    "name: 'a' t { dims: 1 data_type: FLOAT }",
    "name: 'a' i: 1 100: 1",
    "name: 'a' i: 1 100: 0x00000001",
    "name: 'a' i: 1 100: '1'",
    "name: 'a' i: 1 101: 1",
  };
  C2gArgument *arguments[2][G_N_ELEMENTS (texts)];

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (texts); i++)
    {
      const char *text = texts[i / 2];
      g_autoptr (GError) error = NULL;
      ProtobufCMessage *message;

      message = c2g_text_parse (&caffe2__argument__descriptor, text, strlen (text), &error);
      g_assert_no_error (error);
      arguments[i % 2][i / 2] = c2g_argument_new_take ((Caffe2__Argument *) message);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (texts); j++)
      g_assert_cmpint (c2g_argument_equal (arguments[0][i], arguments[1][j]), ==, i == j);

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (texts); i++)
    c2g_argument_unref (arguments[i % 2][i / 2]);
}

static void
test_text (void)
{
  g_autoptr (C2gArgument) argument = c2g_argument_new_float ("eps", 1e-5);
  g_autofree char *text = c2g_argument_to_text (argument);

  g_assert_cmpstr (text, ==, "name: \"eps\"\nf: 1e-05\n");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/argument/int", test_int);
  c2g_test_add_func ("/argument/float", test_float);
  c2g_test_add_func ("/argument/string", test_string);
  c2g_test_add_func ("/argument/bytes", test_bytes);
  c2g_test_add_func ("/argument/ints", test_ints);
  c2g_test_add_func ("/argument/floats", test_floats);
  c2g_test_add_func ("/argument/nan", test_nan);
  c2g_test_add_func ("/argument/strings", test_strings);
  c2g_test_add_func ("/argument/strings-bytes", test_strings_bytes);
  c2g_test_add_func ("/argument/empty", test_empty);
  c2g_test_add_func ("/argument/net", test_net);
  c2g_test_add_func ("/argument/nets", test_nets);
  c2g_test_add_func ("/argument/deep", test_deep);
  c2g_test_add_func ("/argument/wrong-kind", test_wrong_kind);
  c2g_test_add_func ("/argument/several", test_several);
  c2g_test_add_func ("/argument/name", test_name);
  c2g_test_add_func ("/argument/equal", test_equal);
  c2g_test_add_func ("/argument/text", test_text);

  return c2g_test_run ();
}
