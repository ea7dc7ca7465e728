/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include <c2g/io/save/c2g-save-options.h>

G_BEGIN_DECLS

/* The layout of blobs in a file. */
typedef enum
{
  /* Records of a database: serialized, in chunks. */
  C2G_SAVE_LAYOUT_DATABASE,
  C2G_SAVE_LAYOUT_SAFETENSORS,
  C2G_SAVE_LAYOUT_NPZ,
  C2G_SAVE_LAYOUT_CAFFEMODEL,
  /* One array, without a name. */
  C2G_SAVE_LAYOUT_NPY,
  C2G_SAVE_LAYOUT_BINARYPROTO,
  /* One serialized blob. */
  C2G_SAVE_LAYOUT_BLOB,
} C2gSaveLayout;

/* Returns the layout from the options or, if they do not say, from the name of the file. Without
 * a file it is a minidb. *DB_TYPE is set for a database only, and must be freed. */
gboolean c2g_save_layout_find (C2gSaveOptions  *options,
                               GFile           *file,
                               C2gSaveLayout   *layout,
                               char           **db_type,
                               GError         **error);

G_END_DECLS
