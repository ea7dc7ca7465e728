/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-boxes.h"
#include "c2g-gst-view.h"
#include "c2g-gst-yolo-grid.h"

/* mode=yolo: finds boxes, given as center, width and height in pixels or fractions of the picture,
 * with a score for each class.
 *
 * YOLO v3 to v7 give (1, N, 5 + classes), where the fifth number is the objectness. v8 and later
 * give (1, 4 + classes, N) without it. With anchors, boxes are decoded from grids. */

typedef struct
{
  gint64   n;
  gsize    n_classes;
  gboolean has_objectness;
  /* Number of floats between consecutive boxes, and between the numbers of one box. */
  gsize    box_step;
  gsize    step;
  /* Factors for x and y. */
  double   scale_x;
  double   scale_y;
} Form;

/* Tells the two forms apart by the number of class names; without names assumes that there are more
 * boxes than classes. */
static gboolean
find_form (Form         *form,
           const gint64 *dims,
           gint64        n_labels)
{
  const gboolean is_row = n_labels > 0 && (dims[1] == 4 + n_labels || dims[1] == 5 + n_labels);
  const gboolean is_column = n_labels > 0 && (dims[0] == 4 + n_labels || dims[0] == 5 + n_labels);
  const gboolean has_rows = is_row != is_column ? is_row : dims[0] >= dims[1];
  const gint64 n_numbers = has_rows ? dims[1] : dims[0];

  form->n = has_rows ? dims[0] : dims[1];
  form->box_step = has_rows ? n_numbers : 1;
  form->step = has_rows ? 1 : form->n;
  form->has_objectness = is_row || is_column ? n_numbers == 5 + n_labels : has_rows;
  form->n_classes = MAX (n_numbers - 4 - form->has_objectness, 0);

  return form->n_classes > 0;
}

static void
add_box (C2gGstBoxes *boxes,
         const Form  *form,
         const float *numbers)
{
  const float x = numbers[0] * form->scale_x, y = numbers[form->step] * form->scale_y;
  const float half_width = numbers[2 * form->step] * form->scale_x / 2;
  const float half_height = numbers[3 * form->step] * form->scale_y / 2;
  const float box[] = { x - half_width, y - half_height, x + half_width, y + half_height };
  const float objectness = form->has_objectness ? numbers[4 * form->step] : 1;

  c2g_gst_boxes_add (boxes, box, numbers + (4 + form->has_objectness) * form->step, form->step,
                     objectness);
}

gboolean
c2g_gst_yolo_find (const C2gGstView  *view,
                   GArray            *findings,
                   GError           **error)
{
  gint64 dims[2];
  const float *numbers = c2g_gst_view_read (view->tensor, dims, G_N_ELEMENTS (dims));
  g_auto (C2gGstBoxes) boxes = { 0 };
  Form form;

  if (view->anchors != NULL && view->anchors->len > 0)
    return c2g_gst_yolo_grid_find (view, findings, error);
  if (numbers == NULL || !find_form (&form, dims, view->n_labels))
    {
      c2g_gst_view_set_error (view->tensor, "[1, N, 5 + C], [1, 4 + C, N]", error);
      return FALSE;
    }

  form.scale_x = form.scale_y = 1;
  if (view->is_relative)
    c2g_gst_view_get_size (view, &form.scale_x, &form.scale_y);
  c2g_gst_boxes_init (&boxes, view, form.n_classes);
  for (gint64 i = 0; i < form.n; i++)
    add_box (&boxes, &form, numbers + i * form.box_step);

  return c2g_gst_boxes_find (&boxes, findings, error);
}
