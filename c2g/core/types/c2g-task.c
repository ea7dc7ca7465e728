/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-task-private.h>

/* Functions …_async() that make one object in another thread. */

static void
make_in_thread (GTask        *task,
                gpointer      source_object,
                gpointer      task_data,
                GCancellable *cancellable)
{
  C2gTaskFunc func = (C2gTaskFunc) g_task_get_source_tag (task);
  GError *error = NULL;
  gpointer made = func (task_data, cancellable, &error);

  if (made != NULL)
    g_task_return_pointer (task, made, g_object_unref);
  else
    g_task_return_error (task, error);
}

void
c2g_task_start (C2gTaskFunc          func,
                gpointer             data,
                GDestroyNotify       free_data,
                GCancellable        *cancellable,
                GAsyncReadyCallback  callback,
                gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, func);
  g_task_set_task_data (task, data, free_data);
  g_task_run_in_thread (task, make_in_thread);
}

gpointer
c2g_task_finish (C2gTaskFunc    func,
                 GAsyncResult  *result,
                 GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, func), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
