/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/net/def-utils.h"

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/net/run/c2g-net-private.h>

#ifdef HAVE_GDK_PIXBUF
#include <gdk-pixbuf/gdk-pixbuf.h>
#endif

#include <math.h>
#include <string.h>

/* Runs trained models and compares with their known results, in every type of net. */

/* Loads a model from a folder or database, or from two nets. Some have parameters outside of their
 * folder, so the root folder is allowed too. */
static C2gPredictor *
load_model (const char *name,
            const char *init_net,
            const char *predict_net)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autofree char *root_folder = NULL;
  g_autofree char *path = def_shared_path (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;
  C2gPredictor *predictor;

  if (file == NULL)
    return NULL;
  root_folder = g_path_get_dirname (path);
  c2g_workspace_set_root_folder (parent, root_folder);
  c2g_workspace_set_file_access (parent, C2G_FILE_ACCESS_ROOT_FOLDER);
  if (init_net == NULL)
    predictor = c2g_predictor_load (file, parent, c2g_device_cpu (), C2G_OPTIMIZE_ALL, NULL,
                                    &error);
  else
    {
      g_autoptr (GFile) init = g_file_resolve_relative_path (file, init_net);
      g_autoptr (GFile) predict = g_file_resolve_relative_path (file, predict_net);

      predictor = c2g_predictor_load_nets (init, predict, parent, c2g_device_cpu (),
                                           C2G_OPTIMIZE_ALL, NULL, &error);
    }
  g_assert_no_error (error);
  return predictor;
}

static C2gTensor *
new_input (C2gDataType   data_type,
           const gint64 *dims,
           gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);

  g_assert_no_error (error);
  c2g_tensor_allocate (tensor, data_type, &error);
  g_assert_no_error (error);
  return tensor;
}

/* Reads raw floats. If the file is not there, skips the test and returns NULL. */
static C2gTensor *
read_floats (const char *name,
             const gint64 *dims)
{
  g_autofree char *path = def_shared_path (name);
  g_autoptr (GBytes) bytes = path != NULL ? def_read (path) : NULL;
  C2gTensor *tensor = path != NULL ? new_input (C2G_DATA_TYPE_FLOAT, dims, 4) : NULL;

  if (tensor == NULL)
    return NULL;
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, c2g_tensor_get_n_bytes (tensor));
  memcpy (c2g_tensor_address (tensor), g_bytes_get_data (bytes, NULL),
          g_bytes_get_size (bytes));
  return tensor;
}

/* Checks that a net of another type computes the same bytes. */
static void
check_net_type (C2gPredictor *predictor,
                const char   *type,
                C2gTensor    *input,
                GBytes       *expected)
{
  const C2gNetOptions options = { c2g_device_cpu (), TRUE };
  C2gWorkspace *workspace = c2g_predictor_get_workspace (predictor);
  g_autoptr (C2gNetDef) def =
    c2g_net_def_copy (c2g_net_get_definition (c2g_predictor_get_net (predictor)));
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = NULL;
  g_autoptr (C2gBlob) from = NULL;
  g_autoptr (C2gBlob) to = NULL;
  g_autoptr (GBytes) bytes = NULL;

  c2g_net_def_set_net_type (def, type);
  c2g_net_def_set_n_workers (def, 3);
  net = c2g_net_new (def, workspace, &options, &error);
  g_assert_no_error (error);
  from = c2g_workspace_get_blob (workspace, c2g_predictor_get_inputs (predictor)[0], &error);
  g_assert_no_error (error);
  c2g_blob_set_object (from, G_OBJECT (input));
  to = c2g_workspace_get_blob (workspace, c2g_predictor_get_outputs (predictor)[0], &error);
  g_assert_no_error (error);
  c2g_blob_reset (to);

  for (int i = 0; i < 3; i++)
    {
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
    }
  bytes = c2g_tensor_dup_bytes (c2g_blob_get_tensor (to, NULL), &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, expected));
}

/* Returns the first output, and checks that all net types compute the same. */
static C2gTensor *
run_model (C2gPredictor *predictor,
           C2gTensor    *input)
{
  g_autoptr (GError) error = NULL;
  guint n_outputs;
  g_autofree C2gTensor **outputs =
    c2g_predictor_run (predictor, &input, 1, &n_outputs, NULL, &error);
  g_autoptr (C2gTensor) output = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (n_outputs, ==, 1);
  output = c2g_tensor_clone (outputs[0], NULL, &error);
  g_assert_no_error (error);
  bytes = c2g_tensor_dup_bytes (output, &error);
  g_assert_no_error (error);
  check_net_type (predictor, "simple", input, bytes);
  check_net_type (predictor, "dag", input, bytes);
  return g_steal_pointer (&output);
}

typedef struct
{
  int   label;
  float probability;
} Guess;

#define MAX_GUESSES 5

static int
find_best (const float *values,
           gint64       n)
{
  int best = 0;

  for (gint64 i = 1; i < n; i++)
    if (values[i] > values[best])
      best = (int) i;
  return best;
}

/* Checks the best guesses in order; a label of -1 ends the list. */
static void
check_guesses (C2gTensor   *output,
               const Guess *expected,
               float        tolerance)
{
  const gint64 n = c2g_tensor_get_n_elements (output);
  float *values = c2g_tensor_address (output);
  double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += values[i];
  g_assert_cmpfloat_with_epsilon (sum, 1, 1e-4);

  for (guint i = 0; i < MAX_GUESSES && expected[i].label >= 0; i++)
    {
      const int best = find_best (values, n);

      g_assert_cmpint (best, ==, expected[i].label);
      g_assert_cmpfloat_with_epsilon (values[best], expected[i].probability, tolerance);
      values[best] = -1;
    }
}

static void
test_squeezenet (void)
{
  static const gint64 dims[] = { 1, 3, 227, 227 };
  static const Guess expected[] = {
    { 985, 0.982259f },
    { 309, 0.011932f },
    { 946, 0.004790f },
    { 325, 0.000340f },
    { 944, 0.000239f },
  };
  g_autoptr (C2gPredictor) predictor = load_model ("models/squeezenet11", NULL, NULL);
  g_autoptr (C2gTensor) input =
    read_floats ("models/squeezenet11/flower_input_1x3x227x227.f32", dims);
  g_autoptr (C2gTensor) output = NULL;

  if (predictor == NULL || input == NULL)
    return;
  output = run_model (predictor, input);
  check_guesses (output, expected, 2e-6f);
}

/* Every operator of this model names a device and an engine that do not exist here. */
static void
test_cifar10 (void)
{
  static const gint64 dims[] = { 1, 3, 32, 32 };
  static const Guess expected[] = { { 5, 0.9999999f }, { -1 } };
  g_autoptr (C2gPredictor) predictor = load_model ("models/cifar10_resnet32", NULL, NULL);
  g_autoptr (C2gTensor) input =
    read_floats ("models/cifar10_resnet32/nnstreamer_data_5.f32", dims);
  g_autoptr (C2gTensor) output = NULL;

  if (predictor == NULL || input == NULL)
    return;
  output = run_model (predictor, input);
  check_guesses (output, expected, 1e-6f);
}

/* A bright rectangle in a drawing of clothes. */
typedef struct
{
  int top, bottom, left, right;
} Rectangle;

typedef struct
{
  Rectangle rectangles[4];
  /* Computed by another program with the same weights. */
  Guess     expected;
} Drawing;

static const Drawing drawings[] = {
  { { { 4, 8, 9, 19 }, { 8, 26, 9, 13 }, { 8, 26, 15, 19 } }, { 1, 0.9997988f } },
  { { { 4, 25, 9, 19 }, { 5, 11, 4, 24 } }, { 0, 0.5865960f } },
  { { { 11, 26, 3, 25 }, { 4, 6, 9, 19 }, { 6, 11, 9, 11 }, { 6, 11, 17, 19 } },
    { 8, 0.9960148f } },
  { { { 4, 24, 15, 25 }, { 16, 24, 3, 25 } }, { 9, 0.8899707f } },
};

static void
draw (const Drawing *drawing,
      float         *picture)
{
  for (gsize i = 0; i < G_N_ELEMENTS (drawing->rectangles); i++)
    {
      const Rectangle *lit = &drawing->rectangles[i];

      for (int y = lit->top; y < lit->bottom; y++)
        for (int x = lit->left; x < lit->right; x++)
          picture[28 * y + x] = 0.75f;
    }
}

/* Creates 100 pictures, the batch size with which the model was exported. */
static C2gTensor *
new_drawings (void)
{
  static const gint64 dims[] = { 100, 1, 28, 28 };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  C2gTensor *input = new_input (C2G_DATA_TYPE_FLOAT, dims, 4);
  float *values = c2g_tensor_address (input);

  for (gint64 i = 0; i < c2g_tensor_get_n_elements (input); i++)
    values[i] = i < (gint64) G_N_ELEMENTS (drawings) * 28 * 28 ? 0 : (float) g_rand_double (random);
  for (gsize i = 0; i < G_N_ELEMENTS (drawings); i++)
    draw (&drawings[i], values + 28 * 28 * i);
  return input;
}

static void
test_fashion (void)
{
  g_autoptr (C2gPredictor) predictor =
    load_model ("models/fashionmnist_minidb/mnist_model.minidb", NULL, NULL);
  g_autoptr (C2gTensor) input = NULL;
  g_autoptr (C2gTensor) output = NULL;

  if (predictor == NULL)
    return;
  g_assert_cmpstr (c2g_predictor_get_inputs (predictor)[0], ==, "data");
  g_assert_cmpstr (c2g_predictor_get_outputs (predictor)[0], ==, "softmax");

  input = new_drawings ();
  output = run_model (predictor, input);
  g_assert_cmpint (c2g_tensor_get_n_elements (output), ==, 1000);
  for (gsize i = 0; i < 100; i++)
    {
      const float *row = (const float *) c2g_tensor_address (output) + i * 10;
      const int best = find_best (row, 10);
      double sum = 0;

      for (int j = 0; j < 10; j++)
        sum += row[j];
      g_assert_cmpfloat_with_epsilon (sum, 1, 1e-5);
      if (i >= G_N_ELEMENTS (drawings))
        continue;
      g_assert_cmpint (best, ==, drawings[i].expected.label);
      g_assert_cmpfloat_with_epsilon (row[best], drawings[i].expected.probability, 1e-4);
    }
}

#ifdef HAVE_GDK_PIXBUF
typedef struct
{
  const char  *path;
  const char  *model;
  const char  *picture;
  int          size;
  /* TRUE to use the largest square in the middle, FALSE to scale the whole picture. */
  gboolean     crops;
  /* Mean and deviation of blue, green and red. */
  const float *mean;
  const float *deviation;
  const Guess *expected;
  /* Tolerance: the expected values come from other scaling algorithms. */
  float        tolerance;
} Picture;

static const float zero[] = { 0, 0, 0 };
static const float one[] = { 1, 1, 1 };
static const float middle[] = { 128, 128, 128 };
static const float cifar_mean[] = { 113.865f, 122.95f, 125.307f };
static const float cifar_deviation[] = { 66.7048f, 62.0887f, 62.9932f };

static const Guess car[] = {
  { 817, 0.836418f },
  { 511, 0.094568f },
  { 479, 0.041920f },
  { -1 },
};
static const Guess pretzel[] = { { 932, 0.9996f }, { -1 } };
static const Guess orangutan[] = { { 365, 0.9921f }, { -1 } };
static const Guess frog[] = { { 6, 0.997764f }, { -1 } };
static const Guess truck[] = { { 9, 0.75f }, { -1 } };

#define SQUEEZENET "squeezenet11"
#define CIFAR      "cifar10_resnet32"

static const Picture pictures[] = {
  { "car", SQUEEZENET, "car.png", 227, FALSE, zero, one, car, 0.005f },
  { "pretzel", SQUEEZENET, "pretzel.jpg", 227, TRUE, middle, one, pretzel, 0.005f },
  { "orangutan", SQUEEZENET, "orangutan.jpg", 227, TRUE, middle, one, orangutan, 0.005f },
  { "frog", CIFAR, "frog.jpg", 32, FALSE, cifar_mean, cifar_deviation, frog, 0.005f },
  { "truck", CIFAR, "truck.jpg", 32, FALSE, cifar_mean, cifar_deviation, truck, 0.25f },
};

static GdkPixbuf *
open_picture (const char *model,
              const char *name,
              gboolean    crops)
{
  g_autofree char *path = g_build_filename ("models", model, name, NULL);
  g_autofree char *full_path = def_shared_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbuf) picture =
    full_path != NULL ? gdk_pixbuf_new_from_file (full_path, &error) : NULL;
  int width, height, size;

  g_assert_no_error (error);
  if (picture == NULL || !crops)
    return g_steal_pointer (&picture);
  width = gdk_pixbuf_get_width (picture);
  height = gdk_pixbuf_get_height (picture);
  size = MIN (width, height);
  return gdk_pixbuf_new_subpixbuf (picture, (width - size) / 2, (height - size) / 2, size, size);
}

/* Interpolates between the four nearest pixels (bilinear). */
static float
sample (GdkPixbuf *picture,
        double     x,
        double     y,
        int        channel)
{
  const guint8 *pixels = gdk_pixbuf_read_pixels (picture);
  const int stride = gdk_pixbuf_get_rowstride (picture);
  const int n_channels = gdk_pixbuf_get_n_channels (picture);
  const int right = gdk_pixbuf_get_width (picture) - 1;
  const int bottom = gdk_pixbuf_get_height (picture) - 1;
  const int x0 = (int) CLAMP (x, 0, right);
  const int y0 = (int) CLAMP (y, 0, bottom);
  const double fx = CLAMP (x, 0, right) - x0;
  const double fy = CLAMP (y, 0, bottom) - y0;
  double value = 0;

  for (int i = 0; i < 4; i++)
    {
      const int column = MIN (x0 + i % 2, right);
      const int line = MIN (y0 + i / 2, bottom);

      value += pixels[line * stride + column * n_channels + channel] *
               (i % 2 != 0 ? fx : 1 - fx) * (i / 2 != 0 ? fy : 1 - fy);
    }
  return (float) value;
}

/* Creates the input as planes of blue, green and red (NCHW, BGR). */
static C2gTensor *
new_picture_input (const Picture *test)
{
  const gint64 dims[] = { 1, 3, test->size, test->size };
  g_autofree char *name = g_build_filename ("images", test->picture, NULL);
  g_autoptr (GdkPixbuf) picture = open_picture (test->model, name, test->crops);
  C2gTensor *tensor = picture != NULL ? new_input (C2G_DATA_TYPE_FLOAT, dims, 4) : NULL;
  const int n = test->size;
  float *values;

  if (tensor == NULL)
    return NULL;
  values = c2g_tensor_address (tensor);
  for (int channel = 0; channel < 3; channel++)
    for (int i = 0; i < n * n; i++)
      {
        const double x = (i % n + 0.5) * gdk_pixbuf_get_width (picture) / n - 0.5;
        const double y = (i / n + 0.5) * gdk_pixbuf_get_height (picture) / n - 0.5;

        *values++ = (sample (picture, x, y, 2 - channel) - test->mean[channel]) /
                    test->deviation[channel];
      }
  return tensor;
}

static void
test_picture (gconstpointer data)
{
  const Picture *test = data;
  g_autofree char *name = g_build_filename ("models", test->model, NULL);
  g_autoptr (C2gPredictor) predictor = load_model (name, NULL, NULL);
  g_autoptr (C2gTensor) input = new_picture_input (test);
  g_autoptr (C2gTensor) output = NULL;

  if (predictor == NULL || input == NULL)
    return;
  output = run_model (predictor, input);
  check_guesses (output, test->expected, test->tolerance);
}

/* Classifies ten pictures of digits. */
static void
test_lenet (void)
{
  static const int digits[] = { 7, 2, 1, 0, 4, 1, 4, 9, 5, 9 };
  static const gint64 dims[] = { 1, 1, 28, 28 };
  g_autoptr (C2gPredictor) predictor = NULL;

  predictor = load_model ("models/lenet_lmdb/deploy_models", NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (digits) && predictor != NULL; i++)
    {
      g_autofree char *name = g_strdup_printf ("imgs/%u.bmp", i);
      g_autoptr (GdkPixbuf) picture = open_picture ("lenet_lmdb", name, FALSE);
      g_autoptr (C2gTensor) input = new_input (C2G_DATA_TYPE_FLOAT, dims, 4);
      g_autoptr (C2gTensor) output = NULL;

      g_assert_nonnull (picture);
      for (int j = 0; j < 28 * 28; j++)
        ((float *) c2g_tensor_address (input))[j] = sample (picture, j % 28, j / 28, 0) / 256;
      output = run_model (predictor, input);
      g_assert_cmpint (find_best (c2g_tensor_address (output), 10), ==, digits[i]);
    }
}

/* The styled picture differs from the original, but has edges in the same places. */
static void
test_style (void)
{
  const gint64 dims[] = { 1, 160, 184, 4 };
  g_autoptr (C2gPredictor) predictor =
    load_model ("models/style_transfer", "mosaic/init_net.pb", "predict_net.pb");
  g_autoptr (GdkPixbuf) picture = open_picture ("cifar10_resnet32", "images/frog.jpg", FALSE);
  g_autoptr (C2gTensor) input = NULL;
  g_autoptr (C2gTensor) output = NULL;
  const guint8 *values;
  double sum = 0, difference = 0;

  if (predictor == NULL || picture == NULL)
    return;
  input = new_input (C2G_DATA_TYPE_UINT8, dims, 4);
  for (int i = 0; i < 160 * 184 * 4; i++)
    ((guint8 *) c2g_tensor_address (input))[i] =
      i % 4 == 3 ? 255 : (guint8) sample (picture, i / 4 % 184, i / 4 / 184, 2 - i % 4);

  output = run_model (predictor, input);
  values = c2g_tensor_address (output);
  g_assert_cmpint (c2g_tensor_get_n_elements (output), ==, 160 * 184 * 4);
  for (int i = 0; i < 160 * 184 * 4; i++)
    if (i % 4 == 3)
      g_assert_cmpuint (values[i], ==, 255);
    else
      {
        sum += values[i];
        difference += abs (values[i] - ((const guint8 *) c2g_tensor_address (input))[i]);
      }
  g_assert_cmpfloat (sum / (160 * 184 * 3), >, 30);
  g_assert_cmpfloat (sum / (160 * 184 * 3), <, 225);
  g_assert_cmpfloat (difference / (160 * 184 * 3), >, 10);
}
#endif

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/models/squeezenet", test_squeezenet);
  c2g_test_add_func ("/models/cifar10", test_cifar10);
  c2g_test_add_func ("/models/fashion", test_fashion);
#ifdef HAVE_GDK_PIXBUF
  c2g_test_add_func ("/models/lenet", test_lenet);
  c2g_test_add_func ("/models/style", test_style);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      g_autofree char *path = g_strdup_printf ("/models/picture/%s", pictures[i].path);

      g_test_add_data_func (path, &pictures[i], test_picture);
    }
#endif

  return c2g_test_run ();
}
