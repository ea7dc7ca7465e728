/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/nn/c2g-conv-dnnl-private.h>

#include <c2g/core/types/c2g-tuning-private.h>

/* Built instead of the convolutions by oneDNN if it is not available. */

gboolean
c2g_conv_dnnl_start (void)
{
  if (c2g_tuning_is_wanted ())
    g_warning_once ("C2gSettings:tune has no effect, because this build of c2g has no oneDNN");
  return FALSE;
}

gboolean
c2g_conv_dnnl_has_winograd (void)
{
  return FALSE;
}

const char *
c2g_conv_dnnl_get_version (void)
{
  return NULL;
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
                   gboolean        is_winograd,
                   gboolean        is_constant,
                   C2gScratch     *scratch,
                   const char    **implementation,
                   GError        **error)
{
  *implementation = NULL;
  return TRUE;
}
