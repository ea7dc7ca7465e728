/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-follow.h"

#include <c2g-gst/c2g-gst.h>

/* Makes the caps of a stream from its buffers, for elements that learn only from these which tensors they
 * send. Making caps takes ten times as long as looking at the tensors, so they are made again only if
 * the tensors change. */

static GString *
make_key (GstBuffer  *buffer,
          C2gGstRate  rate)
{
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);
  GString *key = g_string_new_len ((const char *) &rate, sizeof rate);

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, *name, NULL);
      const C2gDataType type = tensor != NULL ? c2g_tensor_get_data_type (tensor) : C2G_DATA_TYPE_UNDEFINED;
      gsize n_dims = 0;
      const gint64 *dims = tensor != NULL ? c2g_tensor_get_dims (tensor, &n_dims) : NULL;

      /* The 0 behind the name separates it from the type. */
      g_string_append_len (key, *name, strlen (*name) + 1);
      g_string_append_len (key, (const char *) &type, sizeof type);
      g_string_append_len (key, (const char *) &n_dims, sizeof n_dims);
      g_string_append_len (key, (const char *) dims, n_dims * sizeof *dims);
    }

  return key;
}

gboolean
c2g_gst_follow_update (C2gGstFollow *self,
                       GstBuffer    *buffer,
                       C2gGstRate    rate)
{
  GString *key = make_key (buffer, rate);
  g_autoptr (GstCaps) caps = NULL;

  if (self->key != NULL && g_string_equal (key, self->key))
    {
      g_string_free (key, TRUE);
      return FALSE;
    }

  if (self->key != NULL)
    g_string_free (self->key, TRUE);
  self->key = key;
  caps = c2g_gst_rate_add_to (rate, c2g_gst_caps_new_for_buffer (buffer));
  if (self->caps != NULL && gst_caps_is_equal (caps, self->caps))
    return FALSE;
  gst_caps_replace (&self->caps, caps);

  return TRUE;
}

void
c2g_gst_follow_clear (C2gGstFollow *self)
{
  gst_clear_caps (&self->caps);
  if (self->key != NULL)
    g_string_free (g_steal_pointer (&self->key), TRUE);
}
