/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* Opens what a command line names.  Options may be NULL. */
C2gModelFile *c2g_open (GFile           *file,
                        C2gLoadOptions  *options,
                        GCancellable    *cancellable,
                        GError         **error);

/* Returns the entries of a file in its order, of C2gFileEntry. */
GPtrArray *c2g_entries_new     (C2gModelFile  *model_file);
/* Whether there is something to work on; a database may be empty, but of a net that fills
 * no blob with values, somebody expects too much. */
gboolean   c2g_entries_check   (C2gModelFile  *model_file,
                                GPtrArray     *entries,
                                GError       **error);
/* The bytes of all of them. */
guint64    c2g_entries_n_bytes (GPtrArray     *entries);

/* "tensor", "string" and so on; what Caffe2 calls it, if it is nothing of c2g's. */
const char *c2g_entry_get_type  (C2gFileEntry *entry);
/* Tells whether it has dimensions and elements. */
gboolean    c2g_entry_is_tensor (C2gFileEntry *entry);
/* Describes which elements the file has of a tensor; NULL stands for all. */
char       *c2g_entry_describe_part (C2gFileEntry *entry);
/* The value of an entry that is a constant, as c2g_file_entry_load_constant() gives it; an error
 * names the file, too. */
C2gTensor  *c2g_entry_load_constant (C2gModelFile  *model_file,
                                     C2gFileEntry  *entry,
                                     GError       **error);
/* Puts the names of the file and the blob before an error that has neither. */
void        c2g_entry_prefix_error (C2gModelFile  *model_file,
                                    C2gFileEntry  *entry,
                                    GError       **error);
/* Checks that the file has all of it. */
gboolean    c2g_entry_check_whole (C2gModelFile  *model_file,
                                   C2gFileEntry  *entry,
                                   GError       **error);
/* "float [2, 3]". */
char       *c2g_entry_to_string (C2gFileEntry *entry);

/* "[2, 3]". */
char *c2g_dims_to_string (const gint64 *dims,
                          gsize         n_dims);
/* "2048 bytes (2.0 KiB)". */
char *c2g_size_to_string (guint64       n_bytes);

G_END_DECLS
