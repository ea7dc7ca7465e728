/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-version.h>

/* The macros of the header are the version that a program was compiled with; these functions
 * return the version that it runs with. */

/**
 * c2g_get_major_version:
 *
 * Gets the major version of the library, such as 1 of 1.2.3.
 *
 * Returns: the major version
 */
int
c2g_get_major_version (void)
{
  return C2G_MAJOR_VERSION;
}

/**
 * c2g_get_minor_version:
 *
 * Gets the minor version of the library, such as 2 of 1.2.3.
 *
 * Returns: the minor version
 */
int
c2g_get_minor_version (void)
{
  return C2G_MINOR_VERSION;
}

/**
 * c2g_get_micro_version:
 *
 * Gets the micro version of the library, such as 3 of 1.2.3.
 *
 * Returns: the micro version
 */
int
c2g_get_micro_version (void)
{
  return C2G_MICRO_VERSION;
}

/**
 * c2g_get_version_string:
 *
 * Gets the version of the library as text, such as "1.2.3".
 *
 * Returns: (transfer none): the version
 */
const char *
c2g_get_version_string (void)
{
  return C2G_VERSION_STRING;
}

/**
 * c2g_check_version:
 * @major: the major version
 * @minor: the minor version
 * @micro: the micro version
 *
 * Tells whether the library is of this version or a later one.
 *
 * Returns: true if it is at least as new
 */
gboolean
c2g_check_version (int major,
                   int minor,
                   int micro)
{
  return C2G_CHECK_VERSION (major, minor, micro);
}
