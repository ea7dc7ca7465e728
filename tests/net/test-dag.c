/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <c2g/net/run/c2g-dag-private.h>

/* A sequence of operators, separated by spaces: "reads>writes", with a letter for each blob, and
 * "reads>writes!" for an operator of the other group. Chains are lists of operator numbers,
 * separated by bars. */
typedef struct
{
  const char *path;
  const char *sequence;
  const char *chains;
  /* The chains that follow each chain, in the same format. */
  const char *children;
} Case;

static const Case cases[] = {
  { "empty", "", "", "" },
  { "one", ">a", "0", "" },
  { "linear", "i>h h>o", "0 1", "" },
  { "in-place", "i>a a>a a>a", "0 1 2", "" },
  { "fork", "i>h h>o h>p", "0|1|2", "1 2||" },
  { "join", "i>h i>k hk>o", "0|1|2", "2|2|" },
  { "fork-join", "i>h i>k hk>o o>p", "0|1|2 3", "2|2|" },
  { "join-with-ancestor", "i>h h>o h>p hp>", "0|1|2 3", "1 2||" },
  { "hogwild", "i>a a>b b>c i>d d>e e>f", "0 1 2|3 4 5", "|" },
  { "read-after-read", "i>a i>b i>c", "0|1|2", "||" },
  { "write-after-write", ">a >a", "0 1", "" },
  { "write-after-read", "i>a >i", "0 1", "" },
  { "write-after-reads", "i>a i>b >i", "0|1|2", "2|2|" },
  { "read-of-old-and-new", "i>a >i i>b", "0 1 2", "" },
  { "twice-the-same", "aa>bb bb>cc", "0 1", "" },
  { "reads-what-it-writes", "a>a a>a", "0 1", "" },
  { "diamond", ">a a>b a>c bc>d", "0|1|2|3", "1 2|3|3|" },
  { "skip", ">a a>b ab>c abc>d", "0 1 2 3", "" },
  { "groups", ">a a>b! b>c", "0|1|2", "1|2|" },
  { "group-alone", ">a! a>b! b>c!", "0 1 2", "" },
};

static C2gDag *
make_dag (const char *sequence)
{
  g_auto (GStrv) steps = g_strsplit (sequence, " ", -1);
  C2gDag *dag = c2g_dag_new ();

  for (guint i = 0; steps[i] != NULL && *sequence != '\0'; i++)
    {
      const char *c = steps[i];

      g_assert_cmpuint (c2g_dag_add_node (dag, g_str_has_suffix (c, "!")), ==, i);
      for (; *c != '>'; c++)
        c2g_dag_add_read (dag, GSIZE_TO_POINTER (*c));
      for (c++; *c != '\0' && *c != '!'; c++)
        c2g_dag_add_write (dag, GSIZE_TO_POINTER (*c));
    }

  c2g_dag_finish (dag);
  return dag;
}

static void
append_numbers (GString     *text,
                const guint *numbers,
                guint        n_numbers)
{
  for (guint i = 0; i < n_numbers; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", numbers[i]);
}

static void
test_case (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (C2gDag) dag = make_dag (test->sequence);
  g_autoptr (GString) nodes = g_string_new (NULL);
  g_autoptr (GString) children = g_string_new (NULL);
  guint n_parents = 0;
  guint n_chains;
  const C2gChain *chains = c2g_dag_get_chains (dag, &n_chains);

  for (guint i = 0; i < n_chains; i++)
    {
      g_string_append (nodes, i > 0 ? "|" : "");
      g_string_append (children, i > 0 ? "|" : "");
      append_numbers (nodes, chains[i].nodes, chains[i].n_nodes);
      append_numbers (children, chains[i].children, chains[i].n_children);
      n_parents += chains[i].n_parents;
      n_parents -= chains[i].n_children;
    }

  g_assert_cmpstr (nodes->str, ==, test->chains);
  g_assert_cmpstr (children->str, ==, test->children);
  g_assert_cmpuint (n_parents, ==, 0);
}

/* Checks that every node comes after all nodes that it depends on. */
static void
check_order (const guint8 *reads,
             const guint8 *writes,
             guint         n_nodes,
             GRand        *random)
{
  g_autoptr (C2gDag) dag = c2g_dag_new ();
  g_autofree guint *missing = g_new (guint, n_nodes);
  g_autofree guint *times = g_new (guint, n_nodes);
  g_autoptr (GArray) ready = g_array_new (FALSE, FALSE, sizeof (guint));
  const C2gChain *chains;
  guint n_chains;
  guint now = 0;

  for (guint i = 0; i < n_nodes; i++)
    {
      c2g_dag_add_node (dag, i % 7 == 0);
      for (guint j = 0; j < 8; j++)
        if (reads[i] & (1 << j))
          c2g_dag_add_read (dag, GSIZE_TO_POINTER (j + 1));
      for (guint j = 0; j < 8; j++)
        if (writes[i] & (1 << j))
          c2g_dag_add_write (dag, GSIZE_TO_POINTER (j + 1));
    }
  c2g_dag_finish (dag);

  chains = c2g_dag_get_chains (dag, &n_chains);
  for (guint i = 0; i < n_chains; i++)
    {
      missing[i] = chains[i].n_parents;
      if (missing[i] == 0)
        g_array_append_val (ready, i);
    }
  while (ready->len > 0)
    {
      guint place = g_rand_int_range (random, 0, ready->len);
      const C2gChain *chain = &chains[g_array_index (ready, guint, place)];

      g_array_remove_index_fast (ready, place);
      for (guint i = 0; i < chain->n_nodes; i++)
        times[chain->nodes[i]] = now++;
      for (guint i = 0; i < chain->n_children; i++)
        if (--missing[chain->children[i]] == 0)
          g_array_append_val (ready, chain->children[i]);
    }

  g_assert_cmpuint (now, ==, n_nodes);
  for (guint i = 0; i < n_nodes; i++)
    for (guint j = 0; j < i; j++)
      if ((reads[i] & writes[j]) || (writes[i] & (reads[j] | writes[j])))
        g_assert_cmpuint (times[j], <, times[i]);
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint round = 0; round < 300; round++)
    {
      guint8 reads[40];
      guint8 writes[40];

      for (guint i = 0; i < G_N_ELEMENTS (reads); i++)
        {
          reads[i] = g_rand_int (random) & g_rand_int (random);
          writes[i] = g_rand_int (random) & g_rand_int (random) & g_rand_int (random);
        }
      check_order (reads, writes, G_N_ELEMENTS (reads), random);
    }
}

#define N_LONG 1000
#define N_WIDE 20000

/* A forward and backward pass: backward nodes depend on nodes far before them. */
static void
test_forward_backward (void)
{
  g_autoptr (C2gDag) dag = c2g_dag_new ();
  const C2gChain *chains;
  guint n_chains;

  for (guint i = 1; i < N_LONG; i++)
    {
      c2g_dag_add_node (dag, 0);
      c2g_dag_add_read (dag, GSIZE_TO_POINTER (i));
      c2g_dag_add_write (dag, GSIZE_TO_POINTER (i + 1));
    }
  for (guint i = N_LONG; i > 1; i--)
    {
      c2g_dag_add_node (dag, 0);
      c2g_dag_add_read (dag, GSIZE_TO_POINTER (i));
      c2g_dag_add_read (dag, GSIZE_TO_POINTER (N_LONG + i + 1));
      c2g_dag_add_write (dag, GSIZE_TO_POINTER (N_LONG + i));
    }
  c2g_dag_finish (dag);

  chains = c2g_dag_get_chains (dag, &n_chains);
  g_assert_cmpuint (n_chains, ==, 1);
  g_assert_cmpuint (chains[0].n_nodes, ==, 2 * (N_LONG - 1));
}

/* Many readers of one blob, followed by a writer. */
static void
test_wide (void)
{
  g_autoptr (C2gDag) dag = c2g_dag_new ();
  const C2gChain *chains;
  guint n_chains;

  for (guint i = 0; i < N_WIDE; i++)
    {
      c2g_dag_add_node (dag, 0);
      c2g_dag_add_read (dag, GSIZE_TO_POINTER (1));
    }
  c2g_dag_add_node (dag, 0);
  c2g_dag_add_write (dag, GSIZE_TO_POINTER (1));
  c2g_dag_finish (dag);

  chains = c2g_dag_get_chains (dag, &n_chains);
  g_assert_cmpuint (n_chains, ==, N_WIDE + 1);
  g_assert_cmpuint (chains[N_WIDE].n_parents, ==, N_WIDE);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/dag/chains/%s", cases[i].path);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  c2g_test_add_func ("/dag/random", test_random);
  c2g_test_add_func ("/dag/forward-backward", test_forward_backward);
  c2g_test_add_func ("/dag/wide", test_wide);

  return c2g_test_run ();
}
