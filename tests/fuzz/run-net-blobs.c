/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "run-net.h"

#include <math.h>
#include <string.h>

#define MAX_ELEMENTS 2048

/* The last ones are rarely valid. */
static const C2gDataType data_types[] = {
  C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_INT64,
  C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_BOOL, C2G_DATA_TYPE_BOOL, C2G_DATA_TYPE_DOUBLE,
  C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_STRING, C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_BFLOAT16,
  C2G_DATA_TYPE_BYTE, C2G_DATA_TYPE_INT8, C2G_DATA_TYPE_UINT16, C2G_DATA_TYPE_INT16,
  C2G_DATA_TYPE_UINT32, C2G_DATA_TYPE_UINT64
};

/* Elements */

static guint32
next_number (guint32 *seed)
{
  *seed = *seed * 1664525 + 1013904223;
  return *seed >> 8;
}

static double
pick_value (const RunNetBlob *record,
            gint64            i,
            guint32          *seed)
{
  const guint8 byte = i < RUN_NET_N_VALUES ? record->values[i] : 17;

  switch (record->mode % 8)
    {
    case 0:
      return (double) (i % 4);
    case 1:
      return next_number (seed) % 5;
    case 2:
      return (double) (next_number (seed) % 9) - 3;
    case 3:
      return record->values[0] % 5;
    case 4:
      return (double) i;
    case 5:
      return next_number (seed) / (double) (1 << 22) - 2;
    case 6:
      return byte % 6;
    default:
      return run_net_pick_float (byte);
    }
}

static void
fill_strings (C2gTensor *tensor,
              guint32    seed)
{
  GBytes **strings = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_STRING, NULL);

  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    {
      const guint8 byte = (guint8) next_number (&seed);
      const char *text = run_net_pick_text (byte);

      g_clear_pointer (&strings[i], g_bytes_unref);
      strings[i] = byte < 20 ? NULL : g_bytes_new (text, strlen (text));
    }
}

/* A type that cannot hold the number gets a whole one, or one that every type holds. So no element
 * is undefined. */
static void
set_number (C2gTensor *tensor,
            gint64     i,
            double     value)
{
  if (!c2g_tensor_set_value (tensor, i, value, NULL) && !c2g_tensor_set_value (tensor, i, trunc (value), NULL))
    g_assert_true (c2g_tensor_set_int64 (tensor, i, i % 2, NULL));
}

static void
fill (C2gTensor        *tensor,
      const RunNetBlob *record)
{
  const C2gDataType data_type = c2g_tensor_get_data_type (tensor);
  guint32 seed = record->values[0] * 256u + record->values[1];

  if (data_type == C2G_DATA_TYPE_STRING)
    {
      fill_strings (tensor, seed);
      return;
    }

  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    if (record->mode % 8 == 7 && i < RUN_NET_N_VALUES && data_type == C2G_DATA_TYPE_INT64)
      c2g_tensor_set_int64 (tensor, i, run_net_pick_int (record->values[i]), NULL);
    else
      set_number (tensor, i, pick_value (record, i, &seed));
}

/* Read-only memory, like that of mapped models */

typedef struct
{
  gpointer data;
  gpointer copy;
  gsize    n_bytes;
} Frozen;

static void
frozen_free (gpointer data)
{
  Frozen *self = data;

  g_assert_cmpmem (self->data, self->n_bytes, self->copy, self->n_bytes);
  g_free (self->data);
  g_free (self->copy);
  g_free (self);
}

static void
freeze (C2gTensor *tensor)
{
  const gsize n_bytes = c2g_tensor_get_n_bytes (tensor);
  const C2gDataType data_type = c2g_tensor_get_data_type (tensor);
  gconstpointer data = c2g_tensor_raw_data (tensor, NULL);
  g_autoptr (GBytes) bytes = NULL;
  Frozen *frozen;

  if (n_bytes == 0 || data_type == C2G_DATA_TYPE_STRING)
    return;

  frozen = g_new (Frozen, 1);
  *frozen = (Frozen) { g_memdup2 (data, n_bytes), g_memdup2 (data, n_bytes), n_bytes };
  bytes = g_bytes_new_with_free_func (frozen->data, n_bytes, frozen_free, frozen);
  g_assert_true (c2g_tensor_share_bytes (tensor, data_type, bytes, NULL));
}

/* Blobs */

/* The content is nothing, or an object that no operator knows. */
static void
fill_with_object (C2gBlob          *blob,
                  const RunNetBlob *record)
{
  g_autoptr (C2gWorkspace) object = record->kind % 2 == 0 ? c2g_workspace_new () : NULL;

  c2g_blob_set_object (blob, (GObject *) object);
}

static gint64
pick_dim (const RunNetScenario *scenario,
          guint8                byte)
{
  if (byte < 140)
    return scenario->base_dims[byte % G_N_ELEMENTS (scenario->base_dims)] % 7;
  if (byte < 240)
    return byte % 6;
  return byte < 250 ? byte - 230 : run_net_pick_large (byte);
}

/* A large tensor has no memory: otherwise the free memory would decide how far an operator gets. */
static gboolean
shape (C2gTensor            *tensor,
       const RunNetScenario *scenario,
       const RunNetBlob     *record)
{
  const gsize n_dims = record->n_dims % (record->n_dims < 250 ? RUN_NET_MAX_DIMS : 10);
  gint64 dims[10];

  for (gsize i = 0; i < n_dims; i++)
    dims[i] = pick_dim (scenario, record->dims[i % RUN_NET_MAX_DIMS]);
  return c2g_tensor_resize (tensor, dims, n_dims, NULL) && record->kind < 245 &&
         c2g_tensor_get_n_elements (tensor) <= MAX_ELEMENTS;
}

static void
fill_blob (C2gBlob              *blob,
           const RunNetScenario *scenario,
           const RunNetBlob     *record)
{
  const C2gDataType data_type = data_types[record->data_type % G_N_ELEMENTS (data_types)];
  C2gTensor *tensor;

  if (record->kind >= 250)
    {
      fill_with_object (blob, record);
      return;
    }

  tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
  if (!shape (tensor, scenario, record) || !c2g_tensor_allocate (tensor, data_type, NULL))
    return;
  fill (tensor, record);
  if (record->kind >= 200)
    freeze (tensor);
}

static void
reset_all (C2gWorkspace *workspace)
{
  g_auto (GStrv) names = c2g_workspace_list_blobs (workspace);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, names[i], NULL);

      c2g_blob_reset (blob);
    }
}

void
run_net_fill_blobs (C2gWorkspace         *workspace,
                    const RunNetScenario *scenario,
                    guint                 set,
                    gboolean              is_reset)
{
  if (is_reset)
    reset_all (workspace);
  for (guint i = 0; i < RUN_NET_N_BLOBS; i++)
    {
      const char name[] = { 'b', (char) ('0' + i), '\0' };
      g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);

      fill_blob (blob, scenario, &scenario->blobs[set][i]);
    }
}
