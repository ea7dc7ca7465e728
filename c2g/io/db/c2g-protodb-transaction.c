/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-protodb-private.h>

#include <c2g/io/db/c2g-db-private.h>
#include <c2g/io/message/c2g-tensor-scan-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Appends tensors to a TensorProtos file. */

struct _C2gProtodbTransaction
{
  C2gAppendTransaction  parent_instance;

  /* Keys of the database, and keys that are not committed yet. */
  GHashTable           *keys;
  GHashTable           *new_keys;
};

G_DEFINE_FINAL_TYPE (C2gProtodbTransaction, c2g_protodb_transaction, C2G_TYPE_APPEND_TRANSACTION)

static gboolean
fail (int          code,
      GBytes      *key,
      const char  *what,
      GError     **error)
{
  g_autofree char *name = c2g_db_display_key (key);

  return c2g_fail (error, code, _("The record with key “%s”: %s"), name, what);
}

/* A key must be UTF-8, and not longer than the window of the scanner, which readers use for
 * names. */
static gboolean
check_key (C2gProtodbTransaction  *self,
           GBytes                 *key,
           GError                **error)
{
  gsize n_bytes;
  const char *data = g_bytes_get_data (key, &n_bytes);

  if (n_bytes > C2G_SCANNER_WINDOW)
    return fail (C2G_ERROR_RANGE, key, _("the key is too long for the name of a tensor"), error);
  if (!g_utf8_validate_len (data, n_bytes, NULL))
    return fail (C2G_ERROR_INVALID_ARGUMENT, key,
                 _("the key is no text in UTF-8, as the name of a tensor must be"), error);
  if (g_hash_table_contains (self->keys, key) || g_hash_table_contains (self->new_keys, key))
    return fail (C2G_ERROR_EXISTS, key, _("there is one with this key already"), error);
  return TRUE;
}

static gboolean
check_name (GBytes              *key,
            GBytes              *value,
            const C2gWireItem   *name,
            GError             **error)
{
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (key, &n_bytes);
  const guint8 *message = g_bytes_get_data (value, NULL);

  if (name->n_bytes == 0 ||
      (name->n_bytes == n_bytes && memcmp (message + name->value_offset, data, n_bytes) == 0))
    return TRUE;
  return fail (C2G_ERROR_INVALID_ARGUMENT, key, _("the tensor has another name"), error);
}

/* Checks that the value is a TensorProto, and finds its name. */
static gboolean
check_value (GBytes       *key,
             GBytes       *value,
             C2gWireItem  *name,
             GError      **error)
{
  g_autoptr (GError) own_error = NULL;
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (value, "");
  g_auto (C2gTensorRecord) record = { .name = NULL };
  g_auto (C2gScanner) scanner;
  g_autofree char *text = NULL;
  C2gWireScan fields;

  c2g_scanner_init (&scanner, source);
  if (c2g_tensor_record_scan (&record, &scanner, 0, g_bytes_get_size (value), &own_error) &&
      c2g_wire_scan_init (&fields, &scanner, 0, g_bytes_get_size (value), &own_error) &&
      c2g_protodb_find_name (&fields, name, &own_error))
    return check_name (key, value, name, error);

  text = g_strdup_printf (_("a protodb holds tensors only, and this is none: %s"),
                          own_error->message);
  return fail (C2G_ERROR_INVALID_ARGUMENT, key, text, error);
}

/* Writes the tag, the length and the value. If the value has no name, the key is appended as its
 * name. */
static gboolean
put_record (C2gProtodbTransaction  *self,
            GBytes                 *key,
            GBytes                 *value,
            gboolean                has_name,
            GError                **error)
{
  g_autoptr (GByteArray) header = g_byte_array_new ();
  g_autoptr (GByteArray) name = g_byte_array_new ();
  C2gPiece pieces[3];
  gsize n_key_bytes;
  gconstpointer key_data = g_bytes_get_data (key, &n_key_bytes);

  if (!has_name)
    c2g_wire_put_bytes (name, C2G_TENSOR_FIELD_NAME, key_data, n_key_bytes);
  c2g_wire_put_length (header, C2G_PROTODB_FIELD, g_bytes_get_size (value) + name->len);

  pieces[0] = (C2gPiece) { header->data, header->len };
  pieces[1].data = g_bytes_get_data (value, &pieces[1].n_bytes);
  pieces[2] = (C2gPiece) { name->data, name->len };
  return c2g_append_transaction_put_pieces (C2G_APPEND_TRANSACTION (self),
                                            pieces, G_N_ELEMENTS (pieces), error);
}

static gboolean
c2g_protodb_transaction_put (C2gDbTransaction  *transaction,
                             GBytes            *key,
                             GBytes            *value,
                             GError           **error)
{
  C2gProtodbTransaction *self = C2G_PROTODB_TRANSACTION (transaction);
  C2gWireItem name;

  if (!c2g_append_transaction_claim (C2G_APPEND_TRANSACTION (self), error) ||
      !c2g_db_check_record (key, value, error) ||
      !check_key (self, key, error) ||
      !check_value (key, value, &name, error) ||
      !put_record (self, key, value, name.n_bytes > 0, error))
    return FALSE;

  g_hash_table_add (self->new_keys, g_bytes_ref (key));
  return TRUE;
}

static gboolean
c2g_protodb_transaction_commit (C2gDbTransaction  *transaction,
                                GError           **error)
{
  C2gProtodbTransaction *self = C2G_PROTODB_TRANSACTION (transaction);
  C2gDbTransactionClass *parent_class =
    C2G_DB_TRANSACTION_CLASS (c2g_protodb_transaction_parent_class);
  GHashTableIter iter;
  gpointer key;

  if (!parent_class->commit (transaction, error))
    return FALSE;

  g_hash_table_iter_init (&iter, self->new_keys);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      g_hash_table_iter_steal (&iter);
      g_hash_table_add (self->keys, key);
    }
  return TRUE;
}

static void
c2g_protodb_transaction_finalize (GObject *object)
{
  C2gProtodbTransaction *self = C2G_PROTODB_TRANSACTION (object);

  g_clear_pointer (&self->keys, g_hash_table_unref);
  g_clear_pointer (&self->new_keys, g_hash_table_unref);

  G_OBJECT_CLASS (c2g_protodb_transaction_parent_class)->finalize (object);
}

static void
c2g_protodb_transaction_class_init (C2gProtodbTransactionClass *klass)
{
  C2gDbTransactionClass *transaction_class = C2G_DB_TRANSACTION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = c2g_protodb_transaction_finalize;

  transaction_class->put = c2g_protodb_transaction_put;
  transaction_class->commit = c2g_protodb_transaction_commit;
}

static void
c2g_protodb_transaction_init (C2gProtodbTransaction *self)
{
  self->new_keys = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                          (GDestroyNotify) g_bytes_unref, NULL);
}

C2gDbTransaction *
c2g_protodb_transaction_new (C2gAppendFile *file,
                             GHashTable    *keys)
{
  C2gProtodbTransaction *self = g_object_new (C2G_TYPE_PROTODB_TRANSACTION, NULL);

  self->keys = g_hash_table_ref (keys);
  c2g_append_transaction_set_file (C2G_APPEND_TRANSACTION (self), file);
  return C2G_DB_TRANSACTION (self);
}
