/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* Number of device numbers that C2gDevice has. */
#define C2G_CUDA_MAX_DEVICES 1024
/* Replaces the device number of a stream that could not be taken. No call with it reaches CUDA. */
#define C2G_CUDA_NO_DEVICE (-1)
/* Replaces the device number of an object from before a reset of the device. No call with it
 * reaches CUDA. The macro is its own inverse: it also converts the result back to the device
 * number. */
#define C2G_CUDA_GONE(device) (-2 - (device))

/* Calls a function of the runtime for a device number; FALSE with an error if it fails. */
#define C2G_CUDA_CALL(device, error, function, ...) \
  c2g_cuda_check (function (__VA_ARGS__), #function, (device), (error))

gboolean        c2g_cuda_check            (cudaError_t   result,
                                           const char   *function,
                                           int           device,
                                           GError      **error);

/* Converts the result of a query of a stream or an event. */
C2gEventStatus  c2g_cuda_status           (cudaError_t   result);

/* Returns TRUE if n_bytes more fit below the limit max_bytes, of which n_reserved are in use. */
gboolean        c2g_cuda_check_limit      (guint64       max_bytes,
                                           guint64       n_reserved,
                                           gsize         n_bytes,
                                           GError      **error);

/* Converts 13000 to "13.0". */
char           *c2g_cuda_dup_version_text (int           version);

G_END_DECLS
