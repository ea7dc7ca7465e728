// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Definitions of operators, nets and plans; running them; operators and observers written in Vala.

const string[] NET_TYPES = { "simple", "dag" };

const string BRANCHES = """name: 'net' num_workers: 4
op { type: 'GivenTensorFill' output: 'x'
  arg { name: 'shape' ints: 3 } arg { name: 'values' floats: 1 floats: -2 floats: 3 } }
op { type: 'Relu' input: 'x' output: 'r' }
op { type: 'vala.Scale' input: 'x' output: 'd' }
op { type: 'vala.Scale' input: 'r' output: 'e' }
op { type: 'Abs' input: 'd' output: 'a' }
op { type: 'Sqr' input: 'r' output: 's' }
op { type: 'vala.Scale' input: 'a' output: 'y' }
""";

const string PLAN = """name: 'plan'
network { name: 'init' op { type: 'ConstantFill' output: 'x' arg { name: 'shape' ints: 1 }
    arg { name: 'value' f: 1 } } }
network { name: 'double' external_input: 'x' op { type: 'vala.Scale' input: 'x' output: 'x' } }
execution_step { name: 'first' network: 'init' }
execution_step { name: 'again' num_iter: 5 network: 'double' }
""";

const string CONCURRENT_PLAN = """name: 'concurrent'
network { name: 'a' op { type: 'GivenTensorFill' output: 'x'
    arg { name: 'shape' ints: 1 } arg { name: 'values' floats: 1 } }
  op { type: 'vala.Scale' input: 'x' output: 'y' } }
network { name: 'b' op { type: 'GivenTensorFill' output: 'z'
    arg { name: 'shape' ints: 1 } arg { name: 'values' floats: 3 } }
  op { type: 'vala.Scale' input: 'z' output: 'u' } }
execution_step { concurrent_substeps: true num_iter: 5 substep { network: 'a' } substep { network: 'b' } }
""";

// Multiplies by a factor.
class Scale : C2g.Operator {
  double factor;

  public override bool set_up () throws Error {
    factor = get_float ("factor", 2);
    return true;
  }

  public override bool run () throws Error {
    unowned var source = get_input_tensor (0);
    unowned var target = get_output_tensor (0);
    if (source != target)
      target.copy_from (source, null);
    for (int64 i = 0; i < target.get_n_elements (); i++)
      target.set_value (i, factor * target.get_value (i));
    return true;
  }
}

// Reads an argument of every kind.
class Arguments : C2g.Operator {
  public static string seen;

  public override bool set_up () throws Error {
    seen = "%s %lld %g %s %s %d %d %s".printf (has_argument ("i").to_string (), get_int ("i", 7), get_float ("f", 0.5),
                                               get_boolean ("b", true).to_string (), get_string ("s", "default"),
                                               get_ints ("is").length, get_floats ("fs").length,
                                               string.joinv (",", dup_strings ("ss")));
    return true;
  }

  public override bool run () throws Error {
    return true;
  }
}

class Words : Object {
  public string text;
}

// Outputs an object and a tensor with what the operator can query.
class Texts : C2g.Operator {
  public override bool run () throws Error {
    var words = new Words ();
    var is_found = ref_workspace ().get_blob ("a") == get_input (0);
    words.text = "%s %s %s %d %s %d %d %u %u %s %s".printf (get_op_type (), get_name (), get_engine (),
                                                            get_position (), get_device ().to_string (),
                                                            find_input ("b"), find_output ("other"), get_n_inputs (),
                                                            get_n_outputs (), get_input (0).get_name (),
                                                            is_found.to_string ());
    get_output (0).set_object (words);
    unowned var tensor = get_output_tensor (1);
    tensor.resize ({ 1 });
    tensor.allocate (C2g.DataType.INT64);
    tensor.set_value (0, 3);
    return true;
  }
}

class Failing : C2g.Operator {
  public override bool run () throws Error {
    throw new C2g.Error.SHAPE ("mine");
  }
}

class Unset : C2g.Operator {
  public override bool run () throws Error {
    return false;
  }
}

// Refuses to be created, with the error code in an argument.
class Refusing : C2g.Operator {
  public override bool set_up () throws Error {
    if (get_string ("code", "RANGE") == "RANGE")
      throw new C2g.Error.RANGE ("not this");
    throw new C2g.Error.NOT_SUPPORTED ("not this");
  }

  public override bool run () throws Error {
    return true;
  }
}

class Lacking : C2g.Operator {
}

class Watch : Object, C2g.Observer {
  public string calls = "";

  public void before_run (Object subject) {
    calls += (subject is C2g.Net) ? "net before, " : "operator before, ";
  }

  public void after_run (Object subject, bool is_done) {
    calls += "%s %s, ".printf ((subject is C2g.Net) ? "net" : "operator", is_done.to_string ());
  }
}

bool register_class (string name, Type type, C2g.OperatorSchema? schema = null, string? engine = null) throws Error {
  return C2g.Operator.register (name, C2g.DeviceType.CPU, engine, type, schema);
}

C2g.OperatorSchema new_schema () {
  var schema = new C2g.OperatorSchema (1, 1, 1, 1);
  schema.allow_in_place (0, 0);
  return schema;
}

C2g.OperatorDef new_operator (string type, string[] inputs, string[] outputs) {
  var op = new C2g.OperatorDef (type);
  op.set_inputs (inputs);
  op.set_outputs (outputs);
  return op;
}

C2g.Workspace new_workspace (string name, float[] numbers) throws Error {
  var workspace = new C2g.Workspace ();
  workspace.create_blob (name).set_object (new_floats (numbers));
  return workspace;
}

C2g.Net new_net (C2g.Workspace workspace, string type, string text = BRANCHES) throws Error {
  var net_def = new C2g.NetDef.from_text (text);
  net_def.set_net_type (type);
  return workspace.create_net (net_def, false);
}

void assert_has (C2g.Workspace workspace, string name, string numbers) throws Error {
  assert_cmpstr (numbers_of (workspace.get_tensor (name)), CompareOperator.EQ, numbers);
}

void includes (string message, string[] parts) {
  foreach (unowned string part in parts) {
    if (!message.contains (part))
      Test.message ("%s", message);
    assert_true (message.contains (part));
  }
}

string join (string[] words) {
  return string.joinv (" ", words);
}

// A temporary folder for a test.
class Folder {
  public File file;

  public Folder () throws Error {
    file = File.new_for_path (DirUtils.make_tmp ("c2g-vala-XXXXXX"));
  }

  public void remove () throws Error {
    var children = file.enumerate_children (FileAttribute.STANDARD_NAME, FileQueryInfoFlags.NONE);
    for (var info = children.next_file (); info != null; info = children.next_file ())
      file.get_child (info.get_name ()).delete ();
    file.delete ();
  }
}

void add_definitions () {
  add ("19.1 operators", () => {
    var op = new C2g.OperatorDef ("FC");
    op.set_name ("fc1");
    op.set_inputs ({ "x", "w" });
    op.add_input ("b");
    op.add_output ("y");
    op.add_control_input ("ready");
    op.set_engine ("FAST");
    op.set_device (cpu ());
    op.set_debug_info ("here");
    op.set_is_gradient_op (true);
    assert_cmpstr (join (op.get_inputs ()), CompareOperator.EQ, "x w b");
    assert_cmpstr (join (op.get_outputs ()), CompareOperator.EQ, "y");
    assert_cmpstr (join (op.get_control_inputs ()), CompareOperator.EQ, "ready");
    assert_true (op.get_n_inputs () == 3 && op.get_n_outputs () == 1 && op.get_n_control_inputs () == 1);
    assert_true (op.get_op_type () == "FC" && op.get_name () == "fc1" && op.get_engine () == "FAST");
    assert_true (op.get_device ().equal (cpu ()) && op.get_debug_info () == "here" && op.get_is_gradient_op ());
    op.set_inputs (null);
    op.set_name (null);
    op.set_device (null);
    assert_true (op.get_inputs ().length == 0 && op.get_name () == null && op.get_device () == null);
  });

  add ("19.2 arguments", () => {
    var net_def = new C2g.NetDef ("inner");
    var number = new C2g.Argument.int ("a", (int64) 1 << 40);
    assert_true (number.get_name () == "a" && number.get_kind () == C2g.ArgumentKind.INT);
    assert_true (number.get_int () == (int64) 1 << 40 && number.equal (number));
    includes (fails (new C2g.Error.TYPE (""), () => number.get_string ()), { "“a”" });
    assert_true (new C2g.Argument.float ("a", 0.5).get_float () == 0.5);
    var text = new C2g.Argument.string ("a", "ä");
    assert_cmpstr (text.get_string (), CompareOperator.EQ, "ä");
    includes (fails (new C2g.Error.TYPE (""), () => text.get_ints ()), { "“a”" });
    var ints = new C2g.Argument.ints ("a", { 1, -2 });
    assert_true (ints.get_ints ().length == 2 && ints.get_ints ()[1] == -2);
    var numbers = new C2g.Argument.floats ("a", { 1, 0.5f });
    assert_true (numbers.get_floats ().length == 2 && numbers.get_floats ()[1] == 0.5f);
    assert_cmpstr (join (new C2g.Argument.strings ("a", { "x", "y" }).dup_strings ()), CompareOperator.EQ, "x y");
    var bytes = new Bytes ({ 0, 255 });
    assert_true (new C2g.Argument.bytes ("a", bytes).dup_bytes ().compare (bytes) == 0);
    assert_cmpstr (new C2g.Argument.net ("a", net_def).dup_net ().get_name (), CompareOperator.EQ, "inner");
    var nets = new C2g.Argument.nets ("a", { net_def, net_def }).dup_nets ();
    assert_true (nets.length == 2 && nets[1].get_name () == "inner");
  });

  add ("19.3 arguments of operators", () => {
    var op = new C2g.OperatorDef ("Op");
    op.set_int ("i", 3);
    op.set_float ("f", 0.5);
    op.set_boolean ("b", true);
    op.set_string ("s", "text");
    op.set_ints ("is", { 1, 2 });
    op.set_floats ("fs", {});
    op.set_strings ("ss", { "a" });
    op.set_argument (new C2g.Argument.int ("i", 4));
    string names = "";
    foreach (unowned C2g.Argument argument in op.list_arguments ())
      names += argument.get_name () + " ";
    assert_cmpstr (names, CompareOperator.EQ, "i f b s is fs ss ");
    assert_true (op.get_argument ("i").get_int () == 4 && op.get_argument ("b").get_int () == 1);
    assert_true (op.get_argument ("is").get_ints ().length == 2 && op.get_argument ("fs").get_floats ().length == 0);
    assert_true (op.remove_argument ("i") && !op.remove_argument ("i") && op.get_argument ("i") == null);
  });

  add ("19.4 nets", () => {
    var net_def = new C2g.NetDef ("net");
    net_def.set_net_type ("dag");
    net_def.set_n_workers (3);
    net_def.set_device (cpu ());
    net_def.set_external_inputs ({ "x" });
    net_def.add_external_input ("w");
    net_def.add_external_output ("y");
    net_def.set_argument (new C2g.Argument.int ("version", 2));
    net_def.add_operator (new_operator ("Relu", { "r" }, { "y" }));
    net_def.insert_operator (0, new_operator ("Mul", { "x", "w" }, { "r" }));
    net_def.add_operator (new_operator ("Abs", { "y" }, { "z" }));
    net_def.remove_operator (2);
    assert_true (net_def.get_name () == "net" && net_def.get_net_type () == "dag" && net_def.get_n_workers () == 3);
    assert_true (net_def.get_device ().equal (cpu ()) && net_def.get_n_operators () == 2);
    assert_cmpstr (join (net_def.get_external_inputs ()), CompareOperator.EQ, "x w");
    assert_cmpstr (join (net_def.get_external_outputs ()), CompareOperator.EQ, "y");
    assert_true (net_def.get_operator (0).get_op_type () == "Mul" && net_def.get_operator (1).get_op_type () == "Relu");
    assert_true (net_def.get_argument ("version").get_int () == 2 && net_def.list_arguments ().length == 1);
  });

  add ("19.11 positions out of range", () => {
    var net_def = new C2g.NetDef ("net");
    var plan = new C2g.PlanDef ("plan");
    var step = new C2g.ExecutionStep ("step");
    net_def.add_operator (new_operator ("Relu", { "x" }, { "y" }));
    foreach (var position in new uint[] { 1, uint.MAX }) {
      assert_true (net_def.get_operator (position) == null && plan.get_net (position) == null);
      assert_true (plan.get_step (position) == null && step.get_substep (position) == null);
      assert_false (net_def.remove_operator (position) || plan.remove_net (position));
      assert_false (plan.remove_step (position) || step.remove_substep (position));
    }
    assert_false (net_def.insert_operator (2, net_def.get_operator (0)));
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => step.add_substep (step));
    assert_true (net_def.remove_operator (0) && net_def.get_n_operators () == 0);
  });

  add ("19.5 bytes and text", () => {
    var net_def = new C2g.NetDef.from_text (BRANCHES);
    assert_true (new C2g.NetDef.from_bytes (net_def.to_bytes ()).equal (net_def));
    assert_true (new C2g.NetDef.from_text (net_def.to_text ()).equal (net_def));
    assert_true (net_def.copy ().equal (net_def));
    unowned var op = net_def.get_operator (0);
    assert_true (new C2g.OperatorDef.from_bytes (op.to_bytes ()).equal (op));
    assert_true (new C2g.OperatorDef.from_text (op.to_text ()).equal (op));
    assert_true (new C2g.NetDef ("a").to_bytes ().compare (new Bytes ({ 10, 1, 97 })) == 0);
    fails (new C2g.Error.CORRUPT (""), () => new C2g.NetDef.from_bytes (new Bytes ({ 10, 5, 97 })));
    fails (new C2g.Error.CORRUPT (""), () => new C2g.NetDef.from_text ("op {"));
  });

  add ("19.6 files", () => {
    var folder = new Folder ();
    var net_def = new C2g.NetDef.from_text (BRANCHES);
    foreach (unowned string name in new string[] { "net.pb", "net.pbtxt" }) {
      net_def.save_file (folder.file.get_child (name), name.has_suffix ("txt"));
      assert_true (new C2g.NetDef.load_file (folder.file.get_child (name)).equal (net_def));
    }
    bool is_found = true;
    try {
      new C2g.NetDef.load_file (folder.file.get_child ("absent"));
    } catch (IOError.NOT_FOUND error) {
      is_found = false;
    }
    assert_false (is_found);
    FileUtils.set_contents (folder.file.get_child ("notes.txt").get_path (), "A net of my own\n");
    var reason = fails (new C2g.Error.CORRUPT (""), () => new C2g.NetDef.load_file (folder.file.get_child ("notes.txt")));
    assert_true ("This is text, expected a net" in reason);
    folder.remove ();
  });

  add ("19.7 plans", () => {
    var plan = new C2g.PlanDef ("plan");
    plan.add_net (new C2g.NetDef ("net"));
    var step = new C2g.ExecutionStep ("step");
    step.add_substep (new C2g.ExecutionStep ("inner") { n_iterations = 3, networks = { "net" } });
    step.set_concurrent_substeps (true);
    var outer = new C2g.ExecutionStep ("innermost");
    for (int i = 0; i < 99; i++)
      {
        var around = new C2g.ExecutionStep (null);
        around.add_substep (outer);
        outer = around;
      }
    fails (new C2g.Error.RANGE (""), () => step.add_substep (outer));
    plan.add_step (step);
    assert_true (plan.get_name () == "plan" && plan.get_n_nets () == 1 && plan.get_n_steps () == 1);
    assert_true (plan.find_net ("net").get_name () == plan.get_net (0).get_name () && plan.find_net ("other") == null);
    unowned var inner = plan.get_step (0).get_substep (0);
    assert_true (inner.get_name () == "inner" && inner.get_n_iterations () == 3);
    assert_cmpstr (join (inner.get_networks ()), CompareOperator.EQ, "net");
    assert_true (new C2g.PlanDef.from_bytes (plan.to_bytes ()).equal (plan) && plan.copy ().equal (plan));
    assert_true (new C2g.PlanDef.from_text (plan.to_text ()).equal (plan));
    plan.remove_step (0);
    plan.remove_net (0);
    assert_true (plan.get_n_nets () == 0 && plan.get_n_steps () == 0);
  });

  add ("19.8 models", () => {
    var meta = new C2g.MetaNetDef ();
    meta.set_project ("project");
    meta.set_net ("predict", new C2g.NetDef ("net"));
    meta.set_plan ("train", new C2g.PlanDef ("plan"));
    meta.set_blobs ("inputs", { "x", "y" });
    meta.set_application_info ("key", "value");
    var other = new C2g.MetaNetDef.from_bytes (meta.to_bytes ());
    assert_true (other.get_project () == "project" && other.get_net ("predict").get_name () == "net");
    assert_true (join (other.list_nets ()) == "predict" && join (other.list_plans ()) == "train");
    assert_cmpstr (join (other.get_blobs ("inputs")), CompareOperator.EQ, "x y");
    assert_true (other.get_application_info ("key") == "value" && other.get_net ("train") == null);
    var copy = other.copy ();
    assert_true (copy.equal (meta));
    copy.get_net ("predict").set_name ("other");
    assert_true (!copy.equal (meta) && other.equal (meta));
  });

  add ("19.9 properties", () => {
    var net_def = (C2g.NetDef) Object.new (typeof (C2g.NetDef), name: "net", net_type: "dag", n_workers: 2);
    int n = 0;
    net_def.notify["net-type"].connect (() => n++);
    net_def.net_type = "simple";
    net_def.set_net_type ("simple");
    assert_true (n == 1 && net_def.get_net_type () == "simple" && net_def.n_workers == 2);
    var op = new C2g.OperatorDef ("Relu") { inputs = { "x" }, outputs = { "y" } };
    assert_true (op.op_type == "Relu" && join (op.get_inputs ()) == "x");
  });

  add ("19.10 gradients", () => {
    assert_true (C2g.Operator.register_gradient ("vala.Scale", "vala.ScaleGradient", { "I0", "GO0" }, { "GI0" }));
    var op = new_operator ("vala.Scale", { "x" }, { "y" });
    op.set_float ("factor", 3);
    var gradient = op.make_gradient (null);
    assert_cmpstr (gradient.get_op_type (), CompareOperator.EQ, "vala.ScaleGradient");
    assert_true (join (gradient.get_inputs ()) == "x y_grad" && join (gradient.get_outputs ()) == "x_grad");
    assert_true (gradient.get_argument ("factor").get_float () == 3 && gradient.get_is_gradient_op ());
    assert_cmpstr (join (op.make_gradient ({ "dy" }).get_inputs ()), CompareOperator.EQ, "x dy");
    fails (new C2g.Error.EXISTS (""),
           () => C2g.Operator.register_gradient ("vala.Scale", "Other", { "GO0" }, { "GI0" }));
    fails (new C2g.Error.INVALID_ARGUMENT (""),
           () => C2g.Operator.register_gradient ("vala.New", "Other", { "X" }, {}));
    includes (fails (new C2g.Error.NOT_FOUND (""), () => new C2g.OperatorDef ("vala.New").make_gradient (null)),
              { "“vala.New”" });
  });

  add ("19.12 for Caffe2", () => {
    var net = new C2g.NetDef ("n");
    net.add_operator (new_operator ("Softmax", { "x" }, { "y" }));
    assert_true (net.check_for_caffe2 ());
    net.add_operator (new_operator ("Swish", { "y" }, { "y" }));
    includes (fails (new C2g.Error.NOT_SUPPORTED (""), () => net.check_for_caffe2 ()),
              { "operator 1: Swish" });
  });
}

void add_nets () {
  add ("20.1 operators once", () => {
    var workspace = new_workspace ("x", { 1, -2 });
    workspace.run_operator_once (new_operator ("Relu", { "x" }, { "y" }));
    assert_has (workspace, "y", "1 0");
    includes (fails (new C2g.Error.NOT_FOUND (""), () => workspace.run_operator_once (
      new_operator ("Relu", { "absent" }, { "y" }))), { "“absent”" });
    var op = C2g.Operator.create (new_operator ("Relu", { "x" }, { "z" }), workspace);
    op.run ();
    assert_has (workspace, "z", "1 0");
    assert_true (op.get_op_type () == "Relu" && op.get_position () == -1);
  });

  add ("20.27 definitions are copies", () => {
    var workspace = new C2g.Workspace ();
    var net = new_net (workspace, "simple");
    net.get_definition ().get_operator (1).set_inputs ({});
    net.get_operator (1).get_definition ().set_outputs ({});
    net.get_definition ().set_name ("other");
    net.run ();
    assert_has (workspace, "y", "4 8 12");
    assert_true (net.get_name () == "net");
  });

  add ("20.2 nets of workspaces", () => {
    var workspace = new C2g.Workspace ();
    var net = new_net (workspace, "simple");
    assert_cmpstr (join (workspace.list_nets ()), CompareOperator.EQ, "net");
    assert_true (net.get_name () == "net" && net.get_n_operators () == 7 && workspace.get_net ("net") == net);
    assert_true (net.get_operator (1).get_op_type () == "Relu" && net.get_definition ().get_n_operators () == 7);
    includes (fails (new C2g.Error.EXISTS (""), () => workspace.create_net (net.get_definition (), false)), { "“net”" });
    var other = workspace.create_net (net.get_definition (), true);
    assert_true (other != net);
    foreach (unowned var each in new C2g.Net[] { net, other }) {
      each.run ();
      assert_has (workspace, "y", "4 8 12");
      workspace.get_blob ("y").reset ();
    }
    workspace.remove_net ("net");
    assert_cmpint (workspace.list_nets ().length, CompareOperator.EQ, 0);
    fails (new C2g.Error.NOT_FOUND (""), () => workspace.get_net ("net"));
    fails (new C2g.Error.NOT_FOUND (""), () => workspace.remove_net ("net"));
  });

  add ("20.3 signals of workspaces", () => {
    var workspace = new C2g.Workspace ();
    Object[] added = {};
    Object[] removed = {};
    workspace.net_added.connect ((net) => added += net);
    workspace.net_removed.connect ((net) => removed += net);
    var net_def = new C2g.NetDef.from_text (BRANCHES);
    var first = workspace.create_net (net_def, false);
    var second = workspace.create_net (net_def, true);
    workspace.remove_net ("net");
    assert_true (added.length == 2 && added[0] == first && added[1] == second);
    assert_true (removed.length == 2 && removed[0] == first && removed[1] == second);
  });

  add ("20.4 runs", () => {
    foreach (unowned string type in NET_TYPES) {
      var workspace = new C2g.Workspace ();
      var net = new_net (workspace, type);
      for (int i = 0; i < 10; i++)
        net.run ();
      assert_has (workspace, "y", "4 8 12");
      assert_has (workspace, "s", "1 0 9");
      workspace.run_net ("net");
      workspace.run_net_once (net.get_definition ());
      assert_true (workspace.list_nets ().length == 1 && net.get_failed_position () == -1);
      fails (new C2g.Error.NOT_FOUND (""), () => workspace.run_net ("absent"));
    }
  });

  add ("20.5 signals of nets", () => {
    foreach (unowned string type in NET_TYPES) {
      var net = new_net (new C2g.Workspace (), type);
      int n_runs = 0, positions = 0, n_done = 0;
      net.before_run.connect (() => n_runs++);
      net.after_run.connect ((is_done) => n_runs += is_done ? 10 : 100);
      net.before_operator.connect ((op) => positions |= 1 << op.get_position ());
      net.after_operator.connect ((op, is_done) => n_done += is_done ? 1 : 100);
      net.run ();
      assert_true (n_runs == 11 && positions == 127 && n_done == 7);
    }
  });

  add ("20.6 in the background", () => {
    foreach (unowned string type in NET_TYPES) {
      var workspace = new C2g.Workspace ();
      var net = new_net (workspace, type);
      var loop = new MainLoop ();
      unowned Thread<void*> here = Thread.self<void*> ();
      int n_here = 0;
      bool is_done = false;
      ulong handler = net.before_operator.connect (() => n_here += here == Thread.self<void*> () ? 1 : 100);
      net.run_async.begin (null, (source, result) => {
        try {
          is_done = net.run_async.end (result);
        } catch (Error error) {
          Test.message ("%s", error.message);
        }
        loop.quit ();
      });
      loop.run ();
      net.disconnect (handler);
      assert_true (is_done && n_here == 7);
      assert_has (workspace, "y", "4 8 12");
    }
  });

  add ("20.7 cancelled", () => {
    foreach (unowned string type in NET_TYPES) {
      var net = new_net (new C2g.Workspace (), type);
      var cancellable = new Cancellable ();
      bool is_cancelled = false;
      ulong handler = net.after_operator.connect (() => cancellable.cancel ());
      try {
        net.run (cancellable);
      } catch (IOError.CANCELLED error) {
        is_cancelled = true;
      }
      assert_true (is_cancelled);
      net.disconnect (handler);
      net.run ();
    }
  });

  add ("20.8 errors in runs", () => {
    foreach (unowned string type in NET_TYPES) {
      var workspace = new_workspace ("x", { 1, 2 });
      workspace.create_blob ("w").set_object (new_floats ({ 1, 2, 3 }));
      var net = new_net (workspace, type, """name: 'net' op { type: 'Relu' input: 'x' output: 'r' }
        op { type: 'Add' name: 'sum' input: 'r' input: 'w' output: 'y' }""");
      includes (fails (new C2g.Error.SHAPE (""), () => net.run ()),
                { "Net “net”, operator 1: Add “sum”: ", "“w”", "[3]" });
      assert_cmpint (net.get_failed_position (), CompareOperator.EQ, 1);
      workspace.get_blob ("w").set_object (new_floats ({ 1, 2 }));
      net.run ();
      assert_has (workspace, "y", "2 4");
      assert_cmpint (net.get_failed_position (), CompareOperator.EQ, -1);
    }
  });

  add ("20.9 errors before runs", () => {
    var workspace = new C2g.Workspace ();
    var absent = new C2g.Error.NOT_FOUND ("");
    includes (fails (absent, () => new_net (workspace, "simple", "name: 'net' op { type: 'Foo' } op { type: 'Bar' }")),
              { "“net”", "“Foo”", "“Bar”" });
    includes (fails (absent, () => new_net (workspace, "simple", "name: 'net' op { type: 'BatchNorm' }")),
              { "“BatchNorm” (there is “SpatialBN”)" });
    includes (fails (absent, () => new_net (workspace, "simple",
      "name: 'net' op { type: 'Add' input: 'a' input: 'b' output: 'c' }")), { "“net”", "“a”", "“b”" });
    includes (fails (absent, () => new_net (workspace, "odd", "name: 'net'")), { "“net”", "“odd”" });
    assert_cmpint (workspace.list_nets ().length, CompareOperator.EQ, 0);
  });
}

void save_text (string text, File file) throws Error {
  new C2g.NetDef.from_text (text).save_file (file, true);
}

async void optimize_when_made (Folder folder) throws Error {
  var init = new C2g.NetDef.from_text (
    "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 3 } }");
  var predict = new C2g.NetDef.from_text ("""external_input: 'x' external_input: 'w' external_output: 'y'
    op { type: 'Dropout' input: 'x' output: 'd' output: 'm' arg { name: 'is_test' i: 1 } }
    op { type: 'Mul' input: 'd' input: 'w' output: 'y' }""");
  var init_file = folder.file.get_child ("init_net.pb");
  var predict_file = folder.file.get_child ("predict_net.pb");
  init.save_file (init_file, false);
  predict.save_file (predict_file, false);

  C2g.OptimizeFlags[] all_flags = { C2g.OptimizeFlags.ALL, C2g.OptimizeFlags.NONE };
  foreach (var flags in all_flags) {
    C2g.Predictor[] predictors = { new C2g.Predictor.create (init, predict, null, null, flags),
      new C2g.Predictor.load (folder.file, null, null, flags),
      new C2g.Predictor.load_nets (init_file, predict_file, null, null, flags),
      yield C2g.Predictor.load_async (folder.file, null, null, flags, null),
      yield C2g.Predictor.load_nets_async (init_file, predict_file, null, null, flags, null) };
    foreach (unowned C2g.Predictor predictor in predictors) {
      assert_cmpstr (numbers_of (predictor.run ({ new_floats ({ 1, 2 }) })[0]), CompareOperator.EQ, "3 6");
      assert_true (predictor.get_net ().get_n_operators () == (flags == C2g.OptimizeFlags.ALL ? 1 : 2));
      if (flags == C2g.OptimizeFlags.NONE)
        assert_cmpstr (numbers_of (predictor.get_output ("d")), CompareOperator.EQ, "1 2");
      else
        fails (new C2g.Error.NOT_FOUND (""), () => predictor.get_output ("d"));
    }
  }
}

async void more_in_the_background (Folder folder) throws Error {
  var init_file = folder.file.get_child ("init_net.pbtxt");
  var predict_file = folder.file.get_child ("predict_net.pbtxt");
  save_text ("""op { type: 'ConstantFill' output: 'v' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 1 } }
    op { type: 'vala.Scale' input: 'v' output: 'w' arg { name: 'factor' f: 3 } }""", init_file);
  save_text ("""name: 'p' external_input: 'x' external_input: 'w' external_output: 'y'
    op { type: 'Mul' input: 'x' input: 'w' output: 'z' } op { type: 'vala.Scale' input: 'z' output: 'y' }""",
    predict_file);

  var net_def = yield C2g.NetDef.load_file_async (predict_file, null);
  assert_cmpstr (net_def.get_name (), CompareOperator.EQ, "p");
  assert_true (yield net_def.save_file_async (folder.file.get_child ("copy"), false, null));
  int n_refused = 0;
  try {
    yield C2g.PlanDef.load_file_async (predict_file, null);
  } catch (C2g.Error.CORRUPT error) {
    n_refused++;
  }
  try {
    yield C2g.MetaNetDef.load_file_async (predict_file, null);
  } catch (C2g.Error.CORRUPT error) {
    n_refused++;
  }

  C2g.Predictor[] predictors = { yield C2g.Predictor.load_async (folder.file),
    yield C2g.Predictor.load_nets_async (init_file, predict_file, new C2g.Workspace (), cpu ()) };
  foreach (unowned C2g.Predictor predictor in predictors) {
    var outputs = yield predictor.run_async ({ new_floats ({ 1, 2 }) }, null);
    assert_cmpstr (numbers_of (outputs[0]), CompareOperator.EQ, "6 12");
    var benchmark = yield predictor.get_net ().measure_async (1, 2, null);
    assert_true (benchmark.get_n_runs () == 2 && benchmark.get_net () == predictor.get_net ());
  }

  var model = folder.file.get_child ("model.minidb");
  assert_true (yield predictors[0].save_async (model));
  var weights = folder.file.get_child ("w.npz");
  assert_true (yield predictors[0].save_parameters_async (weights));
  assert_true (yield predictors[0].load_parameters_async (weights));
  weights.delete ();
  var saved = new C2g.Predictor.load (model);
  assert_cmpstr (numbers_of (saved.run ({ new_floats ({ 1, 2 }) })[0]), CompareOperator.EQ, "6 12");

  predict_file.delete ();
  model.delete ();
  try {
    yield C2g.Predictor.load_async (folder.file, null, null, C2g.OptimizeFlags.ALL, null);
  } catch (C2g.Error.NOT_FOUND error) {
    n_refused++;
  }
  assert_cmpint (n_refused, CompareOperator.EQ, 3);
}

async void pictures_and_sound (Folder folder) throws Error {
  var png = folder.file.get_child ("a.png");
  var wav = folder.file.get_child ("a.wav");
  var picture = new_floats ({ 0, 1, 2 });
  picture.reshape ({ 3, 1, 1 });
  picture.save_picture (png);
  try {
    picture.save_picture (folder.file.get_child ("a.jpg"));
    assert_not_reached ();
  } catch (C2g.Error.NOT_SUPPORTED error) {
  }
  new_floats ({ 0, 0.5f }).save_sound (wav, 8000);
  picture = yield new C2g.Tensor.from_picture_async (png);
  assert_cmpstr (numbers_of (picture), CompareOperator.EQ, "0 1 2");
  var batch = yield new C2g.Tensor.from_pictures_async ({ png, png });
  assert_cmpstr (numbers_of (batch), CompareOperator.EQ, "0 1 2 0 1 2");
  uint rate;
  var sound = yield new C2g.Tensor.from_sound_async (wav, null, null, out rate);
  assert_cmpstr (numbers_of (sound), CompareOperator.EQ, "0 0.5");
  assert_true (rate == 8000);
}

void add_runners () {
  add ("20.10 plans", () => {
    var workspace = new C2g.Workspace ();
    var plan = new C2g.PlanDef.from_text (PLAN);
    workspace.run_plan (plan);
    assert_has (workspace, "x", "32");
    var loop = new MainLoop ();
    bool is_done = false;
    workspace.run_plan_async.begin (plan, null, (source, result) => {
      try {
        is_done = workspace.run_plan_async.end (result);
      } catch (Error error) {
        Test.message ("%s", error.message);
      }
      loop.quit ();
    });
    loop.run ();
    assert_true (is_done);
    plan.get_step (1).set_networks ({ "absent" });
    includes (fails (new C2g.Error.NOT_FOUND (""), () => workspace.run_plan (plan)),
              { "“plan”", "“again”", "“absent”" });
    workspace.run_plan (new C2g.PlanDef.from_text (CONCURRENT_PLAN));
    assert_has (workspace, "y", "2");
    assert_has (workspace, "u", "6");
  });

  add ("20.11 observers", () => {
    foreach (unowned string type in NET_TYPES) {
      var net = new_net (new C2g.Workspace (), type);
      unowned var op = net.get_operator (1);
      var watch = new Watch ();
      assert_true (net.add_observer (watch) && !net.add_observer (watch) && op.add_observer (watch));
      var observers = net.dup_observers ();
      assert_true (observers.get_n_items () == 1 && observers.get_item (0) == watch);
      net.run ();
      assert_cmpstr (watch.calls, CompareOperator.EQ, "net before, operator before, operator true, net true, ");
      assert_true (net.remove_observer (watch) && op.remove_observer (watch) && !op.remove_observer (watch));
      watch.calls = "";
      net.run ();
      assert_cmpstr (watch.calls, CompareOperator.EQ, "");
    }
  });

  add ("20.12 predictors", () => {
    var init = new C2g.NetDef.from_text (
      "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 3 } }");
    var predict = new C2g.NetDef.from_text ("""name: 'net' external_input: 'x' external_input: 'w' external_output: 'y'
      op { type: 'Mul' input: 'x' input: 'w' output: 'y' }""");
    var predictor = new C2g.Predictor.create (init, predict, null, null, C2g.OptimizeFlags.ALL);
    assert_true (join (predictor.get_inputs ()) == "x" && join (predictor.get_outputs ()) == "y");
    var outputs = predictor.run ({ new_floats ({ 1, 2 }) });
    assert_true (outputs.length == 1 && numbers_of (outputs[0]) == "3 6");
    C2g.Tensor kept = outputs[0];
    predictor.set_input ("x", new_floats ({ 4, 5 }));
    predictor.run ({});
    assert_cmpstr (numbers_of (kept), CompareOperator.EQ, "3 6");
    assert_cmpstr (numbers_of (predictor.get_output ("y")), CompareOperator.EQ, "12 15");
    includes (fails (new C2g.Error.NOT_FOUND (""), () => predictor.set_input ("no", new_floats ({ 1 }))), { "“no”" });
    includes (fails (new C2g.Error.NOT_FOUND (""), () => predictor.get_output ("no")), { "“no”" });
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => predictor.run ({ new_floats ({ 1 }), new_floats ({ 1 }) }));
    fails (new C2g.Error.SHAPE (""), () => predictor.run ({ new_floats ({ 1, 2, 3 }) }));
    assert_cmpstr (predictor.get_net ().get_name (), CompareOperator.EQ, "net");
    assert_has (predictor.get_workspace (), "w", "3 3");
  });

  add ("20.13 predictors of files", () => {
    var folder = new Folder ();
    var init = new C2g.NetDef.from_text ("op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } }");
    var predict = new C2g.NetDef.from_text (
      "external_input: 'w' external_output: 'y' op { type: 'Cos' input: 'w' output: 'y' }");
    var init_file = folder.file.get_child ("init_net.pb");
    var predict_file = folder.file.get_child ("predict_net.pb");
    init.save_file (init_file, false);
    predict.save_file (predict_file, false);
    var predictor = new C2g.Predictor.load (folder.file);
    assert_cmpstr (numbers_of (predictor.run ({})[0]), CompareOperator.EQ, "1 1");
    predictor = new C2g.Predictor.load_nets (init_file, predict_file, new C2g.Workspace (), cpu (), C2g.OptimizeFlags.ALL);
    assert_cmpstr (numbers_of (predictor.run ({})[0]), CompareOperator.EQ, "1 1");
    predict_file.delete ();
    fails (new C2g.Error.NOT_FOUND (""), () => new C2g.Predictor.load (folder.file, null, null, C2g.OptimizeFlags.ALL));
    // The only database is the model.
    predictor.save (folder.file.get_child ("a.minidb"));
    assert_cmpstr (numbers_of (new C2g.Predictor.load (folder.file).run ({ new_floats ({ 0, 0 }) })[0]), CompareOperator.EQ, "1 1");
    predictor.save (folder.file.get_child ("b.minidb"));
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => new C2g.Predictor.load (folder.file, null, null, C2g.OptimizeFlags.ALL));
    folder.remove ();
  });

  add ("20.19 runs at once", () => {
    var predict = new C2g.NetDef.from_text ("""name: 'net' external_input: 'x' external_output: 'y'
      op { type: 'Sum' input: 'x' input: 'x' output: 'y' }""");
    var predictor = new C2g.Predictor.create (null, predict, null, null, C2g.OptimizeFlags.ALL);
    var cancellable = new Cancellable ();
    string seen = "";
    C2g.Tensor[] all = {};
    int n_ended = 0;
    predictor.run_async.begin ({ new_floats ({ 0 }) }, null, (source, result) => {
      n_ended++;
    });
    for (int i = 1; i < 4; i++)
      predictor.run_async.begin ({ new_floats ({ i }) }, i == 2 ? cancellable : null, (source, result) => {
        n_ended++;
        try {
          foreach (var output in predictor.run_async.end (result))
            all += output;
        } catch (IOError.CANCELLED cancelled) {
          seen += "cancelled";
        } catch (Error unexpected) {
          seen += unexpected.message;
        }
      });
    cancellable.cancel ();
    fails (new C2g.Error.BUSY (""), () => predictor.run ({}));
    fails (new C2g.Error.BUSY (""), () => predictor.optimize (C2g.OptimizeFlags.ALL));
    while (n_ended < 4)
      MainContext.default ().iteration (true);
    predictor.run ({ new_floats ({ 8 }) });
    foreach (var output in all)
      seen += " " + numbers_of (output);
    assert_cmpstr (seen, CompareOperator.EQ, "cancelled 2 6");
  });

  add ("20.32 parameters change", () => {
    var init = new C2g.NetDef.from_text (
      "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 1 ints: 1 ints: 1 ints: 1 } arg { name: 'value' f: 2 } } " +
      "op { type: 'ConstantFill' output: 's' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 1 } } " +
      "op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 0 } } " +
      "op { type: 'ConstantFill' output: 'm' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 0 } } " +
      "op { type: 'ConstantFill' output: 'v' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 1 } }");
    var predict = new C2g.NetDef.from_text (
      "external_input: 'x' external_input: 'w' external_input: 's' external_input: 'b' external_input: 'm' external_input: 'v' external_output: 'y' " +
      "op { type: 'Conv' input: 'x' input: 'w' output: 'c' arg { name: 'kernel' i: 1 } } " +
      "op { type: 'SpatialBN' input: 'c' input: 's' input: 'b' input: 'm' input: 'v' output: 'y' arg { name: 'is_test' i: 1 } arg { name: 'epsilon' f: 1e-9 } }");
    var predictor = new C2g.Predictor.create (init, predict, null, null, C2g.OptimizeFlags.ALL);
    var blob = predictor.get_workspace ().get_blob ("w");
    var picture = new C2g.Tensor.sized ({ 1, 1, 1, 1 }, null);
    picture.allocate (C2g.DataType.FLOAT);
    picture.fill (1);
    assert_cmpstr (string.joinv (" ", predictor.list_parameters ()), CompareOperator.EQ, "w s b m v");
    assert_cmpfloat (predictor.run ({ picture })[0].get_value (0), CompareOperator.EQ, 2);
    blob.get_tensor ().set_value (0, 3);
    assert_cmpfloat (predictor.run ({ picture })[0].get_value (0), CompareOperator.EQ, 3);
    var other = blob.get_tensor ().clone (null);
    other.fill (4);
    blob.set_object (other);
    assert_cmpfloat (predictor.run ({ picture })[0].get_value (0), CompareOperator.EQ, 4);
    fails (new C2g.Error.NOT_FOUND (""), () => predictor.get_output ("c"));
    var folder = new Folder ();
    var file = folder.file.get_child ("w.minidb");
    predictor.save_parameters (file);
    blob.get_tensor ().fill (7);
    predictor.load_parameters (file);
    assert_cmpfloat (predictor.run ({ picture })[0].get_value (0), CompareOperator.EQ, 4);
    // A save of the whole workspace leaves out what the optimizer has made.
    file = folder.file.get_child ("all.minidb");
    predictor.get_workspace ().save_checkpoint (file);
    assert_cmpint (new C2g.Workspace ().load_checkpoint (file).length, CompareOperator.EQ, 7);
    folder.remove ();
  });

  add ("20.16 models are optimized, and saved", () => {
    var folder = new Folder ();
    var init = new C2g.NetDef.from_text (
      "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 3 } }");
    var predict = new C2g.NetDef.from_text ("""name: 'net' external_input: 'x' external_input: 'w' external_output: 'y'
      op { type: 'Dropout' input: 'x' output: 'd' output: 'm' arg { name: 'is_test' i: 1 } }
      op { type: 'Mul' input: 'd' input: 'w' output: 'y' }""");
    var predictor = new C2g.Predictor.create (init, predict, null, null, C2g.OptimizeFlags.ALL);
    C2g.OptimizeFlags[] flags = { C2g.OptimizeFlags.ALL, C2g.OptimizeFlags.NONE,
                                  C2g.OptimizeFlags.PRUNE | C2g.OptimizeFlags.MEMORY };
    size_t[] n_operators = { 1, 2, 1 };
    for (int i = 0; i < flags.length; i++) {
      predictor.optimize (flags[i]);
      assert_true (predictor.get_net ().get_definition ().get_n_operators () == n_operators[i]);
      assert_cmpstr (numbers_of (predictor.run ({ new_floats ({ 1, 2 }) })[0]), CompareOperator.EQ, "3 6");
    }
    assert_true (predict.optimize (predictor.get_workspace (), C2g.OptimizeFlags.ALL).get_n_operators () == 1);

    var file = folder.file.get_child ("model.minidb");
    predictor.save (file);
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => predictor.save (folder.file.get_child ("model.npz")));
    var loaded = new C2g.Predictor.load (file, null, null, C2g.OptimizeFlags.NONE);
    assert_true (join (loaded.get_inputs ()) == "x" && join (loaded.get_outputs ()) == "y");
    assert_true (loaded.get_net ().get_definition ().get_n_operators () == 2);
    fails (new C2g.Error.NOT_FOUND (""), () => loaded.run ({}));
    assert_cmpstr (numbers_of (loaded.run ({ new_floats ({ 1, 2 }) })[0]), CompareOperator.EQ, "3 6");
    folder.remove ();
  });

  add ("20.26 predictors optimize when they are made", () => {
    var folder = new Folder ();
    var loop = new MainLoop ();
    string failure = "It did not end";
    optimize_when_made.begin (folder, (source, result) => {
      try {
        optimize_when_made.end (result);
        failure = "";
      } catch (Error error) {
        failure = error.message;
      }
      loop.quit ();
    });
    loop.run ();
    assert_cmpstr (failure, CompareOperator.EQ, "");
    folder.remove ();
  });

  add ("20.17 shapes are inferred", () => {
    var workspace = new C2g.Workspace ();
    workspace.create_blob ("x").set_object (new C2g.Tensor.sized ({ 2, 3 }, null));
    workspace.get_tensor ("x").set_data_type (C2g.DataType.FLOAT);
    var definition = new C2g.NetDef.from_text ("name: 'net' op { type: 'Transpose' input: 'x' output: 'y' }");
    workspace.infer_net_once (definition);
    var y = workspace.get_tensor ("y");
    assert_true (y.get_dim (0) == 3 && y.get_dim (1) == 2 && !y.is_allocated ());
    var net = workspace.create_net (definition, false);
    workspace.get_tensor ("x").resize ({ 4, 5, 6 });
    net.infer ();
    assert_true (workspace.get_tensor ("y").get_dim (0) == 6);
  });

  add ("20.25 file access", () => {
    var folder = new Folder ();
    var save = new C2g.NetDef.from_text ("""op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } }
      op { type: 'Save' input: 'w' arg { name: 'db' s: 'w.minidb' } arg { name: 'db_type' s: 'minidb' } }""");
    var predict = new C2g.NetDef.from_text (
      "external_input: 'w' external_output: 'y' op { type: 'Cos' input: 'w' output: 'y' }");
    assert_true (new C2g.Workspace ().file_access == C2g.FileAccess.ALL);
    var parent = new C2g.Workspace ();
    parent.file_access = C2g.FileAccess.MODEL;
    parent.root_folder = folder.file.get_path ();
    parent.set_model_folder (folder.file.get_path ());
    var child = new C2g.Workspace.with_parent (parent);
    assert_true (child.file_access == C2g.FileAccess.MODEL);
    assert_cmpstr (child.dup_model_folder (), CompareOperator.EQ, folder.file.get_path ());
    fails (new C2g.Error.DENIED (""), () => child.run_net_once (save));
    fails (new C2g.Error.DENIED (""), () => new C2g.Predictor.create (save, predict, null, null, C2g.OptimizeFlags.ALL));
    assert_true (!folder.file.get_child ("w.minidb").query_exists ());
    parent.file_access = C2g.FileAccess.ROOT_FOLDER;
    new C2g.Predictor.create (save, predict, parent, null, C2g.OptimizeFlags.ALL);
    assert_true (folder.file.get_child ("w.minidb").query_exists ());
    folder.remove ();
  });

  add ("20.18 more in the background", () => {
    var folder = new Folder ();
    var loop = new MainLoop ();
    bool is_done = false;
    more_in_the_background.begin (folder, (source, result) => {
      try {
        more_in_the_background.end (result);
        is_done = true;
      } catch (Error error) {
        Test.message ("%s", error.message);
      }
      loop.quit ();
    });
    loop.run ();
    assert_true (is_done);
    folder.remove ();
  });

  add ("20.30 pictures and sound in the background", () => {
    var folder = new Folder ();
    var loop = new MainLoop ();
    bool is_done = false;
    pictures_and_sound.begin (folder, (source, result) => {
      try {
        pictures_and_sound.end (result);
        is_done = true;
      } catch (C2g.Error.NOT_SUPPORTED error) {
        Test.skip (error.message);
        is_done = true;
      } catch (Error error) {
        Test.message ("%s", error.message);
      }
      loop.quit ();
    });
    loop.run ();
    assert_true (is_done);
    folder.remove ();
  });

  add ("20.31 what a model says of pictures", () => {
    var folder = new Folder ();
    save_text ("name: 'init'", folder.file.get_child ("init_net.pbtxt"));
    save_text ("external_input: 'x' external_output: 'y' op { type: 'Copy' input: 'x' output: 'y' }",
               folder.file.get_child ("predict_net.pbtxt"));
    var predictor = new C2g.Predictor.load (folder.file);
    var png = folder.file.get_child ("a.png");
    fails (new C2g.Error.NOT_FOUND (""), () => predictor.classify_file (png));
    string[] guessed;
    var guess = predictor.guess_picture_options (null, out guessed);
    assert_true (guess.size == null && string.joinv (" ", guessed) == "size channels mean scale");
    FileUtils.set_contents (folder.file.get_child ("model.ini").get_path (), "[picture]\nmean=1\nchannels=GRAY\n");
    var options = predictor.dup_picture_options ();
    assert_true (options.mean == "1" && options.channels == "GRAY" && options.size == null);
    var picture = new_floats ({ 3 });
    picture.reshape ({ 1, 1, 1 });
    try {
      picture.save_picture (png);
      assert_true (predictor.classify_file (png).score == 2);
      var batch = new C2g.Tensor.from_pictures ({ png, png, png }, options);
      assert_true (batch.get_dims ()[0] == 3 && batch.get_n_elements () == 3 && batch[2] == 2);
      fails (new C2g.Error.INVALID_ARGUMENT (""), () => new C2g.Tensor.from_pictures ({}, options));
      var loop = new MainLoop ();
      predictor.classify_file_async.begin (png, null, (source, result) => {
        try {
          assert_true (predictor.classify_file_async.end (result).score == 2);
        } catch (GLib.Error error) {
          Test.fail ();
        }
        loop.quit ();
      });
      loop.run ();
    } catch (C2g.Error.NOT_SUPPORTED error) {
      Test.skip (error.message);
    }
    folder.remove ();
  });

  add ("20.14 benchmarks", () => {
    foreach (unowned string type in NET_TYPES) {
      var net = new_net (new C2g.Workspace (), type);
      var benchmark = net.benchmark (1, 2);
      assert_true (benchmark.get_n_runs () == 2 && benchmark.get_net () == net);
      assert_true (benchmark.get_seconds () >= 0 && benchmark.get_operator_seconds (2) >= 0);
      assert_true (benchmark.get_operator_flops (2) == -1 && benchmark.get_operator_bytes (2) == 24);
      assert_cmpint (benchmark.to_text ().split ("vala.Scale").length, CompareOperator.EQ, 4);
    }
  });

  add ("20.15 numbers", () => {
    var stats = new C2g.StatRegistry ();
    var other = new C2g.StatRegistry ();
    assert_true (stats.increment ("runs", 2) == 2 && stats.increment ("runs", 3) == 5);
    assert_true (stats.increment_detail ("reads", "fast", 3) == 3 && stats.increment_detail ("reads", "slow", 1) == 4);
    stats.add_sample ("size", 7);
    foreach (int64 time in new int64[] { 10, 12, 14 })
      stats.add_deviation_sample ("time", time);
    assert_true (stats.get_deviation ("time") == 2);
    stats.publish (other, false);
    assert_true (stats.reset ("runs") == 5);
    assert_cmpstr (other.to_variant ().print (false), CompareOperator.EQ,
                   "{'reads': 4, 'reads/fast': 3, 'reads/slow': 1, 'runs': 5, 'size/count': 1, 'size/sum': 7, " +
                   "'time/count': 3, 'time/sum': 36, 'time/sumoffset': 6, 'time/sumsqoffset': 20}");
    assert_true (other.list_keys ().length == 10 && other.list_keys ()[3] == "runs");
    assert_true (stats.get_value ("runs") == 0 && stats.get_value ("absent") == 0);
    assert_true (C2g.StatRegistry.get_default () == C2g.StatRegistry.get_default ());
  });
}

void run_engine (C2g.Workspace workspace, string? engine, string code = "RANGE") throws Error {
  var op = new_operator ("vala.Engines", { "x" }, { "y" });
  op.set_engine (engine);
  op.set_string ("code", code);
  workspace.run_operator_once (op);
}

void add_own_operators () {
  add ("21.1 own operators", () => {
    var workspace = new_workspace ("x", { 1, 2 });
    var op = new_operator ("vala.Scale", { "x" }, { "y" });
    workspace.run_operator_once (op);
    assert_has (workspace, "y", "2 4");
    op.set_float ("factor", -1);
    workspace.run_operator_once (op);
    assert_has (workspace, "y", "-1 -2");
    assert_true (C2g.Operator.create (op, workspace) is Scale);
  });

  add ("21.2 own arguments", () => {
    var workspace = new C2g.Workspace ();
    var op = new C2g.OperatorDef ("vala.Arguments");
    workspace.run_operator_once (op);
    assert_cmpstr (Arguments.seen, CompareOperator.EQ, "false 7 0.5 true default 0 0 ");
    op.set_int ("i", -3);
    op.set_float ("f", 1.5);
    op.set_boolean ("b", false);
    op.set_string ("s", "text");
    op.set_ints ("is", { 1, 2 });
    op.set_floats ("fs", { 0.5f });
    op.set_strings ("ss", { "a", "b" });
    workspace.run_operator_once (op);
    assert_cmpstr (Arguments.seen, CompareOperator.EQ, "true -3 1.5 false text 2 1 a,b");
    foreach (unowned string name in new string[] { "i", "f", "s", "is", "fs", "ss" }) {
      var wrong = new C2g.OperatorDef ("vala.Arguments");
      if (name == "s")
        wrong.set_int (name, 1);
      else
        wrong.set_string (name, "wrong");
      includes (fails (new C2g.Error.TYPE (""), () => workspace.run_operator_once (wrong)), { @"“$name”" });
    }
  });

  add ("21.3 own schema", () => {
    var schema = new C2g.OperatorSchema (1, 2, 1, 1);
    schema.require_argument ("factor");
    schema.set_documentation ("Multiplies.");
    register_class ("vala.Strict", typeof (Scale), schema);
    var workspace = new_workspace ("x", { 1 });
    C2g.OperatorDef[] ops = {
      new_operator ("vala.Strict", {}, { "y" }), new_operator ("vala.Strict", { "x" }, { "y", "z" }),
      new_operator ("vala.Strict", { "x" }, { "x" }), new_operator ("vala.Strict", { "x" }, { "y" })
    };
    string[] parts = { "0", "2", "“x”", "“factor”" };
    for (int i = 0; i < ops.length; i++) {
      if (i < 3)
        ops[i].set_float ("factor", 1);
      includes (fails (new C2g.Error.INVALID_ARGUMENT (""), () => workspace.run_operator_once (ops[i])),
                { "vala.Strict: ", parts[i] });
    }
    var found = C2g.OperatorSchema.lookup ("vala.Strict");
    assert_true (found.get_min_inputs () == 1 && found.get_max_inputs () == 2 && !found.is_in_place_allowed (0, 0));
    assert_true (join (found.get_required_arguments ()) == "factor" && found.get_documentation () == "Multiplies.");
    fails (new C2g.Error.NOT_FOUND (""), () => C2g.OperatorSchema.lookup ("vala.Absent"));
  });

  add ("21.4 in place", () => {
    var workspace = new_workspace ("x", { 1, 2 });
    workspace.run_operator_once (new_operator ("vala.Scale", { "x" }, { "x" }));
    assert_has (workspace, "x", "2 4");
  });

  add ("21.5 own errors", () => {
    foreach (unowned string type in NET_TYPES) {
      var net = new_net (new C2g.Workspace (), type, "name: 'net' op { type: 'vala.Failing' name: 'f' }");
      var watch = new Watch ();
      bool is_told = false;
      net.get_operator (0).add_observer (watch);
      net.after_operator.connect ((op, is_done) => is_told = !is_done);
      includes (fails (new C2g.Error.SHAPE (""), () => net.run ()),
                { "Net “net”, operator 0: vala.Failing “f”: mine" });
      assert_true (is_told && watch.calls == "operator before, operator false, ");
    }
  });

  add ("21.6 failing without an error", () => {
    foreach (unowned string type in NET_TYPES) {
      var net = new_net (new C2g.Workspace (), type, "name: 'net' op { type: 'vala.Unset' }");
      includes (fails (new C2g.Error.FAILED (""), () => net.run ()), { "Unset" });
    }
  });

  add ("21.7 own set_up fails", () => {
    includes (fails (new C2g.Error.RANGE (""), () => new_net (new C2g.Workspace (), "simple",
      "name: 'net' op { type: 'vala.Refusing' }")), { "Net “net”, operator 0: vala.Refusing: not this" });
  });

  add ("21.8 lacking run", () => {
    includes (fails (new C2g.Error.NOT_SUPPORTED (""), () => new C2g.Workspace ().run_operator_once (
      new C2g.OperatorDef ("vala.Lacking"))), { "Lacking" });
  });

  add ("21.9 own content", () => {
    var workspace = new_workspace ("a", { 1 });
    workspace.create_blob ("b").set_object (new_floats ({ 2 }));
    var op = new_operator ("vala.Texts", { "a", "b" }, { "words", "number" });
    op.set_name ("name");
    workspace.run_operator_once (op);
    unowned var words = (Words) workspace.get_blob ("words").get_object ();
    assert_cmpstr (words.text, CompareOperator.EQ, "vala.Texts name  -1 cpu 1 -1 2 2 a true");
    assert_has (workspace, "number", "3");
  });

  add ("21.10 engines", () => {
    register_class ("vala.Engines", typeof (Scale), new_schema ());
    register_class ("vala.Engines", typeof (Refusing), null, "REFUSES");
    register_class ("vala.Engines", typeof (Failing), null, "FAILS");
    assert_cmpint (C2g.Operator.list_engines ("vala.Engines", C2g.DeviceType.CPU).length, CompareOperator.EQ, 3);
    var workspace = new_workspace ("x", { 1 });
    run_engine (workspace, null);
    run_engine (workspace, "ABSENT");
    fails (new C2g.Error.RANGE (""), () => run_engine (workspace, "REFUSES"));
    run_engine (workspace, "REFUSES", "NOT_SUPPORTED");
    fails (new C2g.Error.SHAPE (""), () => run_engine (workspace, "FAILS"));
    C2g.Operator.set_preferred_engines ("vala.Engines", C2g.DeviceType.CPU, { "FAILS" });
    fails (new C2g.Error.SHAPE (""), () => run_engine (workspace, null));
    C2g.Operator.set_preferred_engines ("vala.Engines", C2g.DeviceType.CPU, null);
    run_engine (workspace, null);
  });

  add ("20.28 pictures and classes", () => {
    var pixels = new Bytes ({ 255, 0, 0, 0, 0, 255 });
    var options = new C2g.PictureOptions () { channels = "BGR", scale = "1/255" };
    var picture = new C2g.Tensor.from_pixels (pixels, 2, 1, 6, 3, options);
    assert_true (picture.get_value (1) == 1 && picture.get_value (2) == 0);
    uint width, height, n_channels;
    assert_true (picture.dup_pixels (options, out width, out height, out n_channels).compare (pixels) == 0);
    assert_true (width == 2 && height == 1 && n_channels == 3);
    try {
      options.check ();
    } catch (Error error) {
      assert_not_reached ();
    }
    assert_true ("did you mean “imagenet”?" in fails (new C2g.Error.INVALID_ARGUMENT (""), () => new C2g.PictureOptions ("imagnet").check ()));
    options.channels = "GREEN";
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => new C2g.Tensor.from_pixels (pixels, 2, 1, 6, 3, options));

    var def = new C2g.NetDef.from_text ("op { type: 'Relu' input: 'x' output: 'y' }");
    var predictor = new C2g.Predictor.create (null, def);
    var scores = new C2g.Tensor.sized ({ 1, 2 }, null);
    scores.allocate (C2g.DataType.FLOAT);
    scores.fill (0);
    scores.set_value (1, 3);
    var best = predictor.list_classes (scores, 0, 1)[0];
    assert_true (best.index == 1 && best.score == 3 && best.label == null);
    assert_true (predictor.classify (scores).index == 1);
    var batch = new C2g.Tensor.sized ({ 2, 2 }, null);
    batch.allocate (C2g.DataType.FLOAT);
    batch.fill (0);
    batch.set_value (1, 3);
    var each = predictor.classify_batch (batch);
    assert_true (each.length == 2 && each[0].index == 1 && each[1].index == 0);
    assert_true ("classify_batch" in fails (new C2g.Error.SHAPE (""), () => predictor.classify (batch)));
    var own = new C2g.ClassScore (0, 1, "cat");
    assert_true (own.index == 0 && own.score == 1 && own.label == "cat");
  });

  add ("20.29 sound", () => {
    var tone = new C2g.Tensor.sized ({ 2, 4 }, null);
    tone.allocate (C2g.DataType.FLOAT);
    tone.fill (0.25);
    var folder = new Folder ();
    var file = folder.file.get_child ("tone.wav");
    try {
      tone.save_sound (file, 16000);
    } catch (C2g.Error.NOT_SUPPORTED error) {
      Test.skip (error.message);
      folder.remove ();
      return;
    }
    uint rate;
    var back = new C2g.Tensor.from_sound (file, null, out rate);
    assert_true (rate == 16000 && back.get_dims ()[0] == 2 && back.get_value (7) == 0.25);
    var options = new C2g.SoundOptions () { sample_rate = 8000, mono = true, interleaved = true };
    var mono = new C2g.Tensor.from_sound (file, options, out rate);
    assert_true (rate == 8000 && mono.get_dims ()[0] == 2 && mono.get_dims ()[1] == 1);
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => tone.save_sound (file, 0));
    folder.remove ();
  });

  add ("21.11 registering", () => {
    assert_true (register_class ("vala.Scale", typeof (Scale)));
    includes (fails (new C2g.Error.EXISTS (""), () => register_class ("vala.Scale", typeof (Failing))),
              { "“vala.Scale”" });
    fails (new C2g.Error.TYPE (""), () => register_class ("vala.Abstract", typeof (C2g.Operator)));
    fails (new C2g.Error.TYPE (""), () => register_class ("vala.Words", typeof (Words)));
    var types = C2g.Operator.list_types ();
    assert_true ("Relu" in types && "vala.Scale" in types && !("vala.Abstract" in types));
    assert_true (C2g.OperatorSchema.lookup ("Relu").is_in_place_allowed (0, 0));
  });

  add ("21.12 accepted arguments", () => {
    var schema = new C2g.OperatorSchema (1, 1, 1, 1);
    schema.accept_argument ("factor");
    register_class ("vala.Accepting", typeof (Scale), schema);
    var workspace = new_workspace ("x", { 1 });
    var op = new_operator ("vala.Accepting", { "x" }, { "y" });
    op.set_float ("factor", 1);
    workspace.run_operator_once (op);
    op.set_float ("faktor", 1);
    includes (fails (new C2g.Error.INVALID_ARGUMENT (""), () => workspace.run_operator_once (op)),
              { "vala.Accepting: ", "“faktor”" });
    var accepting = C2g.OperatorSchema.lookup ("vala.Accepting");
    assert_true (join (accepting.list_arguments (C2g.ArgumentUse.READ)) == "factor");

    var pad_image = new_operator ("PadImage", { "x" }, { "y" });
    pad_image.set_int ("global_pooling", 1);
    includes (fails (new C2g.Error.NOT_SUPPORTED (""), () => workspace.run_operator_once (pad_image)),
              { "PadImage: The argument “global_pooling”" });
    var refused = C2g.OperatorSchema.lookup ("PadImage").list_arguments (C2g.ArgumentUse.REFUSED);
    assert_true ("global_pooling" in refused);
  });
}

int main (string[] args) {
  Test.init (ref args);
  try {
    register_class ("vala.Scale", typeof (Scale), new_schema ());
    register_class ("vala.Arguments", typeof (Arguments));
    register_class ("vala.Texts", typeof (Texts));
    register_class ("vala.Failing", typeof (Failing));
    register_class ("vala.Unset", typeof (Unset));
    register_class ("vala.Refusing", typeof (Refusing));
    register_class ("vala.Lacking", typeof (Lacking));
  } catch (Error error) {
    assert_not_reached ();
  }
  add_definitions ();
  add_nets ();
  add_runners ();
  add_own_operators ();
  return Test.run ();
}
