/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/lmdb/c2g-lmdb-file-private.h>
#include <c2g/io/load/c2g-load-options.h>
#include <c2g/io/load/c2g-model-file.h>
#include <c2g/io/load/c2g-model-net-private.h>
#include <c2g/io/message/c2g-entry-private.h>

G_BEGIN_DECLS

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

/* Both initialize SELF, also on failure; clear it with c2g_file_content_clear(). NAME, without
 * folder and suffix, is for blobs that have no name. */
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

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gFileContent, c2g_file_content_clear)

G_END_DECLS
