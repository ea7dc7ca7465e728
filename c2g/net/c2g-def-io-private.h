/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* A class of definitions, and the message that one of it is. */
typedef struct
{
  const ProtobufCMessageDescriptor *descriptor;
  /* Takes the message, which c2g_wire_parse() made. */
  gpointer (*new_take)    (ProtobufCMessage  *message);
  /* Fills a message, which is good as long as the definition and what @owned gets. */
  void     (*get_message) (gpointer           self,
                           ProtobufCMessage  *message,
                           GPtrArray         *owned);
} C2gDefClass;

/* Reading and writing definitions. */
gpointer  c2g_def_io_new_from_bytes (const C2gDefClass  *def_class,
                                     GBytes             *bytes,
                                     GError            **error);
gpointer  c2g_def_io_new_from_text  (const C2gDefClass  *def_class,
                                     const char         *text,
                                     GError            **error);
/* Binary or text, by the content; errors begin with the name of the file. */
gpointer  c2g_def_io_load_file      (const C2gDefClass  *def_class,
                                     GFile              *file,
                                     GCancellable       *cancellable,
                                     GError            **error);
/* The same in another thread, by what loads a definition of the kind. */
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
GBytes   *c2g_def_io_to_bytes       (const C2gDefClass  *def_class,
                                     gpointer            self,
                                     GError            **error);
char     *c2g_def_io_to_text        (const C2gDefClass *def_class,
                                     gpointer           self);
gboolean  c2g_def_io_save_file      (const C2gDefClass  *def_class,
                                     gpointer            self,
                                     GFile              *file,
                                     gboolean            is_text,
                                     GCancellable       *cancellable,
                                     GError            **error);
/* Writes the definition as it is now, in another thread. */
void      c2g_def_io_save_async     (const C2gDefClass   *def_class,
                                     gpointer             self,
                                     GFile               *file,
                                     gboolean             is_text,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
gboolean  c2g_def_io_save_finish    (gpointer        self,
                                     GAsyncResult   *result,
                                     GError        **error);

G_END_DECLS
