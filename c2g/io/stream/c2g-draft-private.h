/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Files and folders that are written beside the ones whose place they are to take.  Each is locked
 * with flock() as long as somebody works on it.  The lock ends with the process, so that a draft
 * without one is left over from a process that was killed. */

/* Removes what killed processes have left in a folder; what cannot be removed stays. */
void  c2g_draft_sweep       (const char  *folder);
/* Makes a locked file without a name, which ends with the process; -1 where there are none such. */
int   c2g_draft_open_nameless (const char *folder);
/* The same, or where that cannot be a locked file with a name, which is given at the path.  Gives
 * the descriptor, or -1 with errno set. */
int   c2g_draft_open_file   (const char  *folder,
                             char       **path);
/* Gives a file without a name one that no other has; NULL with errno set. */
char *c2g_draft_link_file   (const char  *folder,
                             int          fd);
/* Makes a folder, which the descriptor holds the lock of; NULL with errno set. */
char *c2g_draft_make_folder (const char  *parent,
                             int         *fd);
/* Removes such a folder with what is in it.  The content goes by the descriptor, so that nobody can put
 * another folder there meanwhile. */
void  c2g_draft_remove_folder (const char *path,
                               int         fd);
/* Brings the names in a folder to the disk; false with errno set. */
gboolean c2g_draft_sync_folder (const char *folder);

G_END_DECLS
