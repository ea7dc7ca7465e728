/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-library-private.h>

#include <gmodule.h>

/* Opens libraries at run time, so that programs that do not use them neither need them nor wait
 * for them. */

char *
c2g_library_open (const char               *library,
                  const C2gLibraryFunction *functions,
                  gsize                     n_functions)
{
  GModule *module = g_module_open (library, G_MODULE_BIND_LOCAL);

  if (module == NULL)
    return g_strdup (g_module_error ());
  g_module_make_resident (module);
  for (gsize i = 0; i < n_functions; i++)
    if (!g_module_symbol (module, functions[i].name, functions[i].address))
      return g_strdup (g_module_error ());
  return NULL;
}
