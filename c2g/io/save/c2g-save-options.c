/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/save/c2g-save-options-private.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/io/serializer/c2g-serializer.h>

/**
 * C2gSaveOptions:
 *
 * Selects the blobs of a workspace to save, their names, and how they are written.
 *
 * The options of [method@Workspace.save_checkpoint], as plain properties. A new object saves
 * all local blobs under their own names, as Caffe2's operator `Save` does.
 *
 * | property           | Caffe2                                 | for              | default     |
 * |--------------------|----------------------------------------|------------------|-------------|
 * | `names`            | inputs of `Save`                       | all              | local blobs |
 * | `new-names`        | `blob_name_overrides`                  | all              | none        |
 * | `strip-prefix`     | `strip_prefix`                         | all              | none        |
 * | `kind`             |                                        | all              | by the name |
 * | `db-type`          | `db_type`                              | databases        | by the name |
 * | `chunk-size`       | `chunk_size`                           | databases        | 1 000 000   |
 * | `float16-as-bytes` | `caffe2_serialize_fp16_as_bytes`       | databases, `.pb` | false       |
 * | `keep-device`      |                                        | databases, `.pb` | true        |
 * | `compress`         |                                        | `.npz`           | false       |
 * | `caffe-diff`       |                                        | `.caffemodel`    | false       |
 * | `skip-unsupported` |                                        | all              | false       |
 * | `n-threads`        | `caffe2_max_tensor_serializer_threads` | databases        | up to 16    |
 * | `progress`         |                                        | all              | none        |
 *
 * Texts that describe the file, which only safetensors has a place for, are set with
 * [method@SaveOptions.set_metadata].
 *
 * An option that is not for the kind of file is no error, and changes nothing: one object
 * serves for files of all kinds.
 *
 * ```c
 * g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
 * const char *names[] = { "gpu_0/w", "gpu_0/b", NULL };
 *
 * c2g_save_options_set_names (options, names);
 * c2g_save_options_set_strip_prefix (options, "gpu_0/");
 * ```
 *
 * ```python
 * options = C2g.SaveOptions(names=['gpu_0/w', 'gpu_0/b'], strip_prefix='gpu_0/')
 * ```
 *
 * ## Threads
 *
 * Options belong to one thread. They are read when saving begins; later changes have no effect
 * on it.
 */

enum
{
  PROP_0,
  PROP_NAMES,
  PROP_NEW_NAMES,
  PROP_STRIP_PREFIX,
  PROP_KIND,
  PROP_DB_TYPE,
  PROP_CHUNK_SIZE,
  PROP_FLOAT16_AS_BYTES,
  PROP_KEEP_DEVICE,
  PROP_COMPRESS,
  PROP_CAFFE_DIFF,
  PROP_SKIP_UNSUPPORTED,
  PROP_N_THREADS,
  PROP_PROGRESS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gSaveOptions, c2g_save_options, G_TYPE_OBJECT)

static const C2gProperty rows[N_PROPS] = {
  [PROP_NAMES] = C2G_PROPERTY_FIELD (C2gSaveOptions, names),
  [PROP_NEW_NAMES] = C2G_PROPERTY_FIELD (C2gSaveOptions, new_names),
  [PROP_STRIP_PREFIX] = C2G_PROPERTY_FIELD (C2gSaveOptions, strip_prefix),
  [PROP_KIND] = C2G_PROPERTY_FIELD (C2gSaveOptions, kind),
  [PROP_DB_TYPE] = C2G_PROPERTY_FIELD (C2gSaveOptions, db_type),
  [PROP_CHUNK_SIZE] = C2G_PROPERTY_FIELD (C2gSaveOptions, chunk_size),
  [PROP_FLOAT16_AS_BYTES] = C2G_PROPERTY_FIELD (C2gSaveOptions, float16_as_bytes),
  [PROP_KEEP_DEVICE] = C2G_PROPERTY_FIELD (C2gSaveOptions, keep_device),
  [PROP_COMPRESS] = C2G_PROPERTY_FIELD (C2gSaveOptions, compress),
  [PROP_CAFFE_DIFF] = C2G_PROPERTY_FIELD (C2gSaveOptions, caffe_diff),
  [PROP_SKIP_UNSUPPORTED] = C2G_PROPERTY_FIELD (C2gSaveOptions, skip_unsupported),
  [PROP_N_THREADS] = C2G_PROPERTY_FIELD (C2gSaveOptions, n_threads),
  [PROP_PROGRESS] = C2G_PROPERTY_FIELD (C2gSaveOptions, progress),
};

#define GETTER(type, name)     C2G_DEFINE_GETTER (C2gSaveOptions, c2g_save_options, C2G_IS_SAVE_OPTIONS, type, name, name)
#define SETTER(type, name, id) C2G_DEFINE_SETTER (C2gSaveOptions, c2g_save_options, C2G_IS_SAVE_OPTIONS, type, name, name, props[PROP_##id])

static void
c2g_save_options_finalize (GObject *object)
{
  C2gSaveOptions *self = C2G_SAVE_OPTIONS (object);

  c2g_properties_clear (self, N_PROPS, props, rows);
  g_clear_pointer (&self->metadata, g_hash_table_unref);
  g_clear_pointer (&self->devices, g_hash_table_unref);

  G_OBJECT_CLASS (c2g_save_options_parent_class)->finalize (object);
}

static void
install_names (GParamFlags flags)
{
  /**
   * C2gSaveOptions:names: (getter get_names) (setter set_names)
   *
   * The blobs to save, in this order.
   *
   * `NULL` means all local blobs of the workspace, in the order of their creation, except those
   * that only the optimized net of a predictor has. Names are looked up like in
   * [method@Workspace.get_blob]: a blob of the parent can be saved by its name.
   */
  props[PROP_NAMES] = g_param_spec_boxed ("names", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * C2gSaveOptions:new-names: (getter get_new_names) (setter set_new_names)
   *
   * The names of the blobs in the file.
   *
   * There must be one name for each blob, in the same order; `NULL` keeps the names. It cannot
   * be combined with [property@SaveOptions:strip-prefix].
   */
  props[PROP_NEW_NAMES] = g_param_spec_boxed ("new-names", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * C2gSaveOptions:strip-prefix: (getter get_strip_prefix) (setter set_strip_prefix)
   *
   * A prefix to remove from the names.
   *
   * The first occurrence of this text in a name is removed, with everything before it. Names
   * without it do not change.
   */
  props[PROP_STRIP_PREFIX] = g_param_spec_string ("strip-prefix", NULL, NULL, NULL, flags);
}

static void
install_kind (GParamFlags flags)
{
  /**
   * C2gSaveOptions:kind: (getter get_kind) (setter set_kind)
   *
   * The kind of file to make.
   *
   * With `C2G_MODEL_FILE_KIND_UNKNOWN` the name of the file decides.
   */
  props[PROP_KIND] =
    g_param_spec_enum ("kind", NULL, NULL,
                       C2G_TYPE_MODEL_FILE_KIND, C2G_MODEL_FILE_KIND_UNKNOWN, flags);

  /**
   * C2gSaveOptions:db-type: (getter get_db_type) (setter set_db_type)
   *
   * The type of database to make, one of [func@Db.list_types].
   *
   * It takes precedence over [property@SaveOptions:kind] and the name of the file.
   */
  props[PROP_DB_TYPE] = g_param_spec_string ("db-type", NULL, NULL, NULL, flags);
}

static void
install_format (GParamFlags flags)
{
  /**
   * C2gSaveOptions:chunk-size: (getter get_chunk_size) (setter set_chunk_size)
   *
   * The maximum number of elements in a record of a database.
   *
   * [const@DEFAULT_CHUNK_SIZE] means 1 000 000, the default of Caffe2, and [const@NO_CHUNKING]
   * no limit.
   */
  props[PROP_CHUNK_SIZE] =
    g_param_spec_int64 ("chunk-size", NULL, NULL,
                        C2G_DEFAULT_CHUNK_SIZE, G_MAXINT64, C2G_DEFAULT_CHUNK_SIZE, flags);

  /**
   * C2gSaveOptions:float16-as-bytes: (getter get_float16_as_bytes) (setter set_float16_as_bytes)
   *
   * Whether elements of type float16 are written as two bytes each.
   *
   * Caffe2 reads both; by default it writes them as integers of one to three bytes.
   */
  props[PROP_FLOAT16_AS_BYTES] =
    g_param_spec_boolean ("float16-as-bytes", NULL, NULL, FALSE, flags);

  /**
   * C2gSaveOptions:keep-device: (getter get_keep_device) (setter set_keep_device)
   *
   * Whether the file names the device of a tensor, if it is not the CPU.
   */
  props[PROP_KEEP_DEVICE] = g_param_spec_boolean ("keep-device", NULL, NULL, TRUE, flags);

  /**
   * C2gSaveOptions:compress: (getter get_compress) (setter set_compress)
   *
   * Whether the arrays of an `.npz` are compressed.
   *
   * Files of other kinds are never compressed, and are the same with and without it.
   */
  props[PROP_COMPRESS] = g_param_spec_boolean ("compress", NULL, NULL, FALSE, flags);

  /**
   * C2gSaveOptions:caffe-diff: (getter get_caffe_diff) (setter set_caffe_diff)
   *
   * Whether a `.caffemodel` gets the diff of each [class@CaffeBlob] beside its data.
   *
   * [property@LoadOptions:caffe-blobs] reads it again. Files of other kinds have the data alone.
   */
  props[PROP_CAFFE_DIFF] = g_param_spec_boolean ("caffe-diff", NULL, NULL, FALSE, flags);

  /**
   * C2gSaveOptions:skip-unsupported: (getter get_skip_unsupported) (setter set_skip_unsupported)
   *
   * Whether empty blobs, and blobs that the file cannot hold, are skipped.
   *
   * Otherwise they are an error, before anything is written. A name that the file cannot hold
   * is an error in any case.
   */
  props[PROP_SKIP_UNSUPPORTED] =
    g_param_spec_boolean ("skip-unsupported", NULL, NULL, FALSE, flags);
}

static void
install_work (GParamFlags flags)
{
  /**
   * C2gSaveOptions:n-threads: (getter get_n_threads) (setter set_n_threads)
   *
   * The maximum number of threads for a database, including the caller's.
   *
   * Each thread has one chunk in memory. 0 means the number of processors, at most 16; 1
   * starts no thread.
   */
  props[PROP_N_THREADS] =
    g_param_spec_uint ("n-threads", NULL, NULL, 0, C2G_SAVE_MAX_THREADS, 0, flags);

  /**
   * C2gSaveOptions:progress: (getter get_progress) (setter set_progress)
   *
   * The object that reports the progress of the work.
   */
  props[PROP_PROGRESS] =
    g_param_spec_object ("progress", NULL, NULL, C2G_TYPE_PROGRESS, flags);
}

static void
c2g_save_options_class_init (C2gSaveOptionsClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_save_options_finalize;

  install_names (flags);
  install_kind (flags);
  install_format (flags);
  install_work (flags);
  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_save_options_init (C2gSaveOptions *self)
{
  self->chunk_size = C2G_DEFAULT_CHUNK_SIZE;
  self->keep_device = TRUE;
}

/**
 * c2g_save_options_new:
 *
 * Makes options that save all local blobs.
 *
 * Returns: (transfer full): the options
 */
C2gSaveOptions *
c2g_save_options_new (void)
{
  return g_object_new (C2G_TYPE_SAVE_OPTIONS, NULL);
}

/**
 * c2g_save_options_get_names: (get-property names)
 * @self: the options
 *
 * Gets the blobs to save.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the names, or `NULL` for
 *   all local blobs
 */
GETTER (const char *const *, names)

/**
 * c2g_save_options_set_names: (set-property names)
 * @self: the options
 * @names: (nullable) (array zero-terminated=1): the names, or `NULL` for all local blobs
 *
 * Sets the blobs to save.
 */
SETTER (const char *const *, names, NAMES)

/**
 * c2g_save_options_get_new_names: (get-property new-names)
 * @self: the options
 *
 * Gets the names of the blobs in the file.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the names, or `NULL` for
 *   their own
 */
GETTER (const char *const *, new_names)

/**
 * c2g_save_options_set_new_names: (set-property new-names)
 * @self: the options
 * @new_names: (nullable) (array zero-terminated=1): the names, or `NULL` for their own
 *
 * Sets the names of the blobs in the file.
 */
SETTER (const char *const *, new_names, NEW_NAMES)

/**
 * c2g_save_options_get_strip_prefix: (get-property strip-prefix)
 * @self: the options
 *
 * Gets the prefix that is removed from names.
 *
 * Returns: (transfer none) (nullable): the text, or `NULL`
 */
GETTER (const char *, strip_prefix)

/**
 * c2g_save_options_set_strip_prefix: (set-property strip-prefix)
 * @self: the options
 * @strip_prefix: (nullable): the text; the empty one is as good as `NULL`
 *
 * Sets the prefix that is removed from names.
 */
SETTER (const char *, strip_prefix, STRIP_PREFIX)

/**
 * c2g_save_options_get_kind: (get-property kind)
 * @self: the options
 *
 * Gets the kind of file to make.
 *
 * Returns: the kind, or `C2G_MODEL_FILE_KIND_UNKNOWN` to go by the file's name
 */
GETTER (C2gModelFileKind, kind)

/**
 * c2g_save_options_set_kind: (set-property kind)
 * @self: the options
 * @kind: the kind, or `C2G_MODEL_FILE_KIND_UNKNOWN` to go by the file's name
 *
 * Sets the kind of file to make, whatever its name is.
 */
SETTER (C2gModelFileKind, kind, KIND)

/**
 * c2g_save_options_get_db_type: (get-property db-type)
 * @self: the options
 *
 * Gets the type of database to make.
 *
 * Returns: (transfer none) (nullable): the type, or `NULL` to go by the kind
 */
GETTER (const char *, db_type)

/**
 * c2g_save_options_set_db_type: (set-property db-type)
 * @self: the options
 * @db_type: (nullable): the type, or `NULL` to go by the kind
 *
 * Sets the type of database to make.
 */
SETTER (const char *, db_type, DB_TYPE)

/**
 * c2g_save_options_get_chunk_size: (get-property chunk-size)
 * @self: the options
 *
 * Gets the maximum number of elements in a record.
 *
 * Returns: the number of elements, [const@DEFAULT_CHUNK_SIZE] or [const@NO_CHUNKING]
 */
GETTER (gint64, chunk_size)

/**
 * c2g_save_options_set_chunk_size: (set-property chunk-size)
 * @self: the options
 * @chunk_size: the number of elements, [const@DEFAULT_CHUNK_SIZE] or [const@NO_CHUNKING]
 *
 * Sets the maximum number of elements in a record.
 */
void
c2g_save_options_set_chunk_size (C2gSaveOptions *self,
                                 gint64          chunk_size)
{
  g_return_if_fail (C2G_IS_SAVE_OPTIONS (self));
  g_return_if_fail (chunk_size >= C2G_DEFAULT_CHUNK_SIZE);

  c2g_property_set_field (self, props[PROP_CHUNK_SIZE], &self->chunk_size, &chunk_size);
}

/**
 * c2g_save_options_get_float16_as_bytes: (get-property float16-as-bytes)
 * @self: the options
 *
 * Gets whether float16 is written as two bytes each.
 *
 * Returns: true if so
 */
GETTER (gboolean, float16_as_bytes)

/**
 * c2g_save_options_set_float16_as_bytes: (set-property float16-as-bytes)
 * @self: the options
 * @float16_as_bytes: true if so
 *
 * Sets whether float16 is written as two bytes each.
 */
SETTER (gboolean, float16_as_bytes, FLOAT16_AS_BYTES)

/**
 * c2g_save_options_get_keep_device: (get-property keep-device)
 * @self: the options
 *
 * Gets whether the file names the device of a tensor.
 *
 * Returns: true if so
 */
GETTER (gboolean, keep_device)

/**
 * c2g_save_options_set_keep_device: (set-property keep-device)
 * @self: the options
 * @keep_device: true if so
 *
 * Sets whether the file names the device of a tensor.
 */
SETTER (gboolean, keep_device, KEEP_DEVICE)

/**
 * c2g_save_options_get_compress: (get-property compress)
 * @self: the options
 *
 * Gets whether the arrays of an `.npz` are compressed.
 *
 * Returns: true if so
 */
GETTER (gboolean, compress)

/**
 * c2g_save_options_set_compress: (set-property compress)
 * @self: the options
 * @compress: true if so
 *
 * Sets whether the arrays of an `.npz` are compressed.
 */
SETTER (gboolean, compress, COMPRESS)

/**
 * c2g_save_options_get_caffe_diff: (get-property caffe-diff)
 * @self: the options
 *
 * Gets whether the diffs of Caffe's blobs are written, too.
 *
 * Returns: true if so
 */
GETTER (gboolean, caffe_diff)

/**
 * c2g_save_options_set_caffe_diff: (set-property caffe-diff)
 * @self: the options
 * @caffe_diff: true if so
 *
 * Sets whether the diffs of Caffe's blobs are written, too.
 */
SETTER (gboolean, caffe_diff, CAFFE_DIFF)

/**
 * c2g_save_options_get_skip_unsupported: (get-property skip-unsupported)
 * @self: the options
 *
 * Gets whether blobs that cannot be saved are left out.
 *
 * Returns: true if so
 */
GETTER (gboolean, skip_unsupported)

/**
 * c2g_save_options_set_skip_unsupported: (set-property skip-unsupported)
 * @self: the options
 * @skip_unsupported: true if so
 *
 * Sets whether blobs that cannot be saved are left out.
 */
SETTER (gboolean, skip_unsupported, SKIP_UNSUPPORTED)

/**
 * c2g_save_options_get_n_threads: (get-property n-threads)
 * @self: the options
 *
 * Gets the maximum number of threads for a database.
 *
 * Returns: the number of threads, or 0 for that of processors
 */
GETTER (guint, n_threads)

/**
 * c2g_save_options_set_n_threads: (set-property n-threads)
 * @self: the options
 * @n_threads: the number of threads, or 0 for that of processors
 *
 * Sets the maximum number of threads for a database.
 */
void
c2g_save_options_set_n_threads (C2gSaveOptions *self,
                                guint           n_threads)
{
  g_return_if_fail (C2G_IS_SAVE_OPTIONS (self));
  g_return_if_fail (n_threads <= C2G_SAVE_MAX_THREADS);

  c2g_property_set_field (self, props[PROP_N_THREADS], &self->n_threads, &n_threads);
}

/**
 * c2g_save_options_get_progress: (get-property progress)
 * @self: the options
 *
 * Gets the object that reports the progress of the work.
 *
 * Returns: (transfer none) (nullable): the progress, or `NULL`
 */
GETTER (C2gProgress *, progress)

/**
 * c2g_save_options_set_progress: (set-property progress)
 * @self: the options
 * @progress: (nullable): the progress, or `NULL`
 *
 * Sets the object that reports the progress of the work.
 */
SETTER (C2gProgress *, progress, PROGRESS)

/**
 * c2g_save_options_get_metadata:
 * @self: the options
 * @key: the name of the text
 *
 * Gets a text that describes the file.
 *
 * Returns: (transfer none) (nullable): the text, or `NULL` if there is none of that name
 */
const char *
c2g_save_options_get_metadata (C2gSaveOptions *self,
                               const char     *key)
{
  g_return_val_if_fail (C2G_IS_SAVE_OPTIONS (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  return self->metadata == NULL ? NULL : g_hash_table_lookup (self->metadata, key);
}

/**
 * c2g_save_options_set_metadata:
 * @self: the options
 * @key: the name of the text
 * @value: (nullable): the text, or `NULL` for none
 *
 * Sets a text that describes the file.
 *
 * A safetensors file stores it in its `__metadata__`; other formats ignore it.
 */
void
c2g_save_options_set_metadata (C2gSaveOptions *self,
                               const char     *key,
                               const char     *value)
{
  g_return_if_fail (C2G_IS_SAVE_OPTIONS (self));
  g_return_if_fail (key != NULL);

  if (self->metadata == NULL)
    self->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  if (value == NULL)
    g_hash_table_remove (self->metadata, key);
  else
    g_hash_table_insert (self->metadata, g_strdup (key), g_strdup (value));
}

/**
 * c2g_save_options_get_device:
 * @self: the options
 * @name: the name of a blob in the workspace
 *
 * Gets the device that a file will name for a blob.
 *
 * Returns: (transfer none) (nullable): the device, or `NULL` for the one that its tensor is on
 */
C2gDevice *
c2g_save_options_get_device (C2gSaveOptions *self,
                             const char     *name)
{
  g_return_val_if_fail (C2G_IS_SAVE_OPTIONS (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return self->devices == NULL ? NULL : g_hash_table_lookup (self->devices, name);
}

/**
 * c2g_save_options_set_device:
 * @self: the options
 * @name: the name of a blob in the workspace
 * @device: (nullable): the device, or `NULL` for the one that its tensor is on
 *
 * Sets the device that a file will name as the device of a blob.
 *
 * A program that converts a checkpoint can keep the result of [method@FileEntry.get_device] in
 * this way, also on machines without that device. It has no effect without
 * [property@SaveOptions:keep-device], and in files that name no devices, such as safetensors
 * and npz.
 */
void
c2g_save_options_set_device (C2gSaveOptions *self,
                             const char     *name,
                             C2gDevice      *device)
{
  g_return_if_fail (C2G_IS_SAVE_OPTIONS (self));
  g_return_if_fail (name != NULL);

  if (self->devices == NULL)
    self->devices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (device == NULL)
    g_hash_table_remove (self->devices, name);
  else
    g_hash_table_insert (self->devices, g_strdup (name), device);
}
