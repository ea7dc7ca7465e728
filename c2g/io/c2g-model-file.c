/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-model-file.h>

#include <c2g/io/c2g-blob-proto-private.h>
#include <c2g/io/c2g-checkpoint-private.h>
#include <c2g/io/c2g-content-kind-private.h>
#include <c2g/io/c2g-file-bytes-private.h>
#include <c2g/io/c2g-fill-private.h>
#include <c2g/io/c2g-minidb-private.h>
#include <c2g/io/c2g-name-private.h>
#include <c2g/io/c2g-staging-private.h>
#include <c2g/io/c2g-tensor-part-private.h>
#include <c2g/io/c2g-text-private.h>
#include <c2g/io/c2g-wire-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>

#include <string.h>

/**
 * C2gModelFile:
 *
 * A file of Caffe2 that has been opened: blobs, or a net.
 *
 * What kind of file it is shows in the content; the name only counts for an empty
 * file, which is a database when its name ends in `.minidb`. These can be opened:
 *
 * - a single blob (`BlobProto`) or tensor (`TensorProto`);
 * - a checkpoint in Caffe2's minidb, as its operator `Save` and its predictor
 *   exporter write it, with tensors in any number of chunks;
 * - a net (`NetDef`), binary or as text.
 *
 * [method@ModelFile.load] puts the blobs into a [class@Workspace]. A net is not
 * run: of its operators those are evaluated that put given values into a blob, as
 * nets for initialization consist of (`GivenTensorFill` and its siblings,
 * `ConstantFill`); other operators without input only make sure that their outputs
 * exist. Everything comes to the CPU, whatever device the file names, except a
 * single blob or tensor that was saved for another device: it is refused, as
 * nothing says that it is wanted here.
 *
 * ```c
 * g_autoptr (C2gModelFile) model_file = c2g_model_file_open (file, NULL, &error);
 * g_auto (GStrv) names = NULL;
 *
 * if (model_file != NULL)
 *   names = c2g_model_file_load (model_file, workspace, &error);
 * ```
 *
 * ```python
 * model_file = C2g.ModelFile.open(Gio.File.new_for_path('init_net.pb'), None)
 * print(model_file.get_net_name(), model_file.load(workspace))
 * ```
 *
 * ## Damaged files
 *
 * Files are checked before memory is asked for on their account; what is wrong is
 * said with the file's name, the blob and the offset. Constants of a net may take 4
 * GiB in all.
 *
 * ## Threads
 *
 * A model file does not change: it can be used in any thread, and in several.
 */

/* A few bytes of a net may ask for so much: there is no other measure. */
#define MAX_CONSTANT_BYTES (G_GUINT64_CONSTANT (4) << 30)

struct _C2gModelFile
{
  GObject           parent_instance;

  GBytes           *bytes;
  char             *file_name;
  C2gModelFileKind  kind;

  /* Of a net; the types of its operators with their number, in order. */
  Caffe2__NetDef   *net;
  char             *net_name;
  GPtrArray        *types;
  GHashTable       *n_operators;
};

G_DEFINE_ENUM_TYPE (C2gModelFileKind, c2g_model_file_kind,
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_BLOB, "blob"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_TENSOR, "tensor"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_NET, "net"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_NET_TEXT, "net-text"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_MINIDB, "minidb"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_LMDB, "lmdb"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_PROTODB, "protodb"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_SAFETENSORS, "safetensors"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_NPY, "npy"),
                    G_DEFINE_ENUM_VALUE (C2G_MODEL_FILE_KIND_NPZ, "npz"))

G_DEFINE_FINAL_TYPE (C2gModelFile, c2g_model_file, G_TYPE_OBJECT)

static void
c2g_model_file_finalize (GObject *object)
{
  C2gModelFile *self = C2G_MODEL_FILE (object);

  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->n_operators, g_hash_table_unref);
  g_clear_pointer (&self->types, g_ptr_array_unref);
  g_free (self->file_name);
  g_free (self->net_name);
  c2g_wire_free (self->net);

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
  /* What a binding's bare constructor makes: a file with nothing in it. */
  self->bytes = g_bytes_new (NULL, 0);
  self->file_name = g_strdup ("");
  self->types = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  self->n_operators = g_hash_table_new (g_str_hash, g_str_equal);
}

static char *
make_valid (const char *text)
{
  return text == NULL ? g_strdup ("") : g_utf8_make_valid (text, -1);
}

static void
count_operators (C2gModelFile *self)
{
  for (gsize i = 0; i < self->net->n_op; i++)
    {
      g_autofree char *type = make_valid (self->net->op[i]->type);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->n_operators, type));
      char *key = type;

      if (n == 0)
        {
          key = g_steal_pointer (&type);
          g_ptr_array_add (self->types, key);
        }
      g_hash_table_insert (self->n_operators, key, GUINT_TO_POINTER (n + 1));
    }
}

static gboolean
parse_net (C2gModelFile  *self,
           GError       **error)
{
  const ProtobufCMessageDescriptor *descriptor = &caffe2__net_def__descriptor;
  ProtobufCMessage *message;
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (self->bytes, &n_bytes);

  if (self->kind == C2G_MODEL_FILE_KIND_NET_TEXT)
    message = c2g_text_parse (descriptor, data, n_bytes, error);
  else
    message = c2g_wire_parse (descriptor, data, n_bytes, 0, error);
  if (message == NULL)
    return FALSE;

  self->net = (Caffe2__NetDef *) message;
  if (self->net->name != NULL)
    self->net_name = make_valid (self->net->name);
  count_operators (self);
  return TRUE;
}

static gboolean
set_not_supported (GError     **error,
                   const char  *message)
{
  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, message);
  return FALSE;
}

static gboolean
guess_kind (C2gModelFile  *self,
            GError       **error)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (self->bytes, &n_bytes);

  switch (c2g_content_kind_guess (data, n_bytes))
    {
    case C2G_CONTENT_BLOB:
      self->kind = C2G_MODEL_FILE_KIND_BLOB;
      return TRUE;

    case C2G_CONTENT_TENSOR:
      self->kind = C2G_MODEL_FILE_KIND_TENSOR;
      return TRUE;

    case C2G_CONTENT_NET:
      self->kind = C2G_MODEL_FILE_KIND_NET;
      return TRUE;

    case C2G_CONTENT_NET_TEXT:
      self->kind = C2G_MODEL_FILE_KIND_NET_TEXT;
      return TRUE;

    case C2G_CONTENT_MINIDB:
      self->kind = C2G_MODEL_FILE_KIND_MINIDB;
      return TRUE;

    case C2G_CONTENT_LMDB:
      return set_not_supported (error, _("This is an LMDB database, which c2g cannot read yet"));

    case C2G_CONTENT_PNG:
      return set_not_supported (error, _("This is a PNG image, not a file of Caffe2"));

    case C2G_CONTENT_ZIP:
      return set_not_supported (error, _("This is a ZIP archive, not a file of Caffe2"));

    case C2G_CONTENT_UNKNOWN:
      break;
    }

  if (n_bytes == 0 && g_str_has_suffix (self->file_name, ".minidb"))
    {
      self->kind = C2G_MODEL_FILE_KIND_MINIDB;
      return TRUE;
    }

  if (n_bytes == 0)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("The file is empty"));
  else
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                         _("Neither a blob, a tensor, a net nor a minidb checkpoint"));
  return FALSE;
}

/* A net of Caffe has no mark, and fields of the same numbers as one of Caffe2: only
 * where it cannot be read as that, its name counts. */
static void
explain_caffe_model (C2gModelFile  *self,
                     GError       **error)
{
  if (error == NULL || !g_str_has_suffix (self->file_name, ".caffemodel") ||
      !g_error_matches (*error, C2G_ERROR, C2G_ERROR_CORRUPT))
    return;

  g_clear_error (error);
  set_not_supported (error, _("By its name this is a model of Caffe, which c2g cannot read"));
}

static void
prefix_file_name (C2gModelFile  *self,
                  GError       **error)
{
  g_prefix_error (error, "%s: ", self->file_name);
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
 * Errors: `C2G_ERROR_CORRUPT` if it is of no known kind, or a net and damaged;
 * `C2G_ERROR_NOT_SUPPORTED` for what is known and not read: LMDB databases, models of
 * Caffe, PNG images and ZIP archives; `C2G_ERROR_RANGE` if it is too large for its kind, `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: (transfer full): the file
 */
C2gModelFile *
c2g_model_file_new_from_bytes (GBytes      *bytes,
                               const char  *file_name,
                               GError     **error)
{
  g_autoptr (C2gModelFile) self = NULL;
  gboolean is_net;

  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (file_name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = g_object_new (C2G_TYPE_MODEL_FILE, NULL);
  g_bytes_unref (self->bytes);
  self->bytes = g_bytes_ref (bytes);
  g_free (self->file_name);
  self->file_name = make_valid (file_name);

  if (guess_kind (self, error))
    {
      is_net = self->kind == C2G_MODEL_FILE_KIND_NET || self->kind == C2G_MODEL_FILE_KIND_NET_TEXT;
      if (!is_net || parse_net (self, error))
        return g_steal_pointer (&self);
    }

  explain_caffe_model (self, error);
  prefix_file_name (self, error);
  return NULL;
}

/* A database of LMDB is a folder with a file of this name. */
static gboolean
is_lmdb_folder (GFile         *file,
                GCancellable  *cancellable,
                const GError  *error)
{
  g_autoptr (GFile) data = NULL;

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY))
    return FALSE;
  data = g_file_get_child (file, "data.mdb");
  return g_file_query_exists (data, cancellable);
}

/* Of some errors GIO says the name itself. */
static void
explain_unreadable (GFile         *file,
                    const char    *name,
                    GCancellable  *cancellable,
                    GError       **error)
{
  if (error == NULL)
    return;

  if (is_lmdb_folder (file, cancellable, *error))
    {
      g_clear_error (error);
      set_not_supported (error, _("This is an LMDB database, which c2g cannot read yet"));
    }
  if (strstr ((*error)->message, name) == NULL)
    g_prefix_error (error, "%s: ", name);
}

/**
 * c2g_model_file_open: (constructor)
 * @file: a file
 * @cancellable: (nullable): a way to stop
 * @error: return location for an error
 *
 * Reads a file and finds out what it is.
 *
 * Errors: those of [ctor@ModelFile.new_from_bytes], and those of `GIOErrorEnum` for
 * a file that cannot be read.
 *
 * Returns: (transfer full): the file
 */
C2gModelFile *
c2g_model_file_open (GFile         *file,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *name = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  name = g_file_get_parse_name (file);
  bytes = c2g_file_bytes_load (file, cancellable, error);
  if (bytes == NULL)
    {
      explain_unreadable (file, name, cancellable, error);
      return NULL;
    }
  return c2g_model_file_new_from_bytes (bytes, name, error);
}

/**
 * c2g_model_file_get_kind:
 * @self: a model file
 *
 * Gets what kind of file it is.
 *
 * Returns: the kind
 */
C2gModelFileKind
c2g_model_file_get_kind (C2gModelFile *self)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), C2G_MODEL_FILE_KIND_BLOB);

  return self->kind;
}

/**
 * c2g_model_file_get_file_name:
 * @self: a model file
 *
 * Gets what the file is called in messages.
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
 * c2g_model_file_get_net_name:
 * @self: a model file
 *
 * Gets the name of the net.
 *
 * Returns: (transfer none) (nullable): the name, `NULL` if the file is no net or the
 *   net has no name
 */
const char *
c2g_model_file_get_net_name (C2gModelFile *self)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);

  return self->net_name;
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

  if (type != NULL)
    return GPOINTER_TO_UINT (g_hash_table_lookup (self->n_operators, type));
  return self->net == NULL ? 0 : self->net->n_op;
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

  if (self->types->len == 0)
    return g_new0 (char *, 1);
  return g_strdupv ((char **) self->types->pdata);
}

static char **
dup_names (char **names,
           gsize  n_names)
{
  char **copies = g_new0 (char *, n_names + 1);

  for (gsize i = 0; i < n_names; i++)
    copies[i] = make_valid (names[i]);
  return copies;
}

/**
 * c2g_model_file_list_external_inputs:
 * @self: a model file
 *
 * Lists the blobs that the net wants from outside.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names, none if the file
 *   is no net
 */
char **
c2g_model_file_list_external_inputs (C2gModelFile *self)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);

  if (self->net == NULL)
    return g_new0 (char *, 1);
  return dup_names (self->net->external_input, self->net->n_external_input);
}

/**
 * c2g_model_file_list_external_outputs:
 * @self: a model file
 *
 * Lists the blobs that are the net's results.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names, none if the file
 *   is no net
 */
char **
c2g_model_file_list_external_outputs (C2gModelFile *self)
{
  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);

  if (self->net == NULL)
    return g_new0 (char *, 1);
  return dup_names (self->net->external_output, self->net->n_external_output);
}

/* The name in the file, or one made of the file's own. */
static char *
dup_blob_name (C2gModelFile *self,
               const char   *name)
{
  g_autofree char *base = NULL;
  char *dot;

  if (name != NULL && *name != '\0')
    return make_valid (name);

  base = g_path_get_basename (self->file_name);
  dot = strrchr (base, '.');
  if (dot != NULL && dot != base)
    *dot = '\0';
  return g_steal_pointer (&base);
}

static ProtobufCMessage *
parse_single (C2gModelFile  *self,
              GError       **error)
{
  gboolean is_tensor = self->kind == C2G_MODEL_FILE_KIND_TENSOR;
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (self->bytes, &n_bytes);

  return c2g_wire_parse (is_tensor ? &caffe2__tensor_proto__descriptor
                                   : &caffe2__blob_proto__descriptor,
                         data, n_bytes, 0, error);
}

static gboolean
stage_single (C2gModelFile  *self,
              C2gStaging    *staging,
              GError       **error)
{
  g_autofree char *name = NULL;
  ProtobufCMessage *message = parse_single (self, error);
  C2gBlob *blob;

  if (message == NULL)
    return FALSE;

  if (self->kind == C2G_MODEL_FILE_KIND_TENSOR)
    {
      name = dup_blob_name (self, ((Caffe2__TensorProto *) message)->name);
      blob = c2g_tensor_proto_new_blob ((Caffe2__TensorProto *) message, error);
    }
  else
    {
      name = dup_blob_name (self, ((Caffe2__BlobProto *) message)->name);
      blob = c2g_blob_proto_new_blob ((Caffe2__BlobProto *) message, error);
    }
  c2g_wire_free (message);

  if (blob == NULL)
    {
      g_prefix_error (error, _("Blob '%s': "), name);
      return FALSE;
    }
  c2g_staging_put (staging, name, blob);
  return TRUE;
}

static gboolean
stage_minidb (C2gModelFile  *self,
              C2gStaging    *staging,
              GError       **error)
{
  g_autoptr (C2gCheckpoint) checkpoint = c2g_checkpoint_new (staging);
  g_autoptr (GError) local_error = NULL;
  C2gMinidbReader reader = { .position = 0 };
  C2gMinidbRecord record;

  reader.data = g_bytes_get_data (self->bytes, &reader.n_bytes);
  while (c2g_minidb_reader_next (&reader, &record, &local_error))
    if (!c2g_checkpoint_add (checkpoint, record.key, record.n_key_bytes, record.value,
                             record.n_value_bytes, record.value_offset, error))
      return FALSE;

  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  return c2g_checkpoint_finish (checkpoint, error);
}

/* The outputs of an operator that is not evaluated exist, and are empty. */
static gboolean
stage_outputs (const Caffe2__OperatorDef  *op,
               C2gStaging                 *staging,
               GError                    **error)
{
  for (gsize i = 0; i < op->n_output; i++)
    {
      g_autofree char *name = NULL;

      name = c2g_name_from_bytes ((const guint8 *) op->output[i], strlen (op->output[i]), error);
      if (name == NULL)
        return FALSE;
      if (!c2g_staging_has (staging, name))
        c2g_staging_put (staging, name, c2g_blob_new ());
    }

  return TRUE;
}

static gboolean
stage_fill (const Caffe2__OperatorDef  *op,
            C2gStaging                 *staging,
            guint64                    *max_bytes,
            GError                    **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  g_autofree char *name = NULL;
  C2gBlob *blob;

  name = c2g_name_from_bytes ((const guint8 *) op->output[0], strlen (op->output[0]), error);
  if (name == NULL)
    return FALSE;
  tensor = c2g_fill_evaluate (op, max_bytes, error);
  if (tensor == NULL)
    {
      g_prefix_error (error, _("Blob '%s': "), name);
      return FALSE;
    }

  blob = c2g_blob_new ();
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  c2g_staging_put (staging, name, blob);
  return TRUE;
}

static gboolean
stage_net (C2gModelFile  *self,
           C2gStaging    *staging,
           GError       **error)
{
  guint64 max_bytes = MAX_CONSTANT_BYTES;

  for (gsize i = 0; i < self->net->n_op; i++)
    {
      const Caffe2__OperatorDef *op = self->net->op[i];
      gboolean is_staged = TRUE;

      if (c2g_fill_is_known (op))
        is_staged = stage_fill (op, staging, &max_bytes, error);
      else if (op->n_input == 0)
        is_staged = stage_outputs (op, staging, error);
      if (!is_staged)
        {
          g_prefix_error (error, _("Operator %zu, %s: "), i,
                          op->type == NULL ? "" : op->type);
          return FALSE;
        }
    }

  return TRUE;
}

/* The message's tensor, `NULL` for a blob that is none. */
static const Caffe2__TensorProto *
tensor_of_single (C2gModelFile           *self,
                  const ProtobufCMessage *message)
{
  const Caffe2__BlobProto *blob = (const Caffe2__BlobProto *) message;

  if (self->kind == C2G_MODEL_FILE_KIND_TENSOR)
    return (const Caffe2__TensorProto *) message;
  return c2g_blob_proto_is_tensor (blob) ? blob->tensor : NULL;
}

/**
 * c2g_model_file_get_segment:
 * @self: a model file
 * @begin: (out) (optional): return location for the first element that is there
 * @end: (out) (optional): return location for the element behind the last
 *
 * Gets which elements of its tensor a file holds that is one chunk of it.
 *
 * Caffe2 writes a large tensor in several chunks. Loaded alone, a chunk gives a
 * tensor of the whole size, with zeros, or empty strings, for the elements that are
 * elsewhere; this tells them from zeros that were in the file. The file is parsed
 * with every call.
 *
 * Returns: whether the file is a part of a tensor; `FALSE`, with 0 at both
 *   locations, if it is anything else, a whole tensor or a checkpoint, which is
 *   loaded only with all chunks, or if it is damaged
 */
gboolean
c2g_model_file_get_segment (C2gModelFile *self,
                            gint64       *begin,
                            gint64       *end)
{
  ProtobufCMessage *message = NULL;
  const Caffe2__TensorProto *tensor = NULL;
  C2gTensorPart part = { 0 };
  gboolean is_part = FALSE;

  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), FALSE);

  if (self->kind == C2G_MODEL_FILE_KIND_TENSOR || self->kind == C2G_MODEL_FILE_KIND_BLOB)
    message = parse_single (self, NULL);
  if (message != NULL)
    tensor = tensor_of_single (self, message);
  if (tensor != NULL && c2g_tensor_part_init (&part, tensor, NULL))
    is_part = part.end - part.begin < part.n_elements;
  c2g_wire_free (message);

  if (begin != NULL)
    *begin = is_part ? part.begin : 0;
  if (end != NULL)
    *end = is_part ? part.end : 0;
  return is_part;
}

static gboolean
stage (C2gModelFile  *self,
       C2gStaging    *staging,
       GError       **error)
{
  switch (self->kind)
    {
    case C2G_MODEL_FILE_KIND_BLOB:
    case C2G_MODEL_FILE_KIND_TENSOR:
      return stage_single (self, staging, error);

    case C2G_MODEL_FILE_KIND_MINIDB:
      return stage_minidb (self, staging, error);

    case C2G_MODEL_FILE_KIND_NET:
    case C2G_MODEL_FILE_KIND_NET_TEXT:
      return stage_net (self, staging, error);

    default:
      break;
    }

  g_assert_not_reached ();
}

/**
 * c2g_model_file_load:
 * @self: a model file
 * @workspace: where to put the blobs
 * @error: return location for an error
 *
 * Puts the blobs of the file into a workspace.
 *
 * Blobs that are there already get new content; a tensor in one that is on the CPU
 * stays the same object and gets shape and memory of the loaded one. Either all
 * blobs of the file are loaded or the workspace is as it was.
 *
 * Strings come as `GBytes`, counters as 64-bit integers, `QTensor` blobs as
 * [class@QTensor]. Names that are not UTF-8 are made so.
 *
 * A file that is a single chunk of a tensor gives the whole tensor, with zeros where
 * the chunk has nothing: [method@ModelFile.get_segment] tells which elements it has.
 *
 * Errors: `C2G_ERROR_CORRUPT` for a damaged file and for values that do not fit their
 * shape; `C2G_ERROR_SHAPE` and `C2G_ERROR_RANGE` for impossible shapes,
 * `C2G_ERROR_NOT_SUPPORTED` for blobs of an unknown type, `C2G_ERROR_DEVICE` for a
 * single tensor saved for another device, `C2G_ERROR_NO_MEMORY`; and those of
 * [method@Workspace.create_blob].
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of the blobs, in the
 *   order of the file
 */
char **
c2g_model_file_load (C2gModelFile  *self,
                     C2gWorkspace  *workspace,
                     GError       **error)
{
  g_autoptr (C2gStaging) staging = NULL;
  char **names = NULL;

  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);
  g_return_val_if_fail (C2G_IS_WORKSPACE (workspace), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  staging = c2g_staging_new ();
  if (stage (self, staging, error))
    names = c2g_staging_commit (staging, workspace, error);
  if (names == NULL)
    prefix_file_name (self, error);
  return names;
}
