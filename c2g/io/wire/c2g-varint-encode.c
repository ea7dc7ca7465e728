/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/wire/c2g-varint-private.h>

#include <string.h>

/* Encodes packed varints, the integers in a TensorProto, many at a time.
 *
 * Writes the maximum number of bytes for each number, and the next one begins at the real end. So
 * no branch depends on the values. */

#define HIGH_BITS G_GUINT64_CONSTANT (0x8080808080808080)

/* Number of items for which one test finds out if each of them fits into one byte. */
#define GROUP_ITEMS 8
/* Number of items whose sizes are added in a guint, in a loop that the compiler can vectorize. */
#define BLOCK_ITEMS 256

G_ALWAYS_INLINE static inline void
store_word (guint8  *data,
            guint64  word)
{
  word = GUINT64_TO_LE (word);
  memcpy (data, &word, sizeof word);
}

/* Number of bytes: ceil (bits / 7) without a division. Exact for up to 64 bits. */
G_ALWAYS_INLINE static inline guint
size_of (guint64 value)
{
  guint n_bits = 64 - __builtin_clzll (value | 1);

  return (9 * n_bits + 64) >> 6;
}

gsize
c2g_varint_size (guint64 value)
{
  return size_of (value);
}

/* Continuation bits in the first eight bytes of a number, by its length. */
static const guint64 continued_bytes[] = {
  0,
  0,
  G_GUINT64_CONSTANT (0x80),
  G_GUINT64_CONSTANT (0x8080),
  G_GUINT64_CONSTANT (0x808080),
  G_GUINT64_CONSTANT (0x80808080),
  G_GUINT64_CONSTANT (0x8080808080),
  G_GUINT64_CONSTANT (0x808080808080),
  G_GUINT64_CONSTANT (0x80808080808080),
  HIGH_BITS,
  HIGH_BITS,
};

/* Stores ten bytes and returns how many of them count. */
G_ALWAYS_INLINE static inline gsize
put_number (guint8  *data,
            guint64  value)
{
  static const guint8 ninth_byte[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80 };
  guint size = size_of (value);
  guint64 word = value & G_GUINT64_CONSTANT (0x00ffffffffffffff);

  /* Spreads the groups of seven bits to bytes: first halves of four groups, then of two, then of
   * one. */
  word = (word & 0xfffffff) | (word & ~G_GUINT64_CONSTANT (0xfffffff)) << 4;
  word = (word & G_GUINT64_CONSTANT (0x00003fff00003fff)) |
         (word & G_GUINT64_CONSTANT (0x0fffc0000fffc000)) << 2;
  word = (word & G_GUINT64_CONSTANT (0x007f007f007f007f)) |
         (word & G_GUINT64_CONSTANT (0x3f803f803f803f80)) << 1;

  store_word (data, word | continued_bytes[size]);
  data[8] = (value >> 56 & 0x7f) | ninth_byte[size];
  data[9] = value >> 63;
  return size;
}

/* The same for 32 bits. A negative number is extended to 64 bits, and so takes ten bytes. */
G_ALWAYS_INLINE static inline gsize
put_word (guint8 *data,
          gint32  value)
{
  guint64 sign = value < 0 ? G_MAXUINT64 : 0;
  guint64 bits = (guint32) value | sign << 32;
  guint64 word = (bits & 0x7f) | (bits & 0x3f80) << 1 | (bits & 0x1fc000) << 2 |
                 (bits & 0xfe00000) << 3 | (bits & G_GUINT64_CONSTANT (0x7f0000000)) << 4;
  guint size = size_of (bits);

  store_word (data, word | continued_bytes[size] |
                      (sign & G_GUINT64_CONSTANT (0xffffff0000000000)));
  data[8] = 0xff;
  data[9] = 1;
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

G_ALWAYS_INLINE static inline gsize
put_short (guint8 *data,
           gint16  value)
{
  guint64 sign = value < 0 ? G_MAXUINT64 : 0;
  guint64 bits = (guint16) value | sign << 16;
  guint64 word = (bits & 0x7f) | (bits & 0x3f80) << 1 | (bits & 0x1fc000) << 2;
  guint is_long = value >= 0x80;
  guint is_longer = value >= 0x4000;

  store_word (data, word | is_long << 7 | is_longer << 15 |
                      (sign & G_GUINT64_CONSTANT (0xffffffffff808080)));
  data[8] = 0xff;
  data[9] = 1;
  return 1 + is_long + is_longer + (sign & (C2G_VARINT_MAX_BYTES - 1));
}

/* Bit 7 is the sign and also the varint continuation bit: negative numbers take 10 bytes. */
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
      return put_word (data, ((const gint32 *) items)[i]);

    case C2G_DATA_TYPE_INT64:
      return put_number (data, ((const guint64 *) items)[i]);

    default:
      return put_unsigned_short (data, ((const guint16 *) items)[i]);
    }
}

/* Stores a group of numbers below 128, one byte each; returns FALSE if one is larger. The masks
 * have the bits that such numbers do not use. */
G_ALWAYS_INLINE static inline gboolean
put_small (guint8       *data,
           const guint8 *items,
           gsize         item_size)
{
  guint64 mask = item_size == 1   ? HIGH_BITS
                 : item_size == 2 ? G_GUINT64_CONSTANT (0xff80ff80ff80ff80)
                 : item_size == 4 ? G_GUINT64_CONSTANT (0xffffff80ffffff80)
                                  : ~G_GUINT64_CONSTANT (0x7f);
  guint64 words[GROUP_ITEMS];
  guint64 bits = 0;

  memcpy (words, items, GROUP_ITEMS * item_size);
  for (gsize i = 0; i < item_size; i++)
    bits |= words[i];
  if ((bits & mask) != 0)
    return FALSE;

  for (gsize i = 0; i < GROUP_ITEMS; i++)
    data[i] = items[G_BYTE_ORDER == G_LITTLE_ENDIAN ? i * item_size : (i + 1) * item_size - 1];
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
      if (data_type != C2G_DATA_TYPE_BOOL &&
          put_small (place, (const guint8 *) items + i * item_size, item_size))
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

/* Number of bytes besides the first one. */
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
      return size_of (((const guint64 *) items)[i]) - 1;

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
