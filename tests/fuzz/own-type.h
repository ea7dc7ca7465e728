/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

/* A type of the program, with a serializer that writes any number of chunks, and a plain element
 * type. */

#define FUZZ_TYPE_OWN (fuzz_own_get_type ())
G_DECLARE_FINAL_TYPE (FuzzOwn, fuzz_own, FUZZ, OWN, GObject)

/* The names of both types in files. */
#define FUZZ_OWN_BLOB_TYPE     "fuzz::Own"
#define FUZZ_OWN_ELEMENT_TYPE  "fuzz::Pair"
#define FUZZ_OWN_ELEMENT_BYTES 8

void fuzz_register_own_types (void);

/* Returns a blob with an object of the type that holds this text. */
C2gBlob *fuzz_new_own_blob (const char *text);
