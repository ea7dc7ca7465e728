/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

/* Operators that the tests of nets register; any number of inputs and outputs.
 *
 * NetTestDummy counts its runs and copies nothing; with the argument fail it fails.  It may
 * run in place.  NetTestDummy2 is the same in place for other outputs.
 *
 * NetTestStep notes "name(" and "name)" when it begins and ends, and between that waits until
 * what the argument until says was noted, but no longer than wait_ms.  With the argument
 * cancel it cancels the run.
 *
 * NetTestMix makes output 0 from all inputs, so that it tells in which order it was called. */
void        net_operators_register (void);

/* NetTestDummy under another type. */
void        net_register_dummy     (const char         *op_type,
                                    C2gOperatorSchema  *schema);

/* From the text format; with what it reads from outside in the workspace. */
C2gNetDef  *net_def_from_text      (const char    *text);
void        net_create_inputs      (C2gWorkspace  *workspace,
                                    C2gNetDef     *def);

/* Returns how often NetTestDummy ran since the last call. */
int         net_take_count         (void);

/* Returns the notes of NetTestStep since the last call, with spaces between. */
char       *net_take_notes         (void);
/* Adds one. */
void        net_note               (const char    *text);

/* Tells whether this is the thread that first asked. */
gboolean    net_is_main_thread     (void);
