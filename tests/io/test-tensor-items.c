/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/serializer-utils.h"

/* Elements of registered types: each is a message inside that of the tensor. */

typedef struct
{
  gint32 x;
  gint32 y;
} Point;

static C2gTypeMeta *
get_point_meta (void)
{
  static C2gTypeMeta *meta;

  if (meta == NULL)
    meta = c2g_type_meta_register ("test::Point", sizeof (Point), NULL);
  g_assert_nonnull (meta);
  return meta;
}

/* A pair of integers, shown as one number. */
static void
get_pair (C2gTypeMeta   *meta,
          gconstpointer  item,
          GValue        *value)
{
  const Point *point = item;

  g_value_init (value, G_TYPE_INT64);
  g_value_set_int64 (value, 1000 * point->x + point->y);
}

static gboolean
set_pair (C2gTypeMeta   *meta,
          gpointer       item,
          const GValue  *value)
{
  Point *point = item;

  if (!G_VALUE_HOLDS_INT64 (value))
    return FALSE;
  point->x = (gint32) (g_value_get_int64 (value) / 1000);
  point->y = (gint32) (g_value_get_int64 (value) % 1000);
  return TRUE;
}

static C2gTypeMeta *
get_pair_meta (void)
{
  static const C2gElementFuncs funcs = { .get = get_pair, .set = set_pair };
  static C2gTypeMeta *meta;

  if (meta == NULL)
    meta = c2g_type_meta_register_full ("test::Pair", sizeof (Point), &funcs, NULL);
  g_assert_nonnull (meta);
  return meta;
}

static C2gTensor *
new_items (C2gTypeMeta *meta,
           gint64       n)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (n), NULL, &error);

  g_assert_no_error (error);
  c2g_tensor_allocate_meta (tensor, meta, &error);
  g_assert_no_error (error);
  return tensor;
}

static C2gTensor *
new_points (C2gTypeMeta *meta,
            gint64       n)
{
  C2gTensor *tensor = new_items (meta, n);
  Point *points = c2g_tensor_raw_mutable_data (tensor, meta, NULL);

  for (gint64 i = 0; i < n; i++)
    points[i] = (Point) { i, 7 * i };
  return tensor;
}

static void
set_object (C2gTensor *tensor,
            gint64     index,
            gpointer   object)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;

  g_value_set_object (g_value_init (&value, G_OBJECT_TYPE (object)), object);
  c2g_tensor_set_element (tensor, index, &value, &error);
  g_assert_no_error (error);
}

/* Writes the tensor, whole or in chunks, and reads it into a new blob. */
static C2gBlob *
round_trip (C2gTensor *tensor,
            gint64     chunk_size)
{
  g_autoptr (C2gBlob) blob = new_blob_of (tensor);
  g_autoptr (GBytes) bytes = NULL;
  g_auto (Chunks) chunks = { NULL };

  if (chunk_size != C2G_NO_CHUNKING)
    {
      chunks_init (&chunks, blob, "items", chunk_size);
      return chunks_read (&chunks);
    }

  bytes = serialize (blob, "items");
  return deserialize (bytes);
}

/* TensorSerialization_CustomType. */
static void
test_plain (void)
{
  C2gTypeMeta *const metas[] = { get_point_meta (), get_pair_meta () };
  static const gint64 chunk_sizes[] = { C2G_NO_CHUNKING, 3, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (metas) * G_N_ELEMENTS (chunk_sizes); i++)
    {
      C2gTypeMeta *meta = metas[i % G_N_ELEMENTS (metas)];
      g_autoptr (C2gTensor) tensor = new_points (meta, 10);
      g_autoptr (C2gBlob) loaded = round_trip (tensor, chunk_sizes[i / G_N_ELEMENTS (metas)]);
      C2gTensor *read = c2g_blob_get_tensor (loaded, NULL);
      const Point *points;

      g_assert_true (read != tensor);
      g_assert_true (c2g_tensor_get_type_meta (read) == meta);
      g_assert_cmpint (c2g_tensor_get_n_elements (read), ==, 10);
      points = c2g_tensor_raw_data (read, NULL);
      for (gint64 j = 0; j < 10; j++)
        {
          g_assert_cmpint (points[j].x, ==, j);
          g_assert_cmpint (points[j].y, ==, 7 * j);
        }
    }
}

static void
test_message (void)
{
  g_autoptr (C2gTensor) tensor = new_points (get_point_meta (), 3);
  g_autoptr (C2gBlob) blob = new_blob_of (tensor);
  g_autoptr (GBytes) bytes = serialize (blob, "items");
  Caffe2__BlobProto *proto = parse_blob (bytes);
  Caffe2__TensorProto *message = proto->tensor;

  g_assert_cmpint (message->data_type, ==, CAFFE2__TENSOR_PROTO__DATA_TYPE__UNDEFINED);
  g_assert_cmpuint (message->n_string_data, ==, 3);
  g_assert_cmpint (message->segment->end, ==, 3);
  for (gsize i = 0; i < 3; i++)
    {
      Caffe2__BlobProto *item;
      const Point expected = { (gint32) i, 7 * (gint32) i };

      item = caffe2__blob_proto__unpack (NULL, message->string_data[i].len,
                                         message->string_data[i].data);
      g_assert_nonnull (item);
      g_assert_cmpstr (item->name, ==, "");
      g_assert_cmpstr (item->type, ==, "test::Point");
      g_assert_cmpmem (item->content.data, item->content.len, &expected, sizeof expected);
      caffe2__blob_proto__free_unpacked (item, NULL);
    }
  caffe2__blob_proto__free_unpacked (proto, NULL);
}

static void
test_boxed (void)
{
  C2gTypeMeta *meta = c2g_type_meta_for_gtype (G_TYPE_BYTES, NULL);
  g_autoptr (C2gTensor) tensor = new_items (meta, 4);
  g_autoptr (C2gBlob) loaded = NULL;
  C2gTensor *read;

  for (gint64 i = 0; i < 3; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_take_boxed (g_value_init (&value, G_TYPE_BYTES), g_bytes_new ("abc", i));
      g_assert_true (c2g_tensor_set_element (tensor, i, &value, NULL));
    }

  loaded = round_trip (tensor, C2G_NO_CHUNKING);
  read = c2g_blob_get_tensor (loaded, NULL);
  g_assert_true (c2g_tensor_get_type_meta (read) == meta);
  for (gint64 i = 0; i < 4; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;
      GBytes *bytes;

      c2g_tensor_get_element (read, i, &value);
      bytes = g_value_get_boxed (&value);
      if (i < 3)
        g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "abc", i);
      else
        g_assert_null (bytes);
    }
}

/* Tensors and NULL in a tensor of objects. */
static void
test_objects (void)
{
  static const gint64 chunk_sizes[] = { C2G_NO_CHUNKING, 1 };
  C2gTypeMeta *const metas[] = {
    c2g_type_meta_for_gtype (C2G_TYPE_TENSOR, NULL),
    c2g_type_meta_for_gtype (G_TYPE_OBJECT, NULL),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (metas) * G_N_ELEMENTS (chunk_sizes); i++)
    {
      C2gTypeMeta *meta = metas[i % G_N_ELEMENTS (metas)];
      g_autoptr (C2gTensor) inner = c2g_tensor_new_scalar (C2G_DATA_TYPE_FLOAT, 1.5, NULL);
      g_autoptr (C2gTensor) tensor = new_items (meta, 3);
      g_autoptr (C2gBlob) loaded = NULL;
      g_autoptr (C2gBlob) element = NULL;
      g_autoptr (C2gBlob) nothing = NULL;
      C2gTensor *read;

      /* The first element is NULL. */
      set_object (tensor, 1, inner);
      set_object (tensor, 2, inner);
      loaded = round_trip (tensor, chunk_sizes[i / G_N_ELEMENTS (metas)]);
      read = c2g_blob_get_tensor (loaded, NULL);
      g_assert_true (c2g_tensor_get_type_meta (read) == meta);
      nothing = c2g_tensor_dup_element (read, 0, NULL);
      g_assert_true (c2g_blob_is_empty (nothing));
      element = c2g_tensor_dup_element (read, 2, NULL);
      g_assert_true (c2g_blob_get_tensor (element, NULL) != inner);
      g_assert_cmpfloat (c2g_tensor_get_value (c2g_blob_get_tensor (element, NULL), 0, NULL),
                         ==, 1.5);
    }
}

static void
test_nothing (void)
{
  C2gTypeMeta *meta = c2g_type_meta_for_gtype (C2G_TYPE_Q_TENSOR, NULL);
  static const gint64 counts[] = { 3, 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr (C2gTensor) tensor = new_items (meta, counts[i]);
      g_autoptr (C2gBlob) loaded = round_trip (tensor, C2G_NO_CHUNKING);
      C2gTensor *read = c2g_blob_get_tensor (loaded, NULL);

      g_assert_cmpint (c2g_tensor_get_n_elements (read), ==, counts[i]);
      /* Without elements the type is unknown. */
      g_assert_true (c2g_tensor_get_type_meta (read) == (counts[i] > 0 ? meta : NULL));
    }
}

/* Nests tensors in tensors to the given depth. */
static C2gTensor *
new_nested (guint depth)
{
  C2gTensor *tensor = c2g_tensor_new_scalar (C2G_DATA_TYPE_INT32, 5, NULL);

  for (guint i = 0; i < depth; i++)
    {
      g_autoptr (C2gTensor) inner = tensor;

      tensor = new_items (c2g_type_meta_for_gtype (C2G_TYPE_TENSOR, NULL), 1);
      set_object (tensor, 0, inner);
    }
  return tensor;
}

static void
test_depth (void)
{
  g_autoptr (C2gTensor) deep = new_nested (32);
  g_autoptr (C2gTensor) deeper = new_nested (33);
  g_autoptr (C2gBlob) loaded = round_trip (deep, C2G_NO_CHUNKING);
  g_autoptr (C2gBlob) blob = new_blob_of (deeper);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);

  /* The limit does not change after an error. */
  g_clear_object (&loaded);
  loaded = round_trip (deep, C2G_NO_CHUNKING);
}

static void
test_own_element (void)
{
  g_autoptr (C2gTensor) tensor = new_items (c2g_type_meta_for_gtype (C2G_TYPE_TENSOR, NULL), 1);
  g_autoptr (C2gBlob) blob = new_blob_of (tensor);
  g_autoptr (GError) error = NULL;

  set_object (tensor, 0, tensor);
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  c2g_tensor_free_memory (tensor);
}

/* Bytes that are nested deeper than c2g would write. */
static void
test_hostile_depth (void)
{
  GByteArray *message = g_byte_array_new ();
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 3000; i++)
    {
      GByteArray *tensor = g_byte_array_new ();
      GByteArray *outer = g_byte_array_new ();

      c2g_wire_put_tag (tensor, 1, 0);
      c2g_wire_put_varint (tensor, 1);
      c2g_wire_put_tag (tensor, 2, 0);
      c2g_wire_put_varint (tensor, 0);
      c2g_wire_put_bytes (tensor, 6, message->data, message->len);
      c2g_wire_put_bytes (outer, 2, "Tensor", 6);
      c2g_wire_put_bytes (outer, 3, tensor->data, tensor->len);
      g_byte_array_unref (tensor);
      g_byte_array_unref (message);
      message = outer;
    }

  bytes = g_byte_array_free_to_bytes (message);
  g_assert_false (c2g_blob_deserialize (blob, bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
}

static void
test_unwritable (void)
{
  g_autoptr (C2gTensor) tensor = new_items (c2g_type_meta_for_gtype (G_TYPE_OBJECT, NULL), 2);
  g_autoptr (C2gTensor) unallocated = new_items (get_point_meta (), 0);
  g_autoptr (GObject) object = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (C2gBlob) blob = new_blob_of (tensor);
  GError *error = NULL;

  set_object (tensor, 1, object);
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_assert_nonnull (strstr (error->message, "GObject"));
  g_assert_nonnull (strstr (error->message, "1"));
  g_clear_error (&error);

  c2g_tensor_resize (unallocated, C2G_TEST_DIMS (2), NULL);
  c2g_blob_set_object (blob, G_OBJECT (unallocated));
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  g_assert_true (error->domain == C2G_ERROR);
  g_clear_error (&error);
}

/* Makes the message of a tensor of n elements that contains the given ones from BEGIN on. */
static GBytes *
new_message (gint64 n,
             gint64 begin,
             GBytes *item)
{
  g_autoptr (GByteArray) tensor = g_byte_array_new ();
  g_autoptr (GByteArray) segment = g_byte_array_new ();
  GByteArray *blob = g_byte_array_new ();

  c2g_wire_put_tag (segment, 1, 0);
  c2g_wire_put_varint (segment, begin);
  c2g_wire_put_tag (segment, 2, 0);
  c2g_wire_put_varint (segment, begin + 1);
  c2g_wire_put_tag (tensor, 1, 0);
  c2g_wire_put_varint (tensor, n);
  c2g_wire_put_tag (tensor, 2, 0);
  c2g_wire_put_varint (tensor, 0);
  c2g_wire_put_bytes (tensor, 6, g_bytes_get_data (item, NULL), g_bytes_get_size (item));
  c2g_wire_put_bytes (tensor, 11, segment->data, segment->len);
  c2g_wire_put_bytes (blob, 2, "Tensor", 6);
  c2g_wire_put_bytes (blob, 3, tensor->data, tensor->len);
  return g_byte_array_free_to_bytes (blob);
}

static void
test_refused (void)
{
  static const struct
  {
    const char *name;
    gint64      n;
    const char *item;
    gsize       n_bytes;
    C2gError    code;
  } cases[] = {
    { "an unknown type", 1, "\x12\x04test", 6, C2G_ERROR_NOT_SUPPORTED },
    { "a data type", 1, "\x12\x05"
                        "float\x22\x04zzzz",
      13, C2G_ERROR_NOT_SUPPORTED },
    { "nothing of no type", 1, "", 0, C2G_ERROR_NOT_SUPPORTED },
    { "nothing of an unknown type", 1, "\x0a\x04test", 6, C2G_ERROR_NOT_SUPPORTED },
    { "no content", 1, "\x12\x0btest::Point", 13, C2G_ERROR_CORRUPT },
    { "content of another size", 1, "\x12\x0btest::Point\x22\x04zzzz", 19, C2G_ERROR_CORRUPT },
    { "no message", 1, "zzzz", 4, C2G_ERROR_CORRUPT },
    { "one of 2^40", G_GINT64_CONSTANT (1) << 40, "\x12\x0bstd::string", 13, C2G_ERROR_RANGE },
    { "a part of a tensor", 1, "\x12\x06Tensor\x1a\x08\x08\x10\x5a\x04\x08\0\x10\0", 18,
      C2G_ERROR_CORRUPT },
    { "a chunk", 1, "\x12\x0bstd::string\x30\x02", 15, C2G_ERROR_NOT_SUPPORTED },
    { "a tensor of a GPU", 1, "\x12\x06Tensor\x1a\x06\x08\0\x42\x02\x08\x01", 16,
      C2G_ERROR_DEVICE },
  };

  get_point_meta ();
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) item = g_bytes_new (cases[i].item, cases[i].n_bytes);
      g_autoptr (GBytes) bytes = new_message (cases[i].n, 0, item);
      g_autoptr (C2gBlob) blob = io_new_floats (3);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].name);
      g_assert_false (c2g_blob_deserialize (blob, bytes, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (blob, NULL)), ==, 3);
    }
}

/* If a tensor has elements of two types, the first one counts. */
static void
test_mixed (void)
{
  static const struct
  {
    const char *first;
    const char *second;
    C2gError    code;
  } cases[] = {
    { "\x12\x0bstd::string", "\x12\x0btest::Point\x22\x08zzzzzzzz", C2G_ERROR_TYPE },
    { "\x12\x0btest::Point\x22\x08zzzzzzzz", "\x12\x0bstd::string", C2G_ERROR_RANGE },
  };

  get_point_meta ();
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) first = g_bytes_new (cases[i].first, strlen (cases[i].first));
      g_autoptr (GBytes) second = g_bytes_new (cases[i].second, strlen (cases[i].second));
      g_autoptr (GBytes) first_chunk = new_message (2, 0, first);
      g_autoptr (GBytes) second_chunk = new_message (2, 1, second);
      GBytes *chunks[] = { first_chunk, second_chunk };
      g_autoptr (C2gBlob) blob = c2g_blob_new ();
      g_autoptr (GError) error = NULL;

      g_assert_false (c2g_blob_deserialize_chunks (blob, chunks, 2, NULL, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_true (c2g_blob_is_empty (blob));
    }
}

static void
test_part (void)
{
  g_autoptr (GBytes) item = g_bytes_new_static ("\x12\x0bstd::string\x22\x03"
                                                "abc",
                                                18);
  g_autoptr (GBytes) bytes = new_message (3, 1, item);
  g_autoptr (C2gBlob) blob = deserialize (bytes);
  C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);
  g_autoptr (C2gBlob) none = c2g_tensor_dup_element (tensor, 0, NULL);
  g_autoptr (C2gBlob) element = c2g_tensor_dup_element (tensor, 1, NULL);

  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 3);
  g_assert_cmpuint (c2g_blob_get_n_bytes (none), ==, 0);
  g_assert_cmpuint (c2g_blob_get_n_bytes (element), ==, 3);
}

static void
check_damaged (GBytes   *damaged,
               gpointer  user_data)
{
  g_autoptr (C2gBlob) blob = io_new_floats (3);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (c2g_blob_deserialize (blob, damaged, &error), ==, error == NULL);
  if (error != NULL)
    g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (blob, NULL)), ==, 3);
}

static void
test_damaged (void)
{
  g_autoptr (C2gTensor) points = new_points (get_point_meta (), 2);
  g_autoptr (C2gTensor) pairs = new_points (get_pair_meta (), 2);
  g_autoptr (C2gTensor) nested = new_nested (2);
  C2gTensor *tensors[] = { points, pairs, nested };

  for (gsize i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_autoptr (C2gBlob) blob = new_blob_of (tensors[i]);
      g_autoptr (GBytes) bytes = serialize (blob, "items");

      io_damage (bytes, check_damaged, NULL);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/tensor-items/plain", test_plain);
  c2g_test_add_func ("/tensor-items/message", test_message);
  c2g_test_add_func ("/tensor-items/boxed", test_boxed);
  c2g_test_add_func ("/tensor-items/objects", test_objects);
  c2g_test_add_func ("/tensor-items/nothing", test_nothing);
  c2g_test_add_func ("/tensor-items/depth", test_depth);
  c2g_test_add_func ("/tensor-items/own-element", test_own_element);
  c2g_test_add_func ("/tensor-items/hostile-depth", test_hostile_depth);
  c2g_test_add_func ("/tensor-items/unwritable", test_unwritable);
  c2g_test_add_func ("/tensor-items/refused", test_refused);
  c2g_test_add_func ("/tensor-items/mixed", test_mixed);
  c2g_test_add_func ("/tensor-items/part", test_part);
  c2g_test_add_func ("/tensor-items/damaged", test_damaged);

  return c2g_test_run ();
}
