/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-blob-table-private.h>
#include <c2g/core/c2g-forward-private.h>
#include <c2g/core/c2g-workspace.h>

G_BEGIN_DECLS

/* What the list model has been told of the blobs: see c2g-workspace-list.c. */
typedef struct
{
  /* Whether anybody has used the list; written under the lock, read without. */
  int        is_used;
  gboolean   is_telling;

  /* The blobs as the owner knows them, a reference each. */
  GSequence *told;

  /* Of those, the ones that are gone: a reference each. */
  GPtrArray *removed;

  /* The first one the owner does not know. */
  C2gBlob   *first_untold;

  /* The owner. */
  GMainContext *context;
  GThread      *thread;
  GSource      *source;
} C2gWorkspaceList;

/* The files that nets may use; of a workspace what it was told, of anyone who asks all of it. */
typedef struct
{
  C2gFileAccess  access;
  gboolean       is_set;
  /* NULL: that of the parent. */
  char          *root_folder;
  char          *model_folder;
} C2gFileRules;

struct _C2gWorkspace
{
  GObject           parent_instance;

  /* Guards all that follows.  It is held for the look-up and the reference only,
   * for which a GRWLock takes longer, alone as with two threads at once. */
  GMutex            lock;
  gboolean          is_closed;

  /* The local blobs, a reference each, by name and in order of creation. */
  C2gBlobTable      blobs;
  C2gBlob          *first;
  C2gBlob          *last;

  C2gWorkspaceList  list;

  C2gForwardTable   forwards;

  C2gWorkspace     *parent;
  C2gFileRules      files;
};

#define C2G_DEFAULT_ROOT_FOLDER "."

/* How a name was looked for in vain. */
typedef struct
{
  /* Whether the workspace itself, not an ancestor, forwards the name. */
  gboolean  is_forwarded;
  /* What the last forward on the way stands for, or NULL. */
  char     *target;
} C2gMiss;

/* c2g-workspace.c */

/* A blob of this name, wherever it is; if there is none, miss says why and is to be
 * cleared. */
C2gBlob    *c2g_workspace_find                (C2gWorkspace         *self,
                                               const char           *name,
                                               C2gMiss              *miss);
void        c2g_miss_clear                    (C2gMiss              *miss);
void        c2g_workspace_set_not_found       (const char           *name,
                                               const C2gMiss        *miss,
                                               GError              **error);
gboolean    c2g_workspace_check_open          (C2gWorkspace         *self,
                                               GError              **error);
gboolean    c2g_workspace_check_name          (const char           *name,
                                               GError              **error);

/* Tell the list and those who listen that a blob has come, gone or got a name. */
void        c2g_workspace_emit_added          (C2gWorkspace         *self,
                                               C2gBlob              *blob);
void        c2g_workspace_emit_removed        (C2gWorkspace         *self,
                                               C2gBlob              *blob);
void        c2g_workspace_emit_renamed        (C2gWorkspace         *self,
                                               C2gBlob              *blob,
                                               const char           *old_name);

/* c2g-workspace-change.c */

/* Enters a named blob, with the lock held; takes the reference. */
void        c2g_workspace_add_locked          (C2gWorkspace         *self,
                                               C2gBlob              *blob,
                                               guint                 hash);

/* c2g-workspace-files.c */

/* Also what the ancestors say, where is_set tells whether any of them has a limit. */
void        c2g_workspace_get_file_rules      (C2gWorkspace         *self,
                                               C2gFileRules         *rules);
/* Copies them, for a workspace that stands in for another one. */
void        c2g_workspace_set_file_rules      (C2gWorkspace         *self,
                                               const C2gFileRules   *rules);
void        c2g_file_rules_clear              (C2gFileRules         *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gFileRules, c2g_file_rules_clear)

/* The blob of a named one's name, wherever it is; if there is none, that one is entered,
 * with what it holds, so that nobody sees it before it is whole. */
C2gBlob    *c2g_workspace_enter_blob          (C2gWorkspace         *self,
                                               C2gBlob              *blob,
                                               GError              **error);

/* c2g-workspace-listing.c */

/* The local blobs of one moment, a reference each, and their names. */
GPtrArray  *c2g_workspace_ref_local_blobs     (C2gWorkspace         *self,
                                               char               ***names);

/* c2g-workspace-list.c */

void        c2g_workspace_list_init_interface (GListModelInterface  *iface);
void        c2g_workspace_list_init           (C2gWorkspace         *self);
void        c2g_workspace_list_clear          (C2gWorkspace         *self);
void        c2g_workspace_list_finalize       (C2gWorkspace         *self);

/* Call before a change, without the lock: from now on the list is kept if
 * somebody listens to it. */
void        c2g_workspace_list_prepare        (C2gWorkspace         *self);
/* Notes a change, with the lock held. */
void        c2g_workspace_list_add_locked     (C2gWorkspace         *self,
                                               C2gBlob              *blob);
void        c2g_workspace_list_remove_locked  (C2gWorkspace         *self,
                                               C2gBlob              *blob);
/* Call after a change, without the lock: tells of it, now or in a while. */
void        c2g_workspace_list_changed        (C2gWorkspace         *self);

G_END_DECLS
