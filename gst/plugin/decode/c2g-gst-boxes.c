/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-boxes.h"

#include "c2g-gst-view.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* Collects the boxes of a model, and selects the best ones by non-maximum suppression. The modes
 * ssd and yolo of c2gdecode use it. */

/* Limit on the number of floats: more mean that the model does not work. */
#define MAX_SCORES (1 << 26)

void
c2g_gst_boxes_init (C2gGstBoxes      *self,
                    const C2gGstView *view,
                    gsize             n_classes)
{
  *self = (C2gGstBoxes) { view, n_classes };
  self->boxes = g_array_new (FALSE, FALSE, 4 * sizeof (float));
  self->scores = g_array_new (FALSE, FALSE, sizeof (float));
}

void
c2g_gst_boxes_clear (C2gGstBoxes *self)
{
  g_clear_pointer (&self->boxes, g_array_unref);
  g_clear_pointer (&self->scores, g_array_unref);
}

static gboolean
is_wanted (const C2gGstBoxes *self,
           const float       *scores,
           gsize              step,
           float              factor)
{
  /* No class score exceeds 1, so most boxes are excluded without reading their classes. Negated so
   * that NaN is excluded. */
  if (!(factor > self->view->threshold))
    return FALSE;
  for (gsize i = 0; i < self->n_classes; i++)
    if (factor * scores[i * step] > self->view->threshold)
      return TRUE;

  return FALSE;
}

static gboolean
is_finite (const float *box)
{
  return isfinite (box[0]) && isfinite (box[1]) && isfinite (box[2]) && isfinite (box[3]);
}

void
c2g_gst_boxes_add (C2gGstBoxes *self,
                   const float *box,
                   const float *scores,
                   gsize        step,
                   float        factor)
{
  const float background = 0;

  if (!is_wanted (self, scores, step, factor) || !is_finite (box))
    return;
  self->is_full |= self->n_classes >= MAX_SCORES - self->scores->len;
  if (self->is_full)
    return;

  g_array_append_vals (self->boxes, box, 1);
  g_array_append_val (self->scores, background);
  for (gsize i = 0; i < self->n_classes; i++)
    {
      const float score = factor * scores[i * step];

      g_array_append_val (self->scores, score);
    }
}

void
c2g_gst_boxes_place (const C2gGstView *view,
                     const float      *box,
                     guint             index,
                     double            score,
                     GArray           *findings)
{
  double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  C2gGstFinding found = { index, score };

  /* The map may rotate the picture, so all four corners are mapped. */
  for (guint i = 0; i < 4; i++)
    {
      double x, y;

      c2g_gst_view_map (view, box[i & 2], box[1 + 2 * (i & 1)], &x, &y);
      if (!isfinite (x) || !isfinite (y))
        return;
      left = MIN (left, x);
      right = MAX (right, x);
      top = MIN (top, y);
      bottom = MAX (bottom, y);
    }
  if (view->width > 0)
    {
      left = MAX (left, 0);
      top = MAX (top, 0);
      right = MIN (right, view->width);
      bottom = MIN (bottom, view->height);
    }
  if (right <= left || bottom <= top)
    return;

  found.x = left;
  found.y = top;
  found.width = right - left;
  found.height = bottom - top;
  g_array_append_val (findings, found);
}

static gboolean
put (C2gWorkspace  *workspace,
     const char    *name,
     GArray        *values,
     gsize          n_rows,
     gsize          n_columns,
     GError       **error)
{
  const gint64 dims[] = { n_rows, n_columns };
  g_autoptr (GBytes) bytes = g_bytes_new (values->data, n_rows * n_columns * sizeof (float));
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_from_bytes (C2G_DATA_TYPE_FLOAT, dims, 2, bytes, error);
  g_autoptr (C2gBlob) blob = NULL;

  if (tensor != NULL)
    blob = c2g_workspace_create_local_blob (workspace, name, error);
  if (blob != NULL)
    c2g_blob_set_object (blob, G_OBJECT (tensor));

  return blob != NULL;
}

static C2gOperatorDef *
make_operator (const C2gGstView *view)
{
  char threshold[G_ASCII_DTOSTR_BUF_SIZE], overlap[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = g_strdup_printf (
    "type: \"BoxWithNMSLimit\" input: \"scores\" input: \"boxes\" "
    "output: \"found\" output: \"places\" output: \"classes\" "
    "arg { name: \"score_thresh\" f: %s } arg { name: \"nms\" f: %s } "
    "arg { name: \"cls_agnostic_bbox_reg\" i: 1 } arg { name: \"legacy_plus_one\" i: 0 } "
    "arg { name: \"output_classes_include_bg_cls\" i: 0 } "
    "arg { name: \"detections_per_im\" i: %u }",
    g_ascii_dtostr (threshold, sizeof threshold, view->threshold),
    g_ascii_dtostr (overlap, sizeof overlap, view->overlap), view->max_boxes);

  return c2g_operator_def_new_from_text (text, NULL);
}

static const float *
get (C2gWorkspace  *workspace,
     const char    *name,
     GError       **error)
{
  g_autoptr (C2gTensor) tensor = c2g_workspace_get_tensor (workspace, name, error);

  return tensor != NULL ? c2g_tensor_data (tensor, C2G_DATA_TYPE_FLOAT, error) : NULL;
}

static gboolean
collect (C2gGstBoxes   *self,
         C2gWorkspace  *workspace,
         GArray        *findings,
         GError       **error)
{
  g_autoptr (C2gTensor) found = c2g_workspace_get_tensor (workspace, "found", error);
  const float *scores = get (workspace, "found", error);
  const float *boxes = scores != NULL ? get (workspace, "places", error) : NULL;
  const float *classes = boxes != NULL ? get (workspace, "classes", error) : NULL;

  for (gint64 i = 0; classes != NULL && i < c2g_tensor_get_n_elements (found); i++)
    c2g_gst_boxes_place (self->view, boxes + 4 * i, classes[i], scores[i], findings);

  return classes != NULL;
}

gboolean
c2g_gst_boxes_find (C2gGstBoxes  *self,
                    GArray       *findings,
                    GError      **error)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperatorDef) op = make_operator (self->view);
  const gsize n = self->boxes->len;

  if (self->is_full)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                   _("More than %zu boxes have a score above the threshold, which must be higher"), n);
      return FALSE;
    }

  return n == 0 || (put (workspace, "scores", self->scores, n, self->n_classes + 1, error) &&
                    put (workspace, "boxes", self->boxes, n, 4, error) &&
                    c2g_workspace_run_operator_once (workspace, op, NULL, error) &&
                    collect (self, workspace, findings, error));
}
