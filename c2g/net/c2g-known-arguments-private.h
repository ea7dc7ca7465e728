/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-argument.h>
#include <c2g/net/c2g-operator-schema.h>

G_BEGIN_DECLS

/* Says how the library's operators treat the arguments that any Caffe2 knows.  Each text has names
 * with spaces between; NULL is for none.  A name that ends with an asterisk stands for all that
 * begin so. */
typedef struct
{
  /* The operators' types. */
  const char *types;
  /* The names that the kernels read. */
  const char *read;
  /* Arguments without effect on results: choices among algorithms, notes of tools. */
  const char *ignored;
  /* Arguments that change results in Caffe2 and that the kernels lack.  "name=value" is
   * taken with the value that Caffe2 has by default, which changes nothing. */
  const char *refused;
} C2gKnownArguments;

/* Tells whether the kernels say that they read an argument. */
gboolean  c2g_known_arguments_reads (const C2gKnownArguments  *self,
                                     const char               *name);

/* FALSE if neither the table nor Caffe2 has the name. */
gboolean  c2g_known_arguments_find  (const C2gKnownArguments  *self,
                                     const char               *name,
                                     C2gArgumentUse           *use);

/* Tells whether a name is unknown and was not told before.  Few are told in a program's life, so
 * that a model cannot fill memory or a log. */
gboolean  c2g_known_arguments_is_news (const C2gKnownArguments *self,
                                       const char              *op_type,
                                       const char              *name);

/* Fails for what is refused. */
gboolean  c2g_known_arguments_check (const C2gKnownArguments  *self,
                                     C2gArgument              *argument,
                                     GError                  **error);

/* The names of a use, for g_strfreev(). */
char    **c2g_known_arguments_list  (const C2gKnownArguments  *self,
                                     C2gArgumentUse            use);

/* Gives each type its row; the rows are static.  Called while the registry is made. */
void      c2g_known_arguments_register (const C2gKnownArguments *rows,
                                        gsize                    n_rows);

G_END_DECLS
