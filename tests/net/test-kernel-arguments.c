/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <c2g/net/operator/c2g-operator-private.h>

#include <string.h>

/* A kernel with rows of each kind, to test how they are read into its state. */

typedef struct
{
  gint64 n;
} Part;

typedef struct
{
  gboolean      flag;
  int           count;
  gint64        large;
  gint64        limited;
  int           k;
  float         ratio;
  double        offset;
  float         above;
  const char   *text;
  guint         choice;
  gboolean      is_last;
  C2gDataType   data_type;
  const gint64 *axes;
  gsize         n_axes;
  const float  *sizes;
  gsize         n_sizes;
  int           pad_t;
  float         step_h;
  int           needed;
  Part          part;
} State;

static const C2gKernelArgument part_arguments[] = {
  C2G_ARG_INT (Part, n, "part_n", 7),
  { 0 },
};

static gboolean
run (C2gOperator  *op,
     gpointer      state,
     GError      **error)
{
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "TestArguments",
    .arguments = C2G_ARGS (
      C2G_ARG_BOOLEAN (State, flag, "flag", TRUE),
      C2G_ARG_INT (State, count, "count", 2, C2G_RANGE (1, 4)),
      C2G_ARG_INT (State, large, "large", -1, C2G_AT_LEAST (-1)),
      C2G_ARG_INT (State, limited, "limited", 0, C2G_RANGE (-INFINITY, 0x1p61)),
      C2G_ARG_INT (State, k, "k", 1, C2G_AT_LEAST (1), C2G_IS_INVALID),
      C2G_ARG_FLOAT (State, ratio, "ratio", 0.5, C2G_RANGE (0, C2G_BELOW_1)),
      C2G_ARG_FLOAT (State, offset, "offset", 0.25),
      C2G_ARG_FLOAT (State, above, "above", 2, C2G_AT_LEAST (C2G_ABOVE_1)),
      C2G_ARG_STRING (State, text, "text", "none"),
      C2G_ARG_CHOICE (State, choice, "choice", "one two three"),
      C2G_ARG_ORDER (State, is_last),
      C2G_ARG_DATA_TYPE (State, data_type, "dtype", C2G_DATA_TYPE_FLOAT),
      C2G_ARG_INTS (State, axes, n_axes, "axes", C2G_AT_LEAST (0)),
      C2G_ARG_FLOATS (State, sizes, n_sizes, "sizes", C2G_RANGE (C2G_ABOVE_0, 10)),
      C2G_ARG_INT (State, pad_t, "pad_t", 3, C2G_AT_LEAST (0), C2G_ELSE ("pad")),
      C2G_ARG_FLOAT (State, step_h, "step_h", 0, C2G_ELSE ("step")),
      C2G_ARG_READ ("pad step"),
      C2G_ARG_INT (State, needed, "needed", 0, C2G_REQUIRED),
      C2G_ARG_PART (State, part, part_arguments),
      C2G_ARG_IGNORED ("quiet silent"),
      C2G_ARG_REFUSED ("other=0 share=0.9 kind=")),
    .state_size = sizeof (State),
    .run = run,
  },
};

static C2gOperator *
create (const char  *arguments,
        GError     **error)
{
  g_autofree char *text = g_strdup_printf ("type: 'TestArguments' %s", arguments);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) text_error = NULL;
  g_autoptr (C2gOperatorDef) def = c2g_operator_def_new_from_text (text, &text_error);

  g_assert_no_error (text_error);
  return c2g_operator_create (def, workspace, error);
}

#define NEEDED "arg { name: 'needed' i: 5 } "

static void
test_defaults (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = create (NEEDED, &error);
  const State *state;

  g_assert_no_error (error);
  state = c2g_operator_get_private (op)->state;
  g_assert_true (state->flag);
  g_assert_cmpint (state->count, ==, 2);
  g_assert_cmpint (state->large, ==, -1);
  g_assert_cmpint (state->k, ==, 1);
  g_assert_cmpfloat (state->ratio, ==, 0.5f);
  g_assert_cmpfloat (state->offset, ==, 0.25);
  g_assert_cmpfloat (state->above, ==, 2);
  g_assert_cmpstr (state->text, ==, "none");
  g_assert_cmpuint (state->choice, ==, 0);
  g_assert_false (state->is_last);
  g_assert_cmpint (state->data_type, ==, C2G_DATA_TYPE_FLOAT);
  g_assert_cmpuint (state->n_axes, ==, 0);
  g_assert_cmpuint (state->n_sizes, ==, 0);
  g_assert_cmpint (state->pad_t, ==, 3);
  g_assert_cmpfloat (state->step_h, ==, 0);
  g_assert_cmpint (state->needed, ==, 5);
  g_assert_cmpint (state->part.n, ==, 7);
}

static void
test_values (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op =
    create (NEEDED "arg { name: 'flag' i: 0 } arg { name: 'count' i: 4 } "
                   "arg { name: 'large' i: 9223372036854775807 } arg { name: 'k' i: 2147483647 } "
                   "arg { name: 'ratio' f: 0.0 } arg { name: 'offset' f: -1.5 } "
                   "arg { name: 'text' s: '' } arg { name: 'choice' s: 'three' } "
                   "arg { name: 'order' s: 'NHWC' } arg { name: 'dtype' s: 'INT64' } "
                   "arg { name: 'axes' ints: 0 ints: 2 } arg { name: 'sizes' floats: 10.0 } "
                   "arg { name: 'pad' i: 1 } arg { name: 'step' f: 2.0 } "
                   "arg { name: 'part_n' i: -3 }",
            &error);
  const State *state;

  g_assert_no_error (error);
  state = c2g_operator_get_private (op)->state;
  g_assert_false (state->flag);
  g_assert_cmpint (state->count, ==, 4);
  g_assert_cmpint (state->large, ==, G_MAXINT64);
  g_assert_cmpint (state->k, ==, G_MAXINT32);
  g_assert_cmpfloat (state->ratio, ==, 0);
  g_assert_cmpfloat (state->offset, ==, -1.5);
  g_assert_cmpstr (state->text, ==, "");
  g_assert_cmpuint (state->choice, ==, 2);
  g_assert_true (state->is_last);
  g_assert_cmpint (state->data_type, ==, C2G_DATA_TYPE_INT64);
  g_assert_cmpuint (state->n_axes, ==, 2);
  g_assert_cmpint (state->axes[1], ==, 2);
  g_assert_cmpuint (state->n_sizes, ==, 1);
  g_assert_cmpfloat (state->sizes[0], ==, 10);
  g_assert_cmpint (state->pad_t, ==, 1);
  g_assert_cmpfloat (state->step_h, ==, 2);
  g_assert_cmpint (state->part.n, ==, -3);
}

typedef struct
{
  const char  *path;
  const char  *arguments;
  C2gError    code;
  /* A text that the error contains; NULL if there is no error. */
  const char  *named;
} Case;

static const Case cases[] = {
  { "required", "", C2G_ERROR_INVALID_ARGUMENT, "The argument “needed” is missing" },
  { "int-is-float", NEEDED "arg { name: 'count' f: 1.0 }", C2G_ERROR_TYPE, "“count”" },
  { "float-is-int", NEEDED "arg { name: 'ratio' i: 0 }", C2G_ERROR_TYPE, "“ratio”" },
  { "boolean-is-string", NEEDED "arg { name: 'flag' s: '1' }", C2G_ERROR_TYPE, "“flag”" },
  { "string-is-int", NEEDED "arg { name: 'text' i: 1 }", C2G_ERROR_TYPE, "“text”" },
  { "string-is-bytes", NEEDED "arg { name: 'text' s: '\\377' }", C2G_ERROR_TYPE, "“text”" },
  { "choice-is-int", NEEDED "arg { name: 'choice' i: 1 }", C2G_ERROR_TYPE, "“choice”" },
  { "ints-is-int", NEEDED "arg { name: 'axes' i: 1 }", C2G_ERROR_TYPE, "“axes”" },
  { "floats-is-ints", NEEDED "arg { name: 'sizes' ints: 1 }", C2G_ERROR_TYPE, "“sizes”" },
  { "part-is-string", NEEDED "arg { name: 'part_n' s: '1' }", C2G_ERROR_TYPE, "“part_n”" },
  { "int-too-small", NEEDED "arg { name: 'count' i: 0 }", C2G_ERROR_RANGE, "“count” is 0" },
  { "int-smallest", NEEDED "arg { name: 'count' i: 1 }", 0, NULL },
  { "int-too-large", NEEDED "arg { name: 'count' i: 5 }", C2G_ERROR_RANGE,
    "“count” is 5, expected one from 1 to 4" },
  { "int-of-64-bits", NEEDED "arg { name: 'k' i: 4294967296 }", C2G_ERROR_RANGE, "4294967296" },
  { "int-is-invalid", NEEDED "arg { name: 'k' i: 0 }", C2G_ERROR_INVALID_ARGUMENT, "“k” is 0" },
  { "large-too-small", NEEDED "arg { name: 'large' i: -2 }", C2G_ERROR_RANGE,
    "“large” is -2, expected at least -1" },
  { "float-too-small", NEEDED "arg { name: 'ratio' f: -0.1 }", C2G_ERROR_RANGE, "“ratio” is -0.1" },
  { "float-too-large", NEEDED "arg { name: 'ratio' f: 1.0 }", C2G_ERROR_RANGE,
    "“ratio” is 1, expected one from 0 to 0.99999994" },
  { "float-largest", NEEDED "arg { name: 'ratio' f: 0.99999994 }", 0, NULL },
  { "float-at-open-end", NEEDED "arg { name: 'above' f: 1.0 }", C2G_ERROR_RANGE,
    "“above” is 1, expected more than 1" },
  { "float-above-open-end", NEEDED "arg { name: 'above' f: 1.0000001 }", 0, NULL },
  { "float-infinite", NEEDED "arg { name: 'above' f: inf }", 0, NULL },
  { "float-nan", NEEDED "arg { name: 'ratio' f: nan }", C2G_ERROR_RANGE, "“ratio” is nan" },
  { "float-nan-without-range", NEEDED "arg { name: 'offset' f: nan }", 0, NULL },
  { "word", NEEDED "arg { name: 'choice' s: 'four' }", C2G_ERROR_INVALID_ARGUMENT,
    "The argument “choice” is “four”, expected one or two or three" },
  { "word-begin", NEEDED "arg { name: 'choice' s: 'thre' }", C2G_ERROR_INVALID_ARGUMENT, "“thre”" },
  { "word-empty", NEEDED "arg { name: 'choice' s: '' }", C2G_ERROR_INVALID_ARGUMENT, "“”" },
  { "data-type-number", NEEDED "arg { name: 'dtype' i: 999 }", C2G_ERROR_TYPE, "“dtype” is 999" },
  { "data-type-name", NEEDED "arg { name: 'dtype' s: 'quaternion' }", C2G_ERROR_NOT_FOUND, "quaternion" },
  { "ints-too-small", NEEDED "arg { name: 'axes' ints: 1 ints: -1 }", C2G_ERROR_RANGE, "“axes” is -1" },
  { "floats-zero", NEEDED "arg { name: 'sizes' floats: 1.0 floats: 0.0 }", C2G_ERROR_RANGE, "“sizes”" },
  { "floats-too-large", NEEDED "arg { name: 'sizes' floats: 10.5 }", C2G_ERROR_RANGE, "10.5" },
  { "floats-nan", NEEDED "arg { name: 'sizes' floats: nan }", C2G_ERROR_RANGE, "nan" },
  { "else", NEEDED "arg { name: 'pad' i: -1 }", C2G_ERROR_RANGE, "“pad” is -1" },
  { "else-unused", NEEDED "arg { name: 'pad' i: -1 } arg { name: 'pad_t' i: 0 }", 0, NULL },
  { "else-of-other-kind", NEEDED "arg { name: 'pad' s: 'x' } arg { name: 'pad_t' i: 0 }", C2G_ERROR_TYPE,
    "“pad”" },
  { "else-of-64-bits", NEEDED "arg { name: 'pad' i: 99999999999 } arg { name: 'pad_t' i: 0 }",
    C2G_ERROR_RANGE, "“pad” is 99999999999" },
  { "data-type-twice", NEEDED "arg { name: 'dtype' i: 1 s: 'quaternion' }", C2G_ERROR_NOT_FOUND,
    "quaternion" },
  { "large-limit", NEEDED "arg { name: 'limited' i: 2305843009213693952 }", 0, NULL },
  { "large-above-limit", NEEDED "arg { name: 'limited' i: 2305843009213693953 }", C2G_ERROR_RANGE,
    "2305843009213693953, expected at most 2305843009213693952" },
  { "large-least", NEEDED "arg { name: 'limited' i: -9223372036854775808 }", 0, NULL },
  { "first-error", NEEDED "arg { name: 'ratio' f: 2.0 } arg { name: 'count' i: 9 }", C2G_ERROR_RANGE,
    "“count” is 9" },
  { "ignored", NEEDED "arg { name: 'silent' s: 'x' }", 0, NULL },
  { "refused", NEEDED "arg { name: 'other' i: 1 }", C2G_ERROR_NOT_SUPPORTED, "“other”" },
  { "refused-by-default", NEEDED "arg { name: 'other' i: 0 }", 0, NULL },
  { "refused-as-float", NEEDED "arg { name: 'share' f: 0.9 }", 0, NULL },
  { "refused-as-begin", NEEDED "arg { name: 'share' i: 0 }", C2G_ERROR_NOT_SUPPORTED,
    "must be “0.9”" },
  { "refused-as-text", NEEDED "arg { name: 'kind' s: '' }", 0, NULL },
  { "refused-as-nothing", NEEDED "arg { name: 'kind' i: 0 }", C2G_ERROR_NOT_SUPPORTED, "“kind”" },
};

static void
test_case (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = create (test->arguments, &error);

  if (test->named == NULL)
    {
      g_assert_no_error (error);
      g_assert_nonnull (op);
      return;
    }
  g_assert_null (op);
  g_assert_error (error, C2G_ERROR, (int) test->code);
  g_assert_nonnull (strstr (error->message, test->named));
}

/* The schema says what the rows say. */
static void
test_schema (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_lookup ("TestArguments", &error);
  g_auto (GStrv) read = NULL;
  g_auto (GStrv) ignored = NULL;
  g_auto (GStrv) refused = NULL;
  g_autofree char *required = NULL;
  g_autofree char *ignored_list = NULL;

  g_assert_no_error (error);
  required = g_strjoinv (" ", (char **) c2g_operator_schema_get_required_arguments (schema));
  g_assert_cmpstr (required, ==, "needed");
  read = c2g_operator_schema_list_arguments (schema, C2G_ARGUMENT_USE_READ);
  g_assert_cmpuint (g_strv_length (read), ==, 20);
  g_assert_true (g_strv_contains ((const char *const *) read, "part_n"));
  g_assert_true (g_strv_contains ((const char *const *) read, "step"));
  ignored = c2g_operator_schema_list_arguments (schema, C2G_ARGUMENT_USE_IGNORED);
  ignored_list = g_strjoinv (" ", ignored);
  g_assert_cmpstr (ignored_list, ==, "quiet silent");
  refused = c2g_operator_schema_list_arguments (schema, C2G_ARGUMENT_USE_REFUSED);
  g_assert_cmpuint (g_strv_length (refused), ==, 3);
  g_assert_cmpstr (refused[0], ==, "other");
}

int
main (int argc, char *argv[])
{
  g_auto (GStrv) types = NULL;

  g_test_init (&argc, &argv, NULL);
  /* The library registers its own kernels first. */
  types = c2g_operator_list_types ();
  c2g_kernels_register (kernels, G_N_ELEMENTS (kernels));

  g_test_add_func ("/kernel-arguments/defaults", test_defaults);
  g_test_add_func ("/kernel-arguments/values", test_values);
  g_test_add_func ("/kernel-arguments/schema", test_schema);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/kernel-arguments/case/%s", cases[i].path);

      g_test_add_data_func (path, &cases[i], test_case);
    }

  return g_test_run ();
}
