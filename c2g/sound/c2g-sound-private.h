/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/sound/c2g-sound-options.h>

#include <gio/gio.h>

G_BEGIN_DECLS

#define C2G_SOUND_MAX_RATE 768000

typedef struct
{
  /* 0 for that of the file. */
  guint    sample_rate;
  gboolean is_mono;
  /* TRUE for [samples, channels], FALSE for [channels, samples]. */
  gboolean is_interleaved;
} C2gSoundForm;

struct _C2gSoundOptions
{
  GObject      parent_instance;

  C2gSoundForm form;
};

/* Sound here is a tensor of float [samples, channels] on the CPU. */

C2gTensor *c2g_sound_read     (GFile         *file,
                               guint         *sample_rate,
                               GCancellable  *cancellable,
                               GError       **error);
/* The ending of the file's name chooses the format. */
gboolean   c2g_sound_write    (C2gTensor     *sound,
                               GFile         *file,
                               guint          sample_rate,
                               GCancellable  *cancellable,
                               GError       **error);
/* Converts sound from one sample rate to another. */
C2gTensor *c2g_sound_resample (C2gTensor     *sound,
                               guint          from,
                               guint          to,
                               GError       **error);

G_END_DECLS
