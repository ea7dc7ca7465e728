/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/core/fake-device.h"

#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/device/c2g-timeline-private.h>
#include <c2g/core/memory/c2g-allocator-private.h>
#include <c2g/core/types/c2g-error.h>

#include <stdlib.h>
#include <string.h>

FakeDevice fake_device = { .n_devices = 2, .has_driver = TRUE };

void
fake_device_hear (const char *what,
                  guint64     stream)
{
  if (fake_device.heard != NULL)
    g_string_append_printf (fake_device.heard, "%s %" G_GUINT64_FORMAT "; ", what, stream);
}

void
fake_device_assert_heard (const char *expected)
{
  g_assert_cmpstr (fake_device.heard->str, ==, expected);
  g_string_truncate (fake_device.heard, 0);
}

/* Tells whether a request succeeds. */
static gboolean
succeed (GError **error)
{
  if (fake_device.mood == FAKE_NOTHING_WITH_ERROR || fake_device.mood == FAKE_NO_WORK)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_DEVICE, "out of order");
      return FALSE;
    }
  return fake_device.mood != FAKE_NOTHING;
}

/* For functions whose FALSE must have an error: FAKE_NOTHING cannot be used there, so it
 * succeeds. */
static gboolean
succeed_or_say_why (GError **error)
{
  return fake_device.mood == FAKE_NOTHING || succeed (error);
}

/* Tells whether an allocation succeeds. */
static gboolean
give (GError **error)
{
  return fake_device.mood == FAKE_NO_WORK || succeed (error);
}

/* The context */

/* Work that has not been done yet. */
typedef struct
{
  const float *x;
  float       *y;
  gsize        n;
} Work;

struct _FakeContext
{
  C2gContext  parent_instance;
  C2gDevice  *device;
  guint64     stream;
  int         n_finished;
  GArray     *works;
};

G_DECLARE_FINAL_TYPE (FakeContext, fake_context, FAKE, CONTEXT, C2gContext)
G_DEFINE_FINAL_TYPE (FakeContext, fake_context, C2G_TYPE_CONTEXT)

/* Logs a request. A CPU context, which may also use the memory, has no stream and is logged as
 * 0. */
static void
hear (const char *what,
      C2gContext *context)
{
  fake_device_hear (what, FAKE_IS_CONTEXT (context) ? FAKE_CONTEXT (context)->stream : 0);
}

/* The handle of an event: it is finished when its context has been finished once more. */
typedef struct
{
  FakeContext *context;
  int          n_finished;
} FakeEvent;

static C2gEventStatus
query_event (gpointer  handle,
             GError  **error)
{
  FakeEvent *event = handle;

  return event->context->n_finished >= event->n_finished ? C2G_EVENT_SUCCESS : C2G_EVENT_SCHEDULED;
}

static gboolean
finish_event (gpointer  handle,
              GError  **error)
{
  FakeEvent *event = handle;

  return c2g_context_finish (C2G_CONTEXT (event->context), error);
}

static gboolean
wait_for_event (gpointer     handle,
                C2gContext  *context,
                GError     **error)
{
  g_atomic_int_inc (&fake_device.n_waits);
  hear ("wait", context);
  return succeed_or_say_why (error);
}

static void
free_event (gpointer handle)
{
  FakeEvent *event = handle;

  g_object_unref (event->context);
  g_free (event);
}

static gboolean
fake_context_record (C2gContext  *context,
                     C2gEvent    *event,
                     GError     **error)
{
  static const C2gEventFuncs funcs = {
    .query = query_event,
    .finish = finish_event,
    .wait = wait_for_event,
    .free = free_event,
  };
  FakeContext *self = FAKE_CONTEXT (context);
  FakeEvent *handle = g_new (FakeEvent, 1);

  handle->context = g_object_ref (self);
  handle->n_finished = self->n_finished + 1;
  hear ("record", context);

  return c2g_event_schedule (event, &funcs, handle, error);
}

static C2gDevice *
fake_context_get_device (C2gContext *context)
{
  return FAKE_CONTEXT (context)->device;
}

static void
count_bytes (gsize    n_bytes,
             gboolean is_from,
             gboolean is_to)
{
  g_atomic_int_inc (&fake_device.n_copies);
  if (is_from && !is_to)
    g_atomic_pointer_add (&fake_device.n_bytes_from, n_bytes);
  if (is_to && !is_from)
    g_atomic_pointer_add (&fake_device.n_bytes_to, n_bytes);
  /* Not atomic as a whole: a larger value may be lost, which the tests accept. */
  if (n_bytes > (gsize) g_atomic_pointer_get (&fake_device.n_bytes_largest))
    g_atomic_pointer_set (&fake_device.n_bytes_largest, n_bytes);
}

static gboolean
fake_context_copy_bytes (C2gContext     *context,
                         gsize           n_bytes,
                         C2gDevice      *source_device,
                         gconstpointer   source,
                         C2gDevice      *destination_device,
                         gpointer        destination,
                         GError        **error)
{
  const gboolean is_from = source_device != c2g_device_cpu ();
  const gboolean is_to = destination_device != c2g_device_cpu ();

  count_bytes (n_bytes, is_from, is_to);
  hear ("copy", context);
  if (!succeed (error))
    return FALSE;

  memmove ((char *) destination - (is_to ? fake_device.distance : 0),
           (const char *) source - (is_from ? fake_device.distance : 0), n_bytes);
  return TRUE;
}

static gboolean
fake_context_finish (C2gContext  *context,
                     GError     **error)
{
  FakeContext *self = FAKE_CONTEXT (context);

  for (guint i = 0; i < self->works->len; i++)
    {
      const Work *work = &g_array_index (self->works, Work, i);

      for (gsize k = 0; k < work->n; k++)
        work->y[k] = -work->x[k];
    }
  g_array_set_size (self->works, 0);
  self->n_finished++;
  g_atomic_int_inc (&fake_device.n_finished);
  hear ("finish", context);
  return succeed (error);
}

static void
fake_context_finalize (GObject *object)
{
  g_array_unref (FAKE_CONTEXT (object)->works);

  G_OBJECT_CLASS (fake_context_parent_class)->finalize (object);
}

static void
fake_context_class_init (FakeContextClass *klass)
{
  C2gContextClass *context_class = C2G_CONTEXT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fake_context_finalize;

  context_class->get_device = fake_context_get_device;
  context_class->copy_bytes = fake_context_copy_bytes;
  context_class->record = fake_context_record;
  context_class->finish = fake_context_finish;
}

static void
fake_context_init (FakeContext *self)
{
  self->works = g_array_new (FALSE, FALSE, sizeof (Work));
}

/* The allocator */

struct _FakeAllocator
{
  C2gAllocator  parent_instance;
  C2gDevice    *device;
};

G_DECLARE_FINAL_TYPE (FakeAllocator, fake_allocator, FAKE, ALLOCATOR, C2gAllocator)
G_DEFINE_FINAL_TYPE (FakeAllocator, fake_allocator, C2G_TYPE_ALLOCATOR)

static gpointer
alloc_block (C2gAllocator  *allocator,
             gsize          n_bytes,
             C2gContext    *context,
             GError       **error)
{
  gpointer block = NULL;

  return posix_memalign (&block, 256, n_bytes) == 0 ? (char *) block + fake_device.distance : NULL;
}

static void
free_block (C2gAllocator *allocator,
            gpointer      block,
            gsize         n_bytes,
            C2gContext   *context)
{
  free ((char *) block - fake_device.distance);
}

static void
record_use (C2gAllocator *allocator,
            gpointer      block,
            C2gContext   *context)
{
  g_atomic_int_inc (&fake_device.n_uses);
  hear ("use", context);
}

static gboolean
wait_for_uses (C2gAllocator  *allocator,
               gpointer       block,
               C2gContext    *context,
               GError       **error)
{
  g_atomic_int_inc (&fake_device.n_waits_for_uses);
  hear ("behind-uses", context);
  return succeed_or_say_why (error);
}

static C2gDevice *
fake_allocator_get_device (C2gAllocator *allocator)
{
  return FAKE_ALLOCATOR (allocator)->device;
}

static gsize
fake_allocator_get_alignment (C2gAllocator *allocator)
{
  return 256;
}

static void
fake_allocator_class_init (FakeAllocatorClass *klass)
{
  static const C2gBlockFuncs funcs = {
    .alloc_block = alloc_block,
    .free_block = free_block,
    .record_use = record_use,
    .wait_for_uses = wait_for_uses,
  };
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  allocator_class->get_device = fake_allocator_get_device;
  allocator_class->get_alignment = fake_allocator_get_alignment;
  allocator_class->block_funcs = &funcs;
}

static void
fake_allocator_init (FakeAllocator *self)
{
}

C2gContext *
fake_device_new_context (C2gDevice *device,
                         guint64    stream)
{
  FakeContext *context = g_object_new (fake_context_get_type (), NULL);

  context->device = device;
  context->stream = stream;
  return C2G_CONTEXT (context);
}

/* The backend */

static int
get_n_devices (GError **error)
{
  if (fake_device.has_driver)
    return fake_device.n_devices;

  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_DEVICE, "the driver is too old");
  return 0;
}

static C2gContext *
new_context (C2gDevice  *device,
             guint64     stream,
             GError    **error)
{
  if (!give (error))
    return NULL;
  return fake_device_new_context (fake_device.mood == FAKE_OTHER_DEVICE ? c2g_device_cpu () : device,
                                  stream);
}

static C2gContext *
create_context (C2gDevice  *device,
                GError    **error)
{
  g_atomic_int_inc (&fake_device.n_contexts);
  return new_context (device, FAKE_OWN_STREAM, error);
}

static guint
get_epoch (C2gDevice *device)
{
  return fake_device.epoch;
}

static C2gAllocator *
get_allocator (C2gDevice  *device,
               GError    **error)
{
  static FakeAllocator *allocators[2];
  FakeAllocator **allocator = &allocators[c2g_device_get_index (device)];

  if (!give (error))
    return NULL;

  if (g_once_init_enter (allocator))
    {
      FakeAllocator *made = g_object_new (fake_allocator_get_type (), NULL);

      made->device = device;
      g_once_init_leave (allocator, made);
    }

  return g_object_ref (C2G_ALLOCATOR (fake_device.mood == FAKE_OTHER_DEVICE ? allocators[0] : *allocator));
}

/* Foreign streams; here they are only numbers. */

static C2gContext *
wrap_stream (C2gDevice  *device,
             guint64     stream,
             GError    **error)
{
  if (stream != 2)
    return new_context (device, stream, error);

  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, "a thread's own");
  return NULL;
}

static guint64
get_stream (C2gContext  *context,
            GError     **error)
{
  return succeed_or_say_why (error) ? FAKE_CONTEXT (context)->stream : 0;
}

/* Uses of foreign memory, the latest last. Not thread-safe: tests add them in one thread. */

static void
record_foreign_use (gpointer   *uses,
                    C2gContext *context)
{
  if (*uses == NULL)
    *uses = g_ptr_array_new_with_free_func (g_object_unref);
  if (!g_ptr_array_find (*uses, context, NULL))
    g_ptr_array_add (*uses, g_object_ref (context));
}

static gboolean
wait_for_foreign_uses (gpointer     uses,
                       C2gContext  *context,
                       GError     **error)
{
  GPtrArray *contexts = uses;

  for (guint i = 0; i < contexts->len; i++)
    {
      C2gContext *other = g_ptr_array_index (contexts, i);
      g_autoptr (C2gEvent) event = c2g_event_new (c2g_context_get_device (other));

      if (other != context &&
          (!c2g_context_record (other, event, error) || !c2g_context_wait (context, event, error)))
        return FALSE;
    }

  return TRUE;
}

static void
release_after (gpointer       uses,
               GDestroyNotify func,
               gpointer       data,
               gboolean       wait)
{
  g_autoptr (GPtrArray) contexts = uses;

  for (guint i = contexts->len; i > 0; i--)
    c2g_context_finish (g_ptr_array_index (contexts, i - 1), NULL);
  func (data);
}

static gboolean
has_compute (C2gComputeKind kind)
{
  return kind == C2G_COMPUTE_KIND_UNARY || (fake_device.claims >> kind & 1) != 0;
}

static gboolean
run_compute (C2gContext               *context,
             const C2gComputeRequest  *request,
             GError                  **error)
{
  const Work work = { request->x, request->y, request->n };

  g_assert_cmpint (request->kind, ==, C2G_COMPUTE_KIND_UNARY);
  g_assert_cmpint (request->unary, ==, C2G_COMPUTE_UNARY_NEGATIVE);
  g_array_append_val (FAKE_CONTEXT (context)->works, work);
  return TRUE;
}

static const C2gDeviceCompute compute = {
  .has = has_compute,
  .run = run_compute,
};

const C2gDeviceBackend fake_device_backend = {
  .version = C2G_DEVICE_BACKEND_VERSION,
  .device_type = C2G_DEVICE_TYPE_CUDA,
  .name = "Fake",
  .get_n_devices = get_n_devices,
  .create_context = create_context,
  .get_allocator = get_allocator,
  .compute = &compute,
  .wrap_stream = wrap_stream,
  .get_stream = get_stream,
  .get_epoch = get_epoch,
  .record_use = record_foreign_use,
  .wait_for_uses = wait_for_foreign_uses,
  .release_after = release_after,
};

void
fake_device_use (void)
{
  static gboolean is_registered = FALSE;

  fake_device.mood = FAKE_FINE;
  fake_device.claims = 0;
  fake_device.has_driver = TRUE;
  fake_device.n_contexts = 0;
  fake_device.n_copies = fake_device.n_finished = fake_device.n_uses = 0;
  fake_device.n_waits = fake_device.n_waits_for_uses = 0;
  fake_device.n_bytes_from = fake_device.n_bytes_to = fake_device.n_bytes_largest = 0;
  if (fake_device.heard != NULL)
    g_string_truncate (fake_device.heard, 0);

  if (!is_registered)
    g_assert_true (c2g_device_backend_register (&fake_device_backend, NULL));
  is_registered = TRUE;
}
