/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-storage-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>
#include <c2g/net/operator/c2g-kernel-argument-private.h>
#include <c2g/net/operator/c2g-kernel-private.h>
#include <c2g/net/operator/c2g-observer.h>
#include <c2g/net/operator/c2g-operator-registry-private.h>
#include <c2g/net/operator/c2g-operator.h>

G_BEGIN_DECLS

/* Observers of one net or operator. They can be added and removed during a run: an array never
 * changes, it is replaced. NULL is an empty list. */
typedef struct
{
  /* Atomic; holds a reference. */
  GPtrArray *array;
} C2gObserverList;

static inline gboolean
c2g_observer_list_is_empty (C2gObserverList *self)
{
  return g_atomic_pointer_get (&self->array) == NULL;
}

/* Attaches or detaches an observer. Returns FALSE if nothing changed. */
gboolean    c2g_observer_list_change (C2gObserverList *self,
                                      C2gObserver     *observer,
                                      gboolean         is_attached);
GListModel *c2g_observer_list_copy   (C2gObserverList *self);

void        c2g_observer_list_clear  (C2gObserverList *self);
void        c2g_observer_list_before (C2gObserverList *self,
                                      gpointer         subject);
void        c2g_observer_list_after  (C2gObserverList *self,
                                      gpointer         subject,
                                      gboolean         is_done);

typedef struct _C2gHeldElements C2gHeldElements;

typedef struct
{
  /* Private, and never changed: runs rely on its names and arguments. Programs get the copy SHOWN,
   * which is made when first asked for. */
  C2gOperatorDef  *def;
  C2gOperatorDef  *shown;
  const char      *engine;
  GWeakRef         workspace;

  C2gBlob        **inputs;
  C2gBlob        **outputs;
  guint            n_inputs;
  guint            n_outputs;

  C2gDevice       *device;
  C2gContext      *context;
  /* NULL on the CPU, and if the device has no functions. */
  const C2gDeviceCompute *compute;
  /* CPU copies of inputs that the kernel reads on the processor: NULL, or one for each input. */
  C2gTensor      **near;
  /* References to the memory of each input during a run on a device; allocated when first
   * needed. */
  C2gStorage     **held;
  /* Set while a kernel runs whose elements run code: c2g-operator-elements.c. */
  C2gHeldElements *elements;

  /* The kernel of a built-in operator, the rows that describe the arguments of its type (NULL if
   * they are unknown), the state that the kernel keeps between runs, and the function that runs
   * it. */
  const C2gKernel *kernel;
  const C2gKernelArgument *known;
  gpointer         state;
  gboolean       (*run) (C2gOperator  *self,
                         gpointer      state,
                         GError      **error);

  /* See c2g_operator_set_flops(). */
  double           n_flops;

  /* Position in the net, and the name of the net; -1 and NULL for a single operator. */
  int              position;
  char            *net_name;
  /* Cancellable of the current run of the net, or NULL. */
  GCancellable    *cancellable;
  /* During shape inference: the number of outputs that are not sized yet, and the set of blobs
   * that earlier operators will overwrite (their elements are unknown), or NULL. */
  guint            n_unsized;
  GHashTable      *inferred;
  C2gObserverList  observers;

  /* TRUE if the operator may run only in the thread that runs the net. */
  guint            is_caller_thread_only : 1;
  /* TRUE if the device was forced for the whole model, whatever the definition says. */
  guint            is_device_forced : 1;
  guint            is_inferring : 1;
} C2gOperatorPrivate;

extern gint c2g_operator_private_offset;

static inline C2gOperatorPrivate *
c2g_operator_get_private (C2gOperator *self)
{
  return G_STRUCT_MEMBER_P (self, c2g_operator_private_offset);
}

/* The class of all built-in operators. */
GType        c2g_kernel_operator_get_type (void);

/* The surroundings of an operator that is made in a net. */
typedef struct
{
  C2gWorkspace *workspace;
  /* NULL without a net. */
  const char   *net_name;
  int           position;
  /* Device if the definition names none, or NULL; if forced, the device in any case. */
  C2gDevice    *device;
  gboolean      is_device_forced;
  /* Random seed if the definition has none; -1 for none. */
  gint64        random_seed;
  /* One context for each device but the CPU, shared by all operators of the net so that their
   * work is in order. NULL for a single operator, which gets its own. */
  GPtrArray    *contexts;
} C2gOperatorPlace;

C2gOperator *c2g_operator_new_at      (C2gOperatorDef          *def,
                                       const C2gOperatorPlace  *place,
                                       GError                 **error);

/* Returns the device that the operator would run on, or NULL with an error. */
C2gDevice   *c2g_operator_choose_device (C2gOperatorDef          *def,
                                         const C2gOperatorPlace  *place,
                                         GError                 **error);

/* Infers shapes for an operator of a net. INFERRED is the set of outputs of the operators before
 * it, or NULL. */
gboolean     c2g_operator_infer_after (C2gOperator             *self,
                                       GHashTable              *inferred,
                                       GError                 **error);

/* Checks that the definition follows the schema of its type, if there is one. */
gboolean     c2g_operator_check_def   (C2gOperatorDef          *def,
                                       const char              *net_name,
                                       int                      position,
                                       GError                 **error);

/* Puts the names of net and operator before the message. */
void         c2g_operator_prefix_error (C2gOperator             *self,
                                        GError                 **error);

/* Operators on other devices: c2g-operator-device.c */
typedef gboolean (*C2gOperatorRun) (C2gOperator  *self,
                                    gpointer      state,
                                    GError      **error);

C2gContext    *c2g_operator_create_context (C2gOperatorPrivate        *priv,
                                            GPtrArray                 *contexts,
                                            GError                   **error);
/* Returns the device functions for the implementation. Returns NULL on the CPU, without an
 * error. */
const C2gDeviceCompute *
               c2g_operator_find_compute   (const C2gImplementation   *implementation,
                                            C2gDevice                 *device,
                                            GError                   **error);
gboolean       c2g_operator_check_compute  (const C2gOperatorPrivate  *priv,
                                            const C2gImplementation   *implementation,
                                            GError                   **error);
C2gOperatorRun c2g_operator_choose_run     (const C2gOperatorPrivate  *priv);
/* Queues the run behind all uses of its tensors on the device, and records it as a use. */
gboolean       c2g_operator_run_in_order   (C2gOperator               *self,
                                            gpointer                   state,
                                            C2gOperatorRun             run,
                                            GError                   **error);
void           c2g_operator_clear_near     (C2gOperatorPrivate        *priv);

/* Waits on the CPU for devices that still use memory of the inputs or outputs. */
gboolean     c2g_operator_wait_for_devices (C2gOperator        *self,
                                            GError            **error);

/* Runs the operator where elements of some tensor may run code: c2g-operator-elements.c. */
gboolean     c2g_operator_run_with_code (C2gOperator           *self,
                                         GError               **error);
/* Return or replace the inputs and outputs that the kernel uses, while the operator holds their
 * elements. */
C2gTensor   *c2g_operator_get_held_input (const C2gOperatorPrivate *priv,
                                          guint                     input);
void         c2g_operator_hold_former_output (C2gOperatorPrivate *priv,
                                              C2gTensor          *tensor);
C2gTensor   *c2g_operator_hold_output (C2gOperatorPrivate      *priv,
                                       C2gBlob                 *blob,
                                       C2gTensor               *tensor);

/* Waits until the device has done all work of the operator. */
gboolean     c2g_operator_finish      (C2gOperator             *self,
                                       GError                 **error);

/* The variant of c2g_operator_run_unchecked() for a run with a cancellable. */
gboolean     c2g_operator_run_cancellable (C2gOperator         *self,
                                           GError             **error);

/* Runs the operator without the checks for programming errors. */
static inline gboolean
c2g_operator_run_through (C2gOperator  *self,
                          GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);
  const gboolean runs_code = G_UNLIKELY (g_atomic_int_get (&c2g_type_meta_has_code));

  if ((G_LIKELY (!g_atomic_int_get (&c2g_storage_has_far_users)) ||
       c2g_operator_wait_for_devices (self, error)) &&
      G_LIKELY (runs_code ? c2g_operator_run_with_code (self, error)
                          : priv->run (self, priv->state, error)))
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
