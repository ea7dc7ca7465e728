/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-upstream-private.h"

#include "c2g-allocator-private.h"
#include "c2g-device.h"

GParamSpec *
c2g_upstream_param_spec (void)
{
  return g_param_spec_object ("upstream", NULL, NULL,
                              C2G_TYPE_ALLOCATOR,
                              G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY |
                                G_PARAM_STATIC_STRINGS);
}

void
c2g_upstream_ensure (C2gAllocator **upstream)
{
  if (*upstream == NULL)
    *upstream = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  if (*upstream == NULL)
    *upstream = g_object_ref (c2g_allocator_builtin_cpu ());
}
