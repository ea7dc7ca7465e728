/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-allocator-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-property-private.h>
#include <c2g/core/types/c2g-settings-private.h>

#include <stdlib.h>
#include <string.h>

/**
 * C2gCpuAllocator:
 *
 * Memory of the C heap, aligned to 64 bytes.
 *
 * Sixty-four bytes are a cache line and the widest vector of today's processors.
 * Another alignment can be asked for. Memory is undefined, unless
 * [property@CpuAllocator:zero-fill] or [property@Settings:zero-fill] is on.
 *
 * ## Threads
 *
 * Everything can be called in any thread at any time.
 */
struct _C2gCpuAllocator
{
  C2gAllocator parent_instance;

  guint        alignment;
  int          zero_fill;
};

enum
{
  PROP_0,
  PROP_ALIGNMENT,
  PROP_ZERO_FILL,
  N_PROPS
};

#define DEFAULT_ALIGNMENT 64
#define MAX_ALIGNMENT     (1 << 30)

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gCpuAllocator, c2g_cpu_allocator, C2G_TYPE_ALLOCATOR)

/* Uses malloc() with a few more bytes and aligns by hand: glibc serves that from its thread
 * cache, which posix_memalign() does not use, in a quarter of the time. The address that malloc()
 * returned is stored just before the block; there is room for it because malloc() aligns to 16. */
static gpointer
c2g_cpu_allocator_alloc_block (C2gAllocator  *allocator,
                               gsize          n_bytes,
                               C2gContext    *context,
                               GError       **error)
{
  C2gCpuAllocator *self = C2G_CPU_ALLOCATOR (allocator);
  gboolean zero_fill = g_atomic_int_get (&self->zero_fill) ||
                       g_atomic_int_get (&c2g_settings_zero_fill);
  gsize total;
  char *start;
  char *block;

  /* malloc() cannot allocate more than PTRDIFF_MAX bytes. */
  if (!g_size_checked_add (&total, n_bytes, self->alignment) || total > G_MAXSSIZE)
    {
      c2g_allocator_set_no_memory (allocator, n_bytes, NULL, error);
      return NULL;
    }

  start = zero_fill ? calloc (1, total) : malloc (total);
  if (start == NULL)
    {
      c2g_allocator_set_no_memory (allocator, n_bytes, NULL, error);
      return NULL;
    }

  block = (char *) (((guintptr) start + self->alignment) & ~(guintptr) (self->alignment - 1));
  ((gpointer *) (gpointer) block)[-1] = start;

  return block;
}

static void
c2g_cpu_allocator_free_block (C2gAllocator *allocator,
                              gpointer      block,
                              gsize         n_bytes,
                              C2gContext   *context)
{
  free (((gpointer *) block)[-1]);
}

static const C2gBlockFuncs block_funcs = {
  .alloc_block = c2g_cpu_allocator_alloc_block,
  .free_block = c2g_cpu_allocator_free_block,
};

static gsize
c2g_cpu_allocator_get_alignment (C2gAllocator *allocator)
{
  return C2G_CPU_ALLOCATOR (allocator)->alignment;
}

/* A property cannot report an error, so the value is rounded up to a power of two. */
static void
set_alignment (C2gCpuAllocator *self,
               guint            alignment)
{
  self->alignment = 16;
  while (self->alignment < alignment)
    self->alignment *= 2;
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_ALIGNMENT] = { .set = G_CALLBACK (set_alignment), .offset = G_STRUCT_OFFSET (C2gCpuAllocator, alignment) },
  [PROP_ZERO_FILL] = C2G_PROPERTY (c2g_cpu_allocator, zero_fill),
};

static void
c2g_cpu_allocator_class_init (C2gCpuAllocatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  allocator_class->get_alignment = c2g_cpu_allocator_get_alignment;
  allocator_class->block_funcs = &block_funcs;

  /**
   * C2gCpuAllocator:alignment:
   *
   * The alignment of all addresses, in bytes.
   *
   * A value that is not a power of two is rounded up to one, and to 16 at least;
   * [ctor@CpuAllocator.new_aligned] refuses it instead.
   */
  props[PROP_ALIGNMENT] =
    g_param_spec_uint ("alignment", NULL, NULL,
                       1, MAX_ALIGNMENT, DEFAULT_ALIGNMENT,
                       G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gCpuAllocator:zero-fill: (getter get_zero_fill) (setter set_zero_fill)
   *
   * Whether new memory is filled with zeros.
   */
  props[PROP_ZERO_FILL] =
    g_param_spec_boolean ("zero-fill", NULL, NULL,
                          FALSE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_cpu_allocator_init (C2gCpuAllocator *self)
{
  /* GObject does not set a value that is out of range, so this one stays. */
  self->alignment = DEFAULT_ALIGNMENT;
}

const int *
c2g_cpu_allocator_peek_zero_fill (C2gCpuAllocator *self)
{
  return &self->zero_fill;
}

/**
 * c2g_cpu_allocator_new:
 *
 * Creates an allocator of 64-byte aligned memory.
 *
 * Returns: (transfer full): an allocator
 */
C2gAllocator *
c2g_cpu_allocator_new (void)
{
  return g_object_new (C2G_TYPE_CPU_ALLOCATOR, NULL);
}

/**
 * c2g_cpu_allocator_new_aligned:
 * @alignment: bytes, a power of two up to 2^30
 * @error: return location for an error
 *
 * Creates an allocator of aligned memory.
 *
 * Addresses are multiples of 16 even if less is asked for.
 *
 * Returns: (transfer full): an allocator, or `NULL` with
 *   `C2G_ERROR_INVALID_ARGUMENT` if @alignment is not a power of two or too large
 */
C2gAllocator *
c2g_cpu_allocator_new_aligned (gsize    alignment,
                               GError **error)
{
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (alignment == 0 || alignment > MAX_ALIGNMENT || (alignment & (alignment - 1)) != 0)
    return c2g_fail_null (error, C2G_ERROR_INVALID_ARGUMENT,
                          _("Expected an alignment that is a power of two up to %d, got %zu"),
                          MAX_ALIGNMENT, alignment);

  return g_object_new (C2G_TYPE_CPU_ALLOCATOR, "alignment", (guint) alignment, NULL);
}

/**
 * c2g_cpu_allocator_get_zero_fill: (get-property zero-fill)
 * @self: an allocator
 *
 * Tells whether new memory is filled with zeros.
 *
 * Returns: true if the property of this allocator is set
 */
gboolean
c2g_cpu_allocator_get_zero_fill (C2gCpuAllocator *self)
{
  g_return_val_if_fail (C2G_IS_CPU_ALLOCATOR (self), FALSE);

  return g_atomic_int_get (&self->zero_fill);
}

/**
 * c2g_cpu_allocator_set_zero_fill: (set-property zero-fill)
 * @self: an allocator
 * @zero_fill: whether to fill
 *
 * Sets whether new memory is filled with zeros.
 */
void
c2g_cpu_allocator_set_zero_fill (C2gCpuAllocator *self,
                                 gboolean         zero_fill)
{
  g_return_if_fail (C2G_IS_CPU_ALLOCATOR (self));

  zero_fill = zero_fill != FALSE;
  if (g_atomic_int_get (&self->zero_fill) == zero_fill)
    return;

  g_atomic_int_set (&self->zero_fill, zero_fill);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ZERO_FILL]);
}
