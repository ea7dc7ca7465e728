/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-meta-net-def-private.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/def/c2g-def-list-private.h>
#include <c2g/def/c2g-def-private.h>
#include <c2g/def/c2g-net-def-private.h>
#include <c2g/def/c2g-plan-def-private.h>

/* Accessors of the content of a description. Its maps are lists of messages with key and value. */

/* Returns the entry of that key for setting its value, and removes others of the same key. */
static gpointer
ensure_entry (gpointer                          list,
              gsize                            *n,
              const char                       *key,
              const ProtobufCMessageDescriptor *descriptor)
{
  g_autofree char *own_key = c2g_def_take_text (g_strdup (key));
  gpointer *place = c2g_keyed_list_ensure (list, n, own_key);

  if (*place == NULL)
    {
      *place = g_malloc (descriptor->sizeof_message);
      protobuf_c_message_init (descriptor, *place);
      /* All entries have the key in the same place. */
      ((Caffe2__StringMap *) *place)->key = g_steal_pointer (&own_key);
    }
  return *place;
}

/* Puts the message of a definition into a place, with a reference, and frees the old one. */
static void
set_def (gpointer  place,
         gpointer  def)
{
  gpointer old = *(gpointer *) place;
  C2gDef *self = g_object_ref (def);

  *(gpointer *) place = &self->message;
  c2g_def_free_message (old);
}

/**
 * c2g_meta_net_def_list_nets:
 * @self: a description
 *
 * Lists the keys of the nets.
 *
 * Returns: (transfer full) (array zero-terminated=1): the keys, in order
 */
char **
c2g_meta_net_def_list_nets (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return c2g_keyed_list_dup_keys (self->message.nets, self->message.n_nets);
}

/**
 * c2g_meta_net_def_get_net:
 * @self: a description
 * @key: a key
 *
 * Gets a net by its key.
 *
 * Returns: (transfer none) (nullable): the net, or `NULL` if there is none
 */
C2gNetDef *
c2g_meta_net_def_get_net (C2gMetaNetDef *self,
                          const char    *key)
{
  Caffe2__NetsMap *map;

  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  map = c2g_keyed_list_find (self->message.nets, self->message.n_nets, key);
  return map != NULL ? c2g_def_of (map->value) : NULL;
}

/**
 * c2g_meta_net_def_set_net:
 * @self: a description
 * @key: a key
 * @net: (nullable): a net, or `NULL` to take it away
 *
 * Sets the net of a key.
 *
 * The description takes a reference: later changes of @net are changes of it too.
 */
void
c2g_meta_net_def_set_net (C2gMetaNetDef *self,
                          const char    *key,
                          C2gNetDef     *net)
{
  Caffe2__NetsMap *map;

  g_return_if_fail (C2G_IS_META_NET_DEF (self));
  g_return_if_fail (key != NULL);
  g_return_if_fail (net == NULL || C2G_IS_NET_DEF (net));

  if (net == NULL)
    {
      c2g_keyed_list_remove (&self->message.nets, &self->message.n_nets, key);
      return;
    }

  map = ensure_entry (&self->message.nets, &self->message.n_nets, key,
                      &caffe2__nets_map__descriptor);
  set_def (&map->value, net);
}

/**
 * c2g_meta_net_def_list_plans:
 * @self: a description
 *
 * Lists the keys of the plans.
 *
 * Returns: (transfer full) (array zero-terminated=1): the keys, in order
 */
char **
c2g_meta_net_def_list_plans (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return c2g_keyed_list_dup_keys (self->message.plans, self->message.n_plans);
}

/**
 * c2g_meta_net_def_get_plan:
 * @self: a description
 * @key: a key
 *
 * Gets a plan by its key.
 *
 * Returns: (transfer none) (nullable): the plan, or `NULL` if there is none
 */
C2gPlanDef *
c2g_meta_net_def_get_plan (C2gMetaNetDef *self,
                           const char    *key)
{
  Caffe2__PlansMap *map;

  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  map = c2g_keyed_list_find (self->message.plans, self->message.n_plans, key);
  return map != NULL ? c2g_def_of (map->value) : NULL;
}

/**
 * c2g_meta_net_def_set_plan:
 * @self: a description
 * @key: a key
 * @plan: (nullable): a plan, or `NULL` to take it away
 *
 * Sets the plan of a key.
 *
 * The description takes a reference: later changes of @plan are changes of it too.
 */
void
c2g_meta_net_def_set_plan (C2gMetaNetDef *self,
                           const char    *key,
                           C2gPlanDef    *plan)
{
  Caffe2__PlansMap *map;

  g_return_if_fail (C2G_IS_META_NET_DEF (self));
  g_return_if_fail (key != NULL);
  g_return_if_fail (plan == NULL || C2G_IS_PLAN_DEF (plan));

  if (plan == NULL)
    {
      c2g_keyed_list_remove (&self->message.plans, &self->message.n_plans, key);
      return;
    }

  map = ensure_entry (&self->message.plans, &self->message.n_plans, key,
                      &caffe2__plans_map__descriptor);
  set_def (&map->value, plan);
}

/**
 * c2g_meta_net_def_list_blobs:
 * @self: a description
 *
 * Lists the keys of the names of blobs.
 *
 * Returns: (transfer full) (array zero-terminated=1): the keys, in order
 */
char **
c2g_meta_net_def_list_blobs (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return c2g_keyed_list_dup_keys (self->message.blobs, self->message.n_blobs);
}

/**
 * c2g_meta_net_def_get_blobs:
 * @self: a description
 * @key: a key
 *
 * Gets names of blobs by their key.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the names, until they are
 *   changed; `NULL` if there are none of that key
 */
const char *const *
c2g_meta_net_def_get_blobs (C2gMetaNetDef *self,
                            const char    *key)
{
  Caffe2__BlobsMap *map;

  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  map = c2g_keyed_list_find (self->message.blobs, self->message.n_blobs, key);
  return map != NULL ? c2g_names_get (map->value) : NULL;
}

/**
 * c2g_meta_net_def_set_blobs:
 * @self: a description
 * @key: a key
 * @names: (nullable) (array zero-terminated=1): names of blobs, or `NULL` to take them away
 *
 * Sets the names of blobs of a key.
 */
void
c2g_meta_net_def_set_blobs (C2gMetaNetDef      *self,
                            const char         *key,
                            const char *const  *names)
{
  Caffe2__BlobsMap *map;

  g_return_if_fail (C2G_IS_META_NET_DEF (self));
  g_return_if_fail (key != NULL);

  if (names == NULL)
    {
      c2g_keyed_list_remove (&self->message.blobs, &self->message.n_blobs, key);
      return;
    }

  map = ensure_entry (&self->message.blobs, &self->message.n_blobs, key,
                      &caffe2__blobs_map__descriptor);
  c2g_names_set (self, &map->value, &map->n_value, names, NULL);
}

/**
 * c2g_meta_net_def_list_application_info:
 * @self: a description
 *
 * Lists the keys of the texts for applications.
 *
 * Returns: (transfer full) (array zero-terminated=1): the keys, in order
 */
char **
c2g_meta_net_def_list_application_info (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return c2g_keyed_list_dup_keys (self->message.applicationspecificinfo,
                                  self->message.n_applicationspecificinfo);
}

/**
 * c2g_meta_net_def_get_application_info:
 * @self: a description
 * @key: a key
 *
 * Gets a text that an application has put there.
 *
 * Returns: (transfer none) (nullable): the text, or `NULL` if there is none
 */
const char *
c2g_meta_net_def_get_application_info (C2gMetaNetDef *self,
                                       const char    *key)
{
  Caffe2__StringMap *map;

  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  map = c2g_keyed_list_find (self->message.applicationspecificinfo,
                             self->message.n_applicationspecificinfo, key);
  return map != NULL ? map->value : NULL;
}

/**
 * c2g_meta_net_def_set_application_info:
 * @self: a description
 * @key: a key
 * @value: (nullable): a text, or `NULL` to take it away
 *
 * Sets a text for an application.
 */
void
c2g_meta_net_def_set_application_info (C2gMetaNetDef *self,
                                       const char    *key,
                                       const char    *value)
{
  Caffe2__StringMap *map;

  g_return_if_fail (C2G_IS_META_NET_DEF (self));
  g_return_if_fail (key != NULL);

  if (value == NULL)
    {
      c2g_keyed_list_remove (&self->message.applicationspecificinfo,
                             &self->message.n_applicationspecificinfo, key);
      return;
    }

  map = ensure_entry (&self->message.applicationspecificinfo,
                      &self->message.n_applicationspecificinfo, key,
                      &caffe2__string_map__descriptor);
  c2g_set_string (&map->value, value);
}

/**
 * c2g_meta_net_def_get_blobs_order:
 * @self: a description
 *
 * Gets the names of blobs in the order in which they are saved.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names, until they are changed
 */
const char *const *
c2g_meta_net_def_get_blobs_order (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return c2g_names_get (self->message.blobsorder);
}

/**
 * c2g_meta_net_def_set_blobs_order:
 * @self: a description
 * @names: (nullable) (array zero-terminated=1): the names, or `NULL` for none
 *
 * Sets the names of blobs in the order in which they are saved.
 */
void
c2g_meta_net_def_set_blobs_order (C2gMetaNetDef      *self,
                                  const char *const  *names)
{
  g_return_if_fail (C2G_IS_META_NET_DEF (self));

  c2g_names_set (self, &self->message.blobsorder, &self->message.n_blobsorder, names, NULL);
}

/**
 * c2g_meta_net_def_get_preload_blobs:
 * @self: a description
 *
 * Gets the names of blobs that are loaded before others.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names, until they are changed
 */
const char *const *
c2g_meta_net_def_get_preload_blobs (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return c2g_names_get (self->message.preloadblobs);
}

/**
 * c2g_meta_net_def_set_preload_blobs:
 * @self: a description
 * @names: (nullable) (array zero-terminated=1): the names, or `NULL` for none
 *
 * Sets the names of blobs that are loaded before others.
 */
void
c2g_meta_net_def_set_preload_blobs (C2gMetaNetDef      *self,
                                    const char *const  *names)
{
  g_return_if_fail (C2G_IS_META_NET_DEF (self));

  c2g_names_set (self, &self->message.preloadblobs, &self->message.n_preloadblobs, names, NULL);
}
