"""A tensor in two terms, one of them a square: three gradients arrive at one leaf."""


def main(torch):
    w = torch.tensor(3.0, requires_grad=True)
    square = w * w
    loss = square + 2 * w
    loss.backward()
    return w.grad.item()
