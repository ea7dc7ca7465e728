/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-db-cursor-private.h>
#include <c2g/io/lmdb/c2g-lmdb-file-private.h>
#include <c2g/io/load/c2g-load-options.h>
#include <c2g/io/load/c2g-model-file.h>
#include <c2g/io/message/c2g-entry-private.h>

G_BEGIN_DECLS

/* An immutable net that was read from a file. */
typedef struct _C2gModelNet C2gModelNet;

C2gModelNet *c2g_model_net_new                   (C2gSource      *source,
                                                  gboolean        is_text,
                                                  GCancellable   *cancellable,
                                                  GError        **error);
void         c2g_model_net_unref                 (C2gModelNet    *self);

/* NULL if it has none. */
const char  *c2g_model_net_get_name              (C2gModelNet    *self);
/* Counts the operators of one type, or all for NULL. */
guint        c2g_model_net_get_n_operators       (C2gModelNet    *self,
                                                  const char     *type);
char       **c2g_model_net_list_operator_types   (C2gModelNet    *self);
char       **c2g_model_net_list_external_inputs  (C2gModelNet    *self);
char       **c2g_model_net_list_external_outputs (C2gModelNet    *self);

/* Returns entries for the outputs of operators without inputs. The last operator that fills a
 * blob counts. A blob with unknown content is listed as empty. */
GPtrArray   *c2g_model_net_read_entries          (C2gModelNet    *self,
                                                  GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gModelNet, c2g_model_net_unref)

/* The content of a file, without values. */
typedef struct
{
  C2gModelFileKind  kind;
  /* Array of C2gFileEntry, in the order of the file. */
  GPtrArray        *entries;

  /* Set for some kinds of files only; NULL otherwise. */
  GHashTable       *metadata;
  /* The name of the net in a .caffemodel. */
  char             *net_name;
  C2gModelNet      *net;
  C2gLmdbFile      *lmdb;
} C2gFileContent;

/* Both initialize SELF, also on failure; clear it with c2g_file_content_clear(). NAME is the name of the
 * file. Without its folder and suffix it becomes the name of a blob that has none. */
gboolean c2g_file_content_read_file   (C2gFileContent  *self,
                                       GFile           *file,
                                       const char      *name,
                                       C2gLoadOptions  *options,
                                       GCancellable    *cancellable,
                                       GError         **error);
gboolean c2g_file_content_read_source (C2gFileContent  *self,
                                       C2gSource       *source,
                                       const char      *name,
                                       GCancellable    *cancellable,
                                       GError         **error);
void     c2g_file_content_clear       (C2gFileContent  *self);

/* Returns the blobs of a checkpoint as C2gFileEntry, in order of first appearance. Records with
 * the keys name#%number are chunks of one blob. Values are not read. */
GPtrArray *c2g_checkpoint_read_entries (C2gDbCursor    *cursor,
                                        GCancellable   *cancellable,
                                        GError        **error);

/* Returns the single entry of a file that is one BlobProto or TensorProto. own_name is for a
 * message without a name. */
GPtrArray *c2g_single_read_entries     (C2gSource      *source,
                                        const char     *own_name,
                                        GError        **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gFileContent, c2g_file_content_clear)

G_END_DECLS
