/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/model/c2g-prototxt-private.h>

G_BEGIN_DECLS

/* The state that rules of layers are compared with. The phase is always TEST. */
typedef struct
{
  /* Strings that are borrowed; terminated by NULL. */
  GPtrArray *stages;
  gint64     level;
} C2gCaffeState;

/* As in Caffe, adds the stages in the text to those given by the caller, and ignores the level in
 * the text. */
void     c2g_caffe_state_read  (C2gCaffeState        *self,
                                C2gPrototxt          *text,
                                const char *const    *stages,
                                int                   level);
gboolean c2g_caffe_rules_allow (C2gPrototxt          *text,
                                C2gPrototxtField     *layer,
                                const C2gCaffeState  *state);

G_END_DECLS
