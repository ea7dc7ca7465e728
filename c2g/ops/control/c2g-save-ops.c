/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/save/c2g-save-plan-private.h>
#include <c2g/io/serializer/c2g-serializer.h>
#include <c2g/io/stream/c2g-name-private.h>
#include <c2g/net/operator/c2g-operator-private.h>
#include <c2g/ops/support/c2g-database-private.h>

#include <string.h>

/* Save writes its inputs to a new database of type db_type at the path db. Checkpoint does so if
 * the iteration in input 0 is a multiple of every; db is then a printf pattern with one integer
 * for the iteration. Both have no outputs. The rules are Caffe2's. Save may be in a net on CUDA
 * and copies its inputs to the CPU; Checkpoint runs on the CPU only. */

/* Limit on the width in a pattern, since it allocates memory. */
#define MAX_WIDTH 64

typedef struct
{
  const char     *db;
  const char     *db_type;
  const char     *strip_prefix;
  gboolean        absolute_path;
  int             chunk_size;
  C2gSaveOptions *options;
  /* Checkpoint only: number of iterations between saves. */
  gint64          every;
} SaveState;

static gboolean
read_names (C2gOperator     *op,
            C2gSaveOptions  *options,
            GError         **error)
{
  const char *const *names = c2g_operator_def_get_inputs (c2g_operator_peek_def (op));
  g_auto (GStrv) overrides = c2g_operator_dup_strings (op, "blob_name_overrides", error);

  if (overrides == NULL || !c2g_names_check_different (names, error) ||
      !c2g_names_check_different ((const char *const *) overrides, error))
    return FALSE;

  c2g_save_options_set_names (options, names);
  if (overrides[0] == NULL)
    return TRUE;

  if (g_strv_length (overrides) != c2g_operator_get_n_inputs (op))
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The argument “%s” has %u names for %u inputs"), "blob_name_overrides",
                     g_strv_length (overrides), c2g_operator_get_n_inputs (op));
  c2g_save_options_set_new_names (options, (const char *const *) overrides);
  return TRUE;
}

static gboolean
save_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  SaveState *self = state;

  if (!c2g_database_check_argument ("db", self->db, error) ||
      !c2g_database_check_argument ("db_type", self->db_type, error))
    return FALSE;

  self->options = c2g_save_options_new ();
  c2g_save_options_set_strip_prefix (self->options, self->strip_prefix);
  c2g_save_options_set_db_type (self->options, self->db_type);
  c2g_save_options_set_chunk_size (self->options, self->chunk_size);
  return read_names (op, self->options, error);
}

static void
save_clear (gpointer state)
{
  g_clear_object (&((SaveState *) state)->options);
}

/* Saves the operator's own input blobs. The workspace may have other blobs under the names by
 * now. */
static gboolean
save (C2gOperator  *op,
      SaveState    *self,
      const char   *path,
      GError      **error)
{
  g_autoptr (C2gSavePlan) plan = NULL;
  g_autoptr (GFile) file = NULL;

  file = c2g_database_find_file (op, path, self->absolute_path, C2G_FILE_USE_WRITE, error);
  if (file == NULL)
    return FALSE;
  plan = c2g_save_plan_new_for_blobs (c2g_operator_get_private (op)->inputs, self->options, file,
                                      error);
  return plan != NULL &&
         c2g_save_plan_write (plan, file, NULL, c2g_operator_get_cancellable (op), error);
}

static gboolean
save_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  SaveState *self = state;

  return save (op, self, self->db, error);
}

/* Checkpoint */

/* Appends number as printf() would for what follows a percent sign: an optional 0, a width and %d,
 * %i or %u with any number of l. Returns the end of the conversion, or NULL if it is another
 * one. */
static const char *
append_number (GString    *path,
               const char *at,
               gint64      number)
{
  g_autofree char *digits = g_strdup_printf ("%" PRId64, number);
  char pad = *at == '0' ? '0' : ' ';
  gsize width = 0;

  while (g_ascii_isdigit (*at) && width <= MAX_WIDTH)
    width = 10 * width + (gsize) g_ascii_digit_value (*at++);
  while (*at == 'l')
    at++;
  if ((*at != 'd' && *at != 'i' && *at != 'u') || width > MAX_WIDTH)
    return NULL;

  for (gsize n = strlen (digits); n < width; n++)
    g_string_append_c (path, pad);
  g_string_append (path, digits);
  return at + 1;
}

/* Formats pattern as printf() would. Returns NULL unless it has at most one integer conversion. */
static char *
format_path (const char *pattern,
             gint64      number)
{
  g_autoptr (GString) path = g_string_new (NULL);
  gboolean has_number = FALSE;

  while (*pattern != '\0')
    {
      if (*pattern == '%' && pattern[1] != '%')
        {
          pattern = has_number ? NULL : append_number (path, pattern + 1, number);
          if (pattern == NULL)
            return NULL;
          has_number = TRUE;
        }
      else
        {
          pattern += *pattern == '%' ? 1 : 0;
          g_string_append_c (path, *pattern++);
        }
    }

  return g_string_free (g_steal_pointer (&path), FALSE);
}

static gboolean
checkpoint_set_up (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  SaveState *self = state;
  g_autofree char *path = NULL;

  if (!save_set_up (op, state, error))
    return FALSE;

  path = format_path (self->db, 0);
  if (path != NULL)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("“%s” is no pattern with one integer, as in “%s”"), self->db,
                     "model_%d.minidb");
}

static gboolean
checkpoint_run (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  SaveState *self = state;
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_INT64, error);
  g_autofree char *path = NULL;
  gint64 iteration;

  if (input == NULL)
    return FALSE;
  if (input->n_elements != 1)
    return c2g_operator_set_shape_error (op, 0, error, _("one element"));

  iteration = *(const gint64 *) c2g_tensor_address (input);
  if (iteration % self->every != 0)
    return TRUE;
  path = format_path (self->db, iteration);
  return save (op, self, path, error);
}

static const C2gKernelArgument arguments[] = {
  C2G_ARG_STRING (SaveState, db, "db", "", C2G_REQUIRED),
  C2G_ARG_STRING (SaveState, db_type, "db_type", "", C2G_REQUIRED),
  C2G_ARG_BOOLEAN (SaveState, absolute_path, "absolute_path", FALSE),
  C2G_ARG_STRING (SaveState, strip_prefix, "strip_prefix", ""),
  C2G_ARG_INT (SaveState, chunk_size, "chunk_size", C2G_DEFAULT_CHUNK_SIZE,
               C2G_AT_LEAST (C2G_DEFAULT_CHUNK_SIZE), C2G_IS_INVALID),
  C2G_ARG_READ ("blob_name_overrides"),
  C2G_ARG_REFUSED ("db_options="),
  { 0 },
};

static const C2gKernel kernels[] = {
  { "Save", NULL, 1, C2G_MANY, 0, 0, NULL, arguments, sizeof (SaveState), save_set_up, save_run,
    save_clear, NULL, "Saves blobs in a new database", .infer = c2g_operator_infer_nothing,
    .is_for_devices = TRUE },
  { "Checkpoint", NULL, 1, C2G_MANY, 0, 0, NULL,
    C2G_ARGS (C2G_ARG_BASE (arguments),
              C2G_ARG_INT (SaveState, every, "every", 1, C2G_AT_LEAST (1), C2G_IS_INVALID)),
    sizeof (SaveState), checkpoint_set_up, checkpoint_run, save_clear, NULL,
    "Saves blobs in a new database every so many iterations",
    .infer = c2g_operator_infer_nothing },
};

C2G_OPS_FAMILY (save);
