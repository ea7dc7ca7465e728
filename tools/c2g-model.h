/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* What a command line calls a model: a folder with two nets, "INIT,PREDICT" with their files,
 * one net alone, or a database that a predictor was exported to. */
typedef struct
{
  char  *name;

  /* The files of nets; there may be no init net. */
  GFile *init_net;
  GFile *predict_net;
  /* The file of a database, in place of nets. */
  GFile *database;
} C2gModel;

/* The files that --allow-files and --allow-all-files let a model use. */
typedef struct
{
  gboolean root_folder;
  gboolean all;
} C2gAllowArguments;

C2gFileAccess c2g_allow_get_file_access (const C2gAllowArguments  *arguments);
/* Names the option that allows what was denied. */
void          c2g_allow_explain         (const C2gAllowArguments  *arguments,
                                         GError                  **error);

C2gModel *c2g_model_new  (const char    *argument,
                          GCancellable  *cancellable,
                          GError       **error);
void      c2g_model_free (C2gModel      *self);

/* The files of a model, for commands that look into files: the two nets of a folder or of
 * "INIT,PREDICT", and any other argument as it is. */
char    **c2g_model_list_files   (const char *argument);
/* The same for several arguments. */
char    **c2g_model_expand_files (char      **arguments);
/* The one of these files that has what was learned. */
GFile    *c2g_model_find_weights (const char *argument);

/* Ready to be run.  The device, if there is one, is where all of it runs. */
C2gPredictor *c2g_model_load         (C2gModel          *self,
                                      C2gDevice         *device,
                                      C2gOptimizeFlags   flags,
                                      C2gFileAccess      file_access,
                                      GCancellable      *cancellable,
                                      GError           **error);
/* The net alone, of whatever operators. */
C2gNetDef    *c2g_model_load_net     (C2gModel      *self,
                                      GCancellable  *cancellable,
                                      GError       **error);
/* Opens the file of the weights; NULL without an error if there is none. */
C2gModelFile *c2g_model_open_weights (C2gModel      *self,
                                      GCancellable  *cancellable,
                                      GError       **error);
/* A file beside the nets, which may not exist. */
GFile        *c2g_model_get_file     (C2gModel      *self,
                                      const char    *name);
/* A file beside the nets; NULL if there is none, or a link, which may lead elsewhere. */
GFile        *c2g_model_find_file    (C2gModel      *self,
                                      const char    *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gModel, c2g_model_free)

G_END_DECLS
