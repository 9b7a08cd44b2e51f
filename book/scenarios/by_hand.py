"""A batch of digits made by hand, and the same batch by DataLoader."""

from pathlib import Path

FEW_DIGITS = Path(__file__).resolve().parents[1] / "data" / "few_digits"


def main(torch, torchvision):
    dataset = torchvision.datasets.ImageFolder(FEW_DIGITS, transform=torchvision.transforms.ToTensor())

    length = len(dataset)
    indices = list(range(length))[:8]
    samples = [dataset[index] for index in indices]
    images = torch.stack([image for image, _ in samples])

    batch = next(iter(torch.utils.data.DataLoader(dataset, batch_size=8)))
    return torch.equal(images, batch[0])
