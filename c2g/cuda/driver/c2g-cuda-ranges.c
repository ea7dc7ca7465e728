/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/driver/c2g-cuda-ranges-private.h>

/* Ranges for profilers such as Nsight Systems, in a domain "c2g". The headers of NVTX 3 need no
 * library: at the first call they look for the one that a profiler has named in the environment. */

#ifdef C2G_HAVE_NVTX

#include <nvtx3/nvToolsExt.h>

/* Returns NULL without a profiler. Then no text is made. */
static nvtxDomainHandle_t
get_domain (void)
{
  static nvtxDomainHandle_t domain;
  static gsize is_made;

  if (g_once_init_enter (&is_made))
    {
      domain = nvtxDomainCreateA ("c2g");
      g_once_init_leave (&is_made, 1);
    }

  return domain;
}

/* The profiler copies the text. */
void
c2g_cuda_ranges_begin (const char *type,
                       const char *name)
{
  nvtxDomainHandle_t domain = get_domain ();
  nvtxEventAttributes_t attributes = {
    .version = NVTX_VERSION,
    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
    .messageType = NVTX_MESSAGE_TYPE_ASCII,
  };
  g_autofree char *text = NULL;

  if (G_LIKELY (domain == NULL))
    return;

  text = g_strjoin (" ", type, name, NULL);
  attributes.message.ascii = text;
  nvtxDomainRangePushEx (domain, &attributes);
}

void
c2g_cuda_ranges_end (void)
{
  nvtxDomainHandle_t domain = get_domain ();

  if (G_UNLIKELY (domain != NULL))
    nvtxDomainRangePop (domain);
}

#else

void
c2g_cuda_ranges_begin (const char *type,
                       const char *name)
{
}

void
c2g_cuda_ranges_end (void)
{
}

#endif
