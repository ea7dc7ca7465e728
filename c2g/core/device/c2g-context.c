/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/device/c2g-context.h>

#include <c2g/core/device/c2g-cpu-context.h>
#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/device/c2g-random-private.h>
#include <c2g/core/device/c2g-timeline-private.h>
#include <c2g/core/tensor/c2g-element-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>
#include <c2g/core/types/c2g-vfunc-private.h>

/**
 * C2gContext:
 *
 * An ordered queue of work on a device.
 *
 * A context belongs to a device. It copies between that device and the CPU, fills tensors and
 * draws random numbers. Its work is done in order. On a device other than the CPU the work may
 * continue after a call has returned; [method@Context.finish] or an event tells when it is
 * done.
 *
 * ```c
 * g_autoptr (C2gContext) context = c2g_context_for_device (device, &error);
 * g_autoptr (C2gEvent) event = c2g_event_new (device);
 *
 * c2g_context_fill (context, tensor, 1.0, &error);
 * c2g_context_record (context, event, &error);
 * c2g_event_finish (event, &error);
 * ```
 *
 * ```python
 * context = C2g.Context.for_device(C2g.Device.cpu())
 * context.seed(1)
 * context.fill_normal(tensor, 0.0, 1.0)
 * ```
 *
 * ## Random numbers
 *
 * Each context has its own random sequence, which differs each time. After
 * [method@Context.seed] the same calls give the same numbers.
 *
 * ## Subclassing
 *
 * A subclass implements the device, copying bytes, and finish. Every other virtual function
 * has a default that works if the CPU can access the memory.
 *
 * ## Threads
 *
 * All functions may be called from any thread. A tensor must have only one writer at a time,
 * as always.
 */

typedef struct
{
  C2gRandom    random;
  /* Tells when events are done, for classes that do not override record(). */
  C2gTimeline *timeline;
} C2gContextPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (C2gContext, c2g_context, G_TYPE_OBJECT)

/* Returns the elements for writing. NULL is no error if there are none. */
static gboolean
get_elements (C2gTensor  *tensor,
              gpointer   *elements,
              GError    **error)
{
  GError *local_error = NULL;

  *elements = c2g_tensor_raw_mutable_data (tensor, c2g_tensor_get_type_meta (tensor), &local_error);
  if (local_error == NULL)
    return TRUE;

  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
c2g_context_real_fill (C2gContext  *self,
                       C2gTensor   *tensor,
                       double       value,
                       GError     **error)
{
  C2gTypeMeta *meta = c2g_tensor_get_type_meta (tensor);
  gpointer elements;
  guint64 item;

  /* Check the value before the tensor is touched. */
  return c2g_element_set_double (meta, &item, value, error) &&
         get_elements (tensor, &elements, error) &&
         c2g_element_fill (meta, elements, c2g_tensor_get_n_elements (tensor), value, error);
}

static gboolean
c2g_context_real_fill_uniform (C2gContext  *self,
                               C2gTensor   *tensor,
                               double       low,
                               double       high,
                               GError     **error)
{
  C2gContextPrivate *priv = c2g_context_get_instance_private (self);
  C2gTypeMeta *meta = c2g_tensor_get_type_meta (tensor);
  gpointer elements;

  if (!c2g_random_check_uniform (meta, low, high, error) ||
      !get_elements (tensor, &elements, error))
    return FALSE;

  c2g_random_fill_uniform (&priv->random, meta, elements, c2g_tensor_get_n_elements (tensor),
                           low, high);
  return TRUE;
}

static gboolean
c2g_context_real_fill_normal (C2gContext  *self,
                              C2gTensor   *tensor,
                              double       mean,
                              double       deviation,
                              GError     **error)
{
  C2gContextPrivate *priv = c2g_context_get_instance_private (self);
  C2gTypeMeta *meta = c2g_tensor_get_type_meta (tensor);
  gpointer elements;

  if (!c2g_random_check_normal (meta, mean, deviation, error) ||
      !get_elements (tensor, &elements, error))
    return FALSE;

  c2g_random_fill_normal (&priv->random, meta, elements, c2g_tensor_get_n_elements (tensor),
                          mean, deviation);
  return TRUE;
}

static void
c2g_context_real_seed (C2gContext *self,
                       guint64     seed)
{
  C2gContextPrivate *priv = c2g_context_get_instance_private (self);

  c2g_random_seed (&priv->random, seed);
}

static gboolean
c2g_context_real_record (C2gContext  *self,
                         C2gEvent    *event,
                         GError     **error)
{
  C2gContextPrivate *priv = c2g_context_get_instance_private (self);

  return c2g_timeline_record (priv->timeline, event, error);
}

static gboolean
c2g_context_real_wait (C2gContext  *self,
                       C2gEvent    *event,
                       GError     **error)
{
  return c2g_event_wait_in_context (event, self, error);
}

static void
c2g_context_finalize (GObject *object)
{
  C2gContextPrivate *priv = c2g_context_get_instance_private (C2G_CONTEXT (object));

  c2g_timeline_unref (priv->timeline);
  c2g_random_clear (&priv->random);

  G_OBJECT_CLASS (c2g_context_parent_class)->finalize (object);
}

static void
c2g_context_class_init (C2gContextClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_context_finalize;

  klass->fill = c2g_context_real_fill;
  klass->fill_uniform = c2g_context_real_fill_uniform;
  klass->fill_normal = c2g_context_real_fill_normal;
  klass->seed = c2g_context_real_seed;
  klass->record = c2g_context_real_record;
  klass->wait = c2g_context_real_wait;
}

static void
c2g_context_init (C2gContext *self)
{
  C2gContextPrivate *priv = c2g_context_get_instance_private (self);

  c2g_random_init (&priv->random);
  priv->timeline = c2g_timeline_new ();
}

/* The shared context of a device. It is valid only while the device has not lost its state (same
 * epoch). */
typedef struct
{
  C2gContext *context;
  guint       epoch;
} Shared;

/* Protects the shared contexts. */
static GMutex lock;
static Shared shared[C2G_N_DEVICE_TYPES][C2G_N_DEVICE_INDICES];

/* Returns a reference, or NULL if there is no shared context of this epoch. */
static C2gContext *
find_shared (const Shared *place,
             guint         epoch)
{
  C2gContext *context = NULL;

  g_mutex_lock (&lock);
  if (place->context != NULL && place->epoch == epoch)
    context = g_object_ref (place->context);
  g_mutex_unlock (&lock);

  return context;
}

/* Makes CONTEXT the shared one, with a reference of its own. Another thread may have made one
 * meanwhile: that is replaced, and stays valid for those who hold it. */
static void
share (Shared     *place,
       guint       epoch,
       C2gContext *context)
{
  C2gContext *old;

  g_mutex_lock (&lock);
  old = place->context;
  place->context = g_object_ref (context);
  place->epoch = epoch;
  g_mutex_unlock (&lock);

  g_clear_object (&old);
}

static C2gContext *
shared_cpu (void)
{
  static gsize context;

  if (g_once_init_enter (&context))
    g_once_init_leave (&context, (gsize) c2g_cpu_context_new ());

  return g_object_ref ((gpointer) context);
}

C2gContext *
c2g_context_shared (C2gDevice  *device,
                    GError    **error)
{
  Shared *place = &shared[device->type][device->index];
  C2gContext *context;
  guint epoch;

  if (device->type == C2G_DEVICE_TYPE_CPU)
    return shared_cpu ();

  epoch = c2g_device_backend_get_epoch (device);
  context = find_shared (place, epoch);
  if (context != NULL)
    return context;

  context = c2g_context_for_device (device, error);
  if (context != NULL)
    share (place, epoch, context);

  return context;
}

C2gContext *
c2g_context_find (GPtrArray *contexts,
                  C2gDevice *device)
{
  for (guint i = 0; i < contexts->len; i++)
    if (c2g_context_get_device (g_ptr_array_index (contexts, i)) == device)
      return g_ptr_array_index (contexts, i);

  return NULL;
}

gboolean
c2g_context_can_share (C2gDevice  *device,
                       GError    **error)
{
  g_autoptr (C2gContext) context = c2g_context_shared (device, error);

  return context != NULL;
}

/**
 * c2g_context_for_device:
 * @device: a device
 * @error: return location for an error
 *
 * Makes a context that works on a device.
 *
 * A device that does not exist, or whose libraries are missing, is `C2G_ERROR_DEVICE`.
 *
 * Returns: (transfer full): a new context
 */
C2gContext *
c2g_context_for_device (C2gDevice  *device,
                        GError    **error)
{
  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (device->type == C2G_DEVICE_TYPE_CPU)
    return c2g_cpu_context_new ();

  return c2g_device_backend_create_context (device, error);
}

/**
 * c2g_context_get_device: (virtual get_device)
 * @self: a context
 *
 * Gets the device of the context.
 *
 * Returns: (transfer none): the device
 */
C2gDevice *
c2g_context_get_device (C2gContext *self)
{
  C2gDevice *device = NULL;

  g_return_val_if_fail (C2G_IS_CONTEXT (self), NULL);

  if (C2G_CONTEXT_GET_CLASS (self)->get_device != NULL)
    device = C2G_CONTEXT_GET_CLASS (self)->get_device (self);

  return device != NULL ? device : c2g_device_cpu ();
}

/* Checks the tensor for all functions that fill one with numbers, and waits for its other users. */
static gboolean
check_fill (C2gContext  *self,
            C2gTensor   *tensor,
            GError     **error)
{
  C2gTypeMeta *meta = c2g_tensor_get_type_meta (tensor);
  C2gDevice *device = c2g_context_get_device (self);

  if (meta == NULL)
    return c2g_fail (error, C2G_ERROR_TYPE, _("The tensor has no data yet: allocate it first"));
  if (!c2g_element_is_number (meta))
    return c2g_fail (error, C2G_ERROR_TYPE,
                     _("Expected a tensor whose elements are numbers, got one of type “%s”"),
                     meta->name);

  if (c2g_tensor_get_device (tensor) != device)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Expected a tensor on %s, where the context works, got one on %s"),
                     device->name, c2g_device_to_string (c2g_tensor_get_device (tensor)));

  return tensor->storage == NULL || c2g_storage_wait_for_uses (tensor->storage, self, error);
}

/**
 * c2g_context_fill: (virtual fill)
 * @self: a context
 * @tensor: a tensor of numbers, on the device of the context
 * @value: a number
 * @error: return location for an error
 *
 * Sets every element of a tensor to a number.
 *
 * The tensor must have an element type; it gets memory if it has none. Numbers are
 * converted as [method@Tensor.set_value] does: one that does not fit is
 * `C2G_ERROR_RANGE`. A tensor of another type is `C2G_ERROR_TYPE`,
 * one on another device `C2G_ERROR_INVALID_ARGUMENT`.
 *
 * Returns: true if the tensor was filled
 */
gboolean
c2g_context_fill (C2gContext  *self,
                  C2gTensor   *tensor,
                  double       value,
                  GError     **error)
{
  C2gContextClass *klass;

  g_return_val_if_fail (C2G_IS_CONTEXT (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (tensor), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  klass = C2G_CONTEXT_GET_CLASS (self);

  return check_fill (self, tensor, error) &&
         c2g_vfunc_check_result (self, klass->fill (self, tensor, value, error), "fill", error);
}

/**
 * c2g_context_fill_uniform: (virtual fill_uniform)
 * @self: a context
 * @tensor: a tensor of numbers, on the device of the context
 * @low: the smallest number
 * @high: the upper bound, which is not included
 * @error: return location for an error
 *
 * Sets every element of a tensor to a random number from an interval.
 *
 * The distribution is uniform. For integers the values are the whole numbers in the interval,
 * of which there must be at least one. For floating-point types every element is @low if the
 * bounds are equal or too close for the type.
 *
 * Bounds that are not finite or not in order are
 * `C2G_ERROR_INVALID_ARGUMENT`, bounds that do not fit the type
 * `C2G_ERROR_RANGE`. For the tensor, see [method@Context.fill].
 *
 * Returns: true if the tensor was filled
 */
gboolean
c2g_context_fill_uniform (C2gContext  *self,
                          C2gTensor   *tensor,
                          double       low,
                          double       high,
                          GError     **error)
{
  C2gContextClass *klass;

  g_return_val_if_fail (C2G_IS_CONTEXT (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (tensor), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  klass = C2G_CONTEXT_GET_CLASS (self);

  return check_fill (self, tensor, error) &&
         c2g_vfunc_check_result (self, klass->fill_uniform (self, tensor, low, high, error),
                                   "fill_uniform", error);
}

/**
 * c2g_context_fill_normal: (virtual fill_normal)
 * @self: a context
 * @tensor: a tensor of numbers, on the device of the context
 * @mean: the mean
 * @deviation: the standard deviation, not negative
 * @error: return location for an error
 *
 * Sets every element of a tensor to a random number from a normal distribution.
 *
 * For integers the numbers are truncated towards zero and clamped to the range of the type.
 *
 * A distribution that does not exist is `C2G_ERROR_INVALID_ARGUMENT`. For
 * the tensor, see [method@Context.fill].
 *
 * Returns: true if the tensor was filled
 */
gboolean
c2g_context_fill_normal (C2gContext  *self,
                         C2gTensor   *tensor,
                         double       mean,
                         double       deviation,
                         GError     **error)
{
  C2gContextClass *klass;

  g_return_val_if_fail (C2G_IS_CONTEXT (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (tensor), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  klass = C2G_CONTEXT_GET_CLASS (self);

  return check_fill (self, tensor, error) &&
         c2g_vfunc_check_result (self, klass->fill_normal (self, tensor, mean, deviation, error),
                                   "fill_normal", error);
}

/**
 * c2g_context_seed: (virtual seed)
 * @self: a context
 * @seed: a number
 *
 * Seeds the random numbers.
 *
 * With the same seed the same calls give the same numbers.
 */
void
c2g_context_seed (C2gContext *self,
                  guint64     seed)
{
  g_return_if_fail (C2G_IS_CONTEXT (self));

  C2G_CONTEXT_GET_CLASS (self)->seed (self, seed);
}

/**
 * c2g_context_record: (virtual record)
 * @self: a context
 * @event: an event of the same device
 * @error: return location for an error
 *
 * Records an event behind all work that the context was given so far.
 *
 * An event that was recorded and not reset is `C2G_ERROR_BUSY`, one of
 * another device `C2G_ERROR_INVALID_ARGUMENT`.
 *
 * Returns: true if the event was recorded
 */
gboolean
c2g_context_record (C2gContext  *self,
                    C2gEvent    *event,
                    GError     **error)
{
  C2gDevice *device;

  g_return_val_if_fail (C2G_IS_CONTEXT (self), FALSE);
  g_return_val_if_fail (C2G_IS_EVENT (event), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  device = c2g_context_get_device (self);
  if (c2g_event_get_device (event) != device)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Expected an event of %s, got one of %s"),
                     device->name, c2g_device_to_string (c2g_event_get_device (event)));

  return c2g_vfunc_check_result (self, C2G_CONTEXT_GET_CLASS (self)->record (self, event, error),
                                   "record", error);
}

/**
 * c2g_context_wait: (virtual wait)
 * @self: a context
 * @event: an event, of any device
 * @error: return location for an error
 *
 * Makes later work of the context wait for an event.
 *
 * If the device cannot do that, the caller waits. An event that is not recorded is not waited
 * for. If the work before the event has failed, the error says why.
 *
 * Returns: true if later work runs after the event
 */
gboolean
c2g_context_wait (C2gContext  *self,
                  C2gEvent    *event,
                  GError     **error)
{
  g_return_val_if_fail (C2G_IS_CONTEXT (self), FALSE);
  g_return_val_if_fail (C2G_IS_EVENT (event), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return c2g_vfunc_check_result (self, C2G_CONTEXT_GET_CLASS (self)->wait (self, event, error),
                                   "wait", error);
}

/**
 * c2g_context_finish: (virtual finish)
 * @self: a context
 * @error: return location for an error
 *
 * Waits until all work is done that the context was given.
 *
 * Returns: true if it is done, false if it failed
 */
gboolean
c2g_context_finish (C2gContext  *self,
                    GError     **error)
{
  C2gContextPrivate *priv;
  C2gContextClass *klass;
  guint64 recorded;

  g_return_val_if_fail (C2G_IS_CONTEXT (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  klass = C2G_CONTEXT_GET_CLASS (self);
  if (klass->finish == NULL)
    return c2g_vfunc_fail_not_implemented (self, "finish", error);

  priv = c2g_context_get_instance_private (self);
  /* Read before the wait: finish() need not wait for work that other threads queue meanwhile. */
  recorded = c2g_timeline_get_recorded (priv->timeline);
  if (!c2g_vfunc_check_result (self, klass->finish (self, error), "finish", error))
    return FALSE;

  c2g_timeline_finish (priv->timeline, recorded);
  return TRUE;
}
