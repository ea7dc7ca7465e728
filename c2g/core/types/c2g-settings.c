/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-settings-private.h>
#include <c2g/core/types/c2g-settings.h>

#include <c2g/core/types/c2g-property-private.h>

/**
 * C2gSettings:
 *
 * The settings of the process, which some objects can override.
 *
 * The settings are initialized from the environment and changed with the object of
 * [func@Settings.get_default]. They are read when they are needed, so a change has effect from
 * then on.
 *
 * | property               | environment              | default  |
 * |------------------------|--------------------------|----------|
 * | `keep-on-shrink`       | `C2G_KEEP_ON_SHRINK`     | true     |
 * | `max-keep-on-shrink`   | `C2G_MAX_KEEP_ON_SHRINK` | no limit |
 * | `zero-fill`            | `C2G_ZERO_FILL`          | false    |
 * | `log-memory`           | `C2G_LOG_MEMORY`         | false    |
 * | `n-threads`            | `C2G_N_THREADS`          | 0        |
 * | `tune`                 | `C2G_TUNE`               | false    |
 *
 * In the environment, true is "1", "true", "yes" or "on", false is "0", "false", "no" or
 * "off", a limit is a number of bytes, and the number of threads is from 0, which means the
 * number of processors, to 1024. Anything else is ignored with a warning. The environment is
 * read once, before the first use.
 *
 * ```python
 * C2g.Settings.get_default().set_zero_fill(True)
 * ```
 *
 * ## Threads
 *
 * All functions may be called from any thread. `notify` is emitted in the thread
 * that made the change.
 */

struct _C2gSettings
{
  GObject parent_instance;
};

enum
{
  PROP_0,
  PROP_KEEP_ON_SHRINK,
  PROP_MAX_KEEP_ON_SHRINK,
  PROP_ZERO_FILL,
  PROP_LOG_MEMORY,
  PROP_N_THREADS,
  PROP_TUNE,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

gboolean c2g_settings_keep_on_shrink = TRUE;
guint64 c2g_settings_max_keep_on_shrink = G_MAXUINT64;
gboolean c2g_settings_zero_fill = FALSE;
gboolean c2g_settings_log_memory = FALSE;
guint c2g_settings_n_threads = 0;
gboolean c2g_settings_tune = FALSE;

G_DEFINE_FINAL_TYPE (C2gSettings, c2g_settings, G_TYPE_OBJECT)

static void
read_boolean (const char *variable,
              gboolean   *setting)
{
  static const char *const yes[] = { "1", "true", "yes", "on", NULL };
  static const char *const no[] = { "0", "false", "no", "off", "", NULL };
  const char *text = g_getenv (variable);
  g_autofree char *lower = NULL;

  if (text == NULL)
    return;

  lower = g_ascii_strdown (text, -1);
  if (g_strv_contains (yes, lower))
    *setting = TRUE;
  else if (g_strv_contains (no, lower))
    *setting = FALSE;
  else
    g_warning ("%s must be true or false, got “%s”", variable, text);
}

static void
read_bytes (const char *variable,
            guint64    *setting)
{
  const char *text = g_getenv (variable);
  guint64 number;

  if (text == NULL)
    return;

  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &number, NULL))
    *setting = number;
  else
    g_warning ("%s must be a number of bytes, got “%s”", variable, text);
}

static void
read_threads (const char *variable,
              guint      *setting)
{
  const char *text = g_getenv (variable);
  guint64 number;

  if (text == NULL)
    return;

  if (g_ascii_string_to_unsigned (text, 10, 0, C2G_SETTINGS_MAX_THREADS, &number, NULL))
    *setting = (guint) number;
  else
    g_warning ("%s must be a number from 0 to %d, got “%s”", variable, C2G_SETTINGS_MAX_THREADS,
               text);
}

void
c2g_settings_ensure (void)
{
  static gsize is_read = 0;

  if (!g_once_init_enter (&is_read))
    return;

  read_boolean ("C2G_KEEP_ON_SHRINK", &c2g_settings_keep_on_shrink);
  read_bytes ("C2G_MAX_KEEP_ON_SHRINK", &c2g_settings_max_keep_on_shrink);
  read_boolean ("C2G_ZERO_FILL", &c2g_settings_zero_fill);
  read_boolean ("C2G_LOG_MEMORY", &c2g_settings_log_memory);
  read_threads ("C2G_N_THREADS", &c2g_settings_n_threads);
  read_boolean ("C2G_TUNE", &c2g_settings_tune);

  g_once_init_leave (&is_read, 1);
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_KEEP_ON_SHRINK] = C2G_PROPERTY (c2g_settings, keep_on_shrink),
  [PROP_MAX_KEEP_ON_SHRINK] = C2G_PROPERTY (c2g_settings, max_keep_on_shrink),
  [PROP_ZERO_FILL] = C2G_PROPERTY (c2g_settings, zero_fill),
  [PROP_LOG_MEMORY] = C2G_PROPERTY (c2g_settings, log_memory),
  [PROP_N_THREADS] = C2G_PROPERTY (c2g_settings, n_threads),
  [PROP_TUNE] = C2G_PROPERTY (c2g_settings, tune),
};

/* A singleton: every construction returns the same object. */
static GObject *
c2g_settings_constructor (GType                  type,
                          guint                  n_properties,
                          GObjectConstructParam *properties)
{
  static GMutex lock;
  static GObject *only;

  g_mutex_lock (&lock);
  if (only == NULL)
    only = G_OBJECT_CLASS (c2g_settings_parent_class)->constructor (type, n_properties, properties);
  g_mutex_unlock (&lock);

  return g_object_ref (only);
}

static void
c2g_settings_class_init (C2gSettingsClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  c2g_settings_ensure ();
  object_class->constructor = c2g_settings_constructor;

  /**
   * C2gSettings:keep-on-shrink: (getter get_keep_on_shrink) (setter set_keep_on_shrink)
   *
   * Whether a tensor keeps its memory when it becomes smaller.
   *
   * If it is false, every resize that changes the number of elements frees the memory.
   */
  props[PROP_KEEP_ON_SHRINK] =
    g_param_spec_boolean ("keep-on-shrink", NULL, NULL, TRUE, flags);

  /**
   * C2gSettings:max-keep-on-shrink: (getter get_max_keep_on_shrink) (setter set_max_keep_on_shrink)
   *
   * The maximum number of unused bytes that a tensor keeps when it is resized.
   *
   * A resize that changes the number of elements and would leave more frees the memory.
   */
  props[PROP_MAX_KEEP_ON_SHRINK] =
    g_param_spec_uint64 ("max-keep-on-shrink", NULL, NULL, 0, G_MAXUINT64, G_MAXUINT64, flags);

  /**
   * C2gSettings:zero-fill: (getter get_zero_fill) (setter set_zero_fill)
   *
   * Whether new memory is filled with zeros, on all devices.
   */
  props[PROP_ZERO_FILL] =
    g_param_spec_boolean ("zero-fill", NULL, NULL, FALSE, flags);

  /**
   * C2gSettings:log-memory: (getter get_log_memory) (setter set_log_memory)
   *
   * Whether each allocation and each release is logged.
   *
   * They are debug messages of the domain `C2g`: `G_MESSAGES_DEBUG=C2g` in the
   * environment shows them.
   */
  props[PROP_LOG_MEMORY] =
    g_param_spec_boolean ("log-memory", NULL, NULL, FALSE, flags);

  /**
   * C2gSettings:n-threads: (getter get_n_threads) (setter set_n_threads)
   *
   * The maximum number of threads of a built-in operator, including the one that runs it.
   *
   * 0 means the number of processors. In builds without oneDNN, matrix products use OpenBLAS, which
   * has its own settings (`OPENBLAS_NUM_THREADS`).
   */
  props[PROP_N_THREADS] =
    g_param_spec_uint ("n-threads", NULL, NULL, 0, C2G_SETTINGS_MAX_THREADS, 0, flags);

  /**
   * C2gSettings:tune: (getter get_tune) (setter set_tune)
   *
   * Whether operators measure which of several implementations is the fastest.
   *
   * A convolution on the CPU then measures each in its first run with new shapes, which takes
   * several times as long, and uses the fastest from then on. All operators with the same shapes
   * share what was measured; [method@Settings.save_tuning] keeps it for other processes. Otherwise
   * rules choose, and the same runs give the same results: implementations differ in rounding.
   * On CUDA devices cuDNN measures its algorithms, for this process only.
   *
   * When 10 000 choices are known, rules choose for all other shapes. A build of c2g without oneDNN
   * has nothing to choose from, and warns when a convolution runs.
   */
  props[PROP_TUNE] = g_param_spec_boolean ("tune", NULL, NULL, FALSE, flags);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_settings_init (C2gSettings *self)
{
}

static void
set_boolean (C2gSettings *self,
             gboolean    *setting,
             gboolean     value,
             guint        prop_id)
{
  value = !!value;

  if (__atomic_exchange_n (setting, value, __ATOMIC_RELAXED) != value)
    g_object_notify_by_pspec (G_OBJECT (self), props[prop_id]);
}

/**
 * c2g_settings_get_default:
 *
 * Gets the settings of the process.
 *
 * Returns: (transfer full): the settings
 */
C2gSettings *
c2g_settings_get_default (void)
{
  static C2gSettings *settings;

  /* Construct only once: in GObject, two threads that construct an existing singleton share a
   * queue of notifications, which counts only one of them. */
  if (g_once_init_enter (&settings))
    g_once_init_leave (&settings, g_object_new (C2G_TYPE_SETTINGS, NULL));

  return g_object_ref (settings);
}

/**
 * c2g_settings_get_keep_on_shrink: (get-property keep-on-shrink)
 * @self: the settings
 *
 * Gets whether a tensor keeps its memory when it becomes smaller.
 *
 * Returns: true if it does
 */
gboolean
c2g_settings_get_keep_on_shrink (C2gSettings *self)
{
  g_return_val_if_fail (C2G_IS_SETTINGS (self), TRUE);

  return g_atomic_int_get (&c2g_settings_keep_on_shrink);
}

/**
 * c2g_settings_set_keep_on_shrink: (set-property keep-on-shrink)
 * @self: the settings
 * @keep_on_shrink: whether to keep memory
 *
 * Sets whether a tensor keeps its memory when it becomes smaller.
 *
 * Tensors with their own setting are not affected.
 */
void
c2g_settings_set_keep_on_shrink (C2gSettings *self,
                                 gboolean     keep_on_shrink)
{
  g_return_if_fail (C2G_IS_SETTINGS (self));

  set_boolean (self, &c2g_settings_keep_on_shrink, keep_on_shrink, PROP_KEEP_ON_SHRINK);
}

/**
 * c2g_settings_get_max_keep_on_shrink: (get-property max-keep-on-shrink)
 * @self: the settings
 *
 * Gets how many unused bytes a tensor may keep when it is resized.
 *
 * Returns: the limit in bytes
 */
guint64
c2g_settings_get_max_keep_on_shrink (C2gSettings *self)
{
  g_return_val_if_fail (C2G_IS_SETTINGS (self), G_MAXUINT64);

  return __atomic_load_n (&c2g_settings_max_keep_on_shrink, __ATOMIC_RELAXED);
}

/**
 * c2g_settings_set_max_keep_on_shrink: (set-property max-keep-on-shrink)
 * @self: the settings
 * @n_bytes: the limit in bytes
 *
 * Sets how many unused bytes a tensor may keep when it is resized.
 *
 * Tensors with their own setting are not affected.
 */
void
c2g_settings_set_max_keep_on_shrink (C2gSettings *self,
                                     guint64      n_bytes)
{
  guint64 *setting = &c2g_settings_max_keep_on_shrink;

  g_return_if_fail (C2G_IS_SETTINGS (self));

  if (__atomic_exchange_n (setting, n_bytes, __ATOMIC_RELAXED) != n_bytes)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MAX_KEEP_ON_SHRINK]);
}

/**
 * c2g_settings_get_zero_fill: (get-property zero-fill)
 * @self: the settings
 *
 * Gets whether new memory is filled with zeros, on all devices.
 *
 * Returns: true if it is
 */
gboolean
c2g_settings_get_zero_fill (C2gSettings *self)
{
  g_return_val_if_fail (C2G_IS_SETTINGS (self), FALSE);

  return g_atomic_int_get (&c2g_settings_zero_fill);
}

/**
 * c2g_settings_set_zero_fill: (set-property zero-fill)
 * @self: the settings
 * @zero_fill: whether to fill new memory
 *
 * Sets whether new memory is filled with zeros, on all devices.
 */
void
c2g_settings_set_zero_fill (C2gSettings *self,
                            gboolean     zero_fill)
{
  g_return_if_fail (C2G_IS_SETTINGS (self));

  set_boolean (self, &c2g_settings_zero_fill, zero_fill, PROP_ZERO_FILL);
}

/**
 * c2g_settings_get_log_memory: (get-property log-memory)
 * @self: the settings
 *
 * Gets whether each allocation and each release is logged.
 *
 * Returns: true if it is
 */
gboolean
c2g_settings_get_log_memory (C2gSettings *self)
{
  g_return_val_if_fail (C2G_IS_SETTINGS (self), FALSE);

  return g_atomic_int_get (&c2g_settings_log_memory);
}

/**
 * c2g_settings_set_log_memory: (set-property log-memory)
 * @self: the settings
 * @log_memory: whether to log
 *
 * Sets whether each allocation and each release is logged.
 */
void
c2g_settings_set_log_memory (C2gSettings *self,
                             gboolean     log_memory)
{
  g_return_if_fail (C2G_IS_SETTINGS (self));

  set_boolean (self, &c2g_settings_log_memory, log_memory, PROP_LOG_MEMORY);
}

/**
 * c2g_settings_get_n_threads: (get-property n-threads)
 * @self: the settings
 *
 * Gets how many threads an operator of the library may use.
 *
 * Returns: the number, 0 for as many as there are processors
 */
guint
c2g_settings_get_n_threads (C2gSettings *self)
{
  g_return_val_if_fail (C2G_IS_SETTINGS (self), 0);

  return __atomic_load_n (&c2g_settings_n_threads, __ATOMIC_RELAXED);
}

/**
 * c2g_settings_set_n_threads: (set-property n-threads)
 * @self: the settings
 * @n_threads: the number, at most 1024, or 0 for as many as there are processors
 *
 * Sets how many threads an operator of the library may use.
 */
void
c2g_settings_set_n_threads (C2gSettings *self,
                            guint        n_threads)
{
  guint *setting = &c2g_settings_n_threads;

  g_return_if_fail (C2G_IS_SETTINGS (self));
  g_return_if_fail (n_threads <= C2G_SETTINGS_MAX_THREADS);

  if (__atomic_exchange_n (setting, n_threads, __ATOMIC_RELAXED) != n_threads)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_THREADS]);
}

/**
 * c2g_settings_get_tune: (get-property tune)
 * @self: the settings
 *
 * Gets whether operators measure which of several implementations is the fastest.
 *
 * Returns: true if they do
 */
gboolean
c2g_settings_get_tune (C2gSettings *self)
{
  g_return_val_if_fail (C2G_IS_SETTINGS (self), FALSE);

  return g_atomic_int_get (&c2g_settings_tune);
}

/**
 * c2g_settings_set_tune: (set-property tune)
 * @self: the settings
 * @tune: whether to measure
 *
 * Sets whether operators measure which of several implementations is the fastest.
 */
void
c2g_settings_set_tune (C2gSettings *self,
                       gboolean     tune)
{
  g_return_if_fail (C2G_IS_SETTINGS (self));

  set_boolean (self, &c2g_settings_tune, tune, PROP_TUNE);
}
