/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-kernels-private.h>

#include <c2g/core/c2g-tensor.h>

G_BEGIN_DECLS

/* Tests of kernels: memory of the device by the CUDA runtime alone, and results that the
 * library's own operators, on the processor, are asked for. */

#define KERNELS_DIMS(...)                                                                          \
  (const gint64[]) { __VA_ARGS__ }, G_N_ELEMENTS (((const gint64[]) { __VA_ARGS__ }))

/* Fails unless that was a success. */
#define kernels_assert_success(error) \
  g_assert_cmpint (error, ==, cudaSuccess)

extern const C2gDataType kernels_types[];
extern const gsize       kernels_n_types;

/* Memory of the device, which begins shift bytes behind an address that is aligned, and ends
 * with what has been allocated. */
typedef struct
{
  gpointer block;
  gpointer data;
  gsize    n_bytes;
} KernelsBuffer;

void       kernels_buffer_init   (KernelsBuffer  *self,
                                  gsize           n_bytes,
                                  gsize           shift);
/* With what the tensor has. */
void       kernels_buffer_upload (KernelsBuffer  *self,
                                  C2gTensor      *tensor,
                                  gsize           shift);
/* Waits for the device. */
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
/* Numbers from -limit to limit, or from 0 where the type has no others, from a sequence that
 * is the same each time; integers are whole ones. */
C2gTensor *kernels_new_random    (C2gDataType     type,
                                  const gint64   *dims,
                                  gsize           n_dims,
                                  double          limit) G_GNUC_WARN_UNUSED_RESULT;
double     kernels_random        (double          low,
                                  double          high);
/* The numbers as elements of another type, as Cast gives them. */
C2gTensor *kernels_cast          (C2gTensor      *tensor,
                                  C2gDataType     type) G_GNUC_WARN_UNUSED_RESULT;
gpointer   kernels_data          (C2gTensor      *tensor);

/* What the operator gives, whose type and arguments are a text in the format of protobuf.
 * Tensors of 16 bits are floats for it; so is the result then. */
C2gTensor *kernels_run_operator  (const char     *text,
                                  C2gTensor     **inputs,
                                  gsize           n_inputs) G_GNUC_WARN_UNUSED_RESULT;
/* Whether all elements are alike, those of types with a point up to a difference that is
 * relative to what is expected, or to 1; and what is not a number is none in both.  A
 * tolerance below what the type of 16 bits has is that. */
void       kernels_assert_alike  (C2gTensor      *tensor,
                                  C2gTensor      *expected,
                                  double          tolerance);

/* Runs the tests, or tells that there is no device; for main(): it comes last. */
int        kernels_test_run      (void);

G_END_DECLS
