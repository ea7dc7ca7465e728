/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-float16-private.h>

#if defined (__x86_64__) && defined (__GNUC__)
# include <cpuid.h>
# include <immintrin.h>
# define HAVE_F16C 1
#else
# define HAVE_F16C 0
#endif

/* Conversions of float16 arrays with processor instructions. These turn too large numbers into
 * infinity, so numbers are clamped before. */

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
/* Clang does not accept "f16c" in __builtin_cpu_supports(), which also checks that the operating
 * system saves the registers. */
static gboolean
has_f16c (void)
{
  unsigned int a, b, c = 0, d;

  return __builtin_cpu_supports ("avx2") && __get_cpuid (1, &a, &b, &c, &d) != 0 &&
         (c & bit_F16C) != 0;
}

# define F16C __attribute__ ((target ("avx2,f16c")))

/* Clamps finite numbers to ±65504, and keeps infinity and NaN. Argument order matters:
 * _mm256_min_ps() and _mm256_max_ps() return the second operand if one is NaN. */
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

/* Numbers from 65520 on, which round to infinity, are rare: so one check covers 16 numbers. */
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
      const __m256 large_x = _mm256_cmp_ps (_mm256_andnot_ps (sign, x), end, _CMP_GE_OQ);
      const __m256 large_y = _mm256_cmp_ps (_mm256_andnot_ps (sign, y), end, _CMP_GE_OQ);

      if (G_UNLIKELY (_mm256_movemask_ps (_mm256_or_ps (large_x, large_y)) != 0))
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

static gboolean
has_avx512 (void)
{
  return __builtin_cpu_supports ("avx512f");
}

# define AVX512 __attribute__ ((target ("avx512f")))

AVX512 static inline __m512
clip_512 (__m512 x)
{
  const __m512 infinity = _mm512_set1_ps (__builtin_inff ());
  const __m512 largest = _mm512_set1_ps (65504.0f);
  const __mmask16 is_finite = _mm512_cmp_ps_mask (_mm512_abs_ps (x), infinity, _CMP_LT_OQ);

  x = _mm512_mask_min_ps (x, is_finite, x, largest);

  return _mm512_mask_max_ps (x, is_finite, x, _mm512_sub_ps (_mm512_setzero_ps (), largest));
}

/* GCC 12 warns about its own intrinsics without a mask; a full mask costs nothing. */
AVX512 static inline __m256i
round_floats_512 (__m512 x)
{
  return _mm512_maskz_cvtps_ph (0xffff, x, _MM_FROUND_TO_NEAREST_INT);
}

AVX512 static void
from_floats_avx512 (const float *source,
                    guint16     *target,
                    gsize        n)
{
  const __m512 end = _mm512_set1_ps (65520.0f);
  gsize i;

  for (i = 0; i + 32 <= n; i += 32)
    {
      __m512 x = _mm512_loadu_ps (source + i);
      __m512 y = _mm512_loadu_ps (source + i + 16);
      const __mmask16 large_x = _mm512_cmp_ps_mask (_mm512_abs_ps (x), end, _CMP_GE_OQ);
      const __mmask16 large_y = _mm512_cmp_ps_mask (_mm512_abs_ps (y), end, _CMP_GE_OQ);

      if (G_UNLIKELY ((large_x | large_y) != 0))
        {
          x = clip_512 (x);
          y = clip_512 (y);
        }
      _mm256_storeu_si256 ((gpointer) (target + i), round_floats_512 (x));
      _mm256_storeu_si256 ((gpointer) (target + i + 16), round_floats_512 (y));
    }

  from_floats_one_by_one (source + i, target + i, n - i);
}

AVX512 static void
to_floats_avx512 (const guint16 *source,
                  float         *target,
                  gsize          n)
{
  gsize i;

  for (i = 0; i + 16 <= n; i += 16)
    {
      const __m256i halves = _mm256_loadu_si256 ((gconstpointer) (source + i));

      _mm512_storeu_ps (target + i, _mm512_maskz_cvtph_ps (0xffff, halves));
    }

  to_floats_one_by_one (source + i, target + i, n - i);
}
#endif

static gboolean
always (void)
{
  return TRUE;
}

const C2gFloat16Rows c2g_float16_rows[] = {
#if HAVE_F16C
  { "AVX-512", has_avx512, from_floats_avx512, to_floats_avx512 },
  { "F16C", has_f16c, from_floats_f16c, to_floats_f16c },
#endif
  { "one by one", always, from_floats_one_by_one, to_floats_one_by_one },
};

const gsize c2g_n_float16_rows = G_N_ELEMENTS (c2g_float16_rows);

/* Returns the first implementation that the processor supports. */
static const C2gFloat16Rows *
find_rows (void)
{
  static const C2gFloat16Rows *found;

  if (g_once_init_enter (&found))
    {
      const C2gFloat16Rows *rows = c2g_float16_rows;

      while (!rows->is_supported ())
        rows++;
      g_once_init_leave (&found, rows);
    }

  return found;
}

void
c2g_float16_row_from_floats (const float *source,
                             guint16     *target,
                             gsize        n)
{
  find_rows ()->from_floats (source, target, n);
}

void
c2g_float16_row_to_floats (const guint16 *source,
                           float         *target,
                           gsize          n)
{
  find_rows ()->to_floats (source, target, n);
}
