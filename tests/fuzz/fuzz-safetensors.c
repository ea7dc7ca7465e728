/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/safetensors/c2g-safetensors-private.h>

static GPtrArray *
read_entries (C2gSource  *source,
              GError    **error)
{
  return c2g_safetensors_read_entries (source, NULL, error);
}

static void
check_metadata (GHashTable *metadata)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, metadata);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      g_assert_true (g_utf8_validate (key, -1, NULL));
      g_assert_true (g_utf8_validate (value, -1, NULL));
    }
}

/* Reads a safetensors file, with its metadata and without. */
void
fuzz_one (GBytes *bytes)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "input");
  g_autoptr (GHashTable) metadata = NULL;
  g_autoptr (GPtrArray) entries = c2g_safetensors_read_entries (source, &metadata, NULL);

  if (entries != NULL && metadata != NULL)
    check_metadata (metadata);
  fuzz_reader (bytes, read_entries);
}
