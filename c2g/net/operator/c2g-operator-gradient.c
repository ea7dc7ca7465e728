/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-operator-gradient.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/net/operator/c2g-operator-registry-private.h>

#include <string.h>

/* Maps operator types to the types that compute their gradients. */

#define GRADIENT_ENDING "_grad"

/* Role of a blob of the gradient operator, in terms of the original operator. */
typedef enum
{
  INPUT,
  OUTPUT,
  INPUT_GRADIENT,
  OUTPUT_GRADIENT,
} BlobKind;

static const char *const kind_names[] = {
  [INPUT] = "I",
  [OUTPUT] = "O",
  [INPUT_GRADIENT] = "GI",
  [OUTPUT_GRADIENT] = "GO",
};

typedef struct
{
  char  *gradient_type;
  char **inputs;
  char **outputs;
} Gradient;

static GMutex gradients_lock;
/* Maps a type to its Gradient. Entries are never removed. */
static GHashTable *gradients;

static void
add_locked (const char         *op_type,
            const char         *gradient_type,
            const char * const *inputs,
            const char * const *outputs)
{
  Gradient *gradient = g_new (Gradient, 1);

  gradient->gradient_type = g_strdup (gradient_type);
  gradient->inputs = g_strdupv ((char **) inputs);
  gradient->outputs = g_strdupv ((char **) outputs);
  g_hash_table_insert (gradients, g_strdup (op_type), gradient);
}

/* Finds the gradient of a type. The gradient of a built-in type is added when it is first needed. */
static const Gradient *
find_locked (const char *op_type)
{
  const C2gKernel *kernel = c2g_operator_registry_find_kernel (op_type);

  if (gradients == NULL)
    gradients = g_hash_table_new (g_str_hash, g_str_equal);
  if (kernel != NULL && kernel->gradient.type != NULL && !g_hash_table_contains (gradients, op_type))
    {
      g_auto (GStrv) inputs = g_strsplit (kernel->gradient.inputs, ",", -1);
      g_auto (GStrv) outputs = g_strsplit (kernel->gradient.outputs, ",", -1);

      add_locked (op_type, kernel->gradient.type, (const char * const *) inputs,
                  (const char * const *) outputs);
    }
  return g_hash_table_lookup (gradients, op_type);
}

static const Gradient *
find_gradient (const char *op_type)
{
  const Gradient *gradient;

  g_mutex_lock (&gradients_lock);
  gradient = find_locked (op_type);
  g_mutex_unlock (&gradients_lock);

  return gradient;
}

static gboolean
parse_blob (const char *text,
            BlobKind   *kind,
            guint64    *number)
{
  gsize length = strcspn (text, "0123456789");

  for (gsize i = 0; i < G_N_ELEMENTS (kind_names); i++)
    if (strlen (kind_names[i]) == length && strncmp (text, kind_names[i], length) == 0)
      {
        *kind = (BlobKind) i;
        return g_ascii_string_to_unsigned (text + length, 10, 0, G_MAXINT32, number, NULL);
      }

  return FALSE;
}

static gboolean
check_blobs (const char * const  *blobs,
             gboolean             are_outputs,
             GError             **error)
{
  BlobKind kind;
  guint64 number;

  for (gsize i = 0; blobs[i] != NULL; i++)
    if (!parse_blob (blobs[i], &kind, &number) || (kind == INPUT_GRADIENT) != are_outputs)
      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                       are_outputs ? _("“%s” is no output of a gradient, expected “GI” and a number")
                                       : _("“%s” is no input of a gradient, expected “I”, “O” or “GO” "
                                        "and a number"),
                       blobs[i]);

  return TRUE;
}

static gboolean
is_same (const Gradient     *gradient,
         const char         *gradient_type,
         const char * const *inputs,
         const char * const *outputs)
{
  return g_str_equal (gradient->gradient_type, gradient_type) &&
         g_strv_equal ((const char * const *) gradient->inputs, inputs) &&
         g_strv_equal ((const char * const *) gradient->outputs, outputs);
}

/**
 * c2g_operator_register_gradient:
 * @op_type: the type that definitions name
 * @gradient_type: the type of the operator that computes its gradient
 * @inputs: (array zero-terminated=1): what that one reads: `I0`, `I1`, … are inputs of the
 *   operator, `O0`, … its outputs, `GO0`, … the gradients of its outputs
 * @outputs: (array zero-terminated=1): what that one writes: `GI0`, … are the gradients of the
 *   inputs of the operator
 * @error: return location for an error
 *
 * Registers the operator type that computes the gradient of another one.
 *
 * ```python
 * C2g.Operator.register_gradient('Mine', 'MineGradient', ['I0', 'GO0'], ['GI0'])
 * ```
 *
 * Registering the same again changes nothing. A registration cannot be removed.
 *
 * Errors: `C2G_ERROR_EXISTS` if the type has another gradient, `C2G_ERROR_INVALID_ARGUMENT`
 * for an input or an output that does not exist.
 *
 * Returns: `TRUE` if [method@OperatorDef.make_gradient] knows it from now on
 */
gboolean
c2g_operator_register_gradient (const char          *op_type,
                                const char          *gradient_type,
                                const char * const  *inputs,
                                const char * const  *outputs,
                                GError             **error)
{
  const Gradient *old;

  g_return_val_if_fail (op_type != NULL, FALSE);
  g_return_val_if_fail (gradient_type != NULL, FALSE);
  g_return_val_if_fail (inputs != NULL, FALSE);
  g_return_val_if_fail (outputs != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_blobs (inputs, FALSE, error) || !check_blobs (outputs, TRUE, error))
    return FALSE;

  g_mutex_lock (&gradients_lock);
  old = find_locked (op_type);
  if (old == NULL)
    add_locked (op_type, gradient_type, inputs, outputs);
  g_mutex_unlock (&gradients_lock);

  if (old == NULL || is_same (old, gradient_type, inputs, outputs))
    return TRUE;
  return c2g_fail (error, C2G_ERROR_EXISTS,
                   _("Operators of type “%s” have a gradient already: “%s”"), op_type,
                   old->gradient_type);
}

static const char *
find_name (C2gOperatorDef     *def,
           const char * const *output_gradients,
           BlobKind            kind,
           guint64             number)
{
  const char * const *names = kind == INPUT || kind == INPUT_GRADIENT
                                ? c2g_operator_def_get_inputs (def)
                                : c2g_operator_def_get_outputs (def);

  if (kind == OUTPUT_GRADIENT && output_gradients != NULL)
    names = output_gradients;
  return number < g_strv_length ((char **) names) ? names[number] : NULL;
}

/* Returns a name to be freed with g_free(), or NULL if the operator has no such blob. */
static char *
make_name (C2gOperatorDef     *def,
           const char * const *output_gradients,
           const char         *blob)
{
  BlobKind kind = INPUT;
  guint64 number = 0;
  const char *name;

  parse_blob (blob, &kind, &number);
  name = find_name (def, output_gradients, kind, number);
  if (kind == INPUT_GRADIENT || (kind == OUTPUT_GRADIENT && output_gradients == NULL))
    return name != NULL ? g_strconcat (name, GRADIENT_ENDING, NULL) : NULL;
  return g_strdup (name);
}

/* Returns names to be freed with g_strfreev(). */
static char **
make_names (C2gOperatorDef      *def,
            const char * const  *output_gradients,
            char               **blobs,
            GError             **error)
{
  g_auto (GStrv) names = g_new0 (char *, g_strv_length (blobs) + 1);

  for (gsize i = 0; blobs[i] != NULL; i++)
    {
      names[i] = make_name (def, output_gradients, blobs[i]);
      if (names[i] == NULL)
        return c2g_fail_null (error, C2G_ERROR_INVALID_ARGUMENT,
                              _("The gradient of “%s” needs “%s”, which the operator does not have"),
                              c2g_operator_def_get_op_type (def), blobs[i]);
    }

  return g_steal_pointer (&names);
}

/**
 * c2g_operator_def_make_gradient:
 * @self: the definition of an operator
 * @output_gradients: (nullable) (array zero-terminated=1): names of the gradients of the outputs,
 *   in their order; `NULL` for the names of the outputs with `_grad` behind them
 * @error: return location for an error
 *
 * Makes the definition of the operator that computes the gradient of another one.
 *
 * It has the arguments, the engine and the device of @self. The gradients of inputs that it writes
 * have the names of these, with `_grad` behind them.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if no gradient of the type is known,
 * `C2G_ERROR_INVALID_ARGUMENT` if the gradient needs a blob that is not there.
 *
 * Returns: (transfer full): a new definition
 */
C2gOperatorDef *
c2g_operator_def_make_gradient (C2gOperatorDef      *self,
                                const char * const  *output_gradients,
                                GError             **error)
{
  g_autoptr (C2gOperatorDef) def = NULL;
  g_auto (GStrv) inputs = NULL;
  g_auto (GStrv) outputs = NULL;
  const Gradient *gradient;
  const char *op_type;

  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  op_type = c2g_operator_def_get_op_type (self);
  gradient = op_type != NULL ? find_gradient (op_type) : NULL;
  if (gradient == NULL)
    return c2g_fail_null (error, C2G_ERROR_NOT_FOUND,
                          _("No gradient of operators of type “%s” is known"),
                          op_type != NULL ? op_type : "");
  inputs = make_names (self, output_gradients, gradient->inputs, error);
  outputs = inputs != NULL ? make_names (self, output_gradients, gradient->outputs, error) : NULL;
  if (outputs == NULL)
    return NULL;

  def = c2g_operator_def_copy (self);
  c2g_operator_def_set_op_type (def, gradient->gradient_type);
  c2g_operator_def_set_name (def, NULL);
  c2g_operator_def_set_inputs (def, (const char * const *) inputs);
  c2g_operator_def_set_outputs (def, (const char * const *) outputs);
  c2g_operator_def_set_control_inputs (def, NULL);
  c2g_operator_def_set_is_gradient_op (def, TRUE);
  return g_steal_pointer (&def);
}
