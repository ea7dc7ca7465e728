// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Where the manuals of other namespaces are.
baseURLs = [
  ['C2g', '../C2g-1/'],
  ['C2gCuda', '../C2gCuda-1/'],
  ['C2gGst', '../C2gGst-1/'],
  ['GLib', 'https://docs.gtk.org/glib/'],
  ['GObject', 'https://docs.gtk.org/gobject/'],
  ['Gio', 'https://docs.gtk.org/gio/'],
  ['Gst', 'https://gstreamer.freedesktop.org/documentation/gstreamer/'],
  ['GstAudio', 'https://gstreamer.freedesktop.org/documentation/audio/'],
  ['GstVideo', 'https://gstreamer.freedesktop.org/documentation/video/'],
];
