/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/core/types/c2g-type-meta-private.h>

#include <gio/gio.h>

#define N_THREADS 8

static const C2gDataType data_types[] = {
  C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_STRING, C2G_DATA_TYPE_BOOL,
  C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_INT8, C2G_DATA_TYPE_UINT16, C2G_DATA_TYPE_INT16,
  C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_BFLOAT16,
  C2G_DATA_TYPE_UINT32, C2G_DATA_TYPE_UINT64
};

/* An element type that counts constructed, copied and destroyed elements. */
typedef struct
{
  gint64 magic;
  int    number;
} Counted;

#define MAGIC 0x5ca1ab1e

static int n_constructed, n_copied, n_destroyed;

static void
construct_counted (C2gTypeMeta *meta,
                   gpointer     items,
                   gsize        n_items)
{
  Counted *counted = items;

  for (gsize i = 0; i < n_items; i++)
    counted[i] = (Counted) { .magic = MAGIC, .number = -1 };
  n_constructed += n_items;
}

static gboolean
copy_counted (C2gTypeMeta    *meta,
              gconstpointer   source,
              gpointer        destination,
              gsize           n_items,
              GError        **error)
{
  const Counted *from = source;
  Counted *to = destination;

  for (gsize i = 0; i < n_items; i++)
    {
      g_assert_cmpint (from[i].magic, ==, MAGIC);
      g_assert_cmpint (to[i].magic, ==, MAGIC);
      to[i].number = from[i].number;
    }
  n_copied += n_items;
  return TRUE;
}

static void
destroy_counted (C2gTypeMeta *meta,
                 gpointer     items,
                 gsize        n_items)
{
  Counted *counted = items;

  for (gsize i = 0; i < n_items; i++)
    {
      g_assert_cmpint (counted[i].magic, ==, MAGIC);
      counted[i].magic = 0;
    }
  n_destroyed += n_items;
}

static C2gTypeMeta *
get_counted_meta (void)
{
  static const C2gElementFuncs funcs = {
    .construct = construct_counted,
    .copy = copy_counted,
    .destroy = destroy_counted,
  };
  static C2gTypeMeta *meta;

  if (meta == NULL)
    meta = c2g_type_meta_register_full ("Counted", sizeof (Counted), &funcs, NULL);
  g_assert_nonnull (meta);

  return meta;
}

/* Repeats Caffe2's TypeMetaStatic and Names. */
static void
test_data_types (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (data_types); i++)
    {
      g_autoptr (GError) error = NULL;
      C2gTypeMeta *meta = c2g_type_meta_for_data_type (data_types[i], &error);
      const char *name = c2g_data_type_get_name (data_types[i]);
      const gboolean is_string = data_types[i] == C2G_DATA_TYPE_STRING;

      g_assert_no_error (error);
      g_assert_nonnull (meta);
      g_assert_cmpstr (c2g_type_meta_get_name (meta), ==, name);
      g_assert_cmpuint (c2g_type_meta_get_item_size (meta), ==,
                        c2g_data_type_get_item_size (data_types[i]));
      g_assert_cmpint (c2g_type_meta_get_data_type (meta), ==, data_types[i]);
      g_assert_cmpint (c2g_type_meta_is_plain (meta), ==, !is_string);
      g_assert_true (c2g_type_meta_can_copy (meta));
      g_assert_true (c2g_type_meta_builtin (data_types[i]) == meta);
      g_assert_true (c2g_type_meta_lookup (name, NULL) == meta);

      for (gsize j = 0; j < i; j++)
        g_assert_true (c2g_type_meta_for_data_type (data_types[j], NULL) != meta);
    }
}

static void
test_byte_is_uint8 (void)
{
  C2gTypeMeta *uint8 = c2g_type_meta_for_data_type (C2G_DATA_TYPE_UINT8, NULL);

  g_assert_true (c2g_type_meta_for_data_type (C2G_DATA_TYPE_BYTE, NULL) == uint8);
  g_assert_true (c2g_type_meta_builtin (C2G_DATA_TYPE_BYTE) == uint8);
  g_assert_true (c2g_type_meta_lookup ("byte", NULL) == uint8);
  g_assert_cmpint (c2g_type_meta_get_data_type (uint8), ==, C2G_DATA_TYPE_UINT8);
}

static void
test_float16_is_not_uint16 (void)
{
  C2gTypeMeta *float16 = c2g_type_meta_for_data_type (C2G_DATA_TYPE_FLOAT16, NULL);
  C2gTypeMeta *bfloat16 = c2g_type_meta_for_data_type (C2G_DATA_TYPE_BFLOAT16, NULL);
  C2gTypeMeta *uint16 = c2g_type_meta_for_data_type (C2G_DATA_TYPE_UINT16, NULL);

  g_assert_true (float16 != uint16);
  g_assert_true (bfloat16 != uint16);
  g_assert_true (float16 != bfloat16);
  g_assert_cmpuint (c2g_type_meta_get_item_size (float16), ==,
                    c2g_type_meta_get_item_size (uint16));
}

static void
test_no_data_type (void)
{
  static const int numbers[] = { C2G_DATA_TYPE_UNDEFINED, -1, 11, 14, 99, 103, G_MAXINT };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_type_meta_for_data_type (numbers[i], &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
    }
}

/* A tensor has no type until one is set, as in Caffe2. */
static void
test_none (void)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();

  g_assert_null (c2g_tensor_get_type_meta (tensor));
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_UNDEFINED);
}

static void
test_register_errors (void)
{
  static const struct
  {
    const char *name;
    gsize       item_size;
    C2gError    code;
  } cases[] = {
    { "", 4, C2G_ERROR_INVALID_ARGUMENT },
    { "caf\xe9", 4, C2G_ERROR_INVALID_ARGUMENT },
    { "Nothing", 0, C2G_ERROR_INVALID_ARGUMENT },
    { "float", 4, C2G_ERROR_EXISTS },
    { "byte", 1, C2G_ERROR_EXISTS },
    { "string", 8, C2G_ERROR_EXISTS },
    { "undefined", 8, C2G_ERROR_EXISTS },
    { "Taken", 4, C2G_ERROR_EXISTS },
    { "Taken", 8, C2G_ERROR_EXISTS },
  };
  C2gTypeMeta *taken = c2g_type_meta_register ("Taken", 4, NULL);

  g_assert_nonnull (taken);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_type_meta_register (cases[i].name, cases[i].item_size, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
    }

  g_assert_true (c2g_type_meta_lookup ("Taken", NULL) == taken);
}

static void
test_lookup (void)
{
  g_autoptr (GError) error = NULL;
  char name[] = "Looked up";
  C2gTypeMeta *meta = c2g_type_meta_register (name, 12, NULL);

  /* The type has its own copy of the name. */
  name[0] = 'C';
  g_assert_cmpstr (c2g_type_meta_get_name (meta), ==, "Looked up");
  g_assert_true (c2g_type_meta_lookup ("Looked up", &error) == meta);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_type_meta_get_data_type (meta), ==, C2G_DATA_TYPE_UNDEFINED);
  g_assert_cmpuint (c2g_type_meta_get_gtype (meta), ==, G_TYPE_INVALID);
  g_assert_true (c2g_type_meta_is_plain (meta));
  g_assert_true (c2g_type_meta_can_copy (meta));

  g_assert_null (c2g_type_meta_lookup ("Cooked up", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "Cooked up"));
}

/* Repeats Caffe2's CtorDtorAndCopy: plain types do nothing, others call their functions. */
static void
test_construct_copy_destroy (void)
{
  C2gTypeMeta *plain = c2g_type_meta_for_data_type (C2G_DATA_TYPE_INT32, NULL);
  C2gTypeMeta *counted = get_counted_meta ();
  gint32 numbers[2][3] = { { 1, 2, 3 }, { 7, 8, 9 } };
  Counted items[2][3];

  c2g_type_meta_construct (plain, numbers[1], 3);
  g_assert_cmpint (numbers[1][2], ==, 9);
  g_assert_true (c2g_type_meta_copy_items (plain, numbers[0], numbers[1], 2, NULL));
  g_assert_cmpint (numbers[1][0], ==, 1);
  g_assert_cmpint (numbers[1][2], ==, 9);
  c2g_type_meta_destroy (plain, numbers[1], 3);

  n_constructed = n_copied = n_destroyed = 0;
  g_assert_false (c2g_type_meta_is_plain (counted));
  g_assert_true (c2g_type_meta_can_copy (counted));
  c2g_type_meta_construct (counted, items, 6);
  items[0][1].number = 42;
  g_assert_true (c2g_type_meta_copy_items (counted, items[0], items[1], 3, NULL));
  g_assert_cmpint (items[1][1].number, ==, 42);
  c2g_type_meta_destroy (counted, items, 6);
  g_assert_cmpint (n_constructed, ==, 6);
  g_assert_cmpint (n_copied, ==, 3);
  g_assert_cmpint (n_destroyed, ==, 6);
}

/* A tensor constructs elements once, as many as its block has room for, and destroys exactly
 * those. */
static void
test_in_tensor (void)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (2, 5), NULL, NULL);
  g_autoptr (C2gTensor) other = NULL;
  Counted *items;

  n_constructed = n_copied = n_destroyed = 0;
  items = c2g_tensor_raw_mutable_data (tensor, get_counted_meta (), NULL);
  g_assert_cmpint (n_constructed, ==, 10);
  g_assert_cmpint (items[9].number, ==, -1);
  items[9].number = 9;

  other = c2g_tensor_clone (tensor, NULL, NULL);
  g_assert_cmpint (n_constructed, ==, 20);
  g_assert_cmpint (n_copied, ==, 10);
  items = c2g_tensor_raw_mutable_data (other, get_counted_meta (), NULL);
  g_assert_cmpint (items[9].number, ==, 9);

  /* As many elements are destroyed as were constructed, whatever the last shape was. */
  g_assert_true (c2g_tensor_resize (other, C2G_TEST_DIMS (3), NULL));
  g_clear_object (&other);
  g_assert_cmpint (n_destroyed, ==, 10);

  /* Elements of another type get another block. */
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  g_assert_cmpint (n_destroyed, ==, 20);
}

static void
test_without_copier (void)
{
  static const C2gElementFuncs only_construct = { .construct = construct_counted };
  static const C2gElementFuncs only_destroy = { .destroy = destroy_counted };
  static const C2gElementFuncs only_copy = { .copy = copy_counted };
  static const struct
  {
    const char            *name;
    const C2gElementFuncs *funcs;
    gboolean               is_plain;
    gboolean               can_copy;
  } cases[] = {
    { "Only constructed", &only_construct, FALSE, FALSE },
    { "Only destroyed", &only_destroy, FALSE, FALSE },
    { "Only copied", &only_copy, FALSE, TRUE },
    { "Plain", NULL, TRUE, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      C2gTypeMeta *meta = c2g_type_meta_register_full (cases[i].name, sizeof (Counted),
                                                       cases[i].funcs, NULL);

      g_assert_cmpint (c2g_type_meta_is_plain (meta), ==, cases[i].is_plain);
      g_assert_cmpint (c2g_type_meta_can_copy (meta), ==, cases[i].can_copy);
    }
}

/* Without a constructor, elements that are not plain begin as zeros. */
static void
test_zero_fill (void)
{
  static const C2gElementFuncs funcs = { .copy = copy_counted };
  C2gTypeMeta *zeroed = c2g_type_meta_register_full ("Zeroed", 3, &funcs, NULL);
  C2gTypeMeta *plain = c2g_type_meta_register ("Left alone", 3, NULL);
  char items[7] = "abcdef";

  c2g_type_meta_construct (plain, items, 2);
  g_assert_cmpstr (items, ==, "abcdef");
  c2g_type_meta_construct (zeroed, items, 0);
  g_assert_cmpstr (items, ==, "abcdef");
  c2g_type_meta_construct (zeroed, items, 1);
  g_assert_cmpmem (items, 7, "\0\0\0def", 7);
}

static void
test_strings (void)
{
  C2gTypeMeta *meta = c2g_type_meta_for_data_type (C2G_DATA_TYPE_STRING, NULL);
  g_autoptr (GBytes) text = g_bytes_new_static ("text", 4);
  GBytes *first[3], *second[3];

  c2g_type_meta_construct (meta, first, 3);
  c2g_type_meta_construct (meta, second, 3);
  g_assert_null (first[0]);

  first[0] = g_bytes_ref (text);
  second[1] = g_bytes_new ("old", 3);
  g_assert_true (c2g_type_meta_copy_items (meta, first, second, 3, NULL));
  g_assert_true (second[0] == text);
  g_assert_null (second[1]);
  g_assert_null (second[2]);

  c2g_type_meta_destroy (meta, first, 3);
  c2g_type_meta_destroy (meta, second, 3);
  g_assert_null (second[0]);
}

static void
test_gtypes (void)
{
  const struct
  {
    GType       gtype;
    const char *name;
    C2gDataType data_type;
    gsize       item_size;
  } cases[] = {
    { G_TYPE_STRING, "string", C2G_DATA_TYPE_STRING, sizeof (gpointer) },
    { G_TYPE_CHAR, "int8", C2G_DATA_TYPE_INT8, 1 },
    { G_TYPE_UCHAR, "uint8", C2G_DATA_TYPE_UINT8, 1 },
    { G_TYPE_BOOLEAN, "bool", C2G_DATA_TYPE_BOOL, 1 },
    { G_TYPE_INT, "int32", C2G_DATA_TYPE_INT32, 4 },
    { G_TYPE_UINT, "uint32", C2G_DATA_TYPE_UINT32, 4 },
    { G_TYPE_INT64, "int64", C2G_DATA_TYPE_INT64, 8 },
    { G_TYPE_UINT64, "uint64", C2G_DATA_TYPE_UINT64, 8 },
    { G_TYPE_FLOAT, "float", C2G_DATA_TYPE_FLOAT, 4 },
    { G_TYPE_DOUBLE, "double", C2G_DATA_TYPE_DOUBLE, 8 },
    { G_TYPE_BYTES, "GBytes", C2G_DATA_TYPE_UNDEFINED, sizeof (gpointer) },
    { G_TYPE_STRV, "GStrv", C2G_DATA_TYPE_UNDEFINED, sizeof (gpointer) },
    { G_TYPE_OBJECT, "GObject", C2G_DATA_TYPE_UNDEFINED, sizeof (gpointer) },
    { C2G_TYPE_TENSOR, "C2gTensor", C2G_DATA_TYPE_UNDEFINED, sizeof (gpointer) },
    { G_TYPE_LIST_MODEL, "GListModel", C2G_DATA_TYPE_UNDEFINED, sizeof (gpointer) },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      C2gTypeMeta *meta = c2g_type_meta_for_gtype (cases[i].gtype, &error);

      g_assert_no_error (error);
      g_assert_nonnull (meta);
      g_assert_cmpstr (c2g_type_meta_get_name (meta), ==, cases[i].name);
      g_assert_cmpint (c2g_type_meta_get_data_type (meta), ==, cases[i].data_type);
      g_assert_cmpuint (c2g_type_meta_get_item_size (meta), ==, cases[i].item_size);
      g_assert_cmpuint (c2g_type_meta_get_gtype (meta), ==, cases[i].gtype);

      g_assert_true (c2g_type_meta_for_gtype (cases[i].gtype, NULL) == meta);
      g_assert_true (c2g_type_meta_lookup (cases[i].name, NULL) == meta);
    }

  g_assert_nonnull (c2g_type_meta_for_gtype (G_TYPE_LONG, NULL));
  g_assert_nonnull (c2g_type_meta_for_gtype (G_TYPE_ULONG, NULL));
}

static void
test_gtype_errors (void)
{
  const GType gtypes[] = {
    G_TYPE_INVALID, G_TYPE_NONE, G_TYPE_POINTER, G_TYPE_BOXED, G_TYPE_ENUM,
    G_TYPE_VARIANT, G_TYPE_PARAM, G_TYPE_INTERFACE, C2G_TYPE_DATA_TYPE, G_TYPE_GTYPE
  };

  for (gsize i = 0; i < G_N_ELEMENTS (gtypes); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_type_meta_for_gtype (gtypes[i], &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
    }
}

static void
test_boxed_elements (void)
{
  C2gTypeMeta *meta = c2g_type_meta_for_gtype (G_TYPE_STRV, NULL);
  const char *words[] = { "one", "two", NULL };
  char **first[2], **second[2];

  c2g_type_meta_construct (meta, first, 2);
  c2g_type_meta_construct (meta, second, 2);
  g_assert_null (first[1]);

  first[0] = g_strdupv ((char **) words);
  second[1] = g_strdupv ((char **) words);
  g_assert_true (c2g_type_meta_copy_items (meta, first, second, 2, NULL));
  g_assert_true (second[0] != first[0]);
  g_assert_cmpstrv (second[0], words);
  g_assert_null (second[1]);

  c2g_type_meta_destroy (meta, first, 2);
  c2g_type_meta_destroy (meta, second, 2);
}

static void
test_object_elements (void)
{
  C2gTypeMeta *meta = c2g_type_meta_for_gtype (G_TYPE_LIST_MODEL, NULL);
  GListStore *one = g_list_store_new (G_TYPE_OBJECT);
  GListStore *two = g_list_store_new (G_TYPE_OBJECT);
  GObject *first[2], *second[2];

  c2g_type_meta_construct (meta, first, 2);
  c2g_type_meta_construct (meta, second, 2);
  first[0] = g_object_ref (G_OBJECT (one));
  second[0] = g_object_ref (G_OBJECT (two));
  g_assert_true (c2g_type_meta_copy_items (meta, first, second, 2, NULL));
  g_assert_true (second[0] == G_OBJECT (one));

  /* The former content was released. */
  g_assert_finalize_object (two);
  c2g_type_meta_destroy (meta, first, 2);
  c2g_type_meta_destroy (meta, second, 2);
  g_assert_finalize_object (one);
}

/* Objects as elements, which count themselves. */

typedef struct
{
  GObject parent_instance;
  double  x;
} Point;

typedef GObjectClass PointClass;

static int n_points;

static void point_element_init (C2gElementObjectInterface *iface);

static GType point_get_type (void);

G_DEFINE_TYPE_WITH_CODE (Point, point, G_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (C2G_TYPE_ELEMENT_OBJECT, point_element_init))

static void
point_finalize (GObject *object)
{
  n_points--;
  G_OBJECT_CLASS (point_parent_class)->finalize (object);
}

static void
point_class_init (PointClass *klass)
{
  klass->finalize = point_finalize;
}

/* The tensor that is changed while elements are constructed or copied, or NULL. */
static C2gTensor *changed_tensor;

static void
change_tensor (void)
{
  C2gTensor *tensor = g_steal_pointer (&changed_tensor);

  if (tensor == NULL)
    return;
  c2g_tensor_free_memory (tensor);
  c2g_tensor_resize (tensor, C2G_TEST_DIMS (1000), NULL);
  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT8, NULL);
}

static void
point_init (Point *self)
{
  n_points++;
  change_tensor ();
}

static C2gElementObject *
point_copy (C2gElementObject *element)
{
  Point *self = (Point *) element;
  Point *other;

  change_tensor ();

  /* NULL and an object of another class are not valid copies. */
  if (self->x == -1)
    return NULL;
  if (self->x == -2)
    return g_object_new (G_TYPE_OBJECT, NULL);

  other = g_object_new (point_get_type (), NULL);
  other->x = self->x;
  return (C2gElementObject *) other;
}

static gboolean
point_accept (C2gElementObject *element,
              const GValue     *value)
{
  if (!G_VALUE_HOLDS_DOUBLE (value))
    return FALSE;

  ((Point *) element)->x = g_value_get_double (value);
  return TRUE;
}

static void
point_element_init (C2gElementObjectInterface *iface)
{
  iface->copy = point_copy;
  iface->accept = point_accept;
}

static Point *
point_at (C2gTensor *tensor,
          gsize      index)
{
  return ((Point *const *) c2g_tensor_raw_data (tensor, NULL))[index];
}

static void
test_element_objects (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  g_autoptr (C2gTensor) slice = NULL;
  g_autoptr (C2gTensor) copy = NULL;
  C2gTypeMeta *meta = c2g_type_meta_for_gtype (point_get_type (), &error);
  const double numbers[] = { 2.5, -1, -2 };
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) text = G_VALUE_INIT;

  g_assert_true (c2g_tensor_resize (tensor, (gint64[]) { 3 }, 1, &error));
  g_assert_true (c2g_tensor_allocate_meta (tensor, meta, &error));
  g_assert_cmpint (n_points, ==, 3);

  g_value_init (&value, G_TYPE_DOUBLE);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_value_set_double (&value, numbers[i]);
      g_assert_true (c2g_tensor_set_element (tensor, i, &value, &error));
    }
  g_value_init (&text, G_TYPE_STRING);
  g_assert_false (c2g_tensor_set_element (tensor, 0, &text, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_cmpint (n_points, ==, 3);

  slice = c2g_tensor_slice (tensor, 0, 1, &error);
  g_assert_no_error (error);
  copy = c2g_tensor_clone (slice, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (point_at (copy, 0)->x, ==, 2.5);
  g_assert_true (point_at (copy, 0) != point_at (tensor, 0));
  g_assert_cmpint (n_points, ==, 4);

  c2g_tensor_free_memory (tensor);
  g_clear_object (&slice);
  g_clear_object (&copy);
  g_assert_cmpint (n_points, ==, 0);
}

/* Creates three points, one of which returns a bad copy: NULL or an object of another class. */
static C2gTensor *
new_stuck_points (double stuck)
{
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, NULL);

  g_assert_true (
    c2g_tensor_allocate_meta (tensor, c2g_type_meta_for_gtype (point_get_type (), NULL), NULL));
  point_at (tensor, 0)->x = 1;
  point_at (tensor, 1)->x = 2;
  point_at (tensor, 2)->x = stuck;
  return tensor;
}

/* A failed copy is an error, and both tensors are unchanged. */
static void
test_failed_copy (void)
{
  for (double stuck = -2; stuck <= -1; stuck++)
    {
      g_autoptr (C2gTensor) tensor = new_stuck_points (stuck);
      g_autoptr (C2gTensor) target = new_stuck_points (4);
      g_autoptr (C2gContext) context = c2g_cpu_context_new ();
      g_autoptr (GError) error = NULL;
      gpointer const before[] = { point_at (target, 0), point_at (target, 1), point_at (target, 2) };

      g_assert_null (c2g_tensor_clone (tensor, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
      g_assert_nonnull (strstr (error->message, "Point"));
      g_clear_error (&error);
      g_assert_false (c2g_tensor_copy_from (target, tensor, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
      g_clear_error (&error);
      g_assert_false (c2g_context_copy (context, tensor, target, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
      g_assert_cmpmem (c2g_tensor_raw_data (target, NULL), sizeof before, before, sizeof before);
      g_assert_cmpint (n_points, ==, 6);
    }
  g_assert_cmpint (n_points, ==, 0);
}

typedef gboolean (*RoomFunc) (C2gTensor  *tensor,
                              GError    **error);

static gboolean
reserve (C2gTensor  *tensor,
         GError    **error)
{
  return c2g_tensor_reserve (tensor, C2G_TEST_DIMS (9), error);
}

static gboolean
trim (C2gTensor  *tensor,
      GError    **error)
{
  return c2g_tensor_shrink (tensor, 2, NULL) && c2g_tensor_trim (tensor, error);
}

static gboolean
extend (C2gTensor  *tensor,
        GError    **error)
{
  return c2g_tensor_extend (tensor, 1, 0, NULL, error);
}

static const RoomFunc room_funcs[] = { reserve, trim, extend };

/* Elements are moved if the tensor is the only holder of the block, even if they cannot be
 * copied. */
static void
test_moved (void)
{
  static const int n_expected[] = { 9, 2, 4 };

  for (gsize i = 0; i < G_N_ELEMENTS (room_funcs); i++)
    {
      g_autoptr (C2gTensor) tensor = new_stuck_points (-1);
      g_autoptr (GError) error = NULL;
      Point *const first = point_at (tensor, 0);
      const guint64 address = c2g_tensor_get_address (tensor);

      g_assert_true (room_funcs[i] (tensor, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (c2g_tensor_get_address (tensor), !=, address);
      g_assert_true (point_at (tensor, 0) == first);
      g_assert_cmpfloat (point_at (tensor, 1)->x, ==, 2);
      g_assert_cmpint (n_points, ==, n_expected[i]);
    }
  g_assert_cmpint (n_points, ==, 0);
}

/* Elements of a shared block are copied. If that fails, the tensor stays as it was. */
static void
test_not_moved (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (room_funcs); i += 2)
    {
      g_autoptr (C2gTensor) tensor = new_stuck_points (-1);
      g_autoptr (C2gTensor) sharing = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, NULL);
      g_autoptr (GError) error = NULL;
      const guint64 address = c2g_tensor_get_address (tensor);

      g_assert_true (c2g_tensor_share_data (sharing, tensor, &error));
      g_assert_false (room_funcs[i] (tensor, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
      g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address);
      g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 3);
      g_assert_cmpfloat (point_at (tensor, 2)->x, ==, -1);
      g_assert_cmpint (n_points, ==, 3);
    }
  g_assert_cmpint (n_points, ==, 0);
}

static void
test_moved_strings (void)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, NULL);
  g_auto (GValue) text = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;
  GBytes *bytes;

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_STRING, NULL));
  g_value_init (&text, G_TYPE_STRING);
  g_value_set_static_string (&text, "moved");
  g_assert_true (c2g_tensor_set_element (tensor, 1, &text, NULL));
  bytes = ((GBytes *const *) c2g_tensor_raw_data (tensor, NULL))[1];
  g_assert_true (reserve (tensor, &error));
  g_assert_no_error (error);
  g_assert_true (((GBytes *const *) c2g_tensor_raw_data (tensor, NULL))[1] == bytes);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "moved", 5);
}

/* Copying runs foreign code, which changes one of the tensors. This is an error, and no tensor gets
 * a block that is too small for its shape. */
static void
test_changed_while_copied (void)
{
  C2gTypeMeta *meta = c2g_type_meta_for_gtype (point_get_type (), NULL);

  for (int i = 0; i < 6; i++)
    {
      g_autoptr (C2gTensor) source = c2g_tensor_new ();
      g_autoptr (C2gTensor) target = c2g_tensor_new ();
      g_autoptr (C2gContext) context = c2g_cpu_context_new ();
      g_autoptr (GError) error = NULL;
      gboolean done;

      g_assert_true (c2g_tensor_resize (source, (gint64[]){ 3 }, 1, &error));
      g_assert_true (c2g_tensor_allocate_meta (source, meta, &error));
      g_assert_true (c2g_tensor_copy_from (target, source, NULL, &error));

      changed_tensor = i % 4 == 0 ? target : source;
      if (i == 3)
        done = c2g_tensor_reserve (source, (gint64[]){ 50 }, 1, &error);
      else if (i > 3)
        done = c2g_context_copy (context, source, target, &error);
      else
        done = c2g_tensor_copy_from (i == 2 ? source : target, i == 2 ? target : source, NULL, &error);
      changed_tensor = NULL;

      g_assert_false (done);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
      g_assert_cmpuint (c2g_tensor_get_n_bytes (i % 4 == 0 ? target : source), ==, 1000);
      g_assert_cmpuint (c2g_tensor_get_capacity (i % 4 == 0 ? target : source), >=, 1000);
    }
  g_assert_cmpint (n_points, ==, 0);
}

static void
test_boxed (void)
{
  C2gTypeMeta *meta = c2g_type_meta_for_data_type (C2G_DATA_TYPE_FLOAT, NULL);

  g_assert_true (g_boxed_copy (C2G_TYPE_TYPE_META, meta) == meta);
  g_boxed_free (C2G_TYPE_TYPE_META, meta);
  g_assert_cmpstr (c2g_type_meta_get_name (meta), ==, "float");
}

static gpointer
register_cb (gpointer data)
{
  int *n_registered = data;

  for (int i = 0; i < 100; i++)
    {
      g_autofree char *name = g_strdup_printf ("Contested %d", i);
      g_autoptr (GError) error = NULL;

      if (c2g_type_meta_register (name, i + 1, &error) != NULL)
        g_atomic_int_inc (n_registered);
      else
        g_assert_error (error, C2G_ERROR, C2G_ERROR_EXISTS);
      g_assert_cmpuint (c2g_type_meta_get_item_size (c2g_type_meta_lookup (name, NULL)), ==, i + 1);
    }

  return c2g_type_meta_for_gtype (G_TYPE_DATE_TIME, NULL);
}

static void
test_threads (void)
{
  GThread *threads[N_THREADS];
  int n_registered = 0;

  for (int i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("register", register_cb, &n_registered);
  for (int i = 0; i < N_THREADS; i++)
    g_assert_true (g_thread_join (threads[i]) == c2g_type_meta_for_gtype (G_TYPE_DATE_TIME, NULL));

  g_assert_cmpint (n_registered, ==, 100);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/type-meta/data-types", test_data_types);
  c2g_test_add_func ("/type-meta/byte-is-uint8", test_byte_is_uint8);
  c2g_test_add_func ("/type-meta/float16-is-not-uint16", test_float16_is_not_uint16);
  c2g_test_add_func ("/type-meta/no-data-type", test_no_data_type);
  c2g_test_add_func ("/type-meta/none", test_none);
  c2g_test_add_func ("/type-meta/register-errors", test_register_errors);
  c2g_test_add_func ("/type-meta/lookup", test_lookup);
  c2g_test_add_func ("/type-meta/construct-copy-destroy", test_construct_copy_destroy);
  c2g_test_add_func ("/type-meta/in-tensor", test_in_tensor);
  c2g_test_add_func ("/type-meta/without-copier", test_without_copier);
  c2g_test_add_func ("/type-meta/zero-fill", test_zero_fill);
  c2g_test_add_func ("/type-meta/strings", test_strings);
  c2g_test_add_func ("/type-meta/gtypes", test_gtypes);
  c2g_test_add_func ("/type-meta/gtype-errors", test_gtype_errors);
  c2g_test_add_func ("/type-meta/boxed-elements", test_boxed_elements);
  c2g_test_add_func ("/type-meta/object-elements", test_object_elements);
  c2g_test_add_func ("/type-meta/element-objects", test_element_objects);
  c2g_test_add_func ("/type-meta/failed-copy", test_failed_copy);
  c2g_test_add_func ("/type-meta/moved", test_moved);
  c2g_test_add_func ("/type-meta/not-moved", test_not_moved);
  c2g_test_add_func ("/type-meta/moved-strings", test_moved_strings);
  c2g_test_add_func ("/type-meta/changed-while-copied", test_changed_while_copied);
  c2g_test_add_func ("/type-meta/boxed", test_boxed);
  c2g_test_add_func ("/type-meta/threads", test_threads);

  return c2g_test_run ();
}
