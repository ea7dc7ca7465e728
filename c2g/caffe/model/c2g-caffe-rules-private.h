/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/model/c2g-prototxt-private.h>

G_BEGIN_DECLS

/* The state that rules of layers are compared with; the phase is always TEST. */
typedef struct
{
  /* Borrowed texts, NULL-terminated. */
  GPtrArray *stages;
  gint64     level;
} C2gCaffeState;

/* As in Caffe, the stages of the text are added to those that are given, and its level does not count. */
void     c2g_caffe_state_read  (C2gCaffeState        *self,
                                C2gPrototxt          *text,
                                const char *const    *stages,
                                int                   level);
gboolean c2g_caffe_rules_allow (C2gPrototxt          *text,
                                C2gPrototxtField     *layer,
                                const C2gCaffeState  *state);

G_END_DECLS
