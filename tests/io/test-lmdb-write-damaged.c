/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/lmdb-peer.h"

/* Writes to damaged LMDB databases. liblmdb trusts what it reads, so c2g must refuse them before,
 * or liblmdb must come to no harm. */

#define PAGE_BYTES  4096

/* Offsets of the two trees in a meta page. */
#define FREE_TREE   40
#define RECORD_TREE 88

/* A field in the file. */
typedef struct
{
  gsize offset;
  gsize n_bytes;
} Field;

/* Adds records to a file, whatever it contains. Returns TRUE if that succeeded. */
static gboolean
add_to (const char *folder,
        const char *path,
        GBytes     *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;

  lmdb_write_file (path, bytes);
  db = lmdb_open (folder, "db", C2G_DB_MODE_WRITE, &error);
  if (db == NULL)
    {
      g_assert_true (error->domain == C2G_ERROR && (error->code == C2G_ERROR_CORRUPT ||
                                                    error->code == C2G_ERROR_NOT_SUPPORTED));
      return FALSE;
    }

  /* The second transaction can use pages that the first one has freed. */
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gDbTransaction) transaction = c2g_db_new_transaction (db, NULL);

      for (guint j = 0; j < 30; j++)
        {
          g_autoptr (GBytes) key = lmdb_make_key ((i + j) * 97 % 500, 100);
          g_autoptr (GBytes) value = lmdb_make_value (j, lmdb_value_size (i + j, PAGE_BYTES));

          g_assert_true (c2g_db_transaction_put (transaction, key, value, NULL));
        }
      if (!c2g_db_transaction_commit (transaction, &error))
        {
          g_test_message ("%s", error->message);
          return FALSE;
        }
    }

  cursor = c2g_db_new_cursor (db, &error);
  g_assert_no_error (error);
  g_assert_cmpint (lmdb_walk (cursor, &error), >, 0);
  g_assert_no_error (error);
  return TRUE;
}

/* While a reader is active, free pages are not reused, so the tree of free pages grows. */
static void
fill_free_pages (const char *folder)
{
  MDB_env *env = lmdb_open_env (folder, "db", MDB_NOSYNC | MDB_NOTLS);
  MDB_txn *reader = lmdb_peer_begin (env, MDB_RDONLY);

  for (guint i = 0; i < 120; i++)
    {
      MDB_txn *transaction = lmdb_peer_begin (env, 0);
      g_autoptr (GBytes) key = lmdb_make_key (i, 50);
      g_autoptr (GBytes) value = lmdb_make_value (i, i % 9 == 0 ? 9000 : 10);

      lmdb_peer_put (transaction, key, value);
      g_assert_cmpint (mdb_txn_commit (transaction), ==, 0);
    }

  mdb_txn_abort (reader);
  mdb_env_close (env);
}

/* Makes a tree of records that is deep because of long keys, and one of free pages. */
static GBytes *
make_database (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "db", "data.mdb", NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  lmdb_fill_with_peer (folder, random, 0, 2);
  lmdb_fill_with_peer (folder, random, 1, 3);
  fill_free_pages (folder);
  return lmdb_read_file (path);
}

/* Random damage */

static guint64
read_field (const guint8 *data,
            Field         field)
{
  guint64 value = 0;

  memcpy (&value, data + field.offset, field.n_bytes);
  return GUINT64_FROM_LE (value);
}

static void
write_field (guint8  *data,
             Field    field,
             guint64  value)
{
  value = GUINT64_TO_LE (value);
  memcpy (data + field.offset, &value, field.n_bytes);
}

static guint
get_newest_meta (const guint8 *data)
{
  return c2g_lmdb_get_uint64 (data + 144) < c2g_lmdb_get_uint64 (data + PAGE_BYTES + 144);
}

static guint64
get_root (const guint8 *data,
          gsize         tree)
{
  return c2g_lmdb_get_uint64 (data + get_newest_meta (data) * PAGE_BYTES + tree + 40);
}

static Field
draw_meta_field (GRand *random)
{
  static const guint twos[] = { 10, 44, 46, 92, 94 };
  static const guint fours[] = { 16, 20, 40, 88 };
  gsize begin = (gsize) g_rand_int_range (random, 0, 2) * PAGE_BYTES;

  switch (g_rand_int_range (random, 0, 4))
    {
    case 0:
      return (Field) { begin + twos[g_rand_int_range (random, 0, G_N_ELEMENTS (twos))], 2 };
    case 1:
      return (Field) { begin + fours[g_rand_int_range (random, 0, G_N_ELEMENTS (fours))], 4 };
    default:
      return (Field) { begin + 8 * (gsize) g_rand_int_range (random, 0, 19), 8 };
    }
}

static Field
draw_header_field (GRand *random,
                   gsize  page)
{
  static const Field fields[] = { { 0, 8 }, { 8, 2 }, { 10, 2 }, { 12, 2 }, { 14, 2 }, { 12, 4 } };
  Field field = fields[g_rand_int_range (random, 0, G_N_ELEMENTS (fields))];

  field.offset += page * PAGE_BYTES;
  return field;
}

/* Chooses a field of a record: its offset, sizes, flags, or the beginning of key or value. */
static Field
draw_node_field (GRand        *random,
                 const guint8 *data,
                 gsize         page)
{
  static const Field fields[] = { { 0, 4 }, { 4, 2 }, { 6, 2 }, { 0, 8 }, { 8, 8 }, { 2, 2 } };
  const guint8 *begin = data + page * PAGE_BYTES;
  guint n_nodes = c2g_lmdb_get_uint16 (begin + 12) % (PAGE_BYTES - 32) / 2;
  guint i = g_rand_int_range (random, 0, n_nodes + 1);
  gsize offset = c2g_lmdb_get_uint16 (begin + 16 + 2 * i) % (PAGE_BYTES - 16);
  guint n_key_bytes = c2g_lmdb_get_uint16 (begin + offset + 6);
  guint n = g_rand_int_range (random, 0, G_N_ELEMENTS (fields) + 4);
  Field field = { 16 + 2 * i, 2 };

  if (n < G_N_ELEMENTS (fields))
    field = (Field) { offset + fields[n].offset, fields[n].n_bytes };
  else if (n < G_N_ELEMENTS (fields) + 3)
    field = (Field) { offset + 8 + n_key_bytes + 8 * g_rand_int_range (random, 0, 3), 8 };

  field.offset = page * PAGE_BYTES + MIN (field.offset, PAGE_BYTES - 8);
  return field;
}

static Field
draw_field (GRand        *random,
            const guint8 *data,
            gsize         n_pages)
{
  gsize page = g_rand_int_range (random, 2, n_pages);
  gsize root = get_root (data, g_rand_int_range (random, 0, 3) != 0 ? FREE_TREE : RECORD_TREE);

  switch (g_rand_int_range (random, 0, 6))
    {
    case 0:
      return draw_meta_field (random);
    case 1:
      return draw_header_field (random, page);
    case 2:
      return draw_header_field (random, root);
    case 3:
      return draw_node_field (random, data, page);
    default:
      return draw_node_field (random, data, root);
    }
}

/* Draws a number that is probably near the limits of a range. */
static guint64
draw_value (GRand   *random,
            guint64  before,
            gsize    n_pages)
{
  static const guint edges[] = { 0, 16, 18, 511, 2036, 2037, 2038, 2039, 4079, 4080, 4081 };

  guint64 bit = G_GUINT64_CONSTANT (1) << g_rand_int_range (random, 0, 64);

  switch (g_rand_int_range (random, 0, 6))
    {
    case 0:
      return before + g_rand_int_range (random, -16, 17);
    case 1:
      return before + (g_rand_boolean (random) ? 1 : -1);
    case 2:
      return before ^ bit;
    case 3:
      return bit + g_rand_int_range (random, -2, 2);
    case 4:
      return g_rand_int_range (random, 0, n_pages + 2);
    default:
      return edges[g_rand_int_range (random, 0, G_N_ELEMENTS (edges))];
    }
}

static void
damage_fields (GRand  *random,
               guint8 *data,
               gsize   n_pages)
{
  for (int i = g_rand_int_range (random, 1, 4); i > 0; i--)
    {
      Field field = draw_field (random, data, n_pages);

      write_field (data, field, draw_value (random, read_field (data, field), n_pages));
      /* The roots may be anywhere after the change. */
      if (get_root (data, FREE_TREE) >= n_pages || get_root (data, RECORD_TREE) >= n_pages)
        break;
    }
}

static void
damage_bits (GRand  *random,
             guint8 *data,
             gsize   n_pages)
{
  static const int reaches[] = { 16, 160, PAGE_BYTES };
  gsize page = g_rand_int_range (random, 0, n_pages);

  for (int i = g_rand_int_range (random, 1, 3); i > 0; i--)
    {
      int reach = reaches[g_rand_int_range (random, 0, G_N_ELEMENTS (reaches))];
      gsize offset = page * PAGE_BYTES + g_rand_int_range (random, 0, reach);

      data[offset] ^= 1 << g_rand_int_range (random, 0, 8);
    }
}

static void
check_damage (void    (*damage_func) (GRand *, guint8 *, gsize),
              guint32   n_seeds,
              guint     n_times)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *path = g_build_filename (folder, "db", "data.mdb", NULL);
  g_autoptr (GBytes) bytes = make_database (folder);
  gsize n_bytes = g_bytes_get_size (bytes);
  guint n_good = 0;

  g_assert_true (add_to (folder, path, bytes));
  for (guint32 seed = 1; seed <= n_seeds; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);

      for (guint i = 0; i < c2g_test_count_rounds (n_times); i++)
        {
          guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), n_bytes);
          g_autoptr (GBytes) damaged = g_bytes_new_take (data, n_bytes);

          damage_func (random, data, n_bytes / PAGE_BYTES);
          n_good += add_to (folder, path, damaged);
        }
    }

  g_test_message ("%u of %u could be written to", n_good,
                  n_seeds * c2g_test_count_rounds (n_times));
  lmdb_remove (folder);
}

static void
test_bits (void)
{
  check_damage (damage_bits, 4, 60);
}

static void
test_fields (void)
{
  check_damage (damage_fields, 8, 60);
}

static void
test_cut (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *path = g_build_filename (folder, "db", "data.mdb", NULL);
  g_autoptr (GBytes) bytes = make_database (folder);

  for (gsize n = 0; n < g_bytes_get_size (bytes); n += 20480 + n % 3)
    {
      g_autoptr (GBytes) cut = g_bytes_new_from_bytes (bytes, 0, n);

      g_assert_false (add_to (folder, path, cut));
    }

  lmdb_remove (folder);
}

/* Systematic damage: c2g can read each of these files, but liblmdb would abort, or read or write
 * out of bounds. */

static guint8 *
get_newest (GByteArray *bytes)
{
  return bytes->data + (gsize) get_newest_meta (bytes->data) * PAGE_BYTES;
}

static guint8 *
get_node (guint8   *page,
          gboolean  last)
{
  guint n_nodes = (c2g_lmdb_get_uint16 (page + 12) - 16) / 2;

  return page + c2g_lmdb_get_uint16 (page + 16 + (last ? 2 * n_nodes - 2 : 0));
}

/* Returns the first or last leaf of a tree. */
static guint8 *
get_leaf (GByteArray *bytes,
          gsize       tree,
          gboolean    last)
{
  guint8 *page = bytes->data + get_root (bytes->data, tree) * PAGE_BYTES;

  while (c2g_lmdb_get_uint16 (page + 10) == C2G_LMDB_PAGE_BRANCH)
    {
      const guint8 *node = get_node (page, last);

      page = bytes->data + (c2g_lmdb_get_uint64 (node) & 0xffffffff) * PAGE_BYTES;
    }
  return page;
}

/* Puts the state into the meta page where liblmdb does not expect it. */
static void
swap_metas (GByteArray *bytes)
{
  guint8 *newest = get_newest (bytes);

  lmdb_set_uint64 (newest + 144, c2g_lmdb_get_uint64 (newest + 144) + 1);
}

static void
exhaust_transactions (GByteArray *bytes)
{
  memcpy (bytes->data + PAGE_BYTES + 16, get_newest (bytes) + 16, 128);
  lmdb_set_uint64 (bytes->data + PAGE_BYTES + 144, G_MAXUINT64);
}

/* Free pages of a transaction before the first one. */
static void
free_too_early (GByteArray *bytes)
{
  lmdb_set_uint64 (get_node (get_leaf (bytes, FREE_TREE, FALSE), FALSE) + 8, 0);
}

static void
free_too_late (GByteArray *bytes)
{
  lmdb_set_uint64 (get_node (get_leaf (bytes, FREE_TREE, TRUE), TRUE) + 8,
                   c2g_lmdb_get_uint64 (get_newest (bytes) + 144) + 1);
}

/* Adds a branch with a single child. */
static void
add_branch (GByteArray *bytes)
{
  guint64 page = bytes->len / PAGE_BYTES;
  guint8 *newest;
  guint8 *branch;

  g_byte_array_set_size (bytes, bytes->len + PAGE_BYTES);
  newest = get_newest (bytes);
  branch = bytes->data + page * PAGE_BYTES;
  memset (branch, 0, PAGE_BYTES);
  lmdb_set_uint64 (branch, page);
  lmdb_set_uint16 (branch + 10, C2G_LMDB_PAGE_BRANCH);
  lmdb_set_uint16 (branch + 12, 18);
  lmdb_set_uint16 (branch + 14, PAGE_BYTES - 8);
  lmdb_set_uint16 (branch + 16, PAGE_BYTES - 8);
  lmdb_set_uint64 (branch + PAGE_BYTES - 8, get_root (bytes->data, FREE_TREE));
  lmdb_set_uint16 (newest + 46, c2g_lmdb_get_uint16 (newest + 46) + 1);
  lmdb_set_uint64 (newest + 80, page);
  lmdb_set_uint64 (newest + 136, page);
}

/* Leaves free space between records. */
static void
leave_gap (GByteArray *bytes)
{
  guint8 *page = get_leaf (bytes, FREE_TREE, TRUE);

  lmdb_set_uint16 (page + 14, c2g_lmdb_get_uint16 (page + 12));
}

static void
leave_odd_gap (GByteArray *bytes)
{
  guint8 *page = get_leaf (bytes, FREE_TREE, TRUE);

  lmdb_set_uint16 (page + 14, c2g_lmdb_get_uint16 (page + 14) - 1);
}

/* Gives a key to the first node of a branch, which must have none. */
static void
name_first (GByteArray *bytes)
{
  guint8 *page = bytes->data + get_root (bytes->data, RECORD_TREE) * PAGE_BYTES;
  guint lower = c2g_lmdb_get_uint16 (page + 12);
  guint upper = c2g_lmdb_get_uint16 (page + 14);
  guint first = c2g_lmdb_get_uint16 (page + 16);

  g_assert_cmpuint (c2g_lmdb_get_uint16 (page + 10), ==, C2G_LMDB_PAGE_BRANCH);
  g_assert_cmpuint (lower + 2, <=, upper);
  lmdb_set_uint16 (page + first + 6, 2);
  memmove (page + upper - 2, page + upper, first + 8 - upper);
  lmdb_set_uint16 (page + 14, upper - 2);
  for (guint i = 16; i < lower; i += 2)
    if (c2g_lmdb_get_uint16 (page + i) <= first)
      lmdb_set_uint16 (page + i, c2g_lmdb_get_uint16 (page + i) - 2);
}

static void
count_too_many (GByteArray *bytes)
{
  guint8 *newest = get_newest (bytes);

  lmdb_set_uint64 (newest + 112, c2g_lmdb_get_uint64 (newest + 112) + 1);
}

static void
assert_refused (const char *folder,
                const char *path,
                const char *name,
                GBytes     *bytes)
{
  g_autoptr (GError) error = NULL;

  lmdb_write_file (path, bytes);
  g_assert_null (lmdb_open (folder, "db", C2G_DB_MODE_WRITE, &error));
  g_test_message ("%s: %s", name, error->message);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
}

static void
test_refused (void)
{
  static const struct
  {
    const char *name;
    void      (*func) (GByteArray *);
  } damages[] = {
    { "swapped", swap_metas },
    { "exhausted", exhaust_transactions },
    { "too early", free_too_early },
    { "too late", free_too_late },
    { "branch", add_branch },
    { "gap", leave_gap },
    { "odd gap", leave_odd_gap },
    { "first key", name_first },
    { "too many", count_too_many },
  };
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *path = g_build_filename (folder, "db", "data.mdb", NULL);
  g_autoptr (GBytes) bytes = make_database (folder);

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      GByteArray *array = g_byte_array_new ();
      g_autoptr (GBytes) damaged = NULL;

      g_byte_array_append (array, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      damages[i].func (array);
      damaged = g_byte_array_free_to_bytes (array);
      assert_refused (folder, path, damages[i].name, damaged);
    }

  lmdb_remove (folder);
}

/* liblmdb supports pages of at most 32 KiB, each with room for two keys. */
static void
test_pages (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *path = g_build_filename (folder, "db", "data.mdb", NULL);
  g_autofree char *text = g_strnfill (238, 'k');
  g_autoptr (GBytes) key = g_bytes_new (text, 238);
  g_autoptr (GBytes) value = g_bytes_new (NULL, 0);
  g_autoptr (GBytes) large = lmdb_build (65536, 0);
  g_autoptr (GBytes) small = NULL;
  LmdbBuilder builder;

  mdb_env_close (lmdb_open_env (folder, "db", 0));
  assert_refused (folder, path, "64 KiB", large);

  lmdb_builder_init (&builder, 512);
  lmdb_builder_add (&builder, key, value);
  small = lmdb_builder_finish (&builder);
  assert_refused (folder, path, "long key", small);

  lmdb_remove (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/lmdb-write-damaged/bits", test_bits);
  c2g_test_add_func ("/lmdb-write-damaged/fields", test_fields);
  c2g_test_add_func ("/lmdb-write-damaged/cut", test_cut);
  c2g_test_add_func ("/lmdb-write-damaged/refused", test_refused);
  c2g_test_add_func ("/lmdb-write-damaged/pages", test_pages);

  return c2g_test_run ();
}
