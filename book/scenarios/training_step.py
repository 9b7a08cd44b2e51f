"""One training step of a small model on real digits: data, operators, loss, gradients, update."""

from pathlib import Path

FEW_DIGITS = Path(__file__).resolve().parents[1] / "data" / "few_digits"


def main(torch, torchvision):
    torch.manual_seed(0)
    dataset = torchvision.datasets.ImageFolder(FEW_DIGITS, transform=torchvision.transforms.ToTensor())
    images, labels = next(iter(torch.utils.data.DataLoader(dataset, batch_size=8)))

    weight = (torch.randn(10, 192) * 0.05).requires_grad_()
    bias = torch.zeros(10, requires_grad=True)

    scores = images.flatten(1) @ weight.t() + bias
    chances = scores.log_softmax(1)
    loss = -chances[torch.arange(8), labels].mean()
    loss.backward()

    before = loss.item()
    with torch.no_grad():
        weight -= 0.5 * weight.grad
        bias -= 0.5 * bias.grad
        scores = images.flatten(1) @ weight.t() + bias
        after = -scores.log_softmax(1)[torch.arange(8), labels].mean()
    return round(before, 4), round(after.item(), 4)
