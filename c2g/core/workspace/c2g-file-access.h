/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_FILE_ACCESS (c2g_file_access_get_type ())

/**
 * C2gFileAccess:
 * @C2G_FILE_ACCESS_NONE: no file
 * @C2G_FILE_ACCESS_MODEL: reading below the folder that the model came from
 * @C2G_FILE_ACCESS_ROOT_FOLDER: also reading and writing below the root folder of the
 *   workspace
 * @C2G_FILE_ACCESS_ALL: every file that the process may use, as in Caffe2
 *
 * The files that nets may use.
 *
 * Each value allows what the one before it allows. Only `C2G_FILE_ACCESS_ALL` allows
 * absolute paths, paths with `..`, and symbolic links that lead out of the folder.
 */
typedef enum
{
  C2G_FILE_ACCESS_NONE,
  C2G_FILE_ACCESS_MODEL,
  C2G_FILE_ACCESS_ROOT_FOLDER,
  C2G_FILE_ACCESS_ALL,
} C2gFileAccess;

C2G_AVAILABLE_IN_ALL
GType c2g_file_access_get_type (void);

G_END_DECLS
