/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/memory/c2g-storage.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_ALLOCATOR (c2g_allocator_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (C2gAllocator, c2g_allocator, C2G, ALLOCATOR, GObject)

/**
 * C2gBlockFuncs: (skip)
 *
 * The functions of an allocator that makes memory, in C.
 *
 * - `alloc_block` returns a block of @n_bytes (never 0), or `NULL`. Without an error `NULL`
 *   means `C2G_ERROR_NO_MEMORY`.
 * - `free_block` frees a block, with the same @n_bytes and @context as for its allocation. It
 *   may be called after the allocator was disposed.
 * - `record_use`, which may be `NULL`, notes that @context also uses the block: it must not be
 *   reused before that use is over.
 * - `wait_for_uses`, which may be `NULL`, orders later work of @context behind all uses of the
 *   block recorded so far, and behind the work of the context that it was allocated with.
 *   Without it, only the latter is waited for. For a CPU context it blocks until the uses are
 *   over.
 *
 * All of them run in any thread, with no lock held. The context, if there is one, is the order
 * of work (a CUDA stream) in which the block is first used and freed.
 */
typedef struct
{
  gpointer (*alloc_block)   (C2gAllocator  *self,
                             gsize          n_bytes,
                             C2gContext    *context,
                             GError       **error);
  void     (*free_block)    (C2gAllocator  *self,
                             gpointer       block,
                             gsize          n_bytes,
                             C2gContext    *context);
  void     (*record_use)    (C2gAllocator  *self,
                             gpointer       block,
                             C2gContext    *context);
  gboolean (*wait_for_uses) (C2gAllocator  *self,
                             gpointer       block,
                             C2gContext    *context,
                             GError       **error);

  /*< private >*/
  gpointer _reserved[3];
} C2gBlockFuncs;

/**
 * C2gAllocatorClass:
 * @allocate: returns a storage of at least @n_bytes, from an upstream allocator or by chaining
 *   up
 * @released: (nullable): called when a storage of @allocate is freed; in any thread, after the
 *   last reference is gone
 * @get_device: the device of the memory; by default the CPU
 * @get_alignment: a power of two that every address is a multiple of; by default 64
 * @trim: frees cached memory, down to @keep_bytes; returns the number of freed bytes
 * @block_funcs: (nullable): for C: functions that the default @allocate uses
 *
 * The class of allocators.
 */
struct _C2gAllocatorClass
{
  GObjectClass parent_class;

  C2gStorage *(*allocate)      (C2gAllocator  *self,
                                gsize          n_bytes,
                                C2gContext    *context,
                                GError       **error);
  void        (*released)      (C2gAllocator  *self,
                                guint64        address,
                                gsize          n_bytes);
  C2gDevice  *(*get_device)    (C2gAllocator  *self);
  gsize       (*get_alignment) (C2gAllocator  *self);
  gsize       (*trim)          (C2gAllocator  *self,
                                gsize          keep_bytes);

  const C2gBlockFuncs *block_funcs;

  /*< private >*/
  gpointer _reserved[8];
};

C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_allocator_get_default   (C2gDevice     *device,
                                           GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean      c2g_allocator_set_default   (C2gDevice     *device,
                                           C2gAllocator  *allocator,
                                           GError       **error);

C2G_AVAILABLE_IN_ALL
C2gDevice    *c2g_allocator_get_device    (C2gAllocator  *self);
C2G_AVAILABLE_IN_ALL
gsize         c2g_allocator_get_alignment (C2gAllocator  *self);

C2G_AVAILABLE_IN_ALL
C2gStorage   *c2g_allocator_allocate      (C2gAllocator  *self,
                                           gsize          n_bytes,
                                           C2gContext    *context,
                                           GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gsize         c2g_allocator_trim          (C2gAllocator  *self,
                                           gsize          keep_bytes);

G_END_DECLS
