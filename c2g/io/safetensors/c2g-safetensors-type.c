/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/safetensors/c2g-safetensors-type-private.h>

/* The element types of safetensors: the name in the file, the type of c2g, and the size in bits. Of a type
 * that c2g does not have, only the size is needed. */

static const C2gSafetensorsType types[] = {
  { "BOOL", C2G_DATA_TYPE_BOOL, 8 },
  { "U8", C2G_DATA_TYPE_UINT8, 8 },
  { "I8", C2G_DATA_TYPE_INT8, 8 },
  { "U16", C2G_DATA_TYPE_UINT16, 16 },
  { "I16", C2G_DATA_TYPE_INT16, 16 },
  { "F16", C2G_DATA_TYPE_FLOAT16, 16 },
  { "BF16", C2G_DATA_TYPE_BFLOAT16, 16 },
  { "U32", C2G_DATA_TYPE_UINT32, 32 },
  { "I32", C2G_DATA_TYPE_INT32, 32 },
  { "F32", C2G_DATA_TYPE_FLOAT, 32 },
  { "U64", C2G_DATA_TYPE_UINT64, 64 },
  { "I64", C2G_DATA_TYPE_INT64, 64 },
  { "F64", C2G_DATA_TYPE_DOUBLE, 64 },
  { "F4", C2G_DATA_TYPE_UNDEFINED, 4 },
  { "F6_E2M3", C2G_DATA_TYPE_UNDEFINED, 6 },
  { "F6_E3M2", C2G_DATA_TYPE_UNDEFINED, 6 },
  { "F8_E4M3", C2G_DATA_TYPE_UNDEFINED, 8 },
  { "F8_E4M3FNUZ", C2G_DATA_TYPE_UNDEFINED, 8 },
  { "F8_E5M2", C2G_DATA_TYPE_UNDEFINED, 8 },
  { "F8_E5M2FNUZ", C2G_DATA_TYPE_UNDEFINED, 8 },
  { "F8_E8M0", C2G_DATA_TYPE_UNDEFINED, 8 },
  { "C64", C2G_DATA_TYPE_UNDEFINED, 64 },
};

const C2gSafetensorsType *
c2g_safetensors_type_from_name (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (types[i].name, name))
      return &types[i];

  return NULL;
}

const C2gSafetensorsType *
c2g_safetensors_type_for (C2gDataType data_type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].data_type == data_type && data_type != C2G_DATA_TYPE_UNDEFINED)
      return &types[i];

  return NULL;
}
