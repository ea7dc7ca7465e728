/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/def/c2g-net-types.h>

G_BEGIN_DECLS

#define C2G_TYPE_ARGUMENT      (c2g_argument_get_type ())
#define C2G_TYPE_ARGUMENT_KIND (c2g_argument_kind_get_type ())

/**
 * C2gArgumentKind:
 * @C2G_ARGUMENT_KIND_NONE: no value, which is also what an empty list looks like
 * @C2G_ARGUMENT_KIND_INT: an integer
 * @C2G_ARGUMENT_KIND_FLOAT: a floating-point number
 * @C2G_ARGUMENT_KIND_STRING: a text or bytes
 * @C2G_ARGUMENT_KIND_INTS: a list of integers
 * @C2G_ARGUMENT_KIND_FLOATS: a list of floating-point numbers
 * @C2G_ARGUMENT_KIND_STRINGS: a list of texts or bytes
 * @C2G_ARGUMENT_KIND_NET: a net
 * @C2G_ARGUMENT_KIND_NETS: a list of nets
 * @C2G_ARGUMENT_KIND_TENSOR: a tensor
 * @C2G_ARGUMENT_KIND_TENSORS: a list of tensors
 * @C2G_ARGUMENT_KIND_Q_TENSORS: a list of quantized tensors
 *
 * The kinds of values that an argument of an operator or a net can have.
 */
typedef enum
{
  C2G_ARGUMENT_KIND_NONE,
  C2G_ARGUMENT_KIND_INT,
  C2G_ARGUMENT_KIND_FLOAT,
  C2G_ARGUMENT_KIND_STRING,
  C2G_ARGUMENT_KIND_INTS,
  C2G_ARGUMENT_KIND_FLOATS,
  C2G_ARGUMENT_KIND_STRINGS,
  C2G_ARGUMENT_KIND_NET,
  C2G_ARGUMENT_KIND_NETS,
  C2G_ARGUMENT_KIND_TENSOR,
  C2G_ARGUMENT_KIND_TENSORS,
  C2G_ARGUMENT_KIND_Q_TENSORS,
} C2gArgumentKind;

C2G_AVAILABLE_IN_ALL
GType            c2g_argument_kind_get_type (void);
C2G_AVAILABLE_IN_ALL
GType            c2g_argument_get_type      (void);

C2G_AVAILABLE_IN_ALL
C2gArgument     *c2g_argument_new_int       (const char         *name,
                                             gint64              value) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gArgument     *c2g_argument_new_float     (const char         *name,
                                             double              value) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gArgument     *c2g_argument_new_string    (const char         *name,
                                             const char         *value) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gArgument     *c2g_argument_new_bytes     (const char         *name,
                                             GBytes             *value) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gArgument     *c2g_argument_new_ints      (const char         *name,
                                             const gint64       *values,
                                             gsize               n_values) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gArgument     *c2g_argument_new_floats    (const char         *name,
                                             const float        *values,
                                             gsize               n_values) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gArgument     *c2g_argument_new_strings   (const char         *name,
                                             const char *const  *values) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gArgument     *c2g_argument_new_net       (const char         *name,
                                             C2gNetDef          *value,
                                             GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gArgument     *c2g_argument_new_nets      (const char         *name,
                                             C2gNetDef         **values,
                                             gsize               n_values,
                                             GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gArgument     *c2g_argument_ref           (C2gArgument        *self);
C2G_AVAILABLE_IN_ALL
void             c2g_argument_unref         (C2gArgument        *self);

C2G_AVAILABLE_IN_ALL
const char      *c2g_argument_get_name      (C2gArgument        *self);
C2G_AVAILABLE_IN_ALL
C2gArgumentKind  c2g_argument_get_kind      (C2gArgument        *self);
C2G_AVAILABLE_IN_ALL
gsize            c2g_argument_get_n_values  (C2gArgument        *self);

C2G_AVAILABLE_IN_ALL
gint64           c2g_argument_get_int       (C2gArgument        *self,
                                             GError            **error);
C2G_AVAILABLE_IN_ALL
double           c2g_argument_get_float     (C2gArgument        *self,
                                             GError            **error);
C2G_AVAILABLE_IN_ALL
const char      *c2g_argument_get_string    (C2gArgument        *self,
                                             GError            **error);
C2G_AVAILABLE_IN_ALL
GBytes          *c2g_argument_dup_bytes     (C2gArgument        *self,
                                             GError            **error);
C2G_AVAILABLE_IN_ALL
const gint64    *c2g_argument_get_ints      (C2gArgument        *self,
                                             gsize              *n_values,
                                             GError            **error);
C2G_AVAILABLE_IN_ALL
const float     *c2g_argument_get_floats    (C2gArgument        *self,
                                             gsize              *n_values,
                                             GError            **error);
C2G_AVAILABLE_IN_ALL
char           **c2g_argument_dup_strings   (C2gArgument        *self,
                                             GError            **error);
C2G_AVAILABLE_IN_ALL
GBytes          *c2g_argument_dup_bytes_at  (C2gArgument        *self,
                                             gsize               index,
                                             GError            **error);
C2G_AVAILABLE_IN_ALL
C2gNetDef       *c2g_argument_dup_net       (C2gArgument        *self,
                                             GError            **error);
C2G_AVAILABLE_IN_ALL
C2gNetDef      **c2g_argument_dup_nets      (C2gArgument        *self,
                                             gsize              *n_values,
                                             GError            **error);

C2G_AVAILABLE_IN_ALL
gboolean         c2g_argument_equal         (C2gArgument        *self,
                                             C2gArgument        *other);
C2G_AVAILABLE_IN_ALL
char            *c2g_argument_to_text       (C2gArgument        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gArgument, c2g_argument_unref)

G_END_DECLS
