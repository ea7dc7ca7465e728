/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/files/c2g-caffe-blob-proto.h>

#include <c2g/caffe/files/c2g-caffe.pb-c.h>
#include <c2g/caffe/memory/c2g-caffe-blob-private.h>
#include <c2g/caffe/memory/c2g-caffe-type.h>
#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>
#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/io/wire/c2g-dims-scan-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

/* Converts blobs to and from messages of type BlobProto. NVCaffe writes raw_data and raw_diff, the
 * bytes of the blob's own type. Caffe has only floats and doubles: data and diff, double_data and
 * double_diff. Old files give the shape as num, channels, height and width. */

#define N_LEGACY_DIMS 4

/* An array of numbers in a message; empty if the field is missing. */
typedef struct
{
  C2gDataType   data_type;
  gconstpointer numbers;
  gsize         n_bytes;
} Numbers;

/* The fields of one part, data or diff. */
typedef struct
{
  const char           *name;
  gboolean              has_raw;
  ProtobufCBinaryData   raw;
  gboolean              has_raw_type;
  Caffe__Type           raw_type;
  gsize                 n_doubles;
  const double         *doubles;
  gsize                 n_floats;
  const float          *floats;
} Fields;

/* State of reading: the message, its shape, and a tensor for each part that the message has. */
typedef struct
{
  Caffe__BlobProto *message;
  gint64           *dims;
  gsize             n_dims;
  gint64            n_elements;
  C2gTensor        *tensors[C2G_CAFFE_N_PARTS];
  /* For a part that stays larger than the message: a tensor over its first elements. Otherwise
   * NULL. */
  C2gMixedTensor   *firsts[C2G_CAFFE_N_PARTS];
} Reading;

G_DEFINE_FLAGS_TYPE (C2gCaffeProtoFlags, c2g_caffe_proto_flags,
                     G_DEFINE_ENUM_VALUE (C2G_CAFFE_PROTO_NONE, "none"),
                     G_DEFINE_ENUM_VALUE (C2G_CAFFE_PROTO_DIFF, "diff"),
                     G_DEFINE_ENUM_VALUE (C2G_CAFFE_PROTO_BVLC, "bvlc"))

static void
reading_clear (Reading *self)
{
  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    {
      g_clear_object (&self->tensors[i]);
      g_clear_object (&self->firsts[i]);
    }
  g_free (self->dims);
  c2g_wire_free (self->message);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static gboolean
is_legacy (const Caffe__BlobProto *message)
{
  return message->has_num || message->has_channels || message->has_height || message->has_width;
}

/* Copies the shape, because signal handlers may reshape the blob while it is read. */
static void
set_dims (Reading      *self,
          const gint64 *dims,
          gsize         n_dims)
{
  g_free (self->dims);
  self->dims = c2g_mixed_dup_dims (dims, n_dims);
  self->n_dims = n_dims;
}

/* As in Caffe, the old dimensions take precedence over the shape. */
static void
find_dims (Reading *self)
{
  const Caffe__BlobProto *message = self->message;
  const gint64 legacy_dims[N_LEGACY_DIMS] = {
    message->num, message->channels, message->height, message->width
  };

  if (is_legacy (message))
    set_dims (self, legacy_dims, N_LEGACY_DIMS);
  else if (message->shape != NULL)
    set_dims (self, message->shape->dim, message->shape->n_dim);
}

static gboolean
read_message (Reading  *self,
              GBytes   *proto,
              GError  **error)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (proto, &n_bytes);

  self->message = (Caffe__BlobProto *) c2g_wire_parse (&caffe__blob_proto__descriptor, data, n_bytes, 0, error);
  if (self->message == NULL)
    {
      g_prefix_error (error, _("Expected a BlobProto of Caffe: "));
      return FALSE;
    }

  find_dims (self);
  return c2g_dims_check (self->n_dims, error) &&
         c2g_shape_count (self->dims, self->n_dims, &self->n_elements, error);
}

static Fields
get_fields (const Caffe__BlobProto *message,
            C2gCaffePartIndex       index)
{
  const Fields data = {
    "data", message->has_raw_data, message->raw_data, message->has_raw_data_type, message->raw_data_type,
    message->n_double_data, message->double_data, message->n_data, message->data
  };
  const Fields diff = {
    "diff", message->has_raw_diff, message->raw_diff, message->has_raw_diff_type, message->raw_diff_type,
    message->n_double_diff, message->double_diff, message->n_diff, message->diff
  };

  return index == C2G_CAFFE_DATA ? data : diff;
}

static gboolean
fail_corrupt (const char  *name,
              const char  *what,
              GError     **error)
{
  return c2g_fail (error, C2G_ERROR_CORRUPT, _("The %s of the blob: %s"), name, what);
}

/* The bytes are little-endian, because Caffe runs only on such machines; c2g does not swap them. */
static gboolean
check_byte_order (GError **error)
{
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("NVCaffe’s form is for little-endian machines; Caffe’s own form is for all"));
}

/* Finds the type of the raw bytes. The field has the default DOUBLE, so a missing type says nothing
 * about the bytes and is an error. */
static gboolean
find_raw_type (const Fields  *fields,
               C2gDataType   *data_type,
               GError       **error)
{
  if (!check_byte_order (error))
    return FALSE;
  if (!fields->has_raw_type)
    return fail_corrupt (fields->name, _("bytes without a type"), error);

  *data_type = c2g_data_type_from_caffe ((int) fields->raw_type, NULL);
  return *data_type != C2G_DATA_TYPE_UNDEFINED ||
         fail_corrupt (fields->name, _("a type that NVCaffe does not have"), error);
}

static gboolean
find_numbers (const Fields  *fields,
              Numbers       *numbers,
              GError       **error)
{
  if (fields->has_raw)
    {
      *numbers = (Numbers) { C2G_DATA_TYPE_UNDEFINED, fields->raw.data, fields->raw.len };
      return find_raw_type (fields, &numbers->data_type, error);
    }

  *numbers = fields->n_doubles > 0
               ? (Numbers) { C2G_DATA_TYPE_DOUBLE, fields->doubles, fields->n_doubles * sizeof (double) }
               : (Numbers) { C2G_DATA_TYPE_FLOAT, fields->floats, fields->n_floats * sizeof (float) };
  return TRUE;
}

static gboolean
check_count (const Reading  *self,
             const Fields   *fields,
             const Numbers  *numbers,
             GError        **error)
{
  g_autofree char *shape = NULL;
  gsize n_bytes;

  if (!c2g_shape_bytes (self->n_elements, c2g_data_type_get_item_size (numbers->data_type), &n_bytes, error))
    return FALSE;
  if (n_bytes == numbers->n_bytes)
    return TRUE;

  shape = c2g_shape_to_string (self->dims, self->n_dims);
  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("The %s of a blob of shape %s and type “%s” should have %zu bytes, they have %zu"),
                   fields->name, shape, c2g_data_type_get_name (numbers->data_type), n_bytes,
                   numbers->n_bytes);
}

/* Copies the numbers. For booleans every byte other than 0 is true, so these are converted. */
static void
put_numbers (C2gTensor     *tensor,
             const Numbers *numbers)
{
  gpointer target = c2g_tensor_address (tensor);

  if (numbers->n_bytes == 0)
    return;
  if (numbers->data_type == C2G_DATA_TYPE_BOOL)
    c2g_convert_items (C2G_DATA_TYPE_BOOL, target, C2G_DATA_TYPE_UINT8, numbers->numbers,
                       numbers->n_bytes, C2G_CONVERT_SATURATE, NULL);
  else
    memcpy (target, numbers->numbers, numbers->n_bytes);
}

/* Returns a new tensor of the type for the part. A blob with a locked type keeps its type. */
static C2gTensor *
new_tensor (const Reading   *self,
            const Numbers   *numbers,
            C2gMixedTensor  *target,
            GError         **error)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (self->dims, self->n_dims, NULL, error);

  if (tensor == NULL || !c2g_tensor_allocate (tensor, numbers->data_type, error))
    return NULL;

  put_numbers (tensor, numbers);
  if (c2g_mixed_check_type (target, numbers->data_type, NULL))
    return g_steal_pointer (&tensor);

  return c2g_tensor_convert (tensor, c2g_mixed_tensor_get_data_type (target), C2G_CONVERT_SATURATE, error);
}

static gboolean
read_part (Reading            *self,
           C2gCaffePartIndex   index,
           C2gMixedTensor     *target,
           GError            **error)
{
  const Fields fields = get_fields (self->message, index);
  Numbers numbers;

  if (!find_numbers (&fields, &numbers, error))
    return FALSE;
  /* A message without a diff is valid. */
  if (index == C2G_CAFFE_DIFF && !fields.has_raw && numbers.n_bytes == 0)
    return TRUE;
  if (!check_count (self, &fields, &numbers, error))
    return FALSE;

  self->tensors[index] = new_tensor (self, &numbers, target, error);
  return self->tensors[index] != NULL;
}

/* Does everything that can fail before the blob is changed. */
static gboolean
read_parts (Reading       *self,
            C2gCaffeBlob  *blob,
            GError       **error)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (blob);

  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    if (!read_part (self, i, priv->parts[i].tensor, error) ||
        (self->tensors[i] != NULL && !c2g_mixed_check_not_held (priv->parts[i].tensor, error)))
      return FALSE;

  return TRUE;
}

/* A tensor that is shared and larger than the message keeps its size and type. Gets writable memory
 * for its first elements before anything else changes. */
static gboolean
find_firsts (Reading       *self,
             C2gCaffeBlob  *blob,
             gboolean       is_same,
             GError       **error)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (blob);

  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    {
      C2gCaffePart *part = &priv->parts[i];

      if (self->tensors[i] == NULL || c2g_mixed_tensor_get_n_elements (part->tensor) <= self->n_elements ||
          !(is_same || c2g_caffe_part_is_shared (part)))
        continue;
      self->firsts[i] = c2g_caffe_blob_ref_first (blob, i, self->dims, self->n_dims, TRUE, error);
      if (self->firsts[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
give_part (C2gCaffeBlob       *blob,
           C2gCaffePartIndex   index,
           const Reading      *reading,
           GError            **error)
{
  C2gMixedTensor *target = c2g_caffe_blob_private (blob)->parts[index].tensor;
  C2gTensor *tensor = reading->tensors[index];
  g_autoptr (C2gMixedTensor) source = NULL;

  if (tensor == NULL)
    return TRUE;
  if (reading->firsts[index] == NULL)
    return c2g_mixed_tensor_set_tensor (target, tensor, error);

  source = g_object_new (C2G_TYPE_MIXED_TENSOR, "device", c2g_caffe_blob_get_device (blob), NULL);
  return c2g_mixed_tensor_set_tensor (source, tensor, error) &&
         c2g_mixed_tensor_copy_from (reading->firsts[index], source, error);
}

/* Compares with old dimensions: missing dimensions at the front count as 1. */
static gboolean
equals_legacy (C2gCaffeBlob  *blob,
               const Reading *reading)
{
  gsize n_dims;
  const gint64 *dims = c2g_caffe_blob_get_dims (blob, &n_dims);
  const gsize n_missing = N_LEGACY_DIMS - MIN (n_dims, N_LEGACY_DIMS);

  if (n_dims > N_LEGACY_DIMS)
    return FALSE;

  for (gsize i = 0; i < n_missing; i++)
    if (reading->dims[i] != 1)
      return FALSE;
  return c2g_shape_equal (dims, n_dims, reading->dims + n_missing, n_dims);
}

static gboolean
equals_shape (C2gCaffeBlob  *blob,
              const Reading *reading)
{
  gsize n_dims;
  const gint64 *dims = c2g_caffe_blob_get_dims (blob, &n_dims);

  return is_legacy (reading->message) ? equals_legacy (blob, reading)
                                      : c2g_shape_equal (dims, n_dims, reading->dims, reading->n_dims);
}

/**
 * c2g_caffe_blob_from_proto:
 * @self: a blob
 * @proto: a message of type `BlobProto`
 * @reshape: whether the blob gets the shape of the message; otherwise another shape is an error
 * @error: return location for an error
 *
 * Reads the data, and the diff if there is one, from a message of Caffe or NVCaffe.
 *
 * Each part gets the type that the message has, unless a [class@CaffeTBlob] has its elements; then the
 * numbers are converted. A part that other blobs share is read for them, too.
 *
 * Fails with `C2G_ERROR_CORRUPT` if the message is damaged, has not as many numbers as its shape, or
 * bytes without a type; `C2G_ERROR_SHAPE` if a dimension is negative, or the shape is another one;
 * `C2G_ERROR_RANGE` if there are too many elements, or more than 1024 dimensions; `C2G_ERROR_BUSY` if somebody holds the elements
 * for writing; and `C2G_ERROR_NO_MEMORY`. Nothing changes then.
 *
 * Returns: whether the blob was read
 */
gboolean
c2g_caffe_blob_from_proto (C2gCaffeBlob  *self,
                           GBytes        *proto,
                           gboolean       reshape,
                           GError       **error)
{
  g_auto (Reading) reading = { NULL };
  const gint64 *dims;
  gsize n_dims;
  gboolean is_same;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (proto != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!read_message (&reading, proto, error))
    return FALSE;

  is_same = !reshape && equals_shape (self, &reading);
  if (!reshape && !is_same && !c2g_caffe_blob_check_shape (self, reading.dims, reading.n_dims, error))
    return FALSE;
  /* If the message has old dimensions, the parts keep the number of dimensions of the blob. */
  if (is_same)
    {
      dims = c2g_caffe_blob_get_dims (self, &n_dims);
      set_dims (&reading, dims, n_dims);
    }
  if (!read_parts (&reading, self, error) || !find_firsts (&reading, self, is_same, error) ||
      (!is_same && !c2g_caffe_blob_reshape (self, reading.dims, reading.n_dims, C2G_CAFFE_PARTS_BOTH, error)))
    return FALSE;

  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    if (!give_part (self, i, &reading, error))
      return FALSE;
  return TRUE;
}

/**
 * c2g_caffe_blob_shape_equals:
 * @self: a blob
 * @proto: a message of type `BlobProto`
 * @equal: (out): whether it has the shape, false with an error
 * @error: return location for an error
 *
 * Tells whether a message of Caffe or NVCaffe has the shape of the blob.
 *
 * Old messages have four dimensions: the shape 1×1×3×2 of such a message is equal to 3×2.
 *
 * Fails with `C2G_ERROR_CORRUPT` if the message is damaged, and with an error about its shape.
 *
 * Returns: (type none): whether they were compared
 */
gboolean
c2g_caffe_blob_shape_equals (C2gCaffeBlob  *self,
                             GBytes        *proto,
                             gboolean      *equal,
                             GError       **error)
{
  g_auto (Reading) reading = { NULL };

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (proto != NULL, FALSE);
  g_return_val_if_fail (equal != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  *equal = FALSE;
  if (!read_message (&reading, proto, error))
    return FALSE;

  *equal = equals_shape (self, &reading);
  return TRUE;
}

/* The rest of the file writes messages. */

static gboolean
find_number (C2gDataType   data_type,
             Caffe__Type  *number,
             GError      **error)
{
  const int found = c2g_data_type_to_caffe (data_type);

  if (!check_byte_order (error))
    return FALSE;
  if (found < 0)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("NVCaffe has no elements of type “%s”"),
                     c2g_data_type_get_name (data_type));

  *number = (Caffe__Type) found;
  return TRUE;
}

/* Chooses the type for Caffe's own fields: FLOAT holds all numbers of types up to 16 bits exactly,
 * 32-bit integers need DOUBLE. */
static gboolean
find_bvlc_type (C2gDataType   data_type,
                C2gDataType  *written_type,
                GError      **error)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_INT64:
    case C2G_DATA_TYPE_UINT64:
      return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("Caffe has no elements of type “%s”"),
                       c2g_data_type_get_name (data_type));
    case C2G_DATA_TYPE_DOUBLE:
    case C2G_DATA_TYPE_INT32:
    case C2G_DATA_TYPE_UINT32:
      *written_type = C2G_DATA_TYPE_DOUBLE;
      return TRUE;
    default:
      *written_type = C2G_DATA_TYPE_FLOAT;
      return TRUE;
    }
}

/* The message borrows the elements of TENSOR. */
static void
put_bvlc (Caffe__BlobProto  *message,
          C2gCaffePartIndex  index,
          C2gTensor         *tensor)
{
  const gsize n = (gsize) c2g_tensor_get_n_elements (tensor);
  gpointer numbers = c2g_tensor_address (tensor);

  if (c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_DOUBLE)
    {
      *(index == C2G_CAFFE_DATA ? &message->n_double_data : &message->n_double_diff) = n;
      *(index == C2G_CAFFE_DATA ? &message->double_data : &message->double_diff) = numbers;
    }
  else
    {
      *(index == C2G_CAFFE_DATA ? &message->n_data : &message->n_diff) = n;
      *(index == C2G_CAFFE_DATA ? &message->data : &message->diff) = numbers;
    }
}

static void
put_raw (Caffe__BlobProto  *message,
         C2gCaffePartIndex  index,
         Caffe__Type        number,
         C2gTensor         *tensor)
{
  const ProtobufCBinaryData raw = { c2g_tensor_get_n_bytes (tensor), c2g_tensor_address (tensor) };

  if (index == C2G_CAFFE_DATA)
    {
      message->has_raw_data = message->has_raw_data_type = TRUE;
      message->raw_data_type = number;
      message->raw_data = raw;
    }
  else
    {
      message->has_raw_diff = message->has_raw_diff_type = TRUE;
      message->raw_diff_type = number;
      message->raw_diff = raw;
    }
}

/* Puts a part into the message, which borrows the elements of the returned tensor. */
static C2gTensor *
put_part (C2gCaffeBlob        *self,
          C2gCaffePartIndex    index,
          C2gCaffeProtoFlags   flags,
          Caffe__BlobProto    *message,
          GError             **error)
{
  const gboolean is_bvlc = (flags & C2G_CAFFE_PROTO_BVLC) != 0;
  C2gMixedTensor *mixed = c2g_caffe_blob_private (self)->parts[index].tensor;
  C2gDataType type = c2g_mixed_tensor_get_data_type (mixed);
  Caffe__Type number = 0;
  C2gTensor *tensor;

  if (is_bvlc ? !find_bvlc_type (type, &type, error) : !find_number (type, &number, error))
    return NULL;

  tensor = c2g_caffe_blob_ref_tensor (self, index, type, NULL, FALSE, error);
  if (tensor != NULL && is_bvlc)
    put_bvlc (message, index, tensor);
  else if (tensor != NULL)
    put_raw (message, index, number, tensor);
  return tensor;
}

/**
 * c2g_caffe_blob_to_proto:
 * @self: a blob
 * @flags: what is written, and how
 * @error: return location for an error
 *
 * Writes the blob as a message of type `BlobProto`, which Caffe and NVCaffe read.
 *
 * Each part is written in the type that was written last. NVCaffe has `DOUBLE`, `FLOAT`, `FLOAT16`,
 * `INT32`, `UINT32` and `BOOL`. In Caffe's own form, types of 64-bit integers cannot be written; all
 * other types become floats or doubles that have the same numbers.
 *
 * Fails with `C2G_ERROR_NOT_SUPPORTED` if the form does not have a type, `C2G_ERROR_RANGE` if the
 * message would have more than 2 GiB, and as [method@CaffeBlob.ref_data_tensor] does.
 *
 * Returns: (transfer full): the message
 */
GBytes *
c2g_caffe_blob_to_proto (C2gCaffeBlob        *self,
                         C2gCaffeProtoFlags   flags,
                         GError             **error)
{
  Caffe__BlobProto message = CAFFE__BLOB_PROTO__INIT;
  Caffe__BlobShape shape = CAFFE__BLOB_SHAPE__INIT;
  g_autoptr (C2gTensor) data = NULL;
  g_autoptr (C2gTensor) diff = NULL;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  data = put_part (self, C2G_CAFFE_DATA, flags, &message, error);
  if (data == NULL)
    return NULL;
  if ((flags & C2G_CAFFE_PROTO_DIFF) != 0)
    {
      diff = put_part (self, C2G_CAFFE_DIFF, flags, &message, error);
      /* A signal handler may have reshaped the blob between the two calls. */
      if (diff == NULL || !c2g_tensor_check_same_shape (data, diff, error))
        return NULL;
    }

  shape.n_dim = data->n_dims;
  shape.dim = data->dims;
  message.shape = &shape;
  return c2g_wire_serialize (&message.base, error);
}
