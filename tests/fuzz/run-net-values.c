/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "run-net.h"

#include <math.h>

static const char *const texts[] = {
  "NCHW", "NHWC", "", "minidb", "lmdb", "one.minidb", "two.minidb", "three",
  /* Policies of learning rates */
  "fixed", "alter", "hill", "slope", "step", "exp", "gate", "inv", "poly", "linearWarmup",
  "constantWarmup", "pieceWarmup", "cyclical", "cosine", "constantThenLinearWarmup", "composite",
  "compositeCosine", "compositeCyclical",
  /* Modes */
  "constant", "reflect", "edge", "sequence", "window", "upper", "lower", "upperdiag", "lowerdiag",
  "linear", "gaussian",
  /* Types and blobs */
  "float", "int32", "int64", "b0", "b1", "o0", "o1",
  /* Orders, and an invalid one */
  "c", "CWHN", "a rather long text that is no name of anything"
};

static const gint64 hostile_ints[] = {
  -1, -2, -3, 16, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 257, 1000, 4096, 65535, 65536,
  1 << 20, G_MAXINT32 - 1, G_MAXINT32, G_MININT32, (gint64) G_MAXINT32 + 1, G_MAXUINT32,
  (gint64) 1 << 40, ((gint64) 1 << 61) + 1, (gint64) 1 << 62, G_MAXINT64, G_MAXINT64 - 1,
  G_MININT64, G_MININT64 + 1
};

static const double hostile_floats[] = {
  -1, -0.5, 1e-8, 1e-38, 1e-45, 1e10, -1e10, 2147483648.0, 9.3e18, -9.3e18, 3.4e38, -3.4e38,
  16777217, 65504, 65520, 1e300, NAN, INFINITY, -INFINITY, -0.0
};

static const gint64 large_dims[] = {
  1000, 65536, G_MAXINT32, (gint64) 1 << 40, ((gint64) 1 << 61) + 1, G_MAXINT64
};

const char *
run_net_pick_text (guint8 byte)
{
  return texts[byte % G_N_ELEMENTS (texts)];
}

gint64
run_net_pick_int (guint8 byte)
{
  if (byte >= 192)
    return hostile_ints[byte % G_N_ELEMENTS (hostile_ints)];
  return byte % 12 < 8 ? byte % 12 % 5 : byte % 12 - 5;
}

double
run_net_pick_float (guint8 byte)
{
  if (byte >= 192)
    return hostile_floats[byte % G_N_ELEMENTS (hostile_floats)];
  return (byte % 16 - 4) / (double) (byte / 64 * 2 + 1);
}

gint64
run_net_pick_large (guint8 byte)
{
  return large_dims[byte % G_N_ELEMENTS (large_dims)];
}
