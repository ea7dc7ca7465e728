/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-data-type.h>

G_BEGIN_DECLS

/* An element type of safetensors. */
typedef struct
{
  const char  *name;
  /* C2G_DATA_TYPE_UNDEFINED if c2g does not have the type. */
  C2gDataType  data_type;
  guint        n_bits;
} C2gSafetensorsType;

/* Returns NULL for an unknown type. */
const C2gSafetensorsType *c2g_safetensors_type_from_name (const char  *name);
const C2gSafetensorsType *c2g_safetensors_type_for       (C2gDataType  data_type);

#define C2G_SAFETENSORS_METADATA "__metadata__"
/* The limit of the reference implementation. */
#define C2G_SAFETENSORS_MAX_HEADER 100000000

G_END_DECLS
