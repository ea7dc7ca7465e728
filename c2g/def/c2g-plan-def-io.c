/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-plan-def-private.h>

#include <c2g/def/c2g-def-io-private.h>

/* Conversion of plans from and to messages and files. */

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
C2gPlanDef *
c2g_plan_def_new_from_bytes (GBytes  *bytes,
                             GError **error)
{
  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_new_from_bytes (&caffe2__plan_def__descriptor, bytes, error);
}

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
C2gPlanDef *
c2g_plan_def_new_from_text (const char *text,
                            GError    **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_new_from_text (&caffe2__plan_def__descriptor, text, error);
}

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
C2gPlanDef *
c2g_plan_def_load_file (GFile        *file,
                        GCancellable *cancellable,
                        GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_load_file (&caffe2__plan_def__descriptor, file, cancellable, error);
}

static gpointer
load_cb (GFile         *file,
         GCancellable  *cancellable,
         GError       **error)
{
  return c2g_plan_def_load_file (file, cancellable, error);
}

/**
 * c2g_plan_def_load_file_async:
 * @file: a file
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the plan has been read
 * @user_data: for @callback
 *
 * Reads a plan from a file in another thread, see [ctor@PlanDef.load_file].
 */
void
c2g_plan_def_load_file_async (GFile               *file,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  c2g_def_io_load_async (load_cb, file, cancellable, callback, user_data);
}

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
C2gPlanDef *
c2g_plan_def_load_file_finish (GAsyncResult  *result,
                               GError       **error)
{
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_load_finish (load_cb, result, error);
}

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
GBytes *
c2g_plan_def_to_bytes (C2gPlanDef *self,
                       GError    **error)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_to_bytes (self, error);
}

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
char *
c2g_plan_def_to_text (C2gPlanDef *self)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), NULL);

  return c2g_def_io_to_text (self);
}

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
gboolean
c2g_plan_def_save_file (C2gPlanDef   *self,
                        GFile        *file,
                        gboolean      is_text,
                        GCancellable *cancellable,
                        GError      **error)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return c2g_def_io_save_file (self, file, is_text, cancellable, error);
}

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
void
c2g_plan_def_save_file_async (C2gPlanDef          *self,
                              GFile               *file,
                              gboolean             is_text,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  g_return_if_fail (C2G_IS_PLAN_DEF (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  c2g_def_io_save_async (self, file, is_text, cancellable, callback, user_data);
}

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
gboolean
c2g_plan_def_save_file_finish (C2gPlanDef    *self,
                               GAsyncResult  *result,
                               GError       **error)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return c2g_def_io_save_finish (self, result, error);
}
