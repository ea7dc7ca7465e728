/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-storage-private.h>
#include <c2g/net/c2g-kernel-private.h>
#include <c2g/net/c2g-known-arguments-private.h>
#include <c2g/net/c2g-observer-list-private.h>
#include <c2g/net/c2g-operator-registry-private.h>
#include <c2g/net/c2g-operator.h>

G_BEGIN_DECLS

typedef struct
{
  /* A copy, that nobody changes. */
  C2gOperatorDef  *def;
  const char      *engine;
  GWeakRef         workspace;

  C2gBlob        **inputs;
  C2gBlob        **outputs;
  guint            n_inputs;
  guint            n_outputs;

  C2gDevice       *device;
  C2gContext      *context;
  /* NULL on the CPU, and where the device has none. */
  const C2gDeviceCompute *compute;
  /* What has been copied of inputs so that the processor reads them: NULL, or one for each. */
  C2gTensor      **near;
  /* While it runs there, the memory of each input; made when it is first needed. */
  C2gStorage     **held;

  /* Of one of the library's own, what it has to run and keep. */
  const C2gKernel *kernel;
  const C2gKnownArguments *known;
  gpointer         state;
  gboolean       (*run) (C2gOperator  *self,
                         gpointer      state,
                         GError      **error);

  /* Where it stands in which net, -1 and NULL for one alone. */
  int              position;
  char            *net_name;
  /* Of the net's present run, or NULL. */
  GCancellable    *cancellable;
  /* While shapes are inferred: how many outputs have not been sized yet, and the blobs whose
   * elements are not those that a run would find, or NULL. */
  guint            n_unsized;
  GHashTable      *inferred;
  C2gObserverList  observers;

  /* Whether only the thread that runs the net may run it. */
  guint            is_caller_thread_only : 1;
  /* Whether the device is that of the whole model, whatever its definitions say. */
  guint            is_device_forced : 1;
  guint            is_inferring : 1;
} C2gOperatorPrivate;

extern gint c2g_operator_private_offset;

static inline C2gOperatorPrivate *
c2g_operator_get_private (C2gOperator *self)
{
  return G_STRUCT_MEMBER_P (self, c2g_operator_private_offset);
}

/* The class of all operators that have a kernel. */
GType        c2g_kernel_operator_get_type (void);

/* What an operator that a net has is made with. */
typedef struct
{
  C2gWorkspace *workspace;
  /* NULL where there is none. */
  const char   *net_name;
  int           position;
  /* Where it runs unless it says so itself, or NULL; forced makes it run there anyway. */
  C2gDevice    *device;
  gboolean      is_device_forced;
  /* What random numbers start from unless it says so itself, -1 for none. */
  gint64        random_seed;
  /* One for each device but the CPU, in whose order of work all operators of the net are; an
   * operator alone, for which this is NULL, has its own. */
  GPtrArray    *contexts;
} C2gOperatorPlace;

C2gOperator *c2g_operator_new_at      (C2gOperatorDef          *def,
                                       const C2gOperatorPlace  *place,
                                       GError                 **error);

/* Where it would run; NULL with an error. */
C2gDevice   *c2g_operator_choose_device (C2gOperatorDef          *def,
                                         const C2gOperatorPlace  *place,
                                         GError                 **error);

/* Infers among operators that stand before it, whose outputs are in inferred, or NULL. */
gboolean     c2g_operator_infer_after (C2gOperator             *self,
                                       GHashTable              *inferred,
                                       GError                 **error);

/* Whether the definition keeps to the schema of its type, if that has one. */
gboolean     c2g_operator_check_def   (C2gOperatorDef          *def,
                                       const char              *net_name,
                                       int                      position,
                                       GError                 **error);

/* Puts what operator and net are in front of a message. */
void         c2g_operator_prefix_error (C2gOperator             *self,
                                        GError                 **error);

/* What an operator on another device is made with and run by: c2g-operator-device.c. */
typedef gboolean (*C2gOperatorRun) (C2gOperator  *self,
                                    gpointer      state,
                                    GError      **error);

C2gContext    *c2g_operator_create_context (C2gOperatorPrivate        *priv,
                                            GPtrArray                 *contexts,
                                            GError                   **error);
/* What computes by such an implementation there; NULL on the CPU without an error. */
const C2gDeviceCompute *
               c2g_operator_find_compute   (const C2gImplementation   *implementation,
                                            C2gDevice                 *device,
                                            GError                   **error);
gboolean       c2g_operator_check_compute  (const C2gOperatorPrivate  *priv,
                                            const C2gImplementation   *implementation,
                                            GError                   **error);
C2gOperatorRun c2g_operator_choose_run     (const C2gOperatorPrivate  *priv);
/* Runs it behind all that uses its tensors on the device, and as one that uses them. */
gboolean       c2g_operator_run_in_order   (C2gOperator               *self,
                                            gpointer                   state,
                                            C2gOperatorRun             run,
                                            GError                   **error);
void           c2g_operator_clear_near     (C2gOperatorPrivate        *priv);

/* Waits, on the CPU, for devices that use memory which the operator reads or writes. */
gboolean     c2g_operator_wait_for_devices (C2gOperator        *self,
                                            GError            **error);

/* Waits for what the operator has asked of its device. */
gboolean     c2g_operator_finish      (C2gOperator             *self,
                                       GError                 **error);

/* The next one for an operator that may be cancelled. */
gboolean     c2g_operator_run_cancellable (C2gOperator         *self,
                                           GError             **error);

/* Runs without checking what only a programming mistake could have wrong. */
static inline gboolean
c2g_operator_run_through (C2gOperator  *self,
                          GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  if ((G_LIKELY (!g_atomic_int_get (&c2g_storage_has_far_users)) ||
       c2g_operator_wait_for_devices (self, error)) &&
      G_LIKELY (priv->run (self, priv->state, error)))
    return TRUE;
  c2g_operator_prefix_error (self, error);
  return FALSE;
}

static inline gboolean
c2g_operator_run_unchecked (C2gOperator  *self,
                            GError      **error)
{
  if (G_LIKELY (c2g_operator_get_private (self)->cancellable == NULL))
    return c2g_operator_run_through (self, error);
  return c2g_operator_run_cancellable (self, error);
}

G_END_DECLS
