/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

/* A CUDA runtime without a GPU, for tests: libcudart.so.13, or 12, with the soname and the symbol
 * version of the toolkit's library, compiled against the toolkit's header. A program that is linked
 * to the toolkit's library loads this one if its folder comes first in LD_LIBRARY_PATH. A program
 * can look `fake_cuda_reset` up with dlsym() to find out which one is loaded. It controls the fake
 * runtime with the functions below.
 *
 * It imitates the following, by the rules of the CUDA runtime API reference ("API
 * synchronization behavior", "Stream synchronization behavior", "Stream ordered memory
 * allocator") and of the programming guide ("Multi-device system"):
 *
 * - Work put into a stream runs in order, as late as it may: when something is
 *   waited for or asked about, in the thread that does so. Between streams a
 *   seeded scheduler runs it in any order that events, the legacy default stream
 *   and the host's waits allow. Host functions run in threads of their own, and
 *   what they call of CUDA is cudaErrorNotPermitted.
 * - Copies from pageable memory read it before they return, those into it have
 *   written it when they return; pinned memory is read and written late.
 * - Devices have memory limits, default streams, pools, and fail one by one. A reset leaves pools
 *   and their memory, which the reference wants to be freed explicitly.
 * - Calls work in the driver's current context, which is the device's primary one
 *   unless the program made another. Streams, events and memory belong to the context
 *   that was current when they were made.
 * - A call with the stream, event or memory of another device or context is refused
 *   where the runtime refuses it.
 * - IPC handles work between processes, and not in the one that made them.
 *
 * - Captured work becomes a graph, which runs it when launched. Events lead a capture from one
 *   stream to others, which must join the first one again; what CUDA forbids breaks the capture.
 *
 * - Memory of the driver's virtual memory management is reserved, created and mapped in multiples of a granularity,
 *   and only devices that were given access may use it. It survives a reset.
 *
 * It does not imitate allocations, events and branches in graphs (the work of one runs in order), arrays, textures,
 * the processor's access to managed memory, and time. Fresh memory is filled with a
 * pattern, but only the first 64 KiB of each block.
 *
 * The checker uses vector clocks over streams, events and the host, so it does not depend
 * on the order that the scheduler chose. It finds:
 *
 * - work on the same bytes without an order, if at least one writes. Copies and memsets
 *   count with all their bytes. A kernel counts with the byte that each argument points to
 *   (read if its mangled name says const and in structs, otherwise written), or with what
 *   fake_cuda_note_access() was told;
 * - stream-ordered memory used before its allocation or freed before its last use;
 * - copies between overlapping places;
 * - memory freed twice, freed by the wrong function, used after it was freed, after
 *   its device was reset, or beyond its end (by kernels: from the next page on, or
 *   with AddressSanitizer from the first byte on); streams, events and pools likewise;
 * - pinned memory freed while work may use it;
 * - what was never freed or destroyed, at fake_cuda_check_leaks();
 * - kernels that nobody emulates;
 * - accesses by the host to device memory. Plain builds record them: the pages are closed
 *   while no work runs, and each page is recorded at most once. Builds with AddressSanitizer
 *   report them (use-after-poison). valgrind and ThreadSanitizer do not see them. A system
 *   call that is given device memory returns EFAULT.
 *
 * The checker has one timeline for the whole host, so it takes two threads for ordered even
 * if only CUDA could order them. It does not see accesses of the host to pinned memory, nor
 * what a kernel does beyond the bytes named above.
 *
 * The environment, read at the first call and by fake_cuda_reset():
 * FAKE_CUDA_N_DEVICES, FAKE_CUDA_MEMORY (bytes for each device), FAKE_CUDA_SEED,
 * FAKE_CUDA_LATENCY, FAKE_CUDA_EAGERNESS, FAKE_CUDA_DRIVER (a version such as 13000),
 * FAKE_CUDA_VERBOSE (faults go to standard error too), and FAKE_CUDA_LEAK_CHECK
 * (cudaDeviceReset() prints which memory of the device was never freed).
 *
 * All of it may be called from any thread. */

#ifdef __cplusplus
extern "C"
{
#endif

#define FAKE_CUDA_MAX_DEVICES 16

/* Restores the state at the start: no memory, streams, events, faults or counts. No work may be
 * pending in other threads, and all handles become invalid. */
void         fake_cuda_reset             (void);

/* The machine. The number of devices can be set only before a device is used. With a driver older
 * than the runtime calls fail as with the real one; 0 means no driver. */
void         fake_cuda_set_n_devices     (int          n_devices);
void         fake_cuda_set_driver        (int          version);
void         fake_cuda_set_memory_limit  (int          device,
                                          size_t       n_bytes);
/* The granularity of virtual memory, 2 MiB at first; 0 if the device has no such memory. */
void         fake_cuda_set_granularity   (int          device,
                                          size_t       n_bytes);
void         fake_cuda_set_peer_access   (int          device,
                                          int          peer,
                                          int          is_possible);

/* Returns how many copies between devices went through the host, for want of access to the other
 * device or to its pool. */
unsigned int fake_cuda_get_n_staged_copies (void);

/* The registers that a thread of each kernel needs, 32 at first. The blocks of the latest
 * launch. */
void         fake_cuda_set_n_registers   (unsigned int n_registers);
unsigned int fake_cuda_get_n_blocks      (void);

/* The scheduler. Another seed gives another order. Eagerness is the percentage of calls that are
 * followed by a step, besides those that query or wait. With a latency of n each piece of work
 * waits for n steps. A query (cudaStreamQuery(), cudaEventQuery()) is one step, a wait is as many
 * as it takes, and fake_cuda_advance() makes n_steps. */
void         fake_cuda_set_seed          (unsigned int seed);
void         fake_cuda_set_latency       (unsigned int n_steps);
void         fake_cuda_set_eagerness     (unsigned int percent);
void         fake_cuda_advance           (unsigned int n_steps);

/* Gives new streams the handles of destroyed or reset ones, as the runtime may. Without it each
 * handle is used once, and the checker finds uses of destroyed streams. */
void         fake_cuda_reuse_handles     (int          reuse);

/* Failures. The n-th call from now on of a function, or of any function with NULL, returns the
 * error; with is_lasting all later calls do too. Several failures may be set. Functions that only
 * query errors, and those of the driver except those of virtual memory, never fail and do not count
 * as "any". Kernel launches are
 * "cudaLaunchKernel", however they were compiled. */
void         fake_cuda_fail              (const char  *function,
                                          unsigned int n,
                                          cudaError_t  error,
                                          int          is_lasting);
void         fake_cuda_clear_failures    (void);
unsigned int fake_cuda_get_n_calls       (const char  *function);
void         fake_cuda_clear_n_calls     (void);

/* All calls for the device return the error until it is reset, and its work is lost. */
void         fake_cuda_lose_device       (int          device,
                                          cudaError_t  error);

/* Returns how often a primary context was made on the device: by cudaSetDevice(), cudaInitDevice(),
 * a call that works on the current device, or by retaining it with the driver's functions. */
unsigned int fake_cuda_get_n_contexts    (int          device);

/* Simulates the end of the process: every call returns cudaErrorCudartUnloading. */
void         fake_cuda_set_unloading     (int          is_unloading);

/* Kernels. libfake-kernels.so beside the fake runtime, or the file in FAKE_CUDA_KERNELS, is opened
 * at the first launch and adds its emulated kernels. A launch calls `invoke` when it runs, with
 * copies of the arguments. `invoke` must not call CUDA. It can access the device memory that
 * arguments point to, also in structs, and the memory that `note` named.
 *
 * `note` is called at the launch with the same arguments, and calls fake_cuda_note_access() for
 * what the kernel will read and write. */
typedef void (*FakeCudaInvoke) (dim3         grid,
                                dim3         block,
                                size_t       n_shared_bytes,
                                void       **args);
typedef void (*FakeCudaNote)   (dim3         grid,
                                dim3         block,
                                void       **args);

void         fake_cuda_add_kernel        (const char    *mangled_name,
                                          FakeCudaInvoke invoke,
                                          unsigned int   n_args,
                                          const size_t  *arg_sizes);
void         fake_cuda_set_kernel_note   (const char    *mangled_name,
                                          FakeCudaNote   note);
void         fake_cuda_note_access       (const void    *pointer,
                                          size_t         n_bytes,
                                          int            is_write);

/* The checker. The list ends with NULL, and is valid until faults are cleared or more are found. */
const char *const *
             fake_cuda_get_faults        (void);
unsigned int fake_cuda_get_n_faults      (void);
void         fake_cuda_clear_faults      (void);

/* Returns TRUE if accesses of the host to device memory are reported as faults in this build. */
int          fake_cuda_sees_touches      (void);

/* Adds a fault for each object that still exists, and returns their number. Runs pending work
 * first. */
unsigned int fake_cuda_check_leaks       (void);

#ifdef __cplusplus
}
#endif
