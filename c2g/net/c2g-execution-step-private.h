/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/net/c2g-execution-step.h>
#include <c2g/net/c2g-message-box-private.h>
#include <c2g/net/c2g-name-list-private.h>

G_BEGIN_DECLS

struct _C2gExecutionStep
{
  GObject               parent_instance;

  /* Scalar members, and strings to be freed with g_free(). The lists of the message are empty. */
  Caffe2__ExecutionStep message;
  C2gNameList           networks;
  /* Array of C2gExecutionStep. */
  GPtrArray            *substeps;
  /* Steps that contain this one, without references. A step that contains it twice is there
   * twice. */
  GPtrArray            *parents;

  /* Unknown fields of the file, or NULL. */
  C2gMessageBox        *rest;
};

/* Takes ownership of the message. */
C2gExecutionStep *c2g_execution_step_new_take    (Caffe2__ExecutionStep  *message);
/* Removes and unreferences all substeps. */
void              c2g_execution_step_clear_substeps (C2gExecutionStep    *self);
/* Fills a message with pointers into SELF. Allocations are added to OWNED, which frees them with
 * g_free(). */
void              c2g_execution_step_get_message (C2gExecutionStep       *self,
                                                  Caffe2__ExecutionStep  *message,
                                                  GPtrArray              *owned);

G_END_DECLS
