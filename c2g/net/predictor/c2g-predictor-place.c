/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor-private.h>

#include <c2g/net/run/c2g-net-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>

/* Brings parameters to their devices. Most models fill and load them on the CPU, even if their
 * operators name another device. */

/**
 * c2g_predictor_list_parameters:
 * @self: a predictor
 *
 * Lists the names of the parameters: the blobs that the net, as it was written, reads and does not
 * write, except its inputs.
 *
 * They are the blobs of a checkpoint of the model, which [method@Predictor.save_parameters] saves.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names, each once, in the order in which
 *   the net reads them
 */
char **
c2g_predictor_list_parameters (C2gPredictor *self)
{
  g_autoptr (GHashTable) known = NULL;
  GPtrArray *names;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);

  known = g_hash_table_new (g_str_hash, g_str_equal);
  names = g_ptr_array_new ();
  for (gsize i = 0; self->inputs[i] != NULL; i++)
    g_hash_table_add (known, self->inputs[i]);
  for (gsize i = 0; self->def != NULL && i < c2g_net_def_get_n_operators (self->def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (self->def, i);
      const char * const *inputs = c2g_operator_def_get_inputs (op);
      const char * const *outputs = c2g_operator_def_get_outputs (op);

      for (gsize j = 0; inputs[j] != NULL; j++)
        if (g_hash_table_add (known, (gpointer) inputs[j]))
          g_ptr_array_add (names, g_strdup (inputs[j]));
      for (gsize j = 0; outputs[j] != NULL; j++)
        g_hash_table_add (known, (gpointer) outputs[j]);
    }

  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

static gboolean
is_read_on (C2gPredictor *self,
            const char   *name,
            C2gDevice    *device)
{
  const C2gNetPrivate *priv = c2g_net_get_private (self->net);

  for (guint i = 0; i < priv->n_operators; i++)
    if (c2g_operator_find_input (priv->operators[i], name) >= 0 &&
        c2g_net_get_operator_input_device (priv->operators[i]) == device)
      return TRUE;
  return FALSE;
}

/* Devices hold only plain elements, and operators on a device read other tensors on the CPU. So
 * only plain tensors can move. */
static gboolean
can_go (C2gTensor *tensor)
{
  C2gTypeMeta *meta = c2g_tensor_get_type_meta (tensor);

  return (meta == NULL || c2g_type_meta_is_plain (meta)) && c2g_tensor_check_data (tensor, NULL);
}

/* Moves a parameter. The net holds the blob, so the blob stays and gets another tensor. */
static gboolean
place (C2gPredictor  *self,
       const char    *name,
       GError       **error)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (self->workspace, name, NULL);
  C2gDevice *device = c2g_net_get_input_device (self->net, name);
  C2gBlobContent content = { .kind = C2G_BLOB_OBJECT };
  g_autoptr (C2gTensor) placed = NULL;
  C2gTensor *tensor;

  if (blob == NULL || device == NULL || !c2g_blob_is_tensor (blob, NULL))
    return TRUE;
  tensor = c2g_blob_get_tensor (blob, NULL);
  if (!can_go (tensor) || is_read_on (self, name, c2g_tensor_get_device (tensor)))
    return TRUE;

  placed = c2g_tensor_to_device (tensor, device, error);
  if (placed == NULL)
    {
      g_prefix_error (error, _("Blob “%s”: "), name);
      return FALSE;
    }
  content.object = G_OBJECT (g_steal_pointer (&placed));
  c2g_blob_renew (blob, &content);
  return TRUE;
}

/* Parameters in the parent workspace belong to it and are not moved. */
gboolean
c2g_predictor_place_parameters (C2gPredictor  *self,
                                GError       **error)
{
  g_auto (GStrv) parameters = c2g_predictor_list_parameters (self);
  g_auto (GStrv) blobs = c2g_workspace_list_local_blobs (self->workspace);

  for (gsize i = 0; parameters[i] != NULL; i++)
    if (g_strv_contains ((const char * const *) blobs, parameters[i]) &&
        !place (self, parameters[i], error))
      return FALSE;
  return TRUE;
}
