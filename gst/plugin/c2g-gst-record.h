/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The tensors of a buffer are blobs of a file.  Their names begin with the number of the buffer, as Caffe2
 * writes the keys of its databases. */
#define C2G_GST_RECORD_FORMAT "%08" G_GUINT64_FORMAT "/%s"

/* A blob of two numbers: the running time of the buffer and its duration, or -1 for none, in nanoseconds. */
#define C2G_GST_RECORD_TIME   "@time"

G_END_DECLS
