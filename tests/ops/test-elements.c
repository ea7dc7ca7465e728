/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <string.h>

/* Operators that move elements of a class. Its constructor, copier and finalizer change the tensors
 * meanwhile. */

typedef struct
{
  GObject  parent_instance;
  gboolean is_stuck;
} Wild;

typedef GObjectClass WildClass;

typedef enum
{
  IN_NOTHING,
  IN_CONSTRUCTOR,
  IN_COPY,
  IN_FINALIZER,
  N_PLACES
} Place;

typedef enum
{
  FREE,
  GROW,
  SHRINK,
  RETYPE,
  TAKE_OUT,
  N_DEEDS,
  RUN = N_DEEDS
} Deed;

/* The action of the elements, and how many more times they do it. */
static struct
{
  C2gWorkspace *workspace;
  const char   *blob;
  Place         place;
  Deed          deed;
  guint         n_left;
  C2gOperator  *again;
  C2gOperator  *other;
} wild;

static int n_wild;

static void
run_operators (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_operator_run (wild.again, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_clear_error (&error);
  g_assert_true (c2g_operator_run (wild.other, &error));
  g_assert_no_error (error);
}

static void
do_deed (Place place)
{
  g_autoptr (C2gBlob) blob = NULL;
  g_autoptr (C2gTensor) tensor = NULL;

  if (wild.place != place || wild.n_left == 0)
    return;
  wild.n_left--;
  if (wild.deed == RUN)
    {
      run_operators ();
      return;
    }

  blob = c2g_workspace_lookup_blob (wild.workspace, wild.blob);
  if (c2g_blob_get_tensor (blob, NULL) == NULL)
    return;
  tensor = g_object_ref (c2g_blob_get_tensor (blob, NULL));
  switch (wild.deed)
    {
    case FREE:
      c2g_tensor_free_memory (tensor);
      break;

    case GROW:
      c2g_tensor_resize (tensor, C2G_TEST_DIMS (1000, 1), NULL);
      break;

    case SHRINK:
      c2g_tensor_free_memory (tensor);
      c2g_tensor_resize (tensor, C2G_TEST_DIMS (1), NULL);
      break;

    case RETYPE:
      c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT8, NULL);
      break;

    default:
      c2g_blob_reset (blob);
      break;
    }
}

static GType wild_get_type (void);

static C2gElementObject *
wild_copy (C2gElementObject *element)
{
  do_deed (IN_COPY);
  return ((Wild *) element)->is_stuck ? NULL : g_object_new (wild_get_type (), NULL);
}

static void
wild_element_init (C2gElementObjectInterface *iface)
{
  iface->copy = wild_copy;
}

G_DEFINE_TYPE_WITH_CODE (Wild, wild, G_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (C2G_TYPE_ELEMENT_OBJECT, wild_element_init))

static void
wild_finalize (GObject *object)
{
  n_wild--;
  do_deed (IN_FINALIZER);
  G_OBJECT_CLASS (wild_parent_class)->finalize (object);
}

static void
wild_class_init (WildClass *klass)
{
  klass->finalize = wild_finalize;
}

static void
wild_init (Wild *self)
{
  n_wild++;
  do_deed (IN_CONSTRUCTOR);
}

/* The inputs are “x” and “z”, of 2 x 3 elements each; the first output is “y”. */
static const struct
{
  const char *path;
  const char *text;
  gboolean    has_copies;
} cases[] = {
  { "copy", "op { type: 'Copy' input: 'x' output: 'y' }", TRUE },
  { "concat", "op { type: 'Concat' input: 'x' input: 'z' output: 'y' output: 'n' }", TRUE },
  { "concat-new-axis",
    "op { type: 'Concat' input: 'x' input: 'z' output: 'y' output: 'n' arg { name: 'axis' i: 0 } "
    "arg { name: 'add_axis' i: 1 } }",
    TRUE },
  { "slice",
    "op { type: 'Slice' input: 'x' output: 'y' arg { name: 'starts' ints: 0 ints: 1 } "
    "arg { name: 'ends' ints: -1 ints: 3 } }",
    TRUE },
  { "tile",
    "op { type: 'Tile' input: 'x' output: 'y' arg { name: 'tiles' i: 3 } arg { name: 'axis' i: 1 } }",
    TRUE },
  { "expand-dims",
    "op { type: 'ExpandDims' input: 'x' output: 'y' arg { name: 'dims' ints: 0 } }", TRUE },
  { "expand-dims-in-place",
    "op { type: 'ExpandDims' input: 'x' output: 'x' arg { name: 'dims' ints: 0 } }", FALSE },
  { "transpose", "op { type: 'Transpose' input: 'x' output: 'y' }", TRUE },
  { "split",
    "op { type: 'Split' input: 'x' output: 'y' output: 'y2' output: 'y3' arg { name: 'axis' i: 1 } }",
    TRUE },
  { "flatten", "op { type: 'Flatten' input: 'x' output: 'y' }", TRUE },
  { "reshape",
    "op { type: 'Reshape' input: 'x' output: 'y' output: 'old' arg { name: 'shape' ints: 6 } }",
    TRUE },
  { "gather", "op { type: 'Gather' input: 'x' input: 'i' output: 'y' }", TRUE },
  { "scatter-assign",
    "op { type: 'ScatterAssign' input: 'x' input: 'i' input: 'z' output: 'x' }", TRUE },
  { "boolean-mask", "op { type: 'BooleanMask' input: 'x' input: 'm' output: 'y' }", TRUE },
  { "conditional", "op { type: 'Conditional' input: 'm' input: 'x' input: 'z' output: 'y' }", TRUE },
  { "lengths-tile", "op { type: 'LengthsTile' input: 'x' input: 'i' output: 'y' }", TRUE },
  { "remove-data-blocks", "op { type: 'RemoveDataBlocks' input: 'x' input: 'j' output: 'y' }", TRUE },
  { "pack-segments", "op { type: 'PackSegments' input: 'i' input: 'x1' output: 'y' }", TRUE },
};

#define FILL                                                                                       \
  "op { type: 'GivenTensorIntFill' output: 'i' arg { name: 'shape' ints: 2 } "                     \
  "arg { name: 'values' ints: 1 ints: 0 } } "                                                      \
  "op { type: 'GivenTensorIntFill' output: 'j' arg { name: 'shape' ints: 1 } "                     \
  "arg { name: 'values' ints: 1 } } "                                                              \
  "op { type: 'GivenTensorBoolFill' output: 'm' arg { name: 'shape' ints: 2 } "                    \
  "arg { name: 'values' ints: 1 ints: 0 } } "

static C2gNetDef *
new_net (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gNetDef *def = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return def;
}

static void
add_tensor (C2gWorkspace *workspace,
            const char   *name,
            gint64        n_rows)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (n_rows, 3), NULL));
  g_assert_true (
    c2g_tensor_allocate_meta (tensor, c2g_type_meta_for_gtype (wild_get_type (), NULL), NULL));
}

static C2gWorkspace *
new_workspace (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) fill = new_net (FILL);
  g_autoptr (GError) error = NULL;

  c2g_workspace_run_net_once (workspace, fill, NULL, &error);
  g_assert_no_error (error);
  add_tensor (workspace, "x", 2);
  add_tensor (workspace, "z", 2);
  add_tensor (workspace, "x1", 1);
  /* Elements that are released when the output gets others. */
  add_tensor (workspace, "y", 1);
  return workspace;
}

/* Whatever the elements did, a tensor has as many elements as its shape says. */
static void
check_whole (C2gWorkspace *workspace,
             const char   *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_lookup_blob (workspace, name);
  C2gTensor *tensor = blob != NULL ? c2g_blob_get_tensor (blob, NULL) : NULL;

  if (tensor == NULL || !c2g_tensor_is_allocated (tensor) ||
      c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_INT8)
    return;
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), >=, c2g_tensor_get_n_bytes (tensor));
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      c2g_tensor_get_element (tensor, i, &value);
      g_assert_true (g_value_get_object (&value) == NULL ||
                     G_TYPE_CHECK_INSTANCE_TYPE (g_value_get_object (&value), wild_get_type ()));
    }
}

static gboolean
run_wildly (gsize       i,
            const char *blob,
            Place       place,
            Deed        deed)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (C2gNetDef) def = new_net (cases[i].text);
  g_autoptr (GError) error = NULL;
  gboolean is_done, is_used;

  wild = (typeof (wild)){ .workspace = workspace, .blob = blob, .place = place, .deed = deed, .n_left = 1 };
  is_done = c2g_workspace_run_net_once (workspace, def, NULL, &error);
  is_used = wild.n_left == 0;
  wild.place = IN_NOTHING;

  if (!is_done)
    g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  check_whole (workspace, "x");
  check_whole (workspace, "y");
  g_clear_object (&workspace);
  g_assert_cmpint (n_wild, ==, 0);
  return is_done || !is_used;
}

static void
test_wild (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  static const char *const blobs[] = { "x", "y" };

  for (gsize b = 0; b < G_N_ELEMENTS (blobs); b++)
    for (guint place = IN_CONSTRUCTOR; place < N_PLACES; place++)
      for (guint deed = 0; deed < N_DEEDS; deed++)
        {
          const gboolean is_done = run_wildly (i, blobs[b], place, deed);

          /* Operators that read the element while it is copied must notice the change. */
          if (place == IN_COPY && b == 0 && strstr (cases[i].text, "'x'") != NULL)
            g_assert_true (is_done == !cases[i].has_copies);
        }
}

/* If an element cannot be copied, the operator fails and copies nothing more. */
static void
test_stuck (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (C2gNetDef) def = new_net (cases[i].text);
  g_autoptr (GError) error = NULL;
  static const char *const names[] = { "x", "z", "x1" };

  for (gsize n = 0; n < G_N_ELEMENTS (names); n++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_lookup_blob (workspace, names[n]);
      C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);
      Wild *const *elements = c2g_tensor_raw_data (tensor, NULL);

      for (gint64 k = 0; k < c2g_tensor_get_n_elements (tensor); k++)
        elements[k]->is_stuck = TRUE;
    }
  if (c2g_workspace_run_net_once (workspace, def, NULL, &error))
    {
      g_assert_false (cases[i].has_copies);
      return;
    }
  g_assert_true (cases[i].has_copies);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "Wild"));
  check_whole (workspace, "x");
  g_clear_object (&workspace);
  g_assert_cmpint (n_wild, ==, 0);
}

/* An element may run other operators, but not the one that works on it. */
static void
test_within (void)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (C2gNetDef) def = new_net ("op { type: 'Tile' input: 'x' output: 'y' "
                                                 "arg { name: 'tiles' i: 2 } }"
                                                 "op { type: 'Copy' input: 'z' output: 'c' }");
  g_autoptr (C2gOperator) tile = NULL;
  g_autoptr (C2gOperator) copy = NULL;
  g_autoptr (GError) error = NULL;

  tile = c2g_operator_create (c2g_net_def_get_operator (def, 0), workspace, &error);
  g_assert_no_error (error);
  copy = c2g_operator_create (c2g_net_def_get_operator (def, 1), workspace, &error);
  g_assert_no_error (error);

  wild = (typeof (wild)){ .place = IN_COPY, .deed = RUN, .n_left = 1, .again = tile, .other = copy };
  g_assert_true (c2g_operator_run (tile, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (wild.n_left, ==, 0);
  wild.place = IN_NOTHING;
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *wild_path = g_strdup_printf ("/elements/wild/%s", cases[i].path);
      g_autofree char *stuck_path = g_strdup_printf ("/elements/stuck/%s", cases[i].path);

      g_test_add_data_func (wild_path, GSIZE_TO_POINTER (i), test_wild);
      g_test_add_data_func (stuck_path, GSIZE_TO_POINTER (i), test_stuck);
    }
  c2g_test_add_func ("/elements/within", test_within);

  return c2g_test_run ();
}
