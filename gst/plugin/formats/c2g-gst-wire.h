/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Tensors as bytes: a frame is a header and a payload.
 *
 * The header has 48 bytes, its numbers are little-endian:
 *
 *    0  8  the magic bytes
 *    8  2  the version, which is 1
 *   10  2  zero
 *   12  4  the number of tensors
 *   16  8  the number of bytes in the payload
 *   24  8  the running time in nanoseconds, or 2^64 - 1 for none
 *   32  8  the duration, likewise
 *   40  4  the CRC-32 of the payload
 *   44  4  the CRC-32 of these 44 bytes
 *
 * The payload has for each tensor the number of bytes, as 4 bytes, and a BlobProto of so many. */

#define C2G_GST_CAPS_WIRE     "application/x-c2g-stream"
#define C2G_GST_WIRE_HEADER   48
#define C2G_GST_WIRE_VERSION  1
/* Limit on the tensors of a frame: each name is compared with all others. */
#define C2G_GST_WIRE_MAX_TENSORS 4096

typedef struct
{
  guint16      version;
  guint32      n_tensors;
  guint64      n_bytes;
  GstClockTime time;
  GstClockTime duration;
  guint32      crc;
} C2gGstWireHeader;

/* Writes a frame with the tensors that are attached to a buffer. */
GstBuffer *c2g_gst_wire_write        (GstBuffer               *tensors,
                                      GstClockTime             time,
                                      GError                 **error);

/* Returns the offset of the first magic bytes, complete or cut off by the end of the data; n_bytes
 * if there are none. */
gsize      c2g_gst_wire_find         (const guint8            *data,
                                      gsize                    n_bytes);
/* Parses a header of C2G_GST_WIRE_HEADER bytes. Returns FALSE if it is damaged or there are too
 * many tensors. */
gboolean   c2g_gst_wire_read_header  (C2gGstWireHeader        *self,
                                      const guint8            *data);
/* Checks the CRC of the payload. */
gboolean   c2g_gst_wire_check        (const C2gGstWireHeader  *self,
                                      const guint8            *payload);
/* Makes a buffer with the tensors of a payload. They take at most eight times the size of the
 * payload. */
GstBuffer *c2g_gst_wire_read         (const C2gGstWireHeader  *self,
                                      const guint8            *payload,
                                      GError                 **error);

G_END_DECLS
