/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The rows of bench-core.c as far as c10 has them: the storage layer that Caffe2's became.
 * Its own names: a tensor is a TensorImpl over a Storage, allocate is raw_mutable_data.
 */

#include "../bench.h"

#include <c10/core/Allocator.h>
#include <c10/core/CopyBytes.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/typeid.h>

#include <cstring>

#if __has_include(<torch/csrc/api/include/torch/version.h>)
# include <torch/csrc/api/include/torch/version.h>
#else
# define TORCH_VERSION "of unknown version"
#endif

namespace
{

using TensorPtr = c10::intrusive_ptr<c10::TensorImpl>;

constexpr int N_ROWS_EXTENDED = 4096;

/* c10 has no copy function of its own, and Extend needs one. */
void
copy_bytes (size_t n_bytes, const void *source, c10::Device, void *destination, c10::Device)
{
  memcpy (destination, source, n_bytes);
}

const c10::_CopyBytesFunctionRegisterer copy_bytes_registerer (c10::kCPU, c10::kCPU, copy_bytes, copy_bytes);

caffe2::TypeMeta
float_meta ()
{
  return caffe2::TypeMeta::Make<float> ();
}

TensorPtr
new_tensor ()
{
  c10::Storage storage (c10::Storage::use_byte_size_t (), 0, c10::GetAllocator (c10::kCPU), true);

  return c10::make_intrusive<c10::TensorImpl> (std::move (storage),
                                               c10::DispatchKeySet (c10::DispatchKey::CPU),
                                               caffe2::TypeMeta ());
}

TensorPtr
new_allocated (int64_t n)
{
  TensorPtr tensor = new_tensor ();

  tensor->Resize (n);
  tensor->raw_mutable_data (float_meta ());
  return tensor;
}

template <typename T>
inline void
keep (T value)
{
  asm volatile ("" : : "r"(value) : "memory");
}

void
run_create (void *, unsigned long n)
{
  for (unsigned long i = 0; i < n; i++)
    keep (new_allocated (64)->data ());
}

struct OneTensor
{
  TensorPtr tensor = new_allocated (1024);

  static void *set_up () { return new OneTensor; }
  static void tear_down (void *state) { delete static_cast<OneTensor *> (state); }
};

void
run_resize (void *state, unsigned long n)
{
  c10::TensorImpl *tensor = static_cast<OneTensor *> (state)->tensor.get ();
  caffe2::TypeMeta meta = float_meta ();

  for (unsigned long i = 0; i < n; i++)
    {
      tensor->Resize (static_cast<int64_t> (512 + (i & 511)));
      keep (tensor->raw_mutable_data (meta));
    }
}

void
run_mutable_data (void *state, unsigned long n)
{
  c10::TensorImpl *tensor = static_cast<OneTensor *> (state)->tensor.get ();
  caffe2::TypeMeta meta = float_meta ();

  for (unsigned long i = 0; i < n; i++)
    keep (tensor->raw_mutable_data (meta));
}

void
run_data (void *state, unsigned long n)
{
  c10::TensorImpl *tensor = static_cast<OneTensor *> (state)->tensor.get ();

  for (unsigned long i = 0; i < n; i++)
    keep (tensor->data ());
}

struct ThreeTensors
{
  TensorPtr tensor = new_allocated (512);
  TensorPtr sources[2] = { new_allocated (512), new_allocated (512) };

  static void *set_up () { return new ThreeTensors; }
  static void tear_down (void *state) { delete static_cast<ThreeTensors *> (state); }
};

/* From two sources in turn, so that each call has something to do. */
void
run_share_data (void *state, unsigned long n)
{
  ThreeTensors *tensors = static_cast<ThreeTensors *> (state);

  for (unsigned long i = 0; i < n; i++)
    tensors->tensor->ShareData (*tensors->sources[i & 1]);
}

void
run_extend (void *, unsigned long n)
{
  while (n > 0)
    {
      unsigned long n_now = n < N_ROWS_EXTENDED ? n : N_ROWS_EXTENDED;
      TensorPtr tensor = new_tensor ();

      tensor->Resize (std::vector<int64_t>{ 1, 64 });
      tensor->raw_mutable_data (float_meta ());
      for (unsigned long i = 0; i < n_now; i++)
        tensor->Extend (1, 40);
      n -= n_now;
    }
}

template <size_t n_bytes>
void
run_allocate (void *, unsigned long n)
{
  c10::Allocator *allocator = c10::GetAllocator (c10::kCPU);

  for (unsigned long i = 0; i < n; i++)
    {
      c10::Storage storage (c10::Storage::use_byte_size_t (), n_bytes, allocator, true);

      keep (storage.data ());
    }
}

const BenchRow rows[] = {
  { "tensor-create", nullptr, nullptr, run_create, 0 },
  { "resize-mutable-data", OneTensor::set_up, OneTensor::tear_down, run_resize, 0 },
  { "mutable-data", OneTensor::set_up, OneTensor::tear_down, run_mutable_data, 0 },
  { "data", OneTensor::set_up, OneTensor::tear_down, run_data, 0 },
  { "share-data", ThreeTensors::set_up, ThreeTensors::tear_down, run_share_data, 0 },
  { "extend-row", nullptr, nullptr, run_extend, 0 },
  { "allocate-64", nullptr, nullptr, run_allocate<64>, 0 },
  { "allocate-4096", nullptr, nullptr, run_allocate<4096>, 0 },
  { "allocate-1048576", nullptr, nullptr, run_allocate<1048576>, 0 },
};

} /* namespace */

int
main (int argc, char **argv)
{
  return bench_main (argc, argv, "c10", TORCH_VERSION, rows, sizeof rows / sizeof rows[0]);
}
