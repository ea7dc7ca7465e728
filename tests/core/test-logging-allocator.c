/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "allocator-suite.h"
#include "test-utils.h"

#include <string.h>

#define HEADER "time_us,thread,action,address,bytes,device,name"

static C2gStorage *
allocate (gpointer allocator,
          gsize    n_bytes)
{
  return c2g_allocator_allocate (C2G_ALLOCATOR (allocator), n_bytes, NULL, NULL);
}

/* Returns the lines so far, without the last newline. */
static char **
dup_lines (GOutputStream *stream)
{
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM (stream);
  g_autofree char *text = g_strndup (g_memory_output_stream_get_data (memory),
                                     g_memory_output_stream_get_data_size (memory));

  g_assert_true (g_str_has_suffix (text, "\n"));
  text[strlen (text) - 1] = '\0';

  return g_strsplit (text, "\n", -1);
}

typedef struct
{
  gint64  time;
  guint   thread;
  char    action[16];
  guint64 address;
  gsize   n_bytes;
  char    device[16];
  char    name[32];
} Line;

static Line
parse_line (const char *text)
{
  g_auto (GStrv) fields = g_strsplit (text, ",", -1);
  Line line = { 0 };

  g_assert_cmpuint (g_strv_length (fields), ==, 7);
  line.time = g_ascii_strtoll (fields[0], NULL, 10);
  line.thread = (guint) g_ascii_strtoull (fields[1], NULL, 10);
  g_strlcpy (line.action, fields[2], sizeof line.action);
  g_assert_true (g_str_has_prefix (fields[3], "0x"));
  line.address = g_ascii_strtoull (fields[3], NULL, 16);
  line.n_bytes = g_ascii_strtoull (fields[4], NULL, 10);
  g_strlcpy (line.device, fields[5], sizeof line.device);
  g_strlcpy (line.name, fields[6], sizeof line.name);

  return line;
}

static void
assert_line (const char *text,
             const char *action,
             guint64     address,
             gsize       n_bytes)
{
  Line line = parse_line (text);

  g_assert_cmpint (line.time, >=, 0);
  g_assert_cmpuint (line.thread, >=, 1);
  g_assert_cmpstr (line.action, ==, action);
  g_assert_cmpuint (line.address, ==, address);
  g_assert_cmpuint (line.n_bytes, ==, n_bytes);
  g_assert_cmpstr (line.device, ==, "cpu");
}

static void
test_lines (void)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (C2gAllocator) probe = allocator_suite_build ("probe/cpu");
  g_autoptr (C2gAllocator) logging = c2g_logging_allocator_new (probe, stream);
  g_auto (GStrv) lines = NULL;
  C2gStorage *storage;
  guint64 address;

  /* Nothing is written before the first event. */
  g_assert_cmpuint (g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)), ==, 0);

  storage = allocate (logging, 1000);
  address = c2g_storage_get_address (storage);
  PROBE_ALLOCATOR (probe)->fail_at = 2;
  g_assert_null (allocate (logging, 2000));
  c2g_storage_unref (storage);
  c2g_storage_unref (allocate (logging, 0));

  lines = dup_lines (stream);
  g_assert_cmpuint (g_strv_length (lines), ==, 6);
  g_assert_cmpstr (lines[0], ==, HEADER);
  assert_line (lines[1], "allocate", address, 1000);
  assert_line (lines[2], "fail", 0, 2000);
  assert_line (lines[3], "release", address, 1000);
  assert_line (lines[4], "allocate", 0, 0);
  assert_line (lines[5], "release", 0, 0);
  g_assert_true (c2g_logging_allocator_check (C2G_LOGGING_ALLOCATOR (logging), NULL));
}

/* Lines of allocations, failures and releases name the blob; other lines have no name. */
static void
test_names (void)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (C2gAllocator) probe = allocator_suite_build ("probe/cpu");
  g_autoptr (C2gAllocator) logging = c2g_logging_allocator_new (probe, stream);
  g_autoptr (C2gAllocator) previous = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "a \"b\"", NULL);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
  g_auto (GStrv) lines = NULL;
  const gint64 n = 100;

  c2g_allocator_set_default (c2g_device_cpu (), logging, NULL);
  c2g_tensor_resize (tensor, &n, 1, NULL);
  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  c2g_tensor_free_memory (tensor);
  PROBE_ALLOCATOR (probe)->fail_at = 2;
  g_assert_false (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  c2g_storage_unref (allocate (logging, 1));
  c2g_allocator_set_default (c2g_device_cpu (), previous, NULL);
  g_signal_emit_by_name (probe, "retried", G_GUINT64_CONSTANT (123));
  g_assert_cmpuint (c2g_allocator_trim (logging, 0), ==, 0);

  lines = dup_lines (stream);
  g_assert_cmpuint (g_strv_length (lines), ==, 8);
  for (int i = 1; i <= 3; i++)
    {
      static const char *const actions[] = { "allocate", "release", "fail" };

      g_assert_cmpstr (parse_line (lines[i]).action, ==, actions[i - 1]);
      g_assert_cmpstr (parse_line (lines[i]).name, ==, "a \\\"b\\\"");
    }
  /* A block that is not for a tensor. */
  g_assert_cmpstr (parse_line (lines[4]).action, ==, "allocate");
  g_assert_cmpstr (parse_line (lines[4]).name, ==, "");
  assert_line (lines[6], "retry", 0, 123);
  assert_line (lines[7], "trim", 0, 0);
}

static void
test_no_stream (void)
{
  g_autoptr (C2gAllocator) logging = c2g_logging_allocator_new (NULL, NULL);
  g_autoptr (GOutputStream) stream = NULL;

  c2g_storage_unref (allocate (logging, 1000));
  g_assert_null (c2g_logging_allocator_get_output_stream (C2G_LOGGING_ALLOCATOR (logging)));
  g_object_get (logging, "output-stream", &stream, NULL);
  g_assert_null (stream);
  g_assert_true (c2g_logging_allocator_check (C2G_LOGGING_ALLOCATOR (logging), NULL));
}

/* Two in a stack: each writes its own lines, to its own stream. */
static void
test_twice (void)
{
  g_autoptr (GOutputStream) inner_stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) outer_stream = g_memory_output_stream_new_resizable ();
  g_autoptr (C2gAllocator) inner = c2g_logging_allocator_new (NULL, inner_stream);
  g_autoptr (C2gAllocator) outer = c2g_logging_allocator_new (inner, outer_stream);
  g_auto (GStrv) inner_lines = NULL;
  g_auto (GStrv) outer_lines = NULL;

  c2g_storage_unref (allocate (outer, 100));
  c2g_storage_unref (allocate (inner, 100));

  inner_lines = dup_lines (inner_stream);
  outer_lines = dup_lines (outer_stream);
  g_assert_cmpuint (g_strv_length (inner_lines), ==, 5);
  g_assert_cmpuint (g_strv_length (outer_lines), ==, 3);
}

/* A stream that fails after a number of bytes, like a full disk. */
#define TYPE_SMALL_STREAM (small_stream_get_type ())
G_DECLARE_FINAL_TYPE (SmallStream, small_stream, SMALL, STREAM, GOutputStream)

struct _SmallStream
{
  GOutputStream parent_instance;

  GString      *text;
  gsize         n_max;
  guint         n_failures;
  C2gAllocator *allocator;
  /* TRUE if another thread allocates. */
  gboolean      has_thread;
};

G_DEFINE_FINAL_TYPE (SmallStream, small_stream, G_TYPE_OUTPUT_STREAM)

static gpointer
allocate_cb (gpointer allocator)
{
  c2g_storage_unref (allocate (allocator, 8));
  return NULL;
}

static gssize
small_stream_write (GOutputStream *stream,
                    const void    *buffer,
                    gsize          count,
                    GCancellable  *cancellable,
                    GError       **error)
{
  SmallStream *self = SMALL_STREAM (stream);

  /* Allocates from the allocator that logs to this stream, if one is set. */
  if (self->allocator != NULL && self->has_thread)
    g_thread_join (g_thread_new ("allocate", allocate_cb, self->allocator));
  else if (self->allocator != NULL)
    allocate_cb (self->allocator);

  if (self->text->len == self->n_max)
    {
      self->n_failures++;
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "The disk is full");
      return -1;
    }

  count = MIN (count, self->n_max - self->text->len);
  g_string_append_len (self->text, buffer, (gssize) count);

  return (gssize) count;
}

static void
small_stream_finalize (GObject *object)
{
  g_string_free (SMALL_STREAM (object)->text, TRUE);

  G_OBJECT_CLASS (small_stream_parent_class)->finalize (object);
}

static void
small_stream_class_init (SmallStreamClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = small_stream_finalize;
  G_OUTPUT_STREAM_CLASS (klass)->write_fn = small_stream_write;
}

static void
small_stream_init (SmallStream *self)
{
  self->text = g_string_new (NULL);
  self->n_max = G_MAXSIZE;
}

static void
test_stream_fails (void)
{
  g_autoptr (SmallStream) stream = g_object_new (TYPE_SMALL_STREAM, NULL);
  g_autoptr (C2gLoggingAllocator) logging =
    C2G_LOGGING_ALLOCATOR (c2g_logging_allocator_new (NULL, G_OUTPUT_STREAM (stream)));
  g_autoptr (C2gStorage) storage = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;

  stream->n_max = strlen (HEADER) + 5;
  storage = allocate (logging, 100);
  g_assert_nonnull (storage);
  g_assert_cmpuint (stream->text->len, ==, stream->n_max);
  g_assert_false (c2g_logging_allocator_check (logging, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);

  /* The log has ended for good, even if there is space again; allocations go on. */
  stream->n_max = G_MAXSIZE;
  g_clear_pointer (&storage, c2g_storage_unref);
  storage = allocate (logging, 100);
  g_assert_nonnull (storage);
  g_assert_cmpuint (stream->n_failures, ==, 1);
  g_assert_cmpuint (stream->text->len, ==, strlen (HEADER) + 5);

  g_assert_false (c2g_logging_allocator_check (logging, NULL));
  g_assert_false (c2g_logging_allocator_check (logging, &again));
  g_assert_cmpstr (again->message, ==, error->message);
}

/* The stream allocates from the allocator that logs to it, in each write. These allocations are not
 * logged, so the writing ends. */
static void
test_stream_allocates (void)
{
  g_autoptr (SmallStream) stream = g_object_new (TYPE_SMALL_STREAM, NULL);
  g_autoptr (C2gAllocator) logging = c2g_logging_allocator_new (NULL, G_OUTPUT_STREAM (stream));
  g_auto (GStrv) lines = NULL;
  guint i;

  stream->allocator = logging;
  c2g_storage_unref (allocate (logging, 100));
  stream->allocator = NULL;

  g_string_truncate (stream->text, stream->text->len - 1);
  lines = g_strsplit (stream->text->str, "\n", -1);
  g_assert_cmpstr (lines[0], ==, HEADER);
  for (i = 1; lines[i] != NULL; i++)
    parse_line (lines[i]);
  g_assert_cmpuint (i, ==, 3);
}

/* Another thread allocates, and the stream waits for it: each line causes two more. */
static void
test_stream_allocates_elsewhere (void)
{
  g_autoptr (SmallStream) stream = g_object_new (TYPE_SMALL_STREAM, NULL);
  g_autoptr (C2gAllocator) logging = c2g_logging_allocator_new (NULL, G_OUTPUT_STREAM (stream));
  g_autoptr (GError) error = NULL;
  gsize n_bytes;

  stream->allocator = logging;
  stream->has_thread = TRUE;
  c2g_storage_unref (allocate (logging, 100));
  stream->allocator = NULL;
  n_bytes = stream->text->len;

  /* No queued lines are lost at the end. */
  g_assert_true (c2g_logging_allocator_check (C2G_LOGGING_ALLOCATOR (logging), &error));
  g_assert_no_error (error);
  g_assert_cmpuint (stream->text->len, >, n_bytes);
  g_assert_true (g_str_has_suffix (stream->text->str, "\n"));
}

static gpointer
churn (gpointer data)
{
  guint i;

  for (i = 1; i <= 500; i++)
    c2g_storage_unref (allocate (data, i));

  return NULL;
}

/* Replays the log: no live address is allocated again, and only live ones are released. */
static void
replay (char **lines)
{
  g_autoptr (GHashTable) live = g_hash_table_new (g_direct_hash, g_direct_equal);
  gint64 last_time = 0;
  guint i;

  for (i = 1; lines[i] != NULL; i++)
    {
      Line line = parse_line (lines[i]);
      gpointer key = (gpointer) (guintptr) line.address;

      g_assert_cmpint (line.time, >=, last_time);
      last_time = line.time;
      if (strcmp (line.action, "allocate") == 0)
        g_assert_true (g_hash_table_insert (live, key, GSIZE_TO_POINTER (line.n_bytes)));
      else
        {
          g_assert_cmpuint (GPOINTER_TO_SIZE (g_hash_table_lookup (live, key)), ==, line.n_bytes);
          g_assert_true (g_hash_table_remove (live, key));
        }
    }

  g_assert_cmpuint (i, ==, 1 + 4 * 500 * 2);
  g_assert_cmpuint (g_hash_table_size (live), ==, 0);
}

static void
test_threads (void)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (C2gAllocator) pool = c2g_pool_allocator_new (NULL);
  g_autoptr (C2gAllocator) logging = c2g_logging_allocator_new (pool, stream);
  g_auto (GStrv) lines = NULL;
  GThread *threads[4];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("churn", churn, logging);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  g_assert_true (c2g_logging_allocator_check (C2G_LOGGING_ALLOCATOR (logging), NULL));
  lines = dup_lines (stream);
  g_assert_cmpstr (lines[0], ==, HEADER);
  replay (lines);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/logging-allocator/lines", test_lines);
  c2g_test_add_func ("/logging-allocator/names", test_names);
  c2g_test_add_func ("/logging-allocator/no-stream", test_no_stream);
  c2g_test_add_func ("/logging-allocator/twice", test_twice);
  c2g_test_add_func ("/logging-allocator/stream-fails", test_stream_fails);
  c2g_test_add_func ("/logging-allocator/stream-allocates", test_stream_allocates);
  c2g_test_add_func ("/logging-allocator/stream-allocates-elsewhere",
                     test_stream_allocates_elsewhere);
  c2g_test_add_func ("/logging-allocator/threads", test_threads);

  return c2g_test_run ();
}
