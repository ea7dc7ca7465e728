/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-logging-allocator.h>

#include <c2g/core/memory/c2g-label-private.h>
#include <c2g/core/memory/c2g-storage-private.h>
#include <c2g/core/types/c2g-property-private.h>

/**
 * C2gLoggingAllocator:
 *
 * An allocator that logs all allocations.
 *
 * The log is a table of comma-separated values. Every allocation, failed allocation, release
 * and trim is a line. Lines are sorted by time, and the release of a block comes before an
 * allocation that gets the same address again. So the log can be replayed.
 *
 * ```
 * time_us,thread,action,address,bytes,device,name
 * 12,1,allocate,0x55d2a7c04040,4096,cpu,weights
 * 31,1,fail,0x0,9000000000000000000,cpu,
 * 57,2,release,0x55d2a7c04040,4096,cpu,weights
 * 81,2,trim,0x0,1048576,cpu,
 * ```
 *
 * `time_us` counts microseconds since the allocator was made, `thread` is the number of a
 * thread in the order in which threads were first seen by any logging allocator. `name` is the
 * name of the blob that the block was allocated for, or its name at the release; it is empty
 * if the tensor is in no blob. It is the last field, with special characters escaped as in C.
 * A `retry` means that a lower allocator freed its cache before it tried again
 * ([signal@Allocator::retried]); the bytes of a `trim` are the freed bytes.
 *
 * ```c
 * g_autoptr (GFileOutputStream) stream =
 *   g_file_replace (file, NULL, FALSE, 0, NULL, &error);
 * g_autoptr (C2gAllocator) logging =
 *   c2g_logging_allocator_new (NULL, G_OUTPUT_STREAM (stream));
 * ```
 *
 * An error of the stream never makes an allocation fail. The log ends with the first error,
 * which [method@LoggingAllocator.check] returns. The stream is neither flushed nor closed.
 *
 * ## Threads
 *
 * All functions can be called from any thread. Lines never mix: they are queued, and one of
 * the threads writes all queued lines, with no lock held. No thread waits for another, so the
 * stream itself may allocate and free; what it allocates in the writing thread is not logged,
 * because each line would cause another one. When all threads have returned from allocating
 * and freeing, all lines are written. No other code may write to the stream meanwhile.
 *
 * If writing to the stream makes another thread allocate, each line causes a new line, and such
 * lines cannot be told from others. So a thread writes at most a thousand times in a row; the
 * lines that are queued then are written by the next thread that logs, or by
 * [method@LoggingAllocator.check].
 */

/* Maximum number of writes in a row by one thread: while it writes, others may add lines without
 * end. */
#define MAX_WRITES 1000

struct _C2gLoggingAllocator
{
  C2gAdaptorAllocator  parent_instance;

  GOutputStream       *output_stream;
  gint64               start_time;

  /* The members below are protected by the lock. */
  GMutex               lock;
  GString             *queue;
  /* FALSE until the first line: the header alone is not written. */
  gboolean             has_lines;
  /* The thread that writes to the stream, or NULL. */
  GThread             *writer;
  GError              *error;
};

enum
{
  PROP_0,
  PROP_OUTPUT_STREAM,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gLoggingAllocator, c2g_logging_allocator, C2G_TYPE_ADAPTOR_ALLOCATOR)

/* Returns the number of this thread, from a count of our own: GThread addresses are reused, and
 * thread ids of the kernel are not portable. */
static guint
get_thread_number (void)
{
  static GPrivate number;
  static int n_threads;
  guint value;

  value = GPOINTER_TO_UINT (g_private_get (&number));
  if (value == 0)
    {
      value = (guint) g_atomic_int_add (&n_threads, 1) + 1;
      g_private_set (&number, GUINT_TO_POINTER (value));
    }

  return value;
}

/* Called with the lock held; releases it while writing to the stream. */
static void
write_queue (C2gLoggingAllocator *self)
{
  self->writer = g_thread_self ();

  for (guint i = 0; i < MAX_WRITES && self->queue->len > 0 && self->error == NULL; i++)
    {
      GString *lines = self->queue;
      GError *error = NULL;

      self->queue = g_string_new (NULL);
      g_mutex_unlock (&self->lock);

      g_output_stream_write_all (self->output_stream, lines->str, lines->len, NULL, NULL, &error);
      g_string_free (lines, TRUE);

      g_mutex_lock (&self->lock);
      self->error = error;
    }

  self->writer = NULL;
}

static void
add_line (C2gLoggingAllocator *self,
          const char          *action,
          guint64              address,
          gsize                n_bytes,
          const char          *name)
{
  g_autofree char *escaped = name != NULL ? g_strescape (name, NULL) : NULL;
  const char *device;
  guint thread;

  if (self->output_stream == NULL)
    return;

  device = c2g_device_to_string (c2g_allocator_get_device (C2G_ALLOCATOR (self)));
  thread = get_thread_number ();

  g_mutex_lock (&self->lock);
  /* Do not log allocations by the writing itself: that would never end. */
  if (self->error == NULL && self->writer != g_thread_self ())
    {
      self->has_lines = TRUE;
      /* The time is taken under the lock, so that lines are sorted by time. */
      g_string_append_printf (self->queue,
                              "%" G_GINT64_FORMAT ",%u,%s,0x%" G_GINT64_MODIFIER "x,"
                              "%" G_GSIZE_FORMAT ",%s,%s\n",
                              g_get_monotonic_time () - self->start_time,
                              thread, action, address, n_bytes, device,
                              escaped != NULL ? escaped : "");
      if (self->writer == NULL)
        write_queue (self);
    }
  g_mutex_unlock (&self->lock);
}

static C2gStorage *
c2g_logging_allocator_allocate (C2gAllocator *allocator,
                                gsize         n_bytes,
                                C2gContext   *context,
                                GError      **error)
{
  C2gLoggingAllocator *self = C2G_LOGGING_ALLOCATOR (allocator);
  C2gAllocatorClass *parent_class = C2G_ALLOCATOR_CLASS (c2g_logging_allocator_parent_class);
  g_autofree char *name = c2g_label_dup_name_of_block ();
  C2gStorage *storage;

  storage = parent_class->allocate (allocator, n_bytes, context, error);
  if (storage != NULL)
    add_line (self, "allocate", c2g_storage_get_address (storage), n_bytes, name);
  else
    add_line (self, "fail", 0, n_bytes, name);

  return storage;
}

static void
c2g_logging_allocator_released (C2gAllocator *allocator,
                                guint64       address,
                                gsize         n_bytes)
{
  g_autofree char *name = c2g_label_dup_name_of_block ();

  add_line (C2G_LOGGING_ALLOCATOR (allocator), "release", address, n_bytes, name);
}

static gsize
c2g_logging_allocator_trim (C2gAllocator *allocator,
                            gsize         keep_bytes)
{
  C2gAllocatorClass *parent_class = C2G_ALLOCATOR_CLASS (c2g_logging_allocator_parent_class);
  gsize n_bytes = parent_class->trim (allocator, keep_bytes);

  add_line (C2G_LOGGING_ALLOCATOR (allocator), "trim", 0, n_bytes, NULL);

  return n_bytes;
}

static void
retried_cb (C2gLoggingAllocator *self,
            guint64              n_bytes)
{
  add_line (self, "retry", 0, n_bytes, NULL);
}

/* The upstreams exist already when an allocator is constructed, so the whole stack can be
 * connected. */
static void
c2g_logging_allocator_constructed (GObject *object)
{
  C2gAllocator *upstream = C2G_ALLOCATOR (object);

  G_OBJECT_CLASS (c2g_logging_allocator_parent_class)->constructed (object);

  while (C2G_IS_ADAPTOR_ALLOCATOR (upstream))
    {
      upstream = c2g_adaptor_allocator_get_upstream (C2G_ADAPTOR_ALLOCATOR (upstream));
      g_signal_connect_object (upstream, "retried", G_CALLBACK (retried_cb), object,
                               G_CONNECT_SWAPPED);
    }
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_OUTPUT_STREAM] = C2G_PROPERTY_FIELD (C2gLoggingAllocator, output_stream),
};

static void
c2g_logging_allocator_finalize (GObject *object)
{
  C2gLoggingAllocator *self = C2G_LOGGING_ALLOCATOR (object);

  g_clear_object (&self->output_stream);
  g_string_free (self->queue, TRUE);
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_logging_allocator_parent_class)->finalize (object);
}

static void
c2g_logging_allocator_class_init (C2gLoggingAllocatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  object_class->constructed = c2g_logging_allocator_constructed;
  object_class->finalize = c2g_logging_allocator_finalize;

  allocator_class->allocate = c2g_logging_allocator_allocate;
  allocator_class->released = c2g_logging_allocator_released;
  allocator_class->trim = c2g_logging_allocator_trim;

  /**
   * C2gLoggingAllocator:output-stream: (getter get_output_stream)
   *
   * The stream for the lines; with `NULL` nothing is written.
   */
  props[PROP_OUTPUT_STREAM] =
    g_param_spec_object ("output-stream", NULL, NULL,
                         G_TYPE_OUTPUT_STREAM,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_logging_allocator_init (C2gLoggingAllocator *self)
{
  g_mutex_init (&self->lock);
  self->start_time = g_get_monotonic_time ();
  /* The header is written with the first line: constructing an object writes nothing. */
  self->queue = g_string_new ("time_us,thread,action,address,bytes,device,name\n");
}

/**
 * c2g_logging_allocator_new:
 * @upstream: (nullable): where the memory comes from, or `NULL` for the built-in
 *   allocator of the CPU
 * @output_stream: (nullable): the stream for the lines, or `NULL` to write nothing
 *
 * Makes an allocator that writes a log.
 *
 * Returns: (transfer full): a new logging allocator
 */
C2gAllocator *
c2g_logging_allocator_new (C2gAllocator  *upstream,
                           GOutputStream *output_stream)
{
  g_return_val_if_fail (upstream == NULL || C2G_IS_ALLOCATOR (upstream), NULL);
  g_return_val_if_fail (output_stream == NULL || G_IS_OUTPUT_STREAM (output_stream), NULL);

  return g_object_new (C2G_TYPE_LOGGING_ALLOCATOR,
                       "upstream", upstream,
                       "output-stream", output_stream,
                       NULL);
}

/**
 * c2g_logging_allocator_get_output_stream: (get-property output-stream)
 * @self: a logging allocator
 *
 * Gets the stream for the lines.
 *
 * Returns: (transfer none) (nullable): the stream
 */
GOutputStream *
c2g_logging_allocator_get_output_stream (C2gLoggingAllocator *self)
{
  g_return_val_if_fail (C2G_IS_LOGGING_ALLOCATOR (self), NULL);

  return self->output_stream;
}

/**
 * c2g_logging_allocator_check:
 * @self: a logging allocator
 * @error: return location for an error
 *
 * Tells whether the log is complete so far.
 *
 * The log ends with the first error of the stream. Every call sets @error to it, with the
 * domain of the stream.
 *
 * Queued lines are written first, unless another thread is writing them.
 *
 * Returns: `TRUE` if the stream took every line, `FALSE` with @error set
 */
gboolean
c2g_logging_allocator_check (C2gLoggingAllocator *self,
                             GError             **error)
{
  g_autoptr (GError) copy = NULL;

  g_return_val_if_fail (C2G_IS_LOGGING_ALLOCATOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  g_mutex_lock (&self->lock);
  if (self->output_stream != NULL && self->has_lines && self->writer == NULL)
    write_queue (self);
  if (self->error != NULL)
    copy = g_error_copy (self->error);
  g_mutex_unlock (&self->lock);

  if (copy == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&copy));

  return FALSE;
}
