/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-data-type.h>

G_BEGIN_DECLS

/* What safetensors calls the types of elements. */
typedef struct
{
  const char  *name;
  /* Undefined for what c2g does not have. */
  C2gDataType  data_type;
  guint        n_bits;
} C2gSafetensorsType;

/* NULL for others. */
const C2gSafetensorsType *c2g_safetensors_type_from_name (const char  *name);
const C2gSafetensorsType *c2g_safetensors_type_for       (C2gDataType  data_type);

#define C2G_SAFETENSORS_METADATA "__metadata__"
/* What the reference accepts. */
#define C2G_SAFETENSORS_MAX_HEADER 100000000

G_END_DECLS
