/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-observer.h>

#include <c2g/net/operator/c2g-operator-private.h>

/**
 * C2gObserver:
 *
 * An object that is called for every run of the nets and operators that it is attached to.
 *
 * ```python
 * class Watch(GObject.Object, C2g.Observer):
 *     def do_before_run(self, subject):
 *         self.begin = time.monotonic()
 *
 *     def do_after_run(self, subject, is_done):
 *         print(subject.get_name(), time.monotonic() - self.begin)
 *
 * net.add_observer(Watch())
 * ```
 *
 * One observer can be attached to any number of nets and operators. To hear only of all
 * operators of a net, connect to its signals, see [signal@Net::before-operator].
 *
 * ## Threads
 *
 * Observers are called in the thread that runs the net or, after [method@Net.run_async], in
 * that which began the run, whichever thread an operator runs in. They may be attached and
 * detached at any time, in any thread.
 */

G_DEFINE_INTERFACE (C2gObserver, c2g_observer, G_TYPE_OBJECT)

/* Protects all observer lists while one of them is exchanged. An array is never changed: a run
 * goes on with the one that it has a reference to. */
static GMutex lists_lock;

static void
c2g_observer_default_init (C2gObserverInterface *iface)
{
  /**
   * C2gObserverInterface::before_run:
   * @self: an observer
   * @subject: the net or the operator
   *
   * Called before what is observed runs.
   */

  /**
   * C2gObserverInterface::after_run:
   * @self: an observer
   * @subject: the net or the operator
   * @is_done: whether it succeeded
   *
   * Called when what is observed has run.
   */
}

static GPtrArray *
list_ref_array (C2gObserverList *self)
{
  GPtrArray *array;

  g_mutex_lock (&lists_lock);
  array = self->array != NULL ? g_ptr_array_ref (self->array) : NULL;
  g_mutex_unlock (&lists_lock);

  return array;
}

static gpointer
copy_observer (gconstpointer observer,
               gpointer      data)
{
  return g_object_ref ((gpointer) observer);
}

/* Returns a copy of the list with or without the observer, or NULL if nothing changes. */
static GPtrArray *
make_array (GPtrArray   *old,
            C2gObserver *observer,
            gboolean     is_attached)
{
  gboolean is_there = old != NULL && g_ptr_array_find (old, observer, NULL);
  GPtrArray *array;

  if (is_there == is_attached)
    return NULL;

  array = old != NULL ? g_ptr_array_copy (old, copy_observer, NULL) : g_ptr_array_new ();
  g_ptr_array_set_free_func (array, g_object_unref);
  if (is_attached)
    g_ptr_array_add (array, g_object_ref (observer));
  else
    g_ptr_array_remove (array, observer);
  return array;
}

gboolean
c2g_observer_list_change (C2gObserverList *self,
                          C2gObserver     *observer,
                          gboolean         is_attached)
{
  GPtrArray *old;
  GPtrArray *array;

  g_mutex_lock (&lists_lock);
  old = self->array;
  array = make_array (old, observer, is_attached);
  if (array != NULL)
    g_atomic_pointer_set (&self->array, array->len > 0 ? array : NULL);
  g_mutex_unlock (&lists_lock);

  if (array == NULL)
    return FALSE;
  if (array->len == 0)
    g_ptr_array_unref (array);
  if (old != NULL)
    g_ptr_array_unref (old);
  return TRUE;
}

GListModel *
c2g_observer_list_copy (C2gObserverList *self)
{
  g_autoptr (GPtrArray) array = list_ref_array (self);
  GListStore *store = g_list_store_new (C2G_TYPE_OBSERVER);

  if (array != NULL)
    g_list_store_splice (store, 0, 0, array->pdata, array->len);
  return G_LIST_MODEL (store);
}

void
c2g_observer_list_clear (C2gObserverList *self)
{
  g_clear_pointer (&self->array, g_ptr_array_unref);
}

void
c2g_observer_list_before (C2gObserverList *self,
                          gpointer         subject)
{
  g_autoptr (GPtrArray) array = list_ref_array (self);

  for (guint i = 0; array != NULL && i < array->len; i++)
    {
      C2gObserver *observer = g_ptr_array_index (array, i);
      C2gObserverInterface *iface = C2G_OBSERVER_GET_IFACE (observer);

      if (iface->before_run != NULL)
        iface->before_run (observer, subject);
    }
}

void
c2g_observer_list_after (C2gObserverList *self,
                         gpointer         subject,
                         gboolean         is_done)
{
  g_autoptr (GPtrArray) array = list_ref_array (self);

  for (guint i = 0; array != NULL && i < array->len; i++)
    {
      C2gObserver *observer = g_ptr_array_index (array, i);
      C2gObserverInterface *iface = C2G_OBSERVER_GET_IFACE (observer);

      if (iface->after_run != NULL)
        iface->after_run (observer, subject, is_done);
    }
}

/**
 * c2g_operator_add_observer:
 * @self: an operator
 * @observer: an observer
 *
 * Attaches an observer, which is called for every run of the operator, alone or in a net.
 *
 * If its net is running, the observer is called from the next run on.
 *
 * Returns: `TRUE` if it is attached, `FALSE` if it was already
 */
gboolean
c2g_operator_add_observer (C2gOperator *self,
                           C2gObserver *observer)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_OBSERVER (observer), FALSE);

  return c2g_observer_list_change (&c2g_operator_get_private (self)->observers, observer, TRUE);
}

/**
 * c2g_operator_remove_observer:
 * @self: an operator
 * @observer: an observer
 *
 * Detaches an observer from the operator.
 *
 * Returns: `TRUE` if it is detached, `FALSE` if it was not attached
 */
gboolean
c2g_operator_remove_observer (C2gOperator *self,
                              C2gObserver *observer)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_OBSERVER (observer), FALSE);

  return c2g_observer_list_change (&c2g_operator_get_private (self)->observers, observer, FALSE);
}

/**
 * c2g_operator_dup_observers:
 * @self: an operator
 *
 * Lists the observers that are attached to the operator now, in the order that they are called.
 *
 * Returns: (transfer full): a list of [iface@Observer]
 */
GListModel *
c2g_operator_dup_observers (C2gOperator *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);

  return c2g_observer_list_copy (&c2g_operator_get_private (self)->observers);
}
