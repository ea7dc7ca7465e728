/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "fake-library.h"

/* Number of descriptors of all kinds. */
unsigned int fake_cudnn_get_n_descriptors (void);
/* Math type of the convolution that was described last. */
int          fake_cudnn_get_math_type     (void);
