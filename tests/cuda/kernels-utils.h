/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/compute/c2g-cuda-kernels-private.h>

#include <c2g/core/tensor/c2g-tensor.h>

G_BEGIN_DECLS

/* Tests of kernels. Device memory comes from the CUDA runtime alone, and expected results from the
 * library's own operators on the CPU. */

#define KERNELS_DIMS(...)                                                                          \
  (const gint64[]) { __VA_ARGS__ }, G_N_ELEMENTS (((const gint64[]) { __VA_ARGS__ }))

/* Starts a kernel with scratch memory, or NULL, and the fields of a request. */
#define KERNELS_RUN(name, memory, ...)                                                             \
  c2g_cuda_kernel_##name (&(C2gComputeRequest){ __VA_ARGS__ }, memory, NULL)

/* Fails unless error is cudaSuccess. */
#define kernels_assert_success(error) \
  g_assert_cmpint (error, ==, cudaSuccess)

extern const C2gDataType kernels_types[];
extern const gsize       kernels_n_types;

/* Memory of the device that begins shift bytes after an aligned address, and ends with its
 * allocation. */
typedef struct
{
  gpointer block;
  gpointer data;
  gsize    n_bytes;
} KernelsBuffer;

void       kernels_buffer_init   (KernelsBuffer  *self,
                                  gsize           n_bytes,
                                  gsize           shift);
/* Makes a buffer with the elements of the tensor. */
void       kernels_buffer_upload (KernelsBuffer  *self,
                                  C2gTensor      *tensor,
                                  gsize           shift);
/* Waits for the device and reads the buffer. */
void       kernels_buffer_read   (KernelsBuffer  *self,
                                  gpointer        data);
C2gTensor *kernels_buffer_fetch  (KernelsBuffer  *self,
                                  C2gDataType     type,
                                  const gint64   *dims,
                                  gsize           n_dims);
void       kernels_buffer_clear  (KernelsBuffer  *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KernelsBuffer, kernels_buffer_clear)

C2gTensor *kernels_new_tensor    (C2gDataType     type,
                                  const gint64   *dims,
                                  gsize           n_dims) G_GNUC_WARN_UNUSED_RESULT;
/* Numbers from -limit to limit, or from 0 for unsigned types, integers for integer types. The
 * sequence is the same each time. */
C2gTensor *kernels_new_random    (C2gDataType     type,
                                  const gint64   *dims,
                                  gsize           n_dims,
                                  double          limit) G_GNUC_WARN_UNUSED_RESULT;
double     kernels_random        (double          low,
                                  double          high);
/* Converts the elements to another type, as Cast does. */
C2gTensor *kernels_cast          (C2gTensor      *tensor,
                                  C2gDataType     type) G_GNUC_WARN_UNUSED_RESULT;
gpointer   kernels_data          (C2gTensor      *tensor);

/* Runs an operator, whose type and arguments are in protobuf's text format. 16-bit tensors are
 * converted to floats for it, and so the result is of floats. */
C2gTensor *kernels_run_operator  (const char     *text,
                                  C2gTensor     **inputs,
                                  gsize           n_inputs) G_GNUC_WARN_UNUSED_RESULT;
/* Asserts that all elements are alike. Real numbers may differ by tolerance, relative to the
 * expected number or to 1, and at least by the precision of a 16-bit type. NaN is alike NaN. */
void       kernels_assert_alike  (C2gTensor      *tensor,
                                  C2gTensor      *expected,
                                  double          tolerance);

/* Runs the tests, or tells that there is no device. It is the last call of main(). */
int        kernels_test_run      (void);

G_END_DECLS
