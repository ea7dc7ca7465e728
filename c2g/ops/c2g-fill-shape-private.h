/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/c2g-dims-private.h>

G_BEGIN_DECLS

/* Where the shape of what is filled comes from: the argument, or the first input, which has
 * that shape or says it.  Zero at first. */
typedef struct
{
  const gint64 *shape;
  gsize         n_shape;
  const gint64 *extra;
  gsize         n_extra;
  gboolean      is_input_shape;
  gboolean      run_once;
  gboolean      has_run;
  /* Whether there is nothing to fill with, and the first dimension becomes 0. */
  gboolean      is_void;
  /* Whether the function fills memory of any device; of others what they make is copied. */
  gboolean      is_for_devices;
} C2gFillShape;

/* Fills the items of the output, which are some; self is at the beginning of the state. */
typedef gboolean (*C2gFillFunc) (C2gOperator   *op,
                                 C2gFillShape  *self,
                                 C2gTensor     *output,
                                 GError       **error);

void     c2g_fill_shape_set_up (C2gFillShape  *self,
                                C2gArguments  *arguments);
/* Makes the first output in that shape, and has it filled. */
gboolean c2g_fill_shape_run    (C2gFillShape  *self,
                                C2gOperator   *op,
                                C2gDataType    data_type,
                                C2gFillFunc    fill,
                                GError       **error);

G_END_DECLS
