/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib.h>

/* Marks exported symbols; all others are hidden. A symbol of a later release gets its own macro
 * with the version of the release, so that the compiler can tell which release a program needs. */
#define C2G_AVAILABLE_IN_ALL __attribute__ ((visibility ("default"))) extern
