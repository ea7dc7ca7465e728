/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-device-compute.h>
#include <c2g/net/c2g-operator.h>

G_BEGIN_DECLS

/* However many. */
#define C2G_MANY G_MAXUINT8

/* An operator that the library comes with, for the CPU: all that a class would say, without
 * the class.  Tables of these are all that there is of most operators. */
typedef struct
{
  const char *type;
  /* NULL for the one that is taken unless another is asked for. */
  const char *engine;
  /* How many inputs and outputs there may be. */
  guint8      min_inputs;
  guint8      max_inputs;
  guint8      min_outputs;
  guint8      max_outputs;
  /* Which inputs may be which outputs: "0>0 1>0", "*" for each its own, or
   * "**" for all; "0=0" is for an output that has the memory of the input. */
  const char *in_place;
  /* Arguments that must be there, with spaces between. */
  const char *required;

  /* What is kept from set-up to the last run, zero at first. */
  gsize       state_size;
  gboolean  (*set_up) (C2gOperator  *op,
                       gpointer      state,
                       GError      **error);
  gboolean  (*run)    (C2gOperator  *op,
                       gpointer      state,
                       GError      **error);
  void      (*clear)  (gpointer      state);
  /* Floating-point operations of the run that has just been; NULL if nobody would count them. */
  double    (*count_flops) (C2gOperator *op,
                            gpointer     state);

  /* In a sentence. */
  const char *summary;

  /* Sizes the outputs without data: run itself, where that sizes all of them before it reads
   * any element, draws, counts or keeps anything, see c2g_operator_output(); NULL where only
   * a run can tell. */
  gboolean  (*infer)  (C2gOperator  *op,
                       gpointer      state,
                       GError      **error);
  /* Whether it asks c2g_operator_get_compute(), and so runs on any device that has that. */
  gboolean    is_for_devices;
  /* An engine of devices that it runs by as well, where they have it. */
  const char *device_engine;
} C2gKernel;

/* What kernels call. */

/* What computes where the operator runs; NULL on the CPU, where the kernel does so itself.
 * Whatever it is asked for is done in the order of the operator's context. */
const C2gDeviceCompute *
           c2g_operator_get_compute (C2gOperator   *self);

/* For a kernel that a device has no function for; returns FALSE. */
gboolean   c2g_operator_fail_on_device (C2gOperator *self,
                                        GError     **error);

/* The elements of an input where the processor reaches them, which are copied and waited for
 * unless they are there: for few numbers, on which shapes or work depend.  The tensor is that of
 * c2g_operator_input(). */
C2gTensor *c2g_operator_bring_near (C2gOperator   *self,
                                    guint          input,
                                    C2gTensor     *tensor,
                                    GError       **error);

/* While shapes are inferred, inputs have shapes and types, but maybe no data.  What only
 * checks elements is left out then. */
gboolean   c2g_operator_is_inferring (C2gOperator  *self);
/* Whether the elements of an input, on which shapes depend, can be read: always in a run, near. */
gboolean   c2g_operator_need_values (C2gOperator   *self,
                                     guint          input,
                                     GError       **error);
/* For kernels that make no tensors: C2gKernel.infer. */
gboolean   c2g_operator_infer_nothing (C2gOperator *self,
                                     gpointer       state,
                                     GError       **error);

/* A tensor on the operator's device that has data, of the type wanted or of any with
 * C2G_DATA_TYPE_UNDEFINED; otherwise an error that names the blob. */
C2gTensor *c2g_operator_input       (C2gOperator   *self,
                                     guint          input,
                                     C2gDataType    wanted,
                                     GError       **error);
/* The output resized and allocated.  The tensor may be that of an input in place: read
 * what is needed of its shape before.
 *
 * While shapes are inferred it has no memory, and when every output has been sized, each
 * once, NULL stops the kernel. */
C2gTensor *c2g_operator_output      (C2gOperator   *self,
                                     guint          output,
                                     const gint64  *dims,
                                     gsize          n_dims,
                                     C2gDataType    data_type,
                                     GError       **error);
/* The same for any type of elements, whose former values need not be kept. */
C2gTensor *c2g_operator_output_meta (C2gOperator   *self,
                                     guint          output,
                                     const gint64  *dims,
                                     gsize          n_dims,
                                     C2gTypeMeta   *meta,
                                     GError       **error);
/* The same in the shape of another tensor. */
C2gTensor *c2g_operator_output_like (C2gOperator   *self,
                                     guint          output,
                                     C2gTensor     *like,
                                     C2gDataType    data_type,
                                     GError       **error);

/* Errors that name a blob; all return FALSE. */
gboolean   c2g_operator_set_shape_error (C2gOperator  *self,
                                         guint         input,
                                         GError      **error,
                                         const char   *expected,
                                         ...) G_GNUC_PRINTF (4, 5);
gboolean   c2g_operator_set_type_error  (C2gOperator  *self,
                                         guint         input,
                                         const char   *expected,
                                         GError      **error);

/* Reads several arguments, and tells of the first wrong one at the end. */
typedef struct
{
  C2gOperator *op;
  GError      *error;
} C2gArguments;

#define C2G_ARGUMENTS_INIT(operator) ((C2gArguments) { .op = (operator) })

gint64        c2g_arguments_int     (C2gArguments  *self,
                                     const char    *name,
                                     gint64         default_value);
/* One that fits: others are an error. */
int           c2g_arguments_int32   (C2gArguments  *self,
                                     const char    *name,
                                     int            default_value);
gboolean      c2g_arguments_boolean (C2gArguments  *self,
                                     const char    *name,
                                     gboolean       default_value);
float         c2g_arguments_float   (C2gArguments  *self,
                                     const char    *name,
                                     float          default_value);
/* Of the definition, which lives as long as the operator. */
const char   *c2g_arguments_string  (C2gArguments  *self,
                                     const char    *name,
                                     const char    *default_value);
const gint64 *c2g_arguments_ints    (C2gArguments  *self,
                                     const char    *name,
                                     gsize         *n_values);
const float  *c2g_arguments_floats  (C2gArguments  *self,
                                     const char    *name,
                                     gsize         *n_values);
/* NCHW unless the argument says NHWC: whether the channels come last. */
gboolean      c2g_arguments_order   (C2gArguments  *self);
/* A data type, from the number or the name that Caffe2 knows it by. */
C2gDataType   c2g_arguments_data_type (C2gArguments *self,
                                       const char   *name,
                                       C2gDataType   default_value);
gboolean      c2g_arguments_finish  (C2gArguments  *self,
                                     GError       **error);

/* Adds kernels of a family; they are static. */
void          c2g_kernels_register  (const C2gKernel *kernels,
                                     gsize            n_kernels);

/* All families: c2g/ops/c2g-ops.c, which stands above. */
void          c2g_ops_register_all  (void);

G_END_DECLS
