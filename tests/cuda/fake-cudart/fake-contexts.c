/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-virtual-private.h"

/* The primary contexts of the devices, contexts that programs make, and the driver's functions for
 * both. */

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

/* Makes a context the current one. */
void
fake_context_set (FakeContext *context)
{
  FakeThread *thread = fake_thread_get ();

  thread->context = context;
  if (context != NULL)
    thread->device = context->device;
}

/* A call that works on the current device needs a context. Without one the thread gets the device's
 * primary context. */
void
fake_context_need (FakeThread *thread)
{
  FakeDevice *device = &fake_state.devices[thread->device];

  if (thread->context == NULL || (thread->context == &device->primary && !device->is_active))
    {
      fake_context_hold (thread->device);
      thread->context = &device->primary;
    }
}

/* Returns the context in which the thread makes objects on a device. */
FakeContext *
fake_context_find (int device)
{
  FakeContext *context = fake_thread_get ()->context;

  return context != NULL && context->device == device ? context
                                                      : &fake_state.devices[device].primary;
}

/* Ends all that belongs to the context. */
void
fake_context_end (FakeContext *context)
{
  fake_drop_work (context);
  fake_graphs_reset (context);
  fake_events_reset (context);
  fake_streams_reset (context);
  fake_blocks_reset (context);
  context->legacy = NULL;
}

void
fake_contexts_drop_work (int device)
{
  fake_drop_work (&fake_state.devices[device].primary);
  for (guint i = 0; i < fake_state.contexts->len; i++)
    {
      FakeContext *context = fake_state.contexts->pdata[i];

      if (context->device == device)
        fake_drop_work (context);
    }
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
  for (guint i = 0; i < fake_state.contexts->len; i++)
    {
      FakeContext *context = fake_state.contexts->pdata[i];

      if (context->is_destroyed)
        continue;
      fake_fault ("leak: a context of device %d was never destroyed", context->device);
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
begin (const char *name,
       CUdevice    device)
{
  fake_lock ();
  fake_count_call (name);
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
  CUresult result = begin ("cuDevicePrimaryCtxRetain", device);

  if (result == CUDA_SUCCESS)
    {
      activate (device);
      fake_state.devices[device].n_retained++;
      *context = (CUcontext) &fake_state.devices[device].primary;
    }

  return end (result);
}

/* The last release destroys the context and all that is on the device, unless the runtime holds
 * it. */
static CUresult
cu_device_primary_ctx_release (CUdevice device)
{
  CUresult result = begin ("cuDevicePrimaryCtxRelease", device);
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
cu_device_primary_ctx_get_state (CUdevice      device,
                                 unsigned int *flags,
                                 int          *is_active)
{
  CUresult result = begin ("cuDevicePrimaryCtxGetState", device);

  if (result == CUDA_SUCCESS)
    {
      *flags = 0;
      *is_active = fake_state.devices[device].is_active;
    }

  return end (result);
}

static CUresult
check_context (const FakeContext *context)
{
  for (int i = 0; i < fake_state.n_devices; i++)
    if (context == &fake_state.devices[i].primary)
      return CUDA_SUCCESS;

  return g_ptr_array_find (fake_state.contexts, context, NULL) && !context->is_destroyed
           ? CUDA_SUCCESS
           : CUDA_ERROR_INVALID_CONTEXT;
}

static void
push (FakeContext *context)
{
  FakeThread *thread = fake_thread_get ();
  const FakePushed pushed = { thread->device, thread->context };

  g_array_append_val (thread->pushed, pushed);
  fake_context_set (context);
}

static void
pop (void)
{
  FakeThread *thread = fake_thread_get ();
  const FakePushed *pushed = &g_array_index (thread->pushed, FakePushed, thread->pushed->len - 1);

  thread->device = pushed->device;
  thread->context = pushed->context;
  g_array_set_size (thread->pushed, thread->pushed->len - 1);
}

static CUresult
cu_ctx_push_current (CUcontext context)
{
  CUresult result = begin ("cuCtxPushCurrent", 0);

  if (result == CUDA_SUCCESS)
    result = check_context ((FakeContext *) context);
  if (result == CUDA_SUCCESS)
    push ((FakeContext *) context);

  return end (result);
}

static CUresult
cu_ctx_pop_current (CUcontext *context)
{
  CUresult result = begin ("cuCtxPopCurrent", 0);

  if (result == CUDA_SUCCESS && fake_thread_get ()->pushed->len == 0)
    result = CUDA_ERROR_INVALID_CONTEXT;
  if (result == CUDA_SUCCESS)
    {
      if (context != NULL)
        *context = (CUcontext) fake_thread_get ()->context;
      pop ();
    }

  return end (result);
}

static CUresult
cu_ctx_get_current (CUcontext *context)
{
  CUresult result = begin ("cuCtxGetCurrent", 0);

  if (result == CUDA_SUCCESS)
    *context = (CUcontext) fake_thread_get ()->context;

  return end (result);
}

static CUresult
cu_ctx_set_current (CUcontext context)
{
  CUresult result = begin ("cuCtxSetCurrent", 0);

  if (result == CUDA_SUCCESS && context != NULL)
    result = check_context ((FakeContext *) context);
  if (result == CUDA_SUCCESS)
    fake_context_set ((FakeContext *) context);

  return end (result);
}

/* The new context is the current one. */
static CUresult
cu_ctx_create (CUcontext   *context,
               unsigned int flags,
               CUdevice     device)
{
  CUresult result = begin ("cuCtxCreate", device);

  if (result == CUDA_SUCCESS)
    {
      FakeContext *made = g_new0 (FakeContext, 1);

      made->device = device;
      g_ptr_array_add (fake_state.contexts, made);
      push (made);
      *context = (CUcontext) made;
    }

  return end (result);
}

/* Primary contexts cannot be destroyed. */
static CUresult
cu_ctx_destroy (CUcontext context)
{
  CUresult result = begin ("cuCtxDestroy", 0);
  FakeContext *self = (FakeContext *) context;

  if (result == CUDA_SUCCESS)
    result = check_context (self);
  if (result == CUDA_SUCCESS && self == &fake_state.devices[self->device].primary)
    result = CUDA_ERROR_INVALID_CONTEXT;
  if (result == CUDA_SUCCESS)
    {
      fake_wait_for_context (self);
      fake_context_end (self);
      self->is_destroyed = TRUE;
      if (fake_thread_get ()->context == self && fake_thread_get ()->pushed->len > 0)
        pop ();
    }

  return end (result);
}

/* Fails for a pointer that is not to device memory. */
static CUresult
cu_mem_get_address_range (CUdeviceptr *base,
                          size_t      *n_bytes,
                          CUdeviceptr  pointer)
{
  CUresult result = begin ("cuMemGetAddressRange", 0);
  FakeThread *thread = fake_thread_get ();
  FakeBlock *block = fake_block_find ((gconstpointer) (gsize) pointer);

  if (result == CUDA_SUCCESS)
    result = (CUresult) fake_state.devices[thread->device].lost;
  if (result == CUDA_SUCCESS && thread->context == NULL)
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
  CUresult result = begin ("cuPointerGetAttribute", 0);
  FakeBlock *block = fake_block_find ((gconstpointer) (gsize) pointer);

  if (result == CUDA_SUCCESS)
    result = (CUresult) fake_state.devices[fake_thread_get ()->device].lost;
  if (result == CUDA_SUCCESS && fake_thread_get ()->context == NULL)
    result = CUDA_ERROR_INVALID_CONTEXT;
  if (result == CUDA_SUCCESS)
    result = read_attribute (block, attribute, data);

  return end (result);
}

static const struct
{
  const char *name;
  void      (*function) (void);
} functions[] = {
  { "cuCtxCreate", (void (*) (void)) cu_ctx_create },
  { "cuCtxDestroy", (void (*) (void)) cu_ctx_destroy },
  { "cuCtxGetCurrent", (void (*) (void)) cu_ctx_get_current },
  { "cuCtxPopCurrent", (void (*) (void)) cu_ctx_pop_current },
  { "cuCtxPushCurrent", (void (*) (void)) cu_ctx_push_current },
  { "cuCtxSetCurrent", (void (*) (void)) cu_ctx_set_current },
  { "cuDeviceGetAttribute", (void (*) (void)) fake_device_get_attribute },
  { "cuDevicePrimaryCtxGetState", (void (*) (void)) cu_device_primary_ctx_get_state },
  { "cuDevicePrimaryCtxRelease", (void (*) (void)) cu_device_primary_ctx_release },
  { "cuDevicePrimaryCtxRetain", (void (*) (void)) cu_device_primary_ctx_retain },
  { "cuMemAddressFree", (void (*) (void)) fake_mem_address_free },
  { "cuMemAddressReserve", (void (*) (void)) fake_mem_address_reserve },
  { "cuMemCreate", (void (*) (void)) fake_mem_create },
  { "cuMemGetAddressRange", (void (*) (void)) cu_mem_get_address_range },
  { "cuMemGetAllocationGranularity", (void (*) (void)) fake_mem_get_granularity },
  { "cuMemMap", (void (*) (void)) fake_mem_map },
  { "cuMemRelease", (void (*) (void)) fake_mem_release },
  { "cuMemSetAccess", (void (*) (void)) fake_mem_set_access },
  { "cuMemUnmap", (void (*) (void)) fake_mem_unmap },
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
