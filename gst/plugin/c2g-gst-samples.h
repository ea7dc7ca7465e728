/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture.h"

#include <gst/audio/audio.h>

G_BEGIN_DECLS

/* Makes tensors of samples of audio: rows of channels or, where form has the channels of pictures last,
 * rows of samples.  They are from -1 to 1, less the mean, times the scale of form's first channel. */
typedef struct _C2gGstSamples C2gGstSamples;

C2gGstSamples *c2g_gst_samples_new      (const C2gPictureForm  *form,
                                         const GstAudioInfo    *info);
void           c2g_gst_samples_free     (C2gGstSamples         *self);

/* Gives the dimensions for a buffer, and returns their number. */
gsize          c2g_gst_samples_get_dims (C2gGstSamples         *self,
                                         GstBuffer             *buffer,
                                         gint64                *dims);
/* Converts samples into a tensor of float, which gets its size. */
gboolean       c2g_gst_samples_convert  (C2gGstSamples         *self,
                                         GstBuffer             *buffer,
                                         C2gTensor             *tensor,
                                         GError               **error);

G_END_DECLS
