/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-blob-private.h>

#include "blob-utils.h"

#include <string.h>

/* These tests cover how content is put into a blob and taken out, and what destroy functions and
 * handlers may do meanwhile. */

/* Repeats Caffe2's test BlobReset. */
static void
test_reset (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  C2gTensor *tensor;
  Watch watch;

  watch_blob (blob, &watch);
  c2g_blob_reset (blob);
  assert_watched (&watch, 0, 0, G_TYPE_INVALID, G_TYPE_INVALID);

  n_foos_destroyed = 0;
  c2g_blob_take_pointer (blob, foo_new (1), foo_meta, foo_destroy);
  assert_watched (&watch, 1, 1, G_TYPE_INVALID, G_TYPE_POINTER);
  g_assert_cmpuint (n_foos_destroyed, ==, 0);
  c2g_blob_take_pointer (blob, foo_new (2), foo_meta, foo_destroy);
  assert_watched (&watch, 2, 1, G_TYPE_POINTER, G_TYPE_POINTER);
  g_assert_cmpuint (n_foos_destroyed, ==, 1);
  c2g_blob_reset (blob);
  assert_watched (&watch, 3, 2, G_TYPE_POINTER, G_TYPE_INVALID);
  g_assert_cmpuint (n_foos_destroyed, ==, 2);
  assert_empty (blob);

  tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
  g_object_add_weak_pointer (G_OBJECT (tensor), (gpointer *) &tensor);
  c2g_blob_reset (blob);
  g_assert_null (tensor);

  c2g_blob_take_pointer (blob, foo_new (3), foo_meta, foo_destroy);
  g_assert_finalize_object (g_steal_pointer (&blob));
  g_assert_cmpuint (n_foos_destroyed, ==, 3);
}

/* Repeats Caffe2's test BlobMove. */
static void
test_move (void)
{
  g_autoptr (C2gBlob) from = c2g_blob_new ();
  g_autoptr (C2gBlob) to = c2g_blob_new ();
  Foo *foo = foo_new (1);
  Watch from_watch, to_watch;

  watch_blob (from, &from_watch);
  watch_blob (to, &to_watch);
  c2g_blob_move_from (to, from);
  g_assert_cmpuint (from_watch.n_changed + to_watch.n_changed, ==, 0);

  n_foos_destroyed = 0;
  c2g_blob_take_pointer (from, foo, foo_meta, foo_destroy);
  c2g_blob_take_pointer (to, foo_new (2), foo_meta, foo_destroy);
  c2g_blob_move_from (to, from);
  assert_empty (from);
  g_assert_true (c2g_blob_get_pointer (to, foo_meta, NULL) == foo);
  g_assert_cmpuint (n_foos_destroyed, ==, 1);
  assert_watched (&from_watch, 2, 2, G_TYPE_POINTER, G_TYPE_INVALID);
  assert_watched (&to_watch, 2, 1, G_TYPE_POINTER, G_TYPE_POINTER);

  c2g_blob_move_from (to, to);
  g_assert_true (c2g_blob_get_pointer (to, foo_meta, NULL) == foo);
  assert_watched (&to_watch, 2, 1, G_TYPE_POINTER, G_TYPE_POINTER);

  /* Moving from an empty blob clears the content. */
  c2g_blob_move_from (to, from);
  assert_empty (to);
  assert_watched (&from_watch, 2, 2, G_TYPE_POINTER, G_TYPE_INVALID);
  assert_watched (&to_watch, 3, 2, G_TYPE_POINTER, G_TYPE_INVALID);
  g_assert_cmpuint (n_foos_destroyed, ==, 2);
}

static void
test_swap (void)
{
  g_autoptr (C2gBlob) first = c2g_blob_new_named ("first");
  g_autoptr (C2gBlob) second = c2g_blob_new_named ("second");
  g_autofree char *name = NULL;
  C2gTensor *tensor = c2g_blob_ensure_tensor (first, NULL, NULL);
  Watch first_watch, second_watch;

  watch_blob (first, &first_watch);
  watch_blob (second, &second_watch);
  set_int (second, 3);
  c2g_blob_swap (first, second);

  g_assert_cmpint (get_int (first), ==, 3);
  g_assert_true (c2g_blob_get_tensor (second, NULL) == tensor);
  assert_watched (&first_watch, 1, 1, C2G_TYPE_TENSOR, G_TYPE_INT);
  assert_watched (&second_watch, 2, 2, G_TYPE_INT, C2G_TYPE_TENSOR);
  name = c2g_blob_dup_name (second);
  g_assert_cmpstr (name, ==, "second");

  c2g_blob_swap (second, second);
  g_assert_true (c2g_blob_get_tensor (second, NULL) == tensor);
  assert_watched (&second_watch, 2, 2, G_TYPE_INT, C2G_TYPE_TENSOR);

  c2g_blob_reset (first);
  c2g_blob_reset (second);
  first_watch.n_changed = second_watch.n_changed = 0;
  c2g_blob_swap (first, second);
  g_assert_cmpuint (first_watch.n_changed + second_watch.n_changed, ==, 0);
}

/* Repeats Caffe2's tests BlobShareExternalPointer and BlobShareExternalObject. */
static void
test_share_pointer (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  Foo *foo = foo_new (4);

  c2g_blob_share_pointer (blob, foo, foo_meta);
  g_assert_true (c2g_blob_get_pointer (blob, foo_meta, NULL) == foo);
  g_assert_true (c2g_blob_get_raw (blob) == foo);
  c2g_blob_get_value (blob, &value);
  g_assert_true (G_VALUE_HOLDS_POINTER (&value));
  g_assert_true (g_value_get_pointer (&value) == foo);

  g_assert_null (c2g_blob_release_pointer (blob, foo_meta, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "TestFoo"));
  g_assert_true (c2g_blob_get_raw (blob) == foo);

  c2g_blob_reset (blob);
  assert_empty (blob);
  g_assert_cmpint (foo->value, ==, 4);
  g_free (foo);
}

static void
test_release_pointer (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GError) error = NULL;
  Foo *foo = foo_new (1);
  Foo constant = { 2 };
  Watch watch;

  n_foos_destroyed = 0;
  c2g_blob_take_pointer (blob, foo, foo_meta, foo_destroy);
  watch_blob (blob, &watch);

  g_assert_null (c2g_blob_release_pointer (blob, bar_meta, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  assert_watched (&watch, 0, 0, G_TYPE_INVALID, G_TYPE_INVALID);

  g_assert_true (c2g_blob_release_pointer (blob, foo_meta, &error) == foo);
  g_assert_no_error (error);
  assert_empty (blob);
  assert_watched (&watch, 1, 1, G_TYPE_POINTER, G_TYPE_INVALID);
  g_assert_cmpuint (n_foos_destroyed, ==, 0);
  g_free (foo);

  g_assert_null (c2g_blob_release_pointer (blob, foo_meta, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);

  /* The blob owns a pointer even if there is no destroy function. */
  c2g_blob_take_pointer (blob, &constant, foo_meta, NULL);
  g_assert_true (c2g_blob_release_pointer (blob, foo_meta, &error) == &constant);
  c2g_blob_take_pointer (blob, &constant, foo_meta, NULL);
  c2g_blob_reset (blob);
}

/* Setting the same pointer again does not destroy it. */
static void
test_same_pointer (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  Foo *foo = foo_new (1);

  n_foos_destroyed = 0;
  c2g_blob_share_pointer (blob, foo, foo_meta);
  c2g_blob_take_pointer (blob, foo, foo_meta, foo_destroy);
  c2g_blob_take_pointer (blob, foo, foo_meta, foo_destroy);
  g_assert_cmpuint (n_foos_destroyed, ==, 0);
  c2g_blob_share_pointer (blob, foo, foo_meta);
  c2g_blob_reset (blob);
  g_assert_cmpuint (n_foos_destroyed, ==, 0);

  c2g_blob_take_pointer (blob, foo, foo_meta, foo_destroy);
  c2g_blob_reset (blob);
  g_assert_cmpuint (n_foos_destroyed, ==, 1);
}

/* Destroy functions and signal handlers may change the blob. */
static void
set_int_destroy (gpointer data)
{
  set_int (data, 42);
}

static void
set_int_once_cb (C2gBlob *blob,
                 GType    old_type,
                 GType    new_type,
                 guint   *n_calls)
{
  if ((*n_calls)++ == 0)
    set_int (blob, 7);
}

static void
test_reentrancy (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  guint n_calls = 0;
  Watch watch;

  c2g_blob_take_pointer (blob, blob, foo_meta, set_int_destroy);
  watch_blob (blob, &watch);
  c2g_blob_reset (blob);
  g_assert_cmpint (get_int (blob), ==, 42);
  assert_watched (&watch, 2, 2, G_TYPE_INVALID, G_TYPE_INT);

  g_signal_handlers_disconnect_by_data (blob, &watch);
  g_signal_connect (blob, "changed", G_CALLBACK (set_int_once_cb), &n_calls);
  n_foos_destroyed = 0;
  c2g_blob_take_pointer (blob, foo_new (1), foo_meta, foo_destroy);
  g_assert_cmpuint (n_calls, ==, 2);
  g_assert_cmpuint (n_foos_destroyed, ==, 1);
  g_assert_cmpint (get_int (blob), ==, 7);

  /* A handler replaces the new tensor, so ensure_tensor() fails. */
  n_calls = 0;
  g_assert_null (c2g_blob_ensure_tensor (blob, NULL, NULL));
  g_assert_cmpint (get_int (blob), ==, 7);

  /* A destroy function may also set content while the blob is disposed. */
  c2g_blob_take_pointer (blob, blob, foo_meta, set_int_destroy);
  g_assert_finalize_object (g_steal_pointer (&blob));
}

static void
unref_blob_cb (C2gBlob *blob,
               GType    old_type,
               GType    new_type,
               gpointer user_data)
{
  g_object_unref (blob);
}

static void
test_unref_in_handler (void)
{
  C2gBlob *blob = c2g_blob_new ();

  g_object_add_weak_pointer (G_OBJECT (blob), (gpointer *) &blob);
  n_foos_destroyed = 0;
  c2g_blob_take_pointer (blob, foo_new (1), foo_meta, foo_destroy);
  g_signal_connect (blob, "changed", G_CALLBACK (unref_blob_cb), NULL);
  c2g_blob_reset (blob);
  g_assert_null (blob);
  g_assert_cmpuint (n_foos_destroyed, ==, 1);
}

static void
test_dispose (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new_named ("disposed");
  g_autofree char *name = NULL;
  Watch watch;

  c2g_blob_ensure_tensor (blob, NULL, NULL);
  watch_blob (blob, &watch);
  g_object_run_dispose (G_OBJECT (blob));
  assert_empty (blob);
  g_assert_cmpuint (watch.n_changed + watch.n_notified, ==, 0);
  name = c2g_blob_dup_name (blob);
  g_assert_cmpstr (name, ==, "disposed");
  set_int (blob, 3);
  g_assert_cmpint (get_int (blob), ==, 3);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  register_foo ();

  c2g_test_add_func ("/blob/reset", test_reset);
  c2g_test_add_func ("/blob/move", test_move);
  c2g_test_add_func ("/blob/swap", test_swap);
  c2g_test_add_func ("/blob/pointer/share", test_share_pointer);
  c2g_test_add_func ("/blob/pointer/release", test_release_pointer);
  c2g_test_add_func ("/blob/pointer/same", test_same_pointer);
  c2g_test_add_func ("/blob/reentrancy", test_reentrancy);
  c2g_test_add_func ("/blob/unref-in-handler", test_unref_in_handler);
  c2g_test_add_func ("/blob/dispose", test_dispose);

  return c2g_test_run ();
}
