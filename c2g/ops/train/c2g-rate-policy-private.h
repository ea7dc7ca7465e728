/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Learning rate policy: the factor for the base rate, as a function of the iteration. */
typedef struct _C2gRatePolicy C2gRatePolicy;

/* Reads the argument policy and the arguments of that policy.  Returns NULL and sets the error of
 * the arguments if they are wrong. */
C2gRatePolicy *c2g_rate_policy_new  (C2gArguments        *arguments,
                                     float                base_rate);
void           c2g_rate_policy_free (C2gRatePolicy       *self);
float          c2g_rate_policy_get  (const C2gRatePolicy *self,
                                     gint64               iteration);

G_END_DECLS
