/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Writes a model of Caffe as the two nets of these names. */
gboolean c2g_convert_model (const char     *in,
                            char          **out,
                            GCancellable   *cancellable,
                            GError        **error);

G_END_DECLS
