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

/* Checks bytes against what they should be a message of, then parses them: a
 * C2G_ERROR_CORRUPT names field and offset.  Free with c2g_wire_free().
 */
ProtobufCMessage *c2g_wire_parse       (const ProtobufCMessageDescriptor  *descriptor,
                                        const guint8                      *data,
                                        gsize                              n_bytes,
                                        gsize                              base,
                                        GError                           **error);
GBytes           *c2g_wire_serialize   (const ProtobufCMessage            *message,
                                        GError                           **error);
void              c2g_wire_free        (gpointer                           message);

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
