/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/def/c2g-argument-private.h>

G_BEGIN_DECLS

/* The list of arguments in the message of an operator or a net. Each message is the beginning of
 * a C2gArgument, to which the list holds a reference. */

/* Replaces the first argument of the same name and removes the others, or appends. */
void          c2g_argument_list_set (Caffe2__Argument  ***list,
                                     gsize               *n,
                                     C2gArgument         *argument);
/* Returns references to all arguments, with NULL behind the last. */
C2gArgument **c2g_argument_list_dup (Caffe2__Argument   **items,
                                     gsize                n,
                                     guint               *n_arguments);

G_END_DECLS
