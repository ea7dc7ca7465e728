/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* Opens a file from the command line. Options may be NULL. */
C2gModelFile *c2g_open (GFile           *file,
                        C2gLoadOptions  *options,
                        GCancellable    *cancellable,
                        GError         **error);

/* Returns the entries of a file in its order, of C2gFileEntry. */
GPtrArray *c2g_entries_new     (C2gModelFile  *model_file);
/* Checks that there are blobs. A database may be empty, but a net must fill at least one blob. */
gboolean   c2g_entries_check   (C2gModelFile  *model_file,
                                GPtrArray     *entries,
                                GError       **error);
/* Returns the sum of their bytes. */
guint64    c2g_entries_n_bytes (GPtrArray     *entries);

/* Returns the type, such as "tensor" or "string"; Caffe2's name for a type unknown to c2g. */
const char *c2g_entry_get_type  (C2gFileEntry *entry);
/* Returns TRUE if the entry has dimensions and elements. */
gboolean    c2g_entry_is_tensor (C2gFileEntry *entry);
/* Describes which elements the file has of a tensor; NULL stands for all. */
char       *c2g_entry_describe_part (C2gFileEntry *entry);
/* Loads the value of a constant entry with c2g_file_entry_load_constant(); an error names the file
 * too. */
C2gTensor  *c2g_entry_load_constant (C2gModelFile  *model_file,
                                     C2gFileEntry  *entry,
                                     GError       **error);
/* Adds the names of the file and the blob to an error. */
void        c2g_entry_prefix_error (C2gModelFile  *model_file,
                                    C2gFileEntry  *entry,
                                    GError       **error);
/* Checks that the file has all elements of the entry. */
gboolean    c2g_entry_check_whole (C2gModelFile  *model_file,
                                   C2gFileEntry  *entry,
                                   GError       **error);
/* Formats type and shape, such as "float [2, 3]". */
char       *c2g_entry_to_string (C2gFileEntry *entry);

/* Formats dimensions, such as "[2, 3]". */
char *c2g_dims_to_string (const gint64 *dims,
                          gsize         n_dims);
/* Formats a size, such as "2048 bytes (2.0 KiB)". */
char *c2g_size_to_string (guint64       n_bytes);

G_END_DECLS
