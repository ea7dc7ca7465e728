/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-move-private.h>

/* IndexHash: hashes int32 or int64 indices to 0 … modulo - 1. The hash starts with seed ·
 * 0xdeadbeef; each byte b of the index gives hash = hash · 65537 + b. The output has the input's
 * type and shape.
 *
 * LengthsSplit: splits each int32 length into n_split lengths that differ by at most 1; n_split is
 * an argument or input 1. The output has n · n_split lengths, those of one length after the
 * other.
 *
 * Nothing is in place. The rules are Caffe2's. Both operators run on the CPU only. */

/* IndexHash */

typedef struct
{
  gint64 seed;
  gint64 modulo;
} HashState;

/* Bytes are signed and the arithmetic wraps around in the index's type, as in Caffe2. */
#define DEFINE_HASH(bits)                                                                          \
  static gint64                                                                                    \
  hash_##bits (const HashState *self,                                                              \
               gint##bits       index)                                                             \
  {                                                                                                \
    guint##bits hash = (guint##bits) ((guint64) self->seed * 0xdeadbeef);                          \
    gint64 rest;                                                                                   \
                                                                                                   \
    for (guint i = 0; i < bits; i += 8)                                                            \
      hash = hash * 65537u + (guint##bits) (gint8) ((guint##bits) index >> i);                     \
    rest = (gint##bits) hash % self->modulo;                                                       \
    return rest < 0 ? rest + self->modulo : rest;                                                  \
  }

DEFINE_HASH (32)
DEFINE_HASH (64)

static gboolean
hash_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  HashState *self = state;
  C2gIndices input;
  C2gTensor *output;

  if (!c2g_indices_init (&input, op, 0, error))
    return FALSE;
  if (input.wide == NULL && c2g_tensor_get_data_type (input.tensor) == C2G_DATA_TYPE_INT32 &&
      self->modulo > G_MAXINT32)
    return c2g_operator_set_type_error (op, 0, "int64", error);

  output = c2g_operator_output_like (op, 0, input.tensor,
                                     c2g_tensor_get_data_type (input.tensor), error);
  if (output == NULL)
    return FALSE;

  for (gsize i = 0; i < input.n; i++)
    if (input.wide != NULL)
      ((gint64 *) c2g_tensor_address (output))[i] = hash_64 (self, input.wide[i]);
    else
      ((gint32 *) c2g_tensor_address (output))[i] = (gint32) hash_32 (self, input.narrow[i]);
  return TRUE;
}

/* LengthsSplit */

typedef struct
{
  int n_parts;
} SplitState;

static gboolean
fail_parts (gint64    n,
            GError  **error)
{
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("Lengths cannot be split into %" PRId64 " parts"), n);
}

static gboolean
split_set_up (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  const int n_parts = ((SplitState *) state)->n_parts;

  return c2g_operator_get_n_inputs (op) == 2 || n_parts > 0 || fail_parts (n_parts, error);
}

static gboolean
split_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  gint64 n_parts = ((SplitState *) state)->n_parts;
  C2gIndices lengths;
  C2gTensor *output;
  gint64 sum, n;
  gint32 *target;

  if (c2g_operator_input (op, 0, C2G_DATA_TYPE_INT32, error) == NULL ||
      !c2g_indices_init_vector (&lengths, op, 0, error) ||
      (!c2g_operator_is_inferring (op) && !c2g_indices_sum (&lengths, &sum, error)) ||
      (c2g_operator_get_n_inputs (op) == 2 && !c2g_indices_scalar (op, 1, &n_parts, error)))
    return FALSE;
  if (n_parts < 1 || __builtin_mul_overflow ((gint64) lengths.n, n_parts, &n))
    return fail_parts (n_parts, error);

  output = c2g_operator_output (op, 0, &n, 1, C2G_DATA_TYPE_INT32, error);
  if (output == NULL)
    return FALSE;

  target = c2g_tensor_address (output);
  for (gsize i = 0; i < lengths.n; i++)
    for (gint64 j = 0; j < n_parts; j++)
      *target++ = (gint32) (lengths.narrow[i] / n_parts + (j < lengths.narrow[i] % n_parts));
  return TRUE;
}

static const C2gKernel kernels[] = {
  { "IndexHash", NULL, 1, 1, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_INT (HashState, seed, "seed", 0),
              C2G_ARG_INT (HashState, modulo, "modulo", 0, C2G_AT_LEAST (1), C2G_IS_INVALID)),
    sizeof (HashState), NULL, hash_run, NULL, NULL, "Hashes of indices, from 0 up to a modulus",
    .infer = hash_run },
  { "LengthsSplit", NULL, 1, 2, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_INT (SplitState, n_parts, "n_split", 0)),
    sizeof (SplitState), split_set_up, split_run, NULL, NULL,
    "Splits every length into parts of about the same size", .infer = split_run },
};

C2G_OPS_FAMILY (index);
