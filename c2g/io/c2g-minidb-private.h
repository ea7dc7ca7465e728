/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Caffe2's own database: records of two lengths, a key and a value. */
typedef struct
{
  const guint8 *data;
  gsize         n_bytes;
  gsize         position;
} C2gMinidbReader;

typedef struct
{
  /* Where the record begins, and where its value does. */
  gsize         offset;
  gsize         value_offset;
  const guint8 *key;
  gsize         n_key_bytes;
  const guint8 *value;
  gsize         n_value_bytes;
} C2gMinidbRecord;

/* False at the end of the database and, with an error, where it is damaged. */
gboolean c2g_minidb_reader_next (C2gMinidbReader  *self,
                                 C2gMinidbRecord  *record,
                                 GError          **error);
gboolean c2g_minidb_looks_like  (const guint8     *data,
                                 gsize             n_bytes);

G_END_DECLS
