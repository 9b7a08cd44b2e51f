"""One training step of three layers on real digits, with the tensors where `device` says: the CPU, or a card."""

from pathlib import Path

FEW_DIGITS = Path(__file__).resolve().parents[1] / "data" / "few_digits"


def main(torch, torchvision, device="cpu"):
    torch.manual_seed(0)
    images, labels = load(torch, torchvision)
    layers = [layer(torch, 192, 64), layer(torch, 64, 32), layer(torch, 32, 10)]

    # All that travels to the card.
    images, labels = images.to(device), labels.to(device)
    layers = [[tensor.to(device).requires_grad_() for tensor in pair] for pair in layers]

    loss = forward(torch, layers, images, labels)
    loss.backward()
    update(torch, layers)

    # And one number that comes back.
    return round(loss.item(), 4)


def load(torch, torchvision):
    dataset = torchvision.datasets.ImageFolder(FEW_DIGITS, transform=torchvision.transforms.ToTensor())
    images, labels = next(iter(torch.utils.data.DataLoader(dataset, batch_size=8)))
    return images.flatten(1), labels


def layer(torch, n_in, n_out):
    return torch.randn(n_in, n_out) / n_in**0.5, torch.zeros(n_out)


def forward(torch, layers, x, labels):
    (w1, b1), (w2, b2), (w3, b3) = layers
    x = (x @ w1 + b1).relu()
    x = (x @ w2 + b2).relu()
    return torch.nn.functional.cross_entropy(x @ w3 + b3, labels)


def update(torch, layers):
    with torch.no_grad():
        for pair in layers:
            for tensor in pair:
                tensor -= 0.1 * tensor.grad
