/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

#include <string.h>

/* These tests check which operators of a net run in parallel, without measuring time. Each step
 * waits for a note that can only be added while it runs: for a long time if the note must come, and
 * for a short time if it must not. */

#define LONG "arg { name: 'wait_ms' i: 20000 } "
#define SHORT "arg { name: 'wait_ms' i: 30 } "

#define STEP(name, blobs, until, wait)                                                             \
  "op { type: 'NetTestStep' name: '" name "' " blobs " arg { name: 'until' s: '" until "' } " wait \
  "} "

static char *
run (const char *net_type,
     int         n_workers,
     const char *text)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = net_def_from_text (text);
  g_autoptr (GError) error = NULL;

  c2g_net_def_set_net_type (def, net_type);
  c2g_net_def_set_n_workers (def, n_workers);
  net_create_inputs (workspace, def);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
  return net_take_notes ();
}

static gboolean
comes_before (const char *notes,
              const char *first,
              const char *second)
{
  g_assert_nonnull (strstr (notes, first));
  g_assert_nonnull (strstr (notes, second));
  return strstr (notes, first) < strstr (notes, second);
}

/* sleep1 and sleep2 run one after the other, sleep3 in parallel to both. In Caffe2's test they last
 * 100, 100 and 150 ms: 200 ms in parallel, 350 ms in sequence. */
#define SLEEP_NET(wait)                                                                            \
  STEP ("sleep1", "output: 'sleep1'", "sleep3(", wait)                                             \
  STEP ("sleep2", "input: 'sleep1' output: 'sleep2'", "sleep1)", wait)                             \
  STEP ("sleep3", "output: 'sleep3'", "sleep2(", wait)

/* Returns TRUE if the net would take as long as sleep1 and sleep2: sleep3 begins while sleep1 runs,
 * and sleep2 begins while sleep3 runs. */
static gboolean
lasts_200_ms (const char *notes)
{
  return comes_before (notes, "sleep3(", "sleep1)") &&
         comes_before (notes, "sleep1)", "sleep2(") && comes_before (notes, "sleep2(", "sleep3)");
}

static void
test_beside (void)
{
  g_autofree char *notes = run ("dag", 2, SLEEP_NET (LONG));

  g_assert_true (lasts_200_ms (notes));
}

/* With one thread the operators do not run in parallel. */
static void
test_one_worker (void)
{
  g_autofree char *dag = run ("dag", 1, SLEEP_NET (SHORT));
  g_autofree char *simple = run ("simple", 4, SLEEP_NET (SHORT));

  g_assert_false (lasts_200_ms (dag));
  g_assert_false (lasts_200_ms (simple));
  g_assert_cmpstr (simple, ==, "sleep1( sleep1) sleep2( sleep2) sleep3( sleep3)");
}

typedef struct
{
  const char *path;
  const char *first;
  const char *second;
  gboolean    is_beside;
} Pair;

static const Pair pairs[] = {
  { "independent", "output: 'a'", "output: 'b'", TRUE },
  { "read-after-read", "input: 'in' output: 'a'", "input: 'in' output: 'b'", TRUE },
  { "read-after-write", "output: 'a'", "input: 'a' output: 'b'", FALSE },
  { "write-after-read", "input: 'in' output: 'a'", "output: 'in'", FALSE },
  { "write-after-write", "output: 'a'", "output: 'a'", FALSE },
  { "control", "output: 'a'", "control_input: 'a' output: 'b'", FALSE },
  { "control-of-each-other", "control_input: 'b' output: 'a'", "control_input: 'a' output: 'b'",
    FALSE },
  { "control-from-outside", "output: 'a'", "control_input: 'in' output: 'b'", TRUE },
};

static void
test_pair (gconstpointer data)
{
  const Pair *test = data;
  const char *wait = test->is_beside ? LONG : SHORT;
  g_autofree char *text = g_strdup_printf (
    "external_input: 'in' "
    "op { type: 'NetTestStep' name: 'one' %s arg { name: 'until' s: 'two(' } %s } "
    "op { type: 'NetTestStep' name: 'two' %s arg { name: 'until' s: 'one(' } %s } ",
    test->first, wait, test->second, wait);
  g_autofree char *notes = run ("dag", 2, text);

  if (test->is_beside)
    g_assert_true (comes_before (notes, "two(", "one)"));
  else
    g_assert_cmpstr (notes, ==, "one( one) two( two)");
}

/* As many operators run in parallel as there are threads. */
static void
test_n_workers (void)
{
  const char *text = STEP ("a", "output: 'a'", "c(", LONG) STEP ("b", "output: 'b'", "c(", LONG)
                     STEP ("c", "output: 'c'", "b(", LONG);
  const char *fewer = STEP ("a", "output: 'a'", "c(", SHORT) STEP ("b", "output: 'b'", "c(", SHORT)
                      STEP ("c", "output: 'c'", "b(", SHORT);
  g_autofree char *three = run ("dag", 3, text);
  g_autofree char *two = run ("dag", 2, fewer);

  g_assert_true (comes_before (three, "c(", "a)") && comes_before (three, "c(", "b)"));
  g_assert_false (comes_before (two, "c(", "a)") && comes_before (two, "c(", "b)"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();

  c2g_test_add_func ("/parallel-net/beside", test_beside);
  c2g_test_add_func ("/parallel-net/one-worker", test_one_worker);
  c2g_test_add_func ("/parallel-net/n-workers", test_n_workers);
  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/parallel-net/%s", pairs[i].path);

      g_test_add_data_func (path, &pairs[i], test_pair);
    }

  return c2g_test_run ();
}
