/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-def-io-private.h>
#include <c2g/def/c2g-def-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/load/c2g-content-kind-private.h>
#include <c2g/io/load/c2g-foreign-private.h>
#include <c2g/io/stream/c2g-name-private.h>
#include <c2g/io/stream/c2g-sink-private.h>
#include <c2g/io/stream/c2g-source-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-text-private.h>
#include <c2g/io/wire/c2g-text-reader-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

/* Reads and writes definitions of every kind: bytes, text and files. The functions of each kind
 * call these with the descriptor of its message. If a file is not of the expected kind, the error
 * describes what it is instead. */

typedef struct
{
  const ProtobufCMessageDescriptor *descriptor;
  const char                       *description;
} MessageKind;

/* Ordered from strict to lax. No other message parses as a MetaNetDef, whose map entries need
 * keys; a BlobProto accepts almost anything, so it comes last. */
static const MessageKind message_kinds[] = {
  { &caffe2__meta_net_def__descriptor, N_("the description of a model (MetaNetDef)") },
  { &caffe2__net_def__descriptor, N_("a net (NetDef)") },
  { &caffe2__plan_def__descriptor, N_("a plan (PlanDef)") },
  { &caffe2__tensor_proto__descriptor, N_("a tensor (TensorProto)") },
  { &caffe2__blob_proto__descriptor, N_("a blob (BlobProto)") },
};

/* Kinds of files that are known by their first bytes. */
static const struct
{
  C2gContentKind  kind;
  const char     *description;
} marked_kinds[] = {
  { C2G_CONTENT_MINIDB, N_("a minidb database") },
  { C2G_CONTENT_LMDB, N_("an LMDB database") },
  { C2G_CONTENT_SAFETENSORS, N_("a safetensors file") },
  { C2G_CONTENT_NPY, N_("an array of NumPy") },
  { C2G_CONTENT_NPZ, N_("a ZIP archive, or one of NumPy's arrays") },
};

static const char *
describe_expected (const ProtobufCMessageDescriptor *expected)
{
  for (gsize i = 0; i < G_N_ELEMENTS (message_kinds); i++)
    if (message_kinds[i].descriptor == expected)
      return _(message_kinds[i].description);

  return expected->short_name;
}

/* Returns a description of the file if its first bytes tell what it is, otherwise NULL. */
static const char *
describe_marked (C2gSource *source)
{
  const char *foreign = NULL;
  C2gContentKind kind;

  if (!c2g_content_kind_guess (source, &kind, NULL))
    return NULL;

  /* An archive may come from another program, for example PyTorch: its files are told apart. */
  if (kind == C2G_CONTENT_FOREIGN || kind == C2G_CONTENT_NPZ)
    foreign = c2g_foreign_describe (source);
  for (gsize i = 0; foreign == NULL && i < G_N_ELEMENTS (marked_kinds); i++)
    if (marked_kinds[i].kind == kind)
      return _(marked_kinds[i].description);

  return foreign;
}

static gboolean
has_no_type (const Caffe2__NetDef *net)
{
  return net->n_op > 0 && net->op[0]->type == NULL;
}

/* Rejects parses by accident: the nets of a PlanDef, read as a NetDef, look like operators
 * without a type, and those of a MetaNetDef, read as a PlanDef, look like nets of such
 * operators. */
static gboolean
is_plausible (const ProtobufCMessage *message)
{
  const Caffe2__PlanDef *plan = (const Caffe2__PlanDef *) message;

  if (message->descriptor == &caffe2__net_def__descriptor)
    return !has_no_type ((const Caffe2__NetDef *) message);
  if (message->descriptor == &caffe2__plan_def__descriptor)
    return plan->n_network == 0 || !has_no_type (plan->network[0]);
  return TRUE;
}

/* Returns TRUE if the bytes parse as the message without unknown fields. With unknown fields
 * almost any bytes would parse. */
static gboolean
is_message (const ProtobufCMessageDescriptor *descriptor,
            const guint8                     *data,
            gsize                             n_bytes)
{
  ProtobufCMessage *message;
  gboolean is_known;

  if (c2g_text_looks_like (descriptor, data, n_bytes))
    message = c2g_text_parse (descriptor, (const char *) data, n_bytes, NULL);
  else
    message = c2g_wire_parse (descriptor, data, n_bytes, 0, NULL);
  if (message == NULL)
    return FALSE;

  is_known = message->n_unknown_fields == 0 && is_plausible (message);
  c2g_wire_free (message);
  return is_known;
}

static const char *
describe_message (const ProtobufCMessageDescriptor *expected,
                  GBytes                           *bytes)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);

  for (gsize i = 0; i < G_N_ELEMENTS (message_kinds); i++)
    if (message_kinds[i].descriptor != expected &&
        is_message (message_kinds[i].descriptor, data, n_bytes))
      return _(message_kinds[i].description);

  return NULL;
}

/* Returns TRUE if bytes that parsed as this message look more like another message type. */
static gboolean
is_doubtful (const ProtobufCMessage *message,
             GBytes                 *bytes)
{
  return !is_plausible (message) && describe_message (message->descriptor, bytes) != NULL;
}

static void
set_unexpected (const char                        *found,
                const ProtobufCMessageDescriptor  *expected,
                GError                           **error)
{
  g_clear_error (error);
  g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("This is %s, expected %s"), found,
               describe_expected (expected));
}

/* Improves the error for text that was read as binary, because it does not begin with the name of a
 * field. If it begins like protobuf's text, with a word and ':' or '{', the error names the place of
 * the mistake. */
static void
explain_text (const ProtobufCMessageDescriptor  *expected,
              const char                        *text,
              gsize                              n_bytes,
              GError                           **error)
{
  C2gTextReader reader = { text, text + n_bytes, text };
  g_autofree char *word = NULL;
  g_autoptr (GError) mistake = NULL;

  if (!c2g_text_is_readable ((const guint8 *) text, n_bytes))
    return;

  word = c2g_text_reader_take_word (&reader);
  if (word != NULL && (c2g_text_reader_accept (&reader, ':') || c2g_text_reader_accept (&reader, '{')))
    c2g_wire_free (c2g_text_parse (expected, text, n_bytes, &mistake));
  if (mistake == NULL)
    {
      set_unexpected (_("text"), expected, error);
      return;
    }

  g_clear_error (error);
  g_propagate_error (error, g_steal_pointer (&mistake));
}

/* Improves the error for a damaged file: if the file is valid as something else, the error says
 * so. BYTES are the content of the source. */
static void
explain_kind (const ProtobufCMessageDescriptor  *expected,
              C2gSource                         *source,
              GBytes                            *bytes,
              GError                           **error)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  const char *found;

  if (error == NULL || !g_error_matches (*error, C2G_ERROR, C2G_ERROR_CORRUPT))
    return;

  found = describe_marked (source);
  if (found == NULL)
    found = describe_message (expected, bytes);
  if (found == NULL)
    found = c2g_foreign_describe (source);
  if (found != NULL)
    set_unexpected (found, expected, error);
  else if (!c2g_text_looks_like (expected, data, n_bytes))
    explain_text (expected, (const char *) data, n_bytes, error);
}

static gpointer
new_take (ProtobufCMessage *message)
{
  return message != NULL ? c2g_def_new_take (message) : NULL;
}

gpointer
c2g_def_io_new_from_bytes (const ProtobufCMessageDescriptor  *descriptor,
                           GBytes                            *bytes,
                           GError                           **error)
{
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);

  return new_take (c2g_wire_parse (descriptor, data, n_bytes, 0, error));
}

gpointer
c2g_def_io_new_from_text (const ProtobufCMessageDescriptor  *descriptor,
                          const char                        *text,
                          GError                           **error)
{
  return new_take (c2g_text_parse (descriptor, text, strlen (text), error));
}

static GBytes *
read_source (C2gSource     *source,
             GCancellable  *cancellable,
             GError       **error)
{
  const C2gJob job = { .cancellable = cancellable };
  guint64 n_bytes = c2g_source_get_n_bytes (source);

  if (n_bytes > C2G_WIRE_MAX_BYTES)
    return c2g_fail_null (error, C2G_ERROR_RANGE,
                          _("A message of %" PRIu64 " bytes, the format allows %d"), n_bytes,
                          C2G_WIRE_MAX_BYTES);

  return c2g_source_ref_bytes (source, 0, n_bytes, &job, error);
}

static ProtobufCMessage *
parse_either (const ProtobufCMessageDescriptor  *descriptor,
              GBytes                            *bytes,
              GError                           **error)
{
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);

  if (c2g_text_looks_like (descriptor, data, n_bytes))
    return c2g_text_parse (descriptor, data, n_bytes, error);
  return c2g_wire_parse (descriptor, data, n_bytes, 0, error);
}

static ProtobufCMessage *
parse_source (const ProtobufCMessageDescriptor  *descriptor,
              C2gSource                         *source,
              GCancellable                      *cancellable,
              GError                           **error)
{
  g_autoptr (GBytes) bytes = read_source (source, cancellable, error);
  ProtobufCMessage *message;

  if (bytes == NULL)
    return NULL;

  message = parse_either (descriptor, bytes, error);
  if (message != NULL && is_doubtful (message, bytes))
    {
      c2g_wire_free (g_steal_pointer (&message));
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("An operator has no type"));
    }
  if (message == NULL)
    explain_kind (descriptor, source, bytes, error);
  return message;
}

gpointer
c2g_def_io_load_file (const ProtobufCMessageDescriptor  *descriptor,
                      GFile                             *file,
                      GCancellable                      *cancellable,
                      GError                           **error)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_file (file, cancellable, error);
  ProtobufCMessage *message;

  if (source == NULL)
    return NULL;

  message = parse_source (descriptor, source, cancellable, error);
  if (message == NULL)
    c2g_name_prefix_error (c2g_source_get_name (source), error);
  return new_take (message);
}

GBytes *
c2g_def_io_to_bytes (gpointer   self,
                     GError   **error)
{
  return c2g_wire_serialize (&((C2gDef *) self)->message, error);
}

char *
c2g_def_io_to_text (gpointer self)
{
  return c2g_text_print (&((C2gDef *) self)->message);
}

static GBytes *
write_message (gpointer   self,
               gboolean   is_text,
               GError   **error)
{
  char *text;

  if (!is_text)
    return c2g_def_io_to_bytes (self, error);

  text = c2g_def_io_to_text (self);
  return g_bytes_new_take (text, strlen (text));
}

static gboolean
write_file (GFile         *file,
            GBytes        *bytes,
            GCancellable  *cancellable,
            GError       **error)
{
  const C2gJob job = { .cancellable = cancellable };
  g_autoptr (C2gSink) sink = c2g_sink_new_for_file (file, cancellable, error);
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);

  return sink != NULL &&
         c2g_sink_write (sink, data, n_bytes, &job, error) &&
         c2g_sink_commit (sink, cancellable, error);
}

gboolean
c2g_def_io_save_file (gpointer       self,
                      GFile         *file,
                      gboolean       is_text,
                      GCancellable  *cancellable,
                      GError       **error)
{
  g_autoptr (GBytes) bytes = write_message (self, is_text, error);

  return bytes != NULL && write_file (file, bytes, cancellable, error);
}

/* Data of the thread that writes: the file and its new content. */
typedef struct
{
  GFile  *file;
  GBytes *bytes;
} SaveData;

static void
save_data_free (gpointer data)
{
  SaveData *save = data;

  g_object_unref (save->file);
  g_bytes_unref (save->bytes);
  g_free (save);
}

static void
save_in_thread (GTask        *task,
                gpointer      source_object,
                gpointer      task_data,
                GCancellable *cancellable)
{
  SaveData *save = task_data;
  GError *error = NULL;

  if (write_file (save->file, save->bytes, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
c2g_def_io_save_async (gpointer             self,
                       GFile               *file,
                       gboolean             is_text,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  GError *error = NULL;
  GBytes *bytes = write_message (self, is_text, &error);
  SaveData *save;

  g_task_set_source_tag (task, c2g_def_io_save_async);
  /* The result reports the file as written even if the task was cancelled just after that. */
  g_task_set_check_cancellable (task, FALSE);
  if (bytes == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  save = g_new (SaveData, 1);
  *save = (SaveData) { g_object_ref (file), bytes };
  g_task_set_task_data (task, save, save_data_free);
  g_task_run_in_thread (task, save_in_thread);
}

gboolean
c2g_def_io_save_finish (gpointer       self,
                        GAsyncResult  *result,
                        GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, c2g_def_io_save_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
