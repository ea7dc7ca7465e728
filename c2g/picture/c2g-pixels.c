/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-pixels-private.h"

#include <c2g/core/types/c2g-hot-private.h>

#include <string.h>

/* Converts pictures to tensors row by row: interpolates each component (red, luma …) between the
 * four source pixels around the new one, combines components to channels, and rounds, normalizes
 * and stores these. Each step is a loop over one row, which stays in the cache.
 *
 * The new pixel at POSITION is at (position + 0.5) × size / new_size - 0.5 in the source, where
 * size is that of the selected part. Values are exact until they are rounded to integers, half to
 * even. */

/* Gray border of letterboxes, as in the training of YOLO. */
#define BORDER 114

/* Source positions along one axis, in bytes for rows and in rows for columns: the value is first +
 * weight (second - first). */
typedef struct
{
  gint32 *first;
  gint32 *second;
  float  *weights;
} Axis;

typedef struct
{
  /* TRUE if a channel needs the component. */
  gboolean is_used;
  /* TRUE if every new pixel is at a source pixel, so that no interpolation is needed. */
  gboolean is_exact;
  Axis     x;
  Axis     y;
  /* Number of new pixels of a row for which a 4-byte load of both neighbours stays inside the
   * source row. */
  gsize    n_whole;
  /* Values of the component in the current row. */
  float   *row;
} Component;

struct _C2gPixelScaler
{
  C2gPixels      pixels;
  C2gPictureForm form;
  C2gPictureFit  fit;

  Component      components[C2G_PIXELS_MAX_COMPONENTS];
  /* The first three components, in the order of their bytes, if these are adjacent as in RGB. */
  Component     *packed[3];
  /* The factors of each channel, pointing into pixels.colors. */
  const float   *channels[C2G_PICTURE_MAX_CHANNELS];
  /* Current row of a channel that is a sum of several components. */
  float         *mixed;
};

/* Loops */

/* The two source rows around a new row. */
typedef struct
{
  const guint8 *top;
  const guint8 *bottom;
  float         weight;
} Lines;

C2G_HOT static void
pick (const guint8 *line,
      const gint32 *offsets,
      gsize         n,
      float        *row)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    row[i] = line[offsets[i]];
}

/* Four bytes, possibly unaligned. Compilers vectorize loops over words but not those over bytes.
 * Lines begin with the wanted byte: a shift by a constant takes half as long as any other. */
typedef guint32 Word __attribute__ ((aligned (1), may_alias));

#define WORD(line, offset) GUINT32_FROM_LE (*(const Word *) ((line) + (offset)))
#define BYTE(word, shift)  ((float) (int) ((word) >> (shift) & 255))

#define BETWEEN(a, b, weight) ((a) + ((b) - (a)) * (weight))
#define STORE(row, shift)                                                                          \
  row[i] = BETWEEN (BETWEEN (BYTE (a, shift), BYTE (b, shift), weights[i]),                        \
                    BETWEEN (BYTE (c, shift), BYTE (d, shift), weights[i]), weight)

static void
interpolate_bytes (const Lines *lines,
                   const Axis  *x,
                   gsize        begin,
                   gsize        n,
                   float       *row)
{
  for (gsize i = begin; i < n; i++)
    {
      const float a = lines->top[x->first[i]], b = lines->top[x->second[i]];
      const float c = lines->bottom[x->first[i]], d = lines->bottom[x->second[i]];

      row[i] = BETWEEN (BETWEEN (a, b, x->weights[i]), BETWEEN (c, d, x->weights[i]), lines->weight);
    }
}

C2G_HOT static void
interpolate_words (const Lines        *lines,
                   const Component    *component,
                   const C2gComponent *layout)
{
  const guint8 *top = lines->top, *bottom = lines->bottom;
  const guint8 *top_right = top + layout->step, *bottom_right = bottom + layout->step;
  const gint32 *first = component->x.first;
  const float *weights = component->x.weights;
  const float weight = lines->weight;
  const gsize n = component->n_whole;
  float *row = component->row;

  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    {
      const guint32 a = WORD (top, first[i]), b = WORD (top_right, first[i]);
      const guint32 c = WORD (bottom, first[i]), d = WORD (bottom_right, first[i]);

      STORE (row, 0);
    }
}

/* Loads the pixels of three adjacent components once. */
C2G_HOT static void
interpolate_three (const Lines        *lines,
                   Component *const   *components,
                   const C2gComponent *layout)
{
  const guint8 *top = lines->top, *bottom = lines->bottom;
  const guint8 *top_right = top + layout->step, *bottom_right = bottom + layout->step;
  const gint32 *first = components[0]->x.first;
  const float *weights = components[0]->x.weights;
  const float weight = lines->weight;
  const gsize n = components[0]->n_whole;
  float *row0 = components[0]->row, *row1 = components[1]->row, *row2 = components[2]->row;

  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    {
      const guint32 a = WORD (top, first[i]), b = WORD (top_right, first[i]);
      const guint32 c = WORD (bottom, first[i]), d = WORD (bottom_right, first[i]);

      STORE (row0, 0);
      STORE (row1, 8);
      STORE (row2, 16);
    }
}

C2G_HOT static void
mix (const Component *components,
     const float     *numbers,
     gsize            n,
     float           *mixed)
{
  const float *a = components[0].row, *b = components[1].row, *c = components[2].row;

  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    {
      const float sum = a[i] * numbers[0] + b[i] * numbers[1] + c[i] * numbers[2] +
                        numbers[C2G_PIXELS_MAX_COMPONENTS];

      mixed[i] = CLAMP (sum, 0, 255);
    }
}

/* Rounds 0 … 255 to an integer: adding 1.5 · 2^23 leaves no bits for the fraction. */
#define WHOLE    12582912.0f
#define ROUND(x) ((x) + WHOLE - WHOLE)

C2G_HOT static void
store_floats (const float *row,
              gsize        n,
              float        mean,
              float        scale,
              float       *to,
              gsize        step)
{
  if (step == 1)
    {
      C2G_INDEPENDENT
      for (gsize i = 0; i < n; i++)
        to[i] = (ROUND (row[i]) - mean) * scale;
    }
  else
    for (gsize i = 0; i < n; i++)
      to[i * step] = (ROUND (row[i]) - mean) * scale;
}

C2G_HOT static void
store_bytes (const float *row,
             gsize        n,
             guint8      *to,
             gsize        step)
{
  if (step == 1)
    {
      C2G_INDEPENDENT
      for (gsize i = 0; i < n; i++)
        to[i] = (int) ROUND (row[i]);
    }
  else
    for (gsize i = 0; i < n; i++)
      to[i * step] = (int) ROUND (row[i]);
}

/* Positions */

/* One axis of a component: its source pixels, the selected part, and the number of new pixels. */
typedef struct
{
  int      size;
  int      start;
  int      length;
  int      new_length;
  guint    shift;
  gboolean is_cosited;
} Span;

/* Returns the source position of a new pixel. */
static double
find_place (const Span *span,
            int         position,
            gboolean    is_nearest)
{
  const double place = span->start + (position + 0.5) * span->length / span->new_length;
  const int last = ((span->size - 1) >> span->shift);

  if (is_nearest)
    return MIN ((int) place >> span->shift, last);
  if (span->shift > 0 && span->is_cosited)
    return CLAMP ((place - 0.5) / (1 << span->shift), 0, last);

  /* Positions outside of the selected part are clamped to it. */
  return CLAMP (place / (1 << span->shift) - 0.5, span->start >> span->shift,
                (span->start + span->length - 1) >> span->shift);
}

/* Returns TRUE if all positions are source pixels. */
static gboolean
axis_init (Axis       *self,
           const Span *span,
           gboolean    is_nearest,
           gsize       step)
{
  const int last = (span->size - 1) >> span->shift;
  gboolean is_exact = TRUE;

  self->first = g_new (gint32, span->new_length);
  self->second = g_new (gint32, span->new_length);
  self->weights = g_new (float, span->new_length);
  for (int i = 0; i < span->new_length; i++)
    {
      const double place = find_place (span, i, is_nearest);
      const int first = place;

      self->first[i] = first * step;
      self->second[i] = MIN (first + 1, last) * step;
      self->weights[i] = place - first;
      is_exact = is_exact && self->weights[i] == 0;
    }

  return is_exact;
}

static void
axis_clear (Axis *self)
{
  g_free (self->first);
  g_free (self->second);
  g_free (self->weights);
}

static void
component_init (Component            *self,
                const C2gPixelScaler *scaler,
                const C2gComponent   *layout)
{
  const C2gPictureFit *fit = &scaler->fit;
  const Span x = { scaler->pixels.width, fit->x, fit->width, fit->new_width, layout->x_shift,
                   layout->is_x_cosited };
  const Span y = { scaler->pixels.height, fit->y, fit->height, fit->new_height, layout->y_shift,
                   layout->is_y_cosited };
  const gsize end = (((x.size - 1) >> x.shift) + 1) * layout->step;
  const gboolean is_exact = axis_init (&self->x, &x, scaler->form.is_nearest, layout->step);

  self->is_exact = axis_init (&self->y, &y, scaler->form.is_nearest, 1) && is_exact;
  while (self->n_whole < (gsize) fit->new_width &&
         self->x.first[self->n_whole] + layout->offset + layout->step + sizeof (Word) <= end)
    self->n_whole++;
  self->is_used = TRUE;
}

static void
component_clear (Component *self)
{
  axis_clear (&self->x);
  axis_clear (&self->y);
  g_free (self->row);
}

/* Puts the first three components into self->packed if they lie beside each other. */
static void
find_packed (C2gPixelScaler *self)
{
  const C2gComponent *layout = self->pixels.components;
  const gsize begin = MIN (MIN (layout[0].offset, layout[1].offset), layout[2].offset);
  Component *packed[G_N_ELEMENTS (self->packed)] = { NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (packed); i++)
    {
      if (!self->components[i].is_used || layout[i].plane != layout->plane ||
          layout[i].step != layout->step || layout[i].x_shift != 0 || layout[i].y_shift != 0 ||
          layout[i].offset - begin >= G_N_ELEMENTS (packed))
        return;
      packed[layout[i].offset - begin] = &self->components[i];
    }
  if (packed[0] != NULL && packed[1] != NULL && packed[2] != NULL && !packed[0]->is_exact)
    memcpy (self->packed, packed, sizeof packed);
}

/* Finds the components of each channel. */
static void
add_channels (C2gPixelScaler *self)
{
  for (gsize c = 0; c < self->form.n_channels; c++)
    {
      const char *name = strchr ("RGBA", self->form.channels[c]);

      self->channels[c] =
        self->pixels.colors[self->form.n_channels == 1 ? C2G_PIXELS_GRAY : name - "RGBA"];
      for (gsize i = 0; i < C2G_PIXELS_MAX_COMPONENTS; i++)
        if (self->channels[c][i] != 0 && !self->components[i].is_used)
          component_init (&self->components[i], self, &self->pixels.components[i]);
    }
}

C2gPixelScaler *
c2g_pixel_scaler_new (const C2gPixels      *pixels,
                      const C2gPictureForm *form,
                      const C2gPictureFit  *fit)
{
  C2gPixelScaler *self = g_new0 (C2gPixelScaler, 1);

  self->pixels = *pixels;
  self->form = *form;
  self->fit = *fit;
  for (gsize i = 0; i < C2G_PIXELS_MAX_COMPONENTS; i++)
    self->components[i].row = g_new0 (float, fit->new_width);
  self->mixed = g_new (float, fit->new_width);
  add_channels (self);
  find_packed (self);

  return self;
}

void
c2g_pixel_scaler_free (C2gPixelScaler *self)
{
  for (gsize i = 0; i < C2G_PIXELS_MAX_COMPONENTS; i++)
    component_clear (&self->components[i]);
  g_free (self->mixed);
  g_free (self);
}

/* Rows */

static void
fill_component (const C2gPixelScaler *self,
                const Lines          *lines,
                gsize                 i)
{
  const Component *component = &self->components[i];
  const gsize offset = self->pixels.components[i].offset;
  const gsize n = self->fit.new_width;
  const Lines own = { lines->top + offset, lines->bottom + offset, lines->weight };

  if (component->is_exact)
    {
      pick (own.top, component->x.first, n, component->row);
      return;
    }
  if (self->packed[0] == NULL || i >= G_N_ELEMENTS (self->packed))
    interpolate_words (&own, component, &self->pixels.components[i]);
  else if (component == self->packed[0])
    interpolate_three (&own, self->packed, &self->pixels.components[i]);
  interpolate_bytes (&own, &component->x, component->n_whole, n, component->row);
}

static void
fill_components (const C2gPixelScaler *self,
                 const guint8 *const  *planes,
                 const int            *strides,
                 int                   y)
{
  for (gsize i = 0; i < C2G_PIXELS_MAX_COMPONENTS; i++)
    if (self->components[i].is_used)
      {
        const guint plane = self->pixels.components[i].plane;
        const Axis *axis = &self->components[i].y;
        const Lines lines = { planes[plane] + axis->first[y] * (gssize) strides[plane],
                              planes[plane] + axis->second[y] * (gssize) strides[plane],
                              axis->weights[y] };

        fill_component (self, &lines, i);
      }
}

/* Returns the current row of a channel. If it is a single component, that is the component's row. */
static const float *
mix_channel (const C2gPixelScaler *self,
             const float          *numbers)
{
  static const float one[C2G_PIXELS_MAX_COMPONENTS][C2G_PIXELS_MAX_COMPONENTS + 1] = {
    { 1 }, { 0, 1 }, { 0, 0, 1 }, { 0, 0, 0, 1 }
  };

  for (gsize i = 0; i < C2G_PIXELS_MAX_COMPONENTS; i++)
    if (memcmp (numbers, one[i], sizeof one[i]) == 0)
      return self->components[i].row;
  mix (self->components, numbers, self->fit.new_width, self->mixed);

  return self->mixed;
}

static void
store_channel (const C2gPixelScaler *self,
               gsize                 c,
               int                   y,
               const float          *row,
               gpointer              elements)
{
  const C2gPictureForm *form = &self->form;
  const gsize pixel = (gsize) (self->fit.new_y + y) * form->width + self->fit.new_x;
  const gsize at = form->is_nhwc ? pixel * form->n_channels + c
                                 : c * form->width * form->height + pixel;
  const gsize step = form->is_nhwc ? form->n_channels : 1;

  if (form->data_type == C2G_DATA_TYPE_UINT8)
    store_bytes (row, self->fit.new_width, (guint8 *) elements + at, step);
  else
    store_floats (row, self->fit.new_width, form->mean[c], form->scale[c], (float *) elements + at,
                  step);
}

static void
fill_border (const C2gPixelScaler *self,
             gpointer              elements)
{
  const C2gPictureForm *form = &self->form;
  const gsize n_pixels = (gsize) form->width * form->height;

  for (gsize i = 0; i < n_pixels * form->n_channels; i++)
    {
      const gsize c = form->is_nhwc ? i % form->n_channels : i / n_pixels;

      if (form->data_type == C2G_DATA_TYPE_UINT8)
        ((guint8 *) elements)[i] = BORDER;
      else
        ((float *) elements)[i] = (BORDER - (float) form->mean[c]) * (float) form->scale[c];
    }
}

void
c2g_pixel_scaler_run (C2gPixelScaler      *self,
                      const guint8 *const *planes,
                      const int           *strides,
                      gpointer             elements)
{
  const C2gPictureFit *fit = &self->fit;

  if (fit->new_width < self->form.width || fit->new_height < self->form.height)
    fill_border (self, elements);

  for (int y = 0; y < fit->new_height; y++)
    {
      fill_components (self, planes, strides, y);
      for (gsize c = 0; c < self->form.n_channels; c++)
        store_channel (self, c, y, mix_channel (self, self->channels[c]), elements);
    }
}
