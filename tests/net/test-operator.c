/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

#include <c2g/net/operator/c2g-kernel-private.h>

#include <string.h>

/* Sets output 0 to 0, 1, 2, … n - 1. */
typedef struct
{
  C2gOperator parent_instance;
} JustTest;

typedef struct
{
  C2gOperatorClass parent_class;
} JustTestClass;

GType just_test_get_type (void);

G_DEFINE_TYPE (JustTest, just_test, C2G_TYPE_OPERATOR)

static gboolean
just_test_run (C2gOperator  *op,
               GError      **error)
{
  gint64 n = c2g_operator_get_int (op, "n", 0, NULL);
  C2gTensor *output;

  if (c2g_operator_get_n_outputs (op) == 0)
    return TRUE;
  output = c2g_operator_get_output_tensor (op, 0, error);
  if (output == NULL || !c2g_tensor_resize (output, C2G_TEST_DIMS (n), error) ||
      !c2g_tensor_allocate (output, C2G_DATA_TYPE_FLOAT, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    if (!c2g_tensor_set_value (output, i, (double) i, error))
      return FALSE;
  return TRUE;
}

static void
just_test_class_init (JustTestClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->run = just_test_run;
}

static void
just_test_init (JustTest *self)
{
}

/* Another class that does the same. */
typedef JustTest JustTest2;
typedef JustTestClass JustTest2Class;

GType just_test2_get_type (void);

G_DEFINE_TYPE (JustTest2, just_test2, just_test_get_type ())

static void
just_test2_class_init (JustTest2Class *klass)
{
}

static void
just_test2_init (JustTest2 *self)
{
}

/* A class whose set_up() fails with a chosen error code. */
typedef JustTest Unable;
typedef JustTestClass UnableClass;

GType unable_get_type (void);

G_DEFINE_TYPE (Unable, unable, just_test_get_type ())

static gboolean
unable_set_up (C2gOperator  *op,
               GError      **error)
{
  g_set_error (error, C2G_ERROR,
               c2g_operator_get_int (op, "code", C2G_ERROR_NOT_SUPPORTED, NULL),
               "Unable with “%s”", c2g_operator_get_engine (op));
  return FALSE;
}

static void
unable_class_init (UnableClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->set_up = unable_set_up;
}

static void
unable_init (Unable *self)
{
}

/* A class that reads input 0. */
typedef JustTest Reader;
typedef JustTestClass ReaderClass;

GType reader_get_type (void);

G_DEFINE_TYPE (Reader, reader, just_test_get_type ())

static gboolean
reader_run (C2gOperator  *op,
            GError      **error)
{
  return c2g_operator_get_input_tensor (op, 0, error) != NULL;
}

static void
reader_class_init (ReaderClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->run = reader_run;
}

static void
reader_init (Reader *self)
{
}

static void
add (const char        *op_type,
     const char        *engine,
     GType              gtype,
     C2gOperatorSchema *schema)
{
  g_autoptr (GError) error = NULL;

  c2g_operator_register (op_type, C2G_DEVICE_TYPE_CPU, engine, gtype, schema, &error);
  g_assert_no_error (error);
}

static C2gOperator *
create (const char  *text,
        GError     **error)
{
  g_autofree char *all = g_strdup_printf ("name: 'n' op { %s }", text);
  g_autoptr (C2gNetDef) def = net_def_from_text (all);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) in = c2g_workspace_create_blob (workspace, "in", NULL);
  g_autoptr (C2gBlob) in2 = c2g_workspace_create_blob (workspace, "in2", NULL);

  return c2g_operator_create (c2g_net_def_get_operator (def, 0), workspace, error);
}

static C2gOperator *
create_good (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gOperator *op = create (text, &error);

  g_assert_no_error (error);
  return op;
}

static void
check_fails (const char *text,
             int         code,
             const char *named)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (create (text, &error));
  g_assert_error (error, C2G_ERROR, code);
  g_assert_nonnull (strstr (error->message, named));
}

static void
test_registry_works (void)
{
  g_autoptr (C2gOperator) op = create_good ("type: 'JustTest' name: 'mine'");
  g_autoptr (GError) error = NULL;

  g_assert_true (G_OBJECT_TYPE (op) == just_test_get_type ());
  g_assert_cmpstr (c2g_operator_get_op_type (op), ==, "JustTest");
  g_assert_cmpstr (c2g_operator_get_name (op), ==, "mine");
  g_assert_cmpstr (c2g_operator_get_engine (op), ==, "");
  g_assert_cmpint (c2g_operator_get_position (op), ==, -1);
  g_assert_true (c2g_operator_get_device (op) == c2g_device_cpu ());
  g_assert_true (c2g_operator_run (op, &error));
  g_assert_no_error (error);
}

static void
test_register (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) types = c2g_operator_list_types ();
  g_auto (GStrv) engines = c2g_operator_list_engines ("JustTest", C2G_DEVICE_TYPE_CPU);
  g_auto (GStrv) none = c2g_operator_list_engines ("JustTest", C2G_DEVICE_TYPE_CUDA);

  /* Registering the same class again works; another class and unusable classes are refused. */
  add ("JustTest", NULL, just_test_get_type (), NULL);
  g_assert_false (c2g_operator_register ("JustTest", C2G_DEVICE_TYPE_CPU, NULL,
                                         just_test2_get_type (), NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_false (c2g_operator_register ("Relu", C2G_DEVICE_TYPE_CPU, NULL,
                                         just_test_get_type (), NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_false (c2g_operator_register ("Other", C2G_DEVICE_TYPE_CPU, NULL, C2G_TYPE_OPERATOR,
                                         NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_false (c2g_operator_register ("Other", C2G_DEVICE_TYPE_CPU, NULL, C2G_TYPE_TENSOR,
                                         NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);

  g_assert_true (g_strv_contains ((const char * const *) types, "JustTest"));
  g_assert_true (g_strv_contains ((const char * const *) types, "Relu"));
  for (gsize i = 1; types[i] != NULL; i++)
    g_assert_cmpstr (types[i - 1], <, types[i]);
  g_assert_cmpuint (g_strv_length (engines), ==, 4);
  g_assert_cmpuint (g_strv_length (none), ==, 0);
}

static GType
new_class (const char *name)
{
  return g_type_register_static_simple (just_test_get_type (), name, sizeof (JustTestClass), NULL,
                                        sizeof (JustTest), NULL, 0);
}

static void
register_version (const char        *class_name,
                  C2gOperatorSchema *schema)
{
  g_autoptr (GError) error = NULL;

  c2g_operator_register ("Versioned", C2G_DEVICE_TYPE_CPU, NULL, new_class (class_name), schema,
                         &error);
  g_assert_no_error (error);
}

/* If a class is defined again, Python appends a version number to its GType name. */
static void
test_registry_new_version (void)
{
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_new (0, 0, 0, 0);
  g_autoptr (C2gOperatorSchema) other = c2g_operator_schema_new (0, 1, 0, 0);
  g_autoptr (C2gOperator) old = NULL;
  g_autoptr (C2gOperator) op = NULL;
  g_autoptr (GError) error = NULL;

  register_version ("test+Versioned", schema);
  old = create_good ("type: 'Versioned'");
  check_fails ("type: 'Versioned' input: 'in'", C2G_ERROR_INVALID_ARGUMENT, "inputs");
  register_version ("test+Versioned-v2", other);
  register_version ("test+Versioned-v10", NULL);
  op = create_good ("type: 'Versioned'");
  g_assert_cmpstr (G_OBJECT_TYPE_NAME (old), ==, "test+Versioned");
  g_assert_cmpstr (G_OBJECT_TYPE_NAME (op), ==, "test+Versioned-v10");

  for (guint i = 0; i < 4; i++)
    {
      const char *names[] = { "test+Versioned2", "test+Versioned-v", "test+Version-v2", "Versioned-v2" };

      g_assert_false (c2g_operator_register ("Versioned", C2G_DEVICE_TYPE_CPU, NULL,
                                             new_class (names[i]), NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_EXISTS);
      g_clear_error (&error);
    }
}

/* The device has no operator of this type, the type does not exist, or the device is unknown. */
static void
test_registry_wrong_device (void)
{
  check_fails ("type: 'JustTest' device_option { device_type: 1 }", C2G_ERROR_DEVICE, "JustTest");
  check_fails ("type: 'NotThere'", C2G_ERROR_NOT_FOUND, "“NotThere”");
  check_fails ("type: 'JustTest' device_option { device_type: 77 }", C2G_ERROR_DEVICE, "JustTest");
}

static void
test_numbers_out_of_range (void)
{
  g_autoptr (C2gOperator) op = create_good ("type: 'JustTest'");
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_operator_get_input_tensor (op, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_null (c2g_operator_get_output_tensor (op, 7, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
}

/* A program may change the definition that it gets. Runs go on with what the operator was made of. */
static void
test_changed_definition (void)
{
  const char *const nothing[] = { NULL };
  g_autoptr (C2gOperator) op = create_good ("type: 'Relu' input: 'in' output: 'out'");
  g_autoptr (C2gTensor) integers = c2g_tensor_new_sized (C2G_TEST_DIMS (2), NULL, NULL);
  C2gOperatorDef *def = c2g_operator_get_definition (op);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_operator_get_definition (op) == def);
  g_assert_true (c2g_tensor_allocate (integers, C2G_DATA_TYPE_INT64, NULL));
  c2g_blob_set_object (c2g_operator_get_input (op, 0), G_OBJECT (integers));
  c2g_operator_def_set_inputs (def, nothing);
  g_assert_false (c2g_operator_run (op, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_assert_nonnull (strstr (error->message, "“in”"));
  g_assert_cmpint (c2g_operator_find_input (op, "in"), ==, 0);
}

static void
test_removed_arguments (void)
{
  g_autoptr (C2gOperator) op = create_good ("type: 'Int8GivenTensorFill' output: 'out' "
                                            "arg { name: 'shape' ints: 2 } "
                                            "arg { name: 'values' s: 'ab' }");
  C2gOperatorDef *def = c2g_operator_get_definition (op);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_operator_def_remove_argument (def, "shape"));
  g_assert_true (c2g_operator_def_remove_argument (def, "values"));
  g_assert_true (c2g_operator_run (op, &error));
  g_assert_no_error (error);
}

static void
test_exception_works (void)
{
  g_autoptr (C2gOperator) op = create_good ("type: 'NetTestDummy' arg { name: 'fail' i: 1 }");
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_operator_run (op, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "NetTestDummy"));
}

static gboolean
fail_silently (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return FALSE;
}

/* An error is set even if a built-in kernel fails without one. */
static void
test_silent_kernel (void)
{
  static const C2gKernel kernels[] = {
    { .type = "Silent", .run = fail_silently, .summary = "Fails" },
  };
  static const char *const types[] = { "simple", "dag" };

  c2g_kernels_register (kernels, G_N_ELEMENTS (kernels));
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gNetDef) def = net_def_from_text ("name: 'n' op { type: 'Silent' }");
      g_autoptr (GError) error = NULL;

      c2g_net_def_set_net_type (def, types[i]);
      g_assert_false (c2g_workspace_run_net_once (workspace, def, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
      g_assert_true (g_str_has_prefix (error->message, "Net “n”, operator 0: Silent: "));
    }
}

/* The seed of the net is used by operators without their own device option. */
static void
test_seed_of_net (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = net_def_from_text (
    "device_option { random_seed: 5 } "
    "op { type: 'UniformFill' output: 'a' arg { name: 'shape' ints: 4 } } "
    "op { type: 'UniformFill' output: 'b' arg { name: 'shape' ints: 4 } "
    "     device_option { random_seed: 5 } } "
    "op { type: 'UniformFill' output: 'c' arg { name: 'shape' ints: 4 } "
    "     device_option { random_seed: 6 } } ");
  GBytes *bytes[3];

  g_assert_true (c2g_workspace_run_net_once (workspace, def, NULL, &error));
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (bytes); i++)
    {
      const char name[] = { (char) ('a' + i), '\0' };
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);

      bytes[i] = c2g_tensor_dup_bytes (c2g_blob_get_tensor (blob, NULL), &error);
      g_assert_no_error (error);
    }
  g_assert_true (g_bytes_equal (bytes[0], bytes[1]));
  g_assert_false (g_bytes_equal (bytes[0], bytes[2]));
  for (gsize i = 0; i < G_N_ELEMENTS (bytes); i++)
    g_bytes_unref (bytes[i]);
}

static void
check_engine (const char *text,
              const char *expected)
{
  g_autoptr (C2gOperator) op = create_good (text);

  g_assert_cmpstr (c2g_operator_get_engine (op), ==, expected);
}

/* An engine that fails with NOT_SUPPORTED is skipped; any other error is returned. */
static void
test_fallback_if_engine_does_not_build (void)
{
  check_engine ("type: 'JustTest' engine: 'FOO'", "");
  check_engine ("type: 'JustTest' engine: 'NOT_THERE'", "");
  check_fails ("type: 'JustTest' engine: 'FOO' arg { name: 'code' i: 4 }", C2G_ERROR_RANGE,
               "Unable");
  check_fails ("type: 'NeverBuilt'", C2G_ERROR_NOT_SUPPORTED, "Unable with “”");
  check_fails ("type: 'NeverBuilt' engine: 'FOO'", C2G_ERROR_NOT_SUPPORTED, "Unable with “FOO”");
}

/* Only one operator can be registered for each type and engine. */
static void
test_registered_once (void)
{
  g_auto (GStrv) types = c2g_operator_list_types ();

  for (gsize i = 0; types[i] != NULL; i++)
    {
      g_auto (GStrv) engines = c2g_operator_list_engines (types[i], C2G_DEVICE_TYPE_CPU);

      for (gsize j = 0; engines[j] != NULL; j++)
        if (g_strv_contains ((const char *const *) engines + j + 1, engines[j]))
          g_error ("%s with engine “%s” is registered twice", types[i], engines[j]);
    }
}

static void
test_multiple_engine_choices (void)
{
  check_engine ("type: 'JustTest' engine: 'FOO,BAR'", "BAR");
  check_engine ("type: 'JustTest' engine: ' BAZ , BAR'", "BAZ");
  check_engine ("type: 'JustTest' engine: ',,BAR,'", "BAR");
  check_engine ("type: 'JustTest'", "");
}

typedef struct
{
  const char *path;
  /* Preferred engines of the operator type, and of the device. */
  const char *own;
  const char *all;
  const char *asked;
  const char *expected;
} Preference;

static const Preference preferences[] = {
  { "per-op", "BAR", NULL, "", "BAR" },
  { "global", NULL, "FOO,BAR", "", "BAR" },
  { "global-and-per-op", "BAR", "BAZ", "", "BAR" },
  { "global-and-per-op-and-def", "BAR", "FOO", "engine: 'BAZ'", "BAZ" },
  { "set-op", "FOO,BAZ", "BAR", "", "BAZ" },
  { "default-engine", NULL, "BAZ", "engine: 'NOT_THERE'", "BAZ" },
  { "none", NULL, NULL, "", "" },
};

static void
prefer (const char *op_type,
        const char *engines)
{
  g_auto (GStrv) names = engines != NULL ? g_strsplit (engines, ",", -1) : NULL;

  c2g_operator_set_preferred_engines (op_type, C2G_DEVICE_TYPE_CPU,
                                      (const char * const *) names);
}

static void
test_preference (gconstpointer data)
{
  const Preference *test = data;
  g_autofree char *text = g_strdup_printf ("type: 'JustTest' %s", test->asked);

  prefer ("JustTest", test->own);
  prefer (NULL, test->all);
  check_engine (text, test->expected);
  check_engine ("type: 'Reader' input: 'in'", "");
  prefer ("JustTest", NULL);
  prefer (NULL, NULL);
  check_engine ("type: 'JustTest'", "");
}

static void
test_cannot_use_uninitialized_blob (void)
{
  g_autoptr (C2gOperator) op = create_good ("type: 'Reader' input: 'in'");
  g_autoptr (GError) error = NULL;

  check_fails ("type: 'JustTest' input: 'nowhere'", C2G_ERROR_NOT_FOUND, "“nowhere”");
  g_assert_false (c2g_operator_run (op, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_assert_nonnull (strstr (error->message, "in"));
}

#define ARGUMENTS                                                                                  \
  "type: 'JustTest' arg { name: 'i' i: 3 } arg { name: 'f' f: 0.5 } arg { name: 's' s: 'text' } "  \
  "arg { name: 'is' ints: 1 ints: -2 } arg { name: 'fs' floats: 1.5 } "                            \
  "arg { name: 'ss' strings: 'a' strings: 'b' } arg { name: 'empty' }"

static void
test_parameter_access (void)
{
  g_autoptr (C2gOperator) op = create_good (ARGUMENTS);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) strings = NULL;
  const gint64 *ints;
  const float *floats;
  gsize n;

  g_assert_true (c2g_operator_has_argument (op, "i"));
  g_assert_false (c2g_operator_has_argument (op, "x"));
  g_assert_cmpint (c2g_operator_get_int (op, "i", 0, &error), ==, 3);
  g_assert_true (c2g_operator_get_boolean (op, "i", FALSE, &error));
  g_assert_cmpfloat (c2g_operator_get_float (op, "f", 0, &error), ==, 0.5);
  g_assert_cmpstr (c2g_operator_get_string (op, "s", NULL, &error), ==, "text");
  ints = c2g_operator_get_ints (op, "is", &n, &error);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (ints[1], ==, -2);
  floats = c2g_operator_get_floats (op, "fs", &n, &error);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpfloat (floats[0], ==, 1.5);
  strings = c2g_operator_dup_strings (op, "ss", &error);
  g_assert_cmpuint (g_strv_length (strings), ==, 2);
  g_assert_cmpstr (strings[1], ==, "b");
  g_assert_no_error (error);
}

static void
test_cannot_access_parameter_with_wrong_type (void)
{
  g_autoptr (C2gOperator) op = create_good (ARGUMENTS);
  g_autoptr (GError) error = NULL;
  gsize n;

  g_assert_cmpint (c2g_operator_get_int (op, "f", 7, &error), ==, 7);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_assert_nonnull (strstr (error->message, "“f” is a floating-point number, expected an integer, "
                                            "as set_int() sets it, or “i” in a file"));
  g_clear_error (&error);
  g_assert_cmpint (c2g_operator_get_int (op, "s", 7, &error), ==, 7);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_null (c2g_operator_get_string (op, "i", NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_null (c2g_operator_get_ints (op, "ss", &n, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
}

static void
test_default_value (void)
{
  g_autoptr (C2gOperator) op = create_good (ARGUMENTS);
  g_autoptr (GError) error = NULL;
  gsize n = 1;

  g_assert_cmpint (c2g_operator_get_int (op, "x", -5, &error), ==, -5);
  g_assert_true (c2g_operator_get_boolean (op, "x", TRUE, &error));
  g_assert_cmpfloat (c2g_operator_get_float (op, "x", 2.5, &error), ==, 2.5);
  g_assert_cmpstr (c2g_operator_get_string (op, "x", "d", &error), ==, "d");
  c2g_operator_get_ints (op, "x", &n, &error);
  g_assert_cmpuint (n, ==, 0);
  n = 1;
  c2g_operator_get_floats (op, "empty", &n, &error);
  g_assert_cmpuint (n, ==, 0);
  g_assert_no_error (error);
}

static void
test_set_up (void)
{
  g_autoptr (C2gOperator) op = create_good (
    "type: 'JustTest' input: 'in' input: 'in2' output: 'in' output: 'out'");

  g_assert_cmpuint (c2g_operator_get_n_inputs (op), ==, 2);
  g_assert_cmpuint (c2g_operator_get_n_outputs (op), ==, 2);
  g_assert_cmpint (c2g_operator_find_input (op, "in2"), ==, 1);
  g_assert_cmpint (c2g_operator_find_input (op, "out"), ==, -1);
  g_assert_cmpint (c2g_operator_find_output (op, "out"), ==, 1);
  g_assert_true (c2g_operator_get_input (op, 0) == c2g_operator_get_output (op, 0));
  g_assert_null (c2g_operator_get_input (op, 2));
  g_assert_null (c2g_operator_get_output (op, G_MAXUINT));
  g_assert_nonnull (c2g_operator_get_context (op));
}

typedef struct
{
  const char *path;
  const char *text;
  /* 0 if there is no error. */
  int         code;
} Check;

static const Check checks[] = {
  { "right", "type: 'Strict' input: 'in' output: 'out' arg { name: 'must' i: 1 }" },
  { "in-place", "type: 'Strict' input: 'in' output: 'in' arg { name: 'must' i: 1 }" },
  { "too-few-inputs", "type: 'Strict' output: 'out' arg { name: 'must' i: 1 }",
    C2G_ERROR_INVALID_ARGUMENT },
  { "too-many-inputs", "type: 'Strict' input: 'in' input: 'in' input: 'in' output: 'out' "
    "arg { name: 'must' i: 1 }",
    C2G_ERROR_INVALID_ARGUMENT },
  { "too-few-outputs", "type: 'Strict' input: 'in' arg { name: 'must' i: 1 }",
    C2G_ERROR_INVALID_ARGUMENT },
  { "wrong-in-place", "type: 'Strict' input: 'in' input: 'in2' output: 'in2' "
    "arg { name: 'must' i: 1 }",
    C2G_ERROR_INVALID_ARGUMENT },
  { "required-arg", "type: 'Strict' input: 'in' output: 'out'", C2G_ERROR_INVALID_ARGUMENT },
};

static void
test_check (gconstpointer data)
{
  const Check *test = data;
  g_autoptr (C2gOperator) op = NULL;

  if (test->code == 0)
    op = create_good (test->text);
  else
    check_fails (test->text, test->code, "Strict");
}

static void
test_output_values (void)
{
  g_autoptr (C2gOperator) op = create_good ("type: 'JustTest' output: 'out' arg { name: 'n' i: 4 }");
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor;

  for (guint i = 0; i < 2; i++)
    {
      c2g_operator_run (op, &error);
      g_assert_no_error (error);
      tensor = c2g_blob_get_tensor (c2g_operator_get_output (op, 0), &error);
      g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 4);
      g_assert_cmpfloat (c2g_tensor_get_value (tensor, 3, &error), ==, 3);
    }
}

static void
test_scaffolding (gconstpointer net_type)
{
  g_autofree char *text = g_strdup_printf (
    "name: 'n' type: '%s' op { type: 'JustTest' output: 'out' name: 'o' }",
    (const char *) net_type);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = net_def_from_text (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_autoptr (C2gWorkspace) found = NULL;

  g_assert_no_error (error);
  g_assert_true (c2g_workspace_has_blob (workspace, "out"));
  g_assert_true (c2g_net_run (net, NULL, &error));
  g_assert_cmpint (c2g_operator_get_position (c2g_net_get_operator (net, 0)), ==, 0);

  found = c2g_operator_ref_workspace (c2g_net_get_operator (net, 0), &error);
  g_assert_true (found == workspace);
  g_clear_object (&found);
  g_clear_object (&workspace);
  g_assert_null (c2g_operator_ref_workspace (c2g_net_get_operator (net, 0), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
}

/* An operator keeps its blobs when they are removed from the workspace. */
static void
test_keeps_blobs (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperatorDef) def = c2g_operator_def_new ("JustTest");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = NULL;

  c2g_operator_def_add_output (def, "out");
  op = c2g_operator_create (def, workspace, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_workspace_remove_blob (workspace, "out"));
  g_assert_true (c2g_operator_run (op, &error));
  g_assert_false (c2g_workspace_has_blob (workspace, "out"));

  /* The definition was copied. */
  c2g_operator_def_set_op_type (def, "Other");
  g_assert_cmpstr (c2g_operator_get_op_type (op), ==, "JustTest");
}

static void
register_all (void)
{
  g_autoptr (C2gOperatorSchema) strict = c2g_operator_schema_new (1, 2, 1, 1);

  c2g_operator_schema_allow_in_place (strict, 0, 0);
  c2g_operator_schema_require_argument (strict, "must");
  net_operators_register ();
  add ("JustTest", NULL, just_test_get_type (), NULL);
  add ("JustTest", "FOO", unable_get_type (), NULL);
  add ("JustTest", "BAR", just_test2_get_type (), NULL);
  add ("JustTest", "BAZ", just_test2_get_type (), NULL);
  add ("NeverBuilt", NULL, unable_get_type (), NULL);
  add ("NeverBuilt", "FOO", unable_get_type (), NULL);
  add ("Reader", NULL, reader_get_type (), NULL);
  add ("Strict", NULL, just_test_get_type (), strict);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  register_all ();

  c2g_test_add_func ("/operator/registry-works", test_registry_works);
  c2g_test_add_func ("/operator/register", test_register);
  c2g_test_add_func ("/operator/registry-new-version", test_registry_new_version);
  c2g_test_add_func ("/operator/registry-wrong-device", test_registry_wrong_device);
  c2g_test_add_func ("/operator/registered-once", test_registered_once);
  c2g_test_add_func ("/operator/silent-kernel", test_silent_kernel);
  c2g_test_add_func ("/operator/seed-of-net", test_seed_of_net);
  c2g_test_add_func ("/operator/numbers-out-of-range", test_numbers_out_of_range);
  c2g_test_add_func ("/operator/changed-definition", test_changed_definition);
  c2g_test_add_func ("/operator/removed-arguments", test_removed_arguments);
  c2g_test_add_func ("/operator/exception-works", test_exception_works);
  c2g_test_add_func ("/operator/fallback-if-engine-does-not-build",
                     test_fallback_if_engine_does_not_build);
  c2g_test_add_func ("/operator/multiple-engine-choices", test_multiple_engine_choices);
  for (gsize i = 0; i < G_N_ELEMENTS (preferences); i++)
    {
      g_autofree char *path = g_strdup_printf ("/operator/engine-pref/%s", preferences[i].path);

      g_test_add_data_func (path, &preferences[i], test_preference);
    }
  c2g_test_add_func ("/operator/cannot-use-uninitialized-blob",
                     test_cannot_use_uninitialized_blob);
  c2g_test_add_func ("/operator/parameter-access", test_parameter_access);
  c2g_test_add_func ("/operator/cannot-access-parameter-with-wrong-type",
                     test_cannot_access_parameter_with_wrong_type);
  c2g_test_add_func ("/operator/default-value", test_default_value);
  c2g_test_add_func ("/operator/set-up", test_set_up);
  for (gsize i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      g_autofree char *path = g_strdup_printf ("/operator/set-up/%s", checks[i].path);

      g_test_add_data_func (path, &checks[i], test_check);
    }
  c2g_test_add_func ("/operator/output-values", test_output_values);
  g_test_add_data_func ("/operator/scaffolding/simple", "simple", test_scaffolding);
  g_test_add_data_func ("/operator/scaffolding/dag", "dag", test_scaffolding);
  c2g_test_add_func ("/operator/keeps-blobs", test_keeps_blobs);

  return c2g_test_run ();
}
