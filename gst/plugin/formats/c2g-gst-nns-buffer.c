/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-nns-buffer.h"

#include "support/c2g-gst-append.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* Reads and writes buffers of NNStreamer. A buffer has at most 16 memories. If there are more
 * tensors, the last memory holds several, behind a table with their shapes. The table is
 * NNStreamer's own structure in the byte order of the machine. */
#define N_MEMORIES  C2G_GST_NNS_MAX_MEMORIES
#define TABLE_MAGIC 0xf00dc0de

typedef struct
{
  guint32 magic;
  guint32 version;
  /* Number of tensors behind the first one in this memory. */
  guint32 n_tensors;
  guint64 n_bytes_of_first;
  struct
  {
    gpointer name;
    guint32  type;
    guint32  dims[C2G_GST_NNS_MAX_DIMS];
  } tensors[C2G_GST_NNS_MAX_TENSORS - N_MEMORIES];
} Table;

/* The header of a tensor in a flexible stream: 32-bit numbers in the byte order of the machine; the
 * last ones are unused. */
#define HEADER_MAGIC   0xfeedcced
#define HEADER_VERSION 0xde001000
#define FLEXIBLE       1
#define MEDIA_TENSOR   4

typedef struct
{
  guint32 magic;
  guint32 version;
  guint32 type;
  guint32 dims[C2G_GST_NNS_MAX_DIMS];
  guint32 format;
  guint32 media_type;
  guint32 unused[11];
} Header;

G_STATIC_ASSERT (sizeof (Header) == 128);

static const C2gGstNnsShape *
get_shape (GArray *shapes,
           guint   i)
{
  return &g_array_index (shapes, C2gGstNnsShape, i);
}

/* Reading */

/* Returns the size of all tensors before this one, or G_MAXSIZE if it overflows. */
static gsize
count_bytes (GArray *shapes,
             guint   end)
{
  gsize n = 0;

  for (guint i = 0; i < end; i++)
    if (!g_size_checked_add (&n, n, c2g_gst_nns_shape_n_bytes (get_shape (shapes, i))))
      return G_MAXSIZE;

  return n;
}

/* Checks only the head of the table, because the shapes are known from the caps. */
static gboolean
has_table (GstBuffer *buffer,
           GArray    *shapes,
           gsize      offset)
{
  Table head;
  const gsize n_bytes = G_STRUCT_OFFSET (Table, tensors);

  return gst_buffer_extract (buffer, offset, &head, n_bytes) == n_bytes && head.magic == TABLE_MAGIC &&
         head.n_tensors == shapes->len - N_MEMORIES &&
         head.n_bytes_of_first == c2g_gst_nns_shape_n_bytes (get_shape (shapes, N_MEMORIES - 1));
}

/* The region of the buffer holds the buffer, so that no pool reuses its memory. */
static gboolean
lay_tensor (GstBuffer             *input,
            gsize                  offset,
            const C2gGstNnsShape  *shape,
            GstBuffer             *output,
            const char            *name,
            GError               **error)
{
  const gsize n_bytes = c2g_gst_nns_shape_n_bytes (shape);
  g_autoptr (GstBuffer) part = gst_buffer_copy_region (input, GST_BUFFER_COPY_MEMORY, offset, n_bytes);
  g_autoptr (C2gTensor) tensor = NULL;

  if (part == NULL)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NO_MEMORY, _("There is no memory for the tensors of NNStreamer"));
      return FALSE;
    }
  gst_buffer_add_parent_buffer_meta (part, input);
  tensor = c2g_gst_tensor_new_from_buffer (part, shape->data_type, shape->dims, shape->n_dims, error);

  return tensor != NULL && c2g_gst_append_tensor (output, name, tensor, NULL, error);
}

/* Returns the given name; if there are fewer names, “tensor” with the index. */
static char *
make_name (const char *const *names,
           guint              i,
           guint              n)
{
  if (names != NULL && i < g_strv_length ((char **) names))
    return g_strdup (names[i]);

  return n == 1 ? g_strdup (C2G_GST_LONE_NAME) : g_strdup_printf (C2G_GST_LONE_NAME "%u", i);
}

/* Minor versions and the media type do not matter. Sparse tensors, which have another format, are
 * refused. */
static gboolean
read_header (GstBuffer      *buffer,
             gsize           offset,
             C2gGstNnsShape *shape)
{
  Header header;

  return gst_buffer_extract (buffer, offset, &header, sizeof header) == sizeof header &&
         header.magic == HEADER_MAGIC && (header.version & 0xfffff000) == HEADER_VERSION &&
         header.format <= FLEXIBLE && c2g_gst_nns_shape_set (shape, header.type, header.dims);
}

GArray *
c2g_gst_nns_read_headers (GstBuffer  *buffer,
                          GError    **error)
{
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (C2gGstNnsShape));
  const gsize n_bytes = gst_buffer_get_size (buffer);
  gsize offset = 0;

  do
    {
      C2gGstNnsShape shape;

      if (shapes->len == C2G_GST_NNS_MAX_TENSORS || !read_header (buffer, offset, &shape) ||
          c2g_gst_nns_shape_n_bytes (&shape) > n_bytes - offset - sizeof (Header))
        {
          g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                       _("There is no header of NNStreamer at byte %zu of a buffer of %zu bytes, or a wrong one"),
                       offset, n_bytes);
          return NULL;
        }
      g_array_append_val (shapes, shape);
      offset += sizeof (Header) + c2g_gst_nns_shape_n_bytes (&shape);
    }
  while (offset < n_bytes);

  return g_steal_pointer (&shapes);
}

/* Checks the size of the buffer against the caps, and returns the size of the table. */
static gboolean
check_size (GstBuffer  *buffer,
            GArray     *shapes,
            gsize      *n_table,
            GError    **error)
{
  const gsize n_bytes = gst_buffer_get_size (buffer);
  gsize n_expected;

  *n_table = shapes->len > N_MEMORIES && has_table (buffer, shapes, count_bytes (shapes, N_MEMORIES - 1))
               ? sizeof (Table)
               : 0;
  if (g_size_checked_add (&n_expected, count_bytes (shapes, shapes->len), *n_table) && n_expected == n_bytes)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
               _("A buffer of %zu bytes does not have the tensors that its caps describe"), n_bytes);
  return FALSE;
}

GstBuffer *
c2g_gst_nns_read (GstBuffer          *buffer,
                  GArray             *shapes,
                  gboolean            is_flexible,
                  const char *const  *names,
                  GError            **error)
{
  g_autoptr (GstBuffer) output = gst_buffer_new ();
  gsize n_table = 0;
  gsize offset = 0;

  if (!is_flexible && !check_size (buffer, shapes, &n_table, error))
    return NULL;

  for (guint i = 0; i < shapes->len; i++)
    {
      const C2gGstNnsShape *shape = get_shape (shapes, i);
      g_autofree char *name = make_name (names, i, shapes->len);

      if (is_flexible)
        offset += sizeof (Header);
      else if (i == N_MEMORIES - 1)
        offset += n_table;
      if (!lay_tensor (buffer, offset, shape, output, name, error))
        return NULL;
      offset += c2g_gst_nns_shape_n_bytes (shape);
    }

  return g_steal_pointer (&output);
}

/* Writing */

static void
fill_table (Table  *table,
            GArray *shapes)
{
  table->magic = TABLE_MAGIC;
  table->n_tensors = shapes->len - N_MEMORIES;
  table->n_bytes_of_first = c2g_gst_nns_shape_n_bytes (get_shape (shapes, N_MEMORIES - 1));
  for (guint i = 0; i < table->n_tensors; i++)
    {
      const C2gGstNnsShape *shape = get_shape (shapes, N_MEMORIES + i);

      table->tensors[i].type = c2g_gst_nns_shape_type (shape);
      c2g_gst_nns_shape_get_dims (shape, table->tensors[i].dims);
    }
}

/* Appends one memory with the head and the bytes of other buffers. */
static gboolean
append_joined (GstBuffer     **buffer,
               gconstpointer   head,
               gsize           n_head,
               GPtrArray      *parts,
               GError        **error)
{
  GstBuffer *joined = NULL;
  gsize n_bytes = n_head;
  gsize offset = n_head;
  gboolean fits = TRUE;
  GstMapInfo map;

  for (guint i = 0; i < parts->len; i++)
    fits = fits && g_size_checked_add (&n_bytes, n_bytes, gst_buffer_get_size (parts->pdata[i]));
  if (fits)
    joined = gst_buffer_new_allocate (NULL, n_bytes, NULL);
  if (joined == NULL || !gst_buffer_map (joined, &map, GST_MAP_WRITE))
    {
      gst_clear_buffer (&joined);
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                           _("There is no memory for the tensors of NNStreamer"));
      return FALSE;
    }
  memcpy (map.data, head, n_head);
  for (guint i = 0; i < parts->len; i++)
    offset += gst_buffer_extract (parts->pdata[i], 0, map.data + offset, n_bytes - offset);
  gst_buffer_unmap (joined, &map);
  *buffer = gst_buffer_append (*buffer, joined);

  return TRUE;
}

static gboolean
add_part (GPtrArray  *parts,
          C2gTensor  *tensor,
          GError    **error)
{
  GstBuffer *bytes = c2g_gst_buffer_new_from_tensor (tensor, error);

  if (bytes != NULL)
    g_ptr_array_add (parts, bytes);

  return bytes != NULL;
}

/* Appends one memory with the table and all tensors from FIRST on. */
static gboolean
append_last (GstBuffer  **buffer,
             GPtrArray   *tensors,
             guint        first,
             GArray      *shapes,
             GError     **error)
{
  g_autofree Table *table = g_new0 (Table, 1);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);

  fill_table (table, shapes);
  for (guint i = first; i < tensors->len; i++)
    if (!add_part (parts, tensors->pdata[i], error))
      return FALSE;

  return append_joined (buffer, table, sizeof *table, parts, error);
}

/* Appends one memory with the header and the tensor. */
static gboolean
append_with_header (GstBuffer            **buffer,
                    C2gTensor             *tensor,
                    const C2gGstNnsShape  *shape,
                    GError               **error)
{
  Header header = { HEADER_MAGIC, HEADER_VERSION, c2g_gst_nns_shape_type (shape), { 0 }, FLEXIBLE, MEDIA_TENSOR, { 0 } };
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);

  c2g_gst_nns_shape_get_dims (shape, header.dims);

  return add_part (parts, tensor, error) && append_joined (buffer, &header, sizeof header, parts, error);
}

GstBuffer *
c2g_gst_nns_write_flexible (GPtrArray  *tensors,
                            GArray     *shapes,
                            GError    **error)
{
  g_autoptr (GstBuffer) output = gst_buffer_new ();

  for (guint i = 0; i < tensors->len; i++)
    if (!append_with_header (&output, tensors->pdata[i], get_shape (shapes, i), error))
      return NULL;

  return g_steal_pointer (&output);
}

GstBuffer *
c2g_gst_nns_write_static (GPtrArray  *tensors,
                          GArray     *shapes,
                          GError    **error)
{
  const guint n_alone = tensors->len > N_MEMORIES ? N_MEMORIES - 1 : tensors->len;
  g_autoptr (GstBuffer) output = gst_buffer_new ();

  for (guint i = 0; i < n_alone; i++)
    {
      GstBuffer *bytes = c2g_gst_buffer_new_from_tensor (tensors->pdata[i], error);

      if (bytes == NULL)
        return NULL;
      output = gst_buffer_append (output, bytes);
    }
  if (n_alone < tensors->len && !append_last (&output, tensors, n_alone, shapes, error))
    return NULL;

  return g_steal_pointer (&output);
}
