/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-meta-net-def-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/io/c2g-content-kind-private.h>
#include <c2g/io/c2g-model-file.h>
#include <c2g/io/c2g-name-private.h>
#include <c2g/io/c2g-wire-private.h>
#include <c2g/net/c2g-def-io-private.h>
#include <c2g/net/c2g-net-def-private.h>
#include <c2g/net/c2g-plan-def-private.h>

/* Conversion of descriptions from and to messages, files and databases. */

static void
take_blobs (C2gMetaNetDef      *self,
            Caffe2__MetaNetDef *message)
{
  for (gsize i = 0; i < message->n_blobs; i++)
    {
      Caffe2__BlobsMap *map = message->blobs[i];
      char **names = g_new0 (char *, map->n_value + 1);

      for (gsize j = 0; j < map->n_value; j++)
        names[j] = c2g_name_from_message (map->value[j]);
      c2g_keyed_list_add_take (self->blobs, map->key, names, (GDestroyNotify) g_strfreev, map);
    }
  message->n_blobs = 0;
}

static void
take_nets (C2gMetaNetDef      *self,
           Caffe2__MetaNetDef *message)
{
  for (gsize i = 0; i < message->n_nets; i++)
    {
      Caffe2__NetsMap *map = message->nets[i];
      C2gNetDef *net = c2g_net_def_new_take (g_steal_pointer (&map->value));

      c2g_keyed_list_add_take (self->nets, map->key, net, g_object_unref, map);
    }
  message->n_nets = 0;
}

static void
take_plans (C2gMetaNetDef      *self,
            Caffe2__MetaNetDef *message)
{
  for (gsize i = 0; i < message->n_plans; i++)
    {
      Caffe2__PlansMap *map = message->plans[i];
      C2gPlanDef *plan = c2g_plan_def_new_take (g_steal_pointer (&map->value));

      c2g_keyed_list_add_take (self->plans, map->key, plan, g_object_unref, map);
    }
  message->n_plans = 0;
}

static void
take_application_info (C2gMetaNetDef      *self,
                       Caffe2__MetaNetDef *message)
{
  for (gsize i = 0; i < message->n_applicationspecificinfo; i++)
    {
      Caffe2__StringMap *map = message->applicationspecificinfo[i];

      c2g_keyed_list_add_take (self->application_info, map->key,
                               c2g_name_from_message (map->value), g_free, map);
    }
  message->n_applicationspecificinfo = 0;
}

static void
take_info (C2gMetaNetDef     *self,
           Caffe2__ModelInfo *info)
{
  if (info == NULL)
    return;

  self->has_info = TRUE;
  self->info.project = c2g_name_from_message (info->project);
  self->info.modelclass = c2g_name_from_message (info->modelclass);
  self->info.version = c2g_name_from_message (info->version);
  self->info.predictortype = c2g_name_from_message (info->predictortype);
  self->info.modelid = c2g_name_from_message (info->modelid);
  if (info->base.n_unknown_fields > 0)
    self->rest_of_info = c2g_message_box_new (info);
  else
    c2g_wire_free (info);
}

C2gMetaNetDef *
c2g_meta_net_def_new_take (Caffe2__MetaNetDef *message)
{
  C2gMetaNetDef *self = c2g_meta_net_def_new ();

  take_blobs (self, message);
  take_nets (self, message);
  take_info (self, g_steal_pointer (&message->modelinfo));
  take_plans (self, message);
  take_application_info (self, message);
  c2g_name_list_add_all (&self->blobs_order, message->blobsorder, message->n_blobsorder);
  c2g_name_list_add_all (&self->preload_blobs, message->preloadblobs, message->n_preloadblobs);

  if (message->base.n_unknown_fields > 0)
    self->rest = c2g_message_box_new (message);
  else
    c2g_wire_free (message);
  return self;
}

/* Restores the unknown fields that the file had in this message. */
static void
restore_base (ProtobufCMessage *base,
              C2gMessageBox    *rest)
{
  const ProtobufCMessage *message = c2g_message_box_peek (rest);

  if (message != NULL)
    *base = *message;
}

static void
lend_blobs (C2gMetaNetDef      *self,
            Caffe2__MetaNetDef *message,
            GPtrArray          *owned)
{
  gsize n = self->blobs->len;
  Caffe2__BlobsMap *maps = g_new (Caffe2__BlobsMap, n);

  message->blobs = g_new (Caffe2__BlobsMap *, n);
  message->n_blobs = n;
  g_ptr_array_add (owned, maps);
  g_ptr_array_add (owned, message->blobs);
  for (gsize i = 0; i < n; i++)
    {
      C2gKeyedItem *item = self->blobs->pdata[i];

      caffe2__blobs_map__init (&maps[i]);
      restore_base (&maps[i].base, item->rest);
      maps[i].key = item->key;
      maps[i].value = item->value;
      maps[i].n_value = g_strv_length (item->value);
      message->blobs[i] = &maps[i];
    }
}

static void
lend_nets (C2gMetaNetDef      *self,
           Caffe2__MetaNetDef *message,
           GPtrArray          *owned)
{
  gsize n = self->nets->len;
  Caffe2__NetsMap *maps = g_new (Caffe2__NetsMap, n);
  Caffe2__NetDef *nets = g_new (Caffe2__NetDef, n);

  message->nets = g_new (Caffe2__NetsMap *, n);
  message->n_nets = n;
  g_ptr_array_add (owned, maps);
  g_ptr_array_add (owned, nets);
  g_ptr_array_add (owned, message->nets);
  for (gsize i = 0; i < n; i++)
    {
      C2gKeyedItem *item = self->nets->pdata[i];

      caffe2__nets_map__init (&maps[i]);
      restore_base (&maps[i].base, item->rest);
      maps[i].key = item->key;
      maps[i].value = &nets[i];
      c2g_net_def_get_message (item->value, &nets[i], owned);
      message->nets[i] = &maps[i];
    }
}

static void
lend_plans (C2gMetaNetDef      *self,
            Caffe2__MetaNetDef *message,
            GPtrArray          *owned)
{
  gsize n = self->plans->len;
  Caffe2__PlansMap *maps = g_new (Caffe2__PlansMap, n);
  Caffe2__PlanDef *plans = g_new (Caffe2__PlanDef, n);

  message->plans = g_new (Caffe2__PlansMap *, n);
  message->n_plans = n;
  g_ptr_array_add (owned, maps);
  g_ptr_array_add (owned, plans);
  g_ptr_array_add (owned, message->plans);
  for (gsize i = 0; i < n; i++)
    {
      C2gKeyedItem *item = self->plans->pdata[i];

      caffe2__plans_map__init (&maps[i]);
      restore_base (&maps[i].base, item->rest);
      maps[i].key = item->key;
      maps[i].value = &plans[i];
      c2g_plan_def_get_message (item->value, &plans[i], owned);
      message->plans[i] = &maps[i];
    }
}

static void
lend_application_info (C2gMetaNetDef      *self,
                       Caffe2__MetaNetDef *message,
                       GPtrArray          *owned)
{
  gsize n = self->application_info->len;
  Caffe2__StringMap *maps = g_new (Caffe2__StringMap, n);

  message->applicationspecificinfo = g_new (Caffe2__StringMap *, n);
  message->n_applicationspecificinfo = n;
  g_ptr_array_add (owned, maps);
  g_ptr_array_add (owned, message->applicationspecificinfo);
  for (gsize i = 0; i < n; i++)
    {
      C2gKeyedItem *item = self->application_info->pdata[i];

      caffe2__string_map__init (&maps[i]);
      restore_base (&maps[i].base, item->rest);
      maps[i].key = item->key;
      maps[i].value = item->value;
      message->applicationspecificinfo[i] = &maps[i];
    }
}

void
c2g_meta_net_def_get_message (C2gMetaNetDef      *self,
                              Caffe2__MetaNetDef *message,
                              GPtrArray          *owned)
{
  caffe2__meta_net_def__init (message);
  restore_base (&message->base, self->rest);

  lend_blobs (self, message, owned);
  lend_nets (self, message, owned);
  lend_plans (self, message, owned);
  lend_application_info (self, message, owned);
  if (self->has_info)
    {
      message->modelinfo = g_memdup2 (&self->info, sizeof self->info);
      g_ptr_array_add (owned, message->modelinfo);
      restore_base (&message->modelinfo->base, self->rest_of_info);
    }

  message->blobsorder = self->blobs_order.names;
  message->n_blobsorder = self->blobs_order.n_names;
  message->preloadblobs = self->preload_blobs.names;
  message->n_preloadblobs = self->preload_blobs.n_names;
}

static gpointer
new_take (ProtobufCMessage *message)
{
  return c2g_meta_net_def_new_take ((Caffe2__MetaNetDef *) message);
}

static void
get_message (gpointer          self,
             ProtobufCMessage *message,
             GPtrArray        *owned)
{
  c2g_meta_net_def_get_message (self, (Caffe2__MetaNetDef *) message, owned);
}

static const C2gDefClass def_class = { &caffe2__meta_net_def__descriptor, new_take, get_message };

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
C2gMetaNetDef *
c2g_meta_net_def_new_from_bytes (GBytes  *bytes,
                                 GError **error)
{
  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_new_from_bytes (&def_class, bytes, error);
}

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
C2gMetaNetDef *
c2g_meta_net_def_new_from_text (const char *text,
                                GError    **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_new_from_text (&def_class, text, error);
}

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
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                   _("Blob “%s” is no string"), C2G_META_NET_DEF_BLOB);
      return NULL;
    }
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
C2gMetaNetDef *
c2g_meta_net_def_load_file (GFile         *file,
                            GCancellable  *cancellable,
                            GError       **error)
{
  gboolean is_database;

  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_database (file, &is_database, cancellable, error))
    return NULL;
  if (is_database)
    return load_database (file, cancellable, error);
  return c2g_def_io_load_file (&def_class, file, cancellable, error);
}

static gpointer
load_cb (GFile         *file,
         GCancellable  *cancellable,
         GError       **error)
{
  return c2g_meta_net_def_load_file (file, cancellable, error);
}

/**
 * c2g_meta_net_def_load_file_async:
 * @file: a file, or the folder of a database
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the description has been read
 * @user_data: for @callback
 *
 * Reads a description from a file in another thread, see [ctor@MetaNetDef.load_file].
 */
void
c2g_meta_net_def_load_file_async (GFile               *file,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  c2g_def_io_load_async (load_cb, file, cancellable, callback, user_data);
}

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
C2gMetaNetDef *
c2g_meta_net_def_load_file_finish (GAsyncResult  *result,
                                   GError       **error)
{
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_load_finish (load_cb, result, error);
}

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
GBytes *
c2g_meta_net_def_to_bytes (C2gMetaNetDef *self,
                           GError       **error)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_to_bytes (&def_class, self, error);
}

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
char *
c2g_meta_net_def_to_text (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return c2g_def_io_to_text (&def_class, self);
}

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
gboolean
c2g_meta_net_def_save_file (C2gMetaNetDef *self,
                            GFile         *file,
                            gboolean       is_text,
                            GCancellable  *cancellable,
                            GError       **error)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return c2g_def_io_save_file (&def_class, self, file, is_text, cancellable, error);
}

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
void
c2g_meta_net_def_save_file_async (C2gMetaNetDef       *self,
                                  GFile               *file,
                                  gboolean             is_text,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_return_if_fail (C2G_IS_META_NET_DEF (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  c2g_def_io_save_async (&def_class, self, file, is_text, cancellable, callback, user_data);
}

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
gboolean
c2g_meta_net_def_save_file_finish (C2gMetaNetDef *self,
                                   GAsyncResult  *result,
                                   GError       **error)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return c2g_def_io_save_finish (self, result, error);
}
