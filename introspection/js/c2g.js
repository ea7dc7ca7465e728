// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// What JavaScript programs expect of c2g: iteration, typed arrays and promises. It exports the namespace C2g.

import C2g from 'gi://C2g?version=1';
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';

// The module is for the library of this version. With another one, some function that is not there would fail later.
const VERSION = '0.1.0';
if (VERSION !== C2g.VERSION_STRING || VERSION !== C2g.get_version_string()) {
    throw new Error(`${import.meta.url} is that of c2g ${VERSION}, but the library is c2g ${C2g.get_version_string()} and its typelib ` +
        `that of c2g ${C2g.VERSION_STRING}: install all of one version`);
}

const {DataType} = C2g;
const ARRAYS = new Map([
    [DataType.FLOAT, Float32Array], [DataType.DOUBLE, Float64Array], [DataType.INT8, Int8Array], [DataType.UINT8, Uint8Array],
    [DataType.INT16, Int16Array], [DataType.UINT16, Uint16Array], [DataType.INT32, Int32Array], [DataType.UINT32, Uint32Array],
    [DataType.INT64, BigInt64Array], [DataType.UINT64, BigUint64Array], [DataType.BOOL, Uint8Array],
]);

function arrayClassOf(tensor) {
    const ArrayClass = ARRAYS.get(tensor.get_data_type());
    if (ArrayClass === undefined)
        throw new TypeError(`No typed array has elements of the type ${C2g.data_type_get_name(tensor.get_data_type())}`);
    return ArrayClass;
}

// The elements as a typed array, which is a copy: gjs has no typed arrays over memory of others. An assignment writes all
// elements into the memory of the tensor.
Object.defineProperty(C2g.Tensor.prototype, 'values', {
    configurable: true,
    get() {
        const ArrayClass = arrayClassOf(this);
        return new ArrayClass(this.dup_bytes().toArray().slice().buffer);
    },
    set(numbers) {
        const ArrayClass = arrayClassOf(this);
        // from() takes a number for no elements, and each letter of a text for one.
        if (typeof numbers !== 'object' || typeof numbers?.[Symbol.iterator] !== 'function')
            throw new TypeError(`Expected an array of numbers, got ${String(numbers)}`);
        // from() takes them one by one.
        const array = numbers instanceof ArrayClass ? numbers : ArrayClass.from(numbers);
        if (array.length !== this.get_n_elements())
            throw new RangeError(`Expected ${this.get_n_elements()} elements, got ${array.length}`);
        this.set_bytes(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    },
});

// The rows of a tensor, which share its memory; the elements, if it has one dimension.
C2g.Tensor.prototype[Symbol.iterator] = function* () {
    const dims = this.get_dims();
    if (dims.length === 0)
        throw new TypeError('A tensor without dimensions has no rows');
    for (let i = 0; i < dims[0]; i++) {
        if (dims.length === 1) {
            yield this.dup_element(i).value;
        } else {
            const row = this.slice(i, i + 1);
            row.reshape(dims.slice(1));
            yield row;
        }
    }
};

// The blobs of a workspace and of its parents, as [name, blob].
C2g.Workspace.prototype[Symbol.iterator] = function* () {
    for (const name of this.list_blobs())
        yield [name, this.get_blob(name)];
};

// What print() and templates show.
const text = {
    Tensor: tensor => tensor.to_string(6),
    Blob: blob => `“${blob.name ?? ''}”: ${blob.get_object() ?? blob.value}`,
    Workspace: workspace => workspace.list_blobs().join(', '),
    ClassScore: score => `${score.index}${score.label ? ` “${score.label}”` : ''}: ${score.score}`,
    Predictor: predictor => `${predictor.get_inputs().join(', ')} → ${predictor.get_outputs().join(', ')}`,
    NetDef: net => `“${net.get_name() ?? ''}”: ${net.get_n_operators()} operators`,
    OperatorDef: operator => operator.to_text().trim(),
    Device: device => device.to_string(),
};
for (const [name, show] of Object.entries(text)) {
    C2g[name].prototype.toString = function () {
        return this === C2g[name].prototype ? `[C2g.${name}]` : `[C2g.${name} ${show(this)}]`;
    };
}

// If gjs 1.74 refuses an argument of a function that returns an array with its length, it frees an array that nobody made, and
// the program ends. So the arguments of these functions are checked before. An array of checks holds for each item. gjs makes
// 0 of flags that are text or NaN, so these are checked, too.
const instance = Class => [`a ${Class.$gtype.name}`, value => value instanceof Class];
const orNull = ([wanted, holds]) => [`${wanted} or null`, value => value === null || value === undefined || holds(value)];
const STRING = ['a string', value => typeof value === 'string'];
const INTEGER = ['an integer', Number.isSafeInteger];
const COUNT = ['a count', value => Number.isSafeInteger(value) && value >= 0 && value < 2 ** 32];
const ITEMS = ['an array', Array.isArray];
const TENSOR = instance(C2g.Tensor);
const FLAGS = ['flags, such as C2g.MapFlags.READ', COUNT[1]];
// Flags that stand behind so many other arguments.
const flagsAfter = n => [...Array(n).fill(['anything', () => true]), FLAGS];
const checks = [
    [C2g.Predictor, 'run', [[ITEMS, TENSOR], orNull(instance(Gio.Cancellable))]],
    [C2g.Predictor, 'run_finish', [instance(Gio.AsyncResult)]],
    [C2g.Predictor, 'list_classes', [TENSOR, INTEGER, COUNT]],
    [C2g.Predictor, 'classify_batch', [TENSOR, orNull(instance(Gio.Cancellable))]],
    [C2g.Operator, 'get_ints', [STRING]],
    [C2g.Operator, 'get_floats', [STRING]],
    [C2g.MemoryReporter, 'list_blocks', [orNull(instance(C2g.Device))]],
    [C2g.MemoryReporter, 'list_external_blocks', [orNull(instance(C2g.Device))]],
    [C2g.Storage, 'map', flagsAfter(0)],
    [C2g.Tensor, 'map', flagsAfter(0)],
    [C2g.Tensor, 'convert', flagsAfter(1)],
    [C2g.Tensor, 'convert_from', flagsAfter(1)],
    [C2g.Tensor, 'to_dlpack', flagsAfter(0)],
    [C2g.Tensor, 'new_from_dlpack', flagsAfter(1)],
    [C2g.Blob, 'serialize_chunks', flagsAfter(2)],
    [C2g.Blob, 'serialize_to_stream', flagsAfter(1)],
    [C2g.NetDef, 'optimize', flagsAfter(1)],
    [C2g.Predictor, 'optimize', flagsAfter(0)],
    [C2g.Predictor, 'create', flagsAfter(4)],
    [C2g.Predictor, 'load', flagsAfter(3)],
    [C2g.Predictor, 'load_async', flagsAfter(3)],
    [C2g.Predictor, 'load_nets', flagsAfter(4)],
    [C2g.Predictor, 'load_nets_async', flagsAfter(4)],
    [C2g.CaffeBlob, 'copy_from', flagsAfter(1)],
    [C2g.CaffeBlob, 'repack_from', flagsAfter(1)],
    [C2g.CaffeBlob, 'reshape', flagsAfter(1)],
    [C2g.CaffeBlob, 'set_value_at', flagsAfter(0)],
    [C2g.CaffeBlob, 'share_tensor', flagsAfter(0)],
    [C2g.CaffeBlob, 'to_proto', flagsAfter(0)],
];

function check([wanted, holds], value, where) {
    if (!holds(value))
        throw new TypeError(`${where}: Expected ${wanted}, got ${String(value)}`);
}

for (const [owner, name, wanted] of checks) {
    const holder = name in owner.prototype ? owner.prototype : owner;
    const unchecked = holder[name];
    holder[name] = function (...values) {
        wanted.slice(0, values.length).forEach((kind, i) => {
            const where = `${name}(), argument ${i}`;
            const [outer, inner] = Array.isArray(kind[0]) ? kind : [kind];
            check(outer, values[i], where);
            if (inner)
                values[i].forEach((item, at) => check(inner, item, `${where}[${at}]`));
        });
        return unchecked.apply(this, values);
    };
}

// Functions …_async() without a callback return a promise.
for (const owner of Object.getOwnPropertyNames(C2g).map(name => C2g[name]).filter(value => typeof value === 'function')) {
    for (const holder of [owner, owner.prototype]) {
        for (const name of Object.getOwnPropertyNames(holder ?? {}).filter(key => key.endsWith('_async')))
            Gio._promisify(holder, name, name.replace(/async$/, 'finish'));
    }
}

export default C2g;
