/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-page-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Parses pages. Fields of a page, with their sizes in bytes: its number (8), an unused field (2),
 * its kind (2), begin and end of the free space (2 + 2), offsets of the nodes (2 each). Nodes fill
 * the page from its end.
 *
 * A node: in a leaf the size of the value (4) and flags (2), in a branch the number of the page
 * below (6); then the size of the key (2), the key and the value. */
#define KIND_OFFSET   10
#define LOWER_OFFSET  12
#define UPPER_OFFSET  14

#define NODE_BIG      0x01
#define NODE_DATABASE 0x02
#define NODE_MANY     0x04

guint16
c2g_lmdb_get_uint16 (const guint8 *data)
{
  guint16 value;

  memcpy (&value, data, sizeof value);
  return GUINT16_FROM_LE (value);
}

guint32
c2g_lmdb_get_uint32 (const guint8 *data)
{
  guint32 value;

  memcpy (&value, data, sizeof value);
  return GUINT32_FROM_LE (value);
}

guint64
c2g_lmdb_get_uint64 (const guint8 *data)
{
  guint64 value;

  memcpy (&value, data, sizeof value);
  return GUINT64_FROM_LE (value);
}

gboolean
c2g_lmdb_set_damaged (guint64      page,
                      guint32      page_size,
                      GError     **error,
                      const char  *format,
                      ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);

  /* In a damaged file the page number may be anything, so the product must not overflow. */
  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("Damaged at offset %" PRIu64 " (page %" PRIu64 "): %s"),
                   page <= G_MAXUINT64 / page_size ? page * page_size : G_MAXUINT64, page, text);
}

int
c2g_lmdb_compare (C2gLmdbOrder  order,
                  const guint8 *a,
                  gsize         n_a,
                  const guint8 *b,
                  gsize         n_b)
{
  int difference;

  if (order == C2G_LMDB_ORDER_NUMBERS)
    {
      guint64 number_a = c2g_lmdb_get_uint64 (a);
      guint64 number_b = c2g_lmdb_get_uint64 (b);

      return (number_a > number_b) - (number_a < number_b);
    }

  difference = memcmp (a, b, MIN (n_a, n_b));
  return difference != 0 ? difference : (n_a > n_b) - (n_a < n_b);
}

void
c2g_lmdb_page_get_node (const C2gLmdbPage *self,
                        guint              i,
                        C2gLmdbNode       *node)
{
  gsize offset = c2g_lmdb_get_uint16 (self->data + C2G_LMDB_PAGE_HEADER_BYTES + 2 * i);
  const guint8 *data = self->data + offset;

  node->n_key_bytes = c2g_lmdb_get_uint16 (data + 6);
  node->key = data + C2G_LMDB_NODE_BYTES;
  node->offset = offset + C2G_LMDB_NODE_BYTES + node->n_key_bytes;
  node->page = 0;
  node->n_value_bytes = 0;

  if (self->kind == C2G_LMDB_PAGE_BRANCH)
    node->page = c2g_lmdb_get_uint64 (data) & G_GUINT64_CONSTANT (0xffffffffffff);
  else
    {
      node->n_value_bytes = c2g_lmdb_get_uint32 (data);
      if (c2g_lmdb_get_uint16 (data + 4) & NODE_BIG)
        node->page = c2g_lmdb_get_uint64 (self->data + node->offset);
    }
}

static gboolean
set_node_damaged (const C2gLmdbPage  *self,
                  guint               i,
                  const char         *what,
                  GError            **error)
{
  return c2g_lmdb_set_damaged (self->number, self->n_bytes, error, _("Record %u of %u: %s"),
                               i, self->n_nodes, what);
}

static gboolean
set_kind_not_supported (const guint8  *key,
                        gsize          n_key_bytes,
                        guint16        flags,
                        GError       **error)
{
  g_autofree char *name = g_utf8_make_valid ((const char *) key, n_key_bytes);

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   flags & NODE_DATABASE
                   ? _("“%s” is a database within the database; only the main one can be read")
                       : _ ("The key “%s” has several values; only databases of one can be read"),
                   name);
}

/* Checks that the node is inside the page, and adds its size to *n_used. */
static gboolean
check_node (const C2gLmdbPage  *self,
            guint               i,
            C2gLmdbOrder        order,
            gsize              *n_used,
            GError            **error)
{
  gsize offset = c2g_lmdb_get_uint16 (self->data + C2G_LMDB_PAGE_HEADER_BYTES + 2 * i);
  gsize upper = c2g_lmdb_get_uint16 (self->data + UPPER_OFFSET);
  const guint8 *data = self->data + offset;
  gboolean is_leaf = self->kind == C2G_LMDB_PAGE_LEAF;
  gsize n_key_bytes;
  gsize n_bytes;
  guint16 flags;

  if (offset < upper || offset + C2G_LMDB_NODE_BYTES > self->n_bytes)
    return set_node_damaged (self, i, _("it lies outside the page"), error);

  n_key_bytes = c2g_lmdb_get_uint16 (data + 6);
  n_bytes = C2G_LMDB_NODE_BYTES + n_key_bytes;
  flags = is_leaf ? c2g_lmdb_get_uint16 (data + 4) : 0;
  if (offset + n_bytes > self->n_bytes)
    return set_node_damaged (self, i, _("its key lies outside the page"), error);
  if ((is_leaf && n_key_bytes == 0) ||
      (order == C2G_LMDB_ORDER_NUMBERS && n_key_bytes != 8 && (is_leaf || i > 0)))
    return set_node_damaged (self, i, _("its key has a wrong size"), error);
  if (flags & (NODE_DATABASE | NODE_MANY))
    return set_kind_not_supported (data + C2G_LMDB_NODE_BYTES, n_key_bytes, flags, error);
  if (flags & ~NODE_BIG)
    return set_node_damaged (self, i, _("it is of an unknown kind"), error);

  if (is_leaf)
    n_bytes += flags & NODE_BIG ? 8 : (gsize) c2g_lmdb_get_uint32 (data);
  if (n_bytes > self->n_bytes - offset)
    return set_node_damaged (self, i, _("its value lies outside the page"), error);
  if (flags & NODE_BIG &&
      c2g_lmdb_get_uint64 (data + n_bytes - 8) < C2G_LMDB_N_META_PAGES)
    return set_node_damaged (self, i, _("its value lies in a page that tells of the trees"),
                             error);

  /* Nodes begin at even offsets. */
  *n_used += n_bytes + (n_bytes & 1);
  return TRUE;
}

static gboolean
check_order (const C2gLmdbPage  *self,
             guint               i,
             C2gLmdbOrder        order,
             GError            **error)
{
  C2gLmdbNode before;
  C2gLmdbNode node;

  c2g_lmdb_page_get_node (self, i - 1, &before);
  c2g_lmdb_page_get_node (self, i, &node);
  if (c2g_lmdb_compare (order, before.key, before.n_key_bytes, node.key, node.n_key_bytes) >= 0)
    return set_node_damaged (self, i, _("its key is not in order"), error);
  return TRUE;
}

static gboolean
check_header (guint64           number,
              const guint8     *data,
              guint32           page_size,
              C2gLmdbPageKind   kind,
              GError          **error)
{
  guint16 found = c2g_lmdb_get_uint16 (data + KIND_OFFSET);

  if (c2g_lmdb_get_uint64 (data) != number)
    return c2g_lmdb_set_damaged (number, page_size, error,
                                 _("The page says that it is page %" PRIu64),
                                 c2g_lmdb_get_uint64 (data));
  /* No other flag may be set. If P_DIRTY were set, liblmdb would write to the page in place, which
   * is mapped read-only. */
  if (found != kind)
    return c2g_lmdb_set_damaged (number, page_size, error,
                                 _("A page of kind 0x%x, expected one of kind 0x%x"),
                                 found, kind);
  return TRUE;
}

gboolean
c2g_lmdb_page_init (C2gLmdbPage      *self,
                    guint64           number,
                    const guint8     *data,
                    guint32           n_bytes,
                    C2gLmdbPageKind   kind,
                    C2gLmdbOrder      order,
                    GError          **error)
{
  gsize lower = c2g_lmdb_get_uint16 (data + LOWER_OFFSET);
  gsize upper = c2g_lmdb_get_uint16 (data + UPPER_OFFSET);
  gsize n_used = 0;

  if (!check_header (number, data, n_bytes, kind, error))
    return FALSE;
  /* liblmdb frees pages that have no nodes. */
  if (lower <= C2G_LMDB_PAGE_HEADER_BYTES || lower % 2 != 0 || lower > upper || upper > n_bytes)
    return c2g_lmdb_set_damaged (number, n_bytes, error,
                                 _("The free space of a page of %u bytes from %zu to %zu"),
                                 n_bytes, lower, upper);

  self->data = data;
  self->n_bytes = n_bytes;
  self->number = number;
  self->kind = kind;
  self->n_nodes = (lower - C2G_LMDB_PAGE_HEADER_BYTES) / 2;
  /* liblmdb never writes such a branch. When it deletes records, it needs a sibling page. */
  if (self->n_nodes == 1 && kind == C2G_LMDB_PAGE_BRANCH)
    return c2g_lmdb_set_damaged (number, n_bytes, error, _("A branch with one page below it"));

  for (guint i = 0; i < self->n_nodes; i++)
    {
      if (!check_node (self, i, order, &n_used, error))
        return FALSE;
      if (i > (kind == C2G_LMDB_PAGE_BRANCH) && !check_order (self, i, order, error))
        return FALSE;
    }

  if (n_used > n_bytes - upper)
    return c2g_lmdb_set_damaged (number, n_bytes, error,
                                 _("Records of %zu bytes in a space of %zu"),
                                 n_used, n_bytes - upper);
  self->n_gap_bytes = n_bytes - upper - n_used;
  return TRUE;
}

gboolean
c2g_lmdb_page_read_overflow (guint64        number,
                             const guint8  *data,
                             guint32        page_size,
                             guint32       *n_pages,
                             GError       **error)
{
  *n_pages = c2g_lmdb_get_uint32 (data + LOWER_OFFSET);
  return check_header (number, data, page_size, C2G_LMDB_PAGE_OVERFLOW, error);
}

guint
c2g_lmdb_page_find (const C2gLmdbPage *self,
                    C2gLmdbOrder       order,
                    const guint8      *key,
                    gsize              n_key_bytes)
{
  guint begin = self->kind == C2G_LMDB_PAGE_BRANCH;
  guint end = self->n_nodes;

  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;
      C2gLmdbNode node;

      c2g_lmdb_page_get_node (self, middle, &node);
      if (c2g_lmdb_compare (order, node.key, node.n_key_bytes, key, n_key_bytes) < 0)
        begin = middle + 1;
      else
        end = middle;
    }

  return begin;
}
