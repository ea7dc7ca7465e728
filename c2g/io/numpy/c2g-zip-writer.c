/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/numpy/c2g-zip-writer-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/numpy/c2g-zip-private.h>
#include <c2g/io/stream/c2g-sink-funcs-private.h>

#include <string.h>
#include <zlib.h>

/* Writes ZIP archives.
 *
 * The local header before a member contains its checksum. For a stored member a first pass
 * computes it, which costs little compared to writing. For a compressed member not even the size
 * is known, so a data descriptor follows it. */

/* Alignment of stored members, for use in a mapped file. */
#define ALIGNMENT 64

/* Versions of the format that a reader must know: 2.0 has deflate, 4.5 has ZIP64. */
#define VERSION       20
#define VERSION_ZIP64 45
#define UNIX          3

/* The first valid date (1980-01-01): the file depends on its content only. */
#define DATE (1 << 5 | 1)

/* The size of the buffer for compressed bytes. */
#define BUFFER_SIZE (64u << 10)

/* A regular file with mode 0644. */
#define MODE 0100644u

typedef struct
{
  char    *name;
  guint16  n_name_bytes;
  guint16  flags;
  guint16  method;
  guint32  crc;
  guint64  n_packed;
  guint64  n_bytes;
  guint64  offset;
  /* TRUE if the sizes may need ZIP64 records. */
  gboolean is_large;
} Member;

struct _C2gZipWriter
{
  C2gSink *sink;
  guint64  start;
  GArray  *members;
};

/* A sink for the content of a member: counts bytes, computes the checksum and, if wanted,
 * compresses. */
typedef struct
{
  C2gSink   parent;

  /* NULL to count only. */
  C2gSink  *target;
  guint32   crc;
  guint64   n_bytes;
  guint64   n_packed;

  gboolean  is_deflating;
  z_stream  deflater;
  guint8   *buffer;
} ZipSink;

static gboolean
forward (ZipSink        *self,
         gconstpointer   data,
         gsize           n_bytes,
         GError        **error)
{
  self->n_packed += n_bytes;
  return self->target == NULL || c2g_sink_write (self->target, data, n_bytes, NULL, error);
}

/* The deflater has more output as long as it fills the whole buffer. */
static gboolean
deflate_input (ZipSink  *self,
               int       flush,
               GError  **error)
{
  do
    {
      self->deflater.next_out = self->buffer;
      self->deflater.avail_out = BUFFER_SIZE;
      if (deflate (&self->deflater, flush) == Z_STREAM_ERROR)
        return c2g_fail (error, C2G_ERROR_FAILED, _("It cannot be compressed"));
      if (!forward (self, self->buffer, BUFFER_SIZE - self->deflater.avail_out, error))
        return FALSE;
    }
  while (self->deflater.avail_out == 0);

  return TRUE;
}

static gboolean
zip_sink_write (C2gSink        *sink,
                gconstpointer   data,
                gsize           n_bytes,
                GError        **error)
{
  ZipSink *self = (ZipSink *) sink;
  const guint8 *bytes = data;

  self->crc = crc32_z (self->crc, bytes, n_bytes);
  self->n_bytes += n_bytes;
  if (!self->is_deflating)
    return forward (self, bytes, n_bytes, error);

  while (n_bytes > 0)
    {
      gsize n = MIN (n_bytes, G_MAXINT);

      self->deflater.next_in = (Bytef *) bytes;
      self->deflater.avail_in = n;
      if (!deflate_input (self, Z_NO_FLUSH, error))
        return FALSE;
      bytes += n;
      n_bytes -= n;
    }

  return TRUE;
}

static const C2gSinkFuncs zip_sink_funcs = {
  .write = zip_sink_write,
};

static gboolean
zip_sink_init (ZipSink   *self,
               C2gSink   *target,
               gboolean   compress,
               GError   **error)
{
  *self = (ZipSink) { .target = target, .crc = crc32_z (0, NULL, 0) };
  c2g_sink_init (&self->parent, &zip_sink_funcs, FALSE);
  if (!compress)
    return TRUE;

  /* Negative window bits mean raw deflate without a zlib header. The other values are zlib's
   * defaults. */
  self->is_deflating = deflateInit2 (&self->deflater, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                     -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  if (!self->is_deflating)
    return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("No memory to compress"));

  self->buffer = g_malloc (BUFFER_SIZE);
  return TRUE;
}

static void
zip_sink_clear (ZipSink *self)
{
  if (self->is_deflating)
    deflateEnd (&self->deflater);
  self->is_deflating = FALSE;
  g_clear_pointer (&self->buffer, g_free);
}

/* Writes the rest of the compressed bytes. */
static gboolean
zip_sink_finish (ZipSink  *self,
                 GError  **error)
{
  return !self->is_deflating || deflate_input (self, Z_FINISH, error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ZipSink, zip_sink_clear)

static void
clear_member (gpointer data)
{
  Member *self = data;

  g_free (self->name);
}

C2gZipWriter *
c2g_zip_writer_new (C2gSink *sink)
{
  C2gZipWriter *self = g_new0 (C2gZipWriter, 1);

  self->sink = sink;
  self->start = c2g_sink_get_position (sink);
  self->members = g_array_new (FALSE, FALSE, sizeof (Member));
  g_array_set_clear_func (self->members, clear_member);
  return self;
}

void
c2g_zip_writer_free (C2gZipWriter *self)
{
  g_array_unref (self->members);
  g_free (self);
}

static guint64
position (C2gZipWriter *self)
{
  return c2g_sink_get_position (self->sink) - self->start;
}

static gboolean
put_record (C2gZipWriter  *self,
            GByteArray    *record,
            GError       **error)
{
  return c2g_sink_write (self->sink, record->data, record->len, NULL, error);
}

/* Pads the local header with an extra field that readers skip. */
static void
put_alignment (GByteArray *extra,
               guint64     offset)
{
  static const guint8 zeros[ALIGNMENT];
  guint n_beyond = offset % ALIGNMENT;
  guint n_field;

  if (n_beyond == 0)
    return;

  n_field = ALIGNMENT - n_beyond;
  if (n_field < 6)
    n_field += ALIGNMENT;
  c2g_zip_put (extra, 2, C2G_ZIP_EXTRA_ALIGN);
  c2g_zip_put (extra, 2, n_field - 4);
  c2g_zip_put (extra, 2, ALIGNMENT);
  g_byte_array_append (extra, zeros, n_field - 6);
}

static gboolean
put_local_header (C2gZipWriter  *self,
                  const Member  *member,
                  GError       **error)
{
  g_autoptr (GByteArray) record = g_byte_array_new ();
  g_autoptr (GByteArray) extra = g_byte_array_new ();
  guint64 n_bytes = (member->flags & C2G_ZIP_FLAG_DESCRIPTOR) != 0 ? 0 : member->n_bytes;

  if (member->is_large)
    {
      c2g_zip_put (extra, 2, C2G_ZIP_EXTRA_ZIP64);
      c2g_zip_put (extra, 2, 16);
      c2g_zip_put (extra, 8, n_bytes);
      c2g_zip_put (extra, 8, member->n_packed);
    }
  if (member->method == C2G_ZIP_STORED)
    put_alignment (extra, member->offset + C2G_ZIP_LOCAL_BYTES + member->n_name_bytes + extra->len);

  c2g_zip_put (record, 4, C2G_ZIP_LOCAL_MARK);
  c2g_zip_put (record, 2, member->is_large ? VERSION_ZIP64 : VERSION);
  c2g_zip_put (record, 2, member->flags);
  c2g_zip_put (record, 2, member->method);
  c2g_zip_put (record, 2, 0);
  c2g_zip_put (record, 2, DATE);
  c2g_zip_put (record, 4, member->crc);
  c2g_zip_put (record, 4, member->is_large ? G_MAXUINT32 : member->n_packed);
  c2g_zip_put (record, 4, member->is_large ? G_MAXUINT32 : n_bytes);
  c2g_zip_put (record, 2, member->n_name_bytes);
  c2g_zip_put (record, 2, extra->len);
  g_byte_array_append (record, (const guint8 *) member->name, member->n_name_bytes);
  g_byte_array_append (record, extra->data, extra->len);
  return put_record (self, record, error);
}

/* Writes the data descriptor: checksum and sizes behind the member. */
static gboolean
put_descriptor (C2gZipWriter  *self,
                const Member  *member,
                GError       **error)
{
  g_autoptr (GByteArray) record = g_byte_array_new ();
  guint n = member->is_large ? 8 : 4;

  c2g_zip_put (record, 4, C2G_ZIP_DESCRIPTOR_MARK);
  c2g_zip_put (record, 4, member->crc);
  c2g_zip_put (record, n, member->n_packed);
  c2g_zip_put (record, n, member->n_bytes);
  return put_record (self, record, error);
}

static gboolean
set_changed (GError **error)
{
  return c2g_fail (error, C2G_ERROR_FAILED, _("It has been changed while it was written"));
}

static gboolean
add_stored (C2gZipWriter    *self,
            Member          *member,
            C2gZipFillFunc   fill,
            gpointer         data,
            const C2gJob    *job,
            GError         **error)
{
  C2gJob silent = { .cancellable = job != NULL ? job->cancellable : NULL };
  g_auto (ZipSink) counter = { 0 };
  g_auto (ZipSink) sink = { 0 };

  if (!zip_sink_init (&counter, NULL, FALSE, error) ||
      !fill (data, &counter.parent, &silent, error))
    return FALSE;
  if (counter.n_bytes != member->n_bytes)
    return set_changed (error);

  member->crc = counter.crc;
  member->n_packed = member->n_bytes;
  if (!put_local_header (self, member, error) ||
      !zip_sink_init (&sink, self->sink, FALSE, error) ||
      !fill (data, &sink.parent, job, error))
    return FALSE;
  return (sink.n_bytes == member->n_bytes && sink.crc == member->crc) || set_changed (error);
}

static gboolean
add_deflated (C2gZipWriter    *self,
              Member          *member,
              C2gZipFillFunc   fill,
              gpointer         data,
              const C2gJob    *job,
              GError         **error)
{
  g_auto (ZipSink) sink = { 0 };

  if (!put_local_header (self, member, error) ||
      !zip_sink_init (&sink, self->sink, TRUE, error) ||
      !fill (data, &sink.parent, job, error) ||
      !zip_sink_finish (&sink, error))
    return FALSE;
  if (sink.n_bytes != member->n_bytes)
    return set_changed (error);

  member->crc = sink.crc;
  member->n_packed = sink.n_packed;
  return put_descriptor (self, member, error);
}

/* Upper bound for the size of incompressible data after deflate. */
static guint64
bound (guint64 n_bytes)
{
  return n_bytes + (n_bytes >> 10) + 64;
}

static gboolean
is_ascii (const char *text)
{
  while (*text != '\0' && (guchar) *text < 0x80)
    text++;
  return *text == '\0';
}

gboolean
c2g_zip_writer_add (C2gZipWriter    *self,
                    const char      *name,
                    guint64          n_bytes,
                    gboolean         compress,
                    C2gZipFillFunc   fill,
                    gpointer         data,
                    const C2gJob    *job,
                    GError         **error)
{
  Member member = {
    .name = g_strdup (name),
    .n_name_bytes = strlen (name),
    .flags = (compress ? C2G_ZIP_FLAG_DESCRIPTOR : 0) | (is_ascii (name) ? 0 : C2G_ZIP_FLAG_UTF8),
    .method = compress ? C2G_ZIP_DEFLATED : C2G_ZIP_STORED,
    .n_bytes = n_bytes,
    .offset = position (self),
    .is_large = (compress ? bound (n_bytes) : n_bytes) >= G_MAXUINT32,
  };

  if (!(compress ? add_deflated (self, &member, fill, data, job, error)
                 : add_stored (self, &member, fill, data, job, error)))
    {
      clear_member (&member);
      return FALSE;
    }

  g_array_append_val (self->members, member);
  return TRUE;
}

/* Adds a 64-bit number to the ZIP64 field if it does not fit into 32 bits. */
static void
put_large (GByteArray *field,
           guint64     value)
{
  if (value >= G_MAXUINT32)
    c2g_zip_put (field, 8, value);
}

static gboolean
put_central_header (C2gZipWriter  *self,
                    const Member  *member,
                    GError       **error)
{
  g_autoptr (GByteArray) record = g_byte_array_new ();
  g_autoptr (GByteArray) field = g_byte_array_new ();

  put_large (field, member->n_bytes);
  put_large (field, member->n_packed);
  put_large (field, member->offset);

  c2g_zip_put (record, 4, C2G_ZIP_CENTRAL_MARK);
  c2g_zip_put (record, 1, VERSION_ZIP64);
  c2g_zip_put (record, 1, UNIX);
  c2g_zip_put (record, 2, member->is_large || field->len > 0 ? VERSION_ZIP64 : VERSION);
  c2g_zip_put (record, 2, member->flags);
  c2g_zip_put (record, 2, member->method);
  c2g_zip_put (record, 2, 0);
  c2g_zip_put (record, 2, DATE);
  c2g_zip_put (record, 4, member->crc);
  c2g_zip_put (record, 4, MIN (member->n_packed, G_MAXUINT32));
  c2g_zip_put (record, 4, MIN (member->n_bytes, G_MAXUINT32));
  c2g_zip_put (record, 2, member->n_name_bytes);
  c2g_zip_put (record, 2, field->len > 0 ? 4 + field->len : 0);
  c2g_zip_put (record, 2, 0);
  c2g_zip_put (record, 2, 0);
  c2g_zip_put (record, 2, 0);
  c2g_zip_put (record, 4, MODE << 16);
  c2g_zip_put (record, 4, MIN (member->offset, G_MAXUINT32));
  g_byte_array_append (record, (const guint8 *) member->name, member->n_name_bytes);
  if (field->len > 0)
    {
      c2g_zip_put (record, 2, C2G_ZIP_EXTRA_ZIP64);
      c2g_zip_put (record, 2, field->len);
      g_byte_array_append (record, field->data, field->len);
    }
  return put_record (self, record, error);
}

/* Writes the ZIP64 end record and its locator. */
static void
put_large_end (GByteArray *record,
               guint64     n_members,
               guint64     offset,
               guint64     end)
{
  c2g_zip_put (record, 4, C2G_ZIP_END64_MARK);
  c2g_zip_put (record, 8, C2G_ZIP_END64_BYTES - 12);
  c2g_zip_put (record, 1, VERSION_ZIP64);
  c2g_zip_put (record, 1, UNIX);
  c2g_zip_put (record, 2, VERSION_ZIP64);
  c2g_zip_put (record, 4, 0);
  c2g_zip_put (record, 4, 0);
  c2g_zip_put (record, 8, n_members);
  c2g_zip_put (record, 8, n_members);
  c2g_zip_put (record, 8, end - offset);
  c2g_zip_put (record, 8, offset);

  c2g_zip_put (record, 4, C2G_ZIP_LOCATOR_MARK);
  c2g_zip_put (record, 4, 0);
  c2g_zip_put (record, 8, end);
  c2g_zip_put (record, 4, 1);
}

gboolean
c2g_zip_writer_finish (C2gZipWriter  *self,
                       GError       **error)
{
  g_autoptr (GByteArray) record = g_byte_array_new ();
  guint n_members = self->members->len;
  guint64 offset = position (self);
  guint64 end;

  for (guint i = 0; i < n_members; i++)
    if (!put_central_header (self, &g_array_index (self->members, Member, i), error))
      return FALSE;

  end = position (self);
  if (n_members >= G_MAXUINT16 || offset >= G_MAXUINT32 || end - offset >= G_MAXUINT32)
    put_large_end (record, n_members, offset, end);
  c2g_zip_put (record, 4, C2G_ZIP_END_MARK);
  c2g_zip_put (record, 2, 0);
  c2g_zip_put (record, 2, 0);
  c2g_zip_put (record, 2, MIN (n_members, G_MAXUINT16));
  c2g_zip_put (record, 2, MIN (n_members, G_MAXUINT16));
  c2g_zip_put (record, 4, MIN (end - offset, G_MAXUINT32));
  c2g_zip_put (record, 4, MIN (offset, G_MAXUINT32));
  c2g_zip_put (record, 2, 0);
  return put_record (self, record, error);
}
