/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* The known shapes of blobs, as text such as "[1, 10]"; any of them may be missing. */
typedef struct
{
  /* By name: what the net reads from outside. */
  GHashTable *inputs;
  /* By c2g_dot_key(): outputs of operators, for blobs change. */
  GHashTable *outputs;
  /* By name: inputs that were learned; NULL if nobody knows which. */
  GHashTable *weights;
} C2gDotShapes;

char *c2g_dot_key (gsize position,
                   gsize output);

/* A net in the language of Graphviz. */
char *c2g_dot_new (C2gNetDef          *def,
                   const C2gDotShapes *shapes);

G_END_DECLS
