/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/content/c2g-blob-parts-private.h>

#include <c2g/io/serializer/c2g-serializer-private.h>
#include <c2g/io/stream/c2g-upload-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/* Collects the messages of one blob, a tensor in chunks for example, and makes an entry of them.
 * The readers of databases and single files use it. */

typedef struct
{
  C2gSource     *source;
  guint64        offset;
  C2gBlobRecord  record;
} Part;

struct _C2gBlobParts
{
  char   *name;
  /* Array of Part, in the order of the file until c2g_blob_parts_check_complete() sorts them. */
  GArray *parts;

  /* Number of elements of a tensor, or of chunks of other content: in the whole blob, and in the parts
   * so far. */
  gint64  n_wanted;
  gint64  n_seen;
};

static void
part_clear (gpointer data)
{
  Part *part = data;

  c2g_source_unref (part->source);
  c2g_blob_record_clear (&part->record);
}

C2gBlobParts *
c2g_blob_parts_new (const char *name)
{
  C2gBlobParts *self = g_new0 (C2gBlobParts, 1);

  self->name = g_strdup (name);
  self->parts = g_array_sized_new (FALSE, FALSE, sizeof (Part), 1);
  g_array_set_clear_func (self->parts, part_clear);
  return self;
}

void
c2g_blob_parts_free (C2gBlobParts *self)
{
  g_free (self->name);
  g_array_unref (self->parts);
  g_free (self);
}

const char *
c2g_blob_parts_get_name (C2gBlobParts *self)
{
  return self->name;
}

static Part *
get_part (C2gBlobParts *self,
          guint         i)
{
  return &g_array_index (self->parts, Part, i);
}

/* Returns TRUE for a blob of type Tensor, and not for other content that is stored in a
 * TensorProto. */
static gboolean
is_tensor (const C2gBlobRecord *record)
{
  return record->has_tensor && c2g_blob_record_is_tensor (record);
}

static gboolean
set_corrupt (GError     **error,
             const char  *message)
{
  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT, message);
  return FALSE;
}

static gboolean
check_record (const C2gBlobRecord  *record,
              GError              **error)
{
  if (record->type == NULL)
    return set_corrupt (error, _("The blob has no type"));
  if (c2g_blob_record_is_tensor (record) && !record->has_tensor)
    return set_corrupt (error, _("A blob of type “Tensor” without a tensor"));

  return TRUE;
}

/* Returns TRUE if the two can be parts of one blob. */
static gboolean
check_same (const C2gBlobRecord  *first,
            const C2gBlobRecord  *second,
            GError              **error)
{
  const C2gTensorRecord *a = &first->tensor;
  const C2gTensorRecord *b = &second->tensor;

  if (is_tensor (first) != is_tensor (second))
    return set_corrupt (error, _("The chunks differ in type"));
  if (!is_tensor (first))
    return (g_str_equal (first->type, second->type) && first->n_chunks == second->n_chunks) ||
           set_corrupt (error, _("The chunks differ in type or in their number"));

  return (a->data_type == b->data_type &&
          c2g_shape_equal (a->dims, a->n_dims, b->dims, b->n_dims)) ||
         set_corrupt (error, _("The chunks differ in type or dimensions"));
}

/* Checks that the part belongs to this blob, and counts its elements or chunks. */
static gboolean
count_part (C2gBlobParts         *self,
            const C2gBlobRecord  *record,
            GError              **error)
{
  gint64 n = is_tensor (record) ? record->tensor.end - record->tensor.begin : 1;

  if (!check_record (record, error))
    return FALSE;

  if (self->parts->len == 0)
    self->n_wanted = is_tensor (record) ? record->tensor.n_elements : record->n_chunks;
  else if (self->n_seen == self->n_wanted)
    return set_corrupt (error, _("A second blob, or a surplus chunk, of this name"));
  else if (!check_same (&get_part (self, 0)->record, record, error))
    return FALSE;

  if (n > self->n_wanted - self->n_seen)
    return set_corrupt (error, _("More chunks than the tensor has room for"));
  self->n_seen += n;
  return TRUE;
}

gboolean
c2g_blob_parts_add (C2gBlobParts   *self,
                    C2gSource      *source,
                    guint64         offset,
                    C2gBlobRecord  *record,
                    GError        **error)
{
  Part part = { c2g_source_ref (source), offset, *record };

  *record = (C2gBlobRecord) { 0 };
  if (!count_part (self, &part.record, error))
    {
      part_clear (&part);
      return FALSE;
    }

  g_array_append_val (self->parts, part);
  return TRUE;
}

static int
compare_parts (gconstpointer a,
               gconstpointer b)
{
  const C2gBlobRecord *first = &((const Part *) a)->record;
  const C2gBlobRecord *second = &((const Part *) b)->record;

  if (!is_tensor (first))
    return first->chunk < second->chunk ? -1 : first->chunk > second->chunk;
  if (first->tensor.begin != second->tensor.begin)
    return first->tensor.begin < second->tensor.begin ? -1 : 1;
  return first->tensor.end < second->tensor.end ? -1 : first->tensor.end > second->tensor.end;
}

/* Checks that no part is there twice. The total count is right already, so an overlap means a gap
 * elsewhere. */
static gboolean
check_overlap (C2gBlobParts  *self,
               GError       **error)
{
  gint64 end = 0;

  for (guint i = 0; i < self->parts->len; i++)
    {
      const C2gBlobRecord *record = &get_part (self, i)->record;
      gint64 begin = is_tensor (record) ? record->tensor.begin : record->chunk;

      if (begin != end)
        return c2g_fail (error, C2G_ERROR_CORRUPT,
                         is_tensor (record) ? _("The chunks overlap at element %" PRId64)
                                            : _ ("Chunk %" PRId64 " is there twice"),
                         MIN (begin, end));
      end = is_tensor (record) ? record->tensor.end : begin + 1;
    }

  return TRUE;
}

gboolean
c2g_blob_parts_check_complete (C2gBlobParts  *self,
                               GError       **error)
{
  gint64 n_missing = self->n_wanted - self->n_seen;

  if (n_missing > 0)
    return c2g_fail (error, C2G_ERROR_CORRUPT,
                     is_tensor (&get_part (self, 0)->record)
                                ? _("%" PRId64 " of %" PRId64 " elements are missing")
                         : _ ("%" PRId64 " of %" PRId64 " chunks are missing"),
                     n_missing,
                     self->n_wanted);

  if (self->parts->len > 1)
    g_array_sort (self->parts, compare_parts);
  return check_overlap (self, error);
}

/* Adds the offset of the part to the error. For the first part it is the offset of the entry,
 * which is reported anyway. */
static void
prefix_part (C2gFileEntry  *entry,
             const Part    *part,
             GError       **error)
{
  if (part->offset != entry->offset)
    g_prefix_error (error, _("Chunk at offset %" PRIu64 ": "), part->offset);
}

static C2gTensor *
load_tensor (C2gBlobParts  *self,
             C2gFileEntry  *entry,
             const C2gJob  *job,
             GError       **error)
{
  Part *first = get_part (self, 0);
  g_autoptr (C2gTensor) tensor = NULL;

  /* The file is a single chunk: the other elements are zero. */
  if (self->n_seen < self->n_wanted)
    return c2g_tensor_record_to_tensor (&first->record.tensor, first->source, job, error);

  tensor = c2g_tensor_record_new_tensor (&first->record.tensor, job, error);
  for (guint i = 0; tensor != NULL && i < self->parts->len; i++)
    {
      Part *part = get_part (self, i);

      if (!c2g_tensor_record_read (&part->record.tensor, part->source, tensor, job, error))
        {
          prefix_part (entry, part, error);
          return NULL;
        }
    }

  return tensor != NULL && c2g_upload_finish (tensor, error) ? g_steal_pointer (&tensor) : NULL;
}

/* Makes the tensor for elements of a registered type, if all of them are in the file: only then
 * is it safe to allocate the whole tensor. */
static gboolean
prepare_tensor (C2gBlobParts  *self,
                C2gBlob       *blob,
                GError       **error)
{
  const C2gBlobRecord *first = &get_part (self, 0)->record;
  g_autoptr (C2gTensor) tensor = NULL;

  if (!is_tensor (first) || self->n_seen < self->n_wanted)
    return TRUE;

  tensor = c2g_tensor_record_new_tensor (&first->tensor, NULL, error);
  if (tensor == NULL)
    return FALSE;
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  return TRUE;
}

/* Reads the parts with the serializer of the blob type. */
static C2gBlob *
load_other (C2gBlobParts  *self,
            C2gFileEntry  *entry,
            const C2gJob  *job,
            GError       **error)
{
  g_autoptr (C2gSerializer) serializer = NULL;
  g_autoptr (C2gBlob) blob = c2g_blob_new ();

  serializer = c2g_serializer_lookup_for_blob_type (entry->blob_type, error);
  if (serializer == NULL || !prepare_tensor (self, blob, error))
    return NULL;

  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = get_part (self, i);

      if (!c2g_serializer_read (serializer, blob, &part->record, part->source, job, error))
        {
          prefix_part (entry, part, error);
          return NULL;
        }
    }

  return g_steal_pointer (&blob);
}

static C2gBlob *
load (C2gFileEntry  *entry,
      const C2gJob  *job,
      GError       **error)
{
  C2gBlobParts *self = entry->data;
  const C2gBlobRecord *first = &get_part (self, 0)->record;
  g_autoptr (C2gTensor) tensor = NULL;
  C2gBlob *blob;

  /* Elements of a registered type are blobs inside the TensorProto, and need the serializer. */
  if (!is_tensor (first) || first->tensor.data_type == C2G_DATA_TYPE_UNDEFINED)
    return load_other (self, entry, job, error);

  tensor = load_tensor (self, entry, job, error);
  if (tensor == NULL)
    return NULL;
  blob = c2g_blob_new ();
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  return blob;
}

/* Estimates the memory of content that is no tensor from its size in the file. */
static void
measure (C2gBlobParts *self,
         C2gFileEntry *entry)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      const C2gBlobRecord *record = &get_part (self, i)->record;
      guint64 n_bytes = 0;

      if (record->has_tensor)
        n_bytes += record->tensor.n_value_bytes;
      if (record->has_content)
        n_bytes += record->n_content_bytes;
      if (record->has_qtensor)
        n_bytes += record->n_qtensor_bytes;
      entry->n_job_bytes += n_bytes;
    }

  entry->n_bytes = entry->n_job_bytes;
}

static gboolean
describe_tensor (C2gBlobParts           *self,
                 const C2gTensorRecord  *record,
                 C2gFileEntry           *entry,
                 GError                **error)
{
  if (!c2g_file_entry_set_tensor (entry, record->data_type, record->dims, record->n_dims, error))
    return FALSE;

  if (self->n_seen < self->n_wanted)
    {
      entry->begin = record->begin;
      entry->end = record->end;
    }
  entry->has_device = record->has_device;
  entry->device_type = record->device_type;
  entry->device_index = record->device_index;

  entry->n_job_bytes = 0;
  for (guint i = 0; i < self->parts->len; i++)
    entry->n_job_bytes += get_part (self, i)->record.tensor.n_value_bytes;
  return TRUE;
}

static guint64
first_offset (C2gBlobParts *self)
{
  guint64 offset = get_part (self, 0)->offset;

  for (guint i = 1; i < self->parts->len; i++)
    offset = MIN (offset, get_part (self, i)->offset);
  return offset;
}

C2gFileEntry *
c2g_blob_parts_to_entry (C2gBlobParts  *self,
                         GError       **error)
{
  const C2gBlobRecord *first = &get_part (self, 0)->record;
  const char *type = is_tensor (first) ? C2G_BLOB_TYPE_TENSOR : first->type;
  g_autoptr (C2gFileEntry) entry = c2g_file_entry_new (self->name, type, first_offset (self));

  entry->load = load;
  entry->data = self;
  entry->destroy_data = (GDestroyNotify) c2g_blob_parts_free;

  if (!is_tensor (first))
    measure (self, entry);
  else if (!describe_tensor (self, &first->tensor, entry, error))
    {
      g_prefix_error (error, _("Blob “%s”: "), self->name);
      return NULL;
    }
  return g_steal_pointer (&entry);
}
