/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <gio/gio.h>

/* test-blob.c tests the types that c2g knows. These tests are about types that programs add. */

#define TEST_TYPE_PICTURE (test_picture_get_type ())
G_DECLARE_DERIVABLE_TYPE (TestPicture, test_picture, TEST, PICTURE, GObject)

struct _TestPictureClass
{
  GObjectClass parent_class;
};

G_DEFINE_TYPE (TestPicture, test_picture, G_TYPE_OBJECT)

static void
test_picture_class_init (TestPictureClass *klass)
{
}

static void
test_picture_init (TestPicture *self)
{
}

#define TEST_TYPE_PHOTO (test_photo_get_type ())
G_DECLARE_FINAL_TYPE (TestPhoto, test_photo, TEST, PHOTO, TestPicture)

struct _TestPhoto
{
  TestPicture parent_instance;
};

static void
init_icon (GIconIface *iface)
{
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestPhoto, test_photo, TEST_TYPE_PICTURE,
                               G_IMPLEMENT_INTERFACE (G_TYPE_ICON, init_icon))

static void
test_photo_class_init (TestPhotoClass *klass)
{
}

static void
test_photo_init (TestPhoto *self)
{
}

static gsize
give_number (C2gBlob  *blob,
             gpointer  user_data)
{
  g_assert_true (G_IS_OBJECT (c2g_blob_get_object (blob)));
  return GPOINTER_TO_SIZE (user_data);
}

static gsize
give_value (C2gBlob  *blob,
            gpointer  user_data)
{
  g_auto (GValue) value = G_VALUE_INIT;

  c2g_blob_get_value (blob, &value);
  return (gsize) g_value_get_int64 (&value);
}

static int n_destroyed;

static void
destroy (gpointer user_data)
{
  n_destroyed++;
}

static gsize
size_of_new (GType gtype)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GObject) object = g_object_new (gtype, NULL);

  c2g_blob_set_object (blob, object);
  return c2g_blob_get_n_bytes (blob);
}

static void
register_number (GType gtype,
                 gsize number)
{
  g_autoptr (GError) error = NULL;
  gboolean is_known;

  is_known = c2g_blob_register_stat (gtype, give_number, GSIZE_TO_POINTER (number), destroy,
                                     &error);
  g_assert_no_error (error);
  g_assert_true (is_known);
}

/* The most specific function is used: that of the class, then of the parent, then of an
 * interface. */
static void
test_derived (void)
{
  g_assert_cmpuint (size_of_new (TEST_TYPE_PHOTO), ==, 0);
  register_number (G_TYPE_ICON, 5);
  g_assert_cmpuint (size_of_new (TEST_TYPE_PHOTO), ==, 5);
  register_number (TEST_TYPE_PICTURE, 10);
  g_assert_cmpuint (size_of_new (TEST_TYPE_PICTURE), ==, 10);
  g_assert_cmpuint (size_of_new (TEST_TYPE_PHOTO), ==, 10);
  register_number (TEST_TYPE_PHOTO, 20);
  g_assert_cmpuint (size_of_new (TEST_TYPE_PICTURE), ==, 10);
  g_assert_cmpuint (size_of_new (TEST_TYPE_PHOTO), ==, 20);
  g_assert_cmpuint (size_of_new (G_TYPE_CANCELLABLE), ==, 0);
}

static void
test_value (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_auto (GValue) value = G_VALUE_INIT;

  c2g_blob_register_stat (G_TYPE_INT64, give_value, NULL, NULL, &error);
  g_assert_no_error (error);
  g_value_init (&value, G_TYPE_INT64);
  g_value_set_int64 (&value, 77);
  c2g_blob_set_value (blob, &value);
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 77);
}

static void
test_taken (void)
{
  const GType types[] = {
    C2G_TYPE_TENSOR,
    C2G_TYPE_Q_TENSOR,
    C2G_TYPE_INT8_TENSOR,
    G_TYPE_STRING,
    G_TYPE_BYTES,
    G_TYPE_POINTER,
    TEST_TYPE_PICTURE,
  };

  if (size_of_new (TEST_TYPE_PICTURE) == 0)
    register_number (TEST_TYPE_PICTURE, 10);

  n_destroyed = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (c2g_blob_register_stat (types[i], give_number, NULL, destroy, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_EXISTS);
      g_assert_nonnull (strstr (error->message, g_type_name (types[i])));
      g_assert_cmpint (n_destroyed, ==, i + 1);
    }
}

static void
test_quantized (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_scalar (C2G_DATA_TYPE_INT32, 1, NULL);
  g_autoptr (C2gInt8Tensor) int8_tensor = c2g_int8_tensor_new (tensor, 1, 0);
  g_autoptr (C2gQTensor) q_tensor = c2g_q_tensor_new (C2G_TEST_DIMS (30), 3, FALSE, NULL);

  c2g_blob_set_object (blob, G_OBJECT (int8_tensor));
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 4);
  c2g_blob_set_object (blob, G_OBJECT (q_tensor));
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 12);
}

/* Memory of quantized tensors is reported under the blob's name, also after their tensor is
 * replaced. */
static void
test_report (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) int8_blob = c2g_workspace_create_blob (workspace, "small", NULL);
  g_autoptr (C2gBlob) q_blob = c2g_workspace_create_blob (workspace, "bits", NULL);
  g_autoptr (C2gTensor) first = c2g_tensor_new_sized (C2G_TEST_DIMS (1000), NULL, NULL);
  g_autoptr (C2gTensor) second = c2g_tensor_new_sized (C2G_TEST_DIMS (2000), NULL, NULL);
  g_autoptr (C2gInt8Tensor) int8_tensor = c2g_int8_tensor_new (first, 1, 0);
  g_autoptr (C2gQTensor) q_tensor = c2g_q_tensor_new (C2G_TEST_DIMS (8000), 3, FALSE, NULL);
  g_autofree char *report = NULL;
  g_autofree char *later = NULL;

  c2g_tensor_allocate (first, C2G_DATA_TYPE_UINT8, NULL);
  c2g_tensor_allocate (second, C2G_DATA_TYPE_UINT8, NULL);
  c2g_blob_set_object (int8_blob, G_OBJECT (int8_tensor));
  c2g_blob_set_object (q_blob, G_OBJECT (q_tensor));
  report = c2g_workspace_dup_report (workspace);
  g_assert_nonnull (strstr (report, "          1000 "));
  g_assert_nonnull (strstr (report, "          3000 "));

  c2g_int8_tensor_set_tensor (int8_tensor, second);
  c2g_blob_reset (q_blob);
  later = c2g_workspace_dup_report (workspace);
  g_assert_null (strstr (later, "          1000 "));
  g_assert_null (strstr (later, "          3000 "));
  g_assert_nonnull (strstr (later, "          2000 "));
}

static gpointer
register_in_thread (gpointer data)
{
  static const char *const names[] = { "TestStatA", "TestStatB", "TestStatC" };
  guint n_known = 0;

  for (gsize i = 0; i < 100; i++)
    {
      const char *name = names[i % G_N_ELEMENTS (names)];

      n_known += c2g_blob_register_stat (g_type_from_name (name), give_number, NULL, NULL, NULL);
      size_of_new (g_type_from_name (name));
    }

  return GUINT_TO_POINTER (n_known);
}

static void
test_threads (void)
{
  GThread *threads[4];
  guint n_known = 0;

  for (char c = 'A'; c <= 'C'; c++)
    {
      g_autofree char *name = g_strdup_printf ("TestStat%c", c);

      g_type_register_static_simple (G_TYPE_OBJECT, name, sizeof (GObjectClass), NULL,
                                     sizeof (GObject), NULL, 0);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("register", register_in_thread, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    n_known += GPOINTER_TO_UINT (g_thread_join (threads[i]));

  /* Each type was registered by exactly one thread. */
  g_assert_cmpuint (n_known, ==, 3);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/blob-stat/derived", test_derived);
  c2g_test_add_func ("/blob-stat/value", test_value);
  c2g_test_add_func ("/blob-stat/taken", test_taken);
  c2g_test_add_func ("/blob-stat/quantized", test_quantized);
  c2g_test_add_func ("/blob-stat/report", test_report);
  c2g_test_add_func ("/blob-stat/threads", test_threads);

  return c2g_test_run ();
}
