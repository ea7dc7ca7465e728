/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

/* Classes with their scores, and lists of them. */

/* A list is freed with its classes, at the end of its scope. */
static void
test_class_score_list (void)
{
  C2gClassScore **array = g_new0 (C2gClassScore *, 2);
  gpointer weak;

  array[0] = c2g_class_score_new (7, 0.5, "cat");
  weak = array[0];
  g_object_add_weak_pointer (G_OBJECT (array[0]), &weak);
  {
    g_auto (C2gClassScoreList) list = array;

    g_assert_cmpint (c2g_class_score_get_index (list[0]), ==, 7);
  }
  g_assert_null (weak);
  c2g_class_score_list_free (NULL);
}

/* A class that a program makes itself. */
static void
test_class_score (void)
{
  g_autoptr (C2gClassScore) score = c2g_class_score_new (7, 0.5, "cat");
  g_autoptr (C2gClassScore) same = g_object_new (C2G_TYPE_CLASS_SCORE, "index", (gint64) 7, "score", 0.5, NULL);

  for (int i = 0; i < 2; i++)
    {
      C2gClassScore *each = i == 0 ? score : same;

      g_assert_cmpint (c2g_class_score_get_index (each), ==, 7);
      g_assert_cmpfloat (c2g_class_score_get_score (each), ==, 0.5);
      g_assert_cmpstr (c2g_class_score_get_label (each), ==, i == 0 ? "cat" : NULL);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/class-score/list", test_class_score_list);
  c2g_test_add_func ("/class-score/new", test_class_score);

  return c2g_test_run ();
}
