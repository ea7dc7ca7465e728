/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-operator-registry-private.h>

#include <c2g/net/operator/c2g-operator-schema-private.h>
#include <c2g/net/operator/c2g-operator-similar-private.h>

#include <c2g/c2g-builtins-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/def/c2g-operator-def-private.h>

#include <string.h>

/* The registry of operator types: kernels and classes for each device and engine. It also has the
 * schema of each type, so c2g_operator_schema_lookup() is here. */

/* A type of operators. */
typedef struct
{
  C2gOperatorSchema *schema;
  /* C2gImplementation */
  GPtrArray         *implementations;
  /* Implementations that a redefined class has replaced. They are kept because lookups return
   * borrowed pointers. */
  GPtrArray         *replaced;
} Entry;

static GRWLock registry_lock;

/* Maps an interned type to its Entry. Entries are never removed. */
static GHashTable *entries;

/* Maps "device/type", or "device" for all types, to the preferred engines (a strv). The device
 * type is a number. */
static GHashTable *preferences;

static char *
make_preference_key (const char    *op_type,
                     C2gDeviceType  device_type)
{
  return op_type != NULL ? g_strdup_printf ("%d/%s", device_type, op_type)
                         : g_strdup_printf ("%d", device_type);
}

/* Sets the preferences that Caffe2 has by default. */
static void
prefer_builtin (void)
{
  static const char * const engines[] = { "CUDNN", NULL };

  g_hash_table_insert (preferences, make_preference_key (NULL, C2G_DEVICE_TYPE_CUDA),
                       g_strdupv ((char **) engines));
}

static void
register_builtin (void)
{
  static gsize is_done = 0;

  if (!g_once_init_enter (&is_done))
    return;

  entries = g_hash_table_new (g_str_hash, g_str_equal);
  preferences = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) g_strfreev);
  c2g_builtins_add_operators ();
  prefer_builtin ();
  g_once_init_leave (&is_done, 1);
}

static Entry *
ensure_entry_locked (const char *op_type)
{
  Entry *entry = g_hash_table_lookup (entries, op_type);

  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      entry->implementations = g_ptr_array_new ();
      entry->replaced = g_ptr_array_new ();
      g_hash_table_insert (entries, (gpointer) g_intern_string (op_type), entry);
    }

  return entry;
}

static C2gImplementation *
find_locked (const Entry   *entry,
             C2gDeviceType  device_type,
             const char    *engine)
{
  for (guint i = 0; i < entry->implementations->len; i++)
    {
      C2gImplementation *implementation = g_ptr_array_index (entry->implementations, i);

      if (implementation->device_type == device_type &&
          g_str_equal (implementation->engine, engine))
        return implementation;
    }

  return NULL;
}

static void
add_locked (Entry           *entry,
            C2gDeviceType    device_type,
            const char      *engine,
            GType            gtype,
            const C2gKernel *kernel)
{
  C2gImplementation *implementation = g_new0 (C2gImplementation, 1);

  implementation->device_type = device_type;
  implementation->engine = g_intern_string (engine != NULL ? engine : "");
  implementation->gtype = gtype;
  implementation->kernel = kernel;
  g_ptr_array_add (entry->implementations, implementation);
}

/* The first type of each role, of a built-in kernel. */
static const char *role_types[C2G_N_ROLES];

/* Adds built-in kernels. Needs no lock: it runs while the registry is being created. */
void
c2g_kernels_register (const C2gKernel *kernels,
                      gsize            n_kernels)
{
  for (gsize i = 0; i < n_kernels; i++)
    {
      Entry *entry = ensure_entry_locked (kernels[i].type);

      if (entry->schema == NULL)
        entry->schema = c2g_operator_schema_new_for_kernel (&kernels[i]);
      g_assert (find_locked (entry, C2G_DEVICE_TYPE_CPU,
                             kernels[i].engine != NULL ? kernels[i].engine : "") == NULL);
      add_locked (entry, C2G_DEVICE_TYPE_CPU, kernels[i].engine, G_TYPE_NONE, &kernels[i]);
      if (kernels[i].is_for_devices)
        add_locked (entry, C2G_DEVICE_TYPE_CUDA, kernels[i].engine, G_TYPE_NONE, &kernels[i]);
      if (kernels[i].device_engine != NULL)
        add_locked (entry, C2G_DEVICE_TYPE_CUDA, kernels[i].device_engine, G_TYPE_NONE,
                    &kernels[i]);
      if (role_types[kernels[i].role] == NULL)
        role_types[kernels[i].role] = kernels[i].type;
    }
}

static gboolean
check_class (GType    operator_class,
             GError **error)
{
  if (g_type_is_a (operator_class, C2G_TYPE_OPERATOR) && !G_TYPE_IS_ABSTRACT (operator_class))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE, _("%s is not a class of operators that can be made"),
                   g_type_name (operator_class));
}

/* Length of the class name without the suffix "-v2" that PyGObject adds when a class of the same
 * name exists already. */
static gsize
measure_name (const char *name)
{
  gsize n = strlen (name);
  gsize end = n;

  while (end > 0 && g_ascii_isdigit (name[end - 1]))
    end--;
  return end < n && end > 2 && strncmp (name + end - 2, "-v", 2) == 0 ? end - 2 : n;
}

static gboolean
is_new_version (GType old,
                GType operator_class)
{
  const char *old_name = old != G_TYPE_NONE ? g_type_name (old) : "";
  const char *name = g_type_name (operator_class);
  gsize n = measure_name (old_name);

  return n > 0 && measure_name (name) == n && strncmp (name, old_name, n) == 0;
}

/* Replaces the implementation: in a notebook a class is often redefined, and the new one must be
 * used. */
static void
replace_locked (Entry             *entry,
                C2gImplementation *old,
                GType              operator_class,
                C2gOperatorSchema *schema)
{
  g_ptr_array_remove (entry->implementations, old);
  g_ptr_array_add (entry->replaced, old);
  add_locked (entry, old->device_type, old->engine, operator_class, NULL);

  if (entry->implementations->len == 1 || schema != NULL)
    {
      g_clear_pointer (&entry->schema, c2g_operator_schema_unref);
      entry->schema = schema != NULL ? c2g_operator_schema_copy (schema) : NULL;
    }
}

static gboolean
can_infer (GType operator_class)
{
  C2gOperatorClass *klass = g_type_class_ref (operator_class);
  gboolean result = klass->infer != NULL;

  g_type_class_unref (klass);
  return result;
}

static gboolean
register_locked (const char         *op_type,
                 C2gDeviceType       device_type,
                 const char         *engine,
                 GType               operator_class,
                 C2gOperatorSchema  *schema,
                 GError            **error)
{
  Entry *entry = ensure_entry_locked (op_type);
  C2gImplementation *old = find_locked (entry, device_type, engine);

  if (old != NULL && old->gtype == operator_class)
    return TRUE;
  if (old != NULL && is_new_version (old->gtype, operator_class))
    {
      replace_locked (entry, old, operator_class, schema);
      return TRUE;
    }
  if (old != NULL && *engine == '\0')
    return c2g_fail (error, C2G_ERROR_EXISTS,
                     _("Operators of type “%s” are there already; another class needs another "
                       "type, or an engine"),
                     op_type);
  if (old != NULL)
    return c2g_fail (error, C2G_ERROR_EXISTS,
                     _("Operators of type “%s” are there already, engine “%s”; another class "
                       "needs another type or engine"),
                     op_type, engine);

  if (entry->schema == NULL && schema != NULL)
    {
      entry->schema = c2g_operator_schema_copy (schema);
      c2g_operator_schema_set_can_infer (entry->schema, can_infer (operator_class));
    }
  add_locked (entry, device_type, engine, operator_class, NULL);
  return TRUE;
}

/**
 * c2g_operator_register:
 * @op_type: the type that definitions name
 * @device_type: the kind of device that operators of the class run on
 * @engine: (nullable): the engine that the class implements, `NULL` for the default engine
 * @operator_class: a class derived from [class@Operator]
 * @schema: (nullable): the schema of the operators; if a type is registered several times, the
 *   first schema counts
 * @error: return location for an error
 *
 * Registers a class that runs the operators of a type.
 *
 * Registering the same class again changes nothing. A class that was defined anew under its
 * old name, as in a notebook, takes the place of the old one, with the new @schema; existing
 * nets keep the old one. Otherwise a registration cannot be removed.
 *
 * Errors: `C2G_ERROR_EXISTS` if another class, or the library, has the type on that device
 * with that engine, `C2G_ERROR_TYPE` if @operator_class is not derived from [class@Operator],
 * `C2G_ERROR_INVALID_ARGUMENT` if @op_type is empty.
 *
 * Returns: `TRUE` if the class is registered
 */
gboolean
c2g_operator_register (const char         *op_type,
                       C2gDeviceType       device_type,
                       const char         *engine,
                       GType               operator_class,
                       C2gOperatorSchema  *schema,
                       GError            **error)
{
  gboolean is_registered;

  g_return_val_if_fail (op_type != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (*op_type == '\0')
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Expected the name of an operator"));
  if (!check_class (operator_class, error))
    return FALSE;

  register_builtin ();
  g_rw_lock_writer_lock (&registry_lock);
  is_registered = register_locked (op_type, device_type, engine != NULL ? engine : "",
                                   operator_class, schema, error);
  g_rw_lock_writer_unlock (&registry_lock);

  return is_registered;
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char * const *) a, *(const char * const *) b);
}

/**
 * c2g_operator_list_types:
 *
 * Lists the types of operators that are known, those of the library and those registered.
 *
 * Returns: (transfer full) (array zero-terminated=1): the types, sorted
 */
char **
c2g_operator_list_types (void)
{
  g_autoptr (GPtrArray) types = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer op_type;

  register_builtin ();
  g_rw_lock_reader_lock (&registry_lock);
  g_hash_table_iter_init (&iter, entries);
  while (g_hash_table_iter_next (&iter, &op_type, NULL))
    g_ptr_array_add (types, g_strdup (op_type));
  g_rw_lock_reader_unlock (&registry_lock);

  g_ptr_array_sort (types, compare_names);
  g_ptr_array_add (types, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&types), FALSE);
}

/**
 * c2g_operator_list_engines:
 * @op_type: a type of operators
 * @device_type: a kind of device
 *
 * Lists the engines that can run operators of a type; the one that is taken by default is
 * an empty string.
 *
 * An empty list says that operators of the type cannot run on such devices:
 *
 * ```python
 * if not C2g.Operator.list_engines('StringJoin', C2g.DeviceType.CUDA):
 *     print('StringJoin has to run on the CPU')
 * ```
 *
 * Returns: (transfer full) (array zero-terminated=1): the engines, none if the type is not
 *   known there
 */
char **
c2g_operator_list_engines (const char    *op_type,
                           C2gDeviceType  device_type)
{
  g_autoptr (GPtrArray) engines = g_ptr_array_new ();
  Entry *entry;

  g_return_val_if_fail (op_type != NULL, NULL);

  register_builtin ();
  g_rw_lock_reader_lock (&registry_lock);
  entry = g_hash_table_lookup (entries, op_type);
  for (guint i = 0; entry != NULL && i < entry->implementations->len; i++)
    {
      C2gImplementation *implementation = g_ptr_array_index (entry->implementations, i);

      if (implementation->device_type == device_type)
        g_ptr_array_add (engines, g_strdup (implementation->engine));
    }
  g_rw_lock_reader_unlock (&registry_lock);

  g_ptr_array_add (engines, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&engines), FALSE);
}

/**
 * c2g_operator_set_preferred_engines:
 * @op_type: (nullable): a type of operators, or `NULL` for all of them
 * @device_type: a kind of device
 * @engines: (nullable) (array zero-terminated=1): engines, the most wanted first; `NULL`
 *   for none
 *
 * Sets the engines that are tried if a definition asks for none, or for one that does not
 * exist.
 *
 * As in Caffe2, the engine of the definition comes first, then those preferred for the type,
 * then those preferred for the device, then the default. At first `CUDNN` is preferred for
 * CUDA devices. A change affects only operators that are made afterwards.
 */
void
c2g_operator_set_preferred_engines (const char         *op_type,
                                    C2gDeviceType       device_type,
                                    const char * const *engines)
{
  char *key = make_preference_key (op_type, device_type);

  register_builtin ();
  g_rw_lock_writer_lock (&registry_lock);
  if (engines != NULL)
    g_hash_table_replace (preferences, key, g_strdupv ((char **) engines));
  else
    {
      g_hash_table_remove (preferences, key);
      g_free (key);
    }
  g_rw_lock_writer_unlock (&registry_lock);
}

gboolean
c2g_operator_registry_has (const char *op_type)
{
  gboolean has;

  register_builtin ();
  g_rw_lock_reader_lock (&registry_lock);
  has = g_hash_table_contains (entries, op_type);
  g_rw_lock_reader_unlock (&registry_lock);

  return has;
}

gboolean
c2g_operator_registry_has_on (const char    *op_type,
                              C2gDeviceType  device_type)
{
  g_auto (GStrv) engines = c2g_operator_list_engines (op_type, device_type);

  return engines[0] != NULL;
}

const C2gKernelArgument *
c2g_operator_registry_find_known (const char *op_type)
{
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_registry_find_schema (op_type);

  return schema != NULL ? c2g_operator_schema_peek_known (schema) : NULL;
}

const C2gKernel *
c2g_operator_registry_find_kernel (const char *op_type)
{
  const C2gImplementation *implementation;
  Entry *entry;

  register_builtin ();
  g_rw_lock_reader_lock (&registry_lock);
  entry = op_type != NULL ? g_hash_table_lookup (entries, op_type) : NULL;
  implementation = entry != NULL ? find_locked (entry, C2G_DEVICE_TYPE_CPU, "") : NULL;
  g_rw_lock_reader_unlock (&registry_lock);

  return implementation != NULL ? implementation->kernel : NULL;
}

C2gTraits
c2g_operator_registry_find_traits (C2gOperatorDef *def)
{
  const C2gKernel *kernel = c2g_operator_registry_find_kernel (c2g_operator_def_get_op_type (def));
  C2gArgument *argument;

  if (kernel == NULL || kernel->traits_argument == NULL)
    return kernel != NULL ? kernel->traits : C2G_TRAIT_NONE;

  argument = c2g_operator_def_find (def, kernel->traits_argument);
  return argument != NULL && c2g_argument_get_int (argument, NULL) != 0 ? kernel->traits
                                                                        : C2G_TRAIT_NONE;
}

const char *
c2g_operator_registry_find_role (C2gRole role)
{
  register_builtin ();

  return role_types[role];
}

C2gOperatorSchema *
c2g_operator_registry_find_schema (const char *op_type)
{
  C2gOperatorSchema *schema = NULL;
  Entry *entry;

  register_builtin ();
  g_rw_lock_reader_lock (&registry_lock);
  entry = g_hash_table_lookup (entries, op_type);
  if (entry != NULL && entry->schema != NULL)
    schema = c2g_operator_schema_ref (entry->schema);
  g_rw_lock_reader_unlock (&registry_lock);

  return schema;
}

static void
add_engine_locked (GPtrArray     *found,
                   const Entry   *entry,
                   C2gDeviceType  device_type,
                   const char    *engine)
{
  C2gImplementation *implementation = find_locked (entry, device_type, engine);

  if (implementation != NULL && !g_ptr_array_find (found, implementation, NULL))
    g_ptr_array_add (found, implementation);
}

static void
add_preferred_locked (GPtrArray     *found,
                      const Entry   *entry,
                      const char    *op_type,
                      C2gDeviceType  device_type)
{
  g_autofree char *key = make_preference_key (op_type, device_type);
  char **engines = g_hash_table_lookup (preferences, key);

  for (gsize i = 0; engines != NULL && engines[i] != NULL; i++)
    add_engine_locked (found, entry, device_type, engines[i]);
}

static void
find_all_locked (GPtrArray     *found,
                 const Entry   *entry,
                 const char    *op_type,
                 C2gDeviceType  device_type,
                 const char    *engines)
{
  g_auto (GStrv) asked = g_strsplit (engines != NULL ? engines : "", ",", -1);

  for (gsize i = 0; asked[i] != NULL; i++)
    if (*g_strstrip (asked[i]) != '\0')
      add_engine_locked (found, entry, device_type, asked[i]);
  add_preferred_locked (found, entry, op_type, device_type);
  add_preferred_locked (found, entry, NULL, device_type);
  add_engine_locked (found, entry, device_type, "");
}

/* Names are interned, so the result needs no lock. */
static const char *
find_similar_locked (const char *op_type)
{
  g_autofree gpointer *types = g_hash_table_get_keys_as_array (entries, NULL);

  return c2g_operator_similar_find ((const char *const *) types, op_type);
}

const char *
c2g_operator_registry_find_similar (const char *op_type)
{
  const char *similar;

  register_builtin ();
  g_rw_lock_reader_lock (&registry_lock);
  similar = find_similar_locked (op_type);
  g_rw_lock_reader_unlock (&registry_lock);

  return similar;
}

static void
set_not_found (const char     *op_type,
               const char     *similar,
               C2gDeviceType   device_type,
               gboolean        is_known,
               GError        **error)
{
  g_autoptr (GEnumClass) types = g_type_class_ref (C2G_TYPE_DEVICE_TYPE);
  const GEnumValue *value = g_enum_get_value (types, device_type);

  if (is_known)
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("Operators of type “%s” are not there for devices of type “%s”"),
                 op_type, value != NULL ? value->value_nick : "");
  else if (similar != NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                 _("No operators of type “%s” are known, but there is “%s”"), op_type, similar);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                 _("No operators of type “%s” are known"), op_type);
}

GPtrArray *
c2g_operator_registry_find (const char     *op_type,
                            C2gDeviceType   device_type,
                            const char     *engines,
                            GError        **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  const char *similar = NULL;
  Entry *entry;

  register_builtin ();
  g_rw_lock_reader_lock (&registry_lock);
  entry = g_hash_table_lookup (entries, op_type);
  if (entry != NULL)
    find_all_locked (found, entry, op_type, device_type, engines);
  else
    similar = find_similar_locked (op_type);
  g_rw_lock_reader_unlock (&registry_lock);

  if (found->len > 0)
    return g_steal_pointer (&found);
  set_not_found (op_type, similar, device_type, entry != NULL, error);
  return NULL;
}

/**
 * c2g_operator_schema_lookup:
 * @op_type: a type of operators
 * @error: return location for an error
 *
 * Gets the schema that operators of a type follow.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if the type is not known, or has been registered without a
 * schema.
 *
 * Returns: (transfer full): a copy of the schema: changing it changes no operators
 */
C2gOperatorSchema *
c2g_operator_schema_lookup (const char  *op_type,
                            GError     **error)
{
  g_autoptr (C2gOperatorSchema) schema = NULL;

  g_return_val_if_fail (op_type != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  schema = c2g_operator_registry_find_schema (op_type);
  if (schema == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                 _("There is no schema for operators of type “%s”"), op_type);
  return schema != NULL ? c2g_operator_schema_copy (schema) : NULL;
}
