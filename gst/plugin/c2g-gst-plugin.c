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

static gboolean
plugin_init (GstPlugin *plugin)
{
#ifdef HAVE_PANGOCAIRO
  if (!GST_ELEMENT_REGISTER (c2goverlay, plugin))
    return FALSE;
#endif

  return GST_ELEMENT_REGISTER (c2gtensorbatch, plugin) &&
         GST_ELEMENT_REGISTER (c2gbridge, plugin) &&
         GST_ELEMENT_REGISTER (c2gconvert, plugin) &&
         GST_ELEMENT_REGISTER (c2gdecode, plugin) &&
         GST_ELEMENT_REGISTER (c2gtensordemux, plugin) &&
         GST_ELEMENT_REGISTER (c2gdepay, plugin) &&
         GST_ELEMENT_REGISTER (c2ginference, plugin) &&
         GST_ELEMENT_REGISTER (c2gload, plugin) &&
         GST_ELEMENT_REGISTER (c2gtensormux, plugin) &&
         GST_ELEMENT_REGISTER (c2gpay, plugin) &&
         GST_ELEMENT_REGISTER (c2gsink, plugin) &&
         GST_ELEMENT_REGISTER (c2gsrc, plugin) &&
         GST_ELEMENT_REGISTER (c2gstore, plugin);
}

#define PACKAGE "c2g"

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, c2g,
                   "Runs models of Caffe2 and Caffe on media, and carries tensors", plugin_init,
                   PACKAGE_VERSION, "LGPL", "c2g", PACKAGE_ORIGIN)
