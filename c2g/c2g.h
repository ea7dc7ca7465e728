/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#define C2G_INSIDE

#include <c2g/core/c2g-data-type.h>
#include <c2g/core/c2g-device.h>
#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-event.h>
#include <c2g/core/c2g-settings.h>
#include <c2g/core/c2g-type-meta.h>
#include <c2g/core/c2g-types.h>
#include <c2g/core/c2g-version-macros.h>
#include <c2g/core/c2g-version.h>

#undef C2G_INSIDE
