/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/io/c2g-model-net-private.h>
#include <c2g/io/c2g-text-private.h>
#include <c2g/io/c2g-wire-private.h>

static GPtrArray *
read_text (C2gSource  *source,
           GError    **error)
{
  g_autoptr (C2gModelNet) net = c2g_model_net_new (source, TRUE, NULL, error);

  return net == NULL ? NULL : c2g_model_net_read_entries (net, error);
}

/* What was read is a message that can be written and read. */
static void
check_message (ProtobufCMessage *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) first = c2g_wire_serialize (message, &error);
  g_autoptr (GBytes) second = NULL;
  ProtobufCMessage *copy;

  g_assert_no_error (error);
  copy = c2g_wire_parse (message->descriptor, g_bytes_get_data (first, NULL),
                         g_bytes_get_size (first), 0, &error);
  g_assert_no_error (error);
  second = c2g_wire_serialize (copy, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (first, second));
  c2g_wire_free (copy);
}

/* A net as text. */
void
fuzz_one (GBytes *bytes)
{
  const ProtobufCMessageDescriptor *descriptor = &caffe2__net_def__descriptor;
  g_autoptr (GError) error = NULL;
  ProtobufCMessage *message;
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);

  /* A file with nothing in it is no text. */
  if (n_bytes == 0)
    return;

  c2g_text_looks_like (descriptor, (const guint8 *) data, n_bytes);
  message = c2g_text_parse (descriptor, data, n_bytes, &error);
  g_assert_true ((message != NULL) == (error == NULL));
  if (message != NULL)
    check_message (message);
  else
    fuzz_check_error (error);
  c2g_wire_free (message);

  fuzz_reader (bytes, read_text);
}
