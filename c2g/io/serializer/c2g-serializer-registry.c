/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/serializer/c2g-serializer-private.h>

#include <c2g/io/stream/c2g-name-private.h>

#include <c2g/c2g-builtins-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-gtype-table-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>

#include <string.h>

/* The registry of serializers, by content type and by blob type: built-in ones and those of the
 * program. */

/* Both tables are protected by the lock. Entries are never removed. */
static GMutex registry_lock;
static GHashTable *registry_by_content;
static GHashTable *registry_by_blob_type;

/* Takes over a reference of the caller. Taking one here could run code of the program, which must not
 * happen while the lock is held. */
static void
insert (GType          content_type,
        const char    *blob_type,
        C2gSerializer *serializer)
{
  g_hash_table_insert (registry_by_content, GSIZE_TO_POINTER (content_type), serializer);
  g_hash_table_insert (registry_by_blob_type, (gpointer) g_intern_string (blob_type), serializer);
}

static void
builtin_class_init (gpointer klass,
                    gpointer data)
{
  C2gSerializerClass *serializer_class = klass;

  serializer_class->funcs = data;
  if (serializer_class->funcs->get_n_chunks != NULL)
    serializer_class->get_n_chunks = serializer_class->funcs->get_n_chunks;
}

void
c2g_serializer_add_builtin (const C2gSerializerFuncs *funcs,
                            const GType              *content_types,
                            gsize                     n_content_types)
{
  const GTypeInfo info = {
    .class_size = sizeof (C2gSerializerClass),
    .class_init = builtin_class_init,
    .class_data = funcs,
    .instance_size = sizeof (C2gSerializer),
  };
  GType type = g_type_register_static (C2G_TYPE_SERIALIZER, funcs->type_name, &info,
                                       G_TYPE_FLAG_FINAL);
  C2gSerializer *serializer = g_object_new (type, NULL);

  c2g_serializer_take_blob_type (serializer, funcs->blob_type);
  for (gsize i = 0; i < n_content_types; i++)
    insert (content_types[i], funcs->blob_type, serializer);
}

static void
ensure_builtins (void)
{
  static gsize once;

  if (!g_once_init_enter (&once))
    return;

  registry_by_content = g_hash_table_new (NULL, NULL);
  registry_by_blob_type = g_hash_table_new (g_str_hash, g_str_equal);
  c2g_builtins_add_serializers ();
  g_once_init_leave (&once, 1);
}

/* Caffe2 reads both names and writes only "Tensor". */
static const char *
canonical_blob_type (const char *blob_type)
{
  return strcmp (blob_type, "TensorCPU") == 0 ? C2G_BLOB_TYPE_TENSOR : blob_type;
}

/* Returns a new reference, or NULL. */
static C2gSerializer *
find (GType content_type)
{
  C2gSerializer *found;

  ensure_builtins ();
  g_mutex_lock (&registry_lock);
  found = c2g_gtype_table_find (registry_by_content, content_type);
  g_mutex_unlock (&registry_lock);

  return found != NULL ? g_object_ref (found) : NULL;
}

C2gSerializer *
c2g_serializer_for_blob (C2gBlob  *blob,
                         GError  **error)
{
  C2gSerializer *found;

  if (c2g_blob_is_empty (blob))
    return c2g_fail_null (error, C2G_ERROR_TYPE,
                          _("There is nothing in the blob that could be written"));

  found = find (c2g_blob_get_content_type (blob));
  if (found == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE, _("There is no serializer for %s"),
                 c2g_blob_content_get_type_name (&blob->content));
  return found;
}

/* Checks that both types are free or already belong to this serializer, and gives it the blob type. */
static gboolean
claim_names (GType           content_type,
             const char     *blob_type,
             C2gSerializer  *serializer,
             GError        **error)
{
  C2gSerializer *other = g_hash_table_lookup (registry_by_content, GSIZE_TO_POINTER (content_type));
  C2gSerializer *found = g_hash_table_lookup (registry_by_blob_type, blob_type);

  if (other != NULL && other != serializer)
    g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS,
                 _("There is a serializer for %s already"), g_type_name (content_type));
  else if (found != NULL && found != serializer)
    g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS,
                 _("There is a serializer for blobs of type “%s” already"), blob_type);
  else if (!c2g_serializer_take_blob_type (serializer, blob_type))
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The serializer writes blobs of type “%s” already, not of “%s”"),
                 c2g_serializer_get_blob_type (serializer), blob_type);
  else
    return TRUE;

  return FALSE;
}

/**
 * c2g_serializer_register:
 * @content_type: a type of content
 * @blob_type: the name of the type in messages
 * @serializer: the serializer for it
 * @error: return location for an error
 *
 * Registers a serializer for a type of content.
 *
 * It is also used for types derived from @content_type that have no serializer of their own; a
 * serializer of an interface is used if no class has one. A serializer can be registered for
 * several types of content, always with the same @blob_type. Registering it again for the same
 * type changes nothing. It stays registered until the process ends.
 *
 * Sets `C2G_ERROR_EXISTS` if there is another serializer for @content_type or @blob_type,
 * and `C2G_ERROR_INVALID_ARGUMENT` if the name is empty or @serializer has another one.
 *
 * Returns: `TRUE` if it was registered
 */
gboolean
c2g_serializer_register (GType           content_type,
                         const char     *blob_type,
                         C2gSerializer  *serializer,
                         GError        **error)
{
  gboolean is_known = FALSE;
  gboolean is_fine;

  g_return_val_if_fail (g_type_name (content_type) != NULL, FALSE);
  g_return_val_if_fail (blob_type != NULL, FALSE);
  g_return_val_if_fail (C2G_IS_SERIALIZER (serializer), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (*blob_type == '\0' || !g_utf8_validate (blob_type, -1, NULL))
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The name of a type of blobs must be UTF-8 and not empty"));

  ensure_builtins ();
  blob_type = canonical_blob_type (blob_type);
  g_object_ref (serializer);
  g_mutex_lock (&registry_lock);
  is_fine = claim_names (content_type, blob_type, serializer, error);
  if (is_fine)
    is_known = g_hash_table_contains (registry_by_content, GSIZE_TO_POINTER (content_type));
  if (is_fine && !is_known)
    insert (content_type, blob_type, serializer);
  g_mutex_unlock (&registry_lock);

  if (!is_fine || is_known)
    g_object_unref (serializer);
  return is_fine;
}

/**
 * c2g_serializer_lookup:
 * @content_type: a type of content
 * @error: return location for an error
 *
 * Finds the serializer for a type of content.
 *
 * Sets `C2G_ERROR_TYPE` if there is none.
 *
 * Returns: (transfer full): the serializer of @content_type, or of its nearest parent that
 *   has one
 */
C2gSerializer *
c2g_serializer_lookup (GType    content_type,
                       GError **error)
{
  C2gSerializer *found;

  g_return_val_if_fail (g_type_name (content_type) != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  found = find (content_type);
  if (found == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE, _("There is no serializer for %s"),
                 g_type_name (content_type));
  return found;
}

/**
 * c2g_serializer_lookup_for_blob_type:
 * @blob_type: the name of the type in messages
 * @error: return location for an error
 *
 * Finds the serializer for a type of blob.
 *
 * Sets `C2G_ERROR_NOT_SUPPORTED` if there is none.
 *
 * Returns: (transfer full): the serializer that was registered under @blob_type
 */
C2gSerializer *
c2g_serializer_lookup_for_blob_type (const char  *blob_type,
                                     GError     **error)
{
  C2gSerializer *found;

  g_return_val_if_fail (blob_type != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  ensure_builtins ();
  g_mutex_lock (&registry_lock);
  found = g_hash_table_lookup (registry_by_blob_type, canonical_blob_type (blob_type));
  g_mutex_unlock (&registry_lock);
  if (found != NULL)
    return g_object_ref (found);

  return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                        _("There is no serializer for blobs of type “%s”"), blob_type);
}

/**
 * c2g_serializer_list_blob_types:
 *
 * Lists the types of blobs that can be read and written.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names, sorted
 */
char **
c2g_serializer_list_blob_types (void)
{
  GPtrArray *names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  ensure_builtins ();
  g_mutex_lock (&registry_lock);
  g_hash_table_iter_init (&iter, registry_by_blob_type);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (names, g_strdup (name));
  g_mutex_unlock (&registry_lock);

  return c2g_names_to_sorted_strv (names);
}
