/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-workspace-private.h>

#include <sys/types.h>

G_BEGIN_DECLS

/* Files that a net names, or a file that a net loads. */

typedef enum
{
  C2G_FILE_USE_READ,
  /* To learn whether the file is there. */
  C2G_FILE_USE_LOOK,
  C2G_FILE_USE_WRITE,
} C2gFileUse;

/* The file, or C2G_ERROR_DENIED.  Every path that a net can choose goes through here.
 * User is who wants it, for the message: the type of an operator.  Is_absolute: the path is
 * meant from where the program runs, as Caffe2's argument absolute_path says. */
GFile    *c2g_net_file_find      (const C2gFileRules  *rules,
                                  const char          *user,
                                  const char          *path,
                                  gboolean             is_absolute,
                                  C2gFileUse           use,
                                  GError             **error);

/* A file found under a limit is confined: its path has no symbolic link, and nobody can put
 * one there between that and the opening, because the opening follows none. */
gboolean  c2g_net_file_is_confined (GFile             *file);
/* As g_file_get_child(), and confined as the folder is. */
GFile    *c2g_net_file_get_child (GFile               *folder,
                                  const char          *name);
/* As open(): -1 with errno. */
int       c2g_net_file_open      (GFile               *file,
                                  int                  flags,
                                  mode_t               mode);
/* The folder that a confined file is in; -1 with errno. */
int       c2g_net_file_open_folder (GFile             *file);

G_END_DECLS
