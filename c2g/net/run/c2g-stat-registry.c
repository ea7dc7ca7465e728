/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-stat-registry.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_SYS_SDT_H
#include <sys/sdt.h>
#endif

/**
 * C2gStatRegistry:
 *
 * Named counters of operators and programs.
 *
 * ```python
 * stats = C2g.StatRegistry.get_default()
 * stats.increment('reader/batches', 1)
 * stats.add_sample('reader/time_ns', 1200)
 * stats.to_variant().unpack()
 * # {'reader/batches': 1, 'reader/time_ns/count': 1, 'reader/time_ns/sum': 1200}
 * ```
 *
 * Names follow Caffe2: `KEY/sum` and `KEY/count` for measurements, `KEY/DETAIL` for the parts
 * of a number.
 *
 * If the library was built with `<sys/sdt.h>`, each increment triggers the probe `c2g:stat`
 * for programs such as bpftrace and perf. Its arguments are the name, the new number and the
 * increment.
 *
 * ## Threads
 *
 * Any number of threads can use a registry at the same time.
 */

struct _C2gStatRegistry
{
  GObject     parent_instance;

  GMutex      lock;
  /* Maps a name to a gint64. */
  GHashTable *values;
  /* Maps the name of a measurement to its first value (gint64). Squares are summed of the
   * distances to it, so that squares of large values do not overflow. */
  GHashTable *offsets;
};

G_DEFINE_FINAL_TYPE (C2gStatRegistry, c2g_stat_registry, G_TYPE_OBJECT)

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
c2g_stat_registry_finalize (GObject *object)
{
  C2gStatRegistry *self = C2G_STAT_REGISTRY (object);

  g_hash_table_unref (self->values);
  g_hash_table_unref (self->offsets);
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
  self->values = new_table ();
  self->offsets = new_table ();
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
 * The library counts the runs of all nets in it: `net/run_us/count` is the number of runs,
 * `net/run_us/sum` their duration in microseconds, and `net/failed_runs` the number of runs
 * that failed or were cancelled. Nets inside of operators count, too.
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
ensure_value (GHashTable *table,
              const char *key,
              gint64      value)
{
  gint64 *old = g_hash_table_lookup (table, key);

  if (old == NULL)
    {
      old = g_memdup2 (&value, sizeof value);
      g_hash_table_insert (table, g_strdup (key), old);
    }

  return old;
}

static gint64
read_value (GHashTable *table,
            const char *key)
{
  const gint64 *value = g_hash_table_lookup (table, key);

  return value != NULL ? *value : 0;
}

/* Signed addition that wraps around on overflow, like the functions below. */
static gint64
add (gint64 a,
     gint64 b)
{
  return (gint64) ((guint64) a + (guint64) b);
}

static gint64
subtract (gint64 a,
          gint64 b)
{
  return (gint64) ((guint64) a - (guint64) b);
}

static gint64
multiply (gint64 a,
          gint64 b)
{
  return (gint64) ((guint64) a * (guint64) b);
}

static gint64
add_locked (C2gStatRegistry *self,
            const char      *key,
            gint64           amount)
{
  gint64 *value = ensure_value (self->values, key, 0);

  *value = add (*value, amount);
  /* A static probe (USDT): a no-op instruction until a tracer attaches. */
#ifdef HAVE_SYS_SDT_H
  DTRACE_PROBE3 (c2g, stat, key, *value, amount);
#endif
  return *value;
}

static void
add_part_locked (C2gStatRegistry *self,
                 const char      *key,
                 const char      *part,
                 gint64           amount)
{
  g_autofree char *name = g_strconcat (key, "/", part, NULL);

  add_locked (self, name, amount);
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
 * c2g_stat_registry_increment_detail:
 * @self: a registry
 * @key: the name of a number, which begins with 0
 * @detail: the name of a part of it
 * @value: what is added to both
 *
 * Counts a number up, and the number `key/detail` of one of its parts.
 *
 * Returns: the new number, of the whole
 */
gint64
c2g_stat_registry_increment_detail (C2gStatRegistry *self,
                                    const char      *key,
                                    const char      *detail,
                                    gint64           value)
{
  gint64 result;

  g_return_val_if_fail (C2G_IS_STAT_REGISTRY (self), 0);
  g_return_val_if_fail (key != NULL, 0);
  g_return_val_if_fail (detail != NULL, 0);

  g_mutex_lock (&self->lock);
  add_part_locked (self, key, detail, value);
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
  g_return_if_fail (C2G_IS_STAT_REGISTRY (self));
  g_return_if_fail (key != NULL);

  g_mutex_lock (&self->lock);
  add_part_locked (self, key, "sum", value);
  add_part_locked (self, key, "count", 1);
  g_mutex_unlock (&self->lock);
}

/**
 * c2g_stat_registry_add_deviation_sample:
 * @self: a registry
 * @key: the name of what is measured
 * @value: a measurement
 *
 * Adds a measurement for which a standard deviation is wanted too.
 *
 * In addition to what [method@StatRegistry.add_sample] counts, its distance from the first
 * measurement is added to `key/sumoffset` and the square of that to `key/sumsqoffset`.
 */
void
c2g_stat_registry_add_deviation_sample (C2gStatRegistry *self,
                                        const char      *key,
                                        gint64           value)
{
  gint64 distance;

  g_return_if_fail (C2G_IS_STAT_REGISTRY (self));
  g_return_if_fail (key != NULL);

  g_mutex_lock (&self->lock);
  distance = subtract (value, *ensure_value (self->offsets, key, value));
  add_part_locked (self, key, "sum", value);
  add_part_locked (self, key, "count", 1);
  add_part_locked (self, key, "sumoffset", distance);
  add_part_locked (self, key, "sumsqoffset", multiply (distance, distance));
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
  gint64 result;

  g_return_val_if_fail (C2G_IS_STAT_REGISTRY (self), 0);
  g_return_val_if_fail (key != NULL, 0);

  g_mutex_lock (&self->lock);
  result = read_value (self->values, key);
  g_mutex_unlock (&self->lock);

  return result;
}

static gint64
read_part_locked (C2gStatRegistry *self,
                  const char      *key,
                  const char      *part)
{
  g_autofree char *name = g_strconcat (key, "/", part, NULL);

  return read_value (self->values, name);
}

/**
 * c2g_stat_registry_get_deviation:
 * @self: a registry
 * @key: the name of what is measured
 *
 * Gets the standard deviation of what [method@StatRegistry.add_deviation_sample] added.
 *
 * It is the sample standard deviation: the sum of squares is divided by n - 1.
 *
 * Returns: the deviation, 0 for less than two measurements
 */
double
c2g_stat_registry_get_deviation (C2gStatRegistry *self,
                                 const char      *key)
{
  double count;
  double sum;
  double squares;

  g_return_val_if_fail (C2G_IS_STAT_REGISTRY (self), 0);
  g_return_val_if_fail (key != NULL, 0);

  g_mutex_lock (&self->lock);
  count = (double) read_part_locked (self, key, "count");
  sum = (double) read_part_locked (self, key, "sumoffset");
  squares = (double) read_part_locked (self, key, "sumsqoffset");
  g_mutex_unlock (&self->lock);

  return count < 2 ? 0 : sqrt (MAX (squares - sum * sum / count, 0) / (count - 1));
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

/* Returns a copy of all numbers at one moment, owned by the caller. With RESET sets them to 0. */
static GHashTable *
take_values_locked (C2gStatRegistry *self,
                    gboolean         reset)
{
  GHashTable *values = new_table ();
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_hash_table_iter_init (&iter, self->values);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      ensure_value (values, key, *(gint64 *) value);
      if (reset)
        *(gint64 *) value = 0;
    }

  return values;
}

/**
 * c2g_stat_registry_to_variant:
 * @self: a registry
 *
 * Gets all numbers as they are in one moment.
 *
 * Returns: (transfer full): a dictionary of the type `a{sx}`, sorted by name
 */
GVariant *
c2g_stat_registry_to_variant (C2gStatRegistry *self)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a{sx}"));
  g_autoptr (GHashTable) values = NULL;
  g_autofree gpointer *keys = NULL;
  guint n_keys;

  g_return_val_if_fail (C2G_IS_STAT_REGISTRY (self), NULL);

  g_mutex_lock (&self->lock);
  values = take_values_locked (self, FALSE);
  g_mutex_unlock (&self->lock);

  keys = g_hash_table_get_keys_as_array (values, &n_keys);
  qsort (keys, n_keys, sizeof *keys, compare_names);
  for (guint i = 0; i < n_keys; i++)
    g_variant_builder_add (&builder, "{sx}", (const char *) keys[i],
                           read_value (values, keys[i]));
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

static gint64 *
find_part (GHashTable *values,
           const char *key,
           const char *part)
{
  g_autofree char *name = g_strconcat (key, "/", part, NULL);

  return ensure_value (values, name, 0);
}

/* Converts sums of distances from the reference FROM to the reference TO. With D = FROM - TO and
 * n measurements: sum' = sum + n D, squares' = squares + D (2 sum + n D). */
static void
move_offset (GHashTable *values,
             const char *key,
             gint64      from,
             gint64      to)
{
  gint64 distance = subtract (from, to);
  gint64 moved = multiply (*find_part (values, key, "count"), distance);
  gint64 *sum = find_part (values, key, "sumoffset");
  gint64 *squares = find_part (values, key, "sumsqoffset");

  *squares = add (*squares, multiply (distance, add (multiply (2, *sum), moved)));
  *sum = add (*sum, moved);
}

/* Returns a copy of the numbers, and copies the first measurements to OFFSETS. */
static GHashTable *
take_values (C2gStatRegistry *self,
             GHashTable      *offsets,
             gboolean         reset)
{
  GHashTable *values;
  GHashTableIter iter;
  gpointer key;
  gpointer offset;

  g_mutex_lock (&self->lock);
  values = take_values_locked (self, reset);
  g_hash_table_iter_init (&iter, self->offsets);
  while (g_hash_table_iter_next (&iter, &key, &offset))
    ensure_value (offsets, key, *(gint64 *) offset);
  g_mutex_unlock (&self->lock);

  return values;
}

/**
 * c2g_stat_registry_publish:
 * @self: a registry
 * @target: another registry
 * @reset: whether the numbers of @self are set to 0, so that each count is published only once
 *
 * Adds all numbers to those of another registry; a registry published to itself stays as it is.
 *
 * Deviations then include the measurements of both registries.
 */
void
c2g_stat_registry_publish (C2gStatRegistry *self,
                           C2gStatRegistry *target,
                           gboolean         reset)
{
  g_autoptr (GHashTable) offsets = new_table ();
  g_autoptr (GHashTable) values = NULL;
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_return_if_fail (C2G_IS_STAT_REGISTRY (self));
  g_return_if_fail (C2G_IS_STAT_REGISTRY (target));

  if (target == self)
    return;

  values = take_values (self, offsets, reset);
  g_mutex_lock (&target->lock);
  g_hash_table_iter_init (&iter, offsets);
  while (g_hash_table_iter_next (&iter, &key, &value))
    move_offset (values, key, *(gint64 *) value,
                 *ensure_value (target->offsets, key, *(gint64 *) value));
  g_hash_table_iter_init (&iter, values);
  while (g_hash_table_iter_next (&iter, &key, &value))
    add_locked (target, key, *(gint64 *) value);
  g_mutex_unlock (&target->lock);
}
