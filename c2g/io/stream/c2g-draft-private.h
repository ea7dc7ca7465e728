/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Temporary files and folders ("drafts"), written beside the target and renamed to it when
 * complete. The writer holds an flock() on its draft. The kernel drops the lock when a process
 * ends, so a draft without a lock was left behind by a killed process. */

/* Removes the drafts of killed processes in a folder. Errors are ignored. */
void  c2g_draft_sweep       (const char  *folder);
/* Opens a locked unnamed file (O_TMPFILE), which disappears with the process. Returns -1 if the
 * file system has none. */
int   c2g_draft_open_nameless (const char *folder);
/* The same; without O_TMPFILE, creates a locked file with a name and returns its path. Returns -1
 * with errno set on failure. */
int   c2g_draft_open_file   (const char  *folder,
                             char       **path);
/* Gives an unnamed file a unique name and returns its path; NULL with errno set on failure. */
char *c2g_draft_link_file   (const char  *folder,
                             int          fd);
/* Creates a draft folder and opens it with its lock. Returns the path; NULL with errno set on
 * failure. */
char *c2g_draft_make_folder (const char  *parent,
                             int         *fd);
/* Removes a draft folder and its files. The files are removed through the descriptor, so nobody can
 * put another folder in its place meanwhile. */
void  c2g_draft_remove_folder (const char *path,
                               int         fd);
/* Flushes the names in a folder to the disk; FALSE with errno set on failure. */
gboolean c2g_draft_sync_folder (const char *folder);

G_END_DECLS
