/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-load-plan-private.h>

#include <c2g/io/load/c2g-model-file-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* Selects the entries of files that the load options ask for, and their names in the workspace. */

/* Maximum number of missing names in the message. */
#define MAX_NAMES_TOLD 20

typedef struct
{
  C2gLoadOptions *options;
  GPtrArray      *files;

  /* Maps a name in the files to the name to load it under; NULL if all blobs keep their names.
   * All strings are borrowed. */
  GHashTable     *wanted;

  GPtrArray      *items;
  GHashTable     *by_name;
} Plan;

static void
item_free (gpointer data)
{
  C2gLoadItem *item = data;

  g_free (item->name);
  g_free (item);
}

static void
plan_clear (Plan *self)
{
  g_clear_pointer (&self->wanted, g_hash_table_unref);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->by_name, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

static gboolean
set_invalid (GError     **error,
             const char  *message)
{
  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, message);
  return FALSE;
}

static gboolean
check_names (char   **names,
             GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    if (!g_hash_table_add (seen, names[i]))
      {
        g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                     _("The name “%s” is given twice"), names[i]);
        return FALSE;
      }

  return TRUE;
}

static gboolean
has_text (const char *text)
{
  return text != NULL && *text != '\0';
}

static gboolean
check_options (C2gLoadOptions  *options,
               GError         **error)
{
  guint n_names = options->names == NULL ? 0 : g_strv_length (options->names);
  guint n_source_names = options->source_names == NULL ? 0 : g_strv_length (options->source_names);

  if (!check_names (options->names, error) || !check_names (options->source_names, error))
    return FALSE;
  if (options->source_names == NULL)
    return TRUE;

  if (has_text (options->strip_prefix))
    return set_invalid (error, _("Source names cannot be given together with a prefix to strip"));
  if (options->load_all)
    return set_invalid (error, _("Source names cannot be given where everything is loaded"));
  if (options->names == NULL || n_names == n_source_names)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("Expected %u source names, as many as names, got %u"), n_names, n_source_names);
  return FALSE;
}

static gboolean
check_files (GPtrArray  *files,
             GError    **error)
{
  for (guint i = 0; i < files->len; i++)
    for (guint j = 0; j < i; j++)
      {
        GFile *first = c2g_model_file_peek_file (files->pdata[j]);
        GFile *second = c2g_model_file_peek_file (files->pdata[i]);

        if (first != NULL && second != NULL && g_file_equal (first, second))
          {
            g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                         _("The file %s is given twice"),
                         c2g_model_file_get_file_name (files->pdata[i]));
            return FALSE;
          }
      }

  return TRUE;
}

static void
want_names (Plan *self)
{
  char **names = self->options->names;
  char **sources = self->options->source_names;

  if (names == NULL)
    names = sources;
  if (sources == NULL)
    sources = names;
  if (names == NULL)
    return;

  self->wanted = g_hash_table_new (g_str_hash, g_str_equal);
  for (gsize i = 0; names[i] != NULL; i++)
    g_hash_table_insert (self->wanted, sources[i], names[i]);
}

/* Returns the name to load the blob under, or NULL if it is not wanted. */
static char *
dup_name (Plan       *self,
          const char *name)
{
  g_autofree char *key = c2g_load_options_dup_name (self->options, name);
  const char *wanted;

  if (self->wanted == NULL || self->options->load_all)
    return g_steal_pointer (&key);

  wanted = g_hash_table_lookup (self->wanted, key);
  return g_strdup (wanted);
}

static gboolean
set_exists (const C2gLoadItem  *first,
            C2gModelFile       *file,
            C2gFileEntry       *entry,
            GError            **error)
{
  if (first->file != file)
    g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS,
                 _("Two files have a blob “%s”: %s and %s"), first->name,
                 c2g_model_file_get_file_name (first->file), c2g_model_file_get_file_name (file));
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS,
                 _("%s: Two blobs would be called “%s”: “%s” and “%s”"),
                 c2g_model_file_get_file_name (file), first->name, first->entry->name, entry->name);
  return FALSE;
}

static gboolean
add_entry (Plan          *self,
           C2gModelFile  *file,
           C2gFileEntry  *entry,
           GError       **error)
{
  g_autofree char *name = dup_name (self, entry->name);
  C2gLoadItem *item;

  if (name == NULL)
    return TRUE;
  if (*name == '\0')
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                   _("Nothing is left of the name “%s”"), entry->name);
      return FALSE;
    }

  item = g_hash_table_lookup (self->by_name, name);
  if (item != NULL)
    return set_exists (item, file, entry, error);

  item = g_new (C2gLoadItem, 1);
  *item = (C2gLoadItem) { g_steal_pointer (&name), file, entry };
  g_ptr_array_add (self->items, item);
  g_hash_table_insert (self->by_name, item->name, item);
  return TRUE;
}

static gboolean
add_file (Plan          *self,
          C2gModelFile  *file,
          GError       **error)
{
  GPtrArray *entries = c2g_model_file_peek_entries (file);

  for (guint i = 0; i < entries->len; i++)
    if (!add_entry (self, file, entries->pdata[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
set_missing (Plan       *self,
             GPtrArray  *names,
             GError    **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (names->len, MAX_NAMES_TOLD); i++)
    g_string_append_printf (text, "%s“%s”", i == 0 ? "" : _(", "), (char *) names->pdata[i]);
  if (names->len > MAX_NAMES_TOLD)
    g_string_append_printf (text, _(", … (%u in all)"), names->len);

  if (self->files->len == 1)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                 _("%s: Blobs that are not there: %s"),
                 c2g_model_file_get_file_name (self->files->pdata[0]), text->str);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                 _("Blobs that are in none of the files: %s"), text->str);
  return FALSE;
}

/* Lists missing blobs by their names in the files, in the order of the options. */
static gboolean
check_missing (Plan    *self,
               GError **error)
{
  char **names = self->options->names == NULL ? self->options->source_names : self->options->names;
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();

  if (self->options->allow_incomplete)
    return TRUE;

  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    if (!g_hash_table_contains (self->by_name, names[i]))
      g_ptr_array_add (missing, self->options->source_names == NULL
                                  ? names[i]
                                  : self->options->source_names[i]);
  return missing->len == 0 || set_missing (self, missing, error);
}

GPtrArray *
c2g_load_plan_make (GPtrArray       *files,
                    C2gLoadOptions  *options,
                    GError         **error)
{
  g_auto (Plan) plan = { .options = options, .files = files };

  if (!check_options (options, error) || !check_files (files, error))
    return NULL;

  want_names (&plan);
  plan.items = g_ptr_array_new_with_free_func (item_free);
  plan.by_name = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < files->len; i++)
    if (!add_file (&plan, files->pdata[i], error))
      return NULL;

  return check_missing (&plan, error) ? g_steal_pointer (&plan.items) : NULL;
}
