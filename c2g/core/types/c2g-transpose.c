/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-transpose-private.h>

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

#include <string.h>

/* Permutes the axes of arrays on the CPU, in tiles. Tensors and the operator Transpose use it. */

/* Size of the square tiles that are transposed at once, so that both arrays stay in the cache. */
#define TILE 16

/* Up to this number of axes, nothing is allocated. */
#define N_FEW_AXES 32

/* An axis of the target, with its strides in both arrays, in items, and the current place on it. */
typedef struct
{
  gint64 size;
  gint64 source_step;
  gint64 target_step;
  gint64 place;
} Axis;

typedef struct
{
  Axis *axes;
  int   n;
} Plan;

static gint64
get_source_step (const gint64 *dims,
                 gsize         n_dims,
                 gsize         axis)
{
  gint64 step = 1;

  while (++axis < n_dims)
    step *= dims[axis];

  return step;
}

/* Leaves out axes of size 1 and merges axes that stay adjacent. */
static void
plan_init (Plan         *self,
           const gint64 *dims,
           gsize         n_dims,
           const int    *axes)
{
  gint64 step = 1;

  self->n = 0;
  for (gsize i = 0; i < n_dims; i++)
    {
      Axis axis = { .size = dims[axes[i]], .source_step = get_source_step (dims, n_dims, axes[i]) };

      if (axis.size == 1)
        continue;
      if (self->n > 0 && self->axes[self->n - 1].source_step == axis.source_step * axis.size)
        axis.size *= self->axes[--self->n].size;
      self->axes[self->n++] = axis;
    }

  for (int i = self->n; i-- > 0;)
    {
      self->axes[i].target_step = step;
      step *= self->axes[i].size;
    }
}

static Axis
plan_remove (Plan *self,
             int   axis)
{
  const Axis removed = self->axes[axis];

  self->n--;
  memmove (&self->axes[axis], &self->axes[axis + 1], (self->n - axis) * sizeof (Axis));

  return removed;
}

/* One transposition: element (i, j) of the target is element (j, i) of the source. */
typedef struct
{
  C2gTypeMeta  *meta;
  C2gCopyItems  copy;
  gint64        n_rows;
  gint64        n_columns;
  gint64        source_step;
  gint64        target_step;
} Matrix;

static void
copy_items (const Matrix  *self,
            gsize          n_items,
            gconstpointer  source,
            gpointer       target)
{
  if (self->meta->is_plain)
    memcpy (target, source, n_items * self->meta->item_size);
  else
    self->copy (self->meta, n_items, source, target);
}

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

/* Pictures of three channels, which become the innermost axis: with constant steps the compiler
 * makes vectors of this loop. */
C2G_HOT static void
turn_part_of_three (const guint32 *restrict from,
                    gint64                  step,
                    guint32 *restrict       to,
                    gint64                  n)
{
  for (gint64 i = 0; i < n; i++)
    for (gint64 j = 0; j < 3; j++)
      to[i * 3 + j] = from[j * step + i];
}

static void
turn_three (const Matrix  *self,
            const guint32 *from,
            guint32       *to)
{
  for (gsize i = 0, n = 0; c2g_interrupt_next_part (self->n_rows, &i, &n);)
    turn_part_of_three (from + i, self->source_step, to + i * 3, (gint64) n);
}

static void
turn_items (const Matrix  *self,
            gconstpointer  source,
            gpointer       target)
{
  gsize item_size = self->meta->item_size;

  for (gint64 i = 0; i < self->n_rows && !c2g_interrupt_is_wanted (); i++)
    for (gint64 j = 0; j < self->n_columns; j++)
      copy_items (self, 1, (const char *) source + (j * self->source_step + i) * item_size,
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
      if (self->n_columns == 3 && self->target_step == 3)
        turn_three (self, source, target);
      else
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
plan_take_matrix (Plan   *self,
                  Matrix *matrix)
{
  const Axis last = plan_remove (self, self->n - 1);
  int row = self->n - 1;
  Axis taken;

  matrix->n_rows = 1;
  matrix->n_columns = last.size;
  matrix->source_step = last.source_step;
  if (matrix->source_step == 1)
    return;

  /* Exactly one of the remaining axes, which are larger than 1, has stride 1 in the source. */
  while (self->axes[row].source_step != 1)
    row--;
  taken = plan_remove (self, row);
  matrix->n_rows = taken.size;
  matrix->target_step = taken.target_step;
}

/* Transposes one matrix after another, over all places on the remaining axes; the last axis
 * advances fastest. */
static void
run_plan (const Plan    *self,
          const Matrix  *matrix,
          const char    *source,
          char          *target)
{
  const gsize item_size = matrix->meta->item_size;
  int i;

  do
    {
      if (matrix->source_step == 1)
        copy_items (matrix, matrix->n_columns, source, target);
      else
        turn (matrix, source, target);

      for (i = self->n - 1; i >= 0; i--)
        {
          Axis *axis = &self->axes[i];

          source += axis->source_step * item_size;
          target += axis->target_step * item_size;
          if (++axis->place < axis->size)
            break;
          source -= axis->source_step * axis->size * item_size;
          target -= axis->target_step * axis->size * item_size;
          axis->place = 0;
        }
    }
  while (i >= 0 && !c2g_interrupt_is_wanted ());
}

void
c2g_transpose (C2gTypeMeta   *meta,
               C2gCopyItems   copy,
               const gint64  *dims,
               gsize          n_dims,
               const int     *axes,
               gconstpointer  source,
               gpointer       target)
{
  Axis few[N_FEW_AXES];
  g_autofree Axis *many = n_dims > N_FEW_AXES ? g_new (Axis, n_dims) : NULL;
  Plan plan = { many != NULL ? many : few, 0 };
  Matrix matrix = { .meta = meta, .copy = copy };

  plan_init (&plan, dims, n_dims, axes);
  if (plan.n == 0)
    {
      copy_items (&matrix, 1, source, target);
      return;
    }

  plan_take_matrix (&plan, &matrix);
  run_plan (&plan, &matrix, source, target);
}
