/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "corpus.h"
#include "run-net.h"

#define SEEDS_PER_TYPE 2

/* The index of this type in the list of types of blobs. */
#define BOOLEAN 13

/* Nets that often make sense: the blobs share dimensions and a type, and each operator has one blob
 * for each input. */

static gboolean
is_likely (GRand  *rand,
           double  probability)
{
  return g_rand_double (rand) < probability;
}

static guint8
below (GRand *rand,
       gint32 end)
{
  return (guint8) g_rand_int_range (rand, 0, end);
}

static void
make_argument (RunNetArgument *argument,
               GRand          *rand)
{
  argument->which = below (rand, 256);
  argument->kind = below (rand, is_likely (rand, 0.9) ? 240 : 256);
  argument->n_values = below (rand, 6);
  for (gsize i = 0; i < G_N_ELEMENTS (argument->values); i++)
    argument->values[i] = below (rand, is_likely (rand, 0.9) ? 192 : 256);
}

static void
make_operator (RunNetOperator *op,
               guint           type,
               GRand          *rand)
{
  const guint8 first = below (rand, RUN_NET_N_BLOBS);

  op->type[0] = (guint8) (type >> 8);
  op->type[1] = (guint8) type;
  op->n_inputs = below (rand, 200);
  op->n_outputs = below (rand, 200);
  for (guint i = 0; i < RUN_NET_MAX_NAMES; i++)
    {
      op->inputs[i] = (guint8) ((first + i) % RUN_NET_N_BLOBS);
      /* The number is multiplied by four, because the remainder tells whether the output is in
       * place. */
      op->outputs[i] = (guint8) (i % RUN_NET_N_OUTPUTS * 4 + (is_likely (rand, 0.7) ? 0 : 3));
    }
  op->control = is_likely (rand, 0.2) ? 220 : 0;
  op->engine = is_likely (rand, 0.2) ? 240 + below (rand, 3) : 0;
  op->n_arguments = below (rand, 6);
  for (guint i = 0; i < RUN_NET_N_ARGUMENTS; i++)
    make_argument (&op->arguments[i], rand);
}

static void
make_blob (RunNetBlob *blob,
           guint8      data_type,
           GRand      *rand)
{
  /* Some blobs are conditions. */
  if (is_likely (rand, 0.1))
    {
      *blob = (RunNetBlob) { .data_type = BOOLEAN, .mode = below (rand, 3) };
      return;
    }

  blob->kind = is_likely (rand, 0.05) ? below (rand, 256) : 0;
  blob->data_type = is_likely (rand, 0.6) ? data_type : below (rand, 256);
  blob->n_dims = below (rand, 6);
  for (guint i = 0; i < RUN_NET_MAX_DIMS; i++)
    blob->dims[i] = below (rand, is_likely (rand, 0.7) ? 140 : 240);
  blob->mode = below (rand, 7);
  for (guint i = 0; i < RUN_NET_N_VALUES; i++)
    blob->values[i] = below (rand, 256);
}

static void
make_scenario (RunNetScenario *scenario,
               guint           type,
               guint           n_types,
               GRand          *rand)
{
  /* The types are float, int32 and int64. */
  static const guint8 data_types[] = { 0, 0, 0, 6, 10 };
  const guint8 data_type = data_types[below (rand, G_N_ELEMENTS (data_types))];

  *scenario = (RunNetScenario) { .n_operators = below (rand, RUN_NET_N_OPERATORS) };
  scenario->n_body = below (rand, 3);
  scenario->flags = below (rand, 4);
  for (gsize i = 0; i < G_N_ELEMENTS (scenario->base_dims); i++)
    scenario->base_dims[i] = 1 + below (rand, 6);
  for (guint i = 0; i < RUN_NET_N_OPERATORS; i++)
    make_operator (&scenario->operators[i],
                   i == scenario->n_operators ? type : (guint) g_rand_int_range (rand, 0, n_types),
                   rand);
  for (guint i = 0; i < 2 * RUN_NET_N_BLOBS; i++)
    make_blob (&scenario->blobs[i / RUN_NET_N_BLOBS][i % RUN_NET_N_BLOBS], data_type, rand);
}

void
corpus_put_nets (void)
{
  g_auto (GStrv) types = c2g_operator_list_types ();
  const guint n_types = g_strv_length (types);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < n_types * SEEDS_PER_TYPE; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%u", types[i % n_types], i / n_types);
      g_autoptr (GBytes) bytes = NULL;
      RunNetScenario scenario;

      make_scenario (&scenario, i % n_types, n_types, rand);
      bytes = g_bytes_new (&scenario, sizeof scenario);
      corpus_put_only ("run-net", name, bytes);
    }
}
