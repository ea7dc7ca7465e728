/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-argument-private.h>

G_BEGIN_DECLS

/* Arguments of an operator or a net in order: NULL, or a GPtrArray with references. */
typedef GPtrArray C2gArgumentList;

/* Of several of one name the first, without a reference. */
C2gArgument      *c2g_argument_list_find         (C2gArgumentList    *self,
                                                  const char         *name);
/* In the place of the first of that name, the others of which go. */
void              c2g_argument_list_set          (C2gArgumentList   **self,
                                                  C2gArgument        *argument);
gboolean          c2g_argument_list_remove       (C2gArgumentList    *self,
                                                  const char         *name);
C2gArgument     **c2g_argument_list_dup          (C2gArgumentList    *self,
                                                  guint              *n_arguments);
C2gArgumentList  *c2g_argument_list_copy         (C2gArgumentList    *self);
gboolean          c2g_argument_list_equal        (C2gArgumentList    *self,
                                                  C2gArgumentList    *other);

/* Takes the messages, not the array that they are in. */
C2gArgumentList  *c2g_argument_list_new_take     (Caffe2__Argument  **messages,
                                                  gsize               n_messages);
/* For writing: an array for g_free(), with messages of the arguments. */
Caffe2__Argument **c2g_argument_list_get_messages (C2gArgumentList   *self,
                                                   gsize             *n_messages);

G_END_DECLS
