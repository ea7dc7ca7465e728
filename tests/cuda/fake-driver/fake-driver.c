/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <glib.h>

/* A CUDA driver without a GPU, for tests: libcuda.so.1 on the fake runtime of ../fake-cudart, with
 * the same memory and streams. It has the functions that GStreamer 1.22 looks up when it opens the
 * driver, and those that c2g and build-aux/list-gpus call. Functions for memory work; the others
 * return that they are not supported. */

/* The rows of cuMemAllocPitch() begin at multiples of this. */
#define PITCH 256

/* For some functions the header defines the name of another version than GStreamer looks up. So the
 * names here are those of symbols. */
#define DRIVER(name, ...)                             \
  CUresult fake_##name (__VA_ARGS__) __asm__ (#name); \
  CUresult fake_##name (__VA_ARGS__)

/* Looks up a function of the driver that the fake runtime has itself. */
static gpointer
find_function (const char *name)
{
  enum cudaDriverEntryPointQueryResult result;
  gpointer function = NULL;

#if CUDART_VERSION >= 12050
  cudaGetDriverEntryPointByVersion (name, &function, 12000, cudaEnableDefault, &result);
#else
  cudaGetDriverEntryPoint (name, &function, cudaEnableDefault, &result);
#endif

  return function;
}

/* Defines a function that calls the fake runtime's one. */
#define FORWARD(symbol, name, parameters, arguments)                   \
  CUresult fake_##symbol parameters __asm__ (#symbol);                 \
  CUresult fake_##symbol parameters                                    \
  {                                                                    \
    CUresult (*function) parameters = find_function (#name);           \
                                                                       \
    return function != NULL ? function arguments : CUDA_ERROR_NOT_INITIALIZED; \
  }

/* Contexts belong to the runtime. */

FORWARD (cuCtxCreate_v2, cuCtxCreate, (CUcontext *context, unsigned int flags, CUdevice device), (context, flags, device))
FORWARD (cuCtxDestroy_v2, cuCtxDestroy, (CUcontext context), (context))
FORWARD (cuCtxGetCurrent, cuCtxGetCurrent, (CUcontext *context), (context))
FORWARD (cuCtxPopCurrent_v2, cuCtxPopCurrent, (CUcontext *context), (context))
FORWARD (cuCtxPushCurrent_v2, cuCtxPushCurrent, (CUcontext context), (context))
FORWARD (cuCtxSetCurrent, cuCtxSetCurrent, (CUcontext context), (context))
FORWARD (cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease, (CUdevice device), (device))
FORWARD (cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext *context, CUdevice device), (context, device))

/* Devices */

DRIVER (cuInit, unsigned int flags)
{
  int n;

  return (CUresult) cudaGetDeviceCount (&n);
}

DRIVER (cuDriverGetVersion, int *version)
{
  return (CUresult) cudaDriverGetVersion (version);
}

DRIVER (cuGetErrorName, CUresult error, const char **text)
{
  *text = cudaGetErrorName ((cudaError_t) error);
  return CUDA_SUCCESS;
}

DRIVER (cuGetErrorString, CUresult error, const char **text)
{
  *text = cudaGetErrorString ((cudaError_t) error);
  return CUDA_SUCCESS;
}

DRIVER (cuDeviceGetCount, int *n)
{
  return (CUresult) cudaGetDeviceCount (n);
}

DRIVER (cuDeviceGet, CUdevice *device, int ordinal)
{
  int n = 0;

  *device = ordinal;
  cudaGetDeviceCount (&n);

  return ordinal >= 0 && ordinal < n ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

DRIVER (cuDeviceGetName, char *name, int n, CUdevice device)
{
  g_strlcpy (name, "fake", n);
  return CUDA_SUCCESS;
}

DRIVER (cuDeviceGetAttribute, int *value, CUdevice_attribute attribute, CUdevice device)
{
  return (CUresult) cudaDeviceGetAttribute (value, (enum cudaDeviceAttr) attribute, device);
}

DRIVER (cuDeviceTotalMem_v2, size_t *n_bytes, CUdevice device)
{
  struct cudaDeviceProp properties;
  cudaError_t error = cudaGetDeviceProperties (&properties, device);

  if (error == cudaSuccess)
    *n_bytes = properties.totalGlobalMem;
  return (CUresult) error;
}

DRIVER (cuDeviceCanAccessPeer, int *can, CUdevice device, CUdevice peer)
{
  return (CUresult) cudaDeviceCanAccessPeer (can, device, peer);
}

/* Memory */

DRIVER (cuMemAlloc_v2, CUdeviceptr *pointer, size_t n_bytes)
{
  return (CUresult) cudaMalloc ((void **) pointer, n_bytes);
}

DRIVER (cuMemAllocPitch_v2, CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height, unsigned int item_size)
{
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  return fake_cuMemAlloc_v2 (pointer, *pitch * height);
}

DRIVER (cuMemFree_v2, CUdeviceptr pointer)
{
  return (CUresult) cudaFree ((void *) (gsize) pointer);
}

DRIVER (cuMemAllocHost_v2, void **pointer, size_t n_bytes)
{
  return (CUresult) cudaMallocHost (pointer, n_bytes);
}

DRIVER (cuMemFreeHost, void *pointer)
{
  return (CUresult) cudaFreeHost (pointer);
}

static gpointer
get_start (CUmemorytype type,
           const void  *host,
           CUdeviceptr  device,
           size_t       x,
           size_t       y,
           size_t       pitch)
{
  return (guint8 *) (type == CU_MEMORYTYPE_HOST ? (gsize) host : (gsize) device) + y * pitch + x;
}

DRIVER (cuMemcpy2DAsync_v2, const CUDA_MEMCPY2D *copy, CUstream stream)
{
  gpointer to = get_start (copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstXInBytes, copy->dstY, copy->dstPitch);
  gpointer from = get_start (copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcXInBytes, copy->srcY, copy->srcPitch);

  return (CUresult) cudaMemcpy2DAsync (to, copy->dstPitch, from, copy->srcPitch, copy->WidthInBytes, copy->Height,
                                       cudaMemcpyDefault, stream);
}

DRIVER (cuMemcpy2D_v2, const CUDA_MEMCPY2D *copy)
{
  CUresult result = fake_cuMemcpy2DAsync_v2 (copy, NULL);

  return result == CUDA_SUCCESS ? (CUresult) cudaStreamSynchronize (NULL) : result;
}

/* Streams */

DRIVER (cuStreamCreate, CUstream *stream, unsigned int flags)
{
  return (CUresult) cudaStreamCreateWithFlags (stream, flags);
}

DRIVER (cuStreamDestroy, CUstream stream)
{
  return (CUresult) cudaStreamDestroy (stream);
}

DRIVER (cuStreamSynchronize, CUstream stream)
{
  return (CUresult) cudaStreamSynchronize (stream);
}

/* Other functions */

#define NOT_SUPPORTED(name) \
  DRIVER (name, void)       \
  {                         \
    return CUDA_ERROR_NOT_SUPPORTED; \
  }

NOT_SUPPORTED (cuCtxDisablePeerAccess)
NOT_SUPPORTED (cuCtxEnablePeerAccess)
NOT_SUPPORTED (cuGLGetDevices_v2)
NOT_SUPPORTED (cuGraphicsGLRegisterBuffer)
NOT_SUPPORTED (cuGraphicsGLRegisterImage)
NOT_SUPPORTED (cuGraphicsMapResources)
NOT_SUPPORTED (cuGraphicsResourceGetMappedPointer_v2)
NOT_SUPPORTED (cuGraphicsResourceSetMapFlags_v2)
NOT_SUPPORTED (cuGraphicsSubResourceGetMappedArray)
NOT_SUPPORTED (cuGraphicsUnmapResources)
NOT_SUPPORTED (cuGraphicsUnregisterResource)
NOT_SUPPORTED (cuLaunchKernel)
NOT_SUPPORTED (cuModuleGetFunction)
NOT_SUPPORTED (cuModuleLoadData)
NOT_SUPPORTED (cuModuleUnload)
NOT_SUPPORTED (cuTexObjectCreate)
NOT_SUPPORTED (cuTexObjectDestroy)
