/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "fuzz.h"

#include <protobuf-c/protobuf-c.h>

/* Checks that a message can be written, in binary and as text, and read again. */
void fuzz_check_message (const ProtobufCMessage *message);
/* A definition makes the same of it; takes the message, of one of their types. */
void fuzz_check_definition (ProtobufCMessage *message);
