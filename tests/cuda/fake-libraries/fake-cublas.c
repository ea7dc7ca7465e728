/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-library.h"

#include <cublas_v2.h>
#include <string.h>

/* The few functions of cuBLAS that c2g calls, with the checks that its reference describes. */

/* Begins a function: returns the status that a test asked for, if any. */
#define BEGIN()                                                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const int status_ = fake_library_call (__func__);                                              \
    if (status_ != 0)                                                                              \
      return (cublasStatus_t) status_;                                                             \
  }                                                                                                \
  G_STMT_END

/* Begins a function with a handle, which must be a valid one. */
#define BEGIN_ON(handle)                                                                           \
  G_STMT_START                                                                                     \
  {                                                                                                \
    BEGIN ();                                                                                      \
    if (!fake_handle_check ((FakeHandle *) (handle)))                                              \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
  }                                                                                                \
  G_STMT_END

typedef struct
{
  const guint8 *items;
  gint64        stride;
  gint64        matrix;
  gboolean      is_transposed;
} Operand;

/* A product of column-major matrices, as in cuBLAS. */
typedef struct
{
  gint64         m, n, k;
  double         alpha, beta;
  Operand        a, b;
  guint8        *c;
  gint64         c_stride;
  gint64         c_matrix;
  gint64         n_matrices;
  cudaDataType_t type;
  gpointer       workspace;
  gsize          n_workspace_bytes;
} Product;

static gsize
item_size (cudaDataType_t type)
{
  if (type == CUDA_R_64F)
    return 8;
  return type == CUDA_R_32F ? 4 : 2;
}

static double
get_item (gconstpointer  items,
          gint64         i,
          cudaDataType_t type)
{
  switch ((int) type)
    {
    case CUDA_R_64F:
      return ((const double *) items)[i];
    case CUDA_R_16F:
      return fake_float_of_half (((const guint16 *) items)[i], 10);
    case CUDA_R_16BF:
      return fake_float_of_half (((const guint16 *) items)[i], 7);
    default:
      return ((const float *) items)[i];
    }
}

static void
set_item (gpointer       items,
          gint64         i,
          double         value,
          cudaDataType_t type)
{
  switch ((int) type)
    {
    case CUDA_R_64F:
      ((double *) items)[i] = value;
      break;
    case CUDA_R_16F:
      ((guint16 *) items)[i] = fake_half_of_float ((float) value, 10);
      break;
    case CUDA_R_16BF:
      ((guint16 *) items)[i] = fake_half_of_float ((float) value, 7);
      break;
    default:
      ((float *) items)[i] = (float) value;
    }
}

static double
get_of (const Operand  *operand,
        gint64          matrix,
        gint64          row,
        gint64          column,
        cudaDataType_t  type)
{
  const gint64 i = operand->is_transposed ? row * operand->stride + column
                                          : column * operand->stride + row;

  return get_item (operand->items, matrix * operand->matrix + i, type);
}

static void
multiply_matrix (const Product *product,
                 gint64         matrix)
{
  for (gint64 column = 0; column < product->n; column++)
    for (gint64 row = 0; row < product->m; row++)
      {
        const gint64 i = matrix * product->c_matrix + column * product->c_stride + row;
        double sum = 0;

        for (gint64 k = 0; k < product->k; k++)
          sum += get_of (&product->a, matrix, row, k, product->type) *
                 get_of (&product->b, matrix, k, column, product->type);
        sum *= product->alpha;
        if (product->beta != 0)
          sum += product->beta * get_item (product->c, i, product->type);
        set_item (product->c, i, sum, product->type);
      }
}

static void
invoke_gemm (dim3   grid,
             dim3   block,
             size_t n_shared_bytes,
             void **args)
{
  const Product *product = args[0];

  for (gint64 i = 0; i < product->n_matrices; i++)
    multiply_matrix (product, i);
  /* The workspace has no defined content afterwards. */
  memset (product->workspace, 0xee, MIN (product->n_workspace_bytes, 256));
}

static void
note_operand (const Operand *operand,
              gint64         n_rows,
              gint64         n_columns,
              const Product *product)
{
  const gint64 n_across = operand->is_transposed ? n_columns : n_rows;
  const gint64 n_down = operand->is_transposed ? n_rows : n_columns;
  const gint64 last = (product->n_matrices - 1) * operand->matrix + (n_down - 1) * operand->stride +
                      n_across;

  if (n_rows > 0 && n_columns > 0)
    fake_cuda_note_access (operand->items, last * item_size (product->type), FALSE);
}

static void
note_gemm (dim3   grid,
           dim3   block,
           void **args)
{
  const Product *product = args[0];
  const gint64 last = (product->n_matrices - 1) * product->c_matrix +
                      (product->n - 1) * product->c_stride + product->m;

  note_operand (&product->a, product->m, product->k, product);
  note_operand (&product->b, product->k, product->n, product);
  if (product->beta != 0)
    fake_cuda_note_access (product->c, last * item_size (product->type), FALSE);
  fake_cuda_note_access (product->c, last * item_size (product->type), TRUE);
  fake_cuda_note_access (product->workspace, product->n_workspace_bytes, TRUE);
}

cublasStatus_t
cublasCreate_v2 (cublasHandle_t *handle)
{
  BEGIN ();

  *handle = (cublasHandle_t) fake_handle_new ();
  return *handle != NULL ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t
cublasDestroy_v2 (cublasHandle_t handle)
{
  BEGIN_ON (handle);

  fake_handle_free ((FakeHandle *) handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasSetStream_v2 (cublasHandle_t handle,
                    cudaStream_t   stream)
{
  FakeHandle *self = (FakeHandle *) handle;

  BEGIN_ON (self);

  self->stream = stream;
  self->workspace = NULL;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasSetWorkspace_v2 (cublasHandle_t  handle,
                       void           *workspace,
                       size_t          n_bytes)
{
  FakeHandle *self = (FakeHandle *) handle;

  BEGIN_ON (self);

  if (workspace == NULL || (guintptr) workspace % 256 != 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  self->workspace = workspace;
  self->n_workspace_bytes = n_bytes;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasGetProperty (libraryPropertyType  type,
                   int                 *value)
{
  static const int version[] = { 13, 98, 7 };

  *value = version[type];
  return CUBLAS_STATUS_SUCCESS;
}

const char *
cublasGetStatusName (cublasStatus_t status)
{
  switch ((int) status)
    {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    default:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
    }
}

const char *
cublasGetStatusString (cublasStatus_t status)
{
  return "the fake library says so";
}

/* Without a workspace cuBLAS would allocate its own, which the tests could not count. */
static gboolean
check_workspace (const FakeHandle *handle)
{
  return handle->workspace != NULL && handle->n_workspace_bytes >= 4 * 1024 * 1024;
}

static gboolean
check_operand (gint64            stride,
               cublasOperation_t operation,
               gint64            n_rows,
               gint64            n_columns)
{
  return (operation == CUBLAS_OP_N || operation == CUBLAS_OP_T) &&
         stride >= MAX (operation == CUBLAS_OP_N ? n_rows : n_columns, 1);
}

/* The type in which the last product was computed, and that of its elements; atomic. */
static int last_compute;
static int last_type;

int
fake_cublas_get_compute_type (void)
{
  return g_atomic_int_get (&last_compute);
}

int
fake_cublas_get_item_type (void)
{
  return g_atomic_int_get (&last_type);
}

static gboolean
check_types (cudaDataType_t      a,
             cudaDataType_t      b,
             cudaDataType_t      c,
             cublasComputeType_t compute)
{
  return a == b && b == c &&
         ((a == CUDA_R_64F && compute == CUBLAS_COMPUTE_64F) ||
          (a == CUDA_R_32F && compute == CUBLAS_COMPUTE_32F_FAST_TF32) ||
          ((a == CUDA_R_32F || a == CUDA_R_16F || a == CUDA_R_16BF) &&
           compute == CUBLAS_COMPUTE_32F));
}

static cublasStatus_t
start (FakeHandle    *handle,
       const Product *product)
{
  Product started = *product;

  if (!check_workspace (handle))
    return CUBLAS_STATUS_INTERNAL_ERROR;
  if (product->m == 0 || product->n == 0 || product->n_matrices == 0)
    return CUBLAS_STATUS_SUCCESS;

  started.workspace = handle->workspace;
  started.n_workspace_bytes = handle->n_workspace_bytes;
  return fake_library_launch ("fake_cublas_gemm", invoke_gemm, note_gemm, &started, sizeof started,
                              handle->stream) == cudaSuccess
           ? CUBLAS_STATUS_SUCCESS
           : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t
cublasGemmStridedBatchedEx_64 (cublasHandle_t       handle,
                               cublasOperation_t    a_operation,
                               cublasOperation_t    b_operation,
                               int64_t              m,
                               int64_t              n,
                               int64_t              k,
                               const void          *alpha,
                               const void          *a,
                               cudaDataType         a_type,
                               int64_t              a_stride,
                               long long int        a_matrix,
                               const void          *b,
                               cudaDataType         b_type,
                               int64_t              b_stride,
                               long long int        b_matrix,
                               const void          *beta,
                               void                *c,
                               cudaDataType         c_type,
                               int64_t              c_stride,
                               long long int        c_matrix,
                               int64_t              n_matrices,
                               cublasComputeType_t  compute,
                               cublasGemmAlgo_t     algorithm)
{
  const gboolean is_double = compute == CUBLAS_COMPUTE_64F;
  const Product product = {
    .m = m,
    .n = n,
    .k = k,
    .alpha = is_double ? *(const double *) alpha : *(const float *) alpha,
    .beta = is_double ? *(const double *) beta : *(const float *) beta,
    .a = { a, a_stride, a_matrix, a_operation == CUBLAS_OP_T },
    .b = { b, b_stride, b_matrix, b_operation == CUBLAS_OP_T },
    .c = c,
    .c_stride = c_stride,
    .c_matrix = c_matrix,
    .n_matrices = n_matrices,
    .type = a_type,
  };

  BEGIN_ON (handle);

  if (m < 0 || n < 0 || k < 0 || n_matrices < 0 || !check_operand (a_stride, a_operation, m, k) ||
      !check_operand (b_stride, b_operation, k, n) || c_stride < MAX (m, 1))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!check_types (a_type, b_type, c_type, compute))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  g_atomic_int_set (&last_compute, compute);
  g_atomic_int_set (&last_type, a_type);

  return start ((FakeHandle *) handle, &product);
}

cublasStatus_t
cublasGemmEx_64 (cublasHandle_t       handle,
                 cublasOperation_t    a_operation,
                 cublasOperation_t    b_operation,
                 int64_t              m,
                 int64_t              n,
                 int64_t              k,
                 const void          *alpha,
                 const void          *a,
                 cudaDataType         a_type,
                 int64_t              a_stride,
                 const void          *b,
                 cudaDataType         b_type,
                 int64_t              b_stride,
                 const void          *beta,
                 void                *c,
                 cudaDataType         c_type,
                 int64_t              c_stride,
                 cublasComputeType_t  compute,
                 cublasGemmAlgo_t     algorithm)
{
  BEGIN ();

  return cublasGemmStridedBatchedEx_64 (handle, a_operation, b_operation, m, n, k, alpha, a, a_type,
                                        a_stride, 0, b, b_type, b_stride, 0, beta, c, c_type,
                                        c_stride, 0, 1, compute, algorithm);
}
