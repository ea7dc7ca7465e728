/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* Reading and writing of definitions. The descriptor says which kind to read. */

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
/* The same in another thread. LOAD is the function that loads this kind of definition. */
typedef gpointer (*C2gDefLoadFunc) (GFile         *file,
                                    GCancellable  *cancellable,
                                    GError       **error);
void      c2g_def_io_load_async     (C2gDefLoadFunc       load,
                                     GFile               *file,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
gpointer  c2g_def_io_load_finish    (C2gDefLoadFunc       load,
                                     GAsyncResult        *result,
                                     GError             **error);
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

G_END_DECLS
