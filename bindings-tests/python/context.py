# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Contexts and events."""

from c2g_testing import CPU, C2g, TestCase, new_floats, new_tensor, numbers_of


class Contexts(TestCase):
    def test_9_1_fill_and_copy(self):
        context = C2g.Context.for_device(CPU)
        self.assertEqual(context.get_device(), CPU)
        tensor = new_tensor([3], C2g.DataType.INT32)
        context.fill(tensor, 7)
        self.assertEqual(numbers_of(tensor), [7, 7, 7])
        self.assertFails(C2g.Error.RANGE, context.fill, tensor, 2.0 ** 31)
        self.assertFails(C2g.Error.TYPE, context.fill, new_tensor([1], C2g.DataType.STRING), 1)
        other = C2g.Tensor.new_sized([3, 1], None)
        context.copy(tensor, other)
        self.assertEqual(numbers_of(other), [7, 7, 7])
        self.assertFails(C2g.Error.SHAPE, context.copy, tensor, C2g.Tensor.new_sized([2], None))
        self.assertTrue(context.finish())

    def test_9_2_random(self):
        context, other = C2g.CpuContext.new(), C2g.CpuContext.new()
        tensors = [new_tensor([1000]) for _ in range(3)]
        context.seed(42)
        context.fill_uniform(tensors[0], -1, 1)
        context.fill_uniform(tensors[1], -1, 1)
        other.seed(42)
        other.fill_uniform(tensors[2], -1, 1)
        first, second, again = map(numbers_of, tensors)
        self.assertEqual(first, again)
        self.assertNotEqual(first, second)
        self.assertTrue(all(-1 <= x < 1 for x in first))
        for seeded in (context, other):
            seeded.seed(2 ** 63)
        context.fill_normal(tensors[0], 5, 0.5)
        other.fill_normal(tensors[1], 5, 0.5)
        first, second = map(numbers_of, tensors[:2])
        self.assertEqual(first, second)
        self.assertTrue(4.8 < sum(first) / 1000 < 5.2)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, context.fill_uniform, tensors[0], 1, -1)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, context.fill_normal, tensors[0], 0, float('nan'))

    def test_9_3_events(self):
        context = C2g.CpuContext.new()
        event = C2g.Event.new(None)
        self.assertEqual(event.query(), C2g.EventStatus.INITIALIZED)
        self.assertTrue(event.finish())
        context.record(event)
        self.assertTrue(event.is_scheduled())
        self.assertFails(C2g.Error.BUSY, context.record, event)
        self.assertTrue(context.wait(event))
        self.assertEqual((event.query(), event.is_finished()), (C2g.EventStatus.SUCCESS, True))
        self.assertIsNone(event.dup_error_message())
        event.reset()
        event.set_finished('the cable broke')
        self.assertEqual((event.query(), event.dup_error_message()),
                         (C2g.EventStatus.FAILED, 'the cable broke'))
        self.assertIn('the cable broke', self.assertFails(C2g.Error.FAILED, event.finish))
        self.assertFails(C2g.Error.BUSY, event.set_finished, None)
        elsewhere = C2g.Event.new(C2g.Device.parse('cuda'))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, context.record, elsewhere)

    def test_9_4_events_across_copies(self):
        """Functions that copy accept a context."""
        context = C2g.CpuContext.new()
        tensor = new_floats(1, 2)
        other = tensor.clone(context)
        other.extend(1, 0, context)
        tensor.copy_from(other, context)
        self.assertEqual(numbers_of(tensor)[:2], [1, 2])
        tensor.get_storage().record_use(context)
