/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "fake-private.h"

struct _FakePool
{
  guint64    id;
  int        device;
  gboolean   is_default;
  gboolean   is_destroyed;
  gboolean   is_following_events;
  gboolean   is_opportunistic;
  gboolean   is_adding_dependencies;
  guint64    threshold;
  guint64    n_bytes_max;
  guint64    n_reserved;
  guint64    n_reserved_high;
  guint64    n_used;
  guint64    n_used_high;
  GPtrArray *chunks;
  enum cudaMemAccessFlags access[FAKE_CUDA_MAX_DEVICES];
};

FakePool    *fake_pool_new         (int           device,
                                    gboolean      is_default);
void         fake_pool_trim        (FakePool     *self,
                                    guint64       n_bytes);
FakePool    *fake_pool_get_default (int           device);
FakePool    *fake_pool_get         (int           device);
cudaError_t  fake_pool_find        (cudaMemPool_t handle,
                                    FakePool    **pool);
