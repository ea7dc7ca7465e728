/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

/* A copy of n_rows rows; a contiguous copy is one row. */
typedef struct
{
  gsize n_bytes;
  gsize n_rows;
} Shape;

typedef struct
{
  guint8    *pointer;
  gsize      pitch;
  FakeBlock *block;
} Side;

typedef struct
{
  FakeItem item;
  Shape    shape;
  Side     to;
  Side     from;
  int      value;
  /* Pageable source memory is read at the call, because the caller may change it afterwards. */
  guint8  *staged;
} Copy;

static void
run_copy (FakeItem *item)
{
  Copy *copy = (Copy *) item;

  for (gsize i = 0; i < copy->shape.n_rows; i++)
    memmove (copy->to.pointer + i * copy->to.pitch, copy->from.pointer + i * copy->from.pitch,
             copy->shape.n_bytes);
}

static void
run_fill (FakeItem *item)
{
  Copy *copy = (Copy *) item;

  for (gsize i = 0; i < copy->shape.n_rows; i++)
    memset (copy->to.pointer + i * copy->to.pitch, copy->value, copy->shape.n_bytes);
}

static void
clear_copy (FakeItem *item)
{
  g_free (((Copy *) item)->staged);
}

/* In a reservation the device of the memory must have access to all of it. */
static cudaError_t
check_mapped (const Side *side,
              gsize       n_bytes)
{
  g_autofree char *name = NULL;

  if (side->block->kind != FAKE_BLOCK_VIRTUAL ||
      fake_virtual_has (side->block, side->pointer, n_bytes, side->block->device))
    return cudaSuccess;

  name = fake_block_describe (side->block);
  fake_fault ("access: %s is given %" G_GSIZE_FORMAT " bytes from byte %" G_GSIZE_FORMAT
              " of %s on, which are not mapped, or without access",
              fake_state.call, n_bytes, (gsize) (side->pointer - side->block->address), name);
  return cudaErrorInvalidValue;
}

/* Finds the block of a side, and checks that the whole side lies in it. */
static cudaError_t
find_side (Side        *side,
           const Shape *shape,
           gboolean     is_device)
{
  gsize n_bytes = (shape->n_rows - 1) * side->pitch + shape->n_bytes;
  g_autofree char *name = NULL;

  side->block = fake_block_find (side->pointer);
  if (side->block == NULL)
    {
      if (fake_block_find_dead (side->pointer) == NULL && !is_device)
        return cudaSuccess;
      fake_check_pointer (side->pointer, fake_state.call);
      return cudaErrorInvalidValue;
    }

  if (n_bytes <= side->block->n_bytes - (side->pointer - side->block->address))
    return check_mapped (side, n_bytes);
  /* Registered memory may continue after the end of its block as pageable memory. */
  if (side->block->kind == FAKE_BLOCK_REGISTERED)
    return is_device ? cudaErrorInvalidValue : cudaSuccess;

  name = fake_block_describe (side->block);
  fake_fault ("bounds: %s is given %" G_GSIZE_FORMAT " bytes from byte %" G_GSIZE_FORMAT " of %s on",
              fake_state.call, n_bytes, (gsize) (side->pointer - side->block->address), name);
  return cudaErrorInvalidValue;
}

static gboolean
is_device_side (const Side *side)
{
  return side->block != NULL && fake_block_is_device (side->block);
}

static cudaError_t
check_kind (const Side         *to,
            const Side         *from,
            enum cudaMemcpyKind kind)
{
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (kind == cudaMemcpyDefault)
    return cudaSuccess;

  if ((kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost) && is_device_side (to))
    return cudaErrorInvalidValue;
  if ((kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice) && is_device_side (from))
    return cudaErrorInvalidValue;

  /* Pinned memory has an address on the device too. */
  if ((kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) && to->block == NULL)
    return cudaErrorInvalidValue;
  if ((kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice) && from->block == NULL)
    return cudaErrorInvalidValue;

  return cudaSuccess;
}

static cudaError_t
find_sides (Side               *to,
            Side               *from,
            const Shape        *shape,
            enum cudaMemcpyKind kind)
{
  cudaError_t error;

  error = find_side (to, shape, FALSE);
  if (error == cudaSuccess)
    error = find_side (from, shape, FALSE);
  if (error == cudaSuccess)
    error = check_kind (to, from, kind);

  return error;
}

static void
stage (Copy *copy)
{
  const Shape *shape = &copy->shape;

  copy->staged = g_malloc (shape->n_bytes * shape->n_rows);
  for (gsize i = 0; i < shape->n_rows; i++)
    memcpy (copy->staged + i * shape->n_bytes, copy->from.pointer + i * copy->from.pitch,
            shape->n_bytes);
  copy->from.pointer = copy->staged;
  copy->from.pitch = shape->n_bytes;
}

static void
touch (FakeItem    *item,
       const Side  *side,
       const Shape *shape,
       gboolean     is_write)
{
  if (side->pitch == shape->n_bytes)
    fake_item_touch (item, side->block, side->pointer, shape->n_bytes * shape->n_rows, is_write);
  else
    for (gsize i = 0; i < shape->n_rows; i++)
      fake_item_touch (item, side->block, side->pointer + i * side->pitch, shape->n_bytes, is_write);
}

/* Returns TRUE if the caller has to wait for the copy, by the rules of the reference ("API
 * synchronization behavior"). */
static gboolean
has_to_wait (const Side *to,
             const Side *from,
             gboolean    is_async)
{
  gboolean is_to_device = is_device_side (to), is_from_device = is_device_side (from);

  if (is_to_device && is_from_device)
    return FALSE;
  if (!is_to_device && !is_from_device)
    return TRUE;
  if (is_from_device)
    return !is_async || to->block == NULL;
  return !is_async && from->block != NULL;
}

static Copy *
put_copy (Side         to,
          Side         from,
          const Shape *shape,
          FakeStream  *stream,
          const char  *call,
          gboolean     is_waiting)
{
  Copy *copy = fake_item_new (sizeof (Copy), stream, call);

  copy->item.run = run_copy;
  copy->item.clear = clear_copy;
  copy->shape = *shape;
  copy->to = to;
  copy->from = from;
  if (from.block == NULL && !is_waiting)
    stage (copy);
  fake_item_submit (&copy->item);
  touch (&copy->item, &from, shape, FALSE);
  touch (&copy->item, &to, shape, TRUE);

  return copy;
}

static cudaError_t
submit_copy (Side         to,
             Side         from,
             const Shape *shape,
             FakeStream  *stream,
             gboolean     is_async)
{
  gboolean is_waiting = has_to_wait (&to, &from, is_async);
  const char *call = fake_state.call;
  int device = stream->device;
  FakeClock target = { 0 };
  Copy *copy;

  /* A synchronous copy from pageable memory comes after the earlier work of the stream. */
  if (!is_async && from.block == NULL && is_device_side (&to))
    {
      fake_stream_order (stream);
      fake_wait (&stream->clock);
    }

  copy = put_copy (to, from, shape, stream, call, is_waiting);
  if (is_waiting)
    {
      fake_clock_copy (&target, &copy->item.clock);
      fake_wait (&target);
      fake_clock_clear (&target);
    }

  return fake_state.devices[device].lost;
}

static Copy *
put_fill (Side         to,
          const Shape *shape,
          int          value,
          FakeStream  *stream)
{
  Copy *copy = fake_item_new (sizeof (Copy), stream, fake_state.call);

  copy->item.run = run_fill;
  copy->shape = *shape;
  copy->to = to;
  copy->value = value;
  fake_item_submit (&copy->item);
  touch (&copy->item, &to, shape, TRUE);

  return copy;
}

/* A copy or, without a source, a memset in a graph. Its memory may be gone when the graph is
 * launched, so that it is looked up then. Pageable memory is read and written by the graph, too. */
typedef struct
{
  FakeNode node;
  Shape    shape;
  Side     to;
  Side     from;
  int      value;
} CopyNode;

static cudaError_t
submit_node (FakeNode   *node,
             FakeStream *stream)
{
  CopyNode *self = (CopyNode *) node;
  cudaError_t error = find_side (&self->to, &self->shape, self->from.pointer == NULL);

  if (error == cudaSuccess && self->from.pointer != NULL)
    error = find_side (&self->from, &self->shape, FALSE);
  if (error != cudaSuccess)
    return error;

  if (self->from.pointer == NULL)
    put_fill (self->to, &self->shape, self->value, stream);
  else
    put_copy (self->to, self->from, &self->shape, stream, self->node.call, FALSE);

  return cudaSuccess;
}

static cudaError_t
capture (Side         to,
         Side         from,
         const Shape *shape,
         int          value,
         FakeStream  *stream)
{
  CopyNode *node = fake_node_new (sizeof (CopyNode), stream, fake_state.call);

  node->node.submit = submit_node;
  node->shape = *shape;
  node->to = to;
  node->from = from;
  node->value = value;

  return cudaSuccess;
}

/* CUDA copies between overlapping places in any order, which makes no difference for the same
 * place. */
static void
check_overlap (const Side  *to,
               const Side  *from,
               const Shape *shape)
{
  gboolean is_flat = shape->n_rows == 1 ||
                     (to->pitch == shape->n_bytes && from->pitch == shape->n_bytes);
  gsize n_bytes = shape->n_bytes * shape->n_rows;

  if (is_flat && to->pointer != from->pointer && to->pointer < from->pointer + n_bytes &&
      from->pointer < to->pointer + n_bytes)
    fake_fault ("overlap: %s copies %" G_GSIZE_FORMAT " bytes onto a part of themselves",
                fake_state.call, n_bytes);
}

static cudaError_t
copy_bytes (Side                to,
            Side                from,
            Shape               shape,
            enum cudaMemcpyKind kind,
            cudaStream_t        handle,
            gboolean            is_async)
{
  FakeStream *stream;
  cudaError_t error = fake_stream_find (handle, &stream);

  if (error != cudaSuccess)
    return error;
  if (to.pitch < shape.n_bytes || from.pitch < shape.n_bytes)
    return cudaErrorInvalidPitchValue;
  if (shape.n_bytes == 0 || shape.n_rows == 0)
    return cudaSuccess;
  if (to.pointer == NULL || from.pointer == NULL)
    return cudaErrorInvalidValue;

  error = find_sides (&to, &from, &shape, kind);
  if (error != cudaSuccess)
    return error;
  check_overlap (&to, &from, &shape);
  error = fake_stream_check_capture (stream);
  if (error != cudaSuccess)
    return error;

  return stream->capture != NULL ? capture (to, from, &shape, 0, stream)
                                 : submit_copy (to, from, &shape, stream, is_async);
}

static cudaError_t
copy_flat (gpointer            to,
           gconstpointer       from,
           gsize               n_bytes,
           enum cudaMemcpyKind kind,
           cudaStream_t        stream,
           gboolean            is_async)
{
  return copy_bytes ((Side) { to, n_bytes, NULL }, (Side) { (guint8 *) from, n_bytes, NULL },
                     (Shape) { n_bytes, 1 }, kind, stream, is_async);
}

cudaError_t
cudaMemcpy (void               *to,
            const void         *from,
            size_t              n_bytes,
            enum cudaMemcpyKind kind)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = copy_flat (to, from, n_bytes, kind, cudaStreamLegacy, FALSE);
  return fake_leave (error);
}

cudaError_t
cudaMemcpyAsync (void               *to,
                 const void         *from,
                 size_t              n_bytes,
                 enum cudaMemcpyKind kind,
                 cudaStream_t        stream)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = copy_flat (to, from, n_bytes, kind, stream, TRUE);
  return fake_leave (error);
}

cudaError_t
cudaMemcpy2D (void               *to,
              size_t              to_pitch,
              const void         *from,
              size_t              from_pitch,
              size_t              n_bytes,
              size_t              n_rows,
              enum cudaMemcpyKind kind)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = copy_bytes ((Side) { to, to_pitch, NULL },
                        (Side) { (guint8 *) from, from_pitch, NULL }, (Shape) { n_bytes, n_rows },
                        kind, cudaStreamLegacy, FALSE);
  return fake_leave (error);
}

cudaError_t
cudaMemcpy2DAsync (void               *to,
                   size_t              to_pitch,
                   const void         *from,
                   size_t              from_pitch,
                   size_t              n_bytes,
                   size_t              n_rows,
                   enum cudaMemcpyKind kind,
                   cudaStream_t        stream)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = copy_bytes ((Side) { to, to_pitch, NULL },
                        (Side) { (guint8 *) from, from_pitch, NULL }, (Shape) { n_bytes, n_rows },
                        kind, stream, TRUE);
  return fake_leave (error);
}

/* Between devices */

/* Without access to the other device CUDA copies through the host. */
static void
count_staged (gconstpointer to,
              gconstpointer from,
              gsize         n_bytes,
              cudaStream_t  handle)
{
  const FakeBlock *to_block = fake_block_find (to);
  const FakeBlock *from_block = fake_block_find (from);
  FakeStream *stream;

  if (to_block != NULL && from_block != NULL && fake_stream_find (handle, &stream) == cudaSuccess &&
      (!fake_block_can_access (to_block, to, n_bytes, stream->context) ||
       !fake_block_can_access (from_block, from, n_bytes, stream->context)))
    fake_state.n_staged_copies++;
}

unsigned int
fake_cuda_get_n_staged_copies (void)
{
  unsigned int n;

  fake_lock ();
  n = fake_state.n_staged_copies;
  fake_unlock ();

  return n;
}

static cudaError_t
copy_peer (gpointer      to,
           int           to_device,
           gconstpointer from,
           int           from_device,
           gsize         n_bytes,
           cudaStream_t  stream,
           gboolean      is_async)
{
  FakeBlock *to_block = fake_block_find (to);
  FakeBlock *from_block = fake_block_find (from);

  if (to_device < 0 || to_device >= fake_state.n_devices ||
      from_device < 0 || from_device >= fake_state.n_devices)
    return cudaErrorInvalidDevice;
  if (n_bytes > 0 && to_block != NULL && to_block->device != to_device)
    return cudaErrorInvalidValue;
  if (n_bytes > 0 && from_block != NULL && from_block->device != from_device)
    return cudaErrorInvalidValue;

  count_staged (to, from, n_bytes, stream);
  return copy_flat (to, from, n_bytes, cudaMemcpyDeviceToDevice, stream, is_async);
}

cudaError_t
cudaMemcpyPeerAsync (void        *to,
                     int          to_device,
                     const void  *from,
                     int          from_device,
                     size_t       n_bytes,
                     cudaStream_t stream)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = copy_peer (to, to_device, from, from_device, n_bytes, stream, TRUE);
  return fake_leave (error);
}

cudaError_t
cudaMemcpyPeer (void       *to,
                int         to_device,
                const void *from,
                int         from_device,
                size_t      n_bytes)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = copy_peer (to, to_device, from, from_device, n_bytes, cudaStreamLegacy, FALSE);
  return fake_leave (error);
}

/* Filling */

static cudaError_t
fill (Side         to,
      Shape        shape,
      int          value,
      cudaStream_t handle,
      gboolean     is_async)
{
  FakeStream *stream;
  FakeClock target = { 0 };
  Copy *copy;
  cudaError_t error = fake_stream_find (handle, &stream);

  if (error != cudaSuccess)
    return error;
  if (stream->context != fake_thread_get ()->context)
    return cudaErrorInvalidResourceHandle;
  if (to.pitch < shape.n_bytes)
    return cudaErrorInvalidPitchValue;
  if (shape.n_bytes == 0 || shape.n_rows == 0)
    return cudaSuccess;
  error = find_side (&to, &shape, TRUE);
  if (error == cudaSuccess)
    error = fake_stream_check_capture (stream);
  if (error != cudaSuccess)
    return error;
  if (stream->capture != NULL)
    return capture (to, (Side) { NULL, 0, NULL }, &shape, value, stream);

  copy = put_fill (to, &shape, value, stream);
  if (!is_async && !is_device_side (&to))
    {
      fake_clock_copy (&target, &copy->item.clock);
      fake_wait (&target);
      fake_clock_clear (&target);
    }
  return cudaSuccess;
}

cudaError_t
cudaMemset (void  *to,
            int    value,
            size_t n_bytes)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = fill ((Side) { to, n_bytes, NULL }, (Shape) { n_bytes, 1 }, value, cudaStreamLegacy,
                  FALSE);
  return fake_leave (error);
}

cudaError_t
cudaMemsetAsync (void        *to,
                 int          value,
                 size_t       n_bytes,
                 cudaStream_t stream)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = fill ((Side) { to, n_bytes, NULL }, (Shape) { n_bytes, 1 }, value, stream, TRUE);
  return fake_leave (error);
}

cudaError_t
cudaMemset2DAsync (void        *to,
                   size_t       pitch,
                   int          value,
                   size_t       n_bytes,
                   size_t       n_rows,
                   cudaStream_t stream)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = fill ((Side) { to, pitch, NULL }, (Shape) { n_bytes, n_rows }, value, stream, TRUE);
  return fake_leave (error);
}
