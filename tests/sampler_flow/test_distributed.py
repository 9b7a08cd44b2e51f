"""DistributedSampler: which rank visits what, over every length, group and epoch."""

import pytest

COVERS = ["torch/utils/data/distributed.py", "torch/distributed/__init__.py", "torch/distributed/distributed_c10d.py"]


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("replicas", [1, 2, 3, 5])
def test_every_rank(oracle, shuffle, drop_last, replicas):
    def case(torch):
        rows = []
        for length in (1, 2, 7, 10, 11):
            for rank in range(replicas):
                sampler = torch.utils.data.DistributedSampler(
                    range(length), replicas, rank, shuffle=shuffle, seed=4, drop_last=drop_last
                )
                rows.append((list(sampler), len(sampler), sampler.num_samples, sampler.total_size))
        return rows

    oracle.same(case)


@pytest.mark.parametrize("seed", [0, 9])
def test_epochs(oracle, seed):
    def case(torch):
        sampler = torch.utils.data.DistributedSampler(range(13), num_replicas=2, rank=1, seed=seed)
        epochs = [list(sampler), list(sampler)]
        for epoch in (0, 1, 5):
            sampler.set_epoch(epoch)
            epochs.append(list(sampler))
        return epochs, sampler.epoch

    oracle.same(case)


def test_the_global_stream_is_left_alone(oracle):
    def case(torch):
        torch.manual_seed(1)
        list(torch.utils.data.DistributedSampler(range(9), 3, 0))
        return torch.rand(2)

    oracle.same(case)


def test_no_data(oracle):
    def case(torch):
        sampler = torch.utils.data.DistributedSampler([], 2, 0, shuffle=False)
        return list(sampler), len(sampler)

    oracle.same(case)


def test_a_data_set_that_changed_its_length(oracle):
    def case(torch):
        data = list(range(6))
        sampler = torch.utils.data.DistributedSampler(data, 2, 0, shuffle=False)
        data.extend([6, 7, 8])
        return list(sampler)

    oracle.same_error(case, "Number of indices (")


@pytest.mark.parametrize("rank", [-1, 2, 3])
def test_a_rank_that_cannot_be(oracle, rank):
    def case(torch):
        return torch.utils.data.DistributedSampler(range(4), 2, rank)

    oracle.same_error(case, f"Invalid rank {rank}, rank should be in the interval [0, 1]")


def test_without_a_process_group(oracle):
    phrase = "Default process group has not been initialized, please make sure to call init_process_group"
    oracle.same_error(lambda torch: torch.utils.data.DistributedSampler(range(4)), phrase)
    oracle.same_error(lambda torch: torch.utils.data.DistributedSampler(range(4), num_replicas=2), phrase)
    oracle.same_error(lambda torch: torch.utils.data.DistributedSampler(range(4), rank=0), phrase)


def test_the_package_can_be_asked(oracle):
    oracle.same(lambda torch: (torch.distributed.is_available(), torch.distributed.is_initialized()))
    oracle.same_error(lambda torch: torch.distributed.get_rank(), "Default process group has not been initialized")
    oracle.same_error(
        lambda torch: torch.distributed.get_world_size(), "Default process group has not been initialized"
    )


def test_where_the_package_is_missing(torch, monkeypatch):
    monkeypatch.setattr(torch.distributed, "is_available", lambda: False)
    with pytest.raises(RuntimeError, match="Requires distributed package to be available"):
        torch.utils.data.DistributedSampler(range(4))
    with pytest.raises(RuntimeError, match="Requires distributed package to be available"):
        torch.utils.data.DistributedSampler(range(4), num_replicas=2)


def test_in_a_loader(oracle):
    def case(torch):
        D = torch.utils.data
        seen = []
        for rank in range(2):
            sampler = D.DistributedSampler(range(7), 2, rank, seed=3)
            loader = D.DataLoader(range(7), batch_size=3, sampler=sampler)
            for epoch in range(2):
                sampler.set_epoch(epoch)
                seen.append([batch.tolist() for batch in loader])
        return seen, len(loader)

    oracle.same(case)
