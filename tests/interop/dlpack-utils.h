/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "test-utils.h"

#include <c2g/interop/c2g-dlpack-private.h>

#include <string.h>

/* These helpers are shared by the tests of DLPack. */

/* A producer that is not c2g: both structures over one description, and what happened to
 * them. */
typedef struct
{
  C2gDlManaged          legacy;
  C2gDlManagedVersioned versioned;
  gint64                shape[8];
  gint64                strides[8];
  char                  memory[256] __attribute__ ((aligned (64)));
  int                   n_deleted;
} Producer;

static inline void
delete_legacy (C2gDlManaged *managed)
{
  Producer *producer = managed->manager;

  g_assert_true (managed == &producer->legacy);
  g_atomic_int_inc (&producer->n_deleted);
}

static inline void
delete_versioned (C2gDlManagedVersioned *managed)
{
  Producer *producer = managed->manager;

  g_assert_true (managed == &producer->versioned);
  g_atomic_int_inc (&producer->n_deleted);
}

static inline guint64
address_of (gconstpointer pointer)
{
  return (guint64) (gsize) pointer;
}

static inline gpointer
pointer_to (guint64 address)
{
  return (gpointer) (gsize) address;
}

/* Floats of shape [2, 3] in a row, until a test says otherwise. */
static inline void
init_producer (Producer *producer)
{
  static const C2gDlTensor tensor = {
    .device = { C2G_DL_DEVICE_CPU, 0 },
    .n_dims = 2,
    .type = { C2G_DL_FLOAT, 32, 1 },
  };

  memset (producer, 0, sizeof *producer);
  producer->legacy.tensor = tensor;
  producer->legacy.tensor.data = producer->memory;
  producer->legacy.tensor.shape = producer->shape;
  producer->legacy.tensor.strides = producer->strides;
  producer->legacy.manager = producer;
  producer->legacy.deleter = delete_legacy;
  producer->shape[0] = 2;
  producer->shape[1] = 3;
  producer->strides[0] = 3;
  producer->strides[1] = 1;
  for (int i = 0; i < 64; i++)
    ((float *) producer->memory)[i] = i;
}

/* The address of a structure that says what the legacy one does. */
static inline guint64
get_managed (Producer       *producer,
             C2gDlpackFlags  flags)
{
  if ((flags & C2G_DLPACK_VERSIONED) == 0)
    return address_of (&producer->legacy);

  producer->versioned.version = (C2gDlVersion) { 1, 0 };
  producer->versioned.manager = producer;
  producer->versioned.deleter = delete_versioned;
  producer->versioned.tensor = producer->legacy.tensor;

  return address_of (&producer->versioned);
}

static inline C2gTensor *
import_producer (Producer        *producer,
                 C2gDlpackFlags   flags,
                 GError         **error)
{
  return c2g_tensor_new_from_dlpack (get_managed (producer, flags), flags, NULL, error);
}

static inline C2gTensor *
new_floats (const gint64 *dims,
            gsize         n_dims)
{
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, i, NULL));

  return tensor;
}

static inline const float *
floats_of (C2gTensor *tensor)
{
  return c2g_tensor_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);
}

/* The fields that both structures have. */
static inline const C2gDlTensor *
get_exported (guint64        managed,
              C2gDlpackFlags flags,
              guint64       *dl_flags)
{
  const C2gDlManagedVersioned *versioned = pointer_to (managed);

  *dl_flags = 0;
  if ((flags & C2G_DLPACK_VERSIONED) == 0)
    return &((const C2gDlManaged *) pointer_to (managed))->tensor;

  g_assert_cmpuint (versioned->version.major, ==, 1);
  g_assert_nonnull (versioned->deleter);
  *dl_flags = versioned->flags;
  return &versioned->tensor;
}
