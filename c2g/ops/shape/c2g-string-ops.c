/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Operators on tensors of strings, which are bytes without an encoding; a missing string is empty.
 *
 * StringStartsWith, StringEndsWith, StringEquals: compare with prefix, suffix or text; give bool.
 * StringPrefix, StringSuffix: the first or last length bytes.
 * StringJoin: X (N), (N, D); with axis 0 each row is joined to one string, with axis 1 each
 * column. Every element, the last one too, is followed by delimiter. Numbers are printed as by %g
 * or %d, 8-bit integers are characters.
 *
 * Nothing is in place. The rules are Caffe2's. These operators run on the CPU only. */

typedef struct
{
  gconstpointer data;
  gsize         n;
} Text;

static Text
get_text (C2gTensor *tensor,
          gint64     i)
{
  GBytes *bytes = ((GBytes *const *) c2g_tensor_address (tensor))[i];
  Text text = { NULL, 0 };

  if (bytes != NULL)
    text.data = g_bytes_get_data (bytes, &text.n);
  return text;
}

/* Takes ownership of bytes. */
static void
put_bytes (C2gTensor *tensor,
           gint64     i,
           GBytes    *bytes)
{
  GBytes **place = &((GBytes **) c2g_tensor_address (tensor))[i];

  g_clear_pointer (place, g_bytes_unref);
  *place = bytes;
}

/* StringStartsWith, StringEndsWith and StringEquals */

typedef gboolean (*TextTest) (Text text,
                              Text wanted);

typedef struct
{
  const char *wanted;
} TestState;

static gboolean
same (gconstpointer data,
      Text          wanted)
{
  return wanted.n == 0 || memcmp (data, wanted.data, wanted.n) == 0;
}

static gboolean
starts_with (Text text,
             Text wanted)
{
  return text.n >= wanted.n && same (text.data, wanted);
}

static gboolean
ends_with (Text text,
           Text wanted)
{
  return text.n >= wanted.n && same ((const char *) text.data + text.n - wanted.n, wanted);
}

static gboolean
equals (Text text,
        Text wanted)
{
  return text.n == wanted.n && same (text.data, wanted);
}

static gboolean
test (C2gOperator  *op,
      Text          wanted,
      TextTest      is_right,
      GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_STRING, error);
  C2gTensor *y = x != NULL ? c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_BOOL, error) : NULL;

  if (y == NULL)
    return FALSE;
  for (gint64 i = 0; i < x->n_elements; i++)
    ((guint8 *) c2g_tensor_address (y))[i] = is_right (get_text (x, i), wanted);
  return TRUE;
}

#define DEFINE_TEST(name)                                                                          \
  static gboolean                                                                                  \
  name##_run (C2gOperator  *op,                                                                    \
              gpointer      state,                                                                 \
              GError      **error)                                                                 \
  {                                                                                                \
    const char *wanted = ((TestState *) state)->wanted;                                            \
                                                                                                   \
    return test (op, (Text) { wanted, strlen (wanted) }, name, error);                             \
  }

DEFINE_TEST (starts_with)
DEFINE_TEST (ends_with)
DEFINE_TEST (equals)

/* StringPrefix and StringSuffix */

typedef struct
{
  gint64 length;
} CutState;

static gboolean
cut (C2gOperator  *op,
     gsize         length,
     gboolean      from_end,
     GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_STRING, error);
  C2gTensor *y =
    x != NULL ? c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_STRING, error) : NULL;

  if (y == NULL)
    return FALSE;
  for (gint64 i = 0; i < x->n_elements; i++)
    {
      const gsize n = get_text (x, i).n;
      GBytes *bytes = ((GBytes *const *) c2g_tensor_address (x))[i];
      GBytes *part;

      if (bytes == NULL)
        part = NULL;
      else if (n <= length)
        part = g_bytes_ref (bytes);
      else
        part = g_bytes_new_from_bytes (bytes, from_end ? n - length : 0, length);
      put_bytes (y, i, part);
    }
  return TRUE;
}

static gboolean
prefix_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  return cut (op, ((CutState *) state)->length, FALSE, error);
}

static gboolean
suffix_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  return cut (op, ((CutState *) state)->length, TRUE, error);
}

/* StringJoin */

typedef struct
{
  const char *given;
  Text        delimiter;
  int         axis;
} JoinState;

static gboolean
join_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  JoinState *self = state;

  self->delimiter = (Text) { self->given, strlen (self->given) };
  return TRUE;
}

#define MAX_NUMBER 64

/* Converts an element to text in room or in its own memory. Returns FALSE for other types. */
static gboolean
print_element (C2gTensor *x,
               gint64     i,
               char      *room,
               Text      *text)
{
  gconstpointer data = c2g_tensor_address (x);

  switch (c2g_tensor_get_data_type (x))
    {
    case C2G_DATA_TYPE_STRING:
      *text = get_text (x, i);
      return TRUE;

    case C2G_DATA_TYPE_FLOAT:
      g_ascii_formatd (room, MAX_NUMBER, "%g", ((const float *) data)[i]);
      break;

    case C2G_DATA_TYPE_DOUBLE:
      g_ascii_formatd (room, MAX_NUMBER, "%g", ((const double *) data)[i]);
      break;

    /* 8-bit integers are characters, as in Caffe2. */
    case C2G_DATA_TYPE_INT8:
    case C2G_DATA_TYPE_UINT8:
      *text = (Text) { (const char *) data + i, 1 };
      return TRUE;

    case C2G_DATA_TYPE_BOOL:
      g_snprintf (room, MAX_NUMBER, "%d", ((const guint8 *) data)[i] != 0);
      break;

    case C2G_DATA_TYPE_INT16:
      g_snprintf (room, MAX_NUMBER, "%d", ((const gint16 *) data)[i]);
      break;

    case C2G_DATA_TYPE_UINT16:
      g_snprintf (room, MAX_NUMBER, "%d", ((const guint16 *) data)[i]);
      break;

    case C2G_DATA_TYPE_INT32:
      g_snprintf (room, MAX_NUMBER, "%d", ((const gint32 *) data)[i]);
      break;

    case C2G_DATA_TYPE_INT64:
      g_snprintf (room, MAX_NUMBER, "%" PRId64, ((const gint64 *) data)[i]);
      break;

    default:
      return FALSE;
    }

  *text = (Text) { room, strlen (room) };
  return TRUE;
}

static gboolean
append (char  *to,
        gsize *at,
        Text   text)
{
  if (text.n > 0 && to != NULL)
    memcpy (to + *at, text.data, text.n);
  return g_size_checked_add (at, *at, text.n);
}

/* Writes the joined text to a buffer, or only computes its size if to is NULL.  Returns FALSE if
 * the size overflows. */
static gboolean
write_joined (const JoinState *self,
              C2gTensor       *x,
              gint64           begin,
              gint64           n,
              gint64           step,
              char            *to,
              gsize           *size)
{
  *size = 0;
  for (gint64 i = 0; i < n; i++)
    {
      char room[MAX_NUMBER];
      Text text = { NULL, 0 };

      if (!print_element (x, begin + i * step, room, &text) || !append (to, size, text) ||
          !append (to, size, self->delimiter))
        return FALSE;
    }
  return TRUE;
}

static GBytes *
join (const JoinState  *self,
      C2gTensor        *x,
      gint64            begin,
      gint64            n,
      gint64            step,
      GError          **error)
{
  gsize size;
  char *data;

  if (!write_joined (self, x, begin, n, step, NULL, &size))
    size = G_MAXSIZE;
  data = g_try_malloc (MAX (size, 1));
  if (data == NULL)
    return c2g_fail_null (error, C2G_ERROR_NO_MEMORY,
                          _("Not enough memory for a string of %zu bytes"), size);
  write_joined (self, x, begin, n, step, data, &size);
  return g_bytes_new_take (data, size);
}

static gboolean
join_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  JoinState *self = state;
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gTensor *y;
  char room[MAX_NUMBER];
  gint64 n_rows, n_columns, n;
  Text text;

  if (x == NULL)
    return FALSE;
  if (x->n_dims < 1 || x->n_dims > 2 || x->n_elements == 0 ||
      (self->axis == 1 && x->n_dims < 2))
    return c2g_operator_set_shape_error (op, 0, error,
                                         _("elements in one dimension or in two"));
  if (!c2g_operator_is_inferring (op) && !print_element (x, 0, room, &text))
    return c2g_operator_set_type_error (op, 0, _("strings or numbers"), error);

  n_rows = x->dims[0];
  n_columns = x->n_dims == 2 ? x->dims[1] : 1;
  n = self->axis == 0 ? n_rows : n_columns;
  y = c2g_operator_output (op, 0, &n, 1, C2G_DATA_TYPE_STRING, error);
  if (y == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      GBytes *bytes = self->axis == 0 ? join (self, x, i * n_columns, n_columns, 1, error)
                                      : join (self, x, i, n_rows, n_columns, error);

      if (bytes == NULL)
        return FALSE;
      put_bytes (y, i, bytes);
    }
  return TRUE;
}

#define STRING(type, state, set_up, run, summary, ...)                                             \
  {                                                                                                \
    type, NULL, 1, 1, 1, 1, NULL, C2G_ARGS (__VA_ARGS__), sizeof (state), set_up, run, NULL, NULL, \
      summary, .infer = run                                                                        \
  }
#define LENGTH C2G_ARG_INT (CutState, length, "length", 3, C2G_RANGE (0, G_MAXINT32))

static const C2gKernel kernels[] = {
  STRING ("StringStartsWith", TestState, NULL, starts_with_run,
          "Finds strings that begin with a prefix",
          C2G_ARG_STRING (TestState, wanted, "prefix", "")),
  STRING ("StringEndsWith", TestState, NULL, ends_with_run, "Finds strings that end with a suffix",
          C2G_ARG_STRING (TestState, wanted, "suffix", "")),
  STRING ("StringEquals", TestState, NULL, equals_run, "Finds strings that equal a text",
          C2G_ARG_STRING (TestState, wanted, "text", "")),
  STRING ("StringPrefix", CutState, NULL, prefix_run, "The first bytes of strings", LENGTH),
  STRING ("StringSuffix", CutState, NULL, suffix_run, "The last bytes of strings", LENGTH),
  STRING ("StringJoin", JoinState, join_set_up, join_run,
          "Joins the elements of rows to strings",
          C2G_ARG_STRING (JoinState, given, "delimiter", ","),
          C2G_ARG_INT (JoinState, axis, "axis", 0, C2G_RANGE (0, 1))),
};

C2G_OPS_FAMILY (string);
