/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-blob-private.h>

#include "blob-utils.h"

#include <string.h>

/* Repeats Caffe2's test Blob: asking for another type replaces the content. */
static void
test_types (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GError) error = NULL;
  Foo *foo = foo_new (1);
  gboolean is_new;

  assert_empty (blob);
  g_assert_null (c2g_blob_dup_name (blob));

  g_assert_true (c2g_blob_ensure (blob, G_TYPE_INT, &is_new, &error));
  g_assert_true (is_new);
  g_assert_true (c2g_blob_is_type (blob, G_TYPE_INT));
  g_assert_cmpint (get_int (blob), ==, 0);

  n_foos_destroyed = 0;
  c2g_blob_take_pointer (blob, foo, foo_meta, foo_destroy);
  g_assert_true (c2g_blob_is_type (blob, G_TYPE_POINTER));
  g_assert_false (c2g_blob_is_type (blob, G_TYPE_INT));
  g_assert_true (c2g_blob_get_pointer (blob, foo_meta, &error) == foo);
  g_assert_no_error (error);
  g_assert_true (c2g_blob_get_type_meta (blob) == foo_meta);

  g_assert_nonnull (c2g_blob_ensure_tensor (blob, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_foos_destroyed, ==, 1);
  g_assert_true (c2g_blob_is_type (blob, C2G_TYPE_TENSOR));
  g_assert_true (c2g_blob_is_type (blob, G_TYPE_OBJECT));
  g_assert_false (c2g_blob_is_type (blob, G_TYPE_POINTER));
  g_assert_null (c2g_blob_get_type_meta (blob));

  set_int (blob, 3);
  g_assert_cmpint (get_int (blob), ==, 3);
  g_assert_null (c2g_blob_get_object (blob));
  g_assert_finalize_object (g_steal_pointer (&blob));
}

/* Repeats Caffe2's test BlobNewObjectFlag. */
static void
test_is_new (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  const GType types[] = { G_TYPE_INT, G_TYPE_STRING, C2G_TYPE_TENSOR, G_TYPE_CANCELLABLE };
  g_autoptr (GError) error = NULL;
  gboolean is_new;

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_assert_true (c2g_blob_ensure (blob, types[i], &is_new, &error));
      g_assert_true (is_new);
      g_assert_true (c2g_blob_ensure (blob, types[i], &is_new, &error));
      g_assert_false (is_new);
      c2g_blob_reset (blob);
      g_assert_true (c2g_blob_ensure (blob, types[i], &is_new, &error));
      g_assert_true (is_new);
      g_assert_true (c2g_blob_ensure (blob, types[i], NULL, NULL));
      g_assert_true (c2g_blob_get_content_type (blob) == types[i]);
    }

  g_assert_no_error (error);
}

static void
test_ensure_default (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  const GType zeros[] = {
    G_TYPE_CHAR, G_TYPE_UCHAR, G_TYPE_BOOLEAN, G_TYPE_INT, G_TYPE_UINT, G_TYPE_LONG, G_TYPE_ULONG,
    G_TYPE_INT64, G_TYPE_UINT64, G_TYPE_FLOAT, G_TYPE_DOUBLE, C2G_TYPE_DATA_TYPE, C2G_TYPE_MAP_FLAGS
  };

  for (gsize i = 0; i < G_N_ELEMENTS (zeros); i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;
      g_auto (GValue) zero = G_VALUE_INIT;

      g_assert_true (c2g_blob_ensure (blob, zeros[i], NULL, NULL));
      c2g_blob_get_value (blob, &value);
      g_value_init (&zero, zeros[i]);
      g_assert_true (G_VALUE_TYPE (&value) == zeros[i]);
      g_assert_cmpint (memcmp (&value.data, &zero.data, sizeof value.data), ==, 0);
      /* The former content of the caller's value is released. */
      c2g_blob_copy_value (blob, &value);
      g_assert_true (G_VALUE_TYPE (&value) == zeros[i]);
    }

  g_assert_true (c2g_blob_ensure (blob, G_TYPE_STRING, NULL, NULL));
  g_assert_cmpstr (c2g_blob_get_raw (blob), ==, "");
}

static void
test_ensure_derived (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  gboolean is_new;

  /* Content of a derived type stays, even if the type that is asked for is abstract. */
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  g_assert_true (c2g_blob_ensure (blob, G_TYPE_OBJECT, &is_new, NULL));
  g_assert_false (is_new);
  g_assert_true (c2g_blob_get_object (blob) == G_OBJECT (tensor));

  /* Content of a base type does not do for a derived one. */
  c2g_blob_reset (blob);
  g_assert_true (c2g_blob_ensure (blob, G_TYPE_OBJECT, &is_new, NULL));
  g_assert_true (c2g_blob_ensure (blob, C2G_TYPE_TENSOR, &is_new, NULL));
  g_assert_true (is_new);

  /* The blob sinks the floating reference of a new object. */
  g_assert_true (c2g_blob_ensure (blob, G_TYPE_INITIALLY_UNOWNED, &is_new, NULL));
  g_assert_false (g_object_is_floating (c2g_blob_get_object (blob)));
  g_assert_cmpuint (c2g_blob_get_object (blob)->ref_count, ==, 1);
}

static void
test_ensure_impossible (void)
{
  const GType types[] = {
    G_TYPE_BYTES, G_TYPE_STRV, G_TYPE_LIST_MODEL, G_TYPE_INPUT_STREAM, G_TYPE_POINTER,
    G_TYPE_VARIANT, G_TYPE_PARAM, G_TYPE_GTYPE, G_TYPE_NONE, G_TYPE_ENUM, G_TYPE_BOXED
  };
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  Watch watch;

  set_int (blob, 5);
  watch_blob (blob, &watch);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_new = 7;

      g_assert_false (c2g_blob_ensure (blob, types[i], &is_new, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
      g_assert_nonnull (strstr (error->message, g_type_name (types[i])));
      g_assert_cmpint (is_new, ==, 7);
      g_assert_cmpint (get_int (blob), ==, 5);
    }

  g_assert_cmpuint (watch.n_changed, ==, 0);
}

/* Repeats Caffe2's tests BlobUninitialized, BlobWrongType and CastingMessage. */
static void
test_wrong_type (void)
{
  g_autoptr (C2gBlob) named = c2g_blob_new_named ("fc1_w");
  g_autoptr (C2gBlob) unnamed = c2g_blob_new ();
  C2gBlob *blobs[] = { named, unnamed };

  for (gsize i = 0; i < G_N_ELEMENTS (blobs); i++)
    {
      C2gBlob *blob = blobs[i];
      g_autoptr (GError) empty = NULL;
      g_autoptr (GError) empty_pointer = NULL;
      g_autoptr (GError) value = NULL;
      g_autoptr (GError) pointer = NULL;
      g_autoptr (GError) other_pointer = NULL;
      g_autoptr (GError) object = NULL;
      Foo foo = { 1 };
      const char *who = blob == named ? "Blob “fc1_w”" : "The blob";

      g_assert_null (c2g_blob_get_tensor (blob, &empty));
      g_assert_error (empty, C2G_ERROR, C2G_ERROR_TYPE);
      g_assert_true (g_str_has_prefix (empty->message, who));
      g_assert_nonnull (strstr (empty->message, "empty"));
      g_assert_nonnull (strstr (empty->message, "C2gTensor"));
      g_assert_null (c2g_blob_get_pointer (blob, foo_meta, &empty_pointer));
      g_assert_error (empty_pointer, C2G_ERROR, C2G_ERROR_TYPE);
      g_assert_nonnull (strstr (empty_pointer->message, "TestFoo"));

      set_string (blob, "text");
      g_assert_null (c2g_blob_get_tensor (blob, &value));
      g_assert_error (value, C2G_ERROR, C2G_ERROR_TYPE);
      g_assert_true (g_str_has_prefix (value->message, who));
      g_assert_nonnull (strstr (value->message, "holds gchararray, expected C2gTensor"));

      c2g_blob_share_pointer (blob, &foo, foo_meta);
      g_assert_null (c2g_blob_get_tensor (blob, &pointer));
      g_assert_error (pointer, C2G_ERROR, C2G_ERROR_TYPE);
      g_assert_nonnull (strstr (pointer->message, "holds TestFoo, expected C2gTensor"));
      g_assert_null (c2g_blob_get_pointer (blob, bar_meta, &other_pointer));
      g_assert_error (other_pointer, C2G_ERROR, C2G_ERROR_TYPE);
      g_assert_nonnull (strstr (other_pointer->message, "holds TestFoo, expected TestBar"));

      c2g_blob_ensure_tensor (blob, NULL, NULL);
      g_assert_null (c2g_blob_get_pointer (blob, foo_meta, &object));
      g_assert_error (object, C2G_ERROR, C2G_ERROR_TYPE);
      g_assert_nonnull (strstr (object->message, "holds C2gTensor, expected TestFoo"));
      g_assert_null (c2g_blob_get_pointer (blob, foo_meta, NULL));
    }
}

static void
test_values (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GBytes) bytes = g_bytes_new ("12345", 5);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  g_auto (GValue) boxed = G_VALUE_INIT;
  g_auto (GValue) object = G_VALUE_INIT;
  g_auto (GValue) base = G_VALUE_INIT;
  g_auto (GValue) copy = G_VALUE_INIT;
  g_auto (GValue) pointer = G_VALUE_INIT;
  Watch watch;

  watch_blob (blob, &watch);

  g_value_init (&boxed, G_TYPE_BYTES);
  g_value_set_boxed (&boxed, bytes);
  c2g_blob_set_value (blob, &boxed);
  assert_watched (&watch, 1, 1, G_TYPE_INVALID, G_TYPE_BYTES);
  g_assert_true (c2g_blob_get_raw (blob) == bytes);
  c2g_blob_get_value (blob, &copy);
  g_assert_true (g_value_get_boxed (&copy) == bytes);

  /* Each value is a change, even an equal one. */
  set_int (blob, 1);
  set_int (blob, 1);
  assert_watched (&watch, 3, 2, G_TYPE_INT, G_TYPE_INT);
  g_assert_null (c2g_blob_get_raw (blob));

  /* An object in a value is an object, whatever the type of the value. */
  g_value_init (&object, C2G_TYPE_TENSOR);
  g_value_set_object (&object, tensor);
  c2g_blob_set_value (blob, &object);
  g_assert_true (c2g_blob_get_tensor (blob, NULL) == tensor);
  g_value_init (&base, G_TYPE_OBJECT);
  g_value_set_object (&base, tensor);
  c2g_blob_set_value (blob, &base);
  g_assert_true (c2g_blob_get_content_type (blob) == C2G_TYPE_TENSOR);
  assert_watched (&watch, 4, 3, G_TYPE_INT, C2G_TYPE_TENSOR);
  g_value_unset (&copy);
  c2g_blob_get_value (blob, &copy);
  g_assert_true (G_VALUE_TYPE (&copy) == C2G_TYPE_TENSOR);
  g_assert_true (g_value_get_object (&copy) == tensor);

  /* A NULL object empties the blob, and so does a NULL pointer. */
  g_value_set_object (&base, NULL);
  c2g_blob_set_value (blob, &base);
  assert_empty (blob);
  set_int (blob, 1);
  g_value_init (&pointer, G_TYPE_POINTER);
  c2g_blob_set_value (blob, &pointer);
  assert_empty (blob);
  set_int (blob, 1);
  c2g_blob_set_value (blob, NULL);
  assert_empty (blob);
  g_value_set_pointer (&pointer, &watch);
  c2g_blob_set_value (blob, &pointer);
  g_assert_true (c2g_blob_get_raw (blob) == &watch);
  g_assert_null (c2g_blob_get_pointer (blob, foo_meta, NULL));
}

static void
test_objects (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  GCancellable *object = g_cancellable_new ();
  g_autoptr (GObject) stolen = NULL;
  Watch watch;

  watch_blob (blob, &watch);
  c2g_blob_set_object (blob, G_OBJECT (object));
  g_assert_cmpuint (G_OBJECT (object)->ref_count, ==, 2);
  c2g_blob_set_object (blob, G_OBJECT (object));
  g_assert_cmpuint (G_OBJECT (object)->ref_count, ==, 2);
  assert_watched (&watch, 1, 1, G_TYPE_INVALID, G_TYPE_CANCELLABLE);
  g_assert_true (c2g_blob_get_object (blob) == G_OBJECT (object));
  g_assert_true (c2g_blob_get_raw (blob) == object);
  g_object_unref (object);

  stolen = c2g_blob_steal_object (blob);
  g_assert_true (stolen == G_OBJECT (object));
  g_assert_cmpuint (stolen->ref_count, ==, 1);
  assert_empty (blob);
  assert_watched (&watch, 2, 2, G_TYPE_CANCELLABLE, G_TYPE_INVALID);

  c2g_blob_set_object (blob, stolen);
  c2g_blob_set_object (blob, NULL);
  assert_empty (blob);
}

static void
test_ensure_tensor (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  C2gDevice *cuda = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 1, NULL);
  C2gTensor *tensor;
  Watch watch;

  watch_blob (blob, &watch);
  tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
  assert_watched (&watch, 1, 1, G_TYPE_INVALID, C2G_TYPE_TENSOR);
  g_assert_true (c2g_tensor_get_device (tensor) == c2g_device_cpu ());
  g_assert_true (c2g_blob_ensure_tensor (blob, c2g_device_cpu (), NULL) == tensor);
  g_assert_true (c2g_blob_is_tensor (blob, NULL));
  g_assert_true (c2g_blob_is_tensor (blob, c2g_device_cpu ()));
  g_assert_false (c2g_blob_is_tensor (blob, cuda));
  assert_watched (&watch, 1, 1, G_TYPE_INVALID, C2G_TYPE_TENSOR);

  /* A tensor on another device is replaced, as by Caffe2's GetMutableTensor. */
  g_assert_nonnull (c2g_blob_ensure_tensor (blob, cuda, NULL));
  g_assert_true (c2g_blob_is_tensor (blob, cuda));
  assert_watched (&watch, 2, 1, C2G_TYPE_TENSOR, C2G_TYPE_TENSOR);
}

static void
set_strings (C2gTensor *tensor)
{
  g_autoptr (GError) error = NULL;
  const char *texts[] = { "one", "", "three" };

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (3), &error));
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_STRING, &error));
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, G_TYPE_STRING);
      g_value_set_string (&value, texts[i]);
      g_assert_true (c2g_tensor_set_element (tensor, (gint64) i, &value, &error));
    }
  g_assert_no_error (error);
}

static void
test_n_bytes (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (C2gTensor) tensor = new_allocated (6);
  g_autoptr (GCancellable) object = g_cancellable_new ();
  g_autoptr (GBytes) bytes = g_bytes_new ("12345", 5);
  g_auto (GValue) value = G_VALUE_INIT;
  Foo foo = { 1 };

  set_int (blob, 1);
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 0);
  set_string (blob, "four");
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 4);
  set_string (blob, NULL);
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 0);
  g_value_init (&value, G_TYPE_BYTES);
  c2g_blob_set_value (blob, &value);
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 0);
  g_value_set_boxed (&value, bytes);
  c2g_blob_set_value (blob, &value);
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 5);
  c2g_blob_share_pointer (blob, &foo, bar_meta);
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 3);
  c2g_blob_set_object (blob, G_OBJECT (object));
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 0);
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 24);

  set_strings (c2g_blob_ensure_tensor (blob, NULL, NULL));
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 3 * sizeof (gpointer) + 8);
}

static void
test_properties (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new_named ("name");
  g_autofree char *name = NULL;
  GType type;

  g_object_get (blob, "name", &name, "content-type", &type, NULL);
  g_assert_cmpstr (name, ==, "name");
  g_assert_true (type == G_TYPE_INVALID);
  set_string (blob, "text");
  g_object_get (blob, "content-type", &type, NULL);
  g_assert_true (type == G_TYPE_STRING);
}

/* Programming mistakes are criticals and change nothing. */
static void
test_criticals (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_auto (GValue) value = G_VALUE_INIT;

  set_int (blob, 3);
  g_value_init (&value, G_TYPE_STRING);

#define ASSERT_CRITICAL(call)                                                              \
  g_test_expect_message ("C2g", G_LOG_LEVEL_CRITICAL, "*assertion*failed*");                \
  call;                                                                                    \
  g_test_assert_expected_messages ()

  ASSERT_CRITICAL (c2g_blob_get_value (blob, &value));
  ASSERT_CRITICAL (c2g_blob_get_value (blob, NULL));
  ASSERT_CRITICAL (c2g_blob_set_value (blob, &(GValue) G_VALUE_INIT));
  ASSERT_CRITICAL (c2g_blob_take_pointer (blob, NULL, foo_meta, NULL));
  ASSERT_CRITICAL (c2g_blob_take_pointer (blob, blob, NULL, NULL));
  ASSERT_CRITICAL (c2g_blob_share_pointer (blob, NULL, foo_meta));
  ASSERT_CRITICAL (c2g_blob_get_pointer (blob, NULL, NULL));
  ASSERT_CRITICAL (c2g_blob_ensure (blob, G_TYPE_INVALID, NULL, NULL));
  ASSERT_CRITICAL (c2g_blob_swap (blob, NULL));
  ASSERT_CRITICAL (c2g_blob_move_from (NULL, blob));
  ASSERT_CRITICAL (c2g_blob_reset (NULL));

  g_assert_cmpint (get_int (blob), ==, 3);
}

/* Nests so many blobs in blobs that freeing them recursively would overflow the stack. */
static void
test_nested (void)
{
  C2gBlob *outermost = c2g_blob_new ();
  C2gBlob *innermost = outermost;

  g_object_add_weak_pointer (G_OBJECT (innermost), (gpointer *) &innermost);
  for (guint i = c2g_test_count_rounds (300000); i > 0; i--)
    {
      C2gBlob *inner = outermost;

      outermost = c2g_blob_new ();
      c2g_blob_set_object (outermost, G_OBJECT (inner));
      g_object_unref (inner);
    }

  g_assert_cmpuint (c2g_blob_get_n_bytes (outermost), ==, 0);
  g_assert_finalize_object (outermost);
  g_assert_null (innermost);
}

/* Puts a tensor of the program in place of a new one. */
static void
put_own_cb (C2gBlob *blob,
            GType    old_type,
            GType    new_type,
            gpointer own)
{
  if (c2g_blob_get_tensor (blob, NULL) != own)
    c2g_blob_set_object (blob, own);
}

/* A blob that the optimizer made stays derived when its tensor is renewed, until a program sets the content, also from within
 * that. */
static void
test_stays_derived (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (C2gTensor) own = c2g_tensor_new ();

  c2g_blob_set_derived (blob, TRUE);
  g_assert_nonnull (c2g_blob_ensure_tensor (blob, NULL, NULL));
  g_assert_true (c2g_blob_is_derived (blob));
  c2g_blob_set_object (blob, G_OBJECT (own));
  g_assert_false (c2g_blob_is_derived (blob));

  c2g_blob_reset (blob);
  c2g_blob_set_derived (blob, TRUE);
  g_signal_connect (blob, "changed", G_CALLBACK (put_own_cb), own);
  g_assert_true (c2g_blob_ensure_tensor (blob, NULL, NULL) == own);
  g_assert_false (c2g_blob_is_derived (blob));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  register_foo ();

  c2g_test_add_func ("/blob/types", test_types);
  c2g_test_add_func ("/blob/is-new", test_is_new);
  c2g_test_add_func ("/blob/ensure/default", test_ensure_default);
  c2g_test_add_func ("/blob/ensure/derived", test_ensure_derived);
  c2g_test_add_func ("/blob/ensure/impossible", test_ensure_impossible);
  c2g_test_add_func ("/blob/ensure/tensor", test_ensure_tensor);
  c2g_test_add_func ("/blob/wrong-type", test_wrong_type);
  c2g_test_add_func ("/blob/values", test_values);
  c2g_test_add_func ("/blob/objects", test_objects);
  c2g_test_add_func ("/blob/n-bytes", test_n_bytes);
  c2g_test_add_func ("/blob/nested", test_nested);
  c2g_test_add_func ("/blob/properties", test_properties);
  c2g_test_add_func ("/blob/stays-derived", test_stays_derived);
  c2g_test_add_func ("/blob/criticals", test_criticals);

  return c2g_test_run ();
}
