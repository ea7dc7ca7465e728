/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-type-meta-private.h>
#include <c2g/core/types/c2g-type-meta.h>

#include <c2g/core/types/c2g-element-funcs-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/**
 * C2gTypeMeta:
 *
 * The type of the elements of a tensor.
 *
 * There is one element type for each [enum@DataType], one for each boxed, object or interface
 * type that was requested, and those that a program registers: with functions in C, or as plain
 * bytes from any language.
 *
 * An element type lives as long as the process. Copying one returns the same one, and two types
 * are never equal, even if their elements have the same size: `FLOAT16` is not `UINT16`.
 *
 * ## Plain types
 *
 * Elements of a *plain* type need no constructor and no destructor and are copied as bytes.
 * Numbers are plain. Other elements are constructed when a tensor gets memory and destroyed
 * when that memory is released.
 *
 * ## Threads
 *
 * Element types are immutable, and the registry has a lock: all functions may be
 * called from any thread. No lock is held while an element's functions run.
 */

static C2gTypeMeta *
c2g_type_meta_copy (C2gTypeMeta *self)
{
  return self;
}

static void
c2g_type_meta_free (C2gTypeMeta *self)
{
}

G_DEFINE_BOXED_TYPE (C2gTypeMeta, c2g_type_meta, c2g_type_meta_copy, c2g_type_meta_free)

#define NUMBER_META(nick, c_type, NUMBER, GTYPE) \
  static C2gTypeMeta nick##_meta = {             \
    .name = #nick,                               \
    .item_size = sizeof (c_type),                \
    .data_type = C2G_DATA_TYPE_##NUMBER,         \
    .gtype = GTYPE,                              \
    .is_plain = TRUE,                            \
  }

NUMBER_META (float, float, FLOAT, G_TYPE_FLOAT);
NUMBER_META (int32, gint32, INT32, G_TYPE_INT);
NUMBER_META (bool, guint8, BOOL, G_TYPE_BOOLEAN);
NUMBER_META (uint8, guint8, UINT8, G_TYPE_UCHAR);
NUMBER_META (int8, gint8, INT8, G_TYPE_CHAR);
NUMBER_META (uint16, guint16, UINT16, G_TYPE_INVALID);
NUMBER_META (int16, gint16, INT16, G_TYPE_INVALID);
NUMBER_META (int64, gint64, INT64, G_TYPE_INT64);
NUMBER_META (float16, guint16, FLOAT16, G_TYPE_INVALID);
NUMBER_META (double, double, DOUBLE, G_TYPE_DOUBLE);
NUMBER_META (bfloat16, guint16, BFLOAT16, G_TYPE_INVALID);
NUMBER_META (uint32, guint32, UINT32, G_TYPE_UINT);
NUMBER_META (uint64, guint64, UINT64, G_TYPE_UINT64);

static C2gTypeMeta string_meta = {
  .name = "string",
  .item_size = sizeof (GBytes *),
  .data_type = C2G_DATA_TYPE_STRING,
  .gtype = G_TYPE_STRING,
  .is_pointer = TRUE,
  .funcs = { .copy = c2g_string_elements_copy, .destroy = c2g_string_elements_destroy },
};

/* Maps data types to indices: c2g's own numbers follow those of Caffe2 without a gap. */
#define FIRST_OWN_NUMBER  C2G_DATA_TYPE_BFLOAT16
#define N_CAFFE2_NUMBERS  (C2G_DATA_TYPE_DOUBLE + 1)
#define BUILTIN_INDEX(n)  ((n) < FIRST_OWN_NUMBER ? (n) : (n) -FIRST_OWN_NUMBER + N_CAFFE2_NUMBERS)

int c2g_type_meta_has_code;

static C2gTypeMeta *const builtins[] = {
  [BUILTIN_INDEX (C2G_DATA_TYPE_FLOAT)] = &float_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_INT32)] = &int32_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_BYTE)] = &uint8_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_STRING)] = &string_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_BOOL)] = &bool_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_UINT8)] = &uint8_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_INT8)] = &int8_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_UINT16)] = &uint16_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_INT16)] = &int16_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_INT64)] = &int64_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_FLOAT16)] = &float16_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_DOUBLE)] = &double_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_BFLOAT16)] = &bfloat16_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_UINT32)] = &uint32_meta,
  [BUILTIN_INDEX (C2G_DATA_TYPE_UINT64)] = &uint64_meta,
};

/* The registry of types that programs registered by name, and of GTypes that were requested.
 * Entries are never removed. */
static GMutex registry_lock;
static GHashTable *registry_by_name;
static GHashTable *registry_by_gtype;

static C2gTypeMeta *
registry_lookup (GHashTable *const *table,
                 gconstpointer      key)
{
  C2gTypeMeta *found = NULL;

  g_mutex_lock (&registry_lock);
  if (*table != NULL)
    found = g_hash_table_lookup (*table, key);
  g_mutex_unlock (&registry_lock);

  return found;
}

/* Adds meta under the key unless there is one; returns the one in the table. */
static C2gTypeMeta *
registry_insert (GHashTable  **table,
                 GHashFunc     hash,
                 GEqualFunc    equal,
                 gpointer      key,
                 C2gTypeMeta  *meta)
{
  C2gTypeMeta *found;

  g_mutex_lock (&registry_lock);
  if (*table == NULL)
    *table = g_hash_table_new (hash, equal);
  found = g_hash_table_lookup (*table, key);
  if (found == NULL)
    {
      g_hash_table_insert (*table, key, meta);
      found = meta;
    }
  g_mutex_unlock (&registry_lock);

  return found;
}

/* The key is the name in the element type; the tables do not copy strings. */
static C2gTypeMeta *
insert_by_name (C2gTypeMeta *meta)
{
  return registry_insert (&registry_by_name, g_str_hash, g_str_equal, (gpointer) meta->name, meta);
}

static C2gTypeMeta *
insert_by_gtype (C2gTypeMeta *meta)
{
  return registry_insert (&registry_by_gtype, NULL, NULL, GSIZE_TO_POINTER (meta->gtype), meta);
}

static C2gTypeMeta *
new_gtype_meta (GType                  gtype,
                const C2gElementFuncs *funcs)
{
  C2gTypeMeta *meta = g_new0 (C2gTypeMeta, 1);

  meta->name = g_intern_string (g_type_name (gtype));
  meta->item_size = sizeof (gpointer);
  meta->gtype = gtype;
  meta->is_pointer = TRUE;
  meta->runs_code = TRUE;
  meta->funcs = *funcs;
  g_atomic_int_set (&c2g_type_meta_has_code, TRUE);

  return meta;
}

/* Returns the data type for a GType of numbers or text, else UNDEFINED. */
static C2gDataType
data_type_of_gtype (GType gtype)
{
  switch (gtype)
    {
    case G_TYPE_CHAR:
      return C2G_DATA_TYPE_INT8;
    case G_TYPE_UCHAR:
      return C2G_DATA_TYPE_UINT8;
    case G_TYPE_BOOLEAN:
      return C2G_DATA_TYPE_BOOL;
    case G_TYPE_INT:
      return C2G_DATA_TYPE_INT32;
    case G_TYPE_UINT:
      return C2G_DATA_TYPE_UINT32;
    case G_TYPE_LONG:
      return sizeof (long) == sizeof (gint32) ? C2G_DATA_TYPE_INT32 : C2G_DATA_TYPE_INT64;
    case G_TYPE_ULONG:
      return sizeof (long) == sizeof (gint32) ? C2G_DATA_TYPE_UINT32 : C2G_DATA_TYPE_UINT64;
    case G_TYPE_INT64:
      return C2G_DATA_TYPE_INT64;
    case G_TYPE_UINT64:
      return C2G_DATA_TYPE_UINT64;
    case G_TYPE_FLOAT:
      return C2G_DATA_TYPE_FLOAT;
    case G_TYPE_DOUBLE:
      return C2G_DATA_TYPE_DOUBLE;
    case G_TYPE_STRING:
      return C2G_DATA_TYPE_STRING;
    default:
      return C2G_DATA_TYPE_UNDEFINED;
    }
}

static const C2gElementFuncs *
funcs_for_gtype (GType gtype)
{
  if (G_TYPE_FUNDAMENTAL (gtype) == G_TYPE_BOXED && gtype != G_TYPE_BOXED)
    return &c2g_boxed_element_funcs;

  if (g_type_is_a (gtype, C2G_TYPE_ELEMENT_OBJECT))
    return &c2g_element_object_funcs;

  /* Accepts an interface only if it requires GObject. */
  if (g_type_is_a (gtype, G_TYPE_OBJECT))
    return &c2g_object_element_funcs;

  return NULL;
}

C2gTypeMeta *
c2g_type_meta_builtin (C2gDataType data_type)
{
  return builtins[BUILTIN_INDEX (data_type)];
}

void
c2g_type_meta_construct (C2gTypeMeta *self,
                         gpointer     items,
                         gsize        n_items)
{
  if (self->funcs.construct != NULL)
    self->funcs.construct (self, items, n_items);
  else if (!self->is_plain && n_items > 0)
    memset (items, 0, n_items * self->item_size);
}

gboolean
c2g_type_meta_copy_items (C2gTypeMeta    *self,
                          gconstpointer   source,
                          gpointer        destination,
                          gsize           n_items,
                          GError        **error)
{
  if (self->funcs.copy != NULL)
    {
      gboolean is_done = self->funcs.copy (self, source, destination, n_items, error);

      if (!is_done && error != NULL && *error == NULL)
        g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED,
                     _("Elements of type “%s” cannot be copied"), self->name);
      return is_done;
    }

  if (self->is_plain && n_items > 0)
    memcpy (destination, source, n_items * self->item_size);
  return TRUE;
}

void
c2g_type_meta_destroy (C2gTypeMeta *self,
                       gpointer     items,
                       gsize        n_items)
{
  if (self->funcs.destroy != NULL)
    self->funcs.destroy (self, items, n_items);
}

static gboolean
check_registration (const char  *name,
                    gsize        item_size,
                    GError     **error)
{
  if (*name == '\0' || !g_utf8_validate (name, -1, NULL))
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The name of an element type must be UTF-8 and not empty"));

  if (item_size == 0)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Elements of “%s” must have at least one byte"), name);

  return TRUE;
}

static gboolean
is_data_type_name (const char *name)
{
  return g_str_equal (name, "undefined") ||
         c2g_data_type_from_name (name, NULL) != C2G_DATA_TYPE_UNDEFINED;
}

/**
 * c2g_type_meta_register_full: (skip)
 * @name: a name that no element type has
 * @item_size: the bytes of an element
 * @funcs: (nullable): how to make, copy and destroy elements; `NULL` for plain bytes
 * @error: return location for an error
 *
 * Registers an element type whose elements may own something.
 *
 * The type stays for as long as the process lives, and so must the functions.
 *
 * An empty name or an @item_size of 0 is `C2G_ERROR_INVALID_ARGUMENT`, a
 * name that is taken `C2G_ERROR_EXISTS`.
 *
 * Returns: (transfer none): the element type
 */
C2gTypeMeta *
c2g_type_meta_register_full (const char             *name,
                             gsize                   item_size,
                             const C2gElementFuncs  *funcs,
                             GError                **error)
{
  C2gTypeMeta *meta;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_registration (name, item_size, error))
    return NULL;

  meta = g_new0 (C2gTypeMeta, 1);
  meta->name = g_strdup (name);
  meta->item_size = item_size;
  if (funcs != NULL)
    meta->funcs = *funcs;
  meta->is_plain = meta->funcs.construct == NULL &&
                   meta->funcs.copy == NULL &&
                   meta->funcs.destroy == NULL;
  meta->runs_code = !meta->is_plain;
  if (meta->runs_code)
    g_atomic_int_set (&c2g_type_meta_has_code, TRUE);

  if (is_data_type_name (name) || insert_by_name (meta) != meta)
    {
      g_free ((char *) meta->name);
      g_free (meta);
      return c2g_fail_null (error, C2G_ERROR_EXISTS, _("There is an element type “%s” already"),
                            name);
    }

  return meta;
}

/**
 * c2g_type_meta_register:
 * @name: a name that no element type has
 * @item_size: the bytes of an element
 * @error: return location for an error
 *
 * Registers an element type of so many plain bytes.
 *
 * Elements are read and written as a [struct@GLib.Bytes] of exactly @item_size
 * bytes.
 *
 * An empty name or an @item_size of 0 is `C2G_ERROR_INVALID_ARGUMENT`, a
 * name that is taken `C2G_ERROR_EXISTS`.
 *
 * Returns: (transfer none): the element type
 */
C2gTypeMeta *
c2g_type_meta_register (const char  *name,
                        gsize        item_size,
                        GError     **error)
{
  return c2g_type_meta_register_full (name, item_size, NULL, error);
}

/**
 * c2g_type_meta_lookup:
 * @name: the name of an element type
 * @error: return location for an error
 *
 * Finds an element type by its name.
 *
 * The name is that of a data type, a registered name, or the name of a GType that
 * [func@TypeMeta.for_gtype] was called with. For any other name the error is
 * `C2G_ERROR_NOT_FOUND`.
 *
 * Returns: (transfer none): the element type
 */
C2gTypeMeta *
c2g_type_meta_lookup (const char  *name,
                      GError     **error)
{
  C2gTypeMeta *meta;
  C2gDataType data_type;
  GType gtype;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  data_type = c2g_data_type_from_name (name, NULL);
  if (data_type != C2G_DATA_TYPE_UNDEFINED)
    return c2g_type_meta_builtin (data_type);

  meta = registry_lookup (&registry_by_name, name);
  gtype = meta == NULL ? g_type_from_name (name) : G_TYPE_INVALID;
  if (gtype != G_TYPE_INVALID)
    meta = registry_lookup (&registry_by_gtype, GSIZE_TO_POINTER (gtype));

  if (meta == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                 _("There is no element type “%s”"), name);

  return meta;
}

/**
 * c2g_type_meta_for_data_type:
 * @data_type: a data type
 * @error: return location for an error
 *
 * Gets the element type of a data type.
 *
 * `BYTE` is another name for `UINT8`. `UNDEFINED`, or a number that no data type
 * has, is `C2G_ERROR_TYPE`.
 *
 * Returns: (transfer none): the element type
 */
C2gTypeMeta *
c2g_type_meta_for_data_type (C2gDataType   data_type,
                             GError      **error)
{
  const gsize number = (guint) data_type;
  gsize index = number;
  C2gTypeMeta *meta = NULL;

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (number >= FIRST_OWN_NUMBER)
    index = number - FIRST_OWN_NUMBER + N_CAFFE2_NUMBERS;
  if (number < N_CAFFE2_NUMBERS || (number >= FIRST_OWN_NUMBER && index < G_N_ELEMENTS (builtins)))
    meta = builtins[index];

  if (data_type == C2G_DATA_TYPE_UNDEFINED)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_TYPE,
                         _("Expected a data type, got “undefined”"));
  else if (meta == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("There is no data type %d"), (int) data_type);

  return meta;
}

/**
 * c2g_type_meta_for_gtype:
 * @gtype: a type
 * @error: return location for an error
 *
 * Gets the element type of a GType.
 *
 * For types of numbers and strings this is the element type of the matching data type. The
 * elements of boxed types are copies. Those of object types, and of interfaces that require
 * objects, are references. Both may be `NULL`. A class with the interface [iface@ElementObject]
 * makes and copies its own elements. For any other type the error is `C2G_ERROR_TYPE`.
 *
 * Returns: (transfer none): the element type
 */
C2gTypeMeta *
c2g_type_meta_for_gtype (GType    gtype,
                         GError **error)
{
  const C2gDataType data_type = data_type_of_gtype (gtype);
  const C2gElementFuncs *funcs;
  C2gTypeMeta *meta, *found;

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (data_type != C2G_DATA_TYPE_UNDEFINED)
    return c2g_type_meta_builtin (data_type);

  found = registry_lookup (&registry_by_gtype, GSIZE_TO_POINTER (gtype));
  if (found != NULL)
    return found;

  funcs = funcs_for_gtype (gtype);
  if (funcs == NULL)
    {
      const char *name = g_type_name (gtype);

      return c2g_fail_null (error, C2G_ERROR_TYPE, _("Elements cannot be of type “%s”"),
                            name != NULL ? name : "invalid");
    }

  meta = new_gtype_meta (gtype, funcs);
  found = insert_by_gtype (meta);
  if (found != meta)
    g_free (meta);

  return found;
}

/**
 * c2g_type_meta_get_name:
 * @self: an element type
 *
 * Gets the name of an element type.
 *
 * Returns: (transfer none): the name
 */
const char *
c2g_type_meta_get_name (C2gTypeMeta *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/**
 * c2g_type_meta_get_item_size:
 * @self: an element type
 *
 * Gets how many bytes an element takes.
 *
 * Returns: the bytes of an element, at least 1
 */
gsize
c2g_type_meta_get_item_size (C2gTypeMeta *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->item_size;
}

/**
 * c2g_type_meta_get_data_type:
 * @self: an element type
 *
 * Gets the data type whose element type this is.
 *
 * Returns: the data type, `UNDEFINED` for a type of another kind
 */
C2gDataType
c2g_type_meta_get_data_type (C2gTypeMeta *self)
{
  g_return_val_if_fail (self != NULL, C2G_DATA_TYPE_UNDEFINED);

  return self->data_type;
}

/**
 * c2g_type_meta_get_gtype:
 * @self: an element type
 *
 * Gets the type for which [func@TypeMeta.for_gtype] gives this element type.
 *
 * Returns: the type, `G_TYPE_INVALID` where there is none
 */
GType
c2g_type_meta_get_gtype (C2gTypeMeta *self)
{
  g_return_val_if_fail (self != NULL, G_TYPE_INVALID);

  return self->gtype;
}

/**
 * c2g_type_meta_is_plain:
 * @self: an element type
 *
 * Tells whether elements are no more than their bytes.
 *
 * Returns: true if they need no construction, no destruction and no copier
 */
gboolean
c2g_type_meta_is_plain (C2gTypeMeta *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_plain;
}

/**
 * c2g_type_meta_can_copy:
 * @self: an element type
 *
 * Tells whether elements can be copied.
 *
 * Returns: true if they can
 */
gboolean
c2g_type_meta_can_copy (C2gTypeMeta *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_plain || self->funcs.copy != NULL;
}
