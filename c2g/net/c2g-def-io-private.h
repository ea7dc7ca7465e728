/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* Describes a class of definitions and its protobuf message. */
typedef struct
{
  const ProtobufCMessageDescriptor *descriptor;
  /* Takes ownership of a message made by c2g_wire_parse(). */
  gpointer (*new_take)    (ProtobufCMessage  *message);
  /* Fills a message that points into the definition. It is valid as long as the definition and
   * the allocations that are added to OWNED. */
  void     (*get_message) (gpointer           self,
                           ProtobufCMessage  *message,
                           GPtrArray         *owned);
} C2gDefClass;

/* Reading and writing definitions */
gpointer  c2g_def_io_new_from_bytes (const C2gDefClass  *def_class,
                                     GBytes             *bytes,
                                     GError            **error);
gpointer  c2g_def_io_new_from_text  (const C2gDefClass  *def_class,
                                     const char         *text,
                                     GError            **error);
/* Detects binary or text format from the content. Error messages begin with the name of the
 * file. */
gpointer  c2g_def_io_load_file      (const C2gDefClass  *def_class,
                                     GFile              *file,
                                     GCancellable       *cancellable,
                                     GError            **error);
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
/* Writes in another thread. The definition is serialized before this returns, so it may be
 * changed afterwards. */
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
