// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Messages, serializers, databases, and whole files.

import C2g from 'gi://C2g?version=1';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import Gio from 'gi://Gio';
import {equal, fails, finish, newFloats, newTensor, numbersOf, ok, record, run, test} from './testing.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const bytesOf = text => new GLib.Bytes(encoder.encode(text));
const textOf = bytes => decoder.decode(bytes.toArray());

function newBlob(object) {
    const blob = new C2g.Blob();
    blob.set_object(object);
    return blob;
}

// Copies bytes: gjs passes boxed values to callbacks that are valid only during the call.
const copyOf = bytes => new GLib.Bytes(bytes.toArray());

// Calls the function with a temporary folder.
function inFolder(use) {
    const folder = Gio.File.new_for_path(GLib.dir_make_tmp('c2g-js-XXXXXX'));
    try {
        use(name => folder.get_child(name));
    } finally {
        const children = folder.enumerate_children('standard::name', 0, null);
        for (let info = children.next_file(null); info; info = children.next_file(null))
            children.get_child(info).delete(null);
        children.close(null);
        folder.delete(null);
    }
}

function newWorkspace() {
    const workspace = new C2g.Workspace();
    workspace.create_blob('w').set_object(newFloats(1, 2, 3));
    workspace.create_blob('b').set_object(newFloats(4));
    return workspace;
}

function hasSaved(file, expected) {
    const workspace = new C2g.Workspace();
    workspace.load_checkpoint(file, null, null);
    equal(workspace.list_blobs().sort(), Object.keys(expected).sort());
    for (const [name, numbers] of Object.entries(expected))
        equal(numbersOf(workspace.get_tensor(name)), numbers);
}

function cancelled(use) {
    try {
        use();
    } catch (error) {
        if (!error.matches(Gio.IOErrorEnum, Gio.IOErrorEnum.CANCELLED))
            throw error;
        return;
    }
    throw new Error('expected to be cancelled');
}

const Words = GObject.registerClass(class Words extends GObject.Object {
    _init(words = []) {
        super._init();
        this.words = words;
    }
});

const WordsSerializer = GObject.registerClass(class WordsSerializer extends C2g.Serializer {
    vfunc_get_n_chunks(blob, chunkSize) {
        return chunkSize === C2g.NO_CHUNKING ? 1 : blob.get_object().words.length;
    }

    vfunc_serialize_content(blob, chunk, nChunks) {
        const {words} = blob.get_object();
        return bytesOf((nChunks === 1 ? words : words.slice(chunk, chunk + 1)).join('\n'));
    }

    vfunc_deserialize_content(blob, content, chunk, _nChunks) {
        const words = textOf(content).split('\n');
        if (chunk === 0)
            blob.set_object(new Words(words));
        else
            blob.get_object().words.push(...words);
        return true;
    }
});

C2g.Serializer.register(Words.$gtype, 'js.Words', new WordsSerializer());

test('8.8 tensors by name', () => {
    const workspace = new C2g.Workspace();
    const tensor = workspace.create_tensor('x', C2g.DataType.FLOAT, [2, 3]);
    equal([tensor.get_n_bytes(), tensor.get_dims()], [24, [2, 3]]);
    const scalar = workspace.create_tensor('x', C2g.DataType.INT8, []);
    ok(scalar !== tensor && workspace.get_tensor('x') === scalar);
    equal([scalar.get_n_elements(), tensor.get_n_elements()], [1, 6]);
    fails(C2g.Error.SHAPE, () => workspace.create_tensor('y', C2g.DataType.FLOAT, [-1]));
    fails(C2g.Error.NOT_FOUND, () => workspace.get_tensor('y'));
    ok(workspace.set_tensor('y', tensor) && workspace.get_tensor('y') === tensor);
});

test('15.1 streams', () => {
    const output = Gio.MemoryOutputStream.new_resizable();
    const blob = newBlob(newFloats(1, 2, 3));
    blob.serialize_to_stream('name', C2g.SerializeFlags.NONE, output, null);
    output.close(null);
    const message = output.steal_as_bytes();
    ok(message.equal(blob.serialize('name')));
    const loaded = new C2g.Blob();
    loaded.deserialize_from_stream(Gio.MemoryInputStream.new_from_bytes(message), null, null);
    equal(numbersOf(loaded.get_tensor()), [1, 2, 3]);
});

test('15.2 files with a blob', () => inFolder(file => {
    const output = file('x.pb').create(Gio.FileCreateFlags.NONE, null);
    newBlob(newFloats(1, 2, 3)).serialize_to_stream('name', C2g.SerializeFlags.NONE, output, null);
    output.close(null);
    const loaded = new C2g.Blob();
    loaded.deserialize_from_stream(file('x.pb').read(null), C2g.Device.cpu(), null);
    equal(numbersOf(loaded.get_tensor()), [1, 2, 3]);
}));

test('15.3 chunks', () => {
    const [keys, chunks] = [[], []];
    newBlob(newFloats(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)).serialize_chunks('name', 4, C2g.SerializeFlags.NONE,
        (key, value) => {
            keys.push(key);
            chunks.push(copyOf(value));
            return true;
        });
    equal(keys, ['name#%0', 'name#%1', 'name#%2']);
    const loaded = new C2g.Blob();
    loaded.deserialize_chunks(chunks.reverse(), null);
    equal(numbersOf(loaded.get_tensor()), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    fails(C2g.Error.CORRUPT, () => loaded.deserialize_chunks(chunks.slice(1), null));
});

test('15.4 chunks that are not wanted', () => {
    let n = 0;
    cancelled(() => newBlob(newFloats(1, 2, 3)).serialize_chunks('name', 1, C2g.SerializeFlags.NONE, () => {
        n++;
        return false;
    }));
    equal(n, 1);
});

test('15.6 Int8 tensors', () => {
    const tensor = newTensor([2], C2g.DataType.UINT8);
    tensor.set_bytes(new GLib.Bytes(new Uint8Array([0, 255])));
    const blob = newBlob(new C2g.Int8Tensor({tensor, scale: 0.5, zeroPoint: 128}));
    const loaded = new C2g.Blob();
    loaded.deserialize(blob.serialize('name'));
    const quantized = loaded.get_object();
    equal([quantized.scale, quantized.zeroPoint, quantized.get_value(0), quantized.get_value(1)], [0.5, 128, -64, 63.5]);
});

test('15.7 own serializer', () => {
    const loaded = new C2g.Blob();
    loaded.deserialize(newBlob(new Words(['eins', 'zwei'])).serialize('name'));
    equal(loaded.get_object().words, ['eins', 'zwei']);
});

test('15.8 own serializer, chunks', () => {
    const chunks = [];
    newBlob(new Words(['a', 'b', 'c'])).serialize_chunks('name', 1, C2g.SerializeFlags.NONE,
        (_, value) => chunks.push(copyOf(value)) > 0);
    equal(chunks.length, 3);
    const loaded = new C2g.Blob();
    loaded.deserialize_chunks(chunks.reverse(), null);
    equal(loaded.get_object().words, ['a', 'b', 'c']);
});

test('16.1 databases', () => inFolder(file => {
    let db = C2g.Db.open('minidb', file('x.minidb'), C2g.DbMode.NEW, null);
    const transaction = db.new_transaction();
    ['a', 'b', 'c'].forEach(key => transaction.put(bytesOf(key), bytesOf(`value ${key}`)));
    transaction.commit();
    db.close();

    db = C2g.Db.open('minidb', file('x.minidb'), C2g.DbMode.READ, null);
    const records = [];
    for (const cursor = db.new_cursor(); cursor.is_valid(); cursor.next())
        records.push(`${textOf(cursor.dup_key())}=${textOf(cursor.dup_value())}`);
    equal(records, ['a=value a', 'b=value b', 'c=value c']);
    equal([db.get_db_type(), db.get_mode()], ['minidb', C2g.DbMode.READ]);
    db.close();
}));

test('16.4 errors of databases', () => inFolder(file => {
    fails(C2g.Error.NOT_FOUND, () => C2g.Db.open('leveldb', file('x'), C2g.DbMode.READ, null));
    const db = C2g.Db.open('minidb', file('x.minidb'), C2g.DbMode.NEW, null);
    const transaction = db.new_transaction();
    ok(fails(C2g.Error.INVALID_ARGUMENT, () => transaction.put(bytesOf('name'), bytesOf(''))).includes('“name”'));
    db.close();
    fails(C2g.Error.INVALID_ARGUMENT, () => db.new_cursor());
}));

test('16.8 readers of databases', () => inFolder(file => {
    const db = C2g.Db.open('minidb', file('x.minidb'), C2g.DbMode.NEW, null);
    const transaction = db.new_transaction();
    for (let i = 0; i < 10; i++)
        transaction.put(bytesOf(`${i}`), bytesOf('value'));
    transaction.commit();
    db.close();
    const reader = C2g.DbReader.open('minidb', file('x.minidb'), 3, 1, null);
    const keys = [];
    for (let i = 0; i < 4; i++)
        keys.push(textOf(reader.read()[1]));
    equal(keys, ['1', '4', '7', '1']);
    reader.get_db().close();
}));

test('17.1 load all', () => inFolder(file => {
    newWorkspace().save_checkpoint(file('x.minidb'), null, null);
    const workspace = new C2g.Workspace();
    equal(new C2g.Workspace().load_checkpoint(file('.'), null, null), ['w', 'b']);
    equal(workspace.load_checkpoint(file('x.minidb'), null, null), ['w', 'b']);
    equal(numbersOf(workspace.get_tensor('w')), [1, 2, 3]);
}));

test('17.2 load with options', () => inFolder(file => {
    newWorkspace().save_checkpoint(file('x.minidb'), null, null);
    const workspace = new C2g.Workspace();
    const options = new C2g.LoadOptions({sourceNames: ['b'], names: ['x']});
    equal(new C2g.LoadOptions({stripPrefix: 'net/', addPrefix: 'my/'}).dup_name('a/net/w'), 'my/w');
    equal(workspace.load_checkpoint(file('x.minidb'), options, null), ['x']);
    equal(numbersOf(workspace.get_tensor('x')), [4]);
    workspace.load_checkpoint(file('x.minidb'), new C2g.LoadOptions({addPrefix: 'a/', loadAll: true}), null);
    equal(workspace.list_blobs().sort(), ['a/b', 'a/w', 'x']);
}));

test('17.4 loads that fail', () => inFolder(file => {
    newWorkspace().save_checkpoint(file('x.minidb'), null, null);
    const workspace = new C2g.Workspace();
    const options = new C2g.LoadOptions({names: ['w', 'absent']});
    ok(fails(C2g.Error.NOT_FOUND, () => workspace.load_checkpoint(file('x.minidb'), options, null)).includes('absent'));
    equal(workspace.list_blobs(), []);
    options.allowIncomplete = true;
    equal(workspace.load_checkpoint(file('x.minidb'), options, null), ['w']);
}));

test('17.5 entries', () => inFolder(file => {
    newWorkspace().save_checkpoint(file('x.minidb'), null, null);
    const modelFile = C2g.ModelFile.open(file('x.minidb'), null, null);
    equal(modelFile.get_kind(), C2g.ModelFileKind.MINIDB);
    equal(modelFile.list_entries().map(entry => `${entry.get_name()} ${entry.get_dims()} ${entry.get_n_bytes()}`),
        ['w 3 12', 'b 1 4']);
    equal(modelFile.lookup_entry('b').get_blob_type(), 'Tensor');
    equal(modelFile.lookup_entry('b').get_device().to_string(), 'cpu');
    ok(modelFile.lookup_entry('c') === null && modelFile.verify(null, null));
    equal(numbersOf(modelFile.load_blob('b', null).get_tensor()), [4]);
    const net = "op { type: 'ConstantFill' output: 'c' arg { name: 'shape' ints: 1000000000 } arg { name: 'value' f: 2 } }";
    const entry = C2g.ModelFile.new_from_bytes(new GLib.Bytes(net), 'net.pbtxt').lookup_entry('c');
    ok(entry.is_constant() && !modelFile.lookup_entry('b').is_constant());
    equal(numbersOf(entry.load_constant()), [2]);
    fails(C2g.Error.INVALID_ARGUMENT, () => modelFile.lookup_entry('b').load_constant());
}));

test('17.6 load in the background', () => inFolder(file => {
    newWorkspace().save_checkpoint(file('x.minidb'), null, null);
    const workspace = new C2g.Workspace();
    const options = new C2g.LoadOptions({progress: new C2g.Progress()});
    const heard = record(options.progress, 'changed');
    const result = finish(workspace, 'load_checkpoint_async', file('x.minidb'), options, null);
    equal(workspace.load_checkpoint_finish(result), ['w', 'b']);
    equal(heard.at(-1), [16, 16]);
    equal(numbersOf(workspace.get_tensor('b')), [4]);
}));

test('17.7 cancelled loads', () => inFolder(file => {
    newWorkspace().save_checkpoint(file('x.minidb'), null, null);
    const [workspace, cancellable] = [new C2g.Workspace(), new Gio.Cancellable()];
    const options = new C2g.LoadOptions({progress: new C2g.Progress()});
    options.progress.connect('changed', () => cancellable.cancel());
    cancelled(() => workspace.load_checkpoint(file('x.minidb'), options, cancellable));
    const result = finish(workspace, 'load_checkpoint_async', file('x.minidb'), null, cancellable);
    cancelled(() => workspace.load_checkpoint_finish(result));
    equal(workspace.list_blobs(), []);
}));

test('18.1 kinds of files', () => inFolder(file => {
    for (const name of ['x.minidb', 'x.safetensors', 'x.npz']) {
        newWorkspace().save_checkpoint(file(name), null, null);
        hasSaved(file(name), {w: [1, 2, 3], b: [4]});
    }
}));

test('18.3 save with options', () => inFolder(file => {
    const options = new C2g.SaveOptions({names: ['w'], newNames: ['x'], chunkSize: 2, nThreads: 2});
    newWorkspace().save_checkpoint(file('x.minidb'), options, null);
    hasSaved(file('x.minidb'), {x: [1, 2, 3]});
    options.set_device('w', C2g.Device.parse('cuda:7'));
    newWorkspace().save_checkpoint(file('y.minidb'), options, null);
    equal(C2g.ModelFile.open(file('y.minidb'), null, null).lookup_entry('x').get_device().to_string(), 'cuda:7');
}));

test('18.4 bytes of a checkpoint', () => {
    const bytes = newWorkspace().save_checkpoint_to_bytes(null, null);
    const workspace = new C2g.Workspace();
    equal(C2g.ModelFile.new_from_bytes(bytes, 'x.minidb').load(workspace, null, null), ['w', 'b']);
});

test('18.5 saves that fail', () => inFolder(file => {
    const workspace = newWorkspace();
    fails(C2g.Error.INVALID_ARGUMENT, () => workspace.save_checkpoint(file('x.txt'), null, null));
    workspace.create_blob('empty').ensure_tensor(null);
    ok(fails(C2g.Error.FAILED, () => workspace.save_checkpoint(file('x.minidb'), null, null)).includes('empty'));
    ok(!file('x.minidb').query_exists(null));
}));

test('18.6 save in the background', () => inFolder(file => {
    const [workspace, options] = [newWorkspace(), new C2g.SaveOptions({progress: new C2g.Progress()})];
    const heard = record(options.progress, 'changed');
    const result = finish(workspace, 'save_checkpoint_async', file('x.minidb'), options, null);
    ok(workspace.save_checkpoint_finish(result));
    equal(heard.at(-1), [16, 16]);
    hasSaved(file('x.minidb'), {w: [1, 2, 3], b: [4]});
}));

test('18.7 cancelled saves', () => inFolder(file => {
    const [workspace, cancellable] = [newWorkspace(), new Gio.Cancellable()];
    cancellable.cancel();
    cancelled(() => workspace.save_checkpoint(file('x.minidb'), null, cancellable));
    const result = finish(workspace, 'save_checkpoint_async', file('x.minidb'), null, cancellable);
    cancelled(() => workspace.save_checkpoint_finish(result));
    ok(!file('x.minidb').query_exists(null));
}));

test('18.8 own serializer in a checkpoint', () => inFolder(file => {
    const workspace = newWorkspace();
    workspace.create_blob('words').set_object(new Words(['a', 'b']));
    const options = new C2g.SaveOptions({chunkSize: 1, nThreads: 4});
    workspace.save_checkpoint(file('x.minidb'), options, null);
    const result = finish(workspace, 'save_checkpoint_async', file('y.minidb'), options, null);
    workspace.save_checkpoint_finish(result);
    for (const name of ['x.minidb', 'y.minidb']) {
        const loaded = new C2g.Workspace();
        loaded.load_checkpoint(file(name), null, null);
        equal(loaded.get_blob('words').get_object().words, ['a', 'b']);
    }
}));

run();
