/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-element-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/stream/c2g-size-signal-private.h>
#include <c2g/ops/support/c2g-database-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-move-private.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Operators that copy, share or inspect tensors of any type.
 *
 * Copy, EnsureDense, StopGradient: y = x; the last two may be in place.
 * CopyCPUToGPU, CopyFromCPUInput: from the CPU to the device of the operator.
 * CopyGPUToCPU, EnsureCPUOutput: from the device to the CPU.
 * CopyOnDeviceLike: a copy of input 0 on the operator's device; input 1 is not read.
 * Alias: the output shares the memory of the input.
 * Print: writes up to limit elements to the log, or with to_file to a file named after the blob.
 * EnforceFinite: fails if a float or double is infinite or NaN.
 *
 * The rules are Caffe2's. On CUDA these operators only copy and need no kernel; Print and
 * EnforceFinite copy the input to the CPU first. */

static gboolean
copy_here (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  C2gDims dims;

  return input != NULL && c2g_dims_copy (&dims, input, error) &&
         c2g_move_reshape (op, input, &dims, error);
}

/* Copies from one device to another, queued in the operator's context. */
static gboolean
copy_between (C2gOperator  *op,
              C2gTensor    *input,
              C2gDevice    *to,
              GError      **error)
{
  C2gTensor *output = c2g_blob_ensure_tensor (c2g_operator_get_output (op, 0), to, error);

  if (output == NULL)
    return FALSE;
  if (c2g_operator_is_inferring (op))
    return c2g_tensor_resize_like (output, input, error) &&
           c2g_tensor_set_meta (output, input->meta, error);

  return c2g_tensor_copy_from (output, input, c2g_operator_get_context (op), error);
}

/* An input on another device of the same kind is copied to the operator's device. */
static gboolean
copy_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  C2gDevice *device = c2g_operator_get_device (op);
  C2gBlob *blob = c2g_operator_get_input (op, 0);
  C2gTensor *input = c2g_blob_is_tensor (blob, NULL) ? c2g_blob_get_tensor (blob, NULL) : NULL;

  if (input == NULL || input->meta == NULL || input->device == device ||
      c2g_device_get_device_type (input->device) != c2g_device_get_device_type (device))
    return copy_here (op, state, error);
  return copy_between (op, input, device, error);
}

static gboolean
ensure_dense_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);

  if (input == NULL)
    return FALSE;
  if (input->n_dims == 0)
    return c2g_operator_set_shape_error (op, 0, error, _("at least one dimension"));
  return copy_here (op, state, error);
}

static C2gTensor *
input_on (C2gOperator  *op,
          C2gDevice    *device,
          GError      **error)
{
  C2gTensor *input = c2g_blob_get_tensor (c2g_operator_get_input (op, 0), error);

  if (input == NULL || input->device == device)
    return input;

  return c2g_fail_null (error, C2G_ERROR_DEVICE, _("Input %u, “%s”, is on %s, expected %s"), 0,
                        c2g_operator_input_name (op, 0), c2g_device_to_string (input->device),
                        c2g_device_to_string (device));
}

/* Copies between the operator's device and the CPU.  Waits for the copy, because operators on the
 * CPU do not wait for devices. */
static gboolean
copy_across (C2gOperator  *op,
             C2gDevice    *from,
             C2gDevice    *to,
             GError      **error)
{
  C2gTensor *input = input_on (op, from, error);

  return input != NULL && copy_between (op, input, to, error) &&
         (c2g_operator_is_inferring (op) ||
          c2g_context_finish (c2g_operator_get_context (op), error));
}

/* Input 1 is checked to be a tensor; otherwise it has no effect here. */
static gboolean
copy_like_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return c2g_operator_input (op, 1, C2G_DATA_TYPE_UNDEFINED, error) != NULL &&
         copy_run (op, state, error);
}

static gboolean
copy_to_device_run (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  if (c2g_operator_get_compute (op) == NULL)
    return copy_here (op, state, error);
  return copy_across (op, c2g_device_cpu (), c2g_operator_get_device (op), error);
}

static gboolean
copy_to_cpu_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  if (c2g_operator_get_compute (op) == NULL)
    return copy_here (op, state, error);
  return copy_across (op, c2g_operator_get_device (op), c2g_device_cpu (), error);
}

/* Shares the memory of the input. */
static gboolean
alias_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gTensor *output;

  if (input == NULL)
    return FALSE;
  if (c2g_operator_is_inferring (op))
    return c2g_operator_copy (op, error);
  output = c2g_operator_get_output_tensor (op, 0, error);
  if (output == NULL)
    return FALSE;
  if (output == input)
    return TRUE;

  if (!c2g_tensor_resize_like (output, input, error))
    return FALSE;
  return input->n_elements > 0 ? c2g_tensor_share_data (output, input, error)
                               : c2g_tensor_allocate_meta (output, input->meta, error);
}

/* Print */

#define DEFAULT_LIMIT 1000
/* Limit on the bytes of one line, against long strings and large limits. */
#define MAX_LINE (1 << 20)

typedef struct
{
  gboolean to_file;
  gint64   limit;
  gint64   every_n;
  gint64   n_runs;
  char    *path;
  FILE    *file;
} PrintState;

static gboolean
fail_write (const PrintState  *self,
            GError           **error)
{
  const int code = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), _("Cannot write “%s”: %s"),
               self->path, g_strerror (code));
  return FALSE;
}

static void
print_clear (gpointer state)
{
  PrintState *self = state;
  C2gSizeSignal size_signal;

  /* fclose() writes data that an earlier write left in the buffer, which can raise SIGXFSZ
   * again. */
  c2g_size_signal_block (&size_signal);
  g_clear_pointer (&self->file, fclose);
  c2g_size_signal_unblock (&size_signal);
  g_clear_pointer (&self->path, g_free);
}

/* Empties a confined file. Refuses a pipe, or a file with a second name, because others may use
 * it. Returns FALSE with errno set on failure. */
static gboolean
empty_confined (int fd)
{
  struct stat status;

  if (fstat (fd, &status) != 0)
    return FALSE;
  if (!S_ISREG (status.st_mode) || status.st_nlink != 1)
    {
      errno = EPERM;
      return FALSE;
    }
  return ftruncate (fd, 0) == 0;
}

/* Opens the file and empties it. Returns NULL with errno set on failure. */
static FILE *
open_file (GFile *file)
{
  gboolean is_confined = c2g_net_file_is_confined (file);
  int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (is_confined ? O_NONBLOCK : O_TRUNC);
  int fd = c2g_net_file_open (file, flags, 0666);
  FILE *opened = NULL;
  int code;

  if (fd < 0)
    return NULL;

  if (!is_confined || empty_confined (fd))
    opened = fdopen (fd, "w");
  if (opened == NULL)
    {
      code = errno;
      close (fd);
      errno = code;
    }
  return opened;
}

/* Opens the log file for the first line, and again if the workspace's rules give another file.
 * Slashes in the blob's name become “_”. */
static gboolean
open_log (C2gOperator  *op,
          PrintState   *self,
          GError      **error)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *name = NULL;

  name = g_strconcat (c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[0], ".log", NULL);
  g_strdelimit (name, G_DIR_SEPARATOR_S, '_');
  file = c2g_database_find_file (op, name, FALSE, C2G_FILE_USE_WRITE, error);
  if (file == NULL)
    return FALSE;
  if (self->file != NULL && g_str_equal (self->path, g_file_peek_path (file)))
    return TRUE;

  print_clear (self);
  self->path = g_file_get_path (file);
  self->file = open_file (file);
  return self->file != NULL || fail_write (self, error);
}

static char *
describe (C2gOperator *op,
          C2gTensor   *input,
          gint64       limit)
{
  GString *text = g_string_new (NULL);
  gint64 n = MIN (input->n_elements, limit > 0 ? limit : DEFAULT_LIMIT);

  g_string_append_printf (text, "Tensor %s of type %s. Dims: (",
                          c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[0],
                          c2g_type_meta_get_name (input->meta));
  for (gsize i = 0; i < input->n_dims; i++)
    g_string_append_printf (text, "%" PRId64 ",", input->dims[i]);
  g_string_append (text, "): ");

  for (gint64 i = 0; i < n && text->len < MAX_LINE; i++)
    {
      const char *item = (const char *) c2g_tensor_address (input) + i * input->meta->item_size;
      g_autofree char *value = c2g_element_to_string (input->meta, item);

      g_string_append_printf (text, "%s%.*s", i > 0 ? "," : "", MAX_LINE, value);
    }
  if (text->len > MAX_LINE)
    g_string_overwrite (g_string_truncate (text, MAX_LINE), MAX_LINE - 3, "...");
  return g_string_free (text, FALSE);
}

static char *
describe_other (C2gBlob *blob)
{
  const char *type = g_type_name (c2g_blob_get_content_type (blob));

  return type != NULL ? g_strdup_printf ("Blob of type: %s", type) : g_strdup ("Empty blob");
}

static gboolean
write_line (PrintState  *self,
            const char  *text,
            GError     **error)
{
  C2gSizeSignal size_signal;
  gboolean is_written;

  c2g_size_signal_block (&size_signal);
  is_written = fprintf (self->file, "%s\n", text) >= 0 && fflush (self->file) == 0;
  c2g_size_signal_unblock (&size_signal);
  return is_written || fail_write (self, error);
}

static gboolean
print_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  PrintState *self = state;
  C2gBlob *blob = c2g_operator_get_input (op, 0);
  g_autofree char *text = NULL;

  if (self->n_runs++ % self->every_n != 0)
    return TRUE;

  if (c2g_blob_is_tensor (blob, NULL))
    {
      C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);

      input = input != NULL ? c2g_operator_bring_near (op, 0, input, error) : NULL;
      if (input == NULL)
        return FALSE;
      text = describe (op, input, self->limit);
    }
  else
    text = describe_other (blob);

  if (self->to_file)
    return open_log (op, self, error) && write_line (self, text, error);
  g_message ("%s", text);
  return TRUE;
}

/* EnforceFinite */

static gboolean
fail_value (C2gOperator  *op,
            double        value,
            gint64        i,
            GError      **error)
{
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("Input %u, “%s”, has %g at %" PRId64 ", expected finite numbers"), 0,
                   c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[0], value, i);
}

static gboolean
enforce_finite_run (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gDataType data_type;
  gconstpointer items;

  if (input == NULL)
    return FALSE;

  data_type = c2g_tensor_get_data_type (input);
  if (data_type != C2G_DATA_TYPE_FLOAT && data_type != C2G_DATA_TYPE_DOUBLE)
    return c2g_operator_set_type_error (op, 0, _("float or double"), error);
  input = c2g_operator_bring_near (op, 0, input, error);
  if (input == NULL)
    return FALSE;

  items = c2g_tensor_address (input);
  for (gint64 i = 0; i < input->n_elements; i++)
    {
      double value = data_type == C2G_DATA_TYPE_FLOAT ? ((const float *) items)[i]
                                                      : ((const double *) items)[i];

      if (G_UNLIKELY (!isfinite (value)))
        return fail_value (op, value, i, error);
    }
  return TRUE;
}

#define COPY(type, in_place, run, ...)                                                             \
  {                                                                                                \
    type, NULL, 1, 1, 1, 1, in_place, NULL, 0, NULL, run, NULL, NULL, __VA_ARGS__, .infer = run,   \
      .is_for_devices = TRUE                                                                       \
  }

static const C2gKernel kernels[] = {
  COPY ("Copy", NULL, copy_run, "Copies a tensor",
        .traits = C2G_TRAITS_IDENTITY,
        .gradient = { "Copy", "GO0", "GI0" }),
  COPY ("CopyCPUToGPU", NULL, copy_to_device_run, "Copies from the CPU to the device",
        .reads_on_cpu = TRUE),
  COPY ("CopyGPUToCPU", NULL, copy_to_cpu_run, "Copies from the device to the CPU"),
  COPY ("CopyFromCPUInput", NULL, copy_to_device_run,
        "Copies from the CPU to the device of the operator",
        .reads_on_cpu = TRUE),
  COPY ("EnsureCPUOutput", NULL, copy_to_cpu_run, "Copies a tensor to the CPU"),
  COPY ("EnsureDense", "0>0", ensure_dense_run,
        "Gives the input, for nets that may have sparse gradients"),
  COPY ("StopGradient", "0>0", copy_here, "Gives the input, and stops gradients",
        .traits = C2G_TRAITS_IDENTITY),
  COPY ("Alias", "0>0 0=0", alias_run, "Shares the memory of the input",
        .gradient = { "Alias", "GO0", "GI0" }),
  { "CopyOnDeviceLike", NULL, 2, 2, 1, 1, NULL, NULL, 0, NULL, copy_like_run, NULL,
    NULL, "Copies a tensor to the device of the operator", .infer = copy_like_run,
    .is_for_devices = TRUE },
  { "Print", NULL, 1, 1, 0, 0, NULL,
    C2G_ARGS (C2G_ARG_BOOLEAN (PrintState, to_file, "to_file", FALSE),
              C2G_ARG_INT (PrintState, limit, "limit", 0, C2G_AT_LEAST (0), C2G_IS_INVALID),
              C2G_ARG_INT (PrintState, every_n, "every_n", 1, C2G_AT_LEAST (1), C2G_IS_INVALID)),
    sizeof (PrintState), NULL, print_run, print_clear, NULL,
    "Writes elements into the log, or into a file",
    .infer = c2g_operator_infer_nothing,
    .is_for_devices = TRUE },
  { "EnforceFinite", NULL, 1, 1, 0, 0, NULL, NULL, 0, NULL, enforce_finite_run, NULL, NULL,
    "Fails if one of the numbers is not finite", .infer = c2g_operator_infer_nothing,
    .is_for_devices = TRUE },
};

C2G_OPS_FAMILY (copy);
