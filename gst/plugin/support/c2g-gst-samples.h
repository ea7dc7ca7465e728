/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture-private.h"

#include <gst/audio/audio.h>

G_BEGIN_DECLS

/* Converts audio samples to tensors: a row for each channel or, if FORM has the channels last, a
 * row for each sample. The values are (x - mean) scale, with x from -1 to 1 and mean and scale of
 * FORM's first channel. */
typedef struct _C2gGstSamples C2gGstSamples;

C2gGstSamples *c2g_gst_samples_new      (const C2gPictureForm  *form,
                                         const GstAudioInfo    *info);
void           c2g_gst_samples_free     (C2gGstSamples         *self);

/* Computes the dimensions for a buffer, and returns their number. */
gsize          c2g_gst_samples_get_dims (C2gGstSamples         *self,
                                         GstBuffer             *buffer,
                                         gint64                *dims);
/* Converts the samples to floats in a tensor, which is resized. */
gboolean       c2g_gst_samples_convert  (C2gGstSamples         *self,
                                         GstBuffer             *buffer,
                                         C2gTensor             *tensor,
                                         GError               **error);

G_END_DECLS
