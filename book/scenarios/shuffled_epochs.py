"""Two shuffled epochs of one loader: where the randomness of an epoch is drawn."""


def main(torch):
    torch.manual_seed(0)
    dataset = torch.utils.data.TensorDataset(torch.arange(7))
    loader = torch.utils.data.DataLoader(dataset, batch_size=3, shuffle=True)
    epochs = []
    for _ in range(2):
        epochs.append([batch.tolist() for (batch,) in loader])
    return epochs
