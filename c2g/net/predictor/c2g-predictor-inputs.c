/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor-private.h>

/* Finds out which blobs of a model are its inputs. c2g_predictor_find_inputs() tries four rules,
 * the most reliable first. */

static void
add_outputs (GHashTable *made,
             C2gNetDef  *def)
{
  for (gsize i = 0; def != NULL && i < c2g_net_def_get_n_operators (def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (def, i);
      const char * const *outputs = c2g_operator_def_get_outputs (op);

      for (gsize j = 0; outputs[j] != NULL; j++)
        g_hash_table_add (made, (gpointer) outputs[j]);
    }
}

static void
add_input (GPtrArray  *inputs,
           GHashTable *made,
           const char *name)
{
  if (g_hash_table_add (made, (gpointer) name))
    g_ptr_array_add (inputs, g_strdup (name));
}

/* Lists the blobs that the net reads and nothing writes. */
static char **
find_unmade (const C2gPredictorSource *source,
             const char * const       *externals)
{
  g_autoptr (GHashTable) made = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *inputs = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (source->init_nets); i++)
    add_outputs (made, source->init_nets[i]);
  for (gsize i = 0; externals[i] != NULL; i++)
    if (!c2g_workspace_has_blob (source->workspace, externals[i]))
      add_input (inputs, made, externals[i]);

  for (gsize i = 0; externals[0] == NULL && i < c2g_net_def_get_n_operators (source->predict_net);
       i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (source->predict_net, i);
      const char * const *names = c2g_operator_def_get_inputs (op);

      for (gsize j = 0; names[j] != NULL; j++)
        if (!c2g_workspace_has_blob (source->workspace, names[j]))
          add_input (inputs, made, names[j]);
      names = c2g_operator_def_get_outputs (op);
      for (gsize j = 0; names[j] != NULL; j++)
        g_hash_table_add (made, (gpointer) names[j]);
    }

  g_ptr_array_add (inputs, NULL);
  return (char **) g_ptr_array_free (inputs, FALSE);
}

/* Returns TRUE if the only element is the number 0. The tensor may be on any device. */
static gboolean
is_zero (C2gTensor *tensor)
{
  g_autoptr (C2gTensor) near = c2g_tensor_to_device (tensor, c2g_device_cpu (), NULL);
  g_autoptr (GError) error = NULL;

  return near != NULL && c2g_tensor_get_value (near, 0, &error) == 0 && error == NULL;
}

gboolean
c2g_predictor_is_placeholder (C2gWorkspace *workspace,
                              const char   *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
  C2gTensor *tensor;

  if (blob == NULL || !c2g_blob_is_tensor (blob, NULL))
    return blob == NULL || c2g_blob_is_empty (blob);
  tensor = c2g_blob_get_tensor (blob, NULL);
  /* A blob without elements, or with a single zero, is a placeholder. Inputs of Caffe's models have
   * a shape but no data. */
  return c2g_tensor_get_n_elements (tensor) == 0 || !c2g_tensor_is_allocated (tensor) ||
         (c2g_tensor_get_n_elements (tensor) == 1 && is_zero (tensor));
}

static gboolean
is_first_input (C2gNetDef  *def,
                const char *name)
{
  gboolean is_first = FALSE;

  for (gsize i = 0; !is_first && i < c2g_net_def_get_n_operators (def); i++)
    is_first = g_strcmp0 (
                 c2g_operator_def_get_inputs (c2g_net_def_get_operator (def, i))[0], name) == 0;
  return is_first;
}

/* Lists the inputs of operators that are placeholders. A parameter can be a single zero too. So if
 * the first input of some operator is a placeholder, only first inputs count: operators read data
 * there and parameters behind it. */
static char **
find_placeholders (const C2gPredictorSource *source,
                   const char * const       *externals)
{
  GPtrArray *inputs = g_ptr_array_new ();

  gboolean has_first = FALSE;

  for (gsize i = 0; externals[i] != NULL; i++)
    {
      gboolean is_first = is_first_input (source->predict_net, externals[i]);

      if (!c2g_predictor_is_placeholder (source->workspace, externals[i]) ||
          (has_first && !is_first))
        continue;
      if (is_first && !has_first)
        g_ptr_array_set_size (inputs, 0);
      has_first |= is_first;
      g_ptr_array_add (inputs, g_strdup (externals[i]));
    }

  g_ptr_array_add (inputs, NULL);
  g_ptr_array_set_free_func (inputs, NULL);
  return (char **) g_ptr_array_free (inputs, FALSE);
}

/* Lists the candidates without the blobs of the parent workspace, which are never inputs. */
static char **
find_local (const C2gPredictorSource *source,
            const char * const       *externals)
{
  g_auto (GStrv) blobs = c2g_workspace_list_local_blobs (source->workspace);
  GPtrArray *inputs = g_ptr_array_new ();

  for (gsize i = 0; externals[i] != NULL; i++)
    if (g_strv_contains ((const char * const *) blobs, externals[i]))
      g_ptr_array_add (inputs, g_strdup (externals[i]));
  g_ptr_array_add (inputs, NULL);
  return (char **) g_ptr_array_free (inputs, FALSE);
}

/* Rules, in order: the declared names; blobs that nothing fills; blobs that hold a placeholder, a
 * single zero, as exported models write for inputs; or else, as in Caffe2, any blob may be given
 * and none is required. */
char **
c2g_predictor_find_inputs (const C2gPredictorSource *source,
                           gboolean                 *are_required)
{
  const char * const *externals = c2g_net_def_get_external_inputs (source->predict_net);
  char **inputs;

  *are_required = TRUE;
  if (source->inputs != NULL && source->inputs[0] != NULL)
    return g_strdupv ((char **) source->inputs);

  inputs = find_unmade (source, externals);
  if (inputs[0] != NULL)
    return inputs;
  g_strfreev (inputs);

  inputs = find_placeholders (source, externals);
  if (inputs[0] != NULL)
    return inputs;
  g_strfreev (inputs);
  *are_required = FALSE;
  return find_local (source, externals);
}

gboolean
c2g_predictor_is_learned (C2gPredictor *self,
                          gsize         input)
{
  return !self->are_required && !is_first_input (self->def, self->inputs[input]);
}
