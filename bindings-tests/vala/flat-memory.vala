// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Makes many calls of each class, and tells what memory each of them leaves behind: flat-memory-vala [N_CALLS]
//
// Rows that begin with “Vala” have nothing of c2g: they show what the language itself leaves. The last row leaks on
// purpose. The program fails if a call of c2g leaves more than half a byte, or if that leak is not seen.

const int N_ROUNDS = 4;
const int PAGE = 4096;
const string CONTROL = "a leak on purpose";
const string TEXT = "op { type: 'Relu' input: 'x' output: 'y' }";

delegate void Call () throws GLib.Error;

[Compact]
class Class {
    public string name;
    public Call call;
    public int cost;

    public Class (string name, int cost, owned Call call) {
        this.name = name;
        this.cost = cost;
        this.call = (owned) call;
    }
}

int64 resident () throws GLib.Error {
    string contents;
    FileUtils.get_contents ("/proc/self/statm", out contents);
    return int64.parse (contents.split (" ")[1]) * PAGE;
}

// Returns the bytes that a call leaves: the smallest growth of several rounds, after one that warms up.
double measure (Call call, int n) throws GLib.Error {
    int64 least = int64.MAX;
    for (int round = 0; round < N_ROUNDS; round++) {
        var before = resident ();
        for (int i = 0; i < n; i++) {
            call ();
        }
        if (round > 0) {
            least = int64.min (least, resident () - before);
        }
    }
    return (double) least / n;
}

int main (string[] args) {
    int n_calls = args.length > 1 ? int.parse (args[1]) : 100000;
    string leaks = "";
    try {
        var tensor = new C2g.Tensor.sized ({ 2, 3 }, null);
        tensor.allocate (C2g.DataType.FLOAT);
        tensor.fill (1);
        var bytes = new Bytes (new uint8[24]);
        var pixels = new Bytes (new uint8[12]);
        var workspace = new C2g.Workspace ();
        workspace["x"] = tensor;
        var options = new C2g.PictureOptions () { channels = "BGR" };
        var predictor = new C2g.Predictor.create (null, new C2g.NetDef.from_text (TEXT), null, null, C2g.OptimizeFlags.ALL);
        var file = File.new_for_path (DirUtils.make_tmp ("c2g-flat-XXXXXX")).get_child ("a.minidb");
        string[] kept = {};
        Class[] classes = {
            new Class ("Vala: File.new_for_path", 1, () => { File.new_for_path ("/"); }),
            new Class ("Vala: new Bytes", 1, () => { new Bytes ({ 1, 2, 3 }); }),
            new Class ("construct", 1, () => { new C2g.Tensor.sized ({ 2, 3 }, null); }),
            new Class ("from bytes", 1, () => { new C2g.Tensor.from_bytes (C2g.DataType.FLOAT, { 2, 3 }, bytes); }),
            new Class ("to bytes", 1, () => { tensor.dup_bytes (); }),
            new Class ("slice", 1, () => { tensor.slice (0, 1); }),
            new Class ("element", 1, () => { double x = tensor[1]; assert (x >= 0); }),
            new Class ("set element", 1, () => { tensor[1] = 2; }),
            new Class ("foreach", 1, () => { foreach (double x in tensor) { assert (x > 0); } }),
            new Class ("dims", 1, () => { assert (tensor.get_dims ().length == 2); }),
            new Class ("to string", 10, () => { tensor.to_string (10); }),
            new Class ("map", 1, () => { tensor.map (C2g.MapFlags.READ).unmap (); }),
            new Class ("workspace get", 1, () => { C2g.Tensor found = workspace["x"]; assert (found == tensor); }),
            new Class ("workspace set", 1, () => { workspace["y"] = tensor; }),
            new Class ("blob value", 1, () => { Value content = workspace.get_blob ("x").value; assert (content.holds (typeof (C2g.Tensor))); }),
            new Class ("error", 1, () => {
                try {
                    tensor.reshape ({ 7 });
                    assert_not_reached ();
                } catch (C2g.Error error) {
                }
            }),
            new Class ("predictor", 5, () => { predictor.run ({ tensor }); }),
            new Class ("pixels", 1, () => { new C2g.Tensor.from_pixels (pixels, 2, 2, 6, 3, options); }),
            new Class ("definition", 1, () => { new C2g.NetDef.from_text (TEXT); }),
            new Class ("file", 100, () => {
                workspace.save_checkpoint (file);
                new C2g.Workspace ().load_checkpoint (file);
            }),
            new Class (CONTROL, 1, () => { kept += string.nfill (48, 'x'); })
        };
        foreach (unowned Class each in classes) {
            int n = n_calls / each.cost / N_ROUNDS;
            double left = measure (each.call, n);
            // A few pages are noise of the allocator.
            bool is_leak = left > 0.5 && left * n > 4 * PAGE;
            if (is_leak && !each.name.has_prefix ("Vala")) {
                leaks += each.name;
            }
            print ("%s %8.2f bytes a call  %s\n", is_leak ? "LEAK" : "flat", left, each.name);
        }
        file.@delete ();
        file.get_parent ().@delete ();
    } catch (GLib.Error error) {
        printerr ("%s\n", error.message);
        return 1;
    }
    return leaks == CONTROL ? 0 : 1;
}
