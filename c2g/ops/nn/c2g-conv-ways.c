/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/nn/c2g-conv-dnnl-private.h>

#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/core/types/c2g-tuning-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

#include <math.h>
#include <string.h>

/* The ways to compute a convolution on the CPU, and the choice among them. A rule chooses, unless
 * the fastest way is known from a file, or is measured: c2g_settings_set_tune(). No rule chooses
 * Winograd's algorithm. It takes 0.6 to 1.2 times as long as a direct convolution with AVX-512, but
 * 4 ms more for each 100 000 filter elements in the first run, and it rounds in another way. */

/* Names of the ways in files. */
static const char *const names[C2G_CONV_N_WAYS] = { "default", "dnnl", "winograd" };

/* Shapes whose choice an operator remembers, as many as c2g-conv-dnnl.c keeps. */
#define MAX_CHOICES 4

/* A way is measured in N_BLOCKS blocks of runs. Each block takes about MIN_BLOCK microseconds, and has
 * MAX_RUNS runs at most. The fastest block counts, because others may have been interrupted. */
#define N_BLOCKS 4
#define MIN_BLOCK 300
#define MAX_RUNS 200

/* The rule's way is kept unless another takes less than this part of its time. */
#define WORTH_IT 0.95

/* The key of a choice: everything that may differ between two runs of one operator. */
typedef struct
{
  C2gWindowPlace place;
  gint64         n_channels;
  gint64         n_workers;
} Case;

typedef struct
{
  Case       the_case;
  C2gConvWay way;
  /* FALSE if the rule chose. */
  gboolean   is_known;
} Choice;

struct _C2gConvChoices
{
  Choice items[MAX_CHOICES];
  guint  n;
};

/* Computing */

static gboolean
can_use_winograd (const C2gConv *conv)
{
  const C2gWindowPlace *place = &conv->place;
  gboolean can = conv->n_groups == 1 && place->n_dims == 2 && c2g_conv_dnnl_has_winograd ();

  for (guint i = C2G_WINDOW_MAX_DIMS - 2; i < C2G_WINDOW_MAX_DIMS; i++)
    can &= place->kernel[i] == 3 && place->stride[i] == 1 && place->dilation[i] == 1;
  return can;
}

static gboolean
run_by_default (const C2gConv  *conv,
                C2gScratch     *scratch,
                const char    **implementation,
                GError        **error)
{
  const gboolean is_depthwise = conv->n_groups > 1 && conv->n_groups == conv->place.n_channels;

  *implementation = is_depthwise ? "depthwise" : "im2col";
  return is_depthwise ? c2g_conv_depthwise (conv, scratch, error)
                      : c2g_conv_by_columns (conv, scratch, error);
}

/* Computes by oneDNN, if it can: otherwise self->implementation is NULL. */
static gboolean
run_dnnl (C2gConvState   *self,
          const C2gConv  *conv,
          gboolean        is_winograd,
          gboolean        is_constant,
          GError        **error)
{
  if (self->dnnl == NULL)
    self->dnnl = c2g_conv_dnnl_new ();
  return self->dnnl == NULL || c2g_conv_dnnl_run (self->dnnl, conv, is_winograd, is_constant,
                                                  &self->scratch, &self->implementation, error);
}

/* Not every way can compute each shape: if this one cannot, tries those before it in the enum. *done is
 * the way that computed. */
static gboolean
run_way (C2gConvState   *self,
         const C2gConv  *conv,
         C2gConvWay      way,
         gboolean        is_constant,
         C2gConvWay     *done,
         GError        **error)
{
  self->implementation = NULL;
  for (*done = way; *done != C2G_CONV_WAY_DEFAULT; --*done)
    {
      if (!run_dnnl (self, conv, *done == C2G_CONV_WAY_WINOGRAD, is_constant, error))
        return FALSE;
      if (self->implementation != NULL)
        return TRUE;
    }
  return run_by_default (conv, &self->scratch, &self->implementation, error);
}

/* Measuring */

/* Runs the way n_runs times. Returns the time of all runs in microseconds; a negative number after an
 * error. */
static gint64
time_runs (C2gConvState  *self,
           const C2gConv *conv,
           C2gConvWay     way,
           gboolean       is_constant,
           guint          n_runs,
           C2gConvWay    *done)
{
  const gint64 begin = g_get_monotonic_time ();
  gboolean is_done = TRUE;

  for (guint i = 0; i < n_runs && is_done; i++)
    is_done = run_way (self, conv, way, is_constant, done, NULL);
  return is_done ? g_get_monotonic_time () - begin : -1;
}

/* Returns the microseconds of a run; infinite if the way does not compute this shape. The first run
 * prepares what is kept. */
static double
time_way (C2gConvState  *self,
          const C2gConv *conv,
          C2gConvWay     way,
          gboolean       is_constant)
{
  double best = INFINITY;
  C2gConvWay done;
  gint64 time;
  guint n_runs;

  if ((way == C2G_CONV_WAY_WINOGRAD && !can_use_winograd (conv)) ||
      time_runs (self, conv, way, is_constant, 1, &done) < 0 || done != way)
    return INFINITY;
  time = time_runs (self, conv, way, is_constant, 1, &done);
  n_runs = (guint) CLAMP (MIN_BLOCK / MAX (time, 1), 1, MAX_RUNS);
  for (guint i = 0; i < N_BLOCKS && time >= 0 && !c2g_interrupt_is_wanted (); i++)
    {
      time = time_runs (self, conv, way, is_constant, n_runs, &done);
      best = MIN (best, time >= 0 ? (double) time / n_runs : INFINITY);
    }
  return best;
}

/* Returns the fastest way; *is_known is FALSE if that could not be measured. The output is written
 * elsewhere, because it may be what is added, too. */
static C2gConvWay
measure (C2gConvState  *self,
         const C2gConv *conv,
         C2gConvWay     rule,
         gboolean       is_constant,
         double        *times,
         gboolean      *is_known)
{
  const gsize n_y = conv->place.n_images * conv->place.n_out * conv->n_channels;
  C2gConv other = *conv;
  C2gScratch y = { 0 };
  C2gConvWay best = rule;

  for (guint way = 0; way < C2G_CONV_N_WAYS; way++)
    times[way] = INFINITY;
  *is_known = c2g_scratch_reserve (&y, 1, n_y, NULL);
  if (!*is_known)
    return rule;
  other.y = y.data;
  for (guint way = 0; way < C2G_CONV_N_WAYS; way++)
    times[way] = time_way (self, &other, way, is_constant);
  for (guint way = 0; way < C2G_CONV_N_WAYS; way++)
    if (times[way] < times[best] * (best == rule ? WORTH_IT : 1))
      best = way;
  *is_known = isfinite (times[best]) && !c2g_interrupt_is_wanted ();
  c2g_scratch_clear (&y);
  /* Frees what the other ways keep. */
  g_clear_pointer (&self->dnnl, c2g_conv_dnnl_free);
  return *is_known ? best : rule;
}

/* Choosing */

static void
append_number (GString    *text,
               const char *name,
               gint64      number)
{
  g_string_append_printf (text, "/%s%" G_GINT64_FORMAT, name, number);
}

static void
append_sizes (GString      *text,
              const char   *name,
              const gint64 *sizes)
{
  append_number (text, name, sizes[C2G_WINDOW_MAX_DIMS - 2]);
  g_string_append_printf (text, "x%" G_GINT64_FORMAT, sizes[C2G_WINDOW_MAX_DIMS - 1]);
}

/* Returns the key for c2g_tuning_find(). */
static char *
make_key (const Case    *the_case,
          const C2gConv *conv,
          gboolean       is_constant)
{
  const C2gWindowPlace *place = &conv->place;
  GString *key = g_string_new (c2g_conv_dnnl_get_version ());

  g_string_append_printf (key, "/conv/%s", place->channels_last ? "nhwc" : "nchw");
  append_number (key, "n", place->n_images);
  append_number (key, "c", place->n_channels);
  append_number (key, "m", conv->n_channels);
  append_number (key, "g", conv->n_groups);
  append_sizes (key, "i", place->in);
  append_sizes (key, "k", place->kernel);
  append_sizes (key, "s", place->stride);
  append_sizes (key, "d", place->dilation);
  append_sizes (key, "h", place->head);
  append_sizes (key, "t", place->tail);
  g_string_append_printf (key, "%s%s%s%s", conv->bias != NULL ? "/bias" : "",
                          conv->sum != NULL ? "/sum" : "", conv->has_relu ? "/relu" : "",
                          is_constant ? "/constant" : "");
  append_number (key, "w", the_case->n_workers);
  return g_string_free (key, FALSE);
}

static Choice *
find_choice (C2gConvState *self,
             const Case   *the_case)
{
  C2gConvChoices *choices = self->choices;

  if (choices == NULL)
    choices = self->choices = g_new0 (C2gConvChoices, 1);
  for (guint i = 0; i < choices->n; i++)
    if (memcmp (&choices->items[i].the_case, the_case, sizeof *the_case) == 0)
      return &choices->items[i];
  /* The oldest one makes room. */
  if (choices->n == MAX_CHOICES)
    memmove (choices->items, choices->items + 1, --choices->n * sizeof choices->items[0]);
  choices->items[choices->n] = (Choice){ .way = C2G_CONV_N_WAYS };
  memcpy (&choices->items[choices->n].the_case, the_case, sizeof *the_case);
  return &choices->items[choices->n++];
}

/* Returns the way with the name, or RULE if there is none. */
static C2gConvWay
find_way (const char *name,
          C2gConvWay  rule)
{
  for (guint way = 0; way < C2G_CONV_N_WAYS; way++)
    if (g_strcmp0 (name, names[way]) == 0)
      return way;
  return rule;
}

static C2gConvWay
choose (C2gConvState  *self,
        const C2gConv *conv,
        C2gConvWay     rule,
        gboolean       is_constant)
{
  g_autofree char *key = NULL;
  double times[C2G_CONV_N_WAYS];
  const char *known;
  Choice *choice;
  Case the_case;

  memset (&the_case, 0, sizeof the_case);
  the_case.place = conv->place;
  the_case.n_channels = conv->n_channels;
  the_case.n_workers = c2g_parallel_get_n_workers ();
  choice = find_choice (self, &the_case);
  if (choice->is_known || (choice->way != C2G_CONV_N_WAYS && !c2g_tuning_is_wanted ()))
    return choice->way;

  key = make_key (&the_case, conv, is_constant);
  known = c2g_tuning_find (key);
  choice->is_known = known != NULL;
  choice->way = find_way (known, rule);
  if (known == NULL && c2g_tuning_is_wanted ())
    {
      choice->way = measure (self, conv, rule, is_constant, times, &choice->is_known);
      g_debug ("%s: %s of default %.1f µs, dnnl %.1f µs, winograd %.1f µs", key,
               names[choice->way], times[C2G_CONV_WAY_DEFAULT], times[C2G_CONV_WAY_DNNL],
               times[C2G_CONV_WAY_WINOGRAD]);
      if (choice->is_known)
        c2g_tuning_add (key, names[choice->way]);
    }
  return choice->way;
}

gboolean
c2g_conv_state_run (C2gConvState   *self,
                    const C2gConv  *conv,
                    C2gConvWay      rule,
                    gboolean        is_constant,
                    GError        **error)
{
  C2gConvWay way = rule;

  if (c2g_tuning_is_active () && self->window.n_dims <= 2 && c2g_conv_dnnl_start ())
    way = choose (self, conv, rule, is_constant);
  /* Memory for another shape is not worth keeping. */
  if (way == C2G_CONV_WAY_DEFAULT)
    g_clear_pointer (&self->dnnl, c2g_conv_dnnl_free);
  return run_way (self, conv, way, is_constant, &way, error);
}

void
c2g_conv_state_clear (gpointer state)
{
  C2gConvState *self = state;

  g_clear_pointer (&self->dnnl, c2g_conv_dnnl_free);
  g_clear_pointer (&self->choices, g_free);
  c2g_scratch_clear (&self->scratch);
}

const char *
c2g_conv_state_get_implementation (gconstpointer state)
{
  const C2gConvState *self = state;

  return self->implementation;
}
