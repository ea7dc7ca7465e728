/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Tables of all built-in databases, serializers and operators. c2g-builtins.c is the only file
 * above all folders. A registry in a lower folder calls these functions when it is first used. The
 * only other calls from lower to higher folders are those in io/load/c2g-caffe-files-private.h. */

typedef struct
{
  const char *db_type;
  /* Another name that Caffe2 accepts. */
  const char *alias;
  GType     (*get_type) (void);
} C2gBuiltinDb;

/* The row after the last one has no name. */
extern const C2gBuiltinDb c2g_builtin_dbs[];

void c2g_builtins_add_serializers (void);
void c2g_builtins_add_operators   (void);

G_END_DECLS
