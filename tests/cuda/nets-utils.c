/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/nets-utils.h"

#include <math.h>

/* An input of the cases: random numbers of a range, or the given ones. */
typedef struct
{
  const char *name;
  C2gDataType type;
  gint64      dims[5];
  double      low;
  double      high;
  const char *given;
} Input;

#define END -1
#define MANY ((gint64) 1 << 62)

static const Input inputs[] = {
  { "X", C2G_DATA_TYPE_FLOAT, { 2, 6, 7, 9, END }, -0.5, 0.5 },
  { "Y", C2G_DATA_TYPE_FLOAT, { 2, 6, 7, 9, END }, -0.5, 0.5 },
  { "Z", C2G_DATA_TYPE_FLOAT, { 6, END }, -0.5, 0.5 },
  { "Z2", C2G_DATA_TYPE_FLOAT, { 6, END }, -0.5, 0.5 },
  { "Z3", C2G_DATA_TYPE_FLOAT, { 6, END }, 0.1, 0.6 },
  { "Z1", C2G_DATA_TYPE_FLOAT, { 7, 1, END }, -0.5, 0.5 },
  { "W", C2G_DATA_TYPE_FLOAT, { 6, 6, 3, 3, END }, -0.5, 0.5 },
  { "W1", C2G_DATA_TYPE_FLOAT, { 6, 6, 1, 1, END }, -0.5, 0.5 },
  { "Wg", C2G_DATA_TYPE_FLOAT, { 6, 2, 3, 3, END }, -0.5, 0.5 },
  { "Wd", C2G_DATA_TYPE_FLOAT, { 6, 1, 3, 3, END }, -0.5, 0.5 },
  { "Wl", C2G_DATA_TYPE_FLOAT, { 6, 3, 3, 9, END }, -0.5, 0.5 },
  { "Wt", C2G_DATA_TYPE_FLOAT, { 9, 3, 2, 4, END }, -0.5, 0.5 },
  { "b", C2G_DATA_TYPE_FLOAT, { 6, END }, -0.5, 0.5 },
  { "Wf", C2G_DATA_TYPE_FLOAT, { 5, 378, END }, -0.5, 0.5 },
  { "bf", C2G_DATA_TYPE_FLOAT, { 5, END }, -0.5, 0.5 },
  { "b4", C2G_DATA_TYPE_FLOAT, { 4, END }, -0.5, 0.5 },
  { "c9", C2G_DATA_TYPE_FLOAT, { 9, END }, -0.5, 0.5 },
  { "d9", C2G_DATA_TYPE_FLOAT, { 9, END }, -0.5, 0.5 },
  { "m9", C2G_DATA_TYPE_FLOAT, { 9, END }, -0.5, 0.5 },
  { "v9", C2G_DATA_TYPE_FLOAT, { 9, END }, 0.1, 0.6 },
  { "sums", C2G_DATA_TYPE_FLOAT, { 6, END }, 9, 20 },
  { "zeros", C2G_DATA_TYPE_FLOAT, { 2, 3, END }, 0, 0 },
  { "c378", C2G_DATA_TYPE_FLOAT, { 378, END }, -0.5, 0.5 },
  { "d378", C2G_DATA_TYPE_FLOAT, { 378, END }, -0.5, 0.5 },
  /* Odd sizes, no elements, and a single number. */
  { "O", C2G_DATA_TYPE_FLOAT, { 3, 5, 1, 13, END }, -2, 2 },
  { "E", C2G_DATA_TYPE_FLOAT, { 0, 6, 7, 9, END }, 0, 1 },
  { "E2", C2G_DATA_TYPE_FLOAT, { 2, 6, 0, 9, END }, 0, 1 },
  { "S", C2G_DATA_TYPE_FLOAT, { END }, 1, 2 },
  { "S1", C2G_DATA_TYPE_FLOAT, { 1, END }, 1, 2 },
  { "N", C2G_DATA_TYPE_FLOAT, { 4, 3, END }, 0, 0, "0 nan 1 -inf nan 2 -0 inf 3 4 nan 5" },
  { "M", C2G_DATA_TYPE_FLOAT, { 5, 7, END }, -1, 1 },
  { "M2", C2G_DATA_TYPE_FLOAT, { 7, 4, END }, -1, 1 },
  { "M3", C2G_DATA_TYPE_FLOAT, { 4, 7, END }, -1, 1 },
  { "T", C2G_DATA_TYPE_FLOAT, { 3, 5, 7, END }, -1, 1 },
  { "T2", C2G_DATA_TYPE_FLOAT, { 3, 7, 4, END }, -1, 1 },
  { "T3", C2G_DATA_TYPE_FLOAT, { 3, 1, 7, 4, END }, -1, 1 },
  { "E3", C2G_DATA_TYPE_FLOAT, { 3, 0, 7, END }, 0, 1 },
  { "ties", C2G_DATA_TYPE_FLOAT, { 3, 5, END }, 0, 0, "1 2 2 0 1 3 3 3 3 3 -1 -2 -1 -2 0" },
  /* Other types. */
  { "D", C2G_DATA_TYPE_DOUBLE, { 3, 5, 4, END }, -9, 9 },
  { "H", C2G_DATA_TYPE_FLOAT16, { 3, 5, 4, END }, -9, 9 },
  { "i", C2G_DATA_TYPE_INT32, { 3, 5, 4, END }, -100, 100 },
  { "j", C2G_DATA_TYPE_INT32, { 3, 5, 4, END }, -100, 100 },
  { "l", C2G_DATA_TYPE_INT64, { 3, 5, 4, END }, -100, 100 },
  { "u", C2G_DATA_TYPE_UINT8, { 3, 5, 4, END }, 0, 255 },
  { "B", C2G_DATA_TYPE_BOOL, { 2, 6, 7, 9, END }, 0, 2 },
  { "B2", C2G_DATA_TYPE_BOOL, { 2, END }, 0, 0, "0 1" },
  { "B3", C2G_DATA_TYPE_BOOL, { 3, END }, 0, 0, "1 0 1" },
  { "B0", C2G_DATA_TYPE_BOOL, { END }, 0, 0, "1" },
  /* Indices, shapes and labels. */
  { "at", C2G_DATA_TYPE_INT32, { 5, END }, 0, 0, "1 0 1 1 0" },
  { "at64", C2G_DATA_TYPE_INT64, { 2, 2, END }, 0, 0, "1 0 0 1" },
  { "back", C2G_DATA_TYPE_INT32, { 2, END }, 0, 0, "-1 -2" },
  { "out_at", C2G_DATA_TYPE_INT32, { 2, END }, 0, 0, "0 2" },
  { "own", C2G_DATA_TYPE_INT64, { 2, 3, END }, 0, 0, "5 0 1 2 3 4" },
  { "none", C2G_DATA_TYPE_INT32, { 0, END }, 0, 0, "" },
  { "shape", C2G_DATA_TYPE_INT64, { 2, END }, 0, 0, "4 -1" },
  { "shape32", C2G_DATA_TYPE_INT32, { 3, END }, 0, 0, "0 2 -1" },
  { "starts", C2G_DATA_TYPE_INT32, { 2, END }, 0, 0, "0 1" },
  { "ends", C2G_DATA_TYPE_INT32, { 2, END }, 0, 0, "-1 4" },
  { "three", C2G_DATA_TYPE_INT32, { 1, END }, 0, 0, "3" },
  { "eight", C2G_DATA_TYPE_INT64, { 1, END }, 0, 0, "8" },
  { "one", C2G_DATA_TYPE_INT32, { 1, END }, 0, 0, "1" },
  { "hot", C2G_DATA_TYPE_INT64, { 4, END }, 0, 0, "7 0 3 3" },
  { "hot32", C2G_DATA_TYPE_INT32, { 3, END }, 0, 0, "2 0 1" },
  { "labels", C2G_DATA_TYPE_INT32, { 5, END }, 0, 0, "0 6 3 2 5" },
  { "bad", C2G_DATA_TYPE_INT32, { 5, END }, 0, 0, "0 7 3 2 5" },
  { "scales", C2G_DATA_TYPE_FLOAT, { 2, END }, 0, 0, "1.7 0.6" },
  { "low", C2G_DATA_TYPE_FLOAT, { 1, END }, 0, 0, "2" },
  { "high", C2G_DATA_TYPE_FLOAT, { 1, END }, 0, 0, "3" },
  /* Losses: scores, probabilities and labels of rows, of one row less, and of pixels. */
  { "P", C2G_DATA_TYPE_FLOAT, { 3, 4, END }, 0, 0, "0.1 0.2 0.3 0.4 0.25 0.25 0.5 0 1 0 0 0" },
  { "Q", C2G_DATA_TYPE_FLOAT, { 3, 4, END }, -3, 3 },
  { "Q1", C2G_DATA_TYPE_FLOAT, { 3, 4, END }, -1, 2 },
  { "half_sure", C2G_DATA_TYPE_FLOAT, { 2, 4, END }, 0, 0, "0.1 0.2 0.3 0.4 0.25 0.25 0.4 0" },
  { "Q2", C2G_DATA_TYPE_FLOAT, { 2, 4, END }, -3, 3 },
  { "wide", C2G_DATA_TYPE_FLOAT, { 3, 4, END }, -90, 90 },
  { "truth", C2G_DATA_TYPE_INT32, { 3, END }, 0, 0, "1 3 0" },
  { "weights", C2G_DATA_TYPE_FLOAT, { 3, END }, 0.5, 1.5 },
  { "none_weights", C2G_DATA_TYPE_FLOAT, { 3, END }, 0, 0, "0 0 0" },
  { "no_rows", C2G_DATA_TYPE_FLOAT, { 0, 4, END }, 0, 0, "" },
  { "places", C2G_DATA_TYPE_INT32, { 2, 7, 9, END }, -1.9, 6 },
  { "bad_places", C2G_DATA_TYPE_INT32, { 2, 7, 9, END }, -2.9, 6 },
  { "place_weights", C2G_DATA_TYPE_FLOAT, { 2, 7, 9, END }, 0.5, 1.5 },
  /* Optimizers: gradients, moments and squares for M, and for some of its rows. */
  { "Mg", C2G_DATA_TYPE_FLOAT, { 5, 7, END }, -1, 1 },
  { "Mm", C2G_DATA_TYPE_FLOAT, { 5, 7, END }, -1, 1 },
  { "Mv", C2G_DATA_TYPE_FLOAT, { 5, 7, END }, 0.1, 1 },
  { "Md", C2G_DATA_TYPE_FLOAT, { 5, 7, END }, 0.1, 1 },
  { "Mh", C2G_DATA_TYPE_FLOAT16, { 5, 7, END }, -1, 1 },
  { "rate", C2G_DATA_TYPE_FLOAT, { 1, END }, 0, 0, "-0.1" },
  { "part", C2G_DATA_TYPE_FLOAT, { 1, END }, 0, 0, "0.3" },
  { "iteration", C2G_DATA_TYPE_INT64, { 1, END }, 0, 0, "7" },
  { "rows", C2G_DATA_TYPE_INT32, { 4, END }, 0, 0, "2 0 2 4" },
  { "rows64", C2G_DATA_TYPE_INT64, { 4, END }, 0, 0, "1 1 3 1" },
  { "bad_rows", C2G_DATA_TYPE_INT64, { 4, END }, 0, 0, "1 1 5 1" },
  { "Sg", C2G_DATA_TYPE_FLOAT, { 4, 7, END }, -1, 1 },
  { "no_gradients", C2G_DATA_TYPE_FLOAT, { 0, 7, END }, 0, 0, "" },
  { "Rv", C2G_DATA_TYPE_FLOAT, { 5, END }, 0.1, 1 },
  { "E5", C2G_DATA_TYPE_FLOAT, { 5, 0, END }, 0, 0, "" },
  { "E4", C2G_DATA_TYPE_FLOAT, { 4, 0, END }, 0, 0, "" },
  /* Rows longer than a warp, of which more than one occurs often. */
  { "L", C2G_DATA_TYPE_FLOAT, { 9, 70, END }, -1, 1 },
  { "Lm", C2G_DATA_TYPE_FLOAT, { 9, 70, END }, -1, 1 },
  { "Lv", C2G_DATA_TYPE_FLOAT, { 9, END }, 0.1, 1 },
  { "Lg", C2G_DATA_TYPE_FLOAT, { 40, 70, END }, -1, 1 },
  { "many_rows", C2G_DATA_TYPE_INT32, { 40, END }, 0, 9 },
  { "l3", C2G_DATA_TYPE_INT64, { 2, 5, 4, END }, -100, 100 },
  { "u3", C2G_DATA_TYPE_UINT8, { 2, 5, 4, END }, 0, 255 },
  { "two_rows", C2G_DATA_TYPE_INT32, { 2, END }, 0, 0, "2 0" },
  { "lengths3", C2G_DATA_TYPE_INT32, { 4, END }, 0, 0, "2 0 1 0" },
  { "lengths4", C2G_DATA_TYPE_INT32, { 3, END }, 0, 0, "3 0 1" },
  { "weights4", C2G_DATA_TYPE_FLOAT, { 4, END }, -1, 1 },
  { "bits", C2G_DATA_TYPE_INT32, { 1, END }, 0, 0, "32" },
  { "no_lengths", C2G_DATA_TYPE_INT32, { 0, END }, 0, 0, "" },
  { "lengths5", C2G_DATA_TYPE_INT64, { 5, END }, 0, 0, "3 0 2 1 3" },
  { "lengths64", C2G_DATA_TYPE_INT64, { 3, END }, 0, 0, "0 2 1" },
  { "long_lengths", C2G_DATA_TYPE_INT32, { 2, END }, 0, 0, "5 95" },
  { "bad_lengths", C2G_DATA_TYPE_INT32, { 3, END }, 0, 0, "3 -1 1" },
  { "huge_lengths", C2G_DATA_TYPE_INT64, { 3, END }, 0, 0, "4294967296 0 1" },
  /* Many rows without elements. */
  { "many_lengths", C2G_DATA_TYPE_INT64, { 1, END }, 0, 0, "4611686018427387904" },
  { "ones", C2G_DATA_TYPE_INT32, { 3, END }, 0, 0, "1 1 1" },
  { "many_empty", C2G_DATA_TYPE_FLOAT, { MANY, 0, END }, 0, 0, "" },
  { "many_steps", C2G_DATA_TYPE_FLOAT, { MANY, 1, 0, END }, 0, 0, "" },
  { "wide_empty", C2G_DATA_TYPE_FLOAT, { 3, MANY, 0, END }, 0, 0, "" },
  { "many_states", C2G_DATA_TYPE_FLOAT, { 1, MANY, 0, END }, 0, 0, "" },
  { "ids", C2G_DATA_TYPE_INT32, { 5, END }, 0, 0, "0 0 2 2 4" },
  { "ids64", C2G_DATA_TYPE_INT64, { 3, END }, 0, 0, "1 1 2" },
  /* Pictures. */
  { "pixels", C2G_DATA_TYPE_UINT8, { 2, 5, 7, 4, END }, 0, 255 },
  { "planes", C2G_DATA_TYPE_FLOAT, { 2, 3, 5, 7, END }, -200, 200 },
  { "mean", C2G_DATA_TYPE_FLOAT, { 3, END }, 0, 200 },
  /* States and gates of recurrent units, of which some are saturated, and steps of two sequences. */
  { "hidden", C2G_DATA_TYPE_FLOAT, { 1, 4, 5, END }, -1, 1 },
  { "cells", C2G_DATA_TYPE_FLOAT, { 1, 4, 5, END }, -2, 2 },
  { "lstm_gates", C2G_DATA_TYPE_FLOAT, { 1, 4, 20, END }, -3, 3 },
  { "wide_gates", C2G_DATA_TYPE_FLOAT, { 1, 4, 20, END }, -200, 200 },
  { "gru_gates", C2G_DATA_TYPE_FLOAT, { 1, 4, 15, END }, -3, 3 },
  { "unit_lengths", C2G_DATA_TYPE_INT32, { 4, END }, 0, 0, "3 0 1 2" },
  { "no_states", C2G_DATA_TYPE_FLOAT, { 1, 0, 5, END }, 0, 0, "" },
  { "no_gates", C2G_DATA_TYPE_FLOAT, { 1, 0, 20, END }, 0, 0, "" },
  { "steps", C2G_DATA_TYPE_FLOAT, { 3, 2, 20, END }, -2, 2 },
  { "cont", C2G_DATA_TYPE_FLOAT, { 3, 2, END }, 0, 0, "0 1 1 0 0.5 1" },
  { "step_weights", C2G_DATA_TYPE_FLOAT, { 20, 5, END }, -1, 1 },
  { "rnn_steps", C2G_DATA_TYPE_FLOAT, { 3, 2, 5, END }, -2, 2 },
  { "rnn_weights", C2G_DATA_TYPE_FLOAT, { 5, 5, END }, -1, 1 },
  { "old_hidden", C2G_DATA_TYPE_FLOAT, { 1, 2, 5, END }, 0, 0, "inf nan -inf 1 2 0.5 -0.25 0 1 -1" },
  { "old_cells", C2G_DATA_TYPE_FLOAT, { 1, 2, 5, END }, 0, 0, "nan inf 1 -1 3 2 -0.5 0.75 0 -2" },
  { "no_steps", C2G_DATA_TYPE_FLOAT, { 0, 2, 20, END }, 0, 0, "" },
  { "no_cont", C2G_DATA_TYPE_FLOAT, { 0, 2, END }, 0, 0, "" },
  { "no_sequences", C2G_DATA_TYPE_FLOAT, { 3, 0, 20, END }, 0, 0, "" },
  { "cont_of_none", C2G_DATA_TYPE_FLOAT, { 3, 0, END }, 0, 0, "" },
  /* Regions of X: inside, partly and wholly outside, backwards, a point, and huge. */
  { "regions", C2G_DATA_TYPE_FLOAT, { 7, 5, END }, 0, 0, "0 1 1 5 4.5 1 -3.2 2 4 30 1 40 50 60 70 0 6 5 2 1 1 3 3 3 3 0 -1e30 -1e30 1e30 1e30 1.9 0 0 8 6" },
  { "forward", C2G_DATA_TYPE_FLOAT, { 3, 5, END }, 0, 0, "1 0.5 0 7.25 5 0 -4 -4 30 30 1 2 2 2 2" },
  { "boxes", C2G_DATA_TYPE_FLOAT, { 2, 4, END }, 0, 0, "0 0 8 6 2.5 1.5 6 3" },
  { "no_regions", C2G_DATA_TYPE_FLOAT, { 0, 5, END }, 0, 0, "" },
  { "nan_region", C2G_DATA_TYPE_FLOAT, { 2, 5, END }, 0, 0, "0 1 1 5 4.5 0 1 nan 5 4" },
  { "far_region", C2G_DATA_TYPE_FLOAT, { 2, 5, END }, 0, 0, "0 1 1 5 4.5 2 1 1 5 4" },
  { "nan_image", C2G_DATA_TYPE_FLOAT, { 1, 5, END }, 0, 0, "nan 1 1 5 4.5" },
  { "planes0", C2G_DATA_TYPE_FLOAT, { 2, 0, 7, 9, END }, 0, 1 },
  { "NaNs", C2G_DATA_TYPE_FLOAT, { 2, 1, 2, 3, END }, 0, 0, "nan 1 2 nan -inf nan nan nan nan nan -inf nan" },
};

static double
next_number (guint32      *state,
             const Input  *input)
{
  double share;

  *state = *state * 1664525 + 1013904223;
  share = *state / 4294967296.0;
  return input->low + share * (input->high - input->low);
}

static void
add (C2gWorkspace *workspace,
     const Input  *input,
     const gint64 *dims,
     gsize         n_dims)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, NULL);
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, input->name, NULL);
  g_auto (GStrv) words = input->given != NULL ? g_strsplit (input->given, " ", -1) : NULL;
  guint32 state = g_str_hash (input->name);
  g_autoptr (GError) error = NULL;

  c2g_tensor_allocate (tensor, input->type, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    {
      double value = words != NULL ? g_ascii_strtod (words[i], NULL) : next_number (&state, input);

      if (input->type != C2G_DATA_TYPE_FLOAT && input->type != C2G_DATA_TYPE_DOUBLE)
        value = trunc (value);
      c2g_tensor_set_value (tensor, i, value, &error);
      g_assert_no_error (error);
    }
  c2g_blob_set_object (blob, G_OBJECT (tensor));
}

void
nets_add_input (C2gWorkspace *workspace,
                const char   *name,
                const gint64 *dims,
                gsize         n_dims)
{
  const Input input = { name, C2G_DATA_TYPE_FLOAT, { END }, -0.5, 0.5 };

  add (workspace, &input, dims, n_dims);
}

void
nets_add_inputs (C2gWorkspace *workspace)
{
  for (gsize i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      gsize n_dims = 0;

      while (inputs[i].dims[n_dims] != END)
        n_dims++;
      add (workspace, &inputs[i], inputs[i].dims, n_dims);
    }
}

C2gTensor *
nets_fetch (C2gWorkspace *workspace,
            const char   *name,
            C2gDevice    *device)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_blob_get_tensor (blob, &error);

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (tensor) == device);
  tensor = c2g_tensor_to_device (tensor, c2g_device_cpu (), &error);
  g_assert_no_error (error);
  return tensor;
}

static void
assert_same_shape (C2gTensor *result,
                   C2gTensor *expected)
{
  gsize n_dims, n_expected;
  const gint64 *dims = c2g_tensor_get_dims (result, &n_dims);
  const gint64 *wanted = c2g_tensor_get_dims (expected, &n_expected);

  g_assert_cmpuint (n_dims, ==, n_expected);
  for (gsize i = 0; i < n_dims; i++)
    g_assert_cmpint (dims[i], ==, wanted[i]);
}

void
nets_assert_close (C2gTensor *result,
                   C2gTensor *expected)
{
  assert_same_shape (result, expected);
  g_assert_cmpint (c2g_tensor_get_data_type (result), ==, c2g_tensor_get_data_type (expected));
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (expected); i++)
    {
      double wanted = c2g_tensor_get_value (expected, i, NULL);
      double got = c2g_tensor_get_value (result, i, NULL);

      if (isnan (wanted) || isinf (wanted))
        g_assert_true (isnan (wanted) ? isnan (got) : got == wanted);
      else
        g_assert_cmpfloat (fabs (got - wanted), <=, 1e-4 * (fabs (wanted) + 0.1));
    }
}

static void
append_names (GString    *text,
              const char *kind,
              const char *prefix,
              const char *names)
{
  g_auto (GStrv) words = g_strsplit (names, " ", -1);

  for (gsize i = 0; words[i] != NULL && *words[i] != '\0'; i++)
    g_string_append_printf (text, " %s: '%s%s'", kind, prefix, words[i]);
}

static const char *
name_outputs (const NetsCase *test)
{
  return test->outputs != NULL ? test->outputs : "result";
}

static gboolean
has_word (const char *text,
          const char *word)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", " ", -1);

  return g_strv_contains ((const char *const *) words, word);
}

/* Copies the inputs first, each once, so that each run begins with the same. Those for the device go
 * there, except near_inputs. */
static char *
format_net (const NetsCase *test,
            const char     *kind,
            gboolean        on_device)
{
  g_auto (GStrv) words = g_strsplit (test->inputs, " ", -1);
  const char *device = on_device ? " device_option { device_type: 1 cuda_gpu_id: 0 }" : "";
  const char *prefix = on_device ? "far_" : "near_";
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "name: 'test' type: '%s'\n", kind);
  for (gsize i = 0; words[i] != NULL && *words[i] != '\0'; i++)
    if (i == 0 || !g_str_equal (words[i], words[0]))
      {
        const gboolean goes = on_device && !has_word (test->near_inputs, words[i]);

        g_string_append_printf (text, "op { type: '%s' input: '%s' output: '%s%s'%s }\n",
                                goes ? "CopyCPUToGPU" : "Copy", words[i], prefix, words[i],
                                goes ? device : "");
      }
  g_string_append (text, "op {");
  append_names (text, "input", prefix, test->inputs);
  append_names (text, "output", prefix, name_outputs (test));
  g_string_append_printf (text, "%s %s }\n", device, test->text);

  return g_string_free (text, FALSE);
}

static C2gWorkspace *
run_case (const NetsCase *test,
          const char     *kind,
          gboolean        on_device)
{
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_autofree char *text = format_net (test, kind, on_device);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gNet) net = NULL;

  g_assert_no_error (error);
  nets_add_inputs (workspace);
  net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
    }
  return workspace;
}

void
nets_check_case (const NetsCase *test,
                 const char     *kind)
{
  g_auto (GStrv) outputs = g_strsplit (name_outputs (test), " ", -1);
  g_autoptr (C2gWorkspace) near = NULL;
  g_autoptr (C2gWorkspace) far = NULL;

  g_test_message ("%s of %s", test->text, test->inputs);
  near = run_case (test, "simple", FALSE);
  far = run_case (test, kind, TRUE);
  for (gsize i = 0; outputs[i] != NULL; i++)
    {
      g_autofree char *near_name = g_strconcat ("near_", outputs[i], NULL);
      g_autofree char *far_name = g_strconcat ("far_", outputs[i], NULL);
      g_autoptr (C2gTensor) expected = nets_fetch (near, near_name, c2g_device_cpu ());
      g_autoptr (C2gTensor) result = nets_fetch (far, far_name, first_device ());

      nets_assert_close (result, expected);
    }
}

static GError *
fail_case (const NetsCase *test,
           gboolean        on_device)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autofree char *text = format_net (test, "simple", on_device);
  GError *error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  nets_add_inputs (workspace);
  g_assert_false (c2g_workspace_run_net_once (workspace, def, NULL, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  return error;
}

void
nets_check_error (const NetsCase *test,
                  C2gError        code,
                  const char     *part)
{
  g_autoptr (GError) error = fail_case (test, TRUE);

  g_assert_error (error, C2G_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, part));
}

void
nets_check_alike (const NetsCase *test)
{
  g_autoptr (GError) near = fail_case (test, FALSE);
  g_autoptr (GError) far = fail_case (test, TRUE);
  g_auto (GStrv) parts = g_strsplit (near->message, "near_", -1);
  g_autofree char *expected = g_strjoinv ("far_", parts);

  g_assert_error (far, near->domain, near->code);
  g_assert_cmpstr (far->message, ==, expected);
}

void
nets_foreach_model (void (*check) (GFile        *folder,
                                   const gint64 *dims))
{
  /* SqueezeNet gets smaller images than usual, because the emulated kernels are slow. */
  static const struct
  {
    const char *folder;
    gint64      dims[4];
  } models[] = {
    { "cifar10_resnet32", { 1, 3, 32, 32 } },
    { "squeezenet11", { 1, 3, 39, 39 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "..", "shared",
                                                     "models", models[i].folder, NULL);
      g_autoptr (GFile) folder = g_file_new_for_path (path);

      if (g_file_query_exists (folder, NULL))
        check (folder, models[i].dims);
      else
        g_test_skip_printf ("../shared/models/%s is not there", models[i].folder);
    }
}
