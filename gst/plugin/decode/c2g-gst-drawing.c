/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-drawing.h"

#include "c2g-gst-finding.h"
#include "c2g-gst-pixels.h"

#include <pango/pangocairo.h>

/* Draws regions of interest with Cairo and Pango, for c2goverlay. */

/* Limit on the bytes of a label given to Pango, because labels may come from a stranger. */
#define MAX_LABEL 200
/* Pixels between the text and the edge of its rectangle. */
#define PADDING   3
/* Limits of the font size in pixels, if the property gives none. */
#define MIN_FONT  10
#define MAX_FONT  28
/* Limit on the font size; Cairo cannot draw the largest fonts that Pango accepts. */
#define MAX_SIZE  (1000 * PANGO_SCALE)
/* Limit on the size of a Cairo surface. */
#define MAX_SIDE  32767

struct _C2gGstDrawing
{
  PangoLayout          *layout;
  PangoFontDescription *font;
  /* FALSE if the font size follows from the frame. */
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

/* A region to draw. The class of a whole frame has no box. */
typedef struct
{
  /* NULL for none. */
  char     *text;
  guint8    rgb[3];
  gboolean  has_box;
  Area      box;
  /* The rectangle of the text. */
  Area      label;
} Caption;

C2gGstDrawing *
c2g_gst_drawing_new (const char *font,
                     guint       line_width)
{
  C2gGstDrawing *self = g_new0 (C2gGstDrawing, 1);
  /* The default font map belongs to one thread, but several threads may use this object in turn. */
  PangoFontMap *map = pango_cairo_font_map_new ();
  PangoContext *context = pango_font_map_create_context (map);

  self->font = pango_font_description_from_string (font != NULL ? font : "Sans");
  self->has_size = pango_font_description_get_size (self->font) != 0;
  if (pango_font_description_get_size (self->font) > MAX_SIZE)
    pango_font_description_set_size (self->font, MAX_SIZE);
  self->layout = pango_layout_new (context);
  pango_layout_set_single_paragraph_mode (self->layout, TRUE);
  pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_MIDDLE);
  self->line_width = MIN (line_width, G_MAXINT);
  g_object_unref (context);
  g_object_unref (map);

  return self;
}

gboolean
c2g_gst_drawing_has_font (C2gGstDrawing *self)
{
  const char *names = pango_font_description_get_family (self->font);
  g_auto (GStrv) wanted = g_strsplit (names != NULL ? names : "Sans", ",", -1);
  PangoFontFamily **families;
  gboolean is_found = FALSE;
  int n_families;

  pango_context_list_families (pango_layout_get_context (self->layout), &families, &n_families);
  for (char **name = wanted; *name != NULL; name++)
    for (int i = 0; i < n_families && !is_found; i++)
      is_found = g_ascii_strcasecmp (g_strstrip (*name), pango_font_family_get_name (families[i])) == 0;
  g_free (families);

  return is_found;
}

gboolean
c2g_gst_drawing_set_frame (C2gGstDrawing *self,
                           int            width,
                           int            height)
{
  int line_height;

  if (!self->has_size)
    pango_font_description_set_absolute_size (self->font, CLAMP (height / 20, MIN_FONT, MAX_FONT) * PANGO_SCALE);
  pango_layout_set_font_description (self->layout, self->font);
  pango_layout_set_width (self->layout, CLAMP (width - 2 * PADDING, 1, MAX_SIDE) * PANGO_SCALE);
  self->width = width;
  self->height = height;
  pango_layout_set_text (self->layout, "0", -1);
  pango_layout_get_pixel_size (self->layout, NULL, &line_height);

  return !self->has_size || line_height <= height;
}

void
c2g_gst_drawing_free (C2gGstDrawing *self)
{
  g_object_unref (self->layout);
  pango_font_description_free (self->font);
  g_free (self);
}

/* Areas */

/* Enlarges an area, which is empty at first, so that it contains another one. */
static void
include (Area       *area,
         const Area *other)
{
  const Area old = *area;

  if (old.width == 0)
    {
      *area = *other;
      return;
    }
  area->x = MIN (old.x, other->x);
  area->y = MIN (old.y, other->y);
  area->width = MAX (old.x + old.width, other->x + other->width) - area->x;
  area->height = MAX (old.y + old.height, other->y + other->height) - area->y;
}

/* Places the text above its box if there is room, otherwise inside. Without a box places it at the
 * bottom, above earlier texts. Returns the height used at the bottom. */
static int
place_text (C2gGstDrawing *self,
            Caption       *caption,
            int            n_taken)
{
  const Area *box = &caption->box;
  Area *label = &caption->label;

  pango_layout_set_text (self->layout, caption->text, -1);
  pango_layout_get_pixel_size (self->layout, &label->width, &label->height);
  label->width = MIN (label->width + 2 * PADDING, self->width);
  label->height = MIN (label->height, self->height);
  label->x = MIN (box->x, self->width - label->width);
  if (caption->has_box)
    label->y = box->y >= label->height ? box->y - label->height : box->y;
  else
    label->y = box->y + box->height - n_taken - label->height;
  label->y = CLAMP (label->y, 0, self->height - label->height);

  return caption->has_box ? 0 : label->height;
}

/* Drawing */

/* Draws the lines inside the box, even if the box is smaller than the line width. */
static void
draw_box (C2gGstDrawing *self,
          const Caption *caption,
          cairo_t       *cairo)
{
  const Area *box = &caption->box;
  const int line = MIN (self->line_width, MIN (box->width, box->height));

  if (line == 0)
    return;
  cairo_rectangle (cairo, box->x, box->y, box->width, line);
  cairo_rectangle (cairo, box->x, box->y + box->height - line, box->width, line);
  cairo_rectangle (cairo, box->x, box->y, line, box->height);
  cairo_rectangle (cairo, box->x + box->width - line, box->y, line, box->height);
  cairo_fill (cairo);
}

/* Uses black text on light colors and white text on dark ones. */
static void
draw_text (C2gGstDrawing *self,
           const Caption *caption,
           cairo_t       *cairo)
{
  const guint8 *rgb = caption->rgb;
  const Area *label = &caption->label;
  const double light = 299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] > 127500 ? 0 : 1;

  cairo_save (cairo);
  cairo_rectangle (cairo, label->x, label->y, label->width, label->height);
  cairo_clip_preserve (cairo);
  cairo_fill (cairo);
  cairo_set_source_rgb (cairo, light, light, light);
  cairo_move_to (cairo, label->x + PADDING, label->y);
  pango_layout_set_text (self->layout, caption->text, -1);
  pango_cairo_show_layout (cairo, self->layout);
  cairo_restore (cairo);
}

static void
draw (C2gGstDrawing *self,
      GArray        *captions,
      cairo_t       *cairo)
{
  cairo_set_antialias (cairo, CAIRO_ANTIALIAS_NONE);
  for (guint i = 0; i < captions->len; i++)
    {
      const Caption *caption = &g_array_index (captions, Caption, i);

      cairo_set_source_rgb (cairo, caption->rgb[0] / 255.0, caption->rgb[1] / 255.0, caption->rgb[2] / 255.0);
      if (caption->has_box)
        draw_box (self, caption, cairo);
      if (caption->text != NULL)
        draw_text (self, caption, cairo);
    }
}

/* Adds one rectangle for all regions, because blending costs time for each row of each rectangle. */
static void
add_rectangle (C2gGstDrawing              *self,
               GstVideoOverlayComposition *composition,
               GArray                     *captions,
               const Area                 *area)
{
  const gsize n_bytes = (gsize) 4 * area->width * area->height;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, area->width, area->height);
  cairo_t *cairo = cairo_create (surface);
  GstVideoOverlayRectangle *rectangle;
  GstBuffer *pixels;

  cairo_translate (cairo, -area->x, -area->y);
  draw (self, captions, cairo);
  cairo_destroy (cairo);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      GST_WARNING ("%s", cairo_status_to_string (cairo_surface_status (surface)));
      cairo_surface_destroy (surface);
      return;
    }

  cairo_surface_flush (surface);
  pixels = gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY, cairo_image_surface_get_data (surface), n_bytes, 0,
                                        n_bytes, surface, (GDestroyNotify) cairo_surface_destroy);
  gst_buffer_add_video_meta (pixels, 0, GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, area->width, area->height);
  rectangle = gst_video_overlay_rectangle_new_raw (pixels, area->x, area->y, area->width, area->height,
                                                   GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
  gst_video_overlay_composition_add_rectangle (composition, rectangle);
  gst_video_overlay_rectangle_unref (rectangle);
  gst_buffer_unref (pixels);
}

/* Regions */

/* Returns the structure with class and score that c2gdecode adds; NULL for regions of other
 * elements. */
static const GstStructure *
find_param (const GstVideoRegionOfInterestMeta *region)
{
  for (GList *l = region->params; l != NULL; l = l->next)
    if (gst_structure_has_field (l->data, "label") || gst_structure_has_field (l->data, "index"))
      return l->data;

  return NULL;
}

/* Returns NULL if the region has no name, or if it comes from c2gdecode but lost its structure:
 * GStreamer 1.22 does not copy structures when it scales regions. */
static char *
dup_text (const char         *kind,
          const GstStructure *param,
          guint               index)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *label = param != NULL ? gst_structure_get_string (param, "label") : kind;
  double score;

  if (param == NULL && (kind == NULL || g_str_has_prefix (kind, "c2g-")))
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
  /* Color 0 is black, the background color of segments. So colors of classes begin at 1. */
  c2g_gst_pixels_set_color (index + 1, caption->rgb);
}

/* Returns FALSE if the region is completely outside of the frame. */
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

static void
clear_caption (gpointer data)
{
  g_free (((Caption *) data)->text);
}

GstVideoOverlayComposition *
c2g_gst_drawing_compose (C2gGstDrawing              *self,
                         GstBuffer                  *buffer,
                         GstVideoOverlayComposition *older)
{
  GstVideoOverlayComposition *composition = older != NULL ? gst_video_overlay_composition_copy (older)
                                                          : gst_video_overlay_composition_new (NULL);
  g_autoptr (GArray) captions = g_array_new (FALSE, FALSE, sizeof (Caption));
  Area area = { 0 };
  gpointer state = NULL;
  GstMeta *meta;
  int n_taken = 0;

  g_array_set_clear_func (captions, clear_caption);
  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL)
    {
      const GstVideoRegionOfInterestMeta *region = (GstVideoRegionOfInterestMeta *) meta;
      Caption caption = { NULL };

      if (!clip (self, region, &caption.box))
        continue;
      describe (region, &caption);
      if (caption.has_box)
        include (&area, &caption.box);
      if (caption.text != NULL)
        {
          n_taken += place_text (self, &caption, n_taken);
          include (&area, &caption.label);
        }
      g_array_append_val (captions, caption);
    }
  if (area.width > 0)
    add_rectangle (self, composition, captions, &area);

  return composition;
}
