/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

/* A CUDA runtime without a GPU, for tests: libcudart.so.13, or 12, with the soname and the
 * symbol version of the toolkit's, compiled against the toolkit's header. A program
 * linked to the toolkit's loads this one when its folder comes first in
 * LD_LIBRARY_PATH. What follows finds out that this one is loaded (look
 * `fake_cuda_reset` up with dlsym()) and tells it what to do.
 *
 * What it imitates, by the rules of the CUDA runtime API reference ("API
 * synchronization behavior", "Stream synchronization behavior", "Stream ordered
 * memory allocator") and of the programming guide ("Multi-device system"):
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
 * - A call with the stream, event or memory of another device is refused where
 *   the runtime refuses it.
 * - IPC handles work between processes, and not in the one that made them.
 *
 * What it does not: graphs (a captured stream takes work and forgets it), arrays,
 * textures, managed memory, virtual memory management, time. Fresh memory is filled
 * with a pattern, no more than the first 64 KiB of each block.
 *
 * The checker finds, by vector clocks over streams, events and the host, whatever
 * the scheduler happened to do:
 *
 * - work on the same bytes, one of it writing, that nothing orders: copies and
 *   memsets by all their bytes, a kernel by the byte that each argument points to
 *   (read where its mangled name says const and in structs, written elsewhere) or by
 *   what is told to fake_cuda_note_access();
 * - stream-ordered memory used before its allocation or freed before its last use;
 * - memory freed twice, freed by the wrong function, used after it was freed, after
 *   its device was reset, or beyond its end (by kernels: from the next page on, or
 *   with AddressSanitizer from the first byte on); streams, events and pools likewise;
 * - pinned memory freed while work may use it;
 * - what was never freed or destroyed, at fake_cuda_check_leaks();
 * - kernels that nobody emulates;
 * - the host's touch of device memory: recorded in plain builds, by pages that are
 *   closed while no work runs, at most once a page; reported by AddressSanitizer
 *   (use-after-poison) in builds with it; not seen under valgrind and
 *   ThreadSanitizer. A system call that is given device memory answers EFAULT.
 *
 * All of the host is one timeline for it: of two threads that nothing but CUDA
 * should order it thinks that they are ordered. It does not see the host's touch
 * of pinned memory, nor what a kernel does beyond the bytes named above.
 *
 * The environment, read at the first call and by fake_cuda_reset():
 * FAKE_CUDA_N_DEVICES, FAKE_CUDA_MEMORY (bytes for each device), FAKE_CUDA_SEED,
 * FAKE_CUDA_LATENCY, FAKE_CUDA_EAGERNESS, FAKE_CUDA_DRIVER (a version such as 13000), and
 * FAKE_CUDA_VERBOSE (faults go to standard error too).
 *
 * All of it may be called from any thread. */

#ifdef __cplusplus
extern "C"
{
#endif

#define FAKE_CUDA_MAX_DEVICES 16

/* Everything as at the start: no memory, streams, events, faults or counts. No work
 * may be under way in other threads, and whoever still has handles has dead ones. */
void         fake_cuda_reset             (void);

/* The machine. Devices can be set before any is used only. A driver older than the
 * runtime makes calls fail as it would, and 0 is none. */
void         fake_cuda_set_n_devices     (int          n_devices);
void         fake_cuda_set_driver        (int          version);
void         fake_cuda_set_memory_limit  (int          device,
                                          size_t       n_bytes);
void         fake_cuda_set_peer_access   (int          device,
                                          int          peer,
                                          int          is_possible);

/* The scheduler: with another seed, another order. With an eagerness, so many calls of
 * a hundred are followed by a step, and not only those that ask or wait. A latency of n makes each piece
 * of work wait for n steps; asking about something (cudaStreamQuery(),
 * cudaEventQuery()) is one step, waiting is as many as it takes, and
 * fake_cuda_advance() takes some. */
void         fake_cuda_set_seed          (unsigned int seed);
void         fake_cuda_set_latency       (unsigned int n_steps);
void         fake_cuda_set_eagerness     (unsigned int percent);
void         fake_cuda_advance           (unsigned int n_steps);

/* Gives new streams the handles of those that were destroyed or reset, as the runtime may;
 * without it a handle is one stream's for ever, and the checker knows of its use after the end. */
void         fake_cuda_reuse_handles     (int          reuse);

/* Gives a stream a context of its own, as the driver makes them: events of the runtime are
 * not recorded there, and whoever waits for the device does not wait for it. */
void         fake_cuda_set_apart         (cudaStream_t stream);

/* Failures. The n-th call from now on of a function, or of any with NULL, gives the
 * error, and with is_lasting all later ones too; several may be set. Those that only
 * ask about errors never fail and are not counted among "any". Kernel launches are
 * "cudaLaunchKernel", however compiled. */
void         fake_cuda_fail              (const char  *function,
                                          unsigned int n,
                                          cudaError_t  error,
                                          int          is_lasting);
void         fake_cuda_clear_failures    (void);
unsigned int fake_cuda_get_n_calls       (const char  *function);
void         fake_cuda_clear_n_calls     (void);

/* The device answers with the error until it is reset, and its work is lost. */
void         fake_cuda_lose_device       (int          device,
                                          cudaError_t  error);

/* How often the device was given a primary context: by cudaSetDevice(), cudaInitDevice(), a call
 * that works on the current device, or who retained it by the driver's functions, of which
 * those are there that c2g asks for. */
unsigned int fake_cuda_get_n_contexts    (int          device);

/* As at the end of the process: cudaErrorCudartUnloading for everything. */
void         fake_cuda_set_unloading     (int          is_unloading);

/* Kernels. libfake-kernels.so beside the fake, or what FAKE_CUDA_KERNELS names, is
 * opened at the first launch and adds what it emulates. A launch calls `invoke` when
 * it runs, with copies of the arguments; it must not call CUDA, and of device memory
 * it finds open what arguments point to, also in structs, or `note` told of.
 *
 * `note` is called with them at the launch and tells by fake_cuda_note_access() what
 * the kernel will read and write. */
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

/* The checker. The texts are ended by NULL and stay valid until faults are cleared
 * or more are found. */
const char *const *
             fake_cuda_get_faults        (void);
unsigned int fake_cuda_get_n_faults      (void);
void         fake_cuda_clear_faults      (void);

/* Whether the host's touches of device memory become faults here. */
int          fake_cuda_sees_touches      (void);

/* A fault for each thing that is still there, and how many there are. Pending work is
 * done first. */
unsigned int fake_cuda_check_leaks       (void);

#ifdef __cplusplus
}
#endif
