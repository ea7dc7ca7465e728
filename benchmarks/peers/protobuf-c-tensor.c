/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Measures protobuf-c with Caffe2's TensorProto: converting 64 MiB of elements, which are already
 * in protobuf-c's arrays, to a message and back. */

#include "../bench.h"

#include <c2g/io/wire/c2g-caffe2.pb-c.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_BYTES (64ul << 20)

typedef struct
{
  Caffe2__TensorProto message;
  void *values;
  size_t n_bytes;
  unsigned char *bytes;
} State;

static volatile size_t sink;

static void *
check (void *pointer)
{
  if (pointer == NULL)
    {
      fprintf (stderr, "peer-protobuf-c: no memory\n");
      exit (EXIT_FAILURE);
    }
  return pointer;
}

static State *
new_state (size_t n_values, size_t value_size)
{
  State *self = check (calloc (1, sizeof *self));

  caffe2__tensor_proto__init (&self->message);
  self->values = check (calloc (n_values, value_size));
  return self;
}

static void *
pack_state (State *self)
{
  self->n_bytes = caffe2__tensor_proto__get_packed_size (&self->message);
  self->bytes = check (malloc (self->n_bytes));
  caffe2__tensor_proto__pack (&self->message, self->bytes);
  return self;
}

static void *
set_up_float (void)
{
  State *self = new_state (N_BYTES / sizeof (float), sizeof (float));

  self->message.n_float_data = N_BYTES / sizeof (float);
  self->message.float_data = self->values;
  return pack_state (self);
}

/* Every second value is negative, which takes ten bytes. */
static void *
set_up_int8 (void)
{
  State *self = new_state (N_BYTES / 4, sizeof (int32_t));
  int32_t *values = self->values;

  for (size_t i = 0; i < N_BYTES / 4; i++)
    values[i] = i % 2 == 0 ? (int32_t) (i % 128) : -(int32_t) (i % 128) - 1;
  self->message.n_int32_data = N_BYTES / 4;
  self->message.int32_data = values;
  return pack_state (self);
}

static void
tear_down (void *data)
{
  State *self = data;

  free (self->values);
  free (self->bytes);
  free (self);
}

static void
pack (void *data, unsigned long n)
{
  State *self = data;

  while (n-- > 0)
    {
      unsigned char *bytes = check (malloc (caffe2__tensor_proto__get_packed_size (&self->message)));

      sink += caffe2__tensor_proto__pack (&self->message, bytes);
      free (bytes);
    }
}

static void
unpack (void *data, unsigned long n)
{
  State *self = data;

  while (n-- > 0)
    {
      Caffe2__TensorProto *message;

      message = check (caffe2__tensor_proto__unpack (NULL, self->n_bytes, self->bytes));
      sink += message->n_float_data;
      caffe2__tensor_proto__free_unpacked (message, NULL);
    }
}

int
main (int argc, char **argv)
{
  static const BenchRow rows[] = {
    { "serialize-float", set_up_float, tear_down, pack, 0 },
    { "deserialize-float", set_up_float, tear_down, unpack, 0 },
    { "serialize-int8", set_up_int8, tear_down, pack, 0 },
    { "deserialize-int8", set_up_int8, tear_down, unpack, 0 },
  };

  return bench_main (argc, argv, "protobuf-c", protobuf_c_version (), rows,
                     sizeof rows / sizeof rows[0]);
}
