/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <pthreadpool.h>
#include <stddef.h>
#include <xnnpack.h>

/* Not part of the library: the build checks with this program that XNNPACK has these functions. */
int
main (void)
{
  xnn_operator_t op = NULL;
  pthreadpool_t pool = pthreadpool_create (1);

  return xnn_initialize (NULL) +
         xnn_create_convolution2d_nhwc_f32 (0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, NULL,
                                            NULL, 0, 1, 0, &op) +
         xnn_setup_convolution2d_nhwc_f32 (op, 1, 1, 1, NULL, NULL, pool) +
         xnn_create_fully_connected_nc_f32 (1, 1, 1, 1, NULL, NULL, 0, 1, 0, &op) +
         xnn_setup_fully_connected_nc_f32 (op, 1, NULL, NULL, pool) +
         xnn_create_global_average_pooling_nwc_f32 (1, 1, 1, 0, 1, 0, &op) +
         xnn_setup_global_average_pooling_nwc_f32 (op, 1, 1, NULL, NULL, pool) +
         xnn_create_average_pooling2d_nhwc_f32 (0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, &op) +
         xnn_setup_average_pooling2d_nhwc_f32 (op, 1, 1, 1, NULL, NULL, pool) +
         xnn_create_max_pooling2d_nhwc_f32 (0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0,
                                            &op) +
         xnn_setup_max_pooling2d_nhwc_f32 (op, 1, 1, 1, NULL, NULL, pool) +
         xnn_run_operator (op, pool);
}
