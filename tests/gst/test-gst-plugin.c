/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-utils.h"

#include "gst/plugin/decode/c2g-gst-boxes.h"
#include "gst/plugin/decode/c2g-gst-finding.h"
#include "gst/plugin/support/c2g-gst-labels.h"
#include "gst/plugin/support/c2g-gst-model.h"
#include "gst/plugin/decode/c2g-gst-pixels.h"
#include "gst/plugin/support/c2g-gst-properties.h"
#include "gst/plugin/support/c2g-gst-time.h"
#include "gst/plugin/decode/c2g-gst-view.h"

#include <math.h>

/* Functions of the plugin, of which the program has the objects. */

#define STRINGS(...) ((const char *const[]) { __VA_ARGS__, NULL })

/* Each model adds its labels to those of earlier ones, which stay as they are. */
static void
test_labels (void)
{
  g_autoptr (GstEvent) first = c2g_gst_labels_add (NULL, STRINGS ("a", "b"), STRINGS ("one", "two"));
  g_autoptr (GstEvent) both = c2g_gst_labels_add (first, STRINGS ("c"), STRINGS ("three"));
  g_autoptr (GstEvent) other = gst_event_new_eos ();

  g_assert_true (c2g_gst_labels_is_event (both));
  g_assert_false (c2g_gst_labels_is_event (other));
  g_assert_cmpstr (c2g_gst_labels_find (first, "b")[1], ==, "two");
  g_assert_null (c2g_gst_labels_find (first, "c"));
  g_assert_cmpstr (c2g_gst_labels_find (both, "a")[0], ==, "one");
  g_assert_cmpstr (c2g_gst_labels_find (both, "c")[0], ==, "three");
  g_assert_null (c2g_gst_labels_find (NULL, "a"));
}

/* An event of that name with other content has no labels. */
static void
test_labels_hostile (void)
{
  const char *const structures[] = { "c2g-labels", "c2g-labels, model0=3", "c2g-labels, model1=3",
                                     "c2g-labels, model0=(structure)\"model;\"",
                                     "c2g-labels, model0=(structure)\"model, tensors=3, labels=4;\"" };

  for (gsize i = 0; i < G_N_ELEMENTS (structures); i++)
    {
      g_autoptr (GstEvent) event =
        gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, gst_structure_from_string (structures[i], NULL));

      g_assert_true (c2g_gst_labels_is_event (event));
      g_assert_null (c2g_gst_labels_find (event, "a"));
    }
}

typedef struct
{
  GstElement parent_instance;
  char      *text;
  gboolean   flag;
  guint      number;
  guint64    large;
  double     part;
  int        format;
  guint      flags;
} Thing;

typedef GstElementClass ThingClass;

static GType thing_get_type (void);
G_DEFINE_TYPE (Thing, thing, GST_TYPE_ELEMENT)

static const C2gGstProperty rows[] = {
  { "text", "t", G_STRUCT_OFFSET (Thing, text), G_TYPE_STRING },
  { "flag", "f", G_STRUCT_OFFSET (Thing, flag), G_TYPE_BOOLEAN, TRUE },
  { "number", "n", G_STRUCT_OFFSET (Thing, number), G_TYPE_UINT, 7 },
  { "large", "l", G_STRUCT_OFFSET (Thing, large), G_TYPE_UINT64, G_MAXUINT64 },
  { "part", "p", G_STRUCT_OFFSET (Thing, part), G_TYPE_DOUBLE, 25 },
  { "format", "e", G_STRUCT_OFFSET (Thing, format), G_TYPE_ENUM, GST_FORMAT_TIME, gst_format_get_type },
  { "flags", "g", G_STRUCT_OFFSET (Thing, flags), G_TYPE_FLAGS, GST_SEEK_FLAG_FLUSH, gst_seek_flags_get_type,
    .when = GST_PARAM_MUTABLE_PLAYING },
  { NULL },
};

static void
thing_class_init (ThingClass *klass)
{
  G_OBJECT_CLASS (klass)->get_property = c2g_gst_properties_get_value;
  G_OBJECT_CLASS (klass)->set_property = c2g_gst_properties_set_value;
  c2g_gst_properties_install (G_OBJECT_CLASS (klass), rows);
}

static void
thing_init (Thing *self)
{
  c2g_gst_properties_init (self, rows);
}

/* Properties begin with what their rows say, and keep what they are given. */
static void
test_properties (void)
{
  Thing *thing = g_object_new (thing_get_type (), NULL);
  g_autofree char *text = NULL;
  guint64 large;

  gst_object_ref_sink (thing);
  g_assert_cmpuint (c2g_gst_properties_count (rows), ==, 7);
  g_assert_true (thing->text == NULL && thing->flag && thing->number == 7 && thing->large == G_MAXUINT64);
  g_assert_cmpfloat (thing->part, ==, 0.25);
  g_assert_cmpint (thing->format, ==, GST_FORMAT_TIME);
  g_assert_cmpuint (thing->flags, ==, GST_SEEK_FLAG_FLUSH);

  g_object_set (thing, "text", "first", "flag", FALSE, "number", 9, "part", 0.5, "format", GST_FORMAT_BYTES,
                "flags", GST_SEEK_FLAG_NONE, "large", (guint64) 5, NULL);
  g_object_set (thing, "text", "second", NULL);
  g_object_get (thing, "text", &text, "large", &large, NULL);
  g_assert_cmpstr (text, ==, "second");
  g_assert_cmpuint (large, ==, 5);
  g_assert_true (!thing->flag && thing->number == 9 && thing->flags == GST_SEEK_FLAG_NONE);
  g_assert_cmpint (thing->format, ==, GST_FORMAT_BYTES);
  g_assert_cmpfloat (thing->part, ==, 0.5);

  c2g_gst_properties_clear (thing, rows);
  g_assert_null (thing->text);
  gst_object_unref (thing);
}

/* Properties that are used without the lock change in NULL and READY only. */
static void
test_properties_in_use (void)
{
  Thing *thing = g_object_new (thing_get_type (), NULL);
  GLogLevelFlags former;

  gst_object_ref_sink (thing);
  g_assert_cmpint (gst_element_set_state (GST_ELEMENT (thing), GST_STATE_READY), ==, GST_STATE_CHANGE_SUCCESS);
  g_object_set (thing, "number", 8, NULL);
  g_assert_cmpuint (thing->number, ==, 8);

  gst_element_set_state (GST_ELEMENT (thing), GST_STATE_PLAYING);
  former = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_object_set (thing, "number", 9, "text", "new", "flags", GST_SEEK_FLAG_ACCURATE, NULL);
  g_log_set_always_fatal (former);
  g_assert_true (thing->number == 8 && thing->text == NULL);
  g_assert_cmpuint (thing->flags, ==, GST_SEEK_FLAG_ACCURATE);

  gst_element_set_state (GST_ELEMENT (thing), GST_STATE_NULL);
  g_object_set (thing, "number", 9, NULL);
  g_assert_cmpuint (thing->number, ==, 9);
  gst_object_unref (thing);
}

/* Leading dimensions of 1 do not count. */
static void
test_view_read (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (GError) error = NULL;
  gint64 dims[2];

  g_assert_null (c2g_gst_view_read (tensor, dims, 2));
  g_assert_true (c2g_tensor_reshape (tensor, C2G_TEST_DIMS (1, 1, 2, 3), &error));
  g_assert_nonnull (c2g_gst_view_read (tensor, dims, 2));
  g_assert_cmpint (dims[0] * 10 + dims[1], ==, 23);
  g_assert_null (c2g_gst_view_read (tensor, dims, 1));
  c2g_gst_view_set_error (tensor, "[6]", &error);
  g_assert_true (g_pattern_match_simple ("*[6]*[1, 1, 2, 3]*", error->message));
  assert_fails (&error, C2G_ERROR_SHAPE);
}

/* The size of a picture follows from where it lies in its frame. */
static void
test_view_size (void)
{
  const struct
  {
    double matrix[6];
    int    size;
    double width;
    double height;
  } cases[] = {
    { { 2, 0, 0, 0, 2, 0 }, 0, 100, 50 },
    { { 2, 0, 50, 0, 2, 0 }, 0, 50, 50 },
    { { 2, 0, 0, 0, 2, -50 }, 0, 100, 100 },
    { { 2, 0, 50, 0, 2, 0 }, 30, 30, 30 },
    { { 0, 0, 0, 0, 0, 0 }, 0, 200, 100 },
    { { NAN, 0, 0, 0, NAN, 0 }, 0, 200, 100 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gGstGeometry) geometry = c2g_gst_geometry_new (200, 100, cases[i].matrix);
      const C2gGstView view = {
        .geometry = geometry,
        .width = 200,
        .height = 100,
        .form = { .width = cases[i].size, .height = cases[i].size },
      };
      double width, height;

      c2g_gst_view_get_size (&view, &width, &height);
      g_assert_cmpfloat (width, ==, cases[i].width);
      g_assert_cmpfloat (height, ==, cases[i].height);
    }
}

/* A picture that was turned by a quarter has boxes that are turned. */
static void
test_place (void)
{
  g_autoptr (C2gGstGeometry) geometry = c2g_gst_geometry_new (200, 100, (const double[]) { 0, -1, 100, 1, 0, 0 });
  g_autoptr (GArray) findings = g_array_new (FALSE, FALSE, sizeof (C2gGstFinding));
  const C2gGstView view = { .geometry = geometry, .width = 200, .height = 100 };
  const C2gGstFinding *found;

  c2g_gst_boxes_place (&view, (const float[]) { 10, 20, 30, 25 }, 3, 0.5, findings);
  c2g_gst_boxes_place (&view, (const float[]) { 10, 20, 30, NAN }, 3, 0.5, findings);
  c2g_gst_boxes_place (&view, (const float[]) { 300, 20, 310, 30 }, 3, 0.5, findings);
  g_assert_cmpuint (findings->len, ==, 1);
  found = &g_array_index (findings, C2gGstFinding, 0);
  g_assert_cmpuint (found->index, ==, 3);
  g_assert_true (found->x == 75 && found->y == 10 && found->width == 5 && found->height == 20);
}

/* Without a record the picture is all of the frame, whatever its size is. */
static void
test_place_without (void)
{
  g_autoptr (GArray) findings = g_array_new (FALSE, FALSE, sizeof (C2gGstFinding));
  const C2gGstView view = { .width = 200, .height = 100, .form = { .width = 50, .height = 50 } };
  const C2gGstFinding *found;

  c2g_gst_boxes_place (&view, (const float[]) { 5, 10, 15, 20 }, 3, 0.5, findings);
  found = &g_array_index (findings, C2gGstFinding, 0);
  g_assert_true (found->x == 20 && found->y == 20 && found->width == 40 && found->height == 20);
}

/* More scores than there is room for are an error, and nothing else. */
static void
test_too_many (void)
{
  const C2gGstView view = { .threshold = 0.5, .overlap = 1, .max_boxes = 1 };
  const float box[] = { 0, 0, 1, 1 }, score = 1;
  g_autoptr (GArray) findings = g_array_new (FALSE, FALSE, sizeof (C2gGstFinding));
  g_autoptr (GError) error = NULL;
  g_auto (C2gGstBoxes) boxes = { 0 };

  /* All classes have one score, 0 floats behind the one before. */
  c2g_gst_boxes_init (&boxes, &view, (1 << 25) + 1);
  c2g_gst_boxes_add (&boxes, box, &score, 0, 1);
  g_assert_cmpuint (boxes.boxes->len, ==, 1);
  c2g_gst_boxes_add (&boxes, box, &score, 0, 1);
  g_assert_cmpuint (boxes.boxes->len, ==, 1);
  g_assert_false (c2g_gst_boxes_find (&boxes, findings, &error));
  assert_fails (&error, C2G_ERROR_RANGE);
}

static void
assert_text (const C2gGstFinding *found,
             gboolean             has_places,
             const char          *expected)
{
  const C2gGstFindingForm form = { "c2g-test", has_places, STRINGS ("zero", "one") };
  g_autoptr (GstStructure) structure = c2g_gst_finding_describe (found, &form);
  g_autoptr (GString) text = g_string_new (NULL);

  c2g_gst_finding_append_to (found, &form, text);
  g_assert_cmpstr (text->str, ==, expected);
  g_assert_true (gst_structure_has_name (structure, "c2g-test"));
  g_assert_true (gst_structure_has_field (structure, "x") == has_places);
  g_assert_true (gst_structure_has_field (structure, "label") == (found->index < 2));
}

/* Classes without a name are numbers. */
static void
test_finding (void)
{
  const C2gGstFindingForm form = { "c2g-test", TRUE };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstVideoRegionOfInterestMeta *region;

  assert_text (&(C2gGstFinding) { 1, 0.985, 1.4, 2.6, 3, 4 }, TRUE, "one 98.5 % 1 3 3 4\n");
  assert_text (&(C2gGstFinding) { 2, 0.5 }, FALSE, "2 50.0 %\n");

  c2g_gst_finding_add_region (&(C2gGstFinding) { 2, 0.5, 1.4, 2.6, 3.2, 4.2 }, &form, 7, buffer);
  region = gst_buffer_get_video_region_of_interest_meta (buffer);
  g_assert_true (region->id == 7 && region->x == 1 && region->y == 3 && region->w == 4 && region->h == 4);
}

/* A map without an inverse is refused. */
static void
test_pixels (void)
{
  g_autoptr (C2gGstGeometry) geometry = c2g_gst_geometry_new (4, 4, (const double[]) { 1, 1, 0, 1, 1, 0 });
  g_autoptr (C2gTensor) scratch = c2g_tensor_new ();
  const C2gGstView view = { .geometry = geometry, .width = 4, .height = 4, .scratch = scratch };
  g_autoptr (GError) error = NULL;
  C2gGstPixels pixels;
  GstVideoFrame frame;

  g_assert_false (c2g_gst_pixels_init (&pixels, &view, 1 << 28, 1 << 28, 3, &error));
  assert_fails (&error, C2G_ERROR_NO_MEMORY);
  g_assert_true (c2g_gst_pixels_init (&pixels, &view, 2, 2, 1, &error));
  g_assert_false (c2g_gst_pixels_paint (&pixels, &view, TRUE, &frame, &error));
  assert_fails (&error, C2G_ERROR_NOT_SUPPORTED);
}

/* A model has the shape of its pictures, its labels, and names with the prefix. */
static void
test_model (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "..", "examples", "models", "digits", NULL);
  const C2gGstModelOptions options = {
    .model = folder,
    .prefix = (char *) "my-",
    .optimize = C2G_OPTIMIZE_ALL,
    .picture = { .preset = (char *) "digits" },
  };
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gGstModel) model = c2g_gst_model_new (&options, NULL, &error);
  gint64 duration = -1;

  g_assert_no_error (error);
  g_assert_cmpstr (model->names[0], ==, "my-softmax");
  g_assert_cmpstr (model->labels[9], ==, "nine");
  g_assert_cmpint (model->form.width, ==, 8);
  g_assert_cmpint (model->form.height, ==, 8);
  g_assert_true (c2g_gst_model_try (model, &duration, NULL, &error));
  g_assert_cmpint (duration, >=, 0);
  g_cancellable_cancel (cancelled);
  g_assert_false (c2g_gst_model_try (model, &duration, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* One slow run raises the latency, and many short ones lower it again; what varies a little does not. */
static void
test_longest (void)
{
  C2gGstLongest longest = { 0 };

  g_assert_true (c2g_gst_longest_note (&longest, 20));
  g_assert_true (c2g_gst_longest_note (&longest, 100));
  for (int i = 0; i < 1000; i++)
    g_assert_false (c2g_gst_longest_note (&longest, i % 400 == 0 ? 51 : 30));
  g_assert_cmpuint (longest.duration, ==, 100);
  for (int i = 0; i < 600 && longest.duration == 100; i++)
    c2g_gst_longest_note (&longest, i == 0 ? 25 : 20);
  g_assert_cmpuint (longest.duration, ==, 30);
  for (int i = 0; i < 499; i++)
    g_assert_false (c2g_gst_longest_note (&longest, 15));
  g_assert_true (c2g_gst_longest_note (&longest, 14));
  g_assert_cmpuint (longest.duration, ==, 15);
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/plugin/labels", test_labels);
  add_gst_func ("/gst/plugin/labels-hostile", test_labels_hostile);
  add_gst_func ("/gst/plugin/properties", test_properties);
  add_gst_func ("/gst/plugin/properties-in-use", test_properties_in_use);
  add_gst_func ("/gst/plugin/view-read", test_view_read);
  add_gst_func ("/gst/plugin/view-size", test_view_size);
  add_gst_func ("/gst/plugin/place", test_place);
  add_gst_func ("/gst/plugin/place-without", test_place_without);
  add_gst_func ("/gst/plugin/too-many", test_too_many);
  add_gst_func ("/gst/plugin/finding", test_finding);
  add_gst_func ("/gst/plugin/pixels", test_pixels);
  add_gst_func ("/gst/plugin/model", test_model);
  add_gst_func ("/gst/plugin/longest", test_longest);

  return run_gst_tests ();
}
