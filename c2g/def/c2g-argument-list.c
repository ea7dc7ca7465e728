/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-argument-list-private.h>

#include <c2g/def/c2g-def-list-private.h>
#include <c2g/def/c2g-def-private.h>

/* Changes and copies the list of arguments in the message of an operator or a net. */

void
c2g_argument_list_set (Caffe2__Argument ***list,
                       gsize              *n,
                       C2gArgument        *argument)
{
  gpointer *place = c2g_keyed_list_ensure (list, n, c2g_argument_get_name (argument));
  gpointer old = *place;

  *place = c2g_argument_ref (argument);
  c2g_def_free_message (old);
}

C2gArgument **
c2g_argument_list_dup (Caffe2__Argument **items,
                       gsize              n,
                       guint             *n_arguments)
{
  C2gArgument **arguments = g_new0 (C2gArgument *, n + 1);

  for (gsize i = 0; i < n; i++)
    arguments[i] = c2g_argument_ref ((C2gArgument *) items[i]);
  *n_arguments = n;
  return arguments;
}
