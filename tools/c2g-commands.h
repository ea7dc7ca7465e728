/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the command says of its end. */
enum
{
  C2G_STATUS_SUCCESS = 0,
  C2G_STATUS_FAILURE = 1,
  C2G_STATUS_USAGE = 2,
};

/* A subcommand, with the arguments from its own name on. */
int  c2g_command_info (int    argc,
                       char **argv);

/* One line on standard error. */
void c2g_command_print_error (const char *message);

G_END_DECLS
