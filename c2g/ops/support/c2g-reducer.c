/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-reduce-private.h>

#include <math.h>

/* The reductions for each element type: sum, mean, maximum, minimum and norms. */

/* Number of partial sums, which hide the latency of additions and reduce rounding errors. */
#define N_LANES 32

/* Defines the functions of a reducer. ADD adds an element to a result, MERGE joins two results. */
#define DEFINE_REDUCER(name, attribute, type, first, ADD, MERGE)                                   \
  static void                                                                                      \
  name##_start (gpointer y,                                                                        \
                gsize    n)                                                                        \
  {                                                                                                \
    for (gsize i = 0; i < n; i++)                                                                  \
      ((type *) y)[i] = first;                                                                     \
  }                                                                                                \
                                                                                                   \
  attribute static void                                                                            \
  name##_row (gpointer      y,                                                                     \
              gconstpointer x,                                                                     \
              gsize         n)                                                                     \
  {                                                                                                \
    const type *xs = x;                                                                            \
    type result = *(type *) y;                                                                     \
    gsize i = 0;                                                                                   \
                                                                                                   \
    if (n >= N_LANES)                                                                              \
      {                                                                                            \
        type lanes[N_LANES];                                                                       \
                                                                                                   \
        for (gsize lane = 0; lane < N_LANES; lane++)                                               \
          lanes[lane] = first;                                                                     \
        for (; i + N_LANES <= n; i += N_LANES)                                                     \
          for (gsize lane = 0; lane < N_LANES; lane++)                                             \
            lanes[lane] = ADD (type, lanes[lane], xs[i + lane]);                                   \
        for (gsize lane = 0; lane < N_LANES; lane++)                                               \
          result = MERGE (type, result, lanes[lane]);                                              \
      }                                                                                            \
    for (; i < n; i++)                                                                             \
      result = ADD (type, result, xs[i]);                                                          \
    *(type *) y = result;                                                                          \
  }                                                                                                \
                                                                                                   \
  attribute static void                                                                            \
  name##_column (gpointer      y,                                                                  \
                 gconstpointer x,                                                                  \
                 gsize         n)                                                                  \
  {                                                                                                \
    const type *xs = x;                                                                            \
    type *ys = y;                                                                                  \
                                                                                                   \
    C2G_INDEPENDENT                                                                                \
    for (gsize i = 0; i < n; i++)                                                                  \
      ys[i] = ADD (type, ys[i], xs[i]);                                                            \
  }

#define ADD_FLOAT(type, y, x) ((y) + (x))
#define ADD_SIZE(type, y, x) ((y) + ((x) < 0 ? -(x) : (x)))
#define ADD_SQUARE(type, y, x) ((y) + (x) * (x))
#define ADD_INTEGER(type, y, x) (type) ((guint64) (y) + (guint64) (x))
#define TAKE_LARGER(type, y, x) ((y) < (x) ? (x) : (y))
#define TAKE_SMALLER(type, y, x) ((x) < (y) ? (x) : (y))

DEFINE_REDUCER (sum_float, C2G_HOT, float, 0, ADD_FLOAT, ADD_FLOAT)
DEFINE_REDUCER (sum_double, , double, 0, ADD_FLOAT, ADD_FLOAT)
DEFINE_REDUCER (sum_int32, , gint32, 0, ADD_INTEGER, ADD_INTEGER)
DEFINE_REDUCER (sum_int64, , gint64, 0, ADD_INTEGER, ADD_INTEGER)

DEFINE_REDUCER (max_float, C2G_HOT, float, -INFINITY, TAKE_LARGER, TAKE_LARGER)
DEFINE_REDUCER (max_double, , double, -INFINITY, TAKE_LARGER, TAKE_LARGER)
DEFINE_REDUCER (max_int32, , gint32, G_MININT32, TAKE_LARGER, TAKE_LARGER)
DEFINE_REDUCER (max_int64, , gint64, G_MININT64, TAKE_LARGER, TAKE_LARGER)

DEFINE_REDUCER (min_float, C2G_HOT, float, INFINITY, TAKE_SMALLER, TAKE_SMALLER)
DEFINE_REDUCER (min_double, , double, INFINITY, TAKE_SMALLER, TAKE_SMALLER)
DEFINE_REDUCER (min_int32, , gint32, G_MAXINT32, TAKE_SMALLER, TAKE_SMALLER)
DEFINE_REDUCER (min_int64, , gint64, G_MAXINT64, TAKE_SMALLER, TAKE_SMALLER)

DEFINE_REDUCER (size_float, C2G_HOT, float, 0, ADD_SIZE, ADD_FLOAT)
DEFINE_REDUCER (size_double, , double, 0, ADD_SIZE, ADD_FLOAT)
DEFINE_REDUCER (square_float, C2G_HOT, float, 0, ADD_SQUARE, ADD_FLOAT)
DEFINE_REDUCER (square_double, , double, 0, ADD_SQUARE, ADD_FLOAT)

#define DEFINE_FINISH(name, type, expression)                                                      \
  static void                                                                                      \
  name (gpointer y,                                                                                \
        gsize    n,                                                                                \
        gint64   n_added)                                                                          \
  {                                                                                                \
    type *ys = y;                                                                                  \
                                                                                                   \
    for (gsize i = 0; i < n; i++)                                                                  \
      ys[i] = (type) (expression);                                                                 \
  }

DEFINE_FINISH (mean_float_finish, float, ys[i] / (float) n_added)
DEFINE_FINISH (mean_double_finish, double, ys[i] / (double) n_added)
DEFINE_FINISH (mean_int32_finish, gint32, ys[i] / n_added)
DEFINE_FINISH (mean_int64_finish, gint64, ys[i] / n_added)
DEFINE_FINISH (root_float_finish, float, sqrtf (ys[i]))
DEFINE_FINISH (root_double_finish, double, sqrt (ys[i]))

#define REDUCER(name, finish)                       \
  {                                                 \
    name##_start, name##_row, name##_column, finish \
  }

const C2gReducer c2g_sum_reducers[C2G_N_LOOPS] = {
  [C2G_DATA_TYPE_FLOAT] = REDUCER (sum_float, NULL),
  [C2G_DATA_TYPE_DOUBLE] = REDUCER (sum_double, NULL),
  [C2G_DATA_TYPE_INT32] = REDUCER (sum_int32, NULL),
  [C2G_DATA_TYPE_INT64] = REDUCER (sum_int64, NULL),
};

const C2gReducer c2g_mean_reducers[C2G_N_LOOPS] = {
  [C2G_DATA_TYPE_FLOAT] = REDUCER (sum_float, mean_float_finish),
  [C2G_DATA_TYPE_DOUBLE] = REDUCER (sum_double, mean_double_finish),
  [C2G_DATA_TYPE_INT32] = REDUCER (sum_int32, mean_int32_finish),
  [C2G_DATA_TYPE_INT64] = REDUCER (sum_int64, mean_int64_finish),
};

const C2gReducer c2g_max_reducers[C2G_N_LOOPS] = {
  [C2G_DATA_TYPE_FLOAT] = REDUCER (max_float, NULL),
  [C2G_DATA_TYPE_DOUBLE] = REDUCER (max_double, NULL),
  [C2G_DATA_TYPE_INT32] = REDUCER (max_int32, NULL),
  [C2G_DATA_TYPE_INT64] = REDUCER (max_int64, NULL),
};

const C2gReducer c2g_min_reducers[C2G_N_LOOPS] = {
  [C2G_DATA_TYPE_FLOAT] = REDUCER (min_float, NULL),
  [C2G_DATA_TYPE_DOUBLE] = REDUCER (min_double, NULL),
  [C2G_DATA_TYPE_INT32] = REDUCER (min_int32, NULL),
  [C2G_DATA_TYPE_INT64] = REDUCER (min_int64, NULL),
};

const C2gReducer c2g_l1_reducers[C2G_N_LOOPS] = {
  [C2G_DATA_TYPE_FLOAT] = REDUCER (size_float, NULL),
  [C2G_DATA_TYPE_DOUBLE] = REDUCER (size_double, NULL),
};

const C2gReducer c2g_l2_reducers[C2G_N_LOOPS] = {
  [C2G_DATA_TYPE_FLOAT] = REDUCER (square_float, root_float_finish),
  [C2G_DATA_TYPE_DOUBLE] = REDUCER (square_double, root_double_finish),
};

const C2gReducer c2g_square_reducers[C2G_N_LOOPS] = {
  [C2G_DATA_TYPE_FLOAT] = REDUCER (square_float, NULL),
  [C2G_DATA_TYPE_DOUBLE] = REDUCER (square_double, NULL),
};

const C2gReducer *
c2g_reducer_find (const C2gReducer  *reducers,
                  C2gOperator       *op,
                  C2gTensor         *x,
                  GError           **error)
{
  C2gDataType type = c2g_tensor_get_data_type (x);
  guint32 types = 0;

  if (type < C2G_N_LOOPS && reducers[type].start != NULL)
    return &reducers[type];

  for (guint i = 0; i < C2G_N_LOOPS; i++)
    types |= (reducers[i].start != NULL) << i;
  c2g_operator_set_types_error (op, 0, types, error);
  return NULL;
}
