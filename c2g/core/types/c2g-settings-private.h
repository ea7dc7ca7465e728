/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-settings.h>

G_BEGIN_DECLS

/* The settings of the process, which hot paths read atomically and without the object.
 * c2g_settings_ensure() initializes them from the environment; it is called by the class
 * initializers of all users. */
extern gboolean c2g_settings_keep_on_shrink;
extern guint64  c2g_settings_max_keep_on_shrink;
extern gboolean c2g_settings_zero_fill;
extern gboolean c2g_settings_log_memory;
/* 0 means the number of processors. */
extern guint    c2g_settings_n_threads;
extern gboolean c2g_settings_tune;

#define C2G_SETTINGS_MAX_THREADS 1024

void c2g_settings_ensure (void);

G_END_DECLS
