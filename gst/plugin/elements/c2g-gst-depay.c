/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-depay.h"

#include "formats/c2g-gst-wire.h"
#include "support/c2g-gst-follow.h"
#include "support/c2g-gst-properties.h"

#include <c2g-gst/c2g-gst.h>

#include <glib/gi18n-lib.h>

GST_DEBUG_CATEGORY_STATIC (c2g_depay_debug);
#define GST_CAT_DEFAULT c2g_depay_debug

/**
 * SECTION:element-c2gdepay
 * @title: c2gdepay
 *
 * c2gdepay parses the bytes that c2gpay wrote, and makes tensors of them.
 *
 * The bytes may come in pieces of any size and begin inside a frame. Damaged frames are skipped
 * with a warning. The search for the next header then begins at the second byte of the damaged
 * frame, because its sizes cannot be trusted.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 tcpclientsrc port=5000 ! c2gdepay ! c2gdecode labels=labels.txt ! \
 * text/x-raw ! fdsink
 * ]|
 */
struct _C2gDepay
{
  GstBaseParse  parent_instance;

  /* Protected by the object's lock. */
  guint64       max_size;

  /* Used in the streaming thread. The largest payload in the present call: MAX_SIZE may change between two looks at a header. */
  gsize         limit;
  gboolean      is_damaged;
  /* Number of consecutive headers whose payload had a wrong checksum. */
  guint         n_false;
  /* Time of the frame that is pushed next. */
  GstClockTime  time;
  C2gGstFollow  follow;
};

/* Limit on these: otherwise the bytes behind each false header would be read again and again. */
#define MAX_FALSE 16

static const C2gGstProperty properties[] = {
  { "max-size", "Frames with more bytes than this are damaged", G_STRUCT_OFFSET (C2gDepay, max_size),
    G_TYPE_UINT64, 256 * 1024 * 1024, .when = GST_PARAM_MUTABLE_PLAYING },
  { NULL },
};

static GstStaticPadTemplate sink_template =
  GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (C2G_GST_CAPS_WIRE));
static GstStaticPadTemplate src_template =
  GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (C2G_GST_CAPS_TENSORS));

G_DEFINE_FINAL_TYPE (C2gDepay, c2g_depay, GST_TYPE_BASE_PARSE)
GST_ELEMENT_REGISTER_DEFINE (c2gdepay, "c2gdepay", GST_RANK_NONE, C2G_TYPE_DEPAY)

/* The next bytes belong to no frame that has begun. Caps are sent again, because a pad that was flushing
 * has not taken them. */
static void
begin (C2gDepay *self)
{
  c2g_gst_follow_clear (&self->follow);
  self->is_damaged = FALSE;
  self->n_false = 0;
  gst_base_parse_set_min_frame_size (GST_BASE_PARSE (self), C2G_GST_WIRE_HEADER);
}

static gboolean
c2g_depay_start (GstBaseParse *parse)
{
  begin (C2G_DEPAY (parse));
  gst_base_parse_set_pts_interpolation (parse, FALSE);
  gst_base_parse_set_infer_ts (parse, FALSE);
  gst_base_parse_set_has_timing_info (parse, TRUE);

  return TRUE;
}

static gboolean
c2g_depay_stop (GstBaseParse *parse)
{
  c2g_gst_follow_clear (&C2G_DEPAY (parse)->follow);

  return TRUE;
}

static gboolean
c2g_depay_sink_event (GstBaseParse *parse,
                      GstEvent     *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    begin (C2G_DEPAY (parse));

  return GST_BASE_PARSE_CLASS (c2g_depay_parent_class)->sink_event (parse, event);
}

/* Frames can be found forwards only. GstBaseParse would accept other seeks, but its segment for them
 * may have no end, which sinks take for a programming error. */
static gboolean
c2g_depay_src_event (GstBaseParse *parse,
                     GstEvent     *event)
{
  double rate = 1;

  if (GST_EVENT_TYPE (event) == GST_EVENT_SEEK)
    gst_event_parse_seek (event, &rate, NULL, NULL, NULL, NULL, NULL, NULL);
  if (rate > 0)
    return GST_BASE_PARSE_CLASS (c2g_depay_parent_class)->src_event (parse, event);

  GST_DEBUG_OBJECT (parse, "Refused to play backwards");
  gst_event_unref (event);
  return FALSE;
}

/* Warns about damage once, until there was a valid frame. */
static void
warn (C2gDepay   *self,
      const char *message)
{
  if (!self->is_damaged)
    GST_ELEMENT_WARNING (self, STREAM, DECODE, ("%s", message), (NULL));
  self->is_damaged = TRUE;
}

/* Returns the size of the frame that begins here; 0 if the header is invalid. */
static gsize
measure (const C2gDepay   *self,
         const guint8     *data,
         C2gGstWireHeader *header)
{
  return c2g_gst_wire_read_header (header, data) && header->n_bytes <= self->limit
           ? C2G_GST_WIRE_HEADER + header->n_bytes
           : 0;
}

/* Makes a buffer of a complete frame. */
static GstFlowReturn
finish (C2gDepay               *self,
        GstBaseParseFrame      *frame,
        const C2gGstWireHeader *header,
        const guint8           *payload)
{
  const gsize n_bytes = C2G_GST_WIRE_HEADER + header->n_bytes;
  g_autoptr (GError) error = NULL;

  self->time = header->time;
  frame->out_buffer = c2g_gst_wire_read (header, payload, &error);
  if (frame->out_buffer == NULL)
    {
      warn (self, error->message);
      frame->flags |= GST_BASE_PARSE_FRAME_FLAG_DROP;
    }
  else
    {
      GST_LOG_OBJECT (self, "A frame of %" G_GSIZE_FORMAT " bytes", n_bytes);
      self->is_damaged = FALSE;
      if (c2g_gst_follow_update (&self->follow, frame->out_buffer, C2G_GST_RATE_UNKNOWN))
        gst_pad_push_event (GST_BASE_PARSE_SRC_PAD (self), gst_event_new_caps (self->follow.caps));
    }

  return gst_base_parse_finish_frame (GST_BASE_PARSE (self), frame, n_bytes);
}

/* Returns the offset of the first valid header from BEGIN on, or of bytes at the end that may begin
 * one. Searches all bytes in one call, because GstBaseParse copies the rest for each call. */
static gsize
find_header (const C2gDepay   *self,
             const GstMapInfo *map,
             gsize             begin)
{
  C2gGstWireHeader header;

  for (gsize i = begin; i < map->size; i++)
    {
      i += c2g_gst_wire_find (map->data + i, map->size - i);
      if (map->size - i < C2G_GST_WIRE_HEADER || measure (self, map->data + i, &header) > 0)
        return i;
    }

  return map->size;
}

/* Drops bytes as a frame of GstBaseParse. Skipping them would make it give up after 2 MiB. */
static GstFlowReturn
leave_out (C2gDepay          *self,
           GstBaseParseFrame *frame,
           gsize              n_bytes)
{
  GST_DEBUG_OBJECT (self, "%" G_GSIZE_FORMAT " bytes are left out", n_bytes);
  frame->flags |= GST_BASE_PARSE_FRAME_FLAG_DROP;
  return gst_base_parse_finish_frame (GST_BASE_PARSE (self), frame, n_bytes);
}

/* Makes a buffer of the frame, or drops its bytes. */
static GstFlowReturn
take (C2gDepay               *self,
      GstBaseParseFrame      *frame,
      const C2gGstWireHeader *header,
      const GstMapInfo       *map)
{
  const guint8 *payload = map->data + C2G_GST_WIRE_HEADER;

  if (header->version != C2G_GST_WIRE_VERSION)
    {
      GST_ELEMENT_ERROR (self, STREAM, FORMAT,
                         (_("Version %u of the stream is not known"), header->version), (NULL));
      return GST_FLOW_ERROR;
    }
  if (c2g_gst_wire_check (header, payload))
    {
      self->n_false = 0;
      return finish (self, frame, header, payload);
    }

  warn (self, _("A frame of tensors is damaged"));
  if (++self->n_false < MAX_FALSE)
    return leave_out (self, frame, find_header (self, map, 1));
  self->n_false = 0;
  return leave_out (self, frame, C2G_GST_WIRE_HEADER + header->n_bytes);
}

/* Returns either with some bytes dropped, or with a larger minimum size for the next call. */
static GstFlowReturn
parse_bytes (C2gDepay          *self,
             GstBaseParseFrame *frame,
             const GstMapInfo  *map)
{
  const gsize begin = find_header (self, map, 0);
  C2gGstWireHeader header;
  gsize n_bytes;

  gst_base_parse_set_min_frame_size (GST_BASE_PARSE (self), C2G_GST_WIRE_HEADER);
  if (begin > 0)
    {
      warn (self, _("Bytes that are no tensors are left out"));
      return leave_out (self, frame, begin);
    }
  if (map->size < C2G_GST_WIRE_HEADER)
    return GST_FLOW_OK;

  n_bytes = measure (self, map->data, &header);
  if (n_bytes <= map->size)
    return take (self, frame, &header, map);
  if (!GST_BASE_PARSE_DRAINING (self))
    {
      gst_base_parse_set_min_frame_size (GST_BASE_PARSE (self), n_bytes);
      return GST_FLOW_OK;
    }

  warn (self, _("A frame of tensors is damaged"));
  return leave_out (self, frame, find_header (self, map, 1));
}

static GstFlowReturn
c2g_depay_handle_frame (GstBaseParse      *parse,
                        GstBaseParseFrame *frame,
                        int               *skip)
{
  C2gDepay *self = C2G_DEPAY (parse);
  g_autoptr (GstBuffer) buffer = gst_buffer_ref (frame->buffer);
  GstFlowReturn flow;
  GstMapInfo map;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    {
      GST_ELEMENT_ERROR (parse, RESOURCE, READ, (_("The buffer cannot be mapped for reading")), (NULL));
      return GST_FLOW_ERROR;
    }
  GST_OBJECT_LOCK (self);
  /* GstBaseParse counts bytes as int. */
  self->limit = MIN (self->max_size, G_MAXINT - C2G_GST_WIRE_HEADER);
  GST_OBJECT_UNLOCK (self);
  flow = parse_bytes (self, frame, &map);
  gst_buffer_unmap (buffer, &map);

  return flow;
}

/* GstBaseParse has replaced the sender's time by the time of the bytes, which is the time of
 * arrival. That is kept. If the bytes have no time, restores the sender's. */
static GstFlowReturn
c2g_depay_pre_push_frame (GstBaseParse      *parse,
                          GstBaseParseFrame *frame)
{
  if (!GST_BUFFER_PTS_IS_VALID (frame->buffer))
    GST_BUFFER_PTS (frame->buffer) = C2G_DEPAY (parse)->time;
  frame->flags |= GST_BASE_PARSE_FRAME_FLAG_CLIP;

  return GST_FLOW_OK;
}

static void
c2g_depay_class_init (C2gDepayClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseParseClass *parse_class = GST_BASE_PARSE_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_depay_debug, "c2gdepay", 0, "tensors of bytes");

  object_class->get_property = c2g_gst_properties_get_value;
  object_class->set_property = c2g_gst_properties_set_value;
  c2g_gst_properties_install (object_class, properties);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Tensor depayloader", "Codec/Depayloader",
                                         "Makes tensors of the bytes that c2gpay wrote",
                                         "The c2g authors");

  parse_class->start = c2g_depay_start;
  parse_class->stop = c2g_depay_stop;
  parse_class->sink_event = c2g_depay_sink_event;
  parse_class->src_event = c2g_depay_src_event;
  parse_class->handle_frame = c2g_depay_handle_frame;
  parse_class->pre_push_frame = c2g_depay_pre_push_frame;
}

static void
c2g_depay_init (C2gDepay *self)
{
  c2g_gst_properties_init (self, properties);
}
