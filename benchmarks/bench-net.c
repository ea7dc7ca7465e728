/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Measures nets without the work of operators: the operators here do nothing. */

#include "bench.h"

#include <c2g/c2g.h>

#include <stdlib.h>

/* Number of operators of the nets: the rows are the times of whole runs. */
#define N_OPERATORS 1000

static void
check (GError *error)
{
  if (error == NULL)
    return;

  g_printerr ("%s\n", error->message);
  exit (1);
}

/* An operator that does nothing */

typedef struct
{
  C2gOperator parent_instance;
} BenchNothing;

typedef struct
{
  C2gOperatorClass parent_class;
} BenchNothingClass;

GType bench_nothing_get_type (void);

G_DEFINE_FINAL_TYPE (BenchNothing, bench_nothing, C2G_TYPE_OPERATOR)

static gboolean
bench_nothing_run (C2gOperator  *op,
                   GError      **error)
{
  return TRUE;
}

static void
bench_nothing_class_init (BenchNothingClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->run = bench_nothing_run;
}

static void
bench_nothing_init (BenchNothing *self)
{
}

/* Nets of these operators */

static C2gNet *
create_net (const char *net_type,
            gboolean    is_chain)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = c2g_net_def_new ("net");
  GError *error = NULL;
  C2gNet *net;

  c2g_operator_register ("BenchNothing", C2G_DEVICE_TYPE_CPU, NULL, bench_nothing_get_type (),
                         NULL, &error);
  check (error);

  c2g_net_def_set_net_type (def, net_type);
  for (guint i = 0; i < N_OPERATORS; i++)
    {
      g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("BenchNothing");
      g_autofree char *input = g_strdup_printf ("b%u", i);
      g_autofree char *output = g_strdup_printf ("b%u", i + 1);

      if (is_chain && i > 0)
        c2g_operator_def_add_input (op, input);
      c2g_operator_def_add_output (op, output);
      c2g_net_def_add_operator (def, op);
    }

  net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  check (error);
  return net;
}

static void *
simple_set_up (void)
{
  return create_net ("simple", TRUE);
}

static void *
dag_chain_set_up (void)
{
  return create_net ("dag", TRUE);
}

static void *
dag_apart_set_up (void)
{
  return create_net ("dag", FALSE);
}

static void
net_run (void          *data,
         unsigned long  n)
{
  GError *error = NULL;

  while (n-- > 0)
    {
      c2g_net_run (data, NULL, &error);
      check (error);
    }
}

static void
net_tear_down (void *data)
{
  g_object_unref (data);
}

int
main (int    argc,
      char **argv)
{
  static const BenchRow rows[] = {
    { "simple", simple_set_up, net_tear_down, net_run, 0 },
    { "dag-chain", dag_chain_set_up, net_tear_down, net_run, 0 },
    { "dag-apart", dag_apart_set_up, net_tear_down, net_run, 0 },
  };

  return bench_main (argc, argv, "c2g", c2g_get_version_string (), rows, G_N_ELEMENTS (rows));
}
