/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-storage-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/device/c2g-device-private.h>

/* Records which contexts use the memory. Allocators keep the records of their own blocks; the
 * device keeps those of foreign memory. */

int c2g_storage_has_far_users;

static void
note_far_user (C2gStorage *self)
{
  if (self->device->type == C2G_DEVICE_TYPE_CPU)
    g_atomic_int_set (&c2g_storage_has_far_users, TRUE);
}

/* Returns the device that records uses of foreign memory. CPU memory is only recorded if it is
 * pinned, which means pinned for CUDA. */
static C2gDevice *
get_accountant (C2gStorage *self)
{
  return self->device->type == C2G_DEVICE_TYPE_CPU ? c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL)
                                                   : self->device;
}

/* The owner of CPU memory need not have said that it is pinned. The memory may be a part of a block
 * of an allocator that a program has handed to another library, for example. */
static gboolean
needs_record (C2gStorage *self,
              C2gContext *context)
{
  return self->device->type != C2G_DEVICE_TYPE_CPU || self->is_pinned ||
         c2g_device_backend_is_pinned (context, self->address);
}

static void
record_foreign_use (C2gStorage *self,
                    C2gContext *context)
{
  if (c2g_context_get_device (context)->type == C2G_DEVICE_TYPE_CPU || !needs_record (self, context))
    return;

  note_far_user (self);
  c2g_device_backend_record_use (get_accountant (self), &self->uses, context);
}

static void
do_nothing (gpointer data)
{
}

/* The owner of the memory does not know of queued work that uses it, so the device calls destroy()
 * after that work. Most owners expect that memory without references is not used any more. */
void
c2g_storage_release_after_uses (C2gStorage *self)
{
  c2g_device_backend_release_after (get_accountant (self), g_steal_pointer (&self->uses),
                                    self->destroy != NULL ? self->destroy : do_nothing,
                                    self->destroy_data, !self->may_linger);
}

/* Orders later work of context behind the work queued on other. A CPU context has no queue, so
 * there is nothing to wait for. */
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
  gpointer uses = g_atomic_pointer_get (&self->uses);
  const C2gBlockFuncs *funcs;

  if (uses != NULL)
    return c2g_device_backend_wait_for_uses (get_accountant (self), uses, context, error);
  if (self->allocator == NULL || self->address == NULL)
    return TRUE;

  funcs = C2G_ALLOCATOR_GET_CLASS (self->allocator)->block_funcs;
  if (funcs->wait_for_uses == NULL)
    return wait_for_context (context, self->context, error);

  return funcs->wait_for_uses (self->allocator, self->address, context, error);
}

gboolean
c2g_storage_finish_uses (C2gStorage  *self,
                         GError     **error)
{
  g_autoptr (C2gContext) context = NULL;

  if (G_LIKELY (!g_atomic_int_get (&c2g_storage_has_far_users)) || self == NULL ||
      self->device->type != C2G_DEVICE_TYPE_CPU)
    return TRUE;

  context = c2g_context_shared (self->device, error);
  return context != NULL && c2g_storage_wait_for_uses (self, context, error);
}

/**
 * c2g_storage_record_use:
 * @self: a storage
 * @context: the context whose work uses the block
 *
 * Records that work queued on a context uses the block.
 *
 * The block is not reused before the work that was queued on @context so far is done. Foreign
 * memory goes back to its owner when the last reference is dropped and that work is done: the
 * last unref waits for the work, but for memory imported by DLPack a later call of c2g looks if
 * it is done. Calls without a context, and nets, also wait for it.
 *
 * Work that is queued on @context later is not covered, so record each use after the work was
 * queued. On the CPU, where work is synchronous, this does nothing unless the memory is pinned
 * for a device. For pinned memory, operators on the CPU, copies without a context, mappings,
 * and code that writes files wait for @context before they access it. Code that uses the
 * address directly must wait for @context itself.
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

gboolean
c2g_storage_end_use (C2gStorage  *self,
                     C2gContext  *context,
                     GError     **error)
{
  if (self->allocator != NULL &&
      C2G_ALLOCATOR_GET_CLASS (self->allocator)->block_funcs->record_use == NULL)
    return c2g_context_finish (context, error);

  c2g_storage_record_use (self, context);
  return TRUE;
}
