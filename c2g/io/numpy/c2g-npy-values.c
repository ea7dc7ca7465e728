/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/numpy/c2g-npy-values-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/content/c2g-raw-tensor-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

/* Reads the values of an array from a stream, and converts them: from Fortran order, another byte order,
 * or strings. c2g_raw_tensor_read() reads numbers in C order that lie in a file as they are. */

/* Maximum size of one read; the job is asked between reads whether to continue. */
#define MAX_PIECE (8u << 20)

/* Buffer for values that cannot be read directly to their place. */
#define BUFFER_SIZE (256u << 10)

/* Maps the sequence of elements in the file to row-major positions. In Fortran order the first
 * axis is the fastest. C order is a single run with stride 1. */
typedef struct
{
  /* The fastest axis: its length, its stride, and the current index. */
  gint64  n_run;
  gint64  stride;
  gint64  i;

  /* The other axes, the next fastest first. Only the indices and strides are owned. */
  gint64 *dims;
  gint64 *strides;
  gint64 *indices;
  gsize   n_axes;

  /* Row-major position of the next element. */
  gint64  position;
} Walk;

static void
walk_init (Walk               *self,
           const C2gNpyHeader *header)
{
  *self = (Walk) { .n_run = header->n_elements, .stride = 1 };
  /* Without elements the strides are not needed, and their product could overflow: only the
   * product of all dimensions has been checked, which is 0 then. */
  if (!header->is_fortran || header->n_dims < 2 || header->n_elements == 0)
    return;

  self->n_axes = header->n_dims - 1;
  self->dims = header->dims + 1;
  self->indices = g_new0 (gint64, self->n_axes);
  self->strides = g_new (gint64, self->n_axes);
  for (gsize axis = header->n_dims; axis-- > 1;)
    {
      self->strides[axis - 1] = self->stride;
      self->stride *= header->dims[axis];
    }
  self->n_run = header->dims[0];
}

static void
walk_clear (Walk *self)
{
  g_clear_pointer (&self->indices, g_free);
  g_clear_pointer (&self->strides, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Walk, walk_clear)

/* Returns how many of the next N elements belong to the current run. */
static gint64
walk_take (Walk  *self,
           gint64 n)
{
  return MIN (n, self->n_run - self->i);
}

static void
walk_advance (Walk   *self,
              gint64  n)
{
  self->i += n;
  self->position += n * self->stride;
  if (self->i < self->n_run)
    return;

  self->position -= self->i * self->stride;
  self->i = 0;
  for (gsize axis = 0; axis < self->n_axes; axis++)
    {
      self->position += self->strides[axis];
      if (++self->indices[axis] < self->dims[axis])
        return;
      self->position -= self->indices[axis] * self->strides[axis];
      self->indices[axis] = 0;
    }
}

static gboolean
read_straight (const C2gNpyHeader  *header,
               C2gNpyReadFunc       read,
               gpointer             stream,
               guint8              *items,
               const C2gJob        *job,
               GError             **error)
{
  guint64 n_left = header->n_bytes;

  while (n_left > 0)
    {
      gsize n = MIN (n_left, MAX_PIECE);

      if (!read (stream, items, n, error) || !c2g_job_advance (job, n, error))
        return FALSE;
      items += n;
      n_left -= n;
    }

  return TRUE;
}

#define SCATTER(type)                                                                              \
  for (gint64 i = 0; i < n; i++)                                                                   \
    ((type *) items)[position + i * stride] = ((const type *) buffer)[i]

static void
scatter_run (gpointer      items,
             gint64        position,
             gint64        stride,
             gconstpointer buffer,
             gint64        n,
             gsize         item_size)
{
  switch (item_size)
    {
    case 1:
      SCATTER (guint8);
      break;

    case 2:
      SCATTER (guint16);
      break;

    case 4:
      SCATTER (guint32);
      break;

    default:
      SCATTER (guint64);
      break;
    }
}

/* Copies a string without the zeros at its end. */
static gboolean
set_bytes (GBytes       **item,
           const guint8  *data,
           gsize          n_bytes)
{
  while (n_bytes > 0 && data[n_bytes - 1] == 0)
    n_bytes--;
  if (n_bytes > 0)
    *item = g_bytes_new (data, n_bytes);
  return TRUE;
}

static gboolean
set_text (GBytes       **item,
          const guint8  *data,
          gsize          n_bytes,
          gboolean       is_swapped)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < n_bytes; i += 4)
    {
      guint32 code;

      memcpy (&code, data + i, sizeof code);
      if (is_swapped)
        code = GUINT32_SWAP_LE_BE (code);
      if (!g_unichar_validate (code))
        return FALSE;
      g_string_append_unichar (text, code);
    }

  return set_bytes (item, (const guint8 *) text->str, text->len);
}

static gboolean
set_string (const C2gNpyHeader  *header,
            GBytes             **item,
            const guint8        *data,
            GError             **error)
{
  if (header->kind == C2G_NPY_BYTES ? set_bytes (item, data, header->item_size)
                                    : set_text (item, data, header->item_size, header->is_swapped))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT, _("A text has a character that does not exist"));
}

static gboolean
place (const C2gNpyHeader  *header,
       Walk                *walk,
       gpointer             items,
       const guint8        *buffer,
       gint64               n,
       GError             **error)
{
  while (n > 0)
    {
      gint64 n_run = walk_take (walk, n);

      if (header->kind == C2G_NPY_NUMBERS)
        scatter_run (items, walk->position, walk->stride, buffer, n_run, header->item_size);
      else
        for (gint64 i = 0; i < n_run; i++)
          if (!set_string (header, (GBytes **) items + walk->position + i * walk->stride,
                           buffer + i * header->item_size, error))
            return FALSE;
      walk_advance (walk, n_run);
      buffer += n_run * header->item_size;
      n -= n_run;
    }

  return TRUE;
}

static gboolean
read_buffered (const C2gNpyHeader  *header,
               C2gNpyReadFunc       read,
               gpointer             stream,
               gpointer             items,
               const C2gJob        *job,
               GError             **error)
{
  gint64 n_in_buffer = MAX (BUFFER_SIZE / MAX (header->item_size, 1), 1);
  gint64 n_left = header->n_elements;
  g_autofree guint8 *buffer = NULL;
  g_auto (Walk) walk = { 0 };

  n_in_buffer = MIN (n_in_buffer, n_left);
  buffer = g_try_malloc (MAX (n_in_buffer * header->item_size, 1));
  if (buffer == NULL)
    return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("No memory to read %zu bytes"),
                     (gsize) n_in_buffer * header->item_size);

  walk_init (&walk, header);
  while (n_left > 0)
    {
      gint64 n = MIN (n_left, n_in_buffer);

      if (!read (stream, buffer, n * header->item_size, error) ||
          !place (header, &walk, items, buffer, n, error) ||
          !c2g_job_advance (job, n * header->item_size, error))
        return FALSE;
      n_left -= n;
    }

  return TRUE;
}

C2gTensor *
c2g_npy_values_read (const C2gNpyHeader  *header,
                     C2gNpyReadFunc       read,
                     gpointer             stream,
                     const C2gJob        *job,
                     GError             **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  gpointer items;
  gboolean done;

  tensor = c2g_raw_tensor_new (header->data_type, header->dims, header->n_dims, error);
  if (tensor == NULL)
    return NULL;

  items = c2g_tensor_address (tensor);
  if (header->kind == C2G_NPY_NUMBERS && (!header->is_fortran || header->n_dims < 2))
    done = read_straight (header, read, stream, items, job, error);
  else
    done = read_buffered (header, read, stream, items, job, error);
  if (!done)
    return NULL;

  if (header->kind == C2G_NPY_NUMBERS)
    c2g_wire_settle (items, header->n_elements, header->data_type, header->is_swapped);
  return g_steal_pointer (&tensor);
}
