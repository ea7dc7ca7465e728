/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/caffe/files/c2g-caffe.pb-c.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

/* Tests that repeat a test about messages of NVCaffe's test_blob.cpp have its name in their
 * path. */

#define HALF   C2G_DATA_TYPE_FLOAT16
#define FLOAT  C2G_DATA_TYPE_FLOAT
#define DOUBLE C2G_DATA_TYPE_DOUBLE
#define INT32  C2G_DATA_TYPE_INT32
#define NONE   C2G_CAFFE_PROTO_NONE
#define DIFF   C2G_CAFFE_PROTO_DIFF
#define BVLC   C2G_CAFFE_PROTO_BVLC
#define DIMS   C2G_TEST_DIMS

static C2gCaffeBlob *
new_blob (C2gDataType   data_type,
          C2gDataType   diff_type,
          const gint64 *dims,
          gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  C2gCaffeBlob *blob = c2g_caffe_blob_new (data_type, diff_type, dims, n_dims, NULL, &error);

  g_assert_no_error (error);
  return blob;
}

static GBytes *
pack (const Caffe__BlobProto *message)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = c2g_wire_serialize (&message->base, &error);

  g_assert_no_error (error);
  return bytes;
}

static Caffe__BlobProto *
parse (GBytes *bytes)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);

  return (Caffe__BlobProto *) c2g_wire_parse (&caffe__blob_proto__descriptor, data, n_bytes, 0, NULL);
}

/* (3 x 2) is (1 x 1 x 3 x 2), but not (0 x 1 x 3 x 2) or (3 x 1 x 3 x 2), and so on. */
static void
test_legacy_shape (void)
{
  static const struct
  {
    gint64   dims[5];
    gsize    n_dims;
    int      legacy[4];
    gboolean is_equal;
  } rows[] = {
    { { 3, 2 }, 2, { 1, 1, 3, 2 }, TRUE },
    { { 3, 2 }, 2, { 0, 1, 3, 2 }, FALSE },
    { { 3, 2 }, 2, { 3, 1, 3, 2 }, FALSE },
    { { 1, 3, 2 }, 3, { 1, 1, 3, 2 }, TRUE },
    { { 2, 3, 2 }, 3, { 1, 1, 3, 2 }, FALSE },
    { { 1, 1, 3, 2 }, 4, { 1, 1, 3, 2 }, TRUE },
    { { 1, 1, 1, 3, 2 }, 5, { 1, 1, 3, 2 }, FALSE },
    { { 1 }, 0, { 1, 1, 1, 1 }, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (C2gCaffeBlob) blob = new_blob (FLOAT, FLOAT, rows[i].dims, rows[i].n_dims);
      Caffe__BlobProto message = CAFFE__BLOB_PROTO__INIT;
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = NULL;
      gboolean is_equal;

      message.has_num = message.has_channels = message.has_height = message.has_width = TRUE;
      message.num = rows[i].legacy[0];
      message.channels = rows[i].legacy[1];
      message.height = rows[i].legacy[2];
      message.width = rows[i].legacy[3];
      bytes = pack (&message);
      g_assert_true (c2g_caffe_blob_shape_equals (blob, bytes, &is_equal, &error));
      g_assert_no_error (error);
      g_assert_cmpint (is_equal, ==, rows[i].is_equal);
    }
}

/* A message that is written and read again has the same bits and type, in both forms. */
static void
test_serialization (void)
{
  static const struct
  {
    C2gDataType type;
    C2gDataType bvlc_type;
  } rows[] = {
    { DOUBLE, DOUBLE },
    { FLOAT, FLOAT },
    { HALF, FLOAT },
    { INT32, DOUBLE },
    { C2G_DATA_TYPE_UINT32, DOUBLE },
    { C2G_DATA_TYPE_BOOL, FLOAT },
  };

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (rows); i++)
    {
      const C2gDataType type = rows[i / 2].type;
      const gboolean is_bvlc = i % 2;
      const C2gDataType read_type = is_bvlc ? rows[i / 2].bvlc_type : type;
      g_autoptr (C2gCaffeBlob) blob = new_blob (type, type, DIMS (2, 3));
      g_autoptr (C2gCaffeBlob) target = g_object_new (C2G_TYPE_CAFFE_BLOB, NULL);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      gboolean is_equal;

      g_assert_true (c2g_caffe_blob_fill_data (blob, 1, NULL));
      g_assert_true (c2g_caffe_blob_set_value_at (blob, C2G_CAFFE_PARTS_DATA, DIMS (1, 2), 3, NULL));
      g_assert_true (c2g_caffe_blob_fill_diff (blob, 5, NULL));
      bytes = c2g_caffe_blob_to_proto (blob, DIFF | (is_bvlc ? BVLC : NONE), &error);
      g_assert_no_error (error);
      g_assert_true (c2g_caffe_blob_shape_equals (blob, bytes, &is_equal, NULL) && is_equal);

      g_assert_true (c2g_caffe_blob_from_proto (target, bytes, TRUE, &error));
      g_assert_no_error (error);
      g_assert_cmpint (c2g_caffe_blob_get_dim (target, 1, NULL), ==, 3);
      g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_data (target)), ==, read_type);
      g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_diff (target)), ==, read_type);
      g_assert_cmpfloat (c2g_caffe_blob_asum_data (target, NULL), ==, c2g_caffe_blob_asum_data (blob, NULL));
      g_assert_cmpfloat (c2g_caffe_blob_data_at (target, DIMS (1, 2), NULL), ==,
                         type == C2G_DATA_TYPE_BOOL ? 1 : 3);
      g_assert_cmpfloat (c2g_caffe_blob_asum_diff (target, NULL), ==, c2g_caffe_blob_asum_diff (blob, NULL));
      g_assert_false (c2g_mixed_tensor_is_held (c2g_caffe_blob_get_data (target)));
    }
}

/* Each form has its own fields. */
static void
test_forms (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (HALF, FLOAT, DIMS (2));
  g_autoptr (GBytes) raw = c2g_caffe_blob_to_proto (blob, NONE, NULL);
  g_autoptr (GBytes) raw_diff = c2g_caffe_blob_to_proto (blob, DIFF, NULL);
  g_autoptr (GBytes) bvlc = c2g_caffe_blob_to_proto (blob, BVLC, NULL);
  static const guint8 expected[] = {
    0x3a, 3, 0x0a, 1, 2, /* shape { dim: 2 } */
    0x50, 2,             /* raw_data_type: FLOAT16 */
    0x62, 4, 0, 0, 0, 0, /* raw_data */
  };
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (raw, &n_bytes);
  Caffe__BlobProto *message;

  g_assert_cmpmem (data, n_bytes, expected, sizeof expected);
  message = parse (raw_diff);
  g_assert_cmpint (message->raw_diff_type, ==, CAFFE__TYPE__FLOAT);
  g_assert_cmpuint (message->raw_diff.len, ==, 8);
  g_assert_cmpuint (message->n_data, ==, 0);
  c2g_wire_free (message);
  message = parse (bvlc);
  g_assert_cmpuint (message->n_data, ==, 2);
  g_assert_cmpuint (message->n_diff, ==, 0);
  g_assert_false (message->has_raw_data);
  g_assert_false (message->has_raw_data_type);
  c2g_wire_free (message);
}

static void
test_types (void)
{
  static const struct
  {
    C2gDataType type;
    gboolean    has_bvlc;
  } rows[] = {
    { C2G_DATA_TYPE_INT8, TRUE },
    { C2G_DATA_TYPE_UINT8, TRUE },
    { C2G_DATA_TYPE_INT16, TRUE },
    { C2G_DATA_TYPE_UINT16, TRUE },
    { C2G_DATA_TYPE_BFLOAT16, TRUE },
    { C2G_DATA_TYPE_INT64, FALSE },
    { C2G_DATA_TYPE_UINT64, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (C2gCaffeBlob) blob = new_blob (FLOAT, rows[i].type, DIMS (2));
      g_autoptr (GBytes) without = c2g_caffe_blob_to_proto (blob, NONE, NULL);
      g_autoptr (GBytes) bvlc = c2g_caffe_blob_to_proto (blob, DIFF | BVLC, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_nonnull (without);
      g_assert_cmpint (bvlc != NULL, ==, rows[i].has_bvlc);
      g_assert_null (c2g_caffe_blob_to_proto (blob, DIFF, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_assert_nonnull (strstr (error->message, c2g_data_type_get_name (rows[i].type)));
    }
}

/* The elements come before the shape, and are not packed, as in old files. */
static void
test_order (void)
{
  g_autoptr (C2gCaffeBlob) blob = g_object_new (C2G_TYPE_CAFFE_BLOB, NULL);
  static const guint8 data[] = {
    0x2d, 0, 0, 0x80, 0x3f, 0x2a, 4, 0, 0, 0, 0x40, /* data: 1, then data packed: [ 2 ] */
    0x3a, 2, 0x08, 2,                               /* shape { dim: 2 }, not packed */
  };
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, sizeof data);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_from_proto (blob, bytes, TRUE, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_caffe_blob_data_at (blob, DIMS (0), NULL), ==, 1);
  g_assert_cmpfloat (c2g_caffe_blob_data_at (blob, DIMS (1), NULL), ==, 2);
}

/* Numbers that are no booleans are true. */
static void
test_bool (void)
{
  g_autoptr (C2gCaffeBlob) blob = g_object_new (C2G_TYPE_CAFFE_BLOB, NULL);
  static const guint8 data[] = { 0x3a, 3, 0x0a, 1, 3, 0x50, 5, 0x62, 3, 0, 1, 0xfe };
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, sizeof data);
  const guint8 *bools;

  g_assert_true (c2g_caffe_blob_from_proto (blob, bytes, TRUE, NULL));
  bools = c2g_caffe_blob_data (blob, C2G_DATA_TYPE_BOOL, NULL, NULL);
  g_assert_cmpuint (bools[0], ==, 0);
  g_assert_cmpuint (bools[1], ==, 1);
  g_assert_cmpuint (bools[2], ==, 1);
}

static void
test_shapes (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (FLOAT, FLOAT, DIMS (3, 2));
  g_autoptr (C2gCaffeBlob) empty = new_blob (HALF, HALF, DIMS (0, 4));
  g_autoptr (C2gCaffeBlob) scalar = new_blob (HALF, HALF, NULL, 0);
  g_autoptr (C2gCaffeBlob) target = g_object_new (C2G_TYPE_CAFFE_BLOB, NULL);
  g_autoptr (GBytes) proto = c2g_caffe_blob_to_proto (blob, NONE, NULL);
  g_autoptr (GBytes) empty_proto = c2g_caffe_blob_to_proto (empty, DIFF, NULL);
  g_autoptr (GBytes) scalar_proto = c2g_caffe_blob_to_proto (scalar, NONE, NULL);
  g_autoptr (GError) error = NULL;
  float numbers[] = { 1, 2, 3, 4, 5, 6 };
  Caffe__BlobProto legacy = CAFFE__BLOB_PROTO__INIT;
  g_autoptr (GBytes) legacy_proto = NULL;
  gsize n_dims;

  /* An old shape leaves an equal one as it is, or replaces it. */
  legacy.has_num = legacy.has_channels = legacy.has_height = legacy.has_width = TRUE;
  legacy.num = legacy.channels = 1;
  legacy.height = 3;
  legacy.width = 2;
  legacy.data = numbers;
  legacy.n_data = G_N_ELEMENTS (numbers);
  legacy_proto = pack (&legacy);
  g_assert_true (c2g_caffe_blob_from_proto (blob, legacy_proto, FALSE, &error));
  c2g_caffe_blob_get_dims (blob, &n_dims);
  g_assert_cmpuint (n_dims, ==, 2);
  c2g_mixed_tensor_get_dims (c2g_caffe_blob_get_data (blob), &n_dims);
  g_assert_cmpuint (n_dims, ==, 2);
  g_assert_cmpfloat (c2g_caffe_blob_data_at (blob, DIMS (2, 1), NULL), ==, 6);
  g_assert_true (c2g_caffe_blob_from_proto (blob, legacy_proto, TRUE, &error));
  c2g_caffe_blob_get_dims (blob, &n_dims);
  g_assert_cmpuint (n_dims, ==, 4);

  g_assert_false (c2g_caffe_blob_from_proto (target, proto, FALSE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_true (c2g_caffe_blob_from_proto (target, empty_proto, TRUE, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_caffe_blob_get_dim (target, 1, NULL), ==, 4);
  g_assert_true (c2g_caffe_blob_from_proto (target, scalar_proto, TRUE, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_caffe_blob_get_n_elements (target), ==, 1);
}

/* Elements that one blob reads are seen by all that share them. */
static void
test_shared (void)
{
  g_autoptr (C2gCaffeBlob) source = new_blob (DOUBLE, DOUBLE, DIMS (2));
  g_autoptr (C2gCaffeBlob) lender = new_blob (FLOAT, FLOAT, DIMS (4));
  g_autoptr (C2gCaffeBlob) blob = new_blob (FLOAT, FLOAT, DIMS (4));
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) proto = NULL;
  g_autoptr (C2gTensor) writer = NULL;

  g_assert_true (c2g_caffe_blob_fill_data (source, 7, NULL));
  proto = c2g_caffe_blob_to_proto (source, NONE, NULL);
  g_assert_true (c2g_caffe_blob_share_data (blob, lender, NULL));
  g_assert_true (c2g_caffe_blob_from_proto (blob, proto, TRUE, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (lender, NULL), ==, 14);
  g_assert_cmpint (c2g_caffe_blob_get_n_elements (lender), ==, 4);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_data (lender)), ==, FLOAT);

  g_assert_true (c2g_caffe_blob_reshape (lender, DIMS (2), C2G_CAFFE_PARTS_BOTH, NULL));
  writer = c2g_caffe_blob_ref_mutable_data_tensor (lender, FLOAT, NULL, NULL);
  g_assert_false (c2g_caffe_blob_from_proto (blob, proto, TRUE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
}

static void
reshape_cb (C2gCaffeBlob *blob)
{
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (3, 2), C2G_CAFFE_PARTS_BOTH, NULL));
}

/* A handler of a signal may reshape the blob while it is written, or read. */
static void
test_reshaped (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (HALF, FLOAT, DIMS (2, 3));
  g_autoptr (C2gMixedTensor) large = c2g_mixed_tensor_new (FLOAT, DIMS (8), NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  Caffe__BlobProto *message;

  g_assert_true (c2g_caffe_blob_fill_data (blob, 1, NULL));
  g_signal_connect_swapped (c2g_caffe_blob_get_data (blob), "converted", G_CALLBACK (reshape_cb), blob);
  bytes = c2g_caffe_blob_to_proto (blob, BVLC, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_caffe_blob_get_dim (blob, 0, NULL), ==, 3);
  message = parse (bytes);
  g_assert_cmpuint (message->shape->n_dim, ==, 2);
  g_assert_cmpint (message->shape->dim[0], ==, 2);
  g_assert_cmpint (message->shape->dim[1], ==, 3);
  c2g_wire_free (message);

  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (2, 3), C2G_CAFFE_PARTS_BOTH, NULL));
  g_assert_true (c2g_mixed_tensor_fill (large, 5, NULL));
  g_assert_nonnull (c2g_mixed_tensor_data (large, DOUBLE, NULL, NULL));
  g_assert_true (c2g_caffe_blob_share_tensor (blob, C2G_CAFFE_PARTS_DATA, large, NULL));
  g_signal_connect_swapped (large, "invalidated", G_CALLBACK (reshape_cb), blob);
  g_assert_true (c2g_caffe_blob_from_proto (blob, bytes, FALSE, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_caffe_blob_get_dim (blob, 0, NULL), ==, 3);
  g_assert_cmpfloat (c2g_mixed_tensor_asum (large, NULL), ==, 6);
}

/* A shared part that is larger than the message moves to other memory, and its readers keep the old
 * one. */
static void
test_shared_no_memory (void)
{
  g_autoptr (C2gCaffeBlob) source = new_blob (FLOAT, FLOAT, DIMS (2));
  g_autoptr (C2gCaffeBlob) lender = new_blob (FLOAT, FLOAT, DIMS (1000));
  g_autoptr (C2gCaffeBlob) blob = new_blob (FLOAT, FLOAT, DIMS (1000));
  g_autoptr (C2gAllocator) upstream = c2g_cpu_allocator_new ();
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (upstream, 2000);
  g_autoptr (C2gTensor) reader = NULL;
  g_autoptr (GBytes) proto = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_fill_data (source, 7, NULL));
  g_assert_true (c2g_caffe_blob_fill_data (blob, 3, NULL));
  g_assert_true (c2g_caffe_blob_share_diff (blob, lender, NULL));
  proto = c2g_caffe_blob_to_proto (source, DIFF, NULL);
  reader = c2g_caffe_blob_ref_diff_tensor (lender, FLOAT, NULL, NULL);

  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), limiting, NULL));
  g_assert_false (c2g_caffe_blob_from_proto (blob, proto, TRUE, &error));
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpint (c2g_caffe_blob_get_n_elements (blob), ==, 1000);
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (blob, NULL), ==, 3000);
}

/* Damaged messages */

/* A blob that an error must not change. */
static C2gCaffeBlob *
new_known (void)
{
  C2gCaffeBlob *blob = new_blob (HALF, DOUBLE, DIMS (2, 2));

  g_assert_true (c2g_caffe_blob_fill_data (blob, 3, NULL));
  g_assert_true (c2g_caffe_blob_fill_diff (blob, 4, NULL));
  return blob;
}

static void
assert_known (C2gCaffeBlob *blob)
{
  gsize n_dims;
  const gint64 *dims = c2g_caffe_blob_get_dims (blob, &n_dims);

  g_assert_cmpuint (n_dims, ==, 2);
  g_assert_cmpint (dims[0] * dims[1], ==, 4);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_data (blob)), ==, HALF);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_diff (blob)), ==, DOUBLE);
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (blob, NULL), ==, 12);
  g_assert_cmpfloat (c2g_caffe_blob_asum_diff (blob, NULL), ==, 16);
}

typedef void (*DamageFunc) (Caffe__BlobProto *message);

static float floats[] = { 1, 2, 3, 4, 5 };
static double doubles[] = { 1, 2, 3, 4, 5 };
static gint64 large_dims[] = { G_MAXINT64, G_MAXINT64 };
static gint64 negative_dims[] = { -1, 4 };
static gint64 hostile_dims[] = { G_GINT64_CONSTANT (1) << 40 };

static void
damage_count (Caffe__BlobProto *message)
{
  message->n_data = 5;
}

static void
damage_doubles (Caffe__BlobProto *message)
{
  message->n_double_data = 3;
  message->double_data = doubles;
}

static void
damage_diff (Caffe__BlobProto *message)
{
  message->n_diff = 1;
  message->diff = floats;
}

static void
damage_nothing (Caffe__BlobProto *message)
{
  message->n_data = 0;
}

static void
damage_raw_size (Caffe__BlobProto *message)
{
  message->has_raw_data = message->has_raw_data_type = TRUE;
  message->raw_data_type = CAFFE__TYPE__DOUBLE;
  message->raw_data = (ProtobufCBinaryData) { 31, (guint8 *) doubles };
}

static void
damage_raw_type (Caffe__BlobProto *message)
{
  damage_raw_size (message);
  message->has_raw_data_type = FALSE;
  message->raw_data.len = 32;
}

static void
damage_raw_number (Caffe__BlobProto *message)
{
  damage_raw_size (message);
  message->raw_data_type = 6;
}

static void
damage_raw_diff (Caffe__BlobProto *message)
{
  message->has_raw_diff = TRUE;
  message->raw_diff = (ProtobufCBinaryData) { 16, (guint8 *) floats };
}

static void
damage_large (Caffe__BlobProto *message)
{
  message->shape->dim = large_dims;
}

static void
damage_negative (Caffe__BlobProto *message)
{
  message->shape->dim = negative_dims;
}

static void
damage_hostile (Caffe__BlobProto *message)
{
  message->shape->dim = hostile_dims;
  message->shape->n_dim = 1;
}

static void
damage_legacy (Caffe__BlobProto *message)
{
  message->has_num = message->has_width = TRUE;
  message->num = message->width = G_MAXINT;
}

static void
test_damage (void)
{
  static const struct
  {
    const char *name;
    DamageFunc  damage;
    C2gError    code;
  } rows[] = {
    { "count", damage_count, C2G_ERROR_CORRUPT },
    { "doubles", damage_doubles, C2G_ERROR_CORRUPT },
    { "diff", damage_diff, C2G_ERROR_CORRUPT },
    { "nothing", damage_nothing, C2G_ERROR_CORRUPT },
    { "raw-size", damage_raw_size, C2G_ERROR_CORRUPT },
    { "raw-type", damage_raw_type, C2G_ERROR_CORRUPT },
    { "raw-number", damage_raw_number, C2G_ERROR_CORRUPT },
    { "raw-diff", damage_raw_diff, C2G_ERROR_CORRUPT },
    { "large", damage_large, C2G_ERROR_RANGE },
    { "negative", damage_negative, C2G_ERROR_SHAPE },
    { "hostile", damage_hostile, C2G_ERROR_CORRUPT },
    { "legacy", damage_legacy, C2G_ERROR_CORRUPT },
  };
  g_autoptr (C2gCaffeBlob) blob = new_known ();
  gint64 dims[] = { 4, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Caffe__BlobProto message = CAFFE__BLOB_PROTO__INIT;
      Caffe__BlobShape shape = CAFFE__BLOB_SHAPE__INIT;
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = NULL;

      shape.dim = dims;
      shape.n_dim = 2;
      message.shape = &shape;
      message.data = floats;
      message.n_data = 4;
      rows[i].damage (&message);
      bytes = pack (&message);
      g_test_message ("%s", rows[i].name);
      g_assert_false (c2g_caffe_blob_from_proto (blob, bytes, TRUE, &error));
      g_assert_error (error, C2G_ERROR, (int) rows[i].code);
      assert_known (blob);
    }
}

/* Every prefix of a message, and every message with one flipped bit, is read or refused without a
 * crash. */
static void
test_bytes (void)
{
  g_autoptr (C2gCaffeBlob) source = new_blob (FLOAT, HALF, DIMS (2, 2));
  g_autoptr (GBytes) bytes = c2g_caffe_blob_to_proto (source, DIFF, NULL);
  const gsize n_bytes = g_bytes_get_size (bytes);

  for (gsize i = 0; i < n_bytes * 9; i++)
    {
      g_autoptr (C2gCaffeBlob) blob = new_known ();
      g_autofree guint8 *copy = g_memdup2 (g_bytes_get_data (bytes, NULL), n_bytes);
      const gsize n_left = i < n_bytes ? i : n_bytes;
      g_autoptr (GBytes) damaged = NULL;
      g_autoptr (GError) error = NULL;
      gboolean is_equal;

      if (i >= n_bytes)
        copy[(i - n_bytes) / 8] ^= 1 << (i - n_bytes) % 8;
      damaged = g_bytes_new (copy, n_left);
      g_assert_cmpint (c2g_caffe_blob_shape_equals (blob, damaged, &is_equal, &error), ==, error == NULL);
      g_assert_true (!is_equal || error == NULL);
      g_clear_error (&error);
      if (c2g_caffe_blob_from_proto (blob, damaged, TRUE, &error))
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_nonnull (error);
      assert_known (blob);
    }
}

/* A message cannot have a million dimensions, and an error text does not list them all. */
static void
test_many_dims (void)
{
  static const gsize counts[] = { 1024, 1025 };
  static const C2gError codes[] = { C2G_ERROR_CORRUPT, C2G_ERROR_RANGE };

  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      Caffe__BlobShape shape = CAFFE__BLOB_SHAPE__INIT;
      Caffe__BlobProto message = CAFFE__BLOB_PROTO__INIT;
      g_autoptr (C2gCaffeBlob) blob = new_known ();
      g_autofree gint64 *dims = g_new (gint64, counts[i]);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;

      for (gsize j = 0; j < counts[i]; j++)
        dims[j] = 1;
      shape.n_dim = counts[i];
      shape.dim = dims;
      message.shape = &shape;
      bytes = pack (&message);
      g_assert_false (c2g_caffe_blob_from_proto (blob, bytes, TRUE, &error));
      g_assert_error (error, C2G_ERROR, (int) codes[i]);
      g_assert_cmpuint (strlen (error->message), <, 400);
      assert_known (blob);
    }
}

/* A message replaces memory of other owners, which nobody in c2g holds. */
static void
test_foreign (void)
{
  g_autoptr (C2gCaffeBlob) source = new_blob (FLOAT, FLOAT, DIMS (2));
  g_autoptr (C2gCaffeBlob) blob = new_blob (FLOAT, FLOAT, DIMS (2));
  g_autoptr (GBytes) bytes = c2g_caffe_blob_to_proto (source, NONE, NULL);
  g_autoptr (GError) error = NULL;
  float memory[] = { 1, 2 };

  g_assert_true (c2g_mixed_tensor_set_data (c2g_caffe_blob_get_data (blob), memory, FLOAT, NULL, NULL,
                                            NULL, NULL));
  g_assert_true (c2g_caffe_blob_from_proto (blob, bytes, FALSE, &error));
  g_assert_no_error (error);
  g_assert_false (c2g_mixed_tensor_is_held (c2g_caffe_blob_get_data (blob)));
  g_assert_cmpfloat (memory[0], ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/caffe/blob-proto/legacy-blob-proto-shape-equals", test_legacy_shape);
  c2g_test_add_func ("/caffe/blob-proto/serialization", test_serialization);
  c2g_test_add_func ("/caffe/blob-proto/forms", test_forms);
  c2g_test_add_func ("/caffe/blob-proto/types", test_types);
  c2g_test_add_func ("/caffe/blob-proto/order", test_order);
  c2g_test_add_func ("/caffe/blob-proto/bool", test_bool);
  c2g_test_add_func ("/caffe/blob-proto/shapes", test_shapes);
  c2g_test_add_func ("/caffe/blob-proto/shared", test_shared);
  c2g_test_add_func ("/caffe/blob-proto/shared-no-memory", test_shared_no_memory);
  c2g_test_add_func ("/caffe/blob-proto/reshaped", test_reshaped);
  c2g_test_add_func ("/caffe/blob-proto/damage", test_damage);
  c2g_test_add_func ("/caffe/blob-proto/bytes", test_bytes);
  c2g_test_add_func ("/caffe/blob-proto/many-dims", test_many_dims);
  c2g_test_add_func ("/caffe/blob-proto/foreign", test_foreign);

  return c2g_test_run ();
}
