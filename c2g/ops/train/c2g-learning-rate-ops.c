/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-rows-private.h>
#include <c2g/ops/train/c2g-optimizer-private.h>

#include <math.h>
#include <string.h>

/* LearningRate: iteration (int64, one element) gives lr = base_lr · policy (iteration), a float
 * without dimensions.
 *
 * LearningRateAdaption: inputs lr, the gradient g and the effective gradient e; with
 * normalized_lr_adaption lr' = lr (1 - lr_alpha cos (g, e)), otherwise lr' = lr - lr_alpha g · e.
 * lr' may be in place.
 *
 * The rules are Caffe2's. On CUDA LearningRate computes on the CPU and writes its result to the
 * device; LearningRateAdaption runs on the CPU only. */

/* Learning rate policies: base_lr is multiplied by a factor of the iteration i. With Caffe2's
 * names:
 *
 * fixed: 1.  step: gamma^⌊i / stepsize⌋.  exp: gamma^i.  inv: (1 + gamma i)^-power.
 * poly: (1 - i / max_iter)^power.
 * gate: multiplier_1 until num_iter, then multiplier_2.  pieceWarmup: m1 until n1, m2 until n2,
 * then m3.
 * linearWarmup: from start_multiplier to 1 in num_iter steps.  constantWarmup: multiplier until
 * num_iter, then 1.
 * hill: linearWarmup, then inv from there on, but at least end_multiplier.
 * slope: multiplier_1 until num_iter_1, then linear to multiplier_2 at num_iter_2.
 * alter: 1 and 0 in turn.  cyclical: triangular cycles of 2 stepsize iterations up to max_lr.
 * cosine: cosine annealing with restarts (SGDR).
 * constantThenLinearWarmup: a constant, then linear to 1.
 * composite: other policies in turn.  compositeCosine, compositeCyclical:
 * constantThenLinearWarmup, then cosine or cyclical. */

#define MAX_NUMBERS 4
#define MAX_COUNTS 3

/* The policy of a learning rate: the factor for the base rate, as a function of the iteration. */
typedef struct _RatePolicy RatePolicy;

typedef float (*Multiply) (const RatePolicy *self,
                           gint64            i);

struct _RatePolicy
{
  Multiply    multiply;
  float       base_rate;
  /* Values of the arguments, in the order of the row in policies. */
  float       numbers[MAX_NUMBERS];
  gint64      counts[MAX_COUNTS];

  /* Composite policies only: their parts; part i starts at iteration parts[i].begin. */
  RatePolicy *parts;
  gsize       n_parts;
  /* A part of the policy composite has these, too. Its rate is multiplied by scale. */
  gint64      begin;
  float       scale;
};

static float
fixed (const RatePolicy *self,
       gint64            i)
{
  return 1;
}

/* counts: length of the active and of the inactive period, and whether the active one is first. */
static float
alter (const RatePolicy *self,
       gint64            i)
{
  const gboolean active_first = self->counts[2] != 0;
  const gint64 first = active_first ? self->counts[0] : self->counts[1];
  const gboolean is_first = i % (self->counts[0] + self->counts[1]) < first;

  return is_first == active_first ? 1 : 0;
}

static float
step (const RatePolicy *self,
      gint64            i)
{
  return powf (self->numbers[0], (float) (i / self->counts[0]));
}

static float
exponential (const RatePolicy *self,
             gint64            i)
{
  return powf (self->numbers[0], (float) i);
}

static float
gate (const RatePolicy *self,
      gint64            i)
{
  return i < self->counts[0] ? self->numbers[0] : self->numbers[1];
}

static float
inverse (const RatePolicy *self,
         gint64            i)
{
  return powf (1 + self->numbers[0] * (float) i, -self->numbers[1]);
}

static float
poly (const RatePolicy *self,
      gint64            i)
{
  return powf (1 - (float) i / (float) self->counts[0], self->numbers[0]);
}

static float
warm_up (float  start,
         gint64 n,
         gint64 i)
{
  return i >= n ? 1 : start + (1 - start) * (float) i / (float) n;
}

static float
linear_warmup (const RatePolicy *self,
               gint64            i)
{
  return warm_up (self->numbers[0], self->counts[0], i);
}

static float
constant_warmup (const RatePolicy *self,
                 gint64            i)
{
  return i >= self->counts[0] ? 1 : self->numbers[0];
}

static float
piece_warmup (const RatePolicy *self,
              gint64            i)
{
  guint at = 0;

  while (at < 2 && i >= self->counts[at])
    at++;
  return self->numbers[at];
}

/* Linear warm-up, then inverse decay with a lower bound. */
static float
hill (const RatePolicy *self,
      gint64            i)
{
  if (i < self->counts[0])
    return warm_up (self->numbers[0], self->counts[0], i);
  return fmaxf (self->numbers[3], powf (1 + self->numbers[1] * (float) (i - self->counts[0]),
                                        -self->numbers[2]));
}

static float
slope (const RatePolicy *self,
       gint64            i)
{
  const float first = self->numbers[0], second = self->numbers[1];
  const gint64 begin = self->counts[0], end = self->counts[1];

  if (i < begin)
    return first;
  if (i >= end)
    return second;
  return first + (second - first) * (float) (i - begin) / (float) (end - begin);
}

static float
cycle (float  base_rate,
       float  max_rate,
       float  decay,
       gint64 n,
       gint64 i)
{
  const gint64 n_cycles = i / 2 / n;
  const float x = fabsf ((float) i / (float) n - 2 * (float) (n_cycles + 1) + 1);

  return 1 + (fabsf (max_rate) / fabsf (base_rate) - 1) * fmaxf (0, 1 - x) *
             powf (decay, (float) n_cycles);
}

static float
cyclical (const RatePolicy *self,
          gint64            i)
{
  return cycle (self->base_rate, self->numbers[0], self->numbers[1], self->counts[0], i);
}

/* numbers: largest and smallest factor, growth of the period and of the factors per restart. */
static float
cosine_of (const float *numbers,
           gint64       period,
           gint64       i)
{
  const double factor = numbers[2];
  double n, length = (double) period, at = (double) i, shrink, least, largest;

  if (numbers[2] != 1)
    {
      n = floor (log (1 - at / length * (1 - factor)) / log (factor));
      at -= (1 - pow (factor, n)) / (1 - factor) * length;
      length *= pow (factor, n);
    }
  else
    {
      n = floor (at / length);
      at -= length * n;
    }

  shrink = pow (numbers[3], n);
  least = numbers[1] * shrink;
  largest = numbers[0] * shrink;
  return (float) (least + 0.5 * (largest - least) * (1 + cos (G_PI * at / length)));
}

static float
cosine (const RatePolicy *self,
        gint64            i)
{
  return cosine_of (self->numbers, self->counts[0], i);
}

/* Constant warm-up, then linear growth to 1. */
static float
constant_then_linear (const RatePolicy *self,
                      gint64            i)
{
  return i < self->counts[0] ? self->numbers[0]
                             : warm_up (self->numbers[0], self->counts[1], i - self->counts[0]);
}

/* Each part gets i itself, as in Caffe2, so its own first iteration is not 0. */
static float
composite (const RatePolicy *self,
           gint64            i)
{
  gsize at = 0;

  while (at + 1 < self->n_parts && i >= self->parts[at + 1].begin)
    at++;
  return self->parts[at].multiply (&self->parts[at], i) * self->parts[at].scale;
}

/* Warm-up, then another policy that counts iterations from there. There are exactly two parts. */
static float
warm_up_then (const RatePolicy *self,
              gint64            i)
{
  const RatePolicy *rest = &self->parts[1];

  return i < rest->begin ? constant_then_linear (&self->parts[0], i)
                         : rest->multiply (rest, i - rest->begin);
}

/* A policy by its name, with the arguments that its function reads from numbers and counts. */
typedef struct
{
  const char              *name;
  Multiply                 multiply;
  const C2gKernelArgument *arguments;
} Policy;

/* Upper bound of counts, so that sums of two do not overflow. */
#define MAX_COUNT (G_GINT64_CONSTANT (1) << 61)

#define NUMBER(i, name, value, range)                                                              \
  C2G_ARG_FLOAT (RatePolicy, numbers[i], name, value, NUMBER_##range)
#define NUMBER_ANY C2G_RANGE (0, 0)
#define NUMBER_POSITIVE C2G_AT_LEAST (C2G_ABOVE_0)
#define NUMBER_NOT_NEGATIVE C2G_AT_LEAST (0)
#define NUMBER_FRACTION C2G_RANGE (0, 1)

#define COUNT(i, name, value, range)                                                               \
  C2G_ARG_INT (RatePolicy, counts[i], name, value, COUNT_##range)
#define COUNT_ANY C2G_RANGE (-INFINITY, MAX_COUNT)
#define COUNT_POSITIVE C2G_RANGE (1, MAX_COUNT)
#define COUNT_NOT_NEGATIVE C2G_RANGE (0, MAX_COUNT)

/* clang-format off */
static const Policy policies[] = {
  { "fixed", fixed, C2G_ARGS ({ 0 }) },
  { "alter", alter,
    C2G_ARGS (COUNT (0, "active_period", -1, NOT_NEGATIVE),
              COUNT (1, "inactive_period", -1, NOT_NEGATIVE),
              COUNT (2, "active_first", 1, ANY)) },
  { "hill", hill,
    C2G_ARGS (NUMBER (0, "start_multiplier", 0, FRACTION),
              NUMBER (1, "gamma", 0, POSITIVE),
              NUMBER (2, "power", 0, POSITIVE),
              NUMBER (3, "end_multiplier", 0, FRACTION),
              COUNT (0, "num_iter", 0, POSITIVE)) },
  { "slope", slope,
    C2G_ARGS (NUMBER (0, "multiplier_1", 0, ANY),
              NUMBER (1, "multiplier_2", 0, ANY),
              COUNT (0, "num_iter_1", 0, POSITIVE),
              COUNT (1, "num_iter_2", 0, POSITIVE)) },
  { "step", step,
    C2G_ARGS (NUMBER (0, "gamma", 0, POSITIVE),
              COUNT (0, "stepsize", 0, POSITIVE)) },
  { "exp", exponential,
    C2G_ARGS (NUMBER (0, "gamma", 0, POSITIVE)) },
  { "gate", gate,
    C2G_ARGS (NUMBER (0, "multiplier_1", 1, ANY),
              NUMBER (1, "multiplier_2", 1, ANY),
              COUNT (0, "num_iter", 0, ANY)) },
  { "inv", inverse,
    C2G_ARGS (NUMBER (0, "gamma", 0, POSITIVE),
              NUMBER (1, "power", 0, POSITIVE)) },
  { "poly", poly,
    C2G_ARGS (NUMBER (0, "power", 0, POSITIVE),
              COUNT (0, "max_iter", -1, POSITIVE)) },
  { "linearWarmup", linear_warmup,
    C2G_ARGS (NUMBER (0, "start_multiplier", 0, NOT_NEGATIVE),
              COUNT (0, "num_iter", 0, ANY)) },
  { "constantWarmup", constant_warmup,
    C2G_ARGS (NUMBER (0, "multiplier", 0.5, POSITIVE),
              COUNT (0, "num_iter", 0, ANY)) },
  { "pieceWarmup", piece_warmup,
    C2G_ARGS (NUMBER (0, "m1", 0.5, ANY),
              NUMBER (1, "m2", 0.5, ANY),
              NUMBER (2, "m3", 0.5, ANY),
              COUNT (0, "n1", 0, ANY),
              COUNT (1, "n2", 0, ANY)) },
  { "cyclical", cyclical,
    C2G_ARGS (NUMBER (0, "max_lr", 0.005, ANY),
              NUMBER (1, "decay", 1, ANY),
              COUNT (0, "stepsize", 0, POSITIVE)) },
  { "cosine", cosine,
    C2G_ARGS (NUMBER (0, "max_lr", 0.5, ANY),
              NUMBER (1, "min_lr", 0.1, ANY),
              NUMBER (2, "t_mult", 1, POSITIVE),
              NUMBER (3, "lr_shrink", 0.99, ANY),
              COUNT (0, "period", 50, POSITIVE)) },
  { "constantThenLinearWarmup", constant_then_linear,
    C2G_ARGS (NUMBER (0, "start_warmup_multiplier", 0.1, ANY),
              COUNT (0, "constant_warmup_num_iter", 10000000, NOT_NEGATIVE),
              COUNT (1, "linear_warmup_num_iter", 10000000, NOT_NEGATIVE)) },
};

/* The policies that follow a warm-up: their arguments have a prefix. */
static const Policy cosine_after =
  { "compositeCosine", cosine,
    C2G_ARGS (NUMBER (0, "cosine_max_lr", 0.5, ANY),
              NUMBER (1, "cosine_min_lr", 0.1, ANY),
              NUMBER (2, "cosine_t_mult", 1, POSITIVE),
              NUMBER (3, "cosine_lr_shrink", 0.99, ANY),
              COUNT (0, "cosine_period", 50, POSITIVE)) };
static const Policy cyclical_after =
  { "compositeCyclical", cyclical,
    C2G_ARGS (NUMBER (0, "cyclical_max_lr", 0.05, ANY),
              NUMBER (1, "cyclical_decay", 1, ANY),
              COUNT (0, "cyclical_step_size", 1000000, POSITIVE)) };
/* clang-format on */

static void
read_parameters (RatePolicy   *self,
                 C2gArguments *arguments,
                 const char   *prefix,
                 const Policy *policy)
{
  self->multiply = policy->multiply;
  c2g_arguments_read_prefixed (arguments, prefix, policy->arguments, self);
}

/* Checks arguments that depend on each other. */
static void
check_together (const RatePolicy *self,
                C2gArguments     *arguments)
{
  if (arguments->error != NULL)
    return;
  if (self->multiply == alter)
    c2g_arguments_check (arguments, "active_period", self->counts[0],
                         self->counts[0] + self->counts[1] > 0);
  else if (self->multiply == slope)
    c2g_arguments_check (arguments, "num_iter_2", self->counts[1],
                         self->counts[1] > self->counts[0]);
}

static const Policy *
find_policy (C2gArguments *arguments,
             const char   *name)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (arguments->error != NULL)
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      if (strcmp (policies[i].name, name) == 0)
        return &policies[i];
      g_string_append_printf (names, "%s%s", i > 0 ? _(", ") : "", policies[i].name);
    }

  g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("There is no policy “%s” for rates of learning, there are: %s"), name, names->str);
  return NULL;
}

static void
read_named (RatePolicy   *self,
            C2gArguments *arguments,
            const char   *prefix,
            const char   *name)
{
  const Policy *policy = find_policy (arguments, name);

  if (policy == NULL)
    return;
  read_parameters (self, arguments, prefix, policy);
  check_together (self, arguments);
}

static void
add_parts (RatePolicy *self,
           gsize       n_parts)
{
  self->parts = g_new0 (RatePolicy, n_parts);
  self->n_parts = n_parts;
  for (gsize i = 0; i < n_parts; i++)
    self->parts[i].base_rate = self->base_rate;
}

static void
read_composite (RatePolicy   *self,
                C2gArguments *arguments)
{
  gsize n = 0;
  const gint64 *lengths = c2g_arguments_ints (arguments, "sub_policy_num_iters", &n);
  gint64 begin = 1;

  if (arguments->error != NULL)
    return;
  c2g_arguments_check (arguments, "sub_policy_num_iters", 0, n > 0);
  self->multiply = composite;
  add_parts (self, n);

  for (gsize i = 0; i < n && arguments->error == NULL; i++)
    {
      g_autofree char *prefix = g_strdup_printf ("sub_policy_%zu_", i);
      g_autofree char *policy = g_strconcat (prefix, "policy", NULL);
      g_autofree char *scale = g_strconcat (prefix, "lr_scale", NULL);
      RatePolicy *part = &self->parts[i];

      part->begin = begin;
      c2g_arguments_check (arguments, "sub_policy_num_iters", lengths[i],
                           lengths[i] > 0 &&
                             !__builtin_add_overflow (begin, lengths[i], &begin));
      part->scale = c2g_arguments_float (arguments, scale, 1);
      read_named (part, arguments, prefix, c2g_arguments_string (arguments, policy, ""));
    }
}

static void
read_after_warmup (RatePolicy   *self,
                   C2gArguments *arguments,
                   const Policy *rest)
{
  self->multiply = warm_up_then;
  add_parts (self, 2);
  read_named (&self->parts[0], arguments, "", "constantThenLinearWarmup");
  read_parameters (&self->parts[1], arguments, "", rest);
  self->parts[1].begin = self->parts[0].counts[0] + self->parts[0].counts[1];
}

static void
policy_free (RatePolicy *self)
{
  g_free (self->parts);
  g_free (self);
}

static RatePolicy *
policy_new (C2gArguments *arguments,
            float         base_rate)
{
  const char *name = c2g_arguments_string (arguments, "policy", "");
  RatePolicy *self = g_new0 (RatePolicy, 1);

  self->base_rate = base_rate;
  if (strcmp (name, "composite") == 0)
    read_composite (self, arguments);
  else if (strcmp (name, cosine_after.name) == 0)
    read_after_warmup (self, arguments, &cosine_after);
  else if (strcmp (name, cyclical_after.name) == 0)
    read_after_warmup (self, arguments, &cyclical_after);
  else
    read_named (self, arguments, "", name);

  if (arguments->error != NULL)
    g_clear_pointer (&self, policy_free);
  return self;
}

static float
policy_get (const RatePolicy *self,
            gint64            iteration)
{
  return self->multiply (self, iteration);
}

/* LearningRate */

typedef struct
{
  float          base_rate;
  RatePolicy *policy;
} RateState;

static gboolean
rate_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  RateState *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  self->policy = policy_new (&arguments, self->base_rate);
  return c2g_arguments_finish (&arguments, error);
}

static void
rate_clear (gpointer state)
{
  RateState *self = state;

  g_clear_pointer (&self->policy, policy_free);
}

static gboolean
rate_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  RateState *self = state;
  C2gTensor *output;
  gint64 iteration;
  float rate;

  if (!c2g_optimizer_iteration (op, 0, &iteration, error))
    return FALSE;
  output = c2g_operator_output (op, 0, NULL, 0, C2G_DATA_TYPE_FLOAT, error);
  if (output == NULL)
    return FALSE;

  rate = self->base_rate * policy_get (self->policy, iteration);
  if (c2g_operator_get_compute (op) != NULL)
    return c2g_on_device_write (op, &rate, sizeof rate, c2g_tensor_address (output), error);
  *(float *) c2g_tensor_address (output) = rate;
  return TRUE;
}

/* LearningRateAdaption */

typedef struct
{
  float    alpha;
  gboolean is_normalized;
} AdaptionState;

static float
adapt (const AdaptionState *self,
       float                rate,
       const float         *gradients,
       const float         *effective,
       gsize                n)
{
  const float least = 1e-12f;
  const float product = c2g_row_dot (gradients, 0, effective, n);
  float length, effective_length;

  if (!self->is_normalized)
    return rate - self->alpha * product;

  length = fmaxf (sqrtf (c2g_row_square_sum (gradients, 0, n)), least);
  effective_length = fmaxf (sqrtf (c2g_row_square_sum (effective, 0, n)), least);
  return rate * (1 - self->alpha * product / (length * effective_length));
}

static gboolean
adaption_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  C2gTensor *gradients = c2g_operator_input (op, 1, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *effective, *like, *output;
  float rate;

  effective = gradients != NULL
                ? c2g_operator_input_sized (op, 2, C2G_DATA_TYPE_FLOAT, gradients->n_elements, error)
                : NULL;
  if (effective == NULL || !c2g_optimizer_rate (op, 0, &rate, error))
    return FALSE;
  like = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  output = like != NULL ? c2g_operator_output_like (op, 0, like, C2G_DATA_TYPE_FLOAT, error)
                        : NULL;
  if (output == NULL)
    return FALSE;

  *(float *) c2g_tensor_address (output) =
    adapt (state, rate, c2g_tensor_address (gradients), c2g_tensor_address (effective),
           gradients->n_elements);
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "LearningRate",
    .min_inputs = 1,
    .max_inputs = 1,
    .min_outputs = 1,
    .max_outputs = 1,
    .arguments = C2G_ARGS (
      C2G_ARG_FLOAT (RateState, base_rate, "base_lr", 0, C2G_REQUIRED),
      C2G_ARG_READ ("policy", C2G_REQUIRED),
      C2G_ARG_READ ("active_first active_period constant_warmup_num_iter cosine_lr_shrink "
                    "cosine_max_lr cosine_min_lr cosine_period cosine_t_mult cyclical_decay "
                    "cyclical_max_lr cyclical_step_size decay end_multiplier gamma inactive_period "
                    "linear_warmup_num_iter lr_scale lr_shrink m1 m2 m3 max_iter max_lr min_lr "
                    "multiplier multiplier_1 multiplier_2 n1 n2 num_iter num_iter_1 num_iter_2 "
                    "period power start_multiplier start_warmup_multiplier stepsize sub_policy_* "
                    "sub_policy_num_iters t_mult")),
    .state_size = sizeof (RateState),
    .set_up = rate_set_up,
    .run = rate_run,
    .infer = rate_run,
    .clear = rate_clear,
    .is_for_devices = TRUE,
    .summary = "The learning rate of an iteration",
  },
  {
    .type = "LearningRateAdaption",
    .min_inputs = 3,
    .max_inputs = 3,
    .min_outputs = 1,
    .max_outputs = 1,
    .in_place = "0>0",
    .arguments = C2G_ARGS (C2G_ARG_FLOAT (AdaptionState, alpha, "lr_alpha", 0.01),
                           C2G_ARG_BOOLEAN (AdaptionState, is_normalized, "normalized_lr_adaption",
                                            TRUE)),
    .state_size = sizeof (AdaptionState),
    .run = adaption_run,
    .infer = adaption_run,
    .summary = "Adapts the learning rate to the direction of gradients",
  },
};

C2G_OPS_FAMILY (learning_rate);
