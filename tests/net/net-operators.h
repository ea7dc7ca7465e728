/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

/* Operators for the tests of nets, with any number of inputs and outputs.
 *
 * NetTestDummy counts its runs and copies nothing; with the argument `fail` it fails. It may run in
 * place. NetTestDummy2 is the same, but may be in place for other outputs.
 *
 * NetTestStep adds the notes "name(" when it begins and "name)" when it ends. In between it waits
 * until the note in the argument `until` was added, but at most wait_ms. With the argument `cancel`
 * it cancels the run.
 *
 * NetTestMix computes output 0 from all inputs, so that the result depends on the order of the
 * operators. */
void        net_operators_register (void);

/* Registers NetTestDummy under another type. */
void        net_register_dummy     (const char         *op_type,
                                    C2gOperatorSchema  *schema);

/* Parses a net from text; creates its external inputs in the workspace. */
C2gNetDef  *net_def_from_text      (const char    *text);
void        net_create_inputs      (C2gWorkspace  *workspace,
                                    C2gNetDef     *def);

/* Returns how often NetTestDummy ran since the last call. */
int         net_take_count         (void);

/* Returns the notes of NetTestStep since the last call, with spaces between. */
char       *net_take_notes         (void);
/* Adds a note. */
void        net_note               (const char    *text);

/* Returns TRUE if this is the thread that called it first. */
gboolean    net_is_main_thread     (void);
