"""Fetchers: from indices to collated samples (torch/utils/data/_utils/fetch.py)."""

import pytest

COVERS = ["torch/utils/data/_utils/fetch.py"]


def fetcher(torch, kind, dataset, auto_collation=True, drop_last=False, collate_fn=tuple):
    return torch.utils.data._DatasetKind.create_fetcher(kind, dataset, auto_collation, collate_fn, drop_last)


def test_kinds(oracle):
    def case(torch):
        kind = torch.utils.data._DatasetKind
        by_index = fetcher(torch, kind.Map, "abc")
        stream = fetcher(torch, kind.Iterable, "abc")
        return kind.Map, kind.Iterable, type(by_index).__name__, type(stream).__name__

    oracle.same(case)


def test_the_base_class_cannot_fetch(oracle):
    def case(torch):
        return torch.utils.data._utils.fetch._BaseDatasetFetcher([], True, list, False).fetch([0])

    oracle.same_error(case)


def test_map(oracle):
    def case(torch):
        many = fetcher(torch, 0, "abcde")
        one = fetcher(torch, 0, "abcde", auto_collation=False, collate_fn=str.upper)
        return many.fetch([3, 0]), many.fetch([]), one.fetch(2), fetcher(torch, 0, {"k": "v"}).fetch(["k"])

    oracle.same(case)


def test_map_errors_are_the_data_sets(oracle):
    oracle.same_error(lambda torch: fetcher(torch, 0, "abc").fetch([5]), "string index out of range")
    oracle.same_error(lambda torch: fetcher(torch, 0, {}).fetch(["k"]), "k")
    oracle.same_error(lambda torch: fetcher(torch, 0, "abc").fetch(0), "not iterable")


def test_map_asks_for_a_whole_batch(oracle):
    def case(torch):
        class Batched:
            def __getitem__(self, index):
                return index

            def __getitems__(self, indices):
                return [100 + index for index in indices]

        class Not(Batched):
            __getitems__ = None

        return (
            fetcher(torch, 0, Batched()).fetch([1, 2]),
            fetcher(torch, 0, Batched(), auto_collation=False, collate_fn=str).fetch(1),
            fetcher(torch, 0, Not()).fetch([1, 2]),
        )

    oracle.same(case)


@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("length", [0, 1, 2, 3, 5])
def test_stream(oracle, length, drop_last):
    def case(torch):
        stream = fetcher(torch, 1, range(length), drop_last=drop_last)
        batches = []
        for _ in range(4):
            try:
                batches.append(stream.fetch([None, None]))
            except StopIteration:
                batches.append("end")
        return batches, stream.ended

    oracle.same(case)


def test_stream_of_single_samples(oracle):
    def case(torch):
        stream = fetcher(torch, 1, "ab", auto_collation=False, collate_fn=str.upper)
        samples = [stream.fetch(None), stream.fetch(None)]
        try:
            stream.fetch(None)
        except StopIteration:
            samples.append("end")
        return samples, stream.ended

    oracle.same(case)


def test_a_stream_that_ended_inside_a_batch_is_not_asked_again(oracle):
    def case(torch):
        class Restarting:
            def __init__(self):
                self.asked = 0

            def __iter__(self):
                return self

            def __next__(self):
                self.asked += 1
                if self.asked % 3 == 0:
                    raise StopIteration
                return self.asked

        stream = fetcher(torch, 1, Restarting())
        first, second = stream.fetch([None] * 2), "end"
        try:
            stream.fetch([None] * 2)
        except StopIteration:
            pass
        try:
            second = stream.fetch([None] * 2)
        except StopIteration:
            pass
        return first, second, stream.dataset.asked

    oracle.same(case)
