/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/support/c2g-dims-private.h>

G_BEGIN_DECLS

/* Shape of a filled output, by Caffe2's rule: the argument shape, or the shape of input 0. With
 * input_as_shape, the elements of input 0 are the shape.  extra_shape is appended to the shape of
 * an input. All members must be 0 at first. */
typedef struct
{
  const gint64 *shape;
  gsize         n_shape;
  const gint64 *extra;
  gsize         n_extra;
  gboolean      is_input_shape;
  gboolean      run_once;
  gboolean      has_run;
  /* Set by the operator to make the first dimension 0, because there are no values to fill with. */
  gboolean      is_void;
  /* TRUE if the function can fill memory of any device. Otherwise it fills a tensor on the CPU,
   * which is copied to the device. */
  gboolean      is_for_devices;
} C2gFillShape;

/* Fills the output, which has at least one element.  self must be the first member of the
 * operator's state. */
typedef gboolean (*C2gFillFunc) (C2gOperator   *op,
                                 C2gFillShape  *self,
                                 C2gTensor     *output,
                                 GError       **error);

extern const C2gKernelArgument c2g_fill_shape_arguments[];

/* The value of C2gKernel.set_up for operators whose state begins with a C2gFillShape. */
gboolean c2g_fill_shape_set_up (C2gOperator   *op,
                                gpointer       state,
                                GError       **error);
/* Makes output 0 with the shape and fills it. With run_once, later runs keep the first result. */
gboolean c2g_fill_shape_run    (C2gFillShape  *self,
                                C2gOperator   *op,
                                C2gDataType    data_type,
                                C2gFillFunc    fill,
                                GError       **error);

G_END_DECLS
