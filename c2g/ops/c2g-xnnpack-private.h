/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-kernel-private.h>
#include <c2g/ops/c2g-scratch-private.h>
#include <c2g/ops/c2g-window-private.h>

#include <pthreadpool.h>
#include <xnnpack.h>

G_BEGIN_DECLS

/* The engine XNNPACK: what its operators have in common.  It computes with float and the
 * channels last; what it does not take is left to the default engine, at set-up where that
 * is known then, at the run otherwise. */
#define C2G_XNNPACK "XNNPACK"

/* Threads for one run, as many as the settings say now: NULL for the caller alone. */
typedef struct _C2gXnnpackThreads C2gXnnpackThreads;

C2gXnnpackThreads *c2g_xnnpack_threads_acquire  (void);
void               c2g_xnnpack_threads_release  (C2gXnnpackThreads *self);
pthreadpool_t      c2g_xnnpack_threads_get_pool (C2gXnnpackThreads *self);

/* For set-ups: an error that hands the operator on to the default engine. */
void          c2g_xnnpack_decline      (C2gArguments     *arguments);
/* What a set-up or a run of XNNPACK says, as an error. */
gboolean      c2g_xnnpack_check        (enum xnn_status   status,
                                        GError          **error);
/* Whether an operator could be made; it is NULL where there is none of its shape, which is
 * no error: the default engine has to do. */
gboolean      c2g_xnnpack_check_new    (enum xnn_status   status,
                                        xnn_operator_t   *op,
                                        GError          **error);
/* The same n floats where a few more can be read behind them, which may be a copy; rows of
 * n_row floats are what is read at once. */
const float  *c2g_xnnpack_readable     (const float      *data,
                                        gsize             n,
                                        gsize             n_row,
                                        C2gScratch       *scratch,
                                        GError          **error);

/* A window on images of two dimensions, which are the last two of a place. */
typedef struct
{
  gint64 head[2];
  gint64 tail[2];
  gint64 kernel[2];
  gint64 stride[2];
  gint64 dilation[2];
} C2gXnnpackWindow;

/* Whether XNNPACK can have the window there. */
gboolean c2g_xnnpack_window_place (C2gXnnpackWindow      *self,
                                   const C2gWindowPlace  *place);

/* Filters, with perhaps biases, that operators of XNNPACK are made with, which takes long and
 * keeps them in an order of its own. */
typedef struct
{
  /* Whether nobody changes them. */
  gboolean   is_constant;
  /* Those that they were, unless they are constant. */
  C2gScratch copy;
} C2gXnnpackWeights;

/* Reads the argument. */
void     c2g_xnnpack_weights_read     (C2gXnnpackWeights *self,
                                       C2gArguments      *arguments);
/* Whether they are what was kept, of the same sizes. */
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

/* How many of n images, or rows, one call is to compute: nobody can stop it, so that it is few of
 * them if the run may be cancelled.  So many products of elements are one of them. */
gint64   c2g_xnnpack_count_at_once    (double             work,
                                       gint64             n);
/* Tells whether one of them alone takes too long for that; then the default way is taken. */
gboolean c2g_xnnpack_is_too_long      (double             work);

/* The families, called by the first of these once XNNPACK is ready. */
void     c2g_xnnpack_register_conv    (void);
void     c2g_xnnpack_register_fc      (void);
void     c2g_xnnpack_register_pool    (void);

G_END_DECLS
