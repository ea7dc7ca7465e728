// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Code that the test modules share. A test's name begins with the number of its case in cases.md.

import C2g from 'gi://C2g?version=1';
import GLib from 'gi://GLib';
import System from 'system';

export const CPU = C2g.Device.cpu();
const reporter = C2g.MemoryReporter.get_default();
const tests = [];

export function test(name, run) {
    tests.push({name, run});
}

function same(a, b) {
    if (Array.isArray(a) || ArrayBuffer.isView(a))
        return a.length === b?.length && Array.from(a).every((item, i) => same(item, b[i]));
    return Object.is(a, b);
}

export function equal(actual, expected, what = '') {
    if (!same(actual, expected))
        throw new Error(`${what} expected ${String(expected)}, got ${String(actual)}`);
}

export function ok(condition, what = 'not so') {
    if (!condition)
        throw new Error(what);
}

// Calls the function, and returns the message of its C2gError.
export function fails(code, run) {
    try {
        run();
    } catch (error) {
        if (!(error instanceof C2g.Error) || !error.matches(C2g.Error, code))
            throw error;
        return error.message;
    }
    throw new Error(`expected error ${code}`);
}

export function throws(kind, run) {
    try {
        run();
    } catch (error) {
        if (!(error instanceof kind))
            throw error;
        return;
    }
    throw new Error(`expected a ${kind.name}`);
}

export function live() {
    return [reporter.get_n_blocks(null), reporter.get_current_bytes(null)];
}

// Collects garbage several times: gjs drops some references later, from the main context.
export function collect() {
    for (let i = 0; i < 3; i++) {
        System.gc();
        while (GLib.MainContext.default().iteration(false));
    }
}

// Starts an asynchronous call, waits for it, and returns the result. The method is given by its name, because
// SpiderMonkey keeps the first function that is called at a place, with everything that it captured.
export function finish(object, method, ...args) {
    const loop = new GLib.MainLoop(null, false);
    let result = null;
    object[method](...args, (_, asyncResult) => {
        result = asyncResult;
        loop.quit();
    });
    loop.run();
    return result;
}

export function floats(...numbers) {
    return new GLib.Bytes(new Uint8Array(new Float32Array(numbers).buffer));
}

export function newTensor(dims, dataType = C2g.DataType.FLOAT) {
    const tensor = C2g.Tensor.new_sized(dims, null);
    tensor.allocate(dataType);
    return tensor;
}

export function newFloats(...numbers) {
    const tensor = newTensor([numbers.length]);
    tensor.set_bytes(floats(...numbers));
    return tensor;
}

// A loop, because SpiderMonkey keeps the first function that is passed to Array.from at a place.
export function numbersOf(tensor) {
    const numbers = [];
    for (let i = 0; i < tensor.get_n_elements(); i++)
        numbers.push(tensor.get_value(i));
    return numbers;
}

// Returns an array that collects the arguments of every emission.
export function record(instance, signal) {
    const heard = [];
    instance.connect(signal, (_, ...args) => {
        heard.push(args);
    });
    return heard;
}

function checkLedger(before) {
    collect();
    // A thread may drop its references a moment after it has reported that it is done.
    for (let i = 0; i < 100 && !same(live(), before); i++) {
        GLib.usleep(10000);
        collect();
    }
    equal(live(), before, 'ledger:');
    const sum = reporter.list_blocks(null).reduce((bytes, block) => bytes + block.get_n_bytes(), 0);
    equal(sum, reporter.get_current_bytes(null), 'sum of blocks:');
}

class Skipped extends Error {}

// Calls the function, and skips the rest of the test if this c2g was built without what it needs.
export function need(run) {
    try {
        return run();
    } catch (error) {
        if (!(error instanceof C2g.Error) || !error.matches(C2g.Error, C2g.Error.NOT_SUPPORTED))
            throw error;
        throw new Skipped(error.message);
    }
}

// Runs all tests, and checks that each one frees all its memory.
export function run() {
    let failed = 0;

    print(`1..${tests.length}`);
    tests.forEach(({name, run: runTest}, i) => {
        collect();
        const before = live();
        let remark = '';
        try {
            try {
                runTest();
            } catch (error) {
                if (!(error instanceof Skipped))
                    throw error;
                remark = ` # SKIP ${error.message}`;
            }
            checkLedger(before);
            print(`ok ${i + 1} ${name}${remark}`);
        } catch (error) {
            failed++;
            printerr(`${error.message}\n${error.stack}`);
            print(`not ok ${i + 1} ${name}`);
        }
    });
    System.exit(failed > 0 ? 1 : 0);
}
