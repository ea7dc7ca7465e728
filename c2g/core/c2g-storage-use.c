/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/c2g-storage-private.h>

#include <c2g/core/c2g-context.h>
#include <c2g/core/c2g-device-backend-private.h>
#include <c2g/core/c2g-device-private.h>

/* Which orders of work use the memory.  Allocators keep account of their own blocks; foreign
 * memory has the list here. */

int c2g_storage_has_far_users;

static void
note_far_user (C2gStorage *self)
{
  if (self->device->type == C2G_DEVICE_TYPE_CPU)
    g_atomic_int_set (&c2g_storage_has_far_users, TRUE);
}

static void
record_foreign_use (C2gStorage *self,
                    C2gContext *context)
{
  C2gUse *first, *use;

  if ((self->device->type == C2G_DEVICE_TYPE_CPU && !self->is_pinned) ||
      c2g_context_get_device (context)->type == C2G_DEVICE_TYPE_CPU)
    return;

  note_far_user (self);
  first = g_atomic_pointer_get (&self->uses);
  for (use = first; use != NULL; use = use->next)
    if (use->context == context)
      return;

  use = g_new (C2gUse, 1);
  use->context = g_object_ref (context);
  do
    {
      first = g_atomic_pointer_get (&self->uses);
      use->next = first;
    }
  while (!g_atomic_pointer_compare_and_exchange (&self->uses, first, use));
}

C2gContext *
c2g_storage_find_user (C2gStorage *self,
                       guint64     stream)
{
  for (C2gUse *use = g_atomic_pointer_get (&self->uses); use != NULL; use = use->next)
    if (c2g_context_get_device (use->context) == self->device &&
        c2g_device_backend_get_stream (use->context, NULL) == stream)
      return g_object_ref (use->context);

  return NULL;
}

static GPtrArray *
take_users (C2gStorage *self)
{
  GPtrArray *users = g_ptr_array_new_with_free_func (g_object_unref);

  while (self->uses != NULL)
    {
      C2gUse *use = self->uses;

      self->uses = use->next;
      g_ptr_array_add (users, use->context);
      g_free (use);
    }

  return users;
}

static void
finish_users (C2gDevice *device,
              GPtrArray *users)
{
  for (guint i = 0; i < users->len; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!c2g_context_finish (g_ptr_array_index (users, i), &error))
        g_debug ("Foreign memory on %s goes back after a failure: %s", device->name,
                 error->message);
    }
}

/* Whoever the memory belongs to knows nothing of what was asked to be done with it. */
void
c2g_storage_release_after_uses (C2gStorage *self)
{
  GPtrArray *users = take_users (self);
  C2gDevice *device = c2g_context_get_device (g_ptr_array_index (users, 0));

  if (self->destroy != NULL &&
      c2g_device_backend_release_after (device, users, self->destroy, self->destroy_data))
    return;

  finish_users (self->device, users);
  g_ptr_array_unref (users);
  if (self->destroy != NULL)
    self->destroy (self->destroy_data);
}

/* Puts what context is asked to do behind what another was asked to do so far, which on the CPU is
 * done. */
static gboolean
wait_for_context (C2gContext  *context,
                  C2gContext  *other,
                  GError     **error)
{
  g_autoptr (C2gEvent) event = NULL;

  if (other == NULL || other == context ||
      c2g_context_get_device (other)->type == C2G_DEVICE_TYPE_CPU)
    return TRUE;

  event = c2g_event_new (c2g_context_get_device (other));

  return c2g_context_record (other, event, error) && c2g_context_wait (context, event, error);
}

gboolean
c2g_storage_wait_for_uses (C2gStorage  *self,
                           C2gContext  *context,
                           GError     **error)
{
  const C2gBlockFuncs *funcs;

  if (!wait_for_context (context, self->context, error))
    return FALSE;

  for (C2gUse *use = g_atomic_pointer_get (&self->uses); use != NULL; use = use->next)
    if (!wait_for_context (context, use->context, error))
      return FALSE;

  if (self->allocator == NULL || self->address == NULL)
    return TRUE;

  funcs = C2G_ALLOCATOR_GET_CLASS (self->allocator)->block_funcs;

  return funcs->wait_for_uses == NULL ||
         funcs->wait_for_uses (self->allocator, self->address, context, error);
}

/**
 * c2g_storage_record_use:
 * @self: a storage
 * @context: an order of work that uses the block
 *
 * Says that another order of work uses the block than the one it was allocated in.
 *
 * The block is not given to anybody else before what @context was asked to do so
 * far is over: memory of others goes back to them when the last reference is dropped
 * and @context is done. For memory of the CPU, where work is done at once, this does
 * nothing, but if it is pinned for a device: then operators on the CPU, and copies without a
 * context, wait for @context before they touch it.
 */
void
c2g_storage_record_use (C2gStorage *self,
                        C2gContext *context)
{
  const C2gBlockFuncs *funcs;

  g_return_if_fail (self != NULL);
  g_return_if_fail (context != NULL);

  if (self->address == NULL)
    return;
  if (self->allocator == NULL)
    {
      record_foreign_use (self, context);
      return;
    }

  funcs = C2G_ALLOCATOR_GET_CLASS (self->allocator)->block_funcs;
  if (funcs->record_use == NULL)
    return;

  funcs->record_use (self->allocator, self->address, context);
  note_far_user (self);
}
