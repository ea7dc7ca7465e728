/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/load/c2g-load-options.h>

G_BEGIN_DECLS

struct _C2gLoadOptions
{
  GObject       parent_instance;

  char        **names;
  char        **source_names;
  char         *strip_prefix;
  char         *add_prefix;

  gboolean      load_all;
  gboolean      allow_incomplete;
  gboolean      skip_unsupported;
  gboolean      caffe2_names;
  gboolean      caffe_blobs;
  gboolean      keep_device;
  gboolean      memory_map;
  /* Set by a predictor, whose nets fit the tensors that are there alone: the loaded ones must have their
   * types and shapes, and come to their devices unless one is named. */
  gboolean      fits_present;
  /* NULL for no particular device. */
  C2gDevice    *device;

  char         *db_type;
  /* A list of GFile, or NULL. */
  GListModel   *files;
  C2gProgress  *progress;
};

/* Returns a copy of the current options for work in another thread; default options for NULL. */
C2gLoadOptions *c2g_load_options_copy       (C2gLoadOptions *self);

/* Sets the further files, a list of GFile or NULL, and takes ownership of it. */
void            c2g_load_options_take_files (C2gLoadOptions *self,
                                             GListModel     *files);

G_END_DECLS
