/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/serializer-utils.h"

/* These tests cover joining chunks; test-serializer.c covers their content. */

static void
assert_refused (GBytes   **chunks,
                gsize      n_chunks,
                C2gError   code)
{
  g_autoptr (C2gBlob) blob = io_new_floats (3);
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_blob_deserialize_chunks (blob, chunks, n_chunks, NULL, &error));
  g_assert_error (error, C2G_ERROR, (int) code);
  g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (blob, NULL)), ==, 3);
}

static void
test_order (void)
{
  static const int orders[][3] = {
    { 0, 1, 2 },
    { 0, 2, 1 },
    { 1, 0, 2 },
    { 1, 2, 0 },
    { 2, 0, 1 },
    { 2, 1, 0 },
  };
  g_autoptr (C2gBlob) blob = io_new_floats (8);
  g_auto (Chunks) chunks = { NULL };

  chunks_init (&chunks, blob, "x", 3);
  g_assert_cmpuint (chunks.values->len, ==, 3);
  for (gsize i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (C2gBlob) target = io_new_floats (1);
      C2gTensor *tensor = c2g_blob_get_tensor (target, NULL);
      g_autoptr (GError) error = NULL;
      GBytes *ordered[3];

      for (gsize j = 0; j < 3; j++)
        ordered[j] = chunks.values->pdata[orders[i][j]];
      c2g_blob_deserialize_chunks (target, ordered, 3, NULL, &error);
      g_assert_no_error (error);

      /* An existing tensor stays the same object. */
      g_assert_true (c2g_blob_get_tensor (target, NULL) == tensor);
      g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 8);
      for (gint64 j = 0; j < 8; j++)
        g_assert_cmpfloat (c2g_tensor_get_value (tensor, j, NULL), ==, j);
    }
}

static void
test_refused (void)
{
  g_autoptr (GBytes) first = io_new_chunk ("x", 6, 0, 2);
  g_autoptr (GBytes) second = io_new_chunk ("x", 6, 2, 4);
  g_autoptr (GBytes) third = io_new_chunk ("x", 6, 4, 6);
  g_autoptr (GBytes) overlapping = io_new_chunk ("x", 6, 1, 4);
  g_autoptr (GBytes) foreign = io_new_chunk ("x", 7, 2, 4);
  g_autoptr (GBytes) string = g_bytes_new_static ("\x12\x0bstd::string", 13);
  g_autoptr (GBytes) damaged = g_bytes_new_static ("\x12\x0bstd", 5);
  const struct
  {
    const char *name;
    GBytes     *chunks[4];
  } cases[] = {
    { "the first is missing", { second, third } },
    { "the second is missing", { first, third } },
    { "the third is missing", { first, second } },
    { "the second comes twice", { first, second, second, third } },
    { "two overlap", { first, overlapping, third } },
    { "one is of another tensor", { first, foreign, third } },
    { "one is of another type", { first, string, third } },
    { "one is damaged", { first, damaged, third } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize n_chunks = 0;

      while (n_chunks < 4 && cases[i].chunks[n_chunks] != NULL)
        n_chunks++;
      g_test_message ("%s", cases[i].name);
      assert_refused ((GBytes **) cases[i].chunks, n_chunks, C2G_ERROR_CORRUPT);
    }
  assert_refused (NULL, 0, C2G_ERROR_CORRUPT);
  assert_refused ((GBytes *[]) { first, NULL, third }, 3, C2G_ERROR_INVALID_ARGUMENT);
}

/* Makes chunk k of n of a type that is unknown or that is never in chunks. */
static GBytes *
new_content (const char *type,
             guint       chunk,
             guint       n_chunks)
{
  GByteArray *message = g_byte_array_new ();

  c2g_wire_put_bytes (message, 2, type, strlen (type));
  c2g_wire_put_bytes (message, 4, "content", 7);
  c2g_wire_put_tag (message, 6, 0);
  c2g_wire_put_varint (message, n_chunks);
  c2g_wire_put_tag (message, 7, 0);
  c2g_wire_put_varint (message, chunk);
  return g_byte_array_free_to_bytes (message);
}

static void
test_content_refused (void)
{
  g_autoptr (GBytes) first = new_content ("std::string", 0, 2);
  g_autoptr (GBytes) second = new_content ("std::string", 1, 2);
  g_autoptr (GBytes) of_three = new_content ("std::string", 1, 3);
  g_autoptr (GBytes) beyond = new_content ("std::string", 2, 2);
  g_autoptr (GBytes) unknown = new_content ("nobody::knows", 0, 1);
  g_autoptr (GBytes) negative = new_content ("std::string", 0, G_MAXUINT32);
  GBytes *missing[] = { second };
  GBytes *twice[] = { first, first };
  GBytes *different[] = { first, of_three };
  GBytes *surplus[] = { first, beyond };
  GBytes *several[] = { second, first };

  assert_refused (missing, 1, C2G_ERROR_CORRUPT);
  assert_refused (twice, 2, C2G_ERROR_CORRUPT);
  assert_refused (different, 2, C2G_ERROR_CORRUPT);
  assert_refused (surplus, 2, C2G_ERROR_CORRUPT);
  assert_refused (&negative, 1, C2G_ERROR_CORRUPT);
  assert_refused (&unknown, 1, C2G_ERROR_NOT_SUPPORTED);
  /* Caffe2 never writes strings in chunks. */
  assert_refused (several, 2, C2G_ERROR_NOT_SUPPORTED);
}

static void
test_single (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (C2gBlob) loaded = c2g_blob_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) read = G_VALUE_INIT;

  g_value_set_int64 (g_value_init (&value, G_TYPE_INT64), -77);
  c2g_blob_set_value (blob, &value);
  bytes = serialize (blob, "count");
  c2g_blob_deserialize_chunks (loaded, &bytes, 1, NULL, &error);
  g_assert_no_error (error);
  c2g_blob_get_value (loaded, &read);
  g_assert_cmpint (g_value_get_int64 (&read), ==, -77);
}

static gboolean
stop_at_second (const char *key,
                GBytes     *value,
                gpointer    user_data)
{
  int *n = user_data;

  *n += 1;
  return *n < 2;
}

static void
test_stopped (void)
{
  g_autoptr (C2gBlob) blob = io_new_floats (10);
  g_autoptr (GError) error = NULL;
  int n = 0;

  g_assert_false (c2g_blob_serialize_chunks (blob, "x", 1, C2G_SERIALIZE_NONE, stop_at_second, &n,
                                             &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_nonnull (strstr (error->message, "x#%1"));
  g_assert_cmpint (n, ==, 2);
}

typedef struct
{
  C2gBlob   *blob;
  GPtrArray *chunks;
} Change;

/* Changes the blob while it is serialized: the chunks must have the old content. */
static gboolean
change (const char *key,
        GBytes     *value,
        gpointer    user_data)
{
  Change *self = user_data;
  C2gTensor *tensor = c2g_blob_get_tensor (self->blob, NULL);

  g_ptr_array_add (self->chunks, g_bytes_ref (value));
  switch (self->chunks->len)
    {
    case 1:
      return c2g_tensor_shrink (tensor, 2, NULL);
    case 2:
      return c2g_tensor_resize (tensor, C2G_TEST_DIMS (100), NULL) &&
             c2g_tensor_allocate (tensor, C2G_DATA_TYPE_DOUBLE, NULL);
    default:
      c2g_blob_reset (self->blob);
      return TRUE;
    }
}

static void
test_changed (void)
{
  g_autoptr (C2gBlob) blob = io_new_floats (10);
  g_autoptr (C2gBlob) same = io_new_floats (10);
  g_autoptr (C2gBlob) loaded = c2g_blob_new ();
  g_autoptr (GPtrArray) chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GBytes) expected = NULL;
  g_autoptr (GBytes) got = NULL;
  g_autoptr (GError) error = NULL;
  Change self = { blob, chunks };

  c2g_blob_serialize_chunks (blob, "x", 3, C2G_SERIALIZE_NONE, change, &self, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_blob_is_empty (blob));
  g_assert_cmpuint (chunks->len, ==, 4);

  c2g_blob_deserialize_chunks (loaded, (GBytes **) chunks->pdata, chunks->len, NULL, &error);
  g_assert_no_error (error);
  expected = c2g_blob_serialize (same, "x", &error);
  got = c2g_blob_serialize (loaded, "x", &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (got, expected));
}

static void
test_unwritable (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GError) error = NULL;
  int n = 0;

  g_assert_false (c2g_blob_serialize_chunks (blob, "x", 3, C2G_SERIALIZE_NONE, stop_at_second, &n,
                                             &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_assert_cmpint (n, ==, 0);
}

static void
check_damaged (GBytes   *damaged,
               gpointer  user_data)
{
  GBytes *chunks[] = { damaged, user_data };
  g_autoptr (C2gBlob) blob = io_new_floats (3);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (c2g_blob_deserialize_chunks (blob, chunks, 2, NULL, &error), ==, error == NULL);
  if (error != NULL)
    g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (blob, NULL)), ==, 3);
}

static void
test_damaged (void)
{
  g_autoptr (GBytes) first = io_new_chunk ("x", 6, 0, 2);
  g_autoptr (GBytes) second = io_new_chunk ("x", 6, 2, 6);

  io_damage (first, check_damaged, second);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/blob-chunks/order", test_order);
  c2g_test_add_func ("/blob-chunks/refused", test_refused);
  c2g_test_add_func ("/blob-chunks/content-refused", test_content_refused);
  c2g_test_add_func ("/blob-chunks/single", test_single);
  c2g_test_add_func ("/blob-chunks/stopped", test_stopped);
  c2g_test_add_func ("/blob-chunks/changed", test_changed);
  c2g_test_add_func ("/blob-chunks/unwritable", test_unwritable);
  c2g_test_add_func ("/blob-chunks/damaged", test_damaged);

  return c2g_test_run ();
}
