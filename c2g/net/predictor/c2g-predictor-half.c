/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor-private.h>

#include <c2g/core/tensor/c2g-tensor-convert.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>
#include <c2g/def/c2g-net-def-private.h>
#include <c2g/def/c2g-operator-def-private.h>
#include <c2g/net/operator/c2g-operator-registry-private.h>

/* Rewrites the net of a predictor for a device, so that operators that know 16 bits compute with
 * float16. Values of 16 bits have blobs of their own. Operators that do not know them, and readers of the
 * outputs, get floats by HalfToFloat. Parameters that only operators of 16 bits read are converted
 * once. */

/* What is known of a name at a place in the net. */
typedef struct
{
  gboolean is_real;
  gboolean has_floats;
  gboolean has_halves;
  /* The blob of the halves. */
  char    *halves;
} Value;

typedef struct
{
  C2gPredictor *predictor;
  C2gDevice    *device;
  C2gNetDef    *old;
  C2gNetDef    *def;
  /* Values by their names. */
  GHashTable   *values;
  /* Names that the net writes or that are set for each run, and parameters that must stay floats. */
  GHashTable   *changing;
  GHashTable   *kept;
} Halving;

static void
value_free (gpointer data)
{
  Value *self = data;

  g_free (self->halves);
  g_free (self);
}

/* Returns TRUE if all operators run on one device, not the CPU. Those that are no kernels may have nets
 * of their own, which look blobs up by their names. */
static gboolean
find_device (C2gPredictor  *self,
             C2gDevice    **device)
{
  *device = self->device;
  if (*device == NULL && !c2g_net_def_resolve_device (self->def, device, NULL))
    return FALSE;
  for (gsize i = 0; i < c2g_net_def_get_n_operators (self->def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (self->def, i);
      C2gDevice *own = NULL;

      if (c2g_operator_def_get_n_control_inputs (op) > 0 ||
          c2g_operator_registry_find_kernel (c2g_operator_def_get_op_type (op)) == NULL ||
          !c2g_operator_def_resolve_device (op, &own, NULL) ||
          (self->device == NULL && own != NULL && own != *device))
        return FALSE;
    }
  return *device != NULL && *device != c2g_device_cpu ();
}

/* Returns the tensor of a parameter of floats, or NULL. */
static C2gTensor *
find_parameter (Halving    *self,
                const char *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (self->predictor->workspace, name, NULL);
  C2gTensor *tensor;

  if (g_hash_table_contains (self->changing, name) || blob == NULL ||
      !c2g_blob_is_tensor (blob, NULL))
    return NULL;
  tensor = c2g_blob_get_tensor (blob, NULL);
  return c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_FLOAT &&
             c2g_tensor_address (tensor) != NULL
           ? tensor
           : NULL;
}

static Value *
find_value (Halving    *self,
            const char *name)
{
  Value *value = g_hash_table_lookup (self->values, name);

  if (value != NULL)
    return value;

  value = g_new0 (Value, 1);
  value->has_floats = TRUE;
  value->is_real = find_parameter (self, name) != NULL;
  value->halves = g_strconcat (name, "_half", NULL);
  while (g_hash_table_contains (self->changing, value->halves) ||
         c2g_workspace_has_blob (self->predictor->workspace, value->halves))
    {
      char *longer = g_strconcat (value->halves, "_half", NULL);

      g_free (value->halves);
      value->halves = longer;
    }
  g_hash_table_insert (self->values, g_strdup (name), value);
  return value;
}

/* The parameters of operators for images that have no filters are always floats. */
static gsize
count_halves (C2gOperatorDef *op)
{
  const C2gTraits traits = c2g_operator_registry_find_traits (op);
  const gboolean is_first =
    (traits & C2G_TRAIT_IMAGES) != 0 && (traits & C2G_TRAIT_FILTERS) == 0;

  return is_first ? 1 : g_strv_length ((char **) c2g_operator_def_get_inputs (op));
}

/* Returns TRUE if the operator computes with halves: it knows them, and all its operands are real
 * numbers. An operator whose result is always float reads floats first. */
static gboolean
is_half (Halving        *self,
         C2gOperatorDef *op)
{
  const C2gTraits traits = c2g_operator_registry_find_traits (op);
  const char * const *inputs = c2g_operator_def_get_inputs (op);
  const char * const *outputs = c2g_operator_def_get_outputs (op);
  const gsize n = count_halves (op);

  if ((traits & C2G_TRAIT_HALF) == 0 || inputs[0] == NULL || outputs[0] == NULL ||
      outputs[1] != NULL)
    return FALSE;
  if ((traits & C2G_TRAIT_FLOAT) != 0 && !g_hash_table_contains (self->values, inputs[0]))
    find_value (self, inputs[0])->is_real = TRUE;
  for (gsize i = 0; i < n; i++)
    if (!find_value (self, inputs[i])->is_real)
      return FALSE;
  return TRUE;
}

static void
learn_outputs (Halving        *self,
               C2gOperatorDef *op,
               gboolean        halves)
{
  const C2gTraits traits = c2g_operator_registry_find_traits (op);
  const char * const *inputs = c2g_operator_def_get_inputs (op);
  const char * const *outputs = c2g_operator_def_get_outputs (op);
  const gboolean is_real =
    halves || (traits & C2G_TRAIT_FLOAT) != 0 ||
    ((traits & C2G_TRAIT_SAME_TYPE) != 0 && inputs[0] != NULL && find_value (self, inputs[0])->is_real);

  for (gsize i = 0; outputs[i] != NULL; i++)
    {
      Value *value = find_value (self, outputs[i]);

      value->is_real = is_real && i == 0;
      value->has_halves = halves;
      value->has_floats = !halves;
    }
}

/* Finds the parameters that somebody reads as floats. */
static void
keep_floats (Halving *self)
{
  for (gsize i = 0; i < c2g_net_def_get_n_operators (self->old); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (self->old, i);
      const char * const *inputs = c2g_operator_def_get_inputs (op);
      const gboolean halves = is_half (self, op);

      for (gsize k = halves ? count_halves (op) : 0; inputs[k] != NULL; k++)
        g_hash_table_add (self->kept, g_strdup (inputs[k]));
      learn_outputs (self, op, halves);
    }
  g_hash_table_remove_all (self->values);
}

static void
add_conversion (Halving    *self,
                const char *type,
                const char *from,
                const char *to)
{
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new (type);

  c2g_operator_def_set_inputs (op, (const char *const[]) { from, NULL });
  c2g_operator_def_set_outputs (op, (const char *const[]) { to, NULL });
  c2g_operator_def_set_device (op, self->device);
  c2g_net_def_add_operator (self->def, op);
}

/* A parameter of the parent workspace is not changed: the predictor gets its own. */
static gboolean
convert_parameter (Halving     *self,
                   const char  *name,
                   C2gTensor   *tensor,
                   GError     **error)
{
  C2gWorkspace *workspace = self->predictor->workspace;
  g_autoptr (C2gTensor) halves =
    c2g_tensor_convert (tensor, C2G_DATA_TYPE_FLOAT16, C2G_CONVERT_SATURATE, error);
  g_autoptr (C2gBlob) blob =
    halves != NULL ? c2g_workspace_create_local_blob (workspace, name, error) : NULL;

  if (blob == NULL)
    {
      g_prefix_error (error, _("Blob “%s”: "), name);
      return FALSE;
    }
  c2g_blob_set_object (blob, G_OBJECT (halves));
  return TRUE;
}

/* Returns the blob with the halves of a value; NULL with an error. */
static const char *
use_halves (Halving     *self,
            const char  *name,
            GError     **error)
{
  Value *value = find_value (self, name);
  C2gTensor *parameter = find_parameter (self, name);

  if (value->has_halves)
    return value->halves;
  if (parameter == NULL || g_hash_table_contains (self->kept, name))
    add_conversion (self, "FloatToHalf", name, value->halves);
  else if (convert_parameter (self, name, parameter, error))
    {
      g_free (value->halves);
      value->halves = g_strdup (name);
    }
  else
    return NULL;
  value->has_halves = TRUE;
  return value->halves;
}

static const char *
use_floats (Halving    *self,
            const char *name)
{
  Value *value = find_value (self, name);

  if (!value->has_floats)
    add_conversion (self, "HalfToFloat", value->halves, name);
  value->has_floats = TRUE;
  return name;
}

static gboolean
add_operator (Halving         *self,
              C2gOperatorDef  *old,
              GError         **error)
{
  const gboolean halves = is_half (self, old);
  const gsize n_halves = halves ? count_halves (old) : 0;
  const char * const *names = c2g_operator_def_get_inputs (old);
  const char * const *outputs = c2g_operator_def_get_outputs (old);
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_copy (old);
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();

  for (gsize i = 0; names[i] != NULL; i++)
    {
      const char *name = i < n_halves ? use_halves (self, names[i], error) : use_floats (self, names[i]);

      if (name == NULL)
        return FALSE;
      g_ptr_array_add (inputs, (gpointer) name);
    }
  g_ptr_array_add (inputs, NULL);
  c2g_operator_def_set_inputs (op, (const char * const *) inputs->pdata);
  if (halves)
    c2g_operator_def_set_outputs (
      op, (const char *const[]) { find_value (self, outputs[0])->halves, NULL });
  c2g_net_def_add_operator (self->def, op);
  learn_outputs (self, old, halves);
  return TRUE;
}

static gboolean
add_operators (Halving             *self,
               const char * const  *outputs,
               GError             **error)
{
  while (c2g_net_def_get_n_operators (self->def) > 0)
    c2g_net_def_remove_operator (self->def, 0);
  for (gsize i = 0; i < c2g_net_def_get_n_operators (self->old); i++)
    if (!add_operator (self, c2g_net_def_get_operator (self->old, i), error))
      return FALSE;
  for (gsize i = 0; outputs[i] != NULL; i++)
    use_floats (self, outputs[i]);
  return TRUE;
}

static void
halving_clear (Halving *self)
{
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->changing);
  g_hash_table_unref (self->kept);
  g_object_unref (self->old);
  g_object_unref (self->def);
}

gboolean
c2g_predictor_make_half (C2gPredictor        *self,
                         const char * const  *given,
                         const char * const  *outputs,
                         GError             **error)
{
  Halving halving = { .predictor = self };
  gboolean is_done;

  if (!find_device (self, &halving.device))
    return TRUE;

  halving.values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, value_free);
  halving.changing = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  halving.kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  halving.old = g_object_ref (self->def);
  halving.def = c2g_net_def_copy (self->def);
  for (gsize i = 0; given[i] != NULL; i++)
    g_hash_table_add (halving.changing, g_strdup (given[i]));
  for (gsize i = 0; i < c2g_net_def_get_n_operators (self->def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (self->def, i);

      for (const char * const *name = c2g_operator_def_get_outputs (op); *name != NULL; name++)
        g_hash_table_add (halving.changing, g_strdup (*name));
    }

  keep_floats (&halving);
  is_done = add_operators (&halving, outputs, error);
  if (is_done)
    g_set_object (&self->def, halving.def);
  halving_clear (&halving);
  return is_done;
}
