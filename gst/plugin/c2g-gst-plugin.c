/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-batch.h"
#include "c2g-gst-bridge.h"
#include "c2g-gst-convert.h"
#include "c2g-gst-decode.h"
#include "c2g-gst-demux.h"
#include "c2g-gst-depay.h"
#include "c2g-gst-inference.h"
#include "c2g-gst-mux.h"
#include "c2g-gst-pay.h"
#include "c2g-gst-sink.h"
#include "c2g-gst-src.h"

static gboolean
plugin_init (GstPlugin *plugin)
{
  return gst_element_register (plugin, "c2gbridge", GST_RANK_NONE, C2G_TYPE_BRIDGE) &&
         gst_element_register (plugin, "c2gconvert", GST_RANK_NONE, C2G_TYPE_CONVERT) &&
         gst_element_register (plugin, "c2ginference", GST_RANK_NONE, C2G_TYPE_INFERENCE) &&
         gst_element_register (plugin, "c2gdecode", GST_RANK_NONE, C2G_TYPE_DECODE) &&
         gst_element_register (plugin, "c2gsink", GST_RANK_NONE, C2G_TYPE_SINK) &&
         gst_element_register (plugin, "c2gpay", GST_RANK_NONE, C2G_TYPE_PAY) &&
         gst_element_register (plugin, "c2gdepay", GST_RANK_NONE, C2G_TYPE_DEPAY) &&
         gst_element_register (plugin, "c2gsrc", GST_RANK_NONE, C2G_TYPE_SRC) &&
         gst_element_register (plugin, "c2gtensormux", GST_RANK_NONE, C2G_TYPE_MUX) &&
         gst_element_register (plugin, "c2gtensordemux", GST_RANK_NONE, C2G_TYPE_DEMUX) &&
         gst_element_register (plugin, "c2gtensorbatch", GST_RANK_NONE, C2G_TYPE_BATCH);
}

#define PACKAGE "c2g"

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, c2g,
                   "Runs models of Caffe2 and Caffe on media, and carries tensors", plugin_init,
                   PACKAGE_VERSION, "LGPL", "c2g", "https://gstreamer.freedesktop.org/")
