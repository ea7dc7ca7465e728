/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <glib/gstdio.h>

#include <math.h>

/* More samples than are read at once. */
#define N_SAMPLES 100000

#ifdef HAVE_SOUND

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("c2g-sound-XXXXXX", &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (self->folder);
  g_free (self->folder);
}

static GFile *
new_file (Fixture    *self,
          const char *name)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);

  return g_file_new_for_path (path);
}

/* Makes a low tone on the left, and its negative on the right. */
static C2gTensor *
new_tone (void)
{
  C2gTensor *tensor = c2g_tensor_new_sized ((const gint64[]) { 2, N_SAMPLES }, 2, NULL, NULL);
  float *samples = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);

  for (int i = 0; i < N_SAMPLES; i++)
    {
      samples[i] = 0.5 * sin (i * 0.01);
      samples[N_SAMPLES + i] = -samples[i];
    }
  return tensor;
}

static void
assert_dims (C2gTensor *tensor,
             gint64     first,
             gint64     second)
{
  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, 2);
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 0, NULL), ==, first);
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 1, NULL), ==, second);
}

typedef struct
{
  const char *name;
  guint       rate;
  double      tolerance;
} Format;

static const Format formats[] = {
  { "a.wav", 44100, 0 },
  { "a.aiff", 44100, 0 },
  { "a.flac", 44100, 1e-6 },
  { "a.ogg", 44100, 0.1 },
  { "a.opus", 48000, 0.1 },
};

/* Skips the test where libsndfile was built without the format. */
static gboolean
save_sound (C2gTensor *tensor,
            GFile     *file,
            guint      rate)
{
  g_autoptr (GError) error = NULL;

  c2g_tensor_save_sound (tensor, file, rate, NULL, NULL, &error);
  if (g_error_matches (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
    g_test_skip (error->message);
  else
    g_assert_no_error (error);
  return error == NULL;
}

/* A file is read as it was written, exactly or nearly so. */
static void
test_format (Fixture       *self,
             gconstpointer  data)
{
  const Format *format = data;
  g_autoptr (C2gTensor) tone = new_tone ();
  g_autoptr (GFile) file = new_file (self, format->name);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) back = NULL;
  guint rate;

  if (!save_sound (tone, file, format->rate))
    return;
  back = c2g_tensor_new_from_sound (file, NULL, &rate, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rate, ==, format->rate);
  assert_dims (back, 2, N_SAMPLES);
  for (gsize k = 0; k < 2 * N_SAMPLES; k += 997)
    g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (back, k, NULL), c2g_tensor_get_value (tone, k, NULL),
                                    format->tolerance + 1e-12);
}

static void
test_opus_rates (Fixture       *self,
                 gconstpointer  data)
{
  static const guint rates[] = { 8000, 12000, 16000, 24000, 48000 };
  g_autoptr (C2gTensor) tone = new_tone ();
  g_autoptr (GFile) file = new_file (self, "a.opus");
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (rates); i += c2g_test_is_quick () ? 4 : 1)
    if (!save_sound (tone, file, rates[i]))
      return;
  g_assert_false (c2g_tensor_save_sound (tone, file, 44100, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
}

/* Neither what a header tells nor memory that runs out does harm. */
static void
test_memory (Fixture       *self,
             gconstpointer  data)
{
  C2gDevice *cpu = c2g_device_cpu ();
  C2gAllocator *usual = c2g_allocator_get_default (cpu, NULL);
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (usual, 4 << 20);
  g_autoptr (C2gSoundOptions) options = g_object_new (C2G_TYPE_SOUND_OPTIONS, "sample-rate", 192000, NULL);
  g_autoptr (GFile) file = new_file (self, "a.wav");
  g_autoptr (C2gTensor) tone = new_tone ();
  g_autoptr (C2gTensor) wide = c2g_tensor_new_sized ((const gint64[]) { 1024, 1 }, 2, NULL, NULL);
  g_autoptr (C2gTensor) back = NULL;
  g_autoptr (GError) error = NULL;

  c2g_tensor_allocate (wide, C2G_DATA_TYPE_FLOAT, NULL);
  g_assert_true (c2g_tensor_fill (wide, 0.5, NULL));
  g_assert_true (c2g_allocator_set_default (cpu, limiting, NULL));
  c2g_tensor_save_sound (wide, file, 8000, NULL, NULL, &error);
  g_assert_no_error (error);
  back = c2g_tensor_new_from_sound (file, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_dims (back, 1024, 1);

  c2g_tensor_save_sound (tone, file, 8000, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (c2g_tensor_new_from_sound (file, options, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_true (c2g_allocator_set_default (cpu, usual, NULL));
}

static void
test_options (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr (C2gSoundOptions) options = c2g_sound_options_new ();
  g_autoptr (GFile) file = new_file (self, "a.wav");
  g_autoptr (C2gTensor) tone = new_tone ();
  g_autoptr (C2gTensor) plain = NULL;
  g_autoptr (C2gTensor) half = NULL;
  g_autoptr (C2gTensor) second = NULL;
  g_autoptr (C2gTensor) mono = NULL;
  g_autoptr (GError) error = NULL;
  guint rate;

  c2g_tensor_save_sound (tone, file, 16000, NULL, NULL, &error);
  g_assert_no_error (error);

  g_object_set (options, "interleaved", TRUE, NULL);
  plain = c2g_tensor_new_from_sound (file, options, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_dims (plain, N_SAMPLES, 2);
  g_assert_cmpfloat (c2g_tensor_get_value (plain, 201, NULL), ==, -c2g_tensor_get_value (tone, 100, NULL));

  g_object_set (options, "interleaved", FALSE, "sample-rate", 8000, NULL);
  half = c2g_tensor_new_from_sound (file, options, &rate, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rate, ==, 8000);
  assert_dims (half, 2, N_SAMPLES / 2);
  /* A low tone has the same shape with half as many samples. */
  for (gint64 i = 1000; i < 40000; i += 499)
    g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (half, i, NULL), c2g_tensor_get_value (tone, 2 * i, NULL), 0.01);

  /* A second stays a second. */
  g_assert_true (c2g_tensor_resize (tone, (const gint64[]) { 44100 }, 1, &error));
  c2g_tensor_save_sound (tone, file, 44100, NULL, NULL, &error);
  g_assert_no_error (error);
  g_object_set (options, "sample-rate", 16000, NULL);
  second = c2g_tensor_new_from_sound (file, options, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_dims (second, 1, 16000);

  g_clear_object (&tone);
  tone = new_tone ();
  c2g_tensor_save_sound (tone, file, 16000, NULL, NULL, &error);
  g_assert_no_error (error);
  g_object_set (options, "mono", TRUE, "sample-rate", 0, NULL);
  mono = c2g_tensor_new_from_sound (file, options, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_dims (mono, 1, N_SAMPLES);
  g_assert_cmpfloat (c2g_tensor_get_value (mono, 100, NULL), ==, 0);
}

/* One dimension is one channel, elements of other types become floats, and integers saturate. */
static void
test_conversions (Fixture       *self,
                  gconstpointer  data)
{
  static const double values[] = { 2, -2, 0 };
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized ((const gint64[]) { 3 }, 1, NULL, NULL);
  g_autoptr (GFile) file = new_file (self, "a.flac");
  g_autoptr (C2gTensor) back = NULL;
  g_autoptr (GError) error = NULL;

  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_DOUBLE, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    c2g_tensor_set_value (tensor, i, values[i], NULL);
  c2g_tensor_save_sound (tensor, file, 8000, NULL, NULL, &error);
  g_assert_no_error (error);
  back = c2g_tensor_new_from_sound (file, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_dims (back, 1, 3);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (back, i, NULL), CLAMP (values[i], -1, 1), 1e-6);
}

static void
test_empty (Fixture       *self,
            gconstpointer  data)
{
  g_autoptr (C2gSoundOptions) options = c2g_sound_options_new ();
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized ((const gint64[]) { 2, 0 }, 2, NULL, NULL);
  g_autoptr (GFile) file = new_file (self, "a.wav");
  g_autoptr (C2gTensor) back = NULL;
  g_autoptr (GError) error = NULL;

  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  c2g_tensor_save_sound (tensor, file, 8000, NULL, NULL, &error);
  g_assert_no_error (error);
  g_object_set (options, "mono", TRUE, "sample-rate", 16000, NULL);
  back = c2g_tensor_new_from_sound (file, options, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_dims (back, 1, 0);
}

static void
test_errors (Fixture       *self,
             gconstpointer  data)
{
  static const struct
  {
    const char *name;
    gint64      dims[3];
    gsize       n_dims;
    guint       rate;
    int         code;
    /* UNDEFINED stands for FLOAT. */
    C2gDataType type;
  } cases[] = {
    { "a.txt", { 1, 2 }, 2, 8000, C2G_ERROR_NOT_SUPPORTED },
    { "a.wav", { 1, 2 }, 2, 8000, C2G_ERROR_TYPE, C2G_DATA_TYPE_INT16 },
    { "a.wav", { 1, 1, 2 }, 3, 8000, C2G_ERROR_SHAPE },
    { "a.wav", { 0, 5 }, 2, 8000, C2G_ERROR_SHAPE },
    { "a.wav", { 5000, 1 }, 2, 8000, C2G_ERROR_SHAPE },
    { "a.flac", { 9, 1 }, 2, 8000, C2G_ERROR_INVALID_ARGUMENT },
    { "a.flac", { 1, 9 }, 2, 0, C2G_ERROR_INVALID_ARGUMENT },
    { "a.wav", { 1, 5 }, 2, 0, C2G_ERROR_INVALID_ARGUMENT },
    { "a.wav", { 1, 5 }, 2, G_MAXUINT, C2G_ERROR_INVALID_ARGUMENT },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (cases[i].dims, cases[i].n_dims, NULL, NULL);
      g_autoptr (GFile) file = new_file (self, cases[i].name);
      g_autoptr (GError) error = NULL;

      c2g_tensor_allocate (
        tensor, cases[i].type != C2G_DATA_TYPE_UNDEFINED ? cases[i].type : C2G_DATA_TYPE_FLOAT, NULL);
      g_assert_false (c2g_tensor_save_sound (tensor, file, cases[i].rate, NULL, NULL, &error));
      g_assert_error (error, C2G_ERROR, cases[i].code);
      g_assert_false (g_file_query_exists (file, NULL));
      /* More channels than samples are probably the wrong order. */
      g_assert_true ((strstr (error->message, "SoundOptions:interleaved") != NULL) ==
                     (cases[i].n_dims == 2 && cases[i].dims[0] > cases[i].dims[1]));
    }
}

/* Floating-point formats keep NaN and infinity; the others refuse them with their place. */
static void
test_not_finite (Fixture       *self,
                 gconstpointer  data)
{
  static const char *const names[] = { "a.WAV", "a.Aiff", "a.flac", "a.ogg" };
  static const double values[] = { NAN, INFINITY };

  for (gsize i = 0; i < G_N_ELEMENTS (names) * G_N_ELEMENTS (values); i++)
    {
      const gboolean is_kept = i % G_N_ELEMENTS (names) < 2;
      g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized ((const gint64[]) { 2, 4 }, 2, NULL, NULL);
      g_autoptr (GFile) file = new_file (self, names[i % G_N_ELEMENTS (names)]);
      g_autoptr (C2gTensor) back = NULL;
      g_autoptr (GError) error = NULL;

      c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL);
      c2g_tensor_fill (tensor, 0, NULL);
      c2g_tensor_set_value (tensor, 5, values[i / G_N_ELEMENTS (names)], NULL);
      if (c2g_tensor_save_sound (tensor, file, 8000, NULL, NULL, &error))
        back = c2g_tensor_new_from_sound (file, NULL, NULL, NULL, NULL);
      if (g_error_matches (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
        continue;
      g_assert_true ((back != NULL) == is_kept);
      if (is_kept)
        g_assert_false (isfinite (c2g_tensor_get_value (back, 5, NULL)));
      else
        g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
    }
}

static void
test_bad_files (Fixture       *self,
                gconstpointer  data)
{
  g_autoptr (GFile) folder = g_file_new_for_path (self->folder);
  g_autoptr (GFile) file = new_file (self, "a.wav");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (C2gTensor) tone = new_tone ();
  g_autoptr (C2gTensor) part = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  gsize n_bytes;

  g_assert_null (c2g_tensor_new_from_sound (file, NULL, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_new_from_sound (folder, NULL, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&error);

  g_file_set_contents (g_file_peek_path (file), "no sound at all, only words", -1, NULL);
  g_assert_null (c2g_tensor_new_from_sound (file, NULL, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "a.wav"));
  g_clear_error (&error);

  c2g_tensor_save_sound (tone, file, 8000, NULL, NULL, &error);
  g_assert_no_error (error);
  g_cancellable_cancel (cancellable);
  g_assert_null (c2g_tensor_new_from_sound (file, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_save_sound (tone, file, 8000, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* A file that was cut off gives what it has. */
  g_file_get_contents (g_file_peek_path (file), &contents, &n_bytes, NULL);
  g_file_set_contents (g_file_peek_path (file), contents, n_bytes / 2, NULL);
  part = c2g_tensor_new_from_sound (file, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_dim (part, 1, NULL), >, N_SAMPLES / 3);
  g_assert_cmpint (c2g_tensor_get_dim (part, 1, NULL), <, N_SAMPLES);
}

/* A header of Sun's format, with a number that no encoding has. */
static void
test_unknown_encoding (Fixture       *self,
                       gconstpointer  data)
{
  static const char header[] = ".snd\0\0\0\x18\0\0\0\2\0\0\0\x63\0\0\x1f\x40\0\0\0\1\0";
  g_autoptr (GFile) file = new_file (self, "a.au");
  g_autoptr (GError) error = NULL;

  g_file_set_contents (g_file_peek_path (file), header, sizeof header, NULL);
  g_assert_null (c2g_tensor_new_from_sound (file, NULL, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
}

/* A part that cannot be decoded is an error, at each place. */
static void
test_damaged (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr (GFile) file = new_file (self, "a.flac");
  g_autoptr (C2gTensor) tone = new_tone ();
  g_autofree char *contents = NULL;
  gsize n_bytes;

  if (!save_sound (tone, file, 8000))
    return;
  g_file_get_contents (g_file_peek_path (file), &contents, &n_bytes, NULL);
  for (gsize eighth = 1; eighth < 8; eighth++)
    {
      g_autofree char *damaged = g_memdup2 (contents, n_bytes);
      g_autoptr (GError) error = NULL;

      memset (damaged + eighth * n_bytes / 8, 0, 1000);
      g_file_set_contents (g_file_peek_path (file), damaged, n_bytes, NULL);
      g_assert_null (c2g_tensor_new_from_sound (file, NULL, NULL, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

/* A tag that other programs add behind the sound is no part of it. */
static void
test_tag (Fixture       *self,
          gconstpointer  data)
{
  g_autoptr (GFile) file = new_file (self, "a.flac");
  g_autoptr (C2gTensor) tone = new_tone ();
  g_autoptr (C2gTensor) back = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  gsize n_bytes;

  if (!save_sound (tone, file, 8000))
    return;
  g_file_get_contents (g_file_peek_path (file), &contents, &n_bytes, NULL);
  contents = g_realloc (contents, n_bytes + 128);
  memset (contents + n_bytes, 'x', 128);
  memcpy (contents + n_bytes, "TAG", 3);
  g_file_set_contents (g_file_peek_path (file), contents, n_bytes + 128, NULL);
  back = c2g_tensor_new_from_sound (file, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_dims (back, 2, N_SAMPLES);
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  GAsyncResult **taken = data;

  *taken = g_object_ref (result);
}

static GAsyncResult *
load_in_background (GFile           *file,
                    C2gSoundOptions *options,
                    GCancellable    *cancellable)
{
  GAsyncResult *result = NULL;

  c2g_tensor_new_from_sound_async (file, options, cancellable, loaded_cb, &result);
  /* The job has a copy of the options. */
  g_object_set (options, "mono", FALSE, NULL);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return result;
}

static void
test_background (Fixture       *self,
                 gconstpointer  data)
{
  g_autoptr (C2gSoundOptions) options = g_object_new (C2G_TYPE_SOUND_OPTIONS, "mono", TRUE, NULL);
  g_autoptr (GFile) file = new_file (self, "a.wav");
  g_autoptr (GFile) missing = new_file (self, "b.wav");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (C2gTensor) tone = new_tone ();
  g_autoptr (C2gTensor) mono = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) bad = NULL;
  g_autoptr (GAsyncResult) cancelled = NULL;
  g_autoptr (GError) error = NULL;
  guint rate;

  c2g_tensor_save_sound (tone, file, 8000, NULL, NULL, NULL);
  result = load_in_background (file, options, NULL);
  mono = c2g_tensor_new_from_sound_finish (result, &rate, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rate, ==, 8000);
  assert_dims (mono, 1, N_SAMPLES);

  bad = load_in_background (missing, options, NULL);
  g_assert_null (c2g_tensor_new_from_sound_finish (bad, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  g_cancellable_cancel (cancellable);
  cancelled = load_in_background (file, options, cancellable);
  g_assert_null (c2g_tensor_new_from_sound_finish (cancelled, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

/* Opens both libraries, which may be missing now though they were there when c2g was built. */
static char *
dup_reason_to_skip (void)
{
  g_autoptr (C2gSoundOptions) options = g_object_new (C2G_TYPE_SOUND_OPTIONS, "sample-rate", 16000, NULL);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized ((const gint64[]) { 1, 8 }, 2, NULL, NULL);
  g_autofree char *folder = g_dir_make_tmp ("c2g-sound-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.wav", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (C2gTensor) back = NULL;
  g_autoptr (GError) error = NULL;

  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  c2g_tensor_fill (tensor, 0, NULL);
  if (c2g_tensor_save_sound (tensor, file, 8000, NULL, NULL, &error))
    back = c2g_tensor_new_from_sound (file, options, NULL, NULL, &error);
  g_unlink (path);
  g_rmdir (folder);
  return g_error_matches (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED) ? g_strdup (error->message) : NULL;
}

static void
test_skipped (void)
{
  g_autofree char *reason = dup_reason_to_skip ();

  g_assert_nonnull (reason);
  g_test_skip (reason);
}

static void
add_tests (void)
{
  g_autofree char *reason = dup_reason_to_skip ();

  if (reason != NULL)
    {
      g_test_add_func ("/sound/all", test_skipped);
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *path = g_strconcat ("/sound/formats/", formats[i].name, NULL);

      g_test_add (path, Fixture, &formats[i], set_up, test_format, tear_down);
    }
  ADD ("/sound/opus-rates", test_opus_rates);
  ADD ("/sound/memory", test_memory);
  ADD ("/sound/options", test_options);
  ADD ("/sound/conversions", test_conversions);
  ADD ("/sound/empty", test_empty);
  ADD ("/sound/errors", test_errors);
  ADD ("/sound/not-finite", test_not_finite);
  ADD ("/sound/bad-files", test_bad_files);
  ADD ("/sound/unknown-encoding", test_unknown_encoding);
  ADD ("/sound/damaged", test_damaged);
  ADD ("/sound/tag", test_tag);
  ADD ("/sound/background", test_background);
}

#else

static void
test_without (void)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized ((const gint64[]) { 1, 2 }, 2, NULL, NULL);
  g_autoptr (GFile) file = g_file_new_for_path ("a.wav");
  g_autoptr (GError) error = NULL;

  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  g_assert_false (c2g_tensor_save_sound (tensor, file, 8000, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
}

static void
add_tests (void)
{
  g_test_add_func ("/sound/without", test_without);
}

#endif

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_tests ();

  return g_test_run ();
}
