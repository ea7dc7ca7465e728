/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

#include <string.h>

#define STRV(...) ((const char *const[]) { __VA_ARGS__, NULL })

static inline C2gBlob *
create (C2gWorkspace *workspace,
        const char   *name)
{
  g_autoptr (GError) error = NULL;
  C2gBlob *blob = c2g_workspace_create_blob (workspace, name, &error);

  g_assert_no_error (error);
  g_assert_true (C2G_IS_BLOB (blob));
  g_object_unref (blob);

  return blob;
}

static inline C2gBlob *
create_local (C2gWorkspace *workspace,
              const char   *name)
{
  g_autoptr (GError) error = NULL;
  C2gBlob *blob = c2g_workspace_create_local_blob (workspace, name, &error);

  g_assert_no_error (error);
  g_assert_true (C2G_IS_BLOB (blob));
  g_object_unref (blob);

  return blob;
}

/* Returns a borrowed pointer to the blob, or NULL if there is none. */
static inline C2gBlob *
get (C2gWorkspace *workspace,
     const char   *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, &error);

  g_assert_true ((blob != NULL) == c2g_workspace_has_blob (workspace, name));
  if (blob == NULL)
    g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  else
    g_assert_no_error (error);

  return blob;
}

static inline void
assert_names (char       **names,
              const char  *expected)
{
  g_autofree char *joined = g_strjoinv (" ", names);

  g_assert_cmpstr (joined, ==, expected);
  g_strfreev (names);
}

static inline void
map (C2gWorkspace      *workspace,
     C2gWorkspace      *parent,
     const char *const *names,
     const char *const *parent_names)
{
  g_autoptr (GError) error = NULL;

  c2g_workspace_add_blob_mapping (workspace, parent, names, parent_names, FALSE, &error);
  g_assert_no_error (error);
}
