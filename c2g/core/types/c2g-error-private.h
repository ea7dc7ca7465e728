/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

#include <gio/gio.h>

G_BEGIN_DECLS

/* `return c2g_fail (error, C2G_ERROR_X, format, ...);` sets the error and returns FALSE; c2g_fail_null() is for functions
 * that return a pointer. These are macros, so that no library has to export a function with a variable number of
 * arguments, and compilers check the format. */
#define c2g_fail(error, code, ...)      (g_set_error ((error), C2G_ERROR, (code), __VA_ARGS__), FALSE)
#define c2g_fail_null(error, code, ...) (g_set_error ((error), C2G_ERROR, (code), __VA_ARGS__), NULL)

/* Sets the GIOErrorEnum of a value of errno, with the name of the file. Returns FALSE. */
gboolean c2g_set_errno (GError     **error,
                        const char  *name,
                        int          code);

G_END_DECLS
