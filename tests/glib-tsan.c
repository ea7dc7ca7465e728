/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <gio/gio.h>

/* GLib is not compiled for ThreadSanitizer, and its mutexes are futexes that
 * ThreadSanitizer does not know. What they order would be reported as races.
 *
 * This file stands before GLib in the programs of the TSan build: each
 * function does what GLib's does and tells ThreadSanitizer what that orders.
 * What GLib builds on pthread (GRWLock, GRecMutex, GThread, GPrivate) needs
 * no help, and neither do g_atomic_*(), which are compiled into the caller.
 */

/* The functions are defined here, not the macros of the same names. */
#undef g_once_init_enter
#undef g_once_init_leave
#undef g_object_ref
#undef g_atomic_ref_count_inc
#undef g_atomic_ref_count_dec
#undef g_idle_add

#define REAL(name) ((__typeof__ (&(name))) real_function (#name))

static gpointer
real_function (const char *name)
{
  gpointer function = dlsym (RTLD_NEXT, name);

  g_assert (function != NULL);
  return function;
}

/* Each caller looks a name up once; looking it up twice does no harm. */
#define CALL(name, ...) \
  (G_GNUC_EXTENSION ({ \
    static __typeof__ (&(name)) cached; \
    __typeof__ (&(name)) function = __atomic_load_n (&cached, __ATOMIC_RELAXED); \
    if (function == NULL) \
      { \
        function = REAL (name); \
        __atomic_store_n (&cached, function, __ATOMIC_RELAXED); \
      } \
    function (__VA_ARGS__); \
  }))

/* GMutex */

void
g_mutex_lock (GMutex *mutex)
{
  __tsan_mutex_pre_lock (mutex, __tsan_mutex_linker_init);
  CALL (g_mutex_lock, mutex);
  __tsan_mutex_post_lock (mutex, __tsan_mutex_linker_init, 0);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  const unsigned flags = __tsan_mutex_linker_init | __tsan_mutex_try_lock;
  gboolean locked;

  __tsan_mutex_pre_lock (mutex, flags);
  locked = CALL (g_mutex_trylock, mutex);
  __tsan_mutex_post_lock (mutex, locked ? flags : flags | __tsan_mutex_try_lock_failed, 0);
  return locked;
}

void
g_mutex_unlock (GMutex *mutex)
{
  __tsan_mutex_pre_unlock (mutex, 0);
  CALL (g_mutex_unlock, mutex);
  __tsan_mutex_post_unlock (mutex, 0);
}

void
g_mutex_clear (GMutex *mutex)
{
  CALL (g_mutex_clear, mutex);
  __tsan_mutex_destroy (mutex, __tsan_mutex_linker_init);
}

/* GCond: waiting gives the mutex away and takes it back. */

void
g_cond_wait (GCond  *cond,
             GMutex *mutex)
{
  __tsan_mutex_pre_unlock (mutex, 0);
  __tsan_mutex_post_unlock (mutex, 0);
  CALL (g_cond_wait, cond, mutex);
  __tsan_mutex_pre_lock (mutex, 0);
  __tsan_mutex_post_lock (mutex, 0, 0);
}

gboolean
g_cond_wait_until (GCond  *cond,
                   GMutex *mutex,
                   gint64  end_time)
{
  gboolean signalled;

  __tsan_mutex_pre_unlock (mutex, 0);
  __tsan_mutex_post_unlock (mutex, 0);
  signalled = CALL (g_cond_wait_until, cond, mutex, end_time);
  __tsan_mutex_pre_lock (mutex, 0);
  __tsan_mutex_post_lock (mutex, 0, 0);
  return signalled;
}

/* GOnce and g_once_init_enter() */

gboolean
g_once_init_enter (volatile void *location)
{
  gboolean first = CALL (g_once_init_enter, location);

  if (!first)
    __tsan_acquire ((void *) location);
  return first;
}

void
g_once_init_leave (volatile void *location,
                   gsize          result)
{
  __tsan_release ((void *) location);
  CALL (g_once_init_leave, location, result);
}

gpointer
g_once_impl (GOnce      *once,
             GThreadFunc func,
             gpointer    arg)
{
  gpointer result = CALL (g_once_impl, once, func, arg);

  __tsan_release (once);
  __tsan_acquire (once);
  return result;
}

/* Types: GObject looks with atomics of its own whether a class is initialized. Whoever makes an
 * instance sees what the initialization of the class and of its interfaces wrote. A type's number
 * stands for these writes.
 */

typedef struct
{
  GClassInitFunc    class_init;
  GInstanceInitFunc instance_init;
} TypeFuncs;

static GQuark
type_funcs_quark (void)
{
  return g_quark_from_static_string ("glib-tsan-funcs");
}

static void
initialize_class (gpointer klass,
                  gpointer data)
{
  const TypeFuncs *funcs = data;
  GType type = G_TYPE_FROM_CLASS (klass);

  g_type_set_qdata (type, type_funcs_quark (), data);
  if (funcs->class_init != NULL)
    funcs->class_init (klass, NULL);
  __tsan_release ((void *) type);
}

/* The class in INSTANCE is that of the type whose function this is, which KLASS may derive from. */
static void
initialize_instance (GTypeInstance *instance,
                     gpointer       klass)
{
  GType type = G_TYPE_FROM_INSTANCE (instance);
  const TypeFuncs *funcs;

  __tsan_acquire ((void *) type);
  funcs = g_type_get_qdata (type, type_funcs_quark ());
  funcs->instance_init (instance, klass);
}

GType
g_type_register_static_simple (GType             parent,
                               const char       *name,
                               guint             class_size,
                               GClassInitFunc    class_init,
                               guint             instance_size,
                               GInstanceInitFunc instance_init,
                               GTypeFlags        flags)
{
  TypeFuncs *funcs;
  GTypeInfo info = { 0 };

  /* Interfaces have no instances of their own. */
  if (instance_init == NULL)
    return CALL (g_type_register_static_simple, parent, name, class_size, class_init, instance_size,
                 instance_init, flags);

  funcs = g_new (TypeFuncs, 1);
  funcs->class_init = class_init;
  funcs->instance_init = instance_init;
  info.class_size = (guint16) class_size;
  info.class_init = initialize_class;
  info.class_data = funcs;
  info.instance_size = (guint16) instance_size;
  info.instance_init = initialize_instance;
  return g_type_register_static (parent, name, &info, flags);
}

typedef struct
{
  GType              type;
  GInterfaceInitFunc init;
} InterfaceFuncs;

static void
initialize_interface (gpointer interface,
                      gpointer data)
{
  const InterfaceFuncs *funcs = data;

  funcs->init (interface, NULL);
  __tsan_release ((void *) funcs->type);
}

void
g_type_add_interface_static (GType                 type,
                             GType                 interface_type,
                             const GInterfaceInfo *info)
{
  GInterfaceInfo ours = *info;

  if (info->interface_init != NULL && info->interface_data == NULL)
    {
      InterfaceFuncs *funcs = g_new (InterfaceFuncs, 1);

      funcs->type = type;
      funcs->init = info->interface_init;
      ours.interface_init = initialize_interface;
      ours.interface_data = funcs;
    }
  CALL (g_type_add_interface_static, type, interface_type, &ours);
}

/* Reference counts: whoever drops the last reference sees what the others did
 * before they dropped theirs. Toggle references are not told of anything.
 */

gpointer
g_object_ref (gpointer object)
{
  GObject *self = object;

  g_return_val_if_fail (G_IS_OBJECT (object), NULL);

  __atomic_fetch_add (&self->ref_count, 1, __ATOMIC_ACQ_REL);
  return object;
}

void
g_object_unref (gpointer object)
{
  GObject *self = object;
  guint count;

  g_return_if_fail (G_IS_OBJECT (object));

  count = __atomic_load_n (&self->ref_count, __ATOMIC_ACQUIRE);
  while (count > 1)
    {
      if (__atomic_compare_exchange_n (&self->ref_count, &count, count - 1, FALSE,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return;
    }
  CALL (g_object_unref, object);
}

void
g_atomic_ref_count_inc (gatomicrefcount *count)
{
  __atomic_fetch_add (count, 1, __ATOMIC_ACQ_REL);
}

gboolean
g_atomic_ref_count_dec (gatomicrefcount *count)
{
  return __atomic_sub_fetch (count, 1, __ATOMIC_ACQ_REL) == 0;
}

/* Bytes are no GObject; whoever frees them sees what their readers did. */

typedef struct
{
  GBytes         *bytes;
  GDestroyNotify  free_func;
  gpointer        user_data;
} BytesOwner;

static void
free_bytes_cb (gpointer data)
{
  BytesOwner *owner = data;

  __tsan_acquire (owner->bytes);
  owner->free_func (owner->user_data);
  g_free (owner);
}

GBytes *
g_bytes_new_with_free_func (gconstpointer  data,
                            gsize          size,
                            GDestroyNotify free_func,
                            gpointer       user_data)
{
  BytesOwner *owner;

  if (free_func == NULL)
    return CALL (g_bytes_new_with_free_func, data, size, NULL, NULL);

  owner = g_new (BytesOwner, 1);
  owner->free_func = free_func;
  owner->user_data = user_data;
  owner->bytes = CALL (g_bytes_new_with_free_func, data, size, free_bytes_cb, owner);
  return owner->bytes;
}

void
g_bytes_unref (GBytes *bytes)
{
  if (bytes != NULL)
    __tsan_release (bytes);
  CALL (g_bytes_unref, bytes);
}

/* Idle callbacks see what was done before they were set. */

typedef struct
{
  GSourceFunc    func;
  gpointer       data;
  GDestroyNotify notify;
} Callback;

static Callback *
callback_new (GSourceFunc    func,
              gpointer       data,
              GDestroyNotify notify)
{
  Callback *callback = g_new (Callback, 1);

  callback->func = func;
  callback->data = data;
  callback->notify = notify;
  __tsan_release (callback);
  return callback;
}

static gboolean
callback_cb (gpointer data)
{
  Callback *callback = data;

  __tsan_acquire (callback);
  return callback->func (callback->data);
}

static void
callback_free_cb (gpointer data)
{
  Callback *callback = data;

  __tsan_acquire (callback);
  if (callback->notify != NULL)
    callback->notify (callback->data);
  g_free (callback);
}

void
g_source_set_callback (GSource       *source,
                       GSourceFunc    func,
                       gpointer       data,
                       GDestroyNotify notify)
{
  /* The callbacks of other sources take other arguments. */
  if (source->source_funcs == &g_idle_funcs)
    CALL (g_source_set_callback, source, callback_cb, callback_new (func, data, notify), callback_free_cb);
  else
    CALL (g_source_set_callback, source, func, data, notify);
}

guint
g_idle_add_full (int            priority,
                 GSourceFunc    func,
                 gpointer       data,
                 GDestroyNotify notify)
{
  return CALL (g_idle_add_full, priority, callback_cb, callback_new (func, data, notify), callback_free_cb);
}

guint
g_idle_add (GSourceFunc func,
            gpointer    data)
{
  return g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, func, data, NULL);
}

void
g_main_context_invoke_full (GMainContext  *context,
                            int            priority,
                            GSourceFunc    func,
                            gpointer       data,
                            GDestroyNotify notify)
{
  CALL (g_main_context_invoke_full, context, priority, callback_cb, callback_new (func, data, notify),
        callback_free_cb);
}

void
g_main_context_invoke (GMainContext *context,
                       GSourceFunc   func,
                       gpointer      data)
{
  g_main_context_invoke_full (context, G_PRIORITY_DEFAULT, func, data, NULL);
}

/* GTask: what runs in the thread sees what was done before it was set to run, and whoever
 * takes the result sees what the thread did before it gave one. */

static void
run_task (GTask        *task,
          gpointer      source_object,
          gpointer      task_data,
          GCancellable *cancellable)
{
  GTaskThreadFunc func;

  __tsan_acquire (task);
  func = (GTaskThreadFunc) g_object_get_data (G_OBJECT (task), "glib-tsan-func");
  func (task, source_object, task_data, cancellable);
}

void
g_task_run_in_thread (GTask           *task,
                      GTaskThreadFunc  func)
{
  g_object_set_data (G_OBJECT (task), "glib-tsan-func", (gpointer) func);
  __tsan_release (task);
  CALL (g_task_run_in_thread, task, run_task);
}

void
g_task_return_boolean (GTask    *task,
                       gboolean  result)
{
  __tsan_release (task);
  CALL (g_task_return_boolean, task, result);
}

void
g_task_return_pointer (GTask          *task,
                       gpointer        result,
                       GDestroyNotify  result_destroy)
{
  __tsan_release (task);
  CALL (g_task_return_pointer, task, result, result_destroy);
}

void
g_task_return_error (GTask  *task,
                     GError *error)
{
  __tsan_release (task);
  CALL (g_task_return_error, task, error);
}

gboolean
g_task_propagate_boolean (GTask   *task,
                          GError **error)
{
  __tsan_acquire (task);
  return CALL (g_task_propagate_boolean, task, error);
}

gpointer
g_task_propagate_pointer (GTask   *task,
                          GError **error)
{
  __tsan_acquire (task);
  return CALL (g_task_propagate_pointer, task, error);
}
