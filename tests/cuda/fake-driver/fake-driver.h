/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* A CUDA driver without a GPU, for tests: libcuda.so.1 on the fake runtime of ../fake-cudart, whose memory and streams it
 * shares.  It has the functions that GStreamer 1.22 looks up when it opens the driver.  Those that memory needs work;
 * others say that they are not supported.
 *
 * A program can look the function up with dlsym(). */

/* Returns how many contexts cuCtxCreate() has made that are not destroyed. */
unsigned int fake_driver_get_n_contexts (void);
