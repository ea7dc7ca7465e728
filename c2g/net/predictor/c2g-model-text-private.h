/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* The command and the plugin for GStreamer compile this file, too. */
#include <gio/gio.h>

G_BEGIN_DECLS

/* Files of text beside the net of a model, or beside its database. The file of the net itself need
 * not exist. */

/* Returns a file of this name in the folder of the net, or in NET where that is a folder. Returns NULL if there is none, or if it is a
 * link: in a model from elsewhere a link may lead out of the folder. */
GFile     *c2g_model_text_find         (GFile         *net,
                                        const char    *name);
/* Returns a file whose name is that of the net, with the ending appended or in place of its own
 * ending; NULL as above. */
GFile     *c2g_model_text_find_ending  (GFile         *net,
                                        const char    *ending);

/* The file with the name of a class in each line. */
#define C2G_LABELS_NAME "labels.txt"

/* Loads a text of at most 16 MiB. There is a limit because a device may have no end. */
char      *c2g_model_text_load         (GFile         *file,
                                        GCancellable  *cancellable,
                                        GError       **error);

/* Parses the text as a key file. */
GKeyFile  *c2g_model_text_parse_keys   (const char    *text,
                                        GError       **error);

/* Returns the string of a key. */
char      *c2g_model_text_get_string   (GKeyFile      *keys,
                                        const char    *group,
                                        const char    *key,
                                        GError       **error);

/* Takes the text of such a file, and returns the names as UTF-8. */
char     **c2g_model_text_split_labels (char          *text);

G_END_DECLS
