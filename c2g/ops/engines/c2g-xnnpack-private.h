/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>
#include <c2g/ops/support/c2g-window-private.h>

#include <pthreadpool.h>
#include <xnnpack.h>

G_BEGIN_DECLS

/* Shared by the operators of the engine XNNPACK.  The engine computes float tensors in NHWC order.
 * It leaves other cases to the default engine: at set-up if they are known then, otherwise at the
 * run. */
#define C2G_XNNPACK "XNNPACK"

/* Thread pool for one run, with as many threads as the settings say now.  The pool is NULL if only
 * the calling thread computes. */
typedef struct _C2gXnnpackThreads C2gXnnpackThreads;

C2gXnnpackThreads *c2g_xnnpack_threads_acquire  (void);
void               c2g_xnnpack_threads_release  (C2gXnnpackThreads *self);
pthreadpool_t      c2g_xnnpack_threads_get_pool (C2gXnnpackThreads *self);

/* Sets an error at set-up that makes the default engine take the operator; returns FALSE. */
gboolean      c2g_xnnpack_decline      (GError          **error);
/* Turns a status of XNNPACK into a GError. */
gboolean      c2g_xnnpack_check        (enum xnn_status   status,
                                        GError          **error);
/* Checks the status of creating an operator.  If XNNPACK does not support the shape, *op is NULL
 * and TRUE is returned: the default engine computes then. */
gboolean      c2g_xnnpack_check_new    (enum xnn_status   status,
                                        xnn_operator_t   *op,
                                        GError          **error);
/* Returns n floats of data with some readable bytes behind them, because XNNPACK reads past the
 * end.  Copies them to scratch if needed.  XNNPACK reads rows of n_row floats. */
const float  *c2g_xnnpack_readable     (const float      *data,
                                        gsize             n,
                                        gsize             n_row,
                                        C2gScratch       *scratch,
                                        GError          **error);

/* A window over the last two dimensions of a C2gWindowPlace. */
typedef struct
{
  gint64 head[2];
  gint64 tail[2];
  gint64 kernel[2];
  gint64 stride[2];
  gint64 dilation[2];
} C2gXnnpackWindow;

/* Returns TRUE if XNNPACK supports the window of place. */
gboolean c2g_xnnpack_window_place (C2gXnnpackWindow      *self,
                                   const C2gWindowPlace  *place);

/* Filters and an optional bias.  XNNPACK packs them into its own layout when it makes an operator,
 * which is slow, so operators are kept as long as the weights are the same. */
typedef struct
{
  /* The argument convolution_transform_strategy is PRECOMPUTE: the model says that the weights
   * never change. */
  gboolean   is_constant;
  /* Copy of the weights of the last run, to find changes.  Empty if is_constant. */
  C2gScratch copy;
} C2gXnnpackWeights;

/* Returns TRUE if the weights equal those that c2g_xnnpack_weights_keep() kept. */
gboolean c2g_xnnpack_weights_are_same (C2gXnnpackWeights *self,
                                       const float       *filters,
                                       gsize              n_filters,
                                       const float       *biases,
                                       gsize              n_biases);
gboolean c2g_xnnpack_weights_keep     (C2gXnnpackWeights *self,
                                       const float       *filters,
                                       gsize              n_filters,
                                       const float       *biases,
                                       gsize              n_biases,
                                       GError           **error);
void     c2g_xnnpack_weights_clear    (C2gXnnpackWeights *self);

/* Returns how many of n images (or rows) one call computes, where one of them takes work
 * multiplications.  A call of XNNPACK cannot be interrupted, so the number is small if the run can
 * be cancelled. */
gint64   c2g_xnnpack_count_at_once    (double             work,
                                       gint64             n);
/* Returns TRUE if one image alone takes too long to be cancelled in time; then the default engine
 * computes it. */
gboolean c2g_xnnpack_is_too_long      (double             work);

/* Registration of each operator family.  c2g_ops_register_xnnpack() calls these after XNNPACK has
 * been initialized. */
void     c2g_xnnpack_register_conv    (void);
void     c2g_xnnpack_register_fc      (void);
void     c2g_xnnpack_register_pool    (void);

G_END_DECLS
