/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

/* Finds the size and the abilities of the terminal. */

gsize
c2g_terminal_get_width (int fd)
{
  const char *columns = g_getenv ("COLUMNS");
  struct winsize size;
  guint64 width;

  if (!isatty (fd))
    return 0;
  if (columns != NULL && g_ascii_string_to_unsigned (columns, 10, 1, G_MAXINT, &width, NULL))
    return (gsize) width;
  return ioctl (fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

gboolean
c2g_terminal_can_redraw (int fd)
{
  return isatty (fd) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
}

gboolean
c2g_terminal_has_colour (int fd)
{
  const char *no_colour = g_getenv ("NO_COLOR");

  if (no_colour != NULL && *no_colour != '\0')
    return FALSE;
  return c2g_terminal_can_redraw (fd);
}
