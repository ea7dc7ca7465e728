/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* In place of a device's number: that of a stream which could not be taken.  No call for it
 * reaches CUDA. */
#define C2G_CUDA_NO_DEVICE (-1)
/* That of something that was on the device before it was reset, likewise; and the device's again. */
#define C2G_CUDA_GONE(device) (-2 - (device))

/* Calls a function of the runtime for what is on device, a number; false with an error. */
#define C2G_CUDA_CALL(device, error, function, ...) \
  c2g_cuda_check (function (__VA_ARGS__), #function, (device), (error))

gboolean        c2g_cuda_check            (cudaError_t   result,
                                           const char   *function,
                                           int           device,
                                           GError      **error);

/* What a query of a stream or an event says. */
C2gEventStatus  c2g_cuda_status           (cudaError_t   result);

/* Whether there is room for so many bytes below a limit, of which some are reserved. */
gboolean        c2g_cuda_check_limit      (guint64       max_bytes,
                                           guint64       n_reserved,
                                           gsize         n_bytes,
                                           GError      **error);

/* "13.0" of 13000. */
char           *c2g_cuda_dup_version_text (int           version);

G_END_DECLS
