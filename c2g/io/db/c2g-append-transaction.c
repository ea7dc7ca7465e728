/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-append-transaction-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Base class of transactions that append records to a file. */

typedef struct
{
  C2gAppendFile *file;
  /* Set after a failed write: a commit would miss records, so it is refused. */
  gboolean       has_failed;
} C2gAppendTransactionPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (C2gAppendTransaction,
                                     c2g_append_transaction,
                                     C2G_TYPE_DB_TRANSACTION)

void
c2g_append_transaction_set_file (C2gAppendTransaction *self,
                                 C2gAppendFile        *file)
{
  C2gAppendTransactionPrivate *priv = c2g_append_transaction_get_instance_private (self);

  priv->file = c2g_append_file_ref (file);
}

gboolean
c2g_append_transaction_claim (C2gAppendTransaction  *self,
                              GError               **error)
{
  C2gAppendTransactionPrivate *priv = c2g_append_transaction_get_instance_private (self);

  if (!priv->has_failed)
    return c2g_append_file_claim (priv->file, self, error);

  return c2g_fail (error, C2G_ERROR_FAILED, _("The transaction has failed, and was given up"));
}

gboolean
c2g_append_transaction_put_pieces (C2gAppendTransaction  *self,
                                   const C2gPiece        *pieces,
                                   gsize                  n_pieces,
                                   GError               **error)
{
  C2gAppendTransactionPrivate *priv = c2g_append_transaction_get_instance_private (self);

  if (!c2g_append_transaction_claim (self, error))
    return FALSE;

  for (gsize i = 0; i < n_pieces && !priv->has_failed; i++)
    priv->has_failed = !c2g_append_file_write (priv->file, self, pieces[i].data,
                                               pieces[i].n_bytes, error);
  return !priv->has_failed;
}

static gboolean
c2g_append_transaction_commit (C2gDbTransaction  *transaction,
                               GError           **error)
{
  C2gAppendTransaction *self = C2G_APPEND_TRANSACTION (transaction);
  C2gAppendTransactionPrivate *priv = c2g_append_transaction_get_instance_private (self);

  if (!c2g_append_transaction_claim (self, error))
    return FALSE;

  priv->has_failed = !c2g_append_file_commit (priv->file, self, error);
  return !priv->has_failed;
}

static void
c2g_append_transaction_dispose (GObject *object)
{
  C2gAppendTransaction *self = C2G_APPEND_TRANSACTION (object);
  C2gAppendTransactionPrivate *priv = c2g_append_transaction_get_instance_private (self);

  if (priv->file != NULL)
    c2g_append_file_roll_back (priv->file, self);

  G_OBJECT_CLASS (c2g_append_transaction_parent_class)->dispose (object);
}

static void
c2g_append_transaction_finalize (GObject *object)
{
  C2gAppendTransaction *self = C2G_APPEND_TRANSACTION (object);
  C2gAppendTransactionPrivate *priv = c2g_append_transaction_get_instance_private (self);

  g_clear_pointer (&priv->file, c2g_append_file_unref);

  G_OBJECT_CLASS (c2g_append_transaction_parent_class)->finalize (object);
}

static void
c2g_append_transaction_class_init (C2gAppendTransactionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = c2g_append_transaction_dispose;
  object_class->finalize = c2g_append_transaction_finalize;

  C2G_DB_TRANSACTION_CLASS (klass)->commit = c2g_append_transaction_commit;
}

static void
c2g_append_transaction_init (C2gAppendTransaction *self)
{
}
