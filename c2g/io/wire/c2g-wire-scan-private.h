/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-scanner-private.h>

G_BEGIN_DECLS

/* A field of a message in a source. The content of a length-delimited field is not read. */
typedef struct
{
  guint32 number;
  guint8  wire_type;
  /* Offsets of the field and of its value (behind the length). */
  guint64 offset;
  guint64 value_offset;
  guint64 n_bytes;
  /* The bits of a number. */
  guint64 value;
} C2gWireItem;

/* Iterates over the fields of a message in a source. Like C2gWireReader, with the same errors. */
typedef struct
{
  C2gScanner *scanner;
  guint64     position;
  guint64     end;
  /* Tells damage from the normal end of the message. */
  gboolean    has_failed;
} C2gWireScan;

/* Fails if the source ends before the message. */
gboolean c2g_wire_scan_init     (C2gWireScan        *self,
                                 C2gScanner         *scanner,
                                 guint64             offset,
                                 guint64             n_bytes,
                                 GError            **error);
/* Returns FALSE at the end of the message, and with an error if it is damaged. */
gboolean c2g_wire_scan_next     (C2gWireScan        *self,
                                 C2gWireItem        *item,
                                 GError            **error);
/* Iterates over the fields of a submessage. */
void     c2g_wire_scan_enter    (C2gWireScan        *self,
                                 C2gScanner         *scanner,
                                 const C2gWireItem  *item);
/* Reads a name as valid UTF-8 and replaces *NAME. */
gboolean c2g_wire_scan_name     (C2gScanner         *scanner,
                                 const C2gWireItem  *item,
                                 char              **name,
                                 GError            **error);
/* Fails unless the field has this wire type. */
gboolean c2g_wire_item_check    (const C2gWireItem  *self,
                                 guint8              wire_type,
                                 GError            **error);

G_END_DECLS
