/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* dladdr() needs this. */
#define _GNU_SOURCE

#include "fake-kernel-private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

/* Registration of kernels by nvcc's object files, and of their emulations. */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static gpointer library;

/* Kernels by name, and by the address of the host's stub. They stay until the process ends. */
static GHashTable *kernels;
static GHashTable *stubs;
/* Maps the host's shadows of device variables to their memory. */
static GHashTable *variables;

static FakeKernel *
get_kernel (const char *name)
{
  FakeKernel *kernel;

  if (kernels == NULL)
    kernels = g_hash_table_new (g_str_hash, g_str_equal);

  kernel = g_hash_table_lookup (kernels, name);
  if (kernel == NULL)
    {
      kernel = g_new0 (FakeKernel, 1);
      kernel->name = g_strdup (name);
      kernel->n_max_shared_bytes = 48 * 1024;
      g_hash_table_insert (kernels, kernel->name, kernel);
    }
  return kernel;
}

/* Finds a kernel by the address of its stub or by the handle of __cudaGetKernel(). */
FakeKernel *
fake_kernel_find (gconstpointer function)
{
  GHashTableIter iter;
  gpointer kernel;

  if (stubs == NULL || function == NULL)
    return NULL;
  kernel = g_hash_table_lookup (stubs, function);
  if (kernel != NULL)
    return kernel;

  g_hash_table_iter_init (&iter, stubs);
  while (g_hash_table_iter_next (&iter, NULL, &kernel))
    if (kernel == function)
      return kernel;
  return NULL;
}

/* Emulations */

static void
open_library (void)
{
  const char *path = getenv ("FAKE_CUDA_KERNELS");
  g_autofree char *folder = NULL, *own_path = NULL;
  Dl_info info;

  if (path == NULL && dladdr (open_library, &info) != 0 && info.dli_fname != NULL)
    {
      folder = g_path_get_dirname (info.dli_fname);
      path = own_path = g_build_filename (folder, "libfake-kernels.so", NULL);
    }

  if (path != NULL && g_file_test (path, G_FILE_TEST_EXISTS))
    {
      library = dlopen (path, RTLD_NOW | RTLD_GLOBAL);
      if (library == NULL)
        g_warning ("fake-cudart: %s", dlerror ());
    }
}

/* Must not be called with the lock held: the library adds its kernels while it is opened. */
void
fake_kernels_open (void)
{
  pthread_once (&once, open_library);
}

void
fake_cuda_add_kernel (const char    *mangled_name,
                      FakeCudaInvoke invoke,
                      unsigned int   n_args,
                      const size_t  *arg_sizes)
{
  FakeKernel *kernel;

  fake_lock ();
  kernel = get_kernel (mangled_name);
  kernel->invoke = invoke;
  kernel->n_args = n_args;
  g_free (kernel->arg_sizes);
  kernel->arg_sizes = g_memdup2 (arg_sizes, n_args * sizeof (size_t));
  g_clear_pointer (&kernel->is_read_only, g_free);
  fake_unlock ();
}

void
fake_cuda_set_kernel_note (const char  *mangled_name,
                           FakeCudaNote note)
{
  fake_lock ();
  get_kernel (mangled_name)->note = note;
  fake_unlock ();
}

/* Finds where the argument list begins; other parentheses may come before it. */
static const char *
find_arguments (const char *text)
{
  const char *c = text + strlen (text);
  int depth = 0;

  while (c > text)
    {
      c--;
      if (*c == ')')
        depth++;
      else if (*c == '(' && --depth == 0)
        return c;
    }

  return NULL;
}

/* Finds out which arguments are pointers to const. */
static void
read_name (FakeKernel *kernel,
           const char *text)
{
  const char *begin = find_arguments (text);
  int depth = 0;
  guint k = 0;

  if (begin == NULL)
    return;

  for (const char *c = begin + 1, *start = c; k < kernel->n_args && *c != '\0'; c++)
    {
      if (strchr ("<([", *c) != NULL)
        depth++;
      else if (depth > 0 && strchr (">)]", *c) != NULL)
        depth--;
      else if (depth == 0 && (*c == ',' || *c == ')'))
        {
          g_autofree char *type = g_strndup (start, c - start);

          kernel->is_read_only[k++] = strstr (type, "const*") != NULL;
          start = c + 1;
        }
    }
}

/* Names are demangled by the C++ library. The emulations are in C++, so it is loaded with them. */
static gpointer
find_demangler (void)
{
  gpointer demangle = dlsym (library != NULL ? library : RTLD_DEFAULT, "__cxa_demangle");
  gpointer cxx;

  if (demangle != NULL)
    return demangle;
  cxx = dlopen ("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);

  return cxx != NULL ? dlsym (cxx, "__cxa_demangle") : NULL;
}

/* Without a demangler all arguments count as written. */
void
fake_kernel_read_name (FakeKernel *self)
{
  static char *(*demangle) (const char *, char *, size_t *, int *);
  char *text;
  int status;

  if (self->is_read_only != NULL)
    return;
  self->is_read_only = g_new0 (gboolean, self->n_args + 1);

  if (demangle == NULL)
    demangle = find_demangler ();
  if (demangle == NULL)
    return;
  text = demangle (self->name, NULL, NULL, &status);
  if (text != NULL)
    read_name (self, text);
  free (text);
}

/* Functions that nvcc's object files call */

void        **__cudaRegisterFatBinary    (void        *binary);
void          __cudaRegisterFatBinaryEnd (void       **handle);
void          __cudaUnregisterFatBinary  (void       **handle);
char          __cudaInitModule           (void       **handle);
void          __cudaRegisterFunction     (void       **handle,
                                          const char  *stub,
                                          char        *device_stub,
                                          const char  *name,
                                          int          n_max_threads,
                                          uint3       *thread,
                                          uint3       *block,
                                          dim3        *block_size,
                                          dim3        *grid_size,
                                          int         *warp_size);
void          __cudaRegisterVar          (void       **handle,
                                          char        *shadow,
                                          char        *device_address,
                                          const char  *name,
                                          int          is_external,
                                          size_t       n_bytes,
                                          int          is_constant,
                                          int          is_global);

void **
__cudaRegisterFatBinary (void *binary)
{
  void **handle = g_new0 (void *, 1);

  *handle = binary;
  return handle;
}

void
__cudaRegisterFatBinaryEnd (void **handle)
{
}

/* Called at the end of the process. */
void
__cudaUnregisterFatBinary (void **handle)
{
  g_free (handle);
}

char
__cudaInitModule (void **handle)
{
  return 1;
}

void
__cudaRegisterFunction (void       **handle,
                        const char  *stub,
                        char        *device_stub,
                        const char  *name,
                        int          n_max_threads,
                        uint3       *thread,
                        uint3       *block,
                        dim3        *block_size,
                        dim3        *grid_size,
                        int         *warp_size)
{
  fake_lock ();
  if (stubs == NULL)
    stubs = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (stubs, (gpointer) stub, get_kernel (name));
  fake_unlock ();
}

void
__cudaRegisterVar (void      **handle,
                   char       *shadow,
                   char       *device_address,
                   const char *name,
                   int         is_external,
                   size_t      n_bytes,
                   int         is_constant,
                   int         is_global)
{
  fake_lock ();
  if (variables == NULL)
    variables = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (variables, shadow, (gpointer) n_bytes);
  fake_unlock ();
}

/* The shadow serves as the device variable, and the emulations use it. */

cudaError_t
cudaGetSymbolAddress (void      **address,
                      const void *symbol)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess && address == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && (variables == NULL || !g_hash_table_contains (variables, symbol)))
    error = cudaErrorInvalidSymbol;
  if (error == cudaSuccess)
    *address = (gpointer) symbol;
  return fake_leave (error);
}

cudaError_t
cudaGetSymbolSize (size_t     *n_bytes,
                   const void *symbol)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess && n_bytes == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && (variables == NULL || !g_hash_table_contains (variables, symbol)))
    error = cudaErrorInvalidSymbol;
  if (error == cudaSuccess)
    *n_bytes = (gsize) g_hash_table_lookup (variables, symbol);
  return fake_leave (error);
}
