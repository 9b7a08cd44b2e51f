"""Samplers: every order, length and error of torch/utils/data/sampler.py."""

import pytest

COVERS = ["torch/utils/data/sampler.py"]

SEEDS = (0, 1, 7, 12345, 2**40 + 3)


def test_the_base_class_has_no_order_and_no_length(oracle):
    oracle.same_error(lambda torch: iter(torch.utils.data.Sampler()))
    oracle.same_error(lambda torch: len(torch.utils.data.Sampler()), "has no len()")


def test_a_sampler_without_a_length_can_be_listed(oracle):
    def case(torch):
        class Odd(torch.utils.data.Sampler):
            def __iter__(self):
                return iter([1, 3, 5])

        return list(Odd()), hasattr(torch.utils.data.Sampler, "__len__")

    oracle.same(case)


@pytest.mark.parametrize("length", [0, 1, 5])
def test_sequential(oracle, length):
    def case(torch):
        sampler = torch.utils.data.SequentialSampler(range(length))
        return list(sampler), list(sampler), len(sampler)

    oracle.same(case)


def test_sequential_reads_the_length_anew_for_each_epoch(oracle):
    def case(torch):
        data = [0, 1]
        sampler = torch.utils.data.SequentialSampler(data)
        first = list(sampler)
        data.append(2)
        return first, list(sampler), len(sampler)

    oracle.same(case)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("length", [1, 2, 10, 33, 100])
def test_random_orders(oracle, seed, length):
    def case(torch):
        generator = torch.Generator().manual_seed(seed)
        sampler = torch.utils.data.RandomSampler(range(length), generator=generator)
        return list(sampler), list(sampler), len(sampler), torch.rand(2, generator=generator)

    oracle.same(case)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_without_a_generator_draws_one_seed_from_the_global_stream(oracle, seed):
    def case(torch):
        torch.manual_seed(seed)
        sampler = torch.utils.data.RandomSampler(range(20))
        return list(sampler), torch.rand(2), list(sampler), torch.rand(2)

    oracle.same(case)


def test_random_draws_nothing_before_the_first_index(oracle):
    def case(torch):
        torch.manual_seed(3)
        sampler = torch.utils.data.RandomSampler(range(20))
        iterator = iter(sampler)
        before = torch.rand(1)
        return before, list(iterator), torch.rand(1)

    oracle.same(case)


@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize("num_samples", [1, 5, 9, 10, 31, 32, 33, 64, 70, None])
def test_random_num_samples(oracle, replacement, num_samples):
    def case(torch):
        generator = torch.Generator().manual_seed(11)
        sampler = torch.utils.data.RandomSampler(
            range(10), replacement=replacement, num_samples=num_samples, generator=generator
        )
        return list(sampler), list(sampler), len(sampler), sampler.num_samples, torch.rand(2, generator=generator)

    oracle.same(case)


def test_random_follows_a_data_set_that_grows(oracle):
    def case(torch):
        data = [0, 1, 2]
        sampler = torch.utils.data.RandomSampler(data, generator=torch.Generator().manual_seed(2))
        first = list(sampler)
        data += [3, 4]
        return first, list(sampler), len(sampler)

    oracle.same(case)


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (dict(num_samples=0), "num_samples should be a positive integer value, but got num_samples=0"),
        (dict(num_samples=-1), "num_samples should be a positive integer value, but got num_samples=-1"),
        (dict(num_samples=2.0), "num_samples should be a positive integer value, but got num_samples=2.0"),
        (dict(num_samples="3"), "num_samples should be a positive integer value"),
        (dict(replacement=None), "replacement should be a boolean value, but got replacement=None"),
        (dict(replacement=1), "replacement should be a boolean value, but got replacement=1"),
        (dict(replacement=1, num_samples=0), "replacement should be a boolean value"),
    ],
)
def test_random_errors(oracle, arguments, phrase):
    oracle.same_error(lambda torch: torch.utils.data.RandomSampler(range(5), **arguments), phrase)


def test_random_without_data(oracle):
    oracle.same_error(lambda torch: torch.utils.data.RandomSampler([]), "num_samples should be a positive integer")
    oracle.same_error(lambda torch: list(torch.utils.data.RandomSampler([], num_samples=3)))
    oracle.same_error(lambda torch: list(torch.utils.data.RandomSampler([], replacement=True, num_samples=40)))
    oracle.same_error(lambda torch: torch.utils.data.RandomSampler(iter([1])), "has no len()")


def test_random_takes_true_for_one_sample(oracle):
    oracle.same(lambda torch: len(list(torch.utils.data.RandomSampler(range(5), num_samples=True))))


@pytest.mark.parametrize("seed", SEEDS)
def test_subset(oracle, seed):
    def case(torch):
        generator = torch.Generator().manual_seed(seed)
        sampler = torch.utils.data.SubsetRandomSampler([30, 10, 20, 10, 50], generator=generator)
        return list(sampler), list(sampler), len(sampler), torch.rand(1, generator=generator)

    oracle.same(case)


def test_subset_without_a_generator_draws_from_the_global_stream(oracle):
    def case(torch):
        torch.manual_seed(5)
        sampler = torch.utils.data.SubsetRandomSampler(range(12))
        return list(sampler), torch.rand(1), list(torch.utils.data.SubsetRandomSampler([]))

    oracle.same(case)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("num_samples", [1, 3, 5, 20])
def test_weighted_with_replacement(oracle, seed, num_samples):
    def case(torch):
        generator = torch.Generator().manual_seed(seed)
        weights = [0.1, 0.9, 0.4, 0.7, 3.0, 0.6]
        sampler = torch.utils.data.WeightedRandomSampler(weights, num_samples, generator=generator)
        return list(sampler), list(sampler), len(sampler), torch.rand(1, generator=generator)

    oracle.same(case)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("num_samples", [1, 3, 6])
def test_weighted_without_replacement(oracle, seed, num_samples):
    def case(torch):
        torch.manual_seed(seed)
        weights = [0.9, 0.4, 0.05, 0.2, 0.3, 0.1]
        sampler = torch.utils.data.WeightedRandomSampler(weights, num_samples, replacement=False)
        return list(sampler), torch.rand(1)

    oracle.same(case)


def test_weighted_keeps_its_weights_in_double_precision(oracle):
    def case(torch):
        by_list = torch.utils.data.WeightedRandomSampler([1, 2, 3], 2)
        by_tensor = torch.utils.data.WeightedRandomSampler(torch.tensor([1.0, 2.0]), 2)
        return by_list.weights, by_tensor.weights, by_list.num_samples, by_list.replacement, by_list.generator

    oracle.same(case)


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (([1.0, 2.0], 0), "num_samples should be a positive integer value, but got num_samples=0"),
        (([1.0, 2.0], True), "num_samples should be a positive integer value, but got num_samples=True"),
        (([1.0, 2.0], 1.5), "num_samples should be a positive integer value, but got num_samples=1.5"),
        (([1.0, 2.0], 2, None), "replacement should be a boolean value, but got replacement=None"),
        (([1.0, 2.0], 2, 1), "replacement should be a boolean value, but got replacement=1"),
        (([[1.0, 2.0]], 2), "weights should be a 1d sequence but given weights have shape (1, 2)"),
        ((1.0, 2), "weights should be a 1d sequence but given weights have shape ()"),
    ],
)
def test_weighted_errors(oracle, arguments, phrase):
    oracle.same_error(lambda torch: torch.utils.data.WeightedRandomSampler(*arguments), phrase)


@pytest.mark.parametrize(
    "arguments", [([1.0, 2.0], 3, False), ([0.0, 0.0], 1), ([-1.0, 2.0], 1), ([], 1), ([float("nan"), 1.0], 1)]
)
def test_weights_that_cannot_be_drawn_from(oracle, arguments):
    oracle.same_error(lambda torch: list(torch.utils.data.WeightedRandomSampler(*arguments)))


@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("batch_size", [1, 2, 3, 7, 10])
@pytest.mark.parametrize("length", [0, 1, 6, 7])
def test_batches(oracle, length, batch_size, drop_last):
    def case(torch):
        D = torch.utils.data
        sampler = D.BatchSampler(D.SequentialSampler(range(length)), batch_size, drop_last)
        return list(sampler), list(sampler), len(sampler)

    oracle.same(case)


def test_batches_of_any_iterable(oracle):
    def case(torch):
        class ByIndex:
            def __getitem__(self, position):
                if position == 3:
                    raise IndexError
                return "abc"[position]

        D = torch.utils.data
        of_strings = list(D.BatchSampler("hello", 2, True))
        of_getitem = list(D.BatchSampler(ByIndex(), 2, False))
        of_iterator = list(D.BatchSampler(iter(range(5)), 2, False))
        return of_strings, of_getitem, of_iterator

    oracle.same(case)


@pytest.mark.parametrize("drop_last", [False, True])
def test_batches_take_no_more_indices_than_they_yield(oracle, drop_last):
    def case(torch):
        taken = []

        def indices():
            for i in range(7):
                taken.append(i)
                yield i

        seen = []
        for batch in torch.utils.data.BatchSampler(indices(), 3, drop_last):
            seen.append((batch, len(taken)))
        return seen, taken

    oracle.same(case)


def test_each_batch_is_a_list_of_its_own(oracle):
    def case(torch):
        batches = list(torch.utils.data.BatchSampler(range(4), 2, False))
        batches[0].append(99)
        return batches, [type(batch).__name__ for batch in batches]

    oracle.same(case)


@pytest.mark.parametrize(
    ("batch_size", "drop_last", "phrase"),
    [
        (0, False, "batch_size should be a positive integer value, but got batch_size=0"),
        (-2, False, "batch_size should be a positive integer value, but got batch_size=-2"),
        (2.0, False, "batch_size should be a positive integer value, but got batch_size=2.0"),
        (True, False, "batch_size should be a positive integer value, but got batch_size=True"),
        ("2", False, "batch_size should be a positive integer value, but got batch_size=2"),
        (None, False, "batch_size should be a positive integer value, but got batch_size=None"),
        (2, None, "drop_last should be a boolean value, but got drop_last=None"),
        (2, 1, "drop_last should be a boolean value, but got drop_last=1"),
        (0, 1, "batch_size should be a positive integer value"),
    ],
)
def test_batch_errors(oracle, batch_size, drop_last, phrase):
    oracle.same_error(lambda torch: torch.utils.data.BatchSampler(range(4), batch_size, drop_last), phrase)


def test_length_of_batches_over_what_has_none(oracle):
    oracle.same_error(lambda torch: len(torch.utils.data.BatchSampler(iter([1, 2]), 2, False)), "has no len()")
