"""Collating, converting and pinning: every kind of sample, and every kind that cannot be."""

import collections
import types

import numpy as np
import pytest

COVERS = [
    "torch/utils/data/_utils/collate.py",
    "torch/utils/data/_utils/pin_memory.py",
    "torch/utils/data/_utils/worker.py",
]

Point = collections.namedtuple("Point", "x y")


class FrozenMapping(collections.abc.Mapping):
    """A mapping that can be made from a dict, and not be changed."""

    def __init__(self, items):
        self.items_ = dict(items)

    def __getitem__(self, key):
        return self.items_[key]

    def __iter__(self):
        return iter(self.items_)

    def __len__(self):
        return len(self.items_)


class StubbornMapping(FrozenMapping):
    """A mapping that cannot be made from a dict either."""

    def __init__(self, a, b):
        super().__init__({"a": a, "b": b})


class FrozenSequence(collections.abc.Sequence):
    def __init__(self, members):
        self.members = list(members)

    def __getitem__(self, index):
        return self.members[index]

    def __len__(self):
        return len(self.members)


class StubbornSequence(FrozenSequence):
    def __init__(self, a, b):
        super().__init__([a, b])


class NamedList(list):
    name = "kept"


class NamedDict(dict):
    name = "kept"


NUMPY_TYPES = ["uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool", "complex64"]


def opened(value):
    """What is in a batch, with the types of its containers."""
    if isinstance(value, FrozenMapping):
        return type(value).__name__, {key: opened(value[key]) for key in value}
    if isinstance(value, FrozenSequence):
        return type(value).__name__, [opened(member) for member in value]
    if isinstance(value, dict):
        return type(value).__name__, getattr(value, "name", None), {key: opened(value[key]) for key in value}
    if isinstance(value, (list, tuple)):
        return type(value).__name__, getattr(value, "name", None), [opened(member) for member in value]
    return value


NESTED = {
    "tuples": [(1, "a"), (2, "b")],
    "lists": [[1, 2.0], [3, 4.0]],
    "dicts": [{"x": 1, "y": "a"}, {"x": 2, "y": "b"}],
    "dicts with more keys in the later ones": [{"x": 1}, {"x": 2, "y": 3}],
    "ordered dicts": [collections.OrderedDict(b=1, a=2), collections.OrderedDict(b=3, a=4)],
    "default dicts": [collections.defaultdict(list, a=1), collections.defaultdict(list, a=2)],
    "counters": [collections.Counter("aab"), collections.Counter("abb")],
    "named dicts": [NamedDict(a=1), NamedDict(a=2)],
    "named lists": [NamedList([1, 2]), NamedList([3, 4])],
    "named tuples": [Point(1, 2.0), Point(3, 4.0)],
    "named tuples of tuples": [Point((1, 2), "a"), Point((3, 4), "b")],
    "frozen mappings": [FrozenMapping({"a": 1}), FrozenMapping({"a": 2})],
    "stubborn mappings": [StubbornMapping(1, 2), StubbornMapping(3, 4)],
    "proxies": [types.MappingProxyType({"a": 1}), types.MappingProxyType({"a": 2})],
    "frozen sequences": [FrozenSequence([1, 2]), FrozenSequence([3, 4])],
    "stubborn sequences": [StubbornSequence(1, 2), StubbornSequence(3, 4)],
    "ranges": [range(3), range(3, 6)],
    "deques": [collections.deque([1, 2]), collections.deque([3, 4])],
    "deep": [{"a": [(1, {"b": (2.5,)})]}, {"a": [(3, {"b": (4.5,)})]}],
    "empty tuples": [(), ()],
    "empty dicts": [{}, {}],
    "one sample": [(1, [2, "c"])],
    "generator of a tuple": ((1, "a"), (2, "b")),
}

LEAVES = {
    "ints": [1, 2, 3],
    "bools": [True, False],
    "ints and bools": [1, True],
    "floats": [1.5, 2.0, 0.1],
    "float first": [1.5, 2],
    "int first": [1, 2.5],
    "strings": ["a", "b"],
    "bytes": [b"a", b"b"],
    "numpy floats": [np.float32(1.5), np.float32(2.5)],
    "numpy doubles": [np.float64(1.5), np.float64(2.5)],
    "numpy ints": [np.int16(3), np.int16(4)],
    "numpy bools": [np.bool_(True), np.bool_(False)],
    "numpy strings": [np.str_("a"), np.str_("b")],
}


@pytest.mark.parametrize("name", LEAVES)
def test_leaves(oracle, name):
    oracle.same(lambda torch: torch.utils.data.default_collate(LEAVES[name]))


@pytest.mark.parametrize("name", NESTED)
def test_containers(oracle, name):
    oracle.same(lambda torch: opened(torch.utils.data.default_collate(NESTED[name])))


@pytest.mark.parametrize("dtype", NUMPY_TYPES)
@pytest.mark.parametrize("shape", [(), (3,), (2, 2), (0,)])
def test_arrays(oracle, dtype, shape):
    def case(torch):
        arrays = [np.ones(shape, dtype=dtype), np.zeros(shape, dtype=dtype)]
        return torch.utils.data.default_collate(arrays)

    oracle.same(case)


@pytest.mark.parametrize("dtype", NUMPY_TYPES)
def test_numpy_scalars(oracle, dtype):
    oracle.same(lambda torch: torch.utils.data.default_collate([np.dtype(dtype).type(1), np.dtype(dtype).type(0)]))


@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (0, 4)])
def test_tensors(oracle, shape):
    def case(torch):
        samples = [torch.zeros(shape), torch.ones(shape), torch.full(shape, 2.0)]
        batch = torch.utils.data.default_collate(samples)
        batch += 1
        return batch, samples, batch.is_contiguous()

    oracle.same(case)


def test_tensors_that_are_views(oracle):
    def case(torch):
        rows = torch.arange(12).view(3, 4)
        return torch.utils.data.default_collate([rows[0], rows[2]]), torch.utils.data.default_collate(list(rows.t()))

    oracle.same(case)


def test_a_batch_of_mixed_tensors_is_promoted(oracle):
    def case(torch):
        samples = [torch.tensor([1, 2]), torch.tensor([0.5, 1.5])]
        return torch.utils.data.default_collate(samples)

    oracle.same(case)


def test_arrays_are_copied_into_the_batch(oracle):
    def case(torch):
        array = np.zeros(2)
        batch = torch.utils.data.default_collate([array, array])
        array[0] = 5
        return batch

    oracle.same(case)


def test_memory_maps(oracle, tmp_path):
    def case(torch):
        array = np.memmap(tmp_path / "a", dtype="float32", mode="w+", shape=(2,))
        array[:] = [1, 2]
        return torch.utils.data.default_collate([array, array]), torch.utils.data.default_convert(array)

    oracle.same(case)


NOT_COLLATED = {
    "objects": [object(), object()],
    "none": [None, None],
    "sets": [{1}, {2}],
    "complex": [1j, 2j],
    "object arrays": [np.array([None]), np.array([None])],
    "string arrays": [np.array(["a"]), np.array(["b"])],
    "bytes arrays": [np.array([b"a"]), np.array([b"b"])],
    "types": [int, int],
    "in a dict": [{"a": None}, {"a": None}],
    "in a tuple": [(1, None), (2, None)],
    "in a list": [[None], [None]],
    "in a named tuple": [Point(None, 1), Point(None, 2)],
}


@pytest.mark.parametrize("name", NOT_COLLATED)
def test_what_cannot_be_collated(oracle, name):
    phrase = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
    oracle.same_error(lambda torch: torch.utils.data.default_collate(NOT_COLLATED[name]), phrase)


UNEQUAL = {
    "tuples": ([(1, 2), (1,)], "each element in list of batch should be of equal size"),
    "lists": ([[1], [1, 2]], "each element in list of batch should be of equal size"),
    "third of three": ([[1], [1], []], "each element in list of batch should be of equal size"),
    "named tuples with another": ([Point(1, 2), 3], ""),
    "a key that is missing": ([{"a": 1}, {"b": 1}], "a"),
    "a number among tuples": ([(1, 2), 3], "has no len()"),
    "strings among ints": ([1, "a"], ""),
    "array shapes": ([np.zeros(2), np.zeros(3)], "stack expects each tensor to be equal size"),
    "nothing at all": ([], "list index out of range"),
}


@pytest.mark.parametrize("name", UNEQUAL)
def test_samples_that_are_not_alike(oracle, name):
    samples, phrase = UNEQUAL[name]
    oracle.same_error(lambda torch: torch.utils.data.default_collate(samples), phrase)


def test_tensors_of_unequal_size(oracle):
    def case(torch):
        return torch.utils.data.default_collate([torch.zeros(2, 3), torch.zeros(2, 4)])

    oracle.same_error(
        case, "stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [2, 4] at entry 1"
    )


def test_the_map_can_be_extended(oracle):
    def case(torch):
        collate = torch.utils.data._utils.collate
        before = dict(collate.default_collate_fn_map)

        class Grams(float):
            pass

        def collate_sum(batch, *, collate_fn_map):
            return sum(batch)

        try:
            collate.default_collate_fn_map[Grams] = collate_sum
            by_type = torch.utils.data.default_collate([Grams(1), Grams(2)])
            collate.default_collate_fn_map[type(None)] = lambda batch, *, collate_fn_map: len(batch)
            nothing = torch.utils.data.default_collate([{"a": None}, {"a": None}])
        finally:
            collate.default_collate_fn_map.clear()
            collate.default_collate_fn_map.update(before)
        return by_type, nothing, torch.utils.data.default_collate([Grams(1), Grams(2)])

    oracle.same(case)


def test_the_order_of_the_map(oracle):
    def case(torch):
        keys = torch.utils.data._utils.collate.default_collate_fn_map
        names = []
        for key, function in keys.items():
            kinds = key if isinstance(key, tuple) else (key,)
            names.append(([kind.__name__ for kind in kinds], function.__name__))
        return names

    oracle.same(case)


def test_collate_with_a_map_of_ones_own(oracle):
    def case(torch):
        collate = torch.utils.data._utils.collate.collate
        functions = {
            (int, float): lambda batch, *, collate_fn_map: ("numbers", sum(batch)),
            str: lambda batch, *, collate_fn_map: "".join(batch),
        }
        return (
            collate([1, 2], collate_fn_map=functions),
            collate([True, False], collate_fn_map=functions),
            collate([("a", 1.5), ("b", 2.5)], collate_fn_map=functions),
        )

    oracle.same(case)
    oracle.same_error(lambda torch: torch.utils.data._utils.collate.collate([1, 2]), "found <class 'int'>")


def test_the_functions_by_name(oracle):
    def case(torch):
        collate = torch.utils.data._utils.collate
        return (
            collate.collate_tensor_fn([torch.zeros(2), torch.ones(2)]),
            collate.collate_numpy_array_fn([np.zeros(2)], collate_fn_map=collate.default_collate_fn_map),
            collate.collate_numpy_scalar_fn([np.float32(1)]),
            collate.collate_float_fn([1, 2]),
            collate.collate_int_fn([1, 2]),
            collate.collate_str_fn(["a"]),
        )

    oracle.same(case)


def test_collating_in_a_worker_says_that_it_is_not_there_yet(torch, monkeypatch):
    worker = torch.utils.data._utils.worker
    info = worker.WorkerInfo(id=0, num_workers=1, seed=0, dataset=None)
    monkeypatch.setattr(worker, "_worker_info", info)
    assert torch.utils.data.get_worker_info() is info
    with pytest.raises(NotImplementedError, match="not there yet"):
        torch.utils.data.default_collate([torch.zeros(1)])


def test_worker_info(oracle):
    def case(torch):
        info = torch.utils.data._utils.worker.WorkerInfo(1, 2, 3, "abc")
        return info.id, info.num_workers, info.seed, info.dataset, info.rng, info.worker_method

    def frozen(torch):
        info = torch.utils.data._utils.worker.WorkerInfo(id=1, num_workers=2, seed=3, dataset="abc")
        info.id = 5

    oracle.same(case)
    oracle.same(lambda torch: torch.utils.data.get_worker_info())
    oracle.same_error(frozen, "cannot assign to field 'id'")
    oracle.same_error(lambda torch: torch.utils.data._utils.worker.WorkerInfo(1))


# default_convert: one sample, as it is without auto-batching.

SAMPLES = {
    "number": 3,
    "string": "abc",
    "none": None,
    "array": np.array([1.0, 2.0]),
    "array of no dimension": np.array(3),
    "numpy scalar": np.float32(1.5),
    "numpy bool": np.bool_(True),
    "numpy string": np.str_("a"),
    "string array": np.array(["a"]),
    "object array": np.array([None, 1]),
    "tuple": (np.array([1]), 2, "a"),
    "named tuple": Point(np.array([1]), 2),
    "list": [np.array([1]), [np.array(2)]],
    "named list": NamedList([np.array([1])]),
    "dict": {"a": np.array([1]), "b": {"c": np.array(2)}},
    "default dict": collections.defaultdict(list, a=np.array([1])),
    "named dict": NamedDict(a=np.array([1])),
    "frozen mapping": FrozenMapping({"a": np.array([1])}),
    "stubborn mapping": StubbornMapping(np.array([1]), 2),
    "proxy": types.MappingProxyType({"a": np.array([1])}),
    "frozen sequence": FrozenSequence([np.array([1])]),
    "stubborn sequence": StubbornSequence(np.array([1]), 2),
    "range": range(3),
    "deque": collections.deque([np.array([1])]),
    "bytes": b"ab",
    "set": {1, 2},
}


@pytest.mark.parametrize("name", SAMPLES)
def test_convert(oracle, name):
    oracle.same(lambda torch: opened(torch.utils.data.default_convert(SAMPLES[name])))


def test_convert_shares_memory_and_leaves_the_sample_alone(oracle):
    def case(torch):
        array = np.zeros(2)
        sample = [array, {"a": array}]
        converted = torch.utils.data.default_convert(sample)
        array[0] = 7
        tensor = torch.zeros(1)
        return converted, type(sample[0]).__name__, torch.utils.data.default_convert(tensor) is tensor

    oracle.same(case)


# pin_memory: the same walk, asking what has a method of that name.


def test_pin_memory(oracle):
    def case(torch):
        pin = torch.utils.data._utils.pin_memory.pin_memory

        class Page:
            def __init__(self, number):
                self.number = number

            def pin_memory(self):
                return f"pinned {self.number}"

        batches = [
            Page(0),
            "text",
            b"bytes",
            5,
            None,
            (Page(1), 2),
            [Page(2), [Page(3)]],
            {"a": Page(4), "b": "x"},
            collections.OrderedDict(a=Page(5)),
            NamedDict(a=Page(6)),
            NamedList([Page(7)]),
            Point(Page(8), 1),
            FrozenMapping({"a": Page(9)}),
            StubbornMapping(Page(10), 2),
            FrozenSequence([Page(11)]),
            StubbornSequence(Page(12), 2),
            range(3),
            collections.deque([Page(13)]),
        ]
        return [opened(pin(batch, "cuda")) for batch in batches], [opened(pin(batch)) for batch in batches]

    oracle.same(case)
