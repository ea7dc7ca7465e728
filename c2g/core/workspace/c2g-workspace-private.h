/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/workspace/c2g-blob-private.h>
#include <c2g/core/workspace/c2g-workspace.h>

G_BEGIN_DECLS

/* A name in a workspace that refers to a blob of another workspace. */
typedef struct
{
  char         *name;
  C2gWorkspace *parent;
  char         *parent_name;

  /* Link in the order in which forwards were added. */
  GList         link;
} C2gForward;

/* The forwards of a workspace; it owns them. A zero-filled table is empty. */
typedef struct
{
  /* C2gForward by name; NULL while there is none. */
  GHashTable *by_name;
  GQueue      order;
} C2gForwardTable;

C2gForward *c2g_forward_new               (const char            *name,
                                           C2gWorkspace          *parent,
                                           const char            *parent_name);
/* Call it without a lock: it may drop the last reference to the parent. */
void        c2g_forward_free              (C2gForward            *self);
/* The same for elements of an array, which may be NULL. */
void        c2g_forward_free_if_any       (gpointer               data);
gboolean    c2g_forward_is_to             (const C2gForward      *self,
                                           C2gWorkspace          *parent,
                                           const char            *parent_name);

C2gForward *c2g_forward_table_lookup      (const C2gForwardTable *self,
                                           const char            *name);
void        c2g_forward_table_insert      (C2gForwardTable       *self,
                                           C2gForward            *forward);
void        c2g_forward_table_steal       (C2gForwardTable       *self,
                                           C2gForward            *forward);
/* Empties the table. Free the result after unlocking. */
GList      *c2g_forward_table_steal_all   (C2gForwardTable       *self);

/* An open-addressing hash table of blobs by name; a zero-filled one is empty. It holds no
 * references to the blobs, and reads their names, which must not change while a blob is in the
 * table. */
typedef struct
{
  /* Hash of each slot; 0 means that the slot is free. */
  guint32  *hashes;
  C2gBlob **blobs;
  gsize     n_slots;
  gsize     n_blobs;
} C2gBlobTable;

/* Returns the hash of a name, which is never 0. */
guint    c2g_blob_table_hash   (const char         *name);

/* hash is c2g_blob_table_hash (name), which callers compute before they take a lock. */
C2gBlob *c2g_blob_table_lookup (const C2gBlobTable *self,
                                const char         *name,
                                guint               hash);
/* Stores the hash in the blob, for removal. */
void     c2g_blob_table_insert (C2gBlobTable       *self,
                                C2gBlob            *blob,
                                guint               hash);
void     c2g_blob_table_remove (C2gBlobTable       *self,
                                C2gBlob            *blob);
void     c2g_blob_table_clear  (C2gBlobTable       *self);

/* State of the list model: see c2g-workspace-list.c. */
typedef struct
{
  /* Set once the list is used. Written under the lock, read atomically without it. */
  int        is_used;
  gboolean   is_telling;

  /* The blobs that the owner has been told of, with a reference to each. */
  GSequence *told;

  /* Blobs in `told` that have been removed since; holds a reference to each. */
  GPtrArray *removed;

  /* The first blob that the owner has not been told of. */
  C2gBlob   *first_untold;

  /* The main context and the thread that emit signals, and a source that wakes them. */
  GMainContext *context;
  GThread      *thread;
  GSource      *source;
} C2gWorkspaceList;

/* The files that nets may use. A workspace stores only what was set on it;
 * c2g_workspace_get_file_rules() fills in the rest from the ancestors. */
typedef struct
{
  C2gFileAccess  access;
  gboolean       is_set;
  /* NULL means that of the parent. */
  char          *root_folder;
  char          *model_folder;
} C2gFileRules;

struct _C2gWorkspace
{
  GObject           parent_instance;

  /* Protects all members below. Blobs and forwards are found, added, renamed and removed under it,
   * references are taken, names copied, and the list model is changed. Signals are emitted and
   * references dropped when it is free again. A GRWLock takes longer for a look-up, with one thread
   * and with two. */
  GMutex            lock;
  gboolean          is_closed;

  /* The local blobs, with a reference to each: a table by name, and a list in order of creation. */
  C2gBlobTable      blobs;
  C2gBlob          *first;
  C2gBlob          *last;

  C2gWorkspaceList  list;

  C2gForwardTable   forwards;

  C2gWorkspace     *parent;
  C2gFileRules      files;
};

#define C2G_DEFAULT_ROOT_FOLDER "."

/* Details of a look-up that found no blob. */
typedef struct
{
  /* Set if the workspace itself, not an ancestor, forwards the name. */
  gboolean  is_forwarded;
  /* Target name of the last forward on the way, or NULL. */
  char     *target;
} C2gMiss;

/* c2g-workspace.c */

/* Returns a reference to a blob of the workspace, of a forward, or of an ancestor. If there is
 * none, fills miss, which the caller must clear. */
C2gBlob    *c2g_workspace_find                (C2gWorkspace         *self,
                                               const char           *name,
                                               C2gMiss              *miss);
void        c2g_miss_clear                    (C2gMiss              *miss);
/* SELF must not be locked: the error lists its names. */
void        c2g_workspace_set_not_found       (C2gWorkspace         *self,
                                               const char           *name,
                                               const C2gMiss        *miss,
                                               GError              **error);
gboolean    c2g_workspace_check_open          (C2gWorkspace         *self,
                                               GError              **error);
gboolean    c2g_workspace_check_name          (const char           *name,
                                               GError              **error);

/* Emit the signals for a blob that was added, removed or renamed; also those of the list model. */
void        c2g_workspace_emit_added          (C2gWorkspace         *self,
                                               C2gBlob              *blob);
void        c2g_workspace_emit_removed        (C2gWorkspace         *self,
                                               C2gBlob              *blob);
void        c2g_workspace_emit_renamed        (C2gWorkspace         *self,
                                               C2gBlob              *blob,
                                               const char           *old_name);

/* c2g-workspace-change.c */

/* Adds a named blob, with the lock held; takes the reference. */
void        c2g_workspace_add_locked          (C2gWorkspace         *self,
                                               C2gBlob              *blob,
                                               guint                 hash);
/* Returns a reference to the blob that has the name of the given one. If there is none, adds the
 * given one with its content, so that no other thread sees it incomplete. */
C2gBlob    *c2g_workspace_enter_blob          (C2gWorkspace         *self,
                                               C2gBlob              *blob,
                                               GError              **error);

/* c2g-workspace-files.c */

/* Returns the rules including those of the ancestors. is_set tells if one of them has a limit.
 * The caller must clear them. */
void        c2g_workspace_get_file_rules      (C2gWorkspace         *self,
                                               C2gFileRules         *rules);
/* Sets all rules, for a workspace that replaces another one. */
void        c2g_workspace_set_file_rules      (C2gWorkspace         *self,
                                               const C2gFileRules   *rules);
void        c2g_file_rules_clear              (C2gFileRules         *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gFileRules, c2g_file_rules_clear)

/* c2g-workspace-listing.c */

/* Lists the blobs that a user knows: all of c2g_workspace_list_blobs() but the derived ones. */
char      **c2g_workspace_list_known_blobs    (C2gWorkspace         *self);
/* Marks a local blob, if there is one, as made from others. */
void        c2g_workspace_mark_derived        (C2gWorkspace         *self,
                                               const char           *name);
/* Returns the local blobs that are not derived, and their names, at one moment, with a reference
 * to each. */
GPtrArray  *c2g_workspace_ref_local_blobs     (C2gWorkspace         *self,
                                               char               ***names);

/* c2g-workspace-list.c */

void        c2g_workspace_list_init_interface (GListModelInterface  *iface);
void        c2g_workspace_list_init           (C2gWorkspace         *self);
void        c2g_workspace_list_clear          (C2gWorkspace         *self);
void        c2g_workspace_list_finalize       (C2gWorkspace         *self);

/* Call before a change, without the lock: starts the list if items-changed has a handler. */
void        c2g_workspace_list_prepare        (C2gWorkspace         *self);
/* Record a change; called with the lock held. */
void        c2g_workspace_list_add_locked     (C2gWorkspace         *self,
                                               C2gBlob              *blob);
void        c2g_workspace_list_remove_locked  (C2gWorkspace         *self,
                                               C2gBlob              *blob);
/* Call after a change, without the lock: emits the signals now, or lets the owner's thread do
 * it. */
void        c2g_workspace_list_changed        (C2gWorkspace         *self);

G_END_DECLS
