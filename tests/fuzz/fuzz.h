/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/content/c2g-entry-private.h>
#include <c2g/io/stream/c2g-source-private.h>

#include <c2g/c2g.h>

/* What the targets share.  Each gives bytes to one reader: whatever they are, the reader has
 * to come to an end, with what it reads or with an error, and to give all memory back.
 */

/* libFuzzer calls this function. */
int           LLVMFuzzerInitialize   (int                *argc,
                                      char             ***argv);
int           LLVMFuzzerTestOneInput (const guint8       *data,
                                      gsize               n_bytes);

/* A target does its work with the bytes here.  Afterwards no tensor may have memory any more. */
void          fuzz_one               (GBytes             *bytes);

/* A reader that lists what is in a file. */
typedef GPtrArray *(*FuzzReadFunc) (C2gSource  *source,
                                    GError    **error);
void          fuzz_reader            (GBytes             *bytes,
                                      FuzzReadFunc        read);

/* Opens the bytes as a file of this name, loads it in every way, and looks at what came of
 * it. */
void          fuzz_file              (GBytes             *bytes,
                                      const char         *file_name);
void          fuzz_model_file        (C2gModelFile       *model_file);

/* An error is well made: it has one of the known domains and something to say. */
void          fuzz_check_error       (const GError       *error);
/* Checks that the entries of a file of so many bytes make sense. */
void          fuzz_check_entry       (C2gFileEntry       *entry);
/* The same that loading gave. */
void          fuzz_check_agrees      (C2gFileEntry       *entry,
                                      C2gBlob            *blob);
/* A blob that was read must be writable, and what was written must read the same. */
void          fuzz_check_blob        (C2gBlob            *blob);
void          fuzz_check_equal       (C2gBlob            *first,
                                      C2gBlob            *second);

/* A blob that has something in it, which an error has to leave as it was. */
C2gBlob      *fuzz_new_blob          (void);
void          fuzz_check_untouched   (C2gBlob            *blob);

/* Walks over a database until the end or an error, and counts the records. */
guint64       fuzz_walk              (C2gDbCursor        *cursor,
                                      guint64             max_records,
                                      GError            **error);
/* The same twice, from the first record on. */
void          fuzz_cursor            (C2gDbCursor        *cursor,
                                      guint64             max_records);

/* A folder for files, the same each time; who runs the target removes it. */
const char   *fuzz_get_folder        (void);
