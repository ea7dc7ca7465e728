/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-rules-private.h>

#include <c2g/core/types/c2g-i18n-private.h>

/* Decides which layers are in the net. As in Caffe, a layer with include rules is in it if one of
 * them matches. Any other layer is in it unless an exclude rule matches. */

enum
{
  TRAIN,
  TEST
};

static const char *const phases[] = { "TRAIN", "TEST", NULL };

static gboolean
has_stage (const C2gCaffeState *state,
           const char          *stage)
{
  return g_strv_contains ((const char *const *) state->stages->pdata, stage);
}

static gboolean
fits_stages (const C2gCaffeState *state,
             GPtrArray           *stages,
             gboolean             is_wanted)
{
  for (guint i = 0; stages->pdata[i] != NULL; i++)
    if (has_stage (state, stages->pdata[i]) != is_wanted)
      return FALSE;

  return TRUE;
}

static gboolean
fits (C2gPrototxt         *text,
      C2gPrototxtField    *rule,
      const C2gCaffeState *state)
{
  g_autoptr (GPtrArray) stages = c2g_prototxt_list_words (text, rule, "stage");
  g_autoptr (GPtrArray) others = c2g_prototxt_list_words (text, rule, "not_stage");

  return c2g_prototxt_get_enum (text, rule, "phase", phases, TEST) == TEST &&
         c2g_prototxt_get_int (text, rule, "min_level", G_MININT64) <= state->level &&
         c2g_prototxt_get_int (text, rule, "max_level", G_MAXINT64) >= state->level &&
         fits_stages (state, stages, TRUE) && fits_stages (state, others, FALSE);
}

static gboolean
fits_any (C2gPrototxt         *text,
          GPtrArray           *rules,
          const C2gCaffeState *state)
{
  for (guint i = 0; i < rules->len; i++)
    if (fits (text, rules->pdata[i], state))
      return TRUE;

  return FALSE;
}

gboolean
c2g_caffe_rules_allow (C2gPrototxt         *text,
                       C2gPrototxtField    *layer,
                       const C2gCaffeState *state)
{
  g_autoptr (GPtrArray) includes = c2g_prototxt_list_messages (text, layer, "include");
  g_autoptr (GPtrArray) excludes = c2g_prototxt_list_messages (text, layer, "exclude");

  if (includes->len > 0 && excludes->len > 0)
    c2g_prototxt_fail (text, layer, _("a layer has rules either to include or to exclude it"));
  return includes->len > 0 ? fits_any (text, includes, state) : !fits_any (text, excludes, state);
}

void
c2g_caffe_state_read (C2gCaffeState      *self,
                      C2gPrototxt        *text,
                      const char *const  *stages,
                      int                 level)
{
  C2gPrototxtField *message = c2g_prototxt_find_message (text, text->root, "state");

  self->stages = c2g_prototxt_list_words (text, message, "stage");
  self->level = level;
  for (; stages != NULL && *stages != NULL; stages++)
    g_ptr_array_insert (self->stages, 0, (char *) *stages);
}
