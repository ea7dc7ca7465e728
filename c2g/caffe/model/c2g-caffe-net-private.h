/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/model/c2g-caffe-net.h>

G_BEGIN_DECLS

/* The files of a model of Caffe, and the state that the rules of layers ask about. */
typedef struct
{
  GFile              *prototxt;
  GFile              *weights;
  /* NULL, or NULL-terminated. */
  const char *const  *stages;
  int                 level;
} C2gCaffeFiles;

/* c2g_caffe_net_load(). n_inputs: how many of the external inputs are to be given; they come first. */
C2gNetDef *c2g_caffe_net_load_files (const C2gCaffeFiles  *files,
                                     C2gWorkspace         *workspace,
                                     gsize                *n_inputs,
                                     GCancellable         *cancellable,
                                     GError              **error);

G_END_DECLS
