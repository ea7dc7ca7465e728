/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* One field of a message, as it lies in the bytes. */
typedef struct
{
  guint32       number;
  guint8        wire_type;
  /* Where the field begins, counted as the reader was told. */
  gsize         offset;
  /* The value; of a length-delimited one what follows the length. */
  const guint8 *data;
  gsize         n_bytes;
} C2gWireField;

/* Walks over the fields of one message, never beyond its end. */
typedef struct
{
  const guint8 *data;
  gsize         n_bytes;
  gsize         position;
  /* What offsets are counted from: where data lies in its file. */
  gsize         base;
} C2gWireReader;

void              c2g_wire_reader_init (C2gWireReader                     *self,
                                        const guint8                      *data,
                                        gsize                              n_bytes,
                                        gsize                              base);
/* False at the end of the message and, with an error, where it is damaged. */
gboolean          c2g_wire_reader_next (C2gWireReader                     *self,
                                        C2gWireField                      *field,
                                        GError                           **error);

/* protobuf's own limit for a message. */
#define C2G_WIRE_MAX_BYTES G_MAXINT
/* For the number of a field. */
#define C2G_WIRE_MAX_NUMBER ((1u << 29) - 1)
/* And for messages inside each other. */
#define C2G_WIRE_MAX_DEPTH 100

/* Checks bytes against what they should be a message of, then parses them: a
 * C2G_ERROR_CORRUPT names field and offset.  Free with c2g_wire_free().
 */
ProtobufCMessage *c2g_wire_parse       (const ProtobufCMessageDescriptor  *descriptor,
                                        const guint8                      *data,
                                        gsize                              n_bytes,
                                        gsize                              base,
                                        GError                           **error);
/* The same for what will be so deep inside of another message. */
ProtobufCMessage *c2g_wire_parse_inside (const ProtobufCMessageDescriptor *descriptor,
                                         const guint8                     *data,
                                         gsize                             n_bytes,
                                         gsize                             base,
                                         guint                             depth,
                                         GError                          **error);
GBytes           *c2g_wire_serialize   (const ProtobufCMessage            *message,
                                        GError                           **error);
void              c2g_wire_free        (gpointer                           message);

/* Bytes of the varint at data, 0 if it does not end there. */
gsize             c2g_wire_scan_varint (const guint8                      *data,
                                        gsize                              n_bytes,
                                        guint64                           *value);
/* What is wrong and where; both return false. */
gboolean          c2g_wire_set_damaged (guint64                            offset,
                                        const char                        *what,
                                        GError                           **error);
gboolean          c2g_wire_set_short   (guint64                            offset,
                                        guint32                            number,
                                        guint64                            n_bytes,
                                        guint64                            n_left,
                                        GError                           **error);

/* Writing single fields, for what is not in a message structure. */
void              c2g_wire_put_varint  (GByteArray                        *array,
                                        guint64                            value);
void              c2g_wire_put_tag     (GByteArray                        *array,
                                        guint32                            number,
                                        guint8                             wire_type);
void              c2g_wire_put_bytes   (GByteArray                        *array,
                                        guint32                            number,
                                        gconstpointer                      data,
                                        gsize                              n_bytes);

G_END_DECLS
