/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/save/c2g-save-options.h>

G_BEGIN_DECLS

#define C2G_SAVE_MAX_THREADS 256

struct _C2gSaveOptions
{
  GObject           parent_instance;

  char            **names;
  char            **new_names;
  char             *strip_prefix;

  C2gModelFileKind  kind;
  char             *db_type;

  gint64            chunk_size;
  gboolean          float16_as_bytes;
  gboolean          keep_device;
  gboolean          compress;
  gboolean          caffe_diff;
  gboolean          skip_unsupported;
  guint             n_threads;

  /* Texts by name, both owned; NULL if there are none. */
  GHashTable       *metadata;
  /* C2gDevice by blob name; the names are owned, devices are never freed. NULL if there are
   * none. */
  GHashTable       *devices;
  C2gProgress      *progress;
};

G_END_DECLS
