/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-plan-def-private.h>

#include <c2g/def/c2g-def-io-private.h>

/* Converts plans from and to messages and files. */

/**
 * c2g_plan_def_new_from_bytes:
 * @bytes: a binary message
 * @error: return location for an error
 *
 * Reads a plan.
 *
 * Damaged bytes are `C2G_ERROR_CORRUPT`, with the place.
 *
 * Returns: (transfer full): a new plan
 */

/**
 * c2g_plan_def_new_from_text:
 * @text: a plan in protobuf's text format
 * @error: return location for an error
 *
 * Reads a plan.
 *
 * Invalid text is `C2G_ERROR_CORRUPT`, with line and column.
 *
 * Returns: (transfer full): a new plan
 */

/**
 * c2g_plan_def_load_file: (constructor)
 * @file: a file
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Reads a plan from a file, in binary or as text.
 *
 * The format is detected from the content. A damaged file, or one with something else in it,
 * is `C2G_ERROR_CORRUPT`; one that cannot be read is an error of GIO.
 *
 * Returns: (transfer full): a new plan
 */

/**
 * c2g_plan_def_load_file_async:
 * @file: a file
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the plan has been read
 * @user_data: for @callback
 *
 * Reads a plan from a file in another thread, see [ctor@PlanDef.load_file].
 */

/**
 * c2g_plan_def_load_file_finish:
 * @result: the result of the callback
 * @error: return location for an error
 *
 * Finishes reading that was started with [func@PlanDef.load_file_async].
 *
 * Errors: those of [ctor@PlanDef.load_file].
 *
 * Returns: (transfer full): a new plan
 */

/**
 * c2g_plan_def_to_bytes:
 * @self: a plan
 * @error: return location for an error
 *
 * Writes the plan as a binary message.
 *
 * Returns: (transfer full): the message; `NULL` with `C2G_ERROR_RANGE` if it would be larger than
 *   the format allows, or with `C2G_ERROR_NO_MEMORY`
 */

/**
 * c2g_plan_def_to_text:
 * @self: a plan
 *
 * Writes the plan in protobuf's text format.
 *
 * Numbers are read back exactly as they were; only the sign of a NaN is kept.
 *
 * Returns: (transfer full): the text
 */

/**
 * c2g_plan_def_save_file:
 * @self: a plan
 * @file: a file
 * @is_text: whether to write protobuf's text format
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Writes the plan into a file.
 *
 * The file is replaced as a whole: if writing fails, it keeps its old content. Errors are
 * those of GIO, and those of [method@PlanDef.to_bytes].
 *
 * Returns: whether the file has been written
 */

/**
 * c2g_plan_def_save_file_async:
 * @self: a plan
 * @file: a file
 * @is_text: whether to write protobuf's text format
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the file has been written
 * @user_data: for @callback
 *
 * Writes the plan into a file in another thread, see [method@PlanDef.save_file].
 *
 * The file gets the plan as it is now. The plan may be changed meanwhile.
 */

/**
 * c2g_plan_def_save_file_finish:
 * @self: a plan
 * @result: the result of the callback
 * @error: return location for an error
 *
 * Finishes writing that was started with [method@PlanDef.save_file_async].
 *
 * Errors: those of [method@PlanDef.save_file].
 *
 * Returns: whether the file has been written
 */

C2G_DEFINE_DEF_IO (C2gPlanDef, plan_def, PLAN_DEF, c2g_def_io_load_file)
