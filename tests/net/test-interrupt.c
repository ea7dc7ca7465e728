/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"
#include "tests/test-utils.h"

/* A cancelled run does not change the state of operators, and only the run is interrupted. */

#define STATISTICS                                                                                 \
  "name: 'bn' op { type: 'SpatialBN' input: 'x' input: 'one' input: 'one' input: 'mean' "          \
  "input: 'variance' output: 'y' output: 'mean' output: 'variance' output: 'saved' "               \
  "output: 'saved_inverse' }"
#define FILL "op { type: 'UniformFill' output: 'y' arg { name: 'min' f: 1 } "                      \
  "arg { name: 'max' f: 2 } arg { name: 'shape' ints: 4 } arg { name: 'run_once' i: 1 } }"

static C2gTensor *
get_tensor (C2gWorkspace *workspace,
            const char   *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);

  return c2g_blob_ensure_tensor (blob, c2g_device_cpu (), NULL);
}

static void
fill (C2gTensor *tensor,
      double     value)
{
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, value, NULL));
}

static C2gTensor *
add_input (C2gWorkspace *workspace,
           const char   *name,
           gint64        n_images)
{
  C2gTensor *tensor = get_tensor (workspace, name);

  if (n_images > 0)
    g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (n_images, 2, 3, 3), NULL));
  else
    g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (2), NULL));
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  fill (tensor, 5);
  return tensor;
}

static C2gNet *
create_net (C2gWorkspace *workspace,
            const char   *text)
{
  g_autoptr (C2gNetDef) def = net_def_from_text (text);
  g_autoptr (GError) error = NULL;
  C2gNet *net = c2g_workspace_create_net (workspace, def, FALSE, &error);

  g_assert_no_error (error);
  return net;
}

/* Cancels the run when it resizes “y”, which is before it computes. */
static void
run_cancelled (C2gWorkspace *workspace,
               C2gNet       *net)
{
  C2gTensor *output = get_tensor (workspace, "y");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  gulong handler = g_signal_connect_swapped (output, "resized", G_CALLBACK (g_cancellable_cancel),
                                             cancellable);

  g_assert_false (c2g_net_run (net, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_signal_handler_disconnect (output, handler);
}

static void
test_fill_once (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = create_net (workspace, FILL);
  C2gTensor *output = get_tensor (workspace, "y");
  g_autoptr (GError) error = NULL;

  run_cancelled (workspace, net);
  fill (output, 0);
  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < 4; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (output, i, NULL), >=, 1);
}

static void
test_running_statistics (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = NULL;
  C2gTensor *mean = add_input (workspace, "mean", 0);
  C2gTensor *variance = add_input (workspace, "variance", 0);

  add_input (workspace, "x", 3);
  add_input (workspace, "one", 0);
  net = create_net (workspace, STATISTICS);
  run_cancelled (workspace, net);
  for (gint64 i = 0; i < 2; i++)
    {
      g_assert_cmpfloat (c2g_tensor_get_value (mean, i, NULL), ==, 5);
      g_assert_cmpfloat (c2g_tensor_get_value (variance, i, NULL), ==, 5);
    }
}

typedef struct
{
  GCancellable *cancellable;
  C2gOperator  *op;
  C2gContext   *context;
  C2gTensor    *tensor;
} Handler;

static void
resized_cb (Handler *self)
{
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (self->cancellable);
  if (self->context != NULL)
    c2g_context_fill_uniform (self->context, self->tensor, 1, 2, &error);
  else
    c2g_operator_run (self->op, &error);
  g_assert_no_error (error);
}

/* Work of a signal handler inside a cancelled run is not interrupted. */
static void
test_handler (gconstpointer data)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = create_net (workspace, FILL);
  g_autoptr (C2gNetDef) def = net_def_from_text (
    "op { type: 'UniformFill' output: 'other' arg { name: 'min' f: 1 } "
    "arg { name: 'max' f: 2 } arg { name: 'shape' ints: 1 } }");
  g_autoptr (C2gOperator) op =
    c2g_operator_create (c2g_net_def_get_operator (def, 0), workspace, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  C2gTensor *other = get_tensor (workspace, "other");
  Handler handler = { cancellable, op, data != NULL ? context : NULL, other };

  c2g_operator_run (op, &error);
  g_assert_no_error (error);
  fill (other, 0);
  g_signal_connect_swapped (get_tensor (workspace, "y"), "resized", G_CALLBACK (resized_cb),
                            &handler);
  g_assert_false (c2g_net_run (net, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpfloat (c2g_tensor_get_value (other, 0, NULL), >=, 1);
}

static void
cancel_cb (C2gNet       *net,
           gboolean      is_done,
           GCancellable *cancellable)
{
  g_assert_true (is_done);
  g_cancellable_cancel (cancellable);
}

/* Cancelling in an after-run handler is too late: the run has succeeded. */
static void
test_after_run (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = create_net (workspace, FILL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_signal_connect (net, "after-run", G_CALLBACK (cancel_cb), cancellable);
  g_assert_true (c2g_net_run (net, cancellable, &error));
  g_assert_no_error (error);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();

  c2g_test_add_func ("/interrupt/fill-once", test_fill_once);
  c2g_test_add_func ("/interrupt/running-statistics", test_running_statistics);
  g_test_add_data_func ("/interrupt/handler/operator", NULL, test_handler);
  g_test_add_data_func ("/interrupt/handler/context", (gpointer) "context", test_handler);

  c2g_test_add_func ("/interrupt/after-run", test_after_run);

  return c2g_test_run ();
}
