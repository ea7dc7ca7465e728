/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/nn/c2g-conv-dnnl-private.h>

/* Built instead of the convolutions by oneDNN if it is not available. */

gboolean
c2g_conv_dnnl_start (void)
{
  return FALSE;
}

C2gConvDnnl *
c2g_conv_dnnl_new (void)
{
  return NULL;
}

void
c2g_conv_dnnl_free (C2gConvDnnl *self)
{
}

gboolean
c2g_conv_dnnl_run (C2gConvDnnl    *self,
                   const C2gConv  *conv,
                   gboolean        is_constant,
                   C2gScratch     *scratch,
                   gboolean       *is_done,
                   GError        **error)
{
  *is_done = FALSE;
  return TRUE;
}
