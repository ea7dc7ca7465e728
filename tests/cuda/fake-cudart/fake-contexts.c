/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

#include <cuda.h>

/* The primary contexts of the devices, and the driver's functions for them. */

static void
activate (int device)
{
  FakeDevice *self = &fake_state.devices[device];

  if (!self->is_active)
    self->n_contexts++;
  self->is_active = TRUE;
}

/* The runtime keeps the context it made until the device is reset. */
void
fake_context_hold (int device)
{
  activate (device);
  fake_state.devices[device].is_held = TRUE;
}

/* A call that works on the current device needs a context: a pushed one, or else the runtime's
 * primary context, which is then the thread's. */
void
fake_context_need (FakeThread *thread)
{
  if (thread->pushed->len == 0 || !fake_state.devices[thread->device].is_active)
    fake_context_hold (thread->device);
  thread->has_context = TRUE;
}

/* Callers that have retained the context still have to release it. */
void
fake_context_reset (int device)
{
  fake_state.devices[device].is_active = FALSE;
  fake_state.devices[device].is_held = FALSE;
}

guint
fake_contexts_check_leaks (void)
{
  guint n = 0;

  for (int i = 0; i < FAKE_CUDA_MAX_DEVICES; i++)
    if (fake_state.devices[i].n_retained > 0)
      {
        fake_fault ("leak: the context of device %d was retained %u times more than released", i,
                    fake_state.devices[i].n_retained);
        n++;
      }
  if (fake_thread_get ()->pushed->len > 0)
    {
      fake_fault ("leak: %u contexts were pushed and not popped", fake_thread_get ()->pushed->len);
      n++;
    }

  return n;
}

/* The driver's functions. Their status numbers are those of the runtime. */

static CUresult
begin (CUdevice device)
{
  fake_lock ();
  if (fake_state.is_unloading)
    return CUDA_ERROR_DEINITIALIZED;
  if (fake_thread_get ()->is_host_function)
    return CUDA_ERROR_NOT_PERMITTED;

  return device >= 0 && device < fake_state.n_devices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult
end (CUresult result)
{
  fake_unlock ();
  return result;
}

static CUresult
cu_device_primary_ctx_retain (CUcontext *context,
                              CUdevice   device)
{
  CUresult result = begin (device);

  if (result == CUDA_SUCCESS)
    {
      activate (device);
      fake_state.devices[device].n_retained++;
      *context = (CUcontext) &fake_state.devices[device];
    }

  return end (result);
}

/* The last release destroys the context and all that is on the device, unless the runtime holds
 * it. */
static CUresult
cu_device_primary_ctx_release (CUdevice device)
{
  CUresult result = begin (device);
  FakeDevice *self;

  if (result == CUDA_SUCCESS && fake_state.devices[device].n_retained == 0)
    result = CUDA_ERROR_INVALID_CONTEXT;
  if (result != CUDA_SUCCESS)
    return end (result);

  self = &fake_state.devices[device];
  if (--self->n_retained == 0 && !self->is_held && self->is_active)
    fake_device_restart (device);

  return end (result);
}

static CUresult
cu_ctx_push_current (CUcontext context)
{
  int device = (int) ((FakeDevice *) context - fake_state.devices);
  CUresult result = begin (device);

  if (result == CUDA_SUCCESS)
    {
      FakeThread *thread = fake_thread_get ();

      g_array_append_val (thread->pushed, thread->device);
      thread->device = device;
    }

  return end (result);
}

static CUresult
cu_ctx_pop_current (CUcontext *context)
{
  CUresult result = begin (0);
  FakeThread *thread = fake_thread_get ();

  if (result == CUDA_SUCCESS && thread->pushed->len == 0)
    result = CUDA_ERROR_INVALID_CONTEXT;
  if (result == CUDA_SUCCESS)
    {
      *context = (CUcontext) &fake_state.devices[thread->device];
      thread->device = g_array_index (thread->pushed, int, thread->pushed->len - 1);
      g_array_set_size (thread->pushed, thread->pushed->len - 1);
    }

  return end (result);
}

/* Fails for a pointer that is not to device memory. */
static CUresult
cu_mem_get_address_range (CUdeviceptr *base,
                          size_t      *n_bytes,
                          CUdeviceptr  pointer)
{
  CUresult result = begin (0);
  FakeThread *thread = fake_thread_get ();
  FakeBlock *block = fake_block_find ((gconstpointer) (gsize) pointer);

  if (result == CUDA_SUCCESS)
    result = (CUresult) fake_state.devices[thread->device].lost;
  if (result == CUDA_SUCCESS && thread->pushed->len == 0 && !thread->has_context)
    result = CUDA_ERROR_INVALID_CONTEXT;
  if (result == CUDA_SUCCESS && (block == NULL || !fake_block_is_device (block)))
    result = CUDA_ERROR_NOT_FOUND;
  if (result == CUDA_SUCCESS)
    {
      *base = (CUdeviceptr) (gsize) block->address;
      *n_bytes = block->n_bytes;
    }

  return end (result);
}

static CUresult
read_attribute (const FakeBlock     *block,
                CUpointer_attribute  attribute,
                void                *data)
{
  if (block != NULL && attribute == CU_POINTER_ATTRIBUTE_BUFFER_ID)
    *(unsigned long long *) data = block->id;
  else if (block != NULL && attribute == CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE)
    *(int *) data = block->kind == FAKE_BLOCK_DEVICE;
  else
    return CUDA_ERROR_INVALID_VALUE;

  return CUDA_SUCCESS;
}

static CUresult
cu_pointer_get_attribute (void               *data,
                          CUpointer_attribute attribute,
                          CUdeviceptr         pointer)
{
  CUresult result = begin (0);
  FakeBlock *block = fake_block_find ((gconstpointer) (gsize) pointer);

  if (result == CUDA_SUCCESS)
    result = (CUresult) fake_state.devices[fake_thread_get ()->device].lost;
  if (result == CUDA_SUCCESS)
    result = read_attribute (block, attribute, data);

  return end (result);
}

static const struct
{
  const char *name;
  void      (*function) (void);
} functions[] = {
  { "cuCtxPopCurrent", (void (*) (void)) cu_ctx_pop_current },
  { "cuCtxPushCurrent", (void (*) (void)) cu_ctx_push_current },
  { "cuDevicePrimaryCtxRelease", (void (*) (void)) cu_device_primary_ctx_release },
  { "cuDevicePrimaryCtxRetain", (void (*) (void)) cu_device_primary_ctx_retain },
  { "cuMemGetAddressRange", (void (*) (void)) cu_mem_get_address_range },
  { "cuPointerGetAttribute", (void (*) (void)) cu_pointer_get_attribute },
};

static cudaError_t
find_function (const char                           *name,
               void                                **function,
               enum cudaDriverEntryPointQueryResult *status)
{
  cudaError_t error = name != NULL && function != NULL ? cudaSuccess : cudaErrorInvalidValue;

  if (error == cudaSuccess)
    {
      *function = NULL;
      for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
        if (g_str_equal (functions[i].name, name))
          *function = (gpointer) functions[i].function;
      if (status != NULL)
        *status =
          *function != NULL ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    }

  return error;
}

#if CUDART_VERSION >= 12050
cudaError_t
cudaGetDriverEntryPointByVersion (const char                           *name,
                                  void                                **function,
                                  unsigned int                          version,
                                  unsigned long long                    flags,
                                  enum cudaDriverEntryPointQueryResult *status)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess)
    error = find_function (name, function, status);
  return fake_leave (error);
}
#else
cudaError_t
cudaGetDriverEntryPoint (const char                           *name,
                         void                                **function,
                         unsigned long long                    flags,
                         enum cudaDriverEntryPointQueryResult *status)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess)
    error = find_function (name, function, status);
  return fake_leave (error);
}
#endif

unsigned int
fake_cuda_get_n_contexts (int device)
{
  guint n;

  g_return_val_if_fail (device >= 0 && device < FAKE_CUDA_MAX_DEVICES, 0);

  fake_lock ();
  n = fake_state.devices[device].n_contexts;
  fake_unlock ();

  return n;
}
