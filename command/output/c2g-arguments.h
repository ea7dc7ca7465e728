/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* The usage of a subcommand; the texts are not translated yet. */
typedef struct
{
  const char *name;
  /* Parameters for the usage, such as "IN OUT"; NULL if there are none. */
  const char *parameters;
  const char *summary;
  /* The smallest and the largest number of parameters; 0 as the largest sets no limit. */
  guint       least_parameters;
  guint       most_parameters;
} C2gUsage;

/* Parses the options and returns the parameters. Prints an error and returns NULL if they are not
 * valid. */
char **c2g_arguments_parse       (const C2gUsage      *usage,
                                  const GOptionEntry  *entries,
                                  int                  argc,
                                  char               **argv);
/* Prints the error, and how to get help. */
void   c2g_arguments_print_error (const C2gUsage      *usage,
                                  const char          *message);

/* Sets *DEVICE to what the option --device names; without it, to NULL. */
gboolean c2g_arguments_find_device (const char  *option,
                                    C2gDevice  **device,
                                    GError     **error);

G_END_DECLS
