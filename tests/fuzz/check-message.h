/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "fuzz.h"

#include <protobuf-c/protobuf-c.h>

/* Checks that a message can be written in binary and as text, and be read again. */
void fuzz_check_message (const ProtobufCMessage *message);
/* Checks that a definition makes the same of the message. Takes ownership of the message. */
void fuzz_check_definition (ProtobufCMessage *message);
