"""One training step of a small model on real digits: data, operators, loss, gradients, update."""

from pathlib import Path

FEW_DIGITS = Path(__file__).resolve().parents[1] / "data" / "few_digits"


def main(torch, torchvision):
    torch.manual_seed(0)
    images, labels = take_batch(torch, torchvision)
    weight = (torch.randn(10, 192) * 0.05).requires_grad_()
    bias = torch.zeros(10, requires_grad=True)

    loss = compute_loss(torch, compute_scores(images, weight, bias), labels)
    loss.backward()
    update(torch, weight, bias)

    after = compute_loss(torch, compute_scores(images, weight, bias), labels)
    return round(loss.item(), 4), round(after.item(), 4)


def take_batch(torch, torchvision):
    dataset = torchvision.datasets.ImageFolder(FEW_DIGITS, transform=torchvision.transforms.ToTensor())
    return next(iter(torch.utils.data.DataLoader(dataset, batch_size=8)))


def compute_scores(images, weight, bias):
    return images.flatten(1) @ weight.t() + bias


def compute_loss(torch, scores, labels):
    chances = scores.log_softmax(1)
    return -chances[torch.arange(8), labels].mean()


def update(torch, *parameters):
    with torch.no_grad():
        for parameter in parameters:
            parameter -= 0.5 * parameter.grad
