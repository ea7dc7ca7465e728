/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-interrupt-private.h>

G_BEGIN_DECLS

/* Number of comparisons, about, that find the place of one item. */
#define C2G_HEAP_DEPTH 16

/* Heap sort in place, since qsort() may allocate memory. Compare is the type of a function that
 * returns a positive number if the first item is greater.
 *
 * heap_make() makes a max-heap: the greatest item is first.  heap_sift_down() repairs it after
 * item i was changed.  heap_sort() sorts a heap in ascending order. A cancelled run leaves the
 * items in any order. */
#define C2G_DEFINE_HEAP(Item, Compare)                                                             \
  G_GNUC_UNUSED static inline void                                                                 \
  heap_sift_down (Item    *items,                                                                  \
                  gint64   n,                                                                      \
                  gint64   i,                                                                      \
                  Compare  compare)                                                                \
  {                                                                                                \
    const Item item = items[i];                                                                    \
                                                                                                   \
    for (;;)                                                                                       \
      {                                                                                            \
        gint64 child = 2 * i + 1;                                                                  \
                                                                                                   \
        if (child + 1 < n && compare (&items[child + 1], &items[child]) > 0)                       \
          child++;                                                                                 \
        if (child >= n || compare (&items[child], &item) <= 0)                                     \
          break;                                                                                   \
        items[i] = items[child];                                                                   \
        i = child;                                                                                 \
      }                                                                                            \
    items[i] = item;                                                                               \
  }                                                                                                \
                                                                                                   \
  G_GNUC_UNUSED static inline void                                                                 \
  heap_make (Item    *items,                                                                       \
             gint64   n,                                                                           \
             Compare  compare)                                                                     \
  {                                                                                                \
    gsize n_done = 0;                                                                              \
                                                                                                   \
    for (gint64 i = n / 2; i-- > 0 && !c2g_interrupt_is_due (&n_done, C2G_HEAP_DEPTH);)            \
      heap_sift_down (items, n, i, compare);                                                       \
  }                                                                                                \
                                                                                                   \
  G_GNUC_UNUSED static inline void                                                                 \
  heap_sort (Item    *items,                                                                       \
             gint64   n,                                                                           \
             Compare  compare)                                                                     \
  {                                                                                                \
    gsize n_done = 0;                                                                              \
                                                                                                   \
    for (gint64 i = n - 1; i > 0 && !c2g_interrupt_is_due (&n_done, C2G_HEAP_DEPTH); i--)          \
      {                                                                                            \
        const Item greatest = items[0];                                                            \
                                                                                                   \
        items[0] = items[i];                                                                       \
        items[i] = greatest;                                                                       \
        heap_sift_down (items, i, 0, compare);                                                     \
      }                                                                                            \
  }

G_END_DECLS
