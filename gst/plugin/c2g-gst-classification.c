/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-classification.h"

#include <math.h>

gboolean
c2g_gst_classification_find (C2gGstClassification  *self,
                             C2gTensor             *scores,
                             const char *const     *labels,
                             GError               **error)
{
  g_autoptr (C2gTensor) near = c2g_tensor_to_device (scores, c2g_device_cpu (), error);
  const gint64 n = near != NULL ? c2g_tensor_get_n_elements (near) : 0;
  gint64 best = -1;

  for (gint64 i = 0; i < n; i++)
    {
      GError *local_error = NULL;
      double score = c2g_tensor_get_value (near, i, &local_error);

      if (local_error != NULL)
        {
          g_propagate_error (error, local_error);
          return FALSE;
        }
      if (!isfinite (score) || (best >= 0 && score <= self->score))
        continue;
      best = i;
      self->score = score;
    }

  if (best < 0)
    return FALSE;
  self->index = best;
  self->label = labels != NULL && (gsize) best < g_strv_length ((char **) labels) ? labels[best] : NULL;

  return TRUE;
}

char *
c2g_gst_classification_to_string (const C2gGstClassification *self)
{
  g_autofree char *index = g_strdup_printf ("%u", self->index);

  return g_strdup_printf ("%s %.1f %%\n", self->label != NULL ? self->label : index,
                          100 * self->score);
}
