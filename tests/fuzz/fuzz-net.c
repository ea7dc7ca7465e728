/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/c2g-model-net-private.h>

static GPtrArray *
read_net (C2gSource  *source,
          GError    **error)
{
  g_autoptr (C2gModelNet) net = c2g_model_net_new (source, FALSE, NULL, error);

  return net == NULL ? NULL : c2g_model_net_read_entries (net, error);
}

/* A net as a message, with what its operators put into blobs. */
void
fuzz_one (GBytes *bytes)
{
  fuzz_reader (bytes, read_net);
}
