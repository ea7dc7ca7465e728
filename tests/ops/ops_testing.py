# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs single operators on NumPy arrays, and compares the results with NumPy's.

    class Unary(OpTestCase):
        def test_relu(self):
            x = random_array((3, 5))
            self.check('Relu', [x], [numpy.maximum(x, 0)])
"""

import gc
import unittest

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402

try:
    import numpy
except ImportError:
    raise unittest.SkipTest('NumPy was not found')

DATA_TYPES = {
    'float32': C2g.DataType.FLOAT,
    'float64': C2g.DataType.DOUBLE,
    'float16': C2g.DataType.FLOAT16,
    'int8': C2g.DataType.INT8,
    'uint8': C2g.DataType.UINT8,
    'int16': C2g.DataType.INT16,
    'uint16': C2g.DataType.UINT16,
    'int32': C2g.DataType.INT32,
    'int64': C2g.DataType.INT64,
    'bool': C2g.DataType.BOOL,
}
# Operators whose output shapes are known only after a run, and the reason.
ONLY_BY_RUN = {
    'BoxWithNMSLimit': 'as many boxes as are good and apart',
    'CTCBeamSearchDecoder': 'as many labels as are heard',
    'CTCGreedyDecoder': 'as many labels as are heard',
    'DetectionOutput': 'as many boxes as are good and apart',
    'FindDuplicateElements': 'as many indices as there are duplicates',
    'GenerateProposals': 'as many boxes as are good and apart',
    'GenerateProposalsCPP': 'as many boxes as are good and apart',
    'GenerateProposals': 'as many boxes as are good and apart',
    'GenerateProposalsCPP': 'as many boxes as are good and apart',
    'If': 'what the nets in it make',
    'Load': 'what is in the files',
    'MergeIdLists': 'as many identifiers as there are different ones',
    'ONNXWhile': 'what the net in it makes',
    'RemoveDataBlocks': 'without the rows of as many different indices as there are',
    'Unique': 'as many elements as there are different ones',
    'While': 'what the net in it makes',
}

# Operators whose output shapes depend on the elements of some inputs, and the numbers of these inputs.
BY_VALUES = {
    'BooleanMask': 'the mask',
    'ConstantFill': 'a shape',
    'FlexibleTopK': 'how many',
    'GatherRanges': 'the ranges',
    'LengthsGather': 'lengths and indices',
    'LengthsRangeFill': 'the lengths',
    'LengthsSplit': 'in how many parts',
    'LengthsTile': 'the lengths',
    'LengthsToSegmentIds': 'the lengths',
    'OneHot': 'how many columns',
    'PackRNNSequence': 'the lengths',
    'PackSegments': 'the lengths',
    'Range': 'begin, end and step',
    'Reshape': 'the shape',
    'ResizeNearest': 'the scales',
    'SegmentIdsToLengths': 'the segments',
    'SegmentOneHot': 'how many columns',
    'Slice': 'begins and ends',
    'Split': 'the sizes',
    'SplitByLengths': 'the lengths',
    'Tile': 'how often and along which axis',
    'TopK': 'how many',
    'UniformFill': 'the bounds',
    'UniformIntFill': 'the bounds',
    'UnpackRNNSequence': 'the lengths',
    'UnpackSegments': 'the lengths',
    'UpsampleBilinear': 'the scales',
}

NAMES = {data_type: name for name, data_type in DATA_TYPES.items()}


def random_array(shape, dtype=numpy.float32, seed=1, low=-1, high=1):
    """Returns the same numbers each time: floats from low to high, integers from 10 low to 10 high, random bools."""
    random = numpy.random.RandomState(seed)
    if dtype == bool:
        return random.uniform(size=shape) < 0.5
    if numpy.issubdtype(dtype, numpy.integer):
        low = 0 if numpy.issubdtype(dtype, numpy.unsignedinteger) else 10 * low
        return random.randint(low, 10 * high + 1, size=shape).astype(dtype)
    return random.uniform(low, high, size=shape).astype(dtype)


def new_tensor(array):
    """Returns a tensor with the elements of an array, which may be of strings (dtype object)."""
    array = numpy.asarray(array)
    tensor = C2g.Tensor.new_sized(list(array.shape), None)
    if array.dtype.kind in 'OSU':
        tensor.allocate(C2g.DataType.STRING)
        for i, text in enumerate(array.flat):
            tensor.set_element(i, text.decode() if isinstance(text, bytes) else text)
    else:
        tensor.allocate(DATA_TYPES[array.dtype.name])
        tensor.set_bytes(GLib.Bytes.new(numpy.ascontiguousarray(array).tobytes()))
    return tensor


def new_array(tensor):
    if tensor.get_data_type() == C2g.DataType.STRING:
        texts = [tensor.get_element(i) for i in range(tensor.get_n_elements())]
        return numpy.array(texts, dtype=object).reshape(tensor.get_dims())
    dtype = numpy.dtype(NAMES[tensor.get_data_type()])
    return numpy.frombuffer(tensor.dup_bytes().get_data() or b'', dtype=dtype).reshape(tensor.get_dims())


def set_argument(op, name, value):
    """Returns an argument from an integer, number or text, or a list of one of them."""
    if isinstance(value, (list, tuple)):
        if all(isinstance(item, int) for item in value):
            op.set_ints(name, value)
        elif all(isinstance(item, float) for item in value):
            op.set_floats(name, value)
        else:
            op.set_strings(name, value)
    elif isinstance(value, int):
        op.set_int(name, int(value))
    elif isinstance(value, float):
        op.set_float(name, value)
    else:
        op.set_string(name, value)


def new_op(op_type, inputs, outputs, engine=None, **arguments):
    op = C2g.OperatorDef.new(op_type)
    for name in inputs:
        op.add_input(name)
    for name in outputs:
        op.add_output(name)
    if engine is not None:
        op.set_engine(engine)
    for name, value in arguments.items():
        set_argument(op, name, value)
    return op


def new_workspace(names, arrays):
    workspace = C2g.Workspace.new()
    for name, array in zip(names, arrays):
        workspace.create_blob(name).set_object(new_tensor(array))
    return workspace


def get_shapes(workspace, names):
    """Returns the dimensions and types of tensors; None for other blobs."""
    blobs = [workspace.get_blob(name) for name in names]
    tensors = [blob.get_tensor() if blob.is_tensor(None) else None for blob in blobs]
    return [None if tensor is None else (tensor.get_dims(), tensor.get_data_type()) for tensor in tensors]


def infer(definition, arrays, with_data):
    """Returns the inferred shapes and types of the outputs, or the error of the inference."""
    workspace = new_workspace(definition.get_inputs(), arrays)
    if not with_data:
        for name in definition.get_inputs():
            workspace.get_blob(name).get_tensor().free_memory()
    try:
        op = C2g.Operator.create(definition, workspace)
        reporter = C2g.MemoryReporter.get_default()
        n_bytes = reporter.get_current_bytes(None)
        op.infer()
    except GLib.Error as error:
        return error
    assert with_data or reporter.get_current_bytes(None) == n_bytes, \
        f'{definition.get_op_type()} allocates memory to infer shapes'
    return get_shapes(workspace, definition.get_outputs())


def is_unknown(inferred):
    return isinstance(inferred, GLib.Error) and inferred.matches(C2g.Error.quark(), C2g.Error.NOT_SUPPORTED)


def check_inferred(definition, inferred, found):
    """Checks an inference against the result of the run, which is in `found`."""
    op_type = definition.get_op_type()
    if is_unknown(inferred) or (isinstance(found, GLib.Error) and not isinstance(inferred, GLib.Error)):
        return
    if isinstance(found, GLib.Error):
        # A run may read elements before it checks the shapes of other inputs.
        assert found.code in (inferred.code, C2g.Error.RANGE), f'{inferred.message} is not {found.message}'
    else:
        assert not isinstance(inferred, GLib.Error), f'{op_type} fails only to infer: {inferred}'
        assert inferred == found, f'{op_type} gives {found}, inferred {inferred}'


def check_inference(definition, arrays, found):
    """Compares the run with what was inferred from shapes alone, and from data for operators that need it."""
    op_type = definition.get_op_type()
    blind = infer(definition, arrays, False)
    seeing = infer(definition, arrays, True)
    check_inferred(definition, blind, found)
    check_inferred(definition, seeing, found)
    if isinstance(found, GLib.Error):
        return
    if is_unknown(seeing):
        assert op_type in ONLY_BY_RUN, f'{op_type} does not infer shapes: {seeing.message}'
    elif is_unknown(blind):
        assert op_type in BY_VALUES, f'{op_type} needs data to infer shapes: {blind.message}'


def get_arrays(workspace, names):
    return [new_array(workspace.get_blob(name).get_tensor()) for name in names]


def check_untouched(op, workspace, names):
    """Inference keeps the outputs of a run, and the next run computes the same."""
    shapes, before = get_shapes(workspace, names), get_arrays(workspace, names)
    try:
        op.infer()
    except GLib.Error:
        return
    for one, other in zip(before, get_arrays(workspace, names)):
        assert list(one.flat) == list(other.flat) if one.dtype == object else one.tobytes() == other.tobytes(), \
            f'{op.get_op_type()} changes elements to infer shapes'
    op.run()
    assert get_shapes(workspace, names) == shapes, f'{op.get_op_type()} changes its mind'


def check_run_after(definition, arrays, found):
    """A run after an inference gives the same shapes as a run without one."""
    names = definition.get_inputs()
    workspace = new_workspace(names, arrays)
    for name in names:
        workspace.get_blob(name).get_tensor().free_memory()
    op = C2g.Operator.create(definition, workspace)
    try:
        op.infer()
    except GLib.Error:
        return
    for name, array in zip(names, arrays):
        workspace.get_blob(name).set_object(new_tensor(array))
    op.run()
    shapes = get_shapes(workspace, definition.get_outputs())
    assert shapes == found, f'{op.get_op_type()} gives {shapes}, not {found}, where it inferred shapes before'


def check_inputs(definition, workspace, arrays):
    """Checks that blobs that are no outputs do not change."""
    for name, array in zip(definition.get_inputs(), arrays):
        if name not in definition.get_outputs():
            left, given = new_array(workspace.get_blob(name).get_tensor()), new_array(new_tensor(array))
            same = list(left.flat) == list(given.flat) if left.dtype == object else left.tobytes() == given.tobytes()
            assert same, f'{definition.get_op_type()} changes its {name}'


def run_definition(definition, arrays, n_runs):
    """Runs an operator and returns the arrays that it made. Their shapes must be those that were inferred."""
    outputs = definition.get_outputs()
    workspace = new_workspace(definition.get_inputs(), arrays)
    try:
        op = C2g.Operator.create(definition, workspace)
        for _ in range(n_runs):
            op.run()
    except GLib.Error as error:
        check_inference(definition, arrays, error)
        raise
    check_inputs(definition, workspace, arrays)
    made, shapes = get_arrays(workspace, outputs), get_shapes(workspace, outputs)
    check_inference(definition, arrays, shapes)
    check_run_after(definition, arrays, shapes)
    if not set(definition.get_inputs()) & set(outputs):
        check_untouched(op, workspace, outputs)
    return made


def run(op_type, inputs, n_outputs=1, in_place=None, engine=None, **arguments):
    """Runs an operator twice, as nets do, and returns the arrays that it made; the second time in place, if wanted.

    in_place is a dict from the number of an output to that of the input that it takes the place of.
    """
    input_names = [f'input_{i}' for i in range(len(inputs))]
    output_names = [f'output_{i}' for i in range(n_outputs)]
    for output, place in (in_place or {}).items():
        output_names[output] = input_names[place]
    definition = new_op(op_type, input_names, output_names, engine, **arguments)
    return run_definition(definition, inputs, 1 if in_place else 2)


class OpTestCase(unittest.TestCase):
    """Every case ends with as much memory in use as it began with."""

    def setUp(self):
        gc.collect()
        self.reporter = C2g.MemoryReporter.get_default()
        self.live_at_start = self.reporter.get_current_bytes(None)
        self.addCleanup(self.check_ledger)

    def check_ledger(self):
        gc.collect()
        self.assertEqual(self.reporter.get_current_bytes(None), self.live_at_start)

    def assertClose(self, found, expected, rtol=1e-4, atol=1e-5):
        expected = numpy.asarray(expected)
        self.assertEqual(found.shape, expected.shape)
        self.assertEqual(found.dtype, expected.dtype)
        if expected.dtype.kind == 'f':
            numpy.testing.assert_allclose(found, expected, rtol=rtol, atol=atol)
        else:
            numpy.testing.assert_array_equal(found, expected)

    def check(self, op_type, inputs, expected, rtol=1e-4, atol=1e-5, in_place=None, engine=None, **arguments):
        """Runs an operator and compares; `expected` is a list of arrays, with None for an output that does not matter."""
        found = run(op_type, inputs, len(expected), in_place, engine, **arguments)
        for one, other in zip(found, expected):
            if other is not None:
                self.assertClose(one, other, rtol, atol)

    def assertFails(self, code, op_type, inputs, n_outputs=1, **arguments):
        """Runs the operator, which must fail, and returns the message of its C2gError."""
        with self.assertRaises(GLib.Error) as caught:
            run(op_type, inputs, n_outputs, **arguments)
        error = caught.exception
        self.assertTrue(error.matches(C2g.Error.quark(), code),
                        f'{error.domain} {error.code} is not {code}: {error.message}')
        return error.message
