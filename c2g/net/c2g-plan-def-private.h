/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/net/c2g-message-box-private.h>
#include <c2g/net/c2g-plan-def.h>

G_BEGIN_DECLS

/* Takes ownership of the message. */
C2gPlanDef *c2g_plan_def_new_take    (Caffe2__PlanDef  *message);
/* Fills a message with pointers into SELF. Allocations are added to OWNED, which frees them with
 * g_free(). */
void        c2g_plan_def_get_message (C2gPlanDef       *self,
                                      Caffe2__PlanDef  *message,
                                      GPtrArray        *owned);

G_END_DECLS
