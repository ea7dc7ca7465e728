/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/net/operator/c2g-kernel-private.h>
#include <c2g/ops/support/c2g-dims-private.h>

G_BEGIN_DECLS

/* Shared by elementwise operators. A loop reads n elements of source and writes n elements of
 * target, which may be the same array.  parameters is the state of the operator. */
typedef void (*C2gUnaryLoop) (gconstpointer source,
                              gpointer      target,
                              gsize         n,
                              gconstpointer parameters);

/* Size of an array of loops, which is indexed by element type. */
#define C2G_N_LOOPS (C2G_DATA_TYPE_DOUBLE + 1)

/* Value of function for an operation that devices do not have. */
#define C2G_NOT_FOR_DEVICES (-1)

/* Computes output 0, of type to, from input 0, of type from. On a device, the C2gComputeUnary
 * function runs instead of the loop; parameters is then NULL or two floats. */
gboolean c2g_unary_run        (C2gOperator         *op,
                               int                  function,
                               C2gUnaryLoop         loop,
                               C2gDataType          from,
                               C2gDataType          to,
                               gconstpointer        parameters,
                               GError             **error);
/* Chooses the loop by the input's element type. The output gets the same type. */
gboolean c2g_unary_run_any    (C2gOperator         *op,
                               int                  function,
                               const C2gUnaryLoop  *loops,
                               gconstpointer        parameters,
                               GError             **error);

/* Copies input 0, of any type, to output 0. Does nothing if they are the same tensor. */
gboolean c2g_operator_copy    (C2gOperator         *op,
                               GError             **error);

/* Returns the input's name in the definition. */
static inline const char *
c2g_operator_input_name (C2gOperator *op,
                         guint        input)
{
  return c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[input];
}

/* Checks that the tensor has at most C2G_DIMS_MAX dimensions. */
gboolean c2g_operator_check_rank (C2gOperator  *op,
                                  guint         input,
                                  C2gTensor    *tensor,
                                  GError      **error);

/* Returns an input of type wanted with n_elements elements, or NULL with an error that names it. */
C2gTensor *c2g_operator_input_sized (C2gOperator  *op,
                                     guint         input,
                                     C2gDataType   wanted,
                                     gint64        n_elements,
                                     GError      **error);
/* Returns an input of type wanted with the shape of like, or NULL with an error. */
C2gTensor *c2g_operator_input_like  (C2gOperator  *op,
                                     guint         input,
                                     C2gDataType   wanted,
                                     C2gTensor    *like,
                                     GError      **error);

/* For count_flops: one operation per element of output 0. */
double   c2g_count_elements   (C2gOperator         *op,
                               gpointer             state);

/* For count_flops: one operation per element of input 0. */
double   c2g_count_input_elements (C2gOperator     *op,
                                   gpointer         state);

/* Sets a type error for an input that can have one of several types: bit i of types is type i. */
gboolean c2g_operator_set_types_error (C2gOperator  *op,
                                       guint         input,
                                       guint32       types,
                                       GError      **error);

/* Bit mask of the types that an array has loops for. */
#define C2G_LOOP_TYPES(loops) \
  (G_GNUC_EXTENSION ({ \
    guint32 loop_types = 0; \
    for (guint loop_type = 0; loop_type < C2G_N_LOOPS; loop_type++) \
      if ((loops)[loop_type] != NULL) \
        loop_types |= 1U << loop_type; \
    loop_types; \
  }))

G_END_DECLS
