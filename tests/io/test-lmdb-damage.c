/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/io-utils.h"
#include "tests/io/lmdb-utils.h"

/* LMDB databases with false data in every field: reading gives an error, or ends. */

typedef struct
{
  guint64 offset;
  gsize   n_bytes;
  guint64 value;
} Patch;

static GBytes *
apply (GBytes       *bytes,
       const Patch  *patches,
       guint         n_patches)
{
  gsize n_bytes = g_bytes_get_size (bytes);
  guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), n_bytes);

  for (guint i = 0; i < n_patches; i++)
    {
      guint64 value = GUINT64_TO_LE (patches[i].value);

      memcpy (data + patches[i].offset, &value, patches[i].n_bytes);
    }
  return g_bytes_new_take (data, n_bytes);
}

static void
assert_refused (GBytes       *bytes,
                const char   *name,
                const Patch  *patches,
                guint         n_patches,
                C2gError      code)
{
  g_autoptr (GBytes) patched = apply (bytes, patches, n_patches);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (lmdb_walk_bytes (patched, &error), ==, -1);
  g_test_message ("%s: %s", name, error->message);
  g_assert_error (error, C2G_ERROR, (int) code);
  if (code == C2G_ERROR_CORRUPT)
    g_assert_nonnull (strstr (error->message, "page"));
}

/* Makes the same change in both meta pages. */
static void
assert_meta_refused (GBytes      *bytes,
                     const char  *name,
                     guint64      offset,
                     gsize        n_bytes,
                     guint64      value,
                     C2gError     code)
{
  const Patch patches[] = { { offset, n_bytes, value }, { 512 + offset, n_bytes, value } };

  assert_refused (bytes, name, patches, 2, code);
}

static void
test_metas (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 100);
  guint64 root = c2g_lmdb_get_uint64 ((const guint8 *) g_bytes_get_data (bytes, NULL) + 128);
  guint64 n_pages = g_bytes_get_size (bytes) / 512;

  /* The tree has a root, branches and leaves. */
  g_assert_cmpuint (((const guint8 *) g_bytes_get_data (bytes, NULL))[94], ==, 3);
  assert_meta_refused (bytes, "mark", 16, 4, 0, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "version", 20, 4, 2, C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "big-endian", 16, 4, 0xdec0efbe, C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "32 bits", 12, 8, 0x1beefc0de, C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "32 bits, big-endian", 12, 8, 0x1000000dec0efbe,
                       C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "kind", 10, 2, 4, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "no page size", 40, 4, 0, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "small page size", 40, 4, 256, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "odd page size", 40, 4, 513, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "large page size", 40, 4, 0x20000, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "flags of free pages", 44, 2, 0x0c, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "several values", 92, 2, 4, C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "reverse keys", 92, 2, 2, C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "no depth", 94, 2, 0, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "depth 1", 94, 2, 1, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "more depth", 94, 2, 4, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "depth 33", 94, 2, 33, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "overflow pages", 112, 8, G_MAXUINT64, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "fewer overflow pages", 112, 8, 3, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "more entries", 120, 8, 101, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "fewer entries", 120, 8, 99, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "no entries", 120, 8, 0, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "no root", 128, 8, G_MAXUINT64, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "root 1", 128, 8, 1, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "root beyond", 128, 8, n_pages, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "root far beyond", 128, 8, G_MAXUINT64 / 512 + 1, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "another root", 128, 8, root - 1, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "last page", 136, 8, root - 1, C2G_ERROR_CORRUPT);
}

/* Files of LMDB 1.0 have larger headers. */
static void
test_later_version (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 1);
  const Patch patches[] = { { 16, 8, 0 }, { 24, 4, 0xbeefc0de }, { 28, 4, 2 } };

  assert_refused (bytes, "LMDB 1.0", patches, 3, C2G_ERROR_NOT_SUPPORTED);
}

/* The newer state is used or, if its root is damaged, the older one. */
static void
test_older_state (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 100);
  const Patch damages[] = {
    { 512 + 128, 8, 1 },
    { 512 + 94, 2, 1 },
    { 512 + 16, 4, 0 },
    { 512 + 0, 8, 7 },
    { 512 + 40, 4, 0 },
    { 512 + 136, 8, 1 },
  };
  const Patch newer_first[] = { { 144, 8, 8 }, { 128, 8, 1 } };
  const Patch empty[] = { { 512 + 94, 2, 0 }, { 512 + 120, 8, 0 }, { 512 + 128, 8, G_MAXUINT64 } };
  g_autoptr (GBytes) first = apply (bytes, newer_first, 2);
  g_autoptr (GBytes) second = apply (bytes, empty, 3);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autoptr (GBytes) damaged = apply (bytes, &damages[i], 1);

      g_assert_cmpint (lmdb_walk_bytes (damaged, &error), ==, 100);
      g_assert_no_error (error);
    }

  g_assert_cmpint (lmdb_walk_bytes (first, &error), ==, 100);
  g_assert_no_error (error);
  g_assert_cmpint (lmdb_walk_bytes (second, &error), ==, 0);
  g_assert_no_error (error);
}

/* Returns the offset of a node of a page in the file. */
static guint64
find_node (GBytes  *bytes,
           guint64  page,
           guint    i)
{
  const guint8 *data = (const guint8 *) g_bytes_get_data (bytes, NULL) + page * 512;

  return page * 512 + c2g_lmdb_get_uint16 (data + 16 + 2 * i);
}

static guint64
find_root (GBytes *bytes)
{
  return c2g_lmdb_get_uint64 ((const guint8 *) g_bytes_get_data (bytes, NULL) + 128);
}

static guint64
find_child (GBytes  *bytes,
            guint64  page,
            guint    i)
{
  const guint8 *data = g_bytes_get_data (bytes, NULL);

  return c2g_lmdb_get_uint64 (data + find_node (bytes, page, i)) &
         G_GUINT64_CONSTANT (0xffffffffffff);
}

static void
assert_patch_refused (GBytes      *bytes,
                      const char  *name,
                      guint64      offset,
                      gsize        n_bytes,
                      guint64      value)
{
  const Patch patch = { offset, n_bytes, value };

  assert_refused (bytes, name, &patch, 1, C2G_ERROR_CORRUPT);
}

static void
test_branches (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 100);
  guint64 root = find_root (bytes);
  guint64 branch = find_child (bytes, root, 0);
  guint64 next = find_child (bytes, root, 1);

  assert_patch_refused (bytes, "number", 512 * branch, 8, branch + 1);
  assert_patch_refused (bytes, "leaf for branch", 512 * branch + 10, 2, 2);
  assert_patch_refused (bytes, "both", 512 * branch + 10, 2, 3);
  assert_patch_refused (bytes, "empty", 512 * branch + 12, 2, 16);
  assert_patch_refused (bytes, "one child", 512 * branch + 12, 2, 18);
  assert_patch_refused (bytes, "odd", 512 * branch + 12, 2, 21);
  assert_patch_refused (bytes, "crossed", 512 * branch + 12, 2, 500);
  assert_patch_refused (bytes, "no upper end", 512 * branch + 14, 2, 513);
  assert_patch_refused (bytes, "cycle", find_node (bytes, branch, 1), 6, branch);
  assert_patch_refused (bytes, "cycle to the root", find_node (bytes, branch, 1), 6, root);
  assert_patch_refused (bytes, "branch twice", find_node (bytes, root, 1), 6, branch);
  assert_patch_refused (bytes, "leaf twice", find_node (bytes, branch, 1), 6,
                        find_child (bytes, branch, 0));
  assert_patch_refused (bytes, "leaf of another", find_node (bytes, branch, 0), 6,
                        find_child (bytes, next, 0));
  assert_patch_refused (bytes, "meta", find_node (bytes, branch, 1), 6, 0);
  assert_patch_refused (bytes, "beyond", find_node (bytes, branch, 1), 6, 1 << 30);
  assert_patch_refused (bytes, "far beyond", find_node (bytes, branch, 1), 6,
                        G_GUINT64_CONSTANT (0xffffffffffff));
  assert_patch_refused (bytes, "node in the header", 512 * branch + 18, 2, 4);
  assert_patch_refused (bytes, "node behind", 512 * branch + 18, 2, 512);
  assert_patch_refused (bytes, "node far behind", 512 * branch + 18, 2, 0xfffe);
  assert_patch_refused (bytes, "key behind", find_node (bytes, branch, 1) + 6, 2, 504);
  assert_patch_refused (bytes, "key order", find_node (bytes, branch, 1) + 8, 1, 'z');
}

static void
test_leaves (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 100);
  guint64 leaf = find_child (bytes, find_child (bytes, find_root (bytes), 0), 1);
  guint64 first = find_node (bytes, leaf, 0);
  guint64 second = find_node (bytes, leaf, 1);
  const Patch database = { second + 4, 2, 2 };
  const Patch many = { second + 4, 2, 4 };

  assert_refused (bytes, "database", &database, 1, C2G_ERROR_NOT_SUPPORTED);
  assert_refused (bytes, "many values", &many, 1, C2G_ERROR_NOT_SUPPORTED);
  assert_patch_refused (bytes, "unknown kind", second + 4, 2, 8);
  assert_patch_refused (bytes, "leaf of many", 512 * leaf + 10, 2, 0x22);
  assert_patch_refused (bytes, "overflow for leaf", 512 * leaf + 10, 2, 4);
  assert_patch_refused (bytes, "no key", second + 6, 2, 0);
  assert_patch_refused (bytes, "key behind", second + 6, 2, 0xffff);
  assert_patch_refused (bytes, "value behind", second, 4, 0xffffffff);
  assert_patch_refused (bytes, "value a bit behind", first, 4,
                        512 - first % 512 - 8 + 1);
  assert_patch_refused (bytes, "order", second + 8, 1, 'a');
  assert_patch_refused (bytes, "same twice", 512 * leaf + 18, 2, first % 512);
  assert_patch_refused (bytes, "before the page", first + 8, 1, 'a' - 1);
  assert_patch_refused (bytes, "behind the page", second + 8, 1, 'z');
}

/* Returns the number of a record whose value is in overflow pages, and the first of these. */
static guint64
find_big (GBytes  *bytes,
          guint64 *node)
{
  const guint8 *data = g_bytes_get_data (bytes, NULL);
  guint64 branch = find_child (bytes, find_root (bytes), 0);

  for (guint i = 0;; i++)
    {
      guint64 leaf = find_child (bytes, branch, i);
      guint n_nodes = (c2g_lmdb_get_uint16 (data + 512 * leaf + 12) - 16) / 2;

      for (guint j = 0; j < n_nodes; j++)
        {
          *node = find_node (bytes, leaf, j);
          if (c2g_lmdb_get_uint16 (data + *node + 4) == 1)
            return c2g_lmdb_get_uint64 (data + *node + 8 +
                                        c2g_lmdb_get_uint16 (data + *node + 6));
        }
    }
}

static void
test_values (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 100);
  const guint8 *data = g_bytes_get_data (bytes, NULL);
  guint64 node;
  guint64 page = find_big (bytes, &node);
  guint64 place = node + 8 + c2g_lmdb_get_uint16 (data + node + 6);
  const Patch reused[] = { { 112, 8, 2 }, { 512 + 112, 8, 2 } };

  assert_patch_refused (bytes, "in no page", place, 8, 0);
  assert_patch_refused (bytes, "in a meta page", place, 8, 1);
  assert_patch_refused (bytes, "in the leaf", place, 8, node / 512);
  assert_patch_refused (bytes, "within another", place, 8, page + 1);
  assert_patch_refused (bytes, "beyond", place, 8, g_bytes_get_size (bytes) / 512);
  assert_patch_refused (bytes, "far beyond", place, 8, G_MAXUINT64);
  assert_patch_refused (bytes, "too long", node, 4, 0xffffffff);
  assert_patch_refused (bytes, "no pages", 512 * page + 12, 4, 0);
  assert_patch_refused (bytes, "too many pages", 512 * page + 12, 4, 0xffffffff);
  assert_patch_refused (bytes, "number", 512 * page, 8, page + 1);
  /* Otherwise many records could share one large value and pretend to be larger than the file. */
  assert_refused (bytes, "more than there are", reused, 2, C2G_ERROR_CORRUPT);
}

/* The walk must end, and an error must be one of the expected ones. */
static void
assert_sane (GBytes   *bytes,
             gpointer  user_data)
{
  int *n_good = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (GBytes) key = lmdb_make_key (17, 100);
  int n = lmdb_walk_bytes (bytes, &error);

  if (n < 0)
    g_assert_true (error->domain == C2G_ERROR && (error->code == C2G_ERROR_CORRUPT ||
                                                  error->code == C2G_ERROR_NOT_SUPPORTED));
  else
    ++*n_good;
  g_assert_cmpint (n, <=, 1000);

  cursor = lmdb_open_bytes (bytes, NULL);
  if (cursor != NULL && c2g_db_cursor_seek (cursor, key, NULL))
    lmdb_walk (cursor, NULL);
}

/* A small database with everything that can occur: two levels and large values. */
static void
test_damage (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 24);
  int n_good = 0;

  io_damage (bytes, assert_sane, &n_good);
  g_test_message ("%zu bytes, %d of the damaged files could be read", g_bytes_get_size (bytes),
                  n_good);
}

static void
test_random_damage (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 120);
  gsize n_bytes = g_bytes_get_size (bytes);
  int n_good = 0;

  for (guint i = 0; i < c2g_test_count_rounds (20000); i++)
    {
      guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), n_bytes);
      g_autoptr (GBytes) damaged = NULL;

      for (int j = g_test_rand_int_range (1, 6); j > 0; j--)
        data[g_test_rand_int_range (0, n_bytes)] = (guint8) g_test_rand_int ();
      damaged = g_bytes_new_take (data, n_bytes);
      assert_sane (damaged, &n_good);
    }
}

/* Truncates at every page border, just beside it, and inside. */
static void
test_truncated (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 300);

  for (gsize n = 0; n < g_bytes_get_size (bytes); n += n % 512 == 0 || n % 512 == 511 ? 1 : 255)
    {
      g_autoptr (GBytes) cut = g_bytes_new (g_bytes_get_data (bytes, NULL), n);
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (lmdb_walk_bytes (cut, &error), ==, -1);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/lmdb-damage/metas", test_metas);
  c2g_test_add_func ("/lmdb-damage/later-version", test_later_version);
  c2g_test_add_func ("/lmdb-damage/older-state", test_older_state);
  c2g_test_add_func ("/lmdb-damage/branches", test_branches);
  c2g_test_add_func ("/lmdb-damage/leaves", test_leaves);
  c2g_test_add_func ("/lmdb-damage/values", test_values);
  c2g_test_add_func ("/lmdb-damage/damage", test_damage);
  c2g_test_add_func ("/lmdb-damage/random-damage", test_random_damage);
  c2g_test_add_func ("/lmdb-damage/truncated", test_truncated);

  return c2g_test_run ();
}
