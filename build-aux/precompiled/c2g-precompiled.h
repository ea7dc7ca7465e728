/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What nearly every source includes. A build with -Dprecompiled=true compiles it once for each
 * library instead of once for each source, and sources do not rely on it: other builds have none. */

/* Some sources want this, and the system's headers obey the first definition. */
#define _GNU_SOURCE

#include <gio/gio.h>
