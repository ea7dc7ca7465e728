/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-kernel-private.h>

#include <c2g/def/c2g-argument-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* Reads the arguments of an operator into the state of its kernel, as described by the kernel's
 * rows. Only the first error is kept. Reading goes on after it, so that the whole state has valid
 * values. */

static void
check_fits (C2gArguments            *self,
            const C2gKernelArgument *row,
            const char              *name,
            gint64                   value)
{
  if (row->kind == C2G_KERNEL_ARGUMENT_INT32)
    c2g_arguments_check (self, name, value, value >= G_MININT32 && value <= G_MAXINT32);
}

/* Prints large integers with all of their digits. */
static char *
write_limit (double limit)
{
  return limit == rint (limit) && fabs (limit) <= 0x1p63 ? g_strdup_printf ("%.0f", limit)
                                                         : g_strdup_printf ("%.9g", limit);
}

/* Consumes VALUE. The message gives the allowed range, or only the limit that the value exceeds. */
static void
set_range_error (C2gArguments            *self,
                 const C2gKernelArgument *row,
                 const char              *name,
                 char                    *value,
                 gboolean                 is_above)
{
  const int code = row->code != 0 ? row->code : C2G_ERROR_RANGE;
  const gboolean is_open = row->min == C2G_ABOVE_0 || row->min == C2G_ABOVE_1;
  g_autofree char *text = value;
  g_autofree char *least = write_limit (is_open ? floor (row->min) : row->min);
  g_autofree char *most = write_limit (row->max);

  /* A default outside the range stands for an argument that must be given. */
  if (!c2g_operator_has_argument (self->op, name))
    g_set_error (&self->error, C2G_ERROR, code, _("The argument “%s” is missing"), row->name);
  else if (!is_open && isfinite (row->min) && isfinite (row->max))
    g_set_error (&self->error, C2G_ERROR, code,
                 _("The argument “%s” is %s, expected one from %s to %s"), name, text, least, most);
  else if (is_above)
    g_set_error (&self->error, C2G_ERROR, code,
                 _("The argument “%s” is %s, expected at most %s"), name, text, most);
  else if (is_open)
    g_set_error (&self->error, C2G_ERROR, code,
                 _("The argument “%s” is %s, expected more than %s"), name, text, least);
  else
    g_set_error (&self->error, C2G_ERROR, code,
                 _("The argument “%s” is %s, expected at least %s"), name, text, least);
}

/* Compares exactly, while the value as a double would be rounded. */
static gboolean
is_within (gint64 value,
           double min,
           double max)
{
  return (min < (double) G_MININT64 || value >= (gint64) ceil (min)) &&
         (max >= -(double) G_MININT64 || value <= (gint64) floor (max));
}

static void
check_int (C2gArguments            *self,
           const C2gKernelArgument *row,
           const char              *name,
           gint64                   value)
{
  const gboolean is_limited = row->min != 0 || row->max != 0;

  check_fits (self, row, name, value);
  if (self->error == NULL && is_limited && !is_within (value, row->min, row->max))
    set_range_error (self, row, name, g_strdup_printf ("%" PRId64, value),
                     (double) value >= row->max);
}

static void
check_float (C2gArguments            *self,
             const C2gKernelArgument *row,
             const char              *name,
             double                   value)
{
  const gboolean is_limited = row->min != 0 || row->max != 0;

  if (self->error == NULL && is_limited && !(value >= row->min && value <= row->max))
    set_range_error (self, row, name, g_strdup_printf ("%g", value), value > row->max);
}

/* Returns the name of the argument that holds the number: the row's own, or the one that replaces
 * it. */
static const char *
find_name (C2gArguments            *self,
           const C2gKernelArgument *row)
{
  if (row->text == NULL || c2g_operator_has_argument (self->op, row->name))
    return row->name;
  return row->text;
}

static gint64
read_int (C2gArguments            *self,
          const C2gKernelArgument *row)
{
  gint64 value = (gint64) row->value;

  if (row->text != NULL)
    {
      value = c2g_arguments_int (self, row->text, value);
      check_fits (self, row, row->text, value);
    }
  value = c2g_arguments_int (self, row->name, value);
  check_int (self, row, find_name (self, row), value);
  return value;
}

static float
read_float (C2gArguments            *self,
            const C2gKernelArgument *row)
{
  float value = (float) row->value;

  if (row->text != NULL)
    value = c2g_arguments_float (self, row->text, value);
  value = c2g_arguments_float (self, row->name, value);
  check_float (self, row, find_name (self, row), value);
  return value;
}

static int
read_choice (C2gArguments            *self,
             const C2gKernelArgument *row)
{
  g_auto (GStrv) words = g_strsplit (row->text, " ", -1);
  const char *word = c2g_arguments_string (self, row->name, words[0]);
  g_autofree char *list = NULL;

  for (int i = 0; words[i] != NULL; i++)
    if (g_str_equal (word, words[i]))
      return i;
  /* Translators: this is between the words that an argument may be. */
  list = g_strjoinv (_(" or "), words);
  if (self->error == NULL)
    g_set_error (&self->error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The argument “%s” is “%s”, expected %s"), row->name, word, list);
  return 0;
}

static void
check_nchw (C2gArguments            *self,
            const C2gKernelArgument *row)
{
  if (read_choice (self, row) != 0 && self->error == NULL)
    g_set_error (&self->error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("The argument “%s” is “%s”, expected “%s”"), row->name, "NHWC", "NCHW");
}

/* Reads a data type, given by Caffe2's number or by name. The name wins if both are there. */
static C2gDataType
read_data_type (C2gArguments            *self,
                const C2gKernelArgument *row)
{
  C2gOperatorDef *def = c2g_operator_peek_def (self->op);
  C2gArgument *argument = c2g_operator_def_get_argument (def, row->name);
  g_autofree char *lower = NULL;
  gint64 number;

  if (argument != NULL && c2g_argument_peek (argument)->has_s)
    {
      lower = g_ascii_strdown (c2g_arguments_string (self, row->name, ""), -1);
      return self->error == NULL ? c2g_data_type_from_name (lower, &self->error)
                                 : C2G_DATA_TYPE_UNDEFINED;
    }

  number = c2g_arguments_int (self, row->name, (gint64) row->value);
  if (number == C2G_DATA_TYPE_UNDEFINED)
    return (C2gDataType) row->value;
  if (number > 0 && number <= G_MAXINT32 &&
      c2g_type_meta_for_data_type ((C2gDataType) number, NULL) != NULL)
    return (C2gDataType) number;
  if (self->error == NULL)
    g_set_error (&self->error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("The argument “%s” is %" PRId64 ", which is no data type"), row->name, number);
  return C2G_DATA_TYPE_UNDEFINED;
}

static void
read_ints (C2gArguments            *self,
           const C2gKernelArgument *row,
           const gint64           **values,
           gsize                   *n_values)
{
  *values = c2g_arguments_ints (self, row->name, n_values);
  for (gsize i = 0; i < *n_values; i++)
    check_int (self, row, row->name, (*values)[i]);
}

static void
read_floats (C2gArguments            *self,
             const C2gKernelArgument *row,
             const float            **values,
             gsize                   *n_values)
{
  *values = c2g_arguments_floats (self, row->name, n_values);
  for (gsize i = 0; i < *n_values; i++)
    check_float (self, row, row->name, (*values)[i]);
}

static void
read_row (C2gArguments            *self,
          const C2gKernelArgument *row,
          gpointer                 state)
{
  gpointer field = G_STRUCT_MEMBER_P (state, row->offset);

  switch (row->kind)
    {
    case C2G_KERNEL_ARGUMENT_BOOLEAN:
      *(gboolean *) field = read_int (self, row) != 0;
      break;
    case C2G_KERNEL_ARGUMENT_INT32:
      *(int *) field = (int) read_int (self, row);
      break;
    case C2G_KERNEL_ARGUMENT_INT64:
      *(gint64 *) field = read_int (self, row);
      break;
    case C2G_KERNEL_ARGUMENT_FLOAT:
      *(float *) field = read_float (self, row);
      break;
    case C2G_KERNEL_ARGUMENT_DOUBLE:
      *(double *) field = read_float (self, row);
      break;
    case C2G_KERNEL_ARGUMENT_STRING:
      *(const char **) field = c2g_arguments_string (self, row->name, row->text);
      break;
    case C2G_KERNEL_ARGUMENT_CHOICE:
      *(int *) field = read_choice (self, row);
      break;
    case C2G_KERNEL_ARGUMENT_NCHW:
      check_nchw (self, row);
      break;
    case C2G_KERNEL_ARGUMENT_DATA_TYPE:
      *(C2gDataType *) field = read_data_type (self, row);
      break;
    case C2G_KERNEL_ARGUMENT_INTS:
      read_ints (self, row, field, G_STRUCT_MEMBER_P (state, row->n_offset));
      break;
    case C2G_KERNEL_ARGUMENT_FLOATS:
      read_floats (self, row, field, G_STRUCT_MEMBER_P (state, row->n_offset));
      break;
    case C2G_KERNEL_ARGUMENT_PART:
      c2g_arguments_read (self, row->rows, field);
      break;
    default:
      break;
    }
}

void
c2g_arguments_check (C2gArguments *self,
                     const char   *name,
                     gint64        value,
                     gboolean      is_right)
{
  if (!is_right && self->error == NULL)
    g_set_error (&self->error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("The argument “%s” is %" PRId64 ", which is out of range"), name, value);
}

void
c2g_arguments_read (C2gArguments            *self,
                    const C2gKernelArgument *rows,
                    gpointer                 state)
{
  for (const C2gKernelArgument *row = rows; row->kind != C2G_KERNEL_ARGUMENT_END; row++)
    read_row (self, row, state);
}

void
c2g_arguments_read_prefixed (C2gArguments            *self,
                             const char              *prefix,
                             const C2gKernelArgument *rows,
                             gpointer                 state)
{
  for (const C2gKernelArgument *row = rows; row->kind != C2G_KERNEL_ARGUMENT_END; row++)
    {
      g_autofree char *name = g_strconcat (prefix, row->name, NULL);
      C2gKernelArgument prefixed = *row;

      g_return_if_fail (row->rows == NULL && row->text == NULL);
      prefixed.name = name;
      read_row (self, &prefixed, state);
    }
}
