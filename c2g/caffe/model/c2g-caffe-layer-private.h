/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/model/c2g-prototxt-private.h>
#include <c2g/def/c2g-net-def.h>
#include <c2g/io/load/c2g-model-file.h>

G_BEGIN_DECLS

/* State of the translation of a net. */
typedef struct
{
  C2gPrototxt   text;
  /* Name of the text file, for messages. */
  char         *text_name;
  C2gModelFile *weights;
  C2gNetDef    *net;
  GCancellable *cancellable;

  /* Contains the parameters, and a blob for each known shape. If only the net is wanted, parameters
   * have a shape but no data, except those that are computed from blobs of the file. */
  C2gWorkspace *workspace;
  gboolean      has_values;
  /* Names of the blobs that the net does not make: the parameters, each once; the inputs; and all
   * of them. */
  GPtrArray    *parameters;
  GPtrArray    *input_order;
  GHashTable   *inputs;
  /* Number of external inputs that are not parameters; they come first. */
  gsize         n_inputs;

  /* By name in the text: the present blob in the net; and the padding that a layer of version 0
   * adds to it, plus 1. */
  GHashTable   *blobs;
  GHashTable   *margins;
  /* Blobs of the file by the names under which layers share them; and parameters by blobs of the
   * file. */
  GHashTable   *shared;
  GHashTable   *taken;
  /* Set of all names of blobs in the net. */
  GHashTable   *names;
  /* Blobs that layers make, in the order of the text; and the set of those that no layer reads. */
  GPtrArray    *order;
  GHashTable   *unread;
  GStringChunk *strings;
  /* Total size of the names in all operators, which is limited. */
  gsize         n_name_bytes;
  /* Number of names that were made unique by a number. */
  guint         n_suffixes;
  /* Number of unknown fields that were skipped. */
  guint         n_left_out;
} C2gCaffeNet;

/* Versions of layers. Each has other names for the types. */
typedef enum
{
  C2G_CAFFE_V0,
  C2G_CAFFE_V1,
  C2G_CAFFE_V2,
} C2gCaffeVersion;

typedef struct _C2gCaffeLayerType C2gCaffeLayerType;

/* State of the translation of a layer. */
typedef struct
{
  C2gCaffeNet             *net;
  C2gCaffeVersion          version;
  const C2gCaffeLayerType *type;
  const char              *name;
  C2gPrototxtField        *field;
  /* The message with the layer's parameters, or NULL. */
  C2gPrototxtField        *param;
  /* Names of the blobs in the translated net. */
  GPtrArray               *bottoms;
  GPtrArray               *tops;
  /* Padding that a layer of version 0 adds to the bottom, or -1. */
  gint64                   margin;
} C2gCaffeLayer;

typedef gboolean (*C2gCaffeTranslateFunc) (C2gCaffeLayer  *self,
                                           GError        **error);

typedef enum
{
  C2G_CAFFE_LAYER_COMPUTES,
  /* The tops are inputs of the net. */
  C2G_CAFFE_LAYER_IS_INPUT,
  /* The layer is only for training, and is skipped. */
  C2G_CAFFE_LAYER_ENDS,
  /* The layer only marks its bottoms as not being outputs of the net. */
  C2G_CAFFE_LAYER_SILENCES,
  /* The layer adds padding, which goes to the layers that read its top. */
  C2G_CAFFE_LAYER_PADS,
} C2gCaffeLayerUse;

/* Maximum number of bottoms or tops of a layer. */
#define C2G_CAFFE_MAX_BLOBS 4096

/* Maximum number of layers or fields named in a message. */
#define C2G_CAFFE_MAX_NAMED 50

struct _C2gCaffeLayerType
{
  const char            *name;
  /* The field with the layer's parameters, or NULL. */
  const char            *param;
  /* Allowed numbers of bottoms and tops, for layers that compute. */
  guint                  min_bottoms;
  guint                  max_bottoms;
  guint                  min_tops;
  guint                  max_tops;
  C2gCaffeTranslateFunc  translate;
  /* The operator type, for layers that differ only in that. */
  const char            *op_type;
  C2gCaffeLayerUse       use;
  /* TRUE if there are as many tops as bottoms. */
  gboolean               is_paired;
  /* TRUE if a padding layer of version 0 may come before this one. */
  gboolean               takes_margin;
  /* The known fields, including those without effect: they are for training, or select an
   * implementation. */
  const char            *fields;
};

/* Returns NULL for an unknown type. */
const C2gCaffeLayerType *c2g_caffe_layer_type_find (const char      *name,
                                                    C2gCaffeVersion  version);

/* c2g-caffe-translate.c */

/* Initializes SELF for a parsed text. */
void            c2g_caffe_net_init          (C2gCaffeNet         *self,
                                             C2gModelFile        *weights,
                                             GCancellable        *cancellable);
void            c2g_caffe_net_clear         (C2gCaffeNet         *self);
gboolean        c2g_caffe_net_translate     (C2gCaffeNet         *self,
                                             const char *const   *stages,
                                             int                  level,
                                             GError             **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gCaffeNet, c2g_caffe_net_clear)

/* c2g-caffe-inputs.c */

/* Adds a blob with its name in the text. Returns NULL if the name is taken. */
const char     *c2g_caffe_net_add_blob      (C2gCaffeNet         *self,
                                             const char          *name,
                                             GError             **error);
/* Adds inputs with the shapes in MESSAGE. If is_shared, a single shape is for all of them. */
gboolean        c2g_caffe_net_add_inputs    (C2gCaffeNet         *self,
                                             GPtrArray           *names,
                                             C2gPrototxtField    *message,
                                             const char          *shape_field,
                                             gboolean             is_shared,
                                             GError             **error);

/* c2g-caffe-layer-text.c */

/* Reads the layer's type, blobs and fields. Returns FALSE for an unknown type. */
gboolean        c2g_caffe_layer_read        (C2gCaffeLayer       *self,
                                             C2gCaffeNet         *net,
                                             C2gPrototxtField    *field);
gboolean        c2g_caffe_layer_translate   (C2gCaffeNet         *net,
                                             C2gPrototxtField    *field,
                                             GError             **error);

/* Functions for translating one layer: c2g-caffe-layer.c */

const char     *c2g_caffe_layer_bottom      (C2gCaffeLayer   *self,
                                             guint            i);
const char     *c2g_caffe_layer_top         (C2gCaffeLayer   *self,
                                             guint            i);
/* Sets C2G_ERROR_NOT_SUPPORTED with WHAT; returns FALSE. */
gboolean        c2g_caffe_layer_refuse      (C2gCaffeLayer   *self,
                                             const char      *what,
                                             GError         **error);
/* Puts layer and line before the message; returns FALSE. */
gboolean        c2g_caffe_layer_explain     (C2gCaffeLayer   *self,
                                             GError         **error);
/* Returns the shape of a blob or parameter; NULL if it is unknown. */
const gint64   *c2g_caffe_net_peek_dims     (C2gCaffeNet     *self,
                                             const char      *name,
                                             gsize           *n_dims);
/* The same for a bottom of the layer. */
const gint64   *c2g_caffe_layer_peek_dims   (C2gCaffeLayer   *self,
                                             guint            bottom,
                                             gsize           *n_dims);
/* The same; an unknown shape is an error. */
const gint64   *c2g_caffe_layer_need_dims   (C2gCaffeLayer   *self,
                                             guint            bottom,
                                             gsize           *n_dims,
                                             GError         **error);
/* Reads an axis, which counts from the end if it is negative. */
gboolean        c2g_caffe_layer_get_axis    (C2gCaffeLayer   *self,
                                             const char      *field,
                                             gint64           otherwise,
                                             gint64          *axis,
                                             GError         **error);

/* c2g-caffe-parameters.c */

/* Returns TRUE if the file has exactly N blobs for the layer. */
gboolean        c2g_caffe_layer_has_blobs   (C2gCaffeLayer   *self,
                                             guint            n);
/* Makes blob I of the layer a parameter of the net and returns its name. Dimensions of 1 at the
 * front are removed down to n_dims; -1 keeps the shape. */
const char     *c2g_caffe_layer_take        (C2gCaffeLayer   *self,
                                             guint            i,
                                             int              n_dims,
                                             GError         **error);
/* Checks that a dimension of a parameter equals the value of a field. */
gboolean        c2g_caffe_layer_check_dim   (C2gCaffeLayer   *self,
                                             const char      *parameter,
                                             gsize            axis,
                                             const char      *field,
                                             gint64           n,
                                             GError         **error);
/* Loads blob I of the layer as floats. */
C2gTensor      *c2g_caffe_layer_load        (C2gCaffeLayer   *self,
                                             guint            i,
                                             GError         **error);
/* Adds a parameter with computed values: n_dims is 0 for a single number, 1 for a vector. */
const char     *c2g_caffe_layer_add         (C2gCaffeLayer   *self,
                                             const char      *what,
                                             const float     *values,
                                             gint64           n_values,
                                             gsize            n_dims,
                                             GError         **error);

/* c2g-caffe-layer.c */

/* Returns the unique name “FRONT/BACK”, with a number if needed, for a blob that the text does not
 * have. */
const char     *c2g_caffe_layer_new_name    (C2gCaffeLayer   *self,
                                             const char      *front,
                                             const char      *back);
/* Makes an operator with these inputs, terminated by NULL. The caller adds the outputs. */
C2gOperatorDef *c2g_caffe_layer_new_op      (C2gCaffeLayer   *self,
                                             const char      *op_type,
                                             ...) G_GNUC_NULL_TERMINATED;
/* Adds top I as the next output, after the inputs were added. If the operator cannot work in place,
 * the top gets another name in the net. */
void            c2g_caffe_layer_add_top     (C2gCaffeLayer   *self,
                                             C2gOperatorDef  *op,
                                             guint            i);
/* Adds the operator to the net and takes ownership. If it has no outputs, adds all tops. */
gboolean        c2g_caffe_layer_emit        (C2gCaffeLayer   *self,
                                             C2gOperatorDef  *op,
                                             GError         **error);
/* Add operators that many layers need. OUTPUT is a name, or NULL for the top. */
gboolean        c2g_caffe_layer_emit_reshape (C2gCaffeLayer  *self,
                                              const char      *source,
                                              const gint64    *dims,
                                              gsize            n_dims,
                                              const char      *output,
                                              GError         **error);
gboolean        c2g_caffe_layer_emit_cast   (C2gCaffeLayer   *self,
                                             const char      *source,
                                             C2gDataType      data_type,
                                             const char      *output,
                                             GError         **error);

G_END_DECLS
