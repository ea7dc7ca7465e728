/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/support/c2g-broadcast-private.h>

G_BEGIN_DECLS

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
