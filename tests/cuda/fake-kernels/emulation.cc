/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "emulation.h"

#include <dlfcn.h>
#include <mutex>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <vector>

#if defined (TELLS_ADDRESS_SANITIZER)
# include <sanitizer/common_interface_defs.h>
#elif defined (TELLS_THREAD_SANITIZER)
# include <sanitizer/tsan_interface.h>
#endif

/* The threads of a block run in fibers. A fiber that has ended one thread begins the next one, so
 * there are only as many fibers as threads that wait for each other. Every second block begins with
 * its last thread, to find code that relies on the order. */

/* A function of the fake runtime. */
extern "C" void fake_cuda_add_kernel (const char   *mangled_name,
                                      void        (*invoke) (dim3, dim3, size_t, void **),
                                      unsigned      n_arguments,
                                      const size_t *argument_sizes);

#define STACK_SIZE (128 * 1024)
#define MAX_WARPS 32

uint3 threadIdx;
uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

namespace
{

/* Switching of stacks. makecontext() and swapcontext() of the C library make a system call for the
 * signal mask at each switch, which would take most of the time. */

#if defined (__x86_64__)

typedef void *Context;

__asm__ (".text\n"
         ".type emulate_switch, @function\n"
         "emulate_switch:\n"
         "  pushq %rbp\n"
         "  pushq %rbx\n"
         "  pushq %r12\n"
         "  pushq %r13\n"
         "  pushq %r14\n"
         "  pushq %r15\n"
         "  movq %rsp, (%rdi)\n"
         "  movq (%rsi), %rsp\n"
         "  popq %r15\n"
         "  popq %r14\n"
         "  popq %r13\n"
         "  popq %r12\n"
         "  popq %rbx\n"
         "  popq %rbp\n"
         "  ret\n"
         ".size emulate_switch, .-emulate_switch\n");

extern "C" void emulate_switch (Context *from,
                                Context *to) __asm__ ("emulate_switch");

void
switch_context (Context *from,
                Context *to)
{
  emulate_switch (from, to);
}

void
init_context (Context *context,
              char    *stack,
              size_t   size,
              void   (*function) ())
{
  void **top = (void **) (stack + size);

  /* The stack looks as if the function had been called and had switched: six registers are
   * above. */
  top[-2] = (void *) function;
  *context = top - 8;
}

#else

typedef ucontext_t Context;

void
switch_context (Context *from,
                Context *to)
{
  swapcontext (from, to);
}

void
init_context (Context *context,
              char    *stack,
              size_t   size,
              void   (*function) ())
{
  getcontext (context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = size;
  context->uc_link = nullptr;
  makecontext (context, function, 0);
}

#endif

enum Wait
{
  WAIT_NOTHING,
  WAIT_BLOCK,
  WAIT_WARP,
};

struct Fiber
{
  Context    context;
  char      *stack;
  void      *sanitizer;
  /* TRUE if it has a thread that has not ended. */
  bool       is_busy;
  Wait       wait;
  uint3      thread;
  unsigned   number;
};

struct Warp
{
  /* Two, because the results of one exchange are read while the next one begins. */
  EmulatedWarp exchanges[2];
  uint32_t     arrived;
  uint32_t     begun;
  uint32_t     ended;
  unsigned     turn;
};

struct Shared
{
  const void *key;
  void       *data;
};

std::mutex lock;
/* Kept for the next block and never freed: streams may still work when the program ends. */
std::vector<Fiber *> &fibers = *new std::vector<Fiber *>;
std::vector<Shared> &shared = *new std::vector<Shared>;
Warp warps[MAX_WARPS];
Context scheduler;
#if defined (TELLS_ADDRESS_SANITIZER)
const void *scheduler_stack;
size_t scheduler_stack_size;
#elif defined (TELLS_THREAD_SANITIZER)
void *scheduler_sanitizer;
#endif
Fiber *current;

unsigned n_threads;
unsigned n_begun;
unsigned n_ended;
unsigned n_at_barrier;
bool is_backwards;

EmulatedCall block_call;
void **block_arguments;

[[noreturn]] void
fail (const char *message)
{
  fprintf (stderr, "Kernel emulation: %s (thread %u, %u, %u of block %u, %u, %u)\n", message,
           threadIdx.x, threadIdx.y, threadIdx.z, blockIdx.x, blockIdx.y, blockIdx.z);
  abort ();
}

uint3
find_thread (unsigned number)
{
  return uint3{ number % blockDim.x, number / blockDim.x % blockDim.y,
                number / blockDim.x / blockDim.y };
}

/* Switching of fibers, which is announced to the sanitizers */

void
leave_for_scheduler (Fiber *self)
{
#if defined (TELLS_ADDRESS_SANITIZER)
  void *saved;

  __sanitizer_start_switch_fiber (&saved, scheduler_stack, scheduler_stack_size);
#elif defined (TELLS_THREAD_SANITIZER)
  __tsan_switch_to_fiber (scheduler_sanitizer, 0);
#endif
  switch_context (&self->context, &scheduler);
#if defined (TELLS_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber (saved, &scheduler_stack, &scheduler_stack_size);
#endif
}

void
resume (Fiber *self)
{
  current = self;
  threadIdx = self->thread;
#if defined (TELLS_ADDRESS_SANITIZER)
  void *saved;

  __sanitizer_start_switch_fiber (&saved, self->stack, STACK_SIZE);
#elif defined (TELLS_THREAD_SANITIZER)
  scheduler_sanitizer = __tsan_get_current_fiber ();
  __tsan_switch_to_fiber (self->sanitizer, 0);
#endif
  switch_context (&scheduler, &self->context);
#if defined (TELLS_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber (saved, nullptr, nullptr);
#endif
}

void
run_thread (Fiber *self)
{
  self->number = is_backwards ? n_threads - 1 - n_begun : n_begun;
  self->thread = threadIdx = find_thread (self->number);
  n_begun++;
  self->is_busy = true;
  warps[self->number / 32].begun |= 1u << self->number % 32;
  block_call (block_arguments);
  warps[self->number / 32].ended |= 1u << self->number % 32;
  self->is_busy = false;
  n_ended++;
}

void
fiber_main ()
{
#if defined (TELLS_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber (nullptr, &scheduler_stack, &scheduler_stack_size);
#endif
  for (;;)
    {
      Fiber *self = current;

      while (n_begun < n_threads)
        run_thread (self);
      leave_for_scheduler (self);
    }
}

Fiber *
add_fiber ()
{
  Fiber *self = new Fiber ();

  self->stack = (char *) malloc (STACK_SIZE);
#if defined (TELLS_THREAD_SANITIZER)
  self->sanitizer = __tsan_create_fiber (0);
#endif
  init_context (&self->context, self->stack, STACK_SIZE, fiber_main);
  fibers.push_back (self);
  return self;
}

void
begin_threads ()
{
  while (n_begun < n_threads)
    {
      Fiber *idle = nullptr;

      for (Fiber *fiber : fibers)
        if (!fiber->is_busy)
          {
            idle = fiber;
            break;
          }
      resume (idle != nullptr ? idle : add_fiber ());
    }
}

void
open_barrier ()
{
  if (n_at_barrier == 0 || n_at_barrier + n_ended < n_threads)
    return;

  n_at_barrier = 0;
  for (Fiber *fiber : fibers)
    if (fiber->is_busy && fiber->wait == WAIT_BLOCK)
      fiber->wait = WAIT_NOTHING;
}

/* Runs each thread that can run until it waits again. */
bool
go_on ()
{
  bool has_run = false;

  open_barrier ();
  for (size_t i = 0; i < fibers.size (); i++)
    if (fibers[i]->is_busy && fibers[i]->wait == WAIT_NOTHING)
      {
        has_run = true;
        resume (fibers[i]);
      }
  return has_run;
}

void
run_block ()
{
  memset (warps, 0, sizeof warps);
  n_begun = n_ended = n_at_barrier = 0;
  begin_threads ();
  while (n_ended < n_threads)
    if (!go_on ())
      fail ("threads wait for others that do not come");

  for (const Shared &one : shared)
    free (one.data);
  shared.clear ();
}

}

void
emulate_launch (dim3          grid,
                dim3          block,
                EmulatedCall  call,
                void        **arguments)
{
  std::lock_guard<std::mutex> guard (lock);

  block_call = call;
  block_arguments = arguments;
  gridDim = grid;
  blockDim = block;
  n_threads = block.x * block.y * block.z;
  if (n_threads == 0 || n_threads > 32 * MAX_WARPS)
    fail ("a block has 1 to 1024 threads");

  for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++)
    for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
      for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++)
        {
          is_backwards = (blockIdx.x + blockIdx.y + blockIdx.z) % 2 != 0;
          run_block ();
        }
}

void *
emulate_shared (const void *key,
                size_t      n_bytes)
{
  void *data;

  for (const Shared &one : shared)
    if (one.key == key)
      return one.data;

  data = malloc (n_bytes);
  memset (data, 0xff, n_bytes);
  shared.push_back (Shared{ key, data });
  return data;
}

void
emulate_check_alignment (const void *address,
                         size_t      alignment)
{
  if ((uintptr_t) address % alignment != 0)
    fail ("a vector is not aligned");
}

static void
wait_for (Wait wait)
{
  Fiber *self = current;

  self->wait = wait;
  leave_for_scheduler (self);
}

void
__syncthreads ()
{
  n_at_barrier++;
  wait_for (WAIT_BLOCK);
}

unsigned
emulate_lane ()
{
  return current->number % 32;
}

const EmulatedWarp *
emulate_exchange (uint32_t mask,
                  uint64_t value)
{
  const unsigned number = current->number, lane = number % 32;
  Warp *warp = &warps[number / 32];
  EmulatedWarp *exchange = &warp->exchanges[warp->turn % 2];
  const unsigned n_lanes = n_threads - number / 32 * 32 < 32 ? n_threads - number / 32 * 32 : 32;
  const uint32_t all = n_lanes < 32 ? (1u << n_lanes) - 1 : 0xffffffffu;

  if (mask != 0xffffffffu || warp->ended != 0)
    fail ("only whole warps are emulated");

  exchange->values[lane] = value;
  exchange->lanes = all;
  warp->arrived |= 1u << lane;
  if (warp->arrived != all)
    {
      wait_for (WAIT_WARP);
      return exchange;
    }

  warp->arrived = 0;
  warp->turn++;
  for (Fiber *fiber : fibers)
    if (fiber->is_busy && fiber->wait == WAIT_WARP && fiber->number / 32 == number / 32)
      fiber->wait = WAIT_NOTHING;
  return exchange;
}

bool
emulate_register (const void   *kernel,
                  void        (*invoke) (dim3, dim3, size_t, void **),
                  unsigned      n_arguments,
                  const size_t *argument_sizes)
{
  Dl_info info;

  if (dladdr (kernel, &info) == 0 || info.dli_sname == nullptr || info.dli_saddr != kernel)
    {
      fprintf (stderr, "Kernel emulation: a kernel has no name\n");
      abort ();
    }
  fake_cuda_add_kernel (info.dli_sname, invoke, n_arguments, argument_sizes);
  return true;
}

/* 16-bit numbers, calculated from their fields. */

float
emulate_float_of_half (uint16_t bits)
{
  const float sign = bits >> 15 != 0 ? -1 : 1;
  const int exponent = bits >> 10 & 0x1f;
  const int mantissa = bits & 0x3ff;

  if (exponent == 0x1f)
    return mantissa != 0 ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * ldexpf ((float) mantissa, -24);
  return sign * ldexpf ((float) (mantissa + 0x400), exponent - 25);
}

uint16_t
emulate_half_of_float (float value)
{
  const uint16_t sign = signbit (value) ? 0x8000 : 0;
  const float size = fabsf (value);
  int exponent;
  float units;

  if (isnan (value))
    return 0x7fff;
  if (size >= 65520)
    return sign | 0x7c00;
  if (size == 0)
    return sign;

  /* In units of the last place; the smallest unit is 2^-24. */
  exponent = ilogbf (size) < -14 ? -14 : ilogbf (size);
  units = nearbyintf (ldexpf (size, 10 - exponent));
  return sign | (uint16_t) ((exponent + 14) * 0x400 + (int) units);
}
