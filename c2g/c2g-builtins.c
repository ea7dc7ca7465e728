/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/c2g-builtins-private.h>

#include <c2g/io/db/c2g-db-reader-private.h>
#include <c2g/io/db/c2g-minidb-private.h>
#include <c2g/io/db/c2g-protodb-private.h>
#include <c2g/io/lmdb/c2g-lmdb-db-private.h>
#include <c2g/io/serializer/c2g-builtin-serializers-private.h>
#include <c2g/io/serializer/c2g-serializer-private.h>
#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-int8-tensor.h>
#include <c2g/core/tensor/c2g-q-tensor-private.h>

/* Lists the built-in databases, serializers and operators. Each registry calls its function here
 * when it is first used. */

const C2gBuiltinDb c2g_builtin_dbs[] = {
  { "lmdb", "LMDB", c2g_lmdb_db_get_type },
  { "minidb", "MiniDB", c2g_minidb_db_get_type },
  { "protodb", "ProtoDB", c2g_protodb_db_get_type },
  { NULL, NULL, NULL },
};

#define ADD(name, ...) \
  c2g_serializer_add_builtin (&c2g_##name##_serializer_funcs,  \
                              (const GType[]) { __VA_ARGS__ }, \
                              G_N_ELEMENTS (((const GType[]) { __VA_ARGS__ })))

void
c2g_builtins_add_serializers (void)
{
  ADD (tensor, C2G_TYPE_TENSOR);
  ADD (string, G_TYPE_STRING, G_TYPE_BYTES);
  ADD (q_tensor, C2G_TYPE_Q_TENSOR);
  ADD (int8_tensor, C2G_TYPE_INT8_TENSOR);
  ADD (db_reader, C2G_TYPE_DB_READER);
  /* Language bindings store integers with different GTypes. */
  ADD (counter, G_TYPE_INT, G_TYPE_UINT, G_TYPE_LONG, G_TYPE_ULONG, G_TYPE_INT64, G_TYPE_UINT64);
}

#define FAMILY(name) &c2g_ops_##name,

void
c2g_builtins_add_operators (void)
{
  static const C2gKernelFamily *const families[] = { C2G_OPS_FILES (FAMILY) };

  for (gsize i = 0; i < G_N_ELEMENTS (families); i++)
    if (families[i]->start == NULL || families[i]->start ())
      c2g_kernels_register (families[i]->kernels, families[i]->n_kernels);
}
