/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-load-options-private.h>

#include <c2g/core/types/c2g-property-private.h>

#include <string.h>

/**
 * C2gLoadOptions:
 *
 * Selects the blobs that are loaded from files, their names, and how they are loaded.
 *
 * The options of [method@Workspace.load_checkpoint], as plain properties. A new object
 * loads everything that a file has, under the names that it has there.
 *
 * | property           | Caffe2's `Load`       | default                     |
 * |--------------------|-----------------------|-----------------------------|
 * | `names`            | outputs               | all that is there           |
 * | `source-names`     | `source_blob_names`   | the same as `names`         |
 * | `strip-prefix`     | `strip_prefix`        | none                        |
 * | `add-prefix`       | `add_prefix`          | none                        |
 * | `load-all`         | `load_all`            | false                       |
 * | `allow-incomplete` | `allow_incomplete`    | false                       |
 * | `skip-unsupported` |                       | false                       |
 * | `caffe2-names`     |                       | false                       |
 * | `caffe-blobs`      |                       | false                       |
 * | `keep-device`      | `keep_device`         | false                       |
 * | `device`           |                       | none in particular          |
 * | `memory-map`       |                       | false                       |
 * | `db-type`          | `db_type`             | by the content              |
 * | `files`            | `dbs`, but the first  | none                        |
 * | `progress`         |                       | none                        |
 *
 * [method@Workspace.resolve_path] replaces Caffe2's `absolute_path`.
 *
 * ```c
 * g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
 * const char *names[] = { "w", "b", NULL };
 *
 * c2g_load_options_set_names (options, names);
 * c2g_load_options_set_strip_prefix (options, "gpu_0/");
 * ```
 *
 * ```python
 * options = C2g.LoadOptions(names=['w', 'b'], strip_prefix='gpu_0/')
 * ```
 *
 * ## Threads
 *
 * Options belong to one thread. They are read when loading begins.
 */

enum
{
  PROP_0,
  PROP_NAMES,
  PROP_SOURCE_NAMES,
  PROP_STRIP_PREFIX,
  PROP_ADD_PREFIX,
  PROP_LOAD_ALL,
  PROP_ALLOW_INCOMPLETE,
  PROP_SKIP_UNSUPPORTED,
  PROP_CAFFE2_NAMES,
  PROP_CAFFE_BLOBS,
  PROP_KEEP_DEVICE,
  PROP_DEVICE,
  PROP_MEMORY_MAP,
  PROP_DB_TYPE,
  PROP_FILES,
  PROP_PROGRESS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gLoadOptions, c2g_load_options, G_TYPE_OBJECT)

static const C2gProperty rows[N_PROPS] = {
  [PROP_NAMES] = C2G_PROPERTY_FIELD (C2gLoadOptions, names),
  [PROP_SOURCE_NAMES] = C2G_PROPERTY_FIELD (C2gLoadOptions, source_names),
  [PROP_STRIP_PREFIX] = C2G_PROPERTY_FIELD (C2gLoadOptions, strip_prefix),
  [PROP_ADD_PREFIX] = C2G_PROPERTY_FIELD (C2gLoadOptions, add_prefix),
  [PROP_LOAD_ALL] = C2G_PROPERTY_FIELD (C2gLoadOptions, load_all),
  [PROP_ALLOW_INCOMPLETE] = C2G_PROPERTY_FIELD (C2gLoadOptions, allow_incomplete),
  [PROP_SKIP_UNSUPPORTED] = C2G_PROPERTY_FIELD (C2gLoadOptions, skip_unsupported),
  [PROP_CAFFE2_NAMES] = C2G_PROPERTY_FIELD (C2gLoadOptions, caffe2_names),
  [PROP_CAFFE_BLOBS] = C2G_PROPERTY_FIELD (C2gLoadOptions, caffe_blobs),
  [PROP_KEEP_DEVICE] = C2G_PROPERTY_FIELD (C2gLoadOptions, keep_device),
  [PROP_DEVICE] = C2G_PROPERTY_FIELD (C2gLoadOptions, device),
  [PROP_MEMORY_MAP] = C2G_PROPERTY_FIELD (C2gLoadOptions, memory_map),
  [PROP_DB_TYPE] = C2G_PROPERTY_FIELD (C2gLoadOptions, db_type),
  [PROP_FILES] = C2G_PROPERTY_FIELD (C2gLoadOptions, files),
  [PROP_PROGRESS] = C2G_PROPERTY_FIELD (C2gLoadOptions, progress),
};

#define GETTER(type, name)     C2G_DEFINE_GETTER (C2gLoadOptions, c2g_load_options, C2G_IS_LOAD_OPTIONS, type, name, name)
#define SETTER(type, name, id) C2G_DEFINE_SETTER (C2gLoadOptions, c2g_load_options, C2G_IS_LOAD_OPTIONS, type, name, name, props[PROP_##id])

static void
c2g_load_options_finalize (GObject *object)
{
  c2g_properties_clear (object, N_PROPS, props, rows);

  G_OBJECT_CLASS (c2g_load_options_parent_class)->finalize (object);
}

static void
install_names (GParamFlags flags)
{
  /**
   * C2gLoadOptions:names: (getter get_names) (setter set_names)
   *
   * The blobs to load, by the names that they get in the workspace.
   *
   * `NULL` means all blobs of the files, an empty list none. Other blobs are not loaded. A
   * name that is in no file is an error, unless [property@LoadOptions:allow-incomplete] is
   * set.
   */
  props[PROP_NAMES] = g_param_spec_boxed ("names", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * C2gLoadOptions:source-names: (getter get_source_names) (setter set_source_names)
   *
   * The names of the blobs in the files, if they differ from the names in the workspace.
   *
   * As in Caffe2, [property@LoadOptions:add-prefix] has been added to these names already.
   *
   * There must be as many as [property@LoadOptions:names], in the same order. Without `names`
   * the blobs keep these names. It cannot be combined with [property@LoadOptions:strip-prefix]
   * or [property@LoadOptions:load-all].
   */
  props[PROP_SOURCE_NAMES] = g_param_spec_boxed ("source-names", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * C2gLoadOptions:strip-prefix: (getter get_strip_prefix) (setter set_strip_prefix)
   *
   * A prefix to remove from the names in the files.
   *
   * The first occurrence of this text in a name is removed, with everything before it. Names
   * without it do not change. [property@LoadOptions:names] are compared with the result.
   */
  props[PROP_STRIP_PREFIX] = g_param_spec_string ("strip-prefix", NULL, NULL, NULL, flags);

  /**
   * C2gLoadOptions:add-prefix: (getter get_add_prefix) (setter set_add_prefix)
   *
   * A prefix to add to the names in the files.
   *
   * It is added after [property@LoadOptions:strip-prefix], and before names are compared with
   * [property@LoadOptions:names] or [property@LoadOptions:source-names].
   */
  props[PROP_ADD_PREFIX] = g_param_spec_string ("add-prefix", NULL, NULL, NULL, flags);
}

static void
install_what (GParamFlags flags)
{
  /**
   * C2gLoadOptions:load-all: (getter get_load_all) (setter set_load_all)
   *
   * Whether everything is loaded, also blobs that are not in [property@LoadOptions:names].
   *
   * The blobs in that list must exist nevertheless.
   */
  props[PROP_LOAD_ALL] = g_param_spec_boolean ("load-all", NULL, NULL, FALSE, flags);

  /**
   * C2gLoadOptions:allow-incomplete: (getter get_allow_incomplete) (setter set_allow_incomplete)
   *
   * Whether some of [property@LoadOptions:names] may be missing in the files.
   *
   * A blob of which a part is missing is an error all the same.
   */
  props[PROP_ALLOW_INCOMPLETE] =
    g_param_spec_boolean ("allow-incomplete", NULL, NULL, FALSE, flags);

  /**
   * C2gLoadOptions:skip-unsupported: (getter get_skip_unsupported) (setter set_skip_unsupported)
   *
   * Whether unsupported blobs are skipped.
   *
   * These are blobs of a type without a [class@Serializer], or with an element type that c2g
   * does not have, even if they are in [property@LoadOptions:names]. Otherwise they give
   * `C2G_ERROR_NOT_SUPPORTED`. Damaged blobs are an error in any case.
   */
  props[PROP_SKIP_UNSUPPORTED] =
    g_param_spec_boolean ("skip-unsupported", NULL, NULL, FALSE, flags);

  /**
   * C2gLoadOptions:caffe2-names: (getter get_caffe2_names) (setter set_caffe2_names)
   *
   * Whether the first two blobs of Caffe's layers are called as Caffe2 does.
   *
   * `conv1/0` and `conv1/1` are `conv1_w` and `conv1_b` then. The names are given when the file is
   * opened.
   */
  props[PROP_CAFFE2_NAMES] =
    g_param_spec_boolean ("caffe2-names", NULL, NULL, FALSE, flags);

  /**
   * C2gLoadOptions:caffe-blobs: (getter get_caffe_blobs) (setter set_caffe_blobs)
   *
   * Whether blobs of a `.caffemodel` or a `.binaryproto` become a [class@CaffeBlob] each, with the
   * diff if the file has one, and not a tensor.
   *
   * This is decided when the file is opened.
   */
  props[PROP_CAFFE_BLOBS] = g_param_spec_boolean ("caffe-blobs", NULL, NULL, FALSE, flags);
}

static void
install_how (GParamFlags flags)
{
  /**
   * C2gLoadOptions:keep-device: (getter get_keep_device) (setter set_keep_device)
   *
   * Whether a tensor is loaded to the device that it was saved from, not to the CPU.
   *
   * It is an error if that device does not exist. If the option is false, all tensors are
   * loaded to the CPU, and the device need not exist.
   *
   * Loading to another device needs only a little CPU memory at a time: one chunk of a
   * database, or a few megabytes of an array or a safetensors file.
   */
  props[PROP_KEEP_DEVICE] = g_param_spec_boolean ("keep-device", NULL, NULL, FALSE, flags);

  /**
   * C2gLoadOptions:device: (getter get_device) (setter set_device)
   *
   * The device that all tensors are loaded to, whatever device they were saved from.
   *
   * It takes precedence over [property@LoadOptions:keep-device]. Tensors that only the CPU can
   * hold, such as tensors of strings, stay on the CPU.
   */
  props[PROP_DEVICE] = g_param_spec_boxed ("device", NULL, NULL, C2G_TYPE_DEVICE, flags);

  /**
   * C2gLoadOptions:memory-map: (getter get_memory_map) (setter set_memory_map)
   *
   * Whether files are mapped into memory, not read.
   *
   * Tensors of safetensors and NumPy files are then read-only views of the file, which are
   * made at once whatever their size; pages are read from the disk when they are accessed.
   * Blobs of other files, such as a minidb, are copied out of the mapping, and gain nothing by
   * it. Use it only for files that nobody truncates: that would end the program with `SIGBUS`.
   * On network file systems reading is often many times faster.
   */
  props[PROP_MEMORY_MAP] = g_param_spec_boolean ("memory-map", NULL, NULL, FALSE, flags);

  /**
   * C2gLoadOptions:db-type: (getter get_db_type) (setter set_db_type)
   *
   * The type of database that the files are, one of [func@Db.list_types].
   *
   * With `NULL` the content decides; then the files need not be databases.
   */
  props[PROP_DB_TYPE] = g_param_spec_string ("db-type", NULL, NULL, NULL, flags);

  /**
   * C2gLoadOptions:files: (getter get_files)
   *
   * More files to load from, a list of `GFile`.
   *
   * [method@LoadOptions.set_files] sets them. It is an error if two files have a blob of the
   * same name that is to be loaded.
   */
  props[PROP_FILES] = g_param_spec_object ("files", NULL, NULL, G_TYPE_LIST_MODEL,
                                           flags & ~G_PARAM_WRITABLE);

  /**
   * C2gLoadOptions:progress: (getter get_progress) (setter set_progress)
   *
   * The object that reports the progress of the work.
   */
  props[PROP_PROGRESS] =
    g_param_spec_object ("progress", NULL, NULL, C2G_TYPE_PROGRESS, flags);
}

static void
c2g_load_options_class_init (C2gLoadOptionsClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_load_options_finalize;

  install_names (flags);
  install_what (flags);
  install_how (flags);
  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_load_options_init (C2gLoadOptions *self)
{
}

/* Copies the list, because another thread reads it: GListStore caches its last access, so that
 * concurrent reads are not safe. */
static GListModel *
copy_files (GListModel *files)
{
  GListStore *copy = g_list_store_new (G_TYPE_FILE);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      g_list_store_append (copy, file);
    }

  return G_LIST_MODEL (copy);
}

C2gLoadOptions *
c2g_load_options_copy (C2gLoadOptions *self)
{
  C2gLoadOptions *copy = c2g_load_options_new ();

  if (self == NULL)
    return copy;
  c2g_properties_copy (copy, self, N_PROPS, props, rows);
  copy->fits_present = self->fits_present;
  if (self->files != NULL)
    {
      g_object_unref (copy->files);
      copy->files = copy_files (self->files);
    }
  return copy;
}

/**
 * c2g_load_options_new:
 *
 * Makes options that load everything.
 *
 * Returns: (transfer full): the options
 */
C2gLoadOptions *
c2g_load_options_new (void)
{
  return g_object_new (C2G_TYPE_LOAD_OPTIONS, NULL);
}

/**
 * c2g_load_options_get_names: (get-property names)
 * @self: the options
 *
 * Gets the blobs to load.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the names, or `NULL`
 *   for all that is there
 */
GETTER (const char *const *, names)

/**
 * c2g_load_options_set_names: (set-property names)
 * @self: the options
 * @names: (nullable) (array zero-terminated=1): the names, or `NULL` for all that is there
 *
 * Sets the blobs to load.
 */
SETTER (const char *const *, names, NAMES)

/**
 * c2g_load_options_get_source_names: (get-property source-names)
 * @self: the options
 *
 * Gets the names of the blobs in the files.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the names, or `NULL`
 *   for those of the blobs
 */
GETTER (const char *const *, source_names)

/**
 * c2g_load_options_set_source_names: (set-property source-names)
 * @self: the options
 * @source_names: (nullable) (array zero-terminated=1): the names, or `NULL` for those of
 *   the blobs
 *
 * Sets the names of the blobs in the files.
 */
SETTER (const char *const *, source_names, SOURCE_NAMES)

/**
 * c2g_load_options_get_strip_prefix: (get-property strip-prefix)
 * @self: the options
 *
 * Gets the prefix that is removed from names.
 *
 * Returns: (transfer none) (nullable): the text, or `NULL`
 */
GETTER (const char *, strip_prefix)

/**
 * c2g_load_options_set_strip_prefix: (set-property strip-prefix)
 * @self: the options
 * @strip_prefix: (nullable): the text; the empty one is as good as `NULL`
 *
 * Sets the prefix that is removed from names.
 */
SETTER (const char *, strip_prefix, STRIP_PREFIX)

/**
 * c2g_load_options_get_add_prefix: (get-property add-prefix)
 * @self: the options
 *
 * Gets the prefix that is added to names.
 *
 * Returns: (transfer none) (nullable): the text, or `NULL`
 */
GETTER (const char *, add_prefix)

/**
 * c2g_load_options_set_add_prefix: (set-property add-prefix)
 * @self: the options
 * @add_prefix: (nullable): the text; the empty one is as good as `NULL`
 *
 * Sets the prefix that is added to names.
 */
SETTER (const char *, add_prefix, ADD_PREFIX)

/**
 * c2g_load_options_dup_name:
 * @self: the options
 * @name: the name of a blob in a file
 *
 * Says what a blob is called after [property@LoadOptions:strip-prefix] and
 * [property@LoadOptions:add-prefix]: the name by which [property@LoadOptions:names] asks for it.
 *
 * Returns: (transfer full): the name, `""` if nothing is left of it
 */
char *
c2g_load_options_dup_name (C2gLoadOptions *self,
                           const char     *name)
{
  const char *strip;
  const char *found;

  g_return_val_if_fail (C2G_IS_LOAD_OPTIONS (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  strip = self->strip_prefix;
  /* As in Caffe2's Load, everything before the text is removed too. */
  found = strip != NULL ? strstr (name, strip) : NULL;
  if (found != NULL)
    name = found + strlen (strip);

  return g_strconcat (self->add_prefix == NULL ? "" : self->add_prefix, name, NULL);
}

/**
 * c2g_load_options_get_load_all: (get-property load-all)
 * @self: the options
 *
 * Gets whether everything is loaded.
 *
 * Returns: true if so
 */
GETTER (gboolean, load_all)

/**
 * c2g_load_options_set_load_all: (set-property load-all)
 * @self: the options
 * @load_all: true if so
 *
 * Sets whether everything is loaded.
 */
SETTER (gboolean, load_all, LOAD_ALL)

/**
 * c2g_load_options_get_allow_incomplete: (get-property allow-incomplete)
 * @self: the options
 *
 * Gets whether blobs may be missing.
 *
 * Returns: true if so
 */
GETTER (gboolean, allow_incomplete)

/**
 * c2g_load_options_set_allow_incomplete: (set-property allow-incomplete)
 * @self: the options
 * @allow_incomplete: true if so
 *
 * Sets whether blobs may be missing.
 */
SETTER (gboolean, allow_incomplete, ALLOW_INCOMPLETE)

/**
 * c2g_load_options_get_skip_unsupported: (get-property skip-unsupported)
 * @self: the options
 *
 * Gets whether unsupported blobs are skipped.
 *
 * Returns: true if so
 */
GETTER (gboolean, skip_unsupported)

/**
 * c2g_load_options_set_skip_unsupported: (set-property skip-unsupported)
 * @self: the options
 * @skip_unsupported: true if so
 *
 * Sets whether unsupported blobs are skipped.
 */
SETTER (gboolean, skip_unsupported, SKIP_UNSUPPORTED)

/**
 * c2g_load_options_get_caffe2_names: (get-property caffe2-names)
 * @self: the options
 *
 * Gets whether the first two blobs of Caffe's layers are called as Caffe2 does.
 *
 * Returns: true if so
 */
GETTER (gboolean, caffe2_names)

/**
 * c2g_load_options_set_caffe2_names: (set-property caffe2-names)
 * @self: the options
 * @caffe2_names: true if so
 *
 * Sets whether the first two blobs of Caffe's layers are called as Caffe2 does.
 */
SETTER (gboolean, caffe2_names, CAFFE2_NAMES)

/**
 * c2g_load_options_get_caffe_blobs: (get-property caffe-blobs)
 * @self: the options
 *
 * Gets whether blobs of Caffe's files become blobs of Caffe.
 *
 * Returns: true if so
 */
GETTER (gboolean, caffe_blobs)

/**
 * c2g_load_options_set_caffe_blobs: (set-property caffe-blobs)
 * @self: the options
 * @caffe_blobs: true if so
 *
 * Sets whether blobs of Caffe's files become blobs of Caffe.
 */
SETTER (gboolean, caffe_blobs, CAFFE_BLOBS)

/**
 * c2g_load_options_get_keep_device: (get-property keep-device)
 * @self: the options
 *
 * Gets whether a tensor is loaded to the device that it was saved from.
 *
 * Returns: true if so
 */
GETTER (gboolean, keep_device)

/**
 * c2g_load_options_set_keep_device: (set-property keep-device)
 * @self: the options
 * @keep_device: true if so
 *
 * Sets whether a tensor is loaded to the device that it was saved from.
 */
SETTER (gboolean, keep_device, KEEP_DEVICE)

/**
 * c2g_load_options_get_device: (get-property device)
 * @self: the options
 *
 * Gets the device that all tensors are loaded to.
 *
 * Returns: (transfer none) (nullable): a device, or `NULL` for none in particular
 */
GETTER (C2gDevice *, device)

/**
 * c2g_load_options_set_device: (set-property device)
 * @self: the options
 * @device: (nullable): a device, or `NULL` for none in particular
 *
 * Sets the device that all tensors are loaded to.
 */
SETTER (C2gDevice *, device, DEVICE)

/**
 * c2g_load_options_get_memory_map: (get-property memory-map)
 * @self: the options
 *
 * Gets whether files are mapped into memory.
 *
 * Returns: true if so
 */
GETTER (gboolean, memory_map)

/**
 * c2g_load_options_set_memory_map: (set-property memory-map)
 * @self: the options
 * @memory_map: true if so
 *
 * Sets whether files are mapped into memory.
 */
SETTER (gboolean, memory_map, MEMORY_MAP)

/**
 * c2g_load_options_get_db_type: (get-property db-type)
 * @self: the options
 *
 * Gets the type of database that the files are.
 *
 * Returns: (transfer none) (nullable): the type, or `NULL` to go by what is in them
 */
GETTER (const char *, db_type)

/**
 * c2g_load_options_set_db_type: (set-property db-type)
 * @self: the options
 * @db_type: (nullable): the type, or `NULL` to go by what is in them
 *
 * Sets the type of database that the files are.
 */
SETTER (const char *, db_type, DB_TYPE)

/**
 * c2g_load_options_get_files: (get-property files)
 * @self: the options
 *
 * Gets the other files to load from.
 *
 * Returns: (transfer none) (nullable): a list of `GFile`, or `NULL`
 */
GETTER (GListModel *, files)

void
c2g_load_options_take_files (C2gLoadOptions *self,
                             GListModel     *files)
{
  g_clear_object (&self->files);
  self->files = files;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_FILES]);
}

/**
 * c2g_load_options_set_files:
 * @self: the options
 * @files: (nullable) (array length=n_files): the files, or `NULL`
 * @n_files: how many there are
 *
 * Sets the other files to load from.
 *
 * ```python
 * options.set_files(['part2.minidb', 'part3.minidb'])
 * ```
 */
void
c2g_load_options_set_files (C2gLoadOptions  *self,
                            GFile          **files,
                            guint            n_files)
{
  GListStore *list;

  g_return_if_fail (C2G_IS_LOAD_OPTIONS (self));
  g_return_if_fail (files != NULL || n_files == 0);
  for (guint i = 0; i < n_files; i++)
    g_return_if_fail (G_IS_FILE (files[i]));

  if (n_files == 0 && self->files == NULL)
    return;
  if (n_files == 0)
    {
      c2g_load_options_take_files (self, NULL);
      return;
    }

  list = g_list_store_new (G_TYPE_FILE);
  for (guint i = 0; i < n_files; i++)
    g_list_store_append (list, files[i]);
  c2g_load_options_take_files (self, G_LIST_MODEL (list));
}

/**
 * c2g_load_options_get_progress: (get-property progress)
 * @self: the options
 *
 * Gets the object that reports the progress of the work.
 *
 * Returns: (transfer none) (nullable): the progress, or `NULL`
 */
GETTER (C2gProgress *, progress)

/**
 * c2g_load_options_set_progress: (set-property progress)
 * @self: the options
 * @progress: (nullable): the progress, or `NULL`
 *
 * Sets the object that reports the progress of the work.
 */
SETTER (C2gProgress *, progress, PROGRESS)
