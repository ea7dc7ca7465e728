/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/load/c2g-model-file.h>
#include <c2g/io/message/c2g-entry-private.h>

G_BEGIN_DECLS

/* Array of C2gFileEntry, in the order of the file. */
GPtrArray *c2g_model_file_peek_entries  (C2gModelFile  *self);
/* NULL if the content is in memory. */
GFile     *c2g_model_file_peek_file     (C2gModelFile  *self);
/* Returns a new blob with the content of an entry; errors name the file. */
C2gBlob   *c2g_model_file_load_entry    (C2gModelFile  *self,
                                         C2gFileEntry  *entry,
                                         gboolean       as_sample,
                                         const C2gJob  *job,
                                         GError       **error);
/* Fails if another process has overwritten the file since it was opened. */
gboolean   c2g_model_file_check_current (C2gModelFile  *self,
                                         GError       **error);
/* Puts the name of the file before the message, if it is not there yet. */
void       c2g_model_file_prefix_error  (C2gModelFile  *self,
                                         GError       **error);

G_END_DECLS
