/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-kernel-private.h>
#include <c2g/ops/c2g-dims-private.h>
#include <c2g/ops/c2g-hot-private.h>

G_BEGIN_DECLS

/* What functions of single elements share.  A loop reads n elements of its type and writes n;
 * both may be the same array.  Parameters are what the operator's state has for it. */
typedef void (*C2gUnaryLoop) (gconstpointer source,
                              gpointer      target,
                              gsize         n,
                              gconstpointer parameters);

/* Loops by the element type that they are for. */
#define C2G_N_LOOPS (C2G_DATA_TYPE_DOUBLE + 1)

/* A function that devices are not asked for. */
#define C2G_NOT_FOR_DEVICES (-1)

/* Output 0 from input 0, which has elements of one type.  The function is what a device is
 * asked for in place of the loop, with two floats as parameters, if any. */
gboolean c2g_unary_run        (C2gOperator         *op,
                               int                  function,
                               C2gUnaryLoop         loop,
                               C2gDataType          from,
                               C2gDataType          to,
                               gconstpointer        parameters,
                               GError             **error);
/* The same with the loop for the type that the input has, which the output gets too. */
gboolean c2g_unary_run_any    (C2gOperator         *op,
                               int                  function,
                               const C2gUnaryLoop  *loops,
                               gconstpointer        parameters,
                               GError             **error);

/* Copies input 0 to output 0, whatever the type; nothing is done in place. */
gboolean c2g_operator_copy    (C2gOperator         *op,
                               GError             **error);

/* As the definition has it. */
static inline const char *
c2g_operator_input_name (C2gOperator *op,
                         guint        input)
{
  return c2g_operator_def_get_inputs (c2g_operator_get_definition (op))[input];
}

/* At most C2G_DIMS_MAX dimensions. */
gboolean c2g_operator_check_rank (C2gOperator  *op,
                                  guint         input,
                                  C2gTensor    *tensor,
                                  GError      **error);

/* Input of one type that has as many elements as wanted; an error that names it otherwise. */
C2gTensor *c2g_operator_input_sized (C2gOperator  *op,
                                     guint         input,
                                     C2gDataType   wanted,
                                     gint64        n_elements,
                                     GError      **error);
/* Input of the same shape as another. */
C2gTensor *c2g_operator_input_like  (C2gOperator  *op,
                                     guint         input,
                                     C2gDataType   wanted,
                                     C2gTensor    *like,
                                     GError      **error);

/* One operation for each element of output 0. */
double   c2g_count_elements   (C2gOperator         *op,
                               gpointer             state);

/* One for each element of input 0. */
double   c2g_count_input_elements (C2gOperator     *op,
                                   gpointer         state);

/* Type error for an operator of several types, a bit for each. */
gboolean c2g_operator_set_types_error (C2gOperator  *op,
                                       guint         input,
                                       guint32       types,
                                       GError      **error);

/* The types that an array has loops for. */
#define C2G_LOOP_TYPES(loops) \
  (G_GNUC_EXTENSION ({ \
    guint32 loop_types = 0; \
    for (guint loop_type = 0; loop_type < C2G_N_LOOPS; loop_type++) \
      if ((loops)[loop_type] != NULL) \
        loop_types |= 1U << loop_type; \
    loop_types; \
  }))

G_END_DECLS
