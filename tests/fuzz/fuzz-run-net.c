/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"
#include "run-net.h"

#include <c2g/core/memory/c2g-storage-private.h>

#include <math.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

/* Runs nets of operators of every type, with inputs, shapes, elements and arguments that make sense
 * or do not. Each net is created and run a few times, and the results must agree:
 *
 *  - in memory that is full of zeros in one thread, and in memory that is full of another value in
 * several threads. A difference means memory that was never written, or a missing wait;
 *  - after a run with other inputs and without one. A difference means state that the run left
 * behind.
 *
 * With FUZZ_SHOW in the environment, each net is printed with its error. */

/* Memory filled with a value */

#define FILLING_TYPE_ALLOCATOR (filling_allocator_get_type ())
G_DECLARE_FINAL_TYPE (FillingAllocator, filling_allocator, FILLING, ALLOCATOR, C2gAdaptorAllocator)

struct _FillingAllocator
{
  C2gAdaptorAllocator parent_instance;
};

G_DEFINE_FINAL_TYPE (FillingAllocator, filling_allocator, C2G_TYPE_ADAPTOR_ALLOCATOR)

static int filling;

static C2gStorage *
filling_allocator_allocate (C2gAllocator  *allocator,
                            gsize          n_bytes,
                            C2gContext    *context,
                            GError       **error)
{
  C2gAllocatorClass *parent_class = C2G_ALLOCATOR_CLASS (filling_allocator_parent_class);
  C2gStorage *storage = parent_class->allocate (allocator, n_bytes, context, error);

  if (storage != NULL && n_bytes > 0)
    memset (storage->address, filling, n_bytes);
  return storage;
}

static void
filling_allocator_class_init (FillingAllocatorClass *klass)
{
  C2G_ALLOCATOR_CLASS (klass)->allocate = filling_allocator_allocate;
}

static void
filling_allocator_init (FillingAllocator *self)
{
}

/* Running */

/* Runs have a time limit, because loops may be endless. */
#define MAX_MICROSECONDS (G_TIME_SPAN_SECOND / 2)

typedef struct
{
  GMutex        lock;
  GCond         cond;
  GCancellable *cancellable;
  gboolean      is_done;
} Watch;

static gpointer
watch (gpointer data)
{
  Watch *self = data;
  const gint64 end = g_get_monotonic_time () + MAX_MICROSECONDS;
  gboolean is_late = FALSE;

  g_mutex_lock (&self->lock);
  while (!self->is_done && !is_late)
    is_late = !g_cond_wait_until (&self->cond, &self->lock, end);
  g_mutex_unlock (&self->lock);
  if (is_late)
    g_cancellable_cancel (self->cancellable);
  return NULL;
}

static gboolean
run_watched (C2gNet  *net,
             GError **error)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Watch self = { .cancellable = cancellable };
  GThread *thread;
  gboolean is_done;

  g_mutex_init (&self.lock);
  g_cond_init (&self.cond);
  thread = g_thread_new ("watch", watch, &self);
  is_done = c2g_net_run (net, cancellable, error);
  g_mutex_lock (&self.lock);
  self.is_done = TRUE;
  g_cond_signal (&self.cond);
  g_mutex_unlock (&self.lock);
  g_thread_join (thread);
  g_cond_clear (&self.cond);
  g_mutex_clear (&self.lock);
  return is_done;
}

static gboolean
may_loop (C2gNet *net)
{
  for (guint i = 0; i < c2g_net_get_n_operators (net); i++)
    {
      const char *type = c2g_operator_get_op_type (c2g_net_get_operator (net, i));

      if (strstr (type, "While") != NULL || strstr (type, "If") != NULL)
        return TRUE;
    }
  return FALSE;
}

/* Print writes file names as GLib does. */
static void
check_error (const GError *error)
{
  g_assert_nonnull (error);
  if (error->domain != G_FILE_ERROR)
    fuzz_check_error (error);
}

static gboolean
run (C2gNet  *net,
     GError **error)
{
  const gboolean is_done = may_loop (net) ? run_watched (net, error)
                                          : c2g_net_run (net, NULL, error);

  if (is_done)
    g_assert_null (*error);
  else
    check_error (*error);
  return is_done;
}

/* Results */

typedef struct
{
  GError     *error;
  /* The tensors by name. */
  GHashTable *results;
} Outcome;

static void
outcome_clear (Outcome *self)
{
  g_clear_error (&self->error);
  g_clear_pointer (&self->results, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

/* Blobs must be usable, whatever happened. */
static GHashTable *
look (C2gWorkspace *workspace)
{
  GHashTable *results = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  g_auto (GStrv) names = c2g_workspace_list_blobs (workspace);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, names[i], NULL);
      C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);
      g_autofree char *text = NULL;

      if (tensor == NULL)
        continue;
      text = c2g_tensor_to_string (tensor, 20);
      g_assert_true (g_utf8_validate (text, -1, NULL));
      if (c2g_tensor_is_allocated (tensor) && c2g_tensor_is_defined (tensor))
        g_hash_table_insert (results, g_strdup (names[i]), g_object_ref (tensor));
    }
  return results;
}

/* Databases that are folders have two files. */
static void
clean_folder (void)
{
  g_autoptr (GDir) folder = g_dir_open (fuzz_get_folder (), 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (fuzz_get_folder (), name, NULL);
      g_autofree char *lock = g_build_filename (path, "lock.mdb", NULL);
      g_autofree char *data = g_build_filename (path, "data.mdb", NULL);

      g_unlink (data);
      g_unlink (lock);
      g_remove (path);
    }
}

typedef struct
{
  int      filling;
  gboolean is_dag;
  /* After a run with other inputs. */
  gboolean is_again;
} How;

static void
try_net (C2gWorkspace         *workspace,
         const RunNetScenario *scenario,
         C2gNetDef            *def,
         How                   how,
         Outcome              *outcome)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = NULL;

  run_net_fill_blobs (workspace, scenario, how.is_again ? 0 : 1, TRUE);
  net = c2g_workspace_create_net (workspace, def, FALSE, &outcome->error);
  if (net == NULL)
    {
      check_error (outcome->error);
      return;
    }

  if (how.is_again)
    {
      run (net, &error);
      g_hash_table_unref (look (workspace));
      run_net_fill_blobs (workspace, scenario, 1, scenario->flags % 2 == 0);
    }
  run (net, &outcome->error);
}

/* The results outlive the workspace. */
static void
try_scenario (const RunNetScenario *scenario,
              C2gNetDef            *def,
              How                   how,
              Outcome              *outcome)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  filling = how.filling;
  c2g_workspace_set_root_folder (workspace, fuzz_get_folder ());
  c2g_workspace_set_file_access (workspace, C2G_FILE_ACCESS_ROOT_FOLDER);
  c2g_net_def_set_net_type (def, how.is_dag ? "dag" : "simple");
  try_net (workspace, scenario, def, how, outcome);
  outcome->results = look (workspace);
  clean_folder ();
}

/* Comparing */

static gboolean
is_close (double a,
          double b)
{
  return a == b || (isnan (a) && isnan (b)) || fabs (a - b) <= 1e-3 * (fabs (a) + fabs (b)) + 1e-5;
}

static gboolean
are_strings_equal (GBytes *a,
                   GBytes *b)
{
  return a == NULL || b == NULL ? a == b : g_bytes_equal (a, b);
}

static gboolean
are_elements_equal (C2gTensor *a,
                    C2gTensor *b,
                    gint64     i)
{
  GBytes *const *strings_a, *const *strings_b;

  if (c2g_tensor_get_data_type (a) != C2G_DATA_TYPE_STRING)
    return is_close (c2g_tensor_get_value (a, i, NULL), c2g_tensor_get_value (b, i, NULL));

  strings_a = c2g_tensor_data (a, C2G_DATA_TYPE_STRING, NULL);
  strings_b = c2g_tensor_data (b, C2G_DATA_TYPE_STRING, NULL);
  return are_strings_equal (strings_a[i], strings_b[i]);
}

static gboolean
are_equal (C2gTensor *a,
           C2gTensor *b)
{
  gsize n_dims_a, n_dims_b;
  const gint64 *dims_a = c2g_tensor_get_dims (a, &n_dims_a);
  const gint64 *dims_b = c2g_tensor_get_dims (b, &n_dims_b);
  gboolean is_equal = n_dims_a == n_dims_b &&
                      c2g_tensor_get_data_type (a) == c2g_tensor_get_data_type (b);

  for (gsize i = 0; is_equal && i < n_dims_a; i++)
    is_equal = dims_a[i] == dims_b[i];
  for (gint64 i = 0; is_equal && i < MIN (c2g_tensor_get_n_elements (a), 4096); i++)
    is_equal = are_elements_equal (a, b, i);
  return is_equal;
}

/* Errors of the memory limit, and of endless loops that were cancelled, happen by chance. */
static gboolean
is_by_chance (const GError *error)
{
  return g_error_matches (error, C2G_ERROR, C2G_ERROR_NO_MEMORY) ||
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static G_NORETURN void
fail (C2gNetDef  *def,
      const char *how,
      const char *what,
      const char *one,
      const char *other)
{
  g_autofree char *text = c2g_net_def_to_text (def);

  g_printerr ("%s\n%s, %s is not the same:\n%s\n%s\n", text, how, what, one, other);
  abort ();
}

static void
compare_tensors (C2gNetDef  *def,
                 const char *how,
                 const char *name,
                 C2gTensor  *one,
                 C2gTensor  *other)
{
  g_autofree char *one_text = NULL;
  g_autofree char *other_text = NULL;

  if (other != NULL && are_equal (one, other))
    return;
  one_text = c2g_tensor_to_string (one, 100);
  other_text = other != NULL ? c2g_tensor_to_string (other, 100) : NULL;
  fail (def, how, name, one_text, other_text != NULL ? other_text : "nothing");
}

static void
compare (C2gNetDef     *def,
         const char    *how,
         const Outcome *a,
         const Outcome *b)
{
  GHashTableIter iter;
  gpointer name, tensor;

  if (is_by_chance (a->error) || is_by_chance (b->error))
    return;
  if ((a->error == NULL) != (b->error == NULL))
    fail (def, how, "the error", a->error != NULL ? a->error->message : "none",
          b->error != NULL ? b->error->message : "none");

  g_hash_table_iter_init (&iter, a->results);
  while (a->error == NULL && g_hash_table_iter_next (&iter, &name, &tensor))
    compare_tensors (def, how, name, tensor, g_hash_table_lookup (b->results, name));
}

/* The target */

/* The output of Print is for people, so it is dropped. */
static GLogWriterOutput
write_log (GLogLevelFlags   level,
           const GLogField *fields,
           gsize            n_fields,
           gpointer         user_data)
{
  return level & G_LOG_LEVEL_MESSAGE ? G_LOG_WRITER_HANDLED
                                     : g_log_writer_default (level, fields, n_fields, user_data);
}

static void
set_up (void)
{
  g_autoptr (C2gAllocator) limited = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  g_autoptr (C2gAllocator) allocator =
      g_object_new (FILLING_TYPE_ALLOCATOR, "upstream", limited, NULL);

  c2g_limiting_allocator_set_max_bytes (C2G_LIMITING_ALLOCATOR (limited), 2 << 20);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), allocator, NULL));
  g_log_set_writer_func (write_log, NULL, NULL);
  run_net_list_types ();
  /* Operators may write files with relative paths. */
  g_assert_cmpint (g_chdir (fuzz_get_folder ()), ==, 0);
}

static void
show (C2gNetDef     *def,
      const Outcome *outcome)
{
  g_autofree char *text = NULL;

  if (g_getenv ("FUZZ_SHOW") == NULL)
    return;
  text = c2g_net_def_to_text (def);
  g_printerr ("%s%s\n", text, outcome->error != NULL ? outcome->error->message : "");
}

static void
try_bytes (GBytes         *bytes,
           RunNetScenario *scenario)
{
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);

  /* Zeros follow after the end of the input. */
  memset (scenario, 0, sizeof *scenario);
  if (n_bytes > 0)
    memcpy (scenario, data, MIN (n_bytes, sizeof *scenario));
}

void
fuzz_one (GBytes *bytes)
{
  static gsize is_set_up;
  g_autoptr (C2gNetDef) def = NULL;
  g_auto (Outcome) zeros = { NULL };
  g_auto (Outcome) full = { NULL };
  g_auto (Outcome) fresh = { NULL };
  RunNetScenario scenario;
  gboolean is_changing;

  if (g_once_init_enter (&is_set_up))
    {
      set_up ();
      g_once_init_leave (&is_set_up, 1);
    }

  try_bytes (bytes, &scenario);
  def = run_net_make_def (&scenario, &is_changing);
  show (def, &zeros);
  try_scenario (&scenario, def, (How) { 0, FALSE, TRUE }, &zeros);
  /* If threads stop early, random numbers continue from another position. */
  try_scenario (&scenario, def, (How) { 0x4b, (scenario.flags & 2) != 0 && !is_changing, TRUE },
                &full);
  compare (def, "In other memory", &zeros, &full);
  show (def, &zeros);
  if (is_changing || scenario.flags % 2 != 0)
    return;
  try_scenario (&scenario, def, (How) { 0x4b, FALSE, FALSE }, &fresh);
  compare (def, "Without a run before", &zeros, &fresh);
}
