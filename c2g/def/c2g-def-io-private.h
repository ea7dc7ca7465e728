/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-task-private.h>

#include <gio/gio.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* Read and write definitions. The descriptor says which kind to read. */

gpointer  c2g_def_io_new_from_bytes (const ProtobufCMessageDescriptor  *descriptor,
                                     GBytes                            *bytes,
                                     GError                           **error);
gpointer  c2g_def_io_new_from_text  (const ProtobufCMessageDescriptor  *descriptor,
                                     const char                        *text,
                                     GError                           **error);
/* Detects binary or text format from the content. Error messages begin with the name of the
 * file. */
gpointer  c2g_def_io_load_file      (const ProtobufCMessageDescriptor  *descriptor,
                                     GFile                             *file,
                                     GCancellable                      *cancellable,
                                     GError                           **error);
GBytes   *c2g_def_io_to_bytes       (gpointer             self,
                                     GError             **error);
char     *c2g_def_io_to_text        (gpointer             self);
gboolean  c2g_def_io_save_file      (gpointer             self,
                                     GFile               *file,
                                     gboolean             is_text,
                                     GCancellable        *cancellable,
                                     GError             **error);
/* Writes in another thread. The definition is serialized before this returns, so it may be
 * changed afterwards. */
void      c2g_def_io_save_async     (gpointer             self,
                                     GFile               *file,
                                     gboolean             is_text,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
gboolean  c2g_def_io_save_finish    (gpointer             self,
                                     GAsyncResult        *result,
                                     GError             **error);

/* Defines the public functions that read and write one class of definitions. Their documentation
 * stands above the macro, where g-ir-scanner finds it by the names. LOAD is c2g_def_io_load_file(),
 * or a function that finds the definition in files of other kinds, too. */
#define C2G_DEFINE_DEF_IO(Type, prefix, TYPE, LOAD)                                                            \
  Type *                                                                                                       \
  c2g_##prefix##_new_from_bytes (GBytes  *bytes,                                                               \
                                 GError **error)                                                               \
  {                                                                                                            \
    g_return_val_if_fail (bytes != NULL, NULL);                                                                \
    g_return_val_if_fail (error == NULL || *error == NULL, NULL);                                              \
                                                                                                               \
    return c2g_def_io_new_from_bytes (&caffe2__##prefix##__descriptor, bytes, error);                          \
  }                                                                                                            \
                                                                                                               \
  Type *                                                                                                       \
  c2g_##prefix##_new_from_text (const char  *text,                                                             \
                                GError     **error)                                                            \
  {                                                                                                            \
    g_return_val_if_fail (text != NULL, NULL);                                                                 \
    g_return_val_if_fail (error == NULL || *error == NULL, NULL);                                              \
                                                                                                               \
    return c2g_def_io_new_from_text (&caffe2__##prefix##__descriptor, text, error);                            \
  }                                                                                                            \
                                                                                                               \
  Type *                                                                                                       \
  c2g_##prefix##_load_file (GFile         *file,                                                               \
                            GCancellable  *cancellable,                                                        \
                            GError       **error)                                                              \
  {                                                                                                            \
    g_return_val_if_fail (G_IS_FILE (file), NULL);                                                             \
    g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);                        \
    g_return_val_if_fail (error == NULL || *error == NULL, NULL);                                              \
                                                                                                               \
    return LOAD (&caffe2__##prefix##__descriptor, file, cancellable, error);                                   \
  }                                                                                                            \
                                                                                                               \
  void                                                                                                         \
  c2g_##prefix##_load_file_async (GFile               *file,                                                   \
                                  GCancellable        *cancellable,                                            \
                                  GAsyncReadyCallback  callback,                                               \
                                  gpointer             user_data)                                              \
  {                                                                                                            \
    g_return_if_fail (G_IS_FILE (file));                                                                       \
    g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));                                  \
                                                                                                               \
    c2g_task_start ((C2gTaskFunc) c2g_##prefix##_load_file, g_object_ref (file), g_object_unref, cancellable,  \
                    callback, user_data);                                                                      \
  }                                                                                                            \
                                                                                                               \
  Type *                                                                                                       \
  c2g_##prefix##_load_file_finish (GAsyncResult  *result,                                                      \
                                   GError       **error)                                                       \
  {                                                                                                            \
    g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);                                                   \
    g_return_val_if_fail (error == NULL || *error == NULL, NULL);                                              \
                                                                                                               \
    return c2g_task_finish ((C2gTaskFunc) c2g_##prefix##_load_file, result, error);                            \
  }                                                                                                            \
                                                                                                               \
  GBytes *                                                                                                     \
  c2g_##prefix##_to_bytes (Type    *self,                                                                      \
                           GError **error)                                                                     \
  {                                                                                                            \
    g_return_val_if_fail (C2G_IS_##TYPE (self), NULL);                                                         \
    g_return_val_if_fail (error == NULL || *error == NULL, NULL);                                              \
                                                                                                               \
    return c2g_def_io_to_bytes (self, error);                                                                  \
  }                                                                                                            \
                                                                                                               \
  char *                                                                                                       \
  c2g_##prefix##_to_text (Type *self)                                                                          \
  {                                                                                                            \
    g_return_val_if_fail (C2G_IS_##TYPE (self), NULL);                                                         \
                                                                                                               \
    return c2g_def_io_to_text (self);                                                                          \
  }                                                                                                            \
                                                                                                               \
  gboolean                                                                                                     \
  c2g_##prefix##_save_file (Type          *self,                                                               \
                            GFile         *file,                                                               \
                            gboolean       is_text,                                                            \
                            GCancellable  *cancellable,                                                        \
                            GError       **error)                                                              \
  {                                                                                                            \
    g_return_val_if_fail (C2G_IS_##TYPE (self), FALSE);                                                        \
    g_return_val_if_fail (G_IS_FILE (file), FALSE);                                                            \
    g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);                       \
    g_return_val_if_fail (error == NULL || *error == NULL, FALSE);                                             \
                                                                                                               \
    return c2g_def_io_save_file (self, file, is_text, cancellable, error);                                     \
  }                                                                                                            \
                                                                                                               \
  void                                                                                                         \
  c2g_##prefix##_save_file_async (Type                *self,                                                   \
                                  GFile               *file,                                                   \
                                  gboolean             is_text,                                                \
                                  GCancellable        *cancellable,                                            \
                                  GAsyncReadyCallback  callback,                                               \
                                  gpointer             user_data)                                              \
  {                                                                                                            \
    g_return_if_fail (C2G_IS_##TYPE (self));                                                                   \
    g_return_if_fail (G_IS_FILE (file));                                                                       \
    g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));                                  \
                                                                                                               \
    c2g_def_io_save_async (self, file, is_text, cancellable, callback, user_data);                             \
  }                                                                                                            \
                                                                                                               \
  gboolean                                                                                                     \
  c2g_##prefix##_save_file_finish (Type          *self,                                                        \
                                   GAsyncResult  *result,                                                      \
                                   GError       **error)                                                       \
  {                                                                                                            \
    g_return_val_if_fail (C2G_IS_##TYPE (self), FALSE);                                                        \
    g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);                                                  \
    g_return_val_if_fail (error == NULL || *error == NULL, FALSE);                                             \
                                                                                                               \
    return c2g_def_io_save_finish (self, result, error);                                                       \
  }

G_END_DECLS
