/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The statuses that the command ends with. */
enum
{
  C2G_STATUS_SUCCESS = 0,
  C2G_STATUS_FAILURE = 1,
  C2G_STATUS_USAGE = 2,

  /* The statuses of diff, as diff(1) has them. */
  C2G_STATUS_DIFFERENT = 1,
  C2G_STATUS_TROUBLE = 2,

  /* And the number of the signal that ended the work. */
  C2G_STATUS_SIGNAL = 128,
};

/* A subcommand, with the arguments from its own name on. */
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
