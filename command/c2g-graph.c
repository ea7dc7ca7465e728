/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-commands.h"
#include "model/c2g-dot.h"
#include "model/c2g-inputs.h"
#include "model/c2g-model.h"
#include "output/c2g-arguments.h"
#include "output/c2g-entries.h"
#include "output/c2g-output.h"
#include "output/c2g-watch.h"

#include <glib/gi18n.h>

#include <string.h>

/* The subcommand graph: draws a net. */

static const C2gUsage usage = {
  .name = "graph",
  .parameters = N_("MODEL [INPUT…]"),
  .summary = N_("Draws the net of a model: writes it in the language of Graphviz, or as a picture\n"
                "by its program dot. The model is what “c2g run” takes. With an input, as that\n"
                "takes it, or its shape, the dimensions of all blobs are shown; the net is not run,\n"
                "only the one that fills the parameters is."),
  .least_parameters = 1,
};

/* Formats of the program dot, by the ending of the file name; NULL for the text itself. */
static const struct
{
  const char *ending;
  const char *format;
} formats[] = {
  { ".dot", NULL },
  { ".gv", NULL },
  { ".svg", "svg" },
  { ".png", "png" },
  { ".pdf", "pdf" },
};

typedef struct
{
  char                *output;
  char                *device_name;
  C2gDevice           *device;
  char               **shapes;
  C2gAllowArguments    allow;
  C2gPictureArguments  picture;
  C2gPictureForm       form;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->output);
  g_free (options->device_name);
  g_strfreev (options->shapes);
  c2g_picture_arguments_clear (&options->picture);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static void
shapes_clear (C2gDotShapes *shapes)
{
  g_clear_pointer (&shapes->inputs, g_hash_table_unref);
  g_clear_pointer (&shapes->outputs, g_hash_table_unref);
  g_clear_pointer (&shapes->weights, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gDotShapes, shapes_clear)

static GHashTable *
new_texts (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static gboolean
is_first_input (C2gNetDef  *def,
                const char *name)
{
  for (guint i = 0; i < c2g_net_def_get_n_operators (def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (def, i);

      if (g_strcmp0 (c2g_operator_def_get_inputs (op)[0], name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Returns TRUE for an input that the init net fills: with one number to create the blob, or with a
 * constant that has the shape of a picture. Inputs are the first inputs of operators, parameters
 * are not. */
static gboolean
is_filled_input (C2gNetDef    *def,
                 C2gFileEntry *entry)
{
  gsize n_dims;

  c2g_file_entry_get_dims (entry, &n_dims);
  return c2g_file_entry_is_constant (entry) &&
         (n_dims == 4 || c2g_file_entry_get_n_elements (entry) == 1) &&
         is_first_input (def, c2g_file_entry_get_name (entry));
}

/* Reads the input shapes from the file next to the nets, if there is one. */
static gboolean
read_input_shapes (C2gModel       *model,
                   C2gNetDef      *def,
                   const Options  *options,
                   C2gDotShapes   *shapes,
                   GCancellable   *cancellable,
                   GError        **error)
{
  g_autoptr (C2gModelForm) form = c2g_model_form_new (c2g_model_get_net_file (model), &options->picture, cancellable, error);
  const char *const *inputs = c2g_net_def_get_external_inputs (def);

  for (gsize i = 0; form != NULL && inputs[i] != NULL; i++)
    {
      gsize n_dims;
      const gint64 *dims = c2g_model_form_get_dims (form, inputs[i], &n_dims);

      if (dims == NULL)
        continue;
      g_hash_table_replace (shapes->inputs, g_strdup (inputs[i]), c2g_dims_to_string (dims, n_dims));
      if (shapes->weights != NULL)
        g_hash_table_remove (shapes->weights, inputs[i]);
    }
  return form != NULL;
}

/* Reads the shapes from the files without running a net. */
static gboolean
read_weights (C2gModel      *model,
              C2gNetDef     *def,
              C2gDotShapes  *shapes,
              GCancellable  *cancellable,
              GError       **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (C2gModelFile) file = c2g_model_open_weights (model, cancellable, &local_error);
  g_autoptr (GPtrArray) entries = NULL;

  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (file == NULL)
    return TRUE;

  shapes->weights = new_texts ();
  entries = c2g_entries_new (file);
  for (guint i = 0; i < entries->len; i++)
    {
      C2gFileEntry *entry = entries->pdata[i];
      gsize n_dims;
      const gint64 *dims = c2g_file_entry_get_dims (entry, &n_dims);
      char *text = c2g_entry_is_tensor (entry) ? c2g_dims_to_string (dims, n_dims) : NULL;
      gboolean is_input = is_filled_input (def, entry);

      /* A number or vector is only a placeholder and has not the shape of the input. */
      if (is_input && n_dims != 4)
        g_clear_pointer (&text, g_free);
      g_hash_table_replace (is_input ? shapes->inputs : shapes->weights,
                            g_strdup (c2g_file_entry_get_name (entry)), text);
    }
  return TRUE;
}

static char *
describe_blob (C2gBlob *blob)
{
  C2gTensor *tensor;
  gsize n_dims;
  const gint64 *dims;

  if (blob == NULL || !c2g_blob_is_tensor (blob, NULL))
    return NULL;
  tensor = c2g_blob_get_tensor (blob, NULL);
  dims = c2g_tensor_get_dims (tensor, &n_dims);
  return c2g_dims_to_string (dims, n_dims);
}

/* Stores the shapes of this operator's outputs; a later operator may write the same blob with
 * another shape. */
static void
describe_outputs (C2gOperator  *op,
                  C2gDotShapes *shapes)
{
  for (guint i = 0; i < c2g_operator_get_n_outputs (op); i++)
    g_hash_table_replace (shapes->outputs, c2g_dot_key (c2g_operator_get_position (op), i),
                          describe_blob (c2g_operator_get_output (op, i)));
}

/* Stores the shapes of all blobs in the workspace: those that were given are inputs, all others are
 * weights. */
static void
describe_workspace (C2gPredictor *predictor,
                    C2gInputs    *inputs,
                    GHashTable   *shaped,
                    C2gDotShapes *shapes)
{
  C2gWorkspace *workspace = c2g_predictor_get_workspace (predictor);
  g_auto (GStrv) names = c2g_workspace_list_blobs (workspace);

  if (shapes->weights == NULL)
    shapes->weights = new_texts ();
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, *name, NULL);
      gboolean is_input = g_strcmp0 (*name, inputs->name) == 0 ||
                          g_hash_table_contains (inputs->named, *name) ||
                          g_hash_table_contains (shaped, *name) ||
                          g_hash_table_contains (shapes->inputs, *name);
      GHashTable *texts = is_input ? shapes->inputs : shapes->weights;

      if (is_input)
        g_hash_table_remove (shapes->weights, *name);
      g_hash_table_replace (texts, g_strdup (*name), describe_blob (blob));
    }
}

/* Parses dimensions such as "1,3,224,224". */
static gboolean
parse_dims (const char  *text,
            gint64     **dims,
            gsize       *n_dims,
            GError     **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);

  *n_dims = g_strv_length (words);
  *dims = g_new (gint64, *n_dims + 1);
  for (gsize i = 0; i < *n_dims; i++)
    if (!g_ascii_string_to_signed (words[i], 10, 0, G_MAXINT64, &(*dims)[i], NULL))
      {
        g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                             _("Expected numbers with commas between them, such as 1,3,224,224"));
        return FALSE;
      }
  return TRUE;
}

static gboolean
set_shape (C2gTensor    *tensor,
           const char   *text,
           C2gDataType   data_type,
           GError      **error)
{
  g_autofree gint64 *dims = NULL;
  gsize n_dims;

  if (parse_dims (text, &dims, &n_dims, error) && c2g_tensor_resize (tensor, dims, n_dims, error) &&
      c2g_tensor_set_data_type (tensor, data_type, error))
    return TRUE;

  g_prefix_error (error, "--shape=%s: ", text);
  return FALSE;
}

/* Returns the first input without a shape, for a --shape that names none. */
static const char *
find_unshaped (const char *const  *inputs,
               GHashTable         *shaped,
               GError            **error)
{
  for (gsize i = 0; inputs[i] != NULL; i++)
    if (!g_hash_table_contains (shaped, inputs[i]))
      return inputs[i];

  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                       _("--shape: The model has no input left"));
  return NULL;
}

/* Parses "NAME=1,3,224,224", or dimensions alone, and gives the input that shape. */
static gboolean
apply_shape (C2gPredictor  *predictor,
             const char    *argument,
             C2gDataType    data_type,
             GHashTable    *shaped,
             GError       **error)
{
  C2gWorkspace *workspace = c2g_predictor_get_workspace (predictor);
  const char *const *inputs = c2g_predictor_get_inputs (predictor);
  const char *equals = strrchr (argument, '=');
  g_autofree char *name = equals != NULL ? g_strndup (argument, equals - argument) : NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  g_autoptr (C2gBlob) blob = NULL;

  if (name != NULL && !g_strv_contains (inputs, name))
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                   _("--shape: The model has no input “%s”"), name);
      return FALSE;
    }
  if (name == NULL)
    name = g_strdup (find_unshaped (inputs, shaped, error));
  if (name == NULL ||
      !set_shape (tensor, equals != NULL ? equals + 1 : argument, data_type, error))
    return FALSE;

  blob = c2g_workspace_create_blob (workspace, name, error);
  if (blob == NULL)
    return FALSE;
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  g_hash_table_add (shaped, g_steal_pointer (&name));
  return TRUE;
}

/* Creates another net, because the predictor's net was created before the inputs had shapes. */
static C2gNet *
create_net (C2gPredictor  *predictor,
            C2gNetDef     *def,
            C2gDevice     *device,
            GError       **error)
{
  g_autoptr (C2gNetDef) copy = c2g_net_def_copy (def);

  for (guint i = 0; device != NULL && i < c2g_net_def_get_n_operators (copy); i++)
    c2g_operator_def_set_device (c2g_net_def_get_operator (copy, i), device);
  return c2g_workspace_create_net (c2g_predictor_get_workspace (predictor), copy, TRUE, error);
}

static gboolean
reads_any (C2gOperator *op,
           GHashTable  *blobs)
{
  for (guint i = 0; i < c2g_operator_get_n_inputs (op); i++)
    if (g_hash_table_contains (blobs, c2g_operator_get_input (op, i)))
      return TRUE;
  return FALSE;
}

/* Adds the operator's outputs to the blobs of unknown shape, and their names to the text. */
static void
add_unknown (C2gOperator *op,
             GHashTable  *unknown,
             GString     *names)
{
  for (guint i = 0; i < c2g_operator_get_n_outputs (op); i++)
    {
      C2gBlob *blob = c2g_operator_get_output (op, i);
      g_autofree char *name = c2g_blob_get_name (blob);

      if (g_hash_table_add (unknown, blob))
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
    }
}

static void
remove_unknown (C2gOperator *op,
                GHashTable  *unknown)
{
  for (guint i = 0; i < c2g_operator_get_n_outputs (op); i++)
    g_hash_table_remove (unknown, c2g_operator_get_output (op, i));
}

/* Infers the shapes. If an operator needs data for it, its outputs have no dimensions in the graph,
 * and neither have those of operators that read them. */
static gboolean
infer (C2gNet        *net,
       C2gDotShapes  *shapes,
       GError       **error)
{
  g_autoptr (GHashTable) unknown = g_hash_table_new (NULL, NULL);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < c2g_net_get_n_operators (net); i++)
    {
      C2gOperator *op = c2g_net_get_operator (net, i);
      g_autoptr (GError) local_error = NULL;

      if (reads_any (op, unknown))
        add_unknown (op, unknown, names);
      else if (c2g_operator_infer (op, &local_error))
        {
          describe_outputs (op, shapes);
          remove_unknown (op, unknown);
        }
      else if (g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
        {
          g_printerr ("c2g: %s\n", local_error->message);
          add_unknown (op, unknown, names);
        }
      else
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
    }

  if (names->len > 0)
    {
      g_autofree char *message = g_strdup_printf (_("The shapes of these blobs are not known: %s"), names->str);

      g_printerr ("c2g: %s\n", message);
    }
  return TRUE;
}

static gboolean
find_shapes (C2gModel              *model,
             C2gNetDef             *def,
             const Options         *options,
             char                 **arguments,
             C2gDotShapes          *shapes,
             GCancellable          *cancellable,
             GError               **error)
{
  g_autoptr (GHashTable) shaped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (C2gInputs) inputs = NULL;
  g_autoptr (C2gNet) net = NULL;

  predictor = c2g_model_load (model, options->device, C2G_OPTIMIZE_NONE,
                              c2g_allow_get_file_access (&options->allow), cancellable, error);
  if (predictor == NULL)
    return FALSE;
  for (char **shape = options->shapes; shape != NULL && *shape != NULL; shape++)
    if (!apply_shape (predictor, *shape, options->form.data_type, shaped, error))
      return FALSE;
  inputs = c2g_inputs_new (predictor, model, arguments, &options->picture, cancellable, error);
  if (inputs == NULL || !c2g_inputs_read (inputs, 0, cancellable, error) ||
      !c2g_inputs_apply (inputs, error))
    return FALSE;

  describe_workspace (predictor, inputs, shaped, shapes);
  net = create_net (predictor, def, options->device, error);
  return net != NULL && infer (net, shapes, error);
}

static char *
draw (const Options  *options,
      char          **parameters,
      GCancellable   *cancellable,
      GError        **error)
{
  g_auto (C2gDotShapes) shapes = { new_texts (), new_texts (), NULL };
  g_autoptr (C2gModel) model = c2g_model_new (parameters[0], cancellable, error);
  g_autoptr (C2gNetDef) def = NULL;

  if (model == NULL)
    return NULL;
  def = c2g_model_load_net (model, cancellable, error);
  if (def == NULL || !read_weights (model, def, &shapes, cancellable, error) ||
      !read_input_shapes (model, def, options, &shapes, cancellable, error))
    return NULL;
  if ((parameters[1] != NULL || options->shapes != NULL) &&
      !find_shapes (model, def, options, parameters + 1, &shapes, cancellable, error))
    return NULL;
  return c2g_dot_new (def, &shapes);
}

/* Runs the program dot on the text. */
static GBytes *
run_dot (const char    *text,
         const char    *format,
         GCancellable  *cancellable,
         GError       **error)
{
  g_autofree char *program = g_find_program_in_path ("dot");
  g_autofree char *option = g_strconcat ("-T", format, NULL);
  g_autoptr (GBytes) input = g_bytes_new (text, strlen (text));
  g_autoptr (GBytes) output = NULL;
  g_autoptr (GSubprocess) process = NULL;

  if (program == NULL)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                           _("The program dot, which draws pictures of graphs, is not there; "
                             "it comes with Graphviz"));
      return NULL;
    }
  process = g_subprocess_new (
    G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, error, program, option, NULL);
  if (process == NULL ||
      !g_subprocess_communicate (process, input, cancellable, &output, NULL, error) ||
      !g_subprocess_wait_check (process, cancellable, error))
    return NULL;
  return g_steal_pointer (&output);
}

static gboolean
write_graph (const char    *text,
             const char    *format,
             const char    *output,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (output);
  g_autoptr (GBytes) bytes = NULL;
  gsize size;
  const char *data;

  if (format != NULL)
    bytes = run_dot (text, format, cancellable, error);
  else
    bytes = g_bytes_new (text, strlen (text));
  if (bytes == NULL)
    return FALSE;

  data = g_bytes_get_data (bytes, &size);
  return g_file_replace_contents (file, data, size, NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                  cancellable, error);
}

static gboolean
find_format (const char  *output,
             const char **format)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (output == NULL || g_str_has_suffix (output, formats[i].ending))
      {
        *format = formats[i].format;
        return TRUE;
      }
  return FALSE;
}

static gboolean
check_options (Options     *options,
               const char **format)
{
  g_autoptr (GError) error = NULL;
  const char *message = NULL;

  if (!find_format (options->output, format))
    message = _("--output: Expected a name that ends with .dot, .gv, .svg, .png or .pdf");
  else if (!c2g_arguments_find_device (options->device_name, &options->device, &error) ||
           !c2g_picture_form_parse (&options->form, &options->picture, &error))
    message = error->message;
  if (message != NULL)
    c2g_arguments_print_error (&usage, message);
  return message == NULL;
}

static int
graph (Options  *options,
       char    **parameters)
{
  g_autoptr (C2gWatch) watch = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  const char *format = NULL;
  GCancellable *cancellable;
  int status;

  if (!check_options (options, &format))
    return C2G_STATUS_USAGE;

  watch = c2g_watch_new ();
  cancellable = c2g_watch_get_cancellable (watch);
  text = draw (options, parameters, cancellable, &error);
  if (text == NULL)
    c2g_allow_explain (&options->allow, &error);
  else if (options->output != NULL)
    write_graph (text, format, options->output, cancellable, &error);
  status = c2g_watch_end (watch, error, C2G_STATUS_FAILURE);
  if (status == C2G_STATUS_SUCCESS && options->output == NULL)
    c2g_output_bytes (text, strlen (text));
  return status;
}

int
c2g_command_graph (int    argc,
                   char **argv)
{
  g_auto (Options) options = { NULL };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_("Write into this file: .dot, .gv, or what dot draws: .svg, .png, .pdf"), N_("FILE") },
    { "device", 'd', 0, G_OPTION_ARG_STRING, &options.device_name,
      N_("Put all operators there, whatever the nets say"), N_("DEVICE") },
    { "shape", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.shapes,
      N_("The dimensions of an input, as 1,3,224,224, in place of a file"), N_("[NAME=]DIMS") },
    { "allow-files", 0, 0, G_OPTION_ARG_NONE, &options.allow.root_folder,
      N_("Let the model read and write files below the folder this runs in"), NULL },
    { "allow-all-files", 0, 0, G_OPTION_ARG_NONE, &options.allow.all,
      N_("Let the model read and write every file that you can"), NULL },
    { NULL },
  };
  g_autofree GOptionEntry *all = c2g_picture_add_entries (entries, &options.picture);
  g_auto (GStrv) parameters = c2g_arguments_parse (&usage, all, argc, argv);
  g_autoptr (GError) error = NULL;

  if (parameters == NULL)
    return C2G_STATUS_USAGE;
  if (!c2g_picture_arguments_read_mean (&options.picture, &error))
    {
      c2g_arguments_print_error (&usage, error->message);
      return C2G_STATUS_USAGE;
    }
  return graph (&options, parameters);
}
