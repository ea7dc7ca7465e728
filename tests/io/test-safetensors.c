/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/formats-utils.h"

#include <c2g/io/safetensors/c2g-safetensors-private.h>

/* Makes a file from a header and n_bytes bytes that count up. */
static GBytes *
make_file (const char *header,
           gsize       n_values)
{
  GByteArray *file = g_byte_array_new ();
  guint64 length = GUINT64_TO_LE (strlen (header));

  g_byte_array_append (file, (const guint8 *) &length, sizeof length);
  g_byte_array_append (file, (const guint8 *) header, strlen (header));
  for (gsize i = 0; i < n_values; i++)
    {
      guint8 value = (guint8) i;

      g_byte_array_append (file, &value, 1);
    }
  return g_byte_array_free_to_bytes (file);
}

static GPtrArray *
read_entries (C2gSource  *source,
              GError    **error)
{
  return c2g_safetensors_read_entries (source, NULL, error);
}

static GBytes *
write_items (GPtrArray   *items,
             GHashTable  *metadata,
             GError     **error)
{
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);

  return c2g_safetensors_write (items, metadata, sink, NULL, error) &&
             c2g_sink_commit (sink, NULL, error)
           ? c2g_sink_steal_bytes (sink)
           : NULL;
}

static GPtrArray *
make_items (void)
{
  GPtrArray *items = formats_new_items ();

  for (gsize i = 0; i < G_N_ELEMENTS (formats_numbers); i++)
    {
      const char *name = c2g_data_type_get_name (formats_numbers[i]);
      g_autofree char *empty = g_strdup_printf ("%s empty", name);
      g_autofree char *scalar = g_strdup_printf ("%s/scalar", name);

      formats_add (items, name, formats_new_tensor (formats_numbers[i], C2G_TEST_DIMS (2, 35), 7));
      formats_add (items, empty, formats_new_tensor (formats_numbers[i], C2G_TEST_DIMS (2, 0), 7));
      formats_add (items, scalar, formats_new_tensor (formats_numbers[i], NULL, 0, 7));
    }
  formats_add (items, "a \"quoted\" \\ name,\n\x01 and ü€😀",
               formats_new_tensor (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (32), 3));
  return items;
}

static void
test_round_trip (void)
{
  g_autoptr (GPtrArray) items = make_items ();
  g_autoptr (GPtrArray) reversed = formats_new_items ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = write_items (items, NULL, &error);
  g_autoptr (GBytes) again = NULL;

  g_assert_no_error (error);
  formats_assert_reads (bytes, read_entries, items);

  /* The order of the blobs does not matter. */
  for (guint i = items->len; i-- > 0;)
    {
      C2gSaveItem *item = items->pdata[i];

      formats_add_blob (reversed, item->name, g_object_ref (item->blob));
    }
  again = write_items (reversed, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, again));
}

static void
test_alignment (void)
{
  static const gint64 counts[] = { 1, 3, 16, 5, 64, 0, 17, 160, 2, 32 };
  g_autoptr (GPtrArray) items = formats_new_items ();
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (C2gSource) source = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  const guint8 *data;

  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (formats_numbers); j++)
      {
        g_autofree char *name = g_strdup_printf ("%zu %zu", i, j);

        formats_add (items, name, formats_new_tensor (formats_numbers[j], &counts[i], 1, 1));
      }

  bytes = write_items (items, NULL, &error);
  g_assert_no_error (error);
  data = g_bytes_get_data (bytes, NULL);
  g_assert_cmpuint ((guintptr) data % 16, ==, 0);
  g_assert_cmpuint ((8 + *(const guint64 *) data) % 64, ==, 0);

  source = c2g_source_new_for_bytes (bytes, "bytes");
  entries = read_entries (source, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < entries->len; i++)
    {
      C2gFileEntry *entry = entries->pdata[i];
      guint64 n_bytes = c2g_file_entry_get_n_bytes (entry);
      guint64 offset = c2g_file_entry_get_offset (entry);
      g_autoptr (C2gTensor) tensor = formats_load (entries, c2g_file_entry_get_name (entry));

      g_assert_cmpuint (offset % c2g_tensor_get_item_size (tensor), ==, 0);
      if (n_bytes % 64 == 0)
        g_assert_cmpuint (offset % 64, ==, 0);
      /* The tensor is at its place in the file's memory. */
      if (n_bytes > 0)
        g_assert_true (c2g_tensor_raw_data (tensor, NULL) == data + offset);
    }
}

static void
test_by_hand (void)
{
  static const char header[] =
    "{ \"b\" : {\"shape\":[ ], \"dtype\" : \"I16\", \"data_offsets\":[24,26]},\t"
    "\"__metadata__\": {\"k\\u00e9y\": \"\\ud83d\\ude00\\n\\/\", \"\": \"\"},\r"
    "\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
    "\"\\u0063\\\"\":{\"dtype\":\"F64\",\"shape\":[4,0],\"data_offsets\":[24,24]}}   ";
  g_autoptr (GHashTable) metadata = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GBytes) bytes = make_file (header, 26);
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "bytes");
  g_autoptr (C2gTensor) a = NULL;
  g_autoptr (C2gTensor) b = NULL;
  g_autoptr (C2gTensor) c = NULL;
  g_autoptr (GError) error = NULL;

  entries = c2g_safetensors_read_entries (source, &metadata, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 3);
  a = formats_load (entries, "a");
  b = formats_load (entries, "b");
  c = formats_load (entries, "c\"");
  g_assert_cmpint (c2g_tensor_get_n_dims (a), ==, 2);
  g_assert_cmpint (((const guint8 *) c2g_tensor_raw_data (a, NULL))[23], ==, 23);
  g_assert_cmpint (c2g_tensor_get_n_dims (b), ==, 0);
  g_assert_cmpint (c2g_tensor_get_int64 (b, 0, NULL), ==, 0x1918);
  g_assert_cmpint (c2g_tensor_get_n_elements (c), ==, 0);
  g_assert_cmpint (c2g_tensor_get_data_type (c), ==, C2G_DATA_TYPE_DOUBLE);
  g_assert_cmpuint (g_hash_table_size (metadata), ==, 2);
  g_assert_cmpstr (g_hash_table_lookup (metadata, "kéy"), ==, "😀\n/");
  g_assert_cmpstr (g_hash_table_lookup (metadata, ""), ==, "");
}

static void
test_metadata (void)
{
  g_autoptr (GHashTable) metadata = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) found = NULL;
  g_autoptr (GPtrArray) items = formats_new_items ();
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (C2gSource) source = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) again = NULL;
  g_autoptr (GError) error = NULL;

  g_hash_table_insert (metadata, (char *) "format", (char *) "pt");
  g_hash_table_insert (metadata, (char *) "\"", (char *) "a\tb\\");
  g_hash_table_insert (metadata, (char *) "ключ", (char *) "");
  bytes = write_items (items, metadata, &error);
  g_assert_no_error (error);
  source = c2g_source_new_for_bytes (bytes, "bytes");
  entries = c2g_safetensors_read_entries (source, &found, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 0);
  g_assert_cmpuint (g_hash_table_size (found), ==, 3);
  g_assert_cmpstr (g_hash_table_lookup (found, "format"), ==, "pt");
  g_assert_cmpstr (g_hash_table_lookup (found, "\""), ==, "a\tb\\");
  g_assert_cmpstr (g_hash_table_lookup (found, "ключ"), ==, "");

  again = write_items (items, found, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, again));

  g_hash_table_insert (metadata, (char *) "bad", (char *) "\xff");
  g_assert_null (write_items (items, metadata, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
}

/* Unaligned values, and bools other than 0 and 1, are copied. */
static void
test_copies (void)
{
  static const char header[] =
    "{\"bools\":{\"dtype\":\"BOOL\",\"shape\":[3],\"data_offsets\":[0,3]},"
    "\"more\":{\"dtype\":\"BOOL\",\"shape\":[2],\"data_offsets\":[3,5]},"
    "\"floats\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[5,13]}}";
  static const guint8 settled[] = { 0, 1, 1, 1, 1 };
  g_autoptr (GBytes) bytes = make_file (header, 13);
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "bytes");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = read_entries (source, &error);
  const guint8 *data = (const guint8 *) g_bytes_get_data (bytes, NULL) + 8 + strlen (header);
  g_autoptr (C2gTensor) bools = NULL;
  g_autoptr (C2gTensor) more = NULL;
  g_autoptr (C2gTensor) floats = NULL;

  g_assert_no_error (error);
  bools = formats_load (entries, "bools");
  more = formats_load (entries, "more");
  floats = formats_load (entries, "floats");
  g_assert_cmpmem (c2g_tensor_raw_data (bools, NULL), 3, settled, 3);
  g_assert_cmpmem (c2g_tensor_raw_data (more, NULL), 2, settled + 3, 2);
  g_assert_cmpmem (c2g_tensor_raw_data (floats, NULL), 8, data + 5, 8);
  g_assert_cmpuint (c2g_tensor_get_address (floats) % 4, ==, 0);
  g_assert_cmpuint (data[2], ==, 2);
}

/* A view is never written: the tensor moves to a copy. */
static void
test_view (void)
{
  static const char header[] = "{\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]}}";
  g_autoptr (GBytes) bytes = make_file (header, 8);
  GFile *file = formats_new_file (bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gSource) source = c2g_source_new_mapped (file, NULL, &error);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  const guint8 *data = c2g_source_peek (source);

  g_assert_no_error (error);
  entries = read_entries (source, &error);
  g_assert_no_error (error);
  tensor = formats_load (entries, "a");
  g_assert_true (c2g_tensor_raw_data (tensor, NULL) == data + 8 + strlen (header));
  g_assert_true (c2g_storage_is_read_only (c2g_tensor_get_storage (tensor)));

  /* The tensor outlives the file and its entries. */
  g_clear_pointer (&entries, g_ptr_array_unref);
  g_clear_pointer (&source, c2g_source_unref);
  formats_remove (file);
  g_assert_cmpint (c2g_tensor_get_int64 (tensor, 7, NULL), ==, 7);
  g_assert_true (c2g_tensor_set_int64 (tensor, 0, 9, &error));
  g_assert_no_error (error);
  g_assert_false (c2g_storage_is_read_only (c2g_tensor_get_storage (tensor)));
  g_assert_cmpint (c2g_tensor_get_int64 (tensor, 7, NULL), ==, 7);
}

/* Unsupported types do not affect other tensors of the file. */
static void
test_foreign_types (void)
{
  static const char header[] =
    "{\"f8\":{\"dtype\":\"F8_E4M3\",\"shape\":[4],\"data_offsets\":[0,4]},"
    "\"f4\":{\"dtype\":\"F4\",\"shape\":[3,2],\"data_offsets\":[4,7]},"
    "\"new\":{\"dtype\":\"X99\",\"shape\":[2,2],\"data_offsets\":[7,8]},"
    "\"u8\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[8,10]}}";
  static const char *const foreign[] = { "f8", "f4", "new" };
  g_autoptr (GBytes) bytes = make_file (header, 10);
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "bytes");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = read_entries (source, &error);
  g_autoptr (C2gTensor) tensor = NULL;
  gsize n_dims;

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (foreign); i++)
    {
      C2gFileEntry *entry = formats_find (entries, foreign[i]);

      g_assert_cmpint (c2g_file_entry_get_data_type (entry), ==, C2G_DATA_TYPE_UNDEFINED);
      g_assert_null (c2g_file_entry_load (entry, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_assert_nonnull (strstr (error->message, foreign[i]));
      g_clear_error (&error);
    }
  g_assert_cmpint (c2g_file_entry_get_dims (formats_find (entries, "f4"), &n_dims)[0], ==, 3);
  g_assert_cmpuint (c2g_file_entry_get_n_bytes (formats_find (entries, "f4")), ==, 3);
  tensor = formats_load (entries, "u8");
  g_assert_cmpint (c2g_tensor_get_int64 (tensor, 1, NULL), ==, 9);
}

#define A(members) "{\"a\":{" members "}}"

static const struct
{
  const char *header;
  gsize       n_values;
  int         code;
} broken[] = {
  { "", 0, C2G_ERROR_CORRUPT },
  { " {}", 0, C2G_ERROR_CORRUPT },
  { "[]", 0, C2G_ERROR_CORRUPT },
  { "{", 0, C2G_ERROR_CORRUPT },
  { "{}x", 0, C2G_ERROR_CORRUPT },
  { "{},", 0, C2G_ERROR_CORRUPT },
  { "{}", 1, C2G_ERROR_CORRUPT },
  { "{\"\xff\":{}}", 0, C2G_ERROR_CORRUPT },
  { "{\"a\":{}}", 0, C2G_ERROR_CORRUPT },
  { "{\"a\":1}", 0, C2G_ERROR_CORRUPT },
  { "{\"a\"}", 0, C2G_ERROR_CORRUPT },
  { "{a:{}}", 0, C2G_ERROR_CORRUPT },
  { "{'a':{}}", 0, C2G_ERROR_CORRUPT },
  { "{\"a\n\":{}}", 0, C2G_ERROR_CORRUPT },
  { "{\"a", 0, C2G_ERROR_CORRUPT },
  { "{\"\\ud800\":{}}", 0, C2G_ERROR_CORRUPT },
  { "{\"\\udc00\":{}}", 0, C2G_ERROR_CORRUPT },
  { "{\"\\ud800\\u0041\":{}}", 0, C2G_ERROR_CORRUPT },
  { "{\"\\u00\":{}}", 0, C2G_ERROR_CORRUPT },
  { "{\"\\x\":{}}", 0, C2G_ERROR_CORRUPT },
  { "{\"\\", 0, C2G_ERROR_CORRUPT },
  /* Names. */
  { "{\"\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", 0, C2G_ERROR_CORRUPT },
  { "{\"a\\u0000\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", 0,
    C2G_ERROR_CORRUPT },
  { "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
    "\"\\u0061\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
    2, C2G_ERROR_CORRUPT },
  /* The header of a tensor, and the error that it gives. */
  { A ("\"dtype\":\"U8\",\"shape\":[1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"data_offsets\":[0,1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"shape\":[1],\"data_offsets\":[0,1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]"), 1,
    C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],\"shape\":[1],\"data_offsets\":[0,1]"), 1,
    C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"data_offsets\":[0,1]"), 1,
    C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"more\":0"), 1,
    C2G_ERROR_CORRUPT },
  { A ("\"dtype\":8,\"shape\":[1],\"data_offsets\":[0,1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":1,\"data_offsets\":[0,1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[[1]],\"data_offsets\":[0,1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1,],\"data_offsets\":[0,1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[-1],\"data_offsets\":[0,1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1.0],\"data_offsets\":[0,1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1e0],\"data_offsets\":[0,1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[01],\"data_offsets\":[0,1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1,2]"), 1, C2G_ERROR_CORRUPT },
  /* Sizes. */
  { A ("\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,1]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,2]"), 2, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,0]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]"), 2, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]"), 0, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]"), 2, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"X\",\"shape\":[1],\"data_offsets\":[1,0]"), 1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[9223372036854775807],\"data_offsets\":[0,1]"), 1,
    C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[9223372036854775808],\"data_offsets\":[0,1]"), 1,
    C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"U8\",\"shape\":[1],"
       "\"data_offsets\":[9223372036854775806,9223372036854775807]"),
    1, C2G_ERROR_CORRUPT },
  { A ("\"dtype\":\"F64\",\"shape\":[9223372036854775807],\"data_offsets\":[0,1]"), 1,
    C2G_ERROR_RANGE },
  { A ("\"dtype\":\"U8\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]"), 0,
    C2G_ERROR_RANGE },
  { A ("\"dtype\":\"C64\",\"shape\":[4294967296,1073741824],\"data_offsets\":[0,0]"), 0,
    C2G_ERROR_RANGE },
  /* Places. */
  { "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
    "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}",
    3, C2G_ERROR_CORRUPT },
  { "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
    "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}",
    1, C2G_ERROR_CORRUPT },
  { "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
    "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[2,3]}}",
    3, C2G_ERROR_CORRUPT },
  { "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
    "\"b\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[1,1]}}",
    2, C2G_ERROR_CORRUPT },
  /* Metadata. */
  { "{\"__metadata__\":{\"a\":1}}", 0, C2G_ERROR_CORRUPT },
  { "{\"__metadata__\":{\"a\":{}}}", 0, C2G_ERROR_CORRUPT },
  { "{\"__metadata__\":[]}", 0, C2G_ERROR_CORRUPT },
  { "{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", 0, C2G_ERROR_CORRUPT },
  { "{\"__metadata__\":{},\"__metadata__\":{}}", 0, C2G_ERROR_CORRUPT },
};

static void
test_broken (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr (GBytes) bytes = make_file (broken[i].header, broken[i].n_values);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = g_strescape (broken[i].header, NULL);

      g_test_message ("%s", text);
      g_assert_false (formats_try (bytes, read_entries, &error));
      g_assert_error (error, C2G_ERROR, broken[i].code);
    }
}

/* Headers that would take too much time, stack or memory. */
static void
test_bombs (void)
{
  static const char *const openings[] = {
    "[",
    "{\"a\":",
    "{\"a\":{\"shape\":[",
    "{\"a\":{\"b\":[",
  };
  static const guint8 lengths[][8] = {
    { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
    { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f },
    { 0x01, 0xe1, 0xf5, 0x05, 0, 0, 0, 0 },
    { 3, 0, 0, 0, 0, 0, 0, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (openings); i++)
    {
      g_autoptr (GString) header = g_string_new (openings[i]);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;

      while (header->len < 1 << 20)
        g_string_append (header, openings[i]);
      bytes = make_file (header->str, 0);
      g_assert_false (formats_try (bytes, read_entries, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;

      g_byte_array_append (file, lengths[i], 8);
      g_byte_array_append (file, (const guint8 *) "{}", 2);
      bytes = g_byte_array_free_to_bytes (g_steal_pointer (&file));
      g_assert_false (formats_try (bytes, read_entries, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

static void
test_many_dims (void)
{
  g_autoptr (GString) header = g_string_new ("{\"a\":{\"dtype\":\"U8\",\"shape\":[1");
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 70000; i++)
    g_string_append (header, ",1");
  g_string_append (header, "],\"data_offsets\":[0,1]}}");
  bytes = make_file (header->str, 1);
  g_assert_false (formats_try (bytes, read_entries, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
}

static void
test_damaged (void)
{
  g_autoptr (GPtrArray) items = formats_new_items ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  formats_add (items, "one", formats_new_tensor (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 3), 1));
  formats_add (items, "two", formats_new_tensor (C2G_DATA_TYPE_BOOL, C2G_TEST_DIMS (5), 1));
  formats_add (items, "three", formats_new_tensor (C2G_DATA_TYPE_INT64, NULL, 0, 1));
  bytes = write_items (items, NULL, &error);
  g_assert_no_error (error);
  formats_assert_no_part (bytes, read_entries);
  io_damage (bytes, formats_check_damaged, read_entries);
}

/* Unsupported types are named in the error, before anything is written. */
static void
test_refused (void)
{
  static const char *const strings[] = { "text" };
  static const char *const names[] = { "", "__metadata__", "\xff" };
  g_autoptr (GPtrArray) items = formats_new_items ();
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);
  g_autoptr (GError) error = NULL;
  C2gSaveItem *item;

  formats_add (items, "fine", formats_new_tensor (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2), 1));
  item = formats_add (items, "blob x", formats_new_strings (strings, 1));
  g_assert_false (c2g_safetensors_check (item, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "blob x"));
  g_clear_error (&error);
  g_assert_false (c2g_safetensors_write (items, NULL, sink, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_cmpuint (c2g_sink_get_position (sink), ==, 0);
  g_clear_error (&error);

  item = formats_add_blob (items, "nothing", c2g_blob_new ());
  g_assert_false (c2g_safetensors_check (item, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);

  item = formats_add (items, "lazy", c2g_tensor_new_sized (C2G_TEST_DIMS (2), NULL, NULL));
  g_assert_false (c2g_safetensors_check (item, &error));
  g_assert_nonnull (error);
  g_assert_true (g_str_has_prefix (error->message, "Blob “lazy”"));
  g_clear_error (&error);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      item = formats_add (items, names[i],
                          formats_new_tensor (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2), 1));
      g_assert_false (c2g_safetensors_check (item, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
    }

  g_ptr_array_set_size (items, 1);
  g_assert_true (c2g_safetensors_check (items->pdata[0], &error));
  g_assert_no_error (error);
  formats_add (items, "fine", formats_new_tensor (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2), 1));
  g_assert_false (c2g_safetensors_write (items, NULL, sink, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_EXISTS);
}

static void
test_job (void)
{
  g_autoptr (GPtrArray) items = make_items ();
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (C2gProgress) progress = c2g_progress_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);
  g_autoptr (C2gSource) source = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  C2gJob job = { cancellable, progress };
  guint64 n_bytes = 0;

  for (guint i = 0; i < items->len; i++)
    n_bytes += c2g_blob_get_n_bytes (((C2gSaveItem *) items->pdata[i])->blob);

  g_assert_true (c2g_safetensors_write (items, NULL, sink, &job, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==, n_bytes);
  bytes = c2g_sink_steal_bytes (sink);
  source = c2g_source_new_for_bytes (bytes, "bytes");
  entries = read_entries (source, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < entries->len; i++)
    {
      g_autoptr (C2gBlob) blob = c2g_file_entry_load (entries->pdata[i], &job, &error);

      g_assert_no_error (error);
    }
  g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==, 2 * n_bytes);

  g_cancellable_cancel (cancellable);
  g_assert_null (c2g_file_entry_load (formats_find (entries, "float"), &job, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (c2g_safetensors_write (items, NULL, sink, &job, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_looks_like (void)
{
  static const struct
  {
    const char *data;
    gsize       n_bytes;
    guint64     n_bytes_file;
    gboolean    looks_like;
  } cases[] = {
    { "\2\0\0\0\0\0\0\0{}", 10, 10, TRUE },
    { "\2\0\0\0\0\0\0\0{", 9, 10, TRUE },
    { "\2\0\0\0\0\0\0\0{}", 10, 9, FALSE },
    { "\2\0\0\0\0\0\0\0[]", 10, 10, FALSE },
    { "\1\0\0\0\0\0\0\0{", 9, 9, FALSE },
    { "\2\0\0\0\0\0\0\0", 8, 8, FALSE },
    { "\2\0\0\0\1\0\0\0{}", 10, 10, FALSE },
    { "\0\xe1\xf5\5\0\0\0\0{}", 10, 200000000, TRUE },
    { "\1\xe1\xf5\5\0\0\0\0{}", 10, 200000000, FALSE },
    { "", 0, 0, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (c2g_safetensors_looks_like ((const guint8 *) cases[i].data, cases[i].n_bytes,
                                                 cases[i].n_bytes_file),
                     ==, cases[i].looks_like);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/safetensors/round-trip", test_round_trip);
  c2g_test_add_func ("/safetensors/alignment", test_alignment);
  c2g_test_add_func ("/safetensors/by-hand", test_by_hand);
  c2g_test_add_func ("/safetensors/metadata", test_metadata);
  c2g_test_add_func ("/safetensors/copies", test_copies);
  c2g_test_add_func ("/safetensors/view", test_view);
  c2g_test_add_func ("/safetensors/foreign-types", test_foreign_types);
  c2g_test_add_func ("/safetensors/broken", test_broken);
  c2g_test_add_func ("/safetensors/bombs", test_bombs);
  c2g_test_add_func ("/safetensors/many-dims", test_many_dims);
  c2g_test_add_func ("/safetensors/damaged", test_damaged);
  c2g_test_add_func ("/safetensors/refused", test_refused);
  c2g_test_add_func ("/safetensors/job", test_job);
  c2g_test_add_func ("/safetensors/looks-like", test_looks_like);

  return c2g_test_run ();
}
