/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/wire/c2g-varint-private.h>

#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>
#ifdef __SSE2__
# include <emmintrin.h>
#endif

/* Decodes packed varints, the integers in a TensorProto, many at a time.
 *
 * A branch for each byte is slow when the lengths vary. So this finds the last bytes of all
 * numbers in a block at once, as a bit mask, and decodes the numbers without branches. Only the
 * loop over the numbers is left for branch prediction. */

/* A block has a byte for each bit of the mask. */
#define BLOCK_BYTES 64
/* Number of bytes that are read beyond the block: a number may begin at its last byte, and ten bytes
 * are loaded for each number, however many it has. */
#define OVERHANG_BYTES C2G_VARINT_MAX_BYTES

#ifndef __SSE2__
# define HIGH_BITS G_GUINT64_CONSTANT (0x8080808080808080)
#endif

G_ALWAYS_INLINE static inline guint64
load_word (const guint8 *data)
{
  guint64 word;

  memcpy (&word, data, sizeof word);
  return GUINT64_FROM_LE (word);
}

/* Loads up to eight bytes of a number. */
G_ALWAYS_INLINE static inline guint64
load_bytes (const guint8 *data,
            guint         n_bytes)
{
  static const guint64 masks[] = {
    0,
    G_GUINT64_CONSTANT (0xff),
    G_GUINT64_CONSTANT (0xffff),
    G_GUINT64_CONSTANT (0xffffff),
    G_GUINT64_CONSTANT (0xffffffff),
    G_GUINT64_CONSTANT (0xffffffffff),
    G_GUINT64_CONSTANT (0xffffffffffff),
    G_GUINT64_CONSTANT (0xffffffffffffff),
    G_MAXUINT64,
    G_MAXUINT64,
    G_MAXUINT64,
  };

  return load_word (data) & masks[n_bytes];
}

/* Loads bytes 9 and 10 of a number with up to 64 bits. */
G_ALWAYS_INLINE static inline guint64
load_tail (const guint8 *data,
           guint         n_bytes)
{
  static const guint8 ninth[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0x7f };
  static const guint8 tenth[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };

  return (guint64) (data[8] & ninth[n_bytes]) << 56 | (guint64) (data[9] & tenth[n_bytes]) << 63;
}

/* Joins groups of seven bits, as many as the item size needs. Bits beyond it are lost. */
G_ALWAYS_INLINE static inline guint64
take_number (const guint8 *data,
             guint         n_bytes,
             gsize         item_size)
{
  guint64 word;

  /* The second byte counts only if the first has its continuation bit set. */
  if (item_size == 1)
    return (data[0] & 0x7f) | (data[1] & data[0] >> 7) << 7;

  word = load_bytes (data, n_bytes);
  if (item_size == 2)
    return (word & 0x7f) | (word >> 1 & 0x3f80) | (word >> 2 & 0xc000);
  if (item_size == 4)
    return (word & 0x7f) | (word >> 1 & 0x3f80) | (word >> 2 & 0x1fc000) |
           (word >> 3 & 0xfe00000) | (word >> 4 & 0xf0000000);

  word = (word & G_GUINT64_CONSTANT (0x007f007f007f007f)) |
         (word >> 1 & G_GUINT64_CONSTANT (0x3f803f803f803f80));
  word = (word & G_GUINT64_CONSTANT (0x00003fff00003fff)) |
         (word >> 2 & G_GUINT64_CONSTANT (0x0fffc0000fffc000));
  word = (word & 0xfffffff) | (word >> 4 & G_GUINT64_CONSTANT (0xfffffff0000000));
  return word | load_tail (data, n_bytes);
}

G_ALWAYS_INLINE static inline void
store (gpointer items,
       gsize    i,
       guint64  value,
       gsize    item_size,
       gboolean is_bool)
{
  switch (item_size)
    {
    case 1:
      ((guint8 *) items)[i] = is_bool ? (guint32) value != 0 : (guint8) value;
      return;

    case 2:
      ((guint16 *) items)[i] = (guint16) value;
      return;

    case 4:
      ((guint32 *) items)[i] = (guint32) value;
      return;

    default:
      ((guint64 *) items)[i] = value;
      return;
    }
}

/* Returns a mask with a bit for each byte that has the continuation bit. The version without SSE2
 * gathers the bits of a word in its highest byte by a product. */
#ifdef __SSE2__
G_ALWAYS_INLINE static inline guint64
find_continued (const guint8 *data)
{
  guint64 bits = 0;

  for (guint i = 0; i < 4; i++)
    {
      __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) (data + 16 * i));

      bits |= (guint64) _mm_movemask_epi8 (bytes) << (16 * i);
    }

  return bits;
}
#else
G_ALWAYS_INLINE static inline guint64
find_continued (const guint8 *data)
{
  guint64 bits = 0;

  for (guint i = 0; i < 8; i++)
    {
      guint64 word = (load_word (data + 8 * i) & HIGH_BITS) >> 7;

      bits |= (word * G_GUINT64_CONSTANT (0x0102040810204080) >> 56) << (8 * i);
    }

  return bits;
}
#endif

/* Returns TRUE if there are ten continuation bytes in a row: a number is longer than allowed. */
G_ALWAYS_INLINE static inline gboolean
has_too_long (guint64 continued)
{
  guint64 runs = continued & continued >> 1;

  runs &= runs >> 2;
  runs &= runs >> 4;
  runs &= runs >> 2;
  return runs != 0;
}

/* Stores a block in which each number has one byte. */
G_ALWAYS_INLINE static inline void
widen (const guint8 *restrict data,
       gpointer restrict items,
       gsize             item_size,
       gboolean          is_bool)
{
  for (gsize i = 0; i < BLOCK_BYTES; i++)
    store (items, i, data[i], item_size, is_bool);
}

/* Decodes the numbers that end in the block, whose last bytes are in the mask ENDS. Returns the
 * offset of the next number. A boolean is true if any of the lower 32 bits is set, like the int32
 * that it is in the file. */
G_ALWAYS_INLINE static inline guint
take_block (const guint8 *block,
            guint64       ends,
            gpointer      items,
            gsize        *n_items,
            gsize         item_size,
            gboolean      is_bool)
{
  guint begin = 0;
  gsize n = 0;

  while (ends != 0)
    {
      guint end = __builtin_ctzll (ends) + 1;

      store (items, n++, take_number (block + begin, end - begin, is_bool ? 4 : item_size),
             item_size, is_bool);
      begin = end;
      ends &= ends - 1;
    }

  *n_items = n;
  return begin;
}

/* Decodes blocks while there is room for as many numbers as a block can contain. */
G_ALWAYS_INLINE static inline gboolean
decode_blocks (const guint8 *data,
               gsize         n_bytes,
               gsize        *n_used,
               gpointer      items,
               gsize         n_items,
               gsize        *n_done,
               gsize         item_size,
               gboolean      is_bool)
{
  guint8 *place = items;
  guint8 *end = place + n_items * item_size;
  gsize position = 0;
  gboolean is_valid = TRUE;

  while (n_bytes - position >= BLOCK_BYTES + OVERHANG_BYTES &&
         (gsize) (end - place) >= BLOCK_BYTES * item_size)
    {
      const guint8 *block = data + position;
      guint64 continued = find_continued (block);
      gsize n;

      if (continued == 0)
        {
          widen (block, place, item_size, is_bool);
          position += BLOCK_BYTES;
          place += BLOCK_BYTES * item_size;
          continue;
        }

      is_valid = !has_too_long (continued);
      if (!is_valid)
        break;
      position += take_block (block, ~continued, place, &n, item_size, is_bool);
      place += n * item_size;
    }

  *n_used = position;
  *n_done = (place - (guint8 *) items) / item_size;
  return is_valid;
}

/* A function for each size, which the compiler then knows in the loops. */
#define DEFINE_DECODE(name, item_size, is_bool)                                                    \
  static gboolean                                                                                  \
  name (const guint8 *data, gsize n_bytes, gsize *n_used, gpointer items, gsize n_items,           \
        gsize *n_done)                                                                             \
  {                                                                                                \
    return decode_blocks (data, n_bytes, n_used, items, n_items, n_done, item_size, is_bool);      \
  }

DEFINE_DECODE (decode_bools, 1, TRUE)
DEFINE_DECODE (decode_bytes, 1, FALSE)
DEFINE_DECODE (decode_shorts, 2, FALSE)
DEFINE_DECODE (decode_words, 4, FALSE)
DEFINE_DECODE (decode_long_words, 8, FALSE)

void
c2g_varint_store (C2gDataType data_type,
                  gpointer    items,
                  gsize       i,
                  guint64     value)
{
  store (items, i, value, c2g_data_type_get_item_size (data_type),
         data_type == C2G_DATA_TYPE_BOOL);
}

/* Decodes the numbers that are left, one at a time, where too little is left for a block. */
static gboolean
decode_rest (C2gDataType   data_type,
             const guint8 *data,
             gsize         n_bytes,
             gsize        *n_used,
             gpointer      items,
             gsize         n_items,
             gsize        *n_done)
{
  gsize item_size = c2g_data_type_get_item_size (data_type);

  while (*n_used < n_bytes && *n_done < n_items)
    {
      guint64 value;
      gsize n = c2g_wire_scan_varint (data + *n_used, n_bytes - *n_used, &value);

      if (n == 0)
        return n_bytes - *n_used < C2G_VARINT_MAX_BYTES;
      store (items, (*n_done)++, value, item_size, data_type == C2G_DATA_TYPE_BOOL);
      *n_used += n;
    }

  return TRUE;
}

gboolean
c2g_varint_decode (C2gDataType   data_type,
                   const guint8 *data,
                   gsize         n_bytes,
                   gsize        *n_used,
                   gpointer      items,
                   gsize         n_items,
                   gsize        *n_done)
{
  gboolean is_valid;

  switch (data_type)
    {
    case C2G_DATA_TYPE_BOOL:
      is_valid = decode_bools (data, n_bytes, n_used, items, n_items, n_done);
      break;

    case C2G_DATA_TYPE_UINT8:
    case C2G_DATA_TYPE_INT8:
      is_valid = decode_bytes (data, n_bytes, n_used, items, n_items, n_done);
      break;

    case C2G_DATA_TYPE_INT32:
      is_valid = decode_words (data, n_bytes, n_used, items, n_items, n_done);
      break;

    case C2G_DATA_TYPE_INT64:
      is_valid = decode_long_words (data, n_bytes, n_used, items, n_items, n_done);
      break;

    default:
      is_valid = decode_shorts (data, n_bytes, n_used, items, n_items, n_done);
      break;
    }

  return is_valid && decode_rest (data_type, data, n_bytes, n_used, items, n_items, n_done);
}
