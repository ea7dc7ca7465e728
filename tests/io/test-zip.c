/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/formats-utils.h"

#include <c2g/io/numpy/c2g-numpy-private.h>
#include <c2g/io/numpy/c2g-zip-private.h>

#include <zlib.h>

/* Archives of arrays, made record by record: as others write them, and invalid ones. */

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

/* Makes an array of four bytes. */
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

/* Members that are not arrays are skipped, unless there are no others. */
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

      /* The last n records. */
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

/* 64-bit numbers in ZIP64 fields although they would fit into 32 bits: as numpy writes local
 * headers, and as others may write the rest. */
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

  /* Another extra field comes before. */
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

static GBytes *
make_lie (const Record *local,
          const Record *record,
          GBytes       *content,
          guint         n_members)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  gsize offset;

  put_local (file, local, "", 0);
  g_byte_array_append (file, g_bytes_get_data (content, NULL), g_bytes_get_size (content));
  offset = file->len;
  put_central (file, record, "", 0, "");
  put_end (file, n_members, offset, "");
  return g_byte_array_free_to_bytes (g_steal_pointer (&file));
}

/* One member with a false value. */
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
    /* The local header, if it differs. */
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
    /* The local header may leave the values to the directory. */
    { NULL, { "a.npy", 8, 0, crc, n, n, 0 }, 1, 0, &unsaid },
    { NULL, { "a.npy", 0, 0, crc, n, n, 0 }, 1, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Record *local = cases[i].local != NULL ? cases[i].local : &cases[i].record;
      g_autoptr (GBytes) bytes = make_lie (local, &cases[i].record, array, cases[i].n_members);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].what != NULL ? cases[i].what : "fine");
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

/* Two members with the same name or the same offset. */
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

/* Deflated data that are too long, too short, or continue after their end. */
static void
test_deflated (void)
{
  g_autoptr (GBytes) array = make_array ();
  const guint8 *data = g_bytes_get_data (array, NULL);
  gsize n = g_bytes_get_size (array);
  /* Stored blocks of deflate, the last one or not. */
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

/* A file with many end marks is searched only once. */
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

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/zip/others", test_others);
  c2g_test_add_func ("/zip/no-array", test_no_array);
  c2g_test_add_func ("/zip/zip64", test_zip64);
  c2g_test_add_func ("/zip/lies", test_lies);
  c2g_test_add_func ("/zip/twice", test_twice);
  c2g_test_add_func ("/zip/deflated", test_deflated);
  c2g_test_add_func ("/zip/ends", test_ends);
  c2g_test_add_func ("/zip/spread", test_spread);

  return c2g_test_run ();
}
