/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <string.h>

/* A few bytes may say that they need a lot of memory; more than this they do not get, as in
 * a program that sets itself a limit. */
#define MAX_BYTES (256u << 20)

int
LLVMFuzzerInitialize (int    *argc,
                      char ***argv)
{
  g_autoptr (C2gAllocator) upstream = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  g_autoptr (C2gAllocator) limited = c2g_limiting_allocator_new (upstream, MAX_BYTES);

  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), limited, NULL));
  /* A critical is a fault of c2g: nothing that is in a file is a programming mistake. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  return 0;
}

/* An error is well made: it has one of the known domains and something to say. */
static void
check_error (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (error->domain == C2G_ERROR || error->domain == G_IO_ERROR);
  g_assert_cmpuint (strlen (error->message), >, 0);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

void
fuzz_check_blob (C2gBlob *blob)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) first = c2g_blob_serialize (blob, "blob", &error);
  g_autoptr (GBytes) second = NULL;
  g_autoptr (C2gBlob) copy = c2g_blob_new ();

  if (first == NULL)
    {
      check_error (error);
      return;
    }
  if (!c2g_blob_deserialize (copy, first, &error))
    {
      /* The copy may not have fitted into memory beside the first. */
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
      return;
    }

  second = c2g_blob_serialize (copy, "blob", &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (first, second));
}

static void
check_workspace (C2gWorkspace  *workspace,
                 char         **names)
{
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, *name, NULL);

      g_assert_nonnull (blob);
      if (!c2g_blob_is_empty (blob))
        fuzz_check_blob (blob);
    }
}

void
fuzz_file (const guint8 *data,
           gsize         n_bytes,
           const char   *file_name)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, n_bytes);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gModelFile) model_file = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  g_auto (GStrv) left = NULL;

  model_file = c2g_model_file_new_from_bytes (bytes, file_name, &error);
  if (model_file != NULL)
    names = c2g_model_file_load (model_file, workspace, &error);
  if (names != NULL)
    {
      check_workspace (workspace, names);
      return;
    }

  /* All or nothing. */
  check_error (error);
  left = c2g_workspace_list_blobs (workspace);
  g_assert_cmpuint (g_strv_length (left), ==, 0);
}
