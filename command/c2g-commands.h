/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The subcommands; argv begins with their own name. */
int c2g_command_cat       (int    argc,
                           char **argv);
int c2g_command_convert   (int    argc,
                           char **argv);
int c2g_command_devices   (int    argc,
                           char **argv);
int c2g_command_diff      (int    argc,
                           char **argv);
int c2g_command_graph     (int    argc,
                           char **argv);
int c2g_command_info      (int    argc,
                           char **argv);
int c2g_command_operators (int    argc,
                           char **argv);
int c2g_command_run       (int    argc,
                           char **argv);
int c2g_command_verify    (int    argc,
                           char **argv);

G_END_DECLS
