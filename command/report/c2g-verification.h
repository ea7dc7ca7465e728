/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

#include "output/c2g-watch.h"

G_BEGIN_DECLS

/* A problem of a file, or of a blob in it. */
typedef struct
{
  /* NULL for a problem of the file. */
  C2gFileEntry *entry;
  GError       *error;
} C2gProblem;

/* The result for one file. */
typedef struct
{
  char         *argument;
  /* NULL if the file could not be opened, which is then the only problem. */
  C2gModelFile *model_file;
  /* The entries (C2gFileEntry), and the bytes that they take in memory. */
  GPtrArray    *entries;
  guint64       n_bytes;
  /* Elements are of type C2gProblem. */
  GPtrArray    *problems;
} C2gVerification;

/* Reads all contents of the file. Returns NULL only if it was cancelled. */
C2gVerification *c2g_verification_new  (const char       *argument,
                                        C2gWatch         *watch,
                                        GError          **error);
void             c2g_verification_free (C2gVerification  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gVerification, c2g_verification_free)

G_END_DECLS
