/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/def/c2g-net-def.h>
#include <c2g/def/c2g-plan-def.h>

G_BEGIN_DECLS

#define C2G_TYPE_META_NET_DEF (c2g_meta_net_def_get_type ())

/**
 * C2G_META_NET_DEF_BLOB:
 *
 * The blob of a predictor database that holds the [class@MetaNetDef].
 */
#define C2G_META_NET_DEF_BLOB "!!META_NET_DEF"

/**
 * C2G_PREDICTOR_DB_READER_BLOB:
 *
 * The blob that the net of [const@GLOBAL_INIT_NET] loads the parameters with.
 */
#define C2G_PREDICTOR_DB_READER_BLOB "!!PREDICTOR_DBREADER"

/**
 * C2G_PREDICT_NET:
 *
 * The key of the net that predicts.
 */
#define C2G_PREDICT_NET "PREDICT_NET_TYPE"

/**
 * C2G_PREDICT_INIT_NET:
 *
 * The key of the net that runs once before, in each workspace.
 */
#define C2G_PREDICT_INIT_NET "PREDICT_INIT_NET_TYPE"

/**
 * C2G_GLOBAL_INIT_NET:
 *
 * The key of the net that loads the parameters, once.
 */
#define C2G_GLOBAL_INIT_NET "GLOBAL_INIT_NET_TYPE"

/**
 * C2G_TRAIN_INIT_PLAN:
 *
 * The key of the plan that runs once before training.
 */
#define C2G_TRAIN_INIT_PLAN "TRAIN_INIT_PLAN_TYPE"

/**
 * C2G_TRAIN_PLAN:
 *
 * The key of the plan that trains.
 */
#define C2G_TRAIN_PLAN "TRAIN_PLAN_TYPE"

/**
 * C2G_PARAMETER_BLOBS:
 *
 * The key of the blobs that hold the parameters.
 */
#define C2G_PARAMETER_BLOBS "PARAMETERS_BLOB_TYPE"

/**
 * C2G_INPUT_BLOBS:
 *
 * The key of the blobs that the model reads.
 */
#define C2G_INPUT_BLOBS "INPUTS_BLOB_TYPE"

/**
 * C2G_OUTPUT_BLOBS:
 *
 * The key of the blobs that the model writes.
 */
#define C2G_OUTPUT_BLOBS "OUTPUTS_BLOB_TYPE"

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gMetaNetDef, c2g_meta_net_def, C2G, META_NET_DEF, GObject)

C2G_AVAILABLE_IN_ALL
C2gMetaNetDef     *c2g_meta_net_def_new                   (void) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gMetaNetDef     *c2g_meta_net_def_new_from_bytes        (GBytes            *bytes,
                                                           GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gMetaNetDef     *c2g_meta_net_def_new_from_text         (const char        *text,
                                                           GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gMetaNetDef     *c2g_meta_net_def_load_file             (GFile             *file,
                                                           GCancellable      *cancellable,
                                                           GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_load_file_async       (GFile               *file,
                                                           GCancellable        *cancellable,
                                                           GAsyncReadyCallback  callback,
                                                           gpointer             user_data);
C2G_AVAILABLE_IN_ALL
C2gMetaNetDef     *c2g_meta_net_def_load_file_finish      (GAsyncResult        *result,
                                                           GError             **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gMetaNetDef     *c2g_meta_net_def_copy                  (C2gMetaNetDef     *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
const char        *c2g_meta_net_def_get_project           (C2gMetaNetDef     *self);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_set_project           (C2gMetaNetDef     *self,
                                                           const char        *project);
C2G_AVAILABLE_IN_ALL
const char        *c2g_meta_net_def_get_model_class       (C2gMetaNetDef     *self);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_set_model_class       (C2gMetaNetDef     *self,
                                                           const char        *model_class);
C2G_AVAILABLE_IN_ALL
const char        *c2g_meta_net_def_get_version           (C2gMetaNetDef     *self);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_set_version           (C2gMetaNetDef     *self,
                                                           const char        *version);
C2G_AVAILABLE_IN_ALL
const char        *c2g_meta_net_def_get_predictor_type    (C2gMetaNetDef     *self);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_set_predictor_type    (C2gMetaNetDef     *self,
                                                           const char        *predictor_type);
C2G_AVAILABLE_IN_ALL
const char        *c2g_meta_net_def_get_model_id          (C2gMetaNetDef     *self);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_set_model_id          (C2gMetaNetDef     *self,
                                                           const char        *model_id);

C2G_AVAILABLE_IN_ALL
char             **c2g_meta_net_def_list_nets             (C2gMetaNetDef     *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gNetDef         *c2g_meta_net_def_get_net               (C2gMetaNetDef     *self,
                                                           const char        *key);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_set_net               (C2gMetaNetDef     *self,
                                                           const char        *key,
                                                           C2gNetDef         *net);
C2G_AVAILABLE_IN_ALL
char             **c2g_meta_net_def_list_plans            (C2gMetaNetDef     *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gPlanDef        *c2g_meta_net_def_get_plan              (C2gMetaNetDef     *self,
                                                           const char        *key);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_set_plan              (C2gMetaNetDef     *self,
                                                           const char        *key,
                                                           C2gPlanDef        *plan);
C2G_AVAILABLE_IN_ALL
char             **c2g_meta_net_def_list_blobs            (C2gMetaNetDef     *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
const char *const *c2g_meta_net_def_get_blobs             (C2gMetaNetDef     *self,
                                                           const char        *key);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_set_blobs             (C2gMetaNetDef     *self,
                                                           const char        *key,
                                                           const char *const *names);
C2G_AVAILABLE_IN_ALL
char             **c2g_meta_net_def_list_application_info (C2gMetaNetDef     *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
const char        *c2g_meta_net_def_get_application_info  (C2gMetaNetDef     *self,
                                                           const char        *key);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_set_application_info  (C2gMetaNetDef     *self,
                                                           const char        *key,
                                                           const char        *value);

C2G_AVAILABLE_IN_ALL
const char *const *c2g_meta_net_def_get_blobs_order       (C2gMetaNetDef     *self);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_set_blobs_order       (C2gMetaNetDef     *self,
                                                           const char *const *names);
C2G_AVAILABLE_IN_ALL
const char *const *c2g_meta_net_def_get_preload_blobs     (C2gMetaNetDef     *self);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_set_preload_blobs     (C2gMetaNetDef     *self,
                                                           const char *const *names);

C2G_AVAILABLE_IN_ALL
gboolean           c2g_meta_net_def_equal                 (C2gMetaNetDef     *self,
                                                           C2gMetaNetDef     *other);

C2G_AVAILABLE_IN_ALL
GBytes            *c2g_meta_net_def_to_bytes              (C2gMetaNetDef     *self,
                                                           GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char              *c2g_meta_net_def_to_text               (C2gMetaNetDef     *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean           c2g_meta_net_def_save_file             (C2gMetaNetDef     *self,
                                                           GFile             *file,
                                                           gboolean           is_text,
                                                           GCancellable      *cancellable,
                                                           GError           **error);
C2G_AVAILABLE_IN_ALL
void               c2g_meta_net_def_save_file_async       (C2gMetaNetDef       *self,
                                                           GFile               *file,
                                                           gboolean             is_text,
                                                           GCancellable        *cancellable,
                                                           GAsyncReadyCallback  callback,
                                                           gpointer             user_data);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_meta_net_def_save_file_finish      (C2gMetaNetDef *self,
                                                           GAsyncResult  *result,
                                                           GError       **error);

G_END_DECLS
