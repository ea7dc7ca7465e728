/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/workspace/c2g-workspace-private.h>

#include <sys/types.h>

G_BEGIN_DECLS

/* The use that an operator wants to make of a file that its net names. */

typedef enum
{
  C2G_FILE_USE_READ,
  /* Only to check that the file exists. */
  C2G_FILE_USE_LOOK,
  C2G_FILE_USE_WRITE,
} C2gFileUse;

/* Returns the file, or C2G_ERROR_DENIED. Every path that a net can choose goes through here. USER
 * is the operator type for the message. IS_ABSOLUTE means relative to the working directory, like
 * Caffe2's argument absolute_path. */
GFile    *c2g_net_file_find      (const C2gFileRules  *rules,
                                  const char          *user,
                                  const char          *path,
                                  gboolean             is_absolute,
                                  C2gFileUse           use,
                                  GError             **error);

/* Returns TRUE if the file was found under an access limit. Its path had no symbolic link then,
 * and c2g_net_file_open() follows none, so that a link added later has no effect. */
gboolean  c2g_net_file_is_confined (GFile             *file);
/* Like g_file_get_child(). The child is confined if the folder is. */
GFile    *c2g_net_file_get_child (GFile               *folder,
                                  const char          *name);
/* Like open(): -1 with errno on failure. */
int       c2g_net_file_open      (GFile               *file,
                                  int                  flags,
                                  mode_t               mode);
/* Opens the folder of a confined file; -1 with errno on failure. */
int       c2g_net_file_open_folder (GFile             *file);

G_END_DECLS
