/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "fake-library.h"

#include <cudnn.h>

/* Descriptors of the fake cuDNN, and the work that it computes as kernels. */

#define MAX_DIMS 5

struct cudnnTensorStruct
{
  cudnnDataType_t type;
  int             n_dims;
  int             dims[MAX_DIMS];
  int             strides[MAX_DIMS];
};

struct cudnnFilterStruct
{
  cudnnDataType_t type;
  int             n_dims;
  int             dims[MAX_DIMS];
  gboolean        is_last;
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

struct cudnnActivationStruct
{
  cudnnActivationMode_t mode;
  cudnnNanPropagation_t nan;
};

/* The arguments of the kernel. They are copies, because the descriptors may be destroyed before it
 * runs. */
typedef struct
{
  struct cudnnTensorStruct      x;
  struct cudnnTensorStruct      y;
  struct cudnnFilterStruct      filters;
  struct cudnnConvolutionStruct conv;
  struct cudnnPoolingStruct     pool;
  gconstpointer                 x_items;
  gconstpointer                 filter_items;
  gpointer                      y_items;
  /* Both are added. A fused call gives them; other calls add y, and no biases. */
  gconstpointer                 sum_items;
  gconstpointer                 biases;
  float                         alpha;
  float                         beta;
  gpointer                      workspace;
  gsize                         n_workspace_bytes;
} FakeCudnnWork;

/* These compute the kernels, whose only argument is a FakeCudnnWork. */
void fake_cudnn_invoke_conv (dim3    grid,
                             dim3    block,
                             size_t  n_shared_bytes,
                             void  **args);
void fake_cudnn_invoke_pool (dim3    grid,
                             dim3    block,
                             size_t  n_shared_bytes,
                             void  **args);
void fake_cudnn_note_work   (dim3    grid,
                             dim3    block,
                             void  **args);
