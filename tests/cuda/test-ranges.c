/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/libraries-utils.h"
#include "tests/cuda/nets-utils.h"

/* The ranges that profilers see. */

static void
run_net (C2gDevice *device)
{
  static const gint64 dims[] = { 2, 3 };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (
    "op { type: 'CopyCPUToGPU' input: 'x' output: 'far' }"
    "op { type: 'Relu' input: 'far' output: 'positive' }"
    "op { type: 'Sum' input: 'far' input: 'positive' output: 'sum' }",
    &error);
  g_autoptr (C2gNet) net = NULL;

  g_assert_no_error (error);
  nets_add_input (workspace, "x", dims, G_N_ELEMENTS (dims));
  c2g_net_def_set_device (def, device);
  net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_assert_no_error (error);
  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
}

/* Each operator of a device is a range with its type and first output, even without outputs in
 * between. */
static void
test_operators (void)
{
  const char *path = g_getenv ("FAKE_NVTX");
  const char *(*get_written) (void);
  gpointer module;

  if (path == NULL)
    {
      g_test_skip ("There is no imitation of a profiler");
      return;
    }
  if (!in_process_with ("NVTX_INJECTION64_PATH", path))
    return;

  run_net (first_device ());
  module = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  g_assert_nonnull (module);
  get_written = dlsym (module, "fake_nvtx_get_written");
  g_assert_cmpstr (get_written (), ==, "c2g:(CopyCPUToGPU far)(Relu positive)(Sum sum)");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cuda/ranges/operators", test_operators);

  return run_on_device ();
}
