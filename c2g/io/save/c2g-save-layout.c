/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/save/c2g-save-plan-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/db/c2g-db-private.h>

#include <string.h>

/* Chooses the file format for saving, from the options or the file name. */

/* Its records are TensorProtos, which cannot hold every blob. Caffe2 does not save checkpoints
 * into it either. */
#define DB_TYPE_OF_TENSORS "protodb"

typedef struct
{
  C2gModelFileKind  kind;
  /* Suffix of such files, or NULL if the type of database is the suffix. */
  const char       *suffix;
  C2gSaveLayout     layout;
  const char       *db_type;
} Kind;

static const Kind kinds[] = {
  { C2G_MODEL_FILE_KIND_MINIDB, NULL, C2G_SAVE_LAYOUT_DATABASE, "minidb" },
  { C2G_MODEL_FILE_KIND_LMDB, NULL, C2G_SAVE_LAYOUT_DATABASE, "lmdb" },
  { C2G_MODEL_FILE_KIND_SAFETENSORS, ".safetensors", C2G_SAVE_LAYOUT_SAFETENSORS, NULL },
  { C2G_MODEL_FILE_KIND_NPZ, ".npz", C2G_SAVE_LAYOUT_NPZ, NULL },
  { C2G_MODEL_FILE_KIND_NPY, ".npy", C2G_SAVE_LAYOUT_NPY, NULL },
  { C2G_MODEL_FILE_KIND_CAFFEMODEL, ".caffemodel", C2G_SAVE_LAYOUT_CAFFEMODEL, NULL },
  { C2G_MODEL_FILE_KIND_BINARYPROTO, ".binaryproto", C2G_SAVE_LAYOUT_BINARYPROTO, NULL },
  { C2G_MODEL_FILE_KIND_BLOB, ".pb", C2G_SAVE_LAYOUT_BLOB, NULL },
};

static gboolean
set_database (const char     *type,
              C2gSaveLayout  *layout,
              char          **db_type,
              GError        **error)
{
  g_auto (GStrv) types = c2g_db_list_types ();

  type = c2g_db_get_canonical_type (type);
  if (g_str_equal (type, DB_TYPE_OF_TENSORS))
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("A database of type “%s” holds tensors alone, not blobs"), type);
  if (!g_strv_contains ((const char *const *) types, type))
    {
      g_autofree char *list = g_strjoinv (_(", "), types);

      return c2g_fail (error, C2G_ERROR_NOT_FOUND,
                       _("No type of database is called “%s”; there are %s"), type, list);
    }

  *layout = C2G_SAVE_LAYOUT_DATABASE;
  *db_type = g_strdup (type);
  return TRUE;
}

static gboolean
set_kind (C2gModelFileKind   kind,
          C2gSaveLayout     *layout,
          char             **db_type,
          GError           **error)
{
  g_autoptr (GEnumClass) names = g_type_class_ref (C2G_TYPE_MODEL_FILE_KIND);
  const GEnumValue *value = g_enum_get_value (names, kind);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].kind == kind)
      {
        *layout = kinds[i].layout;
        return kinds[i].db_type == NULL || set_database (kinds[i].db_type, layout, db_type, error);
      }

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("A file of kind %s cannot hold the blobs of a workspace"),
                   value == NULL ? "?" : value->value_nick);
}

/* Matches "weights.lmdb", and "weights_lmdb" as Caffe2 names folders. */
static gboolean
is_called (const char *name,
           const char *db_type)
{
  gsize n = strlen (name);
  gsize n_type = strlen (db_type);

  return n > n_type && g_str_has_suffix (name, db_type) &&
         (name[n - n_type - 1] == '.' || name[n - n_type - 1] == '_');
}

static gboolean
set_unknown (const char          *name,
             const char *const   *types,
             GError             **error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  const char *separator = _(", ");

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].suffix != NULL)
      g_string_append_printf (list, "%s%s", kinds[i].suffix, separator);
  for (gsize i = 0; types[i] != NULL; i++)
    if (!g_str_equal (types[i], DB_TYPE_OF_TENSORS))
      g_string_append_printf (list, ".%s%s", types[i], separator);
  g_string_truncate (list, list->len - strlen (separator));

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The name “%s” does not say what kind of file to make: no kind is given, and it ends "
                     "in none of %s"),
                   name, list->str);
}

static gboolean
set_by_name (GFile          *file,
             C2gSaveLayout  *layout,
             char          **db_type,
             GError        **error)
{
  g_autofree char *base = g_file_get_basename (file);
  g_autofree char *name = g_utf8_make_valid (base != NULL ? base : "", -1);
  g_auto (GStrv) types = c2g_db_list_types ();

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].suffix != NULL && g_str_has_suffix (name, kinds[i].suffix))
      {
        *layout = kinds[i].layout;
        return TRUE;
      }
  for (gsize i = 0; types[i] != NULL; i++)
    if (is_called (name, types[i]))
      return set_database (types[i], layout, db_type, error);

  return set_unknown (name, (const char *const *) types, error);
}

gboolean
c2g_save_layout_find (C2gSaveOptions  *options,
                      GFile           *file,
                      C2gSaveLayout   *layout,
                      char           **db_type,
                      GError         **error)
{
  *db_type = NULL;

  if (c2g_save_options_get_db_type (options) != NULL)
    return set_database (c2g_save_options_get_db_type (options), layout, db_type, error);
  if (c2g_save_options_get_kind (options) != C2G_MODEL_FILE_KIND_UNKNOWN)
    return set_kind (c2g_save_options_get_kind (options), layout, db_type, error);
  if (file != NULL)
    return set_by_name (file, layout, db_type, error);
  return set_database ("minidb", layout, db_type, error);
}

/**
 * c2g_save_options_check_file:
 * @self: the options
 * @file: where something is to be saved
 *
 * Checks that the options, or else the name of the file, say what kind of file to make.
 *
 * A program can tell of a mistake before it computes what is to be saved. Nothing is
 * asked of the file itself.
 *
 * Sets `C2G_ERROR_INVALID_ARGUMENT`, `C2G_ERROR_NOT_FOUND` or `C2G_ERROR_NOT_SUPPORTED`
 * as [method@Workspace.save_checkpoint] would.
 *
 * Returns: true if a file of that name can be made
 */
gboolean
c2g_save_options_check_file (C2gSaveOptions  *self,
                             GFile           *file,
                             GError         **error)
{
  g_autofree char *db_type = NULL;
  C2gSaveLayout layout;

  g_return_val_if_fail (C2G_IS_SAVE_OPTIONS (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return c2g_save_layout_find (self, file, &layout, &db_type, error);
}
