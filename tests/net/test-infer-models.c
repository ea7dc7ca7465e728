/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/net/def-utils.h"

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/net/run/c2g-net-private.h>

/* Compares the inferred shapes of whole models with those of a run. */

/* Loads a definition from the shared folder. If it is not there, skips the test and returns
 * NULL. */
static C2gNetDef *
load_def (const char *folder,
          const char *name)
{
  g_autofree char *relative = g_build_filename ("models", folder, name, NULL);
  g_autofree char *path = def_shared_path (relative);
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;
  g_autoptr (GError) error = NULL;
  C2gNetDef *def = file != NULL ? c2g_net_def_load_file (file, NULL, &error) : NULL;

  g_assert_no_error (error);
  return def;
}

/* Models may name devices that do not exist here, so force the CPU. */
static C2gNet *
new_net (C2gWorkspace *workspace,
         C2gNetDef    *def)
{
  const C2gNetOptions options = { c2g_device_cpu (), TRUE };
  g_autoptr (GError) error = NULL;
  C2gNet *net = c2g_net_new (def, workspace, &options, &error);

  g_assert_no_error (error);
  return net;
}

static void
infer_net (C2gWorkspace *workspace,
           C2gNetDef    *def)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = new_net (workspace, def);
  const guint64 n_bytes = c2g_test_ledger_bytes ();

  c2g_net_infer (net, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_test_ledger_bytes (), <=, n_bytes);
}

static void
run_net (C2gWorkspace *workspace,
         C2gNetDef    *def)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = new_net (workspace, def);

  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
}

static void
put_input (C2gWorkspace *workspace,
           const char   *name,
           C2gDataType   data_type,
           const gint64 *dims,
           gboolean      has_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, 4, NULL, &error);

  g_assert_no_error (error);
  if (has_data)
    {
      c2g_tensor_allocate (tensor, data_type, &error);
      g_assert_no_error (error);
      if (tensor->n_elements > 0)
        memset (c2g_tensor_address (tensor), 0, c2g_tensor_byte_size (tensor));
    }
  else
    c2g_tensor_set_data_type (tensor, data_type, &error);
  g_assert_no_error (error);
  c2g_blob_set_object (blob, G_OBJECT (tensor));
}

/* Checks that both workspaces have tensors of the same shapes and types, and returns how many. */
static guint
compare (C2gWorkspace *inferred,
         C2gWorkspace *made)
{
  g_auto (GStrv) names = c2g_workspace_list_blobs (made);
  guint n_tensors = 0;

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autoptr (C2gBlob) from = c2g_workspace_get_blob (inferred, names[i], NULL);
      g_autoptr (C2gBlob) to = c2g_workspace_get_blob (made, names[i], NULL);
      C2gTensor *a = from != NULL ? c2g_blob_get_tensor (from, NULL) : NULL;
      C2gTensor *b = c2g_blob_get_tensor (to, NULL);

      g_assert_true ((a == NULL) == (b == NULL));
      if (a == NULL)
        continue;
      g_assert_true (a->meta == b->meta);
      g_assert_cmpmem (a->dims, a->n_dims * sizeof (gint64), b->dims, b->n_dims * sizeof (gint64));
      n_tensors++;
    }

  return n_tensors;
}

typedef struct
{
  const char *folder;
  /* NULL if the parameters are loaded from a file instead. */
  const char *init_net;
  const char *predict_net;
  gint64      dims[4];
} Model;

static const Model models[] = {
  { "squeezenet11", "init_net.pb", "predict_net.pb", { 1, 3, 227, 227 } },
  { "cifar10_resnet32", "init_net.pb", "predict_net.pb", { 1, 3, 32, 32 } },
  { "lenet_lmdb/deploy_models", NULL, "mnist_predict_net.pbtxt", { 1, 1, 28, 28 } },
  { "style_transfer", "mosaic/init_net.pb", "predict_net.pb", { 1, 80, 88, 4 } },
};

static C2gWorkspace *
load_workspace (const char *folder)
{
  g_autofree char *relative = g_build_filename ("models", folder, NULL);
  g_autofree char *path = def_shared_path (relative);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gPredictor) predictor = NULL;

  /* LeNet's parameters are not in the folder of its nets. */
  c2g_workspace_set_file_access (parent, C2G_FILE_ACCESS_ALL);
  predictor = c2g_predictor_load (file, parent, c2g_device_cpu (), C2G_OPTIMIZE_NONE, NULL, &error);
  g_assert_no_error (error);
  return g_object_ref (c2g_predictor_get_workspace (predictor));
}

/* Creates a workspace with the shapes of the parameters, and one with the parameters. */
static void
prepare (const Model   *model,
         C2gWorkspace **inferred,
         C2gWorkspace **made)
{
  g_autoptr (C2gNetDef) init_net = NULL;

  if (model->init_net == NULL)
    {
      *inferred = load_workspace (model->folder);
      *made = load_workspace (model->folder);
      return;
    }

  init_net = load_def (model->folder, model->init_net);
  *inferred = c2g_workspace_new ();
  *made = c2g_workspace_new ();
  infer_net (*inferred, init_net);
  run_net (*made, init_net);
}

static void
test_model (gconstpointer data)
{
  static const gint64 batches[] = { 1, 2, 0 };
  const Model *model = data;
  g_autoptr (C2gNetDef) predict_net = load_def (model->folder, model->predict_net);
  g_autoptr (C2gWorkspace) inferred = NULL;
  g_autoptr (C2gWorkspace) made = NULL;
  C2gDataType data_type;
  const char *input;

  if (predict_net == NULL)
    return;
  prepare (model, &inferred, &made);
  /* An input with 4 channels last is a picture of bytes; the others are floats. */
  data_type = model->dims[3] == 4 ? C2G_DATA_TYPE_UINT8 : C2G_DATA_TYPE_FLOAT;
  input = c2g_net_def_get_external_inputs (predict_net)[0];
  for (gsize i = 0; i < G_N_ELEMENTS (batches); i++)
    {
      gint64 dims[4];

      memcpy (dims, model->dims, sizeof dims);
      dims[0] = batches[i];
      put_input (inferred, input, data_type, dims, FALSE);
      infer_net (inferred, predict_net);
      put_input (made, input, data_type, dims, TRUE);
      run_net (made, predict_net);
      g_assert_cmpuint (compare (inferred, made), >=, 8);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *path = g_strdup_printf ("/infer-models/%s", models[i].folder);

      g_test_add_data_func (path, &models[i], test_model);
    }
  return c2g_test_run ();
}
