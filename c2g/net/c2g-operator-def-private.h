/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/net/c2g-argument-list-private.h>
#include <c2g/net/c2g-device-option-private.h>
#include <c2g/net/c2g-name-list-private.h>
#include <c2g/net/c2g-operator-def.h>

G_BEGIN_DECLS

struct _C2gOperatorDef
{
  GObject          parent_instance;

  char            *op_type;
  char            *name;
  char            *engine;
  char            *debug_info;
  C2gDeviceOption  device_option;
  /* As in the file: -1 if it does not say. */
  int              is_gradient_op;

  C2gNameList      inputs;
  C2gNameList      outputs;
  C2gNameList      control_inputs;
  C2gArgumentList *arguments;

  /* What else was in the file, or NULL. */
  C2gMessageBox   *rest;
};

/* Takes the message, from which it steals what it can use. */
C2gOperatorDef      *c2g_operator_def_new_take       (Caffe2__OperatorDef  *message);
/* A message with pointers into self; what is allocated for it goes to owned, which frees with
 * g_free(). */
void                 c2g_operator_def_get_message    (C2gOperatorDef       *self,
                                                      Caffe2__OperatorDef  *message,
                                                      GPtrArray            *owned);

/* Of several of one name the first, without a reference; NULL if there is none. */
C2gArgument         *c2g_operator_def_find           (C2gOperatorDef       *self,
                                                      const char           *name);
/* Without references; the array may change with self. */
C2gArgument *const *c2g_operator_def_peek_arguments (C2gOperatorDef       *self,
                                                      gsize                *n_arguments);
/* True with NULL if no device is said; C2G_ERROR_DEVICE for one that is not known here. */
gboolean             c2g_operator_def_resolve_device (C2gOperatorDef       *self,
                                                      C2gDevice           **device,
                                                      GError              **error);

G_END_DECLS
