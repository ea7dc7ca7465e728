/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/device/c2g-random-private.h>

#include <c2g/core/tensor/c2g-element-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

#include <math.h>

/* Draws random numbers on the CPU, for contexts: from uniform and normal distributions, for all numeric
 * types. A normal number is clamped to the range of an integer type and truncated. As a boolean every
 * number above 0 is true. The lock is held for a whole fill, so that its numbers follow each other in
 * the sequence of the seed. */

#define TWO_TO_63  9223372036854775808.0
#define TWO_TO_64  18446744073709551616.0

/* Limit on the tries to draw a number that is inside the interval after rounding. */
#define MAX_DRAWS  64

/* Gets the range of an integer type, from min to below end, where booleans are integers. Returns FALSE
 * for floating-point types. */
static gboolean
get_whole_range (C2gTypeMeta *meta,
                 double      *min,
                 double      *end)
{
  switch (meta->data_type)
    {
    case C2G_DATA_TYPE_BOOL:
      *min = 0, *end = 2;
      return TRUE;
    case C2G_DATA_TYPE_INT8:
      *min = G_MININT8, *end = G_MAXINT8 + 1.0;
      return TRUE;
    case C2G_DATA_TYPE_UINT8:
      *min = 0, *end = G_MAXUINT8 + 1.0;
      return TRUE;
    case C2G_DATA_TYPE_INT16:
      *min = G_MININT16, *end = G_MAXINT16 + 1.0;
      return TRUE;
    case C2G_DATA_TYPE_UINT16:
      *min = 0, *end = G_MAXUINT16 + 1.0;
      return TRUE;
    case C2G_DATA_TYPE_INT32:
      *min = G_MININT32, *end = G_MAXINT32 + 1.0;
      return TRUE;
    case C2G_DATA_TYPE_UINT32:
      *min = 0, *end = G_MAXUINT32 + 1.0;
      return TRUE;
    case C2G_DATA_TYPE_INT64:
      *min = -TWO_TO_63, *end = TWO_TO_63;
      return TRUE;
    case C2G_DATA_TYPE_UINT64:
      *min = 0, *end = TWO_TO_64;
      return TRUE;
    default:
      return FALSE;
    }
}

void
c2g_random_init (C2gRandom *self)
{
  g_mutex_init (&self->lock);
  self->rand = NULL;
}

void
c2g_random_clear (C2gRandom *self)
{
  g_clear_pointer (&self->rand, g_rand_free);
  g_mutex_clear (&self->lock);
}

void
c2g_random_seed (C2gRandom *self,
                 guint64    seed)
{
  const guint32 words[] = { seed & G_MAXUINT32, seed >> 32 };

  g_mutex_lock (&self->lock);
  if (self->rand == NULL)
    self->rand = g_rand_new_with_seed_array (words, G_N_ELEMENTS (words));
  else
    g_rand_set_seed_array (self->rand, words, G_N_ELEMENTS (words));
  g_mutex_unlock (&self->lock);
}

static gboolean
check_number (C2gTypeMeta  *meta,
              GError      **error)
{
  if (c2g_element_is_number (meta))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE, _("Expected elements that are numbers, got “%s”"),
                   meta->name);
}

/* Fails if a bound is outside the range of the type. */
static gboolean
check_real_bounds (C2gTypeMeta  *meta,
                   double        low,
                   double        high,
                   GError      **error)
{
  guint64 item;
  double first, end;

  if (!c2g_element_set_double (meta, &item, low, error) ||
      !c2g_element_get_double (meta, &item, &first, error) ||
      !c2g_element_set_double (meta, &item, high, error) ||
      !c2g_element_get_double (meta, &item, &end, error))
    return FALSE;

  if (isfinite (first) && isfinite (end))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("An interval from %g to %g is not within the type “%s”"), low, high,
                   meta->name);
}

gboolean
c2g_random_check_uniform (C2gTypeMeta  *meta,
                          double        low,
                          double        high,
                          GError      **error)
{
  double min, end;

  if (!check_number (meta, error))
    return FALSE;

  if (!isfinite (low) || !isfinite (high) || low > high)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Numbers cannot be drawn from an interval from %g to %g"), low, high);

  if (!get_whole_range (meta, &min, &end))
    return check_real_bounds (meta, low, high, error);

  if (ceil (low) >= min && ceil (high) <= end && ceil (low) < ceil (high))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("An interval from %g to %g has no integers, or others than those of type “%s”"),
                   low, high, meta->name);
}

gboolean
c2g_random_check_normal (C2gTypeMeta  *meta,
                         double        mean,
                         double        deviation,
                         GError      **error)
{
  if (!check_number (meta, error))
    return FALSE;

  if (isfinite (mean) && isfinite (deviation) && deviation >= 0)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("There is no normal distribution of mean %g and deviation %g"), mean,
                   deviation);
}

static guint64
draw_bits (GRand *rand)
{
  const guint64 high = g_rand_int (rand);

  return high << 32 | g_rand_int (rand);
}

/* Called with the lock held. */
static GRand *
get_rand (C2gRandom *self)
{
  if (self->rand == NULL)
    self->rand = g_rand_new ();

  return self->rand;
}

/* Draws an integer from 0 to below n_values; 0 means 2^64. The high word of a product takes the place of a
 * division (Lemire 2019); no draw is rejected, so probabilities differ by less than n_values / 2^64. */
static guint64
draw_whole (GRand   *rand,
            guint64  n_values)
{
  const guint64 bits = draw_bits (rand);

  return n_values != 0 ? ((unsigned __int128) bits * n_values) >> 64 : bits;
}

/* Converts an integer from -2^63 to 2^64 to two's complement, modulo 2^64. */
static guint64
bits_of_whole (double whole)
{
  if (whole >= TWO_TO_64)
    return 0;

  return whole >= 0 ? (guint64) whole : (guint64) (gint64) whole;
}

/* Checks for cancellation, but only once in many elements. The elements that follow keep what they had. */
static gboolean
is_cancelled (gsize i)
{
  return i % C2G_INTERRUPT_ELEMENTS == 0 && c2g_interrupt_is_wanted ();
}

static void
fill_whole (GRand       *rand,
            C2gTypeMeta *meta,
            gpointer     items,
            gsize        n_items,
            double       low,
            double       high)
{
  const guint64 first = bits_of_whole (ceil (low));
  const guint64 n_values = bits_of_whole (ceil (high)) - first;

  for (gsize i = 0; i < n_items && !is_cancelled (i); i++)
    {
      const guint64 drawn = first + draw_whole (rand, n_values);

      switch (meta->item_size)
        {
        case sizeof (guint8):
          ((guint8 *) items)[i] = drawn;
          break;
        case sizeof (guint16):
          ((guint16 *) items)[i] = drawn;
          break;
        case sizeof (guint32):
          ((guint32 *) items)[i] = drawn;
          break;
        case sizeof (guint64):
        default:
          ((guint64 *) items)[i] = drawn;
          break;
        }
    }
}

/* Draws a number from the interval. Rounding it to the type may give high, which is not in the interval:
 * then it draws again, up to MAX_DRAWS times. In an interval that is too narrow for the type this cannot
 * succeed, and the result is low. */
static void
draw_real (GRand       *rand,
           C2gTypeMeta *meta,
           gpointer     item,
           double       low,
           double       high)
{
  for (int i = 0; i < MAX_DRAWS; i++)
    {
      const double part = g_rand_double (rand);
      double drawn;

      /* Unlike low + (high - low) * part, this cannot overflow. */
      c2g_element_set_nearest (meta, item, low * (1 - part) + high * part);
      c2g_element_get_double (meta, item, &drawn, NULL);
      if (drawn < high)
        return;
    }

  c2g_element_set_nearest (meta, item, low);
}

void
c2g_random_fill_uniform (C2gRandom   *self,
                         C2gTypeMeta *meta,
                         gpointer     items,
                         gsize        n_items,
                         double       low,
                         double       high)
{
  double min, end;

  g_mutex_lock (&self->lock);
  if (get_whole_range (meta, &min, &end))
    fill_whole (get_rand (self), meta, items, n_items, low, high);
  else
    for (gsize i = 0; i < n_items && !is_cancelled (i); i++)
      draw_real (get_rand (self), meta, (char *) items + i * meta->item_size, low, high);
  g_mutex_unlock (&self->lock);
}

/* Box-Muller transform: two independent numbers from the standard normal distribution. A draw can be 0 but
 * not 1, and 0 has no logarithm: hence 1 - draw. */
static void
draw_normals (GRand  *rand,
              double  drawn[2])
{
  const double radius = sqrt (-2 * log (1 - g_rand_double (rand)));
  const double angle = 2 * G_PI * g_rand_double (rand);

  drawn[0] = radius * cos (angle);
  drawn[1] = radius * sin (angle);
}

void
c2g_random_fill_normal (C2gRandom   *self,
                        C2gTypeMeta *meta,
                        gpointer     items,
                        gsize        n_items,
                        double       mean,
                        double       deviation)
{
  double min = -INFINITY, end = INFINITY, max;
  double drawn[2] = { 0, 0 };

  get_whole_range (meta, &min, &end);
  /* The largest number below the end. */
  max = isfinite (end) ? nextafter (end, 0) : end;

  g_mutex_lock (&self->lock);
  for (gsize i = 0; i < n_items && !is_cancelled (i); i++)
    {
      double value;

      if (i % 2 == 0)
        draw_normals (get_rand (self), drawn);
      value = mean + deviation * drawn[i % 2];
      c2g_element_set_nearest (meta, (char *) items + i * meta->item_size,
                               CLAMP (value, min, max));
    }
  g_mutex_unlock (&self->lock);
}
