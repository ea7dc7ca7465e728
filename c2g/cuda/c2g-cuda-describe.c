/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-describe-private.h>

#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/cuda/c2g-cuda-blas-private.h>
#include <c2g/cuda/c2g-cuda-dnn-private.h>
#include <c2g/cuda/c2g-cuda-error-private.h>
#include <c2g/cuda/c2g-cuda-guard-private.h>
#include <c2g/cuda/c2g-cuda-stream-private.h>

/* Describes a CUDA device for C2gDeviceInfo. */

static void
add_version (C2gDeviceInfo *info,
             const char    *name,
             int            version)
{
  g_autofree char *text = c2g_cuda_dup_version_text (version);

  c2g_device_info_add_detail (info, name, text);
}

static void
add_number (C2gDeviceInfo *info,
            const char    *name,
            int            number)
{
  g_autofree char *text = g_strdup_printf ("%d", number);

  c2g_device_info_add_detail (info, name, text);
}

static void
add_yes_or_no (C2gDeviceInfo       *info,
               const char          *name,
               enum cudaDeviceAttr  attribute,
               int                  index)
{
  int value = 0;

  if (C2G_CUDA_CALL (index, NULL, cudaDeviceGetAttribute, &value, attribute, index))
    c2g_device_info_add_detail (info, name, value ? "yes" : "no");
}

/* Adds the devices whose memory this one reaches without the host. */
static void
add_peers (C2gDeviceInfo *info,
           int            index)
{
  g_autoptr (GString) peers = g_string_new (NULL);
  int n_devices = 0;

  C2G_CUDA_CALL (index, NULL, cudaGetDeviceCount, &n_devices);
  for (int peer = 0; peer < n_devices; peer++)
    {
      int can_access = 0;

      if (peer != index &&
          C2G_CUDA_CALL (index, NULL, cudaDeviceCanAccessPeer, &can_access, index, peer) &&
          can_access)
        g_string_append_printf (peers, "%scuda:%d", peers->len > 0 ? " " : "", peer);
    }

  if (peers->len > 0)
    c2g_device_info_add_detail (info, N_("peers"), peers->str);
}

static void
add_versions (C2gDeviceInfo *info,
              int            index)
{
  int driver = 0, runtime = 0;

  if (C2G_CUDA_CALL (index, NULL, cudaDriverGetVersion, &driver))
    add_version (info, N_("driver"), driver);
  if (C2G_CUDA_CALL (index, NULL, cudaRuntimeGetVersion, &runtime))
    add_version (info, N_("library"), runtime);
}

/* Adds the versions of cuBLAS and cuDNN, or the reasons why they cannot be used. */
static void
add_libraries (C2gDeviceInfo *info,
               int            index)
{
  g_autofree char *cublas = c2g_cuda_blas_describe (index);
  g_autofree char *cudnn = c2g_cuda_dnn_describe (index);

  c2g_device_info_add_detail (info, "cublas", cublas);
  c2g_device_info_add_detail (info, "cudnn", cudnn);
}

static gboolean
get_memory (int      index,
            gsize   *n_free,
            gsize   *n_total,
            GError **error)
{
  C2gCudaGuard guard;
  gboolean done;

  if (!c2g_cuda_guard_enter (&guard, index, error))
    return FALSE;

  done = C2G_CUDA_CALL (index, error, cudaMemGetInfo, n_free, n_total);
  c2g_cuda_guard_leave (&guard);

  return done;
}

C2gDeviceInfo *
c2g_cuda_describe (C2gDevice  *device,
                   GError    **error)
{
  g_autofree char *capability = NULL;
  struct cudaDeviceProp properties;
  char pci_bus_id[32];
  gsize n_free, n_total;
  C2gDeviceInfo *info;
  int index;

  if (!c2g_cuda_stream_check_device (device, &index, error) ||
      !C2G_CUDA_CALL (index, error, cudaGetDeviceProperties, &properties, index) ||
      !get_memory (index, &n_free, &n_total, error))
    return NULL;

  info = c2g_device_info_new (device, properties.name, n_total, n_free);
  capability = g_strdup_printf ("%d.%d", properties.major, properties.minor);
  c2g_device_info_add_detail (info, N_("compute-capability"), capability);
  add_number (info, N_("multiprocessors"), properties.multiProcessorCount);
  if (C2G_CUDA_CALL (index, NULL, cudaDeviceGetPCIBusId, pci_bus_id, sizeof pci_bus_id, index))
    c2g_device_info_add_detail (info, N_("pci-bus-id"), pci_bus_id);
  add_versions (info, index);
  add_libraries (info, index);
  add_yes_or_no (info, N_("memory-pools"), cudaDevAttrMemoryPoolsSupported, index);
  add_yes_or_no (info, N_("integrated"), cudaDevAttrIntegrated, index);
  add_peers (info, index);

  return info;
}
