/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/sound/c2g-tensor-sound.h>

#include <c2g/sound/c2g-sound-private.h>

#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/tensor/c2g-tensor-convert.h>
#include <c2g/core/tensor/c2g-tensor-math.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-task-private.h>

#include <inttypes.h>

/* The public functions that read sound files as tensors, and save tensors as sound. c2g-sound-file.c
 * reads, writes and resamples. */

/* The limit of libsndfile. */
#define MAX_CHANNELS 1024

static C2gSoundForm
get_form (C2gSoundOptions *options)
{
  return options != NULL ? options->form : (C2gSoundForm) { 0 };
}

/* Replaces all channels by their mean. */
static gboolean
mix (C2gTensor *sound,
     GError   **error)
{
  const gint64 n_samples = sound->dims[0];
  const gint64 n_channels = sound->dims[1];
  float *samples = c2g_tensor_mutable_data (sound, C2G_DATA_TYPE_FLOAT, error);

  if (samples == NULL && n_samples > 0)
    return FALSE;
  for (gint64 i = 0; i < n_samples; i++)
    {
      double sum = 0;

      for (gint64 k = 0; k < n_channels; k++)
        sum += samples[i * n_channels + k];
      samples[i] = sum / n_channels;
    }
  return c2g_tensor_resize (sound, (const gint64[]) { n_samples, 1 }, 2, error);
}

static C2gTensor *
read_sound (GFile              *file,
            const C2gSoundForm *form,
            guint              *sample_rate,
            GCancellable       *cancellable,
            GError            **error)
{
  guint rate;
  g_autoptr (C2gTensor) sound = c2g_sound_read (file, &rate, cancellable, error);
  g_autoptr (C2gTensor) resampled = NULL;

  if (sound == NULL || (form->is_mono && !mix (sound, error)))
    return NULL;
  *sample_rate = form->sample_rate > 0 ? form->sample_rate : rate;
  resampled = c2g_sound_resample (sound, rate, *sample_rate, error);
  if (resampled == NULL || form->is_interleaved)
    return g_steal_pointer (&resampled);
  g_clear_object (&sound);
  return c2g_tensor_transpose (resampled, NULL, 0, error);
}

/**
 * c2g_tensor_new_from_sound:
 * @file: a file that libsndfile reads, such as WAV, FLAC, Ogg or MP3
 * @options: (nullable): how the model wants it; `NULL` for the samples as they are
 * @sample_rate: (out) (optional): samples a second of the tensor
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Reads a sound file as a tensor of floats between -1 and 1, with the dimensions `[channels,
 * samples]`.
 *
 * Needs libsndfile at run time and, for another sample rate, libsamplerate; without them, the error
 * is `C2G_ERROR_NOT_SUPPORTED`, as it is for a file of another kind. A damaged file is
 * `C2G_ERROR_CORRUPT`; one that was cut off gives what it has where the format allows it, as WAV does.
 *
 * ```python
 * sound, rate = C2g.Tensor.new_from_sound('words.flac', C2g.SoundOptions(sample_rate=16000, mono=True))
 * ```
 *
 * Returns: (transfer full): a new tensor
 */
C2gTensor *
c2g_tensor_new_from_sound (GFile            *file,
                           C2gSoundOptions  *options,
                           guint            *sample_rate,
                           GCancellable     *cancellable,
                           GError          **error)
{
  C2gSoundForm form;
  guint rate = 0;
  C2gTensor *self;

  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (options == NULL || C2G_IS_SOUND_OPTIONS (options), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  form = get_form (options);
  self = read_sound (file, &form, &rate, cancellable, error);
  if (sample_rate != NULL)
    *sample_rate = rate;
  return self;
}

typedef struct
{
  GFile        *file;
  C2gSoundForm  form;
  guint         sample_rate;
} Load;

static void
load_free (gpointer data)
{
  Load *self = data;

  g_object_unref (self->file);
  g_free (self);
}

static gpointer
load (gpointer       data,
      GCancellable  *cancellable,
      GError       **error)
{
  Load *self = data;

  return read_sound (self->file, &self->form, &self->sample_rate, cancellable, error);
}

/**
 * c2g_tensor_new_from_sound_async:
 * @file: a file that libsndfile reads, such as WAV, FLAC, Ogg or MP3
 * @options: (nullable): how the model wants it; `NULL` for the samples as they are
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the sound is read
 * @user_data: data for @callback
 *
 * Reads a sound file in another thread, and calls back in the caller's main context.
 *
 * It does what [ctor@Tensor.new_from_sound] does. The options may be changed for other files at once.
 */
void
c2g_tensor_new_from_sound_async (GFile               *file,
                                 C2gSoundOptions     *options,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  Load *job;

  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (options == NULL || C2G_IS_SOUND_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  job = g_new0 (Load, 1);
  job->file = g_object_ref (file);
  job->form = get_form (options);
  c2g_task_start (load, job, load_free, cancellable, callback, user_data);
}

/**
 * c2g_tensor_new_from_sound_finish:
 * @result: what the callback was given
 * @sample_rate: (out) (optional): samples a second of the tensor
 * @error: return location for an error
 *
 * Takes the result of [func@Tensor.new_from_sound_async].
 *
 * Returns: (transfer full): a new tensor
 */
C2gTensor *
c2g_tensor_new_from_sound_finish (GAsyncResult  *result,
                                  guint         *sample_rate,
                                  GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, load), NULL);

  if (sample_rate != NULL)
    *sample_rate = ((const Load *) g_task_get_task_data (G_TASK (result)))->sample_rate;
  return c2g_task_finish (load, result, error);
}

/* Returns sound [samples, channels] of floats on the CPU; a tensor of one dimension is one channel. */
static C2gTensor *
arrange (C2gTensor          *self,
         const C2gSoundForm *form,
         GError            **error)
{
  g_autoptr (C2gTensor) near = c2g_tensor_ref_on_cpu (self, error);
  g_autoptr (C2gTensor) floats = NULL;
  const gint64 column[] = { c2g_tensor_get_n_elements (self), 1 };

  if (near != NULL)
    floats = c2g_tensor_convert (near, C2G_DATA_TYPE_FLOAT, C2G_CONVERT_NONE, error);
  if (floats == NULL || (floats->n_dims == 1 && !c2g_tensor_reshape (floats, column, G_N_ELEMENTS (column), error)))
    return NULL;
  return self->n_dims == 1 || form->is_interleaved ? g_steal_pointer (&floats)
                                                   : c2g_tensor_transpose (floats, NULL, 0, error);
}

static gboolean
check_rate (guint    sample_rate,
            GError **error)
{
  if (sample_rate >= 1 && sample_rate <= C2G_SOUND_MAX_RATE)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Expected a sample rate of 1 to %d, got %u"),
                   C2G_SOUND_MAX_RATE, sample_rate);
}

static gboolean
check_sound (C2gTensor          *self,
             const C2gSoundForm *form,
             GError            **error)
{
  const gint64 n_channels = self->n_dims == 2 ? self->dims[form->is_interleaved ? 1 : 0] : 1;
  g_autofree char *text = NULL;

  /* Integers do not tell which number is the loudest. */
  if (c2g_convert_is_integer (c2g_tensor_get_data_type (self)))
    return c2g_fail (error, C2G_ERROR_TYPE, _("Expected floating-point numbers from -1 to 1, got %s"),
                     c2g_data_type_get_name (c2g_tensor_get_data_type (self)));
  if ((self->n_dims == 1 || self->n_dims == 2) && n_channels >= 1 && n_channels <= MAX_CHANNELS)
    return TRUE;
  text = c2g_tensor_to_string (self, 0);
  return c2g_fail (error, C2G_ERROR_SHAPE, _("Expected sound of 1 to %d channels, %s, got %s"), MAX_CHANNELS,
                   form->is_interleaved ? "[samples, channels]" : "[channels, samples]", text);
}

/* More channels than samples are rare; it is more likely that the dimensions are the other way round. */
static void
suggest_order (C2gTensor           *self,
               const C2gSoundForm  *form,
               GError             **error)
{
  const gboolean is_tall = self->n_dims == 2 && self->dims[0] > self->dims[1];

  if (error == NULL || *error == NULL || !is_tall || form->is_interleaved ||
      !(g_error_matches (*error, C2G_ERROR, C2G_ERROR_SHAPE) || g_error_matches (*error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT)))
    return;
  g_prefix_error (error, _("These are %" PRId64 " channels of %" PRId64 " samples; if it is the other way round, set "
                           "SoundOptions:interleaved: "),
                  self->dims[0], self->dims[1]);
}

/**
 * c2g_tensor_save_sound:
 * @self: a tensor with sound
 * @file: the file to write; its name ends with `.wav`, `.aiff`, `.flac`, `.ogg` or `.opus`
 * @sample_rate: samples a second
 * @options: (nullable): [property@SoundOptions:interleaved] tells the order of the dimensions; `NULL`
 *   for `[channels, samples]`
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Writes a tensor as a sound file: the inverse of [ctor@Tensor.new_from_sound].
 *
 * A tensor of one dimension is one channel. Its numbers are floating-point numbers; divide others
 * first, int16 by 32768. WAV and AIFF keep them, FLAC has integers of 24 bits, in which they saturate
 * at -1 and 1. The tensor is not resampled, and only the order of `options` matters; `.opus` takes 8000, 12000,
 * 16000, 24000 and 48000 samples a second. Capitals in the ending are allowed.
 *
 * ```c
 * g_autoptr (C2gSoundOptions) options = g_object_new (C2G_TYPE_SOUND_OPTIONS, "interleaved", TRUE, NULL);
 *
 * c2g_tensor_save_sound (samples_by_channels, file, 16000, options, NULL, &error);
 * ```
 *
 * ```python
 * tone.save_sound('tone.flac', 16000)
 * samples_by_channels.save_sound('tone.wav', 16000, C2g.SoundOptions(interleaved=True))
 * ```
 *
 * Errors: `C2G_ERROR_INVALID_ARGUMENT` for a rate or a number of channels that the format does not
 * take; `C2G_ERROR_NOT_SUPPORTED` for another ending, or one that this libsndfile does not write;
 * `C2G_ERROR_SHAPE` for dimensions that are no sound; `C2G_ERROR_TYPE` for integers; `C2G_ERROR_RANGE`
 * for NaN and infinity in FLAC, Ogg and Opus; and those of the file.
 *
 * Returns: true on success
 */
gboolean
c2g_tensor_save_sound (C2gTensor        *self,
                       GFile            *file,
                       guint             sample_rate,
                       C2gSoundOptions  *options,
                       GCancellable     *cancellable,
                       GError          **error)
{
  C2gSoundForm form;
  g_autoptr (C2gTensor) sound = NULL;
  gboolean is_saved;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (options == NULL || C2G_IS_SOUND_OPTIONS (options), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_rate (sample_rate, error))
    return FALSE;
  form = get_form (options);
  if (check_sound (self, &form, error))
    sound = arrange (self, &form, error);
  is_saved = sound != NULL && c2g_sound_write (sound, file, sample_rate, cancellable, error);
  if (!is_saved)
    suggest_order (self, &form, error);
  return is_saved;
}
