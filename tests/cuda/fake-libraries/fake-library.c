/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-library.h"

#include <string.h>

#define MAGIC G_GUINT64_CONSTANT (0x66616b6568616e64)

typedef struct
{
  const char *function;
  guint       n;
  int         status;
} Failure;

static GMutex lock;
static GArray *failures;
/* Hash table: name of a function → number of calls. */
static GHashTable *counts;
static GPtrArray *handles;
static const char *hooked;
static void (*hook) (void);
/* Hash table: name of a kernel → its stub. */
static GHashTable *stubs;

void
fake_library_fail (const char   *function,
                   unsigned int  n,
                   int           status)
{
  const Failure failure = { g_intern_string (function), n, status };

  g_mutex_lock (&lock);
  if (failures == NULL)
    failures = g_array_new (FALSE, FALSE, sizeof (Failure));
  g_array_append_val (failures, failure);
  g_mutex_unlock (&lock);
}

unsigned int
fake_library_get_n_calls (const char *function)
{
  guint n = 0;

  g_mutex_lock (&lock);
  if (counts != NULL)
    n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, g_intern_string (function)));
  g_mutex_unlock (&lock);

  return n;
}

void
fake_library_set_hook (const char *function,
                       void      (*new_hook) (void))
{
  g_mutex_lock (&lock);
  hooked = g_intern_string (function);
  hook = new_hook;
  g_mutex_unlock (&lock);
}

void
fake_library_clear (void)
{
  g_mutex_lock (&lock);
  g_clear_pointer (&failures, g_array_unref);
  g_clear_pointer (&counts, g_hash_table_unref);
  g_mutex_unlock (&lock);
}

unsigned int
fake_library_get_n_handles (void)
{
  guint n;

  g_mutex_lock (&lock);
  n = handles != NULL ? handles->len : 0;
  g_mutex_unlock (&lock);

  return n;
}

static int
find_failure (const char *function)
{
  for (guint i = 0; failures != NULL && i < failures->len; i++)
    {
      Failure *failure = &g_array_index (failures, Failure, i);

      if (failure->function == function && failure->n > 0 && --failure->n == 0)
        return failure->status;
    }

  return 0;
}

int
fake_library_call (const char *function)
{
  gpointer key = (gpointer) g_intern_string (function);
  void (*call) (void) = NULL;
  int status;

  g_mutex_lock (&lock);
  if (counts == NULL)
    counts = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (counts, key,
                       GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1));
  status = find_failure (key);
  if (key == hooked)
    call = g_steal_pointer (&hook);
  g_mutex_unlock (&lock);

  if (call != NULL)
    call ();
  return status;
}

FakeHandle *
fake_handle_new (void)
{
  FakeHandle *self = g_new0 (FakeHandle, 1);

  self->magic = MAGIC;
  if (cudaGetDevice (&self->device) != cudaSuccess ||
      cudaEventCreateWithFlags (&self->event, cudaEventDisableTiming) != cudaSuccess)
    {
      g_free (self);
      return NULL;
    }

  g_mutex_lock (&lock);
  if (handles == NULL)
    handles = g_ptr_array_new ();
  g_ptr_array_add (handles, self);
  g_mutex_unlock (&lock);

  return self;
}

static gboolean
is_known (FakeHandle *self)
{
  gboolean found;

  g_mutex_lock (&lock);
  found = handles != NULL && g_ptr_array_find (handles, self, NULL);
  g_mutex_unlock (&lock);

  return found && self->magic == MAGIC;
}

void
fake_handle_free (FakeHandle *self)
{
  (void) cudaEventDestroy (self->event);
  g_mutex_lock (&lock);
  g_ptr_array_remove_fast (handles, self);
  g_mutex_unlock (&lock);
  g_free (self);
}

gboolean
fake_handle_check (FakeHandle *self)
{
  int device = -1;

  return is_known (self) && cudaGetDevice (&device) == cudaSuccess && device == self->device &&
         cudaEventQuery (self->event) == cudaSuccess;
}

/* Functions by which nvcc's object files register their kernels. */
void **__cudaRegisterFatBinary    (void        *binary);
void   __cudaRegisterFatBinaryEnd (void       **handle);
void   __cudaRegisterFunction     (void       **handle,
                                   const char  *stub,
                                   char        *device_stub,
                                   const char  *name,
                                   int          n_max_threads,
                                   uint3       *thread,
                                   uint3       *block,
                                   dim3        *block_size,
                                   dim3        *grid_size,
                                   int         *warp_size);

static char *
find_stub (const char     *name,
           FakeCudaInvoke  invoke,
           FakeCudaNote    note,
           gsize           n_bytes)
{
  static void **binary;
  char *stub;

  g_mutex_lock (&lock);
  if (stubs == NULL)
    {
      stubs = g_hash_table_new (g_str_hash, g_str_equal);
      binary = __cudaRegisterFatBinary ((gpointer) name);
    }
  stub = g_hash_table_lookup (stubs, name);
  if (stub == NULL)
    {
      stub = g_malloc0 (1);
      g_hash_table_insert (stubs, (gpointer) name, stub);
      __cudaRegisterFunction (binary, stub, stub, name, -1, NULL, NULL, NULL, NULL, NULL);
      fake_cuda_add_kernel (name, invoke, 1, &n_bytes);
      fake_cuda_set_kernel_note (name, note);
    }
  g_mutex_unlock (&lock);

  return stub;
}

cudaError_t
fake_library_launch (const char     *name,
                     FakeCudaInvoke  invoke,
                     FakeCudaNote    note,
                     gpointer        arg,
                     gsize           n_bytes,
                     cudaStream_t    stream)
{
  const char *stub = find_stub (name, invoke, note, n_bytes);
  const dim3 one = { 1, 1, 1 };
  void *args[] = { arg };

  return cudaLaunchKernel (stub, one, one, args, 0, stream);
}

static float
float_from_bits (guint32 bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

float
fake_float_of_half (guint16 half,
                    guint   n_mantissa)
{
  const guint32 sign = (guint32) (half & 0x8000) << 16;
  const guint32 rest = (guint32) (half & 0x7fff) << (23 - n_mantissa);
  const float scale = n_mantissa == 10 ? 0x1p112f : 1;

  return float_from_bits (rest) * scale * (sign ? -1 : 1);
}

guint16
fake_half_of_float (float value,
                    guint n_mantissa)
{
  const guint n_cut = 23 - n_mantissa;
  const float scaled = n_mantissa == 10 ? value * 0x1p-112f : value;
  guint32 bits, rest;

  memcpy (&bits, &scaled, sizeof bits);
  rest = bits & 0x7fffffff;
  rest += (1u << (n_cut - 1)) - 1 + ((rest >> n_cut) & 1);
  return (guint16) ((bits >> 31) << 15 | rest >> n_cut);
}
