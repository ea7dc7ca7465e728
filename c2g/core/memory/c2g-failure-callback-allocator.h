/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <c2g/core/memory/c2g-adaptor-allocator.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_FAILURE_CALLBACK_ALLOCATOR (c2g_failure_callback_allocator_get_type ())

/**
 * C2gAllocationFailureFunc:
 * @allocator: the allocator whose upstream failed
 * @n_bytes: how many bytes were asked for
 * @n_tries: how often the upstream has failed for this request, 1 at first
 * @user_data: what was given with the function
 *
 * Frees memory after an allocation failed, for example caches or a model.
 *
 * It runs in the allocating thread, with no lock held.
 *
 * Returns: whether to try again
 */
typedef gboolean (*C2gAllocationFailureFunc) (C2gAllocator *allocator,
                                              guint64       n_bytes,
                                              guint         n_tries,
                                              gpointer      user_data);

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gFailureCallbackAllocator, c2g_failure_callback_allocator, C2G, FAILURE_CALLBACK_ALLOCATOR, C2gAdaptorAllocator)

C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_failure_callback_allocator_new          (C2gAllocator                 *upstream,
                                                           C2gAllocationFailureFunc      callback,
                                                           gpointer                      user_data,
                                                           GDestroyNotify                destroy) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
