/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Workspace, blob, tensor, storage: the whole hierarchy in one program. */
#include <c2g/c2g.h>
#include <locale.h>

static void
on_reallocated_cb (C2gTensor *tensor, guint64 old_capacity, guint64 new_capacity)
{
  g_print ("reallocated: %d -> %d bytes\n", (int) old_capacity, (int) new_capacity);
}

/* A workspace owns blobs and finds them by name; here a blob gets a tensor on the CPU. */
static C2gTensor *
add_tensor (C2gWorkspace *self, const char *name, const gint64 *dims, gsize n_dims, GError **error)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (self, name, error);
  C2gTensor *tensor = blob != NULL ? c2g_blob_ensure_tensor (blob, NULL, error) : NULL;
  return tensor != NULL && c2g_tensor_resize (tensor, dims, n_dims, error) ? tensor : NULL;
}

static gboolean
run (C2gWorkspace *workspace, C2gContext *cpu, GError **error)
{
  C2gTensor *weights = add_tensor (workspace, "weights", (gint64[]) { 2, 3 }, 2, error);
  float *data = weights ? c2g_tensor_mutable_data (weights, C2G_DATA_TYPE_FLOAT, error) : NULL;
  if (data == NULL)
    return FALSE;
  for (int i = 0; i < 6; i++)
    data[i] = i + 1;
  g_autofree char *text = c2g_tensor_to_string (weights, 6);
  g_print ("weights: %s\n", text);

  /* A tensor that needs more room gets another block, and emits a signal. */
  g_signal_connect (weights, "reallocated", G_CALLBACK (on_reallocated_cb), NULL);
  if (!c2g_tensor_resize (weights, (gint64[]) { 4, 3 }, 2, error) ||
      !c2g_context_fill (cpu, weights, 0.5, error))
    return FALSE;
  /* Two tensors share one storage, so a write to one changes both. */
  C2gTensor *view = add_tensor (workspace, "view", (gint64[]) { 12 }, 1, error);
  if (view == NULL || !c2g_tensor_share_data (view, weights, error) ||
      !c2g_tensor_set_value (view, 0, 10, error))
    return FALSE;
  g_print ("weights[0] = %g\n", c2g_tensor_get_value (weights, 0, error));
  /* An error says what was expected. */
  g_autoptr (GError) shape_error = NULL;
  if (!c2g_tensor_reshape (weights, (gint64[]) { 5 }, 1, &shape_error))
    g_print ("error: %s\n", shape_error->message);
  C2gTensor *labels = add_tensor (workspace, "labels", (gint64[]) { 4 }, 1, error);
  return labels != NULL && c2g_tensor_allocate (labels, C2G_DATA_TYPE_INT64, error);
}

int
main (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gContext) cpu = c2g_cpu_context_new ();
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "");
  if (!run (workspace, cpu, &error))
    g_printerr ("hierarchy: %s\n", error->message);
  /* The report lists memory by the names of blobs. */
  g_autofree char *report = c2g_memory_reporter_dup_report (reporter);
  g_print ("%s", report);
  return error != NULL;
}
