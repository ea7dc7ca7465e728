/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-execution-step-private.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/def/c2g-def-list-private.h>
#include <c2g/def/c2g-def-private.h>

/**
 * C2gExecutionStep:
 *
 * A part of a plan: the nets or substeps to run, how often, and when to stop.
 *
 * A step has either the names of nets of the [class@PlanDef], or substeps.
 *
 * ```python
 * step = C2g.ExecutionStep(name='train', networks=['forward', 'update'], n_iterations=100)
 * plan.add_step(step)
 * ```
 *
 * Steps are held by reference: one that is changed is changed wherever it is.
 *
 * ## Threads
 *
 * A step belongs to one thread at a time. As long as nobody changes it, several threads can
 * read it.
 */

enum
{
  PROP_0,
  PROP_NAME,
  PROP_CRITERIA_NETWORK,
  PROP_REPORT_NET,
  PROP_SHOULD_STOP_BLOB,
  PROP_N_ITERATIONS,
  PROP_REPORT_INTERVAL,
  PROP_RUN_EVERY_MS,
  PROP_N_CONCURRENT_INSTANCES,
  PROP_CONCURRENT_SUBSTEPS,
  PROP_ONLY_ONCE,
  PROP_CREATE_WORKSPACE,
  PROP_NETWORKS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gExecutionStep, c2g_execution_step, G_TYPE_OBJECT)

static const C2gProperty rows[N_PROPS] = {
  [PROP_NAME] = C2G_PROPERTY_FIELD (C2gExecutionStep, message.name),
  [PROP_CRITERIA_NETWORK] = C2G_PROPERTY_FIELD (C2gExecutionStep, message.criteria_network),
  [PROP_REPORT_NET] = C2G_PROPERTY_FIELD (C2gExecutionStep, message.report_net),
  [PROP_SHOULD_STOP_BLOB] = C2G_PROPERTY_FIELD (C2gExecutionStep, message.should_stop_blob),
  [PROP_N_ITERATIONS] = C2G_PROPERTY (c2g_execution_step, n_iterations),
  [PROP_REPORT_INTERVAL] = C2G_PROPERTY (c2g_execution_step, report_interval),
  [PROP_RUN_EVERY_MS] = C2G_PROPERTY (c2g_execution_step, run_every_ms),
  [PROP_N_CONCURRENT_INSTANCES] = C2G_PROPERTY (c2g_execution_step, n_concurrent_instances),
  [PROP_CONCURRENT_SUBSTEPS] = C2G_PROPERTY (c2g_execution_step, concurrent_substeps),
  [PROP_ONLY_ONCE] = C2G_PROPERTY (c2g_execution_step, only_once),
  [PROP_CREATE_WORKSPACE] = C2G_PROPERTY (c2g_execution_step, create_workspace),
  [PROP_NETWORKS] = C2G_PROPERTY (c2g_execution_step, networks),
};

#define GETTER(type, name, field)     C2G_DEFINE_GETTER (C2gExecutionStep, c2g_execution_step, C2G_IS_EXECUTION_STEP, type, name, field)
#define SETTER(type, name, field, id) C2G_DEFINE_SETTER (C2gExecutionStep, c2g_execution_step, C2G_IS_EXECUTION_STEP, type, name, field, props[PROP_##id])

static void
c2g_execution_step_finalize (GObject *object)
{
  C2gExecutionStep *self = C2G_EXECUTION_STEP (object);

  c2g_execution_step_leave (self);
  g_ptr_array_unref (self->parents);

  c2g_def_finalize (object);
}

static void
install_texts (GParamFlags flags)
{
  /**
   * C2gExecutionStep:name: (getter get_name) (setter set_name)
   *
   * The name of the step in messages.
   */
  props[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  /**
   * C2gExecutionStep:criteria-network: (getter get_criteria_network) (setter set_criteria_network)
   *
   * The name of a net whose first output tells whether to continue.
   *
   * Newer versions of Caffe2 have [property@ExecutionStep:should-stop-blob] instead.
   */
  props[PROP_CRITERIA_NETWORK] = g_param_spec_string ("criteria-network", NULL, NULL, NULL, flags);

  /**
   * C2gExecutionStep:report-net: (getter get_report_net) (setter set_report_net)
   *
   * The name of a net that is run from time to time.
   *
   * It needs a [property@ExecutionStep:report-interval].
   *
   * Newer versions of Caffe2 have [property@ExecutionStep:run-every-ms] instead.
   */
  props[PROP_REPORT_NET] = g_param_spec_string ("report-net", NULL, NULL, NULL, flags);

  /**
   * C2gExecutionStep:should-stop-blob: (getter get_should_stop_blob) (setter set_should_stop_blob)
   *
   * The name of a blob that ends the step.
   *
   * The blob is a boolean that is read after each net and each substep. The step is repeated
   * while it is false. A step with it cannot have [property@ExecutionStep:n-iterations].
   */
  props[PROP_SHOULD_STOP_BLOB] = g_param_spec_string ("should-stop-blob", NULL, NULL, NULL, flags);

  /**
   * C2gExecutionStep:networks: (getter get_networks) (setter set_networks)
   *
   * The names of the nets that the step runs, one after the other.
   *
   * A step that has nets cannot have steps, too.
   */
  props[PROP_NETWORKS] = g_param_spec_boxed ("networks", NULL, NULL, G_TYPE_STRV, flags);
}

static void
install_numbers (GParamFlags flags)
{
  /**
   * C2gExecutionStep:n-iterations: (getter get_n_iterations) (setter set_n_iterations)
   *
   * The number of iterations, or -1 if it is not set.
   *
   * Without a number the step runs once, or until [property@ExecutionStep:should-stop-blob]
   * ends it. A step with that blob cannot have a number.
   */
  props[PROP_N_ITERATIONS] =
    g_param_spec_int64 ("n-iterations", NULL, NULL, -1, G_MAXINT64, -1, flags);

  /**
   * C2gExecutionStep:report-interval: (getter get_report_interval) (setter set_report_interval)
   *
   * The interval in seconds at which [property@ExecutionStep:report-net] is run.
   */
  props[PROP_REPORT_INTERVAL] =
    g_param_spec_int ("report-interval", NULL, NULL, 0, G_MAXINT, 0, flags);

  /**
   * C2gExecutionStep:run-every-ms: (getter get_run_every_ms) (setter set_run_every_ms)
   *
   * The interval in milliseconds at which the step is run concurrently to other steps.
   *
   * The step runs in its own thread while the other steps run, and once more at their end.
   * With 0 it runs in sequence.
   */
  props[PROP_RUN_EVERY_MS] =
    g_param_spec_int64 ("run-every-ms", NULL, NULL, 0, G_MAXINT64, 0, flags);

  /**
   * C2gExecutionStep:n-concurrent-instances: (getter get_n_concurrent_instances) (setter set_n_concurrent_instances)
   *
   * The number of instances of the step that run at the same time, each in a thread.
   *
   * Each has its own workspace if [property@ExecutionStep:create-workspace] is set. Blobs of
   * the parent workspaces are still shared, without protection against concurrent writes.
   * Without it the instances share the workspace of the parent step. Then only substeps with
   * workspaces of their own may run nets, because a net cannot run twice at the same time. 0
   * means one instance.
   */
  props[PROP_N_CONCURRENT_INSTANCES] =
    g_param_spec_int ("n-concurrent-instances", NULL, NULL, 0, G_MAXINT, 0, flags);
}

static void
install_truths (GParamFlags flags)
{
  /**
   * C2gExecutionStep:concurrent-substeps: (getter get_concurrent_substeps) (setter set_concurrent_substeps)
   *
   * Whether the steps in this one run at the same time, each in a thread.
   */
  props[PROP_CONCURRENT_SUBSTEPS] =
    g_param_spec_boolean ("concurrent-substeps", NULL, NULL, FALSE, flags);

  /**
   * C2gExecutionStep:only-once: (getter get_only_once) (setter set_only_once)
   *
   * Whether the step runs only once where a blob would end it.
   *
   * It needs [property@ExecutionStep:should-stop-blob]; without that it is an error.
   */
  props[PROP_ONLY_ONCE] =
    g_param_spec_boolean ("only-once", NULL, NULL, FALSE, flags);

  /**
   * C2gExecutionStep:create-workspace: (getter get_create_workspace) (setter set_create_workspace)
   *
   * Whether the step gets a workspace of its own.
   *
   * Its parent is the one that the plan runs in.
   */
  props[PROP_CREATE_WORKSPACE] =
    g_param_spec_boolean ("create-workspace", NULL, NULL, FALSE, flags);
}

static void
c2g_execution_step_class_init (C2gExecutionStepClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_execution_step_finalize;

  install_texts (flags);
  install_numbers (flags);
  install_truths (flags);
  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_execution_step_init (C2gExecutionStep *self)
{
  caffe2__execution_step__init (&self->message);
  self->parents = g_ptr_array_new ();
}

static void
set_truth (C2gExecutionStep   *self,
           protobuf_c_boolean *has_field,
           protobuf_c_boolean *field,
           gboolean            value,
           GParamSpec         *pspec)
{
  if (!value == !(*has_field && *field))
    return;

  *has_field = TRUE;
  *field = !!value;
  g_object_notify_by_pspec (G_OBJECT (self), pspec);
}

/**
 * c2g_execution_step_new:
 * @name: (nullable): what the step is called
 *
 * Makes a step that does nothing.
 *
 * Returns: (transfer full): a new step
 */
C2gExecutionStep *
c2g_execution_step_new (const char *name)
{
  return g_object_new (C2G_TYPE_EXECUTION_STEP, "name", name, NULL);
}

/**
 * c2g_execution_step_get_name: (get-property name)
 * @self: a step
 *
 * Gets the name of the step.
 *
 * Returns: (transfer none) (nullable): the name
 */
GETTER (const char *, name, message.name)

/**
 * c2g_execution_step_set_name: (set-property name)
 * @self: a step
 * @name: (nullable): the name
 *
 * Sets the name of the step.
 */
SETTER (const char *, name, message.name, NAME)

/**
 * c2g_execution_step_get_criteria_network: (get-property criteria-network)
 * @self: a step
 *
 * Gets the name of the net that decides whether to continue.
 *
 * Returns: (transfer none) (nullable): the name of a net
 */
GETTER (const char *, criteria_network, message.criteria_network)

/**
 * c2g_execution_step_set_criteria_network: (set-property criteria-network)
 * @self: a step
 * @criteria_network: (nullable): the name of a net
 *
 * Sets the name of the net that decides whether to continue.
 */
SETTER (const char *, criteria_network, message.criteria_network, CRITERIA_NETWORK)

/**
 * c2g_execution_step_get_report_net: (get-property report-net)
 * @self: a step
 *
 * Gets the name of the report net.
 *
 * Returns: (transfer none) (nullable): the name of a net
 */
GETTER (const char *, report_net, message.report_net)

/**
 * c2g_execution_step_set_report_net: (set-property report-net)
 * @self: a step
 * @report_net: (nullable): the name of a net
 *
 * Sets the name of the report net.
 */
SETTER (const char *, report_net, message.report_net, REPORT_NET)

/**
 * c2g_execution_step_get_should_stop_blob: (get-property should-stop-blob)
 * @self: a step
 *
 * Gets the name of the blob that ends the step.
 *
 * Returns: (transfer none) (nullable): the name of a blob
 */
GETTER (const char *, should_stop_blob, message.should_stop_blob)

/**
 * c2g_execution_step_set_should_stop_blob: (set-property should-stop-blob)
 * @self: a step
 * @should_stop_blob: (nullable): the name of a blob
 *
 * Sets the name of the blob that ends the step.
 */
SETTER (const char *, should_stop_blob, message.should_stop_blob, SHOULD_STOP_BLOB)

/**
 * c2g_execution_step_get_n_iterations: (get-property n-iterations)
 * @self: a step
 *
 * Gets the number of iterations.
 *
 * Returns: the number, or -1 if it is not set
 */
gint64
c2g_execution_step_get_n_iterations (C2gExecutionStep *self)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), -1);

  if (!self->message.has_num_iter)
    return -1;
  return MAX (self->message.num_iter, 0);
}

/**
 * c2g_execution_step_set_n_iterations: (set-property n-iterations)
 * @self: a step
 * @n_iterations: the number, or -1 if it is not set
 *
 * Sets the number of iterations.
 */
void
c2g_execution_step_set_n_iterations (C2gExecutionStep *self,
                                     gint64            n_iterations)
{
  g_return_if_fail (C2G_IS_EXECUTION_STEP (self));
  g_return_if_fail (n_iterations >= -1);

  if (n_iterations == c2g_execution_step_get_n_iterations (self))
    return;

  self->message.has_num_iter = n_iterations >= 0;
  self->message.num_iter = MAX (n_iterations, 0);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_ITERATIONS]);
}

/**
 * c2g_execution_step_get_report_interval: (get-property report-interval)
 * @self: a step
 *
 * Gets the interval at which the report net is run.
 *
 * Returns: seconds, or 0 if it is not set
 */
int
c2g_execution_step_get_report_interval (C2gExecutionStep *self)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), 0);

  if (!self->message.has_report_interval)
    return 0;
  return MAX (self->message.report_interval, 0);
}

/**
 * c2g_execution_step_set_report_interval: (set-property report-interval)
 * @self: a step
 * @report_interval: seconds, or 0 if it is not set
 *
 * Sets the interval at which the report net is run.
 */
void
c2g_execution_step_set_report_interval (C2gExecutionStep *self,
                                        int               report_interval)
{
  g_return_if_fail (C2G_IS_EXECUTION_STEP (self));
  g_return_if_fail (report_interval >= 0);

  if (report_interval == c2g_execution_step_get_report_interval (self))
    return;

  self->message.has_report_interval = report_interval > 0;
  self->message.report_interval = report_interval;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REPORT_INTERVAL]);
}

/**
 * c2g_execution_step_get_run_every_ms: (get-property run-every-ms)
 * @self: a step
 *
 * Gets the interval at which the step runs concurrently to others.
 *
 * Returns: milliseconds, or 0 if it runs in its turn
 */
gint64
c2g_execution_step_get_run_every_ms (C2gExecutionStep *self)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), 0);

  if (!self->message.has_run_every_ms)
    return 0;
  return MAX (self->message.run_every_ms, 0);
}

/**
 * c2g_execution_step_set_run_every_ms: (set-property run-every-ms)
 * @self: a step
 * @run_every_ms: milliseconds, or 0 if it runs in its turn
 *
 * Sets the interval at which the step runs concurrently to others.
 */
void
c2g_execution_step_set_run_every_ms (C2gExecutionStep *self,
                                     gint64            run_every_ms)
{
  g_return_if_fail (C2G_IS_EXECUTION_STEP (self));
  g_return_if_fail (run_every_ms >= 0);

  if (run_every_ms == c2g_execution_step_get_run_every_ms (self))
    return;

  self->message.has_run_every_ms = run_every_ms > 0;
  self->message.run_every_ms = run_every_ms;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RUN_EVERY_MS]);
}

/**
 * c2g_execution_step_get_n_concurrent_instances: (get-property n-concurrent-instances)
 * @self: a step
 *
 * Gets the number of instances that run at the same time.
 *
 * Returns: the number, or 0 if it is not set
 */
int
c2g_execution_step_get_n_concurrent_instances (C2gExecutionStep *self)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), 0);

  if (!self->message.has_num_concurrent_instances)
    return 0;
  return MAX (self->message.num_concurrent_instances, 0);
}

/**
 * c2g_execution_step_set_n_concurrent_instances: (set-property n-concurrent-instances)
 * @self: a step
 * @n_concurrent_instances: the number, or 0 if it is not set
 *
 * Sets the number of instances that run at the same time.
 */
void
c2g_execution_step_set_n_concurrent_instances (C2gExecutionStep *self,
                                               int               n_concurrent_instances)
{
  g_return_if_fail (C2G_IS_EXECUTION_STEP (self));
  g_return_if_fail (n_concurrent_instances >= 0);

  if (n_concurrent_instances == c2g_execution_step_get_n_concurrent_instances (self))
    return;

  self->message.has_num_concurrent_instances = n_concurrent_instances > 0;
  self->message.num_concurrent_instances = n_concurrent_instances;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_CONCURRENT_INSTANCES]);
}

/**
 * c2g_execution_step_get_concurrent_substeps: (get-property concurrent-substeps)
 * @self: a step
 *
 * Gets whether the steps in this one run at the same time.
 *
 * Returns: whether the steps in this one run at the same time
 */
gboolean
c2g_execution_step_get_concurrent_substeps (C2gExecutionStep *self)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), FALSE);

  return self->message.has_concurrent_substeps && self->message.concurrent_substeps;
}

/**
 * c2g_execution_step_set_concurrent_substeps: (set-property concurrent-substeps)
 * @self: a step
 * @concurrent_substeps: whether the steps in this one run at the same time
 *
 * Sets whether the steps in this one run at the same time.
 *
 * Their nets may read the same blobs and update them in place. But no two of them may write
 * the same blob otherwise: one could free the memory while the other uses it.
 */
void
c2g_execution_step_set_concurrent_substeps (C2gExecutionStep *self,
                                            gboolean          concurrent_substeps)
{
  g_return_if_fail (C2G_IS_EXECUTION_STEP (self));

  set_truth (self, &self->message.has_concurrent_substeps, &self->message.concurrent_substeps, concurrent_substeps,
             props[PROP_CONCURRENT_SUBSTEPS]);
}

/**
 * c2g_execution_step_get_only_once: (get-property only-once)
 * @self: a step
 *
 * Gets whether the step runs only once.
 *
 * Returns: whether the step runs only once
 */
gboolean
c2g_execution_step_get_only_once (C2gExecutionStep *self)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), FALSE);

  return self->message.has_only_once && self->message.only_once;
}

/**
 * c2g_execution_step_set_only_once: (set-property only-once)
 * @self: a step
 * @only_once: whether the step runs only once
 *
 * Sets whether the step runs only once.
 */
void
c2g_execution_step_set_only_once (C2gExecutionStep *self,
                                  gboolean          only_once)
{
  g_return_if_fail (C2G_IS_EXECUTION_STEP (self));

  set_truth (self, &self->message.has_only_once, &self->message.only_once, only_once,
             props[PROP_ONLY_ONCE]);
}

/**
 * c2g_execution_step_get_create_workspace: (get-property create-workspace)
 * @self: a step
 *
 * Gets whether the step gets a workspace of its own.
 *
 * Returns: whether the step gets a workspace of its own
 */
gboolean
c2g_execution_step_get_create_workspace (C2gExecutionStep *self)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), FALSE);

  return self->message.has_create_workspace && self->message.create_workspace;
}

/**
 * c2g_execution_step_set_create_workspace: (set-property create-workspace)
 * @self: a step
 * @create_workspace: whether the step gets a workspace of its own
 *
 * Sets whether the step gets a workspace of its own.
 */
void
c2g_execution_step_set_create_workspace (C2gExecutionStep *self,
                                         gboolean          create_workspace)
{
  g_return_if_fail (C2G_IS_EXECUTION_STEP (self));

  set_truth (self, &self->message.has_create_workspace, &self->message.create_workspace, create_workspace,
             props[PROP_CREATE_WORKSPACE]);
}

/**
 * c2g_execution_step_get_networks: (get-property networks)
 * @self: a step
 *
 * Gets the names of the nets that the step runs.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names, until they are changed
 */
const char *const *
c2g_execution_step_get_networks (C2gExecutionStep *self)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), NULL);

  return c2g_names_get (self->message.network);
}

/**
 * c2g_execution_step_set_networks: (set-property networks)
 * @self: a step
 * @networks: (nullable) (array zero-terminated=1): the names, or `NULL` for none
 *
 * Sets the names of the nets that the step runs.
 */
void
c2g_execution_step_set_networks (C2gExecutionStep  *self,
                                 const char *const *networks)
{
  g_return_if_fail (C2G_IS_EXECUTION_STEP (self));

  c2g_names_set (self, &self->message.network, &self->message.n_network, networks,
                 props[PROP_NETWORKS]);
}

/**
 * c2g_execution_step_add_network:
 * @self: a step
 * @name: the name of a net
 *
 * Adds a name at the end of [property@ExecutionStep:networks].
 */
void
c2g_execution_step_add_network (C2gExecutionStep *self,
                                const char       *name)
{
  g_return_if_fail (C2G_IS_EXECUTION_STEP (self));
  g_return_if_fail (name != NULL);

  c2g_names_add (self, &self->message.network, &self->message.n_network, name,
                 props[PROP_NETWORKS]);
}
