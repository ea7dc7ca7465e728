/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <c2g/core/types/c2g-property-private.h>

/* A class with a field of each type, and one property with accessors for each type. */

#define TEST_TYPE_RECORD (test_record_get_type ())

G_DECLARE_FINAL_TYPE (TestRecord, test_record, TEST, RECORD, GObject)

struct _TestRecord
{
  GObject      parent_instance;

  gboolean     truth;
  int          number;
  guint        count;
  gint64       wide;
  guint64      bytes;
  float        part;
  double       share;
  C2gDataType  kind;
  char        *text;
  char       **names;
  C2gDevice   *device;
  C2gTensor   *tensor;
  GListModel  *list;
};

enum
{
  PROP_0,
  PROP_TRUTH,
  PROP_NUMBER,
  PROP_COUNT,
  PROP_WIDE,
  PROP_BYTES,
  PROP_PART,
  PROP_SHARE,
  PROP_KIND,
  PROP_TEXT,
  PROP_NAMES,
  PROP_DEVICE,
  PROP_TENSOR,
  PROP_LIST,
  PROP_TWICE,
  PROP_COPIED,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (TestRecord, test_record, G_TYPE_OBJECT)

static double
test_record_get_twice (TestRecord *self)
{
  return 2 * self->share;
}

static void
test_record_set_twice (TestRecord *self,
                       double      twice)
{
  self->share = twice / 2;
}

static char *
test_record_dup_copied (TestRecord *self)
{
  return g_strdup (self->text);
}

static void
test_record_set_copied (TestRecord *self,
                        const char *copied)
{
  c2g_property_set_field (self, props[PROP_TEXT], &self->text, &copied);
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_TRUTH] = C2G_PROPERTY_FIELD (TestRecord, truth),
  [PROP_NUMBER] = C2G_PROPERTY_FIELD (TestRecord, number),
  [PROP_COUNT] = C2G_PROPERTY_FIELD (TestRecord, count),
  [PROP_WIDE] = C2G_PROPERTY_FIELD (TestRecord, wide),
  [PROP_BYTES] = C2G_PROPERTY_FIELD (TestRecord, bytes),
  [PROP_PART] = C2G_PROPERTY_FIELD (TestRecord, part),
  [PROP_SHARE] = C2G_PROPERTY_FIELD (TestRecord, share),
  [PROP_KIND] = C2G_PROPERTY_FIELD (TestRecord, kind),
  [PROP_TEXT] = C2G_PROPERTY_FIELD (TestRecord, text),
  [PROP_NAMES] = C2G_PROPERTY_FIELD (TestRecord, names),
  [PROP_DEVICE] = C2G_PROPERTY_FIELD (TestRecord, device),
  [PROP_TENSOR] = C2G_PROPERTY_FIELD (TestRecord, tensor),
  [PROP_LIST] = C2G_PROPERTY_FIELD (TestRecord, list),
  [PROP_TWICE] = C2G_PROPERTY (test_record, twice),
  [PROP_COPIED] = C2G_PROPERTY_DUP (test_record, copied),
};

static void
test_record_finalize (GObject *object)
{
  c2g_properties_clear (object, N_PROPS, props, rows);
  g_assert_null (TEST_RECORD (object)->text);
  g_assert_null (TEST_RECORD (object)->names);
  g_assert_null (TEST_RECORD (object)->tensor);
  g_assert_null (TEST_RECORD (object)->list);

  G_OBJECT_CLASS (test_record_parent_class)->finalize (object);
}

static void
test_record_class_init (TestRecordClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  G_OBJECT_CLASS (klass)->finalize = test_record_finalize;

  props[PROP_TRUTH] = g_param_spec_boolean ("truth", NULL, NULL, FALSE, flags);
  props[PROP_NUMBER] = g_param_spec_int ("number", NULL, NULL, G_MININT, G_MAXINT, 0, flags);
  props[PROP_COUNT] = g_param_spec_uint ("count", NULL, NULL, 0, G_MAXUINT, 0, flags);
  props[PROP_WIDE] = g_param_spec_int64 ("wide", NULL, NULL, G_MININT64, G_MAXINT64, 0, flags);
  props[PROP_BYTES] = g_param_spec_uint64 ("bytes", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  props[PROP_PART] = g_param_spec_float ("part", NULL, NULL, -1, 1, 0, flags);
  props[PROP_SHARE] = g_param_spec_double ("share", NULL, NULL, -1, 1, 0, flags);
  props[PROP_KIND] =
    g_param_spec_enum ("kind", NULL, NULL, C2G_TYPE_DATA_TYPE, C2G_DATA_TYPE_UNDEFINED, flags);
  props[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, NULL, flags);
  props[PROP_NAMES] = g_param_spec_boxed ("names", NULL, NULL, G_TYPE_STRV, flags);
  props[PROP_DEVICE] = g_param_spec_boxed ("device", NULL, NULL, C2G_TYPE_DEVICE, flags);
  props[PROP_TENSOR] = g_param_spec_object ("tensor", NULL, NULL, C2G_TYPE_TENSOR, flags);
  props[PROP_LIST] = g_param_spec_object ("list", NULL, NULL, G_TYPE_LIST_MODEL, flags);
  props[PROP_TWICE] = g_param_spec_double ("twice", NULL, NULL, -2, 2, 0, flags);
  props[PROP_COPIED] = g_param_spec_string ("copied", NULL, NULL, NULL, flags);
  c2g_properties_install (G_OBJECT_CLASS (klass), N_PROPS, props, rows);
}

static void
test_record_init (TestRecord *self)
{
}

static void
count_cb (GObject    *object,
          GParamSpec *pspec,
          gpointer    user_data)
{
  guint *n = user_data;

  (*n)++;
}

static void
set_all (TestRecord *record,
         C2gTensor  *tensor,
         GListModel *list)
{
  /* The strings are new copies: setters must compare their content and not their addresses. */
  g_autofree char *text = g_strdup ("text");
  g_auto (GStrv) names = g_strsplit ("a b", " ", -1);

  g_object_set (record, "truth", TRUE, "number", -3, "count", G_MAXUINT, "wide", G_MININT64, "bytes",
                G_MAXUINT64, "part", -0.25, "share", 1e-300, "kind", C2G_DATA_TYPE_DOUBLE, "text",
                text, "names", names, "device", c2g_device_cpu (), "tensor", tensor, "list", list,
                NULL);
}

static void
assert_all (TestRecord *record,
            C2gTensor  *tensor,
            GListModel *list)
{
  g_autoptr (TestRecord) read = g_object_new (TEST_TYPE_RECORD, NULL);
  g_autofree char *copied = NULL;
  double twice;

  /* This reads each property and writes it again. */
  for (guint i = PROP_TRUTH; i <= PROP_LIST; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (record), props[i]->name, &value);
      g_object_set_property (G_OBJECT (read), props[i]->name, &value);
    }
  g_assert_cmpint (read->truth, ==, TRUE);
  g_assert_cmpint (read->number, ==, -3);
  g_assert_cmpuint (read->count, ==, G_MAXUINT);
  g_assert_cmpint (read->wide, ==, G_MININT64);
  g_assert_cmpuint (read->bytes, ==, G_MAXUINT64);
  g_assert_cmpfloat (read->part, ==, -0.25f);
  g_assert_cmpfloat (read->share, ==, 1e-300);
  g_assert_cmpint (read->kind, ==, C2G_DATA_TYPE_DOUBLE);
  g_assert_cmpstr (read->text, ==, "text");
  g_assert_cmpstrv (read->names, ((const char *const[]) { "a", "b", NULL }));
  g_assert_true (read->device == c2g_device_cpu ());
  g_assert_true (read->tensor == tensor);
  g_assert_true (read->list == list);

  g_object_get (record, "twice", &twice, "copied", &copied, NULL);
  g_assert_cmpfloat (twice, ==, 2e-300);
  g_assert_cmpstr (copied, ==, "text");
}

/* Notifies once of each change, and not if the same value is set again. */
static void
test_fields (void)
{
  g_autoptr (TestRecord) record = g_object_new (TEST_TYPE_RECORD, NULL);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  g_autoptr (GListModel) list = G_LIST_MODEL (g_list_store_new (G_TYPE_OBJECT));
  guint n = 0;

  g_signal_connect (record, "notify", G_CALLBACK (count_cb), &n);
  set_all (record, tensor, list);
  g_assert_cmpuint (n, ==, PROP_LIST);
  set_all (record, tensor, list);
  g_assert_cmpuint (n, ==, PROP_LIST);
  assert_all (record, tensor, list);

  g_object_set (record, "text", NULL, "names", NULL, "device", NULL, "tensor", NULL, "list", NULL, NULL);
  g_assert_cmpuint (n, ==, PROP_LIST + 5);
  g_object_set (record, "text", NULL, "names", NULL, "device", NULL, "tensor", NULL, "list", NULL, NULL);
  g_assert_cmpuint (n, ==, PROP_LIST + 5);
  g_assert_null (record->text);
  g_assert_null (record->names);
  g_assert_finalize_object (g_steal_pointer (&tensor));
}

static void
test_accessors (void)
{
  g_autoptr (TestRecord) record = g_object_new (TEST_TYPE_RECORD, NULL);
  g_autofree char *copied = NULL;

  g_object_set (record, "twice", 1.5, "copied", "more", NULL);
  g_assert_cmpfloat (record->share, ==, 0.75);
  g_assert_cmpstr (record->text, ==, "more");
  g_object_get (record, "copied", &copied, NULL);
  g_assert_cmpstr (copied, ==, "more");
  g_assert_true (copied != record->text);
}

/* A setter may be given a part of the value that it replaces. */
static void
test_own_part (void)
{
  g_autoptr (TestRecord) record = g_object_new (TEST_TYPE_RECORD, "text", "layer/weights", NULL);

  test_record_set_copied (record, record->text + strlen ("layer/"));
  g_assert_cmpstr (record->text, ==, "weights");
}

static void
test_copy (void)
{
  g_autoptr (TestRecord) record = g_object_new (TEST_TYPE_RECORD, NULL);
  g_autoptr (TestRecord) copy = g_object_new (TEST_TYPE_RECORD, NULL);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  g_autoptr (GListModel) list = G_LIST_MODEL (g_list_store_new (G_TYPE_OBJECT));

  set_all (record, tensor, list);
  c2g_properties_copy (copy, record, N_PROPS, props, rows);
  g_assert_true (copy->text != record->text);
  g_assert_true (copy->names != record->names);
  g_clear_object (&record);
  assert_all (copy, tensor, list);
}

/* A boolean is stored as 1, whatever non-zero number a caller passes. An object of another class is
 * refused. */
static void
test_values (void)
{
  g_autoptr (TestRecord) record = g_object_new (TEST_TYPE_RECORD, NULL);
  const gboolean truth = 2;
  guint n = 0;

  g_signal_connect (record, "notify", G_CALLBACK (count_cb), &n);
  c2g_property_set_field (record, props[PROP_TRUTH], &record->truth, &truth);
  c2g_property_set_field (record, props[PROP_TRUTH], &record->truth, &truth);
  g_assert_cmpint (record->truth, ==, TRUE);
  g_assert_cmpuint (n, ==, 1);

  g_test_expect_message ("C2g", G_LOG_LEVEL_CRITICAL, "*G_TYPE_CHECK_INSTANCE_TYPE*");
  c2g_property_set_field (record, props[PROP_TENSOR], &record->tensor, &record);
  g_test_assert_expected_messages ();
  g_assert_null (record->tensor);
  g_assert_cmpuint (n, ==, 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/property/fields", test_fields);
  c2g_test_add_func ("/property/accessors", test_accessors);
  c2g_test_add_func ("/property/own-part", test_own_part);
  c2g_test_add_func ("/property/copy", test_copy);
  c2g_test_add_func ("/property/values", test_values);

  return c2g_test_run ();
}
