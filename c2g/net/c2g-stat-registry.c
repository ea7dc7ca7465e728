/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-stat-registry.h>

#include <string.h>

/**
 * C2gStatRegistry:
 *
 * Numbers under names, that operators and programs count up.
 *
 * ```python
 * stats = C2g.StatRegistry.get_default()
 * stats.increment('reader/batches', 1)
 * stats.add_sample('reader/time_ns', 1200)
 * {key: stats.get_value(key) for key in stats.list_keys()}
 * # {'reader/batches': 1, 'reader/time_ns/count': 1, 'reader/time_ns/sum': 1200}
 * ```
 *
 * ## Threads
 *
 * Any number of threads can use a registry at the same time.
 */

struct _C2gStatRegistry
{
  GObject     parent_instance;

  GMutex      lock;
  /* Name → gint64 */
  GHashTable *values;
};

G_DEFINE_FINAL_TYPE (C2gStatRegistry, c2g_stat_registry, G_TYPE_OBJECT)

static void
c2g_stat_registry_finalize (GObject *object)
{
  C2gStatRegistry *self = C2G_STAT_REGISTRY (object);

  g_hash_table_unref (self->values);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_stat_registry_parent_class)->finalize (object);
}

static void
c2g_stat_registry_class_init (C2gStatRegistryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_stat_registry_finalize;
}

static void
c2g_stat_registry_init (C2gStatRegistry *self)
{
  g_mutex_init (&self->lock);
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/**
 * c2g_stat_registry_new:
 *
 * Makes a registry without numbers.
 *
 * Returns: (transfer full): a registry
 */
C2gStatRegistry *
c2g_stat_registry_new (void)
{
  return g_object_new (C2G_TYPE_STAT_REGISTRY, NULL);
}

/**
 * c2g_stat_registry_get_default:
 *
 * Gets the registry of the process.
 *
 * Returns: (transfer full): the registry
 */
C2gStatRegistry *
c2g_stat_registry_get_default (void)
{
  static C2gStatRegistry *registry;

  if (g_once_init_enter (&registry))
    g_once_init_leave (&registry, c2g_stat_registry_new ());

  return g_object_ref (registry);
}

static gint64 *
ensure_value_locked (C2gStatRegistry *self,
                     const char      *key)
{
  gint64 *value = g_hash_table_lookup (self->values, key);

  if (value == NULL)
    {
      value = g_new0 (gint64, 1);
      g_hash_table_insert (self->values, g_strdup (key), value);
    }

  return value;
}

/* What does not fit wraps around. */
static gint64
add_locked (C2gStatRegistry *self,
            const char      *key,
            gint64           amount)
{
  gint64 *value = ensure_value_locked (self, key);

  *value = (gint64) ((guint64) *value + (guint64) amount);
  return *value;
}

/**
 * c2g_stat_registry_increment:
 * @self: a registry
 * @key: the name of a number, which begins with 0
 * @value: what is added to it
 *
 * Counts a number up.
 *
 * Returns: the new number
 */
gint64
c2g_stat_registry_increment (C2gStatRegistry *self,
                             const char      *key,
                             gint64           value)
{
  gint64 result;

  g_return_val_if_fail (C2G_IS_STAT_REGISTRY (self), 0);
  g_return_val_if_fail (key != NULL, 0);

  g_mutex_lock (&self->lock);
  result = add_locked (self, key, value);
  g_mutex_unlock (&self->lock);

  return result;
}

/**
 * c2g_stat_registry_add_sample:
 * @self: a registry
 * @key: the name of what is measured
 * @value: a measurement
 *
 * Adds a measurement to the number `key/sum`, and 1 to `key/count`.
 */
void
c2g_stat_registry_add_sample (C2gStatRegistry *self,
                              const char      *key,
                              gint64           value)
{
  g_autofree char *sum = NULL;
  g_autofree char *count = NULL;

  g_return_if_fail (C2G_IS_STAT_REGISTRY (self));
  g_return_if_fail (key != NULL);

  sum = g_strconcat (key, "/sum", NULL);
  count = g_strconcat (key, "/count", NULL);
  g_mutex_lock (&self->lock);
  add_locked (self, sum, value);
  add_locked (self, count, 1);
  g_mutex_unlock (&self->lock);
}

/**
 * c2g_stat_registry_get_value:
 * @self: a registry
 * @key: the name of a number
 *
 * Gets a number.
 *
 * Returns: the number, 0 if there is none of that name
 */
gint64
c2g_stat_registry_get_value (C2gStatRegistry *self,
                             const char      *key)
{
  gint64 *value;
  gint64 result;

  g_return_val_if_fail (C2G_IS_STAT_REGISTRY (self), 0);
  g_return_val_if_fail (key != NULL, 0);

  g_mutex_lock (&self->lock);
  value = g_hash_table_lookup (self->values, key);
  result = value != NULL ? *value : 0;
  g_mutex_unlock (&self->lock);

  return result;
}

/**
 * c2g_stat_registry_reset:
 * @self: a registry
 * @key: the name of a number
 *
 * Sets a number to 0; none is made where there was none.
 *
 * Returns: what it was
 */
gint64
c2g_stat_registry_reset (C2gStatRegistry *self,
                         const char      *key)
{
  gint64 *value;
  gint64 result;

  g_return_val_if_fail (C2G_IS_STAT_REGISTRY (self), 0);
  g_return_val_if_fail (key != NULL, 0);

  g_mutex_lock (&self->lock);
  value = g_hash_table_lookup (self->values, key);
  result = value != NULL ? *value : 0;
  if (value != NULL)
    *value = 0;
  g_mutex_unlock (&self->lock);

  return result;
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char * const *) a, *(const char * const *) b);
}

/**
 * c2g_stat_registry_list_keys:
 * @self: a registry
 *
 * Lists the names of all numbers.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names, sorted
 */
char **
c2g_stat_registry_list_keys (C2gStatRegistry *self)
{
  GPtrArray *keys;
  GHashTableIter iter;
  gpointer key;

  g_return_val_if_fail (C2G_IS_STAT_REGISTRY (self), NULL);

  keys = g_ptr_array_new ();
  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->values);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (keys, g_strdup (key));
  g_mutex_unlock (&self->lock);

  g_ptr_array_sort (keys, compare_names);
  g_ptr_array_add (keys, NULL);
  return (char **) g_ptr_array_free (keys, FALSE);
}

/* The caller's, with all numbers as they are in one moment. */
static GHashTable *
take_values (C2gStatRegistry *self,
             gboolean         reset)
{
  GHashTable *values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->values);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      g_hash_table_insert (values, g_strdup (key), g_memdup2 (value, sizeof (gint64)));
      if (reset)
        *(gint64 *) value = 0;
    }
  g_mutex_unlock (&self->lock);

  return values;
}

/**
 * c2g_stat_registry_publish:
 * @self: a registry
 * @target: another registry
 * @reset: whether the numbers of @self are set to 0, so that each is told once
 *
 * Adds all numbers to those of another registry.
 */
void
c2g_stat_registry_publish (C2gStatRegistry *self,
                           C2gStatRegistry *target,
                           gboolean         reset)
{
  g_autoptr (GHashTable) values = NULL;
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_return_if_fail (C2G_IS_STAT_REGISTRY (self));
  g_return_if_fail (C2G_IS_STAT_REGISTRY (target) && target != self);

  values = take_values (self, reset);
  g_mutex_lock (&target->lock);
  g_hash_table_iter_init (&iter, values);
  while (g_hash_table_iter_next (&iter, &key, &value))
    add_locked (target, key, *(gint64 *) value);
  g_mutex_unlock (&target->lock);
}
