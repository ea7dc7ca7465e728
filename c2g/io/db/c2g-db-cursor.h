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

#define C2G_TYPE_DB_CURSOR (c2g_db_cursor_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (C2gDbCursor, c2g_db_cursor, C2G, DB_CURSOR, GObject)

/**
 * C2gDbCursorClass:
 * @supports_seek: (nullable): whether @seek works; if missing, it does not
 * @seek: (nullable): goes to the record with @key or, if there is none, to the one with the
 *   next higher key
 * @seek_to_first: goes to the first record
 * @next: goes to the record after this one, or behind the last
 * @is_valid: whether the cursor is at a record
 * @dup_key: gives the key of the record
 * @dup_value: gives the value of the record
 *
 * The class of cursors.
 *
 * Moving behind the last record is a success. @next, @dup_key and @dup_value are called only
 * if @is_valid returns true.
 */
struct _C2gDbCursorClass
{
  GObjectClass parent_class;

  gboolean  (*supports_seek) (C2gDbCursor  *self);
  gboolean  (*seek)          (C2gDbCursor  *self,
                              GBytes       *key,
                              GError      **error);
  gboolean  (*seek_to_first) (C2gDbCursor  *self,
                              GError      **error);
  gboolean  (*next)          (C2gDbCursor  *self,
                              GError      **error);
  gboolean  (*is_valid)      (C2gDbCursor  *self);
  GBytes   *(*dup_key)       (C2gDbCursor  *self,
                              GError      **error);
  GBytes   *(*dup_value)     (C2gDbCursor  *self,
                              GError      **error);

  /*< private >*/
  const struct _C2gDbCursorFuncs *funcs;

  gpointer _reserved[8];
};

C2G_AVAILABLE_IN_ALL
gboolean  c2g_db_cursor_supports_seek (C2gDbCursor  *self);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_db_cursor_seek          (C2gDbCursor  *self,
                                       GBytes       *key,
                                       GError      **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_db_cursor_seek_to_first (C2gDbCursor  *self,
                                       GError      **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_db_cursor_next          (C2gDbCursor  *self,
                                       GError      **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_db_cursor_is_valid      (C2gDbCursor  *self);
C2G_AVAILABLE_IN_ALL
GBytes   *c2g_db_cursor_dup_key       (C2gDbCursor  *self,
                                       GError      **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
GBytes   *c2g_db_cursor_dup_value     (C2gDbCursor  *self,
                                       GError      **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
