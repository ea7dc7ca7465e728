/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-meta-net-def-private.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/def/c2g-def-private.h>

/**
 * C2gMetaNetDef:
 *
 * The description of a model: its nets, plans, and the names of its blobs.
 *
 * Caffe2's predictors are saved as a database with the parameters and this description, in
 * which nets are known by keys such as [const@PREDICT_NET].
 *
 * ```python
 * meta = C2g.MetaNetDef.load_file('mnist_model.minidb')
 * net = meta.get_net(C2g.PREDICT_NET)
 * meta.get_blobs(C2g.INPUT_BLOBS)      # ['data']
 * ```
 *
 * Nets and plans are held by reference. Fields of a file that c2g does not know are kept and
 * written again.
 *
 * ## Threads
 *
 * A description belongs to one thread at a time. As long as nobody changes it, several threads
 * can read it.
 */

enum
{
  PROP_0,
  PROP_PROJECT,
  PROP_MODEL_CLASS,
  PROP_VERSION,
  PROP_PREDICTOR_TYPE,
  PROP_MODEL_ID,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gMetaNetDef, c2g_meta_net_def, G_TYPE_OBJECT)

static const C2gProperty rows[N_PROPS] = {
  [PROP_PROJECT] = C2G_PROPERTY (c2g_meta_net_def, project),
  [PROP_MODEL_CLASS] = C2G_PROPERTY (c2g_meta_net_def, model_class),
  [PROP_VERSION] = C2G_PROPERTY (c2g_meta_net_def, version),
  [PROP_PREDICTOR_TYPE] = C2G_PROPERTY (c2g_meta_net_def, predictor_type),
  [PROP_MODEL_ID] = C2G_PROPERTY (c2g_meta_net_def, model_id),
};

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * C2gMetaNetDef:project: (getter get_project) (setter set_project)
   *
   * The project that the model belongs to.
   */
  props[PROP_PROJECT] = g_param_spec_string ("project", NULL, NULL, NULL, flags);

  /**
   * C2gMetaNetDef:model-class: (getter get_model_class) (setter set_model_class)
   *
   * The kind of the model.
   */
  props[PROP_MODEL_CLASS] = g_param_spec_string ("model-class", NULL, NULL, NULL, flags);

  /**
   * C2gMetaNetDef:version: (getter get_version) (setter set_version)
   *
   * The version of the model.
   */
  props[PROP_VERSION] = g_param_spec_string ("version", NULL, NULL, NULL, flags);

  /**
   * C2gMetaNetDef:predictor-type: (getter get_predictor_type) (setter set_predictor_type)
   *
   * The way in which the model is run.
   *
   * If it is not set, Caffe2 assumes `SINGLE_PREDICTOR`.
   */
  props[PROP_PREDICTOR_TYPE] = g_param_spec_string ("predictor-type", NULL, NULL, NULL, flags);

  /**
   * C2gMetaNetDef:model-id: (getter get_model_id) (setter set_model_id)
   *
   * The number or name that the model is known by.
   */
  props[PROP_MODEL_ID] = g_param_spec_string ("model-id", NULL, NULL, NULL, flags);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_meta_net_def_class_init (C2gMetaNetDefClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_def_finalize;

  install_properties (object_class);
}

static void
c2g_meta_net_def_init (C2gMetaNetDef *self)
{
  caffe2__meta_net_def__init (&self->message);
}

/**
 * c2g_meta_net_def_new:
 *
 * Makes a description of nothing.
 *
 * Returns: (transfer full): a new description
 */
C2gMetaNetDef *
c2g_meta_net_def_new (void)
{
  return g_object_new (C2G_TYPE_META_NET_DEF, NULL);
}

/**
 * c2g_meta_net_def_copy:
 * @self: a description
 *
 * Makes a description with the same content, and copies of the nets and plans.
 *
 * Returns: (transfer full): a new description
 */
C2gMetaNetDef *
c2g_meta_net_def_copy (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return c2g_def_copy (self);
}

/**
 * c2g_meta_net_def_equal:
 * @self: a description
 * @other: another one
 *
 * Compares two descriptions.
 *
 * A text that is not set equals an empty one; the order of keys and names counts.
 *
 * Returns: true if they are equal
 */
gboolean
c2g_meta_net_def_equal (C2gMetaNetDef *self,
                        C2gMetaNetDef *other)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), FALSE);
  g_return_val_if_fail (C2G_IS_META_NET_DEF (other), FALSE);

  return c2g_def_equal (self, other);
}

#define INFO(field) G_STRUCT_OFFSET (Caffe2__ModelInfo, field)

static const char *
get_info (C2gMetaNetDef *self,
          gsize          offset)
{
  Caffe2__ModelInfo *info = self->message.modelinfo;

  return info == NULL ? NULL : G_STRUCT_MEMBER (char *, info, offset);
}

static void
set_info (C2gMetaNetDef *self,
          gsize          offset,
          const char    *value,
          GParamSpec    *pspec)
{
  if (g_strcmp0 (value, get_info (self, offset)) == 0)
    return;

  if (self->message.modelinfo == NULL)
    {
      self->message.modelinfo = g_new (Caffe2__ModelInfo, 1);
      caffe2__model_info__init (self->message.modelinfo);
    }
  c2g_set_string (G_STRUCT_MEMBER_P (self->message.modelinfo, offset), value);
  g_object_notify_by_pspec (G_OBJECT (self), pspec);
}

/**
 * c2g_meta_net_def_get_project: (get-property project)
 * @self: a description
 *
 * Gets the project that the model belongs to.
 *
 * Returns: (transfer none) (nullable): a text
 */
const char *
c2g_meta_net_def_get_project (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return get_info (self, INFO (project));
}

/**
 * c2g_meta_net_def_set_project: (set-property project)
 * @self: a description
 * @project: (nullable): a text
 *
 * Sets the project that the model belongs to.
 */
void
c2g_meta_net_def_set_project (C2gMetaNetDef *self,
                              const char    *project)
{
  g_return_if_fail (C2G_IS_META_NET_DEF (self));

  set_info (self, INFO (project), project, props[PROP_PROJECT]);
}

/**
 * c2g_meta_net_def_get_model_class: (get-property model-class)
 * @self: a description
 *
 * Gets the kind of the model.
 *
 * Returns: (transfer none) (nullable): a text
 */
const char *
c2g_meta_net_def_get_model_class (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return get_info (self, INFO (modelclass));
}

/**
 * c2g_meta_net_def_set_model_class: (set-property model-class)
 * @self: a description
 * @model_class: (nullable): a text
 *
 * Sets the kind of the model.
 */
void
c2g_meta_net_def_set_model_class (C2gMetaNetDef *self,
                                  const char    *model_class)
{
  g_return_if_fail (C2G_IS_META_NET_DEF (self));

  set_info (self, INFO (modelclass), model_class, props[PROP_MODEL_CLASS]);
}

/**
 * c2g_meta_net_def_get_version: (get-property version)
 * @self: a description
 *
 * Gets the version of the model.
 *
 * Returns: (transfer none) (nullable): a text
 */
const char *
c2g_meta_net_def_get_version (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return get_info (self, INFO (version));
}

/**
 * c2g_meta_net_def_set_version: (set-property version)
 * @self: a description
 * @version: (nullable): a text
 *
 * Sets the version of the model.
 */
void
c2g_meta_net_def_set_version (C2gMetaNetDef *self,
                              const char    *version)
{
  g_return_if_fail (C2G_IS_META_NET_DEF (self));

  set_info (self, INFO (version), version, props[PROP_VERSION]);
}

/**
 * c2g_meta_net_def_get_predictor_type: (get-property predictor-type)
 * @self: a description
 *
 * Gets how the model is run.
 *
 * Returns: (transfer none) (nullable): a text
 */
const char *
c2g_meta_net_def_get_predictor_type (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return get_info (self, INFO (predictortype));
}

/**
 * c2g_meta_net_def_set_predictor_type: (set-property predictor-type)
 * @self: a description
 * @predictor_type: (nullable): a text
 *
 * Sets how the model is run.
 */
void
c2g_meta_net_def_set_predictor_type (C2gMetaNetDef *self,
                                     const char    *predictor_type)
{
  g_return_if_fail (C2G_IS_META_NET_DEF (self));

  set_info (self, INFO (predictortype), predictor_type, props[PROP_PREDICTOR_TYPE]);
}

/**
 * c2g_meta_net_def_get_model_id: (get-property model-id)
 * @self: a description
 *
 * Gets the number or name that the model is known by.
 *
 * Returns: (transfer none) (nullable): a text
 */
const char *
c2g_meta_net_def_get_model_id (C2gMetaNetDef *self)
{
  g_return_val_if_fail (C2G_IS_META_NET_DEF (self), NULL);

  return get_info (self, INFO (modelid));
}

/**
 * c2g_meta_net_def_set_model_id: (set-property model-id)
 * @self: a description
 * @model_id: (nullable): a text
 *
 * Sets the number or name that the model is known by.
 */
void
c2g_meta_net_def_set_model_id (C2gMetaNetDef *self,
                               const char    *model_id)
{
  g_return_if_fail (C2G_IS_META_NET_DEF (self));

  set_info (self, INFO (modelid), model_id, props[PROP_MODEL_ID]);
}
