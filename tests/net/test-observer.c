/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

#include <string.h>

/* An observer that adds to a sum: 1000 before and 10 after nets, 100 before and 1 after
 * operators. */
typedef struct
{
  GObject parent_instance;
  int     sum;
} Summer;

typedef struct
{
  GObjectClass parent_class;
} SummerClass;

GType summer_get_type (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Summer, g_object_unref)

static void summer_observe (C2gObserverInterface *iface);

G_DEFINE_TYPE_WITH_CODE (Summer, summer, G_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (C2G_TYPE_OBSERVER, summer_observe))

static void
before_run (C2gObserver *observer,
            GObject     *subject)
{
  g_assert_true (net_is_main_thread ());
  ((Summer *) observer)->sum += C2G_IS_NET (subject) ? 1000 : 100;
}

static void
after_run (C2gObserver *observer,
           GObject     *subject,
           gboolean     is_done)
{
  g_assert_true (net_is_main_thread ());
  g_assert_true (is_done);
  ((Summer *) observer)->sum += C2G_IS_NET (subject) ? 10 : 1;
}

static void
summer_observe (C2gObserverInterface *iface)
{
  iface->before_run = before_run;
  iface->after_run = after_run;
}

static void
summer_class_init (SummerClass *klass)
{
}

static void
summer_init (Summer *self)
{
}

static C2gNet *
new_net (const char *net_type,
         const char *operators)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = net_def_from_text (operators);
  g_autoptr (GError) error = NULL;
  C2gNet *net;

  c2g_net_def_set_name (def, "net");
  c2g_net_def_set_net_type (def, net_type);
  c2g_net_def_set_n_workers (def, 3);
  net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_assert_no_error (error);
  return net;
}

static C2gNet *
new_pair (const char *net_type)
{
  return new_net (net_type, "op { type: 'NetTestDummy' output: 'a' } "
                            "op { type: 'NetTestDummy' input: 'a' output: 'b' } ");
}

static void
attach_everywhere (C2gNet *net,
                   Summer *summer)
{
  g_assert_true (c2g_net_add_observer (net, C2G_OBSERVER (summer)));
  for (guint i = 0; i < c2g_net_get_n_operators (net); i++)
    g_assert_true (c2g_operator_add_observer (c2g_net_get_operator (net, i),
                                              C2G_OBSERVER (summer)));
}

static void
run (C2gNet *net)
{
  g_autoptr (GError) error = NULL;

  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
}

static guint
count (C2gNet *net)
{
  g_autoptr (GListModel) observers = c2g_net_dup_observers (net);

  return g_list_model_get_n_items (observers);
}

static void
test_notify (void)
{
  g_autoptr (Summer) summer = g_object_new (summer_get_type (), NULL);
  g_autoptr (C2gNet) net = new_pair ("simple");

  attach_everywhere (net, summer);
  run (net);
  g_assert_cmpint (summer->sum, ==, 1212);
}

static void
test_unique_map (void)
{
  g_autoptr (Summer) summer = g_object_new (summer_get_type (), NULL);
  g_autoptr (Summer) other = g_object_new (summer_get_type (), NULL);
  g_autoptr (C2gNet) net = new_pair ("simple");

  g_assert_cmpuint (count (net), ==, 0);
  g_assert_true (c2g_net_add_observer (net, C2G_OBSERVER (summer)));
  g_assert_false (c2g_net_add_observer (net, C2G_OBSERVER (summer)));
  g_assert_cmpuint (count (net), ==, 1);
  g_assert_true (c2g_net_add_observer (net, C2G_OBSERVER (other)));
  g_assert_cmpuint (count (net), ==, 2);
  g_assert_true (c2g_net_remove_observer (net, C2G_OBSERVER (summer)));
  g_assert_false (c2g_net_remove_observer (net, C2G_OBSERVER (summer)));
  g_assert_cmpuint (count (net), ==, 1);
  g_assert_true (c2g_net_remove_observer (net, C2G_OBSERVER (other)));
  g_assert_cmpuint (count (net), ==, 0);
}

static void
test_notify_after_detach (void)
{
  Summer *summer = g_object_new (summer_get_type (), NULL);
  g_autoptr (C2gNet) net = new_pair ("simple");

  attach_everywhere (net, summer);
  run (net);
  g_assert_true (c2g_net_remove_observer (net, C2G_OBSERVER (summer)));
  for (guint i = 0; i < 2; i++)
    g_assert_true (c2g_operator_remove_observer (c2g_net_get_operator (net, i),
                                                 C2G_OBSERVER (summer)));
  run (net);
  g_assert_cmpint (summer->sum, ==, 1212);
  g_assert_finalize_object (summer);
}

/* Observers are called in the thread that runs the net, also if other threads run its operators. */
static void
test_dag_net_base (void)
{
  g_autoptr (Summer) summer = g_object_new (summer_get_type (), NULL);
  g_autoptr (C2gNet) net = new_pair ("dag");
  g_autoptr (C2gNet) wide = new_net (
    "dag", "op { type: 'NetTestMix' output: 'a' } op { type: 'NetTestMix' output: 'b' } "
           "op { type: 'NetTestMix' output: 'c' } op { type: 'NetTestMix' output: 'd' } "
           "op { type: 'NetTestMix' input: 'a' input: 'b' input: 'c' input: 'd' output: 'e' } ");

  attach_everywhere (net, summer);
  run (net);
  g_assert_cmpint (summer->sum, ==, 1212);

  summer->sum = 0;
  attach_everywhere (wide, summer);
  for (guint i = 0; i < 20; i++)
    run (wide);
  g_assert_cmpint (summer->sum, ==, 20 * (1010 + 5 * 101));
}

static void
test_multiple_net_base (void)
{
  g_autoptr (Summer) summer = g_object_new (summer_get_type (), NULL);
  g_autoptr (C2gNet) net = new_pair ("simple");

  g_assert_true (c2g_net_add_observer (net, C2G_OBSERVER (summer)));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Summer) other = g_object_new (summer_get_type (), NULL);

      g_assert_true (c2g_net_add_observer (net, C2G_OBSERVER (other)));
    }
  g_assert_cmpuint (count (net), ==, 3);
  run (net);
  g_assert_cmpint (summer->sum, ==, 1010);
}

/* An operator without a net. */
static void
test_operator (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (Summer) summer = g_object_new (summer_get_type (), NULL);
  g_autoptr (C2gOperatorDef) def = c2g_operator_def_new ("NetTestDummy");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = c2g_operator_create (def, workspace, &error);
  g_autoptr (GListModel) observers = NULL;
  g_autoptr (C2gObserver) first = NULL;

  g_assert_no_error (error);
  g_assert_true (c2g_operator_add_observer (op, C2G_OBSERVER (summer)));
  g_assert_false (c2g_operator_add_observer (op, C2G_OBSERVER (summer)));
  c2g_operator_run (op, &error);
  g_assert_no_error (error);
  g_assert_cmpint (summer->sum, ==, 101);

  observers = c2g_operator_dup_observers (op);
  g_assert_cmpuint (g_list_model_get_n_items (observers), ==, 1);
  first = g_list_model_get_item (observers, 0);
  g_assert_true (first == C2G_OBSERVER (summer));
}

static void
note_before_cb (C2gNet      *net,
                C2gOperator *op,
                gpointer     data)
{
  g_autofree char *text = g_strdup_printf ("<%d", c2g_operator_get_position (op));

  g_assert_true (net_is_main_thread ());
  net_note (text);
}

static void
note_after_cb (C2gNet      *net,
               C2gOperator *op,
               gboolean     is_done,
               gpointer     data)
{
  g_autofree char *text = g_strdup_printf ("%d%s", c2g_operator_get_position (op),
                                           is_done ? ">" : "!");

  g_assert_true (net_is_main_thread ());
  net_note (text);
}

static void
note_run_cb (gpointer data)
{
  net_note (data);
}

static void
note_end_cb (C2gNet   *net,
             gboolean  is_done,
             gpointer  data)
{
  net_note (is_done ? "done" : "failed");
}

static void
connect_signals (C2gNet *net)
{
  g_signal_connect (net, "before-operator", G_CALLBACK (note_before_cb), NULL);
  g_signal_connect (net, "after-operator", G_CALLBACK (note_after_cb), NULL);
  g_signal_connect_swapped (net, "before-run", G_CALLBACK (note_run_cb), (gpointer) "run");
  g_signal_connect (net, "after-run", G_CALLBACK (note_end_cb), NULL);
}

static void
test_signals (void)
{
  static const char * const types[] = { "simple", "dag" };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gNet) net = new_pair (types[i]);
      g_autoptr (C2gNet) failing = new_net (
        types[i], "op { type: 'NetTestDummy' output: 'a' } "
                  "op { type: 'NetTestDummy' input: 'a' arg { name: 'fail' i: 1 } }");
      g_autofree char *notes = NULL;
      g_autofree char *more = NULL;

      connect_signals (net);
      run (net);
      notes = net_take_notes ();
      g_assert_cmpstr (notes, ==, "run <0 0> <1 1> done");

      connect_signals (failing);
      g_assert_false (c2g_net_run (failing, NULL, NULL));
      more = net_take_notes ();
      g_assert_cmpstr (more, ==, "run <0 0> <1 1! failed");
    }
}

/* Operators still run in parallel when signals are connected. */
static void
test_parallel (void)
{
  g_autoptr (C2gNet) net = new_net (
    "dag", "op { type: 'NetTestStep' name: 'a' output: 'a' arg { name: 'until' s: 'b(' } "
           "  arg { name: 'wait_ms' i: 20000 } } "
           "op { type: 'NetTestStep' name: 'b' output: 'b' arg { name: 'until' s: 'a(' } "
           "  arg { name: 'wait_ms' i: 20000 } } ");
  g_autofree char *notes = NULL;

  connect_signals (net);
  run (net);
  notes = net_take_notes ();
  g_assert_true (strstr (notes, "a(") < strstr (notes, "b)"));
  g_assert_true (strstr (notes, "b(") < strstr (notes, "a)"));
}

typedef struct
{
  C2gNet *net;
  int     is_over;
} Attaching;

static gpointer
attach_cb (gpointer data)
{
  Attaching *attaching = data;

  while (!g_atomic_int_get (&attaching->is_over))
    {
      g_autoptr (Summer) summer = g_object_new (summer_get_type (), NULL);

      g_assert_true (c2g_net_add_observer (attaching->net, C2G_OBSERVER (summer)));
      g_assert_true (c2g_net_remove_observer (attaching->net, C2G_OBSERVER (summer)));
    }

  return NULL;
}

/* Another thread adds and removes observers while the net runs. */
static void
test_attach_while_running (void)
{
  g_autoptr (Summer) summer = g_object_new (summer_get_type (), NULL);
  g_autoptr (C2gNet) net = new_pair ("dag");
  Attaching attaching = { net, FALSE };
  GThread *thread;

  attach_everywhere (net, summer);
  thread = g_thread_new ("attach", attach_cb, &attaching);
  for (guint i = 0; i < 200; i++)
    run (net);
  g_atomic_int_set (&attaching.is_over, TRUE);
  g_thread_join (thread);
  g_assert_cmpint (summer->sum, ==, 200 * 1212);
  g_assert_cmpuint (count (net), ==, 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();

  c2g_test_add_func ("/observer/notify", test_notify);
  c2g_test_add_func ("/observer/unique-map", test_unique_map);
  c2g_test_add_func ("/observer/notify-after-detach", test_notify_after_detach);
  c2g_test_add_func ("/observer/dag-net-base", test_dag_net_base);
  c2g_test_add_func ("/observer/multiple-net-base", test_multiple_net_base);
  c2g_test_add_func ("/observer/operator", test_operator);
  c2g_test_add_func ("/observer/signals", test_signals);
  c2g_test_add_func ("/observer/parallel", test_parallel);
  c2g_test_add_func ("/observer/attach-while-running", test_attach_while_running);

  return c2g_test_run ();
}
