/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-class-score.h>

#include <c2g/core/types/c2g-property-private.h>

/**
 * C2gClassScore:
 *
 * A class that a model has found, with its score.
 *
 * [method@Predictor.list_classes] gives the best ones of an output. It never changes.
 */

struct _C2gClassScore
{
  GObject  parent_instance;

  gint64   index;
  double   score;
  char    *label;
};

enum
{
  PROP_0,
  PROP_INDEX,
  PROP_SCORE,
  PROP_LABEL,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gClassScore, c2g_class_score, G_TYPE_OBJECT)

static const C2gProperty rows[N_PROPS] = {
  [PROP_INDEX] = C2G_PROPERTY_FIELD (C2gClassScore, index),
  [PROP_SCORE] = C2G_PROPERTY_FIELD (C2gClassScore, score),
  [PROP_LABEL] = C2G_PROPERTY_FIELD (C2gClassScore, label),
};

#define GETTER(type, name) C2G_DEFINE_GETTER (C2gClassScore, c2g_class_score, C2G_IS_CLASS_SCORE, type, name, name)

static void
c2g_class_score_finalize (GObject *object)
{
  c2g_properties_clear (object, N_PROPS, props, rows);

  G_OBJECT_CLASS (c2g_class_score_parent_class)->finalize (object);
}

static void
c2g_class_score_class_init (C2gClassScoreClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_class_score_finalize;

  /**
   * C2gClassScore:index: (getter get_index)
   *
   * The number of the class, from 0.
   */
  props[PROP_INDEX] = g_param_spec_int64 ("index", NULL, NULL, 0, G_MAXINT64, 0, flags);

  /**
   * C2gClassScore:score: (getter get_score)
   *
   * The score of the class: its probability, if the output is that of a softmax.
   */
  props[PROP_SCORE] = g_param_spec_double ("score", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);

  /**
   * C2gClassScore:label: (getter get_label)
   *
   * The name of the class; `NULL` if the model has none for it.
   */
  props[PROP_LABEL] = g_param_spec_string ("label", NULL, NULL, NULL, flags);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_class_score_init (C2gClassScore *self)
{
}

/**
 * c2g_class_score_new:
 * @index: the number of the class
 * @score: its score
 * @label: (nullable): its name
 *
 * Creates a class with a score.
 *
 * Returns: (transfer full): a new class score
 */
C2gClassScore *
c2g_class_score_new (gint64      index,
                     double      score,
                     const char *label)
{
  C2gClassScore *self = g_object_new (C2G_TYPE_CLASS_SCORE, "index", index, "label", label, NULL);

  /* A property cannot be infinite or NaN, but a score can. */
  self->score = score;
  return self;
}

/**
 * c2g_class_score_get_index: (get-property index)
 * @self: a class score
 *
 * Gets the number of the class.
 *
 * Returns: the number, from 0
 */
GETTER (gint64, index)

/**
 * c2g_class_score_get_score: (get-property score)
 * @self: a class score
 *
 * Gets the score of the class.
 *
 * Returns: the score
 */
GETTER (double, score)

/**
 * c2g_class_score_get_label: (get-property label)
 * @self: a class score
 *
 * Gets the name of the class.
 *
 * Returns: (nullable): the name; `NULL` if the model has none for the class
 */
GETTER (const char *, label)

/**
 * c2g_class_score_list_free: (skip)
 * @list: (nullable): what [method@Predictor.list_classes] or
 *   [method@Predictor.classify_batch] has returned
 *
 * Frees a list of classes, which ends with `NULL`, and the classes in it.
 *
 * Only C needs it, where `g_auto (C2gClassScoreList)` calls it.
 *
 * ```c
 * g_auto (C2gClassScoreList) found = c2g_predictor_list_classes (predictor, scores, 0, 5, &n, &error);
 * ```
 */
void
c2g_class_score_list_free (C2gClassScore **list)
{
  for (gsize i = 0; list != NULL && list[i] != NULL; i++)
    g_object_unref (list[i]);
  g_free (list);
}
