/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/model/c2g-caffe-net.h>

G_BEGIN_DECLS

/* The files of a Caffe model, and the state for the include and exclude rules of its layers. */
typedef struct
{
  GFile              *prototxt;
  GFile              *weights;
  /* Terminated by NULL, or NULL. */
  const char *const  *stages;
  int                 level;
} C2gCaffeFiles;

/* Implements c2g_caffe_net_load(). *n_inputs is the number of external inputs that the user must
 * give; they come first. */
C2gNetDef *c2g_caffe_net_load_files (const C2gCaffeFiles  *files,
                                     C2gWorkspace         *workspace,
                                     gsize                *n_inputs,
                                     GCancellable         *cancellable,
                                     GError              **error);

G_END_DECLS
