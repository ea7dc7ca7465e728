/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-operator-schema-private.h>

#include <c2g/def/c2g-operator-def-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Schemas say how many inputs and outputs an operator type has, which may be in place, and which
 * arguments. */

struct _C2gOperatorSchema
{
  gatomicrefcount  ref_count;

  guint            min_inputs;
  guint            max_inputs;
  guint            min_outputs;
  guint            max_outputs;

  /* Array of C2gSchemaPair: outputs that may be in place. */
  GArray          *in_place;
  /* any: each input may be the output of the same number. all: each input may be any output. */
  gboolean         is_any_in_place;
  gboolean         is_all_in_place;
  /* Array of C2gSchemaPair: outputs that share memory with an input. */
  GArray          *shared;

  char           **required;
  /* Names of optional arguments; NULL if any are accepted. */
  char           **accepted;
  /* The arguments of a built-in operator; replaces the lists of names above. */
  const C2gKernelArgument *known;
  gboolean         can_infer;
  char            *documentation;
};

G_DEFINE_ENUM_TYPE (C2gArgumentUse, c2g_argument_use,
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_USE_READ, "read"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_USE_IGNORED, "ignored"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_USE_REFUSED, "refused"))

G_DEFINE_BOXED_TYPE (C2gOperatorSchema, c2g_operator_schema, c2g_operator_schema_ref,
                     c2g_operator_schema_unref)

/**
 * c2g_operator_schema_new:
 * @min_inputs: how many inputs there are at least
 * @max_inputs: how many there are at most, [const@ANY_NUMBER] for no limit
 * @min_outputs: how many outputs there are at least
 * @max_outputs: how many there are at most, [const@ANY_NUMBER] for no limit
 *
 * Makes a schema for [func@Operator.register].
 *
 * It can be changed, in one thread, until it is registered. Registering copies it.
 *
 * Returns: (transfer full): a schema
 */
C2gOperatorSchema *
c2g_operator_schema_new (guint min_inputs,
                         guint max_inputs,
                         guint min_outputs,
                         guint max_outputs)
{
  C2gOperatorSchema *self;

  g_return_val_if_fail (min_inputs <= max_inputs, NULL);
  g_return_val_if_fail (min_outputs <= max_outputs, NULL);

  self = g_new0 (C2gOperatorSchema, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->min_inputs = min_inputs;
  self->max_inputs = max_inputs;
  self->min_outputs = min_outputs;
  self->max_outputs = max_outputs;
  self->in_place = g_array_new (FALSE, FALSE, sizeof (C2gSchemaPair));
  self->shared = g_array_new (FALSE, FALSE, sizeof (C2gSchemaPair));
  self->required = g_new0 (char *, 1);
  return self;
}

static guint
widen (guint8 n)
{
  return n == C2G_MANY ? C2G_ANY_NUMBER : n;
}

/* Parses in-place rules such as "0>0 1=0": input > output may be in place, input = output share
 * memory. */
static void
parse_in_place (C2gOperatorSchema *self,
                const char        *in_place)
{
  g_auto (GStrv) pairs = g_strsplit (in_place, " ", -1);

  self->is_all_in_place = g_str_equal (in_place, "**");
  self->is_any_in_place = self->is_all_in_place || g_str_equal (in_place, "*");
  for (gsize i = 0; pairs[i] != NULL && !self->is_any_in_place; i++)
    {
      char *arrow;
      guint input = g_ascii_strtoull (pairs[i], &arrow, 10);
      guint output = g_ascii_strtoull (arrow + 1, NULL, 10);

      if (*arrow == '=')
        c2g_operator_schema_share_memory (self, input, output);
      else
        c2g_operator_schema_allow_in_place (self, input, output);
    }
}

/* The arguments of kernels without any. */
static const C2gKernelArgument none[] = { { 0 } };

C2gOperatorSchema *
c2g_operator_schema_new_for_kernel (const C2gKernel *kernel)
{
  C2gOperatorSchema *self;

  self = c2g_operator_schema_new (kernel->min_inputs, widen (kernel->max_inputs),
                                  kernel->min_outputs, widen (kernel->max_outputs));
  if (kernel->in_place != NULL)
    parse_in_place (self, kernel->in_place);
  self->known = kernel->arguments != NULL ? kernel->arguments : none;
  g_strfreev (self->required);
  self->required = c2g_kernel_arguments_list_required (self->known);
  self->can_infer = kernel->infer != NULL;
  self->documentation = g_strdup (kernel->summary);
  return self;
}

void
c2g_operator_schema_set_can_infer (C2gOperatorSchema *self,
                                   gboolean           can_infer)
{
  self->can_infer = can_infer;
}

const C2gKernelArgument *
c2g_operator_schema_peek_known (C2gOperatorSchema *self)
{
  return self->known;
}

C2gOperatorSchema *
c2g_operator_schema_copy (const C2gOperatorSchema *self)
{
  C2gOperatorSchema *copy;

  copy = c2g_operator_schema_new (self->min_inputs, self->max_inputs, self->min_outputs,
                                  self->max_outputs);
  g_array_append_vals (copy->in_place, self->in_place->data, self->in_place->len);
  g_array_append_vals (copy->shared, self->shared->data, self->shared->len);
  copy->is_any_in_place = self->is_any_in_place;
  copy->is_all_in_place = self->is_all_in_place;
  g_strfreev (copy->required);
  copy->required = g_strdupv (self->required);
  copy->accepted = g_strdupv (self->accepted);
  copy->known = self->known;
  copy->can_infer = self->can_infer;
  copy->documentation = g_strdup (self->documentation);
  return copy;
}

/**
 * c2g_operator_schema_ref:
 * @self: a schema
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 */
C2gOperatorSchema *
c2g_operator_schema_ref (C2gOperatorSchema *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * c2g_operator_schema_unref:
 * @self: (transfer full): a schema
 *
 * Drops a reference.
 */
void
c2g_operator_schema_unref (C2gOperatorSchema *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_array_unref (self->in_place);
  g_array_unref (self->shared);
  g_strfreev (self->required);
  g_strfreev (self->accepted);
  g_free (self->documentation);
  g_free (self);
}

/**
 * c2g_operator_schema_get_min_inputs:
 * @self: a schema
 *
 * Tells how many inputs there are at least.
 *
 * Returns: how many
 */
guint
c2g_operator_schema_get_min_inputs (C2gOperatorSchema *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->min_inputs;
}

/**
 * c2g_operator_schema_get_max_inputs:
 * @self: a schema
 *
 * Tells how many inputs there are at most.
 *
 * Returns: how many, or [const@ANY_NUMBER]
 */
guint
c2g_operator_schema_get_max_inputs (C2gOperatorSchema *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->max_inputs;
}

/**
 * c2g_operator_schema_get_min_outputs:
 * @self: a schema
 *
 * Tells how many outputs there are at least.
 *
 * Returns: how many
 */
guint
c2g_operator_schema_get_min_outputs (C2gOperatorSchema *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->min_outputs;
}

/**
 * c2g_operator_schema_get_max_outputs:
 * @self: a schema
 *
 * Tells how many outputs there are at most.
 *
 * Returns: how many, or [const@ANY_NUMBER]
 */
guint
c2g_operator_schema_get_max_outputs (C2gOperatorSchema *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->max_outputs;
}

/**
 * c2g_operator_schema_allow_in_place:
 * @self: a schema that is not registered yet
 * @input: the number of an input
 * @output: the number of an output
 *
 * Allows a definition to name the same blob as that input and that output.
 */
void
c2g_operator_schema_allow_in_place (C2gOperatorSchema *self,
                                    guint              input,
                                    guint              output)
{
  C2gSchemaPair pair = { input, output };

  g_return_if_fail (self != NULL);

  g_array_append_val (self->in_place, pair);
}

static gboolean
has_pair (const GArray *pairs,
          guint         input,
          guint         output)
{
  for (guint i = 0; i < pairs->len; i++)
    {
      C2gSchemaPair pair = g_array_index (pairs, C2gSchemaPair, i);

      if (pair.input == input && pair.output == output)
        return TRUE;
    }

  return FALSE;
}

/**
 * c2g_operator_schema_is_in_place_allowed:
 * @self: a schema
 * @input: the number of an input
 * @output: the number of an output
 *
 * Tells whether the same blob may be that input and that output.
 *
 * Returns: `TRUE` if it may
 */
gboolean
c2g_operator_schema_is_in_place_allowed (C2gOperatorSchema *self,
                                         guint              input,
                                         guint              output)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_all_in_place || (self->is_any_in_place && input == output) ||
         has_pair (self->in_place, input, output);
}

/**
 * c2g_operator_schema_share_memory:
 * @self: a schema that is not registered yet
 * @input: the number of an input
 * @output: the number of an output
 *
 * Declares that the output shares the memory of the input, as that of `Alias` does.
 *
 * A net with several threads then never writes one of them while the other is in use.
 */
void
c2g_operator_schema_share_memory (C2gOperatorSchema *self,
                                  guint              input,
                                  guint              output)
{
  C2gSchemaPair pair = { input, output };

  g_return_if_fail (self != NULL);

  g_array_append_val (self->shared, pair);
}

/**
 * c2g_operator_schema_is_memory_shared:
 * @self: a schema
 * @input: the number of an input
 * @output: the number of an output
 *
 * Tells whether the output shares the memory of the input.
 *
 * Returns: `TRUE` if it has
 */
gboolean
c2g_operator_schema_is_memory_shared (C2gOperatorSchema *self,
                                      guint              input,
                                      guint              output)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return has_pair (self->shared, input, output);
}

const C2gSchemaPair *
c2g_operator_schema_peek_shared (C2gOperatorSchema *self,
                                 gsize             *n_pairs)
{
  *n_pairs = self->shared->len;
  return (const C2gSchemaPair *) self->shared->data;
}

static void
append_name (char       ***names,
             const char   *name)
{
  gsize n = *names != NULL ? g_strv_length (*names) : 0;

  *names = g_renew (char *, *names, n + 2);
  (*names)[n] = g_strdup (name);
  (*names)[n + 1] = NULL;
}

/**
 * c2g_operator_schema_require_argument:
 * @self: a schema that is not registered yet
 * @name: the name of an argument
 *
 * Makes an argument one that every definition must have.
 */
void
c2g_operator_schema_require_argument (C2gOperatorSchema *self,
                                      const char        *name)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (name != NULL);

  append_name (&self->required, name);
}

/**
 * c2g_operator_schema_get_required_arguments:
 * @self: a schema
 *
 * Gets the names of the arguments that every definition must have.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names
 */
const char * const *
c2g_operator_schema_get_required_arguments (C2gOperatorSchema *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return (const char * const *) self->required;
}

/**
 * c2g_operator_schema_accept_argument:
 * @self: a schema that is not registered yet
 * @name: the name of an argument
 *
 * Makes an argument one that a definition may have.
 *
 * Once there is one, definitions with arguments that are neither accepted nor required are
 * refused, so that a mistyped name is found. Without any, operators accept all arguments.
 */
void
c2g_operator_schema_accept_argument (C2gOperatorSchema *self,
                                     const char        *name)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (name != NULL);

  append_name (&self->accepted, name);
}

/**
 * c2g_operator_schema_list_arguments:
 * @self: a schema
 * @use: what operators do with the arguments
 *
 * Lists the arguments that operators of the type read, those that they know and ignore, or
 * those that they refuse.
 *
 * For built-in operators these are all arguments that Caffe2 knows, except a few that its
 * tools give to operators of every type, such as `cudnn_exhaustive_search`. A name that ends
 * with an asterisk stands for all names with that prefix.
 *
 * For other operators these are the arguments that the schema accepts and requires: none if it
 * accepts all arguments.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names
 */
char **
c2g_operator_schema_list_arguments (C2gOperatorSchema *self,
                                    C2gArgumentUse     use)
{
  g_autoptr (GPtrArray) names = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (self->known != NULL)
    return c2g_kernel_arguments_list (self->known, use);

  names = g_ptr_array_new ();
  for (gsize i = 0; use == C2G_ARGUMENT_USE_READ && self->required[i] != NULL; i++)
    g_ptr_array_add (names, g_strdup (self->required[i]));
  for (gsize i = 0;
       use == C2G_ARGUMENT_USE_READ && self->accepted != NULL && self->accepted[i] != NULL; i++)
    g_ptr_array_add (names, g_strdup (self->accepted[i]));
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

/**
 * c2g_operator_schema_can_infer:
 * @self: the schema of a type that is known, see [func@OperatorSchema.lookup]
 *
 * Tells whether operators of the type say what shapes their outputs have without running, see
 * [method@Operator.infer]; some do so only if certain inputs have data.
 *
 * If a type has several implementations, the first one counts.
 *
 * Returns: `TRUE` if they do
 */
gboolean
c2g_operator_schema_can_infer (C2gOperatorSchema *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->can_infer;
}

/**
 * c2g_operator_schema_get_documentation:
 * @self: a schema
 *
 * Gets the description of what the operators do.
 *
 * Returns: (nullable): the text, `NULL` if there is none
 */
const char *
c2g_operator_schema_get_documentation (C2gOperatorSchema *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->documentation;
}

/**
 * c2g_operator_schema_set_documentation:
 * @self: a schema that is not registered yet
 * @documentation: (nullable): a text
 *
 * Sets the description of what the operators do.
 */
void
c2g_operator_schema_set_documentation (C2gOperatorSchema *self,
                                       const char        *documentation)
{
  char *copy = g_strdup (documentation);

  g_return_if_fail (self != NULL);

  g_free (self->documentation);
  self->documentation = copy;
}

char *
c2g_operator_schema_describe_number (guint min,
                                     guint max)
{
  if (min == max)
    return g_strdup_printf ("%u", min);
  if (max == C2G_ANY_NUMBER)
    return g_strdup_printf (_("%u or more"), min);
  return g_strdup_printf (_("%u to %u"), min, max);
}

static gboolean
check_number (const char  *what,
              guint        n,
              guint        min,
              guint        max,
              GError     **error)
{
  g_autofree char *expected = NULL;

  if (n >= min && n <= max)
    return TRUE;

  expected = c2g_operator_schema_describe_number (min, max);
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("%s: %u, expected %s"), what, n, expected);
}

static gboolean
check_in_place (C2gOperatorSchema  *self,
                C2gOperatorDef     *def,
                GError            **error)
{
  const char * const *inputs = c2g_operator_def_get_inputs (def);
  const char * const *outputs = c2g_operator_def_get_outputs (def);

  for (guint i = 0; inputs[i] != NULL; i++)
    for (guint j = 0; outputs[j] != NULL; j++)
      if (g_str_equal (inputs[i], outputs[j]) &&
          !c2g_operator_schema_is_in_place_allowed (self, i, j))
        return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                         _("“%s” is input %u and output %u, which must be different blobs"),
                         inputs[i], i, j);

  return TRUE;
}

/* Checks that a definition may have the argument. */
static gboolean
check_argument (C2gOperatorSchema  *self,
                C2gArgument        *argument,
                GError            **error)
{
  const char *name = c2g_argument_get_name (argument);
  g_auto (GStrv) names = NULL;
  g_autofree char *list = NULL;

  if (self->known != NULL)
    return c2g_kernel_arguments_check (self->known, argument, error);
  if (self->accepted == NULL || g_strv_contains ((const char * const *) self->accepted, name) ||
      g_strv_contains ((const char * const *) self->required, name))
    return TRUE;

  names = c2g_operator_schema_list_arguments (self, C2G_ARGUMENT_USE_READ);
  list = g_strjoinv (_(", "), names);
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("There is no argument “%s”; those that there may be are: %s"), name, list);
}

static gboolean
check_arguments (C2gOperatorSchema  *self,
                 C2gOperatorDef     *def,
                 GError            **error)
{
  gsize n_arguments;
  C2gArgument *const *arguments = c2g_operator_def_peek_arguments (def, &n_arguments);

  for (gsize i = 0; self->required[i] != NULL; i++)
    if (c2g_operator_def_get_argument (def, self->required[i]) == NULL)
      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("The argument “%s” is missing"),
                       self->required[i]);

  for (gsize i = 0; i < n_arguments; i++)
    if (!check_argument (self, arguments[i], error))
      return FALSE;
  return TRUE;
}

/**
 * c2g_operator_schema_check:
 * @self: a schema
 * @definition: a definition of an operator
 * @error: return location for an error
 *
 * Checks that a definition follows the schema; [func@Operator.create] does that, too.
 *
 * Errors: `C2G_ERROR_INVALID_ARGUMENT` says what is wrong; `C2G_ERROR_NOT_SUPPORTED` if there is
 * an argument that Caffe2 has and the library does not.
 *
 * Returns: `TRUE` if it does
 */
gboolean
c2g_operator_schema_check (C2gOperatorSchema  *self,
                           C2gOperatorDef     *definition,
                           GError            **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (definition), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return check_number (_("Number of inputs"), c2g_operator_def_get_n_inputs (definition),
                       self->min_inputs, self->max_inputs, error) &&
         check_number (_("Number of outputs"), c2g_operator_def_get_n_outputs (definition),
                       self->min_outputs, self->max_outputs, error) &&
         check_in_place (self, definition, error) &&
         check_arguments (self, definition, error);
}
