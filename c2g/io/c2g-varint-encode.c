/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-varint-private.h>

#include <string.h>

/* Every number is written with the most bytes it could have, and the next one begins where
 * it really ends: no branch depends on the numbers.
 */

#define HIGH_BITS G_GUINT64_CONSTANT (0x8080808080808080)

/* Items that are looked at together, to see whether one byte is enough for each. */
#define GROUP_ITEMS 8
/* Items whose bytes are counted in a loop that the compiler can make vectors of. */
#define BLOCK_ITEMS 256

G_ALWAYS_INLINE static inline void
store_word (guint8  *data,
            guint64  word)
{
  word = GUINT64_TO_LE (word);
  memcpy (data, &word, sizeof word);
}

gsize
c2g_varint_size (guint64 value)
{
  return (70 - __builtin_clzll (value | 1)) / 7;
}

/* Stores ten bytes, of which so many count. */
G_ALWAYS_INLINE static inline gsize
put_number (guint8  *data,
            guint64  value)
{
  gsize size = c2g_varint_size (value);
  guint64 word = value & G_GUINT64_CONSTANT (0x00ffffffffffffff);
  guint64 continued = HIGH_BITS & ~(~G_GUINT64_CONSTANT (0) << (8 * MIN (size - 1, 7)));

  /* Four groups of seven bits, then two and one, move apart. */
  word = (word & 0xfffffff) | (word & ~G_GUINT64_CONSTANT (0xfffffff)) << 4;
  word = (word & G_GUINT64_CONSTANT (0x00003fff00003fff)) |
         (word & G_GUINT64_CONSTANT (0x0fffc0000fffc000)) << 2;
  word = (word & G_GUINT64_CONSTANT (0x007f007f007f007f)) |
         (word & G_GUINT64_CONSTANT (0x3f803f803f803f80)) << 1;
  if (size > 8)
    continued = HIGH_BITS;

  store_word (data, word | continued);
  data[8] = (value >> 56 & 0x7f) | (size > 9 ? 0x80 : 0);
  data[9] = value >> 63;
  return size;
}

gsize
c2g_varint_put (guint8  *data,
                guint64  value)
{
  guint8 bytes[C2G_VARINT_MAX_BYTES];
  gsize size = put_number (bytes, value);

  memcpy (data, bytes, size);
  return size;
}

G_ALWAYS_INLINE static inline gsize
put_unsigned_short (guint8  *data,
                    guint16  value)
{
  guint32 word = (value & 0x7f) | (guint32) (value & 0x3f80) << 1 |
                 (guint32) (value & 0xc000) << 2;
  guint is_long = value >= 0x80;
  guint is_longer = value >= 0x4000;

  word = GUINT32_TO_LE (word | is_long << 7 | is_longer << 15);
  memcpy (data, &word, sizeof word);
  return 1 + is_long + is_longer;
}

/* A negative number has all bits up to the 64th. */
G_ALWAYS_INLINE static inline gsize
put_short (guint8 *data,
           gint16  value)
{
  guint is_negative = value < 0;
  guint64 bits = (guint64) (gint64) value;
  guint64 word = (bits & 0x7f) | (bits & 0x3f80) << 1 | (bits & 0x1fc000) << 2;
  guint64 continued = (guint64) (value >= 0x80) << 7 | (guint64) (value >= 0x4000) << 15;
  gsize size = 1 + (value >= 0x80) + (value >= 0x4000);

  store_word (data, is_negative ? word | G_GUINT64_CONSTANT (0xffffffffff808080)
                                : word | continued);
  data[8] = 0xff;
  data[9] = 1;
  return is_negative ? C2G_VARINT_MAX_BYTES : size;
}

/* The high bit of a negative byte is where its first byte goes on, too. */
G_ALWAYS_INLINE static inline gsize
put_byte (guint8 *data,
          guint8  value)
{
  store_word (data, value | ~G_GUINT64_CONSTANT (0xff));
  data[8] = 0xff;
  data[9] = 1;
  return 1 + (C2G_VARINT_MAX_BYTES - 1) * (value >> 7);
}

G_ALWAYS_INLINE static inline gsize
put_unsigned_byte (guint8 *data,
                   guint8  value)
{
  data[0] = value;
  data[1] = value >> 7;
  return 1 + (value >> 7);
}

G_ALWAYS_INLINE static inline gsize
put_item (guint8        *data,
          gconstpointer  items,
          gsize          i,
          C2gDataType    data_type)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_BOOL:
      data[0] = ((const guint8 *) items)[i] != 0;
      return 1;

    case C2G_DATA_TYPE_UINT8:
      return put_unsigned_byte (data, ((const guint8 *) items)[i]);

    case C2G_DATA_TYPE_INT8:
      return put_byte (data, ((const guint8 *) items)[i]);

    case C2G_DATA_TYPE_INT16:
      return put_short (data, ((const gint16 *) items)[i]);

    case C2G_DATA_TYPE_INT32:
      return put_number (data, (guint64) ((const gint32 *) items)[i]);

    case C2G_DATA_TYPE_INT64:
      return put_number (data, ((const guint64 *) items)[i]);

    default:
      return put_unsigned_short (data, ((const guint16 *) items)[i]);
    }
}

/* What decides whether an item needs more than one byte. */
G_ALWAYS_INLINE static inline guint64
get_bits (gconstpointer items,
          gsize         i,
          gsize         item_size)
{
  switch (item_size)
    {
    case 1:
      return ((const guint8 *) items)[i];

    case 2:
      return ((const guint16 *) items)[i];

    case 4:
      return ((const guint32 *) items)[i];

    default:
      return ((const guint64 *) items)[i];
    }
}

/* A group of numbers below 128 goes as it is; others are not written. */
G_ALWAYS_INLINE static inline gboolean
put_small (guint8        *data,
           gconstpointer  items,
           gsize          i,
           gsize          item_size)
{
  guint64 bits = 0;

  for (gsize j = 0; j < GROUP_ITEMS; j++)
    bits |= get_bits (items, i + j, item_size);
  if (bits >= 0x80)
    return FALSE;

  for (gsize j = 0; j < GROUP_ITEMS; j++)
    data[j] = (guint8) get_bits (items, i + j, item_size);
  return TRUE;
}

G_ALWAYS_INLINE static inline gsize
encode (gconstpointer  items,
        gsize          n_items,
        guint8        *data,
        gsize          n_bytes,
        gsize         *n_written,
        C2gDataType    data_type,
        gsize          item_size)
{
  guint8 *place = data;
  guint8 *end = data + n_bytes;
  gsize i = 0;

  while (n_items - i >= GROUP_ITEMS && end - place >= GROUP_ITEMS * C2G_VARINT_MAX_BYTES)
    {
      if (data_type != C2G_DATA_TYPE_BOOL && put_small (place, items, i, item_size))
        place += GROUP_ITEMS;
      else
        for (gsize j = 0; j < GROUP_ITEMS; j++)
          place += put_item (place, items, i + j, data_type);
      i += GROUP_ITEMS;
    }

  for (; i < n_items; i++)
    {
      guint8 bytes[C2G_VARINT_MAX_BYTES];
      gsize size = put_item (bytes, items, i, data_type);

      if ((gsize) (end - place) < size)
        break;
      memcpy (place, bytes, size);
      place += size;
    }

  *n_written = place - data;
  return i;
}

gsize
c2g_varint_encode (C2gDataType    data_type,
                   gconstpointer  items,
                   gsize          n_items,
                   guint8        *data,
                   gsize          n_bytes,
                   gsize         *n_written)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_BOOL:
      return encode (items, n_items, data, n_bytes, n_written, C2G_DATA_TYPE_BOOL, 1);

    case C2G_DATA_TYPE_UINT8:
      return encode (items, n_items, data, n_bytes, n_written, C2G_DATA_TYPE_UINT8, 1);

    case C2G_DATA_TYPE_INT8:
      return encode (items, n_items, data, n_bytes, n_written, C2G_DATA_TYPE_INT8, 1);

    case C2G_DATA_TYPE_INT16:
      return encode (items, n_items, data, n_bytes, n_written, C2G_DATA_TYPE_INT16, 2);

    case C2G_DATA_TYPE_INT32:
      return encode (items, n_items, data, n_bytes, n_written, C2G_DATA_TYPE_INT32, 4);

    case C2G_DATA_TYPE_INT64:
      return encode (items, n_items, data, n_bytes, n_written, C2G_DATA_TYPE_INT64, 8);

    default:
      return encode (items, n_items, data, n_bytes, n_written, C2G_DATA_TYPE_UINT16, 2);
    }
}

/* Bytes beyond the first one. */
G_ALWAYS_INLINE static inline guint
get_extra (gconstpointer items,
           gsize         i,
           C2gDataType   data_type)
{
  guint8 byte;
  gint16 number;
  guint16 pattern;
  guint32 word;

  switch (data_type)
    {
    case C2G_DATA_TYPE_BOOL:
      return 0;

    case C2G_DATA_TYPE_UINT8:
      return ((const guint8 *) items)[i] >> 7;

    case C2G_DATA_TYPE_INT8:
      byte = ((const guint8 *) items)[i];
      return (C2G_VARINT_MAX_BYTES - 1) * (byte >> 7);

    case C2G_DATA_TYPE_INT16:
      number = ((const gint16 *) items)[i];
      return (number >= 0x80) + (number >= 0x4000) +
             (number < 0) * (C2G_VARINT_MAX_BYTES - 1);

    case C2G_DATA_TYPE_INT32:
      word = ((const guint32 *) items)[i];
      return (word >= 1u << 7) + (word >= 1u << 14) + (word >= 1u << 21) + (word >= 1u << 28) +
             5 * (word >> 31);

    case C2G_DATA_TYPE_INT64:
      return c2g_varint_size (((const guint64 *) items)[i]) - 1;

    default:
      pattern = ((const guint16 *) items)[i];
      return (pattern >= 0x80) + (pattern >= 0x4000);
    }
}

G_ALWAYS_INLINE static inline gsize
measure (gconstpointer items,
         gsize         n_items,
         C2gDataType   data_type)
{
  gsize n_bytes = n_items;
  gsize i = 0;

  for (; n_items - i >= BLOCK_ITEMS; i += BLOCK_ITEMS)
    {
      guint n_extra = 0;

      for (gsize j = 0; j < BLOCK_ITEMS; j++)
        n_extra += get_extra (items, i + j, data_type);
      n_bytes += n_extra;
    }
  for (; i < n_items; i++)
    n_bytes += get_extra (items, i, data_type);

  return n_bytes;
}

gsize
c2g_varint_measure (C2gDataType   data_type,
                    gconstpointer items,
                    gsize         n_items)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_BOOL:
      return n_items;

    case C2G_DATA_TYPE_UINT8:
      return measure (items, n_items, C2G_DATA_TYPE_UINT8);

    case C2G_DATA_TYPE_INT8:
      return measure (items, n_items, C2G_DATA_TYPE_INT8);

    case C2G_DATA_TYPE_INT16:
      return measure (items, n_items, C2G_DATA_TYPE_INT16);

    case C2G_DATA_TYPE_INT32:
      return measure (items, n_items, C2G_DATA_TYPE_INT32);

    case C2G_DATA_TYPE_INT64:
      return measure (items, n_items, C2G_DATA_TYPE_INT64);

    default:
      return measure (items, n_items, C2G_DATA_TYPE_UINT16);
    }
}
