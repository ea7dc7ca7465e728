/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/cuda/cuda-utils.h"

G_BEGIN_DECLS

/* Compares operators on a device with those of the CPU. */

/* text has the type and the arguments of the operator. Inputs are among those of nets_add_inputs().
 * The output is "result" unless outputs are named, which may be inputs. near_inputs stay on the CPU when
 * the operator runs on the device. */
typedef struct
{
  const char *inputs;
  const char *text;
  const char *outputs;
  const char *near_inputs;
} NetsCase;

/* Fills a blob on the CPU with varied numbers. */
void       nets_add_input    (C2gWorkspace    *workspace,
                              const char      *name,
                              const gint64    *dims,
                              gsize            n_dims);
void       nets_add_inputs   (C2gWorkspace    *workspace);
/* Copies a blob of a device to the CPU. */
C2gTensor *nets_fetch        (C2gWorkspace    *workspace,
                              const char      *name,
                              C2gDevice       *device) G_GNUC_WARN_UNUSED_RESULT;
void       nets_assert_close (C2gTensor       *result,
                              C2gTensor       *expected);

/* Runs a case on the CPU and on the device in a net of that kind, twice each: the second time the
 * blobs have memory already. */
void       nets_check_case   (const NetsCase  *test,
                              const char      *kind);
/* Asserts that running the case on the device fails with this error. */
void       nets_check_error  (const NetsCase  *test,
                              C2gError         code,
                              const char      *part);
/* Asserts that running the case fails with the same error on the CPU and on the device. */
void       nets_check_alike  (const NetsCase  *test);

/* Calls the function with the folder of each trained model that is there, and with the shape of its
 * input. */
void       nets_foreach_model (void (*check) (GFile        *folder,
                                              const gint64 *dims));

G_END_DECLS
