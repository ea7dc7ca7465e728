/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-operator-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>

/* Runs operators on other devices than the CPU. */

/* Operators of a net share one stream of each device, so that their work is done in order; each
 * has its own random generator. */
C2gContext *
c2g_operator_create_context (C2gOperatorPrivate  *priv,
                             GPtrArray           *contexts,
                             GError             **error)
{
  C2gDevice *device = priv->device;
  C2gContext *shared = contexts != NULL ? c2g_context_find (contexts, device) : NULL;
  C2gContext *context = shared != NULL ? c2g_device_backend_create_context_like (shared) : NULL;

  if (context != NULL)
    return context;

  context = c2g_context_for_device (device, error);
  if (context != NULL && contexts != NULL && device->type != C2G_DEVICE_TYPE_CPU)
    g_ptr_array_add (contexts, g_object_ref (context));

  return context;
}

/* Returns TRUE if the kernel is registered under an engine of the device, rather than as a device
 * implementation of its own. */
static gboolean
has_device_engine (const C2gImplementation *implementation)
{
  return implementation->kernel != NULL && implementation->kernel->device_engine != NULL &&
         g_strcmp0 (implementation->engine, implementation->kernel->device_engine) == 0;
}

const C2gDeviceCompute *
c2g_operator_find_compute (const C2gImplementation  *implementation,
                           C2gDevice                *device,
                           GError                  **error)
{
  if (device->type == C2G_DEVICE_TYPE_CPU)
    return NULL;
  if (has_device_engine (implementation))
    return c2g_device_backend_get_engine (device, implementation->engine, error);
  return c2g_device_backend_get_compute (device);
}

/* Checks that the device has functions for the kernel, because a kernel itself computes only on
 * the CPU. If the device is absent, the error says so. */
gboolean
c2g_operator_check_compute (const C2gOperatorPrivate  *priv,
                            const C2gImplementation   *implementation,
                            GError                   **error)
{
  g_autoptr (C2gContext) context = NULL;

  if (priv->kernel == NULL || priv->device->type == C2G_DEVICE_TYPE_CPU || priv->compute != NULL)
    return TRUE;
  if (has_device_engine (implementation))
    return c2g_operator_find_compute (implementation, priv->device, error) != NULL;

  context = c2g_context_for_device (priv->device, error);
  if (context != NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("No operator can run on %s: its library has no functions for them"), priv->device->name);
  return FALSE;
}

static gboolean
wait_for_uses (C2gOperatorPrivate  *priv,
               C2gBlob             *blob,
               GError             **error)
{
  C2gTensor *tensor = c2g_blob_content_get_tensor (&blob->content);

  return tensor == NULL || tensor->storage == NULL ||
         c2g_storage_wait_for_uses (tensor->storage, priv->context, error);
}

/* Queues later work of the operator behind all earlier uses of its inputs and outputs, also
 * those in other contexts. */
static gboolean
wait_for_others (C2gOperatorPrivate  *priv,
                 GError             **error)
{
  for (guint i = 0; i < priv->n_inputs; i++)
    if (!wait_for_uses (priv, priv->inputs[i], error))
      return FALSE;
  for (guint i = 0; i < priv->n_outputs; i++)
    if (!wait_for_uses (priv, priv->outputs[i], error))
      return FALSE;

  return TRUE;
}

gboolean
c2g_operator_wait_for_devices (C2gOperator  *self,
                               GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  return priv->device->type != C2G_DEVICE_TYPE_CPU || wait_for_others (priv, error);
}

static void
record_use (C2gOperatorPrivate *priv,
            C2gBlob            *blob)
{
  C2gTensor *tensor = c2g_blob_content_get_tensor (&blob->content);

  if (tensor != NULL && tensor->storage != NULL)
    c2g_storage_record_use (tensor->storage, priv->context);
}

/* Takes references to the memory of the inputs: an in-place output may replace it during the
 * run. */
static void
hold_inputs (C2gOperatorPrivate *priv)
{
  if (priv->held == NULL)
    priv->held = g_new0 (C2gStorage *, priv->n_inputs + 1);

  for (guint i = 0; i < priv->n_inputs; i++)
    {
      C2gTensor *tensor = c2g_blob_content_get_tensor (&priv->inputs[i]->content);

      if (tensor != NULL && tensor->storage != NULL)
        priv->held[i] = c2g_storage_ref (tensor->storage);
    }
}

/* Records the use after the work was queued: waiters wait for everything queued before this
 * point. */
static void
record_inputs (C2gOperatorPrivate *priv)
{
  for (guint i = 0; i < priv->n_inputs; i++)
    if (priv->held[i] != NULL)
      {
        c2g_storage_record_use (priv->held[i], priv->context);
        g_clear_pointer (&priv->held[i], c2g_storage_unref);
      }
}

/* Profilers see the type of the operator, and the name of its first output. */
static void
begin_range (C2gOperatorPrivate *priv)
{
  const char *const *outputs = c2g_operator_def_get_outputs (priv->def);

  c2g_device_backend_begin_range (priv->device, c2g_operator_def_get_op_type (priv->def),
                                  priv->n_outputs > 0 ? outputs[0] : "");
}

/* Runs the operator in the order of its device. The work may still be running on return: the
 * recorded uses keep the memory until the work is done. */
gboolean
c2g_operator_run_in_order (C2gOperator     *self,
                           gpointer         state,
                           C2gOperatorRun   run,
                           GError         **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);
  gboolean is_done;

  if (!wait_for_others (priv, error))
    return FALSE;
  hold_inputs (priv);
  begin_range (priv);
  is_done = run (self, state, error);
  c2g_device_backend_end_range (priv->device);
  record_inputs (priv);
  for (guint i = 0; i < priv->n_outputs; i++)
    record_use (priv, priv->outputs[i]);

  /* If the device has no common order of all work, the operator must finish before the next one
   * begins. */
  if (is_done && !c2g_device_backend_has_common_order (priv->device))
    return c2g_context_finish (priv->context, error);
  return is_done;
}

static gboolean
run_on_device (C2gOperator  *self,
               gpointer      state,
               GError      **error)
{
  return c2g_operator_run_in_order (self, state, c2g_operator_get_private (self)->kernel->run,
                                    error);
}

gboolean
c2g_operator_fail_on_device (C2gOperator  *self,
                             GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("This cannot run on %s with these arguments and inputs; let it run on the CPU"),
                   priv->device->name);
}

C2gTensor *
c2g_operator_bring_near (C2gOperator  *self,
                         guint         input,
                         C2gTensor    *tensor,
                         GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);
  C2gTensor *near;

  if (tensor->device->type == C2G_DEVICE_TYPE_CPU || tensor->storage == NULL)
    return tensor;
  if (priv->near == NULL)
    priv->near = g_new0 (C2gTensor *, priv->n_inputs);
  if (priv->near[input] == NULL)
    priv->near[input] = c2g_tensor_new ();

  near = priv->near[input];
  if (!c2g_tensor_copy_from (near, tensor, priv->context, error) ||
      !c2g_context_finish (priv->context, error))
    return NULL;
  return near;
}

void
c2g_operator_clear_near (C2gOperatorPrivate *priv)
{
  for (guint i = 0; priv->near != NULL && i < priv->n_inputs; i++)
    g_clear_object (&priv->near[i]);
  g_clear_pointer (&priv->near, g_free);
}

const C2gDeviceCompute *
c2g_operator_get_compute (C2gOperator *self)
{
  return c2g_operator_get_private (self)->compute;
}

gboolean
c2g_operator_compute (C2gOperator              *self,
                      const C2gComputeRequest  *request,
                      GError                  **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  return priv->compute->run (priv->context, request, error);
}

C2gOperatorRun
c2g_operator_choose_run (const C2gOperatorPrivate *priv)
{
  if (priv->compute == NULL)
    return priv->kernel->run;
  return run_on_device;
}
