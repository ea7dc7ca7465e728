/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/core/workspace/c2g-blob.h>
#include <c2g/core/workspace/c2g-workspace.h>
#include <c2g/io/load/c2g-load-options.h>
#include <c2g/io/message/c2g-file-entry.h>
#include <c2g/io/stream/c2g-progress.h>

G_BEGIN_DECLS

#define C2G_TYPE_MODEL_FILE_KIND (c2g_model_file_kind_get_type ())
#define C2G_TYPE_MODEL_FILE      (c2g_model_file_get_type ())

/**
 * C2gModelFileKind:
 * @C2G_MODEL_FILE_KIND_UNKNOWN: not set; a file to be written gets the kind that its name says
 * @C2G_MODEL_FILE_KIND_BLOB: one blob, Caffe2's `BlobProto`
 * @C2G_MODEL_FILE_KIND_TENSOR: one tensor, Caffe2's `TensorProto`
 * @C2G_MODEL_FILE_KIND_NET: a net, Caffe2's `NetDef`
 * @C2G_MODEL_FILE_KIND_NET_TEXT: a net as text
 * @C2G_MODEL_FILE_KIND_MINIDB: a checkpoint in a database of Caffe2's own kind
 * @C2G_MODEL_FILE_KIND_LMDB: a checkpoint in an LMDB database: a folder, or its
 *   `data.mdb`
 * @C2G_MODEL_FILE_KIND_PROTODB: tensors one after the other, Caffe2's `TensorProtos`
 * @C2G_MODEL_FILE_KIND_SAFETENSORS: tensors in the safetensors format
 * @C2G_MODEL_FILE_KIND_NPY: one array of NumPy
 * @C2G_MODEL_FILE_KIND_NPZ: an archive of arrays of NumPy
 * @C2G_MODEL_FILE_KIND_DB: a checkpoint in a database of a type that was registered with
 *   [func@Db.register]
 * @C2G_MODEL_FILE_KIND_CAFFEMODEL: the blobs of the layers of a net of Caffe or NVCaffe
 * @C2G_MODEL_FILE_KIND_BINARYPROTO: one blob of Caffe or NVCaffe, such as the mean of images
 *
 * The kinds of files.
 *
 * A file that has been opened is never `C2G_MODEL_FILE_KIND_UNKNOWN`.
 */
typedef enum
{
  C2G_MODEL_FILE_KIND_UNKNOWN,
  C2G_MODEL_FILE_KIND_BLOB,
  C2G_MODEL_FILE_KIND_TENSOR,
  C2G_MODEL_FILE_KIND_NET,
  C2G_MODEL_FILE_KIND_NET_TEXT,
  C2G_MODEL_FILE_KIND_MINIDB,
  C2G_MODEL_FILE_KIND_LMDB,
  C2G_MODEL_FILE_KIND_PROTODB,
  C2G_MODEL_FILE_KIND_SAFETENSORS,
  C2G_MODEL_FILE_KIND_NPY,
  C2G_MODEL_FILE_KIND_NPZ,
  C2G_MODEL_FILE_KIND_DB,
  C2G_MODEL_FILE_KIND_CAFFEMODEL,
  C2G_MODEL_FILE_KIND_BINARYPROTO,
} C2gModelFileKind;

C2G_AVAILABLE_IN_ALL
GType c2g_model_file_kind_get_type (void);

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gModelFile, c2g_model_file, C2G, MODEL_FILE, GObject)

C2G_AVAILABLE_IN_ALL
C2gModelFile     *c2g_model_file_open                  (GFile           *file,
                                                        C2gLoadOptions  *options,
                                                        GCancellable    *cancellable,
                                                        GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gModelFile     *c2g_model_file_new_from_bytes        (GBytes          *bytes,
                                                        const char      *file_name,
                                                        GError         **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gModelFileKind  c2g_model_file_get_kind              (C2gModelFile    *self);
C2G_AVAILABLE_IN_ALL
const char       *c2g_model_file_get_file_name         (C2gModelFile    *self);
C2G_AVAILABLE_IN_ALL
const char       *c2g_model_file_get_metadata          (C2gModelFile    *self,
                                                        const char      *key);
C2G_AVAILABLE_IN_ALL
char            **c2g_model_file_list_metadata         (C2gModelFile    *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gFileEntry    **c2g_model_file_list_entries          (C2gModelFile    *self,
                                                        guint           *n_entries) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gFileEntry     *c2g_model_file_lookup_entry          (C2gModelFile    *self,
                                                        const char      *name) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean          c2g_model_file_get_segment           (C2gModelFile    *self,
                                                        gint64          *begin,
                                                        gint64          *end);

C2G_AVAILABLE_IN_ALL
const char       *c2g_model_file_get_net_name          (C2gModelFile    *self);
C2G_AVAILABLE_IN_ALL
guint             c2g_model_file_get_n_operators       (C2gModelFile    *self,
                                                        const char      *type);
C2G_AVAILABLE_IN_ALL
char            **c2g_model_file_list_operator_types   (C2gModelFile    *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char            **c2g_model_file_list_external_inputs  (C2gModelFile    *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char            **c2g_model_file_list_external_outputs (C2gModelFile    *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
char            **c2g_model_file_load                  (C2gModelFile    *self,
                                                        C2gWorkspace    *workspace,
                                                        C2gLoadOptions  *options,
                                                        GCancellable    *cancellable,
                                                        GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gBlob          *c2g_model_file_load_blob             (C2gModelFile    *self,
                                                        const char      *name,
                                                        GCancellable    *cancellable,
                                                        GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean          c2g_model_file_verify                (C2gModelFile    *self,
                                                        C2gProgress     *progress,
                                                        GCancellable    *cancellable,
                                                        GError         **error);

G_END_DECLS
