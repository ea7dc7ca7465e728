// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Names that Vala's syntax stands for, as other names of functions: tensor[i], workspace["name"], foreach and in.
namespace C2g {
  public sealed class Tensor : GLib.Object {
    public int64 size { [CCode (cname = "c2g_tensor_get_n_elements")] get; }
    [CCode (cname = "c2g_tensor_get_value")]
    public double get (int64 index) throws GLib.Error;
    [CCode (cname = "c2g_tensor_set_value")]
    public void set (int64 index, double value) throws GLib.Error;
  }

  public sealed class Workspace : GLib.Object {
    [CCode (cname = "c2g_workspace_get_tensor")]
    public C2g.Tensor get (string name) throws GLib.Error;
    [CCode (cname = "c2g_workspace_set_tensor")]
    public void set (string name, C2g.Tensor tensor) throws GLib.Error;
    [CCode (cname = "c2g_workspace_has_blob")]
    public bool contains (string name);
  }
}
