/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

/* Counters and flags that threads share: blobs with a 64-bit integer or a boolean.
 *
 * CreateCounter, ResetCounter: set the counter to init_count; Reset optionally returns the old
 * value.
 * CountUp: adds 1 and returns the old value (int64).
 * CountDown: subtracts 1 and returns TRUE if the old value was at most 0.
 * CheckCounterDone: returns TRUE if the value is at most 0. RetrieveCount: returns it.
 * CreateAtomicBool: FALSE.  ConditionalSetAtomicBool: sets it to TRUE if input 1 is TRUE.
 * CheckAtomicBool: returns it.
 *
 * The rules are Caffe2's. The lock protects the blobs for a whole run, since making outputs also
 * reads inputs. It is recursive because signal handlers can run such operators in the same
 * thread. These operators run on the CPU only. */

static GRecMutex shared_lock;

#define DEFINE_RUN(name)                                                                           \
  static gboolean                                                                                  \
  name##_run (C2gOperator  *op,                                                                    \
              gpointer      state,                                                                 \
              GError      **error)                                                                 \
  {                                                                                                \
    gboolean is_done;                                                                              \
                                                                                                   \
    g_rec_mutex_lock (&shared_lock);                                                               \
    is_done = name##_locked (op, state, error);                                                    \
    g_rec_mutex_unlock (&shared_lock);                                                             \
    return is_done;                                                                                \
  }

static gboolean
set_content_error (C2gOperator  *op,
                   const char   *expected,
                   GError      **error)
{
  return c2g_fail (error, C2G_ERROR_TYPE, _("Input %u, “%s”, is not %s"), 0,
                   c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[0], expected);
}

static gboolean
read_count (C2gOperator  *op,
            gint64       *count,
            GError      **error)
{
  C2gBlob *blob = c2g_operator_get_input (op, 0);
  g_auto (GValue) value = G_VALUE_INIT;

  if (!c2g_blob_is_type (blob, G_TYPE_INT64) && !c2g_blob_is_type (blob, G_TYPE_INT))
    return set_content_error (op, _("a counter"), error);

  c2g_blob_get_value (blob, &value);
  *count = G_VALUE_HOLDS_INT64 (&value) ? g_value_get_int64 (&value) : g_value_get_int (&value);
  return TRUE;
}

static void
write_count (C2gBlob *blob,
             gint64   count)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_INT64);
  g_value_set_int64 (&value, count);
  c2g_blob_set_value (blob, &value);
}

static gboolean
put_int64 (C2gOperator  *op,
           gint64        value,
           GError      **error)
{
  C2gTensor *output = c2g_operator_output (op, 0, NULL, 0, C2G_DATA_TYPE_INT64, error);

  if (output == NULL)
    return FALSE;
  *(gint64 *) c2g_tensor_address (output) = value;
  return TRUE;
}

static gboolean
put_boolean (C2gOperator   *op,
             const gint64  *dims,
             gsize          n_dims,
             gboolean       value,
             GError       **error)
{
  C2gTensor *output = c2g_operator_output (op, 0, dims, n_dims, C2G_DATA_TYPE_BOOL, error);

  if (output == NULL)
    return FALSE;
  *(guint8 *) c2g_tensor_address (output) = value ? 1 : 0;
  return TRUE;
}

/* Infers the outputs without reading the blobs. */
static gboolean
int64_infer (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  return c2g_operator_get_n_outputs (op) == 0 ||
         c2g_operator_output (op, 0, NULL, 0, C2G_DATA_TYPE_INT64, error) != NULL;
}

static gboolean
boolean_infer (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return c2g_operator_output (op, 0, NULL, 0, C2G_DATA_TYPE_BOOL, error) != NULL;
}

/* Counters */

static gboolean
create_counter_locked (C2gOperator  *op,
                       gpointer      state,
                       GError      **error)
{
  write_count (c2g_operator_get_output (op, 0), *(gint64 *) state);
  return TRUE;
}

DEFINE_RUN (create_counter)

/* Sets the counter to *new_count, or adds step if that is NULL.  Returns the old value in
 * *old_count. Overflow wraps around, as in Caffe2. */
static gboolean
exchange (C2gOperator  *op,
          const gint64 *new_count,
          gint64        step,
          gint64       *old_count,
          GError      **error)
{
  if (!read_count (op, old_count, error))
    return FALSE;

  write_count (c2g_operator_get_input (op, 0),
               new_count != NULL ? *new_count
                                 : (gint64) ((guint64) *old_count + (guint64) step));
  return TRUE;
}

static gboolean
reset_counter_locked (C2gOperator  *op,
                      gpointer      state,
                      GError      **error)
{
  gint64 previous;

  return exchange (op, state, 0, &previous, error) &&
         (c2g_operator_get_n_outputs (op) == 0 || put_int64 (op, previous, error));
}

DEFINE_RUN (reset_counter)

static gboolean
count_up_locked (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  gint64 previous;

  return exchange (op, NULL, 1, &previous, error) && put_int64 (op, previous, error);
}

DEFINE_RUN (count_up)

static gboolean
count_down_locked (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  gint64 previous;

  return exchange (op, NULL, -1, &previous, error) &&
         put_boolean (op, NULL, 0, previous <= 0, error);
}

DEFINE_RUN (count_down)

static gboolean
check_counter_locked (C2gOperator  *op,
                      gpointer      state,
                      GError      **error)
{
  gint64 count;

  return read_count (op, &count, error) && put_boolean (op, NULL, 0, count <= 0, error);
}

DEFINE_RUN (check_counter)

static gboolean
retrieve_count_locked (C2gOperator  *op,
                       gpointer      state,
                       GError      **error)
{
  gint64 count;

  return read_count (op, &count, error) && put_int64 (op, count, error);
}

DEFINE_RUN (retrieve_count)

/* Flags */

static void
write_truth (C2gBlob  *blob,
             gboolean  truth)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_BOOLEAN);
  g_value_set_boolean (&value, truth);
  c2g_blob_set_value (blob, &value);
}

static gboolean
create_atomic_bool_locked (C2gOperator  *op,
                           gpointer      state,
                           GError      **error)
{
  write_truth (c2g_operator_get_output (op, 0), FALSE);
  return TRUE;
}

DEFINE_RUN (create_atomic_bool)

static gboolean
set_atomic_bool_locked (C2gOperator  *op,
                        gpointer      state,
                        GError      **error)
{
  C2gTensor *condition = c2g_operator_input (op, 1, C2G_DATA_TYPE_BOOL, error);
  C2gBlob *blob = c2g_operator_get_input (op, 0);

  if (condition == NULL)
    return FALSE;
  if (condition->n_elements != 1)
    return c2g_operator_set_shape_error (op, 1, error, _("one element"));

  if (!c2g_blob_is_type (blob, G_TYPE_BOOLEAN))
    return set_content_error (op, _("what CreateAtomicBool makes"), error);
  if (*(const guint8 *) c2g_tensor_address (condition) != 0)
    write_truth (blob, TRUE);
  return TRUE;
}

DEFINE_RUN (set_atomic_bool)

/* As in Caffe2, this output has the shape (1), but those of the counters have no dimension. */
static gboolean
check_atomic_bool_infer (C2gOperator  *op,
                         gpointer      state,
                         GError      **error)
{
  return c2g_operator_output (op, 0, (const gint64[]) { 1 }, 1, C2G_DATA_TYPE_BOOL, error) != NULL;
}

static gboolean
check_atomic_bool_locked (C2gOperator  *op,
                          gpointer      state,
                          GError      **error)
{
  C2gBlob *blob = c2g_operator_get_input (op, 0);
  g_auto (GValue) value = G_VALUE_INIT;

  if (!c2g_blob_is_type (blob, G_TYPE_BOOLEAN))
    return set_content_error (op, _("what CreateAtomicBool makes"), error);
  c2g_blob_get_value (blob, &value);
  return put_boolean (op, (const gint64[]) { 1 }, 1, g_value_get_boolean (&value), error);
}

DEFINE_RUN (check_atomic_bool)

typedef struct
{
  gint64 init_count;
} CountState;

#define INIT_COUNT                                                                                 \
  C2G_ARGS (C2G_ARG_INT (CountState, init_count, "init_count", 0, C2G_AT_LEAST (0), C2G_IS_INVALID))

static const C2gKernel kernels[] = {
  { "CreateCounter", NULL, 0, 0, 1, 1, NULL, INIT_COUNT, sizeof (CountState), NULL,
    create_counter_run, NULL, NULL, "Makes a counter", .infer = c2g_operator_infer_nothing },
  { "ResetCounter", NULL, 1, 1, 0, 1, NULL, INIT_COUNT, sizeof (CountState), NULL,
    reset_counter_run, NULL, NULL, "Sets a counter, and gives its old value", .infer = int64_infer },
  { "CountUp", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, count_up_run, NULL, NULL,
    "Counts up, and gives the old value of the counter", .infer = int64_infer },
  { "CountDown", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, count_down_run, NULL, NULL,
    "Counts down, and tells if the counter had reached 0", .infer = boolean_infer },
  { "CheckCounterDone", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, check_counter_run, NULL, NULL,
    "Tells if a counter has reached 0", .infer = boolean_infer },
  { "RetrieveCount", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, retrieve_count_run, NULL, NULL,
    "The value of a counter", .infer = int64_infer },
  { "CreateAtomicBool", NULL, 0, 0, 1, 1, NULL, NULL, 0, NULL, create_atomic_bool_run, NULL, NULL,
    "Makes a flag that is not set", .infer = c2g_operator_infer_nothing },
  { "ConditionalSetAtomicBool", NULL, 2, 2, 0, 0, NULL, NULL, 0, NULL, set_atomic_bool_run, NULL,
    NULL, "Sets a flag if the condition is true",
    .infer = c2g_operator_infer_nothing },
  { "CheckAtomicBool", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, check_atomic_bool_run, NULL, NULL,
    "Tells if a flag is set", .infer = check_atomic_bool_infer },
};

C2G_OPS_FAMILY (counter);
