/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-entries.h"
#include "c2g-text-utils.h"

#include <glib/gi18n.h>

#include <inttypes.h>

/* Opens files from the command line, and describes their entries. Most subcommands use it. */

#define LMDB_FILE_NAME "data.mdb"

static const struct
{
  const char *blob_type;
  const char *type;
} types[] = {
  { "Tensor", "tensor" },
  { "std::string", "string" },
  { "QTensor", "q-tensor" },
  { "Int8TensorCPU", "int8-tensor" },
  { "std::unique_ptr<Counter<int64_t>>", "counter" },
};

/* Returns TRUE for a folder that is not an LMDB database, for which the library's message does not
 * say what is missing. */
static gboolean
is_other_folder (GFile        *file,
                 const GError *error)
{
  g_autoptr (GFile) data = g_file_get_child (file, LMDB_FILE_NAME);

  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY) &&
         !g_file_query_exists (data, NULL);
}

C2gModelFile *
c2g_open (GFile           *file,
          C2gLoadOptions  *options,
          GCancellable    *cancellable,
          GError         **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autofree char *name = g_file_get_parse_name (file);
  C2gModelFile *model_file;

  model_file = c2g_model_file_open (file, options, cancellable, &local_error);
  if (model_file != NULL)
    return model_file;

  if (is_other_folder (file, local_error))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY,
                 _("%s is a folder without a model (init_net.pb and predict_net.pb, or a .caffemodel beside "
                   "a deploy.prototxt) or an LMDB database (%s)"),
                 name, LMDB_FILE_NAME);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

GPtrArray *
c2g_entries_new (C2gModelFile *model_file)
{
  GPtrArray *self = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_entry_unref);
  guint n_entries;
  g_autofree C2gFileEntry **entries = c2g_model_file_list_entries (model_file, &n_entries);

  for (gsize i = 0; i < n_entries; i++)
    g_ptr_array_add (self, entries[i]);
  return self;
}

gboolean
c2g_entries_check (C2gModelFile  *model_file,
                   GPtrArray     *entries,
                   GError       **error)
{
  C2gModelFileKind kind = c2g_model_file_get_kind (model_file);

  if (kind != C2G_MODEL_FILE_KIND_NET && kind != C2G_MODEL_FILE_KIND_NET_TEXT)
    return TRUE;
  for (guint i = 0; i < entries->len; i++)
    if (*c2g_file_entry_get_blob_type (entries->pdata[i]) != '\0')
      return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
               _("%s: The net fills no blob with given values"),
               c2g_model_file_get_file_name (model_file));
  return FALSE;
}

guint64
c2g_entries_n_bytes (GPtrArray *entries)
{
  guint64 n_bytes = 0;

  for (guint i = 0; i < entries->len; i++)
    n_bytes += c2g_file_entry_get_n_bytes (entries->pdata[i]);
  return n_bytes;
}

const char *
c2g_entry_get_type (C2gFileEntry *entry)
{
  const char *blob_type = c2g_file_entry_get_blob_type (entry);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (blob_type, types[i].blob_type))
      return types[i].type;

  return *blob_type != '\0' ? blob_type : "empty";
}

gboolean
c2g_entry_is_tensor (C2gFileEntry *entry)
{
  return g_str_equal (c2g_file_entry_get_blob_type (entry), "Tensor");
}

char *
c2g_entry_describe_part (C2gFileEntry *entry)
{
  gint64 n_elements = c2g_file_entry_get_n_elements (entry);
  gint64 begin;
  gint64 end;

  if (!c2g_file_entry_get_segment (entry, &begin, &end))
    return NULL;
  if (begin == end)
    return g_strdup_printf (_("none of %" PRId64 " elements"), n_elements);
  return g_strdup_printf (_("only elements %" PRId64 "–%" PRId64 " of %" PRId64), begin, end - 1,
                          n_elements);
}

C2gTensor *
c2g_entry_load_constant (C2gModelFile  *model_file,
                         C2gFileEntry  *entry,
                         GError       **error)
{
  C2gTensor *sample = c2g_file_entry_load_constant (entry, error);

  if (sample == NULL)
    g_prefix_error (error, "%s: ", c2g_model_file_get_file_name (model_file));
  return sample;
}

void
c2g_entry_prefix_error (C2gModelFile  *model_file,
                        C2gFileEntry  *entry,
                        GError       **error)
{
  g_prefix_error (error, _("Blob “%s”: "), c2g_file_entry_get_name (entry));
  g_prefix_error (error, "%s: ", c2g_model_file_get_file_name (model_file));
}

gboolean
c2g_entry_check_whole (C2gModelFile  *model_file,
                       C2gFileEntry  *entry,
                       GError       **error)
{
  g_autofree char *part = c2g_entry_describe_part (entry);

  if (part == NULL)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("%s: Of “%s” there are %s"),
               c2g_model_file_get_file_name (model_file), c2g_file_entry_get_name (entry), part);
  return FALSE;
}

char *
c2g_dims_to_string (const gint64 *dims,
                    gsize         n_dims)
{
  GString *text = g_string_new ("[");

  for (gsize i = 0; i < n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i == 0 ? "" : ", ", dims[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

char *
c2g_size_to_string (guint64 n_bytes)
{
  g_autofree char *bytes = NULL;
  g_autofree char *size = NULL;

  bytes = g_strdup_printf (ngettext ("%" PRIu64 " byte", "%" PRIu64 " bytes", n_bytes), n_bytes);
  if (n_bytes < 1024)
    return g_steal_pointer (&bytes);

  size = c2g_text_format_size (n_bytes);
  return g_strdup_printf ("%s (%s)", bytes, size);
}

char *
c2g_entry_to_string (C2gFileEntry *entry)
{
  C2gDataType data_type = c2g_file_entry_get_data_type (entry);
  gsize n_dims;
  const gint64 *dims = c2g_file_entry_get_dims (entry, &n_dims);
  g_autofree char *text = NULL;

  if (!c2g_entry_is_tensor (entry))
    return g_strdup (c2g_entry_get_type (entry));

  text = c2g_dims_to_string (dims, n_dims);
  return g_strdup_printf ("%s %s", c2g_data_type_get_name (data_type), text);
}
