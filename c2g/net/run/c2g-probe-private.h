/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* Static probes (USDT) of the provider c2g. Each is a no-op instruction until a tracer attaches;
 * without <sys/sdt.h> it compiles to nothing. */

#ifdef HAVE_SYS_SDT_H
#include <sys/sdt.h>
#define C2G_PROBE3(name, a, b, c) DTRACE_PROBE3 (c2g, name, a, b, c)
#else
#define C2G_PROBE3(name, a, b, c) ((void) 0)
#endif
