/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* The classes and operators that the library is built with. They are listed in c2g-builtins.c, the
 * only file above all folders; a registry in a lower folder asks for its part when it is first
 * used. Besides these, only the functions of io/load/c2g-caffe-files-private.h are called upwards. */

typedef struct
{
  const char *db_type;
  /* Another name that Caffe2 accepts. */
  const char *alias;
  GType     (*get_type) (void);
} C2gBuiltinDb;

/* The last row has no name. */
extern const C2gBuiltinDb c2g_builtin_dbs[];

void c2g_builtins_add_serializers (void);
void c2g_builtins_add_operators   (void);

G_END_DECLS
