/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Does the same random operations to tensors of c2g and of c10, Caffe2's storage layer as it lives on, and compares after each: shape,
 * type, capacity, which blocks are kept and which replaced, who shares with whom, contents, live bytes, destroy notifications.
 *
 * Where the two are meant to differ, a decision says so by a name that doc/differences.md explains. After a decision, the tensors that
 * it concerns are made anew on both sides.
 *
 *   c10-steps [--steps N] [--seed N]
 */

#include <c2g/c2g.h>

#include <c10/core/Allocator.h>
#include <c10/core/CopyBytes.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Flags.h>
#include <c10/util/typeid.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

C10_DECLARE_bool (caffe2_keep_on_shrink);
C10_DECLARE_int64 (caffe2_max_keep_on_shrink_memory);

namespace
{

constexpr size_t ARENA_SIZE = 8 << 20;
constexpr int N_TENSORS = 4;
constexpr int WORLD_LENGTH = 300;
constexpr int64_t NO_LIMIT = std::numeric_limits<int64_t>::max ();

/* Memory that is never used twice in one world, so that two blocks are the same only if their addresses are. It is all zeros, so that
 * what is undefined on both sides is equal all the same. */
struct Arena
{
  char *start = static_cast<char *> (aligned_alloc (64, ARENA_SIZE));
  size_t used = 0;
  size_t live = 0;

  Arena () { memset (start, 0, ARENA_SIZE); }

  void *take (size_t n)
  {
    void *block = start + used;

    used += (n + 63) / 64 * 64;
    g_assert (used <= ARENA_SIZE);
    live += n;
    return block;
  }

  void reset ()
  {
    memset (start, 0, used);
    used = 0;
  }
};

Arena c2g_arena;
Arena c10_arena;

/* c2g's side of it */

#define ARENA_TYPE_ALLOCATOR (arena_allocator_get_type ())
G_DECLARE_FINAL_TYPE (ArenaAllocator, arena_allocator, ARENA, ALLOCATOR, C2gAllocator)

struct _ArenaAllocator
{
  C2gAllocator parent_instance;
};

G_DEFINE_FINAL_TYPE (ArenaAllocator, arena_allocator, C2G_TYPE_ALLOCATOR)

gpointer
arena_alloc_block (C2gAllocator *, gsize n_bytes, C2gContext *, GError **)
{
  return c2g_arena.take (n_bytes);
}

void
arena_free_block (C2gAllocator *, gpointer, gsize n_bytes, C2gContext *)
{
  c2g_arena.live -= n_bytes;
}

void
arena_allocator_class_init (ArenaAllocatorClass *klass)
{
  static const C2gBlockFuncs funcs = { arena_alloc_block, arena_free_block, nullptr, nullptr, {} };

  C2G_ALLOCATOR_CLASS (klass)->block_funcs = &funcs;
}

void
arena_allocator_init (ArenaAllocator *)
{
}

/* c10's side of it */

struct SizedBlock
{
  size_t n_bytes;

  static void release (void *self)
  {
    c10_arena.live -= static_cast<SizedBlock *> (self)->n_bytes;
    delete static_cast<SizedBlock *> (self);
  }
};

struct C10Arena : c10::Allocator
{
  c10::DataPtr allocate (size_t n) const override
  {
    if (n == 0)
      return { nullptr, nullptr, nullptr, c10::Device (c10::kCPU) };
    return { c10_arena.take (n), new SizedBlock{ n }, SizedBlock::release, c10::Device (c10::kCPU) };
  }
};

C10Arena c10_arena_allocator;

void
copy_bytes (size_t n_bytes, const void *source, c10::Device, void *destination, c10::Device)
{
  memcpy (destination, source, n_bytes);
}

const c10::_CopyBytesFunctionRegisterer copy_bytes_registerer (c10::kCPU, c10::kCPU, copy_bytes, copy_bytes);

using Dims = std::vector<int64_t>;

/* An element type on both sides; the first stands for none. */
struct Type
{
  C2gDataType c2g;
  caffe2::TypeMeta c10;
  size_t size;
};

std::vector<Type>
all_types ()
{
  return {
    { C2G_DATA_TYPE_UNDEFINED, caffe2::TypeMeta (), 0 },
    { C2G_DATA_TYPE_FLOAT, caffe2::TypeMeta::Make<float> (), 4 },
    { C2G_DATA_TYPE_INT32, caffe2::TypeMeta::Make<int32_t> (), 4 },
    { C2G_DATA_TYPE_DOUBLE, caffe2::TypeMeta::Make<double> (), 8 },
    { C2G_DATA_TYPE_UINT8, caffe2::TypeMeta::Make<uint8_t> (), 1 },
    { C2G_DATA_TYPE_INT64, caffe2::TypeMeta::Make<int64_t> (), 8 },
    { C2G_DATA_TYPE_FLOAT16, caffe2::TypeMeta::Make<at::Half> (), 2 },
  };
}

const std::vector<Type> types = all_types ();

int n_c2g_destroyed;
int n_c10_destroyed;

void
c2g_destroyed (gpointer)
{
  n_c2g_destroyed++;
}

void
c10_destroyed (void *)
{
  n_c10_destroyed++;
}

/* A tensor of each side, and what cannot be asked of either. */
struct Pair
{
  C2gTensor *ours;
  c10::intrusive_ptr<c10::TensorImpl> theirs;
  bool our_reservation = false;
  bool their_reservation = false;

  /* Where the data was after the step before. */
  const void *our_last = nullptr;
  const void *their_last = nullptr;

  Pair ()
  {
    c10::Storage storage (c10::Storage::use_byte_size_t (), 0, &c10_arena_allocator, true);

    ours = c2g_tensor_new ();
    theirs = c10::make_intrusive<c10::TensorImpl> (std::move (storage), c10::DispatchKeySet (c10::DispatchKey::CPU),
                                                   caffe2::TypeMeta ());
    /* Decision "no-shape-yet": a new tensor of c10 has the shape [0]. */
    resize ({ 0 });
  }

  ~Pair () { g_object_unref (ours); }
  Pair (const Pair &) = delete;

  C2gError resize (const Dims &dims)
  {
    g_autoptr (GError) error = nullptr;

    if (!c2g_tensor_resize (ours, dims.data (), dims.size (), &error))
      return static_cast<C2gError> (error->code);
    theirs->Resize (dims);
    return NO_ERROR;
  }

  static constexpr C2gError NO_ERROR = static_cast<C2gError> (-1);

  const void *our_block () const
  {
    C2gStorage *storage = c2g_tensor_get_storage (ours);

    return storage ? reinterpret_cast<void *> (c2g_storage_get_address (storage)) : nullptr;
  }

  const void *their_block () const { return theirs->storage ().data (); }
  bool is_allocated () const { return c2g_tensor_is_allocated (ours); }
  bool is_shared () const { return c2g_tensor_shares_data (ours); }
  int64_t n_elements () const { return c2g_tensor_get_n_elements (ours); }
  size_t n_bytes () const { return c2g_tensor_get_n_bytes (ours); }
  size_t capacity () const { return c2g_tensor_get_capacity (ours); }

  Dims dims () const
  {
    gsize n;
    const gint64 *first = c2g_tensor_get_dims (ours, &n);

    return Dims (first, first + n);
  }

  const Type &type () const
  {
    for (const Type &type : types)
      if (type.c2g == c2g_tensor_get_data_type (ours))
        return type;
    g_assert_not_reached ();
  }
};

struct Comparison
{
  std::mt19937_64 random;
  std::vector<std::string> log;
  std::map<std::string, long> decisions;
  std::vector<std::unique_ptr<Pair>> pairs;
  C2gSettings *settings = c2g_settings_get_default ();
  int destroyed_difference = 0;
  bool failed = false;

  explicit Comparison (uint64_t seed) : random (seed) {}

  int64_t pick (int64_t n) { return static_cast<int64_t> (random () % static_cast<uint64_t> (n)); }
  bool chance (int percent) { return pick (100) < percent; }

  void fail (const std::string &why)
  {
    log.push_back (why);
    failed = true;
  }

  void expect (bool condition, int i, const char *what)
  {
    if (!condition && !failed)
      fail ("t" + std::to_string (i) + ": " + what + " differs");
  }

  static std::string show (const Dims &dims)
  {
    std::string text = "[";

    for (int64_t dim : dims)
      text += (text.size () > 1 ? ", " : "") + std::to_string (dim);
    return text + "]";
  }

  void say (int i, const std::string &call) { log.push_back ("t" + std::to_string (i) + "." + call); }

  /* The two differ here on purpose. */
  void decide (const char *name)
  {
    decisions[name]++;
    log.push_back (std::string ("  decision: ") + name);
  }

  /* New tensors for this one and for all that share with it. */
  void renew (int i)
  {
    const void *ours = pairs[i]->our_last;
    const void *theirs = pairs[i]->their_last;

    for (auto &pair : pairs)
      if (pair == pairs[i] || (ours && pair->our_last == ours) || (theirs && pair->their_last == theirs))
        pair.reset (new Pair);
  }

  Dims some_dims ()
  {
    static const int64_t sizes[] = { 0, 1, 1, 2, 2, 3, 4, 5, 8 };
    Dims dims (static_cast<size_t> (pick (4)));

    for (int64_t &dim : dims)
      dim = sizes[pick (9)];
    return dims;
  }

  /* Tells whether a smaller size makes the policy give the block back. */
  bool policy_frees (const Pair &pair, size_t n_bytes)
  {
    return !c2g_settings_get_keep_on_shrink (settings) || pair.capacity () - n_bytes > c2g_settings_get_max_keep_on_shrink (settings);
  }

  /* Operations */

  void resize (int i, const Dims &dims)
  {
    Pair &pair = *pairs[i];
    int64_t n = 1;

    for (int64_t dim : dims)
      n *= dim;
    say (i, "resize (" + show (dims) + ")");
    size_t n_bytes = static_cast<size_t> (n) * pair.type ().size;
    bool differs = pair.is_allocated () && n != pair.n_elements () && n_bytes <= pair.capacity () && policy_frees (pair, n_bytes)
                   && pair.our_reservation != pair.their_reservation;

    expect (pair.resize (dims) == Pair::NO_ERROR, i, "success");
    if (differs)
      {
        decide ("reservation");
        renew (i);
      }
  }

  void resize_badly (int i)
  {
    static const struct
    {
      Dims dims;
      C2gError error;
      const char *decision;
    } cases[] = {
      { { -1 }, C2G_ERROR_SHAPE, "negative-dimension" },
      { { 2, -3 }, C2G_ERROR_SHAPE, "negative-dimension" },
      { { int64_t (1) << 40, int64_t (1) << 40 }, C2G_ERROR_RANGE, "size-overflow" },
    };
    const auto &bad = cases[pick (3)];
    Pair &pair = *pairs[i];

    say (i, "resize (" + show (bad.dims) + ")");
    expect (pair.resize (bad.dims) == bad.error, i, "error");
    /* c10 takes it, and would be left with a size that is wrong: not tried on the tensor that goes on. */
    c10::Storage storage (c10::Storage::use_byte_size_t (), 0, &c10_arena_allocator, true);
    auto victim = c10::make_intrusive<c10::TensorImpl> (std::move (storage), c10::DispatchKeySet (c10::DispatchKey::CPU),
                                                        caffe2::TypeMeta ());
    victim->Resize (bad.dims);
    decide (bad.decision);
  }

  void reshape (int i)
  {
    Pair &pair = *pairs[i];
    int64_t n = pair.n_elements ();
    Dims dims = chance (80) ? n % 2 == 0 ? Dims{ 2, n / 2 } : Dims{ n, 1 } : some_dims ();
    g_autoptr (GError) error = nullptr;
    bool threw = false;

    say (i, "reshape (" + show (dims) + ")");
    bool done = c2g_tensor_reshape (pair.ours, dims.data (), dims.size (), &error);
    try
      {
        pair.theirs->Reshape (dims);
      }
    catch (const std::exception &)
      {
        threw = true;
      }
    expect (done == !threw, i, "success");
  }

  void allocate (int i)
  {
    Pair &pair = *pairs[i];
    const Type &type = pair.type ().size == 0 || chance (40) ? types[1 + static_cast<size_t> (pick (6))] : pair.type ();
    g_autoptr (GError) error = nullptr;
    bool differs = type.c2g != pair.type ().c2g && pair.is_shared ();
    const void *before = pair.our_block ();

    say (i, std::string ("mutable_data (") + c2g_data_type_get_name (type.c2g) + ")");
    c2g_tensor_mutable_data (pair.ours, type.c2g, &error);
    g_assert_no_error (error);
    if (pair.our_block () != before)
      pair.our_reservation = false;
    pair.theirs->raw_mutable_data (type.c10);
    if (differs)
      {
        decide ("type-change-shared");
        renew (i);
      }
  }

  void write (int i)
  {
    Pair &pair = *pairs[i];

    if (!pair.is_allocated () || pair.n_elements () == 0)
      return;
    say (i, "write");
    char *ours = static_cast<char *> (c2g_tensor_mutable_data (pair.ours, pair.type ().c2g, nullptr));
    char *theirs = static_cast<char *> (pair.theirs->raw_mutable_data (pair.type ().c10));
    for (size_t k = 0; k < pair.n_bytes (); k++)
      ours[k] = theirs[k] = static_cast<char> (random ());
  }

  void read (int i)
  {
    Pair &pair = *pairs[i];
    g_autoptr (GError) error = nullptr;
    bool threw = false;

    if (pair.type ().c2g != C2G_DATA_TYPE_FLOAT)
      return;
    say (i, "data (float)");
    c2g_tensor_data (pair.ours, C2G_DATA_TYPE_FLOAT, &error);
    try
      {
        pair.theirs->data_ptr_impl<float> ();
      }
    catch (const std::exception &)
      {
        threw = true;
      }
    expect ((error != nullptr) == threw, i, "error");
  }

  void free_memory (int i)
  {
    say (i, "free_memory ()");
    c2g_tensor_free_memory (pairs[i]->ours);
    pairs[i]->theirs->FreeMemory ();
    pairs[i]->our_reservation = false;
  }

  void share_data (int i, int j)
  {
    const Pair &source = *pairs[j];
    g_autoptr (GError) error = nullptr;
    bool threw = false;

    /* c10 warns of it on each occasion. */
    if (source.type ().size == 0)
      return;
    if (chance (80))
      resize (i, source.dims ());
    /* The resize may have made both anew. */
    Pair &pair = *pairs[i], &from = *pairs[j];
    bool is_empty = !from.is_allocated () && from.n_elements () == 0;
    const void *before = pair.our_block ();

    if (from.type ().size == 0)
      return;
    say (i, "share_data (t" + std::to_string (j) + ")");
    bool done = c2g_tensor_share_data (pair.ours, from.ours, &error);
    if (pair.our_block () != before)
      pair.our_reservation = false;
    try
      {
        pair.theirs->ShareData (*from.theirs);
      }
    catch (const std::exception &)
      {
        threw = true;
      }
    if (done && is_empty && i != j)
      {
        /* From now on a block that one of c10's two gets is the other's as well. */
        decide ("share-nothing");
        pairs[i].reset (new Pair);
        pairs[j].reset (new Pair);
      }
    else
      expect (done == !threw, i, "success");
  }

  void share_external (int i)
  {
    Pair &pair = *pairs[i];
    const Type &type = types[1 + static_cast<size_t> (pick (6))];
    size_t n_bytes = static_cast<size_t> (pair.n_elements ()) * type.size + static_cast<size_t> (pick (3)) * 32;
    g_autoptr (GError) error = nullptr;

    /* For 0 bytes c10 takes its own word for it. */
    if (n_bytes == 0)
      return;
    say (i, std::string ("share_external (") + c2g_data_type_get_name (type.c2g) + ", " + std::to_string (n_bytes) + ")");
    void *ours = c2g_arena.take (n_bytes), *theirs = c10_arena.take (n_bytes);
    c2g_arena.live -= n_bytes;
    c10_arena.live -= n_bytes;
    c2g_tensor_share_external (pair.ours, type.c2g, ours, n_bytes, c2g_destroyed, nullptr, &error);
    g_assert_no_error (error);
    pair.our_reservation = false;
    pair.theirs->ShareExternalPointer (c10::DataPtr (theirs, theirs, c10_destroyed, c10::Device (c10::kCPU)), type.c10, n_bytes);
  }

  void share_too_little (int i)
  {
    Pair &pair = *pairs[i];
    g_autoptr (GError) error = nullptr;
    static double memory;

    if (pair.n_elements () < 2)
      return;
    say (i, "share_external (double, 8)");
    c2g_tensor_share_external (pair.ours, C2G_DATA_TYPE_DOUBLE, &memory, sizeof memory, nullptr, nullptr, &error);
    expect (g_error_matches (error, C2G_ERROR, C2G_ERROR_RANGE), i, "error");
    /* c10 believes whatever it is told. */
    decide ("external-too-small");
  }

  void extend (int i)
  {
    /* Growths that a float, as c10 has it, and a double tell alike. */
    static const double growths[] = { 0, 25, 50, 100, 200 };
    Pair &pair = *pairs[i];
    int64_t n = chance (5) ? -1 : pick (4);
    double growth = growths[pick (5)];
    g_autoptr (GError) error = nullptr;
    bool threw = false, is_shared = pair.is_shared ();
    const void *ours = pair.our_block (), *theirs = pair.their_block ();

    say (i, "extend (" + std::to_string (n) + ", " + std::to_string (growth) + ")");
    bool done = c2g_tensor_extend (pair.ours, n, growth, nullptr, &error);
    try
      {
        pair.theirs->Extend (n, static_cast<float> (growth));
      }
    catch (const std::exception &)
      {
        threw = true;
      }
    expect (done == !threw, i, "success");
    if (pair.our_block () != ours)
      pair.our_reservation = true;
    if (pair.their_block () != theirs)
      pair.their_reservation = true;
    if (done && is_shared)
      {
        decide ("extend-shared");
        renew (i);
      }
  }

  void reserve (int i)
  {
    Pair &pair = *pairs[i];
    Dims dims = pair.dims ();
    g_autoptr (GError) error = nullptr;
    bool threw = false, was_allocated = pair.is_allocated (), is_shared = pair.is_shared ();
    const void *ours = pair.our_block (), *theirs = pair.their_block ();

    /* On a scalar, c10's writes where there is no dimension. */
    if (dims.empty ())
      return;
    int64_t outer = pick (2) ? dims[0] + pick (5) : pick (9);
    bool is_less = outer < dims[0];

    dims[0] = outer;
    say (i, "reserve (" + show (dims) + ")");
    bool done = c2g_tensor_reserve (pair.ours, dims.data (), dims.size (), &error);
    if (pair.type ().size == 0)
      {
        expect (g_error_matches (error, C2G_ERROR, C2G_ERROR_TYPE), i, "error");
        decide ("reserve-without-type");
        return;
      }
    if (!was_allocated && is_less)
      {
        /* c10 allocates the lesser size for the greater shape. */
        decide ("reserve-less");
        renew (i);
        return;
      }
    try
      {
        pair.theirs->ReserveSpace (outer);
      }
    catch (const std::exception &)
      {
        threw = true;
      }
    pair.our_reservation = done && pair.is_allocated ();
    pair.their_reservation |= pair.their_block () != theirs;
    if (is_shared)
      {
        expect (done, i, "success");
        decide ("reserve-shared");
        pairs[i].reset (new Pair);
        return;
      }
    expect (done == !threw, i, "success");
    if (ours && pair.our_block () != ours && pair.n_bytes () > 0)
      {
        decide ("reserve-keeps-contents");
        memcpy (const_cast<void *> (pair.their_block ()), pair.our_block (), pair.n_bytes ());
      }
  }

  void set_policy ()
  {
    bool keep = chance (80);
    int64_t max = chance (30) ? 32 : NO_LIMIT;

    log.push_back ("keep on shrink: " + std::to_string (keep) + ", " + std::to_string (max));
    c2g_settings_set_keep_on_shrink (settings, keep);
    c2g_settings_set_max_keep_on_shrink (settings, static_cast<guint64> (max));
    FLAGS_caffe2_keep_on_shrink = keep;
    FLAGS_caffe2_max_keep_on_shrink_memory = max;
  }

  /* Comparing */

  void compare_one (int i)
  {
    Pair &pair = *pairs[i];
    const c10::TensorImpl &theirs = *pair.theirs;
    const void *our_block = pair.our_block (), *their_block = pair.their_block ();

    expect (pair.dims () == Dims (theirs.sizes ().begin (), theirs.sizes ().end ()), i, "shape");
    expect (pair.n_elements () == theirs.numel (), i, "number of elements");
    expect (pair.type ().c10 == theirs.dtype (), i, "type");
    expect (pair.is_allocated () == (their_block != nullptr), i, "being allocated");
    expect ((our_block == pair.our_last) == (their_block == pair.their_last), i, "having kept the block");
    if (our_block && their_block && !failed)
      {
        expect (pair.capacity () == theirs.storage ().nbytes (), i, "capacity");
        expect (pair.is_shared () == (theirs.storage ().use_count () > 1), i, "sharing");
        expect (pair.n_bytes () <= pair.capacity () && memcmp (our_block, their_block, pair.n_bytes ()) == 0, i, "contents");
      }
    pair.our_last = our_block;
    pair.their_last = their_block;
  }

  void compare ()
  {
    for (int i = 0; i < N_TENSORS; i++)
      compare_one (i);
    for (int i = 0; i < N_TENSORS; i++)
      for (int j = 0; j < i; j++)
        if (pairs[i]->our_last && pairs[j]->our_last)
          expect ((pairs[i]->our_last == pairs[j]->our_last) == (pairs[i]->their_last == pairs[j]->their_last), i, "whom it shares with");
    if (!failed && c2g_arena.live != c10_arena.live)
      fail ("live bytes: " + std::to_string (c2g_arena.live) + " and " + std::to_string (c10_arena.live));
    if (!failed && n_c2g_destroyed != n_c10_destroyed)
      fail ("destroyed: " + std::to_string (n_c2g_destroyed) + " and " + std::to_string (n_c10_destroyed));
  }

  void step ()
  {
    int i = static_cast<int> (pick (N_TENSORS)), j = static_cast<int> (pick (N_TENSORS));

    switch (pick (16))
      {
      case 0:
      case 1:
      case 2:
        resize (i, some_dims ());
        break;
      case 3:
      case 4:
      case 5:
        allocate (i);
        break;
      case 6:
      case 7:
        write (i);
        break;
      case 8:
        reshape (i);
        break;
      case 9:
      case 10:
        share_data (i, j);
        break;
      case 11:
        extend (i);
        break;
      case 12:
        reserve (i);
        break;
      case 13:
        share_external (i);
        break;
      case 14:
        free_memory (i);
        break;
      default:
        if (chance (20))
          set_policy ();
        else if (chance (50))
          read (i);
        else if (chance (50))
          resize_badly (i);
        else
          share_too_little (i);
      }
  }

  void end_world ()
  {
    pairs.clear ();
    compare_ledger ();
    c2g_arena.reset ();
    c10_arena.reset ();
    log.clear ();
  }

  void compare_ledger ()
  {
    if (c2g_arena.live != 0 || c10_arena.live != 0)
      fail ("at the end: " + std::to_string (c2g_arena.live) + " live bytes here, " + std::to_string (c10_arena.live) + " there");
  }

  bool run (long n_steps)
  {
    for (long done = 0; done < n_steps && !failed; done++)
      {
        if (done % WORLD_LENGTH == 0)
          {
            if (done > 0)
              end_world ();
            for (int i = 0; i < N_TENSORS; i++)
              pairs.emplace_back (new Pair);
          }
        step ();
        compare ();
      }
    if (!failed)
      end_world ();
    return !failed;
  }
};

long
argument (int argc, char **argv, const char *name, long otherwise)
{
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp (argv[i], name) == 0)
      return atol (argv[i + 1]);
  return otherwise;
}

} /* namespace */

int
main (int argc, char **argv)
{
  long n_steps = argument (argc, argv, "--steps", 50000);
  long seed = argument (argc, argv, "--seed", static_cast<long> (std::random_device () ()));
  g_autoptr (GError) error = nullptr;

  c10::SetAllocator (c10::kCPU, &c10_arena_allocator, 255);
  c2g_allocator_set_default (c2g_device_cpu (), C2G_ALLOCATOR (g_object_new (ARENA_TYPE_ALLOCATOR, nullptr)), &error);
  g_assert_no_error (error);

  printf ("# seed %ld, %ld steps\n", seed, n_steps);
  Comparison comparison (static_cast<uint64_t> (seed));
  bool agrees = comparison.run (n_steps);

  if (!agrees)
    for (const std::string &line : comparison.log)
      printf ("#   %s\n", line.c_str ());
  for (const auto &decision : comparison.decisions)
    printf ("# decision %s: %ld times\n", decision.first.c_str (), decision.second);
  printf ("1..1\n%s 1 - c2g and c10 agree but for the decisions\n", agrees ? "ok" : "not ok");
  return agrees ? 0 : 1;
}
