/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-decoder.h"

#include <math.h>

/* mode=classify: the class with the highest score, of all of the frame.  Scores that are not finite do
 * not count. */

gboolean
c2g_gst_classify (const C2gGstView  *view,
                  GArray            *findings,
                  GError           **error)
{
  const gint64 n = c2g_tensor_get_n_elements (view->tensor);
  const float *scores = n > 0 ? c2g_tensor_data (view->tensor, C2G_DATA_TYPE_FLOAT, error) : NULL;
  gint64 best = -1;

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
