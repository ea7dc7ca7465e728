/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <errno.h>
#include <stdlib.h>

/* Counts the allocations of the calling thread, in the one file that includes this header. The
 * count stays 0 without the GNU library, and under sanitizers, which replace the allocation
 * functions. */
static __thread int n_allocations;

#if defined(__GLIBC__) && !defined(C2G_SANITIZED)
void *__libc_malloc (size_t n_bytes);
void *__libc_calloc (size_t n, size_t n_bytes);
void *__libc_realloc (void *block, size_t n_bytes);
void *__libc_memalign (size_t alignment, size_t n_bytes);

void *
malloc (size_t n_bytes)
{
  n_allocations++;
  return __libc_malloc (n_bytes);
}

void *
calloc (size_t n,
        size_t n_bytes)
{
  n_allocations++;
  return __libc_calloc (n, n_bytes);
}

void *
realloc (void *block,
         size_t n_bytes)
{
  n_allocations++;
  return __libc_realloc (block, n_bytes);
}

int
posix_memalign (void **block,
                size_t alignment,
                size_t n_bytes)
{
  n_allocations++;
  *block = __libc_memalign (alignment, n_bytes);
  return *block != NULL ? 0 : ENOMEM;
}
#endif
