/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-error.h>
#include <c2g/def/c2g-argument.h>
#include <c2g/net/operator/c2g-operator-schema.h>

#include <float.h>
#include <math.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum
{
  C2G_KERNEL_ARGUMENT_END,
  C2G_KERNEL_ARGUMENT_BOOLEAN,
  C2G_KERNEL_ARGUMENT_INT32,
  C2G_KERNEL_ARGUMENT_INT64,
  C2G_KERNEL_ARGUMENT_FLOAT,
  C2G_KERNEL_ARGUMENT_DOUBLE,
  C2G_KERNEL_ARGUMENT_STRING,
  C2G_KERNEL_ARGUMENT_CHOICE,
  C2G_KERNEL_ARGUMENT_NCHW,
  C2G_KERNEL_ARGUMENT_DATA_TYPE,
  C2G_KERNEL_ARGUMENT_INTS,
  C2G_KERNEL_ARGUMENT_FLOATS,
  /* The rows of a part of the state. */
  C2G_KERNEL_ARGUMENT_PART,
  /* Names only; they say how the kernel treats the arguments. */
  C2G_KERNEL_ARGUMENT_READ,
  C2G_KERNEL_ARGUMENT_IGNORED,
  C2G_KERNEL_ARGUMENT_REFUSED,
} C2gKernelArgumentKind;

/* A row of C2gKernel.arguments: an argument that is read into the state before set_up, or names
 * of arguments. The macros below make rows. */
typedef struct _C2gKernelArgument C2gKernelArgument;

struct _C2gKernelArgument
{
  /* In a row of names these are several, separated by spaces. A name that ends with an asterisk
   * stands for all names with that prefix. */
  const char              *name;
  C2gKernelArgumentKind    kind;
  /* Where the value is in the state; of a list also where the number of values is. */
  gsize                    offset;
  gsize                    n_offset;
  /* The default of a number, a boolean or a data type. */
  double                   value;
  /* A string: its default. A choice: its words, separated by spaces; the default is the first. A
   * number: the name of the argument that takes its place, or NULL. */
  const char              *text;
  /* The rows of a part. */
  const C2gKernelArgument *rows;
  /* The allowed range, of a list that of each value. Both are 0 if all numbers are allowed. */
  double                   min;
  double                   max;
  /* The C2gError of a number out of range, if it is not C2G_ERROR_RANGE. */
  int                      code;
  gboolean                 is_required;
};

/* The value of C2gKernel.arguments. */
#define C2G_ARGS(...) ((const C2gKernelArgument[]) { __VA_ARGS__, { 0 } })

/* clang-format off */

/* The kind for the type of a field, and where the field is. */
#define C2G_ARG_KIND(State, field, ...)                                                            \
  _Generic (((State *) 0)->field, __VA_ARGS__), offsetof (State, field)

/* Rows that read an argument into a field of the state, whose type is checked. The last parameter
 * is the default; C2G_RANGE(), C2G_IS_INVALID, C2G_REQUIRED and C2G_ELSE() may follow. */
#define C2G_ARG_BOOLEAN(State, field, argument, ...)                                               \
  { (argument), C2G_ARG_KIND (State, field, gboolean: C2G_KERNEL_ARGUMENT_BOOLEAN),                \
    .value = __VA_ARGS__ }
#define C2G_ARG_INT(State, field, argument, ...)                                                   \
  { (argument), C2G_ARG_KIND (State, field, int: C2G_KERNEL_ARGUMENT_INT32,                        \
                              unsigned: C2G_KERNEL_ARGUMENT_INT32,                                 \
                              gint64: C2G_KERNEL_ARGUMENT_INT64),                                  \
    .value = __VA_ARGS__ }
#define C2G_ARG_FLOAT(State, field, argument, ...)                                                 \
  { (argument), C2G_ARG_KIND (State, field, float: C2G_KERNEL_ARGUMENT_FLOAT,                      \
                              double: C2G_KERNEL_ARGUMENT_DOUBLE),                                 \
    .value = __VA_ARGS__ }
#define C2G_ARG_STRING(State, field, argument, ...)                                                \
  { (argument), C2G_ARG_KIND (State, field, const char *: C2G_KERNEL_ARGUMENT_STRING),             \
    .text = __VA_ARGS__ }
/* One of several words; the field, an int or an enumeration, gets the position of the word. */
#define C2G_ARG_CHOICE(State, field, argument, ...)                                                \
  { (argument), C2G_ARG_KIND (State, field, int: C2G_KERNEL_ARGUMENT_CHOICE,                       \
                              unsigned: C2G_KERNEL_ARGUMENT_CHOICE),                               \
    .text = __VA_ARGS__ }
/* The field is TRUE for NHWC. */
#define C2G_ARG_ORDER(State, field) C2G_ARG_CHOICE (State, field, "order", "NCHW NHWC")
/* The same for kernels that do not support NHWC. */
#define C2G_ARG_NCHW { "order", C2G_KERNEL_ARGUMENT_NCHW, .text = "NCHW NHWC" }
#define C2G_ARG_DATA_TYPE(State, field, argument, ...)                                             \
  { (argument), C2G_ARG_KIND (State, field, C2gDataType: C2G_KERNEL_ARGUMENT_DATA_TYPE),           \
    .value = __VA_ARGS__ }
/* The field points at values of the definition, which lives as long as the operator. */
#define C2G_ARG_INTS(State, field, n_field, ...)                                                   \
  { .kind = C2G_ARG_KIND (State, field, const gint64 *: C2G_KERNEL_ARGUMENT_INTS),                 \
    offsetof (State, n_field), .name = __VA_ARGS__ }
#define C2G_ARG_FLOATS(State, field, n_field, ...)                                                 \
  { .kind = C2G_ARG_KIND (State, field, const float *: C2G_KERNEL_ARGUMENT_FLOATS),                \
    offsetof (State, n_field), .name = __VA_ARGS__ }

/* Rows that several kernels share, for a part of the state, or for its begin. */
#define C2G_ARG_PART(State, field, part)                                                           \
  { .kind = C2G_KERNEL_ARGUMENT_PART, .offset = offsetof (State, field), .rows = (part) }
#define C2G_ARG_BASE(base) { .kind = C2G_KERNEL_ARGUMENT_PART, .rows = (base) }

/* Arguments that set_up reads itself. C2G_REQUIRED may follow. */
#define C2G_ARG_READ(...) { .kind = C2G_KERNEL_ARGUMENT_READ, .name = __VA_ARGS__ }
/* Arguments without effect on results, for example choices of algorithms. */
#define C2G_ARG_IGNORED(names) { .kind = C2G_KERNEL_ARGUMENT_IGNORED, .name = (names) }
/* Arguments that change results in Caffe2 and that the kernel does not implement. "name=value"
 * accepts that value, Caffe2's default. */
#define C2G_ARG_REFUSED(names) { .kind = C2G_KERNEL_ARGUMENT_REFUSED, .name = (names) }

/* clang-format on */

/* Smallest and largest allowed values; NaN is out of range. */
#define C2G_RANGE(least, most) .min = (least), .max = (most)
#define C2G_AT_LEAST(least)    C2G_RANGE (least, INFINITY)
/* The next numbers in single precision, for ranges without their end. */
#define C2G_ABOVE_0            FLT_TRUE_MIN
#define C2G_ABOVE_1            (1 + FLT_EPSILON)
#define C2G_BELOW_1            (1 - FLT_EPSILON / 2)
/* The error is C2G_ERROR_INVALID_ARGUMENT, for example because the default is out of range. */
#define C2G_IS_INVALID         .code = C2G_ERROR_INVALID_ARGUMENT
#define C2G_REQUIRED           .is_required = TRUE
/* A default that depends on something: set_up sets the field without the argument. */
#define C2G_SET_LATER          0
/* Without the argument the number is that of another one. */
#define C2G_ELSE(argument)     .text = (argument)

/* Returns TRUE if the words, separated by spaces, contain the name. */
gboolean  c2g_words_contain            (const char               *words,
                                        const char               *name);

/* Returns TRUE if the rows list the argument as read. */
gboolean  c2g_kernel_arguments_reads   (const C2gKernelArgument  *rows,
                                        const char               *name);

/* Returns FALSE if the name is unknown to the rows and to Caffe2. */
gboolean  c2g_kernel_arguments_find    (const C2gKernelArgument  *rows,
                                        const char               *name,
                                        C2gArgumentUse           *use);

/* Returns TRUE if the name is unknown and was not reported before. The number of reports per
 * process is limited, so that a model cannot fill memory or a log. */
gboolean  c2g_kernel_arguments_is_news (const C2gKernelArgument  *rows,
                                        const char               *op_type,
                                        const char               *name);

/* Fails for a refused argument. */
gboolean  c2g_kernel_arguments_check   (const C2gKernelArgument  *rows,
                                        C2gArgument              *argument,
                                        GError                  **error);

/* Return names; free with g_strfreev(). */
char    **c2g_kernel_arguments_list    (const C2gKernelArgument  *rows,
                                        C2gArgumentUse            use);
char    **c2g_kernel_arguments_list_required (const C2gKernelArgument *rows);

G_END_DECLS
