/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib.h>

/* What the library exports; everything else is hidden. A symbol of a later
 * release gets a macro that names the release, so that the compiler can tell
 * a program which release it needs.
 */
#define C2G_AVAILABLE_IN_ALL __attribute__ ((visibility ("default"))) extern
