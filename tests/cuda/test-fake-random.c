/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-utils.h"

/* Runs random programs on the fake runtime and on a simple model. The model keeps a matrix of what
 * follows what, filled by the rules of streams and events, without clocks. Both must find the same
 * races. A program without races must compute what it would if each call did its work at once. */

#define N_PROGRAMS  400
#define N_STEPS     40
#define N_STREAMS   4
#define N_EVENTS    3
#define N_BYTES     64
/* Stream 0 is the legacy default stream. The next N_BLOCKING streams are blocking ones. */
#define N_BLOCKING  2
#define MAX_NODES   (N_STEPS + 1)

typedef struct
{
  guint    stream;
  gsize    to, from, n_bytes;
  gboolean is_reading;
} Node;

typedef struct
{
  Node     nodes[MAX_NODES];
  guint    n_nodes;
  /* follows[i][k]: i comes after k. */
  gboolean follows[MAX_NODES][MAX_NODES];
  /* The work that comes before the next work of a stream, before an event, and before what the host
   * does next. */
  gboolean streams[N_STREAMS][MAX_NODES];
  gboolean events[N_EVENTS][MAX_NODES];
  gboolean host[MAX_NODES];
  guint8   memory[N_BYTES];
  guint    n_races;
} Model;

static void
join (gboolean       *set,
      const gboolean *other)
{
  for (guint i = 0; i < MAX_NODES; i++)
    set[i] |= other[i];
}

static void
order_stream (Model *model,
              guint  stream)
{
  join (model->streams[stream], model->host);
  if (stream == 0)
    for (guint i = 1; i <= N_BLOCKING; i++)
      join (model->streams[0], model->streams[i]);
  else if (stream <= N_BLOCKING)
    join (model->streams[stream], model->streams[0]);
}

static gboolean
overlap (gsize a,
         gsize b,
         gsize n_a,
         gsize n_b)
{
  return a < b + n_b && b < a + n_a;
}

/* Returns TRUE if an earlier node without an order writes to the bytes, or uses bytes that are
 * written now. */
static gboolean
has_race (const Model *model,
          guint        number,
          gsize        begin,
          gsize        n_bytes,
          gboolean     is_write)
{
  for (guint i = 0; i < number; i++)
    {
      const Node *node = &model->nodes[i];

      if (model->follows[number][i])
        continue;
      if (overlap (begin, node->to, n_bytes, node->n_bytes))
        return TRUE;
      if (is_write && node->is_reading && overlap (begin, node->from, n_bytes, node->n_bytes))
        return TRUE;
    }
  return FALSE;
}

static void
add_node (Model      *model,
          const Node *node)
{
  guint number = model->n_nodes++;

  order_stream (model, node->stream);
  model->nodes[number] = *node;
  join (model->follows[number], model->streams[node->stream]);
  model->streams[node->stream][number] = TRUE;

  if (node->is_reading)
    model->n_races += has_race (model, number, node->from, node->n_bytes, FALSE);
  model->n_races += has_race (model, number, node->to, node->n_bytes, TRUE);
}

/* Makes one random step, in the model and with the runtime. */
static void
step (GRand        *rand,
      Model        *model,
      cudaStream_t *streams,
      cudaEvent_t  *events,
      guint8       *memory)
{
  guint stream = g_rand_int_range (rand, 0, N_STREAMS), event = g_rand_int_range (rand, 0, N_EVENTS);
  Node node = { stream, 0, 0, g_rand_int_range (rand, 1, N_BYTES / 4), FALSE };
  int value = g_rand_int_range (rand, 0, 256);

  node.to = g_rand_int_range (rand, 0, N_BYTES - node.n_bytes);
  node.from = g_rand_int_range (rand, 0, N_BYTES - node.n_bytes);

  switch (g_rand_int_range (rand, 0, 10))
    {
    case 0:
    case 1:
      add_node (model, &node);
      memset (model->memory + node.to, value, node.n_bytes);
      assert_ok (cudaMemsetAsync (memory + node.to, value, node.n_bytes, streams[stream]));
      break;
    case 2:
      /* cudaMemcpyAsync() does not support overlapping memory. */
      if (overlap (node.to, node.from, node.n_bytes, node.n_bytes))
        break;
      node.is_reading = TRUE;
      add_node (model, &node);
      memmove (model->memory + node.to, model->memory + node.from, node.n_bytes);
      assert_ok (cudaMemcpyAsync (memory + node.to, memory + node.from, node.n_bytes,
                                  cudaMemcpyDeviceToDevice, streams[stream]));
      break;
    case 3:
    case 4:
    case 5:
      order_stream (model, stream);
      memcpy (model->events[event], model->streams[stream], sizeof model->events[event]);
      assert_ok (cudaEventRecord (events[event], streams[stream]));
      break;
    case 6:
    case 7:
    case 8:
      join (model->streams[stream], model->events[event]);
      assert_ok (cudaStreamWaitEvent (streams[stream], events[event], 0));
      break;
    default:
      if (value % 2 == 0)
        {
          order_stream (model, stream);
          join (model->host, model->streams[stream]);
          assert_ok (cudaStreamSynchronize (streams[stream]));
        }
      else
        {
          join (model->host, model->events[event]);
          assert_ok (cudaEventSynchronize (events[event]));
        }
    }
}

/* Returns the number of races. */
static guint
run_program (guint seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autofree Model *model = g_new0 (Model, 1);
  cudaStream_t streams[N_STREAMS] = { NULL };
  cudaEvent_t events[N_EVENTS];
  guint8 *memory = new_memory (N_BYTES), *host = new_pinned (N_BYTES);

  fake_cuda_set_seed (seed + 1);
  fake_cuda_set_eagerness (seed % 3 * 50);
  for (guint i = 1; i < N_STREAMS; i++)
    assert_ok (cudaStreamCreateWithFlags (&streams[i],
                                          i <= N_BLOCKING ? cudaStreamDefault : cudaStreamNonBlocking));
  for (guint i = 0; i < N_EVENTS; i++)
    events[i] = new_event ();
  assert_ok (cudaMemset (memory, 0, N_BYTES));
  assert_ok (cudaDeviceSynchronize ());

  for (guint i = g_rand_int_range (rand, 0, N_STEPS - 5); i < N_STEPS; i++)
    step (rand, model, streams, events, memory);
  assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaMemcpy (host, memory, N_BYTES, cudaMemcpyDeviceToHost));

  g_assert_cmpuint (fake_cuda_get_n_faults (), ==, model->n_races);
  if (model->n_races == 0)
    g_assert_cmpmem (host, N_BYTES, model->memory, N_BYTES);
  fake_cuda_clear_faults ();

  for (guint i = 1; i < N_STREAMS; i++)
    assert_ok (cudaStreamDestroy (streams[i]));
  for (guint i = 0; i < N_EVENTS; i++)
    assert_ok (cudaEventDestroy (events[i]));
  assert_ok (cudaFree (memory));
  assert_ok (cudaFreeHost (host));
  assert_clean ();

  return model->n_races;
}

static void
test_programs (void)
{
  guint n_right = 0;

  for (guint seed = 0; seed < N_PROGRAMS; seed++)
    n_right += run_program (seed) == 0;

  g_test_message ("%u of %d programs have no race", n_right, N_PROGRAMS);
  g_assert_cmpuint (n_right, >, N_PROGRAMS / 20);
  g_assert_cmpuint (n_right, <, N_PROGRAMS * 19 / 20);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_func ("/fake-random/programs", test_programs);

  return g_test_run ();
}
