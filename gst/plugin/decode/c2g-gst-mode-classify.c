/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-view.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* mode=classify: finds the class of the whole frame with the highest score. Scores that are not
 * finite are ignored. */

/* Refuses several rows of scores: they would belong to several frames, or to pixels. */
static gboolean
check_row (C2gTensor  *tensor,
           GError    **error)
{
  g_autofree char *text = NULL;
  gsize n_dims, n_long = 0;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

  for (gsize i = 0; i < n_dims; i++)
    n_long += dims[i] > 1;
  if (n_long <= 1)
    return TRUE;

  text = c2g_gst_view_describe (tensor);
  g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
               _("%s is not one row of scores; c2gtensordemux rows=true parts a batch"), text);
  return FALSE;
}

gboolean
c2g_gst_classify (const C2gGstView  *view,
                  GArray            *findings,
                  GError           **error)
{
  const gint64 n = c2g_tensor_get_n_elements (view->tensor);
  const float *scores = n > 0 ? c2g_tensor_data (view->tensor, C2G_DATA_TYPE_FLOAT, error) : NULL;
  gint64 best = -1;

  if (scores != NULL && !check_row (view->tensor, error))
    return FALSE;
  for (gint64 i = 0; scores != NULL && i < MIN (n, G_MAXUINT); i++)
    if (isfinite (scores[i]) && (best < 0 || scores[i] > scores[best]))
      best = i;

  if (best >= 0)
    {
      C2gGstFinding found = { best, scores[best], 0, 0, view->width, view->height };

      g_array_append_val (findings, found);
    }

  return scores != NULL || n == 0;
}
