/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Nothing: meson makes a precompiled header only for a target that has a source. */
