/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Lists the files in the folder whose names end with PART and one of the endings, the best match
 * first: shorter names come first. */
GPtrArray *c2g_folder_list_files   (GFile              *folder,
                                    const char         *part,
                                    const char *const  *endings,
                                    GCancellable       *cancellable,
                                    GError            **error);

/* Finds the only file with one of the endings. ERROR has been set because the folder has nothing
 * better, and is cleared if there is such a file. It names those that there are if they are several,
 * and otherwise the files of the folder. */
GFile     *c2g_folder_find_instead (GFile              *folder,
                                    const char *const  *endings,
                                    GCancellable       *cancellable,
                                    GError            **error);

/* Sets the error for several files of which none is preferred. EXAMPLE is what to name instead of
 * the folder, or NULL for the first file. */
void       c2g_folder_refuse       (GFile              *folder,
                                    GPtrArray          *names,
                                    const char         *example,
                                    GError            **error);

G_END_DECLS
