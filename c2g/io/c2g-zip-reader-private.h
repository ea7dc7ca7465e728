/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-source-private.h>

#include <zlib.h>

G_BEGIN_DECLS

/* A file in a ZIP archive. */
typedef struct
{
  /* In UTF-8. */
  char     *name;
  gboolean  is_deflated;
  guint32   crc;

  /* Where the archive has its bytes, and how many there are of them. */
  guint64   offset;
  guint64   n_packed;
  /* And without the packing: no more than can be in there. */
  guint64   n_bytes;
} C2gZipMember;

/* The files, by where they are, folders left out.  They do not overlap, and have
 * different names; ZIP64 is read, encryption refused. */
GPtrArray    *c2g_zip_read_members  (C2gSource           *source,
                                     GError             **error);
C2gZipMember *c2g_zip_member_copy   (const C2gZipMember  *self);
void          c2g_zip_member_free   (C2gZipMember        *self);

/* The bytes of a member, unpacked, from the first to the last. */
typedef struct
{
  C2gSource          *source;
  const C2gZipMember *member;

  /* Packed bytes that have been taken, unpacked ones that have been given. */
  guint64             n_taken;
  guint64             n_given;
  guint32             crc;

  /* Stay for the next member. */
  gboolean            has_inflater;
  z_stream            inflater;
  guint8             *buffer;
} C2gZipStream;

/* Of a stream that is all zeros, or has been used for another member.  Keeps source and
 * member without a reference. */
gboolean      c2g_zip_stream_open   (C2gZipStream        *self,
                                     C2gSource           *source,
                                     const C2gZipMember  *member,
                                     GError             **error);
void          c2g_zip_stream_clear  (C2gZipStream        *self);
/* The next so many bytes. */
gboolean      c2g_zip_stream_read   (C2gZipStream        *self,
                                     gpointer             buffer,
                                     gsize                n_bytes,
                                     GError             **error);
/* That was all, and it is what had been packed. */
gboolean      c2g_zip_stream_finish (C2gZipStream        *self,
                                     GError             **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gZipStream, c2g_zip_stream_clear)

G_END_DECLS
