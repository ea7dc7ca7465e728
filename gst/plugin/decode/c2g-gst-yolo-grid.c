/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-yolo-grid.h"

#include "c2g-gst-boxes.h"
#include "c2g-gst-view.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* Decodes the grids of YOLO v3 and v4, for mode=yolo with anchors. */

GArray *
c2g_gst_yolo_grid_parse_anchors (const char  *text,
                                 GError     **error)
{
  g_autoptr (GArray) anchors = g_array_new (FALSE, FALSE, sizeof (double));
  const char *rest = text;

  while (rest != NULL && *rest != '\0')
    {
      char *after_width, *after_height;
      const double width = g_ascii_strtod (rest, &after_width);
      const double height = *after_width == 'x' ? g_ascii_strtod (after_width + 1, &after_height) : 0;

      if (!(width > 0 && height > 0 && (*after_height == ',' || *after_height == '\0')))
        {
          g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                       _("Anchors are “%s”, expected sizes such as “10x13,16x30”"), text);
          return NULL;
        }
      g_array_append_val (anchors, width);
      g_array_append_val (anchors, height);
      rest = *after_height == ',' ? after_height + 1 : after_height;
    }

  return g_steal_pointer (&anchors);
}

typedef struct
{
  const float  *numbers;
  gint64        n_columns;
  gint64        n_rows;
  gsize         n_numbers;
  /* Size of a cell in pixels of the picture. */
  double        cell_width;
  double        cell_height;
  /* Width and height of each anchor of the grid. */
  const double *anchors;
  gsize         n_anchors;
} Grid;

static gboolean
open_grid (Grid              *grid,
           const C2gGstView  *view,
           gsize              i,
           GError           **error)
{
  C2gTensor *tensor = g_ptr_array_index (view->tensors, i);
  const gsize n = view->anchors->len / 2 / view->tensors->len;
  double width, height;
  gint64 dims[3];

  grid->numbers = c2g_gst_view_read (tensor, dims, G_N_ELEMENTS (dims));
  if (grid->numbers == NULL || n == 0 || view->anchors->len / 2 % view->tensors->len != 0 ||
      dims[0] % n != 0 || dims[0] / n <= 5)
    {
      g_autofree char *expected = g_strdup_printf ("[1, %zu · (5 + C), H, W]", n);

      c2g_gst_view_set_error (tensor, expected, error);
      return FALSE;
    }

  c2g_gst_view_get_size (view, &width, &height);
  grid->n_numbers = dims[0] / n;
  grid->n_rows = dims[1];
  grid->n_columns = dims[2];
  grid->cell_width = width / dims[2];
  grid->cell_height = height / dims[1];
  grid->anchors = &g_array_index (view->anchors, double, 2 * n * i);
  grid->n_anchors = n;

  return TRUE;
}

static float
sigmoid (float x)
{
  return 1 / (1 + expf (-x));
}

/* Adds the box of an anchor in a cell. The numbers of a box are in consecutive planes of the grid. */
static void
add_box (const Grid   *grid,
         C2gGstBoxes  *boxes,
         const double *anchor,
         const float  *numbers,
         gint64        cell,
         float        *scores)
{
  const gint64 step = grid->n_columns * grid->n_rows;
  const float objectness = sigmoid (numbers[4 * step]);
  double x, y, half_width, half_height;

  /* Most cells have no object, and their class scores need not be read. */
  if (!(objectness > boxes->view->threshold))
    return;
  for (gsize i = 0; i < boxes->n_classes; i++)
    scores[i] = sigmoid (numbers[(5 + i) * step]);

  x = (sigmoid (numbers[0]) + cell % grid->n_columns) * grid->cell_width;
  y = (sigmoid (numbers[step]) + cell / grid->n_columns) * grid->cell_height;
  half_width = exp (numbers[2 * step]) * anchor[0] / 2;
  half_height = exp (numbers[3 * step]) * anchor[1] / 2;
  c2g_gst_boxes_add (boxes, (const float[]) { x - half_width, y - half_height, x + half_width, y + half_height },
                     scores, 1, objectness);
}

static void
add_grid (const Grid  *grid,
          C2gGstBoxes *boxes)
{
  const gint64 n_cells = grid->n_columns * grid->n_rows;
  g_autofree float *scores = g_new (float, boxes->n_classes);

  for (gsize i = 0; i < grid->n_anchors; i++)
    for (gint64 cell = 0; cell < n_cells; cell++)
      add_box (grid, boxes, grid->anchors + 2 * i,
               grid->numbers + i * grid->n_numbers * n_cells + cell, cell, scores);
}

gboolean
c2g_gst_yolo_grid_find (const C2gGstView  *view,
                        GArray            *findings,
                        GError           **error)
{
  g_auto (C2gGstBoxes) boxes = { 0 };
  Grid grid;

  c2g_gst_boxes_init (&boxes, view, 0);
  for (gsize i = 0; i < view->tensors->len; i++)
    {
      if (!open_grid (&grid, view, i, error))
        return FALSE;
      if (i > 0 && grid.n_numbers != 5 + boxes.n_classes)
        {
          g_set_error_literal (error, C2G_ERROR, C2G_ERROR_SHAPE,
                               _("The grids of YOLO have different numbers of classes"));
          return FALSE;
        }
      boxes.n_classes = grid.n_numbers - 5;
      add_grid (&grid, &boxes);
    }

  return c2g_gst_boxes_find (&boxes, findings, error);
}
