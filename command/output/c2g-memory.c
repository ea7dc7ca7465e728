/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-memory.h"
#include "c2g-output.h"
#include "c2g-text-utils.h"

#include <glib/gi18n.h>

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Limits the memory of the command, by the option --max-memory of all subcommands or its default. */

/* In a valid file a byte becomes at most 40 bytes in memory: a string of one character takes three
 * bytes in a message. Arrays in archives may compress better; these need the option. */
#define FILE_BYTES  ((guint64) 160 << 20)
#define FILE_FACTOR 40

/* Memory of a string: a GBytes, its data, and the overhead of malloc() for both. */
#define STRING_BYTES 100

/* The value of the option; 0 without one. */
static guint64 wanted;
/* Default allocator of the CPU while the command runs. */
static C2gAllocator *limited;
/* Atomic. Set if an allocation was refused. */
static int is_reached;

/* Parses sizes such as "268435456", "256M" and "1.5GiB". */
static gboolean
parse_size (const char  *option,
            const char  *value,
            gpointer     data,
            GError     **error)
{
  static const char units[] = "KMGT";
  char *end;
  double size = g_ascii_strtod (value, &end);
  const char *unit = *end == '\0' ? NULL : strchr (units, g_ascii_toupper (*end));

  if (unit != NULL)
    {
      size *= (double) ((guint64) 1024 << (10 * (unit - units)));
      end++;
      if (g_ascii_strcasecmp (end, "B") == 0 || g_ascii_strcasecmp (end, "iB") == 0)
        end += strlen (end);
    }
  if (end != value && *end == '\0' && size >= 1 && size < (double) G_MAXINT64)
    {
      wanted = (guint64) size;
      return TRUE;
    }

  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               _("%s: “%s” is no size: expected bytes, or a number with K, M, G or T"), option, value);
  return FALSE;
}

const GOptionEntry c2g_memory_options[] = {
  { "max-memory", 0, 0, G_OPTION_ARG_CALLBACK, parse_size,
    N_("Take at most SIZE for tensors, for example 512M"), N_("SIZE") },
  { NULL },
};

/* Returns the memory limit of a container; no limit if there is no such file or it has "max". */
static guint64
read_limit (const char *path)
{
  g_autofree char *text = NULL;
  guint64 n_bytes = 0;

  if (g_file_get_contents (path, &text, NULL, NULL))
    n_bytes = g_ascii_strtoull (text, NULL, 10);
  return n_bytes > 0 ? n_bytes : G_MAXUINT64;
}

/* Returns 3/4 of the memory of the machine or the container. */
static guint64
get_machine_limit (void)
{
  static const char *const paths[] = {
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
  };
  long n_pages = sysconf (_SC_PHYS_PAGES);
  guint64 n_bytes = G_MAXUINT64;

  if (n_pages > 0)
    n_bytes = (guint64) n_pages * (guint64) sysconf (_SC_PAGESIZE);
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    n_bytes = MIN (n_bytes, read_limit (paths[i]));
  return n_bytes / 4 * 3;
}

static guint64
get_limit (void)
{
  return c2g_limiting_allocator_get_max_bytes (C2G_LIMITING_ALLOCATOR (limited));
}

/* The failure callback: it has nothing to free, and only records the failure. */
static gboolean
note_failure (C2gAllocator *allocator,
              guint64       n_bytes,
              guint         n_tries,
              gpointer      user_data)
{
  g_atomic_int_set (&is_reached, TRUE);
  return FALSE;
}

void
c2g_memory_begin (void)
{
  g_autoptr (C2gAllocator) noting = NULL;

  limited = c2g_limiting_allocator_new (NULL, wanted > 0 ? wanted : get_machine_limit ());
  noting = c2g_failure_callback_allocator_new (limited, note_failure, NULL, NULL);
  c2g_allocator_set_default (c2g_device_cpu (), noting, NULL);
}

/* Returns the size of a file, or of the data file in the folder of an LMDB database; 0 if it is not
 * known. */
static guint64
measure_file (GFile        *file,
              GCancellable *cancellable)
{
  g_autoptr (GFile) data = g_file_get_child (file, "data.mdb");
  g_autoptr (GFileInfo) info = NULL;

  info = g_file_query_info (data, G_FILE_ATTRIBUTE_STANDARD_SIZE, 0, cancellable, NULL);
  if (info == NULL)
    info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, 0, cancellable, NULL);
  if (info == NULL || !g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_STANDARD_SIZE))
    return 0;
  return (guint64) g_file_info_get_size (info);
}

void
c2g_memory_fit_file (GFile        *file,
                     GCancellable *cancellable)
{
  guint64 n_bytes = measure_file (file, cancellable);
  guint64 limit = get_machine_limit ();

  if (wanted > 0)
    return;
  if (n_bytes < limit / FILE_FACTOR)
    limit = MIN (limit, FILE_BYTES + FILE_FACTOR * n_bytes);
  c2g_limiting_allocator_set_max_bytes (C2G_LIMITING_ALLOCATOR (limited), limit);
}

/* Returns an upper bound on the number of strings that are not empty; empty ones take no extra
 * memory. In a message each string takes two bytes more than its text. Arrays of NumPy have no such
 * information. */
static guint64
count_texts (C2gModelFile *model_file,
             C2gFileEntry *entry)
{
  guint64 n_bytes = c2g_file_entry_get_n_load_bytes (entry);
  guint64 n_strings;
  gint64 begin;
  gint64 end;

  c2g_file_entry_get_segment (entry, &begin, &end);
  n_strings = (guint64) (end - begin);
  switch (c2g_model_file_get_kind (model_file))
    {
    case C2G_MODEL_FILE_KIND_NPY:
    case C2G_MODEL_FILE_KIND_NPZ:
    case C2G_MODEL_FILE_KIND_NET:
    case C2G_MODEL_FILE_KIND_NET_TEXT:
      return n_strings;
    default:
      return n_bytes < 2 * n_strings ? 0 : MIN (n_strings, n_bytes - 2 * n_strings);
    }
}

gboolean
c2g_memory_check_strings (C2gModelFile  *model_file,
                          C2gFileEntry  *entry,
                          GError       **error)
{
  guint64 n_bytes = c2g_file_entry_get_n_load_bytes (entry);
  guint64 n_texts;

  if (c2g_file_entry_get_data_type (entry) != C2G_DATA_TYPE_STRING)
    return TRUE;
  n_texts = count_texts (model_file, entry);
  if (n_texts <= get_limit () / STRING_BYTES && n_bytes <= get_limit () - n_texts * STRING_BYTES)
    return TRUE;

  g_atomic_int_set (&is_reached, TRUE);
  g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
               _("%s: Blob “%s”: %" PRIu64 " strings of %" PRIu64 " bytes take too much memory"),
               c2g_model_file_get_file_name (model_file), c2g_file_entry_get_name (entry),
               n_texts, n_bytes);
  return FALSE;
}

void
c2g_memory_end (void)
{
  g_autofree char *size = NULL;
  g_autofree char *message = NULL;

  if (!g_atomic_int_get (&is_reached))
    return;

  size = c2g_text_format_size (get_limit ());
  message = g_strdup_printf (_("No more than %s of memory was allowed; --max-memory sets another "
                               "limit"),
                             size);
  c2g_output_error (message);
}
