/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A function of a library that is opened at run time, and where its address goes. */
typedef struct
{
  const char *name;
  gpointer   *address;
} C2gLibraryFunction;

/* Opens a library that need not be there, and finds its functions. The library stays open, because
 * its types cannot be removed. Returns NULL, or the reason if it cannot be opened. */
char *c2g_library_open (const char               *library,
                        const C2gLibraryFunction *functions,
                        gsize                     n_functions);

G_END_DECLS
