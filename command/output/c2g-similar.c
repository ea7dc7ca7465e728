/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-similar.h"

#include <glib/gi18n.h>

#include <string.h>

/* Finds names similar to a mistyped one, for error messages. */

/* Limit on the length of names: comparing longer ones is slow. */
#define MAX_LENGTH 128

/* Added to the distance if the wanted name is not part of the candidate, so that names that contain
 * it come first. */
#define NO_PART 1000

#define UNLIKE G_MAXUINT

/* A mistyped name gets so many suggestions. */
#define MAX_SIMILAR 3

/* Returns the edit distance in bytes, ignoring case. Two bytes that changed places are one edit,
 * because in short names two edits would be too many. */
static guint
get_distance (const char *a,
              gsize       a_length,
              const char *b,
              gsize       b_length)
{
  guint row[MAX_LENGTH + 1];
  guint above[MAX_LENGTH + 1] = { 0 };

  for (gsize j = 0; j <= b_length; j++)
    row[j] = j;
  for (gsize i = 0; i < a_length; i++)
    {
      guint diagonal = row[0];
      guint before_swap = 0;

      row[0] = i + 1;
      for (gsize j = 0; j < b_length; j++)
        {
          guint changed = diagonal + (g_ascii_tolower (a[i]) != g_ascii_tolower (b[j]));

          if (i > 0 && j > 0 && g_ascii_tolower (a[i]) == g_ascii_tolower (b[j - 1]) &&
              g_ascii_tolower (a[i - 1]) == g_ascii_tolower (b[j]))
            changed = MIN (changed, before_swap + 1);
          before_swap = above[j];
          above[j] = diagonal;
          diagonal = row[j + 1];
          row[j + 1] = MIN (changed, MIN (diagonal, row[j]) + 1);
        }
    }
  return row[b_length];
}

/* Returns a rank; lower is more similar. */
static guint
get_unlikeness (const char *wanted,
                const char *name)
{
  gsize wanted_length = strlen (wanted);
  gsize length = strlen (name);
  guint limit = MAX (wanted_length / 3, 1);
  guint distance;

  if (wanted_length == 0 || wanted_length > MAX_LENGTH || length > MAX_LENGTH)
    return UNLIKE;
  if (strstr (name, wanted) != NULL)
    return length - wanted_length;
  if (MAX (length, wanted_length) - MIN (length, wanted_length) > limit)
    return UNLIKE;

  distance = get_distance (wanted, wanted_length, name, length);
  return distance <= limit ? NO_PART + distance : UNLIKE;
}

/* Puts the most similar names first; returns how many there are. */
static guint
find_similar (const char *const *names,
              const char        *name,
              const char        *similar[MAX_SIMILAR])
{
  guint unlikeness[MAX_SIMILAR];
  guint n_similar = 0;

  for (; *names != NULL; names++)
    {
      guint other_unlikeness = get_unlikeness (name, *names);
      guint place = n_similar;

      while (place > 0 && unlikeness[place - 1] > other_unlikeness)
        place--;
      if (other_unlikeness == UNLIKE || place == MAX_SIMILAR)
        continue;

      n_similar = MIN (n_similar + 1, MAX_SIMILAR);
      for (guint j = n_similar - 1; j > place; j--)
        {
          similar[j] = similar[j - 1];
          unlikeness[j] = unlikeness[j - 1];
        }
      similar[place] = *names;
      unlikeness[place] = other_unlikeness;
    }
  return n_similar;
}

char *
c2g_similar_add (char              *message,
                 const char *const *names,
                 const char        *name)
{
  const char *similar[MAX_SIMILAR];
  guint n = find_similar (names, name, similar);
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *old = message;

  if (n == 0)
    return g_steal_pointer (&old);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "%s“%s”", i == 0 ? "" : _(", "), similar[i]);
  return g_strdup_printf (_("%s, but %s"), old, list->str);
}
