/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-element-funcs-private.h>
#include <c2g/core/types/c2g-element-object.h>

G_BEGIN_DECLS

extern const C2gElementFuncs c2g_element_object_funcs;

G_END_DECLS
