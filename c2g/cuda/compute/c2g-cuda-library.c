/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-library-private.h>

#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <dlfcn.h>

/* Opens optional libraries, cuBLAS and cuDNN, at run time, and keeps their handles. */

/* Between two attempts to make a handle at most 2^MAX_FAILURES - 1 requests are refused. */
#define MAX_FAILURES 10

/* dlopen() searches the run path of the library that calls it. c2g's has the toolkit's folder, that
 * of GModule has not. */
static gpointer
open_file (const char *name,
           char      **reason)
{
  gpointer module = dlopen (name, RTLD_NOW | RTLD_LOCAL);

  if (module == NULL && *reason == NULL)
    *reason = g_strdup (dlerror ());

  return module;
}

/* Some libraries do not find the libraries that they need, so those are opened first. */
static gpointer
open_name (const C2gCudaLibraryName *name,
           char                    **reason)
{
  gpointer module = open_file (name->name, reason);
  g_autofree char *needed_reason = NULL;

  if (module == NULL && name->needed != NULL && open_file (name->needed, &needed_reason) != NULL)
    module = open_file (name->name, reason);

  return module;
}

/* If no name can be opened the reason is that of the first one, which is preferred. */
static gpointer
open_module (const C2gCudaLibrary *self,
             char                **reason)
{
  const char *wanted = g_getenv (self->variable);
  gpointer module = NULL;

  if (wanted != NULL && *wanted == '\0')
    *reason = g_strdup_printf (_("the environment variable %s is empty"), self->variable);
  else if (wanted != NULL)
    module = open_file (wanted, reason);
  else
    for (gsize i = 0; module == NULL && self->names[i].name != NULL; i++)
      module = open_name (&self->names[i], reason);

  return module;
}

static gboolean
find_functions (C2gCudaLibrary *self,
                gpointer        module,
                char          **reason)
{
  for (gsize i = 0; self->symbols[i] != NULL; i++)
    {
      self->functions[i] = dlsym (module, self->symbols[i]);
      if (self->functions[i] == NULL)
        {
          *reason = g_strdup (dlerror ());
          return FALSE;
        }
    }

  return TRUE;
}

static char *
try_open (C2gCudaLibrary *self)
{
  g_autofree char *reason = NULL;
  gpointer module = open_module (self, &reason);

  if (module == NULL)
    return g_steal_pointer (&reason);

  g_clear_pointer (&reason, g_free);
  if (!find_functions (self, module, &reason))
    dlclose (module);

  return g_steal_pointer (&reason);
}

gboolean
c2g_cuda_library_open (C2gCudaLibrary  *self,
                       GError         **error)
{
  if (g_once_init_enter (&self->is_tried))
    {
      self->reason = try_open (self);
      g_once_init_leave (&self->is_tried, 1);
    }

  if (self->reason == NULL)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("%s cannot be used: %s"), self->title,
                   self->reason);
}

static C2gCudaHandle *
take_kept (C2gCudaHandles *self,
           int             device)
{
  C2gCudaHandle *found = NULL;

  g_mutex_lock (&self->lock);
  for (guint i = self->kept != NULL ? self->kept->len : 0; found == NULL && i > 0; i--)
    {
      C2gCudaHandle *handle = g_ptr_array_index (self->kept, i - 1);

      if (handle->device == device)
        found = g_ptr_array_steal_index (self->kept, i - 1);
    }
  g_mutex_unlock (&self->lock);

  return found;
}

/* After a reset of the device the library cannot destroy its handle any more. */
static void
forget (C2gCudaHandle *handle)
{
  g_clear_pointer (&handle->plans, g_hash_table_unref);
  g_free (handle);
}

static C2gCudaHandle *
make_handle (C2gCudaHandles  *self,
             int              device,
             guint            epoch,
             GError         **error)
{
  gpointer made = self->create (device, error);
  C2gCudaHandle *handle;

  if (made == NULL)
    return NULL;

  handle = g_new0 (C2gCudaHandle, 1);
  handle->device = device;
  handle->handle = made;
  handle->epoch = epoch;

  return handle;
}

/* A failure from before a reset does not count. epoch may be one that is over, if another thread
 * has seen the reset already. The caller holds the lock. */
static C2gCudaAttempts *
find_attempts (C2gCudaHandles *self,
               int             device,
               guint           epoch)
{
  C2gCudaAttempts *attempts = &self->attempts[device];

  if (attempts->epoch < epoch)
    {
      g_free (attempts->reason);
      *attempts = (C2gCudaAttempts) { .epoch = epoch };
    }

  return attempts;
}

/* An attempt takes long, and may always fail. So 2^n - 1 requests are refused after n failures in a
 * row; a later attempt may succeed, and so may the first after a reset. */
static gboolean
is_refused (C2gCudaHandles  *self,
            int              device,
            guint            epoch,
            GError         **error)
{
  C2gCudaAttempts *attempts;
  gboolean is_refused;

  g_mutex_lock (&self->lock);
  attempts = find_attempts (self, device, epoch);
  is_refused = attempts->n_refusals > 0;
  if (is_refused)
    {
      attempts->n_refusals--;
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, attempts->reason);
    }
  g_mutex_unlock (&self->lock);

  return is_refused;
}

/* Counts an attempt, unless the device was reset meanwhile. reason is the message of its failure;
 * NULL after a success. */
static void
note_attempt (C2gCudaHandles *self,
              int             device,
              guint           epoch,
              const char     *reason)
{
  C2gCudaAttempts *attempts;

  g_mutex_lock (&self->lock);
  attempts = find_attempts (self, device, epoch);
  if (attempts->epoch == epoch)
    {
      attempts->n_failures = reason != NULL ? MIN (attempts->n_failures + 1, MAX_FAILURES) : 0;
      attempts->n_refusals = (1u << attempts->n_failures) - 1;
      g_free (attempts->reason);
      attempts->reason = g_strdup (reason);
    }
  g_mutex_unlock (&self->lock);
}

static C2gCudaHandle *
try_to_make_handle (C2gCudaHandles  *self,
                    int              device,
                    guint            epoch,
                    GError         **error)
{
  g_autoptr (GError) local_error = NULL;
  C2gCudaHandle *handle;

  if (is_refused (self, device, epoch, error))
    return NULL;

  handle = make_handle (self, device, epoch, &local_error);
  if (handle != NULL)
    {
      note_attempt (self, device, epoch, NULL);
      return handle;
    }

  if (!g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NO_MEMORY))
    {
      note_attempt (self, device, epoch, local_error->message);
      local_error->code = C2G_ERROR_NOT_SUPPORTED;
    }
  g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

static C2gCudaHandle *
find_handle (C2gCudaHandles  *self,
             int              device,
             GError         **error)
{
  guint epoch = c2g_cuda_epoch_find (device);
  C2gCudaHandle *handle = take_kept (self, device);

  while (handle != NULL && handle->epoch != epoch)
    {
      forget (handle);
      handle = take_kept (self, device);
    }

  return handle != NULL ? handle : try_to_make_handle (self, device, epoch, error);
}

/* A library allocates, waits and loads its kernels at any time, and none of that is a part of a
 * capture. */
C2gCudaHandle *
c2g_cuda_handles_take (C2gCudaHandles  *self,
                       int              device,
                       GError         **error)
{
  enum cudaStreamCaptureMode mode;
  gboolean is_relaxed = c2g_cuda_guard_relax (&mode);
  C2gCudaHandle *handle = find_handle (self, device, error);

  if (handle != NULL)
    {
      handle->is_relaxed = is_relaxed;
      handle->mode = mode;
    }
  else if (is_relaxed)
    {
      c2g_cuda_guard_tense (mode);
    }

  return handle;
}

char *
c2g_cuda_handles_dup_reason (C2gCudaHandles *self,
                             int             device)
{
  guint epoch = c2g_cuda_epoch_get (device);
  char *reason;

  g_mutex_lock (&self->lock);
  reason = g_strdup (find_attempts (self, device, epoch)->reason);
  g_mutex_unlock (&self->lock);

  return reason;
}

/* Keeps the handle. There are as many as were ever in use at once. They are never destroyed: CUDA
 * may be gone at the end of the process. */
void
c2g_cuda_handles_give (C2gCudaHandles *self,
                       C2gCudaHandle  *handle)
{
  if (handle->is_relaxed)
    c2g_cuda_guard_tense (handle->mode);

  g_mutex_lock (&self->lock);
  if (self->kept == NULL)
    self->kept = g_ptr_array_new ();
  g_ptr_array_add (self->kept, handle);
  g_mutex_unlock (&self->lock);
}

gboolean
c2g_cuda_library_fail (C2gError      code,
                       const char   *function,
                       int           device,
                       const char   *name,
                       const char   *text,
                       GError      **error)
{
  g_autofree char *cause = text != NULL ? g_strdup_printf ("%s: %s", name, text) : g_strdup (name);

  /* Clears the thread's last error, because it is reported here. */
  (void) cudaGetLastError ();
  return c2g_fail (error, code, _("%s failed for cuda:%d: %s"), function, device, cause);
}
