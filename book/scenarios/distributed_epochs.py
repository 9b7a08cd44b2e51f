"""Two replicas share a dataset of seven: each visits half, and `set_epoch` changes who visits what."""


def main(torch):
    dataset = torch.utils.data.TensorDataset(torch.arange(7))
    visited = []
    for rank in range(2):
        sampler = torch.utils.data.DistributedSampler(dataset, num_replicas=2, rank=rank, seed=0)
        loader = torch.utils.data.DataLoader(dataset, batch_size=2, sampler=sampler)
        for epoch in range(2):
            sampler.set_epoch(epoch)
            visited.append((rank, epoch, [batch.tolist() for (batch,) in loader]))
    return visited
