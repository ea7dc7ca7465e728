/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/kernels-utils.h"
#include "tests/cuda/runtime-utils.h"
#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-element-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/net/operator/c2g-operator-private.h>

#include <math.h>
#include <string.h>

const C2gDataType kernels_types[] = {
  C2G_DATA_TYPE_FLOAT,   C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_BFLOAT16,
  C2G_DATA_TYPE_BOOL,    C2G_DATA_TYPE_INT8,   C2G_DATA_TYPE_UINT8,   C2G_DATA_TYPE_INT16,
  C2G_DATA_TYPE_UINT16,  C2G_DATA_TYPE_INT32,  C2G_DATA_TYPE_UINT32,  C2G_DATA_TYPE_INT64,
  C2G_DATA_TYPE_UINT64
};
const gsize kernels_n_types = G_N_ELEMENTS (kernels_types);

void
kernels_buffer_init (KernelsBuffer *self,
                     gsize          n_bytes,
                     gsize          shift)
{
  self->block = NULL;
  self->n_bytes = n_bytes;
  if (n_bytes + shift > 0)
    kernels_assert_success (cudaMalloc (&self->block, n_bytes + shift));
  self->data = (char *) self->block + shift;
}

void
kernels_buffer_upload (KernelsBuffer *self,
                       C2gTensor     *tensor,
                       gsize          shift)
{
  kernels_buffer_init (self, c2g_tensor_byte_size (tensor), shift);
  if (self->n_bytes > 0)
    kernels_assert_success (
        cudaMemcpy (self->data, kernels_data (tensor), self->n_bytes, cudaMemcpyHostToDevice));
}

void
kernels_buffer_read (KernelsBuffer *self,
                     gpointer       data)
{
  kernels_assert_success (cudaStreamSynchronize (NULL));
  if (self->n_bytes > 0)
    kernels_assert_success (cudaMemcpy (data, self->data, self->n_bytes, cudaMemcpyDeviceToHost));
}

C2gTensor *
kernels_buffer_fetch (KernelsBuffer *self,
                      C2gDataType    type,
                      const gint64  *dims,
                      gsize          n_dims)
{
  C2gTensor *tensor = kernels_new_tensor (type, dims, n_dims);

  g_assert_cmpuint (c2g_tensor_byte_size (tensor), ==, self->n_bytes);
  kernels_buffer_read (self, kernels_data (tensor));
  return tensor;
}

void
kernels_buffer_clear (KernelsBuffer *self)
{
  if (self->block != NULL)
    kernels_assert_success (cudaFree (self->block));
  memset (self, 0, sizeof *self);
}

C2gTensor *
kernels_new_tensor (C2gDataType   type,
                    const gint64 *dims,
                    gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);

  g_assert_no_error (error);
  c2g_tensor_allocate (tensor, type, &error);
  g_assert_no_error (error);
  return tensor;
}

double
kernels_random (double low,
                double high)
{
  static GRand *rand;

  if (rand == NULL)
    rand = g_rand_new_with_seed (20);
  return g_rand_double_range (rand, low, high);
}

static gboolean
is_real (C2gDataType type)
{
  return type == C2G_DATA_TYPE_FLOAT || type == C2G_DATA_TYPE_DOUBLE ||
         type == C2G_DATA_TYPE_FLOAT16 || type == C2G_DATA_TYPE_BFLOAT16;
}

static gboolean
has_sign (C2gDataType type)
{
  return is_real (type) || type == C2G_DATA_TYPE_INT8 || type == C2G_DATA_TYPE_INT16 ||
         type == C2G_DATA_TYPE_INT32 || type == C2G_DATA_TYPE_INT64;
}

C2gTensor *
kernels_new_random (C2gDataType   type,
                    const gint64 *dims,
                    gsize         n_dims,
                    double        limit)
{
  C2gTensor *tensor = kernels_new_tensor (type, dims, n_dims);

  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      double number = kernels_random (has_sign (type) ? -limit : 0, limit);

      if (type == C2G_DATA_TYPE_BOOL)
        number = number > limit / 2;
      c2g_element_set_double (tensor->meta,
                              (char *) kernels_data (tensor) + i * tensor->meta->item_size,
                              is_real (type) ? number : floor (number), NULL);
    }
  return tensor;
}

gpointer
kernels_data (C2gTensor *tensor)
{
  return c2g_tensor_address (tensor);
}

static gboolean
has_16_bits (C2gDataType type)
{
  return type == C2G_DATA_TYPE_FLOAT16 || type == C2G_DATA_TYPE_BFLOAT16;
}

static double
get_number (C2gTensor *tensor,
            gint64     i)
{
  double number;

  c2g_element_get_double (tensor->meta,
                          (const char *) kernels_data (tensor) + i * tensor->meta->item_size,
                          &number, NULL);
  return number;
}

/* Converts to either 16-bit type; the operator Cast has only one of them. */
C2gTensor *
kernels_cast (C2gTensor   *tensor,
              C2gDataType  type)
{
  C2gTensor *result = kernels_new_tensor (type, tensor->dims, tensor->n_dims);

  for (gint64 i = 0; i < tensor->n_elements; i++)
    c2g_element_set_double (result->meta,
                            (char *) kernels_data (result) + i * result->meta->item_size,
                            get_number (tensor, i), NULL);
  return result;
}

static void
add_input (C2gWorkspace   *workspace,
           C2gOperatorDef *def,
           C2gTensor      *tensor,
           gsize           number)
{
  g_autofree char *name = g_strdup_printf ("X%zu", number);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);
  g_autoptr (C2gTensor) floats = NULL;

  g_assert_no_error (error);
  if (has_16_bits (c2g_tensor_get_data_type (tensor)))
    tensor = floats = kernels_cast (tensor, C2G_DATA_TYPE_FLOAT);
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  c2g_operator_def_add_input (def, name);
}

C2gTensor *
kernels_run_operator (const char  *text,
                      C2gTensor  **inputs,
                      gsize        n_inputs)
{
  g_autofree char *net_text = g_strdup_printf ("op { output: 'Y' %s }", text);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) net = c2g_net_def_new_from_text (net_text, &error);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperatorDef) def = NULL;
  g_autoptr (C2gOperator) op = NULL;

  g_assert_no_error (error);
  def = c2g_operator_def_copy (c2g_net_def_get_operator (net, 0));
  for (gsize i = 0; i < n_inputs; i++)
    add_input (workspace, def, inputs[i], i);
  op = c2g_operator_create (def, workspace, &error);
  g_assert_no_error (error);
  c2g_operator_run (op, &error);
  g_assert_no_error (error);
  return g_object_ref (c2g_blob_get_tensor (c2g_operator_get_output (op, 0), NULL));
}

static double
find_tolerance (C2gDataType type,
                double      tolerance)
{
  if (!is_real (type))
    return 0;
  if (type == C2G_DATA_TYPE_FLOAT16)
    return MAX (tolerance, 0x1p-10);
  return type == C2G_DATA_TYPE_BFLOAT16 ? MAX (tolerance, 0x1p-7) : tolerance;
}

/* Compares bits, for types that double cannot represent exactly. */
static gboolean
is_same (C2gTensor *tensor,
         C2gTensor *expected,
         gint64     i)
{
  gsize size = tensor->meta->item_size;

  return c2g_tensor_get_data_type (tensor) == c2g_tensor_get_data_type (expected) &&
         memcmp ((const char *) kernels_data (tensor) + i * size,
                 (const char *) kernels_data (expected) + i * size, size) == 0;
}

void
kernels_assert_alike (C2gTensor *tensor,
                      C2gTensor *expected,
                      double     tolerance)
{
  C2gDataType type = c2g_tensor_get_data_type (tensor);

  g_assert_cmpint (tensor->n_elements, ==, expected->n_elements);
  tolerance = find_tolerance (type, tolerance);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      double got = get_number (tensor, i), wanted = get_number (expected, i);

      if (is_same (tensor, expected, i) || (isnan (got) && isnan (wanted)) ||
          (is_real (type) && got == wanted) ||
          fabs (got - wanted) <= tolerance * MAX (fabs (wanted), 1))
        continue;
      /* A number that does not fit becomes the largest of the type. */
      if (type == C2G_DATA_TYPE_FLOAT16 && fabs (got) == 65504 && fabs (wanted) > 65504 &&
          isfinite (wanted) && (got > 0) == (wanted > 0))
        continue;
      g_error ("Element %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " %s is %.9g, expected %.9g", i,
               tensor->n_elements, c2g_data_type_get_name (type), got, wanted);
    }
}

int
kernels_test_run (void)
{
  int status;

  return find_runtime (&status) ? reset_devices (c2g_test_run ()) : status;
}
