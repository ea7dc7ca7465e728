/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <glib/gstdio.h>

#include <math.h>
#include <unistd.h>

/* Two rows of two pixels, with two bytes of padding. */
static GBytes *
new_pixels (void)
{
  static const guint8 pixels[] = { 255, 0, 0, 0, 255, 0, 9, 9, 0, 0, 255, 255, 255, 255 };

  return g_bytes_new_static (pixels, sizeof pixels);
}

static void
assert_values (C2gTensor    *tensor,
               const double *values,
               gsize         n_values)
{
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, n_values);
  for (gsize i = 0; i < n_values; i++)
    g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (tensor, i, NULL), values[i], 1e-6);
}

static void
test_pixels (void)
{
  static const double values[] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255 };
  static const guint8 pixels[] = { 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255 };
  g_autoptr (GBytes) bytes = new_pixels ();
  g_autoptr (GBytes) back = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_from_pixels (bytes, 2, 2, 8, 3, NULL, &error);
  guint width, height, n_channels;

  g_assert_no_error (error);
  assert_values (tensor, values, G_N_ELEMENTS (values));
  back = c2g_tensor_dup_pixels (tensor, NULL, &width, &height, &n_channels, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (width, ==, 2);
  g_assert_cmpuint (height, ==, 2);
  g_assert_cmpuint (n_channels, ==, 3);
  g_assert_cmpmem (g_bytes_get_data (back, NULL), g_bytes_get_size (back), pixels, sizeof pixels);
}

static void
test_options (void)
{
  static const double values[] = { 1, 1, 1 };
  g_autoptr (GBytes) bytes = new_pixels ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gPictureOptions) options = c2g_picture_options_new (NULL);

  /* The average of each color is 127.5, which rounds to 128. */
  g_object_set (options, "size", "1x1", "smooth", TRUE, "mean", "127", "order", "NHWC", NULL);
  tensor = c2g_tensor_new_from_pixels (bytes, 2, 2, 8, 3, options, &error);
  g_assert_no_error (error);
  assert_values (tensor, values, G_N_ELEMENTS (values));

  g_assert_true (c2g_picture_options_check (options, &error));
  g_object_set (options, "preset", "nothing", NULL);
  g_assert_false (c2g_picture_options_check (options, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_new_from_pixels (bytes, 2, 2, 8, 3, options, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
}

static void
test_bad_pixels (void)
{
  static const struct
  {
    guint width, height;
    gsize row_stride;
    guint n_channels;
    int   code;
  } cases[] = {
    { 2, 3, 8, 3, C2G_ERROR_RANGE },
    { 2, 2, 5, 3, C2G_ERROR_INVALID_ARGUMENT },
    { 2, 2, G_MAXSIZE, 3, C2G_ERROR_INVALID_ARGUMENT },
    { 2, 2, 8, 0, C2G_ERROR_INVALID_ARGUMENT },
    { 2, 2, 8, 5, C2G_ERROR_INVALID_ARGUMENT },
    { 0, 2, 8, 3, C2G_ERROR_SHAPE },
    { 2, 40000, 8, 3, C2G_ERROR_SHAPE },
  };
  g_autoptr (GBytes) bytes = new_pixels ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_tensor_new_from_pixels (bytes, cases[i].width, cases[i].height,
                                                 cases[i].row_stride, cases[i].n_channels, NULL, &error));
      g_assert_error (error, C2G_ERROR, cases[i].code);
    }
}

static void
test_bad_tensor (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized ((gint64[]) { 2, 2, 2 }, 3, NULL, &error);
  guint width, height, n_channels;

  g_assert_null (c2g_tensor_dup_pixels (tensor, NULL, &width, &height, &n_channels, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);

  g_assert_null (c2g_tensor_new_from_pixbuf (G_OBJECT (tensor), NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
}

static void
test_no_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent.png");

  g_assert_null (c2g_tensor_new_from_picture (file, NULL, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "/nonexistent.png"));
}

static void
test_classes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def =
    c2g_net_def_new_from_text ("op { type: 'Relu' input: 'x' output: 'y' }", &error);
  g_autoptr (C2gPredictor) predictor = c2g_predictor_create (NULL, def, NULL, NULL, C2G_OPTIMIZE_ALL, &error);
  g_autoptr (C2gTensor) scores = c2g_tensor_new_sized ((gint64[]) { 2, 3 }, 2, NULL, &error);
  g_autofree C2gClassScore **best = NULL;
  g_autofree C2gClassScore **batch = NULL;
  g_autoptr (C2gClassScore) first = NULL;
  const float numbers[] = { 1, 2, 3, 5, NAN, 5 };
  guint n;

  g_assert_no_error (error);
  memcpy (c2g_tensor_mutable_data (scores, C2G_DATA_TYPE_FLOAT, &error), numbers, sizeof numbers);
  best = c2g_predictor_list_classes (predictor, scores, 1, 0, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpint (c2g_class_score_get_index (best[0]), ==, 0);
  g_assert_cmpint (c2g_class_score_get_index (best[1]), ==, 2);
  g_assert_cmpint (c2g_class_score_get_index (best[2]), ==, 1);
  g_assert_cmpfloat (c2g_class_score_get_score (best[0]), ==, 5);
  g_assert_null (c2g_class_score_get_label (best[0]));
  for (guint i = 0; i < n; i++)
    g_assert_finalize_object (best[i]);

  g_assert_null (c2g_predictor_list_classes (predictor, scores, 2, 0, &n, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);

  /* The run and the list in one, for the pictures of a batch. */
  batch = c2g_predictor_classify_batch (predictor, scores, &n, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (c2g_class_score_get_index (batch[0]), ==, 2);
  g_assert_cmpint (c2g_class_score_get_index (batch[1]), ==, 0);
  g_assert_cmpfloat (c2g_class_score_get_score (batch[1]), ==, 5);
  g_assert_null (batch[2]);
  for (guint i = 0; i < n; i++)
    g_assert_finalize_object (batch[i]);

  /* One class is not the answer for two pictures. */
  g_assert_null (c2g_predictor_classify (predictor, scores, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "one picture, got those of 2; there is classify_batch()"));
  g_clear_error (&error);
  g_assert_true (c2g_tensor_reshape (scores, (gint64[]) { 1, 6 }, 2, &error));
  first = c2g_predictor_classify (predictor, scores, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_class_score_get_index (first), ==, 3);

  g_assert_true (c2g_tensor_reshape (scores, (gint64[]) { 1, 2, 3 }, 3, &error));
  g_assert_null (c2g_predictor_classify (predictor, scores, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (c2g_predictor_classify_batch (predictor, scores, &n, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_assert_cmpuint (n, ==, 0);
  g_clear_error (&error);
  /* No picture has no class. */
  g_assert_true (c2g_tensor_resize (scores, (gint64[]) { 0, 3 }, 2, &error));
  g_free (g_steal_pointer (&batch));
  batch = c2g_predictor_classify_batch (predictor, scores, &n, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 0);
  g_assert_nonnull (batch);
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  GAsyncResult **taken = data;

  *taken = g_object_ref (result);
}

/* Skips the test where there is no GdkPixbuf. */
static gboolean
is_unsupported (GError *error)
{
  if (!g_error_matches (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
    return FALSE;
  g_test_skip (error->message);
  return TRUE;
}

static C2gTensor *
load_in_background (GFile              *file,
                    C2gPictureOptions  *options,
                    GError            **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  c2g_tensor_new_from_picture_async (file, options, NULL, loaded_cb, &result);
  /* The job has a copy of the options. */
  g_object_set (options, "channels", "RGB", NULL);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return c2g_tensor_new_from_picture_finish (result, error);
}

static void
test_background (void)
{
  static const double values[] = { 76, 150, 29, 255 };
  g_autofree char *folder = g_dir_make_tmp ("c2g-picture-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (C2gPictureOptions) options = g_object_new (C2G_TYPE_PICTURE_OPTIONS, "channels", "GRAY", NULL);
  g_autoptr (GBytes) pixels = new_pixels ();
  g_autoptr (C2gTensor) picture = c2g_tensor_new_from_pixels (pixels, 2, 2, 8, 3, NULL, NULL);
  g_autoptr (C2gTensor) gray = NULL;
  g_autoptr (GError) error = NULL;

  c2g_tensor_save_picture (picture, file, NULL, NULL, &error);
  if (!is_unsupported (error))
    {
      g_assert_no_error (error);
      gray = load_in_background (file, options, &error);
      g_assert_no_error (error);
      g_assert_cmpint (c2g_tensor_get_dim (gray, 1, NULL), ==, 1);
      for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
        g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (gray, i, NULL), values[i], 1);
      g_unlink (path);
      g_assert_null (load_in_background (file, options, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
    }
  g_rmdir (folder);
}

/* Writes a picture of one color, whose size are the pixels of a side. */
static GFile *
save_gray (const char *folder,
           gint64      size,
           double      value)
{
  g_autofree char *name = g_strdup_printf ("%d.png", (int) value);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized ((const gint64[]) { 1, size, size }, 3, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_UINT8, NULL));
  g_assert_true (c2g_tensor_fill (tensor, value, NULL));
  return c2g_tensor_save_picture (tensor, file, NULL, NULL, &error) || !is_unsupported (error) ? g_steal_pointer (&file) : NULL;
}

static C2gTensor *
load_batch_in_background (GFile             **files,
                          guint               n_files,
                          C2gPictureOptions  *options,
                          GError            **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  c2g_tensor_new_from_pictures_async (files, n_files, options, NULL, loaded_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return c2g_tensor_new_from_pictures_finish (result, error);
}

/* Several files become one tensor, also in another thread. */
static void
check_batch (GFile **files)
{
  g_autoptr (C2gPictureOptions) options = g_object_new (C2G_TYPE_PICTURE_OPTIONS, "channels", "GRAY", NULL);
  g_autoptr (GFile) missing = g_file_new_for_path ("/nonexistent.png");
  g_autoptr (C2gTensor) two = NULL;
  g_autoptr (C2gTensor) same = NULL;
  g_autoptr (C2gTensor) three = NULL;
  g_autoptr (GError) error = NULL;
  const gint64 *dims;
  gboolean is_equal;
  gsize n_dims;

  two = c2g_tensor_new_from_pictures (files, 2, options, NULL, &error);
  g_assert_no_error (error);
  dims = c2g_tensor_get_dims (two, &n_dims);
  g_assert_cmpuint (n_dims, ==, 4);
  g_assert_cmpmem (dims, 4 * sizeof *dims, ((const gint64[]) { 2, 1, 2, 2 }), 4 * sizeof *dims);
  for (gint64 i = 0; i < 8; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (two, i, NULL), ==, i < 4 ? 10 : 20);
  same = load_batch_in_background (files, 2, options, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_equal (two, same, &is_equal, &error) && is_equal);
  g_assert_null (load_batch_in_background (files, 3, options, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);

  /* The third one has another size. */
  g_assert_null (c2g_tensor_new_from_pictures (files, 3, options, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "30.png: The shape is [1, 1, 3, 3], and that of the first picture [1, 1, 2, 2]"));
  g_clear_error (&error);
  g_object_set (options, "size", "2x2", NULL);
  three = c2g_tensor_new_from_pictures (files, 3, options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (three, 11, NULL), ==, 30);

  g_assert_null (c2g_tensor_new_from_pictures ((GFile *[]) { files[0], missing }, 2, options, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

static void
test_batch (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-picture-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  GFile *files[3] = { NULL };
  gsize n_files = 0;

  g_assert_null (c2g_tensor_new_from_pictures (NULL, 0, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (load_batch_in_background (NULL, 0, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);

  while (n_files < 3 && (files[n_files] = save_gray (folder, n_files < 2 ? 2 : 3, 10.0 * (double) (n_files + 1))) != NULL)
    n_files++;
  if (n_files == 3)
    check_batch (files);
  else
    g_test_skip ("GdkPixbuf writes no PNG here");
  for (gsize i = 0; i < n_files; i++)
    {
      g_file_delete (files[i], NULL, NULL);
      g_object_unref (files[i]);
    }
  g_rmdir (folder);
}

/* The options are looked at before the file. */
static void
test_background_options (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent.png");
  g_autoptr (C2gPictureOptions) options = g_object_new (C2G_TYPE_PICTURE_OPTIONS, "size", "no size", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (load_in_background (file, options, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
}

static C2gPredictor *
load_model (const char *folder,
            const char *init)
{
  g_autofree char *path = g_build_filename (folder, "predict_net.pbtxt", NULL);
  g_autofree char *init_path = g_build_filename (folder, "init_net.pbtxt", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GError) error = NULL;
  C2gPredictor *predictor;

  g_file_set_contents (path, "external_input: 'x' external_output: 'y' op { type: 'FlattenToVec' input: 'x' output: 'y' }", -1,
                       NULL);
  g_file_set_contents (init_path, init, -1, NULL);
  predictor = c2g_predictor_load (file, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  g_unlink (init_path);
  return predictor;
}

/* Leaves a file at the path. */
static void
assert_bad_options (C2gPredictor *predictor,
                    const char   *path)
{
  static const struct
  {
    const char *text;
    GQuark      (*domain) (void);
    int         code;
  } bad[] = {
    { "[picture]\nsize=4\n", c2g_error_quark, C2G_ERROR_INVALID_ARGUMENT },
    { "[picture]\ncolours=1\n", c2g_error_quark, C2G_ERROR_INVALID_ARGUMENT },
    { "[picture]\ncrop=perhaps\n", g_key_file_error_quark, G_KEY_FILE_ERROR_INVALID_VALUE },
    { "[picture]\npreset=\\p\\q\n", c2g_error_quark, C2G_ERROR_INVALID_ARGUMENT },
    { "[picture]\npreset=a\\\n", c2g_error_quark, C2G_ERROR_INVALID_ARGUMENT },
    { "[picture]\ncr\xff=1\n", c2g_error_quark, C2G_ERROR_INVALID_ARGUMENT },
    { "[image]\n", g_key_file_error_quark, G_KEY_FILE_ERROR_GROUP_NOT_FOUND },
  };
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_file_set_contents (path, bad[i].text, -1, NULL);
      g_assert_null (c2g_predictor_dup_picture_options (predictor, &error));
      g_assert_error (error, bad[i].domain (), bad[i].code);
      g_assert_nonnull (strstr (error->message, "model.ini"));
      g_clear_error (&error);
    }

  /* A file that cannot be used is not a missing one. */
  g_assert_cmpint (truncate (path, 17 << 20), ==, 0);
  g_assert_null (c2g_predictor_dup_picture_options (predictor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
}

/* The options come from model.ini, which is read at each call. */
static void
test_model_options (void)
{
  static const char *const silent[] = { "[picture]\n", "[picture]\ncrop=true\nsmooth=true\n", "[picture]\nbytes=false\n" };
  g_autofree char *folder = g_dir_make_tmp ("c2g-picture-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "model.ini", NULL);
  g_autofree char *elsewhere = g_build_filename (folder, "elsewhere.ini", NULL);
  g_autoptr (C2gPredictor) predictor = load_model (folder, "name: 'init'");
  g_autoptr (C2gPictureOptions) options = NULL;
  g_autoptr (GFile) picture = g_file_new_for_path ("/nonexistent.png");
  g_autoptr (GError) error = NULL;
  g_autofree char *preset = NULL;
  g_autofree char *size = NULL;
  gboolean crop;

  g_assert_null (c2g_predictor_dup_picture_options (predictor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (c2g_predictor_classify_file (predictor, picture, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  /* The error tells what is missing, and what to do. */
  g_assert_nonnull (strstr (error->message, "size, channels, mean, scale"));
  g_assert_nonnull (strstr (error->message, "PictureOptions"));
  g_assert_nonnull (strstr (error->message, "--save-form"));
  g_clear_error (&error);

  assert_bad_options (predictor, path);

  /* How a picture is fitted says nothing of the numbers. */
  for (gsize i = 0; i < G_N_ELEMENTS (silent); i++)
    {
      g_file_set_contents (path, silent[i], -1, NULL);
      g_assert_null (c2g_predictor_dup_picture_options (predictor, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
      g_assert_nonnull (strstr (error->message, "size, channels, mean, scale"));
      g_clear_error (&error);
    }

  /* A file that tells something may leave the rest out. */
  g_file_set_contents (path, "[picture]\nchannels=GRAY\n", -1, NULL);
  options = c2g_predictor_dup_picture_options (predictor, &error);
  g_assert_no_error (error);
  g_clear_object (&options);

  /* The last of two wins. */
  g_file_set_contents (path, "[picture]\npreset=mnist\nsize=9x9\nsize=3x2\ncrop=true\n", -1, NULL);
  options = c2g_predictor_dup_picture_options (predictor, &error);
  g_assert_no_error (error);
  g_object_get (options, "preset", &preset, "size", &size, "crop", &crop, NULL);
  g_assert_cmpstr (preset, ==, "mnist");
  g_assert_cmpstr (size, ==, "3x2");
  g_assert_true (crop);

  /* A link may lead out of the folder. */
  g_assert_cmpint (g_rename (path, elsewhere), ==, 0);
  g_assert_cmpint (symlink (elsewhere, path), ==, 0);
  g_assert_null (c2g_predictor_dup_picture_options (predictor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_unlink (path);
  g_unlink (elsewhere);
  g_rmdir (folder);
}

static void
assert_guess (C2gPredictor *predictor,
              const char   *size,
              const char   *channels,
              const char   *order,
              const char   *mean,
              const char   *guessed)
{
  g_autoptr (C2gPictureOptions) options = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  g_autofree char *joined = NULL;
  struct
  {
    const char *name;
    const char *expected;
  } const texts[] = { { "size", size }, { "channels", channels }, { "order", order }, { "mean", mean } };

  options = c2g_predictor_guess_picture_options (predictor, NULL, &names, &error);
  g_assert_no_error (error);
  joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, guessed);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = NULL;

      g_object_get (options, texts[i].name, &text, NULL);
      g_assert_cmpstr (text, ==, texts[i].expected);
    }
}

/* The init net, and files of Caffe2 and of GStreamer tell what model.ini does not. */
static void
test_guesses (void)
{
  static const char *const strange[] = { "", "[]", "{\"x\": [1]}", "{\"x\": [1, [1, 3, -5, \"a\"]]}", "{\"x\": [\"a\", {}]}",
                                         "{\"x\": -", "{\"x\"", "{\"x\": [1, [1, [3, 5, 6]]]}",
                                         "{\"x\": [1, [1, 3, -9223372036854775808, 8]]}" };
  static const char *const bad_ranges[] = { "", "1", "2,2", "0,nan", "0,1;0,1", "0,1;", "\\p\\q" };
  g_autofree char *folder = g_dir_make_tmp ("c2g-picture-XXXXXX", NULL);
  g_autofree char *values = g_build_filename (folder, "value_info.json", NULL);
  g_autofree char *info = g_build_filename (folder, "predict_net.modelinfo", NULL);
  g_autofree char *deep = g_strnfill (1000000, '[');
  g_autoptr (C2gPredictor) predictor = load_model (folder, "name: 'init'");
  g_autoptr (C2gPredictor) filled = NULL;
  g_autoptr (C2gPictureOptions) options = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *size = NULL;

  assert_guess (predictor, NULL, NULL, NULL, NULL, "size channels mean scale");
  g_assert_null (c2g_predictor_guess_picture_options (predictor, "y", NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_clear_error (&error);

  filled = load_model (folder, "op { type: 'ConstantFill' output: 'x' arg { name: 'shape' ints: 1 ints: 7 ints: 9 ints: 1 } }");
  assert_guess (filled, "9x7", "GRAY", "NHWC", NULL, "mean scale");

  g_file_set_contents (values, "{\"other\": -1, \"x\": [1, [1, 3, 5, 6]], \"z\": {\"a\": [2, [3]]}}", -1, NULL);
  assert_guess (predictor, "6x5", NULL, "NCHW", NULL, "channels mean scale");
  assert_guess (filled, "6x5", NULL, "NCHW", NULL, "channels mean scale");
  for (gsize i = 0; i < G_N_ELEMENTS (strange); i++)
    {
      g_file_set_contents (values, strange[i], -1, NULL);
      g_clear_object (&options);
      options = c2g_predictor_guess_picture_options (predictor, "x", NULL, &error);
      g_assert_no_error (error);
      g_object_get (options, "size", &size, NULL);
      g_assert_null (size);
    }
  g_file_set_contents (values, deep, -1, NULL);
  assert_guess (predictor, NULL, NULL, NULL, NULL, "size channels mean scale");

  /* A .modelinfo tells everything. */
  g_file_set_contents (info, "[modelinfo]\nversion=1.0\n[x]\ndims=1,3,4,8\nranges=0,1\n", -1, NULL);
  assert_guess (predictor, "8x4", "RGB", "NCHW", "0", "");
  g_clear_object (&options);
  options = c2g_predictor_dup_picture_options (predictor, &error);
  g_assert_no_error (error);
  g_object_get (options, "size", &size, NULL);
  g_assert_cmpstr (size, ==, "8x4");

  /* An error names the file and the key, and there is one for each channel at most. */
  for (gsize i = 0; i < G_N_ELEMENTS (bad_ranges); i++)
    {
      g_autofree char *text = g_strdup_printf ("[modelinfo]\nversion=1.0\n[x]\nranges=%s\n", bad_ranges[i]);

      g_file_set_contents (info, text, -1, NULL);
      g_assert_null (c2g_predictor_guess_picture_options (predictor, NULL, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_assert_true (g_str_has_prefix (error->message, info));
      g_assert_nonnull (strstr (error->message, ": [x] ranges: "));
      g_clear_error (&error);
    }

  g_unlink (values);
  g_unlink (info);
  g_rmdir (folder);
}

static C2gClassScore *
classify_in_background (C2gPredictor  *predictor,
                        GFile         *file,
                        GError       **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  c2g_predictor_classify_file_async (predictor, file, NULL, loaded_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return c2g_predictor_classify_file_finish (predictor, result, error);
}

/* The model of the examples is a folder that says how it wants pictures. */
static void
test_classify_file (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "examples", "models", "digits", NULL);
  g_autofree char *path = g_build_filename (folder, "pictures", "7.png", NULL);
  g_autoptr (GFile) model = g_file_new_for_path (folder);
  g_autoptr (GFile) picture = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor = c2g_predictor_load (model, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error);
  g_autoptr (C2gClassScore) best = NULL;
  g_autoptr (GFile) missing = g_file_new_for_path ("/nonexistent.png");
  GAsyncResult *results[3] = { NULL };

  g_assert_no_error (error);
  best = c2g_predictor_classify_file (predictor, picture, NULL, &error);
  if (is_unsupported (error))
    return;
  g_assert_no_error (error);
  g_assert_cmpstr (c2g_class_score_get_label (best), ==, "seven");

  /* Several at once wait for each other. */
  for (int i = 0; i < 3; i++)
    c2g_predictor_classify_file_async (predictor, picture, NULL, loaded_cb, &results[i]);
  for (int i = 0; i < 3; i++)
    {
      g_autoptr (C2gClassScore) found = NULL;

      while (results[i] == NULL)
        g_main_context_iteration (NULL, TRUE);
      found = c2g_predictor_classify_file_finish (predictor, results[i], &error);
      g_assert_no_error (error);
      g_assert_cmpstr (c2g_class_score_get_label (found), ==, "seven");
      g_object_unref (results[i]);
    }

  g_assert_null (classify_in_background (predictor, missing, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/picture/pixels", test_pixels);
  g_test_add_func ("/picture/options", test_options);
  g_test_add_func ("/picture/bad-pixels", test_bad_pixels);
  g_test_add_func ("/picture/bad-tensor", test_bad_tensor);
  g_test_add_func ("/picture/no-file", test_no_file);
  g_test_add_func ("/picture/background", test_background);
  g_test_add_func ("/picture/background-options", test_background_options);
  g_test_add_func ("/picture/batch", test_batch);
  g_test_add_func ("/picture/classes", test_classes);
  g_test_add_func ("/picture/model-options", test_model_options);
  g_test_add_func ("/picture/guesses", test_guesses);
  g_test_add_func ("/picture/classify-file", test_classify_file);

  return g_test_run ();
}
