/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib/gstdio.h>

/* A file or an LMDB database in a folder of its own, which is empty again at the end. */

typedef struct
{
  char *folder;
  char *path;
} Place;

static inline Place
new_place (const char *name)
{
  g_autoptr (GError) error = NULL;
  Place place = { g_dir_make_tmp ("c2g-XXXXXX", &error), NULL };

  g_assert_no_error (error);
  place.path = g_build_filename (place.folder, name, NULL);
  return place;
}

/* An LMDB database is a folder of files. */
static inline void
clear_place (Place *place)
{
  static const char *const names[] = { "data.mdb", "lock.mdb" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (place->path, names[i], NULL);

      g_remove (path);
    }
  g_remove (place->path);
  /* Nothing else is left behind. */
  g_assert_cmpint (g_rmdir (place->folder), ==, 0);
  g_free (place->path);
  g_free (place->folder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, clear_place)
