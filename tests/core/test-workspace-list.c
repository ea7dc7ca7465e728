/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

/* A view that is updated only by items-changed, and compares itself with the list each time. */
typedef struct
{
  GPtrArray *blobs;
  GString   *log;
  GThread   *thread;
} Mirror;

static void
mirror_compare (Mirror     *self,
                GListModel *list)
{
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, self->blobs->len);

  for (guint i = 0; i < self->blobs->len; i++)
    {
      g_autoptr (C2gBlob) blob = g_list_model_get_item (list, i);

      g_assert_true (blob == g_ptr_array_index (self->blobs, i));
    }
  g_assert_null (g_list_model_get_item (list, self->blobs->len));
}

static void
mirror_items_changed_cb (GListModel *list,
                         guint       position,
                         guint       n_removed,
                         guint       n_added,
                         Mirror     *self)
{
  g_assert_true (g_thread_self () == self->thread);
  g_string_append_printf (self->log, "%u-%u+%u ", position, n_removed, n_added);

  if (n_removed > 0)
    g_ptr_array_remove_range (self->blobs, position, n_removed);
  for (guint i = 0; i < n_added; i++)
    g_ptr_array_insert (self->blobs, (int) (position + i),
                        g_list_model_get_item (list, position + i));

  mirror_compare (self, list);
}

static Mirror *
mirror_new (C2gWorkspace *workspace)
{
  Mirror *self = g_new0 (Mirror, 1);

  self->blobs = g_ptr_array_new_with_free_func (g_object_unref);
  self->log = g_string_new (NULL);
  self->thread = g_thread_self ();
  g_signal_connect (workspace, "items-changed", G_CALLBACK (mirror_items_changed_cb), self);

  return self;
}

static void
mirror_assert_logged (Mirror     *self,
                      const char *expected)
{
  g_assert_cmpstr (self->log->str, ==, expected);
  g_string_truncate (self->log, 0);
}

static void
mirror_free (Mirror       *self,
             C2gWorkspace *workspace)
{
  if (workspace != NULL)
    g_signal_handlers_disconnect_by_data (workspace, self);
  g_ptr_array_unref (self->blobs);
  g_string_free (self->log, TRUE);
  g_free (self);
}

static void
create (C2gWorkspace *workspace,
        const char   *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);

  g_assert_no_error (error);
}

static void
create_each (C2gWorkspace *workspace,
             const char   *letters)
{
  for (const char *letter = letters; *letter != '\0'; letter++)
    create (workspace, (const char[]) { *letter, '\0' });
}

static void
remove_each (C2gWorkspace *workspace,
             const char   *letters)
{
  for (const char *letter = letters; *letter != '\0'; letter++)
    c2g_workspace_remove_blob (workspace, (const char[]) { *letter, '\0' });
}

/* Checks the list; "abc" means three blobs with these names. */
static void
assert_list (C2gWorkspace *workspace,
             const char   *expected)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (workspace)); i++)
    {
      g_autoptr (C2gBlob) blob = g_list_model_get_item (G_LIST_MODEL (workspace), i);
      g_autofree char *name = c2g_blob_dup_name (blob);

      g_string_append (names, name);
    }

  g_assert_cmpstr (names->str, ==, expected);
}

static void
iterate (void)
{
  while (g_main_context_iteration (g_main_context_get_thread_default (), FALSE))
    ;
}

/* Creates and removes blobs in another thread, and waits for it. */
typedef struct
{
  C2gWorkspace *workspace;
  const char   *created;
  const char   *removed;
} Job;

static gpointer
job_run (gpointer data)
{
  Job *job = data;

  create_each (job->workspace, job->created);
  remove_each (job->workspace, job->removed);

  return NULL;
}

static void
change_elsewhere (C2gWorkspace *workspace,
                  const char   *created,
                  const char   *removed)
{
  Job job = { workspace, created, removed };

  g_thread_join (g_thread_new ("other", job_run, &job));
}

static void
test_own_thread (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  Mirror *mirror = mirror_new (workspace);

  g_assert_true (G_IS_LIST_MODEL (workspace));
  g_assert_true (g_list_model_get_item_type (G_LIST_MODEL (workspace)) == C2G_TYPE_BLOB);
  create_each (workspace, "abc");
  create_each (workspace, "b");
  mirror_assert_logged (mirror, "0-0+1 1-0+1 2-0+1 ");
  remove_each (workspace, "bx");
  mirror_assert_logged (mirror, "1-1+0 ");
  g_assert_true (c2g_workspace_rename_blob (workspace, "a", "z", NULL));
  mirror_assert_logged (mirror, "");
  create_each (workspace, "a");
  mirror_assert_logged (mirror, "2-0+1 ");
  assert_list (workspace, "zca");
  c2g_workspace_clear (workspace);
  mirror_assert_logged (mirror, "0-3+0 ");
  create_each (workspace, "q");
  mirror_assert_logged (mirror, "0-0+1 ");
  mirror_free (mirror, workspace);
}

/* A handler that connects late gets no signal for older blobs, and reads them from the list. */
static void
test_late (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  Mirror *mirror;

  create_each (workspace, "abc");
  assert_list (workspace, "abc");
  remove_each (workspace, "b");
  assert_list (workspace, "ac");

  mirror = mirror_new (workspace);
  for (guint i = 0; i < 2; i++)
    g_ptr_array_add (mirror->blobs, g_list_model_get_item (G_LIST_MODEL (workspace), i));
  create_each (workspace, "d");
  mirror_assert_logged (mirror, "2-0+1 ");
  mirror_free (mirror, workspace);
}

/* The first signal has the right position, even if the list was not read before. */
static void
test_unasked (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GString) log = g_string_new (NULL);
  Mirror mirror = { g_ptr_array_new_with_free_func (g_object_unref), log, g_thread_self () };

  create_each (workspace, "abc");
  for (const char *letter = "abc"; *letter != '\0'; letter++)
    g_ptr_array_add (mirror.blobs,
                     c2g_workspace_get_blob (workspace, (const char[]) { *letter, '\0' }, NULL));

  g_signal_connect (workspace, "items-changed", G_CALLBACK (mirror_items_changed_cb), &mirror);
  change_elsewhere (workspace, "d", "b");
  g_assert_cmpstr (log->str, ==, "");
  iterate ();
  g_assert_cmpstr (log->str, ==, "1-1+0 2-0+1 ");
  g_ptr_array_unref (mirror.blobs);
}

static void
test_coalesced (void)
{
  const struct
  {
    const char *created;
    const char *removed;
    const char *logged;
    const char *list;
  } cases[] = {
    { "", "", "", "abcdef" },
    { "gh", "", "6-0+2 ", "abcdefgh" },
    { "gh", "gh", "", "abcdef" },
    { "gh", "g", "6-0+1 ", "abcdefh" },
    { "ghg", "h", "6-0+1 ", "abcdefg" },
    { "", "bcd", "1-3+0 ", "aef" },
    { "", "dbc", "1-3+0 ", "aef" },
    { "", "fabcde", "0-6+0 ", "" },
    { "g", "cb", "1-2+0 4-0+1 ", "adefg" },
    { "", "abef", "4-2+0 0-2+0 ", "cd" },
    { "gh", "fg", "5-1+0 5-0+1 ", "abcdeh" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      Mirror *mirror = mirror_new (workspace);

      create_each (workspace, "abcdef");
      g_string_truncate (mirror->log, 0);

      change_elsewhere (workspace, cases[i].created, cases[i].removed);
      mirror_assert_logged (mirror, "");
      mirror_compare (mirror, G_LIST_MODEL (workspace));
      assert_list (workspace, "abcdef");

      iterate ();
      mirror_assert_logged (mirror, cases[i].logged);
      assert_list (workspace, cases[i].list);
      iterate ();
      mirror_assert_logged (mirror, "");
      mirror_free (mirror, workspace);
    }
}

/* A change in the owner's thread first emits the changes of other threads, in order. */
static void
test_mixed (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  Mirror *mirror = mirror_new (workspace);

  create_each (workspace, "abc");
  change_elsewhere (workspace, "de", "b");
  g_string_truncate (mirror->log, 0);
  create_each (workspace, "f");
  mirror_assert_logged (mirror, "1-1+0 2-0+3 ");
  assert_list (workspace, "acdef");
  iterate ();
  mirror_assert_logged (mirror, "");

  /* These blobs are removed in another thread, and created in this one. */
  change_elsewhere (workspace, "", "d");
  create_each (workspace, "d");
  mirror_assert_logged (mirror, "2-1+0 4-0+1 ");
  assert_list (workspace, "acefd");
  mirror_free (mirror, workspace);
}

/* The list belongs to the main context that was the default when the workspace was made. */
static void
test_own_context (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (C2gWorkspace) workspace = NULL;
  Mirror *mirror;

  g_main_context_push_thread_default (context);
  workspace = c2g_workspace_new ();
  g_main_context_pop_thread_default (context);
  mirror = mirror_new (workspace);

  create_each (workspace, "a");
  change_elsewhere (workspace, "b", "");
  iterate ();
  mirror_assert_logged (mirror, "0-0+1 ");
  while (g_main_context_iteration (context, FALSE))
    ;
  mirror_assert_logged (mirror, "1-0+1 ");
  mirror_free (mirror, workspace);
}

/* A workspace whose owner is another thread. */
typedef struct
{
  GMainLoop    *loop;
  GMutex        lock;
  GCond         cond;
  C2gWorkspace *workspace;
  Mirror       *mirror;
} Owner;

static gboolean
quit_cb (gpointer user_data)
{
  g_main_loop_quit (user_data);

  return G_SOURCE_REMOVE;
}

static gpointer
owner_run (gpointer data)
{
  Owner *self = data;
  GMainContext *context = g_main_context_new ();

  g_main_context_push_thread_default (context);

  g_mutex_lock (&self->lock);
  self->loop = g_main_loop_new (context, FALSE);
  self->workspace = c2g_workspace_new ();
  self->mirror = mirror_new (self->workspace);
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->lock);

  g_main_loop_run (self->loop);
  g_main_loop_unref (self->loop);
  g_main_context_pop_thread_default (context);
  g_main_context_unref (context);

  return NULL;
}

static void
test_other_owner (void)
{
  Owner owner = { NULL };
  GThread *thread;
  GSource *source;

  g_mutex_init (&owner.lock);
  g_cond_init (&owner.cond);
  thread = g_thread_new ("owner", owner_run, &owner);
  g_mutex_lock (&owner.lock);
  while (owner.workspace == NULL)
    g_cond_wait (&owner.cond, &owner.lock);
  g_mutex_unlock (&owner.lock);

  /* The mirror checks the thread of the signals. */
  create_each (owner.workspace, "abcdef");
  remove_each (owner.workspace, "ace");

  source = g_idle_source_new ();
  g_source_set_callback (source, quit_cb, owner.loop, NULL);
  g_source_attach (source, g_main_loop_get_context (owner.loop));
  g_source_unref (source);
  g_thread_join (thread);

  mirror_compare (owner.mirror, G_LIST_MODEL (owner.workspace));
  assert_list (owner.workspace, "bdf");
  mirror_free (owner.mirror, owner.workspace);
  g_object_unref (owner.workspace);
  g_mutex_clear (&owner.lock);
  g_cond_clear (&owner.cond);
}

/* A handler that changes the workspace while other handlers still get the last signal. */
typedef struct
{
  guint  n_left;
  GRand *random;
} Meddler;

static void
change_at_random (C2gWorkspace *workspace,
                  GRand        *random)
{
  char name[] = { (char) g_rand_int_range (random, 'a', 'z' + 1), '\0' };
  char other[] = { (char) g_rand_int_range (random, 'a', 'z' + 1), '\0' };

  switch (g_rand_int_range (random, 0, 8))
    {
    case 0:
    case 1:
    case 2:
      c2g_workspace_remove_blob (workspace, name);
      break;
    case 3:
      c2g_workspace_rename_blob (workspace, name, other, NULL);
      break;
    default:
      create (workspace, name);
      break;
    }
}

static void
meddle_cb (C2gWorkspace *workspace,
           guint         position,
           guint         n_removed,
           guint         n_added,
           Meddler      *self)
{
  if (self->n_left == 0)
    return;

  self->n_left--;
  change_at_random (workspace, self->random);
  change_at_random (workspace, self->random);
}

static void
meddle_blob_cb (C2gWorkspace *workspace,
                C2gBlob      *blob,
                Meddler      *self)
{
  meddle_cb (workspace, 0, 0, 0, self);
}

static void
assert_complete (C2gWorkspace *workspace)
{
  g_auto (GStrv) names = c2g_workspace_list_local_blobs (workspace);
  g_autofree char *joined = g_strjoinv ("", names);

  assert_list (workspace, joined);
}

static void
test_random (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  Mirror *before = mirror_new (workspace);
  Meddler meddler = { 0, random };
  Mirror *after;

  g_signal_connect (workspace, "items-changed", G_CALLBACK (meddle_cb), &meddler);
  g_signal_connect (workspace, "blob-added", G_CALLBACK (meddle_blob_cb), &meddler);
  g_signal_connect (workspace, "blob-removed", G_CALLBACK (meddle_blob_cb), &meddler);
  after = mirror_new (workspace);

  for (guint i = 0; i < 3000; i++)
    {
      meddler.n_left = (guint) g_rand_int_range (random, 0, 3);

      switch (g_rand_int_range (random, 0, 40))
        {
        case 0:
          c2g_workspace_clear (workspace);
          break;
        case 1:
          change_elsewhere (workspace, "abcdefghi", "befgh");
          break;
        case 2:
          change_elsewhere (workspace, "klm", "abcdefghijklmnop");
          break;
        case 3:
          iterate ();
          break;
        default:
          change_at_random (workspace, random);
          break;
        }

      mirror_compare (before, G_LIST_MODEL (workspace));
      mirror_compare (after, G_LIST_MODEL (workspace));
    }

  meddler.n_left = 0;
  iterate ();
  mirror_compare (before, G_LIST_MODEL (workspace));
  assert_complete (workspace);
  mirror_free (before, workspace);
  mirror_free (after, workspace);
}

/* An unused list holds no references. */
static void
test_unused (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  C2gBlob *blob = c2g_workspace_create_blob (workspace, "a", NULL);

  g_object_add_weak_pointer (G_OBJECT (blob), (gpointer *) &blob);
  g_object_unref (blob);
  change_elsewhere (workspace, "", "a");
  g_assert_null (blob);
  g_assert_false (g_main_context_pending (NULL));
}

/* The list holds references to removed blobs only until their removal was signalled. */
static void
test_kept (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  C2gBlob *seen = c2g_workspace_create_blob (workspace, "s", NULL);
  C2gBlob *unseen;

  g_object_add_weak_pointer (G_OBJECT (seen), (gpointer *) &seen);
  g_object_unref (seen);
  assert_list (workspace, "s");

  change_elsewhere (workspace, "u", "");
  unseen = c2g_workspace_get_blob (workspace, "u", NULL);
  g_object_add_weak_pointer (G_OBJECT (unseen), (gpointer *) &unseen);
  g_object_unref (unseen);
  change_elsewhere (workspace, "", "su");
  g_assert_null (unseen);
  g_assert_nonnull (seen);
  assert_list (workspace, "s");
  iterate ();
  g_assert_null (seen);
  assert_list (workspace, "");
}

/* The workspace ends before changes of another thread were signalled. */
static void
test_end (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  C2gWorkspace *disposed = c2g_workspace_new ();
  Mirror *mirror = mirror_new (workspace);
  Mirror *disposed_mirror = mirror_new (disposed);

  create_each (workspace, "abc");
  change_elsewhere (workspace, "d", "a");
  g_assert_finalize_object (g_steal_pointer (&workspace));
  mirror_free (mirror, NULL);

  create_each (disposed, "abc");
  g_string_truncate (disposed_mirror->log, 0);
  change_elsewhere (disposed, "d", "a");
  g_object_run_dispose (G_OBJECT (disposed));
  iterate ();
  mirror_assert_logged (disposed_mirror, "");
  assert_list (disposed, "");
  g_assert_finalize_object (disposed);
  mirror_free (disposed_mirror, NULL);
}

static void
dispose_cb (C2gWorkspace *workspace,
            guint         position,
            guint         n_removed,
            guint         n_added,
            gpointer      user_data)
{
  if (position == 1)
    g_object_run_dispose (G_OBJECT (workspace));
}

static void
unref_cb (C2gWorkspace *workspace,
          guint         position,
          guint         n_removed,
          guint         n_added,
          gpointer      user_data)
{
  g_object_unref (workspace);
}

static void
test_end_in_handler (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  C2gWorkspace *dropped = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = NULL;

  g_signal_connect (workspace, "items-changed", G_CALLBACK (dispose_cb), NULL);
  create_each (workspace, "ab");
  assert_list (workspace, "");

  g_signal_connect (dropped, "items-changed", G_CALLBACK (unref_cb), NULL);
  g_object_add_weak_pointer (G_OBJECT (dropped), (gpointer *) &dropped);
  blob = c2g_workspace_create_blob (dropped, "a", NULL);
  g_assert_true (C2G_IS_BLOB (blob));
  g_assert_null (dropped);
}

/* Many blobs, removed in an unrelated order. */
static void
test_many (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  const guint n = 20000;

  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (workspace)), ==, 0);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      create (workspace, name);
    }
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (workspace)), ==, n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", (i * 7919) % n);

      g_assert_true (c2g_workspace_remove_blob (workspace, name));
    }
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (workspace)), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/workspace-list/own-thread", test_own_thread);
  c2g_test_add_func ("/workspace-list/late", test_late);
  c2g_test_add_func ("/workspace-list/unasked", test_unasked);
  c2g_test_add_func ("/workspace-list/coalesced", test_coalesced);
  c2g_test_add_func ("/workspace-list/mixed", test_mixed);
  c2g_test_add_func ("/workspace-list/own-context", test_own_context);
  c2g_test_add_func ("/workspace-list/other-owner", test_other_owner);
  c2g_test_add_func ("/workspace-list/random", test_random);
  c2g_test_add_func ("/workspace-list/unused", test_unused);
  c2g_test_add_func ("/workspace-list/kept", test_kept);
  c2g_test_add_func ("/workspace-list/end", test_end);
  c2g_test_add_func ("/workspace-list/end-in-handler", test_end_in_handler);
  c2g_test_add_func ("/workspace-list/many", test_many);

  return c2g_test_run ();
}
