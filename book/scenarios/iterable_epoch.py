"""A dataset that is a stream: no index is asked for, the stream ends the epoch."""


def main(torch):
    class Countdown(torch.utils.data.IterableDataset):
        def __init__(self, start):
            self.start = start

        def __iter__(self):
            return iter(range(self.start, 0, -1))

    loader = torch.utils.data.DataLoader(Countdown(7), batch_size=3)
    return [batch.tolist() for batch in loader]
