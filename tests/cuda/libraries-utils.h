/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/cuda/cuda-utils.h"

/* Functions for tests of libraries that are opened at run time. */

#if CUDART_VERSION >= 13000
# define BLAS_SONAME "libcublas.so.13"
#else
# define BLAS_SONAME "libcublas.so.12"
#endif

/* Control functions of a fake library, see fake-libraries/fake-library.h. */
typedef struct
{
  void  (*fail)              (const char   *function,
                              unsigned int  n,
                              int           status);
  guint (*get_n_calls)       (const char   *function);
  void  (*set_hook)          (const char   *function,
                              void        (*hook) (void));
  void  (*clear)             (void);
  guint (*get_n_handles)     (void);
  /* For cuDNN only, see fake-libraries/fake-cudnn.h. */
  guint (*get_n_descriptors) (void);
  int   (*get_math_type)     (void);
  /* For cuBLAS only. */
  int   (*get_compute_type)  (void);
  int   (*get_item_type)     (void);
} C2gLibrary;

/* Finds the library on the library path, if it is a fake one. */
static inline gboolean
find_fake_library (C2gLibrary *self,
                   const char *soname)
{
  gpointer module = is_fake () ? dlopen (soname, RTLD_NOW | RTLD_LOCAL) : NULL;

  *self = (C2gLibrary) { NULL };
  if (module != NULL)
    {
      self->fail = dlsym (module, "fake_library_fail");
      self->get_n_calls = dlsym (module, "fake_library_get_n_calls");
      self->set_hook = dlsym (module, "fake_library_set_hook");
      self->clear = dlsym (module, "fake_library_clear");
      self->get_n_handles = dlsym (module, "fake_library_get_n_handles");
      self->get_n_descriptors = dlsym (module, "fake_cudnn_get_n_descriptors");
      self->get_math_type = dlsym (module, "fake_cudnn_get_math_type");
      self->get_compute_type = dlsym (module, "fake_cublas_get_compute_type");
      self->get_item_type = dlsym (module, "fake_cublas_get_item_type");
    }
  if (self->fail == NULL)
    g_test_skip ("The library cannot be made to fail");

  return self->fail != NULL;
}

/* Runs the test again in a subprocess with this environment variable set from the start. Returns
 * TRUE in that subprocess. */
static inline gboolean
in_process_with (const char *variable,
                 const char *value)
{
  g_autofree char *old = g_strdup (g_getenv (variable));

  if (g_test_subprocess ())
    return TRUE;

  g_setenv (variable, value, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  if (old != NULL)
    g_setenv (variable, old, TRUE);
  else
    g_unsetenv (variable);
  g_test_trap_assert_passed ();
  return FALSE;
}

/* Asserts that describing a device makes no handle: that takes long, and memory of the device. */
static inline void
check_describing (const char *variable,
                  const char *soname,
                  const char *create)
{
  g_autoptr (C2gDeviceInfo) info = NULL;
  C2gLibrary fake;

  if (!in_process_with (variable, soname) || !find_fake_library (&fake, soname))
    return;

  info = c2g_device_info_new_for_device (first_device (), NULL);
  g_assert_nonnull (info);
  g_assert_cmpuint (fake.get_n_calls (create), ==, 0);
  g_assert_cmpuint (fake.get_n_handles (), ==, 0);
}
