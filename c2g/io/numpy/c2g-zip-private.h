/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Signatures, sizes and constants of ZIP records. All numbers are little-endian. */

#define C2G_ZIP_LOCAL_MARK      0x04034b50
#define C2G_ZIP_CENTRAL_MARK    0x02014b50
#define C2G_ZIP_DESCRIPTOR_MARK 0x08074b50
#define C2G_ZIP_END_MARK        0x06054b50
#define C2G_ZIP_END64_MARK      0x06064b50
#define C2G_ZIP_LOCATOR_MARK    0x07064b50

#define C2G_ZIP_LOCAL_BYTES   30
#define C2G_ZIP_CENTRAL_BYTES 46
#define C2G_ZIP_END_BYTES     22
#define C2G_ZIP_END64_BYTES   56
#define C2G_ZIP_LOCATOR_BYTES 20

#define C2G_ZIP_STORED   0
#define C2G_ZIP_DEFLATED 8

#define C2G_ZIP_FLAG_ENCRYPTED        (1u << 0)
#define C2G_ZIP_FLAG_DESCRIPTOR       (1u << 3)
#define C2G_ZIP_FLAG_STRONG           (1u << 6)
#define C2G_ZIP_FLAG_UTF8             (1u << 11)
#define C2G_ZIP_FLAG_HIDDEN_DIRECTORY (1u << 13)

#define C2G_ZIP_EXTRA_ZIP64 0x0001
/* Padding field, as used by Android's tools. */
#define C2G_ZIP_EXTRA_ALIGN 0xd935

static inline guint16
c2g_zip_get16 (const guint8 *data)
{
  return data[0] | data[1] << 8;
}

static inline guint32
c2g_zip_get32 (const guint8 *data)
{
  return c2g_zip_get16 (data) | (guint32) c2g_zip_get16 (data + 2) << 16;
}

static inline guint64
c2g_zip_get64 (const guint8 *data)
{
  return c2g_zip_get32 (data) | (guint64) c2g_zip_get32 (data + 4) << 32;
}

static inline void
c2g_zip_put (GByteArray *record,
             guint       n_bytes,
             guint64     value)
{
  guint64 bytes = GUINT64_TO_LE (value);

  g_byte_array_append (record, (const guint8 *) &bytes, n_bytes);
}

G_END_DECLS
