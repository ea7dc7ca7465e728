/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_DB_TRANSACTION (c2g_db_transaction_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (C2gDbTransaction, c2g_db_transaction, C2G, DB_TRANSACTION, GObject)

/**
 * C2gDbTransactionClass:
 * @put: adds a record
 * @commit: writes the records to the database; later records belong to the next commit
 *
 * The class of transactions.
 *
 * Uncommitted records are discarded when the transaction is disposed of.
 */
struct _C2gDbTransactionClass
{
  GObjectClass parent_class;

  gboolean (*put)    (C2gDbTransaction  *self,
                      GBytes            *key,
                      GBytes            *value,
                      GError           **error);
  gboolean (*commit) (C2gDbTransaction  *self,
                      GError           **error);

  /*< private >*/
  gpointer _reserved[8];
};

C2G_AVAILABLE_IN_ALL
gboolean c2g_db_transaction_put    (C2gDbTransaction  *self,
                                    GBytes            *key,
                                    GBytes            *value,
                                    GError           **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_db_transaction_commit (C2gDbTransaction  *self,
                                    GError           **error);

G_END_DECLS
