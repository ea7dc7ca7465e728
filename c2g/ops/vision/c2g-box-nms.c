/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/vision/c2g-box-nms-private.h>

#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-heap-private.h>

#include <math.h>

/* Non-maximum suppression of boxes. BoxWithNMSLimit, GenerateProposals and DetectionOutput use it. */

int
c2g_box_compare_scores (const C2gBoxCandidate *a,
                        const C2gBoxCandidate *b)
{
  if (a->score > b->score || a->score < b->score)
    return a->score > b->score ? -1 : 1;
  if (a->class != b->class)
    return a->class < b->class ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

/* Orders by class, then by score, the best first. */
static int
compare_by_class (const C2gBoxCandidate *a,
                  const C2gBoxCandidate *b)
{
  if (a->class != b->class)
    return a->class < b->class ? -1 : 1;
  return c2g_box_compare_scores (a, b);
}

C2G_DEFINE_HEAP (C2gBoxCandidate, C2gBoxCompare)

static void
sort_candidates (C2gBoxCandidate *candidates,
                 gint64           n,
                 C2gBoxCompare    compare)
{
  heap_make (candidates, n, compare);
  heap_sort (candidates, n, compare);
}

void
c2g_box_sort_first (C2gBoxCandidate *candidates,
                    gint64           n,
                    gint64           n_first,
                    C2gBoxCompare    compare)
{
  /* A heap of the n_first best candidates so far. The worst of them is at the top. */
  heap_make (candidates, n_first, compare);
  for (gint64 i = n_first; n_first > 0 && i < n; i++)
    if (compare (&candidates[i], &candidates[0]) < 0)
      {
        candidates[0] = candidates[i];
        heap_sift_down (candidates, n_first, 0, compare);
      }
  heap_sort (candidates, n_first, compare);
}

static gboolean
is_free (const C2gBoxNms       *self,
         const C2gBoxCandidate *kept,
         gint64                 n_kept,
         float                  threshold,
         const float           *box)
{
  for (gint64 i = 0; i < n_kept; i++)
    {
      const float overlap = c2g_box_overlap (kept[i].box, box, self->rotated, self->plus_one);

      /* Written so that a box with an IoU of NaN is not free. */
      if (!(overlap <= threshold) && !(self->keeps_empty && isnan (overlap)))
        return FALSE;
    }
  return TRUE;
}

static gint64
run_hard (const C2gBoxNms *self,
          C2gBoxCandidate *candidates,
          gint64           n,
          gint64           max_kept)
{
  float threshold = self->threshold;
  gint64 n_kept = 0;

  sort_candidates (candidates, n, c2g_box_compare_scores);
  for (gint64 i = 0; i < n && n_kept < max_kept && !c2g_interrupt_is_wanted (); i++)
    if (is_free (self, candidates, n_kept, threshold, candidates[i].box))
      {
        candidates[n_kept++] = candidates[i];
        if (self->eta > 0 && threshold > 0.5f)
          threshold *= self->eta;
      }
  return n_kept;
}

static float
weigh (const C2gBoxNms *self,
       float            overlap)
{
  if (self->method == C2G_NMS_GAUSSIAN)
    return expf (-overlap * overlap / self->sigma);
  return overlap > self->threshold ? 1 - overlap : 1;
}

/* Swaps the candidate with the highest score to the front. */
static void
take_best (C2gBoxCandidate *candidates,
           gint64           n)
{
  C2gBoxCandidate first = candidates[0];
  gint64 best = 0;

  for (gint64 i = 1; i < n; i++)
    if (candidates[i].score > candidates[best].score)
      best = i;
  candidates[0] = candidates[best];
  candidates[best] = first;
}

static gint64
run_soft (const C2gBoxNms *self,
          C2gBoxCandidate *candidates,
          gint64           n,
          gint64           max_kept)
{
  gint64 n_kept = 0;

  while (n_kept < n && n_kept < max_kept && !c2g_interrupt_is_wanted ())
    {
      gint64 n_left;

      take_best (candidates + n_kept, n - n_kept);
      n_left = ++n_kept;
      for (gint64 i = n_kept; i < n; i++)
        {
          C2gBoxCandidate candidate = candidates[i];

          candidate.score *= weigh (self, c2g_box_overlap (candidates[n_kept - 1].box,
                                                           candidate.box, self->rotated,
                                                           self->plus_one));
          if (candidate.score >= self->min_score)
            candidates[n_left++] = candidate;
        }
      n = n_left;
    }
  return n_kept;
}

gint64
c2g_box_nms_run (const C2gBoxNms *self,
                 C2gBoxCandidate *candidates,
                 gint64           n,
                 gint64           max_kept)
{
  return (self->method == C2G_NMS_HARD ? run_hard : run_soft) (self, candidates, n, max_kept);
}

/* Appends the boxes kept for a class. */
static gboolean
keep_class (const C2gBoxDetect  *self,
            const C2gBoxRows    *rows,
            gint64               class,
            C2gTensor           *kept,
            gint64              *n_kept,
            GError             **error)
{
  const gint64 column = class - rows->shift;
  const gint64 place = rows->is_agnostic ? 0 : column * c2g_box_n_numbers (self->nms.rotated);
  C2gBoxCandidate *candidates;
  gint64 n = 0;

  if (!c2g_box_candidates_reserve (kept, *n_kept + rows->n, &candidates, error))
    return FALSE;
  candidates += *n_kept;
  for (gint64 i = 0; i < rows->n; i++)
    {
      const float score = rows->scores[i * rows->n_scores + column];

      if (score > self->min_score)
        candidates[n++] = (C2gBoxCandidate) {
          .box = rows->boxes + i * rows->n_boxes + place,
          .score = score,
          .index = i,
          .class = class,
        };
    }

  if (n > self->max_candidates)
    {
      c2g_box_sort_first (candidates, n, self->max_candidates, c2g_box_compare_scores);
      n = self->max_candidates;
    }
  /* Soft-NMS changes scores, so that only all of them together tell which are the best. */
  *n_kept += c2g_box_nms_run (&self->nms, candidates, n,
                              self->nms.method == C2G_NMS_HARD ? self->max_kept : n);
  return TRUE;
}

gboolean
c2g_box_detect (const C2gBoxDetect  *self,
                const C2gBoxRows    *rows,
                C2gTensor           *kept,
                gint64              *n_kept,
                GError             **error)
{
  const gint64 n_before = *n_kept;
  C2gBoxCandidate *own;

  for (gint64 class = 0; rows->n > 0 && class < rows->n_classes; class++)
    if (class != rows->background && !keep_class (self, rows, class, kept, n_kept, error))
      return FALSE;

  if (*n_kept - n_before <= self->max_kept)
    return TRUE;
  own = (C2gBoxCandidate *) c2g_tensor_address (kept) + n_before;
  sort_candidates (own, *n_kept - n_before, c2g_box_compare_scores);
  *n_kept = n_before + self->max_kept;
  sort_candidates (own, self->max_kept, compare_by_class);
  return TRUE;
}

gboolean
c2g_box_candidates_reserve (C2gTensor        *tensor,
                            gint64            n,
                            C2gBoxCandidate **candidates,
                            GError          **error)
{
  const gint64 dims[] = { n, sizeof (C2gBoxCandidate) };
  const gint64 n_old = tensor->n_dims == 2 ? tensor->dims[0] : 0;

  if (n_old == 0 && (!c2g_tensor_resize (tensor, dims, 2, error) ||
                     !c2g_tensor_allocate (tensor, C2G_DATA_TYPE_UINT8, error)))
    return FALSE;
  if (n_old > 0 && n > n_old && !c2g_tensor_extend (tensor, n - n_old, 100, NULL, error))
    return FALSE;

  *candidates = c2g_tensor_address (tensor);
  return TRUE;
}
