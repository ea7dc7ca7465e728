/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-argument-private.h>

G_BEGIN_DECLS

/* Arguments of an operator or a net, in order. NULL is an empty list. */
typedef GPtrArray C2gArgumentList;

/* Returns the first argument of that name without a reference, or NULL. */
C2gArgument      *c2g_argument_list_find         (C2gArgumentList    *self,
                                                  const char         *name);
/* Replaces the first argument of the same name and removes the others, or appends. */
void              c2g_argument_list_set          (C2gArgumentList   **self,
                                                  C2gArgument        *argument);
gboolean          c2g_argument_list_remove       (C2gArgumentList    *self,
                                                  const char         *name);
C2gArgument     **c2g_argument_list_dup          (C2gArgumentList    *self,
                                                  guint              *n_arguments);
C2gArgumentList  *c2g_argument_list_copy         (C2gArgumentList    *self);
gboolean          c2g_argument_list_equal        (C2gArgumentList    *self,
                                                  C2gArgumentList    *other);

/* Takes ownership of the messages, but not of their array. */
C2gArgumentList  *c2g_argument_list_new_take     (Caffe2__Argument  **messages,
                                                  gsize               n_messages);
/* Returns the messages of the arguments, for writing. Free the array with g_free(), not the
 * messages. */
Caffe2__Argument **c2g_argument_list_get_messages (C2gArgumentList   *self,
                                                   gsize             *n_messages);

G_END_DECLS
