/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-kinds.h"
#include "c2g-text-utils.h"

#include <glib/gi18n.h>

/* Names and describes file formats. */

static const struct
{
  C2gModelFileKind  kind;
  const char       *description;
} descriptions[] = {
  { C2G_MODEL_FILE_KIND_BLOB, N_("a blob") },
  { C2G_MODEL_FILE_KIND_TENSOR, N_("a tensor") },
  { C2G_MODEL_FILE_KIND_MINIDB, N_("a minidb checkpoint") },
  { C2G_MODEL_FILE_KIND_LMDB, N_("an LMDB checkpoint") },
  { C2G_MODEL_FILE_KIND_PROTODB, N_("a protodb of tensors") },
  { C2G_MODEL_FILE_KIND_SAFETENSORS, N_("a safetensors checkpoint") },
  { C2G_MODEL_FILE_KIND_NPY, N_("an array of NumPy") },
  { C2G_MODEL_FILE_KIND_NPZ, N_("an archive of NumPy's arrays") },
  { C2G_MODEL_FILE_KIND_CAFFEMODEL, N_("the blobs of a net of Caffe") },
  { C2G_MODEL_FILE_KIND_BINARYPROTO, N_("a blob of Caffe") },
  { C2G_MODEL_FILE_KIND_DB, N_("a database") },
};

/* The kinds of files that a checkpoint can be written into. */
static const C2gModelFileKind writable[] = {
  C2G_MODEL_FILE_KIND_MINIDB,
  C2G_MODEL_FILE_KIND_LMDB,
  C2G_MODEL_FILE_KIND_SAFETENSORS,
  C2G_MODEL_FILE_KIND_NPZ,
  C2G_MODEL_FILE_KIND_NPY,
  C2G_MODEL_FILE_KIND_CAFFEMODEL,
  C2G_MODEL_FILE_KIND_BINARYPROTO,
  C2G_MODEL_FILE_KIND_BLOB,
};

const char *
c2g_kind_get_name (C2gModelFileKind kind)
{
  g_autoptr (GEnumClass) kinds = g_type_class_ref (C2G_TYPE_MODEL_FILE_KIND);

  return g_enum_get_value (kinds, kind)->value_nick;
}

gboolean
c2g_kind_from_name (const char        *name,
                    C2gModelFileKind  *kind,
                    GError           **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (writable); i++)
    {
      const char *other = c2g_kind_get_name (writable[i]);

      if (g_str_equal (name, other))
        {
          *kind = writable[i];
          return TRUE;
        }
      g_string_append_printf (names, "%s%s", i == 0 ? "" : _(", "), other);
    }

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("No files of kind “%s” are written; there are %s"), name, names->str);
  return FALSE;
}

gboolean
c2g_kind_can_compress (const char *kind,
                       const char *file)
{
  return kind != NULL ? g_str_equal (kind, c2g_kind_get_name (C2G_MODEL_FILE_KIND_NPZ))
                      : g_str_has_suffix (file, ".npz");
}

gboolean
c2g_kind_can_map (C2gModelFileKind kind)
{
  return kind == C2G_MODEL_FILE_KIND_SAFETENSORS || kind == C2G_MODEL_FILE_KIND_NPY ||
         kind == C2G_MODEL_FILE_KIND_NPZ || kind == C2G_MODEL_FILE_KIND_CAFFEMODEL ||
         kind == C2G_MODEL_FILE_KIND_BINARYPROTO;
}

static char *
describe_net (C2gModelFile *model_file)
{
  const char *name = c2g_model_file_get_net_name (model_file);
  guint n = c2g_model_file_get_n_operators (model_file, NULL);
  g_autofree char *escaped = NULL;

  if (name == NULL || *name == '\0')
    return g_strdup_printf (ngettext ("a net of %u operator", "a net of %u operators", n), n);

  escaped = c2g_text_escape (name);
  return g_strdup_printf (ngettext ("net “%s” of %u operator", "net “%s” of %u operators", n),
                          escaped, n);
}

char *
c2g_kind_describe (C2gModelFile *model_file)
{
  C2gModelFileKind kind = c2g_model_file_get_kind (model_file);

  for (gsize i = 0; i < G_N_ELEMENTS (descriptions); i++)
    if (descriptions[i].kind == kind)
      return g_strdup (_(descriptions[i].description));

  return describe_net (model_file);
}

char *
c2g_kind_describe_plan (C2gPlanDef *plan)
{
  const char *name = c2g_plan_def_get_name (plan);
  const gsize n = c2g_plan_def_get_n_nets (plan);
  g_autofree char *escaped = NULL;

  if (name == NULL || *name == '\0')
    return g_strdup_printf (ngettext ("a plan of %zu net", "a plan of %zu nets", n), n);

  escaped = c2g_text_escape (name);
  return g_strdup_printf (ngettext ("plan “%s” of %zu net", "plan “%s” of %zu nets", n), escaped, n);
}

static char *
dup_name (const char *name,
          gsize       number)
{
  return name != NULL && *name != '\0' ? g_strdup (name) : g_strdup_printf ("%zu", number);
}

char **
c2g_plan_list_nets (C2gPlanDef *plan)
{
  const gsize n = c2g_plan_def_get_n_nets (plan);
  char **names = g_new0 (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    names[i] = dup_name (c2g_net_def_get_name (c2g_plan_def_get_net (plan, i)), i);
  return names;
}

char **
c2g_plan_list_steps (C2gPlanDef *plan)
{
  const gsize n = c2g_plan_def_get_n_steps (plan);
  char **names = g_new0 (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    names[i] = dup_name (c2g_execution_step_get_name (c2g_plan_def_get_step (plan, i)), i);
  return names;
}
