/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-cudnn.h"

#include <cudnn.h>
#include <math.h>
#include <string.h>

/* The few functions of cuDNN that c2g calls, with the checks that its reference describes. Like the
 * real library it refuses three-dimensional images with the channels last. */

#define MAX_DIMS 5

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

struct cudnnTensorStruct
{
  int n_dims;
  int dims[MAX_DIMS];
  int strides[MAX_DIMS];
};

struct cudnnFilterStruct
{
  int      n_dims;
  int      dims[MAX_DIMS];
  gboolean is_last;
};

struct cudnnConvolutionStruct
{
  int             n_dims;
  int             head[3];
  int             stride[3];
  int             dilation[3];
  int             n_groups;
  cudnnMathType_t math;
};

struct cudnnPoolingStruct
{
  cudnnPoolingMode_t mode;
  int                n_dims;
  int                kernel[3];
  int                head[3];
  int                stride[3];
};

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

cudnnStatus_t
cudnnSetTensorNdDescriptor (cudnnTensorDescriptor_t self,
                            cudnnDataType_t         type,
                            int                     n_dims,
                            const int               dims[],
                            const int               strides[])
{
  BEGIN ();

  REFUSE_UNLESS (type == CUDNN_DATA_FLOAT && n_dims >= 4 && n_dims <= MAX_DIMS);
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

  REFUSE_UNLESS (type == CUDNN_DATA_FLOAT && n_dims >= 4 && n_dims <= MAX_DIMS);
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

static gboolean
is_as_long (int in,
            int head,
            int reach,
            int stride,
            int out)
{
  return in + 2 * head >= reach && (in + 2 * head - reach) / stride + 1 == out;
}

static cudnnStatus_t
check_conv (const struct cudnnTensorStruct      *x,
            const struct cudnnFilterStruct      *filters,
            const struct cudnnConvolutionStruct *conv,
            const struct cudnnTensorStruct      *y)
{
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

  *n_found = MIN (n_wanted, (int) G_N_ELEMENTS (all));
  memcpy (found, all, *n_found * sizeof *found);
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

/* The arguments of the kernel. They are copies, because the descriptors may be destroyed before it
 * runs. */
typedef struct
{
  struct cudnnTensorStruct      x;
  struct cudnnTensorStruct      y;
  struct cudnnFilterStruct      filters;
  struct cudnnConvolutionStruct conv;
  struct cudnnPoolingStruct     pool;
  const float                  *x_items;
  const float                  *filter_items;
  float                        *y_items;
  float                         alpha;
  float                         beta;
  gpointer                      workspace;
  gsize                         n_workspace_bytes;
} Work;

static gsize
count_items (const struct cudnnTensorStruct *tensor)
{
  gsize last = 1;

  for (int i = 0; i < tensor->n_dims; i++)
    last += (gsize) (tensor->dims[i] - 1) * tensor->strides[i];

  return last;
}

static gsize
count_filter_items (const struct cudnnFilterStruct *filters)
{
  gsize n = 1;

  for (int i = 0; i < filters->n_dims; i++)
    n *= filters->dims[i];

  return n;
}

/* A place in three dimensions; the first one may be missing. */
typedef struct
{
  int at[3];
} Place;

static int
get_size (const int *dims,
          int        n_dims,
          int        i)
{
  const int missing = 3 - n_dims;

  return i < missing ? 1 : dims[i - missing];
}

static gboolean
next_place (Place     *place,
            const int *dims,
            int        n_dims)
{
  for (int i = 2; i >= 0; i--)
    {
      if (++place->at[i] < get_size (dims, n_dims, i))
        return TRUE;
      place->at[i] = 0;
    }

  return FALSE;
}

/* Finds the input that an output reads with one element of the filter; FALSE outside of the
 * image. */
static gboolean
find_input (const struct cudnnTensorStruct *x,
            int                             n_dims,
            const Place                    *out,
            const Place                    *kernel,
            const int                      *head,
            const int                      *stride,
            const int                      *dilation,
            gsize                          *offset)
{
  const int missing = 3 - n_dims;

  *offset = 0;
  for (int i = missing; i < 3; i++)
    {
      const int k = i - missing;
      const int at = out->at[i] * stride[k] - head[k] +
                     kernel->at[i] * (dilation != NULL ? dilation[k] : 1);

      if (at < 0 || at >= x->dims[k + 2])
        return FALSE;
      *offset += (gsize) at * x->strides[k + 2];
    }

  return TRUE;
}

static gsize
find_output (const struct cudnnTensorStruct *y,
             int                             n_dims,
             int                             image,
             int                             channel,
             const Place                    *out)
{
  const int missing = 3 - n_dims;
  gsize offset = (gsize) image * y->strides[0] + (gsize) channel * y->strides[1];

  for (int i = missing; i < 3; i++)
    offset += (gsize) out->at[i] * y->strides[i - missing + 2];

  return offset;
}

static gsize
find_filter_item (const struct cudnnFilterStruct *filters,
                  int                             filter,
                  int                             channel,
                  const Place                    *kernel)
{
  const int n_dims = filters->n_dims - 2;
  gsize n_kernel = 1, at = 0;

  for (int i = 3 - n_dims; i < 3; i++)
    {
      const int size = filters->dims[i - (3 - n_dims) + 2];

      at = at * size + kernel->at[i];
      n_kernel *= size;
    }

  return filters->is_last ? (filter * n_kernel + at) * filters->dims[1] + channel
                          : ((gsize) filter * filters->dims[1] + channel) * n_kernel + at;
}

static double
convolve (const Work  *work,
          int          image,
          int          filter,
          const Place *out)
{
  const struct cudnnConvolutionStruct *conv = &work->conv;
  const int n_channels = work->filters.dims[1];
  const int group = filter / (work->filters.dims[0] / conv->n_groups);
  Place kernel = { { 0 } };
  double sum = 0;

  do
    {
      gsize offset;

      if (!find_input (&work->x, conv->n_dims, out, &kernel, conv->head, conv->stride,
                       conv->dilation, &offset))
        continue;
      offset += (gsize) image * work->x.strides[0] +
                (gsize) group * n_channels * work->x.strides[1];
      for (int channel = 0; channel < n_channels; channel++)
        sum += (double) work->x_items[offset + (gsize) channel * work->x.strides[1]] *
               work->filter_items[find_filter_item (&work->filters, filter, channel, &kernel)];
    }
  while (next_place (&kernel, work->filters.dims + 2, conv->n_dims));

  return sum;
}

static double
pool (const Work  *work,
      int          image,
      int          channel,
      const Place *out)
{
  const struct cudnnPoolingStruct *window = &work->pool;
  const gboolean is_max = window->mode == CUDNN_POOLING_MAX;
  double result = is_max ? -INFINITY : 0;
  Place kernel = { { 0 } };
  int n = 0, n_all = 0;

  do
    {
      gsize offset;
      double item;

      n_all++;
      if (!find_input (&work->x, window->n_dims, out, &kernel, window->head, window->stride, NULL,
                       &offset))
        continue;
      n++;
      item = work->x_items[offset + (gsize) image * work->x.strides[0] +
                           (gsize) channel * work->x.strides[1]];
      result = is_max ? MAX (result, item) : result + item;
    }
  while (next_place (&kernel, window->kernel, window->n_dims));

  if (is_max)
    return result;
  return result / (window->mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING ? n_all : n);
}

static void
compute (const Work *work,
         double (*find) (const Work *work, int image, int channel, const Place *out))
{
  const int n_dims = work->y.n_dims - 2;

  for (int image = 0; image < work->y.dims[0]; image++)
    for (int channel = 0; channel < work->y.dims[1]; channel++)
      {
        Place out = { { 0 } };

        do
          {
            float *to = work->y_items + find_output (&work->y, n_dims, image, channel, &out);
            const double result = work->alpha * find (work, image, channel, &out);

            *to = (float) (work->beta != 0 ? result + work->beta * *to : result);
          }
        while (next_place (&out, work->y.dims + 2, n_dims));
      }
}

static void
invoke_conv (dim3   grid,
             dim3   block,
             size_t n_shared_bytes,
             void **args)
{
  const Work *work = args[0];

  compute (work, convolve);
  if (work->workspace != NULL)
    memset (work->workspace, 0xee, work->n_workspace_bytes);
}

static void
invoke_pool (dim3   grid,
             dim3   block,
             size_t n_shared_bytes,
             void **args)
{
  compute (args[0], pool);
}

static void
note_work (dim3   grid,
           dim3   block,
           void **args)
{
  const Work *work = args[0];
  const gsize n_bytes = count_items (&work->y) * sizeof (float);

  fake_cuda_note_access (work->x_items, count_items (&work->x) * sizeof (float), FALSE);
  if (work->filter_items != NULL)
    fake_cuda_note_access (work->filter_items,
                           count_filter_items (&work->filters) * sizeof (float), FALSE);
  if (work->beta != 0)
    fake_cuda_note_access (work->y_items, n_bytes, FALSE);
  fake_cuda_note_access (work->y_items, n_bytes, TRUE);
  if (work->workspace != NULL)
    fake_cuda_note_access (work->workspace, work->n_workspace_bytes, TRUE);
}

static cudnnStatus_t
start (cudnnHandle_t   handle,
       const char     *name,
       FakeCudaInvoke  invoke,
       Work           *work)
{
  FakeHandle *self = (FakeHandle *) handle;

  if (!fake_handle_check (self))
    return CUDNN_STATUS_NOT_INITIALIZED;
  return fake_library_launch (name, invoke, note_work, work, sizeof *work, self->stream) ==
             cudaSuccess
           ? CUDNN_STATUS_SUCCESS
           : CUDNN_STATUS_EXECUTION_FAILED;
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
  Work work = {
    .x = *x,
    .y = *y,
    .filters = *filters,
    .conv = *conv,
    .x_items = x_items,
    .filter_items = filter_items,
    .y_items = y_items,
    .alpha = *(const float *) alpha,
    .beta = *(const float *) beta,
    .workspace = workspace,
    .n_workspace_bytes = n_workspace_bytes,
  };
  const gboolean needs_workspace = algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
  cudnnStatus_t status;

  BEGIN ();

  REFUSE_UNLESS (needs_workspace || algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM);
  REFUSE_UNLESS (!needs_workspace || (workspace != NULL && n_workspace_bytes >= WORKSPACE));
  status = check_conv (x, filters, conv, y);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;

  return start (handle, "fake_cudnn_conv", invoke_conv, &work);
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
  Work work = {
    .x = *x,
    .y = *y,
    .pool = *window,
    .x_items = x_items,
    .y_items = y_items,
    .alpha = *(const float *) alpha,
    .beta = *(const float *) beta,
  };

  BEGIN ();

  REFUSE_UNLESS (x->n_dims == window->n_dims + 2 && y->n_dims == x->n_dims);
  REFUSE_UNLESS (x->dims[0] == y->dims[0] && x->dims[1] == y->dims[1]);
  for (int i = 0; i < window->n_dims; i++)
    REFUSE_UNLESS (is_as_long (x->dims[i + 2], window->head[i], window->kernel[i],
                               window->stride[i], y->dims[i + 2]));

  return start (handle, "fake_cudnn_pool", invoke_pool, &work);
}
