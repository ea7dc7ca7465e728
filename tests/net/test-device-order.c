/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/core/fake-device.h"
#include "tests/test-utils.h"

/* Nets on a device where each operator has its own context: each operator still waits for its
 * inputs. */

#define DEVICE " device_option { device_type: 1 }"

static C2gWorkspace *
new_workspace (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "x", NULL);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, NULL);
  float *values = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);

  for (int i = 0; i < 3; i++)
    values[i] = (float) (i + 1);
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  return workspace;
}

static void
assert_values (C2gWorkspace *workspace,
               const char   *name,
               float         sign)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
  C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);

  for (int i = 0; i < 3; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (tensor, i, NULL), ==, sign * (float) (i + 1));
}

static void
check_chain (const char *kind)
{
  g_autofree char *text = g_strdup_printf (
    "name: 'chain' type: '%s'"
    "op { type: 'CopyCPUToGPU' input: 'x' output: 'a'" DEVICE " }"
    "op { type: 'Negative' input: 'a' output: 'b'" DEVICE " }"
    "op { type: 'Negative' input: 'b' output: 'c'" DEVICE " }"
    "op { type: 'Negative' input: 'c' output: 'c'" DEVICE " }"
    "op { type: 'CopyGPUToCPU' input: 'c' output: 'y'" DEVICE " }"
    "op { type: 'CopyGPUToCPU' input: 'b' output: 'z'" DEVICE " }",
    kind);
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gNet) net = NULL;

  g_assert_no_error (error);
  fake_device_use ();
  net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_net_get_input_device (net, "x") == c2g_device_cpu ());
  g_assert_true (c2g_net_get_input_device (net, "b") == c2g_device_parse ("cuda:0", NULL));
  g_assert_null (c2g_net_get_input_device (net, "y"));
  for (int i = 1; i <= 2; i++)
    {
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
      assert_values (workspace, "y", -1);
      assert_values (workspace, "z", -1);
      g_assert_cmpint (fake_device.n_finished, >=, i * 6);
    }
}

static void
test_chain (void)
{
  check_chain ("simple");
  check_chain ("dag");
}

/* Failed work of a context is reported as the operator's error, and the net can run again. */
static void
test_failure (void)
{
  static const char there[] = "op { type: 'CopyCPUToGPU' input: 'x' output: 'a'" DEVICE " }";
  static const char text[] = "name: 'failing' op { type: 'Negative' input: 'a' output: 'b'" DEVICE " }";
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (C2gNetDef) first = c2g_net_def_new_from_text (there, NULL);
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, NULL);
  g_autoptr (C2gNet) net = NULL;
  g_autoptr (GError) error = NULL;

  fake_device_use ();
  c2g_workspace_run_net_once (workspace, first, NULL, &error);
  g_assert_no_error (error);
  net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_assert_no_error (error);
  /* The first run succeeds and allocates the memory. */
  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);

  fake_device.mood = FAKE_NOTHING;
  g_assert_false (c2g_net_run (net, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "failing"));
  g_assert_nonnull (strstr (error->message, "Negative"));
  g_clear_error (&error);

  fake_device.mood = FAKE_FINE;
  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/device-order/chain", test_chain);
  c2g_test_add_func ("/device-order/failure", test_failure);

  return c2g_test_run ();
}
