/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/c2g-float16-private.h>

#if defined (__x86_64__) && defined (__GNUC__)
# include <cpuid.h>
# include <immintrin.h>
# define HAVE_F16C 1
#else
# define HAVE_F16C 0
#endif

/* Rows of float16.  The processor's own instructions make infinity of what is too large, so
 * numbers are brought into the range before. */

static void
from_floats_one_by_one (const float *source,
                        guint16     *target,
                        gsize        n)
{
  for (gsize i = 0; i < n; i++)
    target[i] = c2g_float16_from_float (source[i]);
}

static void
to_floats_one_by_one (const guint16 *source,
                      float         *target,
                      gsize          n)
{
  for (gsize i = 0; i < n; i++)
    target[i] = c2g_float16_to_float (source[i]);
}

#if HAVE_F16C
/* Clang does not know of "f16c" in __builtin_cpu_supports(), which tells besides whether the
 * system saves the registers. */
static gboolean
has_f16c (void)
{
  static gsize answer;

  if (g_once_init_enter (&answer))
    {
      unsigned int a, b, c = 0, d;
      gboolean has = __builtin_cpu_supports ("avx2") && __get_cpuid (1, &a, &b, &c, &d) != 0 &&
                     (c & bit_F16C) != 0;

      g_once_init_leave (&answer, has ? 2 : 1);
    }

  return answer == 2;
}

#define F16C __attribute__ ((target ("avx2,f16c")))

/* The smaller and the larger are the second operand where one of the two is a NaN. */
F16C static inline __m256
clip (__m256 x)
{
  const __m256 sign = _mm256_set1_ps (-0.0f);
  const __m256 infinity = _mm256_set1_ps (__builtin_inff ());
  const __m256 largest = _mm256_set1_ps (65504.0f);
  const __m256 clipped =
    _mm256_max_ps (_mm256_xor_ps (sign, largest), _mm256_min_ps (largest, x));
  const __m256 is_infinite = _mm256_cmp_ps (_mm256_andnot_ps (sign, x), infinity, _CMP_EQ_OQ);

  return _mm256_blendv_ps (clipped, x, is_infinite);
}

F16C static inline __m128i
round_floats (__m256 x)
{
  return _mm256_cvtps_ph (x, _MM_FROUND_TO_NEAREST_INT);
}

/* Numbers out of the range are rare, so it is asked for 16 at once. */
F16C static void
from_floats_f16c (const float *source,
                  guint16     *target,
                  gsize        n)
{
  const __m256 sign = _mm256_set1_ps (-0.0f);
  const __m256 end = _mm256_set1_ps (65520.0f);
  gsize i;

  for (i = 0; i + 16 <= n; i += 16)
    {
      __m256 x = _mm256_loadu_ps (source + i);
      __m256 y = _mm256_loadu_ps (source + i + 8);
      const __m256 is_x = _mm256_cmp_ps (_mm256_andnot_ps (sign, x), end, _CMP_GE_OQ);
      const __m256 is_y = _mm256_cmp_ps (_mm256_andnot_ps (sign, y), end, _CMP_GE_OQ);

      if (G_UNLIKELY (_mm256_movemask_ps (_mm256_or_ps (is_x, is_y)) != 0))
        {
          x = clip (x);
          y = clip (y);
        }
      _mm256_storeu_si256 ((gpointer) (target + i),
                           _mm256_set_m128i (round_floats (y), round_floats (x)));
    }

  from_floats_one_by_one (source + i, target + i, n - i);
}

F16C static void
to_floats_f16c (const guint16 *source,
                float         *target,
                gsize          n)
{
  gsize i;

  for (i = 0; i + 8 <= n; i += 8)
    _mm256_storeu_ps (target + i, _mm256_cvtph_ps (_mm_loadu_si128 ((gconstpointer) (source + i))));

  to_floats_one_by_one (source + i, target + i, n - i);
}
#endif

void
c2g_float16_row_from_floats (const float *source,
                             guint16     *target,
                             gsize        n)
{
#if HAVE_F16C
  if (G_LIKELY (has_f16c ()))
    {
      from_floats_f16c (source, target, n);
      return;
    }
#endif

  from_floats_one_by_one (source, target, n);
}

void
c2g_float16_row_to_floats (const guint16 *source,
                           float         *target,
                           gsize          n)
{
#if HAVE_F16C
  if (G_LIKELY (has_f16c ()))
    {
      to_floats_f16c (source, target, n);
      return;
    }
#endif

  to_floats_one_by_one (source, target, n);
}
