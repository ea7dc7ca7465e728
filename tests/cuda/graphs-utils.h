/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/cuda/libraries-utils.h"
#include "tests/cuda/nets-utils.h"

/* A net on the device whose work is repeated by a graph (C2gNet:device-graph). */

#define N_WARM_UPS 2

typedef struct
{
  C2gWorkspace *workspace;
  C2gNet       *net;
} Model;

static const char chain[] =
  "op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' }"
  "op { type: 'Relu' input: 'y' output: 'y' }"
  "op { type: 'LogSoftmax' input: 'y' output: 'logs' }"
  "op { type: 'Softmax' input: 'y' output: 'z' }";

static const gint64 x_dims[] = { 3, 4 }, w_dims[] = { 5, 4 }, b_dims[] = { 5 },
                    x4_dims[] = { 4 }, one_dims[] = { 1 };

/* Puts a copy of a tensor of the CPU into a blob on the device, in the memory that is there. */
static inline void
put (C2gWorkspace *workspace,
     const char   *name,
     C2gTensor    *near,
     C2gContext   *context)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);
  C2gTensor *far = c2g_blob_ensure_tensor (blob, first_device (), &error);

  g_assert_no_error (error);
  c2g_tensor_copy_from (far, near, context, &error);
  g_assert_no_error (error);
}

static inline void
put_numbers (C2gWorkspace *workspace,
             const char   *name,
             const gint64 *dims,
             gsize         n_dims,
             float         first)
{
  g_autoptr (C2gTensor) near = c2g_tensor_new_sized (dims, n_dims, NULL, NULL);
  float *numbers = c2g_tensor_mutable_data (near, C2G_DATA_TYPE_FLOAT, NULL);

  for (gint64 i = 0; i < c2g_tensor_get_n_elements (near); i++)
    numbers[i] = first + (i * 7 % 11 - 5) / 8.f;
  put (workspace, name, near, NULL);
}

static inline C2gNet *
new_net (C2gWorkspace *workspace,
         const char   *text,
         C2gDevice    *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
  C2gNet *net;

  g_assert_no_error (error);
  c2g_net_def_set_device (def, device);
  net = c2g_workspace_create_net (workspace, def, TRUE, &error);
  g_assert_no_error (error);
  return net;
}

static inline void
model_init (Model      *self,
            const char *text)
{
  self->workspace = c2g_workspace_new ();
  put_numbers (self->workspace, "x", x_dims, 2, 0);
  put_numbers (self->workspace, "w", w_dims, 2, 0.25);
  put_numbers (self->workspace, "b", b_dims, 1, 0);
  put_numbers (self->workspace, "x4", x4_dims, 1, 0);
  put_numbers (self->workspace, "v4", x4_dims, 1, 1);
  put_numbers (self->workspace, "scale", one_dims, 1, 2);
  self->net = new_net (self->workspace, text, first_device ());
  c2g_net_set_device_graph (self->net, TRUE);
}

static inline void
model_clear (Model *self)
{
  g_clear_object (&self->net);
  g_clear_object (&self->workspace);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Model, model_clear)

static inline gint64
count_replays (void)
{
  g_autoptr (C2gStatRegistry) stats = c2g_stat_registry_get_default ();

  return c2g_stat_registry_get_value (stats, "net/graph_runs");
}

/* Runs the net. Returns TRUE if that was done by a graph. */
static inline gboolean
run (C2gNet *net)
{
  const gint64 n_before = count_replays ();
  g_autoptr (GError) error = NULL;

  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
  return count_replays () > n_before;
}

static inline void
warm_up (C2gNet *net)
{
  for (guint i = 0; i < N_WARM_UPS; i++)
    g_assert_false (run (net));
}

static inline C2gTensor *
fetch (C2gWorkspace *workspace,
       const char   *name)
{
  return nets_fetch (workspace, name, first_device ());
}

/* Asserts that a blob has what the net without a graph computes from the same inputs. */
static inline void
assert_right (const Model *model,
              const char  *text,
              const char  *name)
{
  g_autoptr (C2gTensor) got = fetch (model->workspace, name);
  g_autoptr (C2gTensor) wanted = NULL;
  g_autoptr (C2gNet) net = new_net (model->workspace, text, first_device ());
  g_autoptr (GError) error = NULL;

  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
  wanted = fetch (model->workspace, name);
  nets_assert_close (got, wanted);
}
