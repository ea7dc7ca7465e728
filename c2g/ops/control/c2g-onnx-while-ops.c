/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-subnet-private.h>

/* ONNXWhile: ONNX's Loop. Inputs: the maximum number of iterations (used with has_trip_count),
 * the condition (used with has_cond), and the initial values of the loop-carried variables.
 *
 * The body is a net in a workspace of its own, a child of the operator's. It reads the iteration,
 * the condition and the carried variables; it makes the next condition, the next values of these
 * and scan outputs. Outputs of the operator: the final carried variables, then each scan output
 * with a row for each iteration. Nothing is in place. The rules are Caffe2's. The operator runs
 * on the CPU only. */

/* Inputs before the carried variables: the iteration and the condition. */
#define N_BEFORE 2
/* Growth of the memory for scan outputs, in percent. */
#define GROWTH_PERCENT 100

typedef struct
{
  C2gNetDef *body;
  gboolean   has_trip_count;
  gboolean   has_cond;
  gboolean   save_scopes;
  gboolean   disable_scopes;
  /* The argument for n_carried. */
  int        n_given;
  guint      n_carried;
  guint      n_scans;
  /* Type of the initial condition. The body's condition input has it in every iteration. */
  C2gDataType condition_type;
  /* Values of the carried variables between iterations, as C2gTensor. */
  GPtrArray *carried;
} WhileState;

/* The body with its workspace, and the blobs of its first two inputs. */
typedef struct
{
  C2gWorkspace *workspace;
  C2gNet       *net;
  C2gBlob      *iteration;
  C2gBlob      *condition;
} Scope;

static void
scope_clear (Scope *self)
{
  g_clear_object (&self->net);
  g_clear_object (&self->iteration);
  g_clear_object (&self->condition);
  g_clear_object (&self->workspace);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scope, scope_clear)

static const char *
get_input_name (WhileState *self,
                guint       i)
{
  return c2g_net_def_get_external_inputs (self->body)[i];
}

static const char *
get_output_name (WhileState *self,
                 guint       i)
{
  return c2g_net_def_get_external_outputs (self->body)[i];
}

static C2gBlob *
create_blob (Scope       *scope,
             gboolean     is_local,
             const char  *name,
             C2gOperator *op,
             GError     **error)
{
  g_autoptr (C2gBlob) blob = NULL;

  blob = is_local ? c2g_workspace_create_local_blob (scope->workspace, name, error)
                  : c2g_workspace_create_blob (scope->workspace, name, error);
  if (blob == NULL || c2g_blob_ensure_tensor (blob, c2g_operator_get_device (op), error) == NULL)
    return NULL;
  return g_steal_pointer (&blob);
}

static gboolean
scope_init (Scope       *scope,
            C2gOperator *op,
            WhileState  *self,
            GError     **error)
{
  g_autoptr (C2gWorkspace) workspace = c2g_operator_ref_workspace (op, error);
  gboolean is_local = !self->disable_scopes;

  if (workspace == NULL)
    return FALSE;
  scope->workspace = is_local ? c2g_workspace_new_with_parent (workspace)
                              : g_object_ref (workspace);

  for (guint i = 0; i < N_BEFORE + self->n_carried; i++)
    {
      g_autoptr (C2gBlob) blob = create_blob (scope, is_local, get_input_name (self, i), op, error);

      if (blob == NULL)
        return FALSE;
      if (i == 0)
        scope->iteration = g_steal_pointer (&blob);
      else if (i == 1)
        scope->condition = g_steal_pointer (&blob);
    }

  scope->net = c2g_subnet_new (op, self->body, scope->workspace, error);
  return scope->net != NULL;
}

static gboolean
check_arguments (C2gOperator  *op,
                 WhileState   *self,
                 GError      **error)
{
  const guint n_inputs = c2g_operator_get_n_inputs (op);
  const int n_carried = self->n_given;

  if (self->save_scopes && self->disable_scopes)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The arguments “%s” and “%s” exclude each other"), "save_scopes",
                       "disable_scopes");
  if (n_carried < -1 || n_carried > (int) (n_inputs - N_BEFORE))
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The argument “%s” is %d, but there are %u inputs"), "num_loop_carried_deps",
                     n_carried, n_inputs);

  self->n_carried = n_carried >= 0 ? (guint) n_carried : n_inputs - N_BEFORE;
  return TRUE;
}

static gboolean
check_body (C2gOperator  *op,
            WhileState   *self,
            GError      **error)
{
  gsize n_inputs = g_strv_length ((char **) c2g_net_def_get_external_inputs (self->body));
  gsize n_outputs = g_strv_length ((char **) c2g_net_def_get_external_outputs (self->body));

  if (n_inputs < N_BEFORE + self->n_carried || n_outputs < 1 + self->n_carried)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The body has %zu inputs and %zu outputs, expected at least %u and %u"),
                     n_inputs, n_outputs, N_BEFORE + self->n_carried, 1 + self->n_carried);
  if (n_outputs - 1 != c2g_operator_get_n_outputs (op))
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The body has %zu outputs after the condition, expected %u"), n_outputs - 1,
                     c2g_operator_get_n_outputs (op));

  self->n_scans = n_outputs - 1 - self->n_carried;
  return TRUE;
}

static gboolean
onnx_while_set_up (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  WhileState *self = state;
  g_auto (Scope) scope = { NULL };

  if (!check_arguments (op, self, error) ||
      !c2g_subnet_find_def (op, "body", TRUE, &self->body, error) ||
      !check_body (op, self, error))
    return FALSE;
  if (c2g_net_def_get_name (self->body) == NULL)
    c2g_net_def_set_name (self->body, "loop_net");

  self->carried = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < self->n_carried; i++)
    g_ptr_array_add (self->carried, c2g_tensor_new_for_device (c2g_operator_get_device (op)));

  /* Builds the body once, to report its errors at set-up. The scope is not kept: it holds the
   * workspace, which holds nets, so that would be a reference cycle. */
  return scope_init (&scope, op, self, error);
}

static void
onnx_while_clear (gpointer state)
{
  WhileState *self = state;

  g_clear_object (&self->body);
  g_clear_pointer (&self->carried, g_ptr_array_unref);
}

static C2gTensor *
get_made (Scope        *scope,
          WhileState   *self,
          guint         output,
          GError      **error)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (scope->workspace,
                                                     get_output_name (self, output), error);
  C2gTensor *tensor = blob != NULL ? c2g_blob_get_tensor (blob, error) : NULL;

  if (tensor == NULL || (tensor->meta != NULL && (tensor->storage != NULL ||
                                                  tensor->n_elements == 0)))
    return tensor;
  return c2g_fail_null (error, C2G_ERROR_NOT_FOUND, _("“%s” of the body has no data"),
                        get_output_name (self, output));
}

/* Uses ensure_tensor since the body may have put other content into the blob. */
static gboolean
set_integer (C2gOperator  *op,
             C2gBlob      *blob,
             C2gDataType   data_type,
             gsize         n_dims,
             gint64        value,
             GError      **error)
{
  static const gint64 one[] = { 1 };
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, c2g_operator_get_device (op), error);
  gpointer item;

  if (tensor == NULL || !c2g_tensor_resize (tensor, one, n_dims, error) ||
      !c2g_tensor_allocate (tensor, data_type, error))
    return FALSE;

  item = c2g_tensor_address (tensor);
  if (data_type == C2G_DATA_TYPE_INT64)
    *(gint64 *) item = value;
  else if (data_type == C2G_DATA_TYPE_INT32)
    *(gint32 *) item = (gint32) value;
  else
    *(guint8 *) item = value != 0;
  return TRUE;
}

static gboolean
get_condition (Scope        *scope,
               WhileState   *self,
               gboolean     *is_true,
               GError      **error)
{
  C2gTensor *tensor = get_made (scope, self, 0, error);
  gconstpointer item;

  if (tensor == NULL)
    return FALSE;
  item = c2g_tensor_address (tensor);
  switch (tensor->n_elements == 1 ? c2g_tensor_get_data_type (tensor) : C2G_DATA_TYPE_UNDEFINED)
    {
    case C2G_DATA_TYPE_BOOL:
      *is_true = *(const guint8 *) item != 0;
      return TRUE;

    case C2G_DATA_TYPE_INT32:
      *is_true = *(const gint32 *) item != 0;
      return TRUE;

    case C2G_DATA_TYPE_INT64:
      *is_true = *(const gint64 *) item != 0;
      return TRUE;

    default:
      return c2g_fail (error, C2G_ERROR_TYPE,
                       _("“%s” of the body is no condition: expected one bool, int32 or int64"),
                       get_output_name (self, 0));
    }
}

/* Moves the carried values into the body's inputs. */
static gboolean
carry_in (C2gOperator  *op,
          WhileState   *self,
          Scope        *scope,
          GError      **error)
{
  for (guint i = 0; i < self->n_carried; i++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (scope->workspace,
                                                         get_input_name (self, N_BEFORE + i),
                                                         error);
      C2gTensor *tensor = blob != NULL ? c2g_blob_get_tensor (blob, error) : NULL;

      if (tensor == NULL)
        return FALSE;
      c2g_tensor_swap (tensor, self->carried->pdata[i]);
    }

  return TRUE;
}

/* Copies all values before any is moved into an input: a body may return its inputs in another
 * order. */
static gboolean
carry_out (C2gOperator  *op,
           WhileState   *self,
           Scope        *scope,
           GError      **error)
{
  for (guint i = 0; i < self->n_carried; i++)
    {
      C2gTensor *made = get_made (scope, self, 1 + i, error);

      if (made == NULL || !c2g_tensor_copy_from (self->carried->pdata[i], made,
                                                 c2g_operator_get_context (op), error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
check_row (C2gOperator  *op,
           C2gTensor    *rows,
           gint64        iteration,
           C2gTensor    *row,
           guint         output,
           GError      **error)
{
  if (rows->meta == NULL || rows->n_dims == 0 || rows->dims[0] != iteration ||
      (rows->storage == NULL && rows->n_elements > 0))
    return c2g_fail (error, C2G_ERROR_SHAPE,
                     _("The body has changed output %u, “%s”, which is collected from its outputs"),
                     output, c2g_operator_def_get_outputs (c2g_operator_peek_def (op))[output]);
  if (rows->meta == row->meta && rows->n_dims == row->n_dims + 1 &&
      memcmp (rows->dims + 1, row->dims, row->n_dims * sizeof (gint64)) == 0)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_SHAPE,
                   _("Output %u, “%s”, changed its shape or type from one iteration to the next"),
                   output, c2g_operator_def_get_outputs (c2g_operator_peek_def (op))[output]);
}

static gboolean
add_row (C2gOperator  *op,
         guint         output,
         gint64        iteration,
         C2gTensor    *row,
         GError      **error)
{
  C2gTensor *rows = c2g_operator_get_output_tensor (op, output, error);
  C2gDims dims;

  if (rows == NULL || !c2g_dims_copy (&dims, row, error))
    return FALSE;
  if (iteration == 0)
    {
      return c2g_dims_insert (&dims, 0, 1, error) &&
             c2g_tensor_copy_from (rows, row, c2g_operator_get_context (op), error) &&
             c2g_tensor_reshape (rows, dims.dims, dims.n, error);
    }

  if (!check_row (op, rows, iteration, row, output, error) ||
      !c2g_tensor_extend (rows, 1, GROWTH_PERCENT, c2g_operator_get_context (op), error))
    return FALSE;
  return c2g_tensor_put_items (rows, iteration * row->n_elements, row,
                               c2g_operator_get_context (op), error);
}

static gboolean
collect (C2gOperator  *op,
         WhileState   *self,
         Scope        *scope,
         gint64        iteration,
         GError      **error)
{
  for (guint i = 0; i < self->n_scans; i++)
    {
      C2gTensor *row = get_made (scope, self, 1 + self->n_carried + i, error);

      if (row == NULL || !add_row (op, self->n_carried + i, iteration, row, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
begin (C2gOperator  *op,
       WhileState   *self,
       GError      **error)
{
  static const gint64 none[] = { 0 };

  for (guint i = 0; i < self->n_carried; i++)
    {
      C2gTensor *input = c2g_operator_input (op, N_BEFORE + i, C2G_DATA_TYPE_UNDEFINED, error);

      if (input == NULL || !c2g_tensor_copy_from (self->carried->pdata[i], input,
                                                  c2g_operator_get_context (op), error))
        return FALSE;
    }
  for (guint i = 0; i < self->n_scans; i++)
    if (c2g_operator_output (op, self->n_carried + i, none, 1, C2G_DATA_TYPE_INT32, error) == NULL)
      return FALSE;

  return TRUE;
}

static gboolean
finish (C2gOperator  *op,
        WhileState   *self,
        GError      **error)
{
  for (guint i = 0; i < self->n_carried; i++)
    {
      C2gTensor *output = c2g_operator_get_output_tensor (op, i, error);

      if (output == NULL || !c2g_tensor_copy_from (output, self->carried->pdata[i],
                                                   c2g_operator_get_context (op), error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
read_trip_count (C2gOperator  *op,
                 WhileState   *self,
                 gint64       *trip_count,
                 GError      **error)
{
  *trip_count = G_MAXINT64;
  return !self->has_trip_count || c2g_indices_scalar (op, 0, trip_count, error);
}

/* Runs one iteration. The carried values are in self->carried before and after it. */
static gboolean
iterate (C2gOperator  *op,
         WhileState   *self,
         Scope        *scope,
         gint64        iteration,
         gboolean     *is_true,
         GError      **error)
{
  return carry_in (op, self, scope, error) &&
         set_integer (op, scope->iteration, C2G_DATA_TYPE_INT64, 0, iteration, error) &&
         set_integer (op, scope->condition, self->condition_type, 1, *is_true, error) &&
         c2g_subnet_run (op, scope->net, error) &&
         (!self->has_cond || get_condition (scope, self, is_true, error)) &&
         carry_out (op, self, scope, error) && collect (op, self, scope, iteration, error);
}

static gboolean
read_condition (C2gOperator  *op,
                WhileState   *self,
                gboolean     *is_true,
                GError      **error)
{
  *is_true = TRUE;
  self->condition_type = C2G_DATA_TYPE_BOOL;
  if (!self->has_cond)
    return TRUE;
  if (!c2g_subnet_condition (op, 1, is_true, error))
    return FALSE;
  self->condition_type = c2g_tensor_get_data_type (c2g_operator_input (op, 1,
                                                                       C2G_DATA_TYPE_UNDEFINED,
                                                                       NULL));
  return TRUE;
}

static gboolean
onnx_while_run (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  WhileState *self = state;
  g_auto (Scope) scope = { NULL };
  gboolean is_true;
  gint64 trip_count;

  if (!read_trip_count (op, self, &trip_count, error) ||
      !read_condition (op, self, &is_true, error) ||
      !scope_init (&scope, op, self, error) || !begin (op, self, error))
    return FALSE;

  for (gint64 i = 0; i < trip_count && is_true; i++)
    {
      if (i > 0 && self->save_scopes)
        {
          scope_clear (&scope);
          if (!scope_init (&scope, op, self, error))
            return FALSE;
        }
      if (!iterate (op, self, &scope, i, &is_true, error))
        return FALSE;
    }
  return finish (op, self, error);
}

static const C2gKernel kernels[] = {
  { "ONNXWhile", NULL, N_BEFORE, C2G_MANY, 0, C2G_MANY, NULL,
    C2G_ARGS (C2G_ARG_BOOLEAN (WhileState, has_trip_count, "has_trip_count", FALSE),
              C2G_ARG_BOOLEAN (WhileState, has_cond, "has_cond", FALSE),
              C2G_ARG_BOOLEAN (WhileState, save_scopes, "save_scopes", FALSE),
              C2G_ARG_BOOLEAN (WhileState, disable_scopes, "disable_scopes", FALSE),
              C2G_ARG_INT (WhileState, n_given, "num_loop_carried_deps", -1),
              C2G_ARG_READ ("body")),
    sizeof (WhileState), onnx_while_set_up, onnx_while_run, onnx_while_clear, NULL,
    "A loop with a limit, a condition, carried blobs and collected outputs" },
};

C2G_OPS_FAMILY (onnx_while);
