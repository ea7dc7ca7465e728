/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/support/c2g-elementwise-private.h>

G_BEGIN_DECLS

/* Broadcasting: elementwise operations on two tensors of different shapes.
 *
 * Caffe2 has two rules. With the argument broadcast (the legacy rule) the shape of B is a part of
 * A's shape, starting at axis, or at its end by default. Without it NumPy's rule holds: missing
 * leading dimensions count as 1, and a dimension of 1 is repeated. */

typedef struct
{
  gboolean    is_legacy;
  int         axis;
  const char *axis_str;
  const char *order;
} C2gBroadcastRule;

/* A plan of nested loops over both tensors. Adjacent dimensions are merged if they behave
 * alike. */
typedef struct
{
  gsize  n_dims;
  gint64 dims[C2G_DIMS_MAX];
  /* Strides in elements; 0 if the dimension is repeated. */
  gint64 a_strides[C2G_DIMS_MAX];
  gint64 b_strides[C2G_DIMS_MAX];
} C2gBroadcast;

/* Computes n elements of c.  a_step and b_step are 0 (one element for all) or 1. */
typedef void (*C2gBinaryLoop) (gconstpointer a,
                               gsize         a_step,
                               gconstpointer b,
                               gsize         b_step,
                               gpointer      c,
                               gsize         n);

/* The rows of a C2gBroadcastRule. */
extern const C2gKernelArgument c2g_broadcast_arguments[];

/* Computes the common shape by NumPy's rule. Returns FALSE if there is none. All arrays have
 * room for C2G_DIMS_MAX; dims may be a_dims or b_dims. */
gboolean c2g_broadcast_dims      (const gint64            *a_dims,
                                  gsize                    n_a_dims,
                                  const gint64            *b_dims,
                                  gsize                    n_b_dims,
                                  gint64                  *dims,
                                  gsize                   *n_dims);
/* Makes the plan for shapes that are known to fit. */
void     c2g_broadcast_plan      (C2gBroadcast            *self,
                                  const gint64            *dims,
                                  gsize                    n_dims,
                                  const gint64            *a_dims,
                                  gsize                    n_a_dims,
                                  const gint64            *b_dims,
                                  gsize                    n_b_dims);
void     c2g_broadcast_run       (const C2gBroadcast      *self,
                                  C2gBinaryLoop            loop,
                                  gconstpointer            a,
                                  gconstpointer            b,
                                  gsize                    in_size,
                                  gpointer                 c,
                                  gsize                    out_size);

/* Runs a binary operator: output 0 from inputs 0 and 1, of one element type that loops has a loop
 * for.  function is the C2gComputeBinary that a device computes instead. */
gboolean c2g_binary_run          (C2gOperator             *op,
                                  int                      function,
                                  const C2gBroadcastRule  *rule,
                                  const C2gBinaryLoop     *loops,
                                  C2gDataType              to,
                                  GError                 **error);
/* Set-up of operators whose state is a C2gBroadcastRule. */
gboolean c2g_binary_set_up       (C2gOperator             *op,
                                  gpointer                 state,
                                  GError                 **error);

/* Defines a C2gBinaryLoop that computes an expression of x and y. */
#define C2G_DEFINE_BINARY_LOOP(name, attribute, in, out, expression)                               \
  attribute static void                                                                            \
  name (gconstpointer a,                                                                           \
        gsize         a_step,                                                                      \
        gconstpointer b,                                                                           \
        gsize         b_step,                                                                      \
        gpointer      c,                                                                           \
        gsize         n)                                                                           \
  {                                                                                                \
    const in *xs = a;                                                                              \
    const in *ys = b;                                                                              \
    out *to = c;                                                                                   \
                                                                                                   \
    if (a_step == 1 && b_step == 1)                                                                \
      {                                                                                            \
        C2G_INDEPENDENT                                                                            \
        for (gsize i = 0; i < n; i++)                                                              \
          {                                                                                        \
            in x = xs[i], y = ys[i];                                                               \
                                                                                                   \
            to[i] = expression;                                                                    \
          }                                                                                        \
      }                                                                                            \
    else if (a_step == 1)                                                                          \
      {                                                                                            \
        in y = *ys;                                                                                \
                                                                                                   \
        C2G_INDEPENDENT                                                                            \
        for (gsize i = 0; i < n; i++)                                                              \
          {                                                                                        \
            in x = xs[i];                                                                          \
                                                                                                   \
            to[i] = expression;                                                                    \
          }                                                                                        \
      }                                                                                            \
    else                                                                                           \
      {                                                                                            \
        in x = *xs;                                                                                \
                                                                                                   \
        C2G_INDEPENDENT                                                                            \
        for (gsize i = 0; i < n; i++)                                                              \
          {                                                                                        \
            in y = ys[i * b_step];                                                                 \
                                                                                                   \
            to[i] = expression;                                                                    \
          }                                                                                        \
      }                                                                                            \
  }

/* Defines the run function of an operator whose state is a C2gBroadcastRule. */
#define C2G_DEFINE_BINARY_RUN(name, NAME, to)                                                      \
  static gboolean                                                                                  \
  name##_run (C2gOperator  *op,                                                                    \
              gpointer      state,                                                                 \
              GError      **error)                                                                 \
  {                                                                                                \
    return c2g_binary_run (op, C2G_COMPUTE_BINARY_##NAME, state, name##_loops, to, error);         \
  }

#define C2G_BINARY(type, name, in_place, ...)                                                      \
  {                                                                                                \
    type, NULL, 2, 2, 1, 1, in_place, c2g_broadcast_arguments, sizeof (C2gBroadcastRule),          \
      c2g_binary_set_up, name##_run, NULL, c2g_count_elements, __VA_ARGS__, .infer = name##_run,   \
      .is_for_devices = TRUE                                                                       \
  }

G_END_DECLS
