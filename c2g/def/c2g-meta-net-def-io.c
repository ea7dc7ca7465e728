/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-meta-net-def-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/def/c2g-def-io-private.h>
#include <c2g/def/c2g-def-private.h>
#include <c2g/io/load/c2g-content-kind-private.h>
#include <c2g/io/load/c2g-model-file.h>
#include <c2g/io/stream/c2g-name-private.h>

/* Conversion of descriptions from and to messages, files and databases. */

/* A folder counts as a database, because LMDB has folders. */
static gboolean
check_database (GFile         *file,
                gboolean      *is_database,
                GCancellable  *cancellable,
                GError       **error)
{
  g_autoptr (C2gSource) source = NULL;
  C2gContentKind content;

  *is_database = TRUE;
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) == G_FILE_TYPE_DIRECTORY)
    return TRUE;

  source = c2g_source_new_for_file (file, cancellable, error);
  if (source == NULL || !c2g_content_kind_guess (source, &content, error))
    return FALSE;
  *is_database = content == C2G_CONTENT_MINIDB || content == C2G_CONTENT_LMDB;
  return TRUE;
}

/* Loads the blob that holds the description: a string with the binary message. */
static C2gMetaNetDef *
load_blob (C2gModelFile  *model_file,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (C2gBlob) blob = NULL;
  g_auto (GValue) value = G_VALUE_INIT;

  blob = c2g_model_file_load_blob (model_file, C2G_META_NET_DEF_BLOB, cancellable, error);
  if (blob == NULL)
    return NULL;

  c2g_blob_get_value (blob, &value);
  if (!G_VALUE_HOLDS (&value, G_TYPE_BYTES))
    return c2g_fail_null (error, C2G_ERROR_TYPE, _("Blob “%s” is no string"),
                          C2G_META_NET_DEF_BLOB);
  return c2g_meta_net_def_new_from_bytes (g_value_get_boxed (&value), error);
}

static C2gMetaNetDef *
load_database (GFile         *file,
               GCancellable  *cancellable,
               GError       **error)
{
  g_autoptr (C2gModelFile) model_file = c2g_model_file_open (file, NULL, cancellable, error);
  g_autofree char *name = NULL;
  C2gMetaNetDef *self;

  if (model_file == NULL)
    return NULL;

  self = load_blob (model_file, cancellable, error);
  name = g_file_get_parse_name (file);
  if (self == NULL)
    c2g_name_prefix_error (name, error);
  return self;
}

static gpointer
load_model_or_file (const ProtobufCMessageDescriptor  *descriptor,
                    GFile                             *file,
                    GCancellable                      *cancellable,
                    GError                           **error)
{
  gboolean is_database;

  if (!check_database (file, &is_database, cancellable, error))
    return NULL;
  if (is_database)
    return load_database (file, cancellable, error);
  return c2g_def_io_load_file (descriptor, file, cancellable, error);
}

/**
 * c2g_meta_net_def_new_from_bytes:
 * @bytes: a binary message
 * @error: return location for an error
 *
 * Reads a description.
 *
 * Damaged bytes are `C2G_ERROR_CORRUPT`, with the place.
 *
 * Returns: (transfer full): a new description
 */

/**
 * c2g_meta_net_def_new_from_text:
 * @text: a description in protobuf's text format
 * @error: return location for an error
 *
 * Reads a description.
 *
 * Invalid text is `C2G_ERROR_CORRUPT`, with line and column.
 *
 * Returns: (transfer full): a new description
 */

/**
 * c2g_meta_net_def_load_file: (constructor)
 * @file: a file, or the folder of a database
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Reads a description from a file, or from a database with the whole model.
 *
 * A file has it in binary or as text. In a database it is in the blob
 * [const@META_NET_DEF_BLOB]; nothing else is read.
 *
 * A damaged file, or one with something else in it, is `C2G_ERROR_CORRUPT`; a database without
 * a description is `C2G_ERROR_NOT_FOUND`. A file that cannot be read gives an error of GIO.
 *
 * Returns: (transfer full): a new description
 */

/**
 * c2g_meta_net_def_load_file_async:
 * @file: a file, or the folder of a database
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the description has been read
 * @user_data: for @callback
 *
 * Reads a description from a file in another thread, see [ctor@MetaNetDef.load_file].
 */

/**
 * c2g_meta_net_def_load_file_finish:
 * @result: the result of the callback
 * @error: return location for an error
 *
 * Finishes reading that was started with [func@MetaNetDef.load_file_async].
 *
 * Errors: those of [ctor@MetaNetDef.load_file].
 *
 * Returns: (transfer full): a new description
 */

/**
 * c2g_meta_net_def_to_bytes:
 * @self: a description
 * @error: return location for an error
 *
 * Writes the description as a binary message.
 *
 * Returns: (transfer full): the message; `NULL` with `C2G_ERROR_RANGE` if it would be larger than
 *   the format allows, or with `C2G_ERROR_NO_MEMORY`
 */

/**
 * c2g_meta_net_def_to_text:
 * @self: a description
 *
 * Writes the description in protobuf's text format.
 *
 * Numbers are read back exactly as they were; only the sign of a NaN is kept.
 *
 * Returns: (transfer full): the text
 */

/**
 * c2g_meta_net_def_save_file:
 * @self: a description
 * @file: a file
 * @is_text: whether to write protobuf's text format
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Writes the description into a file.
 *
 * The file is replaced as a whole: if writing fails, it keeps its old content. Errors are
 * those of GIO, and those of [method@MetaNetDef.to_bytes].
 *
 * Returns: whether the file has been written
 */

/**
 * c2g_meta_net_def_save_file_async:
 * @self: a description
 * @file: a file
 * @is_text: whether to write protobuf's text format
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the file has been written
 * @user_data: for @callback
 *
 * Writes the description into a file in another thread, see [method@MetaNetDef.save_file].
 *
 * The file gets the description as it is now. The description may be changed meanwhile.
 */

/**
 * c2g_meta_net_def_save_file_finish:
 * @self: a description
 * @result: the result of the callback
 * @error: return location for an error
 *
 * Finishes writing that was started with [method@MetaNetDef.save_file_async].
 *
 * Errors: those of [method@MetaNetDef.save_file].
 *
 * Returns: whether the file has been written
 */

C2G_DEFINE_DEF_IO (C2gMetaNetDef, meta_net_def, META_NET_DEF, load_model_or_file)
