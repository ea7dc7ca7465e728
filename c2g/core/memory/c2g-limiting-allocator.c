/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-limiting-allocator.h>

#include <c2g/core/memory/c2g-allocator-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-property-private.h>

/**
 * C2gLimitingAllocator:
 *
 * An allocator with a limit on the bytes in use.
 *
 * The requested sizes count, not the rounded ones of the upstream. A request beyond the limit
 * fails with `C2G_ERROR_NO_MEMORY` without calling the upstream; freed memory can be used
 * again. If a limiting allocator is twice in a stack, an allocation counts twice.
 *
 * ```c
 * g_autoptr (C2gAllocator) limited =
 *   c2g_limiting_allocator_new (NULL, 64 * 1024 * 1024);
 *
 * if (!c2g_allocator_set_default (c2g_device_cpu (), limited, &error))
 *   return FALSE;
 * ```
 *
 * ## Threads
 *
 * All functions can be called from any thread. Concurrent allocations together never exceed
 * the limit: the bytes are reserved before the upstream is called.
 */

struct _C2gLimitingAllocator
{
  C2gAdaptorAllocator parent_instance;

  GMutex              lock;
  guint64             max_bytes;
  guint64             used_bytes;
};

enum
{
  PROP_0,
  PROP_MAX_BYTES,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gLimitingAllocator, c2g_limiting_allocator, C2G_TYPE_ADAPTOR_ALLOCATOR)

static gboolean
reserve (C2gLimitingAllocator *self,
         gsize                 n_bytes,
         GError              **error)
{
  g_autofree char *reason = NULL;
  gboolean has_room;
  guint64 max_bytes, used_bytes;

  g_mutex_lock (&self->lock);
  max_bytes = self->max_bytes;
  used_bytes = self->used_bytes;
  /* The limit may have been lowered below the bytes in use. */
  has_room = used_bytes <= max_bytes && n_bytes <= max_bytes - used_bytes;
  if (has_room)
    self->used_bytes += n_bytes;
  g_mutex_unlock (&self->lock);

  if (has_room)
    return TRUE;

  reason = g_strdup_printf (_("%" PRIu64 " bytes are in use of a limit of %" PRIu64),
                            used_bytes, max_bytes);
  c2g_allocator_set_no_memory (C2G_ALLOCATOR (self), n_bytes, reason, error);

  return FALSE;
}

static void
unreserve (C2gLimitingAllocator *self,
           gsize                 n_bytes)
{
  g_mutex_lock (&self->lock);
  /* A language binding may call `released` for a block that was never allocated. */
  self->used_bytes -= MIN (n_bytes, self->used_bytes);
  g_mutex_unlock (&self->lock);
}

static C2gStorage *
c2g_limiting_allocator_allocate (C2gAllocator *allocator,
                                 gsize         n_bytes,
                                 C2gContext   *context,
                                 GError      **error)
{
  C2gLimitingAllocator *self = C2G_LIMITING_ALLOCATOR (allocator);
  C2gAllocatorClass *parent_class = C2G_ALLOCATOR_CLASS (c2g_limiting_allocator_parent_class);
  C2gStorage *storage;

  if (!reserve (self, n_bytes, error))
    return NULL;

  storage = parent_class->allocate (allocator, n_bytes, context, error);
  if (storage == NULL)
    unreserve (self, n_bytes);

  return storage;
}

static void
c2g_limiting_allocator_released (C2gAllocator *allocator,
                                 guint64       address,
                                 gsize         n_bytes)
{
  unreserve (C2G_LIMITING_ALLOCATOR (allocator), n_bytes);
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_MAX_BYTES] = C2G_PROPERTY (c2g_limiting_allocator, max_bytes),
};

static void
c2g_limiting_allocator_finalize (GObject *object)
{
  C2gLimitingAllocator *self = C2G_LIMITING_ALLOCATOR (object);

  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_limiting_allocator_parent_class)->finalize (object);
}

static void
c2g_limiting_allocator_class_init (C2gLimitingAllocatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  object_class->finalize = c2g_limiting_allocator_finalize;

  allocator_class->allocate = c2g_limiting_allocator_allocate;
  allocator_class->released = c2g_limiting_allocator_released;

  /**
   * C2gLimitingAllocator:max-bytes: (getter get_max_bytes) (setter set_max_bytes)
   *
   * The maximum number of bytes in use.
   */
  props[PROP_MAX_BYTES] =
    g_param_spec_uint64 ("max-bytes", NULL, NULL,
                         0, G_MAXUINT64, G_MAXUINT64,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS |
                           G_PARAM_EXPLICIT_NOTIFY);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_limiting_allocator_init (C2gLimitingAllocator *self)
{
  g_mutex_init (&self->lock);
}

/**
 * c2g_limiting_allocator_new:
 * @upstream: (nullable): where the memory comes from, or `NULL` for the built-in
 *   allocator of the CPU
 * @max_bytes: the maximum number of bytes in use
 *
 * Makes an allocator with a limit.
 *
 * Returns: (transfer full): a new limiting allocator
 */
C2gAllocator *
c2g_limiting_allocator_new (C2gAllocator *upstream,
                            guint64       max_bytes)
{
  g_return_val_if_fail (upstream == NULL || C2G_IS_ALLOCATOR (upstream), NULL);

  return g_object_new (C2G_TYPE_LIMITING_ALLOCATOR,
                       "upstream", upstream,
                       "max-bytes", max_bytes,
                       NULL);
}

/**
 * c2g_limiting_allocator_get_max_bytes: (get-property max-bytes)
 * @self: a limiting allocator
 *
 * Gets the maximum number of bytes in use.
 *
 * Returns: the limit
 */
guint64
c2g_limiting_allocator_get_max_bytes (C2gLimitingAllocator *self)
{
  guint64 max_bytes;

  g_return_val_if_fail (C2G_IS_LIMITING_ALLOCATOR (self), 0);

  g_mutex_lock (&self->lock);
  max_bytes = self->max_bytes;
  g_mutex_unlock (&self->lock);

  return max_bytes;
}

/**
 * c2g_limiting_allocator_set_max_bytes: (set-property max-bytes)
 * @self: a limiting allocator
 * @max_bytes: the new limit
 *
 * Sets the maximum number of bytes in use.
 *
 * If more bytes are in use, nothing is freed: allocations fail until enough memory was freed.
 */
void
c2g_limiting_allocator_set_max_bytes (C2gLimitingAllocator *self,
                                      guint64               max_bytes)
{
  gboolean changed;

  g_return_if_fail (C2G_IS_LIMITING_ALLOCATOR (self));

  g_mutex_lock (&self->lock);
  changed = self->max_bytes != max_bytes;
  self->max_bytes = max_bytes;
  g_mutex_unlock (&self->lock);

  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MAX_BYTES]);
}

/**
 * c2g_limiting_allocator_get_used_bytes:
 * @self: a limiting allocator
 *
 * Gets the number of bytes in use.
 *
 * Returns: the requested bytes that are not freed yet
 */
guint64
c2g_limiting_allocator_get_used_bytes (C2gLimitingAllocator *self)
{
  guint64 used_bytes;

  g_return_val_if_fail (C2G_IS_LIMITING_ALLOCATOR (self), 0);

  g_mutex_lock (&self->lock);
  used_bytes = self->used_bytes;
  g_mutex_unlock (&self->lock);

  return used_bytes;
}
