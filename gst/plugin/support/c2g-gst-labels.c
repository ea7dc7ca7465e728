/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-labels.h"

/* The sticky event with class names. c2ginference sends it, c2gdecode reads it, and elements with
 * several streams join it. */

#define NAME    "c2g-labels"
#define TENSORS "tensors"
#define LABELS  "labels"

/* Returns the name of the field for a model. Fields are numbered, because GStreamer never frees
 * names of fields; names of tensors could be many. */
static char *
make_field (guint model)
{
  return g_strdup_printf ("model%u", model);
}

GstEvent *
c2g_gst_labels_add (GstEvent          *earlier,
                    const char *const *tensors,
                    const char *const *labels)
{
  GstStructure *all = earlier != NULL ? gst_structure_copy (gst_event_get_structure (earlier))
                                      : gst_structure_new_empty (NAME);
  g_autoptr (GstStructure) model = gst_structure_new ("model", TENSORS, G_TYPE_STRV, tensors,
                                                      LABELS, G_TYPE_STRV, labels, NULL);
  g_autofree char *field = make_field (gst_structure_n_fields (all));

  gst_structure_set (all, field, GST_TYPE_STRUCTURE, model, NULL);

  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, all);
}

gboolean
c2g_gst_labels_is_event (GstEvent *event)
{
  return gst_event_has_name (event, NAME);
}

static const char *const *
get_strings (const GstStructure *model,
             const char         *field)
{
  const GValue *value = gst_structure_get_value (model, field);

  return value != NULL && G_VALUE_HOLDS (value, G_TYPE_STRV) ? g_value_get_boxed (value) : NULL;
}

/* Returns NULL if the field does not describe a model. */
static const GstStructure *
get_model (GstEvent *event,
           guint     index)
{
  g_autofree char *field = make_field (index);
  const GValue *value = gst_structure_get_value (gst_event_get_structure (event), field);

  return value != NULL && GST_VALUE_HOLDS_STRUCTURE (value) ? gst_value_get_structure (value) : NULL;
}

static guint
count_models (GstEvent *event)
{
  return event != NULL ? gst_structure_n_fields (gst_event_get_structure (event)) : 0;
}

char **
c2g_gst_labels_add_prefix (const char *const *names,
                           const char        *prefix)
{
  char **all = g_strdupv ((char **) names);

  for (char **name = all; prefix != NULL && *name != NULL; name++)
    {
      g_autofree char *old = *name;

      *name = g_strconcat (prefix, old, NULL);
    }

  return all;
}

void
c2g_gst_labels_join (GstEvent   **all,
                     GstEvent    *event,
                     const char  *prefix)
{
  for (guint i = 0; i < count_models (event); i++)
    {
      const GstStructure *model = get_model (event, i);
      const char *const *tensors = model != NULL ? get_strings (model, TENSORS) : NULL;
      const char *const *labels = model != NULL ? get_strings (model, LABELS) : NULL;
      g_autoptr (GstEvent) earlier = *all;
      g_auto (GStrv) names = NULL;

      if (tensors == NULL || labels == NULL)
        {
          g_steal_pointer (&earlier);
          continue;
        }
      names = c2g_gst_labels_add_prefix (tensors, prefix);
      *all = c2g_gst_labels_add (earlier, (const char *const *) names, labels);
    }
}

const char *const *
c2g_gst_labels_find (GstEvent   *event,
                     const char *tensor)
{
  for (guint i = 0; i < count_models (event); i++)
    {
      const GstStructure *model = get_model (event, i);
      const char *const *tensors = model != NULL ? get_strings (model, TENSORS) : NULL;

      if (tensors != NULL && g_strv_contains (tensors, tensor))
        return get_strings (model, LABELS);
    }

  return NULL;
}
