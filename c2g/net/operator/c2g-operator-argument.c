/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-operator-private.h>

#include <c2g/def/c2g-argument-private.h>
#include <c2g/def/c2g-operator-def-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Gives operators their arguments by type. As in Caffe2, an argument of another kind is an
 * error; the default value is only for an argument that is not there. */

static const Caffe2__Argument *
find (C2gOperator *self,
      const char  *name)
{
  C2gArgument *argument = c2g_operator_def_find (c2g_operator_get_private (self)->def, name);

  return argument != NULL ? c2g_argument_peek (argument) : NULL;
}

/* For error messages: the setter that gives an argument of each kind, and its field in files. */
static const struct
{
  C2gArgumentKind  kind;
  const char      *setter;
  const char      *field;
} kinds[] = {
  { C2G_ARGUMENT_KIND_INT, "set_int", "i" },
  { C2G_ARGUMENT_KIND_FLOAT, "set_float", "f" },
  { C2G_ARGUMENT_KIND_STRING, "set_string", "s" },
  { C2G_ARGUMENT_KIND_INTS, "set_ints", "ints" },
  { C2G_ARGUMENT_KIND_FLOATS, "set_floats", "floats" },
  { C2G_ARGUMENT_KIND_STRINGS, "set_strings", "strings" },
};

static gboolean
check_kind (C2gOperator      *self,
            const char       *name,
            gboolean          is_right,
            C2gArgumentKind   expected,
            GError          **error)
{
  C2gArgument *argument;
  guint i = 0;

  if (is_right)
    return TRUE;

  argument = c2g_operator_def_find (c2g_operator_get_private (self)->def, name);
  while (kinds[i].kind != expected)
    i++;
  return c2g_fail (error, C2G_ERROR_TYPE,
                   _("The argument “%s” is %s, expected %s, as %s() sets it, or “%s” in a file"),
                   name, c2g_argument_kind_describe (c2g_argument_get_kind (argument)),
                   c2g_argument_kind_describe (expected), kinds[i].setter, kinds[i].field);
}

static gint64
read_int (C2gOperator  *self,
          const char   *name,
          gint64        default_value,
          GError      **error)
{
  const Caffe2__Argument *argument = find (self, name);

  if (argument == NULL || !check_kind (self, name, argument->has_i, C2G_ARGUMENT_KIND_INT, error))
    return default_value;
  return argument->i;
}

static double
read_float (C2gOperator  *self,
            const char   *name,
            double        default_value,
            GError      **error)
{
  const Caffe2__Argument *argument = find (self, name);

  if (argument == NULL || !check_kind (self, name, argument->has_f, C2G_ARGUMENT_KIND_FLOAT, error))
    return default_value;
  return argument->f;
}

static const char *
read_string (C2gOperator  *self,
             const char   *name,
             const char   *default_value,
             GError      **error)
{
  C2gArgument *argument = c2g_operator_def_find (c2g_operator_get_private (self)->def, name);

  if (argument == NULL ||
      !check_kind (self, name, c2g_argument_peek (argument)->has_s, C2G_ARGUMENT_KIND_STRING, error))
    return default_value;
  return c2g_argument_get_string (argument, error);
}

/* Returns TRUE if the argument can be a list. The message of an empty list does not say of which
 * kind it is. */
static gboolean
is_list (const Caffe2__Argument *argument,
         gsize                   n)
{
  return n > 0 || !(argument->has_i || argument->has_f || argument->has_s ||
                    argument->n_ints > 0 || argument->n_floats > 0 || argument->n_strings > 0);
}

static const gint64 *
read_ints (C2gOperator  *self,
           const char   *name,
           gsize        *n_values,
           GError      **error)
{
  const Caffe2__Argument *argument = find (self, name);

  *n_values = 0;
  if (argument == NULL ||
      !check_kind (self, name, is_list (argument, argument->n_ints), C2G_ARGUMENT_KIND_INTS, error))
    return NULL;
  *n_values = argument->n_ints;
  return argument->ints;
}

static const float *
read_floats (C2gOperator  *self,
             const char   *name,
             gsize        *n_values,
             GError      **error)
{
  const Caffe2__Argument *argument = find (self, name);

  *n_values = 0;
  if (argument == NULL ||
      !check_kind (self, name, is_list (argument, argument->n_floats), C2G_ARGUMENT_KIND_FLOATS, error))
    return NULL;
  *n_values = argument->n_floats;
  return argument->floats;
}

/**
 * c2g_operator_has_argument:
 * @self: an operator
 * @name: the name of an argument
 *
 * Tells whether the definition has an argument.
 *
 * Returns: `TRUE` if it has
 */
gboolean
c2g_operator_has_argument (C2gOperator *self,
                           const char  *name)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  return find (self, name) != NULL;
}

/**
 * c2g_operator_get_int:
 * @self: an operator
 * @name: the name of an argument
 * @default_value: the value if the definition does not have it
 * @error: return location for an error
 *
 * Reads an argument that is an integer.
 *
 * Errors: `C2G_ERROR_TYPE` if it is something else.
 *
 * Returns: the argument
 */
gint64
c2g_operator_get_int (C2gOperator  *self,
                      const char   *name,
                      gint64        default_value,
                      GError      **error)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), default_value);
  g_return_val_if_fail (name != NULL, default_value);
  g_return_val_if_fail (error == NULL || *error == NULL, default_value);

  return read_int (self, name, default_value, error);
}

/**
 * c2g_operator_get_boolean:
 * @self: an operator
 * @name: the name of an argument
 * @default_value: the value if the definition does not have it
 * @error: return location for an error
 *
 * Reads a boolean argument. As in Caffe2 it is stored as an integer.
 *
 * Errors: `C2G_ERROR_TYPE` if it is something else.
 *
 * Returns: the argument
 */
gboolean
c2g_operator_get_boolean (C2gOperator  *self,
                          const char   *name,
                          gboolean      default_value,
                          GError      **error)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), default_value);
  g_return_val_if_fail (name != NULL, default_value);
  g_return_val_if_fail (error == NULL || *error == NULL, default_value);

  return read_int (self, name, default_value, error) != 0;
}

/**
 * c2g_operator_get_float:
 * @self: an operator
 * @name: the name of an argument
 * @default_value: the value if the definition does not have it
 * @error: return location for an error
 *
 * Reads an argument that is a number, which definitions hold in single precision.
 *
 * Errors: `C2G_ERROR_TYPE` if it is something else, also if it is an integer.
 *
 * Returns: the argument
 */
double
c2g_operator_get_float (C2gOperator  *self,
                        const char   *name,
                        double        default_value,
                        GError      **error)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), default_value);
  g_return_val_if_fail (name != NULL, default_value);
  g_return_val_if_fail (error == NULL || *error == NULL, default_value);

  return read_float (self, name, default_value, error);
}

/**
 * c2g_operator_get_string:
 * @self: an operator
 * @name: the name of an argument
 * @default_value: (nullable): the value if the definition does not have it
 * @error: return location for an error
 *
 * Reads an argument that is a text.
 *
 * Errors: `C2G_ERROR_TYPE` if it is something else, or is not valid UTF-8.
 *
 * Returns: (transfer none) (nullable): the argument
 */
const char *
c2g_operator_get_string (C2gOperator  *self,
                         const char   *name,
                         const char   *default_value,
                         GError      **error)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), default_value);
  g_return_val_if_fail (name != NULL, default_value);
  g_return_val_if_fail (error == NULL || *error == NULL, default_value);

  return read_string (self, name, default_value, error);
}

/**
 * c2g_operator_get_ints:
 * @self: an operator
 * @name: the name of an argument
 * @n_values: (out): how many there are, none if the definition does not have it
 * @error: return location for an error
 *
 * Reads an argument that is a list of integers.
 *
 * Errors: `C2G_ERROR_TYPE` if it is something else.
 *
 * Returns: (transfer none) (array length=n_values) (nullable): the argument
 */
const gint64 *
c2g_operator_get_ints (C2gOperator  *self,
                       const char   *name,
                       gsize        *n_values,
                       GError      **error)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);
  g_return_val_if_fail (name != NULL && n_values != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return read_ints (self, name, n_values, error);
}

/**
 * c2g_operator_get_floats:
 * @self: an operator
 * @name: the name of an argument
 * @n_values: (out): how many there are, none if the definition does not have it
 * @error: return location for an error
 *
 * Reads an argument that is a list of numbers.
 *
 * Errors: `C2G_ERROR_TYPE` if it is something else.
 *
 * Returns: (transfer none) (array length=n_values) (nullable): the argument
 */
const float *
c2g_operator_get_floats (C2gOperator  *self,
                         const char   *name,
                         gsize        *n_values,
                         GError      **error)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);
  g_return_val_if_fail (name != NULL && n_values != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return read_floats (self, name, n_values, error);
}

/**
 * c2g_operator_dup_strings:
 * @self: an operator
 * @name: the name of an argument
 * @error: return location for an error
 *
 * Reads an argument that is a list of texts.
 *
 * Errors: `C2G_ERROR_TYPE` if it is something else, or is not valid UTF-8.
 *
 * Returns: (transfer full) (array zero-terminated=1): the argument, empty if the definition
 *   does not have it
 */
char **
c2g_operator_dup_strings (C2gOperator  *self,
                          const char   *name,
                          GError      **error)
{
  const Caffe2__Argument *argument;
  g_autoptr (GPtrArray) strings = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  argument = find (self, name);
  if (argument != NULL &&
      !check_kind (self, name, is_list (argument, argument->n_strings), C2G_ARGUMENT_KIND_STRINGS, error))
    return NULL;

  for (gsize i = 0; argument != NULL && i < argument->n_strings; i++)
    {
      const ProtobufCBinaryData *text = &argument->strings[i];

      if (!g_utf8_validate_len ((const char *) text->data, text->len, NULL))
        return c2g_fail_null (error, C2G_ERROR_TYPE,
                              _("The argument “%s” has bytes, expected strings in UTF-8"), name);
      /* The data of an empty string may be NULL, and g_strndup() would return NULL for it. */
      g_ptr_array_add (strings, text->len > 0 ? g_strndup ((const char *) text->data, text->len)
                                              : g_strdup (""));
    }
  g_ptr_array_add (strings, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&strings), FALSE);
}

/* Reading several arguments, with one check at the end */

/* Returns TRUE if no argument was wrong so far. A kernel may read only arguments that its rows
 * name: this keeps schemas and the manual correct. */
static gboolean
may_read (C2gArguments *self,
          const char   *name)
{
  const C2gOperatorPrivate *priv = c2g_operator_get_private (self->op);

  if (priv->known != NULL && !c2g_kernel_arguments_reads (priv->known, name))
    g_critical ("%s reads the argument “%s”, which is not in its rows of arguments",
                c2g_operator_get_op_type (self->op), name);
  return self->error == NULL;
}

gint64
c2g_arguments_int (C2gArguments *self,
                   const char   *name,
                   gint64        default_value)
{
  return may_read (self, name) ? read_int (self->op, name, default_value, &self->error)
                             : default_value;
}

float
c2g_arguments_float (C2gArguments *self,
                     const char   *name,
                     float         default_value)
{
  return may_read (self, name) ? read_float (self->op, name, default_value, &self->error)
                             : default_value;
}

const char *
c2g_arguments_string (C2gArguments *self,
                      const char   *name,
                      const char   *default_value)
{
  const char *value = NULL;

  if (may_read (self, name))
    value = read_string (self->op, name, default_value, &self->error);
  return value != NULL ? value : default_value;
}

const gint64 *
c2g_arguments_ints (C2gArguments *self,
                    const char   *name,
                    gsize        *n_values)
{
  *n_values = 0;
  return may_read (self, name) ? read_ints (self->op, name, n_values, &self->error) : NULL;
}

const float *
c2g_arguments_floats (C2gArguments *self,
                      const char   *name,
                      gsize        *n_values)
{
  *n_values = 0;
  return may_read (self, name) ? read_floats (self->op, name, n_values, &self->error) : NULL;
}

gboolean
c2g_arguments_finish (C2gArguments  *self,
                      GError       **error)
{
  if (self->error == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}
