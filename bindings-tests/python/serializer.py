# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Blobs as messages, chunks, streams and files, and serializers written in Python."""

import os
import tempfile

from gi.repository import GObject

from c2g_testing import C2g, Gio, GLib, TestCase, new_bytes, new_floats, new_tensor, numbers_of


class Words(GObject.Object):
    """Content of a Python class."""

    def __init__(self, *words):
        super().__init__()
        self.words = list(words)


class Letters(Words):
    """Content of a derived class without its own serializer."""


class WordsSerializer(C2g.Serializer):
    """Writes each word as a chunk, or all words as one chunk if chunking is off."""

    def do_get_n_chunks(self, blob, chunk_size):
        return 1 if chunk_size == C2g.NO_CHUNKING else len(blob.get_object().words)

    def do_serialize_content(self, blob, chunk, n_chunks):
        words = blob.get_object().words
        return new_bytes('\n'.join(words if n_chunks == 1 else words[chunk:chunk + 1]).encode())

    def do_deserialize_content(self, blob, content, chunk, n_chunks):
        words = content.get_data().decode().split('\n')
        if chunk == 0:
            blob.set_object(Words(*words))
        else:
            blob.get_object().words.extend(words)
        return True


class Faulty(GObject.Object):
    pass


class FaultySerializer(C2g.Serializer):
    """A serializer with a chosen fault."""

    def __init__(self):
        super().__init__()
        self.fault = None

    def do_serialize_content(self, blob, chunk, n_chunks):
        if self.fault is not None:
            return self.fault()
        return new_bytes(b'content')

    def do_deserialize_content(self, blob, content, chunk, n_chunks):
        if self.fault is not None:
            return self.fault()
        blob.set_object(Faulty())
        return True


class Incomplete(GObject.Object):
    pass


class IncompleteSerializer(C2g.Serializer):
    pass


faulty_serializer = FaultySerializer()
C2g.Serializer.register(Words, 'test.Words', WordsSerializer())
C2g.Serializer.register(Faulty, 'test.Faulty', faulty_serializer)
C2g.Serializer.register(Incomplete, 'test.Incomplete', IncompleteSerializer())


def new_blob(content):
    blob = C2g.Blob()
    blob.set_value(content)
    return blob


def read(message):
    blob = C2g.Blob()
    blob.deserialize(message)
    return blob


def chunks_of(blob, chunk_size):
    chunks = []
    blob.serialize_chunks('name', chunk_size, C2g.SerializeFlags.NONE,
                          lambda key, value: chunks.append((key, value)) or True)
    return chunks


class Messages(TestCase):
    def test_15_17_content(self):
        blob = new_blob(new_floats(1, 2, 3))
        loaded = read(blob.serialize('name'))
        self.assertIsNot(loaded.get_object(), blob.get_object())
        self.assertEqual(numbers_of(loaded.get_object()), [1, 2, 3])
        self.assertEqual(read(new_blob('grün').serialize('name')).props.value.get_data(), 'grün'.encode())
        self.assertEqual(read(new_blob(GObject.Value(GObject.TYPE_INT64, -5)).serialize('n')).get_value(), -5)

    def test_15_5_float16(self):
        tensor = new_tensor([1000], C2g.DataType.FLOAT16)
        tensor.set_bytes(new_bytes(b'\xab\xcd' * 1000))
        blob = new_blob(tensor)
        output = Gio.MemoryOutputStream.new_resizable()
        blob.serialize_to_stream('name', C2g.SerializeFlags.FLOAT16_AS_BYTES, output, None)
        output.close()
        plain, as_bytes = blob.serialize('name'), output.steal_as_bytes()
        self.assertLess(as_bytes.get_size(), plain.get_size())
        for message in (plain, as_bytes):
            self.assertEqual(read(message).get_object().dup_bytes().get_data(), b'\xab\xcd' * 1000)

    def test_15_3_chunks(self):
        blob = new_blob(new_floats(*range(10)))
        chunks = chunks_of(blob, 4)
        self.assertEqual([key for key, value in chunks], ['name#%0', 'name#%1', 'name#%2'])
        loaded = C2g.Blob()
        loaded.deserialize_chunks([value for key, value in reversed(chunks)], None)
        self.assertEqual(numbers_of(loaded.get_object()), list(range(10)))
        with self.assertRaises(GLib.Error) as caught:
            loaded.deserialize_chunks([chunks[0][1], chunks[2][1]], None)
        self.assertTrue(caught.exception.matches(C2g.Error.quark(), C2g.Error.CORRUPT))
        self.assertEqual(numbers_of(loaded.get_object()), list(range(10)))

    def test_15_4_chunks_stopped(self):
        keys = []
        with self.assertRaises(GLib.Error) as caught:
            new_blob(new_floats(1, 2, 3)).serialize_chunks('name', 1, C2g.SerializeFlags.NONE,
                                                           lambda key, value: keys.append(key))
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))
        self.assertEqual(keys, ['name#%0'])

    def test_15_1_streams(self):
        blob = new_blob(new_floats(1, 2, 3))
        output = Gio.MemoryOutputStream.new_resizable()
        blob.serialize_to_stream('name', C2g.SerializeFlags.NONE, output, None)
        output.close()
        message = output.steal_as_bytes()
        self.assertEqual(message.get_data(), blob.serialize('name').get_data())
        loaded = C2g.Blob()
        loaded.deserialize_from_stream(Gio.MemoryInputStream.new_from_bytes(message), None, None)
        self.assertEqual(numbers_of(loaded.get_object()), [1, 2, 3])

    def test_15_2_files(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Gio.File.new_for_path(os.path.join(folder, 'blob.pb'))
            output = file.create(Gio.FileCreateFlags.NONE, None)
            new_blob(new_floats(1, 2, 3)).serialize_to_stream('name', C2g.SerializeFlags.NONE, output, None)
            output.close()
            loaded = C2g.Blob()
            loaded.deserialize_from_stream(file.read(None), C2g.Device.cpu(), None)
            self.assertEqual(numbers_of(loaded.get_object()), [1, 2, 3])

    def test_15_6_int8(self):
        tensor = new_tensor([2], C2g.DataType.UINT8)
        tensor.set_bytes(new_bytes(b'\x00\xff'))
        quantized = C2g.Int8Tensor(tensor=tensor, scale=0.5, zero_point=128)
        loaded = read(new_blob(quantized).serialize('name')).get_object()
        self.assertIsInstance(loaded, C2g.Int8Tensor)
        self.assertEqual((loaded.props.scale, loaded.props.zero_point), (0.5, 128))
        self.assertEqual([loaded.get_value(i) for i in range(2)], [-64, 63.5])
        self.assertEqual(new_blob(loaded).get_n_bytes(), 2)


class Own(TestCase):
    def test_15_7_own_serializer(self):
        loaded = read(new_blob(Words('one', 'two', 'three')).serialize('name'))
        self.assertIsInstance(loaded.get_object(), Words)
        self.assertEqual(loaded.get_object().words, ['one', 'two', 'three'])

    def test_15_8_own_serializer_chunks(self):
        words = [str(i) for i in range(12)]
        chunks = chunks_of(new_blob(Words(*words)), C2g.DEFAULT_CHUNK_SIZE)
        self.assertEqual([key for key, value in chunks], [f'name#%{i}' for i in range(12)])
        loaded = C2g.Blob()
        loaded.deserialize_chunks([value for key, value in sorted(chunks, key=lambda chunk: chunk[0])], None)
        self.assertEqual(loaded.get_object().words, words)
        self.assertEqual([key for key, value in chunks_of(new_blob(Words('one')), 1)], ['name'])

    def test_15_9_own_serializer_derived(self):
        self.assertIsInstance(C2g.Serializer.lookup(Letters), WordsSerializer)
        self.assertEqual(read(new_blob(Letters('a', 'b')).serialize('name')).get_object().words, ['a', 'b'])

    def test_15_10_own_serializer_elements(self):
        tensor = C2g.Tensor.new_sized([3], None)
        tensor.allocate_meta(C2g.TypeMeta.for_gtype(Words))
        tensor.set_element(1, Words('in', 'the', 'middle'))
        loaded = read(new_blob(tensor).serialize('name')).get_object()
        self.assertIsNone(loaded.get_element(0))
        self.assertEqual(loaded.get_element(1).words, ['in', 'the', 'middle'])

    def test_15_11_own_serializer_registry(self):
        self.assertEqual(C2g.Serializer.lookup_for_blob_type('test.Words').get_blob_type(), 'test.Words')
        self.assertIn('test.Words', C2g.Serializer.list_blob_types())
        for kind, name, code in ((Words, 'test.Other', C2g.Error.EXISTS), (Letters, 'test.Words', C2g.Error.EXISTS),
                                 (Letters, 'Tensor', C2g.Error.EXISTS), (Letters, '', C2g.Error.INVALID_ARGUMENT)):
            with self.subTest(name=name), self.assertRaises(GLib.Error) as caught:
                C2g.Serializer.register(kind, name, WordsSerializer())
            self.assertTrue(caught.exception.matches(C2g.Error.quark(), code))
        own = C2g.Serializer.lookup_for_blob_type('test.Words')
        self.assertTrue(C2g.Serializer.register(Words, 'test.Words', own))
        with self.assertRaises(GLib.Error) as caught:
            C2g.Serializer.lookup(C2g.Workspace)
        self.assertTrue(caught.exception.matches(C2g.Error.quark(), C2g.Error.TYPE))
        with self.assertRaises(GLib.Error) as caught:
            C2g.Serializer.lookup_for_blob_type('nobody')
        self.assertTrue(caught.exception.matches(C2g.Error.quark(), C2g.Error.NOT_SUPPORTED))

    def fault(self, fault, domain, code, text):
        """Serializing and deserializing fail, and do not change the blob."""
        faulty_serializer.fault = None
        message = new_blob(Faulty()).serialize('name')
        faulty_serializer.fault = fault
        blob = new_blob('before')
        for fail in (lambda: new_blob(Faulty()).serialize('name'), lambda: blob.deserialize(message)):
            with self.assertRaises(GLib.Error) as caught:
                fail()
            self.assertTrue(caught.exception.matches(domain, code))
            self.assertIn(text, caught.exception.message)
        self.assertEqual(blob.get_value(), 'before')

    def test_15_12_own_serializer_own_error(self):
        def fail():
            raise GLib.Error.new_literal(Gio.io_error_quark(), 'of its own', Gio.IOErrorEnum.BUSY)
        self.fault(fail, Gio.io_error_quark(), Gio.IOErrorEnum.BUSY, 'of its own')

    def test_15_13_own_serializer_raises(self):
        def fail():
            raise ValueError('Expected in the log: a serializer that raises')
        self.fault(fail, C2g.Error.quark(), C2g.Error.FAILED, 'FaultySerializer')

    def test_15_14_own_serializer_gives_nothing(self):
        self.fault(lambda: None, C2g.Error.quark(), C2g.Error.FAILED, 'FaultySerializer')

    def test_15_15_own_serializer_lacks(self):
        with self.assertRaises(GLib.Error) as caught:
            new_blob(Incomplete()).serialize('name')
        self.assertTrue(caught.exception.matches(C2g.Error.quark(), C2g.Error.NOT_SUPPORTED))
        self.assertIn('IncompleteSerializer', caught.exception.message)


class Stat(TestCase):
    def test_15_16_own_stat(self):
        self.assertEqual(new_blob(Words('abc')).get_n_bytes(), 0)
        C2g.Blob.register_stat(Words, lambda blob: sum(map(len, blob.get_object().words)))
        self.assertEqual(new_blob(Words('abc', 'd')).get_n_bytes(), 4)
        self.assertEqual(new_blob(Letters('x')).get_n_bytes(), 1)
        with self.assertRaises(GLib.Error) as caught:
            C2g.Blob.register_stat(Words, lambda blob: 1)
        self.assertTrue(caught.exception.matches(C2g.Error.quark(), C2g.Error.EXISTS))
