/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/serializer-utils.h"

#include <gio/gio.h>

/* Serializers of a program. */

#define TEST_TYPE_ITEM (test_item_get_type ())
G_DECLARE_DERIVABLE_TYPE (TestItem, test_item, TEST, ITEM, GObject)

struct _TestItemClass
{
  GObjectClass parent_class;
};

typedef struct
{
  int n_chunks;
} TestItemPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (TestItem, test_item, G_TYPE_OBJECT)

static void
test_item_class_init (TestItemClass *klass)
{
}

static void
test_item_init (TestItem *self)
{
}

static int *
chunks_of (C2gBlob *blob)
{
  TestItem *item = TEST_ITEM (c2g_blob_get_object (blob));

  return &((TestItemPrivate *) test_item_get_instance_private (item))->n_chunks;
}

static C2gBlob *
new_item (int n_chunks)
{
  g_autoptr (GObject) item = g_object_new (TEST_TYPE_ITEM, NULL);
  C2gBlob *blob = new_blob_of (item);

  *chunks_of (blob) = n_chunks;
  return blob;
}

/* A derived class with an interface. */
#define TEST_TYPE_SPECIAL_ITEM (test_special_item_get_type ())
G_DECLARE_FINAL_TYPE (TestSpecialItem, test_special_item, TEST, SPECIAL_ITEM, TestItem)

struct _TestSpecialItem
{
  TestItem parent_instance;
};

static void
init_icon (GIconIface *iface)
{
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestSpecialItem, test_special_item, TEST_TYPE_ITEM,
                               G_IMPLEMENT_INTERFACE (G_TYPE_ICON, init_icon))

static void
test_special_item_class_init (TestSpecialItemClass *klass)
{
}

static void
test_special_item_init (TestSpecialItem *self)
{
}

/* Like Caffe2's DummyType: the item says how many chunks there are, and counts them when it is
 * read. The serializer can fail in several ways. */
typedef enum
{
  WORKS,
  SETS_ERROR,
  SAYS_NOTHING,
  SUCCEEDS_WITH_ERROR,
  LEAVES_EMPTY,
} Behaviour;

#define TEST_TYPE_SERIALIZER (test_serializer_get_type ())
G_DECLARE_FINAL_TYPE (TestSerializer, test_serializer, TEST, SERIALIZER, C2gSerializer)

struct _TestSerializer
{
  C2gSerializer parent_instance;

  Behaviour     behaviour;
};

G_DEFINE_FINAL_TYPE (TestSerializer, test_serializer, C2G_TYPE_SERIALIZER)

static gboolean
behave (TestSerializer  *self,
        GError         **error)
{
  if (self->behaviour == SETS_ERROR || self->behaviour == SUCCEEDS_WITH_ERROR)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BUSY, "busy");
  return self->behaviour == WORKS || self->behaviour >= SUCCEEDS_WITH_ERROR;
}

static guint
test_serializer_get_n_chunks (C2gSerializer *serializer,
                              C2gBlob       *blob,
                              gint64         chunk_size)
{
  return chunk_size == C2G_NO_CHUNKING ? 1 : *chunks_of (blob);
}

static GBytes *
test_serializer_serialize_content (C2gSerializer *serializer,
                                   C2gBlob       *blob,
                                   guint          chunk,
                                   guint          n_chunks,
                                   GError       **error)
{
  g_autofree char *text = g_strdup_printf ("%u of %u", chunk, n_chunks);

  if (!behave (TEST_SERIALIZER (serializer), error))
    return NULL;
  return g_bytes_new (text, strlen (text));
}

static gboolean
test_serializer_deserialize_content (C2gSerializer *serializer,
                                     C2gBlob       *blob,
                                     GBytes        *content,
                                     guint          chunk,
                                     guint          n_chunks,
                                     GError       **error)
{
  TestSerializer *self = TEST_SERIALIZER (serializer);
  g_autofree char *text = g_strdup_printf ("%u of %u", chunk, n_chunks);

  g_assert_cmpmem (g_bytes_get_data (content, NULL), g_bytes_get_size (content), text,
                   strlen (text));
  g_assert_cmpint (c2g_blob_is_empty (blob), ==, chunk == 0);
  if (self->behaviour == LEAVES_EMPTY)
    return TRUE;

  g_assert_true (c2g_blob_ensure (blob, TEST_TYPE_ITEM, NULL, NULL));
  g_assert_cmpint (*chunks_of (blob), ==, chunk);
  *chunks_of (blob) += 1;
  return behave (self, error);
}

static void
test_serializer_class_init (TestSerializerClass *klass)
{
  C2gSerializerClass *serializer_class = C2G_SERIALIZER_CLASS (klass);

  serializer_class->get_n_chunks = test_serializer_get_n_chunks;
  serializer_class->serialize_content = test_serializer_serialize_content;
  serializer_class->deserialize_content = test_serializer_deserialize_content;
}

static void
test_serializer_init (TestSerializer *self)
{
}

/* Returns the serializer for items, which is registered at the first call. */
static TestSerializer *
get_serializer (void)
{
  static TestSerializer *serializer;
  g_autoptr (GError) error = NULL;

  if (serializer != NULL)
    return serializer;

  serializer = g_object_new (TEST_TYPE_SERIALIZER, NULL);
  g_assert_null (c2g_serializer_get_blob_type (C2G_SERIALIZER (serializer)));
  c2g_serializer_register (TEST_TYPE_ITEM, "TestItem", C2G_SERIALIZER (serializer), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (c2g_serializer_get_blob_type (C2G_SERIALIZER (serializer)), ==, "TestItem");
  /* The registry has a reference. */
  g_object_unref (serializer);
  return serializer;
}

/* Caffe2's ContentChunks. */
static void
test_content_chunks (void)
{
  static const int counts[] = { 1, 2, 10 };

  get_serializer ()->behaviour = WORKS;
  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      int n = counts[i];
      g_autoptr (C2gBlob) blob = new_item (n);
      g_autoptr (C2gBlob) loaded = NULL;
      g_auto (Chunks) chunks = { NULL };

      chunks_init (&chunks, blob, "test", C2G_DEFAULT_CHUNK_SIZE);
      g_assert_cmpuint (chunks.values->len, ==, n);
      g_assert_cmpstr (chunks.keys->pdata[n - 1], ==,
                       n == 1 ? "test" : n == 2 ? "test#%1"
                                                : "test#%9");
      for (int j = 0; j < n; j++)
        {
          Caffe2__BlobProto *proto = parse_blob (chunks.values->pdata[j]);

          g_assert_cmpstr (proto->name, ==, "test");
          g_assert_cmpstr (proto->type, ==, "TestItem");
          g_assert_true (proto->has_content);
          g_assert_cmpint (proto->has_content_num_chunks, ==, n > 1);
          g_assert_cmpint (proto->has_content_chunk_id, ==, n > 1);
          g_assert_cmpint (proto->content_num_chunks, ==, n > 1 ? n : 0);
          g_assert_cmpint (proto->content_chunk_id, ==, j);
          caffe2__blob_proto__free_unpacked (proto, NULL);
        }

      loaded = chunks_read (&chunks);
      g_assert_true (c2g_blob_get_object (loaded) != c2g_blob_get_object (blob));
      g_assert_cmpint (*chunks_of (loaded), ==, n);
    }
}

static void
test_one_message (void)
{
  g_autoptr (C2gBlob) blob = new_item (5);
  g_autoptr (C2gBlob) loaded = NULL;
  g_autoptr (C2gBlob) other = c2g_blob_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Chunks) chunks = { NULL };

  get_serializer ()->behaviour = WORKS;
  bytes = serialize (blob, "x");
  loaded = deserialize (bytes);
  g_assert_cmpint (*chunks_of (loaded), ==, 1);

  /* A single chunk is not enough. */
  chunks_init (&chunks, blob, "x", 1);
  g_assert_false (c2g_blob_deserialize (other, chunks.values->pdata[0], &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
}

static void
assert_failure (GError     **error,
                GQuark       domain,
                int          code,
                const char  *text)
{
  g_assert_error (*error, domain, code);
  g_assert_nonnull (strstr ((*error)->message, text));
  g_clear_error (error);
}

static void
test_failures (void)
{
  TestSerializer *serializer = get_serializer ();
  g_autoptr (C2gBlob) blob = new_item (1);
  g_autoptr (C2gBlob) target = io_new_floats (3);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) again = NULL;
  GError *error = NULL;

  serializer->behaviour = WORKS;
  bytes = serialize (blob, "x");

  serializer->behaviour = SETS_ERROR;
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  assert_failure (&error, G_IO_ERROR, G_IO_ERROR_BUSY, "busy");
  g_assert_false (c2g_blob_deserialize (target, bytes, &error));
  assert_failure (&error, G_IO_ERROR, G_IO_ERROR_BUSY, "busy");

  serializer->behaviour = SAYS_NOTHING;
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  assert_failure (&error, C2G_ERROR, C2G_ERROR_FAILED, "TestSerializer");
  g_assert_false (c2g_blob_deserialize (target, bytes, &error));
  assert_failure (&error, C2G_ERROR, C2G_ERROR_FAILED, "TestSerializer");

  serializer->behaviour = LEAVES_EMPTY;
  g_assert_false (c2g_blob_deserialize (target, bytes, &error));
  assert_failure (&error, C2G_ERROR, C2G_ERROR_FAILED, "TestSerializer");
  g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (target, NULL)), ==, 3);

  serializer->behaviour = SUCCEEDS_WITH_ERROR;
  again = c2g_blob_serialize (blob, "x", &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (again, bytes));
  g_assert_true (c2g_blob_deserialize (target, bytes, &error));
  g_assert_no_error (error);
  serializer->behaviour = WORKS;
}

/* A class that implements no virtual function. */
static void
test_not_implemented (void)
{
  g_autoptr (C2gSerializer) nothing = g_object_new (C2G_TYPE_SERIALIZER, NULL);
  g_autoptr (GObject) object = g_object_new (G_TYPE_CANCELLABLE, NULL);
  g_autoptr (C2gBlob) blob = new_blob_of (object);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GByteArray) message = g_byte_array_new ();
  GError *error = NULL;

  c2g_serializer_register (G_TYPE_CANCELLABLE, "TestNothing", nothing, &error);
  g_assert_no_error (error);
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  assert_failure (&error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, "C2gSerializer");

  c2g_wire_put_bytes (message, 2, "TestNothing", 11);
  bytes = g_bytes_new (message->data, message->len);
  g_assert_false (c2g_blob_deserialize (blob, bytes, &error));
  assert_failure (&error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, "C2gSerializer");
}

static void
assert_not_registered (GType          content_type,
                       const char    *blob_type,
                       C2gSerializer *serializer,
                       C2gError       code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_serializer_register (content_type, blob_type, serializer, &error));
  g_assert_error (error, C2G_ERROR, (int) code);
}

static void
test_register (void)
{
  C2gSerializer *registered = C2G_SERIALIZER (get_serializer ());
  C2gSerializer *serializer = g_object_new (TEST_TYPE_SERIALIZER, NULL);
  g_autoptr (GError) error = NULL;
  guint n_references;

  assert_not_registered (TEST_TYPE_ITEM, "TestOther", serializer, C2G_ERROR_EXISTS);
  assert_not_registered (G_TYPE_FILE, "TestItem", serializer, C2G_ERROR_EXISTS);
  assert_not_registered (G_TYPE_FILE, "Tensor", serializer, C2G_ERROR_EXISTS);
  assert_not_registered (G_TYPE_FILE, "TensorCPU", serializer, C2G_ERROR_EXISTS);
  assert_not_registered (C2G_TYPE_TENSOR, "TestOther", serializer, C2G_ERROR_EXISTS);
  assert_not_registered (G_TYPE_INT, "TestOther", serializer, C2G_ERROR_EXISTS);
  assert_not_registered (G_TYPE_FILE, "", serializer, C2G_ERROR_INVALID_ARGUMENT);
  assert_not_registered (G_TYPE_FILE, "\xff", serializer, C2G_ERROR_INVALID_ARGUMENT);
  assert_not_registered (G_TYPE_FILE, "TestSecond", registered, C2G_ERROR_INVALID_ARGUMENT);
  assert_not_registered (TEST_TYPE_ITEM, "TestItem", serializer, C2G_ERROR_EXISTS);

  /* Registering the same serializer again is no error and has no effect. */
  n_references = G_OBJECT (registered)->ref_count;
  g_assert_true (c2g_serializer_register (TEST_TYPE_ITEM, "TestItem", registered, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (G_OBJECT (registered)->ref_count, ==, n_references);

  /* The failed call has changed nothing. */
  g_assert_null (c2g_serializer_get_blob_type (serializer));
  g_assert_null (c2g_serializer_lookup_for_blob_type ("TestOther", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_finalize_object (serializer);
}

static void
assert_lookup (GType          content_type,
               C2gSerializer *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gSerializer) found = c2g_serializer_lookup (content_type, &error);

  g_assert_true (found == expected);
  if (expected == NULL)
    {
      g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
      g_assert_nonnull (strstr (error->message, g_type_name (content_type)));
    }
}

/* Serializers for a class and for an interface; the latter counts only if there is none for a
 * class. */
static void
test_lookup (void)
{
  C2gSerializer *serializer = C2G_SERIALIZER (get_serializer ());
  g_autoptr (C2gSerializer) for_icons = g_object_new (TEST_TYPE_SERIALIZER, NULL);
  g_autoptr (C2gSerializer) found = NULL;

  assert_lookup (TEST_TYPE_ITEM, serializer);
  assert_lookup (TEST_TYPE_SPECIAL_ITEM, serializer);
  assert_lookup (G_TYPE_OBJECT, NULL);
  assert_lookup (G_TYPE_DATE_TIME, NULL);
  assert_lookup (G_TYPE_BYTES_ICON, NULL);

  g_assert_true (c2g_serializer_register (G_TYPE_ICON, "TestIcon", for_icons, NULL));
  assert_lookup (G_TYPE_BYTES_ICON, for_icons);
  assert_lookup (TEST_TYPE_SPECIAL_ITEM, serializer);

  /* The same serializer for another content type. */
  g_assert_true (c2g_serializer_register (TEST_TYPE_SPECIAL_ITEM, "TestIcon", for_icons, NULL));
  assert_lookup (TEST_TYPE_SPECIAL_ITEM, for_icons);

  found = c2g_serializer_lookup_for_blob_type ("TestItem", NULL);
  g_assert_true (found == serializer);
}

static void
test_builtins (void)
{
  static const char *const names[] = {
    "Int8TensorCPU",
    "QTensor",
    "Tensor",
    "std::string",
    "std::unique_ptr<Counter<int64_t>>",
  };
  g_auto (GStrv) listed = c2g_serializer_list_blob_types ();
  g_autoptr (C2gSerializer) tensors = c2g_serializer_lookup (C2G_TYPE_TENSOR, NULL);
  g_autoptr (C2gSerializer) alias = c2g_serializer_lookup_for_blob_type ("TensorCPU", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (C2gSerializer) found = c2g_serializer_lookup_for_blob_type (names[i], NULL);

      g_assert_nonnull (found);
      g_assert_cmpstr (c2g_serializer_get_blob_type (found), ==, names[i]);
      g_assert_true (g_strv_contains ((const char *const *) listed, names[i]));
    }

  g_assert_true (alias == tensors);
  for (guint i = 1; i < g_strv_length (listed); i++)
    g_assert_cmpstr (listed[i - 1], <, listed[i]);
}

/* The error names the type of unknown content. */
static void
test_unknown (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GObject) object = g_object_new (C2G_TYPE_WORKSPACE, NULL);
  C2gTypeMeta *meta = c2g_type_meta_register ("test_unknown", 4, NULL);
  gint32 number = 1;
  GError *error = NULL;

  c2g_blob_set_object (blob, object);
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  assert_failure (&error, C2G_ERROR, C2G_ERROR_TYPE, "C2gWorkspace");
  c2g_blob_share_pointer (blob, &number, meta);
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  assert_failure (&error, C2G_ERROR, C2G_ERROR_TYPE, "test_unknown");
}

#define N_THREADS 4
#define N_TYPES   20

static gpointer
use_registry (gpointer data)
{
  guint n_registered = 0;

  for (guint i = 0; i < N_TYPES; i++)
    {
      g_autofree char *name = g_strdup_printf ("TestThread%u", i);
      g_autoptr (C2gSerializer) serializer = g_object_new (TEST_TYPE_SERIALIZER, NULL);
      g_autoptr (C2gSerializer) found = NULL;
      g_auto (GStrv) listed = NULL;

      n_registered += c2g_serializer_register (g_type_from_name (name), name, serializer, NULL);
      found = c2g_serializer_lookup (g_type_from_name (name), NULL);
      g_assert_cmpstr (c2g_serializer_get_blob_type (found), ==, name);
      listed = c2g_serializer_list_blob_types ();
      g_assert_true (g_strv_contains ((const char *const *) listed, name));
    }

  return GUINT_TO_POINTER (n_registered);
}

static void
test_threads (void)
{
  GThread *threads[N_THREADS];
  guint n_registered = 0;

  for (guint i = 0; i < N_TYPES; i++)
    {
      g_autofree char *name = g_strdup_printf ("TestThread%u", i);

      g_type_register_static_simple (G_TYPE_OBJECT, name, sizeof (GObjectClass), NULL,
                                     sizeof (GObject), NULL, 0);
    }

  for (gsize i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("registry", use_registry, NULL);
  for (gsize i = 0; i < N_THREADS; i++)
    n_registered += GPOINTER_TO_UINT (g_thread_join (threads[i]));
  g_assert_cmpuint (n_registered, ==, N_TYPES);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  /* Run first, so that several threads make the registry. */
  c2g_test_add_func ("/serializer-registry/threads", test_threads);
  c2g_test_add_func ("/serializer-registry/builtins", test_builtins);
  c2g_test_add_func ("/serializer-registry/content-chunks", test_content_chunks);
  c2g_test_add_func ("/serializer-registry/one-message", test_one_message);
  c2g_test_add_func ("/serializer-registry/failures", test_failures);
  c2g_test_add_func ("/serializer-registry/not-implemented", test_not_implemented);
  c2g_test_add_func ("/serializer-registry/register", test_register);
  c2g_test_add_func ("/serializer-registry/lookup", test_lookup);
  c2g_test_add_func ("/serializer-registry/unknown", test_unknown);

  return c2g_test_run ();
}
