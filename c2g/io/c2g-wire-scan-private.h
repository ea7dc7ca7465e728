/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-scanner-private.h>

G_BEGIN_DECLS

/* One field of a message, its content not looked at if it has a length. */
typedef struct
{
  guint32 number;
  guint8  wire_type;
  /* Of the field in the source, and of its value behind the length. */
  guint64 offset;
  guint64 value_offset;
  guint64 n_bytes;
  /* The bits of a number. */
  guint64 value;
} C2gWireItem;

/* Walks over the fields of one message where it lies in a source: as C2gWireReader does
 * in memory, and with the same errors. */
typedef struct
{
  C2gScanner *scanner;
  guint64     position;
  guint64     end;
  /* How a walk that has come to its end tells damage from the end of the message. */
  gboolean    has_failed;
} C2gWireScan;

/* An error if the source ends before the message does. */
gboolean c2g_wire_scan_init     (C2gWireScan        *self,
                                 C2gScanner         *scanner,
                                 guint64             offset,
                                 guint64             n_bytes,
                                 GError            **error);
/* False at the end of the message and, with an error, where it is damaged. */
gboolean c2g_wire_scan_next     (C2gWireScan        *self,
                                 C2gWireItem        *item,
                                 GError            **error);
/* Walks over the fields of a message that is a field. */
void     c2g_wire_scan_enter    (C2gWireScan        *self,
                                 C2gScanner         *scanner,
                                 const C2gWireItem  *item);
/* A field that is a name, made valid UTF-8; replaces what is in name. */
gboolean c2g_wire_scan_name     (C2gScanner         *scanner,
                                 const C2gWireItem  *item,
                                 char              **name,
                                 GError            **error);
/* An error unless the field has this wire type. */
gboolean c2g_wire_item_check    (const C2gWireItem  *self,
                                 guint8              wire_type,
                                 GError            **error);

G_END_DECLS
