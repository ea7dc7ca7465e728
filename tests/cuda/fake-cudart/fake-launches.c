/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-kernel-private.h"

#define N_MAX_THREADS           1024
#define N_MAX_THREADS_Z         64
#define N_MAX_BLOCKS_YZ         65535
#define N_MAX_SHARED_BYTES      (227 * 1024)
#define N_THREADS_OF_PROCESSOR  2048
#define N_BLOCKS_OF_PROCESSOR   32
#define N_REGISTERS_OF_PROCESSOR 65536

typedef struct
{
  FakeItem    item;
  FakeKernel *kernel;
  dim3        grid;
  dim3        block;
  gsize       n_shared_bytes;
  void      **args;
  guint8     *arg_bytes;
  /* TRUE if it would access memory that does not exist. */
  gboolean    is_illegal;
} Launch;

/* The launch to which fake_cuda_note_access() adds. */
static Launch *noting;

static void
run_launch (FakeItem *item)
{
  Launch *launch = (Launch *) item;

  if (launch->is_illegal)
    fake_state.devices[item->stream->device].lost = cudaErrorIllegalAddress;
  else
    launch->kernel->invoke (launch->grid, launch->block, launch->n_shared_bytes, launch->args);
}

static void
clear_launch (FakeItem *item)
{
  Launch *launch = (Launch *) item;

  g_free (launch->args);
  g_free (launch->arg_bytes);
}

/* Returns copies of the arguments, whose bytes are in *bytes. */
static void **
copy_args (const FakeKernel *kernel,
           void            **args,
           guint8          **bytes)
{
  void **copies = g_new0 (void *, kernel->n_args + 1);
  gsize n_bytes = 0;

  /* Each argument is aligned to 16 bytes, which is enough for any type. */
  for (guint i = 0; i < kernel->n_args; i++)
    n_bytes += (kernel->arg_sizes[i] + 15) / 16 * 16;
  *bytes = g_malloc0 (n_bytes + 1);

  n_bytes = 0;
  for (guint i = 0; i < kernel->n_args; i++)
    {
      copies[i] = *bytes + n_bytes;
      memcpy (copies[i], args[i], kernel->arg_sizes[i]);
      n_bytes += (kernel->arg_sizes[i] + 15) / 16 * 16;
    }
  return copies;
}

static void
touch_pointer (Launch       *launch,
               gconstpointer pointer,
               gsize         n_bytes,
               gboolean      is_write)
{
  FakeBlock *block = fake_block_find (pointer);
  const FakeContext *context = launch->item.stream->context;
  g_autofree char *name = NULL;

  if (block == NULL)
    {
      launch->is_illegal |= fake_block_find_dead (pointer) != NULL;
      fake_check_pointer (pointer, launch->kernel->name);
      return;
    }

  if (!fake_block_can_access (block, pointer, 1, context))
    {
      name = fake_block_describe (block);
      fake_fault ("access: %s on device %d is given %s, which it has no access to",
                  launch->kernel->name, context->device, name);
      launch->is_illegal = TRUE;
      return;
    }

  n_bytes = MIN (n_bytes, block->n_bytes - ((const guint8 *) pointer - block->address));
  fake_item_touch (&launch->item, block, pointer, n_bytes, is_write);
}

/* Everything in the arguments that looks like a pointer to a block counts as one. For pointers in
 * structs it is unknown whether they are written, so they count as read. */
static void
touch_args (Launch *launch)
{
  FakeKernel *kernel = launch->kernel;

  fake_kernel_read_name (kernel);
  for (guint i = 0; i < kernel->n_args; i++)
    for (gsize k = 0; k + sizeof (gpointer) <= kernel->arg_sizes[i]; k += sizeof (gpointer))
      {
        gpointer pointer;

        memcpy (&pointer, (guint8 *) launch->args[i] + k, sizeof pointer);
        touch_pointer (launch, pointer, 1,
                       kernel->arg_sizes[i] == sizeof pointer && !kernel->is_read_only[i]);
      }
}

void
fake_cuda_note_access (const void *pointer,
                       size_t      n_bytes,
                       int         is_write)
{
  g_return_if_fail (noting != NULL);

  touch_pointer (noting, pointer, n_bytes, is_write != 0);
}

static void
touch_all (Launch *launch)
{
  if (launch->kernel->note == NULL)
    {
      touch_args (launch);
      return;
    }

  noting = launch;
  launch->kernel->note (launch->grid, launch->block, launch->args);
  noting = NULL;
}

void
fake_cuda_set_n_registers (unsigned int n_registers)
{
  fake_lock ();
  fake_state.n_registers = n_registers;
  fake_unlock ();
}

unsigned int
fake_cuda_get_n_blocks (void)
{
  unsigned int n;

  fake_lock ();
  n = fake_state.n_blocks;
  fake_unlock ();

  return n;
}

/* Launching */

static cudaError_t
check_configuration (const FakeKernel    *kernel,
                     const FakeConfiguration *configuration)
{
  dim3 grid = configuration->grid, block = configuration->block;
  guint64 n_threads = (guint64) block.x * block.y * block.z;

  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || n_threads == 0 ||
      grid.x > G_MAXINT || grid.y > N_MAX_BLOCKS_YZ || grid.z > N_MAX_BLOCKS_YZ ||
      block.z > N_MAX_THREADS_Z || block.x > N_MAX_THREADS || block.y > N_MAX_THREADS ||
      n_threads > N_MAX_THREADS)
    return cudaErrorInvalidConfiguration;
  if (configuration->n_shared_bytes > (gsize) kernel->n_max_shared_bytes)
    return cudaErrorInvalidValue;

  return cudaSuccess;
}

static cudaError_t
submit (FakeKernel          *kernel,
        const FakeConfiguration *configuration,
        FakeStream          *stream,
        void               **args)
{
  Launch *launch = fake_item_new (sizeof (Launch), stream, kernel->name);

  launch->item.run = run_launch;
  launch->item.clear = clear_launch;
  launch->kernel = kernel;
  launch->grid = configuration->grid;
  launch->block = configuration->block;
  launch->n_shared_bytes = configuration->n_shared_bytes;
  launch->args = copy_args (kernel, args, &launch->arg_bytes);
  fake_item_submit (&launch->item);
  touch_all (launch);

  return cudaSuccess;
}

/* A launch in a graph. */
typedef struct
{
  FakeNode          node;
  FakeKernel       *kernel;
  FakeConfiguration configuration;
  void            **args;
  guint8           *arg_bytes;
} LaunchNode;

static cudaError_t
submit_node (FakeNode   *node,
             FakeStream *stream)
{
  LaunchNode *self = (LaunchNode *) node;

  return submit (self->kernel, &self->configuration, stream, self->args);
}

static void
clear_node (FakeNode *node)
{
  LaunchNode *self = (LaunchNode *) node;

  g_free (self->args);
  g_free (self->arg_bytes);
}

static cudaError_t
capture (FakeKernel              *kernel,
         const FakeConfiguration *configuration,
         FakeStream              *stream,
         void                   **args)
{
  LaunchNode *node = fake_node_new (sizeof (LaunchNode), stream, kernel->name);

  node->node.submit = submit_node;
  node->node.clear = clear_node;
  node->kernel = kernel;
  node->configuration = *configuration;
  node->args = copy_args (kernel, args, &node->arg_bytes);

  return cudaSuccess;
}

static cudaError_t
launch_kernel (gconstpointer        function,
               const FakeConfiguration *configuration,
               void               **args)
{
  FakeKernel *kernel = fake_kernel_find (function);
  FakeStream *stream;
  cudaError_t error;

  if (kernel == NULL)
    return cudaErrorInvalidDeviceFunction;
  error = fake_stream_find (configuration->stream, &stream);
  if (error == cudaSuccess && stream->context != fake_thread_get ()->context)
    error = cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess)
    error = check_configuration (kernel, configuration);
  if (error == cudaSuccess)
    error = fake_stream_check_capture (stream);
  if (error != cudaSuccess)
    return error;

  fake_state.n_blocks = configuration->grid.x * configuration->grid.y * configuration->grid.z;
  if (kernel->invoke == NULL)
    {
      fake_fault ("kernel: nobody emulates %s", kernel->name);
      return cudaErrorNoKernelImageForDevice;
    }
  return stream->capture != NULL ? capture (kernel, configuration, stream, args)
                                 : submit (kernel, configuration, stream, args);
}

cudaError_t
cudaLaunchKernel (const void  *function,
                  dim3         grid,
                  dim3         block,
                  void       **args,
                  size_t       n_shared_bytes,
                  cudaStream_t stream)
{
  const FakeConfiguration configuration = { grid, block, n_shared_bytes, stream };
  cudaError_t error;

  fake_kernels_open ();
  error = fake_enter (FAKE_CALL_DEVICE);
  if (error == cudaSuccess)
    error = launch_kernel (function, &configuration, args);
  return fake_leave (error);
}

cudaError_t
cudaLaunchKernelExC (const cudaLaunchConfig_t *config,
                     const void               *function,
                     void                    **args)
{
  cudaError_t error;

  fake_kernels_open ();
  error = fake_enter (FAKE_CALL_DEVICE);
  if (error == cudaSuccess && config == NULL)
    error = cudaErrorInvalidConfiguration;
  if (error == cudaSuccess)
    {
      const FakeConfiguration configuration = {
        config->gridDim,
        config->blockDim,
        config->dynamicSmemBytes,
        config->stream,
      };

      error = launch_kernel (function, &configuration, args);
    }
  return fake_leave (error);
}

/* Functions that nvcc's object files call */

unsigned int __cudaPushCallConfiguration (dim3                 grid,
                                          dim3                 block,
                                          size_t               n_shared_bytes,
                                          struct CUstream_st  *stream);
cudaError_t  __cudaPopCallConfiguration  (dim3                *grid,
                                          dim3                *block,
                                          size_t              *n_shared_bytes,
                                          void                *stream);
cudaError_t  __cudaGetKernel             (cudaKernel_t        *kernel,
                                          const void          *function);
cudaError_t  __cudaLaunchKernel          (cudaKernel_t         kernel,
                                          dim3                 grid,
                                          dim3                 block,
                                          void               **args,
                                          size_t               n_shared_bytes,
                                          cudaStream_t         stream);
cudaError_t  __cudaLaunchKernel_ptsz     (cudaKernel_t         kernel,
                                          dim3                 grid,
                                          dim3                 block,
                                          void               **args,
                                          size_t               n_shared_bytes,
                                          cudaStream_t         stream);

unsigned int
__cudaPushCallConfiguration (dim3                grid,
                             dim3                block,
                             size_t              n_shared_bytes,
                             struct CUstream_st *stream)
{
  const FakeConfiguration configuration = { grid, block, n_shared_bytes, stream };

  fake_lock ();
  g_array_append_val (fake_thread_get ()->configurations, configuration);
  fake_unlock ();

  return 0;
}

cudaError_t
__cudaPopCallConfiguration (dim3   *grid,
                            dim3   *block,
                            size_t *n_shared_bytes,
                            void   *stream)
{
  GArray *configurations;
  FakeConfiguration configuration;
  gboolean is_there;

  fake_lock ();
  configurations = fake_thread_get ()->configurations;
  is_there = configurations->len > 0;
  if (is_there)
    {
      configuration = g_array_index (configurations, FakeConfiguration, configurations->len - 1);
      g_array_set_size (configurations, configurations->len - 1);
    }
  fake_unlock ();
  if (!is_there)
    return cudaErrorMissingConfiguration;

  *grid = configuration.grid;
  *block = configuration.block;
  *n_shared_bytes = configuration.n_shared_bytes;
  *(cudaStream_t *) stream = configuration.stream;
  return cudaSuccess;
}

cudaError_t
__cudaGetKernel (cudaKernel_t *kernel,
                 const void   *function)
{
  FakeKernel *found;

  fake_lock ();
  found = fake_kernel_find (function);
  fake_unlock ();
  *kernel = (cudaKernel_t) found;

  return found != NULL ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t
cudaGetKernel (cudaKernel_t *kernel,
               const void   *function)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess && kernel == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && fake_kernel_find (function) == NULL)
    error = cudaErrorInvalidDeviceFunction;
  if (error == cudaSuccess)
    *kernel = (cudaKernel_t) fake_kernel_find (function);
  return fake_leave (error);
}

cudaError_t
__cudaLaunchKernel (cudaKernel_t kernel,
                    dim3         grid,
                    dim3         block,
                    void       **args,
                    size_t       n_shared_bytes,
                    cudaStream_t stream)
{
  return cudaLaunchKernel (kernel, grid, block, args, n_shared_bytes, stream);
}

cudaError_t
__cudaLaunchKernel_ptsz (cudaKernel_t kernel,
                         dim3         grid,
                         dim3         block,
                         void       **args,
                         size_t       n_shared_bytes,
                         cudaStream_t stream)
{
  return cudaLaunchKernel (kernel, grid, block, args, n_shared_bytes,
                           stream == NULL ? cudaStreamPerThread : stream);
}

/* Attributes of kernels */

cudaError_t
cudaFuncGetAttributes (struct cudaFuncAttributes *attributes,
                       const void                *function)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeKernel *kernel = fake_kernel_find (function);

  if (error == cudaSuccess && attributes == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && kernel == NULL)
    error = cudaErrorInvalidDeviceFunction;
  if (error == cudaSuccess)
    {
      memset (attributes, 0, sizeof *attributes);
      attributes->maxThreadsPerBlock = N_MAX_THREADS;
      attributes->numRegs = (int) fake_state.n_registers;
      attributes->ptxVersion = attributes->binaryVersion = 90;
      attributes->maxDynamicSharedSizeBytes = kernel->n_max_shared_bytes;
      attributes->preferredShmemCarveout = kernel->carveout;
    }
  return fake_leave (error);
}

static cudaError_t
set_attribute (FakeKernel           *kernel,
               enum cudaFuncAttribute attribute,
               int                   value)
{
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
    {
      if (value < 0 || value > N_MAX_SHARED_BYTES)
        return cudaErrorInvalidValue;
      kernel->n_max_shared_bytes = value;
      return cudaSuccess;
    }
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    {
      if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
        return cudaErrorInvalidValue;
      kernel->carveout = value;
      return cudaSuccess;
    }

  return cudaErrorInvalidValue;
}

cudaError_t
cudaFuncSetAttribute (const void            *function,
                      enum cudaFuncAttribute attribute,
                      int                    value)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeKernel *kernel = fake_kernel_find (function);

  if (error == cudaSuccess && kernel == NULL)
    error = cudaErrorInvalidDeviceFunction;
  if (error == cudaSuccess)
    error = set_attribute (kernel, attribute, value);
  return fake_leave (error);
}

cudaError_t
cudaFuncSetCacheConfig (const void        *function,
                        enum cudaFuncCache config)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess && fake_kernel_find (function) == NULL)
    error = cudaErrorInvalidDeviceFunction;
  return fake_leave (error);
}

static cudaError_t
get_n_blocks (int          *n_blocks,
              gconstpointer function,
              int           n_threads,
              gsize         n_shared_bytes)
{
  if (fake_kernel_find (function) == NULL)
    return cudaErrorInvalidDeviceFunction;
  if (n_blocks == NULL || n_threads <= 0)
    return cudaErrorInvalidValue;

  *n_blocks = n_threads > N_MAX_THREADS ? 0 : MIN (N_THREADS_OF_PROCESSOR / n_threads, N_BLOCKS_OF_PROCESSOR);
  *n_blocks = MIN (*n_blocks, N_REGISTERS_OF_PROCESSOR / ((int) fake_state.n_registers * n_threads));
  if (n_shared_bytes > 0)
    *n_blocks = MIN (*n_blocks, (int) (N_MAX_SHARED_BYTES / n_shared_bytes));
  return cudaSuccess;
}

cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor (int        *n_blocks,
                                               const void *function,
                                               int         n_threads,
                                               size_t      n_shared_bytes)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = get_n_blocks (n_blocks, function, n_threads, n_shared_bytes);
  return fake_leave (error);
}

cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags (int         *n_blocks,
                                                        const void  *function,
                                                        int          n_threads,
                                                        size_t       n_shared_bytes,
                                                        unsigned int flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = get_n_blocks (n_blocks, function, n_threads, n_shared_bytes);
  return fake_leave (error);
}
