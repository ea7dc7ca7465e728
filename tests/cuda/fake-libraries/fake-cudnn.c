/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-cudnn-work.h"

#include "fake-cudnn.h"

#include <string.h>

/* The few functions of cuDNN that c2g calls, with the checks that its reference describes. Like the
 * real library it refuses three-dimensional images with the channels last. */

#define BEGIN()                                                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const int status_ = fake_library_call (__func__);                                              \
    if (status_ != 0)                                                                              \
      return (cudnnStatus_t) status_;                                                              \
  }                                                                                                \
  G_STMT_END

#define REFUSE_UNLESS(condition)                                                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (!(condition))                                                                              \
      return CUDNN_STATUS_BAD_PARAM;                                                               \
  }                                                                                                \
  G_STMT_END

/* Workspace sizes of the algorithms, which compute the same otherwise. */
#define WORKSPACE ((gsize) 1 << 20)
#define HUGE_WORKSPACE ((gsize) 1 << 30)

static int n_descriptors;
static int last_math = -1;

unsigned int
fake_cudnn_get_n_descriptors (void)
{
  return (unsigned int) g_atomic_int_get (&n_descriptors);
}

int
fake_cudnn_get_math_type (void)
{
  return g_atomic_int_get (&last_math);
}

#define DESCRIPTOR(Name, struct_name)                                                              \
  cudnnStatus_t cudnnCreate##Name##Descriptor (cudnn##Name##Descriptor_t *descriptor)              \
  {                                                                                                \
    BEGIN ();                                                                                      \
                                                                                                   \
    *descriptor = g_new0 (struct struct_name, 1);                                                  \
    g_atomic_int_inc (&n_descriptors);                                                             \
    return CUDNN_STATUS_SUCCESS;                                                                   \
  }                                                                                                \
                                                                                                   \
  cudnnStatus_t cudnnDestroy##Name##Descriptor (cudnn##Name##Descriptor_t descriptor)              \
  {                                                                                                \
    g_free (descriptor);                                                                           \
    g_atomic_int_add (&n_descriptors, -1);                                                         \
    return CUDNN_STATUS_SUCCESS;                                                                   \
  }

DESCRIPTOR (Tensor, cudnnTensorStruct)
DESCRIPTOR (Filter, cudnnFilterStruct)
DESCRIPTOR (Convolution, cudnnConvolutionStruct)
DESCRIPTOR (Pooling, cudnnPoolingStruct)
DESCRIPTOR (Activation, cudnnActivationStruct)

cudnnStatus_t
cudnnCreate (cudnnHandle_t *handle)
{
  BEGIN ();

  *handle = (cudnnHandle_t) fake_handle_new ();
  return *handle != NULL ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_INITIALIZED;
}

cudnnStatus_t
cudnnSetStream (cudnnHandle_t handle,
                cudaStream_t  stream)
{
  FakeHandle *self = (FakeHandle *) handle;

  BEGIN ();

  if (!fake_handle_check (self))
    return CUDNN_STATUS_NOT_INITIALIZED;
  self->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnGetProperty (libraryPropertyType  type,
                  int                 *value)
{
  static const int version[] = { 9, 97, 5 };

  *value = version[type];
  return CUDNN_STATUS_SUCCESS;
}

const char *
cudnnGetErrorString (cudnnStatus_t status)
{
  switch ((int) status)
    {
    case CUDNN_STATUS_SUCCESS:
      return "CUDNN_STATUS_SUCCESS";
    case CUDNN_STATUS_NOT_INITIALIZED:
      return "CUDNN_STATUS_NOT_INITIALIZED";
    case CUDNN_STATUS_BAD_PARAM:
      return "CUDNN_STATUS_BAD_PARAM";
    case CUDNN_STATUS_NOT_SUPPORTED:
      return "CUDNN_STATUS_NOT_SUPPORTED";
    case CUDNN_STATUS_ALLOC_FAILED:
      return "CUDNN_STATUS_ALLOC_FAILED";
    case CUDNN_STATUS_EXECUTION_FAILED:
      return "CUDNN_STATUS_EXECUTION_FAILED";
    default:
      return "CUDNN_STATUS_INTERNAL_ERROR";
    }
}

static gboolean
copy_positive (const int *from,
               int        n,
               int       *to)
{
  gboolean are_positive = TRUE;

  for (int i = 0; i < n; i++)
    {
      to[i] = from[i];
      are_positive &= from[i] > 0;
    }

  return are_positive;
}

static gboolean
copy_not_negative (const int *from,
                   int        n,
                   int       *to)
{
  gboolean are_good = TRUE;

  for (int i = 0; i < n; i++)
    {
      to[i] = from[i];
      are_good &= from[i] >= 0;
    }

  return are_good;
}

static gboolean
is_known_type (cudnnDataType_t type)
{
  return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_HALF || type == CUDNN_DATA_BFLOAT16;
}

cudnnStatus_t
cudnnSetTensorNdDescriptor (cudnnTensorDescriptor_t self,
                            cudnnDataType_t         type,
                            int                     n_dims,
                            const int               dims[],
                            const int               strides[])
{
  BEGIN ();

  REFUSE_UNLESS (is_known_type (type) && n_dims >= 4 && n_dims <= MAX_DIMS);
  self->type = type;
  self->n_dims = n_dims;
  REFUSE_UNLESS (copy_positive (dims, n_dims, self->dims));
  REFUSE_UNLESS (copy_positive (strides, n_dims, self->strides));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetFilterNdDescriptor (cudnnFilterDescriptor_t self,
                            cudnnDataType_t         type,
                            cudnnTensorFormat_t     format,
                            int                     n_dims,
                            const int               dims[])
{
  BEGIN ();

  REFUSE_UNLESS (is_known_type (type) && n_dims >= 4 && n_dims <= MAX_DIMS);
  self->type = type;
  REFUSE_UNLESS (format == CUDNN_TENSOR_NCHW || format == CUDNN_TENSOR_NHWC);
  self->n_dims = n_dims;
  self->is_last = format == CUDNN_TENSOR_NHWC;
  REFUSE_UNLESS (copy_positive (dims, n_dims, self->dims));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetConvolutionNdDescriptor (cudnnConvolutionDescriptor_t self,
                                 int                          n_dims,
                                 const int                    head[],
                                 const int                    stride[],
                                 const int                    dilation[],
                                 cudnnConvolutionMode_t       mode,
                                 cudnnDataType_t              type)
{
  BEGIN ();

  REFUSE_UNLESS (type == CUDNN_DATA_FLOAT && mode == CUDNN_CROSS_CORRELATION);
  REFUSE_UNLESS (n_dims == 2 || n_dims == 3);
  self->n_dims = n_dims;
  self->n_groups = 1;
  REFUSE_UNLESS (copy_not_negative (head, n_dims, self->head));
  REFUSE_UNLESS (copy_positive (stride, n_dims, self->stride));
  REFUSE_UNLESS (copy_positive (dilation, n_dims, self->dilation));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetConvolutionGroupCount (cudnnConvolutionDescriptor_t self,
                               int                          n_groups)
{
  BEGIN ();

  REFUSE_UNLESS (n_groups > 0);
  self->n_groups = n_groups;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetConvolutionMathType (cudnnConvolutionDescriptor_t self,
                             cudnnMathType_t              math)
{
  BEGIN ();

  self->math = math;
  g_atomic_int_set (&last_math, math);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetPoolingNdDescriptor (cudnnPoolingDescriptor_t    self,
                             const cudnnPoolingMode_t    mode,
                             const cudnnNanPropagation_t nan,
                             int                         n_dims,
                             const int                   kernel[],
                             const int                   head[],
                             const int                   stride[])
{
  BEGIN ();

  REFUSE_UNLESS (n_dims == 2 || n_dims == 3);
  self->mode = mode;
  self->n_dims = n_dims;
  REFUSE_UNLESS (copy_positive (kernel, n_dims, self->kernel));
  REFUSE_UNLESS (copy_not_negative (head, n_dims, self->head));
  REFUSE_UNLESS (copy_positive (stride, n_dims, self->stride));
  for (int i = 0; i < n_dims; i++)
    REFUSE_UNLESS (head[i] < kernel[i]);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetActivationDescriptor (cudnnActivationDescriptor_t self,
                              cudnnActivationMode_t       mode,
                              cudnnNanPropagation_t       nan,
                              double                      coefficient)
{
  BEGIN ();

  self->mode = mode;
  self->nan = nan;
  return CUDNN_STATUS_SUCCESS;
}

static gboolean
is_as_long (int in,
            int head,
            int reach,
            int stride,
            int out)
{
  return in + 2 * head >= reach && (in + 2 * head - reach) / stride + 1 == out;
}

/* The sum of 16-bit products is float; tensor cores multiply these, but not with the math of floats. */
static gboolean
check_types (const struct cudnnTensorStruct      *x,
             const struct cudnnFilterStruct      *filters,
             const struct cudnnConvolutionStruct *conv,
             const struct cudnnTensorStruct      *y)
{
  return filters->type == x->type && y->type == x->type &&
         (x->type == CUDNN_DATA_FLOAT) == (conv->math != CUDNN_TENSOR_OP_MATH);
}

static cudnnStatus_t
check_conv (const struct cudnnTensorStruct      *x,
            const struct cudnnFilterStruct      *filters,
            const struct cudnnConvolutionStruct *conv,
            const struct cudnnTensorStruct      *y)
{
  REFUSE_UNLESS (check_types (x, filters, conv, y));
  REFUSE_UNLESS (x->n_dims == conv->n_dims + 2 && filters->n_dims == x->n_dims &&
                 y->n_dims == x->n_dims);
  REFUSE_UNLESS (x->dims[0] == y->dims[0] && y->dims[1] == filters->dims[0]);
  REFUSE_UNLESS (x->dims[1] == filters->dims[1] * conv->n_groups);
  REFUSE_UNLESS (filters->dims[0] % conv->n_groups == 0);
  for (int i = 0; i < conv->n_dims; i++)
    REFUSE_UNLESS (is_as_long (x->dims[i + 2], conv->head[i],
                               conv->dilation[i] * (filters->dims[i + 2] - 1) + 1, conv->stride[i],
                               y->dims[i + 2]));
  REFUSE_UNLESS ((x->strides[1] == 1 || x->dims[1] == 1) || !filters->is_last);

  return conv->n_dims == 3 && filters->is_last ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS;
}

/* Like the real library this finds each algorithm with CUDNN_DEFAULT_MATH, too. Those for groups it
 * finds with nothing else, for c2g must expect that. */
static void
find (const cudnnConvolutionFwdAlgoPerf_t *all,
      gsize                                n_all,
      const struct cudnnConvolutionStruct *conv,
      int                                  n_wanted,
      int                                 *n_found,
      cudnnConvolutionFwdAlgoPerf_t       *found)
{
  *n_found = MIN (n_wanted, 2 * (int) n_all);
  for (int i = 0; i < *n_found; i++)
    {
      found[i] = all[i / 2];
      found[i].mathType = i % 2 == 0 || conv->n_groups > 1 ? CUDNN_DEFAULT_MATH : conv->math;
    }
}

cudnnStatus_t
cudnnGetConvolutionForwardAlgorithm_v7 (cudnnHandle_t                       handle,
                                        const cudnnTensorDescriptor_t       x,
                                        const cudnnFilterDescriptor_t       filters,
                                        const cudnnConvolutionDescriptor_t  conv,
                                        const cudnnTensorDescriptor_t       y,
                                        const int                           n_wanted,
                                        int                                *n_found,
                                        cudnnConvolutionFwdAlgoPerf_t      *found)
{
  static const cudnnConvolutionFwdAlgoPerf_t all[] = {
    { .algo = CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, .status = CUDNN_STATUS_NOT_SUPPORTED },
    { .algo = CUDNN_CONVOLUTION_FWD_ALGO_FFT, .memory = HUGE_WORKSPACE },
    { .algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, .memory = WORKSPACE },
    { .algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM },
  };
  cudnnStatus_t status;

  BEGIN ();

  if (!fake_handle_check ((FakeHandle *) handle))
    return CUDNN_STATUS_NOT_INITIALIZED;
  status = check_conv (x, filters, conv, y);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;

  find (all, G_N_ELEMENTS (all), conv, n_wanted, n_found, found);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnGetConvolutionForwardWorkspaceSize (cudnnHandle_t                       handle,
                                         const cudnnTensorDescriptor_t       x,
                                         const cudnnFilterDescriptor_t       filters,
                                         const cudnnConvolutionDescriptor_t  conv,
                                         const cudnnTensorDescriptor_t       y,
                                         cudnnConvolutionFwdAlgo_t           algorithm,
                                         size_t                             *n_bytes)
{
  BEGIN ();

  switch ((int) algorithm)
    {
    case CUDNN_CONVOLUTION_FWD_ALGO_FFT:
      *n_bytes = HUGE_WORKSPACE;
      break;
    case CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM:
      *n_bytes = WORKSPACE;
      break;
    default:
      *n_bytes = 0;
    }
  return check_conv (x, filters, conv, y);
}

static cudnnStatus_t
start (cudnnHandle_t   handle,
       const char     *name,
       FakeCudaInvoke  invoke,
       FakeCudnnWork  *work)
{
  FakeHandle *self = (FakeHandle *) handle;

  if (!fake_handle_check (self))
    return CUDNN_STATUS_NOT_INITIALIZED;
  return fake_library_launch (name, invoke, fake_cudnn_note_work, work, sizeof *work, self->stream) ==
             cudaSuccess
           ? CUDNN_STATUS_SUCCESS
           : CUDNN_STATUS_EXECUTION_FAILED;
}

/* Algorithms that use tensor cores need addresses that are multiples of 16. */
static gboolean
is_aligned (const FakeCudnnWork *work)
{
  const guintptr all = (guintptr) work->x_items | (guintptr) work->filter_items |
                       (guintptr) work->y_items | (guintptr) work->sum_items |
                       (guintptr) work->biases;

  return all % (work->x.type == CUDNN_DATA_FLOAT ? 4 : 16) == 0;
}

static cudnnStatus_t
start_conv (cudnnHandle_t             handle,
            cudnnConvolutionFwdAlgo_t algorithm,
            FakeCudnnWork            *work)
{
  const gboolean needs_workspace = algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
  cudnnStatus_t status;

  REFUSE_UNLESS (needs_workspace || algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM);
  REFUSE_UNLESS (!needs_workspace ||
                 (work->workspace != NULL && work->n_workspace_bytes >= WORKSPACE));
  REFUSE_UNLESS (is_aligned (work));
  status = check_conv (&work->x, &work->filters, &work->conv, &work->y);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;

  return start (handle, "fake_cudnn_conv", fake_cudnn_invoke_conv, work);
}

cudnnStatus_t
cudnnConvolutionForward (cudnnHandle_t                       handle,
                         const void                         *alpha,
                         const cudnnTensorDescriptor_t       x,
                         const void                         *x_items,
                         const cudnnFilterDescriptor_t       filters,
                         const void                         *filter_items,
                         const cudnnConvolutionDescriptor_t  conv,
                         cudnnConvolutionFwdAlgo_t           algorithm,
                         void                               *workspace,
                         size_t                              n_workspace_bytes,
                         const void                         *beta,
                         const cudnnTensorDescriptor_t       y,
                         void                               *y_items)
{
  FakeCudnnWork work = {
    .x = *x,
    .y = *y,
    .filters = *filters,
    .conv = *conv,
    .x_items = x_items,
    .filter_items = filter_items,
    .y_items = y_items,
    .sum_items = y_items,
    .alpha = *(const float *) alpha,
    .beta = *(const float *) beta,
    .workspace = workspace,
    .n_workspace_bytes = n_workspace_bytes,
  };

  BEGIN ();

  return start_conv (handle, algorithm, &work);
}

/* The real function has Relu with every algorithm, and no other activation than that and none. */
cudnnStatus_t
cudnnConvolutionBiasActivationForward (cudnnHandle_t                       handle,
                                       const void                         *alpha,
                                       const cudnnTensorDescriptor_t       x,
                                       const void                         *x_items,
                                       const cudnnFilterDescriptor_t       filters,
                                       const void                         *filter_items,
                                       const cudnnConvolutionDescriptor_t  conv,
                                       cudnnConvolutionFwdAlgo_t           algorithm,
                                       void                               *workspace,
                                       size_t                              n_workspace_bytes,
                                       const void                         *sum_factor,
                                       const cudnnTensorDescriptor_t       sum,
                                       const void                         *sum_items,
                                       const cudnnTensorDescriptor_t       bias,
                                       const void                         *biases,
                                       const cudnnActivationDescriptor_t   activation,
                                       const cudnnTensorDescriptor_t       y,
                                       void                               *y_items)
{
  FakeCudnnWork work = {
    .x = *x,
    .y = *y,
    .filters = *filters,
    .conv = *conv,
    .x_items = x_items,
    .filter_items = filter_items,
    .y_items = y_items,
    .sum_items = sum_items,
    .biases = biases,
    .alpha = *(const float *) alpha,
    .beta = *(const float *) sum_factor,
    .workspace = workspace,
    .n_workspace_bytes = n_workspace_bytes,
  };

  BEGIN ();

  REFUSE_UNLESS (activation->mode == CUDNN_ACTIVATION_RELU && activation->nan == CUDNN_NOT_PROPAGATE_NAN);
  REFUSE_UNLESS (biases != NULL && sum_items != NULL && memcmp (sum, y, sizeof *y) == 0);
  REFUSE_UNLESS (bias->type == y->type && bias->n_dims == y->n_dims && bias->dims[0] == 1 &&
                 bias->dims[1] == filters->dims[0]);
  for (int i = 2; i < bias->n_dims; i++)
    REFUSE_UNLESS (bias->dims[i] == 1);

  return start_conv (handle, algorithm, &work);
}

/* Like the real function it waits, and runs the algorithms, so that the output has no defined content.
 * The fastest one is another than was supposed. */
cudnnStatus_t
cudnnFindConvolutionForwardAlgorithmEx (cudnnHandle_t                       handle,
                                        const cudnnTensorDescriptor_t       x,
                                        const void                         *x_items,
                                        const cudnnFilterDescriptor_t       filters,
                                        const void                         *filter_items,
                                        const cudnnConvolutionDescriptor_t  conv,
                                        const cudnnTensorDescriptor_t       y,
                                        void                               *y_items,
                                        const int                           n_wanted,
                                        int                                *n_found,
                                        cudnnConvolutionFwdAlgoPerf_t      *found,
                                        void                               *workspace,
                                        size_t                              n_workspace_bytes)
{
  static const cudnnConvolutionFwdAlgoPerf_t all[] = {
    { .algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM },
  };
  FakeCudnnWork work = {
    .x = *x,
    .y = *y,
    .filters = *filters,
    .conv = *conv,
    .x_items = x_items,
    .filter_items = filter_items,
    .y_items = y_items,
    .sum_items = y_items,
    .workspace = workspace,
    .n_workspace_bytes = n_workspace_bytes,
  };
  cudnnStatus_t status;

  BEGIN ();

  status = start_conv (handle, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, &work);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;
  if (cudaStreamSynchronize (((FakeHandle *) handle)->stream) != cudaSuccess)
    return CUDNN_STATUS_EXECUTION_FAILED;

  find (all, G_N_ELEMENTS (all), conv, n_wanted, n_found, found);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnPoolingForward (cudnnHandle_t                  handle,
                     const cudnnPoolingDescriptor_t window,
                     const void                    *alpha,
                     const cudnnTensorDescriptor_t  x,
                     const void                    *x_items,
                     const void                    *beta,
                     const cudnnTensorDescriptor_t  y,
                     void                          *y_items)
{
  FakeCudnnWork work = {
    .x = *x,
    .y = *y,
    .pool = *window,
    .x_items = x_items,
    .y_items = y_items,
    .sum_items = y_items,
    .alpha = *(const float *) alpha,
    .beta = *(const float *) beta,
  };

  BEGIN ();

  REFUSE_UNLESS (x->n_dims == window->n_dims + 2 && y->n_dims == x->n_dims);
  REFUSE_UNLESS (x->type == y->type && x->dims[0] == y->dims[0] && x->dims[1] == y->dims[1]);
  for (int i = 0; i < window->n_dims; i++)
    REFUSE_UNLESS (is_as_long (x->dims[i + 2], window->head[i], window->kernel[i],
                               window->stride[i], y->dims[i + 2]));

  return start (handle, "fake_cudnn_pool", fake_cudnn_invoke_pool, &work);
}
