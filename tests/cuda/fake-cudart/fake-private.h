/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "fake-cudart.h"

#include <glib.h>
#include <string.h>

/* A vector clock: for each timeline, that is the place of a stream, the number of pieces of its
 * work that came before. It gives both the work to wait for, and the order that the checker relies
 * on. */

typedef struct
{
  guint64 *counts;
  guint    n_counts;
} FakeClock;

guint64  fake_clock_get     (const FakeClock *self,
                             guint            timeline);
void     fake_clock_set     (FakeClock       *self,
                             guint            timeline,
                             guint64          count);
void     fake_clock_join    (FakeClock       *self,
                             const FakeClock *other);
void     fake_clock_copy    (FakeClock       *self,
                             const FakeClock *other);
void     fake_clock_clear   (FakeClock       *self);
gboolean fake_clock_is_done (const FakeClock *self);

typedef struct _FakeStream FakeStream;
typedef struct _FakeCapture FakeCapture;

/* Contexts. Streams, events and memory belong to the context that was current when they were made,
 * and end with it. */

typedef struct
{
  int         device;
  /* A destroyed context stays current in other threads, where all calls fail. */
  gboolean    is_destroyed;
  FakeStream *legacy;
} FakeContext;

/* Memory. A mapping is memory from the system; a block is an allocation in it. */

typedef struct
{
  int      ref_count;
  /* Where the memory begins; an aligned address in it. */
  guint8  *start;
  guint8  *address;
  gsize    n_bytes;
  gboolean is_device;
  /* TRUE for addresses without memory. */
  gboolean is_reserved;
  /* The file that the memory was mapped from or shared as. */
  int      fd;
} FakeMapping;

typedef struct _FakePool FakePool;

typedef enum
{
  FAKE_BLOCK_DEVICE,
  FAKE_BLOCK_POOL,
  FAKE_BLOCK_IPC,
  FAKE_BLOCK_PINNED,
  FAKE_BLOCK_REGISTERED,
  FAKE_BLOCK_VIRTUAL,
} FakeBlockKind;

/* An access of work to bytes of a block. */
typedef struct
{
  gsize       begin;
  gsize       end;
  gboolean    is_write;
  guint       timeline;
  guint64     count;
  guint64     stream;
  const char *call;
} FakeAccess;

typedef struct
{
  int            ref_count;
  FakeBlockKind  kind;
  /* TRUE for managed memory, which takes none of the device's. */
  gboolean       is_managed;
  guint64        id;
  int            device;
  /* NULL for blocks of pools and reservations, which belong to no context. */
  FakeContext   *context;
  guint8        *address;
  gsize          n_bytes;
  unsigned int   flags;
  const char    *allocated_by;
  /* NULL while the block is in use. */
  const char    *freed_by;
  FakeMapping   *mapping;
  FakePool      *pool;
  /* The mappings in a reservation, in the order of their addresses. */
  GArray        *pieces;
  GArray        *accesses;
  /* For memory of another process: its pid, its id of the block, and how often it is opened. */
  int            process;
  guint64        foreign_id;
  guint          n_opened;
} FakeBlock;

FakeMapping *fake_mapping_new    (gsize         n_bytes,
                                  gboolean      is_device);
FakeMapping *fake_mapping_reserve (gsize        n_bytes,
                                   gsize        alignment);
FakeMapping *fake_mapping_ref    (FakeMapping  *self);
void         fake_mapping_unref  (FakeMapping  *self);

FakeBlock   *fake_block_add      (FakeBlockKind kind,
                                  int           device,
                                  FakeMapping  *mapping,
                                  gpointer      address,
                                  gsize         n_bytes,
                                  const char   *call);
void         fake_block_remove   (FakeBlock    *self,
                                  const char   *call);
FakeBlock   *fake_block_ref      (FakeBlock    *self);
void         fake_block_unref    (FakeBlock    *self);
FakeBlock   *fake_block_find     (gconstpointer pointer);
FakeBlock   *fake_block_find_dead (gconstpointer pointer);
gboolean     fake_block_overlaps (gconstpointer address,
                                  gsize         n_bytes);
gboolean     fake_block_is_device (const FakeBlock *self);
/* Returns TRUE if work of the context may use the block directly. */
gboolean     fake_block_can_access (const FakeBlock   *self,
                                    gconstpointer      pointer,
                                    gsize              n_bytes,
                                    const FakeContext *context);
char        *fake_block_describe (const FakeBlock *self);
GPtrArray   *fake_block_list     (void);
void         fake_block_fill     (FakeBlock    *self);
void         fake_blocks_reset   (const FakeContext *context);

void         fake_protect         (gconstpointer address,
                                   gsize         n_bytes,
                                   gboolean      is_closed);
gpointer     fake_arena_take      (gsize         n_bytes);
gboolean     fake_arena_has       (gconstpointer address);
void         fake_arena_give      (gpointer      address,
                                   gsize         n_bytes);
void         fake_check_touches   (void);
void         fake_block_open     (FakeBlock    *self);
void         fake_block_close    (FakeBlock    *self);

FakeBlock   *fake_block_find_start (gconstpointer pointer,
                                    FakeBlockKind kind,
                                    FakeBlockKind other_kind);

/* Virtual memory management */

/* Returns TRUE if all bytes are mapped and, unless device is -1, the device may read and write
 * them. */
gboolean     fake_virtual_has         (const FakeBlock *block,
                                       gconstpointer    pointer,
                                       gsize            n_bytes,
                                       int              device);
void         fake_virtual_protect     (const FakeBlock *block,
                                       gboolean         is_closed);
/* Ends all mappings. */
void         fake_virtual_clear       (FakeBlock       *block);
void         fake_virtual_reset       (void);
guint        fake_virtual_check_leaks (void);

/* Pools */

void         fake_pool_take_back    (FakeBlock *block,
                                     guint      timeline,
                                     guint64    count);
gboolean     fake_pool_can_access   (FakePool  *self,
                                     int        device);
void         fake_pools_release     (void);
void         fake_pools_release_for (int        device);
void         fake_pools_reset       (void);
guint        fake_pools_check_leaks (void);

/* Streams */

struct _FakeStream
{
  guint64      id;
  /* The number in the handle. Another stream may get it after this one is destroyed. */
  guint64      number;
  int          device;
  FakeContext *context;
  unsigned int flags;
  int          priority;
  guint        timeline;
  /* The work that the next piece of work follows. */
  FakeClock    clock;
  GQueue       items;
  gboolean     is_default;
  gboolean     is_destroyed;
  /* The capture that takes the work of the stream, or NULL; the number of pieces of work that it
   * took from this stream, and TRUE if its first stream waits for them. */
  FakeCapture *capture;
  guint64      n_captured;
  gboolean     is_joined;
};

FakeStream  *fake_stream_new        (FakeContext *context,
                                     unsigned int flags,
                                     int          priority);
cudaError_t  fake_stream_find       (cudaStream_t handle,
                                     FakeStream **stream);
void         fake_stream_order      (FakeStream  *self);
cudaError_t  fake_stream_check_capture (FakeStream *self);
cudaError_t  fake_stream_break_capture (FakeStream *self);
cudaError_t  fake_stream_join_capture  (FakeStream *self,
                                        guint64     capture,
                                        guint64     stream,
                                        guint64     n_captured);
void         fake_stream_end_capture   (FakeStream *self);
void         fake_streams_reset     (const FakeContext *context);

/* Captures and graphs. A graph has its work in the order in which it was captured, and runs it in
 * that order in one stream. */

typedef struct _FakeNode FakeNode;

struct _FakeNode
{
  const char   *call;
  /* Puts the work into a stream, as the captured call would have. */
  cudaError_t (*submit) (FakeNode   *self,
                         FakeStream *stream);
  void        (*clear)  (FakeNode   *self);
};

struct _FakeCapture
{
  guint64      id;
  FakeStream  *first_stream;
  enum cudaStreamCaptureMode mode;
  gpointer     thread;
  gboolean     is_broken;
  GPtrArray   *nodes;
};

/* Adds a node of `size` bytes, whose first member is a FakeNode, to the capture of the stream. */
gpointer     fake_node_new          (gsize       size,
                                     FakeStream *stream,
                                     const char *call);
void         fake_node_free         (gpointer    node);

void         fake_graph_new         (FakeStream  *stream,
                                     GPtrArray   *nodes,
                                     cudaGraph_t *handle);
void         fake_graphs_reset      (const FakeContext *context);
guint        fake_graphs_check_leaks (void);

/* Events */

typedef struct
{
  guint64      id;
  int          device;
  FakeContext *context;
  unsigned int flags;
  gboolean     is_recorded;
  guint64      n_records;
  FakeClock    clock;
  /* The capture in which it was recorded last, or 0; the stream, and its n_captured. */
  guint64      capture;
  guint64      captured_stream;
  guint64      n_captured;
  /* In steps; 0 if it has not happened yet. */
  guint64      time;
  /* The part shared with other processes, and the number of the last record by this one. */
  gboolean     is_foreign;
  gpointer     shared;
  int          shared_fd;
  guint64      n_shared;
} FakeEvent;

FakeEvent   *fake_event_new     (int          device,
                                 unsigned int flags);
void         fake_event_free    (FakeEvent   *self);
cudaError_t  fake_event_find    (cudaEvent_t  handle,
                                 FakeEvent  **event);
void         fake_events_reset  (const FakeContext *context);

void         fake_event_unshare           (FakeEvent  *self);
gboolean     fake_event_is_elsewhere      (FakeEvent  *self);
gboolean     fake_event_is_done_elsewhere (FakeEvent  *self);
cudaError_t  fake_event_wait_elsewhere    (FakeEvent  *self,
                                           FakeStream *stream);
void         fake_event_begin_record      (FakeEvent  *self);
void         fake_event_push              (FakeEvent  *self);
void         fake_event_end_record        (FakeEvent  *self);

/* Work */

typedef struct _FakeItem FakeItem;

struct _FakeItem
{
  const char  *call;
  FakeStream  *stream;
  guint64      count;
  FakeClock    clock;
  /* How many counts of the clock are known to be done. */
  guint        n_passed;
  guint        n_steps;
  gboolean     is_running;
  /* The blocks that the work accesses; they are open while it runs. */
  GPtrArray   *blocks;

  void       (*run)           (FakeItem *self);
  /* Used instead of run: starts the work, and calls fake_item_finish() when it is done, with the
   * lock held. */
  void       (*run_elsewhere) (FakeItem *self);
  /* Called instead of run if the device is lost. */
  void       (*drop)          (FakeItem *self);
  void       (*clear)         (FakeItem *self);
  /* Returns TRUE if nothing outside holds the work up. */
  gboolean   (*is_ready)      (FakeItem *self);
};

gpointer     fake_item_new        (gsize            size,
                                   FakeStream      *stream,
                                   const char      *call);
void         fake_item_submit     (FakeItem        *self);
void         fake_item_touch      (FakeItem        *self,
                                   FakeBlock       *block,
                                   gconstpointer    pointer,
                                   gsize            n_bytes,
                                   gboolean         is_write);
void         fake_item_finish     (FakeItem        *self);

gboolean     fake_scheduler_step  (const FakeClock *target);
void         fake_wait            (const FakeClock *target);
gboolean     fake_query           (const FakeClock *target);
void         fake_wait_for_context (const FakeContext *context);
void         fake_wait_for_all    (void);
void         fake_drop_work       (const FakeContext *context);

/* The checker */

void         fake_fault           (const char *format,
                                   ...) G_GNUC_PRINTF (1, 2);
void         fake_check_access    (FakeItem   *item,
                                   FakeBlock  *block,
                                   gsize       begin,
                                   gsize       end,
                                   gboolean    is_write);
void         fake_check_free      (FakeBlock  *block,
                                   const char *call);
void         fake_check_pointer   (gconstpointer pointer,
                                   const char   *call);

void         fake_check_end       (int         device);
void         fake_check_handle    (guint64     id,
                                   const char *kind);

/* Devices */

typedef struct
{
  gsize       n_bytes_limit;
  gsize       n_bytes_used;
  /* The size of the smallest piece of virtual memory that can be mapped; 0 if the device has no
   * virtual memory. */
  gsize       granularity;
  cudaError_t lost;
  /* The primary context; TRUE if it exists, TRUE if the runtime holds it, and how often callers
   * have retained it. */
  FakeContext primary;
  gboolean    is_active;
  gboolean    is_held;
  guint       n_retained;
  guint       n_contexts;
  FakePool   *default_pool;
  FakePool   *pool;
  gboolean    can_access[FAKE_CUDA_MAX_DEVICES];
  gboolean    has_access[FAKE_CUDA_MAX_DEVICES];
} FakeDevice;

cudaError_t  fake_device_take     (int   device,
                                   gsize n_bytes);
void         fake_device_give     (int   device,
                                   gsize n_bytes);
void         fake_device_restart  (int   device);

guint        fake_contexts_check_leaks (void);
void         fake_context_hold    (int   device);
void         fake_context_reset   (int   device);
void         fake_context_end     (FakeContext *context);
FakeContext *fake_context_find    (int   device);
void         fake_context_set     (FakeContext *context);
void         fake_contexts_drop_work (int device);

/* The whole state, guarded by one lock, which fake_enter() takes. */

typedef struct
{
  guint64  n_given;
  guint64  n_done;
  gboolean is_taken;
} FakeTimeline;

typedef struct
{
  int         n_devices;
  int         driver;
  gboolean    is_unloading;
  FakeDevice  devices[FAKE_CUDA_MAX_DEVICES];

  GHashTable *streams;
  GHashTable *events;
  GHashTable *pools;
  GHashTable *graphs;
  /* Number of copies between devices that went through the host. */
  guint       n_staged_copies;
  /* The contexts that programs made, including destroyed ones. */
  GPtrArray  *contexts;
  GArray     *timelines;
  /* All streams with work, including destroyed ones. */
  GPtrArray  *all_streams;
  /* The work that the host has waited for. */
  FakeClock   host;
  guint64     n_handles;
  /* Handles that became invalid with their device. */
  GHashTable *reset_handles;
  /* The function that holds the lock. */
  const char *call;
  guint       n_capturing;

  GRand      *rand;
  guint       latency;
  /* The registers that a thread of each kernel needs. */
  guint       n_registers;
  /* The blocks of the latest launch. */
  guint       n_blocks;
  guint       eagerness;
  gboolean    reuses_handles;
  GQueue      free_numbers;
  guint64     time;
  guint       n_host_functions;
  guint64     generation;
} FakeState;

extern FakeState fake_state;

/* The needs of a call, which fake_enter() checks. */
typedef enum
{
  /* Nothing: it can be called at any time. */
  FAKE_CALL_PLAIN,
  /* Needs a driver. */
  FAKE_CALL_DRIVER,
  /* Needs the current device in working order. */
  FAKE_CALL_DEVICE,
  /* Needs, besides that, that no stream is being captured. */
  FAKE_CALL_UNSAFE,
} FakeCall;

/* The arguments of <<<...>>>. */
typedef struct
{
  dim3         grid;
  dim3         block;
  gsize        n_shared_bytes;
  cudaStream_t stream;
} FakeConfiguration;

typedef struct
{
  guint64     generation;
  /* The current device, and the current context, which is NULL before the first call that needs
   * one. */
  int          device;
  FakeContext *context;
  cudaError_t last_error;
  gboolean    is_host_function;
  enum cudaStreamCaptureMode capture_mode;
  GArray     *configurations;
  /* The numbers of the thread's per-thread default streams, by context. */
  GHashTable *streams;
  /* FakePushed structs: the context that was current before each pushed one. */
  GArray     *pushed;
} FakeThread;

typedef struct
{
  int          device;
  FakeContext *context;
} FakePushed;

void         fake_context_need (FakeThread *thread);

#define fake_enter(call) fake_enter_call (__func__, (call))

void         fake_lock       (void);
void         fake_unlock     (void);
void         fake_sleep      (void);
void         fake_wake       (void);
void         fake_count_call (const char *name);
cudaError_t  fake_enter_call (const char *name,
                              FakeCall    call);
cudaError_t  fake_leave      (cudaError_t error);
/* Breaks the captures during which unsafe calls of the thread are forbidden. */
cudaError_t  fake_check_capture (void);
FakeThread  *fake_thread_get (void);

/* Handles are numbers that are never used twice, except those of streams if that is wanted. */
gpointer     fake_handle     (guint64     id);
void         fake_handle_die (guint64     id);
guint64      fake_handle_id  (gconstpointer handle);
