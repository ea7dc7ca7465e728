/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"
#include "tests/io/save-utils.h"

/* Tensors, blobs and files on a GPU that fails. */

#define N 40000

/* A workspace with a tensor on the CPU, and a folder for files. */
typedef struct
{
  C2gWorkspace *workspace;
  C2gContext   *context;
  char         *folder;
  GFile        *file;
} World;

typedef gboolean (*Step) (World   *world,
                          GError **error);

static void
world_init (World *world)
{
  C2gTensor *near;
  float *values;

  world->workspace = c2g_workspace_new ();
  world->context = new_context ();
  world->folder = save_new_folder ();
  world->file = save_file (world->folder, "x.minidb");
  near = save_add (world->workspace, "near", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (N));
  values = c2g_tensor_mutable_data (near, C2G_DATA_TYPE_FLOAT, NULL);
  for (gint64 i = 0; i < N; i++)
    values[i] = i;
}

static void
world_clear (World *world)
{
  g_clear_object (&world->workspace);
  g_clear_object (&world->context);
  g_clear_object (&world->file);
  save_remove (world->folder);
  g_clear_pointer (&world->folder, g_free);
}

static C2gTensor *
tensor_of (World      *world,
           const char *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (world->workspace, name, NULL);

  return c2g_blob_get_tensor (blob, NULL);
}

static C2gTensor *
ensure_far (World      *world,
            const char *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (world->workspace, name, NULL);

  return c2g_blob_ensure_tensor (blob, first_device (), NULL);
}

static gboolean
make (World   *world,
      GError **error)
{
  return c2g_tensor_copy_from (ensure_far (world, "far"), tensor_of (world, "near"), world->context,
                               error) &&
         c2g_context_finish (world->context, error);
}

static gboolean
copy_far (World   *world,
          GError **error)
{
  return c2g_tensor_copy_from (ensure_far (world, "copy"), tensor_of (world, "far"), NULL, error);
}

static gboolean
fetch (World   *world,
       GError **error)
{
  g_autoptr (C2gTensor) near = c2g_tensor_to_device (tensor_of (world, "copy"), c2g_device_cpu (),
                                                     error);

  return near != NULL;
}

static gboolean
resize (World   *world,
        GError **error)
{
  C2gTensor *tensor = tensor_of (world, "copy");

  c2g_tensor_free_memory (tensor);
  return c2g_tensor_resize (tensor, C2G_TEST_DIMS (3, N), error) &&
         c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_DOUBLE, error) != NULL;
}

static gboolean
grow (World   *world,
      GError **error)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_clone (tensor_of (world, "far"), NULL, error);

  return tensor != NULL && c2g_tensor_extend (tensor, N, 10.0, NULL, error);
}

static gboolean
save (World   *world,
      GError **error)
{
  static const char *const names[] = { "far", NULL };
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();

  c2g_save_options_set_names (options, names);
  c2g_save_options_set_chunk_size (options, N / 2);
  return c2g_workspace_save_checkpoint (world->workspace, world->file, options, NULL, error);
}

static gboolean
load (World   *world,
      GError **error)
{
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (GStrv) names = NULL;

  c2g_load_options_set_keep_device (options, TRUE);
  names = c2g_workspace_load_checkpoint (world->workspace, world->file, options, NULL, error);
  return names != NULL;
}

static const Step steps[] = { make, copy_far, fetch, resize, grow, save, load };

static void
assert_error_of_cuda (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (error->domain == C2G_ERROR);
  g_assert_true (error->code == C2G_ERROR_NO_MEMORY || error->code == C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "cuda"));
}

static guint
count_failures (const char *function,
                guint       n_before)
{
  return count_calls (function) - n_before;
}

/* Runs a step with a failing n-th call of a function, for each n. The step fails with an error of
 * CUDA, or succeeds without the call. In either case the next run succeeds. */
static void
fail_step (World      *world,
           Step        step,
           const char *function)
{
  for (guint n = 1;; n++)
    {
      g_autoptr (GError) error = NULL;
      guint n_before = count_calls (function);
      gboolean was_reached;

      on_fake (fake_cuda_fail, function, n, cudaErrorMemoryAllocation, 0);
      if (!step (world, &error))
        assert_error_of_cuda (error);
      was_reached = count_failures (function, n_before) >= n;
      on_fake (fake_cuda_clear_failures);

      g_assert_true (was_reached || error == NULL);
      if (error != NULL)
        g_test_message ("%s, call %u: %s", function != NULL ? function : "any", n, error->message);
      g_clear_error (&error);
      step (world, &error);
      g_assert_no_error (error);
      assert_far (tensor_of (world, "near"), 0);
      assert_far (tensor_of (world, "far"), 0);
      if (!was_reached)
        return;
    }
}

static void
test_each_call (gconstpointer data)
{
  const char *function = data;
  World world;

  if (!needs_fake () || (function == NULL && !may_fail_to_free ()))
    return;

  world_init (&world);
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (GError) error = NULL;

      steps[i](&world, &error);
      g_assert_no_error (error);
      fail_step (&world, steps[i], function);
    }
  world_clear (&world);
}

static void
run_each_call (gconstpointer function)
{
  guint n_left;

  test_each_call (function);
  assert_no_faults ();
  n_left = count_left ();
  test_each_call (function);
  assert_no_faults ();
  /* Objects that CUDA refused to destroy are lost. */
  if (function != NULL)
    g_assert_cmpuint (count_left (), <=, n_left);
  on_fake (fake_cuda_clear_faults);
}

/* One of two devices is lost. The other works on, and files do not change. */
static void
test_lost (void)
{
  C2gDevice *second = second_device ();
  g_autoptr (C2gTensor) other = NULL;
  g_autoptr (GBytes) saved = NULL;
  World world;

  if (second == NULL || !needs_fake () || !may_reset ())
    return;

  world_init (&world);
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    g_assert_true (steps[i](&world, NULL));
  saved = save_read (world.file);
  other = new_far (second, N, NULL);

  on_fake (fake_cuda_lose_device, 0, cudaErrorIllegalAddress);
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (GError) error = NULL;

      if (steps[i](&world, &error))
        continue;
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, "cudaErrorIllegalAddress"));
    }
  g_assert_false (save (&world, NULL));
  save_assert_bytes (world.file, saved);
  assert_far (other, 0);
  assert_far (tensor_of (&world, "near"), 0);

  world_clear (&world);
  assert_far (other, 0);
  cudaSetDevice (0);
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
  on_fake (fake_cuda_clear_faults);
}

/* Objects from before a reset give errors. The other device loses nothing. */
static void
test_reset (void)
{
  C2gDevice *second = second_device ();
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gAllocator) allocator = NULL;
  g_autoptr (C2gStorage) storage = NULL;
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) other = NULL;
  g_autoptr (C2gEvent) event = NULL;
  g_autoptr (GError) error = NULL;

  if (second == NULL || !may_reset ())
    return;

  context = new_context ();
  allocator = c2g_cuda_caching_allocator_new (first_device (), NULL);
  storage = allocate (allocator, 40, context);
  far = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (10), storage, 0, NULL);
  event = c2g_event_new (first_device ());
  other = new_far (second, N, NULL);
  g_assert_true (c2g_context_record (context, event, NULL));
  cudaSetDevice (0);
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);

  g_assert_false (c2g_context_fill (context, far, 1.0, &error));
  assert_error_of_cuda (error);
  g_clear_error (&error);
  g_assert_false (c2g_context_finish (context, &error));
  assert_error_of_cuda (error);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_to_device (far, c2g_device_cpu (), &error));
  assert_error_of_cuda (error);
  g_clear_error (&error);
  g_assert_cmpint (c2g_event_query (event), !=, C2G_EVENT_SUCCESS);
  assert_far (other, 0);
  on_fake (fake_cuda_clear_faults);
}

/* A context of one device works on memory of another, and the CPU on either. */
static void
test_mixed (void)
{
  C2gDevice *second = second_device ();
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gTensor) other = NULL;
  g_autoptr (C2gTensor) third = NULL;
  g_autoptr (GError) error = NULL;

  if (second == NULL)
    return;

  context = new_context ();
  other = new_far (second, N, NULL);
  third = c2g_tensor_new_for_device (second);
  g_assert_false (c2g_context_fill (context, other, 1.0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "cuda:1"));
  g_clear_error (&error);
  g_assert_false (c2g_context_fill_uniform (context, other, 0.0, 1.0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_copy_from (third, other, context, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  assert_far (other, 0);
}

/* The host cannot access device memory, and gets an error. */
static void
test_host_access (void)
{
  g_autoptr (C2gTensor) far = new_far (first_device (), N, NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_tensor_map (far, C2G_MAP_WRITE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_null (c2g_storage_map (c2g_tensor_get_storage (far), C2G_MAP_READ, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_set_value (far, 0, 1.0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  bytes = c2g_tensor_dup_bytes (far, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, N * sizeof (float));
}

int
main (int   argc,
      char *argv[])
{
  /* Functions that allocate, wait or query; and any function. */
  static const char *const functions[] = {
    "cudaMallocFromPoolAsync", "cudaMemcpyAsync",     "cudaHostAlloc",
    "cudaEventRecord",         "cudaStreamWaitEvent", "cudaStreamSynchronize",
    "cudaPointerGetAttributes"
  };

  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cuda/faults/each-call/%s", functions[i]);

      g_test_add_data_func (path, functions[i], run_each_call);
    }
  g_test_add_data_func ("/cuda/faults/each-call/any", NULL, run_each_call);
  add_clean_func ("/cuda/faults/mixed-devices", test_mixed);
  add_clean_func ("/cuda/faults/host-access", test_host_access);
  /* These lose the first device for the rest of the process, so they come last. */
  c2g_test_add_func ("/cuda/faults/gone/lost", test_lost);
  c2g_test_add_func ("/cuda/faults/gone/reset", test_reset);

  return run_on_device ();
}
