/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "elements/c2g-gst-batch.h"
#include "elements/c2g-gst-bridge.h"
#include "elements/c2g-gst-convert.h"
#include "elements/c2g-gst-decode.h"
#include "elements/c2g-gst-demux.h"
#include "elements/c2g-gst-depay.h"
#include "elements/c2g-gst-inference.h"
#include "elements/c2g-gst-load.h"
#include "elements/c2g-gst-mux.h"
#ifdef HAVE_PANGOCAIRO
# include "elements/c2g-gst-overlay.h"
#endif
#include "elements/c2g-gst-pay.h"
#include "elements/c2g-gst-sink.h"
#include "elements/c2g-gst-src.h"
#include "elements/c2g-gst-store.h"

/* The plugin c2g: registers its elements. */

static const struct
{
  const char *name;
  GType     (*get_type) (void);
} elements[] = {
  { "c2gtensorbatch", c2g_tensor_batch_get_type },
  { "c2gbridge", c2g_bridge_get_type },
  { "c2gconvert", c2g_convert_get_type },
  { "c2gdecode", c2g_decode_get_type },
  { "c2gtensordemux", c2g_tensor_demux_get_type },
  { "c2gdepay", c2g_depay_get_type },
  { "c2ginference", c2g_inference_get_type },
  { "c2gload", c2g_load_get_type },
  { "c2gtensormux", c2g_tensor_mux_get_type },
#ifdef HAVE_PANGOCAIRO
  { "c2goverlay", c2g_overlay_get_type },
#endif
  { "c2gpay", c2g_pay_get_type },
  { "c2gsink", c2g_sink_get_type },
  { "c2gsrc", c2g_src_get_type },
  { "c2gstore", c2g_store_get_type },
};

static gboolean
plugin_init (GstPlugin *plugin)
{
  for (gsize i = 0; i < G_N_ELEMENTS (elements); i++)
    if (!gst_element_register (plugin, elements[i].name, GST_RANK_NONE, elements[i].get_type ()))
      return FALSE;

  return TRUE;
}

#define PACKAGE "c2g"

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, c2g,
                   "Runs models of Caffe2 and Caffe on media, and carries tensors", plugin_init,
                   PACKAGE_VERSION, "LGPL", "c2g", PACKAGE_ORIGIN)
