/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

#include <string.h>

/* An element type that counts its live elements. */

static int n_alive;

static inline void
construct_counted (C2gTypeMeta *meta,
                   gpointer     items,
                   gsize        n_items)
{
  memset (items, 1, n_items * 16);
  n_alive += (int) n_items;
}

static inline gboolean
copy_counted (C2gTypeMeta    *meta,
              gconstpointer   source,
              gpointer        destination,
              gsize           n_items,
              GError        **error)
{
  memcpy (destination, source, n_items * 16);
  return TRUE;
}

static inline void
destroy_counted (C2gTypeMeta *meta,
                 gpointer     items,
                 gsize        n_items)
{
  n_alive -= (int) n_items;
}

static inline C2gTypeMeta *
counted_meta (void)
{
  static C2gTypeMeta *meta;
  static const C2gElementFuncs funcs = {
    .construct = construct_counted, .copy = copy_counted, .destroy = destroy_counted
  };

  if (meta == NULL)
    meta = c2g_type_meta_register_full ("test-counted", 16, &funcs, NULL);
  g_assert_nonnull (meta);

  return meta;
}
