/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Works on a GPU if there is one, otherwise on the CPU. */
#include <c2g/c2g.h>
#include <locale.h>

#define SIZE 256

static const char net_text[] =
  "name: 'mean'"
  "op { type: 'Relu' input: 'x' output: 'y' }"
  "op { type: 'AveragePool' input: 'y' output: 'mean' arg { name: 'global_pooling' i: 1 } }";

static C2gDevice *
find_device (GError **error)
{
  C2gDevice *device = c2g_device_parse ("cuda:0", error);
  g_autoptr (C2gDeviceInfo) info = NULL;

  if (c2g_device_count (C2G_DEVICE_TYPE_CUDA) == 0)
    {
      g_print ("There is no GPU, the CPU does the work\n");
      return c2g_device_cpu ();
    }
  info = c2g_device_info_new_for_device (device, error);
  if (info == NULL)
    return NULL;
  g_print ("%s does the work\n", c2g_device_info_get_name (info));
  return device;
}

/* Draws random numbers on the device. A context orders the work there. */
static C2gTensor *
make_input (C2gDevice *device, GError **error)
{
  g_autoptr (C2gContext) context = c2g_context_for_device (device, error);
  g_autoptr (C2gTensor) x =
    c2g_tensor_new_sized ((gint64[]) { 1, 1, SIZE, SIZE }, 4, device, error);

  if (context == NULL || x == NULL || !c2g_tensor_allocate (x, C2G_DATA_TYPE_FLOAT, error))
    return NULL;
  c2g_context_seed (context, 1);
  if (!c2g_context_fill_uniform (context, x, -1, 1, error) || !c2g_context_finish (context, error))
    return NULL;
  return g_steal_pointer (&x);
}

/* A net runs on the device that its definition names. */
static C2gTensor *
run_net (C2gTensor *x, C2gDevice *device, GError **error)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) input = c2g_workspace_create_blob (workspace, "x", error);
  g_autoptr (C2gBlob) output = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (net_text, error);

  if (input == NULL || def == NULL)
    return NULL;
  c2g_blob_set_object (input, G_OBJECT (x));
  c2g_net_def_set_device (def, device);
  if (!c2g_workspace_run_net_once (workspace, def, NULL, error))
    return NULL;
  /* Copies the result to the CPU. */
  output = c2g_workspace_get_blob (workspace, "mean", error);
  return c2g_tensor_to_device (c2g_blob_get_tensor (output, NULL), c2g_device_cpu (), error);
}

static gboolean
run (GError **error)
{
  C2gDevice *device = find_device (error);
  g_autoptr (C2gTensor) x = device != NULL ? make_input (device, error) : NULL;
  g_autoptr (C2gTensor) mean = x != NULL ? run_net (x, device, error) : NULL;

  if (mean == NULL)
    return FALSE;
  g_print ("%d numbers from -1 to 1, those below 0 made 0: %.2f on average\n", SIZE * SIZE,
           c2g_tensor_get_value (mean, 0, NULL));
  return TRUE;
}

int
main (void)
{
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "");
  if (!run (&error))
    g_printerr ("gpu: %s\n", error->message);
  return error != NULL;
}
