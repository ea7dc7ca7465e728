/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Limits of the page size, which is the size of memory pages on the machine that wrote the file. */
#define C2G_LMDB_MIN_PAGE_BYTES 512
#define C2G_LMDB_MAX_PAGE_BYTES 65536

#define C2G_LMDB_PAGE_HEADER_BYTES 16
#define C2G_LMDB_NODE_BYTES        8

/* Maximum size of a record, such that two of them fit into a page. */
#define C2G_LMDB_MAX_NODE_BYTES(page_size)                                                         \
  ((((page_size) - C2G_LMDB_PAGE_HEADER_BYTES) / 2 & ~1u) - 2)

/* Limits of liblmdb with its default build options. */
#define C2G_LMDB_MAX_WRITTEN_PAGE_BYTES 32768
#define C2G_LMDB_MAX_KEY_BYTES     511
#define C2G_LMDB_MAX_VALUE_BYTES   G_MAXUINT32

/* Pages 0 and 1 are meta pages. */
#define C2G_LMDB_N_META_PAGES 2

typedef enum
{
  C2G_LMDB_PAGE_BRANCH = 1 << 0,
  C2G_LMDB_PAGE_LEAF = 1 << 1,
  C2G_LMDB_PAGE_OVERFLOW = 1 << 2,
  C2G_LMDB_PAGE_META = 1 << 3,
} C2gLmdbPageKind;

/* The order of the keys in a tree. */
typedef enum
{
  C2G_LMDB_ORDER_BYTES,
  /* Keys are 64-bit integers. */
  C2G_LMDB_ORDER_NUMBERS,
} C2gLmdbOrder;

/* A parsed branch or leaf page in memory. */
typedef struct
{
  const guint8    *data;
  guint32          n_bytes;

  guint64          number;
  C2gLmdbPageKind  kind;
  guint            n_nodes;
  /* Bytes that are neither free space nor part of a node. */
  gsize            n_gap_bytes;
} C2gLmdbPage;

typedef struct
{
  const guint8 *key;
  gsize         n_key_bytes;

  /* In a branch: the page below. In a leaf: the first overflow page of the value, or 0 if the value
   * is in the leaf. */
  guint64       page;

  /* For a leaf: offset of the value from the start of the page, and its size. */
  gsize         offset;
  gsize         n_value_bytes;
} C2gLmdbNode;

guint16  c2g_lmdb_get_uint16         (const guint8       *data);
guint32  c2g_lmdb_get_uint32         (const guint8       *data);
guint64  c2g_lmdb_get_uint64         (const guint8       *data);

/* Checks that all nodes of a branch or leaf are inside the page and sorted by key. */
gboolean c2g_lmdb_page_init          (C2gLmdbPage        *self,
                                      guint64             number,
                                      const guint8       *data,
                                      guint32             n_bytes,
                                      C2gLmdbPageKind     kind,
                                      C2gLmdbOrder        order,
                                      GError            **error);
/* Reads the number of consecutive overflow pages, which the first one contains. */
gboolean c2g_lmdb_page_read_overflow (guint64             number,
                                      const guint8       *data,
                                      guint32             page_size,
                                      guint32            *n_pages,
                                      GError            **error);
void     c2g_lmdb_page_get_node      (const C2gLmdbPage  *self,
                                      guint               i,
                                      C2gLmdbNode        *node);
/* Returns the first node whose key is not less than this one; n_nodes if there is none. The first
 * node of a branch has no key and sorts before all others. */
guint    c2g_lmdb_page_find          (const C2gLmdbPage  *self,
                                      C2gLmdbOrder        order,
                                      const guint8       *key,
                                      gsize               n_key_bytes);

int      c2g_lmdb_compare            (C2gLmdbOrder        order,
                                      const guint8       *a,
                                      gsize               n_a,
                                      const guint8       *b,
                                      gsize               n_b);

/* Sets C2G_ERROR_CORRUPT with offset and page number; returns FALSE. */
gboolean c2g_lmdb_set_damaged        (guint64             page,
                                      guint32             page_size,
                                      GError            **error,
                                      const char         *format,
                                      ...) G_GNUC_PRINTF (4, 5);

G_END_DECLS
