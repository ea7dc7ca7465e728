/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* GstCudaMemory, if c2g was built with it. If not, all memory is that of the CPU. */

/* Finds the device that memory is mapped on, and adds the flag that this needs. NULL with an error if c2g cannot reach
 * the memory there. */
C2gDevice  *c2g_gst_cuda_find_device (GstMemory    *memory,
                                      GstMapFlags  *flags,
                                      GError      **error);

/* Seals a tensor on a CUDA device, and makes memory over it. NULL without an error if it has no bytes. */
GstMemory  *c2g_gst_cuda_memory_new  (C2gTensor    *tensor,
                                      GError      **error);
/* The tensor of such memory; NULL for other memory. */
C2gTensor  *c2g_gst_cuda_memory_peek (GstMemory    *memory);

GstContext *c2g_gst_cuda_new_context (C2gDevice    *device,
                                      GError      **error);

G_END_DECLS
