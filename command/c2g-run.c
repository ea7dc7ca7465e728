/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-commands.h"
#include "model/c2g-inputs.h"
#include "model/c2g-model.h"
#include "output/c2g-arguments.h"
#include "output/c2g-json.h"
#include "output/c2g-output.h"
#include "output/c2g-terminal.h"
#include "output/c2g-text-utils.h"
#include "output/c2g-watch.h"
#include "report/c2g-profile.h"
#include "report/c2g-results.h"

#include <glib/gi18n.h>

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* The subcommand run: runs a model on inputs. */

/* File ending of outputs that are written as pictures. */
#define PICTURE_ENDING ".png"

#define DEFAULT_CLASSES 5

static const C2gUsage usage = {
  .name = "run",
  .parameters = N_("MODEL [INPUT…]"),
  .summary = N_("Runs a trained model. MODEL is a folder with init_net.pb and predict_net.pb, two\n"
                "such files with a comma between them, a net alone, or a database that a\n"
                "predictor was exported to. A model of Caffe is NET.caffemodel,NET.prototxt, or a\n"
                "folder with one .caffemodel and deploy.prototxt. Each INPUT is a FILE, of which\n"
                "every one is a run, or NAME=FILE for the input of that name: a picture, or a\n"
                "tensor in .npy, .npz, .pb, .safetensors, .minidb or .lmdb."),
  .least_parameters = 1,
};

typedef struct
{
  char                **inputs;
  char                **outputs;
  char                 *labels;
  char                 *device;
  char                 *tuning;
  int                   n_classes;
  int                   n_repeats;
  gboolean              has_profile;
  gboolean              is_optimized;
  gboolean              is_half;
  gboolean              is_form_saved;
  gboolean              as_json;
  C2gAllowArguments     allow;
  C2gPictureArguments   picture;
} Options;

/* The state and results of the command. */
typedef struct
{
  const Options   *options;
  /* NULL for the devices that the nets name. */
  C2gDevice       *device;
  GCancellable    *cancellable;

  C2gModel        *model;
  C2gPredictor    *predictor;
  C2gInputs       *inputs;
  C2gResults      *results;
  /* NULL if no profile was requested. */
  C2gNetBenchmark *profile;
  /* Time of each run in milliseconds, as double. */
  GArray          *times;
} Job;

static void
job_clear (Job *job)
{
  g_clear_pointer (&job->model, c2g_model_free);
  g_clear_object (&job->predictor);
  g_clear_pointer (&job->inputs, c2g_inputs_free);
  g_clear_pointer (&job->results, c2g_results_free);
  g_clear_object (&job->profile);
  g_clear_pointer (&job->times, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

/* Returns FALSE if an intermediate blob is requested, which optimizing may remove. */
static gboolean
wants_outputs_alone (const Job *job)
{
  const char * const *outputs = c2g_predictor_get_outputs (job->predictor);
  gboolean are_outputs = TRUE;

  for (char **output = job->options->outputs; output != NULL && *output != NULL; output++)
    {
      const char *equals = strchr (*output, '=');
      g_autofree char *name = equals != NULL ? g_strndup (*output, equals - *output) : NULL;

      are_outputs &= name == NULL || g_strv_contains (outputs, name);
    }
  return are_outputs;
}

/* A profile reads tensors after the run, so blobs must not share memory. */
static C2gOptimizeFlags
choose_flags (const Options *options)
{
  const C2gOptimizeFlags all =
    options->has_profile ? C2G_OPTIMIZE_ALL & ~C2G_OPTIMIZE_MEMORY : C2G_OPTIMIZE_ALL;

  if (!options->is_optimized)
    return C2G_OPTIMIZE_NONE;
  return options->is_half ? all | C2G_OPTIMIZE_HALF : all;
}

static gboolean
open_model (Job         *job,
            const char  *argument,
            char       **inputs,
            GError     **error)
{
  g_auto (GStrv) labels = NULL;

  job->model = c2g_model_new (argument, job->cancellable, error);
  if (job->model == NULL ||
      !c2g_model_load_labels (job->model, job->options->labels, &labels, job->cancellable, error))
    return FALSE;
  job->results = c2g_results_new (job->options->n_classes, labels);
  job->predictor = c2g_model_load (job->model, job->device, choose_flags (job->options),
                                   c2g_allow_get_file_access (&job->options->allow),
                                   job->cancellable, error);
  if (job->predictor == NULL)
    return FALSE;
  if (!wants_outputs_alone (job) &&
      !c2g_predictor_optimize (job->predictor, C2G_OPTIMIZE_NONE, error))
    return FALSE;
  job->inputs = c2g_inputs_new (job->predictor, job->model, inputs, &job->options->picture,
                                job->cancellable, error);
  return job->inputs != NULL && c2g_inputs_check_data (job->inputs, error);
}

/* Reports the error of the original net, because the optimized net has operators and blobs that the
 * user does not know. */
static void
explain (Job     *job,
         GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || !job->options->is_optimized ||
      !c2g_predictor_optimize (job->predictor, C2G_OPTIMIZE_NONE, NULL) ||
      !c2g_inputs_apply (job->inputs, NULL) ||
      c2g_net_run (c2g_predictor_get_net (job->predictor), job->cancellable, &local_error))
    return;
  g_clear_error (error);
  g_propagate_error (error, g_steal_pointer (&local_error));
}

static gboolean
run_net (Job     *job,
         double  *milliseconds,
         GError **error)
{
  gint64 begin;

  if (!c2g_inputs_apply (job->inputs, error))
    return FALSE;

  begin = g_get_monotonic_time ();
  if (!c2g_net_run (c2g_predictor_get_net (job->predictor), job->cancellable, error))
    {
      explain (job, error);
      return FALSE;
    }
  *milliseconds = (g_get_monotonic_time () - begin) / 1000.0;
  return TRUE;
}

/* Does not measure the first run, which allocates memory, if there are several. */
static gboolean
run_repeatedly (Job     *job,
                GError **error)
{
  double milliseconds;

  if (job->options->n_repeats > 0 && !run_net (job, &milliseconds, error))
    return FALSE;

  for (int i = 0; i < MAX (job->options->n_repeats, 1); i++)
    {
      if (!run_net (job, &milliseconds, error))
        return FALSE;
      g_array_append_val (job->times, milliseconds);
    }
  return TRUE;
}

static gboolean
run_one (Job     *job,
         gsize    run,
         GError **error)
{
  g_autofree char *name = NULL;

  if (!c2g_inputs_read (job->inputs, run, job->cancellable, error))
    return FALSE;
  if (job->inputs->name != NULL)
    name = g_filename_display_name (job->inputs->files[run]);

  if (run_repeatedly (job, error))
    return c2g_results_add (job->results, name, job->predictor, error);
  c2g_inputs_explain (job->inputs, error);
  if (name != NULL && !g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_prefix_error (error, "%s: ", name);
  return FALSE;
}

/* Runs the net again with the last inputs for the profile. */
static gboolean
measure (Job     *job,
         GError **error)
{
  if (job->options->has_profile)
    job->profile = c2g_net_benchmark (c2g_predictor_get_net (job->predictor), 0,
                                      MAX (job->options->n_repeats, 1), job->cancellable, error);
  return job->profile != NULL || !job->options->has_profile;
}

/* Sets an error that lists the model's outputs, because the name may be misspelled. */
static gboolean
set_no_blob (Job         *job,
             const char  *name,
             GError     **error)
{
  const char *const *outputs = c2g_predictor_get_outputs (job->predictor);
  g_autoptr (GString) names = g_string_new (NULL);

  for (gsize i = 0; outputs[i] != NULL; i++)
    g_string_append_printf (names, "%s“%s”", i == 0 ? "" : _(", "), outputs[i]);
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
               _("The model has no blob “%s”; its outputs are %s"), name, names->str);
  return FALSE;
}

/* Writes any blob of the model, not only outputs. */
static gboolean
write_blob (Job         *job,
            const char  *name,
            const char  *file_name,
            GError     **error)
{
  C2gWorkspace *workspace = c2g_predictor_get_workspace (job->predictor);
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (file_name);
  g_autoptr (C2gSaveOptions) save_options = c2g_save_options_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
  g_autoptr (C2gTensor) near = NULL;
  C2gTensor *tensor;

  if (blob == NULL)
    return set_no_blob (job, name, error);
  if (g_str_has_suffix (file_name, PICTURE_ENDING))
    {
      tensor = c2g_blob_get_tensor (blob, error);
      near = tensor != NULL ? c2g_tensor_to_device (tensor, c2g_device_cpu (), error) : NULL;
      return near != NULL &&
             c2g_picture_write (&job->inputs->form, near, file, job->cancellable, error);
    }
  c2g_save_options_set_names (save_options, (const char *const[]){ name, NULL });
  return c2g_workspace_save_checkpoint (workspace, file, save_options, job->cancellable, error);
}

static const char *
get_output_file (const char *argument)
{
  const char *equals = strchr (argument, '=');

  return equals != NULL ? equals + 1 : argument;
}

/* Returns the name in "NAME=FILE"; for "FILE", that of the first output. */
static char *
dup_output_name (Job         *job,
                 const char  *argument,
                 GError     **error)
{
  const char *equals = strchr (argument, '=');

  if (equals != NULL)
    return g_strndup (argument, equals - argument);
  if (c2g_predictor_get_outputs (job->predictor)[0] != NULL)
    return g_strdup (c2g_predictor_get_outputs (job->predictor)[0]);

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("The model has no output for %s"),
               argument);
  return NULL;
}

static gboolean
write_output (Job         *job,
              const char  *argument,
              GError     **error)
{
  g_autofree char *name = dup_output_name (job, argument, error);

  return name != NULL && write_blob (job, name, get_output_file (argument), error);
}

/* Checks an output before the model runs, because a run may take long. */
static gboolean
check_output (Job         *job,
              const char  *argument,
              GError     **error)
{
  const char *file_name = get_output_file (argument);
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (file_name);
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autofree char *name = NULL;

  if (!g_str_has_suffix (file_name, PICTURE_ENDING) &&
      !c2g_save_options_check_file (options, file, error))
    return FALSE;
  name = dup_output_name (job, argument, error);
  if (name == NULL)
    return FALSE;
  return c2g_workspace_has_blob (c2g_predictor_get_workspace (job->predictor), name) ||
         set_no_blob (job, name, error);
}

static gboolean
check_outputs (Job     *job,
               GError **error)
{
  char **outputs = job->options->outputs;

  if (outputs != NULL && c2g_inputs_get_n_runs (job->inputs) > 1)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                           _("Outputs are written of one run alone, and there are several inputs"));
      return FALSE;
    }
  for (; outputs != NULL && *outputs != NULL; outputs++)
    if (!check_output (job, *outputs, error))
      return FALSE;
  return TRUE;
}

/* Lets operators measure what is not in the file, which need not be there. */
static gboolean
begin_tuning (Job     *job,
              GError **error)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (GFile) file = NULL;

  if (job->options->tuning == NULL)
    return TRUE;
  file = g_file_new_for_commandline_arg (job->options->tuning);
  c2g_settings_set_tune (settings, TRUE);
  return !g_file_query_exists (file, job->cancellable) ||
         c2g_settings_load_tuning (settings, file, job->cancellable, error);
}

static gboolean
end_tuning (Job     *job,
            GError **error)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (GFile) file = NULL;

  if (job->options->tuning == NULL)
    return TRUE;
  file = g_file_new_for_commandline_arg (job->options->tuning);
  return c2g_settings_save_tuning (settings, file, job->cancellable, error);
}

static gboolean
run_all (Job         *job,
         const char  *model,
         char       **inputs,
         GError     **error)
{
  if (!begin_tuning (job, error) || !open_model (job, model, inputs, error) ||
      !check_outputs (job, error))
    return FALSE;
  for (gsize run = 0; run < c2g_inputs_get_n_runs (job->inputs); run++)
    {
      if (!run_one (job, run, error))
        return FALSE;
      if (run == 0)
        c2g_inputs_warn (job->inputs);
    }
  for (char **output = job->options->outputs; output != NULL && *output != NULL; output++)
    if (!write_output (job, *output, error))
      return FALSE;
  if (job->options->is_form_saved &&
      !c2g_model_form_save (job->inputs->model_form, job->cancellable, error))
    return FALSE;
  return measure (job, error) && end_tuning (job, error);
}

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  const double *first = a;
  const double *second = b;

  return (*first > *second) - (*first < *second);
}

static double
get_time (Job  *job,
          guint index)
{
  return g_array_index (job->times, double, index);
}

/* Returns the median of sorted times. */
static double
get_median (Job *job)
{
  guint n = job->times->len;

  return (get_time (job, (n - 1) / 2) + get_time (job, n / 2)) / 2;
}

static void
print_times (Job *job)
{
  guint n = job->times->len;

  g_print ("\n");
  if (n == 1)
    g_print (_("Time: %.3f ms"), get_median (job));
  else
    g_print (_("Time: %.3f ms, the median of %u runs of %.3f to %.3f ms"), get_median (job), n,
             get_time (job, 0), get_time (job, n - 1));
  g_print ("\n");
}

/* Lists the CPU and all other devices of operators. */
static GPtrArray *
list_devices (Job *job)
{
  C2gNet *net = c2g_predictor_get_net (job->predictor);
  GPtrArray *devices = g_ptr_array_new ();

  g_ptr_array_add (devices, c2g_device_cpu ());
  for (guint i = 0; i < c2g_net_get_n_operators (net); i++)
    {
      C2gDevice *device = c2g_operator_get_device (c2g_net_get_operator (net, i));

      if (!g_ptr_array_find (devices, device, NULL))
        g_ptr_array_add (devices, device);
    }
  return devices;
}

static void
print_memory (Job *job)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (GPtrArray) devices = list_devices (job);

  g_print ("\n%s\n", _("Memory:"));
  for (guint i = 0; i < devices->len; i++)
    {
      C2gDevice *device = devices->pdata[i];

      g_print ("  ");
      g_print (_("%s: %" PRIu64 " bytes now, %" PRIu64 " at the peak, %" PRIu64 " in total"),
               c2g_device_to_string (device),
               c2g_memory_reporter_get_current_bytes (reporter, device),
               c2g_memory_reporter_get_peak_bytes (reporter, device),
               c2g_memory_reporter_get_total_bytes (reporter, device));
      g_print ("\n");
    }
}

static void
print_text (Job *job)
{
  gboolean has_colour = c2g_terminal_has_colour (STDOUT_FILENO);

  c2g_results_print (job->results, has_colour);
  if (job->profile != NULL)
    {
      g_print ("\n");
      c2g_profile_print (job->profile, has_colour);
    }
  if (job->profile != NULL || job->options->n_repeats > 0)
    print_times (job);
  print_memory (job);
}

static void
add_memory_json (Job         *job,
                 JsonBuilder *builder)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (GPtrArray) devices = list_devices (job);

  json_builder_set_member_name (builder, "memory");
  json_builder_begin_array (builder);
  for (guint i = 0; i < devices->len; i++)
    {
      C2gDevice *device = devices->pdata[i];

      json_builder_begin_object (builder);
      c2g_json_add_string (builder, "device", c2g_device_to_string (device));
      c2g_json_add_int (builder, "current_bytes",
                        c2g_memory_reporter_get_current_bytes (reporter, device));
      c2g_json_add_int (builder, "peak_bytes",
                        c2g_memory_reporter_get_peak_bytes (reporter, device));
      c2g_json_add_int (builder, "total_bytes",
                        c2g_memory_reporter_get_total_bytes (reporter, device));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
print_json (Job *job)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  c2g_json_add_string (builder, "model", job->model->name);
  c2g_results_add_json (job->results, builder);
  json_builder_set_member_name (builder, "milliseconds");
  json_builder_begin_object (builder);
  c2g_json_add_int (builder, "n_runs", job->times->len);
  c2g_json_add_double (builder, "median", get_median (job));
  c2g_json_add_double (builder, "min", get_time (job, 0));
  c2g_json_add_double (builder, "max", get_time (job, job->times->len - 1));
  json_builder_end_object (builder);
  if (job->profile != NULL)
    c2g_profile_add_json (job->profile, builder);
  add_memory_json (job, builder);
  json_builder_end_object (builder);
  c2g_json_print (builder);
}

static gboolean
check_options (const Options  *options,
               C2gDevice     **device)
{
  g_autoptr (GError) error = NULL;
  C2gPictureForm form;
  const char *message = NULL;

  if (options->n_classes < 1)
    message = _("The number of classes has to be positive");
  else if (options->n_repeats < 0)
    message = _("The number of runs cannot be negative");
  else if (!c2g_arguments_find_device (options->device, device, &error) ||
           !c2g_picture_form_parse (&form, &options->picture, &error))
    message = error->message;
  if (message != NULL)
    c2g_arguments_print_error (&usage, message);
  return message == NULL;
}

static int
run_model (const Options  *options,
           const char     *model,
           char          **inputs)
{
  g_autoptr (C2gWatch) watch = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Job) job = { options };
  int status;

  if (!check_options (options, &job.device))
    return C2G_STATUS_USAGE;

  watch = c2g_watch_new ();
  job.cancellable = c2g_watch_get_cancellable (watch);
  job.times = g_array_new (FALSE, FALSE, sizeof (double));
  if (!run_all (&job, model, inputs, &error))
    c2g_allow_explain (&options->allow, &error);
  status = c2g_watch_end (watch, error, C2G_STATUS_FAILURE);
  if (status != C2G_STATUS_SUCCESS)
    return status;

  g_array_sort (job.times, compare_doubles);
  if (options->as_json)
    print_json (&job);
  else
    print_text (&job);
  return status;
}

static void
options_clear (Options *options)
{
  g_strfreev (options->inputs);
  g_strfreev (options->outputs);
  g_free (options->labels);
  g_free (options->device);
  g_free (options->tuning);
  c2g_picture_arguments_clear (&options->picture);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* Joins the inputs of the option and those after the model. */
static char **
join_inputs (char **options,
             char **parameters)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();

  for (char **option = options; option != NULL && *option != NULL; option++)
    g_ptr_array_add (inputs, *option);
  for (char **parameter = parameters; *parameter != NULL; parameter++)
    g_ptr_array_add (inputs, *parameter);
  g_ptr_array_add (inputs, NULL);
  return g_strdupv ((char **) inputs->pdata);
}

int
c2g_command_run (int    argc,
                 char **argv)
{
  g_auto (Options) options = { .n_classes = DEFAULT_CLASSES, .is_optimized = TRUE };
  const GOptionEntry entries[] = {
    { "input", 'i', 0, G_OPTION_ARG_FILENAME_ARRAY, &options.inputs,
      N_("Run on this, as an INPUT behind the model"), N_("[NAME=]FILE") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &options.outputs,
      N_("Write a blob into a file, .png for a picture"), N_("[NAME=]FILE") },
    { "top", 'n', 0, G_OPTION_ARG_INT, &options.n_classes,
      N_("Show so many classes of each input (5)"), N_("N") },
    { "labels", 'l', 0, G_OPTION_ARG_FILENAME, &options.labels,
      N_("Names of the classes, one a line (labels.txt beside the nets)"), N_("FILE") },
    { "repeat", 'r', 0, G_OPTION_ARG_INT, &options.n_repeats,
      N_("Run once more, then so often, and tell the time"), N_("N") },
    { "profile", 'p', 0, G_OPTION_ARG_NONE, &options.has_profile,
      N_("Tell the time of each operator"), NULL },
    { "device", 'd', 0, G_OPTION_ARG_STRING, &options.device,
      N_("Run all operators there, whatever the nets say"), N_("DEVICE") },
    { "tune", 0, 0, G_OPTION_ARG_FILENAME, &options.tuning,
      N_("Measure what computes fastest here, and keep it in this file"), N_("FILE") },
    { "no-optimize", 0, G_OPTION_FLAG_REVERSE, G_OPTION_ARG_NONE, &options.is_optimized,
      N_("Run the net as it is written, not a faster one"), NULL },
    { "half", 0, 0, G_OPTION_ARG_NONE, &options.is_half,
      N_("Compute with numbers of 16 bits on a GPU"), NULL },
    { "save-form", 0, 0, G_OPTION_ARG_NONE, &options.is_form_saved,
      N_("Keep what is said of pictures in model.ini beside the nets"), NULL },
    { "allow-files", 0, 0, G_OPTION_ARG_NONE, &options.allow.root_folder,
      N_("Let the model read and write files below the folder this runs in"), NULL },
    { "allow-all-files", 0, 0, G_OPTION_ARG_NONE, &options.allow.all,
      N_("Let the model read and write every file that you can"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.as_json, N_("Print JSON for programs"), NULL },
    { NULL },
  };
  g_autofree GOptionEntry *all = c2g_picture_add_entries (entries, &options.picture);
  g_auto (GStrv) parameters = c2g_arguments_parse (&usage, all, argc, argv);
  g_auto (GStrv) inputs = NULL;
  g_autoptr (GError) error = NULL;

  if (parameters == NULL)
    return C2G_STATUS_USAGE;
  if (!c2g_picture_arguments_read_mean (&options.picture, &error))
    {
      c2g_arguments_print_error (&usage, error->message);
      return C2G_STATUS_USAGE;
    }
  inputs = join_inputs (options.inputs, parameters + 1);
  return run_model (&options, parameters[0], inputs);
}
