/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

/* Nets that are built from a few bytes. The bytes are records of fixed sizes, so that a change of
 * one record does not move the others. */

#define RUN_NET_N_BLOBS     8
#define RUN_NET_N_OUTPUTS   6
#define RUN_NET_N_OPERATORS 4
#define RUN_NET_N_ARGUMENTS 8
#define RUN_NET_MAX_NAMES   10
#define RUN_NET_MAX_DIMS    6
#define RUN_NET_N_VALUES    6

typedef struct
{
  guint8 kind;
  guint8 data_type;
  guint8 n_dims;
  guint8 dims[RUN_NET_MAX_DIMS];
  guint8 mode;
  guint8 values[RUN_NET_N_VALUES];
} RunNetBlob;

typedef struct
{
  guint8 which;
  guint8 kind;
  guint8 n_values;
  guint8 values[5];
} RunNetArgument;

typedef struct
{
  guint8         type[2];
  guint8         n_inputs;
  guint8         n_outputs;
  guint8         inputs[RUN_NET_MAX_NAMES];
  guint8         outputs[RUN_NET_MAX_NAMES];
  guint8         control;
  guint8         engine;
  guint8         n_arguments;
  RunNetArgument arguments[RUN_NET_N_ARGUMENTS];
} RunNetOperator;

typedef struct
{
  guint8         n_operators;
  guint8         n_body;
  guint8         flags;
  /* Dimensions that blobs share. */
  guint8         base_dims[5];
  RunNetOperator operators[RUN_NET_N_OPERATORS];
  /* One set of blobs for the first run, and one for the next. */
  RunNetBlob     blobs[2][RUN_NET_N_BLOBS];
} RunNetScenario;

/* Each byte selects an element of these lists. */
gint64           run_net_pick_int     (guint8                byte);
double           run_net_pick_float   (guint8                byte);
gint64           run_net_pick_large   (guint8                byte);
const char      *run_net_pick_text    (guint8                byte);

/* The types of operators, and the arguments that each reads. */
typedef struct
{
  const char *name;
  /* One of "bifsIFSN": a capital means a list, and N is a net. */
  char        kind;
} RunNetArgumentName;

typedef struct
{
  char              *name;
  C2gOperatorSchema *schema;
  /* An array of RunNetArgumentName. */
  GArray            *arguments;
  /* TRUE if another run may give another result. */
  gboolean           is_changing;
} RunNetType;

void             run_net_list_types   (void);
const RunNetType *run_net_pick_type   (guint                 number);
/* An array of RunNetArgumentName for all types. */
GArray          *run_net_get_names    (void);

/* Builds the net, and tells whether another run of it may give another result. */
C2gNetDef       *run_net_make_def     (const RunNetScenario *scenario,
                                       gboolean             *is_changing);
/* Puts the blobs of the first or the second set into a workspace. Existing blobs are emptied first,
 * or keep their memory. */
void             run_net_fill_blobs   (C2gWorkspace         *workspace,
                                       const RunNetScenario *scenario,
                                       guint                 set,
                                       gboolean              is_reset);
