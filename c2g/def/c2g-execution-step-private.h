/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/def/c2g-execution-step.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

struct _C2gExecutionStep
{
  GObject                       parent_instance;
  _Alignas (gint64) Caffe2__ExecutionStep message;

  /* Steps that contain this one, without references. A step that contains it twice is there
   * twice. */
  GPtrArray                    *parents;
};

/* Tells the substeps of a new step who their parent is. */
void c2g_execution_step_filled (gpointer self);
/* Tells the substeps of a step that it is being freed. */
void c2g_execution_step_leave  (C2gExecutionStep *self);

G_END_DECLS
