/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-event.h>
#include <c2g/core/device/c2g-types.h>
#include <c2g/core/types/c2g-type-meta.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_CONTEXT (c2g_context_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (C2gContext, c2g_context, C2G, CONTEXT, GObject)

/**
 * C2gContextClass::copy_bytes: (skip)
 * @self: a context
 * @n_bytes: how many bytes
 * @source_device: the device of @source
 * @source: the bytes to copy
 * @destination_device: the device of @destination, which may be another one
 * @destination: where to copy to; it may overlap @source
 * @error: return location for an error
 *
 * Copies bytes between memory that the context can access.
 *
 * The copy takes its place in the context's order of work.
 *
 * Returns: true if the bytes are copied or will be
 */
/**
 * C2gContextClass:
 * @get_device: the device of this context
 * @copy_bytes: copies @n_bytes between memory that this context can access; source and
 *   destination may overlap; @source_device and @destination_device may differ; in the
 *   context's order of work
 * @fill: sets every element of @tensor, whose data type is numeric, to @value
 * @fill_uniform: draws every element from the half-open interval
 * @fill_normal: draws every element from the normal distribution
 * @seed: seeds the random numbers
 * @record: records @event behind the work given so far
 * @wait: makes later work wait for @event
 * @finish: waits until all work given so far is done
 *
 * The class of contexts.
 *
 * Every virtual function but @get_device, @copy_bytes and @finish has a default that works on
 * memory that the CPU can access.
 */
struct _C2gContextClass
{
  GObjectClass parent_class;

  C2gDevice *(*get_device)   (C2gContext     *self);
  gboolean   (*copy_bytes)   (C2gContext     *self,
                              gsize           n_bytes,
                              C2gDevice      *source_device,
                              gconstpointer   source,
                              C2gDevice      *destination_device,
                              gpointer        destination,
                              GError        **error);
  gboolean   (*fill)         (C2gContext     *self,
                              C2gTensor      *tensor,
                              double          value,
                              GError        **error);
  gboolean   (*fill_uniform) (C2gContext     *self,
                              C2gTensor      *tensor,
                              double          low,
                              double          high,
                              GError        **error);
  gboolean   (*fill_normal)  (C2gContext     *self,
                              C2gTensor      *tensor,
                              double          mean,
                              double          deviation,
                              GError        **error);
  void       (*seed)         (C2gContext     *self,
                              guint64         seed);
  gboolean   (*record)       (C2gContext     *self,
                              C2gEvent       *event,
                              GError        **error);
  gboolean   (*wait)         (C2gContext     *self,
                              C2gEvent       *event,
                              GError        **error);
  gboolean   (*finish)       (C2gContext     *self,
                              GError        **error);

  /*< private >*/
  gpointer _reserved[8];
};

C2G_AVAILABLE_IN_ALL
C2gContext *c2g_context_for_device   (C2gDevice          *device,
                                      GError            **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gDevice  *c2g_context_get_device   (C2gContext         *self);

C2G_AVAILABLE_IN_ALL
gboolean    c2g_context_copy         (C2gContext         *self,
                                      C2gTensor          *source,
                                      C2gTensor          *destination,
                                      GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean    c2g_context_copy_items   (C2gContext         *self,
                                      C2gTypeMeta        *meta,
                                      gsize               n_items,
                                      C2gDevice          *source_device,
                                      gconstpointer       source,
                                      C2gDevice          *destination_device,
                                      gpointer            destination,
                                      GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean    c2g_context_fill         (C2gContext         *self,
                                      C2gTensor          *tensor,
                                      double              value,
                                      GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean    c2g_context_fill_uniform (C2gContext         *self,
                                      C2gTensor          *tensor,
                                      double              low,
                                      double              high,
                                      GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean    c2g_context_fill_normal  (C2gContext         *self,
                                      C2gTensor          *tensor,
                                      double              mean,
                                      double              deviation,
                                      GError            **error);
C2G_AVAILABLE_IN_ALL
void        c2g_context_seed         (C2gContext         *self,
                                      guint64             seed);

C2G_AVAILABLE_IN_ALL
gboolean    c2g_context_record       (C2gContext         *self,
                                      C2gEvent           *event,
                                      GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean    c2g_context_wait         (C2gContext         *self,
                                      C2gEvent           *event,
                                      GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean    c2g_context_finish       (C2gContext         *self,
                                      GError            **error);

G_END_DECLS
