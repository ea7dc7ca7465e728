// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Definitions of operators, nets and plans; running them; operators and observers written in JavaScript.

import C2g from 'gi://C2g?version=1';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import Gio from 'gi://Gio';
import System from 'system';
import {CPU, equal, fails, finish, need, newFloats, numbersOf, ok, record, run, test, throws} from './testing.js';

const NET_TYPES = ['simple', 'dag'];

const BRANCHES = `name: 'net' num_workers: 4
op { type: 'GivenTensorFill' output: 'x'
  arg { name: 'shape' ints: 3 } arg { name: 'values' floats: 1 floats: -2 floats: 3 } }
op { type: 'Relu' input: 'x' output: 'r' }
op { type: 'js.Scale' input: 'x' output: 'd' }
op { type: 'js.Scale' input: 'r' output: 'e' }
op { type: 'Abs' input: 'd' output: 'a' }
op { type: 'Sqr' input: 'r' output: 's' }
op { type: 'js.Scale' input: 'a' output: 'y' }`;

const PLAN = `name: 'plan'
network { name: 'init' op { type: 'ConstantFill' output: 'x' arg { name: 'shape' ints: 1 }
    arg { name: 'value' f: 1 } } }
network { name: 'double' external_input: 'x' op { type: 'js.Scale' input: 'x' output: 'x' } }
execution_step { name: 'first' network: 'init' }
execution_step { name: 'again' num_iter: 5 network: 'double' }`;

const CONCURRENT_PLAN = `name: 'concurrent'
network { name: 'a' op { type: 'GivenTensorFill' output: 'x'
    arg { name: 'shape' ints: 1 } arg { name: 'values' floats: 1 } }
  op { type: 'js.Scale' input: 'x' output: 'y' } }
network { name: 'b' op { type: 'GivenTensorFill' output: 'z'
    arg { name: 'shape' ints: 1 } arg { name: 'values' floats: 3 } }
  op { type: 'js.Scale' input: 'z' output: 'u' } }
execution_step { concurrent_substeps: true num_iter: 5 substep { network: 'a' } substep { network: 'b' } }`;

// Multiplies by a factor.
const Scale = GObject.registerClass(class Scale extends C2g.Operator {
    vfunc_set_up() {
        this.factor = this.get_float('factor', 2);
        return true;
    }

    vfunc_run() {
        const [source, target] = [this.get_input_tensor(0), this.get_output_tensor(0)];
        if (source !== target)
            target.copy_from(source, null);
        for (let i = 0; i < target.get_n_elements(); i++)
            target.set_value(i, this.factor * target.get_value(i));
        return true;
    }
});

let argumentsSeen = null;

// Reads an argument of every kind.
const Arguments = GObject.registerClass(class Arguments extends C2g.Operator {
    vfunc_set_up() {
        argumentsSeen = [this.has_argument('i'), this.get_int('i', 7), this.get_float('f', 0.5),
            this.get_boolean('b', true), this.get_string('s', 'default'), this.get_ints('is'), this.get_floats('fs'),
            this.dup_strings('ss')];
        return true;
    }

    vfunc_run() {
        return true;
    }
});

const Words = GObject.registerClass(class Words extends GObject.Object {
});

// Outputs an object and a tensor with what the operator can query.
const Texts = GObject.registerClass(class Texts extends C2g.Operator {
    vfunc_run() {
        const words = new Words();
        words.words = [this.get_op_type(), this.get_name(), this.get_engine(), this.get_position(),
            this.get_device().to_string(), this.find_input('b'), this.find_output('other'), this.get_n_inputs(),
            this.get_n_outputs(), this.get_input(0).get_name(),
            this.ref_workspace().get_blob('a') === this.get_input(0)];
        this.get_output(0).set_object(words);
        const tensor = this.get_output_tensor(1);
        tensor.resize([1]);
        tensor.allocate(C2g.DataType.INT64);
        tensor.set_value(0, 3);
        return true;
    }
});

const Failing = GObject.registerClass(class Failing extends C2g.Operator {
    vfunc_run() {
        throw new GLib.Error(C2g.Error, C2g.Error.SHAPE, 'mine');
    }
});

const Unset = GObject.registerClass(class Unset extends C2g.Operator {
    vfunc_run() {
        return false;
    }
});

// Refuses to be created, with the error code in an argument.
const Refusing = GObject.registerClass(class Refusing extends C2g.Operator {
    vfunc_set_up() {
        throw new GLib.Error(C2g.Error, C2g.Error[this.get_string('code', 'RANGE')], 'not this');
    }

    vfunc_run() {
        return true;
    }
});

const Lacking = GObject.registerClass(class Lacking extends C2g.Operator {
});

const Watch = GObject.registerClass({
    Implements: [C2g.Observer],
}, class Watch extends GObject.Object {
    calls = [];

    vfunc_before_run(subject) {
        this.calls.push(subject, 'before');
    }

    vfunc_after_run(subject, isDone) {
        this.calls.push(subject, isDone);
    }
});

function register(kind, schema = null, engine = null, name = `js.${kind.name}`) {
    return C2g.Operator.register(name, C2g.DeviceType.CPU, engine, kind.$gtype, schema);
}

function newSchema() {
    const schema = C2g.OperatorSchema.new(1, 1, 1, 1);
    schema.allow_in_place(0, 0);
    return schema;
}

register(Scale, newSchema());
for (const kind of [Arguments, Texts, Failing, Unset, Refusing, Lacking])
    register(kind);

function newOperator(type, inputs = [], outputs = [], floats = {}) {
    const op = C2g.OperatorDef.new(type);
    op.set_inputs(inputs);
    op.set_outputs(outputs);
    for (const [name, value] of Object.entries(floats))
        op.set_float(name, value);
    return op;
}

function newWorkspace(blobs = {}) {
    const workspace = new C2g.Workspace();
    for (const [name, numbers] of Object.entries(blobs))
        workspace.create_blob(name).set_object(newFloats(...numbers));
    return workspace;
}

function newNet(type = 'simple', text = BRANCHES) {
    const workspace = new C2g.Workspace();
    const netDef = C2g.NetDef.new_from_text(text);
    netDef.set_net_type(type);
    return [workspace, workspace.create_net(netDef, false)];
}

const values = (workspace, name) => numbersOf(workspace.get_tensor(name));

function includesAll(message, ...parts) {
    for (const part of parts)
        ok(message.includes(part), `“${part}” is not in “${message}”`);
}

// Calls the function, which must fail with this code of GIO's errors.
function gioFails(code, use) {
    try {
        use();
    } catch (error) {
        if (!error.matches(Gio.IOErrorEnum, code))
            throw error;
        return;
    }
    throw new Error(`expected error ${code}`);
}

function inFolder(use) {
    const folder = Gio.File.new_for_path(GLib.dir_make_tmp('c2g-js-XXXXXX'));
    const names = new Set();
    try {
        use(name => {
            names.add(name);
            return folder.get_child(name);
        }, folder);
    } finally {
        for (const name of names) {
            if (folder.get_child(name).query_exists(null))
                folder.get_child(name).delete(null);
        }
        folder.delete(null);
    }
}

test('19.1 operators', () => {
    const op = C2g.OperatorDef.new('FC');
    op.set_name('fc1');
    op.set_inputs(['x', 'w']);
    op.add_input('b');
    op.add_output('y');
    op.add_control_input('ready');
    op.set_engine('FAST');
    op.set_device(CPU);
    op.set_debug_info('here');
    op.set_is_gradient_op(true);
    equal([op.get_op_type(), op.get_name(), op.get_inputs(), op.get_outputs()], ['FC', 'fc1', ['x', 'w', 'b'], ['y']]);
    equal([op.get_n_inputs(), op.get_n_outputs(), op.get_n_control_inputs()], [3, 1, 1]);
    equal([op.get_control_inputs(), op.get_engine(), op.get_debug_info()], [['ready'], 'FAST', 'here']);
    ok(op.get_device().equal(CPU) && op.get_is_gradient_op());
    op.set_inputs(null);
    op.set_name(null);
    op.set_device(null);
    equal([op.get_inputs(), op.get_name(), op.get_device()], [[], null, null]);
});

test('19.2 arguments', () => {
    const netDef = C2g.NetDef.new('inner');
    const made = {
        INT: [C2g.Argument.new_int('a', 2 ** 40), 'get_int', 2 ** 40],
        FLOAT: [C2g.Argument.new_float('a', 0.5), 'get_float', 0.5],
        STRING: [C2g.Argument.new_string('a', 'ä'), 'get_string', 'ä'],
        INTS: [C2g.Argument.new_ints('a', [1, -2]), 'get_ints', [1, -2]],
        FLOATS: [C2g.Argument.new_floats('a', [1, 0.5]), 'get_floats', [1, 0.5]],
        STRINGS: [C2g.Argument.new_strings('a', ['x', 'y']), 'dup_strings', ['x', 'y']],
    };
    for (const [kind, [argument, getter, expected]] of Object.entries(made)) {
        equal([argument.get_name(), argument.get_kind()], ['a', C2g.ArgumentKind[kind]]);
        equal(argument[getter](), expected, kind);
        ok(argument.equal(argument));
        includesAll(fails(C2g.Error.TYPE, () => argument[kind === 'STRING' ? 'get_ints' : 'get_string']()), '“a”');
    }
    equal(C2g.Argument.new_bytes('a', new GLib.Bytes([0, 255])).dup_bytes().toArray(), [0, 255]);
    equal(C2g.Argument.new_net('a', netDef).dup_net().get_name(), 'inner');
    equal(C2g.Argument.new_nets('a', [netDef, netDef]).dup_nets().map(net => net.get_name()), ['inner', 'inner']);
});

test('19.3 arguments of operators', () => {
    const op = C2g.OperatorDef.new('Op');
    op.set_int('i', 3);
    op.set_float('f', 0.5);
    op.set_boolean('b', true);
    op.set_string('s', 'text');
    op.set_ints('is', [1, 2]);
    op.set_floats('fs', []);
    op.set_strings('ss', ['a']);
    op.set_argument(C2g.Argument.new_int('i', 4));
    equal(op.list_arguments().map(argument => argument.get_name()), ['i', 'f', 'b', 's', 'is', 'fs', 'ss']);
    equal([op.get_argument('i').get_int(), op.get_argument('b').get_int()], [4, 1]);
    equal([op.get_argument('is').get_ints(), op.get_argument('fs').get_floats()], [[1, 2], []]);
    equal([op.remove_argument('i'), op.remove_argument('i'), op.get_argument('i')], [true, false, null]);
});

test('19.4 nets', () => {
    const netDef = C2g.NetDef.new('net');
    netDef.set_net_type('dag');
    netDef.set_n_workers(3);
    netDef.set_device(CPU);
    netDef.set_external_inputs(['x']);
    netDef.add_external_input('w');
    netDef.add_external_output('y');
    netDef.set_argument(C2g.Argument.new_int('version', 2));
    netDef.add_operator(newOperator('Relu', ['r'], ['y']));
    netDef.insert_operator(0, newOperator('Mul', ['x', 'w'], ['r']));
    netDef.add_operator(newOperator('Abs', ['y'], ['z']));
    netDef.remove_operator(2);
    equal([netDef.get_name(), netDef.get_net_type(), netDef.get_n_workers()], ['net', 'dag', 3]);
    ok(netDef.get_device().equal(CPU));
    equal([netDef.get_external_inputs(), netDef.get_external_outputs()], [['x', 'w'], ['y']]);
    equal([0, 1].map(i => netDef.get_operator(i).get_op_type()), ['Mul', 'Relu']);
    equal([netDef.get_n_operators(), netDef.get_argument('version').get_int()], [2, 2]);
    equal(netDef.list_arguments().length, 1);
});

test('19.11 positions out of range', () => {
    const netDef = C2g.NetDef.new('net');
    const plan = C2g.PlanDef.new('plan');
    const step = C2g.ExecutionStep.new('step');
    netDef.add_operator(newOperator('Relu', ['x'], ['y']));
    for (const position of [1, 2 ** 31]) {
        equal([netDef.get_operator(position), plan.get_net(position), plan.get_step(position), step.get_substep(position)],
            [null, null, null, null]);
        equal([netDef.remove_operator(position), plan.remove_net(position), plan.remove_step(position),
            step.remove_substep(position)], [false, false, false, false]);
    }
    fails(C2g.Error.INVALID_ARGUMENT, () => step.add_substep(step));
    equal([netDef.insert_operator(2, netDef.get_operator(0)), netDef.remove_operator(0)], [false, true]);
});

test('19.5 bytes and text', () => {
    const netDef = C2g.NetDef.new_from_text(BRANCHES);
    for (const other of [C2g.NetDef.new_from_bytes(netDef.to_bytes()), C2g.NetDef.new_from_text(netDef.to_text()),
        netDef.copy()])
        ok(other.equal(netDef));
    const op = netDef.get_operator(0);
    ok(C2g.OperatorDef.new_from_bytes(op.to_bytes()).equal(op));
    ok(C2g.OperatorDef.new_from_text(op.to_text()).equal(op));
    equal(C2g.NetDef.new('a').to_bytes().toArray(), [10, 1, 97]);
    fails(C2g.Error.CORRUPT, () => C2g.NetDef.new_from_bytes(new GLib.Bytes([10, 5, 97])));
    fails(C2g.Error.CORRUPT, () => C2g.NetDef.new_from_text('op {'));
});

test('19.6 files', () => inFolder(file => {
    const netDef = C2g.NetDef.new_from_text(BRANCHES);
    for (const [name, isText] of [['net.pb', false], ['net.pbtxt', true]]) {
        netDef.save_file(file(name), isText, null);
        ok(C2g.NetDef.load_file(file(name), null).equal(netDef));
    }
    GLib.file_set_contents(file('notes.txt').get_path(), 'A net of my own\n');
    ok(fails(C2g.Error.CORRUPT, () => C2g.NetDef.load_file(file('notes.txt'), null)).includes('This is text, expected a net'));
    gioFails(Gio.IOErrorEnum.NOT_FOUND, () => C2g.NetDef.load_file(file('absent'), null));
}));

test('19.7 plans', () => {
    const plan = C2g.PlanDef.new('plan');
    plan.add_net(C2g.NetDef.new('net'));
    const step = C2g.ExecutionStep.new('step');
    step.add_substep(new C2g.ExecutionStep({name: 'inner', nIterations: 3, networks: ['net']}));
    step.set_concurrent_substeps(true);
    let outer = C2g.ExecutionStep.new('innermost');
    for (let i = 0; i < 99; i++) {
        const around = C2g.ExecutionStep.new(null);
        around.add_substep(outer);
        outer = around;
    }
    fails(C2g.Error.RANGE, () => step.add_substep(outer));
    plan.add_step(step);
    equal([plan.get_name(), plan.get_n_nets(), plan.get_n_steps()], ['plan', 1, 1]);
    equal([plan.find_net('net').get_name(), plan.find_net('other')], [plan.get_net(0).get_name(), null]);
    const inner = plan.get_step(0).get_substep(0);
    equal([inner.get_name(), inner.get_n_iterations(), inner.get_networks()], ['inner', 3, ['net']]);
    for (const other of [C2g.PlanDef.new_from_bytes(plan.to_bytes()), C2g.PlanDef.new_from_text(plan.to_text()),
        plan.copy()])
        ok(other.equal(plan));
    plan.remove_step(0);
    plan.remove_net(0);
    equal([plan.get_n_nets(), plan.get_n_steps()], [0, 0]);
});

test('19.8 models', () => {
    const meta = new C2g.MetaNetDef();
    meta.set_project('project');
    meta.set_net('predict', C2g.NetDef.new('net'));
    meta.set_plan('train', C2g.PlanDef.new('plan'));
    meta.set_blobs('inputs', ['x', 'y']);
    meta.set_application_info('key', 'value');
    const other = C2g.MetaNetDef.new_from_bytes(meta.to_bytes());
    equal([other.get_project(), other.list_nets(), other.list_plans()], ['project', ['predict'], ['train']]);
    equal([other.get_net('predict').get_name(), other.get_blobs('inputs')], ['net', ['x', 'y']]);
    equal([other.get_application_info('key'), other.get_net('train')], ['value', null]);
    const copy = other.copy();
    copy.get_net('predict').set_name('other');
    ok(other.equal(meta) && !copy.equal(meta));
});

test('19.9 properties', () => {
    const netDef = new C2g.NetDef({name: 'net', netType: 'dag', nWorkers: 2, externalInputs: ['x']});
    const heard = record(netDef, 'notify::net-type');
    netDef.netType = 'simple';
    netDef.set_net_type('simple');
    equal([heard.length, netDef.get_net_type()], [1, 'simple']);
    const op = new C2g.OperatorDef({opType: 'Relu', inputs: ['x'], outputs: ['y']});
    equal([op.get_op_type(), op.inputs], ['Relu', ['x']]);
});

test('19.10 gradients', () => {
    ok(C2g.Operator.register_gradient('js.Scale', 'js.ScaleGradient', ['I0', 'GO0'], ['GI0']));
    const op = newOperator('js.Scale', ['x'], ['y'], {factor: 3});
    const gradient = op.make_gradient(null);
    equal([gradient.get_op_type(), gradient.get_inputs(), gradient.get_outputs()],
        ['js.ScaleGradient', ['x', 'y_grad'], ['x_grad']]);
    equal([gradient.get_argument('factor').get_float(), gradient.get_is_gradient_op()], [3, true]);
    equal(op.make_gradient(['dy']).get_inputs(), ['x', 'dy']);
    fails(C2g.Error.EXISTS, () => C2g.Operator.register_gradient('js.Scale', 'Other', ['GO0'], ['GI0']));
    fails(C2g.Error.INVALID_ARGUMENT, () => C2g.Operator.register_gradient('js.New', 'Other', ['X'], []));
    includesAll(fails(C2g.Error.NOT_FOUND, () => C2g.OperatorDef.new('js.New').make_gradient(null)), '“js.New”');
});

test('19.12 for Caffe2', () => {
    const net = C2g.NetDef.new('n');
    net.add_operator(newOperator('Softmax', ['x'], ['y']));
    ok(net.check_for_caffe2());
    net.add_operator(newOperator('Swish', ['y'], ['y']));
    includesAll(fails(C2g.Error.NOT_SUPPORTED, () => net.check_for_caffe2()), 'operator 1: Swish');
});

test('20.1 operators once', () => {
    const workspace = newWorkspace({x: [1, -2]});
    workspace.run_operator_once(newOperator('Relu', ['x'], ['y']), null);
    equal(values(workspace, 'y'), [1, 0]);
    includesAll(fails(C2g.Error.NOT_FOUND,
        () => workspace.run_operator_once(newOperator('Relu', ['absent'], ['y']), null)), '“absent”');
    const op = C2g.Operator.create(newOperator('Relu', ['x'], ['z']), workspace);
    op.run();
    equal([values(workspace, 'z'), op.get_op_type(), op.get_position()], [[1, 0], 'Relu', -1]);
});

test('20.27 definitions are copies', () => {
    const [workspace, net] = newNet();
    const op = C2g.Operator.create(newOperator('Add', ['x', 'other'], ['z']), newWorkspace({x: [1, 2, 3], other: [1, 2]}));
    op.get_definition().set_inputs([]);
    includesAll(fails(C2g.Error.SHAPE, () => op.run()), '“other”');
    net.get_definition().get_operator(1).set_inputs([]);
    net.get_operator(1).get_definition().set_outputs([]);
    net.get_definition().set_name('other');
    net.run(null);
    equal([values(workspace, 'y'), net.get_name()], [[4, 8, 12], 'net']);
});

test('20.2 nets of workspaces', () => {
    const [workspace, net] = newNet();
    equal([workspace.list_nets(), net.get_name(), net.get_n_operators()], [['net'], 'net', 7]);
    ok(workspace.get_net('net') === net);
    equal([net.get_operator(1).get_op_type(), net.get_definition().get_n_operators()], ['Relu', 7]);
    includesAll(fails(C2g.Error.EXISTS, () => workspace.create_net(net.get_definition(), false)), '“net”');
    const other = workspace.create_net(net.get_definition(), true);
    ok(other !== net);
    for (const each of [net, other]) {
        each.run(null);
        equal(values(workspace, 'y'), [4, 8, 12]);
        workspace.get_blob('y').reset();
    }
    workspace.remove_net('net');
    equal(workspace.list_nets(), []);
    fails(C2g.Error.NOT_FOUND, () => workspace.get_net('net'));
    fails(C2g.Error.NOT_FOUND, () => workspace.remove_net('net'));
});

test('20.3 signals of workspaces', () => {
    const workspace = new C2g.Workspace();
    const [added, removed] = [record(workspace, 'net-added'), record(workspace, 'net-removed')];
    const netDef = C2g.NetDef.new_from_text(BRANCHES);
    const first = workspace.create_net(netDef, false);
    const second = workspace.create_net(netDef, true);
    workspace.remove_net('net');
    equal(added, [[first], [second]]);
    equal(removed, [[first], [second]]);
});

test('20.4 runs', () => {
    for (const type of NET_TYPES) {
        const [workspace, net] = newNet(type);
        for (let i = 0; i < 10; i++)
            net.run(null);
        equal([values(workspace, 'y'), values(workspace, 's')], [[4, 8, 12], [1, 0, 9]]);
        workspace.run_net('net', null);
        workspace.run_net_once(net.get_definition(), null);
        equal([workspace.list_nets(), net.get_failed_position()], [['net'], -1]);
        fails(C2g.Error.NOT_FOUND, () => workspace.run_net('absent', null));
    }
});

test('20.5 signals of nets', () => {
    for (const type of NET_TYPES) {
        const [, net] = newNet(type);
        const [beforeRun, afterRun, before, after] =
            ['before-run', 'after-run', 'before-operator', 'after-operator'].map(name => record(net, name));
        net.run(null);
        equal([beforeRun, afterRun], [[[]], [[true]]]);
        equal(before.map(([op]) => op.get_position()).sort(), [0, 1, 2, 3, 4, 5, 6]);
        equal(after.map(([, isDone]) => isDone), Array(7).fill(true));
    }
});

test('20.6 in the background', () => {
    for (const type of NET_TYPES) {
        const [workspace, net] = newNet(type);
        const heard = record(net, 'before-operator');
        ok(net.run_finish(finish(net, 'run_async', null)));
        equal([values(workspace, 'y'), heard.length], [[4, 8, 12], 7]);
    }
});

test('20.7 cancelled', () => {
    for (const type of NET_TYPES) {
        const [, net] = newNet(type);
        const cancellable = new Gio.Cancellable();
        const handler = net.connect('after-operator', () => cancellable.cancel());
        gioFails(Gio.IOErrorEnum.CANCELLED, () => net.run(cancellable));
        net.disconnect(handler);
        net.run(null);
    }
});

test('20.8 errors in runs', () => {
    for (const type of NET_TYPES) {
        const workspace = newWorkspace({x: [1, 2], w: [1, 2, 3]});
        const netDef = C2g.NetDef.new_from_text(`name: 'net' op { type: 'Relu' input: 'x' output: 'r' }
            op { type: 'Add' name: 'sum' input: 'r' input: 'w' output: 'y' }`);
        netDef.set_net_type(type);
        const net = workspace.create_net(netDef, false);
        includesAll(fails(C2g.Error.SHAPE, () => net.run(null)), 'Net “net”, operator 1: Add “sum”: ', '“w”', '[3]');
        equal(net.get_failed_position(), 1);
        workspace.get_blob('w').set_object(newFloats(1, 2));
        net.run(null);
        equal([values(workspace, 'y'), net.get_failed_position()], [[2, 4], -1]);
    }
});

test('20.9 errors before runs', () => {
    const workspace = new C2g.Workspace();
    for (const [text, ...parts] of [
        ["name: 'net' op { type: 'Foo' } op { type: 'Bar' }", '“net”', '“Foo”', '“Bar”'],
        ["name: 'net' op { type: 'BatchNorm' }", '“BatchNorm” (there is “SpatialBN”)'],
        ["name: 'net' op { type: 'Add' input: 'a' input: 'b' output: 'c' }", '“net”', '“a”', '“b”'],
        ["name: 'net' type: 'odd'", '“net”', '“odd”']])
        includesAll(fails(C2g.Error.NOT_FOUND,
            () => workspace.create_net(C2g.NetDef.new_from_text(text), false)), ...parts);
    equal(workspace.list_nets(), []);
});

test('20.10 plans', () => {
    const workspace = new C2g.Workspace();
    const plan = C2g.PlanDef.new_from_text(PLAN);
    workspace.run_plan(plan, null);
    equal(values(workspace, 'x'), [32]);
    ok(workspace.run_plan_finish(finish(workspace, 'run_plan_async', plan, null)));
    plan.get_step(1).set_networks(['absent']);
    includesAll(fails(C2g.Error.NOT_FOUND, () => workspace.run_plan(plan, null)), '“plan”', '“again”', '“absent”');
    workspace.run_plan(C2g.PlanDef.new_from_text(CONCURRENT_PLAN), null);
    equal([...values(workspace, 'y'), ...values(workspace, 'u')], [2, 6]);
});

test('20.11 observers', () => {
    for (const type of NET_TYPES) {
        const [, net] = newNet(type);
        const [op, watch] = [net.get_operator(1), new Watch()];
        equal([net.add_observer(watch), net.add_observer(watch), op.add_observer(watch)], [true, false, true]);
        const observers = net.dup_observers();
        ok(observers.get_n_items() === 1 && observers.get_item(0) === watch);
        net.run(null);
        equal(watch.calls, [net, 'before', op, 'before', op, true, net, true]);
        equal([net.remove_observer(watch), op.remove_observer(watch), op.remove_observer(watch)], [true, true, false]);
        watch.calls = [];
        net.run(null);
        equal(watch.calls, []);
    }
});

test('20.12 predictors', () => {
    const init = C2g.NetDef.new_from_text(
        "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 3 } }");
    const predict = C2g.NetDef.new_from_text(`name: 'net' external_input: 'x' external_input: 'w' external_output: 'y'
        op { type: 'Mul' input: 'x' input: 'w' output: 'y' }`);
    const predictor = C2g.Predictor.create(init, predict, null, null, C2g.OptimizeFlags.ALL);
    equal([predictor.get_inputs(), predictor.get_outputs()], [['x'], ['y']]);
    equal(predictor.run([newFloats(1, 2)], null).map(numbersOf), [[3, 6]]);
    predictor.set_input('x', newFloats(4, 5));
    predictor.run([], null);
    equal(numbersOf(predictor.get_output('y')), [12, 15]);
    includesAll(fails(C2g.Error.NOT_FOUND, () => predictor.set_input('no', newFloats(1))), '“no”');
    includesAll(fails(C2g.Error.NOT_FOUND, () => predictor.get_output('no')), '“no”');
    fails(C2g.Error.INVALID_ARGUMENT, () => predictor.run([newFloats(1), newFloats(1)], null));
    fails(C2g.Error.SHAPE, () => predictor.run([newFloats(1, 2, 3)], null));
    equal([predictor.get_net().get_name(), values(predictor.get_workspace(), 'w')], ['net', [3, 3]]);
});

test('20.13 predictors of files', () => inFolder((file, folder) => {
    const init = C2g.NetDef.new_from_text("op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } }");
    const predict = C2g.NetDef.new_from_text(
        "external_input: 'w' external_output: 'y' op { type: 'Cos' input: 'w' output: 'y' }");
    const [initFile, predictFile] = [file('init_net.pb'), file('predict_net.pb')];
    init.save_file(initFile, false, null);
    predict.save_file(predictFile, false, null);
    const load = () => C2g.Predictor.load(folder, null, null, C2g.OptimizeFlags.ALL, null);
    const predictors = [load(), C2g.Predictor.load_nets(initFile, predictFile, new C2g.Workspace(), CPU, C2g.OptimizeFlags.ALL, null)];
    for (const predictor of predictors)
        equal(predictor.run([], null).map(numbersOf), [[1, 1]]);
    predictFile.delete(null);
    // The error says which files there are; the only database is the model.
    includesAll(fails(C2g.Error.NOT_FOUND, load), '“init_net.pb”');
    predictors[0].save(file('a.minidb'), null);
    equal(load().run([newFloats(0, 0)], null).map(numbersOf), [[1, 1]]);
    predictors[0].save(file('b.minidb'), null);
    includesAll(fails(C2g.Error.INVALID_ARGUMENT, load), '“a.minidb”, “b.minidb”: name one');
}));

test('20.16 models are optimized, and saved', () => inFolder(file => {
    const init = C2g.NetDef.new_from_text(
        "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 3 } }");
    const predict = C2g.NetDef.new_from_text(`name: 'net' external_input: 'x' external_input: 'w' external_output: 'y'
        op { type: 'Dropout' input: 'x' output: 'd' output: 'm' arg { name: 'is_test' i: 1 } }
        op { type: 'Mul' input: 'd' input: 'w' output: 'y' }`);
    const predictor = C2g.Predictor.create(init, predict, null, null, C2g.OptimizeFlags.ALL);
    const flags = C2g.OptimizeFlags;
    for (const [which, n] of [[flags.ALL, 1], [flags.NONE, 2], [flags.PRUNE | flags.MEMORY, 1]]) {
        predictor.optimize(which);
        equal(predictor.get_net().get_definition().get_n_operators(), n);
        equal(predictor.run([newFloats(1, 2)], null).map(numbersOf), [[3, 6]]);
    }
    equal(predict.optimize(predictor.get_workspace(), flags.ALL).get_n_operators(), 1);

    const model = file('model.minidb');
    predictor.save(model, null);
    includesAll(fails(C2g.Error.INVALID_ARGUMENT, () => predictor.save(file('model.npz'), null)), '.minidb');
    const loaded = C2g.Predictor.load(model, null, null, flags.NONE, null);
    equal([loaded.get_inputs(), loaded.get_outputs()], [['x'], ['y']]);
    equal(loaded.get_net().get_definition().get_n_operators(), 2);
    fails(C2g.Error.NOT_FOUND, () => loaded.run([], null));
    equal(loaded.run([newFloats(1, 2)], null).map(numbersOf), [[3, 6]]);
}));

test('20.26 predictors optimize when they are made', () => inFolder((file, folder) => {
    const init = C2g.NetDef.new_from_text(
        "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 3 } }");
    const predict = C2g.NetDef.new_from_text(`external_input: 'x' external_input: 'w' external_output: 'y'
        op { type: 'Dropout' input: 'x' output: 'd' output: 'm' arg { name: 'is_test' i: 1 } }
        op { type: 'Mul' input: 'd' input: 'w' output: 'y' }`);
    const files = [file('init_net.pb'), file('predict_net.pb')];
    init.save_file(files[0], false, null);
    predict.save_file(files[1], false, null);

    const made = C2g.Predictor;
    for (const flags of [C2g.OptimizeFlags.ALL, C2g.OptimizeFlags.NONE]) {
        for (const predictor of [made.create(init, predict, null, null, flags),
            made.load(folder, null, null, flags, null),
            made.load_nets(...files, null, null, flags, null),
            made.load_finish(finish(made, 'load_async', folder, null, null, flags, null)),
            made.load_nets_finish(finish(made, 'load_nets_async', ...files, null, null, flags, null))]) {
            equal(predictor.run([newFloats(1, 2)], null).map(numbersOf), [[3, 6]]);
            const nOperators = predictor.get_net().get_n_operators();
            if (flags === C2g.OptimizeFlags.ALL) {
                equal(nOperators, 1);
                fails(C2g.Error.NOT_FOUND, () => predictor.get_output('d'));
            } else {
                equal([nOperators, numbersOf(predictor.get_output('d'))], [2, [1, 2]]);
            }
        }
    }
}));

test('20.32 parameters change', () => inFolder(file => {
    const init = C2g.NetDef.new_from_text(`op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 1 ints: 1 ints: 1 ints: 1 } arg { name: 'value' f: 2 } }
        op { type: 'ConstantFill' output: 's' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 1 } }
        op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 0 } }
        op { type: 'ConstantFill' output: 'm' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 0 } }
        op { type: 'ConstantFill' output: 'v' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 1 } }`);
    const predict = C2g.NetDef.new_from_text(`external_input: 'x' external_input: 'w' external_input: 's' external_input: 'b' external_input: 'm' external_input: 'v' external_output: 'y'
        op { type: 'Conv' input: 'x' input: 'w' output: 'c' arg { name: 'kernel' i: 1 } }
        op { type: 'SpatialBN' input: 'c' input: 's' input: 'b' input: 'm' input: 'v' output: 'y' arg { name: 'is_test' i: 1 } arg { name: 'epsilon' f: 1e-9 } }`);
    const predictor = C2g.Predictor.create(init, predict, null, null, C2g.OptimizeFlags.ALL);
    const workspace = predictor.get_workspace();
    const filled = value => {
        const tensor = C2g.Tensor.new_sized([1, 1, 1, 1], null);
        tensor.allocate(C2g.DataType.FLOAT);
        tensor.fill(value);
        return tensor;
    };
    const [blob, picture] = [workspace.get_blob('w'), filled(1)];
    const run = () => numbersOf(predictor.run([picture], null)[0]);
    equal(run(), [2]);
    equal(predictor.list_parameters(), ['w', 's', 'b', 'm', 'v']);
    fails(C2g.Error.NOT_FOUND, () => predictor.get_output('c'));
    blob.get_tensor().set_value(0, 3);
    equal(run(), [3]);
    const kept = new C2g.Workspace();
    kept.create_blob('w').set_object(blob.get_tensor().clone(null));
    blob.set_object(filled(4));
    equal(run(), [4]);
    kept.save_checkpoint(file('w.minidb'), null, null);
    workspace.load_checkpoint(file('w.minidb'), null, null);
    equal(run(), [3]);
    fails(C2g.Error.NOT_FOUND, () => predictor.get_output('c'));
    fails(C2g.Error.NOT_FOUND, () => predictor.load_parameters(file('w.minidb'), null));
    predictor.save_parameters(file('w.minidb'), null);
    blob.get_tensor().fill(7);
    predictor.load_parameters(file('w.minidb'), null);
    equal(run(), [3]);
    // A save of the whole workspace leaves out what the optimizer has made.
    workspace.save_checkpoint(file('all.minidb'), null, null);
    equal(new C2g.Workspace().load_checkpoint(file('all.minidb'), null, null).sort(), ['b', 'm', 's', 'v', 'w', 'x', 'y']);
}));

test('20.19 runs at once', () => {
    const predict = C2g.NetDef.new_from_text(`name: 'net' external_input: 'x' external_output: 'y'
        op { type: 'Sum' input: 'x' input: 'x' output: 'y' }`);
    const predictor = C2g.Predictor.create(null, predict, null, null, C2g.OptimizeFlags.ALL);
    const cancellable = new Gio.Cancellable();
    const outputs = [];
    let [nDropped, nCancelled] = [0, 0];
    const ran = (source, result) => {
        try {
            outputs.push(...source.run_finish(result));
        } catch (error) {
            ok(error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED));
            nCancelled++;
        }
    };

    predictor.run_async([newFloats(0)], null, () => nDropped++);
    for (let i = 1; i < 4; i++)
        predictor.run_async([newFloats(i)], i === 2 ? cancellable : null, ran);
    cancellable.cancel();
    fails(C2g.Error.BUSY, () => predictor.run([], null));
    fails(C2g.Error.BUSY, () => predictor.optimize(C2g.OptimizeFlags.ALL));
    while (outputs.length < 2 || nCancelled < 1) {
        GLib.MainContext.default().iteration(outputs.length + nCancelled + nDropped < 2);
        /* A result that is never finished is dropped when it is collected. */
        System.gc();
    }
    predictor.run([newFloats(8)], null);
    equal(outputs.map(numbersOf), [[2], [6]]);
    equal([nDropped, nCancelled], [1, 1]);
});

test('20.17 shapes are inferred', () => {
    const workspace = new C2g.Workspace();
    workspace.create_blob('x').set_object(C2g.Tensor.new_sized([2, 3], null));
    workspace.get_tensor('x').set_data_type(C2g.DataType.FLOAT);
    const definition = C2g.NetDef.new_from_text("name: 'net' op { type: 'Transpose' input: 'x' output: 'y' }");
    workspace.infer_net_once(definition);
    const y = workspace.get_tensor('y');
    equal([y.get_dims(), y.get_data_type(), y.is_allocated()], [[3, 2], C2g.DataType.FLOAT, false]);
    const net = workspace.create_net(definition, false);
    workspace.get_tensor('x').resize([4, 5, 6]);
    net.infer();
    equal(workspace.get_tensor('y').get_dims(), [6, 5, 4]);
});

test('20.25 file access', () => inFolder((file, folder) => {
    const save = C2g.NetDef.new_from_text(`
        op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } }
        op { type: 'Save' input: 'w' arg { name: 'db' s: 'w.minidb' } arg { name: 'db_type' s: 'minidb' } }`);
    const predict = C2g.NetDef.new_from_text(
        "external_input: 'w' external_output: 'y' op { type: 'Cos' input: 'w' output: 'y' }");
    const path = folder.get_path();
    equal(new C2g.Workspace().file_access, C2g.FileAccess.ALL);
    const parent = new C2g.Workspace({file_access: C2g.FileAccess.MODEL, root_folder: path, model_folder: path});
    const child = C2g.Workspace.new_with_parent(parent);
    equal([child.file_access, child.model_folder], [C2g.FileAccess.MODEL, path]);
    fails(C2g.Error.DENIED, () => child.run_net_once(save, null));
    fails(C2g.Error.DENIED, () => C2g.Predictor.create(save, predict, null, null, C2g.OptimizeFlags.ALL));
    equal(file('w.minidb').query_exists(null), false);
    parent.set_file_access(C2g.FileAccess.ROOT_FOLDER);
    C2g.Predictor.create(save, predict, parent, null, C2g.OptimizeFlags.ALL);
    equal(file('w.minidb').query_exists(null), true);
}));

test('20.18 more in the background', () => inFolder((file, folder) => {
    const [initFile, predictFile] = [file('init_net.pbtxt'), file('predict_net.pbtxt')];
    C2g.NetDef.new_from_text(`
        op { type: 'ConstantFill' output: 'v' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 1 } }
        op { type: 'js.Scale' input: 'v' output: 'w' arg { name: 'factor' f: 3 } }`).save_file(initFile, true, null);
    C2g.NetDef.new_from_text(`name: 'p' external_input: 'x' external_input: 'w' external_output: 'y'
        op { type: 'Mul' input: 'x' input: 'w' output: 'z' }
        op { type: 'js.Scale' input: 'z' output: 'y' }`).save_file(predictFile, true, null);

    let result = finish(C2g.NetDef, 'load_file_async', predictFile, null);
    equal(C2g.NetDef.load_file_finish(result).get_name(), 'p');
    const copy = file('copy');
    for (const definition of [C2g.NetDef.new('a'), C2g.PlanDef.new('b'), new C2g.MetaNetDef({project: 'c'})]) {
        result = finish(definition, 'save_file_async', copy, true, null);
        ok(definition.save_file_finish(result));
        equal(definition.constructor.load_file(copy, null).to_text(), definition.to_text());
    }
    for (const type of [C2g.PlanDef, C2g.MetaNetDef]) {
        result = finish(type, 'load_file_async', predictFile, null);
        fails(C2g.Error.CORRUPT, () => type.load_file_finish(result));
    }

    result = finish(C2g.Predictor, 'load_async', folder, null, null, C2g.OptimizeFlags.ALL, null);
    const loaded = C2g.Predictor.load_finish(result);
    result = finish(C2g.Predictor, 'load_nets_async', initFile, predictFile, new C2g.Workspace(), CPU,
        C2g.OptimizeFlags.ALL, null);
    for (const predictor of [loaded, C2g.Predictor.load_nets_finish(result)]) {
        result = finish(predictor, 'run_async', [newFloats(1, 2)], null);
        equal(predictor.run_finish(result).map(numbersOf), [[6, 12]]);
    }
    result = finish(loaded.get_net(), 'measure_async', 1, 2, null);
    equal(loaded.get_net().measure_finish(result).get_n_runs(), 2);

    const model = file('model.minidb');
    ok(loaded.save_finish(finish(loaded, 'save_async', model, null)));
    const weights = file('w.npz');
    ok(loaded.save_parameters_finish(finish(loaded, 'save_parameters_async', weights, null)));
    ok(loaded.load_parameters_finish(finish(loaded, 'load_parameters_async', weights, null)));
    equal(loaded.run([newFloats(1, 2)], null).map(numbersOf), [[6, 12]]);
    result = finish(loaded, 'load_parameters_async', file('none.npz'), null);
    throws(GLib.Error, () => loaded.load_parameters_finish(result));
    weights.delete(null);
    equal(C2g.Predictor.load(model, null, null, C2g.OptimizeFlags.ALL, null).run([newFloats(1, 2)], null).map(numbersOf),
        [[6, 12]]);

    predictFile.delete(null);
    model.delete(null);
    result = finish(C2g.Predictor, 'load_async', folder, null, null, C2g.OptimizeFlags.ALL, null);
    fails(C2g.Error.NOT_FOUND, () => C2g.Predictor.load_finish(result));
}));

test('20.14 benchmarks', () => {
    for (const type of NET_TYPES) {
        const [, net] = newNet(type);
        const benchmark = net.benchmark(1, 2, null);
        ok(benchmark.get_n_runs() === 2 && benchmark.get_net() === net);
        ok(benchmark.get_seconds() >= 0 && benchmark.get_operator_seconds(2) >= 0);
        equal([benchmark.get_operator_flops(2), benchmark.get_operator_bytes(2)], [-1, 24]);
        equal(benchmark.to_text().split('js.Scale').length, 4);
    }
});

test('20.15 numbers', () => {
    const [stats, other] = [new C2g.StatRegistry(), new C2g.StatRegistry()];
    equal([stats.increment('runs', 2), stats.increment('runs', 3)], [2, 5]);
    equal([stats.increment_detail('reads', 'fast', 3), stats.increment_detail('reads', 'slow', 1)], [3, 4]);
    stats.add_sample('size', 7);
    for (const time of [10, 12, 14])
        stats.add_deviation_sample('time', time);
    equal(stats.get_deviation('time'), 2);
    stats.publish(other, false);
    equal(stats.reset('runs'), 5);
    const expected = {
        'reads': 4, 'reads/fast': 3, 'reads/slow': 1, 'runs': 5, 'size/count': 1, 'size/sum': 7, 'time/count': 3,
        'time/sum': 36, 'time/sumoffset': 6, 'time/sumsqoffset': 20,
    };
    equal(Object.entries(other.to_variant().recursiveUnpack()), Object.entries(expected));
    equal(other.list_keys(), Object.keys(expected));
    equal([stats.get_value('runs'), stats.get_value('absent')], [0, 0]);
    ok(C2g.StatRegistry.get_default() === C2g.StatRegistry.get_default());
});

test('21.1 own operators', () => {
    const workspace = newWorkspace({x: [1, 2]});
    workspace.run_operator_once(newOperator('js.Scale', ['x'], ['y']), null);
    equal(values(workspace, 'y'), [2, 4]);
    workspace.run_operator_once(newOperator('js.Scale', ['x'], ['y'], {factor: -1}), null);
    equal(values(workspace, 'y'), [-1, -2]);
    ok(C2g.Operator.create(newOperator('js.Scale', ['x'], ['y']), workspace) instanceof Scale);
});

test('21.2 own arguments', () => {
    const workspace = new C2g.Workspace();
    const op = C2g.OperatorDef.new('js.Arguments');
    workspace.run_operator_once(op, null);
    equal(argumentsSeen, [false, 7, 0.5, true, 'default', [], [], []]);
    op.set_int('i', -3);
    op.set_float('f', 1.5);
    op.set_boolean('b', false);
    op.set_string('s', 'text');
    op.set_ints('is', [1, 2]);
    op.set_floats('fs', [0.5]);
    op.set_strings('ss', ['a', 'b']);
    workspace.run_operator_once(op, null);
    equal(argumentsSeen, [true, -3, 1.5, false, 'text', [1, 2], [0.5], ['a', 'b']]);
    for (const name of ['i', 'f', 's', 'is', 'fs', 'ss']) {
        const wrong = C2g.OperatorDef.new('js.Arguments');
        if (name === 's')
            wrong.set_int(name, 1);
        else
            wrong.set_string(name, 'wrong');
        includesAll(fails(C2g.Error.TYPE, () => workspace.run_operator_once(wrong, null)), `“${name}”`);
    }
});

test('21.3 own schema', () => {
    const schema = C2g.OperatorSchema.new(1, 2, 1, 1);
    schema.require_argument('factor');
    schema.set_documentation('Multiplies.');
    register(Scale, schema, null, 'js.Strict');
    const workspace = newWorkspace({x: [1]});
    for (const [op, part] of [
        [newOperator('js.Strict', [], ['y'], {factor: 1}), '0'],
        [newOperator('js.Strict', ['x'], ['y', 'z'], {factor: 1}), '2'],
        [newOperator('js.Strict', ['x'], ['y']), '“factor”'],
        [newOperator('js.Strict', ['x'], ['x'], {factor: 1}), '“x”']])
        includesAll(fails(C2g.Error.INVALID_ARGUMENT,
            () => workspace.run_operator_once(op, null)), 'js.Strict: ', part);
    const found = C2g.OperatorSchema.lookup('js.Strict');
    equal([found.get_min_inputs(), found.get_max_inputs(), found.get_required_arguments()], [1, 2, ['factor']]);
    equal([found.is_in_place_allowed(0, 0), found.get_documentation()], [false, 'Multiplies.']);
    fails(C2g.Error.NOT_FOUND, () => C2g.OperatorSchema.lookup('js.Absent'));
});

test('21.4 in place', () => {
    const workspace = newWorkspace({x: [1, 2]});
    workspace.run_operator_once(newOperator('js.Scale', ['x'], ['x']), null);
    equal(values(workspace, 'x'), [2, 4]);
});

test('21.5 own errors', () => {
    for (const type of NET_TYPES) {
        const [, net] = newNet(type, "name: 'net' op { type: 'js.Failing' name: 'f' }");
        const watch = new Watch();
        net.get_operator(0).add_observer(watch);
        const heard = record(net, 'after-operator');
        includesAll(fails(C2g.Error.SHAPE, () => net.run(null)), 'Net “net”, operator 0: js.Failing “f”: mine');
        equal([heard[0][1], watch.calls.at(-1)], [false, false]);
    }
});

test('21.6 failing without an error', () => {
    for (const type of NET_TYPES) {
        const [, net] = newNet(type, "name: 'net' op { type: 'js.Unset' }");
        includesAll(fails(C2g.Error.FAILED, () => net.run(null)), 'Unset');
    }
});

test('21.7 own set_up fails', () => {
    const workspace = new C2g.Workspace();
    const netDef = C2g.NetDef.new_from_text("name: 'net' op { type: 'js.Refusing' }");
    includesAll(fails(C2g.Error.RANGE, () => workspace.create_net(netDef, false)),
        'Net “net”, operator 0: js.Refusing: not this');
});

test('21.8 lacking run', () => {
    const workspace = new C2g.Workspace();
    const op = C2g.OperatorDef.new('js.Lacking');
    includesAll(fails(C2g.Error.NOT_SUPPORTED, () => workspace.run_operator_once(op, null)), 'Lacking');
});

test('21.9 own content', () => {
    const workspace = newWorkspace({a: [1], b: [2]});
    const op = newOperator('js.Texts', ['a', 'b'], ['words', 'number']);
    op.set_name('name');
    workspace.run_operator_once(op, null);
    equal(workspace.get_blob('words').get_object().words,
        ['js.Texts', 'name', '', -1, 'cpu', 1, -1, 2, 2, 'a', true]);
    equal(values(workspace, 'number'), [3]);
});

test('21.10 engines', () => {
    register(Scale, newSchema(), null, 'js.Engines');
    register(Refusing, null, 'REFUSES', 'js.Engines');
    register(Failing, null, 'FAILS', 'js.Engines');
    equal(C2g.Operator.list_engines('js.Engines', C2g.DeviceType.CPU).sort(), ['', 'FAILS', 'REFUSES']);
    const workspace = newWorkspace({x: [1]});
    const runWith = (engine, code = 'RANGE') => {
        const op = newOperator('js.Engines', ['x'], ['y']);
        op.set_engine(engine);
        op.set_string('code', code);
        workspace.run_operator_once(op, null);
    };
    runWith(null);
    runWith('ABSENT');
    fails(C2g.Error.RANGE, () => runWith('REFUSES'));
    runWith('REFUSES', 'NOT_SUPPORTED');
    fails(C2g.Error.SHAPE, () => runWith('FAILS'));
    C2g.Operator.set_preferred_engines('js.Engines', C2g.DeviceType.CPU, ['FAILS']);
    fails(C2g.Error.SHAPE, () => runWith(null));
    C2g.Operator.set_preferred_engines('js.Engines', C2g.DeviceType.CPU, null);
    runWith(null);
});

test('21.11 registering', () => {
    ok(register(Scale));
    includesAll(fails(C2g.Error.EXISTS, () => register(Failing, null, null, 'js.Scale')), '“js.Scale”');
    fails(C2g.Error.TYPE, () => register(C2g.Operator, null, null, 'js.Abstract'));
    fails(C2g.Error.TYPE, () => register(Words));
    fails(C2g.Error.INVALID_ARGUMENT, () => register(Scale, null, null, ''));
    const types = C2g.Operator.list_types();
    ok(types.includes('Relu') && types.includes('js.Scale') && !types.includes('js.Abstract'));
    ok(C2g.OperatorSchema.lookup('Relu').is_in_place_allowed(0, 0));
});

test('21.12 accepted arguments', () => {
    const schema = C2g.OperatorSchema.new(1, 1, 1, 1);
    schema.accept_argument('factor');
    register(Scale, schema, null, 'js.Accepting');
    const workspace = newWorkspace({x: [1]});
    workspace.run_operator_once(newOperator('js.Accepting', ['x'], ['y'], {factor: 1}), null);
    includesAll(fails(C2g.Error.INVALID_ARGUMENT, () => workspace.run_operator_once(
        newOperator('js.Accepting', ['x'], ['y'], {faktor: 1}), null)), 'js.Accepting: ', '“faktor”');
    const accepting = C2g.OperatorSchema.lookup('js.Accepting');
    equal(accepting.list_arguments(C2g.ArgumentUse.READ), ['factor']);

    includesAll(fails(C2g.Error.NOT_SUPPORTED, () => workspace.run_operator_once(
        newOperator('PadImage', ['x'], ['y'], {global_pooling: 1}), null)),
    'PadImage: The argument “global_pooling”');
    ok(C2g.OperatorSchema.lookup('PadImage').list_arguments(C2g.ArgumentUse.REFUSED).includes('global_pooling'));
});

test('20.28 pictures and classes', () => {
    const pixels = new GLib.Bytes(new Uint8Array([255, 0, 0, 0, 0, 255]));
    const options = new C2g.PictureOptions({channels: 'BGR', scale: '1/255'});
    const picture = C2g.Tensor.new_from_pixels(pixels, 2, 1, 6, 3, options);
    equal(numbersOf(picture), [0, 1, 0, 0, 1, 0]);
    const [back, width, height, nChannels] = picture.dup_pixels(options);
    ok(back.equal(pixels));
    equal([width, height, nChannels], [2, 1, 3]);
    ok(options.check());
    ok(fails(C2g.Error.INVALID_ARGUMENT, () => C2g.PictureOptions.new('imagnet').check()).includes('did you mean “imagenet”?'));
    options.channels = 'GREEN';
    fails(C2g.Error.INVALID_ARGUMENT, () => C2g.Tensor.new_from_pixels(pixels, 2, 1, 6, 3, options));

    const def = C2g.NetDef.new_from_text("op { type: 'Relu' input: 'x' output: 'y' }");
    const predictor = C2g.Predictor.create(null, def, null, null, C2g.OptimizeFlags.ALL);
    const [scores] = predictor.run([newFloats(1, 3, 2)], null);
    scores.reshape([1, 3]);
    const best = predictor.list_classes(scores, 0, 2);
    equal(predictor.classify(newFloats(1, 3, 2), null).index, 1);
    const batch = newFloats(1, 3, 2, 4, 3, 2);
    batch.reshape([2, 3]);
    equal(predictor.classify_batch(batch, null).map(found => found.index), [1, 0]);
    ok(fails(C2g.Error.SHAPE, () => predictor.classify(batch, null)).includes('classify_batch'));
    best.push(C2g.ClassScore.new(0, 1, 'cat'));
    equal(best.map(found => [found.index, found.score, found.label]), [[1, 3, null], [2, 2, null], [0, 1, 'cat']]);
});

test('20.29 sound', () => inFolder(named => {
    const tone = newFloats(0, 0.5, 0, 0.5, 0.25, 0.25, 0.25, 0.25);
    tone.reshape([2, 4]);
    const file = named('tone.wav');
    need(() => tone.save_sound(file, 16000, null, null));
    const [back, rate] = C2g.Tensor.new_from_sound(file, null, null);
    equal([rate, back.get_dims(), numbersOf(back)], [16000, [2, 4], numbersOf(tone)]);
    const options = new C2g.SoundOptions({sample_rate: 8000, mono: true, interleaved: true});
    const [mono, slower] = C2g.Tensor.new_from_sound(file, options, null);
    equal([slower, mono.get_dims()], [8000, [2, 1]]);
    fails(C2g.Error.INVALID_ARGUMENT, () => tone.save_sound(file, 0, null, null));
}));

test('20.31 what a model says of pictures', () => inFolder((file, folder) => {
    file('init_net.pbtxt').replace_contents("name: 'init'", null, false, 0, null);
    file('predict_net.pbtxt').replace_contents(
        "external_input: 'x' external_output: 'y' op { type: 'Copy' input: 'x' output: 'y' }", null, false, 0, null);
    const predictor = C2g.Predictor.load(folder, null, null, C2g.OptimizeFlags.ALL, null);
    fails(C2g.Error.NOT_FOUND, () => predictor.classify_file(file('a.png'), null));
    const [guess, guessed] = predictor.guess_picture_options(null);
    equal([guess.size, guessed], [null, ['size', 'channels', 'mean', 'scale']]);
    file('model.ini').replace_contents('[picture]\nmean=1\nchannels=GRAY\n', null, false, 0, null);
    const options = predictor.dup_picture_options();
    equal([options.mean, options.channels, options.size], ['1', 'GRAY', null]);
    const picture = newFloats(3);
    picture.reshape([1, 1, 1]);
    need(() => picture.save_picture(file('a.png'), null, null));
    fails(C2g.Error.NOT_SUPPORTED, () => picture.save_picture(file('a.jpg'), null, null));
    equal(predictor.classify_file(file('a.png'), null).score, 2);
    const batch = C2g.Tensor.new_from_pictures([file('a.png'), file('a.png')], options, null);
    equal([batch.get_dims(), numbersOf(batch)], [[2, 1, 1, 1], [2, 2]]);
    fails(C2g.Error.INVALID_ARGUMENT, () => C2g.Tensor.new_from_pictures([], options, null));
}));

run();
