/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/cuda/cuda-utils.h"

G_BEGIN_DECLS

/* Operators on a device against those of the CPU. */

/* The text is what stands behind the blobs.  Inputs are of those that nets_add_inputs() makes;
 * outputs are one, “result”, unless they are named, and may be inputs. */
typedef struct
{
  const char *inputs;
  const char *text;
  const char *outputs;
} NetsCase;

/* Fills a blob on the CPU with numbers that look like any. */
void       nets_add_input    (C2gWorkspace    *workspace,
                              const char      *name,
                              const gint64    *dims,
                              gsize            n_dims);
void       nets_add_inputs   (C2gWorkspace    *workspace);
/* Returns the content of a blob of a device, on the CPU. */
C2gTensor *nets_fetch        (C2gWorkspace    *workspace,
                              const char      *name,
                              C2gDevice       *device) G_GNUC_WARN_UNUSED_RESULT;
void       nets_assert_close (C2gTensor       *result,
                              C2gTensor       *expected);

/* Runs one on the CPU and on the device in a net of that kind, twice each: the second time with
 * blobs that have memory already. */
void       nets_check_case   (const NetsCase  *test,
                              const char      *kind);
/* That the device says so, before anything is made. */
void       nets_check_error  (const NetsCase  *test,
                              C2gError         code,
                              const char      *part);

G_END_DECLS
