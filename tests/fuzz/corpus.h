/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

/* Writes a file if files are being made for this target. */
void corpus_put_only      (const char *target,
                           const char *name,
                           GBytes     *bytes);
/* Writes a file for this target, and for those that take every kind of file. */
void corpus_put           (const char *target,
                           const char *name,
                           GBytes     *bytes);

/* Writes files of kinds that c2g reads but does not write. */
void corpus_put_hand_made (void);

/* Writes nets that can be run. */
void corpus_put_nets      (void);
