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

#define C2G_TYPE_STAT_REGISTRY (c2g_stat_registry_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gStatRegistry, c2g_stat_registry, C2G, STAT_REGISTRY, GObject)

C2G_AVAILABLE_IN_ALL
C2gStatRegistry *c2g_stat_registry_new                  (void) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gStatRegistry *c2g_stat_registry_get_default          (void) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gint64           c2g_stat_registry_increment            (C2gStatRegistry  *self,
                                                         const char       *key,
                                                         gint64            value);
C2G_AVAILABLE_IN_ALL
gint64           c2g_stat_registry_increment_detail     (C2gStatRegistry  *self,
                                                         const char       *key,
                                                         const char       *detail,
                                                         gint64            value);
C2G_AVAILABLE_IN_ALL
void             c2g_stat_registry_add_sample           (C2gStatRegistry  *self,
                                                         const char       *key,
                                                         gint64            value);
C2G_AVAILABLE_IN_ALL
void             c2g_stat_registry_add_deviation_sample (C2gStatRegistry  *self,
                                                         const char       *key,
                                                         gint64            value);
C2G_AVAILABLE_IN_ALL
gint64           c2g_stat_registry_get_value            (C2gStatRegistry  *self,
                                                         const char       *key);
C2G_AVAILABLE_IN_ALL
double           c2g_stat_registry_get_deviation        (C2gStatRegistry  *self,
                                                         const char       *key);
C2G_AVAILABLE_IN_ALL
gint64           c2g_stat_registry_reset                (C2gStatRegistry  *self,
                                                         const char       *key);
C2G_AVAILABLE_IN_ALL
char           **c2g_stat_registry_list_keys            (C2gStatRegistry  *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
GVariant        *c2g_stat_registry_to_variant           (C2gStatRegistry  *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void             c2g_stat_registry_publish              (C2gStatRegistry  *self,
                                                         C2gStatRegistry  *target,
                                                         gboolean          reset);

G_END_DECLS
