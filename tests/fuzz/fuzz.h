/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

/* What the targets share.  Each gives bytes to one reader: whatever they are, the reader has
 * to come to an end, with a blob or with an error, and to give all memory back.
 */

/* What libFuzzer calls. */
int  LLVMFuzzerInitialize   (int            *argc,
                             char         ***argv);
int  LLVMFuzzerTestOneInput (const guint8   *data,
                             gsize           n_bytes);

/* Opens the bytes as a file of this name, loads it, and looks at what came of it. */
void fuzz_file              (const guint8   *data,
                             gsize           n_bytes,
                             const char     *file_name);
/* A blob that was read must be writable, and what was written must read the same. */
void fuzz_check_blob        (C2gBlob        *blob);
