/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/interop/c2g-dlpack-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Converts element types and devices to and from DLPack's numbers. */

static const struct
{
  C2gDataType data_type;
  guint8      code;
  guint8      bits;
} types[] = {
  { C2G_DATA_TYPE_FLOAT, C2G_DL_FLOAT, 32 },
  { C2G_DATA_TYPE_DOUBLE, C2G_DL_FLOAT, 64 },
  { C2G_DATA_TYPE_FLOAT16, C2G_DL_FLOAT, 16 },
  { C2G_DATA_TYPE_BFLOAT16, C2G_DL_BFLOAT, 16 },
  { C2G_DATA_TYPE_INT8, C2G_DL_INT, 8 },
  { C2G_DATA_TYPE_INT16, C2G_DL_INT, 16 },
  { C2G_DATA_TYPE_INT32, C2G_DL_INT, 32 },
  { C2G_DATA_TYPE_INT64, C2G_DL_INT, 64 },
  { C2G_DATA_TYPE_UINT8, C2G_DL_UINT, 8 },
  { C2G_DATA_TYPE_UINT16, C2G_DL_UINT, 16 },
  { C2G_DATA_TYPE_UINT32, C2G_DL_UINT, 32 },
  { C2G_DATA_TYPE_UINT64, C2G_DL_UINT, 64 },
  { C2G_DATA_TYPE_BOOL, C2G_DL_BOOL, 8 },
};

/* Names of the type codes, by code. Codes above C2G_DL_BOOL have the number of bits in the
 * name. */
static const char *const code_names[] = {
  "int",
  "uint",
  "float",
  "opaque handle",
  "bfloat",
  "complex",
  "bool",
  "float8_e3m4",
  "float8_e4m3",
  "float8_e4m3b11fnuz",
  "float8_e4m3fn",
  "float8_e4m3fnuz",
  "float8_e5m2",
  "float8_e5m2fnuz",
  "float8_e8m0fnu",
  "float6_e2m3fn",
  "float6_e3m2fn",
  "float4_e2m1fn",
};

static const char *const device_names[] = {
  [1] = "CPU",
  [2] = "CUDA",
  [3] = "CUDA host",
  [4] = "OpenCL",
  [7] = "Vulkan",
  [8] = "Metal",
  [9] = "VPI",
  [10] = "ROCm",
  [11] = "ROCm host",
  [12] = "extension",
  [13] = "CUDA managed",
  [14] = "oneAPI",
  [15] = "WebGPU",
  [16] = "Hexagon",
  [17] = "MAIA",
  [18] = "Trainium",
};

gboolean
c2g_dlpack_type_for_data_type (C2gDataType  data_type,
                               C2gDlType   *type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].data_type == data_type)
      {
        *type = (C2gDlType) { types[i].code, types[i].bits, 1 };
        return TRUE;
      }

  return FALSE;
}

static char *
type_to_string (const C2gDlType *type)
{
  if (type->code >= G_N_ELEMENTS (code_names))
    return g_strdup_printf ("%u:%u", type->code, type->bits);

  if (type->code > C2G_DL_BOOL || type->code == C2G_DL_OPAQUE_HANDLE)
    return g_strdup (code_names[type->code]);

  return g_strdup_printf ("%s%u", code_names[type->code], type->bits);
}

gboolean
c2g_dlpack_type_to_data_type (const C2gDlType  *type,
                              C2gDataType      *data_type,
                              GError          **error)
{
  g_autofree char *name = NULL;

  for (gsize i = 0; type->lanes == 1 && i < G_N_ELEMENTS (types); i++)
    if (types[i].code == type->code && types[i].bits == type->bits)
      {
        *data_type = types[i].data_type;
        return TRUE;
      }

  name = type_to_string (type);
  if (type->lanes != 1)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("Expected DLPack elements of one lane, got “%s” with %u lanes"), name, type->lanes);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("Tensors cannot hold elements of DLPack’s type “%s”"), name);

  return FALSE;
}

C2gDlDevice
c2g_dlpack_device_for_device (C2gDevice *device)
{
  if (c2g_device_get_device_type (device) == C2G_DEVICE_TYPE_CUDA)
    return (C2gDlDevice) { C2G_DL_DEVICE_CUDA, c2g_device_get_index (device) };

  return (C2gDlDevice) { C2G_DL_DEVICE_CPU, 0 };
}

C2gDevice *
c2g_dlpack_device_to_device (const C2gDlDevice  *device,
                             GError            **error)
{
  const char *name = NULL;

  /* Libraries disagree about the id of the CPU, so it is ignored. */
  if (device->type == C2G_DL_DEVICE_CPU || device->type == C2G_DL_DEVICE_CUDA_HOST)
    return c2g_device_cpu ();
  if (device->type == C2G_DL_DEVICE_CUDA)
    return c2g_device_new (C2G_DEVICE_TYPE_CUDA, device->id, error);

  if (device->type > 0 && (gsize) device->type < G_N_ELEMENTS (device_names))
    name = device_names[device->type];
  return c2g_fail_null (error, C2G_ERROR_DEVICE,
                        _("Expected memory of DLPack’s device type 1 (CPU), 2 (CUDA) or 3 (CUDA host), got %d (%s)"),
                        device->type, name != NULL ? name : _("unknown"));
}
