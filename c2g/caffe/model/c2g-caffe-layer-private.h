/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/model/c2g-prototxt-private.h>
#include <c2g/def/c2g-net-def.h>
#include <c2g/io/load/c2g-model-file.h>

G_BEGIN_DECLS

/* A net while it is translated. */
typedef struct
{
  C2gPrototxt   text;
  /* The name of its file. */
  char         *text_name;
  C2gModelFile *weights;
  C2gNetDef    *net;
  GCancellable *cancellable;

  /* The parameters, and blobs with the shapes that are known. Parameters have no data where only the net is
   * wanted, unless they are computed of the file's. */
  C2gWorkspace *workspace;
  gboolean      has_values;
  /* The names that the net reads from outside: parameters, each once, inputs, and both. */
  GPtrArray    *parameters;
  GPtrArray    *input_order;
  GHashTable   *inputs;
  /* How many of the external inputs are no parameters; they come first. */
  gsize         n_inputs;

  /* By the names of the text: the blobs that are current, and the margins of version 0, plus 1. */
  GHashTable   *blobs;
  GHashTable   *margins;
  /* Blobs of the file by the names that layers give to share them, and the parameters of these blobs. */
  GHashTable   *shared;
  GHashTable   *taken;
  /* All names of blobs that are taken. */
  GHashTable   *names;
  /* Blobs that layers made, in the order of the text, and which of them no layer has read. */
  GPtrArray    *order;
  GHashTable   *unread;
  GStringChunk *strings;
  /* Size of the names in all operators. */
  gsize         n_name_bytes;
  /* Number of names that got a number behind them. */
  guint         n_suffixes;
  /* Number of fields that are not known. */
  guint         n_left_out;
} C2gCaffeNet;

/* The versions of layers, each of which calls the types by other names. */
typedef enum
{
  C2G_CAFFE_V0,
  C2G_CAFFE_V1,
  C2G_CAFFE_V2,
} C2gCaffeVersion;

typedef struct _C2gCaffeLayerType C2gCaffeLayerType;

/* A layer while it is translated. */
typedef struct
{
  C2gCaffeNet             *net;
  C2gCaffeVersion          version;
  const C2gCaffeLayerType *type;
  const char              *name;
  C2gPrototxtField        *field;
  /* The message with its parameters, or NULL. */
  C2gPrototxtField        *param;
  /* Names of blobs in the net that is made. */
  GPtrArray               *bottoms;
  GPtrArray               *tops;
  /* The margin that a padding layer of version 0 adds to the bottom, or -1. */
  gint64                   margin;
} C2gCaffeLayer;

typedef gboolean (*C2gCaffeTranslateFunc) (C2gCaffeLayer  *self,
                                           GError        **error);

typedef enum
{
  C2G_CAFFE_LAYER_COMPUTES,
  /* Its tops are inputs of the net. */
  C2G_CAFFE_LAYER_IS_INPUT,
  /* It is for training alone, and left out. */
  C2G_CAFFE_LAYER_ENDS,
  /* Its bottoms are no outputs of the net. */
  C2G_CAFFE_LAYER_SILENCES,
  /* The layers that read its top get a margin. */
  C2G_CAFFE_LAYER_PADS,
} C2gCaffeLayerUse;

/* No layer has more bottoms or tops. */
#define C2G_CAFFE_MAX_BLOBS 4096

/* An error or a message names no more layers or fields than this. */
#define C2G_CAFFE_MAX_NAMED 50

struct _C2gCaffeLayerType
{
  const char            *name;
  /* The field with its parameters, or NULL. */
  const char            *param;
  /* How many there may be, for layers that compute. */
  guint                  min_bottoms;
  guint                  max_bottoms;
  guint                  min_tops;
  guint                  max_tops;
  C2gCaffeTranslateFunc  translate;
  /* For those that differ in the operator alone. */
  const char            *op_type;
  C2gCaffeLayerUse       use;
  /* It has as many tops as bottoms. */
  gboolean               is_paired;
  /* A padding layer of version 0 may be in front of it. */
  gboolean               takes_margin;
  /* The fields that it may have, those without effect here too: they are for training, or choose
   * among programs of Caffe. */
  const char            *fields;
};

/* Returns NULL for an unknown type. */
const C2gCaffeLayerType *c2g_caffe_layer_type_find (const char      *name,
                                                    C2gCaffeVersion  version);

/* c2g-caffe-translate.c */

/* The text has to be parsed. */
void            c2g_caffe_net_init          (C2gCaffeNet         *self,
                                             C2gModelFile        *weights,
                                             GCancellable        *cancellable);
void            c2g_caffe_net_clear         (C2gCaffeNet         *self);
gboolean        c2g_caffe_net_translate     (C2gCaffeNet         *self,
                                             const char *const   *stages,
                                             int                  level,
                                             GError             **error);
/* A new blob of the text, under its own name. Returns NULL if there is one of that name. */
const char     *c2g_caffe_net_add_blob      (C2gCaffeNet         *self,
                                             const char          *name,
                                             GError             **error);
/* Adds inputs, with the shapes that a message has for them. is_shared: whether one may be for all. */
gboolean        c2g_caffe_net_add_inputs    (C2gCaffeNet         *self,
                                             GPtrArray           *names,
                                             C2gPrototxtField    *message,
                                             const char          *shape_field,
                                             gboolean             is_shared,
                                             GError             **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gCaffeNet, c2g_caffe_net_clear)

/* c2g-caffe-layer-text.c */

/* Fills in what the text says of the layer itself. Returns FALSE for a type that is not known. */
gboolean        c2g_caffe_layer_read        (C2gCaffeLayer       *self,
                                             C2gCaffeNet         *net,
                                             C2gPrototxtField    *field);
gboolean        c2g_caffe_layer_translate   (C2gCaffeNet         *net,
                                             C2gPrototxtField    *field,
                                             GError             **error);

/* The following functions are for those that translate one type of layer: c2g-caffe-layer.c. */

const char     *c2g_caffe_layer_bottom      (C2gCaffeLayer   *self,
                                             guint            i);
const char     *c2g_caffe_layer_top         (C2gCaffeLayer   *self,
                                             guint            i);
/* Fails with C2G_ERROR_NOT_SUPPORTED; returns FALSE. */
gboolean        c2g_caffe_layer_refuse      (C2gCaffeLayer   *self,
                                             const char      *what,
                                             GError         **error);
/* Puts layer and line before the message; returns FALSE. */
gboolean        c2g_caffe_layer_explain     (C2gCaffeLayer   *self,
                                             GError         **error);
/* The shape of a blob or a parameter, or NULL if it is not known. */
const gint64   *c2g_caffe_net_peek_dims     (C2gCaffeNet     *self,
                                             const char      *name,
                                             gsize           *n_dims);
/* The same for a bottom. */
const gint64   *c2g_caffe_layer_peek_dims   (C2gCaffeLayer   *self,
                                             guint            bottom,
                                             gsize           *n_dims);
/* The same, with an error. */
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

/* Returns TRUE if the file has just N blobs for the layer. */
gboolean        c2g_caffe_layer_has_blobs   (C2gCaffeLayer   *self,
                                             guint            n);
/* Takes blob I of the layer as a parameter of the net. n_dims: what is left of a shape after
 * dimensions of 1 at the front, or -1. */
const char     *c2g_caffe_layer_take        (C2gCaffeLayer   *self,
                                             guint            i,
                                             int              n_dims,
                                             GError         **error);
/* Checks that a dimension of a parameter is what a field of the text says. */
gboolean        c2g_caffe_layer_check_dim   (C2gCaffeLayer   *self,
                                             const char      *parameter,
                                             gsize            axis,
                                             const char      *field,
                                             gint64           n,
                                             GError         **error);
/* Loads blob I, as floats. */
C2gTensor      *c2g_caffe_layer_load        (C2gCaffeLayer   *self,
                                             guint            i,
                                             GError         **error);
/* Adds a parameter of the layer’s own. n_dims: 0 for a single number, or 1 for a row. */
const char     *c2g_caffe_layer_add         (C2gCaffeLayer   *self,
                                             const char      *what,
                                             const float     *values,
                                             gint64           n_values,
                                             gsize            n_dims,
                                             GError         **error);

/* c2g-caffe-layer.c */

/* A name for a blob that the text does not have: “FRONT/BACK”, or more if another one is called so. */
const char     *c2g_caffe_layer_new_name    (C2gCaffeLayer   *self,
                                             const char      *front,
                                             const char      *back);
/* A new operator of these inputs, up to NULL; its output is to be added. */
C2gOperatorDef *c2g_caffe_layer_new_op      (C2gCaffeLayer   *self,
                                             const char      *op_type,
                                             ...) G_GNUC_NULL_TERMINATED;
/* Makes top I the next output, after the inputs. It gets another name if the operator cannot overwrite it. */
void            c2g_caffe_layer_add_top     (C2gCaffeLayer   *self,
                                             C2gOperatorDef  *op,
                                             guint            i);
/* Adds the operator, with all tops as its outputs if it has none, and takes it. */
gboolean        c2g_caffe_layer_emit        (C2gCaffeLayer   *self,
                                             C2gOperatorDef  *op,
                                             GError         **error);
/* Operators that many layers need. output: a name, or NULL for the top. */
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
