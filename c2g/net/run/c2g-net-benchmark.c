/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-net-benchmark.h>

#include <c2g/net/run/c2g-net-private.h>

#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/types/c2g-error-private.h>

/**
 * C2gNetBenchmark:
 *
 * Measured times of a net and of each of its operators.
 *
 * For an operator on a GPU this is the time that the GPU worked, between events recorded
 * before and after the operator's work. The time to queue that work is not counted.
 *
 * ```python
 * benchmark = net.benchmark(1, 10)
 * print(benchmark.to_text())
 * ```
 *
 * ## Threads
 *
 * A benchmark does not change: any thread can read it.
 */

typedef struct
{
  double  seconds;
  double  flops;
  guint64 n_bytes;
  /* Device events recorded before and after the work of the last run. */
  GObject *begin;
  GObject *end;
} Figures;

struct _C2gNetBenchmark
{
  GObject  parent_instance;

  C2gNet  *net;
  guint    n_runs;
  double   seconds;
  /* One for each operator. */
  Figures *figures;
};

G_DEFINE_FINAL_TYPE (C2gNetBenchmark, c2g_net_benchmark, G_TYPE_OBJECT)

static void
clear_points (Figures *figures)
{
  g_clear_object (&figures->begin);
  g_clear_object (&figures->end);
}

static void
c2g_net_benchmark_finalize (GObject *object)
{
  C2gNetBenchmark *self = C2G_NET_BENCHMARK (object);

  if (self->figures != NULL)
    for (guint i = 0; i < c2g_net_get_n_operators (self->net); i++)
      clear_points (&self->figures[i]);
  g_clear_object (&self->net);
  g_free (self->figures);

  G_OBJECT_CLASS (c2g_net_benchmark_parent_class)->finalize (object);
}

static void
c2g_net_benchmark_class_init (C2gNetBenchmarkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_net_benchmark_finalize;
}

static void
c2g_net_benchmark_init (C2gNetBenchmark *self)
{
}

static double
get_time (void)
{
  return (double) g_get_monotonic_time () / G_TIME_SPAN_SECOND;
}

static gboolean
run_often (C2gNet        *net,
           guint          n_runs,
           GMainContext  *home,
           GCancellable  *cancellable,
           GError       **error)
{
  for (guint i = 0; i < n_runs; i++)
    if (!c2g_net_run_away (net, home, cancellable, error))
      return FALSE;

  return TRUE;
}

static C2gBlob *
get_blob (C2gOperatorPrivate *op,
          guint               i)
{
  return i < op->n_inputs ? op->inputs[i] : op->outputs[i - op->n_inputs];
}

static gboolean
is_counted (C2gOperatorPrivate *op,
            guint               n)
{
  for (guint i = 0; i < n; i++)
    if (get_blob (op, i) == get_blob (op, n))
      return TRUE;

  return FALSE;
}

/* Total size of the tensors that the operator reads or writes. A blob that is used several times
 * counts once. */
static guint64
count_bytes (C2gOperatorPrivate *op)
{
  guint64 n_bytes = 0;

  for (guint i = 0; i < op->n_inputs + op->n_outputs; i++)
    {
      C2gTensor *tensor = c2g_blob_get_tensor (get_blob (op, i), NULL);

      if (tensor != NULL && !is_counted (op, i))
        n_bytes += c2g_tensor_get_n_bytes (tensor);
    }

  return n_bytes;
}

static void
count (C2gOperator *op,
       Figures     *figures)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (op);

  figures->flops = -1;
  if (priv->kernel != NULL && priv->kernel->count_flops != NULL)
    figures->flops = priv->kernel->count_flops (op, priv->state);
  figures->n_bytes = count_bytes (priv);
}

static gboolean
run_one (C2gNet         *net,
         C2gNetPrivate  *priv,
         guint           position,
         GCancellable   *cancellable,
         GError        **error)
{
  C2gOperatorPrivate *op = c2g_operator_get_private (priv->operators[position]);
  gboolean is_done;

  op->cancellable = cancellable;
  /* Kernels do not set the number for an empty output. */
  op->n_flops = 0;
  is_done = c2g_net_run_operator (net, priv, position, error);
  op->cancellable = NULL;
  return is_done;
}

static gboolean
record_time (C2gOperator  *op,
             GObject     **point,
             GError      **error)
{
  if (c2g_device_backend_record_time (c2g_operator_get_context (op), point, error))
    return TRUE;

  c2g_operator_prefix_error (op, error);
  return FALSE;
}

/* Measures the time on the CPU. For a device with timers, records events; the time is read from
 * them later. */
static gboolean
time_one (C2gNetBenchmark  *self,
          C2gNetPrivate    *priv,
          guint             position,
          GCancellable     *cancellable,
          GError          **error)
{
  C2gOperator *op = priv->operators[position];
  Figures *figures = &self->figures[position];
  double begin;

  if (!record_time (op, &figures->begin, error))
    return FALSE;
  begin = get_time ();
  if (!run_one (self->net, priv, position, cancellable, error))
    return FALSE;
  if (figures->begin != NULL)
    return record_time (op, &figures->end, error);

  figures->seconds += (get_time () - begin) / self->n_runs;
  return TRUE;
}

static gboolean
add_time_on_device (C2gNetBenchmark  *self,
                    C2gOperator      *op,
                    Figures          *figures,
                    GError          **error)
{
  double seconds;

  if (figures->begin == NULL)
    return TRUE;
  if (!c2g_device_backend_get_elapsed (c2g_operator_get_device (op), figures->begin, figures->end,
                                       &seconds, error))
    {
      c2g_operator_prefix_error (op, error);
      return FALSE;
    }

  figures->seconds += seconds / self->n_runs;
  clear_points (figures);
  return TRUE;
}

/* Runs the operators one after the other in this thread, whatever the type of the net. */
static gboolean
run_each (C2gNetBenchmark  *self,
          C2gNetPrivate    *priv,
          GCancellable     *cancellable,
          GError          **error)
{
  for (guint i = 0; i < priv->n_operators; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!time_one (self, priv, i, cancellable, error))
        return FALSE;
      count (priv->operators[i], &self->figures[i]);
    }
  for (guint i = 0; i < priv->n_operators; i++)
    if (!add_time_on_device (self, priv->operators[i], &self->figures[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
measure_operators (C2gNetBenchmark  *self,
                   GMainContext     *home,
                   GCancellable     *cancellable,
                   GError          **error)
{
  C2gNetPrivate *priv = c2g_net_get_private (self->net);
  gboolean is_done = TRUE;

  if (!g_atomic_int_compare_and_exchange (&priv->is_running, FALSE, TRUE))
    return c2g_fail (error, C2G_ERROR_BUSY, _("Net “%s” is running"), c2g_net_get_name (self->net));

  /* Observers and signal handlers are not called. */
  priv->is_observed = FALSE;
  priv->home = home;
  self->figures = g_new0 (Figures, priv->n_operators + 1);
  for (guint i = 0; i < self->n_runs && is_done; i++)
    is_done = run_each (self, priv, cancellable, error);
  priv->home = NULL;
  g_atomic_int_set (&priv->is_running, FALSE);

  return is_done;
}

static C2gNetBenchmark *
measure (C2gNet        *net,
         guint          n_warm_ups,
         guint          n_runs,
         GMainContext  *home,
         GCancellable  *cancellable,
         GError       **error)
{
  g_autoptr (C2gNetBenchmark) self = NULL;
  double begin;

  if (n_runs == 0)
    return c2g_fail_null (error, C2G_ERROR_RANGE,
                          _("Net “%s”: The number of runs is 0, expected 1 or more"),
                          c2g_net_get_name (net));
  self = g_object_new (C2G_TYPE_NET_BENCHMARK, NULL);
  self->net = g_object_ref (net);
  self->n_runs = n_runs;
  if (!run_often (net, n_warm_ups, home, cancellable, error))
    return NULL;

  begin = get_time ();
  if (!run_often (net, n_runs, home, cancellable, error))
    return NULL;
  self->seconds = (get_time () - begin) / n_runs;

  return measure_operators (self, home, cancellable, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * c2g_net_benchmark:
 * @self: a net
 * @n_warm_ups: how often it is run before anything is measured
 * @n_runs: how often it is measured, one time at least
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Measures how long the net takes.
 *
 * There are @n_warm_ups runs, then @n_runs timed runs of the whole net, then @n_runs of each
 * operator, one after the other in this thread and without observers. The time of the net
 * includes observers and signal handlers, the times of operators do not.
 *
 * Errors: `C2G_ERROR_RANGE` if @n_runs is 0, and those of [method@Net.run].
 *
 * Returns: (transfer full): what was measured
 */
C2gNetBenchmark *
c2g_net_benchmark (C2gNet        *self,
                   guint          n_warm_ups,
                   guint          n_runs,
                   GCancellable  *cancellable,
                   GError       **error)
{
  g_return_val_if_fail (C2G_IS_NET (self), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return measure (self, n_warm_ups, n_runs, NULL, cancellable, error);
}

typedef struct
{
  guint n_warm_ups;
  guint n_runs;
} Wish;

static void
measure_in_thread (GTask        *task,
                   gpointer      source_object,
                   gpointer      task_data,
                   GCancellable *cancellable)
{
  const Wish *wish = task_data;
  GError *error = NULL;
  C2gNetBenchmark *benchmark = measure (source_object, wish->n_warm_ups, wish->n_runs,
                                        g_task_get_context (task), cancellable, &error);

  if (benchmark != NULL)
    g_task_return_pointer (task, benchmark, g_object_unref);
  else
    g_task_return_error (task, error);
}

/**
 * c2g_net_measure_async:
 * @self: a net
 * @n_warm_ups: how often it is run before anything is measured
 * @n_runs: how often it is measured, one time at least
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when all is measured
 * @user_data: for @callback
 *
 * Measures in another thread how long the net takes, see [method@Net.benchmark].
 *
 * Handlers and operators that are not written in C are called as in [method@Net.run_async];
 * their times include the switch to the caller's thread.
 */
void
c2g_net_measure_async (C2gNet               *self,
                       guint                 n_warm_ups,
                       guint                 n_runs,
                       GCancellable         *cancellable,
                       GAsyncReadyCallback   callback,
                       gpointer              user_data)
{
  g_autoptr (GTask) task = NULL;
  const Wish wish = { n_warm_ups, n_runs };

  g_return_if_fail (C2G_IS_NET (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, c2g_net_measure_async);
  g_task_set_task_data (task, g_memdup2 (&wish, sizeof wish), g_free);
  g_task_run_in_thread (task, measure_in_thread);
}

/**
 * c2g_net_measure_finish:
 * @self: a net
 * @result: the result of the callback
 * @error: return location for an error
 *
 * Finishes what was started with [method@Net.measure_async].
 *
 * Errors: those of [method@Net.benchmark].
 *
 * Returns: (transfer full): what was measured
 */
C2gNetBenchmark *
c2g_net_measure_finish (C2gNet        *self,
                        GAsyncResult  *result,
                        GError       **error)
{
  g_return_val_if_fail (C2G_IS_NET (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, c2g_net_measure_async), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * c2g_net_benchmark_get_net:
 * @self: a benchmark
 *
 * Gets the net that was measured.
 *
 * Returns: (transfer none): the net
 */
C2gNet *
c2g_net_benchmark_get_net (C2gNetBenchmark *self)
{
  g_return_val_if_fail (C2G_IS_NET_BENCHMARK (self), NULL);

  return self->net;
}

/**
 * c2g_net_benchmark_get_n_runs:
 * @self: a benchmark
 *
 * Tells how often the net was run.
 *
 * Returns: how often
 */
guint
c2g_net_benchmark_get_n_runs (C2gNetBenchmark *self)
{
  g_return_val_if_fail (C2G_IS_NET_BENCHMARK (self), 0);

  return self->n_runs;
}

/**
 * c2g_net_benchmark_get_seconds:
 * @self: a benchmark
 *
 * Tells how long a run takes, on average, observers and signal handlers included.
 *
 * Returns: seconds
 */
double
c2g_net_benchmark_get_seconds (C2gNetBenchmark *self)
{
  g_return_val_if_fail (C2G_IS_NET_BENCHMARK (self), 0);

  return self->seconds;
}

/* A benchmark that a language made by new has no net. */
static guint
count_operators (C2gNetBenchmark *self)
{
  return self->net != NULL ? c2g_net_get_n_operators (self->net) : 0;
}

static const Figures *
get_figures (C2gNetBenchmark *self,
             guint            position)
{
  static const Figures none = { .flops = -1 };

  g_return_val_if_fail (C2G_IS_NET_BENCHMARK (self), &none);

  return position < count_operators (self) ? &self->figures[position] : &none;
}

/**
 * c2g_net_benchmark_get_operator_seconds:
 * @self: a benchmark
 * @position: which operator, from 0 on
 *
 * Tells how long an operator takes, on average.
 *
 * Returns: seconds, 0 if there is no such operator
 */
double
c2g_net_benchmark_get_operator_seconds (C2gNetBenchmark *self,
                                        guint            position)
{
  return get_figures (self, position)->seconds;
}

/**
 * c2g_net_benchmark_get_operator_flops:
 * @self: a benchmark
 * @position: which operator, from 0 on
 *
 * Tells how many floating-point operations a run of an operator has.
 *
 * Returns: how many, -1 if it is not known or there is no such operator
 */
double
c2g_net_benchmark_get_operator_flops (C2gNetBenchmark *self,
                                      guint            position)
{
  return get_figures (self, position)->flops;
}

/**
 * c2g_net_benchmark_get_operator_bytes:
 * @self: a benchmark
 * @position: which operator, from 0 on
 *
 * Tells how large the tensors are that an operator reads or writes, each counted once.
 *
 * Returns: their bytes, 0 if there is no such operator
 */
guint64
c2g_net_benchmark_get_operator_bytes (C2gNetBenchmark *self,
                                      guint            position)
{
  return get_figures (self, position)->n_bytes;
}

/* Pads by characters, not bytes, so that translated titles stand above their columns. */
static void
append_title (GString    *text,
              const char *title,
              guint       width)
{
  for (glong n = g_utf8_strlen (title, -1); n < (glong) width; n++)
    g_string_append_c (text, ' ');
  g_string_append (text, title);
}

static void
append_titles (GString *text)
{
  append_title (text, _("MS"), 10);
  append_title (text, _("PART"), 9);
  append_title (text, _("MFLOP"), 12);
  append_title (text, _("MB"), 12);
  g_string_append_printf (text, "  %s\n", _("OPERATOR"));
}

static void
append_operator (C2gNetBenchmark *self,
                 guint            position,
                 double           all_seconds,
                 GString         *text)
{
  const Figures *figures = &self->figures[position];
  C2gOperator *op = c2g_net_get_operator (self->net, position);
  const char *name = c2g_operator_get_name (op);
  const char * const *outputs = c2g_operator_def_get_outputs (c2g_operator_peek_def (op));
  double share = all_seconds > 0 ? 100 * figures->seconds / all_seconds : 0;

  g_string_append_printf (text, "%10.4f %7.1f %%", 1000 * figures->seconds, share);
  if (figures->flops >= 0)
    g_string_append_printf (text, " %11.3f", figures->flops / 1e6);
  else
    g_string_append_printf (text, " %11s", "");
  g_string_append_printf (text, " %11.3f  %u %s", (double) figures->n_bytes / 1e6, position,
                          c2g_operator_get_op_type (op));
  if (name != NULL && *name != '\0')
    g_string_append_printf (text, " “%s”", name);
  for (gsize i = 0; outputs[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? " → " : ", ", outputs[i]);
  g_string_append_c (text, '\n');
}

/**
 * c2g_net_benchmark_to_text:
 * @self: a benchmark
 *
 * Writes a table of the operators, in their order, with the blobs that they make, and a line
 * for the net.
 *
 * Returns: (transfer full): lines of text
 */
char *
c2g_net_benchmark_to_text (C2gNetBenchmark *self)
{
  double all_seconds = 0;
  GString *text;

  g_return_val_if_fail (C2G_IS_NET_BENCHMARK (self), NULL);

  text = g_string_new (NULL);
  append_titles (text);
  for (guint i = 0; i < count_operators (self); i++)
    all_seconds += self->figures[i].seconds;
  for (guint i = 0; i < count_operators (self); i++)
    append_operator (self, i, all_seconds, text);
  g_string_append_printf (text, "%10.4f %*s  %s\n", 1000 * self->seconds, 32, "",
                          self->net != NULL ? c2g_net_get_name (self->net) : "");
  return g_string_free (text, FALSE);
}
