/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* A model on the command line: a folder with two nets, their files as "INIT,PREDICT", one net, or a
 * database of an exported predictor. For a model of Caffe, which is a folder or
 * "NET.caffemodel,NET.prototxt", the file with the blobs takes the place of the init net, and the
 * text that of the predict net. */
typedef struct
{
  char  *name;

  /* Files of the nets; init_net may be NULL. */
  GFile *init_net;
  GFile *predict_net;
  /* File of a database, instead of nets. */
  GFile *database;
} C2gModel;

/* The file access that --allow-files and --allow-all-files give to a model. */
typedef struct
{
  gboolean root_folder;
  gboolean all;
} C2gAllowArguments;

C2gFileAccess c2g_allow_get_file_access (const C2gAllowArguments  *arguments);
/* Appends to an error the option that allows the denied access. */
void          c2g_allow_explain         (const C2gAllowArguments  *arguments,
                                         GError                  **error);

/* Makes a net of a Caffe model and puts its parameters into the workspace; without a workspace they
 * are not read. */
C2gNetDef    *c2g_model_load_caffe      (C2gModel                 *self,
                                         C2gWorkspace             *workspace,
                                         GCancellable             *cancellable,
                                         GError                  **error);

C2gModel *c2g_model_new  (const char    *argument,
                          GCancellable  *cancellable,
                          GError       **error);
void      c2g_model_free (C2gModel      *self);

/* Returns TRUE for "BLOBS,TEXT" of Caffe, in any order. */
gboolean  c2g_model_is_caffe_pair (const char *argument);

/* Lists the files of models, for commands that read files: both nets of a folder or of "INIT,PREDICT",
 * and any other argument unchanged. The text of a net of Caffe is listed as its pair of files. */
char        **c2g_model_expand_files (char           **arguments);
/* Opens a file from that list. For a pair of Caffe's files this is the translated net. */
C2gModelFile *c2g_model_open_file    (const char      *argument,
                                      GCancellable    *cancellable,
                                      GError         **error);
/* Opens a file with blobs; for a model, the file with its parameters. OPTIONS may be NULL. */
C2gModelFile *c2g_model_open_blobs   (const char      *argument,
                                      C2gLoadOptions  *options,
                                      GCancellable    *cancellable,
                                      GError         **error);

/* Loads the model for running. If a device is given, all operators run on it. */
C2gPredictor *c2g_model_load         (C2gModel          *self,
                                      C2gDevice         *device,
                                      C2gOptimizeFlags   flags,
                                      C2gFileAccess      file_access,
                                      GCancellable      *cancellable,
                                      GError           **error);
/* Loads only the net; its operators need not exist here. */
C2gNetDef    *c2g_model_load_net     (C2gModel      *self,
                                      GCancellable  *cancellable,
                                      GError       **error);
/* Opens the file with the weights; returns NULL without an error if there is none. */
C2gModelFile *c2g_model_open_weights (C2gModel      *self,
                                      GCancellable  *cancellable,
                                      GError       **error);
/* Returns the file of the net or the database; other files of the model are next to it. */
GFile        *c2g_model_get_net_file (C2gModel      *self);

/* Loads class names, one on each line, from the given file or from one beside the nets. *LABELS is
 * NULL without an error if there is none. */
gboolean      c2g_model_load_labels  (C2gModel        *self,
                                      const char      *file_name,
                                      char          ***labels,
                                      GCancellable    *cancellable,
                                      GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gModel, c2g_model_free)

G_END_DECLS
