/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* Known shapes of blobs, as text such as "[1, 10]"; shapes may be missing. */
typedef struct
{
  /* Shapes of the net's inputs, by name. */
  GHashTable *inputs;
  /* Shapes of operator outputs, by c2g_dot_key(), because several operators may write one blob. */
  GHashTable *outputs;
  /* Shapes of learned inputs, by name; NULL if it is not known which ones were learned. */
  GHashTable *weights;
} C2gDotShapes;

char *c2g_dot_key (gsize position,
                   gsize output);

/* Returns a net in the language of Graphviz. */
char *c2g_dot_new (C2gNetDef          *def,
                   const C2gDotShapes *shapes);

G_END_DECLS
