/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Headers that nearly every source includes. A build with -Dprecompiled=true compiles them once for
 * each library instead of once for each source. Sources do not rely on this file: other builds do
 * without it. */

/* Some sources want this, and the system's headers obey the first definition. */
#define _GNU_SOURCE

#include <gio/gio.h>
