// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Operators and observers written in JavaScript, in every kind of net. No thread but the main
// one may call them: gjs would answer with zeros.

import C2g from 'gi://C2g?version=1';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import {collect, equal, fails, live, newFloats, numbersOf, ok, run, test}
    from '../../bindings-tests/js/testing.js';

const NET = `name: 'net' num_workers: 4
op { type: 'GivenTensorFill' output: 'x'
  arg { name: 'shape' ints: 3 } arg { name: 'values' floats: 1 floats: -2 floats: 3 } }
op { type: 'Relu' input: 'x' output: 'r' }
op { type: 'JsDouble' input: 'x' output: 'd' }
op { type: 'JsDouble' input: 'r' output: 'e' }
op { type: 'Abs' input: 'd' output: 'a' }
op { type: 'Sqr' input: 'r' output: 's' }
op { type: 'JsDouble' input: 'a' output: 'y' }`;

const PLAN = `name: 'plan'
network { name: 'a' op { type: 'GivenTensorFill' output: 'x'
    arg { name: 'shape' ints: 1 } arg { name: 'values' floats: 1 } }
  op { type: 'JsDouble' input: 'x' output: 'y' } }
network { name: 'b' op { type: 'GivenTensorFill' output: 'z'
    arg { name: 'shape' ints: 1 } arg { name: 'values' floats: 1 } }
  op { type: 'JsDouble' input: 'z' output: 'u' } }
execution_step { concurrent_substeps: true num_iter: 5
  substep { network: 'a' } substep { network: 'b' } }`;

const JsDouble = GObject.registerClass(class JsDouble extends C2g.Operator {
    vfunc_run() {
        const source = this.get_input_tensor(0);
        const target = this.get_output_tensor(0);
        target.copy_from(source, null);
        for (let i = 0; i < source.get_n_elements(); i++)
            target.set_value(i, 2 * source.get_value(i));
        return true;
    }
});

const JsFailing = GObject.registerClass(class JsFailing extends C2g.Operator {
    vfunc_run() {
        throw new GLib.Error(C2g.Error, C2g.Error.SHAPE, 'mine');
    }
});

const Watch = GObject.registerClass({
    Implements: [C2g.Observer],
}, class Watch extends GObject.Object {
    calls = [];

    vfunc_before_run() {
        this.calls.push('before');
    }

    vfunc_after_run(subject, isDone) {
        this.calls.push(isDone ? 'after' : 'failed');
    }
});

C2g.Operator.register('JsDouble', C2g.DeviceType.CPU, null, JsDouble.$gtype, null);
C2g.Operator.register('JsFailing', C2g.DeviceType.CPU, null, JsFailing.$gtype, null);

function newNet(type, text = NET) {
    const workspace = new C2g.Workspace();
    const definition = C2g.NetDef.new_from_text(text);
    definition.set_net_type(type);
    return [workspace, workspace.create_net(definition, false)];
}

function values(workspace, name) {
    return numbersOf(workspace.get_blob(name).get_tensor());
}

// Gives how many signals it heard.
function runAsync(net) {
    let nCalls = 0;
    let isDone = false;
    net.connect('before-operator', () => nCalls++);
    net.run_async(null, (source, result) => {
        isDone = source.run_finish(result);
    });
    while (!isDone)
        GLib.MainContext.default().iteration(true);
    return nCalls;
}

function runNetAsync(type) {
    const [workspace, net] = newNet(type);
    equal(runAsync(net), 7);
    equal(values(workspace, 'y'), [4, 8, 12]);
}

for (const type of ['simple', 'dag']) {
    test(`${type} run`, () => {
        const [workspace, net] = newNet(type);
        for (let i = 0; i < 20; i++)
            net.run(null);
        equal(values(workspace, 'y'), [4, 8, 12]);
    });

    test(`${type} signals`, () => {
        const [, net] = newNet(type);
        let nCalls = 0;
        net.connect('before-operator', () => nCalls++);
        net.connect('after-operator', () => nCalls++);
        net.run(null);
        equal(nCalls, 14);
    });

    // The thread of the run lets go of the net a moment after it has told that it is over, and
    // gjs of a callback when there is another one.
    test(`${type} async`, () => {
        const before = live();
        runNetAsync(type);
        runAsync(newNet(type, "name: 'net'")[1]);
        for (let i = 0; i < 5000 && live().some((n, k) => n !== before[k]); i++) {
            collect();
            GLib.usleep(1000);
        }
    });

    test(`${type} failing`, () => {
        const [, net] = newNet(type, "name: 'net' op { type: 'JsFailing' }");
        ok(fails(C2g.Error.SHAPE, () => net.run(null)).includes('operator 0: JsFailing: mine'));
    });

    test(`${type} observer`, () => {
        const [, net] = newNet(type);
        const watch = new Watch();
        net.attach_observer(watch);
        net.get_operator(1).attach_observer(watch);
        net.run(null);
        equal(watch.calls, ['before', 'before', 'after', 'after']);
    });
}

test('plan', () => {
    const workspace = new C2g.Workspace();
    workspace.run_plan(C2g.PlanDef.new_from_text(PLAN), null);
    equal([...values(workspace, 'y'), ...values(workspace, 'u')], [2, 2]);
});

test('predictor', () => {
    const definition = C2g.NetDef.new_from_text(
        "name: 'net' external_input: 'x' op { type: 'JsDouble' input: 'x' output: 'y' }");
    const predictor = C2g.Predictor.create(null, definition, null, null);
    const tensor = C2g.Tensor.new_scalar(C2g.DataType.FLOAT, 4);
    equal(predictor.run([tensor], null).map(output => output.get_value(0)), [8]);
    predictor.set_input('x', newFloats(1, 2));
    predictor.run([], null);
    equal(numbersOf(predictor.get_output('y')), [2, 4]);
});

run();
