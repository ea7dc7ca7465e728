/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

#include <glib/gstdio.h>
#include <string.h>

/* Saves predictors to files. */

#define INIT_NET                                                                                   \
  "op { type: 'GivenTensorFill' output: 'w' arg { name: 'shape' ints: 2 ints: 3 } "                \
  "  arg { name: 'values' floats: 1 floats: 2 floats: 3 floats: -1 floats: 0 floats: 0.5 } } "     \
  "op { type: 'GivenTensorFill' output: 'b' arg { name: 'shape' ints: 2 } "                        \
  "  arg { name: 'values' floats: 10 floats: 20 } } "

#define PREDICT_NET                                                                                \
  "name: 'predict' external_input: 'data' external_input: 'w' external_input: 'b' "                \
  "external_output: 'y' "                                                                          \
  "op { type: 'FC' input: 'data' input: 'w' input: 'b' output: 'f' } "                             \
  "op { type: 'Relu' input: 'f' output: 'y' } "

#define FILL(NAME, SHAPE)                                                                          \
  "op { type: 'ConstantFill' output: '" NAME "' arg { name: 'value' f: 1 } "                       \
  "  arg { name: 'shape' " SHAPE " } } "
#define FOLDED_INIT_NET                                                                            \
  FILL ("w", "ints: 1 ints: 1 ints: 1 ints: 1") \
  FILL ("scale", "ints: 1")                     \
  FILL ("shift", "ints: 1")                     \
  FILL ("mean", "ints: 1")                      \
  FILL ("variance", "ints: 1")
#define FOLDED_NET                                                                                 \
  "external_input: 'data' external_input: 'w' external_input: 'scale' external_input: 'shift' "    \
  "external_input: 'mean' external_input: 'variance' external_output: 'y' "                        \
  "op { type: 'Conv' input: 'data' input: 'w' output: 'c' arg { name: 'kernel' i: 1 } } "          \
  "op { type: 'SpatialBN' input: 'c' input: 'scale' input: 'shift' input: 'mean' "                 \
  "  input: 'variance' output: 'y' arg { name: 'is_test' i: 1 } } "

typedef struct
{
  char         *folder;
  GFile        *file;
  C2gPredictor *predictor;
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  g_autoptr (C2gNetDef) init = net_def_from_text (INIT_NET);
  g_autoptr (C2gNetDef) predict = net_def_from_text (PREDICT_NET);
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("c2g-predictor-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_build_filename (fixture->folder, "model.minidb", NULL);
  fixture->file = g_file_new_for_path (path);
  fixture->predictor = c2g_predictor_create (init, predict, NULL, NULL, C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_file_delete (fixture->file, NULL, NULL);
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  g_object_unref (fixture->file);
  g_object_unref (fixture->predictor);
}

static C2gTensor *
new_data (void)
{
  C2gTensor *data = c2g_tensor_new ();

  g_assert_true (c2g_tensor_resize (data, C2G_TEST_DIMS (1, 3), NULL));
  g_assert_nonnull (c2g_tensor_mutable_data (data, C2G_DATA_TYPE_FLOAT, NULL));
  for (gint64 i = 0; i < 3; i++)
    c2g_tensor_set_value (data, i, (double) i + 1, NULL);
  return data;
}

static void
check_outputs (C2gTensor **outputs,
               guint       n_outputs)
{
  g_assert_cmpuint (n_outputs, ==, 1);
  g_assert_cmpfloat (c2g_tensor_get_value (outputs[0], 0, NULL), ==, 24);
  g_assert_cmpfloat (c2g_tensor_get_value (outputs[0], 1, NULL), ==, 20.5);
}

static void
check (C2gPredictor *predictor)
{
  g_autoptr (C2gTensor) data = new_data ();
  g_autoptr (GError) error = NULL;
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  outputs = c2g_predictor_run (predictor, &data, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  check_outputs (outputs, n_outputs);
}

static void
check_file (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) loaded = c2g_predictor_load (fixture->file, NULL, NULL,
                                                        C2G_OPTIMIZE_ALL, NULL, &error);
  guint n_outputs;

  g_assert_no_error (error);
  g_assert_true (g_strv_equal (c2g_predictor_get_inputs (loaded),
                               c2g_predictor_get_inputs (fixture->predictor)));
  g_assert_true (g_strv_equal (c2g_predictor_get_outputs (loaded),
                               c2g_predictor_get_outputs (fixture->predictor)));
  g_assert_null (c2g_predictor_run (loaded, NULL, 0, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  check (loaded);
}

static void
test_round_trip (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autoptr (GError) error = NULL;

  c2g_predictor_save (fixture->predictor, fixture->file, NULL, &error);
  g_assert_no_error (error);
  check_file (fixture);

  /* The original net is saved, not the optimized one; an existing file is replaced. */
  c2g_predictor_optimize (fixture->predictor, C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
  check (fixture->predictor);
  c2g_predictor_save (fixture->predictor, fixture->file, NULL, &error);
  g_assert_no_error (error);
  check_file (fixture);
}

static void
test_description (Fixture       *fixture,
                  gconstpointer  data)
{
  static const char * const parameters[] = { "w", "b", NULL };
  g_autoptr (C2gMetaNetDef) meta = NULL;
  g_autoptr (GError) error = NULL;

  c2g_predictor_save (fixture->predictor, fixture->file, NULL, &error);
  g_assert_no_error (error);
  meta = c2g_meta_net_def_load_file (fixture->file, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_strv_equal (c2g_meta_net_def_get_blobs (meta, C2G_PARAMETER_BLOBS), parameters));
  g_assert_nonnull (c2g_meta_net_def_get_net (meta, C2G_GLOBAL_INIT_NET));
  g_assert_nonnull (c2g_meta_net_def_get_net (meta, C2G_PREDICT_INIT_NET));
  g_assert_nonnull (c2g_meta_net_def_get_net (meta, C2G_PREDICT_NET));
}

/* A checkpoint of the parameters, without what the net writes; all of them are loaded, or none. */
/* A file whose “b” has n elements of the type is not loaded. */
static void
check_refused_form (Fixture     *fixture,
                    C2gDataType  type,
                    gint64       n,
                    int          code)
{
  g_autoptr (C2gWorkspace) other = c2g_workspace_new ();
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_predictor_save_parameters (fixture->predictor, fixture->file, NULL, &error));
  g_strfreev (c2g_workspace_load_checkpoint (other, fixture->file, NULL, NULL, &error));
  g_assert_no_error (error);
  tensor = c2g_workspace_create_tensor (other, "b", type, &n, 1, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_fill (tensor, 1, &error));
  g_assert_true (c2g_workspace_save_checkpoint (other, fixture->file, NULL, NULL, &error));

  g_assert_false (c2g_predictor_load_parameters (fixture->predictor, fixture->file, NULL, &error));
  g_assert_error (error, C2G_ERROR, code);
  g_assert_nonnull (strstr (error->message, "“b”"));
}

static void
test_parameters (Fixture       *fixture,
                 gconstpointer  data)
{
  C2gWorkspace *workspace = c2g_predictor_get_workspace (fixture->predictor);
  g_autoptr (C2gWorkspace) other = c2g_workspace_new ();
  g_autoptr (C2gTensor) bias = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  check (fixture->predictor);
  g_assert_true (c2g_predictor_save_parameters (fixture->predictor, fixture->file, NULL, &error));
  g_assert_no_error (error);
  names = c2g_workspace_load_checkpoint (other, fixture->file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_strv_equal ((const char *const *) names, (const char *const[]) { "w", "b", NULL }));

  bias = c2g_workspace_get_tensor (workspace, "b", &error);
  g_assert_true (c2g_tensor_fill (bias, 7, &error));
  g_assert_true (c2g_predictor_load_parameters (fixture->predictor, fixture->file, NULL, &error));
  g_assert_no_error (error);
  check (fixture->predictor);

  g_assert_true (c2g_tensor_fill (bias, 7, &error));
  g_assert_true (c2g_workspace_remove_blob (other, "w"));
  g_assert_true (c2g_workspace_save_checkpoint (other, fixture->file, NULL, NULL, &error));
  g_assert_false (c2g_predictor_load_parameters (fixture->predictor, fixture->file, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_cmpfloat (c2g_tensor_get_value (bias, 0, NULL), ==, 7);
  g_clear_error (&error);

  check_refused_form (fixture, C2G_DATA_TYPE_DOUBLE, c2g_tensor_get_n_elements (bias), C2G_ERROR_TYPE);
  check_refused_form (fixture, C2G_DATA_TYPE_FLOAT, 9, C2G_ERROR_SHAPE);
  g_assert_cmpfloat (c2g_tensor_get_value (bias, 0, NULL), ==, 7);

  g_assert_true (c2g_workspace_remove_blob (workspace, "w"));
  g_assert_false (c2g_predictor_save_parameters (fixture->predictor, fixture->file, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
}

static void
test_errors (Fixture       *fixture,
             gconstpointer  data)
{
  static const char *const others[] = { "x.npz", "x.npy", "x.safetensors", "x.lmdb", "x.pb", "x.caffemodel" };
  g_autofree char *path = g_build_filename (fixture->folder, "no", "such", "folder", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_predictor_save (fixture->predictor, file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *other_path = g_build_filename (fixture->folder, others[i], NULL);
      g_autoptr (GFile) other = g_file_new_for_path (other_path);

      g_assert_false (c2g_predictor_save (fixture->predictor, other, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_assert_true (g_str_has_prefix (error->message, other_path));
      g_assert_nonnull (strstr (error->message, "model.minidb"));
      g_assert_false (g_file_query_exists (other, NULL));
      g_clear_error (&error);
    }

  g_assert_true (
    c2g_workspace_remove_blob (c2g_predictor_get_workspace (fixture->predictor), "w"));
  g_assert_false (c2g_predictor_save (fixture->predictor, fixture->file, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "w"));
  g_assert_false (g_file_query_exists (fixture->file, NULL));
}

static gboolean
save_elsewhere (C2gPredictor  *predictor,
                GFile         *file,
                GCancellable  *cancellable,
                gboolean       is_run,
                GError       **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  c2g_predictor_save_async (predictor, file, cancellable, c2g_test_keep_result_cb, &result);
  if (is_run)
    check (predictor);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return c2g_predictor_save_finish (predictor, result, error);
}

/* The model is run while it is saved in another thread. */
static void
test_elsewhere (Fixture       *fixture,
                gconstpointer  data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "no", "such", "folder", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (save_elsewhere (fixture->predictor, fixture->file, cancellable, TRUE, &error));
  g_assert_no_error (error);
  check_file (fixture);

  g_assert_false (save_elsewhere (fixture->predictor, file, NULL, FALSE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_false (save_elsewhere (fixture->predictor, fixture->file, cancellable, FALSE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  check_file (fixture);

  g_assert_true (
    c2g_workspace_remove_blob (c2g_predictor_get_workspace (fixture->predictor), "w"));
  g_assert_false (save_elsewhere (fixture->predictor, fixture->file, NULL, FALSE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
}

/* Loads or saves parameters in the background. */
static gboolean
do_parameters_elsewhere (C2gPredictor  *predictor,
                         GFile         *file,
                         gboolean       is_load,
                         GCancellable  *cancellable,
                         GError       **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) busy = NULL;

  (is_load ? c2g_predictor_load_parameters_async : c2g_predictor_save_parameters_async) (
    predictor, file, cancellable, c2g_test_keep_result_cb, &result);
  /* Whoever loads keeps others from running with half of the parameters. */
  if (is_load && !g_cancellable_is_cancelled (cancellable))
    {
      g_assert_false (c2g_predictor_optimize (predictor, C2G_OPTIMIZE_ALL, &busy));
      g_assert_error (busy, C2G_ERROR, C2G_ERROR_BUSY);
      g_clear_error (&busy);
      g_assert_false (c2g_predictor_load_parameters (predictor, file, NULL, &busy));
      g_assert_error (busy, C2G_ERROR, C2G_ERROR_BUSY);
    }
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return is_load ? c2g_predictor_load_parameters_finish (predictor, result, error)
                 : c2g_predictor_save_parameters_finish (predictor, result, error);
}

static void
test_parameters_elsewhere (Fixture       *fixture,
                           gconstpointer  data)
{
  g_autoptr (C2gPredictor) empty = g_object_new (C2G_TYPE_PREDICTOR, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (C2gTensor) bias = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (do_parameters_elsewhere (fixture->predictor, fixture->file, TRUE, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_true (do_parameters_elsewhere (fixture->predictor, fixture->file, FALSE, NULL, &error));
  g_assert_no_error (error);
  bias = c2g_workspace_get_tensor (c2g_predictor_get_workspace (fixture->predictor), "b", &error);
  g_assert_true (c2g_tensor_fill (bias, 7, &error));
  g_assert_true (do_parameters_elsewhere (fixture->predictor, fixture->file, TRUE, NULL, &error));
  g_assert_no_error (error);
  check (fixture->predictor);

  g_cancellable_cancel (cancellable);
  for (int i = 0; i < 2; i++)
    {
      g_assert_false (do_parameters_elsewhere (fixture->predictor, fixture->file, i == 0, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&error);
    }
  /* A predictor that failed to load can be run. */
  check (fixture->predictor);

  g_assert_false (do_parameters_elsewhere (empty, fixture->file, FALSE, NULL, &error));
  g_assert_nonnull (error);
}

/* A run that begins while parameters are loaded waits for them. */
static void
test_run_after_load (Fixture       *fixture,
                     gconstpointer  unused)
{
  g_autoptr (C2gTensor) data = new_data ();
  g_autoptr (C2gTensor) bias = NULL;
  g_autoptr (GAsyncResult) loaded = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  g_assert_true (c2g_predictor_save_parameters (fixture->predictor, fixture->file, NULL, &error));
  bias = c2g_workspace_get_tensor (c2g_predictor_get_workspace (fixture->predictor), "b", &error);
  g_assert_true (c2g_tensor_fill (bias, 7, &error));

  c2g_predictor_load_parameters_async (fixture->predictor, fixture->file, NULL, c2g_test_keep_result_cb, &loaded);
  c2g_predictor_run_async (fixture->predictor, &data, 1, NULL, c2g_test_keep_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (loaded);
  g_assert_true (c2g_predictor_load_parameters_finish (fixture->predictor, loaded, &error));
  outputs = c2g_predictor_run_finish (fixture->predictor, result, &n_outputs, &error);
  g_assert_no_error (error);
  check_outputs (outputs, n_outputs);
}

static gboolean
has_entry (C2gModelFile *file,
           const char   *name)
{
  g_autoptr (C2gFileEntry) entry = c2g_model_file_lookup_entry (file, name);

  return entry != NULL;
}

/* Saves the whole workspace, or the blobs that OPTIONS name. */
static C2gModelFile *
save_checkpoint (C2gPredictor   *predictor,
                 C2gSaveOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes =
    c2g_workspace_save_checkpoint_to_bytes (c2g_predictor_get_workspace (predictor), options, NULL, &error);
  C2gModelFile *saved;

  g_assert_no_error (error);
  saved = c2g_model_file_new_from_bytes (bytes, "saved", &error);
  g_assert_no_error (error);
  return saved;
}

/* A save of the whole workspace leaves out what only the optimized net has; by its name it is saved, and
 * so is what a program put there. Errors do not list it. */
static void
test_whole_workspace (void)
{
  static const char *const folded[] = { "w_folded_b", NULL };
  g_autoptr (C2gNetDef) init = net_def_from_text (FOLDED_INIT_NET);
  g_autoptr (C2gNetDef) predict = net_def_from_text (FOLDED_NET);
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (C2gTensor) own = c2g_tensor_new_scalar (C2G_DATA_TYPE_FLOAT, 1, NULL);
  g_autoptr (C2gModelFile) all = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor =
    c2g_predictor_create (init, predict, NULL, NULL, C2G_OPTIMIZE_ALL, &error);

  g_assert_no_error (error);
  g_assert_true (c2g_workspace_has_blob (c2g_predictor_get_workspace (predictor), "w_folded_b"));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gModelFile) saved = save_checkpoint (predictor, options);

      g_assert_cmpint (has_entry (saved, "w_folded_b"), ==, i == 1);
      g_assert_cmpint (has_entry (saved, "w"), ==, i == 0);
      c2g_save_options_set_names (options, folded);
    }
  g_assert_null (c2g_predictor_get_output (predictor, "Y", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "There is no output “Y”, there are: “y”; did you mean “y”?");
  g_clear_error (&error);
  g_assert_null (c2g_workspace_get_blob (c2g_predictor_get_workspace (predictor), "no", &error));
  g_assert_null (strstr (error->message, "folded"));

  g_assert_true (c2g_workspace_set_tensor (c2g_predictor_get_workspace (predictor), "w_folded_b", own, NULL));
  all = save_checkpoint (predictor, NULL);
  g_assert_true (has_entry (all, "w_folded_b"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/predictor-save/round-trip", Fixture, NULL, set_up, test_round_trip, tear_down);
  g_test_add ("/predictor-save/description", Fixture, NULL, set_up, test_description, tear_down);
  g_test_add ("/predictor-save/parameters", Fixture, NULL, set_up, test_parameters, tear_down);
  g_test_add ("/predictor-save/elsewhere", Fixture, NULL, set_up, test_elsewhere, tear_down);
  g_test_add ("/predictor-save/parameters-elsewhere", Fixture, NULL, set_up, test_parameters_elsewhere, tear_down);
  g_test_add ("/predictor-save/run-after-load", Fixture, NULL, set_up, test_run_after_load, tear_down);
  c2g_test_add_func ("/predictor-save/whole-workspace", test_whole_workspace);
  g_test_add ("/predictor-save/errors", Fixture, NULL, set_up, test_errors, tear_down);

  return c2g_test_run ();
}
