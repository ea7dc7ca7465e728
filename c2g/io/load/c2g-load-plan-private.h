/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/content/c2g-entry-private.h>
#include <c2g/io/load/c2g-load-options-private.h>
#include <c2g/io/load/c2g-model-file.h>

G_BEGIN_DECLS

/* An entry of a file, and the name to load it under. */
typedef struct
{
  char         *name;
  /* Both are borrowed. */
  C2gModelFile *file;
  C2gFileEntry *entry;
} C2gLoadItem;

/* Selects the entries of the files (C2gModelFile) that the options want. Returns C2gLoadItem in
 * the order of the files. Refuses inconsistent options, names that are in no file, and two blobs
 * for one name. */
GPtrArray *c2g_load_plan_make (GPtrArray       *files,
                               C2gLoadOptions  *options,
                               GError         **error);

G_END_DECLS
