/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#define C2G_CUDA_INSIDE
#include <c2g/cuda/memory/c2g-cuda-async-allocator.h>
#include <c2g/cuda/c2g-cuda-backend.h>
#include <c2g/cuda/memory/c2g-cuda-caching-allocator.h>
#include <c2g/cuda/compute/c2g-cuda-context.h>
#include <c2g/cuda/stream/c2g-cuda-event.h>
#include <c2g/cuda/driver/c2g-cuda-find-device.h>
#include <c2g/cuda/memory/c2g-cuda-ipc-export.h>
#include <c2g/cuda/memory/c2g-cuda-pinned-allocator.h>
#include <c2g/cuda/stream/c2g-cuda-stream.h>
#undef C2G_CUDA_INSIDE
