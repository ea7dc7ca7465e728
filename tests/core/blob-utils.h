/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

/* The element type of these tests, like BlobTestFoo in Caffe2's test. */
typedef struct
{
  gint32 value;
} Foo;

static C2gTypeMeta *foo_meta;
static C2gTypeMeta *bar_meta;
static guint n_foos_destroyed;

static inline Foo *
foo_new (gint32 value)
{
  Foo *foo = g_new (Foo, 1);

  foo->value = value;

  return foo;
}

static inline void
foo_destroy (gpointer data)
{
  n_foos_destroyed++;
  g_free (data);
}

static inline void
register_foo (void)
{
  g_autoptr (GError) error = NULL;

  foo_meta = c2g_type_meta_register ("TestFoo", sizeof (Foo), &error);
  g_assert_no_error (error);
  bar_meta = c2g_type_meta_register ("TestBar", 3, &error);
  g_assert_no_error (error);
}

/* Counts the signals `changed`, `notify::content-type` and `notify::value`, and keeps their last
 * arguments. */
typedef struct
{
  guint n_changed;
  guint n_notified;
  guint n_values;
  GType old_type;
  GType new_type;
} Watch;

static inline void
changed_cb (C2gBlob *blob,
            GType    old_type,
            GType    new_type,
            Watch   *watch)
{
  watch->n_changed++;
  watch->old_type = old_type;
  watch->new_type = new_type;
  g_assert_true (c2g_blob_get_content_type (blob) == new_type);
}

static inline void
notify_cb (C2gBlob    *blob,
           GParamSpec *pspec,
           Watch      *watch)
{
  watch->n_notified++;
}

static inline void
notify_value_cb (C2gBlob    *blob,
                 GParamSpec *pspec,
                 Watch      *watch)
{
  g_assert_cmpuint (watch->n_values, ==, watch->n_changed);
  watch->n_values++;
}

static inline void
watch_blob (C2gBlob *blob,
            Watch   *watch)
{
  *watch = (Watch) { 0 };
  g_signal_connect (blob, "changed", G_CALLBACK (changed_cb), watch);
  g_signal_connect (blob, "notify::content-type", G_CALLBACK (notify_cb), watch);
  g_signal_connect (blob, "notify::value", G_CALLBACK (notify_value_cb), watch);
}

static inline void
assert_watched (const Watch *watch,
                guint        n_changed,
                guint        n_notified,
                GType        old_type,
                GType        new_type)
{
  g_assert_cmpuint (watch->n_changed, ==, n_changed);
  g_assert_cmpuint (watch->n_notified, ==, n_notified);
  g_assert_cmpuint (watch->n_values, ==, n_changed);
  g_assert_cmpstr (g_type_name (watch->old_type), ==, g_type_name (old_type));
  g_assert_cmpstr (g_type_name (watch->new_type), ==, g_type_name (new_type));
}

static inline void
set_int (C2gBlob *blob,
         int      number)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_INT);
  g_value_set_int (&value, number);
  c2g_blob_set_value (blob, &value);
}

static inline void
set_string (C2gBlob    *blob,
            const char *text)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_value_set_string (&value, text);
  c2g_blob_set_value (blob, &value);
}

static inline int
get_int (C2gBlob *blob)
{
  g_auto (GValue) value = G_VALUE_INIT;

  c2g_blob_get_value (blob, &value);
  g_assert_true (G_VALUE_HOLDS_INT (&value));

  return g_value_get_int (&value);
}

static inline C2gTensor *
new_allocated (gint64 n)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (&n, 1, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_no_error (error);

  return tensor;
}

static inline void
assert_empty (C2gBlob *blob)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_assert_true (c2g_blob_is_empty (blob));
  g_assert_true (c2g_blob_get_content_type (blob) == G_TYPE_INVALID);
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 0);
  g_assert_null (c2g_blob_get_object (blob));
  g_assert_null (c2g_blob_get_raw (blob));
  g_assert_null (c2g_blob_get_type_meta (blob));
  g_assert_null (c2g_blob_steal_object (blob));
  g_assert_false (c2g_blob_is_tensor (blob, NULL));
  g_assert_false (c2g_blob_is_type (blob, G_TYPE_OBJECT));

  c2g_blob_get_value (blob, &value);
  g_assert_true (G_VALUE_HOLDS_POINTER (&value));
  g_assert_null (g_value_get_pointer (&value));
}
