/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

/* Writes a file for a target, if that is the one for which files are made. */
void corpus_put_only      (const char *target,
                           const char *name,
                           GBytes     *bytes);
/* For those that take every kind of file, too. */
void corpus_put           (const char *target,
                           const char *name,
                           GBytes     *bytes);

/* Files that c2g reads and does not write. */
void corpus_put_hand_made (void);

/* Nets for running. */
void corpus_put_nets      (void);
