/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/nn/c2g-conv-private.h>

G_BEGIN_DECLS

/* Prepares oneDNN for this process. Returns FALSE if it is not there. */
gboolean     c2g_conv_dnnl_start (void);

/* Returns TRUE if oneDNN has Winograd's algorithm for this processor. */
gboolean     c2g_conv_dnnl_has_winograd (void);
/* Returns oneDNN's version and the instructions that it uses, a static string; NULL without it. */
const char  *c2g_conv_dnnl_get_version (void);

C2gConvDnnl *c2g_conv_dnnl_new   (void);
void         c2g_conv_dnnl_free  (C2gConvDnnl    *self);

/* Computes the convolution, NHWC or NCHW. is_winograd chooses the algorithm. is_constant means that the filters are those of the run before.
 * *implementation is oneDNN's name of what computed. It is NULL, and nothing is computed, if oneDNN
 * is no faster than the default way for this shape, or cannot prepare it. */
gboolean     c2g_conv_dnnl_run   (C2gConvDnnl    *self,
                                  const C2gConv  *conv,
                                  gboolean        is_winograd,
                                  gboolean        is_constant,
                                  C2gScratch     *scratch,
                                  const char    **implementation,
                                  GError        **error);

G_END_DECLS
