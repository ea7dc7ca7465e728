/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "fake-private.h"

typedef struct
{
  char          *name;
  /* NULL if the kernel is not emulated. */
  FakeCudaInvoke invoke;
  FakeCudaNote   note;
  guint          n_args;
  size_t        *arg_sizes;
  /* An element for each argument; NULL before the mangled name is read. */
  gboolean      *is_read_only;
  int            n_max_shared_bytes;
  int            carveout;
} FakeKernel;

void        fake_kernels_open     (void);
FakeKernel *fake_kernel_find      (gconstpointer function);
void        fake_kernel_read_name (FakeKernel   *self);
