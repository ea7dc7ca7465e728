/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How buffers are stored in a file: each tensor is a blob. Its name begins with the buffer number,
 * as in the keys of Caffe2's databases. */
#define C2G_GST_RECORD_FORMAT "%08" G_GUINT64_FORMAT "/%s"

/* A blob of two numbers in nanoseconds: the running time of the buffer, and its duration or -1. */
#define C2G_GST_RECORD_TIME   "@time"

G_END_DECLS
