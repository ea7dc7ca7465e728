/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* The public getter and setter of a property. The type of the property tells their types. */
typedef struct
{
  GCallback get;
  GCallback set;
} C2gDefAccessors;

#define C2G_DEF_ACCESSORS(prefix, name)                                \
  {                                                                    \
    G_CALLBACK (prefix##_get_##name), G_CALLBACK (prefix##_set_##name) \
  }

/* Installs the properties of a class of definitions, which its instances get and set with the
 * accessors of the same index. */
void c2g_def_install_properties (GObjectClass           *klass,
                                 guint                   n_props,
                                 GParamSpec            **props,
                                 const C2gDefAccessors  *accessors);

G_END_DECLS
