"""`batch_size=None`: the sampler's single indices reach the dataset, and nothing is stacked."""


def main(torch):
    dataset = torch.utils.data.TensorDataset(torch.arange(3) * 10)
    loader = torch.utils.data.DataLoader(dataset, batch_size=None)
    return [sample for (sample,) in loader]
