/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* The bounds of what a command may take for its tensors.  A few bytes can ask for a lot: a fill
 * of a net, or a member of an archive that compresses well. */

/* The option --max-memory, which is there for every command. */
extern const GOptionEntry c2g_memory_options[];

/* Begins to watch, after the options have been read. */
void     c2g_memory_begin         (void);
/* Lets what is made of a file take no more than a sound file of its size can need, unless the
 * user has set another limit. */
void     c2g_memory_fit_file      (GFile         *file,
                                   GCancellable  *cancellable);
/* Checks that there is room for a tensor of strings, which are in memory of their own. */
gboolean c2g_memory_check_strings (C2gModelFile  *model_file,
                                   C2gFileEntry  *entry,
                                   GError       **error);
/* Says which limit was reached, if one was. */
void     c2g_memory_end           (void);

G_END_DECLS
