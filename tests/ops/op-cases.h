/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/ops/count-allocations.h"
#include "tests/test-utils.h"

#include <c2g/net/operator/c2g-operator-private.h>

#include <string.h>

/* Tables of operators that fail, and of operators that allocate nothing in their second run. An
 * operator is written as text, after the operators that make its inputs. */

#define FLOATS(output, shape)                                                               \
  "op { type: 'ConstantFill' output: '" output "' arg { name: 'shape' ints: [" shape "] } " \
  "arg { name: 'value' f: 1 } } "
#define VALUES(output, shape, values)                                                          \
  "op { type: 'GivenTensorFill' output: '" output "' arg { name: 'shape' ints: [" shape "] } " \
  "arg { name: 'values' floats: [" values "] } } "
#define INDICES(output, shape, values)                                                            \
  "op { type: 'GivenTensorIntFill' output: '" output "' arg { name: 'shape' ints: [" shape "] } " \
  "arg { name: 'values' ints: [" values "] } } "
#define LONG_INDICES(output, shape, values)                                                         \
  "op { type: 'GivenTensorInt64Fill' output: '" output "' arg { name: 'shape' ints: [" shape "] } " \
  "arg { name: 'values' ints: [" values "] } } "
#define TRUTHS(output, shape, values)                                                              \
  "op { type: 'GivenTensorBoolFill' output: '" output "' arg { name: 'shape' ints: [" shape "] } " \
  "arg { name: 'values' ints: [" values "] } } "
#define STRINGS(output, shape, values)                                                               \
  "op { type: 'GivenTensorStringFill' output: '" output "' arg { name: 'shape' ints: [" shape "] } " \
  "arg { name: 'values' strings: [" values "] } } "

typedef struct
{
  const char *path;
  const char *inputs;
  const char *op;
  int code;
  const char *named;
} OpFailure;

typedef struct
{
  const char *inputs;
  const char *op;
} OpRepeated;

/* Creates the operator, after running those that make its inputs. */
static C2gOperator *
op_case_new_last (C2gWorkspace *workspace,
                  const char *inputs,
                  const char *last,
                  GError **error)
{
  g_autofree char *text = g_strdup_printf ("%s op { %s }", inputs, last);
  g_autoptr (GError) text_error = NULL;
  g_autoptr (C2gNetDef) net = c2g_net_def_new_from_text (text, &text_error);
  gsize n;

  g_assert_no_error (text_error);
  n = c2g_net_def_get_n_operators (net);
  for (gsize i = 0; i + 1 < n; i++)
    {
      g_autoptr (C2gOperator) op =
          c2g_operator_create (c2g_net_def_get_operator (net, i), workspace, &text_error);

      g_assert_no_error (text_error);
      g_assert_true (c2g_operator_run (op, &text_error));
      g_assert_no_error (text_error);
    }
  return c2g_operator_create (c2g_net_def_get_operator (net, n - 1), workspace, error);
}

static void
op_case_test_failure (gconstpointer data)
{
  const OpFailure *failure = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) empty = c2g_workspace_create_blob (workspace, "empty", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op =
      op_case_new_last (workspace, failure->inputs, failure->op, &error);

  if (op != NULL)
    g_assert_false (c2g_operator_run (op, &error));
  g_assert_error (error, C2G_ERROR, failure->code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, failure->named));
}

static void
op_case_add_failures (const char *prefix,
                      const OpFailure *failures,
                      gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *path = g_strconcat (prefix, failures[i].path, NULL);

      g_test_add_data_func (path, &failures[i], op_case_test_failure);
    }
}

static void
op_case_check_repeated (const OpRepeated *repeated,
                        gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gOperator) op =
          op_case_new_last (workspace, repeated[i].inputs, repeated[i].op, &error);
      int before;

      g_assert_no_error (error);
      g_test_message ("%s", c2g_operator_get_op_type (op));
      g_assert_true (c2g_operator_run (op, &error));
      g_assert_no_error (error);
      before = n_allocations;
      g_assert_true (c2g_operator_run (op, &error));
      g_assert_cmpint (n_allocations, ==, before);
    }
}

/* The end of a test whose cases are the arrays FAILURES and REPEATED. */
#define OP_CASES_MAIN(name)                                                                        \
  static void                                                                                      \
  test_repeated (void)                                                                             \
  {                                                                                                \
    op_case_check_repeated (repeated, G_N_ELEMENTS (repeated));                                    \
  }                                                                                                \
                                                                                                   \
  int                                                                                              \
  main (int argc,                                                                                  \
        char **argv)                                                                               \
  {                                                                                                \
    g_test_init (&argc, &argv, NULL);                                                              \
                                                                                                   \
    op_case_add_failures ("/" name "/failure/", failures, G_N_ELEMENTS (failures));                \
    c2g_test_add_func ("/" name "/repeated", test_repeated);                                       \
                                                                                                   \
    return c2g_test_run ();                                                                        \
  }
