/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/net/net-operators.h"

#include <string.h>

static int n_runs;

static GMutex notes_lock;
static GCond notes_changed;
static GPtrArray *notes;

/* NetTestDummy */

typedef struct
{
  C2gOperator parent_instance;
  gboolean    fails;
} NetTestDummy;

typedef struct
{
  C2gOperatorClass parent_class;
} NetTestDummyClass;

GType net_test_dummy_get_type (void);

G_DEFINE_TYPE (NetTestDummy, net_test_dummy, C2G_TYPE_OPERATOR)

static gboolean
net_test_dummy_set_up (C2gOperator  *op,
                       GError      **error)
{
  GError *local_error = NULL;

  ((NetTestDummy *) op)->fails = c2g_operator_get_boolean (op, "fail", FALSE, &local_error);
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
net_test_dummy_run (C2gOperator  *op,
                    GError      **error)
{
  if (((NetTestDummy *) op)->fails)
    return FALSE;

  g_atomic_int_inc (&n_runs);
  return TRUE;
}

static void
net_test_dummy_class_init (NetTestDummyClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->set_up = net_test_dummy_set_up;
  C2G_OPERATOR_CLASS (klass)->run = net_test_dummy_run;
}

static void
net_test_dummy_init (NetTestDummy *self)
{
}

int
net_take_count (void)
{
  return g_atomic_int_and ((guint *) &n_runs, 0);
}

/* NetTestStep */

typedef struct
{
  C2gOperator parent_instance;
} NetTestStep;

typedef struct
{
  C2gOperatorClass parent_class;
} NetTestStepClass;

GType net_test_step_get_type (void);

G_DEFINE_TYPE (NetTestStep, net_test_step, C2G_TYPE_OPERATOR)

static void
note_locked (char *text)
{
  if (notes == NULL)
    notes = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (notes, text);
  g_cond_broadcast (&notes_changed);
}

void
net_note (const char *text)
{
  g_mutex_lock (&notes_lock);
  note_locked (g_strdup (text));
  g_mutex_unlock (&notes_lock);
}

static gboolean
is_noted_locked (const char *text,
                 gint64      n_times)
{
  for (guint i = 0; notes != NULL && i < notes->len && n_times > 0; i++)
    if (g_str_equal (g_ptr_array_index (notes, i), text))
      n_times--;

  return n_times == 0;
}

static gboolean
net_test_step_run (C2gOperator  *op,
                   GError      **error)
{
  const char *name = c2g_operator_get_name (op);
  const char *until = c2g_operator_get_string (op, "until", NULL, NULL);
  gint64 n_times = c2g_operator_get_int (op, "times", 1, NULL);
  gint64 end = g_get_monotonic_time () + 1000 * c2g_operator_get_int (op, "wait_ms", 0, NULL);

  g_mutex_lock (&notes_lock);
  note_locked (g_strdup_printf ("%s(", name));
  while (until != NULL && !is_noted_locked (until, n_times))
    if (!g_cond_wait_until (&notes_changed, &notes_lock, end))
      break;
  note_locked (g_strdup_printf ("%s)", name));
  g_mutex_unlock (&notes_lock);

  if (c2g_operator_has_argument (op, "cancel"))
    g_cancellable_cancel (c2g_operator_get_cancellable (op));
  return TRUE;
}

static void
net_test_step_class_init (NetTestStepClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->run = net_test_step_run;
}

static void
net_test_step_init (NetTestStep *self)
{
}

char *
net_take_notes (void)
{
  char *text = NULL;

  g_mutex_lock (&notes_lock);
  if (notes != NULL)
    {
      g_ptr_array_add (notes, NULL);
      text = g_strjoinv (" ", (char **) notes->pdata);
    }
  g_clear_pointer (&notes, g_ptr_array_unref);
  g_mutex_unlock (&notes_lock);

  return text != NULL ? text : g_strdup ("");
}

/* NetTestMix */

typedef struct
{
  C2gOperator parent_instance;
} NetTestMix;

typedef struct
{
  C2gOperatorClass parent_class;
} NetTestMixClass;

GType net_test_mix_get_type (void);

G_DEFINE_TYPE (NetTestMix, net_test_mix, C2G_TYPE_OPERATOR)

static gboolean
net_test_mix_run (C2gOperator  *op,
                  GError      **error)
{
  float sum = (float) c2g_operator_get_position (op);
  C2gTensor *output;
  float *values;

  for (guint i = 0; i < c2g_operator_get_n_inputs (op); i++)
    {
      C2gTensor *input = c2g_operator_get_input_tensor (op, i, error);

      if (input == NULL)
        return FALSE;
      sum = sum * 0.7f + 1.3f * *(const float *) c2g_tensor_raw_data (input, NULL);
    }

  output = c2g_operator_get_output_tensor (op, 0, error);
  if (output == NULL || !c2g_tensor_resize (output, C2G_TEST_DIMS (1), error))
    return FALSE;
  values = c2g_tensor_mutable_data (output, C2G_DATA_TYPE_FLOAT, error);
  if (values == NULL)
    return FALSE;
  values[0] = sum > 1000 ? sum - 1000 : sum;
  return TRUE;
}

static void
net_test_mix_class_init (NetTestMixClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->run = net_test_mix_run;
}

static void
net_test_mix_init (NetTestMix *self)
{
}

/* Registration */

static void
register_one (const char        *op_type,
              GType              gtype,
              C2gOperatorSchema *schema)
{
  g_autoptr (GError) error = NULL;

  c2g_operator_register (op_type, C2G_DEVICE_TYPE_CPU, NULL, gtype, schema, &error);
  g_assert_no_error (error);
}

void
net_register_dummy (const char        *op_type,
                    C2gOperatorSchema *schema)
{
  register_one (op_type, net_test_dummy_get_type (), schema);
}

void
net_operators_register (void)
{
  g_autoptr (C2gOperatorSchema) any =
    c2g_operator_schema_new (0, C2G_ANY_NUMBER, 0, C2G_ANY_NUMBER);
  g_autoptr (C2gOperatorSchema) one_to_one =
    c2g_operator_schema_new (0, C2G_ANY_NUMBER, 0, C2G_ANY_NUMBER);
  g_autoptr (C2gOperatorSchema) one_to_none =
    c2g_operator_schema_new (0, C2G_ANY_NUMBER, 0, C2G_ANY_NUMBER);

  for (guint i = 0; i < 4; i++)
    c2g_operator_schema_allow_in_place (any, i, 0);
  c2g_operator_schema_allow_in_place (one_to_one, 0, 0);
  c2g_operator_schema_allow_in_place (one_to_one, 1, 1);
  c2g_operator_schema_allow_in_place (one_to_none, 1, 0);

  register_one ("NetTestDummy", net_test_dummy_get_type (), one_to_one);
  register_one ("NetTestDummy2", net_test_dummy_get_type (), one_to_none);
  register_one ("NetTestStep", net_test_step_get_type (), any);
  register_one ("NetTestMix", net_test_mix_get_type (), any);
  net_is_main_thread ();
}

gboolean
net_is_main_thread (void)
{
  static GThread *main_thread;

  g_atomic_pointer_compare_and_exchange (&main_thread, NULL, g_thread_self ());
  return g_atomic_pointer_get (&main_thread) == g_thread_self ();
}

C2gNetDef *
net_def_from_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gNetDef *def = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return def;
}

void
net_create_inputs (C2gWorkspace *workspace,
                   C2gNetDef    *def)
{
  const char * const *names = c2g_net_def_get_external_inputs (def);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, names[i], &error);

      g_assert_no_error (error);
    }
}
