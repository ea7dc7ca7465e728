/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-failure-callback-allocator.h>

#include <c2g/core/types/c2g-error.h>

/**
 * C2gFailureCallbackAllocator:
 *
 * An allocator that calls back before an allocation fails.
 *
 * When the upstream has no memory, the callback frees some, for example by trimming a pool or
 * unloading a model, and tells whether to try again. This repeats until the upstream succeeds
 * or the callback returns `FALSE`; then the caller gets the last error of the upstream. Errors
 * other than `C2G_ERROR_NO_MEMORY` are passed on at once, because free memory would not help.
 *
 * ```c
 * static gboolean
 * make_room (C2gAllocator *allocator,
 *            guint64       n_bytes,
 *            guint         n_tries,
 *            gpointer      user_data)
 * {
 *   return n_tries == 1 && c2g_allocator_trim (user_data, 0) > 0;
 * }
 *
 * g_autoptr (C2gAllocator) allocator =
 *   c2g_failure_callback_allocator_new (pool, make_room,
 *                                       g_object_ref (cache),
 *                                       g_object_unref);
 * ```
 *
 * ## Threads
 *
 * All functions can be called from any thread. The callback runs in the allocating thread, in
 * several threads at the same time if they fail at the same time, and with no lock held: it
 * may allocate and free, also with this allocator. Its own allocations are tried only once, to
 * prevent endless recursion.
 */

struct _C2gFailureCallbackAllocator
{
  C2gAdaptorAllocator       parent_instance;

  C2gAllocationFailureFunc  callback;
  gpointer                  user_data;
  GDestroyNotify            destroy;
};

/* A callback that is running in this thread; they form a stack. */
typedef struct _Running Running;
struct _Running
{
  C2gFailureCallbackAllocator *allocator;
  Running                     *outer;
};

static GPrivate running;

G_DEFINE_FINAL_TYPE (C2gFailureCallbackAllocator,
                     c2g_failure_callback_allocator,
                     C2G_TYPE_ADAPTOR_ALLOCATOR)

static gboolean
is_running (C2gFailureCallbackAllocator *self)
{
  Running *call;

  for (call = g_private_get (&running); call != NULL; call = call->outer)
    if (call->allocator == self)
      return TRUE;

  return FALSE;
}

static gboolean
run_callback (C2gFailureCallbackAllocator *self,
              gsize                        n_bytes,
              guint                        n_tries)
{
  Running call = { self, g_private_get (&running) };
  gboolean again;

  g_private_set (&running, &call);
  again = self->callback (C2G_ALLOCATOR (self), n_bytes, n_tries, self->user_data);
  g_private_set (&running, call.outer);

  return again;
}

static C2gStorage *
c2g_failure_callback_allocator_allocate (C2gAllocator *allocator,
                                         gsize         n_bytes,
                                         C2gContext   *context,
                                         GError      **error)
{
  C2gFailureCallbackAllocator *self = C2G_FAILURE_CALLBACK_ALLOCATOR (allocator);
  C2gAllocatorClass *parent_class =
    C2G_ALLOCATOR_CLASS (c2g_failure_callback_allocator_parent_class);
  gboolean can_ask = self->callback != NULL && !is_running (self);
  guint n_tries;

  for (n_tries = 1;; n_tries++)
    {
      g_autoptr (GError) local_error = NULL;
      C2gStorage *storage;

      storage = parent_class->allocate (allocator, n_bytes, context, &local_error);
      if (storage != NULL)
        return storage;

      if (!can_ask ||
          !g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NO_MEMORY) ||
          !run_callback (self, n_bytes, n_tries))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return NULL;
        }
    }
}

static void
c2g_failure_callback_allocator_finalize (GObject *object)
{
  C2gFailureCallbackAllocator *self = C2G_FAILURE_CALLBACK_ALLOCATOR (object);

  if (self->destroy != NULL)
    self->destroy (self->user_data);

  G_OBJECT_CLASS (c2g_failure_callback_allocator_parent_class)->finalize (object);
}

static void
c2g_failure_callback_allocator_class_init (C2gFailureCallbackAllocatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  object_class->finalize = c2g_failure_callback_allocator_finalize;

  allocator_class->allocate = c2g_failure_callback_allocator_allocate;
}

static void
c2g_failure_callback_allocator_init (C2gFailureCallbackAllocator *self)
{
}

/**
 * c2g_failure_callback_allocator_new:
 * @upstream: (nullable): where the memory comes from, or `NULL` for the built-in
 *   allocator of the CPU
 * @callback: (nullable) (scope notified) (closure user_data) (destroy destroy): frees memory,
 *   or `NULL` to only pass failures on
 * @user_data: for @callback
 * @destroy: (nullable): frees @user_data with the allocator, in the thread that drops the last
 *   reference
 *
 * Makes an allocator that calls back before an allocation fails.
 *
 * Returns: (transfer full): a new allocator
 */
C2gAllocator *
c2g_failure_callback_allocator_new (C2gAllocator             *upstream,
                                    C2gAllocationFailureFunc  callback,
                                    gpointer                  user_data,
                                    GDestroyNotify            destroy)
{
  C2gFailureCallbackAllocator *self;

  g_return_val_if_fail (upstream == NULL || C2G_IS_ALLOCATOR (upstream), NULL);

  self = g_object_new (C2G_TYPE_FAILURE_CALLBACK_ALLOCATOR,
                       "upstream", upstream,
                       NULL);
  self->callback = callback;
  self->user_data = user_data;
  self->destroy = destroy;

  return C2G_ALLOCATOR (self);
}
