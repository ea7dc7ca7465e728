/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-entry-private.h>
#include <c2g/io/c2g-load-options-private.h>
#include <c2g/io/c2g-model-file.h>

G_BEGIN_DECLS

/* What is to be loaded: an entry of a file, under a name. */
typedef struct
{
  char         *name;
  /* Both are borrowed. */
  C2gModelFile *file;
  C2gFileEntry *entry;
} C2gLoadItem;

/* What of files, C2gModelFile, the options want, as C2gLoadItem in the order of the files.
 * Refuses options that do not fit together, names that are in no file, and two blobs for
 * one name.
 */
GPtrArray *c2g_load_plan_make (GPtrArray       *files,
                               C2gLoadOptions  *options,
                               GError         **error);

G_END_DECLS
