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

/* The subcommands; argv begins with their own name. */
int c2g_command_cat     (int    argc,
                         char **argv);
int c2g_command_convert (int    argc,
                         char **argv);
int c2g_command_devices (int    argc,
                         char **argv);
int c2g_command_diff    (int    argc,
                         char **argv);
int c2g_command_graph   (int    argc,
                         char **argv);
int c2g_command_info    (int    argc,
                         char **argv);
int c2g_command_run     (int    argc,
                         char **argv);
int c2g_command_verify  (int    argc,
                         char **argv);

G_END_DECLS
