/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/sound/c2g-sound-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-i18n-private.h>

#include <string.h>

/* Reads and writes sound files by libsndfile, and changes sample rates by libsamplerate. Each of them
 * is opened when it is first used. */

#ifdef HAVE_SOUND

# include <c2g/io/stream/c2g-sink-private.h>
# include <c2g/core/types/c2g-library-private.h>

# include <inttypes.h>
# include <math.h>
# include <samplerate.h>
# include <sndfile.h>

# define SOUND_FILE_LIBRARY "libsndfile.so.1"
# define RESAMPLING_LIBRARY "libsamplerate.so.0"

/* Samples of all channels together that are read or written between two looks at the cancellable. */
# define BLOCK 65536

static struct
{
  __typeof__ (sf_open_virtual) *open_virtual;
  __typeof__ (sf_readf_float)  *readf_float;
  __typeof__ (sf_writef_float) *writef_float;
  __typeof__ (sf_command)      *command;
  __typeof__ (sf_error)        *error;
  __typeof__ (sf_error_number) *error_number;
  __typeof__ (sf_close)        *close;
} sf;

static struct
{
  __typeof__ (src_simple)   *simple;
  __typeof__ (src_strerror) *strerror;
} src;

static const C2gLibraryFunction sf_functions[] = {
  { "sf_open_virtual", (gpointer *) &sf.open_virtual },
  { "sf_readf_float", (gpointer *) &sf.readf_float },
  { "sf_writef_float", (gpointer *) &sf.writef_float },
  { "sf_command", (gpointer *) &sf.command },
  { "sf_error", (gpointer *) &sf.error },
  { "sf_error_number", (gpointer *) &sf.error_number },
  { "sf_close", (gpointer *) &sf.close },
};

static const C2gLibraryFunction src_functions[] = {
  { "src_simple", (gpointer *) &src.simple },
  { "src_strerror", (gpointer *) &src.strerror },
};

/* The format for each ending of a name. */
static const struct
{
  const char *ending;
  int         format;
} formats[] = {
  { ".wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT },
  { ".aiff", SF_FORMAT_AIFF | SF_FORMAT_FLOAT },
  { ".flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_24 },
  { ".ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS },
  { ".opus", SF_FORMAT_OGG | SF_FORMAT_OPUS },
};

static gpointer
open_sound_files (gpointer data)
{
  return c2g_library_open (SOUND_FILE_LIBRARY, sf_functions, G_N_ELEMENTS (sf_functions));
}

static gpointer
open_resampling (gpointer data)
{
  return c2g_library_open (RESAMPLING_LIBRARY, src_functions, G_N_ELEMENTS (src_functions));
}

static gboolean
check_library (GOnce       *once,
               GThreadFunc  open,
               const char  *name,
               GError     **error)
{
  const char *reason = g_once (once, open, NULL);

  return reason == NULL ||
         c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("Sound needs %s, which cannot be opened: %s"), name, reason);
}

static gboolean
check_sound_files (GError **error)
{
  static GOnce once = G_ONCE_INIT;

  return check_library (&once, open_sound_files, "libsndfile", error);
}

/* A file for libsndfile: an input stream or an output stream that can seek, and the first error. */
typedef struct
{
  gpointer      stream;
  GCancellable *cancellable;
  GError       *error;
  SNDFILE      *handle;
} SoundFile;

static void
sound_file_clear (SoundFile *self)
{
  if (self->handle != NULL)
    sf.close (self->handle);
  g_clear_object (&self->stream);
  g_clear_error (&self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SoundFile, sound_file_clear)

/* Keeps the first error, and the others are dropped. */
static GError **
first_error (SoundFile *self)
{
  return self->error == NULL ? &self->error : NULL;
}

static sf_count_t
seek_cb (sf_count_t  offset,
         int         whence,
         void       *data)
{
  static const GSeekType types[] = { [SEEK_SET] = G_SEEK_SET, [SEEK_CUR] = G_SEEK_CUR, [SEEK_END] = G_SEEK_END };
  SoundFile *self = data;

  return g_seekable_seek (self->stream, offset, types[whence], self->cancellable, first_error (self))
           ? g_seekable_tell (self->stream)
           : -1;
}

static sf_count_t
tell_cb (void *data)
{
  SoundFile *self = data;

  return g_seekable_tell (self->stream);
}

static sf_count_t
get_length_cb (void *data)
{
  const sf_count_t position = tell_cb (data);
  const sf_count_t length = seek_cb (0, SEEK_END, data);

  seek_cb (position, SEEK_SET, data);
  return length;
}

static sf_count_t
read_cb (void       *bytes,
         sf_count_t  n_bytes,
         void       *data)
{
  SoundFile *self = data;
  gsize n_read;

  g_input_stream_read_all (self->stream, bytes, n_bytes, &n_read, self->cancellable, first_error (self));
  return n_read;
}

static sf_count_t
write_cb (const void *bytes,
          sf_count_t  n_bytes,
          void       *data)
{
  SoundFile *self = data;
  gsize n_written;

  g_output_stream_write_all (self->stream, bytes, n_bytes, &n_written, self->cancellable, first_error (self));
  return n_written;
}

/* Reports the error of the stream or, if it has none, FAILURE of libsndfile with our CODE. */
static gboolean
fail (SoundFile *self,
      int        failure,
      int        code,
      GError   **error)
{
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  if (failure == SF_ERR_NO_ERROR)
    return c2g_fail (error, code, _("libsndfile did not take all samples, and does not say why"));
  return c2g_fail (error, code, _("libsndfile says: %s"), sf.error_number (failure));
}

/* A format does not take each rate and each number of channels. */
static gboolean
open_sound (SoundFile *self,
            int        mode,
            SF_INFO   *info,
            GError   **error)
{
  /* The error of a file that did not open is one for all threads. */
  static GMutex lock;
  SF_VIRTUAL_IO functions = { get_length_cb, seek_cb, read_cb, write_cb, tell_cb };
  int code = C2G_ERROR_INVALID_ARGUMENT;
  int failure;

  g_mutex_lock (&lock);
  self->handle = sf.open_virtual (&functions, mode, info, self);
  failure = sf.error (self->handle);
  g_mutex_unlock (&lock);
  if (self->handle != NULL)
    return TRUE;
  if (mode == SFM_READ)
    code = failure == SF_ERR_UNRECOGNISED_FORMAT || failure == SF_ERR_UNSUPPORTED_ENCODING ? C2G_ERROR_NOT_SUPPORTED
                                                                                           : C2G_ERROR_CORRUPT;
  return fail (self, failure, code, error);
}

static gint64
get_block (int n_channels)
{
  return MAX (1, BLOCK / n_channels);
}

/* Reads all samples, and nothing behind them. The length that the file tells is not believed: memory grows with what
 * there is. */
static C2gTensor *
read_samples (SoundFile     *self,
              const SF_INFO *info,
              GError       **error)
{
  const gint64 dims[] = { 0, info->channels };
  const gint64 block = get_block (info->channels);
  g_autoptr (C2gTensor) sound = c2g_tensor_new_sized (dims, G_N_ELEMENTS (dims), NULL, error);
  gint64 n_samples = 0;
  sf_count_t n_read = block;

  if (sound == NULL || !c2g_tensor_allocate (sound, C2G_DATA_TYPE_FLOAT, error))
    return NULL;
  while (n_read == block && n_samples < info->frames)
    {
      const gint64 n_wanted = MIN (block, info->frames - n_samples);
      float *samples = NULL;
      int failure;

      if (c2g_tensor_extend (sound, n_wanted, 100, NULL, error))
        samples = c2g_tensor_mutable_data (sound, C2G_DATA_TYPE_FLOAT, error);
      if (samples == NULL)
        return NULL;
      n_read = sf.readf_float (self->handle, samples + n_samples * info->channels, n_wanted);
      failure = sf.error (self->handle);
      if (self->error != NULL || failure != 0)
        {
          fail (self, failure, C2G_ERROR_CORRUPT, error);
          return NULL;
        }
      n_samples += n_read;
      if (!c2g_tensor_shrink (sound, n_samples, error))
        return NULL;
    }
  return g_steal_pointer (&sound);
}

static C2gTensor *
read_sound (GFile         *file,
            guint         *sample_rate,
            GCancellable  *cancellable,
            GError       **error)
{
  g_auto (SoundFile) self = { .cancellable = cancellable };
  SF_INFO info = { 0 };

  if (!check_sound_files (error))
    return NULL;
  self.stream = g_file_read (file, cancellable, error);
  if (self.stream == NULL || !open_sound (&self, SFM_READ, &info, error))
    return NULL;
  *sample_rate = info.samplerate;
  return read_samples (&self, &info, error);
}

static gboolean
is_known (int format)
{
  SF_FORMAT_INFO info = { .format = format };

  return sf.command (NULL, SFC_GET_FORMAT_INFO, &info, sizeof info) == 0;
}

/* Chooses the format by the ending of the file's name. A libsndfile may be built without some. */
static gboolean
find_format (GFile   *file,
             int     *format,
             GError **error)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *lower = g_ascii_strdown (name, -1);
  g_autoptr (GString) endings = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_string_append_printf (endings, "%s%s", i == 0 ? "" : _(", "), formats[i].ending);
      if (!g_str_has_suffix (lower, formats[i].ending))
        continue;
      *format = formats[i].format;
      return (is_known (*format & SF_FORMAT_TYPEMASK) && is_known (*format & SF_FORMAT_SUBMASK)) ||
             c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("This libsndfile does not write files that end with %s"),
                       formats[i].ending);
    }
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("Expected a name that ends with one of %s"), endings->str);
}

/* Only floating-point formats hold NaN and infinity. The encoders of the others fail without an error, or write noise. */
static gboolean
check_finite (const float *samples,
              gint64       n,
              GError     **error)
{
  for (gint64 i = 0; i < n; i++)
    if (!isfinite (samples[i]))
      return c2g_fail (error, C2G_ERROR_RANGE, _("Number %" PRId64 " of the sound is %f, which only WAV and AIFF keep"), i,
                       samples[i]);
  return TRUE;
}

static gboolean
write_samples (SoundFile *self,
               int        format,
               C2gTensor *sound,
               GError   **error)
{
  const float *samples = c2g_tensor_data (sound, C2G_DATA_TYPE_FLOAT, error);
  const gint64 n_samples = sound->dims[0];
  const gint64 block = get_block (sound->dims[1]);
  int failure;

  if (samples == NULL && n_samples > 0)
    return FALSE;
  if ((format & SF_FORMAT_SUBMASK) != SF_FORMAT_FLOAT && !check_finite (samples, n_samples * sound->dims[1], error))
    return FALSE;
  /* Integers saturate, as they do not by default. */
  sf.command (self->handle, SFC_SET_CLIPPING, NULL, SF_TRUE);
  for (gint64 i = 0; i < n_samples; i += block)
    {
      const gint64 n = MIN (block, n_samples - i);

      if (g_cancellable_set_error_if_cancelled (self->cancellable, first_error (self)) ||
          sf.writef_float (self->handle, samples + i * sound->dims[1], n) != n)
        return fail (self, sf.error (self->handle), C2G_ERROR_FAILED, error);
    }
  /* Closing completes the header. */
  failure = sf.close (g_steal_pointer (&self->handle));
  return (self->error == NULL && failure == 0) || fail (self, failure, C2G_ERROR_FAILED, error);
}

/* Writes into memory, because formats go back to their headers and a file is replaced as a whole. */
static gboolean
write_sound (C2gTensor     *sound,
             GFile         *file,
             guint          sample_rate,
             GCancellable  *cancellable,
             GError       **error)
{
  g_auto (SoundFile) self = { .cancellable = cancellable };
  g_autoptr (C2gSink) sink = NULL;
  SF_INFO info = { .samplerate = sample_rate, .channels = sound->dims[1] };

  if (!check_sound_files (error) || !find_format (file, &info.format, error))
    return FALSE;
  self.stream = g_memory_output_stream_new (NULL, 0, g_try_realloc, g_free);
  if (!open_sound (&self, SFM_WRITE, &info, error) || !write_samples (&self, info.format, sound, error))
    return FALSE;
  sink = c2g_sink_new_for_file (file, cancellable, error);
  return sink != NULL &&
         c2g_sink_write (sink, g_memory_output_stream_get_data (self.stream),
                         g_memory_output_stream_get_data_size (self.stream), NULL, error) &&
         c2g_sink_commit (sink, cancellable, error);
}

static C2gTensor *
resample (C2gTensor *sound,
          guint      from,
          guint      to,
          GError   **error)
{
  static GOnce once = G_ONCE_INIT;
  const double ratio = (double) to / from;
  const gint64 n_channels = sound->dims[1];
  const gint64 n_rounded = rint (sound->dims[0] * ratio);
  /* Sound that is not empty stays so. */
  const gint64 n_wanted = sound->dims[0] > 0 ? MAX (n_rounded, 1) : 0;
  const gint64 dims[] = { n_wanted, n_channels };
  SRC_DATA job = { .input_frames = sound->dims[0], .output_frames = dims[0], .src_ratio = ratio };
  g_autoptr (C2gTensor) resampled = NULL;
  int code;

  if (!check_library (&once, open_resampling, "libsamplerate", error))
    return NULL;
  resampled = c2g_tensor_new_sized (dims, G_N_ELEMENTS (dims), NULL, error);
  if (resampled == NULL || !c2g_tensor_allocate (resampled, C2G_DATA_TYPE_FLOAT, error))
    return NULL;
  if (dims[0] == 0)
    return g_steal_pointer (&resampled);
  job.data_in = c2g_tensor_data (sound, C2G_DATA_TYPE_FLOAT, NULL);
  job.data_out = c2g_tensor_mutable_data (resampled, C2G_DATA_TYPE_FLOAT, NULL);
  code = src.simple (&job, SRC_SINC_MEDIUM_QUALITY, n_channels);
  if (code != 0)
    return c2g_fail_null (error, C2G_ERROR_RANGE, _("Sound of %u samples a second cannot become one of %u: %s"), from,
                          to, src.strerror (code));
  /* A second stays a second: libsamplerate may end a sample early, and silence takes its place. */
  if (n_wanted > job.output_frames_gen)
    memset (job.data_out + job.output_frames_gen * n_channels, 0, (n_wanted - job.output_frames_gen) * n_channels * sizeof (float));
  return c2g_tensor_shrink (resampled, n_wanted, error) ? g_steal_pointer (&resampled) : NULL;
}

#else

static gboolean
fail_without_sound (GError **error)
{
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("This c2g was built without libsndfile and libsamplerate, and knows no sound files"));
}

static C2gTensor *
read_sound (GFile         *file,
            guint         *sample_rate,
            GCancellable  *cancellable,
            GError       **error)
{
  fail_without_sound (error);
  return NULL;
}

static gboolean
write_sound (C2gTensor     *sound,
             GFile         *file,
             guint          sample_rate,
             GCancellable  *cancellable,
             GError       **error)
{
  return fail_without_sound (error);
}

static C2gTensor *
resample (C2gTensor *sound,
          guint      from,
          guint      to,
          GError   **error)
{
  fail_without_sound (error);
  return NULL;
}

#endif

/* Messages of GIO have the name already. */
static void
add_file_name (GFile   *file,
               GError **error)
{
  g_autofree char *name = g_file_get_parse_name (file);

  if (error != NULL && strstr ((*error)->message, name) == NULL)
    g_prefix_error (error, "%s: ", name);
}

C2gTensor *
c2g_sound_read (GFile         *file,
                guint         *sample_rate,
                GCancellable  *cancellable,
                GError       **error)
{
  C2gTensor *sound = read_sound (file, sample_rate, cancellable, error);

  if (sound == NULL)
    add_file_name (file, error);
  return sound;
}

gboolean
c2g_sound_write (C2gTensor     *sound,
                 GFile         *file,
                 guint          sample_rate,
                 GCancellable  *cancellable,
                 GError       **error)
{
  if (write_sound (sound, file, sample_rate, cancellable, error))
    return TRUE;
  add_file_name (file, error);
  return FALSE;
}

C2gTensor *
c2g_sound_resample (C2gTensor *sound,
                    guint      from,
                    guint      to,
                    GError   **error)
{
  return from != to ? resample (sound, from, to, error) : g_object_ref (sound);
}
