/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <c2g/ops/support/c2g-gemm-private.h>

/* Products of matrices, by the library for them and by plain loops. */

static float *
new_matrix (gint64 n)
{
  float *data = g_new (float, n);

  for (gint64 i = 0; i < n; i++)
    data[i] = (float) (i * 7 % 23 - 11) / 16;
  return data;
}

/* A product of parts is that of plain loops, whatever the order of the matrices, and leaves what is
 * between the rows. */
static void
check_product (gint64   m,
               gint64   n,
               gint64   k,
               guint    flags)
{
  enum
  {
    GAP = 3
  };
  C2gGemm gemm = {
    .trans_a = flags & 1, .trans_b = flags & 2, .m = m, .n = n, .k = k, .adds = flags & 4
  };
  g_autofree float *a = new_matrix ((m + GAP) * (k + GAP));
  g_autofree float *b = new_matrix ((n + GAP) * (k + GAP));
  g_autofree float *c = new_matrix (m * (n + GAP));
  g_autofree float *expected = new_matrix (m * (n + GAP));

  c2g_gemm_pack (&gemm);
  gemm.lda += GAP;
  gemm.ldb += GAP;
  gemm.ldc += GAP;
  gemm.a = a;
  gemm.b = b;
  gemm.c = expected;
  c2g_gemm_run_slowly (&gemm);
  gemm.c = c;
  c2g_gemm_run (&gemm);
  for (gint64 i = 0; i < m * (n + GAP); i++)
    g_assert_cmpfloat_with_epsilon (c[i], expected[i], 1e-3);
}

static void
test_products (void)
{
  static const gint64 sizes[][3] = {
    { 1, 1, 1 },
    { 1, 500, 300 },
    { 500, 1, 300 },
    { 70, 65, 129 },
    { 64, 64, 500 },
    { 300, 20, 40 },
  };
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  const guint n_threads = c2g_settings_get_n_threads (settings);

  for (guint i = 1; i <= 5; i++)
    {
      c2g_settings_set_n_threads (settings, i);
      for (gsize j = 0; j < G_N_ELEMENTS (sizes); j++)
        for (guint flags = 0; flags < 8; flags++)
          check_product (sizes[j][0], sizes[j][1], sizes[j][2], flags);
    }
  c2g_settings_set_n_threads (settings, n_threads);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gemm/products", test_products);

  return c2g_test_run ();
}
