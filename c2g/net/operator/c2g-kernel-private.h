/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device-compute.h>
#include <c2g/net/operator/c2g-kernel-argument-private.h>
#include <c2g/net/operator/c2g-operator.h>

G_BEGIN_DECLS

/* The maximum number of inputs or outputs if there is no limit. */
#define C2G_MANY G_MAXUINT8

/* Properties of operator types that tell an optimizer which changes of a net are safe. */
typedef enum
{
  /* Nothing is known. The operator may look up blobs by name or keep state. */
  C2G_TRAIT_NONE = 0,
  /* Outputs depend only on the inputs, and the blobs of the outputs can be replaced by others. */
  C2G_TRAIT_PURE = 1 << 0,
  /* The first output is float, whatever types the inputs have. */
  C2G_TRAIT_FLOAT = 1 << 1,
  /* The first output has the element type of the first input. */
  C2G_TRAIT_SAME_TYPE = 1 << 2,
  /* All inputs and the first output have the same shape, and each output element depends only on
   * the input elements at the same position. */
  C2G_TRAIT_ELEMENTWISE = 1 << 3,
  /* The first input and the first output are images; the argument "order" gives their layout. */
  C2G_TRAIT_IMAGES = 1 << 4,
  /* Input 1 is the filters, in the same layout as the images. */
  C2G_TRAIT_FILTERS = 1 << 5,
  /* The first output equals the first input. */
  C2G_TRAIT_IDENTITY = 1 << 6,
  /* Each channel of the first output depends only on the same channel of the only input. */
  C2G_TRAIT_CHANNELWISE = 1 << 7,
  /* On a device the first input and the first output may be float16 instead of float, both or none.
   * With the second trait the same goes for all other inputs. */
  C2G_TRAIT_HALF_FIRST = 1 << 8,
  C2G_TRAIT_HALF_OTHERS = 1 << 9,

  /* Operators have these sets. */
  C2G_TRAIT_HALF = C2G_TRAIT_HALF_FIRST | C2G_TRAIT_HALF_OTHERS,
  C2G_TRAITS_FLOAT = C2G_TRAIT_PURE | C2G_TRAIT_FLOAT,
  C2G_TRAITS_SAME_TYPE = C2G_TRAIT_PURE | C2G_TRAIT_SAME_TYPE,
  C2G_TRAITS_ELEMENTWISE = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_ELEMENTWISE,
  C2G_TRAITS_IMAGES = C2G_TRAITS_FLOAT | C2G_TRAIT_IMAGES,
  C2G_TRAITS_POOL = C2G_TRAITS_IMAGES | C2G_TRAIT_CHANNELWISE | C2G_TRAIT_HALF,
  C2G_TRAITS_CONV = C2G_TRAITS_IMAGES | C2G_TRAIT_FILTERS | C2G_TRAIT_HALF,
  C2G_TRAITS_IDENTITY = C2G_TRAITS_ELEMENTWISE | C2G_TRAIT_IDENTITY | C2G_TRAIT_HALF_FIRST,
} C2gTraits;

/* Roles of operators that an optimizer replaces, joins or adds. One type of operators has each role; only a
 * convolution has several names. */
typedef enum
{
  C2G_ROLE_NONE,
  /* Inputs: images, filters and maybe a bias. */
  C2G_ROLE_CONV,
  /* The same with the argument "fusion_type" of Caffe2. */
  C2G_ROLE_CONV_FUSION,
  /* Inputs: images, scale, bias, mean and variance. */
  C2G_ROLE_BATCH_NORM,
  C2G_ROLE_RELU,
  /* With the arguments "min" and "max". */
  C2G_ROLE_CLIP,
  C2G_ROLE_SUM,
  C2G_ROLE_CONCAT,
  C2G_ROLE_TO_NHWC,
  C2G_ROLE_TO_NCHW,
  C2G_ROLE_TO_HALF,
  C2G_ROLE_TO_FLOAT,
  C2G_N_ROLES,
} C2gRole;

/* The operator that computes the gradient, and its blobs, separated by commas: I0 is an input, O0
 * an output, GO0 the gradient of an output, GI0 the gradient of an input. */
typedef struct
{
  const char *type;
  const char *inputs;
  const char *outputs;
} C2gKernelGradient;

/* A built-in operator for the CPU: all that a C2gOperatorClass would say, without a GType. Most
 * operators are rows of tables of these. */
typedef struct
{
  const char *type;
  /* NULL for the default engine. */
  const char *engine;
  /* Limits on the number of inputs and outputs. */
  guint8      min_inputs;
  guint8      max_inputs;
  guint8      min_outputs;
  guint8      max_outputs;
  /* In-place rules: "0>0 1>0" lists pairs input > output, "*" allows each input to be the output
   * of the same number, "**" allows all pairs. "0=0" means that the output shares the memory of
   * the input. */
  const char *in_place;
  /* All arguments of Caffe2's operator: those that are read into the state before set_up, and the
   * names of others. C2G_ARGS() makes them; NULL if there are none. The rows of a type's first
   * kernel are those of its schema.
   *
   * tests/ops/caffe2-arguments.txt lists what every version of Caffe2 knows, and the test next to
   * it finds arguments that are missing here. */
  const C2gKernelArgument *arguments;

  /* Size of the state that is kept between set_up and clear; it is zeroed before set_up. */
  gsize       state_size;
  gboolean  (*set_up) (C2gOperator  *op,
                       gpointer      state,
                       GError      **error);
  gboolean  (*run)    (C2gOperator  *op,
                       gpointer      state,
                       GError      **error);
  void      (*clear)  (gpointer      state);
  /* Returns the floating-point operations of the last run. NULL if they are not counted. */
  double    (*count_flops) (C2gOperator *op,
                            gpointer     state);

  /* One sentence for the documentation. */
  const char *summary;

  /* Infers the shapes of the outputs without data. It can be RUN itself if that sizes all outputs
   * before it reads an element, draws a random number or changes its state, see
   * c2g_operator_output(). NULL if only a run can tell the shapes. */
  gboolean  (*infer)  (C2gOperator  *op,
                       gpointer      state,
                       GError      **error);
  /* TRUE if the kernel asks the device with C2G_COMPUTE(), so that it runs on every device
   * that computes. */
  gboolean    is_for_devices;
  /* TRUE if the kernel reads its inputs on the CPU, whatever the operator's device is. */
  gboolean    reads_on_cpu;
  /* An engine of a device that can also run this kernel, or NULL. */
  const char *device_engine;

  /* For the optimizer and for gradients, in the row of the default engine. */
  C2gTraits   traits;
  /* An argument that must be true for the traits to hold, or NULL. */
  const char *traits_argument;
  C2gRole     role;
  /* No type if there is no operator for it. */
  C2gKernelGradient gradient;

  /* Returns the name of what computed the last run, a static string; NULL if there was none. NULL
   * if there is only one way. */
  const char *(*get_implementation) (gconstpointer state);
} C2gKernel;

/* Functions for kernels */

/* Returns the definition that never changes. Programs get copies. */
C2gOperatorDef *
           c2g_operator_peek_def    (C2gOperator   *self);

/* The floating-point operations of the last run, for kernels whose RUN counts them. The second
 * function is their count_flops. */
void       c2g_operator_set_flops   (C2gOperator   *self,
                                     double         n_flops);
double     c2g_operator_count_flops (C2gOperator   *self,
                                     gpointer       state);

/* Returns the functions of the operator's device; NULL on the CPU, where the kernel computes itself. */
const C2gDeviceCompute *
           c2g_operator_get_compute (C2gOperator   *self);
/* Starts work of a kind on that device, in the order of the operator's context; the fields of the
 * request follow. */
#define C2G_COMPUTE(op, error, ...)                                                                \
  c2g_operator_compute (op, &(C2gComputeRequest){ __VA_ARGS__ }, error)
gboolean   c2g_operator_compute (C2gOperator              *self,
                                 const C2gComputeRequest  *request,
                                 GError                  **error);

/* Sets an error for a device that has no function for this case; returns FALSE. */
gboolean   c2g_operator_fail_on_device (C2gOperator *self,
                                        GError     **error);

/* Returns a tensor on the CPU with the elements of an input; copies from the device and waits if
 * needed. Meant for a few numbers, such as shapes. TENSOR is the one from c2g_operator_input(). */
C2gTensor *c2g_operator_bring_near (C2gOperator   *self,
                                    guint          input,
                                    C2gTensor     *tensor,
                                    GError       **error);

/* During shape inference inputs have shapes and types, but maybe no data. Skip checks of elements
 * then. */
gboolean   c2g_operator_is_inferring (C2gOperator  *self);
/* Returns TRUE if the kernel may read elements of an input that shapes depend on, with
 * c2g_operator_bring_near(): always in a run, in shape inference only if they are known. */
gboolean   c2g_operator_need_values (C2gOperator   *self,
                                     guint          input,
                                     GError       **error);
/* Value of C2gKernel.infer for kernels that make no tensors. */
gboolean   c2g_operator_infer_nothing (C2gOperator *self,
                                       gpointer       state,
                                       GError       **error);

/* Returns the tensor of an input. It is on the operator's device, has data and the wanted type;
 * C2G_DATA_TYPE_UNDEFINED means any type. Otherwise an error names the blob. */
C2gTensor *c2g_operator_input       (C2gOperator   *self,
                                     guint          input,
                                     C2gDataType    wanted,
                                     GError       **error);
/* The same, but the tensor may be on the CPU, too: Caffe2 keeps counts of steps and iterations there
 * even if the operator runs on a device. */
C2gTensor *c2g_operator_input_near_or_far (C2gOperator  *self,
                                           guint         input,
                                           C2gDataType   wanted,
                                           GError      **error);
/* Finds the first n_inputs of them. */
gboolean   c2g_operator_read_inputs (C2gOperator   *self,
                                     guint          n_inputs,
                                     C2gDataType    wanted,
                                     C2gTensor    **inputs,
                                     GError       **error);
/* Returns the output, resized and allocated. In place it is the tensor of an input: read the
 * shape of the input before.
 *
 * During shape inference no memory is allocated, and NULL stops the kernel after the last output.
 * So each output must be requested exactly once. */
C2gTensor *c2g_operator_output      (C2gOperator   *self,
                                     guint          output,
                                     const gint64  *dims,
                                     gsize          n_dims,
                                     C2gDataType    data_type,
                                     GError       **error);
/* The same for any element type; the old elements may be lost. */
C2gTensor *c2g_operator_output_meta (C2gOperator   *self,
                                     guint          output,
                                     const gint64  *dims,
                                     gsize          n_dims,
                                     C2gTypeMeta   *meta,
                                     GError       **error);
/* The same with the shape of another tensor. */
C2gTensor *c2g_operator_output_like (C2gOperator   *self,
                                     guint          output,
                                     C2gTensor     *like,
                                     C2gDataType    data_type,
                                     GError       **error);

/* Copies elements that are not plain from an input to an output. If an element cannot be copied,
 * the run fails after the kernel has ended. */
void       c2g_operator_copy_elements (C2gTypeMeta   *meta,
                                       gsize          n_items,
                                       gconstpointer  source,
                                       gpointer       target);

/* Set errors that name the blob; return FALSE. */
gboolean   c2g_operator_set_shape_error (C2gOperator  *self,
                                         guint         input,
                                         GError      **error,
                                         const char   *expected,
                                         ...) G_GNUC_PRINTF (4, 5);
gboolean   c2g_operator_set_type_error  (C2gOperator  *self,
                                         guint         input,
                                         const char   *expected,
                                         GError      **error);

/* Reads several arguments; c2g_arguments_finish() reports the first error. */
typedef struct
{
  C2gOperator *op;
  GError      *error;
} C2gArguments;

#define C2G_ARGUMENTS_INIT(operator) ((C2gArguments) { .op = (operator) })

gint64        c2g_arguments_int     (C2gArguments  *self,
                                     const char    *name,
                                     gint64         default_value);
float         c2g_arguments_float   (C2gArguments  *self,
                                     const char    *name,
                                     float          default_value);
/* The string lives as long as the operator. After an error it is the default. NULL only if the
 * default is NULL. */
const char   *c2g_arguments_string  (C2gArguments  *self,
                                     const char    *name,
                                     const char    *default_value);
const gint64 *c2g_arguments_ints    (C2gArguments  *self,
                                     const char    *name,
                                     gsize         *n_values);
const float  *c2g_arguments_floats  (C2gArguments  *self,
                                     const char    *name,
                                     gsize         *n_values);
/* Reads the arguments into a state. */
void          c2g_arguments_read    (C2gArguments            *self,
                                     const C2gKernelArgument *rows,
                                     gpointer                 state);
/* The same with a prefix before all names. The rows are numbers or lists, without C2G_ELSE(). */
void          c2g_arguments_read_prefixed (C2gArguments            *self,
                                           const char              *prefix,
                                           const C2gKernelArgument *rows,
                                           gpointer                 state);
/* Sets an error that the argument is out of range unless is_right. */
void          c2g_arguments_check   (C2gArguments  *self,
                                     const char    *name,
                                     gint64         value,
                                     gboolean       is_right);
/* Ends the reading of arguments, which must be done once for each C2gArguments. Returns FALSE with the
 * first error, if there was one. */
gboolean      c2g_arguments_finish  (C2gArguments  *self,
                                     GError       **error);

/* Adds a static table of kernels. */
void          c2g_kernels_register  (const C2gKernel *kernels,
                                     gsize            n_kernels);

G_END_DECLS
