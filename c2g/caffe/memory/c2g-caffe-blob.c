/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-blob-private.h>
#include <c2g/caffe/memory/c2g-caffe-blob.h>

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>
#include <c2g/caffe/memory/c2g-numbers-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-property-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/workspace/c2g-blob-stat.h>

/**
 * C2gCaffeBlob:
 *
 * Data and their diff: the blob of Caffe and NVCaffe.
 *
 * A blob has a shape and two parts of that shape. The data are what a layer computes, or its
 * weights; the diff is the gradient, which [method@CaffeBlob.update] takes from the data. Each part
 * is a [class@MixedTensor], so it can be read in any element type, on the CPU and on one other
 * device, and takes no memory before it is used.
 *
 * ```c
 * g_autoptr (C2gCaffeBlob) weights =
 *   c2g_caffe_blob_new (C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT16, dims, 2, NULL, &error);
 * c2g_caffe_blob_fill_diff (weights, 0.5, &error);
 * c2g_caffe_blob_update (weights, &error);
 * ```
 *
 * ```python
 * weights = C2g.CaffeBlob.new(C2g.DataType.FLOAT, C2g.DataType.FLOAT16, [2, 3], None)
 * np.asarray(weights.ref_mutable_diff_tensor(C2g.DataType.FLOAT, None))[:] = 0.5
 * weights.update()
 * halves = np.asarray(weights.ref_data_tensor(C2g.DataType.FLOAT16, None))
 * ```
 *
 * ```js
 * const weights = C2g.CaffeBlob.new(C2g.DataType.FLOAT, C2g.DataType.FLOAT16, [2, 3], null);
 * weights.fill_diff(0.5);
 * weights.update();
 * print(weights.data_at([1, 2]));
 * ```
 *
 * ## Sharing
 *
 * Blobs share a part by using the same mixed tensor. They may have different shapes, as the two
 * sides of a layer that flattens have. A blob that becomes larger than a shared tensor gets one
 * of its own. A smaller one uses the first elements.
 *
 * ## Threads
 *
 * Any number of threads may read at once. A thread that writes, shares or reshapes must be the only
 * user. Signals are emitted in the thread that made the change, after it.
 */

enum
{
  PROP_0,
  PROP_DATA,
  PROP_DIFF,
  PROP_DATA_TYPE,
  PROP_DIFF_TYPE,
  PROP_DEVICE,
  PROP_NAME,
  N_PROPS
};

enum
{
  RESHAPED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

/* Indexed by C2gCaffePartIndex. */
static const char *const part_suffixes[] = { "/data", "/diff" };
static const guint part_props[] = { PROP_DATA, PROP_DIFF };

/* No element type is larger than 8 bytes. */
#define LARGEST_ITEM_SIZE 8

G_DEFINE_FLAGS_TYPE (C2gCaffeParts, c2g_caffe_parts,
                     G_DEFINE_ENUM_VALUE (C2G_CAFFE_PARTS_NONE, "none"),
                     G_DEFINE_ENUM_VALUE (C2G_CAFFE_PARTS_DATA, "data"),
                     G_DEFINE_ENUM_VALUE (C2G_CAFFE_PARTS_DIFF, "diff"),
                     G_DEFINE_ENUM_VALUE (C2G_CAFFE_PARTS_BOTH, "both"))

G_DEFINE_TYPE_WITH_PRIVATE (C2gCaffeBlob, c2g_caffe_blob, G_TYPE_OBJECT)

C2gCaffeBlobPrivate *
c2g_caffe_blob_private (C2gCaffeBlob *self)
{
  return c2g_caffe_blob_get_instance_private (self);
}

gboolean
c2g_caffe_parts_check (C2gCaffeParts   parts,
                       GError        **error)
{
  if ((parts & C2G_CAFFE_PARTS_BOTH) != 0)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("Expected the data, the diff or both, got no part"));
}

const char *
c2g_caffe_part_name (C2gCaffePartIndex index)
{
  return part_suffixes[index] + 1;
}

/* Reports the memory of both parts under the name of the label, while it has one. */
static void
set_label (C2gCaffeBlob *self,
           C2gLabel     *label)
{
  c2g_label_set_owner (c2g_caffe_blob_private (self)->label, label);
}

/* Reports show the memory as NAME/data and NAME/diff. */
static void
give_label (C2gCaffeBlobPrivate *priv,
            C2gCaffePartIndex    index,
            C2gMixedTensor      *tensor)
{
  C2gLabel *label = c2g_label_new_part (priv->label, part_suffixes[index]);

  c2g_mixed_tensor_set_label (tensor, label);
  c2g_label_unref (label);
}

/* Makes a tensor of zeros; its memory is allocated at the first access. */
static C2gMixedTensor *
new_tensor (C2gCaffeBlobPrivate  *priv,
            C2gCaffePartIndex     index,
            C2gDataType           data_type,
            const gint64         *dims,
            gsize                 n_dims,
            GError              **error)
{
  g_autofree char *name = g_strconcat (priv->name != NULL ? priv->name : "", part_suffixes[index], NULL);
  g_autoptr (C2gMixedTensor) tensor = NULL;

  tensor = g_object_new (C2G_TYPE_MIXED_TENSOR, "data-type", data_type, "device", priv->device,
                         "name", priv->name != NULL ? name : name + 1, NULL);
  give_label (priv, index, tensor);
  return c2g_mixed_tensor_reshape (tensor, dims, n_dims, error) ? g_steal_pointer (&tensor) : NULL;
}

/* Makes the tensors of a new blob, which has no elements, so this cannot fail. If a type is not
 * numeric, the constructor of the tensor warns and uses the default. */
static void
make_parts (C2gCaffeBlobPrivate *priv)
{
  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    {
      const C2gDataType type = i > 0 && priv->is_locked
                                 ? c2g_mixed_tensor_get_data_type (priv->parts[0].tensor)
                                 : priv->types[i];
      g_autoptr (C2gMixedTensor) tensor = new_tensor (priv, i, type, priv->dims, priv->n_dims, NULL);

      c2g_caffe_part_use (&priv->parts[i], tensor, FALSE, priv->is_locked);
    }
}

/* Blobs have no getters for the types of their parts: the mixed tensors have. */
static C2gDataType
get_data_type (C2gCaffeBlob *self)
{
  return c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_data (self));
}

static C2gDataType
get_diff_type (C2gCaffeBlob *self)
{
  return c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_diff (self));
}

static void
set_data_type (C2gCaffeBlob *self,
               C2gDataType   data_type)
{
  c2g_caffe_blob_private (self)->types[C2G_CAFFE_DATA] = data_type;
}

static void
set_diff_type (C2gCaffeBlob *self,
               C2gDataType   data_type)
{
  c2g_caffe_blob_private (self)->types[C2G_CAFFE_DIFF] = data_type;
}

static void
set_device (C2gCaffeBlob *self,
            C2gDevice    *device)
{
  c2g_caffe_blob_private (self)->device = device;
}

static void
set_name (C2gCaffeBlob *self,
          const char   *name)
{
  c2g_caffe_blob_private (self)->name = g_strdup (name);
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_DATA] = C2G_PROPERTY_READ_ONLY (c2g_caffe_blob, data),
  [PROP_DIFF] = C2G_PROPERTY_READ_ONLY (c2g_caffe_blob, diff),
  [PROP_DATA_TYPE] = { .get = G_CALLBACK (get_data_type), .set = G_CALLBACK (set_data_type) },
  [PROP_DIFF_TYPE] = { .get = G_CALLBACK (get_diff_type), .set = G_CALLBACK (set_diff_type) },
  [PROP_DEVICE] = { .get = G_CALLBACK (c2g_caffe_blob_get_device), .set = G_CALLBACK (set_device) },
  [PROP_NAME] = { .get = G_CALLBACK (c2g_caffe_blob_get_name), .set = G_CALLBACK (set_name) },
};

static void
c2g_caffe_blob_constructed (GObject *object)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (C2G_CAFFE_BLOB (object));

  G_OBJECT_CLASS (c2g_caffe_blob_parent_class)->constructed (object);

  priv->label = c2g_label_new (priv->name);
  make_parts (priv);
  priv->device = c2g_mixed_tensor_get_device (priv->parts[C2G_CAFFE_DATA].tensor);
}

static void
c2g_caffe_blob_finalize (GObject *object)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (C2G_CAFFE_BLOB (object));

  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    c2g_caffe_part_clear (&priv->parts[i]);
  g_clear_object (&priv->gpu_shape);
  g_clear_pointer (&priv->label, c2g_label_unref);
  g_clear_pointer (&priv->dims, g_free);
  g_clear_pointer (&priv->name, g_free);

  G_OBJECT_CLASS (c2g_caffe_blob_parent_class)->finalize (object);
}

/* Size of the blob's memory, for reports on a workspace. */
static gsize
count_in_blob (C2gBlob  *blob,
               gpointer  user_data)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (C2G_CAFFE_BLOB (c2g_blob_get_object (blob)));

  return c2g_mixed_tensor_count (priv->parts[C2G_CAFFE_DATA].tensor) +
         c2g_mixed_tensor_count (priv->parts[C2G_CAFFE_DIFF].tensor);
}

#define GIVEN_ONCE (G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS)

static GParamSpec *
part_spec (const char *name)
{
  return g_param_spec_object (name, NULL, NULL, C2G_TYPE_MIXED_TENSOR, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
}

static GParamSpec *
type_spec (const char *name)
{
  return g_param_spec_enum (name, NULL, NULL, C2G_TYPE_DATA_TYPE, C2G_DATA_TYPE_FLOAT, GIVEN_ONCE);
}

static void
install_properties (GObjectClass *klass)
{
  /**
   * C2gCaffeBlob:data: (getter get_data)
   *
   * The data.
   *
   * The property changes to another tensor when the blob shares one, or stops sharing it.
   */
  props[PROP_DATA] = part_spec ("data");

  /**
   * C2gCaffeBlob:diff: (getter get_diff)
   *
   * The diff.
   *
   * The property changes to another tensor when the blob shares one, or stops sharing it.
   */
  props[PROP_DIFF] = part_spec ("diff");

  /**
   * C2gCaffeBlob:data-type:
   *
   * The type of the data: the one that was written last.
   *
   * The type given to the constructor counts until another one is written. A type that is not numeric
   * causes a warning, and `FLOAT` is used. Changes are not notified here, but by
   * [property@MixedTensor:data-type] of the data.
   */
  props[PROP_DATA_TYPE] = type_spec ("data-type");

  /**
   * C2gCaffeBlob:diff-type:
   *
   * The type of the diff: the one that was written last. A [class@CaffeTBlob] has the same type for
   * both parts.
   */
  props[PROP_DIFF_TYPE] = type_spec ("diff-type");

  /**
   * C2gCaffeBlob:device: (getter get_device)
   *
   * The second device, beside the CPU; by default the first CUDA device.
   */
  props[PROP_DEVICE] = g_param_spec_boxed ("device", NULL, NULL, C2G_TYPE_DEVICE, GIVEN_ONCE);

  /**
   * C2gCaffeBlob:name: (getter get_name)
   *
   * The name of the memory in reports.
   *
   * For example, a block of a blob called “conv1” is `conv1/diff/float16@cuda:0`.
   */
  props[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, GIVEN_ONCE);

  c2g_properties_install (klass, N_PROPS, props, rows);
}

static void
c2g_caffe_blob_class_init (C2gCaffeBlobClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = c2g_caffe_blob_constructed;
  object_class->finalize = c2g_caffe_blob_finalize;

  install_properties (object_class);
  c2g_label_set_func (C2G_TYPE_CAFFE_BLOB, (C2gLabelFunc) set_label);
  c2g_blob_register_stat (C2G_TYPE_CAFFE_BLOB, count_in_blob, NULL, NULL, NULL);

  /**
   * C2gCaffeBlob::reshaped:
   * @self: the blob
   *
   * Emitted when the dimensions have changed.
   *
   * It is emitted after the call, in the thread that made it.
   */
  signals[RESHAPED] =
    g_signal_new ("reshaped", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
}

static void
c2g_caffe_blob_init (C2gCaffeBlob *self)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (self);

  priv->dims = g_new0 (gint64, 1);
  priv->n_dims = 1;
}

/**
 * c2g_caffe_blob_new:
 * @data_type: the type of the data until another one is written
 * @diff_type: the same for the diff
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: the number of dimensions, 0 for a scalar
 * @device: (nullable): the second device; `NULL` or the CPU means the first CUDA device
 * @error: return location for an error
 *
 * Creates a blob of zeros, without memory.
 *
 * Without this function, the bare constructor makes a blob of floats with one dimension of 0.
 *
 * Returns: (transfer full): a blob, or `NULL` with `C2G_ERROR_TYPE` if elements of a type are not
 *   numbers, `C2G_ERROR_SHAPE` if a dimension is negative, or `C2G_ERROR_RANGE` if there are too
 *   many elements
 */
C2gCaffeBlob *
c2g_caffe_blob_new (C2gDataType    data_type,
                    C2gDataType    diff_type,
                    const gint64  *dims,
                    gsize          n_dims,
                    C2gDevice     *device,
                    GError       **error)
{
  g_autoptr (C2gCaffeBlob) self = NULL;

  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (c2g_numbers_find_type (data_type, error) == NULL || c2g_numbers_find_type (diff_type, error) == NULL)
    return NULL;

  self = g_object_new (C2G_TYPE_CAFFE_BLOB, "data-type", data_type, "diff-type", diff_type, "device", device,
                       NULL);
  return c2g_caffe_blob_reshape (self, dims, n_dims, C2G_CAFFE_PARTS_BOTH, error) ? g_steal_pointer (&self)
                                                                                  : NULL;
}

/**
 * c2g_caffe_blob_get_data: (get-property data)
 * @self: a blob
 *
 * Gets the data.
 *
 * Returns: (transfer none): a mixed tensor
 */
C2gMixedTensor *
c2g_caffe_blob_get_data (C2gCaffeBlob *self)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);

  return c2g_caffe_blob_private (self)->parts[C2G_CAFFE_DATA].tensor;
}

/**
 * c2g_caffe_blob_get_diff: (get-property diff)
 * @self: a blob
 *
 * Gets the diff.
 *
 * Returns: (transfer none): a mixed tensor
 */
C2gMixedTensor *
c2g_caffe_blob_get_diff (C2gCaffeBlob *self)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);

  return c2g_caffe_blob_private (self)->parts[C2G_CAFFE_DIFF].tensor;
}

/**
 * c2g_caffe_blob_get_device: (get-property device)
 * @self: a blob
 *
 * Gets the second device, beside the CPU.
 *
 * Returns: (transfer none): a device
 */
C2gDevice *
c2g_caffe_blob_get_device (C2gCaffeBlob *self)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);

  return c2g_caffe_blob_private (self)->device;
}

/**
 * c2g_caffe_blob_get_name: (get-property name)
 * @self: a blob
 *
 * Gets the name of the memory in reports.
 *
 * Returns: (transfer none) (nullable): a name, or `NULL` if it has none
 */
const char *
c2g_caffe_blob_get_name (C2gCaffeBlob *self)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);

  return c2g_caffe_blob_private (self)->name;
}

static void
assign_dims (C2gCaffeBlobPrivate *priv,
             const gint64        *dims,
             gsize                n_dims,
             gint64               n_elements)
{
  gint64 *copy = c2g_mixed_dup_dims (dims, n_dims);

  g_free (priv->dims);
  priv->dims = copy;
  priv->n_dims = n_dims;
  priv->n_elements = n_elements;
  g_clear_object (&priv->gpu_shape);
}

/* Reshapes a part. If other blobs use its tensor, the tensor is not changed: when it is too small,
 * this blob gets a new tensor, and IS_NEW is set. */
static gboolean
reshape_part (C2gCaffeBlobPrivate  *priv,
              C2gCaffePartIndex     index,
              const gint64         *dims,
              gsize                 n_dims,
              gint64                n_elements,
              gboolean             *is_new,
              GError              **error)
{
  C2gCaffePart *part = &priv->parts[index];
  g_autoptr (C2gMixedTensor) tensor = NULL;

  if (!c2g_caffe_part_is_shared (part))
    return c2g_mixed_tensor_reshape (part->tensor, dims, n_dims, error);
  if (n_elements <= c2g_mixed_tensor_get_n_elements (part->tensor))
    return TRUE;

  tensor = new_tensor (priv, index, c2g_mixed_tensor_get_data_type (part->tensor), dims, n_dims, error);
  if (tensor == NULL)
    return FALSE;

  c2g_caffe_part_use (part, tensor, FALSE, part->is_locked);
  *is_new = TRUE;
  return TRUE;
}

void
c2g_caffe_blob_tell_part (C2gCaffeBlob       *self,
                          C2gCaffePartIndex   index)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[part_props[index]]);
}

static void
tell_reshaped (C2gCaffeBlob   *self,
               gboolean        is_reshaped,
               const gboolean *are_new)
{
  g_object_ref (self);
  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    if (are_new[i])
      c2g_caffe_blob_tell_part (self, i);
  if (is_reshaped)
    g_signal_emit (self, signals[RESHAPED], 0);
  g_object_unref (self);
}

/**
 * c2g_caffe_blob_reshape:
 * @self: a blob
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: the number of dimensions, 0 for a scalar
 * @parts: the parts to make large enough for the shape
 * @error: return location for an error
 *
 * Sets the shape of the blob.
 *
 * A part keeps its elements if there is room, see [method@MixedTensor.reshape]. A shared part stays
 * shared if it is large enough; otherwise it is replaced by a new one of zeros. A part that is too
 * small and not in @parts cannot be used until it is reshaped too.
 *
 * Fails with `C2G_ERROR_INVALID_ARGUMENT` if @parts is empty, `C2G_ERROR_SHAPE` if a dimension is
 * negative, and `C2G_ERROR_RANGE` if there would be too many elements or bytes; then nothing has
 * changed. Fails with `C2G_ERROR_BUSY` within an allocation for the same blob; then one part may
 * have been enlarged already.
 *
 * Returns: `TRUE` if the blob has the shape
 */
gboolean
c2g_caffe_blob_reshape (C2gCaffeBlob   *self,
                        const gint64   *dims,
                        gsize           n_dims,
                        C2gCaffeParts   parts,
                        GError        **error)
{
  C2gCaffeBlobPrivate *priv;
  gboolean are_new[C2G_CAFFE_N_PARTS] = { FALSE };
  gboolean is_reshaped;
  gint64 n_elements;
  gsize n_bytes;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (dims != NULL || n_dims == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  /* Check the largest element type first, so that the second part cannot fail after the first was
   * changed. */
  if (!c2g_caffe_parts_check (parts, error) || !c2g_shape_count (dims, n_dims, &n_elements, error) ||
      !c2g_shape_bytes (n_elements, LARGEST_ITEM_SIZE, &n_bytes, error))
    return FALSE;

  priv = c2g_caffe_blob_private (self);
  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    if ((parts & 1u << i) != 0 &&
        !reshape_part (priv, i, dims, n_dims, n_elements, &are_new[i], error))
      return FALSE;

  is_reshaped = !c2g_shape_equal (priv->dims, priv->n_dims, dims, n_dims);
  if (is_reshaped)
    assign_dims (priv, dims, n_dims, n_elements);
  tell_reshaped (self, is_reshaped, are_new);
  return TRUE;
}

/**
 * c2g_caffe_blob_reshape_like:
 * @self: a blob
 * @other: another blob
 * @error: return location for an error
 *
 * Gives the blob and both parts the shape of another blob.
 *
 * Fails as [method@CaffeBlob.reshape] does.
 *
 * Returns: `TRUE` if the blob has the shape
 */
gboolean
c2g_caffe_blob_reshape_like (C2gCaffeBlob  *self,
                             C2gCaffeBlob  *other,
                             GError       **error)
{
  g_autofree gint64 *dims = NULL;
  C2gCaffeBlobPrivate *priv;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (other), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  /* Copy the shape, because a signal handler may reshape the other blob. */
  priv = c2g_caffe_blob_private (other);
  dims = c2g_mixed_dup_dims (priv->dims, priv->n_dims);
  return c2g_caffe_blob_reshape (self, dims, priv->n_dims, C2G_CAFFE_PARTS_BOTH, error);
}
