/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-argument-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-nan-private.h>
#include <c2g/def/c2g-def-private.h>
#include <c2g/io/wire/c2g-text-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

/**
 * C2gArgument:
 *
 * A named value of an operator or a net, such as the size of a kernel.
 *
 * The kernel size of a convolution is an argument, and so is the shape that a fill operator
 * makes. The value is set when the argument is made and never changes.
 *
 * ```c
 * c2g_operator_def_set_argument (op, c2g_argument_new_int ("kernel", 3));
 * ```
 *
 * ```python
 * op.set_argument(C2g.Argument.new_ints('shape', [2, 3]))
 * op.get_argument('shape').get_ints()
 * ```
 *
 * A getter gives an error if the argument is of another kind. An empty list in a file does not
 * say what it is a list of: it is of kind `C2G_ARGUMENT_KIND_NONE`, and the getters of all lists
 * take it. As in Caffe2 numbers that are not integers have single precision.
 *
 * ## Threads
 *
 * Arguments do not change, and can be used in any thread.
 */

/* Number of message levels that may enclose a net in an argument: MetaNetDef, its map entry,
 * PlanDef, NetDef, OperatorDef, Argument. */
#define OUTER_DEPTH 6

G_DEFINE_BOXED_TYPE (C2gArgument, c2g_argument, c2g_argument_ref, c2g_argument_unref)

G_DEFINE_ENUM_TYPE (C2gArgumentKind, c2g_argument_kind,
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_NONE, "none"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_INT, "int"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_FLOAT, "float"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_STRING, "string"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_INTS, "ints"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_FLOATS, "floats"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_STRINGS, "strings"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_NET, "net"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_NETS, "nets"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_TENSOR, "tensor"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_TENSORS, "tensors"),
                    G_DEFINE_ENUM_VALUE (C2G_ARGUMENT_KIND_Q_TENSORS, "q-tensors"))

G_STATIC_ASSERT (sizeof (C2gArgument) <= sizeof (Caffe2__Argument) + C2G_WIRE_ARGUMENT_ROOM);

/* Returns the kind of the first value that is there, and how many there are. */
static C2gArgumentKind
find_kind (const Caffe2__Argument *message,
           gsize                  *n_values)
{
  const struct
  {
    C2gArgumentKind kind;
    gsize           n_values;
  } kinds[] = {
    { C2G_ARGUMENT_KIND_INT, message->has_i ? 1 : 0 },
    { C2G_ARGUMENT_KIND_FLOAT, message->has_f ? 1 : 0 },
    { C2G_ARGUMENT_KIND_STRING, message->has_s ? 1 : 0 },
    { C2G_ARGUMENT_KIND_INTS, message->n_ints },
    { C2G_ARGUMENT_KIND_FLOATS, message->n_floats },
    { C2G_ARGUMENT_KIND_STRINGS, message->n_strings },
    { C2G_ARGUMENT_KIND_NET, message->n != NULL ? 1 : 0 },
    { C2G_ARGUMENT_KIND_NETS, message->n_nets },
    { C2G_ARGUMENT_KIND_TENSOR, message->t != NULL ? 1 : 0 },
    { C2G_ARGUMENT_KIND_TENSORS, message->n_tensors },
    { C2G_ARGUMENT_KIND_Q_TENSORS, message->n_qtensors },
    { C2G_ARGUMENT_KIND_NONE, 0 },
  };
  gsize i = 0;

  while (kinds[i].n_values == 0 && kinds[i].kind != C2G_ARGUMENT_KIND_NONE)
    i++;
  *n_values = kinds[i].n_values;
  return kinds[i].kind;
}

/* See c2g_with_plain_nan(): gjs must not be given any other NaN. */
static void
make_nans_plain (Caffe2__Argument *message)
{
  message->f = (float) c2g_with_plain_nan (message->f);
  for (gsize i = 0; i < message->n_floats; i++)
    message->floats[i] = (float) c2g_with_plain_nan (message->floats[i]);
}

C2gArgument *
c2g_argument_new_take (Caffe2__Argument *message)
{
  C2gArgument *self = g_realloc (message, sizeof *self);

  g_atomic_ref_count_init (&self->ref_count);
  self->text = NULL;
  self->net = NULL;
  self->message.name = c2g_def_take_text (self->message.name);
  make_nans_plain (&self->message);
  return self;
}

const Caffe2__Argument *
c2g_argument_peek (C2gArgument *self)
{
  return &self->message;
}

static Caffe2__Argument *
new_message (const char *name)
{
  Caffe2__Argument *message = g_new (Caffe2__Argument, 1);

  caffe2__argument__init (message);
  message->name = g_strdup (name);
  return message;
}

static ProtobufCBinaryData
dup_data (gconstpointer data,
          gsize         n_bytes)
{
  return (ProtobufCBinaryData) { n_bytes, g_memdup2 (data, n_bytes) };
}

/**
 * c2g_argument_new_int:
 * @name: the name of the argument
 * @value: an integer
 *
 * Makes an argument that is an integer.
 *
 * Caffe2 also uses integers for booleans: 1 is true.
 *
 * Returns: (transfer full): a new argument
 */
C2gArgument *
c2g_argument_new_int (const char *name,
                      gint64      value)
{
  Caffe2__Argument *message;

  g_return_val_if_fail (name != NULL, NULL);

  message = new_message (name);
  message->has_i = TRUE;
  message->i = value;
  return c2g_argument_new_take (message);
}

/**
 * c2g_argument_new_float:
 * @name: the name of the argument
 * @value: a number
 *
 * Makes an argument that is a number of single precision.
 *
 * Returns: (transfer full): a new argument
 */
C2gArgument *
c2g_argument_new_float (const char *name,
                        double      value)
{
  Caffe2__Argument *message;

  g_return_val_if_fail (name != NULL, NULL);

  message = new_message (name);
  message->has_f = TRUE;
  message->f = (float) value;
  return c2g_argument_new_take (message);
}

/**
 * c2g_argument_new_string:
 * @name: the name of the argument
 * @value: a text
 *
 * Makes an argument that is a text.
 *
 * Returns: (transfer full): a new argument
 */
C2gArgument *
c2g_argument_new_string (const char *name,
                         const char *value)
{
  Caffe2__Argument *message;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (value != NULL, NULL);

  message = new_message (name);
  message->has_s = TRUE;
  message->s = dup_data (value, strlen (value));
  return c2g_argument_new_take (message);
}

/**
 * c2g_argument_new_bytes:
 * @name: the name of the argument
 * @value: any bytes, which are copied
 *
 * Makes an argument of kind `C2G_ARGUMENT_KIND_STRING` that need not be a text.
 *
 * Returns: (transfer full): a new argument
 */
C2gArgument *
c2g_argument_new_bytes (const char *name,
                        GBytes     *value)
{
  Caffe2__Argument *message;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (value != NULL, NULL);

  message = new_message (name);
  message->has_s = TRUE;
  message->s = dup_data (g_bytes_get_data (value, NULL), g_bytes_get_size (value));
  return c2g_argument_new_take (message);
}

/**
 * c2g_argument_new_ints:
 * @name: the name of the argument
 * @values: (nullable) (array length=n_values): integers
 * @n_values: their number
 *
 * Makes an argument that is a list of integers.
 *
 * Returns: (transfer full): a new argument
 */
C2gArgument *
c2g_argument_new_ints (const char   *name,
                       const gint64 *values,
                       gsize         n_values)
{
  Caffe2__Argument *message;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (n_values == 0 || values != NULL, NULL);

  message = new_message (name);
  message->n_ints = n_values;
  message->ints = g_memdup2 (values, n_values * sizeof *values);
  return c2g_argument_new_take (message);
}

/**
 * c2g_argument_new_floats:
 * @name: the name of the argument
 * @values: (nullable) (array length=n_values): numbers
 * @n_values: how many there are
 *
 * Makes an argument that is a list of numbers.
 *
 * Returns: (transfer full): a new argument
 */
C2gArgument *
c2g_argument_new_floats (const char  *name,
                         const float *values,
                         gsize        n_values)
{
  Caffe2__Argument *message;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (n_values == 0 || values != NULL, NULL);

  message = new_message (name);
  message->n_floats = n_values;
  message->floats = g_memdup2 (values, n_values * sizeof *values);
  return c2g_argument_new_take (message);
}

/**
 * c2g_argument_new_strings:
 * @name: the name of the argument
 * @values: (array zero-terminated=1): texts
 *
 * Makes an argument that is a list of texts.
 *
 * Returns: (transfer full): a new argument
 */
C2gArgument *
c2g_argument_new_strings (const char        *name,
                          const char *const *values)
{
  Caffe2__Argument *message;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (values != NULL, NULL);

  message = new_message (name);
  message->n_strings = g_strv_length ((char **) values);
  message->strings = g_new (ProtobufCBinaryData, message->n_strings);
  for (gsize i = 0; i < message->n_strings; i++)
    message->strings[i] = dup_data (values[i], strlen (values[i]));
  return c2g_argument_new_take (message);
}

static Caffe2__NetDef *
copy_net (C2gNetDef  *net,
          GError    **error)
{
  g_autoptr (GBytes) bytes = c2g_net_def_to_bytes (net, error);
  gsize n_bytes;
  gconstpointer data;

  if (bytes == NULL)
    return NULL;

  data = g_bytes_get_data (bytes, &n_bytes);
  return (Caffe2__NetDef *) c2g_wire_parse_inside (&caffe2__net_def__descriptor, data, n_bytes, 0,
                                                   OUTER_DEPTH, error);
}

/**
 * c2g_argument_new_net:
 * @name: the name of the argument
 * @value: a net
 * @error: return location for an error
 *
 * Makes an argument that is a net. Operators for loops and conditions have such arguments.
 *
 * The net is copied. It is `C2G_ERROR_RANGE` if the net is too large for a message, and
 * `C2G_ERROR_RANGE` or `C2G_ERROR_CORRUPT` if too many nets are inside each other for a file.
 *
 * Returns: (transfer full): a new argument
 */
C2gArgument *
c2g_argument_new_net (const char  *name,
                      C2gNetDef   *value,
                      GError     **error)
{
  Caffe2__Argument *message;
  Caffe2__NetDef *net;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (C2G_IS_NET_DEF (value), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  net = copy_net (value, error);
  if (net == NULL)
    return NULL;

  message = new_message (name);
  message->n = net;
  return c2g_argument_new_take (message);
}

/**
 * c2g_argument_new_nets:
 * @name: the name of the argument
 * @values: (array length=n_values): nets
 * @n_values: how many there are
 * @error: return location for an error
 *
 * Makes an argument that is a list of nets.
 *
 * Like [ctor@Argument.new_net], but for several nets.
 *
 * Errors: `C2G_ERROR_INVALID_ARGUMENT` if an element is no net, and those of [ctor@Argument.new_net].
 *
 * Returns: (transfer full): a new argument
 */
C2gArgument *
c2g_argument_new_nets (const char  *name,
                       C2gNetDef  **values,
                       gsize        n_values,
                       GError     **error)
{
  Caffe2__Argument *message;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (n_values == 0 || values != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  /* A binding may pass any objects in the array. */
  for (gsize i = 0; i < n_values; i++)
    if (!C2G_IS_NET_DEF (values[i]))
      return c2g_fail_null (error, C2G_ERROR_INVALID_ARGUMENT, _("Element %zu is no net"), i);

  message = new_message (name);
  message->nets = g_new0 (Caffe2__NetDef *, n_values);
  for (gsize i = 0; i < n_values; i++)
    {
      Caffe2__NetDef *net = copy_net (values[i], error);

      if (net == NULL)
        {
          c2g_wire_free (message);
          return NULL;
        }
      message->nets[message->n_nets++] = net;
    }

  return c2g_argument_new_take (message);
}

/**
 * c2g_argument_ref:
 * @self: an argument
 *
 * Takes a reference.
 *
 * Returns: (transfer full): the argument
 */
C2gArgument *
c2g_argument_ref (C2gArgument *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * c2g_argument_unref:
 * @self: (transfer full): an argument
 *
 * Drops a reference.
 */
void
c2g_argument_unref (C2gArgument *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->text);
  g_clear_object (&self->net);
  /* The message is the beginning of the argument's memory. */
  c2g_wire_free (&self->message);
}

/**
 * c2g_argument_get_name:
 * @self: an argument
 *
 * Tells what the argument is called.
 *
 * Returns: (transfer none): the name
 */
const char *
c2g_argument_get_name (C2gArgument *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->message.name == NULL ? "" : self->message.name;
}

/**
 * c2g_argument_get_kind:
 * @self: an argument
 *
 * Tells what the argument is.
 *
 * Returns: the kind
 */
C2gArgumentKind
c2g_argument_get_kind (C2gArgument *self)
{
  gsize n_values;

  g_return_val_if_fail (self != NULL, C2G_ARGUMENT_KIND_NONE);

  return find_kind (&self->message, &n_values);
}

/**
 * c2g_argument_get_n_values:
 * @self: an argument
 *
 * Tells how long a list is.
 *
 * Returns: the number of values: 1 for one that is no list
 */
gsize
c2g_argument_get_n_values (C2gArgument *self)
{
  gsize n_values;

  g_return_val_if_fail (self != NULL, 0);

  find_kind (&self->message, &n_values);
  return n_values;
}

/**
 * c2g_argument_equal:
 * @self: an argument
 * @other: another one
 *
 * Compares two arguments with their names.
 *
 * Returns: whether they are the same to the bit
 */
gboolean
c2g_argument_equal (C2gArgument *self,
                    C2gArgument *other)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (other != NULL, FALSE);

  return c2g_message_equal (&self->message.base, &other->message.base);
}

/**
 * c2g_argument_to_text:
 * @self: an argument
 *
 * Writes the argument in protobuf's text format.
 *
 * Returns: (transfer full): the text
 */
char *
c2g_argument_to_text (C2gArgument *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return c2g_text_print (&self->message.base);
}
