/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-job-private.h>
#include <c2g/io/stream/c2g-sink-private.h>

G_BEGIN_DECLS

/* A blob to be written into a file of a format that Caffe2 does not have, and its name. */
typedef struct
{
  char      *name;
  C2gBlob   *blob;
  /* The diff of a blob of Caffe, or NULL. */
  C2gTensor *diff;
} C2gSaveItem;

G_END_DECLS
