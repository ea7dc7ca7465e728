/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-blas-private.h>

#include <c2g/cuda/compute/c2g-cuda-context-private.h>
#include <c2g/cuda/compute/c2g-cuda-launch-private.h>
#include <c2g/cuda/compute/c2g-cuda-library-private.h>

#include <cublas_v2.h>

/* Matrix products by cuBLAS, which is opened at run time. c2g-cuda-gemm.c calls it. */

/* All functions of cuBLAS that are called. */
#define FOR_EACH_FUNCTION(X)                                                                       \
  X (cublasCreate_v2)                                                                              \
  X (cublasSetStream_v2)                                                                           \
  X (cublasSetWorkspace_v2)                                                                        \
  X (cublasGetProperty)                                                                            \
  X (cublasGetStatusName)                                                                          \
  X (cublasGetStatusString)                                                                        \
  X (cublasGemmEx_64)                                                                              \
  X (cublasGemmStridedBatchedEx_64)

typedef struct
{
#define MEMBER(name) __typeof__ (name) *name;
  FOR_EACH_FUNCTION (MEMBER)
#undef MEMBER
} Functions;

static Functions blas;

#define SYMBOL(name) #name,
static const char * const symbols[] = { FOR_EACH_FUNCTION (SYMBOL) NULL };
#undef SYMBOL

/* The major version of the runtime comes first. */
static const C2gCudaLibraryName names[] = {
#if CUDART_VERSION < 13000
  { "libcublas.so.12", "libcublasLt.so.12" },
#endif
  { "libcublas.so.13", "libcublasLt.so.13" },
#if CUDART_VERSION >= 13000
  { "libcublas.so.12", "libcublasLt.so.12" },
#endif
  { NULL, NULL },
};

static C2gCudaLibrary library = {
  .title = "cuBLAS",
  .variable = "C2G_CUBLAS_LIBRARY",
  .names = names,
  .symbols = symbols,
  .functions = (gpointer *) &blas,
};

static C2gError
error_code (cublasStatus_t status)
{
  switch ((int) status)
    {
    case CUBLAS_STATUS_ALLOC_FAILED:
      return C2G_ERROR_NO_MEMORY;
    case CUBLAS_STATUS_NOT_SUPPORTED:
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return C2G_ERROR_NOT_SUPPORTED;
    default:
      return C2G_ERROR_DEVICE;
    }
}

static gboolean
check (cublasStatus_t   status,
       const char      *function,
       int              device,
       GError         **error)
{
  if (G_LIKELY (status == CUBLAS_STATUS_SUCCESS))
    return TRUE;

  return c2g_cuda_library_fail (error_code (status), function, device,
                                blas.cublasGetStatusName (status),
                                blas.cublasGetStatusString (status), error);
}

#define CALL(device, error, function, ...)                                                         \
  check (blas.function (__VA_ARGS__), #function, device, error)

static gpointer
create_handle (int      device,
               GError **error)
{
  cublasHandle_t handle = NULL;

  return CALL (device, error, cublasCreate_v2, &handle) ? handle : NULL;
}

static C2gCudaHandles handles = { .create = create_handle };

char *
c2g_cuda_blas_describe (int device)
{
  int version[3] = { 0 };
  char *reason;

  if (!c2g_cuda_library_open (&library, NULL))
    return g_strdup (library.reason);
  reason = c2g_cuda_handles_dup_reason (&handles, device);
  if (reason != NULL)
    return reason;

  for (int i = 0; i < 3; i++)
    (void) blas.cublasGetProperty ((libraryPropertyType) (MAJOR_VERSION + i), &version[i]);

  return g_strdup_printf ("%d.%d.%d", version[0], version[1], version[2]);
}

/* NVIDIA recommends 32 MiB from compute capability 9.0 on, and 4 MiB before. */
static gsize
find_workspace_size (int device)
{
  static gint majors[C2G_CUDA_MAX_DEVICES];
  int major = g_atomic_int_get (&majors[device]);

  if (major == 0 && C2G_CUDA_CALL (device, NULL, cudaDeviceGetAttribute, &major,
                                   cudaDevAttrComputeCapabilityMajor, device))
    g_atomic_int_set (&majors[device], major);

  return (major >= 9 ? 32 : 4) * 1024 * 1024;
}

static gboolean
find_type (C2gDataType     type,
           cudaDataType_t *found)
{
  switch ((int) type)
    {
    case C2G_DATA_TYPE_UNDEFINED:
    case C2G_DATA_TYPE_FLOAT:
      *found = CUDA_R_32F;
      return TRUE;
    case C2G_DATA_TYPE_FLOAT16:
      *found = CUDA_R_16F;
      return TRUE;
    case C2G_DATA_TYPE_BFLOAT16:
      *found = CUDA_R_16BF;
      return TRUE;
    case C2G_DATA_TYPE_DOUBLE:
      *found = CUDA_R_64F;
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
is_wide (gsize stride,
         gsize width)
{
  return stride >= width && stride <= G_MAXINT64;
}

static gboolean
has_wide_strides (const C2gComputeGemm *gemm)
{
  return is_wide (gemm->a_stride, gemm->a_is_transposed ? gemm->n_rows : gemm->depth) &&
         is_wide (gemm->b_stride, gemm->b_is_transposed ? gemm->depth : gemm->n_columns) &&
         is_wide (gemm->c_stride, gemm->n_columns);
}

gboolean
c2g_cuda_blas_takes (const C2gComputeGemm *gemm)
{
  cudaDataType_t type;

  return find_type (gemm->type, &type) && has_wide_strides (gemm) &&
         c2g_cuda_library_open (&library, NULL);
}

static cublasOperation_t
find_operation (gboolean is_transposed)
{
  return is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/* cuBLAS keeps the precision of the type unless it may round the factors. Products of 16-bit numbers
 * are added as floats. */
static cublasComputeType_t
find_compute (cudaDataType_t type,
              gboolean       has_tf32)
{
  if (type == CUDA_R_64F)
    return CUBLAS_COMPUTE_64F;

  return has_tf32 && type == CUDA_R_32F ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

/* cuBLAS has column-major matrices, so it sees the transposes of ours. It computes the transpose of
 * c as b' a': the operands change places. */
static gboolean
multiply (cublasHandle_t         handle,
          const C2gComputeGemm  *gemm,
          gboolean               has_tf32,
          int                    device,
          GError               **error)
{
  const gboolean is_double = gemm->type == C2G_DATA_TYPE_DOUBLE;
  const cublasOperation_t b_operation = find_operation (gemm->b_is_transposed);
  const cublasOperation_t a_operation = find_operation (gemm->a_is_transposed);
  const double wide[] = { gemm->alpha, gemm->beta };
  const void *alpha = is_double ? (const void *) &wide[0] : &gemm->alpha;
  const void *beta = is_double ? (const void *) &wide[1] : &gemm->beta;
  const gint64 a_stride = MAX (gemm->a_stride, 1);
  const gint64 b_stride = MAX (gemm->b_stride, 1);
  const gint64 c_stride = MAX (gemm->c_stride, 1);
  cudaDataType_t type = CUDA_R_32F;
  cublasComputeType_t compute;

  (void) find_type (gemm->type, &type);
  compute = find_compute (type, has_tf32);
  if (gemm->n_matrices == 1)
    return CALL (device, error, cublasGemmEx_64, handle, b_operation, a_operation, gemm->n_columns,
                 gemm->n_rows, gemm->depth, alpha, gemm->b, type, b_stride, gemm->a, type, a_stride,
                 beta, gemm->c, type, c_stride, compute, CUBLAS_GEMM_DEFAULT);

  return CALL (device, error, cublasGemmStridedBatchedEx_64, handle, b_operation, a_operation,
               gemm->n_columns, gemm->n_rows, gemm->depth, alpha, gemm->b, type, b_stride,
               gemm->b_matrix, gemm->a, type, a_stride, gemm->a_matrix, beta, gemm->c, type,
               c_stride, gemm->c_matrix, gemm->n_matrices, compute, CUBLAS_GEMM_DEFAULT);
}

/* Setting the stream resets the workspace of cuBLAS, which would then allocate its own. */
static gboolean
multiply_on (C2gCudaHandle         *handle,
             cudaStream_t           stream,
             const C2gCudaScratch  *workspace,
             const C2gComputeGemm  *gemm,
             gboolean               has_tf32,
             GError               **error)
{
  const int device = handle->device;

  return CALL (device, error, cublasSetStream_v2, handle->handle, stream) &&
         CALL (device, error, cublasSetWorkspace_v2, handle->handle,
               workspace->address, c2g_storage_get_n_bytes (workspace->storage)) &&
         multiply (handle->handle, gemm, has_tf32, device, error);
}

gboolean
c2g_cuda_blas_gemm (C2gContext            *context,
                    const C2gComputeGemm  *gemm,
                    GError               **error)
{
  C2gCudaWorkspace *workspace = c2g_cuda_context_peek_workspace (context, C2G_CUDA_WORKSPACE_BLAS);
  g_auto (C2gCudaScratch) scratch = { NULL };
  C2gCudaHandle *handle = NULL;
  C2gCudaLaunch launch;
  gboolean is_done;

  if (!c2g_cuda_launch_begin (&launch, context, error))
    return FALSE;

  if (c2g_cuda_scratch_take (&scratch, workspace, context, find_workspace_size (launch.device),
                             error))
    handle = c2g_cuda_handles_take (&handles, launch.device, error);
  is_done = handle != NULL &&
            multiply_on (handle, launch.stream, &scratch, gemm,
                         c2g_cuda_context_has_tf32 (context, C2G_CUDA_TF32_PRODUCTS), error);
  if (handle != NULL)
    c2g_cuda_handles_give (&handles, handle);
  c2g_cuda_guard_leave (&launch.guard);

  return is_done;
}
