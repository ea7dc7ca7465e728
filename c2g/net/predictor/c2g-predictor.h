/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/core/workspace/c2g-workspace.h>
#include <c2g/def/c2g-meta-net-def.h>
#include <c2g/def/c2g-net-def.h>
#include <c2g/net/graph/c2g-optimize.h>
#include <c2g/net/predictor/c2g-class-score.h>
#include <c2g/net/run/c2g-net.h>

G_BEGIN_DECLS

#define C2G_TYPE_PREDICTOR (c2g_predictor_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gPredictor, c2g_predictor, C2G, PREDICTOR, GObject)

C2G_AVAILABLE_IN_ALL
C2gPredictor        *c2g_predictor_create        (C2gNetDef         *init_net,
                                                  C2gNetDef         *predict_net,
                                                  C2gWorkspace      *parent,
                                                  C2gDevice         *device,
                                                  C2gOptimizeFlags   flags,
                                                  GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gPredictor        *c2g_predictor_load          (GFile             *file,
                                                  C2gWorkspace      *parent,
                                                  C2gDevice         *device,
                                                  C2gOptimizeFlags   flags,
                                                  GCancellable      *cancellable,
                                                  GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gPredictor        *c2g_predictor_load_nets     (GFile             *init_net,
                                                  GFile             *predict_net,
                                                  C2gWorkspace      *parent,
                                                  C2gDevice         *device,
                                                  C2gOptimizeFlags   flags,
                                                  GCancellable      *cancellable,
                                                  GError           **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean             c2g_predictor_find_files    (GFile             *folder,
                                                  GFile            **init_net,
                                                  GFile            **predict_net,
                                                  GCancellable      *cancellable,
                                                  GError           **error);

C2G_AVAILABLE_IN_ALL
void                 c2g_predictor_load_async       (GFile               *file,
                                                     C2gWorkspace        *parent,
                                                     C2gDevice           *device,
                                                     C2gOptimizeFlags     flags,
                                                     GCancellable        *cancellable,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
C2G_AVAILABLE_IN_ALL
C2gPredictor        *c2g_predictor_load_finish      (GAsyncResult        *result,
                                                     GError             **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void                 c2g_predictor_load_nets_async  (GFile               *init_net,
                                                     GFile               *predict_net,
                                                     C2gWorkspace        *parent,
                                                     C2gDevice           *device,
                                                     C2gOptimizeFlags     flags,
                                                     GCancellable        *cancellable,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
C2G_AVAILABLE_IN_ALL
C2gPredictor        *c2g_predictor_load_nets_finish (GAsyncResult        *result,
                                                     GError             **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean             c2g_predictor_optimize      (C2gPredictor      *self,
                                                  C2gOptimizeFlags   flags,
                                                  GError           **error);

C2G_AVAILABLE_IN_ALL
gboolean             c2g_predictor_save          (C2gPredictor   *self,
                                                  GFile          *file,
                                                  GCancellable   *cancellable,
                                                  GError        **error);
C2G_AVAILABLE_IN_ALL
void                 c2g_predictor_save_async    (C2gPredictor        *self,
                                                  GFile               *file,
                                                  GCancellable        *cancellable,
                                                  GAsyncReadyCallback  callback,
                                                  gpointer             user_data);
C2G_AVAILABLE_IN_ALL
gboolean             c2g_predictor_save_finish   (C2gPredictor   *self,
                                                  GAsyncResult   *result,
                                                  GError        **error);

C2G_AVAILABLE_IN_ALL
C2gWorkspace        *c2g_predictor_get_workspace (C2gPredictor   *self);
C2G_AVAILABLE_IN_ALL
C2gNet              *c2g_predictor_get_net       (C2gPredictor   *self);
C2G_AVAILABLE_IN_ALL
const char * const  *c2g_predictor_get_inputs    (C2gPredictor   *self);
C2G_AVAILABLE_IN_ALL
const char * const  *c2g_predictor_get_outputs   (C2gPredictor   *self);
C2G_AVAILABLE_IN_ALL
char               **c2g_predictor_list_parameters (C2gPredictor *self);
C2G_AVAILABLE_IN_ALL
gboolean             c2g_predictor_load_parameters (C2gPredictor  *self,
                                                    GFile         *file,
                                                    GCancellable  *cancellable,
                                                    GError       **error);
C2G_AVAILABLE_IN_ALL
void                 c2g_predictor_load_parameters_async (C2gPredictor        *self,
                                                          GFile               *file,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
C2G_AVAILABLE_IN_ALL
gboolean             c2g_predictor_load_parameters_finish (C2gPredictor  *self,
                                                           GAsyncResult  *result,
                                                           GError       **error);
C2G_AVAILABLE_IN_ALL
gboolean             c2g_predictor_save_parameters (C2gPredictor  *self,
                                                    GFile         *file,
                                                    GCancellable  *cancellable,
                                                    GError       **error);
C2G_AVAILABLE_IN_ALL
void                 c2g_predictor_save_parameters_async (C2gPredictor        *self,
                                                          GFile               *file,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
C2G_AVAILABLE_IN_ALL
gboolean             c2g_predictor_save_parameters_finish (C2gPredictor  *self,
                                                           GAsyncResult  *result,
                                                           GError       **error);

C2G_AVAILABLE_IN_ALL
C2gTensor          **c2g_predictor_run           (C2gPredictor   *self,
                                                  C2gTensor     **inputs,
                                                  guint           n_inputs,
                                                  guint          *n_outputs,
                                                  GCancellable   *cancellable,
                                                  GError        **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void                 c2g_predictor_run_async     (C2gPredictor         *self,
                                                  C2gTensor           **inputs,
                                                  guint                 n_inputs,
                                                  GCancellable         *cancellable,
                                                  GAsyncReadyCallback   callback,
                                                  gpointer              user_data);
C2G_AVAILABLE_IN_ALL
C2gTensor          **c2g_predictor_run_finish    (C2gPredictor   *self,
                                                  GAsyncResult   *result,
                                                  guint          *n_outputs,
                                                  GError        **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean             c2g_predictor_set_input     (C2gPredictor   *self,
                                                  const char     *name,
                                                  C2gTensor      *tensor,
                                                  GError        **error);
C2G_AVAILABLE_IN_ALL
C2gTensor           *c2g_predictor_get_output    (C2gPredictor   *self,
                                                  const char     *name,
                                                  GError        **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
const char * const  *c2g_predictor_get_labels    (C2gPredictor   *self);
C2G_AVAILABLE_IN_ALL
C2gClassScore      **c2g_predictor_list_classes  (C2gPredictor   *self,
                                                  C2gTensor      *scores,
                                                  gint64          row,
                                                  guint           n_max,
                                                  guint          *n_classes,
                                                  GError        **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gClassScore       *c2g_predictor_classify      (C2gPredictor   *self,
                                                  C2gTensor      *picture,
                                                  GCancellable   *cancellable,
                                                  GError        **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gClassScore      **c2g_predictor_classify_batch (C2gPredictor   *self,
                                                   C2gTensor      *pictures,
                                                   guint          *n_pictures,
                                                   GCancellable   *cancellable,
                                                   GError        **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
