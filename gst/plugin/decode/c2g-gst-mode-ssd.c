/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-boxes.h"
#include "c2g-gst-view.h"

/* mode=ssd: finds boxes, whose coordinates are fractions of the picture, in one of two forms.
 *
 * Rows (N, 7), as DetectionOutput of Caffe's SSD makes them: image, class, score, left, top, right,
 * bottom. Non-maximum suppression is done already; a row of -1 means no box.
 *
 * Boxes (N, 4) and, in another tensor, scores (N, classes), of which the first one is the
 * background. */

static void
scale (const C2gGstView *view,
       const float      *corners,
       float            *box)
{
  double width, height;

  c2g_gst_view_get_size (view, &width, &height);
  for (guint i = 0; i < 4; i++)
    box[i] = corners[i] * (i % 2 == 0 ? width : height);
}

/* Written so that NaN fails. */
static gboolean
is_found (const C2gGstView *view,
          const float      *row)
{
  return row[0] >= 0 && row[1] >= 0 && row[1] <= G_MAXINT32 && row[2] > view->threshold && row[2] <= 1;
}

static int
compare_scores (gconstpointer a,
                gconstpointer b)
{
  const C2gGstFinding *left = a, *right = b;

  return (right->score > left->score) - (right->score < left->score);
}

/* Keeps the rows with the best scores, because DetectionOutput sorts them by class. */
static void
keep_best (const C2gGstView *view,
           GArray           *findings)
{
  g_array_sort (findings, compare_scores);
  if (view->max_boxes > 0 && findings->len > view->max_boxes)
    g_array_set_size (findings, view->max_boxes);
}

static gboolean
find_rows (const C2gGstView  *view,
           GArray            *findings,
           GError           **error)
{
  gint64 dims[2];
  const float *rows = c2g_gst_view_read (view->tensor, dims, G_N_ELEMENTS (dims));

  if (rows == NULL || dims[1] != 7)
    {
      c2g_gst_view_set_error (view->tensor, "[1, 1, N, 7]", error);
      return FALSE;
    }
  for (gint64 i = 0; i < dims[0]; i++)
    if (is_found (view, rows + 7 * i))
      {
        float box[4];

        scale (view, rows + 7 * i + 3, box);
        c2g_gst_boxes_place (view, box, rows[7 * i + 1], rows[7 * i + 2], findings);
      }
  keep_best (view, findings);

  return TRUE;
}

static gboolean
find_pairs (const C2gGstView  *view,
            GArray            *findings,
            GError           **error)
{
  gint64 dims[2], score_dims[2];
  const float *corners = c2g_gst_view_read (view->tensor, dims, G_N_ELEMENTS (dims));
  const float *scores = c2g_gst_view_read (view->scores, score_dims, G_N_ELEMENTS (score_dims));
  g_auto (C2gGstBoxes) boxes = { 0 };

  if (corners == NULL || dims[1] != 4)
    {
      c2g_gst_view_set_error (view->tensor, "[1, N, 4]", error);
      return FALSE;
    }
  if (scores == NULL || score_dims[0] != dims[0])
    {
      g_autofree char *expected = g_strdup_printf ("[1, %" G_GINT64_FORMAT ", C]", dims[0]);

      c2g_gst_view_set_error (view->scores, expected, error);
      return FALSE;
    }

  c2g_gst_boxes_init (&boxes, view, score_dims[1] - 1);
  for (gint64 i = 0; i < dims[0]; i++)
    {
      float box[4];

      scale (view, corners + 4 * i, box);
      c2g_gst_boxes_add (&boxes, box, scores + i * score_dims[1] + 1, 1, 1);
    }

  return c2g_gst_boxes_find (&boxes, findings, error);
}

gboolean
c2g_gst_ssd_find (const C2gGstView  *view,
                  GArray            *findings,
                  GError           **error)
{
  return (view->scores != NULL ? find_pairs : find_rows) (view, findings, error);
}
