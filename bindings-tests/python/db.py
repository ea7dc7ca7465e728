# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Databases of c2g, and a database class written in Python."""

import bisect
import os
import struct
import tempfile
import threading

from c2g_testing import C2g, Gio, GLib, TestCase, new_bytes


class Memory(C2g.Db):
    """Keeps sorted records in memory, by file."""

    stores = {}
    closed = []

    def do_open_file(self, file, mode, cancellable):
        self.path = file.get_path()
        if mode == C2g.DbMode.READ and self.path not in self.stores:
            raise GLib.Error.new_literal(Gio.io_error_quark(), f'No {self.path}',
                                         Gio.IOErrorEnum.NOT_FOUND)
        if mode == C2g.DbMode.NEW:
            self.stores[self.path] = {}
        self.records = self.stores.setdefault(self.path, {})
        return True

    def do_new_cursor(self):
        return MemoryCursor(self.records)

    def do_new_transaction(self):
        return MemoryTransaction(self.records)

    def do_close(self):
        self.closed.append(self.path)
        return True


class MemoryCursor(C2g.DbCursor):
    def __init__(self, records):
        super().__init__()
        self.records = records
        self.keys = sorted(records)
        self.place = 0

    def do_supports_seek(self):
        return True

    def do_seek(self, key):
        self.place = bisect.bisect_left(self.keys, key.get_data() or b'')
        return True

    def do_seek_to_first(self):
        self.place = 0
        return True

    def do_next(self):
        self.place += 1
        return True

    def do_is_valid(self):
        return self.place < len(self.keys)

    def do_dup_key(self):
        return new_bytes(self.keys[self.place])

    def do_dup_value(self):
        return new_bytes(self.records[self.keys[self.place]])


class MemoryTransaction(C2g.DbTransaction):
    def __init__(self, records):
        super().__init__()
        self.records = records
        self.waiting = {}

    def do_put(self, key, value):
        self.waiting[key.get_data()] = value.get_data()
        return True

    def do_commit(self):
        self.records.update(self.waiting)
        self.waiting.clear()
        return True


class Broken(C2g.Db):
    """Returns a given result."""

    give = None

    def do_open_file(self, file, mode, cancellable):
        return True

    def do_new_cursor(self):
        return self.give

    def do_new_transaction(self):
        raise ValueError('Nobody sees this')


C2g.Db.register('python-memory', Memory)
C2g.Db.register('python-broken', Broken)


def records_of(db):
    cursor = db.new_cursor()
    records = []
    while cursor.is_valid():
        records.append((cursor.dup_key().get_data(), cursor.dup_value().get_data()))
        cursor.next()
    return records


class Db(TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, 'database')
        self.file = Gio.File.new_for_path(self.path)

    def open(self, db_type, mode=C2g.DbMode.READ):
        return C2g.Db.open(db_type, self.file, mode, None)

    def fill(self, db_type, n=10):
        db = self.open(db_type, C2g.DbMode.NEW)
        transaction = db.new_transaction()
        for i in range(n):
            transaction.put(new_bytes(b'%02d' % i), new_bytes(b'value %d' % i))
        transaction.commit()
        db.close()

    def test_16_1_write_and_read(self):
        for db_type in 'minidb', 'python-memory':
            with self.subTest(db_type=db_type):
                self.fill(db_type)
                db = self.open(db_type)
                self.assertEqual(records_of(db),
                                 [(b'%02d' % i, b'value %d' % i) for i in range(10)])
                self.assertEqual(db.get_db_type(), db_type)
                self.assertEqual(db.get_mode(), C2g.DbMode.READ)
                self.assertTrue(db.get_file().equal(self.file))
                self.assertTrue(C2g.Db.exists(db_type, self.file))

    def test_16_2_bytes_of_minidb(self):
        self.fill('minidb', 1)
        with open(self.path, 'rb') as file:
            self.assertEqual(file.read(), struct.pack('<ii', 2, 7) + b'00' + b'value 0')

    def test_16_3_transactions(self):
        for db_type in 'minidb', 'python-memory':
            with self.subTest(db_type=db_type):
                self.fill(db_type, 0)
                db = self.open(db_type, C2g.DbMode.WRITE)
                transaction = db.new_transaction()
                transaction.put(new_bytes(b'a'), new_bytes(b'1'))
                self.assertEqual(records_of(self.open(db_type)), [])
                transaction.commit()
                self.assertEqual(records_of(self.open(db_type)), [(b'a', b'1')])
                del transaction
                transaction = db.new_transaction()
                transaction.put(new_bytes(b'b'), new_bytes(b'2'))
                del transaction
                self.assertEqual(records_of(self.open(db_type)), [(b'a', b'1')])

    def test_16_4_errors(self):
        self.assertFails(C2g.Error.NOT_FOUND, self.open, 'leveldb')
        self.assertFails(C2g.Error.EXISTS, C2g.Db.register, 'minidb', Memory)
        self.assertFails(C2g.Error.EXISTS, C2g.Db.register, 'python-memory', Broken)
        self.assertFails(C2g.Error.TYPE, C2g.Db.register, 'other', C2g.Workspace)
        self.assertFails(C2g.Error.TYPE, C2g.Db.register, 'other', C2g.Db)
        self.assertTrue({'minidb', 'python-memory'} <= set(C2g.Db.list_types()))

        db = self.open('minidb', C2g.DbMode.NEW)
        message = self.assertFails(C2g.Error.INVALID_ARGUMENT, db.new_transaction().put,
                                   new_bytes(b'name'), new_bytes(b''))
        self.assertIn('“name”', message)

        with open(self.path, 'wb') as file:
            file.write(struct.pack('<ii', 1, 2 ** 31 - 1) + b'a')
        message = self.assertFails(C2g.Error.CORRUPT, self.open('minidb').new_cursor)
        self.assertIn('offset 0', message)

    def test_16_5_close(self):
        for db_type in 'minidb', 'python-memory':
            with self.subTest(db_type=db_type):
                self.fill(db_type)
                db = self.open(db_type, C2g.DbMode.READ)
                cursor = db.new_cursor()
                Memory.closed.clear()
                db.close()
                db.close()
                self.assertEqual(Memory.closed, [self.path] if db_type != 'minidb' else [])
                self.assertFalse(cursor.is_valid())
                for function in cursor.next, cursor.dup_key, cursor.seek_to_first, db.new_cursor:
                    self.assertFails(C2g.Error.INVALID_ARGUMENT, function)

    def test_16_6_seek(self):
        self.fill('python-memory')
        cursor = self.open('python-memory').new_cursor()
        for key, found in (b'05', b'05'), (b'07.5', b'08'), (b'', b'00'):
            cursor.seek(new_bytes(key))
            self.assertEqual(cursor.dup_key().get_data(), found)
        cursor.seek(new_bytes(b'11'))
        self.assertFalse(cursor.is_valid())
        self.assertFails(C2g.Error.RANGE, cursor.next)
        self.assertFails(C2g.Error.RANGE, cursor.dup_value)

        self.fill('minidb')
        cursor = self.open('minidb').new_cursor()
        self.assertFalse(cursor.supports_seek())
        self.assertFails(C2g.Error.NOT_SUPPORTED, cursor.seek, new_bytes(b'05'))

    def test_16_7_own_error(self):
        with self.assertRaises(GLib.Error) as caught:
            self.open('python-memory')
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.NOT_FOUND))

    def test_16_11_what_a_class_gives(self):
        db = self.open('python-broken', C2g.DbMode.WRITE)
        self.assertIn('Broken', self.assertFails(C2g.Error.FAILED, db.new_cursor))
        db.close()
        db = self.open('python-broken', C2g.DbMode.WRITE)
        db.give = C2g.DbCursor
        self.assertFails(C2g.Error.FAILED, db.new_cursor)

    def test_16_12_what_a_class_lacks(self):
        class Bare(C2g.Db):
            pass

        C2g.Db.register('python-bare', Bare)
        self.assertIn('Bare', self.assertFails(C2g.Error.NOT_SUPPORTED, self.open, 'python-bare'))

    def test_16_8_reader(self):
        for db_type in 'minidb', 'python-memory':
            with self.subTest(db_type=db_type):
                self.fill(db_type)
                reader = C2g.DbReader.open(db_type, self.file, 3, 1, None)
                keys = [reader.read()[1].get_data() for _ in range(4)]
                self.assertEqual(keys, [b'01', b'04', b'07', b'01'])
                reader.seek_to_first()
                done, key, value = reader.read()
                self.assertEqual((key.get_data(), value.get_data()), (b'01', b'value 1'))
                self.assertEqual((reader.get_n_shards(), reader.get_shard()), (3, 1))
                reader.get_db().close()
                self.assertFails(C2g.Error.INVALID_ARGUMENT, reader.read)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.DbReader().read)

    def test_16_9_reader_in_blob(self):
        self.fill('python-memory')
        reader = C2g.DbReader.open('python-memory', self.file, 1, 0, None)
        reader.seek(new_bytes(b'05'))
        blob = C2g.Blob()
        blob.set_object(reader)
        loaded = C2g.Blob()
        loaded.deserialize(blob.serialize('reader'))
        self.assertEqual(loaded.get_object().read()[1].get_data(), b'05')
        self.assertEqual(loaded.get_object().get_db().get_file().get_path(), self.path)

    def test_16_10_reader_in_threads(self):
        for db_type in 'minidb', 'python-memory':
            with self.subTest(db_type=db_type):
                self.fill(db_type)
                reader = C2g.DbReader.for_db(self.open(db_type), 1, 0)
                keys = []
                threads = [threading.Thread(target=lambda: keys.append(reader.read()[1].get_data()))
                           for _ in range(10)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                self.assertEqual(sorted(keys), [b'%02d' % i for i in range(10)])
