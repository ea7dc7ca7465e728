/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-bar.h"
#include "c2g-text-utils.h"

#include <glib/gi18n.h>

/* Formats the progress bar. c2g-watch.c prints it. */

/* Least and most columns of the bar itself. */
#define MIN_WIDTH 8
#define MAX_WIDTH 40

#define GAP 2

/* Usual columns of a size and of the time left; larger numbers are rare. */
#define SIZE_WIDTH 9
#define TIME_WIDTH 5

#define GREEN "\033[32m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

static double
get_fraction (const C2gBar *self)
{
  return MIN (1.0, (double) self->n_bytes_done / self->n_bytes_total);
}

static double
get_rate (const C2gBar *self)
{
  return (double) self->n_bytes_done * G_USEC_PER_SEC / MAX (self->elapsed, 1);
}

/* Formats the time left at the present rate. */
static char *
format_time_left (const C2gBar *self)
{
  double rate = get_rate (self);
  double left;
  guint64 seconds;

  if (rate < 1 || self->n_bytes_done > self->n_bytes_total)
    return g_strdup ("");
  left = (self->n_bytes_total - self->n_bytes_done) / rate;
  if (left > 100 * 3600)
    return g_strdup ("");

  seconds = (guint64) (left + 0.5);
  if (seconds >= 3600)
    return g_strdup_printf ("%u:%02u:%02u", (guint) (seconds / 3600),
                            (guint) (seconds / 60 % 60), (guint) (seconds % 60));
  return g_strdup_printf ("%u:%02u", (guint) (seconds / 60), (guint) (seconds % 60));
}

/* Pads the text on the left to a width, so that columns after it do not move. Takes ownership of
 * the text. */
static char *
pad (char  *text,
     gsize  width)
{
  g_autofree char *old = text;
  gsize text_width = c2g_text_width (old);

  return g_strdup_printf ("%*s%s", text_width < width ? (int) (width - text_width) : 0, "", old);
}

/* Formats the numbers after the bar. */
static char *
format_figures (const C2gBar *self)
{
  g_autofree char *done = pad (c2g_text_format_size (self->n_bytes_done), SIZE_WIDTH);
  g_autofree char *total = c2g_text_format_size (self->n_bytes_total);
  g_autofree char *rate = pad (c2g_text_format_size ((guint64) MIN (get_rate (self), (double) G_MAXINT64)), SIZE_WIDTH);
  g_autofree char *left = pad (format_time_left (self), TIME_WIDTH);

  /* Translators: how much is done, how much there is to do, how much is done in a second,
   * and the time that is left */
  return g_strdup_printf (_("%s of %s  %s/s  %s"), done, total, rate, left);
}

static void
append_repeated (GString    *string,
                 const char *text,
                 gsize       n)
{
  for (gsize i = 0; i < n; i++)
    g_string_append (string, text);
}

static void
append_line (GString  *string,
             double    fraction,
             gsize     width,
             gboolean  is_utf8,
             gboolean  has_colour)
{
  gsize n_done = (gsize) (fraction * width);

  g_string_append (string, has_colour ? GREEN : "");
  append_repeated (string, is_utf8 ? "━" : "=", n_done);
  g_string_append (string, has_colour ? PLAIN DIM : "");
  append_repeated (string, is_utf8 ? "─" : "-", width - n_done);
  g_string_append (string, has_colour ? PLAIN : "");
}

/* Without a known total only the bytes done are shown. */
static char *
count_to_string (const C2gBar *self,
                 gsize         max_width)
{
  g_autofree char *done = c2g_text_format_size (self->n_bytes_done);
  g_autofree char *text = g_strdup_printf ("%s  %s", self->title, done);

  return c2g_text_shorten (text, max_width);
}

/* If there is no room, leaves out the numbers first, then the bar. */
static char *
bar_to_string (const C2gBar *self,
               gsize         max_width,
               gboolean      is_utf8,
               gboolean      has_colour)
{
  g_autoptr (GString) string = NULL;
  double fraction = get_fraction (self);
  g_autofree char *figures = format_figures (self);
  g_autofree char *text = g_strdup_printf ("%s  %3d%%", self->title, (int) (fraction * 100));
  gsize text_width = c2g_text_width (text) + GAP;
  gsize width = text_width + c2g_text_width (figures) + GAP;

  if (width + MIN_WIDTH > max_width)
    {
      g_clear_pointer (&figures, g_free);
      width = text_width;
    }
  if (width + MIN_WIDTH > max_width)
    return c2g_text_shorten (text, max_width);

  string = g_string_new (text);
  append_repeated (string, " ", GAP);
  append_line (string, fraction, MIN (max_width - width, MAX_WIDTH), is_utf8, has_colour);
  if (figures != NULL)
    g_string_append_printf (string, "%*s%s", GAP, "", figures);
  return g_strdup (string->str);
}

char *
c2g_bar_to_string (const C2gBar *self,
                   gsize         max_width,
                   gboolean      is_utf8,
                   gboolean      has_colour)
{
  if (self->n_bytes_total == 0)
    return count_to_string (self, max_width);
  return bar_to_string (self, max_width, is_utf8, has_colour);
}
