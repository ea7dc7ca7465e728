/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/sound/c2g-sound-private.h>

#include <c2g/core/types/c2g-property-private.h>

/**
 * C2gSoundOptions:
 *
 * How a model wants sound: the sample rate, the channels and their order.
 *
 * For [ctor@Tensor.new_from_sound]. A new object leaves everything as the file has it.
 *
 * ```c
 * g_autoptr (C2gSoundOptions) options = c2g_sound_options_new ();
 *
 * g_object_set (options, "sample-rate", 16000, "mono", TRUE, NULL);
 * ```
 *
 * ```python
 * options = C2g.SoundOptions(sample_rate=16000, mono=True)
 * ```
 *
 * ## Threads
 *
 * Options belong to one thread.
 */

enum
{
  PROP_0,
  PROP_SAMPLE_RATE,
  PROP_MONO,
  PROP_INTERLEAVED,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gSoundOptions, c2g_sound_options, G_TYPE_OBJECT)

static const C2gProperty rows[N_PROPS] = {
  [PROP_SAMPLE_RATE] = C2G_PROPERTY_FIELD (C2gSoundOptions, form.sample_rate),
  [PROP_MONO] = C2G_PROPERTY_FIELD (C2gSoundOptions, form.is_mono),
  [PROP_INTERLEAVED] = C2G_PROPERTY_FIELD (C2gSoundOptions, form.is_interleaved),
};

static void
c2g_sound_options_class_init (C2gSoundOptionsClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * C2gSoundOptions:sample-rate:
   *
   * Samples a second of the tensor.
   *
   * 0 means that of the file. Another rate is made by libsamplerate.
   */
  props[PROP_SAMPLE_RATE] = g_param_spec_uint ("sample-rate", NULL, NULL, 0, C2G_SOUND_MAX_RATE, 0, flags);

  /**
   * C2gSoundOptions:mono:
   *
   * Whether the tensor has one channel, the mean of all channels of the file.
   */
  props[PROP_MONO] = g_param_spec_boolean ("mono", NULL, NULL, FALSE, flags);

  /**
   * C2gSoundOptions:interleaved:
   *
   * Whether the dimensions are `[samples, channels]`.
   *
   * Otherwise they are `[channels, samples]`.
   */
  props[PROP_INTERLEAVED] = g_param_spec_boolean ("interleaved", NULL, NULL, FALSE, flags);

  c2g_properties_install (G_OBJECT_CLASS (klass), N_PROPS, props, rows);
}

static void
c2g_sound_options_init (C2gSoundOptions *self)
{
}

/**
 * c2g_sound_options_new:
 *
 * Creates options for sound.
 *
 * Returns: (transfer full): new options
 */
C2gSoundOptions *
c2g_sound_options_new (void)
{
  return g_object_new (C2G_TYPE_SOUND_OPTIONS, NULL);
}
