/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/device/c2g-event.h>
#include <c2g/core/device/c2g-timeline-private.h>

#include <c2g/core/device/c2g-device-backend.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-property-private.h>

/**
 * C2gEvent:
 *
 * A point in the work of a context that can be waited for.
 *
 * An event begins as `INITIALIZED`. [method@Context.record] makes it `SCHEDULED`: it then
 * stands for the work that the context was given so far. When that work is done, the event is
 * `SUCCESS` or `FAILED` until it is reset.
 *
 * Work on the CPU is done when the call that asks for it returns, so finishing an event that a
 * CPU context recorded never blocks. For other work, such as in a thread of the program, call
 * [method@Event.set_finished].
 *
 * An event that was not recorded has nothing to wait for: finishing it or waiting
 * for it succeeds at once, and it stays `INITIALIZED`. Caffe2 waited until another
 * thread recorded and finished it.
 *
 * ## Threads
 *
 * All functions may be called from any thread.
 */

/* The handle that a context recorded. It is reference-counted, because a waiter may use it while
 * the event is reset. */
typedef struct
{
  gatomicrefcount      ref_count;
  const C2gEventFuncs *funcs;
  gpointer             handle;
} Record;

struct _C2gEvent
{
  GObject         parent_instance;

  C2gDevice      *device;

  GMutex          lock;
  /* Signalled when the status changes to anything but SCHEDULED, but only if there are waiters,
   * because each signal costs a system call. */
  GCond           changed;
  guint           n_waiters;
  C2gEventStatus  status;
  /* Number of the latest recording. A waiter that finds another number was released by a reset. */
  guint64         serial;
  /* Set only while SCHEDULED. NULL if only set_finished() can end that. */
  Record         *record;
  /* Set only if FAILED. */
  GError         *error;
};

enum
{
  PROP_0,
  PROP_DEVICE,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gEvent, c2g_event, G_TYPE_OBJECT)

G_DEFINE_ENUM_TYPE (C2gEventStatus, c2g_event_status,
                    G_DEFINE_ENUM_VALUE (C2G_EVENT_INITIALIZED, "initialized"),
                    G_DEFINE_ENUM_VALUE (C2G_EVENT_SCHEDULED, "scheduled"),
                    G_DEFINE_ENUM_VALUE (C2G_EVENT_SUCCESS, "success"),
                    G_DEFINE_ENUM_VALUE (C2G_EVENT_FAILED, "failed"))

static Record *
record_new (const C2gEventFuncs *funcs,
            gpointer             handle)
{
  Record *record;

  if (funcs == NULL)
    return NULL;

  record = g_new (Record, 1);
  g_atomic_ref_count_init (&record->ref_count);
  record->funcs = funcs;
  record->handle = handle;

  return record;
}

static Record *
record_ref (Record *record)
{
  if (record != NULL)
    g_atomic_ref_count_inc (&record->ref_count);

  return record;
}

static void
record_unref (Record *record)
{
  if (!g_atomic_ref_count_dec (&record->ref_count))
    return;

  if (record->funcs->free != NULL)
    record->funcs->free (record->handle);
  g_free (record);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Record, record_unref)

/* Ends the recording; called with the lock held. The caller must release the returned record
 * after unlocking, because its free() is foreign code. */
static Record *
settle (C2gEvent       *self,
        C2gEventStatus  status,
        const GError   *error)
{
  self->status = status;
  if (error != NULL)
    self->error = g_error_copy (error);
  else if (status == C2G_EVENT_FAILED)
    self->error = g_error_new_literal (C2G_ERROR, C2G_ERROR_FAILED,
                                       _("The work failed without a reason"));
  if (self->n_waiters > 0)
    g_cond_broadcast (&self->changed);

  return g_steal_pointer (&self->record);
}

/* Ends the recording with that serial, unless it has ended already. */
static void
settle_serial (C2gEvent       *self,
               guint64         serial,
               C2gEventStatus  status,
               const GError   *error)
{
  g_autoptr (Record) record = NULL;

  g_mutex_lock (&self->lock);
  if (self->serial == serial && self->status == C2G_EVENT_SCHEDULED)
    record = settle (self, status, error);
  g_mutex_unlock (&self->lock);
}

/* Returns the last known status, and the record to query for a newer one, if any. */
static C2gEventStatus
look (C2gEvent  *self,
      Record   **record,
      guint64   *serial)
{
  C2gEventStatus status;

  g_mutex_lock (&self->lock);
  status = self->status;
  *serial = self->serial;
  *record = record_ref (self->record);
  g_mutex_unlock (&self->lock);

  return status;
}

static void
set_device (C2gEvent  *self,
            C2gDevice *device)
{
  self->device = device != NULL ? device : c2g_device_cpu ();
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_DEVICE] = { .set = G_CALLBACK (set_device), .offset = G_STRUCT_OFFSET (C2gEvent, device) },
};

static void
c2g_event_finalize (GObject *object)
{
  C2gEvent *self = C2G_EVENT (object);

  g_clear_pointer (&self->record, record_unref);
  g_clear_error (&self->error);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_event_parent_class)->finalize (object);
}

static void
c2g_event_class_init (C2gEventClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_event_finalize;

  /**
   * C2gEvent:device: (getter get_device)
   *
   * The device of the work that the event stands for.
   */
  props[PROP_DEVICE] =
    g_param_spec_boxed ("device", NULL, NULL,
                        C2G_TYPE_DEVICE,
                        G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_event_init (C2gEvent *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
}

/**
 * c2g_event_new:
 * @device: (nullable): a device, or `NULL` for the CPU
 *
 * Makes an event for the work of a device.
 *
 * Returns: (transfer full): an event that is not recorded
 */
C2gEvent *
c2g_event_new (C2gDevice *device)
{
  return g_object_new (C2G_TYPE_EVENT, "device", device, NULL);
}

/**
 * c2g_event_get_device: (get-property device)
 * @self: an event
 *
 * Gets the device of the work that the event stands for.
 *
 * Returns: (transfer none): the device
 */
C2gDevice *
c2g_event_get_device (C2gEvent *self)
{
  g_return_val_if_fail (C2G_IS_EVENT (self), NULL);

  return self->device;
}

/**
 * c2g_event_dup_error_message:
 * @self: an event
 *
 * Copies the reason why the work before the event failed.
 *
 * Returns: (transfer full) (nullable): the reason, `NULL` unless it failed
 */
char *
c2g_event_dup_error_message (C2gEvent *self)
{
  char *message;

  g_return_val_if_fail (C2G_IS_EVENT (self), NULL);

  g_mutex_lock (&self->lock);
  message = self->error != NULL ? g_strdup (self->error->message) : NULL;
  g_mutex_unlock (&self->lock);

  return message;
}

/**
 * c2g_event_get_error_message:
 * @self: an event
 *
 * An alias of [method@Event.dup_error_message], kept for existing programs.
 *
 * Returns: (transfer full) (nullable): the reason, `NULL` unless it failed
 */
char *
c2g_event_get_error_message (C2gEvent *self)
{
  return c2g_event_dup_error_message (self);
}

/**
 * c2g_event_query:
 * @self: an event
 *
 * Gets the state of the work before the event, without waiting.
 *
 * Returns: the status
 */
C2gEventStatus
c2g_event_query (C2gEvent *self)
{
  g_autoptr (Record) record = NULL;
  g_autoptr (GError) error = NULL;
  C2gEventStatus status;
  guint64 serial;

  g_return_val_if_fail (C2G_IS_EVENT (self), C2G_EVENT_INITIALIZED);

  status = look (self, &record, &serial);
  if (status != C2G_EVENT_SCHEDULED || record == NULL)
    return status;

  status = record->funcs->query (record->handle, &error);
  if (status == C2G_EVENT_SUCCESS || status == C2G_EVENT_FAILED)
    {
      g_autoptr (Record) latest = NULL;

      settle_serial (self, serial, status, error);
      /* Another thread may have reset the event meanwhile. */
      return look (self, &latest, &serial);
    }

  return C2G_EVENT_SCHEDULED;
}

/**
 * c2g_event_is_scheduled:
 * @self: an event
 *
 * Tells whether the event was recorded, whether its work is done or not.
 *
 * Returns: true if it is anything but `INITIALIZED`
 */
gboolean
c2g_event_is_scheduled (C2gEvent *self)
{
  g_return_val_if_fail (C2G_IS_EVENT (self), FALSE);

  return c2g_event_query (self) != C2G_EVENT_INITIALIZED;
}

/**
 * c2g_event_is_finished:
 * @self: an event
 *
 * Tells whether the work before the event is done or has failed.
 *
 * Returns: true if it is `SUCCESS` or `FAILED`
 */
gboolean
c2g_event_is_finished (C2gEvent *self)
{
  C2gEventStatus status;

  g_return_val_if_fail (C2G_IS_EVENT (self), FALSE);

  status = c2g_event_query (self);
  return status == C2G_EVENT_SUCCESS || status == C2G_EVENT_FAILED;
}

/* Waits for c2g_event_set_finished() or a reset. */
static void
wait_for_change (C2gEvent *self,
                 guint64   serial)
{
  g_mutex_lock (&self->lock);
  self->n_waiters++;
  while (self->serial == serial && self->status == C2G_EVENT_SCHEDULED)
    g_cond_wait (&self->changed, &self->lock);
  self->n_waiters--;
  g_mutex_unlock (&self->lock);
}

/* Returns FALSE with the error of the work if it failed, and TRUE in every other state. */
static gboolean
report_failure (C2gEvent  *self,
                GError   **error)
{
  GError *copy = NULL;

  g_mutex_lock (&self->lock);
  if (self->status == C2G_EVENT_FAILED)
    copy = g_error_copy (self->error);
  g_mutex_unlock (&self->lock);

  if (copy == NULL)
    return TRUE;

  g_propagate_error (error, copy);
  return FALSE;
}

/**
 * c2g_event_finish:
 * @self: an event
 * @error: return location for an error
 *
 * Waits until the work before the event is done.
 *
 * If it failed, the error says why. An event that is not recorded is not waited for; a reset
 * ends the wait.
 *
 * Returns: true unless the work failed
 */
gboolean
c2g_event_finish (C2gEvent  *self,
                  GError   **error)
{
  g_autoptr (Record) record = NULL;
  g_autoptr (GError) local_error = NULL;
  guint64 serial;

  g_return_val_if_fail (C2G_IS_EVENT (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (look (self, &record, &serial) == C2G_EVENT_SCHEDULED)
    {
      if (record == NULL)
        wait_for_change (self, serial);
      else if (record->funcs->finish (record->handle, &local_error))
        settle_serial (self, serial, C2G_EVENT_SUCCESS, NULL);
      else
        settle_serial (self, serial, C2G_EVENT_FAILED, local_error);
    }

  return report_failure (self, error);
}

gboolean
c2g_event_wait_in_context (C2gEvent    *self,
                           C2gContext  *context,
                           GError     **error)
{
  g_autoptr (Record) record = NULL;
  guint64 serial;

  if (look (self, &record, &serial) == C2G_EVENT_SCHEDULED &&
      record != NULL && record->funcs->wait != NULL)
    return record->funcs->wait (record->handle, context, error);

  return c2g_event_finish (self, error);
}

/**
 * c2g_event_set_finished:
 * @self: an event
 * @error_message: (nullable): why the work failed, or `NULL` if it is done
 * @error: return location for an error
 *
 * Marks the work before the event as done or failed.
 *
 * All waiters continue. An event that is finished already does not change and gives
 * `C2G_ERROR_BUSY`.
 *
 * Returns: true if the event was not finished before
 */
gboolean
c2g_event_set_finished (C2gEvent    *self,
                        const char  *error_message,
                        GError     **error)
{
  g_autoptr (Record) record = NULL;
  g_autoptr (GError) failure = NULL;
  gboolean is_finished;

  g_return_val_if_fail (C2G_IS_EVENT (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (error_message != NULL)
    failure = g_error_new_literal (C2G_ERROR, C2G_ERROR_FAILED, error_message);

  g_mutex_lock (&self->lock);
  is_finished = self->status == C2G_EVENT_SUCCESS || self->status == C2G_EVENT_FAILED;
  if (!is_finished)
    record = settle (self, failure != NULL ? C2G_EVENT_FAILED : C2G_EVENT_SUCCESS, failure);
  g_mutex_unlock (&self->lock);

  if (is_finished)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_BUSY,
                         _("The event is finished and was not reset"));

  return !is_finished;
}

/**
 * c2g_event_reset:
 * @self: an event
 *
 * Resets the event, so that it can be recorded again.
 *
 * All waiters continue.
 */
void
c2g_event_reset (C2gEvent *self)
{
  g_autoptr (Record) record = NULL;
  g_autoptr (GError) old_error = NULL;

  g_return_if_fail (C2G_IS_EVENT (self));

  g_mutex_lock (&self->lock);
  old_error = g_steal_pointer (&self->error);
  record = settle (self, C2G_EVENT_INITIALIZED, NULL);
  g_mutex_unlock (&self->lock);
}

/**
 * c2g_event_schedule: (skip)
 * @self: an event
 * @funcs: (nullable): functions to wait for the event; `NULL` if [method@Event.set_finished]
 *   will be called
 * @handle: the argument of @funcs, which free it also if this fails
 * @error: return location for an error
 *
 * Makes the event `SCHEDULED`; for implementations of contexts.
 *
 * An event that is scheduled or finished already must be reset first: that is
 * `C2G_ERROR_BUSY`.
 *
 * Returns: true if the event was not recorded before
 */
gboolean
c2g_event_schedule (C2gEvent             *self,
                    const C2gEventFuncs  *funcs,
                    gpointer              handle,
                    GError              **error)
{
  g_autoptr (Record) record = record_new (funcs, handle);
  gboolean is_new;

  g_return_val_if_fail (C2G_IS_EVENT (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  g_mutex_lock (&self->lock);
  is_new = self->status == C2G_EVENT_INITIALIZED;
  if (is_new)
    {
      self->status = C2G_EVENT_SCHEDULED;
      self->serial++;
      self->record = g_steal_pointer (&record);
    }
  g_mutex_unlock (&self->lock);

  if (!is_new)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_BUSY,
                         _("The event is recorded already and was not reset"));

  return is_new;
}
