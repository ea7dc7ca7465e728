/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-file-content-private.h>

#include <c2g/io/load/c2g-fill-values-private.h>
#include <c2g/io/message/c2g-blob-record-private.h>
#include <c2g/io/stream/c2g-name-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-text-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <string.h>

/* A net in a file as a list of blobs: the outputs of its operators without inputs. Those of the fill
 * operators are computed when they are loaded; the others are listed without content. */

static const Caffe2__Argument *
find_argument (gconstpointer  definition,
               const char    *name)
{
  const Caffe2__OperatorDef *op = definition;

  for (gsize i = 0; i < op->n_arg; i++)
    if (g_strcmp0 (op->arg[i]->name, name) == 0)
      return op->arg[i];

  return NULL;
}

/* Returns TRUE for ConstantFill, which needs only a few bytes in the file for a large tensor. */
static gboolean
fill_is_constant (const Caffe2__OperatorDef *op)
{
  return g_strcmp0 (op->type, "ConstantFill") == 0;
}

/* Returns TRUE for operators of init nets that fill their output with given values: the
 * GivenTensorFill family and ConstantFill. They need no workspace. One with an input takes its
 * shape or its device from there, and is not supported. */
static gboolean
fill_is_known (const Caffe2__OperatorDef *op)
{
  return op->n_input == 0 && op->n_output == 1 && c2g_fill_values_is_known (op->type);
}

/* In a file, values that no operator accepts mean that it is damaged. */
static gboolean
make_corrupt (GError **error)
{
  if (error != NULL && g_error_matches (*error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT))
    (*error)->code = C2G_ERROR_CORRUPT;
  return FALSE;
}

static gboolean
read_values (const Caffe2__OperatorDef  *op,
             C2gFillValues              *values,
             GError                    **error)
{
  return c2g_fill_values_init (values, op->type, find_argument, op, error) || make_corrupt (error);
}

/* Computes the size of the output. Without the argument shape it is a scalar. */
static gboolean
get_shape (const Caffe2__OperatorDef  *op,
           C2gDataType                 data_type,
           gsize                      *n_bytes,
           GError                    **error)
{
  const Caffe2__Argument *shape = find_argument (op, "shape");
  gint64 n_elements;

  if (shape != NULL && shape->has_i)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("The argument “shape” is no list"));

  return c2g_shape_count (shape == NULL ? NULL : shape->ints,
                          shape == NULL ? 0 : shape->n_ints, &n_elements, error) &&
         c2g_shape_bytes (n_elements, c2g_data_type_get_item_size (data_type), n_bytes, error);
}

static C2gTensor *
new_tensor (const gint64  *dims,
            gsize          n_dims,
            C2gDataType    data_type,
            GError       **error)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, error);

  if (tensor == NULL || !c2g_tensor_allocate (tensor, data_type, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

/* Given values are limited by the size of the file. Only constants need a limit of their own. */
static gboolean
check_size (const C2gFillValues  *values,
            gsize                 n_bytes,
            guint64               max_bytes,
            GError              **error)
{
  if (!values->is_constant)
    return c2g_fill_values_check_count (values,
                                        n_bytes / c2g_data_type_get_item_size (values->data_type),
                                        error) ||
           make_corrupt (error);
  if (n_bytes <= max_bytes)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("Constants of %zu bytes, where %" PRIu64 " are allowed"), n_bytes, max_bytes);
}

/* Returns the type and shape of the output. DIMS belong to the operator. */
static gboolean
fill_get_shape (const Caffe2__OperatorDef  *op,
                C2gDataType                *data_type,
                const gint64              **dims,
                gsize                      *n_dims,
                GError                    **error)
{
  const Caffe2__Argument *shape = find_argument (op, "shape");
  C2gFillValues values;
  gsize n_bytes;

  if (!read_values (op, &values, error))
    return FALSE;

  *data_type = values.data_type;
  *dims = shape == NULL ? NULL : shape->ints;
  *n_dims = shape == NULL ? 0 : shape->n_ints;
  return get_shape (op, *data_type, &n_bytes, error);
}

static gboolean
put_values (const C2gFillValues  *values,
            C2gTensor            *tensor,
            GError              **error)
{
  gpointer items;

  if (c2g_tensor_get_n_elements (tensor) == 0)
    return TRUE;

  items = c2g_tensor_mutable_data (tensor, values->data_type, error);
  if (items == NULL)
    return FALSE;
  return c2g_fill_values_put (values, items, c2g_tensor_get_n_elements (tensor), error) ||
         make_corrupt (error);
}

/* max_bytes limits the size of a constant. */
static C2gTensor *
fill_evaluate (const Caffe2__OperatorDef  *op,
               guint64                     max_bytes,
               GError                    **error)
{
  const Caffe2__Argument *shape = find_argument (op, "shape");
  g_autoptr (C2gTensor) tensor = NULL;
  C2gFillValues values;
  gsize n_bytes;

  if (!read_values (op, &values, error) || !get_shape (op, values.data_type, &n_bytes, error) ||
      !check_size (&values, n_bytes, max_bytes, error))
    return NULL;

  tensor = new_tensor (shape == NULL ? NULL : shape->ints, shape == NULL ? 0 : shape->n_ints,
                       values.data_type, error);
  if (tensor == NULL || !put_values (&values, tensor, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

/* Checks the same, but makes a tensor of one element, or of none if it is empty. */
static C2gTensor *
fill_sample (const Caffe2__OperatorDef  *op,
             guint64                     max_bytes,
             GError                    **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  C2gFillValues values;
  gsize n_bytes;
  gint64 n_elements;

  if (!read_values (op, &values, error) || !get_shape (op, values.data_type, &n_bytes, error) ||
      !check_size (&values, n_bytes, max_bytes, error))
    return NULL;

  n_elements = n_bytes > 0 ? 1 : 0;
  tensor = new_tensor (&n_elements, 1, values.data_type, error);
  if (tensor == NULL || !put_values (&values, tensor, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

/* Limit on the memory of all constants of a net: a few bytes in the file can ask for any size. */
#define MAX_CONSTANT_BYTES (G_GUINT64_CONSTANT (4) << 30)

/* Field number of the operators in NetDef. */
#define OPERATOR_FIELD 2

struct _C2gModelNet
{
  gatomicrefcount  ref_count;

  Caffe2__NetDef  *def;
  char            *name;
  /* Offsets of the operators in the file; NULL for a text file. */
  GArray          *offsets;

  /* Operator types in order of appearance, and how many operators each has. */
  GPtrArray       *types;
  GHashTable      *n_operators;
};

/* Data of an entry that a fill operator makes. */
typedef struct
{
  C2gModelNet *net;
  gsize        op;
  /* Memory that is left for constants. */
  guint64      max_bytes;
} Fill;

static char *
make_valid (const char *text)
{
  return text == NULL ? g_strdup ("") : g_utf8_make_valid (text, -1);
}

static void
count_operators (C2gModelNet *self)
{
  for (gsize i = 0; i < self->def->n_op; i++)
    {
      g_autofree char *type = make_valid (self->def->op[i]->type);
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

static void
find_operators (C2gModelNet *self,
                GBytes      *bytes)
{
  C2gWireReader reader;
  C2gWireField field;
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);

  c2g_wire_reader_init (&reader, data, n_bytes, 0);
  while (c2g_wire_reader_next (&reader, &field, NULL))
    if (field.number == OPERATOR_FIELD)
      {
        guint64 offset = field.offset;

        g_array_append_val (self->offsets, offset);
      }
}

static gboolean
parse (C2gModelNet  *self,
       GBytes       *bytes,
       gboolean      is_text,
       GError      **error)
{
  const ProtobufCMessageDescriptor *descriptor = &caffe2__net_def__descriptor;
  ProtobufCMessage *message;
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);

  if (is_text)
    message = c2g_text_parse (descriptor, data, n_bytes, error);
  else
    message = c2g_wire_parse (descriptor, data, n_bytes, 0, error);
  if (message == NULL)
    return FALSE;

  self->def = (Caffe2__NetDef *) message;
  if (self->def->name != NULL)
    self->name = make_valid (self->def->name);
  if (!is_text)
    find_operators (self, bytes);
  count_operators (self);
  return TRUE;
}

static GBytes *
read_all (C2gSource     *source,
          GCancellable  *cancellable,
          GError       **error)
{
  const C2gJob job = { .cancellable = cancellable };
  guint64 n_bytes = c2g_source_get_n_bytes (source);

  if (n_bytes > G_MAXINT32)
    return c2g_fail_null (error, C2G_ERROR_RANGE,
                          _("A net of %" PRIu64 " bytes, at most %d can be read"), n_bytes,
                          G_MAXINT32);

  return c2g_source_ref_bytes (source, 0, n_bytes, &job, error);
}

C2gModelNet *
c2g_model_net_new (C2gSource     *source,
                   gboolean       is_text,
                   GCancellable  *cancellable,
                   GError       **error)
{
  g_autoptr (GBytes) bytes = read_all (source, cancellable, error);
  g_autoptr (C2gModelNet) self = NULL;

  if (bytes == NULL)
    return NULL;

  self = g_new0 (C2gModelNet, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->offsets = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->types = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  self->n_operators = g_hash_table_new (g_str_hash, g_str_equal);
  return parse (self, bytes, is_text, error) ? g_steal_pointer (&self) : NULL;
}

static C2gModelNet *
ref_net (C2gModelNet *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
c2g_model_net_unref (C2gModelNet *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_hash_table_unref (self->n_operators);
  g_ptr_array_unref (self->types);
  g_array_unref (self->offsets);
  c2g_wire_free (self->def);
  g_free (self->name);
  g_free (self);
}

const char *
c2g_model_net_get_name (C2gModelNet *self)
{
  return self->name;
}

guint
c2g_model_net_get_n_operators (C2gModelNet *self,
                               const char  *type)
{
  if (type != NULL)
    return GPOINTER_TO_UINT (g_hash_table_lookup (self->n_operators, type));
  return self->def->n_op;
}

char **
c2g_model_net_list_operator_types (C2gModelNet *self)
{
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

char **
c2g_model_net_list_external_inputs (C2gModelNet *self)
{
  return dup_names (self->def->external_input, self->def->n_external_input);
}

char **
c2g_model_net_list_external_outputs (C2gModelNet *self)
{
  return dup_names (self->def->external_output, self->def->n_external_output);
}

static void
prefix_operator (C2gModelNet  *self,
                 gsize         i,
                 GError      **error)
{
  g_autofree char *type = make_valid (self->def->op[i]->type);

  g_prefix_error (error, _("Operator %zu, %s: "), i, type);
}

static void
fill_free (gpointer data)
{
  Fill *fill = data;

  c2g_model_net_unref (fill->net);
  g_free (fill);
}

/* Takes ownership of the tensor. NULL means that an error is set; the operator is added to it. */
static C2gBlob *
new_blob (Fill       *fill,
          C2gTensor  *tensor,
          GError    **error)
{
  g_autoptr (C2gTensor) owned = tensor;
  C2gBlob *blob;

  if (tensor == NULL)
    {
      prefix_operator (fill->net, fill->op, error);
      return NULL;
    }

  blob = c2g_blob_new ();
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  return blob;
}

static C2gBlob *
load_fill (C2gFileEntry  *entry,
           const C2gJob  *job,
           GError       **error)
{
  Fill *fill = entry->data;
  g_autoptr (C2gBlob) blob = NULL;

  blob = new_blob (fill,
                   fill_evaluate (fill->net->def->op[fill->op], fill->max_bytes, error),
                   error);
  if (blob == NULL || !c2g_job_advance (job, entry->n_bytes, error))
    return NULL;
  return g_steal_pointer (&blob);
}

static C2gBlob *
load_constant (C2gFileEntry  *entry,
               const C2gJob  *job,
               GError       **error)
{
  Fill *fill = entry->data;

  return new_blob (fill, fill_sample (fill->net->def->op[fill->op], fill->max_bytes, error),
                   error);
}

static C2gBlob *
load_nothing (C2gFileEntry  *entry,
              const C2gJob  *job,
              GError       **error)
{
  return c2g_blob_new ();
}

static C2gFileEntry *
new_entry (C2gModelNet  *self,
           gsize         op,
           const char   *output,
           const char   *blob_type,
           GError      **error)
{
  g_autofree char *name = c2g_name_from_bytes ((const guint8 *) output, strlen (output), error);
  guint64 offset = C2G_ENTRY_NO_OFFSET;
  C2gFileEntry *entry;

  if (name == NULL)
    return NULL;

  if (op < self->offsets->len)
    offset = g_array_index (self->offsets, guint64, op);
  entry = c2g_file_entry_new (name, blob_type, offset);
  entry->load = load_nothing;
  return entry;
}

/* An invalid shape is reported only when the blob is loaded. */
static C2gFileEntry *
new_fill (C2gModelNet  *self,
          gsize         op,
          guint64      *max_bytes,
          GError      **error)
{
  const Caffe2__OperatorDef *def = self->def->op[op];
  C2gFileEntry *entry = new_entry (self, op, def->output[0], C2G_BLOB_TYPE_TENSOR, error);
  C2gDataType data_type;
  const gint64 *dims;
  gsize n_dims;
  Fill *fill;

  if (entry == NULL)
    return NULL;

  fill = g_new (Fill, 1);
  *fill = (Fill) { ref_net (self), op, *max_bytes };
  entry->load = load_fill;
  entry->load_constant = fill_is_constant (def) ? load_constant : NULL;
  entry->data = fill;
  entry->destroy_data = fill_free;
  if (fill_get_shape (def, &data_type, &dims, &n_dims, NULL) &&
      c2g_file_entry_set_tensor (entry, data_type, dims, n_dims, NULL) &&
      fill_is_constant (def))
    *max_bytes -= MIN (entry->n_bytes, *max_bytes);
  return entry;
}

/* Takes ownership of the entry. */
static void
put_entry (GPtrArray    *entries,
           GHashTable   *indices,
           C2gFileEntry *entry)
{
  gpointer index;

  if (!g_hash_table_lookup_extended (indices, entry->name, NULL, &index))
    {
      g_hash_table_insert (indices, g_strdup (entry->name), GUINT_TO_POINTER (entries->len));
      g_ptr_array_add (entries, entry);
    }
  else if (entry->load == load_nothing)
    c2g_file_entry_unref (entry);
  else
    {
      c2g_file_entry_unref (entries->pdata[GPOINTER_TO_UINT (index)]);
      entries->pdata[GPOINTER_TO_UINT (index)] = entry;
    }
}

static gboolean
add_operator (C2gModelNet  *self,
              gsize         op,
              GPtrArray    *entries,
              GHashTable   *indices,
              guint64      *max_bytes,
              GError      **error)
{
  const Caffe2__OperatorDef *def = self->def->op[op];
  gboolean is_fill = fill_is_known (def);

  for (gsize i = 0; def->n_input == 0 && i < def->n_output; i++)
    {
      C2gFileEntry *entry = is_fill ? new_fill (self, op, max_bytes, error)
                                    : new_entry (self, op, def->output[i], "", error);

      if (entry == NULL)
        {
          prefix_operator (self, op, error);
          return FALSE;
        }
      put_entry (entries, indices, entry);
    }

  return TRUE;
}

GPtrArray *
c2g_model_net_read_entries (C2gModelNet  *self,
                            GError      **error)
{
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GHashTable) indices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint64 max_bytes = MAX_CONSTANT_BYTES;

  entries = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_entry_unref);
  for (gsize i = 0; i < self->def->n_op; i++)
    if (!add_operator (self, i, entries, indices, &max_bytes, error))
      return NULL;

  return g_steal_pointer (&entries);
}
