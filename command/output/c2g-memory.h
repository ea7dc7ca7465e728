/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* Limits the memory that a command allocates for tensors, because a few bytes in a file can request
 * a lot: a fill operator of a net, or a member of an archive that compresses well. */

/* The option --max-memory of every command. */
extern const GOptionEntry c2g_memory_options[];

/* Sets the limit; call it after parsing the options. */
void     c2g_memory_begin         (void);
/* Lowers the limit to the most that a valid file of this size needs, unless the user has set a
 * limit. */
void     c2g_memory_fit_file      (GFile         *file,
                                   GCancellable  *cancellable);
/* Checks that there is memory for a tensor of strings, which are allocated outside of the
 * tensor. */
gboolean c2g_memory_check_strings (C2gModelFile  *model_file,
                                   C2gFileEntry  *entry,
                                   GError       **error);
/* Prints which limit was reached, if one was. */
void     c2g_memory_end           (void);

G_END_DECLS
