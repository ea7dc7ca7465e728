/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* C2G_HOT stands before a function that is one loop over many elements: it is vectorized in
 * every build, and once more for processors with AVX2, taken when the library is loaded.
 * Sanitizers cannot do that, their own set-up comes later.
 *
 * C2G_INDEPENDENT stands before a loop whose steps do not see each other's results: source
 * and target are the same array or have nothing in common. */
#if defined (__x86_64__) && defined (__GLIBC__) && defined (__GNUC__) && !defined (__clang__) && \
  !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
# define C2G_HOT \
   __attribute__ ((optimize ("O3", "no-math-errno", "no-trapping-math"), \
                   target_clones ("arch=haswell", "default")))
#else
# define C2G_HOT
#endif

#if defined (__GNUC__) && !defined (__clang__)
# define C2G_INDEPENDENT _Pragma ("GCC ivdep")
#else
# define C2G_INDEPENDENT
#endif

G_END_DECLS
