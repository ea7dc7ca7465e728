/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-net-private.h>

#include <c2g/net/run/c2g-stat-registry.h>

#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>

#include <string.h>

/* Nets whose work a device repeats (CUDA graphs). If a run finds all blobs in the places and with the
 * shapes in which the run before found them, it does not start the work but records it as a graph,
 * which is launched then and by all later runs. As soon as a blob differs, the operators run again.
 *
 * A net can be repeated if all its operators run on one device, and if what they do depends on nothing
 * but their inputs, which are on the device, too. An operator that needs numbers on the processor fails
 * while it is recorded. Nobody sees that failure: the operators run again. */

/* After this many failures in a row to record a net, or to launch its graph, no more are tried until
 * a blob changes. The first failure is not final, because a device may lack memory only for a moment. */
#define MAX_FAILURES 3

struct _C2gNetReplay
{
  /* NULL if the net cannot be repeated. */
  const C2gDeviceGraphs *graphs;
  gpointer               graph;
  /* Memory that the operators allocated while they were recorded; elements are C2gStorage. */
  GPtrArray             *memory;
  C2gContext            *context;
  /* All inputs and outputs; elements are C2gBlob, which the operators hold. */
  GPtrArray             *blobs;
  /* The places and shapes of the blobs before the last run. */
  GByteArray            *places;
  guint                  n_failures;
};

static void
drop_graph (C2gNetReplay *self)
{
  if (self->graph != NULL)
    self->graphs->free (g_steal_pointer (&self->graph));
  g_ptr_array_set_size (self->memory, 0);
}

void
c2g_net_replay_free (C2gNetReplay *self)
{
  drop_graph (self);
  g_ptr_array_unref (self->memory);
  g_ptr_array_unref (self->blobs);
  g_clear_pointer (&self->places, g_byte_array_unref);
  g_free (self);
}

static gboolean
can_repeat (C2gOperatorPrivate *priv,
            C2gDevice          *device)
{
  return priv->device == device && priv->kernel != NULL && priv->compute != NULL &&
         (c2g_operator_registry_find_traits (priv->def) & C2G_TRAIT_PURE) != 0;
}

static void
add_blobs (C2gNetReplay  *self,
           C2gBlob      **blobs,
           guint          n_blobs)
{
  for (guint i = 0; i < n_blobs; i++)
    if (!g_ptr_array_find (self->blobs, blobs[i], NULL))
      g_ptr_array_add (self->blobs, blobs[i]);
}

static C2gNetReplay *
replay_new (C2gNetPrivate *net)
{
  C2gNetReplay *self = g_new0 (C2gNetReplay, 1);

  self->memory = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_storage_unref);
  self->blobs = g_ptr_array_new ();
  if (net->contexts->len != 1)
    return self;

  self->context = g_ptr_array_index (net->contexts, 0);
  for (guint i = 0; i < net->n_operators; i++)
    {
      C2gOperatorPrivate *op = c2g_operator_get_private (net->operators[i]);

      if (!can_repeat (op, c2g_context_get_device (self->context)))
        {
          g_debug ("Net “%s” cannot be repeated, for its operator %u is %s", op->net_name, i,
                   c2g_operator_def_get_op_type (op->def));
          return self;
        }
      add_blobs (self, op->inputs, op->n_inputs);
      add_blobs (self, op->outputs, op->n_outputs);
    }

  self->graphs = c2g_device_backend_get_graphs (c2g_context_get_device (self->context));
  return self;
}

static const C2gBlobContent *
get_content (const C2gNetReplay *self,
             guint               i)
{
  return &((C2gBlob *) g_ptr_array_index (self->blobs, i))->content;
}

/* An operator would move a tensor that must not be written any more to new memory. */
static void
add_place (GByteArray *places,
           guint       i,
           C2gTensor  *tensor)
{
  const guint64 place[] = {
    i,
    (gsize) tensor->storage,
    (gsize) c2g_tensor_address (tensor),
    (gsize) tensor->meta,
    tensor->n_dims,
    tensor->capacity,
    tensor->storage != NULL &&
      (c2g_storage_is_sealed (tensor->storage) || c2g_storage_is_frozen (tensor->storage)),
  };

  g_byte_array_append (places, (const guint8 *) place, sizeof place);
  g_byte_array_append (places, (const guint8 *) tensor->dims, tensor->n_dims * sizeof (gint64));
}

static gboolean
is_on (C2gTensor *tensor,
       C2gDevice *device)
{
  return tensor != NULL && tensor->device == device && tensor->meta != NULL &&
         tensor->meta->data_type != C2G_DATA_TYPE_UNDEFINED &&
         (tensor->storage != NULL || tensor->n_elements == 0);
}

/* Returns NULL if some blob has anything but elements on the device whose type runs no code. An output
 * may be one that the operator leaves empty, such as the mask of Dropout in tests. */
static GByteArray *
find_places (const C2gNetReplay *self)
{
  g_autoptr (GByteArray) places = NULL;

  if (self->graphs == NULL)
    return NULL;

  places = g_byte_array_new ();
  for (guint i = 0; i < self->blobs->len; i++)
    {
      const C2gBlobContent *content = get_content (self, i);
      C2gTensor *tensor = c2g_blob_content_get_tensor (content);

      if (is_on (tensor, c2g_context_get_device (self->context)))
        add_place (places, i, tensor);
      else if (content->kind != C2G_BLOB_EMPTY)
        return NULL;
    }

  return g_steal_pointer (&places);
}

static gboolean
are_equal (const GByteArray *a,
           const GByteArray *b)
{
  return a != NULL && b != NULL && a->len == b->len && memcmp (a->data, b->data, a->len) == 0;
}

/* Returns FALSE. */
static gboolean
note_failure (C2gNetReplay *self)
{
  drop_graph (self);
  self->n_failures++;
  return FALSE;
}

/* Records a run, after which the blobs must be where they were. */
static gboolean
record (C2gNetReplay  *self,
        C2gNet        *net,
        C2gNetPrivate *priv)
{
  g_autoptr (GByteArray) places = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_done;

  is_done = self->graphs->begin (self->context, &error);
  if (is_done)
    {
      c2g_storage_keep_new (self->memory);
      for (guint i = 0; is_done && i < priv->n_operators; i++)
        is_done = c2g_net_run_operator (net, priv, i, &error);
      c2g_storage_keep_new (NULL);
      places = find_places (self);
      self->graph = self->graphs->end (is_done && are_equal (places, self->places),
                                       is_done ? &error : NULL);
    }
  if (self->graph != NULL)
    return TRUE;

  g_debug ("Net “%s” cannot be repeated: %s", c2g_net_get_name (net),
           error != NULL ? error->message : "its blobs move");
  g_atomic_int_set (&priv->failed_position, -1);
  return note_failure (self);
}

/* Returns the memory of a blob if it has any. */
static C2gStorage *
get_storage (const C2gNetReplay *self,
             guint               i)
{
  C2gTensor *tensor = c2g_blob_content_get_tensor (get_content (self, i));

  return tensor != NULL ? tensor->storage : NULL;
}

/* The graph uses all blobs: it comes behind their earlier uses, and others behind it. */
static gboolean
launch (C2gNetReplay *self)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < self->blobs->len; i++)
    if (get_storage (self, i) != NULL &&
        !c2g_storage_wait_for_uses (get_storage (self, i), self->context, &error))
      return FALSE;
  if (!self->graphs->launch (self->graph, &error))
    return FALSE;
  for (guint i = 0; i < self->blobs->len; i++)
    if (get_storage (self, i) != NULL)
      c2g_storage_record_use (get_storage (self, i), self->context);

  return TRUE;
}

static gboolean
run_again (C2gNetReplay  *self,
           C2gNet        *net,
           C2gNetPrivate *priv)
{
  g_autoptr (GByteArray) places = find_places (self);

  if (!are_equal (places, self->places))
    {
      drop_graph (self);
      g_clear_pointer (&self->places, g_byte_array_unref);
      self->places = g_steal_pointer (&places);
      self->n_failures = 0;
      return FALSE;
    }

  if (self->graph == NULL && (self->n_failures >= MAX_FAILURES || !record (self, net, priv)))
    return FALSE;
  if (!launch (self))
    return note_failure (self);

  self->n_failures = 0;
  return TRUE;
}

gboolean
c2g_net_run_again (C2gNet        *self,
                   C2gNetPrivate *priv)
{
  g_autoptr (C2gStatRegistry) stats = NULL;

  if (G_LIKELY (!g_atomic_int_get (&priv->has_device_graph)))
    return FALSE;

  priv->replay = g_atomic_pointer_exchange (&priv->kept_replay, NULL);
  if (priv->replay == NULL)
    priv->replay = replay_new (priv);
  if (priv->is_observed || !run_again (priv->replay, self, priv))
    return FALSE;

  stats = c2g_stat_registry_get_default ();
  c2g_stat_registry_increment (stats, "net/graph_runs", 1);
  return TRUE;
}
