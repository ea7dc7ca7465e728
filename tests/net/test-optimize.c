/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

#include <c2g/net/graph/c2g-graph-private.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Rewritten nets compute the same as before. */

/* Copies its input. The optimizer does not know this operator type. */
typedef struct
{
  C2gOperator parent_instance;
} UnknownCopy;

typedef struct
{
  C2gOperatorClass parent_class;
} UnknownCopyClass;

GType unknown_copy_get_type (void);

G_DEFINE_FINAL_TYPE (UnknownCopy, unknown_copy, C2G_TYPE_OPERATOR)

static gboolean
unknown_copy_run (C2gOperator  *op,
                  GError      **error)
{
  C2gTensor *input = c2g_operator_get_input_tensor (op, 0, error);
  C2gTensor *output = input != NULL ? c2g_operator_get_output_tensor (op, 0, error) : NULL;

  return output != NULL && c2g_tensor_copy_from (output, input, NULL, error);
}

static void
unknown_copy_class_init (UnknownCopyClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->run = unknown_copy_run;
}

static void
unknown_copy_init (UnknownCopy *self)
{
}

/* Fills with reproducible values between 0.25 and 1.25, which are also valid variances. */
static void
fill_blob (C2gWorkspace *workspace,
           const char   *name,
           const gint64 *dims,
           gsize         n_dims)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_local_blob (workspace, name, NULL);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, c2g_device_cpu (), NULL);
  guint32 state = g_str_hash (name);
  float *data;

  g_assert_true (c2g_tensor_resize (tensor, dims, n_dims, NULL));
  data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    {
      state = state * 1664525 + 1013904223;
      data[i] = 0.25f + (float) (state >> 8) / (1 << 24);
      if (name[0] == 'w')
        data[i] = (data[i] - 0.75f) * 0.3f;
    }
}

/* Creates a workspace with blobs; "name:2,3 other:4" are two names with shapes. */
static C2gWorkspace *
new_workspace (const char *blobs)
{
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_auto (GStrv) words = g_strsplit (blobs, " ", -1);

  for (gsize i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (words[i], ":", 2);
      g_auto (GStrv) numbers = NULL;
      gint64 dims[4];
      gsize n_dims;

      if (parts[0] == NULL)
        continue;
      numbers = g_strsplit (parts[1], ",", -1);
      for (n_dims = 0; numbers[n_dims] != NULL; n_dims++)
        dims[n_dims] = g_ascii_strtoll (numbers[n_dims], NULL, 10);
      fill_blob (workspace, parts[0], dims, n_dims);
    }
  return workspace;
}

static C2gTensor *
get_tensor (C2gWorkspace *workspace,
            const char   *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, &error);
  C2gTensor *tensor;

  g_assert_no_error (error);
  tensor = c2g_blob_get_tensor (blob, &error);
  g_assert_no_error (error);
  return tensor;
}

static void
assert_close (C2gTensor  *tensor,
              C2gTensor  *expected,
              const char *name)
{
  const float *a = c2g_tensor_raw_data (tensor, NULL);
  const float *b = c2g_tensor_raw_data (expected, NULL);
  g_autofree char *shape = c2g_tensor_to_string (tensor, 0);
  double scale = 1e-3;

  if (c2g_tensor_get_n_elements (tensor) != c2g_tensor_get_n_elements (expected))
    g_error ("%s: %s", name, shape);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (expected); i++)
    scale = MAX (scale, fabs (b[i]));
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (expected); i++)
    if (!(fabs (a[i] - b[i]) <= 1e-4 * scale))
      g_error ("%s, element %" PRId64 ": %g instead of %g", name, i, a[i], b[i]);
}

/* Runs the net twice, because contents of the first run must not disturb the second. */
static void
run_twice (C2gWorkspace *workspace,
           C2gNetDef    *def)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) copy = c2g_net_def_copy (def);
  C2gNet *net;

  c2g_net_def_set_name (copy, "net");
  net = c2g_workspace_create_net (workspace, copy, TRUE, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
    }
  g_object_unref (net);
}

/* Runs the net and its rewritten form in separate workspaces, and checks that the outputs are
 * equal. Returns the rewritten net. */
static C2gNetDef *
compare (C2gNetDef        *def,
         const char       *blobs,
         C2gOptimizeFlags  flags)
{
  g_autoptr (C2gWorkspace) before = new_workspace (blobs);
  g_autoptr (C2gWorkspace) after = new_workspace (blobs);
  g_autoptr (GError) error = NULL;
  const char * const *outputs = c2g_net_def_get_external_outputs (def);
  C2gNetDef *optimized = c2g_net_def_optimize (def, after, flags, &error);

  g_assert_no_error (error);
  run_twice (before, def);
  run_twice (after, optimized);
  assert_close (get_tensor (after, "y"), get_tensor (before, "y"), "y");
  for (gsize i = 0; outputs[i] != NULL; i++)
    assert_close (get_tensor (after, outputs[i]), get_tensor (before, outputs[i]), outputs[i]);
  return optimized;
}

/* Returns the types of the operators, separated by spaces. */
static char *
list_types (C2gNetDef *def)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < c2g_net_def_get_n_operators (def); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            c2g_operator_def_get_op_type (c2g_net_def_get_operator (def, i)));
  return g_string_free (text, FALSE);
}

/* Adds an operator: "c Conv x w" is a Conv that computes c from x and w, and "y Clip:0:6 c" has the
 * arguments min and max, "ConvFusion::6:2" has max and fusion_type. Operators are separated by semicolons; "out c y" declares outputs. */
static void
add_operator (C2gNetDef  *def,
              const char *line)
{
  static const char * const statistics[] = { "s", "b", "m", "v", NULL };
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  static const char *const arguments[] = { "min", "max", "fusion_type" };
  g_auto (GStrv) type = g_strsplit (words[1], ":", 4);
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new (type[0]);

  for (gsize i = 1; type[0] != NULL && type[i] != NULL; i++)
    if (i == 3)
      c2g_operator_def_set_int (op, arguments[i - 1], g_ascii_strtoll (type[i], NULL, 10));
    else if (*type[i] != '\0')
      c2g_operator_def_set_float (op, arguments[i - 1], g_ascii_strtod (type[i], NULL));
  c2g_operator_def_add_output (op, words[0]);
  c2g_operator_def_set_inputs (op, (const char * const *) words + 2);
  if (g_str_has_prefix (words[1], "Conv") || g_str_has_prefix (words[1], "MaxPool"))
    {
      c2g_operator_def_set_int (op, "kernel", 3);
      c2g_operator_def_set_int (op, "pad", 1);
    }
  if (g_str_equal (words[1], "LRN"))
    {
      c2g_operator_def_set_int (op, "size", 3);
      c2g_operator_def_set_float (op, "alpha", 1);
      c2g_operator_def_set_float (op, "beta", 0.5);
    }
  if (g_str_equal (words[1], "SpatialBN") || g_str_equal (words[1], "Dropout"))
    c2g_operator_def_set_int (op, "is_test", 1);
  for (gsize i = 0; g_str_equal (words[1], "SpatialBN") && statistics[i] != NULL; i++)
    c2g_operator_def_add_input (op, statistics[i]);
  if (g_str_equal (words[1], "Dropout"))
    c2g_operator_def_add_output (op, "mask");
  c2g_net_def_add_operator (def, op);
}

static C2gNetDef *
new_net (const char *text)
{
  C2gNetDef *def = c2g_net_def_new ("net");
  g_auto (GStrv) lines = g_strsplit (text, "; ", -1);

  for (gsize i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);

      if (g_str_has_prefix (lines[i], "out "))
        c2g_net_def_set_external_outputs (def, (const char * const *) words + 1);
      else
        add_operator (def, lines[i]);
    }
  return def;
}

#define BLOBS "x:2,4,5,7 w:4,4,3,3 w2:4,4,3,3 w_both:4,8,3,3 w_three:4,12,3,3 w_more:9,8,3,3 s:4 b:4 m:4 v:4"

/* Where no engine computes NHWC, this changes no layout. */
#define TURNING (C2G_OPTIMIZE_FUSE | C2G_OPTIMIZE_LAYOUT)

#define SOME (C2G_OPTIMIZE_PRUNE | C2G_OPTIMIZE_FOLD | C2G_OPTIMIZE_FUSE)

static const struct
{
  const char       *name;
  const char       *net;
  C2gOptimizeFlags  flags;
  const char       *types;
} cases[] = {
  { "fold", "c Conv x w; y SpatialBN c", C2G_OPTIMIZE_FOLD, "Conv" },
  { "fold/in-place", "y Conv x w; y SpatialBN y", C2G_OPTIMIZE_FOLD, "Conv" },
  { "fold/other-reader", "c Conv x w; d SpatialBN c; y Sum c d", C2G_OPTIMIZE_FOLD,
    "Conv SpatialBN Sum" },
  { "fold/output", "out c y; c Conv x w; y SpatialBN c", C2G_OPTIMIZE_FOLD, "Conv SpatialBN" },
  { "fold/written-filters", "w Relu w; c Conv x w; y SpatialBN c", C2G_OPTIMIZE_FOLD,
    "Relu Conv SpatialBN" },
  { "fold/unknown", "c Conv x w; d Unknown c; y SpatialBN d", C2G_OPTIMIZE_FOLD,
    "Conv Unknown SpatialBN" },
  { "fold/bias", "c Conv x w b; y SpatialBN c", C2G_OPTIMIZE_FOLD, "Conv" },
  { "fuse/relu", "y Conv x w; y Relu y", C2G_OPTIMIZE_FUSE, "ConvFusion" },
  { "fuse/relu-2d", "y Conv2D x w; y Relu y", C2G_OPTIMIZE_FUSE, "ConvFusion" },
  { "fuse/clip", "y Conv x w; y Clip:0:0.1 y", C2G_OPTIMIZE_FUSE, "ConvFusion" },
  { "fuse/clip-sum", "c Conv x w; y Sum x c; y Clip:0:0.5 y", C2G_OPTIMIZE_FUSE, "ConvFusion" },
  { "fuse/limit-is-replaced", "c ConvFusion::0.01:2 x w x; y Relu c", C2G_OPTIMIZE_FUSE,
    "ConvFusion" },
  { "fuse/clip-not-from-0", "y Conv x w; y Clip:-1:0.1 y", C2G_OPTIMIZE_FUSE, "Conv Clip" },
  { "fuse/clip-below-0", "y Conv x w; y Clip:0:-1 y", C2G_OPTIMIZE_FUSE, "Conv Clip" },
  { "fuse/clip-without-max", "y Conv x w; y Clip:0 y", C2G_OPTIMIZE_FUSE, "Conv Clip" },
  { "fuse/sum", "c Conv x w b; y Sum x c", C2G_OPTIMIZE_FUSE, "ConvFusion" },
  { "fuse/sum-relu", "c Conv x w; d Conv x w2; y Sum c d; y Relu y", C2G_OPTIMIZE_FUSE,
    "Conv ConvFusion" },
  { "fuse/conv-comes-first", "c Conv x w; d Relu x; y Sum c d", C2G_OPTIMIZE_FUSE,
    "Relu ConvFusion" },
  { "fuse/twice-the-same", "c Conv x w; y Sum c c", C2G_OPTIMIZE_FUSE, "Conv Sum" },
  { "fuse/three", "c Conv x w; d Relu x; y Sum c d x", C2G_OPTIMIZE_FUSE, "Conv Relu Sum" },
  { "fuse/input-is-overwritten", "out y d; d Unknown x; c Conv d w; d Unknown w; y Sum c x",
    C2G_OPTIMIZE_FUSE, "Unknown Conv Unknown Sum" },
  { "prune/dropout", "c Conv x w; d Dropout c; y Relu d", C2G_OPTIMIZE_PRUNE, "Conv Relu" },
  { "prune/last", "out y; c Conv x w; y Dropout c", C2G_OPTIMIZE_PRUNE, "Conv" },
  { "prune/input-is-output", "out y; y Dropout x", C2G_OPTIMIZE_PRUNE, "Dropout" },
  { "prune/unread", "out y; c Conv x w; d Relu c; y Relu x", C2G_OPTIMIZE_PRUNE, "Relu" },
  { "prune/then-fuse", "out y; c Conv x w; c Dropout c; c SpatialBN c; y Relu c", SOME,
    "ConvFusion" },
  { "split/concat", "c Conv x w b; d Conv x w2; e Concat c d; y Conv e w_both b; y Relu y",
    TURNING, "NCHW2NHWC Conv Conv Conv ConvFusion NHWC2NCHW" },
  { "split/pool", "c Conv x w; d Conv x w2; e Concat c d; f MaxPool e; y Conv f w_both", TURNING,
    "NCHW2NHWC Conv Conv MaxPool Conv MaxPool ConvFusion NHWC2NCHW" },
  { "layout/prelu", "c Conv x w; d PRelu c s; y Conv d w2; y PRelu y s", TURNING,
    "NCHW2NHWC Conv PRelu Conv PRelu NHWC2NCHW" },
  /* It looks at several channels. */
  { "split/lrn", "c Conv x w; d Conv x w2; e Concat c d; f LRN e; y Conv f w_both", TURNING,
    "NCHW2NHWC Conv Conv Concat LRN Conv NHWC2NCHW" },
  { "split/softmax", "c Conv x w; d Conv x w2; e Concat c d; f Softmax e; y Conv f w_both", TURNING,
    "NCHW2NHWC Conv Conv Concat NHWC2NCHW Softmax NCHW2NHWC Conv NHWC2NCHW" },
  { "split/three",
    "c Conv x w; c Relu c; d Conv x w2; f Conv x w; e Concat c d f; y Conv e w_three b", TURNING,
    "NCHW2NHWC ConvFusion Conv Conv Conv ConvFusion ConvFusion NHWC2NCHW" },
  { "split/twice",
    "c Conv x w; d Conv x w2; e Concat c d; f Conv e w_both; g Concat f c; y Conv g w_both",
    TURNING, "NCHW2NHWC Conv Conv Conv ConvFusion Conv ConvFusion NHWC2NCHW" },
  { "split/other-reader",
    "out y z; c Conv x w; d Conv x w2; e Concat c d; y Conv e w_both; z Relu e", TURNING,
    "NCHW2NHWC Conv Conv Concat Conv NHWC2NCHW Relu NHWC2NCHW" },
  { "split/output", "out e y; c Conv x w; d Conv x w2; e Concat c d; y Conv e w_both", TURNING,
    "NCHW2NHWC Conv Conv Concat NHWC2NCHW Conv NHWC2NCHW" },
  { "split/unknown-channels", "d Conv x w2; e Concat x d; y Conv e w_both", TURNING,
    "NCHW2NHWC Conv NHWC2NCHW Concat NCHW2NHWC Conv NHWC2NCHW" },
  { "split/more-filters", "c Conv x w; d Conv x w2; e Concat c d; y Conv e w_more", TURNING,
    "NCHW2NHWC Conv Conv Concat Conv NHWC2NCHW" },
  { "memory", "a Relu x; c Relu a; d Relu c; y Sum x d", C2G_OPTIMIZE_MEMORY,
    "Relu Relu Relu Sum" },
  { "new-names-are-taken", "out y w_folded; w_folded Relu w2; c Conv x w; y SpatialBN c",
    C2G_OPTIMIZE_FOLD, "Relu Conv" },
  { "none", "d Dropout x; y Relu d", C2G_OPTIMIZE_NONE, "Dropout Relu" },
};

static void
test_case (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (C2gNetDef) def = new_net (cases[i].net);
  g_autoptr (C2gNetDef) optimized = compare (def, BLOBS, cases[i].flags);
  g_autoptr (C2gNetDef) all = compare (def, BLOBS, C2G_OPTIMIZE_ALL);
  g_autofree char *types = list_types (optimized);

  if (cases[i].flags != TURNING || c2g_graph_can_lay_out ())
    g_assert_cmpstr (types, ==, cases[i].types);
  c2g_net_def_set_net_type (def, "dag");
  g_clear_object (&all);
  all = compare (def, BLOBS, C2G_OPTIMIZE_ALL);
}

/* The operators that are made of one do not share its name. */
static void
test_names (void)
{
  g_autoptr (C2gNetDef) def =
    new_net ("c Conv x w; d Conv x w2; e Concat c d; f MaxPool e; y Conv f w_both");
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (C2gNetDef) optimized = NULL;

  for (gsize i = 0; i < c2g_net_def_get_n_operators (def); i++)
    {
      g_autofree char *name = g_strdup_printf ("operator_%" G_GSIZE_FORMAT, i);

      c2g_operator_def_set_name (c2g_net_def_get_operator (def, i), name);
    }
  optimized = compare (def, BLOBS, TURNING);
  for (gsize i = 0; i < c2g_net_def_get_n_operators (optimized); i++)
    {
      const char *name = c2g_operator_def_get_name (c2g_net_def_get_operator (optimized, i));

      if (name != NULL && *name != '\0')
        g_assert_true (g_hash_table_add (taken, (gpointer) name));
    }
}

/* Random nets with few blob names, so that blobs are overwritten while others still read them. All
 * blobs are images of one shape. */

#define N_RANDOM_NETS 100
#define N_NAMES       6

typedef struct
{
  GRand   *random;
  GString *text;
} RandomNet;

static const char * const names[N_NAMES] = { "a", "c", "d", "e", "f", "g" };

static const char *
pick_input (RandomNet *self)
{
  const int i = g_rand_int_range (self->random, 0, N_NAMES + 1);

  return i < N_NAMES ? names[i] : "x";
}

/* Returns a name that is not an input. */
static const char *
pick_output (RandomNet  *self,
             const char *x,
             const char *z)
{
  int i;

  do
    i = g_rand_int_range (self->random, 0, N_NAMES);
  while (names[i] == x || names[i] == z);
  return names[i];
}

static void
add_random_operator (RandomNet *self)
{
  const char *x = pick_input (self);
  const char *z = pick_input (self);
  const char *w = g_rand_boolean (self->random) ? "w" : "w2";
  const char *y = pick_output (self, x, z);
  const char *y_or_x = x[0] != 'x' && g_rand_boolean (self->random) ? x : y;

  switch (g_rand_int_range (self->random, 0, 9))
    {
    case 0:
      g_string_append_printf (self->text, "%s Sum %s %s; ", z != x ? y_or_x : y, x, z);
      break;
    case 1:
      g_string_append_printf (self->text, "%s Dropout %s; ", y_or_x, x);
      break;
    case 2:
      g_string_append_printf (self->text, "%s Unknown %s; ", y, x);
      break;
    case 3:
      g_string_append_printf (self->text, "%s MaxPool %s; ", y, x);
      break;
    case 4:
      g_string_append_printf (self->text, "%s Relu %s; ", y_or_x, x);
      break;
    case 5:
      g_string_append_printf (self->text, "%s SpatialBN %s; ", y_or_x, x);
      break;
    case 6:
      g_string_append_printf (self->text, "%s Conv %s %s; %s SpatialBN %s; ", y, x, w, y, y);
      break;
    case 7:
      g_string_append_printf (self->text, "%s Conv %s %s; ", y, x, w);
      if (z[0] != 'x')
        g_string_append_printf (self->text, "%s Sum %s %s; ", z, z, y);
      else
        g_string_append_printf (self->text, "%s Sum %s x; ", y, y);
      break;
    default:
      g_string_append_printf (self->text, "%s Conv %s %s; %s Relu %s; ", y, x, w, y, y);
      break;
    }
}

/* Creates a net whose output depends on the final contents of all blobs. */
static C2gNetDef *
new_random_net (GRand *random)
{
  RandomNet self = { random, g_string_new (NULL) };
  C2gNetDef *def;

  for (guint i = 0; i < N_NAMES; i++)
    g_string_append_printf (self.text, "%s Relu x; ", names[i]);
  for (guint i = 0; i < 12; i++)
    add_random_operator (&self);
  g_string_append (self.text, "h Relu x");
  for (guint i = 0; i < N_NAMES; i++)
    g_string_append_printf (self.text, "; h Sum h %s", names[i]);
  g_string_append (self.text, "; y Relu h; out y");
  def = new_net (self.text->str);
  g_string_free (self.text, TRUE);
  return def;
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint n_nets = c2g_test_count_rounds (N_RANDOM_NETS), n_shorter = 0;

  for (guint i = 0; i < n_nets; i++)
    {
      g_autoptr (C2gNetDef) def = new_random_net (random);
      g_autofree char *text = c2g_net_def_to_text (def);
      g_autoptr (C2gNetDef) all = NULL;
      g_autoptr (C2gNetDef) some = NULL;

      g_test_message ("%s", text);
      all = compare (def, BLOBS, C2G_OPTIMIZE_ALL);
      some = compare (def, BLOBS, g_rand_int_range (random, 0, C2G_OPTIMIZE_ALL));
      n_shorter += c2g_net_def_get_n_operators (all) < c2g_net_def_get_n_operators (def);
    }
  /* Some nets cannot be shortened, but not many. */
  g_assert_cmpuint (n_shorter, >, n_nets * 3 / 4);
}

/* Effects on the workspace */

static void
test_memory (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gNetDef) def =
    new_net ("a1 Relu x; a2 Sigmoid a1; a3 Relu a2; a4 Sigmoid a3; a5 Relu a4; y Relu a5");
  guint64 n_bytes[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gWorkspace) workspace = new_workspace (BLOBS);
      C2gOptimizeFlags flags = i == 0 ? C2G_OPTIMIZE_NONE : C2G_OPTIMIZE_MEMORY;
      const guint64 before = c2g_memory_reporter_get_current_bytes (reporter, NULL);
      g_autoptr (C2gNetDef) optimized = c2g_net_def_optimize (def, workspace, flags, NULL);

      run_twice (workspace, optimized);
      n_bytes[i] = c2g_memory_reporter_get_current_bytes (reporter, NULL) - before;
    }
  /* The five intermediate values share one blob; the output has its own. */
  g_assert_cmpuint (n_bytes[1] * 2, <=, n_bytes[0]);
}

static void
test_parameters_stay (void)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace (BLOBS);
  g_autoptr (C2gTensor) before = c2g_tensor_clone (get_tensor (workspace, "w"), NULL, NULL);
  g_autoptr (C2gNetDef) def = new_net ("c Conv x w; y SpatialBN c");
  g_autoptr (C2gNetDef) same = c2g_net_def_copy (def);
  g_autoptr (C2gNetDef) optimized = NULL;
  g_autoptr (C2gNetDef) again = NULL;

  optimized = c2g_net_def_optimize (def, workspace, C2G_OPTIMIZE_FOLD, NULL);
  again = c2g_net_def_optimize (def, workspace, C2G_OPTIMIZE_FOLD, NULL);
  assert_close (get_tensor (workspace, "w"), before, "w");
  g_assert_true (c2g_net_def_equal (def, same));
  g_assert_true (c2g_workspace_has_blob (workspace, "w_folded"));
  g_assert_true (c2g_workspace_has_blob (workspace, "w_folded_2"));
}

/* The declared inputs include the new parameters. */
static void
test_declared_inputs (void)
{
  static const char * const inputs[] = { "x", "w", "s", "b", "m", "v", NULL };
  g_autoptr (C2gNetDef) def = new_net ("c Conv x w; y SpatialBN c");
  g_autoptr (C2gNetDef) optimized = NULL;

  c2g_net_def_set_external_inputs (def, inputs);
  optimized = compare (def, BLOBS, C2G_OPTIMIZE_FOLD);
  g_assert_true (g_strv_contains (c2g_net_def_get_external_inputs (optimized), "w_folded"));
}

static void
assert_left_alone (C2gNetDef *def)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace (BLOBS);
  g_autoptr (C2gNetDef) optimized = NULL;

  optimized = c2g_net_def_optimize (def, workspace, C2G_OPTIMIZE_ALL, NULL);
  g_assert_nonnull (optimized);
  g_assert_true (optimized != def);
  g_assert_true (c2g_net_def_equal (def, optimized));
}

static void
test_left_alone (void)
{
  g_autoptr (C2gNetDef) waiting = new_net ("c Conv x w; y Relu c");
  g_autoptr (C2gNetDef) away = new_net ("c Conv x w; y Relu c");
  g_autoptr (C2gNetDef) half_away = new_net ("c Conv x w; y Relu c");
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);

  c2g_operator_def_set_name (c2g_net_def_get_operator (waiting, 0), "one");
  c2g_operator_def_add_control_input (c2g_net_def_get_operator (waiting, 1), "one");
  assert_left_alone (waiting);

  c2g_net_def_set_device (away, device);
  assert_left_alone (away);
  c2g_operator_def_set_device (c2g_net_def_get_operator (half_away, 1), device);
  c2g_operator_def_set_device (c2g_net_def_get_operator (half_away, 0), device);
  assert_left_alone (half_away);
}

/* No pass fails on an invalid definition from a file. */
static void
test_invalid (void)
{
  static const char * const nets[] = {
    "op { type: 'Conv' input: 'x' input: 'w' }",
    "op { type: 'Conv' output: 'y' }",
    "op { type: 'SpatialBN' input: 'x' output: 'y' arg { name: 'is_test' i: 1 } }",
    "op { type: 'MaxPool' output: 'y' } op { type: 'Relu' } op { type: 'Copy' output: 'y' }",
    "op { type: 'Relu' input: 'y' output: 'y' } op { type: 'Sum' output: 'y' }",
    "op { output: 'y' } op { type: '' input: 'y' }",
    "op { type: 'Dropout' input: 'x' arg { name: 'is_test' i: 1 } }",
    "op { type: 'ConvFusion' input: 'x' output: 'y' arg { name: 'fusion_type' i: 3 } }",
    "op { type: 'Conv' input: 'x' input: 'w' output: 'y' arg { name: 'order' i: 3 } } "
    "op { type: 'Concat' input: 'y' output: 'z' arg { name: 'axis' s: 'a' } }",
    "",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      g_autoptr (C2gWorkspace) workspace = new_workspace (BLOBS);
      g_autoptr (C2gNetDef) def = net_def_from_text (nets[i]);
      g_autoptr (C2gNetDef) optimized = NULL;

      optimized = c2g_net_def_optimize (def, workspace, C2G_OPTIMIZE_ALL, NULL);
      g_assert_nonnull (optimized);
    }
}

/* Operators without outputs are kept, because of their side effects. */
static void
test_without_outputs (void)
{
  g_autoptr (C2gNetDef) def = new_net ("c Conv x w; d Relu c; y Relu x; out y");
  g_autoptr (C2gOperatorDef) print = c2g_operator_def_new ("EnforceFinite");
  g_autoptr (C2gNetDef) optimized = NULL;
  g_autofree char *types = NULL;

  c2g_operator_def_add_input (print, "d");
  c2g_net_def_insert_operator (def, 2, print);
  optimized = compare (def, BLOBS, C2G_OPTIMIZE_ALL & ~C2G_OPTIMIZE_LAYOUT);
  types = list_types (optimized);
  g_assert_cmpstr (types, ==, "ConvFusion EnforceFinite Relu");
}

/* An inner net reads a blob that is not an input of its operator. */
static void
test_inner_nets (void)
{
  g_autoptr (C2gNetDef) def = new_net ("c Conv x w; d Relu c; out y");
  g_autoptr (C2gNetDef) inner = new_net ("y Relu d");
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("If");
  g_autoptr (C2gArgument) argument = c2g_argument_new_net ("then_net", inner, NULL);

  c2g_operator_def_add_input (op, "condition");
  c2g_operator_def_add_output (op, "y");
  c2g_operator_def_set_argument (op, argument);
  c2g_net_def_add_operator (def, op);
  assert_left_alone (def);
}

/* Parameters that a pass created and that are not used are removed. */
static void
test_leaves_nothing (void)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace (BLOBS);
  g_autoptr (C2gNetDef) def = new_net ("d Unknown x; c Conv x w; c SpatialBN c; e Conv d w2; "
                                       "d Unknown x; y Sum c e");
  g_auto (GStrv) before = c2g_workspace_list_blobs (workspace);
  g_auto (GStrv) after = NULL;
  g_autoptr (C2gNetDef) optimized = NULL;

  /* The sum cannot be fused into the second Conv, because the input d is overwritten before the
   * sum. */
  optimized = c2g_net_def_optimize (def, workspace, C2G_OPTIMIZE_ALL, NULL);
  after = c2g_workspace_list_blobs (workspace);
  g_assert_true (c2g_net_def_equal (def, optimized));
  g_assert_true (g_strv_equal ((const char * const *) before, (const char * const *) after));
}

static void
test_errors (void)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace (BLOBS);
  g_autoptr (C2gNetDef) def = new_net ("y Relu x");
  g_autoptr (GError) error = NULL;

  c2g_net_def_set_net_type (def, "unheard-of");
  g_assert_null (c2g_net_def_optimize (def, workspace, C2G_OPTIMIZE_ALL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
}

/* Predictors */

static void
test_predictor (void)
{
  g_autoptr (C2gWorkspace) parent = new_workspace (BLOBS);
  g_autoptr (C2gNetDef) def =
    new_net ("c Conv x w; c SpatialBN c; y Relu c; out y");
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (C2gTensor) first = NULL;
  g_autoptr (GError) error = NULL;
  static const struct
  {
    C2gOptimizeFlags flags;
    gboolean         is_shorter;
  } steps[] = {
    { C2G_OPTIMIZE_NONE, FALSE },
    { C2G_OPTIMIZE_ALL, TRUE },
    { C2G_OPTIMIZE_NONE, FALSE },
    { C2G_OPTIMIZE_FUSE | C2G_OPTIMIZE_FOLD, TRUE },
  };

  predictor = c2g_predictor_create (NULL, def, parent, NULL, C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree C2gTensor **outputs = NULL;
      g_autofree char *types = NULL;
      guint n_outputs;

      g_assert_true (c2g_predictor_optimize (predictor, steps[i].flags, &error));
      g_assert_no_error (error);
      types = list_types (c2g_net_get_definition (c2g_predictor_get_net (predictor)));
      g_assert_cmpint (strstr (types, "SpatialBN") == NULL, ==, steps[i].is_shorter);

      outputs = c2g_predictor_run (predictor, NULL, 0, &n_outputs, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (n_outputs, ==, 1);
      if (first == NULL)
        first = c2g_tensor_clone (outputs[0], NULL, NULL);
      assert_close (outputs[0], first, "y");
    }
}

/* The device of the predictor overrides that of the net. */
static void
test_forced_device (void)
{
  g_autoptr (C2gWorkspace) parent = new_workspace (BLOBS);
  g_autoptr (C2gNetDef) def = new_net ("c Conv x w; y Relu c; out y");
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *types = NULL;

  c2g_net_def_set_device (def, c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL));
  predictor = c2g_predictor_create (NULL, def, parent, c2g_device_cpu (), C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_predictor_optimize (predictor, SOME, &error));
  g_assert_no_error (error);
  types = list_types (c2g_net_get_definition (c2g_predictor_get_net (predictor)));
  g_assert_cmpstr (types, ==, "ConvFusion");
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  c2g_operator_register ("Unknown", C2G_DEVICE_TYPE_CPU, NULL, unknown_copy_get_type (), NULL,
                         &error);
  g_assert_no_error (error);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/optimize/", cases[i].name, NULL);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  c2g_test_add_func ("/optimize/names", test_names);
  c2g_test_add_func ("/optimize/random", test_random);
  c2g_test_add_func ("/optimize/memory-of-net", test_memory);
  c2g_test_add_func ("/optimize/parameters-stay", test_parameters_stay);
  c2g_test_add_func ("/optimize/declared-inputs", test_declared_inputs);
  c2g_test_add_func ("/optimize/left-alone", test_left_alone);
  c2g_test_add_func ("/optimize/invalid", test_invalid);
  c2g_test_add_func ("/optimize/without-outputs", test_without_outputs);
  c2g_test_add_func ("/optimize/inner-nets", test_inner_nets);
  c2g_test_add_func ("/optimize/leaves-nothing", test_leaves_nothing);
  c2g_test_add_func ("/optimize/errors", test_errors);
  c2g_test_add_func ("/optimize/predictor", test_predictor);
  c2g_test_add_func ("/optimize/forced-device", test_forced_device);

  return c2g_test_run ();
}
