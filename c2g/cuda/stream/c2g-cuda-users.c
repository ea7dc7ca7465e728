/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/stream/c2g-cuda-users-private.h>

#include <c2g/cuda/driver/c2g-cuda-error-private.h>
#include <c2g/cuda/stream/c2g-cuda-capture-private.h>
#include <c2g/cuda/stream/c2g-cuda-point-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

/* The streams that use a block of memory. Allocators and storages wait for them before the block is
 * reused. */

/* Least number of uses above which c2g checks which of them are over. */
#define MIN_LIMIT 8

/* Blocks go from one stream to another often, or never. A use that somebody will likely wait for
 * gets its point at once, so that the waiter does not wait for later work. These are the first use,
 * which writes the block, and N_PROMPT uses after each wait. */
#define N_PROMPT 4

typedef struct
{
  C2gCudaStream *stream;
  /* Recorded after the use; NULL if nobody needed it yet. */
  C2gCudaPoint  *point;
  /* The last stream that waited for the use, and so is behind it; NULL if there is none. */
  C2gCudaStream *waiter;
  /* A new number for each time that the stream uses the block. */
  guint64        number;
  gboolean       is_expected;
} Use;

struct _C2gCudaUsers
{
  GMutex   lock;
  /* Elements are Use. */
  GArray  *uses;
  guint64  n_uses;
  guint    limit;
  /* Number of next uses that get their points at once. */
  guint    n_prompt;
};

static void
use_clear (gpointer data)
{
  Use *use = data;

  g_clear_object (&use->stream);
  g_clear_object (&use->waiter);
  g_clear_pointer (&use->point, c2g_cuda_point_unref);
}

/* Collects removed uses, which are freed without the lock because that may call CUDA. */
static GArray *
new_uses (void)
{
  GArray *uses = g_array_new (FALSE, FALSE, sizeof (Use));

  g_array_set_clear_func (uses, use_clear);
  return uses;
}

static Use *
use_at (GArray *uses,
        guint   i)
{
  return &g_array_index (uses, Use, i);
}

C2gCudaUsers *
c2g_cuda_users_new (void)
{
  C2gCudaUsers *self = g_new0 (C2gCudaUsers, 1);

  g_mutex_init (&self->lock);
  self->uses = g_array_sized_new (FALSE, FALSE, sizeof (Use), 2);
  self->limit = MIN_LIMIT;
  self->n_prompt = 1;

  return self;
}

void
c2g_cuda_users_free (C2gCudaUsers *self)
{
  g_array_set_clear_func (self->uses, use_clear);
  g_array_unref (self->uses);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Returns TRUE if the stream may have work that was not recorded. */
static gboolean
is_lasting (const Use *use)
{
  return use->is_expected || c2g_cuda_stream_is_foreign (use->stream);
}

static Use *
find (C2gCudaUsers  *self,
      C2gCudaStream *stream)
{
  for (guint i = 0; i < self->uses->len; i++)
    if (c2g_cuda_stream_is_same (use_at (self->uses, i)->stream, stream))
      return use_at (self->uses, i);

  return NULL;
}

static Use *
ensure (C2gCudaUsers  *self,
        C2gCudaStream *stream)
{
  Use *use = find (self, stream);

  if (use != NULL)
    return use;

  g_array_set_size (self->uses, self->uses->len + 1);
  use = use_at (self->uses, self->uses->len - 1);
  *use = (Use) { .stream = g_object_ref (stream) };

  return use;
}

static void
remove_to (C2gCudaUsers  *self,
           Use           *use,
           GArray       **gone)
{
  if (*gone == NULL)
    *gone = new_uses ();
  g_array_append_val (*gone, *use);
  g_array_remove_index_fast (self->uses, use - use_at (self->uses, 0));
}

/* A use is covered if stream has waited for it and is on the same device. Devices fail one by one,
 * so a stream of another device does not count. */
static gboolean
is_covered (const Use     *use,
            C2gCudaStream *stream)
{
  return use->waiter != NULL && !is_lasting (use) &&
         c2g_cuda_stream_is_same (use->waiter, stream) &&
         c2g_cuda_stream_index (use->stream) == c2g_cuda_stream_index (stream);
}

static GArray *
take_covered (C2gCudaUsers  *self,
              C2gCudaStream *stream)
{
  GArray *gone = NULL;

  for (guint i = self->uses->len; i > 0; i--)
    if (is_covered (use_at (self->uses, i - 1), stream))
      remove_to (self, use_at (self->uses, i - 1), &gone);

  return gone;
}

static void
set_point (C2gCudaUsers  *self,
           C2gCudaStream *stream,
           guint64        number,
           C2gCudaPoint   *point)
{
  Use *use;

  g_mutex_lock (&self->lock);
  use = find (self, stream);
  if (use != NULL && use->number == number && use->point == NULL)
    use->point = g_steal_pointer (&point);
  g_mutex_unlock (&self->lock);

  g_clear_pointer (&point, c2g_cuda_point_unref);
}

/* Copies the uses that stream may have to wait for, or all uses if it is NULL. Returns NULL if
 * there are none, as for most blocks. */
static GArray *
copy_others (C2gCudaUsers  *self,
             C2gCudaStream *stream)
{
  GArray *others = NULL;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->uses->len; i++)
    {
      const Use *use = use_at (self->uses, i);
      Use copy = { .number = use->number, .is_expected = use->is_expected };

      if (stream != NULL &&
          (c2g_cuda_stream_equal (use->stream, stream) ||
           (use->waiter != NULL && !is_lasting (use) &&
            c2g_cuda_stream_is_same (use->waiter, stream))))
        continue;

      copy.stream = g_object_ref (use->stream);
      copy.point = use->point != NULL ? c2g_cuda_point_ref (use->point) : NULL;
      if (others == NULL)
        others = new_uses ();
      g_array_append_val (others, copy);
    }
  g_mutex_unlock (&self->lock);

  return others;
}

/* Returns TRUE if there is nothing to wait for, now and later. */
static gboolean
is_over (const Use *use)
{
  gboolean permitted;

  if (is_lasting (use))
    return c2g_cuda_stream_is_gone (use->stream);
  if (use->point != NULL)
    return c2g_cuda_point_has_passed (use->point, FALSE, &permitted);

  return c2g_cuda_stream_is_idle (use->stream);
}

/* Removes the uses of the copy `over`, unless the stream has used the block again since. */
static void
forget (C2gCudaUsers *self,
        GArray       *over)
{
  g_autoptr (GArray) gone = NULL;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < over->len; i++)
    {
      Use *use = find (self, use_at (over, i)->stream);

      if (use != NULL && use->number == use_at (over, i)->number)
        remove_to (self, use, &gone);
    }
  self->limit = MAX (MIN_LIMIT, 2 * self->uses->len);
  g_mutex_unlock (&self->lock);
}

/* Removes uses that are over. Without this the uses of streams that nobody waits for would add
 * up. */
static void
prune (C2gCudaUsers *self)
{
  g_autoptr (GArray) copy = copy_others (self, NULL);

  for (guint i = copy->len; i > 0; i--)
    if (!is_over (use_at (copy, i - 1)))
      g_array_remove_index_fast (copy, i - 1);
  forget (self, copy);
}

void
c2g_cuda_users_add (C2gCudaUsers  *self,
                    C2gCudaStream *stream)
{
  g_autoptr (GArray) gone = NULL;
  gboolean wants_point, is_full;
  C2gCudaPoint *point;
  Use *use;
  Use old;

  g_mutex_lock (&self->lock);
  gone = take_covered (self, stream);
  use = ensure (self, stream);
  old = (Use) { .point = use->point, .waiter = use->waiter };
  *use = (Use) { .stream = use->stream, .number = ++self->n_uses };
  old.number = use->number;
  wants_point = self->n_prompt > 0 || c2g_cuda_stream_is_foreign (stream);
  self->n_prompt -= MIN (self->n_prompt, 1);
  is_full = self->uses->len > self->limit;
  g_mutex_unlock (&self->lock);

  point = wants_point ? c2g_cuda_point_try (stream) : NULL;
  if (point != NULL)
    set_point (self, stream, old.number, point);
  use_clear (&old);
  if (G_UNLIKELY (is_full))
    prune (self);
}

void
c2g_cuda_users_expect (C2gCudaUsers  *self,
                       C2gCudaStream *stream)
{
  guint n_before;
  Use *use;

  g_mutex_lock (&self->lock);
  n_before = self->uses->len;
  use = ensure (self, stream);
  if (self->uses->len > n_before)
    use->is_expected = TRUE;
  g_mutex_unlock (&self->lock);
}

/* Renews the point that is waited for. A captured stream keeps its old one: a new point would draw
 * the waiter into the capture. */
static gboolean
renew_point (Use     *use,
             GError **error)
{
  C2gCudaPoint *point;

  if (!c2g_cuda_point_new (use->stream, &point))
    return c2g_cuda_stream_is_captured (use->stream) ||
           c2g_cuda_check (cudaErrorNotPermitted, "cudaEventRecord",
                           c2g_cuda_stream_index (use->stream), error);

  g_clear_pointer (&use->point, c2g_cuda_point_unref);
  use->point = point;

  return TRUE;
}

static gboolean
join (Use            *use,
      C2gCudaStream  *stream,
      GError        **error)
{
  if ((use->point == NULL || is_lasting (use)) && !renew_point (use, error))
    return FALSE;

  return use->point == NULL || c2g_cuda_point_join (use->point, stream, error);
}

/* A use that has no point after the wait is over. */
static void
note_waiter (C2gCudaUsers  *self,
             GArray        *others,
             C2gCudaStream *stream)
{
  g_autoptr (GArray) gone = NULL;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < others->len; i++)
    {
      Use *other = use_at (others, i);
      Use *use = find (self, other->stream);
      C2gCudaPoint *point = other->point;

      if (use == NULL || use->number != other->number)
        continue;
      if (point == NULL && !is_lasting (use))
        {
          remove_to (self, use, &gone);
          continue;
        }

      other->point = use->point;
      use->point = point;
      other->waiter = use->waiter;
      use->waiter = g_object_ref (stream);
    }
  self->n_prompt = N_PROMPT;
  g_mutex_unlock (&self->lock);
}

gboolean
c2g_cuda_users_wait (C2gCudaUsers   *self,
                     C2gCudaStream  *stream,
                     GError        **error)
{
  g_autoptr (GArray) others = NULL;

  /* A net waits for all uses before it launches its graph. */
  if (c2g_cuda_capture_has (stream))
    return TRUE;

  others = copy_others (self, stream);
  if (others == NULL)
    return TRUE;

  for (guint i = 0; i < others->len; i++)
    if (!join (use_at (others, i), stream, error))
      return FALSE;
  note_waiter (self, others, stream);

  return TRUE;
}

/* Returns TRUE if the use is over, even if it failed. */
static gboolean
finish (Use      *use,
        gboolean *done,
        GError  **error)
{
  gboolean permitted;

  if ((use->point == NULL || is_lasting (use)) && !renew_point (use, error))
    return FALSE;
  if (use->point == NULL || c2g_cuda_point_finish (use->point, *done ? error : NULL))
    return TRUE;

  *done = FALSE;
  return c2g_cuda_point_has_passed (use->point, FALSE, &permitted);
}

/* The error of a use that failed is reported once, because the use is then forgotten. */
gboolean
c2g_cuda_users_finish (C2gCudaUsers  *self,
                       GError       **error)
{
  g_autoptr (GArray) others = copy_others (self, NULL);
  gboolean done = TRUE;

  if (others == NULL)
    return TRUE;

  for (guint i = others->len; i > 0; i--)
    {
      Use *use = use_at (others, i - 1);

      if (!finish (use, &done, error))
        return FALSE;
      if (is_lasting (use))
        g_array_remove_index_fast (others, i - 1);
    }
  forget (self, others);

  return done;
}

gboolean
c2g_cuda_users_has_others (C2gCudaUsers  *self,
                           C2gCudaStream *stream)
{
  gboolean has_others = FALSE;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->uses->len && !has_others; i++)
    has_others = stream == NULL || !c2g_cuda_stream_equal (use_at (self->uses, i)->stream, stream);
  g_mutex_unlock (&self->lock);

  return has_others;
}

static void
remove_last (C2gCudaUsers *self)
{
  use_clear (use_at (self->uses, self->uses->len - 1));
  g_array_set_size (self->uses, self->uses->len - 1);
}

void
c2g_cuda_users_drop (C2gCudaUsers  *self,
                     C2gCudaStream *stream)
{
  for (guint i = self->uses->len; i > 0; i--)
    {
      Use *use = use_at (self->uses, i - 1);

      if (!c2g_cuda_stream_equal (use->stream, stream))
        continue;
      use_clear (use);
      g_array_remove_index_fast (self->uses, i - 1);
    }
}

/* Success without a point means that all work is over. */
static gboolean
ask_once (Use *use)
{
  C2gCudaPoint *point;

  if (use->point != NULL && !is_lasting (use))
    return TRUE;
  if (!c2g_cuda_point_new (use->stream, &point))
    return FALSE;

  g_clear_pointer (&use->point, c2g_cuda_point_unref);
  use->point = point;

  return TRUE;
}

gboolean
c2g_cuda_users_join (C2gCudaUsers  *self,
                     C2gCudaStream *stream)
{
  c2g_cuda_users_drop (self, stream);

  for (; self->uses->len > 0; remove_last (self))
    {
      Use *use = use_at (self->uses, self->uses->len - 1);
      gboolean permitted;

      if (!ask_once (use))
        return FALSE;
      if (use->point != NULL && !c2g_cuda_point_join (use->point, stream, NULL) &&
          !c2g_cuda_point_has_passed (use->point, TRUE, &permitted))
        return FALSE;
    }

  return TRUE;
}

gboolean
c2g_cuda_users_part (C2gCudaUsers *self)
{
  for (guint i = 0; i < self->uses->len; i++)
    {
      Use *use = use_at (self->uses, i);

      if (use->stream == NULL)
        continue;
      if (!ask_once (use))
        return FALSE;
      g_clear_object (&use->stream);
      g_clear_object (&use->waiter);
    }

  return TRUE;
}

gboolean
c2g_cuda_users_settle (C2gCudaUsers *self,
                       gboolean      wait,
                       gboolean     *permitted)
{
  *permitted = TRUE;

  for (; self->uses->len > 0; remove_last (self))
    {
      const Use *use = use_at (self->uses, self->uses->len - 1);

      if (use->point != NULL && !c2g_cuda_point_has_passed (use->point, wait, permitted))
        return FALSE;
    }

  return TRUE;
}
