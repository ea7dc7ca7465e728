/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/compute/c2g-cuda-library-private.h>

#include <c2g/c2g-backend.h>

#include <cudnn.h>

G_BEGIN_DECLS

/* All functions of cuDNN that are called. */
#define C2G_CUDA_DNN_FOR_EACH_FUNCTION(X)                                                          \
  X (cudnnCreate)                                                                                  \
  X (cudnnSetStream)                                                                               \
  X (cudnnGetProperty)                                                                             \
  X (cudnnGetErrorString)                                                                          \
  X (cudnnCreateTensorDescriptor)                                                                  \
  X (cudnnSetTensorNdDescriptor)                                                                   \
  X (cudnnDestroyTensorDescriptor)                                                                 \
  X (cudnnCreateFilterDescriptor)                                                                  \
  X (cudnnSetFilterNdDescriptor)                                                                   \
  X (cudnnDestroyFilterDescriptor)                                                                 \
  X (cudnnCreateConvolutionDescriptor)                                                             \
  X (cudnnSetConvolutionNdDescriptor)                                                              \
  X (cudnnSetConvolutionGroupCount)                                                                \
  X (cudnnSetConvolutionMathType)                                                                  \
  X (cudnnDestroyConvolutionDescriptor)                                                            \
  X (cudnnGetConvolutionForwardAlgorithm_v7)                                                       \
  X (cudnnFindConvolutionForwardAlgorithmEx)                                                       \
  X (cudnnGetConvolutionForwardWorkspaceSize)                                                      \
  X (cudnnConvolutionForward)                                                                      \
  X (cudnnConvolutionBiasActivationForward)                                                        \
  X (cudnnCreateActivationDescriptor)                                                              \
  X (cudnnSetActivationDescriptor)                                                                 \
  X (cudnnDestroyActivationDescriptor)                                                             \
  X (cudnnCreatePoolingDescriptor)                                                                 \
  X (cudnnSetPoolingNdDescriptor)                                                                  \
  X (cudnnDestroyPoolingDescriptor)                                                                \
  X (cudnnPoolingForward)

typedef struct
{
#define C2G_CUDA_DNN_MEMBER(name) __typeof__ (name) *name;
  C2G_CUDA_DNN_FOR_EACH_FUNCTION (C2G_CUDA_DNN_MEMBER)
#undef C2G_CUDA_DNN_MEMBER
} C2gCudaDnn;

extern C2gCudaDnn c2g_cuda_dnn;

gboolean c2g_cuda_dnn_check (cudnnStatus_t   status,
                             const char     *function,
                             int             device,
                             GError        **error);

#define C2G_CUDA_DNN_CALL(device, error, function, ...)                                            \
  c2g_cuda_dnn_check (c2g_cuda_dnn.function (__VA_ARGS__), #function, device, error)

typedef enum
{
  C2G_CUDA_DNN_CONV,
  C2G_CUDA_DNN_MAX_POOL,
  C2G_CUDA_DNN_AVERAGE_POOL,
} C2gCudaDnnKind;

/* The key of a plan. Keys are compared by their bytes. */
typedef struct
{
  C2gComputeWindow window;
  gint64           kind;
  gint64           n_groups;
  gint64           n_filters;
  /* A C2gDataType. */
  gint64           type;
  /* TRUE if floats may be rounded to TensorFloat-32. */
  gint64           has_tf32;
  /* TRUE if one call adds sum and biases, too, and applies Relu. */
  gint64           is_fused;
  /* TRUE if the algorithm is the one that was measured to be the fastest. */
  gint64           is_tuned;
} C2gCudaDnnShape;

/* The descriptors of a shape, and the algorithm. Plans are kept because cuDNN takes long to
 * choose. */
typedef struct
{
  C2gCudaDnnShape              shape;
  /* FALSE if cuDNN does not take this shape. */
  gboolean                     is_taken;

  cudnnTensorDescriptor_t      x;
  cudnnTensorDescriptor_t      y;
  cudnnFilterDescriptor_t      filters;
  cudnnConvolutionDescriptor_t conv;
  cudnnPoolingDescriptor_t     pool;
  cudnnTensorDescriptor_t      biases;
  cudnnActivationDescriptor_t  relu;
  cudnnConvolutionFwdAlgo_t    algorithm;
  gsize                        n_workspace_bytes;
} C2gCudaDnnPlan;

/* Returns the handle's plan for the shape, and makes it if there is none; NULL with an error. A plan
 * that is tuned is made with the operands of conv, in the order of the context. While that is
 * captured nothing can be measured: then it is the plan of a shape that is not tuned. */
C2gCudaDnnPlan *c2g_cuda_dnn_plan_get (C2gCudaHandle          *handle,
                                       const C2gCudaDnnShape  *shape,
                                       C2gContext             *context,
                                       const C2gComputeConv   *conv,
                                       GError                **error);

G_END_DECLS
