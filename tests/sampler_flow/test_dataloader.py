"""DataLoader and its single-process iterator: orders, streams, attributes, warnings and every refusal."""

import gc
import os
import pickle
import warnings

import numpy as np
import pytest

COVERS = ["torch/utils/data/dataloader.py", "torch/utils/data/__init__.py", "torch/_utils.py"]

SEEDS = (0, 1, 5, 2**33 + 1)


def stream_of(torch, length, says=None):
    """An IterableDataset of `length` samples that claims to have `says`, if anything."""

    class Stream(torch.utils.data.IterableDataset):
        def __iter__(self):
            return iter(range(length))

    class Measured(Stream):
        def __len__(self):
            return says

    return Stream() if says is None else Measured()


# Orders.


# (batch_size, drop_last); None with True is refused, see below.
BATCHES = [(1, False), (1, True), (2, False), (2, True), (3, False), (3, True), (10, False), (10, True), (None, False)]


@pytest.mark.parametrize(("batch_size", "drop_last"), BATCHES)
@pytest.mark.parametrize("length", [0, 1, 3, 7])
def test_in_order(oracle, length, batch_size, drop_last):
    def case(torch):
        loader = torch.utils.data.DataLoader(range(length), batch_size=batch_size, drop_last=drop_last)
        return list(loader), list(loader), len(loader), len(iter(loader))

    oracle.same(case)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("own_generator", [False, True])
@pytest.mark.parametrize("shuffle", [False, True])
def test_the_position_in_the_random_stream(oracle, seed, drop_last, own_generator, shuffle):
    """What an epoch draws, and when: before iter(), at iter(), at the first batch and after the last."""

    def case(torch):
        torch.manual_seed(seed)
        generator = torch.Generator().manual_seed(seed + 1) if own_generator else None
        drawn = []

        def draw():
            drawn.append(torch.rand(1))
            if own_generator:
                drawn.append(torch.rand(1, generator=generator))

        loader = torch.utils.data.DataLoader(
            range(7), batch_size=3, shuffle=shuffle, drop_last=drop_last, generator=generator
        )
        draw()
        for _ in range(2):
            iterator = iter(loader)
            draw()
            batches = [next(iterator)]
            draw()
            batches += list(iterator)
            draw()
        return drawn, batches, iterator._base_seed

    oracle.same(case)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_abandoned_epoch(oracle, seed):
    def case(torch):
        torch.manual_seed(seed)
        loader = torch.utils.data.DataLoader(range(8), batch_size=2, shuffle=True)
        first = next(iter(loader))
        return first, list(loader), torch.rand(1)

    oracle.same(case)


def test_two_epochs_at_once(oracle):
    def case(torch):
        torch.manual_seed(0)
        loader = torch.utils.data.DataLoader(range(6), batch_size=2, shuffle=True)
        return [(a.tolist(), b.tolist()) for a, b in zip(loader, loader, strict=True)]

    oracle.same(case)


@pytest.mark.parametrize("seed", SEEDS)
def test_samplers(oracle, seed):
    def case(torch):
        torch.manual_seed(seed)
        D = torch.utils.data
        samplers = [
            [4, 2, 2, 0],
            D.SequentialSampler(range(3)),
            D.SubsetRandomSampler([5, 6, 7]),
            D.RandomSampler(range(8), replacement=True, num_samples=40),
            D.WeightedRandomSampler([1.0, 0.0, 2.0, 3.0], 9),
            D.WeightedRandomSampler([1.0, 0.5, 2.0, 3.0], 4, replacement=False),
        ]
        epochs = []
        for sampler in samplers:
            loader = D.DataLoader(range(8), batch_size=3, sampler=sampler)
            epochs.append((list(loader), len(loader), loader.sampler is sampler, torch.rand(1)))
        return epochs

    oracle.same(case)


def test_keys_that_are_no_numbers(oracle):
    def case(torch):
        D = torch.utils.data
        prices = {"tea": 1.5, "milk": 0.5, "salt": 2.0}
        return list(D.DataLoader(prices, sampler=["tea", "salt"])), list(D.DataLoader(prices, None, sampler=prices))

    oracle.same(case)


def test_a_sampler_that_is_spent(oracle):
    def case(torch):
        loader = torch.utils.data.DataLoader("abcd", sampler=iter([3, 1]), batch_size=1)
        return list(loader), list(loader)

    oracle.same(case)


def test_batch_samplers(oracle):
    def case(torch):
        D = torch.utils.data
        lists = D.DataLoader("abcd", batch_sampler=[[0, 1], [3], [2, 2, 2]])
        sampler = D.DataLoader(range(9), batch_sampler=D.BatchSampler(range(1, 8), 3, True))
        return (
            (list(lists), len(lists), lists.batch_size, lists.drop_last, type(lists.sampler).__name__),
            (list(sampler), list(sampler), len(sampler)),
        )

    oracle.same(case)


def test_whole_batches_without_auto_batching(oracle):
    """A BatchSampler as `sampler`, with batch_size=None: the dataset is given the whole list."""

    def case(torch):
        D = torch.utils.data
        rows = D.TensorDataset(torch.arange(10).view(5, 2))
        loader = D.DataLoader(rows, batch_size=None, sampler=D.BatchSampler(D.SequentialSampler(rows), 2, False))
        return list(loader), len(loader)

    oracle.same(case)


def test_without_auto_batching(oracle):
    def case(torch):
        D = torch.utils.data
        torch.manual_seed(4)
        samples = [np.arange(2), "a", {"x": np.float32(2)}, 5]
        return (
            list(D.DataLoader(samples, batch_size=None)),
            list(D.DataLoader(samples[3:] * 4, batch_size=None, shuffle=True)),
            list(D.DataLoader(stream_of(torch, 3), batch_size=None)),
            list(D.DataLoader(samples, batch_size=None, collate_fn=str)),
        )

    oracle.same(case)


def test_collate_fn(oracle):
    def case(torch):
        def collate_fn(samples):
            return "".join(samples)

        loader = torch.utils.data.DataLoader("abcde", batch_size=2, collate_fn=collate_fn)
        return list(loader), loader.collate_fn is collate_fn

    oracle.same(case)


def test_getitems(oracle):
    def case(torch):
        asked = []

        class Batched(torch.utils.data.Dataset):
            def __len__(self):
                return 5

            def __getitem__(self, index):
                asked.append(index)
                return index

            def __getitems__(self, indices):
                asked.append(indices)
                return [10 * index for index in indices]

        D = torch.utils.data
        return list(D.DataLoader(Batched(), batch_size=2)), list(D.DataLoader(Batched(), batch_size=None)), asked

    oracle.same(case)


def test_rows_of_tensors(oracle):
    def case(torch):
        torch.manual_seed(1)
        rows = torch.utils.data.TensorDataset(torch.arange(14.0).view(7, 2), torch.arange(7))
        return list(torch.utils.data.DataLoader(rows, batch_size=3, shuffle=True))

    oracle.same(case)


def test_a_tensor_is_a_data_set_too(oracle):
    oracle.same(lambda torch: list(torch.utils.data.DataLoader(torch.arange(7), batch_size=3, drop_last=True)))


def test_parts_of_data_sets(oracle):
    def case(torch):
        D = torch.utils.data
        generator = torch.Generator().manual_seed(0)
        train, test = D.random_split(range(10), [0.7, 0.3], generator=generator)
        both = D.ConcatDataset([test, train])
        stacked = D.StackDataset(x=train, y=D.Subset("abcdefghij", train.indices))
        chained = D.ChainDataset([stream_of(torch, 2), stream_of(torch, 3)])
        return (
            list(D.DataLoader(train, batch_size=3, shuffle=True, generator=generator)),
            list(D.DataLoader(both, batch_size=4)),
            list(D.DataLoader(stacked, batch_size=4)),
            list(D.DataLoader(chained, batch_size=2)),
        )

    oracle.same(case)


# Streams.


@pytest.mark.parametrize(("batch_size", "drop_last"), BATCHES)
@pytest.mark.parametrize("length", [0, 1, 4, 5])
def test_streams(oracle, length, batch_size, drop_last):
    def case(torch):
        torch.manual_seed(0)
        loader = torch.utils.data.DataLoader(stream_of(torch, length), batch_size=batch_size, drop_last=drop_last)
        return list(loader), list(loader), torch.rand(1), type(loader.sampler).__name__

    oracle.same(case)


@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("batch_size", [1, 2, 3])
def test_the_length_of_a_stream(oracle, batch_size, drop_last):
    def case(torch):
        loader = torch.utils.data.DataLoader(stream_of(torch, 7, says=7), batch_size=batch_size, drop_last=drop_last)
        before = loader._IterableDataset_len_called
        length = len(loader)
        single = torch.utils.data.DataLoader(stream_of(torch, 7, says=5), batch_size=None)
        return before, length, loader._IterableDataset_len_called, len(list(loader)), len(single)

    oracle.same(case)


def test_a_stream_without_a_length(oracle):
    oracle.same_error(lambda torch: len(torch.utils.data.DataLoader(stream_of(torch, 3))), "has no len()")


def test_a_stream_that_is_longer_than_it_says(oracle):
    def asked(torch):
        loader = torch.utils.data.DataLoader(stream_of(torch, 5, says=3), batch_size=1)
        len(loader)
        list(loader)

    oracle.same_warnings(asked, "was reported to be 3")
    oracle.same_warnings(asked, "(when accessing len(dataloader)), but 5 samples have been fetched")

    def no_warning(torch):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            unasked = torch.utils.data.DataLoader(stream_of(torch, 5, says=3), batch_size=1)
            list(unasked)
            in_batches = torch.utils.data.DataLoader(stream_of(torch, 5, says=3), batch_size=2)
            len(in_batches)
            list(in_batches)
            begun = torch.utils.data.DataLoader(stream_of(torch, 5, says=3), batch_size=1)
            iterator = iter(begun)
            len(begun)
            list(iterator)
        return len(caught)

    assert oracle.same(no_warning) == 0


def test_a_stream_is_read_once_an_epoch(oracle):
    def case(torch):
        class Once(torch.utils.data.IterableDataset):
            def __init__(self):
                self.started = 0
                self.left = iter(range(5))

            def __iter__(self):
                self.started += 1
                return self.left

        data = Once()
        loader = torch.utils.data.DataLoader(data, batch_size=2)
        first = iter(loader)
        started = data.started
        return list(first), list(loader), started, data.started

    oracle.same(case)


# How an epoch ends.


def test_after_the_end(oracle):
    def case(torch):
        ends = []
        for data in (range(2), stream_of(torch, 2)):
            iterator = iter(torch.utils.data.DataLoader(data, batch_size=2))
            next(iterator)
            for _ in range(3):
                try:
                    ends.append(next(iterator))
                except StopIteration:
                    ends.append("end")
            ends.append(iterator._num_yielded)
        return ends

    oracle.same(case)


def test_an_error_in_a_sample_does_not_end_the_epoch(oracle):
    def case(torch):
        class Torn:
            def __len__(self):
                return 4

            def __getitem__(self, index):
                if index == 1:
                    raise ValueError("torn page")
                return index

        iterator = iter(torch.utils.data.DataLoader(Torn(), batch_size=1))
        seen = []
        while True:
            try:
                seen.append(next(iterator))
            except ValueError as error:
                seen.append(str(error))
            except StopIteration:
                return seen

    oracle.same(case)


def test_an_index_error_is_no_end(oracle):
    oracle.same_error(
        lambda torch: list(torch.utils.data.DataLoader([1, 2], sampler=[0, 1, 2], batch_size=1)),
        "list index out of range",
    )


def test_a_stop_iteration_from_a_sample_ends_the_epoch(oracle):
    def case(torch):
        class Short:
            def __len__(self):
                return 5

            def __getitem__(self, index):
                if index == 2:
                    raise StopIteration
                return index

        return list(torch.utils.data.DataLoader(Short(), batch_size=1))

    oracle.same(case)


# Attributes.


def test_what_the_constructor_settles(oracle):
    def case(torch):
        D = torch.utils.data
        rows = []
        for data, arguments in (
            (range(4), {}),
            (range(4), dict(shuffle=True)),
            (range(4), dict(shuffle=False, batch_size=3, drop_last=True)),
            (range(4), dict(batch_size=None)),
            (range(4), dict(batch_size=None, shuffle=True)),
            (range(4), dict(sampler=[1, 2])),
            (range(4), dict(batch_sampler=[[1, 2]])),
            (range(4), dict(batch_sampler=[[1, 2]], shuffle=False)),
            (range(4), dict(num_workers=2)),
            (range(4), dict(num_workers=1, prefetch_factor=5, persistent_workers=True, in_order=False, timeout=3)),
            (stream_of(torch, 3), {}),
            (stream_of(torch, 3), dict(shuffle=False, batch_size=None)),
        ):
            loader = D.DataLoader(data, **arguments)
            rows.append(
                (
                    loader._dataset_kind,
                    type(loader.sampler).__name__,
                    type(loader.batch_sampler).__name__,
                    loader._auto_collation,
                    type(loader._index_sampler).__name__,
                    loader.collate_fn.__name__,
                    (loader.batch_size, loader.drop_last, loader.num_workers, loader.prefetch_factor),
                    (loader.pin_memory, loader.pin_memory_device, loader.timeout, loader.worker_init_fn),
                    (loader.multiprocessing_context, loader.generator, loader.persistent_workers, loader.in_order),
                    (loader._iterator, loader._IterableDataset_len_called),
                    sorted(vars(loader)),
                )
            )
        return rows

    oracle.same(case)


def test_the_generator_goes_to_the_sampler(oracle):
    def case(torch):
        generator = torch.Generator()
        loader = torch.utils.data.DataLoader(range(3), shuffle=True, generator=generator)
        return loader.sampler.generator is generator, loader.generator is generator

    oracle.same(case)


def test_what_the_iterator_keeps(oracle):
    def case(torch):
        loader = torch.utils.data.DataLoader(range(3), batch_size=2)
        iterator = iter(loader)
        next(iterator)
        return (
            iter(iterator) is iterator,
            len(iterator),
            (iterator._dataset is loader.dataset, iterator._dataset_kind, iterator._IterableDataset_len_called),
            (iterator._auto_collation, iterator._drop_last, iterator._index_sampler is loader.batch_sampler),
            (iterator._num_workers, iterator._world_size, iterator._rank, iterator._pin_memory),
            (iterator._pin_memory_device, iterator._timeout, iterator._collate_fn is loader.collate_fn),
            (iterator._persistent_workers, iterator._num_yielded, iterator._profile_name),
            type(iterator._dataset_fetcher).__name__,
        )

    oracle.same(case)


def test_iterators_are_new_for_each_epoch(oracle):
    def case(torch):
        loader = torch.utils.data.DataLoader(range(3))
        return iter(loader) is iter(loader), loader._iterator

    oracle.same(case)


def test_reset(oracle):
    def case(torch):
        loader = torch.utils.data.DataLoader(range(4), batch_size=2)
        iterator = iter(loader)
        before = list(iterator), iterator._num_yielded
        iterator._reset(loader)
        return before, iterator._num_yielded, list(iterator)

    oracle.same(case)


GUARDED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")


@pytest.mark.parametrize("name", GUARDED)
def test_settings_that_cannot_be_changed(oracle, name):
    def case(torch):
        setattr(torch.utils.data.DataLoader(range(3)), name, None)

    def subclass(torch):
        class Mine(torch.utils.data.DataLoader):
            pass

        setattr(Mine(range(3)), name, None)

    oracle.same_error(case, f"{name} attribute should not be set after DataLoader is initialized")
    oracle.same_error(subclass, f"{name} attribute should not be set after Mine is initialized")


def test_settings_that_can_be_changed(oracle):
    def case(torch):
        loader = torch.utils.data.DataLoader(range(3))
        loader.collate_fn = tuple
        loader.generator = torch.Generator().manual_seed(3)
        loader.note = "mine"
        loader.num_workers = 0
        loader.timeout = 0
        return list(loader), loader.note

    oracle.same(case)


def test_iterators_cannot_be_pickled(oracle):
    oracle.same_error(lambda torch: pickle.dumps(iter(torch.utils.data.DataLoader([1, 2]))), "cannot be pickled")


def test_the_base_iterator_has_no_data(oracle):
    def case(torch):
        base = torch.utils.data.dataloader._BaseDataLoaderIter(torch.utils.data.DataLoader([1, 2]))
        return next(base)

    oracle.same_error(case)


# Refusals, in the order in which the constructor comes to them.

REFUSED = [
    (dict(num_workers=-1), "num_workers option should be non-negative"),
    (dict(num_workers=-1, timeout=-1), "num_workers option should be non-negative"),
    (dict(timeout=-1), "timeout option should be non-negative"),
    (dict(timeout=-1, prefetch_factor=2), "timeout option should be non-negative"),
    (dict(prefetch_factor=2), "prefetch_factor option could only be specified in multiprocessing"),
    (dict(prefetch_factor=0), "prefetch_factor option could only be specified in multiprocessing"),
    (dict(prefetch_factor=2, persistent_workers=True), "prefetch_factor option could only be specified"),
    (dict(num_workers=1, prefetch_factor=-1), "prefetch_factor option should be non-negative"),
    (dict(persistent_workers=True), "persistent_workers option needs num_workers > 0"),
    (dict(persistent_workers=True, multiprocessing_context="fork"), "persistent_workers option needs num_workers > 0"),
    (dict(multiprocessing_context="fork"), "multiprocessing_context can only be used with multi-process loading"),
    (dict(multiprocessing_context="x", shuffle=True, sampler=[0]), "multiprocessing_context can only be used"),
    (dict(num_workers=1, multiprocessing_context="threads"), "should specify a valid start method in"),
    (dict(num_workers=1, multiprocessing_context=3), "should be a valid context object or a string specifying"),
    (dict(shuffle=True, sampler=[0, 1]), "sampler option is mutually exclusive with shuffle"),
    (dict(shuffle=True, sampler=[0], batch_sampler=[[0]]), "sampler option is mutually exclusive with shuffle"),
    (dict(batch_sampler=[[0]], batch_size=2), "batch_sampler option is mutually exclusive with batch_size, shuffle, "),
    (dict(batch_sampler=[[0]], batch_size=None), "batch_sampler option is mutually exclusive with batch_size"),
    (dict(batch_sampler=[[0]], shuffle=True), "batch_sampler option is mutually exclusive with batch_size"),
    (dict(batch_sampler=[[0]], sampler=[0]), "batch_sampler option is mutually exclusive with batch_size"),
    (dict(batch_sampler=[[0]], drop_last=True), "sampler, and drop_last"),
    (dict(batch_size=None, drop_last=True), "batch_size=None option disables auto-batching and is mutually exclusive"),
    (dict(batch_size=0), "batch_size should be a positive integer value, but got batch_size=0"),
    (dict(batch_size=-1), "batch_size should be a positive integer value, but got batch_size=-1"),
    (dict(batch_size=2.0), "batch_size should be a positive integer value, but got batch_size=2.0"),
    (dict(batch_size=True), "batch_size should be a positive integer value, but got batch_size=True"),
    (dict(drop_last=1), "drop_last should be a boolean value, but got drop_last=1"),
    (dict(num_workers="2"), "not supported between instances of 'str' and 'int'"),
    (dict(num_workers=None), "not supported between instances of 'NoneType' and 'int'"),
    (dict(unknown=1), "unexpected keyword argument 'unknown'"),
]


@pytest.mark.parametrize(("arguments", "phrase"), REFUSED)
def test_refused(oracle, arguments, phrase):
    oracle.same_error(lambda torch: torch.utils.data.DataLoader(range(4), **arguments), phrase)


STREAM_REFUSED = [
    (dict(shuffle=True), "DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle=True"),
    (dict(shuffle="yes"), "DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle=yes"),
    (dict(shuffle=True, sampler=[0]), "expected unspecified shuffle option"),
    (dict(sampler=[0]), "DataLoader with IterableDataset: expected unspecified sampler option, but got sampler=[0]"),
    (dict(sampler=[0], batch_sampler=[[0]]), "expected unspecified sampler option"),
    (dict(batch_sampler=[[0]]), "expected unspecified batch_sampler option, but got batch_sampler=[[0]]"),
    (dict(batch_size=None, drop_last=True), "batch_size=None option disables auto-batching"),
    (dict(batch_size=0), "batch_size should be a positive integer value"),
    (dict(persistent_workers=True, shuffle=True), "persistent_workers option needs num_workers > 0"),
]


@pytest.mark.parametrize(("arguments", "phrase"), STREAM_REFUSED)
def test_refused_for_a_stream(oracle, arguments, phrase):
    oracle.same_error(lambda torch: torch.utils.data.DataLoader(stream_of(torch, 3), **arguments), phrase)


def test_refused_data(oracle):
    phrase = "num_samples should be a positive integer value, but got num_samples=0"
    oracle.same_error(lambda torch: torch.utils.data.DataLoader([], shuffle=True), phrase)
    oracle.same_error(lambda torch: torch.utils.data.DataLoader(iter([1]), shuffle=True), "has no len()")
    oracle.same_error(lambda torch: list(torch.utils.data.DataLoader(iter([1]))), "has no len()")
    oracle.same_error(lambda torch: len(torch.utils.data.DataLoader(5)), "has no len()")
    oracle.same_error(lambda torch: list(torch.utils.data.DataLoader({1, 2})), "not subscriptable")
    oracle.same_error(lambda torch: list(torch.utils.data.DataLoader(range(3), sampler=5)), "not iterable")
    oracle.same_error(lambda torch: len(torch.utils.data.DataLoader(range(3), sampler=iter([1]))), "has no len()")


def test_positions_of_the_arguments(oracle):
    def case(torch):
        loader = torch.utils.data.DataLoader(
            range(5), 2, None, [4, 3, 2], None, 0, tuple, False, True, 0, None, None, None
        )
        return list(loader), loader.drop_last

    oracle.same(case)
    oracle.same_error(
        lambda torch: torch.utils.data.DataLoader(
            range(5), 2, None, None, None, 0, None, False, False, 0, None, None, None, 2
        ),
        "positional argument",
    )


def test_a_timeout_needs_workers(oracle):
    oracle.same_error(lambda torch: iter(torch.utils.data.DataLoader([1], timeout=1)), "requires timeout == 0")


def test_a_context_for_workers(oracle):
    def case(torch):
        import multiprocessing

        by_name = torch.utils.data.DataLoader([1], num_workers=1, multiprocessing_context="spawn")
        context = multiprocessing.get_context("fork")
        by_object = torch.utils.data.DataLoader([1], num_workers=1, multiprocessing_context=context)
        by_object.multiprocessing_context = None
        return by_name.multiprocessing_context.get_start_method(), by_object.multiprocessing_context

    oracle.same(case)


# Warnings.


def test_more_workers_than_cpus(oracle):
    many = 100_000

    def case(torch):
        torch.utils.data.DataLoader([1], num_workers=many)

    oracle.same_warnings(
        case, f"This DataLoader will create {many} worker processes in total. Our suggested max number"
    )


def test_the_number_of_cpus_is_this_processs_share(torch):
    assert torch._utils.cpu_count() == len(os.sched_getaffinity(0))


def test_where_the_number_of_cpus_is_unknown(torch, monkeypatch):
    monkeypatch.setattr(torch._utils, "cpu_count", lambda: None)
    with pytest.warns(UserWarning, match="not able to compute a suggested max number of worker"):
        torch.utils.data.DataLoader([1], num_workers=1)


def test_cpus_where_the_system_keeps_no_share(torch, monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert torch._utils.cpu_count() == 3
    with pytest.warns(UserWarning, match="`cpuset` is not taken into account"):
        torch.utils.data.DataLoader([1], num_workers=4)


@pytest.mark.skipif("config.getoption('--device') == 'cuda'", reason="there is an accelerator")
def test_pinning_without_an_accelerator(oracle):
    def pinned(torch):
        list(torch.utils.data.DataLoader([1, 2], pin_memory=True))

    def with_a_device(torch):
        list(torch.utils.data.DataLoader([1, 2], pin_memory=True, pin_memory_device="cuda"))

    oracle.same_warnings(pinned, "'pin_memory' argument is set as true but no accelerator is found")
    oracle.same_warnings(with_a_device, "pin_memory_device is deprecated, the current accelerator will be used")
    oracle.same(lambda torch: (torch.accelerator.is_available(), torch.accelerator.current_accelerator()))


def test_pinning_with_one(torch, monkeypatch):
    class Page:
        def pin_memory(self):
            return "pinned"

    monkeypatch.setattr(torch.accelerator, "is_available", lambda: True)
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("cuda"))
    iterator = iter(torch.utils.data.DataLoader([Page()], batch_size=None, pin_memory=True))
    assert iterator._pin_memory is True
    assert iterator._pin_memory_device == "cuda"
    assert list(iterator) == ["pinned"]


# Worker processes: not there yet.


def test_workers_are_not_there_yet(torch):
    loader = torch.utils.data.DataLoader(range(4), num_workers=1)
    assert len(loader) == 4
    with pytest.raises(NotImplementedError, match="not there yet, but got num_workers=1"):
        iter(loader)
    persistent = torch.utils.data.DataLoader(range(4), num_workers=1, persistent_workers=True)
    with pytest.raises(NotImplementedError, match="not there yet"):
        iter(persistent)


# Upstream's iterator, cut short in its constructor, complains once more when it is deleted.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_no_prefetching_workers(oracle):
    def case(torch):
        iter(torch.utils.data.DataLoader(range(4), num_workers=1, prefetch_factor=0))

    oracle.same_error(case, "prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter")
    gc.collect()


def test_a_kept_iterator_is_set_back(torch, monkeypatch):
    """The second way out of __iter__: with workers that outlive the epoch there is one iterator."""

    class Kept(torch.utils.data.dataloader._SingleProcessDataLoaderIter):
        def __init__(self, loader):
            monkeypatch.setattr(loader, "num_workers", 0)
            super().__init__(loader)
            monkeypatch.setattr(loader, "num_workers", 1)

    monkeypatch.setattr(torch.utils.data.dataloader, "_MultiProcessingDataLoaderIter", Kept)
    loader = torch.utils.data.DataLoader(range(3), num_workers=1, persistent_workers=True)
    first = iter(loader)
    assert [batch.item() for batch in first] == [0, 1, 2]
    assert iter(loader) is first
    assert [batch.item() for batch in first] == [0, 1, 2]


def test_the_names_of_the_package(torch):
    D = torch.utils.data
    assert all(hasattr(D, name) for name in D.__all__)
    assert sorted(D.__all__) == D.__all__
    assert D.dataloader.default_collate is D.default_collate
    assert D.dataloader.get_worker_info is D._utils.worker.get_worker_info
