/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/device/c2g-device-backend.h>

#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <gmodule.h>

#include <string.h>

/* Finds the library for a type of device, such as CUDA, and calls its function table. The core
 * calls these functions for everything that it cannot do on a device itself. */

/* The library for each type of device, opened when first needed. */
static const struct
{
  const char *library;
  const char *symbol;
} libraries[C2G_N_DEVICE_TYPES] = {
  [C2G_DEVICE_TYPE_CUDA] = { C2G_CUDA_LIBRARY, "c2g_cuda_device_backend" },
};

#ifdef C2G_HAS_CUDA_LIBRARY
# define NOT_INSTALLED _("The library “%s”, which is c2g's own for CUDA, is not installed")
#else
# define NOT_INSTALLED _("This c2g was built without CUDA, and “%s” is not installed")
#endif

static const C2gDeviceBackend *backends[C2G_N_DEVICE_TYPES];

/**
 * c2g_device_backend_register: (skip)
 * @backend: (transfer none): a backend, which must not change until the process ends
 * @error: return location for an error
 *
 * Registers the backend of a kind of device.
 *
 * A device library need not call this: c2g gets its backend when the library is opened. A
 * program may call it before the first use of such a device.
 *
 * A backend of another version is `C2G_ERROR_NOT_SUPPORTED`, one for the
 * CPU or for an unknown kind of device `C2G_ERROR_INVALID_ARGUMENT`, and a
 * second one for the same kind `C2G_ERROR_EXISTS`.
 *
 * Returns: true if it was registered
 */
gboolean
c2g_device_backend_register (const C2gDeviceBackend  *backend,
                             GError                 **error)
{
  g_return_val_if_fail (backend != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (backend->version != C2G_DEVICE_BACKEND_VERSION)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("Expected a device backend of version %d, got one of version %u"),
                     C2G_DEVICE_BACKEND_VERSION, backend->version);

  g_return_val_if_fail (backend->name != NULL, FALSE);
  g_return_val_if_fail (backend->create_context != NULL, FALSE);
  g_return_val_if_fail (backend->get_allocator != NULL, FALSE);
  g_return_val_if_fail (backend->record_use == NULL || backend->wait_for_uses != NULL, FALSE);
  g_return_val_if_fail (backend->record_use == NULL || backend->release_after != NULL, FALSE);
  g_return_val_if_fail (backend->record_time == NULL || backend->get_elapsed != NULL, FALSE);
  g_return_val_if_fail (backend->begin_range == NULL || backend->end_range != NULL, FALSE);

  if (backend->device_type == C2G_DEVICE_TYPE_CPU ||
      (guint) backend->device_type >= C2G_N_DEVICE_TYPES)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The device backend “%s” is for devices of type %d, which need none"),
                     backend->name, (int) backend->device_type);

  if (!g_atomic_pointer_compare_and_exchange (&backends[backend->device_type], NULL, backend))
    return c2g_fail (error, C2G_ERROR_EXISTS,
                     _("There is a device backend in place of “%s” already"), backend->name);

  return TRUE;
}

/* Prefers the library in c2g's own folder to one in the search path. The error is that of the
 * first file that exists. */
static GModule *
open_library (const char  *library,
              char       **problem)
{
  g_autofree char *path = g_build_filename (C2G_LIBDIR, library, NULL);
  GModule *module = g_module_open (path, G_MODULE_BIND_LOCAL);
  g_autofree char *first = NULL;

  if (module == NULL && g_file_test (path, G_FILE_TEST_EXISTS))
    first = g_strdup (g_module_error ());
  if (module == NULL)
    module = g_module_open (library, G_MODULE_BIND_LOCAL);
  if (module == NULL)
    *problem = first != NULL ? g_steal_pointer (&first) : g_strdup (g_module_error ());
  return module;
}

/* Extracts the name of a missing library from the message of dlopen(): a message that begins with
 * a bare name means that this library was not found, one that begins with a path means another
 * problem. */
static char *
find_missing_library (const char *problem)
{
  const char *colon = strchr (problem, ':');
  g_autofree char *name = colon != NULL ? g_strndup (problem, colon - problem) : NULL;

  if (name == NULL || strchr (name, G_DIR_SEPARATOR) != NULL || strstr (name, ".so") == NULL)
    return NULL;
  return g_steal_pointer (&name);
}

static void
set_not_opened (const char  *library,
                const char  *problem,
                GError     **error)
{
  g_autofree char *missing = find_missing_library (problem);

  if (missing == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE, _("The library “%s” cannot be opened: %s"),
                 library, problem);
  else if (!g_str_equal (missing, library))
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("The library “%s”, which “%s” needs, is not installed"), missing, library);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE, NOT_INSTALLED, library);
}

static const C2gDeviceBackend *
load_backend (C2gDeviceType   type,
              GError        **error)
{
  const char *library = libraries[type].library;
  g_autofree char *problem = NULL;
  GModule *module = open_library (library, &problem);
  gpointer symbol;

  if (module == NULL)
    {
      set_not_opened (library, problem, error);
      return NULL;
    }

  if (!g_module_symbol (module, libraries[type].symbol, &symbol))
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                   _("The library “%s” has no device backend: %s"), library, g_module_error ());
      g_module_close (module);
      return NULL;
    }

  /* Objects of the library may be used until the process ends. */
  g_module_make_resident (module);

  return ((C2gDeviceBackendFunc) symbol) (error);
}

/* Returns the backend of a type, and opens its library the first time. A failure is not kept: the
 * next call tries again. */
static const C2gDeviceBackend *
find_backend (C2gDeviceType   type,
              GError        **error)
{
  const C2gDeviceBackend *backend = g_atomic_pointer_get (&backends[type]);
  g_autoptr (GError) local_error = NULL;

  if (backend != NULL)
    return backend;

  backend = load_backend (type, &local_error);
  if (backend != NULL && c2g_device_backend_register (backend, &local_error))
    return backend;

  /* Another thread may have loaded it at the same time. */
  if (g_error_matches (local_error, C2G_ERROR, C2G_ERROR_EXISTS))
    return g_atomic_pointer_get (&backends[type]);

  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("The library “%s” gave no device backend and no reason"),
                 libraries[type].library);

  return NULL;
}

/* The number of devices of each type, once they have been counted. Counting again would take a call
 * of the driver, and devices stay until the process ends. */
static int n_found[C2G_N_DEVICE_TYPES];

static const C2gDeviceBackend *
find_backend_for_device (C2gDevice  *device,
                         GError    **error)
{
  const C2gDeviceBackend *backend = find_backend (device->type, error);
  g_autoptr (GError) local_error = NULL;
  int n_devices;

  if (backend == NULL || backend->get_n_devices == NULL ||
      device->index < g_atomic_int_get (&n_found[device->type]))
    return backend;

  n_devices = backend->get_n_devices (&local_error);
  if (device->index < n_devices)
    {
      g_atomic_int_set (&n_found[device->type], n_devices);
      return backend;
    }

  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("There is no device “%s”: %s has found %d"),
                 device->name, backend->name, MAX (n_devices, 0));

  return NULL;
}

/* Checks that the backend returned an object for the device. If not, drops OBJECT. */
static gboolean
check_result (const C2gDeviceBackend  *backend,
              C2gDevice               *device,
              GObject                 *object,
              C2gDevice               *place,
              GError                 **error)
{
  if (object != NULL && place == device)
    return TRUE;

  if (object != NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED,
                 _("%s gave a %s for “%s” when asked for “%s”"), backend->name,
                 G_OBJECT_TYPE_NAME (object), c2g_device_to_string (place), device->name);
  else if (error != NULL && *error == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED,
                 _("%s failed for “%s” without a reason"), backend->name, device->name);

  g_clear_object (&object);
  return FALSE;
}

C2gContext *
c2g_device_backend_create_context (C2gDevice  *device,
                                   GError    **error)
{
  const C2gDeviceBackend *backend = find_backend_for_device (device, error);
  C2gContext *context;
  C2gDevice *place;

  if (backend == NULL)
    return NULL;

  context = backend->create_context (device, error);
  place = context != NULL ? c2g_context_get_device (context) : NULL;

  return check_result (backend, device, (GObject *) context, place, error) ? context : NULL;
}

C2gAllocator *
c2g_device_backend_get_allocator (C2gDevice  *device,
                                  GError    **error)
{
  const C2gDeviceBackend *backend = find_backend_for_device (device, error);
  C2gAllocator *allocator;
  C2gDevice *place;

  if (backend == NULL)
    return NULL;

  allocator = backend->get_allocator (device, error);
  place = allocator != NULL ? c2g_allocator_get_device (allocator) : NULL;

  return check_result (backend, device, (GObject *) allocator, place, error) ? allocator : NULL;
}

guint
c2g_device_backend_get_epoch (C2gDevice *device)
{
  const C2gDeviceBackend *backend = find_backend_for_device (device, NULL);

  return backend != NULL && backend->get_epoch != NULL ? backend->get_epoch (device) : 0;
}

C2gAllocator *
c2g_device_backend_get_host_allocator (C2gDevice *device)
{
  const C2gDeviceBackend *backend = find_backend (device->type, NULL);

  return backend != NULL && backend->get_host_allocator != NULL
             ? backend->get_host_allocator (device)
             : NULL;
}

C2gContext *
c2g_device_backend_wrap_stream (C2gDevice  *device,
                                guint64     stream,
                                GError    **error)
{
  const C2gDeviceBackend *backend;
  C2gContext *context;
  C2gDevice *place;

  if (device->type == C2G_DEVICE_TYPE_CPU)
    return NULL;

  backend = find_backend_for_device (device, error);
  if (backend == NULL || backend->wrap_stream == NULL)
    return NULL;

  context = backend->wrap_stream (device, stream, error);
  place = context != NULL ? c2g_context_get_device (context) : NULL;

  return check_result (backend, device, (GObject *) context, place, error) ? context : NULL;
}

guint64
c2g_device_backend_get_stream (C2gContext  *context,
                               GError     **error)
{
  C2gDevice *device = c2g_context_get_device (context);
  const C2gDeviceBackend *backend;

  if (device->type == C2G_DEVICE_TYPE_CPU)
    return 0;

  backend = find_backend_for_device (device, error);
  if (backend == NULL || backend->get_stream == NULL)
    return 0;

  return backend->get_stream (context, error);
}

gboolean
c2g_device_backend_is_pinned (C2gContext    *context,
                              gconstpointer  address)
{
  const C2gDeviceBackend *backend = find_backend (c2g_context_get_device (context)->type, NULL);

  return backend != NULL && backend->is_pinned != NULL && backend->is_pinned (context, address);
}

/* A backend that cannot track uses has its context waited for. */
void
c2g_device_backend_record_use (C2gDevice   *device,
                               gpointer    *uses,
                               C2gContext  *context)
{
  const C2gDeviceBackend *backend = find_backend (device->type, NULL);
  g_autoptr (GError) error = NULL;

  if (backend != NULL && backend->record_use != NULL)
    backend->record_use (uses, context);
  else if (!c2g_context_finish (context, &error))
    g_debug ("Foreign memory on %s is used no more, after a failure: %s", device->name,
             error->message);
}

/* Only a backend with these functions has recorded uses: c2g_device_backend_register() checks it. */
gboolean
c2g_device_backend_wait_for_uses (C2gDevice   *device,
                                  gpointer     uses,
                                  C2gContext  *context,
                                  GError     **error)
{
  return find_backend (device->type, NULL)->wait_for_uses (uses, context, error);
}

void
c2g_device_backend_release_after (C2gDevice      *device,
                                  gpointer        uses,
                                  GDestroyNotify  func,
                                  gpointer        data,
                                  gboolean        wait)
{
  find_backend (device->type, NULL)->release_after (uses, func, data, wait);
}

void
c2g_device_backend_begin_range (C2gDevice  *device,
                                const char *type,
                                const char *name)
{
  const C2gDeviceBackend *backend = find_backend (device->type, NULL);

  if (backend != NULL && backend->begin_range != NULL)
    backend->begin_range (type, name);
}

void
c2g_device_backend_end_range (C2gDevice *device)
{
  const C2gDeviceBackend *backend = find_backend (device->type, NULL);

  if (backend != NULL && backend->end_range != NULL)
    backend->end_range ();
}

gboolean
c2g_device_backend_record_time (C2gContext  *context,
                                GObject    **point,
                                GError     **error)
{
  C2gDevice *device = c2g_context_get_device (context);
  const C2gDeviceBackend *backend;

  *point = NULL;
  if (device->type == C2G_DEVICE_TYPE_CPU)
    return TRUE;
  backend = find_backend (device->type, NULL);
  if (backend == NULL || backend->record_time == NULL)
    return TRUE;

  *point = backend->record_time (context, error);
  return *point != NULL;
}

gboolean
c2g_device_backend_get_elapsed (C2gDevice  *device,
                                GObject    *begin,
                                GObject    *end,
                                double     *seconds,
                                GError    **error)
{
  return find_backend (device->type, NULL)->get_elapsed (begin, end, seconds, error);
}

C2gDeviceInfo *
c2g_device_backend_describe (C2gDevice  *device,
                             GError    **error)
{
  const C2gDeviceBackend *backend = find_backend_for_device (device, error);

  if (backend == NULL)
    return NULL;
  if (backend->describe != NULL)
    return backend->describe (device, error);

  return c2g_device_info_new (device, backend->name, 0, 0);
}

int
c2g_device_backend_count (C2gDeviceType type)
{
  const C2gDeviceBackend *backend;

  if ((guint) type >= C2G_N_DEVICE_TYPES)
    return 0;

  backend = find_backend (type, NULL);

  return backend != NULL && backend->get_n_devices != NULL ? backend->get_n_devices (NULL) : 0;
}

C2gContext *
c2g_device_backend_create_context_like (C2gContext *context)
{
  const C2gDeviceBackend *backend = find_backend (c2g_context_get_device (context)->type, NULL);

  return backend != NULL && backend->create_context_like != NULL
             ? backend->create_context_like (context)
             : NULL;
}

gboolean
c2g_device_backend_has_common_order (C2gDevice *device)
{
  const C2gDeviceBackend *backend = find_backend (device->type, NULL);

  return backend != NULL && backend->create_context_like != NULL;
}

const C2gDeviceCompute *
c2g_device_backend_get_compute (C2gDevice *device)
{
  const C2gDeviceBackend *backend = find_backend (device->type, NULL);

  return backend != NULL ? backend->compute : NULL;
}

const C2gDeviceGraphs *
c2g_device_backend_get_graphs (C2gDevice *device)
{
  const C2gDeviceBackend *backend =
    device->type != C2G_DEVICE_TYPE_CPU ? find_backend (device->type, NULL) : NULL;

  return backend != NULL ? backend->graphs : NULL;
}

gboolean
c2g_device_backend_has_compute (C2gDevice      *device,
                                C2gComputeKind  kind)
{
  const C2gDeviceCompute *compute =
    device->type != C2G_DEVICE_TYPE_CPU ? c2g_device_backend_get_compute (device) : NULL;

  return compute != NULL && compute->has (kind);
}

const C2gDeviceCompute *
c2g_device_backend_get_engine (C2gDevice   *device,
                               const char  *engine,
                               GError     **error)
{
  const C2gDeviceBackend *backend = find_backend (device->type, error);

  if (backend == NULL)
    return NULL;
  if (backend->get_engine != NULL)
    return backend->get_engine (engine, error);

  return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED, _("%s has no engine “%s”"), backend->name,
                        engine);
}
