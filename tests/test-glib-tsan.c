/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <gio/gio.h>

/* Nothing here is a race. Were glib-tsan.c to forget what one of these orders,
 * the TSan build would report one. Without ThreadSanitizer the test cannot fail,
 * so only that build has it.
 */

#define N_THREADS 4
#define N_ROUNDS  1000

typedef struct
{
  GMutex   mutex;
  GCond    cond;
  int      number;
  gboolean done;
} Shared;

static void
run_threads (GThreadFunc func,
             gpointer    data)
{
  GThread *threads[N_THREADS];

  for (gsize i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("test", func, data);
  for (gsize i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
}

static gpointer
count_under_mutex (gpointer data)
{
  Shared *shared = data;

  for (int i = 0; i < N_ROUNDS; i++)
    {
      if (i % 2 == 0 || !g_mutex_trylock (&shared->mutex))
        g_mutex_lock (&shared->mutex);
      shared->number++;
      g_mutex_unlock (&shared->mutex);
    }
  return NULL;
}

static void
test_mutex (void)
{
  Shared shared = { 0 };

  g_mutex_init (&shared.mutex);
  run_threads (count_under_mutex, &shared);
  g_assert_cmpint (shared.number, ==, N_THREADS * N_ROUNDS);
  g_mutex_clear (&shared.mutex);
}

static gpointer
set_and_signal (gpointer data)
{
  Shared *shared = data;

  g_mutex_lock (&shared->mutex);
  shared->number = 42;
  shared->done = TRUE;
  g_cond_signal (&shared->cond);
  g_mutex_unlock (&shared->mutex);
  return NULL;
}

static void
test_cond (void)
{
  Shared shared = { 0 };
  GThread *thread;

  g_mutex_init (&shared.mutex);
  g_cond_init (&shared.cond);
  thread = g_thread_new ("test", set_and_signal, &shared);

  g_mutex_lock (&shared.mutex);
  while (!shared.done)
    g_cond_wait (&shared.cond, &shared.mutex);
  g_assert_cmpint (shared.number, ==, 42);
  g_mutex_unlock (&shared.mutex);

  g_thread_join (thread);
  g_cond_clear (&shared.cond);
  g_mutex_clear (&shared.mutex);
}

static gpointer
use_once (gpointer data)
{
  static int *made;
  static gsize initialized;

  if (g_once_init_enter (&initialized))
    {
      made = g_new (int, 1);
      *made = 42;
      g_once_init_leave (&initialized, 1);
    }
  g_assert_cmpint (*made, ==, 42);
  return NULL;
}

static void
test_once (void)
{
  run_threads (use_once, NULL);
}

static gpointer
write_and_unref (gpointer data)
{
  static int slot;
  GObject *object = data;
  int *numbers = g_object_get_data (object, "numbers");

  numbers[g_atomic_int_add (&slot, 1)] = 42;
  g_object_unref (object);
  return NULL;
}

static void
sum_and_free_cb (gpointer data)
{
  int *numbers = data;

  for (gsize i = 0; i < N_THREADS; i++)
    g_assert_cmpint (numbers[i], ==, 42);
  g_free (numbers);
}

static void
test_object (void)
{
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);
  GThread *threads[N_THREADS];

  g_object_set_data_full (object, "numbers", g_new0 (int, N_THREADS), sum_and_free_cb);
  for (gsize i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("test", write_and_unref, g_object_ref (object));
  g_object_unref (object);
  for (gsize i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
}

typedef struct
{
  gatomicrefcount count;
  int             numbers[N_THREADS];
} Counted;

static gpointer
write_and_drop (gpointer data)
{
  static int slot;
  Counted *counted = data;

  counted->numbers[g_atomic_int_add (&slot, 1)] = 42;
  if (g_atomic_ref_count_dec (&counted->count))
    {
      for (gsize i = 0; i < N_THREADS; i++)
        g_assert_cmpint (counted->numbers[i], ==, 42);
      g_free (counted);
    }
  return NULL;
}

static void
test_ref_count (void)
{
  Counted *counted = g_new0 (Counted, 1);

  g_atomic_ref_count_init (&counted->count);
  for (gsize i = 1; i < N_THREADS; i++)
    g_atomic_ref_count_inc (&counted->count);
  run_threads (write_and_drop, counted);
}

static gboolean
read_and_quit (gpointer data)
{
  Shared *shared = data;

  g_assert_cmpint (shared->number, ==, 42);
  shared->done = TRUE;
  return G_SOURCE_REMOVE;
}

static gpointer
set_and_invoke (gpointer data)
{
  Shared *shared = data;

  shared->number = 42;
  g_idle_add (read_and_quit, shared);
  return NULL;
}

static void
test_idle (void)
{
  Shared shared = { 0 };
  GThread *thread = g_thread_new ("test", set_and_invoke, &shared);

  while (!shared.done)
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (thread);
}

static void
double_in_thread (GTask        *task,
                  gpointer      source_object,
                  gpointer      task_data,
                  GCancellable *cancellable)
{
  Shared *shared = task_data;

  shared->number *= 2;
  g_task_return_boolean (task, TRUE);
}

static void
done_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  Shared *shared = user_data;

  g_assert_true (g_task_propagate_boolean (G_TASK (result), NULL));
  g_assert_cmpint (shared->number, ==, 42);
  shared->done = TRUE;
}

static void
test_task (void)
{
  for (int i = 0; i < N_ROUNDS / 10; i++)
    {
      Shared shared = { .number = 21 };
      GTask *task = g_task_new (NULL, NULL, done_cb, &shared);

      g_task_set_task_data (task, &shared, NULL);
      g_task_run_in_thread (task, double_in_thread);
      g_object_unref (task);
      while (!shared.done)
        g_main_context_iteration (NULL, TRUE);
    }
}

/* An object with a number in its class and another behind its interface. */

typedef struct
{
  GTypeInterface parent;
  int            number;
} HasNumberInterface;

typedef GObject Numbered;

typedef struct
{
  GObjectClass parent_class;
  int          number;
} NumberedClass;

GType numbered_get_type (void);
GType has_number_get_type (void);

typedef struct _HasNumber HasNumber;

G_DEFINE_INTERFACE (HasNumber, has_number, G_TYPE_OBJECT)

static void
has_number_default_init (HasNumberInterface *interface)
{
}

static void
numbered_interface_init (HasNumberInterface *interface)
{
  interface->number = 2;
}

G_DEFINE_TYPE_WITH_CODE (Numbered, numbered, G_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (has_number_get_type (), numbered_interface_init))

static void
numbered_class_init (NumberedClass *klass)
{
  klass->number = 40;
}

static void
numbered_init (Numbered *self)
{
}

static int
make_numbered (void)
{
  g_autoptr (GObject) object = g_object_new (numbered_get_type (), NULL);
  const NumberedClass *klass = G_TYPE_INSTANCE_GET_CLASS (object, numbered_get_type (), NumberedClass);
  const HasNumberInterface *interface =
    G_TYPE_INSTANCE_GET_INTERFACE (object, has_number_get_type (), HasNumberInterface);

  return klass->number + interface->number;
}

static gpointer
make_second (gpointer data)
{
  const int *is_made = data;

  /* The order of the two must come from GObject alone. */
  while (!__atomic_load_n (is_made, __ATOMIC_RELAXED))
    g_thread_yield ();
  g_assert_cmpint (make_numbered (), ==, 42);
  return NULL;
}

static void
test_type (void)
{
  int is_made = FALSE;
  GThread *thread = g_thread_new ("test", make_second, &is_made);

  g_assert_cmpint (make_numbered (), ==, 42);
  __atomic_store_n (&is_made, TRUE, __ATOMIC_RELAXED);
  g_thread_join (thread);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/glib-tsan/mutex", test_mutex);
  g_test_add_func ("/glib-tsan/cond", test_cond);
  g_test_add_func ("/glib-tsan/once", test_once);
  g_test_add_func ("/glib-tsan/object", test_object);
  g_test_add_func ("/glib-tsan/ref-count", test_ref_count);
  g_test_add_func ("/glib-tsan/idle", test_idle);
  g_test_add_func ("/glib-tsan/task", test_task);
  g_test_add_func ("/glib-tsan/type", test_type);

  return g_test_run ();
}
