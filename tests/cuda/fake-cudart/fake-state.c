/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define HANDLE_BASE ((guint64) 0xfa << 36)
#define HANDLE_STEP 64

/* A failure that was requested. */
typedef struct
{
  char        *function;
  guint        n_left;
  cudaError_t  error;
  gboolean     is_lasting;
} Failure;

FakeState fake_state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t thread_key;

static GPtrArray *failures;
static GHashTable *n_calls;
static guint n_all_calls;

static guint64
read_variable (const char *name,
               guint64     fallback)
{
  const char *text = g_getenv (name);

  return text != NULL ? g_ascii_strtoull (text, NULL, 0) : fallback;
}

static void
failure_free (gpointer data)
{
  Failure *failure = data;

  g_free (failure->function);
  g_free (failure);
}

static void
thread_free (gpointer data)
{
  FakeThread *thread = data;

  g_clear_pointer (&thread->configurations, g_array_unref);
  g_clear_pointer (&thread->streams, g_hash_table_unref);
  g_clear_pointer (&thread->pushed, g_array_unref);
  g_free (thread);
}

static void
state_set_up (void)
{
  gsize n_bytes = read_variable ("FAKE_CUDA_MEMORY", (guint64) 4 << 30);

  fake_state.n_devices = MIN (read_variable ("FAKE_CUDA_N_DEVICES", 2), FAKE_CUDA_MAX_DEVICES);
  fake_state.driver = read_variable ("FAKE_CUDA_DRIVER", CUDART_VERSION);
  fake_state.n_registers = 32;
  fake_state.latency = read_variable ("FAKE_CUDA_LATENCY", 1);
  fake_state.eagerness = read_variable ("FAKE_CUDA_EAGERNESS", 0);
  fake_state.is_unloading = FALSE;
  fake_state.reuses_handles = FALSE;
  fake_state.n_staged_copies = 0;
  g_queue_clear (&fake_state.free_numbers);
  fake_state.time = 1;
  fake_state.generation++;
  g_rand_set_seed (fake_state.rand, read_variable ("FAKE_CUDA_SEED", 1));

  memset (fake_state.devices, 0, sizeof fake_state.devices);
  for (int i = 0; i < FAKE_CUDA_MAX_DEVICES; i++)
    {
      fake_state.devices[i].n_bytes_limit = n_bytes;
      fake_state.devices[i].granularity = (gsize) 2 << 20;
      fake_state.devices[i].primary.device = i;
      for (int k = 0; k < FAKE_CUDA_MAX_DEVICES; k++)
        fake_state.devices[i].can_access[k] = i != k;
    }
}

static void
set_up (void)
{
  pthread_key_create (&thread_key, thread_free);
  failures = g_ptr_array_new_with_free_func (failure_free);
  n_calls = g_hash_table_new (g_str_hash, g_str_equal);

  fake_state.rand = g_rand_new_with_seed (1);
  fake_state.streams = g_hash_table_new (g_int64_hash, g_int64_equal);
  fake_state.events = g_hash_table_new (g_int64_hash, g_int64_equal);
  fake_state.pools = g_hash_table_new (g_int64_hash, g_int64_equal);
  fake_state.graphs = g_hash_table_new (g_int64_hash, g_int64_equal);
  fake_state.reset_handles = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  fake_state.contexts = g_ptr_array_new_with_free_func (g_free);
  fake_state.timelines = g_array_new (FALSE, TRUE, sizeof (FakeTimeline));
  fake_state.all_streams = g_ptr_array_new ();
  state_set_up ();
}

void
fake_lock (void)
{
  pthread_once (&once, set_up);
  pthread_mutex_lock (&lock);
}

void
fake_unlock (void)
{
  pthread_mutex_unlock (&lock);
}

/* Sleeps until another thread changes something, or a millisecond, for changes by other
 * processes. */
void
fake_sleep (void)
{
  struct timespec until;

  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_nsec += 1000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait (&changed, &lock, &until);
}

void
fake_wake (void)
{
  pthread_cond_broadcast (&changed);
}

gpointer
fake_handle (guint64 id)
{
  return (gpointer) (gsize) (HANDLE_BASE + id * HANDLE_STEP);
}

/* Remembers the handle, so that a later use can be reported as one after the reset. */
void
fake_handle_die (guint64 id)
{
  g_hash_table_add (fake_state.reset_handles, g_memdup2 (&id, sizeof id));
}

guint64
fake_handle_id (gconstpointer handle)
{
  guint64 value = (gsize) handle;

  if (value < HANDLE_BASE || value % HANDLE_STEP != 0)
    return 0;
  return (value - HANDLE_BASE) / HANDLE_STEP;
}

FakeThread *
fake_thread_get (void)
{
  FakeThread *thread = pthread_getspecific (thread_key);

  if (thread == NULL)
    {
      thread = g_new0 (FakeThread, 1);
      thread->configurations = g_array_new (FALSE, FALSE, sizeof (FakeConfiguration));
      thread->streams = g_hash_table_new (NULL, NULL);
      thread->pushed = g_array_new (FALSE, FALSE, sizeof (FakePushed));
      pthread_setspecific (thread_key, thread);
    }
  if (thread->generation != fake_state.generation)
    {
      thread->generation = fake_state.generation;
      thread->device = 0;
      thread->context = NULL;
      thread->last_error = cudaSuccess;
      thread->capture_mode = cudaStreamCaptureModeGlobal;
      g_hash_table_remove_all (thread->streams);
      g_array_set_size (thread->pushed, 0);
    }

  return thread;
}

/* Calls */

static const char *
get_public_name (const char *name)
{
  if (g_str_equal (name, "__cudaLaunchKernel") || g_str_equal (name, "cudaLaunchKernelExC"))
    return "cudaLaunchKernel";

  return name;
}

void
fake_count_call (const char *name)
{
  gsize n = (gsize) g_hash_table_lookup (n_calls, name);

  g_hash_table_insert (n_calls, (gpointer) name, (gpointer) (n + 1));
}

/* Every failure counts the calls that match it, even if another failure comes first. */
static cudaError_t
find_failure (const char *name)
{
  cudaError_t error = cudaSuccess;

  for (guint i = 0; i < failures->len; i++)
    {
      Failure *failure = failures->pdata[i];

      if (failure->function != NULL && !g_str_equal (failure->function, name))
        continue;
      if (failure->n_left > 0 && --failure->n_left > 0)
        continue;

      error = failure->error;
      if (!failure->is_lasting)
        g_ptr_array_remove_index (failures, i--);
    }

  return error;
}

static cudaError_t
check_driver (void)
{
  if (fake_state.driver < CUDART_VERSION / 1000 * 1000)
    return cudaErrorInsufficientDriver;
  if (fake_state.n_devices == 0)
    return cudaErrorNoDevice;

  return cudaSuccess;
}

/* An unsafe call invalidates the captures during which it is forbidden. */
static cudaError_t
check_capture (FakeThread *thread)
{
  cudaError_t error = cudaSuccess;

  if (fake_state.n_capturing == 0 || thread->capture_mode == cudaStreamCaptureModeRelaxed)
    return cudaSuccess;

  for (guint i = 0; i < fake_state.all_streams->len; i++)
    {
      FakeStream *stream = fake_state.all_streams->pdata[i];

      if (stream->capture == NULL || stream->capture->mode == cudaStreamCaptureModeRelaxed)
        continue;
      if ((stream->capture->mode == cudaStreamCaptureModeThreadLocal ||
           thread->capture_mode == cudaStreamCaptureModeThreadLocal) &&
          stream->capture->thread != thread)
        continue;

      error = fake_stream_break_capture (stream);
    }

  return error;
}

cudaError_t
fake_check_capture (void)
{
  return check_capture (fake_thread_get ());
}

static cudaError_t
check_call (const char *name,
            FakeCall    call)
{
  FakeThread *thread = fake_thread_get ();
  cudaError_t error;

  if (fake_state.is_unloading)
    return cudaErrorCudartUnloading;
  if (thread->is_host_function)
    return cudaErrorNotPermitted;

  error = find_failure (name);
  if (error == cudaSuccess)
    error = check_driver ();
  if (error == cudaSuccess && call >= FAKE_CALL_DEVICE)
    error = fake_state.devices[thread->device].lost;
  if (error == cudaSuccess && call >= FAKE_CALL_DEVICE && thread->context != NULL &&
      thread->context->is_destroyed)
    error = cudaErrorContextIsDestroyed;
  if (error == cudaSuccess && call >= FAKE_CALL_UNSAFE)
    error = check_capture (thread);
  if (error == cudaSuccess && call >= FAKE_CALL_DEVICE)
    fake_context_need (thread);

  return error;
}

/* Takes the lock, even if it returns an error; fake_leave() releases it. */
cudaError_t
fake_enter_call (const char *name,
                 FakeCall    call)
{
  const char *public_name = get_public_name (name);

  fake_lock ();
  fake_state.call = public_name;
  fake_count_call (public_name);
  n_all_calls++;
  if (call == FAKE_CALL_PLAIN)
    return cudaSuccess;

  return check_call (public_name, call);
}

cudaError_t
fake_leave (cudaError_t error)
{
  if (error != cudaSuccess)
    fake_thread_get ()->last_error = error;
  else if (fake_state.eagerness > 0 &&
           g_rand_int_range (fake_state.rand, 0, 100) < (int) fake_state.eagerness)
    fake_scheduler_step (NULL);
  fake_unlock ();

  return error;
}

/* Control */

static void
reset (void)
{
  fake_drop_work (NULL);
  fake_graphs_reset (NULL);
  fake_events_reset (NULL);
  fake_streams_reset (NULL);
  fake_blocks_reset (NULL);
  fake_virtual_reset ();
  fake_pools_reset ();
  g_ptr_array_set_size (fake_state.contexts, 0);
  g_array_set_size (fake_state.timelines, 0);
  fake_clock_clear (&fake_state.host);
  fake_state.n_capturing = 0;
  state_set_up ();

  g_ptr_array_set_size (failures, 0);
  g_hash_table_remove_all (n_calls);
  n_all_calls = 0;
}

void
fake_cuda_reset (void)
{
  fake_lock ();
  reset ();
  fake_unlock ();
  fake_cuda_clear_faults ();
}

void
fake_cuda_set_n_devices (int n_devices)
{
  fake_lock ();
  fake_state.n_devices = CLAMP (n_devices, 0, FAKE_CUDA_MAX_DEVICES);
  fake_unlock ();
}

void
fake_cuda_set_driver (int version)
{
  fake_lock ();
  fake_state.driver = version;
  fake_unlock ();
}

void
fake_cuda_set_unloading (int is_unloading)
{
  fake_lock ();
  fake_state.is_unloading = is_unloading != 0;
  fake_unlock ();
}

void
fake_cuda_set_seed (unsigned int seed)
{
  fake_lock ();
  g_rand_set_seed (fake_state.rand, seed);
  fake_unlock ();
}

void
fake_cuda_set_latency (unsigned int n_steps)
{
  fake_lock ();
  fake_state.latency = MAX (n_steps, 1);
  fake_unlock ();
}

void
fake_cuda_reuse_handles (int reuse)
{
  fake_lock ();
  fake_state.reuses_handles = reuse != 0;
  g_queue_clear (&fake_state.free_numbers);
  fake_unlock ();
}

void
fake_cuda_set_eagerness (unsigned int percent)
{
  fake_lock ();
  fake_state.eagerness = percent;
  fake_unlock ();
}

void
fake_cuda_advance (unsigned int n_steps)
{
  fake_lock ();
  while (n_steps-- > 0 && fake_scheduler_step (NULL))
    continue;
  fake_unlock ();
}

void
fake_cuda_fail (const char  *function,
                unsigned int n,
                cudaError_t  error,
                int          is_lasting)
{
  Failure *failure = g_new (Failure, 1);

  failure->function = g_strdup (function);
  failure->n_left = MAX (n, 1);
  failure->error = error;
  failure->is_lasting = is_lasting != 0;

  fake_lock ();
  g_ptr_array_add (failures, failure);
  fake_unlock ();
}

void
fake_cuda_clear_failures (void)
{
  fake_lock ();
  g_ptr_array_set_size (failures, 0);
  fake_unlock ();
}

unsigned int
fake_cuda_get_n_calls (const char *function)
{
  guint n;

  fake_lock ();
  n = function == NULL ? n_all_calls : (guint) (gsize) g_hash_table_lookup (n_calls, function);
  fake_unlock ();

  return n;
}

void
fake_cuda_clear_n_calls (void)
{
  fake_lock ();
  g_hash_table_remove_all (n_calls);
  n_all_calls = 0;
  fake_unlock ();
}
