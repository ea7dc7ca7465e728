/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-adaptor-allocator.h>

G_BEGIN_DECLS

/* Tests that every allocator must pass, also those written outside of the library. */

/* Makes the allocator under test. */
typedef C2gAllocator *(*AllocatorSuiteMake) (gconstpointer data);

/* Functions that reach memory that the processor cannot address. */
typedef struct
{
  void     (*fill)      (gpointer      address,
                         int           value,
                         gsize         n_bytes);
  gboolean (*is_filled) (gconstpointer address,
                         int           value,
                         gsize         n_bytes);
  /* Most bytes that may stay cached while a block is live. */
  gsize      max_kept;
} AllocatorSuiteMemory;

/* Adds the tests to run under "/allocator-suite/<name>/". */
void          allocator_suite_add      (const char         *name,
                                        AllocatorSuiteMake  make,
                                        gconstpointer       data);

/* Sets the functions for all tests; the default is CPU memory. */
void          allocator_suite_set_memory (const AllocatorSuiteMemory *memory);
/* Adds an allocator that can be at the bottom of stacks, like "cpu". */
void          allocator_suite_add_base   (const char                 *name,
                                          AllocatorSuiteMake          make);

/* Builds a stack from its description, the top first: "limiting/pool/probe/cpu". */
C2gAllocator *allocator_suite_build    (const char         *stack);
/* Returns the upstream of an adaptor. */
gpointer      allocator_suite_upstream (gpointer            adaptor);
/* Returns the first allocator of a type, from the top down. */
gpointer      allocator_suite_find     (C2gAllocator       *top,
                                        GType               type);

/* An adaptor that counts calls, and fails at chosen ones. */
#define PROBE_TYPE_ALLOCATOR (probe_allocator_get_type ())
G_DECLARE_FINAL_TYPE (ProbeAllocator, probe_allocator, PROBE, ALLOCATOR, C2gAdaptorAllocator)

struct _ProbeAllocator
{
  C2gAdaptorAllocator parent_instance;

  /* The counters are atomic. */
  int                 n_calls;
  int                 n_given;
  int                 n_released;
  gssize              n_bytes;

  /* Number of the first call that fails, from 1, and how many fail in a row. */
  int                 fail_at;
  int                 n_fail;
  int                 error_code;
};

C2gAllocator *probe_allocator_new      (C2gAllocator       *upstream);

G_END_DECLS
