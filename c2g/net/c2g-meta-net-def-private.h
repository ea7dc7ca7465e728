/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/net/c2g-keyed-list-private.h>
#include <c2g/net/c2g-meta-net-def.h>
#include <c2g/net/c2g-name-list-private.h>

G_BEGIN_DECLS

struct _C2gMetaNetDef
{
  GObject            parent_instance;

  /* Its strings are freed with g_free(). */
  Caffe2__ModelInfo  info;
  gboolean           has_info;
  C2gMessageBox     *rest_of_info;

  /* The values are char **, C2gNetDef, C2gPlanDef and char *. */
  C2gKeyedList      *blobs;
  C2gKeyedList      *nets;
  C2gKeyedList      *plans;
  C2gKeyedList      *application_info;

  C2gNameList        blobs_order;
  C2gNameList        preload_blobs;

  /* Unknown fields of the file, or NULL. */
  C2gMessageBox     *rest;
};

/* Takes ownership of the message. */
C2gMetaNetDef *c2g_meta_net_def_new_take    (Caffe2__MetaNetDef  *message);
/* Fills a message with pointers into SELF. Allocations are added to OWNED, which frees them with
 * g_free(). */
void           c2g_meta_net_def_get_message (C2gMetaNetDef       *self,
                                             Caffe2__MetaNetDef  *message,
                                             GPtrArray           *owned);

G_END_DECLS
