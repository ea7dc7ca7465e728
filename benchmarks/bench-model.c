/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Runs a trained model, one cell of a table in each process. Also writes models for the peers, and
 * a log of the memory that they request on a device. */

#include "bench-cell.h"

#include <c2g/c2g.h>

#include <stdlib.h>

#define MAX_DIMS 8

typedef struct
{
  C2gPredictor *predictor;
  C2gTensor    *input;
  /* On a device the result is copied back each time, which waits for it. */
  gboolean      is_far;
} Cell;

static void
check (GError *error)
{
  if (error == NULL)
    return;

  g_printerr ("bench-model: %s\n", error->message);
  exit (EXIT_FAILURE);
}

static C2gPredictor *
load (const char       *path,
      C2gDevice        *device,
      C2gOptimizeFlags  flags)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  GError *error = NULL;
  C2gPredictor *predictor;

  /* The published LeNet has its parameters beside its folder. */
  c2g_workspace_set_file_access (parent, C2G_FILE_ACCESS_ALL);
  predictor = c2g_predictor_load (file, parent, device, flags, NULL, &error);
  check (error);
  return predictor;
}

/* Writing */

static void
save_net (C2gPredictor *predictor,
          GFile        *folder)
{
  g_autoptr (GFile) file = g_file_get_child (folder, "net.pbtxt");
  C2gNetDef *def = c2g_net_get_definition (c2g_predictor_get_net (predictor));
  GError *error = NULL;

  c2g_net_def_save_file (def, file, TRUE, NULL, &error);
  check (error);
}

/* Finds the blobs that the net reads and that are not inputs. */
static void
save_weights (C2gPredictor *predictor,
              GFile        *folder)
{
  g_autoptr (GFile) file = g_file_get_child (folder, "weights.safetensors");
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;
  C2gNetDef *def = c2g_net_get_definition (c2g_predictor_get_net (predictor));
  const char *const *outside = c2g_net_def_get_external_inputs (def);
  GError *error = NULL;

  for (gsize i = 0; outside[i] != NULL; i++)
    if (!g_strv_contains (c2g_predictor_get_inputs (predictor), outside[i]))
      g_strv_builder_add (builder, outside[i]);
  names = g_strv_builder_end (builder);
  c2g_save_options_set_names (options, (const char *const *) names);
  c2g_workspace_save_checkpoint (c2g_predictor_get_workspace (predictor), file, options, NULL,
                                 &error);
  check (error);
}

static int
write_down (const char *model,
            const char *path)
{
  g_autoptr (C2gPredictor) predictor = load (model, c2g_device_cpu (), C2G_OPTIMIZE_NONE);
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  save_net (predictor, folder);
  save_weights (predictor, folder);
  return EXIT_SUCCESS;
}

/* Running */

static GBytes *
read_bytes (const char *path)
{
  GError *error = NULL;
  char *data;
  gsize n_bytes;

  g_file_get_contents (path, &data, &n_bytes, &error);
  check (error);
  return g_bytes_new_take (data, n_bytes);
}

/* The shape is written as 16,3,32,32. */
static C2gTensor *
read_input (const char *path,
            const char *shape)
{
  g_autoptr (GBytes) bytes = read_bytes (path);
  g_auto (GStrv) words = g_strsplit (shape, ",", MAX_DIMS);
  const gsize n_dims = g_strv_length (words);
  gint64 dims[MAX_DIMS];
  GError *error = NULL;
  C2gTensor *tensor;

  for (gsize i = 0; i < n_dims; i++)
    dims[i] = g_ascii_strtoll (words[i], NULL, 10);
  tensor = c2g_tensor_new_from_bytes (C2G_DATA_TYPE_FLOAT, dims, n_dims, bytes, &error);
  check (error);
  return tensor;
}

static void
run_cell (void *data)
{
  Cell *self = data;
  GError *error = NULL;
  guint n_outputs;
  g_autofree C2gTensor **outputs =
    c2g_predictor_run (self->predictor, &self->input, 1, &n_outputs, NULL, &error);

  check (error);
  if (self->is_far)
    {
      g_autoptr (C2gTensor) near = c2g_tensor_to_device (outputs[0], c2g_device_cpu (), &error);

      check (error);
    }
}

static void
write_output (Cell       *self,
              const char *path)
{
  GError *error = NULL;
  g_autoptr (C2gTensor) tensor =
    c2g_predictor_get_output (self->predictor, c2g_predictor_get_outputs (self->predictor)[0],
                              &error);
  g_autoptr (GBytes) bytes = NULL;

  check (error);
  /* Copies the output to the CPU. */
  bytes = c2g_tensor_dup_bytes (tensor, &error);
  check (error);
  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error);
  check (error);
}

static C2gDevice *
parse_device (const char *text)
{
  GError *error = NULL;
  C2gDevice *device = c2g_device_parse (text, &error);

  check (error);
  return device;
}

static int
measure (C2gOptimizeFlags   flags,
         char             **arguments,
         const char        *device_text)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  C2gDevice *device = parse_device (device_text);
  g_autoptr (C2gPredictor) predictor = load (arguments[0], device, flags);
  g_autoptr (C2gTensor) input = read_input (arguments[1], arguments[2]);
  Cell cell = { predictor, input, device != c2g_device_cpu () };

  c2g_settings_set_n_threads (settings, atoi (arguments[3]));
  bench_cell_measure ("c2g", c2g_get_version_string (), run_cell, &cell);
  write_output (&cell, arguments[4]);
  return EXIT_SUCCESS;
}

/* Logs the allocations on the device while the model runs twice with each of the shapes. */
static int
write_log (char **arguments,
           int    n_shapes)
{
  C2gDevice *device = parse_device (arguments[2]);
  g_autoptr (GFile) file = g_file_new_for_path (arguments[3]);
  GError *error = NULL;
  g_autoptr (GFileOutputStream) stream =
    g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error);
  g_autoptr (C2gAllocator) usual = c2g_allocator_get_default (device, &error);
  g_autoptr (C2gAllocator) logging = NULL;
  g_autoptr (C2gPredictor) predictor = NULL;

  check (error);
  logging = c2g_logging_allocator_new (usual, G_OUTPUT_STREAM (stream));
  c2g_allocator_set_default (device, logging, &error);
  check (error);

  predictor = load (arguments[0], device, C2G_OPTIMIZE_NONE);
  for (int i = 0; i < 2 * n_shapes; i++)
    {
      g_autoptr (C2gTensor) input = read_input (arguments[1], arguments[4 + i % n_shapes]);
      Cell cell = { predictor, input, TRUE };

      run_cell (&cell);
    }
  g_clear_object (&predictor);
  c2g_logging_allocator_check (C2G_LOGGING_ALLOCATOR (logging), &error);
  check (error);
  c2g_allocator_set_default (device, usual, &error);
  check (error);

  return EXIT_SUCCESS;
}

int
main (int    argc,
      char **argv)
{
  const char *device = argc == 8 ? argv[7] : "cpu";

  bench_cell_begin ();

  if ((argc == 7 || argc == 8) && g_str_equal (argv[1], "plain"))
    return measure (C2G_OPTIMIZE_NONE, argv + 2, device);
  if ((argc == 7 || argc == 8) && g_str_equal (argv[1], "optimized"))
    return measure (C2G_OPTIMIZE_ALL, argv + 2, device);
  if (argc == 4 && g_str_equal (argv[1], "write-down"))
    return write_down (argv[2], argv[3]);
  if (argc >= 7 && g_str_equal (argv[1], "log"))
    return write_log (argv + 2, argc - 6);
  g_printerr ("usage: %s plain|optimized MODEL INPUT SHAPE N_THREADS OUTPUT [DEVICE]\n"
              "       %s write-down MODEL FOLDER\n"
              "       %s log MODEL INPUT DEVICE LOG SHAPE...\n",
              argv[0], argv[0], argv[0]);
  return EXIT_FAILURE;
}
