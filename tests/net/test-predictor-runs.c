/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"
#include "tests/test-utils.h"

/* Several runs of one predictor: each has its own results, and they are run in order. */

#define DOUBLE                                                                                     \
  "name: 'double' external_input: 'x' external_input: 'z' external_output: 'y' "                   \
  "op { type: 'Sum' input: 'x' input: 'x' output: 'y' } "

/* Doubles its input, and waits until “go” is noted. */
#define WAITING_DOUBLE                                                                             \
  DOUBLE "op { type: 'NetTestStep' name: 'a' arg { name: 'until' s: 'go' } "                       \
         "arg { name: 'wait_ms' i: 20000 } } "

static C2gTensor *
new_input (double value)
{
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  for (gint64 i = 0; i < 3; i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, value, NULL));
  return tensor;
}

static C2gPredictor *
new_predictor (const char *text)
{
  g_autoptr (C2gNetDef) def = net_def_from_text (text);
  g_autoptr (GError) error = NULL;
  C2gPredictor *predictor = c2g_predictor_create (NULL, def, NULL, NULL, C2G_OPTIMIZE_ALL, &error);
  g_autoptr (C2gTensor) other = new_input (0);

  g_assert_no_error (error);
  g_assert_true (c2g_predictor_set_input (predictor, "z", other, NULL));
  return predictor;
}

static void
check_outputs (C2gTensor **outputs,
               guint       n_outputs,
               double      value)
{
  g_assert_cmpuint (n_outputs, ==, 1);
  g_assert_cmpint (c2g_tensor_get_n_elements (outputs[0]), ==, 3);
  for (gint64 i = 0; i < 3; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (outputs[0], i, NULL), ==, value);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

static void
begin (C2gPredictor  *predictor,
       double         value,
       GCancellable  *cancellable,
       GAsyncResult **result)
{
  g_autoptr (C2gTensor) input = new_input (value);

  c2g_predictor_run_async (predictor, &input, 1, cancellable, c2g_test_keep_result_cb, result);
}

static void
finish (C2gPredictor  *predictor,
        GAsyncResult **result,
        double         value)
{
  g_autoptr (GError) error = NULL;
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  outputs = c2g_predictor_run_finish (predictor, wait_for (result), &n_outputs, &error);
  g_assert_no_error (error);
  check_outputs (outputs, n_outputs, value);
}

static void
finish_cancelled (C2gPredictor  *predictor,
                  GAsyncResult **result)
{
  g_autoptr (GError) error = NULL;
  guint n_outputs = 1;

  g_assert_null (c2g_predictor_run_finish (predictor, wait_for (result), &n_outputs, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (n_outputs, ==, 0);
}

static void
check_busy (C2gPredictor *predictor)
{
  g_autoptr (GFile) file = g_file_new_for_path ("none.minidb");
  g_autoptr (GError) error = NULL;
  guint n_outputs;

  g_assert_null (c2g_predictor_run (predictor, NULL, 0, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_clear_error (&error);
  g_assert_false (c2g_predictor_load_parameters (predictor, file, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
}

static void
check_run (C2gPredictor *predictor,
           double        value)
{
  g_autoptr (C2gTensor) input = new_input (value);
  g_autoptr (GError) error = NULL;
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  outputs = c2g_predictor_run (predictor, &input, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  check_outputs (outputs, n_outputs, 2 * value);
}

/* Waits until the predictor is free: a worker thread may still be releasing it. */
static void
wait_until_free (C2gPredictor *predictor)
{
  g_autoptr (GError) error = NULL;

  while (!c2g_predictor_optimize (predictor, C2G_OPTIMIZE_NONE, &error))
    {
      g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
      g_clear_error (&error);
      g_main_context_iteration (NULL, FALSE);
      g_thread_yield ();
    }
}

typedef struct
{
  guint n_begun;
  guint n_ended;
} Order;

typedef struct
{
  Order *order;
  guint  number;
} Call;

static void
ordered_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  Call *call = data;

  g_assert_cmpuint (call->number, ==, call->order->n_ended);
  call->order->n_ended++;
  finish (C2G_PREDICTOR (source), &result, 2.0 * call->number);
  g_free (call);
}

/* Starts all runs before the first one has ended. */
static void
test_in_order (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (DOUBLE);
  const guint n = c2g_test_count_rounds (200);
  Order order = { 0, 0 };

  for (; order.n_begun < n; order.n_begun++)
    {
      g_autoptr (C2gTensor) input = new_input (order.n_begun);
      Call *call = g_new (Call, 1);

      *call = (Call){ &order, order.n_begun };
      c2g_predictor_run_async (predictor, &input, 1, NULL, ordered_cb, call);
    }
  while (order.n_ended < n)
    g_main_context_iteration (NULL, TRUE);
  wait_until_free (predictor);
}

/* The outputs of a run do not change when the model runs again. */
static void
test_outputs_stay (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (DOUBLE);
  g_autoptr (C2gTensor) input = new_input (1);
  g_autoptr (GError) error = NULL;
  g_autofree C2gTensor **outputs = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (C2gTensor) kept = NULL;
  g_autoptr (C2gTensor) own = NULL;
  guint n_outputs;

  outputs = c2g_predictor_run (predictor, &input, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  kept = g_object_ref (outputs[0]);
  check_run (predictor, 5);
  begin (predictor, 6, NULL, &result);
  finish (predictor, &result, 12);
  check_outputs (outputs, n_outputs, 2);

  /* The predictor's own output is overwritten. */
  own = c2g_predictor_get_output (predictor, "y", &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (own, 0, NULL), ==, 12);
}

/* set_input() applies to runs that are started after it. */
static void
test_named_inputs (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (WAITING_DOUBLE);
  GAsyncResult *results[3] = { NULL };

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (C2gTensor) input = new_input (i);

      g_assert_true (c2g_predictor_set_input (predictor, "x", input, NULL));
      c2g_predictor_run_async (predictor, NULL, 0, NULL, c2g_test_keep_result_cb, &results[i]);
    }
  net_note ("go");
  for (guint i = 0; i < 3; i++)
    {
      finish (predictor, &results[i], 2 * i);
      g_object_unref (results[i]);
    }
  g_free (net_take_notes ());
}

/* The predictor is busy until finish() is called for the result. */
static void
test_reserved (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (DOUBLE);
  g_autoptr (GAsyncResult) first = NULL;
  g_autoptr (GAsyncResult) second = NULL;
  g_autoptr (C2gTensor) own = NULL;

  begin (predictor, 1, NULL, &first);
  begin (predictor, 2, NULL, &second);
  check_busy (predictor);
  wait_for (&first);
  g_usleep (10 * 1000);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (second);
  check_busy (predictor);
  own = c2g_predictor_get_output (predictor, "y", NULL);
  g_assert_cmpfloat (c2g_tensor_get_value (own, 0, NULL), ==, 2);

  finish (predictor, &first, 2);
  check_busy (predictor);
  finish (predictor, &second, 4);
  check_run (predictor, 3);
}

static void
ignore_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  ++*(guint *) data;
}

/* A result that is never fetched is dropped with its task. */
static void
test_dropped (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (DOUBLE);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (C2gTensor) input = new_input (1);
  guint n_ignored = 0;

  for (guint i = 0; i < 3; i++)
    c2g_predictor_run_async (predictor, &input, 1, NULL, i == 1 ? NULL : ignore_cb, &n_ignored);
  begin (predictor, 4, NULL, &result);
  finish (predictor, &result, 8);
  g_assert_cmpuint (n_ignored, ==, 2);
  check_run (predictor, 3);
}

/* Freeing a main context drops the results that are or will be queued in it. */
static void
test_dropped_context (void)
{
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (C2gPredictor) predictor = new_predictor (i % 2 == 0 ? DOUBLE : WAITING_DOUBLE);
      g_autoptr (C2gTensor) input = new_input (1);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GMainContext) context = g_main_context_new ();
      guint n_ignored = 0;

      g_main_context_push_thread_default (context);
      c2g_predictor_run_async (predictor, &input, 1, cancellable, ignore_cb, &n_ignored);
      g_main_context_pop_thread_default (context);
      if (i == 2)
        g_usleep (20 * 1000);

      g_clear_pointer (&context, g_main_context_unref);
      net_note ("go");
      begin (predictor, 4, NULL, &result);
      finish (predictor, &result, 8);
      g_assert_cmpuint (n_ignored, ==, 0);
      check_run (predictor, 3);
      g_free (net_take_notes ());
    }
}

/* A cancelled run that is still waiting ends at once, and the others run. */
static void
test_cancelled_waiting (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (WAITING_DOUBLE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GAsyncResult *results[4] = { NULL };

  begin (predictor, 1, NULL, &results[0]);
  begin (predictor, 2, cancellable, &results[1]);
  begin (predictor, 3, NULL, &results[2]);
  g_cancellable_cancel (cancellable);
  begin (predictor, 4, cancellable, &results[3]);
  finish_cancelled (predictor, &results[1]);
  finish_cancelled (predictor, &results[3]);
  g_assert_null (results[0]);

  net_note ("go");
  finish (predictor, &results[0], 2);
  finish (predictor, &results[2], 6);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    g_object_unref (results[i]);
  g_free (net_take_notes ());
}

/* A run that is cancelled before finish() was called fails, and its input is not kept. */
static void
test_cancelled_late (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (DOUBLE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) next = NULL;

  check_run (predictor, 3);
  begin (predictor, 1, cancellable, &result);
  wait_for (&result);
  g_cancellable_cancel (cancellable);
  finish_cancelled (predictor, &result);

  c2g_predictor_run_async (predictor, NULL, 0, NULL, c2g_test_keep_result_cb, &next);
  finish (predictor, &next, 6);
}

/* A failed run ends at once: the next runs do not wait until its error is fetched. */
static void
test_failed (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (DOUBLE);
  g_autoptr (C2gTensor) empty = c2g_tensor_new ();
  g_autoptr (GAsyncResult) failed = NULL;
  g_autoptr (GAsyncResult) next = NULL;
  g_autoptr (GAsyncResult) last = NULL;
  g_autoptr (GError) error = NULL;
  guint n_outputs;

  begin (predictor, 1, NULL, &next);
  finish (predictor, &next, 2);
  g_clear_object (&next);
  c2g_predictor_run_async (predictor, &empty, 1, NULL, c2g_test_keep_result_cb, &failed);
  c2g_predictor_run_async (predictor, NULL, 0, NULL, c2g_test_keep_result_cb, &next);
  begin (predictor, 5, NULL, &last);
  finish (predictor, &next, 2);
  finish (predictor, &last, 10);
  g_assert_null (c2g_predictor_run_finish (predictor, wait_for (&failed), &n_outputs, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
}

/* Threads that run the model in different ways. */
typedef struct
{
  C2gPredictor *predictor;
  guint         number;
  guint         n_rounds;
} Hammer;

static void
run_away (C2gPredictor *predictor,
          double        value,
          gboolean      is_cancelled)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  begin (predictor, value, cancellable, &result);
  if (is_cancelled)
    g_cancellable_cancel (cancellable);
  while (result == NULL)
    g_main_context_iteration (context, TRUE);
  outputs = c2g_predictor_run_finish (predictor, result, &n_outputs, &error);
  if (is_cancelled)
    {
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      return;
    }
  g_assert_no_error (error);
  check_outputs (outputs, n_outputs, 2 * value);
}

static void
run_here (C2gPredictor *predictor,
          double        value)
{
  g_autoptr (C2gTensor) input = new_input (value);
  g_autoptr (GError) error = NULL;
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  outputs = c2g_predictor_run (predictor, &input, 1, &n_outputs, NULL, &error);
  if (outputs != NULL)
    check_outputs (outputs, n_outputs, 2 * value);
  else
    g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
}

static gpointer
hammer (gpointer data)
{
  Hammer *self = data;
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (C2gTensor) other = new_input (1);

  g_main_context_push_thread_default (context);
  for (guint i = 0; i < self->n_rounds; i++)
    {
      const double value = 1000 * self->number + i;

      if (self->number == 0)
        run_here (self->predictor, value);
      else
        run_away (self->predictor, value, i % 5 == 4);
      g_assert_true (c2g_predictor_set_input (self->predictor, "z", other, NULL));
    }
  g_main_context_pop_thread_default (context);
  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (DOUBLE);
  GThread *threads[4];
  Hammer hammers[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      hammers[i] = (Hammer){ predictor, i, c2g_test_count_rounds (100) };
      threads[i] = g_thread_new ("hammer", hammer, &hammers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  wait_until_free (predictor);
}

/* Number of threads. Each one waits until the main thread has checked the outputs. */
#define N_THREADS 40
/* The outputs of so many threads are kept after their end. */
#define N_ENDED 16

typedef struct
{
  C2gPredictor *predictor;
  GMutex        lock;
  GCond         changed;
  guint         n_done;
  gboolean      is_over;
  GWeakRef      outputs[N_THREADS - 1];
} Borrowers;

static gpointer
borrow (gpointer data)
{
  Borrowers *self = data;
  g_autoptr (C2gTensor) input = new_input (1);
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  g_mutex_lock (&self->lock);
  outputs = c2g_predictor_run (self->predictor, &input, 1, &n_outputs, NULL, NULL);
  g_assert_nonnull (outputs);
  g_weak_ref_init (&self->outputs[self->n_done++], outputs[0]);
  g_cond_broadcast (&self->changed);
  while (!self->is_over)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
  return NULL;
}

static void
check_borrowed (Borrowers *self)
{
  for (guint i = 0; i < N_THREADS - 1; i++)
    {
      g_autoptr (GObject) output = g_weak_ref_get (&self->outputs[i]);

      g_assert_nonnull (output);
    }
}

/* A thread that runs the model again drops its own outputs, not those of other threads, however many
 * there are. Only threads that have ended lose theirs. */
static void
test_borrowed (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (DOUBLE);
  Borrowers self = { .predictor = predictor };
  GThread *threads[N_THREADS - 1];
  guint n_kept = 0;

  for (guint i = 0; i < N_THREADS - 1; i++)
    threads[i] = g_thread_new ("borrower", borrow, &self);
  g_mutex_lock (&self.lock);
  while (self.n_done < N_THREADS - 1)
    g_cond_wait (&self.changed, &self.lock);
  check_run (predictor, 2);
  check_run (predictor, 3);
  check_borrowed (&self);
  self.is_over = TRUE;
  g_cond_broadcast (&self.changed);
  g_mutex_unlock (&self.lock);

  for (guint i = 0; i < N_THREADS - 1; i++)
    g_thread_join (threads[i]);
  check_run (predictor, 4);
  for (guint i = 0; i < N_THREADS - 1; i++)
    {
      g_autoptr (GObject) output = g_weak_ref_get (&self.outputs[i]);

      n_kept += output != NULL;
      g_weak_ref_clear (&self.outputs[i]);
    }
  g_assert_cmpuint (n_kept, ==, N_ENDED);
  g_cond_clear (&self.changed);
  g_mutex_clear (&self.lock);
}

typedef struct
{
  C2gPredictor *predictor;
  gboolean      is_called;
} Replaced;

static void
run_cb (gpointer data,
        GObject *former)
{
  Replaced *self = data;

  self->is_called = TRUE;
  check_run (self->predictor, 4);
}

/* set_input() does not make the predictor busy: a weak notify of the replaced input may run the
 * model. */
static void
test_input_is_no_run (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (DOUBLE);
  g_autoptr (C2gTensor) second = new_input (2);
  C2gTensor *first = new_input (1);
  Replaced self = { predictor, FALSE };

  g_assert_true (c2g_predictor_set_input (predictor, "z", first, NULL));
  g_object_weak_ref (G_OBJECT (first), run_cb, &self);
  g_object_unref (first);
  g_assert_true (c2g_predictor_set_input (predictor, "z", second, NULL));
  g_assert_true (self.is_called);
}

static void
run_test (gconstpointer data)
{
  GTestFunc func = (GTestFunc) (gsize) data;

  func ();
  c2g_test_wait_for_memory ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();

  g_test_add_data_func ("/predictor-runs/in-order", test_in_order, run_test);
  g_test_add_data_func ("/predictor-runs/outputs-stay", test_outputs_stay, run_test);
  g_test_add_data_func ("/predictor-runs/named-inputs", test_named_inputs, run_test);
  g_test_add_data_func ("/predictor-runs/reserved", test_reserved, run_test);
  g_test_add_data_func ("/predictor-runs/dropped", test_dropped, run_test);
  g_test_add_data_func ("/predictor-runs/dropped-context", test_dropped_context, run_test);
  g_test_add_data_func ("/predictor-runs/cancelled-waiting", test_cancelled_waiting, run_test);
  g_test_add_data_func ("/predictor-runs/cancelled-late", test_cancelled_late, run_test);
  g_test_add_data_func ("/predictor-runs/failed", test_failed, run_test);
  g_test_add_data_func ("/predictor-runs/threads", test_threads, run_test);
  g_test_add_data_func ("/predictor-runs/borrowed", test_borrowed, run_test);
  g_test_add_data_func ("/predictor-runs/input-is-no-run", test_input_is_no_run, run_test);

  return c2g_test_run ();
}
