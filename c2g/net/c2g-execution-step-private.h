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

  /* Numbers, and texts for g_free(); no lists. */
  Caffe2__ExecutionStep message;
  C2gNameList           networks;
  /* Of C2gExecutionStep. */
  GPtrArray            *substeps;
  /* The steps that this one is in, borrowed; those in which it is twice are there twice. */
  GPtrArray            *parents;

  /* What else was in the file, or NULL. */
  C2gMessageBox        *rest;
};

/* Takes the message, from which it steals what it can use. */
C2gExecutionStep *c2g_execution_step_new_take    (Caffe2__ExecutionStep  *message);
/* Gives the substeps back. */
void              c2g_execution_step_clear_substeps (C2gExecutionStep    *self);
/* A message with pointers into self; what is allocated for it goes to owned, which frees with
 * g_free(). */
void              c2g_execution_step_get_message (C2gExecutionStep       *self,
                                                  Caffe2__ExecutionStep  *message,
                                                  GPtrArray              *owned);

G_END_DECLS
