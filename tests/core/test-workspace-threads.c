/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <string.h>

/* Threads that read, create and remove blobs of the same few names. Most useful under
 * ThreadSanitizer. */

#define N_ROUNDS 20000

static const char *const names[] = {
  "a",
  "b",
  "c",
  "a name that is too long to stand in the blob itself",
};

typedef struct
{
  C2gWorkspace *workspace;
  C2gWorkspace *child;
  C2gWorkspace *sibling;
  int           n_running;

  /* Numbers of added and removed blobs, counted by the signals. */
  int           n_added;
  int           n_removed;
} Arena;

typedef void (*RoundFunc) (Arena *arena,
                           guint  round);

typedef struct
{
  Arena    *arena;
  RoundFunc func;
  guint     n_rounds;
} Worker;

static const char *
pick (guint round)
{
  return names[(round * 7 + round / 5) % G_N_ELEMENTS (names)];
}

static void
added_cb (C2gWorkspace *workspace,
          C2gBlob      *blob,
          Arena        *arena)
{
  g_atomic_int_inc (&arena->n_added);
}

static void
removed_cb (C2gWorkspace *workspace,
            C2gBlob      *blob,
            Arena        *arena)
{
  g_atomic_int_inc (&arena->n_removed);
}

static void
read_round (Arena *arena,
            guint  round)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (arena->workspace, pick (round), NULL);
  g_autoptr (C2gBlob) of_child = c2g_workspace_get_blob (arena->child, pick (round + 1), NULL);
  g_autoptr (C2gBlob) of_sibling = c2g_workspace_get_blob (arena->sibling, "x", NULL);
  g_autofree char *name = NULL;

  c2g_workspace_has_blob (arena->workspace, pick (round + 2));
  if (blob == NULL)
    return;

  name = c2g_blob_dup_name (blob);
  g_assert_true (g_utf8_validate (name, -1, NULL));
}

static void
create_round (Arena *arena,
              guint  round)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = NULL;

  if (round % 3 == 0)
    blob = c2g_workspace_create_local_blob (arena->workspace, pick (round), &error);
  else
    blob = c2g_workspace_create_blob (arena->workspace, pick (round), &error);

  g_assert_no_error (error);
  g_assert_true (C2G_IS_BLOB (blob));
}

static void
remove_round (Arena *arena,
              guint  round)
{
  if (round % 500 == 499)
    c2g_workspace_clear (arena->workspace);
  else
    c2g_workspace_remove_blob (arena->workspace, pick (round));
}

static void
rename_round (Arena *arena,
              guint  round)
{
  c2g_workspace_rename_blob (arena->workspace, pick (round), pick (round + 1), NULL);
}

static void
list_round (Arena *arena,
            guint  round)
{
  g_auto (GStrv) local = NULL;
  g_auto (GStrv) all = NULL;

  if (round % 10 != 0)
    return;

  local = c2g_workspace_list_local_blobs (arena->workspace);
  g_assert_cmpuint (g_strv_length (local), <=, G_N_ELEMENTS (names) + 1);
  all = c2g_workspace_list_blobs (arena->child);
}

/* Writes the content of a blob; other threads only remove and rename the blob. */
static void
write_round (Arena *arena,
             guint  round)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (arena->workspace, "written", &error);
  C2gTensor *tensor;
  float *data;

  if (round % 10 != 0)
    return;

  tensor = c2g_blob_ensure_tensor (blob, NULL, &error);
  c2g_tensor_resize (tensor, C2G_TEST_DIMS (1 + round % 64), &error);
  data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error);
  g_assert_no_error (error);
  data[0] = (float) round;

  if (round % 30 == 0)
    c2g_blob_reset (blob);
}

static void
remove_written_round (Arena *arena,
                      guint  round)
{
  g_autofree char *report = NULL;

  if (round % 10 != 5)
    return;

  report = c2g_workspace_dup_report (arena->workspace);
  g_assert_true (g_str_has_suffix (report, "total\n"));
  if (round % 20 == 5)
    c2g_workspace_remove_blob (arena->workspace, "written");
}

/* Creates tensors of the same names in several threads. Each thread writes only its own tensors. */
static void
create_tensor_round (Arena *arena,
                     guint  round)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor =
    c2g_workspace_create_tensor (arena->workspace, pick (round), C2G_DATA_TYPE_FLOAT,
                                 C2G_TEST_DIMS (1 + round % 64), &error);
  float *data;

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (1 + round % 300), &error));
  data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error);
  g_assert_no_error (error);
  data[0] = (float) round;
}

static void
get_tensor_round (Arena *arena,
                  guint  round)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_workspace_get_tensor (arena->child, pick (round), &error);

  if (tensor != NULL)
    g_assert_true (C2G_IS_TENSOR (tensor));
  else
    g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
}

static void
report_round (Arena *arena,
              guint  round)
{
  g_autofree char *report = NULL;

  if (round % 10 == 0)
    report = c2g_workspace_dup_report (arena->workspace);
}

/* Both functions race: the slower one would close a cycle and must fail. */
static void
map_round (Arena *arena,
           guint  round)
{
  const char *from[] = { "x", "y", NULL };
  const char *to[] = { pick (round), pick (round + 1), NULL };

  if (round % 10 == 0)
    c2g_workspace_add_blob_mapping (arena->sibling, arena->workspace, from, to, FALSE, NULL);
  if (round % 50 == 25)
    c2g_workspace_clear (arena->sibling);
}

static void
map_back_round (Arena *arena,
                guint  round)
{
  const char *from[] = { "from-sibling", NULL };
  const char *to[] = { "back", NULL };

  if (round % 10 != 5)
    return;

  g_object_unref (c2g_workspace_create_local_blob (arena->sibling, "back", NULL));
  c2g_workspace_add_blob_mapping (arena->workspace, arena->sibling, from, to, FALSE, NULL);
}

static gpointer
worker_run (gpointer data)
{
  Worker *self = data;

  for (guint round = 0; round < self->n_rounds; round++)
    self->func (self->arena, round);
  g_atomic_int_add (&self->arena->n_running, -1);
  g_main_context_wakeup (NULL);

  return NULL;
}

static void
arena_init (Arena *self)
{
  *self = (Arena) { .workspace = c2g_workspace_new () };
  self->child = c2g_workspace_new_with_parent (self->workspace);
  self->sibling = c2g_workspace_new ();
  g_signal_connect (self->workspace, "blob-added", G_CALLBACK (added_cb), self);
  g_signal_connect (self->workspace, "blob-removed", G_CALLBACK (removed_cb), self);
}

static void
arena_clear (Arena *self)
{
  g_auto (GStrv) left = c2g_workspace_list_local_blobs (self->workspace);
  C2gBlob *blobs[8] = { NULL };
  gsize n_blobs = g_strv_length (left);

  g_assert_cmpint (self->n_added - self->n_removed, ==, (int) n_blobs);
  g_assert_cmpuint (n_blobs, <, G_N_ELEMENTS (blobs));
  for (gsize i = 0; i < n_blobs; i++)
    {
      blobs[i] = c2g_workspace_get_blob (self->workspace, left[i], NULL);
      g_object_add_weak_pointer (G_OBJECT (blobs[i]), (gpointer *) &blobs[i]);
      g_object_unref (blobs[i]);
    }

  g_object_unref (self->sibling);
  g_assert_finalize_object (self->child);
  g_assert_finalize_object (self->workspace);
  for (gsize i = 0; i < n_blobs; i++)
    g_assert_null (blobs[i]);
}

/* Runs each function in a thread, and the main context in this one. */
static void
run (Arena           *arena,
     const RoundFunc *funcs,
     gsize            n_funcs,
     guint            n_rounds)
{
  g_autofree Worker *workers = g_new (Worker, n_funcs);
  g_autofree GThread **threads = g_new (GThread *, n_funcs);

  arena->n_running = (int) n_funcs;
  for (gsize i = 0; i < n_funcs; i++)
    {
      workers[i] = (Worker) { arena, funcs[i], n_rounds };
      threads[i] = g_thread_new ("worker", worker_run, &workers[i]);
    }
  while (g_atomic_int_get (&arena->n_running) > 0)
    g_main_context_iteration (NULL, TRUE);
  for (gsize i = 0; i < n_funcs; i++)
    g_thread_join (threads[i]);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
test_hammer (void)
{
  const RoundFunc funcs[] = { read_round, read_round, create_round, create_round,
                              remove_round, remove_round };
  Arena arena;

  arena_init (&arena);
  run (&arena, funcs, G_N_ELEMENTS (funcs), N_ROUNDS);
  arena_clear (&arena);
}

static void
test_everything (void)
{
  const RoundFunc funcs[] = { read_round, create_round, remove_round, rename_round, list_round,
                              write_round, remove_written_round, map_round, map_back_round };
  Arena arena;

  arena_init (&arena);
  run (&arena, funcs, G_N_ELEMENTS (funcs), N_ROUNDS / 2);
  arena_clear (&arena);
}

/* A blob of create_tensor() is never seen empty, and a returned tensor is not changed by other
 * threads. */
static void
test_create_tensor (void)
{
  const RoundFunc funcs[] = { create_tensor_round, create_tensor_round, get_tensor_round,
                              remove_round, rename_round, report_round };
  Arena arena;

  arena_init (&arena);
  run (&arena, funcs, G_N_ELEMENTS (funcs), N_ROUNDS / 2);
  arena_clear (&arena);
}

/* The list signals all changes in this thread, and agrees with the table at the end. */
typedef struct
{
  GThread *thread;
  guint    n_items;
  guint    n_events;
} ListWatch;

static void
items_changed_cb (GListModel *list,
                  guint       position,
                  guint       n_removed,
                  guint       n_added,
                  ListWatch  *watch)
{
  g_assert_true (g_thread_self () == watch->thread);
  g_assert_cmpuint (position + n_removed, <=, watch->n_items);

  watch->n_events++;
  watch->n_items = watch->n_items - n_removed + n_added;
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, watch->n_items);
  for (guint i = 0; i < watch->n_items; i++)
    {
      g_autoptr (C2gBlob) blob = g_list_model_get_item (list, i);

      g_assert_true (C2G_IS_BLOB (blob));
    }
}

static void
test_list (void)
{
  const RoundFunc funcs[] = { create_round, create_round, remove_round, remove_round,
                              rename_round };
  ListWatch watch = { g_thread_self (), 0, 0 };
  g_auto (GStrv) left = NULL;
  Arena arena;

  arena_init (&arena);
  g_signal_connect (arena.workspace, "items-changed", G_CALLBACK (items_changed_cb), &watch);
  run (&arena, funcs, G_N_ELEMENTS (funcs), N_ROUNDS / 2);

  left = c2g_workspace_list_local_blobs (arena.workspace);
  g_assert_cmpuint (watch.n_items, ==, g_strv_length (left));
  for (guint i = 0; left[i] != NULL; i++)
    {
      g_autoptr (C2gBlob) blob = g_list_model_get_item (G_LIST_MODEL (arena.workspace), i);
      g_autoptr (C2gBlob) named = c2g_workspace_get_blob (arena.workspace, left[i], NULL);

      g_assert_true (blob == named);
    }
  arena_clear (&arena);
}

/* Workspaces are disposed while other threads look up blobs through them. */
static gpointer
look_up_run (gpointer data)
{
  g_autoptr (C2gWorkspace) child = data;

  for (guint round = 0; round < 50; round++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (child, pick (round), NULL);
    }

  return NULL;
}

static void
test_end (void)
{
  for (guint round = 0; round < 500; round++)
    {
      C2gWorkspace *parent = c2g_workspace_new ();
      C2gWorkspace *child = c2g_workspace_new_with_parent (parent);
      GThread *threads[2];

      for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        g_object_unref (c2g_workspace_create_blob (parent, names[i], NULL));
      for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
        threads[i] = g_thread_new ("reader", look_up_run, g_object_ref (child));

      g_object_run_dispose (G_OBJECT (round % 2 == 0 ? parent : child));
      g_object_unref (parent);
      g_object_unref (child);
      for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
        g_thread_join (threads[i]);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/workspace-threads/hammer", test_hammer);
  c2g_test_add_func ("/workspace-threads/everything", test_everything);
  c2g_test_add_func ("/workspace-threads/create-tensor", test_create_tensor);
  c2g_test_add_func ("/workspace-threads/list", test_list);
  c2g_test_add_func ("/workspace-threads/end", test_end);

  return c2g_test_run ();
}
