/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/io/c2g-text-private.h>
#include <c2g/io/c2g-wire-private.h>

/* A net as text. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         n_bytes)
{
  g_autoptr (GError) error = NULL;
  ProtobufCMessage *message;

  c2g_text_looks_like (&caffe2__net_def__descriptor, data, n_bytes);
  message = c2g_text_parse (&caffe2__net_def__descriptor, (const char *) data, n_bytes, &error);
  g_assert_true ((message != NULL) == (error == NULL));
  c2g_wire_free (message);
  return 0;
}
