/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

/* Counters for threads and iterations.
 *
 * CreateMutex: the output is a mutex.
 * AtomicFetchAdd, AtomicFetchAdd64: inputs mutex, a, b of one element, int32 or int64. Outputs:
 * the sum a + b, which may be in place of a, and the old a.
 * Iter: adds 1 to an int64 tensor in place; without an input the count starts at 0 and is 1 after
 * the first run.
 * AtomicIter: inputs mutex and count; like Iter while it holds the mutex.
 *
 * The rules are Caffe2's. Of these only Iter may be in a net on CUDA; its count stays on the
 * CPU. */

/* A recursive mutex as the content of a blob. */
#define C2G_TYPE_MUTEX (c2g_mutex_get_type ())
G_DECLARE_FINAL_TYPE (C2gMutex, c2g_mutex, C2G, MUTEX, GObject)

struct _C2gMutex
{
  GObject   parent_instance;

  GRecMutex lock;
};

G_DEFINE_FINAL_TYPE (C2gMutex, c2g_mutex, G_TYPE_OBJECT)

static void
c2g_mutex_finalize (GObject *object)
{
  g_rec_mutex_clear (&C2G_MUTEX (object)->lock);

  G_OBJECT_CLASS (c2g_mutex_parent_class)->finalize (object);
}

static void
c2g_mutex_class_init (C2gMutexClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_mutex_finalize;
}

static void
c2g_mutex_init (C2gMutex *self)
{
  g_rec_mutex_init (&self->lock);
}

static gboolean
create_mutex_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  g_autoptr (C2gMutex) mutex = g_object_new (C2G_TYPE_MUTEX, NULL);

  c2g_blob_set_object (c2g_operator_get_output (op, 0), G_OBJECT (mutex));
  return TRUE;
}

/* Returns input 0, a mutex, after locking it. */
static C2gMutex *
lock_input (C2gOperator  *op,
            GError      **error)
{
  C2gBlob *blob = c2g_operator_get_input (op, 0);
  C2gMutex *mutex;

  if (!c2g_blob_is_type (blob, C2G_TYPE_MUTEX))
    return c2g_fail_null (error, C2G_ERROR_TYPE, _("Input %u, “%s”, is not %s"), 0,
                          c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[0],
                          _("a mutex"));

  mutex = C2G_MUTEX (c2g_blob_get_object (blob));
  g_rec_mutex_lock (&mutex->lock);
  return mutex;
}

static gint64
read_integer (C2gTensor *tensor)
{
  gconstpointer item = c2g_tensor_address (tensor);

  return c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_INT64 ? *(const gint64 *) item
                                                                  : *(const gint32 *) item;
}

static void
write_integer (C2gTensor *tensor,
               gint64     value)
{
  gpointer item = c2g_tensor_address (tensor);

  if (c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_INT64)
    *(gint64 *) item = value;
  else
    *(gint32 *) item = (gint32) (guint32) (guint64) value;
}

static C2gTensor *
find_integer (C2gOperator  *op,
              guint         input,
              C2gDataType   wanted,
              GError      **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, wanted, error);

  if (tensor != NULL && tensor->n_elements != 1)
    {
      c2g_operator_set_shape_error (op, input, error, _("one element"));
      return NULL;
    }
  return tensor;
}

/* Call with the mutex locked. Overflow wraps around, as in Caffe2's atomic integers. */
static gboolean
fetch_add (C2gOperator  *op,
           GError      **error)
{
  C2gTensor *a = find_integer (op, 1, C2G_DATA_TYPE_UNDEFINED, error);
  C2gTensor *b, *sum, *previous;
  C2gDataType data_type;
  gint64 value, step;

  if (a == NULL)
    return FALSE;
  data_type = c2g_tensor_get_data_type (a);
  if (data_type != C2G_DATA_TYPE_INT32 && data_type != C2G_DATA_TYPE_INT64)
    return c2g_operator_set_type_error (op, 1, _("int32 or int64"), error);
  b = find_integer (op, 2, data_type, error);
  if (b == NULL)
    return FALSE;

  /* If the sum is in place of a, making the output keeps the value of a: its size stays the
   * same. */
  sum = c2g_operator_output (op, 0, NULL, 0, data_type, error);
  previous = sum != NULL ? c2g_operator_output (op, 1, NULL, 0, data_type, error) : NULL;
  if (previous == NULL)
    return FALSE;
  value = read_integer (a);
  step = read_integer (b);
  write_integer (sum, (gint64) ((guint64) value + (guint64) step));
  write_integer (previous, value);
  return TRUE;
}

static gboolean
atomic_fetch_add_run (C2gOperator  *op,
                      gpointer      state,
                      GError      **error)
{
  C2gMutex *mutex = lock_input (op, error);
  gboolean is_done;

  if (mutex == NULL)
    return FALSE;
  is_done = fetch_add (op, error);
  g_rec_mutex_unlock (&mutex->lock);
  return is_done;
}

/* Infers without the mutex, which may not exist yet. */
static gboolean
atomic_fetch_add_infer (C2gOperator  *op,
                        gpointer      state,
                        GError      **error)
{
  return fetch_add (op, error);
}

/* Iter and AtomicIter */

static gboolean
check_in_place (C2gOperator  *op,
                guint         input,
                GError      **error)
{
  C2gOperatorDef *def = c2g_operator_peek_def (op);
  const char *name = c2g_operator_def_get_inputs (def)[input];

  if (g_str_equal (name, c2g_operator_def_get_outputs (def)[0]))
    return TRUE;
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("Output 0 is “%s”, expected input %u, “%s”, in place"),
                   c2g_operator_def_get_outputs (def)[0], input, name);
}

static const char *
get_output_name (C2gOperator *op)
{
  return c2g_operator_def_get_outputs (c2g_operator_peek_def (op))[0];
}

static gboolean
check_count (C2gOperator  *op,
             C2gTensor    *output,
             GError      **error)
{
  C2gDataType data_type = c2g_tensor_get_data_type (output);

  if (data_type == C2G_DATA_TYPE_INT64 && output->n_elements == 1 && output->storage != NULL)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE,
                   _("Output %u, “%s”, has %" PRId64 " elements of type %s, expected one of type %s"),
                   0, get_output_name (op), output->n_elements, c2g_data_type_get_name (data_type),
                   c2g_data_type_get_name (C2G_DATA_TYPE_INT64));
}

/* As in Caffe2, the count is on the CPU even if the operator runs on a device. */
static C2gTensor *
find_count (C2gOperator  *op,
            GError      **error)
{
  C2gBlob *blob = c2g_operator_get_output (op, 0);
  C2gTensor *tensor;

  if (c2g_operator_get_compute (op) == NULL)
    return c2g_operator_get_output_tensor (op, 0, error);
  if (c2g_operator_get_n_inputs (op) == 0)
    return c2g_blob_ensure_tensor (blob, c2g_device_cpu (), error);

  tensor = c2g_blob_get_tensor (blob, error);
  if (tensor == NULL || c2g_blob_is_tensor (blob, c2g_device_cpu ()))
    return tensor;
  return c2g_fail_null (error, C2G_ERROR_DEVICE, _("Input %u, “%s”, is on %s, expected %s"), 0,
                        get_output_name (op), c2g_device_to_string (tensor->device),
                        c2g_device_to_string (c2g_device_cpu ()));
}

static gboolean
count_iteration (C2gOperator  *op,
                 GError      **error)
{
  C2gTensor *output = find_count (op, error);
  gint64 *count;

  if (output == NULL || !check_count (op, output, error))
    return FALSE;

  if (!c2g_tensor_make_writable (output, error))
    return FALSE;
  count = c2g_tensor_address (output);
  if (*count < 0 || *count == G_MAXINT64)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("Output %u, “%s”, is %" PRId64 ", which no iteration can follow"), 0,
                     get_output_name (op), *count);
  (*count)++;
  return TRUE;
}

static gboolean
iter_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  return c2g_operator_get_n_inputs (op) == 0 || check_in_place (op, 0, error);
}

/* After shape inference the output has a shape but no memory, and is no count yet. */
static gboolean
has_count (C2gOperator *op)
{
  C2gTensor *output = c2g_blob_get_tensor (c2g_operator_get_output (op, 0), NULL);

  return output != NULL && c2g_tensor_is_allocated (output);
}

static gboolean
iter_infer (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  static const gint64 dims[] = { 1 };
  C2gTensor *output;

  if (c2g_operator_get_n_inputs (op) > 0 || has_count (op))
    return TRUE;
  output = find_count (op, error);
  return output != NULL && c2g_tensor_resize (output, dims, 1, error) &&
         c2g_tensor_set_data_type (output, C2G_DATA_TYPE_INT64, error);
}

static gboolean
iter_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  static const gint64 dims[] = { 1 };

  if (c2g_operator_get_n_inputs (op) == 0 && !has_count (op))
    {
      C2gTensor *output = find_count (op, error);

      if (output == NULL || !c2g_tensor_resize (output, dims, 1, error) ||
          !c2g_tensor_allocate (output, C2G_DATA_TYPE_INT64, error))
        return FALSE;
      *(gint64 *) c2g_tensor_address (output) = 0;
    }
  return count_iteration (op, error);
}

static gboolean
atomic_iter_set_up (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  return check_in_place (op, 1, error);
}

static gboolean
atomic_iter_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  C2gMutex *mutex = lock_input (op, error);
  gboolean is_done;

  if (mutex == NULL)
    return FALSE;
  is_done = count_iteration (op, error);
  g_rec_mutex_unlock (&mutex->lock);
  return is_done;
}

static const C2gKernel kernels[] = {
  { "CreateMutex", NULL, 0, 0, 1, 1, NULL, NULL, 0, NULL, create_mutex_run, NULL, NULL,
    "Makes a mutex", .infer = c2g_operator_infer_nothing },
  { "AtomicFetchAdd", NULL, 3, 3, 2, 2, "1>0", NULL, 0, NULL, atomic_fetch_add_run, NULL, NULL,
    "Adds two integers under a mutex",
    .infer = atomic_fetch_add_infer },
  { "AtomicFetchAdd64", NULL, 3, 3, 2, 2, "1>0", NULL, 0, NULL, atomic_fetch_add_run, NULL, NULL,
    "Adds two integers under a mutex",
    .infer = atomic_fetch_add_infer },
  { "Iter", NULL, 0, 1, 1, 1, "0>0", NULL, 0, iter_set_up, iter_run, NULL, NULL,
    "Counts iterations", .infer = iter_infer,
    .is_for_devices = TRUE, .reads_on_cpu = TRUE },
  { "AtomicIter", NULL, 2, 2, 1, 1, "1>0", NULL, 0, atomic_iter_set_up, atomic_iter_run, NULL,
    NULL, "Counts iterations under a mutex", .infer = c2g_operator_infer_nothing },
};

C2G_OPS_FAMILY (atomic);
