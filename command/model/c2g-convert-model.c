/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-convert-model.h"
#include "c2g-model.h"

/* Writes a model of Caffe as two nets of Caffe2: an init net with the parameters, and the net to
 * run. */

static void
set_shape (C2gOperatorDef *op,
           C2gTensor      *tensor)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

  c2g_operator_def_set_ints (op, "shape", dims, n_dims);
}

/* Caffe2's exporter also fills an input with a single zero. */
static C2gOperatorDef *
new_placeholder (void)
{
  C2gOperatorDef *op = c2g_operator_def_new ("ConstantFill");
  const gint64 one = 1;

  c2g_operator_def_set_ints (op, "shape", &one, 1);
  return op;
}

static gboolean
add_fill (C2gNetDef     *net,
          C2gWorkspace  *workspace,
          const char    *name,
          GError       **error)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
  C2gTensor *tensor = blob != NULL ? c2g_blob_get_tensor (blob, NULL) : NULL;
  g_autoptr (C2gOperatorDef) op = NULL;
  const float *values;

  if (tensor == NULL || !c2g_tensor_is_allocated (tensor))
    op = new_placeholder ();
  else
    {
      values = c2g_tensor_data (tensor, C2G_DATA_TYPE_FLOAT, error);
      if (values == NULL)
        return FALSE;
      op = c2g_operator_def_new ("GivenTensorFill");
      set_shape (op, tensor);
      c2g_operator_def_set_floats (op, "values", values, c2g_tensor_get_n_elements (tensor));
    }
  c2g_operator_def_add_output (op, name);
  c2g_net_def_add_operator (net, op);
  return TRUE;
}

static C2gNetDef *
make_init_net (C2gNetDef     *predict,
               C2gWorkspace  *workspace,
               GError       **error)
{
  const char *const *names = c2g_net_def_get_external_inputs (predict);
  g_autoptr (C2gNetDef) net = c2g_net_def_new (c2g_net_def_get_name (predict));

  for (; *names != NULL; names++)
    {
      if (!add_fill (net, workspace, *names, error))
        return NULL;
      c2g_net_def_add_external_output (net, *names);
    }
  return g_steal_pointer (&net);
}

static gboolean
save (C2gNetDef     *net,
      const char    *name,
      GCancellable  *cancellable,
      GError       **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (name);

  return c2g_net_def_save_file (net, file, FALSE, cancellable, error);
}

gboolean
c2g_convert_model (const char     *in,
                   char          **out,
                   GCancellable   *cancellable,
                   GError        **error)
{
  g_autoptr (C2gModel) model = c2g_model_new (in, cancellable, error);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) predict = NULL;
  g_autoptr (C2gNetDef) init = NULL;

  predict = model != NULL ? c2g_model_load_caffe (model, workspace, cancellable, error) : NULL;
  init = predict != NULL ? make_init_net (predict, workspace, error) : NULL;
  return init != NULL && save (init, out[0], cancellable, error) && save (predict, out[1], cancellable, error);
}
