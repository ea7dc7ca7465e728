/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-source-private.h>

#include <zlib.h>

G_BEGIN_DECLS

/* A file in a ZIP archive. */
typedef struct
{
  /* UTF-8. */
  char     *name;
  gboolean  is_deflated;
  guint32   crc;

  /* Offset and size of the packed bytes. */
  guint64   offset;
  guint64   n_packed;
  /* Unpacked size; the packed bytes can produce that many. */
  guint64   n_bytes;
} C2gZipMember;

/* Returns the files, sorted by offset, without folders. They do not overlap and have different
 * names. ZIP64 is supported; encryption is refused. */
GPtrArray    *c2g_zip_read_members  (C2gSource           *source,
                                     GError             **error);
C2gZipMember *c2g_zip_member_copy   (const C2gZipMember  *self);
void          c2g_zip_member_free   (C2gZipMember        *self);

/* Reads the unpacked bytes of a member from the first to the last. */
typedef struct
{
  C2gSource          *source;
  const C2gZipMember *member;

  /* Number of packed bytes read, and of unpacked bytes returned. */
  guint64             n_taken;
  guint64             n_given;
  guint32             crc;

  /* Reused for the next member. */
  gboolean            has_inflater;
  z_stream            inflater;
  guint8             *buffer;
} C2gZipStream;

/* SELF must be all zeros, or have been used for another member. Keeps source and member without
 * references. */
gboolean      c2g_zip_stream_open   (C2gZipStream        *self,
                                     C2gSource           *source,
                                     const C2gZipMember  *member,
                                     GError             **error);
void          c2g_zip_stream_clear  (C2gZipStream        *self);
/* Reads the next n_bytes bytes. */
gboolean      c2g_zip_stream_read   (C2gZipStream        *self,
                                     gpointer             buffer,
                                     gsize                n_bytes,
                                     GError             **error);
/* Checks that everything was read and that the checksum is right. */
gboolean      c2g_zip_stream_finish (C2gZipStream        *self,
                                     GError             **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gZipStream, c2g_zip_stream_clear)

G_END_DECLS
