/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/formats-utils.h"

#include <c2g/io/numpy/c2g-numpy-private.h>
#include <c2g/io/numpy/c2g-zip-private.h>
#include <c2g/io/stream/c2g-sink-funcs-private.h>

#include <sys/mman.h>

static GBytes *
write_items (GPtrArray  *items,
             gboolean    compress,
             GError    **error)
{
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);

  return c2g_npz_write (items, compress, sink, NULL, error) && c2g_sink_commit (sink, NULL, error)
           ? c2g_sink_steal_bytes (sink)
           : NULL;
}

static GPtrArray *
make_items (void)
{
  static const char *const strings[] = { "one", NULL, "three" };
  GPtrArray *items = formats_new_items ();

  for (gsize i = 0; i < G_N_ELEMENTS (formats_numbers); i++)
    {
      const char *name = c2g_data_type_get_name (formats_numbers[i]);
      g_autofree char *empty = g_strdup_printf ("%s/empty.npy", name);
      g_autofree char *large = g_strdup_printf ("large %s", name);

      if (formats_numbers[i] == C2G_DATA_TYPE_BFLOAT16)
        continue;
      formats_add (items, name, formats_new_tensor (formats_numbers[i], C2G_TEST_DIMS (2, 35), 7));
      formats_add (items, empty, formats_new_tensor (formats_numbers[i], C2G_TEST_DIMS (2, 0), 7));
      formats_add (items, large, formats_new_tensor (formats_numbers[i], C2G_TEST_DIMS (70000), i));
    }
  formats_add (items, "ü€😀", formats_new_strings (strings, 3));
  return items;
}

static void
test_round_trip (void)
{
  g_autoptr (GPtrArray) items = make_items ();

  for (gboolean compress = FALSE; compress <= TRUE; compress++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = write_items (items, compress, &error);
      g_autoptr (GBytes) again = NULL;

      g_assert_no_error (error);
      formats_assert_reads (bytes, c2g_npz_read_entries, items);
      again = write_items (items, compress, &error);
      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (bytes, again));
    }
}

/* Writes to a stream that cannot seek. */
static void
test_stream (void)
{
  g_autoptr (GPtrArray) items = make_items ();
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream = g_buffered_output_stream_new (memory);
  g_autoptr (C2gSink) sink = c2g_sink_new_for_stream (stream);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) expected = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_npz_write (items, TRUE, sink, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_sink_commit (sink, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_output_stream_close (stream, NULL, &error));
  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
  expected = write_items (items, TRUE, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, expected));
}

static void
test_empty (void)
{
  g_autoptr (GPtrArray) items = formats_new_items ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = write_items (items, FALSE, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 22);
  formats_assert_reads (bytes, c2g_npz_read_entries, items);
}

/* A stored array is used directly in the file's memory. */
static void
test_view (void)
{
  g_autoptr (GPtrArray) items = make_items ();
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (C2gSource) source = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = write_items (items, FALSE, &error);
  const char *data = g_bytes_get_data (bytes, NULL);
  gsize n_bytes = g_bytes_get_size (bytes);

  g_assert_no_error (error);
  source = c2g_source_new_for_bytes (bytes, "bytes");
  entries = c2g_npz_read_entries (source, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < entries->len; i++)
    {
      g_autoptr (C2gTensor) tensor = NULL;
      const char *values;

      tensor = formats_load (entries, c2g_file_entry_get_name (entries->pdata[i]));
      g_assert_cmpuint (c2g_file_entry_get_offset (entries->pdata[i]) % 64, ==, 0);
      values = c2g_tensor_raw_data (tensor, NULL);
      if (values != NULL && c2g_tensor_get_data_type (tensor) != C2G_DATA_TYPE_STRING)
        g_assert_true (values > data && values < data + n_bytes);
    }
}

/* More members than a 16-bit number can count. */
static void
test_many (void)
{
  g_autoptr (GPtrArray) items = formats_new_items ();
  g_autoptr (C2gTensor) tensor = formats_new_tensor (C2G_DATA_TYPE_UINT8, NULL, 0, 1);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (C2gSource) source = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  if (c2g_test_skip_if_quick ())
    return;

  for (guint i = 0; i < 65537; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      formats_add (items, name, g_object_ref (tensor));
    }
  bytes = write_items (items, FALSE, &error);
  g_assert_no_error (error);
  source = c2g_source_new_for_bytes (bytes, "bytes");
  entries = c2g_npz_read_entries (source, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 65537);
  g_assert_cmpstr (c2g_file_entry_get_name (entries->pdata[65536]), ==, "65536");
}

/* A stream that keeps only the beginning and the end of its bytes. */
typedef struct
{
  C2gSink     parent;
  GByteArray *head;
  GByteArray *tail;
} EdgeSink;

#define EDGE 4096

static gboolean
edge_sink_write (C2gSink        *sink,
                 gconstpointer   data,
                 gsize           n_bytes,
                 GError        **error)
{
  EdgeSink *self = (EdgeSink *) sink;
  const guint8 *bytes = data;
  gsize n_head = MIN (n_bytes, EDGE - self->head->len);
  gsize n_tail = MIN (n_bytes, EDGE);

  g_byte_array_append (self->head, bytes, n_head);
  g_byte_array_append (self->tail, bytes + n_bytes - n_tail, n_tail);
  if (self->tail->len > EDGE)
    g_byte_array_remove_range (self->tail, 0, self->tail->len - EDGE);
  return TRUE;
}

static const C2gSinkFuncs edge_sink_funcs = { .write = edge_sink_write };

/* A member of more than 4 GiB, and another one after it. */
static void
test_large (void)
{
  const gsize n_bytes = (G_GUINT64_CONSTANT (4) << 30) + 64;
  g_autoptr (GPtrArray) items = NULL;
  g_autoptr (GByteArray) head = NULL;
  g_autoptr (GByteArray) tail = NULL;
  g_autoptr (GError) error = NULL;
  const guint8 *central, *end;
  C2gTensor *tensor;
  EdgeSink sink;
  gpointer zeros;

  if (!g_test_slow ())
    {
      g_test_skip ("slow: reads more than 4 GiB twice; use -m slow");
      return;
    }
  zeros = mmap (NULL, n_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (zeros == MAP_FAILED)
    {
      g_test_skip ("no room for 4 GiB of zeros");
      return;
    }

  tensor = c2g_tensor_new_sized (C2G_TEST_DIMS ((gint64) n_bytes), NULL, NULL);
  c2g_tensor_share_external (tensor, C2G_DATA_TYPE_UINT8, zeros, n_bytes, NULL, NULL, &error);
  g_assert_no_error (error);
  items = formats_new_items ();
  formats_add (items, "a", tensor);
  formats_add (items, "b", formats_new_tensor (C2G_DATA_TYPE_UINT8, NULL, 0, 1));
  head = g_byte_array_new ();
  tail = g_byte_array_new ();
  sink = (EdgeSink) { .head = head, .tail = tail };
  c2g_sink_init (&sink.parent, &edge_sink_funcs, FALSE);
  g_assert_true (c2g_npz_write (items, FALSE, &sink.parent, NULL, &error));
  g_assert_no_error (error);
  g_clear_pointer (&items, g_ptr_array_unref);
  munmap (zeros, n_bytes);

  g_assert_cmpuint (c2g_zip_get32 (head->data + 18), ==, G_MAXUINT32);
  g_assert_cmpuint (c2g_zip_get32 (head->data + 22), ==, G_MAXUINT32);
  g_assert_cmpuint (c2g_zip_get64 (head->data + 30 + 5 + 4), ==, n_bytes + 128);
  g_assert_cmpuint (c2g_zip_get64 (head->data + 30 + 5 + 12), ==, n_bytes + 128);

  end = tail->data + tail->len - C2G_ZIP_END_BYTES;
  g_assert_cmpuint (c2g_zip_get32 (end + 16), ==, G_MAXUINT32);
  end -= C2G_ZIP_LOCATOR_BYTES + C2G_ZIP_END64_BYTES;
  g_assert_cmpuint (c2g_zip_get32 (end), ==, C2G_ZIP_END64_MARK);
  g_assert_cmpuint (c2g_zip_get64 (end + 48), >, n_bytes);
  central = end - c2g_zip_get64 (end + 40);
  g_assert_cmpuint (c2g_zip_get32 (central), ==, C2G_ZIP_CENTRAL_MARK);
  g_assert_cmpuint (c2g_zip_get64 (central + 46 + 5 + 4), ==, n_bytes + 128);
  central += 46 + 5 + 4 + 16;
  g_assert_cmpuint (c2g_zip_get32 (central), ==, C2G_ZIP_CENTRAL_MARK);
  g_assert_cmpuint (c2g_zip_get64 (central + 46 + 5 + 4), >, n_bytes);
}

static void
test_damaged (void)
{
  static const char *const strings[] = { "one", "two" };
  g_autoptr (GPtrArray) items = formats_new_items ();

  formats_add (items, "one", formats_new_tensor (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 3), 1));
  formats_add (items, "two", formats_new_tensor (C2G_DATA_TYPE_BOOL, C2G_TEST_DIMS (5), 1));
  formats_add (items, "texts", formats_new_strings (strings, 2));
  for (gboolean compress = FALSE; compress <= TRUE; compress++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = write_items (items, compress, &error);

      g_assert_no_error (error);
      formats_assert_no_part (bytes, c2g_npz_read_entries);
      io_damage (bytes, formats_check_damaged, c2g_npz_read_entries);
    }
}

/* A change of any byte is detected, however the file is read. */
static void
test_checksum (void)
{
  g_autoptr (GPtrArray) items = formats_new_items ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gSource) source = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autofree guint8 *copy = NULL;
  g_autoptr (GBytes) changed = NULL;
  GFile *file;
  gsize n_bytes, offset;

  formats_add (items, "a", formats_new_tensor (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (1000), 3));
  bytes = write_items (items, FALSE, &error);
  g_assert_no_error (error);
  source = c2g_source_new_for_bytes (bytes, "bytes");
  entries = c2g_npz_read_entries (source, &error);
  g_assert_no_error (error);
  offset = c2g_file_entry_get_offset (entries->pdata[0]) + 128 + 999;
  n_bytes = g_bytes_get_size (bytes);
  copy = g_memdup2 (g_bytes_get_data (bytes, NULL), n_bytes);
  copy[offset] ^= 1;
  changed = g_bytes_new (copy, n_bytes);
  file = formats_new_file (changed);

  for (guint kind = 0; kind < 2; kind++)
    {
      g_autoptr (C2gSource) other = NULL;
      g_autoptr (GPtrArray) listed = NULL;

      other = kind == 0 ? c2g_source_new_for_bytes (changed, "bytes")
                        : c2g_source_new_for_file (file, NULL, &error);
      g_assert_no_error (error);
      listed = c2g_npz_read_entries (other, &error);
      g_assert_no_error (error);
      g_assert_null (c2g_file_entry_load (listed->pdata[0], NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_clear_error (&error);
    }
  formats_remove (file);
}

static gpointer
load_all (gpointer data)
{
  GPtrArray *entries = data;

  for (guint i = 0; i < entries->len; i++)
    {
      g_autoptr (C2gTensor) tensor = NULL;

      tensor = formats_load (entries, c2g_file_entry_get_name (entries->pdata[i]));
    }
  return NULL;
}

/* Reads the same entries in several threads at once. */
static void
test_threads (void)
{
  g_autoptr (GPtrArray) items = make_items ();

  for (gboolean compress = FALSE; compress <= TRUE; compress++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = write_items (items, compress, &error);
      GFile *file = formats_new_file (bytes);
      g_autoptr (C2gSource) source = c2g_source_new_for_file (file, NULL, &error);
      g_autoptr (GPtrArray) entries = NULL;
      GThread *threads[4];

      g_assert_no_error (error);
      entries = c2g_npz_read_entries (source, &error);
      g_assert_no_error (error);
      for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
        threads[i] = g_thread_new ("load", load_all, entries);
      for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
        g_thread_join (threads[i]);
      formats_remove (file);
    }
}

static void
test_refused (void)
{
  g_autoptr (GPtrArray) items = formats_new_items ();
  g_autoptr (C2gTensor) tensor = formats_new_tensor (C2G_DATA_TYPE_UINT8, NULL, 0, 1);
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);
  g_autofree char *long_name = g_strnfill (65536 - 4, 'x');
  const char *names[] = { "", "\xff", long_name };
  g_autoptr (GError) error = NULL;

  formats_add (items, "fine", g_object_ref (tensor));
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      C2gSaveItem *item = formats_add (items, names[i], g_object_ref (tensor));

      g_assert_false (c2g_npz_check (item, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
      g_assert_false (c2g_npz_write (items, FALSE, sink, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
      g_ptr_array_set_size (items, 1);
    }
  g_assert_cmpuint (c2g_sink_get_position (sink), ==, 0);

  formats_add (items, "fine", g_object_ref (tensor));
  g_assert_false (c2g_npz_write (items, FALSE, sink, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_EXISTS);
  g_clear_error (&error);
  g_ptr_array_set_size (items, 1);

  formats_add (items, "half", formats_new_tensor (C2G_DATA_TYPE_BFLOAT16, C2G_TEST_DIMS (2), 1));
  g_assert_false (c2g_npz_write (items, FALSE, sink, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "half"));
}

static void
test_job (void)
{
  g_autoptr (GPtrArray) items = make_items ();
  guint64 n_bytes = 0, n_job_bytes = 0;

  for (guint i = 0; i < items->len; i++)
    n_bytes += c2g_tensor_get_n_bytes (
      c2g_blob_get_tensor (((C2gSaveItem *) items->pdata[i])->blob, NULL));

  for (gboolean compress = FALSE; compress <= TRUE; compress++)
    {
      g_autoptr (C2gProgress) progress = c2g_progress_new ();
      g_autoptr (C2gProgress) loading = c2g_progress_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);
      g_autoptr (C2gSource) source = NULL;
      g_autoptr (GPtrArray) entries = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      C2gJob job = { cancellable, progress };

      g_assert_true (c2g_npz_write (items, compress, sink, &job, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==, n_bytes);

      bytes = c2g_sink_steal_bytes (sink);
      source = c2g_source_new_for_bytes (bytes, "bytes");
      entries = c2g_npz_read_entries (source, &error);
      g_assert_no_error (error);
      job.progress = loading;
      n_job_bytes = 0;
      for (guint i = 0; i < entries->len; i++)
        {
          C2gFileEntry *entry = entries->pdata[i];
          g_autoptr (C2gBlob) blob = c2g_file_entry_load (entry, &job, &error);

          g_assert_no_error (error);
          n_job_bytes += entry->n_job_bytes;
          g_assert_cmpuint (c2g_progress_get_n_bytes_done (loading), ==, n_job_bytes);
        }

      g_cancellable_cancel (cancellable);
      g_assert_null (c2g_file_entry_load (formats_find (entries, "float"), &job, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&error);
      g_assert_false (c2g_npz_write (items, compress, sink, &job, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/npz/round-trip", test_round_trip);
  c2g_test_add_func ("/npz/stream", test_stream);
  c2g_test_add_func ("/npz/empty", test_empty);
  c2g_test_add_func ("/npz/view", test_view);
  c2g_test_add_func ("/npz/many", test_many);
  c2g_test_add_func ("/npz/large", test_large);
  c2g_test_add_func ("/npz/damaged", test_damaged);
  c2g_test_add_func ("/npz/checksum", test_checksum);
  c2g_test_add_func ("/npz/threads", test_threads);
  c2g_test_add_func ("/npz/refused", test_refused);
  c2g_test_add_func ("/npz/job", test_job);

  return c2g_test_run ();
}
