/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/message/c2g-entry-private.h>
#include <c2g/io/stream/c2g-source-private.h>

#include <c2g/c2g.h>

/* Shared functions of the targets. Each target gives bytes to one reader. The reader must end with
 * a result or an error, whatever the bytes are, and must free all memory. */

/* libFuzzer calls this function. */
int           LLVMFuzzerInitialize   (int                *argc,
                                      char             ***argv);
int           LLVMFuzzerTestOneInput (const guint8       *data,
                                      gsize               n_bytes);

/* Each target reads the bytes in this function. Afterwards no tensor may have memory any more. */
void          fuzz_one               (GBytes             *bytes);

/* A reader that lists what is in a file. */
typedef GPtrArray *(*FuzzReadFunc) (C2gSource  *source,
                                    GError    **error);
void          fuzz_reader            (GBytes             *bytes,
                                      FuzzReadFunc        read);

/* Opens the bytes as a file of this name, loads it in every way, and checks the result. */
void          fuzz_file              (GBytes             *bytes,
                                      const char         *file_name);
void          fuzz_model_file        (C2gModelFile       *model_file);

/* Checks that an error has one of the known domains, and a message. */
void          fuzz_check_error       (const GError       *error);
/* Checks that the entries of a file of this size make sense. */
void          fuzz_check_entry       (C2gFileEntry       *entry);
/* Checks that the entries agree with the loaded blobs. */
void          fuzz_check_agrees      (C2gFileEntry       *entry,
                                      C2gBlob            *blob);
/* A blob that was read must be writable, and what was written must read the same. */
void          fuzz_check_blob        (C2gBlob            *blob);
void          fuzz_check_equal       (C2gBlob            *first,
                                      C2gBlob            *second);

/* Returns a blob with content, which an error must not change. */
C2gBlob      *fuzz_new_blob          (void);
void          fuzz_check_untouched   (C2gBlob            *blob);

/* Walks over a database until the end or an error, and counts the records. */
guint64       fuzz_walk              (C2gDbCursor        *cursor,
                                      guint64             max_records,
                                      GError            **error);
/* Walks twice from the first record, and checks that both walks give the same. */
void          fuzz_cursor            (C2gDbCursor        *cursor,
                                      guint64             max_records);

/* Returns a folder for files, which is always the same. The script that runs the target removes
 * it. */
const char   *fuzz_get_folder        (void);
