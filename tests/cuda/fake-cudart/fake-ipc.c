/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* memfd_create() needs this. */
#define _GNU_SOURCE

#include "fake-private.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Shared memory is a file without a name. Another process opens it through /proc/PID/fd of this
 * one. It goes when the last process that has it ends. */

#define MEMORY_MAGIC 0x66616b656d656d31
#define EVENT_MAGIC  0x66616b6565767431

typedef struct
{
  guint64 magic;
  gint32  process;
  gint32  fd;
  gint32  device;
  guint64 id;
  guint64 n_bytes;
} Handle;

G_STATIC_ASSERT (sizeof (Handle) <= CUDA_IPC_HANDLE_SIZE);

/* The part of an event that processes share: the number of records so far, and the last one that
 * happened. */
typedef struct
{
  guint64 n_records;
  guint64 n_done;
} Shared;

typedef struct
{
  FakeItem item;
  Shared  *shared;
  guint64  n_records;
} Wait;

static int
create_file (gsize n_bytes)
{
  int fd = memfd_create ("fake-cuda", MFD_CLOEXEC);

  if (fd >= 0 && ftruncate (fd, n_bytes) != 0)
    {
      close (fd);
      return -1;
    }
  return fd;
}

static int
open_file (const Handle *handle,
           gsize         n_bytes)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd/%d", handle->process, handle->fd);
  int fd = open (path, O_RDWR | O_CLOEXEC);
  struct stat status;

  if (fd >= 0 && (fstat (fd, &status) != 0 || status.st_size < (gssize) n_bytes))
    {
      close (fd);
      return -1;
    }
  return fd;
}

static void
fill_handle (Handle *handle,
             guint64 magic,
             int     fd,
             int     device)
{
  memset (handle, 0, sizeof *handle);
  handle->magic = magic;
  handle->process = getpid ();
  handle->fd = fd;
  handle->device = device;
}

static cudaError_t
check_handle (const Handle *handle,
              guint64       magic)
{
  if (handle->magic != magic || handle->device < 0 || handle->device >= FAKE_CUDA_MAX_DEVICES)
    return cudaErrorInvalidValue;

  return handle->process == getpid () ? cudaErrorDeviceUninitialized : cudaSuccess;
}

/* Memory */

/* Replaces the memory by a mapping of a file, at the same address. */
static cudaError_t
share_mapping (FakeMapping *mapping)
{
  int fd = create_file (mapping->n_bytes);
  gsize n_written = 0;

  if (fd < 0)
    return cudaErrorMapBufferObjectFailed;

  fake_protect (mapping->address, mapping->n_bytes, FALSE);
  while (n_written < mapping->n_bytes)
    {
      gssize n = write (fd, mapping->address + n_written, mapping->n_bytes - n_written);

      if (n <= 0)
        break;
      n_written += n;
    }
  if (n_written == mapping->n_bytes &&
      mmap (mapping->address, mapping->n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
            0) != MAP_FAILED)
    mapping->fd = fd;
  else
    close (fd);
  fake_protect (mapping->address, mapping->n_bytes, TRUE);

  return mapping->fd >= 0 ? cudaSuccess : cudaErrorMapBufferObjectFailed;
}

/* The handle is for the whole block, whatever address in it is given. */
static cudaError_t
get_memory_handle (cudaIpcMemHandle_t *handle,
                   gconstpointer       pointer)
{
  FakeBlock *block = fake_block_find (pointer);
  cudaError_t error = cudaSuccess;
  Handle own;

  if (handle == NULL || block == NULL || block->kind != FAKE_BLOCK_DEVICE)
    return cudaErrorInvalidValue;
  if (block->mapping->fd < 0)
    error = share_mapping (block->mapping);
  if (error != cudaSuccess)
    return error;

  fill_handle (&own, MEMORY_MAGIC, block->mapping->fd, block->device);
  own.id = block->id;
  own.n_bytes = block->n_bytes;
  memset (handle, 0, sizeof *handle);
  memcpy (handle, &own, sizeof own);

  return cudaSuccess;
}

cudaError_t
cudaIpcGetMemHandle (cudaIpcMemHandle_t *handle,
                     void               *pointer)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = get_memory_handle (handle, pointer);
  return fake_leave (error);
}

/* Returns the block of an earlier opening of the same handle. */
static FakeBlock *
find_opened (const Handle *handle)
{
  g_autoptr (GPtrArray) blocks = fake_block_list ();

  for (guint i = 0; i < blocks->len; i++)
    {
      FakeBlock *block = blocks->pdata[i];

      if (block->kind == FAKE_BLOCK_IPC && block->process == handle->process &&
          block->foreign_id == handle->id)
        return block;
    }
  return NULL;
}

static FakeBlock *
open_block (const Handle *handle)
{
  int fd = open_file (handle, handle->n_bytes);
  FakeMapping *mapping;
  FakeBlock *block;

  if (fd < 0)
    return NULL;
  mapping = fake_mapping_new (handle->n_bytes, TRUE);
  if (mapping == NULL ||
      mmap (mapping->address, mapping->n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
            0) == MAP_FAILED)
    {
      g_clear_pointer (&mapping, fake_mapping_unref);
      close (fd);
      return NULL;
    }

  mapping->fd = fd;
  fake_protect (mapping->address, mapping->n_bytes, TRUE);
  block = fake_block_add (FAKE_BLOCK_IPC, handle->device, mapping, mapping->address,
                          handle->n_bytes, "cudaIpcOpenMemHandle");
  block->process = handle->process;
  block->foreign_id = handle->id;

  return block;
}

static cudaError_t
open_memory_handle (gpointer                 *pointer,
                    const cudaIpcMemHandle_t *handle,
                    unsigned int              flags)
{
  FakeBlock *block;
  Handle own;
  cudaError_t error;

  memcpy (&own, handle, sizeof own);
  if (pointer == NULL || flags != cudaIpcMemLazyEnablePeerAccess)
    return cudaErrorInvalidValue;
  error = check_handle (&own, MEMORY_MAGIC);
  if (error != cudaSuccess)
    return error;

  block = find_opened (&own);
  if (block == NULL)
    block = open_block (&own);
  if (block == NULL)
    return cudaErrorMapBufferObjectFailed;

  block->n_opened++;
  *pointer = block->address;
  return cudaSuccess;
}

cudaError_t
cudaIpcOpenMemHandle (void             **pointer,
                      cudaIpcMemHandle_t handle,
                      unsigned int       flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = open_memory_handle (pointer, &handle, flags);
  return fake_leave (error);
}

cudaError_t
cudaIpcCloseMemHandle (void *pointer)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);
  FakeBlock *block = NULL;

  if (error == cudaSuccess)
    {
      block = fake_block_find_start (pointer, FAKE_BLOCK_IPC, FAKE_BLOCK_IPC);
      if (block == NULL)
        error = cudaErrorInvalidValue;
    }
  if (error == cudaSuccess && --block->n_opened == 0)
    {
      fake_check_free (block, "cudaIpcCloseMemHandle");
      fake_wait_for_all ();
      fake_block_remove (block, "cudaIpcCloseMemHandle");
    }
  return fake_leave (error);
}

/* Events */

static gboolean
map_event (FakeEvent *event,
           int        fd)
{
  gpointer shared = mmap (NULL, sizeof (Shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

  if (shared == MAP_FAILED)
    {
      close (fd);
      return FALSE;
    }
  event->shared = shared;
  event->shared_fd = fd;
  return TRUE;
}

void
fake_event_unshare (FakeEvent *event)
{
  if (event->shared == NULL)
    return;

  munmap (event->shared, sizeof (Shared));
  close (event->shared_fd);
  event->shared = NULL;
}

static cudaError_t
share_event (FakeEvent *event)
{
  int fd = create_file (sizeof (Shared));
  Shared *shared;

  if (fd < 0 || !map_event (event, fd))
    return cudaErrorMapBufferObjectFailed;

  shared = event->shared;
  if (event->is_recorded)
    {
      shared->n_records = event->n_shared = 1;
      shared->n_done = fake_clock_is_done (&event->clock);
    }
  return cudaSuccess;
}

static cudaError_t
get_event_handle (cudaIpcEventHandle_t *handle,
                  cudaEvent_t           event_handle)
{
  FakeEvent *event;
  cudaError_t error = fake_event_find (event_handle, &event);
  Handle own;

  if (error != cudaSuccess)
    return error;
  if (handle == NULL)
    return cudaErrorInvalidValue;
  if (!(event->flags & cudaEventInterprocess) || event->is_foreign)
    return cudaErrorInvalidResourceHandle;
  /* Pending work from before the event was shared is done first. */
  if (event->shared == NULL)
    {
      fake_wait (&event->clock);
      error = share_event (event);
    }
  if (error != cudaSuccess)
    return error;

  fill_handle (&own, EVENT_MAGIC, event->shared_fd, event->device);
  memset (handle, 0, sizeof *handle);
  memcpy (handle, &own, sizeof own);
  return cudaSuccess;
}

cudaError_t
cudaIpcGetEventHandle (cudaIpcEventHandle_t *handle,
                       cudaEvent_t           event)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = get_event_handle (handle, event);
  return fake_leave (error);
}

static cudaError_t
open_event_handle (cudaEvent_t                *event_handle,
                   const cudaIpcEventHandle_t *handle)
{
  FakeEvent *event;
  Handle own;
  cudaError_t error;
  int fd;

  memcpy (&own, handle, sizeof own);
  if (event_handle == NULL)
    return cudaErrorInvalidValue;
  error = check_handle (&own, EVENT_MAGIC);
  if (error != cudaSuccess)
    return error;

  fd = open_file (&own, sizeof (Shared));
  if (fd < 0)
    return cudaErrorMapBufferObjectFailed;
  event = fake_event_new (own.device, cudaEventDisableTiming | cudaEventInterprocess);
  event->is_foreign = TRUE;
  if (!map_event (event, fd))
    {
      fake_event_free (event);
      return cudaErrorMapBufferObjectFailed;
    }

  *event_handle = fake_handle (event->id);
  return cudaSuccess;
}

cudaError_t
cudaIpcOpenEventHandle (cudaEvent_t         *event,
                        cudaIpcEventHandle_t handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = open_event_handle (event, &handle);
  return fake_leave (error);
}

/* Returns TRUE if another process made the last record. */
gboolean
fake_event_is_elsewhere (FakeEvent *event)
{
  Shared *shared = event->shared;

  return shared != NULL &&
         __atomic_load_n (&shared->n_records, __ATOMIC_ACQUIRE) != event->n_shared;
}

gboolean
fake_event_is_done_elsewhere (FakeEvent *event)
{
  Shared *shared = event->shared;

  return __atomic_load_n (&shared->n_done, __ATOMIC_ACQUIRE) >=
         __atomic_load_n (&shared->n_records, __ATOMIC_ACQUIRE);
}

static gboolean
is_ready (FakeItem *item)
{
  Wait *wait = (Wait *) item;

  return __atomic_load_n (&wait->shared->n_done, __ATOMIC_ACQUIRE) >= wait->n_records;
}

static void
run_wait (FakeItem *item)
{
}

static void
clear_wait (FakeItem *item)
{
  munmap (((Wait *) item)->shared, sizeof (Shared));
}

/* Makes a stream wait for the record of another process. The event may be destroyed in the
 * meantime. */
cudaError_t
fake_event_wait_elsewhere (FakeEvent  *event,
                           FakeStream *stream)
{
  Shared *shared = mmap (NULL, sizeof (Shared), PROT_READ | PROT_WRITE, MAP_SHARED,
                         event->shared_fd, 0);
  Wait *wait;

  if (shared == MAP_FAILED)
    return cudaErrorMapBufferObjectFailed;

  wait = fake_item_new (sizeof (Wait), stream, fake_state.call);
  wait->item.run = run_wait;
  wait->item.clear = clear_wait;
  wait->item.is_ready = is_ready;
  wait->shared = shared;
  wait->n_records = __atomic_load_n (&shared->n_records, __ATOMIC_ACQUIRE);
  fake_item_submit (&wait->item);

  return cudaSuccess;
}

/* A thread that runs work which another process waits for, even if this process does not ask. */
static gpointer
pump (gpointer data)
{
  FakeClock *target = data;
  guint64 generation;

  fake_lock ();
  generation = fake_state.generation;
  while (fake_state.generation == generation && !fake_clock_is_done (target))
    if (!fake_scheduler_step (target))
      fake_sleep ();
  fake_unlock ();

  fake_clock_clear (target);
  g_free (target);
  return NULL;
}

static void
start_pump (const FakeClock *clock)
{
  FakeClock *target = g_new0 (FakeClock, 1);
  pthread_t thread;

  fake_clock_copy (target, clock);
  if (pthread_create (&thread, NULL, pump, target) != 0)
    g_error ("No thread for the work that another process waits for");
  pthread_detach (thread);
}

/* Takes the number of a record that this process is about to make. */
void
fake_event_begin_record (FakeEvent *event)
{
  Shared *shared = event->shared;

  if (shared != NULL)
    event->n_shared = __atomic_add_fetch (&shared->n_records, 1, __ATOMIC_ACQ_REL);
}

void
fake_event_push (FakeEvent *event)
{
  if (event->shared != NULL)
    start_pump (&event->clock);
}

void
fake_event_end_record (FakeEvent *event)
{
  Shared *shared = event->shared;

  if (shared != NULL)
    __atomic_store_n (&shared->n_done, event->n_shared, __ATOMIC_RELEASE);
}
