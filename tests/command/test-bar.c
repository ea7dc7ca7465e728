/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <command/output/c2g-bar.h>
#include <command/output/c2g-text-utils.h>

#include "tests/test-utils.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

/* A no-break space stands between a number and its unit. */
static char *
get_text (const C2gBar *bar,
          gsize         max_width)
{
  g_autofree char *text = c2g_bar_to_string (bar, max_width, FALSE, FALSE);
  g_auto (GStrv) pieces = g_strsplit (text, "\302\240", -1);

  return g_strjoinv (" ", pieces);
}

static void
test_text (void)
{
  const C2gBar bars[] = {
    { "Reading", 0, 400 * MIB, 0 },
    { "Reading", 100 * MIB, 400 * MIB, 2000000 },
    { "Reading", 400 * MIB, 400 * MIB, 2000000 },
    { "Reading", MIB, 4096 * MIB, 10000000 },
    { "Reading", 1024, 4096 * MIB, 100000000 },
    { "Reading", 1234567, 0, 1000000 },
    { "Reading", 500, 400, 1000000 },
  };
  const struct
  {
    guint       bar;
    gsize       max_width;
    const char *expected;
  } cases[] = {
    { 0, 80, "Reading    0%  ---------------------    0 bytes of 400.0 MiB    0 bytes/s       " },
    { 1, 80, "Reading   25%  =====----------------  100.0 MiB of 400.0 MiB   50.0 MiB/s   0:06" },
    { 2, 80, "Reading  100%  =====================  400.0 MiB of 400.0 MiB  200.0 MiB/s   0:00" },
    { 3, 80, "Reading    0%  --------------------    1.0 MiB of 4.0 GiB  102.4 KiB/s  11:22:30" },
    /* A remaining time of weeks is not shown. */
    { 4, 80, "Reading    0%  -----------------------    1.0 KiB of 4.0 GiB   10 bytes/s       " },
    { 1, 40, "Reading   25%  ======-------------------" },
    { 1, 15, "Reading   25%" },
    { 1, 8, "Reading…" },
    { 1, 1, "…" },
    { 5, 80, "Reading  1.2 MiB" },
    /* If more work was done than expected, the bar shows 100 %. */
    { 6, 40, "Reading  100%  =========================" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = get_text (&bars[cases[i].bar], cases[i].max_width);

      g_assert_cmpuint (c2g_text_width (text), <=, cases[i].max_width);
      g_assert_cmpstr (text, ==, cases[i].expected);
    }
}

/* The line fits into the terminal, whatever the numbers are. */
static void
test_width (void)
{
  const guint64 sizes[] = { 0, 1, 999, 1000, 123456, 5 * MIB, 1 << 30, G_MAXUINT64 };

  for (gsize width = 1; width < 200; width++)
    for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
      for (gsize j = 0; j < G_N_ELEMENTS (sizes); j++)
        {
          C2gBar bar = { "Schreiben – 写", sizes[i], sizes[j], 12345 };
          g_autofree char *text = c2g_bar_to_string (&bar, width, TRUE, FALSE);

          g_assert_cmpuint (c2g_text_width (text), <=, width);
        }
}

static void
test_colour (void)
{
  C2gBar bar = { "Reading", 100, 400, 1000000 };
  g_autofree char *plain = c2g_bar_to_string (&bar, 60, TRUE, FALSE);
  g_autofree char *colour = c2g_bar_to_string (&bar, 60, TRUE, TRUE);

  g_assert_null (strstr (plain, "\033"));
  g_assert_nonnull (strstr (plain, "━━━──"));
  g_assert_nonnull (strstr (colour, "\033[32m━"));
  g_assert_true (strstr (colour, "\033[0m") != NULL);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/bar/text", test_text);
  c2g_test_add_func ("/bar/width", test_width);
  c2g_test_add_func ("/bar/colour", test_colour);

  return c2g_test_run ();
}
