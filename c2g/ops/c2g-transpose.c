/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-transpose-private.h>

#include <c2g/core/c2g-interrupt-private.h>
#include <c2g/ops/c2g-move-private.h>

/* Size of the square tiles that are transposed at once, so that both arrays stay in the cache. */
#define TILE 16

/* Axes of the target, with their strides in both arrays, in items. */
typedef struct
{
  gint64 size[C2G_DIMS_MAX];
  gint64 source_step[C2G_DIMS_MAX];
  gint64 target_step[C2G_DIMS_MAX];
  int    n;
} Plan;

/* Leaves out axes of size 1 and merges axes that stay adjacent. */
static void
plan_init (Plan           *self,
           const C2gDims  *dims,
           const guint8   *axes)
{
  gint64 steps[C2G_DIMS_MAX];
  gint64 step = 1;

  for (gsize i = dims->n; i-- > 0;)
    {
      steps[i] = step;
      step *= dims->dims[i];
    }

  self->n = 0;
  for (gsize i = 0; i < dims->n; i++)
    {
      gint64 size = dims->dims[axes[i]];
      gint64 source_step = steps[axes[i]];

      if (size == 1)
        continue;
      if (self->n > 0 && self->source_step[self->n - 1] == source_step * size)
        size *= self->size[--self->n];
      self->size[self->n] = size;
      self->source_step[self->n++] = source_step;
    }

  step = 1;
  for (int i = self->n; i-- > 0;)
    {
      self->target_step[i] = step;
      step *= self->size[i];
    }
}

static void
plan_remove (Plan *self,
             int   axis)
{
  for (int i = axis; i + 1 < self->n; i++)
    {
      self->size[i] = self->size[i + 1];
      self->source_step[i] = self->source_step[i + 1];
      self->target_step[i] = self->target_step[i + 1];
    }
  self->n--;
}

/* One transposition: element (i, j) of the target is element (j, i) of the source. */
typedef struct
{
  C2gTypeMeta *meta;
  gint64       n_rows;
  gint64       n_columns;
  gint64       source_step;
  gint64       target_step;
} Matrix;

#define DEFINE_TURN(bits)                                                                          \
  static void                                                                                      \
  turn_##bits (const Matrix  *self,                                                                \
               gconstpointer  source,                                                              \
               gpointer       target)                                                              \
  {                                                                                                \
    const guint##bits *from = source;                                                              \
    guint##bits *to = target;                                                                      \
                                                                                                   \
    for (gint64 row = 0; row < self->n_rows && !c2g_interrupt_is_wanted (); row += TILE)           \
      for (gint64 column = 0; column < self->n_columns; column += TILE)                            \
        {                                                                                          \
          gint64 row_end = MIN (row + TILE, self->n_rows);                                         \
          gint64 column_end = MIN (column + TILE, self->n_columns);                                \
                                                                                                   \
          for (gint64 i = row; i < row_end; i++)                                                   \
            for (gint64 j = column; j < column_end; j++)                                           \
              to[i * self->target_step + j] = from[j * self->source_step + i];                     \
        }                                                                                          \
  }

DEFINE_TURN (8)
DEFINE_TURN (16)
DEFINE_TURN (32)
DEFINE_TURN (64)

static void
turn_items (const Matrix  *self,
            gconstpointer  source,
            gpointer       target)
{
  gsize item_size = self->meta->item_size;

  for (gint64 i = 0; i < self->n_rows && !c2g_interrupt_is_wanted (); i++)
    for (gint64 j = 0; j < self->n_columns; j++)
      c2g_move_items (self->meta, 1,
                      (const char *) source + (j * self->source_step + i) * item_size,
                      (char *) target + (i * self->target_step + j) * item_size);
}

static void
turn (const Matrix  *self,
      gconstpointer  source,
      gpointer       target)
{
  gsize item_size = self->meta->is_plain ? self->meta->item_size : 0;

  switch (item_size)
    {
    case 1:
      turn_8 (self, source, target);
      break;

    case 2:
      turn_16 (self, source, target);
      break;

    case 4:
      turn_32 (self, source, target);
      break;

    case 8:
      turn_64 (self, source, target);
      break;

    default:
      turn_items (self, source, target);
      break;
    }
}

/* Removes the innermost axes from the plan: one axis if it is contiguous in the source, otherwise
 * the two axes of a matrix. */
static void
plan_take_matrix (Plan        *self,
                  C2gTypeMeta *meta,
                  Matrix      *matrix)
{
  int last = self->n - 1;
  int row = last;

  *matrix = (Matrix) { meta, 1, self->size[last], self->source_step[last], 0 };
  plan_remove (self, last);
  if (matrix->source_step == 1)
    return;

  /* Exactly one of the remaining axes, which are larger than 1, has stride 1 in the source. */
  while (self->source_step[--row] != 1)
    ;
  matrix->n_rows = self->size[row];
  matrix->target_step = self->target_step[row];
  plan_remove (self, row);
}

static void
run_plan (const Plan    *self,
          const Matrix  *matrix,
          const char    *source,
          char          *target)
{
  gint64 place[C2G_DIMS_MAX] = { 0 };
  gsize item_size = matrix->meta->item_size;
  int axis;

  do
    {
      if (matrix->source_step == 1)
        c2g_move_items (matrix->meta, matrix->n_columns, source, target);
      else
        turn (matrix, source, target);

      for (axis = self->n - 1; axis >= 0; axis--)
        {
          source += self->source_step[axis] * item_size;
          target += self->target_step[axis] * item_size;
          if (++place[axis] < self->size[axis])
            break;
          source -= self->source_step[axis] * self->size[axis] * item_size;
          target -= self->target_step[axis] * self->size[axis] * item_size;
          place[axis] = 0;
        }
    }
  while (axis >= 0 && !c2g_interrupt_is_wanted ());
}

void
c2g_transpose (C2gTypeMeta    *meta,
               const C2gDims  *dims,
               const guint8   *axes,
               gconstpointer   source,
               gpointer        target)
{
  Plan plan;
  Matrix matrix;

  plan_init (&plan, dims, axes);
  if (plan.n == 0)
    {
      c2g_move_items (meta, 1, source, target);
      return;
    }

  plan_take_matrix (&plan, meta, &matrix);
  run_plan (&plan, &matrix, source, target);
}
