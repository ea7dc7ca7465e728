/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-adaptor-allocator.h>

#include <c2g/core/memory/c2g-allocator-private.h>
#include <c2g/core/types/c2g-property-private.h>

/**
 * C2gAdaptorAllocator:
 *
 * An allocator that takes its memory from another one, its upstream.
 *
 * By default it forwards everything to the upstream: allocations, [method@Allocator.trim], and
 * queries of the device and the alignment. A subclass overrides what it changes.
 *
 * ```python
 * class Counting(C2g.AdaptorAllocator):
 *     live = 0
 *
 *     def do_allocate(self, n_bytes, context):
 *         storage = C2g.AdaptorAllocator.do_allocate(self, n_bytes, context)
 *         self.live += 1
 *         return storage
 *
 *     def do_released(self, address, n_bytes):
 *         self.live -= 1
 *
 * counting = Counting(upstream=C2g.PoolAllocator.new(None))
 * ```
 *
 * The upstream is set only once, so that a stack cannot contain itself. It is kept alive as
 * long as the adaptor or one of its blocks.
 *
 * ## Threads
 *
 * All functions can be called from any thread.
 */

typedef struct
{
  C2gAllocator *upstream;
} C2gAdaptorAllocatorPrivate;

enum
{
  PROP_0,
  PROP_UPSTREAM,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (C2gAdaptorAllocator,
                                     c2g_adaptor_allocator,
                                     C2G_TYPE_ALLOCATOR)

static C2gAllocator *
get_upstream (C2gAllocator *allocator)
{
  C2gAdaptorAllocator *self = C2G_ADAPTOR_ALLOCATOR (allocator);
  C2gAdaptorAllocatorPrivate *priv = c2g_adaptor_allocator_get_instance_private (self);

  return priv->upstream;
}

static C2gStorage *
c2g_adaptor_allocator_allocate (C2gAllocator *allocator,
                                gsize         n_bytes,
                                C2gContext   *context,
                                GError      **error)
{
  return c2g_allocator_allocate (get_upstream (allocator), n_bytes, context, error);
}

static C2gDevice *
c2g_adaptor_allocator_get_device (C2gAllocator *allocator)
{
  return c2g_allocator_get_device (get_upstream (allocator));
}

static gsize
c2g_adaptor_allocator_get_alignment (C2gAllocator *allocator)
{
  return c2g_allocator_get_alignment (get_upstream (allocator));
}

static gsize
c2g_adaptor_allocator_trim (C2gAllocator *allocator,
                            gsize         keep_bytes)
{
  return c2g_allocator_trim (get_upstream (allocator), keep_bytes);
}

/* NULL means the built-in allocator, not the current default: the default may be the top of this
 * same stack, which would then contain itself. */
static void
set_upstream (C2gAdaptorAllocator *self,
              C2gAllocator        *upstream)
{
  C2gAdaptorAllocatorPrivate *priv = c2g_adaptor_allocator_get_instance_private (self);

  priv->upstream = g_object_ref (upstream != NULL ? upstream : c2g_allocator_builtin_cpu ());
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_UPSTREAM] = { .get = G_CALLBACK (get_upstream), .set = G_CALLBACK (set_upstream) },
};

/* Not in dispose: live blocks may still be freed through the upstream. */
static void
c2g_adaptor_allocator_finalize (GObject *object)
{
  C2gAdaptorAllocator *self = C2G_ADAPTOR_ALLOCATOR (object);
  C2gAdaptorAllocatorPrivate *priv = c2g_adaptor_allocator_get_instance_private (self);

  g_clear_object (&priv->upstream);

  G_OBJECT_CLASS (c2g_adaptor_allocator_parent_class)->finalize (object);
}

static void
c2g_adaptor_allocator_class_init (C2gAdaptorAllocatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  object_class->finalize = c2g_adaptor_allocator_finalize;

  allocator_class->allocate = c2g_adaptor_allocator_allocate;
  allocator_class->get_device = c2g_adaptor_allocator_get_device;
  allocator_class->get_alignment = c2g_adaptor_allocator_get_alignment;
  allocator_class->trim = c2g_adaptor_allocator_trim;

  /**
   * C2gAdaptorAllocator:upstream: (getter get_upstream)
   *
   * The allocator that the memory comes from; `NULL` means the built-in allocator of the CPU,
   * whatever the default is.
   */
  props[PROP_UPSTREAM] =
    g_param_spec_object ("upstream", NULL, NULL,
                         C2G_TYPE_ALLOCATOR,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_adaptor_allocator_init (C2gAdaptorAllocator *self)
{
}

/**
 * c2g_adaptor_allocator_get_upstream: (get-property upstream)
 * @self: an adaptor
 *
 * Gets the allocator that the memory comes from.
 *
 * Returns: (transfer none): the upstream
 */
C2gAllocator *
c2g_adaptor_allocator_get_upstream (C2gAdaptorAllocator *self)
{
  g_return_val_if_fail (C2G_IS_ADAPTOR_ALLOCATOR (self), NULL);

  return get_upstream (C2G_ALLOCATOR (self));
}
