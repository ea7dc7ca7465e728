/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-binary-loop-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

#include <string.h>

/* Runs binary operators with broadcasting: computes the shape and the strides, and calls a loop for
 * each row, in the calling thread. On CUDA kernels/binary.cu does the same. */

/* Returns the index of an axis such as “C” in an order such as “NCHW”. */
static int
find_axis (const char  *axis_str,
           const char  *order,
           GError     **error)
{
  const char *place = strlen (axis_str) == 1 ? strchr (order, *axis_str) : NULL;

  if (place != NULL)
    return (int) (place - order);

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("The axis “%s” is not one of the order “%s”"), axis_str, order);
  return -1;
}

const C2gKernelArgument c2g_broadcast_arguments[] = {
  C2G_ARG_BOOLEAN (C2gBroadcastRule, is_legacy, "broadcast", FALSE),
  C2G_ARG_INT (C2gBroadcastRule, axis, "axis", -1),
  C2G_ARG_STRING (C2gBroadcastRule, axis_str, "axis_str", ""),
  C2G_ARG_STRING (C2gBroadcastRule, order, "order", "NCHW"),
  C2G_ARG_IGNORED ("allow_broadcast_fastpath"),
  { 0 },
};

gboolean
c2g_binary_set_up (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  C2gBroadcastRule *self = state;

  if (*self->axis_str == '\0' || !self->is_legacy)
    return TRUE;
  if (self->axis == -1)
    {
      self->axis = find_axis (self->axis_str, self->order, error);
      return self->axis >= 0;
    }

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The arguments “%s” and “%s” exclude each other"), "axis", "axis_str");
}

gboolean
c2g_broadcast_dims (const gint64 *a_dims,
                    gsize         n_a_dims,
                    const gint64 *b_dims,
                    gsize         n_b_dims,
                    gint64       *dims,
                    gsize        *n_dims)
{
  gsize n = MAX (n_a_dims, n_b_dims);

  for (gsize i = 0; i < n; i++)
    {
      gint64 a = i + n_a_dims >= n ? a_dims[i + n_a_dims - n] : 1;
      gint64 b = i + n_b_dims >= n ? b_dims[i + n_b_dims - n] : 1;

      if (a != b && a != 1 && b != 1)
        return FALSE;
    }

  /* From the last dimension to the first, since dims may be a_dims or b_dims. */
  for (gsize i = 0; i < n; i++)
    {
      gint64 a = i < n_a_dims ? a_dims[n_a_dims - 1 - i] : 1;
      gint64 b = i < n_b_dims ? b_dims[n_b_dims - 1 - i] : 1;

      dims[n - 1 - i] = a == 1 ? b : a;
    }
  *n_dims = n;
  return TRUE;
}

/* Adds an outer dimension. Merges it into the first one if both strides continue it. */
static void
add_outer (C2gBroadcast *self,
           gint64        dim,
           gint64        a_stride,
           gint64        b_stride)
{
  gsize first = C2G_DIMS_MAX - self->n_dims;

  if (dim == 1)
    return;

  if (self->n_dims > 0 && a_stride == self->dims[first] * self->a_strides[first] &&
      b_stride == self->dims[first] * self->b_strides[first])
    {
      self->dims[first] *= dim;
      return;
    }

  self->n_dims++;
  first--;
  self->dims[first] = dim;
  self->a_strides[first] = a_stride;
  self->b_strides[first] = b_stride;
}

/* The arrays are filled from their end. Moves the dimensions to the front. */
static void
move_to_front (C2gBroadcast *self)
{
  gsize first = C2G_DIMS_MAX - self->n_dims;

  memmove (self->dims, self->dims + first, self->n_dims * sizeof *self->dims);
  memmove (self->a_strides, self->a_strides + first, self->n_dims * sizeof *self->dims);
  memmove (self->b_strides, self->b_strides + first, self->n_dims * sizeof *self->dims);
}

void
c2g_broadcast_plan (C2gBroadcast *self,
                    const gint64 *dims,
                    gsize         n_dims,
                    const gint64 *a_dims,
                    gsize         n_a_dims,
                    const gint64 *b_dims,
                    gsize         n_b_dims)
{
  gint64 n_a = 1, n_b = 1;

  self->n_dims = 0;
  for (gsize i = 0; i < n_dims; i++)
    {
      gint64 a = i < n_a_dims ? a_dims[n_a_dims - 1 - i] : 1;
      gint64 b = i < n_b_dims ? b_dims[n_b_dims - 1 - i] : 1;

      add_outer (self, dims[n_dims - 1 - i], a != 1 ? n_a : 0, b != 1 ? n_b : 0);
      n_a *= a;
      n_b *= b;
    }
  move_to_front (self);
}

/* Goes to the next row. Returns FALSE after the last one. */
static gboolean
advance (const C2gBroadcast *self,
         gint64             *position,
         gint64             *a,
         gint64             *b)
{
  for (gsize i = self->n_dims - 1; i-- > 0;)
    {
      *a += self->a_strides[i];
      *b += self->b_strides[i];
      if (++position[i] < self->dims[i])
        return TRUE;

      *a -= self->dims[i] * self->a_strides[i];
      *b -= self->dims[i] * self->b_strides[i];
      position[i] = 0;
    }

  return FALSE;
}

static void
run_row (const C2gBroadcast *self,
         C2gBinaryLoop       loop,
         const char         *a,
         const char         *b,
         gsize               in_size,
         char               *c,
         gsize               out_size)
{
  const gint64 n = self->dims[self->n_dims - 1];
  const gint64 a_stride = self->a_strides[self->n_dims - 1];
  const gint64 b_stride = self->b_strides[self->n_dims - 1];

  for (gint64 i = 0; i < n && !c2g_interrupt_is_wanted (); i += C2G_INTERRUPT_ELEMENTS)
    loop (a + i * a_stride * in_size, a_stride, b + i * b_stride * in_size, b_stride,
          c + i * out_size, MIN (n - i, C2G_INTERRUPT_ELEMENTS));
}

void
c2g_broadcast_run (const C2gBroadcast *self,
                   C2gBinaryLoop       loop,
                   gconstpointer       a,
                   gconstpointer       b,
                   gsize               in_size,
                   gpointer            c,
                   gsize               out_size)
{
  gint64 position[C2G_DIMS_MAX] = { 0 };
  gint64 a_offset = 0, b_offset = 0;
  char *target = c;
  gint64 n;

  if (self->n_dims == 0)
    {
      loop (a, 0, b, 0, c, 1);
      return;
    }

  n = self->dims[self->n_dims - 1];
  do
    {
      run_row (self, loop, (const char *) a + a_offset * in_size,
               (const char *) b + b_offset * in_size, in_size, target, out_size);
      target += n * out_size;
    }
  while (!c2g_interrupt_is_wanted () && advance (self, position, &a_offset, &b_offset));
}

static gboolean
check_legacy_axis (C2gOperator  *op,
                   C2gTensor    *a,
                   C2gTensor    *b,
                   int          *axis,
                   GError      **error)
{
  if (b->n_dims > a->n_dims)
    return c2g_operator_set_shape_error (op, 1, error, _("at most %zu dimensions"), a->n_dims);

  if (*axis == -1)
    *axis = (int) (a->n_dims - b->n_dims);
  if (*axis >= 0 && (gsize) *axis <= a->n_dims - b->n_dims)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE, _("The axis is %d, expected one from 0 to %zu"), *axis,
                   a->n_dims - b->n_dims);
}

/* Computes the shape that makes NumPy's rule align b's dimensions with axis: b's shape with
 * trailing dimensions of 1. */
static gboolean
expand_legacy (C2gOperator  *op,
               C2gTensor    *a,
               C2gTensor    *b,
               int           axis,
               gint64       *dims,
               gsize        *n_dims,
               GError      **error)
{
  g_autofree char *shape = NULL;

  *n_dims = 0;
  if (b->n_elements == 1)
    return TRUE;
  if (!check_legacy_axis (op, a, b, &axis, error))
    return FALSE;

  for (gsize i = 0; i < a->n_dims - axis; i++)
    {
      dims[i] = i < b->n_dims ? b->dims[i] : 1;
      if (dims[i] == 1 || dims[i] == a->dims[axis + i])
        continue;

      shape = c2g_shape_to_string (a->dims + axis, b->n_dims);
      return c2g_operator_set_shape_error (op, 1, error, "%s", shape);
    }
  *n_dims = a->n_dims - axis;
  return TRUE;
}

/* Shape of the result, and shape of b under NumPy's rule. */
typedef struct
{
  gint64 dims[C2G_DIMS_MAX];
  gsize  n_dims;
  gint64 b_dims[C2G_DIMS_MAX];
  gsize  n_b_dims;
} Shapes;

static gboolean
find_shapes (C2gOperator             *op,
             const C2gBroadcastRule  *rule,
             C2gTensor               *a,
             C2gTensor               *b,
             Shapes                  *shapes,
             GError                 **error)
{
  g_autofree char *shape = NULL;

  if (!c2g_operator_check_rank (op, 0, a, error) || !c2g_operator_check_rank (op, 1, b, error))
    return FALSE;

  if (rule->is_legacy)
    {
      memcpy (shapes->dims, a->dims, a->n_dims * sizeof *a->dims);
      shapes->n_dims = a->n_dims;
      return expand_legacy (op, a, b, rule->axis, shapes->b_dims, &shapes->n_b_dims, error);
    }

  memcpy (shapes->b_dims, b->dims, b->n_dims * sizeof *b->dims);
  shapes->n_b_dims = b->n_dims;
  if (c2g_broadcast_dims (a->dims, a->n_dims, b->dims, b->n_dims, shapes->dims, &shapes->n_dims))
    return TRUE;
  shape = c2g_shape_to_string (a->dims, a->n_dims);
  return c2g_operator_set_shape_error (op, 1, error, _("one that broadcasts with %s"), shape);
}

/* An element that is written must not be read again, so an input in place needs the shape of the
 * result. */
static gboolean
check_in_place (C2gOperator   *op,
                guint          input,
                C2gTensor     *tensor,
                const Shapes  *shapes,
                GError       **error)
{
  g_autofree char *shape = NULL;

  if (c2g_operator_get_input (op, input) != c2g_operator_get_output (op, 0) ||
      c2g_shape_equal (tensor->dims, tensor->n_dims, shapes->dims, shapes->n_dims))
    return TRUE;

  shape = c2g_shape_to_string (shapes->dims, shapes->n_dims);
  return c2g_operator_set_shape_error (op, input, error, _("%s, for it is the output too"), shape);
}

static gboolean
run_on_device (C2gOperator         *op,
               int                  function,
               const C2gBroadcast  *plan,
               C2gTensor           *a,
               C2gTensor           *b,
               C2gTensor           *c,
               GError             **error)
{
  if (function == C2G_NOT_FOR_DEVICES)
    return c2g_operator_fail_on_device (op, error);

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = function,
                      .type = c2g_tensor_get_data_type (a), .dims = plan->dims,
                      .n_dims = plan->n_dims, .x = c2g_tensor_address (a),
                      .x_strides = plan->a_strides, .other = c2g_tensor_address (b),
                      .other_strides = plan->b_strides, .y = c2g_tensor_address (c));
}

gboolean
c2g_binary_run (C2gOperator             *op,
                int                      function,
                const C2gBroadcastRule  *rule,
                const C2gBinaryLoop     *loops,
                C2gDataType              to,
                GError                 **error)
{
  C2gTensor *a = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gDataType type = a != NULL ? c2g_tensor_get_data_type (a) : C2G_DATA_TYPE_UNDEFINED;
  C2gTensor *b, *c;
  C2gBroadcast plan;
  Shapes shapes;

  if (a == NULL)
    return FALSE;
  if (!(type < C2G_N_LOOPS && loops[type] != NULL) &&
      (type != c2g_on_device_real_type (op) || loops[C2G_DATA_TYPE_FLOAT] == NULL))
    return c2g_operator_set_types_error (op, 0, C2G_LOOP_TYPES (loops), error);
  b = c2g_operator_input (op, 1, type, error);
  if (b == NULL || !find_shapes (op, rule, a, b, &shapes, error) ||
      !check_in_place (op, 0, a, &shapes, error) || !check_in_place (op, 1, b, &shapes, error))
    return FALSE;

  c = c2g_operator_output (op, 0, shapes.dims, shapes.n_dims,
                           to != C2G_DATA_TYPE_UNDEFINED ? to : type, error);
  if (c == NULL)
    return FALSE;

  if (c->n_elements == 0)
    return TRUE;

  c2g_broadcast_plan (&plan, shapes.dims, shapes.n_dims, a->dims, a->n_dims, shapes.b_dims,
                      shapes.n_b_dims);
  if (c2g_operator_get_compute (op) != NULL)
    return run_on_device (op, function, &plan, a, b, c, error);
  c2g_broadcast_run (&plan, loops[type], c2g_tensor_address (a), c2g_tensor_address (b),
                     c2g_data_type_get_item_size (type), c2g_tensor_address (c),
                     c->meta->item_size);
  return TRUE;
}
