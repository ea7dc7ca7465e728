/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "check-message.h"

#include <c2g/io/load/c2g-file-content-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-text-private.h>

static GPtrArray *
read_text (C2gSource  *source,
           GError    **error)
{
  g_autoptr (C2gModelNet) net = c2g_model_net_new (source, TRUE, NULL, error);

  return net == NULL ? NULL : c2g_model_net_read_entries (net, error);
}

/* Reads a net as text. */
void
fuzz_one (GBytes *bytes)
{
  const ProtobufCMessageDescriptor *descriptor = &caffe2__net_def__descriptor;
  g_autoptr (GError) error = NULL;
  ProtobufCMessage *message;
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);

  /* An empty file is no text. */
  if (n_bytes == 0)
    return;

  c2g_text_looks_like (descriptor, (const guint8 *) data, n_bytes);
  message = c2g_text_parse (descriptor, data, n_bytes, &error);
  g_assert_true ((message != NULL) == (error == NULL));
  if (message == NULL)
    fuzz_check_error (error);
  else
    {
      fuzz_check_message (message);
      fuzz_check_definition (message);
    }

  fuzz_reader (bytes, read_text);
}
