/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/formats-utils.h"

#include <c2g/io/c2g-sink-funcs-private.h>
#include <c2g/io/c2g-zip-private.h>
#include <c2g/io/c2g-zip-reader-private.h>

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

/* Into what cannot go back. */
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

/* What is stored can be used as it lies there. */
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

/* Archives of others, record by record. */

typedef struct
{
  const char *name;
  guint16     flags;
  guint16     method;
  guint32     crc;
  guint64     n_packed;
  guint64     n_bytes;
  guint64     offset;
} Record;

static void
put_local (GByteArray   *file,
           const Record *record,
           const char   *extra,
           gsize         n_extra)
{
  c2g_zip_put (file, 4, C2G_ZIP_LOCAL_MARK);
  c2g_zip_put (file, 2, 20);
  c2g_zip_put (file, 2, record->flags);
  c2g_zip_put (file, 2, record->method);
  c2g_zip_put (file, 4, 0);
  c2g_zip_put (file, 4, record->crc);
  c2g_zip_put (file, 4, record->n_packed);
  c2g_zip_put (file, 4, record->n_bytes);
  c2g_zip_put (file, 2, strlen (record->name));
  c2g_zip_put (file, 2, n_extra);
  g_byte_array_append (file, (const guint8 *) record->name, strlen (record->name));
  g_byte_array_append (file, (const guint8 *) extra, n_extra);
}

static void
put_central (GByteArray   *file,
             const Record *record,
             const char   *extra,
             gsize         n_extra,
             const char   *comment)
{
  c2g_zip_put (file, 4, C2G_ZIP_CENTRAL_MARK);
  c2g_zip_put (file, 4, 20 | 20 << 16);
  c2g_zip_put (file, 2, record->flags);
  c2g_zip_put (file, 2, record->method);
  c2g_zip_put (file, 4, 0);
  c2g_zip_put (file, 4, record->crc);
  c2g_zip_put (file, 4, record->n_packed);
  c2g_zip_put (file, 4, record->n_bytes);
  c2g_zip_put (file, 2, strlen (record->name));
  c2g_zip_put (file, 2, n_extra);
  c2g_zip_put (file, 2, strlen (comment));
  c2g_zip_put (file, 4, 0);
  c2g_zip_put (file, 4, 0);
  c2g_zip_put (file, 4, record->offset);
  g_byte_array_append (file, (const guint8 *) record->name, strlen (record->name));
  g_byte_array_append (file, (const guint8 *) extra, n_extra);
  g_byte_array_append (file, (const guint8 *) comment, strlen (comment));
}

static void
put_end (GByteArray *file,
         guint       n_members,
         gsize       offset,
         const char *comment)
{
  gsize n_bytes = file->len - offset;

  c2g_zip_put (file, 4, C2G_ZIP_END_MARK);
  c2g_zip_put (file, 4, 0);
  c2g_zip_put (file, 2, n_members);
  c2g_zip_put (file, 2, n_members);
  c2g_zip_put (file, 4, n_bytes);
  c2g_zip_put (file, 4, offset);
  c2g_zip_put (file, 2, strlen (comment));
  g_byte_array_append (file, (const guint8 *) comment, strlen (comment));
}

#define HEADER "{'descr': '|u1', 'fortran_order': False, 'shape': (4,), }\n"

/* An array of four bytes. */
static GBytes *
make_array (void)
{
  GByteArray *array = g_byte_array_new ();

  g_byte_array_append (array, (const guint8 *) "\x93NUMPY\1\0", 8);
  c2g_zip_put (array, 2, strlen (HEADER));
  g_byte_array_append (array, (const guint8 *) HEADER, strlen (HEADER));
  g_byte_array_append (array, (const guint8 *) "\1\2\3\4", 4);
  return g_byte_array_free_to_bytes (array);
}

static guint32
crc_of (GBytes *bytes)
{
  return crc32_z (crc32_z (0, NULL, 0), g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
put_member (GByteArray *file,
            Record     *record,
            GBytes     *content)
{
  record->offset = file->len;
  record->crc = crc_of (content);
  record->n_packed = g_bytes_get_size (content);
  record->n_bytes = g_bytes_get_size (content);
  put_local (file, record, "", 0);
  g_byte_array_append (file, g_bytes_get_data (content, NULL), g_bytes_get_size (content));
}

/* What is no array is left out, unless there is nothing else. */
static void
test_others (void)
{
  Record records[] = { { "folder/" }, { "folder/a.npy" }, { "README" }, { "b.npy" } };
  g_autoptr (GBytes) array = make_array ();
  g_autoptr (GBytes) text = g_bytes_new_static ("text", 4);
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);
  GBytes *contents[] = { nothing, array, text, array };
  static const guint n_arrays[] = { 0, 1, 1, 2, 2 };

  for (gsize n = 0; n <= G_N_ELEMENTS (records); n++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (C2gSource) source = NULL;
      g_autoptr (GPtrArray) entries = NULL;
      g_autoptr (GError) error = NULL;
      gsize offset;

      /* The last ones. */
      for (gsize i = G_N_ELEMENTS (records) - n; i < G_N_ELEMENTS (records); i++)
        put_member (file, &records[i], contents[i]);
      offset = file->len;
      for (gsize i = G_N_ELEMENTS (records) - n; i < G_N_ELEMENTS (records); i++)
        put_central (file, &records[i], "", 0, i == 1 ? "a comment" : "");
      put_end (file, n, offset, "PK\5\6 is how the end begins");
      bytes = g_byte_array_free_to_bytes (g_steal_pointer (&file));
      source = c2g_source_new_for_bytes (bytes, "bytes");
      entries = c2g_npz_read_entries (source, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (entries->len, ==, n_arrays[n]);
      if (n >= 3)
        {
          g_autoptr (C2gTensor) tensor = formats_load (entries, "folder/a");

          g_assert_cmpint (c2g_tensor_get_int64 (tensor, 3, NULL), ==, 4);
        }
    }
}

static void
test_no_array (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GBytes) text = g_bytes_new_static ("text", 4);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  Record record = { "archive/data.pkl" };
  gsize offset;

  put_member (file, &record, text);
  offset = file->len;
  put_central (file, &record, "", 0, "");
  put_end (file, 1, offset, "");
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&file));
  g_assert_false (formats_try (bytes, c2g_npz_read_entries, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
}

/* Numbers that are elsewhere, though they would fit: as numpy writes local headers, and
 * as others may write the rest. */
static void
test_zip64 (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GByteArray) extra = g_byte_array_new ();
  g_autoptr (GBytes) array = make_array ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gSource) source = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;
  gsize n = g_bytes_get_size (array), offset, end;
  Record record = { "a.npy", .crc = crc_of (array), .n_packed = G_MAXUINT32,
                    .n_bytes = G_MAXUINT32, .offset = G_MAXUINT32 };

  /* Another field comes before it. */
  g_byte_array_append (extra, (const guint8 *) "\x75\x70\2\0xx\1\0\x18\0", 10);
  c2g_zip_put (extra, 8, n);
  c2g_zip_put (extra, 8, n);
  c2g_zip_put (extra, 8, 3);
  g_byte_array_append (file, (const guint8 *) "xxx", 3);
  put_local (file, &record, (const char *) extra->data, extra->len);
  g_byte_array_append (file, g_bytes_get_data (array, NULL), n);
  offset = file->len;
  put_central (file, &record, (const char *) extra->data, extra->len, "");
  end = file->len;
  c2g_zip_put (file, 4, C2G_ZIP_END64_MARK);
  c2g_zip_put (file, 8, 44);
  c2g_zip_put (file, 4, 45 | 45 << 16);
  c2g_zip_put (file, 8, 0);
  c2g_zip_put (file, 8, 1);
  c2g_zip_put (file, 8, 1);
  c2g_zip_put (file, 8, end - offset);
  c2g_zip_put (file, 8, offset);
  c2g_zip_put (file, 4, C2G_ZIP_LOCATOR_MARK);
  c2g_zip_put (file, 4, 0);
  c2g_zip_put (file, 8, end);
  c2g_zip_put (file, 4, 1);
  g_byte_array_append (file, (const guint8 *) "PK\5\6\0\0\0\0\xff\xff\xff\xff", 12);
  g_byte_array_append (file, (const guint8 *) "\xff\xff\xff\xff\xff\xff\xff\xff\0\0", 10);

  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&file));
  source = c2g_source_new_for_bytes (bytes, "bytes");
  entries = c2g_npz_read_entries (source, &error);
  g_assert_no_error (error);
  tensor = formats_load (entries, "a");
  g_assert_cmpint (c2g_tensor_get_int64 (tensor, 3, NULL), ==, 4);
  io_damage (bytes, formats_check_damaged, c2g_npz_read_entries);
}

/* More members than 16 bits can count. */
static void
test_many (void)
{
  g_autoptr (GPtrArray) items = formats_new_items ();
  g_autoptr (C2gTensor) tensor = formats_new_tensor (C2G_DATA_TYPE_UINT8, NULL, 0, 1);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (C2gSource) source = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

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

/* Keeps the beginning and the end of what is written. */
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

/* A member of more than 4 GiB, and another behind it. */
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

/* One member, about which something is not true. */
static void
test_lies (void)
{
  g_autoptr (GBytes) array = make_array ();
  const gsize n = g_bytes_get_size (array);
  const guint32 crc = crc_of (array);
  const Record bomb = { "a.npy", 0, 8, crc, n, 0xfffffffe };
  const Record no_deflate = { "a.npy", 0, 8, crc, n, n };
  const Record other_name = { "abc.npy", 0, 0, crc, n, n };
  const Record unsaid = { "a.npy", 8, 0, 0, 0, 0 };
  const struct
  {
    const char   *what;
    Record        record;
    guint         n_members;
    int           code;
    /* The local header, where that is another. */
    const Record *local;
  } cases[] = {
    { "checksum", { "a.npy", 0, 0, crc + 1, n, n, 0 }, 1, C2G_ERROR_CORRUPT },
    { "packed size", { "a.npy", 0, 0, crc, n - 1, n, 0 }, 1, C2G_ERROR_CORRUPT },
    { "size", { "a.npy", 0, 0, crc, n, n + 1, 0 }, 1, C2G_ERROR_CORRUPT },
    { "both sizes", { "a.npy", 0, 0, crc, n - 1, n - 1, 0 }, 1, C2G_ERROR_CORRUPT },
    { "both sizes, more", { "a.npy", 0, 0, crc, n + 1, n + 1, 0 }, 1, C2G_ERROR_CORRUPT },
    { "much too large", { "a.npy", 0, 0, crc, 0xfffffffe, 0xfffffffe, 0 }, 1, C2G_ERROR_CORRUPT },
    { "nothing", { "a.npy", 0, 0, 0, 0, 0, 0 }, 1, C2G_ERROR_CORRUPT },
    { "offset", { "a.npy", 0, 0, crc, n, n, 1 }, 1, C2G_ERROR_CORRUPT },
    { "far offset", { "a.npy", 0, 0, crc, n, n, 0xfffffffe }, 1, C2G_ERROR_CORRUPT },
    { "no large offset", { "a.npy", 0, 0, crc, n, n, G_MAXUINT32 }, 1, C2G_ERROR_CORRUPT },
    { "too many", { "a.npy", 0, 0, crc, n, n, 0 }, 2, C2G_ERROR_CORRUPT },
    { "too few", { "a.npy", 0, 0, crc, n, n, 0 }, 0, C2G_ERROR_CORRUPT },
    { "encrypted", { "a.npy", 1, 0, crc, n, n, 0 }, 1, C2G_ERROR_NOT_SUPPORTED },
    { "strong", { "a.npy", 1 << 6, 0, crc, n, n, 0 }, 1, C2G_ERROR_NOT_SUPPORTED },
    { "masked", { "a.npy", 1 << 13, 0, crc, n, n, 0 }, 1, C2G_ERROR_NOT_SUPPORTED },
    { "method", { "a.npy", 0, 12, crc, n, n, 0 }, 1, C2G_ERROR_NOT_SUPPORTED },
    { "deflated", { "a.npy", 0, 8, crc, n, n, 0 }, 1, C2G_ERROR_CORRUPT },
    { "bomb", { "a.npy", 0, 8, crc, n, 0xfffffffe, 0 }, 1, C2G_ERROR_CORRUPT, &bomb },
    { "no deflate", { "a.npy", 0, 8, crc, n, n, 0 }, 1, C2G_ERROR_CORRUPT, &no_deflate },
    { "no name", { "", 0, 0, crc, n, n, 0 }, 1, C2G_ERROR_CORRUPT },
    { "bare suffix", { ".npy", 0, 0, crc, n, n, 0 }, 1, C2G_ERROR_CORRUPT },
    { "other name", { "a.npy", 0, 0, crc, n, n, 0 }, 1, C2G_ERROR_CORRUPT, &other_name },
    /* The local header may leave it to the directory. */
    { NULL, { "a.npy", 8, 0, crc, n, n, 0 }, 1, 0, &unsaid },
    { NULL, { "a.npy", 0, 0, crc, n, n, 0 }, 1, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Record *local = cases[i].local != NULL ? cases[i].local : &cases[i].record;
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      gsize offset;

      g_test_message ("%s", cases[i].what != NULL ? cases[i].what : "fine");
      put_local (file, local, "", 0);
      g_byte_array_append (file, g_bytes_get_data (array, NULL), n);
      offset = file->len;
      put_central (file, &cases[i].record, "", 0, "");
      put_end (file, cases[i].n_members, offset, "");
      bytes = g_byte_array_free_to_bytes (g_steal_pointer (&file));
      if (cases[i].what == NULL)
        {
          formats_try (bytes, c2g_npz_read_entries, &error);
          g_assert_no_error (error);
        }
      else
        {
          g_assert_false (formats_try (bytes, c2g_npz_read_entries, &error));
          g_assert_error (error, C2G_ERROR, cases[i].code);
        }
    }
}

/* Two members of one name, or in one place. */
static void
test_twice (void)
{
  static const struct
  {
    const char *second;
    gsize       n_back;
  } cases[] = {
    { "a.npy", 0 },
    { "b.npy", 1000 },
    { "b.npy", 40 },
  };
  g_autoptr (GBytes) array = make_array ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      Record first = { "a.npy" }, second = { cases[i].second };
      gsize offset;

      put_member (file, &first, array);
      put_member (file, &second, array);
      second.offset -= MIN (cases[i].n_back, second.offset);
      offset = file->len;
      put_central (file, &first, "", 0, "");
      put_central (file, &second, "", 0, "");
      put_end (file, 2, offset, "");
      bytes = g_byte_array_free_to_bytes (g_steal_pointer (&file));
      g_assert_false (formats_try (bytes, c2g_npz_read_entries, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

/* Deflated bytes that are more, fewer, or go on behind their end. */
static void
test_deflated (void)
{
  g_autoptr (GBytes) array = make_array ();
  const guint8 *data = g_bytes_get_data (array, NULL);
  gsize n = g_bytes_get_size (array);
  /* Stored by deflate, the last of its blocks or not. */
  const struct
  {
    guint8   is_last;
    int      n_more;
    gsize    n_behind;
    gboolean loads;
  } cases[] = {
    { 1, 0, 0, TRUE },
    { 1, 1, 0, FALSE },
    { 1, -1, 0, FALSE },
    { 1, 0, 1, FALSE },
    { 0, 0, 0, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) packed = g_byte_array_new ();
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      gsize n_in = n + cases[i].n_more;
      Record record = { "a.npy", 0, C2G_ZIP_DEFLATED, crc_of (array), 0, n, 0 };
      gsize offset;

      c2g_zip_put (packed, 1, cases[i].is_last);
      c2g_zip_put (packed, 2, n_in);
      c2g_zip_put (packed, 2, ~n_in);
      g_byte_array_append (packed, data, MIN (n_in, n));
      if (n_in > n)
        c2g_zip_put (packed, n_in - n, 0);
      for (gsize j = 0; j < cases[i].n_behind; j++)
        c2g_zip_put (packed, 1, 0);

      record.n_packed = packed->len;
      put_local (file, &record, "", 0);
      g_byte_array_append (file, packed->data, packed->len);
      offset = file->len;
      put_central (file, &record, "", 0, "");
      put_end (file, 1, offset, "");
      bytes = g_byte_array_free_to_bytes (g_steal_pointer (&file));
      g_assert_cmpint (formats_try (bytes, c2g_npz_read_entries, &error), ==, cases[i].loads);
      if (!cases[i].loads)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

/* A file that is all ends is looked at once. */
static void
test_ends (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  Record record = { "a.npy" };

  for (guint i = 0; i < 65535; i++)
    put_central (file, &record, "", 0, "");
  for (guint i = 0; i < 4000; i++)
    put_end (file, 65535, 0, "");
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&file));
  g_assert_false (formats_try (bytes, c2g_npz_read_entries, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
}

static void
test_spread (void)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  bytes = g_bytes_new_static ("PK\5\6\1\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22);
  g_assert_false (formats_try (bytes, c2g_npz_read_entries, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
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

/* Any byte of the values that changes is seen, from wherever they come. */
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
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_clear_error (&error);
      g_assert_false (c2g_npz_write (items, FALSE, sink, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
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
  c2g_test_add_func ("/npz/others", test_others);
  c2g_test_add_func ("/npz/no-array", test_no_array);
  c2g_test_add_func ("/npz/zip64", test_zip64);
  c2g_test_add_func ("/npz/many", test_many);
  c2g_test_add_func ("/npz/large", test_large);
  c2g_test_add_func ("/npz/lies", test_lies);
  c2g_test_add_func ("/npz/twice", test_twice);
  c2g_test_add_func ("/npz/deflated", test_deflated);
  c2g_test_add_func ("/npz/ends", test_ends);
  c2g_test_add_func ("/npz/spread", test_spread);
  c2g_test_add_func ("/npz/damaged", test_damaged);
  c2g_test_add_func ("/npz/checksum", test_checksum);
  c2g_test_add_func ("/npz/refused", test_refused);
  c2g_test_add_func ("/npz/job", test_job);

  return c2g_test_run ();
}
