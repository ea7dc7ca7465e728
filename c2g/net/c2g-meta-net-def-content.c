/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-meta-net-def-private.h>

/* Accessors of the content of a description. */

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

  return c2g_keyed_list_dup_keys (self->nets);
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
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  return c2g_keyed_list_find (self->nets, key);
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
  g_return_if_fail (C2G_IS_META_NET_DEF (self));
  g_return_if_fail (key != NULL);
  g_return_if_fail (net == NULL || C2G_IS_NET_DEF (net));

  if (net != NULL)
    g_object_ref (net);
  c2g_keyed_list_set (self->nets, key, net, g_object_unref);
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

  return c2g_keyed_list_dup_keys (self->plans);
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
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  return c2g_keyed_list_find (self->plans, key);
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
  g_return_if_fail (C2G_IS_META_NET_DEF (self));
  g_return_if_fail (key != NULL);
  g_return_if_fail (plan == NULL || C2G_IS_PLAN_DEF (plan));

  if (plan != NULL)
    g_object_ref (plan);
  c2g_keyed_list_set (self->plans, key, plan, g_object_unref);
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

  return c2g_keyed_list_dup_keys (self->blobs);
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
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  return c2g_keyed_list_find (self->blobs, key);
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
  g_return_if_fail (C2G_IS_META_NET_DEF (self));
  g_return_if_fail (key != NULL);

  c2g_keyed_list_set (self->blobs, key, g_strdupv ((char **) names), (GDestroyNotify) g_strfreev);
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

  return c2g_keyed_list_dup_keys (self->application_info);
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
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  return c2g_keyed_list_find (self->application_info, key);
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
  g_return_if_fail (C2G_IS_META_NET_DEF (self));
  g_return_if_fail (key != NULL);

  c2g_keyed_list_set (self->application_info, key, g_strdup (value), g_free);
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

  return c2g_name_list_get (&self->blobs_order);
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

  c2g_name_list_set (&self->blobs_order, names);
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

  return c2g_name_list_get (&self->preload_blobs);
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

  c2g_name_list_set (&self->preload_blobs, names);
}
