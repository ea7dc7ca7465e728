/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Caffe2's own TensorProto, as libtorch carries it compiled: no header comes with it, so protobuf's reflection fills it in; what
 * is timed is the compiled code. */

#include "../bench.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::MessageFactory;

namespace
{

constexpr unsigned long n_bytes = 64ul << 20;

struct State
{
  std::unique_ptr<Message> message;
  std::string bytes;
};

volatile std::size_t sink;

const Message *
prototype ()
{
  const Descriptor *descriptor =
    DescriptorPool::generated_pool ()->FindMessageTypeByName ("caffe2.TensorProto");

  if (descriptor == nullptr)
    {
      std::fprintf (stderr, "peer-torch: libtorch has no caffe2.TensorProto\n");
      std::exit (EXIT_FAILURE);
    }
  return MessageFactory::generated_factory ()->GetPrototype (descriptor);
}

State *
new_state ()
{
  auto *self = new State;

  self->message.reset (prototype ()->New ());
  return self;
}

void *
set_up_float ()
{
  State *self = new_state ();
  const FieldDescriptor *field = self->message->GetDescriptor ()->FindFieldByName ("float_data");

  for (unsigned long i = 0; i < n_bytes / 4; i++)
    self->message->GetReflection ()->AddFloat (self->message.get (), field, 0);
  self->bytes = self->message->SerializeAsString ();
  return self;
}

void *
set_up_int8 ()
{
  State *self = new_state ();
  const FieldDescriptor *field = self->message->GetDescriptor ()->FindFieldByName ("int32_data");

  for (unsigned long i = 0; i < n_bytes / 4; i++)
    self->message->GetReflection ()->AddInt32 (
      self->message.get (), field, i % 2 == 0 ? int (i % 128) : -int (i % 128) - 1);
  self->bytes = self->message->SerializeAsString ();
  return self;
}

void
tear_down (void *data)
{
  delete static_cast<State *> (data);
}

void
serialize (void *data, unsigned long n)
{
  auto *self = static_cast<State *> (data);

  while (n-- > 0)
    sink += self->message->SerializeAsString ().size ();
}

void
deserialize (void *data, unsigned long n)
{
  auto *self = static_cast<State *> (data);

  while (n-- > 0)
    {
      std::unique_ptr<Message> message (prototype ()->New ());

      sink += message->ParseFromString (self->bytes);
    }
}

} // namespace

int
main (int argc, char **argv)
{
  static const BenchRow rows[] = {
    { "serialize-float", set_up_float, tear_down, serialize, 0 },
    { "deserialize-float", set_up_float, tear_down, deserialize, 0 },
    { "serialize-int8", set_up_int8, tear_down, serialize, 0 },
    { "deserialize-int8", set_up_int8, tear_down, deserialize, 0 },
  };

  return bench_main (argc, argv, "libtorch", "1.13", rows, sizeof rows / sizeof rows[0]);
}
