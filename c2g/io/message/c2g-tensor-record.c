/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/message/c2g-tensor-record-private.h>

#include <c2g/io/message/c2g-entry-private.h>
#include <c2g/io/message/c2g-tensor-scan-private.h>
#include <c2g/io/stream/c2g-upload-private.h>

#include <c2g/core/memory/c2g-huge-pages-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Makes a tensor of a TensorProto in a file. c2g-tensor-scan.c finds and checks the fields first,
 * c2g-tensor-values.c reads the values. */

/* Limit on the ratio of a tensor's size to that of a single chunk, since the whole tensor is
 * allocated. Chunks usually have a million elements. A tensor of up to MIN_ELEMENTS_FREE elements is
 * always allowed. */
#define MAX_REST_FACTOR   4096
#define MIN_ELEMENTS_FREE (16 << 20)

gboolean
c2g_tensor_record_scan (C2gTensorRecord  *self,
                        C2gScanner       *scanner,
                        guint64           offset,
                        gsize             n_bytes,
                        GError          **error)
{
  g_auto (C2gTensorScan) scan;
  C2gWireScan fields;

  c2g_tensor_scan_init (&scan, self);
  return c2g_wire_scan_init (&fields, scanner, offset, n_bytes, error) &&
         c2g_tensor_scan_merge (&scan, &fields, error) &&
         c2g_tensor_scan_finish (&scan, error);
}

void
c2g_tensor_record_clear (C2gTensorRecord *self)
{
  g_clear_pointer (&self->dims, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->spans, g_array_unref);
}

gboolean
c2g_tensor_record_check_cpu (const C2gTensorRecord  *self,
                             GError                **error)
{
  if (!self->has_device)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_DEVICE,
                   _("The tensor was saved for device %d of type %d, "
                     "which only the loader of a checkpoint sets aside"),
                   self->device_index,
                   self->device_type);
}

C2gDevice *
c2g_tensor_record_find_device (const C2gTensorRecord  *self,
                               GError                **error)
{
  return self->has_device
           ? c2g_file_entry_find_device (self->device_type, self->device_index, error)
           : c2g_device_cpu ();
}

C2gTensor *
c2g_tensor_record_new_tensor (const C2gTensorRecord  *self,
                              const C2gJob           *job,
                              GError                **error)
{
  C2gDevice *device = c2g_job_get_far_device (job);
  g_autoptr (C2gTensor) tensor = NULL;

  if (device != NULL && c2g_upload_can_take (self->data_type))
    return c2g_upload_new_tensor (device, self->data_type, self->dims, self->n_dims, error);

  tensor = c2g_tensor_new_sized (self->dims, self->n_dims, NULL, error);
  if (tensor == NULL || self->data_type == C2G_DATA_TYPE_UNDEFINED)
    return g_steal_pointer (&tensor);

  if (!c2g_tensor_allocate (tensor, self->data_type, error))
    return NULL;
  c2g_huge_pages_prepare (c2g_tensor_address (tensor), c2g_tensor_byte_size (tensor));
  return g_steal_pointer (&tensor);
}

/* Refuses a huge allocation for only a few bytes in the file. */
static gboolean
check_rest (const C2gTensorRecord  *self,
            GError                **error)
{
  gint64 n_values = self->end - self->begin;

  if (self->n_elements <= MIN_ELEMENTS_FREE || self->n_elements / MAX_REST_FACTOR <= n_values)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE, _("Only %" PRId64 " elements of a tensor of %" PRId64),
                   n_values, self->n_elements);
}

static gboolean
is_whole (const C2gTensorRecord *self)
{
  return self->end - self->begin == self->n_elements;
}

static gboolean
clear_rest (const C2gTensorRecord  *self,
            C2gTensor              *tensor,
            GError                **error)
{
  gsize item_size = c2g_data_type_get_item_size (self->data_type);
  guint8 *items;

  /* New strings are empty already. */
  if (is_whole (self) || self->data_type == C2G_DATA_TYPE_STRING)
    return TRUE;

  items = c2g_tensor_mutable_data (tensor, self->data_type, error);
  if (items == NULL)
    return FALSE;

  memset (items, 0, self->begin * item_size);
  memset (items + self->end * item_size, 0, (self->n_elements - self->end) * item_size);
  return TRUE;
}

static gboolean
check_type (const C2gTensorRecord  *self,
            GError                **error)
{
  if (self->data_type != C2G_DATA_TYPE_UNDEFINED || self->n_elements == 0)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("The elements are of a type of the writing program's own"));
}

C2gTensor *
c2g_tensor_record_to_tensor (const C2gTensorRecord  *self,
                             C2gSource              *source,
                             const C2gJob           *job,
                             GError                **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  if (!check_type (self, error) || !check_rest (self, error))
    return NULL;

  /* The rest is zeroed on the CPU, so a tensor with a rest is made there and moved later. */
  tensor = c2g_tensor_record_new_tensor (self, is_whole (self) ? job : NULL, error);
  if (tensor == NULL || self->data_type == C2G_DATA_TYPE_UNDEFINED)
    return g_steal_pointer (&tensor);

  if (!clear_rest (self, tensor, error) ||
      !c2g_tensor_record_read (self, source, tensor, job, error) ||
      !c2g_upload_finish (tensor, error))
    return NULL;
  return g_steal_pointer (&tensor);
}
