/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-drawing.h"

#include "c2g-gst-finding.h"
#include "c2g-gst-pixels.h"

#include <pango/pangocairo.h>

/* Labels may be files of strangers: Pango gets no more bytes of one than these. */
#define MAX_LABEL 200
/* Pixels between the text and the border of its rectangle. */
#define PADDING   3
/* Pixels of a font whose size nobody gives. */
#define MIN_FONT  10
#define MAX_FONT  28
/* Cairo cannot draw the largest fonts that Pango reads. */
#define MAX_SIZE  (1000 * PANGO_SCALE)
/* Cairo has no larger surfaces. */
#define MAX_SIDE  32767

struct _C2gGstDrawing
{
  PangoLayout          *layout;
  PangoFontDescription *font;
  /* The size follows from the frame otherwise. */
  gboolean              has_size;
  int                   line_width;
  int                   width;
  int                   height;
};

typedef struct
{
  int x;
  int y;
  int width;
  int height;
} Area;

/* A region as it is drawn.  The class of a whole frame has no box. */
typedef struct
{
  /* NULL for none. */
  char     *text;
  guint8    rgb[3];
  gboolean  has_box;
} Caption;

C2gGstDrawing *
c2g_gst_drawing_new (const char *font,
                     guint       line_width)
{
  C2gGstDrawing *self = g_new0 (C2gGstDrawing, 1);
  /* Pango's default map belongs to a thread, and this one may be used by several threads in turn. */
  PangoFontMap *map = pango_cairo_font_map_new ();
  PangoContext *context = pango_font_map_create_context (map);

  self->font = pango_font_description_from_string (font != NULL ? font : "Sans");
  self->has_size = pango_font_description_get_size (self->font) != 0;
  if (pango_font_description_get_size (self->font) > MAX_SIZE)
    pango_font_description_set_size (self->font, MAX_SIZE);
  self->layout = pango_layout_new (context);
  pango_layout_set_single_paragraph_mode (self->layout, TRUE);
  pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_END);
  self->line_width = MIN (line_width, G_MAXINT);
  g_object_unref (context);
  g_object_unref (map);

  return self;
}

void
c2g_gst_drawing_set_frame (C2gGstDrawing *self,
                           int            width,
                           int            height)
{
  if (!self->has_size)
    pango_font_description_set_absolute_size (self->font, CLAMP (height / 20, MIN_FONT, MAX_FONT) * PANGO_SCALE);
  pango_layout_set_font_description (self->layout, self->font);
  pango_layout_set_width (self->layout, CLAMP (width - 2 * PADDING, 1, MAX_SIDE) * PANGO_SCALE);
  self->width = width;
  self->height = height;
}

void
c2g_gst_drawing_free (C2gGstDrawing *self)
{
  g_object_unref (self->layout);
  pango_font_description_free (self->font);
  g_free (self);
}

/* Rectangles */

static void
add_pixels (GstVideoOverlayComposition *composition,
            GstBuffer                  *pixels,
            const Area                 *area)
{
  GstVideoOverlayRectangle *rectangle;

  gst_buffer_add_video_meta (pixels, 0, GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, area->width, area->height);
  rectangle = gst_video_overlay_rectangle_new_raw (pixels, area->x, area->y, area->width, area->height,
                                                   GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  gst_video_overlay_composition_add_rectangle (composition, rectangle);
  gst_video_overlay_rectangle_unref (rectangle);
  gst_buffer_unref (pixels);
}

static void
add_bar (GstVideoOverlayComposition *composition,
         const guint8               *rgb,
         Area                        bar)
{
  const gsize n = (gsize) bar.width * bar.height;
  guint32 *pixels = g_try_new (guint32, n);

  if (pixels == NULL)
    return;
  for (gsize i = 0; i < n; i++)
    pixels[i] = 0xff000000 | rgb[0] << 16 | rgb[1] << 8 | rgb[2];
  add_pixels (composition, gst_buffer_new_wrapped (pixels, n * sizeof *pixels), &bar);
}

/* The lines lie inside the box, which may be smaller than they are wide. */
static void
add_box (C2gGstDrawing              *self,
         GstVideoOverlayComposition *composition,
         const guint8               *rgb,
         const Area                 *box)
{
  const int line = MIN (self->line_width, MIN (box->width, box->height));

  if (line == 0)
    return;
  add_bar (composition, rgb, (Area) { box->x, box->y, box->width, line });
  add_bar (composition, rgb, (Area) { box->x, box->y + box->height - line, box->width, line });
  add_bar (composition, rgb, (Area) { box->x, box->y, line, box->height });
  add_bar (composition, rgb, (Area) { box->x + box->width - line, box->y, line, box->height });
}

/* Text is black on colors that are light, and white on others. */
static void
draw_text (PangoLayout     *layout,
           const guint8    *rgb,
           cairo_surface_t *surface)
{
  const double light = 299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] > 127500 ? 0 : 1;
  cairo_t *cairo = cairo_create (surface);

  cairo_set_source_rgb (cairo, rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0);
  cairo_paint (cairo);
  cairo_set_source_rgb (cairo, light, light, light);
  cairo_move_to (cairo, PADDING, 0);
  pango_cairo_show_layout (cairo, layout);
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
}

/* Text stands on its box where there is room, and otherwise inside.  Without a box it stands at the bottom, on the
 * text before.  Returns how much of the bottom it takes. */
static int
add_text (C2gGstDrawing              *self,
          GstVideoOverlayComposition *composition,
          const Caption              *caption,
          const Area                 *box,
          int                         n_taken)
{
  cairo_surface_t *surface;
  Area area;

  pango_layout_set_text (self->layout, caption->text, -1);
  pango_layout_get_pixel_size (self->layout, &area.width, &area.height);
  area.width = MIN (area.width + 2 * PADDING, self->width);
  area.height = MIN (area.height, self->height);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, area.width, area.height);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return 0;
    }

  area.x = MIN (box->x, self->width - area.width);
  if (caption->has_box)
    area.y = box->y >= area.height ? box->y - area.height : box->y;
  else
    area.y = box->y + box->height - n_taken - area.height;
  area.y = CLAMP (area.y, 0, self->height - area.height);
  draw_text (self->layout, caption->rgb, surface);
  add_pixels (composition,
              gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY, cairo_image_surface_get_data (surface),
                                           4 * area.width * area.height, 0, 4 * area.width * area.height,
                                           surface, (GDestroyNotify) cairo_surface_destroy),
              &area);

  return caption->has_box ? 0 : area.height;
}

/* Regions */

/* The class and the score, as c2gdecode writes them; other elements may have named the region alone. */
static const GstStructure *
find_param (const GstVideoRegionOfInterestMeta *region)
{
  for (GList *l = region->params; l != NULL; l = l->next)
    if (gst_structure_has_field (l->data, "label") || gst_structure_has_field (l->data, "index"))
      return l->data;

  return NULL;
}

/* The text is NULL if a region of c2gdecode has lost its class: GStreamer 1.22 scales regions without their structures. */
static char *
dup_text (const char         *kind,
          const GstStructure *param,
          guint               index)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *label = param != NULL ? gst_structure_get_string (param, "label") : kind;
  double score;

  if (param == NULL && g_str_has_prefix (kind, "c2g-"))
    return NULL;
  if (label != NULL)
    g_string_append_len (text, label, strnlen (label, MAX_LABEL));
  else
    g_string_append_printf (text, "%u", index);
  if (param != NULL && gst_structure_get_double (param, "score", &score))
    g_string_append_printf (text, " %.1f %%", 100 * score);

  return g_utf8_make_valid (text->str, text->len);
}

static void
describe (const GstVideoRegionOfInterestMeta *region,
          Caption                            *caption)
{
  const GstStructure *param = find_param (region);
  const char *kind = g_quark_to_string (region->roi_type);
  guint index = 0;

  if (param != NULL)
    gst_structure_get_uint (param, "index", &index);
  caption->text = dup_text (kind, param, index);
  caption->has_box = g_strcmp0 (kind, C2G_GST_KIND_CLASS) != 0;
  /* The first color is black, as that of the background of segments. */
  c2g_gst_pixels_set_color (index + 1, caption->rgb);
}

/* FALSE if nothing of a region is in the frame. */
static gboolean
clip (C2gGstDrawing                      *self,
      const GstVideoRegionOfInterestMeta *region,
      Area                               *area)
{
  area->x = MIN (region->x, (guint) self->width);
  area->y = MIN (region->y, (guint) self->height);
  area->width = MIN (region->w, (guint) (self->width - area->x));
  area->height = MIN (region->h, (guint) (self->height - area->y));

  return area->width > 0 && area->height > 0;
}

GstVideoOverlayComposition *
c2g_gst_drawing_compose (C2gGstDrawing              *self,
                         GstBuffer                  *buffer,
                         GstVideoOverlayComposition *older)
{
  GstVideoOverlayComposition *composition = older != NULL ? gst_video_overlay_composition_copy (older)
                                                          : gst_video_overlay_composition_new (NULL);
  gpointer state = NULL;
  GstMeta *meta;
  int n_taken = 0;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL)
    {
      const GstVideoRegionOfInterestMeta *region = (GstVideoRegionOfInterestMeta *) meta;
      Caption caption;
      Area area;

      if (!clip (self, region, &area))
        continue;
      describe (region, &caption);
      if (caption.has_box)
        add_box (self, composition, caption.rgb, &area);
      if (caption.text != NULL)
        n_taken += add_text (self, composition, &caption, &area, n_taken);
      g_free (caption.text);
    }

  return composition;
}
