/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-argument-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

/* The typed getters of C2gArgument. Each checks the kind and sets an error if it differs. */

static const char *const descriptions[] = {
  [C2G_ARGUMENT_KIND_NONE] = N_("nothing"),
  [C2G_ARGUMENT_KIND_INT] = N_("an integer"),
  [C2G_ARGUMENT_KIND_FLOAT] = N_("a floating-point number"),
  [C2G_ARGUMENT_KIND_STRING] = N_("a string"),
  [C2G_ARGUMENT_KIND_INTS] = N_("a list of integers"),
  [C2G_ARGUMENT_KIND_FLOATS] = N_("a list of floating-point numbers"),
  [C2G_ARGUMENT_KIND_STRINGS] = N_("a list of strings"),
  [C2G_ARGUMENT_KIND_NET] = N_("a net"),
  [C2G_ARGUMENT_KIND_NETS] = N_("a list of nets"),
  [C2G_ARGUMENT_KIND_TENSOR] = N_("a tensor"),
  [C2G_ARGUMENT_KIND_TENSORS] = N_("a list of tensors"),
  [C2G_ARGUMENT_KIND_Q_TENSORS] = N_("a list of quantized tensors"),
};

const char *
c2g_argument_kind_describe (C2gArgumentKind kind)
{
  return _(descriptions[kind]);
}

/* A message may hold values of several kinds. So a getter checks whether its own field is there,
 * not the argument's kind. */
static gboolean
check_kind (C2gArgument      *self,
            gboolean          is_there,
            C2gArgumentKind   expected,
            GError          **error)
{
  if (is_there)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE, _("Argument “%s” is %s, expected %s"),
                   c2g_argument_get_name (self),
                   c2g_argument_kind_describe (c2g_argument_get_kind (self)),
                   c2g_argument_kind_describe (expected));
}

/* An empty list has no kind: the getters of all lists accept it. */
static gboolean
check_list (C2gArgument      *self,
            gsize             n_values,
            C2gArgumentKind   expected,
            GError          **error)
{
  const gboolean is_there =
    n_values > 0 || c2g_argument_get_kind (self) == C2G_ARGUMENT_KIND_NONE;

  return check_kind (self, is_there, expected, error);
}

/**
 * c2g_argument_get_int:
 * @self: an argument
 * @error: return location for an error
 *
 * Gets an integer.
 *
 * Returns: the integer, 0 with `C2G_ERROR_TYPE` if it is something else
 */
gint64
c2g_argument_get_int (C2gArgument  *self,
                      GError      **error)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  if (!check_kind (self, self->message.has_i, C2G_ARGUMENT_KIND_INT, error))
    return 0;
  return self->message.i;
}

/**
 * c2g_argument_get_float:
 * @self: an argument
 * @error: return location for an error
 *
 * Gets a number.
 *
 * Returns: the number, 0 with `C2G_ERROR_TYPE` if it is something else
 */
double
c2g_argument_get_float (C2gArgument  *self,
                        GError      **error)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  if (!check_kind (self, self->message.has_f, C2G_ARGUMENT_KIND_FLOAT, error))
    return 0;
  return self->message.f;
}

/* Returns a copy of the bytes as text, or NULL with an error if they are not UTF-8. */
static char *
dup_text (C2gArgument                *self,
          const ProtobufCBinaryData  *bytes,
          GError                    **error)
{
  if (bytes->len == 0)
    return g_strdup ("");

  if (!g_utf8_validate_len ((const char *) bytes->data, bytes->len, NULL))
    return c2g_fail_null (error, C2G_ERROR_TYPE, _("Argument “%s” is bytes, expected a text"),
                          c2g_argument_get_name (self));
  return g_strndup ((const char *) bytes->data, bytes->len);
}

/**
 * c2g_argument_get_string:
 * @self: an argument
 * @error: return location for an error
 *
 * Gets a text.
 *
 * Returns: (transfer none): the text, which the argument keeps; `NULL` with `C2G_ERROR_TYPE`
 *   if it is something else, or bytes that are not valid UTF-8
 */
const char *
c2g_argument_get_string (C2gArgument  *self,
                         GError      **error)
{
  char *text;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_kind (self, self->message.has_s, C2G_ARGUMENT_KIND_STRING, error))
    return NULL;

  text = g_atomic_pointer_get (&self->text);
  if (text != NULL)
    return text;

  text = dup_text (self, &self->message.s, error);
  if (text != NULL && !g_atomic_pointer_compare_and_exchange (&self->text, NULL, text))
    {
      g_free (text);
      text = g_atomic_pointer_get (&self->text);
    }
  return text;
}

static GBytes *
ref_bytes (C2gArgument               *self,
           const ProtobufCBinaryData *bytes)
{
  return g_bytes_new_with_free_func (bytes->data, bytes->len, (GDestroyNotify) c2g_argument_unref,
                                     c2g_argument_ref (self));
}

/**
 * c2g_argument_dup_bytes:
 * @self: an argument
 * @error: return location for an error
 *
 * Gets a string as bytes.
 *
 * Returns: (transfer full): the bytes, without a copy; `NULL` with `C2G_ERROR_TYPE` if it is
 *   something else
 */
GBytes *
c2g_argument_dup_bytes (C2gArgument  *self,
                        GError      **error)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_kind (self, self->message.has_s, C2G_ARGUMENT_KIND_STRING, error))
    return NULL;
  return ref_bytes (self, &self->message.s);
}

/**
 * c2g_argument_get_ints:
 * @self: an argument
 * @n_values: (out): return location for their number
 * @error: return location for an error
 *
 * Gets a list of integers.
 *
 * Returns: (transfer none) (nullable) (array length=n_values): the integers; `NULL` if there are
 *   none, and with `C2G_ERROR_TYPE` if it is something else
 */
const gint64 *
c2g_argument_get_ints (C2gArgument  *self,
                       gsize        *n_values,
                       GError      **error)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (n_values != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  *n_values = self->message.n_ints;
  if (!check_list (self, *n_values, C2G_ARGUMENT_KIND_INTS, error))
    return NULL;
  return self->message.ints;
}

/**
 * c2g_argument_get_floats:
 * @self: an argument
 * @n_values: (out): return location for their number
 * @error: return location for an error
 *
 * Gets a list of numbers.
 *
 * Returns: (transfer none) (nullable) (array length=n_values): the numbers; `NULL` if there are
 *   none, and with `C2G_ERROR_TYPE` if it is something else
 */
const float *
c2g_argument_get_floats (C2gArgument  *self,
                         gsize        *n_values,
                         GError      **error)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (n_values != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  *n_values = self->message.n_floats;
  if (!check_list (self, *n_values, C2G_ARGUMENT_KIND_FLOATS, error))
    return NULL;
  return self->message.floats;
}

/**
 * c2g_argument_dup_strings:
 * @self: an argument
 * @error: return location for an error
 *
 * Gets a list of texts.
 *
 * Returns: (transfer full) (array zero-terminated=1): the texts; `NULL` with `C2G_ERROR_TYPE`
 *   if it is something else, or one of them is not valid UTF-8
 */
char **
c2g_argument_dup_strings (C2gArgument  *self,
                          GError      **error)
{
  const Caffe2__Argument *message;
  g_auto (GStrv) texts = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  message = &self->message;
  if (!check_list (self, message->n_strings, C2G_ARGUMENT_KIND_STRINGS, error))
    return NULL;

  texts = g_new0 (char *, message->n_strings + 1);
  for (gsize i = 0; i < message->n_strings; i++)
    {
      texts[i] = dup_text (self, &message->strings[i], error);
      if (texts[i] == NULL)
        return NULL;
    }

  return g_steal_pointer (&texts);
}

/**
 * c2g_argument_dup_bytes_at:
 * @self: an argument
 * @index: which one
 * @error: return location for an error
 *
 * Gets one string of a list as bytes.
 *
 * Returns: (transfer full): the bytes, without a copy; `NULL` with `C2G_ERROR_TYPE` if it is
 *   something else, and with `C2G_ERROR_RANGE` for an index beyond the list
 */
GBytes *
c2g_argument_dup_bytes_at (C2gArgument  *self,
                           gsize         index,
                           GError      **error)
{
  const Caffe2__Argument *message;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  message = &self->message;
  if (!check_list (self, message->n_strings, C2G_ARGUMENT_KIND_STRINGS, error))
    return NULL;

  if (index >= message->n_strings)
    return c2g_fail_null (error, C2G_ERROR_RANGE,
                          _("Argument “%s” has %zu strings, asked for number %zu"),
                          c2g_argument_get_name (self), message->n_strings, index);
  return ref_bytes (self, &message->strings[index]);
}

static C2gNetDef *
new_net (const Caffe2__NetDef  *message,
         GError               **error)
{
  g_autoptr (GBytes) bytes = c2g_wire_serialize (&message->base, error);

  return bytes == NULL ? NULL : c2g_net_def_new_from_bytes (bytes, error);
}

/* Parses the nested net once and caches it; threads may race to store it. Only copies are given
 * to callers. */
static C2gNetDef *
ensure_net (C2gArgument  *self,
            GError      **error)
{
  C2gNetDef *net = g_atomic_pointer_get (&self->net);

  if (net != NULL)
    return net;

  net = new_net (self->message.n, error);
  if (net == NULL || g_atomic_pointer_compare_and_exchange (&self->net, NULL, net))
    return net;
  g_object_unref (net);
  return g_atomic_pointer_get (&self->net);
}

/**
 * c2g_argument_dup_net:
 * @self: an argument
 * @error: return location for an error
 *
 * Gets a net.
 *
 * Returns: (transfer full): a copy of the net; `NULL` with `C2G_ERROR_TYPE` if it is something
 *   else, or with `C2G_ERROR_NO_MEMORY`
 */
C2gNetDef *
c2g_argument_dup_net (C2gArgument  *self,
                      GError      **error)
{
  C2gNetDef *net;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_kind (self, self->message.n != NULL, C2G_ARGUMENT_KIND_NET, error))
    return NULL;
  net = ensure_net (self, error);
  return net != NULL ? c2g_net_def_copy (net) : NULL;
}

/**
 * c2g_argument_dup_nets:
 * @self: an argument
 * @n_values: (out): return location for their number
 * @error: return location for an error
 *
 * Gets a list of nets.
 *
 * Returns: (transfer full) (array length=n_values): copies of the nets; `NULL` with
 *   `C2G_ERROR_TYPE` if it is something else, or with `C2G_ERROR_NO_MEMORY`
 */
C2gNetDef **
c2g_argument_dup_nets (C2gArgument  *self,
                       gsize        *n_values,
                       GError      **error)
{
  g_autoptr (GPtrArray) nets = g_ptr_array_new_with_free_func (g_object_unref);
  const Caffe2__Argument *message;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (n_values != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  *n_values = 0;
  message = &self->message;
  if (!check_list (self, message->n_nets, C2G_ARGUMENT_KIND_NETS, error))
    return NULL;

  for (gsize i = 0; i < message->n_nets; i++)
    {
      C2gNetDef *net = new_net (message->nets[i], error);

      if (net == NULL)
        return NULL;
      g_ptr_array_add (nets, net);
    }

  g_ptr_array_add (nets, NULL);
  *n_values = message->n_nets;
  return (C2gNetDef **) g_ptr_array_free (g_steal_pointer (&nets), FALSE);
}
