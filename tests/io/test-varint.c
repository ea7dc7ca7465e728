/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <c2g/io/wire/c2g-varint-private.h>

#include <string.h>

#define N_ITEMS 700

static const C2gDataType types[] = {
  C2G_DATA_TYPE_BOOL,
  C2G_DATA_TYPE_UINT8,
  C2G_DATA_TYPE_INT8,
  C2G_DATA_TYPE_UINT16,
  C2G_DATA_TYPE_INT16,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_INT64,
};

static guint64
random_bits (void)
{
  return (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();
}

/* Draws numbers of few bits, of many bits, negative ones, or a mixture. */
static guint64
random_number (guint pattern)
{
  guint n_bits = 1 + (guint32) g_test_rand_int () % 64;

  switch (pattern)
    {
    case 0:
      return random_bits () & 0x7f;

    case 1:
      return random_bits ();

    case 2:
      return ~(random_bits () & 0x3f);

    case 3:
      return n_bits < 10 ? ~random_bits () : random_bits () & 0x7f;

    default:
      return random_bits () >> (64 - n_bits);
    }
}

#define N_PATTERNS 5

/* Returns the number in the bytes of the type. */
static guint64
value_of (C2gDataType   data_type,
          const guint8 *items,
          gsize         i)
{
  guint64 value = 0;
  gsize size = c2g_data_type_get_item_size (data_type);

  switch (data_type)
    {
    case C2G_DATA_TYPE_BOOL:
      return items[i] != 0;

    case C2G_DATA_TYPE_INT8:
      return (guint64) ((const gint8 *) items)[i];

    case C2G_DATA_TYPE_INT16:
      return (guint64) ((const gint16 *) (gconstpointer) items)[i];

    case C2G_DATA_TYPE_INT32:
      return (guint64) ((const gint32 *) (gconstpointer) items)[i];

    case C2G_DATA_TYPE_INT64:
      return ((const guint64 *) (gconstpointer) items)[i];

    default:
      break;
    }

  for (gsize j = 0; j < size; j++)
    value |= (guint64) items[i * size + (G_BYTE_ORDER == G_LITTLE_ENDIAN ? j : size - 1 - j)]
             << (8 * j);
  return value;
}

static void
append_plainly (GByteArray *array,
                guint64     value)
{
  do
    {
      guint8 byte = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);

      g_byte_array_append (array, &byte, 1);
      value >>= 7;
    }
  while (value > 0);
}

static GByteArray *
encode_plainly (C2gDataType   data_type,
                const guint8 *items,
                gsize         n_items)
{
  GByteArray *array = g_byte_array_new ();

  for (gsize i = 0; i < n_items; i++)
    append_plainly (array, value_of (data_type, items, i));
  return array;
}

static guint8 *
new_items (C2gDataType data_type,
           gsize       n_items,
           guint       pattern)
{
  gsize size = c2g_data_type_get_item_size (data_type);
  guint8 *items = g_malloc0 (n_items * 8 + 1);

  for (gsize i = 0; i < n_items; i++)
    {
      guint64 value = random_number (pattern);

      if (data_type == C2G_DATA_TYPE_BOOL)
        value &= 1;
      c2g_varint_store (data_type, items + i * size, 0, value);
    }

  return items;
}

/* Uses memory of exactly the size, so that accesses beyond it are detected. */
static void
check (C2gDataType data_type,
       gsize       n_items,
       guint       pattern)
{
  gsize size = c2g_data_type_get_item_size (data_type);
  g_autofree guint8 *items = new_items (data_type, n_items, pattern);
  g_autoptr (GByteArray) expected = encode_plainly (data_type, items, n_items);
  g_autofree guint8 *bytes = g_malloc (MAX (expected->len, 1));
  g_autofree guint8 *copy = g_memdup2 (expected->data, MAX (expected->len, 1));
  g_autofree guint8 *decoded = g_malloc (MAX (n_items * size, 1));
  gsize n_written, n_used, n_done;

  g_assert_cmpuint (c2g_varint_measure (data_type, items, n_items), ==, expected->len);
  g_assert_cmpuint (c2g_varint_encode (data_type, items, n_items, bytes, expected->len, &n_written),
                    ==, n_items);
  g_assert_cmpmem (bytes, n_written, expected->data, expected->len);

  g_assert_true (c2g_varint_decode (data_type, copy, expected->len, &n_used,
                                    decoded, n_items, &n_done));
  g_assert_cmpuint (n_used, ==, expected->len);
  g_assert_cmpuint (n_done, ==, n_items);
  g_assert_cmpmem (decoded, n_items * size, items, n_items * size);
}

static void
test_round_trip (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint pattern = 0; pattern < N_PATTERNS; pattern++)
      {
        for (gsize n = 1; n < 150; n++)
          check (types[i], n, pattern);
        check (types[i], N_ITEMS, pattern);
      }
}

/* Numbers at the limits between the lengths. */
static void
test_borders (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint n_bits = 0; n_bits <= 64; n_bits++)
      {
        gsize size = c2g_data_type_get_item_size (types[i]);
        guint64 power = n_bits < 64 ? G_GUINT64_CONSTANT (1) << n_bits : 0;
        const guint64 values[] = { power - 1, power, power + 1, ~power, -power };
        guint8 items[sizeof values];
        g_autoptr (GByteArray) expected = NULL;
        guint8 bytes[G_N_ELEMENTS (values) * C2G_VARINT_MAX_BYTES];
        gsize n_written;

        for (gsize j = 0; j < G_N_ELEMENTS (values); j++)
          c2g_varint_store (types[i], items + j * size, 0, values[j]);
        expected = encode_plainly (types[i], items, G_N_ELEMENTS (values));
        c2g_varint_encode (types[i], items, G_N_ELEMENTS (values), bytes, sizeof bytes, &n_written);
        g_assert_cmpmem (bytes, n_written, expected->data, expected->len);
        g_assert_cmpuint (c2g_varint_measure (types[i], items, G_N_ELEMENTS (values)),
                          ==, expected->len);
      }
}

static void
test_single (void)
{
  for (guint n_bits = 0; n_bits <= 64; n_bits++)
    {
      guint64 value = n_bits < 64 ? (G_GUINT64_CONSTANT (1) << n_bits) - 1 : G_MAXUINT64;
      g_autoptr (GByteArray) expected = g_byte_array_new ();
      guint8 bytes[C2G_VARINT_MAX_BYTES];

      append_plainly (expected, value);
      g_assert_cmpuint (c2g_varint_size (value), ==, expected->len);
      g_assert_cmpuint (c2g_varint_put (bytes, value), ==, expected->len);
      g_assert_cmpmem (bytes, expected->len, expected->data, expected->len);
    }
}

/* Encodes as many items as fit, for every size of the memory. */
static void
test_room (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      gsize size = c2g_data_type_get_item_size (types[i]);
      g_autofree guint8 *items = new_items (types[i], 40, 4);
      g_autoptr (GByteArray) expected = encode_plainly (types[i], items, 40);

      for (gsize n = 0; n < expected->len; n++)
        {
          g_autofree guint8 *bytes = g_malloc (n + 1);
          gsize n_written;
          gsize done = c2g_varint_encode (types[i], items, 40, bytes, n, &n_written);

          g_assert_cmpuint (done, <, 40);
          g_assert_cmpuint (n_written, <=, n);
          g_assert_cmpuint (n_written, ==, c2g_varint_measure (types[i], items, done));
          g_assert_cmpuint (n_written + c2g_varint_measure (types[i], items + done * size, 1), >, n);
          g_assert_cmpmem (bytes, n_written, expected->data, n_written);
        }
    }
}

/* A number that is cut off is left; no more items are decoded than fit. */
static void
test_cut (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      gsize size = c2g_data_type_get_item_size (types[i]);
      g_autofree guint8 *items = new_items (types[i], 200, 4);
      g_autoptr (GByteArray) bytes = encode_plainly (types[i], items, 200);

      for (gsize n = 0; n <= bytes->len; n++)
        {
          g_autofree guint8 *cut = g_memdup2 (bytes->data, MAX (n, 1));
          g_autofree guint8 *decoded = g_malloc (200 * size);
          gsize n_used, n_done;

          g_assert_true (c2g_varint_decode (types[i], cut, n, &n_used, decoded, 200, &n_done));
          g_assert_cmpuint (n_used, ==, c2g_varint_measure (types[i], items, n_done));
          g_assert_cmpuint (n - n_used, <, C2G_VARINT_MAX_BYTES);
          g_assert_cmpmem (decoded, n_done * size, items, n_done * size);
        }

      for (gsize n = 0; n <= 200; n++)
        {
          g_autofree guint8 *decoded = g_malloc (MAX (n * size, 1));
          gsize n_used, n_done;

          g_assert_true (c2g_varint_decode (types[i], bytes->data, bytes->len, &n_used,
                                            decoded, n, &n_done));
          g_assert_cmpuint (n_done, ==, n);
          g_assert_cmpuint (n_used, ==, c2g_varint_measure (types[i], items, n));
        }
    }
}

/* A number has at most ten bytes, at any position. */
static void
test_too_long (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (gsize position = 0; position < 200; position++)
      for (gsize length = 8; length < 90; length += length < 14 ? 1 : 25)
        {
          guint8 bytes[300];
          gint64 decoded[300];
          gsize n_used, n_done;
          gboolean is_valid;

          memset (bytes, 0x01, sizeof bytes);
          memset (bytes + position, 0x80, length);
          is_valid = c2g_varint_decode (types[i], bytes, sizeof bytes, &n_used,
                                        decoded, sizeof bytes, &n_done);
          g_assert_cmpint (is_valid, ==, length < C2G_VARINT_MAX_BYTES);
          if (is_valid)
            g_assert_cmpuint (n_done, ==, sizeof bytes - length);
          else
            g_assert_cmpuint (n_used, <=, position);
        }
}

/* Numbers too large for the type lose their upper bits; a bool is TRUE unless 0. */
static void
test_truncated (void)
{
  static const struct
  {
    C2gDataType data_type;
    const char *bytes;
    gsize       n_bytes;
    gint64      value;
  } cases[] = {
    { C2G_DATA_TYPE_UINT8, "\xff\x7f", 2, 0xff },
    { C2G_DATA_TYPE_UINT8, "\x80\x02", 2, 0 },
    { C2G_DATA_TYPE_INT8, "\xff\x03", 2, 0xff },
    { C2G_DATA_TYPE_UINT16, "\xff\xff\xff\x7f", 4, 0xffff },
    { C2G_DATA_TYPE_UINT16, "\x80\x80\x04", 3, 0 },
    { C2G_DATA_TYPE_INT32, "\xff\xff\xff\xff\x7f", 5, 0xffffffff },
    { C2G_DATA_TYPE_INT32, "\x80\x80\x80\x80\x10", 5, 0 },
    { C2G_DATA_TYPE_INT64, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10, -1 },
    { C2G_DATA_TYPE_BOOL, "\x02", 1, 1 },
    { C2G_DATA_TYPE_BOOL, "\x80\x02", 2, 1 },
    { C2G_DATA_TYPE_BOOL, "\x80\x00", 2, 0 },
    { C2G_DATA_TYPE_BOOL, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, 1 },
    /* 2^32, whose lower 32 bits are 0. */
    { C2G_DATA_TYPE_BOOL, "\x80\x80\x80\x80\x10", 5, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize n_copies = 1; n_copies < 60; n_copies += 29)
      {
        gsize size = c2g_data_type_get_item_size (cases[i].data_type);
        g_autoptr (GByteArray) bytes = g_byte_array_new ();
        gint64 expected = GINT64_TO_LE (cases[i].value);
        gint64 decoded[100];
        gsize n_used, n_done;

        for (gsize j = 0; j < n_copies; j++)
          g_byte_array_append (bytes, (const guint8 *) cases[i].bytes, cases[i].n_bytes);
        g_assert_true (c2g_varint_decode (cases[i].data_type, bytes->data, bytes->len, &n_used,
                                          decoded, 100, &n_done));
        g_assert_cmpuint (n_done, ==, n_copies);
        if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
          for (gsize j = 0; j < n_copies; j++)
            g_assert_cmpmem ((guint8 *) decoded + j * size, size, &expected, size);
      }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/varint/single", test_single);
  c2g_test_add_func ("/varint/round-trip", test_round_trip);
  c2g_test_add_func ("/varint/borders", test_borders);
  c2g_test_add_func ("/varint/room", test_room);
  c2g_test_add_func ("/varint/cut", test_cut);
  c2g_test_add_func ("/varint/too-long", test_too_long);
  c2g_test_add_func ("/varint/truncated", test_truncated);

  return c2g_test_run ();
}
