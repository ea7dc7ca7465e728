/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-verification.h"
#include "model/c2g-model.h"
#include "output/c2g-entries.h"
#include "output/c2g-memory.h"

#include <glib/gi18n.h>

/* Reads everything in a file and collects its problems, for verify. */

static void
problem_free (gpointer data)
{
  C2gProblem *self = data;

  g_clear_pointer (&self->entry, c2g_file_entry_unref);
  g_error_free (self->error);
  g_free (self);
}

void
c2g_verification_free (C2gVerification *self)
{
  g_free (self->argument);
  g_clear_object (&self->model_file);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_ptr_array_unref (self->problems);
  g_free (self);
}

/* Adds the error as a problem. Returns FALSE if the work was cancelled. */
static gboolean
take_problem (C2gVerification  *self,
              C2gFileEntry     *entry,
              GError           *problem,
              GError          **error)
{
  C2gProblem *item;

  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, problem);
      return FALSE;
    }

  item = g_new0 (C2gProblem, 1);
  item->entry = entry != NULL ? c2g_file_entry_ref (entry) : NULL;
  item->error = problem;
  g_ptr_array_add (self->problems, item);
  return TRUE;
}

/* Reads one blob and drops it. For a constant it creates only one element. */
static gboolean
read_entry (C2gVerification  *self,
            C2gFileEntry     *entry,
            GCancellable     *cancellable,
            GError          **error)
{
  g_autoptr (C2gTensor) sample = NULL;
  g_autoptr (C2gBlob) blob = NULL;

  if (c2g_file_entry_is_constant (entry))
    {
      sample = c2g_entry_load_constant (self->model_file, entry, error);
      return sample != NULL;
    }

  blob = c2g_model_file_load_blob (self->model_file, c2g_file_entry_get_name (entry), cancellable,
                                   error);
  return blob != NULL;
}

/* Reads each blob to find its problem. */
static gboolean
verify_entries (C2gVerification  *self,
                C2gWatch         *watch,
                GError          **error)
{
  c2g_watch_begin (watch, _("Checking"), self->n_bytes);
  for (guint i = 0; i < self->entries->len; i++)
    {
      C2gFileEntry *entry = self->entries->pdata[i];
      GError *problem = NULL;

      if (!read_entry (self, entry, c2g_watch_get_cancellable (watch), &problem) &&
          !take_problem (self, entry, problem, error))
        return FALSE;
      c2g_watch_advance (watch, c2g_file_entry_get_n_bytes (entry));
    }
  return TRUE;
}

/* Checks for partial tensors, which this library reads, but not Caffe2. */
static gboolean
check_whole (C2gVerification  *self,
             GError          **error)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      C2gFileEntry *entry = self->entries->pdata[i];
      GError *problem = NULL;

      if (!c2g_entry_check_whole (self->model_file, entry, &problem) &&
          !take_problem (self, entry, problem, error))
        return FALSE;
    }
  return TRUE;
}

/* Returns FALSE if a tensor of strings is too large to be read. */
static gboolean
check_strings (C2gVerification *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      C2gFileEntry *entry = self->entries->pdata[i];
      GError *problem = NULL;

      if (!c2g_memory_check_strings (self->model_file, entry, &problem))
        {
          take_problem (self, entry, problem, NULL);
          return FALSE;
        }
    }
  return TRUE;
}

/* The library reports only the first problem of a file, so after one reads all blobs one by one. */
static gboolean
verify_content (C2gVerification  *self,
                C2gWatch         *watch,
                GError          **error)
{
  C2gProgress *progress = c2g_watch_begin_progress (watch, _("Checking"));
  g_autoptr (GError) problem = NULL;

  if (!check_strings (self))
    return TRUE;
  if (c2g_model_file_verify (self->model_file, progress, c2g_watch_get_cancellable (watch),
                             &problem))
    return check_whole (self, error);
  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }

  if (!verify_entries (self, watch, error))
    return FALSE;
  return self->problems->len > 0 || take_problem (self, NULL, g_steal_pointer (&problem), error);
}

static gboolean
verify (C2gVerification  *self,
        C2gWatch         *watch,
        GError          **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (self->argument);
  GError *problem = NULL;

  c2g_memory_fit_file (file, c2g_watch_get_cancellable (watch));
  self->model_file = c2g_model_open_file (self->argument, c2g_watch_get_cancellable (watch), &problem);
  if (self->model_file == NULL)
    return take_problem (self, NULL, problem, error);

  self->entries = c2g_entries_new (self->model_file);
  self->n_bytes = c2g_entries_n_bytes (self->entries);
  return verify_content (self, watch, error);
}

C2gVerification *
c2g_verification_new (const char  *argument,
                      C2gWatch    *watch,
                      GError     **error)
{
  g_autoptr (C2gVerification) self = g_new0 (C2gVerification, 1);

  self->argument = g_strdup (argument);
  self->problems = g_ptr_array_new_with_free_func (problem_free);
  return verify (self, watch, error) ? g_steal_pointer (&self) : NULL;
}
