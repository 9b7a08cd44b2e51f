"""Seven samples in batches of three, the short last batch dropped."""


def main(torch):
    loader = torch.utils.data.DataLoader(torch.arange(7), batch_size=3, drop_last=True)
    return [batch.tolist() for batch in loader]
