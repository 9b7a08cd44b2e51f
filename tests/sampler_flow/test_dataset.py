"""Data sets and what wraps them: samples, lengths and errors of torch/utils/data/dataset.py."""

import pytest

COVERS = ["torch/utils/data/dataset.py"]


def test_the_base_class(oracle):
    oracle.same_error(lambda torch: torch.utils.data.Dataset()[0], "Subclasses of Dataset should implement __getitem__")
    oracle.same_error(lambda torch: len(torch.utils.data.Dataset()), "has no len()")
    oracle.same(lambda torch: hasattr(torch.utils.data.Dataset, "__getitems__"))


def test_an_iterable_without_iter(oracle):
    oracle.same_error(lambda torch: torch.utils.data.IterableDataset(), "abstract")


def test_generic_in_the_type_of_its_samples(oracle):
    def case(torch):
        class Words(torch.utils.data.Dataset[str]):
            def __getitem__(self, index):
                return "ab"[index]

        class Stream(torch.utils.data.IterableDataset[str]):
            def __iter__(self):
                return iter("ab")

        return Words()[1], list(Stream()), isinstance(Stream(), torch.utils.data.Dataset)

    oracle.same(case)


def test_sums(oracle):
    def case(torch):
        D = torch.utils.data

        class Stream(D.IterableDataset):
            def __iter__(self):
                return iter([1, 2])

        rows = D.TensorDataset(torch.arange(2)) + D.TensorDataset(torch.arange(3))
        streams = Stream() + Stream()
        return type(rows).__name__, [tuple(rows[i]) for i in range(len(rows))], type(streams).__name__, list(streams)

    oracle.same(case)


def test_tensor_rows(oracle):
    def case(torch):
        data = torch.utils.data.TensorDataset(torch.arange(12.0).view(3, 4), torch.tensor([7, 8, 9]))
        return len(data), data[0], data[-1], data[1:], data[[2, 0]], data[torch.tensor(1)]

    oracle.same(case)


def test_tensor_rows_share_memory(oracle):
    def case(torch):
        rows = torch.zeros(3, 2)
        data = torch.utils.data.TensorDataset(rows)
        data[1][0][0] = 5.0
        return rows, data.tensors[0] is rows

    oracle.same(case)


def test_tensor_errors(oracle):
    def mismatch(torch):
        return torch.utils.data.TensorDataset(torch.zeros(3), torch.zeros(3), torch.zeros(2))

    oracle.same_error(mismatch, "Size mismatch between tensors")
    oracle.same_error(lambda torch: torch.utils.data.TensorDataset(torch.zeros(3))[3])
    oracle.same(lambda torch: torch.utils.data.TensorDataset().tensors)
    oracle.same_error(lambda torch: len(torch.utils.data.TensorDataset()))
    oracle.same_error(lambda torch: torch.utils.data.TensorDataset([1, 2]))


def test_stacked_by_position_and_by_name(oracle):
    def case(torch):
        D = torch.utils.data
        by_position = D.StackDataset("abc", [1, 2, 3])
        by_name = D.StackDataset(letter="abc", number=[1, 2, 3])
        return (
            [by_position[i] for i in range(3)],
            [by_name[i] for i in range(3)],
            len(by_position),
            by_position.__getitems__([2, 0]),
            by_name.__getitems__([2, 0]),
            by_name.__getitems__([]),
        )

    oracle.same(case)


def test_stacked_asks_for_whole_batches_where_it_can(oracle):
    def case(torch):
        D = torch.utils.data
        asked = []

        class Batched(D.Dataset):
            def __len__(self):
                return 5

            def __getitem__(self, index):
                asked.append(index)
                return index

            def __getitems__(self, indices):
                asked.append(list(indices))
                return [10 * index for index in indices]

        mixed = D.StackDataset(Batched(), "abcde")
        named = D.StackDataset(x=D.Subset(Batched(), [4, 3, 2, 1, 0]), y="abcde")
        return mixed.__getitems__([1, 3]), named.__getitems__([0, 1]), named[0], asked

    oracle.same(case)


def test_stacked_errors(oracle):
    def case_of(make):
        return lambda torch: make(torch.utils.data.StackDataset)

    oracle.same_error(case_of(lambda S: S()), "At least one dataset should be passed")
    oracle.same_error(case_of(lambda S: S("ab", x="ab")), "Supported either")
    oracle.same_error(case_of(lambda S: S("ab", "abc")), "Size mismatch between datasets")
    oracle.same_error(case_of(lambda S: S(x="ab", y="abc")), "Size mismatch between datasets")
    oracle.same_error(case_of(lambda S: S("ab", iter("ab"))), "has no len()")


@pytest.mark.parametrize("named", [False, True])
def test_stacked_over_a_batch_of_the_wrong_size(oracle, named):
    def case(torch):
        D = torch.utils.data

        class Short(D.Dataset):
            def __len__(self):
                return 3

            def __getitems__(self, indices):
                return [0]

        stacked = D.StackDataset(x=Short()) if named else D.StackDataset(Short())
        return stacked.__getitems__([0, 1])

    oracle.same_error(case, "Nested dataset's output size mismatch. Expected 2, got 1")


def test_concatenated(oracle):
    def case(torch):
        D = torch.utils.data
        both = D.ConcatDataset(["ab", [], "cde"])
        nested = D.ConcatDataset([both, "f"])
        return (
            [both[i] for i in range(-5, 5)],
            both.cumulative_sizes,
            len(both),
            [nested[i] for i in range(6)],
            D.ConcatDataset.cumsum(["a", "bc", ""]),
            D.ConcatDataset(iter(["ab"]))[1],
        )

    oracle.same(case)


@pytest.mark.parametrize("index", [-6, -7, 5, 6])
def test_concatenated_index_errors(oracle, index):
    oracle.same_error(lambda torch: torch.utils.data.ConcatDataset(["ab", "cde"])[index])


def test_concatenated_errors(oracle):
    def stream(torch):
        class Stream(torch.utils.data.IterableDataset):
            def __iter__(self):
                return iter([1])

        return torch.utils.data.ConcatDataset(["ab", Stream()])

    oracle.same_error(stream, "ConcatDataset does not support IterableDataset")
    oracle.same_error(lambda torch: torch.utils.data.ConcatDataset([]), "datasets should not be an empty iterable")
    oracle.same_error(lambda torch: torch.utils.data.ConcatDataset([iter("ab")]), "has no len()")


def test_chained(oracle):
    def case(torch):
        class Stream(torch.utils.data.IterableDataset):
            def __init__(self, length):
                self.length = length

            def __iter__(self):
                return iter(range(self.length))

            def __len__(self):
                return self.length

        chained = torch.utils.data.ChainDataset([Stream(2), Stream(0), Stream(3)])
        return list(chained), list(chained), len(chained), list(torch.utils.data.ChainDataset([]))

    oracle.same(case)


def test_chained_errors(oracle):
    phrase = "ChainDataset only supports IterableDataset"
    oracle.same_error(lambda torch: list(torch.utils.data.ChainDataset([[1, 2]])), phrase)
    oracle.same_error(lambda torch: len(torch.utils.data.ChainDataset([[1, 2]])), phrase)
    oracle.same(lambda torch: torch.utils.data.ChainDataset([[1, 2]]).datasets)

    def without_length(torch):
        class Stream(torch.utils.data.IterableDataset):
            def __iter__(self):
                return iter([1])

        return len(torch.utils.data.ChainDataset([Stream()]))

    oracle.same_error(without_length, "has no len()")


def test_subset(oracle):
    def case(torch):
        D = torch.utils.data
        part = D.Subset("abcdef", [5, 0, 0, 3])
        rows = D.Subset(D.TensorDataset(torch.arange(6) * 10), [4, 1, 2])
        return list(part), len(part), part.__getitems__([3, 1]), rows[[0, 2]], rows[-1]

    oracle.same(case)


def test_subset_of_a_data_set_with_batches(oracle):
    def case(torch):
        asked = []

        class Batched:
            def __getitems__(self, indices):
                asked.append(indices)
                return [str(index) for index in indices]

        part = torch.utils.data.Subset(Batched(), [7, 8, 9])
        return part.__getitems__([2, 0]), asked

    oracle.same(case)


def test_subset_errors(oracle):
    def half(torch):
        class Half(torch.utils.data.Subset):
            def __getitem__(self, index):
                return super().__getitem__(index)

        return Half("ab", [0])

    def whole(torch):
        class Whole(torch.utils.data.Subset):
            def __getitem__(self, index):
                return super().__getitem__(index).upper()

            def __getitems__(self, indices):
                return [self[index] for index in indices]

        return list(torch.utils.data.DataLoader(Whole("ab", [1, 0])))

    oracle.same_error(half, "Half overrides __getitem__ but not __getitems__")
    oracle.same(whole)
    oracle.same_error(lambda torch: torch.utils.data.Subset("ab", [0])[1], "list index out of range")


@pytest.mark.parametrize("seed", [0, 1, 42])
@pytest.mark.parametrize(
    "lengths",
    [[3, 7], [10], [0, 10], [0.3, 0.7], [0.5, 0.5], [0.25, 0.25, 0.5], [0.33, 0.33, 0.34], [0.1] * 10, [1.0], [1]],
)
def test_split(oracle, seed, lengths):
    def case(torch):
        length = 1 if lengths == [1] else 10
        generator = torch.Generator().manual_seed(seed)
        parts = torch.utils.data.random_split(range(length), lengths, generator=generator)
        return [part.indices for part in parts], [list(part) for part in parts], torch.rand(1, generator=generator)

    oracle.same(case)


def test_split_draws_from_the_global_stream(oracle):
    def case(torch):
        torch.manual_seed(6)
        parts = torch.utils.data.random_split("abcdefg", [4, 3])
        return [list(part) for part in parts], torch.rand(1)

    oracle.same(case)


def test_split_deals_the_remainder_in_turn(oracle):
    def case(torch):
        split = torch.utils.data.random_split
        return [[len(part) for part in split(range(n), [0.3, 0.3, 0.2, 0.2])] for n in range(4, 30)]

    oracle.same(case)


def test_split_into_an_empty_part_warns(oracle):
    def case(torch):
        torch.utils.data.random_split(range(2), [0.4, 0.3, 0.3])

    oracle.same_warnings(case, "Length of split at index 2 is 0. This might result in an empty dataset.")


@pytest.mark.parametrize(
    ("lengths", "phrase"),
    [
        ([3, 8], "Sum of input lengths does not equal the length of the input dataset!"),
        ([0.3, 0.3], "Sum of input lengths does not equal the length of the input dataset!"),
        ([], "Sum of input lengths does not equal the length of the input dataset!"),
        ([-0.5, 1.5], "Fraction at index 0 is not between 0 and 1"),
        ([1.5, -0.5], "Fraction at index 0 is not between 0 and 1"),
    ],
)
def test_split_errors(oracle, lengths, phrase):
    oracle.same_error(lambda torch: torch.utils.data.random_split(range(10), lengths), phrase)
