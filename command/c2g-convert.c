/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-commands.h"
#include "model/c2g-convert-model.h"
#include "model/c2g-model.h"
#include "output/c2g-arguments.h"
#include "output/c2g-entries.h"
#include "output/c2g-kinds.h"
#include "output/c2g-output.h"
#include "output/c2g-text-utils.h"
#include "output/c2g-watch.h"

#include <glib/gi18n.h>

#include <inttypes.h>
#include <string.h>

/* The subcommand convert: writes the blobs of a file in another format. */

static const C2gUsage usage = {
  .name = "convert",
  .parameters = N_("IN OUT"),
  .summary = N_("Writes the blobs of one file into another, of the kind that its name says:\n"
                ".minidb, .lmdb, .safetensors, .npz, .npy, .caffemodel, .binaryproto, .pb. A\n"
                "file that is there is replaced, once the new one is whole."),
  .least_parameters = 2,
  .most_parameters = 2,
};

/* The options of the command line. */
typedef struct
{
  char     *to;
  char    **names;
  char     *strip_prefix;
  char     *add_prefix;
  gboolean  memory_map;
  gboolean  caffe2_names;

  gint64    chunk_size;
  int       n_threads;
  gboolean  float16_as_bytes;
  gboolean  compress;
  gboolean  skip_unsupported;

  gboolean  is_quiet;
} Arguments;

static void
arguments_clear (Arguments *self)
{
  g_free (self->to);
  g_strfreev (self->names);
  g_free (self->strip_prefix);
  g_free (self->add_prefix);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

static char **
parse (Arguments  *self,
       int         argc,
       char      **argv)
{
  const GOptionEntry entries[] = {
    { "to", 't', 0, G_OPTION_ARG_STRING, &self->to,
      N_("The kind of OUT, whatever its name"), N_("KIND") },
    { "names", 'n', 0, G_OPTION_ARG_STRING_ARRAY, &self->names,
      N_("Convert this blob, by its name in OUT; given once for each name"), N_("NAME") },
    { "strip-prefix", 0, 0, G_OPTION_ARG_STRING, &self->strip_prefix,
      N_("Leave this out of names, and what is before it"), N_("TEXT") },
    { "add-prefix", 0, 0, G_OPTION_ARG_STRING, &self->add_prefix,
      N_("Put this before names"), N_("TEXT") },
    { "memory-map", 'm', 0, G_OPTION_ARG_NONE, &self->memory_map,
      N_("Map IN into memory: for files that do not fit into it"), NULL },
    { "caffe2-names", 0, 0, G_OPTION_ARG_NONE, &self->caffe2_names,
      N_("Call the blobs of Caffe’s layers as Caffe2 does: conv1_w, conv1_b"), NULL },
    { "chunk-size", 0, 0, G_OPTION_ARG_INT64, &self->chunk_size,
      N_("Elements in a part of a tensor, in databases; 0 for all"), N_("N") },
    { "threads", 0, 0, G_OPTION_ARG_INT, &self->n_threads,
      N_("How many threads write a database"), N_("N") },
    { "float16-as-bytes", 0, 0, G_OPTION_ARG_NONE, &self->float16_as_bytes,
      N_("Write float16 in two bytes, not three"), NULL },
    { "compress", 'c', 0, G_OPTION_ARG_NONE, &self->compress, N_("Compress .npz"), NULL },
    { "skip-unsupported", 's', 0, G_OPTION_ARG_NONE, &self->skip_unsupported,
      N_("Leave out what cannot be read, or OUT cannot hold"), NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet, N_("Do not say what was done"), NULL },
    { NULL },
  };

  return c2g_arguments_parse (&usage, entries, argc, argv);
}

static C2gLoadOptions *
make_load_options (const Arguments *self,
                   C2gProgress     *progress)
{
  C2gLoadOptions *options = c2g_load_options_new ();

  c2g_load_options_set_names (options, (const char *const *) self->names);
  c2g_load_options_set_strip_prefix (options, self->strip_prefix);
  c2g_load_options_set_add_prefix (options, self->add_prefix);
  c2g_load_options_set_memory_map (options, self->memory_map);
  c2g_load_options_set_caffe2_names (options, self->caffe2_names);
  c2g_load_options_set_skip_unsupported (options, self->skip_unsupported);
  c2g_load_options_set_progress (options, progress);
  return options;
}

static C2gSaveOptions *
make_save_options (const Arguments  *self,
                   C2gProgress      *progress,
                   GError          **error)
{
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  C2gModelFileKind kind;

  if (self->to != NULL)
    {
      if (!c2g_kind_from_name (self->to, &kind, error))
        return NULL;
      c2g_save_options_set_kind (options, kind);
    }
  if (self->chunk_size != C2G_DEFAULT_CHUNK_SIZE)
    c2g_save_options_set_chunk_size (options, self->chunk_size);
  if (self->n_threads != 0)
    c2g_save_options_set_n_threads (options, self->n_threads);
  c2g_save_options_set_float16_as_bytes (options, self->float16_as_bytes);
  c2g_save_options_set_compress (options, self->compress);
  c2g_save_options_set_skip_unsupported (options, self->skip_unsupported);
  c2g_save_options_set_progress (options, progress);
  return g_steal_pointer (&options);
}

/* The state of a conversion. */
typedef struct
{
  const Arguments *arguments;
  C2gWatch        *watch;
  /* The file name as typed. */
  const char      *in;
  GFile           *out;

  C2gLoadOptions  *load_options;
  C2gModelFile    *model_file;
  C2gWorkspace    *workspace;
  /* Names of the loaded blobs, in the order of the file, without empty ones. */
  GPtrArray       *names;
  /* Number of blobs that the options select, including empty ones. */
  guint            n_wanted;
  /* Set if an option does not work with this kind of file. */
  gboolean         is_misused;
} Conversion;

static void
conversion_clear (Conversion *self)
{
  g_clear_object (&self->out);
  g_clear_object (&self->load_options);
  g_clear_object (&self->model_file);
  g_clear_object (&self->workspace);
  g_clear_pointer (&self->names, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Conversion, conversion_clear)

static gboolean
check_map (C2gModelFile     *model_file,
           const Arguments  *arguments,
           GError          **error)
{
  C2gModelFileKind kind = c2g_model_file_get_kind (model_file);

  if (!arguments->memory_map || c2g_kind_can_map (kind))
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("%s: Only safetensors, npy, npz and files of Caffe are mapped into memory, and this is %s"),
               c2g_model_file_get_file_name (model_file), c2g_kind_get_name (kind));
  return FALSE;
}

/* Refuses --caffe2-names for other files: only layers of Caffe have blobs with other names in
 * Caffe2. */
static gboolean
check_caffe2_names (C2gModelFile     *model_file,
                    const Arguments  *arguments,
                    GError          **error)
{
  C2gModelFileKind kind = c2g_model_file_get_kind (model_file);

  if (!arguments->caffe2_names || kind == C2G_MODEL_FILE_KIND_CAFFEMODEL)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("%s: --caffe2-names is for the blobs of a .caffemodel, and this is %s"),
               c2g_model_file_get_file_name (model_file), c2g_kind_get_name (kind));
  return FALSE;
}

/* Explains an unknown name with commas: it was meant as a list. Names may contain commas, so the
 * option takes a single name and can be repeated. */
static void
explain_names (Conversion  *self,
               GError     **error)
{
  g_autofree char *message = NULL;

  if (!g_error_matches (*error, C2G_ERROR, C2G_ERROR_NOT_FOUND) || self->arguments->names == NULL)
    return;
  for (char **name = self->arguments->names; *name != NULL; name++)
    if (strchr (*name, ',') != NULL)
      {
        message = g_steal_pointer (&(*error)->message);
        (*error)->message = g_strdup_printf (_("%s; --names is given once for each name"), message);
        return;
      }
}

/* Returns TRUE if the blob is selected by --names, which are the names in OUT. */
static gboolean
is_wanted (C2gLoadOptions *options,
           C2gFileEntry   *entry)
{
  const char *const *names = c2g_load_options_get_names (options);
  g_autofree char *name = c2g_load_options_dup_name (options, c2g_file_entry_get_name (entry));

  return names == NULL || g_strv_contains (names, name);
}

/* Refuses a partial tensor, because its missing elements would be written as zeros. */
static gboolean
check_whole (C2gModelFile  *model_file,
             C2gFileEntry  *entry,
             GError       **error)
{
  gint64 begin;
  gint64 end;

  if (!c2g_file_entry_get_segment (entry, &begin, &end))
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
               _("%s: Of “%s” there are only the elements from %" PRId64 " to %" PRId64
                 " of %" PRId64 ", and a part cannot be converted"),
               c2g_model_file_get_file_name (model_file), c2g_file_entry_get_name (entry),
               begin, end - 1, c2g_file_entry_get_n_elements (entry));
  return FALSE;
}

static gboolean
check_entries (Conversion  *self,
               GError     **error)
{
  g_autoptr (GPtrArray) entries = c2g_entries_new (self->model_file);

  for (guint i = 0; i < entries->len; i++)
    if (is_wanted (self->load_options, entries->pdata[i]))
      {
        if (!check_whole (self->model_file, entries->pdata[i], error))
          return FALSE;
        self->n_wanted++;
      }
  return c2g_entries_check (self->model_file, entries, error);
}

/* Appends advice to an error: the option that skips blobs that cannot be read or written. */
static void
suggest_skipping (Conversion  *self,
                  GError     **error)
{
  g_autofree char *message = NULL;

  if (self->arguments->skip_unsupported ||
      (!g_error_matches (*error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED) &&
       !g_error_matches (*error, C2G_ERROR, C2G_ERROR_TYPE)))
    return;

  message = g_steal_pointer (&(*error)->message);
  (*error)->message = g_strdup_printf (_("%s; --skip-unsupported leaves such blobs out"), message);
}

static gboolean
read_file (Conversion  *self,
           GError     **error)
{
  GCancellable *cancellable = c2g_watch_get_cancellable (self->watch);
  C2gProgress *progress = c2g_watch_begin_progress (self->watch, _("Reading"));
  g_auto (GStrv) names = NULL;

  self->load_options = make_load_options (self->arguments, progress);
  self->model_file = c2g_model_open_blobs (self->in, self->load_options, cancellable, error);
  if (self->model_file == NULL)
    return FALSE;
  if (!check_map (self->model_file, self->arguments, error) ||
      !check_caffe2_names (self->model_file, self->arguments, error))
    {
      self->is_misused = TRUE;
      return FALSE;
    }
  if (!check_entries (self, error))
    return FALSE;

  self->workspace = c2g_workspace_new ();
  names = c2g_model_file_load (self->model_file, self->workspace, self->load_options,
                               cancellable, error);
  if (names == NULL)
    {
      explain_names (self, error);
      suggest_skipping (self, error);
      return FALSE;
    }

  self->names = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (self->workspace, *name, error);

      if (blob == NULL)
        return FALSE;
      if (!c2g_blob_is_empty (blob))
        g_ptr_array_add (self->names, g_strdup (*name));
    }
  return TRUE;
}

/* Keeps the devices that the file names, although all tensors were loaded on the CPU. */
static void
keep_devices (Conversion     *self,
              C2gSaveOptions *options)
{
  g_autoptr (GPtrArray) entries = c2g_entries_new (self->model_file);

  for (guint i = 0; i < entries->len; i++)
    {
      C2gFileEntry *entry = entries->pdata[i];
      g_autofree char *name = c2g_load_options_dup_name (self->load_options,
                                                         c2g_file_entry_get_name (entry));

      c2g_save_options_set_device (options, name, c2g_file_entry_get_device (entry));
    }
}

static gboolean
write_file (Conversion  *self,
            GError     **error)
{
  C2gProgress *progress = c2g_watch_begin_progress (self->watch, _("Writing"));
  g_autoptr (C2gSaveOptions) options = make_save_options (self->arguments, progress, error);
  g_auto (GStrv) keys = c2g_model_file_list_metadata (self->model_file);

  if (options == NULL)
    return FALSE;

  c2g_save_options_set_names (options, (const char *const *) self->names->pdata);
  keep_devices (self, options);
  for (char **key = keys; *key != NULL; key++)
    c2g_save_options_set_metadata (options, *key,
                                   c2g_model_file_get_metadata (self->model_file, *key));
  if (!c2g_save_options_check_file (options, self->out, error))
    return FALSE;
  if (c2g_workspace_save_checkpoint (self->workspace, self->out, options,
                                     c2g_watch_get_cancellable (self->watch), error))
    return TRUE;

  suggest_skipping (self, error);
  return FALSE;
}

/* Prints a summary of the new file. n_wanted is the number of selected blobs. */
static gboolean
print_summary (const char  *argument,
               guint        n_wanted,
               GError     **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (argument);
  g_autoptr (C2gModelFile) model_file = c2g_model_file_open (file, NULL, NULL, error);
  g_autoptr (GPtrArray) entries = NULL;
  g_autofree char *name = c2g_text_escape (argument);
  g_autofree char *kind = NULL;
  g_autofree char *size = NULL;

  if (model_file == NULL)
    return FALSE;

  entries = c2g_entries_new (model_file);
  kind = c2g_kind_describe (model_file);
  size = c2g_size_to_string (c2g_entries_n_bytes (entries));
  g_print (ngettext ("%s: %s, %u blob of %s", "%s: %s, %u blobs of %s", entries->len),
           name, kind, entries->len, size);
  if (n_wanted > entries->len)
    g_print (ngettext (", %u left out", ", %u left out", n_wanted - entries->len), n_wanted - entries->len);
  g_print ("\n");
  return TRUE;
}

/* Prints the error of print_summary(), if it failed, and returns the status to exit with. */
static int
get_status (gboolean      is_printed,
            const GError *error)
{
  if (is_printed)
    return C2G_STATUS_SUCCESS;
  c2g_output_error (error->message);
  return C2G_STATUS_FAILURE;
}

static int
convert (const Arguments *arguments,
         const char      *in,
         const char      *out)
{
  g_autoptr (C2gWatch) watch = c2g_watch_new ();
  g_auto (Conversion) self = { .arguments = arguments, .watch = watch };
  g_autoptr (GError) error = NULL;
  int status;

  self.in = in;
  self.out = g_file_new_for_commandline_arg (out);
  if (read_file (&self, &error))
    write_file (&self, &error);
  status = c2g_watch_end (watch, error, self.is_misused ? C2G_STATUS_USAGE : C2G_STATUS_FAILURE);
  if (status != C2G_STATUS_SUCCESS || arguments->is_quiet)
    return status;

  return get_status (print_summary (out, self.n_wanted, &error), error);
}

/* An output with two names means a model of Caffe. */
static gboolean
is_model (const char *out)
{
  const char *comma = strchr (out, ',');

  return comma != NULL && g_str_has_suffix (comma, ".pb") && comma - out > 3 && g_str_has_prefix (comma - 3, ".pb");
}

/* Returns TRUE for names in the wrong order, such as "predict_net.pb,init_net.pb". */
static gboolean
are_swapped (const char *out)
{
  g_auto (GStrv) nets = g_strsplit (out, ",", 2);
  g_autofree char *first = g_path_get_basename (nets[0]);
  g_autofree char *second = g_path_get_basename (nets[1]);

  return strstr (first, "predict") != NULL && strstr (second, "init") != NULL;
}

/* Checks the names of the two nets, for a model of Caffe, and their order. */
static gboolean
check_model (const char  *in,
             const char  *out,
             GError     **error)
{
  const gboolean is_net = strchr (out, ',') != NULL || g_str_has_suffix (out, ".pb") ||
                          g_str_has_suffix (out, ".pbtxt") || g_str_has_suffix (out, ".prototxt");

  if (is_model (out) ? !are_swapped (out) : !is_net || !c2g_model_is_caffe_pair (in))
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("%s: The two nets of a model of Caffe are written as A.pb,B.pb: first the one that fills blobs, as in "
                 "init_net.pb,predict_net.pb"),
               out);
  return FALSE;
}

static int
convert_model (const Arguments *arguments,
               const char      *in,
               const char      *out)
{
  g_autoptr (C2gWatch) watch = c2g_watch_new ();
  g_auto (GStrv) nets = g_strsplit (out, ",", 2);
  g_autoptr (GError) error = NULL;
  int status;

  c2g_convert_model (in, nets, c2g_watch_get_cancellable (watch), &error);
  status = c2g_watch_end (watch, error, C2G_STATUS_FAILURE);
  if (status != C2G_STATUS_SUCCESS || arguments->is_quiet)
    return status;
  return get_status (print_summary (nets[0], 0, &error) && print_summary (nets[1], 0, &error),
                     error);
}

/* Returns TRUE if an option was given that is only for files with blobs. */
static gboolean
has_options (const Arguments *self)
{
  return self->to != NULL || self->names != NULL || self->strip_prefix != NULL || self->add_prefix != NULL ||
         self->memory_map || self->caffe2_names || self->chunk_size != C2G_DEFAULT_CHUNK_SIZE ||
         self->n_threads != 0 || self->float16_as_bytes || self->compress || self->skip_unsupported;
}

/* Refuses options that are not valid for any file. */
static gboolean
check_arguments (const Arguments  *self,
                 const char       *in,
                 const char       *out,
                 GError          **error)
{
  C2gModelFileKind kind;

  if (self->chunk_size < 0 && self->chunk_size != C2G_DEFAULT_CHUNK_SIZE)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                   _("--chunk-size: Expected a number of elements, got %" PRId64), self->chunk_size);
      return FALSE;
    }
  if (self->n_threads < 0)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                   _("--threads: Expected a number of threads, got %d"), self->n_threads);
      return FALSE;
    }
  if (is_model (out) && has_options (self))
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                           _("Two nets are made of a model of Caffe without any option but --quiet"));
      return FALSE;
    }
  if (self->to == NULL && !check_model (in, out, error))
    return FALSE;
  if (self->to != NULL && !c2g_kind_from_name (self->to, &kind, error))
    return FALSE;
  if (self->compress && !c2g_kind_can_compress (self->to, out))
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                           _("Only files of kind npz are compressed"));
      return FALSE;
    }
  return TRUE;
}

int
c2g_command_convert (int    argc,
                     char **argv)
{
  g_auto (Arguments) arguments = { .chunk_size = C2G_DEFAULT_CHUNK_SIZE };
  g_auto (GStrv) files = parse (&arguments, argc, argv);
  g_autoptr (GError) error = NULL;

  if (files == NULL)
    return C2G_STATUS_USAGE;
  if (!check_arguments (&arguments, files[0], files[1], &error))
    {
      c2g_arguments_print_error (&usage, error->message);
      return C2G_STATUS_USAGE;
    }
  return is_model (files[1]) ? convert_model (&arguments, files[0], files[1]) : convert (&arguments, files[0], files[1]);
}
