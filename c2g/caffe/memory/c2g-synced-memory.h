/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-context.h>
#include <c2g/core/device/c2g-device.h>
#include <c2g/core/types/c2g-data-type.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_SYNCED_HEAD   (c2g_synced_head_get_type ())
#define C2G_TYPE_SYNCED_MEMORY (c2g_synced_memory_get_type ())

/**
 * C2gSyncedHead:
 * @C2G_SYNCED_HEAD_UNINITIALIZED: nowhere; reading gives zeros
 * @C2G_SYNCED_HEAD_AT_CPU: on the CPU only
 * @C2G_SYNCED_HEAD_AT_GPU: on the other device only
 * @C2G_SYNCED_HEAD_SYNCED: on both
 *
 * The place of the current bytes of a [class@SyncedMemory].
 */
typedef enum
{
  C2G_SYNCED_HEAD_UNINITIALIZED,
  C2G_SYNCED_HEAD_AT_CPU,
  C2G_SYNCED_HEAD_AT_GPU,
  C2G_SYNCED_HEAD_SYNCED,
} C2gSyncedHead;

C2G_AVAILABLE_IN_ALL
GType c2g_synced_head_get_type (void);

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gSyncedMemory, c2g_synced_memory, C2G, SYNCED_MEMORY, GObject)

C2G_AVAILABLE_IN_ALL
C2gSyncedMemory *c2g_synced_memory_new                (gsize             n_bytes,
                                                       C2gDevice        *device) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gsize            c2g_synced_memory_get_n_bytes        (C2gSyncedMemory  *self);
C2G_AVAILABLE_IN_ALL
C2gDevice       *c2g_synced_memory_get_device         (C2gSyncedMemory  *self);
C2G_AVAILABLE_IN_ALL
const char      *c2g_synced_memory_get_name           (C2gSyncedMemory  *self);
C2G_AVAILABLE_IN_ALL
C2gSyncedHead    c2g_synced_memory_get_head           (C2gSyncedMemory  *self);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_synced_memory_is_cpu_head        (C2gSyncedMemory  *self);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_synced_memory_is_gpu_head        (C2gSyncedMemory  *self);
C2G_AVAILABLE_IN_ALL
gsize            c2g_synced_memory_get_cpu_memory_use (C2gSyncedMemory  *self,
                                                       gboolean          own_only);
C2G_AVAILABLE_IN_ALL
gsize            c2g_synced_memory_get_gpu_memory_use (C2gSyncedMemory  *self,
                                                       gboolean          own_only);
C2G_AVAILABLE_IN_ALL
char            *c2g_synced_memory_to_string          (C2gSyncedMemory  *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean         c2g_synced_memory_is_valid           (C2gSyncedMemory  *self);
C2G_AVAILABLE_IN_ALL
void             c2g_synced_memory_invalidate         (C2gSyncedMemory  *self);
C2G_AVAILABLE_IN_ALL
void             c2g_synced_memory_validate           (C2gSyncedMemory  *self);

C2G_AVAILABLE_IN_ALL
gboolean         c2g_synced_memory_resize             (C2gSyncedMemory  *self,
                                                       gsize             n_bytes,
                                                       GError          **error);
C2G_AVAILABLE_IN_ALL
GBytes          *c2g_synced_memory_dup_bytes          (C2gSyncedMemory  *self,
                                                       GError          **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean         c2g_synced_memory_set_bytes          (C2gSyncedMemory  *self,
                                                       GBytes           *bytes,
                                                       GError          **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_synced_memory_push               (C2gSyncedMemory  *self,
                                                       C2gContext       *context,
                                                       GError          **error);

C2G_AVAILABLE_IN_ALL
double           c2g_synced_memory_asum               (C2gSyncedMemory  *self,
                                                       C2gDataType       data_type,
                                                       gsize             n_elements,
                                                       GError          **error);
C2G_AVAILABLE_IN_ALL
double           c2g_synced_memory_sumsq              (C2gSyncedMemory  *self,
                                                       C2gDataType       data_type,
                                                       gsize             n_elements,
                                                       GError          **error);
C2G_AVAILABLE_IN_ALL
double           c2g_synced_memory_amax               (C2gSyncedMemory  *self,
                                                       C2gDataType       data_type,
                                                       gsize             n_elements,
                                                       GError          **error);

C2G_AVAILABLE_IN_ALL
gconstpointer    c2g_synced_memory_cpu_data           (C2gSyncedMemory  *self,
                                                       GError          **error);
C2G_AVAILABLE_IN_ALL
gconstpointer    c2g_synced_memory_gpu_data           (C2gSyncedMemory  *self,
                                                       GError          **error);
C2G_AVAILABLE_IN_ALL
gpointer         c2g_synced_memory_mutable_cpu_data   (C2gSyncedMemory  *self,
                                                       gboolean          keep_contents,
                                                       GError          **error);
C2G_AVAILABLE_IN_ALL
gpointer         c2g_synced_memory_mutable_gpu_data   (C2gSyncedMemory  *self,
                                                       gboolean          keep_contents,
                                                       GError          **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_synced_memory_set_cpu_data       (C2gSyncedMemory  *self,
                                                       gpointer          data,
                                                       GDestroyNotify    destroy,
                                                       gpointer          user_data,
                                                       GError          **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_synced_memory_set_gpu_data       (C2gSyncedMemory  *self,
                                                       gpointer          data,
                                                       GDestroyNotify    destroy,
                                                       gpointer          user_data,
                                                       GError          **error);

G_END_DECLS
