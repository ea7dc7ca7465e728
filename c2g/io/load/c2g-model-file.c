/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-model-file-private.h>
#include <c2g/io/load/c2g-model-file.h>

#include <c2g/io/load/c2g-file-content-private.h>
#include <c2g/io/load/c2g-load-options-private.h>
#include <c2g/io/stream/c2g-name-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-names-private.h>

#include <string.h>

/**
 * C2gModelFile:
 *
 * An open file with blobs or a net.
 *
 * The kind of the file is detected from its content; the name counts only for empty or damaged
 * files. These can be opened:
 *
 * - a checkpoint in a database, as Caffe2's operator `Save` and its predictor exporter
 *   write it, with tensors in any number of chunks: a minidb, an LMDB database (the
 *   folder, or the `data.mdb` in it), or one of a type that the program has registered;
 * - a file of tensors (`TensorProtos`), Caffe2's `protodb`;
 * - a single blob (`BlobProto`) or tensor (`TensorProto`);
 * - a net (`NetDef`), binary or as text;
 * - a safetensors file, an array of NumPy (`.npy`), an archive of them (`.npz`);
 * - the blobs of a net of Caffe or NVCaffe (`.caffemodel`), called after their layers (`conv1/0`,
 *   `conv1/1`), or a single blob (`.binaryproto`).
 *
 * Opening reads the names, types and shapes of the blobs, but not their values:
 * [method@ModelFile.list_entries] lists them. [method@ModelFile.load] puts the blobs into a
 * [class@Workspace], [method@ModelFile.load_blob] gives a single one.
 *
 * A net is not run. Only operators that fill a blob with given values are evaluated, as in
 * initialization nets (the `GivenTensorFill` family and `ConstantFill`). Other operators
 * without inputs only create their outputs, empty. Everything is loaded to the CPU, whatever
 * device the file names, unless [property@LoadOptions:keep-device] is set.
 *
 * ```c
 * g_autoptr (C2gModelFile) model_file = c2g_model_file_open (file, NULL, NULL, &error);
 * g_auto (GStrv) names = NULL;
 *
 * if (model_file != NULL)
 *   names = c2g_model_file_load (model_file, workspace, NULL, NULL, &error);
 * ```
 *
 * ```python
 * model_file = C2g.ModelFile.open('ckpt.minidb')
 * for entry in model_file.list_entries():
 *     print(entry.get_name(), entry.get_dims())
 * weights = model_file.load_blob('fc1_w').get_tensor()
 * ```
 *
 * ## Damaged files
 *
 * Files are checked before memory is allocated for them; errors name the file, the blob and
 * the offset. Pipes, devices and folders are refused. The constants of a net may take 4 GiB in
 * all; [method@FileEntry.load_constant] gets the value of a constant without allocating it.
 *
 * ## Files that change
 *
 * Values are read when they are loaded. If a file is replaced meanwhile, as saving does, an
 * open model file keeps the old content. If others write into the file, their values are read,
 * or `C2G_ERROR_CORRUPT` is set if it became shorter. For an LMDB database this is detected
 * and gives `C2G_ERROR_BUSY`.
 *
 * ## Threads
 *
 * A model file does not change: it can be used in any thread, and in several.
 */

struct _C2gModelFile
{
  GObject         parent_instance;

  char           *file_name;
  /* NULL if the content is in memory. */
  GFile          *file;

  C2gFileContent  content;
  /* Entries by name, borrowed. */
  GHashTable     *by_name;
};

G_DEFINE_ENUM_TYPE (C2gModelFileKind, c2g_model_file_kind,
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_UNKNOWN, "unknown"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_BLOB, "blob"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_TENSOR, "tensor"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_NET, "net"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_NET_TEXT, "net-text"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_MINIDB, "minidb"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_LMDB, "lmdb"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_PROTODB, "protodb"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_SAFETENSORS, "safetensors"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_NPY, "npy"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_NPZ, "npz"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_DB, "db"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_CAFFEMODEL, "caffemodel"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_BINARYPROTO, "binaryproto"))

G_DEFINE_FINAL_TYPE (C2gModelFile, c2g_model_file, G_TYPE_OBJECT)

static void
c2g_model_file_finalize (GObject *object)
{
  C2gModelFile *self = C2G_MODEL_FILE (object);

  g_clear_pointer (&self->by_name, g_hash_table_unref);
  c2g_file_content_clear (&self->content);
  g_clear_object (&self->file);
  g_free (self->file_name);

  G_OBJECT_CLASS (c2g_model_file_parent_class)->finalize (object);
}

static void
c2g_model_file_class_init (C2gModelFileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_model_file_finalize;
}

static void
c2g_model_file_init (C2gModelFile *self)
{
  /* The bare constructor of a language binding makes a file without content. */
  self->file_name = g_strdup ("");
  self->content.entries = g_ptr_array_new ();
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
}

GPtrArray *
c2g_model_file_peek_entries (C2gModelFile *self)
{
  return self->content.entries;
}

GFile *
c2g_model_file_peek_file (C2gModelFile *self)
{
  return self->file;
}

void
c2g_model_file_prefix_error (C2gModelFile  *self,
                             GError       **error)
{
  c2g_name_prefix_error (self->file_name, error);
}

gboolean
c2g_model_file_check_current (C2gModelFile  *self,
                              GError       **error)
{
  if (self->content.lmdb == NULL || c2g_lmdb_file_is_current (self->content.lmdb, error))
    return TRUE;

  c2g_name_prefix_error (self->file_name, error);
  return FALSE;
}

static gboolean
is_single (C2gModelFile *self)
{
  return self->content.kind == C2G_MODEL_FILE_KIND_BLOB ||
         self->content.kind == C2G_MODEL_FILE_KIND_TENSOR;
}

C2gBlob *
c2g_model_file_load_entry (C2gModelFile  *self,
                           C2gFileEntry  *entry,
                           gboolean       as_sample,
                           const C2gJob  *job,
                           GError       **error)
{
  g_autoptr (GError) local_error = NULL;
  C2gBlob *blob = as_sample ? c2g_file_entry_load_sample (entry, job, &local_error)
                            : c2g_file_entry_load (entry, job, &local_error);

  if (blob != NULL)
    return blob;

  /* If another process has written to the file, report that instead. */
  if (c2g_model_file_check_current (self, error))
    {
      c2g_name_prefix_error (self->file_name, &local_error);
      g_propagate_error (error, g_steal_pointer (&local_error));
    }
  return NULL;
}

/* Takes over the content. */
static C2gModelFile *
new_file (const char     *file_name,
          GFile          *file,
          C2gFileContent *content)
{
  C2gModelFile *self = g_object_new (C2G_TYPE_MODEL_FILE, NULL);

  g_free (self->file_name);
  self->file_name = g_strdup (file_name);
  g_set_object (&self->file, file);
  c2g_file_content_clear (&self->content);
  self->content = *content;
  *content = (C2gFileContent) { 0 };

  for (guint i = 0; i < self->content.entries->len; i++)
    {
      C2gFileEntry *entry = self->content.entries->pdata[i];

      g_hash_table_insert (self->by_name, entry->name, entry);
    }

  return self;
}

/**
 * c2g_model_file_open: (constructor)
 * @file: a file, or a folder that is an LMDB database
 * @options: (nullable): options, of which [property@LoadOptions:memory-map],
 *   [property@LoadOptions:db-type], [property@LoadOptions:caffe2-names] and
 *   [property@LoadOptions:caffe-blobs] count
 * @cancellable: (nullable): a way to stop
 * @error: return location for an error
 *
 * Opens a file and lists its content.
 *
 * The values of the blobs are not read. A file that is not local is read as a whole. If
 * the options give the type of database, the file is opened as one, whatever it looks like.
 *
 * Errors: `C2G_ERROR_CORRUPT` if its kind is unknown, or it is damaged;
 * `C2G_ERROR_NOT_SUPPORTED` for known formats that c2g does not read: models of ONNX,
 * PyTorch, TensorFlow and Keras, pickles, GGUF, PNG images, ZIP archives with something else
 * than arrays; `C2G_ERROR_SHAPE` and `C2G_ERROR_RANGE` for impossible shapes,
 * `C2G_ERROR_RANGE` for a net that is too large, `C2G_ERROR_NO_MEMORY`; and those of
 * `GIOErrorEnum` for a file that cannot be read: `G_IO_ERROR_IS_DIRECTORY` for another folder,
 * `G_IO_ERROR_NOT_REGULAR_FILE` for a pipe or a device; those of [func@Db.open] for databases
 * of other types.
 *
 * Returns: (transfer full): the file
 */
C2gModelFile *
c2g_model_file_open (GFile           *file,
                     C2gLoadOptions  *options,
                     GCancellable    *cancellable,
                     GError         **error)
{
  g_auto (C2gFileContent) content = { 0 };
  g_autofree char *name = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (options == NULL || C2G_IS_LOAD_OPTIONS (options), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  name = g_file_get_parse_name (file);
  if (c2g_file_content_read_file (&content, file, name, options, cancellable, error))
    return new_file (name, file, &content);

  c2g_name_prefix_error (name, error);
  return NULL;
}

/**
 * c2g_model_file_new_from_bytes: (constructor)
 * @bytes: the content of a file
 * @file_name: what to call it in messages; without folder and ending, the name of a
 *   blob that has none in the file
 * @error: return location for an error
 *
 * Opens a file whose content is in memory.
 *
 * Tensors of a safetensors file and NumPy's are read-only views of @bytes.
 *
 * Returns: (transfer full): the file; errors are those of [ctor@ModelFile.open]
 */
C2gModelFile *
c2g_model_file_new_from_bytes (GBytes      *bytes,
                               const char  *file_name,
                               GError     **error)
{
  g_auto (C2gFileContent) content = { 0 };
  g_autoptr (C2gSource) source = NULL;
  g_autofree char *name = NULL;

  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (file_name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  name = g_utf8_make_valid (file_name, -1);
  source = c2g_source_new_for_bytes (bytes, name);
  if (c2g_file_content_read_source (&content, source, name, NULL, error))
    return new_file (name, NULL, &content);

  c2g_name_prefix_error (name, error);
  return NULL;
}

/**
 * c2g_model_file_get_kind:
 * @self: a model file
 *
 * Gets the kind of the file.
 *
 * Returns: the kind
 */
C2gModelFileKind
c2g_model_file_get_kind (C2gModelFile *self)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), C2G_MODEL_FILE_KIND_BLOB);

  return self->content.kind;
}

/**
 * c2g_model_file_get_file_name:
 * @self: a model file
 *
 * Gets the name of the file in messages.
 *
 * Returns: (transfer none): the name, in UTF-8
 */
const char *
c2g_model_file_get_file_name (C2gModelFile *self)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);

  return self->file_name;
}

/**
 * c2g_model_file_get_metadata:
 * @self: a model file
 * @key: the name of the text
 *
 * Gets a text that describes the file.
 *
 * Safetensors files have such texts, in their `__metadata__`. A `.caffemodel` has one, `caffe.net`,
 * with all but the blobs of the net: what it is saved with keeps the layers as they were.
 *
 * Returns: (transfer none) (nullable): the text, `NULL` if there is none of that name
 */
const char *
c2g_model_file_get_metadata (C2gModelFile *self,
                             const char   *key)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  return self->content.metadata == NULL ? NULL : g_hash_table_lookup (self->content.metadata, key);
}

/**
 * c2g_model_file_list_metadata:
 * @self: a model file
 *
 * Lists the texts that describe the file.
 *
 * Returns: (transfer full) (array zero-terminated=1): what they are called, sorted
 */
char **
c2g_model_file_list_metadata (C2gModelFile *self)
{
  GPtrArray *keys;
  GHashTableIter iter;
  gpointer key;

  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);

  keys = g_ptr_array_new ();
  if (self->content.metadata != NULL)
    {
      g_hash_table_iter_init (&iter, self->content.metadata);
      while (g_hash_table_iter_next (&iter, &key, NULL))
        g_ptr_array_add (keys, g_strdup (key));
    }

  return c2g_names_to_sorted_strv (keys);
}

/**
 * c2g_model_file_list_entries:
 * @self: a model file
 * @n_entries: (out): return location for their number
 *
 * Lists what the file has.
 *
 * No value is read for it.
 *
 * Returns: (transfer full) (array length=n_entries): the entries, in the order of the file
 */
C2gFileEntry **
c2g_model_file_list_entries (C2gModelFile *self,
                             guint        *n_entries)
{
  GPtrArray *entries;
  C2gFileEntry **copies;

  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);
  g_return_val_if_fail (n_entries != NULL, NULL);

  entries = self->content.entries;
  copies = g_new (C2gFileEntry *, entries->len + 1);
  for (guint i = 0; i < entries->len; i++)
    copies[i] = c2g_file_entry_ref (entries->pdata[i]);
  copies[entries->len] = NULL;
  *n_entries = entries->len;
  return copies;
}

/**
 * c2g_model_file_lookup_entry:
 * @self: a model file
 * @name: the name of a blob
 *
 * Looks up an entry by its name.
 *
 * Returns: (transfer full) (nullable): the entry, `NULL` if there is none
 */
C2gFileEntry *
c2g_model_file_lookup_entry (C2gModelFile *self,
                             const char   *name)
{
  C2gFileEntry *entry;

  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  entry = g_hash_table_lookup (self->by_name, name);
  return entry == NULL ? NULL : c2g_file_entry_ref (entry);
}

/**
 * c2g_model_file_get_segment:
 * @self: a model file
 * @begin: (out) (optional): return location for the first element that is there
 * @end: (out) (optional): return location for the element behind the last
 *
 * Gets the range of elements in a file that is a single chunk of a tensor.
 *
 * Caffe2 writes a large tensor in several chunks. A chunk that is loaded alone gives a tensor
 * of the full size, with zeros or empty strings for the missing elements. This function tells
 * them from zeros in the file.
 *
 * Returns: whether the file is a part of a tensor; `FALSE`, with 0 at both
 *   locations, if it is anything else, a whole tensor or a checkpoint, which is
 *   loaded only with all chunks
 */
gboolean
c2g_model_file_get_segment (C2gModelFile *self,
                            gint64       *begin,
                            gint64       *end)
{
  gboolean is_part = FALSE;

  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), FALSE);

  if (is_single (self) && self->content.entries->len == 1)
    is_part = c2g_file_entry_get_segment (self->content.entries->pdata[0], begin, end);

  if (!is_part && begin != NULL)
    *begin = 0;
  if (!is_part && end != NULL)
    *end = 0;
  return is_part;
}

/**
 * c2g_model_file_get_net_name:
 * @self: a model file
 *
 * Gets the name of the net, or of that whose blobs a `.caffemodel` has.
 *
 * Returns: (transfer none) (nullable): the name, `NULL` if the file is no net or the
 *   net has no name
 */
const char *
c2g_model_file_get_net_name (C2gModelFile *self)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);

  return self->content.net == NULL ? self->content.net_name : c2g_model_net_get_name (self->content.net);
}

/**
 * c2g_model_file_get_n_operators:
 * @self: a model file
 * @type: (nullable): a type of operator, or `NULL` for all
 *
 * Gets how many operators the net has.
 *
 * Returns: the number of operators, 0 if the file is no net
 */
guint
c2g_model_file_get_n_operators (C2gModelFile *self,
                                const char   *type)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), 0);

  return self->content.net == NULL ? 0 : c2g_model_net_get_n_operators (self->content.net, type);
}

/**
 * c2g_model_file_list_operator_types:
 * @self: a model file
 *
 * Lists the types of the net's operators, each once.
 *
 * Returns: (transfer full) (array zero-terminated=1): the types, in order of
 *   appearance
 */
char **
c2g_model_file_list_operator_types (C2gModelFile *self)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);

  if (self->content.net == NULL)
    return g_new0 (char *, 1);
  return c2g_model_net_list_operator_types (self->content.net);
}

/**
 * c2g_model_file_list_external_inputs:
 * @self: a model file
 *
 * Lists the external inputs of the net.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names, none if the file
 *   is no net
 */
char **
c2g_model_file_list_external_inputs (C2gModelFile *self)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);

  if (self->content.net == NULL)
    return g_new0 (char *, 1);
  return c2g_model_net_list_external_inputs (self->content.net);
}

/**
 * c2g_model_file_list_external_outputs:
 * @self: a model file
 *
 * Lists the external outputs of the net.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names, none if the file
 *   is no net
 */
char **
c2g_model_file_list_external_outputs (C2gModelFile *self)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);

  if (self->content.net == NULL)
    return g_new0 (char *, 1);
  return c2g_model_net_list_external_outputs (self->content.net);
}

/* Suggests a name in the order of the file. */
static void
suggest_name (C2gModelFile  *self,
              const char    *name,
              GError       **error)
{
  const GPtrArray *entries = self->content.entries;
  g_autofree const char **names = g_new0 (const char *, entries->len + 1);

  for (guint i = 0; i < entries->len; i++)
    names[i] = ((const C2gFileEntry *) entries->pdata[i])->name;
  c2g_names_suggest (names, name, error);
}

/**
 * c2g_model_file_load_blob:
 * @self: a model file
 * @name: the name of a blob
 * @cancellable: (nullable): a way to stop
 * @error: return location for an error
 *
 * Loads a single blob, into no workspace.
 *
 * Nothing else of the file is read. A tensor is loaded to the CPU.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if the file has no blob of that name, and those of
 * [method@ModelFile.load].
 *
 * Returns: (transfer full): a new blob
 */
C2gBlob *
c2g_model_file_load_blob (C2gModelFile  *self,
                          const char    *name,
                          GCancellable  *cancellable,
                          GError       **error)
{
  const C2gJob job = { .cancellable = cancellable };
  g_autoptr (C2gBlob) blob = NULL;
  C2gFileEntry *entry;

  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  entry = g_hash_table_lookup (self->by_name, name);
  if (entry == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("%s: There is no blob “%s”"), self->file_name, name);
      suggest_name (self, name, error);
      return NULL;
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;

  blob = c2g_model_file_load_entry (self, entry, FALSE, &job, error);
  if (blob == NULL || !c2g_model_file_check_current (self, error))
    return NULL;
  return g_steal_pointer (&blob);
}
