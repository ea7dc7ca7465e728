/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "check-message.h"

#include <c2g/io/load/c2g-file-content-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-wire-private.h>

static GPtrArray *
read_net (C2gSource  *source,
          GError    **error)
{
  g_autoptr (C2gModelNet) net = c2g_model_net_new (source, FALSE, NULL, error);

  return net == NULL ? NULL : c2g_model_net_read_entries (net, error);
}

static void
try_message (const ProtobufCMessageDescriptor *descriptor,
             GBytes                           *bytes)
{
  g_autoptr (GError) error = NULL;
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);
  ProtobufCMessage *message = c2g_wire_parse (descriptor, data, n_bytes, 0, &error);

  g_assert_true ((message != NULL) == (error == NULL));
  if (message == NULL)
    {
      fuzz_check_error (error);
      return;
    }

  fuzz_check_message (message);
  fuzz_check_definition (message);
}

/* Reads a net as a message, and evaluates the operators that fill blobs. Also reads the other
 * messages that contain nets. */
void
fuzz_one (GBytes *bytes)
{
  fuzz_reader (bytes, read_net);
  try_message (&caffe2__net_def__descriptor, bytes);
  try_message (&caffe2__plan_def__descriptor, bytes);
  try_message (&caffe2__meta_net_def__descriptor, bytes);
}
