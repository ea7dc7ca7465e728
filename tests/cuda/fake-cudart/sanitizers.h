/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* Gives the macros of GCC for its sanitizers to clang, which answers by __has_feature(). */

#ifdef __has_feature
# if __has_feature (address_sanitizer) && !defined (__SANITIZE_ADDRESS__)
#  define __SANITIZE_ADDRESS__ 1
# elif __has_feature (thread_sanitizer) && !defined (__SANITIZE_THREAD__)
#  define __SANITIZE_THREAD__ 1
# endif
#endif
