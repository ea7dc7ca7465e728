/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <c2g/net/operator/c2g-operator-private.h>

#include <string.h>

/* Every argument that Caffe2 knows must be read, ignored or refused on purpose. None may be dropped
 * without a decision. */

/* The last message that the library logged, and the number of messages. */
static char *last_message;
static guint n_messages;

static GLogWriterOutput
keep_message (GLogLevelFlags   level,
              const GLogField *fields,
              gsize            n_fields,
              gpointer         user_data)
{
  const char *domain = "";
  const char *text = "";

  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, "GLIB_DOMAIN"))
      domain = fields[i].value;
    else if (g_str_equal (fields[i].key, "MESSAGE"))
      text = fields[i].value;
  if (!g_str_equal (domain, "C2g") || (level & G_LOG_LEVEL_ERROR) != 0)
    return g_log_writer_default (level, fields, n_fields, user_data);

  n_messages++;
  g_free (last_message);
  last_message = g_strdup (text);
  return G_LOG_WRITER_HANDLED;
}

/* Maps each type to the names of Caffe2's arguments; "*" is for every type. */
static GHashTable *
read_facts (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "ops", "caffe2-arguments.txt", NULL);
  g_autoptr (GHashTable) facts = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_strfreev);
  lines = g_strsplit (text, "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++)
    {
      char *colon = strstr (lines[i], ": ");

      if (lines[i][0] == '#' || colon == NULL)
        continue;
      g_hash_table_insert (facts, g_strndup (lines[i], colon - lines[i]),
                           g_strsplit (colon + 2, " ", -1));
    }

  return g_steal_pointer (&facts);
}

static void
check_decided (const char              *op_type,
               const C2gKernelArgument *known,
               char                   **names)
{
  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    {
      C2gArgumentUse use;

      if (!c2g_kernel_arguments_find (known, names[i], &use))
        g_error ("%s: nothing says what becomes of the argument %s", op_type, names[i]);
    }
}

/* An argument in the library's table but not in Caffe2's list means that one of them is wrong. */
static void
check_in_facts (const char  *op_type,
                char       **names,
                char       **facts)
{
  for (gsize i = 0; names[i] != NULL; i++)
    if (facts == NULL || !g_strv_contains ((const char * const *) facts, names[i]))
      g_error ("%s: Caffe2 has no argument %s", op_type, names[i]);
}

static void
test_decided (void)
{
  g_autoptr (GHashTable) facts = read_facts ();
  g_auto (GStrv) types = c2g_operator_list_types ();

  g_assert_cmpuint (g_strv_length (types), >, 300);
  g_assert_cmpuint (g_hash_table_size (facts), >, 150);
  for (gsize i = 0; types[i] != NULL; i++)
    {
      const C2gKernelArgument *known = c2g_operator_registry_find_known (types[i]);
      char **own = g_hash_table_lookup (facts, types[i]);
      g_auto (GStrv) ignored = NULL;
      g_auto (GStrv) refused = NULL;

      if (known == NULL)
        g_error ("%s has no row in the table of arguments", types[i]);
      check_decided (types[i], known, own);
      check_decided (types[i], known, g_hash_table_lookup (facts, "*"));
      ignored = c2g_kernel_arguments_list (known, C2G_ARGUMENT_USE_IGNORED);
      refused = c2g_kernel_arguments_list (known, C2G_ARGUMENT_USE_REFUSED);
      check_in_facts (types[i], ignored, own);
      check_in_facts (types[i], refused, own);
    }
}

static C2gOperator *
create (const char  *text,
        GError     **error)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) text_error = NULL;
  g_autoptr (C2gOperatorDef) def = c2g_operator_def_new_from_text (text, &text_error);
  const char * const *inputs;

  g_assert_no_error (text_error);
  inputs = c2g_operator_def_get_inputs (def);
  for (gsize i = 0; inputs[i] != NULL; i++)
    g_object_unref (c2g_workspace_create_blob (workspace, inputs[i], NULL));
  return c2g_operator_create (def, workspace, error);
}

typedef struct
{
  const char *path;
  const char *def;
  /* A text that the error contains; NULL if there is no error. */
  const char *named;
} Refusal;

#define CONV "type: 'Conv' input: 'x' input: 'w' output: 'y' arg { name: 'kernel' i: 1 } "
#define PAD "type: 'PadImage' input: 'x' output: 'y' arg { name: 'pad' i: 1 } "
#define SAVE "type: 'Save' input: 'x' arg { name: 'db' s: 'f' } arg { name: 'db_type' s: 'minidb' } "
#define ADAGRAD                                                                                 \
  "type: 'RowWiseSparseAdagrad' input: 'w' input: 'h' input: 'i' input: 'g' input: 'r' output: 'w' " \
  "output: 'h' "

static const Refusal refusals[] = {
  { "refused", CONV "arg { name: 'activation' s: 'Relu' }", "Conv: The argument “activation”" },
  { "text-by-default", CONV "arg { name: 'activation' s: 'identity' }", NULL },
  { "text-that-begins-so", CONV "arg { name: 'activation' s: 'identit' }", "“activation”" },
  { "integer", PAD "arg { name: 'global_pooling' i: 1 }", "“global_pooling”" },
  { "integer-by-default", PAD "arg { name: 'global_pooling' i: 0 }", NULL },
  { "second-of-a-row", PAD "arg { name: 'legacy_pad' i: 3 }", "“legacy_pad”" },
  { "other-kind", PAD "arg { name: 'legacy_pad' ints: [0] }", "“legacy_pad”" },
  { "number", ADAGRAD "arg { name: 'counter_halflife' i: 10 }", "“counter_halflife”" },
  { "number-by-default", ADAGRAD "arg { name: 'counter_halflife' i: -1 }", NULL },
  { "empty-by-default", SAVE "arg { name: 'db_options' s: '' }", NULL },
  { "empty-by-default-set", SAVE "arg { name: 'db_options' s: 'x' }", "“db_options”" },
  { "ignored", CONV "arg { name: 'exhaustive_search' i: 1 } arg { name: 'shared_buffer' i: 1 }", NULL },
};

static void
test_refusal (gconstpointer data)
{
  const Refusal *test = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = NULL;

  n_messages = 0;
  op = create (test->def, &error);
  g_assert_cmpuint (n_messages, ==, 0);
  if (test->named == NULL)
    {
      g_assert_no_error (error);
      g_assert_nonnull (op);
      return;
    }
  g_assert_null (op);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, test->named));
}

/* The error names the operator and its position. */
static void
test_net (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) net = NULL;

  net = c2g_net_def_new_from_text ("name: 'net' op { " CONV "arg { name: 'activation' s: 'Relu' } }",
                                   &error);
  g_assert_no_error (error);
  g_object_unref (c2g_workspace_create_blob (workspace, "x", NULL));
  g_object_unref (c2g_workspace_create_blob (workspace, "w", NULL));
  g_assert_null (c2g_workspace_create_net (workspace, net, FALSE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "Net “net”, operator 0: Conv: "));
}

/* An unknown argument is logged once, and is no error. */
static void
test_unknown (void)
{
  const char *text = "type: 'Relu' input: 'x' output: 'y' arg { name: 'kernal' i: 1 }";
  g_autoptr (GError) error = NULL;

  n_messages = 0;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gOperator) op = create (text, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (n_messages, ==, 1);
    }
  g_assert_nonnull (strstr (last_message, "Relu: The argument “kernal”"));
}

/* The number of log messages is limited, so that a model cannot fill the log. */
static void
test_many_unknown (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperatorDef) def = c2g_operator_def_new ("CreateMutex");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = NULL;

  c2g_operator_def_set_outputs (def, (const char *[]) { "mutex", NULL });
  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *name = g_strdup_printf ("note%u", i);

      c2g_operator_def_set_int (def, name, 1);
    }
  n_messages = 0;
  op = c2g_operator_create (def, workspace, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_messages, >, 50);
  g_assert_cmpuint (n_messages, <=, 100);
}

/* A kernel that reads an argument missing from its rows fails in every test that creates it. */
static void
test_undeclared (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = create ("type: 'Relu' input: 'x' output: 'y'", &error);
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  g_assert_no_error (error);
  n_messages = 0;
  g_assert_cmpint (c2g_arguments_int (&arguments, "undeclared", 7), ==, 7);
  g_assert_cmpuint (n_messages, ==, 1);
  g_assert_nonnull (strstr (last_message, "“undeclared”"));
  /* Operator classes of programs may read any argument. */
  g_assert_cmpint (c2g_operator_get_int (op, "undeclared", 7, &error), ==, 7);
  g_assert_cmpuint (n_messages, ==, 1);
}

int
main (int argc, char *argv[])
{
  int result;

  g_test_init (&argc, &argv, NULL);
  g_log_set_writer_func (keep_message, NULL, NULL);

  g_test_add_func ("/arguments/decided", test_decided);
  for (gsize i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autofree char *path = g_strdup_printf ("/arguments/refusal/%s", refusals[i].path);

      g_test_add_data_func (path, &refusals[i], test_refusal);
    }
  g_test_add_func ("/arguments/net", test_net);
  g_test_add_func ("/arguments/unknown", test_unknown);
  g_test_add_func ("/arguments/many-unknown", test_many_unknown);
  g_test_add_func ("/arguments/undeclared", test_undeclared);

  result = g_test_run ();
  g_clear_pointer (&last_message, g_free);
  return result;
}
