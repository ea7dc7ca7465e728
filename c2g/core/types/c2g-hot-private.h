/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* C2G_HOT marks a function that is one loop over many elements. It is vectorized in every build
 * and compiled twice, the second time for AVX2; the dynamic linker chooses (ifunc). Sanitizers
 * are excluded because they are initialized after that choice. C2G_HOT_FOR names other
 * instructions, for loops that gain by them.
 *
 * C2G_INDEPENDENT marks a loop without dependences between iterations: source and target are the
 * same array or do not overlap. */
#if defined (__x86_64__) && defined (__GLIBC__) && defined (__GNUC__) && !defined (__clang__) && !defined (C2G_SANITIZED)
# define C2G_HOT_FOR(...) \
   __attribute__ ((optimize ("O3", "no-math-errno", "no-trapping-math"), \
                   target_clones (__VA_ARGS__, "default")))
#else
# define C2G_HOT_FOR(...)
#endif
#define C2G_HOT C2G_HOT_FOR ("avx2")

/* C2G_HOT_THREAD is the storage class of thread-local variables of hot paths. Otherwise each access
 * in a shared library calls a function. glibc has room for a few such variables of libraries that
 * are loaded late; other C libraries need not. */
#ifdef __GLIBC__
# define C2G_HOT_THREAD __thread __attribute__ ((tls_model ("initial-exec")))
#else
# define C2G_HOT_THREAD __thread
#endif

#if defined (__GNUC__) && !defined (__clang__)
# define C2G_INDEPENDENT _Pragma ("GCC ivdep")
#else
# define C2G_INDEPENDENT
#endif

/* Tells the processor that the thread polls in a loop. */
static inline void
c2g_relax (void)
{
#if defined (__x86_64__) || defined (__i386__)
  __builtin_ia32_pause ();
#elif defined (__aarch64__)
  __asm__ volatile ("yield");
#endif
}

G_END_DECLS
