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
  /* Includes the rows of a part of the state. */
  C2G_KERNEL_ARGUMENT_PART,
  /* The kinds below are lists of names without a value. They say how the kernel treats these
   * arguments. */
  C2G_KERNEL_ARGUMENT_READ,
  C2G_KERNEL_ARGUMENT_IGNORED,
  C2G_KERNEL_ARGUMENT_REFUSED,
} C2gKernelArgumentKind;

/* A row of C2gKernel.arguments: an argument that is read into the state before set_up, or names
 * of arguments. The macros below make rows. */
typedef struct _C2gKernelArgument C2gKernelArgument;

struct _C2gKernelArgument
{
  /* In a row without a value: several names, separated by spaces. A name that ends with an asterisk
   * stands for all names with that prefix. */
  const char              *name;
  C2gKernelArgumentKind    kind;
  /* Offset of the value in the state; for a list also the offset of its length. */
  gsize                    offset;
  gsize                    n_offset;
  /* The default of a number, a boolean or a data type. */
  double                   value;
  /* The default of a string. The words of a choice, separated by spaces; the first is the default.
   * For a number: another argument that is used instead if this one is missing, or NULL. */
  const char              *text;
  /* The rows of a part. */
  const C2gKernelArgument *rows;
  /* The allowed range of the number, or of each number in a list. If both are 0, any number is
   * allowed. */
  double                   min;
  double                   max;
  /* The C2gError of a number out of range, if it is not C2G_ERROR_RANGE. */
  int                      code;
  gboolean                 is_required;
  /* TRUE for a boolean with which the operator writes blobs that its definition does not name. */
  gboolean                 adds_outputs;
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
/* Refuses NHWC, for kernels that do not support it; there is no field. */
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

/* Includes rows that several kernels share. They apply to a part of the state, or to its beginning. */
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
/* The smallest single-precision numbers above 0 and 1, for ranges that exclude 0 or 1. */
#define C2G_ABOVE_0            FLT_TRUE_MIN
#define C2G_ABOVE_1            (1 + FLT_EPSILON)
#define C2G_BELOW_1            (1 - FLT_EPSILON / 2)
/* The error is C2G_ERROR_INVALID_ARGUMENT, for example because the default is out of range. */
#define C2G_IS_INVALID         .code = C2G_ERROR_INVALID_ARGUMENT
#define C2G_REQUIRED           .is_required = TRUE
#define C2G_ADDS_OUTPUTS       .adds_outputs = TRUE
/* A placeholder for a default that depends on something else: set_up sets the field if the argument
 * is missing. */
#define C2G_SET_LATER          0
/* If the argument is missing, another argument gives the number. */
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
