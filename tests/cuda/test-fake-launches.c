/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-utils.h"

#define N_BYTES 256

/* A kernel as nvcc's object files register it: a stub on the host, and a name. */

void         **__cudaRegisterFatBinary     (void         *binary);
void           __cudaRegisterFatBinaryEnd  (void        **handle);
void           __cudaUnregisterFatBinary   (void        **handle);
void           __cudaRegisterFunction      (void        **handle,
                                            const char   *stub,
                                            char         *device_stub,
                                            const char   *name,
                                            int           n_max_threads,
                                            uint3        *thread,
                                            uint3        *block,
                                            dim3         *block_size,
                                            dim3         *grid_size,
                                            int          *warp_size);
unsigned int   __cudaPushCallConfiguration (dim3          grid,
                                            dim3          block,
                                            size_t        n_shared_bytes,
                                            cudaStream_t  stream);
cudaError_t    __cudaPopCallConfiguration  (dim3         *grid,
                                            dim3         *block,
                                            size_t       *n_shared_bytes,
                                            void         *stream);
cudaError_t    __cudaGetKernel             (cudaKernel_t *kernel,
                                            const void   *function);
cudaError_t    __cudaLaunchKernel          (cudaKernel_t  kernel,
                                            dim3          grid,
                                            dim3          block,
                                            void        **args,
                                            size_t        n_shared_bytes,
                                            cudaStream_t  stream);

/* copy<unsigned char> (T *to, const T *from, unsigned int n) in an anonymous namespace */
static const char copy_name[] = "_ZN12_GLOBAL__N_14copyIhEEvPT_PKS1_j";
static const char lonely_name[] = "_Z6lonelyPh";
static char copy_stub, lonely_stub, no_stub;

static void
invoke_copy (dim3   grid,
             dim3   block,
             size_t n_shared_bytes,
             void **args)
{
  guint8 *to = *(guint8 **) args[0];
  const guint8 *from = *(const guint8 **) args[1];
  guint n = *(guint *) args[2];

  g_assert_cmpuint (grid.x, ==, 1);
  g_assert_cmpuint (block.x, ==, 32);
  memcpy (to, from, n);
}

static void
register_kernels (void)
{
  static const size_t arg_sizes[] = { sizeof (void *), sizeof (void *), sizeof (guint) };
  static void **handle;

  if (handle != NULL)
    return;
  handle = __cudaRegisterFatBinary ((void *) copy_name);
  __cudaRegisterFunction (handle, &copy_stub, &copy_stub, copy_name, -1, NULL, NULL, NULL, NULL,
                          NULL);
  __cudaRegisterFunction (handle, &lonely_stub, &lonely_stub, lonely_name, -1, NULL, NULL, NULL,
                          NULL, NULL);
  __cudaRegisterFatBinaryEnd (handle);
  fake_cuda_add_kernel (copy_name, invoke_copy, G_N_ELEMENTS (arg_sizes), arg_sizes);
}

/* copy<<<1, 32, 0, stream>>> (to, from, n) */
static cudaError_t
launch_copy (guint8       *to,
             const guint8 *from,
             guint         n,
             cudaStream_t  stream)
{
  void *args[] = { &to, &from, &n };
  cudaKernel_t kernel;
  dim3 grid, block;
  size_t n_shared_bytes;
  cudaStream_t popped;

  register_kernels ();
  g_assert_cmpuint (__cudaPushCallConfiguration ((dim3) { 1, 1, 1 }, (dim3) { 32, 1, 1 }, 0, stream),
                    ==, 0);
  assert_ok (__cudaGetKernel (&kernel, &copy_stub));
  assert_ok (__cudaPopCallConfiguration (&grid, &block, &n_shared_bytes, &popped));
  assert_cuda (__cudaPopCallConfiguration (&grid, &block, &n_shared_bytes, &popped),
               cudaErrorMissingConfiguration);

  return __cudaLaunchKernel (kernel, grid, block, args, n_shared_bytes, popped);
}

static void
test_launch (void)
{
  guint8 *from = new_memory (N_BYTES), *to = new_memory (N_BYTES), *host = new_pinned (N_BYTES);
  cudaStream_t stream = new_stream ();

  memset (host, 0, N_BYTES);
  assert_ok (cudaMemsetAsync (from, 3, N_BYTES, stream));
  assert_ok (launch_copy (to, from, N_BYTES, stream));
  assert_ok (cudaMemcpyAsync (host, to, N_BYTES, cudaMemcpyDeviceToHost, stream));
  g_assert_cmpuint (host[0], ==, 0);
  assert_ok (cudaStreamSynchronize (stream));
  g_assert_cmpuint (host[N_BYTES - 1], ==, 3);
  g_assert_cmpuint (fake_cuda_get_n_calls ("cudaLaunchKernel"), ==, 1);

  assert_ok (cudaFree (from));
  assert_ok (cudaFree (to));
  assert_ok (cudaFreeHost (host));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

static void
test_configuration (void)
{
  static const struct
  {
    dim3        grid;
    dim3        block;
    size_t      n_shared_bytes;
    cudaError_t error;
  } cases[] = {
    { { 0, 1, 1 }, { 1, 1, 1 }, 0, cudaErrorInvalidConfiguration },
    { { 1, 1, 1 }, { 0, 1, 1 }, 0, cudaErrorInvalidConfiguration },
    { { 1, 1, 1 }, { 1025, 1, 1 }, 0, cudaErrorInvalidConfiguration },
    { { 1, 1, 1 }, { 32, 33, 1 }, 0, cudaErrorInvalidConfiguration },
    { { 1, 1, 1 }, { 1, 1, 65 }, 0, cudaErrorInvalidConfiguration },
    { { 1, 65536, 1 }, { 1, 1, 1 }, 0, cudaErrorInvalidConfiguration },
    { { 1, 1, 1 }, { 1, 1, 1 }, 48 * 1024 + 1, cudaErrorInvalidValue },
  };

  register_kernels ();
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      void *args[] = { NULL, NULL, NULL };

      assert_cuda (cudaLaunchKernel (&copy_stub, cases[i].grid, cases[i].block, args,
                                     cases[i].n_shared_bytes, NULL),
                   cases[i].error);
    }
  assert_cuda (cudaLaunchKernel (&no_stub, (dim3) { 1, 1, 1 }, (dim3) { 1, 1, 1 }, NULL, 0, NULL),
               cudaErrorInvalidDeviceFunction);
  assert_clean ();
}

static void
test_functions (void)
{
  struct cudaFuncAttributes attributes;
  int n;

  register_kernels ();
  assert_ok (cudaFuncGetAttributes (&attributes, &copy_stub));
  g_assert_cmpint (attributes.maxThreadsPerBlock, ==, 1024);
  assert_cuda (cudaFuncGetAttributes (&attributes, &no_stub), cudaErrorInvalidDeviceFunction);
  assert_ok (cudaFuncSetAttribute (&copy_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  assert_cuda (cudaFuncSetAttribute (&copy_stub, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     1 << 20),
               cudaErrorInvalidValue);
  assert_ok (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&n, &copy_stub, 256, 0));
  g_assert_cmpint (n, ==, 8);
  assert_ok (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&n, &copy_stub, 256, 100000));
  g_assert_cmpint (n, ==, 2);
  fake_cuda_set_n_registers (48);
  assert_ok (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&n, &copy_stub, 256, 0));
  g_assert_cmpint (n, ==, 5);
  fake_cuda_set_n_registers (32);
  assert_clean ();
}

static void
test_lonely (void)
{
  void *memory = new_memory (N_BYTES);
  void *args[] = { &memory };

  register_kernels ();
  assert_cuda (cudaLaunchKernel (&lonely_stub, (dim3) { 1, 1, 1 }, (dim3) { 1, 1, 1 }, args, 0,
                                 NULL),
               cudaErrorNoKernelImageForDevice);
  assert_faults ("kernel: nobody emulates _Z6lonelyPh");
  assert_ok (cudaFree (memory));
  assert_clean ();
}

/* A kernel runs on the current device, with memory that this device can access. */
static void
test_devices (void)
{
  guint8 *here = new_memory (N_BYTES), *there;
  cudaStream_t stream = new_stream ();

  assert_ok (cudaMemset (here, 0, N_BYTES));
  assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaSetDevice (1));
  there = new_memory (N_BYTES);
  assert_ok (cudaMemset (there, 0, N_BYTES));
  assert_ok (cudaDeviceSynchronize ());
  assert_cuda (launch_copy (here, there, 1, stream), cudaErrorInvalidResourceHandle);

  assert_ok (cudaDeviceEnablePeerAccess (0, 0));
  assert_ok (launch_copy (there, here, 1, NULL));
  assert_ok (cudaDeviceSynchronize ());
  assert_no_faults ();
  assert_ok (cudaDeviceDisablePeerAccess (0));
  assert_ok (launch_copy (there, here, 1, NULL));
  assert_faults ("access: _ZN12_GLOBAL__N_14copyIhEEvPT_PKS1_j on device 1 is given block");
  assert_cuda (cudaDeviceSynchronize (), cudaErrorIllegalAddress);
  assert_cuda (cudaFree (there), cudaErrorIllegalAddress);

  assert_ok (cudaDeviceReset ());
  assert_ok (cudaSetDevice (0));
  assert_ok (cudaFree (here));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

/* The mangled name tells which arguments are read only. Two kernels may read the same memory at
 * once, but not write it. */
static void
test_races (void)
{
  guint8 *from = new_memory (N_BYTES), *to = new_memory (N_BYTES), *other = new_memory (N_BYTES);
  cudaStream_t a = new_stream (), b = new_stream ();
  gboolean is_demangled;

  assert_ok (cudaMemset (from, 0, N_BYTES));
  assert_ok (cudaDeviceSynchronize ());
  assert_ok (launch_copy (to, from, N_BYTES, a));
  assert_ok (launch_copy (other, from, N_BYTES, b));
  /* Without the C++ library names are not demangled, and all arguments count as written. */
  is_demangled = fake_cuda_get_n_faults () == 0;
  fake_cuda_clear_faults ();
  if (!is_demangled)
    g_test_message ("No library of C++ is there");

  assert_ok (launch_copy (to, other, N_BYTES, b));
  assert_faults ("race: _ZN12_GLOBAL__N_14copyIhEEvPT_PKS1_j on stream");
  assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaFree (from));
  assert_ok (cudaFree (to));
  assert_ok (cudaFree (other));
  assert_ok (cudaStreamDestroy (a));
  assert_ok (cudaStreamDestroy (b));
  assert_clean ();
}

static void
note_copy (dim3   grid,
           dim3   block,
           void **args)
{
  fake_cuda_note_access (*(void **) args[0], *(guint *) args[2], TRUE);
  fake_cuda_note_access (*(void **) args[1], *(guint *) args[2], FALSE);
}

/* With notes all bytes count, not only the first ones. */
static void
test_note (void)
{
  guint8 *from = new_memory (N_BYTES), *to = new_memory (N_BYTES);
  cudaStream_t a = new_stream (), b = new_stream ();

  register_kernels ();
  fake_cuda_set_kernel_note (copy_name, note_copy);
  assert_ok (launch_copy (to, from, 100, a));
  assert_ok (launch_copy (to + 100, from, 100, b));
  assert_no_faults ();
  assert_ok (cudaMemsetAsync (to + 99, 0, 1, b));
  assert_faults ("race: cudaMemsetAsync on stream");
  fake_cuda_set_kernel_note (copy_name, NULL);

  assert_ok (cudaFree (from));
  assert_ok (cudaFree (to));
  assert_ok (cudaStreamDestroy (a));
  assert_ok (cudaStreamDestroy (b));
  assert_clean ();
}

/* A kernel that is given freed memory loses the device. */
static void
test_dead (void)
{
  guint8 *from = new_memory (N_BYTES), *to = new_memory (N_BYTES);

  assert_ok (cudaFree (from));
  assert_ok (launch_copy (to, from, N_BYTES, NULL));
  assert_faults ("use after free: _ZN12_GLOBAL__N_14copyIhEEvPT_PKS1_j is given byte 0 of block");
  assert_cuda (cudaStreamSynchronize (NULL), cudaErrorIllegalAddress);
  assert_cuda (cudaGetLastError (), cudaErrorIllegalAddress);
  assert_cuda (cudaGetLastError (), cudaErrorIllegalAddress);
  assert_ok (cudaDeviceReset ());
  assert_ok (cudaGetLastError ());
  assert_clean ();
}

/* Host functions */

typedef struct
{
  GThread     *thread;
  guint        n_calls;
  cudaError_t  error;
  cudaError_t  status;
  cudaStream_t stream;
} Heard;

static void
host_function (void *data)
{
  Heard *heard = data;
  int device;

  heard->thread = g_thread_self ();
  heard->n_calls++;
  heard->error = cudaGetDevice (&device);
}

static void
callback (cudaStream_t stream,
          cudaError_t  status,
          void        *data)
{
  Heard *heard = data;

  host_function (data);
  heard->stream = stream;
  heard->status = status;
}

static void
test_host_function (void)
{
  cudaStream_t stream = new_stream ();
  Heard heard = { 0 };

  assert_ok (cudaLaunchHostFunc (stream, host_function, &heard));
  assert_ok (cudaLaunchHostFunc (stream, host_function, &heard));
  assert_ok (cudaStreamAddCallback (stream, callback, &heard, 0));
  assert_cuda (cudaLaunchHostFunc (stream, NULL, NULL), cudaErrorInvalidValue);
  g_assert_cmpuint (heard.n_calls, ==, 0);
  assert_ok (cudaStreamSynchronize (stream));
  g_assert_cmpuint (heard.n_calls, ==, 3);
  g_assert_true (heard.thread != g_thread_self ());
  g_assert_true (heard.stream == stream);
  assert_cuda (heard.status, cudaSuccess);
  assert_cuda (heard.error, cudaErrorNotPermitted);
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

static GMutex held;

static void
take_lock (void *data)
{
  g_mutex_lock (&held);
  g_mutex_unlock (&held);
}

/* A query does not wait for a host function, which may itself wait for the caller. */
static void
test_host_function_waits (void)
{
  cudaStream_t stream = new_stream ();

  g_mutex_lock (&held);
  assert_ok (cudaLaunchHostFunc (stream, take_lock, NULL));
  for (guint i = 0; i < 100; i++)
    assert_cuda (cudaStreamQuery (stream), cudaErrorNotReady);
  g_mutex_unlock (&held);
  assert_ok (cudaStreamSynchronize (stream));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_func ("/fake-launches/launch", test_launch);
  add_func ("/fake-launches/configuration", test_configuration);
  add_func ("/fake-launches/functions", test_functions);
  add_func ("/fake-launches/lonely", test_lonely);
  add_func ("/fake-launches/devices", test_devices);
  add_func ("/fake-launches/races", test_races);
  add_func ("/fake-launches/note", test_note);
  add_func ("/fake-launches/dead", test_dead);
  add_func ("/fake-launches/host-function", test_host_function);
  add_func ("/fake-launches/host-function-waits", test_host_function_waits);

  return g_test_run ();
}
