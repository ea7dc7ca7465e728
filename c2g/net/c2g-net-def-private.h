/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/net/c2g-argument-list-private.h>
#include <c2g/net/c2g-device-option-private.h>
#include <c2g/net/c2g-name-list-private.h>
#include <c2g/net/c2g-net-def.h>

G_BEGIN_DECLS

struct _C2gNetDef
{
  GObject          parent_instance;

  char            *name;
  char            *net_type;
  gboolean         has_n_workers;
  int              n_workers;
  C2gDeviceOption  device_option;

  C2gNameList      external_inputs;
  C2gNameList      external_outputs;
  C2gArgumentList *arguments;
  /* Array of C2gOperatorDef. */
  GPtrArray       *operators;

  /* Unknown fields of the file, or NULL. */
  C2gMessageBox   *rest;
};

/* Takes ownership of the message. */
C2gNetDef   *c2g_net_def_new_take       (Caffe2__NetDef  *message);
/* Fills a message with pointers into SELF. Allocations are added to OWNED, which frees them with
 * g_free(). */
void         c2g_net_def_get_message    (C2gNetDef       *self,
                                         Caffe2__NetDef  *message,
                                         GPtrArray       *owned);

/* Returns the first argument of that name without a reference, or NULL. */
C2gArgument *c2g_net_def_find           (C2gNetDef       *self,
                                         const char      *name);
/* Returns TRUE with NULL if there is no device option, FALSE with C2G_ERROR_DEVICE for an unknown
 * type of device. */
gboolean     c2g_net_def_resolve_device (C2gNetDef       *self,
                                         C2gDevice      **device,
                                         GError         **error);

G_END_DECLS
