/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-commands.h"
#include "model/c2g-model.h"
#include "output/c2g-arguments.h"
#include "output/c2g-entries.h"
#include "output/c2g-json.h"
#include "output/c2g-kinds.h"
#include "output/c2g-output.h"
#include "output/c2g-text-utils.h"
#include "report/c2g-verification.h"

#include <glib/gi18n.h>

/* The subcommand verify: checks that files can be read completely. */

static const C2gUsage usage = {
  .name = "verify",
  .parameters = N_("FILE…"),
  .summary = N_("Reads everything in files, and tells what is wrong with them."),
  .least_parameters = 1,
};

static void
print_sound (C2gVerification *file)
{
  g_autofree char *name = c2g_text_escape (file->argument);
  g_autofree char *kind = c2g_kind_describe (file->model_file);
  g_autofree char *size = c2g_size_to_string (file->n_bytes);

  g_print (ngettext ("%s: OK, %s, %u blob of %s", "%s: OK, %s, %u blobs of %s",
                     file->entries->len),
           name, kind, file->entries->len, size);
  g_print ("\n");
}

static void
print_problems (C2gVerification *file)
{
  for (guint i = 0; i < file->problems->len; i++)
    {
      C2gProblem *problem = file->problems->pdata[i];

      c2g_output_error (problem->error->message);
    }
}

static void
add_problem (JsonBuilder *builder,
             C2gProblem  *problem)
{
  json_builder_begin_object (builder);
  if (problem->entry != NULL)
    {
      c2g_json_add_string (builder, "blob", c2g_file_entry_get_name (problem->entry));
      c2g_json_add_offset (builder, problem->entry);
    }
  c2g_json_add_error (builder, problem->error);
  json_builder_end_object (builder);
}

static void
add_file (JsonBuilder     *builder,
          C2gVerification *file)
{
  g_autofree char *name = g_filename_display_name (file->argument);

  json_builder_begin_object (builder);
  c2g_json_add_string (builder, "file", name);
  if (file->model_file != NULL)
    {
      c2g_json_add_string (builder, "kind",
                           c2g_kind_get_name (c2g_model_file_get_kind (file->model_file)));
      c2g_json_add_int (builder, "n_blobs", file->entries->len);
      c2g_json_add_int (builder, "n_bytes", file->n_bytes);
    }
  json_builder_set_member_name (builder, "problems");
  json_builder_begin_array (builder);
  for (guint i = 0; i < file->problems->len; i++)
    add_problem (builder, file->problems->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
print_json (GPtrArray *files)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "files");
  json_builder_begin_array (builder);
  for (guint i = 0; i < files->len; i++)
    add_file (builder, files->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  c2g_json_print (builder);
}

/* Verifies the files in order and prints each result before the next file is read. */
static int
verify_files (char      **names,
              GPtrArray  *files,
              gboolean    as_json,
              gboolean    is_quiet)
{
  int result = C2G_STATUS_SUCCESS;

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gWatch) watch = c2g_watch_new ();
      g_autoptr (GError) error = NULL;
      C2gVerification *file = c2g_verification_new (*name, watch, &error);
      int status = c2g_watch_end (watch, error, C2G_STATUS_FAILURE);

      if (file == NULL)
        return status;
      g_ptr_array_add (files, file);
      if (file->problems->len > 0)
        result = C2G_STATUS_FAILURE;
      print_problems (file);
      if (file->problems->len == 0 && !as_json && !is_quiet)
        print_sound (file);
    }
  return result;
}

int
c2g_command_verify (int    argc,
                    char **argv)
{
  gboolean as_json = FALSE;
  gboolean is_quiet = FALSE;
  const GOptionEntry entries[] = {
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &is_quiet, N_("Print problems only"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_("Print JSON for programs"), NULL },
    { NULL },
  };
  g_auto (GStrv) parameters = c2g_arguments_parse (&usage, entries, argc, argv);
  g_auto (GStrv) names = NULL;
  g_autoptr (GPtrArray) files = NULL;
  int status;

  if (parameters == NULL)
    return C2G_STATUS_USAGE;

  names = c2g_model_expand_files (parameters);
  files = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_verification_free);
  status = verify_files (names, files, as_json, is_quiet);
  if (as_json && status < C2G_STATUS_SIGNAL)
    print_json (files);
  return status;
}
