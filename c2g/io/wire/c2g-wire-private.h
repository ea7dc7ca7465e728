/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-data-type.h>

#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* A field of a binary message. */
typedef struct
{
  guint32       number;
  guint8        wire_type;
  /* Offset of the field, from the base of the reader. */
  gsize         offset;
  /* The value; for a length-delimited field the bytes after the length. */
  const guint8 *data;
  gsize         n_bytes;
} C2gWireField;

/* Iterates over the fields of a message, never beyond its end. */
typedef struct
{
  const guint8 *data;
  gsize         n_bytes;
  gsize         position;
  /* Offset of DATA in its file. */
  gsize         base;
} C2gWireReader;

void              c2g_wire_reader_init (C2gWireReader                     *self,
                                        const guint8                      *data,
                                        gsize                              n_bytes,
                                        gsize                              base);
/* Returns FALSE at the end of the message, and with an error if it is damaged. */
gboolean          c2g_wire_reader_next (C2gWireReader                     *self,
                                        C2gWireField                      *field,
                                        GError                           **error);

/* protobuf's limit on the size of a message. */
#define C2G_WIRE_MAX_BYTES G_MAXINT
/* protobuf's limit on field numbers. */
#define C2G_WIRE_MAX_NUMBER ((1u << 29) - 1)
/* protobuf's limit on nested messages. */
#define C2G_WIRE_MAX_DEPTH 100

/* Bytes behind the struct of a parsed argument that its owner may use. */
#define C2G_WIRE_ARGUMENT_ROOM 24

/* Checks the bytes against the message type and parses them. C2G_ERROR_CORRUPT names field and
 * offset. Free with c2g_wire_free(). */
ProtobufCMessage *c2g_wire_parse       (const ProtobufCMessageDescriptor  *descriptor,
                                        const guint8                      *data,
                                        gsize                              n_bytes,
                                        gsize                              base,
                                        GError                           **error);
/* The same for a message at nesting level DEPTH of another message. */
ProtobufCMessage *c2g_wire_parse_inside (const ProtobufCMessageDescriptor *descriptor,
                                         const guint8                     *data,
                                         gsize                             n_bytes,
                                         gsize                             base,
                                         guint                             depth,
                                         GError                          **error);
GBytes           *c2g_wire_serialize   (const ProtobufCMessage            *message,
                                        GError                           **error);
void              c2g_wire_free        (gpointer                           message);

/* Returns the size of the varint at DATA, or 0 if it does not end within n_bytes. */
gsize             c2g_wire_scan_varint (const guint8                      *data,
                                        gsize                              n_bytes,
                                        guint64                           *value);
/* Set the error for damaged data; both return FALSE. */
gboolean          c2g_wire_set_damaged (guint64                            offset,
                                        const char                        *what,
                                        GError                           **error);
gboolean          c2g_wire_set_short   (guint64                            offset,
                                        guint32                            number,
                                        guint64                            n_bytes,
                                        guint64                            n_left,
                                        GError                           **error);

/* Functions to write single fields without a message struct. */
void              c2g_wire_put_varint  (GByteArray                        *array,
                                        guint64                            value);
void              c2g_wire_put_tag     (GByteArray                        *array,
                                        guint32                            number,
                                        guint8                             wire_type);
/* Writes an integer with its tag. */
void              c2g_wire_put_number  (GByteArray                        *array,
                                        guint32                            number,
                                        guint64                            value);
/* Writes the tag and the length of bytes, which the caller writes. */
void              c2g_wire_put_length  (GByteArray                        *array,
                                        guint32                            number,
                                        guint64                            n_bytes);
void              c2g_wire_put_bytes   (GByteArray                        *array,
                                        guint32                            number,
                                        gconstpointer                      data,
                                        gsize                              n_bytes);

/* Returns TRUE if all bytes are 0 or 1. */
gboolean          c2g_wire_are_bools   (const guint8                      *items,
                                        gsize                              n_items);
/* Fixes elements that were read as they are in a file: swaps their bytes if needed, and makes each
 * bool 0 or 1. */
void              c2g_wire_settle      (gpointer                           items,
                                        gsize                              n_items,
                                        C2gDataType                        data_type,
                                        gboolean                           is_swapped);

G_END_DECLS
