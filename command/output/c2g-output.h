/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The exit statuses of the command. */
enum
{
  C2G_STATUS_SUCCESS = 0,
  C2G_STATUS_FAILURE = 1,
  C2G_STATUS_USAGE = 2,

  /* Exit statuses of diff, the same as those of diff(1). */
  C2G_STATUS_DIFFERENT = 1,
  C2G_STATUS_TROUBLE = 2,

  /* Added to the number of the signal that interrupted the work, as shells do. */
  C2G_STATUS_SIGNAL = 128,
};

/* Sets up the output of the command, by g_print() and the functions below: buffered, in the charset
 * of the locale, and with errors recorded. */
void     c2g_output_begin     (void);
/* Writes bytes without conversion. */
void     c2g_output_bytes     (gconstpointer data,
                               gsize         n_bytes);
/* Returns TRUE if the output cannot be written, for example because its reader has ended. */
gboolean c2g_output_is_broken (void);
/* Flushes the output. Prints an error if not all was written, except if the reader has ended. */
gboolean c2g_output_end       (void);

/* Prints one line on standard error. */
void c2g_output_error (const char *message);

G_END_DECLS
