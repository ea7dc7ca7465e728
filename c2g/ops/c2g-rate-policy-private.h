/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-kernel-private.h>

G_BEGIN_DECLS

/* What a rate of learning is multiplied by in the course of iterations. */
typedef struct _C2gRatePolicy C2gRatePolicy;

/* By the argument policy and those that it needs; NULL with an error in the arguments. */
C2gRatePolicy *c2g_rate_policy_new  (C2gArguments        *arguments,
                                     float                base_rate);
void           c2g_rate_policy_free (C2gRatePolicy       *self);
float          c2g_rate_policy_get  (const C2gRatePolicy *self,
                                     gint64               iteration);

G_END_DECLS
