/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/def/c2g-argument.h>
#include <c2g/net/operator/c2g-operator-schema.h>

G_BEGIN_DECLS

/* How the built-in operators treat the arguments that Caffe2 knows. The lists are names separated
 * by spaces, or NULL. A name that ends with an asterisk stands for all names with that prefix. */
typedef struct
{
  /* Operator types of this row. */
  const char *types;
  /* Arguments that the kernels read. */
  const char *read;
  /* Arguments without effect on results, for example choices of algorithms. */
  const char *ignored;
  /* Arguments that change results in Caffe2 and that the kernels do not implement. "name=value"
   * accepts that value, Caffe2's default. */
  const char *refused;
} C2gKnownArguments;

/* Returns TRUE if the row lists the argument as read. */
gboolean  c2g_known_arguments_reads (const C2gKnownArguments  *self,
                                     const char               *name);

/* Returns FALSE if the name is unknown to the row and to Caffe2. */
gboolean  c2g_known_arguments_find  (const C2gKnownArguments  *self,
                                     const char               *name,
                                     C2gArgumentUse           *use);

/* Returns TRUE if the name is unknown and was not reported before. The number of reports per
 * process is limited, so that a model cannot fill memory or a log. */
gboolean  c2g_known_arguments_is_news (const C2gKnownArguments *self,
                                       const char              *op_type,
                                       const char              *name);

/* Fails for a refused argument. */
gboolean  c2g_known_arguments_check (const C2gKnownArguments  *self,
                                     C2gArgument              *argument,
                                     GError                  **error);

/* Returns the names of that use; free with g_strfreev(). */
char    **c2g_known_arguments_list  (const C2gKnownArguments  *self,
                                     C2gArgumentUse            use);

/* Registers static rows. Needs no lock: it runs while the registry is being created. */
void      c2g_known_arguments_register (const C2gKnownArguments *rows,
                                        gsize                    n_rows);

G_END_DECLS
