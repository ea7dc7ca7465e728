/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

guint64
fake_clock_get (const FakeClock *self,
                guint            timeline)
{
  return timeline < self->n_counts ? self->counts[timeline] : 0;
}

static void
grow (FakeClock *self,
      guint      n_counts)
{
  if (n_counts <= self->n_counts)
    return;

  self->counts = g_renew (guint64, self->counts, n_counts);
  memset (self->counts + self->n_counts, 0, (n_counts - self->n_counts) * sizeof (guint64));
  self->n_counts = n_counts;
}

void
fake_clock_set (FakeClock *self,
                guint      timeline,
                guint64    count)
{
  grow (self, timeline + 1);
  self->counts[timeline] = count;
}

void
fake_clock_join (FakeClock       *self,
                 const FakeClock *other)
{
  grow (self, other->n_counts);
  for (guint i = 0; i < other->n_counts; i++)
    self->counts[i] = MAX (self->counts[i], other->counts[i]);
}

void
fake_clock_copy (FakeClock       *self,
                 const FakeClock *other)
{
  fake_clock_clear (self);
  fake_clock_join (self, other);
}

void
fake_clock_clear (FakeClock *self)
{
  g_clear_pointer (&self->counts, g_free);
  self->n_counts = 0;
}

/* Returns TRUE if all work before the clock has run. */
gboolean
fake_clock_is_done (const FakeClock *self)
{
  for (guint i = 0; i < self->n_counts; i++)
    if (self->counts[i] > g_array_index (fake_state.timelines, FakeTimeline, i).n_done)
      return FALSE;

  return TRUE;
}
