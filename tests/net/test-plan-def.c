/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "def-utils.h"

#include <c2g/def/c2g-plan-def.h>

/* A plan and steps with all fields. */
static const char full_text[] =
  "name: \"plan\"\n"
  "network {\n"
  "  name: \"init\"\n"
  "}\n"
  "network {\n"
  "  name: \"train\"\n"
  "  op {\n"
  "    type: \"Relu\"\n"
  "  }\n"
  "}\n"
  "execution_step {\n"
  "  name: \"outer\"\n"
  "  substep {\n"
  "    name: \"inner\"\n"
  "    network: \"train\"\n"
  "    network: \"init\"\n"
  "    num_iter: 10\n"
  "    100: 1\n"
  "  }\n"
  "  substep {\n"
  "    run_every_ms: 200\n"
  "  }\n"
  "  num_iter: 0\n"
  "  criteria_network: \"c\"\n"
  "  concurrent_substeps: true\n"
  "  report_net: \"r\"\n"
  "  report_interval: 5\n"
  "  should_stop_blob: \"stop\"\n"
  "  only_once: true\n"
  "  run_every_ms: 0\n"
  "  create_workspace: true\n"
  "  num_concurrent_instances: 3\n"
  "}\n"
  "execution_step {\n"
  "}\n"
  "101: \"x\"\n";

static C2gPlanDef *
from_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gPlanDef *plan = c2g_plan_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return plan;
}

static void
test_step_new (void)
{
  g_autoptr (C2gExecutionStep) step = c2g_execution_step_new ("s");
  g_autofree char *text = c2g_execution_step_to_text (step);

  g_assert_cmpstr (c2g_execution_step_get_name (step), ==, "s");
  g_assert_null (c2g_execution_step_get_criteria_network (step));
  g_assert_null (c2g_execution_step_get_report_net (step));
  g_assert_null (c2g_execution_step_get_should_stop_blob (step));
  g_assert_cmpint (c2g_execution_step_get_n_iterations (step), ==, -1);
  g_assert_cmpint (c2g_execution_step_get_report_interval (step), ==, 0);
  g_assert_cmpint (c2g_execution_step_get_run_every_ms (step), ==, 0);
  g_assert_cmpint (c2g_execution_step_get_n_concurrent_instances (step), ==, 0);
  g_assert_false (c2g_execution_step_get_concurrent_substeps (step));
  g_assert_false (c2g_execution_step_get_only_once (step));
  g_assert_false (c2g_execution_step_get_create_workspace (step));
  g_assert_null (c2g_execution_step_get_networks (step)[0]);
  g_assert_cmpuint (c2g_execution_step_get_n_substeps (step), ==, 0);
  g_assert_cmpstr (text, ==, "name: \"s\"\n");
}

static void
test_step_properties (void)
{
  static const char *const networks[] = { "a", "b", NULL };
  static const struct
  {
    const char *name;
    const char *text;
  } cases[] = {
    { "name", "name: \"x\"\n" },
    { "criteria-network", "criteria_network: \"x\"\n" },
    { "report-net", "report_net: \"x\"\n" },
    { "should-stop-blob", "should_stop_blob: \"x\"\n" },
    { "n-iterations", "num_iter: 0\n" },
    { "report-interval", "report_interval: 7\n" },
    { "run-every-ms", "run_every_ms: 7\n" },
    { "n-concurrent-instances", "num_concurrent_instances: 7\n" },
    { "concurrent-substeps", "concurrent_substeps: true\n" },
    { "only-once", "only_once: true\n" },
    { "create-workspace", "create_workspace: true\n" },
    { "networks", "network: \"a\"\nnetwork: \"b\"\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gExecutionStep) step = c2g_execution_step_new (NULL);
      g_autoptr (C2gExecutionStep) empty = c2g_execution_step_new (NULL);
      g_autoptr (C2gExecutionStep) copy = NULL;
      g_autofree char *signal_name = g_strdup_printf ("notify::%s", cases[i].name);
      g_autofree char *text = NULL;
      int count = 0;

      g_signal_connect (step, signal_name, G_CALLBACK (def_count_cb), &count);
      for (guint j = 0; j < 2; j++)
        if (i < 4)
          g_object_set (step, cases[i].name, "x", NULL);
        else if (i == 4)
          g_object_set (step, cases[i].name, G_GINT64_CONSTANT (0), NULL);
        else if (i == 6)
          g_object_set (step, cases[i].name, G_GINT64_CONSTANT (7), NULL);
        else if (i < 8)
          g_object_set (step, cases[i].name, 7, NULL);
        else if (i < 11)
          g_object_set (step, cases[i].name, TRUE, NULL);
        else
          g_object_set (step, cases[i].name, networks, NULL);

      g_assert_cmpint (count, ==, 1);
      text = c2g_execution_step_to_text (step);
      g_assert_cmpstr (text, ==, cases[i].text);
      copy = c2g_execution_step_copy (step);
      g_assert_true (c2g_execution_step_equal (step, copy));
      g_assert_false (c2g_execution_step_equal (step, empty));
    }
}

static void
test_step_get (void)
{
  g_autoptr (C2gPlanDef) plan = from_text (full_text);
  C2gExecutionStep *step = c2g_plan_def_get_step (plan, 0);
  C2gExecutionStep *substep = c2g_execution_step_get_substep (step, 0);
  gint64 n_iterations;
  gint64 run_every_ms;
  int report_interval;
  int n_instances;
  gboolean truths[3];
  g_autofree char *name = NULL;
  g_auto (GStrv) networks = NULL;

  g_object_get (step, "name", &name, "n-iterations", &n_iterations, "run-every-ms", &run_every_ms,
                "report-interval", &report_interval, "n-concurrent-instances", &n_instances,
                "only-once", &truths[0], "create-workspace", &truths[1], "concurrent-substeps",
                &truths[2], NULL);
  g_assert_cmpstr (name, ==, "outer");
  g_assert_cmpint (n_iterations, ==, 0);
  g_assert_cmpint (run_every_ms, ==, 0);
  g_assert_cmpint (report_interval, ==, 5);
  g_assert_cmpint (n_instances, ==, 3);
  g_assert_true (truths[0] && truths[1] && truths[2]);

  g_object_get (substep, "networks", &networks, NULL);
  def_assert_names (networks, "train", "init");
  g_assert_cmpint (c2g_execution_step_get_n_iterations (substep), ==, 10);
  g_assert_cmpint (c2g_execution_step_get_run_every_ms (c2g_execution_step_get_substep (step, 1)),
                   ==, 200);
}

static void
test_step_substeps (void)
{
  g_autoptr (C2gExecutionStep) step = c2g_execution_step_new ("s");
  C2gExecutionStep *first = c2g_execution_step_new ("first");
  g_autoptr (C2gExecutionStep) second = c2g_execution_step_new ("second");

  c2g_execution_step_add_network (second, "n");
  g_assert_true (c2g_execution_step_add_substep (step, first, NULL));
  g_assert_true (c2g_execution_step_add_substep (step, second, NULL));
  /* A substep may be added twice. */
  g_assert_true (c2g_execution_step_add_substep (step, second, NULL));
  g_assert_cmpuint (c2g_execution_step_get_n_substeps (step), ==, 3);
  g_assert_true (c2g_execution_step_get_substep (step, 0) == first);
  g_assert_true (c2g_execution_step_remove_substep (step, 0));
  g_assert_finalize_object (first);
  g_assert_true (c2g_execution_step_get_substep (step, 1) == second);
  g_assert_null (c2g_execution_step_get_substep (step, 2));
  g_assert_null (c2g_execution_step_get_substep (step, G_MAXUINT));
  g_assert_false (c2g_execution_step_remove_substep (step, 2));
}

static void
test_step_cycle (void)
{
  g_autoptr (C2gExecutionStep) outer = c2g_execution_step_new ("outer");
  g_autoptr (C2gExecutionStep) inner = c2g_execution_step_new ("inner");

  g_assert_true (c2g_execution_step_add_substep (outer, inner, NULL));
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (c2g_execution_step_add_substep (inner, i == 0 ? outer : inner, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
    }
  g_assert_cmpuint (c2g_execution_step_get_n_substeps (inner), ==, 0);
}

static void
test_plan (void)
{
  g_autoptr (C2gPlanDef) plan = c2g_plan_def_new ("plan");
  C2gNetDef *net = c2g_net_def_new ("net");
  C2gExecutionStep *step = c2g_execution_step_new ("step");
  g_autofree char *name = NULL;
  int count = 0;

  g_signal_connect (plan, "notify::name", G_CALLBACK (def_count_cb), &count);
  c2g_plan_def_set_name (plan, "plan");
  g_object_set (plan, "name", "other", NULL);
  g_assert_cmpint (count, ==, 1);
  g_object_get (plan, "name", &name, NULL);
  g_assert_cmpstr (name, ==, "other");

  g_assert_null (c2g_plan_def_find_net (plan, "net"));
  c2g_plan_def_add_net (plan, net);
  c2g_plan_def_add_step (plan, step);
  g_assert_cmpuint (c2g_plan_def_get_n_nets (plan), ==, 1);
  g_assert_cmpuint (c2g_plan_def_get_n_steps (plan), ==, 1);
  g_assert_true (c2g_plan_def_get_net (plan, 0) == net);
  g_assert_true (c2g_plan_def_find_net (plan, "net") == net);
  g_assert_true (c2g_plan_def_get_step (plan, 0) == step);
  g_assert_null (c2g_plan_def_get_net (plan, 1));
  g_assert_null (c2g_plan_def_get_step (plan, G_MAXUINT));
  g_assert_false (c2g_plan_def_remove_net (plan, G_MAXUINT));
  g_assert_false (c2g_plan_def_remove_step (plan, 1));
  g_assert_true (c2g_plan_def_remove_net (plan, 0));
  g_assert_true (c2g_plan_def_remove_step (plan, 0));
  g_assert_finalize_object (net);
  g_assert_finalize_object (step);
}

static void
check_plan (C2gPlanDef *plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = c2g_plan_def_to_bytes (plan, &error);
  g_autofree char *text = c2g_plan_def_to_text (plan);
  g_autoptr (C2gPlanDef) back = NULL;
  g_autoptr (C2gPlanDef) text_back = NULL;
  g_autoptr (C2gPlanDef) copy = c2g_plan_def_copy (plan);

  g_assert_no_error (error);
  back = c2g_plan_def_new_from_bytes (bytes, &error);
  g_assert_no_error (error);
  text_back = c2g_plan_def_new_from_text (text, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_plan_def_equal (plan, back));
  g_assert_true (c2g_plan_def_equal (plan, text_back));
  g_assert_true (c2g_plan_def_equal (plan, copy));
}

static void
test_text (void)
{
  g_autoptr (C2gPlanDef) plan = from_text (full_text);
  g_autofree char *text = c2g_plan_def_to_text (plan);

  g_assert_cmpstr (text, ==, full_text);
  check_plan (plan);
}

static void
test_equal (void)
{
  static const char *const texts[][2] = {
    { "", "name: ''" },
    { "name: 'a'", "name: 'a'" },
    { "network { }", "network { name: '' }" },
    { "network { name: 'a' }", "network { name: 'a' }" },
    { "execution_step { }", "execution_step { name: '' only_once: false run_every_ms: 0 }" },
    { "execution_step { num_iter: 0 }", "execution_step { num_iter: 0 }" },
    { "execution_step { num_iter: 1 }", "execution_step { num_iter: 1 }" },
    { "execution_step { substep { } }", "execution_step { substep { } }" },
    { "execution_step { network: 'a' }", "execution_step { network: 'a' }" },
    { "execution_step { 100: 1 }", "execution_step { 100: 1 }" },
    { "100: 1", "100: 1" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (texts); j++)
      {
        g_autoptr (C2gPlanDef) plan = from_text (texts[i][0]);
        g_autoptr (C2gPlanDef) other = from_text (texts[j][1]);

        g_assert_cmpint (c2g_plan_def_equal (plan, other), ==, i == j);
      }
}

/* A number that was set and unset equals one that was never set. */
static void
test_equal_unset (void)
{
  g_autoptr (C2gExecutionStep) step = c2g_execution_step_new ("a");
  g_autoptr (C2gExecutionStep) other = c2g_execution_step_new ("a");

  c2g_execution_step_set_n_iterations (step, 3);
  g_assert_false (c2g_execution_step_equal (step, other));
  c2g_execution_step_set_n_iterations (step, -1);
  g_assert_true (c2g_execution_step_equal (step, other));
}

static void
check_damaged (GBytes   *damaged,
               gpointer  user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPlanDef) plan = c2g_plan_def_new_from_bytes (damaged, &error);

  if (plan == NULL)
    g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  else
    check_plan (plan);
}

static void
test_damaged (void)
{
  g_autoptr (C2gPlanDef) plan = from_text (full_text);
  g_autoptr (GBytes) bytes = c2g_plan_def_to_bytes (plan, NULL);

  io_damage (bytes, check_damaged, NULL);
}

static gboolean
save_async (C2gPlanDef  *plan,
            GFile       *file,
            gboolean     is_text,
            GError     **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  c2g_plan_def_save_file_async (plan, file, is_text, NULL, c2g_test_keep_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return c2g_plan_def_save_file_finish (plan, result, error);
}

static void
test_files (void)
{
  g_autoptr (GFile) file = def_new_file ("plan.pb");
  g_autoptr (C2gPlanDef) plan = from_text (full_text);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gPlanDef) back = NULL;

      g_assert_true (c2g_plan_def_save_file (plan, file, i == 0, NULL, &error));
      g_assert_no_error (error);
      g_assert_true (save_async (plan, file, i == 0, &error));
      g_assert_no_error (error);
      back = c2g_plan_def_load_file (file, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (c2g_plan_def_equal (plan, back));
    }

  def_remove_file (file);
  g_assert_null (c2g_plan_def_load_file (file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

/* Nests steps to the largest depth that can be read again. */
static void
test_deep (void)
{
  g_autoptr (C2gPlanDef) plan = c2g_plan_def_new (NULL);
  g_autoptr (C2gExecutionStep) one_more = c2g_execution_step_new (NULL);
  C2gExecutionStep *step = c2g_execution_step_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  c2g_plan_def_add_step (plan, step);
  for (guint i = 0; i < 99; i++)
    {
      C2gExecutionStep *substep = c2g_execution_step_new (NULL);

      g_assert_true (c2g_execution_step_add_substep (step, substep, &error));
      g_object_unref (step);
      step = substep;
    }

  bytes = c2g_plan_def_to_bytes (plan, &error);
  g_assert_no_error (error);
  check_plan (plan);

  g_assert_false (c2g_execution_step_add_substep (step, one_more, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_cmpuint (c2g_execution_step_get_n_substeps (step), ==, 0);
  g_object_unref (step);
}

/* Steps can be nested only to a limit, from inside and from outside, so that recursion does not
 * overflow the stack. */
static void
test_bottomless (void)
{
  g_autoptr (C2gExecutionStep) outermost = c2g_execution_step_new (NULL);
  g_autoptr (C2gExecutionStep) around = c2g_execution_step_new (NULL);
  C2gExecutionStep *innermost = outermost;
  guint n_below = 1;
  guint n_around = 1;

  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (C2gExecutionStep) below = c2g_execution_step_new (NULL);
      g_autoptr (C2gExecutionStep) outer = c2g_execution_step_new (NULL);

      if (c2g_execution_step_add_substep (innermost, below, NULL))
        {
          innermost = below;
          n_below++;
        }
      if (c2g_execution_step_add_substep (outer, around, NULL))
        {
          g_set_object (&around, outer);
          n_around++;
        }
    }
  g_assert_cmpuint (n_below, ==, 100);
  g_assert_cmpuint (n_around, ==, 100);
}

/* A step that was removed, or whose outer step was freed, counts as not nested again. */
static void
test_room_again (void)
{
  g_autoptr (C2gExecutionStep) inner = c2g_execution_step_new (NULL);

  for (guint i = 0; i < 200; i++)
    {
      g_autoptr (C2gExecutionStep) outer = c2g_execution_step_new (NULL);
      g_autoptr (C2gExecutionStep) other = c2g_execution_step_new (NULL);

      g_assert_true (c2g_execution_step_add_substep (outer, inner, NULL));
      g_assert_true (c2g_execution_step_add_substep (inner, other, NULL));
      c2g_execution_step_remove_substep (inner, 0);
      g_assert_true (c2g_execution_step_add_substep (other, outer, NULL));
    }
}

/* Sets each property of a step to a value other than its default. */
static void
test_step_set (void)
{
  static const char *const networks[] = { "a", "b", NULL };
  g_autoptr (C2gExecutionStep) step = c2g_execution_step_new (NULL);
  g_autofree char *text = NULL;

  c2g_execution_step_set_name (step, "s");
  c2g_execution_step_set_criteria_network (step, "c");
  c2g_execution_step_set_report_net (step, "r");
  c2g_execution_step_set_should_stop_blob (step, "stop");
  c2g_execution_step_set_n_iterations (step, G_MAXINT64);
  c2g_execution_step_set_report_interval (step, 5);
  c2g_execution_step_set_run_every_ms (step, 6);
  c2g_execution_step_set_n_concurrent_instances (step, 7);
  c2g_execution_step_set_concurrent_substeps (step, TRUE);
  c2g_execution_step_set_only_once (step, TRUE);
  c2g_execution_step_set_create_workspace (step, TRUE);
  c2g_execution_step_set_networks (step, networks);
  text = c2g_execution_step_to_text (step);
  g_assert_cmpstr (text, ==,
                   "name: \"s\"\nnetwork: \"a\"\nnetwork: \"b\"\n"
                   "num_iter: 9223372036854775807\ncriteria_network: \"c\"\n"
                   "concurrent_substeps: true\nreport_net: \"r\"\nreport_interval: 5\n"
                   "should_stop_blob: \"stop\"\nonly_once: true\nrun_every_ms: 6\n"
                   "create_workspace: true\nnum_concurrent_instances: 7\n");

  c2g_execution_step_set_name (step, NULL);
  c2g_execution_step_set_criteria_network (step, NULL);
  c2g_execution_step_set_report_net (step, NULL);
  c2g_execution_step_set_should_stop_blob (step, NULL);
  c2g_execution_step_set_n_iterations (step, -1);
  c2g_execution_step_set_networks (step, NULL);
  g_assert_null (c2g_execution_step_get_name (step));
  g_assert_null (c2g_execution_step_get_criteria_network (step));
  g_assert_null (c2g_execution_step_get_report_net (step));
  g_assert_null (c2g_execution_step_get_should_stop_blob (step));
  g_assert_cmpint (c2g_execution_step_get_n_iterations (step), ==, -1);
  g_assert_null (c2g_execution_step_get_networks (step)[0]);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/execution-step/new", test_step_new);
  c2g_test_add_func ("/execution-step/properties", test_step_properties);
  c2g_test_add_func ("/execution-step/get", test_step_get);
  c2g_test_add_func ("/execution-step/set", test_step_set);
  c2g_test_add_func ("/execution-step/substeps", test_step_substeps);
  c2g_test_add_func ("/execution-step/cycle", test_step_cycle);
  c2g_test_add_func ("/plan-def/plan", test_plan);
  c2g_test_add_func ("/plan-def/text", test_text);
  c2g_test_add_func ("/plan-def/equal", test_equal);
  c2g_test_add_func ("/plan-def/equal-unset", test_equal_unset);
  c2g_test_add_func ("/plan-def/damaged", test_damaged);
  c2g_test_add_func ("/plan-def/files", test_files);
  c2g_test_add_func ("/plan-def/deep", test_deep);
  c2g_test_add_func ("/plan-def/bottomless", test_bottomless);
  c2g_test_add_func ("/plan-def/room-again", test_room_again);

  return c2g_test_run ();
}
