/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-net-check-private.h>

#include <c2g/net/operator/c2g-operator-registry-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-names-private.h>

/* Finds the class of a net by its type, and checks a definition before its operators are made. */

static const struct
{
  const char *name;
  GType     (*get_type) (void);
} net_types[] = {
  { "", c2g_simple_net_get_type },
  { "simple", c2g_simple_net_get_type },
  { "async_simple", c2g_simple_net_get_type },
  { "singlethread_async", c2g_simple_net_get_type },
  { "dag", c2g_dag_net_get_type },
  { "async_dag", c2g_dag_net_get_type },
  { "async_polling", c2g_dag_net_get_type },
  { "async_scheduling", c2g_dag_net_get_type },
  { "prof_dag", c2g_dag_net_get_type },
  { "htrace_dag", c2g_dag_net_get_type },
  { "htrace_async_dag", c2g_dag_net_get_type },
};

GType
c2g_net_check_type (C2gNetDef  *def,
                    GError    **error)
{
  const char *net_type = c2g_net_def_get_net_type (def);

  for (guint i = 0; i < G_N_ELEMENTS (net_types); i++)
    if (g_str_equal (net_types[i].name, net_type != NULL ? net_type : ""))
      return net_types[i].get_type ();

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("Net “%s”: No nets of type “%s” are known"),
               c2g_net_get_def_name (def), net_type);
  return G_TYPE_INVALID;
}

/* Maps each blob that the net makes to the number of the last operator that writes it, counted
 * from 1. */
static GHashTable *
find_makers (C2gNetDef *def)
{
  GHashTable *makers = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < c2g_net_def_get_n_operators (def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (def, i);
      const char * const *outputs = c2g_operator_def_get_outputs (op);

      for (gsize j = 0; outputs[j] != NULL; j++)
        g_hash_table_insert (makers, (gpointer) outputs[j], GUINT_TO_POINTER (i + 1));
    }

  return makers;
}

/* A list of names, each once, in the order in which they came. */
typedef struct
{
  GHashTable *set;
  /* The first names. */
  GString    *text;
  /* The makers of the net's blobs, computed when first needed; NULL until then. */
  GHashTable *makers;
} Names;

static void
names_init (Names *self)
{
  self->set = g_hash_table_new (g_str_hash, g_str_equal);
  self->text = g_string_new (NULL);
  self->makers = NULL;
}

static void
names_clear (Names *self)
{
  g_hash_table_unref (self->set);
  g_string_free (self->text, TRUE);
  g_clear_pointer (&self->makers, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Names, names_clear)

/* Adds the name. Returns TRUE if it is a new one that the text has, too. */
static gboolean
names_add (Names      *self,
           const char *name)
{
  if (!g_hash_table_add (self->set, (gpointer) name) ||
      g_hash_table_size (self->set) > C2G_MAX_NAMES_TOLD)
    return FALSE;
  g_string_append_printf (self->text, "%s“%s”", self->text->len > 0 ? _(", ") : "", name);
  return TRUE;
}

/* Adds the name of a missing input. If a later operator makes the blob, the text says so. */
static void
names_add_input (Names      *self,
                 C2gNetDef  *def,
                 guint       reader,
                 const char *name)
{
  guint maker;

  if (!names_add (self, name))
    return;

  if (self->makers == NULL)
    self->makers = find_makers (def);
  maker = GPOINTER_TO_UINT (g_hash_table_lookup (self->makers, name));
  if (maker > reader)
    g_string_append_printf (self->text,
                            _(" (operator %u makes it, but operator %u reads it before)"),
                            maker - 1, reader);
}

static void
names_add_all (Names              *self,
               const char * const *names)
{
  for (gsize i = 0; names[i] != NULL; i++)
    names_add (self, names[i]);
}

/* Returns the text, or NULL if there are no names. */
static const char *
names_end (Names *self)
{
  const guint n_names = g_hash_table_size (self->set);

  if (n_names > C2G_MAX_NAMES_TOLD)
    g_string_append_printf (self->text, _(", … (%u in all)"), n_names);
  return n_names > 0 ? self->text->str : NULL;
}

static gboolean
fail (C2gNetDef   *def,
      C2gError     code,
      const char  *what,
      const char  *names,
      GError     **error)
{
  return c2g_fail (error, code, _("Net “%s”: %s: %s"), c2g_net_get_def_name (def), what, names);
}

static gboolean
names_fail (Names       *self,
            C2gNetDef   *def,
            C2gError     code,
            const char  *what,
            GError     **error)
{
  const char *names = names_end (self);

  return names == NULL || fail (def, code, what, names, error);
}

static void
names_add_unknown (Names     *self,
                   C2gNetDef *def)
{
  for (guint i = 0; i < c2g_net_def_get_n_operators (def); i++)
    {
      const char *op_type = c2g_operator_def_get_op_type (c2g_net_def_get_operator (def, i));
      const char *similar;

      if (c2g_operator_registry_has (op_type) || !names_add (self, op_type))
        continue;
      similar = c2g_operator_registry_find_similar (op_type);
      if (similar != NULL)
        g_string_append_printf (self->text, _(" (there is “%s”)"), similar);
    }
}

char *
c2g_net_check_list_unknown (C2gNetDef * const *defs,
                            gsize              n_defs)
{
  g_auto (Names) unknown;

  names_init (&unknown);
  for (gsize i = 0; i < n_defs; i++)
    if (defs[i] != NULL)
      names_add_unknown (&unknown, defs[i]);

  return g_strdup (names_end (&unknown));
}

static gboolean
check_types (C2gNetDef  *def,
             GError    **error)
{
  g_autofree char *unknown = c2g_net_check_list_unknown (&def, 1);

  return unknown == NULL ||
         fail (def, C2G_ERROR_NOT_FOUND, _("No operators of these types are known"), unknown, error);
}

/* Checks the external inputs. If the net declares any, all other inputs must be made by operators
 * before. A declared input need not be in the workspace if an operator makes it first. */
static gboolean
check_inputs (C2gNetDef     *def,
              C2gWorkspace  *workspace,
              Names         *declared,
              Names         *made,
              GError       **error)
{
  g_auto (Names) undeclared;
  g_auto (Names) missing;

  names_init (&undeclared);
  names_init (&missing);
  names_add_all (declared, c2g_net_def_get_external_inputs (def));
  for (guint i = 0; i < c2g_net_def_get_n_operators (def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (def, i);
      const char * const *inputs = c2g_operator_def_get_inputs (op);

      for (gsize j = 0; inputs[j] != NULL; j++)
        {
          if (g_hash_table_contains (made->set, inputs[j]))
            continue;
          if (declared->text->len > 0 && !g_hash_table_contains (declared->set, inputs[j]))
            names_add_input (&undeclared, def, i, inputs[j]);
          if (workspace != NULL && !c2g_workspace_has_blob (workspace, inputs[j]))
            names_add_input (&missing, def, i, inputs[j]);
        }
      names_add_all (made, c2g_operator_def_get_outputs (op));
    }

  return names_fail (&undeclared, def, C2G_ERROR_INVALID_ARGUMENT,
                     _("These inputs are neither declared nor made by the net"),
                     error) &&
         names_fail (&missing, def, C2G_ERROR_NOT_FOUND,
                     _("These inputs are not in the workspace"), error);
}

gboolean
c2g_net_check_def (C2gNetDef     *def,
                   C2gWorkspace  *workspace,
                   GError       **error)
{
  const char * const *outputs = c2g_net_def_get_external_outputs (def);
  g_auto (Names) declared;
  g_auto (Names) made;
  g_auto (Names) missing;

  names_init (&declared);
  names_init (&made);
  names_init (&missing);
  if (!check_types (def, error) || !check_inputs (def, workspace, &declared, &made, error))
    return FALSE;

  for (gsize i = 0; outputs[i] != NULL; i++)
    if (!g_hash_table_contains (made.set, outputs[i]) &&
        !g_hash_table_contains (declared.set, outputs[i]))
      names_add (&missing, outputs[i]);
  return names_fail (&missing, def, C2G_ERROR_INVALID_ARGUMENT,
                     _("These outputs are declared, but not made by the net"), error);
}

/* Returns TRUE if the operator type has no implementation on its device. An invalid device is
 * reported later, when the operator is made. */
static gboolean
is_missing (C2gOperatorDef          *op,
            const C2gOperatorPlace  *place,
            C2gDeviceType           *device_type)
{
  C2gDevice *device = c2g_operator_choose_device (op, place, NULL);

  if (device == NULL)
    return FALSE;
  *device_type = c2g_device_get_device_type (device);
  return !c2g_operator_registry_has_on (c2g_operator_def_get_op_type (op), *device_type);
}

static char *
describe_missing (C2gDeviceType device_type)
{
  g_autoptr (GEnumClass) types = g_type_class_ref (C2G_TYPE_DEVICE_TYPE);

  return g_strdup_printf (_("Operators of these types are not there for devices of type “%s”"),
                          g_enum_get_value (types, device_type)->value_nick);
}

gboolean
c2g_net_check_devices (C2gNetDef               *def,
                       const C2gOperatorPlace  *place,
                       GError                 **error)
{
  C2gDeviceType first = C2G_DEVICE_TYPE_CPU, device_type;
  g_autofree char *what = NULL;
  g_auto (Names) missing;

  names_init (&missing);
  for (guint i = 0; i < c2g_net_def_get_n_operators (def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (def, i);

      if (!is_missing (op, place, &device_type))
        continue;
      if (missing.text->len == 0)
        first = device_type;
      if (device_type == first)
        names_add (&missing, c2g_operator_def_get_op_type (op));
    }

  if (missing.text->len == 0)
    return TRUE;
  what = describe_missing (first);
  return names_fail (&missing, def, C2G_ERROR_DEVICE, what, error);
}

gboolean
c2g_net_check_alone (C2gNetDef  *def,
                     GError    **error)
{
  if (c2g_net_check_type (def, error) == G_TYPE_INVALID || !c2g_net_check_def (def, NULL, error))
    return FALSE;

  for (guint i = 0; i < c2g_net_def_get_n_operators (def); i++)
    if (!c2g_operator_check_def (c2g_net_def_get_operator (def, i), c2g_net_get_def_name (def), i,
                                 error))
      return FALSE;

  return TRUE;
}
