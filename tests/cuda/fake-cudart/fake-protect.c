/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"
#include "sanitizers.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
# include <sanitizer/asan_interface.h>
#endif

/* The host must not access device memory, so it is closed while no work runs. For AddressSanitizer
 * it is poisoned. Otherwise its pages, which are all in one arena, are protected: a SIGSEGV handler
 * notes the access, opens the page and goes on. */

#define N_ARENA_BYTES ((gsize) 1 << 43)
#define N_MAX_EXTENTS (1 << 18)
#define N_MAX_TOUCHES 64

typedef struct
{
  guint8 *begin;
  /* Equal to begin when the memory is gone. */
  guint8 *end;
} Extent;

static guint8 *arena;
static gsize n_arena_bytes_used;

/* In the order of addresses, because the arena is used from its begin to its end. The signal
 * handler may read them at any time. */
static Extent extents[N_MAX_EXTENTS];
static int n_extents;

/* Written by the signal handler, in which few functions may be called. */
static guint8 *touches[N_MAX_TOUCHES];
static int n_touches;

static struct sigaction old_action;

static gsize
get_page_size (void)
{
  return (gsize) sysconf (_SC_PAGESIZE);
}

static Extent *
find_extent (const guint8 *address)
{
  int begin = 0, end = __atomic_load_n (&n_extents, __ATOMIC_ACQUIRE);

  while (begin < end)
    {
      int middle = begin + (end - begin) / 2;

      if (address < extents[middle].begin)
        end = middle;
      else if (address >= __atomic_load_n (&extents[middle].end, __ATOMIC_RELAXED) &&
               (middle + 1 >= end || address >= extents[middle + 1].begin))
        begin = middle + 1;
      else
        return address < extents[middle].end ? &extents[middle] : NULL;
    }

  return NULL;
}

static void
note_touch (int        number,
            siginfo_t *info,
            void      *context)
{
  guint8 *address = info->si_addr;
  gsize n_page_bytes = get_page_size ();
  int i;

  if (find_extent (address) == NULL)
    {
      /* Restores the old handler. The instruction runs again and fails as without this handler. */
      sigaction (SIGSEGV, &old_action, NULL);
      return;
    }

  i = __atomic_fetch_add (&n_touches, 1, __ATOMIC_RELAXED);
  if (i < N_MAX_TOUCHES)
    __atomic_store_n (&touches[i], address, __ATOMIC_RELEASE);
  mprotect (address - (gsize) address % n_page_bytes, n_page_bytes, PROT_READ | PROT_WRITE);
}

/* Other tools that watch memory would be disturbed. */
static gboolean
is_wanted (void)
{
#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
  return FALSE;
#else
  const char *preload = getenv ("LD_PRELOAD");

  return preload == NULL || (strstr (preload, "vgpreload") == NULL && strstr (preload, "asan") == NULL);
#endif
}

static gboolean
open_arena (void)
{
  static gboolean is_tried;
  struct sigaction action = { .sa_sigaction = note_touch, .sa_flags = SA_SIGINFO };

  if (is_tried)
    return arena != NULL;
  is_tried = TRUE;
  if (!is_wanted ())
    return FALSE;

  arena = mmap (NULL, N_ARENA_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED)
    arena = NULL;
  else
    sigaction (SIGSEGV, &action, &old_action);

  return arena != NULL;
}

/* Returns closed pages with an unused page before and after them; NULL if the arena is full. */
gpointer
fake_arena_take (gsize n_bytes)
{
  gsize n_page_bytes = get_page_size ();
  guint8 *address;

  if (!open_arena () || n_extents == N_MAX_EXTENTS ||
      n_bytes > N_ARENA_BYTES - n_arena_bytes_used - 2 * n_page_bytes)
    return NULL;

  address = arena + n_arena_bytes_used + n_page_bytes;
  n_arena_bytes_used += n_bytes + n_page_bytes;
  extents[n_extents].begin = address;
  extents[n_extents].end = address + n_bytes;
  __atomic_store_n (&n_extents, n_extents + 1, __ATOMIC_RELEASE);

  return address;
}

gboolean
fake_arena_has (gconstpointer address)
{
  return arena != NULL && (const guint8 *) address >= arena &&
         (const guint8 *) address < arena + N_ARENA_BYTES;
}

/* Addresses are not used again, but the memory goes back to the system. */
void
fake_arena_give (gpointer address,
                 gsize    n_bytes)
{
  Extent *extent = find_extent (address);

  __atomic_store_n (&extent->end, extent->begin, __ATOMIC_RELAXED);
  mmap (address, n_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void
fake_protect (gconstpointer address,
              gsize         n_bytes,
              gboolean      is_closed)
{
  gsize n_page_bytes = get_page_size ();
  gsize n_before = (gsize) address % n_page_bytes;

#ifdef __SANITIZE_ADDRESS__
  if (is_closed)
    ASAN_POISON_MEMORY_REGION (address, n_bytes);
  else
    ASAN_UNPOISON_MEMORY_REGION (address, n_bytes);
#endif

  if (fake_arena_has (address))
    mprotect ((guint8 *) address - n_before,
              (n_before + n_bytes + n_page_bytes - 1) / n_page_bytes * n_page_bytes,
              is_closed ? PROT_NONE : PROT_READ | PROT_WRITE);
}

int
fake_cuda_sees_touches (void)
{
  gboolean is_seeing;

  fake_lock ();
  is_seeing = open_arena ();
  fake_unlock ();

  return is_seeing;
}

/* Turns the accesses that the handler noted into faults. */
void
fake_check_touches (void)
{
  int n = __atomic_exchange_n (&n_touches, 0, __ATOMIC_ACQUIRE);

  for (int i = 0; i < MIN (n, N_MAX_TOUCHES); i++)
    {
      guint8 *address = __atomic_load_n (&touches[i], __ATOMIC_ACQUIRE);
      FakeBlock *block = fake_block_find (address);
      g_autofree char *name = NULL;

      if (block == NULL)
        block = fake_block_find_dead (address);
      if (block != NULL)
        {
          name = fake_block_describe (block);
          fake_protect (address, 1, TRUE);
        }
      fake_fault ("host touch: the host touches byte %" G_GSIZE_FORMAT " of %s",
                  block != NULL ? (gsize) (address - block->address) : 0,
                  block != NULL ? name : "device memory that nobody allocated");
    }
}
