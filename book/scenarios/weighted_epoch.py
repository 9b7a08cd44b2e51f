"""A weighted sampler: rare labels are drawn as often as common ones."""


def main(torch):
    torch.manual_seed(0)
    labels = torch.tensor([0, 0, 0, 0, 0, 0, 1, 1, 2])
    weights = (1.0 / torch.bincount(labels))[labels]
    sampler = torch.utils.data.WeightedRandomSampler(weights, num_samples=12)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(labels), batch_size=4, sampler=sampler)
    return [batch.tolist() for (batch,) in loader]
