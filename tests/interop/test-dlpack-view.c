/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/interop/c2g-dlpack-private.h>

/* Structures of which anything may be said: what passes lies within memory, reckoned with
 * numbers that cannot overflow. */

#define N_ROUNDS 300000

static guint64
next_random (guint64 *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;

  return *state;
}

static gint64
pick_number (guint64 *state)
{
  static const gint64 numbers[] = {
    0,
    1,
    2,
    3,
    7,
    1000,
    65536,
    -1,
    -2,
    G_GINT64_CONSTANT (1) << 31,
    G_GINT64_CONSTANT (1) << 32,
    G_GINT64_CONSTANT (1) << 61,
    G_GINT64_CONSTANT (1) << 62,
    G_MAXINT64,
    G_MININT64,
    G_MAXINT64 / 2,
    G_MAXINT64 / 4,
    G_MININT64 / 4,
  };
  gsize i = next_random (state) % (G_N_ELEMENTS (numbers) + 2);

  return i < G_N_ELEMENTS (numbers) ? numbers[i] : (gint64) next_random (state);
}

static gboolean
one_in (guint64 *state,
        guint    n)
{
  return next_random (state) % n == 0;
}

/* Sense for the most part, for otherwise nothing would get far. */
static void
make_tensor (C2gDlTensor *tensor,
             gint64      *shape,
             gint64      *strides,
             guint64     *state)
{
  static const guint8 bits[] = { 8, 16, 32, 64 };

  for (int i = 0; i < 4; i++)
    {
      shape[i] = one_in (state, 3) ? pick_number (state) : (gint64) (next_random (state) % 5);
      strides[i] = pick_number (state);
    }

  *tensor = (C2gDlTensor) {
    .device = { C2G_DL_DEVICE_CPU, 0 },
    .n_dims = (gint32) (next_random (state) % 5),
    .type = { C2G_DL_INT, bits[next_random (state) % 4], 1 },
    .shape = one_in (state, 30) ? NULL : shape,
    .strides = one_in (state, 5) ? NULL : strides,
    .byte_offset = one_in (state, 2) ? 0 : (guint64) pick_number (state),
  };
  tensor->data = (gpointer) (gsize) (one_in (state, 4)
                                       ? (guint64) pick_number (state)
                                       : (G_GUINT64_CONSTANT (1) << 40) + next_random (state) % 4096);
  if (one_in (state, 30))
    tensor->type.bits = (guint8) next_random (state);
  if (one_in (state, 30))
    tensor->device.type = (gint32) pick_number (state);
}

static void
check_view (const C2gDlView *view)
{
  const C2gDlTensor *tensor = &view->tensor;
  __int128 first = (gsize) view->data;
  __int128 last = first;

  if (view->n_elements == 0)
    return;

  g_assert_nonnull (view->data);
  g_assert_cmpuint (view->n_bytes, ==, (gsize) view->n_elements * view->item_size);
  if (view->is_contiguous)
    last += view->n_bytes - view->item_size;
  for (int i = 0; !view->is_contiguous && i < tensor->n_dims; i++)
    {
      __int128 distance =
        (__int128) (tensor->shape[i] - 1) * tensor->strides[i] * (int) view->item_size;

      if (distance < 0)
        first += distance;
      else
        last += distance;
    }

  g_assert_true (first >= 0);
  g_assert_true (last + (int) view->item_size <= (__int128) G_MAXUINT64);
}

static void
test_random (void)
{
  guint64 state = G_GUINT64_CONSTANT (88172645463325252);
  guint n_passed = 0;
  guint n_gaps = 0;

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      gint64 shape[4], strides[4];
      C2gDlTensor tensor;
      C2gDlView view;
      g_autoptr (GError) error = NULL;

      make_tensor (&tensor, shape, strides, &state);
      if (c2g_dlpack_view_init (&view, &tensor, &error))
        {
          g_assert_no_error (error);
          check_view (&view);
          n_passed++;
          n_gaps += !view.is_contiguous;
        }
      else
        {
          g_assert_true (error != NULL && error->domain == C2G_ERROR);
        }
    }

  g_test_message ("%u of %u passed, %u with gaps", n_passed, N_ROUNDS, n_gaps);
  g_assert_cmpuint (n_passed, >, N_ROUNDS / 10);
  g_assert_cmpuint (n_gaps, >, N_ROUNDS / 100);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/dlpack-view/random", test_random);

  return c2g_test_run ();
}
