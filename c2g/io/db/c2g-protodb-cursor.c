/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-protodb-private.h>

#include <c2g/io/message/c2g-tensor-scan-private.h>

#include <protobuf-c/protobuf-c.h>

/* Reads the tensors of a TensorProtos file as records. */

struct _C2gProtodbCursor
{
  C2gDbCursor parent_instance;

  C2gScanner  scanner;
  /* Scans the file as one message, from the tag of one record to the next. */
  C2gWireScan records;

  /* The current record and its name, if is_valid. */
  C2gWireItem record;
  C2gWireItem name;
  gboolean    is_valid;
};

G_DEFINE_FINAL_TYPE (C2gProtodbCursor, c2g_protodb_cursor, C2G_TYPE_DB_CURSOR)

gboolean
c2g_protodb_find_name (C2gWireScan  *fields,
                       C2gWireItem  *name,
                       GError      **error)
{
  C2gWireItem item;

  *name = (C2gWireItem) { .n_bytes = 0 };
  while (c2g_wire_scan_next (fields, &item, error))
    {
      if (item.number != C2G_TENSOR_FIELD_NAME)
        continue;
      if (!c2g_wire_item_check (&item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error))
        return FALSE;
      *name = item;
    }

  return !fields->has_failed;
}

/* Skips unknown fields of TensorProtos. */
static gboolean
c2g_protodb_cursor_next (C2gDbCursor  *cursor,
                         GError      **error)
{
  C2gProtodbCursor *self = C2G_PROTODB_CURSOR (cursor);
  C2gWireScan fields;

  self->is_valid = FALSE;
  do
    if (!c2g_wire_scan_next (&self->records, &self->record, error))
      return !self->records.has_failed;
  while (self->record.number != C2G_PROTODB_FIELD);

  if (!c2g_wire_item_check (&self->record, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error))
    return FALSE;
  c2g_wire_scan_enter (&fields, &self->scanner, &self->record);
  self->is_valid = c2g_protodb_find_name (&fields, &self->name, error);
  return self->is_valid;
}

static gboolean
c2g_protodb_cursor_seek_to_first (C2gDbCursor  *cursor,
                                  GError      **error)
{
  C2gProtodbCursor *self = C2G_PROTODB_CURSOR (cursor);

  self->is_valid = FALSE;
  return c2g_wire_scan_init (&self->records, &self->scanner, 0,
                             c2g_source_get_n_bytes (self->scanner.source), error) &&
         c2g_protodb_cursor_next (cursor, error);
}

static gboolean
c2g_protodb_cursor_is_valid (C2gDbCursor *cursor)
{
  return C2G_PROTODB_CURSOR (cursor)->is_valid;
}

static GBytes *
c2g_protodb_cursor_dup_key (C2gDbCursor  *cursor,
                            GError      **error)
{
  C2gProtodbCursor *self = C2G_PROTODB_CURSOR (cursor);

  return c2g_source_ref_bytes (self->scanner.source, self->name.value_offset, self->name.n_bytes,
                               NULL, error);
}

static GBytes *
c2g_protodb_cursor_dup_value (C2gDbCursor  *cursor,
                              GError      **error)
{
  C2gProtodbCursor *self = C2G_PROTODB_CURSOR (cursor);

  return c2g_source_ref_bytes (self->scanner.source, self->record.value_offset,
                               self->record.n_bytes, NULL, error);
}

static gboolean
c2g_protodb_cursor_locate_value (C2gDbCursor  *cursor,
                                 C2gDbValue   *value,
                                 GError      **error)
{
  C2gProtodbCursor *self = C2G_PROTODB_CURSOR (cursor);

  value->source = c2g_source_ref (self->scanner.source);
  value->offset = self->record.value_offset;
  value->n_bytes = self->record.n_bytes;
  return TRUE;
}

static C2gScanner *
c2g_protodb_cursor_peek_scanner (C2gDbCursor *cursor)
{
  return &C2G_PROTODB_CURSOR (cursor)->scanner;
}

static const C2gDbCursorFuncs c2g_protodb_cursor_funcs = {
  .locate_value = c2g_protodb_cursor_locate_value,
  .peek_scanner = c2g_protodb_cursor_peek_scanner,
};

static void
c2g_protodb_cursor_finalize (GObject *object)
{
  c2g_scanner_clear (&C2G_PROTODB_CURSOR (object)->scanner);

  G_OBJECT_CLASS (c2g_protodb_cursor_parent_class)->finalize (object);
}

static void
c2g_protodb_cursor_class_init (C2gProtodbCursorClass *klass)
{
  C2gDbCursorClass *cursor_class = C2G_DB_CURSOR_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = c2g_protodb_cursor_finalize;

  cursor_class->seek_to_first = c2g_protodb_cursor_seek_to_first;
  cursor_class->next = c2g_protodb_cursor_next;
  cursor_class->is_valid = c2g_protodb_cursor_is_valid;
  cursor_class->dup_key = c2g_protodb_cursor_dup_key;
  cursor_class->dup_value = c2g_protodb_cursor_dup_value;
  cursor_class->funcs = &c2g_protodb_cursor_funcs;
}

static void
c2g_protodb_cursor_init (C2gProtodbCursor *self)
{
}

C2gDbCursor *
c2g_protodb_cursor_new (C2gSource  *source,
                        GError    **error)
{
  g_autoptr (C2gProtodbCursor) self = g_object_new (C2G_TYPE_PROTODB_CURSOR, NULL);

  c2g_scanner_init (&self->scanner, source);
  return c2g_protodb_cursor_seek_to_first (C2G_DB_CURSOR (self), error)
           ? C2G_DB_CURSOR (g_steal_pointer (&self))
           : NULL;
}
