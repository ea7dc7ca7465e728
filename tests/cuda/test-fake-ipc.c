/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-utils.h"

#include <gio/gio.h>
#include <stdlib.h>

#define N_BYTES 10000

static const char *program;

static char *
to_hex (gconstpointer bytes,
        gsize         n_bytes)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < n_bytes; i++)
    g_string_append_printf (text, "%02x", ((const guint8 *) bytes)[i]);
  return g_string_free (text, FALSE);
}

static void
from_hex (const char *text,
          gpointer    bytes,
          gsize       n_bytes)
{
  g_assert_cmpuint (strlen (text), ==, 2 * n_bytes);
  for (gsize i = 0; i < n_bytes; i++)
    ((guint8 *) bytes)[i] = g_ascii_xdigit_value (text[2 * i]) * 16 +
                            g_ascii_xdigit_value (text[2 * i + 1]);
}

/* The other process: waits for the event, checks the memory and writes into it. */
static int
run_child (char **texts)
{
  cudaIpcMemHandle_t memory_handle;
  cudaIpcEventHandle_t event_handle;
  cudaStream_t stream = new_stream ();
  cudaEvent_t event;
  guint8 *memory, host[N_BYTES];
  void *again;

  from_hex (texts[0], &memory_handle, sizeof memory_handle);
  from_hex (texts[1], &event_handle, sizeof event_handle);
  assert_ok (cudaIpcOpenMemHandle ((void **) &memory, memory_handle,
                                   cudaIpcMemLazyEnablePeerAccess));
  assert_ok (cudaIpcOpenMemHandle (&again, memory_handle, cudaIpcMemLazyEnablePeerAccess));
  g_assert_true (again == memory);
  assert_ok (cudaIpcCloseMemHandle (again));
  assert_cuda (cudaFree (memory), cudaErrorInvalidValue);
  assert_faults ("free: cudaFree is not for block");

  assert_ok (cudaIpcOpenEventHandle (&event, event_handle));
  assert_ok (cudaStreamWaitEvent (stream, event, 0));
  assert_ok (cudaMemcpyAsync (host, memory, N_BYTES, cudaMemcpyDeviceToHost, stream));
  for (guint i = 0; i < N_BYTES; i++)
    g_assert_cmpuint (host[i], ==, 5);
  assert_ok (cudaMemsetAsync (memory, 6, N_BYTES, stream));
  assert_ok (cudaEventRecord (event, stream));
  assert_ok (cudaStreamSynchronize (stream));

  assert_ok (cudaIpcCloseMemHandle (memory));
  assert_ok (cudaEventDestroy (event));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();

  return EXIT_SUCCESS;
}

static void
test_share (void)
{
  cudaIpcMemHandle_t memory_handle;
  cudaIpcEventHandle_t event_handle;
  cudaStream_t stream = new_stream ();
  guint8 *memory = new_memory (N_BYTES), host[N_BYTES];
  g_autofree char *memory_text = NULL, *event_text = NULL;
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GError) error = NULL;
  cudaEvent_t event;

  assert_ok (cudaEventCreateWithFlags (&event, cudaEventInterprocess | cudaEventDisableTiming));
  assert_ok (cudaMemset (memory, 4, N_BYTES));
  assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaIpcGetMemHandle (&memory_handle, memory));
  assert_ok (cudaIpcGetEventHandle (&event_handle, event));
  assert_ok (cudaMemsetAsync (memory, 5, N_BYTES, stream));
  assert_ok (cudaEventRecord (event, stream));

  memory_text = to_hex (&memory_handle, sizeof memory_handle);
  event_text = to_hex (&event_handle, sizeof event_handle);
  child = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, program, "--child", memory_text,
                            event_text, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (child, NULL, &error));
  g_assert_no_error (error);

  /* The other process made the last record of the event. */
  assert_ok (cudaStreamWaitEvent (stream, event, 0));
  assert_ok (cudaEventSynchronize (event));
  assert_ok (cudaEventQuery (event));
  assert_ok (cudaMemcpyAsync (host, memory, N_BYTES, cudaMemcpyDeviceToHost, stream));
  g_assert_cmpuint (host[0], ==, 6);
  g_assert_cmpuint (host[N_BYTES - 1], ==, 6);

  assert_ok (cudaFree (memory));
  assert_ok (cudaEventDestroy (event));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

static void
test_same_process (void)
{
  cudaIpcMemHandle_t memory_handle;
  cudaIpcEventHandle_t event_handle;
  guint8 *memory = new_memory (N_BYTES);
  void *opened;
  cudaEvent_t event, opened_event;

  assert_ok (cudaIpcGetMemHandle (&memory_handle, memory));
  assert_cuda (cudaIpcOpenMemHandle (&opened, memory_handle, cudaIpcMemLazyEnablePeerAccess),
               cudaErrorDeviceUninitialized);
  assert_ok (cudaEventCreateWithFlags (&event, cudaEventInterprocess | cudaEventDisableTiming));
  assert_ok (cudaIpcGetEventHandle (&event_handle, event));
  assert_cuda (cudaIpcOpenEventHandle (&opened_event, event_handle), cudaErrorDeviceUninitialized);
  assert_ok (cudaEventDestroy (event));
  assert_ok (cudaFree (memory));
  assert_clean ();
}

/* A handle for an inner address is that of the whole block. */
static void
test_inner_address (void)
{
  cudaIpcMemHandle_t handle, inner_handle;
  guint8 *memory = new_memory (N_BYTES);

  assert_ok (cudaIpcGetMemHandle (&handle, memory));
  assert_ok (cudaIpcGetMemHandle (&inner_handle, memory + N_BYTES - 1));
  g_assert_cmpmem (&handle, sizeof handle, &inner_handle, sizeof inner_handle);
  assert_ok (cudaFree (memory));
  assert_clean ();
}

/* Memory and events that cannot be shared with another process are refused. */
static void
test_refused (void)
{
  cudaIpcMemHandle_t memory_handle = { { 0 } };
  cudaIpcEventHandle_t event_handle = { { 0 } };
  guint8 *memory = new_memory (N_BYTES), *pinned = new_pinned (N_BYTES);
  cudaEvent_t event = new_event (), opened_event;
  void *pool_memory, *opened;

  assert_ok (cudaMallocAsync (&pool_memory, N_BYTES, NULL));
  assert_cuda (cudaIpcGetMemHandle (&memory_handle, pool_memory), cudaErrorInvalidValue);
  assert_cuda (cudaIpcGetMemHandle (&memory_handle, pinned), cudaErrorInvalidValue);
  assert_cuda (cudaIpcGetMemHandle (NULL, memory), cudaErrorInvalidValue);
  assert_cuda (cudaIpcGetEventHandle (&event_handle, event), cudaErrorInvalidResourceHandle);
  assert_cuda (cudaEventCreateWithFlags (&opened_event, cudaEventInterprocess),
               cudaErrorInvalidValue);

  assert_cuda (cudaIpcOpenMemHandle (&opened, memory_handle, cudaIpcMemLazyEnablePeerAccess),
               cudaErrorInvalidValue);
  assert_cuda (cudaIpcOpenMemHandle (&opened, memory_handle, 0), cudaErrorInvalidValue);
  assert_cuda (cudaIpcOpenEventHandle (&opened_event, event_handle), cudaErrorInvalidValue);

  assert_ok (cudaFreeAsync (pool_memory, NULL));
  assert_ok (cudaFreeHost (pinned));
  assert_ok (cudaFree (memory));
  assert_ok (cudaEventDestroy (event));
  assert_clean ();
}

int
main (int   argc,
      char *argv[])
{
  if (argc == 4 && g_str_equal (argv[1], "--child"))
    return run_child (argv + 2);

  program = argv[0];
  g_test_init (&argc, &argv, NULL);

  add_func ("/fake-ipc/share", test_share);
  add_func ("/fake-ipc/same-process", test_same_process);
  add_func ("/fake-ipc/inner-address", test_inner_address);
  add_func ("/fake-ipc/refused", test_refused);

  return g_test_run ();
}
