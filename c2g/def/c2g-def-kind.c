/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-def-kind-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/io/load/c2g-content-kind-private.h>
#include <c2g/io/load/c2g-foreign-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-text-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

/* Describes the content of a file for the error message when it is not of the expected kind. */

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

gboolean
c2g_def_kind_is_doubtful (const ProtobufCMessage *message,
                          GBytes                 *bytes)
{
  return !is_plausible (message) && describe_message (message->descriptor, bytes) != NULL;
}

void
c2g_def_kind_explain (const ProtobufCMessageDescriptor  *expected,
                      C2gSource                         *source,
                      GBytes                            *bytes,
                      GError                           **error)
{
  const char *found;

  if (error == NULL || !g_error_matches (*error, C2G_ERROR, C2G_ERROR_CORRUPT))
    return;

  found = describe_marked (source);
  if (found == NULL)
    found = describe_message (expected, bytes);
  if (found == NULL)
    found = c2g_foreign_describe (source);
  if (found == NULL)
    return;

  g_clear_error (error);
  g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("This is %s, expected %s"), found,
               describe_expected (expected));
}
