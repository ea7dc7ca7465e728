/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

#include <string.h>

static C2gOperatorDef *
new_def (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gOperatorDef *def = c2g_operator_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return def;
}

static void
test_new (void)
{
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_new (1, 2, 0, C2G_ANY_NUMBER);
  g_autoptr (C2gOperatorSchema) other = c2g_operator_schema_ref (schema);

  g_assert_true (other == schema);
  g_assert_cmpuint (c2g_operator_schema_get_min_inputs (schema), ==, 1);
  g_assert_cmpuint (c2g_operator_schema_get_max_inputs (schema), ==, 2);
  g_assert_cmpuint (c2g_operator_schema_get_min_outputs (schema), ==, 0);
  g_assert_cmpuint (c2g_operator_schema_get_max_outputs (schema), ==, C2G_ANY_NUMBER);
  g_assert_false (c2g_operator_schema_is_in_place_allowed (schema, 1, 0));
  g_assert_cmpuint (g_strv_length ((char **) c2g_operator_schema_get_required_arguments (schema)),
                    ==, 0);
  g_assert_null (c2g_operator_schema_get_documentation (schema));

  g_assert_false (c2g_operator_schema_is_memory_shared (schema, 1, 0));
  c2g_operator_schema_allow_in_place (schema, 1, 0);
  c2g_operator_schema_share_memory (schema, 0, 1);
  c2g_operator_schema_require_argument (schema, "scale");
  c2g_operator_schema_set_documentation (schema, "Scales.");
  g_assert_true (c2g_operator_schema_is_in_place_allowed (schema, 1, 0));
  g_assert_false (c2g_operator_schema_is_in_place_allowed (schema, 0, 1));
  g_assert_true (c2g_operator_schema_is_memory_shared (schema, 0, 1));
  g_assert_false (c2g_operator_schema_is_memory_shared (schema, 1, 0));
  g_assert_cmpstr (c2g_operator_schema_get_required_arguments (schema)[0], ==, "scale");
  g_assert_cmpstr (c2g_operator_schema_get_documentation (schema), ==, "Scales.");
}

/* A schema lives until its last reference is dropped. */
static void
test_references (void)
{
  C2gOperatorSchema *schema = c2g_operator_schema_new (1, 2, 3, 4);
  C2gOperatorSchema *other = c2g_operator_schema_ref (schema);

  c2g_operator_schema_set_documentation (schema, "Scales.");
  c2g_operator_schema_unref (schema);
  g_assert_cmpuint (c2g_operator_schema_get_max_outputs (other), ==, 4);
  g_assert_cmpstr (c2g_operator_schema_get_documentation (other), ==, "Scales.");
  c2g_operator_schema_unref (other);
}

/* A look-up returns a copy of the schema at the time of registration. */
static void
test_lookup (void)
{
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_new (1, 1, 1, 1);
  g_autoptr (C2gOperatorSchema) found = NULL;
  g_autoptr (C2gOperatorSchema) relu = NULL;
  g_autoptr (GError) error = NULL;

  net_register_dummy ("LookedUp", schema);
  c2g_operator_schema_require_argument (schema, "later");
  found = c2g_operator_schema_lookup ("LookedUp", &error);
  g_assert_no_error (error);
  g_assert_null (c2g_operator_schema_get_required_arguments (found)[0]);

  relu = c2g_operator_schema_lookup ("Relu", &error);
  g_assert_no_error (error);
  g_assert_true (c2g_operator_schema_is_in_place_allowed (relu, 0, 0));
  /* Changing the copy does not change the registered schema. */
  c2g_operator_schema_require_argument (relu, "x");
  c2g_operator_schema_unref (relu);
  relu = c2g_operator_schema_lookup ("Relu", &error);
  g_assert_no_error (error);
  g_assert_null (c2g_operator_schema_get_required_arguments (relu)[0]);
  g_assert_null (c2g_operator_schema_lookup ("NotThere", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“NotThere”"));
}

typedef struct
{
  const char *path;
  const char *def;
  /* Part of the message; NULL if the definition is valid. */
  const char *named;
} Check;

static const Check checks[] = {
  { "right", "input: 'a' output: 'b' arg { name: 'must' i: 0 }", NULL },
  { "in-place", "input: 'a' output: 'a' arg { name: 'must' i: 0 }", NULL },
  { "too-few-inputs", "output: 'b' arg { name: 'must' i: 0 }", "0" },
  { "too-many-inputs", "input: 'a' input: 'b' input: 'c' output: 'd' arg { name: 'must' i: 0 }",
    "3" },
  { "too-few-outputs", "input: 'a' arg { name: 'must' i: 0 }", "0" },
  { "too-many-outputs", "input: 'a' output: 'b' output: 'c' arg { name: 'must' i: 0 }", "2" },
  { "wrong-in-place", "input: 'a' input: 'b' output: 'b' arg { name: 'must' i: 0 }", "“b”" },
  { "required-arg", "input: 'a' output: 'b' arg { name: 'other' i: 0 }", "“must”" },
};

static void
test_check (gconstpointer data)
{
  const Check *test = data;
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_new (1, 2, 1, 1);
  g_autoptr (C2gOperatorDef) def = new_def (test->def);
  g_autoptr (GError) error = NULL;

  c2g_operator_schema_allow_in_place (schema, 0, 0);
  c2g_operator_schema_require_argument (schema, "must");
  if (test->named == NULL)
    {
      g_assert_true (c2g_operator_schema_check (schema, def, &error));
      g_assert_no_error (error);
      return;
    }
  g_assert_false (c2g_operator_schema_check (schema, def, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, test->named));
}

/* A schema that accepts some arguments refuses all others. */
static void
test_accept (void)
{
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_new (0, 1, 0, 1);
  g_autoptr (C2gOperatorDef) def = c2g_operator_def_new ("Any");
  g_auto (GStrv) before = c2g_operator_schema_list_arguments (schema, C2G_ARGUMENT_USE_READ);
  g_auto (GStrv) names = NULL;
  g_auto (GStrv) refused = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (g_strv_length (before), ==, 0);
  c2g_operator_def_set_int (def, "must", 1);
  c2g_operator_def_set_int (def, "maybe", 1);
  g_assert_true (c2g_operator_schema_check (schema, def, &error));
  g_assert_no_error (error);

  c2g_operator_schema_require_argument (schema, "must");
  c2g_operator_schema_accept_argument (schema, "may");
  g_assert_false (c2g_operator_schema_check (schema, def, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“maybe”"));
  g_assert_nonnull (strstr (error->message, "must, may"));
  g_clear_error (&error);

  c2g_operator_schema_accept_argument (schema, "maybe");
  g_assert_true (c2g_operator_schema_check (schema, def, &error));
  g_assert_no_error (error);
  names = c2g_operator_schema_list_arguments (schema, C2G_ARGUMENT_USE_READ);
  g_assert_cmpstrv (names, ((const char *[]) { "must", "may", "maybe", NULL }));
  refused = c2g_operator_schema_list_arguments (schema, C2G_ARGUMENT_USE_REFUSED);
  g_assert_cmpuint (g_strv_length (refused), ==, 0);
}

/* Built-in schemas list the arguments that Caffe2 has. */
static void
test_list_arguments (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_lookup ("PadImage", &error);
  g_auto (GStrv) read = c2g_operator_schema_list_arguments (schema, C2G_ARGUMENT_USE_READ);
  g_auto (GStrv) ignored = c2g_operator_schema_list_arguments (schema, C2G_ARGUMENT_USE_IGNORED);
  g_auto (GStrv) refused = c2g_operator_schema_list_arguments (schema, C2G_ARGUMENT_USE_REFUSED);

  g_assert_no_error (error);
  g_assert_true (g_strv_contains ((const char * const *) read, "mode"));
  g_assert_true (g_strv_contains ((const char * const *) ignored, "shared_buffer"));
  g_assert_cmpstrv (refused, ((const char *[]) { "global_pooling", "legacy_pad", NULL }));
}

/* An operator type that requires the argument is_test, and one that does not. */
static void
test_is_test_arg (gconstpointer data)
{
  gboolean is_standard = g_str_equal (data, "standard");
  g_autofree char *op_type = g_strdup_printf ("IsTest-%s", (const char *) data);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_new (0, 1, 0, 1);
  g_autoptr (C2gOperatorDef) def = c2g_operator_def_new (op_type);
  g_autoptr (C2gOperator) without = NULL;
  g_autoptr (C2gOperator) with = NULL;
  g_autoptr (GError) error = NULL;

  if (is_standard)
    c2g_operator_schema_require_argument (schema, "is_test");
  net_register_dummy (op_type, schema);

  without = c2g_operator_create (def, workspace, &error);
  if (is_standard)
    {
      g_assert_null (without);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "“is_test”"));
      g_assert_nonnull (strstr (error->message, op_type));
      g_clear_error (&error);
    }
  else
    g_assert_no_error (error);

  c2g_operator_def_set_int (def, "is_test", 1);
  with = c2g_operator_create (def, workspace, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_operator_get_int (with, "is_test", 0, &error), ==, 1);
  g_assert_true (c2g_operator_def_equal (c2g_operator_get_definition (with), def));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/operator-schema/new", test_new);
  c2g_test_add_func ("/operator-schema/references", test_references);
  c2g_test_add_func ("/operator-schema/lookup", test_lookup);
  c2g_test_add_func ("/operator-schema/accept", test_accept);
  c2g_test_add_func ("/operator-schema/list-arguments", test_list_arguments);
  for (gsize i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      g_autofree char *path = g_strdup_printf ("/operator-schema/check/%s", checks[i].path);

      g_test_add_data_func (path, &checks[i], test_check);
    }
  g_test_add_data_func ("/operator-schema/is-test-arg/standard", "standard", test_is_test_arg);
  g_test_add_data_func ("/operator-schema/is-test-arg/non-standard", "non-standard",
                        test_is_test_arg);

  return c2g_test_run ();
}
